//! Newton on the poses of an island, until its joints are closed (Faure: position projection; the slides leave out J^T).
//! ```text
//! q <- q (+) W^-1 J^T mu,     (J W^-1 J^T + eps) mu = -phi
//! ```
//! The metric W says who moves. In that of the step (`Metric::Step`, the matrix K with its stiffness) light links move and heavy loads stay
//! where the solve has put them. In that of the masses heavy bodies move least, and the momentum of the correction is zero. With every
//! body as heavy as the lightest (`Metric::Even`) a load that its links cannot follow moves to where they reach.
//!
//! It converges quadratically. Near singular configurations the corrections grow without bound, so no body turns by more than
//! `T.close.turn` or moves by more than the widest opening and half the longest arm in one pass, and a pass that opens more than it closes
//! is halved.
//!
//! Motors and springs are left alone, nearly rigid rows keep the stretch that their load gives them. Velocities are not touched. It works
//! in memory of its own, with whichever factor the layout has: the whole matrix, or the acyclic part and iterations.

use super::opening::{Opening, Openings};
use crate::constraint::Primitive;
use crate::desk::factor::Factor;
use crate::desk::inputs::{Given, Inputs};
use crate::desk::{Next, Projector, Scales, Stabilised, Stiffness};
use crate::integrate;
use crate::kin::Kin;
use crate::math::vec3;
use crate::plan::Plan;
use crate::profile::Profile;
use crate::rows::{self, Rows, evaluate_phi};
use crate::solve::structured::{Meter, Purpose};
use crate::system::kkt::{self, Equations};
use crate::system::linear::{self, Failure, blame};
use crate::system::structured::{Accuracy, factor_assembled, solve_within};
use crate::topology::{Island, Topology};
use crate::tuning::T;
use glam::{DMat3, DVec3};

/// The rows as they are.
const SCALES: Scales = Scales { keep: 0.0, sigma: 1.0, geo: 0.0, symmetric: false };

/// Who moves.
#[derive(Clone, Copy)]
pub(crate) enum Metric<'a> {
    /// As in the step: its equations, their scalars and their solver.
    Step(&'a Equations<'a>, Scales, &'a Plan),
    /// By mass.
    Mass,
    /// As if every body were as heavy as the lightest.
    Even,
}

/// One island whose joints are closed.
#[derive(Clone, Copy)]
pub(crate) struct Newton<'a> {
    pub t: &'a Topology,
    pub island: &'a Island,
    /// Multipliers by row: nearly rigid rows keep the stretch -C lambda that their load gives them. Without any they are closed too.
    pub load: &'a [f64],
}

/// How accurately iterations solve a pass, and what they may cost.
pub(crate) struct Effort<'a> {
    /// Relative residual.
    pub tolerance: f64,
    pub meter: &'a mut Meter,
}

impl Newton<'_> {
    /// What is to be closed of a row's violation; none for rows that may be open.
    #[inline]
    fn violation(&self, rows: &Rows, phi: &[f64], row: usize) -> Option<f64> {
        let stretch = |c: f64| if c > 0.0 && !self.load.is_empty() { -c * self.load[row] } else { 0.0 };
        rows.is_rigid(row).then(|| phi[row] - stretch(rows.compliance(row)))
    }

    /// Whether all rows of the island are those of rigid ball joints.
    #[inline]
    fn only_points(&self, rows: &Rows) -> bool {
        self.island.balls_only && !rows.any_soft
    }

    /// The longest lever arm, m; 1 without any.
    fn arm(&self) -> f64 {
        let groups = &self.t.groups[self.island.groups.clone()];
        let longest = groups.iter().map(|g| g.reach).filter(|r| r.is_finite()).fold(0.0, f64::max);
        if longest > 0.0 { longest } else { 1.0 }
    }

    /// Openings of the island with violations `phi`.
    pub fn openings(&self, phi: &[f64], rows: &Rows) -> Openings {
        let mut out = Openings::default();
        if self.only_points(rows) {
            for (k, g) in self.island.groups.clone().zip(&self.t.groups[self.island.groups.clone()]) {
                if !g.dead {
                    out.add_point(k, g, vec3(phi, g.row()).length_squared());
                }
            }
            return out.of_points();
        }
        for k in self.island.groups.clone() {
            let g = &self.t.groups[k];
            out.add(k, g, Opening::of(g, |r| self.violation(rows, phi, g.row() + r)));
        }
        out
    }

    /// The opening of one joint in metres.
    pub fn opening(&self, group: usize, phi: &[f64], rows: &Rows) -> f64 {
        let g = &self.t.groups[group];
        Opening::of(g, |r| self.violation(rows, phi, g.row() + r)).parts(g) * g.arm()
    }

    /// Starts from the poses `kin`.
    pub fn place(&self, kin: &[Kin], p: &mut Projector) -> Openings {
        let (t, nodes) = (self.t, self.island.nodes.clone());
        p.inputs.kin[nodes.clone()].copy_from_slice(&kin[nodes]);
        p.inputs.kin[t.nodes.len()..].copy_from_slice(&kin[t.nodes.len()..]);
        p.next.kin[t.nodes.len()..].copy_from_slice(&kin[t.nodes.len()..]);
        evaluate_phi(t, self.island.groups.clone(), &p.inputs.kin, &mut p.inputs.rows.phi);
        self.openings(&p.inputs.rows.phi, &p.inputs.rows)
    }

    /// Passes as long as they close anything (a system that cannot be solved closes nothing), at most so many; the openings after them.
    pub fn run(
        &self,
        metric: Metric<'_>,
        (passes, enough): (usize, f64),
        mut now: Openings,
        p: &mut Projector,
    ) -> Openings {
        for _ in 0..passes {
            if now.worst < enough {
                break;
            }
            let effort = Effort { tolerance: T.close.inner, meter: &mut Meter::default() };
            match self.pass(metric, effort, now, p) {
                Ok(Some(next)) => now = next,
                _ => break,
            }
            // J has hardly changed since: the same factor once more.
            if let Metric::Step(e, _, plan) = metric
                && now.worst > enough
                && let Ok(Some(next)) = self.again(e, plan, now, p)
            {
                now = next;
            }
        }
        now
    }

    /// One more pass on the factor of the last; none when it leaves more than a part of the opening.
    fn again(
        &self,
        e: &Equations<'_>,
        plan: &Plan,
        now: Openings,
        p: &mut Projector,
    ) -> Result<Option<Openings>, Failure> {
        let Projector { inputs, factor, x, .. } = &mut *p;
        self.aim(&inputs.rows, &inputs.rows.phi, x);
        let e = Equations { jac: &inputs.rows.jac, arms: &inputs.rows.arms, ..*e };
        linear::solve(&e, plan, x, factor)?;
        Ok(self.search(now, 1, |next| next.worst < T.close.better * now.worst, p))
    }

    /// One pass with J of the present poses; the openings after it, or none when it would not close anything.
    pub fn pass(
        &self,
        metric: Metric<'_>,
        effort: Effort<'_>,
        now: Openings,
        p: &mut Projector,
    ) -> Result<Option<Openings>, Failure> {
        match metric {
            Metric::Step(e, s, plan) => {
                let Projector { inputs, factor, x, .. } = &mut *p;
                rows::evaluate_jac(self.t, self.island.groups.clone(), &inputs.kin, &mut inputs.rows.jac);
                self.turn_arms(&inputs.kin, &mut inputs.rows.arms);
                for &(g, r) in e.t.inputs.rows.idle.iter().filter(|(g, _)| self.island.groups.contains(g)) {
                    rows::cut(self.t, &self.t.groups[g], r, &mut inputs.rows.jac);
                }
                factor.take_mobility(self.t, self.island, &e.t.inputs.rows.mobility);
                self.aim(&inputs.rows, &inputs.rows.phi, x);
                let e = Equations { jac: &inputs.rows.jac, arms: &inputs.rows.arms, ..*e };
                linear::factor(&e, s, plan, factor, &mut Profile::default())?;
                linear::solve(&e, plan, x, factor)?;
            }
            Metric::Mass => self.project(false, effort, p)?,
            Metric::Even => self.project(true, effort, p)?,
        }
        Ok(self.search(now, T.close.halvings, |next| next.merit < now.merit, p))
    }

    /// Lever arms of the point rows at these poses.
    fn turn_arms(&self, kin: &[Kin], arms: &mut [(DVec3, DVec3)]) {
        for k in self.island.groups.clone() {
            let g = &self.t.groups[k];
            // A joint that was cut has none.
            if let Some(&Primitive::Point { si, sj }) = self.t.prims[g.prims()].first().map(|p| &p.primitive) {
                arms[k] = (kin[g.i()].rot * si, kin[g.j()].rot * sj);
            }
        }
    }

    /// One pass on the factor of the step and J of its start; none when it leaves more than a part of the opening.
    pub fn quick(
        &self,
        e: &Equations<'_>,
        plan: &Plan,
        factor: &mut Factor,
        now: Openings,
        p: &mut Projector,
    ) -> Result<Option<Openings>, Failure> {
        self.aim(&p.inputs.rows, &p.inputs.rows.phi, &mut p.x);
        linear::solve(e, plan, &mut p.x, factor)?;
        Ok(self.search(now, 1, |next| next.worst < T.close.better * now.worst, p))
    }

    /// (0; -phi), what loads stretch left out.
    pub fn aim(&self, rows: &Rows, phi: &[f64], x: &mut [f64]) {
        let points = self.only_points(rows);
        x[self.island.x.clone()].fill(0.0);
        for g in &self.t.groups[self.island.groups.clone()] {
            if points && !g.dead {
                x[g.x()..g.x() + 3].copy_from_slice(&(-vec3(phi, g.row())).to_array());
                continue;
            }
            for r in 0..g.rows() {
                x[g.x() + r] = -self.violation(rows, phi, g.row() + r).unwrap_or(0.0);
            }
        }
    }

    /// Moves the poses along the correction `x`, by halves until that is good enough (line search); the openings there.
    fn search(
        &self,
        now: Openings,
        halvings: usize,
        good: impl Fn(&Openings) -> bool,
        p: &mut Projector,
    ) -> Option<Openings> {
        let (t, nodes) = (self.t, self.island.nodes.clone());
        let mut part = self.clamp(now.metres, &p.x);
        for _ in 0..halvings {
            integrate::poses(t, nodes.clone(), &p.inputs.kin, &p.x, part, &mut p.next.kin);
            evaluate_phi(t, self.island.groups.clone(), &p.next.kin, &mut p.next.phi);
            let after = self.openings(&p.next.phi, &p.inputs.rows);
            if good(&after) {
                p.inputs.kin[nodes.clone()].copy_from_slice(&p.next.kin[nodes]);
                let rows = self.island.rows.clone();
                p.inputs.rows.phi[rows.clone()].copy_from_slice(&p.next.phi[rows]);
                return Some(after);
            }
            part *= 0.5;
        }
        None
    }

    /// The correction of every body by mass, m and rad, into `x`.
    pub fn project(&self, even: bool, effort: Effort<'_>, p: &mut Projector) -> Result<(), Failure> {
        let (topology, island) = (self.t, self.island);
        self.evaluate(even, p);
        let Projector { inputs, stiff, factor, x, .. } = p;
        let rows = &inputs.rows;
        self.aim(rows, &rows.phi, x);
        let (load, before) = (&[][..], &[][..]);
        let (t, jac, arms, sigma) = (&Given { t: topology, inputs }, &rows.jac, &rows.arms, &rows.sigma);
        let e = Equations { t, island, jac, arms, sigma, stiff, load, before, redundant: true };
        kkt::assemble(&e, SCALES, &mut factor.ldlt);
        if t.acyclic {
            let accuracy = Accuracy { purpose: Purpose::Response, tolerance: effort.tolerance, cautious: true };
            factor_assembled(&e, SCALES, factor)?;
            solve_within(&e, SCALES, &accuracy, effort.meter, x, factor);
        } else {
            linear::factor_direct(t, island, factor).map_err(|b| blame(t, b.block, b.row, b.pivot))?;
            linear::solve_direct(t, island, factor, x);
        }
        Ok(())
    }

    /// Rows and inertia at the present poses, for a correction by mass.
    fn evaluate(&self, even: bool, p: &mut Projector) {
        let (t, island) = (self.t, self.island);
        let Inputs { kin, rows, inertia, .. } = &mut p.inputs;
        rows::evaluate((t, island.groups.clone()), kin, &[], 1.0, rows);
        for g in &t.groups[island.groups.clone()] {
            for r in 0..g.rows() {
                let row = g.row() + r;
                rows.sigma[row] = if g.closes_loop && !g.idle { T.close.give * rows.mobility[g.x() + r] } else { 0.0 };
                if rows.is_rigid(row) {
                    continue;
                }
                // Not a row of the projection.
                rows.sigma[row] = 1.0;
                rows::cut(t, g, r, &mut rows.jac);
            }
        }
        p.factor.take_mobility(t, island, &rows.mobility);
        for n in island.nodes.clone() {
            let (rot, local) = (kin[n].rot, t.local_inertia[n]);
            inertia[n] = if t.nodes[n].isotropic { local } else { rot * local * rot.transpose() };
        }
        p.stiff.damping.clear();
        if even {
            self.level(p);
        }
    }

    /// Makes all bodies as heavy as the lightest.
    fn level(&self, p: &mut Projector) {
        let nodes = self.island.nodes.clone();
        let least = self.t.nodes[nodes.clone()].iter().map(|n| n.mass).fold(f64::INFINITY, f64::min);
        p.stiff.damping.resize(self.t.pattern.size(), 0.0);
        for n in nodes {
            let node = &self.t.nodes[n];
            p.stiff.damping[node.x..node.x + 3].fill(least - node.mass);
            p.inputs.inertia[n] *= least / node.mass;
        }
    }

    /// The part of the correction that no body finds too large; `widest` in m.
    pub fn clamp(&self, widest: f64, x: &[f64]) -> f64 {
        let (mut way, mut turn) = (0.0_f64, 0.0_f64);
        for n in &self.t.nodes[self.island.nodes.clone()] {
            way = way.max(vec3(x, n.x).length_squared());
            if n.dim == 6 {
                turn = turn.max(vec3(x, n.x + 3).length_squared());
            }
        }
        let (way, turn, most) = (way.sqrt(), turn.sqrt(), widest + 0.5 * self.arm());
        (most / way.max(most)).min(T.close.turn / turn.max(T.close.turn))
    }
}

impl Projector {
    /// Memory for a layout: no damping, no stabiliser, no links.
    pub fn new(t: &Topology) -> Box<Self> {
        // The kick intervals are zero, and so is the stiffness.
        let now = Stiffness { added: vec![DMat3::ZERO; t.nodes.len()], element: vec![0.0; t.links.len()] };
        let inputs = Inputs::new(t);
        let next = Next { kin: inputs.kin.clone(), phi: vec![0.0; t.all_rows()], ..Default::default() };
        let (stiff, x) = (Stabilised { now, ..Default::default() }, vec![0.0; t.pattern.size()]);
        Box::new(Projector { inputs, stiff, factor: Factor::new(t), x, next })
    }
}
