//! Ropes that nobody should build: an error with a name, or a motion that is finite and gains no energy.

use taut::prelude::*;
use taut::{Edge, Error, Reeving, Sheave, Winch, Winding};

/// A generator of numbers in [0, 1), the same on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn within(&mut self, a: f64, b: f64) -> f64 {
        a + (b - a) * self.next()
    }

    fn place(&mut self, size: f64) -> Vec3 {
        Vec3::new(self.within(-size, size), self.within(-size, size), self.within(-0.2 * size, 0.2 * size))
    }

    fn pick(&mut self, n: usize) -> usize {
        (self.next() * n as f64) as usize
    }
}

/// Runs a world and returns how much energy it has gained beyond the work that was done on it, J; none where a step was refused by name.
fn gained(w: &mut World, h: f64, steps: usize, name: &str) -> Option<f64> {
    let start = w.energy().unwrap().total();
    let (mut work, mut worst) = (0.0, 0.0_f64);
    for k in 0..steps {
        let report = match w.step(h) {
            Ok(report) => report,
            Err(Error::Step { culprit, reason, .. }) => {
                println!("{name}, step {k}: {culprit}: {reason}");
                return None;
            }
            Err(e) => panic!("{name}, step {k}: {e}"),
        };
        work += report.ledger.work;
        let gain = report.energy.total() - start - work;
        assert!(gain.is_finite(), "{name}, step {k}: {report:?}");
        worst = worst.max(gain);
    }
    for b in w.bodies() {
        assert!(b.position().is_finite() && b.velocity().is_finite() && b.angular_velocity().is_finite(), "{name}");
    }
    Some(worst)
}

fn refused(w: &mut World, rope: Reeving, word: &str) {
    let (bodies, ropes) = (w.bodies().count(), w.ropes().count());
    let error = w.add(rope).unwrap_err().to_string();
    assert!(error.contains(word), "{error}");
    assert_eq!((w.bodies().count(), w.ropes().count()), (bodies, ropes));
}

#[test]
fn guides_that_cannot_be_are_refused_by_name() {
    let mut w = World::new();
    let ground = w.ground();
    let at = |y: f64| Vec3::new(1.0, y, 0.0);
    let load = w.add(Body::particle(1.0).at(at(-3.0))).unwrap();
    let line = |s: Sheave| Rope::from(ground, -Vec3::X).round(s.about()).to(load, at(-3.0));
    let sheave = |r: f64| Sheave::on(ground, Vec3::ZERO, Vec3::Z, r);
    for r in [0.0, -0.1, f64::NAN, f64::INFINITY] {
        refused(&mut w, line(sheave(r)), "radius");
    }
    refused(&mut w, line(Sheave { axis: Vec3::ZERO, ..sheave(0.3) }), "axis");
    refused(&mut w, line(Sheave { centre: Vec3::new(f64::NAN, 0.0, 0.0), ..sheave(0.3) }), "point");
    refused(&mut w, line(sheave(0.3).efficiency(0.0)), "efficiency");
    refused(&mut w, line(sheave(0.3).friction(-1.0)), "friction");
    refused(&mut w, line(sheave(0.3)).slack(f64::NAN), "slack");
    refused(&mut w, line(sheave(0.3)).slack(-100.0), "slack");
    refused(&mut w, line(sheave(0.3)).stiffness(0.0), "stiffness");
    // Two sheaves in the same place, a point inside a sheave.
    let twice = Rope::from(ground, -Vec3::X).round(sheave(0.3).about()).round(sheave(0.2).against());
    refused(&mut w, twice.to(load, at(-3.0)), "guide");
    refused(&mut w, Rope::from(ground, 0.1 * Vec3::X).round(sheave(0.3).about()).to(load, at(-3.0)), "guide");
    refused(
        &mut w,
        Rope::from(ground, Vec3::X).across(Edge::between(ground, Vec3::Y, Vec3::Y)).to(load, at(-3.0)),
        "edge",
    );
}

#[test]
fn a_rope_that_is_too_short_for_its_way_is_hauled_in_and_no_more() {
    for short in [0.01, 0.5, 2.0] {
        for mass in [1e-3, 1.0, 1e6] {
            let mut w = World::new();
            let load = w.add(Body::particle(mass).at(Vec3::new(0.3, -4.0, 0.0))).unwrap();
            let sheave = Sheave::on(w.ground(), Vec3::ZERO, Vec3::Z, 0.3);
            let rope = Rope::from(w.ground(), Vec3::new(-3.0, -2.0, 0.0)).over(sheave);
            let rope = w.add(rope.to(load, Vec3::new(0.3, -4.0, 0.0)).slack(-short)).unwrap();
            for _ in 0..300 {
                w.step(1.0 / 60.0).unwrap();
            }
            let (y, v) = (w.body(load).unwrap().position().y, w.body(load).unwrap().velocity().length());
            assert!((y + 4.0 - short).abs() < 0.1 * short + 0.01, "{short} {mass}: {y}");
            assert!(v < 5.0 && w.rope(rope).unwrap().excess() < 1e-3, "{short} {mass}: {v}");
        }
    }
}

#[test]
fn a_way_through_itself_is_only_a_way() {
    let mut w = World::new();
    let load = w.add(Body::particle(10.0).at(Vec3::new(0.5, -3.0, 0.0))).unwrap();
    // A figure of eight, and over the first sheave once more.
    let a = Sheave::on(w.ground(), Vec3::ZERO, Vec3::Z, 0.3);
    let b = Sheave::on(w.ground(), Vec3::new(1.0, 0.0, 0.0), Vec3::Z, 0.3);
    let rope = Rope::from(w.ground(), Vec3::new(-2.0, -1.0, 0.0)).round(a.against()).round(b.about());
    let rope = rope.round(a.about()).round(b.against()).to(load, Vec3::new(0.5, -3.0, 0.0));
    w.add(rope).unwrap();
    let gain = gained(&mut w, 1.0 / 60.0, 600, "eight").unwrap();
    assert!(gain < 1e-6 * 10.0 * 9.81 * 3.0, "{gain}");
}

#[test]
fn a_winch_with_nothing_on_it_winds_and_pays_out_nothing_that_is_not_there() {
    let mut w = World::new();
    let load = w.add(Body::particle(10.0).at(Vec3::new(0.3, -3.0, 0.0))).unwrap();
    let winch = w.add(Winch::on(w.ground(), Vec3::ZERO, Vec3::Z, 0.3).inertia(1.0)).unwrap();
    let drum = w.drum(winch).unwrap().rope_diameter(0.01).wraps(10.0).stored(0.0);
    w.add(Rope::from_drum(drum.against()).to(load, Vec3::new(0.3, -3.0, 0.0))).unwrap();
    for speed in [-1.0, 1.0, -1.0] {
        w.set_winch(winch, Winding::Haul { speed, force: 1e4 }).unwrap();
        gained(&mut w, 1.0 / 60.0, 200, "empty winch").unwrap();
        // No lower than the rope is long.
        assert!(w.body(load).unwrap().position().length() < 3.0 + 2.0 * 0.31 + 1e-3);
    }
}

#[test]
fn what_a_rope_runs_over_can_be_removed_under_it() {
    let mut w = World::new();
    let ground = w.ground();
    let load = w.add(Body::particle(10.0).at(Vec3::new(0.3, -3.0, 0.0))).unwrap();
    let wheel = w.add(Body::dynamic(MassProperties::from_diagonal(1.0, Vec3::splat(0.05)).unwrap())).unwrap();
    w.add(Hinge::between(wheel, ground).axis(Vec3::Z)).unwrap();
    let sheave = Sheave::on(wheel, Vec3::ZERO, Vec3::Z, 0.3).no_slip();
    let rope = Rope::from(ground, Vec3::new(-2.0, -1.0, 0.0)).over(sheave).to(load, Vec3::new(0.3, -3.0, 0.0));
    let rope = w.add(rope).unwrap();
    w.step(0.01).unwrap();
    w.remove(wheel).unwrap();
    // The rope has gone with what led it, and nothing else has.
    assert!(w.rope(rope).is_err() && w.ropes().count() == 0);
    let before = w.body(load).unwrap().velocity().y;
    w.step(0.01).unwrap();
    assert!((w.body(load).unwrap().velocity().y - before + 0.0981).abs() < 1e-9);
}

/// Random ropes over random guides, which may coincide, overlap, lie in one line or on one body, with friction of every kind.
#[test]
fn random_ropes_are_refused_by_name_or_move_sanely() {
    let mut r = Random(7);
    let (mut built, mut stopped, mut gains, mut worst) = (0, 0, 0, 0.0_f64);
    for case in 0..1000 {
        let name = format!("case {case}");
        let mut w = World::new();
        let ratio = 10.0_f64.powf(r.within(0.0, 6.0));
        let mut bodies = vec![w.ground()];
        let mut mass = 0.0;
        for _ in 0..2 + r.pick(3) {
            let m = if r.next() < 0.5 { 1.0 } else { ratio };
            mass += m;
            let at = r.place(3.0);
            let body = match r.pick(2) {
                0 => Body::particle(m),
                _ => Body::dynamic(MassProperties::from_diagonal(m, Vec3::splat(0.02 * m)).unwrap()),
            };
            bodies.push(w.add(body.at(at)).unwrap());
        }
        let spots: Vec<Vec3> = (0..4).map(|_| r.place(3.0)).collect();
        let spot = |r: &mut Random| if r.next() < 0.5 { spots[r.pick(4)] } else { r.place(3.0) };
        let body = |r: &mut Random, bodies: &[BodyId]| bodies[r.pick(bodies.len())];
        let (start, at) = (body(&mut r, &bodies), spot(&mut r));
        let mut rope = Rope::from(start, at);
        for _ in 0..r.pick(5) {
            let (on, at) = (body(&mut r, &bodies), spot(&mut r));
            let sheave = Sheave::on(on, at, Vec3::Z, r.within(0.0, 0.5));
            let sheave = match r.pick(4) {
                0 => sheave,
                1 => sheave.friction(r.within(0.0, 20.0)),
                2 => sheave.efficiency(r.within(0.1, 1.0)),
                _ => sheave.no_slip(),
            };
            rope = match r.pick(5) {
                0 => rope.round(sheave.about()),
                1 => rope.round(sheave.against().turns(r.pick(3) as u32)),
                2 => rope.through(on, at),
                3 => rope.across(Edge::between(on, at, at + r.place(1.0))),
                _ => rope.round(sheave.about()),
            };
        }
        let (end, at) = (body(&mut r, &bodies), spot(&mut r));
        rope = rope.to(end, at);
        if r.next() < 0.3 {
            rope = rope.stiffness(10.0_f64.powf(r.within(2.0, 7.0)));
        }
        match w.add(rope) {
            Ok(_) => built += 1,
            Err(Error::Input { name, expected, .. }) => {
                assert!(!name.is_empty() && !expected.is_empty());
                continue;
            }
            Err(e) => panic!("{name}: {e}"),
        }
        let h = [0.001, 0.01, 1.0 / 60.0, 0.1][r.pick(4)];
        let Some(gain) = gained(&mut w, h, 120, &name) else {
            stopped += 1;
            continue;
        };
        let gain = gain / (mass * 9.81 * 3.0);
        gains += usize::from(gain > 0.01);
        if gain > 1e-3 {
            println!("{name}: ratio {ratio:.1e}, {h:.4} s, gained {gain:.2e} of m g 3 m");
        }
        worst = worst.max(gain);
    }
    println!("{built} of 1000 built, {stopped} stopped, most gained {worst:.2e} of m g 3 m");
    assert!(built > 200, "{built}");
    assert_eq!(stopped, 0);
    // Guides that are dragged through each other (docs/limits.md 17): what the rope had in store there is found again at a jump.
    assert!(gains <= 3 && worst < 2.0, "{gains} {worst}");
}
