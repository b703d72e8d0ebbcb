//! Rigid bodies and particles with joints and bounded rows, dense, one linear solve per step. It exists to make problems
//! as they come out of a step; it shares no code with the engine.
//!
//! ```text
//! [M + h^2 S  J^T] [v+ ]   [M v + h f]        w = Ju v+ + qu = W z + q,   W = Ju K^-1 Ju^T
//! [J           0 ] [-hl] = [-phi / h ]        S: stiffness of the joint forces of the step before
//! ```

use glam::{DMat3 as Mat3, DVec3 as Vec3};
use taut_solve::bounded::{Block, Problem};
use taut_solve::dense::DenseLu;

/// The world itself, as partner of a body.
pub const GROUND: usize = usize::MAX;

pub struct Body {
    pub mass: f64,
    /// Principal inertia; none for a particle.
    pub inertia: Option<Vec3>,
    pub x: Vec3,
    pub r: Mat3,
    pub v: Vec3,
    pub omega: Vec3,
    at: usize,
}

/// Point `a` of body `i` (a ball of the radius) against the plane through `b` of body `j` with the normal `n` of `j`.
pub struct Contact {
    pub i: usize,
    pub a: Vec3,
    pub radius: f64,
    pub j: usize,
    pub b: Vec3,
    pub n: Vec3,
    pub mu: [f64; 2],
}

/// Particle `i` outside a cylinder.
pub struct Cylinder {
    pub i: usize,
    pub centre: Vec3,
    pub axis: Vec3,
    pub radius: f64,
    pub mu: [f64; 2],
}

/// n_i . u_j >= least.
pub struct Limit {
    pub i: usize,
    pub n: Vec3,
    pub j: usize,
    pub u: Vec3,
    pub least: f64,
}

/// Angular velocity about the axis `n` of body `i` against `j`, with a largest torque.
pub struct Motor {
    pub i: usize,
    pub n: Vec3,
    pub j: usize,
    pub torque: f64,
    pub target: f64,
}

pub struct World {
    pub h: f64,
    pub gravity: Vec3,
    /// Share of a penetration that one step removes.
    pub correction: f64,
    /// Contacts nearer than this have rows.
    pub margin: f64,
    pub bodies: Vec<Body>,
    /// Point of i on point of j.
    pub balls: Vec<(usize, Vec3, usize, Vec3)>,
    /// Particles i and j (or a point) at a distance.
    pub rods: Vec<(usize, usize, f64, Vec3)>,
    /// Axis of i orthogonal to two axes of j.
    pub hinges: Vec<(usize, Vec3, usize, [Vec3; 2])>,
    pub contacts: Vec<Contact>,
    pub cylinders: Vec<Cylinder>,
    pub limits: Vec<Limit>,
    pub motors: Vec<Motor>,
    pub pulls: Vec<(usize, Vec3)>,
    lambda: Vec<f64>,
    /// Impulses of the last step by row id.
    warm: Vec<(usize, [f64; 3])>,
    dofs: usize,
}

/// A problem with its warm start and what is needed to finish the step.
pub struct Snapshot {
    pub w: Vec<f64>,
    pub q: Vec<f64>,
    pub blocks: Vec<Block>,
    pub warm: Vec<f64>,
    ids: Vec<usize>,
    free: Vec<f64>,
    columns: Vec<Vec<f64>>,
}

impl Snapshot {
    pub fn problem(&self) -> Problem<'_> {
        Problem { w: &self.w, q: &self.q, blocks: &self.blocks, unit: &[] }
    }
}

/// Two tangents of a normal.
fn tangents(n: Vec3) -> (Vec3, Vec3) {
    let a = if n.x.abs() < 0.7 { Vec3::X } else { Vec3::Z };
    let t = (a - n * a.dot(n)).normalize();
    (t, n.cross(t))
}

/// The rotation by the vector w.
pub fn rotation(w: Vec3) -> Mat3 {
    let angle = w.length();
    if angle < 1e-12 { Mat3::IDENTITY } else { Mat3::from_axis_angle(w / angle, angle) }
}

impl World {
    pub fn new(h: f64, gravity: Vec3) -> Self {
        Self {
            h,
            gravity,
            correction: 0.2,
            margin: 0.05,
            bodies: vec![],
            balls: vec![],
            rods: vec![],
            hinges: vec![],
            contacts: vec![],
            cylinders: vec![],
            limits: vec![],
            motors: vec![],
            pulls: vec![],
            lambda: vec![],
            warm: vec![],
            dofs: 0,
        }
    }

    pub fn body(&mut self, mass: f64, inertia: Option<Vec3>, x: Vec3, r: Mat3) -> usize {
        self.bodies.push(Body { mass, inertia, x, r, v: Vec3::ZERO, omega: Vec3::ZERO, at: self.dofs });
        self.dofs += if inertia.is_some() { 6 } else { 3 };
        self.bodies.len() - 1
    }

    pub fn cuboid(&mut self, mass: f64, half: Vec3, x: Vec3) -> usize {
        let s = half * half;
        let inertia = Vec3::new(s.y + s.z, s.x + s.z, s.x + s.y) * (mass / 3.0);
        self.body(mass, Some(inertia), x, Mat3::IDENTITY)
    }

    pub fn point(&self, i: usize, a: Vec3) -> Vec3 {
        match self.bodies.get(i) {
            None => a,
            Some(b) => b.x + if b.inertia.is_some() { b.r * a } else { Vec3::ZERO },
        }
    }

    fn direction(&self, i: usize, d: Vec3) -> Vec3 {
        self.bodies.get(i).map_or(d, |b| b.r * d)
    }

    /// Adds the velocity along d of the world point p, fixed to body i, times `sign`.
    fn push(&self, row: &mut [f64], i: usize, p: Vec3, d: Vec3, sign: f64) {
        let Some(b) = self.bodies.get(i) else { return };
        let turn = (p - b.x).cross(d);
        for k in 0..3 {
            row[b.at + k] += sign * d[k];
            if b.inertia.is_some() {
                row[b.at + 3 + k] += sign * turn[k];
            }
        }
    }

    /// Adds the relative angular velocity of i and j about d.
    fn push_turn(&self, row: &mut [f64], i: usize, j: usize, d: Vec3) {
        for (body, sign) in [(i, 1.0), (j, -1.0)] {
            if let Some(b) = self.bodies.get(body) {
                for k in 0..3 {
                    row[b.at + 3 + k] += sign * d[k];
                }
            }
        }
    }

    fn velocities(&self) -> Vec<f64> {
        let mut v = vec![];
        for b in &self.bodies {
            v.extend(b.v.to_array());
            if b.inertia.is_some() {
                v.extend(b.omega.to_array());
            }
        }
        v
    }

    fn joint_rows(&self) -> (Vec<Vec<f64>>, Vec<f64>) {
        let (mut rows, mut phi) = (vec![], vec![]);
        for &(i, a, j, b) in &self.balls {
            let (p, q) = (self.point(i, a), self.point(j, b));
            for (k, axis) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
                let mut row = vec![0.0; self.dofs];
                self.push(&mut row, i, p, axis, 1.0);
                self.push(&mut row, j, q, axis, -1.0);
                rows.push(row);
                phi.push((p - q)[k]);
            }
        }
        for &(i, j, length, anchor) in &self.rods {
            let (p, q) = (self.bodies[i].x, self.bodies.get(j).map_or(anchor, |b| b.x));
            let mut row = vec![0.0; self.dofs];
            let u = (p - q).normalize();
            self.push(&mut row, i, p, u, 1.0);
            self.push(&mut row, j, q, u, -1.0);
            rows.push(row);
            phi.push((p - q).length() - length);
        }
        for &(i, n, j, axes) in &self.hinges {
            for u in axes {
                let (n, u) = (self.direction(i, n), self.direction(j, u));
                let mut row = vec![0.0; self.dofs];
                self.push_turn(&mut row, i, j, n.cross(u));
                rows.push(row);
                phi.push(n.dot(u));
            }
        }
        (rows, phi)
    }

    /// M + h^2 S and M.
    fn matrices(&self) -> (Vec<f64>, Vec<f64>) {
        let n = self.dofs;
        let mut mass = vec![0.0; n * n];
        for b in &self.bodies {
            for k in 0..3 {
                mass[(b.at + k) * n + b.at + k] = b.mass;
            }
            if let Some(inertia) = b.inertia {
                add3(&mut mass, n, b.at + 3, b.at + 3, b.r * Mat3::from_diagonal(inertia) * b.r.transpose());
            }
        }
        let mut stiff = mass.clone();
        let h2 = self.h * self.h;
        let mut rows = self.lambda.iter().copied();
        for &(i, a, j, b) in &self.balls {
            let force = Vec3::from_array([0; 3].map(|_| rows.next().unwrap_or(0.0)));
            for (body, arm, sign) in [(i, a, 1.0), (j, b, -1.0)] {
                let Some(b) = self.bodies.get(body) else { continue };
                let s = b.r * arm;
                let pull = sign * force.dot(s);
                if pull > 0.0 {
                    add3(&mut stiff, n, b.at + 3, b.at + 3, across(s) * (h2 * pull));
                }
            }
        }
        for &(i, j, _, anchor) in &self.rods {
            let pull = (-rows.next().unwrap_or(0.0)).max(0.0);
            let d = self.bodies[i].x - self.bodies.get(j).map_or(anchor, |b| b.x);
            let k = across(d) * (h2 * pull / d.length());
            let other = self.bodies.get(j).map(|b| b.at);
            add3(&mut stiff, n, self.bodies[i].at, self.bodies[i].at, k);
            if let Some(at) = other {
                add3(&mut stiff, n, at, at, k);
                add3(&mut stiff, n, at, self.bodies[i].at, -k);
                add3(&mut stiff, n, self.bodies[i].at, at, -k);
            }
        }
        (stiff, mass)
    }

    fn bounded_rows(&self, rows: &mut Vec<Vec<f64>>, q: &mut Vec<f64>) -> (Vec<Block>, Vec<usize>) {
        let (mut blocks, mut ids) = (vec![], vec![]);
        let v = self.velocities();
        let bias = |phi: f64| if phi > 0.0 { phi / self.h } else { self.correction * phi / self.h };
        let mut contact = |id: usize, (i, p): (usize, Vec3), j: usize, axes: [Vec3; 3], gap: f64, mu: [f64; 2]| {
            if gap > self.margin {
                return;
            }
            for d in axes {
                let mut row = vec![0.0; self.dofs];
                self.push(&mut row, i, p, d, 1.0);
                self.push(&mut row, j, p, d, -1.0);
                rows.push(row);
            }
            q.extend([bias(gap), 0.0, 0.0]);
            blocks.push(Block::Contact { mu });
            ids.push(id);
        };
        for (id, c) in self.contacts.iter().enumerate() {
            let n = self.direction(c.j, c.n);
            let p = self.point(c.i, c.a);
            let gap = n.dot(p - self.point(c.j, c.b)) - c.radius;
            let (t1, t2) = tangents(n);
            contact(id, (c.i, p - n * c.radius), c.j, [n, t1, t2], gap, c.mu);
        }
        for (id, c) in self.cylinders.iter().enumerate() {
            let p = self.bodies[c.i].x;
            let r = (p - c.centre) - c.axis * c.axis.dot(p - c.centre);
            let n = r.normalize();
            let t = n.cross(c.axis);
            contact(10_000 + id, (c.i, p), GROUND, [n, t, n.cross(t)], r.length() - c.radius, c.mu);
        }
        for (id, l) in self.limits.iter().enumerate() {
            let (n, u) = (self.direction(l.i, l.n), self.direction(l.j, l.u));
            let phi = n.dot(u) - l.least;
            let mut row = vec![0.0; self.dofs];
            self.push_turn(&mut row, l.i, l.j, n.cross(u));
            let rate: f64 = row.iter().zip(&v).map(|(a, b)| a * b).sum();
            if phi + self.h * rate < 0.05 {
                rows.push(row);
                q.push(bias(phi));
                blocks.push(Block::Box { lo: 0.0, hi: f64::INFINITY });
                ids.push(20_000 + id);
            }
        }
        for (id, m) in self.motors.iter().enumerate() {
            let mut row = vec![0.0; self.dofs];
            self.push_turn(&mut row, m.i, m.j, self.direction(m.i, m.n));
            rows.push(row);
            q.push(-m.target);
            blocks.push(Block::Box { lo: -m.torque * self.h, hi: m.torque * self.h });
            ids.push(30_000 + id);
        }
        (blocks, ids)
    }

    /// The problem of the next step.
    pub fn assemble(&self) -> Snapshot {
        let n = self.dofs;
        let (stiff, mass) = self.matrices();
        let (joints, phi) = self.joint_rows();
        let m = phi.len();
        let (mut rows, mut q) = (vec![], vec![]);
        let (blocks, ids) = self.bounded_rows(&mut rows, &mut q);
        // KKT matrix with equal diagonal scales.
        let scale: Vec<f64> = (0..n + m)
            .map(|i| match i.checked_sub(n) {
                None => 1.0 / stiff[i * n + i].sqrt(),
                Some(r) => 1.0 / (0..n).map(|j| joints[r][j] * joints[r][j] / stiff[j * n + j]).sum::<f64>().sqrt(),
            })
            .collect();
        let size = n + m;
        let mut kkt = vec![0.0; size * size];
        for i in 0..n {
            for j in 0..n {
                kkt[i * size + j] = stiff[i * n + j] * scale[i] * scale[j];
            }
            for r in 0..m {
                let value = joints[r][i] * scale[i] * scale[n + r];
                kkt[i * size + n + r] = value;
                kkt[(n + r) * size + i] = value;
            }
        }
        let mut lu = DenseLu::new();
        lu.factor(size, &kkt).expect("the joints of a scene are independent");
        let mut solve = |rhs: &[f64], joint: &[f64]| {
            let mut x: Vec<f64> = rhs.iter().chain(joint).zip(&scale).map(|(v, s)| v * s).collect();
            lu.solve(&mut x);
            x.iter_mut().zip(&scale).for_each(|(x, s)| *x *= s);
            x
        };
        let v = self.velocities();
        let mut b: Vec<f64> = (0..n).map(|i| (0..n).map(|j| mass[i * n + j] * v[j]).sum()).collect();
        for body in &self.bodies {
            for k in 0..3 {
                b[body.at + k] += self.h * body.mass * self.gravity[k];
            }
        }
        for &(i, f) in &self.pulls {
            (0..3).for_each(|k| b[self.bodies[i].at + k] += self.h * f[k]);
        }
        let closing: Vec<f64> = phi.iter().map(|p| -p / self.h).collect();
        let free = solve(&b, &closing);
        let columns: Vec<Vec<f64>> = rows.iter().map(|row| solve(row, &vec![0.0; m])).collect();
        let count = rows.len();
        let along = |row: &[f64], x: &[f64]| row.iter().zip(x).map(|(a, b)| a * b).sum::<f64>();
        let mut w = vec![0.0; count * count];
        for i in 0..count {
            for j in 0..count {
                w[i * count + j] = 0.5 * (along(&rows[i], &columns[j]) + along(&rows[j], &columns[i]));
            }
            q[i] += along(&rows[i], &free);
        }
        let mut warm = vec![];
        for (block, id) in blocks.iter().zip(&ids) {
            let z = self.warm.iter().find(|(i, _)| i == id).map_or([0.0; 3], |(_, z)| *z);
            warm.extend_from_slice(&z[..block.rows()]);
        }
        Snapshot { w, q, blocks, warm, ids, free, columns }
    }

    /// Ends the step with the impulses z.
    pub fn finish(&mut self, s: &Snapshot, z: &[f64]) {
        let mut x = s.free.clone();
        for (column, z) in s.columns.iter().zip(z) {
            x.iter_mut().zip(column).for_each(|(x, c)| *x += c * z);
        }
        self.lambda = x[self.dofs..].iter().map(|l| -l / self.h).collect();
        self.warm.clear();
        let mut row = 0;
        for (block, id) in s.blocks.iter().zip(&s.ids) {
            let mut kept = [0.0; 3];
            kept[..block.rows()].copy_from_slice(&z[row..row + block.rows()]);
            self.warm.push((*id, kept));
            row += block.rows();
        }
        for b in &mut self.bodies {
            b.v = Vec3::from_slice(&x[b.at..b.at + 3]);
            b.x += b.v * self.h;
            if b.inertia.is_some() {
                b.omega = Vec3::from_slice(&x[b.at + 3..b.at + 6]);
                b.r = rotation(b.omega * self.h) * b.r;
            }
        }
    }
}

/// I - s s^T / |s|^2.
fn across(s: Vec3) -> Mat3 {
    let u = s.normalize_or_zero();
    Mat3::IDENTITY - Mat3::from_cols(u * u.x, u * u.y, u * u.z)
}

fn add3(m: &mut [f64], n: usize, row: usize, column: usize, block: Mat3) {
    for i in 0..3 {
        for j in 0..3 {
            m[(row + i) * n + column + j] += block.col(j)[i];
        }
    }
}
