//! With which speeds the rows of a cluster part after the impacts of a step.
//!
//! Impacts follow each other in rounds, the fastest first. With u the speeds of the rows and A those that approach about as fast as the
//! fastest does,
//! ```text
//! 0 <= y  _|_  W_AA y + (1 + e) u_A >= 0,     u += W_A y         until no row approaches
//! ```
//! so a box that lands flat rebounds flat, and a row of balls in touch hands the blow on (Newton's cradle), which one round over all
//! rows cannot. Slow rows do not rebound: they stop. Couplings hold all the while: W is then what they leave of it.

use super::large::Aimed;
use crate::delassus::{RowList, velocity};
use crate::desk::bounded::{Active, Bounce, Bounded, Delassus, Impact, Large};
use crate::desk::inputs::Given;
use crate::solve::bounded::sparse::SparseParams;
use crate::solve::bounded::{self as solver, Block, Params, Problem};
use crate::tuning::T;

/// A normal that pushes.
const PUSH: Block = Block::Box { lo: 0.0, hi: f64::INFINITY };

impl Impact {
    /// Whether it approaches with so much speed that it rebounds.
    pub fn is_fast(&self) -> bool {
        -self.u > (T.impact.slow * self.unit).max(2.0 * self.kick.abs())
    }

    /// The stored speed with which it parts.
    pub fn parting(&self) -> f64 {
        if self.meets { self.u - 0.5 * self.kick } else { self.u }
    }
}

/// Runs the rounds on the impacts of the active rows.
pub(super) fn rounds(t: &Given<'_>, islands: &[usize], b: &mut Bounded) {
    let Bounded { set, active, delassus, large, bounce, .. } = b;
    let still = T.impact.still * fastest(&bounce.impact);
    for _ in 0..T.impact.rounds {
        let most = fastest(&bounce.impact);
        if !(most > still) {
            break;
        }
        meet(bounce, T.impact.together * most);
        if active.is_large { sparse(t, islands, &set.rows, active, large, bounce) } else { dense(delassus, bounce) }
    }
}

/// The fastest approach, in the units of the rows.
fn fastest(impact: &[Impact]) -> f64 {
    impact.iter().filter(|i| i.takes_part).map(|i| -i.u / i.unit).fold(0.0, f64::max)
}

/// Lists the rows that approach faster than `least`, with (1 + e) u, in `approaching`.
fn meet(b: &mut Bounce, least: f64) {
    b.approaching.clear();
    for (at, i) in b.impact.iter_mut().enumerate().filter(|(_, i)| i.takes_part && -i.u / i.unit > least) {
        let e = if i.is_fast() { i.e } else { 0.0 };
        i.rebounds |= e > 0.0;
        b.approaching.push((at, (1.0 + e) * i.u));
    }
}

/// One round by W.
fn dense(d: &mut Delassus, b: &mut Bounce) {
    let (n, all) = (b.approaching.len(), b.impact.len());
    let whole = if b.w.is_empty() { &d.w } else { &b.w };
    d.part.clear();
    for &(at, _) in &b.approaching {
        let sign = b.impact[at].sign;
        d.part.extend(b.approaching.iter().map(|&(to, _)| sign * b.impact[to].sign * whole[at * all + to]));
    }
    d.blocks.clear();
    d.blocks.resize(n, PUSH);
    d.q.clear();
    d.q.extend(b.approaching.iter().map(|&(_, u)| u));
    d.unit.clear();
    d.unit.extend(b.approaching.iter().map(|&(at, _)| b.impact[at].unit));
    d.z.clear();
    d.z.resize(n, 0.0);
    let problem = Problem { w: &d.part, q: &d.q, blocks: &d.blocks, unit: &d.unit };
    solver::solve(&problem, &Params::default(), &mut d.z, &mut d.work);
    for (&(at, _), &z) in b.approaching.iter().zip(&d.z) {
        let z = z * b.impact[at].sign;
        for (i, w) in b.impact.iter_mut().zip(&whole[at * all..(at + 1) * all]) {
            i.u += i.sign * w * z;
        }
    }
}

/// One round without W, from the matrices that `large` holds.
fn sparse(t: &Given<'_>, islands: &[usize], rows: &RowList, active: &Active, large: &mut Large, b: &mut Bounce) {
    let Bounce { impact, approaching, round, .. } = b;
    round.resize(t.pattern.size(), 0.0);
    large.set_aside();
    large.begin();
    for &(at, u) in approaching.iter() {
        let (row, sign) = (active.rows[at], impact[at].sign);
        let law = if sign > 0.0 { PUSH } else { Block::Box { lo: f64::NEG_INFINITY, hi: 0.0 } };
        large.add(t, rows, law, std::iter::once(Aimed { row, c: -sign * u, z: 0.0, sigma: rows[row].sigma }));
    }
    large.solve(t, islands, &SparseParams::default(), round);
    for (i, &r) in impact.iter_mut().zip(&active.rows) {
        i.u += i.sign * velocity(t, rows.sides(r), round);
    }
    for (&(at, _), &z) in approaching.iter().zip(large.impulses()) {
        impact[at].u += impact[at].sign * rows[active.rows[at]].sigma * z;
    }
    large.set_aside();
}
