//! Sweeps: every block in turn solved exactly with the others fixed (non-smooth Gauss-Seidel), and their acceleration.
//!
//! ```text
//! u = W y + q is kept: a block that moves by dy adds W dy, so blocks at rest cost nothing
//! Anderson   G(y) = y after a sweep, f = G(y) - y;  y' = G - dG gamma, gamma = argmin |f - dF gamma| over the last 8
//! ```
//!
//! An accelerated point that raises |f| by half is refused and the history forgotten.

use super::block3::Block3;
use super::canon::{Canon, Cell, clip};
use super::chain;
use super::driver::{Best, Count};
use crate::dense::{Cholesky, dot};
use crate::tuning::T;

/// One sweep over all blocks; keeps u = W y + q.
pub(super) fn sweep(c: &Canon, y: &mut [f64], u: &mut [f64], count: &mut Count) {
    if let Some(s) = &c.sparse {
        return s.sweeps(c, y, u, 1, count);
    }
    let n = c.n;
    count.sweeps += 1;
    for cell in &c.cells {
        match *cell {
            Cell::Box { row, lo, hi } => {
                let d = c.w[row * n + row];
                if d > 0.0 {
                    let next = clip(y[row] - u[row] / d, lo, hi);
                    let step = next - y[row];
                    if step != 0.0 {
                        y[row] = next;
                        for (u, w) in u.iter_mut().zip(&c.w[row * n..(row + 1) * n]) {
                            *u += step * w;
                        }
                        count.flops += 2.0 * n as f64;
                    }
                }
            }
            Cell::Cone { row, .. } => contact(c, row, y, u, count),
            Cell::Chain { row, rows } => chain::sweep(c, row..row + rows, y, u, count),
        }
    }
}

fn contact(c: &Canon, row: usize, y: &mut [f64], u: &mut [f64], count: &mut Count) {
    let n = c.n;
    let block = Block3::of(&c.w, n, row);
    let old = [y[row], y[row + 1], y[row + 2]];
    let own = block.times(old);
    let next = block.solve([u[row] - own[0], u[row + 1] - own[1], u[row + 2] - own[2]]);
    let step = [next[0] - old[0], next[1] - old[1], next[2] - old[2]];
    if step == [0.0; 3] || !step.iter().all(|s| s.is_finite()) {
        return;
    }
    y[row..row + 3].copy_from_slice(&next);
    let w = |i: usize| &c.w[(row + i) * n..(row + i + 1) * n];
    for (((u, a), b), d) in u.iter_mut().zip(w(0)).zip(w(1)).zip(w(2)) {
        *u += step[0] * a + step[1] * b + step[2] * d;
    }
    count.flops += 6.0 * n as f64;
}

/// `sweeps` sweeps from y, the velocity anew at the start; the result is offered to `best`.
pub(super) fn sweeps(
    c: &Canon,
    y: &mut [f64],
    u: &mut Vec<f64>,
    sweeps: usize,
    best: &mut Best,
    count: &mut Count,
) -> f64 {
    c.velocity(y, u);
    count.product(c.n);
    if let Some(s) = &c.sparse {
        s.sweeps(c, y, u, sweeps, count);
    } else {
        (0..sweeps).for_each(|_| sweep(c, y, u, count));
    }
    best.offer(c, y, u, count)
}

/// Memory of the accelerated sweeps.
#[derive(Clone, Debug, Default)]
pub(super) struct Anderson {
    /// Points and their sweeps, newest last.
    x: Vec<Vec<f64>>,
    g: Vec<Vec<f64>>,
    spare: Vec<Vec<f64>>,
    y: Vec<f64>,
    gy: Vec<f64>,
    trial: Vec<f64>,
    swept: Vec<f64>,
    u: Vec<f64>,
    df: Vec<f64>,
    normal: Vec<f64>,
    gamma: Vec<f64>,
    cholesky: Cholesky,
}

impl Anderson {
    /// Up to `limit` accelerated sweeps from the best point.
    pub fn run(&mut self, c: &Canon, limit: usize, best: &mut Best, count: &mut Count) {
        let end = count.sweeps + limit;
        self.forget();
        self.y.clone_from(&best.y);
        let mut length = step(c, &self.y, &mut self.gy, &mut self.u, count);
        while !best.done() && count.sweeps < end {
            self.push();
            self.mix(c);
            count.flops += (4 * c.n * T.dense.depth * T.dense.depth) as f64;
            let next = step(c, &self.trial, &mut self.swept, &mut self.u, count);
            if next <= 1.5 * length {
                std::mem::swap(&mut self.y, &mut self.trial);
                std::mem::swap(&mut self.gy, &mut self.swept);
                length = next;
            } else {
                self.forget();
                self.y.clone_from(&self.gy);
                length = step(c, &self.y, &mut self.gy, &mut self.u, count);
            }
            best.offer(c, &self.gy, &self.u, count);
        }
    }

    fn forget(&mut self) {
        self.spare.append(&mut self.x);
        self.spare.append(&mut self.g);
    }

    fn push(&mut self) {
        if self.x.len() > T.dense.depth {
            self.spare.push(self.x.remove(0));
            self.spare.push(self.g.remove(0));
        }
        for (list, new) in [(&mut self.x, &self.y), (&mut self.g, &self.gy)] {
            let mut v = self.spare.pop().unwrap_or_default();
            v.clone_from(new);
            list.push(v);
        }
    }

    /// trial = G - dG gamma, projected.
    fn mix(&mut self, c: &Canon) {
        let (n, m) = (c.n, self.x.len() - 1);
        self.trial.clone_from(&self.gy);
        self.df.resize(m * n, 0.0);
        for k in 0..m {
            for i in 0..n {
                self.df[k * n + i] = self.g[k + 1][i] - self.x[k + 1][i] - self.g[k][i] + self.x[k][i];
            }
        }
        let column = |k: usize| &self.df[k * n..(k + 1) * n];
        self.normal.resize(m * m, 0.0);
        self.gamma.clear();
        for i in 0..m {
            for j in 0..=i {
                self.normal[i * m + j] = dot(column(i), column(j));
            }
            let f = self.gy.iter().zip(&self.y).zip(column(i)).fold(0.0, |s, ((g, y), d)| s + (g - y) * d);
            self.gamma.push(f);
        }
        let scale = (0..m).fold(0.0, |s, i| s + self.normal[i * m + i]);
        (0..m).for_each(|i| self.normal[i * m + i] += 1e-14 * scale);
        if m > 0 && self.cholesky.factor(m, &self.normal).is_ok() {
            self.cholesky.solve(&mut self.gamma);
            for k in 0..m {
                for i in 0..n {
                    self.trial[i] -= self.gamma[k] * (self.g[k + 1][i] - self.g[k][i]);
                }
            }
        }
        c.admit(&mut self.trial);
    }
}

/// g = y after one sweep, with its velocity; returns |g - y|.
fn step(c: &Canon, y: &[f64], g: &mut Vec<f64>, u: &mut Vec<f64>, count: &mut Count) -> f64 {
    g.clear();
    g.extend_from_slice(y);
    c.velocity(g, u);
    count.product(c.n);
    sweep(c, g, u, count);
    g.iter().zip(y).fold(0.0, |s, (g, y)| s + (g - y) * (g - y)).sqrt()
}
