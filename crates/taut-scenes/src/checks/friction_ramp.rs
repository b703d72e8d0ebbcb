//! Sliding begins at the angle of friction, in any direction, and goes as far as it should.

use super::rig::Worst;
use super::{Check, Effort, Failure, Measured, theory};
use crate::scene::find;
use crate::scenes::parts::G;

const STEP: f64 = 0.005;
const TIME: f64 = 1.0;
/// How near to the angle of friction a box must hold and slide, as a part of its tangent.
const NEAR: f64 = 0.005;
/// A box that holds has moved less than this, m.
const HELD: f64 = 1e-6;

pub(super) fn check() -> Check {
    Check {
        id: "friction-ramp",
        summary: "a box on a slope, turned to any side, isotropic and elliptic friction, 0.005 s",
        source: "Coulomb: tan(angle) = mu(direction); way = g (sin - mu cos) t^2/2",
        run,
    }
}

fn run(effort: &Effort<'_>) -> Result<Vec<Measured>, Failure> {
    let (mut held, mut slid, mut cases) = (0, 0, 0);
    let mut worst = Worst::new();
    let azimuths: &[f64] = effort.pick(&[0.0, 15.0, 22.5, 45.0, 60.0, 80.0, 137.0], &[0.0, 22.5, 45.0]);
    let frictions =
        [(0.5, 0.5, 0.0), (0.2, 0.2, 0.0), (0.8, 0.3, 0.0), (0.8, 0.3, 30.0), (0.8, 0.3, 45.0), (0.8, 0.3, 90.0)];
    for &azimuth in azimuths {
        for (along, across, grain) in frictions {
            let mu = theory::elliptic_friction(along, across, f64::to_radians(grain));
            let way = |part: f64| way(effort, mu * part, azimuth, (along, across, grain));
            cases += 1;
            held += usize::from(way(1.0 - NEAR)? < HELD);
            slid += usize::from(way(1.0 + NEAR)? > 0.5 * theory::slide(G, (mu * (1.0 + NEAR)).atan(), mu, TIME));
            if along == across {
                let expected = theory::slide(G, (2.0 * mu).atan(), mu, TIME);
                worst.see(100.0 * (way(2.0)? / expected - 1.0).abs(), || format!("mu {mu}, azimuth {azimuth}"));
            }
        }
    }
    Ok(vec![
        Measured::all_of("boxes that hold 0.5 % below the angle of friction", held, cases),
        Measured::all_of("boxes that slide 0.5 % above it", slid, cases),
        worst.at_most("way slid in 1 s at twice the tangent, against theory", 1.0, "%"),
    ])
}

/// How far a box goes down a slope of a tangent, m.
fn way(
    effort: &Effort<'_>,
    tangent: f64,
    azimuth: f64,
    (along, across, grain): (f64, f64, f64),
) -> Result<f64, Failure> {
    let text = [tangent.atan().to_degrees(), azimuth, along, across, grain].map(|x| x.to_string());
    let names = ["slope", "azimuth", "friction", "across", "grain"];
    let set: Vec<(&str, &str)> = names.into_iter().zip(text.iter().map(String::as_str)).collect();
    let (mut s, _) = find("friction-ramp")?.with(&set)?;
    let start = s.world.body(s.follow)?.position();
    effort.steps(&mut s.world, STEP, TIME, |_| Ok(()))?;
    Ok((s.world.body(s.follow)?.position() - start).length())
}
