//! Contact points of two parts that move: at the present pose when they are slow, at the pose of impact when they are fast.
//!
//! ```text
//! A slow pair (it comes nearer by less than half its thinner extent in the step) touches where it is nearest now. A fast one is
//! advanced to the first impact at t; its contact has the normal and lever arms r found there and the distance that a row
//! J v + d / h >= 0 with these lever arms needs to hold at t:
//!     d = d(t) - t n.(u_a - u_b),     u = v + w x r
//! ```
//!
//! What touches first may throw a fast body around so that it turns through the other within the step, which no row at that point
//! can see. The ball inside the body must not pass either: its contact, almost without a lever arm, is added for fast pairs.

use super::bounds::Bounds;
use super::convex::Convex;
use super::geometry::{Part, Solid, convex_bounds};
use super::manifold::{Placed, Scratch, Touch, height, plane_touches, separation, touches};
use super::reduce::reduce;
use super::terrain::{Element, Terrain};
use super::travel::{Course, Travel};
use crate::math::pose::Pose;
use crate::tuning::T;
use glam::DVec3;

/// Feature of a contact of the ball inside.
const INSIDE: u64 = 3 << 30;

/// A part of a moving body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side<'a> {
    pub part: &'a Part,
    /// Pose of the part in the body.
    pub local: Pose,
    pub travel: &'a Travel,
    /// Number of the part.
    pub index: u32,
}

/// Where a part is when a step begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stance {
    /// Pose of the part in the body.
    pub local: Pose,
    /// Pose of the part in the world.
    pub start: Pose,
    /// How far its core reaches from the centre of the body, m.
    arm: f64,
}

impl Stance {
    /// Of no part.
    pub const NONE: Stance = Stance { local: Pose::IDENTITY, start: Pose::IDENTITY, arm: 0.0 };

    pub fn new(part: &Part, local: Pose, body: &Pose) -> Self {
        Stance { local, start: body.compose(&local), arm: part.arm(&local) }
    }
}

/// A part of a moving body, and where it is when the step begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stand<'a> {
    pub side: Side<'a>,
    pub stance: Stance,
}

/// Work memory of the narrow phase.
#[derive(Clone, Debug)]
pub(crate) struct Narrow {
    scratch: Scratch,
    triangle: Convex,
    elements: Vec<u32>,
}

impl Default for Narrow {
    fn default() -> Self {
        Narrow { scratch: Scratch::default(), triangle: Convex::triangle(), elements: Vec::new() }
    }
}

impl<'a> Side<'a> {
    fn pose(&self, t: f64) -> Pose {
        self.travel.at(t).compose(&self.local)
    }

    fn placed(&self, solid: &'a Convex, t: f64) -> Placed<'a> {
        Placed { solid, pose: self.pose(t) }
    }
}

impl<'a> Stand<'a> {
    pub fn new(side: Side<'a>) -> Self {
        Stand { side, stance: Stance::new(side.part, side.local, &side.travel.start) }
    }

    fn pose(&self, t: f64) -> Pose {
        if t == 0.0 { self.stance.start } else { self.side.pose(t) }
    }

    fn placed(&self, solid: &'a Convex, t: f64) -> Placed<'a> {
        Placed { solid, pose: self.pose(t) }
    }
}

impl Narrow {
    /// Contact points of two parts that matter in a step of length `h`, added to `out` in the order of their features.
    pub fn touches(&mut self, a: &Stand<'_>, b: &Stand<'_>, h: f64, out: &mut Vec<Touch>) {
        let first = out.len();
        let Solid::Convex(solid) = &a.side.part.solid else {
            // Two surfaces belong to bodies that nothing moves.
            if matches!(b.side.part.solid, Solid::Convex(_)) {
                self.touches(b, a, h, out);
                out[first..].iter_mut().for_each(flip);
                out[first..].sort_unstable_by(Touch::order);
            }
            return;
        };
        let m = Meeting::new(a, b, solid, h);
        let indices = (a.side.index, b.side.index);
        if let Solid::Convex(other) = &b.side.part.solid
            && m.out_of_reach(other)
        {
            return;
        }
        self.against(&m, &b.side.part.solid, out);
        number(&mut out[first..], indices);
        reduce(out, first);
        let outer = out.len();
        self.inside(&m, out);
        number(&mut out[outer..], indices);
        reduce(out, outer);
        if let (Solid::Convex(other), true) = (&b.side.part.solid, b.side.travel.moves()) {
            let rest = out.len();
            self.inside(&Meeting { a: b, b: a, solid: other, ..m }, out);
            out[rest..].iter_mut().for_each(flip);
            number(&mut out[rest..], indices);
        }
        // Those before are in order.
        if out.len() > outer {
            out[first..].sort_unstable_by(Touch::order);
        }
    }

    /// Contacts of a convex part with any other.
    fn against(&mut self, m: &Meeting<'_>, other: &Solid, out: &mut Vec<Touch>) {
        match other {
            Solid::Convex(c) => m.convex(c, None, &mut self.scratch, out),
            Solid::Plane(n) => m.plane(*n, &mut self.scratch, out),
            Solid::Terrain(t) => self.terrain(m, t, out),
        }
    }

    /// Contacts of the ball inside a fast part.
    fn inside(&mut self, m: &Meeting<'_>, out: &mut Vec<Touch>) {
        let (center, radius) = m.solid.inside;
        if m.solid.arm == 0.0 || radius == 0.0 || m.approach <= m.solid.thickness {
            return;
        }
        let side = &m.a.side;
        let part = Part { pose: side.part.pose, solid: Solid::Convex(m.solid.inner_ball()) };
        let a = Stand::new(Side { part: &part, local: side.local.compose(&Pose::at(center)), ..*side });
        let Solid::Convex(solid) = &part.solid else { return };
        let ball = Meeting::new(&a, m.b, solid, m.h);
        if matches!(&m.b.side.part.solid, Solid::Convex(other) if ball.out_of_reach(other)) {
            return;
        }
        let first = out.len();
        self.against(&ball, &m.b.side.part.solid, out);
        for t in &mut out[first..] {
            t.features[0] |= INSIDE;
        }
    }

    fn terrain(&mut self, m: &Meeting<'_>, terrain: &Terrain, out: &mut Vec<Touch>) {
        let start = m.b.pose(0.0);
        let course = m.course();
        let turn = m.h * (course.a.omega.length() * course.arms.0 + course.b.omega.length() * course.arms.1);
        let way = start.rot.inverse() * ((course.a.vel - course.b.vel) * m.h);
        let around = convex_bounds(m.solid, &start.relative(&m.a.pose(0.0)));
        terrain.elements(
            &around.swept(way).grown(turn + T.contact.margin * m.solid.thickness + m.thrown),
            &mut self.elements,
        );
        for &id in &self.elements {
            let element = terrain.element(id);
            self.triangle.set_triangle(element.corners);
            let first = out.len();
            m.convex(&self.triangle, Some(&element), &mut self.scratch, out);
            for t in &mut out[first..] {
                t.features[1] |= u64::from(id) << 32;
            }
        }
    }

    /// Whether two parts overlap at the present pose.
    pub fn overlap(&mut self, a: &Side<'_>, b: &Side<'_>) -> bool {
        match (&a.part.solid, &b.part.solid) {
            (Solid::Convex(x), Solid::Convex(y)) => meet(&a.placed(x, 0.0), &b.placed(y, 0.0)),
            (Solid::Convex(x), Solid::Plane(n)) => {
                let pose = b.pose(0.0);
                height(&a.placed(x, 0.0), pose.pos, pose.rot * *n) <= 0.0
            }
            (Solid::Convex(x), Solid::Terrain(t)) => {
                let (pose, placed) = (b.pose(0.0), a.placed(x, 0.0));
                t.elements(&convex_bounds(x, &pose.relative(&placed.pose)), &mut self.elements);
                self.elements.iter().any(|&id| {
                    self.triangle.set_triangle(t.element(id).corners);
                    meet(&placed, &Placed { solid: &self.triangle, pose })
                })
            }
            (Solid::Plane(_) | Solid::Terrain(_), Solid::Convex(_)) => self.overlap(b, a),
            _ => false,
        }
    }

    /// The first time within `h` when two parts touch: time, normal from b to a, point on b.
    pub fn cast(&mut self, a: &Side<'_>, b: &Side<'_>, h: f64) -> Option<Hit> {
        match (&a.part.solid, &b.part.solid) {
            (Solid::Convex(x), Solid::Convex(y)) => Meeting::new(&Stand::new(*a), &Stand::new(*b), x, h).first(y),
            (Solid::Convex(x), Solid::Plane(n)) => {
                let stands = (Stand::new(*a), Stand::new(*b));
                let m = Meeting::new(&stands.0, &stands.1, x, h);
                let (near, normal) = (T.contact.cast * x.thickness, b.pose(0.0).rot * *n);
                let gap = |t: f64| Some((normal, height(&a.placed(x, t), b.pose(t).pos, normal)));
                let t = m.course().impact(h, near, gap)?;
                let d = height(&a.placed(x, t), b.pose(t).pos, normal);
                let low = a.pose(t).to_world(x.support(a.pose(t).rot.inverse() * -normal)) - normal * (x.skin + d);
                Some(m.hit(t, normal, d, low))
            }
            (Solid::Convex(x), Solid::Terrain(terrain)) => {
                let stands = (Stand::new(*a), Stand::new(*b));
                let m = Meeting::new(&stands.0, &stands.1, x, h);
                let pose = b.pose(0.0);
                let way = pose.rot.inverse() * ((a.travel.vel - b.travel.vel) * h);
                let around = convex_bounds(x, &pose.relative(&a.pose(0.0))).swept(way);
                terrain.elements(&around, &mut self.elements);
                let mut best: Option<Hit> = None;
                for &id in &self.elements {
                    self.triangle.set_triangle(terrain.element(id).corners);
                    let hit = m.first(&self.triangle);
                    best = [best, hit].into_iter().flatten().reduce(|p, q| if q.time < p.time { q } else { p });
                }
                best
            }
            _ => None,
        }
    }
}

/// Where a moving part first touches another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hit {
    pub time: f64,
    /// From b to a.
    pub normal: DVec3,
    /// On b.
    pub point: DVec3,
}

pub(crate) fn flip(t: &mut Touch) {
    (t.point_a, t.point_b) = (t.point_b, t.point_a);
    t.normal = -t.normal;
    t.features.swap(0, 1);
}

/// Puts the numbers of the parts before the features.
fn number(touches: &mut [Touch], (a, b): (u32, u32)) {
    for t in touches {
        t.features[0] |= u64::from(a) << 32;
        t.features[1] |= u64::from(b) << 32;
    }
}

fn meet(a: &Placed<'_>, b: &Placed<'_>) -> bool {
    separation(a, b, 0.0).is_some_and(|(_, d, _)| d <= 0.0)
}

/// A convex part and another on their ways.
struct Meeting<'a> {
    a: &'a Stand<'a>,
    b: &'a Stand<'a>,
    solid: &'a Convex,
    h: f64,
    /// How far the two can come nearer in the step, m,
    approach: f64,
    /// and how far joints may throw them, m.
    thrown: f64,
}

impl<'a> Meeting<'a> {
    fn new(a: &'a Stand<'a>, b: &'a Stand<'a>, solid: &'a Convex, h: f64) -> Self {
        let mut m = Meeting { a, b, solid, h, approach: 0.0, thrown: 0.0 };
        (m.approach, m.thrown) = (m.course().approach(h), m.course().thrown(h));
        m
    }

    fn course(&self) -> Course<'_> {
        Course { a: self.a.side.travel, b: self.b.side.travel, arms: (self.a.stance.arm, self.b.stance.arm) }
    }

    /// Whether the balls around the two are so far apart that nothing below can find a contact: a slow pair is looked at as far as
    /// `reach`, and a fast one cannot impact when it is farther apart than it moves.
    fn out_of_reach(&self, other: &Convex) -> bool {
        let reach = T.contact.margin * self.thickness(other) + self.thrown + T.contact.ahead * self.approach;
        let balls = self.solid.arm + self.solid.skin + other.arm + other.skin;
        // A little more, for rounding.
        let clear = (1.0 + T.contact.rounding) * (reach + balls);
        self.a.stance.start.pos.distance_squared(self.b.stance.start.pos) > clear * clear
    }

    /// Half the extent of the thinner of the two; a triangle has none.
    fn thickness(&self, other: &Convex) -> f64 {
        if other.thickness > 0.0 { self.solid.thickness.min(other.thickness) } else { self.solid.thickness }
    }

    fn convex(&self, other: &Convex, side: Option<&Element>, scratch: &mut Scratch, out: &mut Vec<Touch>) {
        let (course, thickness) = (self.course(), self.thickness(other));
        let (mut approach, thrown) = (self.approach, self.thrown);
        let placed = |t: f64| (self.a.placed(self.solid, t), Placed { solid: other, pose: self.b.pose(t) });
        let mut t = 0.0;
        if approach > thickness {
            let gap = |t: f64| {
                let (a, b) = placed(t);
                separation(&a, &b, f64::INFINITY).map(|(n, d, _)| (n, d))
            };
            match course.impact(self.h, T.contact.impact * thickness, gap) {
                Some(impact) => t = impact,
                None if thrown == 0.0 => return,
                None => approach = 0.0,
            }
        }
        let (a, b) = placed(t);
        let margin = T.contact.margin * thickness + thrown;
        let first = out.len();
        touches(&a, &b, side, margin + T.contact.ahead * approach * (1.0 - t / self.h), scratch, out);
        self.settle(t, margin, first, out);
    }

    fn plane(&self, normal: DVec3, scratch: &mut Scratch, out: &mut Vec<Touch>) {
        let course = self.course();
        let (mut approach, thrown) = (self.approach, self.thrown);
        let thickness = self.solid.thickness;
        let mut t = 0.0;
        if approach > thickness {
            let gap = |t: f64| {
                let pose = self.b.pose(t);
                let n = pose.rot * normal;
                Some((n, height(&self.a.placed(self.solid, t), pose.pos, n)))
            };
            match course.impact(self.h, T.contact.impact * thickness, gap) {
                Some(impact) => t = impact,
                None if thrown == 0.0 => return,
                None => approach = 0.0,
            }
        }
        let (pose, margin, first) = (self.b.pose(t), T.contact.margin * thickness + thrown, out.len());
        let limit = margin + T.contact.ahead * approach * (1.0 - t / self.h);
        plane_touches(&self.a.placed(self.solid, t), pose.pos, pose.rot * normal, limit, scratch, out);
        self.settle(t, margin, first, out);
    }

    /// Brings touches found at the time `t` back to the present, and drops those that cannot matter.
    fn settle(&self, t: f64, margin: f64, first: usize, out: &mut Vec<Touch>) {
        let (a, b) = (self.a.side.travel, self.b.side.travel);
        let (arm_a, arm_b) = (self.a.stance.arm, self.b.stance.arm);
        let curve = 0.5 * self.h * self.h * (a.omega.length_squared() * arm_a + b.omega.length_squared() * arm_b);
        let (mut keep, mut reach) = (false, 0.0_f64);
        let (pa, pb) = (a.at(t).pos, b.at(t).pos);
        for touch in &mut out[first..] {
            let (ra, rb) = (touch.point_a - pa, touch.point_b - pb);
            let speed = touch.normal.dot(a.vel + a.omega.cross(ra) - b.vel - b.omega.cross(rb));
            if t > 0.0 {
                touch.distance -= t * speed;
                (touch.point_a, touch.point_b) = (a.start.pos + ra, b.start.pos + rb);
                slide(touch, a, b);
            }
            touch.next = touch.distance + self.h * speed.min(0.0);
            let may = margin + curve + T.contact.ahead * self.h * (-speed).max(0.0);
            keep |= touch.distance <= may;
            reach = reach.max(may);
        }
        let mut k = 0;
        out.retain(|touch| {
            k += 1;
            k <= first || (keep && touch.distance <= reach)
        });
    }

    /// The first impact with a convex solid.
    fn first(&self, other: &Convex) -> Option<Hit> {
        let placed = |t: f64| (self.a.placed(self.solid, t), Placed { solid: other, pose: self.b.pose(t) });
        let apart = |t: f64| {
            let (a, b) = placed(t);
            separation(&a, &b, f64::INFINITY)
        };
        let near = T.contact.cast * self.thickness(other);
        let t = self.course().impact(self.h, near, |t| apart(t).map(|(n, d, _)| (n, d)))?;
        let (normal, d, s) = apart(t)?;
        let (a, _) = placed(t);
        let deep =
            || -normal * (self.solid.skin + d) + a.pose.to_world(a.solid.support(a.pose.rot.inverse() * -normal));
        let point = s.witness.map_or_else(deep, |(_, q)| a.pose.to_world(q) + normal * other.skin);
        Some(self.hit(t, normal, d, point))
    }

    /// A hit with the last bit of the way added.
    fn hit(&self, t: f64, normal: DVec3, d: f64, point: DVec3) -> Hit {
        let speed = -normal.dot(self.a.side.travel.vel - self.b.side.travel.vel);
        let rest = if speed > 0.0 && d > 0.0 { d / speed } else { 0.0 };
        Hit { time: (t + rest).min(self.h), normal, point }
    }
}

/// Moves the points along the normal until they are the touch's distance apart. The lever arm about a row's normal does not
/// change by that. A body at rest gives way.
fn slide(touch: &mut Touch, a: &Travel, b: &Travel) {
    let excess = touch.distance - touch.normal.dot(touch.point_a - touch.point_b);
    let share = match (a.moves(), b.moves()) {
        (_, false) => 0.0,
        (false, true) => 1.0,
        _ => 0.5,
    };
    touch.point_a += touch.normal * (share * excess);
    touch.point_b -= touch.normal * ((1.0 - share) * excess);
}

/// The box that a collider's bounds sweep in a step, with the margin that its contacts need.
pub(crate) fn swept(bounds: Bounds, travel: &Travel, arm: f64, thickness: f64, h: f64) -> Bounds {
    // No point moves farther from its place than across the circle it turns on.
    let turn = (travel.omega.length() * h).min(2.0) * arm;
    let thickness = if thickness.is_finite() { thickness } else { 0.0 };
    bounds.swept(travel.vel * h).grown(turn + T.contact.margin * thickness + travel.jerk * h)
}
