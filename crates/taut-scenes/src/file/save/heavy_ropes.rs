//! Ropes with mass of a world: their nodes are bodies of the file, their pieces joints, and here is what makes a rope of them.

use super::names::Names;
use crate::file::error::{FileError, Path};
use crate::file::reeving::{DrumState, Guide, HeavyState, HeldState, Reeved};
use taut::parts::HeavyMemory;
use taut::{HeavyRopeRef, World};

/// Adds what ropes with mass are to the ropes of a file: those that run over guides are among them already, in the order of the world.
pub(super) fn heavy_ropes(world: &World, names: &Names, ropes: &mut Vec<Reeved>) -> Result<(), FileError> {
    for (_, heavy) in world.heavy_ropes() {
        let m = heavy.memory();
        let place = m.rope.and_then(|id| world.ropes().position(|r| r.id() == id));
        let place = match (place, m.hawse) {
            (Some(place), _) => place,
            (None, Some(_)) => {
                ropes.push(out_of_locker(world, names, &heavy, &m, ropes)?);
                ropes.len() - 1
            }
            (None, None) => continue,
        };
        let rope = &mut ropes[place];
        (rope.mass_per_length, rope.segment) = (Some(m.density.into()), Some(m.segment.into()));
        (rope.adaptive, rope.nodes) = (m.adaptive, Some(state(names, &m)?));
    }
    Ok(())
}

/// The way of one out of a locker: from the hawse to the node that is out.
fn out_of_locker(
    world: &World,
    names: &Names,
    heavy: &HeavyRopeRef<'_>,
    m: &HeavyMemory,
    others: &[Reeved],
) -> Result<Reeved, FileError> {
    let path = Path::of("ropes").index(others.len());
    let Some((body, at)) = m.hawse else {
        return Err(FileError::new(path, "a rope with mass: expected a hawse or guides"));
    };
    let lost = |_| FileError::new(path.clone(), "a rope with mass: expected bodies of this world");
    let pose = world.body(body).map_err(lost)?.pose();
    let hawse =
        Guide { body: Some(names.body(body)?.to_owned()), point: Some(pose.to_world(at).into()), ..Guide::default() };
    let end = Guide { body: Some(names.body(heavy.nodes()[0])?.to_owned()), ..Guide::default() };
    let name = Some(heavy.name()).filter(|n| !n.is_empty() && others.iter().all(|o| o.name.as_deref() != Some(n)));
    Ok(Reeved { name: name.map(str::to_owned), path: vec![hawse, end], locker: true, ..Reeved::default() })
}

fn state(names: &Names, m: &HeavyMemory) -> Result<HeavyState, FileError> {
    let bodies = m.nodes.iter().map(|b| names.body(*b).map(str::to_owned)).collect::<Result<_, FileError>>()?;
    let drum = m
        .drum
        .map(|(mass, i)| DrumState { mass: mass.into(), inertia: [i.x_axis, i.y_axis, i.z_axis].map(Into::into) });
    let held = match m.held {
        Some((body, [along, mark])) => {
            Some(HeldState { body: names.body(body)?.to_owned(), along: along.into(), mark: mark.into() })
        }
        None => None,
    };
    Ok(HeavyState {
        bodies,
        out: m.out.clone(),
        pieces: if m.pieces.iter().all(|p| *p == [0.0; 2]) { Vec::new() } else { m.pieces.clone() },
        total: m.total.into(),
        diameter: Some(m.diameter).filter(|d| *d > 0.0).map(Into::into),
        stiffness: m.stiffness.map(Into::into),
        tail: Some(m.tail).filter(|t| *t > 0.0).map(Into::into),
        drum,
        held,
        hawse: m.hawse.map(|(_, at)| at.into()),
    })
}
