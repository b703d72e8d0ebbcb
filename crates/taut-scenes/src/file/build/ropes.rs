//! Sheaves and ropes over guides of a scene file into a world.

use super::Builder;
use super::actions::only;
use super::colliders::bits;
use crate::file::SceneFile;
use crate::file::error::{At, FileError, Path};
use crate::file::quantity::{Metre, Number};
use crate::file::reeving::{Guide, Reeved, Sheave};
use crate::suggest::nearest;
use taut::shapes::Groups;
use taut::{
    Reeving, Vec3,
    parts::{Lead, Winding},
};

impl Builder {
    /// Adds the ropes, once all bodies are there.
    pub(super) fn ropes(&mut self, file: &SceneFile) -> Result<(), FileError> {
        for (k, s) in file.sheaves.iter().enumerate() {
            let path = Path::of("sheaves").index(k);
            if let Some(other) = file.sheaves[..k].iter().position(|o| o.name == s.name) {
                let expected = format!("a name that no other sheave has (sheaves[{other}])");
                return Err(FileError::input(path.key("name"), format!("'{}'", s.name), expected));
            }
            self.sheave(s, &path)?;
        }
        for (k, r) in file.ropes.iter().enumerate() {
            let path = Path::of("ropes").index(k);
            let other = file.ropes[..k].iter().position(|o| r.name.is_some() && o.name == r.name);
            if let Some(other) = other {
                let expected = format!("a name that no other rope has (ropes[{other}])");
                let name = r.name.as_deref().unwrap_or_default();
                return Err(FileError::input(path.key("name"), format!("'{name}'"), expected));
            }
            let rope = self.reeving(file, r, &path)?;
            let fields = [
                ("slack", "slack"),
                ("stiffness", if r.diameter.is_some() { "diameter" } else { "stiffness" }),
                ("", "path"),
            ];
            self.world.add(rope).among(&path, &fields)?;
        }
        Ok(())
    }

    fn reeving(&self, file: &SceneFile, r: &Reeved, path: &Path) -> Result<Reeving, FileError> {
        if r.path.len() < 2 {
            let at = path.key("path");
            return Err(FileError::input(at, format!("{} guides", r.path.len()), "a start and an end at least"));
        }
        let mut leads = Vec::with_capacity(r.path.len());
        for (k, guide) in r.path.iter().enumerate() {
            leads.push(self.lead(file, guide, &path.key("path").index(k))?);
        }
        if r.stiffness.is_some() && r.diameter.is_some() {
            return Err(FileError::new(path.key("diameter"), "diameter: expected this or 'stiffness', not both"));
        }
        let slack = r.slack.map_or(0.0, |x| x.value);
        let mut rope = Reeving { slack, stiffness: r.stiffness.map(|x| x.value), ..Reeving::of(leads) };
        if let Some(d) = r.diameter {
            rope = rope.diameter(d.value);
        }
        if let Some(d) = r.thickness {
            rope = rope.thickness(d.value);
        }
        if let Some(g) = &r.groups {
            let at = path.key("groups");
            rope = rope.touches(Groups { member: bits(g, "member", &at)?, with: bits(g, "with", &at)? });
        }
        if let Some(collides) = r.collides {
            rope = rope.collides(collides);
        }
        Ok(rope.named(r.name.as_deref().unwrap_or_default()))
    }

    fn lead(&self, file: &SceneFile, g: &Guide, path: &Path) -> Result<Lead, FileError> {
        let ways = [
            ("body", &g.body),
            ("over", &g.over),
            ("under", &g.under),
            ("about", &g.about),
            ("against", &g.against),
            ("edge", &g.edge),
        ];
        let (way, name) = only(&ways, path)?;
        let at = path.key(way);
        if way != "edge" && (g.ends.is_some() || g.outward.is_some()) {
            let field = if g.ends.is_some() { "ends" } else { "outward" };
            return Err(FileError::new(path.key(field), format!("{field}: expected with 'edge' alone")));
        }
        if way == "edge" {
            let body = self.find(name, at)?;
            let Some([a, b]) = g.ends else {
                return Err(FileError::new(path.key("ends"), "ends: expected two points of the edge"));
            };
            if g.point.is_some() {
                return Err(FileError::new(path.key("point"), "point: expected with 'body' alone; an edge has 'ends'"));
            }
            let edge =
                taut::Edge { outward: g.outward.map(|o| o.value), ..taut::Edge::between(body, a.value, b.value) };
            return Ok(edge.into());
        }
        if way == "body" {
            let body = self.find(name, at)?;
            return Ok(Lead::Point(body, self.point(body, g.point.map(|p| p.value), path)?));
        }
        if g.point.is_some() {
            return Err(FileError::new(path.key("point"), "point: expected with 'body' alone; a sheave has its own"));
        }
        let Some(k) = file.sheaves.iter().position(|s| s.name == name) else {
            let expected = match nearest(name, file.sheaves.iter().map(|s| s.name.as_str())) {
                Some(near) => format!("the name of a sheave (did you mean '{near}'?)"),
                None => "the name of a sheave of this file".into(),
            };
            return Err(FileError::input(at, format!("'{name}'"), expected));
        };
        let sheave = self.sheave(&file.sheaves[k], &Path::of("sheaves").index(k))?;
        Ok(Lead::Round(match way {
            "over" => sheave.over(),
            "under" => sheave.under(),
            "about" => sheave.about(),
            _ => sheave.against(),
        }))
    }

    fn sheave(&self, s: &Sheave, path: &Path) -> Result<taut::Sheave, FileError> {
        let body = self.find(&s.body, path.key("body"))?;
        let centre = self.point(body, s.point.map(|p| p.value), path)?;
        if !(s.radius.value > 0.0) {
            return Err(FileError::input(path.key("radius"), s.radius.value, "a number of m greater than zero"));
        }
        if !(s.axis.value.length() > 0.0) {
            return Err(FileError::input(path.key("axis"), s.axis.value, "a direction"));
        }
        let made = taut::Sheave::on(body, centre, s.axis.value, s.radius.value);
        let made = if s.no_slip { made.no_slip() } else { made };
        let length = |x: &Option<_>| x.map(|x: Number<Metre>| x.value);
        let winding = Winding {
            rope_diameter: length(&s.rope_diameter),
            wraps: s.wraps.map(|x| x.value),
            stored: length(&s.stored),
            capacity: length(&s.capacity),
        };
        Ok(taut::Sheave { keeper: s.keeper, winding, ..made })
    }

    /// A point of the world, or where a body is, m.
    fn point(&self, body: taut::BodyId, given: Option<Vec3>, path: &Path) -> Result<Vec3, FileError> {
        match given {
            Some(point) => Ok(point),
            None => Ok(self.world.body(body).at(path)?.position()),
        }
    }
}
