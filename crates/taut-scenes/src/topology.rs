//! What a change of structure costs: joints are cut and attached between the steps of long and of short chains, and all is timed
//! beside the steps themselves. `taut bench topology` prints the times, `taut check topology` bounds their ratios.

use crate::random::Random;
use taut::{Ball, Body, BodyId, Distance, Joint, JointId, MassProperties, Options, Result, Vec3, World};

/// Chains that hang from the ground, or cables of particles and rods.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// Name in the tables.
    pub name: &'static str,
    /// Chains beside each other.
    pub chains: usize,
    /// Links of each.
    pub links: usize,
    /// Particles with rods in place of links with ball joints.
    pub particles: bool,
}

/// The cases, from one small island to a large one, and many small ones.
pub const CASES: [Case; 4] = [
    Case { name: "1 x 1,000 links", chains: 1, links: 1_000, particles: false },
    Case { name: "1 x 10,000 links", chains: 1, links: 10_000, particles: false },
    Case { name: "1,000 x 10 links", chains: 1_000, links: 10, particles: false },
    Case { name: "1 x 10,000 particles", chains: 1, links: 10_000, particles: true },
];

/// Length of the steps, s.
pub const STEP: f64 = 0.01;
/// Length of a link, m.
const LINK: f64 = 0.2;
/// Steps before the clock is read: memory is touched and multipliers are found.
const WARM: usize = 3;

/// Times of one edit and of the steps about it, s.
#[derive(Clone, Copy, Debug, Default)]
pub struct Edit {
    /// The call that edits.
    pub call: f64,
    /// The first step after it, and its solves.
    pub step: f64,
    /// Solves of that step.
    pub solves: usize,
    /// That step in the step right before the edit: median of the repeats, which alternate.
    pub ratio: f64,
}

/// What was measured. Times in s, medians where there are several.
#[derive(Clone, Debug, Default)]
pub struct Times {
    /// A step without an edit.
    pub step: f64,
    /// A joint is cut.
    pub cut: Edit,
    /// A joint is attached where its bodies are.
    pub attach: Edit,
    /// A body with its joints is removed.
    pub remove: Edit,
    /// A body is added.
    pub add: Edit,
    /// Random edits, each with a step after it.
    pub edits: usize,
    /// Median and worst of those steps.
    pub median: f64,
    /// Worst of them.
    pub worst: f64,
    /// Most times that a step took longer than the same step once more, when all is laid out.
    pub slower: f64,
    /// Steps over two medians of steps without edits.
    pub over: usize,
}

/// A world of chains, and what can be cut in it.
pub struct Chains {
    /// The world.
    pub world: World,
    /// Its bodies, chain after chain.
    pub bodies: Vec<BodyId>,
    /// Joint above each body, to the body before it or to the ground.
    pub joints: Vec<Option<JointId>>,
    case: Case,
}

impl Case {
    /// Builds it.
    pub fn build(&self) -> Result<Chains> {
        let mut world = World::new();
        // The clock is that of one thread.
        world.set_options(Options { parallel: false, ..Options::default() })?;
        let link = MassProperties::cuboid(1000.0, Vec3::new(0.02, 0.1, 0.02))?.with_mass(0.2)?;
        let (mut bodies, mut joints) = (Vec::new(), Vec::new());
        for c in 0..self.chains {
            let (mut above, mut top) = (world.ground(), Vec3::new(c as f64, 0.0, 0.0));
            for _ in 0..self.links {
                let centre = top - if self.particles { LINK } else { 0.5 * LINK } * Vec3::Y;
                let body = if self.particles { Body::particle(0.2) } else { Body::dynamic(link) };
                let body = world.add(body.at(centre))?;
                let joint = match self.particles {
                    true => Distance::between(body, above).ends(centre, top),
                    false => Ball::between(body, above).at(top),
                };
                joints.push(Some(world.add(joint)?));
                bodies.push(body);
                (above, top) = (body, if self.particles { centre } else { top - LINK * Vec3::Y });
            }
        }
        Ok(Chains { world, bodies, joints, case: *self })
    }
}

impl Chains {
    /// The body that a body hung on.
    fn above(&self, at: usize) -> BodyId {
        if at.is_multiple_of(self.case.links) { self.world.ground() } else { self.bodies[at - 1] }
    }

    /// A joint above a body, where it is now.
    fn joint(&self, at: usize) -> Result<Joint> {
        let (body, above) = (self.bodies[at], self.above(at));
        let pose = self.world.body(body)?.pose();
        if self.case.particles {
            let other = match at % self.case.links {
                0 => Vec3::new((at / self.case.links) as f64, 0.0, 0.0),
                _ => self.world.body(above)?.pose().pos,
            };
            return Ok(Distance::between(body, above).ends(pose.pos, other));
        }
        Ok(Ball::between(body, above).at(pose.to_world(0.5 * LINK * Vec3::Y)))
    }

    /// Cuts the joint above a body, if it is there.
    pub fn cut(&mut self, at: usize) -> Result<()> {
        match self.joints[at].take() {
            Some(joint) => self.world.remove(joint),
            None => Ok(()),
        }
    }

    /// Attaches a body to the one that it hung on, as they are, unless it still hangs.
    pub fn attach(&mut self, at: usize) -> Result<()> {
        if self.joints[at].is_none() {
            self.joints[at] = Some(self.world.add(self.joint(at)?)?);
        }
        Ok(())
    }

    /// Cuts or attaches at a random place.
    pub(crate) fn edit(&mut self, random: &mut Random) -> Result<()> {
        let at = (random.uniform(0.0, 1.0) * self.bodies.len() as f64) as usize;
        // Most joints hold: half the edits attach what was cut before, if anything was.
        let gone = (0..self.joints.len()).map(|k| (at + k) % self.joints.len()).find(|&k| self.joints[k].is_none());
        match gone.filter(|_| random.uniform(0.0, 1.0) < 0.5) {
            Some(k) => self.attach(k),
            None => self.cut(at),
        }
    }
}

/// Measures a case: `repeats` edits of each kind, then `edits` random ones.
pub fn measure(case: &Case, repeats: usize, edits: usize, clock: fn() -> f64) -> Result<Times> {
    let mut chains = case.build()?;
    for _ in 0..WARM {
        chains.world.step(STEP)?;
    }
    let mut plain = Vec::new();
    for _ in 0..8 {
        plain.push(timed(clock, || chains.world.step(STEP))?.0);
    }
    let (mut cuts, mut attached, mut removed, mut added) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for k in 0..repeats {
        let at = chains.bodies.len() * (k + 1) / (repeats + 2);
        cuts.push(edited(&mut chains, clock, &mut plain, |c| c.cut(at))?);
        settle(&mut chains)?;
        attached.push(edited(&mut chains, clock, &mut plain, |c| c.attach(at))?);
        settle(&mut chains)?;
        let mut loose = None;
        let at = Vec3::new(-1.0, -(k as f64), 0.0);
        added.push(edited(&mut chains, clock, &mut plain, |c| {
            loose = Some(c.world.add(Body::particle(1.0).at(at))?);
            Ok(())
        })?);
        settle(&mut chains)?;
        let remove = |c: &mut Chains| loose.take().map_or(Ok(()), |b| c.world.remove(b));
        removed.push(edited(&mut chains, clock, &mut plain, remove)?);
        settle(&mut chains)?;
    }
    let (mut random, mut steps) = (Random::new(7), Vec::new());
    let (step, mut slower) = (median(&mut plain), 0.0_f64);
    for _ in 0..edits {
        chains.edit(&mut random)?;
        let before = chains.world.state().clone();
        let first = timed(clock, || chains.world.step(STEP))?.0;
        steps.push(first);
        // The same step with all laid out.
        chains.world.restore(&before)?;
        slower = slower.max(first / timed(clock, || chains.world.step(STEP))?.0);
    }
    let middle = median(&mut steps);
    Ok(Times {
        step,
        cut: of(&mut cuts),
        attach: of(&mut attached),
        remove: of(&mut removed),
        add: of(&mut added),
        edits,
        median: middle,
        worst: steps.last().copied().unwrap_or(0.0),
        slower,
        over: steps.iter().filter(|&&s| s > 2.0 * step).count(),
    })
}

/// Steps until nothing is left to be done about an edit.
fn settle(chains: &mut Chains) -> Result<()> {
    (0..10).try_for_each(|_| chains.world.step(STEP).map(drop))
}

fn timed<T>(clock: fn() -> f64, run: impl FnOnce() -> Result<T>) -> Result<(f64, T)> {
    let begin = clock();
    let out = run()?;
    Ok((clock() - begin, out))
}

/// One edit and the step after it, beside a step before it, which goes to `plain`.
fn edited(
    chains: &mut Chains,
    clock: fn() -> f64,
    plain: &mut Vec<f64>,
    edit: impl FnOnce(&mut Chains) -> Result<()>,
) -> Result<Edit> {
    let before = timed(clock, || chains.world.step(STEP))?.0;
    plain.push(before);
    let call = timed(clock, || edit(chains))?.0;
    let (step, report) = timed(clock, || chains.world.step(STEP))?;
    Ok(Edit { call, step, solves: report.solves, ratio: step / before })
}

/// Medians of some edits.
fn of(edits: &mut [Edit]) -> Edit {
    let by = |f: fn(&Edit) -> f64| median(&mut edits.iter().map(f).collect::<Vec<_>>());
    let (call, step, ratio) = (by(|e| e.call), by(|e| e.step), by(|e| e.ratio));
    Edit { call, step, ratio, solves: edits.iter().map(|e| e.solves).max().unwrap_or(0) }
}

/// The median; the list is sorted afterwards.
fn median(list: &mut [f64]) -> f64 {
    list.sort_by(f64::total_cmp);
    list.get(list.len() / 2).copied().unwrap_or(0.0)
}
