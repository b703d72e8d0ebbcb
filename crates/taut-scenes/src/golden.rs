//! Golden hashes: the bits of all poses and velocities after a few steps of every scene, so that a change of one bit is seen, and in
//! which scene. The same values come out with any number of threads, with and without optimisation, and in WebAssembly.

use crate::method::Wanted;
use crate::scene::{Scene, SceneInfo, all};
use crate::{choices, scene};
use std::collections::BTreeMap;
use taut::{Result, World};

/// Steps of a case.
const STEPS: usize = 20;
/// Most bodies of a scene that the papers' stabilisers are run on: some of their matrices are dense.
const FEW: usize = 60;

/// Hash of the bits of all poses and velocities (FNV-1a, 64 bits).
pub fn hash(world: &World) -> Result<u64> {
    let numbers = world.bodies().flat_map(|b| {
        let (p, q) = (b.pose().pos.to_array(), b.pose().rot.to_array());
        let (v, w) = (b.velocity().to_array(), b.angular_velocity().to_array());
        p.into_iter().chain(q).chain(v).chain(w)
    });
    // Zero has two signs and is one number.
    Ok(fnv(numbers.flat_map(|x| if x == 0.0 { 0 } else { x.to_bits() }.to_le_bytes())))
}

/// FNV-1a, 64 bits.
pub fn fnv(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

/// One run of a few steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Name of the scene.
    pub scene: &'static str,
    /// Step, s.
    pub dt: f64,
    /// As on the command line.
    pub coordinates: &'static str,
    /// As on the command line.
    pub stabiliser: &'static str,
}

impl std::fmt::Display for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {} s {} {}", self.scene, self.dt, self.coordinates, self.stabiliser)
    }
}

/// Scenes of many bodies made small, beyond [`SceneInfo::small`].
fn size(info: &SceneInfo) -> &'static [(&'static str, &'static str)] {
    match info.name {
        "yard" => &[("bodies", "60")],
        "shots" => &[("shots", "10")],
        "cloth" => &[("side", "6")],
        "net" => &[("columns", "5"), ("rows", "5")],
        _ => info.small(),
    }
}

impl Case {
    /// Hash after the steps, in sixteen digits; or "refused" where the engine does not run it, "failed" where a step fails.
    pub fn run(&self) -> String {
        let Ok(mut scene) = self.begin() else { return "refused".into() };
        for k in 0..STEPS {
            match scene.step(self.dt) {
                Ok(_) => {}
                Err(taut::Error::Step { .. }) => return format!("failed in step {k}"),
                Err(_) => return "refused".into(),
            }
        }
        hash(&scene.world).map_or_else(|_| "refused".into(), |h| format!("{h:016x}"))
    }

    fn begin(&self) -> Result<Scene> {
        let info = scene::find(self.scene)?;
        let (mut scene, _) = info.with(size(&info))?;
        let refused = |e: String| taut::Error::input("case", self, e);
        let wanted = Wanted {
            coordinates: Some(choices::coordinates(self.coordinates).map_err(refused)?),
            stabiliser: Some(choices::stabiliser(self.stabiliser).map_err(refused)?),
            ..Wanted::default()
        };
        wanted.apply(&mut scene.world)?;
        Ok(scene)
    }
}

/// All cases: every scene at two step lengths in both coordinates, and small ones with the papers' stabilisers.
pub fn cases() -> Vec<Case> {
    let mut out = Vec::new();
    for info in all() {
        let case = |dt, coordinates, stabiliser| Case { scene: info.name, dt, coordinates, stabiliser };
        for dt in [info.dt, 0.5 * info.dt] {
            out.extend(["maximal", "reduced"].map(|coordinates| case(dt, coordinates, "aligned")));
        }
        let few = info.with(size(&info)).is_ok_and(|(s, _)| s.world.bodies().count() <= FEW);
        if few {
            let papers = ["none", "full", "inertial", "constraint-space"];
            out.extend(papers.map(|stabiliser| case(info.dt, "maximal", stabiliser)));
            out.push(case(info.dt, "reduced", "none"));
        }
    }
    out
}

/// All cases with their hashes, one line each: what the golden file holds.
pub fn text() -> String {
    cases().iter().map(|c| format!("{c} = {}\n", c.run())).collect()
}

/// What differs between the golden file and what came out, by name; empty when nothing does.
pub fn compare(golden: &str, found: &str) -> Vec<String> {
    let read = |text: &str| -> BTreeMap<String, String> {
        let lines = text.lines().filter(|l| !l.starts_with('#'));
        lines.filter_map(|l| l.split_once(" = ")).map(|(n, h)| (n.to_owned(), h.to_owned())).collect()
    };
    let (golden, found) = (read(golden), read(found));
    let mut out = Vec::new();
    for (name, now) in &found {
        match golden.get(name) {
            Some(then) if then == now => {}
            Some(then) => out.push(format!("{name}: {then} became {now}")),
            None => out.push(format!("{name}: new, {now}")),
        }
    }
    out.extend(golden.keys().filter(|n| !found.contains_key(*n)).map(|n| format!("{n}: gone")));
    out
}
