//! A run as a glTF animation: every body a node with its meshes, rods and ropes as stretched cylinders, cloth as a skin over its particles, deformables as
//! skins over what carries their nodes.

mod glb;
mod ropes;

use crate::drawing::{Drawing, Soft};
use crate::mesh::Mesh;
use crate::moment::Moment;
use glb::{CORNERS, Glb};
use serde_json::{Value, json};
use taut::{Error, Quat, Result, Vec3, World, shapes::Solid};
use taut_scenes::Scene;

/// Most numbers that are kept: more does not fit into the memory of a browser.
const MOST: usize = 1 << 27;

/// Keeps poses of a run from step to step.
#[derive(Debug)]
pub struct Recorder {
    name: String,
    drawing: Drawing,
    /// Shortest time between two frames, s.
    every: f64,
    times: Vec<f32>,
    /// Seven per body and frame.
    poses: Vec<f32>,
    /// Six per rod and frame.
    rods: Vec<f32>,
    /// Ropes over guides, and the turns of sheaves.
    lines: ropes::Lines,
    /// Three per node of a deformable, at the start.
    softs: Vec<f32>,
}

/// Materials in the file, by number: name, colour, metal, roughness.
const MATERIALS: [(&str, [f64; 3], f64, f64); 5] = [
    ("body", [0.55, 0.60, 0.66], 0.2, 0.6),
    ("fixed", [0.35, 0.36, 0.38], 0.0, 0.9),
    ("ground", [0.80, 0.80, 0.78], 0.0, 1.0),
    ("cable", [0.12, 0.12, 0.13], 0.4, 0.5),
    ("cloth", [0.25, 0.45, 0.70], 0.0, 0.9),
];
const CABLE: usize = 3;
const CLOTH: usize = 4;

impl Recorder {
    /// Starts at the present moment of a scene, with at most `fps` frames per second of simulated time.
    pub fn new(name: &str, scene: &Scene, fps: f64) -> Result<Self> {
        if !(fps.is_finite() && fps > 0.0) {
            return Err(Error::input("frames per second", fps, "a positive, finite number"));
        }
        let drawing = Drawing::of(scene)?;
        let name = name.to_owned();
        let (times, poses, rods, softs, lines) = (vec![], vec![], vec![], vec![], ropes::Lines::default());
        let mut out = Recorder { name, drawing, every: 1.0 / fps, times, poses, rods, lines, softs };
        out.softs = Moment::new(&scene.world, &out.drawing).softs();
        out.keep(&scene.world)?;
        Ok(out)
    }

    /// Looks at the world after a step; keeps it when enough time has passed.
    pub fn see(&mut self, world: &World) -> Result<()> {
        let due = self.times.last().map_or(0.0, |&t| f64::from(t) + self.every);
        // A step that ends on a frame to rounding is the frame.
        if world.time() < due * (1.0 - 1e-6) { Ok(()) } else { self.keep(world) }
    }

    fn keep(&mut self, world: &World) -> Result<()> {
        let kept = self.poses.len() + self.rods.len() + self.lines.len();
        if kept > MOST {
            let expected = format!("at most {MOST}: fewer frames per second, or a shorter run");
            return Err(Error::input("numbers in the recording", kept, expected));
        }
        let now = Moment::new(world, &self.drawing);
        self.times.push(world.time() as f32);
        self.poses.extend(now.poses());
        self.rods.extend(now.rods().chunks_exact(7).flat_map(|r| r[..6].iter().map(|&x| x as f32)));
        self.keep_ropes(world);
        Ok(())
    }

    /// Frames so far.
    pub fn frames(&self) -> usize {
        self.times.len()
    }

    /// The file (GLB).
    pub fn file(&self) -> Vec<u8> {
        let mut file = File::default();
        let start = self.times.first().copied().unwrap_or(0.0);
        let times: Vec<[f32; 1]> = self.times.iter().map(|t| [t - start]).collect();
        let time = file.glb.floats(&times, "SCALAR", None, true);
        let primitives: Vec<Value> = self.drawing.meshes.iter().map(|m| file.primitive(m)).collect();
        self.bodies(&mut file, &primitives, time);
        self.sheaves(&mut file, &primitives, time);
        self.straight(&mut file, time);
        self.ropes(&mut file, time);
        let mut skins = self.cloth(&mut file);
        let mut from = 0;
        for soft in &self.drawing.softs {
            skins.extend(self.soft(&mut file, soft, from, skins.len()));
            from += soft.nodes;
        }
        let scene: Vec<usize> = (0..file.nodes.len()).filter(|&k| file.nodes[k].get("child").is_none()).collect();
        file.nodes.iter_mut().for_each(|n| drop(n.as_object_mut().map(|n| n.remove("child"))));
        let materials: Vec<Value> = MATERIALS.iter().map(material).collect();
        let mut rest = json!({
            "asset": { "version": "2.0", "generator": concat!("Taut ", env!("CARGO_PKG_VERSION")) },
            "scene": 0,
            "scenes": [{ "name": self.name, "nodes": scene }],
            "nodes": file.nodes,
            "meshes": file.meshes,
            "materials": materials,
        });
        if !file.channels.is_empty() {
            rest["animations"] = json!([{ "name": "run", "channels": file.channels, "samplers": file.samplers }]);
        }
        if !skins.is_empty() {
            rest["skins"] = Value::Array(skins);
        }
        // A list may not be empty.
        if file.meshes.is_empty() {
            rest.as_object_mut().map(|r| r.remove("meshes"));
        }
        file.glb.file(rest)
    }

    fn bodies(&self, file: &mut File, primitives: &[Value], time: usize) {
        let (n, width) = (self.drawing.bodies.len(), 7);
        for (k, body) in self.drawing.bodies.iter().enumerate() {
            let at = |f: usize| &self.poses[(f * n + k) * width..(f * n + k) * width + width];
            let places: Vec<[f32; 3]> = (0..self.frames()).map(|f| [at(f)[0], at(f)[1], at(f)[2]]).collect();
            let mut turns: Vec<[f32; 4]> =
                (0..self.frames()).map(|f| [at(f)[3], at(f)[4], at(f)[5], at(f)[6]]).collect();
            unwind(&mut turns);
            let node = file.nodes.len();
            file.nodes.push(json!({ "name": body.name, "translation": places[0], "rotation": turns[0] }));
            file.animate(node, "translation", time, &places, "VEC3");
            file.animate(node, "rotation", time, &turns, "VEC4");
            let mut children = Vec::new();
            for part in &body.parts {
                let mut primitive = primitives[part.mesh].clone();
                let look = if part.ground { 2 } else { usize::from(matches!(body.motion, "fixed" | "kinematic")) };
                primitive["material"] = json!(if body.link { CABLE } else { look });
                let mesh = file.mesh(primitive);
                children.push(file.nodes.len());
                file.nodes.push(json!({ "mesh": mesh, "translation": part.pos, "rotation": part.rot, "child": true }));
            }
            if !children.is_empty() {
                file.nodes[node]["children"] = json!(children);
            }
        }
    }

    /// Rods between bodies; those of links are in the links.
    fn straight(&self, file: &mut File, time: usize) {
        let n = self.drawing.rods.len();
        for (k, rod) in self.drawing.rods.iter().enumerate().filter(|(_, r)| r.kind != "cable") {
            let at = |f: usize| {
                let at = &self.rods[(f * n + k) * 6..(f * n + k) * 6 + 6];
                let point = |c: usize| Vec3::new(f64::from(at[c]), f64::from(at[c + 1]), f64::from(at[c + 2]));
                [point(0), point(3)]
            };
            self.stretched(file, &format!("{} {k}", rod.kind), rod.radius, time, at);
        }
    }

    /// A cylinder between two points in each frame.
    fn stretched(&self, file: &mut File, name: &str, radius: f64, time: usize, at: impl Fn(usize) -> [Vec3; 2]) {
        let (mut places, mut turns, mut scales) = (Vec::new(), Vec::new(), Vec::new());
        for f in 0..self.frames() {
            let [a, b] = at(f);
            let d = b - a;
            // What is gone has no length, and is not seen.
            let (along, radius) = d.try_normalize().map_or((Vec3::Y, 0.0), |u| (u, radius));
            places.push((0.5 * (a + b)).as_vec3().to_array());
            turns.push(Quat::from_rotation_arc(Vec3::Y, along).as_quat().to_array());
            scales.push([radius as f32, 0.5 * d.length() as f32, radius as f32]);
        }
        unwind(&mut turns);
        let mesh = file.unit();
        let node = file.nodes.len();
        let (place, turn, scale) = (places[0], turns[0], scales[0]);
        file.nodes.push(json!({ "name": name, "mesh": mesh, "translation": place, "rotation": turn, "scale": scale }));
        file.animate(node, "translation", time, &places, "VEC3");
        file.animate(node, "rotation", time, &turns, "VEC4");
        file.animate(node, "scale", time, &scales, "VEC3");
    }

    /// The surface hangs on the nodes of its bodies, which come first in the file.
    fn cloth(&self, file: &mut File) -> Vec<Value> {
        let mut used = self.drawing.surface.clone();
        used.sort_unstable();
        used.dedup();
        if used.is_empty() || used.len() > usize::from(u16::MAX) {
            return Vec::new();
        }
        let nodes: Vec<usize> = used.iter().filter_map(|&b| file.nodes_of_bodies(&self.drawing, b)).collect();
        let first: Vec<[f32; 3]> = used.iter().map(|&b| std::array::from_fn(|c| self.poses[7 * b + c])).collect();
        let indices: Vec<u32> =
            self.drawing.surface.iter().map(|b| used.binary_search(b).unwrap_or(0) as u32).collect();
        let normals = normals(&first, &indices);
        let bind: Vec<[f32; 16]> =
            first.iter().map(|p| [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., -p[0], -p[1], -p[2], 1.]).collect();
        let joints: Vec<[u16; 4]> = (0..used.len()).map(|k| [k as u16, 0, 0, 0]).collect();
        let g = &mut file.glb;
        let primitive = json!({
            "attributes": {
                "POSITION": g.floats(&first, "VEC3", CORNERS, true),
                "NORMAL": g.floats(&normals, "VEC3", CORNERS, false),
                "JOINTS_0": g.joints(&joints),
                "WEIGHTS_0": g.floats(&vec![[1.0f32, 0.0, 0.0, 0.0]; used.len()], "VEC4", CORNERS, false),
            },
            "indices": g.indices(&indices),
            "material": CLOTH,
        });
        let bind = g.floats(&bind, "MAT4", None, false);
        let mesh = file.mesh(primitive);
        file.nodes.push(json!({ "name": "cloth", "mesh": mesh, "skin": 0 }));
        vec![json!({ "joints": nodes, "inverseBindMatrices": bind })]
    }
}

impl Recorder {
    /// The surface of a deformable, whose nodes begin at number `from` of all: corners hang on the bodies that carry the nodes.
    fn soft(&self, file: &mut File, soft: &Soft, from: usize, skin: usize) -> Option<Value> {
        let mut used: Vec<usize> = soft.carriers.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        if soft.triangles.is_empty() || used.len() > usize::from(u16::MAX) {
            return None;
        }
        let nodes: Vec<usize> = used.iter().filter_map(|&b| file.nodes_of_bodies(&self.drawing, b)).collect();
        let place = |k: usize| -> [f32; 3] { std::array::from_fn(|c| self.softs[3 * (from + k) + c]) };
        let first: Vec<[f32; 3]> = (0..soft.nodes).map(place).collect();
        let bind = |&b: &usize| -> [f32; 16] {
            let p: [f64; 7] = std::array::from_fn(|c| f64::from(self.poses[7 * b + c]));
            let turn = Quat::from_xyzw(p[3], p[4], p[5], p[6]).normalize().inverse();
            let m = taut::Mat3::from_quat(turn);
            let t = -(turn * Vec3::new(p[0], p[1], p[2]));
            let column = |v: Vec3, w: f64| [v.x as f32, v.y as f32, v.z as f32, w as f32];
            let columns = [column(m.x_axis, 0.0), column(m.y_axis, 0.0), column(m.z_axis, 0.0), column(t, 1.0)];
            std::array::from_fn(|k| columns[k / 4][k % 4])
        };
        let bind: Vec<[f32; 16]> = used.iter().map(bind).collect();
        // The four heaviest of what carries a node, which add up to 1.
        let (mut joints, mut weights) = (Vec::new(), Vec::new());
        for (carriers, of) in soft.carriers.iter().zip(&soft.weights) {
            let mut ties: Vec<(f64, usize)> = of.iter().copied().zip(carriers.iter().copied()).collect();
            ties.sort_by(|a, b| b.0.total_cmp(&a.0));
            ties.truncate(4);
            let all: f64 = ties.iter().map(|t| t.0).sum();
            let tie = |k: usize| ties.get(k).copied().unwrap_or((0.0, used[0]));
            joints.push(std::array::from_fn(|k| used.binary_search(&tie(k).1).unwrap_or(0) as u16));
            weights.push(std::array::from_fn::<f32, 4, _>(|k| (tie(k).0 / all) as f32));
        }
        let normals = normals(&first, &soft.triangles);
        let g = &mut file.glb;
        let primitive = json!({
            "attributes": {
                "POSITION": g.floats(&first, "VEC3", CORNERS, true),
                "NORMAL": g.floats(&normals, "VEC3", CORNERS, false),
                "JOINTS_0": g.joints(&joints),
                "WEIGHTS_0": g.floats(&weights, "VEC4", CORNERS, false),
            },
            "indices": g.indices(&soft.triangles),
            "material": CLOTH,
        });
        let bind = g.floats(&bind, "MAT4", None, false);
        let mesh = file.mesh(primitive);
        file.nodes.push(json!({ "name": soft.name, "mesh": mesh, "skin": skin }));
        Some(json!({ "joints": nodes, "inverseBindMatrices": bind }))
    }
}

/// Normals of corners: sums over the triangles around them.
fn normals(first: &[[f32; 3]], indices: &[u32]) -> Vec<[f32; 3]> {
    let mut normals = vec![Vec3::ZERO; first.len()];
    for t in indices.chunks_exact(3) {
        let at = |k: usize| Vec3::from_array(first[t[k] as usize].map(f64::from));
        let n = (at(1) - at(0)).cross(at(2) - at(0));
        t.iter().for_each(|&k| normals[k as usize] += n);
    }
    normals.iter().map(|n| n.normalize_or(Vec3::Y).as_vec3().to_array()).collect()
}

/// A material.
fn material((name, [r, g, b], metal, rough): &(&str, [f64; 3], f64, f64)) -> Value {
    json!({
        "name": name,
        "doubleSided": *name == "cloth",
        "pbrMetallicRoughness": {
            "baseColorFactor": [r, g, b, 1.0], "metallicFactor": metal, "roughnessFactor": rough
        },
    })
}

/// Signs so that each rotation is near the one before: the players go the short way.
fn unwind(turns: &mut [[f32; 4]]) {
    for k in 1..turns.len() {
        let dot: f32 = (0..4).map(|c| turns[k][c] * turns[k - 1][c]).sum();
        if dot < 0.0 {
            turns[k] = turns[k].map(|x| -x);
        }
    }
}

/// The lists of the file.
#[derive(Default)]
struct File {
    glb: Glb,
    nodes: Vec<Value>,
    meshes: Vec<Value>,
    channels: Vec<Value>,
    samplers: Vec<Value>,
    /// The mesh of rods.
    unit: Option<usize>,
}

impl File {
    fn primitive(&mut self, m: &Mesh) -> Value {
        let g = &mut self.glb;
        json!({
            "attributes": {
                "POSITION": g.floats(&m.positions, "VEC3", CORNERS, true),
                "NORMAL": g.floats(&m.normals, "VEC3", CORNERS, false),
            },
            "indices": g.indices(&m.indices),
        })
    }

    /// The number of a mesh of one primitive, the same for the same one.
    fn mesh(&mut self, primitive: Value) -> usize {
        let mesh = json!({ "primitives": [primitive] });
        self.meshes.iter().position(|m| *m == mesh).unwrap_or_else(|| {
            self.meshes.push(mesh);
            self.meshes.len() - 1
        })
    }

    /// The mesh of rods: a cylinder of radius and half height 1 m.
    fn unit(&mut self) -> usize {
        if let Some(mesh) = self.unit {
            return mesh;
        }
        let mut primitive = self.primitive(&Mesh::of_solid(&Solid::Cylinder { half_height: 1.0, radius: 1.0 }));
        primitive["material"] = json!(CABLE);
        let mesh = self.mesh(primitive);
        self.unit = Some(mesh);
        mesh
    }

    /// Animates a property of a node, unless it never changes.
    fn animate<const N: usize>(&mut self, node: usize, path: &str, time: usize, values: &[[f32; N]], kind: &str) {
        if values.windows(2).all(|w| w[0] == w[1]) {
            return;
        }
        let output = self.glb.floats(values, kind, None, false);
        self.samplers.push(json!({ "input": time, "output": output, "interpolation": "LINEAR" }));
        self.channels.push(json!({ "sampler": self.samplers.len() - 1, "target": { "node": node, "path": path } }));
    }

    /// The node of a body: bodies are written in order, each followed by its parts.
    fn nodes_of_bodies(&self, drawing: &Drawing, body: usize) -> Option<usize> {
        let before: usize = drawing.bodies[..body].iter().map(|b| 1 + b.parts.len()).sum();
        self.nodes.get(before).map(|_| before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taut_scenes::find;

    fn recorded(name: &str, set: &[(&str, &str)], steps: usize) -> (Recorder, Value, Vec<u8>) {
        let (mut scene, _) = find(name).unwrap().with(set).unwrap();
        let mut r = Recorder::new(name, &scene, 30.0).unwrap();
        for _ in 0..steps {
            scene.step(1.0 / 60.0).unwrap();
            r.see(&scene.world).unwrap();
        }
        let file = r.file();
        let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
        assert_eq!((&file[..4], word(4), word(8)), (&b"glTF"[..], 2, file.len()));
        let json: Value = serde_json::from_slice(&file[20..20 + word(12)]).unwrap();
        let bin = file[20 + word(12) + 8..].to_vec();
        assert_eq!(json["buffers"][0]["byteLength"], bin.len());
        (r, json, bin)
    }

    /// Numbers of an accessor.
    fn floats(json: &Value, bin: &[u8], accessor: usize, per: usize) -> Vec<f32> {
        let a = &json["accessors"][accessor];
        let view = &json["bufferViews"][a["bufferView"].as_u64().unwrap() as usize];
        let start = view["byteOffset"].as_u64().unwrap() as usize;
        let count = a["count"].as_u64().unwrap() as usize * per;
        (0..count).map(|k| f32::from_le_bytes(bin[start + 4 * k..start + 4 * k + 4].try_into().unwrap())).collect()
    }

    #[test]
    fn a_run_is_in_the_file() {
        let (r, json, bin) = recorded("crane", &[("segments", "6")], 60);
        // Half of 60 steps and the start.
        assert_eq!(r.frames(), 31);
        let nodes = json["nodes"].as_array().unwrap();
        let vehicle = nodes.iter().position(|n| n["name"] == "vehicle").unwrap();
        let channel = json["animations"][0]["channels"].as_array().unwrap().iter();
        let moves =
            channel.clone().find(|c| c["target"]["node"] == vehicle && c["target"]["path"] == "translation").unwrap();
        let sampler = &json["animations"][0]["samplers"][moves["sampler"].as_u64().unwrap() as usize];
        let path = floats(&json, &bin, sampler["output"].as_u64().unwrap() as usize, 3);
        assert_eq!(path.len(), 93);
        // It falls; the last frame is where the world has it.
        assert!(path[91] < path[1] - 0.5, "{} after {}", path[91], path[1]);
        let times = floats(&json, &bin, sampler["input"].as_u64().unwrap() as usize, 1);
        assert!((times[30] - 1.0).abs() < 1e-5 && times[0] == 0.0);
        let children = nodes[vehicle]["children"].as_array().unwrap();
        assert_eq!(children.len(), 1);
    }

    #[test]
    fn cloth_hangs_on_its_particles() {
        let (_, json, _) = recorded("cloth", &[("side", "4")], 4);
        let skin = &json["skins"][0];
        assert_eq!(skin["joints"].as_array().unwrap().len(), 16);
        let nodes = json["nodes"].as_array().unwrap();
        let name = |k: usize| nodes[skin["joints"][k].as_u64().unwrap() as usize]["name"].as_str().unwrap();
        assert_eq!((name(0), name(15)), ("particle 0.0", "particle 3.3"));
    }

    #[test]
    fn bad_rates_are_refused() {
        let (scene, _) = find("chain").unwrap().with(&[]).unwrap();
        for fps in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(Recorder::new("x", &scene, fps).is_err());
        }
    }
}
