//! The scenes of Baxter's thesis are the published ones, and move as they should.

use taut::{BodyId, Options, Stabiliser, Vec3, World};
use taut_scenes::{Outcome, Scene, find, run_with};

fn scene(name: &str, set: &[(&str, &str)]) -> Scene {
    find(name).unwrap().with(set).unwrap().0
}

fn named(w: &World, name: &str) -> BodyId {
    w.bodies().find(|&b| w.body(b).unwrap().name == name).unwrap()
}

/// Runs for a time and keeps the position of one body after each step.
fn path(s: &mut Scene, body: BodyId, dt: f64, time: f64) -> (Outcome, Vec<Vec3>) {
    let mut path = vec![s.world.body(body).unwrap().pose.pos];
    let o = run_with(s, dt, time, |w, _| {
        path.push(w.body(body).unwrap().pose.pos);
        true
    })
    .unwrap();
    assert!(o.stable, "{:?}", o.failure);
    assert!(o.ledger_imbalance < 1e-9, "{o:?}");
    (o, path)
}

/// Scene, parameters; bodies and degrees of freedom; mass of what moves; sum of the squares of all positions; kinetic energy and sum of
/// the squares of the angular velocities after one step of 0.01 s. From an implementation of RedMax in reduced coordinates of its own.
type Row = (&'static str, &'static [(&'static str, &'static str)], [usize; 2], [f64; 4]);
#[rustfmt::skip]
const PUBLISHED: [Row; 7] = [
    ("bridge", &[("links", "20")], [25, 20], [6.011432748974607e+03, 1.585578004164328e+03, 1.138190533229e+01, 4.839859957539e-02]),
    ("bridge", &[("links", "33"), ("kind", "sim")], [102, 99], [2.721164038360538e+04, 6.104851309652360e+03, 1.244291276083e+01, 8.954855804600e-02]),
    ("bridge", &[("links", "20"), ("kind", "video")], [63, 60], [2.377097543901562e+04, 3.818078004164328e+03, 1.009533421357e+01, 1.040966993595e-02]),
    ("umbrella", &[("n", "8")], [98, 193], [1.937451808353489e+02, 1.164028681360715e+05, 2.265160811146e+00, 5.374433257798e-02]),
    ("umbrella", &[("n", "5"), ("canopy", "video")], [58, 113], [2.087064130833858e+02, 7.329847288371417e+04, 1.245182248993e+00, 9.589982201360e-03]),
    ("tree-springs", &[("levels", "5")], [94, 93], [7.718406750000000e+01, 2.103555901914444e+04, 2.055542462683e+02, 1.314060110168e+02]),
    ("tree-springs-alternate", &[("levels", "6")], [190, 189], [1.386443782500000e+02, 5.205467175245924e+04, 3.962448758037e+02, 1.559639886600e+02]),
];

#[test]
fn the_scenes_are_the_published_ones_and_their_first_step_is_that_of_redmax() {
    for (name, set, [bodies, dofs], [mass, square, kinetic, turning]) in PUBLISHED {
        let mut s = scene(name, set);
        let w = &mut s.world;
        // The method of the thesis: one implicit step of first order.
        w.set_options(Options { stabiliser: Stabiliser::None, resolved: false, ..*w.options() }).unwrap();
        // The first is the world's own ground.
        assert_eq!(w.bodies().skip(1).count(), bodies, "{name}");
        let free = |kind: &str| match kind {
            "hinge" | "prismatic" => 1,
            "universal" => 2,
            _ => 0,
        };
        assert_eq!(w.joints().map(|j| free(w.joint(j).unwrap().kind)).sum::<usize>(), dofs, "{name}");
        let all = |w: &World| w.bodies().map(|b| w.body(b).unwrap()).collect::<Vec<_>>();
        let close = |got: f64, want: f64, tol: f64, what: &str| {
            assert!((got - want).abs() <= tol * want, "{name} {set:?} {what}: {got:e} for {want:e}");
        };
        close(all(w).iter().map(|b| b.mass).sum(), mass, 1e-12, "mass");
        close(all(w).iter().map(|b| b.pose.pos.length_squared()).sum(), square, 1e-12, "positions");
        let done = s.step(0.01).unwrap();
        close(done.energy.kinetic, kinetic, 1e-7, "kinetic energy");
        close(all(&s.world).iter().map(|b| b.angular_velocity.length_squared()).sum(), turning, 1e-7, "turning");
    }
}
