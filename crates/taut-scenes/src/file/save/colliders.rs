//! Colliders of a world, and what was said of pairs.

use super::bodies::turned;
use super::names::Names;
use crate::file::error::{At, FileError, Path};
use crate::file::{
    BodyPair, Capsule, Coefficients, Collider, ColliderPair, ColliderShape, Compound, Cuboid, Cylinder, Groups,
    HalfSpace, HeightField, Hull, LinearSoft, Pair, Part, Rule, Sphere, Surface, Triangles,
};
use std::collections::BTreeMap;
use taut::{BodyId, Material, Shape, Softness, Vec3, World, shapes::Combine, views::ColliderView};

/// The colliders of all bodies, in the order in which a step takes them.
pub(super) fn colliders(world: &World, names: &Names) -> Result<BTreeMap<BodyId, Vec<Collider>>, FileError> {
    let mut out: BTreeMap<BodyId, Vec<Collider>> = BTreeMap::new();
    let skins = crate::soft::skins(world);
    for id in world.colliders().filter(|id| !skins.contains(id)) {
        let view = world.collider(id).at(&Path::of("bodies"))?;
        out.entry(view.body).or_default().push(collider(&view, names.collider(id)));
    }
    Ok(out)
}

fn collider(c: &ColliderView<'_>, name: Option<String>) -> Collider {
    Collider {
        name,
        shape: Some(shape(c.shape)),
        position: c.local.pos.into(),
        rotation: turned(c.local.rot),
        material: surface(&c.material),
        groups: (c.groups != taut::shapes::Groups::ALL).then(|| groups(c.groups)),
        sensor: c.sensor,
        enabled: c.enabled,
        user_data: c.user_data,
    }
}

/// Who meets whom, and how.
pub(super) fn pairs(world: &World, names: &Names) -> Result<Vec<Pair>, FileError> {
    let mut out = Vec::new();
    for (a, b, meet) in world.collisions() {
        let bodies = [names.body(a)?.to_owned(), names.body(b)?.to_owned()];
        out.push(Pair::Bodies(BodyPair { bodies, meet }));
    }
    for (a, b, material) in world.pair_materials() {
        let colliders = [a, b].map(|c| names.collider(c).unwrap_or_default());
        out.push(Pair::Colliders(ColliderPair { colliders, material: surface(&material) }));
    }
    Ok(out)
}

pub(super) fn surface(m: &Material) -> Surface {
    let d = Material::default();
    let plain = m.friction[0] == m.friction[1] && m.direction == Vec3::ZERO;
    let friction = if plain { Coefficients::Same(m.friction[0]) } else { Coefficients::Elliptic(m.friction) };
    let give = LinearSoft::saying(Softness { compliance: m.compliance, damping: m.damping });
    Surface {
        friction: (m.friction != d.friction || !plain).then_some(friction),
        direction: (!plain).then(|| m.direction.into()),
        restitution: (m.restitution != d.restitution).then(|| m.restitution.into()),
        compliance: give.compliance,
        stiffness: give.stiffness,
        damping: give.damping,
        surface_velocity: m.surface_velocity.into(),
        rule: match m.rule {
            Combine::Average => Rule::Average,
            Combine::Min => Rule::Min,
            Combine::Multiply => Rule::Multiply,
            Combine::Max => Rule::Max,
            Combine::Geometric => Rule::Geometric,
        },
    }
}

pub(super) fn groups(g: taut::shapes::Groups) -> Groups {
    let list = |word: u32| (word != u32::MAX).then(|| (0..32).filter(|k| word & (1 << k) != 0).collect());
    Groups { member: list(g.member), with: list(g.with) }
}

fn shape(s: &Shape) -> ColliderShape {
    let triples = |list: &[Vec3]| list.iter().map(|v| (*v).into()).collect();
    match s {
        Shape::Ball { radius } => ColliderShape::Sphere(Sphere { radius: (*radius).into() }),
        Shape::Cuboid { half } => ColliderShape::Box(Cuboid { size: (2.0 * *half).into() }),
        Shape::Capsule { half_length, radius } => {
            ColliderShape::Capsule(Capsule { radius: (*radius).into(), height: (2.0 * half_length).into() })
        }
        Shape::Cylinder { half_height, radius } => {
            ColliderShape::Cylinder(Cylinder { radius: (*radius).into(), height: (2.0 * half_height).into() })
        }
        Shape::ConvexHull { points } => ColliderShape::ConvexHull(Hull { points: triples(points) }),
        Shape::Mesh { vertices, triangles } => {
            ColliderShape::Mesh(Triangles { vertices: triples(vertices), triangles: triangles.clone() })
        }
        Shape::HeightField { heights, scale } => ColliderShape::HeightField(HeightField {
            heights: heights.iter().map(|row| row.iter().map(|h| (*h).into()).collect()).collect(),
            size: [scale.x.into(), scale.z.into()],
            scale: (scale.y != 1.0).then(|| scale.y.into()),
        }),
        Shape::HalfSpace { normal } => {
            ColliderShape::HalfSpace(HalfSpace { normal: (*normal != Vec3::Y).then(|| (*normal).into()) })
        }
        Shape::Compound { parts } => ColliderShape::Compound(Compound {
            parts: parts
                .iter()
                .map(|(pose, s)| Part { shape: shape(s), position: pose.pos.into(), rotation: turned(pose.rot) })
                .collect(),
        }),
    }
}
