//! The script of a world: edits, changing steps, a snapshot, threads.

use super::Plan;
use crate::file::{Joint, Kind, SceneFile};
use crate::fuzz::Feature;
use crate::fuzz::draw::{Draw, digits, neat};
use crate::fuzz::script::{Change, Edit, Script};

/// Draws an edit of a world; the number makes names unique. None where there is nothing to edit.
type Make = fn(&mut Draw, &SceneFile, usize) -> Option<Change>;
/// The kinds of edits.
const EDITS: [Make; 8] = [add_body, remove_body, add_joint, remove_joint, command, add_force, remove_force, velocity];
/// Most edits of a world.
const MOST_EDITS: usize = 4;
/// The longest and the shortest of changing steps may be this far apart.
const JUMP: f64 = 10.0;
/// No step is longer, s.
const LONGEST: f64 = 0.1;

/// What happens in a world while it runs.
pub(super) fn script(plan: &Plan, file: &SceneFile, steps: usize) -> Script {
    Script {
        steps,
        lengths: lengths(plan, steps).filter(|_| plan.has(Feature::VariedSteps)).unwrap_or_default(),
        edits: if plan.has(Feature::Edits) { edits(plan, file, steps) } else { Vec::new() },
        snapshot: plan.has(Feature::Restore).then_some(steps / 2),
        threads: plan.draw("threads", 0).chance(0.25) && plan.has(Feature::Threads),
    }
}

/// Steps that change from call to call: all of them, or a few long ones among short ones.
fn lengths(plan: &Plan, steps: usize) -> Option<Vec<f64>> {
    let mut draw = plan.draw("lengths", 0);
    let (there, spikes) = (draw.chance(0.25), draw.chance(0.5));
    let most = (plan.dt * JUMP.sqrt()).min(LONGEST);
    let length = |_| match spikes {
        true if !draw.chance(0.05) => most / JUMP,
        true => most,
        false => draw.log(most / JUMP, most),
    };
    there.then(|| (0..steps).map(length).map(|h| digits(h, 4)).collect())
}

/// Some edits at some steps, in order; three worlds in ten have any.
fn edits(plan: &Plan, file: &SceneFile, steps: usize) -> Vec<Edit> {
    let mut draw = plan.draw("edits", 0);
    if !draw.chance(0.3) {
        return Vec::new();
    }
    let count = 1 + draw.below(MOST_EDITS);
    let edit = |k| {
        let mut draw = plan.draw("edit", k);
        let step = draw.below(steps.max(1));
        let change = EDITS[draw.below(EDITS.len())](&mut draw, file, k)?;
        Some(Edit { step, change })
    };
    let mut edits: Vec<Edit> = (0..count).filter_map(edit).collect();
    edits.sort_by_key(|e| e.step);
    edits
}

fn any_body(draw: &mut Draw, file: &SceneFile) -> Option<String> {
    let n = file.bodies.len();
    (n > 0).then(|| file.bodies[draw.below(n)].name().to_owned())
}

fn add_body(draw: &mut Draw, file: &SceneFile, k: usize) -> Option<Change> {
    Some(Change::AddBody { name: format!("new{k}"), mass: draw.log(1e-2, 1e3), from: any_body(draw, file)? })
}

fn remove_body(draw: &mut Draw, file: &SceneFile, _: usize) -> Option<Change> {
    any_body(draw, file).map(Change::RemoveBody)
}

fn add_joint(draw: &mut Draw, file: &SceneFile, k: usize) -> Option<Change> {
    let bodies = [any_body(draw, file)?, any_body(draw, file)?];
    Some(Change::AddJoint { name: format!("new{k}"), bodies })
}

fn remove_joint(draw: &mut Draw, file: &SceneFile, _: usize) -> Option<Change> {
    let n = file.joints.len();
    let joint = (n > 0).then(|| &file.joints[draw.below(n)])?;
    joint.name().map(|name| Change::RemoveJoint(name.to_owned()))
}

/// Another command for one of the motors.
fn command(draw: &mut Draw, file: &SceneFile, _: usize) -> Option<Change> {
    let servo = |j: &&Joint| match &j.kind {
        Kind::Hinge(p) | Kind::Planar(p) => p.motor.as_ref().map(|m| m.stiffness.is_some()),
        Kind::Prismatic(p) => p.motor.as_ref().map(|m| m.stiffness.is_some()),
        Kind::Cylindrical(p) => p.motor.as_ref().and_then(|m| m.1.as_ref()).map(|m| m.stiffness.is_some()),
        _ => None,
    };
    let driven: Vec<&Joint> = file.joints.iter().filter(|j| servo(j).is_some()).collect();
    let joint = (!driven.is_empty()).then(|| driven[draw.below(driven.len())])?;
    let is_servo = servo(&joint)?;
    let x = draw.range(-1.0, 1.0);
    let (target, rate) = if is_servo { (x, 0.0) } else { (0.0, 2.0 * x) };
    joint.name().map(|name| Change::Command { joint: name.to_owned(), target, rate })
}

fn add_force(draw: &mut Draw, file: &SceneFile, _: usize) -> Option<Change> {
    let force = neat(draw.log(0.1, 1e4) * draw.direction());
    any_body(draw, file).map(|body| Change::AddForce { body, force })
}

fn remove_force(_: &mut Draw, _: &SceneFile, _: usize) -> Option<Change> {
    Some(Change::RemoveForce)
}

fn velocity(draw: &mut Draw, file: &SceneFile, _: usize) -> Option<Change> {
    let [linear, angular] = [draw.direction() * draw.range(0.0, 2.0), draw.direction() * draw.range(0.0, 4.0)];
    any_body(draw, file).map(|body| Change::Velocity { body, linear: neat(linear), angular: neat(angular) })
}
