//! What ties links beyond their tree, into joints and couplings of a scene file.

use crate::assemble::{Assembly, SLIDE, TURN, unique};
use crate::model::{JointKind, Tie, TieKind};
use crate::report::{Error, Result};
use std::collections::BTreeSet;
use taut_scenes::file::quantity::{Number, Quantity};
use taut_scenes::file::{
    self, Ball, BodyPair, Coupling, FreedomSum, Kind, Limit, LimitOf, Mimic, Pair, Role, Soft, Term, Tied, Weld,
};

/// Ties of the model.
pub fn ties(a: &mut Assembly<'_>) -> Result<()> {
    let mut taken = BTreeSet::new();
    for tie in &a.model.ties {
        match &tie.kind {
            TieKind::Connect { links, point } => {
                let at = a.poses[links[0]].to_world(*point);
                let kind =
                    Kind::Ball(Ball { point: Some(at.into()), axis: None, linear: Default::default(), motor: None });
                held(a, tie, *links, kind);
            }
            TieKind::Weld { links } => {
                let at = a.centers[a.owners[links[0]]];
                let (linear, angular) = Default::default();
                held(a, tie, *links, Kind::Weld(Weld { point: Some(at.into()), axis: None, linear, angular }));
            }
            TieKind::Lock { joint } => {
                let Some((kind, at)) = single(a, joint, tie)? else { continue };
                a.file.joints[at].limits.push(match kind {
                    JointKind::Hinge => Limit::Angle(between(TURN, [0.0; 2])),
                    _ => Limit::Length(between(SLIDE, [0.0; 2])),
                });
            }
            TieKind::Mimic { leader, follower, ratio, .. } => {
                let (Some((_, l)), Some((_, f))) = (single(a, leader, tie)?, single(a, follower, tie)?) else {
                    continue;
                };
                let name = tie.name.as_ref().map(|n| unique(n, &mut taken));
                let joint = |k: usize| a.file.joints[k].name.clone().unwrap_or_default();
                a.file.couplings.push(Coupling::Mimic(Mimic {
                    name,
                    leader: joint(l),
                    follower: joint(f),
                    ratio: Some((*ratio).into()),
                    offset: None,
                    give: Soft::default(),
                }));
            }
            TieKind::Range { terms, range } => {
                let (own, now) = sum(a, terms, tie)?;
                bounded(a, tie, own, range.map(|end| end - now), &mut taken);
            }
            TieKind::Sum { terms, rest, stiffness, damping } => {
                let (own, now) = sum(a, terms, tie)?;
                if !(2..=4).contains(&own.len()) {
                    a.report
                        .warn(&tie.place, "fixed tendons of fewer than two or more than four joints are not supported");
                    continue;
                }
                let give = if *stiffness > 0.0 || *damping > 0.0 {
                    let damping = (*damping > 0.0).then(|| (*damping).into());
                    Soft { compliance: None, stiffness: Some((*stiffness).into()), damping }
                } else {
                    Soft::<Tied>::default()
                };
                // The sum counts from the start.
                let offset: Option<Number<_>> = rest.map(|rest| (rest - now).into());
                let name = tie.name.as_ref().map(|n| unique(n, &mut taken));
                a.file.couplings.push(Coupling::Sum(FreedomSum { name, terms: own, offset, give }));
            }
        }
    }
    Ok(())
}

/// The terms of a sum of joints, and what it is at the start as the file counts.
fn sum(a: &mut Assembly<'_>, terms: &[(String, f64)], tie: &Tie) -> Result<(Vec<Term>, f64)> {
    let mut own = Vec::new();
    let mut now = 0.0;
    for (name, ratio) in terms {
        let Some((_, at)) = single(a, name, tie)? else { continue };
        now += ratio * a.single(name).map_or(0.0, |(j, _)| j.start);
        let joint = a.file.joints[at].name.clone().unwrap_or_default();
        own.push(Term { joint, freedom: None, index: None, ratio: (*ratio).into() });
    }
    Ok((own, now))
}

/// Keeps a sum of joints between two bounds that count from the start: by a limit of the joint where there is only one, else by those of a
/// light slider that moves as far as the sum.
fn bounded(a: &mut Assembly<'_>, tie: &Tie, mut terms: Vec<Term>, [low, high]: [f64; 2], taken: &mut BTreeSet<String>) {
    let place = |a: &Assembly<'_>, name: &str| a.file.joints.iter().position(|j| j.name.as_deref() == Some(name));
    if low > 0.0 || high < 0.0 {
        a.report
            .warn(&tie.place, "a fixed tendon that is outside of its 'range' at the start is bounded by where it is");
    }
    let (low, high) = (low.min(0.0), high.max(0.0));
    if let [term] = terms.as_slice()
        && let Some(at) = place(a, &term.joint)
    {
        let [x, y] = [low, high].map(|end| end / term.ratio.value);
        let joint = &mut a.file.joints[at];
        joint.limits.push(match joint.kind {
            Kind::Hinge(_) => Limit::Angle(between(TURN, [x.min(y), x.max(y)])),
            _ => Limit::Length(between(SLIDE, [x.min(y), x.max(y)])),
        });
        return;
    }
    if !(2..=3).contains(&terms.len()) {
        a.report.warn(&tie.place, "'range' of a fixed tendon of more than three joints is not supported");
        return;
    }
    let felt = terms.iter().filter_map(|t| Some(a.inertia(place(a, &t.joint)?)? / (t.ratio.value * t.ratio.value)));
    let least = felt.fold(f64::INFINITY, f64::min);
    let name = tie.name.clone().unwrap_or_else(|| "tendon".into());
    let Some(joint) = a.slider(&name, least, Limit::Length(between(SLIDE, [low, high]))) else {
        a.report.warn(&tie.place, "'range' of a fixed tendon of joints without inertia is not supported");
        return;
    };
    terms.push(Term { joint, freedom: None, index: None, ratio: (-1.0).into() });
    let name = Some(unique(&name, taken));
    a.file.couplings.push(Coupling::Sum(FreedomSum { name, terms, offset: None, give: Soft::default() }));
}

/// A limit by its two ends.
fn between<Q: Quantity>(freedom: file::Freedom, [low, high]: [f64; 2]) -> LimitOf<Q> {
    LimitOf { lower: Some(low.into()), upper: Some(high.into()), ..LimitOf::on(freedom) }
}

/// The place of a hinge or slide in the list of joints; none, with a warning, where the tie is switched off or speaks of another joint.
fn single(a: &mut Assembly<'_>, name: &str, tie: &Tie) -> Result<Option<(JointKind, usize)>> {
    if !tie.active {
        a.report.warn(&tie.place, "constraints between joints that are not active are left out");
        return Ok(None);
    }
    let known = a.knows(name);
    match a.single(name) {
        Some((j, at)) => Ok(Some((j.kind, at))),
        None if known => {
            a.report.warn(&tie.place, "constraints of joints that are neither hinges nor slides are not supported");
            Ok(None)
        }
        None => Err(Error::input(&tie.place, "joint", format!("'{name}'"), "the name of a joint")),
    }
}

/// A joint that closes a loop.
fn held(a: &mut Assembly<'_>, tie: &Tie, links: [usize; 2], kind: Kind) {
    let owners = links.map(|k| a.owners[k]);
    let still = |k: usize| k == 0 || a.model.links[k].kinematic;
    if owners[0] == owners[1] || owners.iter().all(|&k| still(k)) {
        a.report.warn(&tie.place, "a constraint between bodies that do not move against each other is left out");
        return;
    }
    let names = owners.map(|k| a.names[k].clone());
    let mut joint = file::Joint::new(kind, names.clone());
    joint.name = tie.name.as_ref().map(|n| a.unused_joint(n));
    joint.role = Role::Loop;
    joint.enabled = tie.active;
    a.file.joints.push(joint);
    // Bodies that share a joint pass through each other; these do not for that.
    if a.model.contacts && owners.iter().all(|&k| a.touches(k)) && a.model.own_contacts {
        a.file.pairs.push(Pair::Bodies(BodyPair { bodies: names, meet: true }));
    }
}
