//! Where a joint can carry effort, as rows between its two bodies.
//!
//! A joint with a chart pushes along each of its freedoms: with (p', w) the velocity of the tip against the base, y =
//! S^+ (p', w) and the wrench of a unit of effort is that row of S^+, on body i at the tip, and its opposite on body
//! j. So effort times rate is power, in the forest and out of it. A joint without a chart pushes with its motors,
//! along what they measure; one without motors either along the freedoms that its rows leave it, such as the spin of
//! a wheel.

use super::Unit;
use super::rows::{Posed, Row};
use crate::constraint::{Primitive, Side};
use crate::forest::edge::{Edge, Moving, Place as Placed};
use crate::ids::JointId;
use crate::joints::chart::{Coordinates, MAX_DOFS};
use crate::joints::{Chart, Freedom, measure};
use crate::math::pose::Pose;
use crate::math::twist::Twist;
use crate::model::freedoms::Taken;
use crate::model::{JointEntry, Model, Motion};
use crate::tuning::T;
use glam::{DMat3, DVec3};

/// One place where a joint can push.
#[derive(Clone, Debug)]
pub(super) struct Push {
    pub joint: JointId,
    /// Which freedom of the joint, or which motor of one without chart, or which of the freedoms that its rows leave it.
    pub freedom: usize,
    /// What it is called beside the others of the joint; empty when it is the only one.
    pub label: &'static str,
    pub unit: Unit,
    pub row: Row,
    /// As that of a loop row.
    pub scale: f64,
    /// A motor can drive it.
    pub driven: bool,
}

/// A unit of effort: force and torque about the centre of mass on body i, and on body j.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wrench {
    pub i: Twist,
    pub j: Twist,
}

/// A joint seen from its base, body j: whichever side the forest has it from.
struct Joined {
    chart: Chart,
    edge: Edge,
    q: Coordinates,
    place: Placed,
    s: [Twist; MAX_DOFS],
}

impl Joined {
    fn new(chart: Chart, j: &JointEntry, tip: &Pose, base: &Pose) -> Self {
        let edge = Edge::new(chart, &j.frames, false);
        let near = edge.near(base);
        let q = edge.read(&near, tip);
        let place = edge.place(&near, &q);
        let mut s = [Twist::default(); MAX_DOFS];
        edge.columns(&place, &q, &mut s[..chart.dofs()]);
        Joined { chart, edge, q, place, s }
    }

    fn columns(&self) -> &[Twist] {
        &self.s[..self.chart.dofs()]
    }

    /// Units of effort at all freedoms, for bodies with their centres of mass at `i` and `j`.
    fn wrenches(&self, i: DVec3, j: DVec3) -> [Wrench; MAX_DOFS] {
        let (tip, dofs) = (self.place.child.pos - self.place.lever, self.chart.dofs());
        let mut rows = [[0.0; 6]; MAX_DOFS];
        for part in 0..6 {
            let (mut unit, mut y) = ([0.0; 6], [0.0; MAX_DOFS]);
            unit[part] = 1.0;
            self.chart.rates(self.columns(), Twist::from_array(&unit), &mut y[..dofs]);
            (0..dofs).for_each(|k| rows[k][part] = y[k]);
        }
        let at = |f: &[f64; 6], arm: DVec3| Twist::from_array(f).force_from(arm);
        rows.map(|f| Wrench { i: at(&f, tip - i), j: -1.0 * at(&f, tip - j) })
    }

    /// Accelerations of the freedoms, from the motion of both bodies and their accelerations `after`:
    /// v'_i = X v'_j + w_j x (v_i - v_j) + S' y + S y'.
    fn accelerations(&self, [i, j]: [&Moving; 2], after: [Twist; 2]) -> [f64; MAX_DOFS] {
        let (s, dofs) = (self.columns(), self.chart.dofs());
        let (mut y, mut out) = ([0.0; MAX_DOFS], [0.0; MAX_DOFS]);
        self.edge.rates(&self.place, j, i.twist, s, &mut y[..dofs]);
        let swing = Twist::new(j.twist.ang.cross(i.twist.lin - j.twist.lin), DVec3::ZERO);
        let own = after[0] - swing - self.edge.bias(j, i, (&self.q, &y[..dofs]), s, self.place.lever);
        let carried = Moving { pose: j.pose, twist: after[1] };
        self.edge.rates(&self.place, &carried, own, s, &mut out[..dofs]);
        out
    }
}

/// The chart of a joint that can carry effort: none on particles, which nothing can turn.
fn chart_of(model: &Model, j: &JointEntry) -> Option<Chart> {
    j.chart.filter(|_| !is_on_particle(model, j))
}

fn is_on_particle(model: &Model, j: &JointEntry) -> bool {
    [j.i, j.j].iter().any(|b| model.bodies.get(b.0).is_some_and(|b| b.motion == Motion::Particle))
}

/// Units of effort of a joint whose bodies are at these poses: at all freedoms of its chart, else at its motors, else at what its rows
/// leave free.
pub(crate) fn wrenches(model: &Model, j: &JointEntry, tip: &Pose, base: &Pose) -> Vec<Wrench> {
    if let Some(chart) = chart_of(model, j) {
        return Joined::new(chart, j, tip, base).wrenches(tip.pos, base.pos)[..chart.dofs()].to_vec();
    }
    let side = |p: &Pose| Side { pos: p.pos, rot: DMat3::from_quat(p.rot) };
    let (tip, base) = (side(tip), side(base));
    let of = |p: &Place| {
        let e = p.primitive.eval(&tip, &base);
        let per = 1.0 / p.freedom.slope(e.phi[0]).max(T.candidates.steep);
        Wrench { i: per * Twist::from_array(&e.ji[0]), j: per * Twist::from_array(&e.jj[0]) }
    };
    places(model, j, &tip, &base).iter().map(of).collect()
}

/// Where a joint without a chart pushes.
struct Place {
    index: usize,
    freedom: Freedom,
    primitive: Primitive,
    driven: bool,
}

/// The motors of a joint by their index, without its springs; where it has none, what of its freedoms its rows leave.
fn places(model: &Model, j: &JointEntry, tip: &Side, base: &Side) -> Vec<Place> {
    let of = |index, freedom, primitive, driven| Place { index, freedom, primitive, driven };
    let motors = j.motors().filter(|m| !j.def.motors[m.ordinal].is_spring());
    let mut out: Vec<Place> = motors.map(|m| of(m.ordinal, m.freedom, m.primitive, true)).collect();
    out.sort_unstable_by_key(|p| p.index);
    if !out.is_empty() || is_on_particle(model, j) {
        return out;
    }
    let mut taken = Taken::by(j, tip, base);
    let kind = j.kind.freedoms().iter().filter(|f| f.can_be_driven());
    let free = kind.map(|&f| (f, measure(&j.frames, f))).filter(|(_, p)| taken.take(&p.eval(tip, base), 0));
    free.enumerate().map(|(k, (f, p))| of(k, f, p, false)).collect()
}

/// What a freedom is called beside the others of its joint; empty when it is the only one.
pub(super) fn label(chart: Chart, k: usize) -> &'static str {
    if chart.dofs() == 1 { "" } else { chart.freedom(k).0 }
}

impl Posed<'_> {
    /// Everywhere a joint can push.
    pub fn pushes(&self, joint: JointId, j: &JointEntry, out: &mut Vec<Push>) {
        let Some(chart) = chart_of(self.model, j) else { return self.by_motors(joint, j, out) };
        let (tip, base) = (self.moving(j.i), self.moving(j.j));
        let joined = Joined::new(chart, j, &tip.pose, &base.pose);
        let drift = joined.accelerations([tip, base], [self.drift_of(j.i), self.drift_of(j.j)]);
        let driven = self.driven(j, joined.columns());
        let wrenches = joined.wrenches(tip.pose.pos, base.pose.pos);
        for (freedom, w) in wrenches[..chart.dofs()].iter().enumerate() {
            let row = Row { drift: drift[freedom], ..self.row((j.i, j.j), (w.i, w.j), 0.0) };
            let (label, unit) = (label(chart, freedom), Unit::of(chart.freedom(freedom).1));
            let (scale, driven) = (self.scale(&row), driven[freedom]);
            out.push(Push { joint, freedom, label, unit, row, scale, driven });
        }
    }

    /// Which freedoms of a joint its motors drive: those that they measure a part of.
    fn driven(&self, j: &JointEntry, s: &[Twist]) -> [bool; MAX_DOFS] {
        let mut out = [false; MAX_DOFS];
        for m in j.motors().filter(|m| !j.def.motors[m.ordinal].is_spring()) {
            let row = Twist::from_array(&m.primitive.eval(&self.side(j.i), &self.side(j.j)).ji[0]);
            for (out, s) in out.iter_mut().zip(s) {
                let most = row.lin.length() * s.lin.length() + row.ang.length() * s.ang.length();
                *out |= row.dot(*s).abs() > T.rows.free * most;
            }
        }
        out
    }

    /// Along what the motors of a joint without a chart measure, or its freedoms.
    fn by_motors(&self, joint: JointId, j: &JointEntry, out: &mut Vec<Push>) {
        let places = places(self.model, j, &self.side(j.i), &self.side(j.j));
        let several = places.len() > 1;
        for m in places {
            let label = if several { if m.driven { "motor" } else { m.freedom.word() } } else { "" };
            let (e, rows) = self.rows(j, &m.primitive);
            let Some(&(mut row)) = rows.first() else { continue };
            // An angle that leans by a quarter turn has no useful direction.
            let slope = m.freedom.slope(e.phi[0]).max(T.candidates.steep);
            row.ends.iter_mut().for_each(|(_, jac)| *jac = (1.0 / slope) * *jac);
            row.rate /= slope;
            // sin q = measure: its second derivative has a part of the rate.
            let bend = if slope == 1.0 { 0.0 } else { e.phi[0] * row.rate * row.rate };
            row.drift = (row.drift + bend) / slope;
            let (unit, scale) = (Unit::of(m.freedom.is_angle()), self.scale(&row));
            out.push(Push { joint, freedom: m.index, label, unit, row, scale, driven: m.driven });
        }
    }
}
