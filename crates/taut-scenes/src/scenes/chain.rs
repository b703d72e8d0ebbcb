//! A chain of equal links with a heavy ball at its end (the acceptance scene; Tournier 2015 Fig. 5, Andrews 2017 Fig. 4 have
//! chains like it).
//!
//! Links are square bars `link_length` long and a fifth of that wide, mass `link_mass`; the load is a ball of radius half a link,
//! hung at its surface. The kick gives the links sideways speed, alternating in sign: an exactly straight chain proves nothing.

use super::parts::{G, ball, pointing, square_bar};
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Scene, SceneInfo};
use taut::{
    Ball, Body, BodyId, Cable, Hinge, Joint, JointId, JointKind, Result, Softness, Universal, Vec3, World,
    joints::FlexibleCable,
};

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "chain",
        summary: "links with a heavy ball at the end, released; the mass ratio is the load's to a link's",
        source: "Taut; Tournier 2015 Fig. 5, Andrews 2017 Fig. 4",
        parameters: vec![
            Parameter::count("links", 10, (1, 1_000_000), "links in the chain"),
            Parameter::choice(
                "joint",
                &["ball", "hinge", "hinge-alternating", "universal", "cable", "flexible-cable"],
                "joint between links",
            ),
            Parameter::number("ratio", "", 1000.0, (1e-6, 1e14), "load mass over link mass"),
            Parameter::number("link_mass", "kg", 0.2, (1e-9, 1e9), "mass of a link"),
            Parameter::number("link_length", "m", 0.2, (1e-6, 1e6), "length of a link"),
            Parameter::choice("start", &["horizontal", "hanging", "angle"], "direction of the chain at the start"),
            Parameter::number("angle", "deg", 45.0, (0.0, 180.0), "angle from hanging, for start=angle"),
            Parameter::number(
                "kick",
                "m/s",
                0.001,
                (0.0, 1e3),
                "sideways speed of the links at the start, alternating",
            ),
            Parameter::number(
                "bending",
                "N m/rad",
                10.0,
                (1e-9, 1e15),
                "bending and torsional stiffness of cable joints",
            ),
            Parameter::number("axial", "N/m", 1e12, (1.0, 1e18), "axial stiffness of cable joints"),
        ],
        dt: 1.0 / 60.0,
        time: 10.0,
        build,
    }
}

fn build(p: &Parameters) -> Result<Scene> {
    let (n, m, l) = (p.count("links"), p.number("link_mass"), p.number("link_length"));
    let load = p.number("ratio") * m;
    let radius = 0.5 * l;
    let direction = match p.choice("start") {
        "hanging" => -Vec3::Y,
        "angle" => {
            let a = p.number("angle").to_radians();
            Vec3::new(libm::sin(a), -libm::cos(a), 0.0)
        }
        _ => Vec3::X,
    };
    let mut world = World::new();
    let rotation = pointing(direction);
    let link = square_bar(m, l, 0.2 * l)?;
    let (mut previous, mut at) = (world.ground(), Vec3::ZERO);
    for k in 0..n {
        let kick = p.number("kick") * if k % 2 == 0 { 1.0 } else { -1.0 };
        let def = Body::dynamic(link).at(at + 0.5 * l * direction).rotated(rotation).moving(kick * Vec3::Z, Vec3::ZERO);
        let b = world.add(def.named(format!("link {k}")))?;
        attach(&mut world, p, b, previous, at, direction, k)?;
        at += l * direction;
        previous = b;
    }
    let b =
        world.add(Body::dynamic(ball(load, radius)?).at(at + radius * direction).rotated(rotation).named("load"))?;
    attach(&mut world, p, b, previous, at, direction, n)?;
    let length = n as f64 * l + radius;
    let energy_scale = G * (load * length + n as f64 * m * 0.5 * n as f64 * l);
    Ok(Scene { world, length, energy_scale, follow: b, window: 3.0, edges: Vec::new(), drive: None })
}

/// The k-th joint, at `at`, between the new body and the one before it.
fn attach(
    world: &mut World,
    p: &Parameters,
    b: BodyId,
    previous: BodyId,
    at: Vec3,
    along: Vec3,
    k: usize,
) -> Result<JointId> {
    let soft = Softness::spring(p.number("bending"), 0.0);
    let axial = Softness::spring(p.number("axial"), 0.0);
    let flat = Vec3::Z;
    let (joint, axis): (Box<dyn JointKind>, Vec3) = match p.choice("joint") {
        "hinge" => (Box::new(Hinge::default()), flat),
        "hinge-alternating" => (Box::new(Hinge::default()), if k.is_multiple_of(2) { flat } else { flat.cross(along) }),
        "universal" => (Box::new(Universal::default()), flat),
        "cable" => (Box::new(Cable { axial, bending: soft, torsion: soft }), along),
        "flexible-cable" => (Box::new(FlexibleCable { axial, shear: axial, bending: soft, torsion: soft }), along),
        _ => (Box::new(Ball::default()), along),
    };
    world.add(Joint::of(joint, b, previous).at(at).axis(axis).named(format!("joint {k}")))
}
