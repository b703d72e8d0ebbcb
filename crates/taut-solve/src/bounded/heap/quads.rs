//! Pairs of free bodies, four at a time.
//!
//! The result of a sweep depends on the order of those pairs alone that share a body (bodies of a joint island count as one, the ground as none). So a pair
//! may be visited as soon as those before it on either body have been, and any such order is the sweep in the order in which the pairs were added, to the
//! last bit. Pairs that may be visited at one time share nothing: four of free bodies go side by side, for a visit waits for its own divisions and sums most of
//! the time. A visit of a joint island is a product with its response, and such pairs keep their order where they are the most: their points lie in memory by it.

use super::visit::visit;
use super::{DVec3, GROUND, Heap, Mobility, Pair, Point, add3, load3};
use crate::tuning::T;
use taut_lanes::{Four, LANES, Vec4, Which};

/// What is visited next.
#[derive(Clone, Copy, Debug)]
enum Next {
    /// Four pairs.
    Quad(u32),
    /// A pair alone: one with a joint island, or one that is left.
    Pair(u32),
}

/// Pairs of free bodies that share none.
#[derive(Clone, Copy, Debug)]
struct Quad {
    pairs: [u32; LANES],
    i: [u32; LANES],
    j: [u32; LANES],
    /// Its points in `Quads::points`.
    first: u32,
    end: u32,
    n: Vec4,
    t: [Vec4; 2],
    d: Vec4,
    unit: Four,
    per_mass: [Four; 2],
    /// Columns of the inverse inertia of either side.
    per_inertia: [[Vec4; 3]; 2],
}

/// A point of each pair; `GROUND` in `at` where a pair has fewer, which never pushes.
#[derive(Clone, Copy, Debug)]
struct Points {
    at: [u32; LANES],
    r: Vec4,
    c: Four,
    y: [Four; 3],
    sigma: Four,
    ct: [Four; 2],
    n: Four,
    per_n: Four,
    lean: [Four; 2],
    b: [Four; 3],
    per_b: [Four; 3],
    slip: Four,
}

/// The order of a sweep, and what is visited side by side.
#[derive(Clone, Debug, Default)]
pub(super) struct Quads {
    /// Whether the order is that of the pairs at hand.
    known: bool,
    order: Vec<Next>,
    quads: Vec<Quad>,
    points: Vec<Points>,
    /// Scratch: the last pair on a body; the next pairs on the bodies of a pair, and how many before it are still to come.
    last: Vec<u32>,
    after: Vec<[u32; 2]>,
    before: Vec<u8>,
    /// Scratch: pairs that may be visited, of free bodies and others.
    free: Vec<u32>,
    joined: Vec<u32>,
}

impl Quads {
    pub fn clear(&mut self) {
        self.known = false;
    }

    /// Finds the order.
    fn arrange(&mut self, pairs: &[Pair], of: &Mobility) {
        self.order.clear();
        self.quads.clear();
        self.points.clear();
        self.known = true;
        let free = pairs.iter().filter(|p| p.is_free(of)).count();
        if free * LANES < pairs.len() {
            self.order.extend((0..pairs.len() as u32).map(Next::Pair));
            return;
        }
        self.follow(pairs, of);
        for k in (0..pairs.len()).rev() {
            if self.before[k] == 0 {
                self.ready(k as u32, pairs, of);
            }
        }
        loop {
            let mut four = [GROUND; LANES];
            if let Some(k) = self.joined.pop() {
                self.order.push(Next::Pair(k));
                four[0] = k;
            } else {
                let count = self.free.len().min(LANES);
                four.iter_mut().zip(self.free.drain(self.free.len() - count..).rev()).for_each(|(f, k)| *f = k);
                match count {
                    0 => break,
                    1 => self.order.push(Next::Pair(four[0])),
                    _ => {
                        self.order.push(Next::Quad(self.quads.len() as u32));
                        self.quads.push(Quad::new(four, pairs, &mut self.points, of));
                    }
                }
            }
            for k in four.into_iter().filter(|&k| k != GROUND) {
                for next in self.after[k as usize].into_iter().filter(|&next| next != GROUND) {
                    self.before[next as usize] -= 1;
                    if self.before[next as usize] == 0 {
                        self.ready(next, pairs, of);
                    }
                }
            }
        }
    }

    /// Which pairs come before which.
    fn follow(&mut self, pairs: &[Pair], of: &Mobility) {
        let Quads { last, after, before, .. } = self;
        last.clear();
        last.resize(of.bodies.len(), GROUND);
        after.clear();
        after.resize(pairs.len(), [GROUND; 2]);
        before.clear();
        before.resize(pairs.len(), 0);
        // The first of its island stands for all.
        let stands = |b: u32| match of.groups.get(of.bodies[b as usize].group as usize) {
            Some(group) => group.start,
            None => b as usize,
        };
        for (k, p) in pairs.iter().enumerate() {
            let [i, j] = [p.i, p.j].map(|b| (b != GROUND).then(|| stands(b)));
            for side in [i, j.filter(|_| i != j)].into_iter().flatten() {
                let previous = std::mem::replace(&mut last[side], k as u32);
                if let Some(after) = after.get_mut(previous as usize) {
                    after[usize::from(after[0] != GROUND)] = k as u32;
                    before[k] += 1;
                }
            }
        }
    }

    fn ready(&mut self, k: u32, pairs: &[Pair], of: &Mobility) {
        if pairs[k as usize].is_free(of) { self.free.push(k) } else { self.joined.push(k) }
    }

    /// Reads aims, impulses and blocks.
    fn read(&mut self, points: &[Point]) {
        for p in &mut self.points {
            for k in 0..LANES {
                if p.at[k] != GROUND {
                    p.read(k, &points[p.at[k] as usize]);
                }
            }
        }
    }

    /// Hands the impulses back.
    fn write(&self, points: &mut [Point]) {
        for p in &self.points {
            for k in 0..LANES {
                if p.at[k] != GROUND {
                    let point = &mut points[p.at[k] as usize];
                    (point.y, point.cone.slip) = (p.y.map(|y| y.0[k]), p.slip.0[k]);
                }
            }
        }
    }
}

impl Quad {
    fn new(four: [u32; LANES], pairs: &[Pair], points: &mut Vec<Points>, of: &Mobility) -> Self {
        let pair = |k: usize| pairs.get(four[k] as usize);
        let vector = |f: &dyn Fn(&Pair) -> DVec3| Vec4::of(std::array::from_fn(|k| pair(k).map_or(DVec3::ZERO, f)));
        let side = |f: &dyn Fn(&Pair) -> u32| std::array::from_fn(|k| pair(k).map_or(GROUND, f));
        let (i, j): ([u32; LANES], [u32; LANES]) = (side(&|p| p.i), side(&|p| p.j));
        let body = |b: u32| of.bodies.get(b as usize);
        let per_mass = |s: [u32; LANES]| Four(s.map(|b| body(b).map_or(0.0, |b| b.per_mass)));
        let column =
            |s: [u32; LANES], c: usize| Vec4::of(s.map(|b| body(b).map_or(DVec3::ZERO, |b| b.per_inertia.col(c))));
        let columns = |s: [u32; LANES]| [column(s, 0), column(s, 1), column(s, 2)];
        let first = points.len();
        let most = (0..LANES).map(|k| pair(k).map_or(0, |p| p.end - p.first)).max().unwrap_or(0);
        for q in 0..most {
            let at = |k: usize| pair(k).map(|p| p.first + q).filter(|&at| at < pair(k).map_or(0, |p| p.end));
            points.push(Points::none(std::array::from_fn(|k| at(k).unwrap_or(GROUND))));
        }
        Quad {
            pairs: four,
            i,
            j,
            first: first as u32,
            end: points.len() as u32,
            n: vector(&|p| p.n),
            t: [vector(&|p| p.t[0]), vector(&|p| p.t[1])],
            d: vector(&|p| p.d),
            unit: Four(std::array::from_fn(|k| pair(k).map_or(1.0, |p| p.unit))),
            per_mass: [per_mass(i), per_mass(j)],
            per_inertia: [columns(i), columns(j)],
        }
    }

    /// A visit of each pair, as `visit` makes it.
    #[inline(always)]
    fn visit(&self, own: &mut [Points], heap: &mut Parts<'_>) -> f64 {
        let zero = Four::all(0.0);
        let none = Vec4 { x: zero, y: zero, z: zero };
        let (vi, wi) = velocities(&self.i, heap.v);
        let (vj, wj) = velocities(&self.j, heap.v);
        let (mut vel, mut turn) = (vi - (vj + wj.cross(self.d)), wi - wj);
        let (mut most, mut changed) = (zero, false);
        let (mut sum, mut li, mut lj) = (none, none, none);
        for p in own {
            let u = vel + turn.cross(p.r);
            let un = self.n.dot(u) - p.c + p.sigma * p.y[0];
            let idle = zero.at_most(un) & p.y[0].equals(zero);
            if idle.all() {
                continue;
            }
            let unknown = !idle & p.n.equals(zero);
            for k in if unknown.any() { 0..LANES } else { 0..0 } {
                if unknown.lane(k) {
                    let point = &mut heap.points[p.at[k] as usize];
                    point.prepare(&heap.pairs[self.pairs[k] as usize], heap.of);
                    p.read_block(k, point);
                }
            }
            let u = [un, self.t[0].dot(u) - p.ct[0], self.t[1].dot(u) - p.ct[1]];
            let next = p.solve(u, idle, heap.precision);
            let d = [next[0] - p.y[0], next[1] - p.y[1], next[2] - p.y[2]];
            let size = d[0].abs() + d[1].abs() + d[2].abs();
            if !zero.below(size).any() {
                continue;
            }
            let (next, d) = if size.below(Four::all(f64::INFINITY)).all() { (next, d) } else { p.sound(next, size) };
            p.y = next;
            let change = d[0].abs() * p.n;
            most = most.below(change).select(change, most);
            changed = true;
            let f = self.n * d[0] + self.t[0] * d[1] + self.t[1] * d[2];
            let (mi, mj) = (p.r.cross(f), (p.r + self.d).cross(f));
            (sum, li, lj) = (sum + f, li + mi, lj + mj);
            let (a, b) = (apply(&self.per_inertia[0], mi), apply(&self.per_inertia[1], mj));
            vel = vel + f * self.per_mass[0];
            turn = turn + a;
            vel = vel + (f * self.per_mass[1] + b.cross(self.d));
            turn = turn + b;
        }
        if changed {
            kick(&self.i, sum * self.per_mass[0], apply(&self.per_inertia[0], li), heap.v);
            kick(&self.j, (-sum) * self.per_mass[1], apply(&self.per_inertia[1], -lj), heap.v);
        }
        (most / self.unit).0.into_iter().fold(0.0, f64::max)
    }
}

/// What a visit reads and writes.
struct Parts<'a> {
    v: &'a mut [f64],
    points: &'a mut [Point],
    pairs: &'a [Pair],
    of: &'a Mobility,
    precision: f64,
}

impl Points {
    fn none(at: [u32; LANES]) -> Self {
        let zero = Four::all(0.0);
        Points {
            at,
            r: Vec4 { x: zero, y: zero, z: zero },
            // Parts however it is met.
            c: Four::all(f64::NEG_INFINITY),
            y: [zero; 3],
            sigma: zero,
            ct: [zero; 2],
            n: zero,
            per_n: zero,
            lean: [zero; 2],
            b: [zero; 3],
            per_b: [zero; 3],
            slip: zero,
        }
    }

    fn read(&mut self, k: usize, p: &Point) {
        (self.r.x.0[k], self.r.y.0[k], self.r.z.0[k]) = (p.r.x, p.r.y, p.r.z);
        (self.c.0[k], self.sigma.0[k]) = (p.c, p.sigma);
        (0..3).for_each(|q| self.y[q].0[k] = p.y[q]);
        (0..2).for_each(|q| self.ct[q].0[k] = p.ct[q]);
        self.read_block(k, p);
    }

    fn read_block(&mut self, k: usize, p: &Point) {
        let own = &p.cone;
        (self.n.0[k], self.per_n.0[k], self.slip.0[k]) = (own.n, own.per_n, own.slip);
        (0..2).for_each(|q| self.lean[q].0[k] = own.lean[q]);
        for q in 0..3 {
            (self.b[q].0[k], self.per_b[q].0[k]) = (own.b[q], own.per_b[q]);
        }
    }

    /// What is found and its change, where it is a number.
    #[cold]
    fn sound(&self, next: [Four; 3], size: Four) -> ([Four; 3], [Four; 3]) {
        let sound = size.below(Four::all(f64::INFINITY));
        let kept: [Four; 3] = std::array::from_fn(|q| sound.select(next[q], self.y[q]));
        (kept, std::array::from_fn(|q| kept[q] - self.y[q]))
    }

    /// `Cone::solve` of each, formula by formula as it stands there: selections take the place of its branches, and a test compares the bits.
    #[inline(always)]
    fn solve(&mut self, w: [Four; 3], idle: Which, tolerance: f64) -> [Four; 3] {
        let (y, [l, m], [p, q, r], zero) = (self.y, self.lean, self.per_b, Four::all(0.0));
        let open = y[0] - w[0] * self.per_n;
        let a = open + (l * y[1] + m * y[2]);
        let pushes = zero.below(a);
        let g = [w[1] - l * w[0], w[2] - m * w[0]];
        let d = [p * g[0] + q * g[1], q * g[0] + r * g[1]];
        let next = [open + (l * d[0] + m * d[1]), y[1] - d[0], y[2] - d[1]];
        let sticks = zero.below(next[0]) & (next[1] * next[1] + next[2] * next[2]).at_most(next[0] * next[0]);
        let slides = pushes & !sticks & !idle;
        let mut next = next.map(|x| pushes.select(x, zero));
        if slides.any() {
            let [b0, b1, b2] = self.b;
            let c = [g[0] - (b0 * y[1] + b1 * y[2]), g[1] - (b1 * y[1] + b2 * y[2])];
            let found = self.slide(slides, (a, c), tolerance);
            (0..3).for_each(|k| next[k] = slides.select(found[k], next[k]));
        }
        [idle.select(y[0], next[0]), idle.select(y[1], next[1]), idle.select(y[2], next[2])]
    }

    /// `Cone::slide` of those that slide.
    #[inline(always)]
    fn slide(&mut self, slides: Which, (a, [c0, c1]): (Four, [Four; 2]), tolerance: f64) -> [Four; 3] {
        let ([l, m], [b0, o, b2]) = (self.lean, self.b);
        let (zero, one, endless) = (Four::all(0.0), Four::all(1.0), Four::all(f64::INFINITY));
        let (mut low, mut high, mut s) = (zero, endless, self.slip);
        let (mut found, mut seeks) = ([zero; 3], slides);
        for _ in 0..T.bounded.near_evaluations {
            let (d0, d1) = (b0 + s, b2 + s);
            let per = one / (d0 * d1 - o * o);
            let (t0, t1) = ((o * c1 - d1 * c0) * per, (o * c0 - d0 * c1) * per);
            let yn = a - (l * t0 + m * t1);
            let square = t0 * t0 + t1 * t1;
            let length = square.sqrt();
            let pushed = yn.max(zero);
            let scale = zero.below(length).select(pushed / length, zero);
            for (f, x) in found.iter_mut().zip([pushed, t0 * scale, t1 * scale]) {
                *f = seeks.select(x, *f);
            }
            let off = length - yn;
            seeks = seeks & ((length + yn.abs()) * tolerance).below(off.abs());
            if !seeks.any() {
                break;
            }
            let beyond = zero.below(off);
            low = (seeks & beyond).select(s, low);
            high = (seeks & !beyond).select(s, high);
            let (e0, e1) = ((o * t1 - d1 * t0) * per, (o * t0 - d0 * t1) * per);
            let newton = s - off / (yn * (t0 * e0 + t1 * e1) / square + (l * e0 + m * e1));
            let first = (b0 + b2) * T.bounded.first_slip;
            let unbounded = high.equals(endless);
            let wide = (low * 4.0).below(high) & first.below(high);
            let between = wide.select((low.max(first) * high).sqrt(), (low + high) * 0.5);
            let guess = unbounded.select((s * 8.0).max(first), between);
            let next = (low.below(newton) & newton.below(high)).select(newton, guess);
            s = seeks.select(next, s);
        }
        self.slip = slides.select(s, self.slip);
        found
    }
}

/// Velocities of four bodies; those of the ground are none.
#[inline(always)]
fn velocities(bodies: &[u32; LANES], v: &[f64]) -> (Vec4, Vec4) {
    let of = |shift: usize| {
        Vec4::of(bodies.map(|b| if b == GROUND { DVec3::ZERO } else { load3(v, 6 * b as usize + shift) }))
    };
    (of(0), of(3))
}

#[inline(always)]
fn apply(columns: &[Vec4; 3], a: Vec4) -> Vec4 {
    columns[0] * a.x + columns[1] * a.y + columns[2] * a.z
}

#[inline(always)]
fn kick(bodies: &[u32; LANES], vel: Vec4, turn: Vec4, v: &mut [f64]) {
    for (k, &b) in bodies.iter().enumerate() {
        if b != GROUND {
            add3(v, 6 * b as usize, vel.lane(k));
            add3(v, 6 * b as usize + 3, turn.lane(k));
        }
    }
}

impl Heap {
    /// Puts the contacts at hand where the sweeps that follow find them; `spread_contacts` comes after.
    pub(super) fn collect_contacts(&mut self) {
        if !self.quads.known {
            self.quads.arrange(&self.pairs, &self.mobility);
        }
        self.quads.read(&self.points);
    }

    /// Takes their impulses back.
    pub(super) fn spread_contacts(&mut self) {
        self.quads.write(&mut self.points);
    }

    /// One sweep over the contacts.
    #[inline(always)]
    pub(super) fn sweep_contacts(&mut self) -> f64 {
        let Heap { quads, points, pairs, v, mobility, precision, .. } = self;
        let mut most = 0.0_f64;
        let mut parts = Parts { v, points, pairs, of: mobility, precision: *precision };
        for next in &quads.order {
            let change = match *next {
                Next::Quad(q) => {
                    let quad = &quads.quads[q as usize];
                    quad.visit(&mut quads.points[quad.first as usize..quad.end as usize], &mut parts)
                }
                Next::Pair(k) => {
                    let pair = &pairs[k as usize];
                    let own = &mut parts.points[pair.first as usize..pair.end as usize];
                    visit(pair, own, parts.precision, parts.v, mobility)
                }
            };
            most = most.max(change);
        }
        most
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounded::heap::Given;
    use glam::{DMat3, DQuat};

    fn random(seed: &mut u64) -> f64 {
        *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((*seed >> 11) as f64 / (1_u64 << 53) as f64) * 2.0 - 1.0
    }

    fn vector(seed: &mut u64) -> DVec3 {
        DVec3::new(random(seed), random(seed), random(seed))
    }

    /// Free bodies, two of them joined, and pairs of one to four points between them and with the ground.
    fn heap(seed: &mut u64) -> Heap {
        const BODIES: u32 = 14;
        let mut heap = Heap::default();
        heap.clear();
        heap.precision = 1e-6;
        for _ in 2..BODIES {
            let spread = DMat3::from_diagonal(DVec3::splat(1.5) + vector(seed));
            heap.free(1.2 + random(seed), spread);
        }
        let (_, g) = heap.joined(2);
        (0..12).for_each(|k| g[13 * k] = 1.0);
        (0..BODIES).for_each(|b| heap.set_velocity(b, &vector(seed).extend(random(seed)).to_array()));
        let mut row = 0;
        for _ in 0..60 {
            let body = |x: f64| ((x.abs() * f64::from(BODIES)) as u32).min(BODIES - 1);
            let (i, j) = (body(random(seed)), body(random(seed)));
            let j = if i == j || random(seed) > 0.7 { GROUND } else { j };
            let (i, j) = if random(seed) > 0.8 && j != GROUND { (GROUND, j) } else { (i, j) };
            let turn = DQuat::from_scaled_axis(3.0 * vector(seed));
            let axes = [turn * DVec3::X, turn * DVec3::Y, turn * DVec3::Z];
            let d = vector(seed);
            for _ in 0..1 + (random(seed).abs() * 4.0) as usize {
                let r = vector(seed);
                let side = |arm: DVec3, sign: f64| {
                    axes.map(|a| [a.to_array(), arm.cross(a).to_array()].concat())
                        .map(|v| std::array::from_fn::<f64, 6, _>(|q| sign * v[q]))
                };
                let (ji, jj) = (side(r, 1.0), side(if i == GROUND { r } else { r + d }, -1.0));
                let own: [f64; 3] = std::array::from_fn(|k| if k == 0 { random(seed) } else { 0.0 });
                let given = std::array::from_fn(|k| Given {
                    ji: &ji[k],
                    jj: &jj[k],
                    c: own[k],
                    sigma: if k == 0 { 0.01 } else { 0.0 },
                    z: 0.0,
                    unit: 0.5,
                });
                heap.contact((i, j), [0.6, 0.4], row, given);
                row += 3;
            }
        }
        heap
    }

    /// Side by side and one after another are the same bits, with sticking, sliding and parting points among them.
    #[test]
    fn four_at_a_time_are_the_sweep_in_order() {
        let mut seed = 5;
        let (mut fours, mut slid) = (0, 0);
        for _ in 0..40 {
            let mut together = heap(&mut seed);
            let mut alone = together.clone();
            together.sweep(6, 0.0);
            for _ in 0..6 {
                for k in 0..alone.pairs.len() {
                    let Heap { pairs, points, v, mobility, precision, .. } = &mut alone;
                    let pair = &pairs[k];
                    visit(pair, &mut points[pair.first as usize..pair.end as usize], *precision, v, mobility);
                }
            }
            fours += together.quads.quads.len();
            for (a, b) in together.points.iter().zip(&alone.points) {
                assert_eq!(a.y, b.y);
                slid += usize::from(
                    a.y[0] > 0.0 && ((a.y[1] * a.y[1] + a.y[2] * a.y[2]).sqrt() / a.y[0] - 1.0).abs() < 1e-5,
                );
            }
            assert_eq!(together.v, alone.v);
        }
        assert!(fours > 100 && slid > 100, "{fours} {slid}");
    }
}
