//! Forces of a world.

use super::names::Names;
use crate::file::error::{At, FileError, Path};
use crate::file::quantity::{Metre, Triple};
use crate::file::{Drag, Load, MouseSpring, PointForce, Spring, Torque};
use taut::{Force, Vec3, World};

/// All forces that act until they are removed, in order.
pub(super) fn forces(world: &World, names: &Names) -> Result<Vec<Load>, FileError> {
    let mut out = Vec::new();
    for id in world.forces() {
        let path = Path::of("forces").index(out.len());
        let name = world.force_name(id).at(&path)?;
        let name = (!name.is_empty()).then(|| name.to_owned());
        out.push(load(world.force(id).at(&path)?, name, names, &path)?);
    }
    Ok(out)
}

fn load(force: Force, name: Option<String>, names: &Names, path: &Path) -> Result<Load, FileError> {
    let called = |id| names.body(id).map(str::to_owned);
    let held = |point: Vec3| (point != Vec3::ZERO).then(|| Triple::<Metre>::from(point));
    Ok(match force {
        Force::Point { body, point, force } => Load::Force(PointForce {
            name,
            body: called(body)?,
            point: None,
            local_point: held(point),
            force: force.into(),
        }),
        Force::Torque { body, torque } => Load::Torque(Torque { name, body: called(body)?, torque: torque.into() }),
        Force::Drag { body, linear, angular } => {
            Load::Drag(Drag { name, body: called(body)?, damping: linear.into(), turn_damping: angular.into() })
        }
        Force::Spring(s) => Load::Spring(Spring {
            name,
            bodies: [called(s.i)?, called(s.j)?],
            points: None,
            local_points: Some([s.point_i.into(), s.point_j.into()]),
            stiffness: s.stiffness.into(),
            damping: s.damping.into(),
            rest_length: Some(s.rest_length.into()),
        }),
        Force::Mouse(m) => Load::Mouse(MouseSpring {
            name,
            body: called(m.body)?,
            point: None,
            local_point: held(m.point),
            target: m.target.into(),
            frequency: Some(m.frequency.into()),
            damping_ratio: Some(m.damping_ratio.into()),
        }),
        other => {
            return Err(FileError::new(path.clone(), format!("{other:?}: expected a force that the format knows")));
        }
    })
}
