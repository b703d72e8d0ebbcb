//! Torsion of ropes over guides: pendulums, statics, solid angles, momentum, energy, winding, snapshots, ends.

use std::f64::consts::TAU;
use taut::prelude::*;
use taut::{BodyId, Force, HeavyRopeId, RopeEnd, RopeId, Sheave, State, Winch, Winding};

fn at(x: f64, y: f64, z: f64) -> Vec3 {
    Vec3::new(x, y, z)
}

fn disk(mass: f64, inertia: f64) -> Body {
    Body::dynamic(MassProperties::from_diagonal(mass, Vec3::splat(inertia)).unwrap())
}

fn run(w: &mut World, h: f64, steps: usize) {
    for _ in 0..steps {
        w.step(h).unwrap();
    }
}

const GJ: f64 = 2.0;

/// A disk of 0.1 kg m^2 on a wire over so many sheaves, in a plane, or with axes in two directions.
fn pendulum(sheaves: usize, plane: bool) -> (World, BodyId, RopeId) {
    let mut w = World::new();
    let ground = w.ground();
    let sheave = |x: f64| Sheave::on(ground, at(x, 0.0, 0.0), Vec3::Z, 0.25);
    let (wire, low) = match (sheaves, plane) {
        (0, _) => (Rope::from(ground, at(0.25, 1.0, 0.0)), at(0.25, -2.0, 0.0)),
        (1, _) => (Rope::from(ground, at(-2.0, 0.25, 0.0)).round(sheave(0.0).against()), at(0.25, -2.0, 0.0)),
        (_, true) => {
            let wire = Rope::from(ground, at(-6.0, 0.25, 0.0)).round(sheave(-4.0).against());
            (wire.round(sheave(-2.0).about()).round(sheave(0.0).against()), at(0.25, -2.0, 0.0))
        }
        (_, false) => {
            let side = Sheave::on(ground, at(0.25, -2.0, 0.2), Vec3::X, 0.2);
            let up = Sheave::on(ground, at(0.25, 0.0, 0.65), Vec3::X, 0.25);
            let wire = Rope::from(ground, at(-3.0, 0.25, 0.0)).round(sheave(0.0).against());
            (wire.round(side.against()).round(up.about()), at(0.25, -4.0, 0.9))
        }
    };
    let body = w.add(disk(20.0, 0.1).at(low).named("disk")).unwrap();
    let rope = w.add(wire.to(body, low).torsion(GJ).named("wire")).unwrap();
    (w, body, rope)
}

#[test]
fn a_torsion_pendulum_has_the_period_of_the_textbook_over_any_number_of_sheaves() {
    for (sheaves, plane) in [(0, true), (1, true), (3, true), (3, false)] {
        let mut last = f64::INFINITY;
        for h in [0.02, 0.005, 0.001] {
            let (mut w, body, rope) = pendulum(sheaves, plane);
            w.set_velocity(body, Vec3::ZERO, 0.02 * Vec3::Y).unwrap();
            let length = w.rope(rope).unwrap().path();
            let want = TAU * (0.1 * length / GJ).sqrt();
            // Where the twist goes through zero: half periods.
            let (mut crossings, mut before) = (Vec::new(), 0.0);
            while crossings.len() < 9 {
                w.step(h).unwrap();
                let now = w.rope(rope).unwrap().twist();
                if before * now < 0.0 {
                    crossings.push(w.time() - h * now / (now - before));
                }
                before = now;
            }
            let got = (crossings[8] - crossings[0]) / 4.0;
            let off = got / want - 1.0;
            println!("{sheaves} sheaves, in a plane {plane}, h {h}: {got:.6} s for {want:.6} ({off:+.1e})");
            assert!(off.abs() < last, "{off}");
            last = off.abs();
        }
        assert!(last < 1e-6, "{sheaves}: {last}");
    }
}

#[test]
fn a_moment_at_the_end_turns_it_by_m_l_over_gj() {
    for (sheaves, plane) in [(0, true), (1, true), (3, true), (3, false)] {
        let (mut w, hook, rope) = pendulum(sheaves, plane);
        assert_eq!(w.rope(rope).unwrap().twist(), 0.0);
        w.add(Force::Drag { body: hook, linear: 40.0, angular: 0.5 }).unwrap();
        for moment in [0.1, -3.0] {
            let push = w.add(Force::Torque { body: hook, torque: moment * Vec3::Y }).unwrap();
            run(&mut w, 0.02, 6000);
            let view = w.rope(rope).unwrap();
            // About the rope, which runs down there.
            let want = -moment * view.path() / GJ;
            println!("{sheaves} sheaves, {moment} N m: {:.9} rad for {want:.9}", view.twist());
            assert!((view.twist() / want - 1.0).abs() < 1e-6, "{} for {want}", view.twist());
            assert!((view.torque() + moment).abs() < 1e-6 * moment.abs());
            w.remove(push).unwrap();
        }
    }
}

/// The block of a tackle of four parts hangs from an arm that takes the reaction of its wire at the dead end.
#[test]
fn through_a_tackle_the_dead_end_takes_what_the_live_end_is_turned_with() {
    let mut w = World::new();
    let ground = w.ground();
    let block = w.add(disk(40.0, 1.0).at(at(0.0, -3.0, 0.0))).unwrap();
    w.add(Prismatic::between(block, ground).axis(Vec3::Y)).unwrap();
    let start = at(2.0, 0.2, 0.0);
    let head = w.add(disk(1.0, 0.05).at(start)).unwrap();
    w.add(Hinge::between(head, ground).at(start).axis(Vec3::X)).unwrap();
    w.add(Force::Drag { body: head, linear: 0.0, angular: 0.3 }).unwrap();
    let top = |z: f64| Sheave::on(ground, at(0.0, 0.0, z), Vec3::Z, 0.2);
    let low = |z: f64| Sheave::on(block, at(0.0, -3.0, z), Vec3::Z, 0.2);
    let wire = Rope::from(head, start).round(top(0.0).about()).round(low(0.05).about()).round(top(0.1).about());
    let wire = wire.round(low(0.15).about()).to(ground, at(0.2, 0.0, 0.15));
    let rope = w.add(wire.torsion(GJ)).unwrap();
    w.add(Force::Torque { body: head, torque: 0.7 * Vec3::X }).unwrap();
    run(&mut w, 0.01, 12_000);
    let view = w.rope(rope).unwrap();
    let turned = w.body(head).unwrap().rotation().to_scaled_axis().x;
    let want = 0.7 * view.path() / GJ;
    println!("{turned:.9} rad for {:.9}, moment {:.9}", want - TAU * ((want - turned) / TAU).round(), view.torque());
    assert!((view.torque().abs() - 0.7).abs() < 1e-6 && (view.twist().abs() / want - 1.0).abs() < 1e-6);
}

/// Solid angle of the triangle of three unit vectors (van Oosterom and Strackee 1983).
fn solid_angle(a: Vec3, b: Vec3, c: Vec3) -> f64 {
    2.0 * a.dot(b.cross(c)).atan2(1.0 + a.dot(b) + b.dot(c) + c.dot(a))
}

#[test]
fn swinging_a_rope_out_of_its_plane_twists_it_by_the_solid_angle_of_its_directions() {
    for ring in [true, false] {
        let mut w = World::new();
        let ground = w.ground();
        let radius = 0.25;
        let low = if ring { at(0.0, -3.0, 0.0) } else { at(radius, -3.0, 0.0) };
        let end = w.add(Body::fixed().at(low)).unwrap();
        let wire = Rope::from(ground, at(-2.0, if ring { 0.0 } else { radius }, 0.0)).torsion(1.0);
        let sheave = Sheave::on(ground, Vec3::ZERO, Vec3::Z, radius);
        let wire = if ring { wire.through(ground, Vec3::ZERO) } else { wire.round(sheave.against()) };
        let rope = w.add(wire.to(end, low)).unwrap();
        for (dx, dz) in [(0.0, 1.0), (0.5, 1.0), (0.5, -2.0), (1.0, 0.0), (-0.2, 2.0)] {
            w.set_pose(end, Pose { pos: low + at(dx, 0.0, dz), rot: Quat::IDENTITY }).unwrap();
            let view = w.rope(rope).unwrap();
            let [from, to] = view.ends().last().unwrap();
            let u = (to - from).normalize();
            // Round the sheave its directions go along the circle to below u, and from there up to u.
            let first = if ring { Vec3::X } else { at(u.x, u.y, 0.0).normalize() };
            let want = solid_angle(first, u, -Vec3::Y);
            let got = view.twist();
            println!("ring {ring}, {dx} {dz}: {got:.12} for {want:.12}");
            assert!((got.abs() - want.abs()).abs() < 1e-12, "{got} {want}");
        }
    }
}

fn momentum(w: &World, bodies: &[BodyId]) -> (Vec3, Vec3) {
    let one = |b: &BodyId| {
        let b = w.body(*b).unwrap();
        (b.momentum(), b.position().cross(b.momentum()) + b.angular_momentum())
    };
    bodies.iter().map(one).fold((Vec3::ZERO, Vec3::ZERO), |s, m| (s.0 + m.0, s.1 + m.1))
}

#[test]
fn a_system_that_floats_keeps_its_momentum() {
    let mut drift = [0.0; 4];
    for (k, (ring, torsion)) in [(true, false), (true, true), (false, false), (false, true)].into_iter().enumerate() {
        let mut w = World::new();
        w.set_options(Options { gravity: Vec3::ZERO, ..*w.options() }).unwrap();
        let start =
            w.add(disk(2.0, 0.1).at(at(-2.0, 0.25, 0.0)).moving(at(-0.3, 0.1, 0.2), at(1.0, 2.0, -0.5))).unwrap();
        let block = disk(3.0, 0.2).moving(at(0.3, 0.3, 0.0), at(0.1, -0.4, 0.2));
        let block = w.add(block).unwrap();
        let low = at(0.25, -2.0, 0.3);
        let end = w.add(disk(1.0, 0.05).at(low).moving(at(0.0, -0.5, -0.1), at(-1.0, 3.0, 0.5))).unwrap();
        let wire = Rope::from(start, at(-2.0, 0.25, 0.0)).stiffness(500.0);
        let wire = if torsion { wire.torsion(1.5) } else { wire };
        let sheave = Sheave::on(block, Vec3::ZERO, Vec3::Z, 0.25);
        let wire = if ring { wire.through(block, at(0.1, 0.2, 0.0)) } else { wire.round(sheave.against()) };
        let rope = w.add(wire.to(end, low)).unwrap();
        let all = [start, block, end];
        let before = momentum(&w, &all);
        let mut twisted = 0.0_f64;
        for _ in 0..500 {
            w.step(0.002).unwrap();
            twisted = twisted.max(w.rope(rope).unwrap().torque().abs());
        }
        let after = momentum(&w, &all);
        let (linear, angular) = ((after.0 - before.0).length(), (after.1 - before.1).length());
        println!("ring {ring}: linear {linear:.1e}, angular {angular:.1e}, largest moment {twisted:.3} N m");
        assert!((twisted > 0.1) == torsion && linear < 1e-12, "{linear:e}");
        drift[k] = angular;
    }
    // What the rope itself loses is that of the step; torsion adds nothing.
    assert!(drift[1] < 1.05 * drift[0] && drift[3] < 1.05 * drift[2], "{drift:?}");
}

/// A load on a wire over a sheave whose axis leans, from a head of so many times its inertia that turns about the wire.
fn headed(ratio: f64, gj: f64, turns: f64) -> (World, BodyId, RopeId) {
    let mut w = World::new();
    let ground = w.ground();
    let from = at(-2.0, 0.25, 0.0);
    let head = disk(1.0, 0.02 * ratio).at(from).moving(Vec3::ZERO, at(turns / ratio, 0.0, 0.0));
    let head = w.add(head).unwrap();
    w.add(Hinge::between(head, ground).at(from).axis(Vec3::X)).unwrap();
    let low = at(0.25, -2.0, 0.0);
    let load = w.add(disk(10.0, 0.02).at(low).moving(at(0.3, 0.0, 0.4), at(0.5, turns, -0.3))).unwrap();
    let axis = at(0.05, -0.1, 1.0).normalize();
    let wire = Rope::from(head, from).round(Sheave::on(ground, Vec3::ZERO, axis, 0.25).against());
    let rope = w.add(wire.to(load, low + 0.1 * Vec3::Y).torsion(gj)).unwrap();
    (w, load, rope)
}

#[test]
fn energy_does_not_rise_at_any_step_and_ratio_of_inertias() {
    let (mut cells, mut most, mut unbalanced) = (0, 0.0_f64, 0.0_f64);
    for ratio in [1.0, 1e3, 1e6] {
        for gj in [0.1, 10.0, 1e4] {
            for h in [0.001, 0.01, 1.0 / 60.0, 0.1] {
                let (mut w, _, rope) = headed(ratio, gj, 3.0);
                let first = w.step(h).unwrap().energy.total();
                let scale = 10.0 * 9.81;
                let mut rise = 0.0_f64;
                for _ in 0..3000 {
                    let report = w.step(h).unwrap();
                    rise = rise.max((report.energy.total() - first) / scale);
                    unbalanced = unbalanced.max(report.ledger.imbalance.abs() / scale);
                }
                assert!(w.rope(rope).unwrap().twist().is_finite());
                // The energy of the world is that of the report.
                let report = w.step(h).unwrap().energy;
                let off = w.energy().unwrap().elastic - report.elastic;
                assert!(off.abs() < 1e-9 * scale, "{off:e} of {report:?}");
                if rise > 1e-3 {
                    println!("ratio {ratio:.0e} GJ {gj} h {h:.4}: rise {rise:.1e}");
                }
                most = most.max(rise);
                cells += 1;
            }
        }
    }
    println!("{cells} cells: largest rise {most:.1e} of m g 1 m, ledger closes to {unbalanced:.1e}");
    assert!(most < 5e-3 && unbalanced < 1e-9, "{most:e} {unbalanced:e}");
}

/// A load that slides down a pole without turning, on a winch.
fn hoist() -> (World, taut::WinchId, RopeId, BodyId) {
    let mut w = World::new();
    let winch = w.add(Winch::on(w.ground(), Vec3::ZERO, Vec3::Z, 0.3).inertia(2.0).named("winch")).unwrap();
    let low = at(0.3, -3.0, 0.0);
    let load = w.add(disk(10.0, 0.1).at(low)).unwrap();
    let drum = w.drum(winch).unwrap();
    let rope = w.add(taut::Rope::from_drum(drum.against()).to(load, low).torsion(5.0)).unwrap();
    // It is turned four times before it is held.
    for k in 1..=16 {
        w.set_pose(load, Pose { pos: low, rot: Quat::from_rotation_y(-0.25 * TAU * f64::from(k)) }).unwrap();
        w.step(1e-9).unwrap();
        w.set_velocity(load, Vec3::ZERO, Vec3::ZERO).unwrap();
    }
    w.add(Prismatic::between(load, w.ground()).axis(Vec3::Y)).unwrap();
    (w, winch, rope, load)
}

#[test]
fn what_is_hauled_in_takes_its_twist_along_and_brings_it_back() {
    let (mut w, winch, rope, _) = hoist();
    let (first, length) = (w.rope(rope).unwrap().twist(), w.rope(rope).unwrap().path());
    assert!((first - 4.0 * TAU).abs() < 1e-6, "{first}");
    let mut unbalanced = 0.0_f64;
    for (speed, steps) in [(0.5, 200), (-0.5, 200), (0.8, 150), (-0.4, 300), (-0.5, 100)] {
        w.set_winch(winch, Winding::Haul { speed, force: f64::INFINITY }).unwrap();
        for _ in 0..steps {
            unbalanced = unbalanced.max(w.step(0.01).unwrap().ledger.imbalance.abs());
        }
        let view = w.rope(rope).unwrap();
        let now = view.path();
        // The density stays; beyond what was out at first none comes.
        let want = first * (now / length).min(1.0);
        println!("{now:.4} m out: {:.9} rad for {want:.9}", view.twist());
        assert!((view.twist() / want - 1.0).abs() < 1e-9, "{} for {want}", view.twist());
    }
    assert!(unbalanced < 1e-9, "{unbalanced:e}");
}

#[test]
fn a_run_goes_on_from_a_snapshot_bit_for_bit() {
    let (mut w, _, rope) = headed(10.0, 1.0, 40.0);
    run(&mut w, 0.01, 150);
    let twist = w.rope(rope).unwrap().twist();
    assert!(twist.abs() > TAU, "more than a turn: {twist}");
    let bytes = w.state().to_bytes();
    run(&mut w, 0.01, 150);
    let hash = w.state().hash();
    w.restore(&State::from_bytes(&bytes).unwrap()).unwrap();
    assert_eq!(w.rope(rope).unwrap().twist(), twist);
    run(&mut w, 0.01, 150);
    assert_eq!(w.state().hash(), hash);
    // Another world that was made in the same way.
    let (mut v, ..) = headed(10.0, 1.0, 40.0);
    v.restore(&State::from_bytes(&bytes).unwrap()).unwrap();
    run(&mut v, 0.01, 150);
    assert_eq!(v.state().hash(), hash);
    // A rope of another stiffness is another world.
    let (mut v, ..) = headed(10.0, 6.0, 40.0);
    assert!(v.restore(&State::from_bytes(&bytes).unwrap()).is_err());
}

#[test]
fn a_rope_that_is_added_again_goes_on_as_it_was() {
    let (mut w, _, rope) = headed(10.0, 5.0, 40.0);
    run(&mut w, 0.01, 150);
    let (memory, twist) = (w.rope(rope).unwrap().memory(), w.rope(rope).unwrap().twist());
    let bodies: Vec<BodyId> = w.rope(rope).unwrap().bodies().collect();
    let mut v = w.clone();
    run(&mut w, 0.01, 50);
    v.remove(rope).unwrap();
    let axis = at(0.05, -0.1, 1.0).normalize();
    let wire = Rope::from(bodies[0], at(-2.0, 0.25, 0.0));
    let wire = wire.round(Sheave::on(v.ground(), Vec3::ZERO, axis, 0.25).against());
    let end = v.body(bodies[2]).unwrap().position() + 0.1 * Vec3::Y;
    let again = v.add(wire.to(bodies[2], end).torsion(5.0).remembering(memory)).unwrap();
    assert_eq!(v.rope(again).unwrap().twist(), twist);
    run(&mut v, 0.01, 50);
    assert_eq!(v.rope(again).unwrap().twist(), w.rope(rope).unwrap().twist());
}

#[test]
fn an_end_that_is_let_go_loses_the_torsion_to_the_ledger() {
    for cut in [false, true] {
        let (mut w, load, rope) = headed(10.0, 5.0, 40.0);
        run(&mut w, 0.01, 150);
        // All that is elastic is the rope, centred in time.
        let held = w.energy().unwrap().elastic;
        assert!(held > 1.0 && w.rope(rope).unwrap().energy() > 1.0, "{held}");
        if cut {
            w.cut_rope(rope, 2.0).unwrap();
        } else {
            w.release_rope(RopeEnd::last_of(rope)).unwrap();
        }
        let ledger = w.step(0.01).unwrap().ledger;
        assert!((ledger.broken + held).abs() < 1e-9 * held, "{} for {held}", ledger.broken);
        assert!(ledger.imbalance.abs() < 1e-9, "{ledger:?}");
        assert_eq!((w.rope(rope).unwrap().twist(), w.rope(rope).unwrap().torque()), (0.0, 0.0));
        if !cut {
            // Tied again, it begins anew.
            let point = w.body(load).unwrap().position();
            w.attach_rope_with_slack(RopeEnd::last_of(rope), load, point, 0.0).unwrap();
            assert_eq!(w.rope(rope).unwrap().twist(), 0.0);
            run(&mut w, 0.01, 20);
            assert!(w.rope(rope).unwrap().torque().abs() > 1e-3);
        }
    }
}

#[test]
fn ropes_that_are_spliced_hold_torsion_again() {
    let (mut w, _, rope) = headed(10.0, 5.0, 3.0);
    // Half a period: it is not twisted, and turns.
    run(&mut w, 0.01, 41);
    let cut = w.cut_rope(rope, 3.5).unwrap();
    assert_eq!(w.rope(rope).unwrap().torque(), 0.0);
    let whole = w.splice_ropes(cut.ends[0], cut.ends[1]).unwrap();
    assert!(w.rope(whole).unwrap().twist().abs() < 1e-12);
    let mut most = 0.0_f64;
    for _ in 0..50 {
        w.step(0.01).unwrap();
        most = most.max(w.rope(whole).unwrap().torque().abs());
    }
    assert!(most > 0.1, "{most}");
    let other =
        w.add(Rope::from(w.ground(), at(5.0, 0.0, 0.0)).to(w.ground(), at(5.0, -1.0, 0.0)).torsion(7.0)).unwrap();
    w.release_rope(RopeEnd::last_of(other)).unwrap();
    w.release_rope(RopeEnd::last_of(whole)).unwrap();
    let refused = w.splice_ropes(RopeEnd::last_of(whole), RopeEnd::last_of(other)).unwrap_err().to_string();
    assert!(refused.contains("torsion") && refused.contains("7") && refused.contains("5 N m^2"), "{refused}");
}

#[test]
fn twist_does_not_jump_where_guides_come_and_go() {
    // A load swings about a peg whose axis leans, and about an edge that it slides along, and turns.
    for edge in [false, true] {
        let mut w = World::new();
        let ground = w.ground();
        let low = at(0.6, -2.0, if edge { 0.4 } else { 0.0 });
        let load = w.add(disk(5.0, 0.1).at(low).moving(Vec3::ZERO, at(0.0, 2.0, 0.0))).unwrap();
        let axis = at(0.1, 0.05, 1.0).normalize();
        let peg = Sheave::on(ground, at(0.0, -1.0, 0.0), axis, 0.05);
        let wire = Rope::from(ground, Vec3::ZERO).torsion(2.0);
        let way = at(0.0, -1.0, 0.0);
        let edged = taut::Edge::between(ground, way - 2.0 * axis, way + 2.0 * axis).outward(Vec3::X);
        let wire = if edge { wire.across(edged) } else { wire.round(peg.against()) };
        let rope = w.add(wire.to(load, low)).unwrap();
        let (mut before, mut rate, mut jump, mut events, h) = (0.0, 0.0, 0.0_f64, 0, 0.002);
        for step in 0..4000 {
            let report = w.step(h).unwrap();
            assert!(report.ledger.imbalance.abs() < 1e-9);
            let now = w.rope(rope).unwrap().twist();
            events += report.events.len();
            if step > 1 {
                jump = jump.max((now - before - h * rate).abs());
            }
            (rate, before) = ((now - before) / h, now);
        }
        println!("edge {edge}: {events} times on and off, largest second difference {jump:.1e} rad");
        assert!(events >= 4 && jump < 5e-3, "{events} {jump}");
    }
}

#[test]
fn hauling_in_by_hand_makes_no_energy() {
    let (mut w, _, rope) = headed(10.0, 5.0, 40.0);
    run(&mut w, 0.01, 150);
    let before = (w.rope(rope).unwrap().energy(), w.rope(rope).unwrap().twist());
    w.pay_out(rope, -0.5).unwrap();
    let after = (w.rope(rope).unwrap().energy(), w.rope(rope).unwrap().twist());
    assert!(after.0 < before.0 && after.1.abs() < before.1.abs(), "{before:?} {after:?}");
    w.pay_out(rope, 0.5).unwrap();
    assert!(w.rope(rope).unwrap().energy() <= after.0);
}

#[test]
fn bad_torsion_is_refused_with_its_name_and_value() {
    let mut w = World::new();
    let ground = w.ground();
    let load = w.add(disk(1.0, 0.1).at(-Vec3::Y)).unwrap();
    let line = || Rope::from(ground, Vec3::ZERO).to(load, -Vec3::Y);
    for bad in [0.0, -2.0, f64::NAN, f64::INFINITY] {
        let e = w.add(line().torsion(bad)).unwrap_err().to_string();
        assert!(e.contains("torsion of the rope") && e.contains("N m^2"), "{e}");
    }
    let grip = Rope::from(ground, Vec3::ZERO).grip(load, -Vec3::Y).to(ground, -2.0 * Vec3::Y).torsion(1.0);
    let e = w.add(grip).unwrap_err().to_string();
    assert!(e.contains("torsion of the rope") && e.contains("grips"), "{e}");
    // A particle holds none.
    let bob = w.add(Body::particle(1.0).at(at(1.0, -1.0, 0.0))).unwrap();
    let free = w.add(Rope::from(ground, at(1.0, 0.0, 0.0)).to(bob, at(1.0, -1.0, 0.0)).torsion(1.0)).unwrap();
    run(&mut w, 0.01, 10);
    assert_eq!((w.rope(free).unwrap().twist(), w.rope(free).unwrap().torque()), (0.0, 0.0));
}

/// A disk of 0.1 kg m^2 and 20 kg on a rope of 0.5 kg/m from a winch, 4 m below it.
fn heavy() -> (World, taut::WinchId, HeavyRopeId, RopeId, BodyId) {
    let mut w = World::new();
    let winch = w.add(Winch::on(w.ground(), Vec3::ZERO, Vec3::Z, 0.3).inertia(2.0).named("winch")).unwrap();
    let low = at(0.3, -4.0, 0.0);
    let load = w.add(disk(20.0, 0.1).at(low)).unwrap();
    let drum = w.drum(winch).unwrap();
    let rope = taut::Rope::from_drum(drum.against()).to(load, low).torsion(GJ);
    let rope = w.add(rope.massive(0.5).segment(0.5).stored(10.0)).unwrap();
    let line = w.heavy_rope(rope).unwrap().rope().unwrap();
    (w, winch, rope, line, load)
}

#[test]
fn torsion_goes_through_the_particles_of_a_rope_with_mass() {
    let (mut w, _, rope, line, load) = heavy();
    w.set_velocity(load, Vec3::ZERO, 0.02 * Vec3::Y).unwrap();
    let want = TAU * (0.1 * w.heavy_rope(rope).unwrap().out() / GJ).sqrt();
    let (mut crossings, mut before, h) = (Vec::new(), 0.0, 0.002);
    while crossings.len() < 5 {
        let report = w.step(h).unwrap();
        assert!(report.ledger.imbalance.abs() < 1e-9);
        let now = w.rope(line).unwrap().twist();
        if before * now < 0.0 {
            crossings.push(w.time() - h * now / (now - before));
        }
        before = now;
    }
    let got = (crossings[4] - crossings[0]) / 2.0;
    println!("{got:.6} s for {want:.6} ({:+.1e})", got / want - 1.0);
    assert!((got / want - 1.0).abs() < 1e-4);
}

#[test]
fn a_rope_with_mass_keeps_its_twist_where_particles_come_and_go() {
    let (mut w, winch, rope, line, load) = heavy();
    let low = w.body(load).unwrap().position();
    for k in 1..=8 {
        w.set_pose(load, Pose { pos: low, rot: Quat::from_rotation_y(-0.25 * TAU * f64::from(k)) }).unwrap();
        w.step(1e-9).unwrap();
        w.set_velocity(load, Vec3::ZERO, Vec3::ZERO).unwrap();
    }
    w.add(Prismatic::between(load, w.ground()).axis(Vec3::Y)).unwrap();
    let (first, out) = (w.rope(line).unwrap().twist(), w.heavy_rope(rope).unwrap().out());
    assert!((first - 2.0 * TAU).abs() < 1e-6, "{first}");
    let (mut unbalanced, mut nodes) = (0.0_f64, Vec::new());
    for (speed, steps) in [(0.5, 400), (-0.5, 400), (-0.5, 400), (0.5, 400)] {
        w.set_winch(winch, Winding::Haul { speed, force: f64::INFINITY }).unwrap();
        for _ in 0..steps {
            unbalanced = unbalanced.max(w.step(0.01).unwrap().ledger.imbalance.abs());
        }
        let (view, twist) = (w.heavy_rope(rope).unwrap(), w.rope(line).unwrap().twist());
        // Hauled in it takes its twist along; beyond what was out at first none comes, and then the density is less.
        let want = first * (view.out() / out).min(1.0);
        println!("{:.4} m out in {} nodes: {twist:.9} rad for {want:.9}", view.out(), view.nodes().len());
        nodes.push(view.nodes().len());
        if nodes.len() < 4 {
            assert!((twist / want - 1.0).abs() < 1e-6, "{twist} for {want}");
        }
    }
    assert!(nodes[0] < nodes[1] && nodes[1] < nodes[2] && unbalanced < 1e-8, "{nodes:?} {unbalanced:e}");
    // Snapshots, across nodes that come and go.
    let state = w.state().clone();
    let on = |w: &mut World| {
        w.set_winch(winch, Winding::Haul { speed: 0.5, force: f64::INFINITY }).unwrap();
        run(w, 0.01, 200);
        w.state().hash()
    };
    let hash = on(&mut w);
    w.restore(&state).unwrap();
    assert_eq!(on(&mut w), hash);
    // Untied, it loses it.
    let held = w.energy().unwrap().elastic;
    w.release_heavy_rope(rope).unwrap();
    assert_eq!(w.rope(line).unwrap().twist(), 0.0);
    let ledger = w.step(0.01).unwrap().ledger;
    assert!(held > 0.1 && (ledger.broken + held).abs() < 1e-9 * held, "{} {held}", ledger.broken);
    w.attach_heavy_rope(rope, load).unwrap();
    w.remove(load).unwrap();
    run(&mut w, 0.01, 20);
}

#[test]
fn a_rope_with_mass_that_whirls_keeps_its_momentum() {
    // Two disks whirl about each other, and turn about the rope between them.
    for h in [0.004, 0.002, 0.001] {
        let mut drift = [0.0; 2];
        for torsion in [false, true] {
            let mut w = World::new();
            w.set_options(Options { gravity: Vec3::ZERO, ..*w.options() }).unwrap();
            let start = w.add(disk(2.0, 0.1).moving(at(0.0, -3.0, 0.3), at(4.0, 0.2, -0.5))).unwrap();
            let end = disk(3.0, 0.05).at(at(4.0, 0.0, 0.0)).moving(at(0.0, 2.0, -0.1), at(-6.0, 0.3, 0.5));
            let end = w.add(end).unwrap();
            let line = taut::Rope::from(start, Vec3::ZERO).to(end, at(4.0, 0.0, 0.0));
            let line = if torsion { line.torsion(1.5) } else { line };
            let rope = w.add(line.massive(0.3).segment(0.5)).unwrap();
            let mut all = vec![start, end];
            all.extend(w.heavy_rope(rope).unwrap().nodes());
            let line = w.heavy_rope(rope).unwrap().rope().unwrap();
            let (before, mut most) = (momentum(&w, &all), 0.0_f64);
            for _ in 0..(2.0 / h) as usize {
                w.step(h).unwrap();
                most = most.max(w.rope(line).unwrap().torque().abs());
            }
            let after = momentum(&w, &all);
            let (linear, angular) = ((after.0 - before.0).length(), (after.1 - before.1).length());
            println!("h {h}, torsion {torsion}: linear {linear:.1e}, angular {angular:.1e}, moment {most:.2} N m");
            assert!((most > 0.2) == torsion && linear < 1e-12);
            drift[usize::from(torsion)] = angular / before.1.length();
        }
        assert!(drift[1] < 1.5 * drift[0] + 1e-6, "{drift:?}");
    }
}
