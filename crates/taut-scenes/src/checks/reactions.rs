//! Joint forces and moments of structures at rest against statics, a million to one, at 1/60 s. Whatever can swing is kicked a little
//! and averaged.

use super::rig::Worst;
use super::{Check, Effort, Failure, Measured, theory};
use crate::scenes::parts::{G, ball, bar};
use taut::{Ball, Body, Hinge, Joint, JointId, JointKind, Result, Vec3, Weld, World};

const LINK: f64 = 0.2;
const LOAD: f64 = 1e6 * LINK;
const KICK: f64 = 1e-3;
const STEP: f64 = 1.0 / 60.0;
/// Largest error, %.
const BOUND: f64 = 0.1;

/// Joints of a structure, each with the force (N) and moment about it (N m) that statics gives; a length for moments that are zero.
struct Structure {
    world: World,
    expected: Vec<(JointId, Vec3, Vec3)>,
    length: f64,
}

pub(super) fn check() -> Check {
    Check {
        id: "reactions",
        summary: "joint forces and moments under a load of a million links at 1/60 s",
        source: "statics: equilibrium of forces and moments of the parts that a joint carries",
        run,
    }
}

fn run(effort: &Effort<'_>) -> std::result::Result<Vec<Measured>, Failure> {
    let mut out = Vec::new();
    for (name, build) in [
        ("hanging ball chain", hanging as fn() -> Result<Structure>),
        ("cantilever of welds", cantilever),
        ("bent cantilever of welds", bent),
        ("arm of hinges and welds", hinged),
        ("load on two ball chains", two_chains),
        ("two-bar truss", truss),
    ] {
        let (force, moment) = errors(effort, build()?)?;
        out.push(force.at_most(&format!("{name}: worst force"), BOUND, "%"));
        if moment.seen() {
            out.push(moment.at_most(&format!("{name}: worst moment"), BOUND, "%"));
        }
    }
    Ok(out)
}

/// Errors of the mean reactions, after a quarter of the time, in % of the expected value; of a moment that is zero, in % of force
/// times length.
fn errors(effort: &Effort<'_>, s: Structure) -> std::result::Result<(Worst, Worst), Failure> {
    let Structure { mut world, expected, length } = s;
    let time = effort.pick(20.0, 8.0);
    let mut mean = vec![(Vec3::ZERO, Vec3::ZERO); expected.len()];
    effort.steps(&mut world, STEP, 0.25 * time, |_| Ok(()))?;
    let share = STEP / (0.75 * time);
    effort.steps(&mut world, STEP, 0.75 * time, |w| {
        for (m, e) in mean.iter_mut().zip(&expected) {
            let view = w.joint(e.0)?;
            *m = (m.0 + share * view.force(), m.1 + share * view.torque());
        }
        Ok(())
    })?;
    let (mut force, mut moment) = (Worst::new(), Worst::new());
    for (k, (m, (id, f, t))) in mean.iter().zip(&expected).enumerate() {
        let scale = if t.length() > 1e-9 * length * f.length() { t.length() } else { length * f.length() };
        force.see(100.0 * (m.0 - *f).length() / f.length(), || format!("joint {k}"));
        // A ball joint has no moment to get wrong.
        if world.joint(*id)?.kind() != "ball" {
            moment.see(100.0 * (m.1 - *t).length() / scale, || format!("joint {k}"));
        }
    }
    Ok((force, moment))
}

/// Bars from point to point with the load at the last one; `joint` gives the k-th joint and its axis. Every bar is kicked.
fn arm(points: &[Vec3], joint: impl Fn(usize) -> (Box<dyn JointKind>, Vec3), kick: Vec3) -> Result<Structure> {
    let mut world = World::new();
    let (mut previous, mut joints, mut parts) = (world.ground(), Vec::new(), Vec::new());
    for (k, &at) in points.iter().enumerate() {
        let (b, centre, mass) = match points.get(k + 1) {
            Some(&to) => (bar(&mut world, at, to, LINK, 0.02, format!("link {k}"))?, 0.5 * (at + to), LINK),
            None => (world.add(Body::dynamic(ball(LOAD, 0.1)?).at(at).named("load"))?, at, LOAD),
        };
        let side = if k % 2 == 0 { 1.0 } else { -1.0 };
        world.set_velocity(b, side * kick, Vec3::ZERO)?;
        let (joint, axis) = joint(k);
        joints.push(world.add(Joint::of(joint, b, previous).at(at).axis(axis))?);
        parts.push((mass, centre));
        previous = b;
    }
    let reaction = |k: usize| theory::carried(&parts[k..], points[k], -G * Vec3::Y);
    let expected = joints.iter().enumerate().map(|(k, &j)| (j, reaction(k).0, reaction(k).1)).collect();
    let length = (points[1] - points[0]).length();
    Ok(Structure { world, expected, length })
}

fn line(direction: Vec3) -> Vec<Vec3> {
    (0..=10).map(|k| 0.2 * f64::from(k) * direction).collect()
}

fn hanging() -> Result<Structure> {
    arm(&line(-Vec3::Y), |_| (Box::new(Ball::default()), Vec3::Y), KICK * Vec3::X)
}

fn cantilever() -> Result<Structure> {
    arm(&line(Vec3::X), |_| (Box::new(Weld::default()), Vec3::X), Vec3::ZERO)
}

/// Out along x, aside along z, up along y: bending and torsion together.
fn bent() -> Result<Structure> {
    let mut points = vec![Vec3::ZERO];
    for (k, step) in [Vec3::X, Vec3::Z, Vec3::Y].into_iter().flat_map(|d| [d; 3]).enumerate() {
        points.push(points[k] + 0.2 * step);
    }
    arm(&points, |_| (Box::new(Weld::default()), Vec3::X), Vec3::ZERO)
}

/// A horizontal arm: every other joint is a hinge about the vertical, free to swing sideways and stiff against the load.
fn hinged() -> Result<Structure> {
    let joint = |k: usize| -> (Box<dyn JointKind>, Vec3) {
        if k.is_multiple_of(2) { (Box::new(Hinge::default()), Vec3::Y) } else { (Box::new(Weld::default()), Vec3::Y) }
    };
    // Nothing brings it back, so the kick is slow: 0.2 mm in the whole run.
    arm(&line(Vec3::X), joint, 0.01 * KICK * Vec3::Z)
}

/// Two straight ball chains from (-1, 0) and (1, 0) down to the load at (0, -1): a closed loop. Only the load's weight is counted; the
/// links add a millionth of it.
fn two_chains() -> Result<Structure> {
    let mut world = World::new();
    let ground = world.ground();
    let end = -Vec3::Y;
    let load = world.add(Body::dynamic(ball(LOAD, 0.1)?).at(end).moving(KICK * Vec3::Z, Vec3::ZERO))?;
    let weight = LOAD * G;
    let mut expected = Vec::new();
    for side in [-1.0, 1.0] {
        let top = Vec3::new(side, 0.0, 0.0);
        let pull = weight / 2.0 * (top - end);
        let mut previous = ground;
        for k in 0..5 {
            let point = |k: i32| top + (end - top) * (f64::from(k) / 5.0);
            let b = bar(&mut world, point(k), point(k + 1), LINK, 0.02, format!("link {side} {k}"))?;
            world.set_velocity(b, KICK * Vec3::Z, Vec3::ZERO)?;
            expected.push((world.add(Ball::between(b, previous).at(point(k)).axis(Vec3::Y))?, pull, Vec3::ZERO));
            previous = b;
        }
        expected.push((world.add(Ball::between(load, previous).at(end).axis(Vec3::Y))?, pull, Vec3::ZERO));
    }
    Ok(Structure { world, expected, length: 0.2 })
}

/// A strut from the wall to (1, 0), held by a tie from (0, 1), the load hanging at its tip: a closed loop, one bar in compression.
fn truss() -> Result<Structure> {
    let (a, b, c) = (Vec3::ZERO, Vec3::Y, Vec3::X);
    let mut world = World::new();
    let ground = world.ground();
    let strut = bar(&mut world, a, c, LINK, 0.02, "strut".into())?;
    let tie = bar(&mut world, b, c, LINK, 0.02, "tie".into())?;
    let def = Body::dynamic(ball(LOAD, 0.1)?).at(c - 0.1 * Vec3::Y).moving(KICK * Vec3::X, Vec3::ZERO);
    let load = world.add(def.named("load"))?;
    let joints = [
        world.add(Hinge::between(strut, ground).at(a).axis(Vec3::Z))?,
        world.add(Ball::between(tie, ground).at(b).axis(Vec3::Z))?,
        world.add(Ball::between(tie, strut).at(c).axis(Vec3::Z))?,
        world.add(Ball::between(load, strut).at(c).axis(Vec3::Z))?,
    ];
    // Each bar hands half its weight to either end; moments about the wall give the tension of the tie.
    let (bar, load) = (LINK * G * Vec3::Y, LOAD * G * Vec3::Y);
    let along = (b - c).normalize();
    let tension = (load + bar).y / along.y;
    let at_c = -tension * along + 0.5 * bar;
    let forces = [at_c + load + bar, tension * along + 0.5 * bar, at_c, load];
    let expected = joints.into_iter().zip(forces).map(|(j, f)| (j, f, Vec3::ZERO)).collect();
    Ok(Structure { world, expected, length: 1.0 })
}
