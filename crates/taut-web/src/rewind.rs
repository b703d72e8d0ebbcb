//! A scene as it was, to go back to: a ring of snapshots that takes no more memory than it may.

use crate::session::{Answer, Census, Session, text};
use crate::winches::Winch;
use std::collections::VecDeque;
use taut::{ForceId, MotorId, StepReport, Vec3};
use taut_draw::Drawing;
use taut_scenes::{Hand, Judgement, Snapshot, Stability};

/// All of a session as it was after a step.
#[derive(Debug)]
struct Kept {
    steps: u64,
    bytes: usize,
    scene: Snapshot,
    drawing: Drawing,
    census: Census,
    stability: Option<Stability>,
    last: Option<StepReport>,
    judgement: Option<Judgement>,
    mouse: Option<ForceId>,
    wanted: Vec3,
    winches: Vec<Winch>,
    drives: Vec<MotorId>,
    hand: Hand,
    thrown: usize,
}

/// The snapshots, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Ring {
    kept: VecDeque<Kept>,
    bytes: usize,
}

impl Session {
    /// Keeps the present moment; the oldest ones go when all take more than `most` bytes. What takes more by itself is not kept.
    pub fn keep(&mut self, most: usize) -> Answer<()> {
        let steps = self.scene.world.state().steps();
        // The model takes about as much as its layout.
        let bytes = 2 * self.scene.world.size().map_err(text)?.bytes;
        if bytes > most || self.ring.kept.back().is_some_and(|k| k.steps == steps) {
            return Ok(());
        }
        while self.ring.bytes + bytes > most {
            let Some(oldest) = self.ring.kept.pop_front() else { break };
            self.ring.bytes -= oldest.bytes;
        }
        self.ring.bytes += bytes;
        self.ring.kept.push_back(Kept {
            steps,
            bytes,
            scene: self.scene.snapshot(),
            drawing: self.drawing.clone(),
            census: self.census,
            stability: self.stability.clone(),
            last: self.last.clone(),
            judgement: self.judgement.clone(),
            mouse: self.mouse,
            wanted: self.wanted,
            winches: self.winches.clone(),
            drives: self.drives.clone(),
            hand: self.hand.clone(),
            thrown: self.thrown,
        });
        Ok(())
    }

    /// Goes back to the newest moment that was kept at or before a step, and forgets all later ones; says which step that is. The numbers
    /// of the step before go with it. A recording ends, for time has gone back.
    pub fn back(&mut self, steps: u64) -> Answer<u64> {
        let at = self.ring.kept.iter().rposition(|k| k.steps <= steps);
        let oldest =
            self.ring.kept.front().map_or("none is kept".into(), |k| format!("the oldest kept is {}", k.steps));
        let at = at.ok_or_else(|| format!("step = {steps}: expected one that is kept: {oldest}"))?;
        for later in self.ring.kept.drain(at + 1..) {
            self.ring.bytes -= later.bytes;
        }
        let k = &self.ring.kept[at];
        self.scene.restore(&k.scene);
        self.drawing.clone_from(&k.drawing);
        self.stability.clone_from(&k.stability);
        self.last.clone_from(&k.last);
        self.judgement.clone_from(&k.judgement);
        self.winches.clone_from(&k.winches);
        self.drives.clone_from(&k.drives);
        self.hand.clone_from(&k.hand);
        (self.mouse, self.wanted, self.thrown) = (k.mouse, k.wanted, k.thrown);
        if self.census != k.census {
            self.census = k.census;
            self.edition += 1;
        }
        self.recorder = None;
        Ok(k.steps)
    }

    /// The oldest step that can be gone back to, if there is one, and the memory of all, bytes.
    pub fn kept(&self) -> (Option<u64>, usize) {
        (self.ring.kept.front().map(|k| k.steps), self.ring.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const H: f64 = 1.0 / 60.0;
    const MOST: usize = 64 << 20;

    fn run(s: &mut Session, n: usize) {
        (0..n).for_each(|_| s.step(H).unwrap());
    }

    #[test]
    fn what_was_done_again_after_going_back_is_the_same() {
        let mut s = Session::library("crane", r#"{"segments": "8"}"#, "{}").unwrap();
        run(&mut s, 20);
        s.keep(MOST).unwrap();
        let (hash, report) = (s.hash(), s.report());
        let vehicle = s.drawing().bodies.iter().position(|b| b.name == "vehicle").unwrap();
        let on = |s: &mut Session| {
            let at = s.grab_local(vehicle, Vec3::ZERO).unwrap();
            s.drag(at + 4.0 * Vec3::Z).unwrap();
            run(s, 10);
            s.cut(s.drawing().joints.len() - 1).unwrap();
            run(s, 10);
            (s.hash(), s.report(), s.drawing().joints.len())
        };
        let first = on(&mut s);
        assert_eq!(s.back(35).unwrap(), 20);
        assert_eq!((s.hash(), s.report()), (hash, report));
        assert!(s.grabbed().is_empty());
        assert_eq!(on(&mut s), first);
        // And without all that: the run that nobody touched.
        s.back(20).unwrap();
        run(&mut s, 20);
        let mut free = Session::library("crane", r#"{"segments": "8"}"#, "{}").unwrap();
        run(&mut free, 40);
        assert_eq!((s.hash(), s.drawing().joints.len()), (free.hash(), free.drawing().joints.len()));
    }

    #[test]
    fn the_ring_takes_no_more_than_it_may() {
        let mut s = Session::library("chain", "{}", "{}").unwrap();
        run(&mut s, 1);
        s.keep(MOST).unwrap();
        let (first, one) = s.kept();
        assert!(first == Some(1) && one > 10_000);
        for _ in 0..20 {
            run(&mut s, 5);
            s.keep(6 * one).unwrap();
        }
        let (oldest, bytes) = s.kept();
        assert!(bytes <= 6 * one && oldest.unwrap() > 60, "{oldest:?}, {bytes} bytes");
        assert!(s.back(oldest.unwrap() - 1).unwrap_err().contains("expected one that is kept"));
        s.keep(1).unwrap();
        assert_eq!(s.kept().1, bytes);
    }
}
