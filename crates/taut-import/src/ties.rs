//! What ties links beyond their tree, and cords, into joints, couplings, springs and ropes of a scene file.

use crate::assemble::{Assembly, unique};
use crate::model::{Cord, JointKind, Tie, TieKind};
use crate::report::{Error, Result};
use std::collections::BTreeSet;
use taut::Vec3;
use taut_scenes::file::quantity::{Number, Quantity};
use taut_scenes::file::{
    self, Ball, BodyPair, Coupling, FreedomSum, Guide, Kind, Limit, LimitOf, LinearSoft, Load, Mimic, Pair, Reeved,
    Role, Rope, Soft, Spring, Term, Tied, Weld,
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
                let [turn, slide] = [taut::Freedom::Turn, taut::Freedom::Slide].map(file::Freedom::Of);
                a.file.joints[at].limits.push(match kind {
                    JointKind::Hinge => Limit::Angle(shut(turn)),
                    _ => Limit::Length(shut(slide)),
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
            TieKind::Sum { terms, rest, stiffness, damping } => {
                let mut own = Vec::new();
                let mut now = 0.0;
                for (name, ratio) in terms {
                    let Some((_, at)) = single(a, name, tie)? else { continue };
                    now += ratio * a.single(name).map_or(0.0, |(j, _)| j.start);
                    let joint = a.file.joints[at].name.clone().unwrap_or_default();
                    own.push(Term { joint, freedom: None, index: None, ratio: (*ratio).into() });
                }
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

/// A limit that leaves nothing.
fn shut<Q: Quantity>(freedom: file::Freedom) -> LimitOf<Q> {
    LimitOf { lower: Some(0.0.into()), upper: Some(0.0.into()), ..LimitOf::on(freedom) }
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

/// Cords of the model.
pub fn cords(a: &mut Assembly<'_>) -> Result<()> {
    for cord in &a.model.cords {
        let at: Vec<(usize, Vec3)> = cord.path.iter().map(|&(k, p)| (a.owners[k], a.poses[k].to_world(p))).collect();
        let length: f64 = at.windows(2).map(|w| (w[1].1 - w[0].1).length()).sum();
        if at.len() < 2 || at.iter().all(|(k, _)| *k == at[0].0) || !(length > 0.0) {
            a.report.warn(&cord.place, "a tendon between points that do not move against each other is left out");
            continue;
        }
        spring(a, cord, &at, length);
        if let Some(longest) = cord.longest {
            rope(a, cord, &at, length, longest, None);
        }
    }
    Ok(())
}

/// The spring of a cord.
fn spring(a: &mut Assembly<'_>, cord: &Cord, at: &[(usize, Vec3)], length: f64) {
    if cord.stiffness == 0.0 && cord.damping == 0.0 {
        return;
    }
    let [low, high] = cord.rest.unwrap_or([length; 2]);
    let pulls = low == 0.0 && high > 0.0;
    match at {
        [p, q] if !pulls => a.file.forces.push(Load::Spring(Spring {
            name: Some(cord.name.clone()),
            bodies: [a.names[p.0].clone(), a.names[q.0].clone()],
            points: Some([p.1.into(), q.1.into()]),
            local_points: None,
            stiffness: cord.stiffness.into(),
            damping: cord.damping.into(),
            rest_length: Some(high.into()),
        })),
        _ if pulls && cord.stiffness > 0.0 => rope(a, cord, at, length, high, Some(cord.stiffness)),
        _ => a.report.warn(&cord.place, "the spring of a tendon over more than two sites is not supported"),
    }
}

/// A rope that is so long at most.
fn rope(a: &mut Assembly<'_>, cord: &Cord, at: &[(usize, Vec3)], length: f64, longest: f64, stiffness: Option<f64>) {
    if longest < length {
        a.report.warn(&cord.place, "a tendon that is longer at the start than its 'range' is as long as it is");
    }
    let longest = longest.max(length);
    if let [p, q] = at {
        let linear = LinearSoft { stiffness: stiffness.map(Into::into), ..LinearSoft::default() };
        let points = Some([p.1.into(), q.1.into()]);
        let kind = Kind::Rope(Rope { points, length: Some(longest.into()), linear, restitution: 0.0.into() });
        let mut joint = file::Joint::new(kind, [a.names[p.0].clone(), a.names[q.0].clone()]);
        joint.name = Some(a.unused_joint(&cord.name));
        a.file.joints.push(joint);
        if a.model.contacts && a.model.own_contacts && a.touches(p.0) && a.touches(q.0) {
            let bodies = [a.names[p.0].clone(), a.names[q.0].clone()];
            a.file.pairs.push(Pair::Bodies(BodyPair { bodies, meet: true }));
        }
        return;
    }
    let path = at
        .iter()
        .map(|(k, p)| Guide { body: Some(a.names[*k].clone()), point: Some((*p).into()), ..Guide::default() })
        .collect();
    a.file.ropes.push(Reeved {
        name: Some(cord.name.clone()),
        path,
        slack: Some((longest - length).into()),
        stiffness: stiffness.map(|k| (k * longest).into()),
        collides: Some(false),
        ..Reeved::default()
    });
}
