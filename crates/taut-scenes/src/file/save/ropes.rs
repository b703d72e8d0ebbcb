//! Ropes over guides of a world, with what they have become, and the sheaves that they run over.

use super::colliders::groups;
use super::names::Names;
use super::rope_state::state;
use crate::file::error::FileError;
use crate::file::quantity::{Number, One};
use crate::file::reeving::{Guide, Reeved, Sheave};
use taut::parts::{GuideMemory, Hold, Lead, RopeMemory};
use taut::views::GuideView;
use taut::{RopeRef, Vec3, World};

/// A sheave, and where it is in its body.
struct Known {
    sheave: taut::Sheave,
    at: GuideMemory,
    name: String,
}

/// All sheaves and ropes, in order.
pub(super) fn ropes(
    world: &World,
    names: &Names,
    warnings: &mut Vec<String>,
) -> Result<(Vec<Sheave>, Vec<Reeved>), FileError> {
    let (mut known, mut out) = (Vec::<Known>::new(), Vec::<Reeved>::new());
    for rope in world.ropes() {
        let memory = rope.memory();
        let way = match memory.stops.is_empty() {
            true => plain(&rope, &memory, names, &mut known)?,
            false => given(&rope, &memory, names, &mut known)?,
        };
        let unsaid = |l: &Lead| matches!(l, Lead::Ring(_, _, hold) if friction(*hold).is_none());
        if rope.leads().iter().any(unsaid) {
            warnings
                .push(format!("a ring of rope '{}' holds it by more than friction: the file has none", rope.name()));
        }
        let name = Some(rope.name()).filter(|n| !n.is_empty());
        let taken = name.is_some_and(|n| out.iter().any(|o| o.name.as_deref() == Some(n)));
        if taken {
            warnings.push(format!("a second rope is named '{}': it has no name in the file", rope.name()));
        }
        out.push(Reeved {
            name: name.filter(|_| !taken).map(str::to_owned),
            path: way,
            endless: rope.is_closed(),
            stiffness: rope.stiffness().map(Into::into),
            torsion: rope.torsion().map(Into::into),
            thickness: Some(rope.thickness()).filter(|d| *d > 0.0).map(Into::into),
            collides: rope.groups().is_none().then_some(false),
            groups: rope.groups().filter(|g| *g != taut::shapes::Groups::ALL).map(groups),
            state: Some(state(&memory, names)?),
            ..Reeved::default()
        });
    }
    let sheaves = known.into_iter().map(|k| {
        let taut::Sheave { body, centre, axis, radius, hold, keeper, layers } = k.sheave;
        Ok(Sheave {
            name: k.name,
            body: names.body(body)?.to_owned(),
            point: Some(centre.into()),
            axis: axis.into(),
            radius: radius.into(),
            no_slip: hold == Hold::Fast,
            efficiency: if let Hold::Efficiency(x) = hold { Some(x.into()) } else { None },
            friction: friction(hold),
            ratios: if let Hold::Ratios(x) = hold { Some(x) } else { None },
            keeper,
            rope_diameter: layers.rope_diameter.map(Into::into),
            wraps: layers.wraps.map(Into::into),
            stored: layers.stored.map(Into::into),
            capacity: layers.capacity.map(Into::into),
        })
    });
    Ok((sheaves.collect::<Result<_, FileError>>()?, out))
}

/// The path of a rope that touches all that it was given, in the order of its way as it is now.
fn plain(
    rope: &RopeRef<'_>,
    memory: &RopeMemory,
    names: &Names,
    known: &mut Vec<Known>,
) -> Result<Vec<Guide>, FileError> {
    let keepers: Vec<bool> = rope.keepers().collect();
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
            let friction = friction(view.hold);
            let free = (k == 0 && free[0].is_some()) || (k == last && free[1].is_some());
            way.push(Guide { body, point: Some(view.centre.into()), friction, free, ..Guide::default() });
            continue;
        }
        let hold = if closed || (k > 0 && k < last) { view.hold } else { Hold::Free };
        let keeper = Some(view.lead.is_none_or(|l| keepers[l]));
        let round =
            taut::Sheave { keeper, ..taut::Sheave::on(view.body, view.centre, view.axis, view.radius).held(hold) };
        let name = sheave(known, round, *at);
        let (about, against) = if view.about { (Some(name), None) } else { (None, Some(name)) };
        way.push(Guide { about, against, ..Guide::default() });
    }
    let mut riding: Vec<(usize, GuideView)> = memory.rides.iter().map(|r| r.guide).zip(rope.riding()).collect();
    riding.sort_by_key(|r| r.0);
    for (place, view) in riding {
        way.insert(place, grip(&view, names)?);
    }
    Ok(way)
}

/// The path of a rope with all that it was given.
fn given(
    rope: &RopeRef<'_>,
    memory: &RopeMemory,
    names: &Names,
    known: &mut Vec<Known>,
) -> Result<Vec<Guide>, FileError> {
    let leads = rope.leads();
    let ends = rope.free_ends().map(|e| e.is_some());
    let last = leads.len() - 1;
    let mut way = Vec::with_capacity(leads.len());
    for (k, (lead, at)) in leads.iter().zip(&memory.given).enumerate() {
        let named = |body| names.body(body).map(|n: &str| Some(n.to_owned()));
        way.push(match *lead {
            Lead::Grip(body, point) => Guide { grip: named(body)?, point: Some(point.into()), ..Guide::default() },
            Lead::Point(body, point) => {
                let free = (k == 0 && ends[0]) || (k == last && ends[1]);
                Guide { body: named(body)?, point: Some(point.into()), free, ..Guide::default() }
            }
            Lead::Ring(body, point, hold) => {
                let friction = friction(hold);
                Guide { body: named(body)?, point: Some(point.into()), friction, ..Guide::default() }
            }
            Lead::Edge(e) => Guide {
                edge: named(e.body)?,
                ends: Some(e.ends.map(Into::into)),
                outward: e.outward.map(Into::into),
                friction: friction(e.hold),
                ..Guide::default()
            },
            Lead::Round(w) => {
                let name = sheave(known, w.sheave(), *at);
                let (about, against) = if w.is_about() { (Some(name), None) } else { (None, Some(name)) };
                let turns = Some(w.whole_turns()).filter(|n| *n > 0);
                Guide { about, against, turns, ..Guide::default() }
            }
        });
    }
    Ok(way)
}

fn friction(hold: Hold) -> Option<Number<One>> {
    if let Hold::Friction(mu) = hold { Some(mu.into()) } else { None }
}

/// A grip as the file has it.
fn grip(view: &GuideView, names: &Names) -> Result<Guide, FileError> {
    let body = names.body(view.body)?.to_owned();
    Ok(Guide { grip: Some(body), point: Some(view.centre.into()), ..Guide::default() })
}

/// The name of a sheave, of one that is there already where it is the same.
fn sheave(known: &mut Vec<Known>, sheave: taut::Sheave, at: GuideMemory) -> String {
    // Where it is in the world follows from where it is in its body.
    let put = |s: &taut::Sheave| taut::Sheave { centre: Vec3::ZERO, axis: Vec3::ZERO, ..*s };
    if let Some(s) = known.iter().find(|s| put(&s.sheave) == put(&sheave) && s.at == at) {
        return s.name.clone();
    }
    let name = format!("sheave {}", known.len());
    known.push(Known { sheave, at, name: name.clone() });
    name
}
