//! Ropes over guides of a world, with what they have become, and the sheaves that they run over.

use super::colliders::groups;
use super::names::Names;
use crate::file::error::{FileError, Path};
use crate::file::reeving::{Guide, GuideState, Reeved, ReevedState, RideState, Sheave, SpanState, TwistState};
use taut::parts::{GuideMemory, Hold, RideMemory, RopeMemory, SpanMemory, TwistMemory};
use taut::views::GuideView;
use taut::{RopeRef, Vec3, World};

/// A sheave with what tells it from others: body, place in it, radius, whether ropes slip.
struct Known {
    view: GuideView,
    at: GuideMemory,
    /// How ropes hold to it, and whether they are kept.
    hold: (Hold, bool),
    name: String,
}

/// All sheaves and ropes, in order.
pub(super) fn ropes(
    world: &World,
    names: &Names,
    warnings: &mut Vec<String>,
) -> Result<(Vec<Sheave>, Vec<Reeved>), FileError> {
    let (mut known, mut out) = (Vec::<Known>::new(), Vec::<Reeved>::new());
    for (k, rope) in world.ropes().enumerate() {
        let path = Path::of("ropes").index(k);
        if rope.ends().count() < rope.span_count() {
            let expected = "guides that a straight line can touch both of: two of them overlap now";
            return Err(FileError::input(path, called(&rope), expected));
        }
        if !rope.is_as_given() {
            let expected = "a rope that touches all its guides and nothing else, without edges and drums with layers";
            return Err(FileError::input(path, called(&rope), expected));
        }
        let keepers: Vec<bool> = rope.keepers().collect();
        let memory = rope.memory();
        let (last, free) = (memory.guides.len() - 1, rope.free_ends());
        let closed = rope.is_closed();
        // The end of an endless rope is its start; grips that ride come in below.
        let count = memory.guides.len() - usize::from(closed);
        let mut way = Vec::with_capacity(memory.guides.len() + memory.rides.len());
        for (k, (view, at)) in rope.guides().zip(&memory.guides).enumerate().take(count) {
            if view.is_grip {
                way.push(grip(&view, names)?);
                continue;
            }
            if view.radius == 0.0 {
                let body = Some(names.body(view.body)?.to_owned());
                let friction = if let Hold::Friction(mu) = view.hold { Some(mu.into()) } else { None };
                let free = (k == 0 && free[0].is_some()) || (k == last && free[1].is_some());
                way.push(Guide { body, point: Some(view.centre.into()), friction, free, ..Guide::default() });
                continue;
            }
            let hold = if closed || (k > 0 && k < last) { view.hold } else { Hold::Free };
            let name = sheave(&mut known, view, *at, (hold, view.lead.is_none_or(|l| keepers[l])));
            let (about, against) = if view.about { (Some(name), None) } else { (None, Some(name)) };
            way.push(Guide { about, against, ..Guide::default() });
        }
        let mut riding: Vec<(usize, GuideView)> = memory.rides.iter().map(|r| r.guide).zip(rope.riding()).collect();
        riding.sort_by_key(|r| r.0);
        for (place, view) in riding {
            way.insert(place, grip(&view, names)?);
        }
        let name = Some(rope.name()).filter(|n| !n.is_empty());
        let taken = name.is_some_and(|n| out.iter().any(|o| o.name.as_deref() == Some(n)));
        if taken {
            warnings.push(format!("a second rope is named '{}': it has no name in the file", rope.name()));
        }
        out.push(Reeved {
            name: name.filter(|_| !taken).map(str::to_owned),
            path: way,
            endless: closed,
            stiffness: rope.stiffness().map(Into::into),
            torsion: rope.torsion().map(Into::into),
            thickness: Some(rope.thickness()).filter(|d| *d > 0.0).map(Into::into),
            collides: rope.groups().is_none().then_some(false),
            groups: rope.groups().filter(|g| *g != taut::shapes::Groups::ALL).map(groups),
            state: Some(state(&memory)),
            ..Reeved::default()
        });
    }
    let sheaves = known.into_iter().map(|s| {
        Ok(Sheave {
            name: s.name,
            body: names.body(s.view.body)?.to_owned(),
            point: Some(s.view.centre.into()),
            axis: s.view.axis.into(),
            radius: s.view.radius.into(),
            no_slip: s.hold.0 == Hold::Fast,
            efficiency: if let Hold::Efficiency(x) = s.hold.0 { Some(x.into()) } else { None },
            friction: if let Hold::Friction(x) = s.hold.0 { Some(x.into()) } else { None },
            ratios: if let Hold::Ratios(x) = s.hold.0 { Some(x) } else { None },
            keeper: Some(s.hold.1),
            rope_diameter: None,
            wraps: None,
            stored: None,
            capacity: None,
        })
    });
    Ok((sheaves.collect::<Result<_, FileError>>()?, out))
}

/// A grip as the file has it.
fn grip(view: &GuideView, names: &Names) -> Result<Guide, FileError> {
    let body = names.body(view.body)?.to_owned();
    Ok(Guide { grip: Some(body), point: Some(view.centre.into()), ..Guide::default() })
}

fn called(rope: &RopeRef<'_>) -> String {
    if rope.name().is_empty() { "a rope".into() } else { format!("rope '{}'", rope.name()) }
}

/// The name of a sheave, of one that is there already where it is the same.
fn sheave(known: &mut Vec<Known>, view: GuideView, at: GuideMemory, hold: (Hold, bool)) -> String {
    let same = |s: &Known| s.view.body == view.body && s.at == at && s.view.radius == view.radius && s.hold == hold;
    if let Some(s) = known.iter().find(|s| same(s)) {
        return s.name.clone();
    }
    let name = format!("sheave {}", known.len());
    known.push(Known { view, at, hold, name: name.clone() });
    name
}

/// Whether two vectors differ, to the sign of a zero.
fn differs(a: Vec3, b: Vec3) -> bool {
    a.to_array().map(f64::to_bits) != b.to_array().map(f64::to_bits)
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

fn state(m: &RopeMemory) -> ReevedState {
    let guide = |g: &GuideMemory| GuideState {
        centre: g.centre.into(),
        axis: differs(g.axis, Vec3::Z).then(|| g.axis.into()),
        mark: differs(g.mark, Vec3::X).then(|| g.mark.into()),
    };
    let given = |x: f64| (x.to_bits() != 0).then_some(x);
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
    ReevedState {
        guides: m.guides.iter().map(guide).collect(),
        spans: m.spans.iter().map(span).collect(),
        rides: m.rides.iter().map(ride).collect(),
        laid: m.laid.into(),
        twist: m.twist.as_ref().map(twist),
    }
}
