//! The solve of a cluster: islands that share bounded rows, with those rows inside the loop of passes.
//!
//! One pass is not enough when a load lands, lifts off or a rope snaps taut: the stiffness is rebuilt from the forces found with the
//! contacts, and a pre-solve without them would see a hanging load that is in fact supported. So every pass factorises, builds W
//! and solves the bounded rows. Clusters run without the corrections of the resolved regime.

mod second_order;

use super::{Counts, Task, papers, read_lambda, row_rhs, scales, solve_once, stall, stiffness, take_lambda};
use crate::bounded::gather::{self, hk_of, load};
use crate::bounded::large::Aimed;
use crate::bounded::{accuracy, all_rows, bounce, push};
use crate::delassus::{Row, scatter, velocity};
use crate::joints::Bound;
use crate::profile::Stage;
use crate::solve::bounded::sparse::SparseParams;
use crate::solve::bounded::{self as solver, Block, Info, Method, Params, Problem};
use crate::stabilise::aligned::Cap;
use crate::stabilise::{aligned, curvature, resolved};
use crate::system::linear::{self, Failure};
use crate::topology::Topology;
use crate::tuning::T;
use crate::workspace::Scales;
use crate::workspace::Workspace;
use crate::workspace::bounded::Origin;
use crate::workspace::inputs::Given;

/// Solves one cluster; the result is in `x`, `rows.lambda_next` and the impulses of the bounded rows.
pub(crate) fn solve_cluster(task: &Task<'_>, c: usize, ws: &mut Workspace) -> Result<Counts, Failure> {
    let islands = std::mem::take(&mut ws.bounded.clusters[c].islands);
    let cluster = Cluster { task, islands: &islands, c };
    let mut counts = Counts::default();
    let done = cluster.run(ws, &mut counts);
    ws.bounded.clusters[c].islands = islands;
    done.map(|()| counts)
}

struct Cluster<'a> {
    task: &'a Task<'a>,
    islands: &'a [usize],
    c: usize,
}

impl Cluster<'_> {
    fn on(&self, k: usize) -> Task<'_> {
        Task { k, ..*self.task }
    }

    fn run(&self, ws: &mut Workspace, counts: &mut Counts) -> Result<(), Failure> {
        let Task { t, plan, h, .. } = *self.task;
        let is_aligned = plan.is_aligned();
        let passes = if is_aligned || self.islands.iter().any(|&k| papers::is_fresh(&self.on(k), ws)) {
            T.passes.most
        } else {
            1
        };
        for pass in 0..passes {
            ws.keep_base = self.may_be_large(ws);
            if is_aligned {
                for &k in self.islands {
                    stiffness(t, k, ws);
                }
                let own = ws.bounded.clusters[self.c].candidates.clone();
                crate::bounded::stiffen(t, own, h, ws);
                ws.profile.mark(Stage::Stiffness);
            }
            for &k in self.islands {
                let task = self.on(k);
                let s = if is_aligned { prepare(&task, pass, ws) } else { papers::prepare(&task, ws) };
                let mut one = Counts::default();
                solve_once(&task, s, ws, &mut one)?;
                counts.add(&one);
                accuracy::want(t, &t.islands[k], &ws.rhs, &mut ws.bounded.wanted);
            }
            counts.deepest = pass + 1;
            ws.keep_base = false;
            self.solve_bounded(true, ws, counts)?;
            // What a stop asks of a driven row shows only now.
            let mut yields = false;
            for &k in self.islands {
                yields |= stall::find(&self.on(k), ws);
            }
            if yields && pass + 1 < passes {
                continue;
            }
            let rubs = self.rub(ws);
            let cut = pass + 1 >= T.cluster.passes_cut && self.is_cut(ws);
            if pass + 1 == passes || cut || (is_aligned && !rubs && !self.jumped(pass == 0, ws)) {
                break;
            }
            for &k in self.islands {
                take_lambda(t, &t.islands[k], ws);
            }
            take_bounded(t, &ws.bounded.clusters[self.c].candidates.clone(), ws);
        }
        if is_aligned {
            if plan.resolves() {
                self.turn(ws, counts)?;
            }
            self.close(ws, counts)?;
        }
        self.book(ws);
        bounce::bounce((t, h), &self.params(), self.c, self.islands, ws, |k, x, ws| self.respond(k, x, ws))?;
        self.guard(ws);
        let respond = |k: usize, x: &mut [f64], ws: &mut Workspace| self.respond(k, x, ws);
        push::push((t, h), self.c, self.islands, ws, respond, |ws| {
            self.take_in(ws);
            push::turn(t, self.c, ws);
            self.build(ws)
        })?;
        ws.profile.mark(Stage::Bounce);
        Ok(())
    }

    /// How the bounded rows are solved.
    fn params(&self) -> Params {
        let plan = self.task.plan;
        let method = plan.sweeps().map_or(plan.bounded, |sweeps| Method::Pgs { sweeps });
        Params { method, tolerance: plan.bounded_tolerance, ..Params::default() }
    }

    /// Whether the factors of all islands are kept side by side.
    fn keeps_factors(&self) -> bool {
        self.task.plan.is_direct() || self.task.plan.is_structured() || self.islands.len() == 1
    }

    /// K^-1 of one island, in place.
    fn respond(&self, k: usize, x: &mut [f64], ws: &mut Workspace) -> Result<(), Failure> {
        let Task { t, plan, .. } = *self.task;
        if !self.keeps_factors() {
            linear::factor(t, &t.islands[k], scales(self.task, k, ws), plan, ws)?;
        }
        linear::solve(t, &t.islands[k], plan, x, ws).map(|_| ())
    }

    /// Solves the bounded rows on top of the free solution in `x`, and adds their part to `x`. With `fresh` W is made anew.
    fn solve_bounded(&self, fresh: bool, ws: &mut Workspace, counts: &mut Counts) -> Result<(), Failure> {
        let t = self.task.t;
        let mut free = std::mem::take(&mut ws.bounded.free);
        free.resize(t.pattern.size(), 0.0);
        for &k in self.islands {
            free[t.islands[k].x.clone()].copy_from_slice(&ws.x[t.islands[k].x.clone()]);
        }
        let own = ws.bounded.clusters[self.c].candidates.clone();
        all_rows::aim(t, &ws.bounded.candidates[own.clone()], &free, &mut ws.bounded.rows);
        let mut stale = self.activate(false, &free, ws) || fresh;
        for round in 0.. {
            if stale {
                self.list(ws);
            }
            if ws.bounded.is_large && !self.solve_sparse(fresh, ws) {
                // Loops with redundant rows need the rules of the islands' own factors.
                (ws.bounded.is_large, stale) = (false, true);
            }
            if !ws.bounded.is_large {
                if stale {
                    self.build(ws)?;
                }
                self.find_impulses(&free, ws);
                self.apply(&free, ws, counts)?;
            }
            if self.is_cut(ws) && round + 1 >= T.cluster.rounds_large {
                break;
            }
            let x = std::mem::take(&mut ws.x);
            stale = self.activate(round + 1 >= T.cluster.rounds, &x, ws);
            ws.x = x;
            if !stale {
                break;
            }
        }
        ws.bounded.free = free;
        all_rows::write(t, &ws.bounded.candidates[own], &ws.bounded.rows, &mut ws.x);
        for &k in self.islands {
            read_lambda(t, k, ws);
        }
        read_bounded(t, &ws.bounded.clusters[self.c].candidates.clone(), ws);
        ws.profile.mark(Stage::Bounded);
        Ok(())
    }

    /// Takes in candidates that the velocities break, or that pushed in the last step; `all` takes in the rest with them. True when there
    /// are new ones.
    fn activate(&self, all: bool, x: &[f64], ws: &mut Workspace) -> bool {
        let t = self.task.t;
        let mut new = false;
        // Where W is not formed another contact costs little, and another round much.
        let free = self.may_be_large(ws) && !self.has_joints();
        let b = &mut ws.bounded;
        for c in &mut b.candidates[b.clusters[self.c].candidates.clone()] {
            let row = &b.rows[c.row];
            let w = velocity(t, row, x) + row.drive - row.b - row.aim;
            let broken = match c.law {
                // What is deep must be pushed out even when it does not approach.
                Block::Contact { .. } => free || w < 0.0 || row.phi < 0.0,
                Block::Box { lo, hi } => (lo == 0.0 && w < 0.0) || (hi == 0.0 && w > 0.0) || (lo < 0.0 && hi > 0.0),
            };
            if !c.active && (broken || row.z != 0.0) {
                c.active = true;
                new = true;
            }
        }
        if new && all {
            b.candidates[b.clusters[self.c].candidates.clone()].iter_mut().for_each(|c| c.active = true);
        }
        new
    }

    /// Active rows from which on W is not formed.
    fn large(&self) -> usize {
        if self.has_joints() { T.cluster.large_with_joints } else { T.cluster.large }
    }

    fn has_joints(&self) -> bool {
        self.islands.iter().any(|&k| !self.task.t.islands[k].groups.is_empty())
    }

    /// Whether the candidates are so many that the sparse solver may be needed.
    fn may_be_large(&self, ws: &Workspace) -> bool {
        let sparse = self.task.plan.is_direct() && matches!(self.task.plan.bounded, Method::Auto | Method::Newton);
        sparse && self.own_rows(ws).nth(self.large()).is_some()
    }

    /// Lists the active rows.
    fn list(&self, ws: &mut Workspace) {
        let may = self.may_be_large(ws);
        let b = &mut ws.bounded;
        b.active.clear();
        b.blocks.clear();
        for c in b.candidates[b.clusters[self.c].candidates.clone()].iter().filter(|c| c.active) {
            for r in c.rows() {
                b.rows[r].at = b.active.len();
                b.active.push(r);
            }
            b.blocks.push(c.law);
        }
        b.is_large = may && b.active.len() > self.large();
        b.tally.largest = b.tally.largest.max(b.active.len());
    }

    /// Builds W of the active rows.
    fn build(&self, ws: &mut Workspace) -> Result<(), Failure> {
        let t = self.task.t;
        let mut b = std::mem::take(&mut ws.bounded);
        let n = b.active.len();
        b.w.clear();
        b.w.resize(n * n, 0.0);
        let mut done = Ok(());
        b.mobility.start(t, &b.rows, &b.active);
        let direct = self.task.plan.is_direct();
        for &k in self.islands {
            // Without loops the acyclic factor is that of the island.
            let whole = direct || (t.acyclic && t.islands[k].loops.is_empty());
            if whole && !t.islands[k].wide {
                b.mobility.add_along_paths(t, k, &b.rows, n, &mut b.w, &ws.ldlt);
            } else {
                let add = b.mobility.add(t, k, &b.rows, n, &mut b.w, |x| self.respond(k, x, ws));
                done = done.and(add);
            }
        }
        for (at, &r) in b.active.iter().enumerate() {
            b.w[at * n + at] += b.rows[r].sigma;
        }
        ws.bounded = b;
        ws.profile.mark(Stage::Mobility);
        done
    }

    /// Velocities and impulses without W; false when the matrix is not one that the sparse solver can take. With `fresh` the right-hand
    /// side is that of the pass, else that of a closing.
    fn solve_sparse(&self, fresh: bool, ws: &mut Workspace) -> bool {
        let Task { t, plan, .. } = *self.task;
        let mut large = std::mem::take(&mut ws.bounded.large);
        large.fill(t, self.islands, ws, |q| if fresh { ws.rhs[q] + ws.memory[q] } else { ws.residual[q] });
        large.begin(t, self.islands);
        let b = &ws.bounded;
        for c in b.candidates[b.clusters[self.c].candidates.clone()].iter().filter(|c| c.active) {
            large.add(t, b, c.law, c.rows().map(|r| Aimed::at(r, &b.rows[r])));
        }
        let speed = self.own_rows(ws).fold(0.0, |most: f64, r| most.max((gather::speed(t, r) + r.drive).abs()));
        let easier = std::array::from_fn(|k| (T.cluster.sparse_steps[k], T.cluster.sparse_parts[k] * speed));
        let params = SparseParams { tolerance: plan.bounded_tolerance, easier, ..SparseParams::default() };
        let info = large.solve(t, self.islands, &params, &mut ws.x);
        let b = &mut ws.bounded;
        let usable = info.residual.is_finite();
        if usable {
            for (&r, &z) in b.active.iter().zip(large.impulses()) {
                b.rows[r].z = z;
            }
        }
        b.large = large;
        if usable {
            self.count(info, ws);
        }
        usable
    }

    /// Whether the last solve was without W and did not reach its tolerance.
    fn is_cut(&self, ws: &Workspace) -> bool {
        ws.bounded.is_large && ws.bounded.last.is_some_and(|info| !info.converged)
    }

    /// Adds the work of a bounded solve.
    fn count(&self, info: Info, ws: &mut Workspace) {
        let tally = &mut ws.bounded.tally;
        tally.solves += 1;
        tally.iterations += info.iterations;
        tally.sweeps += info.sweeps;
        ws.bounded.last = Some(info);
    }

    /// z of the active rows for the free velocities.
    fn find_impulses(&self, free: &[f64], ws: &mut Workspace) {
        let Task { t, .. } = *self.task;
        let b = &mut ws.bounded;
        b.q.clear();
        b.z.clear();
        for &r in &b.active {
            let row = &b.rows[r];
            b.q.push(velocity(t, row, free) + row.drive - row.b - row.aim);
            b.z.push(row.z);
        }
        let params = self.params();
        forget(&b.w, &b.blocks, params.tolerance, &mut b.z);
        let problem = Problem { w: &b.w, q: &b.q, blocks: &b.blocks };
        let info = in_time(params.tolerance, T.cluster.dense_steps, |tolerance, max_iterations| {
            let params = Params { tolerance, max_iterations, ..params };
            solver::solve(&problem, &params, &mut b.z, &mut b.work)
        });
        for (&r, &z) in b.active.iter().zip(&b.z) {
            b.rows[r].z = z;
        }
        self.count(info, ws);
    }

    /// x = free + K^-1 Ju^T z.
    fn apply(&self, free: &[f64], ws: &mut Workspace, counts: &mut Counts) -> Result<(), Failure> {
        let t = self.task.t;
        let mut x = std::mem::take(&mut ws.x);
        let mut done = Ok(());
        for &k in self.islands {
            x[t.islands[k].x.clone()].fill(0.0);
        }
        for &r in &ws.bounded.active {
            scatter(t, &ws.bounded.rows[r], ws.bounded.rows[r].z, &mut x);
        }
        for &k in self.islands {
            let range = t.islands[k].x.clone();
            done = done.and(self.respond(k, &mut x, ws));
            counts.right_hand_sides += 1;
            for (x, f) in x[range.clone()].iter_mut().zip(&free[range]) {
                *x += f;
            }
        }
        ws.x = x;
        done
    }

    /// Bounds of the friction that follows the load of its joint, from the forces just found; true when one has clearly changed.
    fn rub(&self, ws: &mut Workspace) -> bool {
        let t = self.task.t;
        let mut changed = false;
        let mut b = std::mem::take(&mut ws.bounded);
        for c in &mut b.candidates[b.clusters[self.c].candidates.clone()] {
            let Origin::Joint { bound, .. } = c.origin else { continue };
            let of = &t.bounds[bound];
            let Bound::Friction { max, per_load } = of.spec.bound else { continue };
            let hk = hk_of(t, &b.rows[c.row]);
            let most = hk * (max + per_load * load(t, of, &ws.rows.jac, &ws.rows.lambda_next));
            let Block::Box { hi, .. } = c.law else { continue };
            changed |= (most - hi).abs() > T.cluster.rubs * most;
            c.law = Block::Box { lo: -most, hi: most };
        }
        ws.bounded = b;
        changed
    }

    /// Whether the new forces would have asked for clearly more stiffness anywhere, or for clearly less after a shock.
    fn jumped(&self, first: bool, ws: &mut Workspace) -> bool {
        let t = self.task.t;
        self.islands.iter().any(|&k| {
            let island = &t.islands[k];
            resolved::stiffness_next(t, k, ws);
            aligned::jumped(t, island, ws, 0.0, 0.0, T.passes.jump)
                || (first && ws.regime[k].shocked && aligned::fell(t, island, ws, T.passes.fall))
        })
    }

    /// Counts what the last bounded solve left.
    fn book(&self, ws: &mut Workspace) {
        for &k in self.islands {
            let missed = accuracy::missed(self.task.t, &self.task.t.islands[k], scales(self.task, k, ws), ws);
            ws.bounded.tally.joints = ws.bounded.tally.joints.max(missed);
        }
        let b = &mut ws.bounded;
        let Some(info) = b.last else { return };
        b.tally.residual = b.tally.residual.max(info.residual);
        b.tally.unconverged += usize::from(!info.converged);
        b.tally.convex += usize::from(info.convex);
        b.tally.rows += b.active.len();
        let pushes = b.active.iter().any(|&r| b.rows[r].z != 0.0);
        for &k in self.islands {
            b.acting[k] = pushes;
        }
    }

    /// All rows of the cluster.
    fn own_rows<'w>(&self, ws: &'w Workspace) -> impl Iterator<Item = &'w Row> {
        let b = &ws.bounded;
        b.candidates[b.clusters[self.c].candidates.clone()].iter().flat_map(|c| &b.rows[c.rows()])
    }
}

/// Solves in stages, each with an easier tolerance. `solve` goes on from where it stopped.
fn in_time(tolerance: f64, steps: [usize; 2], mut solve: impl FnMut(f64, usize) -> Info) -> Info {
    let mut all = solve(tolerance, steps[0]);
    for easier in T.cluster.easier {
        if all.converged || all.residual <= tolerance * easier {
            break;
        }
        let more = solve(tolerance * easier, steps[1]);
        let (iterations, sweeps) = (all.iterations + more.iterations, all.sweeps + more.sweeps);
        all = Info { iterations, sweeps, converged: more.residual <= tolerance, ..more };
    }
    all
}

/// Drops impulses that do less than the tolerance: kept from step to step, what they do would add up.
fn forget(w: &[f64], blocks: &[Block], tolerance: f64, z: &mut [f64]) {
    let n = z.len();
    let mut at = 0;
    for block in blocks {
        let one_sided = match block {
            Block::Contact { .. } => true,
            Block::Box { lo, hi } => *lo == 0.0 || *hi == 0.0,
        };
        let rows = at..at + if matches!(block, Block::Contact { .. }) { 3 } else { 1 };
        if one_sided && z[at].abs() * w[at * n + at] < tolerance {
            z[rows.clone()].fill(0.0);
        }
        at = rows.end;
    }
}

/// Memory, curvature and right-hand side of one island, by the default stabiliser.
fn prepare(task: &Task<'_>, pass: usize, ws: &mut Workspace) -> Scales {
    let Task { t, k, h, .. } = *task;
    let island = &t.islands[k];
    ws.share[k] = 0.0;
    let cap = match (ws.regime[k].h_prev == 0.0, pass) {
        (true, 0) => Cap::None,
        (true, _) => Cap::Solved,
        _ => Cap::Last,
    };
    aligned::memory(t, island, 0.0, cap, ws);
    ws.profile.mark(Stage::Memory);
    curvature::predict(t, island, k, h, ws);
    row_rhs(t, k, h, ws);
    ws.profile.mark(Stage::Curvature);
    scales(task, k, ws)
}

/// Forces of the bounded rows of joints, into `rows.lambda_next`.
fn read_bounded(t: &Given<'_>, candidates: &std::ops::Range<usize>, ws: &mut Workspace) {
    let b = &ws.bounded;
    for c in &b.candidates[candidates.clone()] {
        if let Origin::Joint { bound, .. } = c.origin {
            ws.rows.lambda_next[t.row_count + bound] = 0.0;
        }
    }
    for c in &b.candidates[candidates.clone()] {
        if let Origin::Joint { bound, .. } = c.origin {
            let row = &b.rows[c.row];
            let hk = hk_of(t, row);
            ws.rows.lambda_next[t.row_count + bound] += row.z / hk;
        }
    }
}

/// The stiffness of the next pass reads the forces of this one. Those of other clusters are not ours to touch.
fn take_bounded(t: &Topology, candidates: &std::ops::Range<usize>, ws: &mut Workspace) {
    for c in &ws.bounded.candidates[candidates.clone()] {
        if let Origin::Joint { bound, .. } = c.origin {
            ws.rows.lambda[t.row_count + bound] = ws.rows.lambda_next[t.row_count + bound];
        }
    }
}
