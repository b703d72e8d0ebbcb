//! Rows over the links: the joints that stay rows, and what pushes between two bodies.
//!
//! A row over the velocities v of its two bodies has the rate J v. Its acceleration while the rates of all freedoms
//! are constant is its drift: `J v' + J' v`, with v' the accelerations of the links there and J' v = v^T K~ v from
//! the geometric stiffness per unit of lambda, K~ = d(J^T)/dx.
//!
//! Which rows are loop rows:
//! - the rigid rows of joints that are not in the forest, without those of motors,
//! - limits without play (lower = upper),
//! - ropes that are taut and do not stretch: these can only pull,
//! - rigid couplings between freedoms of joints: sum ratio_k q_k' = 0, over up to eight bodies.

use super::{LoopRow, Unit};
use crate::bounded;
use crate::constraint::{Eval, Geo, Primitive, Side};
use crate::forest::edge::Moving;
use crate::forest::tree::{NONE, Parent, Tree};
use crate::ids::{BodyId, CouplingId, JointId};
use crate::joints::{Bound, BoundSpec, Freedom};
use crate::math::twist::Twist;
use crate::model::coupling::CouplingEntry;
use crate::model::{JointEntry, Model};
use crate::state::{MOST_TERMS, State};
use crate::tuning::T;
use glam::{DMat3, DVec3};

/// Ends of a row that has none yet.
const NOWHERE: [(usize, Twist); ENDS] = [(NONE, Twist { lin: DVec3::ZERO, ang: DVec3::ZERO }); ENDS];

/// A model with its forest, where the bodies are and how they move.
pub(super) struct Posed<'a> {
    pub model: &'a Model,
    pub state: &'a State,
    pub tree: &'a Tree,
    /// Bodies by slot, links where the forest puts them.
    pub at: &'a [Moving],
    /// Accelerations of the links while their rates are constant.
    pub drift: &'a [Twist],
}

/// Most bodies of a row: those of a coupling.
const ENDS: usize = 2 * MOST_TERMS;

/// A row over two links, or those of a coupling; `NONE` for a side that does not move by itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub ends: [(usize, Twist); ENDS],
    /// m/s or rad/s, also by bodies that the user moves.
    pub rate: f64,
    /// m/s^2 or rad/s^2.
    pub drift: f64,
}

/// A loop row.
#[derive(Clone, Debug)]
pub(super) struct Closing {
    pub row: Row,
    /// One over the root of its mobility as if nothing else held its bodies: kg^1/2 or (kg m^2)^1/2.
    pub scale: f64,
    pub told: LoopRow,
}

impl Posed<'_> {
    pub fn moving(&self, id: BodyId) -> &Moving {
        &self.at[id.0.slot as usize]
    }

    /// Where a body is, for rows.
    pub fn side(&self, id: BodyId) -> Side {
        let pose = &self.moving(id).pose;
        Side { pos: pose.pos, rot: DMat3::from_quat(pose.rot) }
    }

    pub fn link(&self, id: BodyId) -> usize {
        self.tree.link_of[id.0.slot as usize]
    }

    /// The acceleration of a body while all rates are constant.
    pub fn drift_of(&self, id: BodyId) -> Twist {
        self.drift.get(self.link(id)).copied().unwrap_or_default()
    }

    /// Whether a joint has a side that moves by itself.
    pub fn moves(&self, j: &JointEntry) -> bool {
        self.link(j.i) != NONE || self.link(j.j) != NONE
    }

    /// A row with the Jacobians `ji` and `jj` at which it changes by itself with `bend`.
    pub fn row(&self, (i, j): (BodyId, BodyId), (ji, jj): (Twist, Twist), bend: f64) -> Row {
        let (a, b) = (self.moving(i), self.moving(j));
        let mut ends = NOWHERE;
        (ends[0], ends[1]) = ((self.link(i), ji), (self.link(j), jj));
        Row {
            ends,
            rate: ji.dot(a.twist) + jj.dot(b.twist),
            drift: ji.dot(self.drift_of(i)) + jj.dot(self.drift_of(j)) + bend,
        }
    }

    /// The rows of a primitive.
    pub fn rows(&self, j: &JointEntry, primitive: &Primitive) -> (Eval, Vec<Row>) {
        let (si, sj) = (self.side(j.i), self.side(j.j));
        let e = primitive.eval(&si, &sj);
        let v: Vec<f64> = [j.i, j.j].into_iter().flat_map(|b| self.moving(b).twist.to_array()).collect();
        let rows = (0..primitive.rows()).map(|r| {
            let mut lambda = [0.0; 3];
            lambda[r] = 1.0;
            let mut geo: Geo = [[0.0; 12]; 12];
            primitive.stiff_geo(&si, &sj, &lambda, &mut geo);
            let bend = geo.iter().zip(&v).map(|(row, a)| a * row.iter().zip(&v).map(|(k, b)| k * b).sum::<f64>()).sum();
            self.row((j.i, j.j), (Twist::from_array(&e.ji[r]), Twist::from_array(&e.jj[r])), bend)
        });
        (e, rows.collect())
    }

    /// One over the root of J M^-1 J^T over the two bodies of a row; zero for a row that moves neither.
    pub fn scale(&self, row: &Row) -> f64 {
        let end = |&(link, j): &(usize, Twist)| {
            let Some(l) = self.tree.links.get(link) else { return 0.0 };
            let Some(b) = self.model.bodies.at(l.body) else { return 0.0 };
            let turn = self.at[l.body].pose.rot.inverse() * j.ang;
            let about = if l.is_particle { 0.0 } else { turn.dot(b.inertia.inverse() * turn) };
            j.lin.length_squared() / b.mass + about
        };
        let mobility: f64 = row.ends.iter().map(end).sum();
        if mobility > 0.0 { 1.0 / mobility.sqrt() } else { 0.0 }
    }

    /// All loop rows, in the order of the joints; then those of couplings.
    pub fn closing(&self) -> Vec<Closing> {
        let mut grows = vec![false; self.model.joints.slots()];
        self.tree.links.iter().filter_map(|l| l.joint).for_each(|j| grows[j] = true);
        let mut out = Vec::new();
        for (key, j) in
            self.model.joints.iter().filter(|(_, j)| !j.is_spring() && self.model.is_active(j) && self.moves(j))
        {
            let mut close = |primitive: &Primitive, pulls: bool| {
                let unit = if primitive.is_angular() { Unit::Radian } else { Unit::Metre };
                let told = LoopRow { joint: JointId(key), coupling: None, unit, pulls };
                let rows = self.rows(j, primitive).1.into_iter();
                out.extend(rows.map(|row| Closing { row, scale: self.scale(&row), told }));
            };
            if !grows[key.slot as usize] {
                let rigid = j.rows.iter().filter(|s| s.holds() && s.soft.is_rigid());
                rigid.for_each(|s| close(&s.primitive, false));
            }
            for b in &j.bounds {
                match self.hold(j, b) {
                    Hold::Both => close(&b.primitive, false),
                    Hold::Pull => close(&b.primitive, true),
                    Hold::No => {}
                }
            }
        }
        self.couple(&mut out);
        out
    }

    /// Whether a row with bounds is a loop row at the present pose.
    fn hold(&self, j: &JointEntry, b: &BoundSpec) -> Hold {
        let Bound::Limit { lower, upper, soft, .. } = b.bound else { return Hold::No };
        if !soft.is_rigid() {
            return Hold::No;
        }
        if lower == upper {
            return Hold::Both;
        }
        let length = bounded::measure(b, &self.side(j.i), &self.side(j.j)).q;
        let taut = b.freedom == Freedom::Length && length >= upper * (1.0 - T.dynamics.taut);
        if taut { Hold::Pull } else { Hold::No }
    }
}

impl Posed<'_> {
    /// The row of a coupling: the sum of those of its terms, each link once.
    pub fn coupled(&self, c: &CouplingEntry) -> Row {
        let (mut out, mut count) = (Row { ends: NOWHERE, rate: 0.0, drift: 0.0 }, 0);
        for (term, primitive) in c.terms.iter().zip(&c.primitives) {
            let Some(j) = self.model.joints.get(term.joint.0) else { continue };
            let Some(row) = self.rows(j, primitive).1.pop() else { continue };
            out.rate += term.ratio * row.rate;
            out.drift += term.ratio * row.drift;
            for (link, jac) in row.ends.into_iter().filter(|e| e.0 != NONE) {
                let k = out.ends[..count].iter().position(|e| e.0 == link).unwrap_or(count);
                count = count.max(k + 1);
                out.ends[k] = (link, out.ends[k].1 + term.ratio * jac);
            }
        }
        out
    }

    /// The position that a row of a joint measures up to whole turns, with those that are counted.
    pub fn turned(&self, slot: usize, j: &JointEntry, primitive: &Primitive, q: f64) -> f64 {
        let last = self.state.turned[slot];
        q + j.turn_of(primitive).map_or(0.0, |turn| turn.wind(&self.side(j.i), &self.side(j.j), last))
    }

    /// What the sum of a coupling is beyond its offset, whole turns counted.
    pub fn error(&self, slot: usize, c: &CouplingEntry) -> f64 {
        let last = self.state.couplings[slot].at;
        let at = c.terms.iter().zip(&c.primitives).zip(last).map(|((t, p), last)| {
            let sides = self.model.joints.get(t.joint.0).map(|j| (self.side(j.i), self.side(j.j)));
            sides.map_or(0.0, |(i, j)| t.freedom.wound(bounded::measured(t.freedom, p, &i, &j).q, last))
        });
        c.sum(at) - c.offset
    }

    /// Couplings that take part, with their slots.
    pub fn couplings(&self) -> impl Iterator<Item = (CouplingId, &CouplingEntry)> {
        self.model.couplings.iter().filter(|(_, c)| self.model.couples(c)).map(|(k, c)| (CouplingId(k), c))
    }

    /// The loop rows of rigid couplings.
    fn couple(&self, out: &mut Vec<Closing>) {
        for (id, c) in self.couplings().filter(|(_, c)| c.soft.is_rigid()) {
            let Some(first) = c.terms.first() else { continue };
            let unit = Unit::of(first.freedom.is_angle());
            let told = LoopRow { joint: first.joint, coupling: Some(id), unit, pulls: false };
            let row = self.coupled(c);
            out.push(Closing { row, scale: self.scale(&row), told });
        }
    }
}

/// What a row with bounds can do.
enum Hold {
    Both,
    Pull,
    No,
}

impl Row {
    /// J^T over the freedoms: what a unit of its force does to each.
    pub fn column(&self, tree: &Tree, (s, arm): (&[Twist], &[glam::DVec3])) -> Vec<f64> {
        let mut out = vec![0.0; tree.dofs];
        for &(mut link, mut f) in &self.ends {
            while let Some(l) = tree.links.get(link) {
                for k in l.rates() {
                    out[k] += s[k].dot(f);
                }
                f = f.force_from(arm[link]);
                link = if let Parent::Link(p) = l.parent { p } else { NONE };
            }
        }
        out
    }
}
