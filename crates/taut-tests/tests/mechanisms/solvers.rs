//! The solvers against each other, on redundant systems, and the block factorisation on matrices of its own.

use crate::common::{Plan, Rng, chain, four_bar, rod, world};
use taut::{
    Ball, Body, BodyId, Distance, Error, Hinge, JointId, MouseSpring, Options, Pose, Softness, Solver, Spring,
    Stabiliser, Vec3, Weld, World, settings::Budget, settings::InertialDamping,
};
use taut_solve::block::matrix::Pattern;
use taut_solve::block_ldlt::{BlockLdlt, Signs};
use taut_solve::dense::DenseLu;
use taut_solve::ordering::{Coupling, Vertex, order};
use taut_solve::supernodal::Supernodal;

/// A tree with rods and soft joints that close loops, particles on rods, springs in both forms and a mouse spring.
fn mixed(options: Options, seed: u64) -> World {
    let mut w = world(options);
    let n = 6;
    let ids = Plan::tree(seed, n, 10.0).build(&mut w, &Pose::IDENTITY, 0..n);
    let mut r = Rng(seed + 7000);
    let two = |r: &mut Rng| {
        let a = r.below(n);
        (ids[a], ids[(a + 1 + r.below(n - 1)) % n])
    };
    let (i, j) = two(&mut r);
    let soft = Softness { compliance: 1e-5, damping: 3.0 };
    w.add(Ball::between(i, j).at(w[i].pos + r.vec(0.3)).linear(soft)).unwrap();
    // A string of particles from a body back to the ground.
    let mut last = ids[n - 1];
    for _ in 0..3 {
        let next = w[last].pos + r.unit();
        let b = w.add(Body::particle(r.range(0.5, 2.0)).at(next).moving(r.vec(1.0), Vec3::ZERO)).unwrap();
        w.add(Distance::between(b, last).length(1.0)).unwrap();
        last = b;
    }
    let ground = w.ground();
    let (a, b) = two(&mut r);
    for (i, j) in [(a, b), (a, ground), (last, ground), (a, last), (b, ground)] {
        let mut point = |b: BodyId| if b == last { Vec3::ZERO } else { r.vec(0.3) };
        let (point_i, point_j) = (point(i), point(j));
        w.add(Spring { i, j, point_i, point_j, stiffness: 500.0, damping: 2.0, rest_length: 0.5 }).unwrap();
    }
    w.add(MouseSpring::new(b, r.vec(0.3), r.vec(2.0))).unwrap();
    w
}

/// Largest difference of velocities after some steps, relative to the largest speed.
fn velocity_difference(a: &World, b: &World) -> f64 {
    let (mut off, mut scale) = (0.0_f64, 0.0_f64);
    for (x, y) in a.bodies().zip(b.bodies()) {
        for (p, q) in [(x.velocity(), y.velocity()), (x.angular_velocity(), y.angular_velocity())] {
            off = off.max((p - q).length());
            scale = scale.max(p.length());
        }
    }
    off / scale
}

/// Steps the same scene with two settings and compares.
fn compare(a: Options, b: Options, steps: usize, what: &str) {
    for seed in 0..8 {
        let (mut x, mut y) = (mixed(a, seed), mixed(b, seed));
        for step in 0..steps {
            let (p, q) = (x.step(0.01), y.step(0.01));
            assert!(p.is_ok() && q.is_ok(), "{what} seed {seed} step {step}: {p:?} {q:?}");
            let off = velocity_difference(&x, &y);
            assert!(off < 1e-8, "{what} seed {seed} step {step}: velocities differ by {off:e}");
        }
    }
}

fn options(stabiliser: Stabiliser, solver: Solver) -> Options {
    Options { stabiliser, solver, minres_tolerance: 1e-12, ..Options::default() }
}

#[test]
fn all_solvers_find_the_same_velocities() {
    for stabiliser in [
        Stabiliser::None,
        Stabiliser::Aligned,
        Stabiliser::Inertial(InertialDamping::default()),
        Stabiliser::ConstraintSpace { alpha: 1.0 },
    ] {
        let structured = Solver::Structured(Budget { tolerance: 1e-13, ..Budget::default() });
        for solver in [Solver::DenseLu, Solver::DenseCholesky, Solver::Minres, structured] {
            let what = format!("{} with {}", stabiliser.name(), solver.name());
            compare(options(stabiliser, Solver::BlockLdlt), options(stabiliser, solver), 2, &what);
        }
    }
}

#[test]
fn symmetric_geometric_stiffness_is_solved_alike_by_lu_and_minres() {
    let s = Stabiliser::Symmetric;
    compare(options(s, Solver::DenseLu), options(s, Solver::Minres), 2, "symmetric");
}

#[test]
fn low_rank_inverse_gives_the_same_step_as_the_full_matrix() {
    let (a, b) = (options(Stabiliser::Full, Solver::DenseLu), options(Stabiliser::LowRank, Solver::DenseLu));
    for seed in 0..8 {
        let [mut x, mut y] = [a, b].map(|o| {
            let mut w = world(o);
            Plan::tree(seed, 6, 10.0).build(&mut w, &Pose::IDENTITY, 0..6);
            w
        });
        for step in 0..5 {
            x.step(0.01).unwrap();
            y.step(0.01).unwrap();
            let off = velocity_difference(&x, &y);
            assert!(off < 1e-8, "tree seed {seed} step {step}: velocities differ by {off:e}");
        }
    }
    compare(a, b, 2, "full and low rank");
}

#[test]
fn stabilisers_are_refused_with_solvers_that_cannot_take_their_matrix() {
    let mut w = World::new();
    let before = *w.options();
    let all = [Solver::Auto, Solver::BlockLdlt, Solver::DenseLu, Solver::DenseCholesky, Solver::Minres];
    for (stabiliser, good) in [
        (Stabiliser::Full, vec![Solver::Auto, Solver::DenseLu]),
        (Stabiliser::LowRank, vec![Solver::Auto, Solver::DenseLu]),
        (Stabiliser::Symmetric, vec![Solver::Auto, Solver::DenseLu, Solver::Minres]),
        (Stabiliser::None, all.to_vec()),
        (Stabiliser::Aligned, all.to_vec()),
        (Stabiliser::Inertial(InertialDamping::default()), all.to_vec()),
        (Stabiliser::ConstraintSpace { alpha: 1.0 }, all.to_vec()),
    ] {
        for solver in all {
            let done = w.set_options(options(stabiliser, solver));
            if good.contains(&solver) {
                assert_eq!(done, Ok(()));
                w.set_options(before).unwrap();
                continue;
            }
            let error = done.unwrap_err();
            let text = error.to_string();
            assert!(matches!(error, Error::Pairing { .. }), "{error:?}");
            for word in [stabiliser.name(), solver.name(), "expected dense-lu"] {
                assert!(text.contains(word), "'{text}' does not say '{word}'");
            }
            assert_eq!(*w.options(), before);
        }
    }
}

/// A door on two hinges with one axis.
fn door(w: &mut World) -> Vec<JointId> {
    let door = w.add(Body::dynamic(rod(20.0, 1.0, 0.1)).at(Vec3::new(0.5, 0.0, 0.0))).unwrap();
    [0.8, -0.8]
        .map(|y| w.add(Hinge::between(door, w.ground()).at(Vec3::new(0.0, y, 0.0)).axis(Vec3::Y)).unwrap())
        .to_vec()
}

/// Three bodies welded to each other in a triangle, one of them hung from the ground.
fn triangle(w: &mut World) -> Vec<JointId> {
    let corners = [Vec3::ZERO, Vec3::new(1.0, 0.2, 0.0), Vec3::new(0.3, -0.8, 0.4)];
    let ids = [0, 1, 2].map(|k| {
        let middle = 0.5 * (corners[k] + corners[(k + 1) % 3]);
        w.add(Body::dynamic(rod(2.0, 1.0, 0.1)).at(middle)).unwrap()
    });
    let mut joints = vec![w.add(Ball::between(ids[0], w.ground()).at(Vec3::ZERO)).unwrap()];
    for k in 0..3 {
        joints.push(w.add(Weld::between(ids[(k + 1) % 3], ids[k]).at(corners[(k + 1) % 3])).unwrap());
    }
    joints
}

/// Two rails and three rungs on hinges, all axes along z: two cells that close in a plane.
fn ladder(w: &mut World) -> Vec<JointId> {
    let bar = |w: &mut World, from: Vec3, to: Vec3| {
        let turn = taut::Quat::from_rotation_arc(Vec3::X, (to - from).normalize());
        w.add(Body::dynamic(rod(1.0, (to - from).length(), 0.05)).at(0.5 * (from + to)).rotated(turn)).unwrap()
    };
    let left: Vec<BodyId> = (0..2).map(|k| bar(w, -Vec3::Y * f64::from(k), -Vec3::Y * f64::from(k + 1))).collect();
    let x = Vec3::X;
    let right: Vec<BodyId> =
        (0..2).map(|k| bar(w, x - Vec3::Y * f64::from(k), x - Vec3::Y * f64::from(k + 1))).collect();
    let ground = w.ground();
    let mut pins = vec![(left[0], ground, Vec3::ZERO), (right[0], ground, x)];
    for k in 0..2 {
        let y = -Vec3::Y * (k + 1) as f64;
        let rung = bar(w, y, x + y);
        pins.extend([(rung, left[k], y), (rung, right[k], x + y)]);
        if k == 0 {
            pins.extend([(left[1], left[0], y), (right[1], right[0], x + y)]);
        }
    }
    pins.into_iter().map(|(i, j, at)| w.add(Hinge::between(i, j).at(at).axis(Vec3::Z)).unwrap()).collect()
}

/// Builds a mechanism and returns its joints.
type Build = fn(&mut World) -> Vec<JointId>;

/// Mechanisms with more rows than motions to stop: name, number of redundant rows, how it is built.
const REDUNDANT: [(&str, usize, Build); 4] = [
    ("four-bar", 3, |w| four_bar(w, 1.0).joints.to_vec()),
    ("door", 5, door),
    ("triangle of welds", 6, triangle),
    ("ladder", 6, ladder),
];

#[test]
fn redundant_rows_are_dropped_and_reported_by_the_block_factorisation() {
    for (name, rows, build) in REDUNDANT {
        let gravity = Vec3::new(2.0, -9.0, 3.0);
        let mut w = world(Options { gravity, ..options(Stabiliser::Aligned, Solver::BlockLdlt) });
        let joints = build(&mut w);
        let done = w.step(0.01).unwrap();
        assert_eq!(done.dropped_rows, rows, "{name}");
        assert!(done.smallest_pivot < 1e-11, "{name}: {:e}", done.smallest_pivot);
        assert!(!done.is_tree, "{name}");
        w.step(0.01).unwrap();
        let marked = joints.iter().filter(|&&j| w.joint(j).unwrap().is_redundant()).count();
        assert!(marked > 0, "{name}");
        for step in 0..200 {
            let done = w.step(0.01).unwrap();
            assert_eq!(done.redundant_joints, marked, "{name}");
            assert!(done.max_gap < 1e-3 && done.max_angle < 1e-3, "{name} step {step}: {done:?}");
            assert!(done.residual < 1e-9, "{name} step {step}: residual {:e}", done.residual);
        }
    }
}

#[test]
fn redundant_rows_are_refused_by_the_dense_solvers_with_the_name_of_a_joint() {
    for (name, _, build) in REDUNDANT {
        for solver in [Solver::DenseLu, Solver::DenseCholesky] {
            let mut w = world(options(Stabiliser::None, solver));
            build(&mut w);
            let before = w.state().clone();
            let done = w.step(0.01);
            let Err(Error::Step { time, culprit, reason }) = &done else {
                panic!("{name} with {}: {done:?}", solver.name())
            };
            assert_eq!(*time, 0.0);
            assert!(culprit.contains("joint #"), "{name} with {}: blames {culprit}: {reason}", solver.name());
            assert_eq!(*w.state(), before, "{name} with {}", solver.name());
        }
    }
}

#[test]
fn the_residual_of_a_mechanism_at_rest_is_rounding() {
    let mut hanging = world(Options::default());
    chain(&mut hanging, 5, -Vec3::Y, 100.0, Ball::between);
    let mut closed = world(Options::default());
    door(&mut closed);
    for (name, mut w) in [("hanging chain", hanging), ("closed door", closed)] {
        for step in 0..20 {
            let done = w.step(0.01).unwrap();
            assert!(done.residual < 1e-9, "{name} step {step}: {:e}", done.residual);
            assert_eq!(done.refinements, 0, "{name} step {step}");
        }
    }
}

/// A symmetric quasi-definite block matrix with a random pattern: positive definite node blocks, negative definite row blocks.
struct System {
    pattern: Pattern,
    signs: Signs,
    values: BlockLdlt,
    dense: Vec<f64>,
}

impl System {
    fn random(r: &mut Rng, blocks: usize, largest: usize) -> Self {
        let dims: Vec<usize> = (0..blocks).map(|_| 1 + r.below(largest)).collect();
        let is_row: Vec<bool> = (0..blocks).map(|_| r.below(2) == 1).collect();
        let couplings: Vec<(usize, usize)> =
            (0..2 * blocks).map(|_| (r.below(blocks), r.below(blocks))).filter(|(a, b)| a != b).collect();
        let pattern = Pattern::new(dims, &couplings);
        let n = pattern.size();
        let mut s = System {
            values: BlockLdlt::new(&pattern),
            signs: Signs { is_row, has_loops: r.below(2) == 1 },
            dense: vec![0.0; n * n],
            pattern,
        };
        for k in 0..blocks {
            s.diagonal(r, k);
        }
        for &(a, b) in &couplings {
            s.couple(r, a.min(b), a.max(b));
        }
        s
    }

    /// B B^T + 3 I, or its negative for rows.
    fn diagonal(&mut self, r: &mut Rng, k: usize) {
        let (d, at, row, n) = (self.pattern.dims[k], self.pattern.diag[k], self.pattern.row[k], self.pattern.size());
        let b: Vec<f64> = (0..d * d).map(|_| r.range(-1.0, 1.0)).collect();
        let sign = if self.signs.is_row[k] { -1.0 } else { 1.0 };
        for p in 0..d {
            for q in 0..d {
                let dot: f64 = (0..d).map(|c| b[p * d + c] * b[q * d + c]).sum();
                let value = sign * (dot + if p == q { 3.0 } else { 0.0 });
                self.values.diag[at + p * d + q] = value;
                self.dense[(row + p) * n + row + q] = value;
            }
        }
    }

    /// x solves the system for b, and is y.
    #[track_caller]
    fn assert_solution(&self, b: &[f64], x: &[f64], y: &[f64], tolerance: f64, seed: u64) {
        let n = self.pattern.size();
        for k in 0..n {
            let ax: f64 = (0..n).map(|c| self.dense[k * n + c] * x[c]).sum();
            assert!((ax - b[k]).abs() < tolerance, "seed {seed}: residual {:e} in row {k}", ax - b[k]);
            assert!((x[k] - y[k]).abs() < 1e-9, "seed {seed}: {} against {}", x[k], y[k]);
        }
    }

    fn couple(&mut self, r: &mut Rng, a: usize, b: usize) {
        let (p, n) = (&self.pattern, self.pattern.size());
        let at = p.coupling(a, b).unwrap();
        // Between two nodes or two rows small enough for the whole to stay definite there.
        let most = if self.signs.is_row[a] == self.signs.is_row[b] { 0.02 } else { 2.0 };
        for i in 0..p.dims[a] {
            for j in 0..p.dims[b] {
                let value = r.range(-most, most);
                self.values.off[at + i * p.dims[b] + j] = value;
                self.dense[(p.row[a] + i) * n + p.row[b] + j] = value;
                self.dense[(p.row[b] + j) * n + p.row[a] + i] = value;
            }
        }
    }
}

#[test]
fn block_factorisation_solves_random_quasi_definite_systems_like_dense_lu() {
    for seed in 0..60 {
        let mut r = Rng(seed);
        let (blocks, largest) = (1 + r.below(12), [3, 6, 12][r.below(3)]);
        let mut s = System::random(&mut r, blocks, largest);
        let n = s.pattern.size();
        let b: Vec<f64> = (0..n).map(|_| r.range(-1.0, 1.0)).collect();
        let info = s.values.factor(&s.pattern, &s.signs, 0..blocks).unwrap();
        assert_eq!((info.dropped, info.smallest_pivot), (0, f64::INFINITY), "seed {seed}");
        let (mut x, mut y) = (b.clone(), b.clone());
        s.values.solve(&s.pattern, 0..blocks, &mut x);
        let mut lu = DenseLu::new();
        lu.factor(n, &s.dense).unwrap();
        lu.solve(&mut y);
        s.assert_solution(&b, &x, &y, 1e-10, seed);
    }
}

#[test]
fn panels_give_the_solution_of_the_blocks() {
    for seed in 0..60 {
        let mut r = Rng(900 + seed);
        let (blocks, largest) = (1 + r.below(60), [1, 3, 6, 12][r.below(4)]);
        let mut s = System::random(&mut r, blocks, largest);
        let n = s.pattern.size();
        let b: Vec<f64> = (0..n).map(|_| r.range(-1.0, 1.0)).collect();
        let mut panels = Supernodal::new(&s.pattern, std::slice::from_ref(&(0..blocks)));
        let (mut x, mut y) = (b.clone(), b.clone());
        // Twice: nothing of the first factorisation may be left over.
        for _ in 0..2 {
            panels.factor(&s.pattern, &s.signs, 0, &mut s.values).unwrap();
        }
        panels.solve(0, &mut x);
        s.values.factor(&s.pattern, &s.signs, 0..blocks).unwrap();
        s.values.solve(&s.pattern, 0..blocks, &mut y);
        s.assert_solution(&b, &x, &y, 1e-9, seed);
    }
}

#[test]
fn panels_name_the_pivot_of_the_wrong_sign() {
    for seed in 0..20 {
        let mut r = Rng(300 + seed);
        let mut s = System::random(&mut r, 6, 6);
        let block = r.below(6);
        let row = r.below(s.pattern.dims[block]);
        let at = s.pattern.diag[block] + row * (s.pattern.dims[block] + 1);
        s.values.diag[at] *= -1e6;
        let mut panels = Supernodal::new(&s.pattern, std::slice::from_ref(&(0..6)));
        let error = panels.factor(&s.pattern, &s.signs, 0, &mut s.values).unwrap_err();
        assert_eq!((error.block, error.row), (block, row), "seed {seed}: {error:?}");
    }
}

/// A grid of `n` by `n` nodes that hangs from its first row.
fn grid(n: usize) -> Vec<Coupling> {
    let node = |r: usize, c: usize| (r > 0).then(|| (r - 1) * n + c);
    let mut out = Vec::new();
    for r in 0..n {
        for c in 0..n {
            if c + 1 < n && r > 0 {
                out.push(Coupling { a: node(r, c), b: node(r, c + 1), rows: true });
            }
            if r + 1 < n {
                out.push(Coupling { a: node(r, c), b: node(r + 1, c), rows: true });
            }
        }
    }
    out
}

/// Every loop joint comes after all nodes of its cycle but one, and a grid has far less fill than n^2 open loops would make.
#[test]
fn a_grid_is_dissected() {
    let n = 24;
    let couplings = grid(n);
    let nodes = n * (n - 1);
    let o = order(nodes, &couplings);
    assert_eq!(o.sequence.len(), nodes + couplings.len());
    assert_eq!(o.closes_loop.iter().filter(|&&l| !l).count(), nodes);
    let (mut at_node, mut at_row) = (vec![0; nodes], vec![0; couplings.len()]);
    for (k, v) in o.sequence.iter().enumerate() {
        match *v {
            Vertex::Node(x) => at_node[x] = k,
            Vertex::Rows(x) => at_row[x] = k,
        }
    }
    let dims = o.sequence.iter().map(|v| if matches!(v, Vertex::Node(_)) { 6 } else { 3 }).collect();
    let mut pairs = Vec::new();
    for (k, c) in couplings.iter().enumerate() {
        let ends: Vec<usize> = [c.a, c.b].into_iter().flatten().map(|x| at_node[x]).collect();
        assert!(ends.iter().any(|&x| x < at_row[k]), "joint {k} comes before its nodes");
        pairs.extend(ends.iter().map(|&x| (x, at_row[k])));
    }
    let widest = |p: &Pattern| (0..p.blocks()).map(|k| p.of(k).len()).max().unwrap();
    let pattern = Pattern::new(dims, &pairs);
    assert!(widest(&pattern) < 3 * n, "the widest front has {} blocks", widest(&pattern));
}

#[test]
fn block_factorisation_names_the_pivot_of_the_wrong_sign() {
    for seed in 0..20 {
        let mut r = Rng(300 + seed);
        let mut s = System::random(&mut r, 6, 6);
        let block = r.below(6);
        let row = r.below(s.pattern.dims[block]);
        let at = s.pattern.diag[block] + row * (s.pattern.dims[block] + 1);
        s.values.diag[at] *= -1e6;
        let error = s.values.factor(&s.pattern, &s.signs, 0..6).unwrap_err();
        assert_eq!((error.block, error.row), (block, row), "seed {seed}: {error:?}");
        assert_eq!(error.pivot < 0.0, !s.signs.is_row[block], "seed {seed}: {error:?}");
    }
}

#[test]
fn a_repeated_row_is_dropped_when_it_may_be_and_an_error_when_it_may_not() {
    // One node of two unknowns, and the same row twice.
    let pattern = Pattern::new(vec![2, 1, 1], &[(0, 1), (0, 2)]);
    let signs = Signs { is_row: vec![false, true, true], has_loops: true };
    let fill = |reference: f64| {
        let mut m = BlockLdlt::new(&pattern);
        m.diag[..4].copy_from_slice(&[2.0, 0.0, 0.0, 1.0]);
        for b in [1, 2] {
            let at = pattern.coupling(0, b).unwrap();
            m.off[at..at + 2].copy_from_slice(&[1.0, 1.0]);
        }
        m.reference[3] = reference;
        m
    };
    let mut m = fill(1.5);
    let info = m.factor(&pattern, &signs, 0..3).unwrap();
    assert_eq!((info.dropped, m.dropped.as_slice()), (1, [false, false, false, true].as_slice()));
    let mut x = [2.0, 0.0, 0.5, 0.5];
    m.solve(&pattern, 0..3, &mut x);
    // 2 v0 + z = 2, v1 + z = 0, v0 + v1 = 1/2
    let expected = [5.0 / 6.0, -1.0 / 3.0, 1.0 / 3.0, 0.0];
    assert!(x.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15), "{x:?}");
    let error = fill(0.0).factor(&pattern, &signs, 0..3).unwrap_err();
    assert_eq!((error.block, error.row), (2, 0));

    let (mut m, mut panels) = (fill(1.5), Supernodal::new(&pattern, std::slice::from_ref(&(0..3))));
    let info = panels.factor(&pattern, &signs, 0, &mut m).unwrap();
    assert_eq!((info.dropped, m.dropped.as_slice()), (1, [false, false, false, true].as_slice()));
    let mut x = [2.0, 0.0, 0.5, 0.5];
    panels.solve(0, &mut x);
    assert!(x.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15), "{x:?}");
    let error = panels.factor(&pattern, &signs, 0, &mut fill(0.0)).unwrap_err();
    assert_eq!((error.block, error.row), (2, 0));
}

#[test]
fn the_factor_of_a_chain_grows_linearly_and_has_no_fill() {
    let values = |n: usize| {
        let couplings: Vec<Coupling> =
            (0..n).map(|k| Coupling { a: if k == 0 { None } else { Some(k - 1) }, b: Some(k), rows: true }).collect();
        let order = order(n, &couplings);
        let position = |v: Vertex| order.sequence.iter().position(|&x| x == v).unwrap();
        let dims = order.sequence.iter().map(|v| if matches!(v, Vertex::Node(_)) { 6 } else { 3 }).collect();
        let pairs: Vec<(usize, usize)> = (0..n)
            .flat_map(|k| [Some((k, k)), (k > 0).then(|| (k, k - 1))].into_iter().flatten())
            .map(|(rows, node)| (position(Vertex::Rows(rows)), position(Vertex::Node(node))))
            .collect();
        let p = Pattern::new(dims, &pairs);
        assert_eq!(p.fill_blocks, 0, "{n} links");
        p.off_len + p.diag_len
    };
    // One 6 x 6, one 3 x 3 and two 3 x 6 blocks per link; the first has one less.
    for n in [1, 10, 200] {
        assert_eq!(values(n), n * (36 + 9 + 36) - 18);
    }
    let size = |links| {
        let mut w = World::new();
        chain(&mut w, links, Vec3::X, 0.0, Ball::between);
        w.size().unwrap()
    };
    let (small, large) = (size(100), size(1000));
    assert_eq!((small.fill_blocks, large.fill_blocks), (0, 0));
    assert_eq!((small.unknowns, large.unknowns), (900, 9000));
    assert!(large.bytes < 12 * small.bytes, "{} against {} bytes", large.bytes, small.bytes);
}
