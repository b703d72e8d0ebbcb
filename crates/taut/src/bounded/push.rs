//! Penetration, and what a limit is passed by in second order, is removed from the positions alone, never by a velocity (Faure: position
//! projection), so it costs and gives no kinetic energy. With phi+ the distances after the step (phi + h w for contacts, measured at the
//! new poses for limits), on the factor and W of the step:
//! ```text
//! dx = K^-1 Jn^T y,     0 <= y  _|_  Jn dx + phi+ >= 0
//! ```
//! Joints stay closed to first order, because they are in K, and couplings because they are pushed with the rest. A limb that whips along the edge of its cone passes it by
//! (h w)^2 cot(angle)/2; limits are looked at again after the push.

use super::accuracy::{angle_at, limit_at};
use super::bounce::Respond;
use super::coupled::{Ahead, coupling_at};
use super::large::Aimed;
use super::measure;
use super::reeved::slipping;
use crate::close::velocities::taken_back;
use crate::delassus::{RowList, scatter, velocity};
use crate::desk::Next;
use crate::desk::bounded::{Active, Bounded, Candidate, Cluster, Delassus, Large, Origin, Push, Set, Touch};
use crate::desk::inputs::Given;
use crate::integrate;
use crate::kin::Kin;
use crate::rows::evaluate_phi;
use crate::solve::bounded::sparse::SparseParams;
use crate::solve::bounded::{self as solver, Block, Params, Problem};
use crate::system::linear::Failure;
use crate::topology::{Island, NONE, Topology};
use crate::tuning::T;

/// What is left for later steps of the excess that an angle had before the step, rad.
fn later(before: f64) -> f64 {
    if before > T.push.inherited { before - (T.push.share * before).min(T.push.turn) } else { 0.0 }
}

/// The error of a coupling that is to be closed now, in its scale.
fn opened(at: &Ahead) -> f64 {
    let old = at.inherited / at.scale;
    at.error / at.scale - later(old.abs()).copysign(old)
}

/// How contacts are pushed where all rows are solved together.
pub(crate) fn exact() -> (f64, f64) {
    (T.push.share, T.push.slop)
}

/// A normal that pushes.
const PUSH: Block = Block::Box { lo: 0.0, hi: f64::INFINITY };

/// The law of a row without its neighbours: spans of ropes with friction only pull here.
fn alone(law: Block) -> Block {
    if matches!(law, Block::Span { .. }) { Block::Box { lo: f64::NEG_INFINITY, hi: 0.0 } } else { law }
}

/// What a push reads: the layout, the step, the cluster and the velocities of its solution.
#[derive(Clone, Copy)]
pub(crate) struct Pushed<'a> {
    pub t: &'a Given<'a>,
    pub h: f64,
    pub cluster: &'a Cluster,
    pub x: &'a [f64],
    pub redundant: &'a [bool],
    /// Part of the penetration of contacts that is removed, and what is left alone, as part of the radius of gyration.
    pub contacts: (f64, f64),
}

impl Pushed<'_> {
    /// Finds the push of the islands of a cluster with penetrations or limits that are passed. `rebuild` makes W anew.
    pub fn find<R: Respond>(
        &self,
        b: &mut Bounded,
        next: &mut Next,
        factors: &mut R,
        mut rebuild: impl FnMut(&mut Bounded, &Next, &mut R) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let Pushed { t, h, cluster, x, .. } = *self;
        let islands = &cluster.islands;
        let limits = self.has_limits(&b.set);
        if limits {
            b.push.phi_base.resize(next.phi.len(), 0.0);
            for &k in islands {
                let island = &t.islands[k];
                integrate::poses(t, island.nodes.clone(), &t.inputs.kin, x, h, &mut next.kin);
                evaluate_phi(t, island.groups.clone(), &next.kin, &mut next.phi);
                b.push.phi_base[island.rows.clone()].copy_from_slice(&next.phi[island.rows.clone()]);
            }
        }
        let mut worst = f64::INFINITY;
        for round in 0..T.push.rounds {
            let Some(passed) = self.gather(round > 0, b, &next.kin) else { break };
            if passed > worst {
                // A push that went too far is halved.
                b.push.add_shift(t, islands, -0.5);
                for &k in islands {
                    b.push.shift[t.islands[k].x.clone()].iter_mut().for_each(|x| *x *= 0.5);
                }
            } else {
                worst = passed;
                if limits && !b.active.is_large {
                    rebuild(b, next, factors)?;
                    self.gather(round > 0, b, &next.kin);
                }
                self.solve(round > 0, b, &next.phi, factors)?;
                b.push.begin(t, islands, round == 0);
                b.push.add_shift(t, islands, 1.0);
            }
            if !limits {
                break;
            }
            for &k in islands {
                b.push.poses(t, &t.islands[k], h, x, &mut next.kin);
                evaluate_phi(t, t.islands[k].groups.clone(), &next.kin, &mut next.phi);
            }
        }
        turn_back(b);
        Ok(())
    }

    /// dx/h for what touches, into `shift`. In later rounds the joints go back to the openings they had before the push.
    fn solve(&self, again: bool, b: &mut Bounded, phi: &[f64], factors: &mut impl Respond) -> Result<(), Failure> {
        let Pushed { t, h, cluster, .. } = *self;
        let islands = &cluster.islands;
        let Bounded { set, active, delassus, large, push, .. } = b;
        if active.is_large {
            self.sparse(set, active, large, push);
            return Ok(());
        }
        if again {
            self.joints(phi, push);
            islands.iter().try_for_each(|&k| factors.respond(k, &mut push.shift))?;
            for touch in &mut push.touching {
                touch.phi += h * velocity(t, set.rows.sides(active.rows[touch.at]), &push.shift);
            }
        }
        dense(h, &set.rows, active, &push.touching, delassus);
        if again {
            self.joints(phi, push);
        } else {
            islands.iter().for_each(|&k| push.shift[t.islands[k].x.clone()].fill(0.0));
        }
        for (q, touch) in push.touching.iter().enumerate() {
            scatter(t, set.rows.sides(active.rows[touch.at]), delassus.z[q], &mut push.shift);
        }
        islands.iter().try_for_each(|&k| factors.respond(k, &mut push.shift))
    }

    /// Closes couplings that the closing of joints has opened, in the positions `next` alone and on W of the step; false when none is open.
    pub fn recouple(&self, b: &mut Bounded, next: &mut Next, factors: &mut impl Respond) -> Result<bool, Failure> {
        let Pushed { t, h, cluster, x, .. } = *self;
        let Bounded { set, active, delassus, push, .. } = b;
        push.touching.clear();
        let mut widest = 0.0_f64;
        for c in set.candidates[cluster.candidates.clone()].iter().filter(|c| c.active) {
            if let Some(at) = coupling_at(t, c.origin, &next.kin, h) {
                let open = opened(&at);
                widest = widest.max(open.abs());
                push.touching.push(Touch { at: set.rows[c.row].at, phi: at.scale * open, law: c.law });
            }
        }
        if active.is_large || !(widest > T.close.open && widest < T.push.turn) {
            return Ok(false);
        }
        dense(h, &set.rows, active, &push.touching, delassus);
        cluster.islands.iter().for_each(|&k| push.shift[t.islands[k].x.clone()].fill(0.0));
        for (touch, &z) in push.touching.iter().zip(&delassus.z) {
            scatter(t, set.rows.sides(active.rows[touch.at]), z, &mut push.shift);
        }
        for &k in &cluster.islands {
            factors.respond(k, &mut push.shift)?;
            let (island, nodes) = (&t.islands[k], t.islands[k].nodes.clone());
            next.saved.clear();
            next.saved.extend_from_slice(&next.kin[nodes.clone()]);
            integrate::poses_from(t, nodes.clone(), &next.saved, &push.shift, h, &mut next.kin);
            integrate::velocities(t, nodes, x, &mut next.kin);
            evaluate_phi(t, island.groups.clone(), &next.kin, &mut next.phi);
        }
        Ok(true)
    }

    /// Right-hand side that takes back what the push has opened, into `shift`.
    fn joints(&self, phi: &[f64], push: &mut Push) {
        for island in self.cluster.islands.iter().map(|&k| &self.t.islands[k]) {
            if self.redundant[island.k] {
                push.shift[island.x.clone()].fill(0.0);
            } else {
                taken_back(self.t, island, self.h, (&push.phi_base, phi), &mut push.shift);
            }
        }
    }

    /// dx/h without W, from the matrices that `large` still holds.
    fn sparse(&self, set: &Set, active: &Active, large: &mut Large, push: &mut Push) {
        let Pushed { t, h, cluster, .. } = *self;
        large.rest();
        large.begin();
        for touch in &push.touching {
            let row = active.rows[touch.at];
            if set.rows[row].is_wide() {
                large.want(row, -touch.phi / h);
                continue;
            }
            let aimed = Aimed { row, c: -touch.phi / h, z: 0.0, sigma: 0.0 };
            large.add(t, &set.rows, touch.law, std::iter::once(aimed));
        }
        let params = SparseParams { tolerance: 1e-6, ..SparseParams::default() };
        large.solve(t, &cluster.islands, &params, &mut push.shift);
    }

    /// Whether a rigid limit on an angle or a rigid coupling is active in the cluster.
    fn has_limits(&self, set: &Set) -> bool {
        let (t, own) = (self.t, &set.candidates[self.cluster.candidates.clone()]);
        let coupled = |c: &Candidate| matches!(c.origin, Origin::Coupling(k) if t.couplings[k].soft.is_rigid());
        own.iter().any(|c| c.active && (coupled(c) || angle_at(t, c.origin, &t.inputs.kin).is_some()))
    }

    /// Contacts and limits that are closed after the step, with the distance to be made up, and the largest excess of a limit; none when
    /// none has gone too far. In later rounds the contacts only keep what they have.
    pub fn gather(&self, again: bool, b: &mut Bounded, next: &[Kin]) -> Option<f64> {
        let Pushed { t, h, cluster, x, .. } = *self;
        let Bounded { set, active, push, .. } = b;
        let (share, slop) = self.contacts;
        push.touching.clear();
        let mut deep = false;
        let mut passed = 0.0_f64;
        for c in &set.candidates[cluster.candidates.clone()] {
            let row = &set.rows[c.row];
            let on = c.active && row.at != NONE;
            // A limit that is not in W yet counts: it is taken in before the push is solved.
            if !on && active.is_large {
                continue;
            }
            if let Some(at) = coupling_at(t, c.origin, next, h) {
                let open = opened(&at);
                passed = passed.max(open.abs());
                let phi = at.scale * open.clamp(-T.push.turn, T.push.turn);
                push.touching.push(Touch { at: row.at, phi, law: c.law });
                continue;
            }
            if let Some((q, scale, sign)) = angle_at(t, c.origin, next) {
                let q = q - sign * later(sign * row.phi);
                passed = passed.max(sign * q / scale);
                if on {
                    push.touching.push(Touch {
                        at: row.at,
                        phi: sign * (sign * q).min(T.push.turn * scale),
                        law: c.law,
                    });
                }
                continue;
            }
            if let Some((_, scale, sign)) = limit_at(t, c.origin, next).filter(|_| on) {
                let pushed = if again { velocity(t, set.rows.sides(c.row), &push.velocity) } else { 0.0 };
                let rate = velocity(t, set.rows.sides(c.row), x) + row.drive - row.aim - slipping(t, set, c, x);
                let next = sign * (row.phi + h * (rate + pushed));
                let excess = next - T.push.slop_length * scale;
                if excess > 0.0 && !again {
                    deep = true;
                    let phi = sign * (T.push.share * excess).min(T.push.most_length * scale);
                    push.touching.push(Touch { at: row.at, phi, law: alone(c.law) });
                } else if next > -T.push.slop_length * scale {
                    push.touching.push(Touch { at: row.at, phi: sign * next.min(0.0), law: alone(c.law) });
                }
                continue;
            }
            if !(on && matches!(c.origin, Origin::Contact(_)) && row.sigma == 0.0) {
                continue;
            }
            let pushed = if again { velocity(t, set.rows.sides(c.row), &push.velocity) } else { 0.0 };
            let next = row.phi + h * (velocity(t, set.rows.sides(c.row), x) + row.drive + pushed);
            let size = set.rows.sides(c.row).map(|(n, _)| t.nodes[n].size).fold(f64::INFINITY, f64::min);
            let excess = next + slop * size;
            if excess < 0.0 && !again {
                deep = true;
                let phi = (share * excess).max(-T.push.most * size);
                push.touching.push(Touch { at: row.at, phi, law: PUSH });
            } else if next < slop * size {
                push.touching.push(Touch { at: row.at, phi: next.max(0.0), law: PUSH });
            }
        }
        (deep || passed > T.push.passed).then_some(passed)
    }
}

/// Turns the rows of limits to the new poses: a narrow cone has gone round by then. Those of the step are kept.
pub(crate) fn turn(t: &Given<'_>, cluster: &Cluster, next: &[Kin], b: &mut Bounded) {
    let Bounded { set, push, .. } = b;
    for c in set.candidates[cluster.candidates.clone()].iter().filter(|c| c.active) {
        let Origin::Joint { bound, .. } = c.origin else { continue };
        if angle_at(t, c.origin, next).is_some() {
            let of = &t.bounds[bound];
            let m = measure(&of.spec, &next[of.i].side(), &next[of.j].side());
            let row = &mut set.rows[c.row];
            if push.turned.iter().all(|kept| kept.0 != c.row) {
                push.turned.push((c.row, row.ji, row.jj));
            }
            (row.ji, row.jj) = (m.ji, m.jj);
        }
    }
}

/// The rows of the step again.
fn turn_back(b: &mut Bounded) {
    for (row, ji, jj) in b.push.turned.drain(..) {
        (b.set.rows[row].ji, b.set.rows[row].jj) = (ji, jj);
    }
}

impl Push {
    /// Marks the islands as pushed; the first time the push is zero.
    fn begin(&mut self, t: &Topology, islands: &[usize], first: bool) {
        for &k in islands {
            if first {
                self.velocity[t.islands[k].x.clone()].fill(0.0);
            }
            self.pushed[k] = true;
        }
    }

    /// Adds a round to the push, or takes it away.
    fn add_shift(&mut self, t: &Topology, islands: &[usize], sign: f64) {
        for &k in islands {
            let range = t.islands[k].x.clone();
            for (sum, x) in self.velocity[range.clone()].iter_mut().zip(&self.shift[range]) {
                *sum += sign * x;
            }
        }
    }

    /// Poses of an island with the push; the velocities are those of the solution `x`.
    pub fn poses(&self, t: &Given<'_>, island: &Island, h: f64, x: &[f64], next: &mut [Kin]) {
        integrate::pushed(t, island.nodes.clone(), &t.inputs.kin, (x, &self.velocity), h, next);
    }
}

/// y of what touches from W, into `z`.
fn dense(h: f64, rows: &RowList, active: &Active, touching: &[Touch], d: &mut Delassus) {
    let n = touching.len();
    let all = active.rows.len();
    d.part.clear();
    for from in touching {
        d.part.extend(touching.iter().map(|to| d.w[from.at * all + to.at]));
    }
    // Compliance has no part in a position.
    for k in 0..n {
        d.part[k * n + k] -= rows[active.rows[touching[k].at]].sigma;
    }
    d.blocks.clear();
    d.blocks.extend(touching.iter().map(|touch| touch.law));
    d.q.clear();
    d.q.extend(touching.iter().map(|touch| touch.phi / h));
    d.unit.clear();
    d.unit.extend(touching.iter().map(|touch| rows[active.rows[touch.at]].unit));
    d.z.clear();
    d.z.resize(n, 0.0);
    let problem = Problem { w: &d.part, q: &d.q, blocks: &d.blocks, unit: &d.unit };
    solver::solve(&problem, &Params::default(), &mut d.z, &mut d.work);
}
