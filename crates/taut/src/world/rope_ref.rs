//! What there is to see of a rope over guides: its guides where they are, its length, what it has become.

use super::{RopeRef, rope_memory};
use crate::ids::BodyId;
use crate::model::reeved::RopeMemory;
use glam::DVec3;

/// A guide of a rope, where it is now.
///
/// ```
/// use taut::prelude::*;
/// use taut::Sheave;
/// let mut world = World::new();
/// let load = world.add(Body::particle(1.0).at(-Vec3::Y))?;
/// let sheave = Sheave::on(world.ground(), Vec3::Y, Vec3::Z, 0.25);
/// let rope = world.add(Rope::from(world.ground(), Vec3::X).over(sheave).to(load, -Vec3::Y))?;
/// let guides: Vec<_> = world.rope(rope)?.guides().collect();
/// assert_eq!((guides[0].radius, guides[1].radius, guides[1].body), (0.0, 0.25, world.ground()));
/// // It turns from -x over the top to -x: the rope leaves the sheave on the other side than it came.
/// assert!(guides[1].about && !guides[1].grips);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GuideView {
    /// The body that it is a part of.
    pub body: BodyId,
    /// Its point or centre, m.
    pub centre: DVec3,
    /// Unit axis of a sheave.
    pub axis: DVec3,
    /// Unit vector across it that moves with the body: where angles are measured from.
    pub mark: DVec3,
    /// Pitch radius, m; zero for a point.
    pub radius: f64,
    /// From its start to its end the rope turns about the axis, else against it.
    pub about: bool,
    /// The rope does not slip on it.
    pub grips: bool,
    /// Where the rope meets it and leaves it, angles from the mark about the axis with whole turns, rad. Ends have the one that there is
    /// twice, points have none.
    pub angles: [f64; 2],
    /// Length of rope that has run over it from start to end, from some beginning, m: what a free sheave turns by.
    pub run: f64,
}

impl<'w> RopeRef<'w> {
    /// Its start, its guides and its end.
    pub fn guides(&self) -> impl Iterator<Item = GuideView> + use<'w> {
        let (this, last) = (*self, self.span_count());
        let mut before = 0.0;
        self.entry().guides.iter().enumerate().map(move |(k, g)| {
            let at = this.world().guide(g);
            if k > 0 {
                before += this.span(k - 1).map_or(0.0, |([a, b], s, angles)| s.measure(&a, &b, angles));
            }
            if g.grips {
                // It cannot run here: what lies before it says nothing of what lies behind.
                before = 0.0;
            }
            let angle =
                |span: usize, end: usize| this.span(span).map_or(this.state().spans[span].angles[end], |s| s.2[end]);
            let (first, second) = (k.checked_sub(1).map(|s| angle(s, 1)), (k < last).then(|| angle(k, 0)));
            let only = first.or(second).unwrap_or(0.0);
            GuideView {
                body: g.body,
                centre: at.centre,
                axis: at.axis,
                mark: at.zero,
                radius: at.radius,
                about: at.side > 0.0,
                grips: g.grips,
                angles: [first.unwrap_or(only), second.unwrap_or(only)],
                run: -before,
            }
        })
    }

    /// Its length without stretch, m; of a rope on a drum what is off the drum.
    pub fn length(&self) -> f64 {
        self.path() - self.excess()
    }

    /// By how much it is longer than when it was added, m: what drums and [`World::pay_out`](crate::World::pay_out) have paid out, less
    /// what they have hauled in.
    pub fn paid_out(&self) -> f64 {
        self.length() - self.entry().laid
    }

    /// Slack of each span, m: by how much it is longer than straight. Slack that lies between two guides that the rope does not slip on
    /// is shared by their spans as their lengths are.
    pub fn slacks(&self) -> Vec<f64> {
        let lengths: Vec<f64> = self.lengths().collect();
        let mut out = vec![0.0; lengths.len()];
        for (k, (first, last)) in self.entry().segments().enumerate() {
            let (slack, whole) = ((-self.excess_of(k)).max(0.0), lengths[first..last].iter().sum::<f64>());
            for s in first..last {
                out[s] = if whole > 0.0 { slack * lengths[s] / whole } else { slack / (last - first) as f64 };
            }
        }
        out
    }

    /// What it has become, to the last bit.
    pub fn memory(&self) -> RopeMemory {
        rope_memory::of(self.entry(), &self.state().spans)
    }
}
