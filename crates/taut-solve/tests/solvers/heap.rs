//! Sweeps over exact responses: they converge to the law of each block, whichever way bodies and rows are given.

use glam::{DMat3, DVec3};
use taut_solve::bounded::Block;
use taut_solve::bounded::heap::{GROUND, Given, Heap};

struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64 * 2.0 - 1.0
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.next(), self.next(), self.next())
    }
}

/// A contact: bodies, three directions, arms, friction.
struct Contact {
    sides: (u32, u32),
    axes: [DVec3; 3],
    arms: [DVec3; 2],
    mu: [f64; 2],
    aim: f64,
}

impl Contact {
    fn rows(&self) -> [[[f64; 6]; 2]; 3] {
        let side = |d: DVec3, r: DVec3, sign: f64| {
            let l = r.cross(d);
            [d.x, d.y, d.z, l.x, l.y, l.z].map(|x| sign * x)
        };
        self.axes.map(|d| [side(d, self.arms[0], 1.0), side(d, self.arms[1], -1.0)])
    }
}

/// How the same scene is handed over.
#[derive(Clone, Copy, PartialEq)]
enum As {
    Free,
    Joined,
    Wide,
}

const BODIES: usize = 6;

/// One over the mass, and the inverse of the inertia.
type Response = (f64, DMat3);

/// Bodies in a row from the ground up, each touching the one below at three points, and thrown about.
fn scene(seed: u64) -> (Vec<Response>, Vec<Contact>, Vec<[f64; 6]>) {
    let mut r = Random(seed);
    let mut bodies = Vec::new();
    let mut contacts = Vec::new();
    let mut speeds = Vec::new();
    for b in 0..BODIES {
        let mass = 1.0 + 0.9 * r.next();
        let turn = DMat3::from_axis_angle(r.vector().normalize(), 3.0 * r.next());
        let inertia = turn * DMat3::from_diagonal(DVec3::new(1.0, 1.5, 2.0) * 0.1 * mass) * turn.transpose();
        bodies.push((1.0 / mass, inertia.inverse()));
        let v = r.vector();
        let w = r.vector();
        speeds.push([v.x, v.y - 1.0, v.z, w.x, w.y, w.z]);
        let below = if b == 0 { GROUND } else { b as u32 - 1 };
        let n = (DVec3::Y + 0.2 * r.vector()).normalize();
        let t = n.any_orthonormal_vector();
        let between = DVec3::new(0.0, 1.0, 0.0) + 0.1 * r.vector();
        for _ in 0..3 {
            let arm = DVec3::new(0.5 * r.next(), -0.5, 0.5 * r.next());
            let mu = [0.3 + 0.2 * r.next(), 0.3 + 0.2 * r.next()];
            let arms = [arm, arm + between];
            contacts.push(Contact {
                sides: (b as u32, below),
                axes: [n, t, n.cross(t)],
                arms,
                mu,
                aim: -0.1 * r.next().abs(),
            });
        }
    }
    (bodies, contacts, speeds)
}

fn heap(seed: u64, how: As) -> Heap {
    let (bodies, contacts, speeds) = scene(seed);
    let mut heap = Heap::default();
    heap.clear();
    if how == As::Joined {
        let (_, g) = heap.joined(BODIES);
        let width = 6 * BODIES;
        for (b, (per_mass, per_inertia)) in bodies.iter().enumerate() {
            for q in 0..3 {
                g[(6 * b + q) * width + 6 * b + q] = *per_mass;
                for c in 0..3 {
                    g[(6 * b + 3 + q) * width + 6 * b + 3 + c] = per_inertia.col(c)[q];
                }
            }
        }
    } else {
        for &(per_mass, per_inertia) in &bodies {
            heap.free(per_mass, per_inertia);
        }
    }
    for (b, v) in speeds.iter().enumerate() {
        heap.set_velocity(b as u32, v);
    }
    for (k, c) in contacts.iter().enumerate() {
        let rows = c.rows();
        let given = |r: usize| Given {
            ji: &rows[r][0],
            jj: &rows[r][1],
            c: if r == 0 { c.aim } else { 0.0 },
            sigma: 0.0,
            z: 0.0,
            unit: 1.0,
        };
        if how == As::Wide {
            let sides =
                |r: usize| [(c.sides.0, &rows[r][0]), (c.sides.1, &rows[r][1])].into_iter().filter(|s| s.0 != GROUND);
            heap.wide(&[Block::Contact { mu: c.mu }], (0..3).map(|r| (3 * k + r, given(r), sides(r))));
        } else {
            heap.contact(c.sides, c.mu, 3 * k, [given(0), given(1), given(2)]);
        }
    }
    let limit = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0];
    let row = Given { ji: &limit, jj: &[0.0; 6], c: 0.2, sigma: 0.01, z: 0.0, unit: 1.0 };
    heap.bar((0, GROUND), (0.0, f64::INFINITY), 3 * contacts.len(), row);
    heap
}

fn impulses(heap: &Heap) -> Vec<f64> {
    let mut z = vec![0.0; 9 * BODIES + 1];
    heap.impulses(|r, x| z[r] = x);
    z
}

#[test]
fn sweeps_converge_to_the_laws_however_bodies_and_rows_are_given() {
    let mut slow = 0;
    for seed in 1..40 {
        let mut ends = Vec::new();
        for how in [As::Free, As::Joined, As::Wide] {
            let mut heap = heap(seed, how);
            heap.sweep(20_000, 1e-14);
            let residual = heap.residual();
            // With friction sweeps may take their time.
            assert!(residual < 1e-4, "seed {seed}: {residual:e} after {} sweeps", heap.sweeps);
            slow += usize::from(residual > 1e-9);
            let z = impulses(&heap);
            let (_, contacts, _) = scene(seed);
            for (k, c) in contacts.iter().enumerate() {
                let ellipse = (z[3 * k + 1] / c.mu[0]).hypot(z[3 * k + 2] / c.mu[1]);
                assert!(z[3 * k] >= 0.0 && ellipse <= z[3 * k] * (1.0 + 1e-9) + 1e-15, "seed {seed}");
            }
            let v: Vec<f64> = (0..BODIES as u32).flat_map(|b| heap.velocity(b).to_vec()).collect();
            ends.push(v);
        }
        for end in &ends[1..] {
            let off = end.iter().zip(&ends[0]).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(off < 1e-4, "seed {seed}: velocities differ by {off:e}");
        }
    }
    assert!(slow <= 6, "{slow} of 117 did not come to 1e-9");
}

#[test]
fn every_sweep_keeps_momentum_between_bodies() {
    let mut heap = heap(3, As::Free);
    let (bodies, _, speeds) = scene(3);
    let sideways = |v: &dyn Fn(usize) -> [f64; 6]| -> DVec3 {
        (1..BODIES).map(|b| DVec3::new(v(b)[0], v(b)[1], v(b)[2]) / bodies[b].0).sum::<DVec3>()
    };
    let before = sideways(&|b| speeds[b]);
    heap.sweep(1, 0.0);
    let z = impulses(&heap);
    let (_, contacts, _) = scene(3);
    let handed: DVec3 = contacts
        .iter()
        .enumerate()
        .filter(|(_, c)| c.sides.1 == 0)
        .map(|(k, c)| (0..3).map(|r| c.axes[r] * z[3 * k + r]).sum::<DVec3>())
        .sum();
    let after = sideways(&|b| heap.velocity(b as u32).try_into().unwrap());
    assert!((after - before - handed).length() < 1e-12, "{after} {before} {handed}");
}

#[test]
fn a_push_makes_up_what_was_asked_for_and_leaves_other_rows_out() {
    let mut heap = heap(5, As::Free);
    heap.begin_push();
    heap.push_row(0, 0.3);
    heap.push(400);
    let (_, contacts, _) = scene(5);
    let c = &contacts[0];
    let v = heap.velocity(0);
    let at = DVec3::new(v[0], v[1], v[2]) + DVec3::new(v[3], v[4], v[5]).cross(c.arms[0]);
    assert!((at.dot(c.axes[0]) - 0.3).abs() < 1e-9, "{}", at.dot(c.axes[0]));
    let z = impulses(&heap);
    assert!(z.iter().enumerate().all(|(k, z)| k < 3 || *z == 0.0), "{z:?}");
}
