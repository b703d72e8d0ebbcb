//! Times of a step of nets and cloth: `cargo run --release -p taut --features study --example net_speed -- net:100 cloth:40`.
//!
//! Scenes are `net` (hangs from its top row), `level` (the same net, falling from the horizontal) and `cloth` (particles on rods, two corners
//! of 500 particles), with the bodies along a side. For each: the least processor time of a step of 0.01 s and of a bare factorisation and solve,
//! ms, their ratio, the largest gap and residual; factorisations, right-hand sides and dropped rows of every step; the stages in ms.
//! `--warm`, `--steps` and `--rounds` take the numbers of steps before the clock runs, of steps in a round and of rounds.
//!
//! `net_speed --run level:20 10 0.0167` runs so many seconds in such steps and prints the largest gap, the largest rise of the energy over that of the
//! start in parts of the fall's, the energy at the end, factorisations per step, and a hash of where everything is.

#[path = "../../taut-scenes/src/random.rs"]
mod random;
#[path = "timing/mod.rs"]
mod timing;

use random::Random;
use std::collections::BTreeMap;
use taut::study::Study;
use taut::{Ball, Body, BodyId, Distance, MassProperties, Options, Result, Vec3, World};
use timing::clock;

/// Length of a timed step, s.
const STEP: f64 = 0.01;

/// Balls of 1 kg, 1 m apart, each joined to its neighbours halfway.
fn net(n: usize, down: Vec3) -> Result<World> {
    let (mut w, mut random) = (World::new(), Random::new(8));
    let mass = MassProperties::from_diagonal(1.0, Vec3::splat(0.4 * 0.16))?;
    let mut above: Vec<BodyId> = Vec::new();
    for r in 0..n {
        let mut row: Vec<BodyId> = Vec::with_capacity(n);
        for c in 0..n {
            let at = r as f64 * down + c as f64 * Vec3::Z;
            let spin = 1e-3 * random.normal3();
            let def = if r == 0 { Body::fixed() } else { Body::dynamic(mass).moving(Vec3::ZERO, spin) };
            let b = w.add(def.at(at))?;
            if r > 0 {
                w.add(Ball::between(b, above[c]).at(at - 0.5 * down))?;
                if let Some(&left) = row.last() {
                    w.add(Ball::between(b, left).at(at - 0.5 * Vec3::Z))?;
                }
            }
            row.push(b);
        }
        above = row;
    }
    Ok(w)
}

/// Particles of 1 kg on a square of 1 m with rods along its threads; the first row is held, the far corners weigh more.
fn cloth(n: usize, ratio: f64) -> Result<World> {
    let (mut w, mut random) = (World::new(), Random::new(7));
    let l = 1.0 / (n - 1) as f64;
    let (mut grid, mut places) = (Vec::new(), Vec::new());
    for r in 0..n {
        for c in 0..n {
            let bump = if r == 0 { 0.0 } else { 1e-4 * random.normal() };
            let at = l * r as f64 * Vec3::X + l * c as f64 * Vec3::Z + bump * Vec3::Y;
            let weight = r + 1 == n && (c == 0 || c + 1 == n);
            let mass = 1.0 + if weight { ratio } else { 0.0 };
            let def = if r == 0 { Body::fixed() } else { Body::particle(mass).damped(0.5, 0.0) };
            grid.push(w.add(def.at(at))?);
            places.push(at);
        }
    }
    for r in 0..n {
        for c in 0..n {
            for (dr, dc) in [(0, 1), (1, 0)] {
                if r + dr < n && c + dc < n && (r > 0 || dr > 0) {
                    let (a, b) = (r * n + c, (r + dr) * n + c + dc);
                    w.add(Distance::between(grid[a], grid[b]).length((places[a] - places[b]).length()))?;
                }
            }
        }
    }
    Ok(w)
}

fn build(scene: &str) -> Result<World> {
    let (name, size) = scene.split_once(':').unwrap_or((scene, "10"));
    let n = size.parse().unwrap_or(10);
    let mut w = match name {
        "cloth" => cloth(n, 500.0)?,
        "heavy" => cloth(n, 5000.0)?,
        "level" => net(n, Vec3::X)?,
        _ => net(n, -Vec3::Y)?,
    };
    w.set_options(Options { parallel: false, ..*w.options() })?;
    Ok(w)
}

fn show(scene: &str, [warm, steps, rounds]: [usize; 3]) -> Result<()> {
    let mut w = build(scene)?;
    for _ in 0..warm {
        w.step(STEP)?;
    }
    let start = w.state().clone();
    let mut least = vec![f64::INFINITY; steps];
    let (mut bare, mut gap, mut residual) = (f64::INFINITY, 0.0_f64, 0.0_f64);
    let mut counts = String::new();
    let mut stages: BTreeMap<&'static str, f64> = BTreeMap::new();
    for _ in 0..rounds {
        w.restore(&start)?;
        counts.clear();
        for least in &mut least {
            let t = clock();
            let r = w.step(STEP)?;
            *least = least.min(clock() - t);
            (gap, residual) = (gap.max(r.max_gap), residual.max(r.residual));
            let most = w.joints().flat_map(|j| j.lambda()).fold(0.0_f64, |m, l| m.max(l.abs()));
            counts += &format!(" {}/{}/{}/{most:.0}", r.factorisations, r.right_hand_sides, r.dropped_rows);
        }
        w.bare_solve(|once| {
            for _ in 0..2 {
                let t = clock();
                once();
                bare = bare.min(clock() - t);
            }
        })?;
        w.restore(&start)?;
        let mut now: BTreeMap<&'static str, f64> = BTreeMap::new();
        for _ in 0..steps {
            for (stage, time) in w.profiled_step(STEP, clock)?.1 {
                *now.entry(stage).or_default() += time / steps as f64;
            }
        }
        for (stage, time) in now {
            let known = stages.entry(stage).or_insert(f64::INFINITY);
            *known = known.min(time);
        }
    }
    let step = least.iter().sum::<f64>() / steps as f64;
    let (ms, bare_ms, ratio) = (1e3 * step, 1e3 * bare, step / bare);
    println!("{scene}\t{ms:.3}\t{bare_ms:.3}\t{ratio:.2}\tgap {gap:.1e} residual {residual:.1e} {:016x}", hash(&w));
    println!("  factors/sides/dropped/largest force, N:{counts}");
    let mut list: Vec<(&str, f64)> = stages.into_iter().filter(|s| s.1 > 1e-6).collect();
    list.sort_by(|a, b| b.1.total_cmp(&a.1));
    println!("  {}", list.iter().map(|(n, t)| format!("{n} {:.2}", 1e3 * t)).collect::<Vec<_>>().join(", "));
    Ok(())
}

/// Of all positions and velocities.
fn hash(w: &World) -> u64 {
    let mut sum = 0xcbf2_9ce4_8422_2325_u64;
    for b in w.bodies() {
        let (p, v) = (b.pose().pos, b.velocity());
        [p.x, p.y, p.z, v.x, v.y, v.z].iter().for_each(|x| sum = (sum ^ x.to_bits()).wrapping_mul(0x0100_0000_01b3));
    }
    sum
}

fn run(scene: &str, time: f64, h: f64) -> Result<()> {
    let mut w = build(scene)?;
    let start = w.energy()?.total();
    let (mut gap, mut rise, mut lowest, mut speed) = (0.0_f64, f64::NEG_INFINITY, f64::INFINITY, 0.0_f64);
    let (mut factors, mut sides, mut most) = (0, 0, 0);
    let steps = (time / h).round() as usize;
    let begin = clock();
    for _ in 0..steps {
        let r = w.step(h)?;
        gap = gap.max(r.max_gap);
        rise = rise.max(r.energy.total() - start);
        lowest = lowest.min(r.energy.gravity);
        (factors, sides, most) = (factors + r.factorisations, sides + r.right_hand_sides, most.max(r.factorisations));
        speed = w.bodies().map(|b| b.velocity().length()).fold(speed, f64::max);
    }
    let per = |n: usize| n as f64 / steps as f64;
    println!(
        "{scene}\tgap {gap:.2e}\trise {rise:.3e} J of {start:.6e}\tend {:.9e}\tspeed {speed:.3}\tfactors {:.2} most {most}\tsides {:.2}\tms {:.2}\t{:016x}",
        w.energy()?.total(),
        per(factors),
        per(sides),
        1e3 * (clock() - begin) / steps as f64,
        hash(&w)
    );
    Ok(())
}

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [first, scene, time, h] = &args[..]
        && first == "--run"
    {
        return run(scene, time.parse().unwrap_or(1.0), h.parse().unwrap_or(STEP));
    }
    let number = |name: &str, or: usize| {
        let at = args.iter().position(|a| a == name);
        at.and_then(|k| args.get(k + 1)).and_then(|n| n.parse().ok()).unwrap_or(or)
    };
    let times = [number("--warm", 3), number("--steps", 8), number("--rounds", 3)];
    args.iter().filter(|a| a.contains(':')).try_for_each(|s| show(s, times))
}
