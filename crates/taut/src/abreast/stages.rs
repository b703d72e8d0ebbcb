//! The stages of the step for four worlds at a time, until their solutions are found; and what follows from these.

use super::{Abreast, Body, Joint, Triple, Turning, each};
use crate::bounded::turned;
use crate::constraint::Side;
use crate::force::gyroscopic::drift;
use crate::math::lanes::{Arc4, Four, LANES, Mask, Mat4, Number, Sym4, Vec4, quat4, turned as turn_by};
use crate::stabilise::along::grows;
use crate::stabilise::memory::bodies::{Remembers, taken_off};
use crate::tuning::T;
use glam::{DMat3, DVec3};
use std::f64::consts::FRAC_PI_2;

/// The vector of one lane.
#[inline(always)]
pub(super) fn lane(v: &Triple, k: usize) -> DVec3 {
    DVec3::new(v[0].0[k], v[1].0[k], v[2].0[k])
}

/// Lanes as a mask.
#[inline(always)]
pub(super) fn mask<F: Number>(lanes: [bool; LANES]) -> F::Which {
    F::all(0.5).below(F::of(lanes.map(|yes| if yes { 1.0 } else { 0.0 })))
}

/// A mask as lanes.
#[inline(always)]
pub(super) fn lanes<M: Mask<F>, F>(mask: M) -> [bool; LANES] {
    [mask.lane(0), mask.lane(1), mask.lane(2), mask.lane(3)]
}

/// A vector of unknowns.
#[inline(always)]
pub(super) fn get<F: Number>(x: &[Four], at: usize) -> Vec4<F> {
    let v = &x[at..at + 3];
    Vec4 { x: F::load(&v[0]), y: F::load(&v[1]), z: F::load(&v[2]) }
}

#[inline(always)]
pub(super) fn put<F: Number>(x: &mut [Four], at: usize, v: Vec4<F>) {
    let to = &mut x[at..at + 3];
    v.x.store(&mut to[0]);
    v.y.store(&mut to[1]);
    v.z.store(&mut to[2]);
}

#[inline(always)]
pub(super) fn zero<F: Number>() -> Vec4<F> {
    Vec4 { x: F::all(0.0), y: F::all(0.0), z: F::all(0.0) }
}

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

/// A shortcut of `integrate`: velocities that are nothing are zero.
#[inline(always)]
fn flush<F: Number>(v: Vec4<F>) -> Vec4<F> {
    Vec4 { x: flush_one(v.x), y: flush_one(v.y), z: flush_one(v.z) }
}

#[inline(always)]
fn flush_one<F: Number>(x: F) -> F {
    x.abs().below(F::all(T.rows.nothing)).select(F::all(0.0), x)
}

/// m = max(m, |v|).
#[inline(always)]
fn raise<F: Number>(m: &mut F, v: Vec4<F>) {
    *m = v.x.abs().max(v.y.abs().max(v.z.abs().max(*m)));
}

/// Numbers of some lanes take the place of others.
#[inline(always)]
fn take_over<F: Number>(which: F::Which, from: &[Four], to: &mut [Four]) {
    for k in 0..to.len() {
        which.select(F::load(&from[k]), F::load(&to[k])).store(&mut to[k]);
    }
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

    /// What damping and drag make of a mass, and by how much damping adds to an inertia.
    #[inline(always)]
    fn damped<F: Number>(&self, hk: F) -> (F, F) {
        let one = F::all(1.0);
        let [linear, angular] = &self.damping;
        let mass = F::load(&self.mass) * (one + hk * F::load(linear)) + hk * F::load(&self.drag);
        (mass, one + hk * F::load(angular))
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
            let (inertia, omega_g, momentum) = if body.isotropic {
                let inertia = Mat4([
                    Vec4 { x: d.x, y: F::all(0.0), z: F::all(0.0) },
                    Vec4 { x: F::all(0.0), y: d.y, z: F::all(0.0) },
                    Vec4 { x: F::all(0.0), y: F::all(0.0), z: d.z },
                ]);
                (inertia, omega, inertia.times(omega))
            } else {
                let near = (longest * longest * omega.dot(omega)).at_most(F::all(1.0));
                let (x, momentum, settled) = drift(d, rot.transposed_times(omega), before, h);
                fine = fine & near & settled;
                (rot.turn_diagonal(d), rot.times(x), rot.times(momentum))
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
            store_phi(&mut joint.phi, i.0 + si - j.0 - sj);
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
    fn pose<F: Number>(&self, dense: usize) -> (Vec4<F>, Mat4<F>) {
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
            if joint.pairs > 0 {
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
            let a = Sym4::of_matrix(&a).along(&Mat4::load(&body.rot));
            let d = Vec4::<F>::load(&body.moments);
            most = (a[0] / d.x + a[1] / d.y + a[2] / d.z).max(most);
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

    /// What a pass is made of, after its stiffness: memory, curvature, right-hand side of the rows, factor, solution, forces.
    #[inline(always)]
    pub(super) fn pass<F: Number>(&mut self) {
        self.memory::<F>();
        self.curvature::<F>();
        self.factor::<F>();
        self.known::<F>(false);
        self.tree.solve_each::<F>(0..self.bodies.len(), &mut self.x);
        self.forces::<F>();
    }

    /// c A wm, and the velocities of bodies by themselves (`stabilise::memory`).
    #[inline(always)]
    fn memory<F: Number>(&mut self) {
        let keep = F::of(each(|k| 1.0 - self.share[k]));
        if self.share.iter().all(|&r| r >= 1.0) {
            for body in &mut self.bodies {
                (body.predicted, body.impulse) = (body.omega_g, [Four([0.0; LANES]); 3]);
            }
            return;
        }
        self.fade::<F>();
        let Abreast { bodies, joints, .. } = self;
        for body in bodies.iter_mut() {
            zero::<F>().store(&mut body.predicted);
        }
        let nodes = bodies.len();
        for joint in joints.iter().filter(|j| j.i < nodes && j.j < nodes) {
            let (i, j) = (&bodies[joint.i], &bodies[joint.j]);
            let u = Vec4::<F>::load(&i.omega_g) - Vec4::load(&j.omega_g);
            let (off_i, off_j) = taken_off(u, keep, forms(i), forms(j));
            (Vec4::load(&i.predicted) + off_i).store(&mut bodies[joint.i].predicted);
            (Vec4::<F>::load(&bodies[joint.j].predicted) - off_j).store(&mut bodies[joint.j].predicted);
        }
        let resolved = mask::<F>(each(|k| self.share[k] >= 1.0));
        for body in bodies {
            let (added, inertia) = forms::<F>(body);
            let omega = Vec4::load(&body.omega_g);
            let known = Remembers {
                omega,
                off: Vec4::load(&body.predicted),
                neighbours: F::load(&body.neighbours),
                inertia,
                added,
                allowed: Some(Sym4::load(&body.before).form(Vec4::load(&body.omega))),
                fade: F::load(&body.fade),
            };
            let (own, impulse) = known.remember(keep);
            omega.select(resolved, own).store(&mut body.predicted);
            zero().select(resolved, impulse).store(&mut body.impulse);
        }
    }

    /// The gap fallback.
    #[inline(always)]
    fn fade<F: Number>(&mut self) {
        let (zero, one, g0) = (F::all(0.0), F::all(1.0), T.aligned.g0);
        for body in &mut self.bodies {
            one.store(&mut body.fade);
        }
        for joint in &self.joints {
            let phi = get::<F>(&joint.phi, 0);
            let gap2 = phi.dot(phi);
            for (side, b) in [joint.i, joint.j].into_iter().enumerate() {
                let Some(body) = self.bodies.get_mut(b) else { continue };
                let arm = joint.arm::<F>(side);
                let arm2 = arm.dot(arm);
                let open = zero.below(arm2) & !gap2.below(arm2 * (0.5 * g0 * g0));
                if open.any() {
                    let left = F::all(2.0) - gap2.sqrt() / (arm2.sqrt() * g0);
                    let left = left.max(zero).min(one);
                    let fade = F::load(&body.fade);
                    open.select(left.min(fade), fade).store(&mut body.fade);
                }
            }
        }
    }

    /// The arcs of all bodies along the angular velocities found, or those of the bodies by themselves.
    #[inline(always)]
    pub(super) fn turn_all<F: Number>(&mut self, found: bool) {
        let h = F::all(self.h);
        for dense in 0..self.bodies.len() + self.still.len() {
            let w = match self.bodies.get(dense) {
                Some(body) if found => get::<F>(&self.x, body.x + 3),
                Some(body) => Vec4::load(&body.predicted),
                None => zero(),
            };
            Arc4::of(w * h).store(&mut self.arcs[dense]);
        }
    }

    /// The arc of a body.
    #[inline(always)]
    pub(super) fn arc<F: Number>(&self, dense: usize) -> Arc4<F> {
        Arc4::load(&self.arcs[dense])
    }

    /// The curvature of the rows along the motion of the bodies by themselves (`curvature::predict_arcs`), and their right-hand side.
    #[inline(always)]
    fn curvature<F: Number>(&mut self) {
        self.turn_all::<F>(false);
        let h = self.h;
        let patience = F::of(each(|k| h / h.max(self.regime[k].h_long)));
        for k in 0..self.joints.len() {
            let (i, j) = (self.arc::<F>(self.joints[k].i), self.arc::<F>(self.joints[k].j));
            let joint = &mut self.joints[k];
            let c = i.at(joint.arm(0)) - j.at(joint.arm(1));
            store_phi(&mut joint.curve, c);
            for p in 0..joint.pairs {
                let (a, b) = (Vec4::<F>::load(&joint.turned[p][0]), Vec4::<F>::load(&joint.turned[p][1]));
                let (ca, cb) = (i.at(a), j.at(b));
                (ca.dot(b) + a.dot(cb) + (i.along(a) + ca).dot(j.along(b) + cb)).store(&mut joint.curve[3 + p]);
            }
            for r in 0..3 + joint.pairs {
                let opening = patience * F::load(&joint.phi[r]) + F::load(&joint.curve[r]);
                // Nothing drives what the rows stand on.
                (-opening / F::all(h) - F::all(0.0)).store(&mut self.b[joint.x + r]);
            }
        }
    }

    /// The tree in joint coordinates (`system::jointed`).
    #[inline(always)]
    fn factor<F: Number>(&mut self) {
        let hk = F::of(self.hk);
        let keep = F::of(each(|k| 1.0 - self.share[k]));
        let kept = F::all(0.0).below(keep);
        let mut broken = mask::<F>([false; LANES]);
        for (n, body) in self.bodies.iter().enumerate() {
            let (mass, more) = body.damped(hk);
            let inertia = Mat4::<F>::load(&body.inertia).scaled(more);
            let with = inertia.plus(&Mat4::load(&body.added).scaled(keep));
            let inertia = Sym4::of_matrix(&with.select(kept, &inertia)).parts();
            let Some((k, first)) = body.held else {
                self.tree.set_each(n, mass, inertia, (zero(), zero()));
                continue;
            };
            let joint = &self.joints[k];
            let (own, other) = if first { (0, 1) } else { (1, 0) };
            self.tree.set_each(n, mass, inertia, (joint.arm(own), joint.arm(other)));
            if joint.pairs > 0 {
                let sign = F::all(if first { 1.0 } else { -1.0 });
                let [a, b, c] = &joint.rows;
                let rows = [Vec4::<F>::load(a) * sign, Vec4::load(b) * sign, Vec4::load(c) * sign];
                broken = broken | self.tree.hold_each(n, &rows[..joint.pairs]);
            }
        }
        if let Some(pivots) = self.tree.factor_each::<F>(0..self.bodies.len()) {
            broken = broken | pivots.which;
        }
        let broken = lanes(broken);
        (0..LANES).for_each(|k| self.fine[k] &= !broken[k]);
    }

    /// The right-hand side with the memory, into `x` or `residual`.
    #[inline(always)]
    pub(super) fn known<F: Number>(&mut self, correction: bool) {
        let Abreast { bodies, joints, b, x, residual, .. } = self;
        let out = if correction { residual } else { x };
        let nothing = F::all(0.0);
        for body in bodies {
            put(out, body.x, get::<F>(b, body.x) + zero());
            put(out, body.x + 3, get::<F>(b, body.x + 3) + Vec4::load(&body.impulse));
        }
        for joint in joints {
            for r in joint.x..joint.x + 3 + joint.pairs {
                (F::load(&b[r]) + nothing).store(&mut out[r]);
            }
        }
    }

    /// Forces from the impulses.
    #[inline(always)]
    pub(super) fn forces<F: Number>(&mut self) {
        let per_hk = F::of(self.hk.map(|hk| 1.0 / hk));
        for joint in &mut self.joints {
            for r in 0..3 + joint.pairs {
                (-F::load(&self.x[joint.x + r]) * per_hk).store(&mut joint.found[r]);
            }
        }
    }

    /// The larger of: momentum left over against the largest impulse, row velocity left over against the largest velocity.
    #[inline(always)]
    pub(super) fn residual<F: Number>(&mut self) -> [f64; LANES] {
        let (hk, one, nothing) = (F::of(self.hk), F::all(1.0), F::all(0.0));
        let keep = F::of(each(|k| 1.0 - self.share[k]));
        let Abreast { bodies, joints, b, x, residual, .. } = self;
        let (mut node, mut row, mut impulse, mut speed) = (nothing, nothing, nothing, nothing);
        for body in bodies.iter() {
            let (mass, more) = body.damped(hk);
            let (v, w) = (get::<F>(x, body.x), get::<F>(x, body.x + 3));
            let known = [get(b, body.x), get::<F>(b, body.x + 3) + Vec4::load(&body.impulse)];
            let spin = Mat4::<F>::load(&body.inertia).times(w) * more
                + Mat4::load(&body.added).times(w) * keep;
            put(residual, body.x, known[0] - v * mass);
            put(residual, body.x + 3, known[1] - spin);
            for v in [v, w, known[0] / F::load(&body.mass)] {
                raise(&mut speed, v);
            }
            for p in known {
                raise(&mut impulse, p);
            }
        }
        for joint in joints.iter() {
            let z = get::<F>(x, joint.x);
            let mut rate = zero::<F>();
            raise(&mut impulse, z);
            for (side, (n, sign)) in [(joint.i, one), (joint.j, -one)].into_iter().enumerate() {
                let Some(body) = bodies.get(n) else { continue };
                let s = joint.arm::<F>(side);
                rate = rate + (get(x, body.x) + get::<F>(x, body.x + 3).cross(s)) * sign;
                let mut turn = s.cross(z);
                for p in 0..joint.pairs {
                    turn = turn + Vec4::load(&joint.rows[p]) * F::load(&x[joint.x + 3 + p]);
                }
                let left = get::<F>(residual, body.x) - z * sign;
                put(residual, body.x, left);
                let left = get::<F>(residual, body.x + 3) - turn * sign;
                put(residual, body.x + 3, left);
            }
            raise(&mut row, rate - get(b, joint.x));
            raise(&mut speed, get(b, joint.x));
        }
        for body in bodies.iter() {
            raise(&mut node, get(residual, body.x));
            raise(&mut node, get(residual, body.x + 3));
        }
        let (node, row) = (nothing.below(node).select(node / impulse, nothing), nothing.below(row).select(row / speed, nothing));
        node.max(row).array()
    }

    /// Solutions of some lanes stand.
    #[inline(always)]
    pub(super) fn done<F: Number>(&mut self, lanes: [bool; LANES]) {
        let which = mask::<F>(lanes);
        take_over::<F>(which, &self.x, &mut self.done);
    }

    /// Poses after the step (`integrate`), and which lanes have lost a number.
    #[inline(always)]
    pub(super) fn poses<F: Number>(&mut self) {
        let mut sum = F::all(0.0);
        for x in &self.done {
            sum = sum + F::load(x);
        }
        let h = F::all(self.h);
        for body in &mut self.bodies {
            let vel = flush(get::<F>(&self.done, body.x));
            let pos = Vec4::load(&body.pos) + vel * h;
            let omega = flush(get::<F>(&self.done, body.x + 3));
            let quat = quat4::<F>(&body.quat);
            let o = F::all(0.0);
            let stands = omega.x.equals(o) & omega.y.equals(o) & omega.z.equals(o);
            let next = turn_by(omega * h, quat);
            vel.store(&mut body.next.vel);
            pos.store(&mut body.next.pos);
            omega.store(&mut body.next.omega);
            for c in 0..4 {
                let q = stands.select(quat[c], next[c]);
                sum = sum + q;
                q.store(&mut body.next.quat[c]);
            }
            // A body that stands has the matrix of its turn already.
            Mat4::<F>::of_turn(quat4(&body.next.quat)).store(&mut body.next.rot);
            sum = sum + (pos.x + pos.y + pos.z);
        }
        // One bad number makes the sum bad.
        let sum = sum.array();
        (0..LANES).for_each(|k| self.fine[k] &= sum[k].is_finite());
    }

    /// Turns of the freedoms that are counted (`bounded::turned`).
    #[inline(always)]
    pub(super) fn turns<F: Number>(&mut self) {
        let mut turns = std::mem::take(&mut self.turns);
        for turn in &mut turns {
            let ((ri, wi), (rj, wj)) = (self.after::<F>(turn.i), self.after::<F>(turn.j));
            let apart: Vec4<F> = wi - wj;
            let by = apart.length() * F::all(self.h);
            let (ui, uj) = (ri.times(Vec4::load(&turn.ends[0])), rj.times(Vec4::load(&turn.ends[1])));
            let stays = mask::<F>(turn.low) & by.below(F::all(FRAC_PI_2)) & F::all(0.0).below(ui.dot(uj));
            turn.next = turn.last;
            if !stays.all() {
                (0..LANES).filter(|&k| !stays.lane(k)).for_each(|k| self.count(turn, k));
            }
        }
        self.turns = turns;
    }

    /// Rotation and angular velocity of a body after the step.
    #[inline(always)]
    fn after<F: Number>(&self, n: usize) -> (Mat4<F>, Vec4<F>) {
        match self.bodies.get(n) {
            Some(b) => (Mat4::load(&b.next.rot), Vec4::load(&b.next.omega)),
            None => (self.pose(n).1, zero()),
        }
    }

    /// The position of a freedom after the step, in a lane where its turns may have changed.
    #[cold]
    #[inline(never)]
    fn count(&self, turn: &mut Turning, k: usize) {
        let before = [turn.i, turn.j].map(|n| self.side(n, k, false));
        let after = [turn.i, turn.j].map(|n| self.side(n, k, true));
        let omega = |n: usize| self.bodies.get(n).map_or(DVec3::ZERO, |b| lane(&b.next.omega, k));
        let turning = omega(turn.i) - omega(turn.j);
        turn.next[k] = turned::passed(&turn.of[k], turn.last[k], &before, &after, turning, self.h);
    }

    /// A body of one lane, before or after the step.
    fn side(&self, n: usize, k: usize, after: bool) -> Side {
        let (pos, rot) = match self.bodies.get(n) {
            Some(b) if after => (&b.next.pos, &b.next.rot),
            Some(b) => (&b.pos, &b.rot),
            None => (&self.still[n - self.bodies.len()].pos, &self.still[n - self.bodies.len()].rot),
        };
        Side { pos: lane(pos, k), rot: DMat3::from_cols(lane(&rot[0], k), lane(&rot[1], k), lane(&rot[2], k)) }
    }

    /// The result into what is kept from step to step, in some lanes.
    #[inline(always)]
    pub(super) fn commit<F: Number>(&mut self, lanes: [bool; LANES]) {
        let (which, probed) = (mask::<F>(lanes), mask::<F>(each(|k| lanes[k] && self.probed[k])));
        let per_hk = F::of(self.hk.map(|hk| 1.0 / hk));
        for body in &mut self.bodies {
            let Body { next, pos, quat, rot, vel, omega, .. } = body;
            take_over::<F>(which, &next.pos, pos);
            take_over::<F>(which, &next.quat, quat);
            for c in 0..3 {
                take_over::<F>(which, &next.rot[c], &mut rot[c]);
            }
            take_over::<F>(which, &next.vel, vel);
            take_over::<F>(which, &next.omega, omega);
            let added = Sym4::of_matrix(&Mat4::<F>::load(&body.added)).parts();
            for c in 0..6 {
                which.select(added[c], F::load(&body.before[c])).store(&mut body.before[c]);
            }
            take_over::<F>(probed, &body.probe_next, &mut body.probe);
        }
        for joint in &mut self.joints {
            for r in 0..3 + joint.pairs {
                let found = -F::load(&self.done[joint.x + r]) * per_hk;
                which.select(found, F::load(&joint.lambda[r])).store(&mut joint.lambda[r]);
            }
        }
    }
}

/// A and I of a body.
#[inline(always)]
fn forms<F: Number>(body: &Body) -> (Sym4<F>, Sym4<F>) {
    (Sym4::of_matrix(&Mat4::load(&body.added)), Sym4::of_matrix(&Mat4::load(&body.inertia)))
}

/// The first three of the rows of a joint.
#[inline(always)]
pub(super) fn store_phi<F: Number>(to: &mut [Four; 6], v: Vec4<F>) {
    v.x.store(&mut to[0]);
    v.y.store(&mut to[1]);
    v.z.store(&mut to[2]);
}
