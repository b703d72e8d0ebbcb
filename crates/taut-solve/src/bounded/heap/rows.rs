//! The blocks of a heap: how they are added, their own W, their residual.

use super::cone::Cone;
use super::{Bar, Block, DVec3, GROUND, Heap, Many, Mobility, Pair, Point, Slot, Wide, load3};

/// A row as the caller has it.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    /// Jacobians of the two sides.
    pub ji: &'a [f64; 6],
    /// Of the second.
    pub jj: &'a [f64; 6],
    /// What it aims at, m/s (rad/s).
    pub c: f64,
    /// Compliance, (m/s)/(N s).
    pub sigma: f64,
    /// Impulse, N s.
    pub z: f64,
    /// Velocity that counts as one.
    pub unit: f64,
}

impl Many {
    pub(super) fn clear(&mut self) {
        self.blocks.clear();
        self.laws.clear();
        self.sides.clear();
        self.row.clear();
        for v in [&mut self.c, &mut self.sigma, &mut self.y, &mut self.unit, &mut self.w] {
            v.clear();
        }
    }
}

impl Heap {
    /// Adds a contact with friction `mu` between two bodies, whose three rows begin at `row`. Contacts of one pair are added one after another.
    pub fn contact(&mut self, (i, j): (u32, u32), mu: [f64; 2], row: usize, own: [Given<'_>; 3]) {
        let direction = |g: &Given<'_>| if i != GROUND { load3(g.ji, 0) } else { -load3(g.jj, 0) };
        let [n, t0, t1] = [direction(&own[0]), direction(&own[1]), direction(&own[2])];
        // The arm from the moments of the rows, which are r x d for the three directions.
        let arm = |moment: [DVec3; 2]| -t0 * moment[0].dot(t1) + t1 * moment[0].dot(t0) + n * moment[1].dot(t1);
        let ri = if i == GROUND { DVec3::ZERO } else { arm([load3(own[0].ji, 3), load3(own[1].ji, 3)]) };
        let rj = if j == GROUND { DVec3::ZERO } else { arm([-load3(own[0].jj, 3), -load3(own[1].jj, 3)]) };
        let (r, d) =
            if i == GROUND { (rj, DVec3::ZERO) } else { (ri, if j == GROUND { DVec3::ZERO } else { rj - ri }) };
        let mu = mu.map(|m| m.max(0.0));
        let scaled = |k: usize| if mu[k] > 0.0 { own[k + 1].z / mu[k] } else { 0.0 };
        let (y0, y1, y2) = (own[0].z.max(0.0), scaled(0), scaled(1));
        let length = (y1 * y1 + y2 * y2).sqrt();
        let inside = if length > y0 { y0 / length } else { 1.0 };
        let at = self.points.len() as u32;
        let t = [mu[0] * t0, mu[1] * t1];
        let next = Pair { i, j, first: at, end: at + 1, n, t, d, mu, unit: own[0].unit };
        match self.pairs.last_mut() {
            Some(p) if p.has(&next) => p.end = at + 1,
            _ => self.pairs.push(next),
        }
        let pair = self.pairs.len() as u32 - 1;
        let mut point = Point {
            r,
            c: own[0].c,
            y: [y0, inside * y1, inside * y2],
            sigma: own[0].sigma,
            cone: Cone::default(),
            ct: [mu[0] * own[1].c, mu[1] * own[2].c],
            pair,
            row: row as u32,
        };
        if y0 > 0.0 {
            point.prepare(&self.pairs[pair as usize], &self.mobility);
        }
        self.points.push(point);
        for r in row..row + 3 {
            self.place(r, Slot::Point(at));
        }
    }

    /// Adds a row with bounds on two bodies.
    pub fn bar(&mut self, (i, j): (u32, u32), (lo, hi): (f64, f64), row: usize, own: Given<'_>) {
        let w = own.sigma + self.mobility.between([(i, own.ji), (j, own.jj)]);
        self.place(row, Slot::Bar(self.bars.len() as u32));
        let y = own.z.clamp(lo, hi);
        let Given { ji, jj, c, sigma, unit, .. } = own;
        self.bars.push(Bar { i, j, ji: *ji, jj: *jj, w, c, sigma, y, lo, hi, unit, row: row as u32 });
    }

    /// Adds a block of rows on any number of bodies, one law after another; `row` and `sides` of each row, with the bodies that have
    /// unknowns.
    pub fn wide<'a, S: Iterator<Item = (u32, &'a [f64; 6])>>(
        &mut self,
        laws: &[Block],
        rows: impl Iterator<Item = (usize, Given<'a>, S)>,
    ) {
        let at = self.many.blocks.len() as u32;
        let (first, side, law) = (self.many.row.len(), self.many.sides.len(), self.many.laws.len());
        for (k, (row, given, sides)) in rows.enumerate() {
            self.place(row, Slot::Wide(at));
            let m = &mut self.many;
            m.c.push(given.c);
            m.sigma.push(given.sigma);
            m.y.push(given.z);
            m.unit.push(given.unit);
            m.row.push(row as u32);
            m.sides.extend(sides.map(|(b, jac)| (b, k as u32, *jac)));
        }
        self.many.laws.extend_from_slice(laws);
        let n = self.many.row.len() - first;
        let w = self.many.w.len();
        self.many.w.resize(w + n * n, 0.0);
        let mut many = std::mem::take(&mut self.many);
        for &(a, ra, ja) in &many.sides[side..] {
            for &(b, rb, jb) in &many.sides[side..] {
                many.w[w + ra as usize * n + rb as usize] += dot6(&jb, &self.mobility.response(a, b, &ja));
            }
        }
        for k in 0..n {
            many.w[w + k * n + k] += many.sigma[first + k];
        }
        many.blocks.push(Wide {
            laws: law..many.laws.len(),
            rows: first..many.row.len(),
            sides: side..many.sides.len(),
            w,
        });
        self.many = many;
    }

    fn place(&mut self, row: usize, slot: Slot) {
        if self.slots.len() <= row {
            self.slots.resize(row + 1, Slot::None);
        }
        self.slots[row] = slot;
    }

    /// Changes what a row aims at; the normal of a contact alone.
    pub fn aim(&mut self, row: usize, c: f64) {
        match self.slots.get(row).copied().unwrap_or_default() {
            Slot::Point(p) => {
                let p = &mut self.points[p as usize];
                if p.row as usize == row {
                    p.c = c;
                }
            }
            Slot::Bar(b) => self.bars[b as usize].c = c,
            Slot::Wide(b) => {
                let of = self.many.blocks[b as usize].rows.clone();
                if let Some(k) = of.into_iter().find(|&k| self.many.row[k] as usize == row) {
                    self.many.c[k] = c;
                }
            }
            Slot::None => {}
        }
    }

    /// Largest entry of the natural map, in the units of the rows, at the velocities at hand. Rows of wide blocks count by their own laws.
    pub fn residual(&mut self) -> f64 {
        let mut worst = 0.0_f64;
        for pair in &self.pairs {
            for p in &self.points[pair.first as usize..pair.end as usize] {
                worst = worst.max(p.residual(pair, pair.meet(&self.v).at(p.r)) / pair.unit);
            }
        }
        for b in &self.bars {
            let u = b.along(&self.v) - b.c + b.sigma * b.y;
            let w = b.w.max(f64::MIN_POSITIVE);
            worst = worst.max((w * (b.y - (b.y - u / w).clamp(b.lo, b.hi))).abs() / b.unit);
        }
        for k in 0..self.many.blocks.len() {
            worst = worst.max(self.wide_residual(k));
        }
        worst
    }
}

/// How i moves against j: at its centre, and by how it turns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    pub vel: DVec3,
    pub turn: DVec3,
}

impl Meeting {
    /// Velocity at an arm.
    #[inline(always)]
    pub fn at(&self, r: DVec3) -> DVec3 {
        self.vel + self.turn.cross(r)
    }
}

impl Pair {
    /// Whether no joint holds either of its bodies.
    pub(super) fn is_free(&self, of: &Mobility) -> bool {
        [self.i, self.j].into_iter().all(|b| b == GROUND || of.is_free(b))
    }

    /// Whether another contact is of this pair.
    fn has(&self, other: &Pair) -> bool {
        // Particles have no arms: theirs do not differ by the same from point to point.
        let near = (self.d - other.d).length_squared() <= 1e-18 * self.d.length_squared();
        (self.i, self.j) == (other.i, other.j)
            && (self.n, self.t, self.mu) == (other.n, other.t, other.mu)
            && self.unit == other.unit
            && near
    }

    #[inline(always)]
    pub(super) fn meet(&self, v: &[f64]) -> Meeting {
        let of = |b: u32| (load3(v, 6 * b as usize), load3(v, 6 * b as usize + 3));
        let (mut vel, mut turn) = (DVec3::ZERO, DVec3::ZERO);
        if self.i != GROUND {
            (vel, turn) = of(self.i);
        }
        if self.j != GROUND {
            let (v, w) = of(self.j);
            vel -= v + w.cross(self.d);
            turn -= w;
        }
        Meeting { vel, turn }
    }
}

impl Point {
    /// Finds its own block of W.
    #[cold]
    #[inline(never)]
    pub(super) fn prepare(&mut self, pair: &Pair, of: &Mobility) {
        let d = [pair.n, pair.t[0], pair.t[1]];
        let mut w = if pair.is_free(of) { self.bare(pair, d, of) } else { self.joined(pair, d, of) };
        w[0][0] += self.sigma;
        self.cone = Cone::new(w);
    }

    /// Its block between bodies that no joint holds.
    fn bare(&self, pair: &Pair, d: [DVec3; 3], of: &Mobility) -> [[f64; 3]; 3] {
        let mut w = [[0.0; 3]; 3];
        for (b, arm) in [(pair.i, self.r), (pair.j, self.r + pair.d)].into_iter().filter(|s| s.0 != GROUND) {
            let body = &of.bodies[b as usize];
            let moments = d.map(|d| arm.cross(d));
            for s in 0..3 {
                let turned = body.per_inertia * moments[s];
                for r in 0..=s {
                    w[r][s] += body.per_mass * d[r].dot(d[s]) + moments[r].dot(turned);
                }
            }
        }
        w
    }

    /// Its block where joints hold at least one of them.
    fn joined(&self, pair: &Pair, d: [DVec3; 3], of: &Mobility) -> [[f64; 3]; 3] {
        let row = |d: DVec3, r: DVec3, sign: f64| {
            let l = r.cross(d);
            [d.x, d.y, d.z, l.x, l.y, l.z].map(|x| sign * x)
        };
        let sides = [(pair.i, d.map(|d| row(d, self.r, 1.0))), (pair.j, d.map(|d| row(d, self.r + pair.d, -1.0)))];
        let mut w = [[0.0; 3]; 3];
        for (a, ja) in sides.iter().filter(|s| s.0 != GROUND) {
            for (b, jb) in sides.iter().filter(|s| s.0 != GROUND && (s.0 == *a || of.share(*a, s.0))) {
                for r in 0..3 {
                    let v = of.response(*a, *b, &ja[r]);
                    for s in r..3 {
                        w[r][s] += dot6(&jb[s], &v);
                    }
                }
            }
        }
        w
    }

    /// Natural map of the law, m/s, at the velocity u of i against j.
    fn residual(&self, pair: &Pair, u: DVec3) -> f64 {
        let un = pair.n.dot(u) - self.c + self.sigma * self.y[0];
        let w = self.cone.n;
        if w == 0.0 {
            return (-un).max(0.0);
        }
        let mut worst = (w * (self.y[0] - (self.y[0] - un / w).max(0.0))).abs();
        let wt = self.cone.tangent();
        if wt > 0.0 {
            let along = |k: usize| self.y[k + 1] - (pair.t[k].dot(u) - self.ct[k]) / wt;
            let (a, b) = (along(0), along(1));
            let length = (a * a + b * b).sqrt();
            let s = if length > self.y[0] { self.y[0] / length } else { 1.0 };
            for (k, a) in [a, b].into_iter().enumerate().filter(|(k, _)| pair.mu[*k] > 0.0) {
                worst = worst.max(wt / pair.mu[k] * (self.y[k + 1] - s * a).abs());
            }
        }
        worst
    }
}

impl Bar {
    /// J v.
    #[inline(always)]
    pub(super) fn along(&self, v: &[f64]) -> f64 {
        let side = |b: u32, jac: &[f64; 6]| {
            if b == GROUND {
                return 0.0;
            }
            let v = &v[6 * b as usize..6 * b as usize + 6];
            (0..6).map(|q| jac[q] * v[q]).sum::<f64>()
        };
        side(self.i, &self.ji) + side(self.j, &self.jj)
    }
}

pub(super) fn dot6(a: &[f64; 6], b: &[f64; 6]) -> f64 {
    (0..6).map(|q| a[q] * b[q]).sum()
}
