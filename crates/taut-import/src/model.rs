//! What URDF and MJCF have in common: a tree of links with joints, solids and meshes. Lengths in m, angles in rad, poses relative to the
//! parent, where the joints are at their reference.

use crate::report::Place;
use std::rc::Rc;
use taut::{MassProperties, Pose, Vec3};

/// A robot, or a whole world of them.
#[derive(Clone, Debug)]
pub struct Model {
    pub name: Option<String>,
    /// m/s^2.
    pub gravity: Vec3,
    /// Time step, s, where the file has one.
    pub dt: Option<f64>,
    /// Whether anything touches.
    pub contacts: bool,
    /// Whether links of the model touch each other, and not only the rest of the world.
    pub own_contacts: bool,
    /// Whether meshes of what stands still are surfaces of triangles, and not hulls.
    pub triangles: bool,
    /// Whether moments that no body has are replaced by their mean.
    pub balance: bool,
    /// The first is the world; parents come before their children.
    pub links: Vec<Link>,
    /// Pairs of links that pass through each other, or meet although they share a joint.
    pub meetings: Vec<(usize, usize, bool)>,
    /// Pairs of geoms by name, with a coefficient of friction.
    pub pairs: Vec<([String; 2], Option<f64>, Place)>,
    pub motors: Vec<Motor>,
    pub ties: Vec<Tie>,
    pub cords: Vec<Cord>,
}

/// A body.
#[derive(Clone, Debug)]
pub struct Link {
    pub name: String,
    /// Number of the parent; the world is its own.
    pub parent: usize,
    pub pose: Pose,
    pub joints: Vec<Joint>,
    /// About the link's origin along its axes; none where nothing has a mass.
    pub mass: Option<MassProperties>,
    pub geoms: Vec<Geom>,
    /// Whether it is moved from outside.
    pub kinematic: bool,
    /// Share of gravity that it feels.
    pub gravity_scale: f64,
    pub place: Place,
}

/// What moves a link against its parent.
#[derive(Clone, Debug)]
pub struct Joint {
    pub name: String,
    pub kind: JointKind,
    /// In the link's frame.
    pub point: Vec3,
    /// In the link's frame, of length 1.
    pub axis: Vec3,
    /// rad or m as the file counts.
    pub range: Option<[f64; 2]>,
    /// What the joint is at in the pose of the file, rad or m as the file counts.
    pub reference: f64,
    /// What it starts at, rad or m as the file counts.
    pub start: f64,
    pub stiffness: f64,
    pub damping: f64,
    /// Where its spring is at rest, as the file counts.
    pub spring_at: f64,
    /// Dry friction, N or N m.
    pub friction: f64,
    /// Inertia of what turns with the joint, a motor behind its gear: kg m^2 or kg.
    pub armature: f64,
    pub place: Place,
}

impl Joint {
    /// A joint at the origin of its link, with nothing else said.
    pub fn new(name: &str, kind: JointKind, place: &Place) -> Self {
        Joint {
            name: name.into(),
            kind,
            point: Vec3::ZERO,
            axis: Vec3::Z,
            range: None,
            reference: 0.0,
            start: 0.0,
            stiffness: 0.0,
            damping: 0.0,
            spring_at: 0.0,
            friction: 0.0,
            armature: 0.0,
            place: place.clone(),
        }
    }
}

/// How a joint moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointKind {
    Free,
    Ball,
    Hinge,
    Slide,
    /// Translations across the axis and rotation about it.
    Planar,
}

/// A solid of a link.
#[derive(Clone, Debug)]
pub struct Geom {
    pub name: String,
    pub shape: Shape,
    /// In the link's frame.
    pub pose: Pose,
    /// Whom it touches: two meet where one of their `types` is among the `affine` of the other.
    pub types: u32,
    pub affine: u32,
    /// Coefficient of friction.
    pub friction: f64,
    pub place: Place,
}

/// Shapes along z.
#[derive(Clone, Debug)]
pub enum Shape {
    Plane,
    Sphere {
        radius: f64,
    },
    /// `half` is that of the cylindrical part.
    Capsule {
        radius: f64,
        half: f64,
    },
    Cylinder {
        radius: f64,
        half: f64,
    },
    Ellipsoid {
        semi: Vec3,
    },
    Box {
        half: Vec3,
    },
    Mesh(Rc<Mesh>),
    /// A surface over x and y, of what does not move.
    Heights(Rc<Heights>),
}

/// Heights over a rectangle around the origin.
#[derive(Clone, Debug)]
pub struct Heights {
    /// Rows along x, from 0 to 1; the first is the farthest along y.
    pub rows: Vec<Vec<f64>>,
    /// Half widths along x and y, m.
    pub half: [f64; 2],
    /// The unit of the heights, m.
    pub top: f64,
}

/// Triangles.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    pub vertices: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
}

/// A motor on the freedom of a hinge or slide.
#[derive(Clone, Debug)]
pub struct Motor {
    pub name: Option<String>,
    pub joint: String,
    /// N m/rad or N/m; a motor without stiffness and damping waits for a command.
    pub stiffness: f64,
    pub damping: f64,
    /// Where it pulls to, as the file counts.
    pub target: f64,
    /// Least and most force, N or N m.
    pub force: Option<[f64; 2]>,
    pub place: Place,
}

/// What ties links or joints beyond the tree.
#[derive(Clone, Debug)]
pub struct Tie {
    pub name: Option<String>,
    pub kind: TieKind,
    pub active: bool,
    pub place: Place,
}

#[derive(Clone, Debug)]
pub enum TieKind {
    /// Two links share a point, given in the frame of the first.
    Connect { links: [usize; 2], point: Vec3 },
    /// Two links keep their relative pose.
    Weld { links: [usize; 2] },
    /// The follower moves `ratio` times as far as the leader; positions from the reference. `offset` as the file counts.
    Mimic { leader: String, follower: String, ratio: f64, offset: f64 },
    /// A sum of joints stays, or is pulled to `rest` by a spring.
    Sum { terms: Vec<(String, f64)>, rest: Option<f64>, stiffness: f64, damping: f64 },
    /// A sum of joints stays within a range, as the file counts.
    Range { terms: Vec<(String, f64)>, range: [f64; 2] },
    /// A joint stays where it is.
    Lock { joint: String },
}

/// A piece of a cord, whose length counts over a divisor.
#[derive(Clone, Debug)]
pub struct Branch {
    pub divisor: f64,
    pub stops: Vec<Stop>,
}

/// What a cord passes.
#[derive(Clone, Debug)]
pub enum Stop {
    /// A link and a point in its frame.
    Point((usize, Vec3)),
    /// A ball or cylinder between two points, round which it is led where it would go through it.
    Round(Round),
}

/// A ball or cylinder of a link, in its frame.
#[derive(Clone, Debug)]
pub struct Round {
    pub name: String,
    pub link: usize,
    pub centre: Vec3,
    /// Of a cylinder.
    pub axis: Option<Vec3>,
    pub radius: f64,
    /// A point of a link on the side where the cord goes.
    pub side: Option<(usize, Vec3)>,
    pub place: Place,
}

/// A cord through points of links.
#[derive(Clone, Debug)]
pub struct Cord {
    pub name: String,
    /// Its pieces; its length is the sum of theirs.
    pub branches: Vec<Branch>,
    /// Longest, m.
    pub longest: Option<f64>,
    /// Shortest, m.
    pub shortest: Option<f64>,
    /// N/m, N s/m.
    pub stiffness: f64,
    pub damping: f64,
    /// Where its spring is at rest, m; below the first it does not push, above the second it pulls.
    pub rest: Option<[f64; 2]>,
    pub place: Place,
}

impl Model {
    /// The world without anything.
    pub fn empty(place: &Place) -> Self {
        let world = Link {
            name: "world".into(),
            parent: 0,
            pose: Pose::IDENTITY,
            joints: Vec::new(),
            mass: None,
            geoms: Vec::new(),
            kinematic: false,
            gravity_scale: 1.0,
            place: place.clone(),
        };
        Model {
            name: None,
            gravity: Vec3::new(0.0, 0.0, -9.81),
            dt: None,
            contacts: true,
            own_contacts: true,
            triangles: false,
            balance: false,
            links: vec![world],
            meetings: Vec::new(),
            pairs: Vec::new(),
            motors: Vec::new(),
            ties: Vec::new(),
            cords: Vec::new(),
        }
    }
}

/// The turn that brings the axis y, along which shapes of the engine stand, to z.
pub const UPRIGHT: [f64; 4] = [std::f64::consts::FRAC_1_SQRT_2, 0.0, 0.0, std::f64::consts::FRAC_1_SQRT_2];
