//! Things that are timed in turn, over and over, so that a busy machine is busy for all of them alike.

use super::statistics::{Ratio, median};
use std::time::{Duration, Instant};
use taut::study::Study;
use taut::{Result, State, World};
use taut_scenes::thread_clock;

/// Fewest and most rounds; between them the time decides.
const ROUNDS: (usize, usize) = (5, 3000);
/// Bare solves in a round, of which the fastest counts.
const BARE: usize = 4;

/// Times of rounds, in s: those of each thing in the order in which they were taken.
pub struct Turns {
    times: Vec<Vec<f64>>,
    failures: Vec<Option<String>>,
}

/// Times so many things in turn for as long as `time`; `round` is given the number of the thing and says how long it took. A first
/// round of each does not count. One that fails is left out from then on.
pub fn turns(count: usize, time: Duration, mut round: impl FnMut(usize) -> std::result::Result<f64, String>) -> Turns {
    let mut all = Turns { times: vec![Vec::new(); count], failures: vec![None; count] };
    let (mut done, mut begin) = (0, Instant::now());
    while done <= ROUNDS.1 && (done <= ROUNDS.0 || begin.elapsed() < time) {
        for k in 0..count {
            if all.failures[k].is_some() {
                continue;
            }
            match round(k) {
                Ok(_) if done == 0 => {}
                Ok(time) => all.times[k].push(time),
                Err(why) => all.failures[k] = Some(why),
            }
        }
        if done == 0 {
            begin = Instant::now();
        }
        done += 1;
    }
    all
}

impl Turns {
    /// Rounds of a thing that count.
    pub fn rounds(&self, k: usize) -> usize {
        self.times[k].len()
    }

    /// Its least time, s; not a number when it has none.
    pub fn least(&self, k: usize) -> f64 {
        self.times[k].iter().copied().reduce(f64::min).unwrap_or(f64::NAN)
    }

    /// Its median time, s.
    pub fn median(&self, k: usize) -> f64 {
        median(&self.times[k])
    }

    /// Least time of one over that of another.
    pub fn of_least(&self, k: usize, other: usize) -> f64 {
        self.least(k) / self.least(other)
    }

    /// Time of one over that of another, round by round.
    pub fn of_rounds(&self, k: usize, other: usize) -> Ratio {
        Ratio::new(&self.times[other], &self.times[k])
    }

    /// Why it failed.
    pub fn failure(&self, k: usize) -> Option<&str> {
        self.failures[k].as_deref()
    }
}

/// A world that takes the same steps again and again.
pub struct Replay {
    world: World,
    start: State,
    h: f64,
    steps: usize,
}

impl Replay {
    /// Steps of `h` s: so many before the first that counts, so many in a round.
    pub fn new(mut world: World, h: f64, warm: usize, steps: usize) -> Result<Self> {
        for _ in 0..warm {
            world.step(h)?;
        }
        let start = world.state().clone();
        Ok(Replay { world, start, h, steps })
    }

    /// Bodies that move.
    pub fn bodies(&self) -> usize {
        self.world.bodies().filter(|b| b.mass() > 0.0).count()
    }

    /// The steps, from the same state: processor time of one of them on average, s.
    pub fn round(&mut self) -> std::result::Result<f64, String> {
        self.timed().map_err(|e| e.to_string())
    }

    fn timed(&mut self) -> Result<f64> {
        self.world.restore(&self.start)?;
        let begin = thread_clock();
        for _ in 0..self.steps {
            self.world.step(self.h)?;
        }
        Ok((thread_clock() - begin) / self.steps as f64)
    }

    /// Bare block LDL^T of the matrix of the last step, with one right-hand side: least processor time of a few, s.
    pub fn bare(&mut self) -> std::result::Result<f64, String> {
        let mut least = f64::INFINITY;
        let solved = self.world.bare_solve(|once| {
            for _ in 0..BARE {
                let begin = thread_clock();
                once();
                least = least.min(thread_clock() - begin);
            }
        });
        solved.map(|()| least).map_err(|e| e.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_take_turns_and_the_first_round_does_not_count() {
        let mut order = Vec::new();
        let t = turns(3, Duration::ZERO, |k| {
            order.push(k);
            let round = order.len() / 3;
            if k == 2 && round > 2 {
                Err("broke".into())
            } else {
                Ok((k + 1) as f64 * if round == 0 { 0.1 } else { 1.0 })
            }
        });
        assert_eq!(order[..6], [0, 1, 2, 0, 1, 2]);
        assert_eq!((t.rounds(0), t.rounds(1), t.failure(0), t.failure(2)), (5, 5, None, Some("broke")));
        assert_eq!((t.least(0), t.median(1), t.of_least(1, 0), t.of_rounds(1, 0).median), (1.0, 2.0, 2.0, 2.0));
    }

    #[test]
    fn a_world_is_timed_beside_its_matrix() {
        let chain = taut_scenes::mechanisms::MECHANISMS.iter().find(|m| m.name == "chain-10").unwrap();
        let mut replay = Replay::new((chain.build)().unwrap(), chain.step, 2, 3).unwrap();
        assert_eq!(replay.bodies(), 11);
        assert!(replay.round().unwrap() > 0.0 && replay.bare().unwrap() > 0.0);
        let end = replay.world.state().clone();
        replay.round().unwrap();
        assert_eq!(replay.world.state(), &end);
    }
}
