//! Ropes with mass of a scene file into a world.

use super::Builder;
use crate::file::error::{At, FileError, Path};
use crate::file::reeving::{HeavyState, Reeved};
use taut::parts::{HeavyMemory, Lead};
use taut::{Collider, HeavyRope, Mat3, Reeving, Shape};

/// What errors of the engine are about, and which field of the rope says it.
const FIELDS: [(&str, &str); 19] = [
    ("mass of a metre", "mass_per_length"),
    ("segment", "segment"),
    ("stored", "stored"),
    ("nodes out", "nodes"),
    ("node that", "nodes"),
    ("rod that", "nodes"),
    ("stop that", "nodes"),
    ("source that", "nodes"),
    ("end of the rope that leads", "nodes"),
    ("total length", "nodes"),
    ("tail", "nodes"),
    ("remembers", "state"),
    ("was laid with", "state"),
    ("slack", "slack"),
    ("clamp", "nodes"),
    ("torsion", "torsion"),
    ("stiffness", "stiffness"),
    ("diameter", "diameter"),
    ("", "path"),
];

impl Builder {
    /// Adds a rope if it has mass; tells whether it has.
    pub(super) fn heavy_rope(&mut self, r: &Reeved, rope: &Reeving, path: &Path) -> Result<bool, FileError> {
        let Some(density) = r.mass_per_length.map(|m| m.value) else {
            let given = [
                ("segment", r.segment.is_some()),
                ("stored", r.stored.is_some()),
                ("locker", r.locker),
                ("adaptive", r.adaptive),
                ("node_radius", r.node_radius.is_some()),
                ("nodes", r.nodes.is_some()),
            ];
            return match given.into_iter().find(|(_, given)| *given) {
                Some((field, _)) => {
                    let text = format!("{field}: expected with 'mass_per_length' alone");
                    Err(FileError::new(path.key(field), text))
                }
                None => Ok(false),
            };
        };
        let heavy = match &r.nodes {
            Some(state) => self.remembered((r, density), rope, state, path)?,
            None => self.new_heavy((r, density), rope, path)?,
        };
        self.world.add(heavy).among(path, &FIELDS)?;
        Ok(true)
    }

    /// One that makes its own nodes.
    fn new_heavy(&self, (r, density): (&Reeved, f64), rope: &Reeving, path: &Path) -> Result<HeavyRope, FileError> {
        if r.state.is_some() {
            let text = "state: expected with 'nodes' too for a rope with mass";
            return Err(FileError::new(path.key("state"), text));
        }
        if r.locker && r.torsion.is_some() {
            let text = "torsion: expected with a rope that comes over guides: what lies in a locker holds no moment";
            return Err(FileError::new(path.key("torsion"), text));
        }
        let mut heavy = match (r.locker, rope.leads.as_slice()) {
            (true, [Lead::Point(hawse, at), Lead::Point(end, point)]) => {
                let heavy = HeavyRope::from_locker(*hawse, *at, (*end, *point), density).named(rope.name.clone());
                let heavy = heavy.diameter(rope.thickness);
                rope.stiffness.into_iter().fold(heavy, HeavyRope::stiffness)
            }
            (true, leads) => {
                let expected = "two points of bodies out of a locker: the hawse and the end";
                return Err(FileError::input(path.key("path"), format!("{} guides", leads.len()), expected));
            }
            (false, _) => rope.clone().massive(density),
        };
        (heavy.segment, heavy.stored) = (r.segment.map(|s| s.value), r.stored.map_or(0.0, |s| s.value));
        if let Some(radius) = r.node_radius.map(|x| x.value) {
            if !(radius > 0.0) {
                return Err(FileError::input(path.key("node_radius"), radius, "a number of m greater than zero"));
            }
            heavy = heavy.colliding(Collider::new(Shape::ball(radius)));
        }
        Ok(if r.adaptive { heavy.adaptive() } else { heavy })
    }

    /// One whose nodes are bodies of the file.
    fn remembered(
        &mut self,
        (r, density): (&Reeved, f64),
        rope: &Reeving,
        s: &HeavyState,
        path: &Path,
    ) -> Result<HeavyRope, FileError> {
        let at = path.key("nodes");
        let Some(segment) = r.segment.map(|s| s.value) else {
            return Err(FileError::new(path.key("segment"), "segment: expected with 'nodes'"));
        };
        for (field, given) in [("stored", r.stored.is_some()), ("node_radius", r.node_radius.is_some())] {
            if given {
                return Err(FileError::new(path.key(field), format!("{field}: expected none with 'nodes'")));
            }
        }
        let mut nodes = Vec::with_capacity(s.bodies.len());
        for (k, name) in s.bodies.iter().enumerate() {
            nodes.push(self.find(name, at.key("bodies").index(k))?);
        }
        let (mut led, mut hawse) = (None, None);
        if r.locker {
            let Some(point) = s.hawse else {
                return Err(FileError::new(at.key("hawse"), "hawse: expected where the rope comes out of a locker"));
            };
            hawse = match rope.leads.first() {
                Some(Lead::Point(body, _)) => Some((*body, point.value)),
                _ => None,
            };
        } else {
            led = Some(self.world.add(rope.clone()).among(path, &FIELDS)?);
        }
        let held = match &s.held {
            Some(h) => Some((self.find(&h.body, at.key("held").key("body"))?, [h.along.value, h.mark.value])),
            None => None,
        };
        let drum = s.drum.as_ref().map(|d| {
            let [x, y, z] = d.inertia.map(|c| c.value);
            (d.mass.value, Mat3::from_cols(x, y, z))
        });
        Ok(HeavyRope::remembering(HeavyMemory {
            nodes,
            out: s.out.clone(),
            pieces: s.pieces.clone(),
            rope: led,
            hawse,
            drum,
            density,
            segment,
            total: s.total.value,
            diameter: s.diameter.map_or(0.0, |d| d.value),
            stiffness: s.stiffness.map(|x| x.value),
            adaptive: r.adaptive,
            tail: s.tail.map_or(0.0, |t| t.value),
            held,
            name: rope.name.clone(),
        }))
    }
}
