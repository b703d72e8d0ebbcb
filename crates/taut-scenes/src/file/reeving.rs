//! Sheaves and ropes over guides of a scene file.

use super::quantity::*;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A sheave or a drum: a circle on a body that ropes run over.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Sheave {
    /// Name for the paths of ropes, unique among the sheaves.
    pub name: String,
    /// Name of the body that it is a part of.
    pub body: String,
    /// Its centre, a point of the world at the start, m. Default: where the body is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<Triple<Metre>>,
    /// Its axis in the world at the start.
    pub axis: Triple<One>,
    /// Pitch radius, from the axis to the middle of the rope, m.
    pub radius: Number<Metre>,
    /// Whether ropes stick to it and turn its body. Default: they slip over it without friction.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub no_slip: bool,
    /// Efficiency of its bearing (no unit), above 0 and up to 1: hauled over it a rope is tighter by one over that. Default: 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub efficiency: Option<Number<One>>,
    /// Coefficient of friction (no unit) of a bollard or capstan: tensions differ by at most exp(friction x angle of wrap). Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub friction: Option<Number<One>>,
    /// Whether ropes are kept in its groove, as in a block, or leave it where they run straight past. Default: on bodies that move freely.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keeper: Option<bool>,
    /// As a drum: diameter of the rope that lies on it in layers, m. Default: one layer that does not grow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rope_diameter: Option<Number<Metre>>,
    /// As a drum with layers: wraps beside each other in each (no unit). Default: 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wraps: Option<Number<One>>,
    /// As a drum: rope on it at the start, m. Default: so much that it never runs off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stored: Option<Number<Metre>>,
    /// As a drum: rope that its flanges hold, m. Default: any length.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capacity: Option<Number<Metre>>,
    /// Largest ratio (no unit) of the tension after it to that before it, and of that before it to that after it, each at least 1: a ratchet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratios: Option<[f64; 2]>,
}

/// A winch: a drum on a hinge of its own, with a motor and a brake. Ropes name it as they name a sheave; its rotor is a body of the
/// same name, its hinge a joint, its motor a motor.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Winch {
    /// Name, unique among winches and sheaves.
    pub name: String,
    /// Name of the body that it stands on.
    pub body: String,
    /// Its centre, a point of the world at the start, m. Default: where the body is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<Triple<Metre>>,
    /// Its axis in the world at the start.
    pub axis: Triple<One>,
    /// Pitch radius of the drum, m.
    pub radius: Number<Metre>,
    /// Inertia of drum, gear and motor about the axis, kg m^2. Default: that of its mass as a disc.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inertia: Option<Number<KilogramMetre2>>,
    /// Its mass, kg. Default: that of a hollow drum of steel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mass: Option<Number<Kilogram>>,
    /// Hauls in at a speed, with at most a pull.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub haul: Option<Haul>,
    /// Holds with at most this pull, N.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub brake: Option<Number<Newton>>,
    /// Keeps a tension.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep: Option<Keep>,
    /// Whether it turns freely. Default: it holds, whatever pulls.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub free: bool,
}

/// A winch that hauls in.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Haul {
    /// Speed of the rope, m/s; negative to pay out.
    pub speed: Number<MetrePerSecond>,
    /// Most it pulls with, N. Default: whatever it takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub force: Option<Number<Newton>>,
}

/// A winch that keeps a tension: it hauls in below `recover`, holds up to `render`, and pays out above.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Keep {
    /// Tension below which it hauls in, N.
    pub recover: Number<Newton>,
    /// Tension above which it pays out, N.
    pub render: Number<Newton>,
    /// Of hauling, m/s.
    pub speed: Number<MetrePerSecond>,
}

/// A rope over guides.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Reeved {
    /// Name in reports and errors, unique among the ropes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its way: start, guides, end. An end on a sheave is wound on it: a drum.
    pub path: Vec<Guide>,
    /// Whether it is endless: it has no start and no end, and goes on from its last guide to its first. On one of them it must not slip.
    /// Default: no.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub endless: bool,
    /// How much longer it is than its way at the start, m. Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slack: Option<Number<Metre>>,
    /// Force that would double its length, E A, N. Default: it does not stretch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<Number<Newton>>,
    /// Diameter of steel wire rope, m, in place of `stiffness`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diameter: Option<Number<Metre>>,
    /// Torsional stiffness of its section, G J, N m^2: its ends turn each other, through all its guides. Default: it turns freely about itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub torsion: Option<Number<NewtonMetre2>>,
    /// Diameter for what it meets on its way, m; it does not stretch for that. Default: `diameter`, or 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thickness: Option<Number<Metre>>,
    /// Whether colliders that it sweeps over bend it, as if it were a member of the groups. Default: yes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collides: Option<bool>,
    /// Whom it meets. Default: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groups: Option<super::collider::Groups>,
    /// Mass of a metre of it below its last guide, kg/m: there it is a chain of particles that come and go as it is paid out and hauled in. Default:
    /// it has no mass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mass_per_length: Option<Number<KilogramPerMetre>>,
    /// With mass: length of a piece, m. Default: a fortieth of what it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub segment: Option<Number<Metre>>,
    /// With mass: what is wound on its drum, or lies in its locker, m. Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stored: Option<Number<Metre>>,
    /// With mass: whether it comes out of a locker, where it lies at rest, through a hawse at its start. Default: it runs over its guides.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub locker: bool,
    /// With mass: whether it has as few pieces as its sag needs, where it is tight. Default: all.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub adaptive: bool,
    /// With mass: radius of a ball at each of its particles, which meets colliders, m. Default: they meet nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node_radius: Option<Number<Metre>>,
    /// What it has become in a run that was saved. Default: it is new.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<ReevedState>,
    /// With mass: the bodies that it has become in a run that was saved. Default: it makes them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<HeavyState>,
}

/// What a rope with mass has become in a run: its particles are bodies of the file, and what is between them joints.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct HeavyState {
    /// Names of all particles that it can ever have, one every segment from its end, which is the first. Those that are not out are switched off.
    pub bodies: Vec<String>,
    /// Numbers of those that are out, from the uppermost to the end, which is 0.
    pub out: Vec<u32>,
    /// Of each piece between two of those: its tension of late (N), and by how much it is shorter than the rope in it (m). Default: zeros.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pieces: Vec<[f64; 2]>,
    /// All of the rope, m.
    pub total: Number<Metre>,
    /// Its diameter for water and wind, m. Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diameter: Option<Number<Metre>>,
    /// Force that would double the length of a piece, E A, N. Default: pieces do not stretch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<Number<Newton>>,
    /// Rope below its last particle, m, where it was cut. Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tail: Option<Number<Metre>>,
    /// Its drum without rope. Default: it has none that turns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drum: Option<DrumState>,
    /// The body that holds its end against torsion. Default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held: Option<HeldState>,
    /// Its hawse along the axes of the body, m, where it comes out of a locker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hawse: Option<Triple<Metre>>,
}

/// A body that holds the end of a rope with mass against torsion.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct HeldState {
    /// Its name.
    pub body: String,
    /// Direction of the rope there along the axes of the body, of length 1.
    pub along: Triple<One>,
    /// Direction across it, of length 1.
    pub mark: Triple<One>,
}

/// A drum without its rope.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct DrumState {
    /// Its mass, kg.
    pub mass: Number<Kilogram>,
    /// Its inertia along its axes, kg m^2: the columns of the matrix.
    pub inertia: [Triple<KilogramMetre2>; 3],
}

/// What a rope has become in a run: all that a new one on the same way has not, to the last bit.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ReevedState {
    /// What it touches in the frames of its bodies, from its start to its end.
    pub guides: Vec<GuideState>,
    /// Its spans, from its start to its end.
    pub spans: Vec<SpanState>,
    /// Its grips that ride on sheaves. They are on its path behind their sheaves, and not among the guides here. Default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rides: Vec<RideState>,
    /// Its length when it was new, m.
    pub laid: Number<Metre>,
    /// Its torsion. Default: it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub twist: Option<TwistState>,
    /// What each of `guides` is, where the rope has left one of its path, has met a collider, passes an edge or comes off a drum with layers. Default:
    /// all of its path and nothing else.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stops: Vec<StopState>,
    /// With `stops`: all of its path in the frames of its bodies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<GuideState>,
}

/// What the torsion of a rope has become.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct TwistState {
    /// Angle between the frames of its ends, whole turns counted, rad.
    pub angle: Number<Radian>,
    /// The same where it is not twisted, rad.
    pub rest: Number<Radian>,
    /// Its moment, N m. Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub torque: Option<Number<NewtonMetre>>,
    /// What it was twisted by in the step before, rad. Default: not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stretch: Option<Number<Radian>>,
    /// At its start and at its end: twist that was wound on a drum (rad), in so much rope (m). Default: zeros.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wound: Option<[[f64; 2]; 2]>,
}

/// What a rope touches: one of its path, the shell of a drum that has run empty, or a collider.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct StopState {
    /// Which of its path, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guide: Option<usize>,
    /// Which of its path the empty drum is, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shell: Option<usize>,
    /// Name of the collider that it has met.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collider: Option<String>,
    /// Of a collider: which of its edges and round sides, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feature: Option<u32>,
    /// Of a round side: its radius with half of the rope, m. Default: an edge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<Number<Metre>>,
    /// Of a round side: whether the rope turns against its axis. Default: about it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub against: bool,
    /// Of a collider: coefficient of friction (no unit). Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub friction: Option<Number<One>>,
}

/// Where a guide is, along the axes of its body from its centre of mass.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct GuideState {
    /// Its point or centre, m.
    pub centre: Triple<Metre>,
    /// Axis of a sheave, of length 1. Default: z.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axis: Option<Triple<One>>,
    /// Direction across the axis, of length 1, from which angles count. Default: x.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<Triple<One>>,
    /// Of an edge, which begins at `centre` and runs along `axis`: its length, m. Default: it is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<Number<Metre>>,
    /// Of a drum with layers: angle at which the rope left it when it was new, rad. Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<Number<Radian>>,
}

/// What a span has.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct SpanState {
    /// Rope between the marks of its guides, m.
    pub material: Number<Metre>,
    /// The same in the step before, m. Default: as much.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reach: Option<Number<Metre>>,
    /// Its tension, N. Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tension: Option<Number<Newton>>,
    /// What it was stretched by in the step before, m. Default: not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stretch: Option<Number<Metre>>,
    /// Angles of its ends on their sheaves from the marks, whole turns counted, rad.
    pub angles: [Number<Radian>; 2],
    /// Energy of the stabiliser's element, J. Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub energy: Option<Number<Joule>>,
    /// How fast it slipped over the guide before it, m/s. Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slip: Option<Number<MetrePerSecond>>,
    /// How short it may become, m.
    pub least: Number<Metre>,
    /// Force that has kept its guides apart, N. Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub apart: Option<Number<Newton>>,
}

/// A grip that rides on a sheave.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct RideState {
    /// Which of the guides on the path it is, from 0.
    pub guide: usize,
    /// Which of them the sheave is, from 0.
    pub wheel: usize,
    /// Its point along the axes of its body from its centre of mass, m.
    pub point: Triple<Metre>,
    /// Where it is held, along the axes of the body of the sheave from its centre of mass, m.
    pub at: Triple<Metre>,
    /// Angle of its place on the rope from the mark of the sheave, whole turns counted, rad.
    pub angle: Number<Radian>,
    /// Force that holds it along the axes of the world, N. Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub force: Option<Triple<Newton>>,
}

/// What leads a rope: one of a body, a grip, the ways round a sheave, and an edge.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Guide {
    /// Name of a body that it is tied to at its ends, or runs through as through a ring.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// Name of a body that holds it fast and goes with it, as a car of a lift does: it passes sheaves with `no_slip`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grip: Option<String>,
    /// Where on that body, a point of the world at the start, m. Default: where the body is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<Triple<Metre>>,
    /// Name of a sheave that it passes over, on the side away from gravity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<String>,
    /// Name of a sheave that it passes under.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub under: Option<String>,
    /// Name of a sheave about whose axis it turns from its start to its end, by the right hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// Name of a sheave against whose axis it turns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    /// Name of a body with an edge that it runs across, where the angles to that are equal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edge: Option<String>,
    /// Ends of the edge, points of the world at the start, m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends: Option<[Triple<Metre>; 2]>,
    /// Direction out of what the edge is an edge of. Default: the side that the rope is bent round on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outward: Option<Triple<One>>,
    /// Whole turns round a sheave, more than the shortest way has. Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turns: Option<u32>,
    /// Coefficient of friction (no unit) of a ring or an edge, with `body` or `edge`. Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub friction: Option<Number<One>>,
    /// Whether the rope is tied to nothing there: an end that is a particle of its own, which runs through its guides. Default: no.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub free: bool,
}

impl super::SceneFile {
    /// The winches of the file by name, in a world that was built from it or that it was added to.
    pub fn winches_in(&self, world: &taut::World) -> Vec<(String, taut::WinchId)> {
        let find = |w: &Winch| {
            let (rotor, hinge) = (world.find_body(&w.name).ok()?, world.find_joint(&w.name).ok()?);
            Some((w.name.clone(), taut::WinchId { rotor, hinge, radius: w.radius.value }))
        };
        self.winches.iter().filter_map(find).collect()
    }
}
