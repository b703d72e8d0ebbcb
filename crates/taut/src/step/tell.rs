//! What a step tells: events, and its report.

use crate::bounded::{accuracy, coupled};
use crate::conflicts::Conflict;
use crate::desk::Desk;
use crate::desk::bounded::Origin;
use crate::desk::inputs::Given;
use crate::events::{self, Event};
use crate::ids::{JointId, RopeId};
use crate::joints::{Bound, BoundSpec};
use crate::model::Model;
use crate::passes::Solved;
use crate::plan::Plan;
use crate::report::{self, BoundedReport, Energy, Ledger, StepReport};
use crate::state::State;
use crate::topology::{SpanRow, Topology};

/// What happened in the step, while the state is still that before it.
pub(crate) fn happened(model: &Model, t: &Given<'_>, state: &State, desk: &Desk) -> Vec<Event> {
    let mut out = limits_reached(model, t, state, desk);
    blocked(model, t, state, desk, &mut out);
    events::contacts(&state.contacts, &desk.next.records, &mut out);
    events::sensors(&state.sensed, &t.inputs.sensed, &mut out);
    out
}

/// Limits that push now and did not in the last step.
pub(crate) fn limits_reached(model: &Model, t: &Topology, state: &State, desk: &Desk) -> Vec<Event> {
    let mut out = Vec::new();
    let set = &desk.bounded.set;
    for c in set.candidates.iter().filter(|c| c.active && set.rows[c.row].z != 0.0) {
        let Origin::Joint { bound, upper } = c.origin else { continue };
        let b = &t.bounds[bound];
        let is_limit = |s: &BoundSpec| matches!(s.bound, Bound::Limit { .. });
        let Some(key) = model.joints.key_at(b.slot).filter(|_| is_limit(&b.spec)) else { continue };
        if state.lambda[b.state_row] == 0.0 {
            let before =
                model.joints.at(b.slot).map_or(0, |j| j.bounds[..b.index].iter().filter(|s| is_limit(s)).count());
            out.push(Event::LimitReached { joint: JointId(key), limit: before, upper });
        }
    }
    out
}

/// Guides of ropes that are kept apart now and were not in the last step.
fn blocked(model: &Model, t: &Topology, state: &State, desk: &Desk, out: &mut Vec<Event>) {
    let set = &desk.bounded.set;
    for c in set.candidates.iter().filter(|c| c.active && set.rows[c.row].z != 0.0) {
        let Origin::Blocked { span: s, centres: false } = c.origin else { continue };
        let SpanRow { slot, index, .. } = t.spans[s];
        let Some(key) = model.ropes.key_at(slot).filter(|_| state.ropes[slot].spans[index].apart == 0.0) else {
            continue;
        };
        out.push(Event::TwoBlocked { rope: RopeId(key), span: index });
    }
}

/// What the books of a step say.
pub(crate) struct Booked {
    pub energy: Energy,
    pub ledger: Ledger,
}

/// The report, from the state after the step.
pub(crate) fn report(
    (model, t, plan): (&Model, &Given<'_>, &Plan),
    state: &State,
    desk: &Desk,
    solved: &Solved,
    booked: Booked,
    (conflicts, events): (Vec<Conflict>, Vec<Event>),
) -> StepReport {
    let counts = &solved.counts;
    let gaps = report::gaps(t, &t.inputs.rows, &desk.next);
    StepReport {
        time: state.time,
        energy: booked.energy,
        ledger: booked.ledger,
        max_gap: gaps.max,
        max_gap_joint: gaps.joint.and_then(|slot| model.joints.key_at(slot)).map(JointId),
        sum_gap: gaps.sum,
        max_angle: gaps.angle,
        solves: counts.deepest,
        factorisations: counts.factorisations,
        right_hand_sides: counts.right_hand_sides,
        refinements: counts.refinements,
        iterations: counts.iterations,
        residual: counts.residual,
        path: plan.path(),
        is_tree: t.is_tree,
        panels: if plan.is_direct() { t.islands.iter().filter(|i| i.wide).count() } else { 0 },
        islands: t.islands.len(),
        resolved_islands: desk.stiff.share.iter().filter(|&&r| r == 1.0).count(),
        snapped_islands: desk.snap.snapped.iter().filter(|&&s| s).count(),
        dropped_rows: counts.dropped,
        redundant_joints: state.redundant.iter().filter(|&&r| r).count(),
        smallest_pivot: counts.smallest_pivot,
        bounded: BoundedReport::new(
            &desk.bounded,
            t.inputs,
            accuracy::overrun(t, &desk.next.phi),
            coupled::widest(t, &desk.next.phi),
        ),
        parts: 1,
        soft_error: desk.smooth.error.iter().copied().fold(0.0, f64::max),
        guarded_islands: desk.smooth.guarded.iter().filter(|&&g| g).count(),
        anytime: solved.reached.as_ref().map(|r| r.report(model, t)),
        conflicts,
        events,
    }
}
