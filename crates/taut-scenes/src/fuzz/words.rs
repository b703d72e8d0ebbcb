//! A script in words.

use super::run::REPEATED;
use super::script::{Change, Edit, Script};
use std::fmt;

impl fmt::Display for Edit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "before step {}: {}", self.step, self.change)
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Change::AddBody { name, mass, from } => {
                write!(f, "body {name} of {mass} kg appears on a rod from {from}")
            }
            Change::RemoveBody(name) => write!(f, "body {name} is removed"),
            Change::AddJoint { name, bodies: [i, j] } => write!(f, "ball joint {name} joins {i} and {j}"),
            Change::RemoveJoint(name) => write!(f, "joint {name} is removed"),
            Change::Command { joint, target, rate } => {
                write!(f, "the motor of {joint} is told target {target}, rate {rate}")
            }
            Change::AddForce { body, force } => write!(f, "a force of {force} N acts on {body} from here on"),
            Change::RemoveForce => write!(f, "the last force is removed"),
            Change::Velocity { body, linear, angular } => {
                write!(f, "{body} is set to {linear} m/s and {angular} rad/s")
            }
        }
    }
}

impl Script {
    /// What a scene file cannot say of it, one line each; empty where `taut run` does the same.
    pub fn words(&self) -> Vec<String> {
        let mut out: Vec<String> = self.edits.iter().map(Edit::to_string).collect();
        let lengths = &self.lengths[..self.steps.min(self.lengths.len())];
        match lengths {
            [] => {}
            [a, b, rest @ ..] if rest.iter().enumerate().all(|(k, h)| h == [a, b][k % 2]) => {
                out.push(format!("steps of {a} s and {b} s in turn"));
            }
            all => {
                let list: Vec<String> = all.iter().map(f64::to_string).collect();
                out.push(format!("steps of {} s", list.join(", ")));
            }
        }
        if let Some(step) = self.snapshot {
            out.push(format!(
                "before step {step}: a snapshot is taken; {REPEATED} steps later, or before the next edit, it is restored and these steps are repeated"
            ));
        }
        if self.threads {
            out.push("all of it once more on two threads".into());
        }
        out
    }
}
