//! Times of the augmented inverse mass matrix of Andrews 2017 section 3: rank-1 updates against a full inverse.

use std::time::Instant;
use taut::World;
use taut::study::Study;

/// The step of the matrix M - h^2 K~, s.
pub const STEP: f64 = 0.01;

/// A column of Table 2.
pub struct Published {
    /// Ball joints.
    pub joints: usize,
    /// Full inverse, s.
    pub full: f64,
    /// Low-rank inverse, s.
    pub low: f64,
    /// Their ratio, as printed.
    pub gain: f64,
}

/// Table 2.
pub const PUBLISHED: [Published; 3] = [
    Published { joints: 10, full: 0.099e-3, low: 0.010e-3, gain: 9.81 },
    Published { joints: 50, full: 6.795e-3, low: 0.517e-3, gain: 13.13 },
    Published { joints: 100, full: 49.668e-3, low: 2.633e-3, gain: 18.87 },
];

/// Least times of one world, s.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    /// Full inverse by LU.
    pub full: f64,
    /// Rank-1 updates.
    pub low: f64,
    /// Factorisation and solve of the block system, which needs no inverse.
    pub block: f64,
    /// Largest difference of the two inverses, relative to the largest entry.
    pub difference: f64,
}

impl Times {
    /// Full over low rank.
    pub fn gain(&self) -> f64 {
        self.full / self.low
    }
}

/// A chain that swings, with so many joints of a kind.
pub fn chain(joint: &str, joints: usize) -> taut::Result<World> {
    let links = joints.saturating_sub(1).max(1).to_string();
    let (mut s, _) = taut_scenes::find("chain")?.with(&[
        ("links", &links),
        ("joint", joint),
        ("ratio", "10"),
        ("start", "angle"),
    ])?;
    for _ in 0..20 {
        s.world.step(STEP)?;
    }
    Ok(s.world)
}

/// Measures a world at its present state; `repeats` times each, taken in turns so that all meet the same noise.
pub fn times(world: &mut World, repeats: usize) -> taut::Result<Times> {
    let full = world.augmented_inverse(STEP, false)?;
    let low = world.augmented_inverse(STEP, true)?;
    let scale = full.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let difference = full.iter().zip(&low).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / scale;
    // A larger block given back: from then on the allocator keeps the memory of an inverse, whatever ran before.
    drop(std::hint::black_box(vec![1.0_f64; 3 * full.len()]));
    let mut out = Times { full: f64::INFINITY, low: f64::INFINITY, block: f64::INFINITY, difference };
    for _ in 0..repeats {
        out.full = out.full.min(once(|| world.augmented_inverse(STEP, false).map(drop))?);
        out.low = out.low.min(once(|| world.augmented_inverse(STEP, true).map(drop))?);
    }
    // The workspace again as a step leaves it.
    world.step(STEP)?;
    world.bare_solve(|solve| {
        for _ in 0..200 {
            let t = Instant::now();
            solve();
            out.block = out.block.min(t.elapsed().as_secs_f64());
        }
    })?;
    Ok(out)
}

/// How often to measure so many joints: short ones often.
pub fn repeats(joints: usize) -> usize {
    (20_000 / (joints * joints).max(1)).clamp(5, 200)
}

fn once(mut work: impl FnMut() -> taut::Result<()>) -> taut::Result<f64> {
    let t = Instant::now();
    work()?;
    Ok(t.elapsed().as_secs_f64())
}
