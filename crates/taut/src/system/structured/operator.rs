//! Products of the loop operator. Slices of loop unknowns are those of the island alone.

use crate::desk::Scales;
use crate::force::add_at_anchor;
use crate::kin::LinkTerm;
use crate::math::vec3;
use crate::rows::row_velocity;
use crate::solve::block_ldlt::BlockLdlt;
use crate::solve::paths::WIDTH;
use crate::solve::structured::{Loops, Purpose};
use crate::system::kkt::{Equations, anchor};
use crate::topology::{LoopKind, LoopPart, NONE};
use glam::DVec3;
use std::ops::Range;

/// The loops of one island over its factorised acyclic part.
#[derive(Clone, Copy)]
pub(super) struct Operator<'a> {
    pub e: &'a Equations<'a>,
    pub s: Scales,
    pub ldlt: &'a BlockLdlt,
}

/// sqrt(W) v of a link.
fn root(term: &LinkTerm, v: DVec3) -> DVec3 {
    let p = term.u * term.u.dot(v);
    term.along.sqrt() * p + term.across.sqrt() * (v - p)
}

impl Operator<'_> {
    fn parts(&self) -> &[LoopPart] {
        &self.e.t.loops[self.e.island.loops.clone()]
    }

    /// Its unknowns among those of all islands.
    pub fn unknowns(&self) -> Range<usize> {
        match (self.parts().first(), self.parts().last()) {
            (Some(a), Some(b)) => a.at..b.at + b.rows,
            _ => 0..0,
        }
    }

    /// The parts with their unknowns in slices of the island.
    fn local(&self) -> impl Iterator<Item = (&LoopPart, Range<usize>)> {
        let first = self.unknowns().start;
        self.parts().iter().map(move |p| (p, p.at - first..p.at - first + p.rows))
    }

    fn is_dropped(&self, part: &LoopPart, r: usize) -> bool {
        matches!(part.kind, LoopKind::Group(g) if self.ldlt.dropped[self.e.t.groups[g].x() + r])
    }

    /// Zero at dropped rows.
    pub fn mask(&self, y: &mut [f64]) {
        for (part, at) in self.local() {
            for (r, y) in y[at].iter_mut().enumerate() {
                if self.is_dropped(part, r) {
                    *y = 0.0;
                }
            }
        }
    }

    /// u += Jl^T z.
    fn scatter(&self, z: &[f64], u: &mut [f64]) {
        let t = self.e.t;
        for (part, at) in self.local() {
            let z = &z[at];
            match part.kind {
                LoopKind::Group(g) => {
                    let g = &t.groups[g];
                    for (b, at) in [(g.i(), g.jac_i()), (g.j(), g.jac_j())].into_iter().filter(|x| x.1 != NONE) {
                        let n = &t.nodes[b];
                        for (j, z) in self.e.jac[at..at + g.rows() * n.dim].chunks_exact(n.dim).zip(z) {
                            u[n.x..n.x + n.dim].iter_mut().zip(j).for_each(|(u, j)| *u += j * z);
                        }
                    }
                }
                LoopKind::Link(k) => {
                    let term = self.e.weighted(k, self.s.keep);
                    let f = root(&term, vec3(z, 0));
                    add_at_anchor(t, t.links[k].i, term.si, f, u);
                    add_at_anchor(t, t.links[k].j, term.sj, -f, u);
                }
            }
        }
    }

    /// y = Jl u.
    fn gather(&self, u: &[f64], y: &mut [f64]) {
        let t = self.e.t;
        for (part, at) in self.local() {
            match part.kind {
                LoopKind::Group(g) => {
                    let g = &t.groups[g];
                    for (r, y) in y[at].iter_mut().enumerate() {
                        *y = row_velocity(t, g, r, self.e.jac, u);
                    }
                }
                LoopKind::Link(k) => {
                    let term = self.e.weighted(k, self.s.keep);
                    let v = anchor(t, u, t.links[k].i, term.si) - anchor(t, u, t.links[k].j, term.sj);
                    y[at].copy_from_slice(&root(&term, v).to_array());
                }
            }
        }
    }

    fn sigma(&self, part: &LoopPart, r: usize) -> f64 {
        match part.kind {
            LoopKind::Group(g) => self.s.sigma * self.e.sigma[self.e.t.groups[g].row() + r],
            LoopKind::Link(_) => 1.0,
        }
    }

    fn acyclic(&self, u: &mut [f64]) {
        self.ldlt.solve(&self.e.t.pattern, self.e.island.blocks.clone(), u);
    }

    /// y = Ahat x; `u` is scratch.
    pub fn apply(&self, x: &[f64], y: &mut [f64], u: &mut [f64]) {
        u[self.e.island.x.clone()].fill(0.0);
        self.scatter(x, u);
        self.acyclic(u);
        self.gather(u, y);
        for (part, at) in self.local() {
            for (r, k) in at.enumerate() {
                y[k] += self.sigma(part, r) * x[k];
            }
        }
        self.mask(y);
    }

    /// z = P r: the inverse of each block.
    pub fn precondition(&self, blocks: &[f64], r: &[f64], z: &mut [f64]) {
        z.copy_from_slice(r);
        for (part, at) in self.local() {
            let d = part.rows;
            let (l, z) = (&blocks[part.diag..part.diag + d * d], &mut z[at]);
            for i in 0..d {
                let sum: f64 = (0..i).map(|k| l[i * d + k] * z[k]).sum();
                z[i] = if l[i * d + i] > 0.0 { (z[i] - sum) / l[i * d + i] } else { 0.0 };
            }
            for i in (0..d).rev() {
                let sum: f64 = (i + 1..d).map(|k| l[k * d + i] * z[k]).sum();
                z[i] = if l[i * d + i] > 0.0 { (z[i] - sum) / l[i * d + i] } else { 0.0 };
            }
        }
    }

    /// sqrt(r . P r).
    pub fn measure(&self, blocks: &[f64], r: &[f64]) -> f64 {
        let mut sum = 0.0;
        for (part, at) in self.local() {
            let d = part.rows;
            let l = &blocks[part.diag..part.diag + d * d];
            let mut y = [0.0; crate::solve::block_ldlt::MAX_DIM];
            for (i, &r) in r[at].iter().enumerate().filter(|(i, _)| l[i * d + i] > 0.0) {
                y[i] = (r - (0..i).map(|k| l[i * d + k] * y[k]).sum::<f64>()) / l[i * d + i];
                sum += y[i] * y[i];
            }
        }
        sum.sqrt()
    }

    /// Takes the right-hand side apart: that of the acyclic part, that of the loops, and bhat.
    pub fn take_rhs(&self, x: &[f64], purpose: Purpose, m: &mut Loops) {
        let range = self.unknowns();
        m.rhs[self.e.island.x.clone()].copy_from_slice(&x[self.e.island.x.clone()]);
        for (part, at) in self.local() {
            let target = &mut m.target[range.start + at.start..range.start + at.end];
            match part.kind {
                LoopKind::Group(g) => {
                    let x = self.e.t.groups[g].x()..self.e.t.groups[g].x() + part.rows;
                    target.copy_from_slice(&m.rhs[x.clone()]);
                    m.rhs[x].fill(0.0);
                }
                LoopKind::Link(_) => target.fill(0.0),
            }
        }
        if purpose == Purpose::Correction {
            m.wanted_before[range.clone()].copy_from_slice(&m.wanted[range.clone()]);
        }
        if purpose != Purpose::Response {
            m.wanted[range.clone()].copy_from_slice(&m.target[range.clone()]);
        }
        m.u[self.e.island.x.clone()].copy_from_slice(&m.rhs[self.e.island.x.clone()]);
        self.acyclic(&mut m.u);
        let b = &mut m.b[range.clone()];
        self.gather(&m.u, b);
        b.iter_mut().zip(&m.target[range]).for_each(|(b, w)| *b = w - *b);
        self.mask(b);
    }

    /// Where the iteration starts: impulses of the last step, of the present solution, or none.
    pub fn start(&self, purpose: Purpose, m: &mut Loops) {
        let t = self.e.t;
        let z = &mut m.z[self.unknowns()];
        z.fill(0.0);
        for (part, at) in self.local().filter(|_| purpose != Purpose::Response) {
            match part.kind {
                LoopKind::Group(g) => {
                    let g = &t.groups[g];
                    for (r, z) in z[at].iter_mut().enumerate().filter(|(r, _)| !self.is_dropped(part, *r)) {
                        let force = || t.inputs.hk[g.island()] * self.e.load[g.row() + r];
                        *z = if purpose == Purpose::Pass { force() } else { -self.e.before[g.x() + r] };
                    }
                }
                LoopKind::Link(k) => {
                    let (l, term) = (&t.links[k], self.e.weighted(k, self.s.keep));
                    let v = |b: usize, arm: DVec3| {
                        if purpose == Purpose::Correction {
                            anchor(t, self.e.before, b, arm)
                        } else {
                            t.inputs.kin[b].vel + t.inputs.kin[b].omega.cross(arm)
                        }
                    };
                    let f = -root(&term, v(l.i, term.si) - v(l.j, term.sj));
                    z[at].copy_from_slice(&f.to_array());
                }
            }
        }
    }

    /// u = Ka^-1 (rhs + Jl^T z).
    pub fn velocities(&self, rhs: &[f64], z: &[f64], u: &mut [f64]) {
        u[self.e.island.x.clone()].copy_from_slice(&rhs[self.e.island.x.clone()]);
        self.scatter(z, u);
        self.acyclic(u);
    }

    /// out = target - Jl u - Sigma z, of all rows.
    pub fn residual(&self, u: &[f64], z: &[f64], target: &[f64], out: &mut [f64]) {
        self.gather(u, out);
        for (part, at) in self.local() {
            for (r, k) in at.enumerate() {
                out[k] = target[k] - out[k] - self.sigma(part, r) * z[k];
            }
        }
    }

    /// The solution into x; the unknown of a row is minus its impulse.
    pub fn write(&self, x: &mut [f64], m: &Loops) {
        x[self.e.island.x.clone()].copy_from_slice(&m.u[self.e.island.x.clone()]);
        let z = &m.z[self.unknowns()];
        for (part, at) in self.local() {
            if let LoopKind::Group(g) = part.kind {
                let first = self.e.t.groups[g].x();
                x[first..first + part.rows].iter_mut().zip(&z[at]).for_each(|(x, z)| *x = -z);
            }
        }
    }

    /// Row r of Jl on one side: the node and its part.
    fn row(&self, part: &LoopPart, r: usize, side: usize) -> Option<(usize, [f64; 6])> {
        let t = self.e.t;
        match part.kind {
            LoopKind::Group(g) => {
                let g = &t.groups[g];
                let (b, at) = if side == 0 { (g.i(), g.jac_i()) } else { (g.j(), g.jac_j()) };
                if at == NONE {
                    return None;
                }
                let d = t.nodes[b].dim;
                let j = &self.e.jac[at + r * d..at + (r + 1) * d];
                Some((b, std::array::from_fn(|c| if c < d { j[c] } else { 0.0 })))
            }
            LoopKind::Link(k) => {
                let (l, term) = (&t.links[k], self.e.weighted(k, self.s.keep));
                let (b, arm, sign) = if side == 0 { (l.i, term.si, 1.0) } else { (l.j, term.sj, -1.0) };
                let f = sign * root(&term, DVec3::AXES[r]);
                let m = arm.cross(f);
                t.is_node(b).then_some((b, [f.x, f.y, f.z, m.x, m.y, m.z]))
            }
        }
    }

    /// The block of one part, J V J^T + Sigma, along the paths of its two nodes.
    pub fn block(&self, part: &LoopPart, m: &mut Loops) {
        let p = &self.e.t.pattern;
        let d = part.rows;
        let ends = [0, 1].map(|side| self.row(part, 0, side).map(|(node, _)| self.e.t.block_of(self.e.island, node)));
        let Some(from) = ends.into_iter().flatten().min() else { return };
        m.paths.find(p, self.e.island.blocks.clone(), ends.into_iter().flatten());
        let out = &mut m.blocks[part.diag..part.diag + d * d];
        for first in (0..d).step_by(WIDTH) {
            let columns = first..d.min(first + WIDTH);
            m.paths.clear::<WIDTH>(p, from);
            for side in 0..2 {
                for c in columns.clone() {
                    let (Some(block), Some((_, j))) = (ends[side], self.row(part, c, side)) else { continue };
                    for (x, j) in m.paths.seed::<WIDTH>(p, block).iter_mut().zip(j) {
                        x[c - first] = j;
                    }
                }
            }
            m.paths.solve::<WIDTH>(p, self.ldlt, from);
            for r in 0..d {
                out[r * d + columns.start..r * d + columns.end].fill(0.0);
                for side in 0..2 {
                    let (Some(block), Some((_, j))) = (ends[side], self.row(part, r, side)) else { continue };
                    for (x, j) in m.paths.at::<WIDTH>(p, block).iter().zip(j) {
                        for c in columns.clone() {
                            out[r * d + c] += j * x[c - first];
                        }
                    }
                }
            }
        }
        for r in 0..d {
            out[r * d + r] += self.sigma(part, r);
        }
    }
}
