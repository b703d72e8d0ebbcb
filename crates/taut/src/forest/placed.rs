//! Coordinates at the end of a step of the default stabiliser: the poses are those that the coordinates of the joints give, from the
//! roots on.
//!
//! The step has closed the joints as far as what hangs on them should not feel it (`passes::coordinates`); the rest goes here. Only
//! islands whose rigid joints are all in the forest are placed: where loops or rods hold a tree too, moving it would open them.
//! A ball joint leaves every rotation, so that its child keeps its own and only moves to the joint:
//! ```text
//! c_child = c_parent + R_parent s_parent - R_child s_child
//! ```
//! Of the other joints that do not slide it takes the nearest rotation that they allow; where they slide, coordinates are read off the
//! poses and the child is put there (`edge`).

use super::edge::Edge;
use super::tree::{Parent, Tree};
use crate::error::Result;
use crate::joints::chart::Chart;
use crate::kin::Kin;
use crate::math::pose::Pose;
use crate::model::Model;
use crate::rows::{Rows, evaluate_phi};
use crate::topology::{Group, Load, NONE, Topology};
use glam::{DMat3, DVec3};

/// The forest of a world, laid out for its step.
#[derive(Clone, Debug)]
pub(crate) struct Forest {
    /// Links of the islands that are placed, parents before children.
    links: Vec<Link>,
    /// Groups there whose violations are not found while placing.
    others: Vec<usize>,
    /// Whether each island is placed.
    placed: Vec<bool>,
}

/// A body on the joint that carries it.
#[derive(Clone, Debug)]
struct Link {
    /// Dense bodies: itself, and what it hangs on.
    body: usize,
    parent: usize,
    /// Group of the joint.
    group: usize,
    joint: Carries,
}

/// What a joint leaves of a body's pose.
#[derive(Clone, Debug)]
enum Carries {
    /// Its rotation; arms on the body and on its parent, in their frames, and the rows of the joint.
    Point { arm: DVec3, parent_arm: DVec3, rows: Rows3 },
    /// Some rotations or none.
    Turn { arm: DVec3, parent_arm: DVec3, edge: Edge },
    /// What a chart says. A particle has no orientation.
    Chart { edge: Edge, particle: bool },
}

/// The three rows of a ball joint.
#[derive(Clone, Copy, Debug)]
struct Rows3 {
    /// The first of them, or NONE where the joint has others too.
    first: usize,
    /// They measure the body against its parent, not the other way round.
    own: bool,
}

impl Forest {
    /// For a model; bodies for which `awake` is false do not move.
    pub fn new(model: &Model, t: &Topology, rows: &Rows, awake: impl Fn(usize) -> bool) -> Result<Self> {
        let tree = Tree::new(model, awake)?;
        let mut placed = vec![true; t.islands.len()];
        let mut grows = vec![false; model.joints.slots()];
        tree.links.iter().filter_map(|l| l.joint).for_each(|j| grows[j] = true);
        for g in &t.groups {
            let rigid = (g.row()..g.row() + g.rows()).any(|r| rows.is_rigid(r));
            placed[g.island()] &= grows[g.slot()] || !rigid;
        }
        let mut group_of = vec![NONE; model.joints.slots()];
        t.groups.iter().enumerate().for_each(|(k, g)| group_of[g.slot()] = k);
        let mut covered: Vec<bool> = t.groups.iter().map(|g| !placed[g.island()]).collect();
        let mut links = Vec::new();
        for l in tree.links.iter().filter(|l| placed[t.nodes[t.dense_of[l.body]].island]) {
            let parent = match l.parent {
                Parent::Link(p) => t.dense_of[tree.links[p].body],
                Parent::Body(slot) => t.dense_of[slot],
                // A free root is where it is.
                Parent::World => continue,
            };
            let (body, group) = (t.dense_of[l.body], l.joint.map_or(NONE, |j| group_of[j]));
            let joint = match l.edge.arms() {
                Some((arm, parent_arm)) if l.is_particle || l.edge.chart == Chart::Ball => {
                    Carries::Point { arm, parent_arm, rows: rows_of(t, group, body, &mut covered) }
                }
                Some((arm, parent_arm)) => Carries::Turn { arm, parent_arm, edge: l.edge },
                None => Carries::Chart { edge: l.edge, particle: l.is_particle },
            };
            links.push(Link { body, parent, group, joint });
        }
        let others = (0..t.groups.len()).filter(|&g| !covered[g]).collect();
        Ok(Forest { links, others, placed })
    }

    /// Whether the bodies of an island will be placed.
    #[inline]
    pub fn places(&self, island: usize) -> bool {
        self.placed[island]
    }

    /// Places the bodies of the islands that hang together by tree joints alone; `phi` is brought to the new poses.
    pub fn place(&self, t: &Topology, next: &mut [Kin], phi: &mut [f64]) {
        for l in &self.links {
            // What has broken in this step carries nothing.
            if t.groups.get(l.group).is_some_and(|g| g.dead) {
                evaluate_phi(t, l.group..l.group + 1, next, phi);
                continue;
            }
            let parent = &next[l.parent];
            match &l.joint {
                Carries::Point { arm, parent_arm, rows } => {
                    let (at, reach) = (parent.pos, parent.rot * *parent_arm);
                    let child = &mut next[l.body];
                    let arm = child.rot * *arm;
                    child.pos = at + reach - arm;
                    if rows.first != NONE {
                        let (own, other) = ((child.pos, arm), (at, reach));
                        let (i, j) = if rows.own { (own, other) } else { (other, own) };
                        let violation = i.0 + i.1 - j.0 - j.1;
                        phi[rows.first..rows.first + 3].copy_from_slice(&violation.to_array());
                    }
                }
                Carries::Turn { arm, parent_arm, edge } => {
                    let (joint, rot) = (parent.pos + parent.rot * *parent_arm, parent.quat);
                    let child = &mut next[l.body];
                    child.quat = edge.nearest(rot, child.quat);
                    child.rot = DMat3::from_quat(child.quat);
                    child.pos = joint - child.rot * *arm;
                }
                Carries::Chart { edge, particle } => {
                    let near = edge.near(&Pose { pos: parent.pos, rot: parent.quat });
                    let child = &mut next[l.body];
                    let q = edge.read(&near, &Pose { pos: child.pos, rot: child.quat });
                    let pose = edge.place(&near, &q).child;
                    child.pos = pose.pos;
                    if !particle {
                        (child.quat, child.rot) = (pose.rot, DMat3::from_quat(pose.rot));
                    }
                }
            }
        }
        for &g in &self.others {
            evaluate_phi(t, g..g + 1, next, phi);
        }
    }
}

/// The rows of the ball joint that carries a body; its group is covered then.
fn rows_of(t: &Topology, group: usize, body: usize, covered: &mut [bool]) -> Rows3 {
    let bare = |g: &Group| g.rows() == 3 && g.load == Load::Point(0);
    let Some(g) = t.groups.get(group).filter(|g| bare(g)) else { return Rows3 { first: NONE, own: true } };
    covered[group] = true;
    Rows3 { first: g.row(), own: g.i() == body }
}
