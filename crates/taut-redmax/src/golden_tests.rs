//! Energies published with the reference implementation of RedMax (repository `sueda/redmax`, its tests by number): links of density 1,
//! h = 0.01 s, 2 s, gravity -980 along z, and H = T + V - V(0) at the end. All to 1e-7.

use super::parts::Springs;
use super::step::{Mechanism, Settings};
use crate::testing::{Charted, joint_of};
use glam::DVec3;
use std::f64::consts::PI;
use taut::inner::{exp, log, parts};
use taut::{Body, BodyId, Force, Frame, Frames, Joint, JointKind, MassProperties, Pose, Spring, World, joints::Chart};

const X: DVec3 = DVec3::X;
const Y: DVec3 = DVec3::Y;
const Z: DVec3 = DVec3::Z;

/// A body with the joint that carries it; places are those of joints, as in the reference.
struct Part {
    body: BodyId,
    parent: Option<usize>,
    /// The joint in the world, after its turn, and its axis there.
    joint: Pose,
    axis: DVec3,
}

struct Scene {
    world: World,
    parts: Vec<Part>,
    settings: Settings,
    h: f64,
    time: f64,
    gravity: DVec3,
    /// Stiffness of all joints.
    stiffness: f64,
    springs: Vec<Spring>,
    /// The reference's potential energy of a spring is k/2 (l - L)^2/L^2; else k/2 (l - L)^2.
    strain: bool,
    /// Damping that it adds explicitly with the wrong sign.
    slip: f64,
}

/// A slab of the given sides.
fn slab(sides: [f64; 3]) -> MassProperties {
    MassProperties::cuboid(1.0, 0.5 * DVec3::from_array(sides)).unwrap()
}

const LINK: [f64; 3] = [10.0, 1.0, 1.0];
const HANGING: [f64; 3] = [1.0, 1.0, 10.0];

impl Scene {
    fn new() -> Self {
        Scene {
            world: World::new(),
            parts: Vec::new(),
            settings: Settings { loop_rate: Some(5.0), ..Settings::default() },
            h: 0.01,
            time: 2.0,
            gravity: -980.0 * Z,
            stiffness: 0.0,
            springs: Vec::new(),
            strain: false,
            slip: 0.0,
        }
    }

    /// A body: joint at `at` in the joint of its parent, main axis n (u the other axis of a cross), turned and moved to `q`; body at
    /// `centre` in the joint.
    fn add(
        &mut self,
        parent: Option<usize>,
        joint: impl JointKind + 'static,
        spring: f64,
        (u, n): (DVec3, DVec3),
        (at, q): (DVec3, Pose),
        (centre, sides): (DVec3, [f64; 3]),
    ) -> usize {
        let (on, base) = match parent {
            Some(p) => (self.parts[p].body, self.parts[p].joint),
            None => (self.world.ground(), Pose::IDENTITY),
        };
        let base = base.compose(&Pose::at(at));
        let place = base.compose(&q);
        let pose = place.compose(&Pose::at(centre));
        let def = Body::dynamic(slab(sides)).at(pose.pos).rotated(pose.rot);
        let body = self.world.add(def).unwrap();
        let seen = |from: Pose, frame: &Pose| {
            let local = from.relative(frame);
            Frame { origin: local.pos, u: local.rot * u, v: local.rot * n.cross(u), n: local.rot * n }
        };
        let parent_pose = self.world.body(on).unwrap().pose();
        let frames = Frames { i: seen(pose, &place), j: seen(parent_pose, &base) };
        let joint = Joint::of(joint, body, on).frames(frames);
        self.world.add(if spring > 0.0 { joint.spring(spring, 1e3) } else { joint }).unwrap();
        self.parts.push(Part { body, parent, joint: place, axis: place.rot * n });
        self.parts.len() - 1
    }

    fn hinge(
        &mut self,
        parent: Option<usize>,
        axis: DVec3,
        at: DVec3,
        angle: f64,
        centre: DVec3,
        sides: [f64; 3],
    ) -> usize {
        let u = if axis == X { Y } else { X };
        let turned = Pose { pos: DVec3::ZERO, rot: exp(angle * axis) };
        self.add(parent, joint_of(Chart::Hinge), self.stiffness, (u, axis), (at, turned), (centre, sides))
    }

    fn weld(&mut self, parent: Option<usize>, at: DVec3, centre: DVec3, sides: [f64; 3]) -> usize {
        self.add(parent, joint_of(Chart::Fixed), 0.0, (X, Z), (at, Pose::IDENTITY), (centre, sides))
    }

    /// `n` links along x one after the other, hinged about `axis`.
    fn chain(&mut self, angles: &[f64], axis: impl Fn(usize) -> DVec3) {
        for (k, &a) in angles.iter().enumerate() {
            let at = if k == 0 { DVec3::ZERO } else { 10.0 * X };
            self.hinge(k.checked_sub(1), axis(k), at, a, 5.0 * X, LINK);
        }
    }

    /// A rate of the hinge of a body: all that hang on it turn along.
    fn spin(&mut self, k: usize, rate: f64) {
        let (axis, at) = (self.parts[k].axis, self.parts[k].joint.pos);
        for n in k..self.parts.len() {
            let mut up = Some(n);
            while up.is_some_and(|u| u > k) {
                up = self.parts[up.unwrap()].parent;
            }
            if up == Some(k) {
                let b = self.world.body(self.parts[n].body).unwrap();
                let w = rate * axis;
                let v = b.velocity() + w.cross(b.pose().pos - at);
                self.world.set_velocity(self.parts[n].body, v, b.angular_velocity() + w).unwrap();
            }
        }
    }

    /// Closes a loop: two points, in the coordinates of the bodies, stay together. Out of the plane nothing moves: that row is void.
    fn pin(&mut self, a: usize, b: usize, on_a: DVec3, on_b: DVec3) {
        let frame = |origin| Frame { origin, u: X, v: Y, n: Z };
        let frames = Frames { i: frame(on_a), j: frame(on_b) };
        let (i, j) = (self.parts[a].body, self.parts[b].body);
        self.world.add(Joint::of(joint_of(Chart::Ball), i, j).frames(frames)).unwrap();
    }

    fn spring(
        &mut self,
        (a, on_a): (usize, DVec3),
        (b, on_b): (usize, DVec3),
        stiffness: f64,
        damping: f64,
        rest: f64,
    ) {
        let (i, j) = (self.parts[a].body, self.parts[b].body);
        let s = Spring { i, j, point_i: on_a, point_j: on_b, stiffness, damping, rest_length: rest };
        self.world.add(Force::Spring(s)).unwrap();
        self.springs.push(s);
    }

    /// The ends of a spring and their velocities.
    fn ends(&self, s: &Spring) -> [(DVec3, DVec3); 2] {
        [(s.i, s.point_i), (s.j, s.point_j)].map(|(b, p)| {
            let b = self.world.body(b).unwrap();
            let arm = b.pose().rot * p;
            (b.pose().pos + arm, b.velocity() + b.angular_velocity().cross(arm))
        })
    }

    fn energy(&self) -> (f64, f64) {
        let (mut kinetic, mut potential) = (0.0, 0.0);
        for p in &self.parts {
            let b = self.world.body(p.body).unwrap();
            let w = b.pose().rot.inverse() * b.angular_velocity();
            kinetic += 0.5 * (b.mass() * b.velocity().length_squared() + w.dot(b.inertia() * w));
            potential -= b.mass() * self.gravity.dot(b.pose().pos);
            let parent =
                p.parent.map_or(glam::DQuat::IDENTITY, |k| self.world.body(self.parts[k].body).unwrap().rotation());
            potential += 0.5 * self.stiffness * log(b.pose().rot * parent.inverse()).length_squared();
        }
        for s in &self.springs {
            let [a, b] = self.ends(s);
            let stretch = (b.0 - a.0).length() - s.rest_length;
            let rest = if self.strain { s.rest_length } else { 1.0 };
            potential += 0.5 * s.stiffness * stretch * stretch / rest;
        }
        (kinetic, potential)
    }

    /// Runs the scene and returns H.
    fn run(&mut self) -> f64 {
        let mut m = Mechanism::new(parts(&mut self.world).0, |_| true, self.settings).unwrap();
        let start = self.energy().1;
        for _ in 0..(self.time / self.h).round() as usize {
            for s in self.springs.clone().iter().filter(|_| self.slip > 0.0) {
                let [a, b] = self.ends(s);
                let n = (b.0 - a.0).normalize();
                let pull = self.slip * n.dot(b.1 - a.1) * n;
                self.world.apply_force(s.i, -pull, a.0).unwrap();
                self.world.apply_force(s.j, pull, b.0).unwrap();
            }
            let (model, mut state) = parts(&mut self.world);
            m.step(model, &mut state, self.gravity, self.h).unwrap();
            model.bodies.iter_mut().for_each(|(_, b)| b.load = Default::default());
        }
        let (t, v) = self.energy();
        t + v - start
    }

    #[track_caller]
    fn check(&mut self, published: f64) {
        let found = self.run();
        let off = (found - published).abs() / published.abs();
        println!("H = {found:.10}, published {published:.10}, off by {off:.1e}");
        assert!(off < 1e-7, "H = {found}, published {published}: off by {off:e}");
    }
}

#[test]
fn scene_minus_1_two_links() {
    let mut s = Scene::new();
    s.chain(&[PI / 2.0, PI / 4.0], |_| Y);
    s.check(-3697.4545694454);
}

#[test]
fn scene_0_hinges_and_welds() {
    let mut s = Scene::new();
    for k in 0..5_usize {
        let at = if k == 0 { DVec3::ZERO } else { 10.0 * X };
        match k % 2 {
            0 => s.hinge(k.checked_sub(1), Y, at, PI / 4.0, 5.0 * X, LINK),
            _ => s.weld(Some(k - 1), at, 5.0 * X, LINK),
        };
    }
    s.check(-5930.8171118834);
}

#[test]
fn scene_1_different_axes() {
    let mut s = Scene::new();
    s.chain(&[0.0, PI / 2.0, PI / 2.0], |k| if k == 1 { Y } else { Z });
    s.check(-9423.2594023734);
}

#[test]
fn scene_2_branches() {
    let mut s = Scene::new();
    let a = s.hinge(None, X, 15.0 * Z, 0.0, -5.0 * Z, HANGING);
    let b = s.hinge(Some(a), Z, -10.0 * Z, 0.0, DVec3::ZERO, [1.0, 20.0, 1.0]);
    s.hinge(Some(b), X, -10.0 * Y, PI / 4.0, -5.0 * Z, HANGING);
    s.hinge(Some(b), Y, 10.0 * Y, PI / 4.0, -5.0 * Z, HANGING);
    s.check(-1123.9825362491);
}

#[test]
fn scene_4_loop() {
    let mut s = Scene::new();
    let bar = [20.0, 1.0, 1.0];
    let base = s.weld(None, DVec3::ZERO, DVec3::ZERO, bar);
    let left = s.hinge(Some(base), Y, -10.0 * X, 0.0, -5.0 * Z, HANGING);
    let right = s.hinge(Some(base), Y, 10.0 * X, 0.0, -5.0 * Z, HANGING);
    let low = s.hinge(Some(left), Y, -10.0 * Z, 0.0, 10.0 * X, bar);
    let tail = s.hinge(Some(low), Y, 10.0 * X, 0.0, -5.0 * Z, HANGING);
    s.pin(right, low, -5.0 * Z, 10.0 * X);
    s.spin(tail, 5.0);
    s.check(3987.2011847696);
}

#[test]
fn scene_11_joint_springs() {
    let mut s = Scene::new();
    (s.h, s.time, s.gravity, s.stiffness) = (0.02, 5.0, DVec3::ZERO, 1e4);
    s.chain(&[0.0; 3], |_| Y);
    s.spin(0, 1.0);
    s.check(2659.7218894234);
}

#[test]
fn scene_14_universal_joints() {
    let mut s = Scene::new();
    for k in 0..3_usize {
        let (at, a) = (if k == 0 { DVec3::ZERO } else { -10.0 * Z }, PI / 8.0);
        let rot = if k % 2 == 0 { exp(a * X) } else { exp(a * Y) };
        let q = Pose { pos: DVec3::ZERO, rot };
        s.add(k.checked_sub(1), joint_of(Chart::Universal), 0.0, (X, Y), (at, q), (-5.0 * Z, HANGING));
    }
    s.check(9679.3365423127);
}

#[test]
fn scene_15_slider_in_a_loop() {
    let mut s = Scene::new();
    let bar = [22.0, 1.0, 1.0];
    let base = s.weld(None, DVec3::ZERO, DVec3::ZERO, bar);
    let a = s.hinge(Some(base), Y, -11.0 * X, 0.0, -5.0 * Z, HANGING);
    let slider = joint_of(Chart::Prismatic);
    let b = s.add(Some(a), slider, 0.0, (Y, X), (-10.0 * Z, Pose::IDENTITY), (11.0 * X, bar));
    let c = s.hinge(Some(b), Y, 22.0 * X, 0.0, 5.0 * Z, HANGING);
    s.hinge(Some(b), Y, 11.0 * X, 0.75 * PI, -5.0 * Z, HANGING);
    s.pin(c, base, 5.0 * Z, 11.0 * X);
    s.check(-17427.8561972516);
}

#[test]
fn scene_16_plane() {
    let mut s = Scene::new();
    let plate = s.add(
        None,
        Charted(Chart::Plane),
        0.0,
        (X, Z),
        (DVec3::ZERO, Pose::IDENTITY),
        (DVec3::ZERO, [10.0, 10.0, 1.0]),
    );
    s.hinge(Some(plate), Y, -5.0 * X, PI / 2.0, -5.0 * Z, HANGING);
    s.hinge(Some(plate), X, -5.0 * Y, PI / 4.0, -5.0 * Z, HANGING);
    s.check(1027.3404900101);
}

#[test]
fn scene_23_springs_without_length() {
    let mut s = Scene::new();
    (s.settings.springs, s.settings.turning) = (Springs::Clamped, true);
    s.chain(&[PI / 2.0, PI / 16.0, PI / 16.0, PI / 16.0], |_| Y);
    for k in 1..4 {
        s.spring((k - 1, -X), (k, 5.0 * X), 100.0, 0.0, 0.0);
    }
    s.check(2125.1442936080);
}

/// The reference adds the damper's force explicitly with the wrong sign, so that it cancels the implicit one.
#[test]
fn scene_24_spring_and_damper() {
    let mut s = Scene::new();
    let base = s.weld(None, DVec3::ZERO, 5.0 * X, LINK);
    let a = s.hinge(Some(base), Y, 10.0 * X, PI / 2.0, 5.0 * X, LINK);
    s.hinge(Some(a), Y, 10.0 * X, -PI / 2.0, 5.0 * X, LINK);
    let (on_base, on_a) = (DVec3::new(-2.0, 0.0, -0.5), DVec3::new(1.0, 0.5, -0.5));
    let ends = [(base, on_base), (a, on_a)].map(|(k, p)| s.world.body(s.parts[k].body).unwrap().pose().to_world(p));
    let rest = (ends[1] - ends[0]).length();
    s.spring((base, on_base), (a, on_a), 1e6 / rest, 1e3 / rest, rest);
    (s.strain, s.slip) = (true, 1e3 / rest);
    s.check(-18398.2926338097);
}
