//! Four worlds of one shape side by side, a world in each lane of a vector: the step of `world::step` for those it has no more to do for
//! than for a tree of rigid joints, with the bits that each world has alone.
//!
//! What may go side by side is said in `load`: one tree of rigid bodies on joints of a ball and directions at right angles (ball, universal,
//! hinge, weld), without colliders, springs, limits, motors and whatever else brings rows with bounds. The stages are those of the step
//! (ARCHITECTURE.md), their formulas where the step has them for four bodies at a time (`math::lanes`, `stabilise`, `force::gyroscopic`,
//! `solve::joint_tree`).
//!
//! Worlds part where one needs another pass and its neighbour does not. A lane whose inputs are the same has the same results once more, so
//! all lanes go through every pass, and what has ended is only kept from being taken over again. What is rare is not here at all: a lane
//! that comes to it is left as it was, and its world takes that step alone.

mod arrive;
mod corrections;
mod load;
mod pass;
mod start;
mod vectors;

pub(crate) use load::Member;

use crate::joints::turn::Turn;
use crate::math::lanes::{Four, LANES, Number};
use crate::solve::joint_tree::JointTree;
use crate::stabilise::resolved;
use crate::state::Regime;
use crate::topology::Node;
use crate::tuning::T;
use taut_lanes::WideKernel;
use vectors::lane;

/// Vectors of the lanes.
type Triple = [Four; 3];

/// A body with unknowns, in elimination order.
#[derive(Clone, Debug, Default)]
struct Body {
    // of the layout
    /// First unknown.
    x: usize,
    /// The joint that holds it, by number, and whether it is the first body of that joint; none for a free root.
    held: Option<(usize, bool)>,
    axes: Axes,
    mass: Four,
    weight: Four,
    size: Four,
    /// Joints to other bodies, one where there are none.
    neighbours: Four,
    /// Damping of its motion, 1/s, and drag of a linear one, N s/m.
    damping: [Four; 2],
    drag: Four,
    /// Inertia in its own frame, and the diagonal of that.
    local: [Triple; 3],
    moments: Triple,
    /// Force and torque in the next step.
    load: [Triple; 2],

    // of the state
    pos: Triple,
    quat: [Four; 4],
    vel: Triple,
    omega: Triple,
    /// A of the last step, and the direction of the power iteration.
    before: [Four; 6],
    probe: [Four; 6],

    // of the step
    rot: [Triple; 3],
    inertia: [Triple; 3],
    omega_g: Triple,
    momentum: Triple,
    /// A, and A from the forces just found.
    added: [Triple; 3],
    asked: [Triple; 3],
    fade: Four,
    predicted: Triple,
    impulse: Triple,
    /// What the corrections look at.
    weight_now: Four,
    correction: Triple,
    probe_next: [Four; 6],
    next: Pose,
}

/// About which axes the inertia of a body is diagonal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Axes {
    /// About any: it has no gyroscopic term.
    Any,
    /// Its own.
    #[default]
    Principal,
    /// Others.
    Other,
}

impl Axes {
    fn of(node: &Node) -> Self {
        match node {
            Node { isotropic: true, .. } => Axes::Any,
            Node { principal: true, .. } => Axes::Principal,
            _ => Axes::Other,
        }
    }
}

/// A freedom whose turns are counted.
#[derive(Clone, Debug)]
struct Turning {
    i: usize,
    j: usize,
    of: [Turn; LANES],
    /// Directions on the two bodies that are within a right angle while the turns stay the same.
    ends: [Triple; 2],
    last: [f64; LANES],
    /// Whether the last position is within a quarter turn of whole turns.
    low: [bool; LANES],
    next: [f64; LANES],
}

/// Where a body is after the step.
#[derive(Clone, Copy, Debug, Default)]
struct Pose {
    pos: Triple,
    quat: [Four; 4],
    rot: [Triple; 3],
    vel: Triple,
    omega: Triple,
}

/// A body without unknowns.
#[derive(Clone, Copy, Debug, Default)]
struct Still {
    pos: Triple,
    rot: [Triple; 3],
}

/// A joint: its ball, and up to three pairs of directions at right angles.
#[derive(Clone, Debug, Default)]
struct Joint {
    // of the layout
    i: usize,
    j: usize,
    x: usize,
    /// Pairs of directions.
    pairs: usize,
    /// Weight of the moment term; which pairs carry a moment.
    kappa: Four,
    carries: [bool; 3],
    /// Its ends and directions on the bodies.
    ends: [Triple; 2],
    directions: [[Triple; 2]; 3],
    /// Lengths of the arms, and the measure of a gap, m.
    lengths: [Four; 2],
    reach: Four,

    // of the step
    arms: [Triple; 2],
    turned: [[Triple; 2]; 3],
    /// Cross products of the directions: the rows of the angles.
    rows: [Triple; 3],
    phi: [Four; 6],
    curve: [Four; 6],
    /// Forces of the last step, of the last pass, and those found.
    lambda: [Four; 6],
    load: [Four; 6],
    found: [Four; 6],
    /// Violations where the velocities lead.
    next: [Four; 6],
    weight: Four,
}

/// Four worlds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Abreast {
    bodies: Vec<Body>,
    still: Vec<Still>,
    joints: Vec<Joint>,
    turns: Vec<Turning>,
    tree: JointTree<Four>,
    /// By unknown: the right-hand side without the memory, the solution, the right-hand side of a correction, the solution before, and
    /// solutions that stand.
    b: Vec<Four>,
    x: Vec<Four>,
    residual: Vec<Four>,
    saved: Vec<Four>,
    done: Vec<Four>,
    /// Turns of all bodies in the step: w, and the coefficients of their arcs.
    arcs: Vec<[Four; 5]>,
    /// Of each world.
    gravity: Triple,
    regime: [Regime; LANES],
    steps: [u64; LANES],
    time: [f64; LANES],
    lag: [f64; LANES],
    /// Kick intervals, resolved shares, and the largest h^2 omega^2 of a body.
    hk: [f64; LANES],
    share: [f64; LANES],
    largest: [f64; LANES],
    /// Lanes that need nothing that is not here.
    fine: [bool; LANES],
    /// Lanes in which no joint takes part in the corrections.
    rests: [bool; LANES],
    /// Lanes whose power iteration has moved.
    probed: [bool; LANES],
    /// Whether there are loads for the next step.
    is_loaded: bool,
    /// The step, s.
    h: f64,
}

/// A part of the step, for vectors of the machine.
#[derive(Clone, Copy, Debug)]
enum Part {
    /// Inertias, gyroscopic terms, forces and rows at the present poses.
    Begin,
    /// A from the forces of the last step. Tells the largest h^2 omega^2 of a body.
    Stiffen,
    /// A from the forces just found. Tells in which lanes no force has grown, and the largest h^2 omega^2 of a body.
    Ask,
    /// Tells which lanes would have asked for clearly more stiffness, with these resolved shares.
    Grown([f64; LANES]),
    /// The forces found and their A take the place of the old ones, in these lanes.
    Take([bool; LANES]),
    /// Memory, curvature, right-hand side, factor and solution.
    Pass,
    /// Relative residuals of the solutions.
    Residual,
    /// A round of the power iteration, for lanes that have so many left.
    Probe(usize, [usize; LANES]),
    /// A look at the second order, in the round.
    Look(usize),
    /// The right-hand side of a correction and its solution, in these lanes.
    Correct([bool; LANES]),
    /// Solutions before the last correction come back, in these lanes.
    Back([bool; LANES]),
    /// Openings of the joints with the solutions at hand.
    Open,
    /// These lanes are done.
    Done([bool; LANES]),
    /// Poses after the step.
    Poses,
    /// Poses, velocities and what is remembered take the place of the old ones, in these lanes.
    Commit([bool; LANES]),
}

/// What a part says of each lane: numbers in the order of the part.
type Told = [[f64; LANES]; 2];

struct Do<'a>(&'a mut Abreast, Part);

impl WideKernel for Do<'_> {
    type Out = Told;

    #[inline(always)]
    fn run<F: Number>(self) -> Told {
        let Do(all, part) = self;
        let mut told = [[0.0; LANES]; 2];
        match part {
            Part::Begin => all.begin::<F>(),
            Part::Stiffen => {
                all.stiffen::<F>(false);
                told[0] = all.most::<F>(false);
            }
            Part::Ask => {
                all.stiffen::<F>(true);
                told = [all.calm::<F>(), all.most::<F>(true)];
            }
            Part::Grown(next) => told[0] = all.grown::<F>(next),
            Part::Take(lanes) => all.take::<F>(lanes),
            Part::Pass => all.pass::<F>(),
            Part::Residual => told[0] = all.residual::<F>(),
            Part::Probe(round, rounds) => told = all.probe::<F>(round, rounds),
            Part::Look(round) => told = all.look::<F>(round),
            Part::Correct(lanes) => all.correct::<F>(lanes),
            Part::Back(lanes) => all.back::<F>(lanes),
            Part::Open => told[0] = all.opening::<F>(),
            Part::Done(lanes) => all.done::<F>(lanes),
            Part::Poses => {
                all.poses::<F>();
                all.turns::<F>();
            }
            Part::Commit(lanes) => all.commit::<F>(lanes),
        }
        told
    }
}

/// Where the passes of a lane are.
#[derive(Clone, Copy, Debug)]
struct Passes {
    made: usize,
    most: usize,
    /// Whether it may be integrated with second order.
    resolves: bool,
}

impl Abreast {
    /// A part of the step.
    fn run(&mut self, part: Part) -> Told {
        taut_lanes::run_wide(Do(self, part))
    }

    /// Takes a step of `h` seconds; which lanes have taken it. The others are as they were.
    pub fn step(&mut self, h: f64) -> [bool; LANES] {
        let regime = self.regime;
        self.open(h);
        let before = self.potential();
        self.run(Part::Begin);
        self.largest = self.run(Part::Stiffen)[0];
        self.solve();
        self.run(Part::Poses);
        let fine = self.fine;
        self.run(Part::Commit(fine));
        let after = self.potential();
        for k in 0..LANES {
            if !fine[k] {
                self.regime[k] = regime[k];
                continue;
            }
            self.lag[k] = 0.5 * (after[k] - before[k]);
            self.regime[k] = Regime { h_prev: h, shocked: false, ..self.regime[k] };
            for turn in &mut self.turns {
                turn.pass(k);
            }
            self.time[k] += h;
            self.steps[k] += 1;
        }
        self.unload();
        fine
    }

    /// The regime and the kick interval of each lane.
    fn open(&mut self, h: f64) {
        self.h = h;
        (self.fine, self.probed) = ([true; LANES], [false; LANES]);
        for k in 0..LANES {
            let r = &mut self.regime[k];
            r.h_long = h.max(T.passes.forget * r.h_long);
            self.hk[k] = 0.5 * (r.h_prev + h);
        }
    }

    /// The loop of passes, with the second order (`passes::rounds`).
    fn solve(&mut self) {
        let mut passes = [Passes { made: 0, most: T.passes.most, resolves: true }; LANES];
        let mut open = [true; LANES];
        while open.contains(&true) {
            self.rounds(open, &mut passes);
            let resolves = each(|k| open[k] && passes[k].resolves);
            self.estimate(resolves);
            let corrects = each(|k| resolves[k] && self.share[k] > 0.0);
            let failed = if corrects.contains(&true) { self.corrections(corrects) } else { [false; LANES] };
            let closes = each(|k| open[k] && !corrects[k]);
            if closes.contains(&true) {
                // Joints that open further ask for looks of their own, which only whips do.
                let widest = self.run(Part::Open)[0];
                (0..LANES).for_each(|k| self.fine[k] &= !closes[k] || widest[k] < 0.95 * T.looks.wide);
            }
            let ended = each(|k| open[k] && !failed[k]);
            self.run(Part::Done(ended));
            open = each(|k| failed[k] && self.fine[k]);
            for k in (0..LANES).filter(|&k| open[k]) {
                // The corrections failed: once more, with the base step.
                let p = &mut passes[k];
                (p.resolves, p.most) = (false, p.most.max(p.made + 1));
            }
        }
    }

    /// Passes until the forces of no lane have jumped.
    fn rounds(&mut self, open: [bool; LANES], passes: &mut [Passes; LANES]) {
        let mut active = open;
        while active.contains(&true) {
            for k in (0..LANES).filter(|&k| active[k]) {
                let resolves = passes[k].resolves;
                self.share[k] = if resolves { resolved::share(&self.regime[k], self.largest[k]) } else { 0.0 };
            }
            self.run(Part::Pass);
            self.check_residual(active);
            (0..LANES).filter(|&k| active[k]).for_each(|k| passes[k].made += 1);
            active = each(|k| active[k] && passes[k].made < passes[k].most && self.fine[k]);
            if !active.contains(&true) {
                return;
            }
            let [calm, asked] = self.run(Part::Ask);
            let next = each(|k| if passes[k].resolves { resolved::share(&self.regime[k], asked[k]) } else { 0.0 });
            let grown = self.run(Part::Grown(next))[0];
            active = each(|k| active[k] && !(calm[k] > 0.0 && self.share[k] == 0.0) && grown[k] > 0.0);
            if active.contains(&true) {
                self.run(Part::Take(active));
                (0..LANES).filter(|&k| active[k]).for_each(|k| self.largest[k] = asked[k]);
            }
        }
    }

    /// Now and then the residual is looked at; a lane that would be refined goes alone.
    fn check_residual(&mut self, active: [bool; LANES]) {
        let due = each(|k| active[k] && self.steps[k].is_multiple_of(T.passes.residual_every));
        if due.contains(&true) {
            let residual = self.run(Part::Residual)[0];
            (0..LANES).for_each(|k| self.fine[k] &= !due[k] || residual[k] < 0.5 * T.passes.refine);
        }
    }

    /// Potential energy of each lane, J.
    fn potential(&self) -> [f64; LANES] {
        each(|k| {
            let gravity = lane(&self.gravity, k);
            self.bodies.iter().map(|b| -b.weight.0[k] * gravity.dot(lane(&b.pos, k))).sum()
        })
    }
}

/// Something of each lane.
fn each<V>(of: impl FnMut(usize) -> V) -> [V; LANES] {
    std::array::from_fn(of)
}
