//! Turns of the freedoms of joints during a step, counted as `joints::turn` says.

use crate::constraint::Side;
use crate::desk::Next;
use crate::desk::inputs::{Given, Inputs};
use crate::joints::turn::{Turn, wind};
use crate::kin::Kin;
use crate::state::State;
use crate::topology::{BoundRow, Topology, TurnRow};
use glam::DVec3;

/// Where they are at the start of a step of h, as far as motors and limits ask.
pub(crate) fn start(t: &Topology, state: &State, h: f64, inputs: &mut Inputs) {
    inputs.h = h;
    for (k, row) in t.turns.iter().enumerate().filter(|(_, row)| row.used) {
        let (i, j) = (inputs.kin[row.i].side(), inputs.kin[row.j].side());
        let angle = row.turn.angle(&i, &j);
        inputs.wind[k] = wind(angle, state.turned[row.slot]);
        inputs.turned[k] = angle + inputs.wind[k];
    }
}

/// Where they are after the step, at the new poses and with the velocities that led there.
pub(crate) fn arrive(t: &Given<'_>, state: &State, next: &mut Next) {
    for (k, row) in t.turns.iter().enumerate() {
        let (i, j, last) = (&next.kin[row.i], &next.kin[row.j], state.turned[row.slot]);
        let by = t.inputs.h * (i.omega - j.omega).length();
        if !row.used && row.turn.stays(&i.side(), &j.side(), last, by) {
            next.turned[k] = last;
            continue;
        }
        let turning = i.omega - j.omega;
        if !row.used {
            let kin = &t.inputs.kin;
            let (before, after) = ([row.i, row.j].map(|n| kin[n].side()), [i.side(), j.side()]);
            next.turned[k] = passed(&row.turn, last, &before, &after, turning, t.inputs.h);
            continue;
        }
        let angle = row.turn.angle(&i.side(), &j.side());
        next.wind[k] = wind(angle, heading(t, row, t.inputs.turned[k], turning));
        next.turned[k] = angle + next.wind[k];
    }
}

/// The position of a freedom that was at `last`, after a step of h from some poses to others with this relative velocity.
pub(crate) fn passed(turn: &Turn, last: f64, from: &[Side; 2], to: &[Side; 2], turning: DVec3, h: f64) -> f64 {
    let heading = turn.position(&from[0], &from[1], last) + h * turn.axis(&from[0]).dot(turning);
    let angle = turn.angle(&to[0], &to[1]);
    angle + wind(angle, heading)
}

/// Where a relative velocity leads from a position at the start of the step.
fn heading(t: &Given<'_>, row: &TurnRow, from: f64, turning: DVec3) -> f64 {
    let axis = row.turn.axis(&t.inputs.kin[row.i].side());
    from + t.inputs.h * axis.dot(turning)
}

/// The position of a bounded row that measures q at poses of this step: those at its start, or those that the velocities there lead to.
pub(crate) fn position(t: &Given<'_>, b: &BoundRow, q: f64, kin: &[Kin]) -> f64 {
    if !b.spec.counted {
        return super::unwind(&b.spec, q);
    }
    if std::ptr::eq(kin, t.inputs.kin.as_slice()) {
        return q + t.inputs.wind[b.turn];
    }
    let row = &t.turns[b.turn];
    q + wind(q, heading(t, row, t.inputs.turned[b.turn], kin[row.i].omega - kin[row.j].omega))
}
