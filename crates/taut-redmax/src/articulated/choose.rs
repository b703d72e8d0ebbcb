//! The solver of an articulated system: direct or iterative, by a count of operations, each weighted with its time (`symbolic::FILL`).
//!
//! ```text
//! C_dir = F_factor + r F_solve             r right-hand sides per factorisation (as in the last step)
//! C_pcg = F_factor(P) + r its F_iteration  its: running mean; the cheaper of the two preconditioners
//! direct if C_dir <= 1.1 C_pcg: it has no tolerance and always takes the same time
//! ```
//!
//! As long as nothing is known of `its` for a preconditioner it is taken for `HOPE`, so that each is tried where it could win;
//! what it then needs decides. Iterations change as a scene moves or comes to rest (a good start saves most of them), so that a path
//! that lost is tried again: after `AGAIN` factorisations times what it would cost over what the best costs, so that trials take at most
//! about 1/`AGAIN` of all. What a trial needs takes the place of the old mean.
//! All that the choice depends on is in [`History`], which the caller may keep with its state: the same history, the same bits.

use super::eliminate::Elimination;
use super::pcg::{FRONT, Params, Pcg, PcgInfo};
use super::sweep::Work;
use super::symbolic::{FILL, Limit, Plan};
use super::{Fault, Load, Motion, NONE, Structure, Twist, Values, product};

/// The direct path is preferred up to this ratio of operations.
const PREFER_DIRECT: f64 = 1.1;
/// Iterations that conjugate gradients are believed to need before they were seen: about the least on any spring network.
const HOPE: f64 = 5.0;
/// Iterations beyond which nobody would iterate: where the search for a direct order is given up.
const DESPAIR: f64 = 300.0;
/// Weight of the newest count in the running mean.
const NEWEST: f64 = 0.1;
/// Factorisations between two trials of a path that lost by a hair.
const AGAIN: f64 = 32.0;

/// How to solve.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Path {
    /// The cheapest of the others.
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
    /// Running mean of the iterations per right-hand side, block Jacobi and partial-exact; 0 before the first.
    pub iterations: [f64; 2],
    /// Whether the next solve of each is the first of a trial.
    pub fresh: [bool; 2],
    /// Factorisations since each was last used.
    pub unused: [u32; 2],
    /// Right-hand sides of the last step.
    pub columns: u32,
}

impl History {
    /// As numbers, to be kept with a state.
    pub fn to_numbers(&self) -> [f64; 7] {
        let [fresh, unused] = [self.fresh.map(f64::from), self.unused.map(f64::from)];
        [self.iterations[0], self.iterations[1], fresh[0], fresh[1], unused[0], unused[1], f64::from(self.columns)]
    }

    /// From the numbers of [`History::to_numbers`]; from any others, one that has seen nothing.
    pub fn from_numbers(kept: &[f64]) -> Self {
        let &[a, b, fresh_a, fresh_b, unused_a, unused_b, columns] = kept else { return History::default() };
        History {
            iterations: [a, b],
            fresh: [fresh_a, fresh_b].map(|x| x != 0.0),
            unused: [unused_a, unused_b].map(|x| x as u32),
            columns: columns as u32,
        }
    }
}

/// What a solve did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Info {
    /// Whether the direct path was taken.
    pub direct: bool,
    /// Iterations (0 for the direct path), of all right-hand sides.
    pub iterations: usize,
    /// Largest |r| / |b| in the norm of the preconditioner (0 for the direct path).
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
    history: History,
    path: Path,
    pub(super) direct: Option<Elimination>,
    /// Block Jacobi and partial-exact.
    pcg: [Option<Pcg>; 2],
    /// The path of the present factors.
    now: Now,
    columns: u32,
    pub(super) work: Work,
}

/// A path.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Now {
    #[default]
    Direct,
    Iterative(usize),
}

impl Solver {
    /// Orders are found here; all memory is allocated here.
    pub fn new(structure: Structure, path: Path) -> Self {
        let s = &structure;
        let (jacobi, partial) = (|| Some(Pcg::block_jacobi(s)), || Some(Pcg::partial_exact(s, FRONT)));
        let (direct, pcg) = match path {
            Path::Direct => (Some(Elimination::new(s)), [None, None]),
            Path::BlockJacobi => (None, [jacobi(), None]),
            Path::PartialExact => (None, [None, partial()]),
            Path::Auto => candidates(s),
        };
        Solver { values: Values::new(s), path, direct, pcg, structure, ..Default::default() }
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

    /// The iterations, block Jacobi and partial-exact, where they are candidates.
    pub fn iterations(&self) -> [Option<&Pcg>; 2] {
        [self.pcg[0].as_ref(), self.pcg[1].as_ref()]
    }

    /// The path of the present factors, never `Auto`.
    pub fn running(&self) -> Path {
        match self.now {
            Now::Direct => Path::Direct,
            Now::Iterative(0) => Path::BlockJacobi,
            Now::Iterative(_) => Path::PartialExact,
        }
    }

    /// Whether the present factors are those of the elimination.
    pub fn is_direct(&self) -> bool {
        self.now == Now::Direct
    }

    /// What the automatic choice knows, the solves since the last factorisation among it.
    pub fn remembered(&self) -> History {
        let columns = if self.columns > 0 { self.columns } else { self.history.columns };
        History { columns, ..self.history }
    }

    /// Goes on from what was remembered.
    pub fn recall(&mut self, history: History) {
        (self.history, self.columns) = (history, 0);
    }

    /// Chooses the path and factors `values`.
    pub fn factor(&mut self) -> Result<(), Fault> {
        self.recall(self.remembered());
        self.now = self.cheapest();
        for (k, unused) in self.history.unused.iter_mut().enumerate() {
            let used = self.now == Now::Iterative(k);
            self.history.fresh[k] = used && *unused > 0;
            *unused = if used { 0 } else { unused.saturating_add(1) };
        }
        match self.now {
            Now::Direct => self.direct.as_mut().map_or(Err(Fault::NotFactored), |d| d.factor(&self.values)),
            Now::Iterative(k) => self.pcg[k].as_mut().map_or(Err(Fault::NotFactored), |p| p.factor(&self.values)),
        }
    }

    /// The cost model.
    fn cheapest(&self) -> Now {
        let columns = f64::from(self.history.columns.max(1));
        let direct = self.direct.as_ref().map_or(f64::INFINITY, |d| d.cost().work + columns * d.cost().solve);
        let cost = |k: usize, its: f64| {
            let p = self.pcg[k].as_ref()?;
            Some(p.cost().work + columns * its * p.iteration_cost())
        };
        let mean = |k: usize| self.history.iterations[k];
        let known = (0..2).filter(|&k| mean(k) > 0.0).filter_map(|k| Some((k, cost(k, mean(k))?)));
        let (k, iterative) = known.fold((NONE, f64::INFINITY), |a, b| if b.1 < a.1 { b } else { a });
        let (best, least) =
            if direct <= PREFER_DIRECT * iterative { (Now::Direct, direct) } else { (Now::Iterative(k), iterative) };
        // Trials of what could be cheaper still.
        for k in 0..2 {
            let Some(hope) = cost(k, HOPE).filter(|c| PREFER_DIRECT * c < least) else { continue };
            let lost_by = cost(k, mean(k)).unwrap_or(hope) / least;
            let due = mean(k) == 0.0 || f64::from(self.history.unused[k]) >= AGAIN * lost_by;
            if due && best != Now::Iterative(k) {
                return Now::Iterative(k);
            }
        }
        best
    }

    /// Solves for a load; where iterations do not converge and there is an elimination, by that. `out.y` is where an iterative
    /// solve starts: zeros, or the last solution.
    pub fn solve(&mut self, load: &Load, out: &mut Motion) -> Result<Info, Fault> {
        self.columns = self.columns.saturating_add(1);
        let mut iterations = 0;
        if let Now::Iterative(k) = self.now {
            let p = self.pcg[k].as_mut().ok_or(Fault::NotFactored)?;
            // No longer than twice the direct solve would have taken.
            let direct = self.direct.as_ref().map_or(f64::INFINITY, |d| d.cost().work + d.cost().solve);
            let enough = (2.0 * direct / p.iteration_cost()).max(HOPE).ceil();
            let most = (self.params.max_iterations as f64).min(enough) as usize;
            let params = Params { max_iterations: most, ..self.params };
            let info = p.solve(&self.values, load, &params, out)?;
            let (mean, count) = (&mut self.history.iterations[k], info.iterations.max(1) as f64);
            let is_first = std::mem::take(&mut self.history.fresh[k]) || *mean == 0.0;
            *mean = if is_first { count } else { *mean + NEWEST * (count - *mean) };
            let Some(d) = self.direct.as_mut().filter(|_| !info.converged) else { return Ok(info.into()) };
            // Not to be had by iterating: the rest of the step is direct.
            iterations = info.iterations;
            self.now = Now::Direct;
            d.factor(&self.values)?;
        }
        let d = self.direct.as_ref().ok_or(Fault::NotFactored)?;
        d.solve(load, out, &mut self.work)?;
        Ok(Info { iterations, ..Info::DIRECT })
    }

    /// Solves for several loads, side by side where the path is direct.
    pub fn solve_many(&mut self, loads: &[Load], out: &mut [Motion]) -> Result<Info, Fault> {
        super::fault::length("out", out.len(), loads.len())?;
        if self.now == Now::Direct {
            self.count_columns(loads.len());
            let d = self.direct.as_ref().ok_or(Fault::NotFactored)?;
            d.solve_many(loads, out, &mut self.work)?;
            return Ok(Info::DIRECT);
        }
        let mut all = Info { converged: true, ..Default::default() };
        for (load, out) in loads.iter().zip(out) {
            let one = self.solve(load, out)?;
            all.iterations += one.iterations;
            all.residual = all.residual.max(one.residual);
            all.converged &= one.converged;
        }
        Ok(all)
    }

    pub(super) fn count_columns(&mut self, more: usize) {
        self.columns = self.columns.saturating_add(more as u32);
    }

    /// The wrench that each joint carries, see [`product::reactions`].
    pub fn reactions(&self, load: &Load, motion: &Motion, out: &mut Vec<Twist>) -> Result<(), Fault> {
        product::reactions(&self.structure, &self.values, load, motion, out)
    }
}

/// The paths among which the automatic choice decides: an order too dear for a direct path is not searched to its end, and where
/// all pairs are exact in the preconditioner iterating would be the direct solve done twice.
fn candidates(s: &Structure) -> (Option<Elimination>, [Option<Pcg>; 2]) {
    let coupled = |k: usize| matches!(s.ends(k), (i, j) if i != NONE && j != NONE && i != j);
    if !(0..s.pairs().len()).any(coupled) {
        return (Some(Elimination::new(s)), [None, None]);
    }
    let jacobi = Pcg::block_jacobi(s);
    // Most of what a dear order does is fill.
    let factor = PREFER_DIRECT * (jacobi.cost().work + DESPAIR * jacobi.iteration_cost()) / FILL;
    let direct = Plan::best(s, &[], Limit { factor, ..Limit::FREE });
    let narrow = direct.as_ref().is_some_and(|p| p.cost.front <= FRONT);
    let partial = if narrow { None } else { Some(Pcg::partial_exact(s, FRONT)) };
    (direct.map(Elimination::with_plan), [Some(jacobi), partial])
}
