//! Surfaces of deformables in collision: where their nodes are and how they are expected to move, and boxes around their parts.

use crate::contact::Spread;
use crate::contact::bounds::Bounds;
use crate::contact::convex::Convex;
use crate::contact::geometry::{Part, Solid};
use crate::contact::manifold::Touch;
use crate::contact::narrow::flip;
use crate::contact::skin::Skin;
use crate::contact::travel::Travel;
use crate::math::pose::Pose;
use crate::model::Model;
use crate::tuning::T;
use glam::DVec3;
use std::sync::Arc;

/// The surface of a deformable at the start of a step.
#[derive(Clone, Debug)]
pub(crate) struct Surface {
    /// Slot of its collider, and of the deformable.
    pub collider: u32,
    pub soft: u32,
    pub skin: Arc<Skin>,
    /// Whether one of its nodes moves.
    pub moves: bool,
    /// Its nodes, by number.
    pub nodes: Vec<Node>,
    /// By node of the tree: swept over the step.
    pub boxes: Vec<Bounds>,
}

/// A node of a surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// Slot of the body that carries it.
    pub body: u32,
    /// World, m.
    pub at: DVec3,
    /// Expected velocity, m/s, and by how much the elements and joints may change it, m/s.
    pub vel: DVec3,
    pub jerk: f64,
}

impl Node {
    /// How it is expected to move.
    pub fn travel(&self) -> Travel {
        Travel { start: Pose::at(self.at), vel: self.vel, omega: DVec3::ZERO, jerk: self.jerk }
    }
}

/// A touch on a deformable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SoftTouch {
    pub touch: Touch,
    pub spread: [Spread; 2],
}

impl SoftTouch {
    /// The other way round.
    pub fn flip(&mut self) {
        flip(&mut self.touch);
        self.spread.swap(0, 1);
    }
}

/// Work memory.
#[derive(Clone, Debug)]
pub(crate) struct Work {
    pub found: Vec<u32>,
    pub touches: Vec<SoftTouch>,
    /// A ball, a piece of a bar and a triangle, to be filled in.
    pub ball: Part,
    pub bar: Part,
    pub triangle: Part,
}

impl Default for Work {
    fn default() -> Self {
        let part = |solid| Part { pose: Pose::IDENTITY, solid: Solid::Convex(solid) };
        let (ball, bar) = (part(Convex::bar()), part(Convex::bar()));
        Work { found: Vec::new(), touches: Vec::new(), ball, bar, triangle: part(Convex::triangle()) }
    }
}

impl Surface {
    /// The surface of a deformable with a skin.
    pub fn new(model: &Model, collider: u32, soft: u32) -> Option<Self> {
        let entry = model.softs.at(soft as usize)?;
        let skin = entry.skin.as_ref()?.0.clone();
        let rest = |body: u32| Node { body, at: DVec3::ZERO, vel: DVec3::ZERO, jerk: 0.0 };
        let nodes = entry.nodes.iter().map(|n| rest(n.body().0.slot)).collect();
        Some(Surface { collider, soft, skin, moves: false, nodes, boxes: Vec::new() })
    }

    /// Nodes and boxes of a step; `of` tells how a body moves, and whether it does.
    pub fn advance(&mut self, model: &Model, h: f64, of: impl Fn(u32) -> (Travel, bool)) {
        let Some(entry) = model.softs.at(self.soft as usize) else { return };
        for (node, n) in self.nodes.iter_mut().zip(&entry.nodes) {
            let (travel, moves) = of(node.body);
            self.moves |= moves;
            let arm = travel.start.rot * n.point();
            (node.at, node.vel) = (travel.start.pos + arm, travel.vel + travel.omega.cross(arm));
            node.jerk = travel.jerk;
        }
        let (skin, nodes) = (&self.skin, &self.nodes);
        let of = |k: u32| {
            let corners = skin.patches[k as usize].corners.map(|n| &nodes[n as usize]);
            let jerk = corners.iter().fold(0.0, |m: f64, n| m.max(n.jerk));
            let swept = corners.iter().fold(Bounds::EMPTY, |b, n| b.with(n.at).with(n.at + h * n.vel));
            swept.grown((1.0 + T.contact.margin) * skin.radius + h * jerk)
        };
        skin.tree.refit(of, &mut self.boxes);
    }

    /// The box around all of it.
    pub fn bounds(&self) -> Bounds {
        self.boxes.first().copied().unwrap_or(Bounds::EMPTY)
    }

    /// What a contact at these nodes acts on.
    pub fn spread(&self, nodes: &[(u32, f64)]) -> Spread {
        let mut out = Spread::default();
        for &(n, weight) in nodes {
            let node = &self.nodes[n as usize];
            out.nodes[out.count] = (node.body, node.at, weight);
            out.count += 1;
        }
        out
    }
}
