//! Scratch.
use std::time::Instant;
use taut_scenes::*;
fn main() {
    let info = find("chain").unwrap();
    let ratio = std::env::args().nth(1).unwrap_or("1000".into());
    let start = std::env::args().nth(2).unwrap_or("hanging".into());
    let mut pts = vec![];
    for n in [100usize, 1000, 10_000, 100_000] {
        let (mut s, _) = info.with(&[("links", &n.to_string()), ("ratio", &ratio), ("start", &start)]).unwrap();
        let reps = (2_000_000 / n).clamp(12, 4000);
        let mut step = f64::MAX;
        let mut rhs = 0;
        let mut fac = 0;
        for k in 0..reps {
            let t = Instant::now();
            let r = s.world.step(0.01).unwrap();
            if k > 5 {
                step = step.min(t.elapsed().as_secs_f64());
                rhs += r.right_hand_sides;
                fac += r.factorisations;
            }
        }
        let mut bare = f64::MAX;
        s.world
            .bare_solve(|once| {
                for _ in 0..reps / 2 + 4 {
                    let t = Instant::now();
                    once();
                    bare = bare.min(t.elapsed().as_secs_f64());
                }
            })
            .unwrap();
        let size = s.world.size().unwrap();
        println!(
            "{n}: step {:.1} us  bare {:.1} us ratio {:.2}  per link {:.0} ns; rhs/step {:.2} fac/step {:.2} bytes/body {}",
            step * 1e6,
            bare * 1e6,
            step / bare,
            step / n as f64 * 1e9,
            rhs as f64 / (reps - 6) as f64,
            fac as f64 / (reps - 6) as f64,
            size.bytes / size.bodies
        );
        pts.push(((n as f64).ln(), step.ln()));
    }
    let m = pts.len() as f64;
    let (sx, sy) = pts.iter().fold((0.0, 0.0), |a, p| (a.0 + p.0, a.1 + p.1));
    let (mx, my) = (sx / m, sy / m);
    let b: f64 =
        pts.iter().map(|p| (p.0 - mx) * (p.1 - my)).sum::<f64>() / pts.iter().map(|p| (p.0 - mx).powi(2)).sum::<f64>();
    println!("exponent {b:.3}");
}
