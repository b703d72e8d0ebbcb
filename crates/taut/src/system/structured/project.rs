//! Projection of poses onto the joints (Faure; the slides leave out J^T):
//! ```text
//! q <- q (+) M^-1 J^T mu,     (J M^-1 J^T + eps) mu = -phi
//! ```
//! Newton with mass-weighted corrections: heavy bodies move least, and the momentum of the correction is zero. It converges
//! quadratically. Near singular configurations the corrections grow without bound, so no body turns by more than `T.close.project_turn` or moves by
//! more than the widest opening and half the longest arm in one pass, and a pass that opens more than it closes is halved.
//!
//! Motors and springs are left alone, nearly rigid rows keep the stretch that their load gives them. Velocities are not touched.
//! It works in a workspace of its own, with whichever factor the layout has: the whole matrix, or the acyclic part and iterations.

use super::{Accuracy, factor_assembled, solve_within};
use crate::integrate;
use crate::kin::Kin;
use crate::math::vec3;
use crate::rows::{self, Rows, evaluate_phi};
use crate::solve::structured::{Meter, Purpose};
use crate::system::kkt::{self, Equations};
use crate::system::linear::{self, Failure, blame};
use crate::topology::{NONE, Topology};
use crate::tuning::T;
use crate::workspace::Scales;
use crate::workspace::factor::Factor;
use crate::workspace::inputs::{Given, Inputs};
use crate::workspace::{Next, Projector, Stabilised, Stiffness};
use glam::DMat3;

/// The rows as they are, for a pass.
const SCALES: Scales = Scales { keep: 0.0, sigma: 1.0, geo: 0.0, symmetric: false };

/// One island at some pose.
pub(crate) struct Projection<'a> {
    pub t: &'a Topology,
    /// The island.
    pub k: usize,
    /// Nearly rigid rows keep their stretch; else they are closed too.
    pub loaded: bool,
    /// Every body counts as if it were as heavy as the lightest of the island; else heavy bodies move least.
    pub even: bool,
}

/// How far joints are open.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Opening {
    /// Largest opening of a joint, m, or angle of one of its rows, rad.
    pub worst: f64,
    /// The group.
    pub group: usize,
    /// Sum of squares, lengths over the longest arm.
    pub merit: f64,
}

impl Projection<'_> {
    /// Whether a row is closed by the projection.
    fn closes(&self, rows: &Rows, row: usize) -> bool {
        rows.is_rigid(row) && !(self.loaded && rows.compliance[row] > 0.0)
    }

    /// The longest lever arm of the island, m; 1 without any.
    pub fn arm(&self) -> f64 {
        let groups = &self.t.groups[self.t.islands[self.k].groups.clone()];
        let longest = groups.iter().map(|g| g.reach).filter(|r| r.is_finite()).fold(0.0, f64::max);
        if longest > 0.0 { longest } else { 1.0 }
    }

    /// Openings of the island with violations `phi`.
    pub fn opening(&self, phi: &[f64], rows: &Rows) -> Opening {
        let mut out = Opening { worst: 0.0, group: NONE, merit: 0.0 };
        let arm = self.arm();
        for k in self.t.islands[self.k].groups.clone() {
            let g = &self.t.groups[k];
            let (mut gap2, mut angle) = (0.0_f64, 0.0_f64);
            for r in (0..g.rows()).filter(|r| self.closes(rows, g.row() + r)) {
                let phi = phi[g.row() + r];
                if g.angular >> r & 1 == 1 {
                    angle = angle.max(phi.abs());
                    out.merit += phi * phi;
                } else {
                    gap2 += phi * phi;
                    out.merit += phi * phi / (arm * arm);
                }
            }
            let worst = gap2.sqrt().max(angle);
            // A value that is not a number stays.
            if !(worst <= out.worst) {
                (out.worst, out.group) = (worst, k);
            }
        }
        out
    }

    /// Looks at the poses `kin`: rows and inertia there.
    pub fn place(&self, kin: &[Kin], p: &mut Projector) -> Opening {
        let (t, island) = (self.t, &self.t.islands[self.k]);
        p.inputs.kin[island.nodes.clone()].copy_from_slice(&kin[island.nodes.clone()]);
        p.inputs.kin[t.nodes.len()..].copy_from_slice(&kin[t.nodes.len()..]);
        self.evaluate(p);
        self.opening(&p.inputs.rows.phi, &p.inputs.rows)
    }

    fn evaluate(&self, p: &mut Projector) {
        let (t, island) = (self.t, &self.t.islands[self.k]);
        let Inputs { kin, rows, inertia, .. } = &mut p.inputs;
        rows::evaluate((t, island.groups.clone()), kin, &[], 1.0, rows);
        for g in &t.groups[island.groups.clone()] {
            for r in 0..g.rows() {
                let row = g.row() + r;
                rows.sigma[row] =
                    if g.closes_loop && !g.idle { T.close.project_give * rows.mobility[g.x() + r] } else { 0.0 };
                if rows.is_rigid(row) {
                    continue;
                }
                // Not a row of the projection.
                rows.sigma[row] = 1.0;
                for (b, at) in [(g.i(), g.jac_i()), (g.j(), g.jac_j())].into_iter().filter(|x| x.1 != NONE) {
                    let d = t.nodes[b].dim;
                    rows.jac[at + r * d..at + (r + 1) * d].fill(0.0);
                }
            }
        }
        let reference = &mut p.factor.ldlt.reference;
        reference[island.x.clone()].copy_from_slice(&rows.mobility[island.x.clone()]);
        for n in island.nodes.clone() {
            let (rot, local) = (kin[n].rot, t.local_inertia[n]);
            inertia[n] = if t.nodes[n].isotropic { local } else { rot * local * rot.transpose() };
        }
        p.stiff.damping.clear();
        if self.even {
            self.level(p);
        }
    }

    /// Makes all bodies as heavy as the lightest.
    fn level(&self, p: &mut Projector) {
        let nodes = self.t.islands[self.k].nodes.clone();
        let least = self.t.nodes[nodes.clone()].iter().map(|n| n.mass).fold(f64::INFINITY, f64::min);
        p.stiff.damping.resize(self.t.pattern.size(), 0.0);
        for n in nodes {
            let node = &self.t.nodes[n];
            p.stiff.damping[node.x..node.x + 3].fill(least - node.mass);
            p.inputs.inertia[n] *= least / node.mass;
        }
    }

    /// One pass from the poses that were placed; the opening after it, or none when it would not close anything. The new poses are in
    /// `kin` of the workspace, ready for the next pass.
    pub fn pass(&self, tolerance: f64, meter: &mut Meter, p: &mut Projector) -> Result<Option<Opening>, Failure> {
        let (t, island) = (self.t, &self.t.islands[self.k]);
        let before = self.opening(&p.inputs.rows.phi, &p.inputs.rows);
        self.correction(tolerance, meter, p)?;
        let mut part = self.clamp(before.worst, p);
        for _ in 0..T.close.halvings {
            integrate::poses(t, island.nodes.clone(), &p.inputs.kin, &p.x, part, &mut p.next.kin);
            p.next.kin[t.nodes.len()..].copy_from_slice(&p.inputs.kin[t.nodes.len()..]);
            evaluate_phi(t, island.groups.clone(), &p.next.kin, &mut p.next.phi);
            let after = self.opening(&p.next.phi, &p.inputs.rows);
            if after.merit < before.merit {
                p.inputs.kin[island.nodes.clone()].copy_from_slice(&p.next.kin[island.nodes.clone()]);
                self.evaluate(p);
                return Ok(Some(after));
            }
            part *= 0.5;
        }
        Ok(None)
    }

    /// The correction of every body, m and rad, into `x`.
    fn correction(&self, tolerance: f64, meter: &mut Meter, p: &mut Projector) -> Result<(), Failure> {
        let (t, island) = (self.t, &self.t.islands[self.k]);
        let Projector { inputs, stiff, factor, x, .. } = p;
        let rows = &inputs.rows;
        x[island.x.clone()].fill(0.0);
        for g in &t.groups[island.groups.clone()] {
            for r in (0..g.rows()).filter(|r| self.closes(rows, g.row() + r)) {
                x[g.x() + r] = -rows.phi[g.row() + r];
            }
        }
        let (load, before) = (&[][..], &[][..]);
        let (t, jac, sigma) = (&Given { t, inputs }, &rows.jac, &rows.sigma);
        let e = Equations { t, island, jac, sigma, stiff, load, before, redundant: true };
        kkt::assemble(&e, SCALES, &mut factor.ldlt);
        if t.acyclic {
            let accuracy = Accuracy { purpose: Purpose::Response, tolerance, cautious: true };
            factor_assembled(&e, SCALES, factor)?;
            solve_within(&e, SCALES, &accuracy, meter, x, factor);
        } else {
            linear::factor_direct(t, island, factor).map_err(|b| blame(t, b.block, b.row, b.pivot))?;
            linear::solve_direct(t, island, factor, x);
        }
        Ok(())
    }

    /// The part of the correction that no body finds too large.
    fn clamp(&self, worst: f64, p: &Projector) -> f64 {
        let most = worst + 0.5 * self.arm();
        let mut part = 1.0_f64;
        for n in &self.t.nodes[self.t.islands[self.k].nodes.clone()] {
            let way = vec3(&p.x, n.x).length();
            part = part.min(most / way.max(most));
            if n.dim == 6 {
                part = part.min(T.close.project_turn / vec3(&p.x, n.x + 3).length().max(T.close.project_turn));
            }
        }
        part
    }
}

/// A workspace for projections of this layout: no damping, no stabiliser, no links.
pub(crate) fn projector(t: &Topology) -> Box<Projector> {
    // The kick intervals are zero, and so is the stiffness.
    let now = Stiffness { added: vec![DMat3::ZERO; t.nodes.len()], element: vec![0.0; t.links.len()] };
    let inputs = Inputs::new(t);
    let next = Next { kin: inputs.kin.clone(), phi: vec![0.0; t.all_rows()], ..Default::default() };
    let (stiff, x) = (Stabilised { now, ..Default::default() }, vec![0.0; t.pattern.size()]);
    Box::new(Projector { inputs, stiff, factor: Factor::new(t), x, next })
}
