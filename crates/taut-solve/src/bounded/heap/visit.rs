//! Visits: one block is solved exactly with the others fixed, and the velocities follow.

use super::super::{Params, Problem};
use super::{Block, DVec3, GROUND, Heap, Pair, Slot, add3, load3};
use crate::bounded::{self, block3::Block3};

impl Heap {
    /// One sweep over all blocks: contacts from below, then the others. Returns the largest change of a normal velocity, m/s.
    pub fn sweep(&mut self) -> f64 {
        self.sweeps += 1;
        let mut most = 0.0_f64;
        for k in 0..self.pairs.len() {
            let pair = self.pairs[k];
            for p in pair.first..pair.end {
                most = most.max(self.visit(&pair, p as usize));
            }
        }
        for k in 0..self.many.blocks.len() {
            most = most.max(self.visit_wide(k));
        }
        for k in 0..self.bars.len() {
            most = most.max(self.visit_bar(k));
        }
        most
    }

    #[inline(always)]
    fn visit(&mut self, pair: &Pair, k: usize) -> f64 {
        let p = &mut self.points[k];
        let u = p.meet(&self.v, pair);
        let un = p.n.dot(u) - p.c[0] + p.sigma * p.y[0];
        if un >= 0.0 && p.y == [0.0; 3] {
            return 0.0;
        }
        let p = if p.ready {
            p
        } else {
            self.ready(pair.i, pair.j, k);
            &mut self.points[k]
        };
        let u = [un, p.t[0].dot(u) - p.c[1], p.t[1].dot(u) - p.c[2]];
        let held = p.w.times(p.y);
        let q = [u[0] - held[0], u[1] - held[1], u[2] - held[2]];
        let next = if q[0] >= 0.0 || p.per_n == 0.0 {
            [0.0; 3]
        } else {
            // It sticks if that is within the cone.
            let e = [q[1] - p.lean[0] * q[0], q[2] - p.lean[1] * q[0]];
            let y1 = -(p.per_t[0] * e[0] + p.per_t[1] * e[1]);
            let y2 = -(p.per_t[1] * e[0] + p.per_t[2] * e[1]);
            let y0 = -p.per_n * (q[0] + p.w.u[0] * y1 + p.w.u[1] * y2);
            if y0 > 0.0 && y1 * y1 + y2 * y2 <= y0 * y0 { [y0, y1, y2] } else { p.w.solve_near(q, &mut p.slip) }
        };
        let d = [next[0] - p.y[0], next[1] - p.y[1], next[2] - p.y[2]];
        let size = d[0].abs() + d[1].abs() + d[2].abs();
        if !(size > 0.0 && size.is_finite()) {
            return 0.0;
        }
        p.y = next;
        let (change, f) = (d[0].abs() * p.w.n, p.n * d[0] + p.t[0] * d[1] + p.t[1] * d[2]);
        let (li, lj) = (p.ri.cross(f), p.rj.cross(f));
        if pair.i != GROUND {
            self.kick(pair.i, f, li);
        }
        if pair.j != GROUND {
            self.kick(pair.j, -f, -lj);
        }
        change
    }

    #[inline(always)]
    fn visit_bar(&mut self, k: usize) -> f64 {
        let b = &mut self.bars[k];
        let u = b.along(&self.v) - b.c + b.sigma * b.y;
        if !(b.w > 0.0) {
            return 0.0;
        }
        let next = (b.y - u / b.w).clamp(b.lo, b.hi);
        let d = next - b.y;
        if d == 0.0 || !d.is_finite() {
            return 0.0;
        }
        b.y = next;
        let (i, j, change) = (b.i, b.j, d.abs() * b.w);
        let (fi, fj) = (b.ji.map(|x| d * x), b.jj.map(|x| d * x));
        if i != GROUND {
            self.kick(i, load3(&fi, 0), load3(&fi, 3));
        }
        if j != GROUND {
            self.kick(j, load3(&fj, 0), load3(&fj, 3));
        }
        change
    }

    /// w of the rows of a wide block, into `many.q`.
    fn measure_wide(&mut self, k: usize) {
        let m = &mut self.many;
        let block = &m.blocks[k];
        m.q.clear();
        m.q.extend(block.rows.clone().map(|r| m.sigma[r] * m.y[r] - m.c[r]));
        for &(b, r, jac) in &m.sides[block.sides.clone()] {
            let v = &self.v[6 * b as usize..6 * b as usize + 6];
            m.q[r as usize] += (0..6).map(|q| jac[q] * v[q]).sum::<f64>();
        }
    }

    fn visit_wide(&mut self, k: usize) -> f64 {
        self.measure_wide(k);
        let m = &mut self.many;
        let (rows, sides, at) = (m.blocks[k].rows.clone(), m.blocks[k].sides.clone(), m.blocks[k].w);
        let n = rows.len();
        let w = &m.w[at..at + n * n];
        // Without its own impulses.
        for r in 0..n {
            m.q[r] -= (0..n).map(|s| w[r * n + s] * m.y[rows.start + s]).sum::<f64>();
        }
        m.z.clear();
        m.z.extend_from_slice(&m.y[rows.clone()]);
        match m.laws[m.blocks[k].laws.clone()] {
            [Block::Box { lo, hi }] if w[0] > 0.0 => m.z[0] = (-m.q[0] / w[0]).clamp(lo, hi),
            [Block::Box { .. }] => {}
            [Block::Contact { mu }] => m.z.copy_from_slice(&cone(w, mu, &m.q)),
            ref laws => {
                let problem = Problem { w, q: &m.q, blocks: laws, unit: &m.unit[rows.clone()] };
                bounded::solve(&problem, &Params::default(), &mut m.z, &mut m.work);
            }
        }
        let mut change = 0.0_f64;
        for r in 0..n {
            let d = m.z[r] - m.y[rows.start + r];
            if !d.is_finite() {
                return 0.0;
            }
            change = change.max(d.abs() * m.w[at + r * n + r]);
            // Now the differences.
            (m.y[rows.start + r], m.z[r]) = (m.z[r], d);
        }
        for s in sides {
            let (b, r, jac) = self.many.sides[s];
            let d = self.many.z[r as usize];
            if d != 0.0 {
                let f = jac.map(|x| d * x);
                self.kick(b, load3(&f, 0), load3(&f, 3));
            }
        }
        change
    }

    /// How far the impulses of a wide block are from what its law would have with the others fixed, as velocities in its units.
    pub(super) fn wide_residual(&mut self, k: usize) -> f64 {
        self.measure_wide(k);
        let m = &self.many;
        let rows = m.blocks[k].rows.clone();
        let (n, at) = (rows.len(), m.blocks[k].w);
        let mut worst = 0.0_f64;
        let mut first = 0;
        for law in &m.laws[m.blocks[k].laws.clone()] {
            let w = |r: usize| m.w[at + (first + r) * n + first + r].max(f64::MIN_POSITIVE);
            let (y, u) = (|r: usize| m.y[rows.start + first + r], |r: usize| m.q[first + r]);
            let unit = m.unit[rows.start + first];
            let off = match *law {
                Block::Box { lo, hi } => (w(0) * (y(0) - (y(0) - u(0) / w(0)).clamp(lo, hi))).abs(),
                Block::Span { .. } => (w(0) * (y(0) - (y(0) - u(0) / w(0)).min(0.0))).abs().min(u(0).abs()),
                Block::Contact { .. } => (w(0) * (y(0) - (y(0) - u(0) / w(0)).max(0.0))).abs(),
            };
            worst = worst.max(off / unit);
            first += law.rows();
        }
        worst
    }

    /// Starts a push of positions: everything at rest, and no row takes part.
    pub fn begin_push(&mut self) {
        self.rest();
        self.pushed.clear();
    }

    /// Lets a row take part in the push, with the velocity that it is to make up, m/s. Friction holds what is pushed; compliance has no part in
    /// a position.
    pub fn push_row(&mut self, row: usize, c: f64) {
        let slot = self.slots.get(row).copied().unwrap_or_default();
        match slot {
            Slot::None => return,
            Slot::Point(p) => self.points[p as usize].c = [c, 0.0, 0.0],
            Slot::Bar(b) => {
                let b = &mut self.bars[b as usize];
                b.w -= std::mem::take(&mut b.sigma);
                b.c = c;
            }
            Slot::Wide(_) => self.aim(row, c),
        }
        self.pushed.push(slot);
    }

    /// Sweeps over the rows of the push, contacts from below and the others after them. Velocities and impulses are those of the push alone then.
    pub fn push(&mut self, sweeps: usize) {
        let mut list = std::mem::take(&mut self.pushed);
        list.sort_unstable();
        list.dedup();
        for _ in 0..sweeps {
            for &slot in &list {
                match slot {
                    Slot::None => {}
                    Slot::Point(p) => {
                        let pair = self.pairs[self.points[p as usize].pair as usize];
                        self.visit(&pair, p as usize);
                    }
                    Slot::Wide(b) => {
                        self.visit_wide(b as usize);
                    }
                    Slot::Bar(b) => {
                        self.visit_bar(b as usize);
                    }
                }
            }
        }
        self.pushed = list;
    }

    #[inline(always)]
    fn kick(&mut self, b: u32, f: DVec3, l: DVec3) {
        let body = &self.bodies[b as usize];
        let at = 6 * b as usize;
        if body.group == GROUND {
            let (lin, ang) = (body.per_mass * f, body.per_inertia * l);
            add3(&mut self.v, at, lin);
            add3(&mut self.v, at + 3, ang);
            return;
        }
        let gr = self.groups[body.group as usize];
        let width = 6 * gr.len;
        let from = gr.g + (at - 6 * gr.start) * width;
        let g = &self.g[from..from + 6 * width];
        let (g0, rest) = g.split_at(width);
        let (g1, rest) = rest.split_at(width);
        let (g2, rest) = rest.split_at(width);
        let (g3, rest) = rest.split_at(width);
        let (g4, g5) = rest.split_at(width);
        let v = &mut self.v[6 * gr.start..6 * gr.start + width];
        for q in 0..width {
            v[q] += f.x * g0[q] + f.y * g1[q] + f.z * g2[q] + l.x * g3[q] + l.y * g4[q] + l.z * g5[q];
        }
    }
}

/// The contact of a wide block, in its own coordinates.
fn cone(w: &[f64], mu: [f64; 2], q: &[f64]) -> [f64; 3] {
    let m = mu.map(|m| m.max(0.0));
    let block = Block3 {
        n: w[0],
        u: [m[0] * w[1], m[1] * w[2]],
        t: [m[0] * m[0] * w[4], m[0] * m[1] * w[5], m[1] * m[1] * w[8]],
    };
    if !(block.n > 0.0) {
        return [0.0; 3];
    }
    let y = block.solve([q[0], m[0] * q[1], m[1] * q[2]]);
    [y[0], m[0] * y[1], m[1] * y[2]]
}
