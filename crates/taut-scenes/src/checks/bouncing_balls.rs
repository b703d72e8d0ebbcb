//! Balls rebound at e times the speed of impact.

use super::rig::Worst;
use super::{Check, Effort, Failure, Measured};
use crate::scene::find;
use crate::scenes::parts::G;

pub(super) fn check() -> Check {
    Check {
        id: "bouncing-balls",
        summary: "balls of restitution 0 to 1 dropped from three heights at three steps: rebound speed",
        source: "Newton: rebound = e impact; speed from the height reached, v^2 = 2 g h",
        run,
    }
}

fn run(effort: &Effort<'_>) -> Result<Vec<Measured>, Failure> {
    let (mut worst, mut dead) = (Worst::new(), Worst::new());
    for height in effort.pick(&["0.5", "1", "5"][..], &["1"]) {
        for (h, name) in effort
            .pick(&[(1.0 / 60.0, "1/60 s"), (0.005, "0.005 s"), (0.001, "0.001 s")][..], &[(1.0 / 60.0, "1/60 s")])
        {
            for (k, v) in rebounds(effort, height, *h)?.into_iter().enumerate() {
                let e = 0.1 * k as f64;
                let at = || format!("e {e:.1}, {height} m, {name}");
                if k == 0 { dead.see(100.0 * v, at) } else { worst.see(100.0 * (v / e - 1.0).abs(), at) }
            }
        }
    }
    Ok(vec![
        worst.at_most("rebound speed against e times the impact", 1.0, "%"),
        dead.at_most("rebound of a ball with e = 0, of the impact", 1.0, "%"),
    ])
}

/// Rebound speed over impact speed of each ball, from the height that it reaches after its first impact.
fn rebounds(effort: &Effort<'_>, height: &str, h: f64) -> Result<Vec<f64>, Failure> {
    let (mut s, p) = find("bouncing-balls")?.with(&[("height", height)])?;
    let drop = p.number("height");
    let balls: Vec<_> = s.world.bodies().skip(1).map(|b| b.id()).collect();
    let radius = s.world.body(balls[0])?.position().y - drop;
    // Height over the ground of the last three steps, whether it has been down, and the first top after that.
    let mut seen: Vec<([f64; 3], bool, Option<f64>)> = vec![([drop; 3], false, None); balls.len()];
    let time = 3.0 * (2.0 * drop / G).sqrt() + 10.0 * h;
    effort.steps(&mut s.world, h, time, |w| {
        for (b, (y, down, top)) in balls.iter().zip(&mut seen) {
            *y = [y[1], y[2], w.body(*b)?.position().y - radius];
            *down |= y[1] <= y[0] && y[2] > y[1];
            if *down && top.is_none() && y[1] > y[0] && y[2] <= y[1] {
                // The top of the parabola through the three.
                let (a, b) = (y[0] - 2.0 * y[1] + y[2], 0.5 * (y[2] - y[0]));
                *top = Some(if a < 0.0 { y[1] - 0.5 * b * b / a } else { y[1] });
            }
        }
        Ok(())
    })?;
    Ok(seen.into_iter().map(|(_, _, top)| (top.unwrap_or(0.0).max(0.0) / drop).sqrt()).collect())
}
