//! Joints of a scene file: what all of them have, and their kinds.
//!
//! In the file a joint is one object. Here its own fields are a [`Kind`] beside those that all joints have; `read` takes them apart and
//! `write` puts them together.

use super::bound::{Friction, Limit, Speed, Strength};
use super::locks::{JointAxis, Locks};
use super::motor::{Motor, SlideMotor, Springs, TurnMotor};
use super::quantity::*;
use super::rows::Rows;
use super::soft::{AngularSoft, LinearSoft};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A joint between two bodies; the first is body i of the documentation. Rows are rigid where no give is stated.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(transform = super::schema::one_object))]
pub struct Joint {
    /// Name in reports and errors, unique among the joints.
    #[serde(default)]
    pub name: Option<String>,
    /// Names of the two bodies.
    pub bodies: [String; 2],
    /// Its frames on the first and on the second body, in their own coordinates, to the last bit; instead of a point and an axis in the
    /// world. Positions are counted from where the frames coincide.
    #[serde(default)]
    pub frames: Option<[Frame; 2]>,
    /// Where U, the first of the two axes across its main axis, points, direction in the world; what of it lies along the main axis is
    /// left out. Default: chosen.
    #[serde(default)]
    pub across: Option<Triple<One>>,
    /// Limits on what is free.
    #[serde(default)]
    pub limits: Vec<Limit>,
    /// Dry friction on what is free.
    #[serde(default)]
    pub friction: Vec<Friction>,
    /// How fast what is free can go.
    #[serde(default)]
    pub speeds: Vec<Speed>,
    /// Motors on what is free.
    #[serde(default)]
    pub motors: Vec<Motor>,
    /// Springs on all that is free.
    #[serde(default)]
    pub springs: Option<Springs>,
    /// Inertia that the rates of what is free feel, and nothing else: of a rotor behind a gear. kg m^2 for turns, kg for slides. Default: none.
    #[serde(default)]
    pub armature: Option<Number<Armature>>,
    /// What it can carry before it breaks. Default: anything.
    #[serde(default)]
    pub strength: Option<Strength>,
    /// What it is in reduced coordinates. Default: auto.
    #[serde(default)]
    pub role: Role,
    /// Whole turns that it has made before the start, for what goes round: its position counts from there. Default: 0.
    #[serde(default)]
    pub turns: i32,
    /// Whether it is switched on. Default: true.
    #[serde(default = "yes")]
    pub enabled: bool,
    /// A whole number of your own. Default: 0.
    #[serde(default)]
    pub user_data: u64,
    /// What it is.
    pub kind: Kind,
}

/// Fields that all joints have.
pub(super) const COMMON: [&str; 15] = [
    "name",
    "bodies",
    "frames",
    "across",
    "limits",
    "friction",
    "speeds",
    "motors",
    "springs",
    "armature",
    "strength",
    "role",
    "turns",
    "enabled",
    "user_data",
];

pub(super) fn yes() -> bool {
    true
}

/// What a joint is in reduced coordinates.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", schemars(inline))]
pub enum Role {
    /// As the spanning forest turns out.
    #[default]
    Auto,
    /// Coordinates.
    Tree,
    /// Rows.
    Loop,
}

/// A frame in the coordinates of a body.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Frame {
    /// Its origin from the centre of mass along the body's axes, m. Default: 0.
    #[serde(default)]
    pub origin: Triple<Metre>,
    /// First axis across the main one, a direction of length 1.
    pub u: Triple<One>,
    /// Second axis across, a direction of length 1. Default: n times u.
    #[serde(default)]
    pub v: Option<Triple<One>>,
    /// Main axis, of length 1.
    pub n: Triple<One>,
}

/// What a joint is, with its own fields.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", schemars(tag = "type", inline))]
pub enum Kind {
    /// Ball and socket: the two bodies share a point.
    Ball(Ball),
    /// Universal joint: a ball that does not twist; the cross lies along the axis on the first body.
    Universal(Pivot<[Option<TurnMotor>; 2]>),
    /// Hinge: rotation about the axis.
    Hinge(Pivot<TurnMotor>),
    /// Slider: translation along the axis, no rotation.
    Prismatic(Pivot<SlideMotor>),
    /// Translation along and rotation about the axis.
    Cylindrical(Pivot<(Option<TurnMotor>, Option<SlideMotor>)>),
    /// Translation in the plane across the axis, and rotation about the axis.
    Planar(Pivot<TurnMotor>),
    /// A point of the second body slides along a line of the first; every rotation is free.
    PointOnLine(PointOnLine),
    /// No relative motion.
    Weld(Weld),
    /// No relative motion, and a sensor of force and torque.
    ForceTorque(Weld),
    /// No relative rotation; translation in all directions.
    Translational(Translational),
    /// No relative rotation about the axis.
    AxialLock(AxialLock),
    /// Each of six axes free or locked.
    SixDof(SixDof),
    /// The first body is a wheel of the second, a chassis: it spins about its axle, rises on its suspension, and may steer.
    Wheel(Wheel),
    /// A massless rod: two points stay a fixed distance apart.
    Distance(Distance),
    /// A massless rope: two points stay at most a length apart; slack, then taut.
    Rope(Rope),
    /// Two points stay between two distances.
    Range(Range),
    /// A cord that only pulls: soft above its rest length, stiff above a strain.
    Ligament(Ligament),
    /// Joint between two segments of a cable: a ball with bending and torsional stiffness.
    Cable(Cable),
    /// The cable joint of Andrews 2017, for comparison.
    FlexibleCable(FlexibleCable),
    /// Any joint, as a list of its rows.
    Rows(Rows),
}

/// What a kind needs for its place.
#[cfg(feature = "schema")]
macro_rules! placed_by {
    ($($field:literal),*) => {
        serde_json::json!([{ "required": [$($field),*] }, { "required": ["frames"] }])
    };
}

/// Structs of kinds: read and written with nothing that is not known.
macro_rules! kinds {
    ($($(#[$about:meta])* pub struct $name:ident $(<$m:ident>)? { $($fields:tt)* })*) => {$(
        #[derive(Clone, Debug, Deserialize, Serialize)]
        #[cfg_attr(feature = "schema", derive(JsonSchema))]
        #[serde(deny_unknown_fields)]
        #[cfg_attr(feature = "schema", schemars(inline))]
        $(#[$about])*
        pub struct $name $(<$m>)? { $($fields)* }
    )*};
}

kinds! {
    /// Ball and socket.
    #[cfg_attr(feature = "schema", schemars(extend("anyOf" = placed_by!("point"))))]
    pub struct Ball {
        /// Where it is, world coordinates, m.
        #[serde(default)]
        pub point: Option<Triple<Metre>>,
        /// Axis that it swings away from and twists about, in the world; any length but zero. Default: y.
        #[serde(default)]
        pub axis: Option<Triple<One>>,
        /// Give of the point.
        #[serde(default)]
        pub linear: LinearSoft,
        /// Motors on the rotations about x, y and z, null where there is none. With `axis`: about the unit vector (x, y or z) furthest from
        /// it, squared to it, about the axis, and about the cross product of the two.
        #[serde(default)]
        pub motor: Option<[Option<TurnMotor>; 3]>,
    }

    /// A joint with a point, an axis and motors on what it leaves free.
    #[cfg_attr(feature = "schema", schemars(extend("anyOf" = placed_by!("point", "axis"))))]
    pub struct Pivot<M> {
        /// Where it is, world coordinates, m.
        #[serde(default)]
        pub point: Option<Triple<Metre>>,
        /// Its axis in the world; any length but zero.
        #[serde(default)]
        pub axis: Option<Triple<One>>,
        /// Give of the locked translations.
        #[serde(default)]
        pub linear: LinearSoft,
        /// Give of the locked rotations.
        #[serde(default)]
        pub angular: AngularSoft,
        /// A motor on what is free; of a cylindrical joint a list for rotation and translation, of a universal joint one for the rotations
        /// about the axis and the other arm of the cross, with null where there is none.
        #[serde(default)]
        pub motor: Option<M>,
    }

    /// A pin in a slot.
    #[cfg_attr(feature = "schema", schemars(extend("anyOf" = placed_by!("point", "axis"))))]
    pub struct PointOnLine {
        /// The point, fixed to the second body, world coordinates, m.
        #[serde(default)]
        pub point: Option<Triple<Metre>>,
        /// Axis along the line, in the world, fixed to the first body; any length but zero.
        #[serde(default)]
        pub axis: Option<Triple<One>>,
        /// Give across the line.
        #[serde(default)]
        pub linear: LinearSoft,
    }

    /// A weld.
    #[cfg_attr(feature = "schema", schemars(extend("anyOf" = placed_by!("point"))))]
    pub struct Weld {
        /// Where it is, world coordinates, m.
        #[serde(default)]
        pub point: Option<Triple<Metre>>,
        /// Its axis N in the world; any length but zero. Default: y.
        #[serde(default)]
        pub axis: Option<Triple<One>>,
        /// Give of the point.
        #[serde(default)]
        pub linear: LinearSoft,
        /// Give of the rotations.
        #[serde(default)]
        pub angular: AngularSoft,
    }

    /// A lock of all rotations.
    pub struct Translational {
        /// Its axis N in the world; any length but zero. Default: y.
        #[serde(default)]
        pub axis: Option<Triple<One>>,
        /// Give of the rotations.
        #[serde(default)]
        pub angular: AngularSoft,
    }

    /// A lock of one rotation.
    #[cfg_attr(feature = "schema", schemars(extend("anyOf" = placed_by!("axis"))))]
    pub struct AxialLock {
        /// The locked axis in the world, fixed to the first body; any length but zero.
        #[serde(default)]
        pub axis: Option<Triple<One>>,
        /// Give of the locked rotation.
        #[serde(default)]
        pub angular: AngularSoft,
    }

    /// Six axes.
    #[cfg_attr(feature = "schema", schemars(extend("anyOf" = placed_by!("point"))))]
    pub struct SixDof {
        /// Where it is, world coordinates, m.
        #[serde(default)]
        pub point: Option<Triple<Metre>>,
        /// Its axis N in the world; any length but zero. Default: y where all three axes are treated alike.
        #[serde(default)]
        pub axis: Option<Triple<One>>,
        /// Axes U, V, N of its frame along and about which nothing moves.
        pub locked: Locks<JointAxis>,
        /// Give of the locked translations.
        #[serde(default)]
        pub linear: LinearSoft,
        /// Give of the locked rotations.
        #[serde(default)]
        pub angular: AngularSoft,
    }

    /// A wheel.
    #[cfg_attr(feature = "schema", schemars(extend("anyOf" = placed_by!("point", "axis", "axle"))))]
    pub struct Wheel {
        /// Its hub, world coordinates, m.
        #[serde(default)]
        pub point: Option<Triple<Metre>>,
        /// Axis of the suspension, up, in the world; any length but zero.
        #[serde(default)]
        pub axis: Option<Triple<One>>,
        /// Axis of the axle in the world; what of it lies along the suspension is left out.
        #[serde(default)]
        pub axle: Option<Triple<One>>,
        /// Give of the suspension along its line. Default: rigid.
        #[serde(default)]
        pub suspension: LinearSoft,
        /// Whether it can be turned about the suspension. Default: false.
        #[serde(default)]
        pub steers: bool,
    }

    /// A rod.
    pub struct Distance {
        /// Its end on the first body and its end on the second, world coordinates, m. Default: the centres of mass.
        #[serde(default)]
        pub points: Option<[Triple<Metre>; 2]>,
        /// Length, m. Default: the distance of the points at the start.
        #[serde(default)]
        pub length: Option<Number<Metre>>,
        /// Give along the rod.
        #[serde(default)]
        pub linear: LinearSoft,
    }

    /// A rope.
    pub struct Rope {
        /// Its end on the first body and its end on the second, world coordinates, m. Default: the centres of mass.
        #[serde(default)]
        pub points: Option<[Triple<Metre>; 2]>,
        /// Length when taut, m. Default: the distance of the points at the start.
        #[serde(default)]
        pub length: Option<Number<Metre>>,
        /// Give along the rope; with it, it is a spring that only pulls.
        #[serde(default)]
        pub linear: LinearSoft,
        /// Rebound speed over stretching speed when it snaps taut, 0 to 1, no unit. Default: 0.
        #[serde(default)]
        pub restitution: Number<One>,
    }

    /// A range of distances.
    pub struct Range {
        /// Its end on the first body and its end on the second, world coordinates, m. Default: the centres of mass.
        #[serde(default)]
        pub points: Option<[Triple<Metre>; 2]>,
        /// Least distance, m. Default: 0.
        #[serde(default)]
        pub shortest: Number<Metre>,
        /// Largest distance, m.
        pub longest: Number<Metre>,
        /// Give of the stops.
        #[serde(default)]
        pub linear: LinearSoft,
        /// Rebound speed over approach speed at the stops, 0 to 1, no unit. Default: 0.
        #[serde(default)]
        pub restitution: Number<One>,
    }

    /// A ligament.
    pub struct Ligament {
        /// Its end on the first body and its end on the second, world coordinates, m. Default: the centres of mass.
        #[serde(default)]
        pub points: Option<[Triple<Metre>; 2]>,
        /// Length without force, m. Default: the distance of the points at the start.
        #[serde(default)]
        pub rest_length: Option<Number<Metre>>,
        /// Stiffness from there on, N/m.
        pub soft_stiffness: Number<NewtonPerMetre>,
        /// Strain (stretch over rest length) where it becomes stiff, no unit.
        pub strain: Number<One>,
        /// Stiffness from there on, N/m, more than `soft_stiffness`. Default: a stop.
        #[serde(default)]
        pub stiffness: Option<Number<NewtonPerMetre>>,
        /// Damping of the soft part, N s/m. Default: 0.
        #[serde(default)]
        pub damping: Number<NewtonSecondPerMetre>,
    }

    /// A joint between cable segments: either `material`, or `bending` and `torsion` (and `axial`).
    #[cfg_attr(feature = "schema", schemars(extend("anyOf" = placed_by!("point", "axis"))))]
    pub struct Cable {
        /// Where it is, world coordinates, m.
        #[serde(default)]
        pub point: Option<Triple<Metre>>,
        /// Direction of the cable in the world; any length but zero.
        #[serde(default)]
        pub axis: Option<Triple<One>>,
        /// Round section and material that give all stiffnesses.
        #[serde(default)]
        pub material: Option<Material>,
        /// Give of the point: stretch and shear of a segment.
        #[serde(default)]
        pub axial: Option<LinearSoft>,
        /// Give in bending.
        #[serde(default)]
        pub bending: Option<AngularSoft>,
        /// Give in torsion.
        #[serde(default)]
        pub torsion: Option<AngularSoft>,
        /// Whether this is the clamped end of the cable: half the give in bending and torsion. Default: false.
        #[serde(default)]
        pub clamped_end: bool,
    }

    /// The cable joint of Andrews 2017.
    #[cfg_attr(feature = "schema", schemars(extend("anyOf" = placed_by!("point", "axis"))))]
    pub struct FlexibleCable {
        /// Where it is, world coordinates, m.
        #[serde(default)]
        pub point: Option<Triple<Metre>>,
        /// Direction of the cable in the world; any length but zero.
        #[serde(default)]
        pub axis: Option<Triple<One>>,
        /// Give along the cable.
        #[serde(default)]
        pub axial: LinearSoft,
        /// Give across the cable.
        #[serde(default)]
        pub shear: LinearSoft,
        /// Give in bending.
        pub bending: AngularSoft,
        /// Give in torsion.
        pub torsion: AngularSoft,
    }
}

/// A cable of round section.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Material {
    /// Length of a segment, m.
    pub length: Number<Metre>,
    /// Radius of the section, m.
    pub radius: Number<Metre>,
    /// Young's modulus, Pa.
    pub youngs_modulus: Number<Pascal>,
    /// Shear modulus, Pa.
    pub shear_modulus: Number<Pascal>,
}

impl Joint {
    /// A joint of a kind between two bodies by name, with nothing else said.
    pub fn new(kind: Kind, bodies: [String; 2]) -> Self {
        Joint {
            name: None,
            bodies,
            frames: None,
            across: None,
            limits: Vec::new(),
            friction: Vec::new(),
            speeds: Vec::new(),
            motors: Vec::new(),
            springs: None,
            armature: None,
            strength: None,
            role: Role::Auto,
            enabled: true,
            turns: 0,
            user_data: 0,
            kind,
        }
    }

    /// Its name, if it has one.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }
}
