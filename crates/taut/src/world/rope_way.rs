//! Places on the way of a rope over guides, by the length of rope before them.
//!
//! A rope is counted by its length without stretch. In a piece of one tension it is spread evenly over the way: straight spans and the wraps
//! between them. On the wrap of a guide that holds it, between two pieces, it lies as long as that is.

use super::World;
use super::rope_ref::{Laid, RopeRef};
use crate::error::{Error, Result};
use crate::reeve::hold::Hold;
use crate::state::RopeState;
use glam::DVec3;
use std::ops::Range;

/// What a rope lies on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum On {
    /// The straight way of a span.
    Span(usize),
    /// The wrap of a guide.
    Wrap(usize),
}

/// A part of the way.
#[derive(Clone, Copy, Debug)]
struct Leg {
    on: On,
    /// Its length, m; that of a wrap may be negative where a keeper holds the rope.
    way: f64,
    /// Rope on a metre of it, m.
    ratio: f64,
}

impl Leg {
    fn rope(&self) -> f64 {
        self.way * self.ratio
    }
}

/// A place: what the rope lies on there, and how far along that it is, m.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub on: On,
    pub along: f64,
}

/// The way of a rope where its bodies are.
#[derive(Clone, Debug)]
pub(super) struct Way {
    pub laid: Laid,
    legs: Vec<Leg>,
}

impl Way {
    pub fn of(rope: &RopeState, laid: Laid) -> Self {
        let mut legs = Vec::with_capacity(2 * rope.spans.len());
        let ends = rope.stops.len() - 1;
        for (first, last) in rope.segments() {
            let way = laid.path(first..last);
            let ratio = if way > 0.0 { (way - laid.excess(rope, first..last)) / way } else { 1.0 };
            let wrap = |k: usize| laid.guides[k].radius * laid.wrap(k).unwrap_or(0.0);
            for k in first..last {
                if k > first {
                    legs.push(Leg { on: On::Wrap(k), way: wrap(k), ratio });
                }
                let way = laid.spans[k].map_or(0.0, |s| s.length);
                legs.push(Leg { on: On::Span(k), way, ratio });
            }
            if last < ends {
                legs.push(Leg { on: On::Wrap(last), way: wrap(last), ratio: 1.0 });
            }
        }
        Way { laid, legs }
    }

    /// Length of the rope, m.
    pub fn length(&self) -> f64 {
        self.legs.iter().map(Leg::rope).sum()
    }

    /// The leg with so much rope before it, m, and what of it is in the leg.
    fn leg_at(&self, length: f64) -> (usize, f64) {
        let mut left = length;
        for (k, leg) in self.legs.iter().enumerate() {
            if left <= leg.rope() || k + 1 == self.legs.len() {
                return (k, left.min(leg.rope()).max(0.0));
            }
            left -= leg.rope();
        }
        (0, 0.0)
    }

    /// The place with so much rope before it, m.
    pub fn at(&self, length: f64) -> Spot {
        let (at, within) = self.leg_at(length);
        let leg = self.legs[at];
        Spot { on: leg.on, along: if leg.ratio > 0.0 { within / leg.ratio } else { 0.0 } }
    }

    /// Where a place is, m.
    pub fn point(&self, spot: Spot) -> DVec3 {
        match spot.on {
            On::Span(k) => match &self.laid.spans[k] {
                Some(s) => s.ends[0] + spot.along * s.along,
                None => self.laid.guides[k].centre,
            },
            On::Wrap(k) => {
                let g = &self.laid.guides[k];
                let turn = if g.radius > 0.0 { g.side * spot.along / g.radius } else { 0.0 };
                g.centre + g.radius * g.rim(self.laid.angles[k - 1][1] + turn)[0]
            }
        }
    }

    /// Rope before the place on the way that is nearest to a point, m.
    fn nearest(&self, point: DVec3) -> f64 {
        let (mut best, mut before) = ((f64::INFINITY, 0.0), 0.0);
        for leg in &self.legs {
            let along = match (leg.on, &self.laid) {
                (On::Span(k), laid) => laid.spans[k].map_or(0.0, |s| (point - s.ends[0]).dot(s.along)),
                (On::Wrap(k), laid) => {
                    let g = &laid.guides[k];
                    let arm = point - g.centre;
                    let angle = libm::atan2(arm.dot(g.axis.cross(g.zero)), arm.dot(g.zero));
                    // Within half a turn of the middle of the wrap.
                    let middle = 0.5 * (laid.angles[k - 1][1] + laid.angles[k][0]);
                    g.radius * g.side * (crate::reeve::wound(angle, middle) - laid.angles[k - 1][1])
                }
            };
            let along = along.min(leg.way).max(0.0);
            let off = self.point(Spot { on: leg.on, along }).distance(point);
            if off < best.0 {
                best = (off, before + along * leg.ratio);
            }
            before += leg.rope();
        }
        best.1
    }
}

impl RopeRef<'_> {
    pub(super) fn way(&self) -> Way {
        Way::of(self.state(), self.laid())
    }

    /// Length of rope from its start to the place on its way that is nearest to a point, m: where [`World::cut_rope`] would cut it there.
    /// What is wound on a drum at its start does not count.
    ///
    /// ```
    /// use taut::prelude::*;
    /// let mut world = World::new();
    /// let load = world.add(Body::particle(1.0).at(-4.0 * Vec3::Y))?;
    /// let rope = world.add(Rope::from(world.ground(), Vec3::ZERO).to(load, -4.0 * Vec3::Y))?;
    /// assert_eq!(world.rope(rope)?.length_to(Vec3::new(0.3, -1.5, 0.0)), 1.5);
    /// assert_eq!(world.rope(rope)?.point_at(1.5)?, -1.5 * Vec3::Y);
    /// # Ok::<(), taut::Error>(())
    /// ```
    pub fn length_to(&self, point: DVec3) -> f64 {
        self.way().nearest(point)
    }

    /// The point on its way with so much rope between its start and it, m.
    pub fn point_at(&self, length: f64) -> Result<DVec3> {
        let way = self.way();
        let whole = way.length();
        if !(length >= 0.0 && length <= whole) {
            let expected = format!("from 0 to {whole:.6} m, the length of the rope");
            return Err(Error::input("length along the rope", length, expected));
        }
        Ok(way.point(way.at(length)))
    }

    /// The particles at its ends where these hang free; they belong to the rope, and go with it.
    pub fn free_ends(&self) -> [Option<crate::ids::BodyId>; 2] {
        let guides = &self.entry().guides;
        let [first, last] = [guides.first(), guides.last()].map(|g| g.map(|g| g.body));
        let [a, b] = self.entry().free;
        [first.filter(|_| a), last.filter(|_| b)]
    }
}

impl World {
    /// Velocity of a point that a body carries, m/s.
    pub(super) fn carried(&self, slot: usize, point: DVec3) -> DVec3 {
        let b = &self.state.bodies[slot];
        b.vel + b.omega.cross(point - b.pos)
    }

    /// Velocity of the rope at a place, m/s, between those of the guides there; how fast it runs along its way is not in it.
    pub(super) fn swaying(&self, rope: &RopeState, way: &Way, spot: Spot) -> DVec3 {
        let body = |k: usize| rope.stops[k].body as usize;
        match (spot.on, &way.laid) {
            (On::Wrap(k), _) => self.carried(body(k), way.point(spot)),
            (On::Span(k), laid) => match &laid.spans[k] {
                Some(s) => {
                    let [a, b] = [0, 1].map(|e| self.carried(body(k + e), s.ends[e]));
                    a.lerp(b, if s.length > 0.0 { spot.along / s.length } else { 0.0 })
                }
                None => self.carried(body(k), laid.guides[k].centre),
            },
        }
    }

    /// How fast a rope runs over the marks of guide k, towards its end, m/s, when the part of it before the guide (0), or that after it (1), has
    /// a free end on the other side of the guide and keeps its length.
    pub(super) fn running(&self, rope: &RopeState, laid: &Laid, k: usize, part: usize) -> f64 {
        if rope.stops[k].hold == Hold::Fast {
            return 0.0;
        }
        let lengthens = |spans: Range<usize>| spans.map(|s| self.lengthening(rope, laid, s)).sum::<f64>();
        let piece = rope.pieces().find(|p| (p.0..=p.1).contains(&k)).unwrap_or((0, rope.stops.len() - 1));
        if part == 0 { -lengthens(piece.0..k) } else { lengthens(k..piece.1) }
    }

    /// Rate of the material on the way of a span, m/s.
    pub(super) fn lengthening(&self, rope: &RopeState, laid: &Laid, k: usize) -> f64 {
        let Some(span) = &laid.spans[k] else { return 0.0 };
        let by = |e: usize| {
            let b = &self.state.bodies[rope.stops[k + e].body as usize];
            let j = &span.jacobian[e];
            DVec3::new(j[0], j[1], j[2]).dot(b.vel) + DVec3::new(j[3], j[4], j[5]).dot(b.omega)
        };
        by(0) + by(1)
    }
}
