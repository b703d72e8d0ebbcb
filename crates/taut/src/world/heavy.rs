//! Ropes with mass that run: a chain of particles below the last guide of a rope, fed from a drum or a locker.
//!
//! The first of the particles is the **feed node**, at the end of the span without mass that comes from the guide. That span is l long,
//! half of it is in the node, half rides with the drum. Out of a locker all of it is in the node, and there is no Q:
//! ```text
//! node    rho (l + l0)/2, grows by rho/2 of what runs in, which enters with the speed of the rope
//!         rho (l + l0/2) out of a locker, from where it enters with no speed
//! drum    mass + rho (wound + l/2), inertia + r^2 of that
//! force   Q u on the node, Q = rho/2 g . (x_node - x_guide): the weight of the half that is not there (a configurational force)
//! split   l > 3/2 l0: a node at l - l0 of the span, with the velocity there       linear momentum is kept
//! merge   l < 1/2 l0: the node goes, its momentum to the next                      linear momentum is kept
//! ```
//! Without Q a drum that pays out freely is too slow by a tenth at half a metre of l0.
//!
//! All nodes that the rope can ever have are in the world from the start, switched off until they are out: no list of the state ever moves, and which
//! of them are out is a part of the state (`pool`). `feed` is what happens after a step, `adapt` chooses the nodes of adaptive ropes.

mod adapt;
mod feed;
mod memory;
mod pool;

pub(super) use feed::Feed;

use super::{Edit, Part, World};
use crate::error::{Error, Result, positive};
use crate::ids::{BodyId, HeavyRopeId, JointId, RopeId};
use crate::joints::{Ball, Distance, Rope};
use crate::model::body::Body;
use crate::model::heavy::{Head, HeavyEntry, HeavyRope, Source};
use crate::model::{Motion, identity};
use crate::state::HeavyState;
use glam::DVec3;

/// Parts of the segment beyond which the span above the feed node is divided, and below which it is joined to the next.
const LONG: f64 = 1.5;
const SHORT: f64 = 0.5;
/// Segments of a rope that was not told their length.
const PIECES: f64 = 40.0;
/// Most pieces of a rope: more are a mistake in the length of one.
const MOST: f64 = 1e5;

/// A heavy rope of a world, to look at.
///
/// ```
/// use taut::{Body, HeavyRope, Vec3, World};
/// let mut world = World::new();
/// let anchor = world.add(Body::particle(100.0).at(-10.0 * Vec3::Y))?;
/// let chain = HeavyRope::from_locker(world.ground(), Vec3::ZERO, (anchor, -10.0 * Vec3::Y), 50.0).segment(2.0).stored(90.0);
/// let chain = world.add(chain.named("chain"))?;
/// let view = world.heavy_rope(chain)?;
/// assert_eq!((view.name(), view.nodes().len(), view.out()), ("chain", 5, 10.0));
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct HeavyRopeRef<'w> {
    world: &'w World,
    entry: &'w HeavyEntry,
    slot: usize,
}

impl<'w> HeavyRopeRef<'w> {
    fn state(&self) -> &'w HeavyState {
        &self.world.state.heavies[self.slot]
    }

    /// Its name.
    pub fn name(&self) -> &'w str {
        &self.entry.name
    }

    /// Its particles, from the feed node to the end.
    pub fn nodes(&self) -> &'w [BodyId] {
        &self.entry.nodes
    }

    /// Its particles that are not out: on the drum, in the locker, or left out where it is adaptive. They are switched off.
    pub fn waiting(&self) -> impl Iterator<Item = BodyId> + use<'w> {
        let out = &self.state().out;
        let mut next = out.len();
        self.entry.pool.iter().enumerate().filter_map(move |(k, b)| {
            let is_out = next > 0 && out[next - 1] as usize == k;
            next -= usize::from(is_out);
            (!is_out).then_some(*b)
        })
    }

    /// The rods between them, from the feed node to the end.
    pub fn links(&self) -> &'w [JointId] {
        &self.entry.links
    }

    /// The rope without mass that leads to the feed node; none out of a locker.
    pub fn rope(&self) -> Option<RopeId> {
        if let Source::Guides { rope, .. } = self.entry.source { Some(rope) } else { None }
    }

    /// What is out, from the last guide or the hawse to the end, m.
    pub fn out(&self) -> f64 {
        let below = self.state().out.first().map_or(0.0, |&k| f64::from(k) * self.entry.l0);
        self.world.feed_span(self.entry).map_or(0.0, |s| s.length) + below
    }

    /// What is left on the drum or in the locker, m.
    pub fn stored(&self) -> f64 {
        (self.entry.total - self.out()).max(0.0)
    }

    /// Tension at the guide or hawse, N.
    pub fn tension(&self) -> f64 {
        self.world.heavy_tension(self.entry)
    }

    /// Rope in each piece, from the feed node to the end, m: a segment, or several of them where it is adaptive and tight.
    pub fn lengths(&self) -> impl Iterator<Item = f64> + use<'w> {
        let l0 = self.entry.l0;
        self.state().out.windows(2).map(move |pair| f64::from(pair[0] - pair[1]) * l0)
    }

    /// Tension of each piece, from the feed node to the end, N.
    pub fn tensions(&self) -> impl Iterator<Item = f64> + use<'w> {
        let world = self.world;
        self.entry.links.iter().map(move |&l| world.joint(l).map_or(0.0, |j| j.tension()))
    }
}

impl Part for HeavyRope {
    type Handle = HeavyRopeId;
    fn add_to(self, world: &mut World) -> Result<HeavyRopeId> {
        world.insert_heavy(self)
    }
}

impl World {
    /// Looks at a heavy rope.
    pub fn heavy_rope(&self, id: HeavyRopeId) -> Result<HeavyRopeRef<'_>> {
        Ok(HeavyRopeRef { world: self, entry: self.model.heavy(id)?, slot: id.0.slot as usize })
    }

    /// All heavy ropes, in a fixed order.
    pub fn heavy_ropes(&self) -> impl Iterator<Item = (HeavyRopeId, HeavyRopeRef<'_>)> {
        self.model.heavies.iter().map(|(k, entry)| {
            let slot = k.slot as usize;
            (HeavyRopeId(k), HeavyRopeRef { world: self, entry, slot })
        })
    }

    fn insert_heavy(&mut self, rope: HeavyRope) -> Result<HeavyRopeId> {
        let mut made = Vec::new();
        let done = self.make_heavy(rope, &mut made);
        if done.is_err() {
            // Nothing is left half done; with the particles go their joints and ropes.
            for body in made {
                let _ = self.take_body(body);
            }
        }
        done
    }

    fn make_heavy(&mut self, rope: HeavyRope, made: &mut Vec<BodyId>) -> Result<HeavyRopeId> {
        if let Head::Parts(memory) = rope.head {
            return self.take_up(*memory);
        }
        let HeavyRope { head, end, density, segment, stored, collider, diameter, stiffness, adaptive, name } = rope;
        let Some((end, point)) = end else {
            return Err(Error::input(
                "end of the rope",
                "no point of a body",
                "a point of a body: say to(body, point)",
            ));
        };
        positive("mass of a metre of the rope", density, "kg/m")?;
        crate::error::non_negative("stored length of the rope", stored, "m")?;
        crate::error::non_negative("diameter of the rope", diameter, "m")?;
        stiffness.map_or(Ok(0.0), |ea| positive("stiffness of the rope", ea, "N"))?;
        self.model.body(end)?;
        let from = match &head {
            Head::Locker(body, at) => {
                self.model.body(*body)?;
                crate::error::finite_vec("hawse of the rope", *at, "m")?;
                *at
            }
            Head::Guides(reeving) if reeving.closed => {
                let expected = "a rope with an end: one with mass hangs below its last guide";
                return Err(Error::input("rope with mass", "an endless rope", expected));
            }
            Head::Guides(reeving) => self.last_tangent(&reeving.clone().to(end, point))?,
            // Taken up above.
            Head::Parts(_) => point,
        };
        let length = (point - from).length();
        let l0 = segment.unwrap_or((length + stored) / PIECES);
        positive("segment of the rope", l0, "m")?;
        let links = (length / l0 - SHORT).floor();
        if (length + stored) / l0 > MOST {
            let expected = format!("at least {:.6} m: no more than {MOST} pieces", (length + stored) / MOST);
            return Err(Error::input("segment of the rope", l0, expected));
        }
        if !(links >= 1.0) {
            let expected = format!("at most {:.6} m: one and a half of it must be out", length / LONG);
            return Err(Error::input("segment of the rope", l0, expected));
        }
        let links = links as usize;
        let along = (point - from) / length;
        let first = length - links as f64 * l0;
        // As many nodes as there can be with half a segment above the last of them.
        let most = links.max(((length + stored) / l0 - SHORT).floor() as usize);
        self.check_room_for(most + 1)?;
        let (v0, v1) = match &head {
            Head::Guides(_) => (self.speed_at(end, point), self.speed_at(end, point)),
            _ => (DVec3::ZERO, self.speed_at(end, point)),
        };
        for k in 0..=most {
            // Those that are not out wait where they will come from.
            let s = if k <= links { first + (links - k) as f64 * l0 } else { 0.0 };
            let name = if name.is_empty() { String::new() } else { format!("{name} {k}") };
            let node = Body::particle(density * l0).at(from + s * along).moving(v0.lerp(v1, s / length), DVec3::ZERO);
            let node = node.named(name);
            let node = self.add(if k <= links { node } else { node.disabled() })?;
            made.push(node);
            if let Some(c) = &collider {
                self.add(c.clone().on(node))?;
            }
        }
        let pool = made.clone();
        let out: Vec<u32> = (0..=links as u32).rev().collect();
        let state = HeavyState { pieces: vec![[0.0; 2]; links], out };
        let mut entry = HeavyEntry {
            // Until it is known.
            source: Source::Locker { body: end, at: DVec3::ZERO, stop: JointId(end.0) },
            rods: Vec::with_capacity(most),
            nodes: state.out.iter().map(|&k| pool[k as usize]).collect(),
            links: Vec::with_capacity(links),
            pool,
            density,
            l0,
            total: length + stored,
            diameter,
            stiffness,
            adaptive,
            tail: 0.0,
            held: None,
            name,
            load: None,
        };
        for k in 1..entry.pool.len() {
            let (upper, lower) = (entry.pool[k], entry.pool[k - 1]);
            let rod = Distance::between(upper, lower).length(l0).linear(entry.softness(l0));
            entry.rods.push(self.add(rod)?);
            self.set_collision(upper, lower, false)?;
        }
        entry.links.extend(entry.rods[..links].iter().rev());
        self.add(Ball::between(entry.pool[0], end).at(point))?;
        self.set_collision(entry.pool[0], end, false)?;
        let start = from + first * along;
        let feed = entry.pool[links];
        entry.source = match head {
            Head::Locker(body, at) => {
                let side = self.side(body);
                let stop = Rope::between(feed, body).ends(start, at).length(first + stored);
                let local = side.rot.transpose() * (at - side.pos);
                Source::Locker { body, at: local, stop: self.add(stop)? }
            }
            Head::Guides(reeving) => {
                let rope = self.add(reeving.to(feed, start).named(entry.name.clone()))?;
                let drum = self.model.rope(rope)?.guides[0];
                let rotor = Some(drum.body).filter(|b| {
                    drum.groove.radius > 0.0 && self.model.body(*b).is_ok_and(|b| b.motion == Motion::Dynamic)
                });
                let rotor = rotor.and_then(|b| self.model.body(b).ok().map(|e| (b, e.mass, e.inertia)));
                Source::Guides { rope, rotor }
            }
            Head::Parts(_) => entry.source,
        };
        self.hold_heavy_twist(&mut entry, end);
        self.let_near(&entry, &state);
        self.weigh_heavy(&entry, &state.out)?;
        Ok(self.keep_heavy(entry, state))
    }

    /// Adds a heavy rope whose parts are there.
    fn keep_heavy(&mut self, entry: HeavyEntry, state: HeavyState) -> HeavyRopeId {
        let print = identity::heavy(&entry);
        let key = self.model.heavies.insert(entry);
        match self.state.heavies.get_mut(key.slot as usize) {
            Some(slot) => *slot = state,
            None => self.state.heavies.push(state),
        }
        self.note(Edit::AddHeavyRope, key.slot, print);
        HeavyRopeId(key)
    }

    fn heavy_tension(&self, entry: &HeavyEntry) -> f64 {
        match entry.source {
            Source::Guides { rope, .. } => self.rope(rope).map_or(0.0, |r| r.tensions().last().unwrap_or(0.0)),
            Source::Locker { stop, .. } => self.joint(stop).map_or(0.0, |j| j.tension()),
        }
    }

    fn speed_at(&self, body: BodyId, point: DVec3) -> DVec3 {
        let s = &self.state.bodies[body.0.slot as usize];
        s.vel + s.omega.cross(point - s.pos)
    }
}
