//! Telling motors what to do, and looking at them.

use super::World;
use crate::error::{Error, Result};
use crate::ids::JointId;
use crate::joints::Command;
use crate::model::{JointEntry, MotorRef};
use crate::tuning::T;

/// What a motor does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotorView {
    /// Where it is, m or rad: body i against body j.
    pub position: f64,
    /// How fast it moves, m/s or rad/s.
    pub rate: f64,
    /// What it pushes with, N or N m, on body i.
    pub effort: f64,
    /// What it is told.
    pub command: Command,
}

impl World {
    /// Tells motor `motor` (by its index in `Driven::motors`) of a joint what to do from the next step on.
    pub fn set_motor(&mut self, joint: JointId, motor: usize, command: Command) -> Result<()> {
        let (at, m) = self.motor_row(joint, motor)?;
        command.validate(m.freedom)?;
        if self.state.commands[at] != command {
            let j = self.model.joint(joint)?;
            let slots = [j.i.0.slot as usize, j.j.0.slot as usize];
            slots.into_iter().for_each(|s| self.wake_slot(s));
        }
        self.state.commands[at] = command;
        Ok(())
    }

    /// Looks at a motor.
    pub fn motor(&self, joint: JointId, motor: usize) -> Result<MotorView> {
        let (at, MotorRef { row, freedom, primitive, .. }) = self.motor_row(joint, motor)?;
        let j = self.model.joint(joint)?;
        let e = primitive.eval(&self.side(j.i), &self.side(j.j));
        let speed = |id: crate::ids::BodyId, jac: &[f64; 6]| {
            let b = &self.state.bodies[id.0.slot as usize];
            let v = b.vel.to_array().into_iter().chain(b.omega.to_array());
            v.zip(jac).map(|(v, j)| v * j).sum::<f64>()
        };
        let rate = speed(j.i, &e.ji[0]) + speed(j.j, &e.jj[0]);
        let slope = freedom.slope(e.phi[0]);
        Ok(MotorView {
            position: freedom.position(e.phi[0]),
            rate: if slope > 0.0 { rate / slope } else { 0.0 },
            // The force of a bounded row goes with the position, that of a row of the block with its measure.
            effort: if row < j.row_count { slope } else { 1.0 } * self.state.lambda[j.row_start + row],
            command: self.state.commands[at],
        })
    }

    /// Place of a motor's command, and the motor.
    fn motor_row(&self, joint: JointId, motor: usize) -> Result<(usize, MotorRef)> {
        let j = self.model.joint(joint)?;
        let count = j.motors().count();
        let found = j.motors().find(|m| m.ordinal == motor).map(|m| (j.command_start + motor, m));
        found.ok_or_else(|| {
            let name = self.model.joint_name(joint.0.slot as usize);
            Error::input(format!("motor of {name}"), motor, format!("an index below its {count} motors"))
        })
    }

    /// A motor must drive what the joint leaves free.
    pub(super) fn check_motors(&self, entry: &JointEntry) -> Result<()> {
        if entry.motors().next().is_none() {
            return Ok(());
        }
        let (i, j) = (self.side(entry.i), self.side(entry.j));
        let mut taken: Vec<[f64; 12]> = Vec::new();
        let block = entry.rows.iter().filter(|s| s.motor.is_none()).map(|s| (s.primitive, None));
        for (primitive, motor) in block.chain(entry.motors().map(|m| (m.primitive, Some(m.freedom)))) {
            let e = primitive.eval(&i, &j);
            for q in 0..primitive.rows() {
                let mut row = [0.0; 12];
                row[..6].copy_from_slice(&e.ji[q]);
                row[6..].copy_from_slice(&e.jj[q]);
                let before = norm(&row);
                for t in &taken {
                    let along: f64 = row.iter().zip(t).map(|(a, b)| a * b).sum();
                    row.iter_mut().zip(t).for_each(|(a, b)| *a -= along * b);
                }
                let left = norm(&row);
                if left > T.rows.free * before {
                    taken.push(row.map(|x| x / left));
                } else if let Some(freedom) = motor {
                    let what = format!("motor of the {} joint", entry.kind);
                    return Err(Error::input(
                        what,
                        format!("{freedom:?}"),
                        "something that the joint leaves free, driven once",
                    ));
                }
            }
        }
        Ok(())
    }
}

fn norm(x: &[f64; 12]) -> f64 {
    f64::sqrt(x.iter().map(|x| x * x).sum())
}
