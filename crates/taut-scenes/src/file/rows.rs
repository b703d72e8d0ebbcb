//! The joint type `rows`: any joint, as a list of its rows.

use super::error::{At, FileError, Path};
use super::freedom::Freedom;
use super::quantity::*;
use super::soft::{AngularSoft, LinearSoft};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use taut::constraint::Primitive;
use taut::{JointKind, Softness, Vec3, joints::RowBuilder};

/// A joint as a list of rows, with `frames` on both bodies. Points and directions of the rows are in the coordinates of the bodies, those
/// of the first body first.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline, extend("anyOf" = serde_json::json!([{ "required": ["frames"] }]))))]
pub struct Rows {
    /// The rows. Default: none, where limits and motors are all that it has.
    #[serde(default)]
    pub rows: Vec<Row>,
    /// What the rows leave free, where they hold exactly everything else: then reduced coordinates can replace them. Default: rows only.
    #[serde(default)]
    pub chart: Option<Chart>,
    /// What can be driven and read of it without being named, in order. Default: nothing.
    #[serde(default)]
    pub freedoms: Vec<Freedom>,
}

/// A row, or the three rows of a point.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", schemars(tag = "type"))]
pub enum Row {
    /// Two points coincide: three rows.
    Point(PointRow),
    /// Two points keep their distance.
    Distance(DistanceRow),
    /// The offset between two points has no part along a direction of the first body.
    Dot2(OffsetRow),
    /// The offset between two points has no part along a direction of the second body.
    Slot(OffsetRow),
    /// Two directions stay at right angles.
    Dot1(DirectionRow),
    /// No twist about an axis that the two bodies share.
    Axial(TwistRow),
    /// No twist of the bodies, at any swing.
    Lock(TwistRow),
    /// No twist after the shortest turn that brings the axes together.
    Twist(TwistRow),
}

/// Two points.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct PointRow {
    /// The points on the first and on the second body, m.
    pub points: [Triple<Metre>; 2],
    /// Give of the rows.
    #[serde(default)]
    pub give: LinearSoft,
}

/// Two points and their distance.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct DistanceRow {
    /// The points on the first and on the second body, m.
    pub points: [Triple<Metre>; 2],
    /// Their distance, m.
    pub length: Number<Metre>,
    /// Give of the row.
    #[serde(default)]
    pub give: LinearSoft,
}

/// Two points and a direction.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct OffsetRow {
    /// The points on the first and on the second body, m.
    pub points: [Triple<Metre>; 2],
    /// The direction, of length 1.
    pub direction: Triple<One>,
    /// Give of the row.
    #[serde(default)]
    pub give: LinearSoft,
}

/// Two directions.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct DirectionRow {
    /// The directions on the first and on the second body, of length 1.
    pub directions: [Triple<One>; 2],
    /// Give of the row.
    #[serde(default)]
    pub give: AngularSoft,
}

/// An axis and a reference across it on either body.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct TwistRow {
    /// The axis on the first and on the second body, of length 1.
    pub axes: [Triple<One>; 2],
    /// The reference across it on the first and on the second body, a direction of length 1.
    pub across: [Triple<One>; 2],
    /// Give of the row.
    #[serde(default)]
    pub give: AngularSoft,
}

/// What rows leave free.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Chart {
    /// Nothing.
    Fixed,
    /// Rotation about N.
    Hinge,
    /// Sliding along N.
    Prismatic,
    /// Sliding along N and rotation about it.
    Cylindrical,
    /// Sliding along U and V and rotation about N.
    Planar,
    /// Sliding along U and V.
    Plane,
    /// Sliding in all directions.
    Translational,
    /// Rotation about U of the second body, then about N of the first.
    Universal,
    /// All rotations, as a quaternion.
    Ball,
    /// All rotations, as a rotation vector.
    Spherical,
    /// Everything.
    Free,
}

/// The charts and their words.
const CHARTS: [(Chart, taut::joints::Chart); 11] = [
    (Chart::Fixed, taut::joints::Chart::Fixed),
    (Chart::Hinge, taut::joints::Chart::Hinge),
    (Chart::Prismatic, taut::joints::Chart::Prismatic),
    (Chart::Cylindrical, taut::joints::Chart::Cylindrical),
    (Chart::Planar, taut::joints::Chart::Planar),
    (Chart::Plane, taut::joints::Chart::Plane),
    (Chart::Translational, taut::joints::Chart::Translational),
    (Chart::Universal, taut::joints::Chart::Universal),
    (Chart::Ball, taut::joints::Chart::Ball),
    (Chart::Spherical, taut::joints::Chart::Spherical),
    (Chart::Free, taut::joints::Chart::Free),
];

impl Chart {
    fn engine(self) -> Option<taut::joints::Chart> {
        CHARTS.iter().find(|(c, _)| *c == self).map(|(_, e)| *e)
    }

    /// The word for a chart; none for one that this format does not know.
    pub(super) fn saying(chart: taut::joints::Chart) -> Option<Self> {
        CHARTS.iter().find(|(_, e)| *e == chart).map(|(c, _)| *c)
    }
}

impl Row {
    fn engine(&self, path: &Path) -> Result<(Primitive, Softness), FileError> {
        let give = path.key("give");
        let two = |p: &[Triple<_>; 2]| p.map(|x: Triple<Metre>| x.value);
        let of = |p: &[Triple<One>; 2]| p.map(|x| x.value);
        let twist = |t: &TwistRow, made: fn(Vec3, Vec3, Vec3, Vec3) -> Primitive| {
            let ([n, nj], [ui, uj]) = (of(&t.axes), of(&t.across));
            Ok::<_, FileError>((made(n, ui, uj, nj), t.give.engine(&give)?))
        };
        let (primitive, soft) = match self {
            Row::Point(r) => {
                let [si, sj] = two(&r.points);
                (Primitive::Point { si, sj }, r.give.engine(&give)?)
            }
            Row::Distance(r) => {
                let [si, sj] = two(&r.points);
                (Primitive::Distance { si, sj, length: r.length.value }, r.give.engine(&give)?)
            }
            Row::Dot2(r) => {
                let ([si, sj], u) = (two(&r.points), r.direction.value);
                (Primitive::Dot2 { si, sj, u }, r.give.engine(&give)?)
            }
            Row::Slot(r) => {
                let ([si, sj], u) = (two(&r.points), r.direction.value);
                (Primitive::Slot { si, sj, u }, r.give.engine(&give)?)
            }
            Row::Dot1(r) => {
                let [a, b] = of(&r.directions);
                (Primitive::Dot1 { a, b }, r.give.engine(&give)?)
            }
            Row::Axial(t) => twist(t, |n, ui, uj, nj| Primitive::Axial { n, ui, uj, nj })?,
            Row::Lock(t) => twist(t, |n, ui, uj, nj| Primitive::Lock { n, ui, uj, nj })?,
            Row::Twist(t) => twist(t, |n, ui, uj, nj| Primitive::Twist { n, ui, uj, nj })?,
        };
        primitive.validate().at(path)?;
        Ok((primitive, soft))
    }

    /// What says a row to the last bit.
    pub(super) fn saying(primitive: Primitive, soft: Softness) -> Self {
        let twist = |n: Vec3, ui: Vec3, uj: Vec3, nj: Vec3| TwistRow {
            axes: [n.into(), nj.into()],
            across: [ui.into(), uj.into()],
            give: AngularSoft::saying(soft),
        };
        let offset = |si: Vec3, sj: Vec3, u: Vec3| OffsetRow {
            points: [si.into(), sj.into()],
            direction: u.into(),
            give: LinearSoft::saying(soft),
        };
        match primitive {
            Primitive::Point { si, sj } => {
                Row::Point(PointRow { points: [si.into(), sj.into()], give: LinearSoft::saying(soft) })
            }
            Primitive::Distance { si, sj, length } => Row::Distance(DistanceRow {
                points: [si.into(), sj.into()],
                length: length.into(),
                give: LinearSoft::saying(soft),
            }),
            Primitive::Dot2 { si, sj, u } => Row::Dot2(offset(si, sj, u)),
            Primitive::Slot { si, sj, u } => Row::Slot(offset(si, sj, u)),
            Primitive::Dot1 { a, b } => {
                Row::Dot1(DirectionRow { directions: [a.into(), b.into()], give: AngularSoft::saying(soft) })
            }
            Primitive::Axial { n, ui, uj, nj } => Row::Axial(twist(n, ui, uj, nj)),
            Primitive::Lock { n, ui, uj, nj } => Row::Lock(twist(n, ui, uj, nj)),
            Primitive::Twist { n, ui, uj, nj } => Row::Twist(twist(n, ui, uj, nj)),
        }
    }
}

/// A kind of joint that is no more than its rows.
#[derive(Clone, Debug)]
pub(super) struct Listed {
    rows: Vec<(Primitive, Softness)>,
    chart: Option<taut::joints::Chart>,
    freedoms: Vec<taut::Freedom>,
}

impl Rows {
    /// The engine's kind.
    pub(super) fn engine(&self, path: &Path) -> Result<Listed, FileError> {
        let at = path.key("rows");
        let rows = self.rows.iter().enumerate().map(|(k, r)| r.engine(&at.index(k))).collect::<Result<_, _>>()?;
        let named = |(k, f): (usize, &Freedom)| match f {
            Freedom::Of(f) => Ok(*f),
            Freedom::Lean => {
                let expected = "a rotation by its axes, such as 'lean-nv'";
                Err(FileError::input(path.key("freedoms").index(k), "'lean'", expected))
            }
        };
        let freedoms = self.freedoms.iter().enumerate().map(named).collect::<Result<_, _>>()?;
        Ok(Listed { rows, chart: self.chart.and_then(Chart::engine), freedoms })
    }
}

impl JointKind for Listed {
    fn name(&self) -> &'static str {
        "rows"
    }
    fn rows(&self, r: &mut RowBuilder) {
        self.rows.iter().for_each(|(primitive, soft)| r.primitive(*primitive, *soft));
    }
    fn chart(&self) -> Option<taut::joints::Chart> {
        self.chart
    }
    fn freedoms(&self) -> &[taut::Freedom] {
        &self.freedoms
    }
}
