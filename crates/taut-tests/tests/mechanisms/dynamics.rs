//! The mechanism in its own freedoms: trees.

use crate::common::agree::{assert_the_step_agrees, assert_vectors, largest, without_step};
use crate::common::linkage::{Linkage, moving, random};
use crate::common::touch::{STEP, cube, plane, put};
use crate::common::{Rng, assert_close, rod, world};
use taut::{
    Ball, Body, Force, Hinge, MassProperties, Mat3, Material, Options, Pose, Prismatic, Quat, Spring, Vec3, World,
    control::Dynamics, control::Matrix, control::Unit,
};

/// The rotation vector that leads from one pose to another.
fn turned(from: &Pose, to: &Pose) -> Vec3 {
    (to.rot * from.rot.inverse()).to_scaled_axis()
}

#[test]
fn jacobians_match_finite_differences_of_the_pose_under_every_freedom() {
    let e = 1e-6;
    let mut charts = Vec::new();
    for seed in 0..20 {
        let l = Linkage::new(seed, 8, seed % 2 == 1);
        let d = l.world.dynamics().unwrap();
        let mut r = Rng(seed);
        for k in 0..d.dofs().len() {
            let mut rates = vec![0.0; d.dofs().len()];
            rates[k] = 1.0;
            let (a, b) = (l.poses(&l.moved(&d, &rates, -e)), l.poses(&l.moved(&d, &rates, e)));
            for (n, p) in l.parts.iter().enumerate() {
                charts.push(p.q.chart);
                let body = l.world.body(p.id).unwrap();
                let is_particle = body.motion() == taut::Motion::Particle;
                let local = if is_particle { Vec3::ZERO } else { r.vec(0.5) };
                let j = d.jacobian(p.id, l.poses(&l.coordinates())[n].to_world(local)).unwrap();
                let lin = (b[n].to_world(local) - a[n].to_world(local)) / (2.0 * e);
                let ang = if is_particle { Vec3::ZERO } else { turned(&a[n], &b[n]) / (2.0 * e) };
                let fd = [lin.x, lin.y, lin.z, ang.x, ang.y, ang.z];
                for row in 0..6 {
                    assert!((j[(row, k)] - fd[row]).abs() < 1e-8, "seed {seed}, {:?}: {} {}", p, j[(row, k)], fd[row]);
                }
            }
        }
    }
    assert!(crate::common::linkage::KINDS.iter().all(|k| charts.contains(k)), "every kind of joint was there");
}

#[test]
fn rates_are_read_off_the_velocities_and_velocities_follow_from_them() {
    for seed in 0..20 {
        let (l, d, rates) = moving(seed, seed % 2 == 1);
        assert_vectors(d.velocities(), &rates, 1e-12, "rates");
        for p in &l.parts {
            let b = l.world.body(p.id).unwrap();
            let (v, w) = d.velocity(p.id, b.pose().pos).unwrap();
            assert!((v - b.velocity()).length() + (w - b.angular_velocity()).length() < 1e-12, "seed {seed}");
        }
    }
}

#[test]
fn drift_is_the_acceleration_at_constant_rates() {
    let e = 1e-5;
    for seed in 0..20 {
        let (mut l, d, rates) = moving(seed, false);
        let (root, start, v, w) = l.driven;
        let points: Vec<Vec3> = {
            let mut r = Rng(seed);
            l.parts.iter().map(|_| r.vec(0.5)).collect()
        };
        let (now, q) = (l.poses(&l.coordinates()), l.coordinates());
        // Velocities of all points after t seconds in which nothing but the pose has changed.
        let mut at = |t: f64| -> Vec<[Vec3; 2]> {
            let turned = Quat::from_scaled_axis(t * w) * start.rot;
            l.driven.1 = Pose { pos: start.pos + t * v, rot: turned };
            l.world.set_pose(root, l.driven.1).unwrap();
            let moved = l.moved(&d, &rates, t);
            l.set(&moved);
            l.push_off(&rates, v, w);
            let (poses, d) = (l.poses(&moved), l.world.dynamics().unwrap());
            let of = |k: usize| {
                let (v, w) = d.velocity(l.parts[k].id, poses[k].to_world(points[k])).unwrap();
                [v, w]
            };
            let out = (0..points.len()).map(of).collect();
            l.set(&q);
            out
        };
        let (a, b) = (at(-e), at(e));
        for k in 0..points.len() {
            // A rotation vector has another chart beyond half a turn: its rates are the same, but not what they mean.
            let (lin, ang) = d.drift(l.parts[k].id, now[k].to_world(points[k])).unwrap();
            let fd = [(b[k][0] - a[k][0]) / (2.0 * e), (b[k][1] - a[k][1]) / (2.0 * e)];
            let off = (lin - fd[0]).length() + (ang - fd[1]).length();
            assert!(off < 1e-7 * (1.0 + lin.length() + ang.length()), "seed {seed}, {:?}: {off}", l.parts[k]);
        }
    }
}

#[test]
fn positions_change_with_the_rates() {
    let (e, mut seen) = (1e-6, 0);
    for seed in 0..20 {
        let (mut l, d, rates) = moving(seed, false);
        let mut at = |t: f64| -> Vec<Option<f64>> {
            let (q, moved) = (l.coordinates(), l.moved(&d, &rates, t));
            l.set(&moved);
            let now = l.world.dynamics().unwrap();
            l.set(&q);
            (0..rates.len()).map(|k| now.position(k)).collect()
        };
        for (k, (a, b)) in at(-e).into_iter().zip(at(e)).enumerate() {
            let (dof, turns) = (&d.dofs()[k], d.dofs()[k].unit == Unit::Radian);
            let free = dof.joint.is_none() || dof.name.starts_with("ball");
            assert_eq!(a.is_none(), free && turns, "{}", dof.name);
            let Some((a, b)) = a.zip(b) else { continue };
            let moved = b - a;
            let moved = if turns { moved.sin() } else { moved };
            assert!((moved / (2.0 * e) - rates[k]).abs() < 1e-8, "{}: {a} {b} {}", dof.name, rates[k]);
            seen += 1;
        }
        assert_eq!(d.position(rates.len()), None);
    }
    assert!(seen > 150, "{seen}");
}

/// Sum of J^T M J over the bodies.
fn mass_by_bodies(w: &World, d: &Dynamics) -> Matrix {
    let n = d.dofs().len();
    let mut out = Matrix::zeros(n, n);
    for b in w.bodies() {
        let j = d.jacobian(b.id(), b.position()).unwrap();
        let r = Mat3::from_quat(b.pose().rot);
        let inertia = r * b.inertia() * r.transpose();
        for (k, c) in (0..n).flat_map(|k| (0..n).map(move |c| (k, c))) {
            let part = |k: usize, from: usize| Vec3::new(j[(from, k)], j[(from + 1, k)], j[(from + 2, k)]);
            out[(k, c)] += b.mass() * part(k, 0).dot(part(c, 0)) + part(k, 3).dot(inertia * part(c, 3));
        }
    }
    out
}

#[test]
fn the_mass_matrix_is_that_of_the_bodies_and_gives_the_kinetic_energy() {
    for seed in 0..30 {
        let (mut l, d, rates) = moving(seed, seed % 2 == 1);
        let m = d.mass_matrix();
        let other = mass_by_bodies(&l.world, &d);
        assert_vectors(m.as_slice(), other.as_slice(), 1e-13, "mass matrix");
        for (k, c) in (0..m.rows()).flat_map(|k| (0..k).map(move |c| (k, c))) {
            assert_eq!(m[(k, c)].to_bits(), m[(c, k)].to_bits(), "symmetric");
        }
        // Where the root stands still all energy is that of the rates.
        l.push_off(&rates, Vec3::ZERO, Vec3::ZERO);
        let kinetic = l.world.energy().unwrap().kinetic;
        let own: f64 = 0.5 * m.times(&rates).iter().zip(&rates).map(|(a, b)| a * b).sum::<f64>();
        assert_close(own, kinetic, 1e-12, 1e-6, "kinetic energy");
    }
}

#[test]
fn a_double_pendulum_has_its_closed_form() {
    let (m1, m2, l1, l2) = (1.3, 0.7, 0.9, 0.6);
    let (i1, i2) = (m1 * l1 * l1 / 12.0, m2 * l2 * l2 / 12.0);
    let (t1, t2, w1, w2): (f64, f64, f64, f64) = (0.4, -1.1, 1.7, -2.3);
    let mut w = World::new();
    let thin = |m: f64, i: f64| MassProperties::from_diagonal(m, Vec3::new(i * 0.1, i, i)).unwrap();
    let along = |angle: f64, by: f64| by * Vec3::new(angle.cos(), angle.sin(), 0.0);
    // Angles against the ground and against the first rod.
    let (first, second) = (t1, t1 + t2);
    let elbow = along(first, l1);
    let (v1, v2) = (w1, w1 + w2);
    let spin = |w: f64| Vec3::Z * w;
    let (c1, c2) = (along(first, 0.5 * l1), elbow + along(second, 0.5 * l2));
    let velocity = |w: f64, arm: Vec3| spin(w).cross(arm);
    let a = w
        .add(
            Body::dynamic(thin(m1, i1)).at(c1).rotated(Quat::from_rotation_z(first)).moving(velocity(v1, c1), spin(v1)),
        )
        .unwrap();
    let b = w
        .add(
            Body::dynamic(thin(m2, i2))
                .at(c2)
                .rotated(Quat::from_rotation_z(second))
                .moving(velocity(v1, elbow) + velocity(v2, c2 - elbow), spin(v2)),
        )
        .unwrap();
    let ground = w.ground();
    w.add(Hinge::between(a, ground).at(Vec3::ZERO).axis(Vec3::Z)).unwrap();
    // The other way round: the rate is that of body i against body j, so that of the first rod against the second.
    w.add(Hinge::between(a, b).at(elbow).axis(-Vec3::Z)).unwrap();
    let d = w.dynamics().unwrap();
    assert_vectors(d.velocities(), &[w1, w2], 1e-14, "rates");
    let (s2, co2) = (t2.sin(), t2.cos());
    let m22 = i2 + 0.25 * m2 * l2 * l2;
    let m12 = m22 + 0.5 * m2 * l1 * l2 * co2;
    let m11 = i1 + 0.25 * m1 * l1 * l1 + m22 + m2 * l1 * l1 + m2 * l1 * l2 * co2;
    assert_vectors(d.mass_matrix().as_slice(), &[m11, m12, m12, m22], 1e-14, "mass matrix");
    let g = 9.81;
    let g2 = 0.5 * m2 * g * l2 * second.cos();
    let gravity = [0.5 * m1 * g * l1 * first.cos() + m2 * g * l1 * first.cos() + g2, g2];
    assert_vectors(&d.gravity(), &gravity, 1e-14, "gravity");
    let h = 0.5 * m2 * l1 * l2 * s2;
    let bias = [-h * (2.0 * w1 * w2 + w2 * w2) + gravity[0], h * w1 * w1 + gravity[1]];
    assert_vectors(&d.bias(), &bias, 1e-14, "bias");
    assert_vectors(&d.inverse(&[0.0, 0.0]).unwrap(), &bias, 1e-14, "inverse");
}

/// Adds forces of all kinds.
fn load(l: &mut Linkage, r: &mut Rng) {
    let count = l.parts.len();
    let rigid: Vec<usize> =
        (0..count).filter(|&k| l.world.body(l.parts[k].id).unwrap().motion() == taut::Motion::Dynamic).collect();
    let pick = |r: &mut Rng| l.parts[rigid[r.below(rigid.len())]].id;
    let (a, b, c) = (pick(r), pick(r), pick(r));
    let w = &mut l.world;
    w.add(Force::Point { body: a, point: r.vec(0.3), force: r.vec(10.0) }).unwrap();
    w.add(Force::Torque { body: b, torque: r.vec(3.0) }).unwrap();
    w.add(Force::Drag { body: c, linear: 0.7, angular: 0.2 }).unwrap();
    let ground = w.ground();
    let spring = Spring {
        i: a,
        j: ground,
        point_i: r.vec(0.3),
        point_j: r.vec(0.5),
        stiffness: 30.0,
        damping: 2.0,
        rest_length: 0.4,
    };
    w.add(Force::Spring(spring)).unwrap();
    let mouse = taut::MouseSpring { frequency: 0.5, ..taut::MouseSpring::new(b, r.vec(0.2), r.vec(1.0)) };
    w.add(Force::Mouse(mouse)).unwrap();
    w.apply_force(c, r.vec(5.0), r.vec(1.0)).unwrap();
    w.apply_torque(c, r.vec(1.0)).unwrap();
}

#[test]
fn inverse_and_forward_dynamics_are_inverses_on_trees_of_all_joints() {
    for seed in 0..60 {
        let (mut l, _, _) = moving(seed, seed % 2 == 1);
        let mut r = Rng(seed);
        load(&mut l, &mut r);
        let d = l.world.dynamics().unwrap();
        assert_eq!(d.loop_rows().count(), 0);
        let n = d.dofs().len();
        let force = random(&mut r, n, 10.0);
        let back = d.inverse(&d.forward(&force).unwrap()).unwrap();
        assert_vectors(&back, &force, 1e-12, "force");
        // M a + bias = force + applied.
        let a = random(&mut r, n, 3.0);
        let sum: Vec<f64> = d.mass_matrix().times(&a).iter().zip(d.bias()).map(|(a, b)| a + b).collect();
        let sum: Vec<f64> = sum.iter().zip(d.applied()).map(|(a, b)| a - b).collect();
        assert_vectors(&d.inverse(&a).unwrap(), &sum, 1e-12, "equation of motion");
    }
}

#[test]
fn the_step_gives_trees_the_accelerations_that_the_freedoms_say() {
    for seed in 0..20 {
        let (mut l, _, _) = moving(seed, seed % 2 == 1);
        load(&mut l, &mut Rng(seed));
        assert_the_step_agrees(&l.world, 3e-5, &format!("seed {seed}"));
    }
}

/// Rates after a step with the efforts of inverse dynamics, less those that were asked for.
fn effort_error(l: &Linkage, seed: u64, h: f64) -> Vec<f64> {
    let mut w = l.world.clone();
    w.step(h).unwrap();
    let d = w.dynamics().unwrap();
    let wanted = random(&mut Rng(seed), d.dofs().len(), 5.0);
    let force = d.inverse(&wanted).unwrap();
    for p in &l.parts {
        let Some(own) = d.find_body(p.id).filter(|own| !own.is_empty()) else { continue };
        match p.joint {
            Some(joint) => w.apply_effort(joint, &force[own]).unwrap(),
            None => {
                let f = &force[own];
                let at = w.body(p.id).unwrap().position();
                w.apply_force(p.id, Vec3::new(f[0], f[1], f[2]), at).unwrap();
                w.apply_torque(p.id, Vec3::new(f[3], f[4], f[5])).unwrap();
            }
        }
    }
    // With the efforts as loads the freedoms accelerate as they should,
    let loaded = w.dynamics().unwrap();
    assert_vectors(&loaded.forward(&vec![0.0; wanted.len()]).unwrap(), &wanted, 1e-6, "loads");
    // and so they do in the step.
    w.step(h).unwrap();
    let after = w.dynamics().unwrap();
    let found = after.velocities().iter().zip(d.velocities()).map(|(a, b)| (a - b) / h);
    found.zip(&wanted).map(|(a, b)| a - b).collect()
}

#[test]
fn efforts_of_inverse_dynamics_give_the_step_the_wanted_accelerations() {
    for seed in 0..20 {
        let (l, _, _) = moving(seed, false);
        let error = largest(&without_step(|h| effort_error(&l, seed, h)));
        assert!(error < 2e-4, "seed {seed}: {error}");
    }
}

#[test]
fn an_arm_with_a_load_is_held_by_m_g_l_cos() {
    let (m, l, angle) = (4.0, 1.5, 0.6_f64);
    let mut w = World::new();
    let tip = l * Vec3::new(angle.cos(), angle.sin(), 0.0);
    let arm = rod(1.0, l, 0.02);
    let arm = w.add(Body::dynamic(arm).at(0.5 * tip).rotated(Quat::from_rotation_z(angle))).unwrap();
    let ground = w.ground();
    let shoulder = w.add(Hinge::between(arm, ground).at(Vec3::ZERO).axis(Vec3::Z).named("shoulder")).unwrap();
    let load = w.add(Body::particle(m).at(tip)).unwrap();
    w.add(Ball::between(load, arm)).unwrap();
    let d = w.dynamics().unwrap();
    let hold = (m * l + 1.0 * 0.5 * l) * 9.81 * angle.cos();
    assert_close(d.holding().unwrap().of(shoulder)[0], hold, 1e-14, 0.0, "holding torque");
    assert_close(d.gravity()[0], hold, 1e-14, 0.0, "gravity");
    // It does not move in the world either.
    let start = w.body(load).unwrap().position();
    for k in 0..1000 {
        let e = w.dynamics().unwrap().holding().unwrap().of(shoulder)[0];
        // The first kick is half a step, but loads act for all of it.
        w.apply_effort(shoulder, &[if k == 0 { 0.5 * e } else { e }]).unwrap();
        w.step(1e-3).unwrap();
    }
    assert!((w.body(load).unwrap().position() - start).length() < 1e-9, "{}", w.body(load).unwrap().position() - start);
}

#[test]
fn a_floating_base_falls_and_cannot_be_held() {
    let mut w = World::new();
    let base = w.add(Body::dynamic(rod(3.0, 1.0, 0.1)).named("base")).unwrap();
    let arm = w.add(Body::dynamic(rod(1.0, 1.0, 0.1)).at(Vec3::X)).unwrap();
    let elbow = w.add(Hinge::between(arm, base).at(0.5 * Vec3::X).axis(Vec3::Z).named("elbow")).unwrap();
    let d = w.dynamics().unwrap();
    let names: Vec<&str> = d.dofs().iter().map(|d| d.name.as_str()).collect();
    assert_eq!(names, ["base x", "base y", "base z", "base turn x", "base turn y", "base turn z", "elbow"]);
    assert_eq!((d.dofs()[1].joint, d.dofs()[1].body, d.dofs()[4].index), (None, base, 4));
    assert_eq!((d.dofs()[0].unit, d.dofs()[6].unit), (Unit::Metre, Unit::Radian));
    assert_eq!((d.find(elbow), d.find_body(base), d.find_body(w.ground())), (Some(6..7), Some(0..6), None));
    let a = d.forward(&[0.0; 7]).unwrap();
    assert_vectors(&a, &[0.0, -9.81, 0.0, 0.0, 0.0, 0.0, 0.0], 1e-14, "free fall");
    // Newton-Euler needs the weight of both at the base, and its moment.
    let hold = d.inverse(&[0.0; 7]).unwrap();
    assert_vectors(&hold, &[0.0, 4.0 * 9.81, 0.0, 0.0, 0.0, 9.81, 4.905], 1e-14, "support");
    let error = d.holding().unwrap_err();
    let taut::Error::Unbalanced { missing, .. } = &error else { panic!("{error}") };
    assert_eq!((missing[1].dof, missing[1].unit, missing.len()), (1, "N", 2));
    assert_close(missing[1].missing, 4.0 * 9.81, 1e-12, 0.0, "missing");
    let expected = "efforts at elbow: expected joints that can carry it all; \
                    missing are 9.810000 N m at base turn z, 39.240000 N at base y";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_root_that_moves_brings_its_rates_and_its_centrifugal_force() {
    // A bead on a spoke that the user turns: r'' = w^2 r.
    let mut w = world(Options { gravity: Vec3::ZERO, ..Options::default() });
    let (turn, r) = (3.0, 0.8);
    let hub = w.add(Body::kinematic().moving(Vec3::ZERO, turn * Vec3::Z)).unwrap();
    let bead = MassProperties::sphere(1000.0, 0.05).unwrap();
    let bead = w.add(Body::dynamic(bead).at(r * Vec3::X).moving(turn * r * Vec3::Y, turn * Vec3::Z)).unwrap();
    w.add(Prismatic::between(bead, hub).at(Vec3::ZERO).axis(Vec3::X)).unwrap();
    let d = w.dynamics().unwrap();
    assert_eq!(d.dofs().len(), 1);
    assert_close(d.velocities()[0], 0.0, 0.0, 1.0, "rate");
    assert_close(d.forward(&[0.0]).unwrap()[0], turn * turn * r, 1e-13, 0.0, "outwards");
    let (v, _) = d.velocity(bead, r * Vec3::X).unwrap();
    assert!((v - turn * r * Vec3::Y).length() < 1e-14);
    assert!(d.jacobian(hub, Vec3::X).unwrap().as_slice().iter().all(|&x| x == 0.0));
    assert_the_step_agrees(&w, 1e-6, "bead");
}

#[test]
fn what_sleeps_counts_like_the_others() {
    let mut w = World::new();
    plane(&mut w, Vec3::Y, Material::default());
    let boxes = [0.0, 0.25].map(|x| put(&mut w, cube(0.1), Material::default(), Vec3::new(x, 0.1, 0.0)));
    w.add(Hinge::between(boxes[1], boxes[0]).at(Vec3::new(0.125, 0.1, 0.0)).axis(Vec3::Y)).unwrap();
    let awake = w.dynamics().unwrap();
    for _ in 0..120 {
        w.step(STEP).unwrap();
    }
    assert_eq!(w.sleeping(), 2);
    let d = w.dynamics().unwrap();
    assert_eq!((d.dofs(), d.dofs().len()), (awake.dofs(), 7));
    assert_vectors(d.mass_matrix().as_slice(), awake.mass_matrix().as_slice(), 1e-4, "mass matrix");
}

#[test]
fn bad_input_is_refused_with_name_value_and_expectation() {
    let mut w = World::new();
    let (bodies, joints) = crate::common::chain(&mut w, 2, Vec3::X, 0.0, |i, j| Hinge::between(i, j).axis(Vec3::Z));
    let d = w.dynamics().unwrap();
    let text = |e: taut::Error| e.to_string();
    assert_eq!(text(d.inverse(&[1.0]).unwrap_err()), "acceleration = 1 numbers: expected 2, one for each freedom");
    assert_eq!(text(d.forward(&[1.0, f64::NAN]).unwrap_err()), "force of hinge #1 = NaN: expected a finite number");
    let nan = Vec3::new(0.0, f64::NAN, 0.0);
    assert!(text(d.jacobian(bodies[0], nan).unwrap_err()).contains("expected three finite numbers of m"));
    let mut other = World::new();
    let (strangers, foreign) =
        crate::common::chain(&mut other, 2, Vec3::X, 0.0, |i, j| Hinge::between(i, j).axis(Vec3::Z));
    assert!(text(d.jacobian(strangers[0], Vec3::ZERO).unwrap_err()).contains("handles belong to the world"));
    assert!(text(d.hold_with(&foreign).unwrap_err()).contains("handles belong to the world"));
    assert_eq!(d.find(foreign[0]), None);
    assert!(text(d.follow(&joints, &[1.0]).unwrap_err()).contains("2 finite numbers: hinge #0, hinge #1"));
    let before = w.state().to_bytes();
    for effort in [&[][..], &[1.0, 2.0], &[f64::INFINITY]] {
        let refused = text(w.apply_effort(joints[0], effort).unwrap_err());
        assert!(refused.starts_with("effort at joint #0 (hinge) = "), "{refused}");
        assert!(refused.ends_with("expected 1 finite numbers of N or N m, one for each freedom"), "{refused}");
    }
    assert_eq!(w.state().to_bytes(), before);
    w.remove(joints[1]).unwrap();
    assert!(w.apply_effort(joints[1], &[1.0]).is_err());
    let d = w.dynamics().unwrap();
    assert!(text(d.hold_with(&joints[1..]).unwrap_err()).contains("it was removed"));
    assert_eq!(d.dofs().len(), 7);
}
