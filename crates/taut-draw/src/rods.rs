//! What is straight between two points: links of cables, rods, ropes, springs; and the tension in it.

use crate::bodies::alike;
use crate::drawing::Rod;
use crate::ropes;
use taut::{BodyId, Cut, Force, ForceId, JointId, JointRef, Motion, Result, Vec3, World, shapes::Solid};

/// Radius of rods without a thickness of their own, in sizes of the scene.
const THIN: f64 = 0.0022;
/// A link is at least this many times as long as it is thick.
const SLENDER: f64 = 2.0;

/// Where a rod is read from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source {
    /// A link of a cable: the body, its ends in its own frame, and the joint whose force it shows.
    Link { body: BodyId, ends: [Vec3; 2], joint: JointId },
    /// Between the points of a joint.
    Joint(JointId),
    /// Between the ends of a spring.
    Spring(ForceId),
}

/// Rods, what they are read from, and for each body whether a rod stands for it.
pub(crate) struct Laid {
    pub rods: Vec<Rod>,
    pub sources: Vec<Source>,
    pub links: Vec<bool>,
}

/// All rods of a world of a size, m.
pub(crate) fn of(world: &World, bodies: &[BodyId], joints: &[JointId], size: f64) -> Result<Laid> {
    let find = |b: BodyId| bodies.binary_search(&b).unwrap_or(0);
    let mut out = Laid { rods: Vec::new(), sources: Vec::new(), links: vec![false; bodies.len()] };
    // For each body where its joints are, and its cable joint.
    let mut ends: Vec<Vec<Vec3>> = vec![Vec::new(); bodies.len()];
    let mut cable: Vec<Option<usize>> = vec![None; bodies.len()];
    for (k, &id) in joints.iter().enumerate() {
        let v = world.joint(id)?;
        let thin = match v.kind() {
            "distance" => Some("distance"),
            "rope" => Some("rope"),
            _ => None,
        };
        if let Some(kind) = thin {
            out.rods.push(Rod { kind, radius: THIN * size, joint: Some(k) });
            out.sources.push(Source::Joint(id));
        }
        for (b, at) in [(v.bodies().0, v.points().0), (v.bodies().1, v.points().1)] {
            ends[find(b)].push(at);
            if matches!(v.kind(), "cable" | "flexible-cable") {
                cable[find(b)].get_or_insert(k);
            }
        }
    }
    for (k, &body) in bodies.iter().enumerate() {
        let Some(joint) = cable[k] else { continue };
        let Some((points, radius)) = link(world, body, &ends[k])? else { continue };
        out.links[k] = true;
        out.rods.push(Rod { kind: "cable", radius, joint: Some(joint) });
        out.sources.push(Source::Link { body, ends: points, joint: joints[joint] });
    }
    for id in world.forces() {
        if let Force::Spring(_) = world.force(id)? {
            out.rods.push(Rod { kind: "spring", radius: THIN * size, joint: None });
            out.sources.push(Source::Spring(id));
        }
    }
    Ok(out)
}

/// Ends of a slender body in its own frame, and its radius, m.
fn link(world: &World, body: BodyId, ends: &[Vec3]) -> Result<Option<([Vec3; 2], f64)>> {
    let b = world.body(body)?;
    if b.motion() != Motion::Dynamic || !world.colliders_of(body)?.is_empty() {
        return Ok(None);
    }
    let (half, radius) = match b.solid().unwrap_or_else(|| alike(&b)) {
        Solid::Cylinder { half_height, radius } => (half_height, radius),
        Solid::Capsule { half_length, radius } => (half_length, radius),
        Solid::Cuboid { half } => (half.y, 0.5 * (half.x + half.z)),
        Solid::Ball { .. } => return Ok(None),
    };
    if half < SLENDER * radius {
        return Ok(None);
    }
    let local: Vec<Vec3> = ends.iter().map(|&p| b.pose().to_local(p)).collect();
    let Some(&first) = local.first() else { return Ok(None) };
    let far = local.iter().copied().fold(first, |f, p| if (p - first).length() > (f - first).length() { p } else { f });
    // A free end is as far out as the joint is.
    let last = if (far - first).length() < half { -first } else { far };
    Ok(Some(([first, last], radius)))
}

/// How strongly a joint pulls its bodies together, N; negative when it pushes them apart.
pub(crate) fn tension(world: &World, v: &JointRef<'_>) -> Result<f64> {
    let (a, b) = (world.body(v.bodies().0)?, world.body(v.bodies().1)?);
    // From the first body towards the joint, or from the joint on when the joint is at its centre.
    let towards = |at: Vec3, from: Vec3| (at - from).try_normalize();
    let along = towards(v.points().1, v.points().0).filter(|_| matches!(v.kind(), "distance" | "rope"));
    let u = along.or_else(|| towards(v.points().0, a.pose().pos)).or_else(|| towards(b.pose().pos, v.points().0));
    Ok(v.force().dot(u.unwrap_or(Vec3::ZERO)))
}

/// Ends of a rod and its tension, N; none when what it was read from is gone, or one of its bodies is switched off.
pub(crate) fn now(world: &World, source: &Source) -> Option<([Vec3; 2], f64)> {
    match *source {
        Source::Link { body, ends, joint } => {
            let pose = world.body(body).ok()?.pose();
            let pull = world.joint(joint).ok().and_then(|v| tension(world, &v).ok()).unwrap_or(0.0);
            Some((ends.map(|p| pose.to_world(p)), pull))
        }
        Source::Joint(id) => {
            let v = world.joint(id).ok()?;
            let (i, j) = v.bodies();
            if ![i, j].into_iter().all(|b| world.body(b).is_ok_and(|b| b.is_enabled())) {
                return None;
            }
            let pull = tension(world, &v).ok()?;
            Some(([v.points().0, v.points().1], pull))
        }
        Source::Spring(id) => {
            let v = world.force_view(id).ok()?;
            let along = (v.other - v.point).normalize_or_zero();
            Some(([v.point, v.other], v.force.dot(along)))
        }
    }
}

/// Cuts the joints and springs whose rods a cut passes through, and says how many they were. A link of a cable parts where its joint is.
pub(crate) fn sever(world: &mut World, sources: &[Source], along: &Cut) -> Result<usize> {
    let mut count = 0;
    for source in sources {
        if !now(world, source).is_some_and(|([a, b], _)| along.crosses(a, b)) {
            continue;
        }
        match *source {
            Source::Link { joint: id, .. } | Source::Joint(id) if world.joint(id).is_ok() => ropes::part(world, id)?,
            Source::Spring(id) => world.remove(id)?,
            _ => continue,
        }
        count += 1;
    }
    Ok(count)
}
