//! Couplings: rows over freedoms of several joints, phi = sum ratio q - offset, with forces of either sign.
//!
//! Angles are measured up to whole turns. Where one was after the last step is in the state with its turns counted; before a step it is
//! taken nearest to that, and after a step nearest to where its own velocity leads, so that no speed makes a gear slip:
//! ```text
//! q  = raw(x)  + 2 pi round((q_last - raw(x))/(2 pi))
//! q+ = raw(x+) + 2 pi round((q + h J v+ - raw(x+))/(2 pi))
//! ```
//! A rigid coupling closes its error like a joint, J v+ = -phi/h. One that is open by more than a joint could be (it was added or changed
//! so, or bodies were moved) is closed by parts in the positions alone, like a limit that was passed before the step. Errors are measured
//! by their scale: what one of the freedoms alone would be off by, in rad, or in sizes of its smaller body.

use super::gather::{Now, hk_of, list, size, soft_theta, unit};
use super::{Measured, measured};
use crate::delassus::{Acted, Row, RowList, velocity};
use crate::desk::Next;
use crate::desk::bounded::{Active, Bounce, Candidate, Candidates, Origin};
use crate::desk::inputs::{Given, Inputs};
use crate::kin::Kin;
use crate::rows::{Rows, law};
use crate::solve::bounded::Block;
use crate::state::{MOST_TERMS, State};
use crate::topology::{CouplingRow, TermRow, Topology};
use crate::tuning::T;

/// Where the couplings are at the start of a step, and what they had of the last one.
pub(crate) fn start(t: &Topology, state: &State, inputs: &mut Inputs) {
    let Inputs { kin, rows, coupled, .. } = inputs;
    for (k, c) in t.couplings.iter().enumerate() {
        let (row, last) = (t.coupling_row(k), &state.couplings[c.slot]);
        for (n, last) in c.terms.clone().zip(last.at) {
            let term = &t.terms[n];
            coupled[n] = term.freedom.wound(raw(term, kin), last);
        }
        (rows.lambda[row], rows.stretch[row]) = (last.lambda, last.stretch);
        rows.phi[row] = error(t, c, |n| coupled[n]);
    }
}

/// Where the couplings are after a step of h, at the new poses and with the velocities that led there.
pub(crate) fn arrive(t: &Given<'_>, h: f64, next: &mut Next) {
    for (k, c) in t.couplings.iter().enumerate() {
        for n in c.terms.clone() {
            next.coupled[n] = ahead(t, n, &next.kin, h);
        }
        next.phi[t.coupling_row(k)] = error(t, c, |n| next.coupled[n]);
    }
}

/// sum ratio q - offset.
fn error(t: &Topology, c: &CouplingRow, q: impl Fn(usize) -> f64) -> f64 {
    c.terms.clone().map(|n| t.terms[n].ratio * q(n)).sum::<f64>() - c.offset
}

/// Position of a term, an angle up to whole turns.
fn raw(term: &TermRow, kin: &[Kin]) -> f64 {
    term.freedom.position(term.primitive.phi(&kin[term.i].side(), &kin[term.j].side())[0])
}

/// Position and Jacobian of a term, an angle up to whole turns.
fn measure(term: &TermRow, kin: &[Kin]) -> Measured {
    measured(term.freedom, &term.primitive, &kin[term.i].side(), &kin[term.j].side())
}

/// Position of a term after a step of h.
fn ahead(t: &Given<'_>, n: usize, next: &[Kin], h: f64) -> f64 {
    let term = &t.terms[n];
    let q = raw(term, next);
    if !term.freedom.turns() {
        return q;
    }
    let m = measure(term, &t.inputs.kin);
    let along = |jac: &[f64; 6], body: usize| jac.iter().zip(next[body].twist()).map(|(a, v)| a * v).sum::<f64>();
    term.freedom.wound(q, t.inputs.coupled[n] + h * (along(&m.ji, term.i) + along(&m.jj, term.j)))
}

/// A rigid coupling at new poses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ahead {
    /// Its error, and what of that is older than the step and left alone by velocities.
    pub error: f64,
    pub inherited: f64,
    /// What counts as one.
    pub scale: f64,
}

/// Where a rigid coupling will be; none for other rows.
#[inline(always)]
pub(crate) fn coupling_at(t: &Given<'_>, origin: Origin, next: &[Kin], h: f64) -> Option<Ahead> {
    if let Origin::Coupling(k) = origin { rigid_at(t, k, next, h) } else { None }
}

#[inline(never)]
fn rigid_at(t: &Given<'_>, k: usize, next: &[Kin], h: f64) -> Option<Ahead> {
    let c = &t.couplings[k];
    if !c.soft.is_rigid() {
        return None;
    }
    let scale = scale(t, c, &t.inputs.coupled);
    let inherited = inherited(t.inputs.rows.phi[t.coupling_row(k)], scale);
    Some(Ahead { error: error(t, c, |n| ahead(t, n, next, h)), inherited, scale })
}

/// Largest error of a rigid coupling, in its scale, with errors in the row array `phi`.
pub(crate) fn widest(t: &Given<'_>, phi: &[f64]) -> f64 {
    let rigid = t.couplings.iter().enumerate().filter(|(_, c)| c.soft.is_rigid());
    rigid.map(|(k, c)| phi[t.coupling_row(k)].abs() / scale(t, c, &t.inputs.coupled)).fold(0.0, f64::max)
}

/// The error of a rigid coupling that velocities do not close.
fn inherited(phi: f64, scale: f64) -> f64 {
    if phi.abs() > T.push.inherited * scale { phi } else { 0.0 }
}

/// The smallest amount of the sum that moves a freedom by 1 rad, or by the size of its smaller body.
fn scale(t: &Topology, c: &CouplingRow, q: &[f64]) -> f64 {
    let size = |n: usize| size(t, free(t, &t.terms[n]), q[n].abs());
    least(t, c, |n| if size(n) > 0.0 { size(n) } else { 1.0 })
}

/// The velocity of the sum that counts as one.
fn unit_of(now: &Now<'_>, c: &CouplingRow, q: &[f64]) -> f64 {
    least(now.t, c, |n| unit(now.t, now.gravity, free(now.t, &now.t.terms[n]), q[n].abs()))
}

/// The least of the terms, each with what counts as one for it: 1 for an angle, something else for a length.
fn least(t: &Topology, c: &CouplingRow, length: impl Fn(usize) -> f64) -> f64 {
    let one = |n: usize| if t.terms[n].freedom.is_angle() { 1.0 } else { length(n) };
    c.terms.clone().map(|n| t.terms[n].ratio.abs() * one(n)).fold(f64::INFINITY, f64::min)
}

/// The nodes of a term.
fn free(t: &Topology, term: &TermRow) -> impl Iterator<Item = usize> {
    [term.i, term.j].into_iter().filter(|&b| t.is_node(b))
}

/// The nodes of a coupling with their Jacobians, each once, and the velocity by bodies without unknowns.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Gradient {
    nodes: [Acted; 2 * MOST_TERMS],
    count: usize,
    drive: f64,
}

impl Gradient {
    /// Of a coupling.
    pub fn of(t: &Topology, kin: &[Kin], c: &CouplingRow) -> Self {
        let mut out = Gradient::default();
        for term in &t.terms[c.terms.clone()] {
            let m = measure(term, kin);
            for (dense, jac) in [(term.i, m.ji), (term.j, m.jj)] {
                out.add(t, kin, dense, jac.map(|x| term.ratio * x));
            }
        }
        out
    }

    fn add(&mut self, t: &Topology, kin: &[Kin], dense: usize, mut jac: [f64; 6]) {
        if !t.is_node(dense) {
            self.drive += jac.iter().zip(kin[dense].twist()).map(|(a, v)| a * v).sum::<f64>();
            return;
        }
        if t.nodes[dense].dim == 3 {
            jac[3..].fill(0.0);
        }
        match self.nodes[..self.count].iter_mut().find(|s| s.0 == dense) {
            Some((_, sum)) => sum.iter_mut().zip(jac).for_each(|(a, b)| *a += b),
            None => {
                self.nodes[self.count] = (dense, jac);
                self.count += 1;
            }
        }
    }

    /// Nodes with their Jacobians.
    pub fn nodes(&self) -> &[Acted] {
        &self.nodes[..self.count]
    }

    fn sides(&self) -> impl Iterator<Item = (usize, &[f64; 6])> {
        self.nodes().iter().map(|(n, j)| (*n, j))
    }
}

/// The row of a coupling, with its warm impulse.
pub(super) fn gather(now: &Now<'_>, k: usize, coupled: &[f64], rows: &Rows, out: &mut Candidates) {
    let Now { t, kin, hk, h, .. } = *now;
    let c = &t.couplings[k];
    let at = Gradient::of(t, kin, c);
    let hk = hk_of(t, hk, at.sides());
    let (sigma, gamma) =
        law(c.soft.compliance, c.soft.damping, soft_theta(now, at.sides(), c.soft, rows.keeps_energy), h);
    let phi = rows.phi[t.coupling_row(k)];
    let left = if c.soft.is_rigid() { inherited(phi, scale(t, c, coupled)) } else { 0.0 };
    let row = Row {
        drive: at.drive,
        sigma: sigma * h / hk,
        b: -gamma * (phi - left) / h,
        phi,
        z: hk * rows.lambda[t.coupling_row(k)],
        unit: unit_of(now, c, coupled),
        ..Row::default()
    };
    let law = Block::Box { lo: f64::NEG_INFINITY, hi: f64::INFINITY };
    out.rows.push_on(at.nodes(), row);
    list(out, Origin::Coupling(k), law, 0.0, out.rows.len() - 1);
}

/// What an impact sees of its cluster while the couplings c hold: speeds and mobilities without their freedom,
/// ```text
/// u - W_c W_cc^-1 u_c,     W - W_c W_cc^-1 W_c^T
/// ```
/// into `held`, what that adds to the speeds of the active rows, and `w`. Large clusters, where W is not formed, have the couplings in
/// their matrix and take the speeds as they are.
pub(super) fn hold(
    t: &Given<'_>,
    candidates: &[Candidate],
    (rows, active): (&RowList, &Active),
    w: &[f64],
    b: &mut Bounce,
) {
    b.held.clear();
    b.w.clear();
    let coupled = |c: &&Candidate| c.active && matches!(c.origin, Origin::Coupling(_));
    if active.is_large || !candidates.iter().any(|c| coupled(&c)) {
        return;
    }
    let n = active.rows.len();
    b.held.resize(n, 0.0);
    b.w.extend_from_slice(w);
    for c in candidates.iter().filter(coupled) {
        let (row, at) = (&rows[c.row], rows[c.row].at);
        let pivot = b.w[at * n + at];
        // One that others hold already adds nothing.
        if !(pivot > T.rows.rounding * w[at * n + at]) {
            continue;
        }
        let speed = velocity(t, rows.sides(c.row), &b.free) + row.drive - row.b - row.aim + b.held[at];
        for i in (0..n).filter(|&i| i != at) {
            let part = b.w[i * n + at] / pivot;
            b.held[i] -= part * speed;
            (0..n).for_each(|j| b.w[i * n + j] -= part * b.w[at * n + j]);
        }
        b.held[at] -= speed;
        b.w[at * n..(at + 1) * n].fill(0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::vec3;
    use crate::model::buried::Laid;
    use crate::{
        Ball, Body, BodyId, Coupling, Cylindrical, Frame, Frames, Freedom, Gear, Hinge, Joint, JointId, MassProperties,
        Mimic, Pose, Prismatic, Quat, RackAndPinion, Rope, Screw, Universal, Vec3, World,
    };
    use glam::DMat3;

    /// Makes a joint of a kind.
    type Kind = fn(BodyId, BodyId) -> Joint;

    /// Four bodies in a chain from the ground, each turned and joined by one of the joints; two more hang on the first.
    fn chain(joints: [Kind; 4]) -> (World, [JointId; 4]) {
        let mut w = World::new();
        let mut bodies: Vec<BodyId> = vec![w.ground()];
        let ids = [0, 1, 2, 3].map(|k| {
            let (x, below) = (f64::from(k), bodies[k as usize / 2]);
            let mass = MassProperties::cuboid(100.0, Vec3::new(0.1, 0.2, 0.3)).unwrap();
            let at = Vec3::new(x, 0.3 * x * x, -0.2 * x);
            let turn = Quat::from_rotation_y(0.4 * x) * Quat::from_rotation_x(0.7 - x);
            let b = w.add(Body::dynamic(mass).at(at).rotated(turn)).unwrap();
            let axis = Vec3::new(1.0, x, -0.5).normalize();
            let world = Frame::new(at + 0.2 * Vec3::Y, axis).unwrap();
            let local = |pose: Pose| {
                let [u, v, n] = [world.u, world.v, world.n].map(|a| pose.rot.inverse() * a);
                Frame { origin: pose.to_local(world.origin), u, v, n }
            };
            let mut frames = Frames { i: local(w.pose(b).unwrap()), j: local(w.pose(below).unwrap()) };
            // Open and turned about: J is the derivative everywhere.
            let lean = Quat::from_rotation_z(0.3) * Quat::from_rotation_x(0.2 + x);
            for v in [&mut frames.i.u, &mut frames.i.v, &mut frames.i.n] {
                *v = lean * *v;
            }
            frames.i.origin += Vec3::new(0.1, -0.05, 0.2);
            bodies.push(b);
            w.add(joints[k as usize](b, below).frames(frames)).unwrap()
        });
        (w, ids)
    }

    /// The Jacobian of the only coupling of a world against differences of its error.
    fn check(w: &World, what: &str) {
        let (model, state) = w.parts();
        let t = Topology::new(&Laid { model, ropes_now: &[], steps: 0 }, false, |_| true);
        let kin: Vec<Kin> = t
            .slot_of
            .iter()
            .map(|&s| {
                let b = &state.bodies[s];
                Kin { pos: b.pos, quat: b.rot, rot: DMat3::from_quat(b.rot), vel: b.vel, omega: b.omega }
            })
            .collect();
        let c = &t.couplings[0];
        let at = |kin: &[Kin]| error(&t, c, |n| raw(&t.terms[n], kin));
        let gradient = Gradient::of(&t, &kin, c);
        let step = 1e-6;
        for n in 0..t.nodes.len() {
            let jac = gradient.nodes().iter().find(|(m, _)| *m == n).map_or([0.0; 6], |(_, j)| *j);
            for (d, j) in jac.into_iter().enumerate() {
                let mut moved = [kin.clone(), kin.clone()];
                for (kin, sign) in moved.iter_mut().zip([1.0, -1.0]) {
                    let mut by = [0.0; 6];
                    by[d] = sign * step;
                    kin[n].pos += vec3(&by, 0);
                    kin[n].rot = DMat3::from_quat(crate::math::so3::exp(vec3(&by, 3))) * kin[n].rot;
                }
                let slope = (at(&moved[0]) - at(&moved[1])) / (2.0 * step);
                assert!((slope - j).abs() < 1e-7 * (1.0 + j.abs()), "{what}, node {n}, {d}: {slope} against {j}");
            }
        }
        let all: f64 = gradient.nodes().iter().flat_map(|(_, j)| j).map(|j| j.abs()).sum();
        assert!(all > 0.1, "{what}: nothing to compare");
    }

    #[test]
    fn the_row_of_every_kind_is_the_derivative_of_its_error() {
        let hinges: [Kind; 4] = [Hinge::between; 4];
        let mixed: [Kind; 4] = [Hinge::between, Prismatic::between, Cylindrical::between, Universal::between];
        let loose: [Kind; 4] =
            [Ball::between, |i, j| Rope::between(i, j).length(5.0), Cylindrical::between, Universal::between];
        type Make<'a> = &'a dyn Fn([JointId; 4]) -> Coupling;
        let kinds: [(&str, [Kind; 4], Make<'_>); 9] = [
            ("gear on the ground", hinges, &|j| Gear::between(j[0], j[1]).ratio(-3.0)),
            ("gear on a carrier", hinges, &|j| Gear::between(j[2], j[3]).ratio(0.3)),
            ("gear of four bodies", hinges, &|j| Gear::between(j[1], j[3]).ratio(2.0)),
            ("screw", mixed, &|j| Screw::on(j[2]).pitch(0.7)),
            ("rack", mixed, &|j| RackAndPinion::between(j[0], j[1]).radius(0.4)),
            ("mimic", mixed, &|j| Mimic::of(j[0], j[1]).ratio(-1.3).offset(0.2)),
            ("differential", hinges, &|j| Gear::between(j[1], j[2]).ratio(1.0).term(j[3], Freedom::Turn, -2.0)),
            ("winch and twist", loose, &|j| {
                Coupling::new().term(j[1], Freedom::Length, 1.0).term(j[0], Freedom::Twist, -0.2)
            }),
            ("four freedoms", loose, &|j| {
                let slide = Coupling::new().term(j[2], Freedom::Slide, 1.0).term(j[1], Freedom::Length, 0.5);
                slide.term(j[0], Freedom::Twist, -0.7).term(j[2], Freedom::Turn, 0.1)
            }),
        ];
        for (what, joints, make) in kinds {
            let (mut w, ids) = chain(joints);
            w.add(make(ids)).unwrap();
            check(&w, what);
        }
    }
}
