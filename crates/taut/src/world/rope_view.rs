//! What there is to see of a rope over guides: its guides where they are, its length, what it has become.

use super::{RopeRef, rope_memory};
use crate::contact::collider::Groups;
use crate::ids::BodyId;
use crate::model::reeved::RopeMemory;
use crate::model::reeving::GuideEntry;
use crate::reeve::hold::Hold;
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
    /// Which of the guides that the rope was given it is, its start and its end counted; none for a collider that it has found on its way.
    /// The end of an endless rope is its start.
    pub lead: Option<usize>,
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
    /// How the rope holds to it.
    pub hold: Hold,
    /// The rope does not slip on it.
    pub grips: bool,
    /// It goes with the rope and passes sheaves ([`Reeving::grip`](crate::Reeving::grip)).
    pub is_grip: bool,
    /// Where the rope meets it and leaves it, angles from the mark about the axis with whole turns, rad. Ends have the one that there is
    /// twice, points have none.
    pub angles: [f64; 2],
    /// Length of rope that has run over it from start to end, from some beginning, m: what a free sheave turns by.
    pub run: f64,
}

impl<'w> RopeRef<'w> {
    /// Its start, the guides that it touches now, and its end.
    pub fn guides(&self) -> impl Iterator<Item = GuideView> + use<'w> {
        let (this, laid) = (*self, self.laid());
        let (last, mut before) = (self.span_count(), 0.0);
        self.state().stops.iter().enumerate().filter_map(move |(k, s)| {
            let at = laid.guides[k];
            if k > 0 {
                before += laid.measure(k - 1).unwrap_or(0.0);
            }
            let grips = s.hold == Hold::Fast;
            if grips {
                // It cannot run here: what lies before it says nothing of what lies behind.
                before = 0.0;
            }
            let (first, second) = (k.checked_sub(1).map(|s| laid.angles[s][1]), (k < last).then(|| laid.angles[k][0]));
            let (first, second) = match this.is_closed() {
                // An endless rope goes on round the guide that it is opened at.
                true => (first.or(Some(laid.angles[last - 1][1])), second.or(Some(laid.angles[0][0]))),
                false => (first, second),
            };
            let only = first.or(second).unwrap_or(0.0);
            Some(GuideView {
                body: BodyId(this.world().model.bodies.key_at(s.body as usize)?),
                lead: s.lead.map(|k| this.entry().number(k)),
                centre: at.centre,
                axis: at.axis,
                mark: at.zero,
                radius: at.radius,
                about: at.side > 0.0,
                hold: s.hold,
                grips,
                is_grip: this.entry().is_grip(s),
                angles: [first.unwrap_or(only), second.unwrap_or(only)],
                run: -before,
            })
        })
    }

    /// Whether it touches all guides that it was given and nothing else, and all of them are points and plain circles. Those that a free end has
    /// left do not count. Grips may have passed sheaves.
    pub fn is_as_given(&self) -> bool {
        let (entry, state) = (self.entry(), self.state());
        let plain = |g: &GuideEntry| g.drum.is_none() && !g.groove.is_edge();
        let on =
            |lead: u32| state.stops.iter().any(|s| s.lead == Some(lead)) || state.rides.iter().any(|r| r.grip == lead);
        let given = |(k, g): (usize, &GuideEntry)| plain(g) && (on(k as u32) || entry.is_behind(state, k as u32));
        state.stops.iter().all(|s| s.lead.is_some()) && entry.guides.iter().enumerate().all(given)
    }

    /// Force that would double its length, N; none where it does not stretch.
    pub fn stiffness(&self) -> Option<f64> {
        self.entry().stiffness
    }

    /// Torsional stiffness of its section, G J, N m^2; none where it turns freely about itself.
    pub fn torsion(&self) -> Option<f64> {
        self.entry().torsion
    }

    /// Whether it meets colliders as the members of these groups do; none where it meets nothing.
    pub fn groups(&self) -> Option<Groups> {
        self.entry().groups
    }

    /// Its diameter, m.
    pub fn thickness(&self) -> f64 {
        self.entry().thickness
    }

    /// Whether each of the guides that it was given keeps it.
    pub fn keepers(&self) -> impl Iterator<Item = bool> + use<'w> {
        let guides = &self.entry().guides;
        // An endless rope begins elsewhere, and its end is its start.
        let (count, first) = self.entry().ring.map_or((guides.len(), 0), |first| (guides.len() - 1, first));
        (0..count).map(move |k| guides[(k + count - first) % count].keeper)
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
        let laid = self.laid();
        for (first, last) in self.state().pieces() {
            let slack = (-self.excess_of(&laid, first..last)).max(0.0);
            let whole = lengths[first..last].iter().sum::<f64>();
            for s in first..last {
                out[s] = if whole > 0.0 { slack * lengths[s] / whole } else { slack / (last - first) as f64 };
            }
        }
        out
    }

    /// What it has become, to the last bit.
    pub fn memory(&self) -> RopeMemory {
        // Where two guides overlap no new rope finds its way.
        let is_plain = self.is_as_given() && self.laid().spans.iter().all(Option::is_some);
        rope_memory::of(self.world(), self.entry(), self.state(), is_plain)
    }

    /// Which of the guides that it was given it passes, in the order of its way as it is now: grips pass sheaves, and those that ride come behind
    /// the sheave. Guides that it has left, and colliders, are not among them; the start of an endless rope is the first alone.
    pub fn order(&self) -> Vec<usize> {
        rope_memory::way(self.entry(), self.state()).into_iter().map(|k| self.entry().number(k)).collect()
    }

    /// The grips that ride on sheaves now, in the order of [`RopeMemory::rides`]. They are not among its guides.
    pub fn riding(&self) -> impl Iterator<Item = GuideView> + use<'w> {
        let this = *self;
        self.state().rides.iter().map(move |r| {
            let g = &this.entry().guides[r.grip as usize];
            let at = g.groove.at(&this.world().side(g.body), 0.0);
            GuideView {
                body: g.body,
                lead: Some(this.entry().number(r.grip)),
                centre: at.centre,
                axis: at.axis,
                mark: at.zero,
                radius: 0.0,
                about: true,
                hold: g.hold,
                grips: true,
                is_grip: true,
                angles: [0.0; 2],
                run: 0.0,
            }
        })
    }
}
