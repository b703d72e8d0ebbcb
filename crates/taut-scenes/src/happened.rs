//! What happened in a run that must not be lost in sums: joints that broke, rows that contradicted each other, loops that snapped.

use std::collections::BTreeMap;
use taut::{BodyId, Event, JointId, StepReport, World};

/// A joint that broke.
#[derive(Clone, Debug, PartialEq)]
pub struct Broken {
    /// Its name; empty without one.
    pub name: String,
    /// Its kind, such as "hinge".
    pub kind: &'static str,
    /// Names of its bodies, i and j; empty without one.
    pub bodies: [String; 2],
    /// End of the step in which it broke, s.
    pub time: f64,
    /// The force it carried, N.
    pub force: f64,
    /// The torque it carried about its origin, N m.
    pub torque: f64,
}

/// Contradictions of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conflicts {
    /// Steps in which rows contradicted each other.
    pub steps: u64,
    /// The joints that did not have their way, by name (or kind), each once.
    pub joints: Vec<String>,
}

/// Most joints that are named in contradictions: more is a list that nobody reads.
const MOST: usize = 20;

/// Collects it.
pub(crate) struct Witness {
    /// Name and kind of all joints of the start: a handle of one that is gone tells nothing.
    joints: BTreeMap<JointId, (String, &'static str)>,
    broken: Vec<Broken>,
    conflicts: Conflicts,
    snapped: u64,
}

impl Witness {
    pub fn new(world: &World) -> Self {
        let joints = world.joints().map(|j| (j.id(), (j.name().to_owned(), j.kind()))).collect();
        Witness { joints, broken: Vec::new(), conflicts: Conflicts::default(), snapped: 0 }
    }

    fn known(&self, id: JointId) -> (String, &'static str) {
        self.joints.get(&id).cloned().unwrap_or((format!("{id:?}"), "joint"))
    }

    pub fn see(&mut self, world: &World, r: &StepReport) {
        for e in &r.events {
            let &Event::JointBroken { joint, bodies, force, torque } = e else { continue };
            let (name, kind) = self.known(joint);
            let of = |id: BodyId| world.body(id).map_or(String::new(), |b| b.name().to_owned());
            let bodies = [of(bodies.0), of(bodies.1)];
            self.broken.push(Broken { name, kind, bodies, time: r.time, force, torque });
        }
        self.conflicts.steps += u64::from(!r.conflicts.is_empty());
        for c in &r.conflicts {
            let (name, kind) = self.known(c.joint);
            let word = if name.is_empty() { format!("{kind} {:?}", c.joint) } else { name };
            if self.conflicts.joints.len() < MOST && !self.conflicts.joints.contains(&word) {
                self.conflicts.joints.push(word);
            }
        }
        self.snapped += u64::from(r.snapped_islands > 0);
    }

    /// Joints that broke, contradictions, steps in which a loop snapped taut.
    pub fn done(self) -> (Vec<Broken>, Conflicts, u64) {
        (self.broken, self.conflicts, self.snapped)
    }
}
