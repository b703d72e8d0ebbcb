//! MuJoCo through its Python package: reduced coordinates, ball joints and hinges; loops are closed by `connect` constraints.
//!
//! A small script loads models, steps them, and writes poses and velocities after every step. Times are those of `mj_step` alone. No geometry, no contacts, no damping,
//! no automatic reset. `connect` is as stiff as documented: time constant of two steps, impedance 0.9999.

mod install;

use super::{Engine, Peer};
use crate::Result;
use crate::scene::{BallJoint, Hold, Motion, Scene};
use crate::table::Report;
use std::cell::RefCell;
use std::fmt::Write as _;
use std::io::{BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::rc::Rc;
use std::time::Duration;
use taut::{Quat, Vec3};

const SCRIPT: &str = include_str!("mujoco.py");

/// MuJoCo with each of its integrators; finds or installs the package.
pub fn peers(report: &mut Report<'_>) -> Result<Vec<Peer>> {
    let python = install::python(report)?;
    let mut server = Server::start(&python)?;
    let version = server.line()?;
    let server = Rc::new(RefCell::new(server));
    const WORDS: [(&str, &str, &str); 3] = [
        ("mujoco", "reduced coordinates, Euler (default)", "Euler"),
        ("mujoco-fast", "reduced coordinates, implicitfast", "implicitfast"),
        ("mujoco-rk4", "reduced coordinates, RK4", "RK4"),
    ];
    let peer = |(name, settings, integrator): (&'static str, &'static str, &'static str)| {
        let server = Rc::clone(&server);
        Peer {
            name,
            version: format!("MuJoCo {version} (Python package)"),
            settings,
            damped: false,
            most_bodies: 320,
            contacts: false,
            build: Box::new(move |scene, h| Mujoco::load(&server, scene, h, integrator).map(|e| Box::new(e) as _)),
        }
    };
    Ok(WORDS.into_iter().map(peer).collect())
}

struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// Models loaded up to now: their names are numbers.
    loaded: usize,
}

impl Server {
    fn start(python: &std::path::Path) -> Result<Self> {
        let mut child = Command::new(python)
            .args(["-c", SCRIPT])
            // It may leave a log where it runs.
            .current_dir(std::env::temp_dir())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|e| format!("{}: {e}", python.display()))?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(input), Some(output)) => Ok(Server { child, input, output: BufReader::new(output), loaded: 0 }),
            _ => Err("no pipes to Python".into()),
        }
    }

    fn send(&mut self, bytes: &[u8]) -> Result<()> {
        self.input.write_all(bytes).and_then(|()| self.input.flush()).map_err(|e| format!("MuJoCo script: {e}"))
    }

    fn line(&mut self) -> Result<String> {
        let mut text = String::new();
        std::io::BufRead::read_line(&mut self.output, &mut text).map_err(|e| format!("MuJoCo script: {e}"))?;
        if text.is_empty() { Err("the MuJoCo script stopped".into()) } else { Ok(text.trim_end().into()) }
    }

    fn numbers(&mut self, out: &mut [f64]) -> Result<()> {
        let mut eight = [0; 8];
        for x in out {
            self.output.read_exact(&mut eight).map_err(|e| format!("MuJoCo script: {e}"))?;
            *x = f64::from_le_bytes(eight);
        }
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The script ends by itself when its input closes; this is for one that hangs.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Numbers per body after a step: position 3, quaternion w x y z, velocity 3, angular velocity 3.
const WIDTH: usize = 13;

struct Mujoco {
    server: Rc<RefCell<Server>>,
    name: usize,
    masses: Vec<(f64, [f64; 3])>,
    state: Vec<f64>,
}

impl Mujoco {
    fn load(server: &Rc<RefCell<Server>>, scene: &Scene, h: f64, integrator: &str) -> Result<Self> {
        if scene.touch.is_some() {
            return Err("scenes with contact are not built in MuJoCo here".into());
        }
        let (n, xml) = (scene.bodies.len(), model(scene, h, integrator));
        let rates = rates(scene);
        let mut flat = vec![0.0; 4 * n];
        let name = server.borrow().loaded;
        {
            let mut s = server.borrow_mut();
            s.loaded += 1;
            s.send(format!("load {name} {} {rates}\n{xml}", xml.len()).as_bytes())?;
            let reply = s.line()?;
            if reply != "ok" {
                return Err(reply);
            }
            s.numbers(&mut flat)?;
        }
        let masses = flat.chunks(4).map(|c| (c[0], [c[1], c[2], c[3]])).collect();
        Ok(Mujoco { server: Rc::clone(server), name, masses, state: vec![0.0; 1 + WIDTH * n] })
    }
}

/// Rates of the joints at the start, in the frames of the children.
fn rates(scene: &Scene) -> String {
    let mut rates = String::new();
    for j in scene.joints.iter().filter(|j| !j.closes) {
        let (b, a) = (scene.bodies[j.b].start, j.a.map_or(Vec3::ZERO, |a| scene.bodies[a].start.ang));
        let w = b.rot.inverse() * (b.ang - a);
        let _ = match axis(j) {
            None => write!(rates, "{} ", vec3(w)),
            Some(axis) => write!(rates, "{:e} ", axis.dot(w)),
        };
    }
    rates
}

/// Axis of a hinge in the frame of the child; `None` for a ball joint.
fn axis(j: &BallJoint) -> Option<Vec3> {
    match j.hold {
        Hold::Free | Hold::Cone { .. } => None,
        Hold::Hinge { axes, .. } | Hold::Turn(axes) => Some(axes[1] * Vec3::Z),
    }
}

/// The scene as MJCF: bodies nested along the tree, in the order of the scene.
fn model(scene: &Scene, h: f64, integrator: &str) -> String {
    let n = scene.bodies.len();
    let mut children = vec![Vec::new(); n];
    let mut roots = Vec::new();
    let mut loops = String::new();
    for (k, j) in scene.joints.iter().enumerate() {
        match (j.closes, j.a) {
            (true, a) => {
                let other = a.map_or("world".into(), |a| format!("b{a}"));
                let _ = write!(loops, "<connect body1=\"b{}\" body2=\"{other}\" anchor=\"{}\"", j.b, vec3(j.on_b));
                let _ = write!(loops, " solref=\"{:e} 1\" solimp=\"0.9999 0.9999 0.001\"/>", 2.0 * h);
            }
            (false, Some(a)) => children[a].push(k),
            (false, None) => roots.push(k),
        }
    }
    let mut tree = String::new();
    // A stack instead of recursion: chains are deep.
    let mut todo: Vec<Option<usize>> = roots.into_iter().rev().map(Some).collect();
    while let Some(next) = todo.pop() {
        let Some(k) = next else {
            tree.push_str("</body>");
            continue;
        };
        let j = scene.joints[k];
        let (b, s) = (scene.bodies[j.b], scene.bodies[j.b].start);
        let (pos, rot) = match j.a.map(|a| scene.bodies[a].start) {
            Some(a) => (a.rot.inverse() * (s.pos - a.pos), a.rot.inverse() * s.rot),
            None => (s.pos, s.rot),
        };
        let _ = write!(tree, "<body name=\"b{}\" pos=\"{}\" quat=\"{}\">", j.b, vec3(pos), quat(rot));
        let kind = axis(&j).map_or("ball\"".into(), |axis| format!("hinge\" axis=\"{}\"", vec3(axis)));
        let _ = write!(tree, "<joint type=\"{kind} pos=\"{}\"/>", vec3(j.on_b));
        let _ = write!(tree, "<inertial pos=\"0 0 0\" mass=\"{:e}\" diaginertia=\"{}\"/>", b.mass, vec3(b.inertia));
        todo.push(None);
        todo.extend(children[j.b].iter().rev().map(|&c| Some(c)));
    }
    format!(
        "<mujoco><compiler angle=\"radian\" autolimits=\"false\"/><option timestep=\"{h:e}\" integrator=\"{integrator}\" \
         gravity=\"{}\"><flag contact=\"disable\" autoreset=\"disable\"/></option><worldbody>{tree}</worldbody>\
         <equality>{loops}</equality></mujoco>",
        vec3(scene.gravity)
    )
}

fn vec3(v: Vec3) -> String {
    format!("{:e} {:e} {:e}", v.x, v.y, v.z)
}

fn quat(q: Quat) -> String {
    format!("{:e} {:e} {:e} {:e}", q.w, q.x, q.y, q.z)
}

/// The time that the script gave, unless MuJoCo warned.
fn sound(time: f64) -> Result<f64> {
    if time >= 0.0 { Ok(time) } else { Err("MuJoCo warns of bad numbers".into()) }
}

impl Drop for Mujoco {
    fn drop(&mut self) {
        // A script that has ended has forgotten the model too.
        let _ = self.server.borrow_mut().send(format!("drop {}\n", self.name).as_bytes());
    }
}

impl Engine for Mujoco {
    fn step(&mut self) -> Result<Duration> {
        let mut s = self.server.borrow_mut();
        s.send(format!("step {}\n", self.name).as_bytes())?;
        s.numbers(&mut self.state)?;
        sound(self.state[0]).map(Duration::from_secs_f64)
    }

    fn replay(&mut self, steps: usize) -> Result<Option<f64>> {
        let mut s = self.server.borrow_mut();
        s.send(format!("replay {} {steps}\n", self.name).as_bytes())?;
        let mut time = [0.0];
        s.numbers(&mut time)?;
        sound(time[0]).map(Some)
    }

    fn read(&mut self, out: &mut [Motion]) {
        for (m, c) in out.iter_mut().zip(self.state[1..].chunks(WIDTH)) {
            *m = Motion {
                pos: Vec3::from_slice(&c[0..3]),
                rot: Quat::from_xyzw(c[4], c[5], c[6], c[3]),
                vel: Vec3::from_slice(&c[7..10]),
                ang: Vec3::from_slice(&c[10..13]),
            };
        }
    }

    fn masses(&mut self) -> Vec<(f64, [f64; 3])> {
        self.masses.clone()
    }
}
