//! The bounded rows of a system, on the factors of a pass: the active set, the Delassus operator W, impulses, and x with them.

use super::factors::read_lambda;
use super::{Counts, System, Task, stall};
use crate::bounded::bounce::Respond;
use crate::bounded::gather::{hk_of, load, speed};
use crate::bounded::large::Aimed;
use crate::bounded::{accuracy, all_rows};
use crate::delassus::{scatter, velocity};
use crate::desk::bounded::{Bounded, Candidate, Cluster, Origin, Set};
use crate::desk::factor::Factor;
use crate::desk::{Desk, Law, Multipliers, Stabilised};
use crate::joints::Bound;
use crate::profile::{Profile, Stage};
use crate::solve::block_ldlt::BlockLdlt;
use crate::solve::bounded::sparse::SparseParams;
use crate::solve::bounded::{self as solver, Block, Info, Method, Params, Problem};
use crate::system::kkt::Equations;
use crate::system::linear::{self, Failure};
use crate::tuning::T;

/// K^-1 of the islands of a system, with whatever its plan solves them by.
pub(super) struct Responses<'a> {
    pub system: &'a System<'a>,
    pub law: &'a Law,
    pub stiff: &'a Stabilised,
    pub force: &'a Multipliers,
    pub before: &'a [f64],
    pub factor: &'a mut Factor,
    pub profile: &'a mut Profile,
}

impl Respond for Responses<'_> {
    fn respond(&mut self, k: usize, x: &mut [f64]) -> Result<(), Failure> {
        let Task { t, plan, .. } = *self.system.task;
        let e = &Equations::of(t, k, self.law, self.stiff, self.force, self.before);
        if !self.system.keeps_factors() {
            let s = self.system.task.scales(k, self.stiff.share[k]);
            linear::factor(e, s, plan, self.factor, self.profile)?;
        }
        linear::solve(e, plan, x, self.factor).map(|_| ())
    }

    fn ldlt(&self) -> &BlockLdlt {
        &self.factor.ldlt
    }
}

impl<'a> System<'a> {
    /// The candidates of the system.
    pub(super) fn candidates<'w>(&self, set: &'w Set) -> &'w [Candidate] {
        self.cluster.map_or(&[], |cluster| &set.candidates[cluster.candidates.clone()])
    }

    /// Rows of joints with bounds and of couplings that are candidates, in the row arrays.
    pub(super) fn bounded_rows_of_joints<'w>(&self, set: &'w Set) -> impl Iterator<Item = usize> + use<'a, 'w> {
        let t = self.task.t;
        self.candidates(set).iter().filter_map(move |c| c.origin.row(t))
    }

    /// How the bounded rows are solved.
    pub(super) fn params(&self) -> Params {
        let plan = self.task.plan;
        let method = plan.sweeps().map_or(plan.bounded, |sweeps| Method::Pgs { sweeps });
        Params { method, tolerance: plan.bounded_tolerance, ..Params::default() }
    }

    /// Whether the factors of all islands are kept side by side.
    fn keeps_factors(&self) -> bool {
        self.task.plan.is_direct() || self.task.plan.is_structured() || self.islands.len() == 1
    }

    /// Solves the bounded rows on top of the free solution in `x`, and adds their part to `x`. With `fresh` W is made anew, and it is true
    /// when driven rows must yield to what a stop asks of them.
    pub(super) fn bounded(&self, fresh: bool, desk: &mut Desk, counts: &mut Counts) -> Result<bool, Failure> {
        let Some(cluster) = self.cluster else { return Ok(false) };
        let t = self.task.t;
        if fresh {
            desk.factor.keep_base = false;
            for island in self.islands() {
                accuracy::want(t, island, &desk.right.b, &mut desk.bounded.aims.wanted);
            }
        }
        self.solve_bounded(cluster, fresh, desk, counts)?;
        for island in self.islands() {
            read_lambda(t, island, &desk.sol.x, &mut desk.force);
        }
        self.read_bounded(&desk.bounded.set, &mut desk.force);
        desk.profile.mark(Stage::Bounded);
        let mut yields = false;
        for island in self.islands().filter(|_| fresh) {
            yields |= stall::find(t, island, &desk.force.load, &desk.sol.x, &mut desk.law);
        }
        Ok(yields)
    }

    fn solve_bounded(&self, own: &Cluster, fresh: bool, desk: &mut Desk, counts: &mut Counts) -> Result<(), Failure> {
        let t = self.task.t;
        let Desk { law, stiff, force, right, memory, factor, sol, bounded: b, profile, .. } = desk;
        let rhs = |q: usize, aimed: &[f64]| if fresh { right.b[q] + memory.impulse[q] } else { aimed[q] };
        for island in self.islands() {
            b.bounce.free[island.x.clone()].copy_from_slice(&sol.x[island.x.clone()]);
        }
        all_rows::aim(t, &b.set.candidates[own.candidates.clone()], &b.bounce.free, &mut b.set.rows);
        let mut stale = self.activate(own, false, &b.bounce.free, &mut b.set) || fresh;
        for round in 0.. {
            if stale {
                self.list(own, b);
            }
            if b.active.is_large {
                let wide = (&b.set.rows, &b.active.rows[..]);
                b.large.fill(t, self.islands, &factor.base, wide, |q| rhs(q, &sol.residual));
                if !self.solve_sparse(own, &mut sol.x, b) {
                    // Loops with redundant rows need the rules of the islands' own factors.
                    (b.active.is_large, stale) = (false, true);
                }
            }
            if !b.active.is_large {
                let (system, before) = (self, &sol.saved[..]);
                let mut responses = Responses { system, law, stiff, force, before, factor, profile };
                if stale {
                    self.build(b, &mut responses)?;
                }
                self.find_impulses(b);
                self.apply(b, &mut sol.x, &mut responses)?;
                counts.right_hand_sides += self.islands.len();
            }
            if self.is_cut(b) && round + 1 >= T.cluster.rounds_large {
                break;
            }
            stale = self.activate(own, round + 1 >= T.cluster.rounds, &sol.x, &mut b.set);
            if !stale {
                break;
            }
        }
        all_rows::write(t, &b.set.candidates[own.candidates.clone()], &b.set.rows, &mut sol.x);
        Ok(())
    }

    /// Takes in candidates that the velocities break, or that pushed in the last step; `all` takes in the rest with them. True when there
    /// are new ones.
    fn activate(&self, own: &Cluster, all: bool, x: &[f64], set: &mut Set) -> bool {
        let t = self.task.t;
        let mut new = false;
        // Where W is not formed another contact costs little, and another round much.
        let free = self.may_be_large(set) && !self.has_joints();
        let candidates = &mut set.candidates[own.candidates.clone()];
        for c in candidates.iter_mut() {
            let row = &set.rows[c.row];
            let w = velocity(t, set.rows.sides(c.row), x) + row.drive - row.b - row.aim;
            let broken = match c.law {
                // What is deep must be pushed out even when it does not approach.
                Block::Contact { .. } => free || w < 0.0 || row.phi < 0.0,
                // A rope is slack or taut as a whole.
                Block::Span { .. } => true,
                Block::Box { lo, hi } => (lo == 0.0 && w < 0.0) || (hi == 0.0 && w > 0.0) || (lo < 0.0 && hi > 0.0),
            };
            if !c.active && (broken || row.z != 0.0) {
                c.active = true;
                new = true;
            }
        }
        if new && all {
            candidates.iter_mut().for_each(|c| c.active = true);
        }
        new
    }

    /// Active rows from which on W is not formed.
    pub(super) fn large(&self) -> usize {
        if self.has_joints() { T.cluster.large_with_joints } else { T.cluster.large }
    }

    pub(super) fn has_joints(&self) -> bool {
        self.islands().any(|island| !island.groups.is_empty())
    }

    /// Whether the candidates are so many that the sparse solver may be needed.
    pub(super) fn may_be_large(&self, set: &Set) -> bool {
        let sparse = self.task.plan.is_direct() && matches!(self.task.plan.bounded, Method::Auto | Method::Newton);
        // It knows contacts on two nodes, and sweeps only where few nodes of an island are touched: of a cloth that lies flat all are, and
        // without sweeps a Newton step of the whole cloth is dearer than it may spend.
        let sparse = sparse && !self.islands().any(|island| self.task.t.soft.is_in(island.k));
        // Ropes over guides act on more nodes, and only pull.
        let sparse = sparse && !self.candidates(set).iter().any(|c| matches!(c.origin, Origin::Rope(_)));
        sparse && self.candidates(set).iter().flat_map(Candidate::rows).nth(self.large()).is_some()
    }

    /// Lists the active rows.
    pub(super) fn list(&self, own: &Cluster, b: &mut Bounded) {
        let may = self.may_be_large(&b.set);
        let Bounded { set, active, tally, .. } = b;
        active.rows.clear();
        active.blocks.clear();
        for c in set.candidates[own.candidates.clone()].iter().filter(|c| c.active) {
            for r in c.rows() {
                set.rows[r].at = active.rows.len();
                active.rows.push(r);
            }
            active.blocks.push(c.law);
        }
        active.is_large = may && active.rows.len() > self.large();
        tally.largest = tally.largest.max(active.rows.len());
    }

    /// Builds W of the active rows.
    pub(super) fn build(&self, b: &mut Bounded, responses: &mut Responses<'_>) -> Result<(), Failure> {
        let t = self.task.t;
        let (rows, active, d) = (&b.set.rows, &b.active.rows, &mut b.delassus);
        let n = active.len();
        d.w.clear();
        d.w.resize(n * n, 0.0);
        let mut done = Ok(());
        d.mobility.start(t, rows, active);
        let direct = self.task.plan.is_direct();
        for island in self.islands() {
            // Without loops the acyclic factor is that of the island.
            let whole = direct || (t.acyclic && island.loops.is_empty());
            if whole && !island.wide {
                d.mobility.add_along_paths(t, island.k, rows, n, &mut d.w, &responses.factor.ldlt);
            } else if let Some(panels) = linear::panels(island, responses.factor).filter(|_| direct) {
                d.mobility.add_by_panels(t, island.k, rows, n, &mut d.w, panels);
            } else {
                let add = d.mobility.add(t, island.k, rows, n, &mut d.w, |x| responses.respond(island.k, x));
                done = done.and(add);
            }
        }
        for (at, &r) in active.iter().enumerate() {
            d.w[at * n + at] += rows[r].sigma;
        }
        responses.profile.mark(Stage::Mobility);
        done
    }

    /// Velocities and impulses without W; false when the matrix is not one that the sparse solver can take.
    fn solve_sparse(&self, own: &Cluster, x: &mut [f64], b: &mut Bounded) -> bool {
        let Task { t, plan, .. } = *self.task;
        let Bounded { set, large, .. } = b;
        large.begin();
        let candidates = &set.candidates[own.candidates.clone()];
        for c in candidates.iter().filter(|c| c.active && !set.rows[c.row].is_wide()) {
            large.add(t, &set.rows, c.law, c.rows().map(|r| Aimed::at(r, &set.rows[r])));
        }
        let fastest = candidates.iter().flat_map(|c| c.rows()).fold(0.0, |most: f64, r| {
            let row = &set.rows[r];
            most.max((speed(&t.inputs.kin, set.rows.sides(r)) + row.drive).abs() / row.unit)
        });
        let easier = std::array::from_fn(|k| (T.cluster.sparse_steps[k], T.cluster.sparse_parts[k] * fastest));
        let params = SparseParams { tolerance: plan.bounded_tolerance, easier, ..SparseParams::default() };
        let info = large.solve(t, self.islands, &params, x);
        if !info.residual.is_finite() {
            return false;
        }
        for (r, z) in large.found() {
            set.rows[r].z = z;
        }
        count(info, b);
        true
    }

    /// Whether the last solve was without W and did not reach its tolerance.
    pub(super) fn is_cut(&self, b: &Bounded) -> bool {
        self.cluster.is_some() && b.active.is_large && b.last.is_some_and(|info| !info.converged)
    }

    /// z of the active rows for the free velocities.
    fn find_impulses(&self, b: &mut Bounded) {
        let t = self.task.t;
        let Bounded { set, active, delassus: d, bounce, .. } = b;
        d.q.clear();
        d.unit.clear();
        d.z.clear();
        for &r in &active.rows {
            let row = &set.rows[r];
            d.q.push(velocity(t, set.rows.sides(r), &bounce.free) + row.drive - row.b - row.aim);
            d.unit.push(row.unit);
            d.z.push(row.z);
        }
        let params = self.params();
        forget(&d.w, &active.blocks, (params.tolerance, &d.unit), &mut d.z);
        let problem = Problem { w: &d.w, q: &d.q, blocks: &active.blocks, unit: &d.unit };
        let info = in_time(params.tolerance, |tolerance, max_iterations| {
            let params = Params { tolerance, max_iterations, ..params };
            solver::solve(&problem, &params, &mut d.z, &mut d.work)
        });
        for (&r, &z) in active.rows.iter().zip(&d.z) {
            set.rows[r].z = z;
        }
        count(info, b);
    }

    /// x = free + K^-1 Ju^T z.
    pub(super) fn apply(&self, b: &Bounded, x: &mut [f64], responses: &mut Responses<'_>) -> Result<(), Failure> {
        let t = self.task.t;
        let mut done = Ok(());
        for island in self.islands() {
            x[island.x.clone()].fill(0.0);
        }
        for &r in &b.active.rows {
            scatter(t, b.set.rows.sides(r), b.set.rows[r].z, x);
        }
        for island in self.islands() {
            let range = island.x.clone();
            done = done.and(responses.respond(island.k, x));
            for (x, f) in x[range.clone()].iter_mut().zip(&b.bounce.free[range]) {
                *x += f;
            }
        }
        done
    }

    /// Bounds of the friction that follows the load of its joint, from the forces just found; true when one has clearly changed.
    pub(super) fn rub(&self, found: &[f64], set: &mut Set) -> bool {
        let t = self.task.t;
        let Some(cluster) = self.cluster else { return false };
        let mut changed = false;
        for c in &mut set.candidates[cluster.candidates.clone()] {
            let Origin::Joint { bound, .. } = c.origin else { continue };
            let of = &t.bounds[bound];
            let Bound::Friction { max, per_load } = of.spec.bound else { continue };
            let hk = hk_of(t, &t.inputs.hk, set.rows.sides(c.row));
            let most = hk * (max + per_load * load(t, of, &t.inputs.rows.jac, found));
            let Block::Box { hi, .. } = c.law else { continue };
            changed |= (most - hi).abs() > T.cluster.rubs * most;
            c.law = Block::Box { lo: -most, hi: most };
        }
        changed
    }

    /// Counts what the last bounded solve left; one that was hurried was not asked to reach the tolerance.
    pub(super) fn book(&self, hurried: bool, desk: &mut Desk) {
        for island in self.islands() {
            let e = self.task.equations(island.k, desk);
            let missed = accuracy::missed(&e, &desk.sol.x, &desk.bounded.aims.wanted, &desk.factor);
            desk.bounded.tally.joints = desk.bounded.tally.joints.max(missed);
        }
        let b = &mut desk.bounded;
        let Some(info) = b.last else { return };
        b.tally.residual = b.tally.residual.max(info.residual);
        let missed = if hurried { &mut b.tally.hurried } else { &mut b.tally.unconverged };
        *missed += usize::from(!info.converged);
        b.tally.convex += usize::from(info.convex);
        b.tally.rows += b.active.rows.len();
        let pushes = b.active.rows.iter().any(|&r| b.set.rows[r].z != 0.0);
        for &k in self.islands {
            b.acting[k] = pushes;
        }
    }

    /// Forces of the bounded rows of joints, and of couplings.
    pub(super) fn read_bounded(&self, set: &Set, force: &mut Multipliers) {
        let t = self.task.t;
        for row in self.bounded_rows_of_joints(set) {
            force.found[row] = 0.0;
        }
        for c in self.candidates(set) {
            if let Some(row) = c.origin.row(t) {
                force.found[row] += set.rows[c.row].z / hk_of(t, &t.inputs.hk, set.rows.sides(c.row));
            }
        }
    }
}

/// Adds the work of a bounded solve.
pub(super) fn count(info: Info, b: &mut Bounded) {
    b.tally.solves += 1;
    b.tally.iterations += info.iterations;
    b.tally.sweeps += info.sweeps;
    b.last = Some(info);
}

/// Solves in stages, each with an easier tolerance. `solve` goes on from where it stopped.
fn in_time(tolerance: f64, mut solve: impl FnMut(f64, usize) -> Info) -> Info {
    let mut all = solve(tolerance, T.cluster.dense_steps[0]);
    for easier in T.cluster.easier {
        if all.converged || all.residual <= tolerance * easier {
            break;
        }
        let more = solve(tolerance * easier, T.cluster.dense_steps[1]);
        let (iterations, sweeps) = (all.iterations + more.iterations, all.sweeps + more.sweeps);
        all = Info { iterations, sweeps, converged: more.residual <= tolerance, ..more };
    }
    all
}

/// Drops impulses that do less than the tolerance: kept from step to step, what they do would add up.
fn forget(w: &[f64], blocks: &[Block], (tolerance, unit): (f64, &[f64]), z: &mut [f64]) {
    let n = z.len();
    let mut at = 0;
    for block in blocks {
        let one_sided = match block {
            Block::Contact { .. } => true,
            Block::Box { lo, hi } => *lo == 0.0 || *hi == 0.0,
            Block::Span { .. } => false,
        };
        let rows = at..at + block.rows();
        if one_sided && z[at].abs() * w[at * n + at] < tolerance * unit[at] {
            z[rows.clone()].fill(0.0);
        }
        at = rows.end;
    }
}
