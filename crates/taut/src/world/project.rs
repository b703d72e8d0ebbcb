//! Projection of poses, and of velocities, onto chosen joints and their limits.
//!
//! `World::assemble` brings parts together from afar and looks at joints alone; this is the same Newton (`close::newton`, in the metric of
//! the masses) on a part of the joints, with their rigid limits and ropes as one-sided rows on top of the factor:
//! ```text
//! x = x_joints + K^-1 Ju^T z,     0 <= z  _|_  gap + Ju x >= 0
//! ```
//! The layout is one of its own, so that a call that fails has touched nothing.

use super::{World, empty};
use crate::bounded::measure;
use crate::close::newton::{Effort, Newton};
use crate::close::opening::Openings;
use crate::conflicts;
use crate::desk::Projector;
use crate::desk::inputs::Inputs;
use crate::error::{Error, Result, positive};
use crate::ids::{BodyId, JointId};
use crate::integrate;
use crate::joints::{Bound, turn};
use crate::kin::Kin;
use crate::math::pose::Pose;
use crate::rows::{evaluate_phi, row_velocity};
use crate::solve::structured::Meter;
use crate::step;
use crate::system::linear;
use crate::topology::{NONE, Topology};
use crate::tuning::T;
use glam::DVec3;

/// What is to be closed, and how well.
///
/// A drawer was pulled 0.3 m beyond its stop and its runner is 20 mm off. Both are put right, and it stops.
/// ```
/// use taut::prelude::*;
/// use taut::assembly::Projection;
/// let mut world = World::new();
/// let drawer = Body::dynamic(MassProperties::cuboid(200.0, Vec3::new(0.3, 0.1, 0.2))?);
/// let drawer = world.add(drawer.at(Vec3::new(0.8, 0.02, 0.0)).moving(Vec3::X, Vec3::ZERO))?;
/// let runner = Prismatic::between(drawer, world.ground()).ends(Vec3::new(0.8, 0.02, 0.0), Vec3::ZERO).axis(Vec3::X);
/// let runner = world.add(runner.limit(0.0, 0.5))?;
/// let done = world.project(&Projection { velocities: true, ..Projection::default() })?;
/// assert!(done.closed && done.gap < 1e-9 && done.excess < 1e-9);
/// assert!((world.body(drawer)?.position() - 0.5 * Vec3::X).length() < 1e-9);
/// assert!(world.joint(runner)?.rate()?.abs() < 1e-12);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Projection {
    /// The joints that count; none for all.
    pub joints: Option<Vec<JointId>>,
    /// Whether their rigid limits count, the lengths of ropes among them.
    pub limits: bool,
    /// Whether velocities are changed, as little as can be by mass, until joints do not open and limits are not passed.
    pub velocities: bool,
    /// Largest opening that counts as closed, m; angles count times the reach of their joint. Limits of angles: rad.
    pub gap: f64,
    /// Most passes.
    pub passes: usize,
}

impl Default for Projection {
    fn default() -> Self {
        Projection { joints: None, limits: true, velocities: false, gap: 1e-9, passes: 100 }
    }
}

/// What came of a projection.
///
/// A bead that is held at two places at once cannot be put right: nothing moves, and the joints are named.
/// ```
/// use taut::prelude::*;
/// use taut::assembly::Projection;
/// let mut world = World::new();
/// let bead = world.add(Body::particle(1.0).at(0.5 * Vec3::X))?;
/// let ground = world.ground();
/// world.add(Ball::between(bead, ground).ends(0.5 * Vec3::X, Vec3::ZERO))?;
/// world.add(Ball::between(bead, ground).ends(0.5 * Vec3::X, Vec3::X))?;
/// let done = world.project(&Projection::default())?;
/// assert!(!done.closed && done.contradicting.len() == 2);
/// assert_eq!(world.body(bead)?.position(), 0.5 * Vec3::X);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Projected {
    /// Whether all is closed. Where it is not, nothing in the world has changed.
    pub closed: bool,
    /// Passes of Newton's method.
    pub passes: usize,
    /// Largest opening that is left, m, and its joint.
    pub gap: f64,
    /// The joint of the largest opening.
    pub joint: Option<JointId>,
    /// Most that a limit is passed by, m or rad.
    pub excess: f64,
    /// The longest way that the centre of a body went, m.
    pub moved: f64,
    /// Joints with rows that others imply: they move nothing that is left free.
    pub redundant: Vec<JointId>,
    /// Joints that stay open, with those of the loops that they close: they contradict each other, or the start is too far away.
    pub contradicting: Vec<JointId>,
}

/// A side of a rigid limit: its row among the bounds, +1 where it is a lower bound, where it is, and where it was last.
struct Stop {
    bound: usize,
    sign: f64,
    limit: f64,
    last: f64,
}

/// A stop at a pose: how far off it is, and the Jacobian of that.
struct At {
    gap: f64,
    sides: [(usize, [f64; 6]); 2],
}

impl World {
    /// Moves bodies by the least change by mass until the chosen joints, and their limits, are closed; see [`Projection`]. Forces of the
    /// last step are forgotten. Couplings, ropes over guides and contacts are not looked at. Where it does not succeed nothing has changed,
    /// and the report tells what stands against it.
    pub fn project(&mut self, projection: &Projection) -> Result<Projected> {
        positive("gap of the projection", projection.gap, "m")?;
        if projection.passes == 0 {
            return Err(Error::input("passes of the projection", 0, "at least 1"));
        }
        for &j in projection.joints.iter().flatten() {
            self.model.joint(j)?;
        }
        let t = Topology::default().renewed(&self.laid(), false, |_| true);
        if t.nodes.is_empty() {
            return Err(empty());
        }
        let mut inputs = Inputs::new(&t);
        // The length of the step does not matter for poses.
        step::gather::gather(&self.model, &t, (&self.plan, 1.0), &self.state, &mut inputs);
        let mut p = Projector::new(&t);
        let chosen = |slot: usize| {
            let key = self.model.joints.key_at(slot).map(JointId);
            projection.joints.as_ref().is_none_or(|list| key.is_some_and(|k| list.contains(&k)))
        };
        for g in t.groups.iter().filter(|g| !chosen(g.slot())) {
            p.inputs.rows.rigid[g.row()..g.row() + g.rows()].fill(false);
        }
        let stops = if projection.limits { stops(&t, &inputs, chosen) } else { Vec::new() };
        let mut run = Run { t: &t, stops };
        let found = run.close(&inputs.kin, projection, &mut p)?;
        let named = |k: usize| t.groups.get(k).and_then(|g| self.model.joints.key_at(g.slot())).map(JointId);
        let mut done = Projected {
            closed: found.0.metres <= projection.gap && found.1 <= projection.gap,
            passes: found.2,
            gap: found.0.metres,
            joint: named(found.0.group),
            excess: found.1,
            moved: 0.0,
            redundant: run.redundant(&p).into_iter().filter_map(named).collect(),
            contradicting: Vec::new(),
        };
        done.redundant.dedup();
        if !done.closed {
            let open: Vec<JointId> = run.open(projection.gap, &p).into_iter().filter_map(named).collect();
            done.contradicting = conflicts::opponents(&self.model, &t, &open);
            return Ok(done);
        }
        let slot_of = t.slot_of[..t.nodes.len()].to_vec();
        let poses: Vec<Pose> = p.inputs.kin[..slot_of.len()].iter().map(|k| Pose { pos: k.pos, rot: k.quat }).collect();
        let velocities =
            if projection.velocities { Some(run.velocities(&inputs.kin, projection, &mut p)?) } else { None };
        done.moved = poses.iter().zip(&inputs.kin).map(|(p, k)| p.pos.distance(k.pos)).fold(0.0, f64::max);
        self.wake_all();
        self.take_projected(&slot_of, &poses, velocities.as_deref())?;
        Ok(done)
    }

    fn take_projected(&mut self, slots: &[usize], poses: &[Pose], velocities: Option<&[Kin]>) -> Result<()> {
        for (n, (&slot, pose)) in slots.iter().zip(poses).enumerate() {
            let Some(key) = self.model.bodies.key_at(slot) else { continue };
            self.settle(BodyId(key), *pose)?;
            if let Some(found) = velocities {
                let b = &mut self.state.bodies[slot];
                (b.vel, b.omega) = (found[n].vel, found[n].omega);
            }
        }
        self.forget_forces();
        Ok(())
    }
}

/// The rigid limits of the chosen joints.
fn stops(t: &Topology, inputs: &Inputs, chosen: impl Fn(usize) -> bool) -> Vec<Stop> {
    let mut out = Vec::new();
    for (k, b) in t.bounds.iter().enumerate().filter(|(_, b)| chosen(b.slot)) {
        let Bound::Limit { lower, upper, soft, .. } = b.spec.bound else { continue };
        if soft.compliance > 0.0 {
            continue;
        }
        let q = measure(&b.spec, &inputs.kin[b.i].side(), &inputs.kin[b.j].side()).q;
        let last = if b.turn == NONE { crate::bounded::unwind(&b.spec, q) } else { q + inputs.wind[b.turn] };
        for (sign, limit) in [(1.0, lower), (-1.0, upper)] {
            if limit.is_finite() {
                out.push(Stop { bound: k, sign, limit, last });
            }
        }
    }
    out
}

/// A projection on its way.
struct Run<'a> {
    t: &'a Topology,
    stops: Vec<Stop>,
}

impl Run<'_> {
    fn newton(&self, k: usize) -> Newton<'_> {
        Newton { t: self.t, island: &self.t.islands[k], load: &[] }
    }

    /// A stop at some poses.
    fn at(&self, s: &Stop, kin: &[Kin]) -> At {
        let b = &self.t.bounds[s.bound];
        let m = measure(&b.spec, &kin[b.i].side(), &kin[b.j].side());
        let q = if b.spec.freedom.turns() { m.q + turn::wind(m.q, s.last) } else { m.q };
        At { gap: s.sign * (q - s.limit), sides: [(b.i, m.ji.map(|x| s.sign * x)), (b.j, m.jj.map(|x| s.sign * x))] }
    }

    /// What a stop is measured by: its joint's own size, m, or 1 rad.
    fn unit(&self, s: &Stop) -> f64 {
        let b = &self.t.bounds[s.bound];
        if b.spec.freedom.is_angle() { 1.0 } else { s.limit.abs().max(s.last.abs()).max(f64::MIN_POSITIVE) }
    }

    /// Openings of all joints, the most that a limit is passed by, and the sum of squares of both.
    fn measure(&self, kin: &[Kin], phi: &[f64], p: &Projector) -> (Openings, f64, f64) {
        let (mut worst, mut merit, mut excess) = (Openings::default(), 0.0, 0.0f64);
        for k in 0..self.t.islands.len() {
            let o = self.newton(k).openings(phi, &p.inputs.rows);
            merit += o.merit;
            if !(o.metres <= worst.metres) {
                worst = o;
            }
        }
        for s in &self.stops {
            let passed = (-self.at(s, kin).gap).max(0.0);
            excess = excess.max(passed);
            merit += (passed / self.unit(s)) * (passed / self.unit(s));
        }
        (worst, excess, merit)
    }

    /// Newton's passes from the poses `kin`; openings, excess and passes at the end. The poses are in `p.inputs.kin`.
    fn close(&mut self, kin: &[Kin], projection: &Projection, p: &mut Projector) -> Result<(Openings, f64, usize)> {
        for k in 0..self.t.islands.len() {
            self.newton(k).place(kin, p);
        }
        let mut now = self.measure(&p.inputs.kin, &p.inputs.rows.phi, p);
        let mut passes = 0;
        while !(now.0.metres <= projection.gap && now.1 <= projection.gap) && passes < projection.passes {
            passes += 1;
            self.step(p)?;
            let Some(after) = self.search(now, p) else { break };
            now = after;
        }
        // The factor belongs to the poses that were found.
        self.factor(p)?;
        Ok((now.0, now.1, passes))
    }

    /// Rows, matrix and factor of all islands at the present poses, with the corrections that close the joints in `p.x`.
    fn factor(&self, p: &mut Projector) -> Result<()> {
        for k in 0..self.t.islands.len() {
            let effort = Effort { tolerance: T.close.inner, meter: &mut Meter::default() };
            self.newton(k)
                .project(false, effort, p)
                .map_err(|_| Error::step(0.0, "the projection", "joints whose rows no correction can be found for"))?;
        }
        Ok(())
    }

    /// The correction of a pass, into `p.x`.
    fn step(&mut self, p: &mut Projector) -> Result<()> {
        self.factor(p)?;
        let stops: Vec<At> = self.stops.iter().map(|s| self.at(s, &p.inputs.kin)).collect();
        let gaps: Vec<f64> = stops.iter().map(|s| s.gap).collect();
        self.hold(&stops, &gaps, p);
        Ok(())
    }

    /// Adds what one-sided rows need to stay at zero or above: gap + J x >= 0.
    fn hold(&self, stops: &[At], gaps: &[f64], p: &mut Projector) {
        let along = |s: &At, x: &[f64]| -> f64 {
            let side = |(body, jac): &(usize, [f64; 6])| {
                if !self.t.is_node(*body) {
                    return 0.0;
                }
                let n = &self.t.nodes[*body];
                jac.iter().zip(&x[n.x..n.x + n.dim]).map(|(j, x)| j * x).sum()
            };
            s.sides.iter().map(side).sum()
        };
        // Those that the correction of the joints passes, and those that were passed: others are looked at again in the next pass.
        let mut active: Vec<usize> = (0..stops.len()).filter(|&k| gaps[k] + along(&stops[k], &p.x) < 0.0).collect();
        let mut answers: Vec<(usize, Vec<f64>)> = Vec::new();
        let base = p.x.clone();
        for _ in 0..=stops.len() {
            for &k in &active {
                if answers.iter().all(|a| a.0 != k) {
                    answers.push((k, self.answer(&stops[k], p)));
                }
            }
            let z = one_sided(&answers, |k, y| along(&stops[k], y), |k| gaps[k] + along(&stops[k], &base));
            p.x.copy_from_slice(&base);
            for ((_, y), z) in answers.iter().zip(&z) {
                p.x.iter_mut().zip(y).for_each(|(x, y)| *x += z * y);
            }
            let scale = |k: usize| 1e-12 * (1.0 + gaps[k].abs());
            let passed = |&k: &usize| answers.iter().all(|a| a.0 != k) && gaps[k] + along(&stops[k], &p.x) < -scale(k);
            let more: Vec<usize> = (0..stops.len()).filter(passed).collect();
            if more.is_empty() {
                break;
            }
            active = more;
        }
    }

    /// How all bodies move under a unit impulse of a one-sided row, joints held.
    fn answer(&self, stop: &At, p: &Projector) -> Vec<f64> {
        let t = self.t;
        let mut y = vec![0.0; t.pattern.size()];
        let mut islands = Vec::new();
        for (body, jac) in stop.sides.iter().filter(|(b, _)| t.is_node(*b)) {
            let n = &t.nodes[*body];
            y[n.x..n.x + n.dim].iter_mut().zip(jac).for_each(|(y, j)| *y += j);
            islands.push(n.island);
        }
        islands.sort_unstable();
        islands.dedup();
        islands.iter().for_each(|&k| linear::solve_direct(t, &t.islands[k], &p.factor, &mut y));
        y
    }

    /// Moves the poses along `p.x`, by halves until they are better; the measures there.
    fn search(&mut self, now: (Openings, f64, f64), p: &mut Projector) -> Option<(Openings, f64, f64)> {
        let t = self.t;
        let widest = now.0.metres.max(now.1);
        let mut part = (0..t.islands.len()).map(|k| self.newton(k).clamp(widest, &p.x)).fold(1.0, f64::min);
        for _ in 0..T.close.halvings {
            integrate::poses(t, 0..t.nodes.len(), &p.inputs.kin, &p.x, part, &mut p.next.kin);
            evaluate_phi(t, 0..t.groups.len(), &p.next.kin, &mut p.next.phi);
            let after = self.measure(&p.next.kin, &p.next.phi, p);
            if after.2 < now.2 {
                let Projector { inputs, next, .. } = &mut *p;
                inputs.kin[..t.nodes.len()].copy_from_slice(&next.kin[..t.nodes.len()]);
                inputs.rows.phi[..t.row_count].copy_from_slice(&next.phi[..t.row_count]);
                for k in 0..self.stops.len() {
                    let s = &self.stops[k];
                    self.stops[k].last = s.limit + s.sign * self.at(s, &p.inputs.kin).gap;
                }
                return Some(after);
            }
            part *= 0.5;
        }
        None
    }

    /// Velocities from `kin` that open no joint and pass no limit that is reached, changed as little as can be by mass.
    fn velocities(&self, kin: &[Kin], projection: &Projection, p: &mut Projector) -> Result<Vec<Kin>> {
        let t = self.t;
        let mut v = vec![0.0; t.pattern.size()];
        for (n, node) in t.nodes.iter().enumerate() {
            v[node.x..node.x + 3].copy_from_slice(&kin[n].vel.to_array());
            if node.dim == 6 {
                v[node.x + 3..node.x + 6].copy_from_slice(&kin[n].omega.to_array());
            }
        }
        p.x.fill(0.0);
        for g in &t.groups {
            for r in (0..g.rows()).filter(|r| p.inputs.rows.is_rigid(g.row() + r)) {
                let rows = &p.inputs.rows;
                p.x[g.x() + r] = -(row_velocity(t, g, r, &rows.jac, &v) + rows.drive[g.row() + r]);
            }
        }
        for island in &t.islands {
            let Projector { factor, x, .. } = &mut *p;
            linear::solve_direct(t, island, factor, x);
        }
        let reached: Vec<At> =
            self.stops.iter().map(|s| self.at(s, &p.inputs.kin)).filter(|s| s.gap <= projection.gap).collect();
        let rate = |s: &At| -> f64 {
            let side = |(body, jac): &(usize, [f64; 6])| {
                let twist = kin[*body].twist();
                jac.iter().zip(twist).map(|(j, v)| j * v).sum::<f64>()
            };
            s.sides.iter().map(side).sum()
        };
        let rates: Vec<f64> = reached.iter().map(rate).collect();
        self.hold(&reached, &rates, p);
        let mut out = kin.to_vec();
        for (n, node) in t.nodes.iter().enumerate() {
            let change = |at: usize| DVec3::new(p.x[at], p.x[at + 1], p.x[at + 2]);
            out[n].vel += change(node.x);
            if node.dim == 6 {
                out[n].omega += change(node.x + 3);
            }
        }
        Ok(out)
    }

    /// Groups with rows that the others imply. With K the matrix, -1/(K^-1)_rr is what row r has to move and what it gives.
    fn redundant(&self, p: &Projector) -> Vec<usize> {
        let t = self.t;
        let rows = &p.inputs.rows;
        let mut y = vec![0.0; t.pattern.size()];
        let mut implied = |q: usize, r: usize| {
            let (g, x) = (&t.groups[q], t.groups[q].x() + r);
            if !rows.is_rigid(g.row() + r) || !(rows.mobility[x] > 0.0) {
                return false;
            }
            let island = &t.islands[g.island()];
            y[island.x.clone()].fill(0.0);
            y[x] = 1.0;
            linear::solve_direct(t, island, &p.factor, &mut y);
            let left = (1.0 / y[x]).abs() - rows.sigma[g.row() + r];
            !(left > IMPLIED * rows.mobility[x])
        };
        let loops = (0..t.groups.len()).filter(|&q| t.groups[q].closes_loop && !t.groups[q].idle);
        loops.filter(|&q| (0..t.groups[q].rows()).any(|r| implied(q, r))).collect()
    }

    /// Groups that are open.
    fn open(&self, gap: f64, p: &Projector) -> Vec<usize> {
        let one = |q: &usize| {
            let newton = self.newton(self.t.groups[*q].island());
            newton.opening(*q, &p.inputs.rows.phi, &p.inputs.rows) > gap
        };
        (0..self.t.groups.len()).filter(one).collect()
    }
}

/// Part of its mobility below which a loop row has nothing left to move: a thousand times what such rows give (`T.close.give`).
const IMPLIED: f64 = 1e-6;

/// Sweeps over one-sided rows, which are few.
const SWEEPS: usize = 1000;

/// 0 <= z _|_ q + W z >= 0 by sweeps, W from the answers to unit impulses.
fn one_sided(
    answers: &[(usize, Vec<f64>)],
    along: impl Fn(usize, &[f64]) -> f64,
    free: impl Fn(usize) -> f64,
) -> Vec<f64> {
    let n = answers.len();
    let w: Vec<f64> = answers.iter().flat_map(|(k, _)| answers.iter().map(|(_, y)| along(*k, y))).collect();
    let q: Vec<f64> = answers.iter().map(|(k, _)| free(*k)).collect();
    let mut z = vec![0.0; n];
    for _ in 0..SWEEPS {
        let mut change: f64 = 0.0;
        for r in 0..n {
            let own = w[r * n + r];
            if !(own > 0.0) {
                continue;
            }
            let all: f64 = q[r] + (0..n).map(|c| w[r * n + c] * z[c]).sum::<f64>();
            let next: f64 = (z[r] - all / own).max(0.0);
            change = change.max((next - z[r]).abs() * own);
            z[r] = next;
        }
        if change < 1e-15 {
            break;
        }
    }
    z
}
