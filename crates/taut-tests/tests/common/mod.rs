//! Helpers of the test files: a small generator, bodies, frames and mechanisms.
#![allow(dead_code, reason = "each test file uses its own part")]

pub mod agree;
pub mod gears;

pub mod touch;

pub mod linkage;

pub mod meshes;

pub mod mixed;

pub mod parts;

#[path = "../../../taut-solve/tests/common/mod.rs"]
mod rng;

pub use rng::Rng;

use taut::{
    Ball, Body, BodyId, Frame, Frames, Hinge, Joint, JointId, MassProperties, Options, Pose, Quat, Vec3, World,
};

impl Rng {
    pub fn pose(&mut self) -> Pose {
        Pose { pos: self.vec(1.0), rot: self.quat() }
    }

    /// A frame with random origin and axes.
    pub fn frame(&mut self) -> Frame {
        let q = self.quat();
        Frame { origin: self.vec(0.7), u: q * Vec3::X, v: q * Vec3::Y, n: q * Vec3::Z }
    }

    pub fn joint_frames(&mut self) -> Frames {
        Frames { i: self.frame(), j: self.frame() }
    }

    /// Mass properties of a random box.
    pub fn mass(&mut self) -> MassProperties {
        let half = Vec3::new(self.range(0.1, 0.5), self.range(0.1, 0.5), self.range(0.1, 0.5));
        MassProperties::cuboid(self.range(10.0, 200.0), half).unwrap()
    }

    /// A random box at a random pose with a random velocity.
    pub fn body(&mut self) -> Body {
        let pose = self.pose();
        Body::dynamic(self.mass()).at(pose.pos).rotated(pose.rot).moving(self.vec(1.0), self.vec(2.0))
    }
}

/// Frames that put the same world frame (origin, u, v, n) on bodies at two poses.
pub fn shared_frames(i: &Pose, j: &Pose, world: &Frame) -> Frames {
    let local = |p: &Pose| {
        let q = p.rot.inverse();
        Frame { origin: p.to_local(world.origin), u: q * world.u, v: q * world.v, n: q * world.n }
    };
    Frames { i: local(i), j: local(j) }
}

/// A round rod along x.
pub fn rod(mass: f64, length: f64, radius: f64) -> MassProperties {
    let across = mass * (radius * radius / 4.0 + length * length / 12.0);
    MassProperties::from_diagonal(mass, Vec3::new(mass * radius * radius / 2.0, across, across)).unwrap()
}

/// A ball of the given mass and radius.
pub fn ball(mass: f64, radius: f64) -> MassProperties {
    MassProperties::from_diagonal(mass, Vec3::splat(0.4 * mass * radius * radius)).unwrap()
}

/// A world with the given settings.
pub fn world(options: Options) -> World {
    let mut w = World::new();
    w.set_options(options).unwrap();
    w
}

/// Settings without gravity.
pub fn weightless() -> Options {
    Options { gravity: Vec3::ZERO, ..Options::default() }
}

/// A chain of 1 m, 1 kg rods from the ground in the direction `along`, with a ball of mass `load` at the end.
pub fn chain(
    w: &mut World,
    links: usize,
    along: Vec3,
    load: f64,
    between: impl Fn(BodyId, BodyId) -> Joint,
) -> (Vec<BodyId>, Vec<JointId>) {
    let turn = Quat::from_rotation_arc(Vec3::X, along);
    let (mut bodies, mut joints) = (Vec::new(), Vec::new());
    let mut last = w.ground();
    for k in 0..links {
        let at = along * (k as f64 + 0.5);
        let b = w.add(Body::dynamic(rod(1.0, 1.0, 0.05)).at(at).rotated(turn)).unwrap();
        joints.push(w.add(between(b, last).at(along * k as f64).axis(Vec3::Z)).unwrap());
        bodies.push(b);
        last = b;
    }
    if load > 0.0 {
        let end = links as f64;
        let b = w.add(Body::dynamic(ball(load, 0.3)).at(along * (end + 0.3))).unwrap();
        joints.push(w.add(between(b, last).at(along * end).axis(Vec3::Z)).unwrap());
        bodies.push(b);
    }
    (bodies, joints)
}

/// Crank, coupler and rocker on hinges about z, ground pivots at the origin and at (1.2, 0, 0).
pub struct FourBar {
    pub crank: BodyId,
    pub coupler: BodyId,
    pub rocker: BodyId,
    pub joints: [JointId; 4],
}

pub const FOUR_BAR: [f64; 4] = [1.2, 0.5, 1.1, 0.8];

/// Where the crank and the rocker end for a crank angle.
pub fn four_bar_points(angle: f64) -> (Vec3, Vec3) {
    let [ground, crank, coupler, rocker] = FOUR_BAR;
    let a = crank * Vec3::new(angle.cos(), angle.sin(), 0.0);
    let pivot = Vec3::new(ground, 0.0, 0.0);
    // The circles of coupler and rocker meet above the line from a to the pivot.
    let d = pivot - a;
    let l = d.length();
    let along = (coupler * coupler - rocker * rocker + l * l) / (2.0 * l);
    let up = (coupler * coupler - along * along).sqrt();
    let e = d / l;
    (a, a + along * e + up * Vec3::new(-e.y, e.x, 0.0))
}

pub fn four_bar(w: &mut World, angle: f64) -> FourBar {
    let pivot = Vec3::new(FOUR_BAR[0], 0.0, 0.0);
    let (a, b) = four_bar_points(angle);
    let mut bar = |from: Vec3, to: Vec3| {
        let turn = Quat::from_rotation_z((to - from).y.atan2((to - from).x));
        let props = rod((to - from).length(), (to - from).length(), 0.05);
        w.add(Body::dynamic(props).at(0.5 * (from + to)).rotated(turn)).unwrap()
    };
    let (crank, coupler, rocker) = (bar(Vec3::ZERO, a), bar(a, b), bar(pivot, b));
    let ground = w.ground();
    let joints = [(crank, ground, Vec3::ZERO), (coupler, crank, a), (rocker, ground, pivot), (coupler, rocker, b)]
        .map(|(i, j, at)| w.add(Hinge::between(i, j).at(at).axis(Vec3::Z)).unwrap());
    FourBar { crank, coupler, rocker, joints }
}

/// A pendulum of `links` 1 m rods on ball joints, horizontal at the start.
pub fn pendulum(options: Options, links: usize) -> (World, Vec<BodyId>) {
    let mut w = world(options);
    let (bodies, _) = chain(&mut w, links, Vec3::X, 0.0, Ball::between);
    (w, bodies)
}

/// Largest difference of positions (m) and of axes between the bodies of two worlds.
pub fn distance(a: &World, b: &World, pairs: impl Iterator<Item = (BodyId, BodyId)>) -> f64 {
    pairs.fold(0.0, |worst, (x, y)| worst.max(pose_distance(&a.pose(x).unwrap(), &b.pose(y).unwrap())))
}

pub fn pose_distance(p: &Pose, q: &Pose) -> f64 {
    let axes = [Vec3::X, Vec3::Y, Vec3::Z].map(|e| (p.rot * e - q.rot * e).length());
    axes.into_iter().fold((p.pos - q.pos).length(), f64::max)
}

/// |a - b| against `tolerance` times the larger of the two and `floor`.
pub fn assert_close(a: f64, b: f64, tolerance: f64, floor: f64, what: &str) {
    let scale = a.abs().max(b.abs()).max(floor);
    assert!((a - b).abs() <= tolerance * scale, "{what}: {a:e} against {b:e}, off by {:e}", (a - b).abs() / scale);
}

/// A random tree of boxes, each joined to an earlier one or to the ground by a random joint.
pub struct Plan {
    pub bodies: Vec<Body>,
    /// Body that carries body k: 0 is the ground, n is body n - 1.
    pub parent: Vec<usize>,
    /// Frame of the joint to the parent, in the world.
    pub frame: Vec<Frame>,
    /// Position in the catalogue.
    pub joint: Vec<usize>,
}

impl Plan {
    /// `n` bodies, the last one `heavy` times as heavy as it would be.
    pub fn tree(seed: u64, n: usize, heavy: f64) -> Self {
        // Ball, universal, hinge, prismatic, cylindrical, planar, weld and cable joints.
        const JOINTS: [usize; 8] = [0, 1, 2, 3, 4, 5, 6, 9];
        let mut r = Rng(seed);
        let mut plan = Plan { bodies: Vec::new(), parent: Vec::new(), frame: Vec::new(), joint: Vec::new() };
        for k in 0..n {
            let parent = if k == 0 { 0 } else { 1 + r.below(k) };
            let from = if parent == 0 { Vec3::ZERO } else { plan.bodies[parent - 1].pose.pos };
            let (d, props) = (r.unit(), r.mass());
            let props = if k + 1 == n { props.with_mass(props.mass * heavy).unwrap() } else { props };
            let def = Body::dynamic(props).at(from + d).rotated(r.quat());
            plan.bodies.push(def.moving(r.vec(0.5), r.vec(0.5)));
            plan.parent.push(parent);
            plan.frame.push(Frame { origin: from + 0.5 * d, ..r.frame() });
            plan.joint.push(JOINTS[r.below(JOINTS.len())]);
        }
        plan
    }

    /// Adds it to a world: as it is in `place`, bodies and joints in the given order. Returns the bodies of the plan.
    pub fn build(&self, w: &mut World, place: &Pose, order: impl Iterator<Item = usize> + Clone) -> Vec<BodyId> {
        let mut ids = vec![w.ground(); self.bodies.len() + 1];
        for k in order.clone() {
            let mut def = self.bodies[k].clone();
            def.pose = Pose { pos: place.to_world(def.pose.pos), rot: place.rot * def.pose.rot };
            def.velocity = place.rot * def.velocity;
            def.angular_velocity = place.rot * def.angular_velocity;
            ids[k + 1] = w.add(def).unwrap();
        }
        for k in order {
            let (i, j) = (ids[k + 1], ids[self.parent[k]]);
            let (f, q) = (&self.frame[k], place.rot);
            let frame = Frame { origin: place.to_world(f.origin), u: q * f.u, v: q * f.v, n: q * f.n };
            let frames = shared_frames(&w.pose(i).unwrap(), &w.pose(j).unwrap(), &frame);
            w.add(Joint::of(taut::joints::catalogue().swap_remove(self.joint[k]), i, j).frames(frames)).unwrap();
        }
        ids.split_off(1)
    }
}
