//! How far a run with a large step strays from the same run with a small one.

use crate::run::run;
use crate::scene::SceneInfo;
use taut::{Error, Result, Vec3};

/// Distance between the paths of the followed body in two runs of one scene.
#[derive(Clone, Copy, Debug)]
pub struct PathError {
    /// Largest distance at one instant, m.
    pub distance: f64,
    /// When, s.
    pub time: f64,
    /// Length of the path in the reference, m.
    pub travel: f64,
    /// Length of the scene, m.
    pub length: f64,
}

impl PathError {
    /// Compares two paths of times (s) and positions (m) over the time that both cover; none where that is no time. `length` is that of
    /// the scene, m.
    pub fn between(coarse: &[(f64, Vec3)], fine: &[(f64, Vec3)], length: f64) -> Option<PathError> {
        let end = fine.last()?.0;
        // The times are sums of steps: the last ones agree to rounding.
        let common = coarse.iter().take_while(|p| p.0 <= end * (1.0 + 1e-9));
        if fine.len() < 2 || common.clone().count() < 2 {
            return None;
        }
        let mut worst = PathError { distance: 0.0, time: 0.0, travel: 0.0, length };
        worst.travel = fine.windows(2).map(|p| (p[1].1 - p[0].1).length()).sum();
        for &(t, p) in common {
            let distance = (at(fine, t) - p).length();
            if distance > worst.distance {
                (worst.distance, worst.time) = (distance, t);
            }
        }
        Some(worst)
    }
}

/// Runs a scene for `time` s with steps of `dt` and of `reference` s, and compares the paths of the body it follows.
pub fn path_error(info: &SceneInfo, set: &[(&str, &str)], dt: f64, reference: f64, time: f64) -> Result<PathError> {
    let coarse = path(info, set, dt, time)?;
    let fine = path(info, set, reference, time)?;
    PathError::between(&coarse, &fine, info.with(set)?.0.length)
        .ok_or_else(|| Error::input("time", time, format!("at least a step of {dt} s")))
}

/// Times and positions after every step; a run that fails is an error.
fn path(info: &SceneInfo, set: &[(&str, &str)], dt: f64, time: f64) -> Result<Vec<(f64, Vec3)>> {
    let (mut scene, _) = info.with(set)?;
    let mut points = vec![(0.0, scene.world.body(scene.follow)?.position())];
    let outcome = run(&mut scene, dt, time, |s| {
        points.push((s.report.time, s.position));
        true
    })?;
    match outcome.failure {
        Some(why) => Err(Error::input(format!("run of {} at {dt} s", info.name), why, "a stable run")),
        None => Ok(points),
    }
}

/// The position at a time, between the two points around it.
fn at(path: &[(f64, Vec3)], time: f64) -> Vec3 {
    let k = path.partition_point(|p| p.0 < time).clamp(1, path.len() - 1);
    let (a, b) = (path[k - 1], path[k]);
    a.1.lerp(b.1, ((time - a.0) / (b.0 - a.0)).clamp(0.0, 1.0))
}
