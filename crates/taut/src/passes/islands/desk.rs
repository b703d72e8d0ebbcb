//! What is copied to the desk of a thread before an island is solved there, and back after it. Everything else on a desk is written by
//! the solve before it is read; a test fills desks with NaN to see that.

use crate::delassus::Row;
use crate::solve::bounded::Block;
use crate::topology::{Island, NONE, Source, Topology};
use crate::workspace::Workspace;
use crate::workspace::bounded::{Bounded, Candidate, Cluster, Origin, Tally};
use std::ops::Range;

/// Copies a part of an array.
fn part<T: Copy>(from: &[T], to: &mut [T], range: Range<usize>) {
    to[range.clone()].copy_from_slice(&from[range]);
}

/// Rows of the blocks of an island.
fn rows(t: &Topology, island: &Island) -> Range<usize> {
    match (t.groups[island.groups.clone()].first(), t.groups[island.groups.clone()].last()) {
        (Some(a), Some(b)) => a.row()..b.row() + b.rows(),
        _ => 0..0,
    }
}

/// Their Jacobians: laid out one after the other.
fn jacobians(t: &Topology, island: &Island) -> Range<usize> {
    let (mut start, mut end) = (NONE, 0);
    for g in &t.groups[island.groups.clone()] {
        for (b, at) in [(g.i(), g.jac_i()), (g.j(), g.jac_j())] {
            if at != NONE {
                (start, end) = (start.min(at), end.max(at + g.rows() * t.nodes[b].dim));
            }
        }
    }
    if start == NONE { 0..0 } else { start..end }
}

/// Rows with bounds that act along a line of an island, in the row arrays.
fn lines<'a>(t: &'a Topology, island: &Island) -> impl Iterator<Item = usize> + 'a {
    let row = |s: Source| if let Source::Row(row) = s { Some(row) } else { None };
    t.links[island.links.clone()].iter().filter_map(move |l| row(l.source)).filter(|&r| r >= t.row_count)
}

/// Every field has its place here: a new one does not compile until someone has decided whether it is copied.
#[rustfmt::skip]
fn placed(w: &Workspace) {
    let Workspace {
        // To the desk, and some of them back.
        regime: _, redundant: _, stalled: _, rows: _, bounded: _, rhs: _, check_residual: _, ldlt: _, posed: _,
        probed: _, kicked: _,
        // Back.
        added: _, memory: _, element: _, share: _, x: _, probe: _, phi_next: _, kick: _,
        kin_next: _, snap: _, snapped: _,
        // Of other stages, or of stabilisers and solvers that never come here.
        records: _, profile: _, desks: _, forest: _, damp_diag: _, geo: _, dense: _, minres: _,
        loops: _,
        // Of the solve alone: written before they are read.
        added_next: _, predicted: _, element_kept: _, turning: _, element_next: _, scales: _, base: _, keep_base: _, panels: _,
        residual: _, saved: _, weight: _, body_weight: _, correction: _, kick_before: _,
        projector: _, saved_kin: _,
    } = w;
    let Bounded {
        // To the desk and back.
        candidates: _, rows: _, clusters: _, cluster_count: _, acting: _, bounced: _, pushed: _, tally: _,
        // Back.
        bounce: _, free: _,
        // Of other stages.
        cluster_of: _, number: _,
        // Of the solve alone.
        active: _, w: _, q: _, z: _, blocks: _, work: _, mobility: _, large: _,
        is_large: _, last: _, wanted: _, wanted_before: _, before: _, impact: _, moment: _, touching: _,
        approaching: _, push_w: _, blocks_push: _, push: _, shift: _, turned: _, phi_base: _, jac: _,
    } = &w.bounded;
}

/// What all islands read, once in a step.
pub(super) fn begin(t: &Topology, from: &Workspace, desk: &mut Workspace) {
    placed(from);
    if cfg!(test) {
        poison(desk);
    }
    let others = t.nodes.len()..t.slot_of.len();
    part(&from.kin_next, &mut desk.kin_next, others);
    desk.check_residual = from.check_residual;
    desk.posed.fill(false);
    desk.snapped.fill(false);
    let (a, b) = (&from.bounded, &mut desk.bounded);
    let law = Block::Box { lo: 0.0, hi: 0.0 };
    let origin = Origin::Contact(NONE);
    let nobody = Candidate { origin, law, row: NONE, restitution: 0.0, active: false, cluster: NONE };
    b.candidates.resize(a.candidates.len().max(b.candidates.len()), nobody);
    b.rows.resize(a.rows.len().max(b.rows.len()), Row::default());
    for flags in [&mut b.acting, &mut b.bounced, &mut b.pushed] {
        flags.resize(t.islands.len(), false);
    }
    b.tally = Tally::default();
}

/// What the stages before have written about an island.
pub(super) fn copy(t: &Topology, k: usize, from: &Workspace, desk: &mut Workspace) {
    let island = &t.islands[k];
    (desk.regime[k], desk.redundant[k]) = (from.regime[k], from.redundant[k]);
    let (a, b, own) = (&from.rows, &mut desk.rows, rows(t, island));
    part(&a.phi, &mut b.phi, own.clone());
    part(&a.sigma, &mut b.sigma, own.clone());
    part(&a.rigid, &mut b.rigid, own.clone());
    part(&a.stall, &mut b.stall, own.clone());
    part(&a.gamma, &mut b.gamma, own.clone());
    part(&a.drive, &mut b.drive, own.clone());
    part(&a.lambda, &mut b.lambda, own.clone());
    part(&a.jac, &mut b.jac, jacobians(t, island));
    part(&a.arms, &mut b.arms, island.groups.clone());
    if !a.wanted.is_empty() {
        part(&a.wanted, &mut b.wanted, own.clone());
    }
    for row in lines(t, island) {
        b.phi[row] = a.phi[row];
        b.lambda[row] = a.lambda[row];
        b.lambda_next[row] = a.lambda_next[row];
    }
    part(&from.rhs, &mut desk.rhs, island.x.clone());
    if t.signs.has_loops {
        part(&from.ldlt.reference, &mut desk.ldlt.reference, island.x.clone());
        part(&from.ldlt.dropped, &mut desk.ldlt.dropped, island.x.clone());
    }
    (desk.posed[k], desk.probed[k], desk.kicked[k], desk.stalled[k]) = (false, false, false, false);
    (desk.bounded.acting[k], desk.bounded.bounced[k], desk.bounded.pushed[k]) = (false, false, false);
}

/// The candidates of a cluster; on a desk there is one cluster, number 0.
pub(super) fn cluster(t: &Topology, c: usize, from: &Workspace, desk: &mut Workspace) {
    let (a, b) = (&from.bounded, &mut desk.bounded);
    let Cluster { islands, candidates } = &a.clusters[c];
    b.clusters.resize(1, Cluster::default());
    b.clusters[0].islands.clone_from(islands);
    b.clusters[0].candidates = candidates.clone();
    part(&a.candidates, &mut b.candidates, a.clusters[c].candidates.clone());
    for one in &a.candidates[a.clusters[c].candidates.clone()] {
        part(&a.rows, &mut b.rows, one.rows());
        if let Origin::Joint { bound, .. } = one.origin {
            let row = t.row_count + bound;
            desk.rows.lambda[row] = from.rows.lambda[row];
            desk.rows.lambda_next[row] = from.rows.lambda_next[row];
        }
    }
}

/// What the stages after read about an island.
pub(super) fn copy_back(t: &Topology, k: usize, desk: &Workspace, to: &mut Workspace) {
    let island = &t.islands[k];
    let nodes = island.nodes.clone();
    part(&desk.x, &mut to.x, island.x.clone());
    part(&desk.kin_next, &mut to.kin_next, nodes.clone());
    part(&desk.added, &mut to.added, nodes.clone());
    part(&desk.memory, &mut to.memory, island.x.clone());
    part(&desk.element, &mut to.element, island.links.clone());
    let own = rows(t, island);
    part(&desk.phi_next, &mut to.phi_next, own.clone());
    part(&desk.rows.sigma, &mut to.rows.sigma, own.clone());
    part(&desk.rows.stall, &mut to.rows.stall, own.clone());
    part(&desk.rows.lambda_next, &mut to.rows.lambda_next, own);
    to.stalled[k] = desk.stalled[k];
    (to.regime[k], to.share[k]) = (desk.regime[k], desk.share[k]);
    (to.posed[k], to.probed[k], to.kicked[k]) = (desk.posed[k], desk.probed[k], desk.kicked[k]);
    if desk.probed[k] {
        part(&desk.probe, &mut to.probe, island.x.clone());
    }
    if desk.kicked[k] {
        part(&desk.kick, &mut to.kick, nodes);
    }
    to.snapped[k] = desk.snapped[k];
    if desk.snapped[k] {
        to.snap.resize(t.pattern.size(), 0.0);
        part(&desk.snap, &mut to.snap, island.x.clone());
    }
    if t.signs.has_loops {
        part(&desk.ldlt.dropped, &mut to.ldlt.dropped, island.x.clone());
        part(&desk.ldlt.tree, &mut to.ldlt.tree, island.x.clone());
    }
    to.bounded.acting[k] = desk.bounded.acting[k];
    to.bounded.bounced[k] = desk.bounded.bounced[k];
    if desk.bounded.bounced[k] {
        to.bounded.bounce.resize(t.pattern.size(), 0.0);
        part(&desk.bounded.bounce, &mut to.bounded.bounce, island.x.clone());
        to.bounded.free.resize(t.pattern.size(), 0.0);
        part(&desk.bounded.free, &mut to.bounded.free, island.x.clone());
    }
}

/// The bounded rows of a cluster.
pub(super) fn cluster_back(t: &Topology, c: usize, desk: &Workspace, to: &mut Workspace) {
    let range = to.bounded.clusters[c].candidates.clone();
    part(&desk.bounded.candidates, &mut to.bounded.candidates, range.clone());
    for one in &desk.bounded.candidates[range] {
        part(&desk.bounded.rows, &mut to.bounded.rows, one.rows());
        if let Origin::Joint { bound, .. } = one.origin {
            to.rows.lambda_next[t.row_count + bound] = desk.rows.lambda_next[t.row_count + bound];
        }
    }
}

/// Fills a desk with NaN in the tests of this crate: what a solve reads of it must have been copied or written before.
fn poison(desk: &mut Workspace) {
    use glam::{DMat3, DQuat, DVec3};
    let kin =
        crate::kin::Kin { pos: DVec3::NAN, quat: DQuat::NAN, rot: DMat3::NAN, vel: DVec3::NAN, omega: DVec3::NAN };
    desk.kin_next.fill(kin);
    desk.rows.arms.fill((DVec3::NAN, DVec3::NAN));
    for m in [&mut desk.added, &mut desk.added_next] {
        m.fill(DMat3::NAN);
    }
    let vectors = [&mut desk.predicted, &mut desk.turning, &mut desk.correction, &mut desk.kick, &mut desk.kick_before];
    vectors.into_iter().for_each(|v| v.fill(DVec3::NAN));
    let r = &mut desk.rows;
    let rows = [&mut r.phi, &mut r.sigma, &mut r.gamma, &mut r.drive, &mut r.lambda, &mut r.lambda_next, &mut r.curve];
    rows.into_iter().for_each(|v| v.fill(f64::NAN));
    let values = [
        &mut r.jac,
        &mut r.wanted,
        &mut desk.share,
        &mut desk.element,
        &mut desk.element_next,
        &mut desk.element_kept,
        &mut desk.rhs,
        &mut desk.memory,
        &mut desk.x,
        &mut desk.residual,
        &mut desk.saved,
        &mut desk.probe,
        &mut desk.phi_next,
        &mut desk.weight,
        &mut desk.body_weight,
        &mut desk.ldlt.diag,
        &mut desk.ldlt.off,
        &mut desk.bounded.free,
        &mut desk.bounded.bounce,
        &mut desk.bounded.push,
    ];
    values.into_iter().for_each(|v| v.fill(f64::NAN));
}
