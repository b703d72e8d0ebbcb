//! What a rope over guides has become, written down and taken up again.

use crate::error::{Error, Result, finite, finite_vec};
use crate::model::reeved::{GuideMemory, RopeMemory, SpanMemory};
use crate::model::reeving::RopeEntry;
use crate::rows::UNKNOWN;
use crate::state::{RopeState, SpanState, Stop};

/// How far a direction that was written down may be from a unit vector, and two from square to each other.
const UNIT: f64 = 1e-9;

/// What a rope has become.
pub(super) fn of(entry: &RopeEntry, state: &RopeState) -> RopeMemory {
    let guide = |g: &Stop| GuideMemory { centre: g.groove.centre, axis: g.groove.axis, mark: g.groove.zero };
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
    RopeMemory {
        guides: state.stops.iter().map(guide).collect(),
        spans: state.spans.iter().map(span).collect(),
        laid: entry.laid,
    }
}

/// Makes a rope that was just read what it had become.
pub(super) fn apply(memory: &RopeMemory, entry: &mut RopeEntry, state: &mut RopeState) -> Result<()> {
    let counts = [
        ("guides", memory.guides.len(), entry.guides.len()),
        ("guides", state.stops.len(), entry.guides.len()),
        ("spans", memory.spans.len(), state.spans.len()),
    ];
    for (what, given, expected) in counts {
        if given != expected {
            return Err(Error::input(format!("{what} that the rope remembers"), given, expected.to_string()));
        }
    }
    for (k, (g, to)) in memory.guides.iter().zip(&mut entry.guides).enumerate() {
        let named = |what: &str| format!("{what} that guide {k} of the rope remembers");
        finite_vec(&named("centre"), g.centre, "m")?;
        for (what, v) in [("axis", g.axis), ("mark", g.mark)] {
            if !((v.length() - 1.0).abs() <= UNIT) {
                return Err(Error::input(named(what), v, "a vector of length 1"));
            }
        }
        if !(g.axis.dot(g.mark).abs() <= UNIT) {
            return Err(Error::input(named("mark"), g.mark, format!("a vector square to the axis {}", g.axis)));
        }
        (to.groove.centre, to.groove.axis, to.groove.zero) = (g.centre, g.axis, g.mark);
        state.stops[k].groove = to.groove;
    }
    for (k, (s, to)) in memory.spans.iter().zip(state.spans.iter_mut()).enumerate() {
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
        *to = SpanState { material, reach, lambda, stretch, angles, energy, slip, least, apart };
    }
    finite("length that the rope was laid with", memory.laid, "m")?;
    entry.laid = memory.laid;
    Ok(())
}

/// Between a tension and a multiplier: the other sign, but that of zero stays, so that all bits come back.
fn pull(x: f64) -> f64 {
    if x == 0.0 { x } else { -x }
}
