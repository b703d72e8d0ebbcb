//! Numbers of the present moment, in the order of a drawing: what a viewer reads after every step.

use crate::drawing::Drawing;
use crate::{rods, ropes};
use std::collections::BTreeMap;
use taut::study::Study;
use taut::{Result, Vec3, World};

/// Reads a world by the numbers of a drawing. What is gone since the drawing was made reads as zeros.
pub struct Moment<'a> {
    world: &'a World,
    drawing: &'a Drawing,
}

fn put(out: &mut Vec<f64>, v: Vec3) {
    out.extend(v.to_array());
}

impl<'a> Moment<'a> {
    /// Of a world that the drawing was made of.
    pub fn new(world: &'a World, drawing: &'a Drawing) -> Self {
        Moment { world, drawing }
    }

    /// Seven per body: position (m) and rotation x, y, z, w.
    pub fn poses(&self) -> Vec<f32> {
        let mut out = Vec::with_capacity(7 * self.drawing.body_ids.len());
        // Nodes of ropes with mass that are not out are where they will come out.
        let mut waiting = BTreeMap::new();
        for (_, rope) in self.world.heavy_ropes() {
            let feed = rope.nodes().first().map_or(Vec3::ZERO, |b| self.world[*b].pos);
            waiting.extend(rope.waiting().map(|b| (b, feed)));
        }
        for &id in &self.drawing.body_ids {
            match self.world.body(id) {
                Ok(b) if waiting.contains_key(&id) => {
                    let at = waiting.get(&id).copied().unwrap_or(b.pose().pos);
                    out.extend(at.to_array().into_iter().chain(b.pose().rot.to_array()).map(|x| x as f32));
                }
                Ok(b) => {
                    out.extend(b.pose().pos.to_array().into_iter().chain(b.pose().rot.to_array()).map(|x| x as f32))
                }
                Err(_) => out.extend([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]),
            }
        }
        out
    }

    /// One per body: whether it sleeps.
    pub fn asleep(&self) -> Vec<u8> {
        self.drawing.body_ids.iter().map(|&b| u8::from(self.world.is_asleep(b).unwrap_or(false))).collect()
    }

    /// One per body: energy that the stabiliser took from it in the last step, J.
    pub fn damping(&self) -> Vec<f64> {
        self.drawing.body_ids.iter().map(|&b| -self.world.stabiliser_work(b).unwrap_or(0.0)).collect()
    }

    /// Eight per joint: its point on the first body (m), the force on that body (N), its opening (m), its tension (N).
    pub fn joints(&self) -> Result<Vec<f64>> {
        let mut out = Vec::with_capacity(8 * self.drawing.joint_ids.len());
        for &id in &self.drawing.joint_ids {
            match self.world.joint(id) {
                Ok(v) => {
                    put(&mut out, v.points().0);
                    put(&mut out, v.force());
                    out.extend([v.gap(), rods::tension(self.world, &v)?]);
                }
                Err(_) => out.extend([0.0; 8]),
            }
        }
        Ok(out)
    }

    /// Seven per rod: its ends (m) and its tension (N).
    pub fn rods(&self) -> Vec<f64> {
        let mut out = Vec::with_capacity(7 * self.drawing.sources.len());
        for source in &self.drawing.sources {
            match rods::now(self.world, source) {
                Some((ends, pull)) => {
                    ends.into_iter().for_each(|p| put(&mut out, p));
                    out.push(pull);
                }
                None => out.extend([0.0; 7]),
            }
        }
        out
    }

    /// Nine per straight piece of ropes over guides: its ends (m), its tension (N), the numbers of the rope and of the span.
    pub fn ropes(&self) -> Vec<f64> {
        let mut pieces = Vec::new();
        (0..self.drawing.ropes.len()).for_each(|k| self.drawing.pieces(self.world, k, false, &mut pieces));
        let mut out = Vec::with_capacity(9 * pieces.len());
        for p in pieces {
            p.ends.into_iter().for_each(|x| put(&mut out, x));
            out.extend([p.tension, p.rope as f64, p.span as f64]);
        }
        out
    }

    /// One per sheave: how far it has turned from its body, rad.
    pub fn sheaves(&self) -> Vec<f64> {
        let angle = |&(rope, k): &(taut::RopeId, usize)| {
            let guide = self.world.rope(rope).ok().and_then(|r| r.guides().find(|g| g.lead == Some(k)));
            guide.filter(|g| g.radius > 0.0).map_or(0.0, |g| ropes::turn(&g))
        };
        self.drawing.turning.iter().map(angle).collect()
    }

    /// Three per node of all deformables: where it is, m.
    pub fn softs(&self) -> Vec<f32> {
        self.world.deformables().flat_map(|d| d.positions()).flat_map(|x| x.to_array()).map(|x| x as f32).collect()
    }

    /// One per node of all deformables: von Mises stress, Pa.
    pub fn stress(&self) -> Vec<f32> {
        self.world.deformables().flat_map(|d| d.stress()).map(|x| x as f32).collect()
    }

    /// Seven per contact point: where (m), the force on the first body (N), the distance (m).
    pub fn contacts(&self) -> Vec<f64> {
        let mut out = Vec::new();
        for c in self.world.contacts() {
            put(&mut out, c.point);
            put(&mut out, c.force);
            out.push(c.distance);
        }
        out
    }

    /// Centre of mass of all that moves freely, m; the origin when nothing does.
    pub fn centre(&self) -> Vec3 {
        let (mut sum, mut mass) = (Vec3::ZERO, 0.0);
        for b in self.drawing.body_ids.iter().filter_map(|&b| self.world.body(b).ok()) {
            (sum, mass) = (sum + b.mass() * b.pose().pos, mass + b.mass());
        }
        if mass > 0.0 { sum / mass } else { Vec3::ZERO }
    }
}
