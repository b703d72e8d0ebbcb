//! Mechanisms with many loops: the order of elimination keeps its rule on any graph, and panels, blocks and dense LU agree.

use crate::common::{Plan, Rng, world};
use std::ops::Range;
use taut::{
    Ball, Body, BodyId, Distance, JointId, MassProperties, Options, Pose, Softness, Solver, Spring, Universal, Vec3,
    World,
};
use taut_solve::block::matrix::Pattern;
use taut_solve::block_ldlt::{BlockLdlt, Signs};
use taut_solve::ordering::{Coupling, Order, Vertex, order};
use taut_solve::supernodal::Supernodal;

/// Sets that grow together.
struct Sets(Vec<usize>);

impl Sets {
    fn find(&mut self, mut x: usize) -> usize {
        while self.0[x] != x {
            self.0[x] = self.0[self.0[x]];
            x = self.0[x];
        }
        x
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a] = b;
    }
}

/// A graph of some pieces: trees, rings, nets, and anything between, with joints to the ground, parallel joints and springs.
fn graph(r: &mut Rng, springs: bool) -> (usize, Vec<Coupling>) {
    let (mut nodes, mut out) = (0, Vec::new());
    for _ in 0..1 + r.below(4) {
        let n = 1 + r.below(40);
        let node = |k: usize| Some(nodes + k);
        let mut add = |r: &mut Rng, a, b| out.push(Coupling { a, b, rows: !springs || r.below(4) > 0 });
        let near = 1 + r.below(n);
        for k in 1..n {
            let back = 1 + r.below(near.min(k));
            add(r, node(k), node(k - back));
        }
        for _ in 0..r.below(2 * n) {
            let (a, b) = (r.below(n), r.below(n));
            if a != b {
                add(r, node(a), node(b));
            }
        }
        for _ in 0..r.below(4) * r.below(4) {
            let a = node(r.below(n));
            if r.below(2) == 0 { add(r, a, None) } else { add(r, None, a) }
        }
        nodes += n;
    }
    // The order of the joints must not matter for the rule.
    for k in (1..out.len()).rev() {
        out.swap(k, r.below(k + 1));
    }
    (nodes, out)
}

/// Every node and joint once; a tree joint after one of its ends; a loop joint when its ends have grown together over tree
/// joints (or springs) that are gone: all nodes of its cycle but one are gone then.
fn check(nodes: usize, couplings: &[Coupling], o: &Order, what: &str) {
    let ground = nodes;
    // A spring may or may not be a branch of the tree: with springs the test is weaker.
    let springs = couplings.iter().any(|c| !c.rows);
    let end = |x: Option<usize>| x.unwrap_or(ground);
    let mut gone = vec![false; nodes + 1];
    gone[ground] = true;
    let mut seen = vec![false; couplings.len()];
    let mut sets = Sets((0..=nodes).collect());
    for v in &o.sequence {
        match *v {
            Vertex::Node(x) => {
                assert!(!gone[x], "{what}: node {x} twice");
                gone[x] = true;
                for c in couplings.iter().filter(|c| !c.rows && (c.a == Some(x) || c.b == Some(x))) {
                    if c.a.is_some() && c.b.is_some() {
                        sets.join(end(c.a), end(c.b));
                    }
                }
            }
            Vertex::Rows(k) => {
                let (a, b) = (end(couplings[k].a), end(couplings[k].b));
                assert!(couplings[k].rows && !seen[k], "{what}: coupling {k}");
                seen[k] = true;
                if o.closes_loop[k] {
                    assert_eq!(sets.find(a), sets.find(b), "{what}: loop joint {k} before its cycle");
                } else {
                    let child = |x: usize| x != ground && gone[x];
                    assert!(child(a) || child(b), "{what}: tree joint {k} before its nodes");
                    if !springs {
                        assert_ne!(sets.find(a), sets.find(b), "{what}: tree joint {k} closes a loop");
                    }
                    sets.join(a, b);
                }
            }
        }
    }
    assert!(gone.iter().all(|&g| g), "{what}: nodes left over");
    assert!(couplings.iter().zip(&seen).all(|(c, &s)| c.rows == s), "{what}: joints left over");
}

/// Islands are the pieces that hang together without the ground.
fn check_islands(nodes: usize, couplings: &[Coupling], o: &Order, what: &str) {
    let mut sets = Sets((0..nodes).collect());
    for c in couplings {
        if let (Some(a), Some(b)) = (c.a, c.b) {
            sets.join(a, b);
        }
    }
    let pieces = (0..nodes).filter(|&x| sets.find(x) == x).count();
    assert_eq!(o.islands.len(), pieces + 1, "{what}");
    for w in o.islands.windows(2) {
        let mut owner = None;
        for v in &o.sequence[w[0]..w[1]] {
            let x = match *v {
                Vertex::Node(x) => x,
                Vertex::Rows(k) => couplings[k].a.or(couplings[k].b).unwrap(),
            };
            let mine = sets.find(x);
            assert_eq!(*owner.get_or_insert(mine), mine, "{what}: two pieces in one island");
        }
    }
}

#[test]
fn loop_joints_wait_for_their_cycle_in_any_graph() {
    for seed in 0..400 {
        let mut r = Rng(seed);
        let springs = seed % 2 == 1;
        let (nodes, couplings) = graph(&mut r, springs);
        let what = format!("seed {seed}");
        let o = order(nodes, &couplings);
        check(nodes, &couplings, &o, &what);
        check_islands(nodes, &couplings, &o, &what);
        assert_eq!(order(nodes, &couplings).sequence, o.sequence, "{what}");
    }
}

/// The matrix of a graph of joints of one row each without compliance, on nodes of 3 or 6 and masses from 1 to 1000 kg.
struct Matrix {
    pattern: Pattern,
    signs: Signs,
    values: BlockLdlt,
    islands: Vec<Range<usize>>,
}

impl Matrix {
    /// `redundant`: joints beside each other have the same row.
    fn random(r: &mut Rng, redundant: bool) -> Self {
        let (nodes, couplings) = graph(r, false);
        let o = order(nodes, &couplings);
        let (mut at_node, mut at_row) = (vec![0; nodes], vec![0; couplings.len()]);
        for (k, v) in o.sequence.iter().enumerate() {
            match *v {
                Vertex::Node(x) => at_node[x] = k,
                Vertex::Rows(x) => at_row[x] = k,
            }
        }
        let dim = |v: &Vertex| if let Vertex::Node(x) = *v { 3 + 3 * (x % 2) } else { 1 };
        let mut pairs = Vec::new();
        for (k, c) in couplings.iter().enumerate() {
            pairs.extend([c.a, c.b].into_iter().flatten().map(|x| (at_node[x], at_row[k])));
        }
        let pattern = Pattern::new(o.sequence.iter().map(dim).collect(), &pairs);
        let is_row = o.sequence.iter().map(|v| matches!(v, Vertex::Rows(_))).collect();
        let mut m = Matrix {
            values: BlockLdlt::new(&pattern),
            signs: Signs { is_row, has_loops: true },
            islands: o.islands.windows(2).map(|w| w[0]..w[1]).collect(),
            pattern,
        };
        let p = &m.pattern;
        let mass: Vec<f64> = (0..nodes).map(|_| [1.0, 10.0, 100.0, 1000.0][r.below(4)]).collect();
        for (x, &b) in at_node.iter().enumerate() {
            let d = p.dims[b];
            (0..d).for_each(|c| m.values.diag[p.diag[b] + c * d + c] = mass[x]);
        }
        let mut rows: Vec<Vec<f64>> = Vec::new();
        for (k, c) in couplings.iter().enumerate() {
            let twin = couplings[..k].iter().position(|t| redundant && (t.a, t.b) == (c.a, c.b));
            rows.push(twin.map_or_else(|| (0..12).map(|_| r.range(-1.0, 1.0)).collect(), |t| rows[t].clone()));
            let mut mobility = 0.0;
            for (side, x) in [(0, c.a), (6, c.b)].into_iter().filter_map(|(s, x)| Some((s, x?))) {
                let (b, q) = (at_node[x], at_row[k]);
                let (at, d) = (p.coupling(b.min(q), b.max(q)).unwrap(), p.dims[b]);
                let j = &rows[k][side..side + d];
                m.values.off[at..at + d].copy_from_slice(j);
                mobility += j.iter().map(|j| j * j / mass[x]).sum::<f64>();
            }
            if o.closes_loop[k] {
                m.values.reference[p.row[at_row[k]]] = mobility;
            }
        }
        m
    }

    /// K x, by the blocks of the lower triangle.
    fn multiply(&self, x: &[f64]) -> Vec<f64> {
        let p = &self.pattern;
        let mut y = vec![0.0; x.len()];
        for k in 0..p.blocks() {
            let d = p.dims[k];
            for i in 0..d {
                for j in 0..d {
                    y[p.row[k] + i] += self.values.diag[p.diag[k] + i * d + j] * x[p.row[k] + j];
                }
                for &(a, at) in p.of(k) {
                    for j in 0..p.dims[a] {
                        let v = self.values.off[at + i * p.dims[a] + j];
                        y[p.row[k] + i] += v * x[p.row[a] + j];
                        y[p.row[a] + j] += v * x[p.row[k] + i];
                    }
                }
            }
        }
        y
    }
}

/// Some islands by panels and some by blocks, in one matrix: the answer of the blocks alone, and the same rows dropped.
#[test]
fn panels_and_blocks_side_by_side_find_the_same_forces() {
    let (mut dropped, mut islands) = (0, 0);
    for seed in 0..200 {
        let mut r = Rng(40_000 + seed);
        let m = Matrix::random(&mut r, seed % 2 == 1);
        let chosen: Vec<Range<usize>> = m.islands.iter().filter(|_| r.below(3) > 0).cloned().collect();
        // A right-hand side that can be met, whatever is redundant.
        let solution: Vec<f64> = (0..m.pattern.size()).map(|_| r.range(-1.0, 1.0)).collect();
        let b = m.multiply(&solution);
        let (mut blocks, mut mixed) = (m.values.clone(), m.values.clone());
        let mut panels = Supernodal::new(&m.pattern, &chosen);
        let (mut x, mut y) = (b.clone(), b.clone());
        for island in &m.islands {
            let p = blocks.factor(&m.pattern, &m.signs, island.clone()).unwrap();
            blocks.solve(&m.pattern, island.clone(), &mut x);
            let by_panels = chosen.contains(island);
            let q = if by_panels {
                panels.factor(&m.pattern, &m.signs, island.start, &mut mixed).unwrap()
            } else {
                mixed.factor(&m.pattern, &m.signs, island.clone()).unwrap()
            };
            if by_panels {
                panels.solve(island.start, &mut y);
            } else {
                mixed.solve(&m.pattern, island.clone(), &mut y);
            }
            assert_eq!(p.dropped, q.dropped, "seed {seed}");
            dropped += p.dropped;
            islands += 1;
        }
        assert_eq!(blocks.dropped, mixed.dropped, "seed {seed}");
        let scale = x.iter().fold(1.0, |m: f64, v| m.max(v.abs()));
        for k in 0..x.len() {
            assert!((x[k] - y[k]).abs() < 1e-6 * scale, "seed {seed}: unknown {k}: {} against {}", x[k], y[k]);
        }
        for (k, (v, b)) in m.multiply(&y).iter().zip(&b).enumerate() {
            // Some of the rows that are left are nearly redundant; a wrong factor is off by all of it.
            assert!((v - b).abs() < 1e-3 * scale, "seed {seed}: residual {:e} in row {k}", v - b);
        }
    }
    assert!(dropped > 100 && islands > 300, "{dropped} rows dropped in {islands} islands");
}

/// A net on a random tree: rods, soft balls and springs between its bodies and particles close many loops.
fn net(w: &mut World, seed: u64, n: usize, loops: usize) {
    let mut r = Rng(seed);
    let at = Pose { pos: r.vec(20.0), rot: r.quat() };
    let mut ids = Plan::tree(seed, n, 10.0).build(w, &at, 0..n);
    let place = |w: &World, b: BodyId| w[b].pos;
    for k in 0..n / 2 {
        let next = place(w, ids[k]) + r.unit();
        let b = w.add(Body::particle(r.range(0.5, 50.0)).at(next).moving(r.vec(1.0), Vec3::ZERO)).unwrap();
        rod(w, b, ids[k]);
        ids.push(b);
    }
    let particle = |b: BodyId| ids.iter().position(|&x| x == b).unwrap() >= n;
    for _ in 0..loops {
        let a = r.below(ids.len());
        let (a, b) = (ids[a], ids[(a + 1 + r.below(ids.len() - 1)) % ids.len()]);
        let soft = Softness { compliance: 1e-5, damping: 3.0 };
        let middle = 0.5 * (place(w, a) + place(w, b));
        match r.below(4) {
            0 if !particle(a) && !particle(b) => {
                w.add(Ball::between(a, b).at(middle).linear(soft)).unwrap();
            }
            1 if !particle(a) && !particle(b) => {
                w.add(Universal::between(a, b).at(middle).axis(Vec3::Y).linear(soft).angular(soft)).unwrap();
            }
            2 => {
                w.add(Spring::between(a, b).stiffness(500.0).damping(2.0).rest_length(0.5)).unwrap();
            }
            _ => rod(w, a, b),
        }
    }
}

/// A rod between the centres of two bodies with the length it has.
fn rod(w: &mut World, a: BodyId, b: BodyId) {
    w.add(Distance::between(a, b).linear(Softness::compliance(1e-9))).unwrap();
}

/// Islands with many loops beside islands with few.
#[test]
fn nets_move_the_same_by_dense_lu() {
    for seed in 0..6 {
        let build = |solver| {
            let mut w = world(Options { solver, ..Options::default() });
            net(&mut w, 10 * seed, 16, 50);
            net(&mut w, 10 * seed + 1, 4, 1);
            net(&mut w, 10 * seed + 2, 12, 40);
            w
        };
        let (mut a, mut b) = (build(Solver::BlockLdlt), build(Solver::DenseLu));
        for step in 0..4 {
            let (p, q) = (a.step(0.01), b.step(0.01));
            assert!(p.is_ok() && q.is_ok(), "seed {seed} step {step}: {p:?} {q:?}");
            let (mut off, mut scale) = (0.0_f64, 0.0_f64);
            for (x, y) in a.bodies().zip(b.bodies()) {
                off = off.max((x.velocity() - y.velocity()).length());
                off = off.max((x.angular_velocity() - y.angular_velocity()).length());
                scale = scale.max(x.velocity().length()).max(x.angular_velocity().length());
            }
            assert!(off < 1e-6 * scale, "seed {seed} step {step}: velocities differ by {off:e} of {scale:e}");
        }
    }
}

/// The largest gap of a hanging net of n by n particles that is pushed and swings for some steps of 0.01 s, and its largest rise of energy, in
/// parts of a link and of what it can turn over.
fn swing(n: usize, steps: usize) -> (f64, f64) {
    let link = 0.05;
    let mut w = World::new();
    let place = |r: usize, c: usize| link * Vec3::new(c as f64, -(r as f64), 0.0);
    let mut made: Vec<BodyId> = Vec::new();
    for k in 0..n * n {
        let (r, c) = (k / n, k % n);
        let push = Vec3::Z * (r as f64 / n as f64);
        let body = if r == 0 { Body::fixed() } else { Body::particle(0.01).moving(push, Vec3::ZERO) };
        made.push(w.add(body.at(place(r, c))).unwrap());
        for other in [(c > 0 && r > 0).then(|| k - 1), (r > 0).then(|| k - n)].into_iter().flatten() {
            let rod = Distance::between(made[k], made[other]).length(link);
            w.add(rod.ends(place(r, c), place(other / n, other % n))).unwrap();
        }
    }
    let start = w.energy().unwrap().total();
    let scale = 0.01 * (n * n) as f64 * 9.81 * link * n as f64;
    let (mut gap, mut rise) = (0.0_f64, f64::NEG_INFINITY);
    for _ in 0..steps {
        let report = w.step(0.01).unwrap();
        gap = gap.max(report.max_gap);
        rise = rise.max(report.energy.total() - start);
    }
    println!(
        "{n} by {n}: largest gap {:.1e} of a link, energy at most {:.1e} above its start",
        gap / link,
        rise / scale
    );
    (gap / link, rise / scale)
}

/// A flat net of balls of 1 kg that hangs from its first row, turned about the vertical.
fn flat(rows: usize, columns: usize, turned: f64) -> (World, Vec<JointId>) {
    let (mut w, mut joints) = (World::new(), Vec::new());
    let across = Vec3::new(turned.cos(), 0.0, turned.sin());
    let mass = MassProperties::from_diagonal(1.0, Vec3::splat(0.06)).unwrap();
    let mut made: Vec<BodyId> = Vec::new();
    for k in 0..rows * columns {
        let (r, c) = (k / columns, k % columns);
        let at = c as f64 * across - r as f64 * Vec3::Y;
        let body = if r == 0 { Body::fixed() } else { Body::dynamic(mass) };
        made.push(w.add(body.at(at)).unwrap());
        if r > 0 {
            joints.push(w.add(Ball::between(made[k], made[k - columns]).at(at + 0.5 * Vec3::Y)).unwrap());
        }
        if r > 0 && c > 0 {
            joints.push(w.add(Ball::between(made[k], made[k - 1]).at(at - 0.5 * across)).unwrap());
        }
    }
    (w, joints)
}

#[test]
fn a_flat_net_shares_the_smallest_forces_whichever_way_it_faces() {
    let (rows, columns) = (10, 9);
    let mut forces = Vec::new();
    for turned in [0.0, 0.7] {
        let (mut w, joints) = flat(rows, columns, turned);
        for step in 0..30 {
            let report = w.step(0.01).unwrap();
            // The first step looks for the load.
            assert!(report.factorisations == 1 || step == 0, "{step}: {}", report.factorisations);
            assert!(report.dropped_rows == 0 && report.max_gap < 1e-7, "{step}: {}", report.max_gap);
        }
        let sizes = joints.iter().map(|&j| w.joint(j).unwrap().lambda().iter().map(|l| l * l).sum::<f64>().sqrt());
        forces.push(sizes.collect::<Vec<f64>>());
    }
    // A column carries its own weight, whatever could be traded among the joints of a cell.
    let weight = 9.81 * (rows - 1) as f64;
    let largest = forces[0].iter().copied().fold(0.0, f64::max);
    assert!((largest - weight).abs() < 0.01 * weight, "{largest} {weight}");
    for (a, b) in forces[0].iter().zip(&forces[1]) {
        assert!((a - b).abs() < 1e-6 * weight, "{a} {b}");
    }
}

/// One with the order of its forest, and one that is large enough to be dissected by coordinates.
#[test]
fn nets_of_rods_hold_their_lengths_in_either_order_for_ten_seconds_where_large() {
    for (n, steps) in [(24, 200), (26, 1000)] {
        let (gap, rise) = swing(n, steps);
        assert!(gap < 0.01 && rise < 0.01, "{n}: {gap} {rise}");
    }
}
