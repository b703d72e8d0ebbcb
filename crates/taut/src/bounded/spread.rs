//! Rows of contacts on deformables: every node takes its weight of the velocity, and so does every body that carries it.

use super::gather::Now;
use crate::contact::{Contact, Share};
use crate::delassus::Row;
use crate::desk::bounded::Candidates;
use crate::topology::NONE;
use glam::DVec3;

/// Adds the velocity of i against j along d. A side on a body takes it at the point of the middle surface of the other, so that the
/// impulse keeps the angular momentum of the two.
pub(super) fn push(now: &Now<'_>, (c, shares): (&Contact, &[Share]), d: DVec3, out: &mut Candidates) {
    let of = |side: Option<(u32, u32)>| side.map(|(first, end)| &shares[first as usize..end as usize]);
    let sides = [of(c.shares[0]), of(c.shares[1])];
    let middle = |s: &[Share]| s.iter().map(|s| s.weight * s.point).sum::<DVec3>();
    let point = sides[0].or(sides[1]).map_or(c.point_i, middle);
    let mut drive = 0.0;
    out.acted.clear();
    for (side, body, sign) in [(sides[0], c.bodies.0, 1.0), (sides[1], c.bodies.1, -1.0)] {
        let whole = [Share { body, point, weight: 1.0 }];
        for s in side.unwrap_or(&whole) {
            drive += add(now, s, sign * d, &mut out.acted);
        }
    }
    out.rows.push_on(&out.acted, Row { drive, ..Row::default() });
}

/// Adds a share of the row along d; the velocity by a body without unknowns, m/s.
fn add(now: &Now<'_>, s: &Share, d: DVec3, out: &mut Vec<crate::delassus::Acted>) -> f64 {
    let dense = now.t.dense_of[s.body];
    // A body that sleeps is not laid out: it stands still.
    if dense == NONE {
        return 0.0;
    }
    let kin = &now.kin[dense];
    let turn = (s.point - kin.pos).cross(d);
    act(now, dense, [d.x, d.y, d.z, turn.x, turn.y, turn.z].map(|x| s.weight * x), out)
}

/// Adds what a row has on a dense body; the velocity by a body without unknowns, m/s.
pub(super) fn act(now: &Now<'_>, dense: usize, mut jac: [f64; 6], out: &mut Vec<crate::delassus::Acted>) -> f64 {
    if !now.t.is_node(dense) {
        return jac.iter().zip(now.kin[dense].twist()).map(|(a, v)| a * v).sum();
    }
    if now.t.nodes[dense].dim == 3 {
        jac[3..].fill(0.0);
    }
    match out.iter_mut().find(|a| a.0 == dense) {
        Some((_, sum)) => sum.iter_mut().zip(jac).for_each(|(a, b)| *a += b),
        None => out.push((dense, jac)),
    }
    0.0
}
