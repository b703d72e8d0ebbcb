//! What ropes over guides have become.

use super::names::Names;
use crate::file::error::FileError;
use crate::file::reeving::{GuideState, ReevedState, RideState, SpanState, StopState, TwistState};
use taut::Vec3;
use taut::parts::{GuideMemory, Hold, RideMemory, RopeMemory, SpanMemory, StopMemory, TwistMemory};

/// Whether two vectors differ, to the sign of a zero.
fn differs(a: Vec3, b: Vec3) -> bool {
    a.to_array().map(f64::to_bits) != b.to_array().map(f64::to_bits)
}

/// What a rope has become.
pub(super) fn state(m: &RopeMemory, names: &Names) -> Result<ReevedState, FileError> {
    let given = |x: f64| (x.to_bits() != 0).then_some(x);
    let guide = |g: &GuideMemory| GuideState {
        centre: g.centre.into(),
        axis: differs(g.axis, Vec3::Z).then(|| g.axis.into()),
        mark: differs(g.mark, Vec3::X).then(|| g.mark.into()),
        length: given(g.length).map(Into::into),
        first: given(g.first).map(Into::into),
    };
    let span = |s: &SpanMemory| SpanState {
        material: s.material.into(),
        reach: (s.reach != s.material).then(|| s.reach.into()),
        tension: given(s.tension).map(Into::into),
        stretch: s.stretch.map(Into::into),
        angles: s.angles.map(Into::into),
        energy: given(s.energy).map(Into::into),
        slip: given(s.slip).map(Into::into),
        least: s.least.into(),
        apart: given(s.apart).map(Into::into),
    };
    let ride = |r: &RideMemory| RideState {
        guide: r.guide,
        wheel: r.wheel,
        point: r.point.into(),
        at: r.at.into(),
        angle: r.angle.into(),
        force: (r.force != Vec3::ZERO).then(|| r.force.into()),
    };
    let mut stops = Vec::with_capacity(m.stops.len());
    for s in &m.stops {
        stops.push(match *s {
            StopMemory::Given(n) => StopState { guide: Some(n), ..StopState::default() },
            StopMemory::Shell(n) => StopState { shell: Some(n), ..StopState::default() },
            StopMemory::Found { collider, feature, radius, about, hold } => StopState {
                collider: names.collider(collider),
                feature: Some(feature),
                radius: given(radius).map(Into::into),
                against: !about,
                friction: if let Hold::Friction(mu) = hold { Some(mu.into()) } else { None },
                ..StopState::default()
            },
        });
    }
    Ok(ReevedState {
        guides: m.guides.iter().map(guide).collect(),
        spans: m.spans.iter().map(span).collect(),
        rides: m.rides.iter().map(ride).collect(),
        laid: m.laid.into(),
        stops,
        given: m.given.iter().map(guide).collect(),
        twist: m.twist.as_ref().map(twist),
    })
}

fn twist(t: &TwistMemory) -> TwistState {
    let is_wound = t.wound.as_flattened().iter().any(|x| x.to_bits() != 0);
    TwistState {
        angle: t.angle.into(),
        rest: t.rest.into(),
        torque: (t.torque.to_bits() != 0).then(|| t.torque.into()),
        stretch: t.stretch.map(Into::into),
        wound: is_wound.then_some(t.wound),
    }
}
