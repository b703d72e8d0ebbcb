//! Armatures: inertia that the rates of a joint feel, and nothing else.

use crate::common::Rng;
use taut::joints::Translational;
use taut::prelude::*;
use taut::{Coordinates, Gear, Locks, Options, SixDof, Solver, Stabiliser};

const G: f64 = 9.81;

fn rod(mass: f64, half: f64) -> MassProperties {
    MassProperties::cuboid(1000.0, Vec3::new(half, 0.05, 0.05)).unwrap().with_mass(mass).unwrap()
}

/// A level rod on a hinge at the origin about z; inertia about the hinge.
fn pendulum(armature: f64) -> (World, JointId, BodyId, f64) {
    let mut world = World::new();
    let mass = rod(2.0, 0.5);
    let body = world.add(Body::dynamic(mass).at(0.5 * Vec3::X)).unwrap();
    let hinge = Hinge::between(body, world.ground()).at(Vec3::ZERO).axis(Vec3::Z).armature(armature);
    let hinge = world.add(hinge).unwrap();
    (world, hinge, body, mass.inertia.z_axis.z + 2.0 * 0.25)
}

/// Angle at a time by Runge-Kutta of I q'' = -m g l cos q.
fn swing(inertia: f64, time: f64) -> f64 {
    let f = |q: f64| -2.0 * G * 0.5 * q.cos() / inertia;
    let n = 20_000;
    let h = time / f64::from(n);
    let (mut q, mut w) = (0.0, 0.0);
    for _ in 0..n {
        let (k1, l1) = (w, f(q));
        let (k2, l2) = (w + 0.5 * h * l1, f(q + 0.5 * h * k1));
        let (k3, l3) = (w + 0.5 * h * l2, f(q + 0.5 * h * k2));
        let (k4, l4) = (w + h * l3, f(q + h * k3));
        q += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        w += h / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4);
    }
    q
}

#[test]
fn a_pendulum_with_an_armature_swings_as_one_with_so_much_more_inertia_and_at_second_order() {
    for armature in [0.0, 0.7, 20.0] {
        let error = |h: f64| {
            let (mut world, hinge, _, inertia) = pendulum(armature);
            let time = 1.2;
            (0..(time / h).round() as usize).for_each(|_| {
                let l = world.step(h).unwrap().ledger;
                assert!(l.imbalance.abs() < 1e-11, "{l:?}");
            });
            let q = world.joint(hinge).unwrap().position().unwrap();
            let d = q - swing(inertia + armature, time);
            d - std::f64::consts::TAU * (d / std::f64::consts::TAU).round()
        };
        let (a, b) = (error(0.01), error(0.005));
        assert!(a.abs() < 1e-3 && (a / b - 4.0).abs() < 0.3, "{armature}: {a} {b}");
    }
}

/// A joint of a kind, from body i to body j.
type Between = fn(BodyId, BodyId) -> Joint;

/// Every kind of joint that has rates.
fn kinds() -> Vec<(&'static str, Between)> {
    fn joint(locks: [bool; 6], i: BodyId, j: BodyId) -> Joint {
        let [a, b, c, d, e, f] = locks;
        SixDof::between(i, j, Locks { linear: [a, b, c], angular: [d, e, f] })
    }
    vec![
        ("hinge", Hinge::between),
        ("prismatic", Prismatic::between),
        ("cylindrical", Cylindrical::between),
        ("universal", Universal::between),
        ("ball", Ball::between),
        ("planar", Planar::between),
        ("translational", Translational::between),
        ("six-dof ball", |i, j| joint([true, true, true, false, false, false], i, j)),
        ("six-dof free", |i, j| joint([false; 6], i, j)),
        ("six-dof one turn", |i, j| joint([true, true, true, false, true, true], i, j)),
        ("six-dof mixed", |i, j| joint([false, true, true, false, true, false], i, j)),
        ("wheel", |i, j| Wheel { suspension: Softness::RIGID, steers: false }.between(i, j)),
        ("steered", |i, j| Wheel { suspension: Softness::spring(50.0, 0.0), steers: true }.between(i, j)),
    ]
}

/// Two bodies that float, joined with an armature, in a tumble that the joint allows.
fn pair(kind: Between, armature: f64, seed: u64) -> (World, JointId) {
    let mut r = Rng(seed);
    let mut world = World::new();
    world.set_options(Options { gravity: Vec3::ZERO, ..Options::default() }).unwrap();
    let (a, b) = (r.mass(), r.mass());
    let spin = r.vec(1.5);
    let a = world.add(Body::dynamic(a).at(0.6 * Vec3::X).moving(spin.cross(0.6 * Vec3::X), spin)).unwrap();
    let at = Vec3::new(-0.4, 0.2, 0.1);
    let b = world.add(Body::dynamic(b).at(at).moving(spin.cross(at), spin)).unwrap();
    let joint = kind(a, b).at(Vec3::ZERO).axis(r.unit()).across(r.unit()).armature(armature);
    let joint = world.add(joint).unwrap();
    // What the joint leaves free gets a rate within the first steps.
    (world, joint)
}

fn momenta(world: &World) -> (Vec3, Vec3) {
    world.bodies().fold((Vec3::ZERO, Vec3::ZERO), |(p, l), b| {
        let m = b.mass_properties();
        if m.mass == 0.0 {
            return (p, l);
        }
        let rot = taut::Mat3::from_quat(b.rotation());
        let spin = rot * (m.inertia * (rot.transpose() * b.angular_velocity()));
        (p + m.mass * b.velocity(), l + spin + m.mass * b.position().cross(b.velocity()))
    })
}

/// A push that sets everything in motion, then so many steps.
fn thrown(kind: Between, armature: f64, h: f64) -> World {
    let (mut world, joint) = pair(kind, armature, 7);
    let pushed = world.joint(joint).unwrap().bodies().0;
    for _ in 0..(0.1 / h).round() as usize {
        let at = world.body(pushed).unwrap().position();
        world.apply_torque(pushed, Vec3::new(3.0, -5.0, 4.0)).unwrap();
        world.apply_force(pushed, Vec3::new(30.0, 20.0, -10.0), at).unwrap();
        world.step(h).unwrap();
    }
    world
}

#[test]
fn a_floating_pair_keeps_its_momentum_and_its_energy_whatever_joins_it() {
    for (name, kind) in kinds() {
        for armature in [0.0, 0.3, 30.0, 1e6] {
            let run = |h: f64| {
                let mut world = thrown(kind, armature, h);
                let (start, energy) = (momenta(&world), world.energy().unwrap().total());
                let size = energy.abs() + 1.0;
                let mut before = energy;
                for _ in 0..(1.0 / h).round() as usize {
                    let report = world.step(h).unwrap();
                    let (l, now) = (report.ledger, world.energy().unwrap().total());
                    assert!(l.imbalance.abs() < 1e-9 * size, "{name} {armature}: {l:?}");
                    assert!((now - before - l.change).abs() < 1e-9 * size, "{name} {armature}: {now} {before} {l:?}");
                    assert!((report.energy.total() - now).abs() < 1e-9 * size, "{name} {armature}");
                    before = now;
                }
                let end = momenta(&world);
                ((before - energy).abs() / size, (end.0 - start.0).length(), (end.1 - start.1).length())
            };
            let (a, b) = (run(0.01), run(0.005));
            // Angular momentum is read at the pose, half a step after the velocities: that is of first order.
            assert!(a.1 < 1e-11 && a.2 < 1e-2 && b.2 < 0.6 * a.2, "{name} {armature}: {a:?} {b:?}");
            assert!(a.0 < 1e-4 && b.0 < 0.4 * a.0 + 1e-8, "{name} {armature}: {a:?} {b:?}");
        }
    }
}

/// Positions of all bodies after 0.4 s in steps of h.
fn places(kind: Between, armature: f64, h: f64) -> Vec<Vec3> {
    let (mut world, joint) = pair(kind, armature, 11);
    let (i, j) = world.joint(joint).unwrap().bodies();
    let spring = |a: Vec3, b: Vec3| Spring::between(i, j).ends(a, b).stiffness(300.0).rest_length(0.2);
    world.add(spring(Vec3::new(0.1, 0.3, 0.0), Vec3::new(0.0, 0.2, 0.3))).unwrap();
    (0..(0.4 / h).round() as usize).for_each(|_| drop(world.step(h).unwrap()));
    [i, j].iter().flat_map(|&b| [Vec3::X, Vec3::Y].map(|p| world.pose(b).unwrap().to_world(p))).collect()
}

#[test]
fn motion_converges_with_second_order_as_it_does_without() {
    for (name, kind) in kinds() {
        for armature in [0.0, 0.5, 50.0] {
            let [a, b, c] = [0.01, 0.005, 0.0025].map(|h| places(kind, armature, h));
            let apart = |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
            let (coarse, fine) = (apart(&a, &b), apart(&b, &c));
            assert!((coarse / fine - 4.0).abs() < 0.2, "{name} {armature}: {coarse} {fine}");
        }
    }
}

#[test]
fn dynamics_knows_armatures() {
    for (name, kind) in kinds() {
        let of = |armature: f64| {
            let mut world = pair(kind, armature, 3).0;
            let mut r = Rng(5);
            let ids: Vec<BodyId> = world.bodies().filter(|b| b.mass_properties().mass > 0.0).map(|b| b.id()).collect();
            let (i, j) = (ids[0], ids[1]);
            world.set_velocity(i, r.vec(1.0), r.vec(2.0)).unwrap();
            world.set_velocity(j, r.vec(1.0), r.vec(2.0)).unwrap();
            world
        };
        let Ok(with) = of(0.7).dynamics() else {
            // Wheels have no freedoms of their own.
            assert!(name.starts_with("six-dof") || ["wheel", "steered"].contains(&name), "{name}");
            continue;
        };
        let without = of(0.0).dynamics().unwrap();
        let (a, b) = (with.mass_matrix(), without.mass_matrix());
        for (k, dof) in with.dofs().iter().enumerate() {
            for j in 0..with.dofs().len() {
                let more = if k == j && dof.joint.is_some() { 0.7 } else { 0.0 };
                assert!((a[(k, j)] - b[(k, j)] - more).abs() < 1e-12, "{name} {k} {j}");
            }
        }
        let mut r = Rng(9);
        let force: Vec<f64> = with.dofs().iter().map(|_| r.range(-3.0, 3.0)).collect();
        let acceleration = with.forward(&force).unwrap();
        let again = with.inverse(&acceleration).unwrap();
        assert!(again.iter().zip(&force).all(|(a, b)| (a - b).abs() < 1e-10), "{name}");
        let bias: Vec<f64> = with.inverse(&vec![0.0; force.len()]).unwrap();
        let product = |k: usize| (0..force.len()).map(|j| a[(k, j)] * acceleration[j]).sum::<f64>();
        assert!((0..force.len()).all(|k| (product(k) + bias[k] - force[k]).abs() < 1e-9), "{name}");
    }
}

#[test]
fn the_kinetic_energy_is_that_of_the_mass_matrix() {
    for (name, kind) in kinds() {
        let mut world = thrown(kind, 0.7, 0.01);
        let Ok(before) = world.dynamics() else { continue };
        // From the pose on, without the half step that velocities are behind: bodies as the forest has them.
        for body in world.bodies().filter(|b| b.mass_properties().mass > 0.0).map(|b| b.id()).collect::<Vec<_>>() {
            let (v, w) = before.velocity(body, world.body(body).unwrap().position()).unwrap();
            world.set_velocity(body, v + Vec3::splat(1e-300), w).unwrap();
        }
        let dynamics = world.dynamics().unwrap();
        let (m, y) = (dynamics.mass_matrix(), dynamics.velocities());
        let energy: f64 = (0..y.len()).map(|k| (0..y.len()).map(|j| 0.5 * y[k] * m[(k, j)] * y[j]).sum::<f64>()).sum();
        let kinetic = world.energy().unwrap().kinetic;
        assert!(y[6..].iter().any(|y| y.abs() > 1e-3), "{name}: {y:?}");
        assert!((energy - kinetic).abs() < 1e-9 * energy, "{name}: {energy} {kinetic}");
    }
}

#[test]
fn a_step_follows_the_dynamics() {
    for (name, kind) in kinds() {
        let h = 1e-5;
        let mut world = thrown(kind, 0.7, h);
        let Ok(start) = world.dynamics() else { continue };
        let wanted = start.forward(&vec![0.0; start.dofs().len()]).unwrap();
        world.step(h).unwrap();
        let end = world.dynamics().unwrap();
        for (k, ((a, b), wanted)) in start.velocities().iter().zip(end.velocities()).zip(&wanted).enumerate() {
            let got = (b - a) / h;
            assert!((got - wanted).abs() < 2e-3 * (1.0 + wanted.abs()), "{name} {k}: {got} {wanted}");
        }
    }
}

#[test]
fn an_armature_is_the_rotor_behind_a_gear() {
    let (ratio, inertia) = (50.0, 3e-4);
    let arm = |world: &mut World| {
        let body = world.add(Body::dynamic(rod(2.0, 0.5)).at(0.5 * Vec3::X)).unwrap();
        (body, Hinge::between(body, world.ground()).at(Vec3::ZERO).axis(Vec3::Z))
    };
    let mut geared = World::new();
    let (_, hinge) = arm(&mut geared);
    let hinge = geared.add(hinge).unwrap();
    let rotor = geared.add(Body::dynamic(MassProperties::from_diagonal(0.1, Vec3::splat(inertia)).unwrap())).unwrap();
    let shaft = geared.add(Hinge::between(rotor, geared.ground()).axis(Vec3::Z)).unwrap();
    geared.add(Gear::between(shaft, hinge).ratio(ratio)).unwrap();
    let mut plain = World::new();
    let (_, own) = arm(&mut plain);
    let own = plain.add(own.armature(ratio * ratio * inertia)).unwrap();
    for _ in 0..1000 {
        geared.step(0.002).unwrap();
        plain.step(0.002).unwrap();
        let [a, b] = [(&geared, hinge), (&plain, own)].map(|(w, j)| w.joint(j).unwrap().position().unwrap());
        assert!((a - b).abs() < 1e-4, "{a} {b}");
        let [a, b] = [&geared, &plain].map(|w| w.energy().unwrap().total());
        assert!((a - b).abs() < 1e-3, "{a} {b}");
    }
}

#[test]
fn a_base_that_turns_at_once_drags_the_rotor() {
    let mut world = World::new();
    let base = world.add(Body::kinematic()).unwrap();
    let disc = MassProperties::from_diagonal(8.0, Vec3::new(1.0, 1.0, 2.0)).unwrap();
    let disc = world.add(Body::dynamic(disc).gravity_scale(0.0)).unwrap();
    let joint = world.add(Hinge::between(disc, base).axis(Vec3::Z).armature(3.0)).unwrap();
    (0..5).for_each(|_| drop(world.step(0.01).unwrap()));
    world.set_velocity(base, Vec3::ZERO, 10.0 * Vec3::Z).unwrap();
    let l = world.step(0.01).unwrap().ledger;
    let w = world.body(disc).unwrap().angular_velocity().z;
    assert!((w - 10.0 * 3.0 / 5.0).abs() < 1e-9, "{w}");
    // The base has done the work of its impulse, and no more.
    assert!(l.imbalance.abs() < 1e-9 && (l.work - 10.0 * 2.0 * w).abs() < 1e-9, "{l:?}");
    assert!((world.energy().unwrap().kinetic - (w * w + 1.5 * (w - 10.0) * (w - 10.0))).abs() < 1e-9);
    let rate = world.joint(joint).unwrap().rate().unwrap();
    (0..5).for_each(|_| drop(world.step(0.01).unwrap()));
    assert!((world.joint(joint).unwrap().rate().unwrap() - rate).abs() < 1e-9);
}

/// A heavy arm of three links with armatures, of hinges or of other joints, with a servo and a limit.
fn robot(armature: f64) -> World {
    let mut world = World::new();
    let mut before = world.ground();
    for k in 0..4 {
        let link = world.add(Body::dynamic(rod(2.0 + f64::from(k), 0.5)).at(Vec3::X * (0.5 + f64::from(k)))).unwrap();
        let at = Vec3::X * f64::from(k);
        let joint = match k {
            0 => Hinge::between(link, before).at(at).axis(Vec3::Z).motor(Motor::servo(200.0, 20.0).target(0.3)),
            1 => Universal::between(link, before).at(at).axis(Vec3::Y),
            2 => Prismatic::between(link, before).at(at).axis(Vec3::X).limit(-0.1, 0.2),
            _ => Ball::between(link, before).at(at),
        };
        world.add(joint.armature(armature).named(format!("j{k}"))).unwrap();
        before = link;
    }
    world
}

#[test]
fn a_huge_armature_is_stable_at_sixty_steps_a_second() {
    for armature in [1e-9, 1e3, 1e6, 1e9] {
        let mut world = robot(armature);
        let most = world.energy().unwrap().total().abs() + 2000.0;
        for _ in 0..600 {
            let report = world.step(1.0 / 60.0).unwrap();
            assert!(report.energy.kinetic < most && report.max_gap < 1e-2, "{armature}: {report:?}");
            assert!(report.ledger.imbalance.abs() < 1e-6 * most, "{armature}: {:?}", report.ledger);
        }
    }
}

#[test]
fn what_is_no_armature_is_refused() {
    let mut world = World::new();
    let body = world.add(Body::dynamic(rod(2.0, 0.5)).at(0.5 * Vec3::X)).unwrap();
    let hinge = |world: &World| Hinge::between(body, world.ground()).at(Vec3::ZERO).axis(Vec3::Z);
    for bad in [-1.0, f64::NAN, f64::INFINITY, 5e-324] {
        let e = world.add(hinge(&world).armature(bad)).unwrap_err().to_string();
        assert!(e.contains("joint armature") && e.contains("kg m^2"), "{e}");
    }
    let id = world.add(hinge(&world)).unwrap();
    assert!(world.set_armature(id, -1.0).is_err());
    assert_eq!(world.joint(id).unwrap().armature(), 0.0);
    let e = world.add(Weld::between(body, world.ground()).armature(1.0)).unwrap_err().to_string();
    assert!(e.contains("armature") && e.contains("hinge"), "{e}");
    assert!(world.add(Rope::between(body, world.ground()).armature(1.0)).is_err());
    let dot = world.add(Body::particle(1.0)).unwrap();
    let e = world.add(Ball::between(dot, world.ground()).armature(1.0)).unwrap_err().to_string();
    assert!(e.contains("particle"), "{e}");
}

#[test]
fn zero_is_nothing() {
    let (mut a, mut b) = (robot(0.0), robot(0.0));
    let ids: Vec<JointId> = b.joints().map(|j| j.id()).collect();
    ids.iter().for_each(|&id| b.set_armature(id, 0.0).unwrap());
    for _ in 0..50 {
        a.step(0.01).unwrap();
        b.step(0.01).unwrap();
    }
    assert!(a.bodies().zip(b.bodies()).all(|(a, b)| a.position() == b.position() && a.rotation() == b.rotation()));
}

#[test]
fn a_snapshot_repeats_the_run_bit_for_bit() {
    let mut world = robot(2.0);
    (0..30).for_each(|_| drop(world.step(0.01).unwrap()));
    let start = world.state().clone();
    let bytes = start.to_bytes();
    (0..50).for_each(|_| drop(world.step(0.01).unwrap()));
    let end = world.state().hash();
    world.restore(&start).unwrap();
    assert_eq!(start.to_bytes(), bytes);
    (0..50).for_each(|_| drop(world.step(0.01).unwrap()));
    assert_eq!(world.state().hash(), end);
    // A world with another armature has other rows.
    let mut other = robot(3.0);
    assert!(other.restore(&start).is_err());
}

/// A robot in these settings.
fn set(options: Options) -> World {
    let mut world = robot(2.0);
    world.set_options(options).unwrap();
    world
}

#[test]
fn every_solver_finds_the_same_velocities() {
    let base = Options { resolved: false, ..Options::default() };
    let solvers = [
        Solver::BlockLdlt,
        Solver::DenseLu,
        Solver::DenseCholesky,
        Solver::Minres,
        Solver::Structured(taut::settings::Budget::iterations(50)),
    ];
    for solver in solvers {
        let (mut a, mut b) = (set(base), set(Options { solver, minres_tolerance: 1e-13, ..base }));
        for step in 0..30 {
            let (p, q) = (a.step(0.01), b.step(0.01));
            if let Err(e) = &q {
                panic!("{solver:?}: {e}");
            }
            drop(p);
            for (x, y) in a.bodies().zip(b.bodies()) {
                let off =
                    (x.velocity() - y.velocity()).length() + (x.angular_velocity() - y.angular_velocity()).length();
                assert!(off < 1e-6, "{solver:?} {step}: {off:e}");
            }
        }
    }
}

#[test]
fn the_books_close_with_every_stabiliser_and_in_both_coordinates() {
    let stabilisers = [
        (Stabiliser::None, Solver::Auto),
        (Stabiliser::Full, Solver::DenseLu),
        (Stabiliser::Symmetric, Solver::DenseLu),
        (Stabiliser::LowRank, Solver::DenseLu),
        (Stabiliser::Inertial(taut::settings::InertialDamping::default()), Solver::Auto),
        (Stabiliser::ConstraintSpace { alpha: 1.0 }, Solver::Auto),
        (Stabiliser::Aligned, Solver::Auto),
    ];
    for coordinates in [Coordinates::Maximal, Coordinates::Reduced] {
        for (stabiliser, solver) in stabilisers {
            if coordinates == Coordinates::Reduced && stabiliser != Stabiliser::Aligned {
                continue;
            }
            let mut world = set(Options { stabiliser, solver, coordinates, ..Options::default() });
            for _ in 0..100 {
                let before = world.energy().unwrap().total();
                let report = world.step(0.01).unwrap();
                let (l, now) = (report.ledger, world.energy().unwrap().total());
                assert!(l.imbalance.abs() < 1e-8, "{coordinates:?} {stabiliser:?}: {l:?}");
                assert!((now - before - l.change).abs() < 1e-8, "{coordinates:?} {stabiliser:?}: {l:?}");
            }
        }
    }
}

#[test]
fn reduced_coordinates_go_the_same_way() {
    let at = |coordinates| {
        let mut world = set(Options { coordinates, ..Options::default() });
        (0..400).for_each(|_| drop(world.step(0.001).unwrap()));
        world.bodies().map(|b| b.position()).collect::<Vec<_>>()
    };
    let (a, b) = (at(Coordinates::Maximal), at(Coordinates::Reduced));
    assert!(a.iter().zip(&b).all(|(a, b)| a.distance(*b) < 1e-3), "{a:?} {b:?}");
}

#[test]
fn an_armature_can_be_changed_taken_away_and_given_back_in_mid_run() {
    let (mut world, hinge, _, inertia) = pendulum(4.0);
    (0..20).for_each(|_| drop(world.step(0.01).unwrap()));
    let rate = |w: &World| w.joint(hinge).unwrap().rate().unwrap();
    let kinetic = |w: &World| w.energy().unwrap().kinetic;
    let before = rate(&world);
    let close = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-3;
    assert!(close(kinetic(&world), 0.5 * (inertia + 4.0) * before * before));
    for armature in [1.0, 0.0, 9.0] {
        world.set_armature(hinge, armature).unwrap();
        assert_eq!((world.joint(hinge).unwrap().armature(), rate(&world)), (armature, before));
        assert!(close(kinetic(&world), 0.5 * (inertia + armature) * before * before), "{armature}");
    }
    let acceleration = -2.0 * G * 0.5 * world.joint(hinge).unwrap().position().unwrap().cos() / (inertia + 9.0);
    world.step(0.01).unwrap();
    assert!(close(rate(&world) - before, 0.01 * acceleration));
    // Other edits leave the rate of the rotor alone, and a joint that was off goes on from where its bodies are.
    world.set_friction(hinge, 0.1).unwrap();
    assert!(world.step(0.01).unwrap().ledger.imbalance.abs() < 1e-10);
    world.set_joint_enabled(hinge, false).unwrap();
    assert!(kinetic(&world) < 0.5 * (inertia + 1.0) * rate(&world).powi(2));
    (0..5).for_each(|_| drop(world.step(0.01).unwrap()));
    world.set_joint_enabled(hinge, true).unwrap();
    let now = rate(&world);
    assert!((kinetic(&world) - 4.5 * now * now) > 0.0);
    assert!(world.step(0.01).unwrap().ledger.imbalance.abs() < 1e-9);
    world.remove(hinge).unwrap();
    assert!(world.step(0.01).unwrap().ledger.imbalance.abs() < 1e-10);
}

#[test]
fn the_books_close_when_joints_with_armatures_break_bounce_and_fall_asleep() {
    let (mut world, hinge, body, _) = pendulum(4.0);
    world.set_strength(hinge, Some(Strength::force(22.0))).unwrap();
    let mut broke = false;
    for _ in 0..200 {
        let before = world.energy().unwrap().total();
        let report = world.step(0.01).unwrap();
        let now = world.energy().unwrap().total();
        broke |= !report.events.is_empty();
        let l = report.ledger;
        assert!(l.imbalance.abs() < 1e-9 && (now - before - l.change).abs() < 1e-9, "{l:?}");
        assert!((report.energy.total() - now).abs() < 1e-9);
    }
    assert!(broke && world.joint(hinge).is_err() && world.body(body).is_ok());

    let mut world = World::new();
    world.add(Collider::new(Shape::ground()).on(world.ground())).unwrap();
    let boxes: Vec<BodyId> = (0..2)
        .map(|k| {
            let cube = Body::solid(Shape::cuboid(Vec3::splat(0.2)), 500.0).unwrap();
            world.add(cube.at(Vec3::new(0.5 * f64::from(k), 0.6 + 0.1 * f64::from(k), 0.0))).unwrap()
        })
        .collect();
    let hinge = Hinge::between(boxes[0], boxes[1]).at(Vec3::new(0.25, 0.65, 0.0)).axis(Vec3::Z).armature(5.0);
    world.add(hinge).unwrap();
    for _ in 0..600 {
        let before = world.energy().unwrap().total();
        let report = world.step(0.01).unwrap();
        let (l, now) = (report.ledger, world.energy().unwrap().total());
        assert!(l.imbalance.abs() < 1e-6 && (now - before - l.change).abs() < 1e-6, "{l:?} {before} {now}");
    }
    assert_eq!(world.sleeping(), 2);
    assert_eq!(world.energy().unwrap().kinetic, 0.0);
    world.wake_all();
    assert_eq!(world.energy().unwrap().kinetic, 0.0);
    assert!(world.step(0.01).unwrap().ledger.imbalance.abs() < 1e-6);
}

#[test]
fn a_rebound_gives_no_energy_back_that_the_rotor_has_not_lost() {
    for armature in [0.0, 1.0, 100.0] {
        let (mut world, hinge, _, _) = pendulum(armature);
        world.set_armature(hinge, armature).unwrap();
        let floor = Collider::new(Shape::ground()).restitution(1.0).friction(0.0);
        let low = world.add(Body::fixed().at(-0.6 * Vec3::Y)).unwrap();
        world.add(floor.on(low)).unwrap();
        let rod = world.joint(hinge).unwrap().bodies().0;
        let shape = Shape::cuboid(Vec3::new(0.5, 0.05, 0.05));
        world.add(Collider::new(shape).on(rod).restitution(1.0).friction(0.0)).unwrap();
        let start = world.energy().unwrap().total();
        for _ in 0..600 {
            let l = world.step(0.01).unwrap().ledger;
            assert!(l.imbalance.abs() < 1e-8, "{l:?}");
            let now = world.energy().unwrap().total();
            assert!(now < start + 0.3, "{armature}: {now} {start}");
        }
    }
}

#[test]
fn a_motor_on_a_speck_with_a_heavy_rotor_does_not_yield() {
    let mut world = World::new();
    world.set_options(Options { gravity: Vec3::ZERO, ..Options::default() }).unwrap();
    let mut before = world.ground();
    let mut joints = Vec::new();
    for (mass, axis) in [(1e-16, Vec3::X), (1e-10, Vec3::Y)] {
        let speck = MassProperties::from_diagonal(mass, Vec3::splat(1e-3 * mass)).unwrap();
        let speck = world.add(Body::dynamic(speck).moving(Vec3::X, Vec3::ZERO)).unwrap();
        let damper = Motor::servo(0.0, 0.5).speed(0.0);
        let slide = Prismatic::between(speck, before).at(Vec3::ZERO).axis(axis).armature(0.04).motor(damper);
        joints.push(world.add(slide).unwrap());
        before = speck;
    }
    for _ in 0..100 {
        let report = world.step(1e-3).unwrap();
        assert!(report.conflicts.is_empty(), "{:?}", report.conflicts);
    }
    // m v' = -c v: it slides by m/c (1 - exp(-c t/m)).
    let way = world.joint(joints[0]).unwrap().position().unwrap();
    assert!((way - 0.08 * (1.0 - f64::exp(-0.1 / 0.08))).abs() < 1e-3, "{way}");
}

#[test]
fn threads_and_other_islands_change_no_bit() {
    let run = |parallel: bool, threads: usize| {
        let mut world = World::new();
        world.set_options(Options { parallel, ..Options::default() }).unwrap();
        for k in 0..60 {
            let mut before = world.ground();
            for n in 0..4 {
                let at = Vec3::new(f64::from(n), 0.0, f64::from(k));
                let link = world.add(Body::dynamic(rod(2.0, 0.5)).at(at + 0.5 * Vec3::X)).unwrap();
                let joint = match n {
                    2 => Prismatic::between(link, before).axis(Vec3::new(1.0, 0.2, 0.0)),
                    _ => Hinge::between(link, before).axis(Vec3::new(0.0, 0.3, 1.0)),
                };
                world.add(joint.at(at).armature(0.1 * f64::from(k % 7))).unwrap();
                before = link;
            }
        }
        let mut seen = Vec::new();
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(|| {
            for _ in 0..40 {
                let report = world.step(0.01).unwrap();
                assert!(report.ledger.imbalance.abs() < 1e-7, "{:?}", report.ledger);
                seen.push((report, world.state().hash()));
            }
        });
        seen
    };
    let alone = run(false, 1);
    assert!(run(true, 2) == alone && run(true, 3) == alone);
}

#[test]
fn projection_closes_joints_with_armatures() {
    let mut world = robot(1e3);
    (0..20).for_each(|_| drop(world.step(0.01).unwrap()));
    let ids: Vec<JointId> = world.joints().map(|j| j.id()).collect();
    let (_, last) = world.joint(ids[3]).unwrap().bodies();
    let moved = world.pose(last).unwrap();
    let off = Pose { pos: moved.pos + Vec3::new(0.01, -0.02, 0.01), ..moved };
    world.set_pose(last, off).unwrap();
    world.project(&taut::assembly::Projection::default()).unwrap();
    assert!(ids.iter().all(|&id| world.joint(id).unwrap().gap() < 1e-9));
    let l = world.step(0.01).unwrap().ledger;
    assert!(l.imbalance.abs() < 1e-6, "{l:?}");
}

#[test]
fn the_rotor_bears_its_part_of_an_impulse() {
    let mut world = World::new();
    let disc = MassProperties::from_diagonal(8.0, Vec3::new(1.0, 1.0, 2.0)).unwrap();
    let disc = world.add(Body::dynamic(disc).gravity_scale(0.0)).unwrap();
    let joint = world.add(Hinge::between(disc, world.ground()).axis(Vec3::Z).armature(3.0)).unwrap();
    world.step(0.01).unwrap();
    world.apply_angular_impulse(disc, 10.0 * Vec3::Z).unwrap();
    world.step(0.01).unwrap();
    assert!((world.joint(joint).unwrap().rate().unwrap() - 10.0 / 5.0).abs() < 1e-9);
}

#[test]
fn the_books_close_where_joints_with_armatures_close_loops() {
    for armature in [1e-3, 1.0, 1e3, 1e8] {
        for coordinates in [Coordinates::Maximal, Coordinates::Reduced] {
            let mut world = World::new();
            world.set_options(Options { coordinates, ..Options::default() }).unwrap();
            let corners = [Vec3::ZERO, Vec3::Y, Vec3::new(2.0, 1.5, 0.0), Vec3::new(2.0, 0.0, 0.0)];
            let mut before = world.ground();
            for k in 0..3 {
                let (a, b) = (corners[k], corners[k + 1]);
                let turn = Quat::from_rotation_arc(Vec3::X, (b - a).normalize());
                let link = world.add(Body::dynamic(rod(2.0, 0.5)).at(0.5 * (a + b)).rotated(turn)).unwrap();
                world.add(Hinge::between(link, before).at(a).axis(Vec3::Z).armature(armature)).unwrap();
                before = link;
            }
            let last = Hinge::between(before, world.ground()).at(corners[3]).axis(Vec3::Z).armature(armature);
            world.add(last).unwrap();
            for _ in 0..300 {
                let start = world.energy().unwrap().total();
                let report = world.step(0.01).unwrap();
                let (l, end) = (report.ledger, world.energy().unwrap().total());
                assert!(report.conflicts.is_empty() && report.max_gap < 1e-3, "{armature} {coordinates:?}");
                assert!(l.imbalance.abs() < 1e-6, "{armature} {coordinates:?}: {l:?}");
                assert!((end - start - l.change).abs() < 1e-6, "{armature} {coordinates:?}: {l:?}");
            }
            let energy = world.energy().unwrap().total();
            assert!(energy < 60.0, "{armature} {coordinates:?}: {energy}");
        }
    }
}

/// The largest gain of energy in a step of a heap of pairs of boxes, J; the books close all the while.
fn heap(armature: f64) -> f64 {
    let mut world = World::new();
    world.add(Collider::new(Shape::ground()).on(world.ground())).unwrap();
    for k in 0..60 {
        let (x, y) = (0.4 * f64::from(k % 4), 0.2 + 0.35 * f64::from(k / 4));
        let cube = |x: f64| Body::solid(Shape::cuboid(Vec3::splat(0.1)), 500.0).unwrap().at(Vec3::new(x, y, 0.1 * x));
        let (a, b) = (world.add(cube(x)).unwrap(), world.add(cube(x + 0.25)).unwrap());
        let at = Vec3::new(x + 0.125, y, 0.1 * x);
        world.add(Hinge::between(a, b).at(at).axis(Vec3::Z).armature(armature)).unwrap();
    }
    let mut most: f64 = 0.0;
    for step in 0..150 {
        let start = world.energy().unwrap().total();
        let report = world.step(1.0 / 60.0).unwrap();
        let (l, end) = (report.ledger, world.energy().unwrap().total());
        let size = 1e-7 * (1.0 + start.abs());
        assert!(l.imbalance.abs() < size && (end - start - l.change).abs() < size, "{step}: {l:?} {start} {end}");
        most = most.max(end - start);
    }
    most
}

#[test]
fn the_books_close_in_a_heap_of_joints_with_armatures() {
    let (with, without) = (heap(0.5), heap(0.0));
    println!("largest gain of a step: {with:.1} J, without armatures {without:.1} J");
    assert!(with < 2.0 * without + 1.0, "{with} {without}");
}
