//! The energy from model and state is that which the layout of a step gives.

use super::{Layout, World};
use crate::contact::collider::Collider;
use crate::contact::material::Material;
use crate::contact::shape::Shape;
use crate::ids::BodyId;
use crate::integrate::kinetic;
use crate::joints::{Ball, Hinge, Limit, Rope, Softness};
use crate::mass::MassProperties;
use crate::model::body::Body;
use crate::model::force::{Force, Spring};
use crate::report::{self, Energy, Rest};
use glam::DVec3;

/// The energy as a step reads it: gathered into the layout, in elimination order.
fn laid_out(w: &mut World) -> Energy {
    w.lay_out().unwrap();
    let Layout { t, inputs, .. } = &mut **w.layout.as_mut().unwrap();
    crate::step::gather::gather(&w.model, t, (&w.plan, 1.0), &w.state, inputs);
    crate::step::gather::rows(t, &w.plan, &w.state, 1.0, inputs);
    crate::bounded::evaluate(t, &inputs.kin, &inputs.wind, &mut inputs.rows.phi);
    let v = report::potential(&w.model, t, w.plan.gravity, &inputs.kin, &inputs.rows, Rest::now(inputs));
    let (lag, contacts) = (w.state.potential_lag, report::in_contacts(&w.state.contacts));
    Energy {
        kinetic: (0..t.nodes.len()).map(|n| kinetic(t, n, &inputs.kin[n])).sum(),
        gravity: v[0] - lag[0] + t.asleep[0],
        elastic: v[1] - lag[1] + t.asleep[1] + contacts,
    }
}

fn agree(a: Energy, b: Energy, what: &str) {
    for (x, y) in [(a.kinetic, b.kinetic), (a.gravity, b.gravity), (a.elastic, b.elastic)] {
        let size = a.total().abs().max(a.kinetic).max(a.gravity.abs()).max(1.0);
        assert!((x - y).abs() <= 1e-12 * size, "{what}: {a:?} and {b:?}");
    }
}

fn bar(w: &mut World, at: DVec3) -> BodyId {
    let mass = MassProperties::cuboid(800.0, DVec3::new(0.1, 0.05, 0.03)).unwrap();
    w.add(Body::dynamic(mass).at(at).moving(DVec3::new(0.1, 0.0, 0.3), DVec3::new(0.5, 0.2, -0.1))).unwrap()
}

/// Hinges with soft limits and a motor, soft ball joints and a soft rope.
fn joints(w: &mut World, at: DVec3) {
    let soft = Softness { compliance: 1e-4, damping: 0.5 };
    let mut last = w.ground();
    for k in 0..4 {
        let b = bar(w, at + DVec3::X * (0.2 * f64::from(k) + 0.1));
        let joint = match k {
            1 => Ball::between(b, last).linear(soft),
            2 => Hinge::between(b, last).spring(3.0, 0.1),
            _ => Hinge::between(b, last).stop(Limit::new(-0.1, 0.1).soft(soft)),
        };
        w.add(joint.at(at + DVec3::X * (0.2 * f64::from(k))).axis(DVec3::Z)).unwrap();
        last = b;
    }
    let load = w.add(Body::particle(2.0).at(at - DVec3::Y)).unwrap();
    let rope = Rope::between(load, last).ends(at - DVec3::Y, at + DVec3::X * 0.8);
    w.add(rope.length(1.0).linear(soft)).unwrap();
}

/// Springs: a chain, whose springs are rows, and a net, whose springs are links.
fn springs(w: &mut World, at: DVec3) {
    let n = 5;
    let spring = |i, j, rest_length| {
        let (point_i, point_j) = (DVec3::ZERO, DVec3::ZERO);
        Force::Spring(Spring { i, j, point_i, point_j, stiffness: 200.0, damping: 0.3, rest_length })
    };
    let mut made: Vec<BodyId> = Vec::new();
    for k in 0..n * n {
        let p = at + DVec3::new(0.1 * (k % n) as f64, 0.0, 0.1 * (k / n) as f64);
        made.push(w.add(Body::particle(0.05).at(p)).unwrap());
        let ends = [(k % n > 0).then(|| made[k - 1]), (k >= n).then(|| made[k - n])];
        for end in ends.into_iter().flatten() {
            w.add(spring(made[k], end, 0.09)).unwrap();
        }
    }
    let mut last = w.ground();
    for k in 0..4 {
        let b = bar(w, at + DVec3::new(-1.0, -0.4 * f64::from(k), 0.0));
        w.add(spring(b, last, 0.3)).unwrap();
        last = b;
    }
}

/// Boxes that fall on soft ground and go to sleep there.
fn boxes(w: &mut World) {
    let ground = w.ground();
    let soft = Material::default().soft(1e-5, 50.0);
    let floor = Collider::new(Shape::HalfSpace { normal: DVec3::Y }).of(soft).at(DVec3::Y * -5.0);
    w.add(floor.on(ground)).unwrap();
    for k in 0..3 {
        let mass = MassProperties::cuboid(800.0, DVec3::splat(0.1)).unwrap();
        let b = w.add(Body::dynamic(mass).at(DVec3::new(2.0, 0.25 * f64::from(k) - 4.88, 0.0))).unwrap();
        w.add(Collider::new(Shape::cuboid(DVec3::splat(0.1))).on(b)).unwrap();
    }
}

#[test]
fn energy_from_the_state_is_that_of_the_layout_and_of_the_report() {
    let mut w = World::new();
    joints(&mut w, DVec3::ZERO);
    springs(&mut w, DVec3::new(0.0, 0.0, 3.0));
    boxes(&mut w);
    let now = w.energy().unwrap();
    agree(now, laid_out(&mut w), "at the start");
    let mut slept = false;
    for k in 0..240 {
        let report = w.step(1.0 / 60.0).unwrap();
        let now = w.energy().unwrap();
        agree(report.energy, now, "the report");
        agree(now, laid_out(&mut w), &format!("step {k}"));
        assert!(now.elastic > 0.0);
        slept |= w.sleeping() > 0;
    }
    assert!(slept, "the boxes should sleep");
}
