//! Programs of a scene file into those of a script.

use super::motors::Said;
use super::script::Names;
use super::signals::{signal, three};
use crate::drive::{Driven, Program, Push, Signal};
use crate::file::error::{At, FileError, Path};
use crate::file::{
    self, BodyProgram, ForceProgram, GravityProgram, Joint, JointProgram, Kind, MotorProgram, RopeProgram,
};
use std::f64::consts::FRAC_PI_2;
use taut::{BodyId, Force, Freedom, Motion, Pose, Vec3};

/// How far a body may be from where its program has it at the start, over its distance from the origin and a metre.
const APART: f64 = 1e-6;

impl Names<'_> {
    pub(super) fn program(&self, p: &file::Program, path: &Path) -> Result<Program, FileError> {
        let (drives, after) = match p {
            file::Program::Motor(m) => (self.motor_program(m, path)?, &m.after),
            file::Program::Force(f) => (self.force_program(f, path)?, &f.after),
            file::Program::Body(b) => (self.body_program(b, path)?, &b.after),
            file::Program::Joint(j) => (self.length_program(j, path)?, &j.after),
            file::Program::Rope(r) => (self.rope_program(r, path)?, &r.after),
            file::Program::Gravity(g) => (self.gravity_program(g, path)?, &g.after),
        };
        let after = after.as_ref().map(|name| self.event_number(name, path.key("after"))).transpose()?;
        Ok(Program { after, drives })
    }

    fn motor_program(&self, p: &MotorProgram, path: &Path) -> Result<Driven, FileError> {
        let motor = self.motor(&p.motor, path.key("motor"))?;
        if p.target.is_none() && p.rate.is_none() {
            return Err(FileError::new(path.clone(), "a motor that is told nothing: expected 'target' or 'rate'"));
        }
        let at = path.key("target");
        let target = p.target.as_ref().map(|s| signal(s, &at)).transpose()?;
        if let Some(s) = &target {
            check_target(&motor.said, s.bounds(), at)?;
        }
        let rate = p.rate.as_ref().map(|s| signal(s, &path.key("rate"))).transpose()?;
        Ok(Driven::Motor { motor: motor.id, sign: motor.said.sign, target, rate })
    }

    fn force_program(&self, p: &ForceProgram, path: &Path) -> Result<Driven, FileError> {
        let force = self.force(&p.force, path.key("force"))?;
        let base = self.b.world.force(force).at(path)?;
        let given = [
            ("scale", p.scale.is_some()),
            ("vector", p.vector.is_some()),
            ("target", p.target.is_some()),
            ("rest_length", p.rest_length.is_some()),
        ];
        let fits: &[&str] = match base {
            Force::Point { .. } | Force::Torque { .. } => &["scale", "vector"],
            Force::Drag { .. } => &["scale"],
            Force::Spring(_) => &["rest_length"],
            Force::Mouse(_) => &["target"],
            _ => &[],
        };
        let words: Vec<String> = fits.iter().map(|f| format!("'{f}'")).collect();
        let expected = format!("{} for this kind of force", words.join(" or "));
        let told: Vec<&str> = given.into_iter().filter(|(_, there)| *there).map(|(name, _)| name).collect();
        let name = match told[..] {
            [] => {
                return Err(FileError::new(path.clone(), format!("a force that is told nothing: expected {expected}")));
            }
            [name] if fits.contains(&name) => name,
            [name] => return Err(FileError::new(path.key(name), format!("{name}: expected {expected}"))),
            [_, other, ..] => {
                return Err(FileError::new(path.key(other), format!("{other}: expected only one of them")));
            }
        };
        let at = path.key(name);
        let by = match (&p.scale, &p.vector, &p.target, &p.rest_length) {
            (Some(s), ..) => Push::Scale(checked(signal(s, &at)?, matches!(base, Force::Drag { .. }), "", &at)?),
            (_, Some(v), ..) => Push::Vector(three(v, &at)?),
            (_, _, Some(v), _) => Push::Target(three(v, &at)?),
            (_, _, _, Some(s)) => Push::RestLength(checked(signal(s, &at)?, true, " of m", &at)?),
            _ => Push::Scale(Signal::Constant(1.0)),
        };
        Ok(Driven::Force { force, base, by })
    }

    fn body_program(&self, p: &BodyProgram, path: &Path) -> Result<Driven, FileError> {
        let body = self.b.find(&p.body, path.key("body"))?;
        if self.b.world.body(body).at(path)?.motion() != Motion::Kinematic {
            let expected = "a body of type kinematic";
            return Err(FileError::input(path.key("body"), format!("'{}'", p.body), expected));
        }
        let posed = p.position.is_some() || p.turn.is_some();
        match (posed, p.velocity.is_some(), p.angular_velocity.is_some()) {
            (false, false, false) => {
                let message =
                    "a body that is told nothing: expected 'position' or 'turn', or 'velocity' or 'angular_velocity'";
                Err(FileError::new(path.clone(), message))
            }
            (true, false, false) => self.pose_program(body, p, path),
            (true, linear, _) => {
                let field = if linear { "velocity" } else { "angular_velocity" };
                Err(FileError::new(path.key(field), format!("{field}: expected none beside 'position' and 'turn'")))
            }
            (false, ..) => {
                let of = |list: &Option<[file::Signal; 3]>, name: &str| {
                    list.as_ref().map(|v| three(v, &path.key(name))).transpose()
                };
                let (linear, angular) = (of(&p.velocity, "velocity")?, of(&p.angular_velocity, "angular_velocity")?);
                Ok(Driven::Velocity { body, linear, angular })
            }
        }
    }

    fn pose_program(&self, body: BodyId, p: &BodyProgram, path: &Path) -> Result<Driven, FileError> {
        let base: Pose = self.b.world.pose(body).at(path)?;
        let position = p.position.as_ref().map(|v| three(v, &path.key("position"))).transpose()?;
        let turn = match &p.turn {
            None => None,
            Some(t) => {
                let at = path.key("turn");
                let axis = t.axis.value.normalize_or_zero();
                if axis == Vec3::ZERO {
                    return Err(FileError::input(at.key("axis"), t.axis.value, "a vector that is not zero"));
                }
                Some((axis, signal(&t.angle, &at.key("angle"))?))
            }
        };
        // A body that is elsewhere at the start would have to get there in one step.
        if p.after.is_none() {
            for (k, s) in position.iter().flatten().enumerate() {
                let (x, here) = (s.at(0.0), base.pos.to_array()[k]);
                if !((x - here).abs() <= APART * (1.0 + here.abs())) {
                    let expected = format!("{here} m at the start, where the body is");
                    return Err(FileError::input(path.key("position").index(k), x, expected));
                }
            }
            if let Some(angle) = turn.as_ref().map(|t| t.1.at(0.0)).filter(|a| !(a.abs() <= APART)) {
                let expected = "0 rad at the start: it turns from the rotation of the body";
                return Err(FileError::input(path.key("turn").key("angle"), angle, expected));
            }
        }
        Ok(Driven::Pose { body, base, position, turn })
    }

    fn length_program(&self, p: &JointProgram, path: &Path) -> Result<Driven, FileError> {
        let (joint, said) = self.joint(&p.joint, path.key("joint"))?;
        let Some((base, soft)) = self.length_of(joint, said) else {
            let expected = "a joint of type distance, rope or ligament";
            return Err(FileError::input(path.key("joint"), format!("'{}'", p.joint), expected));
        };
        let at = path.key("length");
        let length = signal(&p.length, &at)?;
        let least = length.bounds()[0];
        if !(least > 0.0) {
            return Err(FileError::input(at, least, "a number of m greater than zero, at all times"));
        }
        Ok(Driven::Length { joint, length, base, soft })
    }

    /// Length of a joint in the file, m, and whether it gives way; none for joints without a length.
    pub(super) fn length_of(&self, id: taut::JointId, said: &Joint) -> Option<(f64, bool)> {
        let (a, b) = self.b.world.joint(id).ok()?.points();
        let or = |given: Option<f64>| given.unwrap_or((a - b).length());
        let soft = |s: &file::LinearSoft| s.compliance.is_some_and(|c| c.value > 0.0) || s.stiffness.is_some();
        match &said.kind {
            Kind::Distance(d) => Some((or(d.length.map(|l| l.value)), soft(&d.linear))),
            Kind::Rope(r) => Some((or(r.length.map(|l| l.value)), soft(&r.linear))),
            Kind::Ligament(l) => Some((or(l.rest_length.map(|l| l.value)), true)),
            _ => None,
        }
    }

    fn rope_program(&self, p: &RopeProgram, path: &Path) -> Result<Driven, FileError> {
        let rope = self.rope(&p.rope, path.key("rope"))?;
        Ok(Driven::PayOut { rope, rate: signal(&p.pay_out, &path.key("pay_out"))? })
    }

    fn gravity_program(&self, p: &GravityProgram, path: &Path) -> Result<Driven, FileError> {
        let gravity = three(&p.gravity, &path.key("gravity"))?;
        Ok(Driven::Gravity { gravity, base: self.b.world.options().gravity })
    }
}

/// The signal, which may have to be positive or zero.
fn checked(s: Signal, positive: bool, unit: &str, path: &Path) -> Result<Signal, FileError> {
    let least = s.bounds()[0];
    if positive && !(least >= 0.0) {
        return Err(FileError::input(path.clone(), least, format!("a number{unit}, zero or more, at all times")));
    }
    Ok(s)
}

/// Refuses targets between two values, which a motor cannot have.
pub(super) fn check_target(said: &Said, [low, high]: [f64; 2], path: Path) -> Result<(), FileError> {
    if !said.given.stiffness.is_some_and(|k| k > 0.0) {
        let expected = format!("none: the motor ({}) has no 'stiffness', which pulls to it", said.path);
        return Err(FileError::new(path, format!("target: expected {expected}")));
    }
    let far = if high.abs() > low.abs() { high } else { low };
    if matches!(said.freedom, Freedom::Lean(..)) && !(far.abs() < FRAC_PI_2) {
        return Err(FileError::input(path, far, "less than a quarter turn (pi/2 rad) to either side"));
    }
    Ok(())
}
