//! Mechanisms whose speed is measured: chains, trees, a ladder, ten links on joints of one kind.
//!
//! This file names nothing but the engine, so that the example `mechanism_speed` of the engine can take it in too.

use taut::{Ball, Body, BodyId, Hinge, Joint, MassProperties, Result, Universal, Vec3, Weld, World};

/// A mechanism and the step it is timed at.
pub struct Mechanism {
    /// Its name.
    pub name: &'static str,
    /// Length of a step, s.
    pub step: f64,
    /// Makes it.
    pub build: fn() -> Result<World>,
}

/// All of them.
pub const MECHANISMS: [Mechanism; 16] = [
    Mechanism { name: "chain-1000", step: 0.01, build: || chain(1000, 1000.0) },
    Mechanism { name: "chain-100", step: 0.01, build: || chain(100, 1000.0) },
    Mechanism { name: "chain-10", step: 0.01, build: || chain(10, 1000.0) },
    Mechanism { name: "tree-6", step: 0.01, build: || tree(6, false) },
    Mechanism { name: "mixed-tree-6", step: 0.01, build: || tree(6, true) },
    Mechanism { name: "ladder-300", step: 0.01, build: || ladder(300) },
    Mechanism { name: "ladder-5", step: 0.01, build: || ladder(5) },
    Mechanism { name: "four-bar", step: 0.005, build: four_bar },
    Mechanism { name: "ball-10", step: 0.005, build: || links(10, Ball::between) },
    Mechanism { name: "ball-10-frame", step: 1.0 / 60.0, build: || links(10, Ball::between) },
    Mechanism { name: "hinge-10", step: 0.005, build: || links(10, Hinge::between) },
    Mechanism { name: "hinge-10-frame", step: 1.0 / 60.0, build: || links(10, Hinge::between) },
    Mechanism { name: "hinge-100", step: 0.005, build: || links(100, Hinge::between) },
    Mechanism { name: "hinge-1000", step: 0.01, build: || links(1000, Hinge::between) },
    Mechanism { name: "universal-10", step: 0.005, build: || links(10, Universal::between) },
    Mechanism { name: "one-body", step: 0.005, build: || links(1, Ball::between) },
];

/// A thin bar from one point to another.
fn bar(w: &mut World, from: Vec3, to: Vec3, mass: f64, radius: f64) -> Result<BodyId> {
    let (along, length) = ((to - from).normalize(), (to - from).length());
    let across = mass * (radius * radius / 4.0 + length * length / 12.0);
    let inertia = Vec3::new(0.5 * mass * radius * radius, across, across);
    let turn = taut::Quat::from_rotation_arc(Vec3::X, along);
    w.add(Body::dynamic(MassProperties::from_diagonal(mass, inertia)?).at(0.5 * (from + to)).rotated(turn))
}

fn ball(w: &mut World, at: Vec3, mass: f64) -> Result<BodyId> {
    w.add(Body::dynamic(MassProperties::from_diagonal(mass, Vec3::splat(0.4 * mass * 0.09))?).at(at))
}

/// Links of 0.2 m and 0.2 kg that fall from the horizontal.
fn links(n: usize, between: impl Fn(BodyId, BodyId) -> Joint) -> Result<World> {
    let mut w = World::new();
    let mut last = w.ground();
    for k in 0..n {
        let from = 0.2 * k as f64 * Vec3::X;
        let b = bar(&mut w, from, from + 0.2 * Vec3::X, 0.2, 0.01)?;
        w.add(between(b, last).at(from).axis(Vec3::Z))?;
        last = b;
    }
    Ok(w)
}

/// Links of 0.3 m and 0.1 kg with a load at the end, swinging from an angle.
fn chain(n: usize, ratio: f64) -> Result<World> {
    let mut w = World::new();
    let along = Vec3::new(1.0, -1.0, 0.3).normalize();
    let mut last = w.ground();
    for k in 0..n {
        let from = 0.3 * k as f64 * along;
        let b = bar(&mut w, from, from + 0.3 * along, 0.1, 0.01)?;
        w.set_velocity(b, Vec3::ZERO, 1e-3 * Vec3::new(noise(k), noise(k + 1), noise(k + 2)))?;
        w.add(Ball::between(b, last).at(from).axis(along))?;
        last = b;
    }
    let end = 0.3 * n as f64 * along;
    let b = ball(&mut w, end, 0.1 * ratio)?;
    w.add(Ball::between(b, last).at(end).axis(along))?;
    Ok(w)
}

/// Numbers between -1 and 1 that look random.
fn noise(k: usize) -> f64 {
    let z = (k as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (z >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

struct Grower {
    w: World,
    count: usize,
    mixed: bool,
}

impl Grower {
    fn noise3(&mut self) -> Vec3 {
        self.count += 3;
        Vec3::new(noise(self.count), noise(self.count + 1), noise(self.count + 2))
    }

    /// Five links, then two branches or a load.
    fn branch(&mut self, (mut last, mut at): (BodyId, Vec3), toward: Vec3, forks: usize) -> Result<()> {
        for k in 0..5 {
            let (d, size) = (toward + 0.15 * self.noise3(), self.noise3());
            let end = at + (0.4 + 0.2 * size.x) * d.normalize();
            let b = bar(&mut self.w, at, end, 0.55 + 0.45 * size.y, 0.03 + 0.02 * size.z)?;
            let axis = self.noise3();
            let joint = match k {
                1 if self.mixed => Hinge::between(b, last),
                2 if self.mixed => Universal::between(b, last),
                3 if self.mixed => Weld::between(b, last),
                _ => Ball::between(b, last),
            };
            self.w.add(joint.at(at).axis(axis))?;
            (last, at) = (b, end);
        }
        if forks == 0 {
            let load = ball(&mut self.w, at, [10.0, 100.0, 1000.0][self.count % 3])?;
            self.w.add(Ball::between(load, last).at(at).axis(Vec3::X))?;
            return Ok(());
        }
        let across = if forks.is_multiple_of(2) { Vec3::Y } else { Vec3::Z };
        self.branch((last, at), toward + 0.8 * across, forks - 1)?;
        self.branch((last, at), toward - 0.8 * across, forks - 1)
    }
}

/// A tree that forks after every five links, with loads at its ends, falling.
fn tree(forks: usize, mixed: bool) -> Result<World> {
    let mut g = Grower { w: World::new(), count: 0, mixed };
    let ground = g.w.ground();
    g.branch((ground, Vec3::ZERO), Vec3::new(1.0, -0.3, 0.2), forks)?;
    Ok(g.w)
}

/// A rope ladder with a heavy last rung, swinging.
fn ladder(cells: usize) -> Result<World> {
    let mut w = World::new();
    let d = Vec3::new(1.0, -0.3, 0.0).normalize();
    let ground = w.ground();
    let (mut last, mut at) = ([ground; 2], [-0.2 * Vec3::Z, 0.2 * Vec3::Z]);
    for k in 0..cells {
        let mut sides = [ground; 2];
        for q in 0..2 {
            sides[q] = bar(&mut w, at[q], at[q] + 0.3 * d, 0.1, 0.01)?;
            w.add(Ball::between(sides[q], last[q]).at(at[q]).axis(d))?;
            at[q] += 0.3 * d;
        }
        let rung = bar(&mut w, at[0], at[1], if k + 1 == cells { 100.0 } else { 0.1 }, 0.02)?;
        for q in 0..2 {
            w.add(Ball::between(rung, sides[q]).at(at[q]).axis(d))?;
        }
        last = [rung; 2];
    }
    Ok(w)
}

/// A crank, a coupler and a rocker on hinges.
fn four_bar() -> Result<World> {
    let mut w = World::new();
    let at = [Vec3::ZERO, Vec3::new(0.1, 0.3, 0.0), Vec3::new(0.9, 0.6, 0.0), Vec3::new(0.8, 0.0, 0.0)];
    let ground = w.ground();
    let mut last = ground;
    for k in 0..3 {
        let b = bar(&mut w, at[k], at[k + 1], 1.0, 0.02)?;
        w.add(Hinge::between(b, last).at(at[k]).axis(Vec3::Z))?;
        last = b;
    }
    w.add(Hinge::between(last, ground).at(at[3]).axis(Vec3::Z))?;
    Ok(w)
}
