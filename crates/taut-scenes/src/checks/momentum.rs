//! Free-floating chains and trees without gravity: linear and angular momentum.

use super::rig::Worst;
use super::{Check, Effort, Failure, Measured};
use crate::random::Random;
use crate::scenes::parts::{pointing, rod};
use taut::{Ball, Body, BodyId, Hinge, Joint, MassProperties, Options, Quat, Result, Universal, Vec3, World};

/// Bodies of a mechanism, and how many of the first form its trunk.
const BODIES: usize = 12;
const TRUNK: usize = 6;

pub(super) fn check() -> Check {
    Check {
        id: "momentum",
        summary: "free-floating trees of ball, universal and hinge joints keep linear and angular momentum",
        source: "conservation; angular momentum taken in the middle of the drift, where velocities belong",
        run,
    }
}

/// Makes a joint between two bodies.
type Make = fn(BodyId, BodyId) -> Joint;

fn run(effort: &Effort<'_>) -> std::result::Result<Vec<Measured>, Failure> {
    let [mut linear, mut resolved, mut other] = [Worst::new(), Worst::new(), Worst::new()];
    let kinds: [(_, Make); 3] = [("ball", Ball::between), ("universal", Universal::between), ("hinge", Hinge::between)];
    for (name, joint) in kinds {
        for h in [0.001, 0.01, 1.0 / 60.0] {
            for rate in [0.1, 1.0] {
                let (mut world, parts) = floating(joint, rate)?;
                // The regime is known after two steps.
                world.step(h)?;
                world.step(h)?;
                let mut wholly = true;
                let start = momenta(&world, &parts, h)?;
                let (mut moved, mut turned) = (0.0_f64, 0.0_f64);
                for _ in 0..(effort.pick(20.0, 5.0) / h) as usize {
                    effort.go_on()?;
                    wholly &= world.step(h)?.resolved_islands == 1;
                    let now = momenta(&world, &parts, h)?;
                    moved = moved.max((now.0 - start.0).length() / start.0.length());
                    turned = turned.max((now.1 - start.1).length() / start.1.length());
                }
                let at = || format!("{name}, {h:.3} s, spin x {rate}");
                linear.see(moved, at);
                let worst = if wholly { &mut resolved } else { &mut other };
                worst.see(turned, at);
            }
        }
    }
    Ok(vec![
        linear.at_most("largest change of the linear momentum", 1e-12, ""),
        resolved.at_most("of the angular momentum, always in the resolved regime", 1e-7, ""),
        other.at_most("of the angular momentum, with the stabiliser at work", 0.01, ""),
    ])
}

/// A trunk that forks into two branches, moving and spinning in space, the faster the larger `rate`.
fn floating(joint: Make, rate: f64) -> Result<(World, Vec<(BodyId, MassProperties)>)> {
    let mut world = World::new();
    world.set_options(Options { gravity: Vec3::ZERO, ..Options::default() })?;
    let mut random = Random::new(7);
    let mut parts: Vec<(BodyId, MassProperties)> = Vec::new();
    let (mut ends, spin) = (Vec::new(), rate * Vec3::new(0.3, 1.0, 2.0));
    for k in 0..BODIES {
        let parent = if k == 0 { None } else { Some(if k == TRUNK + 3 { TRUNK - 1 } else { k - 1 }) };
        let from = parent.map_or(Vec3::ZERO, |p| ends[p]);
        let along = (Vec3::X + 0.5 * random.normal3()).normalize();
        let (l, m) = (random.uniform(0.3, 1.0), random.uniform(0.1, 10.0));
        let mass = rod(m, l, 0.05)?;
        let centre = from + 0.5 * l * along;
        let def = Body::dynamic(mass).at(centre).rotated(pointing(along));
        let b = world.add(def.moving(Vec3::new(1.0, 2.0, -1.0) + spin.cross(centre), spin))?;
        if let Some(p) = parent {
            world.add(joint(b, parts[p].0).at(from).axis(random.normal3()))?;
        }
        parts.push((b, mass));
        ends.push(from + l * along);
    }
    Ok((world, parts))
}

/// Linear momentum, and angular momentum about the origin in the middle of the drift that ended at the present pose.
fn momenta(world: &World, parts: &[(BodyId, MassProperties)], h: f64) -> Result<(Vec3, Vec3)> {
    let (mut linear, mut angular) = (Vec3::ZERO, Vec3::ZERO);
    for (b, mass) in parts {
        let v = world.body(*b)?;
        let at = v.pose().pos - 0.5 * h * v.velocity();
        let turn = Quat::from_scaled_axis(-0.5 * h * v.angular_velocity()) * v.pose().rot;
        let p = mass.mass * v.velocity();
        linear += p;
        angular += at.cross(p) + turn * (mass.inertia * (turn.inverse() * v.angular_velocity()));
    }
    Ok((linear, angular))
}
