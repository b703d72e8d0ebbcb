//! What is put on joints: give, motors, limits, friction, strength.

use super::Plan;
use crate::file::quantity::{Angular, Linear, Quantity};
use crate::file::{
    AngularSoft, Freedom, Friction, FrictionOf, Limit, LimitOf, LinearSoft, MotorOf, SlideMotor, Soft, Strength,
    TurnMotor,
};
use crate::fuzz::Feature;
use crate::fuzz::draw::digits;

/// What a joint has beside its place; each part by draws of its own.
#[derive(Clone, Default)]
pub(super) struct Bounds {
    /// Stiffness and damping of rows that give.
    give: Option<[f64; 2]>,
    motor: Option<Drive>,
    /// Lower and upper limit.
    limit: Option<[f64; 2]>,
    friction: Option<f64>,
    pub strength: Option<Strength>,
}

#[derive(Clone, Copy)]
struct Drive {
    rate: f64,
    target: f64,
    /// Stiffness and damping of a servo.
    servo: Option<[f64; 2]>,
    most: Option<f64>,
}

/// The bounds of joint `k`, as far as they are switched on.
pub(super) fn bounds(plan: &Plan, k: usize) -> Bounds {
    let range = range(plan, k);
    Bounds {
        give: give(plan, k).filter(|_| plan.has(Feature::Soft)),
        motor: drive(plan, k, range).filter(|_| plan.has(Feature::Motors)),
        limit: plan.draw("limit", k).chance(0.25).then_some(range).filter(|_| plan.has(Feature::Limits)),
        friction: friction(plan, k).filter(|_| plan.has(Feature::Friction)),
        strength: strength(plan, k).filter(|_| plan.has(Feature::Strength)),
    }
}

fn give(plan: &Plan, k: usize) -> Option<[f64; 2]> {
    let mut draw = plan.draw("soft", k);
    let soft = draw.chance(0.2);
    let stiffness = draw.log(1.0, 1e9);
    soft.then(|| [stiffness, digits(draw.log(1e-3, 1.0) * stiffness.sqrt(), 4)])
}

/// Where a joint may go: limits stop it there, and servos aim within.
fn range(plan: &Plan, k: usize) -> [f64; 2] {
    let mut draw = plan.draw("range", k);
    [draw.range(-1.0, 0.0), draw.range(0.0, 1.0)]
}

fn drive(plan: &Plan, k: usize, [low, high]: [f64; 2]) -> Option<Drive> {
    let mut draw = plan.draw("motor", k);
    let (there, servo, bounded) = (draw.chance(0.2), draw.chance(0.5), draw.chance(0.5));
    let rate = draw.range(-2.0, 2.0);
    let (gains, most) = ([draw.log(1.0, 1e8), draw.log(1.0, 1e6)], draw.log(1.0, 1e6));
    let (servo, most) = (servo.then_some(gains), bounded.then_some(most));
    there.then(|| Drive { rate, target: rate.max(low).min(high), servo, most })
}

fn friction(plan: &Plan, k: usize) -> Option<f64> {
    let mut draw = plan.draw("friction", k);
    draw.chance(0.15).then(|| draw.log(1e-2, 1e4))
}

fn strength(plan: &Plan, k: usize) -> Option<Strength> {
    let mut draw = plan.draw("strength", k);
    draw.chance(0.05).then(|| Strength { force: Some(draw.log(1.0, 1e6).into()), torque: None })
}

impl Bounds {
    /// For a particle, which does not turn.
    pub fn without_rotation(self) -> Self {
        Bounds { motor: None, limit: None, friction: None, ..self }
    }

    pub fn linear(&self) -> LinearSoft {
        self.soft()
    }

    pub fn angular(&self) -> AngularSoft {
        self.soft()
    }

    fn soft<Q: Quantity>(&self) -> Soft<Q> {
        let [stiffness, damping] = [0, 1].map(|k| self.give.map(|g| g[k]));
        Soft { compliance: None, stiffness: stiffness.map(Into::into), damping: damping.map(Into::into) }
    }

    pub fn turn_motor(&self) -> Option<TurnMotor> {
        self.drive()
    }

    pub fn slide_motor(&self) -> Option<SlideMotor> {
        self.drive()
    }

    fn drive<Q: Quantity>(&self) -> Option<MotorOf<Q>> {
        self.motor.map(|m| MotorOf {
            rate: m.servo.is_none().then(|| m.rate.into()),
            target: m.servo.map(|_| m.target.into()),
            stiffness: m.servo.map(|s| s[0].into()),
            damping: m.servo.map(|s| s[1].into()),
            max_force: m.most.map(Into::into),
            ..MotorOf::default()
        })
    }

    pub fn turn_limit(&self) -> Vec<Limit> {
        self.limit::<Angular>(taut::Freedom::Turn, true).map(Limit::Angle).into_iter().collect()
    }

    pub fn twist_limit(&self) -> Vec<Limit> {
        self.limit::<Angular>(taut::Freedom::Twist, true).map(Limit::Angle).into_iter().collect()
    }

    /// A cone.
    pub fn swing_limit(&self) -> Vec<Limit> {
        self.limit::<Angular>(taut::Freedom::Swing, false).map(Limit::Angle).into_iter().collect()
    }

    pub fn slide_limit(&self) -> Vec<Limit> {
        self.limit::<Linear>(taut::Freedom::Slide, true).map(Limit::Length).into_iter().collect()
    }

    fn limit<Q: Quantity>(&self, freedom: taut::Freedom, both: bool) -> Option<LimitOf<Q>> {
        self.limit.map(|[low, high]| LimitOf {
            lower: both.then(|| low.into()),
            upper: Some(high.into()),
            ..LimitOf::on(Freedom::Of(freedom))
        })
    }

    pub fn turn_friction(&self) -> Vec<Friction> {
        self.rub::<Angular>(taut::Freedom::Turn).map(Friction::Angle).into_iter().collect()
    }

    pub fn slide_friction(&self) -> Vec<Friction> {
        self.rub::<Linear>(taut::Freedom::Slide).map(Friction::Length).into_iter().collect()
    }

    fn rub<Q: Quantity>(&self, freedom: taut::Freedom) -> Option<FrictionOf<Q>> {
        let freedom = Freedom::Of(freedom);
        self.friction.map(|f| FrictionOf { freedom, index: None, max: Some(f.into()), per_load: None })
    }
}
