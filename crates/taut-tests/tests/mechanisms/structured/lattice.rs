//! A planar lattice of unit rods, pinned together where they meet and to the ground at one corner, as matrices: 3 unknowns per rod, 2 rows per pin.

use crate::common::Rng;
use taut_solve::block::matrix::Pattern;
use taut_solve::block_ldlt::{BlockLdlt, Signs};
use taut_solve::dense::DenseLu;

/// One row pair: rods with their Jacobians (2 x 3).
type Pin = Vec<(usize, [[f64; 3]; 2])>;

pub struct Lattice {
    mass: Vec<f64>,
    tree: Vec<Pin>,
    loops: Vec<Pin>,
    pattern: Pattern,
    factor: BlockLdlt,
    /// First unknown of each rod and of each tree pin.
    rod_at: Vec<usize>,
    pin_at: Vec<usize>,
    /// Wanted velocities of all rows, those of the tree first.
    rhs: Vec<f64>,
}

impl Lattice {
    pub fn new(n: usize) -> Self {
        let mut random = Rng(5);
        let (pins, rods) = pins(n);
        let mass: Vec<f64> =
            (0..3 * rods).map(|k| if k % 3 == 2 { 1.0 / 12.0 } else { 1.0 } + random.range(0.0, 0.3)).collect();
        let (tree, loops, order) = span(pins, rods);
        // Leaf to root: rods in the reverse order of their discovery, each followed by the pin to its parent.
        let (mut rod_block, mut pin_block) = (vec![0; rods], vec![0; tree.len()]);
        for (k, &(rod, pin)) in order.iter().rev().enumerate() {
            (rod_block[rod], pin_block[pin]) = (2 * k, 2 * k + 1);
        }
        let couplings: Vec<(usize, usize)> =
            tree.iter().enumerate().flat_map(|(k, p)| p.iter().map(move |s| (k, s.0))).collect();
        let couplings: Vec<(usize, usize)> =
            couplings.into_iter().map(|(k, rod)| (pin_block[k], rod_block[rod])).collect();
        let dims: Vec<usize> = (0..2 * rods).map(|b| if b % 2 == 0 { 3 } else { 2 }).collect();
        let pattern = Pattern::new(dims, &couplings);
        assert_eq!(pattern.fill_blocks, 0, "a tree has no fill");
        let mut l = Lattice {
            mass,
            tree,
            loops,
            rod_at: rod_block.iter().map(|&b| pattern.row[b]).collect(),
            pin_at: pin_block.iter().map(|&b| pattern.row[b]).collect(),
            factor: BlockLdlt::new(&pattern),
            pattern,
            rhs: Vec::new(),
        };
        l.fill(&rod_block, &pin_block);
        // Right-hand sides that can be met: J of random velocities.
        let v: Vec<f64> = (0..3 * rods).map(|_| random.range(-1.0, 1.0)).collect();
        l.rhs = l.tree.iter().chain(&l.loops).flat_map(|p| product(p, |k| v[k])).collect();
        l
    }

    fn fill(&mut self, rod_block: &[usize], pin_block: &[usize]) {
        let p = &self.pattern;
        for (rod, &b) in rod_block.iter().enumerate() {
            (0..3).for_each(|c| self.factor.diag[p.diag[b] + 4 * c] = self.mass[3 * rod + c]);
        }
        for (pin, &b) in self.tree.iter().zip(pin_block) {
            for (rod, j) in pin {
                let a = rod_block[*rod];
                let at = p.coupling(a.min(b), a.max(b)).unwrap();
                for r in 0..2 {
                    for c in 0..3 {
                        self.factor.off[if a < b { at + 2 * c + r } else { at + 3 * r + c }] = j[r][c];
                    }
                }
            }
        }
        let signs = Signs { is_row: (0..p.blocks()).map(|b| b % 2 == 1).collect(), has_loops: false };
        self.factor.factor(p, &signs, 0..p.blocks()).unwrap();
    }

    pub fn bodies(&self) -> usize {
        self.rod_at.len()
    }

    pub fn acyclic_rows(&self) -> usize {
        2 * self.tree.len()
    }

    pub fn loop_rows(&self) -> usize {
        2 * self.loops.len()
    }

    /// Velocities by rod with loop impulses x and the rows of the tree at `tree` times what is wanted.
    fn acyclic(&self, x: &[f64], tree: f64) -> Vec<f64> {
        let mut u = vec![0.0; self.pattern.size()];
        for (k, pin) in self.loops.iter().enumerate() {
            for (rod, j) in pin {
                for c in 0..3 {
                    u[self.rod_at[*rod] + c] += j[0][c] * x[2 * k] + j[1][c] * x[2 * k + 1];
                }
            }
        }
        for (k, &at) in self.pin_at.iter().enumerate() {
            (0..2).for_each(|r| u[at + r] = tree * self.rhs[2 * k + r]);
        }
        self.factor.solve(&self.pattern, 0..self.pattern.blocks(), &mut u);
        self.rod_at.iter().flat_map(|&at| u[at..at + 3].to_vec()).collect()
    }

    /// y = Jl V Jl^T x.
    pub fn apply(&self, x: &[f64], y: &mut [f64]) {
        let v = self.acyclic(x, 0.0);
        let all = self.loops.iter().flat_map(|p| product(p, |k| v[k]));
        y.iter_mut().zip(all).for_each(|(y, v)| *y = v);
    }

    /// bl - Jl v(0).
    pub fn bhat(&self) -> Vec<f64> {
        let v = self.velocities(&vec![0.0; self.loop_rows()]);
        let loops = self.loops.iter().flat_map(|p| product(p, |k| v[k]));
        self.rhs[self.acyclic_rows()..].iter().zip(loops).map(|(b, v)| b - v).collect()
    }

    pub fn velocities(&self, x: &[f64]) -> Vec<f64> {
        self.acyclic(x, 1.0)
    }

    /// Velocities and impulses of all rows by the dense matrix J M^-1 J^T.
    pub fn dense(&self) -> (Vec<f64>, Vec<f64>) {
        let pins: Vec<&Pin> = self.tree.iter().chain(&self.loops).collect();
        let (n, m) = (3 * self.bodies(), 2 * pins.len());
        let mut jac = vec![0.0; m * n];
        for (k, pin) in pins.iter().enumerate() {
            for (rod, j) in pin.iter() {
                for r in 0..2 {
                    jac[(2 * k + r) * n + 3 * rod..][..3].copy_from_slice(&j[r]);
                }
            }
        }
        let mut a = vec![0.0; m * m];
        for r in 0..m {
            for c in 0..m {
                a[r * m + c] = (0..n).map(|k| jac[r * n + k] * jac[c * n + k] / self.mass[k]).sum();
            }
        }
        let mut lambda = self.rhs.clone();
        let mut lu = DenseLu::default();
        lu.factor(m, &a).unwrap();
        lu.solve(&mut lambda);
        let v = (0..n).map(|k| (0..m).map(|r| jac[r * n + k] * lambda[r]).sum::<f64>() / self.mass[k]).collect();
        (v, lambda)
    }
}

/// J v of one pin.
fn product(pin: &Pin, v: impl Fn(usize) -> f64) -> [f64; 2] {
    [0, 1].map(|r| pin.iter().map(|(rod, j)| (0..3).map(|c| j[r][c] * v(3 * rod + c)).sum::<f64>()).sum())
}

/// Every pin of the lattice: at each node the first rod is pinned to all others, and one corner to the ground.
fn pins(n: usize) -> (Vec<Pin>, usize) {
    let mut rods: Vec<[(usize, usize); 2]> = Vec::new();
    for i in 0..=n {
        for j in 0..=n {
            if i < n {
                rods.push([(i, j), (i + 1, j)]);
            }
            if j < n {
                rods.push([(i, j), (i, j + 1)]);
            }
        }
    }
    let side = |rod: usize, node: (usize, usize), sign: f64| {
        let [a, b] = rods[rod];
        let d = [node.0 as f64 - 0.5 * (a.0 + b.0) as f64, node.1 as f64 - 0.5 * (a.1 + b.1) as f64];
        (rod, [[sign, 0.0, -sign * d[1]], [0.0, sign, sign * d[0]]])
    };
    let mut pins = Vec::new();
    let mut nodes: Vec<(usize, usize)> = Vec::new();
    rods.iter().flatten().for_each(|e| {
        if !nodes.contains(e) {
            nodes.push(*e)
        }
    });
    for node in nodes {
        let here: Vec<usize> = (0..rods.len()).filter(|&r| rods[r].contains(&node)).collect();
        pins.extend(here[1..].iter().map(|&r| vec![side(here[0], node, 1.0), side(r, node, -1.0)]));
    }
    let corner = rods.iter().position(|r| r.contains(&(0, n))).unwrap();
    pins.push(vec![side(corner, (0, n), 1.0)]);
    (pins, rods.len())
}

/// A spanning tree grown from the ground, sweep after sweep over the pins: tree, loops, and the rods in the order of their discovery with
/// the tree pin that found them.
fn span(pins: Vec<Pin>, rods: usize) -> (Vec<Pin>, Vec<Pin>, Vec<(usize, usize)>) {
    let (mut found, mut used) = (vec![false; rods], vec![false; pins.len()]);
    let (mut tree, mut order) = (Vec::new(), Vec::new());
    let mut again = true;
    while std::mem::take(&mut again) {
        for (k, pin) in pins.iter().enumerate() {
            let new: Vec<usize> = pin.iter().map(|s| s.0).filter(|&r| !found[r]).collect();
            let reached = pin.len() == 1 || new.len() == 1;
            if used[k] || new.len() != 1 || !reached {
                continue;
            }
            (found[new[0]], used[k], again) = (true, true, true);
            order.push((new[0], tree.len()));
            tree.push(pin.clone());
        }
    }
    let loops = pins.into_iter().zip(used).filter(|(_, u)| !u).map(|(p, _)| p).collect();
    (tree, loops, order)
}
