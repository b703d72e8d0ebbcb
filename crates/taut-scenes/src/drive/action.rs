//! What events do between two steps.

use super::record::{Books, Line, Pull, PutIn};
use taut::constraint::Primitive;
use taut::{
    BodyId, ColliderId, Command, Cut, DeformableId, Drive, ForceId, Friction, HeavyRopeId, JointId, Limit, LimitId,
    MotorId, Result, RopeEnd, RopeId, Vec3, World,
};

/// Something that can be taken out of a world.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Thing {
    Body(BodyId),
    Joint(JointId),
    Force(ForceId),
    Collider(ColliderId),
    Rope(RopeId),
}

impl Thing {
    fn is_there(self, world: &World) -> bool {
        match self {
            Thing::Body(id) => world.body(id).is_ok(),
            Thing::Joint(id) => world.joint(id).is_ok(),
            Thing::Force(id) => world.force(id).is_ok(),
            Thing::Collider(id) => world.collider(id).is_ok(),
            Thing::Rope(id) => world.rope(id).is_ok(),
        }
    }

    fn remove(self, world: &mut World) -> Result<()> {
        match self {
            Thing::Body(id) => world.remove(id),
            Thing::Joint(id) => world.remove(id),
            Thing::Force(id) => world.remove(id),
            Thing::Collider(id) => world.remove(id),
            Thing::Rope(id) => world.remove(id),
        }
    }
}

/// A number of the model that is not part of a snapshot: going back puts it back.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Setting {
    Joint(JointId, bool),
    Body(BodyId, bool),
    Collider(ColliderId, bool),
    Limit(LimitId, Limit),
    Length(JointId, f64),
    Friction(JointId, Friction),
    Force(ForceId, taut::Force),
    Gravity(Vec3),
}

impl Setting {
    /// What it belongs to.
    fn of(&self) -> Option<Thing> {
        Some(match *self {
            Setting::Joint(id, _) | Setting::Length(id, _) | Setting::Friction(id, _) => Thing::Joint(id),
            Setting::Limit(id, _) => Thing::Joint(id.joint()),
            Setting::Body(id, _) => Thing::Body(id),
            Setting::Collider(id, _) => Thing::Collider(id),
            Setting::Force(id, _) => Thing::Force(id),
            Setting::Gravity(_) => return None,
        })
    }

    /// Makes it so; what is gone is left alone.
    pub fn apply(&self, world: &mut World) -> Result<()> {
        if self.of().is_some_and(|thing| !thing.is_there(world)) {
            return Ok(());
        }
        match *self {
            Setting::Joint(id, on) => world.set_joint_enabled(id, on),
            Setting::Body(id, on) => world.set_body_enabled(id, on),
            Setting::Collider(id, on) => world.set_collider_enabled(id, on),
            Setting::Limit(id, limit) => world.set_limit(id, limit),
            Setting::Length(id, length) => world.set_length(id, length),
            Setting::Friction(id, friction) => world.set_friction(id, friction),
            Setting::Force(id, force) => world.set_force(id, force),
            Setting::Gravity(gravity) => set_gravity(world, gravity),
        }
    }
}

/// Sets gravity, m/s^2, where it is another.
pub(crate) fn set_gravity(world: &mut World, gravity: Vec3) -> Result<()> {
    if world.options().gravity == gravity {
        return Ok(());
    }
    let options = taut::Options { gravity, ..*world.options() };
    world.set_options(options)
}

/// What a program drives and an event may take from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Target {
    Motor(MotorId),
    Length(JointId),
    Gravity,
}

/// Something that an event does.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    /// Takes it out for good.
    Remove(Thing),
    /// Cuts a deformable.
    Cut { deformable: DeformableId, along: Cut },
    /// Sets something, and what it is in the file.
    Set { to: Setting, from: Setting },
    /// Tells a motor what to do.
    Command(MotorId, Command),
    /// Tells a motor to stay where it is.
    Hold(MotorId),
    /// Lets a motor go.
    Release(MotorId),
    /// Pays out so much of a rope over guides, m.
    PayOut { rope: RopeId, length: f64 },
    /// Cuts a rope over guides with so much before the cut, m, and names what comes off.
    CutRope { rope: RopeName, length: f64, rest: Option<String> },
    /// Lets an end of a rope over guides go.
    ReleaseRope(EndName),
    /// Ties one to a body at a point of it (its own coordinates, m), with so much slack, m, where that is said.
    AttachRope { end: EndName, body: BodyId, point: Vec3, slack: Option<f64> },
    /// Makes one rope of two.
    SpliceRopes(EndName, EndName),
    /// Hits a body at a point of it (its own coordinates, m), N s, and spins it, N m s.
    Impulse { body: BodyId, point: Vec3, impulse: Vec3, angular: Vec3 },
    /// Ends the run.
    Stop(String),
}

/// Cuts a rope with mass at so much of it from its start, m. Before its last guide all that has mass comes off.
fn cut_heavy(world: &mut World, heavy: HeavyRopeId, led: RopeId, length: f64) -> Result<()> {
    let (rope, out) = (world.rope(led)?, world.heavy_rope(heavy)?.out());
    let before = rope.length() - rope.lengths().last().unwrap_or(0.0);
    if length >= before + out {
        let expected = format!("less than {:.6} m: inside the rope", before + out);
        return Err(taut::Error::input("length to cut the rope at", length, expected));
    }
    world.cut_heavy_rope(heavy, (length - before).max(f64::MIN_POSITIVE)).map(drop)
}

impl Action {
    /// Does it; what is gone is left alone.
    pub fn act(&self, world: &mut World, books: &mut Books) -> Result<()> {
        match self {
            Action::Remove(thing) if thing.is_there(world) => {
                books.open(world)?;
                thing.remove(world)
            }
            Action::Cut { deformable, along } if world.deformable(*deformable).is_ok() => {
                books.open(world)?;
                world.cut(*deformable, along).map(drop)
            }
            Action::Set { to: Setting::Length(joint, length), .. } => match length_of(world, *joint) {
                Some(before) => books.lengthen(world, *joint, [before, *length], true),
                None => Ok(()),
            },
            Action::Set { to, .. } => {
                books.open(world)?;
                to.apply(world)
            }
            Action::Command(motor, command) if world.motor(*motor).is_ok() => world.set_motor(*motor, *command),
            Action::Hold(id) => match world.motor(*id).map(|m| (m.drive(), m.position())) {
                Ok((Drive::Servo { stiffness, .. }, here)) if stiffness > 0.0 => {
                    world.set_motor(*id, Command::target(here))
                }
                Ok(_) => world.set_motor(*id, Command::rate(0.0)),
                Err(_) => Ok(()),
            },
            Action::Release(motor) if world.motor(*motor).is_ok() => world.release_motor(*motor),
            Action::PayOut { rope, length } => books.pay_out(world, *rope, *length),
            Action::CutRope { rope, length, rest } => {
                let Some(rope) = rope.find(world) else { return Ok(()) };
                let heavy = world.heavy_ropes().find(|(_, h)| h.rope() == Some(rope)).map(|(id, _)| id);
                books.aside(world, |w| {
                    if let Some(heavy) = heavy {
                        return cut_heavy(w, heavy, rope, *length);
                    }
                    let cut = w.cut_rope(rope, *length)?;
                    rest.as_ref().map_or(Ok(()), |name| w.name_rope(cut.ropes[1], name.as_str()))
                })
            }
            Action::ReleaseRope(end) => match end.find(world) {
                Some(end) => books.aside(world, |w| w.release_rope(end).map(drop)),
                None => Ok(()),
            },
            Action::AttachRope { end, body, point, slack } => {
                let (Some(end), Ok(b)) = (end.find(world), world.body(*body)) else { return Ok(()) };
                let at = b.pose().to_world(*point);
                books.aside(world, |w| match slack {
                    Some(slack) => w.attach_rope_with_slack(end, *body, at, *slack),
                    None => w.attach_rope(end, *body, at),
                })
            }
            Action::SpliceRopes(a, b) => match (a.find(world), b.find(world)) {
                (Some(a), Some(b)) => books.aside(world, |w| w.splice_ropes(a, b).map(drop)),
                _ => Ok(()),
            },
            Action::Impulse { body, point, impulse, angular } => {
                let Ok(at) = world.body(*body).map(|b| b.pose().to_world(*point)) else { return Ok(()) };
                books.open(world)?;
                if *impulse != Vec3::ZERO {
                    world.apply_impulse(*body, *impulse, at)?;
                }
                if *angular == Vec3::ZERO { Ok(()) } else { world.apply_angular_impulse(*body, *angular) }
            }
            Action::Stop(_) | Action::Remove(_) | Action::Cut { .. } | Action::Command(..) | Action::Release(_) => {
                Ok(())
            }
        }
    }

    /// Makes its settings anew, or what they were; the rest is part of a snapshot.
    pub fn restore(&self, world: &mut World, again: bool) -> Result<()> {
        match self {
            Action::Set { to, from } => if again { to } else { from }.apply(world),
            _ => Ok(()),
        }
    }

    /// What it takes from a program.
    pub fn takes(&self) -> Option<Target> {
        match self {
            Action::Command(m, _) | Action::Hold(m) | Action::Release(m) => Some(Target::Motor(*m)),
            Action::Set { to: Setting::Length(j, _), .. } => Some(Target::Length(*j)),
            Action::Set { to: Setting::Gravity(_), .. } => Some(Target::Gravity),
            _ => None,
        }
    }
}

/// Length of a rod, rope or ligament, m.
fn length_of(world: &World, joint: JointId) -> Option<f64> {
    let joint = world.joint(joint).ok()?;
    let rod = joint.rows().iter().find_map(|r| match r.primitive {
        Primitive::Distance { length, .. } => Some(length),
        _ => None,
    });
    rod.or_else(|| joint.own_limits().next().map(|l| l.upper))
}

/// A rope over guides that is there from the start, or one that an event makes and names.
#[derive(Clone, Debug)]
pub(crate) enum RopeName {
    Id(RopeId),
    Made(String),
}

impl RopeName {
    /// The rope, while it is there.
    fn find(&self, world: &World) -> Option<RopeId> {
        match self {
            RopeName::Id(id) => world.rope(*id).is_ok().then_some(*id),
            RopeName::Made(name) => world.find_rope(name).ok(),
        }
    }
}

/// An end of one.
#[derive(Clone, Debug)]
pub(crate) struct EndName {
    pub rope: RopeName,
    pub last: bool,
}

impl EndName {
    fn find(&self, world: &World) -> Option<RopeEnd> {
        Some(RopeEnd { rope: self.rope.find(world)?, last: self.last })
    }
}

impl Books {
    /// A change that the engine books itself: it is none of what the script puts in.
    fn aside(&mut self, world: &mut World, change: impl FnOnce(&mut World) -> Result<()>) -> Result<()> {
        let before = if self.before.is_some() { world.energy()?.total() } else { 0.0 };
        change(world)?;
        if let Some(noted) = &mut self.before {
            *noted += world.energy()?.total() - before;
        }
        Ok(())
    }

    /// Notes the energy before the first change between two steps.
    pub fn open(&mut self, world: &mut World) -> Result<()> {
        if self.before.is_none() {
            self.before = Some(world.energy()?.total());
        }
        Ok(())
    }

    /// Gives a rope or rod that has one length another, m; one that may be soft can hold more by that at once.
    pub fn lengthen(&mut self, world: &mut World, joint: JointId, [from, to]: [f64; 2], soft: bool) -> Result<()> {
        let mut stored = 0.0;
        if soft {
            self.open(world)?;
            stored -= world.energy()?.total();
        }
        world.set_length(joint, to)?;
        if soft {
            stored += world.energy()?.total();
        }
        self.pulled.push(Pull { of: Line::Joint(joint), change: to - from, stored });
        Ok(())
    }

    /// Pays out so much of a rope over guides, m; what is gone is left alone.
    pub fn pay_out(&mut self, world: &mut World, rope: RopeId, length: f64) -> Result<()> {
        let Ok(before) = world.rope(rope) else { return Ok(()) };
        if length == 0.0 {
            return Ok(());
        }
        let soft = before.stiffness().is_some();
        let mut stored = 0.0;
        if soft {
            self.open(world)?;
            stored -= world.energy()?.total();
        }
        world.pay_out(rope, length)?;
        if soft {
            stored += world.energy()?.total();
        }
        self.pulled.push(Pull { of: Line::Rope(rope), change: length, stored });
        Ok(())
    }

    /// Books what the changes came to.
    pub fn close(&mut self, world: &mut World) -> Result<()> {
        if let Some(before) = self.before.take() {
            // Where nothing is left that moves, nothing is left to book.
            self.put_in += world.energy().map_or(0.0, |e| e.total() - before);
        }
        Ok(())
    }
}

impl Books {
    /// What was put in since it was asked last.
    pub fn settle(&mut self, world: &World) -> PutIn {
        let mut out = PutIn { between: std::mem::take(&mut self.put_in), ropes: 0.0 };
        for p in self.pulled.drain(..) {
            // One that is off keeps the tension that it had, and pulls at nothing.
            let tension = match p.of {
                Line::Joint(id) => world.joint(id).ok().filter(|j| j.is_enabled()).map(|j| j.tension()),
                // It is paid out at its end.
                Line::Rope(id) => world.rope(id).ok().and_then(|r| r.tensions().last()),
            };
            out.ropes += tension.map_or(0.0, |t| -t * p.change - p.stored);
        }
        out
    }
}
