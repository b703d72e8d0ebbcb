//! Changing joints in mid-run. Their multipliers stay: those of rows that go on, by what the rows are.

use super::motors::which;
use super::{Edit, World};
use crate::error::{Error, Result};
use crate::ids::{JointId, LimitId, MotorId};
use crate::joints::{Bound, Drive, Friction, JointDef, Limit, Motor, Softness, SpeedLimit, free, row_starts};
use crate::model::{JointEntry, identity};
use crate::rows::UNKNOWN;

/// What a row of a joint is: rows of a changed joint that are the same thing keep their multiplier.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Own(usize),
    Motor(usize),
    Armature(usize),
    Limit(usize),
    Friction(usize),
    Speed(usize),
}

/// The roles of all rows of a joint in the state.
fn roles(j: &JointEntry) -> Vec<Role> {
    let armature = j.rows.iter().position(|s| s.armature > 0.0).unwrap_or(0);
    let block = j.rows.iter().enumerate().flat_map(move |(k, s)| {
        let role = match s.motor {
            Some(_) => Role::Motor(s.ordinal),
            None if s.armature > 0.0 => Role::Armature(k - armature),
            None => Role::Own(3 * k),
        };
        (0..s.primitive.rows()).map(move |q| match role {
            Role::Own(first) => Role::Own(first + q),
            other => other,
        })
    });
    let (mut limits, mut frictions, mut speeds) = (0, 0, 0);
    let bounded = j.bounds.iter().map(|b| match (b.motor, &b.bound) {
        (Some(m), _) => Role::Motor(m),
        (None, Bound::Friction { .. }) => {
            frictions += 1;
            Role::Friction(frictions)
        }
        (None, Bound::Speed { .. }) => {
            speeds += 1;
            Role::Speed(speeds)
        }
        (None, _) => {
            limits += 1;
            Role::Limit(limits)
        }
    });
    block.chain(bounded).collect()
}

impl World {
    /// Changes the definition of a joint, makes its rows anew and keeps what its multipliers were.
    fn change_joint(
        &mut self,
        id: JointId,
        change: impl FnOnce(&mut JointDef, &JointEntry) -> Result<()>,
    ) -> Result<()> {
        let before = self.model.joint(id)?;
        let mut entry = before.clone();
        change(&mut entry.def, before)?;
        self.expand(&mut entry)?;
        let (old, new) = (roles(before), roles(&entry));
        let numbers = (before.row_count, before.chart) == (entry.row_count, entry.chart);
        let same = old == new && numbers;
        for body in [entry.i, entry.j] {
            self.wake_slot(body.0.slot as usize);
        }
        if old != new {
            self.move_rows(&mut entry, &old, &new);
        }
        let print = identity::joint(&entry);
        if let Some(j) = self.model.joints.get_mut(id.0) {
            *j = entry;
        }
        match (same, old == new) {
            (true, _) => self.renumbered(),
            (false, true) => self.restructured(),
            // The state has other rows now: snapshots from before do not fit.
            (false, false) => self.edited(Edit::ChangeJoint, id.0.slot, print),
        }
        Ok(())
    }

    /// Exchanges the rows of a joint in the state: they go where there is room for them.
    fn move_rows(&mut self, entry: &mut JointEntry, old: &[Role], new: &[Role]) {
        let from: Vec<Option<usize>> = new.iter().map(|r| old.iter().position(|o| o == r)).collect();
        let (before, s) = (entry.row_start, &mut self.state);
        let first = self.model.row_rooms.take(new.len(), s.lambda.len());
        s.start_rows(first..first + new.len());
        for list in [&mut s.lambda, &mut s.stretch, &mut s.reach, &mut s.give, &mut s.element_energy] {
            for (k, from) in from.iter().enumerate().filter_map(|(k, from)| from.map(|from| (k, from))) {
                list[first + k] = list[before + from];
            }
        }
        s.leave_rows(before..before + old.len());
        s.potential_lag[1] = 0.0;
        self.model.row_rooms.leave(before, old.len());
        entry.row_start = first;
    }

    /// Changes a limit: its range, give and rebound. The freedom stays. For a rope it is the range of its length,
    /// and made shorter it hauls like [`World::set_length`].
    pub fn set_limit(&mut self, id: impl Into<LimitId>, limit: Limit) -> Result<()> {
        let id = id.into();
        let (own, index) = self.limit_place(id)?;
        self.change_joint(id.joint, |def, entry| {
            match index.checked_sub(own) {
                Some(k) => def.limits[k] = Limit { freedom: def.limits[k].freedom, ..limit },
                None => {
                    let freedom = entry.limits().nth(index).map(|(_, b)| b.freedom);
                    def.own.resize(own, None);
                    def.own[index] = Some(Limit { freedom, ..limit });
                }
            }
            Ok(())
        })
    }

    /// How many limits the kind of a joint has of its own, and which limit a handle names among all.
    fn limit_place(&self, id: LimitId) -> Result<(usize, usize)> {
        let entry = self.model.joint(id.joint)?;
        let all = entry.limits().count();
        let own = all - entry.def.limits.len();
        let index = id.index.map(|k| k as usize).or((all == 1).then_some(0));
        index.filter(|&k| k < all).map(|k| (own, k)).ok_or_else(|| {
            let name = format!("limit of {}", self.model.joint_name(id.joint.0.slot as usize));
            let given = id.index.map_or("not said".to_owned(), |k| k.to_string());
            Error::input(name, given, which(all, "limit"))
        })
    }

    /// Gives a rod or a rope another length, m. A hoist does this before every step: what hangs on it then moves at the rate of the
    /// length. The tension stays what it was until the step. Before its first step a rope is not hauled in: the world steps like one
    /// that was built with this length.
    pub fn set_length(&mut self, id: JointId, length: f64) -> Result<()> {
        self.change_joint(id, |def, _| {
            (def.length, def.own) = (Some(length), Vec::new());
            Ok(())
        })
    }

    /// Gives all linear rows of a joint another give, m/N.
    pub fn set_linear(&mut self, id: JointId, soft: Softness) -> Result<()> {
        self.change_joint(id, |def, _| {
            def.linear = Some(soft);
            Ok(())
        })
    }

    /// Gives all angular rows of a joint another give, rad/(N m).
    pub fn set_angular(&mut self, id: JointId, soft: Softness) -> Result<()> {
        self.change_joint(id, |def, _| {
            def.angular = Some(soft);
            Ok(())
        })
    }

    /// Changes the dry friction of a freedom of a joint, or adds it where there is none.
    pub fn set_friction(&mut self, id: JointId, friction: impl Into<Friction>) -> Result<()> {
        let friction = friction.into();
        self.change_joint(id, |def, entry| {
            let kind = entry.kind.as_ref();
            let meant = free(kind, friction.freedom, "friction")?;
            match def.friction.iter_mut().find(|f| free(kind, f.freedom, "friction").is_ok_and(|f| f == meant)) {
                Some(place) => *place = Friction { freedom: place.freedom, ..friction },
                None => def.friction.push(friction),
            }
            Ok(())
        })
    }

    /// Gives a joint another armature, kg m^2 for turns and kg for slides; zero takes it away. The rates stay what they are.
    pub fn set_armature(&mut self, id: JointId, armature: f64) -> Result<()> {
        self.change_joint(id, |def, _| {
            def.armature = armature;
            Ok(())
        })
    }

    /// Changes the bound of the speed of a freedom of a joint, or adds it where there is none.
    pub fn set_speed_limit(&mut self, id: JointId, limit: SpeedLimit) -> Result<()> {
        self.change_joint(id, |def, entry| {
            let kind = entry.kind.as_ref();
            let meant = free(kind, limit.freedom, "speed limit")?;
            match def.speeds.iter_mut().find(|s| free(kind, s.freedom, "speed limit").is_ok_and(|f| f == meant)) {
                Some(place) => *place = SpeedLimit { freedom: place.freedom, ..limit },
                None => def.speeds.push(limit),
            }
            Ok(())
        })
    }

    /// Changes how a motor drives: its gains. What it was told stays; a target waits until the motor has stiffness again.
    pub fn set_drive(&mut self, id: impl Into<MotorId>, drive: Drive) -> Result<()> {
        self.change_motor(id.into(), |m| m.drive = drive)
    }

    /// Changes the range of a motor's force, N or N m: infinite when nothing bounds it, `0.0` on one side for a motor that only pushes or
    /// only pulls.
    pub fn set_force_range(&mut self, id: impl Into<MotorId>, min: f64, max: f64) -> Result<()> {
        self.change_motor(id.into(), |m| (m.min_force, m.max_force) = (min, max))
    }

    fn change_motor(&mut self, id: MotorId, change: impl FnOnce(&mut Motor)) -> Result<()> {
        let (_, motor) = self.motor_place(id)?;
        self.change_joint(id.joint, |def, _| {
            change(&mut def.motors[motor.ordinal]);
            Ok(())
        })
    }

    /// Switches a joint on or off. One that is off holds nothing; it goes on with the multipliers it had.
    pub fn set_joint_enabled(&mut self, id: JointId, enabled: bool) -> Result<()> {
        let joint = self.model.joint(id)?;
        if joint.enabled == enabled {
            return Ok(());
        }
        let bodies = [joint.i, joint.j];
        bodies.into_iter().for_each(|b| self.wake_slot(b.0.slot as usize));
        if let Some(j) = self.model.joints.get_mut(id.0) {
            j.enabled = enabled;
        }
        if !enabled {
            self.forget_reach(|joint, _| joint == id);
        }
        self.state.potential_lag[1] = 0.0;
        self.restructured();
        Ok(())
    }

    /// Ropes that are switched off: what they are made shorter by until they are switched on is not hauled in.
    pub(super) fn forget_reach(&mut self, is_off: impl Fn(JointId, &JointEntry) -> bool) {
        for (_, j) in self.model.joints.iter().filter(|(key, j)| is_off(JointId(*key), j)) {
            self.state.reach[j.row_start..j.row_start + j.state_rows()].fill(UNKNOWN);
            // What its armature was doing says nothing of how it goes on.
            let rows = j.row_start..j.row_start + j.row_count;
            row_starts(&j.rows).filter(|(_, s)| s.armature > 0.0).for_each(|(r, _)| {
                self.state.stretch[rows.start + r] = UNKNOWN;
            });
        }
    }

    /// Gives a joint a number of the user's own.
    pub fn set_joint_user_data(&mut self, id: JointId, data: u64) -> Result<()> {
        self.model.joint(id)?;
        if let Some(j) = self.model.joints.get_mut(id.0) {
            j.user_data = data;
        }
        Ok(())
    }
}
