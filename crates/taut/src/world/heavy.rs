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

use super::{Edit, Part, World};
use crate::error::{Error, Result, positive};
use crate::ids::{BodyId, HeavyRopeId, JointId, RopeId};
use crate::joints::{Ball, Distance, Rope};
use crate::math::so3::outer;
use crate::model::Motion;
use crate::model::body::Body;
use crate::model::heavy::{Head, HeavyEntry, HeavyRope, Source};
use crate::reeve::Groove;
use crate::report::StepReport;
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
}

impl<'w> HeavyRopeRef<'w> {
    /// Its name.
    pub fn name(&self) -> &'w str {
        &self.entry.name
    }

    /// Its particles, from the feed node to the end.
    pub fn nodes(&self) -> &'w [BodyId] {
        &self.entry.nodes
    }

    /// The rods between them.
    pub fn links(&self) -> &'w [JointId] {
        &self.entry.links
    }

    /// The rope without mass that leads to the feed node; none out of a locker.
    pub fn rope(&self) -> Option<RopeId> {
        if let Source::Guides { rope, .. } = self.entry.source { Some(rope) } else { None }
    }

    /// What is out, from the last guide or the hawse to the end, m.
    pub fn out(&self) -> f64 {
        let entry = self.entry;
        self.world.feed_span(entry).map_or(0.0, |s| s.length) + entry.links.len() as f64 * entry.l0
    }

    /// What is left on the drum or in the locker, m.
    pub fn stored(&self) -> f64 {
        (self.entry.total - self.out()).max(0.0)
    }

    /// Tension at the guide or hawse, N.
    pub fn tension(&self) -> f64 {
        match self.entry.source {
            Source::Guides { rope, .. } => self.world.rope(rope).map_or(0.0, |r| r.tensions().last().unwrap_or(0.0)),
            Source::Locker { stop, .. } => self.world.joint(stop).map_or(0.0, |j| j.tension()),
        }
    }

    /// Tension of each piece, from the feed node to the end, N.
    pub fn tensions(&self) -> impl Iterator<Item = f64> + use<'w> {
        let world = self.world;
        self.entry.links.iter().map(move |&l| world.joint(l).map_or(0.0, |j| j.tension()))
    }
}

/// The span above a feed node.
#[derive(Clone, Copy)]
pub(super) struct Feed {
    /// Where it leaves the guide, m, and how fast that moves, m/s.
    pub from: DVec3,
    pub carried: DVec3,
    /// Unit vector to the node.
    pub along: DVec3,
    /// Of the rope in it, m.
    pub length: f64,
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
        Ok(HeavyRopeRef { world: self, entry: self.model.heavy(id)? })
    }

    /// All heavy ropes, in a fixed order.
    pub fn heavy_ropes(&self) -> impl Iterator<Item = (HeavyRopeId, HeavyRopeRef<'_>)> {
        self.model.heavies.iter().map(|(k, entry)| (HeavyRopeId(k), HeavyRopeRef { world: self, entry }))
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
        let HeavyRope { head, end, density, segment, stored, collider, name } = rope;
        let Some((end, point)) = end else {
            return Err(Error::input(
                "end of the rope",
                "no point of a body",
                "a point of a body: say to(body, point)",
            ));
        };
        positive("mass of a metre of the rope", density, "kg/m")?;
        crate::error::non_negative("stored length of the rope", stored, "m")?;
        self.model.body(end)?;
        let from = match &head {
            Head::Locker(body, at) => {
                self.model.body(*body)?;
                crate::error::finite_vec("hawse of the rope", *at, "m")?;
                *at
            }
            Head::Guides(reeving) => self.last_tangent(&reeving.clone().to(end, point))?,
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
        self.check_room_for(links as usize + 1)?;
        let links = links as usize;
        let along = (point - from) / length;
        let first = length - links as f64 * l0;
        let (v0, v1) = match &head {
            Head::Locker(..) => (DVec3::ZERO, self.speed_at(end, point)),
            Head::Guides(_) => (self.speed_at(end, point), self.speed_at(end, point)),
        };
        let mut nodes = Vec::with_capacity(links + 1);
        for k in 0..=links {
            let s = first + k as f64 * l0;
            let share = if matches!(head, Head::Locker(..)) { 1.0 } else { 0.5 };
            let mass = density
                * if k == 0 {
                    share * first + 0.5 * l0
                } else if k == links {
                    0.5 * l0
                } else {
                    l0
                };
            let name = if name.is_empty() { String::new() } else { format!("{name} {}", links - k) };
            let node =
                Body::particle(mass).at(from + s * along).moving(v0.lerp(v1, s / length), DVec3::ZERO).named(name);
            let node = self.add(node)?;
            made.push(node);
            nodes.push(node);
            if let Some(c) = &collider {
                self.add(c.clone().on(node))?;
            }
        }
        let mut rods = Vec::with_capacity(links);
        for pair in nodes.windows(2) {
            rods.push(self.add(Distance::between(pair[0], pair[1]).length(l0))?);
            self.set_collision(pair[0], pair[1], false)?;
        }
        self.add(Ball::between(nodes[links], end).at(point))?;
        self.set_collision(nodes[links], end, false)?;
        let out = first + links as f64 * l0;
        let start = from + first * along;
        let source = match head {
            Head::Locker(body, at) => {
                let side = self.side(body);
                let stop = Rope::between(nodes[0], body).ends(start, at).length(first + stored);
                let local = side.rot.transpose() * (at - side.pos);
                Source::Locker { body, at: local, stop: self.add(stop)? }
            }
            Head::Guides(reeving) => {
                let rope = self.add(reeving.to(nodes[0], start).named(name.clone()))?;
                let drum = self.model.rope(rope)?.guides[0];
                let rotor = Some(drum.body).filter(|b| {
                    drum.groove.radius > 0.0 && self.model.body(*b).is_ok_and(|b| b.motion == Motion::Dynamic)
                });
                let rotor = rotor.and_then(|b| self.model.body(b).ok().map(|e| (b, e.mass, e.inertia)));
                Source::Guides { rope, rotor }
            }
        };
        let entry = HeavyEntry { source, nodes, links: rods, density, l0, total: out + stored, collider, name };
        self.weigh_drum(&entry)?;
        self.press(&entry)?;
        let key = self.model.heavies.insert(entry);
        Ok(HeavyRopeId(key))
    }

    fn speed_at(&self, body: BodyId, point: DVec3) -> DVec3 {
        let s = &self.state.bodies[body.0.slot as usize];
        s.vel + s.omega.cross(point - s.pos)
    }

    /// The span above the feed node; none while its guides overlap.
    pub(super) fn feed_span(&self, entry: &HeavyEntry) -> Option<Feed> {
        let x = self.state.bodies[entry.nodes[0].0.slot as usize].pos;
        match entry.source {
            Source::Locker { body, at, .. } => {
                let side = self.side(body);
                let from = side.pos + side.rot * at;
                let way = x - from;
                let length = way.length();
                let along = way.try_normalize()?;
                Some(Feed { from, carried: self.speed_at(body, from), along, length })
            }
            Source::Guides { rope, .. } => {
                let view = self.rope(rope).ok()?;
                let [from, to] = view.ends().last()?;
                let guide = view.bodies().nth(view.span_count() - 1)?;
                // A drum turns under the rope: where it leaves the drum goes with the axle.
                let carried = self.state.bodies[guide.0.slot as usize].vel;
                let slack = (-view.excess()).max(0.0);
                Some(Feed { from, carried, along: (to - from).try_normalize()?, length: (to - from).length() + slack })
            }
        }
    }

    /// What the drum carries of the rope.
    fn weigh_drum(&mut self, entry: &HeavyEntry) -> Result<()> {
        let Source::Guides { rope, rotor: Some((body, mass, inertia)) } = entry.source else { return Ok(()) };
        let Some(feed) = self.feed_span(entry) else { return Ok(()) };
        let drum = self.model.rope(rope)?.guides[0].groove;
        let out = feed.length + entry.links.len() as f64 * entry.l0;
        let carried = entry.density * ((entry.total - out).max(0.0) + 0.5 * feed.length);
        let turn = drum.radius * drum.radius * carried;
        self.change_mass(body, mass + carried, inertia + turn * outer(drum.axis, drum.axis))
    }

    /// Sets a mass between steps; velocities stay.
    pub(super) fn change_mass(&mut self, body: BodyId, mass: f64, inertia: glam::DMat3) -> Result<()> {
        self.change_body(body, true, |b| {
            (b.mass, b.inertia, b.solid) = (mass, inertia, None);
            Ok(())
        })
    }

    /// The configurational force on the feed node in the next step.
    fn press(&mut self, entry: &HeavyEntry) -> Result<()> {
        let Some(feed) = self.feed_span(entry) else { return Ok(()) };
        self.push_feed(entry, &feed, 1.0)
    }

    /// Takes it back.
    pub(super) fn lift(&mut self, entry: &HeavyEntry, feed: &Feed) -> Result<()> {
        self.push_feed(entry, feed, -1.0)
    }

    fn push_feed(&mut self, entry: &HeavyEntry, feed: &Feed, sign: f64) -> Result<()> {
        let force = sign * (1.0 - entry.share()) * entry.density * self.options.gravity.dot(feed.length * feed.along);
        let point = feed.from + feed.length * feed.along;
        self.apply_force(entry.nodes[0], force * feed.along, point)
    }

    /// Ropes with mass after a step: what has run in or out.
    pub(super) fn feed(&mut self, h: f64, report: &mut StepReport) -> Result<()> {
        let ids: Vec<HeavyRopeId> = self.model.heavies.iter().map(|(k, _)| HeavyRopeId(k)).collect();
        for id in ids {
            let entry = self.model.heavy(id)?.clone();
            if entry.nodes.iter().any(|b| self.model.body(*b).is_err()) {
                // A part of it was removed: what is left is bodies and joints like others.
                self.model.heavies.remove(id.0);
                continue;
            }
            let before = self.energy()?.total();
            if let Some(feed) = self.feed_span(&entry) {
                self.run_in(&entry, &feed, h)?;
            }
            let fed = self.energy()?.total();
            let entry = self.divide(id, entry)?;
            let after = self.energy()?;
            report.ledger.fed += fed - before;
            report.ledger.merged += after.total() - fed;
            report.ledger.change += after.total() - before;
            report.energy = after;
            self.press(&entry)?;
        }
        Ok(())
    }

    /// Mass that has run into the feed node in a step, with its momentum.
    fn run_in(&mut self, entry: &HeavyEntry, feed: &Feed, h: f64) -> Result<()> {
        let node = entry.nodes[0];
        let old = self.model.body(node)?.mass;
        let mass = entry.density * (entry.share() * feed.length + 0.5 * entry.l0);
        let more = mass - old;
        let speed = match entry.source {
            Source::Guides { .. } => more / (entry.share() * entry.density * h),
            Source::Locker { .. } => 0.0,
        };
        if more > 0.0 {
            let s = &mut self.state.bodies[node.0.slot as usize];
            s.vel = (old * s.vel + more * (feed.carried + speed * feed.along)) / mass;
        }
        self.change_mass(node, mass, glam::DMat3::ZERO)?;
        self.weigh_drum(entry)
    }

    /// Divides the span above the feed node, or joins it to the next.
    fn divide(&mut self, id: HeavyRopeId, mut entry: HeavyEntry) -> Result<HeavyEntry> {
        let l0 = entry.l0;
        while let Some(feed) = self.feed_span(&entry) {
            let is_long = feed.length > LONG * l0;
            let is_short = feed.length < SHORT * l0 && entry.nodes.len() > 2;
            if is_long {
                self.split(&mut entry, &feed)?;
            } else if is_short {
                self.merge(&mut entry, &feed)?;
            } else {
                break;
            }
            if let Some(kept) = self.model.heavies.get_mut(id.0) {
                *kept = entry.clone();
            }
            self.weigh_drum(&entry)?;
        }
        Ok(entry)
    }

    fn split(&mut self, entry: &mut HeavyEntry, feed: &Feed) -> Result<()> {
        let (l0, density, old) = (entry.l0, entry.density, entry.nodes[0]);
        self.check_room_for(1)?;
        let left = feed.length - l0;
        let place = feed.from + left * feed.along;
        let flow = self.flow(entry, feed);
        let share = entry.share();
        let own = self.state.bodies[old.0.slot as usize].vel;
        let velocity = own.lerp(flow, 2.0 * (1.0 - share) * l0 / feed.length);
        let tension = self.heavy_tension(entry);
        let name = if entry.name.is_empty() { String::new() } else { format!("{} {}", entry.name, entry.nodes.len()) };
        let new = self.add(
            Body::particle(density * (share * left + 0.5 * l0)).at(place).moving(velocity, DVec3::ZERO).named(name),
        )?;
        if let Some(c) = entry.collider.clone() {
            self.add(c.on(new))?;
        }
        // It goes on in the rhythm of its neighbour: kicks are centred between the steps.
        let (from, to) = (old.0.slot as usize, new.0.slot as usize);
        let (pos, vel) = (self.state.bodies[to].pos, self.state.bodies[to].vel);
        self.state.bodies[to] = self.state.bodies[from];
        (self.state.bodies[to].pos, self.state.bodies[to].vel) = (pos, vel);
        self.change_mass(old, density * l0, glam::DMat3::ZERO)?;
        let link = self.add(Distance::between(new, old).length(l0))?;
        self.set_collision(new, old, false)?;
        self.inherit(link, entry.links.first().copied(), tension);
        self.lead_to(entry, new, place, -l0)?;
        entry.nodes.insert(0, new);
        entry.links.insert(0, link);
        Ok(())
    }

    fn merge(&mut self, entry: &mut HeavyEntry, feed: &Feed) -> Result<()> {
        let (l0, density) = (entry.l0, entry.density);
        let (gone, next) = (entry.nodes[0], entry.nodes[1]);
        let (x1, x2) = (self.state.bodies[gone.0.slot as usize].vel, self.state.bodies[next.0.slot as usize].vel);
        let place = self.state.bodies[next.0.slot as usize].pos;
        let (l, flow) = (feed.length, self.flow(entry, feed));
        let tension = self.heavy_tension(entry);
        // Linear momentum of the two and of the part that rides with the drum.
        let (share, ride) = (entry.share(), (1.0 - entry.share()) * l0);
        let (first, both) = (share * l + 0.5 * l0, share * (l + l0) + 0.5 * l0);
        self.state.bodies[next.0.slot as usize].vel = (first * x1 + l0 * x2 - ride * flow) / both;
        self.change_mass(next, density * both, glam::DMat3::ZERO)?;
        self.lead_to(entry, next, place, l0)?;
        self.take_body(gone)?;
        entry.nodes.remove(0);
        entry.links.remove(0);
        if let Source::Guides { rope, .. } = entry.source
            && let Some(span) = self.state.ropes[rope.0.slot as usize].spans.last_mut()
        {
            span.lambda = -tension;
        }
        Ok(())
    }

    /// Velocity of the rope where it leaves the guide, m/s.
    fn flow(&self, entry: &HeavyEntry, feed: &Feed) -> DVec3 {
        let node = &self.state.bodies[entry.nodes[0].0.slot as usize];
        match entry.source {
            Source::Guides { .. } => feed.carried + (node.vel - feed.carried).dot(feed.along) * feed.along,
            Source::Locker { .. } => feed.carried,
        }
    }

    fn heavy_tension(&self, entry: &HeavyEntry) -> f64 {
        HeavyRopeRef { world: self, entry }.tension()
    }

    /// Ties the rope, or the stop of the locker, to another node, with so much more of the rope above it, m.
    fn lead_to(&mut self, entry: &mut HeavyEntry, node: BodyId, place: DVec3, more: f64) -> Result<()> {
        match &mut entry.source {
            Source::Guides { rope, .. } => {
                let slot = rope.0.slot;
                let groove = Groove::point(DVec3::ZERO);
                if let Some(end) = self.model.ropes.get_mut(rope.0).and_then(|r| r.guides.last_mut()) {
                    (end.body, end.groove) = (node, groove);
                }
                if let Some(end) = self.state.ropes[slot as usize].stops.last_mut() {
                    (end.body, end.groove) = (node.0.slot, groove);
                }
                if let Some(span) = self.state.ropes[slot as usize].spans.last_mut() {
                    span.material += more;
                    span.reach += more;
                }
                let print = crate::model::identity::rope(self.model.rope(*rope)?);
                self.edited(Edit::AddRope, slot, print);
            }
            Source::Locker { body, at, stop } => {
                let side = self.side(*body);
                let hawse = side.pos + side.rot * *at;
                let old = *stop;
                let limit = self.joint(old)?.limits().next().map_or(f64::INFINITY, |l| l.upper);
                *stop = self.add(Rope::between(node, *body).ends(place, hawse).length(limit + more))?;
                self.drop_joint(old);
            }
        }
        Ok(())
    }

    /// Gives a new link the force of the one beside it, for the tension that it has.
    fn inherit(&mut self, link: JointId, beside: Option<JointId>, tension: f64) {
        let Ok(new) = self.model.joint(link) else { return };
        let row = new.row_start;
        let Some((other, carried)) = beside.and_then(|b| {
            let view = self.joint(b).ok()?;
            Some((self.state.lambda[self.model.joint(b).ok()?.row_start], view.tension()))
        }) else {
            return;
        };
        if carried != 0.0 {
            self.state.lambda[row] = other * tension / carried;
        }
    }
}
