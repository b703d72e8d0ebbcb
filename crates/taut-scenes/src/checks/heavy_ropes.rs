//! Ropes with mass at sea: an anchor handler and a tug with its tow, by their rules.

use super::rig::{Worst, lasted};
use super::{Effort, Failure, Measured};
use crate::scene::find;
use crate::scenes::anchor_handling::{self, DECK, SEA, STEEL};
use crate::scenes::tug_tow;
use taut::{BodyId, HeavyRopeRef, Vec3, World};

const STEP: f64 = 1.0 / 60.0;
const G: f64 = 9.81;

/// The heavy rope of a name.
fn heavy<'w>(w: &'w World, name: &str) -> Option<HeavyRopeRef<'w>> {
    w.heavy_ropes().map(|(_, r)| r).find(|r| r.name() == name)
}

fn tension(w: &World, name: &str) -> f64 {
    heavy(w, name).map_or(f64::NAN, |r| r.tension())
}

/// The drum of a winch named `winch` about z, from step to step.
struct Drum {
    body: BodyId,
    radius: f64,
    /// rad/s.
    spin: f64,
}

impl Drum {
    fn of(w: &World, radius: f64) -> taut::Result<Self> {
        let body = w.find_body("winch")?;
        Ok(Drum { body, radius, spin: w.body(body)?.angular_velocity().z })
    }

    /// What it has taken at its rim in the last step to be speeded up, N.
    fn takes(&mut self, w: &World) -> taut::Result<f64> {
        let rotor = w.body(self.body)?;
        let before = std::mem::replace(&mut self.spin, rotor.angular_velocity().z);
        Ok(rotor.mass_properties().inertia.z_axis.z * ((self.spin - before) / STEP).abs() / self.radius)
    }

    /// At which it hauls, m/s.
    fn speed(&self) -> f64 {
        self.radius * self.spin
    }
}

/// An anchor handler holds what wire and anchor weigh in the water, renders at its limit, and is simulated as fast as it happens.
pub(super) fn anchor_handling(effort: &Effort<'_>, out: &mut Vec<Measured>) -> Result<(), Failure> {
    // Held in still water: what is left of the weights there. The wire swings along itself for a while.
    let (from, time) = effort.pick((40.0, 80.0), (15.0, 30.0));
    let (mut s, p) = find("anchor-handling")?.with(&[("wave", "0"), ("speed", "0"), ("segment", "2")])?;
    let (mut sum, mut count, anchor) = (0.0, 0.0, s.follow);
    let o = effort.looked(&mut s, STEP, time, |w, x| {
        if x.report.time > from {
            (sum, count) = (sum + tension(w, "wire"), count + 1.0);
        }
        Ok(())
    })?;
    out.push(lasted("anchor handler at rest stable for", &o, time));
    let (hull, low) = (s.world.body(s.world.find_body("vessel")?)?.position().y, s.world.body(anchor)?.position().y);
    let d = p.number("diameter");
    let displaced = SEA * std::f64::consts::FRAC_PI_4 * d * d;
    let hangs = p.number("wire") * (DECK + hull - low) + displaced * low;
    let want = G * (p.number("mass") * (1.0 - SEA / STEEL) + hangs);
    let off = 100.0 * (sum / count / want - 1.0).abs();
    out.push(Measured::at_most("anchor handler: tension against what hangs in the water", off, 1.0, "%"));
    render(effort, out)?;
    real_time(effort, out)
}

/// Stuck in the bed and hauled at, in waves: the winch pays out and takes in at its limit.
fn render(effort: &Effort<'_>, out: &mut Vec<Measured>) -> Result<(), Failure> {
    let time = effort.pick(60.0, 30.0);
    let (mut s, p) = find("anchor-handling")?.with(&[("anchor", "holds"), ("segment", "2")])?;
    let limit = G * p.number("render");
    let (mut over, mut off, mut heave) = (Worst::new(), Worst::new(), [f64::INFINITY, f64::NEG_INFINITY]);
    let (hull, mut drum) = (s.follow, Drum::of(&s.world, anchor_handling::DRUM)?);
    let o = effort.looked(&mut s, STEP, time, |w, x| {
        let takes = drum.takes(w)?;
        let beyond = tension(w, "wire") - limit;
        over.see(100.0 * (beyond - takes) / limit, || format!("{:.1} s", x.report.time));
        // Slower than it is told to haul it slips, and its limit is what it pulls with.
        if drum.speed() < 0.98 * p.number("speed") && x.report.time > 20.0 {
            off.see(100.0 * (beyond.abs() - takes) / limit, || format!("{:.1} s", x.report.time));
        }
        if x.report.time > 20.0 {
            let y = w.body(hull)?.position().y;
            heave = [heave[0].min(y), heave[1].max(y)];
        }
        Ok(())
    })?;
    out.push(lasted("anchor handler at its limit stable for", &o, time));
    out.push(over.at_most("anchor handler: above the render limit and what the drum takes", 1.0, "%"));
    out.push(off.at_most("anchor handler: off the render limit and what the drum takes, while it renders", 1.0, "%"));
    out.push(Measured::at_least("anchor handler: the vessel heaves by", heave[1] - heave[0], 1.6, "m"));
    Ok(())
}

/// 800 nodes, with steps in which nodes come and go.
fn real_time(effort: &Effort<'_>, out: &mut Vec<Measured>) -> Result<(), Failure> {
    let (mut s, _) = find("anchor-handling")?.with(&[])?;
    let (mut slow, mut changing, mut nodes, mut changes) = (Worst::new(), Worst::new(), 0, 0);
    for k in 0..(effort.pick(60.0, 14.0) / STEP) as usize {
        let start = crate::thread_clock();
        s.step(STEP)?;
        let took = 1e3 * (crate::thread_clock() - start);
        let now = heavy(&s.world, "wire").map_or(0, |r| r.nodes().len());
        // The first step lays the world out.
        if k > 0 && now != nodes {
            changes += 1;
            changing.see(took, || format!("{now} nodes"));
        } else if k > 0 {
            slow.see(took, || format!("{now} nodes"));
        }
        nodes = now;
    }
    out.push(Measured::at_least("anchor handler: steps in which nodes come or go", f64::from(changes), 3.0, ""));
    out.push(slow.at_most("anchor handler: longest step on one core", 1e3 * STEP, "ms"));
    out.push(changing.at_most("anchor handler: longest of those in which nodes come or go", 1e3 * STEP, "ms"));
    Ok(())
}

/// The winch of a tug renders at its limit and no later than its drum can follow, and no node runs away.
pub(super) fn tug_tow(effort: &Effort<'_>, out: &mut Vec<Measured>) -> Result<(), Failure> {
    let time = effort.pick(600.0, 60.0);
    for pieces in effort.pick(&["even", "adaptive"][..], &["adaptive"]) {
        let (mut s, p) = find("tug-tow")?.with(&[("pieces", pieces)])?;
        let (limit, mut drum) = (G * p.number("render"), Drum::of(&s.world, tug_tow::DRUM)?);
        let (mut over, mut speed, mut length) = (Worst::new(), Worst::new(), Worst::new());
        let o = effort.looked(&mut s, STEP, time, |w, x| {
            let at = || format!("{pieces}, {:.1} s", x.report.time);
            let takes = drum.takes(w)?;
            over.see(100.0 * (tension(w, "wire") - limit - takes) / limit, at);
            for r in w.heavy_ropes().map(|(_, r)| r) {
                let places: Vec<Vec3> = r.nodes().iter().map(|b| w[*b].pos).collect();
                let fastest = r.nodes().iter().map(|b| w[*b].vel.length()).fold(0.0, f64::max);
                speed.see(fastest, at);
                let way: f64 = places.windows(2).map(|p| p[0].distance(p[1])).sum();
                let said: f64 = r.lengths().sum();
                length.see(100.0 * (way / said - 1.0).abs(), at);
            }
            Ok(())
        })?;
        out.push(lasted(format!("tug and tow, {pieces} pieces, stable for"), &o, time));
        out.push(over.at_most("tug and tow: above the render limit and what the drum takes", 1.0, "%"));
        out.push(speed.at_most("tug and tow: fastest node", 20.0, "m/s"));
        out.push(length.at_most("tug and tow: wire longer than it is", 2.0, "%"));
    }
    Ok(())
}
