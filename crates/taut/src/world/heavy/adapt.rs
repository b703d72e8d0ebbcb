//! Adaptive ropes: as many nodes as the sag of the rope needs.
//!
//! A straight piece of length s under a tension T that weighs w a metre across it is shorter than the rope by (w s/T)^2/24 of its length. Asked for
//! 1e-4, the rope wants n = 20 w s/T pieces. A piece that wants one and a half is divided; two that want two thirds of two are put together.
//! Tensions are those of the last ten steps.
//!
//! From the feed node on a piece is at most twice as long as the one above it: half of a long piece in a node on a short span would swing there.
//!
//! Where pieces are put together, or divided at the sag that the tension says, the rods fit the poses as they are: their lengths go to those of the
//! rope within the next ten steps, so that the tension does not jump. Masses are those of linear interpolation: linear momentum is kept.

use super::World;
use crate::error::Result;
use crate::model::heavy::HeavyEntry;
use crate::state::HeavyState;
use crate::tuning::T;
use glam::{DMat3, DVec3};

impl World {
    /// Looks after the pieces of an adaptive rope: tensions of late, lengths that were not yet those of the rope. Tells whether it wants
    /// other pieces.
    pub(super) fn tend(&mut self, entry: &HeavyEntry, state: &mut HeavyState) -> Result<bool> {
        let share = 1.0 / T.heavy.steps;
        let mut stale = false;
        for (rod, piece) in entry.links.iter().zip(&mut state.pieces) {
            let tension = self.joint(*rod).map_or(0.0, |j| j.tension());
            piece[0] += share * (tension - piece[0]);
            if piece[1] != 0.0 {
                let less = (1.0 - share) * piece[1];
                piece[1] = if less.abs() < T.heavy.fits { 0.0 } else { less };
                stale = true;
            }
        }
        if stale {
            for k in 0..state.pieces.len() {
                self.fit_rod(entry, state, k)?;
            }
        }
        let pieces = state.pieces.len();
        Ok((0..pieces).any(|k| self.divides(entry, state, k).is_some() || (k > 0 && self.joins(entry, state, k))))
    }

    /// How many pieces a straight one between two nodes wants under a tension, and what it weighs across itself, N/m.
    fn pieces_wanted(&self, entry: &HeavyEntry, [upper, lower]: [u32; 2], tension: f64) -> (f64, DVec3) {
        let [a, b] = [upper, lower].map(|k| self.state.bodies[entry.pool[k as usize].0.slot as usize].pos);
        let Some(along) = (b - a).try_normalize() else { return (f64::INFINITY, DVec3::ZERO) };
        let gravity = (entry.density - self.displaced(entry, 0.5 * (a + b))) * self.options.gravity;
        let across = gravity - gravity.dot(along) * along;
        let length = f64::from(upper - lower) * entry.l0;
        (T.heavy.pieces * across.length() * length / tension.max(0.0), across)
    }

    /// Which node comes into piece k.
    fn divides(&self, entry: &HeavyEntry, state: &HeavyState, k: usize) -> Option<u32> {
        let ends = [state.out[k], state.out[k + 1]];
        let units = ends[0] - ends[1];
        let more = units > 1 && self.pieces_wanted(entry, ends, state.pieces[k][0]).0 > T.heavy.insert;
        more.then_some(ends[1] + units / 2)
    }

    /// Whether the node above piece k goes.
    fn joins(&self, entry: &HeavyEntry, state: &HeavyState, k: usize) -> bool {
        let ends = [state.out[k - 1], state.out[k + 1]];
        let tension = state.pieces[k - 1][0].min(state.pieces[k][0]);
        let few = self.pieces_wanted(entry, ends, tension).0 < 2.0 * T.heavy.remove;
        let units = ends[0] - ends[1];
        let above = if k > 1 { state.out[k - 2] - state.out[k - 1] } else { 1 };
        // It must be as straight as it would be at rest: waves on it are not cut off.
        let most = T.heavy.insert / T.heavy.pieces;
        let length = f64::from(units) * entry.l0;
        few && f64::from(units) <= T.heavy.grows * f64::from(above)
            && self.shortness(entry, state, k) < most * most / 24.0 * length
    }

    /// By how much the two pieces that meet above piece k are longer than the way between their ends, m.
    fn shortness(&self, entry: &HeavyEntry, state: &HeavyState, k: usize) -> f64 {
        let at = |k: usize| self.state.bodies[entry.pool[state.out[k] as usize].0.slot as usize].pos;
        let (a, m, b) = (at(k - 1), at(k), at(k + 1));
        a.distance(m) + m.distance(b) - a.distance(b)
    }

    /// Divides and joins pieces.
    pub(super) fn adapt(&mut self, entry: &mut HeavyEntry, state: &mut HeavyState) -> Result<()> {
        let mut k = 0;
        while k < state.pieces.len() {
            if let Some(node) = self.divides(entry, state, k) {
                self.put_in(entry, state, k, node);
                k += 2;
            } else if k > 0 && self.joins(entry, state, k) {
                self.take_out(entry, state, k);
                k += 1;
            } else {
                k += 1;
            }
        }
        self.fit_heavy(entry, state).map(drop)
    }

    /// Puts a node into piece k, where it would hang at rest.
    fn put_in(&mut self, entry: &HeavyEntry, state: &mut HeavyState, k: usize, node: u32) {
        let [upper, lower] = [state.out[k], state.out[k + 1]];
        let [pull, _] = state.pieces[k];
        let (n, across) = self.pieces_wanted(entry, [upper, lower], pull);
        let [s1, s2] = [upper - node, node - lower].map(|units| f64::from(units) * entry.l0);
        let part = s1 / (s1 + s2);
        let [a, m, b] = [upper, node, lower].map(|k| entry.pool[k as usize].0.slot as usize);
        // A slack rope hangs nowhere yet.
        let sag = if n < 2.0 * T.heavy.insert { 0.5 * s1 * s2 / pull * across } else { DVec3::ZERO };
        let (above, below) = (self.state.bodies[a], self.state.bodies[b]);
        self.state.bodies[m] = above;
        self.state.bodies[m].pos = above.pos.lerp(below.pos, part) + sag;
        self.state.bodies[m].vel = above.vel.lerp(below.vel, part);
        self.add_rope(entry, upper, -0.5 * s2);
        self.add_rope(entry, lower, -0.5 * s1);
        let stretch = self.rod_stretch(entry, upper, part);
        self.start_rod(entry, node as usize, (pull, (1.0 - part) * stretch));
        state.out.insert(k + 1, node);
        state.pieces.insert(k + 1, [pull, 0.0]);
        for (k, stretch) in [(k, part * stretch), (k + 1, (1.0 - part) * stretch)] {
            self.as_it_is(entry, state, k, stretch);
        }
    }

    /// Takes out the node above piece k.
    fn take_out(&mut self, entry: &HeavyEntry, state: &mut HeavyState, k: usize) {
        let [a, m, b] = [k - 1, k, k + 1].map(|k| entry.pool[state.out[k] as usize].0.slot as usize);
        let [s1, s2] = [k - 1, k].map(|k| f64::from(state.out[k] - state.out[k + 1]) * entry.l0);
        let vel = self.state.bodies[m].vel;
        for (to, place, more) in [(a, k - 1, 0.5 * s2), (b, k + 1, 0.5 * s1)] {
            let own = self.add_rope(entry, state.out[place], more);
            let s = &mut self.state.bodies[to];
            s.vel = (own * s.vel + more * vel) / (own + more);
        }
        let (upper, node) = (state.out[k - 1], state.out[k]);
        let stretch = self.rod_stretch(entry, upper, 1.0) + self.end_rod(entry, node as usize);
        if let Some(row) = self.rod_row(entry, upper).filter(|_| entry.stiffness.is_some()) {
            self.state.stretch[row] = stretch;
        }
        state.out.remove(k);
        let [below, _] = state.pieces.remove(k);
        let above = state.pieces[k - 1][0];
        state.pieces[k - 1][0] = (s1 * above + s2 * below) / (s1 + s2);
        self.as_it_is(entry, state, k - 1, stretch);
    }

    /// Adds a length of rope, m, to what a node stands for; what it stood for before, m.
    fn add_rope(&mut self, entry: &HeavyEntry, node: u32, more: f64) -> f64 {
        let body = entry.pool[node as usize];
        let own = self.model.bodies.get(body.0).map_or(0.0, |b| b.mass) / entry.density;
        self.weigh(body, entry.density * (own + more), DMat3::ZERO);
        own
    }

    /// Row of the rod below a node.
    fn rod_row(&self, entry: &HeavyEntry, node: u32) -> Option<usize> {
        self.model.joints.get(entry.rods[node as usize - 1].0).map(|j| j.row_start)
    }

    /// What the rod below a node is stretched by, m; a part of it is left.
    fn rod_stretch(&mut self, entry: &HeavyEntry, node: u32, part: f64) -> f64 {
        let Some(row) = self.rod_row(entry, node).filter(|_| entry.stiffness.is_some()) else { return 0.0 };
        let all = self.state.stretch[row].max(0.0);
        self.state.stretch[row] = part * all;
        all
    }

    /// Piece k is as long as the poses are apart, less what it is stretched by.
    fn as_it_is(&self, entry: &HeavyEntry, state: &mut HeavyState, k: usize, stretch: f64) {
        let [a, b] = [k, k + 1].map(|k| self.state.bodies[entry.pool[state.out[k] as usize].0.slot as usize].pos);
        let length = f64::from(state.out[k] - state.out[k + 1]) * entry.l0;
        state.pieces[k][1] = length - (a.distance(b) - stretch);
    }
}
