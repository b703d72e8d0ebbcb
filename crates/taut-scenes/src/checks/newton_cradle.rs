//! Newton's cradle: as many balls leave as have come, as high.

use super::{Check, Effort, Failure, Measured};
use crate::scene::find;

/// Steps, s, and the time to the top of the first swing beyond, s: three quarters of a period of 1.04 s and a little more.
const STEP: f64 = 1.0 / 240.0;
const TOP: f64 = 0.6;

/// Part of the energy that two balls may lose in 5 s: what was measured, rounded up. They touch while they swing.
const TWO: f64 = 0.1;

pub(super) fn check() -> Check {
    Check {
        id: "newton-cradle",
        summary: "five balls with e = 1: one in, one out, two in, two out, and the energy stays",
        source: "conservation of momentum and energy",
        run,
    }
}

fn run(effort: &Effort<'_>) -> Result<Vec<Measured>, Failure> {
    let mut out = Vec::new();
    for (lifted, kept) in [(1, 0.01), (2, TWO)] {
        let text = lifted.to_string();
        let (mut s, p) = find("newton-cradle")?.with(&[("lifted", &text)])?;
        let balls: Vec<_> = (0..5).map(|k| s.world.find_body(&format!("ball {k}"))).collect::<Result<_, _>>()?;
        let start = s.world.energy()?.total();
        // Strings end at the height of the origin; a ball at rest hangs below its own place in the row.
        let low = s.world.body(balls[4])?.position().y;
        let mut highest = [0.0_f64; 5];
        effort.driven(&mut s, STEP, TOP, |w, _| {
            for (k, (&b, high)) in balls.iter().zip(&mut highest).enumerate() {
                // The balls that are let go count from the moment they have come.
                if k >= lifted || w.time() > 0.3 {
                    *high = high.max(w.body(b)?.position().y - low);
                }
            }
            Ok(())
        })?;
        let rise = -low * (1.0 - p.number("angle").to_radians().cos());
        let (stay, leave) = highest.split_at(5 - lifted);
        let least = leave.iter().copied().fold(f64::INFINITY, f64::min);
        let most = stay.iter().copied().fold(0.0, f64::max);
        out.push(Measured::near(
            format!("{lifted} in: the last {lifted} rise by"),
            1e3 * least,
            1e3 * rise,
            0.01,
            "mm",
        ));
        out.push(Measured::at_most(format!("{lifted} in: the others rise by"), 1e3 * most, 0.01 * 1e3 * rise, "mm"));
        effort.driven(&mut s, STEP, 5.0, |_, _| Ok(()))?;
        let left = 1.0 + (s.world.energy()?.total() - start) / s.energy_scale;
        out.push(Measured::near(format!("{lifted} in: energy at the end, of the start"), left, 1.0, kept, ""));
    }
    Ok(out)
}
