//! Coordinates at the end of a step of the default stabiliser: read off the new poses, which are then those that the coordinates give.
//!
//! The step has closed the joints to rounding (`passes::coordinates`); where it could not, in a whip, this does. Only islands whose rigid
//! joints are all in the forest are placed: where loops or rods hold a tree too, moving it would open them.

use super::edge::Moving;
use super::kinematics::Kinematics;
use super::tree::Tree;
use crate::error::Result;
use crate::kin::Kin;
use crate::math::pose::Pose;
use crate::math::twist::Twist;
use crate::model::Model;
use crate::rows::{Rows, evaluate_phi};
use crate::topology::Topology;
use glam::DMat3;

/// The forest of a world, laid out for its step.
#[derive(Clone, Debug)]
pub(crate) struct Forest {
    tree: Tree,
    kin: Kinematics,
    /// Whether each island is placed.
    placed: Vec<bool>,
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
        Ok(Forest { tree, kin: Kinematics::default(), placed })
    }

    /// Places the bodies of the islands that hang together by tree joints alone; `phi` is brought to the new poses.
    pub fn place(&mut self, t: &Topology, next: &mut [Kin], phi: &mut [f64]) {
        let at = |slot: usize| {
            let k = &next[t.dense_of[slot]];
            Moving { pose: Pose { pos: k.pos, rot: k.quat }, twist: Twist::new(k.vel, k.omega) }
        };
        self.kin.read(&self.tree, at);
        for (l, pose) in self.tree.links.iter().zip(&self.kin.pose) {
            let dense = t.dense_of[l.body];
            if self.placed[t.nodes[dense].island] {
                next[dense].pos = pose.pos;
                if !l.is_particle {
                    next[dense].quat = pose.rot;
                    next[dense].rot = DMat3::from_quat(pose.rot);
                }
            }
        }
        for (island, _) in t.islands.iter().zip(&self.placed).filter(|(_, placed)| **placed) {
            evaluate_phi(t, island.groups.clone(), next, phi);
        }
    }
}
