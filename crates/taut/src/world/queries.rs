//! Looking into the world between steps: rays, swept shapes, overlaps, nearest points. All work on the present poses, change
//! nothing, and may run on several threads at once.

use super::World;
use crate::collide::scene::{Scene, pose_of};
use crate::collide::soft::Work;
use crate::contact::bounds::Bounds;
use crate::contact::collider::{ColliderEntry, Groups};
use crate::contact::convex::Convex;
use crate::contact::geometry::{Geometry, Part, Solid};
use crate::contact::manifold::{Placed, separation};
use crate::contact::narrow::{Narrow, Side};
use crate::contact::ray;
use crate::contact::shape::{Shape, direction, point};
use crate::contact::travel::Travel;
use crate::error::{Error, Result, finite_vec, non_negative};
use crate::ids::{BodyId, ColliderId};
use crate::math::pose::{Pose, unit};
use crate::model::Model;
use glam::DVec3;

/// Which colliders a query looks at.
///
/// A robot looks ahead and does not see itself.
/// ```
/// use taut::{Body, Shape, Vec3, World, queries::QueryFilter};
/// let mut world = World::new();
/// let robot = world.add(Body::solid(Shape::ball(0.2), 300.0)?)?;
/// let wall = world.add(Body::solid(Shape::cuboid(Vec3::ONE), 300.0)?.at(5.0 * Vec3::X))?;
/// let seen = |filter| world.cast_ray(Vec3::ZERO, Vec3::X, 10.0, &filter);
/// assert!(seen(QueryFilter::default())?.is_some_and(|hit| hit.body == robot));
/// assert!(seen(QueryFilter { exclude: Some(robot), ..QueryFilter::default() })?.is_some_and(|hit| hit.body == wall));
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct QueryFilter {
    /// The query meets colliders as if it had these groups.
    pub groups: Groups,
    /// A body that is not looked at, such as the one that asks; with a node the whole deformable.
    pub exclude: Option<BodyId>,
    /// Whether sensors are looked at too.
    pub sensors: bool,
}

impl QueryFilter {
    fn wants(&self, model: &Model, c: &ColliderEntry) -> bool {
        let own =
            |id: BodyId| c.body == id || (c.soft.is_some() && model.bodies.get(id.0).and_then(|b| b.soft) == c.soft);
        (self.sensors || !c.sensor) && self.groups.meets(&c.groups) && !self.exclude.is_some_and(own)
    }
}

/// Where a ray meets a collider.
///
/// A range finder 3 m above the floor, which points straight down.
/// ```
/// use taut::{Collider, Shape, Vec3, World, queries::QueryFilter};
/// let mut world = World::new();
/// world.add(Collider::new(Shape::ground()).on(world.ground()))?;
/// let hit = world.cast_ray(3.0 * Vec3::Y, -Vec3::Y, 10.0, &QueryFilter::default())?;
/// let Some(hit) = hit else { panic!("there is a floor") };
/// assert!((hit.distance - 3.0).abs() < 1e-9 && (hit.normal - Vec3::Y).length() < 1e-9);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// The collider.
    pub collider: ColliderId,
    /// Its body.
    pub body: BodyId,
    /// World point, m.
    pub point: DVec3,
    /// Unit normal of the surface, against the ray.
    pub normal: DVec3,
    /// Distance from the origin of the ray, m; zero if it begins inside.
    pub distance: f64,
}

/// Where a moving shape first touches a collider.
///
/// How far a container, 2 m high, can be lowered by 10 m from 5 m above the floor: 4 m, two fifths of the way.
/// ```
/// use taut::{Collider, Pose, Shape, Vec3, World, queries::QueryFilter};
/// let mut world = World::new();
/// world.add(Collider::new(Shape::ground()).on(world.ground()))?;
/// let container = Shape::cuboid(Vec3::new(3.0, 1.0, 1.2));
/// let hit = world.cast_shape(&container, Pose::at(5.0 * Vec3::Y), -10.0 * Vec3::Y, &QueryFilter::default())?;
/// assert!(hit.is_some_and(|hit| (hit.fraction - 0.4).abs() < 1e-3 && hit.normal.y > 0.999));
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeHit {
    /// The collider.
    pub collider: ColliderId,
    /// Its body.
    pub body: BodyId,
    /// Part of the displacement that was gone, 0 to 1; zero if the shape overlaps at the start.
    pub fraction: f64,
    /// World point of the collider that is touched, m.
    pub point: DVec3,
    /// Unit normal, from the collider to the shape.
    pub normal: DVec3,
}

/// The point of a collider nearest to a given one.
///
/// How near a hand has come to a guard: 0.5 m from the middle of a ball of 0.2 m are 0.3 m.
/// ```
/// use taut::{Body, Shape, Vec3, World, queries::QueryFilter};
/// let mut world = World::new();
/// let guard = world.add(Body::solid(Shape::ball(0.2), 1000.0)?)?;
/// let hit = world.closest_point(0.5 * Vec3::X, 1.0, &QueryFilter::default())?;
/// assert!(hit.is_some_and(|hit| hit.body == guard && (hit.distance - 0.3).abs() < 1e-9));
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointHit {
    /// The collider.
    pub collider: ColliderId,
    /// Its body.
    pub body: BodyId,
    /// World point on the surface, m.
    pub point: DVec3,
    /// Distance, m; negative inside.
    pub distance: f64,
}

impl World {
    /// Bounding boxes at the present poses.
    fn scene(&self) -> &Scene {
        self.scene.now(&self.model, &self.state.bodies)
    }

    /// A filter may leave out a body that is gone, but not one of another world.
    fn check(&self, filter: &QueryFilter) -> Result<()> {
        match filter.exclude {
            Some(id) if id.0.world != self.model.bodies.world() => Err(self.model.bodies.missing("body", id.0)),
            _ => Ok(()),
        }
    }

    /// The body in a slot, or that of a collider.
    fn body_at(&self, slot: usize, c: &ColliderEntry) -> BodyId {
        self.model.bodies.key_at(slot).map_or(c.body, BodyId)
    }

    /// The colliders among `found` that a filter wants, with their poses.
    fn wanted<'a>(
        &'a self,
        found: &'a [u32],
        filter: &'a QueryFilter,
    ) -> impl Iterator<Item = (ColliderId, &'a ColliderEntry, Pose)> + 'a {
        found.iter().filter_map(move |&slot| {
            let c = self
                .model
                .colliders
                .at(slot as usize)
                .filter(|c| self.model.is_on(c) && filter.wants(&self.model, c))?;
            let key = self.model.colliders.key_at(slot as usize)?;
            Some((ColliderId(key), c, pose_of(&self.state.bodies[c.body.0.slot as usize]).compose(&c.pose)))
        })
    }

    /// The first collider along a ray from `origin` (m) in a direction of any length but zero, within `max_distance` (m).
    pub fn cast_ray(
        &self,
        origin: DVec3,
        direction: DVec3,
        max_distance: f64,
        filter: &QueryFilter,
    ) -> Result<Option<RayHit>> {
        Ok(self.cast_ray_all(origin, direction, max_distance, filter)?.into_iter().next())
    }

    /// All colliders along a ray, nearest first.
    pub fn cast_ray_all(
        &self,
        origin: DVec3,
        direction: DVec3,
        max_distance: f64,
        filter: &QueryFilter,
    ) -> Result<Vec<RayHit>> {
        self.check(filter)?;
        finite_vec("ray origin", origin, "m")?;
        let along = unit_direction("ray direction", direction)?;
        non_negative("ray length", max_distance, "m")?;
        let mut found = Vec::new();
        self.scene().along(origin, along, max_distance, &mut found);
        let mut elements = Vec::new();
        let mut hits = Vec::new();
        for (collider, c, pose) in self.wanted(&found, filter) {
            if let Some(surface) = self.scene().surface(collider) {
                hits.extend(surface.ray((origin, along), max_distance).map(|s| RayHit {
                    collider,
                    body: self.body_at(s.body, c),
                    point: origin + along * s.distance,
                    normal: s.normal,
                    distance: s.distance,
                }));
                continue;
            }
            let parts = c.geometry.parts.iter();
            let nearest = parts
                .filter_map(|p| ray::hit(p, &pose.compose(&p.pose), (origin, along), max_distance, &mut elements))
                .reduce(|a, b| if b.0 < a.0 { b } else { a });
            if let Some((distance, normal)) = nearest {
                hits.push(RayHit { collider, body: c.body, point: origin + along * distance, normal, distance });
            }
        }
        hits.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.collider.cmp(&b.collider)));
        Ok(hits)
    }

    /// The first collider that a shape touches when it is moved from `pose` by `displacement` (m) without turning. The shape is
    /// convex or a compound.
    pub fn cast_shape(
        &self,
        shape: &Shape,
        pose: Pose,
        displacement: DVec3,
        filter: &QueryFilter,
    ) -> Result<Option<ShapeHit>> {
        self.check(filter)?;
        let (geometry, pose) = query_shape(shape, pose)?;
        finite_vec("displacement", displacement, "m")?;
        let mut found = Vec::new();
        let around = geometry.bounds(&pose).swept(displacement);
        self.scene().overlapping(&around, &mut found);
        let travel = Travel { start: pose, vel: displacement, omega: DVec3::ZERO, jerk: 0.0 };
        let mut narrow = Narrow::default();
        let mut best: Option<ShapeHit> = None;
        let mut work = Work::default();
        for (collider, c, at) in self.wanted(&found, filter) {
            if let Some(surface) = self.scene().surface(collider) {
                surface.solids(&around, &mut work, |part, rest, body| {
                    for p in &geometry.parts {
                        let Some(hit) = narrow.cast(&side(p, &travel), &side(part, rest), 1.0) else { continue };
                        if best.is_none_or(|b| hit.time < b.fraction) {
                            let (normal, point, body) = (hit.normal, hit.point, self.body_at(body, c));
                            best = Some(ShapeHit { collider, body, fraction: hit.time, point, normal });
                        }
                    }
                });
                continue;
            }
            let rest = Travel::rest(at);
            for (p, q) in pairs(&geometry, &c.geometry) {
                let Some(hit) = narrow.cast(&side(p, &travel), &side(q, &rest), 1.0) else { continue };
                if best.is_none_or(|b| hit.time < b.fraction) {
                    let (normal, point) = (hit.normal, hit.point);
                    best = Some(ShapeHit { collider, body: c.body, fraction: hit.time, point, normal });
                }
            }
        }
        Ok(best)
    }

    /// All colliders that overlap a shape, convex or compound, in a fixed order.
    pub fn overlaps(&self, shape: &Shape, pose: Pose, filter: &QueryFilter) -> Result<Vec<ColliderId>> {
        self.check(filter)?;
        let (geometry, pose) = query_shape(shape, pose)?;
        let mut found = Vec::new();
        self.scene().overlapping(&geometry.bounds(&pose), &mut found);
        let travel = Travel::rest(pose);
        let mut narrow = Narrow::default();
        let mut work = Work::default();
        let mut overlap = |id: ColliderId, c: &ColliderEntry, at: Pose, narrow: &mut Narrow| {
            let rest = Travel::rest(at);
            if let Some(surface) = self.scene().surface(id) {
                let (around, mut met) = (geometry.bounds(&pose), false);
                surface.solids(&around, &mut work, |part, rest, _| {
                    let sides = || geometry.parts.iter().map(|p| side(p, &travel));
                    met = met || sides().any(|p| narrow.overlap(&p, &side(part, rest)));
                });
                return met;
            }
            pairs(&geometry, &c.geometry).any(|(p, q)| narrow.overlap(&side(p, &travel), &side(q, &rest)))
        };
        Ok(self
            .wanted(&found, filter)
            .filter(|(id, c, at)| overlap(*id, c, *at, &mut narrow))
            .map(|(id, ..)| id)
            .collect())
    }

    /// The nearest point of any collider within `max_distance` (m) of a point.
    pub fn closest_point(&self, at: DVec3, max_distance: f64, filter: &QueryFilter) -> Result<Option<PointHit>> {
        self.check(filter)?;
        point("point", at)?;
        non_negative("greatest distance", max_distance, "m")?;
        let around = Bounds::point(at).grown(max_distance);
        let mut found = Vec::new();
        self.scene().overlapping(&around, &mut found);
        let probe = Convex::new(&Shape::ball(0.0))?;
        let probe = Placed { solid: &probe, pose: Pose::at(at) };
        let mut best: Option<PointHit> = None;
        for (collider, c, pose) in self.wanted(&found, filter) {
            if let Some(surface) = self.scene().surface(collider) {
                if let Some(s) =
                    surface.nearest(at, max_distance).filter(|s| best.is_none_or(|b| s.distance < b.distance))
                {
                    let (body, distance) = (self.body_at(s.body, c), s.distance);
                    best = Some(PointHit { collider, body, point: at - s.normal * distance, distance });
                }
                continue;
            }
            for part in &c.geometry.parts {
                let Some((n, distance)) = nearest(&probe, part, &pose.compose(&part.pose), max_distance) else {
                    continue;
                };
                if best.is_none_or(|b| distance < b.distance) {
                    best = Some(PointHit { collider, body: c.body, point: at - n * distance, distance });
                }
            }
        }
        Ok(best)
    }
}

/// Normal and distance from a part to a point within `limit`.
fn nearest(probe: &Placed<'_>, part: &Part, pose: &Pose, limit: f64) -> Option<(DVec3, f64)> {
    match &part.solid {
        Solid::Convex(c) => separation(probe, &Placed { solid: c, pose: *pose }, limit).map(|(n, d, _)| (n, d)),
        Solid::Plane(n) => {
            let n = pose.rot * *n;
            let d = n.dot(probe.pose.pos - pose.pos);
            (d <= limit).then_some((n, d))
        }
        Solid::Terrain(t) => {
            let mut elements = Vec::new();
            t.elements(&Bounds::point(pose.to_local(probe.pose.pos)).grown(limit), &mut elements);
            let mut triangle = Convex::triangle();
            let mut best: Option<(DVec3, f64)> = None;
            for id in elements {
                triangle.set_triangle(t.element(id).corners);
                let found = separation(probe, &Placed { solid: &triangle, pose: *pose }, limit);
                best = found.map(|(n, d, _)| (n, d)).filter(|x| best.is_none_or(|b| x.1 < b.1)).or(best);
            }
            best
        }
    }
}

fn unit_direction(name: &str, v: DVec3) -> Result<DVec3> {
    finite_vec(name, v, "m")?;
    direction(v).ok_or_else(|| Error::input(name, v, "a finite vector that is not zero"))
}

/// A shape that a query may move about.
fn query_shape(shape: &Shape, pose: Pose) -> Result<(Geometry, Pose)> {
    if !shape.is_solid() {
        return Err(Error::input("query shape", shape.name(), "a convex shape or a compound"));
    }
    finite_vec("query position", pose.pos, "m")?;
    Ok((Geometry::new(shape)?, Pose { pos: pose.pos, rot: unit(pose.rot)? }))
}

fn pairs<'a>(a: &'a Geometry, b: &'a Geometry) -> impl Iterator<Item = (&'a Part, &'a Part)> {
    a.parts.iter().flat_map(|p| b.parts.iter().map(move |q| (p, q)))
}

fn side<'a>(part: &'a Part, travel: &'a Travel) -> Side<'a> {
    Side { part, local: part.pose, travel, index: 0 }
}
