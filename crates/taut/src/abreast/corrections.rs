//! The second order of four worlds at a time: the estimate of the regime and the corrections of resolved islands
//! (`passes::second_order`, `stabilise::resolved`).

use super::vectors::{get, lanes, mask, put, zero};
use super::{Abreast, Axes, Joint, Part, Told, each};
use crate::math::lanes::{LANES, Mask, Mat4, Number, Vec4};
use crate::stabilise::momentum::Drift;
use crate::stabilise::resolved;
use crate::tuning::T;
use glam::DVec3;

impl Abreast {
    /// Some rounds of power iteration on the factor just used, and the regime that they say, in some lanes.
    pub(super) fn estimate(&mut self, of: [bool; LANES]) {
        let known = each(|k| of[k] && resolved::is_known(&self.regime[k], self.largest[k], self.steps[k]));
        let asks = each(|k| of[k] && !known[k]);
        let rounds = each(|k| if asks[k] { resolved::probes(&self.regime[k], self.largest[k]) } else { 0 });
        let mut quotient = each(|k| (rounds[k] > 0).then_some(0.0));
        for round in 0..rounds.into_iter().max().unwrap_or(0) {
            let [num, den] = self.run(Part::Probe(round, rounds));
            for k in (0..LANES).filter(|&k| round < rounds[k] && den[k].is_normal()) {
                quotient[k] = Some(num[k] / den[k]);
            }
        }
        for k in 0..LANES {
            self.probed[k] |= rounds[k] > 0;
            match (known[k], asks[k]) {
                (true, _) => resolved::remember(&mut self.regime[k], self.largest[k]),
                (_, true) => resolved::update(&mut self.regime[k], self.largest[k], quotient[k]),
                _ => {}
            }
        }
    }

    /// A round of the power iteration: z.A z and z.M z of what it has led to, which takes the place of z where it is a number.
    #[inline(always)]
    pub(super) fn probe<F: Number>(&mut self, round: usize, rounds: [usize; LANES]) -> Told {
        let largest = F::of(self.largest.map(|x| 1e-6 * x));
        let nothing = F::all(0.0);
        for body in &mut self.bodies {
            if round == 0 {
                let rot = Mat4::<F>::load(&body.rot);
                let seed = each_seed();
                let (lin, ang) = (rot.times(Vec4::all(seed[0])), rot.times(Vec4::all(seed[1])));
                let start = [lin.x, lin.y, lin.z, ang.x, ang.y, ang.z];
                let mut fresh = mask::<F>([true; LANES]);
                for z in &body.probe {
                    fresh = fresh & F::load(z).equals(nothing);
                }
                for c in 0..6 {
                    fresh.select(start[c], F::load(&body.probe[c])).store(&mut body.probe_next[c]);
                }
            }
            let w = get::<F>(&body.probe_next, 3);
            let (a, m) = (Mat4::<F>::load(&body.added), Mat4::<F>::load(&body.inertia));
            put(&mut self.residual, body.x, zero::<F>());
            put(&mut self.residual, body.x + 3, a.times(w) + m.times(w) * largest);
        }
        for joint in &self.joints {
            for r in joint.x..joint.x + 3 + joint.pairs {
                nothing.store(&mut self.residual[r]);
            }
        }
        self.tree.solve_each::<F>(0..self.bodies.len(), &mut self.residual);
        let (mut num, mut den) = (nothing, nothing);
        for body in &self.bodies {
            let (v, w) = (get::<F>(&self.residual, body.x), get::<F>(&self.residual, body.x + 3));
            den = den + F::load(&body.mass) * v.dot(v);
            num = num + w.dot(Mat4::load(&body.added).times(w));
            den = den + w.dot(Mat4::load(&body.inertia).times(w));
        }
        let parts = den.array();
        let which = mask::<F>(each(|k| round < rounds[k] && parts[k].is_normal()));
        let s = F::all(1.0) / den.sqrt();
        for body in &mut self.bodies {
            for c in 0..6 {
                let next = s * F::load(&self.residual[body.x + c]);
                which.select(next, F::load(&body.probe_next[c])).store(&mut body.probe_next[c]);
            }
        }
        [num.array(), parts]
    }

    /// The corrections of some lanes; where they failed.
    pub(super) fn corrections(&mut self, of: [bool; LANES]) -> [bool; LANES] {
        let (mut going, mut failed, mut before) = (of, [false; LANES], [f64::INFINITY; LANES]);
        let mut round = 0;
        while going.contains(&true) {
            let [worst, momentum] = self.run(Part::Look(round));
            let last = round == T.resolved.corrections;
            let (mut again, mut worse) = ([false; LANES], [false; LANES]);
            for k in (0..LANES).filter(|&k| going[k]) {
                let (worst, momentum) = (worst[k], momentum[k]);
                if worst == f64::INFINITY {
                    failed[k] = true;
                } else if round > 0 && worst > before[k] && worst > 1e-9 {
                    failed[k] = before[k] > T.resolved.failed;
                    worse[k] = !failed[k];
                } else if last && (worst > T.resolved.failed || momentum > T.resolved.failed) {
                    failed[k] = true;
                } else {
                    let settled = worst < T.resolved.close && momentum < T.resolved.momentum_close;
                    again[k] = !(self.rests[k] || last || settled);
                }
                before[k] = worst;
            }
            if worse.contains(&true) {
                self.run(Part::Back(worse));
            }
            if again.contains(&true) {
                self.run(Part::Correct(again));
            }
            going = again;
            round += 1;
        }
        failed
    }

    /// Violations with the solutions at hand, and the momentum that they miss: the largest of both. Joints that turn too far for corrections
    /// are infinitely open.
    #[inline(always)]
    pub(super) fn look<F: Number>(&mut self, round: usize) -> Told {
        let (nothing, one) = (F::all(0.0), F::all(1.0));
        self.see::<F>();
        let r = F::of(self.share);
        let (mut worst, mut too_far, mut any) = (nothing, mask::<F>([false; LANES]), mask::<F>([false; LANES]));
        if round == 0 {
            for body in &mut self.bodies {
                one.store(&mut body.weight_now);
            }
        }
        for joint in &mut self.joints {
            let rho = joint.opening::<F>(false);
            if round == 0 {
                let turned = joint.opening::<F>(true);
                let left = (F::all(T.resolved.rho2) - turned) / F::all(T.resolved.rho2 - T.resolved.rho1);
                let weight = r * left.max(nothing).min(one);
                weight.store(&mut joint.weight);
                for b in [joint.i, joint.j] {
                    if let Some(body) = self.bodies.get_mut(b) {
                        F::load(&body.weight_now).min(weight).store(&mut body.weight_now);
                    }
                }
                too_far = too_far | weight.below(r * 0.5);
            }
            let weight = F::load(&joint.weight);
            any = any | nothing.below(weight);
            worst = (weight * rho).max(worst);
        }
        let momentum = self.defects::<F>(round);
        let any = lanes(any);
        self.rests = each(|k| !any[k] && !self.joints.is_empty());
        [too_far.select(F::all(f64::INFINITY), worst).array(), momentum.array()]
    }

    /// Violations where the velocities lead (`curvature::look`).
    #[inline(always)]
    fn see<F: Number>(&mut self) {
        self.turn_all::<F>(true);
        let h = F::all(self.h);
        for k in 0..self.joints.len() {
            let (i, j) = (self.arc::<F>(self.joints[k].i), self.arc::<F>(self.joints[k].j));
            let rate = self.ball_rate::<F>(k) + zero();
            let joint = &mut self.joints[k];
            let c = i.at(joint.arm(0)) - j.at(joint.arm(1));
            let phi = get::<F>(&joint.phi, 0) + rate * h + c;
            put(&mut joint.next, 0, phi);
            for p in 0..joint.pairs {
                let (a, b) = (Vec4::<F>::load(&joint.turned[p][0]), Vec4::<F>::load(&joint.turned[p][1]));
                i.turned(a).dot(j.turned(b)).store(&mut joint.next[3 + p]);
            }
        }
    }

    /// J v of the ball of a joint.
    #[inline(always)]
    fn ball_rate<F: Number>(&self, k: usize) -> Vec4<F> {
        let joint = &self.joints[k];
        self.anchor::<F>(joint.i, joint.arm(0)) - self.anchor(joint.j, joint.arm(1))
    }

    /// Velocity of the end of an arm of a body.
    #[inline(always)]
    fn anchor<F: Number>(&self, dense: usize, arm: Vec4<F>) -> Vec4<F> {
        match self.bodies.get(dense) {
            Some(b) => get(&self.x, b.x) + get::<F>(&self.x, b.x + 3).cross(arm),
            None => zero(),
        }
    }

    /// Angular velocity of a body.
    #[inline(always)]
    fn turning<F: Number>(&self, dense: usize) -> Vec4<F> {
        match self.bodies.get(dense) {
            Some(b) => get(&self.x, b.x + 3),
            None => zero(),
        }
    }

    /// The momentum defects of all bodies (`stabilise::momentum`); their largest relative change.
    #[inline(always)]
    fn defects<F: Number>(&mut self, round: usize) -> F {
        let nothing = F::all(0.0);
        let (mut most, mut near) = (nothing, mask::<F>(self.fine));
        for body in &mut self.bodies {
            let weight = F::load(&body.weight_now);
            let counts = nothing.below(weight);
            if body.axes == Axes::Any || !counts.any() {
                zero::<F>().store(&mut body.correction);
                continue;
            }
            let inertia = Mat4::<F>::load(&body.inertia);
            let drift = Drift::of(&inertia, get(&self.x, body.x + 3), self.h);
            near = near & (drift.near | !counts);
            let defect = drift.misses(Vec4::load(&body.momentum), inertia.times(Vec4::load(&body.omega_g)));
            let apart = if round == 0 { defect } else { defect - Vec4::load(&body.correction) };
            let change = drift.change(weight, apart, F::load(&body.mass), F::load(&body.size));
            most = counts.select(change, nothing).max(most);
            defect.select(counts, zero()).store(&mut body.correction);
        }
        self.fine = lanes(near);
        most
    }

    /// Solves once more, with the rows aimed at where the bodies will be and with the momentum that was missed, in some lanes.
    #[inline(always)]
    pub(super) fn correct<F: Number>(&mut self, of: [bool; LANES]) {
        let which = mask::<F>(of);
        self.known::<F>(true);
        self.aim::<F>();
        for body in &mut self.bodies {
            let kick = Vec4::<F>::load(&body.correction) * F::load(&body.weight_now);
            let now = get::<F>(&self.residual, body.x + 3);
            put(&mut self.residual, body.x + 3, now + kick);
        }
        self.tree.solve_each::<F>(0..self.bodies.len(), &mut self.residual);
        let Abreast { x, saved, residual, .. } = self;
        let all = x.len();
        let (saved, residual) = (&mut saved[..all], &residual[..all]);
        for q in 0..all {
            let old = F::load(&x[q]);
            which.select(old, F::load(&saved[q])).store(&mut saved[q]);
            which.select(F::load(&residual[q]), old).store(&mut x[q]);
        }
    }

    /// Rows aimed at phi = 0 from the velocities at hand (`close::velocities::aimed_rhs`).
    #[inline(always)]
    fn aim<F: Number>(&mut self) {
        let (h, nothing, one) = (F::all(self.h), F::all(0.0), F::all(1.0));
        for k in 0..self.joints.len() {
            let rate = self.ball_rate::<F>(k);
            let joint = &self.joints[k];
            let apart = self.turning::<F>(joint.i) - self.turning(joint.j);
            let weight = F::load(&joint.weight);
            let aims = nothing.below(weight);
            for r in 0..3 + joint.pairs {
                let jv = match r {
                    0 => rate.x,
                    1 => rate.y,
                    2 => rate.z,
                    r => Vec4::load(&joint.rows[r - 3]).dot(apart),
                };
                let base = F::load(&self.b[joint.x + r]);
                let aimed = (jv + nothing) - F::load(&joint.next[r]) / h - nothing;
                let aimed = weight * aimed + (one - weight) * base;
                aims.select(aimed, base).store(&mut self.residual[joint.x + r]);
            }
        }
    }

    /// Solutions before the last correction, in some lanes.
    #[inline(always)]
    pub(super) fn back<F: Number>(&mut self, of: [bool; LANES]) {
        let which = mask::<F>(of);
        for (x, saved) in self.x.iter_mut().zip(&self.saved) {
            which.select(F::load(saved), F::load(x)).store(x);
        }
    }

    /// The largest opening of a joint after the velocities at hand, in parts of its reach.
    #[inline(always)]
    pub(super) fn opening<F: Number>(&mut self) -> [f64; LANES] {
        self.see::<F>();
        let mut worst = F::all(0.0);
        for joint in &self.joints {
            worst = joint.opening::<F>(false).max(worst);
        }
        worst.array()
    }
}

impl Joint {
    /// How far it is open, in parts of its reach: the gap of its ball, or an angle (`resolved::opening`); with the curvature that its rows
    /// were given, how far it has turned.
    #[inline(always)]
    fn opening<F: Number>(&self, turned: bool) -> F {
        let mut phi = [F::all(0.0); 6];
        for r in 0..3 + self.pairs {
            phi[r] = F::load(&self.next[r]);
            if turned {
                phi[r] = phi[r] + F::load(&self.curve[r]);
            }
        }
        let gap = Vec4 { x: phi[0], y: phi[1], z: phi[2] };
        let mut open = gap.length() / F::load(&self.reach);
        for r in 3..3 + self.pairs {
            open = phi[r].abs().max(open);
        }
        open
    }
}

/// Where the power iteration starts, linear and angular, fixed to the body.
fn each_seed() -> [DVec3; 2] {
    [0, 3].map(|at| DVec3::new(resolved::seed(at), resolved::seed(at + 1), resolved::seed(at + 2)))
}
