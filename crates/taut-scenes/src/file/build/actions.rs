//! What events of a scene file do, into the actions of a script.

use super::bounds;
use super::programs::check_target;
use super::script::Names;
use crate::drive::{Action, Setting, Thing};
use crate::file::error::{At, FileError, Path};
use crate::file::{self, Command, CutOff, Impulse, Removed, SetFriction, SetLength, SetLimit, Switched};
use taut::{Cut, Motion, Vec3};

impl Names<'_> {
    pub(super) fn action(&self, a: &file::Action, path: &Path) -> Result<Action, FileError> {
        match a {
            file::Action::Remove(r) => self.remove(r, path),
            file::Action::Cut(c) => self.cut(c, path),
            file::Action::Disable(s) => self.switch(s, false, path),
            file::Action::Enable(s) => self.switch(s, true, path),
            file::Action::Command(c) => self.command(c, path),
            file::Action::Hold(m) => {
                let motor = self.motor(&m.motor, path.key("motor"))?;
                Ok(Action::Hold(motor.id))
            }
            file::Action::Release(r) => self.release(r, path),
            file::Action::Attach(a) => self.attach(a, path),
            file::Action::Splice(s) => self.splice(s, path),
            file::Action::Limit(l) => self.limit(l, path),
            file::Action::Friction(f) => self.friction(f, path),
            file::Action::Length(l) => self.length(l, path),
            file::Action::PayOut(p) => {
                Ok(Action::PayOut { rope: self.rope(&p.rope, path.key("rope"))?, length: p.length.value })
            }
            file::Action::Impulse(i) => self.impulse(i, path),
            file::Action::Gravity(g) => {
                let from = Setting::Gravity(self.b.world.options().gravity);
                Ok(Action::Set { to: Setting::Gravity(g.gravity.value), from })
            }
            file::Action::Stop(s) => Ok(Action::Stop(s.message.clone())),
        }
    }

    fn remove(&self, r: &Removed, path: &Path) -> Result<Action, FileError> {
        let given =
            [("joint", &r.joint), ("body", &r.body), ("force", &r.force), ("collider", &r.collider), ("rope", &r.rope)];
        let (kind, name) = only(&given, path)?;
        let at = path.key(kind);
        Ok(Action::Remove(match kind {
            "joint" => Thing::Joint(self.joint(name, at)?.0),
            "body" => Thing::Body(self.body(name, at)?),
            "force" => Thing::Force(self.force(name, at)?),
            "rope" => Thing::Rope(self.rope(name, at)?),
            _ => Thing::Collider(self.b.find_collider(name, at)?),
        }))
    }

    fn cut(&self, c: &CutOff, path: &Path) -> Result<Action, FileError> {
        let (kind, name) = only(&[("deformable", &c.deformable), ("rope", &c.rope)], path)?;
        if kind == "rope" {
            return self.cut_rope(c, name, path);
        }
        for (field, there) in [("length", c.length.is_some()), ("rest", c.rest.is_some())] {
            if there {
                return Err(FileError::new(path.key(field), format!("{field}: expected none but with 'rope'")));
            }
        }
        let id = self.b.find_deformable(name, path.key("deformable"))?;
        let Some(point) = c.point.map(|p| p.value) else {
            return Err(FileError::new(path.clone(), "a cut of a deformable: expected 'point'"));
        };
        let along = match (&c.normal, c.radius, &c.edges) {
            (Some(n), None, None) => Cut::plane(point, n.value),
            (Some(n), Some(r), None) => Cut::disc(point, n.value, r.value),
            (None, None, Some(edges)) => Cut::rectangle(point, [edges[0].value, edges[1].value]),
            _ => {
                let message = "a cut of no shape: expected 'normal', 'normal' with 'radius', or 'edges' alone";
                return Err(FileError::new(path.clone(), message));
            }
        };
        let fields =
            [("radius", "radius"), ("edge", "edges"), ("normal", if c.edges.is_some() { "edges" } else { "normal" })];
        self.b.world.check_cut(id, &along).among(path, &fields)?;
        Ok(Action::Cut { deformable: id, along })
    }

    fn switch(&self, s: &Switched, on: bool, path: &Path) -> Result<Action, FileError> {
        let given = [("joint", &s.joint), ("body", &s.body), ("collider", &s.collider)];
        let (kind, name) = only(&given, path)?;
        let at = path.key(kind);
        let (to, from) = match kind {
            "joint" => {
                let id = self.joint(name, at.clone())?.0;
                let before = self.b.world.joint(id).at(&at)?.is_enabled();
                (Setting::Joint(id, on), Setting::Joint(id, before))
            }
            "body" => {
                let id = self.body(name, at.clone())?;
                let before = self.b.world.body(id).at(&at)?.is_enabled();
                (Setting::Body(id, on), Setting::Body(id, before))
            }
            _ => {
                let id = self.b.find_collider(name, at.clone())?;
                let before = self.b.world.collider(id).at(&at)?.enabled;
                (Setting::Collider(id, on), Setting::Collider(id, before))
            }
        };
        Ok(Action::Set { to, from })
    }

    /// A body other than the ground.
    fn body(&self, name: &str, path: Path) -> Result<taut::BodyId, FileError> {
        let id = self.b.find(name, path.clone())?;
        if id == self.b.world.ground() {
            return Err(FileError::input(path, "'ground'", "a body other than the ground"));
        }
        Ok(id)
    }

    fn command(&self, c: &Command, path: &Path) -> Result<Action, FileError> {
        let motor = self.motor(&c.motor, path.key("motor"))?;
        if c.target.is_none() && c.rate.is_none() {
            let message =
                "a motor that is told nothing: expected 'target' or 'rate' ('hold' and 'release' need neither)";
            return Err(FileError::new(path.clone(), message));
        }
        if let Some(x) = c.target {
            check_target(&motor.said, [x.value; 2], path.key("target"))?;
        }
        let sign = motor.said.sign;
        let of = |x: Option<file::quantity::Number<_>>| sign * x.map_or(0.0, |x| x.value);
        Ok(Action::Command(motor.id, taut::Command { target: of(c.target), rate: of(c.rate) }))
    }

    fn limit(&self, l: &SetLimit, path: &Path) -> Result<Action, FileError> {
        let (id, said) = self.joint(&l.joint, path.key("joint"))?;
        let limit = bounds::limit(&said.kind, &l.limit, &path.key("limit"))?;
        let list = bounds::limits(said, &Path::of("joints"))?;
        let same: Vec<usize> = (0..list.len()).filter(|&k| list[k].freedom == limit.freedom).collect();
        let number = match (l.number, &same[..]) {
            (Some(k), _) if same.contains(&k) => k,
            (Some(k), _) => {
                let expected = format!("the number of a limit on this freedom of the joint, one of {same:?}");
                return Err(FileError::input(path.key("number"), k, expected));
            }
            (None, [only]) => *only,
            (None, _) => {
                let message = format!("{} limits on this freedom of the joint: expected one, or 'number'", same.len());
                return Err(FileError::new(path.key("limit"), message));
            }
        };
        // Limits of the kind of joint, such as that of a rope, come before those of the file.
        let own = self.b.world.joint(id).at(path)?.limits().count() - list.len();
        let which = id.limit(own + number);
        Ok(Action::Set { to: Setting::Limit(which, limit), from: Setting::Limit(which, list[number]) })
    }

    fn friction(&self, f: &SetFriction, path: &Path) -> Result<Action, FileError> {
        let (id, said) = self.joint(&f.joint, path.key("joint"))?;
        let friction = bounds::rub(&said.kind, &f.friction, &path.key("friction"))?;
        let before = bounds::friction(said, &Path::of("joints"))?.into_iter().find(|g| g.freedom == friction.freedom);
        let from = before.unwrap_or(taut::Friction { max: 0.0, per_load: 0.0, ..friction });
        Ok(Action::Set { to: Setting::Friction(id, friction), from: Setting::Friction(id, from) })
    }

    fn length(&self, l: &SetLength, path: &Path) -> Result<Action, FileError> {
        let (id, said) = self.joint(&l.joint, path.key("joint"))?;
        let Some((base, _)) = self.length_of(id, said) else {
            let expected = "a joint of type distance, rope or ligament";
            return Err(FileError::input(path.key("joint"), format!("'{}'", l.joint), expected));
        };
        if !(l.length.value > 0.0) {
            return Err(FileError::input(path.key("length"), l.length.value, "a number of m greater than zero"));
        }
        Ok(Action::Set { to: Setting::Length(id, l.length.value), from: Setting::Length(id, base) })
    }

    fn impulse(&self, i: &Impulse, path: &Path) -> Result<Action, FileError> {
        let body = self.b.find(&i.body, path.key("body"))?;
        let view = self.b.world.body(body).at(path)?;
        if !matches!(view.motion(), Motion::Dynamic | Motion::Particle) {
            let expected = "a body of type dynamic or particle";
            return Err(FileError::input(path.key("body"), format!("'{}'", i.body), expected));
        }
        if i.impulse.is_none() && i.angular.is_none() {
            return Err(FileError::new(path.clone(), "a hit of nothing: expected 'impulse' or 'angular'"));
        }
        let angular = i.angular.map_or(Vec3::ZERO, |x| x.value);
        if view.motion() == Motion::Particle && angular != Vec3::ZERO {
            return Err(FileError::input(path.key("angular"), angular, "zero: a particle does not rotate"));
        }
        let point = i.point.map_or(Vec3::ZERO, |p| view.pose().to_local(p.value));
        Ok(Action::Impulse { body, point, impulse: i.impulse.map_or(Vec3::ZERO, |x| x.value), angular })
    }
}

/// The one of several that is named.
pub(super) fn only<'a>(
    given: &[(&'static str, &'a Option<String>)],
    path: &Path,
) -> Result<(&'static str, &'a str), FileError> {
    let mut named = given.iter().filter_map(|(kind, name)| name.as_deref().map(|n| (*kind, n)));
    let words: Vec<String> = given.iter().map(|(kind, _)| format!("'{kind}'")).collect();
    let expected = format!("expected one of {}", words.join(", "));
    match (named.next(), named.next()) {
        (Some(one), None) => Ok(one),
        (None, _) => Err(FileError::new(path.clone(), format!("nothing named: {expected}"))),
        (Some(_), Some((other, _))) => Err(FileError::new(path.key(other), format!("{other}: {expected}, not two"))),
    }
}
