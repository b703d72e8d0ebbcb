//! Looking at ropes over guides.

use super::World;
use crate::constraint::Side;
use crate::ids::{BodyId, ColliderId, RopeId};
use crate::model::reeving::RopeEntry;
use crate::reeve::span::{Guide, Span};
use crate::reeve::{bend, edge, wound};
use crate::rows::stored;
use crate::state::{RopeState, Stop};
use glam::DVec3;
use std::f64::consts::TAU;

/// Fleet angle, rad, up to which a rope runs well over a sheave: 5 degrees. Beyond that a block needs a swivel.
const FLEET: f64 = 5.0 * TAU / 360.0;

/// A rope over guides of a world, to look at. All is at the present pose, with the forces of the last step.
///
/// A bead hangs in the middle of a line of 3 m between two hooks 2 m apart.
/// ```
/// use taut::prelude::*;
/// let mut world = World::new();
/// let bead = world.add(Body::particle(2.0).at(-0.5 * Vec3::Y))?;
/// let (left, right) = (-Vec3::X, Vec3::X);
/// let line = Rope::from(world.ground(), left).through(bead, -0.5 * Vec3::Y).to(world.ground(), right);
/// let slack = 3.0 - 5f64.sqrt();
/// let line = world.add(line.slack(slack).named("line"))?;
/// for _ in 0..300 {
///     world.step(0.01)?;
/// }
/// let rope = world.rope(line)?;
/// assert_eq!((rope.name(), rope.span_count()), ("line", 2));
/// assert!((rope.path() - 3.0).abs() < 1e-6 && rope.excess().abs() < 1e-6);
/// assert!(rope.tensions().all(|t| t > 0.0));
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct RopeRef<'w> {
    pub(super) world: &'w World,
    pub(super) entry: &'w RopeEntry,
    pub(super) id: RopeId,
}

impl<'w> RopeRef<'w> {
    /// Its handle.
    pub fn id(&self) -> RopeId {
        self.id
    }

    /// Its name.
    pub fn name(&self) -> &'w str {
        &self.entry.name
    }

    /// How many straight spans it has: one more than it touches guides between its ends.
    pub fn span_count(&self) -> usize {
        self.state().spans.len()
    }

    /// Whether it is endless: its last guide is its first.
    pub fn is_closed(&self) -> bool {
        self.entry.ring.is_some()
    }

    /// The bodies of its start, of the guides that it touches and of its end.
    pub fn bodies(&self) -> impl Iterator<Item = BodyId> + use<'w> {
        let bodies = &self.world.model.bodies;
        self.state().bodies().filter_map(|slot| bodies.key_at(slot).map(BodyId))
    }

    /// The colliders that it is bent by, in the order of its way.
    pub fn colliders(&self) -> impl Iterator<Item = ColliderId> + use<'w> {
        self.state().stops.iter().filter_map(|s| s.found.map(|f| f.0))
    }

    /// Tension of each span, N.
    pub fn tensions(&self) -> impl Iterator<Item = f64> + use<'w> {
        let on = self.world.model.pulls(self.entry);
        self.state().spans.iter().map(move |s| if on { -s.lambda } else { 0.0 })
    }

    /// Rate at which it slipped over each guide between its ends in the last step, towards its end, m/s. At guides without friction, which
    /// it always runs over freely, and at those that it cannot slip on, this is zero.
    pub fn slips(&self) -> impl Iterator<Item = f64> + use<'w> {
        self.state().spans[1..].iter().map(|s| s.slip)
    }

    /// Tension of its first span, N.
    pub fn tension(&self) -> f64 {
        self.tensions().next().unwrap_or(0.0)
    }

    /// Straight length of each span, m; zero where guides overlap.
    pub fn lengths(&self) -> impl Iterator<Item = f64> + use<'w> {
        self.laid().spans.into_iter().map(|s| s.map_or(0.0, |s| s.length))
    }

    /// Angle of wrap of each guide that it touches between its ends, rad: whole turns are counted. Where it passes through a ring or over an
    /// edge it is the angle between the spans.
    pub fn wraps(&self) -> impl Iterator<Item = f64> + use<'w> {
        let laid = self.laid();
        (1..self.span_count()).map(move |k| laid.wrap(k).unwrap_or(0.0))
    }

    /// Length of its way from the start to the end along spans and wraps, m. On a drum it begins where it leaves the drum. That of an endless
    /// rope goes once round.
    pub fn path(&self) -> f64 {
        self.laid().whole(self.entry)
    }

    /// Rope on the drums that it begins and ends on, m; none where that was not said, and where it is tied to a point.
    pub fn stored(&self) -> [Option<f64>; 2] {
        let (state, guides) = (self.state(), &self.entry.guides);
        let last = [0, state.spans.len().saturating_sub(1)];
        [0, 1].map(|end| {
            let guide = if end == 0 { guides.first() } else { guides.last() }?;
            let drum = guide.drum.filter(|d| d.ends)?;
            let stop = if end == 0 { state.stops.first() } else { state.stops.last() }?;
            Some(if stop.groove.is_round() { drum.length(state.spans[last[end]].angles[end]) } else { 0.0 })
        })
    }

    /// By how much its way is longer than the rope is, m: negative when it is slack, what it is stretched by when it is taut.
    pub fn excess(&self) -> f64 {
        let laid = self.laid();
        self.state().segments().map(|(first, last)| self.excess_of(&laid, first..last)).sum()
    }

    /// Largest fleet angle, rad: how far it is off the plane of a sheave. Above 5 degrees a block should have a swivel.
    pub fn fleet(&self) -> f64 {
        let laid = self.laid();
        let at = |k: usize| laid.spans[k].map_or(0.0, |s| s.fleet(&laid.guides[k]).max(s.fleet(&laid.guides[k + 1])));
        (0..self.span_count()).map(at).fold(0.0, f64::max)
    }

    /// Whether it is so far off the plane of a sheave that a real one would jump its groove.
    pub fn is_off_plane(&self) -> bool {
        self.fleet() > FLEET
    }

    /// Tangent points of each span, m.
    pub fn ends(&self) -> impl Iterator<Item = [DVec3; 2]> + use<'w> {
        self.laid().spans.into_iter().filter_map(|s| s.map(|s| s.ends))
    }

    /// Energy that it has stored by stretching and by torsion, J.
    pub fn energy(&self) -> f64 {
        if !self.world.model.pulls(self.entry) {
            return 0.0;
        }
        self.energy_of_stretch() + self.energy_of_twist()
    }

    /// The first of them.
    pub(super) fn energy_of_stretch(&self) -> f64 {
        let laid = self.laid();
        let Some(ea) = self.entry.stiffness else { return 0.0 };
        let one = |(first, last): (usize, usize)| {
            let excess = self.excess_of(&laid, first..last).max(0.0);
            let (c, stretch) = ((laid.path(first..last) - excess) / ea, self.state().spans[first].stretch);
            if c > 0.0 { stored(c, excess, stretch) } else { 0.0 }
        };
        self.state().segments().map(one).sum()
    }

    pub(super) fn entry(&self) -> &'w RopeEntry {
        self.entry
    }

    pub(super) fn world(&self) -> &'w World {
        self.world
    }

    pub(super) fn excess_of(&self, laid: &Laid, spans: std::ops::Range<usize>) -> f64 {
        laid.excess(self.state(), spans)
    }

    pub(super) fn laid(&self) -> Laid {
        self.world.laid_rope(self.state())
    }

    pub(super) fn state(&self) -> &'w RopeState {
        &self.world.state.ropes[self.id.0.slot as usize]
    }
}

/// A rope at some poses: its guides, its spans and the angles of their ends, whole turns counted.
#[derive(Clone, Debug, Default)]
pub(super) struct Laid {
    pub guides: Vec<Guide>,
    pub spans: Vec<Option<Span>>,
    pub angles: Vec<[f64; 2]>,
}

impl Laid {
    /// With bodies, by slot, at some poses.
    pub fn fill(&mut self, rope: &RopeState, side: impl Fn(usize) -> Side) {
        let near = |k: usize| if k == 0 { rope.spans[0].angles[0] } else { rope.spans[k - 1].angles[1] };
        let guide = |(k, s): (usize, &Stop)| s.groove.at(&side(s.body as usize), near(k));
        let Laid { guides, spans, angles } = self;
        guides.clear();
        spans.clear();
        angles.clear();
        guides.extend(rope.stops.iter().enumerate().map(guide));
        edge::settle(guides);
        spans.extend(guides.windows(2).map(|w| Span::between(&w[0], &w[1])));
        angles.extend(
            spans
                .iter()
                .zip(&rope.spans)
                .map(|(span, last)| span.map_or(last.angles, |s| [0, 1].map(|e| wound(s.angles[e], last.angles[e])))),
        );
    }

    /// Angle of wrap at guide k, rad.
    pub fn wrap(&self, k: usize) -> Option<f64> {
        let (come, go) = (self.spans[k - 1].as_ref()?, self.spans[k].as_ref()?);
        Some(bend::wrap(&self.guides[k], [come, go], [self.angles[k - 1][1], self.angles[k][0]]))
    }

    /// Length of the way of some spans with the wraps between them, m: what of the rope can stretch.
    pub fn path(&self, spans: std::ops::Range<usize>) -> f64 {
        let wraps = (spans.start + 1..spans.end).map(|k| self.guides[k].radius * self.wrap(k).unwrap_or(0.0));
        spans.filter_map(|k| self.spans[k]).map(|s| s.length).sum::<f64>() + wraps.sum::<f64>()
    }

    /// By how much the way of some spans is longer than the material that they have, m.
    pub fn excess(&self, rope: &RopeState, spans: std::ops::Range<usize>) -> f64 {
        spans.filter_map(|k| Some(self.measure(k)? - rope.spans[k].material)).sum()
    }

    /// Length of the way of all spans of a rope, m; that of an endless one goes on round the guide that it is opened at.
    pub fn whole(&self, entry: &RopeEntry) -> f64 {
        let open = self.path(0..self.spans.len());
        match (entry.ring, self.angles.first(), self.angles.last()) {
            (Some(_), Some(first), Some(last)) => {
                open + self.guides[0].rolled(first[0]) - self.guides[0].rolled(last[1])
            }
            _ => open,
        }
    }

    /// Material on the way of span k between the marks of its guides, m.
    pub fn measure(&self, k: usize) -> Option<f64> {
        Some(self.spans[k]?.measure(&self.guides[k], &self.guides[k + 1], self.angles[k]))
    }
}
