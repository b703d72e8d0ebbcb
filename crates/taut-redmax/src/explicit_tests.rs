//! The system that is handed out against the step that solves it, dense products, and bad input.

use crate::reduced_system;
use crate::testing::{Random, joint_of};
use glam::DVec3;
use taut::{
    Ball, Body, Coordinates, Force, Hinge, Joint, MassProperties, Options, Solver, Spring, Stabiliser, World,
    joints::Chart,
};
use taut_solve::dense::DenseLu;

const H: f64 = 0.01;

fn reduced(w: &mut World, solver: Solver) {
    crate::attach(w);
    let o = *w.options();
    w.set_options(Options {
        coordinates: Coordinates::Reduced,
        stabiliser: Stabiliser::None,
        solver,
        sleep: false,
        ..o
    })
    .unwrap();
}

/// A tree of joints of several kinds with springs between its bodies, a closed loop and a force for one step.
fn machine(seed: u64) -> World {
    let mut r = Random::new(seed);
    let mut w = World::new();
    let mut bodies = vec![w.ground()];
    for k in 0..8 {
        let pose = r.pose();
        let b = w.add(Body::dynamic(r.mass()).at(pose.pos).rotated(pose.rot)).unwrap();
        let kinds = [Chart::Ball, Chart::Hinge, Chart::Universal, Chart::Prismatic, Chart::Cylindrical];
        let (joint, parent) = (joint_of(kinds[k % kinds.len()]), bodies[if k < 5 { r.below(k + 1) } else { k }]);
        w.add(Joint::of(joint, b, parent).at(r.vec()).axis(r.vec().normalize())).unwrap();
        bodies.push(b);
    }
    for k in 0..5 {
        let (i, j, point_i, point_j) = (bodies[k], bodies[k + 3], r.vec(), r.vec());
        let spring = Spring { i, j, point_i, point_j, stiffness: 300.0, damping: 2.0, rest_length: 0.5 };
        w.add(Force::Spring(spring)).unwrap();
    }
    let at = w.body(bodies[8]).unwrap().position();
    let joint = w.add(Ball::between(bodies[8], w.ground()).at(at).axis(DVec3::Y)).unwrap();
    w.set_tree_role(joint, taut::TreeRole::Loop).unwrap();
    w.apply_force(bodies[4], DVec3::new(3.0, -2.0, 5.0), at).unwrap();
    w
}

fn apart(a: &[f64], b: &[f64]) -> f64 {
    let size = b.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    a.iter().zip(b).fold(0.0_f64, |m, (x, y)| m.max((x - y).abs())) / size
}

#[test]
fn the_system_handed_out_is_the_one_that_the_step_solves() {
    for seed in 0..12 {
        let mut w = machine(seed);
        reduced(&mut w, Solver::Elimination);
        let before = w.state().clone();
        let mut system = reduced_system(&mut w, H).unwrap();
        assert_eq!(w.state(), &before, "the world stays as it is");
        let n = system.freedoms().len();
        assert_eq!((n, n), (system.matrix().size(), system.right_hand_side().len()));
        let (a, b, loops) = (system.matrix(), system.right_hand_side().to_vec(), system.loops().to_vec());
        let first = system.solve().unwrap();
        assert!(first.is_direct && first.converged && first.iterations == 0);
        let (y, p) = (first.rates.to_vec(), first.impulses.to_vec());
        // A y - G^T p = b, G y + Sigma p = w.
        let mut left = a.times(&y);
        for (row, p) in loops.iter().zip(&p) {
            row.entries.iter().for_each(|&(d, g)| left[d] -= g * p);
            let rate: f64 = row.entries.iter().map(|&(d, g)| g * y[d]).sum();
            assert!((rate + row.compliance * p - row.target).abs() < 1e-8, "seed {seed}");
        }
        assert!(apart(&left, &b) < 1e-8, "seed {seed}: {:e}", apart(&left, &b));
        let again = system.solve().unwrap();
        assert_eq!((again.rates, again.impulses), (&y[..], &p[..]), "the same bits");
        // The step moves the world by these rates.
        w.step(H).unwrap();
        let (tree, fresh) = (w.tree().unwrap(), reduced_system(&mut w, H).unwrap());
        assert_eq!(tree.dofs, n);
        assert!(apart(fresh.start(), &y) < 1e-6, "seed {seed}: {:e}", apart(fresh.start(), &y));
    }
}

#[test]
fn iterations_and_elimination_agree_with_the_dense_solution() {
    for seed in 20..24 {
        let mut w = machine(seed);
        reduced(&mut w, Solver::Pcg);
        let mut system = reduced_system(&mut w, H).unwrap();
        let (n, l) = (system.freedoms().len(), system.loops().len());
        let mut m = vec![0.0; (n + l) * (n + l)];
        let mut x = system.right_hand_side().to_vec();
        for c in 0..n {
            for (r, value) in system.matrix().column(c) {
                m[r * (n + l) + c] = value;
                m[c * (n + l) + r] = value;
            }
        }
        for (k, row) in system.loops().iter().enumerate() {
            for &(d, g) in &row.entries {
                m[d * (n + l) + n + k] = -g;
                m[(n + k) * (n + l) + d] = g;
            }
            m[(n + k) * (n + l) + n + k] = row.compliance;
            x.push(row.target);
        }
        let mut lu = DenseLu::new();
        lu.factor(n + l, &m).unwrap();
        lu.solve(&mut x);
        let found = system.solve().unwrap();
        assert!(!found.is_direct && found.converged && found.iterations > 0);
        assert!(apart(found.rates, &x[..n]) < 1e-3, "seed {seed}: {:e}", apart(found.rates, &x[..n]));
    }
}

#[test]
fn freedoms_have_names_and_what_cannot_be_is_refused() {
    let mut w = World::new();
    let text = |e: taut::Error| e.to_string();
    assert!(text(reduced_system(&mut w, H).unwrap_err()).contains("maximal, stabiliser aligned: expected reduced"));
    reduced(&mut w, Solver::Auto);
    assert!(reduced_system(&mut w, H).is_err(), "no body that moves");
    let mass = MassProperties::cuboid(1000.0, DVec3::new(0.5, 0.1, 0.1)).unwrap();
    let b = w.add(Body::dynamic(mass).named("arm")).unwrap();
    let free = w.add(Body::dynamic(mass).at(3.0 * DVec3::X)).unwrap();
    let hinge = w.add(Hinge::between(b, w.ground()).at(-0.5 * DVec3::X).axis(DVec3::Z)).unwrap();
    for h in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(text(reduced_system(&mut w, h).unwrap_err()).contains("time step"));
    }
    let system = reduced_system(&mut w, H).unwrap();
    let names: Vec<_> = system.freedoms().iter().map(|f| (f.body, f.joint, f.index)).collect();
    assert_eq!(names[0], (b, Some(hinge), 0));
    assert_eq!(names[1..], std::array::from_fn::<_, 6, _>(|k| (free, None, k)));
    // m l^2 / 3 about the hinge: half a metre from the centre.
    let inertia = mass.mass * 0.25 + mass.inertia.z_axis.z;
    assert!((system.matrix().values[0] - inertia).abs() < 1e-9 * inertia);
    assert!((system.right_hand_side()[0] + H * 9.81 * 0.5 * mass.mass).abs() < 1e-9 * mass.mass);
    w.add(Hinge::between(b, w.ground()).axis(DVec3::Z).limit(-1.0, 1.0)).unwrap();
    assert!(text(reduced_system(&mut w, H).unwrap_err()).contains("limits"));
}
