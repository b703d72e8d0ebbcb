//! Boxes along the axes.

use glam::DVec3;

/// A box along the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    pub min: DVec3,
    pub max: DVec3,
}

impl Bounds {
    pub const EMPTY: Bounds = Bounds { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };

    pub fn point(p: DVec3) -> Self {
        Bounds { min: p, max: p }
    }

    pub fn with(self, p: DVec3) -> Self {
        Bounds { min: self.min.min(p), max: self.max.max(p) }
    }

    pub fn union(self, b: Bounds) -> Self {
        Bounds { min: self.min.min(b.min), max: self.max.max(b.max) }
    }

    pub fn grown(self, by: f64) -> Self {
        Bounds { min: self.min - DVec3::splat(by), max: self.max + DVec3::splat(by) }
    }

    /// The box of all places it passes when it moves by `d`.
    pub fn swept(self, d: DVec3) -> Self {
        Bounds { min: self.min + d.min(DVec3::ZERO), max: self.max + d.max(DVec3::ZERO) }
    }

    pub fn meets(&self, b: &Bounds) -> bool {
        self.min.cmple(b.max).all() && b.min.cmple(self.max).all()
    }

    pub fn is_finite(&self) -> bool {
        self.min.is_finite() && self.max.is_finite()
    }

    /// From where to where, within `limit`, a ray is inside.
    pub fn pierced(&self, origin: DVec3, direction: DVec3, limit: f64) -> Option<(f64, f64)> {
        let (mut from, mut to) = (0.0_f64, limit);
        for k in 0..3 {
            let (o, d) = (origin[k], direction[k]);
            if d == 0.0 {
                if o < self.min[k] || o > self.max[k] {
                    return None;
                }
                continue;
            }
            let (a, b) = ((self.min[k] - o) / d, (self.max[k] - o) / d);
            from = from.max(a.min(b));
            to = to.min(a.max(b));
        }
        (from <= to).then_some((from, to))
    }

    /// Least height of its corners over a plane through the origin.
    pub fn lowest(&self, normal: DVec3) -> f64 {
        let low = DVec3::select(normal.cmpge(DVec3::ZERO), self.min, self.max);
        low.dot(normal)
    }
}
