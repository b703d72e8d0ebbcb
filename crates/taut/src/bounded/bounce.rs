//! Restitution at the end of the step (Faure: no backtracking).
//!
//! The step ends at contact with the velocities v+ that do not penetrate. Rows that met with speed then rebound, and that changes the
//! velocities alone. With which speeds they part is found by rounds of impacts (`impacts`); then the rows of the step are solved
//! again, with these speeds in place of the distances, on the same W, in the same cones:
//! ```text
//! rebounding row     0 <= zn'  _|_  wn - parting >= 0          all others as in the step
//! v = v+ + K^-1 Ju^T (z' - z)
//! ```
//! so that friction bears its part of the whole blow, and what only rests stays at rest. Newton's law with friction can add energy: then
//! the rebound is scaled back until the kinetic energy is no more than it was at contact.
//!
//! Velocities live half a step before the poses. At the moment of contact, the share f of the step, a row has the speed
//! u = w0 + (1/2 + f) a h, a h = w_free - w0, and leaves with the stored speed -e u - a h/2: then a ball keeps its height.

use super::large::Aimed;
use super::{coupled, gather, impacts};
use crate::delassus::{Row, RowList, scatter, velocity};
use crate::desk::Second;
use crate::desk::bounded::{Active, Bounce, Bounded, Candidate, Cluster, Delassus, Impact, Large};
use crate::desk::inputs::Given;
use crate::force::gyroscopic::{drift_momentum, solve_drift};
use crate::integrate::kinetic;
use crate::kin::Kin;
use crate::math::vec3;
use crate::rows::{Rotor, row_velocity};
use crate::solve::block_ldlt::BlockLdlt;
use crate::solve::bounded::sparse::SparseParams;
use crate::solve::bounded::{self as solver, Block, Info, Params, Problem};
use crate::system::linear::Failure;
use glam::{DMat3, DVec3};

/// The factors of a system.
pub(crate) trait Respond {
    /// K^-1 of island k, in place.
    fn respond(&mut self, k: usize, x: &mut [f64]) -> Result<(), Failure>;

    /// The factors of islands that are factorised block by block.
    fn ldlt(&self) -> &BlockLdlt;
}

/// Finds what restitution adds to the velocities `x` of the islands of a cluster where something rebounds.
pub(crate) fn bounce(
    (t, h): (&Given<'_>, f64),
    params: &Params,
    cluster: &Cluster,
    x: &[f64],
    b: &mut Bounded,
    factors: &mut impl Respond,
) -> Result<(), Failure> {
    let islands = &cluster.islands;
    let candidates = &b.set.candidates[cluster.candidates.clone()];
    if !candidates.iter().any(|c| c.active && c.restitution > 0.0) {
        return Ok(());
    }
    coupled::hold(t, candidates, (&b.set.rows, &b.active), &b.delassus.w, &mut b.bounce);
    if !find(t, h, candidates, (&b.set.rows, &b.active), &mut b.bounce) {
        return Ok(());
    }
    impacts::rounds(t, islands, b);
    let Bounded { set, active, delassus, large, bounce, tally, .. } = b;
    let info = if active.is_large {
        solve_sparse(t, params, islands, x, (&set.rows, active), large, bounce)
    } else {
        let info = solve_dense(t, params, x, (&set.rows, active), delassus, bounce);
        let out = &mut bounce.velocity;
        for &k in islands {
            out[t.islands[k].x.clone()].fill(0.0);
        }
        for (&z, &r) in delassus.z.iter().zip(&active.rows) {
            scatter(t, set.rows.sides(r), z - set.rows[r].z, out);
        }
        for &k in islands {
            factors.respond(k, out)?;
        }
        info
    };
    tally.solves += 1;
    tally.iterations += info.iterations;
    tally.sweeps += info.sweeps;
    tally.residual = tally.residual.max(info.residual);
    tally.unconverged += usize::from(!info.converged);
    for &k in islands {
        bounce.bounced[k] = true;
    }
    Ok(())
}

/// What the active rows are in an impact; false when none rebounds.
pub(crate) fn find(
    t: &Given<'_>,
    h: f64,
    candidates: &[Candidate],
    (rows, active): (&RowList, &Active),
    b: &mut Bounce,
) -> bool {
    b.impact.clear();
    b.impact.resize(active.rows.len(), Impact::default());
    let mut first = f64::INFINITY;
    for c in candidates.iter().filter(|c| c.active) {
        let row = &rows[c.row];
        let sign = match c.law {
            Block::Contact { .. } => 1.0,
            Block::Box { lo: 0.0, .. } => 1.0,
            Block::Box { hi: 0.0, .. } | Block::Span { .. } => -1.0,
            Block::Box { .. } => continue,
        };
        let w0 = sign * (gather::speed(&t.inputs.kin, rows.sides(c.row)) + row.drive);
        let held = b.held.get(row.at).copied().unwrap_or(0.0);
        let free = sign * (velocity(t, rows.sides(c.row), &b.free) + row.drive + held);
        let kick = (free - w0) * h / gather::hk_of(t, &t.inputs.hk, rows.sides(c.row));
        let moment = if free < 0.0 { ((sign * row.phi).max(0.0) / (-free * h)).min(1.0) } else { 1.0 };
        let u = w0 + (0.5 + moment) * kick;
        let mut i = Impact { takes_part: true, sign, e: c.restitution, u, kick, unit: row.unit, ..b.impact[row.at] };
        i.meets = row.z != 0.0 && i.is_fast();
        if !i.meets {
            // It rests, or stops where it is by the law of the step.
            i.u = free - sign * (row.b + row.aim);
        } else if i.e > 0.0 {
            first = first.min(moment);
        }
        b.impact[row.at] = i;
    }
    b.moment = first;
    first.is_finite()
}

/// What w of an active row is measured from: what it parts with, or the aim of the step.
pub(crate) fn aim(row: &Row, i: &Impact) -> f64 {
    let own = row.b + row.aim - row.drive;
    if i.rebounds { i.sign * (i.parting() - i.sign * row.drive).max(i.sign * own) } else { own }
}

/// z' of the active rows by W.
fn solve_dense(
    t: &Given<'_>,
    params: &Params,
    x: &[f64],
    (rows, active): (&RowList, &Active),
    d: &mut Delassus,
    b: &Bounce,
) -> Info {
    let n = active.rows.len();
    d.q.clear();
    for (at, &r) in active.rows.iter().enumerate() {
        // Without the impulses of the step, and measured from the aim.
        let row = &rows[r];
        let pushed: f64 = d.w[at * n..(at + 1) * n].iter().zip(&active.rows).map(|(w, &r)| w * rows[r].z).sum();
        d.q.push(velocity(t, rows.sides(r), x) + row.sigma * row.z - pushed - aim(row, &b.impact[at]));
    }
    d.unit.clear();
    d.unit.extend(active.rows.iter().map(|&r| rows[r].unit));
    d.z.clear();
    d.z.extend(active.rows.iter().map(|&r| rows[r].z));
    let problem = Problem { w: &d.w, q: &d.q, blocks: &active.blocks, unit: &d.unit };
    solver::solve(&problem, params, &mut d.z, &mut d.work)
}

/// The change of the velocities without W.
fn solve_sparse(
    t: &Given<'_>,
    params: &Params,
    islands: &[usize],
    x: &[f64],
    (rows, active): (&RowList, &Active),
    large: &mut Large,
    b: &mut Bounce,
) -> Info {
    large.begin();
    let mut at = 0;
    for &law in &active.blocks {
        let count = law.rows();
        if rows[active.rows[at]].is_wide() {
            // It is in the matrix, with the aim of the step.
            at += count;
            continue;
        }
        let own = (at..at + count).map(|at| {
            let row = active.rows[at];
            Aimed { row, c: aim(&rows[row], &b.impact[at]), z: rows[row].z, sigma: rows[row].sigma }
        });
        large.add(t, rows, law, own);
        at += count;
    }
    let params = SparseParams { tolerance: params.tolerance, ..SparseParams::default() };
    let info = large.solve(t, islands, &params, &mut b.velocity);
    for &k in islands {
        let range = t.islands[k].x.clone();
        b.velocity[range.clone()].iter_mut().zip(&x[range]).for_each(|(new, old)| *new -= old);
    }
    info
}

/// What a rebound is applied to and scaled by.
#[derive(Clone, Copy)]
pub(crate) struct Rebound<'a> {
    pub t: &'a Given<'a>,
    pub h: f64,
    pub gravity: DVec3,
    /// Velocities of the solution, and the curvature of the rows.
    pub x: &'a [f64],
    pub curve: &'a [f64],
    pub bounce: &'a Bounce,
    pub second: &'a Second,
}

impl Rebound<'_> {
    /// Adds the rebound to the velocities at the new poses; the kinetic energy that is gained, J, and what changes of the centred
    /// potential: a body that rebounds starts anew from its pose, as if it had come there with its new velocity.
    pub fn apply(&self, next: &mut [Kin]) -> [f64; 2] {
        let t = self.t;
        let mut gain = [0.0; 2];
        for cluster in t.inputs.candidates.clusters() {
            if !cluster.islands.first().is_some_and(|&k| self.bounce.bounced[k]) {
                continue;
            }
            let nodes = || cluster.islands.iter().flat_map(|&k| t.islands[k].nodes.clone());
            let loss = self.loss(nodes(), next) + self.rotors_lost(&cluster.islands);
            let share = self.share(nodes(), &cluster.islands, loss, next);
            for n in nodes() {
                let before = kinetic(t, n, &next[n]);
                let node = &t.nodes[n];
                next[n].vel += share * vec3(&self.bounce.velocity, node.x);
                if node.dim == 6 {
                    self.turn(n, share * vec3(&self.bounce.velocity, node.x + 3), &mut next[n]);
                }
                let next = &next[n];
                gain[0] += kinetic(t, n, next) - before;
                gain[1] -= 0.5 * node.weight * self.gravity.dot(next.pos - t.inputs.kin[n].pos - self.h * next.vel);
            }
        }
        gain
    }

    /// Twice the energy that nodes have lost between the poses before and after the step, J: more than that the rebound may not give
    /// back. The force M kick / h has worked along the way h v+.
    fn loss(&self, nodes: impl Iterator<Item = usize>, next: &[Kin]) -> f64 {
        let (t, x) = (self.t, self.x);
        let mut lost = 0.0;
        for n in nodes {
            let node = &t.nodes[n];
            let [kick, turn] = self.kick(n);
            let (start, end) = (t.inputs.kin[n].vel + 0.5 * kick, vec3(x, node.x) + 0.5 * kick);
            lost += node.mass * (start.length_squared() - end.length_squared() + 2.0 * kick.dot(vec3(x, node.x)));
            if node.dim == 6 {
                let before = t.inputs.inertia[n];
                let half = 0.5 * (before * turn);
                if t.inputs.momentum[n].is_nan() {
                    // What the turning of the inertia alone changes is no loss.
                    let (start, end) = (before * t.inputs.omega_g[n] + half, before * vec3(x, node.x + 3) + half);
                    lost += (start - end).dot(before.inverse() * (start + end));
                } else {
                    let (after, carried) = self.carried(n, &next[n]);
                    let (start, end) = (t.inputs.momentum[n] + half, carried + 0.5 * (after * turn));
                    lost += start.dot(before.inverse() * start) - end.dot(after.inverse() * end);
                }
                lost += 2.0 * turn.dot(before * vec3(x, node.x + 3));
            }
        }
        lost
    }

    /// The rotors of some islands, with their rates in the solution.
    fn rotors<'b>(&'b self, islands: &'b [usize]) -> impl Iterator<Item = (&'b Rotor, f64)> {
        let rows = &self.t.inputs.rows;
        let rotors = islands.iter().flat_map(|&k| rows.rotors_of(self.t.islands[k].groups.clone()));
        rotors.map(|rotor| (rotor, rotor.rate(self.t, rows, self.x, self.curve, self.h)))
    }

    /// Twice the energy that the rotors of some islands have lost, J.
    fn rotors_lost(&self, islands: &[usize]) -> f64 {
        self.rotors(islands).map(|(rotor, rate)| 2.0 * (rotor.energy(rotor.past) - rotor.energy(rate))).sum()
    }

    /// What the forces of a whole step add to the velocity and the angular velocity of a node.
    fn kick(&self, n: usize) -> [DVec3; 2] {
        let (t, free) = (self.t, &self.bounce.free);
        let node = &t.nodes[n];
        let part = self.h / t.inputs.hk[node.island];
        let mut turn = DVec3::ZERO;
        if node.dim == 6 {
            turn = vec3(free, node.x + 3) - t.inputs.omega_g[n];
            if self.second.kicked[node.island] {
                // The inertia turning with the body is no force.
                turn -= t.inputs.inertia[n].inverse() * self.second.kick[n];
            }
        }
        [part * (vec3(free, node.x) - t.inputs.kin[n].vel), part * turn]
    }

    /// The largest part s of the rebound d, from 0 to 1, that gives back no more than was lost: 2 s v.M d + s^2 d.M d <= loss, with the
    /// velocities v and the inertia at the new poses.
    fn share(&self, nodes: impl Iterator<Item = usize>, islands: &[usize], loss: f64, next: &[Kin]) -> f64 {
        let t = self.t;
        let (mut cross, mut square) = (0.0, 0.0);
        for (rotor, rate) in self.rotors(islands) {
            let d = row_velocity(t, &t.groups[rotor.group], rotor.r, &t.inputs.rows.jac, &self.bounce.velocity);
            cross += rotor.armature * d * rate;
            square += rotor.armature * d * d;
        }
        for n in nodes {
            let (node, next) = (&t.nodes[n], &next[n]);
            let [kick, turn] = self.kick(n);
            let d = vec3(&self.bounce.velocity, node.x);
            cross += node.mass * d.dot(next.vel + 0.5 * kick);
            square += node.mass * d.length_squared();
            if node.dim == 6 {
                let (inertia, momentum) = self.carried(n, next);
                let d = vec3(&self.bounce.velocity, node.x + 3);
                cross += d.dot(momentum + 0.5 * (inertia * turn));
                square += d.dot(inertia * d);
            }
        }
        if 2.0 * cross + square <= loss || square <= 0.0 {
            return 1.0;
        }
        let root = (cross * cross + square * loss).max(0.0).sqrt();
        ((root - cross) / square).clamp(0.0, 1.0)
    }

    /// Inertia at the new pose, and the angular momentum that the drift to it has brought.
    fn carried(&self, n: usize, kin: &Kin) -> (DMat3, DVec3) {
        let (t, h) = (self.t, self.h);
        let inertia = kin.rot * t.local_inertia[n] * kin.rot.transpose();
        let steady = t.nodes[n].isotropic || t.inputs.momentum[n].is_nan();
        (inertia, if steady { inertia * kin.omega } else { drift_momentum(inertia, kin.omega, -h) })
    }

    /// Adds a change `d` of the angular velocity. It belongs to the new pose, stored velocities to the middle of the drift before it: the
    /// angular velocity whose drift would have brought the momentum that the body has now.
    fn turn(&self, n: usize, d: DVec3, kin: &mut Kin) {
        let (t, h) = (self.t, self.h);
        let (inertia, momentum) = self.carried(n, kin);
        kin.omega += d;
        if t.nodes[n].isotropic || t.inputs.momentum[n].is_nan() {
            return;
        }
        if let Some(w) = solve_drift(kin, t.local_inertia[n], momentum + inertia * d, -h) {
            kin.omega = w;
        }
    }
}
