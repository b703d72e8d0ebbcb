//! Ends of ropes over guides: cut, released, attached, spliced; what that does to energy and momentum, and what bad input gets.

use taut::prelude::*;
use taut::{BodyId, HeavyRope, Ledger, RopeEnd, RopeId, Sheave, Winch, Winding};

fn at(x: f64, y: f64) -> Vec3 {
    Vec3::new(x, y, 0.0)
}

fn energy(w: &World) -> f64 {
    w.energy().unwrap().total()
}

/// Momentum of some bodies, N s.
fn momentum(w: &World, bodies: &[BodyId]) -> Vec3 {
    bodies.iter().map(|b| w.body(*b).unwrap()).map(|b| b.mass() * b.velocity()).sum()
}

/// What the entries of a ledger are off by, J.
fn imbalance(l: &Ledger) -> f64 {
    let sum = l.work
        + l.damping
        + l.stabiliser
        + l.constraints
        + l.contacts
        + l.elements
        + l.plastic
        + l.broken
        + l.fed
        + l.merged
        + l.integration;
    l.change - sum
}

/// Two loads over a sheave of 0.3 m: kg, and the force that doubles the length of the rope, N.
fn machine(masses: [f64; 2], stiffness: Option<f64>) -> (World, [BodyId; 2], RopeId) {
    let mut w = World::new();
    let a = w.add(Body::particle(masses[0]).at(at(-0.3, -5.0))).unwrap();
    let b = w.add(Body::particle(masses[1]).at(at(0.3, -5.0))).unwrap();
    let sheave = Sheave::on(w.ground(), Vec3::ZERO, Vec3::Z, 0.3);
    let mut line = Rope::from(a, at(-0.3, -5.0)).over(sheave).to(b, at(0.3, -5.0)).named("line");
    line.stiffness = stiffness;
    let rope = w.add(line).unwrap();
    (w, [a, b], rope)
}

#[test]
fn a_load_below_a_cut_falls_and_no_body_is_pushed() {
    for stiffness in [None, Some(1e5)] {
        for length in [2.0, 5.2, 8.0] {
            let (mut w, loads, rope) = machine([3.0, 2.0], stiffness);
            (0..30).for_each(|_| drop(w.step(0.01).unwrap()));
            let (before, held) = (momentum(&w, &loads), energy(&w));
            let whole = w.rope(rope).unwrap().length();
            let cut = w.cut_rope(rope, length).unwrap();
            assert_eq!(cut.ropes[0], rope);
            assert_eq!(momentum(&w, &loads), before);
            let lengths = cut.ropes.map(|r| w.rope(r).unwrap().length());
            assert!((lengths[0] - length).abs() < 1e-12 && (lengths[1] - whole + length).abs() < 1e-12, "{lengths:?}");
            // Not stretched any more, and the ends have masses of a thousandth.
            for (r, node) in cut.ropes.into_iter().zip(cut.nodes) {
                assert!(w.rope(r).unwrap().excess() < 1e-9, "{}", w.rope(r).unwrap().excess());
                assert_eq!(w.body(node).unwrap().mass(), 2e-3);
            }
            assert!(cut.energy <= 1e-9 && (stiffness.is_none() || cut.energy < -1e-4), "{}", cut.energy);
            let own: f64 = energy(&w) - cut.energy - held;
            let speeds = loads.map(|b| w.body(b).unwrap().velocity());
            let report = w.step(0.01).unwrap();
            assert!((report.ledger.broken - cut.energy).abs() < 1e-12 && (report.ledger.fed - own).abs() < 1e-9);
            assert!(imbalance(&report.ledger).abs() < 1e-9, "{:?}", report.ledger);
            assert!((report.energy.total() - held - report.ledger.change).abs() < 1e-9);
            // Cut on the wrap both fall; else the one that is on its own part alone does.
            for (k, (load, speed)) in loads.into_iter().zip(speeds).enumerate() {
                let gained = w.body(load).unwrap().velocity() - speed;
                let alone = length != 5.2 && (k == 0) == (length == 2.0);
                let off = (gained.y + 0.0981).abs();
                assert!(off < if alone { 1e-12 } else { 5e-4 }, "{length} {k}: {gained}");
            }
        }
    }
}

#[test]
fn what_cannot_be_cut_is_refused_and_nothing_changes() {
    let (mut w, [a, b], rope) = machine([3.0, 2.0], None);
    w.step(0.01).unwrap();
    let before = w.state().clone();
    let whole = w.rope(rope).unwrap().length();
    for length in [0.0, -1.0, whole, whole + 1.0, 1e300, f64::NAN, f64::INFINITY, 1e-9, whole - 1e-9] {
        let e = w.cut_rope(rope, length).unwrap_err().to_string();
        assert!(e.contains("length to cut the rope at") && e.contains("inside the rope"), "{e}");
    }
    w.restore(&before).unwrap();
    let last = RopeEnd::last_of(rope);
    let e = w.attach_rope(last, b, Vec3::splat(f64::NAN)).unwrap_err().to_string();
    assert!(e.contains("point for the end of the rope"), "{e}");
    let far = w.add(Body::fixed().at(at(90.0, 0.0))).unwrap();
    let e = w.attach_rope(last, far, at(90.0, 0.0)).unwrap_err().to_string();
    assert!(e.contains("too short by 84.5") && e.contains("last end of rope 'line'"), "{e}");
    assert!(w.rope_reach(last, far, at(90.0, 0.0)).unwrap() < -84.0);
    let e = w.splice_ropes(RopeEnd::first_of(rope), last).unwrap_err().to_string();
    assert!(e.contains("two ropes"), "{e}");
    w.remove(far).unwrap();
    let other = w.add(Rope::from(a, at(-0.3, -5.0)).to(b, at(0.3, -5.0)).slack(1.0)).unwrap();
    let e = w.splice_ropes(last, RopeEnd::first_of(other)).unwrap_err().to_string();
    assert!(e.contains("hangs free"), "{e}");
    w.remove(other).unwrap();
    let node = w.release_rope(last).unwrap();
    assert_eq!(w.release_rope(last).unwrap(), node);
    let e = w.attach_rope(last, node, Vec3::ZERO).unwrap_err().to_string();
    assert!(e.contains("splice"), "{e}");
    w.remove(rope).unwrap();
    assert!(w.rope(rope).is_err() && w.body(node).is_err());
    for gone in [w.cut_rope(rope, 1.0).map(drop), w.release_rope(last).map(drop), w.attach_rope(last, a, Vec3::ZERO)] {
        assert!(gone.is_err());
    }
}

#[test]
fn cut_and_spliced_it_is_the_same_rope() {
    for length in [2.0, 8.0] {
        let (mut w, loads, rope) = machine([3.0, 2.0], None);
        (0..20).for_each(|_| drop(w.step(0.01).unwrap()));
        let mut same = w.clone();
        let whole = w.rope(rope).unwrap().length();
        let tensions: Vec<f64> = w.rope(rope).unwrap().tensions().collect();
        let cut = w.cut_rope(rope, length).unwrap();
        assert_eq!(w.splice_ropes(cut.ends[0], cut.ends[1]).unwrap(), rope);
        let r = w.rope(rope).unwrap();
        assert!((r.length() - whole).abs() < 1e-12 && r.span_count() == 2 && r.free_ends() == [None; 2]);
        assert!(r.tensions().zip(tensions).all(|(a, b)| a == b) && r.paid_out().abs() < 1e-12);
        assert!(w.rope(cut.ropes[1]).is_err() && cut.nodes.iter().all(|n| w.body(*n).is_err()));
        for _ in 0..50 {
            let (a, b) = (w.step(0.01).unwrap(), same.step(0.01).unwrap());
            assert!(imbalance(&a.ledger).abs() < 1e-9 && (a.energy.total() - b.energy.total()).abs() < 1e-9);
        }
        for b in loads {
            let off = (w.body(b).unwrap().position() - same.body(b).unwrap().position()).length();
            assert!(off < 1e-9, "{length}: {off:e}");
        }
    }
}

#[test]
fn ends_of_any_two_sides_are_spliced() {
    // Four ropes with a load each, hung from the ground over sheaves; every pair of sides.
    for (first, second) in [(false, false), (false, true), (true, false), (true, true)] {
        let mut w = World::new();
        let ground = w.ground();
        let mut ends = Vec::new();
        let mut loads = Vec::new();
        for (k, last) in [first, second].into_iter().enumerate() {
            let x = 2.0 * k as f64;
            let load = w.add(Body::particle(1.0 + k as f64).at(at(x, -3.0))).unwrap();
            let out = if k == 0 { at(x + 0.2, -1.0) } else { at(x - 0.4, -1.0) };
            let centre = if k == 0 { at(x + 0.1, 0.0) } else { at(x - 0.1, 0.0) };
            let sheave = Sheave::on(ground, centre, Vec3::Z, 0.1).efficiency(0.9);
            let line = if last {
                Rope::from(load, at(x, -3.0)).over(sheave).to(ground, out)
            } else {
                Rope::from(ground, out).over(sheave).to(load, at(x, -3.0))
            };
            let rope = w.add(line.slack(0.5)).unwrap();
            ends.push(RopeEnd { rope, last });
            loads.push(load);
            w.release_rope(ends[k]).unwrap();
        }
        let lengths: f64 = ends.iter().map(|e| w.rope(e.rope).unwrap().length()).sum();
        let rope = w.splice_ropes(ends[0], ends[1]).unwrap();
        assert_eq!(rope, ends[0].rope);
        let r = w.rope(rope).unwrap();
        assert!((r.length() - lengths).abs() < 1e-12 && r.span_count() == 3, "{} {lengths}", r.length());
        assert!(r.wraps().all(|x| x > 0.0 && x < 3.2), "{:?}", r.wraps().collect::<Vec<_>>());
        let start = energy(&w);
        for _ in 0..300 {
            let report = w.step(0.01).unwrap();
            assert!(report.energy.total() < start + 1e-6);
        }
        // The heavier one has sunk, the other one hangs below its sheave, as on one rope.
        let heights: Vec<f64> = loads.iter().map(|l| w.body(*l).unwrap().position().y).collect();
        assert!(heights[1] < -3.5 && w.rope(rope).unwrap().excess().abs() < 1e-3, "{heights:?}");
    }
}

/// A platform on eight ropes from the corners of a frame, as the prototype has it.
fn platform(load: f64) -> (World, BodyId, Vec<(RopeId, Vec3, Vec3)>) {
    let mut w = World::new();
    let centre = at(0.0, 1.5);
    let mass = MassProperties::from_diagonal(load, Vec3::splat(0.02 * load)).unwrap();
    let p = w.add(Body::dynamic(mass).at(centre)).unwrap();
    let mut ropes = Vec::new();
    for (sx, sy, sz) in (0..8).map(|k| {
        let s = |bit: i32| if k >> bit & 1 == 0 { -1.0 } else { 1.0 };
        (s(2), s(1), s(0))
    }) {
        let corner = Vec3::new(2.0 * sx, 1.5 * sy + 1.5, 2.0 * sz);
        let held = centre + 0.2 * Vec3::new(sx * sy, -sy, sz);
        let length = (corner - held).length();
        // 1e-6 m/N per metre for 20 kg; stretched by 4e-4 of its length.
        let line = Rope::from(w.ground(), corner).to(p, held).stiffness(1e6 * load / 20.0).slack(-4e-4 * length);
        ropes.push((w.add(line).unwrap(), corner, held - centre));
    }
    (w, p, ropes)
}

#[test]
fn the_others_carry_in_the_step_of_a_cut() {
    for load in [20.0, 2e4] {
        for h in [0.01, 1.0 / 60.0] {
            let (mut w, p, ropes) = platform(load);
            let (cut_at, tied_at, end) = ((0.5 / h) as usize, (1.5 / h) as usize, (3.0 / h) as usize);
            let unit = load * 9.81;
            let (mut most, mut rise, mut solves) = (f64::INFINITY, [0.0_f64; 2], 0);
            let (mut free, mut carried) = (None, Vec::new());
            for k in 0..end {
                if k == cut_at {
                    carried = ropes.iter().map(|r| w.rope(r.0).unwrap().tension()).collect();
                    let length = w.rope(ropes[7].0).unwrap().length();
                    let before = energy(&w);
                    let cut = w.cut_rope(ropes[7].0, 0.5 * length).unwrap();
                    assert!(cut.energy < 0.0);
                    // The particles at the ends bring their own weight.
                    let own: f64 = cut.nodes.iter().map(|n| w.body(*n).unwrap()).map(|b| b.mass() * 9.81 * 3.0).sum();
                    assert!(energy(&w) <= before + own);
                    (most, free) = (energy(&w), Some(cut));
                } else if k == tied_at {
                    let end = RopeEnd::last_of(ropes[7].0);
                    let point = w.body(p).unwrap().pose().to_world(ropes[7].2);
                    // Half of it is gone: as found, it is as long as its way.
                    assert!(w.attach_rope(end, p, point).unwrap_err().to_string().contains("too short"));
                    w.attach_rope_with_slack(end, p, point, 0.0).unwrap();
                    most = energy(&w);
                }
                let report = w.step(h).unwrap();
                solves += report.solves;
                assert!(imbalance(&report.ledger).abs() < 1e-9 * unit, "{:?}", report.ledger);
                if k == cut_at {
                    // Those beside it take over within the step.
                    let now: Vec<f64> = ropes[..7].iter().map(|r| w.rope(r.0).unwrap().tension()).collect();
                    let jumped = now.iter().zip(&carried).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                    println!("{load} {h:.4}: {carried:.0?} then {now:.0?}");
                    assert!(jumped > 0.02 * unit && w.rope(ropes[7].0).unwrap().tension() < 1e-2 * unit);
                }
                if k >= cut_at {
                    let which = usize::from(k >= tied_at);
                    rise[which] = rise[which].max((report.energy.total() - most) / unit);
                }
            }
            println!(
                "{load} kg, h {h:.4}: rise {:.2e} % after the cut, {:.2e} % after the attach, {:.3} solves a step",
                100.0 * rise[0],
                100.0 * rise[1],
                solves as f64 / end as f64
            );
            assert!(rise[0] <= 1e-9 && rise[1] <= 0.0017, "{load} {h}: {rise:?}");
            assert!(free.is_some_and(|c| w.body(c.nodes[0]).is_err() && w.body(c.nodes[1]).is_ok()));
            assert!(w.body(p).unwrap().velocity().is_finite());
        }
    }
}

/// A tackle of four parts whose rope comes from a point of the ground at the side.
fn tackle(block: f64, load: f64, stiffness: Option<f64>) -> (World, BodyId, RopeId) {
    let mut w = World::new();
    let (r, ground) = (0.1, w.ground());
    let size = MassProperties::from_diagonal(block, Vec3::splat(block * 0.01)).unwrap();
    let b = w.add(Body::dynamic(size).at(at(0.0, -4.0))).unwrap();
    let mass = MassProperties::from_diagonal(load, Vec3::splat(load * 0.04)).unwrap();
    let l = w.add(Body::dynamic(mass).at(at(0.0, -4.6))).unwrap();
    w.add(Ball::between(b, l).at(at(0.0, -4.15))).unwrap();
    let above = Sheave::on(ground, Vec3::ZERO, Vec3::Z, r).keeper(true);
    let below = Sheave::on(b, at(0.0, -3.9), Vec3::Z, r);
    let mut line = Rope::from(ground, at(-3.0, -2.0)).round(above.against()).round(below.against());
    line = line.round(above.against()).round(below.against());
    line.stiffness = stiffness;
    let rope = w.add(line.to(ground, at(-r, 0.0)).named("tackle")).unwrap();
    (w, l, rope)
}

#[test]
fn a_released_end_runs_out_of_a_tackle() {
    let (mut worst, mut cells) = (0.0_f64, 0);
    for ratio in [1.0, 1e2, 1e4, 1e6] {
        for (h, time) in [(0.001, 2.5), (0.01, 5.0), (1.0 / 60.0, 5.0), (0.04, 5.0), (0.1, 6.0)] {
            for last in [false, true] {
                for soft in [false, true] {
                    let stiffness = soft.then_some(1e4 * (1.0 + ratio) * 9.81);
                    let (mut w, load, rope) = tackle(1.0, ratio, stiffness);
                    (0..5).for_each(|_| drop(w.step(h).unwrap()));
                    let held = energy(&w);
                    let node = w.release_rope(RopeEnd { rope, last }).unwrap();
                    let own = w.body(node).unwrap();
                    let weight = own.mass() * 9.81 * own.position().y;
                    let (start, scale) = (energy(&w), (1.0 + ratio) * 9.81 * 8.0);
                    assert!(start - weight <= held + 1e-9 * scale, "{start} {held}");
                    let (mut guides, mut left) = (w.rope(rope).unwrap().span_count(), 0);
                    for _ in 0..(time / h) as usize {
                        let report = w.step(h).unwrap();
                        let rise = (report.energy.total() - start) / scale;
                        worst = worst.max(rise);
                        assert!(rise < 2e-4, "{ratio} {h} {last} {soft}: {rise:e}");
                        assert!(imbalance(&report.ledger).abs() < 1e-9 * scale, "{:?}", report.ledger);
                        let out = |e: &&Event| matches!(e, Event::GuideLeft { .. });
                        left += report.events.iter().filter(out).count();
                        let now = w.rope(rope).unwrap().span_count();
                        assert!(now <= guides);
                        guides = now;
                    }
                    // From the dead end three of them: then it hangs over the first sheave, and the block is out.
                    let want = if last { (2, 3) } else { (1, 4) };
                    assert_eq!((guides, left), want, "{ratio} {h} {last} {soft}");
                    assert!(w.bodies().all(|b| b.position().is_finite() && b.velocity().is_finite()));
                    // The load has fallen, and what is left of the rope is tied to the ground at its other end.
                    assert!(w.body(load).unwrap().position().y < -6.0);
                    cells += 1;
                }
            }
        }
    }
    println!("{cells} of 80 cells, largest rise {worst:.1e} of m g 8 m");
}

#[test]
fn moving_bodies_of_any_ratio_are_attached() {
    for (rope_mass, body_mass) in [(1.0, 1.0), (1e6, 1.0), (1.0, 1e6)] {
        for h in [0.001, 0.01, 1.0 / 60.0, 0.1] {
            let mut w = World::new();
            let opt = Options { gravity: Vec3::ZERO, ..Options::default() };
            w.set_options(opt).unwrap();
            let a = w.add(Body::particle(rope_mass).moving(-3.0 * Vec3::X, Vec3::ZERO)).unwrap();
            let size = MassProperties::from_diagonal(body_mass, Vec3::splat(0.1 * body_mass)).unwrap();
            let b = w.add(Body::dynamic(size).at(at(2.0, 0.0)).moving(at(2.0, 5.0), Vec3::Z)).unwrap();
            let tail = w.add(Body::particle(1e-3).at(at(1.0, 0.0)).moving(-3.0 * Vec3::X, Vec3::ZERO)).unwrap();
            let rope = w.add(Rope::from(a, Vec3::ZERO).to(tail, at(1.0, 0.0)).slack(3.0).free_end()).unwrap();
            w.step(h).unwrap();
            let (before, both) = (momentum(&w, &[a, b]), [a, b]);
            let point = w.body(b).unwrap().pose().to_world(at(0.1, 0.2));
            let held: f64 = energy(&w);
            w.attach_rope(RopeEnd::last_of(rope), b, point).unwrap();
            assert!(energy(&w) <= held && momentum(&w, &both) == before && w.body(tail).is_err());
            let start = energy(&w);
            for _ in 0..(4.0 / h) as usize {
                let report = w.step(h).unwrap();
                assert!(report.energy.total() <= start * (1.0 + 1e-9), "{rope_mass} {body_mass} {h}");
            }
            let off = (momentum(&w, &both) - before).length() / (rope_mass.max(body_mass));
            assert!(off < 1e-9 && w.rope(rope).unwrap().excess() < 0.02, "{rope_mass} {body_mass} {h}: {off:e}");
        }
    }
}

#[test]
fn a_rope_goes_with_a_sheave_that_it_runs_over_and_not_with_one_that_it_has_left() {
    let (mut w, _, rope) = machine([3.0, 2.0], None);
    let block = w.add(Body::dynamic(MassProperties::sphere(1000.0, 0.1).unwrap()).at(at(4.0, -2.0))).unwrap();
    let load = w.add(Body::particle(5.0).at(at(4.0, -3.0))).unwrap();
    w.add(Ball::between(block, load).at(at(4.0, -3.0))).unwrap();
    let sheave = Sheave::on(block, at(4.0, -2.0), Vec3::Z, 0.1);
    let line = Rope::from(w.ground(), at(3.9, 0.0)).under(sheave).to(w.ground(), at(4.1, 0.0));
    let (kept, gone) = (w.add(line.clone()).unwrap(), w.add(line).unwrap());
    let node = w.release_rope(RopeEnd::last_of(kept)).unwrap();
    w.step(0.01).unwrap();
    w.release_rope(RopeEnd::first_of(gone)).unwrap();
    let other = w.rope(gone).unwrap().free_ends()[0].unwrap();
    (0..100).for_each(|_| drop(w.step(0.01).unwrap()));
    assert_eq!((w.rope(kept).unwrap().span_count(), w.rope(gone).unwrap().span_count()), (1, 1));
    let again = w
        .add(
            Rope::from(w.ground(), at(3.9, 0.0))
                .through(block, w.body(block).unwrap().position())
                .to(w.ground(), at(4.1, 0.0))
                .slack(0.1),
        )
        .unwrap();
    let loose = w.release_rope(RopeEnd::last_of(again)).unwrap();
    w.remove(block).unwrap();
    assert!(w.rope(again).is_err() && w.body(loose).is_err());
    assert!(w.rope(kept).is_ok() && w.body(node).is_ok() && w.body(other).is_ok());
    (0..50).for_each(|_| drop(w.step(0.01).unwrap()));
    // With the particle of a free end goes its rope.
    w.remove(node).unwrap();
    assert!(w.rope(kept).is_err() && w.rope(rope).is_ok());
    w.step(0.01).unwrap();
}

#[test]
fn cuts_of_winch_ropes_rings_edges_and_rotors() {
    for (kind, part) in (0..5).flat_map(|k| (1..40).map(move |p| (k, p))) {
        let mut w = World::new();
        let ground = w.ground();
        let load = w.add(Body::dynamic(MassProperties::sphere(1000.0, 0.1).unwrap()).at(at(2.0, -3.0))).unwrap();
        let line = match kind {
            0 => {
                let winch = w.add(Winch::on(ground, at(-1.0, -1.0), Vec3::Z, 0.2)).unwrap();
                let sheave = Sheave::on(ground, at(1.8, 0.0), Vec3::Z, 0.2).friction(0.2);
                Rope::from_drum(w.drum(winch).unwrap().against()).over(sheave)
            }
            1 => Rope::from(ground, at(-1.0, 0.0)).through(ground, at(2.0, 0.0)),
            2 => {
                let edge = taut::Edge::between(ground, Vec3::new(2.0, 0.0, -1.0), Vec3::new(2.0, 0.0, 1.0));
                Rope::from(ground, at(-1.0, 0.0)).across(edge.friction(0.3))
            }
            3 => {
                let mass = MassProperties::from_diagonal(2.0, Vec3::splat(0.1)).unwrap();
                let rotor = w.add(Body::dynamic(mass).at(at(1.8, 0.0))).unwrap();
                w.add(Hinge::between(rotor, ground).at(at(1.8, 0.0)).axis(Vec3::Z)).unwrap();
                Rope::from(ground, at(-1.0, 0.0)).over(Sheave::on(rotor, at(1.8, 0.0), Vec3::Z, 0.2).no_slip())
            }
            _ => {
                let bollard = Sheave::on(ground, at(1.8, 0.0), Vec3::Z, 0.2).friction(0.1);
                Rope::from(ground, at(-1.0, 0.0)).round(bollard.over().turns(2))
            }
        };
        let mut line = line.to(load, at(2.0, -2.9));
        line.stiffness = (kind == 1 || kind == 3).then_some(1e6);
        let rope = w.add(line).unwrap();
        (0..10).for_each(|_| drop(w.step(0.01).unwrap()));
        let whole = w.rope(rope).unwrap().length();
        let s = whole * f64::from(part) / 40.0;
        let place = w.rope(rope).unwrap().point_at(s).unwrap();
        let back = w.rope(rope).unwrap().length_to(place);
        assert!(kind == 4 || (back - s).abs() < 1e-9, "{kind} {part}: {s} at {place} is {back}");
        let cut = w.cut_rope(rope, s).unwrap();
        let lengths = cut.ropes.map(|r| w.rope(r).unwrap().length());
        let sum = lengths[0] + lengths[1] - whole;
        assert!((lengths[0] - s).abs() < 1e-9 && sum.abs() < 1e-9 && cut.energy <= 1e-12, "{kind} {part}: {lengths:?}");
        for n in cut.nodes {
            let off = (w.body(n).unwrap().position() - place).length();
            assert!(off < 0.01, "{kind} {part}: {off}");
        }
        let (start, unit) = (energy(&w), 4.2 * 9.81);
        // Of m g 1 m, while it falls by 5 m; friction that the rope slips against is off by more.
        let most = if kind == 1 || kind == 3 { 1e-4 } else { 1e-2 };
        for _ in 0..100 {
            let report = w.step(0.01).unwrap();
            assert!(report.energy.total() < start + most * unit, "{kind} {part}: {}", report.energy.total() - start);
            assert!(imbalance(&report.ledger).abs() < 1e-9 * unit, "{kind} {part}: {:?}", report.ledger);
        }
        let speed = w.body(load).unwrap().velocity().y;
        // A rotor that it still runs over is speeded up too.
        assert!(speed < if kind == 3 { -6.0 } else { -9.0 }, "{kind} {part}: {speed}");
        assert!(cut.ropes.iter().all(|r| w.rope(*r).unwrap().length().is_finite()));
    }
}

#[test]
fn snapshots_of_cut_ropes_repeat_bit_for_bit() {
    let (mut w, _, rope) = tackle(1.0, 100.0, None);
    (0..10).for_each(|_| drop(w.step(0.01).unwrap()));
    let before = w.state().clone();
    let cut = w.cut_rope(rope, 2.5).unwrap();
    assert!(w.restore(&before).unwrap_err().to_string().contains("edition"));
    let after = w.state().clone();
    let mut hashes = Vec::new();
    for k in 0..200 {
        if k == 30 {
            // In mid-run, while the end is between two guides.
            let kept = w.state().clone();
            let mut copy = w.clone();
            (0..40).for_each(|_| drop(copy.step(0.01).unwrap()));
            copy.restore(&kept).unwrap();
            (0..20).for_each(|_| drop(copy.step(0.01).unwrap()));
            let mut plain = w.clone();
            (0..20).for_each(|_| drop(plain.step(0.01).unwrap()));
            assert_eq!(copy.state().hash(), plain.state().hash());
        }
        w.step(0.01).unwrap();
        hashes.push(w.state().hash());
    }
    assert_eq!(w.rope(cut.ropes[1]).unwrap().span_count(), 1);
    w.restore(&after).unwrap();
    for (k, hash) in hashes.into_iter().enumerate() {
        w.step(0.01).unwrap();
        assert_eq!(w.state().hash(), hash, "step {k}");
    }
}

/// A generator of numbers from 0 to 1.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn pick(&mut self, count: usize) -> usize {
        ((self.roll() * count as f64) as usize).min(count - 1)
    }
}

#[test]
fn random_edits_make_no_energy() {
    let mut done = [0; 4];
    for seed in 0..80 {
        let mut dice = Dice(seed);
        let h = [0.002, 0.01, 1.0 / 60.0, 0.05][seed as usize % 4];
        let mut w = World::new();
        let ground = w.ground();
        let mut loads = Vec::new();
        for k in 0..6 {
            let x = 1.5 * f64::from(k);
            let mass = 10f64.powf(4.0 * dice.roll() - 1.0);
            let size = MassProperties::from_diagonal(mass, Vec3::splat(0.02 * mass)).unwrap();
            let load = w.add(Body::dynamic(size).at(at(x, -3.0 - dice.roll()))).unwrap();
            let sheave = Sheave::on(ground, at(x + 0.1, 0.0), Vec3::Z, 0.1);
            let kind = dice.pick(3);
            let sheave = [sheave, sheave.friction(0.2), sheave.keeper(true)][kind];
            let point = w.body(load).unwrap().position();
            let mut line = Rope::from(load, point).over(sheave).through(ground, at(x + 0.7, -0.8));
            line.stiffness = (kind != 1 && dice.roll() < 0.5).then_some(2e3 * mass * 9.81);
            w.add(line.to(ground, at(x + 1.0, 0.3)).named(format!("rope {k}"))).unwrap();
            loads.push(load);
        }
        let scale: f64 = loads.iter().map(|l| w.body(*l).unwrap().mass() * 9.81 * 8.0).sum();
        let mut most = energy(&w);
        // Two seconds: what falls for longer is caught at a speed that no rope is made for.
        for step in 0..((2.0 / h) as usize).min(300) {
            if step % 2 == 1 {
                let ropes: Vec<RopeId> = w.ropes().map(|r| r.id()).collect();
                let before = energy(&w);
                let rope = ropes[dice.pick(ropes.len())];
                let end = RopeEnd { rope, last: dice.roll() < 0.5 };
                let which = dice.pick(4);
                let ok = match which {
                    0 => {
                        let length = (1.2 * dice.roll() - 0.1) * w.rope(rope).unwrap().length();
                        ropes.len() < 30 && w.cut_rope(rope, length).is_ok()
                    }
                    1 => w.release_rope(end).is_ok(),
                    2 => {
                        let load = loads[dice.pick(6)];
                        let place = w.body(load).unwrap().position();
                        let body = if dice.roll() < 0.3 { ground } else { load };
                        w.attach_rope(end, body, place + 0.1 * dice.roll() * Vec3::X).is_ok()
                    }
                    _ => {
                        let other = RopeEnd { rope: ropes[dice.pick(ropes.len())], last: dice.roll() < 0.5 };
                        w.splice_ropes(end, other).is_ok()
                    }
                };
                done[which] += usize::from(ok);
                // Particles that come and go have an energy of their own; the rest does not rise.
                let change = energy(&w) - before;
                if ok {
                    most += change;
                }
            }
            let report = w.step(h).unwrap();
            let total = report.energy.total();
            let rise = (total - most) / scale;
            assert!(rise < 1e-3, "seed {seed}, step {step}, h {h}: {rise:e}");
            most = most.min(total.max(most - scale));
            assert!(imbalance(&report.ledger).abs() < 1e-8 * scale, "seed {seed}, step {step}: {:?}", report.ledger);
            assert!(w.bodies().all(|b| b.position().is_finite() && b.velocity().is_finite()));
        }
    }
    println!("{done:?} cuts, releases, attachments and splices");
    assert!(done.iter().all(|n| *n > 10), "{done:?}");
}

#[test]
fn a_rope_with_mass_is_cut_where_it_is_told_and_keeps_its_mass_and_momentum() {
    let build = |locker: bool| {
        let mut w = World::new();
        let mass = MassProperties::from_diagonal(20.0, Vec3::splat(0.5)).unwrap();
        let load = w.add(Body::dynamic(mass).at(at(0.3, -8.0))).unwrap();
        let heavy = if locker {
            HeavyRope::from_locker(w.ground(), at(0.3, 0.0), (load, at(0.3, -8.0)), 2.0).segment(0.5).stored(12.0)
        } else {
            let winch = Winch::on(w.ground(), Vec3::ZERO, Vec3::Z, 0.3).inertia(5.0).winding(Winding::Free);
            let winch = w.add(winch).unwrap();
            let drum = w.drum(winch).unwrap();
            let line = Rope::from_drum(drum.against()).to(load, at(0.3, -8.0));
            line.massive(2.0).segment(0.5).stored(12.0)
        };
        let heavy = w.add(heavy).unwrap();
        (0..20).for_each(|_| drop(w.step(0.01).unwrap()));
        (w, load, heavy)
    };
    for locker in [false, true] {
        for part in [0.02, 0.3, 0.6, 0.99] {
            let (mut w, load, heavy) = build(locker);
            let out = w.heavy_rope(heavy).unwrap().out();
            for bad in [0.0, -1.0, out, f64::NAN] {
                assert!(w.cut_heavy_rope(heavy, bad).unwrap_err().to_string().contains("what is out"));
            }
            let totals = |w: &World| {
                // Nodes that are not out yet are switched off: their rope is on the drum.
                let free = |b: &taut::BodyRef<'_>| b.mass() > 0.0 && b.is_enabled();
                let mass: f64 = w.bodies().filter(free).map(|b| b.mass()).sum();
                let p: Vec3 = w.bodies().filter(free).map(|b| b.mass() * b.velocity()).sum();
                (mass, p, w.energy().unwrap().total())
            };
            let before = totals(&w);
            let nodes = w.heavy_rope(heavy).unwrap().nodes().to_vec();
            let cut = w.cut_heavy_rope(heavy, part * out).unwrap();
            let after = totals(&w);
            assert!((after.0 - before.0).abs() < 1e-12 && (after.1 - before.1).length() < 1e-12, "{locker} {part}");
            assert!(after.2 <= before.2 + 1e-6, "{locker} {part}: {before:?} {after:?}");
            if part == 0.02 {
                assert_eq!((cut.rope, &cut.nodes), (None, &nodes));
                assert_eq!(cut.line.is_some(), !locker);
                assert!(w.heavy_rope(heavy).is_err());
                assert!(cut.line.is_none_or(|r| w.rope(r).unwrap().free_ends()[1].is_some()));
            } else {
                assert_eq!(cut.rope, Some(heavy));
                let left = w.heavy_rope(heavy).unwrap();
                assert_eq!(left.nodes().len() + cut.nodes.len(), nodes.len());
                assert!((left.out() - part * out).abs() <= 0.5, "{} {}", left.out(), part * out);
            }
            let speed = w.body(load).unwrap().velocity().y;
            for _ in 0..50 {
                let report = w.step(0.01).unwrap();
                assert!(imbalance(&report.ledger).abs() < 1e-8, "{:?}", report.ledger);
            }
            let gained = w.body(load).unwrap().velocity().y - speed;
            // What was picked up last out of the locker is slower than the rest, which shares its momentum with it.
            let most = if locker && part == 0.02 { 5e-3 } else { 1e-6 };
            assert!((gained + 0.5 * 9.81).abs() < most, "{locker} {part}: {gained}");
        }
        // Let go of the load, it falls alone; tied again it goes on with it.
        let (mut w, load, heavy) = build(locker);
        let last = w.release_heavy_rope(heavy).unwrap();
        assert_eq!(w.heavy_rope(heavy).unwrap().nodes().last(), Some(&last));
        let speed = w.body(load).unwrap().velocity().y;
        (0..5).for_each(|_| drop(w.step(0.01).unwrap()));
        assert!((w.body(load).unwrap().velocity().y - speed + 0.05 * 9.81).abs() < 1e-9);
        w.attach_heavy_rope(heavy, load).unwrap();
        assert!(w.attach_heavy_rope(heavy, last).unwrap_err().to_string().contains("no part of the rope"));
        let before = energy(&w);
        for _ in 0..50 {
            w.step(0.01).unwrap();
        }
        assert!(energy(&w) <= before + 1e-6 || !locker);
        assert!(locker || w.heavy_rope(heavy).unwrap().tension() > 0.0);
    }
}
