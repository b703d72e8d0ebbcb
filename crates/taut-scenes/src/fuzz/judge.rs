//! What counts as a finding. The judge sees the world from outside: reports, energies, poses.
//!
//! Gaps are measured against the farthest that any body has been from the origin (bodies on
//! slides and planes fall far), energies against the weight of everything times that length, or
//! the kinetic and elastic energy at the start when that is more. What applied forces, motors and
//! driven bodies put in is no rise; nor is what contacts give back.

use std::fmt;
use taut::{Energy, Event, JointId, Motion, Result, StepReport, Vec3, World};

/// Shortest length that gaps are measured against, m, and smallest scale of energies, J.
const SMALLEST: (f64, f64) = (1.0, 1e-9);

/// What can go wrong, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The engine panicked.
    Panic,
    /// A step or an edit was refused.
    Error,
    /// A pose, a velocity or the energy is not finite.
    NotFinite,
    /// The energy rose.
    Rise,
    /// A joint opened.
    Gap,
    /// Bodies are inside each other.
    Penetration,
    /// The ledger of the energy does not add up.
    Ledger,
    /// A restored snapshot went another way.
    Repeat,
    /// Two threads gave other bits than one.
    Threads,
    /// It took too long.
    Slow,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 10] = [
        Kind::Panic,
        Kind::Error,
        Kind::NotFinite,
        Kind::Rise,
        Kind::Gap,
        Kind::Penetration,
        Kind::Ledger,
        Kind::Repeat,
        Kind::Threads,
        Kind::Slow,
    ];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Panic => "panic",
            Kind::Error => "error",
            Kind::NotFinite => "not-finite",
            Kind::Rise => "rise",
            Kind::Gap => "gap",
            Kind::Penetration => "penetration",
            Kind::Ledger => "ledger",
            Kind::Repeat => "repeat",
            Kind::Threads => "threads",
            Kind::Slow => "slow",
        }
    }
}

/// From where on something is a finding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Rise of the energy over the scale.
    pub rise: f64,
    /// Opening of a joint over the length.
    pub gap: f64,
    /// Penetration beyond that at the start or where a joint is gone, m.
    pub penetration: f64,
    /// Imbalance of the ledger in a step over the scale.
    pub ledger: f64,
    /// Time of a run, s.
    pub seconds: f64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { rise: 0.1, gap: 0.1, penetration: 0.1, ledger: 1e-9, seconds: 10.0 }
    }
}

impl Limits {
    /// The same with rises above 2 % and gaps above 1 %.
    pub fn strict() -> Self {
        Limits { rise: 0.02, gap: 0.01, ..Limits::default() }
    }
}

/// One thing that went wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What.
    pub kind: Kind,
    /// The first step in which it did.
    pub step: usize,
    /// The worst value of the run (a part of scale or length, m, s); 0 where there is none.
    pub value: f64,
    /// Length, m, and scale, J, that it was measured by.
    pub measured_by: [f64; 2],
    /// Words of an error, or the joint that opened.
    pub note: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (step, x) = (self.step, self.value);
        match self.kind {
            Kind::Panic => write!(f, "panic: {}", self.note),
            Kind::Error => write!(f, "error in step {step}: {}", self.note),
            Kind::NotFinite => write!(f, "not finite from step {step}"),
            Kind::Rise => write!(f, "the energy rises by {:.1} % of the scale, from step {step}", 100.0 * x),
            Kind::Gap => {
                write!(f, "{} opens by {:.1} % of the length, from step {step}", self.note, 100.0 * x)
            }
            Kind::Penetration => write!(f, "penetration of {x:.3} m, from step {step}"),
            Kind::Ledger => write!(f, "the ledger is off by {x:.1e} of the scale, from step {step}"),
            Kind::Repeat => write!(f, "the snapshot of step {step} does not repeat"),
            Kind::Threads => write!(f, "two threads give other bits in step {step}"),
            Kind::Slow => write!(f, "slower than {x} s"),
        }
    }
}

/// Largest values of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measures {
    /// Steps taken.
    pub steps: usize,
    /// Rise of the energy over the scale.
    pub rise: f64,
    /// Opening of a joint over the length.
    pub gap: f64,
    /// Penetration beyond that at the start, m.
    pub penetration: f64,
    /// Imbalance of the ledger over the scale.
    pub imbalance: f64,
    /// Steps in which rows with bounds did not converge.
    pub unconverged: usize,
}

/// What a run came to.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// What went wrong, the worst kind first; at most one of each kind.
    pub findings: Vec<Finding>,
    /// Largest values.
    pub measures: Measures,
}

impl Verdict {
    /// The finding of a kind.
    pub fn of(&self, kind: Kind) -> Option<&Finding> {
        self.findings.iter().find(|f| f.kind == kind)
    }

    /// The worst finding.
    pub fn worst(&self) -> Option<&Finding> {
        self.findings.first()
    }

    /// Adds a finding, or makes the one of its kind worse.
    pub(super) fn add(&mut self, found: Finding) {
        match self.findings.iter_mut().find(|f| f.kind == found.kind) {
            Some(f) if found.value > f.value => *f = Finding { step: f.step, ..found },
            Some(_) => {}
            None => self.findings.push(found),
        }
        self.findings.sort_by_key(|f| f.kind);
    }
}

/// Whether the opening of a joint is a gap and not the stretch of a spring.
fn is_rigid(world: &World, joint: JointId) -> bool {
    world.joint(joint).is_ok_and(|j| j.energy() == 0.0)
}

/// Part of the length below which a joint that has yielded counts as closed again.
const CLOSED: f64 = 0.01;

/// Looks at every step of a run.
pub(super) struct Judge {
    limits: Limits,
    pub verdict: Verdict,
    /// Weight of everything that moves freely, N.
    weight: f64,
    length: f64,
    scale: f64,
    /// Energy at the start, and what was put in since, J.
    start: f64,
    work: f64,
    /// Rise at the last step, over the scale.
    rise: f64,
    /// Joints that the reports name as torn open by what drives them, which no solver can prevent, and that are not closed again.
    torn: Vec<JointId>,
    /// Penetration that is not of the engine's making, m; none before the first step.
    given: Option<f64>,
}

impl Judge {
    pub fn new(world: &mut World, limits: Limits) -> Result<Self> {
        let mut judge = Judge {
            limits,
            verdict: Verdict::default(),
            weight: 0.0,
            length: 0.0,
            scale: 0.0,
            start: 0.0,
            work: 0.0,
            rise: 0.0,
            torn: Vec::new(),
            given: None,
        };
        judge.begin(world)?;
        Ok(judge)
    }

    /// Starts the books for the world as it is now: at the start, and after an edit, whose energy
    /// is none of the engine's making. A rise up to then is not forgiven.
    pub fn begin(&mut self, world: &mut World) -> Result<()> {
        let energy = world.energy()?;
        let (mut low, mut high, mut mass) = (Vec3::INFINITY, Vec3::NEG_INFINITY, 0.0);
        for b in world.bodies().filter(|b| b.id() != world.ground()) {
            (low, high) = (low.min(b.pose().pos), high.max(b.pose().pos));
            mass += if matches!(b.motion(), Motion::Dynamic | Motion::Particle) { b.mass() } else { 0.0 };
        }
        self.weight = mass * world.options().gravity.length();
        self.length = (high - low).max_element().max(SMALLEST.0).max(reach(world));
        self.scale = (self.weight * self.length).max(energy.kinetic + energy.elastic).max(SMALLEST.1);
        self.start = energy.total() - self.rise.max(0.0) * self.scale;
        self.work = 0.0;
        Ok(())
    }

    /// A joint is gone: its bodies, which did not meet before, may overlap. What the next step
    /// begins with is not of the engine's making.
    pub fn parted(&mut self) {
        self.given = None;
    }

    /// Judges a step.
    pub fn see(&mut self, world: &World, report: &StepReport, step: usize) {
        self.work += report.ledger.work + report.ledger.contacts.max(0.0);
        self.length = self.length.max(reach(world));
        self.scale = self.scale.max(self.weight * self.length);
        self.energy(&report.energy, step);
        self.gap(world, report, step);
        let deep = report.bounded.penetration;
        // The report of a step tells the penetration that it began with.
        let given = *self.given.get_or_insert(deep);
        let deep = deep - given;
        if report.events.iter().any(|e| matches!(e, Event::JointBroken { .. })) {
            self.parted();
        }
        let off = report.ledger.imbalance.abs() / self.scale;
        self.limit(Kind::Penetration, deep, self.limits.penetration, step);
        self.limit(Kind::Ledger, off, self.limits.ledger, step);
        let m = &mut self.verdict.measures;
        m.steps = step + 1;
        m.penetration = m.penetration.max(deep);
        m.imbalance = m.imbalance.max(off);
        m.unconverged += usize::from(report.bounded.unconverged > 0);
    }

    fn energy(&mut self, energy: &Energy, step: usize) {
        let total = energy.total();
        if !total.is_finite() {
            return self.note(Kind::NotFinite, step, String::new());
        }
        self.rise = (total - self.start - self.work) / self.scale;
        self.verdict.measures.rise = self.verdict.measures.rise.max(self.rise);
        self.limit(Kind::Rise, self.rise, self.limits.rise, step);
    }

    fn gap(&mut self, world: &World, report: &StepReport, step: usize) {
        if !report.max_gap.is_finite() {
            return self.note(Kind::NotFinite, step, String::new());
        }
        let (worst, joint) = self.worst_gap(world, report);
        let gap = worst / self.length;
        self.verdict.measures.gap = self.verdict.measures.gap.max(gap);
        if gap > self.limits.gap {
            let joint = joint.and_then(|j| world.joint(j).ok());
            let note = joint.map_or(String::new(), |j| format!("{} {}", j.kind(), j.name()));
            self.verdict.add(Finding { value: gap, ..self.found(Kind::Gap, step, note) });
        }
    }

    /// The largest opening of a joint that is not excused, m, and the joint. A joint is excused where a report says that what drives it
    /// contradicts the rest, until it is closed again.
    fn worst_gap(&mut self, world: &World, report: &StepReport) -> (f64, Option<JointId>) {
        for c in report.conflicts.iter().filter(|c| c.yielded) {
            if !self.torn.contains(&c.joint) {
                self.torn.push(c.joint);
            }
        }
        let opening = |j: JointId| world.joint(j).map_or(0.0, |v| v.gap());
        let closed = CLOSED * self.length;
        self.torn.retain(|&j| opening(j) > closed || report.conflicts.iter().any(|c| c.joint == j));
        if !report.max_gap_joint.is_some_and(|j| self.torn.contains(&j)) {
            return (report.max_gap, report.max_gap_joint);
        }
        let others = world.joints().map(|j| j.id()).filter(|j| !self.torn.contains(j)).filter(|&j| is_rigid(world, j));
        others.map(|j| (opening(j), Some(j))).fold((0.0, None), |a, b| if b.0 > a.0 { b } else { a })
    }

    fn limit(&mut self, kind: Kind, value: f64, limit: f64, step: usize) {
        if value > limit {
            self.verdict.add(Finding { value, ..self.found(kind, step, String::new()) });
        }
    }

    /// A finding without a value.
    pub fn note(&mut self, kind: Kind, step: usize, note: String) {
        self.verdict.add(self.found(kind, step, note));
    }

    pub fn found(&self, kind: Kind, step: usize, note: String) -> Finding {
        Finding { kind, step, value: 0.0, measured_by: [self.length, self.scale], note }
    }

    /// The last look: is everything finite?
    pub fn end(&mut self, world: &World) {
        let finite = world.bodies().all(|b| {
            b.pose().pos.is_finite()
                && b.pose().rot.is_finite()
                && b.velocity().is_finite()
                && b.angular_velocity().is_finite()
        });
        if !finite {
            self.note(Kind::NotFinite, self.verdict.measures.steps, String::new());
        }
    }
}

/// The farthest that a body is from the origin, m.
fn reach(world: &World) -> f64 {
    world.bodies().fold(0.0, |far: f64, b| far.max(b.pose().pos.length()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::{Features, generate, run::open};

    fn judged(change: impl Fn(&mut StepReport), limits: Limits) -> Vec<Kind> {
        let case = generate(1, Features::none(), 10);
        let mut scene = open(&case, false).expect("a world");
        let mut judge = Judge::new(&mut scene.world, limits).expect("a judge");
        let mut report = scene.world.step(1e-3).expect("a step");
        judge.see(&scene.world, &report, 0);
        assert!(judge.verdict.findings.is_empty(), "{:?}", judge.verdict);
        change(&mut report);
        judge.see(&scene.world, &report, 1);
        judge.verdict.findings.iter().map(|f| f.kind).collect()
    }

    #[test]
    fn the_judge_finds_planted_faults() {
        let limits = Limits::default();
        assert_eq!(judged(|r| r.energy.kinetic = 1e12, limits), [Kind::Rise]);
        assert_eq!(judged(|r| r.energy.kinetic = f64::NAN, limits), [Kind::NotFinite]);
        assert_eq!(judged(|r| r.max_gap = 1e3, limits), [Kind::Gap]);
        assert_eq!(judged(|r| r.bounded.penetration = 0.2, limits), [Kind::Penetration]);
        assert_eq!(judged(|r| r.ledger.imbalance = -1e9, limits), [Kind::Ledger]);
        assert_eq!(judged(|_| (), limits), []);
    }

    #[test]
    fn work_is_no_rise() {
        let pay = |r: &mut StepReport| {
            r.energy.kinetic += 1e12;
            r.ledger.work = 1e12;
        };
        assert_eq!(judged(pay, Limits::default()), []);
    }

    #[test]
    fn strict_is_stricter() {
        let open = |r: &mut StepReport| r.max_gap = 0.1;
        assert_eq!(judged(open, Limits::strict()), [Kind::Gap]);
        assert_eq!(judged(open, Limits::default()), []);
    }
}
