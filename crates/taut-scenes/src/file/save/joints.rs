//! Joints of a world.

use super::kinds::kind;
use super::names::Names;
use crate::file::error::{FileError, Path};
use crate::file::quantity::{Linear, Quantity};
use crate::file::{
    Frame, Freedom, Friction, FrictionOf, Joint, Kind, Limit, LimitOf, Motor, MotorOf, Role, Soft, Speed, SpeedOf,
    Strength,
};
use taut::{Drive, JointRef, MotorRef, TreeRole, World};

/// All joints, in order.
pub(super) fn joints(world: &World, names: &Names, warnings: &mut Vec<String>) -> Result<Vec<Joint>, FileError> {
    let all = world.joints().enumerate();
    all.map(|(k, j)| joint(&j, names, &Path::of("joints").index(k), warnings)).collect()
}

fn joint(j: &JointRef<'_>, names: &Names, path: &Path, warnings: &mut Vec<String>) -> Result<Joint, FileError> {
    let (i, other) = j.bodies();
    let bodies = [names.body(i)?.to_owned(), names.body(other)?.to_owned()];
    let kind = kind(j, path)?;
    let called = names.joint(j.id()).map_or_else(|| path.to_string(), |n| format!("joint '{n}'"));
    if matches!(kind, Kind::Rows(_)) && j.kind() != "rows" {
        warnings.push(format!("{called}: of the kind '{}' it is saved as a list of its rows", j.kind()));
    }
    // What the kind brings along is said by it; a list of rows has no limits of its own.
    let own = if matches!(kind, Kind::Rows(_)) { 0 } else { j.own_limits().count() };
    let frames = j.frames();
    Ok(Joint {
        name: names.joint(j.id()),
        frames: Some([frame(&frames.i), frame(&frames.j)]),
        limits: j.limits().skip(own).filter_map(|l| limit(&l)).collect(),
        friction: j.frictions().filter_map(|f| friction(&f)).collect(),
        speeds: j.speed_limits().filter_map(|s| speed(&s)).collect(),
        motors: j.motors().map(|m| motor(&m, &called, warnings)).collect(),
        armature: (j.armature() > 0.0).then(|| j.armature().into()),
        strength: j.strength().and_then(strength),
        role: match j.role() {
            TreeRole::Auto => Role::Auto,
            TreeRole::Tree => Role::Tree,
            TreeRole::Loop => Role::Loop,
        },
        turns: j.turns(),
        enabled: j.is_enabled(),
        user_data: j.user_data(),
        ..Joint::new(kind, bodies)
    })
}

fn frame(f: &taut::Frame) -> Frame {
    let plain = f.n.cross(f.u).to_array().map(f64::to_bits) == f.v.to_array().map(f64::to_bits);
    Frame { origin: f.origin.into(), u: f.u.into(), v: (!plain).then(|| f.v.into()), n: f.n.into() }
}

fn strength(s: taut::Strength) -> Option<Strength> {
    let bound = |x: f64| x.is_finite().then_some(x);
    let (force, torque) = (bound(s.force).map(Into::into), bound(s.torque).map(Into::into));
    (force.is_some() || torque.is_some()).then_some(Strength { force, torque })
}

fn limit(l: &taut::Limit) -> Option<Limit> {
    fn of<Q: Quantity>(l: &taut::Limit, freedom: Freedom) -> LimitOf<Q> {
        let soft = Soft::<Q>::saying(l.soft);
        LimitOf {
            lower: l.lower.is_finite().then(|| l.lower.into()),
            upper: l.upper.is_finite().then(|| l.upper.into()),
            compliance: soft.compliance,
            stiffness: soft.stiffness,
            damping: soft.damping,
            restitution: l.restitution.into(),
            ..LimitOf::on(freedom)
        }
    }
    let freedom = Freedom::Of(l.freedom?);
    Some(if freedom.is_length() { Limit::Length(of(l, freedom)) } else { Limit::Angle(of(l, freedom)) })
}

fn friction(f: &taut::Friction) -> Option<Friction> {
    fn of<Q: Quantity>(f: &taut::Friction, freedom: Freedom) -> FrictionOf<Q> {
        // One of the two has to be there.
        let max = (f.max != 0.0 || f.per_load == 0.0).then(|| f.max.into());
        FrictionOf { freedom, index: None, max, per_load: (f.per_load != 0.0).then(|| f.per_load.into()) }
    }
    let freedom = Freedom::Of(f.freedom?);
    Some(if freedom.is_length() { Friction::Length(of(f, freedom)) } else { Friction::Angle(of(f, freedom)) })
}

fn speed(s: &taut::SpeedLimit) -> Option<Speed> {
    fn of<Q: Quantity>(s: &taut::SpeedLimit, freedom: Freedom) -> SpeedOf<Q> {
        let bound = |x: f64| x.is_finite().then(|| x.into());
        SpeedOf { freedom, index: None, lower: bound(s.lower), upper: bound(s.upper) }
    }
    // One that bounds nothing has no words, and needs none.
    if s.lower.is_infinite() && s.upper.is_infinite() {
        return None;
    }
    let freedom = Freedom::Of(s.freedom?);
    Some(if freedom.is_length() { Speed::Length(of(s, freedom)) } else { Speed::Angle(of(s, freedom)) })
}

fn motor(m: &MotorRef<'_>, joint: &str, warnings: &mut Vec<String>) -> Motor {
    let stiff = matches!(m.drive(), Drive::Servo { stiffness, .. } if stiffness > 0.0);
    if !stiff && m.command().is_some_and(|c| c.target != 0.0) {
        warnings.push(format!("a motor of {joint}: a target, which has no effect without stiffness, is not saved"));
    }
    let freedom = Freedom::Of(m.freedom());
    if freedom.is_length() { Motor::Length(motor_of::<Linear>(m, freedom)) } else { Motor::Angle(motor_of(m, freedom)) }
}

fn motor_of<Q: Quantity>(m: &MotorRef<'_>, freedom: Freedom) -> MotorOf<Q> {
    let (stiffness, damping) = match m.drive() {
        Drive::Rate => (None, None),
        Drive::Servo { stiffness, damping } => (Some(stiffness), Some(damping)),
    };
    let target = m.command().filter(|_| stiffness.is_some_and(|k| k > 0.0)).map(|c| c.target);
    // A target alone stands for a rate of zero.
    let rate = m.command().map(|c| c.rate).filter(|r| target.is_none() || *r != 0.0);
    let def = m.definition();
    let (least, most) = (def.min_force, def.max_force);
    let (least, most) = match (least == -most, most.is_finite()) {
        (true, true) => (None, Some(most)),
        (true, false) => (None, None),
        (false, true) => (Some(least), Some(most)),
        (false, false) => (Some(least), None),
    };
    MotorOf {
        freedom: Some(freedom),
        index: None,
        name: (!m.name().is_empty()).then(|| m.name().to_owned()),
        rate: rate.map(Into::into),
        target: target.map(Into::into),
        stiffness: stiffness.filter(|k| *k > 0.0 || damping.is_none()).map(Into::into),
        damping: damping.filter(|d| *d > 0.0).map(Into::into),
        min_force: least.map(Into::into),
        max_force: most.map(Into::into),
        spring: def.spring && stiffness.is_some(),
    }
}
