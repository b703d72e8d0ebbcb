//! Motors and springs of a scene file into motors of a joint.

use super::free::{BALL, UNIVERSAL, freedom};
use crate::file::error::{At, FileError, Path};
use crate::file::joint::Kind;
use crate::file::motor::Given;
use crate::file::quantity::Quantity;
use crate::file::{Freedom as Word, Joint, SpringOf};
use taut::{Command, Freedom, Motor};

/// A motor of the file: what is said of it, what it drives, -1 where that counts backwards, and its place.
#[derive(Clone)]
pub(super) struct Said {
    pub given: Given,
    pub freedom: Freedom,
    pub sign: f64,
    pub path: Path,
}

/// What a file says of the motors of a joint, in the order they are added: those of `motor`, then those of `motors`.
pub(super) fn said(joint: &Joint, path: &Path) -> Result<Vec<Said>, FileError> {
    let mut out = own(&joint.kind, &path.key("motor"))?;
    for (k, m) in joint.motors.iter().enumerate() {
        let (given, path) = (Given::from(m), path.key("motors").index(k));
        let (freedom, sign) = freedom(&joint.kind, given.freedom.unwrap_or(Word::Lean), given.index, &path)?;
        out.push(Said { given, freedom, sign, path });
    }
    Ok(out)
}

/// The motors of the field `motor`, which the kinds of joints have each in their way.
fn own(kind: &Kind, path: &Path) -> Result<Vec<Said>, FileError> {
    let mut out = Vec::new();
    let mut add = |given: Option<Given>, freedom: Freedom, sign: f64, path: Path| {
        let Some(given) = given else { return Ok(()) };
        if let Some(f) = given.freedom {
            let expected = "none here: use 'motors' to name what is driven";
            return Err(FileError::input(path.key("freedom"), format!("'{}'", f.word()), expected));
        }
        if given.stiffness.is_none() && given.damping.is_none() && given.target.is_none() && given.rate.is_none() {
            let message = "a motor that is told nothing: expected 'rate', or 'stiffness' or 'damping' of a servo";
            return Err(FileError::new(path, message));
        }
        out.push(Said { given, freedom, sign, path });
        Ok(())
    };
    match kind {
        Kind::Hinge(p) | Kind::Planar(p) => add(p.motor.as_ref().map(Given::from), Freedom::Turn, 1.0, path.clone())?,
        Kind::Prismatic(p) => add(p.motor.as_ref().map(Given::from), Freedom::Slide, 1.0, path.clone())?,
        Kind::Cylindrical(p) => {
            if let Some((turn, slide)) = &p.motor {
                add(turn.as_ref().map(Given::from), Freedom::Turn, 1.0, path.index(0))?;
                add(slide.as_ref().map(Given::from), Freedom::Slide, 1.0, path.index(1))?;
            }
        }
        Kind::Universal(p) => {
            for (k, m) in p.motor.iter().flatten().enumerate() {
                add(m.as_ref().map(Given::from), UNIVERSAL[k], -1.0, path.index(k))?;
            }
        }
        Kind::Ball(b) => {
            for (k, m) in b.motor.iter().flatten().enumerate() {
                add(m.as_ref().map(Given::from), BALL[k], 1.0, path.index(k))?;
            }
        }
        _ => {}
    }
    Ok(out)
}

/// The motors of a joint.
pub(super) fn drives(joint: &Joint, path: &Path) -> Result<Vec<Motor>, FileError> {
    said(joint, path)?.into_iter().map(|m| drive(&m.given, m.freedom, m.sign, m.path)).collect()
}

/// One motor; `sign` is -1 where the freedom counts backwards.
fn drive(g: &Given, freedom: Freedom, sign: f64, path: Path) -> Result<Motor, FileError> {
    let told = g.target.is_some() || g.rate.is_some();
    let command = Command { target: sign * g.target.unwrap_or(0.0), rate: sign * g.rate.unwrap_or(0.0) };
    let name = g.name.clone().unwrap_or_default();
    let spring = g.spring;
    let tell = |motor: Motor| Motor { command: told.then_some(command), spring, ..motor.on(freedom).named(name) };
    command.validate(freedom).among(&path, &[("motor target", "target"), ("motor rate", "rate")])?;
    if g.stiffness.is_none() && g.damping.is_none() {
        if let Some(target) = g.target {
            let expected = "none without 'stiffness': a motor without stiffness and damping keeps its rate";
            return Err(FileError::input(path.key("target"), target, expected));
        }
        if spring {
            return Err(FileError::input(path.key("spring"), true, "false without 'stiffness' and 'damping'"));
        }
        return bounded(g, sign, tell(Motor::rate()), &path);
    }
    let [stiffness, damping] = [("stiffness", g.stiffness), ("damping", g.damping)].map(|(n, x)| (n, x.unwrap_or(0.0)));
    for ((name, x), unit) in [stiffness, damping].into_iter().zip(g.units) {
        if x < 0.0 {
            return Err(FileError::input(path.key(name), x, format!("zero or a positive number of {unit}")));
        }
    }
    if stiffness.1 == 0.0 && damping.1 == 0.0 {
        let name = if g.stiffness.is_some() { "stiffness" } else { "damping" };
        return Err(FileError::input(path.key(name), 0.0, "a positive stiffness or damping, or neither"));
    }
    if let (Some(target), true) = (g.target, stiffness.1 == 0.0) {
        return Err(FileError::input(path.key("target"), target, "none without 'stiffness', which pulls to it"));
    }
    bounded(g, sign, tell(Motor::servo(stiffness.1, damping.1)), &path)
}

/// The motor with the bounds on its force.
fn bounded(g: &Given, sign: f64, motor: Motor, path: &Path) -> Result<Motor, FileError> {
    let unit = g.units[2];
    let (least, most) = match (g.min_force, g.max_force) {
        (None, None) => return Ok(motor),
        (None, Some(most)) if most <= 0.0 => {
            let expected = format!("a positive number of {unit}, or none when nothing bounds it");
            return Err(FileError::input(path.key("max_force"), most, expected));
        }
        (None, Some(most)) => (-most, most),
        (Some(least), most) => (least, most.unwrap_or(f64::INFINITY)),
    };
    if !(least <= 0.0) {
        return Err(FileError::input(path.key("min_force"), least, format!("zero or a negative number of {unit}")));
    }
    if !(most >= 0.0 && least < most) {
        let expected = format!("zero or a positive number of {unit}, more than 'min_force'");
        return Err(FileError::input(path.key("max_force"), most, expected));
    }
    // Where the freedom counts backwards, to pull is to push.
    Ok(if sign < 0.0 { motor.force_range(-most, -least) } else { motor.force_range(least, most) })
}

/// A spring on a freedom: its stiffness and its damping.
type Spring = (Freedom, f64, f64);

/// Springs on all that a joint leaves free.
pub(super) fn springs(joint: &Joint, free: &[Freedom], path: &Path) -> Result<Vec<Spring>, FileError> {
    let (Some(springs), path) = (joint.springs, path.key("springs")) else { return Ok(Vec::new()) };
    if springs.linear.is_none() && springs.angular.is_none() {
        return Err(FileError::new(path, "springs on nothing: expected 'linear' or 'angular'"));
    }
    let linear = springs.linear.map(|s| servos(&s, free, true, &path.key("linear"))).transpose()?;
    let angular = springs.angular.map(|s| servos(&s, free, false, &path.key("angular"))).transpose()?;
    Ok([linear, angular].into_iter().flatten().flatten().collect())
}

fn servos<Q: Quantity>(
    s: &SpringOf<Q>,
    free: &[Freedom],
    lengths: bool,
    path: &Path,
) -> Result<Vec<Spring>, FileError> {
    let (stiffness, damping) = (s.stiffness.value, s.damping.value);
    let fields = [("motor stiffness", "stiffness"), ("motor damping", "damping")];
    taut_valid(&Motor::servo(stiffness, damping)).among(path, &fields)?;
    let meant: Vec<Freedom> = free.iter().copied().filter(|f| Word::Of(*f).is_length() == lengths).collect();
    if meant.is_empty() {
        let what = if lengths { "translation" } else { "rotation" };
        return Err(FileError::new(path.clone(), format!("a spring on nothing: this joint leaves no {what} free")));
    }
    Ok(meant.into_iter().map(|f| (f, stiffness, damping)).collect())
}

/// Whether the gains of a servo can be.
fn taut_valid(motor: &Motor) -> taut::Result<()> {
    let taut::Drive::Servo { stiffness, damping } = motor.drive else { return Ok(()) };
    for (name, x) in [("motor stiffness", stiffness), ("motor damping", damping)] {
        if !(x >= 0.0 && x.is_finite()) {
            return Err(taut::Error::input(name, x, "zero or a positive, finite number"));
        }
    }
    if stiffness == 0.0 && damping == 0.0 {
        return Err(taut::Error::input("motor stiffness and damping", 0.0, "at least one of them positive"));
    }
    Ok(())
}
