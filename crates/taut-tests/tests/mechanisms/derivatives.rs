//! phi, J, K~ and its dyads of every primitive of every joint, against finite differences and against each other.
//!
//! Poses are perturbed on the left, p + dp and exp(hat(dth)) R, in the order (p_i, th_i, p_j, th_j).
#![allow(clippy::needless_range_loop, reason = "matrices are indexed by row and column")]

use crate::common::{Rng, shared_frames};
use taut::constraint::{Dyad, Geo, Primitive, Side};
use taut::joints::catalogue;
use taut::{Axis, Frame, Frames, Freedom, JointKind, Mat3, Pose, Quat, Vec3, joints::RowBuilder};

const SEEDS: u64 = 24;

/// One primitive at random poses with random multipliers.
struct Case {
    name: String,
    primitive: Primitive,
    i: Side,
    j: Side,
    lambda: [f64; 3],
}

impl Case {
    fn random(name: String, primitive: Primitive, r: &mut Rng) -> Self {
        let (i, mut j) = (side(&r.pose()), side(&r.pose()));
        // Far enough apart for a rod to have a direction.
        j.pos = i.pos + r.range(3.0, 4.0) * r.unit();
        Case { name, primitive, i, j, lambda: r.vec(2.0).to_array() }
    }

    fn rows(&self) -> usize {
        self.primitive.rows()
    }

    fn moved(&self, x: &[f64; 12]) -> (Side, Side) {
        let turn = |s: &Side, at: usize| {
            let w = Vec3::new(x[at + 3], x[at + 4], x[at + 5]);
            let pos = s.pos + Vec3::new(x[at], x[at + 1], x[at + 2]);
            Side { pos, rot: Mat3::from_quat(Quat::from_scaled_axis(w)) * s.rot }
        };
        (turn(&self.i, 0), turn(&self.j, 6))
    }

    fn phi(&self, x: &[f64; 12]) -> [f64; 3] {
        let (i, j) = self.moved(x);
        self.primitive.phi(&i, &j)
    }

    /// lambda . phi
    fn work(&self, x: &[f64; 12]) -> f64 {
        (0..self.rows()).map(|q| self.lambda[q] * self.phi(x)[q]).sum()
    }

    /// J^T lambda
    fn force(&self, x: &[f64; 12]) -> [f64; 12] {
        let (i, j) = self.moved(x);
        let e = self.primitive.eval(&i, &j);
        let mut out = [0.0; 12];
        for q in 0..self.rows() {
            for c in 0..6 {
                out[c] += self.lambda[q] * e.ji[q][c];
                out[c + 6] += self.lambda[q] * e.jj[q][c];
            }
        }
        out
    }

    fn jacobian(&self) -> [[f64; 12]; 3] {
        let e = self.primitive.eval(&self.i, &self.j);
        std::array::from_fn(|q| std::array::from_fn(|c| if c < 6 { e.ji[q][c] } else { e.jj[q][c - 6] }))
    }

    fn stiff_geo(&self) -> Geo {
        let mut out = [[0.0; 12]; 12];
        self.primitive.stiff_geo(&self.i, &self.j, &self.lambda, &mut out);
        out
    }
}

fn side(p: &Pose) -> Side {
    Side { pos: p.pos, rot: Mat3::from_quat(p.rot) }
}

fn primitives(joint: &dyn JointKind, frames: Frames) -> Vec<Primitive> {
    let mut rows = RowBuilder::new(frames);
    joint.rows(&mut rows);
    rows.primitives()
}

/// Calls `check` with every primitive of every joint, and with rods with and without arms, for every seed.
fn for_all(check: impl Fn(&Case)) {
    for (k, joint) in catalogue().iter().enumerate() {
        for seed in 0..SEEDS {
            let mut r = Rng(1000 * k as u64 + seed);
            for (p, primitive) in primitives(joint.as_ref(), r.joint_frames()).into_iter().enumerate() {
                check(&Case::random(format!("{} primitive {p} seed {seed}", joint.name()), primitive, &mut r));
            }
        }
    }
    for seed in 0..SEEDS {
        let mut r = Rng(77_000 + seed);
        let (a, b, length) = (r.vec(0.7), r.vec(0.7), r.range(0.3, 2.0));
        for (si, sj) in [(a, b), (a, Vec3::ZERO), (Vec3::ZERO, b), (Vec3::ZERO, Vec3::ZERO)] {
            let name = format!("rod with arms {} and {} m, seed {seed}", si.length(), sj.length());
            check(&Case::random(name, Primitive::Distance { si, sj, length }, &mut r));
        }
    }
    for seed in 0..SEEDS {
        let mut r = Rng(99_000 + seed);
        let Frames { i: f, j: g } = r.joint_frames();
        let twist = Primitive::Twist { n: f.n, ui: f.u, uj: g.u, nj: g.n };
        let case = Case::random(format!("twist, seed {seed}"), twist, &mut r);
        // Towards a swing of half a turn its derivatives grow without bound.
        if (case.i.rot * f.n).dot(case.j.rot * g.n) > -0.3 {
            check(&case);
        }
    }
}

fn axis(c: usize, by: f64) -> [f64; 12] {
    let mut x = [0.0; 12];
    x[c] = by;
    x
}

fn near(a: f64, b: f64, tolerance: f64, case: &Case, what: &str) {
    assert!((a - b).abs() < tolerance, "{}: {what}: {a:e} against {b:e}", case.name);
}

#[test]
fn jacobian_is_the_gradient_of_phi() {
    let step = 1e-5;
    for_all(|case| {
        if matches!(case.primitive, Primitive::Axial { .. }) {
            return; // its J is no gradient, see below
        }
        let jac = case.jacobian();
        for c in 0..12 {
            let (up, down) = (case.phi(&axis(c, step)), case.phi(&axis(c, -step)));
            for q in 0..case.rows() {
                let slope = (up[q] - down[q]) / (2.0 * step);
                near(jac[q][c], slope, 2e-9, case, &format!("J({q}, {c})"));
            }
        }
    });
}

#[test]
fn phi_alone_equals_phi_of_the_evaluation() {
    for_all(|case| {
        let e = case.primitive.eval(&case.i, &case.j);
        let phi = case.phi(&[0.0; 12]);
        for q in 0..case.rows() {
            near(phi[q], e.phi[q], 1e-14, case, "phi");
        }
    });
}

#[test]
fn axial_jacobian_is_the_rate_of_twist_about_the_axis_and_the_gradient_where_the_frames_agree() {
    let step = 1e-5;
    for seed in 0..SEEDS {
        let mut r = Rng(500 + seed);
        let Frames { i: f, j: g } = r.joint_frames();
        let primitive = Primitive::Axial { n: f.n, ui: f.u, uj: g.u, nj: g.n };
        let mut apart = Case::random(format!("apart, seed {seed}"), primitive, &mut r);
        // The twist is trusted where the axis of i lies in its place in j.
        let nj = apart.j.rot.transpose() * (apart.i.rot * f.n);
        apart.primitive = Primitive::Axial { n: f.n, ui: f.u, uj: g.u, nj };
        // Turning either body about n changes the twist at unit rate, wherever it stands.
        let n = apart.i.rot * f.n;
        for (at, sign) in [(3, 1.0), (9, -1.0)] {
            let about = |by: f64| {
                let mut x = [0.0; 12];
                (x[at], x[at + 1], x[at + 2]) = (by * n.x, by * n.y, by * n.z);
                x
            };
            let slope = (apart.phi(&about(step))[0] - apart.phi(&about(-step))[0]) / (2.0 * step);
            near(slope, sign, 2e-9, &apart, "rate of twist");
            let jac = apart.jacobian()[0];
            let j = n.dot(Vec3::new(jac[at], jac[at + 1], jac[at + 2]));
            near(j, sign, 1e-14, &apart, "J along the axis");
        }
        // Where the frames agree J is the whole gradient.
        let (p, q) = (r.pose(), r.pose());
        let Frames { i: f, j: g } = shared_frames(&p, &q, &r.frame());
        let primitive = Primitive::Axial { n: f.n, ui: f.u, uj: g.u, nj: g.n };
        let together =
            Case { name: format!("together, seed {seed}"), primitive, i: side(&p), j: side(&q), lambda: [1.0; 3] };
        let jac = together.jacobian()[0];
        for (c, &value) in jac.iter().enumerate() {
            let slope = (together.phi(&axis(c, step))[0] - together.phi(&axis(c, -step))[0]) / (2.0 * step);
            near(value, slope, 2e-9, &together, &format!("J(0, {c})"));
        }
    }
}

#[test]
fn geometric_stiffness_is_the_derivative_of_the_constraint_force() {
    let step = 1e-5;
    for_all(|case| {
        let geo = case.stiff_geo();
        for c in 0..12 {
            let (up, down) = (case.force(&axis(c, step)), case.force(&axis(c, -step)));
            for r in 0..12 {
                let slope = (up[r] - down[r]) / (2.0 * step);
                near(geo[r][c], slope, 2e-8, case, &format!("K({r}, {c})"));
            }
        }
    });
}

#[test]
fn geometric_stiffness_is_added_not_written() {
    for_all(|case| {
        let mut twice = case.stiff_geo();
        case.primitive.stiff_geo(&case.i, &case.j, &case.lambda, &mut twice);
        let once = case.stiff_geo();
        for r in 0..12 {
            for c in 0..12 {
                near(twice[r][c], 2.0 * once[r][c], 1e-13, case, "sum");
            }
        }
    });
}

#[test]
fn dyads_sum_to_the_geometric_stiffness() {
    for_all(|case| {
        let mut dyads: Vec<Dyad> = Vec::new();
        case.primitive.low_rank(&case.i, &case.j, &case.lambda, &mut dyads);
        let most = match case.primitive {
            Primitive::Point { .. } => 4,
            Primitive::Axial { .. } => 2,
            Primitive::Lock { .. } | Primitive::Twist { .. } => 3,
            Primitive::Dot1 { .. } => 5,
            Primitive::Dot2 { .. } | Primitive::Slot { .. } | Primitive::Distance { .. } => 6,
        };
        assert!(dyads.len() <= most, "{}: {} dyads", case.name, dyads.len());
        let geo = case.stiff_geo();
        for r in 0..12 {
            for c in 0..12 {
                let sum: f64 = dyads.iter().map(|d| d.a[r] * d.b[c]).sum();
                near(sum, geo[r][c], 1e-12, case, &format!("K({r}, {c})"));
            }
        }
    });
}

#[test]
fn symmetric_part_is_the_hessian_in_exponential_coordinates() {
    let step = 1e-3;
    for_all(|case| {
        if matches!(case.primitive, Primitive::Axial { .. }) {
            return; // no phi whose Hessian it could be
        }
        let geo = case.stiff_geo();
        // Central differences of second order at two steps, extrapolated to fourth.
        let mixed = |r: usize, c: usize, s: f64| {
            let at = |a: f64, b: f64| {
                let mut x = [0.0; 12];
                x[r] += a * s;
                x[c] += b * s;
                case.work(&x)
            };
            (at(1.0, 1.0) - at(1.0, -1.0) - at(-1.0, 1.0) + at(-1.0, -1.0)) / (4.0 * s * s)
        };
        for r in 0..12 {
            for c in 0..=r {
                let hessian = (4.0 * mixed(r, c, step) - mixed(r, c, 2.0 * step)) / 3.0;
                near(0.5 * (geo[r][c] + geo[c][r]), hessian, 1e-7, case, &format!("H({r}, {c})"));
            }
        }
    });
}

#[test]
fn antisymmetric_part_is_minus_half_the_torque_on_each_body() {
    for_all(|case| {
        if matches!(case.primitive, Primitive::Axial { .. }) {
            return;
        }
        let (geo, force) = (case.stiff_geo(), case.force(&[0.0; 12]));
        let mut expected = [[0.0; 12]; 12];
        for at in [3, 9] {
            let t = Vec3::new(force[at], force[at + 1], force[at + 2]);
            for c in 0..3 {
                // Column c of hat(t) is t x e_c.
                let column = t.cross(Vec3::AXES[c]) * -0.5;
                for r in 0..3 {
                    expected[at + r][at + c] = column[r];
                }
            }
        }
        for r in 0..12 {
            for c in 0..12 {
                near(0.5 * (geo[r][c] - geo[c][r]), expected[r][c], 1e-13, case, &format!("({r}, {c})"));
            }
        }
    });
}

/// Rotation of body i (at 0) or j (at 6) about an axis through a point, or a translation, as a twist (v, w).
fn rotation(s: &Side, about: Vec3, through: Vec3) -> [f64; 6] {
    let v = about.cross(s.pos - through);
    [v.x, v.y, v.z, about.x, about.y, about.z]
}

fn translation(v: Vec3) -> [f64; 6] {
    [v.x, v.y, v.z, 0.0, 0.0, 0.0]
}

/// Motions of body i that a joint leaves free where its frames agree (a rod: where they are `length` apart along n).
fn free_motions(joint: &dyn JointKind, i: &Side, f: &Frame) -> Vec<[f64; 6]> {
    let turn = |a: Vec3| rotation(i, a, f.origin);
    let slide = translation;
    let axis = |a: Axis| match a {
        Axis::U => f.u,
        Axis::V => f.v,
        Axis::N => f.n,
    };
    match joint.name() {
        "ball" => vec![turn(f.u), turn(f.v), turn(f.n)],
        "universal" => vec![turn(f.n), turn(f.u)],
        "hinge" => vec![turn(f.n)],
        "prismatic" => vec![slide(f.n)],
        "cylindrical" => vec![slide(f.n), turn(f.n)],
        "planar" => vec![slide(f.u), slide(f.v), turn(f.n)],
        "translational" => vec![slide(f.u), slide(f.v), slide(f.n)],
        "point-on-line" => vec![slide(f.n), turn(f.u), turn(f.v), turn(f.n)],
        "axial-lock" => vec![turn(f.u), turn(f.v), slide(f.u), slide(f.v), slide(f.n)],
        "distance" => vec![turn(f.u), turn(f.v), turn(f.n), slide(f.u), slide(f.v)],
        "weld" | "cable" | "flexible-cable" => vec![],
        // Of a wheel without suspension; across is its axle.
        "wheel" => vec![turn(f.u)],
        "six-dof" => {
            let motion = |freedom: &Freedom| match *freedom {
                Freedom::Shift(a) => slide(axis(a)),
                Freedom::About(a) => turn(axis(a)),
                Freedom::Lean(a, b) => turn(axis(a).cross(axis(b))),
                other => panic!("{other:?} of a six-degree joint"),
            };
            joint.freedoms().iter().map(motion).collect()
        }
        other => panic!("the free motions of the joint '{other}' are missing in this test"),
    }
}

#[test]
fn free_and_rigid_motions_do_not_move_the_rows_where_phi_is_zero() {
    for (k, joint) in catalogue().iter().enumerate() {
        for seed in 0..SEEDS {
            let mut r = Rng(9000 + 1000 * k as u64 + seed);
            let (p, mut q) = (r.pose(), r.pose());
            let f = r.frame();
            let frames = joint.turned(shared_frames(&p, &q, &f));
            if joint.name() == "distance" {
                q.pos -= f.n; // catalogue length: 1 m
            }
            let (i, j) = (side(&p), side(&q));
            let free = free_motions(joint.as_ref(), &i, &f);
            let (about, through, by) = (r.unit(), r.vec(2.0), r.vec(1.0));
            let rigid =
                [(rotation(&i, about, through), rotation(&j, about, through)), (translation(by), translation(by))];
            let mut rank = 0;
            for primitive in primitives(joint.as_ref(), frames) {
                let e = primitive.eval(&i, &j);
                rank += primitive.rows();
                for row in 0..primitive.rows() {
                    let name = format!("{} seed {seed}: {primitive:?} row {row}", joint.name());
                    assert!(e.phi[row].abs() < 1e-14, "{name}: phi = {:e}", e.phi[row]);
                    let along = |j: &[f64; 6], t: &[f64; 6]| j.iter().zip(t).map(|(a, b)| a * b).sum::<f64>();
                    for t in &free {
                        let speed = along(&e.ji[row], t);
                        assert!(speed.abs() < 1e-13, "{name}: moves at {speed:e} under {t:?}");
                    }
                    for (a, b) in &rigid {
                        let speed = along(&e.ji[row], a) + along(&e.jj[row], b);
                        assert!(speed.abs() < 1e-13, "{name}: moves at {speed:e} with both bodies");
                    }
                }
            }
            assert_eq!(rank + free.len(), 6, "{}: rows and free motions", joint.name());
        }
    }
}
