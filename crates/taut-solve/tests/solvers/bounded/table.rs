//! Snapshots of the scenes, solved warm and cold, with the table of what it took.

use super::mechanics::World;
use super::random::{Kind, random};
use super::scenes::{H, arm, chain, jam, ragdoll, rod, slope, stack, wall};
use glam::DVec3 as Vec3;
use taut_solve::bounded::{Block, Info, Params, Problem, Work, residual, solve};

/// A problem and its warm start.
pub struct Case {
    pub w: Vec<f64>,
    pub q: Vec<f64>,
    pub blocks: Vec<Block>,
    pub warm: Vec<f64>,
}

impl Case {
    pub fn problem(&self) -> Problem<'_> {
        Problem { w: &self.w, q: &self.q, blocks: &self.blocks, unit: &[] }
    }
}

/// The problems of a scene with what the reference took: median iterations warm and cold (none: cold only).
pub struct Scene {
    pub name: &'static str,
    pub cases: Vec<Case>,
    pub reference: (Option<f64>, f64),
}

/// Runs a world and keeps the problems of some steps.
pub fn snapshots(mut world: World, steps: &[usize]) -> Vec<Case> {
    let (mut kept, mut work) = (vec![], Work::default());
    for k in 0..=*steps.iter().max().unwrap_or(&0) {
        let s = world.assemble();
        let mut z = s.warm.clone();
        solve(&s.problem(), &Params::default(), &mut z, &mut work);
        world.finish(&s, &z);
        if steps.contains(&k) && !s.q.is_empty() {
            kept.push(Case { w: s.w, q: s.q, blocks: s.blocks, warm: s.warm });
        }
        let fast = world.bodies.iter().any(|b| !(b.v.length() < 1e3));
        assert!(!fast, "the scene diverged at step {k}");
    }
    kept
}

fn random_cases(seeds: std::ops::Range<u64>, kind: Kind) -> Vec<Case> {
    seeds
        .map(|seed| random(seed, kind))
        .map(|r| Case { warm: vec![0.0; r.q.len()], w: r.w, q: r.q, blocks: r.blocks })
        .collect()
}

/// The 16 scenes on which the constants were chosen: 158 cases.
pub fn bench() -> Vec<Scene> {
    let s = |name, warm: f64, cold: f64, world, steps: &[usize]| Scene {
        name,
        cases: snapshots(world, steps),
        reference: (Some(warm), cold),
    };
    let kind = Kind { bodies: 8, contacts: 14, repeats: 4, boxes: 6, spread: 3.0 };
    let rod_steps = [20, 40, 60, 80, 99];
    let chain_steps = [0, 2, 5, 10, 30];
    let spin = Vec3::new(1.0, 0.5, 0.0);
    vec![
        s("rod 5 g", 5.0, 35.0, rod(0.005, [0.3; 2], 0.5), &rod_steps),
        s("rod 50 g", 55.0, 99.0, rod(0.05, [0.3; 2], 0.5), &rod_steps),
        s("rod 500 g, mu (.3, .8)", 7.0, 95.0, rod(0.5, [0.3, 0.8], 0.5), &rod_steps),
        s("stack 10, 1000:1", 1.0, 7.0, stack(10, 1e3, [0.6; 2], 1.0, false), &[0, 1, 5, 20, 60]),
        s("stack 10, toppling", 2.0, 52.0, stack(10, 1e3, [0.6; 2], 5.0, false), &[0, 3, 10, 20]),
        s("stack alternating", 1.0, 25.0, stack(10, 1e3, [0.6; 2], 1.0, true), &[0, 1, 5, 20, 60]),
        s("wall 5x6", 3.0, 14.0, wall(5, 6, [0.6; 2], 3.0, 1.0), &[0, 2, 10]),
        s("wall 4x4, top 1000", 8.0, 7.0, wall(4, 4, [0.6; 2], 3.0, 1e3), &[0, 2, 10]),
        s("chain 1000:1", 17.0, 46.0, chain(20, 1e3, [0.5; 2], 30.0), &chain_steps),
        s("chain 1e4:1, mu 1", 25.0, 15.0, chain(20, 1e4, [1.0; 2], 300.0), &chain_steps),
        s("ragdoll", 55.0, 55.0, ragdoll(H, [0.7; 2], 0.02, 1.0), &[0, 1, 3, 5, 10, 20, 40]),
        s("slope mu (.3, .6)", 1.0, 1.0, slope([0.3, 0.6], 20.0, spin, 4.0), &[0, 2, 5, 10, 20]),
        s("arm", 2.0, 6.0, arm(6, 20.0), &[0, 2, 5, 10, 20, 40]),
        s("jam mu 1.5", 0.0, 0.0, jam(1.5), &[0, 1, 2, 5]),
        Scene { name: "random, repeated", cases: random_cases(0..12, kind), reference: (None, 4.0) },
        Scene {
            name: "random, masses 1e6",
            cases: random_cases(100..112, Kind { spread: 6.0, ..kind }),
            reference: (None, 4.0),
        },
    ]
}

/// Scenes that no constant was chosen on in the reference: 238 cases.
pub fn held_out() -> Vec<Scene> {
    let s = |name, warm: f64, cold: f64, world, steps: Vec<usize>| Scene {
        name,
        cases: snapshots(world, &steps),
        reference: (Some(warm), cold),
    };
    let every = |step: usize, end: usize| (0..end).step_by(step).collect::<Vec<_>>();
    let rods = || (10..100).step_by(10).collect::<Vec<_>>();
    let large = Kind { bodies: 8, contacts: 25, repeats: 8, boxes: 10, spread: 4.0 };
    let small = Kind { bodies: 4, contacts: 8, repeats: 3, boxes: 4, spread: 5.0 };
    let spin = Vec3::new(2.0, -1.0, 0.0);
    vec![
        s("stack 7, 1e4", 1.0, 15.0, stack(7, 1e4, [0.3; 2], 0.8, false), every(4, 40)),
        s("stack 20 level", 1.0, 5.0, stack(20, 100.0, [0.5, 0.8], 0.3, false), vec![0, 2, 8, 30]),
        s("wall 6x4 slides", 55.0, 163.0, wall(6, 4, [0.15, 0.3], 12.0, 1.0), vec![0, 3, 12]),
        s("chain 30, 1e5", 42.0, 66.0, chain(30, 1e5, [0.8, 0.4], 100.0), every(4, 40)),
        s("chain 12 light", 8.0, 75.0, chain(12, 1.0, [0.3; 2], 5.0), every(4, 40)),
        s("ragdoll dropped", 60.0, 92.0, ragdoll(H, [0.3, 0.5], 0.3, 0.1), every(5, 60)),
        s("ragdoll h .005", 90.0, 332.0, ragdoll(0.005, [1.0; 2], 0.05, 1.0), every(8, 80)),
        s("rod 200 g (.6, .2)", 111.0, 107.0, rod(0.2, [0.6, 0.2], 1.0), rods()),
        s("rod 2 kg mu 1", 7.0, 6.0, rod(2.0, [1.0; 2], 0.2), rods()[..5].to_vec()),
        s("slope (1, .1)", 1.0, 1.0, slope([1.0, 0.1], 30.0, spin, -9.0), every(4, 40)),
        s("arm of 8, weak", 2.0, 14.0, arm(8, 4.0), every(4, 40)),
        s("jam mu 3", 0.0, 0.0, jam(3.0), every(2, 12)),
        Scene { name: "random 25 contacts", cases: random_cases(1000..1020, large), reference: (None, 15.0) },
        Scene { name: "random small", cases: random_cases(2000..2020, small), reference: (None, 3.0) },
    ]
}

/// What the cases of one scene took, warm or cold.
pub struct Line {
    pub name: &'static str,
    pub cold: bool,
    pub cases: usize,
    pub solved: usize,
    pub iterations: Vec<f64>,
    pub worst: f64,
    pub reference: f64,
    pub megaflops: Vec<f64>,
}

/// The mean of the two middle values for an even count.
pub fn median(values: &[f64]) -> f64 {
    let mut v = values.to_vec();
    v.sort_by(f64::total_cmp);
    if v.is_empty() { 0.0 } else { 0.5 * (v[(v.len() - 1) / 2] + v[v.len() / 2]) }
}

/// Solves every case warm and cold; `judge` sees every solution.
pub fn run(scenes: &[Scene], mut judge: impl FnMut(&Case, &[f64], &Info)) -> Vec<Line> {
    let mut work = Work::default();
    let mut lines = vec![];
    for scene in scenes {
        for (cold, reference) in [(false, scene.reference.0), (true, Some(scene.reference.1))] {
            let Some(reference) = reference else { continue };
            let mut line = Line {
                name: scene.name,
                cold,
                cases: scene.cases.len(),
                solved: 0,
                iterations: vec![],
                worst: 0.0,
                reference,
                megaflops: vec![],
            };
            for case in &scene.cases {
                let mut z = if cold { vec![0.0; case.q.len()] } else { case.warm.clone() };
                let info = solve(&case.problem(), &Params::default(), &mut z, &mut work);
                line.megaflops.push(work.flops() / 1e6);
                let r = residual(&case.problem(), &z, &mut work);
                line.solved += usize::from(r <= 1e-9);
                line.worst = line.worst.max(r);
                line.iterations.push(info.iterations as f64);
                judge(case, &z, &info);
            }
            lines.push(line);
        }
    }
    lines
}

pub fn print(lines: &[Line]) {
    println!("scene                        solved  worst m/s   iterations median (most)   reference   Mflop median");
    for l in lines {
        let most = l.iterations.iter().fold(0.0, |m: f64, i| m.max(*i));
        println!(
            "{:24} {} {:3}/{:3}   {:8.1e}   {:12.1} ({:4})   {:20.1}   {:12.3}",
            l.name,
            if l.cold { "cold" } else { "warm" },
            l.solved,
            l.cases,
            l.worst,
            median(&l.iterations),
            most,
            l.reference,
            median(&l.megaflops)
        );
    }
    let count = |f: fn(&Line) -> usize| lines.iter().map(f).sum::<usize>();
    let flops: f64 = lines.iter().flat_map(|l| &l.megaflops).sum();
    println!("total {}/{}, {:.2} Gflop", count(|l| l.solved), count(|l| l.cases), flops / 1e3);
}
