//! The first stages for four worlds at a time: what is known at their poses, and the stiffness of the stabiliser.

use super::vectors::{get, lanes, mask, put, zero};
use super::{Abreast, Axes, Body, Joint, Triple, each};
use crate::force::gyroscopic::{drift, drift_of_any};
use crate::math::lanes::{LANES, Mask, Mat4, Number, Sym4, Vec4, rotate};
use crate::stabilise::along::grows;
use crate::tuning::T;

/// `aligned::across` of four arms.
#[inline(always)]
fn across<F: Number>(s: Vec4<F>, length: F, f: F) -> Mat4<F> {
    let stiff = Mat4::diagonal(f * length).minus(&Mat4::outer(s, s * (f / length)));
    stiff.select(F::all(0.0).below(length), &Mat4::zero())
}

/// `aligned::across_moment` of four moments.
#[inline(always)]
fn across_moment<F: Number>(moment: Vec4<F>, k: F) -> Mat4<F> {
    let m = moment.length();
    let n = moment / m;
    let stiff = Mat4::diagonal(F::all(1.0)).minus(&Mat4::outer(n, n)).scaled(k * m);
    stiff.select(F::all(0.0).below(m), &Mat4::zero())
}

/// Adds to a matrix.
#[inline(always)]
fn add_to<F: Number>(to: &mut [Triple; 3], m: &Mat4<F>) {
    Mat4::load(to).plus(m).store(to);
}

impl Body {
    /// A, or A from the forces just found.
    #[inline(always)]
    fn stiffness(&mut self, asked: bool) -> &mut [Triple; 3] {
        if asked { &mut self.asked } else { &mut self.added }
    }
}

impl Joint {
    #[inline(always)]
    pub(super) fn arm<F: Number>(&self, side: usize) -> Vec4<F> {
        Vec4::load(&self.arms[side])
    }
}

impl Abreast {
    /// Angular velocity after the gyroscopic term, inertia, right-hand side of the bodies; arms, directions and violations of the joints.
    #[inline(always)]
    pub(super) fn begin<F: Number>(&mut self) {
        let (h, hk) = (self.h, F::of(self.hk));
        let before = F::of(each(|k| self.regime[k].h_prev));
        let longest = F::of(each(|k| h.max(self.regime[k].h_prev)));
        let mut fine = mask::<F>(self.fine);
        let gravity = Vec4::<F>::load(&self.gravity);
        for body in &mut self.bodies {
            let rot = Mat4::<F>::load(&body.rot);
            let (d, omega) = (Vec4::load(&body.moments), Vec4::load(&body.omega));
            let local = Mat4::<F>::load(&body.local);
            let (inertia, omega_g, momentum) = match body.axes {
                Axes::Any => (local, omega, local.times(omega)),
                Axes::Principal => {
                    let near = (longest * longest * omega.dot(omega)).at_most(F::all(1.0));
                    let (x, momentum, settled) = drift(d, rot.transposed_times(omega), before, h);
                    fine = fine & near & settled;
                    (rot.turn_diagonal(d), rot.times(x), rot.times(momentum))
                }
                Axes::Other => {
                    let inertia = rot.product(&local).product(&rot.transposed());
                    // The last drift ended here: its momentum is carried over.
                    let momentum = rotate(omega * (before * -0.5), inertia.times(omega));
                    let target = rot.transposed_times(momentum);
                    let near = (longest * longest * omega.dot(omega)).at_most(F::all(1.0));
                    let (x, settled) = drift_of_any(&local, rot.transposed_times(omega), target, h);
                    fine = fine & near & settled;
                    (inertia, rot.times(x), momentum)
                }
            };
            inertia.store(&mut body.inertia);
            omega_g.store(&mut body.omega_g);
            momentum.store(&mut body.momentum);
            let [force, torque] = [Vec4::load(&body.load[0]), Vec4::load(&body.load[1])];
            let weight = F::load(&body.weight);
            let linear = Vec4::load(&body.vel) * F::load(&body.mass) + force * F::all(h) + gravity * (hk * weight);
            put(&mut self.b, body.x, linear);
            put(&mut self.b, body.x + 3, inertia.times(omega_g) + torque * F::all(h));
        }
        self.fine = lanes(fine);
        for k in 0..self.joints.len() {
            let (i, j) = (self.pose::<F>(self.joints[k].i), self.pose(self.joints[k].j));
            let joint = &mut self.joints[k];
            joint.load = joint.lambda;
            let (si, sj) = (i.1.times(Vec4::load(&joint.ends[0])), j.1.times(Vec4::load(&joint.ends[1])));
            si.store(&mut joint.arms[0]);
            sj.store(&mut joint.arms[1]);
            put(&mut joint.phi, 0, i.0 + si - j.0 - sj);
            for p in 0..joint.pairs {
                let [a, b] = joint.directions[p];
                let (a, b) = (i.1.times(Vec4::load(&a)), j.1.times(Vec4::load(&b)));
                a.store(&mut joint.turned[p][0]);
                b.store(&mut joint.turned[p][1]);
                a.cross(b).store(&mut joint.rows[p]);
                a.dot(b).store(&mut joint.phi[3 + p]);
            }
        }
    }

    /// Position and rotation of a body at the start of the step.
    #[inline(always)]
    pub(super) fn pose<F: Number>(&self, dense: usize) -> (Vec4<F>, Mat4<F>) {
        match self.bodies.get(dense) {
            Some(b) => (Vec4::load(&b.pos), Mat4::load(&b.rot)),
            None => {
                let still = &self.still[dense - self.bodies.len()];
                (Vec4::load(&still.pos), Mat4::load(&still.rot))
            }
        }
    }

    /// A from the forces of the last pass, or what the forces just found ask for (`aligned::stiffness`).
    #[inline(always)]
    pub(super) fn stiffen<F: Number>(&mut self, asked: bool) {
        let Abreast { bodies, joints, regime, .. } = self;
        for b in bodies.iter_mut() {
            Mat4::<F>::zero().store(b.stiffness(asked));
        }
        let h2 = F::of(each(|k| regime[k].h_long * regime[k].h_long));
        for joint in joints {
            let l = if asked { &joint.found } else { &joint.load };
            let f = h2 * get::<F>(l, 0).length();
            for (side, b) in [joint.i, joint.j].into_iter().enumerate() {
                if let Some(b) = bodies.get_mut(b) {
                    let s = across(Vec4::load(&joint.arms[side]), F::load(&joint.lengths[side]), f);
                    add_to(b.stiffness(asked), &s);
                }
            }
            if joint.carries.contains(&true) {
                let mut moment = zero::<F>();
                for p in (0..joint.pairs).filter(|&p| joint.carries[p]) {
                    moment = moment + Vec4::load(&joint.rows[p]) * F::load(&l[3 + p]);
                }
                let s = across_moment(moment, h2 * F::load(&joint.kappa));
                for b in [joint.i, joint.j] {
                    if let Some(b) = bodies.get_mut(b) {
                        add_to(b.stiffness(asked), &s);
                    }
                }
            }
        }
    }

    /// Largest tr(I^-1 A) of each lane.
    #[inline(always)]
    pub(super) fn most<F: Number>(&self, asked: bool) -> [f64; LANES] {
        let mut most = F::all(0.0);
        for body in &self.bodies {
            let a = Mat4::<F>::load(if asked { &body.asked } else { &body.added });
            let (rot, d) = (Mat4::load(&body.rot), Vec4::<F>::load(&body.moments));
            let x = if body.axes == Axes::Other {
                let b = rot.transposed().product(&a).product(&rot);
                let m = Mat4::load(&body.local).inverse();
                m.0[0].dot(b.0[0]) + m.0[1].dot(b.0[1]) + m.0[2].dot(b.0[2])
            } else {
                let a = Sym4::of_matrix(&a).along(&rot);
                a[0] / d.x + a[1] / d.y + a[2] / d.z
            };
            most = x.max(most);
        }
        most.array()
    }

    /// One for the lanes in which no force has grown (`aligned::calm`).
    #[inline(always)]
    pub(super) fn calm<F: Number>(&self) -> [f64; LANES] {
        let limit = (1.0 + T.passes.jump) * (1.0 + T.passes.jump);
        let mut calm = mask::<F>([self.joints.iter().all(|j| j.pairs == 0); LANES]);
        for joint in &self.joints {
            let (found, load) = (get::<F>(&joint.found, 0), get::<F>(&joint.load, 0));
            calm = calm & found.dot(found).at_most(load.dot(load) * limit);
        }
        calm.select(F::all(1.0), F::all(0.0)).array()
    }

    /// One for the lanes whose forces would have asked for clearly more stiffness (`along::grew_along`).
    #[inline(always)]
    pub(super) fn grown<F: Number>(&self, next: [f64; LANES]) -> [f64; LANES] {
        let (now, next) = (F::of(self.share.map(|r| 1.0 - r)), F::of(next.map(|r| 1.0 - r)));
        let mut grown = mask::<F>([false; LANES]);
        for body in &self.bodies {
            let (axes, d) = (Mat4::<F>::load(&body.rot), Vec4::<F>::load(&body.moments));
            let old = Sym4::of_matrix(&Mat4::load(&body.added)).along(&axes);
            let new = Sym4::of_matrix(&Mat4::load(&body.asked)).along(&axes);
            for (k, mass) in [d.x, d.y, d.z].into_iter().enumerate() {
                grown = grown | grows(mass, old[k] * now, new[k] * next, T.passes.jump);
            }
        }
        grown.select(F::all(1.0), F::all(0.0)).array()
    }

    /// The forces just found, and their stiffness, take the place of the old ones in some lanes.
    #[inline(always)]
    pub(super) fn take<F: Number>(&mut self, lanes: [bool; LANES]) {
        let which = mask::<F>(lanes);
        for joint in &mut self.joints {
            for r in 0..3 + joint.pairs {
                which.select(F::load(&joint.found[r]), F::load(&joint.load[r])).store(&mut joint.load[r]);
            }
        }
        for body in &mut self.bodies {
            let (asked, added) = (Mat4::<F>::load(&body.asked), Mat4::load(&body.added));
            asked.select(which, &added).store(&mut body.added);
        }
    }
}
