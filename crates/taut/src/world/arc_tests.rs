//! Violations of joints and their curvature without poses (`stabilise::curvature`) are those that the poses give.

use super::{Layout, World};
use crate::desk::inputs::Given;
use crate::ids::BodyId;
use crate::joints::{Ball, Hinge, Universal, Weld};
use crate::mass::MassProperties;
use crate::math::vec3;
use crate::model::body::Body;
use crate::stabilise::curvature;
use glam::DVec3;

fn bar(w: &mut World, k: usize) -> BodyId {
    let (x, mass) = (k as f64, MassProperties::cuboid(800.0, DVec3::new(0.1, 0.05, 0.03)).unwrap());
    let body = Body::dynamic(mass).at(DVec3::new(0.2 * x + 0.1, 0.03 * x * x, -0.02 * x));
    let spin = DVec3::new((1.3 * x).sin(), (2.1 * x).cos(), 0.7 - 0.3 * x);
    w.add(body.moving(DVec3::new(0.4, -0.3 * x, 0.2), 4.0 * spin)).unwrap()
}

/// A chain of all joints that are balls with directions at right angles, on a driven body.
fn chain() -> World {
    let mut w = World::new();
    let mut last = w.add(Body::kinematic().at(-0.1 * DVec3::X)).unwrap();
    w.set_velocity(last, DVec3::new(0.1, 0.0, 0.3), DVec3::new(2.0, 1.0, -0.5)).unwrap();
    for k in 0..8 {
        let b = bar(&mut w, k);
        let joint = match k % 4 {
            0 => Hinge::between(b, last),
            1 => Universal::between(last, b),
            2 => Weld::between(b, last),
            _ => Ball::between(last, b),
        };
        let at = DVec3::new(0.2 * k as f64, 0.02, 0.01);
        w.add(joint.at(at).axis(DVec3::new(0.2, 0.3 * k as f64, 1.0).normalize())).unwrap();
        last = b;
    }
    w
}

#[test]
fn arms_and_directions_turn_without_poses_as_with_them() {
    let h = 0.05;
    let mut w = chain();
    w.lay_out().unwrap();
    let Layout { t, inputs, desk, .. } = &mut **w.layout.as_mut().unwrap();
    crate::step::gather::gather(&w.model, t, (&w.plan, h), &w.state, inputs);
    crate::step::gather::rows(t, &w.plan, &w.state, h, inputs);
    let t = &Given { t, inputs };
    assert!(t.islands.len() == 1 && curvature::only_arms_turn(t, &t.islands[0]));
    let island = &t.islands[0];
    desk.begin(t, h);
    for n in island.nodes.clone() {
        let (kin, at) = (&inputs.kin[n], t.nodes[n].x);
        desk.sol.x[at..at + 3].copy_from_slice(&kin.vel.to_array());
        desk.sol.x[at + 3..at + 6].copy_from_slice(&kin.omega.to_array());
        desk.memory.predicted[n] = kin.omega;
    }
    curvature::look(t, island, &desk.sol.x, h, &mut desk.next);
    let looked = desk.next.phi.clone();
    curvature::pose(t, island, &desk.sol.x, h, &mut desk.next);
    let scratch = (&mut desk.sol.x[..], &mut desk.next);
    let posed = scratch.1.phi.clone();
    curvature::predict(t, island, h, &desk.law, &desk.memory, scratch, &mut desk.right.curve);
    let mut velocity = [0.0; crate::solve::block_ldlt::MAX_DIM];
    for k in island.groups.clone() {
        let g = &t.groups[k];
        crate::rows::joint_velocity(t, k, &inputs.rows, &desk.sol.x, &mut velocity);
        for r in 0..g.rows() {
            let row = g.row() + r;
            let curve = posed[row] - inputs.rows.phi[row] - h * (velocity[r] + inputs.rows.drive[row]);
            assert!((looked[row] - posed[row]).abs() < 1e-15, "joint {k}, row {r}: {} and {}", looked[row], posed[row]);
            assert!((desk.right.curve[row] - curve).abs() < 2e-15, "joint {k}, row {r}: {}", desk.right.curve[row]);
        }
        // Nothing of this is trivially zero.
        assert!(g.rows() < 4 || desk.right.curve[g.row() + 3].abs() > 1e-4);
        assert!(vec3(&desk.right.curve, g.row()).length() > 1e-4);
    }
}
