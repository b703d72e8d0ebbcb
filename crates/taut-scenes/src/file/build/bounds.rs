//! Limits, friction and strength of a scene file into those of a joint.

use super::joints::{soft_angular, soft_linear};
use super::motors::{BALL, UNIVERSAL};
use crate::file::Joint;
use crate::file::bound::{Give, GivenFriction, GivenLimit};
use crate::file::error::{At, FileError, Path};
use taut::{Freedom, Friction, Limit, Strength};

/// What bounds a joint.
pub(super) struct Bounds {
    pub limits: Vec<Limit>,
    pub friction: Vec<Friction>,
    pub strength: Option<Strength>,
}

/// Reads the bounds of a joint.
pub(super) fn read(joint: &Joint, path: &Path) -> Result<Bounds, FileError> {
    let head = joint.head();
    let each = |name: &str, k: usize| path.key(name).index(k);
    let limits = head.limits.iter().enumerate();
    let limits = limits.map(|(k, l)| limit(joint, &GivenLimit::from(*l), &each("limits", k)));
    let friction = head.friction.iter().enumerate();
    let friction = friction.map(|(k, f)| rub(joint, &GivenFriction::from(*f), &each("friction", k)));
    Ok(Bounds {
        limits: limits.collect::<Result<_, _>>()?,
        friction: friction.collect::<Result<_, _>>()?,
        strength: head.strength.map(|s| strength(&s, &path.key("strength"))).transpose()?,
    })
}

fn limit(joint: &Joint, g: &GivenLimit, path: &Path) -> Result<Limit, FileError> {
    let (freedom, sign) = freedom(joint, g.freedom, path)?;
    let soft = match &g.give {
        Give::Linear(s) => soft_linear(s, path)?,
        Give::Angular(s) => soft_angular(s, path)?,
    };
    let (lower, upper) = (g.lower.unwrap_or(f64::NEG_INFINITY), g.upper.unwrap_or(f64::INFINITY));
    let limit = Limit { freedom, lower, upper, soft, restitution: g.restitution };
    let side = if g.lower.is_some() { "lower" } else { "upper" };
    limit.validate().among(path, &[("lower and upper", side), ("restitution", "restitution")])?;
    // Where the freedom counts backwards, the lower limit is the upper one.
    Ok(if sign < 0.0 { Limit { lower: -upper, upper: -lower, ..limit } } else { limit })
}

fn rub(joint: &Joint, g: &GivenFriction, path: &Path) -> Result<Friction, FileError> {
    let (freedom, _) = freedom(joint, g.freedom, path)?;
    if g.max.is_none() && g.per_load.is_none() {
        return Err(FileError::new(path.clone(), "friction that never rubs: expected 'max' or 'per_load'"));
    }
    let friction = Friction { freedom, max: g.max.unwrap_or(0.0), per_load: g.per_load.unwrap_or(0.0) };
    friction.validate().among(path, &[("max", "max"), ("per_load", "per_load")])?;
    Ok(friction)
}

fn strength(s: &crate::file::Strength, path: &Path) -> Result<Strength, FileError> {
    let (force, torque) = (s.force.map(|x| x.value), s.torque.map(|x| x.value));
    if force.is_none() && torque.is_none() {
        return Err(FileError::new(path.clone(), "a strength without bound: expected 'force' or 'torque'"));
    }
    let strength = Strength { force: force.unwrap_or(f64::INFINITY), torque: torque.unwrap_or(f64::INFINITY) };
    strength.validate().among(path, &[("force", "force"), ("torque", "torque")])?;
    Ok(strength)
}

/// The engine's freedom, and -1 where it counts backwards. Only what the joint leaves free can be bounded.
fn freedom(joint: &Joint, (name, index): (&'static str, usize), path: &Path) -> Result<(Freedom, f64), FileError> {
    let (free, leans, sign): (&[&str], &[Freedom], f64) = match joint {
        Joint::Hinge(_) | Joint::Planar(_) => (&["turn"], &[], 1.0),
        Joint::Prismatic(_) => (&["slide"], &[], 1.0),
        Joint::Cylindrical(_) => (&["turn", "slide"], &[], 1.0),
        Joint::Universal(_) => (&["swing", "lean"], &UNIVERSAL, -1.0),
        Joint::Ball(_) => (&["swing", "twist", "lean"], &BALL, 1.0),
        Joint::Cable(_) | Joint::FlexibleCable(_) => (&["swing", "twist"], &[], 1.0),
        Joint::Distance(_) | Joint::Rope(_) | Joint::Ligament(_) => (&["length"], &[], 1.0),
        Joint::PointOnLine(_) | Joint::Weld(_) | Joint::Translational(_) | Joint::AxialLock(_) => (&[], &[], 1.0),
    };
    if !free.contains(&name) {
        let words: Vec<String> = free.iter().map(|f| format!("'{f}'")).collect();
        let expected = format!("{}, which this joint leaves free", words.join(" or "));
        return Err(FileError::input(path.key("freedom"), format!("'{name}'"), expected));
    }
    Ok(match name {
        "turn" => (Freedom::Turn, 1.0),
        "slide" => (Freedom::Slide, 1.0),
        "swing" => (Freedom::Swing, 1.0),
        "twist" => (Freedom::Twist, 1.0),
        "length" => (Freedom::Length, 1.0),
        _ => match leans.get(index) {
            Some(lean) => (*lean, sign),
            None => {
                let expected = format!("a whole number below {}, the rotations of this joint", leans.len());
                return Err(FileError::input(path.key("index"), index, expected));
            }
        },
    })
}
