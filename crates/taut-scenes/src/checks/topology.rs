//! Changes of structure: what they cost beside a step, that what is cut off keeps its momentum, that a snatched rope takes no more than
//! it can carry, and that the bits are those of a world that is laid out anew.

use super::{Check, Effort, Failure, Measured};
use crate::clock::thread_clock;
use crate::topology::{CASES, Chains, STEP, measure};
use taut::{Body, BodyId, Options, Rope, Strength, Vec3, World};

pub(super) fn check() -> Check {
    Check {
        id: "topology",
        summary: "joints that are cut, attached and broken: cost beside a step, momentum, bits of a world laid out anew",
        source: "conservation of momentum; F_max h of a rope that breaks; medians of steps in the same run",
        run,
    }
}

fn run(effort: &Effort<'_>) -> Result<Vec<Measured>, Failure> {
    let mut out = snatch()?;
    out.extend(cut_off(effort)?);
    out.extend(cost(effort)?);
    Ok(out)
}

/// A load of 100 kg at 4.43 m/s tears a rigid rope of 5 kN in a step of 1/60 s.
fn snatch() -> Result<Vec<Measured>, Failure> {
    let (h, speed, strength, mass) = (1.0 / 60.0, 4.43, 5000.0, 100.0);
    let mut world = World::new();
    world.set_options(Options { gravity: Vec3::ZERO, ..Options::default() })?;
    let load = world.add(Body::particle(mass).at(-Vec3::Y).moving(-speed * Vec3::Y, Vec3::ZERO))?;
    world.add(Rope::between(load, world.ground()).strength(Strength::force(strength)))?;
    let report = world.step(h)?;
    let left = speed - strength * h / mass;
    let lost = 0.5 * mass * (speed * speed - left * left);
    let gap = (report.ledger.imbalance / lost).abs();
    Ok(vec![
        Measured::near(
            "speed that a load keeps when its rope breaks",
            -world.body(load)?.velocity().y,
            left,
            1e-9,
            "m/s",
        ),
        Measured::near("energy that went with the rope", -report.ledger.broken, lost, 1e-9, "J"),
        Measured::at_most("gap in the books of that step, of the energy lost", gap, 1e-9, ""),
    ])
}

/// The lower part of a chain that is cut falls freely, and another world that was cut in the same way gives the same bits.
fn cut_off(effort: &Effort<'_>) -> Result<Vec<Measured>, Failure> {
    let case = &CASES[0];
    let (mut chains, mut anew) = (case.build()?, case.build()?);
    for _ in 0..5 {
        chains.world.step(STEP)?;
    }
    let at = 400;
    anew.world.restore(chains.world.state())?;
    chains.cut(at)?;
    anew.cut(at)?;
    let below: Vec<BodyId> = chains.bodies[at..].to_vec();
    let momentum = |c: &Chains| -> Result<(Vec3, f64), Failure> {
        let mut sum = (Vec3::ZERO, 0.0);
        for &b in &below {
            let body = c.world.body(b)?;
            sum = (sum.0 + body.mass() * body.velocity(), sum.1 + body.mass());
        }
        Ok(sum)
    };
    let (mut worst, mut differ) = (0.0_f64, 0);
    for _ in 0..effort.pick(40, 20) {
        effort.go_on()?;
        let (before, mass) = momentum(&chains)?;
        chains.world.step(STEP)?;
        anew.world.step(STEP)?;
        let fell = mass * STEP * chains.world.options().gravity;
        worst = worst.max((momentum(&chains)?.0 - before - fell).length() / fell.length());
        differ += usize::from(chains.world.state().hash() != anew.world.state().hash());
    }
    Ok(vec![
        Measured::at_most("momentum that the part below a cut gains beside its weight", worst, 1e-9, ""),
        Measured::at_most(
            "steps whose bits differ from those of a world laid out anew",
            f64::from(differ as u32),
            0.0,
            "",
        ),
    ])
}

/// Steps after edits in medians of steps without. Where more is known than asked for, docs/limits.md says why.
fn cost(effort: &Effort<'_>) -> Result<Vec<Measured>, Failure> {
    let mut out = Vec::new();
    for case in effort.pick(&CASES[..], &CASES[..1]) {
        effort.go_on()?;
        let t = measure(case, effort.pick(9, 5), effort.pick(100, 40), thread_clock)?;
        let medians = |what: &str, ratio: f64, bound: f64, known: f64| {
            Measured::at_most(format!("{what}, {}", case.name), ratio, bound, "medians").known_to(known)
        };
        out.push(medians("step after a cut", t.cut.ratio, 1.2, 1.5));
        out.push(medians("call of a cut", t.cut.call / t.step, 0.05, 0.1));
        out.push(medians("step after an attachment", t.attach.ratio, 1.5, 2.2));
        out.push(medians("call of an attachment", t.attach.call / t.step, 0.1, 0.2));
        out.push(
            Measured::at_most(
                format!("step with random edits against the same once more, {}", case.name),
                t.slower,
                2.0,
                "x",
            )
            .known_to(3.0),
        );
    }
    Ok(out)
}
