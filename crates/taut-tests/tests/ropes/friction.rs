//! Ropes that slip: capstans, bollards, sheaves with an efficiency, ratchets.

use std::f64::consts::PI;
use taut::parts::Hold;
use taut::prelude::*;
use taut::{BodyId, RopeId, Sheave};

fn run(world: &mut World, h: f64, steps: usize) {
    for _ in 0..steps {
        world.step(h).unwrap();
    }
}

fn at(x: f64, y: f64) -> Vec3 {
    Vec3::new(x, y, 0.0)
}

/// Two particles over a drum of 0.3 m: fixed, or on a rotor of this inertia, kg m^2.
fn over_drum(heavy: f64, light: f64, mu: f64, rotor: Option<f64>) -> (World, BodyId, RopeId, Option<BodyId>) {
    let mut w = World::new();
    let a = w.add(Body::particle(heavy).at(at(-0.3, -5.0))).unwrap();
    let b = w.add(Body::particle(light).at(at(0.3, -5.0))).unwrap();
    let wheel = rotor.map(|i| {
        let wheel = w.add(Body::dynamic(MassProperties::from_diagonal(1.0, Vec3::splat(i)).unwrap())).unwrap();
        w.add(Hinge::between(wheel, w.ground()).axis(Vec3::Z)).unwrap();
        wheel
    });
    let drum = Sheave::on(wheel.unwrap_or(w.ground()), Vec3::ZERO, Vec3::Z, 0.3).friction(mu);
    let rope = w.add(Rope::from(a, at(-0.3, -5.0)).over(drum).to(b, at(0.3, -5.0)).named("line")).unwrap();
    (w, a, rope, wheel)
}

/// Mean acceleration over n steps from rest: velocities live half a step before the poses.
fn acceleration(w: &World, body: BodyId, h: f64, n: usize) -> f64 {
    -w.body(body).unwrap().velocity().y / (h * (n as f64 - 0.5))
}

#[test]
fn a_rope_slips_over_a_fixed_drum_by_the_law_of_euler() {
    for mu in [0.02, 0.05, 0.1, 0.129, 0.13, 0.5] {
        for h in [0.001, 0.01, 1.0 / 60.0] {
            let (mut w, a, rope, _) = over_drum(3.0, 2.0, mu, None);
            let n = (0.5 / h) as usize;
            run(&mut w, h, n);
            let k = (mu * PI).exp();
            let want = ((3.0 - k * 2.0) / (3.0 + k * 2.0) * 9.81).max(0.0);
            let got = acceleration(&w, a, h, n);
            assert!((got - want).abs() < 1e-8, "mu {mu} h {h}: {got} for {want}");
            let r = w.rope(rope).unwrap();
            assert!(r.excess().abs() < 1e-9, "{:e}", r.excess());
            let t: Vec<f64> = r.tensions().collect();
            assert!((t[0] / t[1] - k.min(1.5)).abs() < 1e-7, "{t:?} {k}");
            let slip = -want * (n as f64 - 0.5) * h;
            assert!((r.slips().next().unwrap() - slip).abs() < 1e-7, "{:?} {slip}", r.slips().next());
        }
    }
}

#[test]
fn a_rotor_is_dragged_along_by_what_friction_can_give() {
    for (inertia, h) in [(0.045, 0.01), (0.45, 0.01), (4.5, 0.01), (0.45, 1.0 / 60.0)] {
        let (mut w, a, rope, wheel) = over_drum(3.0, 2.0, 0.05, Some(inertia));
        let n = (0.5 / h) as usize;
        run(&mut w, h, n);
        let k = (0.05 * PI).exp();
        let (stick, slip) = (9.81 / (5.0 + inertia / 0.09), (3.0 - k * 2.0) / (3.0 + k * 2.0) * 9.81);
        let want = if inertia < 0.1 { stick } else { slip };
        let got = acceleration(&w, a, h, n);
        assert!((got - want).abs() < 1e-8, "{inertia}: {got} for {want}");
        let t: Vec<f64> = w.rope(rope).unwrap().tensions().collect();
        let spin = (t[0] - t[1]) * 0.3 / inertia * h * (n as f64 - 0.5);
        let turned = w.body(wheel.unwrap()).unwrap().angular_velocity().z;
        assert!((turned.abs() - spin).abs() < 1e-7, "{turned} {spin}");
    }
}

/// A tackle with an efficiency of each sheave; the hauling part is the first.
fn tackle(folds: usize, eta: f64, block: f64, load: f64) -> (World, BodyId, RopeId) {
    let mut w = World::new();
    let r = 0.15;
    let size = MassProperties::from_diagonal(block, Vec3::splat(block * 0.01)).unwrap();
    let b = w.add(Body::dynamic(size).at(at(0.0, -8.0))).unwrap();
    let mass = MassProperties::sphere(load / (4.0 / 3.0 * PI * 0.027), 0.3).unwrap();
    let l = w.add(Body::dynamic(mass).at(at(0.0, -8.7))).unwrap();
    w.add(Ball::between(b, l).at(at(0.0, -8.15))).unwrap();
    let ground = w.ground();
    let above = Sheave::on(ground, Vec3::ZERO, Vec3::Z, r).efficiency(eta);
    let below = Sheave::on(b, at(0.0, -7.9), Vec3::Z, r).efficiency(eta);
    let mut line = Rope::from(ground, at(-3.0, -2.0)).round(above.against());
    for k in 0..folds / 2 {
        line = line.round(below.against());
        if k + 1 < folds / 2 {
            line = line.round(above.against());
        }
    }
    let rope = w.add(line.to(ground, at(-r, 0.0))).unwrap();
    (w, l, rope)
}

#[test]
fn a_tackle_with_bearings_hoists_and_lowers_by_their_efficiency() {
    let (h, weight, eta) = (0.01, 1001.0 * 9.81, 0.96_f64);
    for folds in [2, 4, 6] {
        let (mut w, load, rope) = tackle(folds, eta, 1.0, 1000.0);
        run(&mut w, h, 100);
        for (rate, sign) in [(-0.4, 1), (0.4, -1)] {
            for _ in 0..300 {
                w.pay_out(rope, rate * h).unwrap();
                w.step(h).unwrap();
            }
            let parts: f64 = (0..folds).map(|i| eta.powi(sign * i as i32)).sum();
            // The rope is paid out at its dead end: the tension there is that of the last part.
            let t: Vec<f64> = w.rope(rope).unwrap().tensions().collect();
            let last = *t.last().unwrap();
            let want = weight / parts;
            println!("{folds} parts, {rate} m/s: {last:.3} N for {want:.3} ({:+.4} %)", 100.0 * (last / want - 1.0));
            assert!((last / want - 1.0).abs() < 4e-4, "{folds} {rate}: {t:?} for {want}");
            let v = w.body(load).unwrap().velocity().y;
            assert!((v + rate / folds as f64).abs() < 1e-3, "{v}");
            let excess = w.rope(rope).unwrap().excess();
            assert!(excess.abs() < 2e-5, "{excess:e}");
        }
    }
}

#[test]
fn a_capstan_holds_by_its_turns() {
    // The largest weight that a hand of 10 N holds.
    for (mu, half_turns) in [(0.1, 1), (0.1, 3), (0.2, 5), (0.3, 7), (0.5, 7)] {
        let want = (mu * PI * f64::from(half_turns)).exp();
        let holds = |weight: f64| {
            let mut w = World::new();
            let ground = w.ground();
            let load = w.add(Body::particle(weight / 9.81).at(at(-0.1, -3.0))).unwrap();
            let hand = w.add(Body::particle(10.0 / 9.81).at(at(0.1, -3.0))).unwrap();
            let drum =
                Sheave::on(ground, Vec3::ZERO, Vec3::Z, 0.1).friction(mu).over().turns((half_turns as u32 - 1) / 2);
            w.add(Rope::from(load, at(-0.1, -3.0)).round(drum).to(hand, at(0.1, -3.0))).unwrap();
            run(&mut w, 0.01, 20);
            w.body(load).unwrap().velocity().y > -1e-6
        };
        let (mut low, mut high) = (0.9 * 10.0 * want, 1.1 * 10.0 * want);
        assert!(holds(low) && !holds(high), "{mu} {half_turns}");
        for _ in 0..30 {
            let middle = 0.5 * (low + high);
            if holds(middle) { low = middle } else { high = middle }
        }
        let off = (low / (10.0 * want) - 1.0).abs();
        println!("mu {mu}, {half_turns} half turns: {:.3e} off e^(mu theta) = {want:.3}", off);
        assert!(off < 4e-4, "{mu} {half_turns}: {off:e}");
    }
}

#[test]
fn friction_takes_what_the_ledger_says() {
    let (mut w, _, rope, _) = over_drum(3.0, 2.0, 0.05, None);
    let (mut rubbed, before, h) = (0.0, w.energy().unwrap().total(), 0.01);
    let mut worst = 0.0_f64;
    for _ in 0..100 {
        let report = w.step(h).unwrap();
        rubbed += report.ledger.damping;
        worst = worst.max(report.ledger.imbalance.abs());
        let t: Vec<f64> = w.rope(rope).unwrap().tensions().collect();
        assert!(t[0] >= t[1]);
    }
    // Force of friction times the way slipped.
    let k = (0.05 * PI).exp();
    let a = (3.0 - k * 2.0) / (3.0 + k * 2.0) * 9.81;
    let want = -(3.0 * (9.81 - a) - 2.0 * (9.81 + a)) * 0.5 * a;
    let change = w.energy().unwrap().total() - before;
    println!("rubbed {rubbed} J for {want}, energy {change}, imbalance {worst:e}");
    assert!((rubbed / want - 1.0).abs() < 0.02 && (change / want - 1.0).abs() < 0.02 && worst < 1e-10);
}

#[test]
fn a_ratchet_holds_one_way_and_runs_the_other() {
    for (ratios, holds) in [([1.0, 3.0], true), ([3.0, 1.0], false)] {
        let mut w = World::new();
        let ground = w.ground();
        // The heavy side is the start: it wants to run towards the start.
        let load = w.add(Body::particle(20.0).at(at(-0.1, -3.0))).unwrap();
        let hand = w.add(Body::particle(8.0).at(at(0.1, -3.0))).unwrap();
        let block = Sheave::on(ground, Vec3::ZERO, Vec3::Z, 0.1).held(Hold::Ratios(ratios));
        w.add(Rope::from(load, at(-0.1, -3.0)).over(block).to(hand, at(0.1, -3.0))).unwrap();
        run(&mut w, 0.01, 50);
        let v = w.body(load).unwrap().velocity().y;
        assert!((v.abs() < 1e-9) == holds, "{ratios:?}: {v}");
    }
}

/// A light load on a rope that gives: the step resolves its swing, its row is all but explicit, and the rope slips all the same by as much
/// as brings the tensions to their ratio, at every step alike.
#[test]
fn a_rope_that_gives_slips_by_as_much_at_short_steps_as_at_long_ones() {
    let slipped = |h: f64| {
        let mut w = World::new();
        let [a, b] = [at(-0.3, -5.0), at(0.3, -5.0)];
        let (heavy, light) = (w.add(Body::particle(3.0).at(a)).unwrap(), w.add(Body::particle(1.0).at(b)).unwrap());
        let drum = Sheave::on(w.ground(), Vec3::ZERO, Vec3::Z, 0.3).friction(0.2);
        // Stretched already by about what it will carry.
        let rope = Rope::from(heavy, a).over(drum).to(light, b).stiffness(1e4).slack(-0.015);
        let rope = w.add(rope).unwrap();
        let mut sum = 0.0;
        for _ in 0..(0.5 / h).round() as usize {
            w.step(h).unwrap();
            let v = w.rope(rope).unwrap();
            assert!(v.tensions().all(|t| t > 0.0), "{h}: slack");
            sum += h * v.slips().next().unwrap();
        }
        sum
    };
    let fine = slipped(1e-4);
    // From rest the rope begins to slip a step late: of half a second that is 4 h/s of the way.
    for h in [1e-3, 2e-3, 5e-3, 1e-2, 1.0 / 60.0] {
        let part = slipped(h) / fine - 1.0;
        assert!(part.abs() < 5.0 * h, "{h}: {part}");
    }
}

#[test]
fn a_ring_rubs_by_the_angle_between_its_spans() {
    // A load below the ring, and a lighter one that its rope, level there, pulls away from a wall.
    let mut w = World::new();
    let ground = w.ground();
    let load = w.add(Body::particle(10.0).at(at(0.0, -2.0))).unwrap();
    let hand = w.add(Body::particle(1.0).at(at(1.0, 0.0))).unwrap();
    let rope =
        Rope::from(load, at(0.0, -2.0)).through_held(ground, Vec3::ZERO, Hold::Friction(0.5)).to(hand, at(1.0, 0.0));
    let rope = w.add(rope).unwrap();
    run(&mut w, 1e-4, 1);
    let t: Vec<f64> = w.rope(rope).unwrap().tensions().collect();
    assert!(t[1] > 0.0 && (t[0] / t[1] - (0.25 * PI).exp()).abs() < 1e-6, "{t:?}");
}

#[test]
fn a_snapshot_in_mid_slip_repeats_to_the_last_bit() {
    let (mut w, _, _, _) = over_drum(3.0, 2.0, 0.05, Some(0.45));
    run(&mut w, 0.01, 37);
    let kept = w.state().clone();
    run(&mut w, 0.01, 50);
    let end = w.state().hash();
    w.restore(&kept).unwrap();
    run(&mut w, 0.01, 50);
    assert_eq!(w.state().hash(), end);
}

#[test]
fn tackles_with_bearings_are_stable_at_every_mass_ratio() {
    let (mut most_rise, mut most_excess) = (0.0_f64, 0.0_f64);
    for folds in [2, 4, 6] {
        for ratio in [1.0, 1e2, 1e4, 1e6] {
            for h in [0.001, 0.01, 1.0 / 60.0, 0.04, 0.1] {
                let (mut w, load, rope) = tackle(folds, 0.96, 1.0, ratio);
                w.set_velocity(load, Vec3::new(0.3, 0.0, 0.3), Vec3::ZERO).unwrap();
                let start = w.energy().unwrap().total();
                let (size, duration) = (ratio.max(1.0) * 9.81 * 8.0, if h < 0.005 { 1.0 } else { 10.0 });
                let (mut rise, mut work) = (0.0_f64, 0.0);
                for k in 0..(duration / h) as usize {
                    let report = w.step(h).unwrap();
                    work += report.ledger.work;
                    rise = rise.max((w.energy().unwrap().total() - start - work) / size);
                    let r = w.rope(rope).unwrap();
                    let excess = r.excess().abs() / 8.0;
                    assert!(excess < 0.01 && rise < 0.01, "{folds} {ratio} {h} step {k}: {excess} {rise}");
                    most_excess = most_excess.max(excess);
                }
                most_rise = most_rise.max(rise);
            }
        }
    }
    println!(
        "60 cells: energy rise at most {:.4} % of m g 8 m, excess at most {:.4} % of 8 m",
        100.0 * most_rise,
        100.0 * most_excess
    );
}

/// A ton on a winch of 12 kN; the rope comes off the right side of the drum.
fn hoist(winding: taut::Winding) -> (World, BodyId, RopeId, taut::WinchId) {
    let mut w = World::new();
    let load = w.add(Body::particle(1000.0).at(at(0.3, -5.0))).unwrap();
    let winch = w.add(taut::Winch::on(w.ground(), Vec3::ZERO, Vec3::Z, 0.3).inertia(0.72).named("hoist")).unwrap();
    let drum = w.drum(winch).unwrap();
    let rope = w.add(Rope::from_drum(drum.against()).to(load, at(0.3, -5.0))).unwrap();
    w.set_winch(winch, winding).unwrap();
    (w, load, rope, winch)
}

#[test]
fn a_winch_hauls_renders_and_brakes_with_the_pull_it_has() {
    use taut::Winding;
    let (h, gear) = (1.0 / 60.0, 0.72 / 0.09);
    // It speeds the load up with all it has, and then keeps its rate.
    let (mut w, load, rope, winch) = hoist(Winding::Haul { speed: 0.5, force: 12e3 });
    let a = (12e3 - 9810.0) / (1000.0 + gear);
    run(&mut w, h, 6);
    let v = w.body(load).unwrap().velocity().y;
    assert!((v - a * 5.5 * h).abs() < 1e-9, "{v} {}", a * 5.5 * h);
    assert!((w.rope(rope).unwrap().tension() - (12e3 - gear * a)).abs() < 1e-6);
    run(&mut w, h, 60);
    assert!((w.hauling(winch).unwrap() - 0.5).abs() < 1e-9);
    // A brake that is too weak lets the load down with constant force.
    w.set_winch(winch, Winding::Brake(9000.0)).unwrap();
    run(&mut w, h, 60);
    let (first, _) = (w.body(load).unwrap().velocity().y, run(&mut w, h, 30));
    let fall = (w.body(load).unwrap().velocity().y - first) / (30.0 * h);
    assert!((fall + (9810.0 - 9000.0) / (1000.0 + gear)).abs() < 1e-9, "{fall}");
    // A strong one stops it, and holds.
    w.set_winch(winch, Winding::Brake(30e3)).unwrap();
    run(&mut w, h, 60);
    assert!(w.body(load).unwrap().velocity().length() < 1e-9);
    assert!((w.rope(rope).unwrap().tension() - 9810.0).abs() < 1e-5);
    // Free: it falls with the drum.
    w.set_winch(winch, Winding::Free).unwrap();
    run(&mut w, h, 30);
    let v = w.body(load).unwrap().velocity().y;
    assert!((v + 9810.0 / (1000.0 + gear) * 30.0 * h).abs() < 1e-6, "{v}");
}

#[test]
fn a_winch_that_keeps_a_tension_recovers_holds_and_renders() {
    use taut::Winding;
    let h = 1.0 / 60.0;
    for (recover, render, moves) in [(5e3, 9e3, -1.0), (9e3, 11e3, 0.0), (11e3, 14e3, 1.0)] {
        let (mut w, load, _, _) = hoist(Winding::Keep { recover, render, speed: 0.2 });
        run(&mut w, h, 60);
        let v = w.body(load).unwrap().velocity().y;
        let want = match moves {
            1.0 => 0.2,
            0.0 => 0.0,
            _ => -(9810.0 - render) / 1008.0 * 59.5 * h,
        };
        assert!((v - want).abs() < 1e-8, "{recover} {render}: {v} for {want}");
    }
    let (mut w, _, _, winch) = hoist(Winding::Free);
    for bad in [
        Winding::Brake(-1.0),
        Winding::Haul { speed: f64::NAN, force: 1.0 },
        Winding::Keep { recover: 2.0, render: 1.0, speed: 1.0 },
    ] {
        let error = w.set_winch(winch, bad).unwrap_err().to_string();
        assert!(error.contains("of the winch"), "{error}");
    }
}

#[test]
fn ropes_over_many_strong_bollards_stay_sane() {
    // Ratios of a million at each of six bollards, 1e36 in all; loads of a million to one; kicked.
    for (mu, masses) in [(5.0, [1e6, 1.0]), (5.0, [1.0, 1e6]), (0.4, [1e6, 1.0]), (2.0, [1.0, 1.0])] {
        for h in [0.001, 1.0 / 60.0, 0.1] {
            let mut w = World::new();
            let ground = w.ground();
            let (left, right) = (at(-3.0, -2.0), at(3.0, -2.0));
            let a = w.add(Body::particle(masses[0]).at(left).moving(Vec3::new(0.3, 1.0, 0.2), Vec3::ZERO)).unwrap();
            let b = w.add(Body::particle(masses[1]).at(right).moving(Vec3::new(-0.2, 0.5, 0.1), Vec3::ZERO)).unwrap();
            let mut line = Rope::from(a, left);
            for k in 0..6 {
                let bollard = Sheave::on(ground, at(-2.5 + f64::from(k), 0.2 * f64::from(k % 2)), Vec3::Z, 0.1);
                line = line.round(bollard.friction(mu).keeper(true).over().turns(k as u32 % 3));
            }
            let rope = w.add(line.to(b, right)).unwrap();
            let (start, scale) = (w.energy().unwrap().total(), 9.81 * (masses[0] + masses[1]) * 2.0);
            for k in 0..(if h < 0.01 { 0.5 } else { 3.0 } / h) as usize {
                // The angles of the start of the step count.
                let wraps: Vec<f64> = w.rope(rope).unwrap().wraps().collect();
                let report = w.step(h).unwrap();
                let r = w.rope(rope).unwrap();
                let rise = (report.energy.total() - start) / scale;
                let fine = rise < 0.02 && r.tensions().all(|t| t.is_finite() && t >= 0.0);
                assert!(fine, "mu {mu} {masses:?} h {h} step {k}: rise {rise}, {:?}", r.tensions().collect::<Vec<_>>());
                let t: Vec<f64> = r.tensions().collect();
                for (g, pair) in t.windows(2).enumerate() {
                    let most = (mu * wraps[g]).exp().min(1e6) * (1.0 + 1e-6);
                    let within = pair[1] <= most * pair[0] + 1e-6 * scale && pair[0] <= most * pair[1] + 1e-6 * scale;
                    assert!(within, "mu {mu} {masses:?} h {h} step {k} guide {g}: {pair:?} {most}");
                }
            }
        }
    }
}
