//! Running ropes: each scene by its rule.

use super::rig::{Worst, lasted};
use super::{Check, Effort, Failure, Measured, heavy_ropes};
use crate::scene::{Scene, find};
use crate::scenes::{cable_robot, mobile_crane};
use taut::Vec3;

const STEP: f64 = 1.0 / 60.0;

pub(super) fn check() -> Check {
    Check {
        id: "ropes",
        summary: "cranes, an elevator, a capstan, a cable robot, a mainsheet, a platform whose rope is cut, an anchor handler, a tug with its tow, a ski lift: each by its closed form",
        source: "statics of tackles, Euler's law of belts, commanded lengths, conservation of energy",
        run,
    }
}

fn run(effort: &Effort<'_>) -> Result<Vec<Measured>, Failure> {
    let mut out = Vec::new();
    crane_at_work(effort, &mut out)?;
    drop_on_a_tackle(effort, &mut out)?;
    lifts(effort, &mut out)?;
    capstans(effort, &mut out)?;
    robot(effort, &mut out)?;
    sheet(effort, &mut out)?;
    cut(effort, &mut out)?;
    heavy_ropes::anchor_handling(effort, &mut out)?;
    heavy_ropes::tug_tow(effort, &mut out)?;
    super::ski_lift::measure(effort, &mut out)?;
    Ok(out)
}

fn tensions(s: &Scene, name: &str) -> Result<Vec<f64>, Failure> {
    Ok(s.world.rope(s.world.find_rope(name)?)?.tensions().collect())
}

/// The line of a crane carries a quarter of its load, ropes keep their lengths, its sling goes slack when the load is set down, and the load goes where it
/// goes with short steps.
fn crane_at_work(effort: &Effort<'_>, out: &mut Vec<Measured>) -> Result<(), Failure> {
    let time = effort.pick(60.0, 6.0);
    let way = |h: f64, out: &mut Vec<Measured>| -> Result<Vec<Vec3>, Failure> {
        let (mut s, _) = find("mobile-crane")?.with(&[])?;
        let (load, mut way) = (s.follow, Vec::new());
        let (mut line, mut slack) = (f64::NAN, 0.0);
        let o = effort.looked(&mut s, h, time, |w, x| {
            if x.report.time < 0.9 {
                line = w.rope(w.find_rope("hoist rope")?)?.tension();
            }
            if w.joint(w.find_joint("sling")?)?.tension() == 0.0 {
                slack += h;
            }
            // Twice a second.
            if x.report.time + 0.5 * h > 0.5 * (way.len() + 1) as f64 {
                way.push(w.body(load)?.position());
            }
            Ok(())
        })?;
        let steps = format!("mobile crane, {h:.3} s");
        out.push(lasted(format!("{steps}: stable for"), &o, time));
        let part = 100.0 * (line / (20350.0 * 9.81 / 4.0) - 1.0).abs();
        out.push(Measured::at_most(format!("{steps}: line against a quarter of the load"), part, 0.5, "%"));
        if !effort.quick {
            out.push(Measured::at_least(format!("{steps}: sling slack for"), slack, 1.0, "s"));
        }
        Ok(way)
    };
    let (coarse, fine) = (way(STEP, out)?, way(0.001, out)?);
    // While the load stands on the ground its block swings as it likes, and what it does when the load is lifted off is left to chance.
    let [mut off, mut lifted] = [Worst::new(), Worst::new()];
    for (k, (a, b)) in coarse.iter().zip(&fine).enumerate() {
        let time = 0.5 * (k + 1) as f64;
        let worst = if time < mobile_crane::LIFTS[0] { &mut off } else { &mut lifted };
        worst.see(1e3 * a.distance(*b), || format!("{time:.1} s"));
    }
    out.push(off.at_most("mobile crane: load against steps of 1 ms, until it stands on the ground", 10.0, "mm"));
    if lifted.seen() {
        out.push(lifted.at_most("mobile crane: load against steps of 1 ms, lifted off", 80.0, "mm"));
    }
    let (mut s, _) = find("mobile-crane")?.with(&[("diameter", "0")])?;
    let [mut excess, mut blow] = [Worst::new(), Worst::new()];
    let o = effort.looked(&mut s, STEP, time, |w, x| {
        let most = w.ropes().map(|r| r.excess() / r.length()).fold(f64::NEG_INFINITY, f64::max);
        let worst = if x.report.time < mobile_crane::LIFTS[0] { &mut excess } else { &mut blow };
        worst.see(most, || format!("{:.1} s", x.report.time));
        Ok(())
    })?;
    out.push(lasted("mobile crane on ropes that do not give: stable for", &o, time));
    out.push(excess.at_most("mobile crane on ropes that do not give: excess, of the length", 1e-9, ""));
    if blow.seen() {
        out.push(blow.at_most("mobile crane on ropes that do not give: excess at the blow of lifting off", 1e-4, ""));
    }
    Ok(())
}

/// The crane of the paper with its hoist rope reeved.
fn drop_on_a_tackle(effort: &Effort<'_>, out: &mut Vec<Measured>) -> Result<(), Failure> {
    let time = effort.pick(20.0, 5.0);
    let (mut rise, mut excess) = (Worst::new(), Worst::new());
    for parts in effort.pick(&["2", "4", "6"][..], &["4"]) {
        let (mut s, _) = find("crane")?.with(&[("reeving", parts)])?;
        let o = effort.looked(&mut s, STEP, time, |w, _| {
            let most = w.ropes().map(|r| r.excess() / r.length()).fold(0.0, f64::max);
            excess.see(100.0 * most, || format!("{parts} parts"));
            Ok(())
        })?;
        out.push(lasted(format!("crane, {parts} parts, stable for"), &o, time));
        rise.see(100.0 * o.energy_max_rise, || format!("{parts} parts"));
    }
    out.push(excess.at_most("crane: excess of the rope, of its length", 0.1, "%"));
    out.push(rise.at_most("crane: energy gained, of the scale", 0.5, "%"));
    Ok(())
}

/// A traction sheave slips where the ratio of the weights is above exp(mu pi), and only there.
fn lifts(effort: &Effort<'_>, out: &mut Vec<Measured>) -> Result<(), Failure> {
    for (mu, slips) in [("0.3", false), ("0.09", true)] {
        let (mut s, p) = find("elevator")?.with(&[("friction", mu)])?;
        let (start, mut slipped) = (s.world.body(s.follow)?.position().y, 0.0_f64);
        let time = 12.0;
        let o = effort.looked(&mut s, STEP, time, |w, _| {
            slipped = w.ropes().flat_map(|r| r.slips()).fold(slipped, |m, v| m.max(v.abs()));
            Ok(())
        })?;
        out.push(lasted(format!("elevator, friction {mu}, stable for"), &o, time));
        if slips {
            out.push(Measured::at_least(format!("elevator, friction {mu}: slips at"), slipped, 0.1, "m/s"));
        } else {
            let went = start - s.world.body(s.follow)?.position().y;
            out.push(Measured::at_most(format!("elevator, friction {mu}: slips at"), slipped, 1e-9, "m/s"));
            let asked = p.number("travel");
            out.push(Measured::at_most("elevator: stops from where it should", 1e3 * (went - asked).abs(), 25.0, "mm"));
        }
    }
    Ok(())
}

/// A capstan holds what is one per cent below exp(mu angle) and lets go of what is one above.
fn capstans(effort: &Effort<'_>, out: &mut Vec<Measured>) -> Result<(), Failure> {
    let sinks = |part: &str| -> Result<f64, Failure> {
        let (mut s, _) = find("capstan")?.with(&[("part", part)])?;
        let start = s.world.body(s.follow)?.position().y;
        effort.watched(&mut s, STEP, 2.0, |_| ())?;
        Ok(start - s.world.body(s.follow)?.position().y)
    };
    out.push(Measured::at_most("capstan: 0.99 of what it holds sinks", 1e3 * sinks("0.99")?, 1e-3, "mm"));
    out.push(Measured::at_least("capstan: 1.01 of what it holds sinks", 1e3 * sinks("1.01")?, 10.0, "mm"));
    Ok(())
}

/// The platform of a cable robot follows its path, and no rope goes slack.
fn robot(effort: &Effort<'_>, out: &mut Vec<Measured>) -> Result<(), Failure> {
    for (h, name) in [(0.01, "0.01 s"), (STEP, "1/60 s")] {
        let (mut s, p) = find("cable-robot")?.with(&[])?;
        let (radius, period) = (p.number("radius"), p.number("period"));
        let (mut off, mut least) = (0.0_f64, f64::INFINITY);
        let body = s.follow;
        let o = effort.looked(&mut s, h, 10.0, |w, x| {
            if x.report.time > 1.0 {
                off = off.max(w.body(body)?.position().distance(cable_robot::wanted(x.report.time, radius, period)));
            }
            least = w.ropes().map(|r| r.tension()).fold(least, f64::min);
            Ok(())
        })?;
        out.push(lasted(format!("cable robot, {name}, stable for"), &o, 10.0));
        out.push(Measured::at_most(format!("cable robot, {name}: off its path"), 1e3 * off, 2.0, "mm"));
        out.push(Measured::at_least(format!("cable robot, {name}: least tension"), least, 1.0, "N"));
    }
    Ok(())
}

/// The hand holds a third of what the sheet pulls at the ratchet, and the boom stays.
fn sheet(effort: &Effort<'_>, out: &mut Vec<Measured>) -> Result<(), Failure> {
    let time = 12.0;
    let (mut s, p) = find("sailing-boat")?.with(&[])?;
    let o = effort.watched(&mut s, STEP, time, |_| ())?;
    out.push(lasted("mainsheet stable for", &o, time));
    let t = tensions(&s, "mainsheet")?;
    out.push(Measured::at_most("mainsheet: pull of the hand", t[0], p.number("hand") + 1e-6, "N"));
    out.push(Measured::at_most("mainsheet: ratio at the ratchet", t[1] / t[0], p.number("ratchet") + 1e-6, ""));
    let speed = s.world.body(s.follow)?.angular_velocity().length();
    out.push(Measured::at_most("mainsheet: the boom turns at", speed, 0.2, "rad/s"));
    Ok(())
}

/// One of six ropes is cut: the others carry in that step, and energy only falls.
fn cut(effort: &Effort<'_>, out: &mut Vec<Measured>) -> Result<(), Failure> {
    for mass in effort.pick(&["200", "20000"][..], &["200"]) {
        let (mut s, _) = find("rope-access")?
            .with(&[("platform", mass), ("stiffness", if *mass == "200" { "6e4" } else { "6e6" })])?;
        let (scale, mut at_cut, mut rise, mut carried) = (s.energy_scale, None, 0.0_f64, 0.0);
        let o = effort.looked(&mut s, STEP, 10.0, |w, x| {
            let e = x.report.energy.total();
            if w.ropes().count() == 5 && at_cut.is_none() {
                at_cut = Some(e);
                carried = w.ropes().map(|r| r.tension()).sum();
            }
            if let Some(start) = at_cut {
                rise = rise.max((e - start) / scale);
            }
            Ok(())
        })?;
        out.push(lasted(format!("platform of {mass} kg stable for"), &o, 10.0));
        out.push(Measured::at_most(
            format!("platform of {mass} kg: energy gained after the cut, of m g 1 m"),
            100.0 * rise,
            0.2,
            "%",
        ));
        out.push(Measured::at_least(format!("platform of {mass} kg: the other ropes pull with"), carried, 1.0, "N"));
    }
    Ok(())
}
