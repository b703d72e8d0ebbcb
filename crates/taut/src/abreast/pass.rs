//! A pass of four worlds at a time, from the memory of the stabiliser to the forces.

use super::vectors::{get, lanes, mask, put, zero};
use super::{Abreast, Body, each};
use crate::math::lanes::{Arc4, Four, LANES, Mask, Mat4, Number, Sym4, Vec4};
use crate::stabilise::memory::bodies::{Remembers, taken_off};
use crate::tuning::T;

/// m = max(m, |v|).
#[inline(always)]
fn raise<F: Number>(m: &mut F, v: Vec4<F>) {
    *m = v.x.abs().max(v.y.abs().max(v.z.abs().max(*m)));
}

/// A and I of a body.
#[inline(always)]
fn forms<F: Number>(body: &Body) -> (Sym4<F>, Sym4<F>) {
    (Sym4::of_matrix(&Mat4::load(&body.added)), Sym4::of_matrix(&Mat4::load(&body.inertia)))
}

impl Body {
    /// What damping and drag make of a mass, and by how much damping adds to an inertia.
    #[inline(always)]
    fn damped<F: Number>(&self, hk: F) -> (F, F) {
        let one = F::all(1.0);
        let [linear, angular] = &self.damping;
        let mass = F::load(&self.mass) * (one + hk * F::load(linear)) + hk * F::load(&self.drag);
        (mass, one + hk * F::load(angular))
    }
}

impl Abreast {
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
            put(&mut joint.curve, 0, c);
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
            let spin = Mat4::<F>::load(&body.inertia).times(w) * more + Mat4::load(&body.added).times(w) * keep;
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
        let (node, row) =
            (nothing.below(node).select(node / impulse, nothing), nothing.below(row).select(row / speed, nothing));
        node.max(row).array()
    }
}
