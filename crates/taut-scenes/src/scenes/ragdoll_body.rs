//! A ragdoll of twelve bodies with the masses and lengths of a human, in any pose.
//!
//! Masses as parts of the whole (Winter, Biomechanics and Motor Control of Human Movement, 4th ed., Table 4.1, after Dempster): head and
//! neck 0.081, thorax 0.216, abdomen 0.139, pelvis 0.142, upper arm 0.028, forearm and hand 0.022, thigh 0.100, shank and foot
//! 0.061. Heights and lengths as parts of the stature (Drillis and Contini 1966): knee 0.285, hip 0.530, shoulder 0.818, chin 0.870,
//! upper arm 0.186, forearm 0.146, hand 0.108, width between the shoulders 0.259. Ranges of the joints after the American Academy of
//! Orthopaedic Surgeons (Joint Motion, 1965): neck 45 deg to all sides and 60 deg of turn; spine in two joints of 30 deg and 20 deg of
//! turn each; shoulder a cone of 95 deg about forward and outward, 80 deg of turn; elbow 0 to 150 deg; hip a cone of 75 deg about 45 deg of
//! flexion (30 deg extended to 120 deg flexed), 45 deg of turn; knee 0 to 135 deg.
//! Chosen here: thickness of the parts; hand and foot are stiff with forearm and shank; where the joints of the spine are.

use super::parts::pointing;
use crate::random::Random;
use taut::{
    Ball, Body, BodyId, Collider, Frame, Frames, Hinge, Limit, MassProperties, Pose, Quat, Result, Shape, Vec3, World,
};

/// Mass of a ragdoll, kg, and its height, m.
pub(super) const MASS: f64 = 75.0;
pub(super) const STATURE: f64 = 1.75;
/// Bodies of a ragdoll.
pub const BODIES: usize = 12;
/// Neighbours of neighbours that overlap where the trunk bends: they do not meet.
pub const CLEAR: [(usize, usize); 5] =
    [(1, RIGHT_THIGH), (1, LEFT_THIGH), (PELVIS, 2), (HEAD, RIGHT_UPPER), (HEAD, LEFT_UPPER)];

/// Its parts, in this order.
pub(super) const PELVIS: usize = 0;
pub(super) const HEAD: usize = 3;
pub(super) const RIGHT_UPPER: usize = 4;
pub(super) const RIGHT_FORE: usize = 5;
pub(super) const LEFT_UPPER: usize = 6;
pub(super) const RIGHT_THIGH: usize = 8;
pub(super) const LEFT_THIGH: usize = 10;

enum Hold {
    /// The first part.
    Root,
    /// A ball joint: axis of its cone, half angle, twist to either side, deg.
    Cone(Vec3, f64, f64),
    /// A hinge about an axis that bends from 0 to this angle, deg.
    Bend(Vec3, f64),
}

/// A part of a person who stands on y = 0, faces +x and has the right hand at +z, arms down; lengths in parts of the stature.
struct Part {
    name: &'static str,
    parent: usize,
    mass: f64,
    /// Ends of its middle line; its joint to the parent is at the first.
    from: Vec3,
    to: Vec3,
    /// Radius of a limb, or half width and half depth of a box.
    size: (f64, Option<f64>),
    hold: Hold,
}

fn parts() -> [Part; BODIES] {
    let up = |y: f64| y * Vec3::Y;
    let trunk = |name, parent, mass, (low, high): (f64, f64), size: (f64, f64), hold| Part {
        name,
        parent,
        mass,
        from: up(low),
        to: up(high),
        size: (size.0, Some(size.1)),
        hold,
    };
    let limb = |name, parent, mass, from: Vec3, length: f64, radius, hold| Part {
        name,
        parent,
        mass,
        from,
        to: from - length * Vec3::Y,
        size: (radius, None),
        hold,
    };
    let spine = || Hold::Cone(Vec3::Y, 30.0, 20.0);
    let shoulder = |side: f64| Hold::Cone(Vec3::new(1.0, 0.0, side), 95.0, 80.0);
    let hip = || Hold::Cone(Vec3::new(1.0, -1.0, 0.0), 75.0, 45.0);
    let arm = |side: f64| Vec3::new(0.0, 0.818, 0.1295 * side);
    let leg = |side: f64| Vec3::new(0.0, 0.530, 0.052 * side);
    let [elbow, knee] = [0.186, 0.245].map(|l| l * Vec3::Y);
    [
        trunk("pelvis", PELVIS, 0.142, (0.515, 0.585), (0.09, 0.055), Hold::Root),
        trunk("abdomen", PELVIS, 0.139, (0.585, 0.680), (0.08, 0.055), spine()),
        trunk("thorax", 1, 0.216, (0.680, 0.850), (0.085, 0.06), spine()),
        Part {
            size: (0.05, None),
            ..trunk("head", 2, 0.081, (0.850, 1.0), (0.0, 0.0), Hold::Cone(Vec3::Y, 45.0, 60.0))
        },
        limb("right upper arm", 2, 0.028, arm(1.0), 0.186, 0.026, shoulder(1.0)),
        limb("right forearm", RIGHT_UPPER, 0.022, arm(1.0) - elbow, 0.22, 0.022, Hold::Bend(Vec3::Z, 150.0)),
        limb("left upper arm", 2, 0.028, arm(-1.0), 0.186, 0.026, shoulder(-1.0)),
        limb("left forearm", LEFT_UPPER, 0.022, arm(-1.0) - elbow, 0.22, 0.022, Hold::Bend(Vec3::Z, 150.0)),
        limb("right thigh", PELVIS, 0.100, leg(1.0), 0.245, 0.044, hip()),
        limb("right shank", RIGHT_THIGH, 0.061, leg(1.0) - knee, 0.285, 0.033, Hold::Bend(-Vec3::Z, 135.0)),
        limb("left thigh", PELVIS, 0.100, leg(-1.0), 0.245, 0.044, hip()),
        limb("left shank", LEFT_THIGH, 0.061, leg(-1.0) - knee, 0.285, 0.033, Hold::Bend(-Vec3::Z, 135.0)),
    ]
}

/// How a ragdoll is placed: where the middle of its pelvis is, how it is turned, and how each part is turned against its parent from
/// standing, about axes of the standing person.
#[derive(Clone, Copy)]
pub(super) struct Posture {
    pub at: Vec3,
    pub turned: Quat,
    pub bends: [Quat; BODIES],
}

impl Posture {
    /// Standing, with the middle of the pelvis at a point.
    pub fn standing(at: Vec3) -> Self {
        Posture { at, turned: Quat::IDENTITY, bends: [Quat::IDENTITY; BODIES] }
    }

    /// Turns a part against its parent about an axis of the standing person, deg.
    pub fn bend(mut self, part: usize, axis: Vec3, degrees: f64) -> Self {
        self.bends[part] = crate::rotation::rotation(axis.normalize(), degrees.to_radians());
        self
    }

    /// Limbs bent at random within their limits: hips and shoulders by up to 25 deg, knees and elbows by up to 60 deg.
    pub fn loosened(mut self, random: &mut Random) -> Self {
        for side in [(RIGHT_UPPER, RIGHT_THIGH, 1.0), (LEFT_UPPER, LEFT_THIGH, -1.0)] {
            // Out and forward, so that no limb starts in another.
            let (arm, leg) = (random.uniform(0.0, 25.0), random.uniform(0.0, 25.0));
            self = self.bend(side.0, Vec3::new(-side.2, 0.0, 1.0), arm).bend(side.1, Vec3::Z, leg);
            let (elbow, knee) = (random.uniform(0.0, 60.0), random.uniform(0.0, 60.0));
            self = self.bend(side.0 + 1, Vec3::Z, elbow).bend(side.1 + 1, -Vec3::Z, knee);
        }
        self
    }

    /// Where each part is, against standing: position = rotation * p + offset.
    fn places(&self, parts: &[Part; BODIES]) -> [(Quat, Vec3); BODIES] {
        let middle = STATURE * 0.5 * (parts[PELVIS].from + parts[PELVIS].to);
        let mut places = [(self.turned, self.at - self.turned * middle); BODIES];
        for k in 1..BODIES {
            let (rot, offset) = places[parts[k].parent];
            let joint = STATURE * parts[k].from;
            let turned = rot * self.bends[k];
            places[k] = (turned, rot * joint + offset - turned * joint);
        }
        places
    }
}

/// A ragdoll in a world.
pub(super) struct Ragdoll {
    /// Its bodies, in the order of the constants above.
    pub bodies: [BodyId; BODIES],
    /// Where the palm of the right hand is, m.
    pub hand: Vec3,
}

/// A part of a ragdoll as it is added to a world.
#[derive(Clone, Debug)]
pub struct RagdollPart {
    /// Its name.
    pub name: &'static str,
    /// Mass and inertia.
    pub mass: MassProperties,
    /// Shape, about the centre of mass.
    pub shape: Shape,
    /// Where it is.
    pub pose: Pose,
    /// How it hangs on another part; `None` for the first.
    pub bond: Option<Bond>,
}

/// What holds a part of a ragdoll to its parent.
#[derive(Clone, Debug)]
pub struct Bond {
    /// Index of the parent in the list of parts.
    pub parent: usize,
    /// A hinge about n, or else a ball joint.
    pub hinge: bool,
    /// Frames on the part (i) and on its parent (j).
    pub frames: Frames,
    /// Its limits: the turn of a hinge, or the cone and the twist of a ball joint.
    pub limits: Vec<Limit>,
}

/// The parts of a ragdoll, parents before children.
pub(super) fn plan(posture: &Posture) -> Result<Vec<RagdollPart>> {
    let parts = parts();
    let places = posture.places(&parts);
    parts.iter().zip(places).map(|(part, place)| solid(part, place, &parts[part.parent])).collect()
}

/// Adds a ragdoll.
pub(super) fn add(world: &mut World, posture: &Posture) -> Result<Ragdoll> {
    let mut bodies = [world.ground(); BODIES];
    for (k, part) in plan(posture)?.into_iter().enumerate() {
        let def = Body::dynamic(part.mass).at(part.pose.pos).rotated(part.pose.rot);
        bodies[k] = world.add(def.named(part.name))?;
        world.add(Collider::new(part.shape).named(part.name).on(bodies[k]))?;
        if let Some(bond) = part.bond {
            let joint = if bond.hinge { Hinge::between } else { Ball::between };
            let joint = joint(bodies[k], bodies[bond.parent]).frames(bond.frames).stops(bond.limits);
            world.add(joint.named(part.name))?;
        }
    }
    for (a, b) in CLEAR {
        world.set_collision(bodies[a], bodies[b], false)?;
    }
    let parts = parts();
    let (rot, offset) = posture.places(&parts)[RIGHT_FORE];
    // The middle of the hand is half a hand from the end.
    let palm = STATURE * (parts[RIGHT_FORE].to + 0.054 * Vec3::Y);
    Ok(Ragdoll { bodies, hand: rot * palm + offset })
}

fn solid(part: &Part, (rot, offset): (Quat, Vec3), parent: &Part) -> Result<RagdollPart> {
    let (from, to) = (STATURE * part.from, STATURE * part.to);
    let (half, radius) = (0.5 * (to - from).length(), STATURE * part.size.0);
    let (shape, mass) = match part.size.1 {
        Some(depth) => {
            let half = Vec3::new(STATURE * depth, half, radius);
            (Shape::cuboid(half), MassProperties::cuboid(1000.0, half)?)
        }
        None => (Shape::capsule(half - radius, radius), MassProperties::capsule(1000.0, half - radius, radius)?),
    };
    let pos = rot * (0.5 * (from + to)) + offset;
    let pose = Pose { pos, rot: (rot * pointing(to - from)).normalize() };
    Ok(RagdollPart { name: part.name, mass: mass.with_mass(MASS * part.mass)?, shape, pose, bond: bond(part, parent)? })
}

fn bond(part: &Part, parent: &Part) -> Result<Option<Bond>> {
    let along = (part.to - part.from).normalize();
    let (axis, limits) = match part.hold {
        Hold::Cone(axis, cone, twist) => {
            let [cone, twist] = [cone, twist].map(f64::to_radians);
            (axis.normalize(), vec![Limit::cone(cone), Limit::twist(-twist, twist)])
        }
        Hold::Bend(axis, most) => (axis, vec![Limit::new(0.0, most.to_radians())]),
        Hold::Root => return Ok(None),
    };
    let frame_j = Frame::new(Vec3::ZERO, axis)?;
    let hinge = matches!(part.hold, Hold::Bend(..));
    // A ball joint's frame goes with the limb, turned to it from the axis of the cone the shortest way: standing has no twist.
    let turn = if hinge { Quat::IDENTITY } else { Quat::from_rotation_arc(axis, along) };
    let frame = |of: &Part, turn: Quat| {
        let (from, to) = (STATURE * of.from, STATURE * of.to);
        let back = pointing(to - from).inverse();
        let origin = back * (STATURE * part.from - 0.5 * (from + to));
        let [u, v, n] = [frame_j.u, frame_j.v, frame_j.n].map(|x| back * (turn * x));
        Frame { origin, u, v, n }
    };
    let frames = Frames { i: frame(part, turn), j: frame(parent, Quat::IDENTITY) };
    Ok(Some(Bond { parent: part.parent, hinge, frames, limits }))
}

/// Where a pose of the root puts the pelvis so that the right hand is at a point, m.
pub(super) fn hung(posture: Posture, hand: Vec3) -> Posture {
    let parts = parts();
    let (rot, offset) = posture.places(&parts)[RIGHT_FORE];
    let palm = rot * (STATURE * (parts[RIGHT_FORE].to + 0.054 * Vec3::Y)) + offset;
    Posture { at: posture.at + hand - palm, ..posture }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_make_75_kg_and_a_standing_person_is_within_all_limits() {
        let mut world = World::new();
        let r = add(&mut world, &Posture::standing(Vec3::Y)).unwrap();
        let mass: f64 = r.bodies.iter().map(|&b| world.body(b).unwrap().mass()).sum();
        assert!((mass - MASS).abs() < 1e-9, "{mass}");
        for v in world.joints() {
            assert!(v.gap() < 1e-12 && v.angle() < 1e-12 && v.excess() < 1e-6, "{v:?}");
        }
        assert!(world.predict_contacts(1e-6).unwrap().iter().all(|c| c.distance > 0.0));
    }
}
