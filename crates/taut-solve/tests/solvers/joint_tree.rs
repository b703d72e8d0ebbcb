//! Elimination in joint coordinates against the block LDL^T of the same matrix, on random trees.

use crate::common::Rng;
use glam::{DMat3, DVec3};
use taut_solve::block::matrix::Pattern;
use taut_solve::block_ldlt::{BlockLdlt, Signs};
use taut_solve::joint_tree::{Breakdown, JointTree, Place};

/// A node with its joint.
struct Node {
    mass: f64,
    inertia: DMat3,
    place: Place,
    s: DVec3,
    sp: DVec3,
    /// Angular rows over the node.
    turns: Vec<DVec3>,
}

/// What the joints of a tree are.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Joints {
    /// Ball joints.
    Balls,
    /// Any number of angular rows.
    Mixed,
}

/// What the root is held by.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Root {
    Free,
    Held,
}

/// A symmetric positive definite inertia of a body of this mass, plus what a stabiliser keeps of a stiffness across an axis.
fn inertia(r: &mut Rng, mass: f64, keep: f64) -> DMat3 {
    let q = DMat3::from_quat(r.quat());
    let size = r.range(0.05, 0.3);
    let d = DVec3::new(r.range(0.1, 1.0), r.range(0.5, 1.0), r.range(0.5, 1.0)) * (mass * size * size);
    let (s, f) = (r.unit(), r.range(0.0, 50.0) * mass);
    let across = DMat3::IDENTITY - DMat3::from_cols(s * s.x, s * s.y, s * s.z);
    q * DMat3::from_diagonal(d) * q.transpose() + across * (keep * f)
}

/// A tree of n nodes. Leaves weigh up to `ratio` times the rest.
fn tree(r: &mut Rng, n: usize, (joints, root): (Joints, Root), keep: f64, ratio: f64) -> Vec<Node> {
    let mut has_child = vec![false; n];
    let mut x = 0;
    (0..n)
        .map(|k| {
            // Mostly the next node, so that there are long branches; sometimes one further on, so that there are forks.
            let parent = (k + 1 < n).then(|| if r.below(3) > 0 { k + 1 } else { k + 1 + r.below((n - k - 1).min(6)) });
            parent.iter().for_each(|&p| has_child[p] = true);
            let rows = match (parent, root) {
                (None, Root::Free) => 0,
                _ if joints == Joints::Balls => 3,
                _ => 3 + r.below(4),
            };
            let mass = r.range(0.1, 1.0) * if has_child[k] { 1.0 } else { ratio.powf(r.range(0.5, 1.0)) };
            let place = Place { parent, x, row: x + 6, rows, sign: if r.below(2) == 0 { 1.0 } else { -1.0 } };
            x += 6 + rows;
            let s = if rows == 0 { DVec3::ZERO } else { r.vec(0.4) };
            // Rows of joints as they are: nearly at right angles, of a length near one.
            let q = r.quat();
            let frame = [q * DVec3::X, q * DVec3::Y, q * DVec3::Z];
            let turns = (3..rows.max(3)).map(|k| (frame[k - 3] + r.vec(0.2)) * r.range(0.5, 1.5)).collect();
            Node { mass, inertia: inertia(r, mass.min(1.0), keep), place, s, sp: r.vec(0.4), turns }
        })
        .collect()
}

fn size(nodes: &[Node]) -> usize {
    nodes.iter().map(|n| 6 + n.place.rows).sum()
}

/// Rows of a joint over one of its sides.
fn jacobian(n: &Node, parent: bool) -> Vec<[f64; 6]> {
    let (sign, turn, s) = if parent { (-n.place.sign, -1.0, n.sp) } else { (n.place.sign, 1.0, n.s) };
    let point = [DVec3::X, DVec3::Y, DVec3::Z].map(|e| {
        let (lin, ang) = (sign * e, sign * s.cross(e));
        [lin.x, lin.y, lin.z, ang.x, ang.y, ang.z]
    });
    let turns = n.turns.iter().map(|a| [0.0, 0.0, 0.0, turn * a.x, turn * a.y, turn * a.z]);
    point.into_iter().chain(turns).collect()
}

/// K x.
fn multiply(nodes: &[Node], x: &[f64]) -> Vec<f64> {
    let mut y = vec![0.0; x.len()];
    for n in nodes {
        let at = n.place.x;
        let w = n.inertia * DVec3::new(x[at + 3], x[at + 4], x[at + 5]);
        for k in 0..3 {
            y[at + k] += n.mass * x[at + k];
            y[at + 3 + k] += w[k];
        }
        if n.place.rows == 0 {
            continue;
        }
        let sides = [(Some(at), false), (n.place.parent.map(|p| nodes[p].place.x), true)];
        for (at, parent) in sides.into_iter().filter_map(|(at, parent)| at.map(|at| (at, parent))) {
            for (r, j) in jacobian(n, parent).iter().enumerate() {
                for c in 0..6 {
                    y[n.place.row + r] += j[c] * x[at + c];
                    y[at + c] += j[c] * x[n.place.row + r];
                }
            }
        }
    }
    y
}

/// The members with their matrices.
fn load(nodes: &[Node]) -> Result<JointTree, Breakdown> {
    let mut t = JointTree::default();
    nodes.iter().for_each(|n| t.push(n.place));
    for (k, n) in nodes.iter().enumerate() {
        let i = n.inertia;
        let packed = [i.x_axis.x, i.y_axis.y, i.z_axis.z, i.x_axis.y, i.y_axis.z, i.x_axis.z];
        t.set(k, n.mass, packed, (n.s, n.sp));
        if !n.turns.is_empty() {
            t.hold(k, &n.turns)?;
        }
    }
    Ok(t)
}

fn by_joints(nodes: &[Node], b: &[f64]) -> Vec<f64> {
    let mut t = load(nodes).unwrap();
    t.factor(0..nodes.len()).unwrap();
    let mut x = b.to_vec();
    t.solve(0..nodes.len(), &mut x);
    x
}

fn by_blocks(nodes: &[Node], b: &[f64], refinements: usize) -> Vec<f64> {
    let (mut dims, mut is_row, mut block) = (Vec::new(), Vec::new(), Vec::new());
    for n in nodes {
        block.push(dims.len());
        dims.push(6);
        is_row.push(false);
        if n.place.rows > 0 {
            dims.push(n.place.rows);
            is_row.push(true);
        }
    }
    let mut couplings = Vec::new();
    for (k, n) in nodes.iter().enumerate().filter(|(_, n)| n.place.rows > 0) {
        couplings.push((block[k], block[k] + 1));
        n.place.parent.iter().for_each(|&p| couplings.push((block[k] + 1, block[p])));
    }
    let p = Pattern::new(dims, &couplings);
    let mut m = BlockLdlt::new(&p);
    for (k, n) in nodes.iter().enumerate() {
        let d = &mut m.diag[p.diag[block[k]]..][..36];
        for c in 0..3 {
            d[7 * c] = n.mass;
            for r in 0..3 {
                d[(3 + r) * 6 + 3 + c] = n.inertia.col(c)[r];
            }
        }
        if n.place.rows == 0 {
            continue;
        }
        // The node is the pivot of its own joint, the joint that of its parent.
        let at = p.coupling(block[k], block[k] + 1).unwrap();
        for (r, j) in jacobian(n, false).iter().enumerate() {
            for c in 0..6 {
                m.off[at + c * n.place.rows + r] = j[c];
            }
        }
        if let Some(parent) = n.place.parent {
            let at = p.coupling(block[k] + 1, block[parent]).unwrap();
            for (r, j) in jacobian(n, true).iter().enumerate() {
                m.off[at + 6 * r..at + 6 * r + 6].copy_from_slice(j);
            }
        }
    }
    m.factor(&p, &Signs { is_row, has_loops: false }, 0..p.blocks()).unwrap();
    let mut x = b.to_vec();
    m.solve(&p, 0..p.blocks(), &mut x);
    for _ in 0..refinements {
        let mut d: Vec<f64> = multiply(nodes, &x).iter().zip(b).map(|(y, b)| b - y).collect();
        m.solve(&p, 0..p.blocks(), &mut d);
        x.iter_mut().zip(&d).for_each(|(x, d)| *x += d);
    }
    x
}

/// Momenta and row velocities of the size they have in a step.
fn right_hand_side(r: &mut Rng, nodes: &[Node]) -> Vec<f64> {
    let mut b = vec![0.0; size(nodes)];
    for n in nodes {
        let (at, rows) = (n.place.x, n.place.row..n.place.row + n.place.rows);
        let (v, w) = (r.vec(1.0) * n.mass, n.inertia * r.vec(1.0));
        b[at..at + 3].copy_from_slice(&v.to_array());
        b[at + 3..at + 6].copy_from_slice(&w.to_array());
        rows.for_each(|q| b[q] = r.range(-1e-2, 1e-2));
    }
    b
}

/// Largest entries over the nodes and over the rows.
fn largest(nodes: &[Node], x: &[f64]) -> [f64; 2] {
    let most = |r: std::ops::Range<usize>| x[r].iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    nodes.iter().fold([0.0, 0.0], |[a, b], n| {
        let (at, row) = (n.place.x, n.place.row);
        [a.max(most(at..at + 6)), if n.place.rows > 0 { b.max(most(row..row + n.place.rows)) } else { b }]
    })
}

/// Momentum left over against the largest impulse, and row velocity left over against the largest velocity.
fn residual(nodes: &[Node], x: &[f64], b: &[f64]) -> f64 {
    let y = multiply(nodes, x);
    let left: Vec<f64> = y.iter().zip(b).map(|(y, b)| b - y).collect();
    let ([momentum, rows], [known, asked], [speed, impulse]) =
        (largest(nodes, &left), largest(nodes, b), largest(nodes, x));
    (momentum / known.max(impulse)).max(rows / speed.max(asked))
}

const SHAPES: [(Joints, Root); 4] = [
    (Joints::Balls, Root::Held),
    (Joints::Balls, Root::Free),
    (Joints::Mixed, Root::Held),
    (Joints::Mixed, Root::Free),
];

/// Every kind of tree with every share of the stiffness, some of each.
fn for_all(ratio: f64, seeds: u64, mut check: impl FnMut(&[Node], &[f64], &str)) {
    for seed in 0..seeds {
        for shape in SHAPES {
            for keep in [0.0, 0.3, 1.0] {
                let r = &mut Rng(seed);
                let n = 1 + r.below(40);
                let nodes = tree(r, n, shape, keep, ratio);
                let b = right_hand_side(r, &nodes);
                check(&nodes, &b, &format!("seed {seed}, {shape:?}, keep {keep}, ratio {ratio:.0e}"));
            }
        }
    }
}

#[test]
fn the_solution_is_that_of_the_blocks() {
    // A tree whose loads weigh more than its links has a condition that grows with them: rounding in the last digit of the matrix alone
    // moves its light nodes by so much.
    for (ratio, bound) in [(1.0, 1e-12), (1e3, 1e-11), (1e6, 1e-8), (1e9, 1e-5)] {
        let mut worst = 0.0_f64;
        for_all(ratio, 50, |nodes, b, what| {
            // The blocks lose digits where loads are heavy, which refinement brings back.
            let (x, y) = (by_joints(nodes, b), by_blocks(nodes, b, 4));
            let apart: Vec<f64> = x.iter().zip(&y).map(|(x, y)| x - y).collect();
            let ([dv, dz], [v, z]) = (largest(nodes, &apart), largest(nodes, &x));
            let relative = (dv / v).max(if dz > 0.0 { dz / z } else { 0.0 });
            assert!(relative < bound, "{what}: {relative:.1e}");
            worst = worst.max(relative);
        });
        println!("ratio {ratio:.0e}: apart {worst:.1e}");
        assert!(worst > 0.0, "they are different sums of the same numbers");
    }
}

#[test]
fn the_residual_is_rounding_at_any_ratio_of_loads() {
    for ratio in [1.0, 1e3, 1e6, 1e9] {
        let mut worst = [0.0_f64; 2];
        for_all(ratio, 50, |nodes, b, what| {
            let left = residual(nodes, &by_joints(nodes, b), b);
            assert!(left < 2e-14, "{what}: {left:.1e}");
            worst[0] = worst[0].max(left);
            worst[1] = worst[1].max(residual(nodes, &by_blocks(nodes, b, 0), b));
        });
        println!("ratio {ratio:.0e}: residual {:.1e}, of the blocks {:.1e}", worst[0], worst[1]);
        assert!(worst[0] < worst[1], "ratio {ratio:.0e}: {worst:?}");
    }
}

#[test]
fn a_mass_that_is_not_positive_is_named() {
    for shape in SHAPES {
        for bad in [0, 3, 7] {
            let mut nodes = tree(&mut Rng(5), 8, shape, 0.0, 1.0);
            // Nothing that hangs on it makes up for this.
            (nodes[bad].mass, nodes[bad].inertia) = (-1e3, DMat3::from_diagonal(DVec3::splat(-1e3)));
            let found = load(&nodes).unwrap().factor(0..8).unwrap_err();
            assert_eq!((found.member, found.row), (bad, None), "{shape:?}");
            assert!(found.pivot < 0.0, "{found:?}");
        }
        let mut nodes = tree(&mut Rng(5), 8, shape, 0.0, 1.0);
        nodes[2].inertia.x_axis.x = f64::NAN;
        assert_eq!(load(&nodes).unwrap().factor(0..8).unwrap_err().member, 2, "{shape:?}");
    }
}

#[test]
fn angular_rows_that_depend_on_each_other_are_named() {
    let one = |turns: Vec<DVec3>| {
        let place = Place { parent: None, x: 0, row: 6, rows: 3 + turns.len(), sign: 1.0 };
        let (s, sp) = (DVec3::X, DVec3::ZERO);
        load(&[Node { mass: 1.0, inertia: DMat3::IDENTITY, place, s, sp, turns }]).map_err(|b| (b.member, b.row))
    };
    assert_eq!(one(vec![DVec3::ZERO]).unwrap_err(), (0, Some(3)));
    assert_eq!(one(vec![DVec3::X, 2.0 * DVec3::X]).unwrap_err(), (0, Some(4)));
    assert_eq!(one(vec![DVec3::X, DVec3::Y, DVec3::new(1.0, 3.0, 1e-9)]).unwrap_err(), (0, Some(5)));
    assert!(one(vec![DVec3::X, DVec3::Y, DVec3::new(1.0, 3.0, 1e-3)]).is_ok());
}

#[test]
fn trees_beside_each_other_do_not_see_each_other() {
    let r = &mut Rng(11);
    let mut trees: Vec<Vec<Node>> = (0..6).map(|k| tree(r, 5 + k, SHAPES[k % 4], 0.3, 1e3)).collect();
    let alone: Vec<(Vec<f64>, Vec<f64>)> = trees
        .iter()
        .map(|t| {
            let b = right_hand_side(r, t);
            let x = by_joints(t, &b);
            (b, x)
        })
        .collect();
    let (mut all, mut b, mut x, mut ranges) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (t, (own, solved)) in trees.iter_mut().zip(&alone) {
        let (first, at) = (all.len(), b.len());
        for n in t.iter_mut() {
            n.place = Place {
                parent: n.place.parent.map(|p| p + first),
                x: n.place.x + at,
                row: n.place.row + at,
                ..n.place
            };
        }
        all.append(t);
        b.extend(own);
        x.extend(solved);
        ranges.push(first..all.len());
    }
    let mut t = load(&all).unwrap();
    // In any order.
    ranges.iter().rev().for_each(|range| t.factor(range.clone()).unwrap());
    ranges.iter().for_each(|range| t.solve(range.clone(), &mut b));
    assert_eq!(b, x);
}
