//! Joints: a tree over the bodies, rooted in the ground, and loops over it.

use super::bounds::{Bounds, bounds};
use super::{Place, Plan};
use crate::file::{
    AngularSoft, AxialLock, Ball, Cable, Distance, FlexibleCable, Joint, Ligament, LinearSoft, Pivot, PointOnLine,
    Rope, Translational, Weld,
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
type Kind = (fn(Spot) -> Joint, Option<Feature>);
const KINDS: [Kind; 16] = [
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
const ON_PARTICLES: [Kind; 4] =
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
    let kinds: &[Kind] = if i.particle || j.particle { &ON_PARTICLES } else { &KINDS };
    let (kind, needs) = kinds[plan.draw("kind", k).below(kinds.len())];
    let wanted = needs.is_none_or(|f| plan.has(f));
    let mut spot = spot(plan, k, &i, &j);
    if i.particle || j.particle {
        spot.bounds = spot.bounds.without_rotation();
    }
    (wanted && i.name != j.name).then(|| kind(spot))
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

    /// A pivot without motor, limits and friction.
    fn pivot<M>(self) -> (Pivot<M>, Bounds) {
        let b = self.bounds;
        let pivot = Pivot {
            name: self.name,
            bodies: self.bodies,
            point: self.point.into(),
            axis: self.axis.into(),
            linear: b.linear(),
            angular: b.angular(),
            motor: None,
            limits: Vec::new(),
            friction: Vec::new(),
            strength: b.strength,
        };
        (pivot, b)
    }
}

fn ball(s: Spot) -> Joint {
    Joint::Ball(Ball {
        name: s.name,
        bodies: s.bodies,
        point: s.point.into(),
        axis: Some(s.axis.into()),
        linear: s.bounds.linear(),
        motor: None,
        limits: s.bounds.swing_limit(),
        friction: Vec::new(),
        strength: s.bounds.strength,
    })
}

fn hinge(s: Spot) -> Joint {
    let (p, b) = s.pivot();
    Joint::Hinge(Pivot { motor: b.turn_motor(), limits: b.turn_limit(), friction: b.turn_friction(), ..p })
}

fn planar(s: Spot) -> Joint {
    let (p, b) = s.pivot();
    Joint::Planar(Pivot { motor: b.turn_motor(), limits: b.turn_limit(), friction: b.turn_friction(), ..p })
}

fn universal(s: Spot) -> Joint {
    let (p, b) = s.pivot();
    Joint::Universal(Pivot { limits: b.swing_limit(), ..p })
}

fn prismatic(s: Spot) -> Joint {
    let (p, b) = s.pivot();
    Joint::Prismatic(Pivot { motor: b.slide_motor(), limits: b.slide_limit(), friction: b.slide_friction(), ..p })
}

fn cylindrical(s: Spot) -> Joint {
    let (p, b) = s.pivot();
    let motor = b.slide_motor().map(|m| (None, Some(m)));
    Joint::Cylindrical(Pivot { motor, limits: b.slide_limit(), friction: b.slide_friction(), ..p })
}

fn point_on_line(s: Spot) -> Joint {
    Joint::PointOnLine(PointOnLine {
        name: s.name,
        bodies: s.bodies,
        point: s.point.into(),
        axis: s.axis.into(),
        linear: s.bounds.linear(),
        strength: s.bounds.strength,
    })
}

fn weld(s: Spot) -> Joint {
    Joint::Weld(Weld {
        name: s.name,
        bodies: s.bodies,
        point: s.point.into(),
        linear: s.bounds.linear(),
        angular: s.bounds.angular(),
        strength: s.bounds.strength,
    })
}

fn translational(s: Spot) -> Joint {
    let (angular, strength) = (s.bounds.angular(), s.bounds.strength);
    Joint::Translational(Translational { name: s.name, bodies: s.bodies, angular, strength })
}

fn axial_lock(s: Spot) -> Joint {
    let (angular, strength) = (s.bounds.angular(), s.bounds.strength);
    Joint::AxialLock(AxialLock { name: s.name, bodies: s.bodies, axis: s.axis.into(), angular, strength })
}

fn distance(s: Spot) -> Joint {
    Joint::Distance(Distance {
        points: s.points(),
        name: s.name,
        bodies: s.bodies,
        length: None,
        linear: s.bounds.linear(),
        limits: Vec::new(),
        friction: Vec::new(),
        strength: s.bounds.strength,
    })
}

fn rope(s: Spot) -> Joint {
    Joint::Rope(Rope {
        points: s.points(),
        // Rounded up, so that none starts taut by more than it is.
        length: Some(((s.apart() * s.slack * 1000.0).ceil() / 1000.0).into()),
        name: s.name,
        bodies: s.bodies,
        linear: s.bounds.linear(),
        restitution: 0.0.into(),
        limits: Vec::new(),
        friction: Vec::new(),
        strength: s.bounds.strength,
    })
}

fn ligament(s: Spot) -> Joint {
    Joint::Ligament(Ligament {
        points: s.points(),
        name: s.name,
        bodies: s.bodies,
        rest_length: None,
        soft_stiffness: s.stiffness.into(),
        strain: neat(Vec3::splat(s.slack - 1.0)).x.into(),
        stiffness: Some(digits(100.0 * s.stiffness, 4).into()),
        damping: 0.0.into(),
        limits: Vec::new(),
        friction: Vec::new(),
        strength: s.bounds.strength,
    })
}

/// Stiffness along a cable, N/m, and the most in bending and torsion, N m/rad.
const CABLE: [f64; 2] = [1e9, 1e4];

fn cable(s: Spot) -> Joint {
    let (axial, bending) = cable_give(s.stiffness);
    Joint::Cable(Cable {
        name: s.name,
        bodies: s.bodies,
        point: s.point.into(),
        axis: s.axis.into(),
        material: None,
        axial: Some(axial),
        bending: Some(bending),
        torsion: Some(bending),
        clamped_end: false,
        limits: s.bounds.twist_limit(),
        friction: Vec::new(),
        strength: s.bounds.strength,
    })
}

fn flexible_cable(s: Spot) -> Joint {
    let (axial, bending) = cable_give(s.stiffness);
    Joint::FlexibleCable(FlexibleCable {
        name: s.name,
        bodies: s.bodies,
        point: s.point.into(),
        axis: s.axis.into(),
        axial,
        shear: axial,
        bending,
        torsion: bending,
        limits: Vec::new(),
        friction: Vec::new(),
        strength: s.bounds.strength,
    })
}

fn cable_give(stiffness: f64) -> (LinearSoft, AngularSoft) {
    let bending = Some(stiffness.min(CABLE[1]).into());
    let axial = LinearSoft { compliance: None, stiffness: Some(CABLE[0].into()), damping: None };
    (axial, AngularSoft { compliance: None, stiffness: bending, damping: None })
}
