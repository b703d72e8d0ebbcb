//! Random problems with a known solution: duplicated contacts and rows, masses spread over orders of magnitude.

use crate::common::Rng;
use taut_solve::bounded::{Block, Problem};

/// A problem that owns its arrays.
pub struct Random {
    pub w: Vec<f64>,
    pub q: Vec<f64>,
    pub blocks: Vec<Block>,
}

impl Random {
    pub fn problem(&self) -> Problem<'_> {
        Problem { w: &self.w, q: &self.q, blocks: &self.blocks, unit: &[] }
    }
}

fn normal(r: &mut Rng) -> f64 {
    (0..12).map(|_| r.range(-0.5, 0.5)).sum()
}

/// How many of what.
#[derive(Clone, Copy)]
pub struct Kind {
    pub bodies: usize,
    pub contacts: usize,
    /// Contacts that repeat another one.
    pub repeats: usize,
    pub boxes: usize,
    /// Decades of mass.
    pub spread: f64,
}

/// Rows between two random bodies.
fn rows(r: &mut Rng, k: Kind) -> Vec<Vec<f64>> {
    let pair = |r: &mut Rng, count: usize| {
        let i = r.below(k.bodies);
        let j = (i + 1 + r.below(k.bodies - 1)) % k.bodies;
        (0..count)
            .map(|_| {
                let mut row = vec![0.0; 6 * k.bodies];
                for (body, sign) in [(i, 1.0), (j, -1.0)] {
                    row[6 * body..6 * body + 6].iter_mut().for_each(|v| *v = sign * normal(r));
                }
                row
            })
            .collect::<Vec<_>>()
    };
    let mut jac: Vec<Vec<f64>> = (0..k.contacts).flat_map(|_| pair(r, 3)).collect();
    jac.extend((0..k.boxes).flat_map(|_| pair(r, 1)));
    jac
}

/// Of each block, the earlier one it repeats, or itself.
fn owners(r: &mut Rng, k: Kind) -> Vec<usize> {
    let mut owner: Vec<usize> = (0..k.contacts + k.boxes).collect();
    for _ in 0..k.repeats {
        let c = 1 + r.below(k.contacts - 1);
        owner[c] = owner[r.below(c)];
    }
    for b in 0..k.boxes / 2 {
        owner[k.contacts + b + k.boxes / 2] = owner[k.contacts + b];
    }
    // Repeats of repeats point to the first.
    for i in 0..owner.len() {
        owner[i] = owner[owner[i]];
    }
    owner
}

/// A law with an impulse and the velocity that goes with it.
fn sample(r: &mut Rng, contact: bool) -> (Block, Vec<f64>, Vec<f64>) {
    if !contact {
        let hi = r.range(0.5, 2.0);
        if r.below(2) == 0 {
            let z = r.range(-hi, hi);
            return (Block::Box { lo: -hi, hi }, vec![z], vec![0.0]);
        }
        let block = Block::Box { lo: 0.0, hi: f64::INFINITY };
        let (z, w) = if r.below(2) == 0 { (r.range(0.1, 5.0), 0.0) } else { (0.0, r.range(0.1, 1.0)) };
        return (block, vec![z], vec![w]);
    }
    let mu = [r.range(0.2, 1.0), r.range(0.2, 1.0)];
    let state = r.below(3);
    if state == 0 {
        return (Block::Contact { mu }, vec![0.0; 3], vec![r.range(0.1, 1.0), normal(r), normal(r)]);
    }
    let zn = 10_f64.powf(r.range(-1.0, 1.5));
    let (s, c) = r.range(0.0, std::f64::consts::TAU).sin_cos();
    let (share, slip) = if state == 1 { (r.range(0.0, 0.95), 0.0) } else { (1.0, r.range(0.1, 2.0)) };
    let z = vec![zn, mu[0] * c * zn * share, mu[1] * s * zn * share];
    (Block::Contact { mu }, z, vec![0.0, -slip * c / mu[0], -slip * s / mu[1]])
}

pub fn random(seed: u64, k: Kind) -> Random {
    let mut r = Rng(seed);
    let inverse_mass: Vec<f64> = (0..k.bodies).map(|_| 10_f64.powf(r.range(-k.spread, 0.0))).collect();
    let (mut jac, owner) = (rows(&mut r, k), owners(&mut r, k));
    let first = |b: usize| if b < k.contacts { 3 * b } else { 2 * k.contacts + b };
    let (mut blocks, mut z, mut w) = (vec![], vec![], vec![]);
    for (b, &o) in owner.iter().enumerate() {
        let (mut block, mut zb, mut wb) = sample(&mut r, b < k.contacts);
        if o != b {
            let at = first(o)..first(o) + blocks_rows(b < k.contacts);
            (block, zb, wb) = (blocks[o], z[at.clone()].to_vec(), w[at.clone()].to_vec());
            for (i, from) in (first(b)..).zip(at) {
                jac[i] = jac[from].clone();
            }
        }
        blocks.push(block);
        z.extend(zb);
        w.extend(wb);
    }
    let n = jac.len();
    let product =
        |i: usize, j: usize| -> f64 { (0..6 * k.bodies).map(|d| jac[i][d] * inverse_mass[d / 6] * jac[j][d]).sum() };
    let matrix: Vec<f64> = (0..n * n).map(|i| product(i / n, i % n)).collect();
    let q = (0..n).map(|i| w[i] - (0..n).map(|j| matrix[i * n + j] * z[j]).sum::<f64>()).collect();
    Random { w: matrix, q, blocks }
}

fn blocks_rows(contact: bool) -> usize {
    if contact { 3 } else { 1 }
}
