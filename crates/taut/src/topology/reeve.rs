//! Ropes over guides laid out for the step.

use super::{Link, NONE, Source, Topology};
use crate::ids::BodyId;
use crate::model::buried::Laid;
use crate::model::drum::Drum;
use crate::model::reeving::{Hold, RopeEntry};
use crate::model::{BodyEntry, Model, Motion};
use crate::reeve::Groove;
use crate::state::RopeState;
use glam::DVec3;
use std::ops::Range;

/// A piece of a rope that runs freely over its guides and has one tension: material in it = what it had. Its row comes after those of
/// couplings in the row arrays; it has no unknown in the matrix.
#[derive(Clone, Debug)]
pub(crate) struct SegmentRow {
    /// Slot of its rope.
    pub slot: usize,
    /// In `Topology::spans`.
    pub spans: Range<usize>,
    /// Strain for a force, 1/N; zero where it does not stretch.
    pub give: f64,
    /// How the rope holds to the guide before it, where it can slip there.
    pub over: Option<Hold>,
    /// A node that all segments between guides without slip have in their rows, so that they are solved together; NONE where it is the
    /// only one, or where none of their bodies has unknowns.
    pub anchor: usize,
    /// Whether it passes over edges, where the rope is found as a whole.
    pub has_edges: bool,
}

/// A guide.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GuideRow {
    /// Dense body.
    pub body: usize,
    pub groove: Groove,
    /// A drum whose flanges hold so much.
    pub drum: Option<Drum>,
}

/// A straight piece between two guides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SpanRow {
    /// Slot of its rope, and which of its spans.
    pub slot: usize,
    pub index: usize,
    /// Its guides, one after the other.
    pub guide: usize,
    pub segment: usize,
    /// Its element in `Topology::links`, or NONE between bodies without unknowns.
    pub link: usize,
}

/// The torsion of a rope: one row over all its bodies, after those of segments in the row arrays; it has no unknown in the matrix.
#[derive(Clone, Debug)]
pub(crate) struct TwistRow {
    /// Slot of its rope.
    pub slot: usize,
    /// In `Topology::spans`: all of them.
    pub spans: Range<usize>,
    /// G J, N m^2.
    pub stiffness: f64,
    /// In `Topology::tails`: particles that the rope goes on through with mass, and the body at its end; and the rope between them, m.
    pub tail: Range<usize>,
    pub below: f64,
    /// How that body holds it, in its frame: along the rope, and across it.
    pub clamp: [DVec3; 2],
}

impl Topology {
    /// Row of the torsion of a rope in the row arrays.
    #[inline]
    pub fn twist_row(&self, k: usize) -> usize {
        self.segment_row(self.segments.len()) + k
    }

    /// Row of a segment of a rope in the row arrays.
    #[inline]
    pub fn segment_row(&self, k: usize) -> usize {
        self.row_count + self.bounds.len() + self.couplings.len() + k
    }

    /// The segments from this one on that the rope can slip between.
    pub fn chain(&self, first: usize) -> Range<usize> {
        let more = self.segments[first + 1..].iter().take_while(|s| s.over.is_some()).count();
        first..first + 1 + more
    }

    /// All segments that the rope can slip between, of which this is one.
    pub fn whole_chain(&self, k: usize) -> Range<usize> {
        let before = self.segments[..=k].iter().rev().take_while(|s| s.over.is_some()).count();
        k - before..self.chain(k).end
    }

    /// Adds the ropes whose bodies are awake. Bodies are slots here, like those of groups.
    pub(super) fn place_ropes(&mut self, model: &Model, ropes: &[RopeState], awake: &impl Fn(usize) -> bool) {
        for (key, rope, state) in up(model, ropes, awake) {
            let spans_from = self.spans.len();
            for (first, last) in state.segments() {
                let start = self.guides.len();
                let spans = self.spans.len()..self.spans.len() + last - first;
                let stops = &state.stops[first..=last];
                self.guides.extend(stops.iter().map(|s| {
                    let drum = s.lead.and_then(|k| rope.guides[k as usize].drum);
                    let drum = drum.filter(|d| d.most.is_finite() && s.groove.is_round());
                    GuideRow { body: s.body as usize, groove: s.groove, drum }
                }));
                let has_edges = stops.iter().any(|s| s.groove.is_edge());
                for index in first..last {
                    let guide = start + index - first;
                    let (i, j) = (self.guides[guide].body, self.guides[guide + 1].body);
                    let (si, sj) = (DVec3::ZERO, DVec3::ZERO);
                    // The row is known when all couplings are.
                    let source = Source::Row(NONE);
                    let span = self.spans.len();
                    // Between bodies without unknowns there is nothing to stabilise.
                    if [i, j].into_iter().any(|slot| self.dense_of[slot] < self.nodes.len()) {
                        self.links.push(Link { i, j, si, sj, place: None, source, crowd: 1.0, span });
                    }
                    let segment = self.segments.len();
                    self.spans.push(SpanRow { slot: key, index, guide, segment, link: NONE });
                }
                let give = rope.stiffness.map_or(0.0, |ea| 1.0 / ea);
                let over = Some(stops[0].hold).filter(|hold| first > 0 && *hold != Hold::Fast);
                self.segments.push(SegmentRow { slot: key, spans, give, over, anchor: NONE, has_edges });
            }
            if let (Some(stiffness), Some(_)) = (rope.torsion, state.twist) {
                self.place_twist(model, key, stiffness, spans_from);
            }
        }
    }

    fn place_twist(&mut self, model: &Model, slot: usize, stiffness: f64, first: usize) {
        let (spans, from) = (first..self.spans.len(), self.tails.len());
        let mut row = TwistRow { slot, spans, stiffness, tail: from..from, below: 0.0, clamp: [DVec3::ZERO; 2] };
        if let Some((heavy, held)) = model.led_by(slot).and_then(|h| Some((h, h.held?))) {
            let is_on = |b: &BodyId| model.bodies.get(b.0).is_some_and(|b| b.enabled);
            if !heavy.nodes.iter().chain([&held.body]).all(is_on) {
                return;
            }
            self.tails.extend(heavy.nodes[1..].iter().chain([&held.body]).map(|b| b.0.slot as usize));
            (row.below, row.clamp) = (heavy.below(), [held.along, held.mark]);
        }
        row.tail.end = self.tails.len();
        let turns = |guide: usize| {
            let body = model.bodies.at(self.guides[guide].body);
            body.is_some_and(|b| b.motion != Motion::Particle)
        };
        let ends = [self.spans[first].guide, self.guides.len() - 1];
        if !(turns(ends[0]) && (turns(ends[1]) || !row.tail.is_empty())) {
            return;
        }
        self.twists.push(row);
    }

    /// Lays out the ropes where they run now, when no other bodies have been coupled by that: the order and the matrix stand, and are those that
    /// a new layout would have. False where they do not, and nothing has changed.
    pub fn reroute(&mut self, model: &Model, ropes: &[RopeState], awake: &impl Fn(usize) -> bool) -> bool {
        let is_node = |slot: usize| self.dense_of[slot] < self.nodes.len();
        let old = self.spans.iter().map(|s| [0, 1].map(|k| self.guides[s.guide + k].body));
        let old = old.filter(|pair| pair.iter().all(|&b| self.is_node(b)));
        let new = pairs(model, ropes, awake).filter(|pair| pair.iter().all(|&slot| is_node(slot)));
        let segments: usize = up(model, ropes, awake).map(|(_, _, r)| r.segments().count()).sum();
        let same = old.eq(new.map(|pair| pair.map(|slot| self.dense_of[slot])));
        // Those with mass may have other particles out, and are laid out as a whole.
        let twists = up(model, ropes, awake).filter(|(_, _, r)| r.twist.is_some()).count();
        let same = same && twists == self.twists.len() && self.tails.is_empty();
        if self.acyclic || segments != self.segments.len() || !same {
            return false;
        }
        self.links.retain(|l| l.span == NONE);
        let kept = self.links.len();
        self.segments.clear();
        self.guides.clear();
        self.spans.clear();
        self.twists.clear();
        self.tails.clear();
        self.place_ropes(model, ropes, &|slot| awake(slot));
        for l in &mut self.links[kept..] {
            (l.i, l.j) = (self.dense_of[l.i], self.dense_of[l.j]);
        }
        self.place_links(kept);
        self.sort_links();
        self.tie_ropes();
        self.find_rod_neighbours();
        true
    }

    /// Whether the spans of ropes couple the bodies with unknowns that they do in this layout, by slot.
    pub(super) fn spans_couple_the_same(&self, model: &Laid<'_>, awake: &impl Fn(usize) -> bool) -> bool {
        let old = self.spans.iter().map(|s| [0, 1].map(|k| self.guides[s.guide + k].body));
        let old = old.filter(|pair| pair.iter().all(|&b| self.is_node(b))).map(|pair| pair.map(|b| self.slot_of[b]));
        let is_node = |slot: usize| awake(slot) && model.bodies.at(slot).is_some_and(BodyEntry::is_node);
        old.eq(pairs(model, model.ropes_now, awake).filter(|pair| pair.iter().all(|&slot| is_node(slot))))
    }

    /// Bodies of guides are dense from here on, and the elements of spans know their rows.
    pub(super) fn tie_ropes(&mut self) {
        for g in &mut self.guides {
            g.body = self.dense_of[g.body];
        }
        for b in &mut self.tails {
            *b = self.dense_of[*b];
        }
        let first = self.segment_row(0);
        for (k, l) in self.links.iter_mut().enumerate().filter(|(_, l)| l.span != NONE) {
            let span = &mut self.spans[l.span];
            span.link = k;
            l.source = Source::Row(first + span.segment);
        }
        let mut start = 0;
        while start < self.segments.len() {
            let end = self.chain(start).end;
            let has_edges = self.segments[start..end].iter().any(|s| s.has_edges);
            self.segments[start..end].iter_mut().for_each(|s| s.has_edges = has_edges);
            if end > start + 1 {
                let guides = self.segments[start].spans.start..self.segments[end - 1].spans.end;
                let bodies = guides.flat_map(|s| [0, 1].map(|k| self.guides[self.spans[s].guide + k].body));
                let anchor = bodies.into_iter().find(|&b| self.is_node(b)).unwrap_or(NONE);
                self.segments[start..end].iter_mut().for_each(|s| s.anchor = anchor);
            }
            start = end;
        }
    }
}

/// Pairs of bodies, by slot, that the elements of the spans of ropes couple.
pub(super) fn pairs<'a>(
    model: &'a Model,
    ropes: &'a [RopeState],
    awake: &'a impl Fn(usize) -> bool,
) -> impl Iterator<Item = [usize; 2]> + 'a {
    up(model, ropes, awake).flat_map(|(_, _, r)| r.stops.windows(2).map(|w| [0, 1].map(|k: usize| w[k].body as usize)))
}

/// Slots of the ropes that take part and whose bodies are awake. They sleep together.
fn up<'a>(
    model: &'a Model,
    ropes: &'a [RopeState],
    awake: &'a impl Fn(usize) -> bool,
) -> impl Iterator<Item = (usize, &'a RopeEntry, &'a RopeState)> {
    let all = model.ropes.iter().filter_map(|(k, r)| Some((k.slot as usize, r, ropes.get(k.slot as usize)?)));
    all.filter(move |(_, r, state)| model.pulls(r) && state.bodies().all(awake))
}
