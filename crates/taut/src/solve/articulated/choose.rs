//! The solver of an articulated system: direct or iterative, by a count of operations.
//!
//! ```text
//! C_dir = F_factor + r F_solve            r right-hand sides per factorisation (as in the last step)
//! C_pcg = F_factor(P) + r its F_iteration its: running mean
//! direct if C_dir <= 1.2 C_pcg: it has no tolerance and always takes the same time
//! ```
//!
//! As long as nothing is known of `its`, conjugate gradients are tried where they would win with [`HOPE`] iterations; what
//! they then need decides. Where the direct path was taken against a mean, they are tried again every [`AGAIN`] steps.
//! All that the choice depends on is in [`History`], which the caller may keep with its state: the same history, the same bits.

use super::eliminate::Elimination;
use super::pcg::{FRONT, Params, Pcg, PcgInfo, partial_plan};
use super::sweep::Work;
use super::symbolic::{Limit, Plan};
use super::{Fault, Load, Motion, NONE, Structure, Treatment, Twist, Values, product};

/// The direct path is preferred up to this ratio of operations.
const PREFER_DIRECT: f64 = 1.2;
/// Iterations that conjugate gradients are believed to need before they were seen: about the least on any spring network.
const HOPE: f64 = 5.0;
/// Iterations beyond which nobody would iterate: where the search for a direct order is given up.
const DESPAIR: f64 = 300.0;
/// Weight of the newest count in the running mean.
const NEWEST: f64 = 0.1;
/// Factorisations between two trials of conjugate gradients.
const AGAIN: u32 = 256;

/// How to solve.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Path {
    /// The cheaper of the direct and the partial-exact path.
    #[default]
    Auto,
    /// Elimination.
    Direct,
    /// Conjugate gradients, projected block Jacobi.
    BlockJacobi,
    /// Conjugate gradients, partial-exact preconditioner.
    PartialExact,
}

/// What the automatic choice remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct History {
    /// Running mean of the iterations per right-hand side; 0 before the first.
    pub iterations: f64,
    /// Right-hand sides of the last step.
    pub columns: u32,
    /// Direct factorisations since the last iterative one.
    pub direct: u32,
}

/// What a solve did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Info {
    /// Whether the direct path was taken.
    pub direct: bool,
    /// Iterations (0 for the direct path).
    pub iterations: usize,
    /// |r| / |b| in the norm of the preconditioner (0 for the direct path).
    pub residual: f64,
    /// Whether the tolerance was reached.
    pub converged: bool,
}

impl Info {
    pub(super) const DIRECT: Info = Info { direct: true, iterations: 0, residual: 0.0, converged: true };
}

impl From<PcgInfo> for Info {
    fn from(i: PcgInfo) -> Self {
        Info { direct: false, iterations: i.iterations, residual: i.residual, converged: i.converged }
    }
}

/// A system with its solver. Fill `values`, factor, solve.
#[derive(Clone, Debug, Default)]
pub struct Solver {
    structure: Structure,
    /// The numbers; to be filled before every factorisation.
    pub values: Values,
    /// Tolerance of iterative solves.
    pub params: Params,
    /// What the automatic choice remembers.
    pub history: History,
    path: Path,
    pub(super) direct: Option<Elimination>,
    pub(super) pcg: Option<Pcg>,
    pub(super) now_direct: bool,
    columns: u32,
    pub(super) work: Work,
}

impl Solver {
    /// Orders are found here; all memory is allocated here.
    pub fn new(structure: Structure, path: Path) -> Self {
        let s = &structure;
        let coupled = (0..s.pairs().len()).any(|k| matches!(s.ends(k), (i, j) if i != NONE && j != NONE && i != j));
        let pcg = match path {
            Path::BlockJacobi => Some(Pcg::block_jacobi(s)),
            Path::PartialExact => Some(Pcg::partial_exact(s, FRONT)),
            Path::Auto if coupled => Some(Pcg::with_plan(s, partial_plan(s, FRONT))),
            _ => None,
        };
        let limit = |p: &Pcg| PREFER_DIRECT * (p.cost().factor + DESPAIR * p.iteration_cost());
        let direct = match path {
            Path::Direct => Some(Elimination::new(s)),
            Path::Auto => {
                let factor = pcg.as_ref().map_or(f64::INFINITY, limit);
                Plan::best(s, &[], Limit { factor, ..Limit::FREE }).map(|p| Elimination::with_plan(s, p))
            }
            _ => None,
        };
        let mut out = Solver { values: Values::new(s), path, direct, pcg, structure, ..Default::default() };
        out.drop_the_loser();
        out
    }

    /// Where all pairs are exact in the preconditioner too, iterating is the direct solve done twice.
    fn drop_the_loser(&mut self) {
        if self.path == Path::Auto && self.direct.is_some() {
            let all_exact = self
                .pcg
                .as_ref()
                .is_some_and(|p| p.preconditioner().plan().treatment.iter().all(|&t| t == Treatment::Exact));
            if all_exact {
                self.pcg = None;
            }
        }
    }

    /// The structure.
    pub fn structure(&self) -> &Structure {
        &self.structure
    }

    /// The path asked for.
    pub fn path(&self) -> Path {
        self.path
    }

    /// The elimination, where there is one.
    pub fn elimination(&self) -> Option<&Elimination> {
        self.direct.as_ref()
    }

    /// The iteration, where there is one.
    pub fn iteration(&self) -> Option<&Pcg> {
        self.pcg.as_ref()
    }

    /// Chooses the path and factors `values`.
    pub fn factor(&mut self) -> Result<(), Fault> {
        if self.columns > 0 {
            self.history.columns = self.columns;
            self.columns = 0;
        }
        self.now_direct = self.prefers_direct();
        if self.now_direct {
            self.history.direct = self.history.direct.saturating_add(1);
            return self.direct.as_mut().map_or(Err(Fault::NotFactored), |d| d.factor(&self.values));
        }
        self.history.direct = 0;
        self.pcg.as_mut().map_or(Err(Fault::NotFactored), |p| p.factor(&self.values))
    }

    /// The cost model.
    fn prefers_direct(&self) -> bool {
        let (Some(d), Some(p)) = (&self.direct, &self.pcg) else { return self.direct.is_some() };
        let columns = f64::from(self.history.columns.max(1));
        let direct = d.cost().factor + columns * d.cost().solve;
        let pcg = |its: f64| p.cost().factor + columns * its * p.iteration_cost();
        let hopeful = direct > PREFER_DIRECT * pcg(HOPE);
        let known = self.history.iterations > 0.0;
        let again = known && self.history.direct >= AGAIN;
        !hopeful || (known && !again && direct <= PREFER_DIRECT * pcg(self.history.iterations))
    }

    /// Solves for a load; where iterations do not converge and there is an elimination, by that. `out.y` is where an iterative solve starts: zeros, or the last solution.
    pub fn solve(&mut self, load: &Load, out: &mut Motion) -> Result<Info, Fault> {
        self.columns = self.columns.saturating_add(1);
        if self.now_direct {
            let d = self.direct.as_ref().ok_or(Fault::NotFactored)?;
            d.solve(load, out, &mut self.work)?;
            return Ok(Info::DIRECT);
        }
        let p = self.pcg.as_mut().ok_or(Fault::NotFactored)?;
        let info = p.solve(&self.values, load, &self.params, out)?;
        let (h, count) = (&mut self.history, info.iterations as f64);
        h.iterations = if h.iterations > 0.0 { h.iterations + NEWEST * (count - h.iterations) } else { count.max(1.0) };
        match &mut self.direct {
            Some(d) if !info.converged => {
                // Not to be had by iterating: the rest of the step is direct.
                d.factor(&self.values)?;
                self.now_direct = true;
                d.solve(load, out, &mut self.work)?;
                Ok(Info { iterations: info.iterations, ..Info::DIRECT })
            }
            _ => Ok(info.into()),
        }
    }

    pub(super) fn count_columns(&mut self, more: usize) {
        self.columns = self.columns.saturating_add(more as u32);
    }

    /// The wrench that each joint carries, see [`product::reactions`].
    pub fn reactions(&self, load: &Load, motion: &Motion, out: &mut Vec<Twist>) -> Result<(), Fault> {
        product::reactions(&self.structure, &self.values, load, motion, out)
    }
}
