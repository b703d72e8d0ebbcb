//! Sheaves and ropes over guides of a scene file into a world.

use super::Builder;
use super::actions::only;
use super::colliders::bits;
use crate::file::SceneFile;
use crate::file::error::{At, FileError, Path};
use crate::file::reeving::{Guide, Reeved, Sheave, Winch};
use crate::suggest::nearest;
use taut::parts::{Hold, Lead};
use taut::{Reeving, Vec3, WinchId, Winding};

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
        let mut winches = Vec::with_capacity(file.winches.len());
        for (k, w) in file.winches.iter().enumerate() {
            winches.push(self.winch(file, k, w)?);
        }
        for (k, r) in file.ropes.iter().enumerate() {
            let path = Path::of("ropes").index(k);
            let other = file.ropes[..k].iter().position(|o| r.name.is_some() && o.name == r.name);
            if let Some(other) = other {
                let expected = format!("a name that no other rope has (ropes[{other}])");
                let name = r.name.as_deref().unwrap_or_default();
                return Err(FileError::input(path.key("name"), format!("'{name}'"), expected));
            }
            let rope = self.reeving((file, &winches), r, &path)?;
            if self.heavy_rope(r, &rope, &path)? {
                continue;
            }
            let fields = [
                ("remembers", "state"),
                ("was laid with", "state"),
                ("slack", "slack"),
                ("torsion", "torsion"),
                ("stiffness", if r.diameter.is_some() { "diameter" } else { "stiffness" }),
                ("", "path"),
            ];
            self.world.add(rope).among(&path, &fields)?;
        }
        // Which way they turn is known now.
        for (k, (id, w)) in winches.iter().zip(&file.winches).enumerate() {
            let path = Path::of("winches").index(k);
            self.world.set_winch(*id, winding(w, &path)?).at(&path)?;
        }
        Ok(())
    }

    fn winch(&mut self, file: &SceneFile, k: usize, w: &Winch) -> Result<WinchId, FileError> {
        let path = Path::of("winches").index(k);
        let taken = file.sheaves.iter().map(|s| &s.name).chain(file.winches[..k].iter().map(|w| &w.name));
        if taken.into_iter().any(|name| *name == w.name) || self.bodies.contains_key(&w.name) {
            let expected = "a name that no sheave, no other winch and no body has";
            return Err(FileError::input(path.key("name"), format!("'{}'", w.name), expected));
        }
        let body = self.find(&w.body, path.key("body"))?;
        let centre = self.point(body, w.point.map(|p| p.value), &path)?;
        let mut winch = taut::Winch::on(body, centre, w.axis.value, w.radius.value).named(w.name.clone());
        (winch.inertia, winch.mass) = (w.inertia.map(|i| i.value), w.mass.map(|m| m.value));
        let fields = ["radius", "axis", "inertia", "mass", "body"].map(|f| (f, f));
        let id = self.world.add(winch.winding(winding(w, &path)?)).among(&path, &fields)?;
        self.bodies.insert(w.name.clone(), (id.rotor, path.to_string()));
        Ok(id)
    }

    fn reeving(
        &self,
        (file, winches): (&SceneFile, &[WinchId]),
        r: &Reeved,
        path: &Path,
    ) -> Result<Reeving, FileError> {
        if r.path.len() < 2 {
            let at = path.key("path");
            return Err(FileError::input(at, format!("{} guides", r.path.len()), "a start and an end at least"));
        }
        let mut leads = Vec::with_capacity(r.path.len());
        for (k, guide) in r.path.iter().enumerate() {
            leads.push(self.lead((file, winches), guide, &path.key("path").index(k))?);
        }
        if r.stiffness.is_some() && r.diameter.is_some() {
            return Err(FileError::new(path.key("diameter"), "diameter: expected this or 'stiffness', not both"));
        }
        let slack = r.slack.map_or(0.0, |x| x.value);
        let (stiffness, torsion) = (r.stiffness.map(|x| x.value), r.torsion.map(|x| x.value));
        let mut rope = Reeving { slack, stiffness, torsion, ..Reeving::of(leads) };
        if let Some(d) = r.diameter {
            rope = rope.diameter(d.value);
        }
        if let Some(d) = r.thickness {
            rope = rope.thickness(d.value);
        }
        if let Some(g) = &r.groups {
            let at = path.key("groups");
            rope = rope.touches(taut::shapes::Groups { member: bits(g, "member", &at)?, with: bits(g, "with", &at)? });
        }
        if let Some(collides) = r.collides {
            rope = rope.collides(collides);
        }
        let last = r.path.len() - 1;
        if let Some(k) = (1..last).find(|&k| r.path[k].free) {
            let at = path.key("path").index(k).key("free");
            return Err(FileError::new(at, "free: expected at the start or the end of the path"));
        }
        rope.free = [r.path[0].free, r.path[last].free];
        rope.closed = r.endless;
        rope.memory = r.state.as_ref().map(|s| self.memory(s, &path.key("state"))).transpose()?;
        Ok(rope.named(r.name.as_deref().unwrap_or_default()))
    }

    fn lead(&self, (file, winches): (&SceneFile, &[WinchId]), g: &Guide, path: &Path) -> Result<Lead, FileError> {
        let ways = [
            ("body", &g.body),
            ("grip", &g.grip),
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
            let mut edge = taut::Edge::between(body, a.value, b.value);
            edge.outward = g.outward.map(|v| v.value);
            return Ok(Lead::Edge(g.friction.map_or(edge, |mu| edge.friction(mu.value))));
        }
        if way == "grip" {
            let body = self.find(name, at)?;
            if g.turns.is_some() || g.friction.is_some() {
                let field = if g.turns.is_some() { "turns" } else { "friction" };
                return Err(FileError::new(path.key(field), format!("{field}: a grip holds the rope fast")));
            }
            return Ok(Lead::Grip(body, self.point(body, g.point.map(|p| p.value), path)?));
        }
        if way == "body" {
            let body = self.find(name, at)?;
            if g.turns.is_some() {
                return Err(FileError::new(path.key("turns"), "turns: expected with a sheave alone"));
            }
            let point = self.point(body, g.point.map(|p| p.value), path)?;
            return Ok(g
                .friction
                .map_or(Lead::Point(body, point), |mu| Lead::Ring(body, point, Hold::Friction(mu.value))));
        }
        if g.friction.is_some() {
            return Err(FileError::new(
                path.key("friction"),
                "friction: expected with 'body' alone; a sheave has its own",
            ));
        }
        if g.point.is_some() {
            return Err(FileError::new(path.key("point"), "point: expected with 'body' alone; a sheave has its own"));
        }
        let winch = file.winches.iter().position(|w| w.name == name).map(|k| winches[k]);
        let sheave = match (winch, file.sheaves.iter().position(|s| s.name == name)) {
            (Some(winch), _) => self.world.drum(winch).at(&at)?,
            (None, Some(k)) => self.sheave(&file.sheaves[k], &Path::of("sheaves").index(k))?,
            (None, None) => {
                let all =
                    file.sheaves.iter().map(|s| s.name.as_str()).chain(file.winches.iter().map(|w| w.name.as_str()));
                let expected = match nearest(name, all) {
                    Some(near) => format!("the name of a sheave or winch (did you mean '{near}'?)"),
                    None => "the name of a sheave or winch of this file".into(),
                };
                return Err(FileError::input(at, format!("'{name}'"), expected));
            }
        };
        let wound = match way {
            "over" => sheave.over(),
            "under" => sheave.under(),
            "about" => sheave.about(),
            _ => sheave.against(),
        };
        Ok(Lead::Round(wound.turns(g.turns.unwrap_or(0))))
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
        let holds = [
            ("no_slip", s.no_slip.then_some(Hold::Fast)),
            ("efficiency", s.efficiency.map(|x| Hold::Efficiency(x.value))),
            ("friction", s.friction.map(|x| Hold::Friction(x.value))),
            ("ratios", s.ratios.map(Hold::Ratios)),
        ];
        let mut said = holds.into_iter().filter_map(|(field, hold)| Some((field, hold?)));
        let hold = said.next().map_or(Hold::Free, |(_, hold)| hold);
        if let Some((field, _)) = said.next() {
            let expected = "expected one of no_slip, efficiency, friction and ratios";
            return Err(FileError::new(path.key(field), format!("{field}: {expected}, not two")));
        }
        let layers = taut::parts::Layers {
            rope_diameter: s.rope_diameter.map(|x| x.value),
            wraps: s.wraps.map(|x| x.value),
            stored: s.stored.map(|x| x.value),
            capacity: s.capacity.map(|x| x.value),
        };
        Ok(taut::Sheave { keeper: s.keeper, layers, ..made.held(hold) })
    }

    /// A point of the world, or where a body is, m.
    fn point(&self, body: taut::BodyId, given: Option<Vec3>, path: &Path) -> Result<Vec3, FileError> {
        match given {
            Some(point) => Ok(point),
            None => Ok(self.world.body(body).at(path)?.position()),
        }
    }
}

/// What a winch does at first.
fn winding(w: &Winch, path: &Path) -> Result<Winding, FileError> {
    let given = [
        (
            "haul",
            w.haul
                .as_ref()
                .map(|h| Winding::Haul { speed: h.speed.value, force: h.force.map_or(f64::INFINITY, |f| f.value) }),
        ),
        ("brake", w.brake.map(|f| Winding::Brake(f.value))),
        (
            "keep",
            w.keep.as_ref().map(|k| Winding::Keep {
                recover: k.recover.value,
                render: k.render.value,
                speed: k.speed.value,
            }),
        ),
        ("free", w.free.then_some(Winding::Free)),
    ];
    let mut said = given.into_iter().filter_map(|(field, w)| Some((field, w?)));
    let first = said.next().map_or(Winding::Brake(f64::INFINITY), |(_, w)| w);
    match said.next() {
        None => Ok(first),
        Some((field, _)) => {
            let expected = "expected one of haul, brake, keep and free";
            Err(FileError::new(path.key(field), format!("{field}: {expected}, not two")))
        }
    }
}
