//! MuJoCo on the same chains, through its Python package: a script steps them in its own process and prints the times.

use super::chains::{Chain, STEP, STEPS, Timed};
use serde::Deserialize;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

const SCRIPT: &str = include_str!("mujoco.py");
const PYTHON: &str = if cfg!(windows) { "python" } else { "python3" };

/// What MuJoCo took for each chain.
pub struct Peer {
    pub version: String,
    pub times: Vec<Timed>,
}

/// What the script prints.
#[derive(Deserialize)]
struct Reply {
    version: String,
    /// Least and median time of a step in s, and whether MuJoCo warned of bad numbers.
    chains: Vec<(f64, f64, bool)>,
}

/// Times the first second of each chain, `runs` times over.
pub fn timed(chains: &[Chain], runs: usize) -> Result<Peer, String> {
    let models: Vec<String> = chains.iter().map(|c| model(*c)).collect();
    let task = serde_json::json!({ "steps": STEPS, "runs": runs, "models": models });
    let mut child = Command::new(PYTHON)
        .args(["-c", SCRIPT])
        // It may leave a log where it runs.
        .current_dir(std::env::temp_dir())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| format!("{PYTHON}: {e}; expected Python with the package mujoco (pip install mujoco)"))?;
    if let Some(mut input) = child.stdin.take() {
        // A script that has ended says why by itself.
        let _ = input.write_all(task.to_string().as_bytes());
    }
    let done = child.wait_with_output().map_err(|e| format!("{PYTHON}: {e}"))?;
    if !done.status.success() {
        let said = String::from_utf8_lossy(&done.stderr);
        let last = said.lines().last().unwrap_or("no message");
        return Err(format!("{PYTHON}: {last}; expected Python with the package mujoco (pip install mujoco)"));
    }
    let reply: Reply = serde_json::from_slice(&done.stdout).map_err(|e| format!("{PYTHON}: its answer: {e}"))?;
    let warned = |bad: bool| bad.then(|| "MuJoCo warns of bad numbers".to_string());
    let of = |(least, median, bad)| Timed { steps: runs * STEPS, least, median, failure: warned(bad) };
    Ok(Peer { version: reply.version, times: reply.chains.into_iter().map(of).collect() })
}

/// The scene `chain` as MJCF: square bars 0.2 m long and 0.04 m wide, 0.2 kg, and a ball of the same mass and 0.1 m radius, along x.
fn model(chain: Chain) -> String {
    let (mass, length, width, radius) = (0.2, 0.2, 0.04, 0.1);
    let kind = if chain.joint == "hinge" { "type=\"hinge\" axis=\"0 0 1\"" } else { "type=\"ball\"" };
    let (slim, wide) = (mass * width * width / 6.0, mass * (length * length + width * width) / 12.0);
    let round = 0.4 * mass * radius * radius;
    let mut bodies = String::new();
    for k in 0..=chain.links {
        let (half, moments) = if k < chain.links { (0.5 * length, [slim, wide, wide]) } else { (radius, [round; 3]) };
        let before = if k == 0 { 0.0 } else { 0.5 * length };
        let [x, y, z] = moments;
        let _ = write!(bodies, "<body pos=\"{:e} 0 0\"><joint {kind} pos=\"{:e} 0 0\"/>", before + half, -half);
        let _ = write!(bodies, "<inertial pos=\"0 0 0\" mass=\"{mass:e}\" diaginertia=\"{x:e} {y:e} {z:e}\"/>");
    }
    bodies += &"</body>".repeat(chain.links + 1);
    format!(
        "<mujoco><option timestep=\"{STEP:e}\" gravity=\"0 -9.81 0\"><flag contact=\"disable\" autoreset=\"disable\"/>\
         </option><worldbody>{bodies}</worldbody></mujoco>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mass and size of the model are those of the scene.
    #[test]
    fn the_model_is_the_scene() {
        let chain = Chain { joint: "ball", dofs: 3, links: 2 };
        let text = model(chain);
        let given = [("joint", "ball"), ("links", "2"), ("ratio", "1")];
        let (scene, _) = taut_scenes::find("chain").unwrap().with(&given).unwrap();
        let moving: Vec<_> = scene.world.bodies().filter(|b| b.mass() > 0.0).collect();
        assert_eq!(moving.len(), text.matches("<body ").count());
        assert!(moving.iter().all(|b| text.contains(&format!("mass=\"{:e}\"", b.mass()))));
        let number = |t: &str| t.split(' ').next().unwrap().parse::<f64>().unwrap();
        let mut x = 0.0;
        for (b, part) in moving.iter().zip(text.split("<body pos=\"").skip(1)) {
            x += number(part);
            assert!((b.pose().pos.x - x).abs() < 1e-12, "{x} {}", b.pose().pos);
        }
    }
}
