//! Forces of a scene file into a world.

use super::Builder;
use crate::file::error::{At, FileError, Path};
use crate::file::quantity::{Metre, Triple};
use crate::file::{Load, Spring};
use taut::{BodyId, Force, Motion, Vec3};

impl Builder {
    pub(super) fn load(&mut self, load: &Load, path: &Path) -> Result<(), FileError> {
        let force = match load {
            Load::Force(f) => {
                let body = self.find(&f.body, path.key("body"))?;
                let point = self.held(body, [f.point, f.local_point], path)?;
                Force::Point { body, point, force: f.force.value }
            }
            Load::Torque(t) => Force::Torque { body: self.find(&t.body, path.key("body"))?, torque: t.torque.value },
            Load::Drag(d) => {
                let body = self.find(&d.body, path.key("body"))?;
                Force::Drag { body, linear: d.damping.value, angular: d.turn_damping.value }
            }
            Load::Spring(s) => Force::Spring(self.spring(s, path)?),
            Load::Mouse(m) => {
                let body = self.find(&m.body, path.key("body"))?;
                let point = self.held(body, [m.point, m.local_point], path)?;
                let d = taut::MouseSpring::new(body, point, m.target.value);
                Force::Mouse(taut::MouseSpring {
                    frequency: m.frequency.map_or(d.frequency, |x| x.value),
                    damping_ratio: m.damping_ratio.map_or(d.damping_ratio, |x| x.value),
                    ..d
                })
            }
        };
        let fields = [
            ("force body", "body"),
            ("force point on a particle", "local_point"),
            ("spring point", "local_points"),
            ("torque", "torque"),
            ("drag linear", "damping"),
            ("drag angular", "turn_damping"),
            ("rest_length", "rest_length"),
            ("stiffness", "stiffness"),
            ("damping_ratio", "damping_ratio"),
            ("damping", "damping"),
            ("frequency", "frequency"),
        ];
        let name = load.name().unwrap_or_default();
        if let Some((_, other)) = self.forces.get(name) {
            let expected = format!("a name that no other force has ({other})");
            return Err(FileError::input(path.key("name"), format!("'{name}'"), expected));
        }
        let id = self.world.add(force.named(name)).among(path, &fields)?;
        if !name.is_empty() {
            self.forces.insert(name.into(), (id, path.clone()));
        }
        Ok(())
    }

    /// Where a force holds a body, in its own coordinates: from a point in the world, or as it is.
    fn held(&self, body: BodyId, [world, local]: [Option<Triple<Metre>>; 2], path: &Path) -> Result<Vec3, FileError> {
        match (world, local) {
            (Some(_), Some(p)) => Err(twice(path, "local_point", "point", p.value)),
            (None, Some(p)) => Ok(p.value),
            (point, None) => self.anchor(body, point.map(|p| p.value), &path.key("point")),
        }
    }

    fn spring(&mut self, s: &Spring, path: &Path) -> Result<taut::Spring, FileError> {
        let [i, j] = self.pair(&s.bodies, path)?;
        let points = path.key("points");
        let (a, b, point_i, point_j) = match (s.points, s.local_points) {
            (Some(_), Some(p)) => return Err(twice(path, "local_points", "points", p[0].value)),
            (None, Some([p, q])) => {
                let (p, q) = (p.value, q.value);
                let [a, b] = [(i, p), (j, q)].map(|(id, at)| self.world.body(id).map(|b| b.pose().to_world(at)));
                (a.at(path)?, b.at(path)?, p, q)
            }
            (world, None) => {
                let [a, b] = self.ends([i, j], world.map(|p| [p[0].value, p[1].value]), path)?;
                (a, b, self.anchor(i, Some(a), &points.index(0))?, self.anchor(j, Some(b), &points.index(1))?)
            }
        };
        self.extent.add(a, 0.0);
        self.extent.add(b, 0.0);
        Ok(taut::Spring {
            i,
            j,
            point_i,
            point_j,
            stiffness: s.stiffness.value,
            damping: s.damping.value,
            rest_length: s.rest_length.map_or((a - b).length(), |l| l.value),
        })
    }

    /// A world point in a body's own coordinates; without one, its centre.
    fn anchor(&self, id: BodyId, point: Option<Vec3>, path: &Path) -> Result<Vec3, FileError> {
        let body = self.world.body(id).at(path)?;
        let local = point.map_or(Vec3::ZERO, |p| body.pose().to_local(p));
        if body.motion() == Motion::Particle && local != Vec3::ZERO {
            let expected = format!("{}, where the particle is: it has no extent", body.pose().pos);
            return Err(FileError::input(path.clone(), body.pose().to_world(local), expected));
        }
        Ok(local)
    }
}

/// A place that is given twice.
fn twice(path: &Path, field: &str, other: &str, value: Vec3) -> FileError {
    FileError::input(path.key(field), value, format!("none with '{other}', which says the same"))
}
