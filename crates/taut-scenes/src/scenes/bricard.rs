//! Bricard's orthogonal linkage: six links along the edges of a cube, hinges along the other edges. By count it should be rigid; by its
//! special shape it moves.

use super::parts::{G, bar};
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Scene, SceneInfo};
use taut::{Hinge, Result, Vec3, World};

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "bricard",
        summary: "Bricard's six-hinge linkage: over-constrained, and mobile only by its special shape",
        source: "made for Taut",
        parameters: vec![
            Parameter::number("ratio", "", 1.0, (1e-6, 1e12), "mass of the middle link over the others'"),
            Parameter::number("link_mass", "kg", 0.2, (1e-9, 1e9), "mass of a link"),
        ],
        dt: 0.01,
        time: 10.0,
        build,
    }
}

fn build(p: &Parameters) -> Result<Scene> {
    let (m, ratio) = (p.number("link_mass"), p.number("ratio"));
    let corners = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1), (0, 1, 1), (0, 0, 1)];
    let corners = corners.map(|(x, y, z): (i32, i32, i32)| Vec3::new(f64::from(x), f64::from(y), f64::from(z)));
    let axis = |k: usize| (corners[k] - corners[(k + 5) % 6]).cross(corners[(k + 1) % 6] - corners[k]);
    let mut world = World::new();
    let mut links = vec![world.ground()];
    for k in 1..6 {
        let mass = if k == 3 { m * ratio } else { m };
        links.push(bar(&mut world, corners[k], corners[(k + 1) % 6], mass, 0.02, format!("link {k}"))?);
    }
    // Link k runs from corner k to corner k + 1; the ground is link 0.
    for k in 1..=6 {
        let (i, j) = if k < 6 { (links[k], links[k - 1]) } else { (links[5], links[0]) };
        world.add(Hinge::between(i, j).at(corners[k % 6]).axis(axis(k % 6)))?;
    }
    Ok(Scene {
        world,
        length: 6.0,
        energy_scale: G * m * (ratio + 4.0),
        follow: links[3],
        window: 3.0,
        edges: Vec::new(),
        drive: None,
    })
}
