//! Forces of a scene file into a world.

use super::Builder;
use crate::file::error::{At, FileError, Path};
use crate::file::{Load, Spring};
use taut::{BodyId, Force, Motion, Vec3};

impl Builder {
    pub(super) fn load(&mut self, load: &Load, path: &Path) -> Result<(), FileError> {
        let force = match load {
            Load::Force(f) => {
                let body = self.find(&f.body, path.key("body"))?;
                let point = self.anchor(body, f.point.map(|p| p.value), &path.key("point"))?;
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
                let point = self.anchor(body, m.point.map(|p| p.value), &path.key("point"))?;
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
            ("torque", "torque"),
            ("drag linear", "damping"),
            ("drag angular", "turn_damping"),
            ("rest_length", "rest_length"),
            ("stiffness", "stiffness"),
            ("damping_ratio", "damping_ratio"),
            ("damping", "damping"),
            ("frequency", "frequency"),
        ];
        self.world.add_force(force).among(path, &fields).map(drop)
    }

    fn spring(&mut self, s: &Spring, path: &Path) -> Result<taut::Spring, FileError> {
        let [i, j] = self.pair(&s.bodies, path)?;
        let [a, b] = self.ends([i, j], s.points.map(|p| [p[0].value, p[1].value]), path)?;
        let points = path.key("points");
        let (point_i, point_j) =
            (self.anchor(i, Some(a), &points.index(0))?, self.anchor(j, Some(b), &points.index(1))?);
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
        let local = point.map_or(Vec3::ZERO, |p| body.pose.to_local(p));
        if body.motion == Motion::Particle && local != Vec3::ZERO {
            let expected = format!("{}, where the particle is: it has no extent", body.pose.pos);
            return Err(FileError::input(path.clone(), body.pose.to_world(local), expected));
        }
        Ok(local)
    }
}
