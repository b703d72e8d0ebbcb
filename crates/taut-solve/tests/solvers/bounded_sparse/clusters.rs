//! Clusters of bodies, joints and bounded rows as matrices, made for the tests of the sparse solver.

use taut_solve::bounded::sparse::{Coupling, GROUND, Matrix, SparseProblem};
use taut_solve::bounded::{Block, Problem};
use taut_solve::dense::DenseLu;

pub type V3 = [f64; 3];

pub fn cross(a: V3, b: V3) -> V3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// A repeatable source of numbers in -1 ... 1.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
    pub fn unit(&mut self) -> V3 {
        loop {
            let v = [self.next(), self.next(), self.next()];
            let l = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
            if l > 0.1 && l < 1.0 {
                return v.map(|x| x / l);
            }
        }
    }
}

#[derive(Clone, Default)]
pub struct Scene {
    pub dims: Vec<usize>,
    pub is_row: Vec<bool>,
    pub diag: Vec<f64>,
    pub couplings: Vec<Coupling>,
    pub off: Vec<f64>,
    pub b: Vec<f64>,
    pub blocks: Vec<Block>,
    pub sides: Vec<[usize; 2]>,
    pub jac: Vec<f64>,
    pub sigma: Vec<f64>,
    pub c: Vec<f64>,
    /// Positions of bodies, by block.
    pub at: Vec<V3>,
}

pub const H: f64 = 1.0 / 60.0;
pub const G: f64 = 9.81;

impl Scene {
    pub fn problem(&self) -> SparseProblem<'_> {
        SparseProblem {
            matrix: Matrix {
                dims: &self.dims,
                is_row: &self.is_row,
                diag: &self.diag,
                couplings: &self.couplings,
                off: &self.off,
            },
            b: &self.b,
            blocks: &self.blocks,
            sides: &self.sides,
            jac: &self.jac,
            sigma: &self.sigma,
            c: &self.c,
            unit: &[],
        }
    }

    pub fn rows(&self) -> usize {
        self.c.len()
    }

    /// A free body with a velocity, under gravity along -z.
    pub fn body(&mut self, mass: f64, inertia: V3, at: V3, v: [f64; 6]) -> usize {
        let m = [mass, mass, mass, inertia[0], inertia[1], inertia[2]];
        for r in 0..6 {
            for q in 0..6 {
                self.diag.push(if r == q { m[r] } else { 0.0 });
            }
            self.b.push(m[r] * v[r] - if r == 2 { mass * G * H } else { 0.0 });
        }
        self.dims.push(6);
        self.is_row.push(false);
        self.at.push(at);
        self.dims.len() - 1
    }

    /// A particle.
    pub fn particle(&mut self, mass: f64, at: V3, v: V3) -> usize {
        for r in 0..3 {
            for q in 0..3 {
                self.diag.push(if r == q { mass } else { 0.0 });
            }
            self.b.push(mass * v[r] - if r == 2 { mass * G * H } else { 0.0 });
        }
        self.dims.push(3);
        self.is_row.push(false);
        self.at.push(at);
        self.dims.len() - 1
    }

    /// Row of the velocity of a point along n, over one body.
    fn point_row(&self, body: usize, point: V3, n: V3) -> Vec<f64> {
        let a = self.at[body];
        let arm = [point[0] - a[0], point[1] - a[1], point[2] - a[2]];
        let mut row = n.to_vec();
        if self.dims[body] == 6 {
            row.extend(cross(arm, n));
        }
        row
    }

    /// Joint rows over one or two bodies: the point moves together along each n; `turns` are axes of locked rotation.
    pub fn joint(&mut self, a: usize, b: usize, point: V3, along: &[V3], turns: &[V3], compliance: f64) -> usize {
        let rows = along.len() + turns.len();
        let block = self.dims.len();
        self.dims.push(rows);
        self.is_row.push(true);
        self.at.push(point);
        for r in 0..rows {
            self.b.push(0.0);
            for q in 0..rows {
                self.diag.push(if r == q { -compliance } else { 0.0 });
            }
        }
        for (body, sign) in [(a, 1.0), (b, -1.0)] {
            if body == GROUND {
                continue;
            }
            self.couplings.push(Coupling { a: block, b: body, at: self.off.len() });
            for n in along {
                let row: Vec<f64> = self.point_row(body, point, *n).iter().map(|v| sign * v).collect();
                self.off.extend(row);
            }
            for t in turns {
                self.off.extend([0.0, 0.0, 0.0, sign * t[0], sign * t[1], sign * t[2]]);
            }
        }
        block
    }

    pub fn ball(&mut self, a: usize, b: usize, point: V3) -> usize {
        self.joint(a, b, point, &[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], &[], 0.0)
    }

    fn push_row(&mut self, a: usize, b: usize, point: V3, n: V3, sigma: f64, c: f64) {
        let mut row = [0.0; 12];
        for (side, body, sign) in [(0, a, 1.0), (1, b, -1.0)] {
            if body != GROUND {
                for (q, v) in self.point_row(body, point, n).iter().enumerate() {
                    row[6 * side + q] = sign * v;
                }
            }
        }
        self.jac.extend(row);
        self.sigma.push(sigma);
        self.c.push(c);
    }

    /// A contact whose normal points from b to a; `gap` in m.
    pub fn contact(&mut self, a: usize, b: usize, point: V3, n: V3, mu: [f64; 2], gap: f64) {
        let t = if n[0].abs() < 0.9 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
        let t1 = cross(n, t);
        let l = (t1[0] * t1[0] + t1[1] * t1[1] + t1[2] * t1[2]).sqrt();
        let t1 = t1.map(|x| x / l);
        let t2 = cross(n, t1);
        self.blocks.push(Block::Contact { mu });
        self.sides.push([a, b]);
        self.push_row(a, b, point, n, 0.0, -gap / H);
        self.push_row(a, b, point, t1, 0.0, 0.0);
        self.push_row(a, b, point, t2, 0.0, 0.0);
    }

    /// A box row on the relative velocity of a point.
    pub fn bounded(&mut self, sides: [usize; 2], point: V3, n: V3, bounds: (f64, f64), (sigma, c): (f64, f64)) {
        self.blocks.push(Block::Box { lo: bounds.0, hi: bounds.1 });
        self.sides.push(sides);
        self.push_row(sides[0], sides[1], point, n, sigma, c);
    }

    /// b of the next step, with the velocities x and contacts that touch.
    pub fn next_step(&mut self, x: &[f64]) {
        let (mut at, mut d) = (0, 0);
        for (block, &dim) in self.dims.iter().enumerate() {
            if !self.is_row[block] {
                for r in 0..dim {
                    let m = self.diag[d + r * dim + r];
                    self.b[at + r] = m * x[at + r] - if r == 2 { m * G * H } else { 0.0 };
                }
            }
            at += dim;
            d += dim * dim;
        }
        self.c.iter_mut().for_each(|c| *c = 0.0);
    }

    /// K, dense, row-major.
    pub fn dense_matrix(&self) -> Vec<f64> {
        let n = self.b.len();
        let first: Vec<usize> = self.dims.iter().scan(0, |s, d| Some(std::mem::replace(s, *s + d))).collect();
        let mut k = vec![0.0; n * n];
        let mut at = 0;
        for (block, &d) in self.dims.iter().enumerate() {
            for r in 0..d {
                for q in 0..d {
                    k[(first[block] + r) * n + first[block] + q] = self.diag[at + r * d + q];
                }
            }
            at += d * d;
        }
        for c in &self.couplings {
            for r in 0..self.dims[c.a] {
                for q in 0..self.dims[c.b] {
                    let v = self.off[c.at + r * self.dims[c.b] + q];
                    k[(first[c.a] + r) * n + first[c.b] + q] = v;
                    k[(first[c.b] + q) * n + first[c.a] + r] = v;
                }
            }
        }
        k
    }

    /// W and q by brute force.
    pub fn dense(&self) -> (Vec<f64>, Vec<f64>) {
        let (n, rows) = (self.b.len(), self.rows());
        let first: Vec<usize> = self.dims.iter().scan(0, |s, d| Some(std::mem::replace(s, *s + d))).collect();
        let mut lu = DenseLu::new();
        lu.factor(n, &self.dense_matrix()).expect("regular");
        let mut jac = vec![0.0; rows * n];
        let mut row = 0;
        for (block, sides) in self.blocks.iter().zip(&self.sides) {
            for r in row..row + block.rows() {
                for side in 0..2 {
                    if sides[side] != GROUND {
                        let (at, d) = (first[sides[side]], self.dims[sides[side]]);
                        for q in 0..d {
                            jac[r * n + at + q] = self.jac[12 * r + 6 * side + q];
                        }
                    }
                }
            }
            row += block.rows();
        }
        let mut w = vec![0.0; rows * rows];
        for r in 0..rows {
            let mut x = jac[r * n..(r + 1) * n].to_vec();
            lu.solve(&mut x);
            for s in 0..rows {
                w[s * rows + r] = jac[s * n..(s + 1) * n].iter().zip(&x).map(|(a, b)| a * b).sum();
            }
            w[r * rows + r] += self.sigma[r];
        }
        let mut x = self.b.clone();
        lu.solve(&mut x);
        let q = (0..rows)
            .map(|r| jac[r * n..(r + 1) * n].iter().zip(&x).map(|(a, b)| a * b).sum::<f64>() - self.c[r])
            .collect();
        (w, q)
    }
}

pub fn as_dense<'a>(scene: &'a Scene, w: &'a [f64], q: &'a [f64]) -> Problem<'a> {
    Problem { w, q, blocks: &scene.blocks, unit: &[] }
}

/// A wall-like pyramid of unit boxes with `base` boxes at the bottom; each box touches the two below it at four points each.
/// `mass` gives the mass of a box by row and column.
pub fn pyramid(base: usize, mu: f64, mass: impl Fn(usize, usize) -> f64) -> Scene {
    let mut s = Scene::default();
    let step = 1.1;
    let mut below: Vec<usize> = Vec::new();
    for level in 0..base {
        let count = base - level;
        let mut row = Vec::new();
        for k in 0..count {
            let m = mass(level, k);
            let at = [step * (k as f64 + 0.5 * level as f64), 0.0, 0.5 + level as f64];
            let b = s.body(m, [m / 6.0; 3], at, [0.0; 6]);
            row.push(b);
            for side in 0..2 {
                let other = if level == 0 { GROUND } else { below[k + side] };
                if level == 0 && side == 1 {
                    continue;
                }
                let (x0, x1) = if level == 0 {
                    (at[0] - 0.5, at[0] + 0.5)
                } else {
                    let o: V3 = s.at[other];
                    ((at[0] - 0.5).max(o[0] - 0.5), (at[0] + 0.5).min(o[0] + 0.5))
                };
                for x in [x0, x1] {
                    for y in [-0.5, 0.5] {
                        s.contact(b, other, [x, y, level as f64], [0.0, 0.0, 1.0], [mu, mu], 0.0);
                    }
                }
            }
        }
        below = row;
    }
    s
}

/// A column of boxes; `mass` by level, `tilt` is the lean of gravity as a share of g along x.
pub fn stack(count: usize, mu: f64, tilt: f64, mass: impl Fn(usize) -> f64) -> Scene {
    let mut s = Scene::default();
    for level in 0..count {
        let m = mass(level);
        let b = s.body(m, [m / 6.0; 3], [0.0, 0.0, 0.5 + level as f64], [0.0; 6]);
        let at = s.b.len() - 6;
        s.b[at] += m * G * H * tilt;
        let other = if level == 0 { GROUND } else { b - 1 };
        for x in [-0.5, 0.5] {
            for y in [-0.5, 0.5] {
                s.contact(b, other, [x, y, level as f64], [0.0, 0.0, 1.0], [mu, mu], 0.0);
            }
        }
    }
    s
}

/// A chain of capsules on ball joints lying on the ground, moving along x with some roll; two contacts per link.
pub fn chain(links: usize, v: f64) -> Scene {
    let mut s = Scene::default();
    let mut last = GROUND;
    let mut random = Random(5);
    for k in 0..links {
        let at = [0.2 * k as f64, 0.0, 0.02];
        let speed = [v, 0.3 * random.next(), 0.0, 0.5 * random.next(), 0.0, 0.0];
        let b = s.body(0.1, [1e-5, 3.4e-4, 3.4e-4], at, speed);
        if last != GROUND {
            s.ball(last, b, [at[0] - 0.1, 0.0, 0.02]);
        }
        last = b;
        for x in [-0.09, 0.09] {
            s.contact(b, GROUND, [at[0] + x, 0.0, 0.0], [0.0, 0.0, 1.0], [0.5, 0.5], 0.0);
        }
    }
    s
}

/// A hanging rope of particles tied by one-way rows (they only pull), thrown upwards in part.
pub fn rope(links: usize) -> Scene {
    let mut s = Scene::default();
    let mut last = (GROUND, [0.0, 0.0, 0.0]);
    let mut random = Random(11);
    for k in 0..links {
        let at: V3 = [0.1 * (k + 1) as f64, 0.0, 0.0];
        let m = if k + 1 == links { 100.0 } else { 0.05 };
        let b = s.particle(m, at, [random.next(), random.next(), random.next()]);
        // w = -d/dt length >= 0 where the rope pulls: the row is the approach speed of the two ends.
        let n = [last.1[0] - at[0], last.1[1] - at[1], last.1[2] - at[2]];
        let l = (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt();
        let slack = if k % 7 == 3 { 0.05 } else { 0.0 };
        s.bounded([b, last.0], at, n.map(|x| x / l), (0.0, f64::INFINITY), (0.0, -slack / H));
        last = (b, at);
    }
    s
}

/// Random trees of bodies on ball joints and hinges with limits between joined bodies and contacts with the ground and each other.
pub fn thicket(seed: u64, trees: usize, size: usize) -> Scene {
    let mut s = Scene::default();
    let mut random = Random(seed);
    let mut all = Vec::new();
    for tree in 0..trees {
        let mut own: Vec<usize> = Vec::new();
        for k in 0..size {
            let m = libm::exp(2.0 * random.next());
            let at = [2.0 * random.next(), 2.0 * random.next(), 2.0 * random.next()];
            let v = [random.next(), random.next(), -2.0 + random.next(), random.next(), random.next(), random.next()];
            let b = s.body(m, [0.1 * m, 0.15 * m, 0.2 * m], at, v);
            let parent = if k == 0 { GROUND } else { own[((random.next() + 1.0) * 0.5 * k as f64) as usize % k] };
            let point = [at[0] + 0.3 * random.next(), at[1] + 0.3 * random.next(), at[2] + 0.3];
            if k > 0 || tree == 0 {
                if random.next() > 0.0 {
                    s.ball(b, parent, point);
                } else {
                    let all = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
                    s.joint(b, parent, point, &all, &[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], 0.0);
                }
                let n = random.unit();
                s.bounded([b, parent], [at[0] + 0.4, at[1], at[2] - 0.2], n, (-0.1, 0.2), (0.01, random.next()));
            }
            own.push(b);
            all.push(b);
            let below = [at[0] + 0.2 * random.next(), at[1] + 0.2 * random.next(), at[2] - 0.3];
            s.contact(b, GROUND, below, [0.0, 0.0, 1.0], [0.6, 0.4], 0.0);
        }
    }
    for _ in 0..trees * size / 2 {
        let pick = |r: f64| all[((r + 1.0) * 0.5 * all.len() as f64) as usize % all.len()];
        let (a, b) = (pick(random.next()), pick(random.next()));
        if a != b {
            let (p, n) = (s.at[a], random.unit());
            s.contact(a, b, [p[0] + 0.2, p[1] - 0.1, p[2]], n, [0.5, 0.5], 0.0);
        }
    }
    s
}
