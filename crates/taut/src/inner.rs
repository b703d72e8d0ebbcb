//! The engine's internals for the crate `taut-redmax`, which takes a step of its own over the same model and state: exactly what it
//! needs. For nobody else: all of it may change at any time.

pub use crate::error::positive;
pub use crate::force::gyroscopic::midpoint;
pub use crate::force::{add_form, elastic, span};
pub use crate::forest::edge::Moving;
pub use crate::forest::kinematics::Kinematics;
pub use crate::forest::tree::{NONE, Parent, Tree, TreeLink};
pub use crate::joints::chart::Coordinates;
pub use crate::joints::{RowSpec, row_starts};
pub use crate::kin::LinkTerm;
pub use crate::math::so3::{complete, exp, log, skew};
pub use crate::math::twist::Twist;
pub use crate::model::{JointEntry, Model};
pub use crate::report::Gaps;
pub use crate::rows::{law, stored, wanted};
pub use crate::stabilise::aligned::{across_arm, across_moment, grew};
pub use crate::state::{BodyState, OpenState};
pub use crate::topology::Lightness;
pub use crate::world::empty;

use crate::error::Result;
use crate::ids::{BodyId, JointId};
use crate::joints::Command;
use crate::joints::turn::wind;
use crate::method::Method;
use crate::report::Ledger;
use crate::state::State;
use crate::tuning::T;
use crate::world::World;

/// The largest eigenvalue of the dot-1 form per unit of moment.
pub fn kappa() -> f64 {
    T.aligned.kappa
}

/// The slot of a body.
#[inline]
pub fn slot_of(body: BodyId) -> usize {
    body.0.slot as usize
}

/// The body in a slot.
pub fn body_at(model: &Model, slot: usize) -> Option<BodyId> {
    model.bodies.key_at(slot).map(BodyId)
}

/// The joint in a slot.
pub fn joint_at(model: &Model, slot: usize) -> Option<JointId> {
    model.joints.key_at(slot).map(JointId)
}

/// Finds the imbalance of a ledger whose other entries are booked.
pub fn settle(ledger: &mut Ledger) {
    ledger.settle();
}

/// The parts of a state that a method reads and writes.
pub fn open(state: &mut State) -> OpenState<'_> {
    state.open()
}

/// The method of a world, with its model and state.
pub fn attached(world: &mut World) -> Result<(&mut dyn Method, &Model, &mut State)> {
    world.attached().map(|(method, _, model, state)| (method, model, state))
}

/// Model and state of a world.
pub fn parts(world: &mut World) -> (&mut Model, OpenState<'_>) {
    let (model, state) = world.parts_mut();
    (model, state.open())
}

/// A command of a motor of a joint with its target as its row sees it, which measures q: without the turns that are counted, `near` which
/// its turning freedom is.
pub fn untwisted(j: &JointEntry, spec: &RowSpec, near: f64, q: f64, command: Command) -> Command {
    let Some(freedom) = spec.motor else { return command };
    let turns = j.turn_of(&spec.primitive).map(|_| wind(q, near));
    Command { target: freedom.unwound(command.target, q, turns), ..command }
}
