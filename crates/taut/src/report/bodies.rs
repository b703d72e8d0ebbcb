//! What the books say of single bodies, four at a time (`math::lanes`): kinetic energies, the work of gravity, and with the mean velocities
//! vb = (v_g + v+)/2 the work of loads, of damping, of the stabiliser (`stabilise::work`), of the gyroscopic term and of the turning inertia.

use super::Ledger;
use crate::desk::inputs::Given;
use crate::desk::{Desk, Solution};
use crate::force::field;
use crate::math::lanes::{Fours, LANES, Mask, Number, Sym4, Vec4, vec4};
use crate::math::vec3;
use crate::topology::Node;
use glam::DVec3;
use taut_lanes::{WideKernel, each};

/// Sums over the bodies, J.
pub(super) struct Sums {
    /// Kinetic energy before the step and after the solve.
    pub before: f64,
    pub after: f64,
    /// Work of gravity.
    pub fall: f64,
}

/// Books the bodies, and writes their mean velocities into `residual`, which has served.
pub(super) fn book(t: &Given<'_>, gravity: DVec3, desk: &mut Desk, l: &mut Ledger) -> Sums {
    let sums = taut_lanes::run_wide(Bodies { t, gravity, desk: &mut *desk });
    l.damping += sums.damping;
    l.stabiliser += sums.stabiliser;
    l.integration += sums.integration;
    let Solution { x, residual: means, .. } = &desk.sol;
    if t.inputs.has_applied {
        for node in &t.nodes {
            l.work += vec3(&t.inputs.applied, node.x).dot(vec3(means, node.x));
            if node.dim == 6 {
                l.work += vec3(&t.inputs.applied, node.x + 3).dot(vec3(means, node.x + 3));
            }
        }
    }
    if !t.inputs.around.is_empty() {
        for n in 0..t.nodes.len() {
            let [done, lost] = field::done(t, n, x);
            (l.work, l.damping) = (l.work + done, l.damping + lost);
        }
    }
    // The diagonal of the paper's inertial damping.
    if !desk.stiff.damping.is_empty() {
        let of_node =
            |node: &Node| (node.x..node.x + node.dim).map(|q| desk.stiff.damping[q] * x[q] * means[q]).sum::<f64>();
        l.stabiliser -= t.nodes.iter().map(of_node).sum::<f64>();
    }
    Sums { before: sums.before, after: sums.after, fall: sums.fall }
}

/// All bodies of a layout.
struct Bodies<'a> {
    t: &'a Given<'a>,
    gravity: DVec3,
    desk: &'a mut Desk,
}

/// Sums, J: of each lane while bodies are booked, of all of them in the end.
#[derive(Clone, Copy)]
struct Entries<X> {
    before: X,
    after: X,
    fall: X,
    damping: X,
    stabiliser: X,
    integration: X,
}

impl WideKernel for Bodies<'_> {
    type Out = Entries<f64>;

    #[inline(always)]
    fn run<F: Number>(mut self) -> Entries<f64> {
        let zero = F::all(0.0);
        let (before, after, fall) = (zero, zero, zero);
        let mut sums = Entries { before, after, fall, damping: zero, stabiliser: zero, integration: zero };
        let t = self.t;
        for (batch, many) in Fours((0..t.nodes.len()).filter(|&n| t.nodes[n].dim == 6)) {
            self.moving(batch, many, &mut sums);
            self.turning(batch, many, &mut sums);
        }
        for (batch, many) in Fours((0..t.nodes.len()).filter(|&n| t.nodes[n].dim == 3)) {
            self.moving(batch, many, &mut sums);
        }
        let sum = |x: F| {
            let x = x.array();
            (x[0] + x[1]) + (x[2] + x[3])
        };
        let Entries { before, after, fall, damping, stabiliser, integration } = sums;
        let (before, after, fall) = (sum(before), sum(after), sum(fall));
        let (damping, stabiliser, integration) = (sum(damping), sum(stabiliser), sum(integration));
        Entries { before, after, fall, damping, stabiliser, integration }
    }
}

/// One for the lanes that count.
#[inline(always)]
fn counted<F: Number>(many: usize) -> F {
    F::of(each!(k in [0, 1, 2, 3] => if k < many { 1.0 } else { 0.0 }))
}

impl Bodies<'_> {
    /// Adds the linear part of four bodies to the sums.
    #[inline(always)]
    fn moving<F: Number>(&mut self, batch: [usize; LANES], many: usize, sums: &mut Entries<F>) {
        let (t, desk, counts) = (self.t, &mut *self.desk, counted::<F>(many));
        let (nodes, kin) = (&t.nodes[..], &t.inputs.kin[..t.nodes.len()]);
        let node = each!(n in batch => &nodes[n]);
        let hk = F::of(each!(n in node => t.inputs.hk[n.island])) * counts;
        let old = Vec4::<F>::get(each!(n in batch => &kin[n].vel));
        let new = vec4(&desk.sol.x, each!(n in node => n.x));
        let mean = (old + new) * 0.5;
        let half = F::of(each!(n in node => n.mass)) * counts * 0.5;
        sums.before = sums.before + half * old.dot(old);
        sums.after = sums.after + half * new.dot(new);
        sums.fall = sums.fall + hk * F::of(each!(n in node => n.weight)) * Vec4::of([self.gravity; LANES]).dot(mean);
        let drag = F::of(each!(n in node => n.linear_damping * n.mass + n.drag.0));
        sums.damping = sums.damping - hk * drag * new.dot(mean);
        let given = vec4(&desk.memory.impulse, each!(n in node => n.x));
        sums.stabiliser = sums.stabiliser + counts * given.dot(mean);
        let mean = mean.array();
        for k in 0..many {
            let x = node[k].x;
            desk.sol.residual[x..x + 3].copy_from_slice(&mean[k].to_array());
        }
    }

    /// Adds their angular part.
    #[inline(always)]
    fn turning<F: Number>(&mut self, batch: [usize; LANES], many: usize, sums: &mut Entries<F>) {
        let (t, desk, counts) = (self.t, &mut *self.desk, counted::<F>(many));
        // All of one length: a body is checked once.
        let (inputs, all) = (t.inputs, t.nodes.len());
        let (nodes, kin, next) = (&t.nodes[..all], &inputs.kin[..all], &desk.next.kin[..all]);
        let (inertia, omega_g, local) = (&inputs.inertia[..all], &inputs.omega_g[..all], &t.local_inertia[..all]);
        let (added, kicks) = (&desk.stiff.now.added[..all], &desk.second.kick[..all]);
        let node = each!(n in batch => &nodes[n]);
        let inertia = Sym4::<F>::of(each!(n in batch => &inertia[n]));
        let old = Vec4::get(each!(n in batch => &kin[n].omega));
        let kicked = Vec4::get(each!(n in batch => &omega_g[n]));
        let w = vec4(&desk.sol.x, each!(n in node => n.x + 3));
        let mean = (kicked + w) * 0.5;
        let lw = inertia.times(w);
        let (half, spin) = (counts * 0.5, w.dot(lw));
        let hk = F::of(each!(n in node => inputs.hk[n.island])) * counts;
        let drag = lw * F::of(each!(n in node => n.angular_damping)) + w * F::of(each!(n in node => n.drag.1));
        sums.damping = sums.damping - hk * drag.dot(mean);
        let added = Sym4::of(each!(n in batch => &added[n]));
        let keep = F::of(each!(n in node => 1.0 - desk.stiff.share[n.island]));
        let given = vec4(&desk.memory.impulse, each!(n in node => n.x + 3)) - added.times(w) * keep;
        sums.stabiliser = sums.stabiliser + counts * given.dot(mean);
        // Gyroscopic pre-update, momentum corrections, and the inertia turning with the body.
        let before = inertia.form(old);
        let rot = each!(n in batch => &next[n].rot);
        let axes = [
            Vec4::get(each!(r in rot => &r.x_axis)),
            Vec4::get(each!(r in rot => &r.y_axis)),
            Vec4::get(each!(r in rot => &r.z_axis)),
        ];
        let own = Vec4 { x: axes[0].dot(w), y: axes[1].dot(w), z: axes[2].dot(w) };
        let turned = Sym4::of(each!(n in batch => &local[n])).form(own);
        let same = F::of(each!(n in node => if n.isotropic { 1.0 } else { 0.0 }));
        let after = same.equals(F::all(1.0)).select(spin, turned);
        sums.before = sums.before + half * before;
        sums.after = sums.after + half * after;
        let kick = Vec4::get(each!(n in batch => &kicks[n])).dot(mean);
        let kicks = F::of(each!(n in node => if desk.second.kicked[n.island] { 1.0 } else { 0.0 }));
        let kick = kicks.equals(F::all(1.0)).select(kick, F::all(0.0));
        let gained = (inertia.form(kicked) - before) + (after - spin);
        sums.integration = sums.integration + (half * gained + counts * kick);
        let mean = mean.array();
        for k in 0..many {
            let x = node[k].x + 3;
            desk.sol.residual[x..x + 3].copy_from_slice(&mean[k].to_array());
        }
    }
}
