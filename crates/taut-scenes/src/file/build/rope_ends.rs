//! What events of a scene file do to ropes over guides: cut, release, attach, splice.

use super::actions::only;
use super::script::Names;
use crate::drive::{Action, EndName, RopeName};
use crate::file::error::{At, FileError, Path};
use crate::file::{self, Attached, CutOff, End, Released, Spliced};
use taut::Vec3;

impl Names<'_> {
    /// A rope of the file, or one that a cut makes and names.
    fn rope_name(&self, name: &str, path: Path) -> Result<RopeName, FileError> {
        if !name.is_empty() && self.rests().any(|r| r == name) {
            return Ok(RopeName::Made(name.to_owned()));
        }
        self.rope(name, path).map(RopeName::Id)
    }

    /// Names that cuts give.
    fn rests(&self) -> impl Iterator<Item = &str> {
        let actions = self.file.events.iter().flat_map(|e| &e.actions);
        actions.filter_map(|a| if let file::Action::Cut(c) = a { c.rest.as_deref() } else { None })
    }

    fn end(&self, name: &str, end: Option<End>, path: Path) -> Result<EndName, FileError> {
        Ok(EndName { rope: self.rope_name(name, path)?, last: end.unwrap_or_default() == End::Last })
    }

    pub(super) fn cut_rope(&self, c: &CutOff, name: &str, path: &Path) -> Result<Action, FileError> {
        let soft = [("point", c.point.is_some()), ("normal", c.normal.is_some()), ("edges", c.edges.is_some())];
        for (field, there) in soft.into_iter().chain([("radius", c.radius.is_some())]) {
            if there {
                return Err(FileError::new(path.key(field), format!("{field}: expected none but with 'deformable'")));
            }
        }
        let Some(length) = c.length.map(|l| l.value) else {
            return Err(FileError::new(path.clone(), "a cut of a rope: expected 'length', m from its start"));
        };
        if !(length > 0.0) {
            return Err(FileError::input(path.key("length"), length, "a number of m greater than zero"));
        }
        if let Some(rest) = &c.rest {
            let known = self.b.world.find_rope(rest).is_ok() || self.rests().filter(|r| r == rest).count() > 1;
            if self.file.ropes.iter().any(|r| r.name.as_deref() == Some(name) && r.mass_per_length.is_some()) {
                let text = "rest: expected none of a rope with mass, which leaves particles and rods";
                return Err(FileError::new(path.key("rest"), text));
            }
            if rest.is_empty() || known {
                let expected = "a name that no other rope has";
                return Err(FileError::input(path.key("rest"), format!("'{rest}'"), expected));
            }
        }
        Ok(Action::CutRope { rope: self.rope_name(name, path.key("rope"))?, length, rest: c.rest.clone() })
    }

    pub(super) fn release(&self, r: &Released, path: &Path) -> Result<Action, FileError> {
        let (kind, name) = only(&[("motor", &r.motor), ("rope", &r.rope)], path)?;
        if kind == "rope" {
            return Ok(Action::ReleaseRope(self.end(name, r.end, path.key("rope"))?));
        }
        if r.end.is_some() {
            return Err(FileError::new(path.key("end"), "end: expected none but with 'rope'"));
        }
        Ok(Action::Release(self.motor(name, path.key("motor"))?.id))
    }

    pub(super) fn attach(&self, a: &Attached, path: &Path) -> Result<Action, FileError> {
        let end = self.end(&a.rope, a.end, path.key("rope"))?;
        let body = self.b.find(&a.to, path.key("to"))?;
        let view = self.b.world.body(body).at(path)?;
        let point = a.point.map_or(Vec3::ZERO, |p| view.pose().to_local(p.value));
        let slack = a.slack.map(|s| s.value);
        if let Some(x) = slack.filter(|x| !(*x >= 0.0)) {
            return Err(FileError::input(path.key("slack"), x, "a number of m, zero or more"));
        }
        Ok(Action::AttachRope { end, body, point, slack })
    }

    pub(super) fn splice(&self, s: &Spliced, path: &Path) -> Result<Action, FileError> {
        let end = self.end(&s.rope, s.end, path.key("rope"))?;
        let with = self.end(&s.with, Some(s.with_end.unwrap_or(End::First)), path.key("with"))?;
        if s.rope == s.with {
            return Err(FileError::input(path.key("with"), format!("'{}'", s.with), "another rope"));
        }
        Ok(Action::SpliceRopes(end, with))
    }
}
