//! Motions with a known answer: the discrete recurrence where there is one, the closed form with a tolerance that
//! goes with the step otherwise, and the order of convergence. More of them (pendulum, top, catenary, ...) are checks of `taut-scenes`.

use crate::common::{FOUR_BAR, assert_close, ball, chain, four_bar, four_bar_points, pendulum, rod, weightless, world};
use taut::{Ball, Body, Cable, Force, Joint, MassProperties, Options, Quat, Spring, Vec3, Weld, World};

const G: f64 = 9.81;

fn base() -> Options {
    Options { resolved: false, ..Options::default() }
}

/// A particle on a spring along x, hung from the ground, with gravity along x too.
fn sprung(options: Options, k: f64, c: f64) -> (World, taut::BodyId) {
    let mut w = world(Options { gravity: Vec3::new(G, 0.0, 0.0), ..options });
    let b = w.add(Body::particle(2.0).at(Vec3::new(1.3, 0.0, 0.0)).moving(Vec3::X, Vec3::ZERO)).unwrap();
    w.add(Spring::between(b, w.ground()).stiffness(k).damping(c).rest_length(1.0)).unwrap();
    (w, b)
}

#[test]
fn a_spring_follows_the_recurrence_of_the_theta_law() {
    let (h, m): (f64, f64) = (1.0 / 60.0, 2.0);
    for (k, c) in [(50.0, 0.0), (50.0, 3.0), (2e4, 10.0), (1e9, 0.0), (0.0, 40.0)] {
        // Symplectic Euler while a step resolves the oscillation, then ever more implicit; nearly rigid is backward Euler.
        let a = h * h * k / m;
        let theta = if a > 1e5 { 1.0 } else { (1.0 - 1.0 / a).max(1e-4) };
        for resolved in [false, true] {
            let (mut w, b) = sprung(Options { resolved, ..base() }, k, c);
            let (mut x, mut v) = (1.3, 1.0);
            for step in 0..120 {
                w.step(h).unwrap();
                // The first kick of the default step is half a step: velocities live between poses.
                let hk = if resolved && step == 0 { 0.5 * h } else { h };
                v = (m * v + hk * (m * G - k * (x - 1.0))) / (m + hk * (theta * h * k + c));
                x += h * v;
                let body = w.body(b).unwrap();
                let what = format!("k = {k} c = {c} resolved = {resolved} step {step}");
                assert_close(body.position().x, x, 1e-12, 1.0, &what);
                assert_close(body.velocity().x, v, 1e-10, 1.0, &what);
                assert_eq!((body.position().y, body.position().z), (0.0, 0.0), "{what}");
            }
        }
    }
}

#[test]
fn a_spring_keeps_its_energy_at_every_stiffness_and_step() {
    // A pendulum of 5 kg, 1 m, let go level; backward Euler took 91 % of m g L in 10 s.
    for k in [1e3, 1e4, 1e6, 1e8] {
        for h in [0.001, 0.005, 0.01, 1.0 / 60.0] {
            let mut w = world(Options::default());
            let b = w.add(Body::dynamic(rod(5.0, 0.2, 0.1)).at(Vec3::X)).unwrap();
            w.add(Spring::between(b, w.ground()).stiffness(k)).unwrap();
            let (start, scale) = (w.energy().unwrap().total(), 5.0 * G);
            for _ in 0..(10.0 / h) as usize {
                let report = w.step(h).unwrap();
                let off = (report.energy.total() - start) / scale;
                assert!(off.abs() < 0.01, "k = {k:e}, h = {h}: energy off by {off:.4} of m g L at {} s", report.time);
                assert!(report.ledger.imbalance.abs() < 1e-11 * scale);
            }
        }
    }
}

#[test]
fn free_fall_is_the_exact_parabola_by_default_and_symplectic_euler_without_half_kicks() {
    let (h, v0) = (1.0 / 60.0, Vec3::new(1.0, 2.0, -0.5));
    for resolved in [true, false] {
        let mut w = world(Options { resolved, ..base() });
        let b = w.add(Body::dynamic(rod(3.0, 1.0, 0.1)).moving(v0, Vec3::ZERO)).unwrap();
        for n in 1..=600_u32 {
            w.step(h).unwrap();
            let (t, n) = (f64::from(n) * h, f64::from(n));
            let fall = if resolved { 0.5 * G * t * t } else { 0.5 * G * h * h * n * (n + 1.0) };
            let expected = v0 * t - Vec3::new(0.0, fall, 0.0);
            let off = (w[b].pos - expected).length();
            assert!(off < 1e-12 * (1.0 + fall), "resolved {resolved}, step {n}: off by {off:e} m");
        }
    }
}

#[test]
fn body_damping_decays_by_the_implicit_factor() {
    let (h, d, a) = (0.02, 0.7, 1.9);
    for resolved in [true, false] {
        let mut w = world(Options { resolved, ..weightless() });
        let b = w.add(Body::dynamic(ball(3.0, 0.2)).damped(d, a).moving(Vec3::X, Vec3::Y)).unwrap();
        let (mut v, mut omega) = (1.0, 1.0);
        for step in 0..200 {
            w.step(h).unwrap();
            let hk = if resolved && step == 0 { 0.5 * h } else { h };
            v /= 1.0 + hk * d;
            omega /= 1.0 + hk * a;
            let body = w.body(b).unwrap();
            assert_close(body.velocity().x, v, 1e-12, 0.0, "speed");
            assert_close(body.angular_velocity().y, omega, 1e-12, 0.0, "spin");
        }
    }
}

#[test]
fn drag_acts_whatever_the_mass_and_alike_about_every_axis() {
    let (h, c, a) = (0.02, 0.7, 0.03);
    let mass = MassProperties::cuboid(1.0, Vec3::new(0.5, 1.0, 1.5)).unwrap();
    for resolved in [true, false] {
        for k in 0..3 {
            let mut w = world(Options { resolved, ..weightless() });
            let axis = [Vec3::X, Vec3::Y, Vec3::Z][k];
            // About a principal axis nothing but the drag turns it.
            let b = w.add(Body::dynamic(mass).moving(Vec3::X, axis)).unwrap();
            w.add(Force::Drag { body: b, linear: 0.5 * c, angular: a }).unwrap();
            let twice = w.add(Force::Drag { body: b, linear: 0.5 * c, angular: 0.0 }).unwrap();
            let (mut v, mut omega) = (1.0, 1.0);
            for step in 0..200 {
                if step == 100 {
                    w.remove(twice).unwrap();
                }
                let done = w.step(h).unwrap();
                let hk = if resolved && step == 0 { 0.5 * h } else { h };
                v /= 1.0 + hk * if step < 100 { c } else { 0.5 * c } / mass.mass;
                omega /= 1.0 + hk * a / mass.inertia.col(k)[k];
                let body = w.body(b).unwrap();
                assert_close(body.velocity().x, v, 1e-12, 0.0, "speed");
                assert_close(body.angular_velocity().dot(axis), omega, 1e-10, 0.0, "spin");
                assert!(done.ledger.damping < 0.0 && done.ledger.imbalance.abs() < 1e-12, "{:?}", done.ledger);
            }
        }
    }
}

/// A tumbling body: spin about the middle axis, slightly disturbed.
fn tumbling(options: Options) -> (World, taut::BodyId) {
    let mut w = world(options);
    let props = MassProperties::from_diagonal(3.0, TUMBLER).unwrap();
    let b = w.add(Body::dynamic(props).moving(Vec3::ZERO, Vec3::new(0.02, 3.0, 0.01))).unwrap();
    (w, b)
}

const TUMBLER: Vec3 = Vec3::new(1.0, 2.0, 2.6);

/// Angular momentum in the middle of the drift that ended at the present pose, where the step keeps it.
fn drift_momentum(w: &World, b: taut::BodyId, h: f64) -> Vec3 {
    let v = w.body(b).unwrap();
    let back = Quat::from_scaled_axis(-0.5 * h * v.angular_velocity()) * v.rotation();
    back * (TUMBLER * (v.rotation().inverse() * v.angular_velocity()))
}

#[test]
fn a_free_body_keeps_its_energy_and_the_size_of_its_angular_momentum_in_the_base_step() {
    let h = 1.0 / 60.0;
    let (mut w, b) = tumbling(Options { resolved: false, ..weightless() });
    let (energy, momentum) = (w.energy().unwrap().kinetic, drift_momentum(&w, b, h).length());
    let mut turned: f64 = 0.0;
    for _ in 0..1200 {
        let e = w.step(h).unwrap().energy.kinetic;
        assert_close(e, energy, 1e-10, 0.0, "energy");
        assert_close(drift_momentum(&w, b, h).length(), momentum, 1e-10, 0.0, "|L|");
        turned = turned.max(1.0 - (w[b].rot * Vec3::Y).dot(Vec3::Y));
    }
    assert!(turned > 1.9, "the middle axis should turn over");
}

#[test]
fn a_free_body_keeps_its_angular_momentum_by_default_and_its_energy_to_second_order_without_drift() {
    // Largest deviation of the energy in the first and in the second half of 20 s.
    let spread = |h: f64| {
        let (mut w, b) = tumbling(weightless());
        w.step(h).unwrap();
        let (energy, momentum) = (w.energy().unwrap().kinetic, drift_momentum(&w, b, h));
        let n = (20.0 / h) as usize;
        let mut halves = [0.0_f64; 2];
        for k in 0..n {
            let e = w.step(h).unwrap().energy.kinetic;
            halves[2 * k / n] = halves[2 * k / n].max((e / energy - 1.0).abs());
            let now = drift_momentum(&w, b, h);
            assert_close(now.length(), momentum.length(), 1e-10, 0.0, "|L|");
            let off = (now - momentum).length() / momentum.length();
            assert!(off < 1e-9, "h = {h}, step {k}: L is off by {off:e}");
        }
        halves
    };
    let (coarse, fine) = (spread(1.0 / 60.0), spread(1.0 / 120.0));
    assert!(coarse[0] < 2e-4 && coarse[1] < 1.05 * coarse[0], "{coarse:?}");
    assert!(fine[0] < coarse[0] / 3.5, "{coarse:?} {fine:?}");
}

/// Position of the last link of a pendulum at time `t`, after `n` steps.
fn swing(links: usize, n: u32, t: f64) -> Vec3 {
    let (mut w, bodies) = pendulum(Options::default(), links);
    for _ in 0..n {
        w.step(t / f64::from(n)).unwrap();
    }
    w[bodies[links - 1]].pos
}

#[test]
fn the_default_step_converges_with_second_order() {
    for links in [1, 2] {
        let exact = swing(links, 12_800, 1.0);
        let errors = [100, 200, 400, 800].map(|n| (swing(links, n, 1.0) - exact).length());
        for e in errors.windows(2) {
            let order = (e[0] / e[1]).log2();
            assert!(order > 1.8, "{links} links: order {order}, errors {errors:?}");
        }
    }
}

/// A box that hangs from the ground by a corner and tumbles: mass properties, corner to centre, spin (body frame).
fn tumbler_on_a_corner() -> (MassProperties, Vec3, Vec3) {
    let half = Vec3::new(0.5, 0.1, 0.2);
    (MassProperties::cuboid(100.0, half).unwrap(), half, Vec3::new(2.0, -1.0, 1.5))
}

/// Where its centre and a point off it are at time `t`, by Euler's equations about the corner and Runge-Kutta steps.
fn euler(t: f64) -> [Vec3; 2] {
    let (props, c, spin) = tumbler_on_a_corner();
    let about = props.inertia.mul_vec3(Vec3::ONE) + props.mass * (Vec3::splat(c.length_squared()) - c * c);
    let mut inertia = taut::Mat3::from_diagonal(about);
    for (r, k) in [(0, 1), (0, 2), (1, 2)] {
        let product = -props.mass * c[r] * c[k];
        inertia.col_mut(k)[r] = product;
        inertia.col_mut(r)[k] = product;
    }
    let inverse = inertia.inverse();
    let rate = |q: Quat, w: Vec3| {
        let down = q.inverse() * Vec3::new(0.0, -G, 0.0);
        let torque = props.mass * c.cross(down);
        (q * Quat::from_xyzw(w.x, w.y, w.z, 0.0) * 0.5, inverse * (torque - w.cross(inertia * w)))
    };
    let (mut q, mut w) = (Quat::IDENTITY, spin);
    let n = 20_000;
    let h = t / f64::from(n);
    for _ in 0..n {
        let a = rate(q, w);
        let b = rate(q + a.0 * (0.5 * h), w + a.1 * (0.5 * h));
        let c = rate(q + b.0 * (0.5 * h), w + b.1 * (0.5 * h));
        let d = rate(q + c.0 * h, w + c.1 * h);
        q = (q + (a.0 + b.0 * 2.0 + c.0 * 2.0 + d.0) * (h / 6.0)).normalize();
        w += (a.1 + b.1 * 2.0 + c.1 * 2.0 + d.1) * (h / 6.0);
    }
    [q * c, q * (c + Vec3::Y)]
}

#[test]
fn a_tumbling_body_on_a_ball_joint_converges_with_second_order_to_eulers_equations() {
    let t = 0.5;
    let exact = euler(t);
    let (props, c, spin) = tumbler_on_a_corner();
    let errors = [25, 50, 100, 200, 400, 800, 1600].map(|n| {
        let mut w = world(Options::default());
        let b = w.add(Body::dynamic(props).at(c).moving(spin.cross(c), spin)).unwrap();
        w.add(Ball::between(b, w.ground()).at(Vec3::ZERO)).unwrap();
        for _ in 0..n {
            w.step(t / f64::from(n)).unwrap();
        }
        let p = w.pose(b).unwrap();
        (p.pos - exact[0]).length() + (p.to_world(Vec3::Y) - exact[1]).length()
    });
    assert!(errors[0] < 0.01, "{errors:?}");
    // The coarsest step, 0.02 s at a turn of half a radian, is not yet in the asymptotic range.
    for e in errors[1..].windows(2) {
        let order = (e[0] / e[1]).log2();
        assert!(order > 1.8, "order {order}, errors for halved steps: {errors:?}");
    }
}

#[test]
fn a_four_bar_stays_closed() {
    let mut w = world(Options::default());
    let bars = four_bar(&mut w, 1.0);
    let pivot = Vec3::new(FOUR_BAR[0], 0.0, 0.0);
    let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
    for step in 0..500 {
        w.step(0.01).unwrap();
        let end = |b, from: f64| w.pose(b).unwrap().to_world(Vec3::new(0.5 * from, 0.0, 0.0));
        let (a, b) = (end(bars.crank, FOUR_BAR[1]), end(bars.rocker, FOUR_BAR[3]));
        let angle = a.y.atan2(a.x);
        (least, most) = (least.min(angle), most.max(angle));
        let (expected_a, expected_b) = four_bar_points(angle);
        assert!((a - expected_a).length() < 1e-6, "step {step}: the crank ends at {a}, not {expected_a}");
        assert!((b - expected_b).length() < 1e-6, "step {step}: the rocker ends at {b}, not {expected_b}");
        assert!(((a - b).length() - FOUR_BAR[2]).abs() < 1e-6, "step {step}: coupler");
        assert!(((b - pivot).length() - FOUR_BAR[3]).abs() < 1e-6, "step {step}: rocker");
        assert!((w[bars.coupler].pos - 0.5 * (a + b)).length() < 1e-6, "step {step}: middle of the coupler");
    }
    assert!(most - least > 1.0, "it moves: from {least} to {most} rad");
}

#[test]
fn a_hanging_chain_carries_the_weight_below_at_a_million_to_one() {
    let mut w = world(Options::default());
    let (_, joints) = chain(&mut w, 10, -Vec3::Y, 1e6, Ball::between);
    for step in 0..60 {
        w.step(1.0 / 60.0).unwrap();
        for (k, &joint) in joints.iter().enumerate() {
            let weight = G * (1e6 + (10 - k) as f64);
            let view = w.joint(joint).unwrap();
            let what = format!("step {step}, joint {k}");
            assert_close(view.force().y, weight, 1e-9, 0.0, &what);
            assert!(view.force().x.abs() + view.force().z.abs() < 1e-9 * weight, "{what}: {}", view.force());
            assert!(view.torque().length() < 1e-9 * weight, "{what}: {}", view.torque());
        }
    }
}

#[test]
fn a_cantilever_of_welds_carries_the_shear_force_and_moment_of_statics() {
    let mut w = world(Options::default());
    let (n, load) = (8, 50.0);
    let (_, joints) = chain(&mut w, n, Vec3::X, load, Weld::between);
    for step in 0..60 {
        w.step(1.0 / 60.0).unwrap();
        for (k, &joint) in joints.iter().enumerate() {
            let rest = (n - k) as f64;
            let force = G * (rest + load);
            let moment = G * (rest * rest / 2.0 + load * (rest + 0.3));
            let view = w.joint(joint).unwrap();
            let what = format!("step {step}, joint {k}");
            assert!((view.force() - force * Vec3::Y).length() < 1e-9 * force, "{what}: {} N", view.force());
            assert!((view.torque() - moment * Vec3::Z).length() < 1e-9 * moment, "{what}: {} N m", view.torque());
        }
    }
}

/// Angles of a chain of `n` rods of length 1 m and weight `weight`, clamped at x = 0, with joints of bending stiffness
/// `k` and dot-1 rows: sin(d) cos(d) k = moment at each joint, d the angle between its two rods. Returns the tip.
fn cantilever(n: usize, k: impl Fn(usize) -> f64, weight: f64) -> Vec3 {
    let mut angle = vec![0.0_f64; n];
    for _ in 0..200 {
        let mut last = 0.0;
        for joint in 0..n {
            // Lever arms of the rods beyond the joint, at the present angles.
            let (mut x, mut moment) = (0.0, 0.0);
            for a in &angle[joint..] {
                moment += weight * (x + 0.5 * a.cos());
                x += a.cos();
            }
            last -= 0.5 * (2.0 * moment / k(joint)).asin();
            angle[joint] = last;
        }
    }
    angle.iter().map(|a| Vec3::new(a.cos(), a.sin(), 0.0)).sum()
}

#[test]
fn a_soft_cable_sags_like_the_discrete_cantilever() {
    let (n, stiffness) = (8, 4e4);
    let cable = Cable::from_stiffness(1e12, stiffness, 1e6).unwrap();
    let mut w = world(Options::default());
    let mut last = w.ground();
    for k in 0..n {
        let def = Body::dynamic(rod(1.0, 1.0, 0.05)).at(Vec3::new(k as f64 + 0.5, 0.0, 0.0)).damped(5.0, 5.0);
        let b = w.add(def).unwrap();
        let joint = if k == 0 { cable.clamped_end() } else { cable };
        w.add(Joint::of(joint, b, last).at(Vec3::new(k as f64, 0.0, 0.0)).axis(Vec3::X)).unwrap();
        last = b;
    }
    for _ in 0..3000 {
        w.step(0.02).unwrap();
    }
    let body = w.body(last).unwrap();
    assert!(body.velocity().length() < 1e-10, "at rest: {}", body.velocity());
    let tip = body.pose().to_world(Vec3::new(0.5, 0.0, 0.0));
    let discrete = cantilever(n, |k| if k == 0 { 2.0 * stiffness } else { stiffness }, G);
    assert_close(tip.y, discrete.y, 1e-6, 0.0, "sag");
    assert!((tip - discrete).length() < 1e-6, "tip at {tip}, not {discrete}");
    // Euler-Bernoulli: q L^4 / (8 E I), E I = stiffness times the length of a rod; the trapezoid rule adds 1/n^2 of it.
    let beam = G * (n as f64).powi(4) / (8.0 * stiffness);
    assert_close(-tip.y, beam * (1.0 + 1.0 / (n * n) as f64), 1e-3, 0.0, "sag of the continuous beam");
}

#[test]
fn steps_that_change_tenfold_neither_brake_nor_open_a_loaded_chain() {
    // Ten links of 1 kg and 10 t at the end, let go level; with a stiffness of h^2 S in each step the chain was braked.
    let mut w = world(Options::default());
    chain(&mut w, 10, Vec3::X, 1e4, Ball::between);
    let (start, scale) = (w.energy().unwrap().total(), 1e4 * G * 10.0);
    let mut change = 0.0;
    for k in 0..364 {
        let report = w.step(if k % 2 == 0 { 0.05 } else { 0.005 }).unwrap();
        change = (report.energy.total() - start) / scale;
        assert!(change < 1e-3, "step {k}: rose by {change} of m g L");
        assert!(report.max_gap < 0.01, "step {k}: open by {} m", report.max_gap);
    }
    assert!(change > -0.1, "{change} of m g L after 10 s");
}
