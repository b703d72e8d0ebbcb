//! Couplings of a scene file: what ties the free motions of joints to each other.

use super::freedom::Freedom;
use super::quantity::*;
use super::soft::Soft;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A tie between the free motions of joints. What it ties moves as one; with `give` it yields.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", schemars(tag = "type"))]
pub enum Coupling {
    /// The sum of ratio times position over two to four freedoms stays what it is.
    Sum(FreedomSum),
    /// Two wheels in mesh: the turn of the first joint is `ratio` times that of the second.
    Gear(Gear),
    /// A nut on a screw: the slide of a cylindrical joint goes with its turn.
    Screw(Screw),
    /// A wheel on a rack: the slide of one joint goes with the turn of another.
    RackAndPinion(RackAndPinion),
    /// A joint that follows another one.
    Mimic(Mimic),
}

impl Coupling {
    /// Its name, if it has one.
    pub fn name(&self) -> Option<&str> {
        match self {
            Coupling::Sum(c) => c.name.as_deref(),
            Coupling::Gear(c) => c.name.as_deref(),
            Coupling::Screw(c) => c.name.as_deref(),
            Coupling::RackAndPinion(c) => c.name.as_deref(),
            Coupling::Mimic(c) => c.name.as_deref(),
        }
    }
}

/// Units of the sum of a coupling: m or rad times its ratios.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Tied;

impl Quantity for Tied {
    type Position = One;
    type Rate = One;
    type Force = One;
    type Compliance = One;
    type Stiffness = One;
    type Damping = One;
    type PerLoad = One;
}

/// One freedom of a joint in a sum.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Term {
    /// Name of the joint.
    pub joint: String,
    /// Which of its freedoms. Default: the only one, a turn or a slide.
    #[serde(default)]
    pub freedom: Option<Freedom>,
    /// Which rotation, with `lean`: its place in the list of motors, from 0.
    #[serde(default)]
    pub index: Option<usize>,
    /// What it counts in the sum, per rad or per m; any number but 0.
    pub ratio: Number<One>,
}

/// A sum of freedoms.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct FreedomSum {
    /// Name in reports and errors, unique among the couplings.
    #[serde(default)]
    pub name: Option<String>,
    /// Two to four freedoms.
    pub terms: Vec<Term>,
    /// What the sum stays at, rad or m times the ratios. Default: what it is at the start.
    #[serde(default)]
    pub offset: Option<Number<One>>,
    /// Give of the sum, in its unit per N or N m. Default: rigid.
    #[serde(default)]
    pub give: Soft<Tied>,
}

/// Gears.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Gear {
    /// Name in reports and errors, unique among the couplings.
    #[serde(default)]
    pub name: Option<String>,
    /// Names of two hinges or cylindrical joints.
    pub joints: [String; 2],
    /// Turn of the first over that of the second, no unit; negative for wheels that mesh on their outside.
    pub ratio: Number<One>,
    /// What the turn of the first is ahead, rad. Default: as at the start.
    #[serde(default)]
    pub offset: Option<Number<One>>,
    /// Give at the first joint, rad/(N m). Default: rigid.
    #[serde(default)]
    pub give: Soft<Tied>,
}

/// A screw.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Screw {
    /// Name in reports and errors, unique among the couplings.
    #[serde(default)]
    pub name: Option<String>,
    /// Name of a cylindrical joint.
    pub joint: String,
    /// Slide of a whole turn, m; positive for a right-handed thread.
    pub pitch: Number<Metre>,
    /// What the slide is ahead, m. Default: as at the start.
    #[serde(default)]
    pub offset: Option<Number<One>>,
    /// Give of the slide, m/N. Default: rigid.
    #[serde(default)]
    pub give: Soft<Tied>,
}

/// A rack and its pinion.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct RackAndPinion {
    /// Name in reports and errors, unique among the couplings.
    #[serde(default)]
    pub name: Option<String>,
    /// Name of the hinge of the wheel.
    pub pinion: String,
    /// Name of the prismatic joint of the rack.
    pub rack: String,
    /// Slide of the rack over the turn of the wheel, m; negative for a rack on its other side.
    pub radius: Number<Metre>,
    /// What the slide is ahead, m. Default: as at the start.
    #[serde(default)]
    pub offset: Option<Number<One>>,
    /// Give of the slide, m/N. Default: rigid.
    #[serde(default)]
    pub give: Soft<Tied>,
}

/// A joint that follows another: its only freedom, a turn or a slide, is `ratio` times that of the leader, plus `offset`.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Mimic {
    /// Name in reports and errors, unique among the couplings.
    #[serde(default)]
    pub name: Option<String>,
    /// Name of the joint that is followed.
    pub leader: String,
    /// Name of the joint that follows.
    pub follower: String,
    /// Motion of the follower over that of the leader, no unit where both turn or both slide. Default: 1.
    #[serde(default)]
    pub ratio: Option<Number<One>>,
    /// What the follower is ahead, rad or m. Default: 0.
    #[serde(default)]
    pub offset: Option<Number<One>>,
    /// Give at the follower, rad/(N m) or m/N. Default: rigid.
    #[serde(default)]
    pub give: Soft<Tied>,
}
