//! Random trees of every kind of joint, with kinematics of their own: what the engine's are compared with.

use super::Rng;
use taut::{
    Axis, Ball, Body, BodyId, Cylindrical, Frame, Frames, Hinge, Joint, JointId, JointKind, Planar, Pose, Prismatic,
    Quat, Softness, Universal, Vec3, Weld, World, control::Dynamics, joints::Chart, joints::RowBuilder,
    joints::Translational,
};

/// Joints with charts that no joint of the library has.
#[derive(Debug)]
struct Own(Chart);

impl JointKind for Own {
    fn name(&self) -> &'static str {
        "own"
    }
    fn rows(&self, r: &mut RowBuilder) {
        if self.0 == Chart::Spherical {
            return r.point(Softness::RIGID);
        }
        Translational::default().rows(r);
        r.dot2(Axis::N, Softness::RIGID);
    }
    fn chart(&self) -> Option<Chart> {
        Some(self.0)
    }
}

/// Every chart a joint can have.
pub const KINDS: [Chart; 10] = [
    Chart::Fixed,
    Chart::Hinge,
    Chart::Prismatic,
    Chart::Cylindrical,
    Chart::Planar,
    Chart::Plane,
    Chart::Translational,
    Chart::Universal,
    Chart::Ball,
    Chart::Spherical,
];

fn joint_of(chart: Chart) -> Box<dyn JointKind> {
    match chart {
        Chart::Fixed => Box::new(Weld::default()),
        Chart::Hinge => Box::new(Hinge::default()),
        Chart::Prismatic => Box::new(Prismatic::default()),
        Chart::Cylindrical => Box::new(Cylindrical::default()),
        Chart::Planar => Box::new(Planar::default()),
        Chart::Translational => Box::new(Translational::default()),
        Chart::Universal => Box::new(Universal::default()),
        Chart::Ball => Box::new(Ball::default()),
        other => Box::new(Own(other)),
    }
}

/// A joint's coordinates: slides along x, y, z of the base, and how the tip is turned in it.
#[derive(Clone, Copy, Debug)]
pub struct Coordinates {
    pub chart: Chart,
    slide: Vec3,
    turn: Quat,
    /// Angles of a universal joint, rotation vector of a spherical one.
    angles: Vec3,
}

/// Which axis a freedom slides along (0 to 2) or turns about (3 to 5).
fn axes(chart: Chart) -> &'static [usize] {
    match chart {
        Chart::Hinge => &[5],
        Chart::Prismatic => &[2],
        Chart::Cylindrical => &[2, 5],
        Chart::Planar => &[0, 1, 5],
        Chart::Plane => &[0, 1],
        Chart::Translational => &[0, 1, 2],
        Chart::Universal => &[3, 5],
        Chart::Ball | Chart::Spherical => &[3, 4, 5],
        Chart::Free => &[0, 1, 2, 3, 4, 5],
        _ => &[],
    }
}

fn rotation(v: Vec3) -> Quat {
    if v == Vec3::ZERO { Quat::IDENTITY } else { Quat::from_scaled_axis(v) }
}

impl Coordinates {
    pub fn zero(chart: Chart) -> Self {
        Coordinates { chart, slide: Vec3::ZERO, turn: Quat::IDENTITY, angles: Vec3::ZERO }
    }

    /// After `t` seconds at these rates.
    pub fn moved(mut self, rates: &[f64], t: f64) -> Self {
        let mut w = Vec3::ZERO;
        for (&axis, &rate) in axes(self.chart).iter().zip(rates) {
            if axis < 3 {
                self.slide[axis] += t * rate;
            } else {
                w[axis - 3] = t * rate;
            }
        }
        match self.chart {
            Chart::Universal | Chart::Spherical => self.angles += w,
            _ => self.turn = rotation(w) * self.turn,
        }
        self
    }

    /// The tip in the base.
    pub fn pose(&self) -> Pose {
        let rot = match self.chart {
            Chart::Universal => Quat::from_rotation_x(self.angles.x) * Quat::from_rotation_z(self.angles.z),
            Chart::Spherical => rotation(self.angles),
            _ => self.turn,
        };
        Pose { pos: self.slide, rot }
    }
}

/// What a body hangs on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum On {
    Nothing,
    Ground,
    /// The body that the user moves.
    Driven,
    Body(usize),
}

#[derive(Clone, Debug)]
pub struct Part {
    pub id: BodyId,
    pub joint: Option<JointId>,
    pub on: On,
    /// The body is body i of its joint.
    pub is_tip: bool,
    pub frames: Frames,
    pub q: Coordinates,
}

/// A random tree.
pub struct Linkage {
    pub world: World,
    pub parts: Vec<Part>,
    /// A kinematic body and its velocity, angular velocity.
    pub driven: (BodyId, Pose, Vec3, Vec3),
}

fn frame_pose(f: &Frame) -> Pose {
    let m = taut::Mat3::from_cols(f.u, f.v, f.n);
    Pose { pos: f.origin, rot: Quat::from_mat3(&m).normalize() }
}

fn inverse(p: &Pose) -> Pose {
    p.relative(&Pose::IDENTITY)
}

impl Linkage {
    /// `n` bodies on joints of all kinds, some roots free, some on the ground, some on a body that moves.
    /// `with_particles`: some of the bodies are particles.
    pub fn new(seed: u64, n: usize, with_particles: bool) -> Self {
        let mut r = Rng(seed);
        let mut world = World::new();
        let at = r.pose();
        let driven = world.add(Body::kinematic().at(at.pos).rotated(at.rot)).unwrap();
        let mut out = Linkage { world, parts: Vec::new(), driven: (driven, at, Vec3::ZERO, Vec3::ZERO) };
        while out.parts.len() < n {
            let k = out.parts.len();
            let on = match r.below(8) {
                0 => On::Nothing,
                1 => On::Ground,
                2 => On::Driven,
                _ if k == 0 => On::Ground,
                _ => On::Body(r.below(k)),
            };
            let particle = with_particles && r.below(4) == 0;
            let under_particle = matches!(on, On::Body(p) if out.is_particle(p));
            let chart = match on {
                On::Nothing if particle => Chart::Translational,
                On::Nothing => Chart::Free,
                _ if particle => Chart::Fixed,
                _ if under_particle => Chart::Ball,
                _ => KINDS[r.below(KINDS.len())],
            };
            out.add(&mut r, on, chart, particle);
        }
        out
    }

    fn is_particle(&self, part: usize) -> bool {
        self.world.body(self.parts[part].id).unwrap().motion() == taut::Motion::Particle
    }

    /// Adds a body in a random place of its joint.
    pub fn add(&mut self, r: &mut Rng, on: On, chart: Chart, particle: bool) {
        let mut frames = r.joint_frames();
        let is_tip = r.below(2) == 0;
        let (child, parent) = if is_tip { (&mut frames.i, &mut frames.j) } else { (&mut frames.j, &mut frames.i) };
        if particle {
            child.origin = Vec3::ZERO;
        }
        if matches!(on, On::Body(p) if self.is_particle(p)) {
            parent.origin = Vec3::ZERO;
        }
        let rates: Vec<f64> = (0..6).map(|_| r.range(-1.0, 1.0)).collect();
        let q = Coordinates::zero(chart).moved(&rates, 1.2);
        let part = Part { id: self.driven.0, joint: None, on, is_tip, frames, q };
        let pose = place(&part, &self.base(on, &self.poses(&self.coordinates())));
        let def = if particle { Body::particle(r.range(0.5, 3.0)) } else { Body::dynamic(r.mass()) };
        let rot = if particle { Quat::IDENTITY } else { pose.rot };
        let id = self.world.add(def.at(pose.pos).rotated(rot).named(format!("b{}", self.parts.len()))).unwrap();
        let joint = self.parent(on).map(|other| {
            let (i, j) = if is_tip { (id, other) } else { (other, id) };
            // A point is all that a particle can be held by.
            let kind = if particle { joint_of(Chart::Ball) } else { joint_of(chart) };
            self.world.add(Joint::of(kind, i, j).frames(frames)).unwrap()
        });
        self.parts.push(Part { id, joint, ..part });
    }

    fn parent(&self, on: On) -> Option<BodyId> {
        match on {
            On::Nothing => None,
            On::Ground => Some(self.world.ground()),
            On::Driven => Some(self.driven.0),
            On::Body(k) => Some(self.parts[k].id),
        }
    }

    fn base(&self, on: On, poses: &[Pose]) -> Pose {
        match on {
            On::Nothing | On::Ground => Pose::IDENTITY,
            On::Driven => self.driven.1,
            On::Body(k) => poses[k],
        }
    }

    pub fn coordinates(&self) -> Vec<Coordinates> {
        self.parts.iter().map(|p| p.q).collect()
    }

    /// Poses of all bodies at some coordinates, the driven body where it is.
    pub fn poses(&self, q: &[Coordinates]) -> Vec<Pose> {
        let mut out = Vec::new();
        for (p, q) in self.parts.iter().zip(q) {
            let pose = place(&Part { q: *q, ..p.clone() }, &self.base(p.on, &out));
            out.push(pose);
        }
        out
    }

    /// Coordinates after `t` seconds at the rates of all freedoms.
    pub fn moved(&self, dynamics: &Dynamics, rates: &[f64], t: f64) -> Vec<Coordinates> {
        let own = |p: &Part| dynamics.find_body(p.id).map_or(&[][..], |range| &rates[range]);
        self.parts.iter().map(|p| p.q.moved(own(p), t)).collect()
    }

    /// Puts all bodies to some coordinates.
    pub fn set(&mut self, q: &[Coordinates]) {
        let poses = self.poses(q);
        for (k, pose) in poses.iter().enumerate() {
            let rot = if self.is_particle(k) { Quat::IDENTITY } else { pose.rot };
            self.world.set_pose(self.parts[k].id, Pose { pos: pose.pos, rot }).unwrap();
            self.parts[k].q = q[k];
        }
    }

    /// Moves everything at these rates, and the driven body at a velocity of its own.
    pub fn push_off(&mut self, rates: &[f64], velocity: Vec3, angular: Vec3) {
        let d = self.world.dynamics().unwrap();
        let (root, at) = (self.driven.0, self.driven.1.pos);
        self.world.set_velocity(root, velocity, angular).unwrap();
        (self.driven.2, self.driven.3) = (velocity, angular);
        for k in 0..self.parts.len() {
            let id = self.parts[k].id;
            let p = self.world.body(id).unwrap().position();
            let v = d.jacobian(id, p).unwrap().times(rates);
            let (mut lin, mut ang) = (Vec3::new(v[0], v[1], v[2]), Vec3::new(v[3], v[4], v[5]));
            if self.root(k) == On::Driven {
                lin += velocity + angular.cross(p - at);
                ang += angular;
            }
            let ang = if self.is_particle(k) { Vec3::ZERO } else { ang };
            self.world.set_velocity(id, lin, ang).unwrap();
        }
    }

    /// What the tree of a body hangs on.
    pub fn root(&self, mut k: usize) -> On {
        while let On::Body(p) = self.parts[k].on {
            k = p;
        }
        self.parts[k].on
    }
}

/// The pose of a body whose parent has a pose.
fn place(p: &Part, base: &Pose) -> Pose {
    if p.on == On::Nothing {
        return p.q.pose();
    }
    let (i, j) = (frame_pose(&p.frames.i), frame_pose(&p.frames.j));
    let rel = p.q.pose();
    // The base of the joint is its frame on body j.
    if p.is_tip {
        base.compose(&j).compose(&rel).compose(&inverse(&i))
    } else {
        base.compose(&i).compose(&inverse(&rel)).compose(&inverse(&j))
    }
}

pub fn random(r: &mut Rng, n: usize, size: f64) -> Vec<f64> {
    (0..n).map(|_| r.range(-size, size)).collect()
}

/// A random tree in motion, with its dynamics and rates.
pub fn moving(seed: u64, with_particles: bool) -> (Linkage, Dynamics, Vec<f64>) {
    let mut l = Linkage::new(seed, 9, with_particles);
    let mut r = Rng(seed + 1000);
    let n = l.world.dynamics().unwrap().dofs().len();
    let rates = random(&mut r, n, 1.0);
    l.push_off(&rates, r.vec(1.0), r.vec(1.0));
    let d = l.world.dynamics().unwrap();
    (l, d, rates)
}
