//! What ropes of a scene file have become in a run that was saved.

use super::Builder;
use crate::file::error::{FileError, Path};
use crate::file::reeving::{GuideState, ReevedState, StopState};
use taut::Vec3;
use taut::parts::{GuideMemory, Hold, RideMemory, RopeMemory, SpanMemory, StopMemory, TwistMemory};

impl Builder {
    /// What the file says that a rope has become.
    pub(super) fn memory(&self, s: &ReevedState, path: &Path) -> Result<RopeMemory, FileError> {
        let spans = s.spans.iter().map(|s| SpanMemory {
            material: s.material.value,
            reach: s.reach.unwrap_or(s.material).value,
            tension: s.tension.map_or(0.0, |x| x.value),
            stretch: s.stretch.map(|x| x.value),
            angles: s.angles.map(|x| x.value),
            energy: s.energy.map_or(0.0, |x| x.value),
            slip: s.slip.map_or(0.0, |x| x.value),
            least: s.least.value,
            apart: s.apart.map_or(0.0, |x| x.value),
        });
        let rides = s.rides.iter().map(|r| RideMemory {
            guide: r.guide,
            wheel: r.wheel,
            point: r.point.value,
            at: r.at.value,
            angle: r.angle.value,
            force: r.force.map_or(Vec3::ZERO, |f| f.value),
        });
        let mut stops = Vec::with_capacity(s.stops.len());
        for (k, stop) in s.stops.iter().enumerate() {
            stops.push(self.stop(stop, &path.key("stops").index(k))?);
        }
        let twist = s.twist.as_ref().map(|t| TwistMemory {
            angle: t.angle.value,
            rest: t.rest.value,
            torque: t.torque.map_or(0.0, |x| x.value),
            stretch: t.stretch.map(|x| x.value),
            wound: t.wound.unwrap_or_default(),
        });
        Ok(RopeMemory {
            twist,
            guides: s.guides.iter().map(guide).collect(),
            spans: spans.collect(),
            rides: rides.collect(),
            laid: s.laid.value,
            stops,
            given: s.given.iter().map(guide).collect(),
        })
    }

    /// What a rope touches.
    fn stop(&self, s: &StopState, path: &Path) -> Result<StopMemory, FileError> {
        let own = [
            ("feature", s.feature.is_some()),
            ("radius", s.radius.is_some()),
            ("against", s.against),
            ("friction", s.friction.is_some()),
        ];
        let stray = own.into_iter().find(|(_, said)| *said && s.collider.is_none());
        if let Some((field, _)) = stray {
            return Err(FileError::new(path.key(field), format!("{field}: expected with 'collider' alone")));
        }
        match (s.guide, s.shell, &s.collider) {
            (Some(n), None, None) => Ok(StopMemory::Given(n)),
            (None, Some(n), None) => Ok(StopMemory::Shell(n)),
            (None, None, Some(name)) => {
                let collider = self.find_collider(name, path.key("collider"))?;
                let Some(feature) = s.feature else {
                    let text = "feature: expected the number of an edge or a round side of the collider";
                    return Err(FileError::new(path.key("feature"), text));
                };
                let (radius, about) = (s.radius.map_or(0.0, |x| x.value), !s.against);
                let hold = s.friction.map_or(Hold::Free, |mu| Hold::Friction(mu.value));
                Ok(StopMemory::Found { collider, feature, radius, about, hold })
            }
            _ => Err(FileError::new(path.clone(), "a stop: expected one of guide, shell and collider")),
        }
    }
}

/// Where the file says that a guide is.
fn guide(g: &GuideState) -> GuideMemory {
    GuideMemory {
        centre: g.centre.value,
        axis: g.axis.map_or(Vec3::Z, |a| a.value),
        mark: g.mark.map_or(Vec3::X, |m| m.value),
        length: g.length.map_or(0.0, |x| x.value),
        first: g.first.map_or(0.0, |x| x.value),
    }
}
