//! Long runs and rollback: what must not drift in a million steps, and going back sixty steps in every step.

use crate::method::Wanted;
use crate::scene::{self, Scene};
use crate::stability::RISE_LIMIT;
use std::collections::VecDeque;
use std::time::{Duration, Instant};
use taut::{Coordinates, Error, Result, State, StepReport};

/// A scene that is run for long.
#[derive(Clone, Copy, Debug)]
pub struct Subject {
    /// Name on the command line.
    pub name: &'static str,
    scene: &'static str,
    parameters: &'static [(&'static str, &'static str)],
    coordinates: Coordinates,
}

const fn subject(
    name: &'static str,
    scene: &'static str,
    parameters: &'static [(&'static str, &'static str)],
) -> Subject {
    Subject { name, scene, parameters, coordinates: Coordinates::Maximal }
}

/// The ten: heavy on light, loops, limits, contacts asleep, motors, ropes, cloth, reduced coordinates.
pub const SUBJECTS: [Subject; 10] = [
    subject("chain-heavy", "chain", &[("ratio", "1000000")]),
    subject("crane", "crane", &[]),
    subject("ragdoll", "ragdoll", &[]),
    subject("fourbar", "fourbar", &[]),
    subject("bridge", "bridge", &[]),
    subject("box-stack", "box-stack", &[]),
    subject("strong-robot", "strong-robot", &[]),
    subject("snatch", "snatch", &[]),
    subject("cloth", "cloth", &[("side", "5")]),
    Subject { name: "fourbar-reduced", scene: "fourbar", parameters: &[], coordinates: Coordinates::Reduced },
];

impl Subject {
    /// By name.
    pub fn find(name: &str) -> Result<Subject> {
        let names: Vec<&str> = SUBJECTS.iter().map(|s| s.name).collect();
        let expected = format!("one of {}", names.join(", "));
        SUBJECTS.into_iter().find(|s| s.name == name).ok_or_else(|| Error::input("scene of a soak", name, expected))
    }

    /// The scene and its own step, s.
    pub fn build(&self) -> Result<(Scene, f64)> {
        let info = scene::find(self.scene)?;
        let (mut scene, _) = info.with(self.parameters)?;
        Wanted { coordinates: Some(self.coordinates), ..Wanted::default() }.apply(&mut scene.world)?;
        Ok((scene, info.dt))
    }
}

/// What is measured, in the first and in the last tenth of the steps; it goes with the snapshot when a run is interrupted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drift {
    /// Steps taken.
    pub steps: u64,
    /// Energy at the start and work of applied forces since, J.
    pub start: f64,
    /// See `start`.
    pub work: f64,
    /// Largest energy above the start without work, J.
    pub rise: [f64; 2],
    /// Largest gap of a joint or excess of a rope, m.
    pub gap: [f64; 2],
}

/// Bytes of a [`Drift`].
const DRIFT: usize = 56;

impl Drift {
    /// Before the first step.
    pub fn new(scene: &mut Scene) -> Result<Self> {
        let start = scene.world.energy()?.total();
        Ok(Drift { steps: 0, start, work: 0.0, rise: [f64::NEG_INFINITY; 2], gap: [0.0; 2] })
    }

    /// Looks at a step of a run of `all` steps.
    pub fn see(&mut self, r: &StepReport, all: u64) {
        self.work += r.ledger.work;
        let tenth = all.div_ceil(10);
        let parts = [self.steps < tenth, self.steps + tenth >= all];
        for k in (0..2).filter(|&k| parts[k]) {
            self.rise[k] = self.rise[k].max(r.energy.total() - self.start - self.work);
            self.gap[k] = self.gap[k].max(r.max_gap.max(r.bounded.overrun));
        }
        self.steps += 1;
    }

    /// What drifted, if anything: the energy rose, or gaps grew past twice those of the first tenth.
    pub fn fault(&self, scene: &Scene) -> Option<String> {
        let rise = self.rise[1] / scene.energy_scale;
        if !(rise < RISE_LIMIT) {
            return Some(format!("the energy rose by {:.2} % of the scale", 100.0 * rise));
        }
        let most = 2.0 * self.gap[0] + 1e-4 * scene.length;
        (!(self.gap[1] <= most)).then(|| format!("gaps grew to {:.3e} m from {:.3e} m", self.gap[1], self.gap[0]))
    }

    /// With a snapshot, as bytes.
    pub fn save(&self, state: &State) -> Vec<u8> {
        let numbers = [self.start, self.work, self.rise[0], self.rise[1], self.gap[0], self.gap[1]];
        let mut out: Vec<u8> = self.steps.to_le_bytes().to_vec();
        numbers.into_iter().for_each(|x| out.extend_from_slice(&x.to_le_bytes()));
        out.extend_from_slice(&state.to_bytes());
        out
    }

    /// Goes on from what was saved; refuses what is damaged or of another world, and then has changed nothing.
    pub fn resume(bytes: &[u8], scene: &mut Scene) -> Result<Self> {
        let Some((head, rest)) = bytes.split_at_checked(DRIFT) else {
            return Err(Error::input("saved soak", format!("{} bytes", bytes.len()), "a whole file"));
        };
        let word = |k: usize| -> [u8; 8] { std::array::from_fn(|i| head[8 * k + i]) };
        let x = |k: usize| f64::from_le_bytes(word(k));
        let steps = u64::from_le_bytes(word(0));
        let state = State::from_bytes(rest)?;
        if state.steps() != steps {
            return Err(Error::input("steps of the saved soak", steps, format!("{} of its snapshot", state.steps())));
        }
        scene.world.restore(&state)?;
        Ok(Drift { steps, start: x(1), work: x(2), rise: [x(3), x(4)], gap: [x(5), x(6)] })
    }
}

/// What rollback came to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rollback {
    /// Steps that were gone back from, all of them with the same bits as the plain run.
    pub steps: u64,
    /// Time of a plain step, of a step with its rollback, of a snapshot and of a restore, microseconds on average.
    pub plain: f64,
    /// See `plain`.
    pub rolled: f64,
    /// See `plain`.
    pub snapshot: f64,
    /// See `plain`.
    pub restore: f64,
}

/// In every step goes back `depth` steps and comes again to where it was, as a game over a network does when an input arrives late;
/// an error when a single bit differs from the plain run.
pub fn rollback(scene: &mut Scene, dt: f64, depth: usize, steps: u64) -> Result<Rollback> {
    let mut past: VecDeque<State> = VecDeque::with_capacity(depth + 1);
    let (mut out, mut times) = (Rollback::default(), [Duration::ZERO; 4]);
    let mut count = 0_u32;
    for k in 0..steps + depth as u64 {
        let begin = Instant::now();
        past.push_back(scene.world.state().clone());
        let taken = begin.elapsed();
        let begin = Instant::now();
        scene.step(dt)?;
        let plain = begin.elapsed();
        if past.len() <= depth {
            continue;
        }
        let now = scene.world.state().clone();
        let begin = Instant::now();
        if let Some(old) = past.pop_front() {
            scene.world.restore(&old)?;
        }
        let restored = begin.elapsed();
        for _ in 0..depth + 1 {
            scene.step(dt)?;
        }
        let whole = begin.elapsed();
        if *scene.world.state() != now {
            return Err(Error::input("rollback", format!("other bits after step {k}"), "those of the plain run"));
        }
        [taken, plain, restored, plain + taken + whole].into_iter().zip(&mut times).for_each(|(t, sum)| *sum += t);
        count += 1;
    }
    let mean = |t: Duration| 1e6 * t.as_secs_f64() / f64::from(count.max(1));
    out.steps = u64::from(count);
    [out.snapshot, out.plain, out.restore, out.rolled] = times.map(mean);
    Ok(out)
}
