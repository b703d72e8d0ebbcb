//! Limits, friction and strength of a scene file into those of a joint.

use super::free::freedom;
use crate::file::bound::{FrictionOf, LimitOf, SpeedOf};
use crate::file::error::{At, FileError, Path};
use crate::file::joint::Kind;
use crate::file::quantity::Quantity;
use crate::file::{self, Joint};
use taut::{Friction, Limit, SpeedLimit, Strength};

/// The limits of a joint.
pub(super) fn limits(joint: &Joint, path: &Path) -> Result<Vec<Limit>, FileError> {
    let at = path.key("limits");
    joint.limits.iter().enumerate().map(|(k, l)| limit(&joint.kind, l, &at.index(k))).collect()
}

/// Its friction.
pub(super) fn friction(joint: &Joint, path: &Path) -> Result<Vec<Friction>, FileError> {
    let at = path.key("friction");
    joint.friction.iter().enumerate().map(|(k, f)| rub(&joint.kind, f, &at.index(k))).collect()
}

/// One limit.
pub(super) fn limit(kind: &Kind, l: &file::Limit, path: &Path) -> Result<Limit, FileError> {
    match l {
        file::Limit::Angle(l) => limit_of(kind, l, path),
        file::Limit::Length(l) => limit_of(kind, l, path),
    }
}

fn limit_of<Q: Quantity>(kind: &Kind, l: &LimitOf<Q>, path: &Path) -> Result<Limit, FileError> {
    let (freedom, sign) = freedom(kind, l.freedom, l.index, path)?;
    let soft = l.soft().engine(path)?;
    let lower = l.lower.map_or(f64::NEG_INFINITY, |x| x.value);
    let upper = l.upper.map_or(f64::INFINITY, |x| x.value);
    let limit = Limit { freedom: Some(freedom), lower, upper, soft, restitution: l.restitution.value };
    let side = if l.lower.is_some() { "lower" } else { "upper" };
    limit.validate(freedom).among(path, &[("lower and upper", side), ("restitution", "restitution")])?;
    // Where the freedom counts backwards, the lower limit is the upper one.
    Ok(if sign < 0.0 { Limit { lower: -upper, upper: -lower, ..limit } } else { limit })
}

/// One friction.
pub(super) fn rub(kind: &Kind, f: &file::Friction, path: &Path) -> Result<Friction, FileError> {
    match f {
        file::Friction::Angle(f) => rub_of(kind, f, path),
        file::Friction::Length(f) => rub_of(kind, f, path),
    }
}

fn rub_of<Q: Quantity>(kind: &Kind, f: &FrictionOf<Q>, path: &Path) -> Result<Friction, FileError> {
    let (freedom, _) = freedom(kind, f.freedom, f.index, path)?;
    if f.max.is_none() && f.per_load.is_none() {
        return Err(FileError::new(path.clone(), "friction that never rubs: expected 'max' or 'per_load'"));
    }
    let (max, per_load) = (f.max.map_or(0.0, |x| x.value), f.per_load.map_or(0.0, |x| x.value));
    let friction = Friction { freedom: Some(freedom), max, per_load };
    let fields = [("max", "max"), ("per_load", "per_load"), ("friction freedom", "freedom")];
    friction.validate(freedom).among(path, &fields)?;
    Ok(friction)
}

/// The bounds of its speed.
pub(super) fn speeds(joint: &Joint, path: &Path) -> Result<Vec<SpeedLimit>, FileError> {
    let at = path.key("speeds");
    let speed = |(k, s): (usize, &file::Speed)| match s {
        file::Speed::Angle(s) => speed_of(&joint.kind, s, &at.index(k)),
        file::Speed::Length(s) => speed_of(&joint.kind, s, &at.index(k)),
    };
    joint.speeds.iter().enumerate().map(speed).collect()
}

fn speed_of<Q: Quantity>(kind: &Kind, s: &SpeedOf<Q>, path: &Path) -> Result<SpeedLimit, FileError> {
    let (freedom, sign) = freedom(kind, s.freedom, s.index, path)?;
    if s.lower.is_none() && s.upper.is_none() {
        return Err(FileError::new(path.clone(), "a speed without bound: expected 'lower' or 'upper'"));
    }
    let (lower, upper) = (s.lower.map_or(f64::NEG_INFINITY, |x| x.value), s.upper.map_or(f64::INFINITY, |x| x.value));
    let limit = SpeedLimit { freedom: Some(freedom), lower, upper };
    let fields = [("lowest", "lower"), ("highest", "upper"), ("freedom of the speed", "freedom")];
    limit.validate(freedom).among(path, &fields)?;
    Ok(if sign < 0.0 { SpeedLimit { lower: -upper, upper: -lower, ..limit } } else { limit })
}

/// What a joint can carry.
pub(super) fn strength(s: &file::Strength, path: &Path) -> Result<Strength, FileError> {
    let (force, torque) = (s.force.map(|x| x.value), s.torque.map(|x| x.value));
    if force.is_none() && torque.is_none() {
        return Err(FileError::new(path.clone(), "a strength without bound: expected 'force' or 'torque'"));
    }
    let strength = Strength { force: force.unwrap_or(f64::INFINITY), torque: torque.unwrap_or(f64::INFINITY) };
    strength.validate().among(path, &[("force", "force"), ("torque", "torque")])?;
    Ok(strength)
}
