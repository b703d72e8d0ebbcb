//! With which speeds the rows of a cluster part after the impacts of a step.
//!
//! Impacts follow each other in rounds, the fastest first. With u the speeds of the rows and A those that approach about as fast as the
//! fastest does,
//! ```text
//! 0 <= y  _|_  W_AA y + (1 + e) u_A >= 0,     u += W_A y         until no row approaches
//! ```
//! so a box that lands flat rebounds flat, and a row of balls in touch hands the blow on (Newton's cradle), which one round over all
//! rows cannot. Slow rows do not rebound: they stop.

use super::large::Aimed;
use crate::delassus::velocity;
use crate::solve::bounded::sparse::SparseParams;
use crate::solve::bounded::{self as solver, Block, Params, Problem};
use crate::tuning::T;
use crate::workspace::Workspace;
use crate::workspace::bounded::Impact;
use crate::workspace::inputs::Given;

/// A normal that pushes.
const PUSH: Block = Block::Box { lo: 0.0, hi: f64::INFINITY };

impl Impact {
    /// Whether it approaches with so much speed that it rebounds.
    pub fn is_fast(&self) -> bool {
        -self.u > T.impact.slow.max(2.0 * self.kick.abs())
    }

    /// The stored speed with which it parts.
    pub fn parting(&self) -> f64 {
        if self.meets { self.u - 0.5 * self.kick } else { self.u }
    }
}

/// Runs the rounds on `bounded.impact`.
pub(super) fn rounds(t: &Given<'_>, islands: &[usize], ws: &mut Workspace) {
    let fastest = |ws: &Workspace| ws.bounded.impact.iter().filter(|i| i.takes_part).map(|i| -i.u).fold(0.0, f64::max);
    let still = T.impact.still * fastest(ws);
    for _ in 0..T.impact.rounds {
        let most = fastest(ws);
        if !(most > still) {
            break;
        }
        meet(ws, T.impact.together * most);
        if ws.bounded.is_large { sparse(t, islands, ws) } else { dense(ws) }
    }
}

/// Lists the rows that approach faster than `least`, with (1 + e) u, in `approaching`.
fn meet(ws: &mut Workspace, least: f64) {
    let b = &mut ws.bounded;
    b.approaching.clear();
    for (at, i) in b.impact.iter_mut().enumerate().filter(|(_, i)| i.takes_part && -i.u > least) {
        let e = if i.is_fast() { i.e } else { 0.0 };
        i.rebounds |= e > 0.0;
        b.approaching.push((at, (1.0 + e) * i.u));
    }
}

/// One round by W.
fn dense(ws: &mut Workspace) {
    let b = &mut ws.bounded;
    let (n, all) = (b.approaching.len(), b.active.len());
    b.push_w.clear();
    for &(at, _) in &b.approaching {
        let sign = b.impact[at].sign;
        b.push_w.extend(b.approaching.iter().map(|&(to, _)| sign * b.impact[to].sign * b.w[at * all + to]));
    }
    b.blocks_push.clear();
    b.blocks_push.resize(n, PUSH);
    b.q.clear();
    b.q.extend(b.approaching.iter().map(|&(_, u)| u));
    b.z.clear();
    b.z.resize(n, 0.0);
    let problem = Problem { w: &b.push_w, q: &b.q, blocks: &b.blocks_push };
    solver::solve(&problem, &Params::default(), &mut b.z, &mut b.work);
    for (&(at, _), &z) in b.approaching.iter().zip(&b.z) {
        let z = z * b.impact[at].sign;
        for (i, w) in b.impact.iter_mut().zip(&b.w[at * all..(at + 1) * all]) {
            i.u += i.sign * w * z;
        }
    }
}

/// One round without W, from the matrices that `large` holds.
fn sparse(t: &Given<'_>, islands: &[usize], ws: &mut Workspace) {
    let (mut large, mut x) = (std::mem::take(&mut ws.bounded.large), std::mem::take(&mut ws.bounded.push));
    x.resize(t.pattern.size(), 0.0);
    large.set_aside();
    large.begin(t, islands);
    let b = &mut ws.bounded;
    for &(at, u) in &b.approaching {
        let (row, sign) = (b.active[at], b.impact[at].sign);
        let law = if sign > 0.0 { PUSH } else { Block::Box { lo: f64::NEG_INFINITY, hi: 0.0 } };
        large.add(t, b, law, std::iter::once(Aimed { row, c: -sign * u, z: 0.0, sigma: b.rows[row].sigma }));
    }
    large.solve(t, islands, &SparseParams::default(), &mut x);
    for (i, &r) in b.impact.iter_mut().zip(&b.active) {
        i.u += i.sign * velocity(t, &b.rows[r], &x);
    }
    for (&(at, _), &z) in b.approaching.iter().zip(large.impulses()) {
        b.impact[at].u += b.impact[at].sign * b.rows[b.active[at]].sigma * z;
    }
    large.set_aside();
    (b.large, b.push) = (large, x);
}
