//! Motors of a scene file into motors of a joint.

use crate::file::Joint;
use crate::file::error::{FileError, Path};
use crate::file::motor::Given;
use taut::{Axis, Command, Freedom, Motor};

/// A motor, what it is told at the start, and where in the file it is.
pub(super) struct Drive {
    pub motor: Motor,
    pub command: Command,
    pub path: Path,
}

/// The rotations of a ball about -v, n and -u of its frames, which are x, y and z when their axis is along y.
pub(super) const BALL: [Freedom; 3] =
    [Freedom::Lean(Axis::U, Axis::N), Freedom::Lean(Axis::U, Axis::V), Freedom::Lean(Axis::N, Axis::V)];

/// The rotations of a universal joint about the two arms of its cross. They are the exact angles of the cross, but count backwards.
pub(super) const UNIVERSAL: [Freedom; 2] = [Freedom::Lean(Axis::V, Axis::U), Freedom::Lean(Axis::N, Axis::V)];

/// The motors of a joint.
pub(super) fn drives(joint: &Joint, path: &Path) -> Result<Vec<Drive>, FileError> {
    let path = path.key("motor");
    let mut out = Vec::new();
    let mut add = |given: Option<Given>, freedom, sign, path: Path| {
        if let Some(g) = given {
            out.push(drive(&g, freedom, sign, path)?);
        }
        Ok::<(), FileError>(())
    };
    match joint {
        Joint::Hinge(p) | Joint::Planar(p) => add(p.motor.map(Given::from), Freedom::Turn, 1.0, path)?,
        Joint::Prismatic(p) => add(p.motor.map(Given::from), Freedom::Slide, 1.0, path)?,
        Joint::Cylindrical(p) => {
            let (turn, slide) = p.motor.unwrap_or_default();
            add(turn.map(Given::from), Freedom::Turn, 1.0, path.index(0))?;
            add(slide.map(Given::from), Freedom::Slide, 1.0, path.index(1))?;
        }
        Joint::Universal(p) => {
            for (k, m) in p.motor.unwrap_or_default().into_iter().enumerate() {
                add(m.map(Given::from), UNIVERSAL[k], -1.0, path.index(k))?;
            }
        }
        Joint::Ball(b) => {
            for (k, m) in b.motor.unwrap_or_default().into_iter().enumerate() {
                add(m.map(Given::from), BALL[k], 1.0, path.index(k))?;
            }
        }
        Joint::Weld(_) | Joint::Translational(_) | Joint::AxialLock(_) | Joint::Cable(_) | Joint::FlexibleCable(_) => {}
        Joint::PointOnLine(_) | Joint::Distance(_) | Joint::Rope(_) | Joint::Ligament(_) => {}
    }
    Ok(out)
}

/// One motor; `sign` is -1 where the freedom counts backwards.
fn drive(g: &Given, freedom: Freedom, sign: f64, path: Path) -> Result<Drive, FileError> {
    let command = Command { target: sign * g.target.unwrap_or(0.0), rate: sign * g.rate.unwrap_or(0.0) };
    if g.stiffness.is_none() && g.damping.is_none() {
        if let Some(target) = g.target {
            let expected = "none without 'stiffness': a motor without stiffness and damping keeps its rate";
            return Err(FileError::input(path.key("target"), target, expected));
        }
        if g.rate.is_none() {
            let message = "a motor that is told nothing: expected 'rate', or 'stiffness' or 'damping' of a servo";
            return Err(FileError::new(path, message));
        }
        return bounded(g, Drive { motor: Motor::rate(freedom), command, path });
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
    bounded(g, Drive { motor: Motor::servo(freedom, stiffness.1, damping.1), command, path })
}

/// The motor with the bound on its force.
fn bounded(g: &Given, mut drive: Drive) -> Result<Drive, FileError> {
    if let Some(most) = g.max_force {
        if most <= 0.0 {
            let expected = format!("a positive number of {}, or none when nothing bounds it", g.units[2]);
            return Err(FileError::input(drive.path.key("max_force"), most, expected));
        }
        drive.motor = drive.motor.limited(most);
    }
    Ok(drive)
}
