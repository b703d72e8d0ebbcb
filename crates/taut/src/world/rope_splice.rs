//! Making one rope over guides of two.

use super::World;
use super::ropes::loosen;
use crate::error::{Error, Result};
use crate::ids::RopeId;
use crate::model::reeving::RopeEntry;
use crate::model::rope_end::RopeEnd;
use crate::reeve::hold::Hold;
use crate::rows::UNKNOWN;
use crate::state::{RopeState, SpanState, Stop};
use crate::tuning::T;

impl World {
    /// Makes one rope of two by joining an end of each, which must hang free. It goes on as the first one, with its handle, its name and its
    /// direction; the other one is turned round where it must be. Their lengths add up; where they do not reach, and where their E A differ, it is refused.
    pub fn splice_ropes(&mut self, a: RopeEnd, b: RopeEnd) -> Result<RopeId> {
        if a.rope == b.rope {
            let name = self.model.rope_name(a.rope.0.slot as usize);
            return Err(Error::input("ropes to splice", format!("{name} and itself"), "two ropes"));
        }
        let mut nodes = [a.rope.0.slot; 2].map(|_| self.ground);
        for (k, end) in [a, b].into_iter().enumerate() {
            let node = self.open_end(end.rope)?.free_ends()[end.side()];
            nodes[k] = node.ok_or_else(|| {
                let name = self.model.rope_name(end.rope.0.slot as usize);
                let expected = "one that hangs free: release it first";
                Error::input("end to splice", format!("the {} of {name}", end.word()), expected)
            })?;
        }
        let (entry, rope) = self.joined(a, b)?;
        self.booked(|w| {
            w.wake_rope(a.rope.0.slot as usize);
            w.drop_rope(b.rope);
            w.put_rope(a.rope, (entry, rope))?;
            nodes.into_iter().try_for_each(|node| w.take_body(node))
        })?;
        Ok(a.rope)
    }

    /// Two ropes as one, joined at their free ends.
    fn joined(&self, a: RopeEnd, b: RopeEnd) -> Result<(RopeEntry, RopeState)> {
        let own = |end: RopeEnd| -> Result<(RopeEntry, RopeState, f64)> {
            let view = self.rope(end.rope)?;
            Ok((view.entry().clone(), view.state().clone(), view.way().length()))
        };
        let ((ea, ra, la), (mut eb, mut rb, lb)) = (own(a)?, own(b)?);
        if ea.stiffness != eb.stiffness {
            let name = self.model.rope_name(b.rope.0.slot as usize);
            let given = eb.stiffness.map_or("one that does not stretch".into(), |ea| format!("{ea} N"));
            let expected =
                ea.stiffness.map_or("a rope that does not stretch".into(), |ea| format!("{ea} N, that of the other"));
            return Err(Error::input(format!("stiffness of {name}"), given, expected));
        }
        if ea.torsion != eb.torsion {
            let name = self.model.rope_name(b.rope.0.slot as usize);
            let say = |gj: Option<f64>| gj.map_or("none".into(), |gj| format!("{gj} N m^2"));
            let expected = format!("{}, that of the other", say(ea.torsion));
            return Err(Error::input(format!("torsion of {name}"), say(eb.torsion), expected));
        }
        if a.last == b.last {
            turn_round(&mut eb, &mut rb);
        }
        let (mut entry, free) = (ea.clone(), [ea.free, eb.free]);
        let (first, second) = if a.last { ((ea, ra), (eb, rb)) } else { ((eb, rb), (ea, ra)) };
        let ((e1, mut r1), (e2, r2)) = (first, second);
        let (n1, k) = (e1.guides.len() - 1, r1.spans.len() - 1);
        entry.guides = e1.guides[..n1].iter().chain(&e2.guides[1..]).copied().collect();
        // The ends that are not joined are what they were.
        entry.free = if a.last { [free[0][0], free[1][1]] } else { [free[1][0], free[0][1]] };
        entry.laid += lb;
        r1.stops.pop();
        let renumbered = |s: &Stop| Stop { lead: s.lead.map(|l| l + n1 as u32 - 1), ..*s };
        r1.stops.extend(r2.stops[1..].iter().map(renumbered));
        let (p, q) = (r1.spans[k], r2.spans[0]);
        let lambda = if p.lambda.abs() > q.lambda.abs() { p.lambda } else { q.lambda };
        r1.spans[k] = SpanState {
            material: p.material + q.material,
            lambda,
            stretch: UNKNOWN,
            angles: [p.angles[0], q.angles[1]],
            energy: p.energy + q.energy,
            apart: 0.0,
            ..p
        };
        r1.spans.extend_from_slice(&r2.spans[1..]);
        let slack = self.close(&mut r1, k, la + lb)?;
        if slack < -T.ropes.shortest * (la + lb) {
            let expected = format!("two that reach each other: they are too short by {:.6} m", -slack);
            let names = [a, b].map(|e| self.model.rope_name(e.rope.0.slot as usize));
            return Err(Error::input("ropes to splice", format!("{} and {}", names[0], names[1]), expected));
        }
        loosen(&entry, &mut r1);
        self.hold_twist(&mut entry, &mut r1, [false; 2]);
        Ok((entry, r1))
    }
}

/// The same rope with its end as its start.
fn turn_round(entry: &mut RopeEntry, rope: &mut RopeState) {
    let back = |hold: Hold| if let Hold::Ratios([on, back]) = hold { Hold::Ratios([back, on]) } else { hold };
    let last = entry.guides.len() as u32 - 1;
    entry.guides.reverse();
    entry.free.reverse();
    for g in &mut entry.guides {
        (g.groove.side, g.hold) = (-g.groove.side, back(g.hold));
    }
    rope.stops.reverse();
    for s in &mut rope.stops {
        (s.groove.side, s.hold, s.lead) = (-s.groove.side, back(s.hold), s.lead.map(|l| last - l));
    }
    if entry.torsion.is_some() {
        // Clamps point along the rope.
        let grooves =
            entry.guides.iter_mut().map(|g| &mut g.groove).chain(rope.stops.iter_mut().map(|s| &mut s.groove));
        grooves.filter(|g| !g.is_round() && !g.is_edge()).for_each(|g| g.axis = -g.axis);
    }
    rope.spans.reverse();
    // The slip of a span is that over the guide before it.
    let slips: Vec<f64> = rope.spans.iter().map(|s| -s.slip).collect();
    for (k, s) in rope.spans.iter_mut().enumerate() {
        s.angles.reverse();
        s.slip = if k == 0 { 0.0 } else { slips[k - 1] };
    }
}
