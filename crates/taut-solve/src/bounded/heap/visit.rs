//! Visits: one block is solved exactly with the others fixed, and the velocities follow.

use super::super::{Params, Problem};
use super::rows::Meeting;
use super::{Block, DVec3, GROUND, Heap, Mobility, Pair, Point, Slot, add3, load3};
use crate::bounded::{self, block3::Block3};
use taut_lanes::Kernel;

/// Sweeps for vectors of four: at most so many, until the largest change is no more than this.
struct Sweeps<'a>(&'a mut Heap, usize, f64);

impl Kernel for Sweeps<'_> {
    type Out = (usize, f64);

    #[inline(always)]
    fn run(self) -> (usize, f64) {
        let Sweeps(heap, most, enough) = self;
        let (mut made, mut change) = (0, f64::INFINITY);
        while made < most && !(change <= enough) {
            made += 1;
            change = heap.sweep_contacts();
            for k in 0..heap.many.blocks.len() {
                change = change.max(heap.visit_wide(k));
            }
            for k in 0..heap.bars.len() {
                change = change.max(heap.visit_bar(k));
            }
        }
        (made, change)
    }
}

/// Sweeps of a push, for vectors of four: over the rows in a list.
struct Push<'a>(&'a mut Heap, &'a [Slot], usize);

impl Kernel for Push<'_> {
    type Out = ();

    #[inline(always)]
    fn run(self) {
        let Push(heap, list, sweeps) = self;
        for _ in 0..sweeps {
            let mut k = 0;
            while k < list.len() {
                let from = k;
                k += 1;
                match list[from] {
                    Slot::None => {}
                    Slot::Point(p) => {
                        // Points of a pair that follow each other are visited together.
                        let (first, pair) = (p as usize, heap.points[p as usize].pair);
                        let follows = |k: usize| list.get(k) == Some(&Slot::Point(p + (k - from) as u32));
                        while follows(k) && heap.points[first + k - from].pair == pair {
                            k += 1;
                        }
                        let points = &mut heap.points[first..first + k - from];
                        visit(&heap.pairs[pair as usize], points, heap.precision, &mut heap.v, &heap.mobility);
                    }
                    Slot::Wide(b) => {
                        heap.visit_wide(b as usize);
                    }
                    Slot::Bar(b) => {
                        heap.visit_bar(b as usize);
                    }
                }
            }
        }
    }
}

/// Visits the points of a pair, one after another. Velocities stay at hand, and what the points have changed goes to the bodies at the
/// end.
#[inline(always)]
pub(super) fn visit(pair: &Pair, points: &mut [Point], precision: f64, v: &mut [f64], of: &Mobility) -> f64 {
    let mut meeting = pair.meet(v);
    let (mut most, mut changed) = (0.0_f64, false);
    let (mut sum, mut li, mut lj) = (DVec3::ZERO, DVec3::ZERO, DVec3::ZERO);
    let last = points.len() - 1;
    for (k, p) in points.iter_mut().enumerate() {
        let u = meeting.at(p.r);
        let un = pair.n.dot(u) - p.c + p.sigma * p.y[0];
        if un >= 0.0 && p.y[0] == 0.0 {
            continue;
        }
        if p.cone.n == 0.0 {
            p.prepare(pair, of);
        }
        let u = [un, pair.t[0].dot(u) - p.ct[0], pair.t[1].dot(u) - p.ct[1]];
        let next = p.cone.solve(u, p.y, precision);
        let d = [next[0] - p.y[0], next[1] - p.y[1], next[2] - p.y[2]];
        let size = d[0].abs() + d[1].abs() + d[2].abs();
        if !(size > 0.0 && size.is_finite()) {
            continue;
        }
        p.y = next;
        most = most.max(d[0].abs() * p.cone.n);
        changed = true;
        let f = pair.n * d[0] + pair.t[0] * d[1] + pair.t[1] * d[2];
        let (mi, mj) = (p.r.cross(f), (p.r + pair.d).cross(f));
        (sum, li, lj) = (sum + f, li + mi, lj + mj);
        if k < last {
            follow(pair, (f, mi, mj), of, &mut meeting);
        }
    }
    if changed {
        if pair.i != GROUND {
            kick(of, v, pair.i, sum, li);
        }
        if pair.j != GROUND {
            kick(of, v, pair.j, -sum, -lj);
        }
    }
    most / pair.unit
}

/// What an impulse between the bodies of a pair does to how they meet.
#[inline(always)]
fn follow(pair: &Pair, (f, mi, mj): (DVec3, DVec3, DVec3), of: &Mobility, meeting: &mut Meeting) {
    let six = |f: DVec3, l: DVec3| [f.x, f.y, f.z, l.x, l.y, l.z];
    if pair.i != GROUND {
        let a = of.own(pair.i, &six(f, mi));
        meeting.vel += load3(&a, 0);
        meeting.turn += load3(&a, 3);
    }
    if pair.j != GROUND {
        let b = of.own(pair.j, &six(f, mj));
        let turn = load3(&b, 3);
        meeting.vel += load3(&b, 0) + turn.cross(pair.d);
        meeting.turn += turn;
    }
    if pair.i != GROUND && pair.j != GROUND && of.share(pair.i, pair.j) {
        let a = of.across(pair.j, pair.i, &six(-f, -mj));
        let b = of.across(pair.i, pair.j, &six(f, mi));
        let turn = load3(&b, 3);
        meeting.vel += load3(&a, 0) - load3(&b, 0) - turn.cross(pair.d);
        meeting.turn += load3(&a, 3) - turn;
    }
}

/// v += G of an impulse and a moment on one body.
#[inline(always)]
fn kick(of: &Mobility, v: &mut [f64], b: u32, f: DVec3, l: DVec3) {
    let body = &of.bodies[b as usize];
    let at = 6 * b as usize;
    if body.group == GROUND {
        add3(v, at, body.per_mass * f);
        add3(v, at + 3, body.per_inertia * l);
        return;
    }
    let gr = of.groups[body.group as usize];
    let width = 6 * gr.len;
    let from = gr.g + (at - 6 * gr.start) * width;
    let (g0, rest) = of.g[from..from + 6 * width].split_at(width);
    let (g1, rest) = rest.split_at(width);
    let (g2, rest) = rest.split_at(width);
    let (g3, rest) = rest.split_at(width);
    let (g4, g5) = rest.split_at(width);
    let v = &mut v[6 * gr.start..6 * gr.start + width];
    for q in 0..width {
        v[q] += f.x * g0[q] + f.y * g1[q] + f.z * g2[q] + l.x * g3[q] + l.y * g4[q] + l.z * g5[q];
    }
}

impl Heap {
    /// Sweeps over all blocks, contacts from below, then the others: at most so many, until the largest change of a normal velocity, in the
    /// units of the rows, is no more than `enough`. Returns how many there were, and the last change.
    pub fn sweep(&mut self, most: usize, enough: f64) -> (usize, f64) {
        self.collect_contacts();
        let (made, change) = taut_lanes::run(Sweeps(self, most, enough));
        self.spread_contacts();
        self.sweeps += made;
        (made, change)
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
        let (i, j, change) = (b.i, b.j, d.abs() * b.w / b.unit);
        let (fi, fj) = (b.ji.map(|x| d * x), b.jj.map(|x| d * x));
        if i != GROUND {
            kick(&self.mobility, &mut self.v, i, load3(&fi, 0), load3(&fi, 3));
        }
        if j != GROUND {
            kick(&self.mobility, &mut self.v, j, load3(&fj, 0), load3(&fj, 3));
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
            change = change.max(d.abs() * m.w[at + r * n + r] / m.unit[rows.start + r]);
            // Now the differences.
            (m.y[rows.start + r], m.z[r]) = (m.z[r], d);
        }
        for s in sides {
            let (b, r, jac) = self.many.sides[s];
            let d = self.many.z[r as usize];
            if d != 0.0 {
                let f = jac.map(|x| d * x);
                kick(&self.mobility, &mut self.v, b, load3(&f, 0), load3(&f, 3));
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
            Slot::Point(p) => {
                let p = &mut self.points[p as usize];
                (p.c, p.ct) = (c, [0.0; 2]);
            }
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
        taut_lanes::run(Push(self, &list, sweeps));
        self.pushed = list;
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
