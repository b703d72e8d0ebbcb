//! The report of a step as JSON.

use serde_json::{Value, json};
use taut::{Event, StepReport, World};
use taut_draw::Drawing;
use taut_scenes::Judgement;

/// Numbers of a step and how it was judged.
pub(crate) fn json(r: &StepReport, judged: &Judgement, world: &World, drawing: &Drawing) -> Value {
    let l = &r.ledger;
    let joint = r.max_gap_joint.and_then(|id| drawing.joint_number(id));
    json!({
        "time": r.time,
        "kinetic": r.energy.kinetic, "gravity": r.energy.gravity, "elastic": r.energy.elastic,
        "total": r.energy.total(),
        "ledger": {
            "change": l.change, "work": l.work, "damping": l.damping, "stabiliser": l.stabiliser,
            "constraints": l.constraints, "contacts": l.contacts, "broken": l.broken,
            "elements": l.elements, "plastic": l.plastic,
            "integration": l.integration, "imbalance": l.imbalance,
        },
        "maxGap": r.max_gap.max(r.bounded.overrun), "maxGapJoint": joint, "sumGap": r.sum_gap + r.bounded.overrun_sum,
        "solves": r.solves, "iterations": r.iterations + r.bounded.iterations, "rightHandSides": r.right_hand_sides,
        "contacts": r.bounded.contacts, "penetration": r.bounded.penetration, "residual": r.residual,
        "rise": judged.rise, "opening": judged.opening, "fault": judged.fault,
        "islands": r.islands, "sleeping": world.sleeping(), "path": r.path.name(),
        "events": r.events.iter().map(|e| event(e, world)).collect::<Vec<_>>(),
    })
}

/// What happened, in words.
fn event(e: &Event, world: &World) -> String {
    let name = |id| world.collider(id).map(|c| c.name.to_owned()).unwrap_or_default();
    let pair = |(a, b)| [a, b].map(name).map(|n| if n.is_empty() { "a collider".into() } else { n });
    let joint = |id| world.joint(id).map(|j| if j.name().is_empty() { j.kind() } else { j.name() }).unwrap_or_default();
    let rope = |id| match world.rope(id) {
        Ok(r) if !r.name().is_empty() => r.name().to_owned(),
        _ => "a rope".into(),
    };
    let led_by = |id: Option<_>| match id.map(name) {
        None => "a guide".into(),
        Some(n) if n.is_empty() => "a collider".into(),
        Some(n) => n,
    };
    match e {
        Event::ContactBegan { colliders, impulse } => {
            let [a, b] = pair(*colliders);
            format!("{a} hit {b} with {:.3} N s", impulse.length())
        }
        Event::ContactEnded { colliders } => {
            let [a, b] = pair(*colliders);
            format!("{a} left {b}")
        }
        Event::SensorBegan { colliders } => {
            let [a, b] = pair(*colliders);
            format!("{a} and {b} overlap")
        }
        Event::SensorEnded { colliders } => {
            let [a, b] = pair(*colliders);
            format!("{a} and {b} no longer overlap")
        }
        Event::LimitReached { joint: id, upper, .. } => {
            format!("{}: {} limit reached", joint(*id), if *upper { "upper" } else { "lower" })
        }
        Event::JointBroken { force, torque, .. } => format!("a joint broke under {force:.3} N, {torque:.3} N m"),
        Event::GuideTouched { rope: id, collider, .. } => format!("{} came to {}", rope(*id), led_by(*collider)),
        Event::GuideLeft { rope: id, collider, .. } => format!("{} left {}", rope(*id), led_by(*collider)),
        Event::DrumEmpty { rope: id, .. } => format!("{} has run off its drum", rope(*id)),
        Event::DrumFull { rope: id, .. } => format!("the drum of {} is full", rope(*id)),
        Event::GripBoarded { rope: id, guide, .. } => format!("grip {guide} of {} has come to a sheave", rope(*id)),
        Event::GripLeft { rope: id, guide, .. } => format!("grip {guide} of {} has left its sheave", rope(*id)),
        Event::TwoBlocked { rope: id, .. } => format!("{} is hauled in as far as it goes", rope(*id)),
        other => format!("{other:?}"),
    }
}
