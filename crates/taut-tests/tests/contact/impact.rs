//! Impacts: rebound speeds, friction of a blow, momentum, blows that are handed on, and what rests beside them.

use crate::common::touch::*;
use taut::{BodyId, Material, Options, Pose, Quat, Shape, Vec3, World, shapes::Combine};

/// A ball without weight that meets the ground at a slant.
fn slant(mu: f64, e: f64, velocity: Vec3) -> (Vec3, Vec3) {
    let mut w = crate::common::world(crate::common::weightless());
    plane(&mut w, Vec3::Y, Material::new(mu, e));
    let b = put(&mut w, Shape::ball(0.1), Material::new(mu, e), Vec3::Y * 0.15);
    w.set_velocity(b, velocity, Vec3::ZERO).unwrap();
    for _ in 0..10 {
        w.step(STEP).unwrap();
    }
    let view = w.body(b).unwrap();
    (view.velocity(), view.angular_velocity())
}

#[test]
fn a_plastic_oblique_impact_slips_or_sticks_as_coulomb_says() {
    // Slips when mu |v_n| < 2/7 v_t.
    let (v, spin) = slant(0.1, 0.0, Vec3::new(6.0, -5.0, 0.0));
    assert!((v - Vec3::new(5.5, 0.0, 0.0)).length() < 1e-7, "{v}");
    assert!((spin.z + 2.5 * 0.5 / 0.1).abs() < 1e-6, "{spin}");
    let (v, spin) = slant(1.0, 0.0, Vec3::new(6.0, -5.0, 2.0));
    let rolls = 5.0 / 7.0 * Vec3::new(6.0, 0.0, 2.0);
    assert!((v - rolls).length() < 1e-7, "{v}");
    assert!((spin - Vec3::Y.cross(rolls) / 0.1).length() < 1e-6, "{spin}");
}

#[test]
fn an_oblique_rebound_slips_or_sticks_as_coulomb_says() {
    // Normal impulse (1 + e) |v_n|: friction takes mu times that, or what makes it roll.
    let (v, spin) = slant(0.1, 0.5, Vec3::new(6.0, -5.0, 0.0));
    assert!((v - Vec3::new(6.0 - 0.75, 2.5, 0.0)).length() < 1e-7, "{v}");
    assert!((spin.z + 2.5 * 0.75 / 0.1).abs() < 1e-6, "{spin}");
    let (v, spin) = slant(1.0, 0.5, Vec3::new(6.0, -5.0, 0.0));
    assert!((v - Vec3::new(30.0 / 7.0, 2.5, 0.0)).length() < 1e-7, "{v}");
    assert!((spin.z + 300.0 / 7.0).abs() < 1e-6, "{spin}");
}

#[test]
fn two_bodies_that_meet_keep_their_momentum() {
    for (mu, e) in [(0.0, 0.0), (0.5, 0.0), (0.0, 0.6), (0.5, 0.6), (0.3, 1.0)] {
        let mut w = crate::common::world(crate::common::weightless());
        let m = Material::new(mu, e);
        let a = put(&mut w, Shape::ball(0.1), m, Vec3::new(-0.3, 0.05, 0.0));
        let b = put(&mut w, Shape::ball(0.2), m, Vec3::new(0.3, 0.0, 0.04));
        w.set_velocity(a, Vec3::new(3.0, 0.0, 0.2), Vec3::new(0.0, 3.0, 5.0)).unwrap();
        w.set_velocity(b, Vec3::new(-1.0, 0.1, 0.0), Vec3::new(1.0, 0.0, -4.0)).unwrap();
        let sums = |w: &World| {
            let mut sum = [Vec3::ZERO; 2];
            for (x, r) in [(a, 0.1), (b, 0.2)] {
                let v = w.body(x).unwrap();
                sum[0] += v.mass() * v.velocity();
                sum[1] += v.position().cross(v.mass() * v.velocity()) + 0.4 * v.mass() * r * r * v.angular_velocity();
            }
            sum
        };
        let [p, l] = sums(&w);
        let mut touched = false;
        for _ in 0..30 {
            w.step(STEP).unwrap();
            touched |= w.contacts().count() > 0;
        }
        assert!(touched);
        let [p1, l1] = sums(&w);
        assert!((p1 - p).length() < 1e-12 * p.length().max(10.0), "{mu} {e}: {:e}", (p1 - p).length());
        println!("angular momentum, mu {mu}, e {e}: {:e} of {:e}", (l1 - l).length(), l.length());
        // The blow acts at the poses before and the rebound at those after the step: exact to first order in h only.
        let bound = if mu == 0.0 && e == 0.0 { 1e-12 } else { 6.0 * STEP };
        assert!((l1 - l).length() < bound * l.length(), "{mu} {e}: {l} {l1}");
    }
}

#[test]
fn balls_rebound_with_e_times_their_approach() {
    for e in [0.0, 0.25, 0.5, 0.8, 1.0] {
        let mut w = crate::common::world(crate::common::weightless());
        let m = Material::new(0.0, e);
        let a = put(&mut w, Shape::ball(0.1), m, Vec3::new(-0.3, 0.0, 0.0));
        let b = put(&mut w, Shape::ball(0.2), m, Vec3::new(0.3, 0.0, 0.0));
        w.set_velocity(a, Vec3::new(4.0, 0.0, 0.0), Vec3::ZERO).unwrap();
        for _ in 0..30 {
            w.step(STEP).unwrap();
        }
        let apart = w[b].vel.x - w[a].vel.x;
        assert!((apart - 4.0 * e).abs() < 1e-8, "{e}: {apart}");
    }
}

#[test]
fn what_rests_stays_at_rest_when_something_bounces_on_it() {
    let mut w = World::new();
    plane(&mut w, Vec3::Y, Material::new(0.5, 0.0));
    let plank = put(&mut w, Shape::cuboid(Vec3::new(1.0, 0.1, 1.0)), Material::new(0.5, 0.0), Vec3::Y * 0.1);
    let m = Material::new(0.5, 0.9).combined(Combine::Max);
    put(&mut w, Shape::ball(0.1), m, Vec3::new(0.0, 1.3, 0.0));
    let mut fastest = 0.0_f64;
    for _ in 0..120 {
        w.step(STEP).unwrap();
        fastest = fastest.max(w[plank].vel.length());
    }
    assert!(fastest < 1e-8, "{fastest}");
}

#[test]
fn a_box_that_lands_flat_rebounds_flat() {
    for (e, mu) in [(0.5, 0.0), (0.5, 0.6), (0.9, 0.3), (1.0, 0.0)] {
        let mut w = crate::common::world(crate::common::weightless());
        plane(&mut w, Vec3::Y, Material::new(mu, e));
        let b = put(&mut w, Shape::cuboid(Vec3::new(0.3, 0.1, 0.2)), Material::new(mu, e), Vec3::Y * 0.2);
        w.set_velocity(b, Vec3::Y * -3.0, Vec3::ZERO).unwrap();
        for _ in 0..10 {
            w.step(STEP).unwrap();
        }
        let view = w.body(b).unwrap();
        assert!((view.velocity() - Vec3::Y * 3.0 * e).length() < 1e-7, "{e} {mu}: {}", view.velocity());
        assert!(view.angular_velocity().length() < 1e-6, "{e} {mu}: {}", view.angular_velocity());
    }
}

#[test]
fn a_ball_that_loses_nothing_keeps_its_height() {
    let mut w = World::new();
    plane(&mut w, Vec3::Y, Material::new(0.0, 1.0));
    let b = put(&mut w, Shape::ball(0.1), Material::new(0.0, 1.0), Vec3::Y * 1.1);
    let mut tops = Vec::new();
    let mut last = [0.0; 2];
    for _ in 0..1200 {
        w.step(STEP).unwrap();
        let y = w[b].pos.y;
        if last[1] > last[0] && last[1] > y {
            tops.push(last[1]);
        }
        last = [last[1], y];
    }
    assert!(tops.len() > 15);
    let (low, high) = tops.iter().fold((f64::INFINITY, 0.0_f64), |(l, h), &t| (l.min(t), h.max(t)));
    println!("heights {low} to {high}");
    // Measured 1.0967 m: the top is seen at whole steps only, and lies up to g STEP^2 / 8 = 0.3 mm higher. A rebound that lost the
    // gravity of one step, g STEP = 0.16 m/s of 4.4 m/s, would be 0.07 m lower.
    assert!(high < 1.1 + 1e-6 && low > 1.09, "{low} {high}");
}

#[test]
fn rebound_heights_fall_with_e_squared() {
    for e in [0.3, 0.6, 0.8] {
        let mut w = World::new();
        plane(&mut w, Vec3::Y, Material::new(0.5, e));
        let b = put(&mut w, Shape::ball(0.1), Material::new(0.5, e), Vec3::Y * 2.1);
        let (mut top, mut hit) = (0.0_f64, false);
        for _ in 0..240 {
            w.step(STEP).unwrap();
            let view = w.body(b).unwrap();
            if hit && view.velocity().y < 0.0 {
                break;
            }
            hit |= view.velocity().y > 0.0;
            top = if hit { top.max(view.position().y - 0.1) } else { 0.0 };
        }
        assert!((top - 2.0 * e * e).abs() < 0.02 * 2.0 * e * e, "{e}: {top} {}", 2.0 * e * e);
    }
}

/// Balls of 0.1 m in a row along x, touching, from the origin on.
fn row(w: &mut World, count: usize, m: Material) -> Vec<BodyId> {
    (0..count).map(|k| put(w, Shape::ball(0.1), m, Vec3::X * (0.2 * k as f64))).collect()
}

#[test]
fn a_row_of_balls_hands_the_blow_on() {
    for mu in [0.0, 0.4] {
        let mut w = crate::common::world(crate::common::weightless());
        let m = Material::new(mu, 1.0);
        let balls = row(&mut w, 5, m);
        let hammer = put(&mut w, Shape::ball(0.1), m, Vec3::X * -0.5);
        w.set_velocity(hammer, Vec3::X * 2.0, Vec3::ZERO).unwrap();
        for _ in 0..30 {
            w.step(STEP).unwrap();
        }
        let speed = |b: BodyId| w[b].vel.x;
        assert!((speed(balls[4]) - 2.0).abs() < 1e-7, "{mu}: {}", speed(balls[4]));
        for &b in balls[..4].iter().chain([&hammer]) {
            assert!(speed(b).abs() < 1e-7, "{mu}: {}", speed(b));
        }
    }
}

#[test]
fn two_balls_knock_two_out_of_a_row() {
    let mut w = crate::common::world(crate::common::weightless());
    let m = Material::new(0.0, 1.0);
    let balls = row(&mut w, 5, m);
    let hammers = [-0.5, -0.7].map(|x| put(&mut w, Shape::ball(0.1), m, Vec3::X * x));
    for b in hammers {
        w.set_velocity(b, Vec3::X * 2.0, Vec3::ZERO).unwrap();
    }
    for _ in 0..30 {
        w.step(STEP).unwrap();
    }
    let speeds: Vec<f64> = hammers.iter().rev().chain(&balls).map(|&b| w[b].vel.x).collect();
    for (v, expected) in speeds.iter().zip([0.0, 0.0, 0.0, 0.0, 0.0, 2.0, 2.0]) {
        assert!((v - expected).abs() < 1e-7, "{speeds:?}");
    }
}

#[test]
fn a_box_that_rests_does_not_feel_a_blow_elsewhere_in_its_heap() {
    // A stack stands on a heavy plank beside the place where a ball bounces.
    let mut w = crate::common::world(Options { sleep: false, ..Options::default() });
    plane(&mut w, Vec3::Y, Material::new(0.5, 0.0));
    put(&mut w, Shape::cuboid(Vec3::new(2.0, 0.1, 1.0)), Material::new(0.5, 0.0), Vec3::Y * 0.1);
    let stack = [0.3, 0.5].map(|y| put(&mut w, cube(0.1), Material::new(0.5, 0.0), Vec3::new(-1.0, y, 0.0)));
    put(&mut w, Shape::ball(0.1), Material::new(0.5, 0.9).combined(Combine::Max), Vec3::new(1.0, 1.0, 0.0));
    let mut fastest = 0.0_f64;
    for _ in 0..90 {
        w.step(STEP).unwrap();
        fastest = stack.iter().map(|&b| w[b].vel.length()).fold(fastest, f64::max);
    }
    assert!(fastest < 1e-7, "{fastest:e}");
}

/// Energy of a free box at its pose, J: its momentum is that of the drift that ended there.
fn energy_at_pose(w: &World, b: BodyId, inertia: Vec3) -> f64 {
    let v = w.body(b).unwrap();
    let turn = |x: Vec3| v.rotation() * (inertia * (v.rotation().inverse() * x));
    let momentum = Quat::from_scaled_axis(-0.5 * STEP * v.angular_velocity()) * turn(v.angular_velocity());
    let local = v.rotation().inverse() * momentum;
    0.5 * v.mass() * v.velocity().length_squared() + 0.5 * local.dot(local / inertia)
}

#[test]
fn a_tumbling_box_does_not_gain_by_its_blows() {
    for mu in [0.0, 0.5] {
        let mut w = crate::common::world(crate::common::weightless());
        for (normal, at) in [(Vec3::Y, -1.0), (-Vec3::Y, 1.0)] {
            let c = taut::Collider::new(Shape::HalfSpace { normal }).of(Material::new(mu, 1.0)).at(Vec3::Y * at);
            w.add(c.on(w.ground())).unwrap();
        }
        let pose = Pose { pos: Vec3::ZERO, rot: Quat::from_rotation_z(0.3) };
        let (b, _) = solid(&mut w, Shape::cuboid(Vec3::new(0.2, 0.1, 0.3)), Material::new(mu, 1.0), pose);
        w.set_velocity(b, Vec3::new(1.0, -4.0, 0.5), Vec3::new(2.0, 1.0, -3.0)).unwrap();
        let half = Vec3::new(0.2, 0.1, 0.3);
        let square = half * half;
        let inertia = w.body(b).unwrap().mass() / 3.0 * (Vec3::splat(square.element_sum()) - square);
        let start = w.energy().unwrap().total();
        let mut last = start;
        for k in 0..600 {
            w.step(STEP).unwrap();
            let now = energy_at_pose(&w, b, inertia);
            // Blows keep it; the free turning in between is right to second order in h.
            assert!(now < last + 1e-3 * start && now < 1.001 * start, "{mu} {k}: {now} {last} {start}");
            last = now;
        }
        // Without friction and loss it should keep what it has; the cap takes some in each blow.
        println!("{mu}: {last} of {start}");
        assert!(last < 1.001 * start && (mu > 0.0 || last > 0.1 * start), "{last} {start}");
    }
}
