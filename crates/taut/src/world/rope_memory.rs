//! What a rope over guides has become, written down and taken up again.

use super::{World, rope_run};
use crate::error::{Error, Result, finite, finite_vec};
use crate::model::reeved::{RideMemory, RopeMemory, SpanMemory, TwistMemory};
use crate::model::reeving::RopeEntry;
use crate::rows::UNKNOWN;
use crate::state::{Ride, RopeState, SpanState, Stop, TwistState};
use glam::DVec3;

/// The guides that were said in the order in which the rope passes them now; grips that ride come behind their sheaves. The end of an
/// endless rope is left out.
pub(super) fn way(entry: &RopeEntry, state: &RopeState) -> Vec<u32> {
    let stops = &state.stops[..state.stops.len() - usize::from(entry.ring.is_some())];
    let mut out = Vec::with_capacity(entry.guides.len());
    for lead in stops.iter().filter_map(|s| s.lead) {
        out.push(lead);
        let mut on: Vec<&Ride> = state.rides.iter().filter(|r| r.wheel == lead).collect();
        let side = entry.guides[lead as usize].groove.side;
        on.sort_by(|a, b| (side * a.angle).total_cmp(&(side * b.angle)));
        out.extend(on.into_iter().map(|r| r.grip));
    }
    out
}

/// What a rope has become; whether it simply touches all that it was given is said.
pub(super) fn of(world: &World, entry: &RopeEntry, state: &RopeState, is_plain: bool) -> RopeMemory {
    let guide = |g: &Stop| rope_run::place(&g.groove, 0.0);
    let span = |s: &SpanState| SpanMemory {
        material: s.material,
        reach: s.reach,
        tension: pull(s.lambda),
        stretch: (s.stretch >= 0.0).then_some(s.stretch),
        angles: s.angles,
        energy: s.energy,
        slip: s.slip,
        least: s.least,
        apart: s.apart,
    };
    let order = way(entry, state);
    let place = |lead: u32| order.iter().position(|&l| l == lead).unwrap_or(0);
    let ride = |r: &Ride| RideMemory {
        guide: place(r.grip),
        wheel: place(r.wheel),
        point: entry.guides[r.grip as usize].groove.centre,
        at: r.at,
        angle: r.angle,
        force: world.rows_of_ride(entry, r),
    };
    let mut memory = RopeMemory {
        rides: state.rides.iter().map(ride).collect(),
        guides: state.stops.iter().map(guide).collect(),
        spans: state.spans.iter().map(span).collect(),
        laid: entry.laid,
        twist: state.twist.map(|t| TwistMemory {
            angle: t.angle,
            rest: t.rest,
            torque: pull(t.lambda),
            stretch: (t.stretch >= 0.0).then_some(t.stretch),
            wound: t.wound,
        }),
        stops: Vec::new(),
        given: Vec::new(),
    };
    if !is_plain {
        rope_run::tell(entry, state, &mut memory);
    }
    memory
}

/// Takes the grips that ride out of the stops of a rope that is being read; what holds them, N.
pub(super) fn ride(memory: &RopeMemory, entry: &mut RopeEntry, state: &mut RopeState) -> Result<Vec<DVec3>> {
    let count = entry.guides.len() - usize::from(entry.ring.is_some());
    let first = entry.ring.unwrap_or(0);
    for (k, r) in memory.rides.iter().enumerate() {
        let named = |what: &str| format!("{what} that ride {k} of the rope remembers");
        let lead = |n: usize| ((n + count - first) % count) as u32;
        let (grip, wheel) = (lead(r.guide % count.max(1)), lead(r.wheel % count.max(1)));
        let known = r.guide < count
            && r.wheel < count
            && entry.rides.iter().any(|x| x.grip == grip && x.wheel == wheel)
            && state.rides.iter().all(|x| x.grip != grip);
        if !known {
            let expected = "a grip, once, and a sheave that it can pass";
            return Err(Error::input(named("guides"), format!("{} and {}", r.guide, r.wheel), expected));
        }
        for (what, v, unit) in [("point", r.point, "m"), ("place", r.at, "m"), ("force", r.force, "N")] {
            finite_vec(&named(what), v, unit)?;
        }
        finite(&named("angle"), r.angle, "rad")?;
        entry.guides[grip as usize].groove.centre = r.point;
        state.stops.retain(|s| s.lead != Some(grip));
        state.rides.push(Ride { grip, wheel, at: r.at, angle: r.angle });
    }
    Ok(memory.rides.iter().map(|r| r.force).collect())
}

/// Makes a rope that was just read what it had become.
pub(super) fn apply(memory: &RopeMemory, entry: &mut RopeEntry, state: &mut RopeState) -> Result<()> {
    let counts = [
        ("guides", memory.guides.len() + state.rides.len(), entry.guides.len()),
        ("guides", state.stops.len() + state.rides.len(), entry.guides.len()),
        ("spans", memory.spans.len(), state.spans.len()),
    ];
    for (what, given, expected) in counts {
        if given != expected {
            return Err(Error::input(format!("{what} that the rope remembers"), given, expected.to_string()));
        }
    }
    for (k, g) in memory.guides.iter().enumerate() {
        let Some(to) = state.stops[k].lead.map(|l| &mut entry.guides[l as usize]) else { continue };
        let named = |what: &str| format!("{what} that guide {k} of the rope remembers");
        g.check(&named)?;
        (to.groove.centre, to.groove.axis, to.groove.zero) = (g.centre, g.axis, g.mark);
        state.stops[k].groove = to.groove;
    }
    state.spans.clear();
    spans(memory, entry, state)
}

/// The spans of a rope that has been taken up, and its length.
pub(super) fn spans(memory: &RopeMemory, entry: &mut RopeEntry, state: &mut RopeState) -> Result<()> {
    for (k, s) in memory.spans.iter().enumerate() {
        let named = |what: &str| format!("{what} that span {k} of the rope remembers");
        let [first, second] = s.angles;
        for (what, x, unit) in
            [("material", s.material, "m"), ("reach", s.reach, "m"), ("angle", first, "rad"), ("angle", second, "rad")]
        {
            finite(&named(what), x, unit)?;
        }
        for (what, x, unit) in [
            ("tension", s.tension, "N"),
            ("stretch", s.stretch.unwrap_or(0.0), "m"),
            ("energy", s.energy, "J"),
            ("shortest length", s.least, "m"),
            ("force apart", s.apart, "N"),
        ] {
            if !(x >= 0.0 && x.is_finite()) {
                return Err(Error::input(named(what), x, format!("a number of {unit}, zero or more")));
            }
        }
        finite(&named("slip"), s.slip, "m/s")?;
        let (lambda, stretch) = (pull(s.tension), s.stretch.unwrap_or(UNKNOWN));
        let SpanMemory { material, reach, angles, energy, slip, least, apart, .. } = *s;
        state.spans.push(SpanState { material, reach, lambda, stretch, angles, energy, slip, least, apart });
    }
    if let Some(twist) = &memory.twist {
        state.twist = Some(twisted(twist, entry)?);
    }
    finite("length that the rope was laid with", memory.laid, "m")?;
    entry.laid = memory.laid;
    Ok(())
}

/// Torsion that was written down.
fn twisted(t: &TwistMemory, entry: &RopeEntry) -> Result<TwistState> {
    let named = |what: &str| format!("{what} that the torsion of the rope remembers");
    if entry.torsion.is_none() {
        return Err(Error::input(named("twist"), t.angle - t.rest, "none: the rope has no torsion"));
    }
    let [[a, from], [b, to]] = t.wound;
    for (what, x, unit) in [("angle", t.angle, "rad"), ("rest", t.rest, "rad"), ("torque", t.torque, "N m")] {
        finite(&named(what), x, unit)?;
    }
    for (what, x) in [("wound twist", a), ("wound twist", b)] {
        finite(&named(what), x, "rad")?;
    }
    for (what, x) in [("wound length", from), ("wound length", to), ("stretch", t.stretch.unwrap_or(0.0))] {
        if !(x >= 0.0 && x.is_finite()) {
            return Err(Error::input(named(what), x, "a number, zero or more"));
        }
    }
    let (lambda, stretch) = (pull(t.torque), t.stretch.unwrap_or(UNKNOWN));
    Ok(TwistState { angle: t.angle, rest: t.rest, lambda, stretch, wound: t.wound })
}

/// Between a tension and a multiplier: the other sign, but that of zero stays, so that all bits come back.
fn pull(x: f64) -> f64 {
    if x == 0.0 { x } else { -x }
}
