//! Bounds of speed as candidates: of freedoms of joints (`joints::speed`), and of bodies.
//!
//! The velocity of a body stays in a cube of half width `most` with a face across the way it goes, so that a body that keeps its
//! direction goes at exactly `most`, and one that turns by an angle a within a step at no more than most/cos a.

use super::gather::{Now, list, nodes, unit};
use crate::delassus::Row;
use crate::desk::bounded::{Candidates, Origin};
use crate::math::so3::complete;
use crate::math::vec3;
use crate::solve::bounded::Block;
use glam::{DMat3, DVec3};

/// Only pushes towards higher, or lower values.
const UP: Block = Block::Box { lo: 0.0, hi: f64::INFINITY };
const DOWN: Block = Block::Box { lo: f64::NEG_INFINITY, hi: 0.0 };

/// The rows of a bound of a joint's freedom, from the row that measures its rate, with the impulse that it had.
pub(super) fn joint(bound: usize, (lower, upper): (f64, f64), base: Row, impulse: f64, out: &mut Candidates) {
    if lower == upper {
        let law = Block::Box { lo: f64::NEG_INFINITY, hi: f64::INFINITY };
        push(out, Origin::Joint { bound, upper: true }, law, Row { b: upper, z: impulse, ..base });
        return;
    }
    if upper.is_finite() {
        let row = Row { b: upper, z: impulse.min(0.0), ..base };
        push(out, Origin::Joint { bound, upper: true }, DOWN, row);
    }
    if lower.is_finite() {
        let row = Row { b: lower, z: impulse.max(0.0), ..base };
        push(out, Origin::Joint { bound, upper: false }, UP, row);
    }
}

fn push(out: &mut Candidates, origin: Origin, law: Block, row: Row) {
    out.rows.push(row);
    list(out, origin, law, 0.0, out.rows.len() - 1);
}

/// The rows of bodies with a top speed; `rhs` are their momenta with what acts on them.
pub(super) fn bodies(now: &Now<'_>, (inertia, rhs): (&[DMat3], &[f64]), out: &mut Candidates) {
    for (n, node) in now.t.nodes.iter().enumerate() {
        let [linear, angular] = node.top;
        if linear.is_finite() {
            let aim = vec3(rhs, node.x) / node.mass;
            cube(now, n, (now.kin[n].vel, aim), (linear, 0), out);
        }
        if angular.is_finite() && node.dim == 6 {
            let aim = inertia[n].inverse() * vec3(rhs, node.x + 3);
            cube(now, n, (now.kin[n].omega, aim), (angular, 3), out);
        }
    }
}

/// The faces of the cube of one body: its velocity, and the one that it would have by itself.
fn cube(now: &Now<'_>, n: usize, (velocity, alone): (DVec3, DVec3), (most, first): (f64, usize), out: &mut Candidates) {
    // One that is slow goes where it is driven.
    let way = if 2.0 * velocity.length() > most { velocity } else { alone };
    let Some(d) = way.try_normalize() else { return };
    let (e, f) = complete(d);
    for axis in [d, e, f] {
        let mut row = Row { i: n, ..Row::default() };
        row.ji[first..first + 3].copy_from_slice(&axis.to_array());
        row.unit = if first == 3 { 1.0 } else { unit(now.t, now.gravity, nodes(&row), 0.0) };
        push(out, Origin::Speed { node: n }, DOWN, Row { b: most, ..row });
        push(out, Origin::Speed { node: n }, UP, Row { b: -most, ..row });
    }
}
