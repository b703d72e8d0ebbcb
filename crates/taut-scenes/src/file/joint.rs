//! Joints of a scene file.

use super::bound::{Friction, Limit, Strength};
use super::motor::{SlideMotor, TurnMotor};
use super::quantity::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A joint between two bodies; the first is body i of the documentation. Rows are rigid where no give is stated.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
#[schemars(tag = "type")]
pub enum Joint {
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
    /// No relative rotation; translation in all directions.
    Translational(Translational),
    /// No relative rotation about the axis.
    AxialLock(AxialLock),
    /// A massless rod: two points stay a fixed distance apart.
    Distance(Distance),
    /// A massless rope: two points stay at most a length apart; slack, then taut.
    Rope(Rope),
    /// A cord that only pulls: soft above its rest length, stiff above a strain.
    Ligament(Ligament),
    /// Joint between two segments of a cable: a ball with bending and torsional stiffness.
    Cable(Cable),
    /// The cable joint of Andrews 2017, for comparison.
    FlexibleCable(FlexibleCable),
}

/// A joint with what all joints have: `name` and `bodies` first, `strength` last, and what is bounded before it. Written out by a
/// macro, since flattened structs lose the place of a mistake and cannot refuse fields they do not know.
macro_rules! joint {
    ($(#[$about:meta])* bounded $name:ident $(<$m:ident>)? { $($own:tt)* }) => {
        joint! {
            $(#[$about])* fields $name $(<$m>)? {
                $($own)*
                /// Limits on what is free.
                #[serde(default)]
                pub limits: Vec<Limit>,
                /// Dry friction on what is free.
                #[serde(default)]
                pub friction: Vec<Friction>,
            }
        }
        joint! { head $name $(<$m>)?, |j| (&j.limits, &j.friction) }
    };
    ($(#[$about:meta])* fixed $name:ident { $($own:tt)* }) => {
        joint! { $(#[$about])* fields $name { $($own)* } }
        joint! { head $name, |_j| (&[], &[]) }
    };
    ($(#[$about:meta])* fields $name:ident $(<$m:ident>)? { $($own:tt)* }) => {
        $(#[$about])*
        #[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
        #[serde(deny_unknown_fields)]
        #[schemars(inline)]
        pub struct $name $(<$m>)? {
            /// Name in reports and errors, unique among the joints.
            #[serde(default)]
            pub name: Option<String>,
            /// Names of the two bodies.
            pub bodies: [String; 2],
            $($own)*
            /// What it can carry before it breaks. Default: anything.
            #[serde(default)]
            pub strength: Option<Strength>,
        }
    };
    (head $name:ident $(<$m:ident>)?, |$j:ident| ($limits:expr, $friction:expr)) => {
        impl $(<$m>)? $name $(<$m>)? {
            fn head(&self) -> Head<'_> {
                let $j = self;
                let (limits, friction): (&[Limit], &[Friction]) = ($limits, $friction);
                Head { name: &self.name, bodies: &self.bodies, limits, friction, strength: self.strength }
            }
        }
    };
}

joint! {
    /// Ball and socket.
    bounded Ball {
        /// Where it is, world coordinates, m.
        pub point: Triple<Metre>,
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
}

joint! {
    /// A joint with a point, an axis and motors on what it leaves free.
    bounded Pivot<M> {
        /// Where it is, world coordinates, m.
        pub point: Triple<Metre>,
        /// Its axis in the world; any length but zero.
        pub axis: Triple<One>,
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
}

joint! {
    /// A pin in a slot.
    fixed PointOnLine {
        /// The point, fixed to the second body, world coordinates, m.
        pub point: Triple<Metre>,
        /// Axis along the line, in the world, fixed to the first body; any length but zero.
        pub axis: Triple<One>,
        /// Give across the line.
        #[serde(default)]
        pub linear: LinearSoft,
    }
}

joint! {
    /// A weld.
    fixed Weld {
        /// Where it is, world coordinates, m.
        pub point: Triple<Metre>,
        /// Give of the point.
        #[serde(default)]
        pub linear: LinearSoft,
        /// Give of the rotations.
        #[serde(default)]
        pub angular: AngularSoft,
    }
}

joint! {
    /// A lock of all rotations.
    fixed Translational {
        /// Give of the rotations.
        #[serde(default)]
        pub angular: AngularSoft,
    }
}

joint! {
    /// A lock of one rotation.
    fixed AxialLock {
        /// The locked axis in the world, fixed to the first body; any length but zero.
        pub axis: Triple<One>,
        /// Give of the locked rotation.
        #[serde(default)]
        pub angular: AngularSoft,
    }
}

joint! {
    /// A rod.
    bounded Distance {
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
}

joint! {
    /// A rope.
    bounded Rope {
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
}

joint! {
    /// A ligament.
    bounded Ligament {
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
}

joint! {
    /// A joint between cable segments: either `material`, or `bending` and `torsion` (and `axial`).
    bounded Cable {
        /// Where it is, world coordinates, m.
        pub point: Triple<Metre>,
        /// Direction of the cable in the world; any length but zero.
        pub axis: Triple<One>,
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
}

/// A cable of round section.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, Serialize)]
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

joint! {
    /// The cable joint of Andrews 2017.
    bounded FlexibleCable {
        /// Where it is, world coordinates, m.
        pub point: Triple<Metre>,
        /// Direction of the cable in the world; any length but zero.
        pub axis: Triple<One>,
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

/// Give of translations: a compliance or a stiffness, and damping with it. Empty: rigid.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct LinearSoft {
    /// Compliance, m/N; 0 is rigid.
    #[serde(default)]
    pub compliance: Option<Number<MetrePerNewton>>,
    /// Stiffness, N/m; instead of the compliance. 0, with damping, is a damper.
    #[serde(default)]
    pub stiffness: Option<Number<NewtonPerMetre>>,
    /// Damping, N s/m. Default: 0.
    #[serde(default)]
    pub damping: Option<Number<NewtonSecondPerMetre>>,
}

/// Give of rotations: a compliance or a stiffness, and damping with it. Empty: rigid.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct AngularSoft {
    /// Compliance, rad/(N m); 0 is rigid.
    #[serde(default)]
    pub compliance: Option<Number<RadianPerNewtonMetre>>,
    /// Stiffness, N m/rad; instead of the compliance. 0, with damping, is a damper.
    #[serde(default)]
    pub stiffness: Option<Number<NewtonMetrePerRadian>>,
    /// Damping, N m s/rad. Default: 0.
    #[serde(default)]
    pub damping: Option<Number<NewtonMetreSecondPerRadian>>,
}

/// What all joints have.
pub(super) struct Head<'a> {
    pub name: &'a Option<String>,
    pub bodies: &'a [String; 2],
    pub limits: &'a [Limit],
    pub friction: &'a [Friction],
    pub strength: Option<Strength>,
}

impl Joint {
    /// Its name, if it has one.
    pub fn name(&self) -> Option<&str> {
        self.head().name.as_deref()
    }

    /// Names of its bodies.
    pub fn bodies(&self) -> &[String; 2] {
        self.head().bodies
    }

    pub(super) fn head(&self) -> Head<'_> {
        match self {
            Joint::Ball(j) => j.head(),
            Joint::Universal(j) => j.head(),
            Joint::Hinge(j) | Joint::Planar(j) => j.head(),
            Joint::Prismatic(j) => j.head(),
            Joint::Cylindrical(j) => j.head(),
            Joint::PointOnLine(j) => j.head(),
            Joint::Weld(j) => j.head(),
            Joint::Translational(j) => j.head(),
            Joint::AxialLock(j) => j.head(),
            Joint::Distance(j) => j.head(),
            Joint::Rope(j) => j.head(),
            Joint::Ligament(j) => j.head(),
            Joint::Cable(j) => j.head(),
            Joint::FlexibleCable(j) => j.head(),
        }
    }
}
