//! W along the elimination paths against W column by column and against a dense inverse, on the matrices of real worlds.

#[cfg(test)]
use super::World;
use crate::delassus::{Acted, Mobility, Row, RowList};
use crate::desk::Desk;
use crate::desk::Scales;
use crate::desk::inputs::Given;
use crate::ids::BodyId;
use crate::joints::{Ball, Distance, Hinge, Joint};
use crate::mass::MassProperties;
use crate::model::body::Body;
use crate::system::kkt::Equations;
use crate::system::linear;
use crate::topology::Topology;
use glam::DVec3;

const STEP: f64 = 1.0 / 60.0;

/// Numbers in (-1/2, 1/2).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    }
    fn below(&mut self, n: usize) -> usize {
        ((self.next() + 0.5) * n as f64) as usize
    }
}

fn body(w: &mut World, at: DVec3) -> BodyId {
    let mass = MassProperties::cuboid(500.0, DVec3::new(0.05, 0.02, 0.03)).unwrap();
    w.add(Body::dynamic(mass).at(at)).unwrap()
}

/// A tree: each body hangs on the one that `parent` names, or on the ground; `roots` says whether it is tied to the ground at all.
fn tree(n: usize, tied: bool, between: fn(BodyId, BodyId) -> Joint, parent: impl Fn(usize) -> usize) -> World {
    let mut w = World::new();
    let mut made: Vec<BodyId> = Vec::new();
    for k in 0..n {
        let at = DVec3::new(0.1 * k as f64, 0.01 * (k % 7) as f64, 0.02 * (k % 3) as f64);
        let b = body(&mut w, at);
        if k > 0 || tied {
            let on = if k > 0 { made[parent(k)] } else { w.ground() };
            w.add(between(b, on).at(at - DVec3::X * 0.05).axis(DVec3::Z)).unwrap();
        }
        made.push(b);
    }
    w
}

/// A closed planar linkage of hinges: three of its rows are redundant.
fn four_bar() -> World {
    let mut w = World::new();
    let corners = [DVec3::ZERO, DVec3::Y, DVec3::new(1.0, 1.0, 0.0), DVec3::X];
    let ground = w.ground();
    let mut last = ground;
    for k in 0..3 {
        let b = body(&mut w, 0.5 * (corners[k] + corners[k + 1]));
        w.add(Hinge::between(b, last).at(corners[k]).axis(DVec3::Z)).unwrap();
        last = b;
    }
    w.add(Hinge::between(last, ground).at(corners[3]).axis(DVec3::Z)).unwrap();
    w
}

fn rope_net() -> World {
    let mut w = World::new();
    let mut made = Vec::new();
    for k in 0..9 {
        let at = DVec3::new((k % 3) as f64, 0.0, (k / 3) as f64);
        made.push(w.add(Body::particle(1.0).at(at)).unwrap());
    }
    for k in 0..9_usize {
        for to in [(k % 3 < 2).then_some(k + 1), (k < 6).then_some(k + 3)].into_iter().flatten() {
            w.add(Distance::between(made[k], made[to])).unwrap();
        }
    }
    w
}

/// Random rows on some nodes: to the ground, between two of them, or on up to six.
fn rows(t: &Topology, on: &[usize], count: usize, numbers: &mut Numbers) -> RowList {
    let mut list = RowList::default();
    for k in 0..count {
        let sides = [1, 2, 1, 3, 1, 6][k % 6].min(on.len());
        let mut nodes: Vec<Acted> = Vec::new();
        while nodes.len() < sides {
            let n = on[numbers.below(on.len())];
            if nodes.iter().all(|(m, _)| *m != n) {
                let mut jac = [0.0; 6];
                jac[..t.nodes[n].dim].iter_mut().for_each(|x| *x = numbers.next());
                nodes.push((n, jac));
            }
        }
        list.push_on(&nodes, Row { at: k, ..Row::default() });
    }
    list
}

/// The matrices of the islands, factorised, after some steps.
fn factorised(w: &mut World, steps: usize) -> (Given<'_>, &mut Desk) {
    for _ in 0..steps {
        w.step(STEP).unwrap();
    }
    let super::Layout { t, inputs, desk, .. } = &mut **w.layout.as_mut().unwrap();
    let t = Given { t, inputs };
    desk.factor.jointed.wanted = false;
    for k in 0..t.islands.len() {
        let s = scales(&t, k);
        let e = Equations::of(&t, k, &desk.law, &desk.stiff, &desk.force, &desk.sol.saved);
        linear::factor(&e, s, &crate::plan::Plan::default(), &mut desk.factor, &mut desk.profile).unwrap();
    }
    (t, desk)
}

fn scales(t: &Given<'_>, k: usize) -> Scales {
    Scales { keep: 1.0, sigma: STEP / t.inputs.hk[k], geo: 0.0, symmetric: false }
}

/// W one column after the other.
fn by_columns(m: &mut Mobility, t: &Topology, desk: &Desk, rows: &RowList, w: &mut [f64]) {
    for k in 0..t.islands.len() {
        let solve = |x: &mut [f64]| -> Result<(), ()> {
            linear::solve_direct(t, &t.islands[k], &desk.factor, x);
            Ok(())
        };
        m.add(t, k, rows, rows.len(), w, solve).unwrap();
    }
}

fn along_paths(m: &mut Mobility, t: &Topology, desk: &Desk, rows: &RowList, w: &mut [f64]) {
    for k in 0..t.islands.len() {
        m.add_along_paths(t, k, rows, rows.len(), w, &desk.factor.ldlt);
    }
}

/// W by the inverse of the dense matrix of every island.
fn dense(t: &Given<'_>, desk: &mut Desk, rows: &RowList) -> Vec<f64> {
    let n = rows.len();
    let mut out = vec![0.0; n * n];
    for (k, island) in t.islands.iter().enumerate() {
        let s = scales(t, k);
        let e = Equations::of(t, k, &desk.law, &desk.stiff, &desk.force, &desk.sol.saved);
        linear::dense_matrix(&e, s, &mut desk.factor.dense);
        desk.factor.dense.lu.factor(island.x.len(), &desk.factor.dense.matrix).unwrap();
        for c in 0..n {
            let mut x = vec![0.0; t.pattern.size()];
            crate::delassus::scatter(t, rows.sides(c), 1.0, &mut x);
            desk.factor.dense.lu.solve(&mut x[island.x.clone()]);
            for r in 0..n {
                let own = rows.sides(r).filter(|(m, _)| t.nodes[*m].island == k);
                out[r * n + c] += crate::delassus::velocity(t, own, &x);
            }
        }
    }
    out
}

fn worst(a: &[f64], b: &[f64]) -> f64 {
    let scale = a.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / scale
}

#[test]
fn w_along_paths_is_w_by_columns_and_by_the_dense_inverse() {
    let ragdoll = |k: usize| [0, 0, 1, 0, 3, 4, 0, 6, 7, 3, 9, 10][k];
    let worlds: [(&str, World, usize, bool); 7] = [
        ("chain of balls", tree(30, true, Ball::between, |k| k - 1), 3, true),
        ("chain of hinges", tree(20, true, Hinge::between, |k| k - 1), 3, true),
        ("free tree", tree(12, false, Ball::between, ragdoll), 3, true),
        ("single bodies", tree(1, false, Ball::between, |_| 0), 3, true),
        ("rods of particles", rope_net(), 3, true),
        // In the first step the redundant rows are dropped; later they are given a little.
        ("four-bar, rows dropped", four_bar(), 1, false),
        ("four-bar, rows given", four_bar(), 3, false),
    ];
    let mut numbers = Numbers(5);
    for (name, mut world, steps, regular) in worlds {
        let (t, desk) = factorised(&mut world, steps);
        let t = &t;
        if name.ends_with("dropped") {
            assert!(desk.factor.ldlt.dropped.iter().filter(|&&d| d).count() == 3, "{name}");
        }
        let nodes: Vec<usize> = (0..t.nodes.len()).collect();
        for count in [1, 2, 3, 5, 7, 12, 40, 90] {
            for on in [&nodes[..], &nodes[nodes.len() / 2..nodes.len() / 2 + 1]] {
                let rows = rows(t, on, count, &mut numbers);
                let active: Vec<usize> = (0..count).collect();
                let mut m = Mobility::default();
                m.start(t, &rows, &active);
                let (mut old, mut new) = (vec![0.0; count * count], vec![0.0; count * count]);
                by_columns(&mut m, t, desk, &rows, &mut old);
                along_paths(&mut m, t, desk, &rows, &mut new);
                assert!(worst(&old, &new) < 1e-12, "{name}, {count} rows: {:e}", worst(&old, &new));
                if regular {
                    let brute = dense(t, desk, &rows);
                    assert!(worst(&brute, &new) < 1e-11, "{name}, {count} rows: {:e}", worst(&brute, &new));
                }
            }
        }
    }
}
