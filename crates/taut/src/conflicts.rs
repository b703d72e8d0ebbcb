//! Rows that contradict each other: which they are, what each wanted, and what stands against it.
//!
//! Two kinds are found. A driven row (of a motor, or of a joint to a driven body) that no finite force satisfies has yielded
//! (`passes::stall`). A row that closes a loop and has nothing left to move was dropped as redundant, or gives; that is harmless where the
//! others do what it wants, and a contradiction where they do not: two welds that were built apart, two motors on one axis.

use crate::desk::Desk;
use crate::desk::inputs::Given;
use crate::ids::JointId;
use crate::model::Model;
use crate::rows::row_velocity;
use crate::topology::{Group, NONE, Topology};
use crate::tuning::T;
use std::collections::VecDeque;

/// A row of a joint that others did not let have its way.
///
/// Two motors on one shaft, told to turn opposite ways, cannot both have it.
/// ```
/// use taut::{Body, Hinge, MassProperties, Motor, Vec3, World};
/// let mut world = World::new();
/// let shaft = world.add(Body::dynamic(MassProperties::cylinder(7800.0, 0.5, 0.02)?))?;
/// let drive = |speed| Hinge::between(shaft, world.ground()).axis(Vec3::Y).motor(Motor::rate().speed(speed));
/// let (left, right) = (drive(1.0), drive(-1.0));
/// let (left, right) = (world.add(left)?, world.add(right)?);
/// let conflicts = world.step(0.01)?.conflicts;
/// let told = conflicts.iter().find(|c| c.joint == left || c.joint == right);
/// assert!(told.is_some_and(|c| c.wanted != c.got && (c.against == [left] || c.against == [right])));
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Conflict {
    /// Its joint.
    pub joint: JointId,
    /// Which row of the joint, counted as its forces are ([`JointRef::lambda`](crate::JointRef::lambda)).
    pub row: usize,
    /// The velocity that it wanted between its two bodies, m/s or rad/s: of a motor the commanded rate, of a joint the closing of its gap.
    pub wanted: f64,
    /// The velocity that it got, m/s or rad/s.
    pub got: f64,
    /// Whether it is driven (a motor's, or that of a joint to a driven body) and has yielded: the force that it would have taken is beyond all
    /// measure. The others are loop rows with nothing left to move, which do not agree with the rest.
    pub yielded: bool,
    /// Joints that stand against it: the others between the same two bodies, or else those of the shortest loop that it closes. Bodies that
    /// do not move freely count as one.
    pub against: Vec<JointId>,
}

/// The contradictions of a step; empty, and without a look at the rows, where there is neither a loop nor a row that yielded.
pub(crate) fn find(model: &Model, t: &Given<'_>, h: f64, desk: &Desk) -> Vec<Conflict> {
    let mut out = Vec::new();
    if !t.signs.has_loops && !desk.law.stalled.contains(&true) {
        return out;
    }
    for g in t.groups.iter().filter(|g| g.closes_loop || desk.law.stalled[g.island()]) {
        let Some(key) = model.joints.key_at(g.slot()) else { continue };
        for r in 0..g.rows() {
            let row = g.row() + r;
            let gives = g.closes_loop && !t.inputs.rows.compliance(row).is_normal() && desk.law.sigma[row] > 0.0;
            let gives = gives && !t.inputs.rows.is_rotor(row);
            let dropped = g.closes_loop && desk.factor.ldlt.dropped[g.x() + r];
            if !(desk.law.yielded[row] || dropped || gives) {
                continue;
            }
            let (phi, after) = (t.inputs.rows.phi[row], desk.next.phi[row]);
            let (wanted, got, misses) = if t.inputs.rows.is_motor(row) {
                let got = row_velocity(t, g, r, &t.inputs.rows.jac, &desk.sol.x) + t.inputs.rows.drive[row];
                let wanted = t.inputs.rows.wanted[row];
                (wanted, got, (got - wanted).abs() > T.rows.misses * wanted.abs())
            } else {
                // Velocities follow the curvature of the row: what it got is read from the poses.
                let reach = if g.angular >> r & 1 == 0 { g.arm() } else { 1.0 };
                let stays = after.abs() > T.rows.closing * phi.abs();
                (-phi / h, (after - phi) / h, stays && after.abs() > T.rows.misses * reach)
            };
            if desk.law.yielded[row] || misses {
                out.push(Conflict {
                    joint: JointId(key),
                    row: r,
                    wanted,
                    got,
                    yielded: desk.law.yielded[row],
                    against: Vec::new(),
                });
            }
        }
    }
    if !out.is_empty() {
        let graph = Graph::new(t);
        for k in 0..out.len() {
            // The rows of a joint have the same opponents.
            let known = out[..k].iter().rev().find(|c| c.joint == out[k].joint).map(|c| c.against.clone());
            out[k].against = known.unwrap_or_else(|| graph.against(model, t, out[k].joint));
        }
    }
    out
}

/// What stands against joints that stay open: they, and those of the loops that they close.
pub(crate) fn opponents(model: &Model, t: &Topology, open: &[JointId]) -> Vec<JointId> {
    let graph = Graph::new(t);
    let mut out: Vec<JointId> =
        open.iter().flat_map(|&j| graph.against(model, t, j)).chain(open.iter().copied()).collect();
    out.sort_unstable();
    out.dedup();
    out
}

/// Joints at each place: the free bodies, and all others as one.
struct Graph {
    at: Vec<Vec<usize>>,
}

impl Graph {
    fn new(t: &Topology) -> Self {
        let mut at = vec![Vec::new(); t.nodes.len() + 1];
        for (q, g) in t.groups.iter().enumerate() {
            let (a, b) = ends(t, g);
            at[a].push(q);
            at[b].push(q);
        }
        Graph { at }
    }

    /// The joints of the shortest way from one body of a joint to the other that does not lead over it.
    fn against(&self, model: &Model, t: &Topology, joint: JointId) -> Vec<JointId> {
        let Some(own) = t.groups.iter().position(|g| g.slot() == joint.0.slot as usize) else { return Vec::new() };
        let (from, to) = ends(t, &t.groups[own]);
        let named = |q: usize| model.joints.key_at(t.groups[q].slot()).map(JointId);
        let beside = |&&q: &&usize| q != own && [(from, to), (to, from)].contains(&ends(t, &t.groups[q]));
        let parallel: Vec<JointId> = self.at[from].iter().filter(beside).filter_map(|&q| named(q)).collect();
        if !parallel.is_empty() {
            return parallel;
        }
        // Breadth first; `came` is the joint over which a place was reached.
        let mut came = vec![NONE; self.at.len()];
        let mut queue = VecDeque::from([from]);
        while let Some(place) = queue.pop_front() {
            for &q in self.at[place].iter().filter(|&&q| q != own) {
                let (a, b) = ends(t, &t.groups[q]);
                let next = if a == place { b } else { a };
                if next != from && came[next] == NONE {
                    came[next] = q;
                    queue.push_back(next);
                }
            }
        }
        let (mut place, mut way) = (to, Vec::new());
        while place != from && came[place] != NONE {
            let (a, b) = ends(t, &t.groups[came[place]]);
            way.extend(named(came[place]));
            place = if a == place { b } else { a };
        }
        way.reverse();
        way
    }
}

/// The places of a joint.
fn ends(t: &Topology, g: &Group) -> (usize, usize) {
    (g.i().min(t.nodes.len()), g.j().min(t.nodes.len()))
}
