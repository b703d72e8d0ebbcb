//! Cords over guides: what MuJoCo calls spatial tendons, as ropes of a scene file.
//!
//! A cord with pulleys is the sum of branches, each over a divisor. So many times the divisors' common multiple it is one rope that runs along
//! each branch as often as its share says, as in a block and tackle, where one branch begins on the body on which another one ends.

use crate::assemble::{Assembly, unique};
use crate::model::{Cord, Stop};
use crate::report::Result;
use std::collections::BTreeSet;
use taut::Vec3;
use taut_scenes::file::{self, BodyPair, Guide, Kind, LinearSoft, Load, Pair, Range, Reeved, Rope, Sheave, Spring};

/// Largest common multiple of the divisors of a cord.
const MOST_PARTS: usize = 12;

/// Most branches that a rope runs along.
const MOST_BRANCHES: usize = 24;

/// What a rope passes, at the start and in the world.
#[derive(Clone)]
enum At {
    Point(usize, Vec3),
    Round(Circle),
}

/// A circle that a rope is led round, in one sense.
#[derive(Clone)]
struct Circle {
    owner: usize,
    centre: Vec3,
    /// About which it turns by the right hand.
    axis: Vec3,
    radius: f64,
    sheave: String,
    forward: bool,
}

/// A rope in the making.
struct Way {
    at: Vec<At>,
    /// How many times as long as the cord it is, but for what does not change.
    parts: f64,
    /// Its length, and what of it lies on one body between branches, m.
    length: f64,
    fixed: f64,
}

/// Cords of the model.
pub fn cords(a: &mut Assembly<'_>) -> Result<()> {
    let mut taken = BTreeSet::new();
    for cord in &a.model.cords {
        let mut branches = Vec::new();
        for branch in &cord.branches {
            let at = placed(a, cord, &branch.stops, &mut taken);
            branches.push((branch.divisor, at));
        }
        let Some(way) = joined(a, cord, branches) else { continue };
        let owners = || way.at.iter().map(At::owner);
        if way.at.len() < 2 || owners().all(|k| Some(k) == owners().next()) || !(way.length > 0.0) {
            a.report.warn(&cord.place, "a tendon between points that do not move against each other is left out");
            continue;
        }
        spring(a, cord, &way);
        if let Some(longest) = cord.longest {
            rope(a, cord, &way, longest, None);
        }
    }
    // Sheaves of tendons that are no ropes.
    let used: BTreeSet<String> =
        a.file.ropes.iter().flat_map(|r| &r.path).filter_map(|g| g.about.clone().or(g.against.clone())).collect();
    a.file.sheaves.retain(|s| used.contains(&s.name));
    Ok(())
}

impl At {
    fn owner(&self) -> usize {
        match self {
            At::Point(owner, _) => *owner,
            At::Round(c) => c.owner,
        }
    }

    fn point(&self) -> Option<Vec3> {
        match self {
            At::Point(_, p) => Some(*p),
            At::Round(_) => None,
        }
    }
}

/// The stops of a branch in the world, with a sheave for each geom that it is led round.
fn placed(a: &mut Assembly<'_>, cord: &Cord, stops: &[Stop], taken: &mut BTreeSet<String>) -> Vec<At> {
    let mut out = Vec::new();
    for (k, stop) in stops.iter().enumerate() {
        let world = |a: &Assembly<'_>, (link, p): (usize, Vec3)| a.poses[link].to_world(p);
        match stop {
            Stop::Point(p) => out.push(At::Point(a.owners[p.0], world(a, *p))),
            Stop::Round(round) => {
                let beside = |k: Option<usize>| match k.and_then(|k| stops.get(k)) {
                    Some(Stop::Point(p)) => Some(world(a, *p)),
                    _ => None,
                };
                let (Some(from), Some(to)) = (beside(k.checked_sub(1)), beside(Some(k + 1))) else { continue };
                let mut centre = world(a, (round.link, round.centre));
                let side = round.side.map(|s| world(a, s) - centre);
                let past = "the tendon goes straight past it";
                let why = if side.is_some_and(|s| s.length() < round.radius) {
                    Some("a tendon inside of a geom is not supported")
                } else if [from, to]
                    .iter()
                    .any(|p| near(*p - centre, round.axis.map(|z| a.poses[round.link].rot * z)) <= round.radius)
                {
                    Some("a tendon whose site is within the geom at the start is not led round it")
                } else {
                    None
                };
                if let Some(why) = why {
                    a.report.warn(&round.place, format!("{why}: {past}"));
                    continue;
                }
                let plain = (from - centre).cross(to - centre).try_normalize();
                let axis = match round.axis {
                    Some(z) => {
                        let z = a.poses[round.link].rot * z;
                        let [low, high] = [from, to].map(|p| (p - centre).dot(z));
                        centre += 0.5 * (low + high) * z;
                        if (high - low).abs() > 1e-9 * (round.radius + (to - from).length()) {
                            a.report.warn(
                                &round.place,
                                "a tendon that runs along a cylinder as well as round it is led round a circle between its sites, and not along a helix",
                            );
                        }
                        z
                    }
                    None => {
                        a.report.warn(
                            &round.place,
                            "a sphere of a tendon is a sheave across the plane in which the tendon lies at the start",
                        );
                        plain.unwrap_or_else(|| (to - from).any_orthonormal_vector())
                    }
                };
                // The near side, unless a point on the other one is given.
                let turn = (from - centre).cross(to - centre).dot(axis);
                let mut forward = turn >= 0.0;
                if let Some(side) = side {
                    let middle =
                        |forward: bool| tangents(from - centre, to - centre, signed(axis, forward), round.radius);
                    forward = middle(true).dot(side) >= middle(false).dot(side);
                }
                let sheave = unique(&round.name, taken);
                a.file.sheaves.push(Sheave {
                    name: sheave.clone(),
                    body: a.names[a.owners[round.link]].clone(),
                    point: Some(centre.into()),
                    axis: axis.into(),
                    radius: round.radius.into(),
                    no_slip: false,
                    efficiency: None,
                    friction: None,
                    keeper: Some(false),
                    rope_diameter: None,
                    wraps: None,
                    stored: None,
                    capacity: None,
                    ratios: None,
                });
                let owner = a.owners[round.link];
                out.push(At::Round(Circle { owner, centre, axis, radius: round.radius, sheave, forward }));
            }
        }
    }
    if out.len() < 2 {
        a.report.warn(&cord.place, "a branch of a tendon with fewer than two sites is left out");
        out.clear();
    }
    out
}

/// Distance from a centre, or from an axis through it.
fn near(arm: Vec3, axis: Option<Vec3>) -> f64 {
    axis.map_or(arm, |z| arm - arm.dot(z) * z).length()
}

fn signed(axis: Vec3, forward: bool) -> Vec3 {
    if forward { axis } else { -axis }
}

/// Direction of the middle of the points where a rope would touch a circle that it turns round by the right hand.
fn tangents(from: Vec3, to: Vec3, axis: Vec3, radius: f64) -> Vec3 {
    let touch = |p: Vec3, by: f64| {
        let flat = p - p.dot(axis) * axis;
        let angle = by * libm::acos((radius / flat.length()).min(1.0));
        let (sin, cos) = libm::sincos(angle);
        (flat * cos + axis.cross(flat) * sin).normalize_or_zero()
    };
    touch(from, 1.0) + touch(to, -1.0)
}

/// Length of a rope from one point to another that a circle may be in the way of.
fn around(from: Vec3, to: Vec3, c: &Circle) -> f64 {
    let axis = signed(c.axis, c.forward);
    let (p, q) = (from - c.centre, to - c.centre);
    let [up, uq] = [p, q].map(|v| v.dot(axis));
    let [fp, fq] = [p - up * axis, q - uq * axis];
    let [dp, dq] = [fp, fq].map(Vec3::length);
    let turn = libm::atan2(fp.cross(fq).dot(axis), fp.dot(fq));
    let turn = if turn < 0.0 { turn + std::f64::consts::TAU } else { turn };
    let wrap = turn - [dp, dq].iter().map(|d| libm::acos((c.radius / d).min(1.0))).sum::<f64>();
    if wrap <= 0.0 {
        return (to - from).length();
    }
    let leg = |d: f64, u: f64| (d * d - c.radius * c.radius + u * u).max(0.0).sqrt();
    leg(dp, up) + c.radius * wrap + leg(dq, uq)
}

/// Length of a way.
fn length(at: &[At]) -> f64 {
    let piece = |k: usize| match &at[k..] {
        [At::Point(_, p), At::Point(_, q), ..] => (*q - *p).length(),
        [At::Point(_, p), At::Round(c), At::Point(_, q), ..] => around(*p, *q, c),
        _ => 0.0,
    };
    (0..at.len()).map(piece).sum()
}

/// One way along all branches, each as often as its share; none, with a warning, where there is no such way.
fn joined(a: &mut Assembly<'_>, cord: &Cord, branches: Vec<(f64, Vec<At>)>) -> Option<Way> {
    let branches: Vec<_> = branches.into_iter().filter(|(_, at)| !at.is_empty()).collect();
    let share = |parts: usize, divisor: f64| {
        let times = parts as f64 / divisor;
        ((times - times.round()).abs() < 1e-9 && times >= 0.5).then_some(times.round() as usize)
    };
    let fit = (1..=MOST_PARTS).find_map(|parts| {
        let times: Option<Vec<usize>> = branches.iter().map(|(d, _)| share(parts, *d)).collect();
        Some((parts, times?)).filter(|(_, times)| times.iter().sum::<usize>() <= MOST_BRANCHES)
    });
    let Some((parts, times)) = fit else {
        let message = format!(
            "a tendon whose <pulley> divisors have no common multiple up to {MOST_PARTS} is not supported, and left out"
        );
        a.report.warn(&cord.place, message);
        return None;
    };
    let mut edges = Vec::new();
    for (k, times) in times.iter().enumerate() {
        let at = &branches[k].1;
        let ends = [at[0].owner(), at[at.len() - 1].owner()];
        edges.extend(std::iter::repeat_n((k, ends), *times));
    }
    let Some(trail) = trail(&edges.iter().map(|(_, ends)| *ends).collect::<Vec<_>>()) else {
        a.report.warn(
            &cord.place,
            "a tendon with <pulley> whose branches do not follow each other on bodies they share is no rope, and left out",
        );
        return None;
    };
    let (mut at, mut fixed) = (Vec::<At>::new(), 0.0);
    for (edge, forward) in trail {
        let mut piece = branches[edges[edge].0].1.clone();
        if !forward {
            piece.reverse();
            for stop in &mut piece {
                if let At::Round(c) = stop {
                    c.forward = !c.forward;
                }
            }
        }
        if let (Some(p), Some(q)) = (at.last().and_then(At::point), piece[0].point()) {
            let gap = (q - p).length();
            fixed += gap;
            if gap == 0.0 {
                piece.remove(0);
            }
        }
        at.extend(piece);
    }
    let length = length(&at);
    Some(Way { at, parts: parts as f64, length, fixed })
}

/// A way along all edges of a graph, each once (Hierholzer), with whether it goes along them as they are given.
fn trail(edges: &[[usize; 2]]) -> Option<Vec<(usize, bool)>> {
    let degree = |n: usize| edges.iter().flatten().filter(|m| **m == n).count();
    let odd: BTreeSet<usize> = edges.iter().flatten().copied().filter(|&n| degree(n) % 2 == 1).collect();
    if odd.len() > 2 {
        return None;
    }
    // The first branch goes first where it can.
    let begin = edges.iter().flatten().copied().find(|n| odd.is_empty() || odd.contains(n))?;
    let mut free = vec![true; edges.len()];
    let mut stack: Vec<(usize, Option<(usize, bool)>)> = vec![(begin, None)];
    let mut out = Vec::new();
    while let Some(&(n, by)) = stack.last() {
        let next = (0..edges.len()).find(|&k| free[k] && edges[k].contains(&n));
        match next {
            Some(k) => {
                free[k] = false;
                let forward = edges[k][0] == n;
                stack.push((edges[k][usize::from(forward)], Some((k, forward))));
            }
            None => {
                out.extend(by);
                stack.pop();
            }
        }
    }
    out.reverse();
    (out.len() == edges.len()).then_some(out)
}

/// The spring of a cord.
fn spring(a: &mut Assembly<'_>, cord: &Cord, way: &Way) {
    if cord.stiffness == 0.0 && cord.damping == 0.0 {
        return;
    }
    let [low, high] = cord.rest.unwrap_or([(way.length - way.fixed) / way.parts; 2]);
    let pulls = low == 0.0 && high > 0.0;
    match way.at.as_slice() {
        [At::Point(j, p), At::Point(k, q)] if !pulls => a.file.forces.push(Load::Spring(Spring {
            name: Some(cord.name.clone()),
            bodies: [a.names[*j].clone(), a.names[*k].clone()],
            points: Some([(*p).into(), (*q).into()]),
            local_points: None,
            stiffness: cord.stiffness.into(),
            damping: cord.damping.into(),
            rest_length: Some(high.into()),
        })),
        _ if pulls && cord.stiffness > 0.0 => {
            if cord.damping > 0.0 {
                a.report.warn(&cord.place, "the damping of a tendon that only pulls is not supported");
            }
            rope(a, cord, way, high, Some(cord.stiffness));
        }
        _ => a.report.warn(&cord.place, "the spring of a tendon over more than two sites is not supported"),
    }
}

/// A rope that is so long at most.
fn rope(a: &mut Assembly<'_>, cord: &Cord, way: &Way, longest: f64, stiffness: Option<f64>) {
    let most = longest * way.parts + way.fixed;
    if most < way.length {
        a.report.warn(&cord.place, "a tendon that is longer at the start than its 'range' is as long as it is");
    }
    let most = most.max(way.length);
    let shortest = cord.shortest.filter(|low| *low > 0.0 && stiffness.is_none());
    let stiffness = stiffness.map(|k| k / (way.parts * way.parts));
    if shortest.is_some() && way.at.len() > 2 {
        let message = "the lower limit of a tendon over more than two sites is not supported: a rope only pulls";
        a.report.warn(&cord.place, message);
    }
    if let [At::Point(j, p), At::Point(k, q)] = way.at.as_slice() {
        let linear = LinearSoft { stiffness: stiffness.map(Into::into), ..LinearSoft::default() };
        let points = Some([(*p).into(), (*q).into()]);
        let kind = match shortest {
            Some(low) => {
                if low > way.length {
                    let message = "a tendon that is shorter at the start than its 'range' is bounded by where it is";
                    a.report.warn(&cord.place, message);
                }
                let shortest = low.min(way.length).into();
                Kind::Range(Range { points, shortest, longest: most.into(), linear, restitution: 0.0.into() })
            }
            None => Kind::Rope(Rope { points, length: Some(most.into()), linear, restitution: 0.0.into() }),
        };
        let bodies = [a.names[*j].clone(), a.names[*k].clone()];
        let mut joint = file::Joint::new(kind, bodies.clone());
        joint.name = Some(a.unused_joint(&cord.name));
        a.file.joints.push(joint);
        if a.model.contacts && a.model.own_contacts && a.touches(*j) && a.touches(*k) {
            a.file.pairs.push(Pair::Bodies(BodyPair { bodies, meet: true }));
        }
        return;
    }
    let guide = |at: &At| match at {
        At::Point(k, p) => Guide { body: Some(a.names[*k].clone()), point: Some((*p).into()), ..Guide::default() },
        At::Round(c) => {
            let name = Some(c.sheave.clone());
            if c.forward {
                Guide { about: name, ..Guide::default() }
            } else {
                Guide { against: name, ..Guide::default() }
            }
        }
    };
    a.file.ropes.push(Reeved {
        name: Some(cord.name.clone()),
        path: way.at.iter().map(guide).collect(),
        slack: Some((most - way.length).into()),
        stiffness: stiffness.map(|k| (k * most).into()),
        collides: Some(false),
        ..Reeved::default()
    });
}
