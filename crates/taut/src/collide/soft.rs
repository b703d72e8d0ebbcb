//! Surfaces of deformables in collision: where their nodes are and how they are expected to move, and boxes around their parts.

use crate::contact::Share;
use crate::contact::bounds::Bounds;
use crate::contact::convex::Convex;
use crate::contact::geometry::{Part, Solid};
use crate::contact::manifold::Touch;
use crate::contact::narrow::{Narrow, flip};
use crate::contact::skin::{Patch, Skin};
use crate::contact::travel::Travel;
use crate::math::pose::Pose;
use crate::math::so3::from_y;
use crate::model::Model;
use crate::model::soft::Carrier;
use crate::tuning::T;
use glam::{DQuat, DVec3};
use std::ops::Range;
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
    /// Bodies that carry nodes: shares of a node, with their points in the world.
    pub carriers: Vec<Share>,
    /// By node of the tree: swept over the step.
    pub boxes: Vec<Bounds>,
}

/// A node of a surface.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// World, m.
    pub at: DVec3,
    /// Expected velocity, m/s, and by how much the elements and joints may change it, m/s.
    pub vel: DVec3,
    pub jerk: f64,
    /// What carries it, in `Surface::carriers`.
    pub on: Range<u32>,
}

impl Node {
    /// How it is expected to move.
    pub fn travel(&self) -> Travel {
        Travel { start: Pose::at(self.at), vel: self.vel, omega: DVec3::ZERO, jerk: self.jerk }
    }
}

/// A place on a surface: up to three nodes with their weights. Those beyond have none.
pub(crate) type Spot = [(u32, f64); 3];

/// The place of a node.
pub(crate) fn at_node(n: u32) -> Spot {
    [(n, 1.0), (n, 0.0), (n, 0.0)]
}

/// A touch on a deformable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SoftTouch {
    pub touch: Touch,
    /// Where on the surfaces it is; of a body it means nothing.
    pub on: [Spot; 2],
}

impl SoftTouch {
    /// The other way round.
    pub fn flip(&mut self) {
        flip(&mut self.touch);
        self.on.swap(0, 1);
    }

    /// It the other way round.
    pub fn flipped(mut self) -> Self {
        self.flip();
        self
    }
}

/// Work memory.
#[derive(Clone, Debug)]
pub(crate) struct Work {
    pub found: Vec<u32>,
    pub narrow: Narrow,
    /// Touches of one part.
    pub part: Vec<Touch>,
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
        let (found, touches, triangle) = (Vec::new(), Vec::new(), part(Convex::triangle()));
        Work { found, narrow: Narrow::default(), part: Vec::new(), touches, ball, bar, triangle }
    }
}

impl Surface {
    /// The surface of a deformable with a skin.
    pub fn new(model: &Model, collider: u32, soft: u32) -> Option<Self> {
        let entry = model.softs.at(soft as usize)?;
        let skin = entry.skin.as_ref()?.0.clone();
        let (mut nodes, mut carriers) = (Vec::with_capacity(entry.nodes.len()), Vec::new());
        for n in 0..entry.nodes.len() {
            let first = carriers.len() as u32;
            let share = |c: Carrier| Share { body: c.body.0.slot as usize, point: DVec3::ZERO, weight: c.weight };
            carriers.extend(entry.carriers(n).map(share));
            nodes.push(Node { at: DVec3::ZERO, vel: DVec3::ZERO, jerk: 0.0, on: first..carriers.len() as u32 });
        }
        Some(Surface { collider, soft, skin, moves: false, nodes, carriers, boxes: Vec::new() })
    }

    /// Nodes and boxes of a step; `of` tells how a body moves, and whether it does.
    pub fn advance(&mut self, model: &Model, h: f64, of: impl Fn(u32) -> (Travel, bool)) {
        let Some(entry) = model.softs.at(self.soft as usize) else { return };
        for (k, node) in self.nodes.iter_mut().enumerate() {
            (node.at, node.vel, node.jerk) = (DVec3::ZERO, DVec3::ZERO, 0.0);
            let own = &mut self.carriers[node.on.start as usize..node.on.end as usize];
            for (share, c) in own.iter_mut().zip(entry.carriers(k)) {
                let (travel, moves) = of(c.body.0.slot);
                self.moves |= moves;
                let arm = travel.start.rot * c.point;
                share.point = travel.start.pos + arm;
                node.at += c.weight * share.point;
                node.vel += c.weight * (travel.vel + travel.omega.cross(arm));
                node.jerk = travel.jerk.max(node.jerk);
            }
        }
        let mut boxes = std::mem::take(&mut self.boxes);
        self.skin.tree.refit(|k| self.swept(&self.skin.patches[k as usize], h), &mut boxes);
        self.boxes = boxes;
    }

    /// The box that a patch sweeps in a step.
    pub fn swept(&self, patch: &Patch, h: f64) -> Bounds {
        let corners = patch.corners.map(|n| &self.nodes[n as usize]);
        let jerk = corners.iter().fold(0.0, |m: f64, n| m.max(n.jerk));
        let swept = corners.iter().fold(Bounds::EMPTY, |b, n| b.with(n.at).with(n.at + h * n.vel));
        swept.grown((1.0 + T.contact.margin) * self.skin.radius + h * jerk)
    }

    /// The box around all of it.
    pub fn bounds(&self) -> Bounds {
        self.boxes.first().copied().unwrap_or(Bounds::EMPTY)
    }

    /// Bodies that carry a node.
    pub fn carriers(&self, n: u32) -> &[Share] {
        let on = &self.nodes[n as usize].on;
        &self.carriers[on.start as usize..on.end as usize]
    }

    /// What a contact at a place acts on.
    pub fn share(&self, spot: &Spot, out: &mut Vec<Share>) {
        for &(n, weight) in spot.iter().filter(|s| s.1 != 0.0) {
            out.extend(self.carriers(n).iter().map(|s| Share { weight: weight * s.weight, ..*s }));
        }
    }

    /// The solid of a patch, about the middle of its corners, with the mean of their velocities: what they differ by may happen too.
    pub fn solid(&self, patch: &Patch, part: &mut Part) -> Travel {
        let nodes = patch.corners.map(|n| &self.nodes[n as usize]);
        let own = if patch.is_bar { &nodes[..2] } else { &nodes[..] };
        let share = 1.0 / own.len() as f64;
        let middle = share * own.iter().map(|n| n.at).sum::<DVec3>();
        let vel = share * own.iter().map(|n| n.vel).sum::<DVec3>();
        let jerk = own.iter().fold(0.0, |m: f64, n| m.max(n.jerk + n.vel.distance(vel)));
        let (radius, mut rot) = (self.skin.radius, DQuat::IDENTITY);
        if let Solid::Convex(c) = &mut part.solid {
            if patch.is_bar {
                let along = nodes[1].at - nodes[0].at;
                c.set_bar(0.5 * along.length(), radius);
                rot = from_y(along.try_normalize().unwrap_or(DVec3::Y));
            } else {
                c.set_triangle(nodes.map(|n| n.at - middle));
                (c.skin, c.thickness) = (radius, radius);
            }
        }
        Travel { start: Pose { pos: middle, rot }, vel, omega: DVec3::ZERO, jerk }
    }
}
