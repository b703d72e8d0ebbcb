//! Right-hand sides on the factors of `eliminate`, R at a time.
//!
//! ```text
//! leaf to root:  e = L^-1 (b_i + S^T f_i)      f_n -= Z_n^T d^-1 e      f_p += X^T (f_i - Z_i^T d^-1 e)      (f starts at w)
//! root to leaf:  t = d^-1 (e - Z_i X v_p - sum Z_n v_n)      y = L^-T t      v_i = X v_p + S y
//! ```
//!
//! Every column is computed with the same operations in the same order whatever R is, so a batch has the bits of single solves.

use super::eliminate::{Elimination, Step};
use super::{Fault, Load, Motion, NONE, Twist};
use glam::DVec3;

/// Columns side by side in a batch.
pub(super) const LANES: usize = 4;

/// R columns of each of six components.
type Six<const R: usize> = [[f64; R]; 6];

/// Work memory of R columns.
#[derive(Clone, Debug, Default)]
pub(super) struct Lanes<const R: usize> {
    pub f: Vec<Six<R>>,
    /// b on entry, e after the way down, y after the way up.
    pub e: Vec<[f64; R]>,
    pub v: Vec<Six<R>>,
}

/// Work memory of solves; grows to what is needed and stays.
#[derive(Clone, Debug, Default)]
pub struct Work {
    pub(super) one: Lanes<1>,
    pub(super) four: Lanes<LANES>,
}

impl<const R: usize> Lanes<R> {
    /// All zero, for an elimination.
    pub fn clear(&mut self, e: &Elimination) {
        self.f.clear();
        self.f.resize(e.structure.len(), [[0.0; R]; 6]);
        self.e.clear();
        self.e.resize(e.structure.dofs(), [0.0; R]);
        self.v.resize(e.structure.len(), [[0.0; R]; 6]);
    }

    /// One load as one column.
    fn put(&mut self, lane: usize, load: &Load) {
        for (f, w) in self.f.iter_mut().zip(load.body) {
            for c in 0..6 {
                f[c][lane] = w[c];
            }
        }
        for (e, b) in self.e.iter_mut().zip(load.joint) {
            e[lane] = *b;
        }
    }

    fn get(&self, lane: usize, out: &mut Motion) {
        for (y, e) in out.y.iter_mut().zip(&self.e) {
            *y = e[lane];
        }
        for (v, w) in out.v.iter_mut().zip(&self.v) {
            *v = w.map(|x| x[lane]);
        }
    }
}

impl Lanes<1> {
    /// One load alone.
    fn start(&mut self, e: &Elimination, load: &Load) {
        self.f.clear();
        self.f.extend(load.body.iter().map(|w| w.map(|x| [x])));
        self.f.resize(e.structure.len(), [[0.0]; 6]);
        self.e.clear();
        self.e.extend(load.joint.iter().map(|b| [*b]));
        self.e.resize(e.structure.dofs(), [0.0]);
        self.v.resize(e.structure.len(), [[0.0]; 6]);
    }
}

impl Elimination {
    /// Solves for one load.
    pub fn solve(&self, load: &Load, out: &mut Motion, work: &mut Work) -> Result<(), Fault> {
        self.ready(load, out)?;
        work.one.start(self, load);
        self.down(&mut work.one, false);
        self.up(&mut work.one);
        work.one.get(0, out);
        Ok(())
    }

    /// Solves for several loads at once; the same bits as one by one.
    pub fn solve_many(&self, loads: &[Load], out: &mut [Motion], work: &mut Work) -> Result<(), Fault> {
        super::fault::length("out", out.len(), loads.len())?;
        for (loads, out) in loads.chunks(LANES).zip(out.chunks_mut(LANES)) {
            if let ([load], [out]) = (loads, &mut *out) {
                self.solve(load, out, work)?;
                continue;
            }
            work.four.clear(self);
            for (lane, (load, out)) in loads.iter().zip(out.iter_mut()).enumerate() {
                self.ready(load, out)?;
                work.four.put(lane, load);
            }
            self.down(&mut work.four, false);
            self.up(&mut work.four);
            for (lane, out) in out.iter_mut().enumerate() {
                work.four.get(lane, out);
            }
        }
        Ok(())
    }

    /// Solves for one load and keeps e, what is known after the way down.
    pub(super) fn solve_keeping(
        &self,
        load: &Load,
        out: &mut Motion,
        work: &mut Work,
        e: &mut Vec<f64>,
    ) -> Result<(), Fault> {
        self.ready(load, out)?;
        work.one.start(self, load);
        self.down(&mut work.one, false);
        e.clear();
        e.extend(work.one.e.iter().map(|x| x[0]));
        self.up(&mut work.one);
        work.one.get(0, out);
        Ok(())
    }

    /// The way up alone, from e.
    pub(super) fn finish(&self, e: &[f64], out: &mut Motion, work: &mut Work) {
        work.one.clear(self);
        for (x, e) in work.one.e.iter_mut().zip(e) {
            x[0] = *e;
        }
        self.up(&mut work.one);
        work.one.get(0, out);
    }

    fn ready(&self, load: &Load, out: &mut Motion) -> Result<(), Fault> {
        if !self.factored {
            return Err(Fault::NotFactored);
        }
        load.check(&self.structure)?;
        out.resize(&self.structure);
        Ok(())
    }

    /// Leaf to root. `sparse` skips links on which nothing acts.
    pub(super) fn down<const R: usize>(&self, w: &mut Lanes<R>, sparse: bool) {
        for &st in &self.steps {
            if sparse && w.f[st.link] == [[0.0; R]; 6] && w.e[st.dof..st.dof + st.dofs].iter().all(|e| *e == [0.0; R]) {
                continue;
            }
            match st.dofs {
                0 => self.down_one::<0, R>(st, w),
                1 => self.down_one::<1, R>(st, w),
                2 => self.down_one::<2, R>(st, w),
                3 => self.down_one::<3, R>(st, w),
                4 => self.down_one::<4, R>(st, w),
                5 => self.down_one::<5, R>(st, w),
                _ => self.down_one::<6, R>(st, w),
            }
        }
    }

    /// Root to leaf.
    pub(super) fn up<const R: usize>(&self, w: &mut Lanes<R>) {
        for (i, v) in w.v.iter_mut().enumerate() {
            if self.structure.fixed(i) {
                *v = [[0.0; R]; 6];
            }
        }
        for &st in self.steps.iter().rev() {
            match st.dofs {
                0 => self.up_one::<0, R>(st, w),
                1 => self.up_one::<1, R>(st, w),
                2 => self.up_one::<2, R>(st, w),
                3 => self.up_one::<3, R>(st, w),
                4 => self.up_one::<4, R>(st, w),
                5 => self.up_one::<5, R>(st, w),
                _ => self.up_one::<6, R>(st, w),
            }
        }
    }

    #[inline]
    fn down_one<const K: usize, const R: usize>(&self, st: Step, w: &mut Lanes<R>) {
        let mut f = w.f[st.link];
        let mut t = [[0.0; R]; K];
        let l = &self.l[st.square..st.square + K * K];
        for c in 0..K {
            let mut x = w.e[st.dof + c];
            add(&mut x, &dot(&self.s[st.dof + c], &f));
            for b in 0..c {
                subtract(&mut x, l[c * K + b], &t[b]);
            }
            t[c] = x;
            w.e[st.dof + c] = x;
        }
        for c in 0..K {
            t[c] = t[c].map(|x| x * self.inv[st.dof + c]);
        }
        for at in st.near..st.near_end {
            let fn_ = &mut w.f[self.plan.near[at].body];
            for c in 0..K {
                for r in 0..6 {
                    subtract(&mut fn_[r], self.off[at][6 * c + r], &t[c]);
                }
            }
        }
        if st.parent != NONE {
            for c in 0..K {
                let z = &self.z[st.dof + c];
                for r in 0..6 {
                    subtract(&mut f[r], z[r], &t[c]);
                }
            }
            let fp = &mut w.f[st.parent];
            let moment = cross(self.arm[st.link], &f[0], &f[1], &f[2]);
            for r in 0..3 {
                add(&mut fp[r], &f[r]);
                add(&mut fp[3 + r], &f[3 + r]);
                add(&mut fp[3 + r], &moment[r]);
            }
        }
    }

    #[inline]
    fn up_one<const K: usize, const R: usize>(&self, st: Step, w: &mut Lanes<R>) {
        let mut v = [[0.0; R]; 6];
        if st.parent != NONE {
            v = w.v[st.parent];
            let t = cross(self.arm[st.link], &v[3], &v[4], &v[5]);
            for r in 0..3 {
                subtract(&mut v[r], 1.0, &t[r]);
            }
        }
        let mut t = [[0.0; R]; K];
        for c in 0..K {
            t[c] = w.e[st.dof + c];
            subtract(&mut t[c], 1.0, &dot(&self.z[st.dof + c], &v));
        }
        for at in st.near..st.near_end {
            let vn = &w.v[self.plan.near[at].body];
            for c in 0..K {
                let z: &Twist = super::spatial::row(&self.off[at], c);
                subtract(&mut t[c], 1.0, &dot(z, vn));
            }
        }
        let l = &self.l[st.square..st.square + K * K];
        for c in (0..K).rev() {
            t[c] = t[c].map(|x| x * self.inv[st.dof + c]);
            for b in c + 1..K {
                let y = t[b];
                subtract(&mut t[c], l[b * K + c], &y);
            }
            w.e[st.dof + c] = t[c];
        }
        for c in 0..K {
            let s = &self.s[st.dof + c];
            for r in 0..6 {
                for lane in 0..R {
                    v[r][lane] += s[r] * t[c][lane];
                }
            }
        }
        w.v[st.link] = v;
    }
}

#[inline]
fn add<const R: usize>(x: &mut [f64; R], y: &[f64; R]) {
    for lane in 0..R {
        x[lane] += y[lane];
    }
}

/// x -= s y.
#[inline]
fn subtract<const R: usize>(x: &mut [f64; R], s: f64, y: &[f64; R]) {
    for lane in 0..R {
        x[lane] -= s * y[lane];
    }
}

#[inline]
fn dot<const R: usize>(s: &Twist, f: &Six<R>) -> [f64; R] {
    std::array::from_fn(|k| {
        ((s[0] * f[0][k] + s[1] * f[1][k]) + s[2] * f[2][k]) + ((s[3] * f[3][k] + s[4] * f[4][k]) + s[5] * f[5][k])
    })
}

#[inline]
fn cross<const R: usize>(r: DVec3, x: &[f64; R], y: &[f64; R], z: &[f64; R]) -> [[f64; R]; 3] {
    [
        std::array::from_fn(|k| r.y * z[k] - r.z * y[k]),
        std::array::from_fn(|k| r.z * x[k] - r.x * z[k]),
        std::array::from_fn(|k| r.x * y[k] - r.y * x[k]),
    ]
}
