//! The rod on a cylinder: bilateral rows in the factorisation, and Gauss-Seidel on all rows beside it. `taut figure insimo-rod` prints
//! and draws the same runs.

use super::rig::Worst;
use super::{Check, Effort, Failure, Measured};
use crate::scene::find;
use taut::{Options, Solver, Vec3, World};

/// Tip loads, kg.
pub const LOADS: [f64; 4] = [0.0, 0.005, 0.05, 0.5];
/// Step and time of a run, s.
pub const STEP: f64 = 0.01;
/// Time of a run, s.
pub const TIME: f64 = 1.0;
/// A rod of so many times its length has diverged.
const BURST: f64 = 5.0;

/// What one run of the rod came to.
#[derive(Clone, Debug)]
pub struct RodRun {
    /// Step in which it diverged.
    pub diverged: Option<usize>,
    /// Largest elongation of the rod, as a part of its length.
    pub elongation: f64,
    /// Elongation at the end.
    pub end: f64,
    /// Median over the steps of the largest velocity by which a segment misses its aim, m/s.
    pub bilateral: f64,
    /// Largest of them, m/s.
    pub bilateral_max: f64,
    /// Largest residual of contact and friction, m/s.
    pub contact: f64,
    /// Mean iterations of the bounded solve per step.
    pub iterations: f64,
    /// Deepest penetration, m.
    pub penetration: f64,
    /// Where the rod lies at the end, m.
    pub shape: Vec<Vec3>,
}

/// Runs the rod with a tip load (kg) and a solver; `stop` ends it.
pub fn run_rod(load: f64, solver: Solver, stop: impl Fn() -> bool) -> Result<RodRun, Failure> {
    let (mut s, p) = find("rod-on-cylinder")?.with(&[("load", &load.to_string())])?;
    s.world.set_options(Options { solver, ..*s.world.options() })?;
    let length = p.number("length");
    let mut out = RodRun {
        diverged: None,
        elongation: 0.0,
        end: 0.0,
        bilateral: 0.0,
        bilateral_max: 0.0,
        contact: 0.0,
        iterations: 0.0,
        penetration: 0.0,
        shape: Vec::new(),
    };
    let steps = (TIME / STEP).round() as usize;
    let mut missed = Vec::new();
    for k in 0..steps {
        if stop() {
            return Err(Failure::Stopped);
        }
        // A step that fails has left the range of numbers.
        let Ok(report) = s.step(STEP) else {
            out.diverged = Some(k);
            return Ok(out);
        };
        let b = &report.bounded;
        missed.push(b.joint_residual);
        out.contact = out.contact.max(b.residual);
        out.penetration = out.penetration.max(b.penetration);
        out.iterations += (b.iterations + b.sweeps) as f64 / steps as f64;
        out.shape = points(&s.world)?;
        out.end = (out.shape.windows(2).map(|w| (w[1] - w[0]).length()).sum::<f64>() / length - 1.0).abs();
        out.elongation = out.elongation.max(out.end);
        if !(out.end < BURST - 1.0) {
            out.diverged = Some(k);
            return Ok(out);
        }
    }
    missed.sort_by(f64::total_cmp);
    (out.bilateral, out.bilateral_max) = (missed[steps / 2], missed[steps - 1]);
    Ok(out)
}

/// The rod from its fixed end on.
fn points(world: &World) -> Result<Vec<Vec3>, Failure> {
    Ok(world.bodies().map(|b| b.position()).collect())
}

pub(super) fn check() -> Check {
    Check {
        id: "rod-on-cylinder",
        summary: "1.5 g of rod over a cylinder with friction, tip loads of 0 to 500 g, 0.01 s",
        source: "inextensible rod; Coulomb's law; Gauss-Seidel on all rows beside it diverges",
        run,
    }
}

fn run(effort: &Effort<'_>) -> Result<Vec<Measured>, Failure> {
    let (mut bilateral, mut end, mut contact, mut deep) = (Worst::new(), Worst::new(), Worst::new(), Worst::new());
    let mut finished = 0;
    for load in LOADS {
        let at = || format!("{} g", 1e3 * load);
        let r = run_rod(load, Solver::Auto, || (effort.stop)())?;
        finished += usize::from(r.diverged.is_none());
        bilateral.see(r.bilateral_max, at);
        end.see(100.0 * r.end, at);
        contact.see(r.contact, at);
        deep.see(1e3 * r.penetration, at);
    }
    let swept = run_rod(0.5, Solver::Pgs { sweeps: 100 }, || (effort.stop)())?;
    let swept = if swept.diverged.is_some() { f64::INFINITY } else { 100.0 * swept.elongation };
    Ok(vec![
        Measured::all_of("tip loads that finish", finished, LOADS.len()),
        bilateral.at_most("largest residual of the segments", 1e-12, "m/s"),
        end.at_most("elongation at the end", 0.1, "%"),
        contact.at_most("largest residual of contact and friction", 1e-9, "m/s"),
        deep.at_most("deepest penetration", 0.5, "mm"),
        Measured::at_least("elongation with 100 sweeps on all rows, 500 g", swept, 10.0, "%"),
    ])
}
