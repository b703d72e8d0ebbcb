//! The ski lift: its rope keeps its length, its drive pulls what the slope takes, and its cars pass the wheels.

use super::rig::{Worst, lasted};
use super::{Effort, Failure, Measured};
use crate::scene::find;
use taut::{Event, RopeRef, Vec3, World};

const STEP: f64 = 1.0 / 60.0;
/// When it has speeded up, s, and what that has stirred up has died down; a short run does not last so long.
const EVEN: [f64; 2] = [25.0, 45.0];

/// Grade forces of all cars at a moment, N: weight by the sine of the rope's slope, of the mean direction of the two spans at a grip, and of the rim where
/// it rides on the return wheel. The weight of those that ride on the drive wheel is not in the rope.
fn grade(world: &World, rope: &RopeRef<'_>) -> taut::Result<f64> {
    let gravity = world.options().gravity;
    let ends: Vec<[Vec3; 2]> = rope.ends().collect();
    let along = |k: usize| (ends[k][1] - ends[k][0]).normalize_or_zero();
    let mut sum = 0.0;
    for (k, g) in rope.guides().enumerate().filter(|(_, g)| g.is_grip) {
        sum -= world.body(g.body)?.mass() * gravity.dot((along(k - 1) + along(k)).normalize_or_zero());
    }
    let wheel = world.body(world.find_body("return wheel")?)?.position();
    // The drive wheel is the first guide. The rope turns against z.
    for (g, _) in rope.riding().zip(rope.memory().rides).filter(|(_, ride)| ride.wheel != 0) {
        sum -= world.body(g.body)?.mass() * gravity.dot((g.centre - wheel).cross(Vec3::Z).normalize_or_zero());
    }
    Ok(sum)
}

/// Tensions and grade forces are compared by their means over a quarter of a round: cars swing and the rope sways, with periods of up to 20 s, and
/// what speeds up the cars for a moment is no grade.
pub(super) fn measure(effort: &Effort<'_>, out: &mut Vec<Measured>) -> Result<(), Failure> {
    // Speeding up, and once round.
    let time = effort.pick(345.0, 65.0);
    let (mut s, p) = find("ski-lift")?.with(&[])?;
    let (rope, cars) = (s.world.find_rope("rope")?, p.count("cars"));
    let window = effort.pick(0.25, 0.1) * p.number("rope") / p.number("speed");
    let even = effort.pick(EVEN[1], EVEN[0]);
    let length = s.world.rope(rope)?.length();
    let (mut longer, mut books, mut off) = (Worst::new(), Worst::new(), Worst::new());
    let (mut pulled, mut asked, mut count, mut from) = (0.0, 0.0, 0.0, even);
    let mut means: Vec<[f64; 3]> = Vec::new();
    // Guides are the cars and two wheels.
    let mut passed = vec![[false; 2]; cars + 2];
    let o = effort.looked(&mut s, STEP, time, |w, x| {
        let (r, t) = (w.rope(rope)?, x.report.time);
        longer.see((r.length() / length - 1.0).abs(), || format!("{t:.0} s"));
        let scale = x.report.energy.total().abs().max(1.0);
        books.see(x.report.ledger.imbalance.abs() / scale, || format!("{t:.0} s"));
        for e in &x.report.events {
            if let Event::GripLeft { guide, wheel, .. } = e {
                passed[*guide][usize::from(*wheel > 0)] = true;
            }
        }
        if t < even {
            return Ok(());
        }
        let tensions: Vec<f64> = r.tensions().collect();
        pulled += tensions[tensions.len() - 1] - tensions[0];
        asked += grade(w, &r)?;
        count += 1.0;
        if t >= from + window {
            means.push([t, pulled / count, asked / count]);
            (pulled, asked, count, from) = (0.0, 0.0, 0.0, t);
        }
        Ok(())
    })?;
    let most = means.iter().fold(0.0_f64, |most, [_, _, asked]| most.max(asked.abs()));
    for [t, pulled, asked] in means {
        off.see(100.0 * (pulled - asked).abs() / most, || format!("until {t:.0} s"));
    }
    out.push(lasted("ski lift stable for", &o, time));
    out.push(longer.at_most("ski lift: change of the rope's length, of that", 1e-9, ""));
    out.push(Measured::at_least("ski lift: most of what the slope takes, mean", 1e-3 * most, 5.0, "kN"));
    if !effort.quick {
        out.push(off.at_most("ski lift: difference of tensions at the drive wheel against that", 1.0, "%"));
    }
    out.push(books.at_most("ski lift: ledger, of the energy", 1e-9, ""));
    let wheels = |k: usize| passed.iter().filter(|p| p[k]).count() as f64;
    // In a short run those have passed that were near the wheels.
    let all = effort.pick(cars as f64, 3.0);
    out.push(Measured::at_least("ski lift: cars that have passed the drive wheel", wheels(0), all, ""));
    out.push(Measured::at_least("ski lift: cars that have passed the return wheel", wheels(1), all, ""));
    Ok(())
}
