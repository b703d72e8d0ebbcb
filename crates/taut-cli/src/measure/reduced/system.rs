//! The linear system of one step of a scene, solved by our paths and by a sparse Cholesky factorisation of the formed matrix.

use super::cases::Case;
use super::run::STEP;
use super::ways::Way;
use std::time::Instant;

#[cfg(feature = "direct")]
use super::cholesky::compare;

/// Without faer there is nothing to compare with.
#[cfg(not(feature = "direct"))]
fn compare(_: &taut_redmax::ReducedSystem, _: &[f64]) -> Result<Option<Cholesky>, String> {
    Ok(None)
}

/// Whether faer is there.
pub const HAS_DIRECT: bool = cfg!(feature = "direct");
/// How to get it.
pub const HOW: &str = "faer's sparse Cholesky beside auto: not in this build; cargo run --release -p taut-cli --features direct -- bench reduced";

/// Steps before the system is taken: the first ones close the loops and find the load.
const SETTLE: usize = 50;
/// A solve is timed again and again for so long, s, or so often.
const ENOUGH: f64 = 0.1;
const ROUNDS: [usize; 2] = [5, 2000];

/// A factorisation with all solves by one of our paths.
#[derive(Clone, Debug)]
pub struct Solved {
    pub way: Way,
    /// Least time, s.
    pub seconds: f64,
    /// Whether it was direct.
    pub is_direct: bool,
    /// Iterations per right-hand side.
    pub iterations: f64,
}

/// The same by faer.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "direct"), allow(dead_code, reason = "only made with faer"))]
pub struct Cholesky {
    /// Least time of the simplicial and of the supernodal factorisation, s.
    pub seconds: [f64; 2],
    /// Least time to form the matrix, by our own recursion, s; not in the others.
    pub forming: f64,
    /// Entries of the lower triangle, and values of the sparser factor.
    pub entries: usize,
    pub values: usize,
    /// Largest difference of its rates from those of auto, over the largest rate.
    pub off: f64,
}

impl Cholesky {
    /// Time of the better of the two, s.
    pub fn best(&self) -> f64 {
        self.seconds[0].min(self.seconds[1])
    }
}

/// One scene of one size.
#[derive(Clone, Debug)]
pub struct Sample {
    pub case: &'static str,
    pub size: usize,
    /// Unknowns and loop rows.
    pub dofs: usize,
    pub rows: usize,
    /// Least time of a whole step of auto on the way there, s.
    pub step: f64,
    /// Our paths, the first is auto.
    pub solved: Vec<Solved>,
    /// faer, where it is built in.
    pub cholesky: Option<Cholesky>,
}

impl Sample {
    /// Time of faer over that of auto.
    pub fn ratio(&self) -> Option<f64> {
        Some(self.cholesky?.best() / self.solved.first()?.seconds)
    }

    /// The same with the time to form the matrix.
    pub fn ratio_with_forming(&self) -> Option<f64> {
        Some((self.cholesky?.best() + self.cholesky?.forming) / self.solved.first()?.seconds)
    }
}

/// Least time of something done again and again, s.
pub fn least(mut work: impl FnMut() -> Result<(), String>) -> Result<f64, String> {
    let begin = Instant::now();
    let mut shortest = f64::INFINITY;
    for round in 0..ROUNDS[1] {
        if round >= ROUNDS[0] && begin.elapsed().as_secs_f64() > ENOUGH {
            break;
        }
        let start = Instant::now();
        work()?;
        shortest = shortest.min(start.elapsed().as_secs_f64());
    }
    Ok(shortest)
}

/// Runs a scene for half a second with auto and solves the system of its next step by `ways` and by faer.
pub fn sample(case: &'static Case, size: usize, ways: &[Way]) -> Result<Sample, String> {
    let name = |e: taut::Error| format!("{} {size}: {e}", case.name);
    let mut scene = case.scene(size).map_err(name)?;
    Way::Auto.apply(&mut scene.world).map_err(name)?;
    let mut step = f64::INFINITY;
    for _ in 0..SETTLE {
        let begin = Instant::now();
        scene.step(STEP).map_err(name)?;
        step = step.min(begin.elapsed().as_secs_f64());
    }
    scene.drive(STEP).map_err(name)?;
    let (mut solved, mut first) = (Vec::new(), None);
    for &way in [Way::Auto].iter().chain(ways) {
        way.apply(&mut scene.world).map_err(name)?;
        let mut system = taut_redmax::reduced_system(&mut scene.world, STEP).map_err(name)?;
        let seconds = least(|| system.solve().map(|_| ()).map_err(name))?;
        let sides = (1 + system.loops().len()) as f64;
        let done = system.solve().map_err(name)?;
        let (is_direct, iterations) = (done.is_direct, done.iterations as f64 / sides);
        let rates = done.rates.to_vec();
        solved.push(Solved { way, seconds, is_direct, iterations });
        first.get_or_insert((system, rates));
    }
    let Some((system, rates)) = first else { return Err(format!("{} {size}: nothing was solved", case.name)) };
    let cholesky = compare(&system, &rates).map_err(|e| format!("{} {size}: {e}", case.name))?;
    let (dofs, rows) = (system.freedoms().len(), system.loops().len());
    Ok(Sample { case: case.name, size, dofs, rows, step, solved, cholesky })
}

#[cfg(test)]
mod tests {
    use super::super::cases::CASES;
    use super::*;

    #[test]
    fn every_scene_is_solved_by_all_means_to_the_same_rates() {
        for case in &CASES {
            let s = sample(case, case.quick[0], &[Way::Pcg]).unwrap();
            assert_eq!((s.dofs, s.solved.len()), ((case.dofs)(s.size), 2), "{}", s.case);
            assert!(s.solved.iter().all(|p| p.seconds > 0.0) && s.step > 0.0 && !s.solved[1].is_direct);
            assert_eq!(s.cholesky.is_some(), HAS_DIRECT);
            if let Some(c) = s.cholesky {
                assert!(
                    c.best() > 0.0 && c.forming > 0.0 && c.values >= c.entries && c.off < 1e-4,
                    "{}: {c:?}",
                    s.case
                );
            }
        }
    }
}
