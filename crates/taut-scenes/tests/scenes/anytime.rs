//! The error of the velocities that the structured solver reports, against what the joints of a net do, measured from outside.

use taut::settings::Budget;
use taut::{BodyId, Options, Solver, Stabiliser, Vec3, World};
use taut_scenes::find;

/// A joint as two points that should move alike: bodies, and the point in the coordinates of each.
type Pin = [(BodyId, Vec3); 2];

/// The pins of a scene of ball joints at its start: each is where the two bodies say that it is, by a rule of the scene.
fn pins(w: &World, place: impl Fn(&World, BodyId, BodyId) -> Vec3) -> Vec<Pin> {
    let all = w.joints().map(|j| j.bodies());
    all.map(|(i, j)| {
        let at = place(w, i, j);
        [i, j].map(|b| (b, w.body(b).unwrap().pose().to_local(at)))
    })
    .collect()
}

/// Balls of a net: halfway between the two.
fn halfway(w: &World, i: BodyId, j: BodyId) -> Vec3 {
    0.5 * (w.body(i).unwrap().position() + w.body(j).unwrap().position())
}

/// Largest component of J v+ + part phi/h over a pin, with the pose before the step and the velocity after it.
fn left(before: &World, after: &World, pin: &Pin, part: f64, h: f64) -> f64 {
    let end = |(b, local): (BodyId, Vec3)| {
        let (was, is) = (before.body(b).unwrap(), after.body(b).unwrap());
        let at = was.pose().to_world(local);
        (at, is.velocity() + is.angular_velocity().cross(at - was.pose().pos))
    };
    let ((p, v), (q, w)) = (end(pin[0]), end(pin[1]));
    (v - w + (part / h) * (p - q)).abs().max_element()
}

#[test]
fn the_reported_error_of_the_velocities_is_that_of_the_joints() {
    let name = "net";
    // With a limit in iterations rows of loops close a fifth of their gaps in a step, and those of the forest all of it; without
    // one all rows do, and the tolerance says when to stop.
    let cut = |n| Budget::iterations(n);
    let loose = |tolerance| Budget { tolerance, ..Budget::default() };
    for (budget, parts) in [
        (cut(2), &[0.2, 1.0][..]),
        (cut(10), &[0.2, 1.0]),
        (cut(40), &[0.2, 1.0]),
        (loose(0.3), &[1.0]),
        (loose(1e-3), &[1.0]),
    ] {
        let mut w = find(name).unwrap().with(&[]).unwrap().0.world;
        let pins = pins(&w, halfway);
        let solver = Solver::Structured(budget);
        w.set_options(Options { stabiliser: Stabiliser::None, solver, ..*w.options() }).unwrap();
        let (h, mut open) = (0.005, 0.0_f64);
        for step in 0..40 {
            let before = w.clone();
            let told = w.step(h).unwrap().anytime.unwrap();
            let least = |pin: &Pin| parts.iter().map(|&c| left(&before, &w, pin, c, h)).fold(f64::INFINITY, f64::min);
            let most = pins.iter().map(least).fold(0.0, f64::max);
            let bound = told.velocity_error * (1.0 + 1e-6) + 1e-9;
            assert!(most <= bound, "{name}, {budget:?}, step {step}: {most:e} m/s left, {told:?}");
            // And it is no larger than it has to be.
            let tight = most >= 0.3 * told.velocity_error - 1e-9;
            assert!(tight || parts.len() > 1, "{name}, {budget:?}, step {step}: {most:e} m/s left, {told:?}");
            open = open.max(most);
        }
        // The budgets do cut the solves short.
        assert!(open > 1e-7, "{name}, {budget:?}: {open:e}");
    }
}
