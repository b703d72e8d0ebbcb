//! Joints: a tree over the bodies, rooted in the ground, and loops over it.

use super::bounds::{Bounds, bounds};
use super::{Place, Plan};
use crate::file::{
    AngularSoft, AxialLock, Ball, Cable, Distance, FlexibleCable, Joint, Kind, Ligament, LinearSoft, Pivot,
    PointOnLine, Rope, Translational, Weld,
};
use crate::fuzz::Feature;
use crate::fuzz::draw::{digits, neat};
use taut::Vec3;

/// Where a joint goes, and the numbers that kinds make their own from.
struct Spot {
    name: Option<String>,
    bodies: [String; 2],
    /// Centres of the two bodies, or a point of the ground.
    ends: [Vec3; 2],
    point: Vec3,
    axis: Vec3,
    /// Stiffness of a kind that always gives, N/m or N m/rad.
    stiffness: f64,
    /// Length of a rope over the distance of its ends.
    slack: f64,
    bounds: Bounds,
}

/// The kinds of joints, and the feature without which they are not made; a hinge twice, for it is
/// the most common.
type Maker = (fn(Spot) -> Joint, Option<Feature>);
const KINDS: [Maker; 16] = [
    (ball, None),
    (hinge, None),
    (universal, None),
    (prismatic, Some(Feature::Slides)),
    (cylindrical, Some(Feature::Slides)),
    (planar, Some(Feature::Slides)),
    (point_on_line, Some(Feature::Slides)),
    (weld, None),
    (translational, None),
    (axial_lock, Some(Feature::Locks)),
    (distance, None),
    (rope, Some(Feature::Ropes)),
    (ligament, Some(Feature::Ropes)),
    (cable, None),
    (flexible_cable, Some(Feature::FlexibleCables)),
    (hinge, None),
];

/// Kinds that can hold a particle, which has no orientation.
const ON_PARTICLES: [Maker; 4] =
    [(ball, None), (distance, None), (rope, Some(Feature::Ropes)), (ligament, Some(Feature::Ropes))];

/// All joints: one per body to an earlier one or the ground, then loops.
pub(super) fn joints(plan: &Plan, places: &[Place]) -> Vec<Joint> {
    let n = places.len();
    let loops = plan.draw("loops", 0).below(n);
    let loops = if plan.has(Feature::Loops) { loops } else { 0 };
    (0..n + loops).filter_map(|k| joint(plan, places, k)).collect()
}

fn joint(plan: &Plan, places: &[Place], k: usize) -> Option<Joint> {
    let [i, j] = pair(plan, places, k)?;
    let kinds: &[Maker] = if i.particle || j.particle { &ON_PARTICLES } else { &KINDS };
    let (kind, needs) = kinds[plan.draw("kind", k).below(kinds.len())];
    let wanted = needs.is_none_or(|f| plan.has(f));
    let mut spot = spot(plan, k, &i, &j);
    if i.particle || j.particle {
        spot.bounds = spot.bounds.without_rotation();
    }
    (wanted && i.name != j.name).then(|| rotor(plan, k, kind(spot)))
}

/// A joint with an armature, where it has one.
fn rotor(plan: &Plan, k: usize, joint: Joint) -> Joint {
    let mut draw = plan.draw("armature", k);
    let turns_or_slides = matches!(
        joint.kind,
        Kind::Ball(_) | Kind::Hinge(_) | Kind::Universal(_) | Kind::Prismatic(_) | Kind::Cylindrical(_)
    );
    let armature = draw.log(1e-4, 1e4);
    let has = plan.has(Feature::Armatures) && turns_or_slides && draw.chance(0.25);
    Joint { armature: has.then(|| armature.into()).or(joint.armature), ..joint }
}

/// The two bodies of a joint; none where a body is left to fly.
fn pair(plan: &Plan, places: &[Place], k: usize) -> Option<[Place; 2]> {
    let (mut draw, n) = (plan.draw("pair", k), places.len());
    let is_loop = k >= n;
    let i = &places[if is_loop { draw.below(n) } else { k }];
    let to_ground = if is_loop { draw.below(n + 1) == n } else { k == 0 || draw.chance(0.15) };
    let other = if is_loop { draw.below(n) } else { draw.below(k.max(1)) };
    let free = draw.chance(0.05) && !is_loop;
    let anchor = Place { name: "ground".into(), at: neat(i.at + 0.7 * draw.direction()), particle: false };
    (!free).then(|| [i.clone(), if to_ground { anchor } else { places[other].clone() }])
}

fn spot(plan: &Plan, k: usize, i: &Place, j: &Place) -> Spot {
    let mut draw = plan.draw("joint", k);
    let part = draw.range(0.0, 1.0);
    // A particle has no extent: what holds it holds its centre.
    let part = if i.particle { 0.0 } else { part };
    let part = if j.particle { 1.0 } else { part };
    Spot {
        name: Some(format!("j{k}")),
        bodies: [i.name.clone(), j.name.clone()],
        ends: [i.at, j.at],
        point: neat(i.at + (j.at - i.at) * part),
        axis: draw.direction(),
        stiffness: draw.log(1.0, 1e9),
        slack: draw.range(1.0, 1.3),
        bounds: bounds(plan, k),
    }
}

impl Spot {
    fn apart(&self) -> f64 {
        (self.ends[1] - self.ends[0]).length()
    }

    /// The ends, which need saying only where one is on the ground.
    fn points<U>(&self) -> Option<[crate::file::quantity::Triple<U>; 2]> {
        (self.bodies[1] == "ground").then(|| self.ends.map(Into::into))
    }

    /// A joint of a kind without limits and friction.
    fn joint(&self, kind: Kind) -> Joint {
        let named = Joint::new(kind, self.bodies.clone());
        Joint { name: self.name.clone(), strength: self.bounds.strength, ..named }
    }

    fn pivot<M>(&self, motor: Option<M>) -> Pivot<M> {
        let (point, axis) = (Some(self.point.into()), Some(self.axis.into()));
        Pivot { point, axis, linear: self.bounds.linear(), angular: self.bounds.angular(), motor }
    }
}

fn ball(s: Spot) -> Joint {
    let (point, axis, linear) = (Some(s.point.into()), Some(s.axis.into()), s.bounds.linear());
    let kind = Kind::Ball(Ball { point, axis, linear, motor: None });
    Joint { limits: s.bounds.swing_limit(), ..s.joint(kind) }
}

fn turning(s: &Spot, kind: Kind) -> Joint {
    Joint { limits: s.bounds.turn_limit(), friction: s.bounds.turn_friction(), ..s.joint(kind) }
}

fn sliding(s: &Spot, kind: Kind) -> Joint {
    Joint { limits: s.bounds.slide_limit(), friction: s.bounds.slide_friction(), ..s.joint(kind) }
}

fn hinge(s: Spot) -> Joint {
    turning(&s, Kind::Hinge(s.pivot(s.bounds.turn_motor())))
}

fn planar(s: Spot) -> Joint {
    turning(&s, Kind::Planar(s.pivot(s.bounds.turn_motor())))
}

fn universal(s: Spot) -> Joint {
    Joint { limits: s.bounds.swing_limit(), ..s.joint(Kind::Universal(s.pivot(None))) }
}

fn prismatic(s: Spot) -> Joint {
    sliding(&s, Kind::Prismatic(s.pivot(s.bounds.slide_motor())))
}

fn cylindrical(s: Spot) -> Joint {
    let motor = s.bounds.slide_motor().map(|m| (None, Some(m)));
    sliding(&s, Kind::Cylindrical(s.pivot(motor)))
}

fn point_on_line(s: Spot) -> Joint {
    let (point, axis, linear) = (Some(s.point.into()), Some(s.axis.into()), s.bounds.linear());
    s.joint(Kind::PointOnLine(PointOnLine { point, axis, linear }))
}

fn weld(s: Spot) -> Joint {
    let (linear, angular) = (s.bounds.linear(), s.bounds.angular());
    s.joint(Kind::Weld(Weld { point: Some(s.point.into()), axis: None, linear, angular }))
}

fn translational(s: Spot) -> Joint {
    s.joint(Kind::Translational(Translational { axis: None, angular: s.bounds.angular() }))
}

fn axial_lock(s: Spot) -> Joint {
    s.joint(Kind::AxialLock(AxialLock { axis: Some(s.axis.into()), angular: s.bounds.angular() }))
}

fn distance(s: Spot) -> Joint {
    s.joint(Kind::Distance(Distance { points: s.points(), length: None, linear: s.bounds.linear() }))
}

fn rope(s: Spot) -> Joint {
    // Rounded up, so that none starts taut by more than it is.
    let length = Some(((s.apart() * s.slack * 1000.0).ceil() / 1000.0).into());
    s.joint(Kind::Rope(Rope { points: s.points(), length, linear: s.bounds.linear(), restitution: 0.0.into() }))
}

fn ligament(s: Spot) -> Joint {
    s.joint(Kind::Ligament(Ligament {
        points: s.points(),
        rest_length: None,
        soft_stiffness: s.stiffness.into(),
        strain: neat(Vec3::splat(s.slack - 1.0)).x.into(),
        stiffness: Some(digits(100.0 * s.stiffness, 4).into()),
        damping: 0.0.into(),
    }))
}

/// Stiffness along a cable, N/m, and the most in bending and torsion, N m/rad.
const CABLE: [f64; 2] = [1e9, 1e4];

fn cable(s: Spot) -> Joint {
    let (axial, bending) = cable_give(s.stiffness);
    let kind = Kind::Cable(Cable {
        point: Some(s.point.into()),
        axis: Some(s.axis.into()),
        material: None,
        axial: Some(axial),
        bending: Some(bending),
        torsion: Some(bending),
        clamped_end: false,
    });
    Joint { limits: s.bounds.twist_limit(), ..s.joint(kind) }
}

fn flexible_cable(s: Spot) -> Joint {
    let (axial, bending) = cable_give(s.stiffness);
    let (point, axis) = (Some(s.point.into()), Some(s.axis.into()));
    s.joint(Kind::FlexibleCable(FlexibleCable { point, axis, axial, shear: axial, bending, torsion: bending }))
}

fn cable_give(stiffness: f64) -> (LinearSoft, AngularSoft) {
    let bending = Some(stiffness.min(CABLE[1]).into());
    let axial = LinearSoft { compliance: None, stiffness: Some(CABLE[0].into()), damping: None };
    (axial, AngularSoft { compliance: None, stiffness: bending, damping: None })
}
