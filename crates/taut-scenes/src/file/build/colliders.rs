//! Colliders of a scene file into a world.

use super::Builder;
use crate::file::collider::{Coefficients, Collider, ColliderShape, Groups, Pair, Rule, Surface};
use crate::file::error::{At, FileError, Path};
use crate::file::{LinearSoft, Shape};
use crate::suggest::nearest;
use taut::{BodyId, ColliderId, Material, Pose, Vec3, shapes::Combine};

/// Groups are bits of a word.
const GROUPS: u32 = 32;

/// The body that colliders go on.
pub(super) struct Owner<'a> {
    pub id: BodyId,
    /// Its own shape, for colliders without one.
    pub shape: Option<&'a Shape>,
    /// Its centre of mass from its position in the file, m, along its axes.
    pub center: Vec3,
}

impl Builder {
    pub(super) fn collider(&mut self, owner: &Owner<'_>, c: &Collider, path: &Path) -> Result<(), FileError> {
        let name = c.name.as_deref().unwrap_or_default();
        if let Some((_, other)) = self.named_colliders.get(name) {
            let expected = format!("a name that no other collider has ({other})");
            return Err(FileError::input(path.key("name"), format!("'{name}'"), expected));
        }
        let shape = match (&c.shape, owner.shape) {
            (Some(s), _) => s.engine(&path.key("shape"))?,
            (None, Some(s)) => s.collider(),
            (None, None) => {
                return Err(FileError::new(path.clone(), "no shape: expected 'shape' here, or one of the body"));
            }
        };
        let (rot, exact) = c.rotation.quat(&path.key("rotation"))?;
        let pose = Pose { pos: c.position.value - owner.center, rot };
        let placed = taut::Collider::new(shape);
        let placed = if exact { placed.posed(pose) } else { placed.at(pose.pos).rotated(rot) };
        let mut collider = placed.of(c.material.engine(&path.key("material"))?).named(name);
        if let Some(g) = &c.groups {
            let at = path.key("groups");
            collider = collider.grouped(bits(g, "member", &at)?, bits(g, "with", &at)?);
        }
        (collider.sensor, collider.enabled, collider.user_data) = (c.sensor, c.enabled, c.user_data);
        let fields = [("position", "position"), ("rotation", "rotation"), ("sensor", "sensor"), ("", "shape")];
        let id = self.world.add(collider.on(owner.id)).among(path, &fields)?;
        if !name.is_empty() {
            self.named_colliders.insert(name.into(), (id, path.clone()));
        }
        Ok(())
    }

    pub(super) fn meeting(&mut self, pair: &Pair, path: &Path) -> Result<(), FileError> {
        match pair {
            Pair::Bodies(p) => {
                let path = path.key("bodies");
                let [a, b] = [self.find(&p.bodies[0], path.index(0))?, self.find(&p.bodies[1], path.index(1))?];
                self.world.set_collision(a, b, p.meet).at(&path)
            }
            Pair::Colliders(p) => {
                let at = path.key("colliders");
                let a = self.find_collider(&p.colliders[0], at.index(0))?;
                let b = self.find_collider(&p.colliders[1], at.index(1))?;
                let material = p.material.engine(&path.key("material"))?;
                self.world.set_pair_material(a, b, material).at(&at)
            }
        }
    }

    pub(super) fn find_collider(&self, name: &str, path: Path) -> Result<ColliderId, FileError> {
        if let Some((id, _)) = self.named_colliders.get(name) {
            return Ok(*id);
        }
        let expected = match nearest(name, self.named_colliders.keys().map(String::as_str)) {
            Some(near) => format!("the name of a collider (did you mean '{near}'?)"),
            None => "the name of a collider of this file".into(),
        };
        Err(FileError::input(path, format!("'{name}'"), expected))
    }
}

/// The bits of a list of groups.
pub(super) fn bits(g: &Groups, name: &str, path: &Path) -> Result<u32, FileError> {
    let Some(list) = (if name == "member" { &g.member } else { &g.with }) else { return Ok(u32::MAX) };
    list.iter().enumerate().try_fold(0, |word, (k, &bit)| {
        if bit >= GROUPS {
            let expected = format!("a whole number from 0 to {}", GROUPS - 1);
            return Err(FileError::input(path.key(name).index(k), bit, expected));
        }
        Ok(word | 1 << bit)
    })
}

impl Surface {
    pub(super) fn engine(&self, path: &Path) -> Result<Material, FileError> {
        let d = Material::default();
        let friction = match self.friction {
            None => d.friction,
            Some(Coefficients::Same(mu)) => [mu; 2],
            Some(Coefficients::Elliptic(two)) => two,
        };
        if let (Some(direction), false) = (self.direction, matches!(self.friction, Some(Coefficients::Elliptic(_)))) {
            let expected = "none without two coefficients of friction";
            return Err(FileError::input(path.key("direction"), direction.value, expected));
        }
        let give = LinearSoft { compliance: self.compliance, stiffness: self.stiffness, damping: self.damping };
        let soft = give.engine(path)?;
        let material = Material {
            friction,
            direction: self.direction.map_or(Vec3::ZERO, |x| x.value),
            restitution: self.restitution.map_or(d.restitution, |x| x.value),
            compliance: soft.compliance,
            damping: soft.damping,
            rule: match self.rule {
                Rule::Average => Combine::Average,
                Rule::Min => Combine::Min,
                Rule::Multiply => Combine::Multiply,
                Rule::Max => Combine::Max,
                Rule::Geometric => Combine::Geometric,
            },
            surface_velocity: self.surface_velocity.value,
        };
        let give = if self.stiffness.is_some() { "stiffness" } else { "compliance" };
        let fields = [
            ("direction", "direction"),
            ("friction", "friction"),
            ("restitution", "restitution"),
            ("compliance", give),
        ];
        material.validate().among(path, &fields)?;
        Ok(material)
    }
}

impl Shape {
    /// What others meet of a body's own shape.
    fn collider(&self) -> taut::Shape {
        match self {
            Shape::Box(b) => taut::Shape::cuboid(0.5 * b.size.value),
            Shape::Sphere(s) => taut::Shape::ball(s.radius.value),
            Shape::Capsule(c) => taut::Shape::capsule(0.5 * c.height.value, c.radius.value),
            Shape::Cylinder(c) => taut::Shape::cylinder(0.5 * c.height.value, c.radius.value),
            Shape::ConvexMesh(m) => taut::Shape::ConvexHull { points: m.vertices.iter().map(|v| v.value).collect() },
        }
    }
}

impl ColliderShape {
    fn engine(&self, path: &Path) -> Result<taut::Shape, FileError> {
        let values = |list: &[crate::file::quantity::Triple<_>]| list.iter().map(|v| v.value).collect();
        let shape = match self {
            ColliderShape::Box(b) => Shape::Box(*b).collider(),
            ColliderShape::Sphere(s) => Shape::Sphere(*s).collider(),
            ColliderShape::Capsule(c) => Shape::Capsule(*c).collider(),
            ColliderShape::Cylinder(c) => Shape::Cylinder(*c).collider(),
            ColliderShape::ConvexHull(h) => taut::Shape::ConvexHull { points: values(&h.points) },
            ColliderShape::Mesh(m) => {
                taut::Shape::Mesh { vertices: values(&m.vertices), triangles: m.triangles.clone() }
            }
            ColliderShape::HeightField(f) => taut::Shape::HeightField {
                heights: f.heights.iter().map(|row| row.iter().map(|h| h.value).collect()).collect(),
                scale: Vec3::new(f.size[0].value, f.scale.map_or(1.0, |s| s.value), f.size[1].value),
            },
            ColliderShape::HalfSpace(h) => taut::Shape::HalfSpace { normal: h.normal.map_or(Vec3::Y, |n| n.value) },
            ColliderShape::Compound(c) => {
                let mut parts = Vec::new();
                for (k, p) in c.parts.iter().enumerate() {
                    let at = path.key("parts").index(k);
                    let (rot, _) = p.rotation.quat(&at.key("rotation"))?;
                    parts.push((Pose { pos: p.position.value, rot }, p.shape.engine(&at.key("shape"))?));
                }
                taut::Shape::Compound { parts }
            }
        };
        shape.validate().map_err(|e| self.blame(&e, path))?;
        Ok(shape)
    }

    /// Puts an error of the engine, which speaks of half sizes, to the field it goes with.
    fn blame(&self, e: &taut::Error, path: &Path) -> FileError {
        let name = if let taut::Error::Input { name, .. } = e { name.as_str() } else { "" };
        let words = [
            ("half edge x", "size", 0),
            ("half edge y", "size", 1),
            ("half edge z", "size", 2),
            ("radius", "radius", 0),
            ("half length", "height", 0),
            ("half height", "height", 0),
            ("height field scale", "scale", 0),
            ("height field width", "size", 0),
            ("height field depth", "size", 1),
            ("height field", "heights", 0),
            ("hull", "points", 0),
            ("triangle", "triangles", 0),
            ("edge", "triangles", 0),
            ("vert", "vertices", 0),
            ("normal", "normal", 0),
            ("part", "parts", 0),
        ];
        let Some((_, field, k)) = words.into_iter().find(|(w, ..)| name.contains(w)) else {
            return FileError::new(path.clone(), e);
        };
        let at = path.key(field);
        let whole = match (self, field) {
            (ColliderShape::Box(b), _) => Some((b.size.value.to_array()[k], Some(k))),
            (ColliderShape::Capsule(c), "height") => Some((c.height.value, None)),
            (ColliderShape::Cylinder(c), "height") => Some((c.height.value, None)),
            (ColliderShape::HeightField(f), "size") => Some((f.size[k].value, Some(k))),
            _ => None,
        };
        match (whole, e) {
            (Some((value, index)), taut::Error::Input { expected, .. }) => {
                let at = index.map_or(at.clone(), |k| at.index(k));
                FileError::input(at, value, expected.clone())
            }
            _ => FileError::new(at, e),
        }
    }
}
