//! What `taut run` measures on request: the distance from a run with a smaller step, and how smooth the motion is.

use crate::format::number;
use crate::interrupt;
use crate::load::Loaded;
use serde::Serialize;
use taut::{Vec3, World};
use taut_scenes::{PathError, Sample, SmoothnessMeter};

/// Most steps of a reference: its path is kept in memory.
const MOST_STEPS: f64 = 1e7;

/// Where low and high frequencies part, Hz.
pub const CUTOFF: f64 = 10.0;

/// A run with a smaller step to compare with.
#[derive(Clone, Copy)]
pub struct Reference {
    /// Its step, s.
    pub dt: f64,
    /// How long it runs, s.
    pub time: f64,
}

impl Reference {
    /// Checks the values of `--reference` and `--reference-time` against the step and the time of the run.
    pub fn new(reference: f64, until: Option<f64>, dt: f64, time: f64) -> Result<Self, String> {
        if reference >= dt {
            let (reference, dt) = (number(reference), number(dt));
            return Err(format!("--reference {reference}: expected less than the step of the run, {dt} s"));
        }
        let until = until.unwrap_or(time);
        if !(until >= dt && until <= time) {
            let (until, dt, time) = (number(until), number(dt), number(time));
            return Err(format!(
                "--reference-time {until}: expected from one step, {dt} s, to the time of the run, {time} s"
            ));
        }
        let steps = (until / reference).round();
        if steps > MOST_STEPS {
            let (reference, until) = (number(reference), number(until));
            return Err(format!(
                "--reference {reference} over {until} s makes {steps:.3e} steps: expected at most {MOST_STEPS:.0e}"
            ));
        }
        Ok(Reference { dt: reference, time: until })
    }

    /// Runs the reference in a scene of its own and compares; `path` is that of the run.
    pub fn compare(&self, loaded: &mut Loaded, path: &[(f64, Vec3)]) -> Path {
        let failed = |why: String| Path { failure: Some(why), ..Path::new(self) };
        let fine = match self.path(loaded) {
            Ok(fine) => fine,
            Err(why) => return failed(why),
        };
        let Some(e) = PathError::between(path, &fine, loaded.scene.length) else {
            return failed("the run ended before its second step".into());
        };
        Path {
            distance: Some(e.distance),
            distance_rel: Some(e.distance / e.length),
            at: Some(e.time),
            travel: Some(e.travel),
            ..Path::new(self)
        }
    }

    fn path(&self, loaded: &mut Loaded) -> Result<Vec<(f64, Vec3)>, String> {
        let scene = &mut loaded.scene;
        let start = scene.world.body(scene.follow).map_err(|e| e.to_string())?.pose().pos;
        let mut fine = vec![(0.0, start)];
        let done = taut_scenes::run(scene, self.dt, self.time, |s| {
            fine.push((s.report.time, s.position));
            !interrupt::pressed()
        });
        match done.map_err(|e| e.to_string())?.failure {
            Some(why) => Err(format!("the reference diverged {why}")),
            None if interrupt::pressed() => Err("interrupted".into()),
            None => Ok(fine),
        }
    }
}

/// The distance of the followed body from its path in the reference; nothing but the failure where it could not be measured.
#[derive(Serialize)]
pub struct Path {
    /// Step of the reference, s.
    pub reference: f64,
    /// How long the paths were compared, s.
    pub time: f64,
    /// Largest distance at one instant, m.
    pub distance: Option<f64>,
    /// The same over the length of the scene.
    pub distance_rel: Option<f64>,
    /// When that was, s.
    pub at: Option<f64>,
    /// Length of the path in the reference, m.
    pub travel: Option<f64>,
    /// Why there is nothing to compare.
    pub failure: Option<String>,
}

impl Path {
    fn new(r: &Reference) -> Self {
        Path {
            reference: r.dt,
            time: r.time,
            distance: None,
            distance_rel: None,
            at: None,
            travel: None,
            failure: None,
        }
    }
}

/// How smooth the run was.
#[derive(Serialize)]
pub struct Smooth {
    /// Where low and high frequencies part, Hz.
    pub cutoff: f64,
    /// Root mean square of the angular accelerations over bodies and time, rad/s^2.
    pub rms: f64,
    /// The same of the part above the cutoff, rad/s^2.
    pub rms_above: f64,
    /// Share of the power above the cutoff.
    pub share_above: f64,
}

/// What looks at every step for these measures.
pub struct Extra {
    reference: Option<Reference>,
    path: Vec<(f64, Vec3)>,
    meter: Option<SmoothnessMeter>,
}

impl Extra {
    /// For a run of `dt` from the present state of a scene.
    pub fn new(loaded: &Loaded, reference: Option<Reference>, smoothness: bool, dt: f64) -> Result<Self, String> {
        let scene = &loaded.scene;
        if smoothness && dt >= 0.5 / CUTOFF {
            return Err(format!(
                "--smoothness with --dt {dt}: expected a step below {} s, which resolves {CUTOFF} Hz",
                0.5 / CUTOFF
            ));
        }
        let meter = smoothness.then(|| SmoothnessMeter::new(&scene.world, dt, 0.0, CUTOFF)).transpose();
        let start = scene.world.body(scene.follow).map_err(|e| e.to_string())?.pose().pos;
        Ok(Extra { reference, path: vec![(0.0, start)], meter: meter.map_err(|e| e.to_string())? })
    }

    /// Looks at the world after a step.
    pub fn see(&mut self, world: &World, s: &Sample) {
        // With a body gone there is nothing to look at any more; a run removes none.
        if self.meter.as_mut().is_some_and(|m| m.see(world).is_err()) {
            self.meter = None;
        }
        if self.reference.is_some_and(|r| self.path.last().is_none_or(|p| p.0 < r.time)) {
            self.path.push((s.report.time, s.position));
        }
    }

    /// The smoothness, and the path error against a run of `again`, which builds the scene once more. `ended` says why the run did not
    /// last its time, if so.
    pub fn finish(
        self,
        ended: Option<&str>,
        again: impl FnOnce() -> Result<Loaded, String>,
    ) -> Result<Measures, String> {
        let smooth = self.meter.map(|m| {
            let d = m.done();
            Smooth { cutoff: CUTOFF, rms: d.rms, rms_above: d.rms_above, share_above: d.share_above }
        });
        let path = match (self.reference, ended) {
            (Some(r), Some(why)) => Some(Path { failure: Some(why.into()), ..Path::new(&r) }),
            (Some(r), None) => Some(r.compare(&mut again()?, &self.path)),
            (None, _) => None,
        };
        Ok(Measures { smooth, path })
    }
}

/// What was asked for.
pub struct Measures {
    /// How smooth the run was.
    pub smooth: Option<Smooth>,
    /// How far it strayed from a run with a smaller step.
    pub path: Option<Path>,
}
