//! Rows that close loops, on top of the tree: the dual system with batched right-hand sides.
//!
//! ```text
//! A y - G^T l = b        W = G A^-1 G^T + Sigma        W l = w - G A^-1 b        (A here: the whole reduced matrix)
//! G y + Sigma l = w      y = A^-1 b + A^-1 G^T l       no further solve
//! ```
//!
//! G acts on the bodies (G v). With the factors A = L D L^T of the elimination the way down is enough: with E = L^-1 G^T,
//! W = B^T B, B = (D^-1/2 E; Sigma^1/2), is factored from B, never formed, and one way up gives y and v for all rows.
//! The iterative path solves for every column, and its W is as good as their tolerance.
//!
//! A redundant row has no pivot in W: its multiplier is zero. If it contradicts the others its residual G y - w stays and is reported.
//! The multipliers are refined on the residual of the rows.

use super::dual::Dual;
use super::eliminate::Elimination;
use super::product::velocities;
use super::spatial::{axpy, dot};
use super::sweep::{LANES, Lanes};
use super::{Fault, Load, Motion, Solver, Structure, Twist};

/// Most refinements of the multipliers.
const REFINEMENTS: usize = 2;
/// Residual of a row, relative to the velocities in it, that needs no refinement.
const FINE: f64 = 1e-14;
/// Residual of a redundant row, relative to the velocities in it, from which on it contradicts the others.
const CONTRADICTS: f64 = 1e-7;
/// Operations of all columns from which on threads pay.
#[cfg(all(feature = "parallel", not(target_family = "wasm")))]
const ENOUGH: f64 = 2e6;

/// Rows G v + Sigma l = w over the bodies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    start: Vec<usize>,
    entries: Vec<(usize, Twist)>,
    compliance: Vec<f64>,
    target: Vec<f64>,
}

impl Rows {
    /// Forgets all rows; keeps the memory.
    pub fn clear(&mut self) {
        self.start.clear();
        self.entries.clear();
        self.compliance.clear();
        self.target.clear();
    }

    /// One row: what it takes from each body, its Sigma (0: hard), its wanted velocity w, m/s or rad/s.
    pub fn push(&mut self, on: &[(usize, Twist)], compliance: f64, target: f64) {
        self.entries.extend_from_slice(on);
        self.start.push(self.entries.len());
        self.compliance.push(compliance);
        self.target.push(target);
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.start.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.start.is_empty()
    }

    /// What row k takes from the bodies.
    pub fn row(&self, k: usize) -> &[(usize, Twist)] {
        &self.entries[if k == 0 { 0 } else { self.start[k - 1] }..self.start[k]]
    }

    /// body += G^T lambda.
    pub fn add_wrenches(&self, lambda: &[f64], body: &mut [Twist]) -> Result<(), Fault> {
        super::fault::length("lambda", lambda.len(), self.len())?;
        for (row, &l) in lambda.iter().enumerate() {
            for &(link, ref g) in self.row(row) {
                let links = body.len();
                axpy(body.get_mut(link).ok_or(Fault::Row { row, link, links })?, l, g);
            }
        }
        Ok(())
    }

    /// Sigma of row k.
    pub fn compliance(&self, k: usize) -> f64 {
        self.compliance[k]
    }

    /// Wanted velocity w of row k.
    pub fn target(&self, k: usize) -> f64 {
        self.target[k]
    }

    pub(super) fn check(&self, s: &Structure) -> Result<(), Fault> {
        for k in 0..self.len() {
            if let Some(&(link, _)) = self.row(k).iter().find(|(i, _)| *i >= s.len()) {
                return Err(Fault::Row { row: k, link, links: s.len() });
            }
            if !(self.compliance[k] >= 0.0 && self.compliance[k] < f64::INFINITY) {
                return Err(Fault::Compliance { row: k, value: self.compliance[k] });
            }
        }
        Ok(())
    }

    /// Velocity along row k and the sum of its magnitudes.
    pub(super) fn rate(&self, k: usize, v: &[Twist]) -> (f64, f64) {
        let magnitude = |g: &Twist, v: &Twist| g.iter().zip(v).map(|(g, v)| (g * v).abs()).sum::<f64>();
        let add = |(r, m): (f64, f64), (i, g): &(usize, Twist)| (r + dot(g, &v[*i]), m + magnitude(g, &v[*i]));
        self.row(k).iter().fold((0.0, 0.0), add)
    }
}

/// What became of the rows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LoopReport {
    /// Rows that follow from the others.
    pub redundant: usize,
    /// Of these, how many contradict the others.
    pub contradicting: usize,
    /// Largest |G y + Sigma l - w|, m/s or rad/s, over all rows.
    pub residual: f64,
    /// The row that has it.
    pub worst: usize,
    /// Iterations of all columns (0 for the direct path).
    pub iterations: usize,
    /// Whether all columns reached their tolerance.
    pub converged: bool,
}

/// Multipliers and work memory of loop rows.
#[derive(Clone, Debug, Default)]
pub struct Loops {
    /// l of each row (an impulse, N s), 0 for redundant ones.
    pub lambda: Vec<f64>,
    /// G y + Sigma l - w of each row.
    pub residual: Vec<f64>,
    /// Redundant rows, ascending.
    pub redundant: Vec<usize>,
    dual: Dual,
    /// Whether `e` and `free` are half-way results of the elimination.
    from_factors: bool,
    /// E, row by row (direct), or A^-1 G^T, row by row.
    pub(super) e: Vec<f64>,
    /// What goes with `e` for the load and the multipliers found so far.
    free: Vec<f64>,
    delta: Vec<f64>,
    pub(super) scaled: Vec<f64>,
    magnitude: Vec<f64>,
    pub(super) lanes: Vec<Lanes<LANES>>,
    pub(super) column: Motion,
    pub(super) wrench: Vec<Twist>,
}

impl Solver {
    /// Solves for a load with loop rows; `out.y` is where an iterative solve starts.
    pub fn solve_loops(
        &mut self,
        load: &Load,
        rows: &Rows,
        out: &mut Motion,
        loops: &mut Loops,
    ) -> Result<LoopReport, Fault> {
        rows.check(self.structure())?;
        loops.dual.clear(rows.len());
        loops.lambda.clear();
        loops.lambda.resize(rows.len(), 0.0);
        let mut report = LoopReport { converged: true, ..Default::default() };
        if rows.is_empty() {
            let info = self.solve(load, out)?;
            loops.measure(rows, &out.v);
            loops.redundant.clear();
            (report.iterations, report.converged) = (info.iterations, info.converged);
            return Ok(report);
        }
        loops.from_factors = self.is_direct();
        if loops.from_factors {
            self.count_columns(1 + rows.len());
            self.dual_direct(load, rows, out, loops)?;
        } else {
            self.dual_iterative(load, rows, out, loops, &mut report)?;
        }
        loops.redundant.clear();
        loops.redundant.extend_from_slice(loops.dual.redundant());
        loops.redundant.sort_unstable();
        // The first pass starts from l = 0 and the motion without rows.
        loops.measure(rows, &out.v);
        for pass in 0..=REFINEMENTS {
            let fine = |k: usize| loops.residual[k].abs() <= FINE * loops.magnitude[k];
            if pass > 0 && (0..rows.len()).all(|k| fine(k) || loops.redundant.binary_search(&k).is_ok()) {
                break;
            }
            loops.delta.clear();
            loops.delta.extend(loops.residual.iter().map(|r| -r));
            loops.dual.solve(&mut loops.delta);
            for (l, d) in loops.lambda.iter_mut().zip(&loops.delta) {
                *l += d;
            }
            self.apply(out, loops)?;
            loops.measure(rows, &out.v);
        }
        loops.report(&mut report);
        Ok(report)
    }

    /// E, the factors of W and the motion without rows from the factors of the tree.
    fn dual_direct(&mut self, load: &Load, rows: &Rows, out: &mut Motion, loops: &mut Loops) -> Result<(), Fault> {
        let d = self.direct.as_ref().ok_or(Fault::NotFactored)?;
        d.solve_keeping(load, out, &mut self.work, &mut loops.free)?;
        d.columns(rows, &mut loops.e, &mut loops.lanes);
        let n = self.structure().dofs();
        let soft = rows.compliance.iter().any(|&c| c > 0.0);
        loops.scaled.clear();
        loops.scaled.extend(d.inv.iter().map(|i| i.sqrt()));
        for (k, c) in rows.compliance.iter().enumerate() {
            let b = &mut loops.dual.b;
            b.extend(loops.e[k * n..(k + 1) * n].iter().zip(&loops.scaled).map(|(e, i)| e * i));
            if soft {
                b.extend((0..rows.len()).map(|j| if j == k { c.sqrt() } else { 0.0 }));
            }
        }
        loops.dual.factor_columns();
        Ok(())
    }

    /// A^-1 G^T, the factors of W and the motion without rows by iteration, column by column from zero.
    fn dual_iterative(
        &mut self,
        load: &Load,
        rows: &Rows,
        out: &mut Motion,
        loops: &mut Loops,
        report: &mut LoopReport,
    ) -> Result<(), Fault> {
        let (l, bodies) = (rows.len(), self.structure().len());
        let mut note = |info: super::Info| {
            report.iterations += info.iterations;
            report.converged &= info.converged;
        };
        note(self.solve(load, out)?);
        loops.e.clear();
        for k in 0..l {
            loops.put_row(rows, k, bodies);
            loops.column.y.fill(0.0);
            note(self.solve(&Load { joint: &[], body: &loops.wrench }, &mut loops.column)?);
            loops.e.extend_from_slice(&loops.column.y);
            for j in 0..l {
                // Both halves of the mean, as the columns come.
                let half = 0.5 * rows.rate(j, &loops.column.v).0;
                loops.dual.a[k * l + j] += half;
                loops.dual.a[j * l + k] += half;
            }
            loops.dual.a[k * l + k] += rows.compliance[k];
        }
        loops.dual.factor(self.params.tolerance);
        loops.free.clone_from(&out.y);
        Ok(())
    }

    /// Adds what `delta` does to the motion. The rounding of a large multiplier is thus met by the next refinement.
    fn apply(&mut self, out: &mut Motion, loops: &mut Loops) -> Result<(), Fault> {
        let n = self.structure().dofs();
        for (k, l) in loops.delta.iter().enumerate() {
            for (x, e) in loops.free.iter_mut().zip(&loops.e[k * n..(k + 1) * n]) {
                *x += l * e;
            }
        }
        if loops.from_factors {
            let d = self.direct.as_ref().ok_or(Fault::NotFactored)?;
            d.finish(&loops.free, out, &mut self.work);
        } else {
            out.y.clone_from(&loops.free);
            velocities(self.structure(), &self.values, &out.y, &mut out.v);
        }
        Ok(())
    }
}

impl Loops {
    /// Row k as wrenches on the bodies.
    pub(super) fn put_row(&mut self, rows: &Rows, k: usize, bodies: usize) {
        self.wrench.clear();
        self.wrench.resize(bodies, [0.0; 6]);
        for (i, g) in rows.row(k) {
            axpy(&mut self.wrench[*i], 1.0, g);
        }
    }

    /// Residuals of all rows.
    fn measure(&mut self, rows: &Rows, v: &[Twist]) {
        self.residual.clear();
        self.magnitude.clear();
        for k in 0..rows.len() {
            let (rate, size) = rows.rate(k, v);
            let soft = rows.compliance[k] * self.lambda[k];
            self.residual.push(rate + soft - rows.target[k]);
            self.magnitude.push(size + soft.abs() + rows.target[k].abs());
        }
    }

    fn report(&self, report: &mut LoopReport) {
        for (k, r) in self.residual.iter().enumerate() {
            if r.abs() > report.residual || !r.is_finite() {
                (report.residual, report.worst) = (r.abs(), k);
            }
        }
        report.redundant = self.redundant.len();
        let contradicts = |&&k: &&usize| self.residual[k].abs() > CONTRADICTS * self.magnitude[k];
        report.contradicting = self.redundant.iter().filter(contradicts).count();
    }

    /// Rows that contradict others, with their residual G y + Sigma l - w.
    pub fn contradictions(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        let contradicts = |&&k: &&usize| self.residual[k].abs() > CONTRADICTS * self.magnitude[k];
        self.redundant.iter().filter(contradicts).map(|&k| (k, self.residual[k]))
    }
}

impl Elimination {
    /// E = L^-1 G^T, row by row, [`LANES`] at a time.
    pub(super) fn columns(&self, rows: &Rows, e: &mut Vec<f64>, lanes: &mut Vec<Lanes<LANES>>) {
        let n = self.structure.dofs();
        e.resize(rows.len() * n, 0.0);
        if n == 0 {
            return;
        }
        let fill = |lanes: &mut Lanes<LANES>, chunk: usize, e: &mut [f64]| {
            lanes.clear(self);
            for lane in 0..e.len() / n {
                for (i, g) in rows.row(LANES * chunk + lane) {
                    for c in 0..6 {
                        lanes.f[*i][c][lane] += g[c];
                    }
                }
            }
            self.down(lanes, true);
            for (lane, row) in e.chunks_exact_mut(n).enumerate() {
                for (out, x) in row.iter_mut().zip(&lanes.e) {
                    *out = x[lane];
                }
            }
        };
        let chunks = rows.len().div_ceil(LANES);
        #[cfg(all(feature = "parallel", not(target_family = "wasm")))]
        if chunks > 1 && rows.len() as f64 * 0.5 * self.cost().solve >= ENOUGH && rayon::current_num_threads() > 1 {
            use rayon::prelude::*;
            lanes.resize_with(chunks.max(lanes.len()), Default::default);
            let work = e.par_chunks_mut(LANES * n).zip(lanes.par_iter_mut()).enumerate();
            work.for_each(|(chunk, (e, lanes))| fill(lanes, chunk, e));
            return;
        }
        lanes.resize_with(lanes.len().max(usize::from(chunks > 0)), Default::default);
        for (chunk, e) in e.chunks_mut(LANES * n).enumerate() {
            fill(&mut lanes[0], chunk, e);
        }
    }
}
