//! The candidates of a step: bounded rows that could act within it, sorted by stable ids, and the clusters they make of the islands.

use super::{Measured, coupled, measure, reeved, speed as speeds, spread, twisted, unwind};
use crate::contact::{Contact, Share};
use crate::delassus::Row;
use crate::desk::bounded::{Candidate, Candidates, Cluster, Origin};
use crate::desk::inputs::Inputs;
use crate::joints::{Bound, BoundSpec, Freedom, Softness};
use crate::kin::Kin;
use crate::plan::Plan;
use crate::rows::Rows;
use crate::rows::{inverse_mass_form, law, theta};
use crate::solve::bounded::Block;
use crate::stabilise::aligned::linear_row;
use crate::state::State;
use crate::topology::{BoundRow, NONE, Topology, unit_speed};
use crate::tuning::T;
use glam::DVec3;

/// Collects the candidates with their warm impulses.
pub(crate) fn gather(t: &Topology, plan: &Plan, state: &State, h: f64, inputs: &mut Inputs) {
    let Inputs {
        kin,
        hk,
        contacts,
        shares,
        contact_force,
        rows,
        coupled,
        reeved: spans,
        paths,
        implicit,
        twisted: twists,
        legs,
        wind,
        inertia,
        rhs,
        candidates: out,
        ..
    } = inputs;
    out.list.clear();
    out.rows.clear();
    if plan.sweeps().is_some() {
        super::all_rows::gather(t, (h, plan.gravity), hk, rows, out);
    }
    let now = Now { t, kin, hk, wind, h, gravity: plan.gravity };
    for k in 0..t.bounds.len() {
        joint_row(&now, state, k, rows, out);
    }
    for k in 0..t.couplings.len() {
        coupled::gather(&now, k, coupled, rows, out);
    }
    reeved::gather(&now, (spans, paths, implicit), rows, out);
    // Rows of a rope with friction stand beside each other: these come after.
    for k in 0..t.segments.len() {
        reeved::hold_full(&now, k, spans, out);
    }
    for (k, at) in spans.iter().enumerate() {
        reeved::keep_apart(&now, k, at, out);
    }
    twisted::gather(&now, (spans, twists, legs), rows, out);
    speeds::bodies(&now, (inertia, rhs), out);
    for (k, (c, &force)) in contacts.iter().zip(contact_force.iter()).enumerate() {
        contact_rows(&now, k, (c, shares), force, out);
    }
    cluster(t, out);
}

/// What candidates are made from: the layout, the bodies, the kick intervals and the step, s.
#[derive(Clone, Copy)]
pub(super) struct Now<'a> {
    pub t: &'a Topology,
    pub kin: &'a [Kin],
    pub hk: &'a [f64],
    /// Whole turns of the freedoms that are counted, rad.
    pub wind: &'a [f64],
    pub h: f64,
    pub gravity: DVec3,
}

/// The block or blocks of one bounded row of a joint.
fn joint_row(now: &Now<'_>, state: &State, k: usize, rows: &mut Rows, out: &mut Candidates) {
    let Now { t, kin, hk, h, .. } = *now;
    let b = &t.bounds[k];
    let (i, j) = (kin[b.i].side(), kin[b.j].side());
    let m = measure(&b.spec, &i, &j);
    let turns = (b.turn != NONE).then(|| now.wind[b.turn]);
    let base = base_row(now, b, &m);
    let hk = hk_of(t, hk, base.near());
    let lambda = rows.lambda[t.row_count + k];
    rows.phi[t.row_count + k] = m.q + turns.unwrap_or(0.0);
    match b.spec.bound {
        Bound::Limit { lower, upper, soft, restitution } => {
            let q = turns.map_or_else(|| unwind(&b.spec, m.q), |turns| m.q + turns);
            let rate = speed(kin, base.near()) + base.drive;
            let (sigma, gamma) =
                law(soft.compliance, soft.damping, soft_theta(now, base.near(), soft, rows.keeps_energy), h);
            let before = out.list.len();
            for (is_upper, limit) in [(false, lower), (true, upper)] {
                let (phi, sign) = (q - limit, if is_upper { -1.0 } else { 1.0 });
                if limit.is_infinite() || !(lambda * sign > 0.0 || near(&b.spec, limit, sign * phi, rate, h)) {
                    continue;
                }
                let (lo, hi) = if lower == upper {
                    (f64::NEG_INFINITY, f64::INFINITY)
                } else if is_upper {
                    (f64::NEG_INFINITY, 0.0)
                } else {
                    (0.0, f64::INFINITY)
                };
                // What a rope has been passed by is removed from the positions alone (`push`): by a velocity it would throw a load that
                // has snapped it taut. What it was made shorter by since the last step is hauled in by a velocity, as a rod is.
                let closes = soft.compliance > 0.0 || lower == upper || b.spec.freedom.is_angle();
                let rigid = soft.compliance == 0.0 && lower != upper;
                let inherited = rigid && b.spec.freedom.is_angle() && -sign * phi > T.push.inherited;
                let hauled = b.spec.reach().map_or(0.0, |reach| (state.reach[b.state_row] - reach).max(0.0));
                let apart = if closes && !inherited { phi } else { sign * (sign * phi).max(-hauled) };
                let row =
                    Row { sigma: sigma * h / hk, b: -gamma * apart / h, phi, z: (hk * lambda).clamp(lo, hi), ..base };
                push(out, Origin::Joint { bound: k, upper: is_upper }, Block::Box { lo, hi }, restitution, row);
                if lower == upper {
                    break;
                }
            }
            if out.list.len() == before {
                rows.lambda[t.row_count + k] = 0.0;
            }
        }
        Bound::Speed { lower, upper } => speeds::joint(k, (lower, upper), base, hk * lambda, out),
        Bound::Motor { law: gains, min, max } => {
            // A motor that was told nothing does nothing.
            let Some(c) = &state.commands[b.command] else {
                rows.lambda[t.row_count + k] = 0.0;
                return;
            };
            let (sigma, gamma) = law(gains.compliance, gains.damping, 1.0, h);
            let freedom = b.spec.freedom;
            let target = freedom.position(freedom.measure(freedom.unwound(c.target, m.q, turns)));
            let aim = gamma * (target - m.q) / h + (1.0 - gamma) * c.rate;
            let (lo, hi) = (hk * min, hk * max);
            let row = Row { sigma: sigma * h / hk, b: aim, z: (hk * lambda).clamp(lo, hi), ..base };
            let law = Block::Box { lo, hi };
            push(out, Origin::Joint { bound: k, upper: false }, law, 0.0, row);
        }
        Bound::Friction { max, per_load } => {
            let most = hk * (max + per_load * load(t, b, &rows.jac, &rows.lambda));
            let row = Row { z: (hk * lambda).clamp(-most, most), ..base };
            push(out, Origin::Joint { bound: k, upper: false }, Block::Box { lo: -most, hi: most }, 0.0, row);
        }
    }
}

/// How implicit a compliant limit, rope or coupling must be; by backward Euler with the published stabilisers.
pub(super) fn soft_theta<'a>(
    now: &Now<'_>,
    sides: impl Iterator<Item = (usize, &'a [f64; 6])>,
    soft: Softness,
    keeps_energy: bool,
) -> f64 {
    let Now { t, kin, h, .. } = *now;
    if soft.compliance == 0.0 || soft.compliance.is_infinite() || !keeps_energy {
        return 1.0;
    }
    let mobility = |(n, jac): (usize, &[f64; 6])| {
        let node = &t.nodes[n];
        inverse_mass_form(node.mass, t.local_inertia[n].inverse(), kin[n].rot, &jac[..node.dim])
    };
    theta(T.candidates.crowd * h * h * sides.map(mobility).sum::<f64>() / soft.compliance)
}

/// Whether a limit `gap` away (negative when passed) could be met in this step, whatever else happens in it.
fn near(spec: &BoundSpec, limit: f64, gap: f64, rate: f64, h: f64) -> bool {
    let scale = if spec.freedom.is_angle() { T.candidates.angle } else { T.candidates.length * limit.abs() };
    gap < T.candidates.steps * h * rate.abs() + scale
}

/// The force that the joint of a bounded row carries, N.
pub(crate) fn load(t: &Topology, b: &BoundRow, jac: &[f64], lambda: &[f64]) -> f64 {
    if b.group == NONE {
        return 0.0;
    }
    let g = &t.groups[b.group];
    (0..g.rows()).map(|r| lambda[g.row() + r] * linear_row(t, g, jac, r)).sum::<DVec3>().length()
}

fn base_row(now: &Now<'_>, b: &BoundRow, m: &Measured) -> Row {
    let mut row = Row { ji: m.ji, jj: m.jj, ..Row::default() };
    for (dense, jac, side) in [(b.i, &m.ji, &mut row.i), (b.j, &m.jj, &mut row.j)] {
        if now.t.is_node(dense) {
            *side = dense;
        } else {
            row.drive += jac.iter().zip(now.kin[dense].twist()).map(|(a, v)| a * v).sum::<f64>();
        }
    }
    // Particles may have no size, but there is a length between them.
    let length = if b.spec.freedom == Freedom::Length { m.q } else { 0.0 };
    row.unit = if b.spec.freedom.is_angle() { 1.0 } else { unit(now.t, now.gravity, nodes(&row), length) };
    row
}

/// The velocity that counts as one for a row that measures a length, m/s; `length` is for bodies without a size.
pub(super) fn unit(t: &Topology, gravity: DVec3, nodes: impl Iterator<Item = usize>, length: f64) -> f64 {
    let speed = unit_speed(gravity, size(t, nodes, length));
    if speed > 0.0 { speed } else { 1.0 }
}

/// The size of the smallest body that has one, m; else `length`.
pub(crate) fn size(t: &Topology, nodes: impl Iterator<Item = usize>, length: f64) -> f64 {
    let sizes = nodes.map(|n| t.nodes[n].size).filter(|&s| s > 0.0);
    let size = sizes.fold(f64::INFINITY, f64::min);
    if size.is_finite() { size } else { length }
}

/// The nodes of a row on two of them at most.
pub(super) fn nodes(row: &Row) -> impl Iterator<Item = usize> {
    row.near().map(|(n, _)| n)
}

/// J v of the nodes of a row, before the step.
#[inline]
pub(crate) fn speed<'a>(kin: &[Kin], sides: impl Iterator<Item = (usize, &'a [f64; 6])>) -> f64 {
    sides.map(|(n, j)| j.iter().zip(kin[n].twist()).map(|(a, v)| a * v).sum::<f64>()).sum()
}

/// Kick interval of a row, s.
#[inline]
pub(crate) fn hk_of<'a>(t: &Topology, hk: &[f64], sides: impl Iterator<Item = (usize, &'a [f64; 6])>) -> f64 {
    sides.map(|(n, _)| hk[t.nodes[n].island]).fold(0.0, f64::max)
}

fn push(out: &mut Candidates, origin: Origin, law: Block, restitution: f64, row: Row) {
    out.rows.push(row);
    list(out, origin, law, restitution, out.rows.len() - 1);
}

/// Makes a candidate of the rows from this one on.
pub(super) fn list(out: &mut Candidates, origin: Origin, law: Block, restitution: f64, row: usize) {
    out.list.push(Candidate { origin, law, row, restitution, active: false, cluster: NONE });
}

/// The three rows of a contact.
fn contact_rows(now: &Now<'_>, k: usize, (c, shares): (&Contact, &[Share]), force: DVec3, out: &mut Candidates) {
    let h = now.h;
    let first = out.rows.len();
    let directions = [c.normal, c.tangents[0], c.tangents[1]];
    if c.shares == [None; 2] {
        let arms = arms(now, c);
        directions.into_iter().for_each(|d| out.rows.push(contact_row(now, &arms, d)));
    } else {
        directions.into_iter().for_each(|d| spread::push(now, (c, shares), d, out));
    }
    if out.rows[first].i == NONE && out.rows[first].j == NONE {
        out.rows.truncate(first);
        return;
    }
    // All three act on the same nodes.
    let hk = hk_of(now.t, now.hk, out.rows.sides(first));
    let unit = unit(now.t, now.gravity, out.rows.sides(first).map(|s| s.0), 0.0);
    let (sigma, gamma) = law(c.compliance, c.damping, 1.0, h);
    for (row, d) in out.rows[first..].iter_mut().zip(directions) {
        row.unit = unit;
        row.z = hk * force.dot(d);
        row.b = c.surface_velocity.dot(d);
    }
    let normal = &mut out.rows[first];
    normal.sigma = sigma * h / hk;
    normal.phi = c.distance;
    // Penetration of rigid shapes is removed from the positions alone (`push`), never by a velocity.
    let apart = if c.compliance > 0.0 { c.distance } else { c.distance.max(0.0) };
    normal.b = -gamma * apart / h;
    list(out, Origin::Contact(k), Block::Contact { mu: c.friction }, c.restitution, first);
}

/// A side of a contact: its body among the dense, and the arm from there to the point that both sides share, m.
type Arm = Option<(usize, DVec3)>;

/// The sides of a contact. The impulse acts at a point that both share: it then keeps the angular momentum of the two exactly.
/// Surfaces that will meet only within the step are still apart, so it is the surface point of the lighter body, or near it: its
/// lever arm matters most.
fn arms(now: &Now<'_>, c: &Contact) -> [Arm; 2] {
    let Now { t, kin, .. } = *now;
    let dense = [c.bodies.0, c.bodies.1].map(|slot| t.dense_of[slot]);
    let [i, j] = dense.map(|n| if n != NONE && t.is_node(n) { 1.0 / t.nodes[n].mass } else { 0.0 });
    let point = if i + j > 0.0 { (i * c.point_i + j * c.point_j) / (i + j) } else { c.point_i };
    // A body that sleeps is not laid out: it stands still.
    dense.map(|n| (n != NONE).then(|| (n, point - kin[n].pos)))
}

/// The velocity of i against j along d.
fn contact_row(now: &Now<'_>, arms: &[Arm; 2], d: DVec3) -> Row {
    let Now { t, kin, .. } = *now;
    let mut row = Row::default();
    for (arm, sign, first) in [(arms[0], 1.0, true), (arms[1], -1.0, false)] {
        let Some((n, arm)) = arm else { continue };
        let turn = arm.cross(d);
        let mut jac = [d.x, d.y, d.z, turn.x, turn.y, turn.z].map(|x| sign * x);
        if !t.is_node(n) {
            row.drive += jac.iter().zip(kin[n].twist()).map(|(a, v)| a * v).sum::<f64>();
            continue;
        }
        if t.nodes[n].dim == 3 {
            jac[3..].fill(0.0);
        }
        if first {
            (row.i, row.ji) = (n, jac);
        } else {
            (row.j, row.jj) = (n, jac);
        }
    }
    row
}

/// Joins islands that share a candidate, and sorts the candidates by cluster; inside a cluster they keep the order of their ids.
fn cluster(t: &Topology, out: &mut Candidates) {
    let root_of = &mut out.cluster_of;
    root_of.clear();
    root_of.extend(0..t.islands.len());
    for c in &out.list {
        let mut sides = out.rows.sides(c.row).map(|(n, _)| t.nodes[n].island);
        let Some(first) = sides.next() else { continue };
        for other in sides {
            let (a, b) = (find(root_of, first), find(root_of, other));
            root_of[a.max(b)] = a.min(b);
        }
    }
    for k in 0..root_of.len() {
        root_of[k] = find(root_of, k);
    }
    for c in &mut out.list {
        let island = out.rows.sides(c.row).next().map(|(n, _)| t.nodes[n].island);
        c.cluster = island.map_or(NONE, |k| root_of[k]);
    }
    out.list.sort_unstable_by_key(|c| (c.cluster, c.row));
    // Clusters are numbered by their first island; memory of the lists is kept.
    let mut count = 0;
    let mut first = 0;
    while first < out.list.len() {
        let root = out.list[first].cluster;
        let end = first + out.list[first..].partition_point(|c| c.cluster == root);
        if out.clusters.len() == count {
            out.clusters.push(Cluster::default());
        }
        let c = &mut out.clusters[count];
        c.candidates = first..end;
        c.islands.clear();
        out.list[first..end].iter_mut().for_each(|c| c.cluster = count);
        count += 1;
        first = end;
    }
    out.cluster_count = count;
    number_islands(t, out);
}

/// Islands of each cluster; `cluster_of` becomes the cluster of each island, or NONE.
fn number_islands(t: &Topology, out: &mut Candidates) {
    // The first island of a cluster is its root, and holds the number of the cluster while the others are read.
    let Candidates { list, rows, clusters, cluster_of, number, .. } = out;
    number.clear();
    number.resize(t.islands.len(), NONE);
    for c in list.iter() {
        if let Some((n, _)) = rows.sides(c.row).next() {
            number[cluster_of[t.nodes[n].island]] = c.cluster;
        }
    }
    for k in 0..t.islands.len() {
        let cluster = number[cluster_of[k]];
        cluster_of[k] = cluster;
        if cluster != NONE {
            clusters[cluster].islands.push(k);
        }
    }
}

fn find(root: &mut [usize], mut k: usize) -> usize {
    while root[k] != k {
        root[k] = root[root[k]];
        k = root[k];
    }
    k
}
