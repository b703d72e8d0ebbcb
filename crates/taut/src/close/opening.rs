//! How far a joint is open.
//!
//! A joint has lengths that should be zero (m) and angles (rad). Its lever arms relate the two: a joint of reach s that is turned by an
//! angle a is open by s a where it matters. So the one number for a joint is in parts of its reach,
//! ```text
//! opening = max(|gap| / s, |angle|)        gap: the norm of its rigid linear rows, angle: the largest of its rigid angular ones
//! ```
//! which is the same in every unit of length. In metres it is that times the reach.

use crate::topology::{Group, NONE};

/// The opening of one joint.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Opening {
    /// m.
    pub gap: f64,
    /// rad.
    pub angle: f64,
}

impl Opening {
    /// Of the rows r of a joint with violations `phi(r)`; none for rows that may be open.
    #[inline]
    pub fn of(g: &Group, phi: impl Fn(usize) -> Option<f64>) -> Self {
        let (mut square, mut angle) = (0.0, 0.0_f64);
        for r in 0..g.rows() {
            let Some(p) = phi(r) else { continue };
            if g.angular >> r & 1 == 1 {
                angle = largest(angle, p.abs());
            } else {
                square += p * p;
            }
        }
        Opening { gap: f64::sqrt(square), angle }
    }

    /// In parts of the reach of its joint.
    #[inline]
    pub fn parts(&self, g: &Group) -> f64 {
        largest(self.gap / g.arm(), self.angle)
    }
}

/// The larger of two; a value that is not a number stays.
#[inline]
pub(crate) fn largest(a: f64, b: f64) -> f64 {
    if b <= a { a } else { b }
}

/// The openings of an island.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Openings {
    /// Largest, in parts of the reach.
    pub worst: f64,
    /// The same in metres, and its group: the joint that is open widest.
    pub metres: f64,
    pub group: usize,
    /// Sum of the squares, in parts of the reach.
    pub merit: f64,
}

impl Default for Openings {
    fn default() -> Self {
        Openings { worst: 0.0, metres: 0.0, group: NONE, merit: 0.0 }
    }
}

impl Openings {
    /// Takes in a joint that is a point, open by a gap of this square, m^2. Until `of_points` all numbers are squares.
    #[inline]
    pub fn add_point(&mut self, group: usize, g: &Group, square: f64) {
        let parts = square / (g.arm() * g.arm());
        self.worst = largest(self.worst, parts);
        if !(square <= self.metres) {
            (self.metres, self.group) = (square, group);
        }
        self.merit += parts;
    }

    /// The openings of joints that are points.
    #[inline]
    pub fn of_points(self) -> Self {
        Openings { worst: self.worst.sqrt(), metres: self.metres.sqrt(), ..self }
    }

    /// Takes in a joint.
    #[inline]
    pub fn add(&mut self, group: usize, g: &Group, of: Opening) {
        let parts = of.parts(g);
        self.worst = largest(self.worst, parts);
        let metres = parts * g.arm();
        if !(metres <= self.metres) {
            (self.metres, self.group) = (metres, group);
        }
        self.merit += (of.gap / g.arm()) * (of.gap / g.arm()) + of.angle * of.angle;
    }
}
