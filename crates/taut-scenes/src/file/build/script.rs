//! Programs and events of a scene file into a script: the names they go by.

use super::Builder;
use super::motors::{self, Said};
use crate::drive::Script;
use crate::file::error::{FileError, Path};
use crate::file::{Joint, SceneFile};
use crate::suggest::nearest;
use std::collections::BTreeMap;
use taut::{JointId, MotorId};

/// A motor that programs and events can name.
pub(super) struct NamedMotor {
    pub id: MotorId,
    pub said: Said,
}

/// What programs and events can name.
pub(super) struct Names<'a> {
    pub b: &'a Builder,
    pub file: &'a SceneFile,
    motors: BTreeMap<String, NamedMotor>,
    events: BTreeMap<&'a str, usize>,
}

impl Builder {
    /// The script of a file; none without programs and events.
    pub(super) fn script(&self, file: &SceneFile) -> Result<Option<Script>, FileError> {
        let names = Names { b: self, file, motors: self.motors(file)?, events: events(file)? };
        if file.programs.is_empty() && file.events.is_empty() {
            return Ok(None);
        }
        let at = |list: &str, k: usize| Path::of(list).index(k);
        let programs = file.programs.iter().enumerate().map(|(k, p)| names.program(p, &at("programs", k)));
        let events = file.events.iter().enumerate().map(|(k, e)| names.event(k, e, &at("events", k)));
        Ok(Some(Script { programs: programs.collect::<Result<_, _>>()?, events: events.collect::<Result<_, _>>()? }))
    }

    /// All motors with a name of their own or of their joint, whose only motor they are.
    fn motors(&self, file: &SceneFile) -> Result<BTreeMap<String, NamedMotor>, FileError> {
        let (mut own, mut lent) = (BTreeMap::<String, NamedMotor>::new(), Vec::new());
        for ((k, joint), &id) in file.joints.iter().enumerate().zip(&self.joint_ids) {
            let list = motors::said(joint, &Path::of("joints").index(k))?;
            let only = list.len() == 1;
            for (ordinal, said) in list.into_iter().enumerate() {
                let id = id.motor(ordinal);
                match (said.given.name.clone(), joint.name()) {
                    (Some(name), _) => {
                        let at = said.path.key("name");
                        if name.is_empty() {
                            return Err(FileError::input(at, "''", "a name that is not empty"));
                        }
                        if let Some(other) = own.get(&name) {
                            let expected = format!("a name that no other motor has ({})", other.said.path);
                            return Err(FileError::input(at, format!("'{name}'"), expected));
                        }
                        if let Some(name) = joint.name().filter(|_| only) {
                            lent.push((name.to_owned(), NamedMotor { id, said: said.clone() }));
                        }
                        own.insert(name, NamedMotor { id, said });
                    }
                    (None, Some(name)) if only => lent.push((name.to_owned(), NamedMotor { id, said })),
                    (None, _) => {}
                }
            }
        }
        // A motor's own name goes before that of a joint.
        for (name, motor) in lent {
            own.entry(name).or_insert(motor);
        }
        Ok(own)
    }
}

/// The events by name.
fn events(file: &SceneFile) -> Result<BTreeMap<&str, usize>, FileError> {
    let mut out = BTreeMap::new();
    for (k, event) in file.events.iter().enumerate() {
        let Some(name) = event.name.as_deref() else { continue };
        let at = Path::of("events").index(k).key("name");
        if name.is_empty() {
            return Err(FileError::input(at, "''", "a name that is not empty"));
        }
        if let Some(other) = out.insert(name, k) {
            let expected = format!("a name that no other event has (events[{other}])");
            return Err(FileError::input(at, format!("'{name}'"), expected));
        }
    }
    Ok(out)
}

/// Refuses a name, with the one that was probably meant.
pub(super) fn unknown<'a>(what: &str, name: &str, path: Path, known: impl Iterator<Item = &'a str>) -> FileError {
    let expected = match nearest(name, known) {
        Some(near) => format!("the name of {what} (did you mean '{near}'?)"),
        None => format!("the name of {what} of this file"),
    };
    FileError::input(path, format!("'{name}'"), expected)
}

impl<'a> Names<'a> {
    /// The motor of a name.
    pub fn motor(&self, name: &str, path: Path) -> Result<&NamedMotor, FileError> {
        let known = self.motors.keys().map(String::as_str);
        self.motors.get(name).ok_or_else(|| unknown("a motor, or of a joint with one motor,", name, path, known))
    }

    /// The joint of a name, and what the file says of it.
    pub fn joint(&self, name: &str, path: Path) -> Result<(JointId, &'a Joint), FileError> {
        let said = self.file.joints.iter().find(|j| j.name() == Some(name));
        let known = self.file.joints.iter().filter_map(Joint::name);
        match (said, self.b.world.find_joint(name)) {
            (Some(said), Ok(id)) if !name.is_empty() => Ok((id, said)),
            _ => Err(unknown("a joint", name, path, known)),
        }
    }

    /// The rope over guides of a name.
    pub fn rope(&self, name: &str, path: Path) -> Result<taut::RopeId, FileError> {
        let known = self.file.ropes.iter().filter_map(|r| r.name.as_deref());
        match self.b.world.find_rope(name) {
            Ok(id) if !name.is_empty() => Ok(id),
            _ => Err(unknown("a rope over guides", name, path, known)),
        }
    }

    /// The number of the event of a name.
    pub fn event_number(&self, name: &str, path: Path) -> Result<usize, FileError> {
        let known = self.events.keys().copied();
        self.events.get(name).copied().ok_or_else(|| unknown("an event", name, path, known))
    }

    /// The force of a name.
    pub fn force(&self, name: &str, path: Path) -> Result<taut::ForceId, FileError> {
        let known = self.b.forces.keys().map(String::as_str);
        self.b.forces.get(name).map(|f| f.0).ok_or_else(|| unknown("a force", name, path, known))
    }
}
