//! Ropes with mass that choose their own nodes: few where they are tight, one every segment where they are slack.

use taut::prelude::*;
use taut::{HeavyRopeId, Winch, WinchId, Winding};

/// A line of 60 m and 2 kg/m from a winch to a bollard at the same height, E A 5 MN, in pieces of 2 m at the least.
fn line(adaptive: bool) -> (World, WinchId, HeavyRopeId) {
    let mut w = World::new();
    let winch = w.add(Winch::on(w.ground(), Vec3::ZERO, Vec3::Z, 0.3).inertia(20.0)).unwrap();
    let end = Vec3::new(60.0, 0.3, 0.0);
    let rope = taut::Rope::from_drum(w.drum(winch).unwrap().over()).to(w.ground(), end).stiffness(EA).named("line");
    let rope = rope.massive(2.0).segment(2.0).stored(20.0).diameter(0.02);
    let rope = w.add(if adaptive { rope.adaptive() } else { rope }).unwrap();
    // A light wind takes the motion across the line away.
    w.set_wind(Some(taut::field::Wind { density: 100.0, ..taut::field::Wind::steady(Vec3::ZERO) })).unwrap();
    (w, winch, rope)
}

const EA: f64 = 5e6;
const H: f64 = 1.0 / 60.0;
/// How far it is paid out beyond straight, m, and the time of a turn, s.
const SLACK: f64 = 6.0;
const TURN: f64 = 30.0;

/// Paid out and hauled in like a cosine: slack at first, tight after half a turn.
fn wind(w: &mut World, winch: WinchId) {
    let rate = std::f64::consts::TAU / TURN;
    let speed = -0.5 * SLACK * rate * libm::sin(rate * w.time());
    w.set_winch(winch, Winding::Haul { speed, force: f64::INFINITY }).unwrap();
}

#[test]
fn a_line_tightened_and_slackened_in_a_loop_has_few_nodes_and_then_many() {
    let (mut a, wa, ra) = line(true);
    let (mut b, wb, rb) = line(false);
    let (mut few, mut many, mut events, mut last) = (usize::MAX, 0, 0, 0);
    let (mut off, mut jump, mut imbalance, mut merged) = (0.0_f64, 0.0_f64, 0.0_f64, Vec::new());
    let (mut history, mut even) = (Vec::new(), Vec::new());
    let mut sum = 0.0;
    for step in 0..3 * (TURN / H) as usize {
        wind(&mut a, wa);
        wind(&mut b, wb);
        let report = a.step(H).unwrap();
        b.step(H).unwrap();
        imbalance = imbalance.max(report.ledger.imbalance.abs() / report.energy.kinetic.max(1.0));
        sum += report.ledger.merged;
        let (view, other) = (a.heavy_rope(ra).unwrap(), b.heavy_rope(rb).unwrap());
        let n = view.nodes().len();
        events += usize::from(n != last);
        last = n;
        history.push(view.tension());
        even.push(other.tension());
        if step > (TURN / H) as usize {
            (few, many) = (few.min(n), many.max(n));
            let tight = other.tension() > 5e3;
            if tight {
                off = off.max((view.tension() - other.tension()).abs());
            }
            let second = |t: &[f64]| t.windows(3).last().map_or(0.0, |t| (t[2] - 2.0 * t[1] + t[0]).abs());
            jump = jump.max(second(&history) - second(&even));
        }
        if (step + 1) % (TURN / H) as usize == 0 {
            merged.push(sum);
            sum = 0.0;
        }
    }
    println!(
        "{few} to {many} nodes, {events} events, off {off:.1} N, jump {jump:.1} N, imbalance {imbalance:.1e}, merged {merged:?} J"
    );
    // Tight its pieces double in length from the winch on, slack it has a node every two metres.
    assert!(few <= 8 && many >= 30 && events >= 20, "{few} to {many} nodes, {events} events");
    // What the length of straight pieces may be off by, 1e-4, in tension.
    assert!(off < 1e-4 * EA && jump < 1e-4 * EA, "{off} N, {jump} N");
    assert!(imbalance < 1e-9, "{imbalance:e}");
    // Energy is lost where nodes go and come, and none is won in a whole turn.
    assert!(merged.iter().all(|e| *e <= 0.0), "{merged:?}");
}

#[test]
fn momentum_is_kept_where_nodes_go_and_come() {
    // A line between two boats without gravity: pulled tight it has no weight across itself, and all its nodes go.
    let mut w = World::new();
    w.set_options(taut::Options { gravity: Vec3::ZERO, ..taut::Options::default() }).unwrap();
    let at = |x: f64| x * Vec3::X;
    let boat = |w: &mut World, x: f64, v: Vec3| w.add(Body::particle(50.0).at(at(x)).moving(v, Vec3::ZERO)).unwrap();
    let (a, b) = (boat(&mut w, 0.0, Vec3::new(-0.2, 0.1, 0.0)), boat(&mut w, 20.0, Vec3::new(0.3, 0.13, 0.02)));
    let rope = taut::Rope::from(a, at(0.0)).to(b, at(20.0)).massive(0.5).segment(1.0).adaptive();
    let rope = w.add(rope).unwrap();
    let momentum = |w: &World| w.bodies().filter(|b| b.is_enabled()).map(|b| b.mass() * b.velocity()).sum::<Vec3>();
    let (mut fewest, before, mut energy) = (usize::MAX, w.heavy_rope(rope).unwrap().nodes().len(), None);
    let mut start = None;
    for _ in 0..600 {
        let report = w.step(H).unwrap();
        // The half span at the start rides with the first boat, which knows nothing of it: count from where the rods are settled.
        let p = momentum(&w);
        let from = *start.get_or_insert(p);
        assert!((p - from).length() < 1e-6 * from.length(), "{p} for {from}");
        fewest = fewest.min(w.heavy_rope(rope).unwrap().nodes().len());
        let now = report.energy.total();
        assert!(energy.is_none_or(|e| now <= e + 1e-9), "{now} J after {energy:?}");
        energy = Some(now);
    }
    println!("{before} nodes, then {fewest}");
    assert!(before >= 20 && fewest <= 6, "{before} {fewest}");
}

#[test]
fn a_snapshot_of_an_adaptive_line_is_good_at_any_number_of_nodes() {
    let (mut w, winch, rope) = line(true);
    let run = |w: &mut World, steps: usize| {
        (0..steps).for_each(|_| {
            wind(w, winch);
            w.step(H).unwrap();
        });
    };
    run(&mut w, 300);
    let (snapshot, nodes) = (w.state().clone(), w.heavy_rope(rope).unwrap().nodes().len());
    run(&mut w, 700);
    let hash = w.state().hash();
    assert_ne!(w.heavy_rope(rope).unwrap().nodes().len(), nodes);
    w.restore(&snapshot).unwrap();
    assert_eq!(w.heavy_rope(rope).unwrap().nodes().len(), nodes);
    run(&mut w, 700);
    assert_eq!(w.state().hash(), hash);
}
