//! The memory of bodies: what the filter takes off their angular velocities, joint by joint, then the memory of each body and the motion
//! it would have by itself. Four joints, then four bodies, at a time.
//! ```text
//! chi min(1, d_x/d_b) = min(d_b, d_x)/(d_b + X0 u.I_b u),      wp_b = (I + A)^-1 (I w_b + c_b A_b wm_b)
//! ```

use super::Cap;
use crate::desk::Memory;
use crate::desk::inputs::Given;
use crate::math::lanes::{Fours, LANES, Mask, Number, Sym4, Vec4, vec4};
use crate::topology::{Group, Island};
use crate::tuning::T;
use glam::DMat3;
use taut_lanes::{WideKernel, each};

/// The bodies of an island; `out.predicted` is zero before, and holds their own motion afterwards.
pub(super) struct Bodies<'a> {
    pub t: &'a Given<'a>,
    pub island: &'a Island,
    pub keep: f64,
    pub cap: Cap,
    pub added: &'a [DMat3],
    /// The solution of the pass before, for `Cap::Solved`.
    pub x: &'a [f64],
    pub out: &'a mut Memory,
}

impl WideKernel for Bodies<'_> {
    type Out = ();

    #[inline(always)]
    fn run<F: Number>(mut self) {
        let (t, island) = (self.t, self.island);
        let turns = |b: usize| t.is_node(b) && t.nodes[b].dim == 6;
        let filtered = |&k: &usize| {
            let g = &t.groups[k];
            !g.dead && turns(g.i()) && turns(g.j())
        };
        for (batch, many) in Fours(island.groups.clone().filter(filtered)) {
            self.filter::<F>(batch, many);
        }
        let bodies = island.nodes.clone().filter(|&n| t.nodes[n].dim == 6);
        for (batch, many) in Fours(bodies) {
            self.remember::<F>(batch, many);
        }
    }
}

impl Bodies<'_> {
    /// Adds to `predicted` what the filter takes off the bodies of four joints.
    #[inline(always)]
    fn filter<F: Number>(&mut self, batch: [usize; LANES], many: usize) {
        let t = self.t;
        let groups: [&Group; LANES] = each!(k in batch => &t.groups[k]);
        let (i, j) = (each!(g in groups => g.i()), each!(g in groups => g.j()));
        // All of one length: a body is checked once.
        let all = t.nodes.len();
        let (omega, inertia, added) = (&t.inputs.omega_g[..all], &t.inputs.inertia[..all], &self.added[..all]);
        let u = Vec4::<F>::get(each!(b in i => &omega[b])) - Vec4::get(each!(b in j => &omega[b]));
        let side_i = (Sym4::of(each!(b in i => &added[b])), Sym4::of(each!(b in i => &inertia[b])));
        let side_j = (Sym4::of(each!(b in j => &added[b])), Sym4::of(each!(b in j => &inertia[b])));
        let (off_i, off_j) = taken_off(u, F::all(self.keep), side_i, side_j);
        let (off_i, off_j) = (off_i.array(), off_j.array());
        for k in 0..many {
            self.out.predicted[i[k]] += off_i[k];
            self.out.predicted[j[k]] -= off_j[k];
        }
    }

    /// The memory of four bodies; `predicted` holds what the filter takes off, and then their own motion.
    #[inline(always)]
    fn remember<F: Number>(&mut self, batch: [usize; LANES], many: usize) {
        let (t, out, all) = (self.t, &mut *self.out, self.t.nodes.len());
        let (nodes, inertia, added) = (&t.nodes[..all], &t.inputs.inertia[..all], &self.added[..all]);
        let (omega_g, predicted, fade) = (&t.inputs.omega_g[..all], &mut out.predicted[..all], &out.fade[..all]);
        let omega = Vec4::<F>::get(each!(n in batch => &omega_g[n]));
        let off = Vec4::get(each!(n in batch => &predicted[n]));
        let neighbours = F::of(each!(n in batch => nodes[n].neighbours.max(1) as f64));
        let a = Sym4::of(each!(n in batch => &added[n]));
        let allowed = match self.cap {
            Cap::None => None,
            Cap::Solved => Some(a.form(vec4(self.x, each!(n in batch => nodes[n].x + 3)))),
            Cap::Last => {
                let (before, kin) = (&t.inputs.added_prev[..all], &t.inputs.kin[..all]);
                let before = Sym4::packed(each!(n in batch => &before[n]));
                Some(before.form(Vec4::get(each!(n in batch => &kin[n].omega))))
            }
        };
        let fade = F::of(each!(n in batch => fade[n]));
        let inertia = Sym4::of(each!(n in batch => &inertia[n]));
        let body = Remembers { omega, off, neighbours, inertia, added: a, allowed, fade };
        let (own, impulse) = body.remember(F::all(self.keep));
        let (own, impulse) = (own.array(), impulse.array());
        for k in 0..many {
            let (n, at) = (batch[k], nodes[batch[k]].x + 3);
            predicted[n] = own[k];
            out.impulse[at..at + 3].copy_from_slice(&impulse[k].to_array());
        }
    }
}

/// What the filter takes off the angular velocities of the bodies of joints that turn by u, each with A and I; `keep` of A is used.
#[inline(always)]
pub(crate) fn taken_off<F: Number>(
    u: Vec4<F>,
    keep: F,
    (a_i, m_i): (Sym4<F>, Sym4<F>),
    (a_j, m_j): (Sym4<F>, Sym4<F>),
) -> (Vec4<F>, Vec4<F>) {
    let (d_i, d_j) = (a_i.form(u) * keep, a_j.form(u) * keep);
    let least = d_j.below(d_i).select(d_j, d_i);
    let zero = F::all(0.0);
    let part_i = zero.below(d_i).select(least / (d_i + m_i.form(u) * T.aligned.x0), zero);
    let part_j = zero.below(d_j).select(least / (d_j + m_j.form(u) * T.aligned.x0), zero);
    (u * part_i, u * part_j)
}

/// What is known of bodies that remember.
pub(crate) struct Remembers<F> {
    pub omega: Vec4<F>,
    /// What the filter takes off, and joints to other bodies: one where there are none, which have nothing taken off.
    pub off: Vec4<F>,
    pub neighbours: F,
    pub inertia: Sym4<F>,
    pub added: Sym4<F>,
    /// The energy that A may give back; none: all.
    pub allowed: Option<F>,
    pub fade: F,
}

impl<F: Number> Remembers<F> {
    /// wp and c A wm, where `keep` of A is used.
    #[inline(always)]
    pub fn remember(self, keep: F) -> (Vec4<F>, Vec4<F>) {
        let Remembers { omega, off, neighbours, inertia, added, allowed, fade } = self;
        let wm = omega - off * (F::all(0.5) / neighbours);
        let aw = added.times(wm);
        let e_now = wm.dot(aw);
        let (zero, one) = (F::all(0.0), F::all(1.0));
        let allowed = match allowed {
            Some(allowed) => allowed,
            None => e_now,
        };
        let part = allowed.max(zero) / e_now;
        let part = part.below(one).select(part, one).sqrt();
        let c = zero.below(e_now).select(part, one);
        let impulse = aw * (c * fade * keep);
        (inertia.plus(&added, keep).solve(inertia.times(omega) + impulse), impulse)
    }
}
