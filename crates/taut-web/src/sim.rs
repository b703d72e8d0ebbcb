//! The class that JavaScript sees.

use crate::session::Session;
use crate::spawn::Thrown as Body;
use taut::Vec3;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

type Thrown<T> = Result<T, JsValue>;

fn throw<T>(r: Result<T, String>) -> Thrown<T> {
    r.map_err(|message| JsValue::from_str(&message))
}

/// A scene that runs.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Sim(Session);

#[wasm_bindgen]
impl Sim {
    /// A scene of the library. `parameters`: JSON object of name -> text; `settings`: JSON object with stabiliser, solver, coordinates.
    pub fn scene(name: &str, parameters: &str, settings: &str) -> Thrown<Sim> {
        throw(Session::library(name, parameters, settings)).map(Sim)
    }

    /// A scene file, as text.
    pub fn file(text: &str, settings: &str) -> Thrown<Sim> {
        throw(Session::from_file(text, settings)).map(Sim)
    }

    /// Name.
    #[wasm_bindgen(getter)]
    pub fn name(&self) -> String {
        self.0.name.clone()
    }

    /// The scene's own step, s.
    #[wasm_bindgen(getter)]
    pub fn dt(&self) -> f64 {
        self.0.dt
    }

    /// The scene's own time, s.
    #[wasm_bindgen(getter)]
    pub fn duration(&self) -> f64 {
        self.0.duration
    }

    /// Length that gaps are measured against, m.
    #[wasm_bindgen(getter)]
    pub fn length(&self) -> f64 {
        self.0.scene.length
    }

    /// Energy that rises are measured against, J.
    #[wasm_bindgen(getter, js_name = energyScale)]
    pub fn energy_scale(&self) -> f64 {
        self.0.scene.energy_scale
    }

    /// Simulated time, s.
    #[wasm_bindgen(getter)]
    pub fn time(&self) -> f64 {
        self.0.scene.world.time()
    }

    /// Steps taken.
    #[wasm_bindgen(getter)]
    pub fn steps(&self) -> f64 {
        self.0.scene.world.state().steps() as f64
    }

    /// Hash of the state: 16 hex digits, the same as `taut run` prints.
    pub fn hash(&self) -> String {
        self.0.hash()
    }

    /// The world as it is now as a scene file, `{ text, warnings }` as JSON.
    pub fn saved(&self) -> Thrown<String> {
        throw(self.0.saved())
    }

    /// The method in force, JSON.
    pub fn method(&self) -> String {
        self.0.method().to_string()
    }

    /// Changes settings in mid-run.
    pub fn configure(&mut self, settings: &str) -> Thrown<()> {
        throw(self.0.configure(settings))
    }

    /// One step of `h` seconds; when it fails the state is as before.
    pub fn step(&mut self, h: f64) -> Thrown<()> {
        throw(self.0.step(h))
    }

    /// The same, with the times of its stages.
    #[wasm_bindgen(js_name = profiledStep)]
    pub fn profiled_step(&mut self, h: f64) -> Thrown<()> {
        throw(self.0.profiled_step(h))
    }

    /// Changes when the drawing does.
    #[wasm_bindgen(getter)]
    pub fn edition(&self) -> u32 {
        self.0.edition()
    }

    /// What to draw, JSON.
    pub fn drawing(&self) -> Thrown<String> {
        throw(serde_json::to_string(self.0.drawing()).map_err(|e| e.to_string()))
    }

    /// Corners of a mesh, three numbers each, m.
    #[wasm_bindgen(js_name = meshPositions)]
    pub fn mesh_positions(&self, k: usize) -> Vec<f32> {
        self.0.drawing().meshes.get(k).map_or(vec![], |m| m.positions.iter().flatten().copied().collect())
    }

    /// Normals of a mesh, three numbers each.
    #[wasm_bindgen(js_name = meshNormals)]
    pub fn mesh_normals(&self, k: usize) -> Vec<f32> {
        self.0.drawing().meshes.get(k).map_or(vec![], |m| m.normals.iter().flatten().copied().collect())
    }

    /// Corners of the triangles of a mesh.
    #[wasm_bindgen(js_name = meshIndices)]
    pub fn mesh_indices(&self, k: usize) -> Vec<u32> {
        self.0.drawing().meshes.get(k).map_or(vec![], |m| m.indices.clone())
    }

    /// Seven per body: position and rotation.
    pub fn poses(&self) -> Vec<f32> {
        self.0.moment().poses()
    }

    /// One per body: 1 when it sleeps.
    pub fn asleep(&self) -> Vec<u8> {
        self.0.moment().asleep()
    }

    /// One per body: energy that the stabiliser took in the last step, J.
    pub fn damping(&self) -> Vec<f64> {
        self.0.moment().damping()
    }

    /// Eight per joint: point, force on the first body, opening, tension.
    pub fn joints(&self) -> Thrown<Vec<f64>> {
        throw(self.0.moment().joints().map_err(|e| e.to_string()))
    }

    /// Seven per rod: its ends and its tension.
    pub fn rods(&self) -> Vec<f64> {
        self.0.moment().rods()
    }

    /// Nine per straight piece of ropes over guides: its ends, its tension, the numbers of the rope and of the span.
    pub fn ropes(&self) -> Vec<f64> {
        self.0.moment().ropes()
    }

    /// One per sheave: how far it has turned from its body, rad.
    pub fn sheaves(&self) -> Vec<f64> {
        self.0.moment().sheaves()
    }

    /// Winches, JSON: name, rope, whether a motor turns a drum, speed at which it hauls in and wanted speed (m/s), effort (N m).
    pub fn winches(&self) -> String {
        self.0.winches().to_string()
    }

    /// Hauls in by winch k, m/s; negative pays out.
    pub fn haul(&mut self, winch: usize, speed: f64) -> Thrown<()> {
        throw(self.0.haul(winch, speed))
    }

    /// Lets go of winch k: it is the scene's again.
    #[wasm_bindgen(js_name = letGo)]
    pub fn let_go(&mut self, winch: usize) -> Thrown<()> {
        throw(self.0.let_go(winch))
    }

    /// Motors besides those of winches, JSON: name, turns, servo, position, rate, wanted, effort, low, high (m, rad, s, N).
    pub fn motors(&self) -> String {
        self.0.motors().to_string()
    }

    /// Drives motor k: a servo to a position, m or rad, another at a rate, m/s or rad/s; nothing: it is the scene's again.
    pub fn drive(&mut self, motor: usize, value: Option<f64>) -> Thrown<()> {
        throw(self.0.drive(motor, value))
    }

    /// Gravity, m/s^2.
    pub fn gravity(&self) -> Vec<f64> {
        self.0.gravity().to_array().to_vec()
    }

    /// Changes gravity, m/s^2.
    #[wasm_bindgen(js_name = setGravity)]
    pub fn set_gravity(&mut self, x: f64, y: f64, z: f64) -> Thrown<()> {
        throw(self.0.set_gravity(Vec3::new(x, y, z)))
    }

    /// Throws a ball or a cube into the world: radius or half an edge (m), mass (kg), then place (m) and velocity (m/s), three numbers each.
    #[wasm_bindgen(js_name = throwBody)]
    pub fn throw_body(&mut self, ball: bool, size: f64, mass: f64, at: &[f64]) -> Thrown<()> {
        let triple = |k: usize| at.get(3 * k..3 * k + 3).map(Vec3::from_slice);
        let answer = match (triple(0), triple(1)) {
            (Some(at), Some(velocity)) => self.0.throw(Body { ball, size, mass, at, velocity }),
            _ => Err(format!("at has {} numbers: expected six", at.len())),
        };
        throw(answer)
    }

    /// Surfaces that something can hit.
    #[wasm_bindgen(getter)]
    pub fn surfaces(&self) -> usize {
        self.0.surfaces()
    }

    /// Keeps the present moment to go back to; all that are kept take at most so many bytes, and the oldest ones go.
    pub fn keep(&mut self, most: usize) -> Thrown<()> {
        throw(self.0.keep(most))
    }

    /// Goes back to the newest moment kept at or before a step, and says which step that is; later ones are forgotten.
    pub fn back(&mut self, steps: f64) -> Thrown<f64> {
        throw(self.0.back(steps as u64).map(|s| s as f64))
    }

    /// The oldest step that can be gone back to, -1 for none, and bytes of all that is kept.
    pub fn kept(&self) -> Vec<f64> {
        let (oldest, bytes) = self.0.kept();
        vec![oldest.map_or(-1.0, |s| s as f64), bytes as f64]
    }

    /// What rope k is like, JSON: tensions and slacks of its spans, wraps, length, paidOut, slack.
    pub fn rope(&self, rope: usize) -> Thrown<String> {
        throw(self.0.rope(rope).map(|v| v.to_string()))
    }

    /// Cuts rope k where its way is nearest to a point, three numbers, m, or else in its middle; both parts stay.
    #[wasm_bindgen(js_name = cutRope)]
    pub fn cut_rope(&mut self, rope: usize, at: Option<Vec<f64>>) -> Thrown<()> {
        let at = at.filter(|p| p.len() == 3).map(|p| Vec3::new(p[0], p[1], p[2]));
        throw(self.0.cut_rope(rope, at))
    }

    /// Three per node of all deformables: where it is, m.
    pub fn softs(&self) -> Vec<f32> {
        self.0.moment().softs()
    }

    /// One per node of all deformables: von Mises stress, Pa.
    pub fn stress(&self) -> Vec<f32> {
        self.0.moment().stress()
    }

    /// Seven per contact point: point, force on the first body, distance.
    pub fn contacts(&self) -> Vec<f64> {
        self.0.moment().contacts()
    }

    /// The report of the last step, JSON; null before the first.
    pub fn report(&self) -> String {
        self.0.report().to_string()
    }

    /// What the start set up that could not stand, JSON: penetration and gap in m, lift and shock in J; null when it could.
    #[wasm_bindgen(js_name = setUp)]
    pub fn set_up(&self) -> String {
        self.0.set_up().to_string()
    }

    /// Names and seconds of the stages of the last profiled step, JSON.
    pub fn stages(&self) -> String {
        self.0.stages().to_string()
    }

    /// Centre of mass of all that moves freely, m.
    pub fn centre(&self) -> Vec<f64> {
        self.0.moment().centre().to_array().to_vec()
    }

    /// Takes hold of body k at a point of its own, m; says where that is in the world.
    #[wasm_bindgen(js_name = grabLocal)]
    pub fn grab_local(&mut self, body: usize, x: f64, y: f64, z: f64) -> Thrown<Vec<f64>> {
        throw(self.0.grab_local(body, Vec3::new(x, y, z)).map(|p| p.to_array().to_vec()))
    }

    /// Moves the hand, m.
    pub fn drag(&mut self, x: f64, y: f64, z: f64) -> Thrown<()> {
        throw(self.0.drag(Vec3::new(x, y, z)))
    }

    /// Lets go.
    pub fn release(&mut self) -> Thrown<()> {
        throw(self.0.release())
    }

    /// Point on the body, target, force on the body; empty when nothing is held.
    pub fn grabbed(&self) -> Vec<f64> {
        self.0.grabbed()
    }

    /// Cuts joint k.
    pub fn cut(&mut self, joint: usize) -> Thrown<()> {
        throw(self.0.cut(joint))
    }

    /// Cuts what lies between two rays from the eye, m: x, y, z of the eye and of each ray. Says how many seams and rods were cut.
    pub fn knife(&mut self, at: &[f64]) -> Thrown<usize> {
        let triple = |k: usize| at.get(3 * k..3 * k + 3).map(Vec3::from_slice);
        let answer = match (triple(0), triple(1), triple(2)) {
            (Some(eye), Some(a), Some(b)) => self.0.knife(eye, [a, b]),
            _ => Err(format!("at has {} numbers: expected nine", at.len())),
        };
        throw(answer)
    }

    /// Speed m/s, angular speed rad/s, kinetic energy J of body k.
    #[wasm_bindgen(js_name = bodyMotion)]
    pub fn body_motion(&self, k: usize) -> Thrown<Vec<f64>> {
        throw(self.0.motion(k).map(|m| m.to_vec()))
    }

    /// Starts to record, with at most `fps` frames per second of simulated time.
    pub fn record(&mut self, fps: f64) -> Thrown<()> {
        throw(self.0.record(fps))
    }

    /// Frames kept; 0 when not recording.
    #[wasm_bindgen(getter)]
    pub fn recorded(&self) -> usize {
        self.0.recorded()
    }

    /// Ends the recording: a GLB file.
    pub fn recording(&mut self) -> Thrown<Vec<u8>> {
        throw(self.0.recording())
    }
}
