//! Ropes over guides and their free sheaves in a glTF file: pieces of a rope as stretched cylinders, sheaves that turn on their bodies.

use super::{CABLE, File, Recorder, unwind};
use crate::moment::Moment;
use crate::ropes::Piece;
use serde_json::{Value, json};
use taut::{Quat, Vec3, World};

/// Ropes and sheaves of the frames so far.
#[derive(Debug, Default)]
pub(super) struct Lines {
    /// Of each frame, for each rope its pieces: six numbers each.
    pieces: Vec<Vec<Vec<[f32; 6]>>>,
    /// One angle per sheave and frame, rad.
    turns: Vec<f64>,
}

impl Lines {
    /// Numbers that are kept.
    pub fn len(&self) -> usize {
        self.turns.len() + 6 * self.pieces.iter().flatten().map(Vec::len).sum::<usize>()
    }
}

fn bare(p: &Piece) -> [f32; 6] {
    let [a, b] = p.ends.map(|x| x.as_vec3().to_array());
    [a[0], a[1], a[2], b[0], b[1], b[2]]
}

impl Recorder {
    /// Keeps a frame.
    pub(super) fn keep_ropes(&mut self, world: &World) {
        let one = |k: usize| {
            let mut pieces = Vec::new();
            self.drawing.pieces(world, k, true, &mut pieces);
            pieces.iter().map(bare).collect()
        };
        let frame: Vec<Vec<[f32; 6]>> = (0..self.drawing.ropes.len()).map(one).collect();
        let turns = Moment::new(world, &self.drawing).sheaves();
        self.lines.pieces.push(frame);
        self.lines.turns.extend(turns);
    }

    /// Ropes piece by piece. Where a frame has fewer of them than another, the rest has no length and is not seen.
    pub(super) fn ropes(&self, file: &mut File, time: usize) {
        for (k, rope) in self.drawing.ropes.iter().enumerate() {
            let most = self.lines.pieces.iter().map(|f| f[k].len()).max().unwrap_or(0);
            for piece in 0..most {
                let at = |f: usize| {
                    let frame = &self.lines.pieces[f][k];
                    // What is missing waits where the last piece ends.
                    let end = frame.last().map_or([0.0; 3], |p| [p[3], p[4], p[5]]);
                    let p = frame.get(piece).copied().unwrap_or([end[0], end[1], end[2], end[0], end[1], end[2]]);
                    let point = |c: usize| Vec3::new(f64::from(p[c]), f64::from(p[c + 1]), f64::from(p[c + 2]));
                    [point(0), point(3)]
                };
                let name = format!("{} {piece}", if rope.name.is_empty() { "rope" } else { &rope.name });
                self.stretched(file, &name, rope.radius, time, at);
            }
        }
    }

    /// Free sheaves, as children of their bodies.
    pub(super) fn sheaves(&self, file: &mut File, primitives: &[Value], time: usize) {
        let n = self.drawing.sheaves.len();
        for (k, s) in self.drawing.sheaves.iter().enumerate() {
            let own = Quat::from_array(s.rot);
            let turn = |f: usize| {
                let (sin, cos) = libm::sincos(0.5 * self.lines.turns[f * n + k]);
                (own * Quat::from_xyzw(0.0, sin, 0.0, cos)).as_quat().to_array()
            };
            let mut turns: Vec<[f32; 4]> = (0..self.frames()).map(turn).collect();
            unwind(&mut turns);
            let mut primitive = primitives[s.mesh].clone();
            primitive["material"] = json!(CABLE);
            let mesh = file.mesh(primitive);
            let Some(body) = file.nodes_of_bodies(&self.drawing, s.body) else { continue };
            let node = file.nodes.len();
            let name = format!("sheave {k}");
            file.nodes
                .push(json!({ "name": name, "mesh": mesh, "translation": s.pos, "rotation": turns[0], "child": true }));
            file.animate(node, "rotation", time, &turns, "VEC4");
            match file.nodes[body].get_mut("children").and_then(Value::as_array_mut) {
                Some(list) => list.push(json!(node)),
                None => file.nodes[body]["children"] = json!([node]),
            }
        }
    }
}
