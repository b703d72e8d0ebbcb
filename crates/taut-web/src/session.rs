//! A scene that runs: what the page asks of the engine, in plain Rust.

use crate::rewind::Ring;
use crate::winches::{self, Winch};
use crate::{clock, drives, report};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use taut::{BodyId, Cut, DeformableRef, Force, ForceId, Mat3, MotorId, MouseSpring, StepReport, Vec3};
use taut_draw::{Drawing, Moment, Recorder};
use taut_scenes::{Hand, Judgement, Method, Scene, Stability, Wanted, choices, file, find};

/// Most acceleration that the hand gives to what it holds, m/s^2: five times gravity.
const EFFORT: f64 = 50.0;
/// The stretch of the spring of the hand at which it pulls so, m: the spring has 2 Hz.
const REACH: f64 = EFFORT / (4.0 * std::f64::consts::PI * std::f64::consts::PI * 4.0);
/// Most memory of a world in the page, bytes: half of what WebAssembly can have. More is refused with a message.
const MOST_MEMORY: u64 = 2_000_000_000;

/// Answers, or a message for the user.
pub type Answer<T> = Result<T, String>;

pub(crate) fn text(e: impl std::fmt::Display) -> String {
    e.to_string()
}

/// Settings in the words of the command line; what is left out stays.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Settings {
    stabiliser: Option<String>,
    solver: Option<String>,
    coordinates: Option<String>,
}

/// Reads settings.
fn wanted(settings: &str) -> Answer<Wanted> {
    let s: Settings = serde_json::from_str(settings).map_err(|e| format!("settings: {e}"))?;
    let read = |name: &str, given: &str, e: String| format!("{name} = {given}: {e}");
    let stabiliser = s.stabiliser.as_deref().map(|t| choices::stabiliser(t).map_err(|e| read("stabiliser", t, e)));
    let solver = s.solver.as_deref().map(|t| choices::solver(t).map_err(|e| read("solver", t, e)));
    let coordinates = s.coordinates.as_deref().map(|t| choices::coordinates(t).map_err(|e| read("coordinates", t, e)));
    Ok(Wanted {
        stabiliser: stabiliser.transpose()?,
        solver: solver.transpose()?,
        coordinates: coordinates.transpose()?,
        ..Wanted::default()
    })
}

/// What bodies, joints and forces there are: a change means that the drawing is out of date.
pub(crate) type Census = [usize; 6];

/// A scene that runs.
#[derive(Debug)]
pub struct Session {
    /// Its name.
    pub name: String,
    /// Its own step, s.
    pub dt: f64,
    /// Its own time, s.
    pub duration: f64,
    /// The scene.
    pub scene: Scene,
    pub(crate) drawing: Drawing,
    pub(crate) census: Census,
    pub(crate) edition: u32,
    pub(crate) stability: Option<Stability>,
    pub(crate) last: Option<StepReport>,
    pub(crate) judgement: Option<Judgement>,
    stages: Vec<(&'static str, f64)>,
    pub(crate) mouse: Option<ForceId>,
    /// Where the hand is, m.
    pub(crate) wanted: Vec3,
    pub(crate) recorder: Option<Recorder>,
    pub(crate) winches: Vec<Winch>,
    /// Motors that wind no rope.
    pub(crate) drives: Vec<MotorId>,
    pub(crate) hand: Hand,
    /// Bodies that were added by hand.
    pub(crate) thrown: usize,
    pub(crate) ring: Ring,
}

impl Session {
    /// A scene of the library; `parameters` is a JSON object of texts, `settings` one of words.
    pub fn library(name: &str, parameters: &str, settings: &str) -> Answer<Self> {
        taut::memory::set_memory_limit(MOST_MEMORY);
        let info = find(name).map_err(text)?;
        let given: BTreeMap<String, String> =
            serde_json::from_str(parameters).map_err(|e| format!("parameters: {e}"))?;
        let given: Vec<(&str, &str)> = given.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        let (scene, _) = info.with(&given).map_err(|e| format!("{name}: {e}"))?;
        Session::new(name.into(), scene, (info.dt, info.time), settings)
    }

    /// A scene file.
    pub fn from_file(source: &str, settings: &str) -> Answer<Self> {
        taut::memory::set_memory_limit(MOST_MEMORY);
        let parsed = file::parse(source).map_err(text)?;
        let scene = file::build(&parsed).map_err(|e| e.located(source).to_string())?;
        let times = (parsed.outputs.dt(), parsed.outputs.time());
        Session::new(parsed.name.unwrap_or_else(|| "scene file".into()), scene, times, settings)
    }

    fn new(name: String, mut scene: Scene, (dt, duration): (f64, f64), settings: &str) -> Answer<Self> {
        scene.world.set_clock(clock::seconds);
        wanted(settings)?.apply(&mut scene.world).map_err(text)?;
        let drawing = Drawing::of(&scene).map_err(text)?;
        let census = census(&scene);
        let winches = winches::find(&scene.world, &drawing);
        let drives = drives::find(&scene.world, &winches);
        Ok(Session {
            name,
            dt,
            duration,
            scene,
            drawing,
            census,
            edition: 0,
            stability: None,
            last: None,
            judgement: None,
            stages: vec![],
            mouse: None,
            wanted: Vec3::ZERO,
            recorder: None,
            winches,
            drives,
            hand: Hand::default(),
            thrown: 0,
            ring: Ring::default(),
        })
    }

    /// Changes settings in mid-run.
    pub fn configure(&mut self, settings: &str) -> Answer<()> {
        wanted(settings)?.apply(&mut self.scene.world).map_err(text)
    }

    /// The method in force.
    pub fn method(&self) -> Value {
        let m = Method::of(self.scene.world.options());
        json!({ "coordinates": m.coordinates, "stabiliser": m.stabiliser, "solver": m.solver, "bounded": m.bounded })
    }

    /// One step of `h` seconds.
    pub fn step(&mut self, h: f64) -> Answer<()> {
        self.begin(h)?;
        let (report, _) = self.scene.step_by_hand(h, &self.hand, None).map_err(text)?;
        self.after(report)
    }

    /// The same with the times of its stages.
    pub fn profiled_step(&mut self, h: f64) -> Answer<()> {
        self.begin(h)?;
        let (report, stages) = self.scene.step_by_hand(h, &self.hand, Some(clock::seconds)).map_err(text)?;
        self.stages = stages.unwrap_or_default();
        self.after(report)
    }

    /// A run starts with its first step, whatever was changed before.
    fn begin(&mut self, h: f64) -> Answer<()> {
        self.pull()?;
        if self.last.is_none() {
            self.stability = Some(Stability::new(&mut self.scene, h).map_err(text)?);
        }
        Ok(())
    }

    fn after(&mut self, report: StepReport) -> Answer<()> {
        self.judgement = self.stability.as_mut().map(|s| s.see(&report));
        self.last = Some(report);
        self.refresh()?;
        match &mut self.recorder {
            Some(r) => r.see(&self.scene.world).map_err(text),
            None => Ok(()),
        }
    }

    /// Makes the drawing anew when something came or went.
    pub(crate) fn refresh(&mut self) -> Answer<()> {
        let now = census(&self.scene);
        if now != self.census {
            self.drawing = Drawing::of(&self.scene).map_err(text)?;
            self.winches = winches::find(&self.scene.world, &self.drawing);
            self.drives = drives::find(&self.scene.world, &self.winches);
            self.census = now;
            self.edition += 1;
        }
        Ok(())
    }

    /// Changes the world from outside: what that does to its energy is nobody's fault.
    pub(crate) fn put_in(&mut self, change: impl FnOnce(&mut Self) -> Answer<()>) -> Answer<()> {
        let before = self.scene.world.energy().map_err(text)?.total();
        change(self)?;
        let after = self.scene.world.energy().map_err(text)?.total();
        if let Some(stability) = &mut self.stability {
            stability.put_in(after - before);
        }
        Ok(())
    }

    /// Changes with the drawing.
    pub fn edition(&self) -> u32 {
        self.edition
    }

    /// What to draw.
    pub fn drawing(&self) -> &Drawing {
        &self.drawing
    }

    /// Numbers of the present moment.
    pub fn moment(&self) -> Moment<'_> {
        Moment::new(&self.scene.world, &self.drawing)
    }

    /// The report of the last step with its judgement; null before the first.
    pub fn report(&self) -> Value {
        let Some((report, judgement)) = self.last.as_ref().zip(self.judgement.as_ref()) else { return Value::Null };
        report::json(report, judgement, &self.scene.world, &self.drawing)
    }

    /// What the start set up that could not stand, as `taut run --json` tells it; null when it could, and before the first step.
    pub fn set_up(&self) -> Value {
        let seen = self.stability.as_ref().filter(|_| self.last.is_some()).and_then(Stability::set_up);
        seen.map_or(
            Value::Null,
            |s| json!({ "penetration": s.penetration, "gap": s.gap, "lift": s.lift, "shock": s.shock }),
        )
    }

    /// Names and seconds of the stages of the last profiled step.
    pub fn stages(&self) -> Value {
        json!(self.stages)
    }

    /// Hash of the state, as `taut run` prints it.
    pub fn hash(&self) -> String {
        format!("{:016x}", self.scene.world.state().hash())
    }

    fn body(&self, k: usize) -> Answer<BodyId> {
        let count = self.drawing.bodies.len();
        self.drawing.body(k).ok_or_else(|| format!("body = {k}: expected a number below {count}"))
    }

    /// Takes hold of a body at a world point, m.
    pub fn grab(&mut self, k: usize, at: Vec3) -> Answer<()> {
        let id = self.body(k)?;
        let pose = self.scene.world.body(id).map_err(text)?.pose();
        self.release()?;
        let spring = MouseSpring::new(id, pose.to_local(at), at);
        let point = if self.drawing.bodies[k].motion == "particle" { Vec3::ZERO } else { spring.point };
        let held = self.scene.world.add(Force::Mouse(MouseSpring { point, ..spring })).map_err(text)?;
        self.mouse = Some(held);
        self.wanted = at;
        self.census = census(&self.scene);
        Ok(())
    }

    /// Takes hold of a body at a point of its own, m; says where that is in the world.
    pub fn grab_local(&mut self, k: usize, local: Vec3) -> Answer<Vec3> {
        let id = self.body(k)?;
        let at = self.scene.world.body(id).map_err(text)?.pose().to_world(local);
        self.grab(k, at)?;
        Ok(at)
    }

    /// Moves the hand, m.
    pub fn drag(&mut self, to: Vec3) -> Answer<()> {
        match self.mouse {
            // What is nowhere is refused; the body may be gone, and the spring with it.
            Some(id) if self.scene.world.force(id).is_ok() => {
                self.scene.world.set_mouse_target(id, to).map_err(text)?;
                self.wanted = to;
                self.pull()
            }
            Some(_) => Ok(()),
            None => Err("nothing is held: expected a grab before".into()),
        }
    }

    /// The hand pulls with no more than [`EFFORT`] on the mass of what it holds, however far away it is: what is light is not torn off
    /// what is heavy, and what is heavy can be lifted.
    fn pull(&mut self) -> Answer<()> {
        let Some((id, view)) = self.mouse.and_then(|id| Some((id, self.scene.world.force_view(id).ok()?))) else {
            return Ok(());
        };
        let by = (self.wanted - view.point).clamp_length_max(REACH);
        self.scene.world.set_mouse_target(id, view.point + by).map_err(text)
    }

    /// Lets go; nothing happens when nothing is held.
    pub fn release(&mut self) -> Answer<()> {
        if let Some(id) = self.mouse.take() {
            // The body may be gone, and the spring with it.
            if self.scene.world.force(id).is_ok() {
                self.scene.world.remove(id).map_err(text)?;
            }
            self.census = census(&self.scene);
        }
        Ok(())
    }

    /// Point on the body, target and force on the body of what is held; nothing when nothing is.
    pub fn grabbed(&self) -> Vec<f64> {
        let view = self.mouse.and_then(|id| self.scene.world.force_view(id).ok());
        view.map_or(vec![], |v| [v.point, self.wanted, v.force].iter().flat_map(|v| v.to_array()).collect())
    }

    /// Cuts a joint.
    pub fn cut(&mut self, k: usize) -> Answer<()> {
        let count = self.drawing.joints.len();
        self.drawing.joint(k).ok_or_else(|| format!("joint = {k}: expected a number below {count}"))?;
        self.drawing.cut_joint(&mut self.scene.world, k).map_err(text)?;
        self.refresh()
    }

    /// Cuts a rope of the drawing at a point.
    pub(crate) fn cut_drawn(&mut self, k: usize, at: Vec3) -> Answer<usize> {
        self.drawing.cut_rope(&mut self.scene.world, k, at).map_err(text)
    }

    /// Cuts all that lies between two rays from the eye: deformables between their cells, cables, ropes, rods and springs. The rays are
    /// as long as they cut, m. Says how many seams and rods were cut.
    pub fn knife(&mut self, eye: Vec3, rays: [Vec3; 2]) -> Answer<usize> {
        let along = Cut::rectangle(eye, rays);
        let cells = |d: &DeformableRef<'_>| d.elements().mesh().is_some_and(|m| !m.cells.is_empty());
        let soft: Vec<_> = self.scene.world.deformables().filter(cells).map(|d| d.id()).collect();
        // A stroke without an area cuts nothing, and no frame can be cut.
        soft.iter().try_for_each(|&id| self.scene.world.check_cut(id, &along)).map_err(text)?;
        let mut count = self.drawing.sever(&mut self.scene.world, &along).map_err(text)?;
        for id in soft {
            count += self.scene.world.cut(id, &along).map_err(text)?.seams;
        }
        self.refresh()?;
        Ok(count)
    }

    /// Speed m/s, angular speed rad/s and kinetic energy J of a body.
    pub fn motion(&self, k: usize) -> Answer<[f64; 3]> {
        let b = self.scene.world.body(self.body(k)?).map_err(text)?;
        let r = Mat3::from_quat(b.pose().rot);
        let w = r.transpose() * b.angular_velocity();
        let kinetic = 0.5 * b.mass() * b.velocity().length_squared() + 0.5 * w.dot(b.inertia() * w);
        Ok([b.velocity().length(), b.angular_velocity().length(), kinetic])
    }

    /// Starts to record, with at most `fps` frames per second of simulated time.
    pub fn record(&mut self, fps: f64) -> Answer<()> {
        self.recorder = Some(Recorder::new(&self.name, &self.scene, fps).map_err(text)?);
        Ok(())
    }

    /// Frames kept; zero when not recording.
    pub fn recorded(&self) -> usize {
        self.recorder.as_ref().map_or(0, Recorder::frames)
    }

    /// Ends the recording: a GLB file.
    pub fn recording(&mut self) -> Answer<Vec<u8>> {
        let r = self.recorder.take().ok_or("nothing is recorded: expected a call of record before")?;
        Ok(r.file())
    }
}

fn census(scene: &Scene) -> Census {
    let w = &scene.world;
    let nodes = w.deformables().map(|d| d.node_count()).sum();
    [w.bodies().count(), w.joints().count(), w.forces().count(), w.colliders().count(), nodes, w.ropes().count()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crane(settings: &str) -> Session {
        Session::library("crane", r#"{"segments": "8"}"#, settings).unwrap()
    }

    #[test]
    fn runs_as_the_library_does() {
        let mut s = crane("{}");
        let (mut scene, _) = find("crane").unwrap().with(&[("segments", "8")]).unwrap();
        for _ in 0..30 {
            s.step(1.0 / 60.0).unwrap();
            scene.step(1.0 / 60.0).unwrap();
        }
        assert_eq!(s.hash(), format!("{:016x}", scene.world.state().hash()));
        assert!(s.report()["maxGap"].as_f64().unwrap() < 0.01);
        assert_eq!(s.moment().poses().len(), 7 * s.drawing().bodies.len());
        assert_eq!(s.moment().rods().len(), 7 * s.drawing().rods.len());
        assert_eq!(s.drawing().bodies.iter().filter(|b| b.link).count(), 8);
    }

    #[test]
    fn a_profiled_step_is_the_same_step() {
        let (mut a, mut b) = (crane("{}"), crane("{}"));
        a.step(0.01).unwrap();
        b.profiled_step(0.01).unwrap();
        assert_eq!(a.hash(), b.hash());
        assert!(b.stages().as_array().unwrap().iter().any(|s| s[0] == "solve"));
    }

    /// A box that starts 0.2 m deep in the ground.
    const BOX: &str = r#"{ "taut": 1, "name": "box in the ground",
      "bodies": [{ "type": "dynamic", "name": "box", "density": 500, "shape": { "type": "box", "size": [1, 1, 1] },
                   "position": [0, 0.3, 0], "colliders": [{ "shape": { "type": "box", "size": [1, 1, 1] } }] }],
      "ground": { "colliders": [{ "shape": { "type": "half-space" } }] } }"#;

    /// Runs a scene here and by the library: the same rise, failure and set-up. Returns the failure.
    fn judged_as_by_the_library(s: &mut Session, mut scene: Scene, dt: f64, steps: u32) -> Option<String> {
        let (mut rise, mut fault) = (f64::NEG_INFINITY, None);
        for _ in 0..steps {
            s.step(dt).unwrap();
            let r = s.report();
            rise = rise.max(r["rise"].as_f64().unwrap());
            if let Some(why) = r["fault"].as_str() {
                fault = Some(format!("at {:.4} s: {why}", r["time"].as_f64().unwrap()));
                break;
            }
        }
        let o = taut_scenes::run(&mut scene, dt, dt * f64::from(steps), |_| true).unwrap();
        assert_eq!((o.energy_max_rise, &o.failure), (rise, &fault));
        assert_eq!(s.set_up()["lift"].as_f64(), o.set_up.map(|s| s.lift));
        fault
    }

    #[test]
    fn a_box_in_the_ground_is_judged_as_by_taut_run() {
        let mut s = Session::from_file(BOX, "{}").unwrap();
        assert!(s.report().is_null() && s.set_up().is_null());
        let scene = file::parse(BOX).and_then(|f| file::build(&f)).unwrap();
        assert_eq!(judged_as_by_the_library(&mut s, scene, 0.01, 200), None);
        let work = 500.0 * 9.81 * 0.2;
        assert!((s.set_up()["lift"].as_f64().unwrap() - work).abs() < 0.02 * work, "{}", s.set_up());
    }

    #[test]
    fn a_run_that_diverges_is_judged_as_by_taut_run() {
        let mut s = crane(r#"{"stabiliser": "none"}"#);
        let (mut scene, _) = find("crane").unwrap().with(&[("segments", "8")]).unwrap();
        Wanted { stabiliser: choices::stabiliser("none").ok(), ..Wanted::default() }.apply(&mut scene.world).unwrap();
        let fault = judged_as_by_the_library(&mut s, scene, 1.0 / 20.0, 400);
        assert!(fault.is_some(), "without a stabiliser the crane diverges");
    }

    #[test]
    fn a_hand_pulls() {
        let mut s = crane("{}");
        let k = s.drawing().bodies.iter().position(|b| b.name == "vehicle").unwrap();
        let at = |s: &Session| s.scene.world.body(s.drawing().body(k).unwrap()).unwrap().position();
        let start = at(&s);
        s.grab(k, start).unwrap();
        assert_eq!(s.edition(), 0);
        for _ in 0..120 {
            s.drag(start + 5.0 * Vec3::Z).unwrap();
            s.step(1.0 / 60.0).unwrap();
        }
        assert!(at(&s).z > start.z + 1.0, "{}", at(&s));
        assert_eq!(s.grabbed().len(), 9);
        s.release().unwrap();
        assert!(s.grabbed().is_empty() && s.drag(start).is_err());
        assert!(s.grab(0, start).is_err(), "the ground cannot be pulled");
    }

    #[test]
    fn a_hand_tears_nothing_that_is_light_and_lifts_what_is_heavy() {
        // A link of 0.2 kg between the boom and 15 t, pulled 30 m away: as the crane hangs by itself.
        let pulled = |which: &dyn Fn(&taut_draw::Body) -> bool, by: Vec3| {
            let mut s = crane("{}");
            (0..300).for_each(|_| s.step(1.0 / 60.0).unwrap());
            let k = s.drawing().bodies.iter().position(which).unwrap();
            let start = s.grab_local(k, Vec3::ZERO).unwrap();
            s.drag(start + by).unwrap();
            let (mut gap, mut most) = (0.0_f64, 0.0_f64);
            for _ in 0..60 {
                s.step(1.0 / 60.0).unwrap();
                gap = gap.max(s.report()["maxGap"].as_f64().unwrap());
                let force = s.grabbed()[6..9].iter().map(|x| x * x).sum::<f64>().sqrt();
                most = most.max(force / s.drawing().bodies[k].mass);
            }
            let now = s.scene.world.body(s.drawing().body(k).unwrap()).unwrap().position();
            (now - start, gap, most)
        };
        let (_, gap, most) = pulled(&|b| b.link, 30.0 * Vec3::Z);
        assert!(gap < 0.01 && most < 1.5 * EFFORT, "gap {gap} m, {most} m/s^2");
        let (raised, _, most) = pulled(&|b| b.name == "vehicle", 30.0 * Vec3::Y);
        assert!(raised.y > 0.5 && most < 1.5 * EFFORT, "{raised}, {most} m/s^2");
    }

    #[test]
    fn a_cut_changes_the_drawing() {
        let mut s = crane("{}");
        let joints = s.drawing().joints.len();
        s.cut(joints - 1).unwrap();
        assert_eq!((s.drawing().joints.len(), s.edition()), (joints - 1, 1));
        assert!(s.cut(joints).is_err());
    }

    #[test]
    fn bad_input_is_told() {
        let bad = |r: Answer<Session>| r.err().unwrap();
        assert!(bad(Session::library("crain", "{}", "{}")).contains("expected one of"));
        assert!(bad(Session::library("crane", r#"{"vehicle": "-1"}"#, "{}")).contains("vehicle"));
        assert!(bad(Session::library("crane", "[]", "{}")).contains("parameters"));
        assert!(bad(Session::library("crane", "{}", r#"{"solver": "magic"}"#)).contains("solver = magic"));
        assert!(bad(Session::library("crane", "{}", r#"{"soler": "pcg"}"#)).contains("soler"));
        assert!(bad(Session::from_file("{", "{}")).contains("line"));
        let mut s = crane("{}");
        let before = s.method();
        assert!(s.configure(r#"{"stabiliser": "full", "solver": "block-ldlt"}"#).is_err());
        assert_eq!(s.method(), before);
        assert!(s.step(f64::NAN).is_err() && s.step(-1.0).is_err() && s.motion(9999).is_err());
        assert!(s.recording().is_err() && s.record(0.0).is_err());
    }

    #[test]
    fn a_run_is_recorded() {
        let mut s = crane("{}");
        s.record(30.0).unwrap();
        for _ in 0..10 {
            s.step(1.0 / 60.0).unwrap();
        }
        assert_eq!(s.recorded(), 6);
        assert_eq!(&s.recording().unwrap()[..4], b"glTF");
        assert_eq!(s.recorded(), 0);
    }

    #[test]
    fn a_knife_cuts_ropes_with_mass_and_what_is_above_goes_on() {
        let first = |s: &Session| s.scene.world.heavy_ropes().next().map(|(_, r)| (r.links().to_vec(), r.out()));
        for by_number in [true, false] {
            let mut s = Session::library("anchor-handling", r#"{"segment": "20"}"#, "{}").unwrap();
            (0..10).for_each(|_| s.step(1.0 / 60.0).unwrap());
            let (links, out) = first(&s).unwrap();
            let cut = links[links.len() / 2];
            if by_number {
                s.cut(s.drawing.joint_number(cut).unwrap()).unwrap();
            } else {
                let (a, b) = s.scene.world.joint(cut).unwrap().points();
                let (middle, along) = (0.5 * (a + b), (b - a).normalize());
                let eye = middle + 10.0 * along.any_orthonormal_vector();
                let across = along.cross(middle - eye).normalize();
                assert_eq!(s.knife(eye, [-0.1, 0.1].map(|x| 1.1 * (middle + x * across - eye))).unwrap(), 1);
            }
            let (left, shorter) = first(&s).expect("the rope is there still");
            assert!(left == links[..links.len() / 2] && shorter < out, "{} {shorter} {out}", left.len());
            assert!(s.scene.world.joint(cut).is_err());
            (0..60).for_each(|_| s.step(1.0 / 60.0).unwrap());
            assert!(first(&s).is_some());
        }
        // A chain out of a locker comes off at its hawse.
        let text = std::fs::read_to_string("../taut-scenes/files/anchor.json").unwrap();
        let mut s = Session::from_file(&text, "{}").unwrap();
        let world = &s.scene.world;
        let chain = world.heavy_ropes().find(|(_, r)| r.rope().is_none()).unwrap().1.nodes()[0];
        let stop = world.joints().find(|j| j.kind() == "rope" && (j.bodies().0 == chain || j.bodies().1 == chain));
        let stop = stop.unwrap().id();
        let count = world.heavy_ropes().count();
        s.cut(s.drawing.joint_number(stop).unwrap()).unwrap();
        assert_eq!(s.scene.world.heavy_ropes().count(), count - 1);
        (0..10).for_each(|_| s.step(1.0 / 60.0).unwrap());
    }

    #[test]
    fn a_knife_cuts_cables_and_cloth_between_two_rays_and_nothing_beside_them() {
        let mut s = crane("{}");
        let joints = s.drawing.joints.len();
        let last = s.drawing.rods.iter().rposition(|r| r.kind == "cable").unwrap();
        let eye = s.moment().centre() + 100.0 * Vec3::Z;
        assert_eq!(s.knife(eye, [1e3 * Vec3::Z, 1e3 * (Vec3::Z + Vec3::X)]).unwrap(), 0, "away from it");
        assert!(s.knife(eye, [Vec3::ZERO, Vec3::ZERO]).is_ok(), "no deformable, no area, nothing");
        // Across the middle of the last link of the cable.
        let rod = s.moment().rods()[7 * last..].to_vec();
        let middle = Vec3::new(rod[0] + rod[3], rod[1] + rod[4], rod[2] + rod[5]) * 0.5;
        let towards = |side: f64| 2.0 * (middle + Vec3::X * side - eye);
        assert_eq!(s.knife(eye, [towards(-0.05), towards(0.05)]).unwrap(), 1);
        assert_eq!(s.drawing.joints.len(), joints - 1);
        let mut cloth = Session::library("stvk-cloth", "{}", "{}").unwrap();
        let (before, nodes) = (cloth.edition(), cloth.drawing().softs[0].nodes);
        // The sheet hangs from y = 0 to -1 m; this is between two lines of its nodes.
        let middle = Vec3::new(0.5, -0.45, 0.0);
        let eye = middle + 10.0 * Vec3::Z;
        let rays = [-1.0, 1.0].map(|x| 2.0 * (middle + 2.0 * x * Vec3::X - eye));
        assert!(cloth.knife(eye, rays).unwrap() > 5);
        assert!(cloth.edition() > before && cloth.drawing().softs[0].nodes > nodes);
        cloth.step(0.01).unwrap();
        assert!(cloth.knife(eye, [Vec3::Z, Vec3::Z]).unwrap_err().contains("normal of the cut"));
    }
}
