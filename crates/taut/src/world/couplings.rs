//! Adding, changing, removing and looking at couplings between freedoms of joints.

use super::body_ref::only;
use super::{Edit, World};
use crate::bounded::{Measured, measured};
use crate::constraint::Primitive;
use crate::error::{Error, Result, finite};
use crate::ids::{BodyId, CouplingId, JointId};
use crate::joints::{Freedom, RowBuilder, Softness};
use crate::model::coupling::{Coupling, CouplingEntry, KnownTerm, Term};
use crate::model::freedoms::Taken;
use crate::model::{JointEntry, Motion, identity};
use crate::report::is_spring;
use crate::rows::{UNKNOWN, stored};
use crate::state::{CouplingState, MOST_TERMS};
use crate::tuning::T;
use glam::DVec3;

/// A coupling of a world, to look at. All is at the present pose, with the force of the last step.
///
/// A winch: 30 N m on the drum come as 7.5 N m to the motor behind a gear of 1 to 4.
/// ```
/// use taut::{Body, Force, Gear, Hinge, MassProperties, Motor, Vec3, World};
/// # let mut world = World::new();
/// # let disc = MassProperties::cylinder(7800.0, 0.02, 0.1)?;
/// # let (drum, rotor) = (world.add(Body::dynamic(disc))?, world.add(Body::dynamic(disc).at(0.4 * Vec3::X))?);
/// world.add(Force::Torque { body: drum, torque: 30.0 * Vec3::Y })?;
/// let drum = world.add(Hinge::between(drum, world.ground()).axis(Vec3::Y))?;
/// let motor = world.add(Hinge::between(rotor, world.ground()).axis(Vec3::Y).motor(Motor::rate().speed(0.0)))?;
/// let gear = world.add(Gear::between(drum, motor).ratio(-0.25).named("gear"))?;
/// world.step(0.01)?;
/// assert!((world.coupling(gear)?.force() + 30.0).abs() < 1e-6);
/// assert!((world.motor(motor)?.effort() - 7.5).abs() < 1e-6);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CouplingRef<'w> {
    world: &'w World,
    entry: &'w CouplingEntry,
    id: CouplingId,
}

impl<'w> CouplingRef<'w> {
    /// Its handle.
    pub fn id(&self) -> CouplingId {
        self.id
    }

    /// Its name.
    pub fn name(&self) -> &'w str {
        &self.entry.name
    }

    /// What it is, with its freedoms and its offset as they were found when it was added: to be changed and given back to
    /// [`World::set_coupling`].
    pub fn definition(&self) -> Coupling {
        let term = |t: &KnownTerm| Term { joint: t.joint, freedom: Some(t.freedom), ratio: t.ratio };
        Coupling {
            terms: self.entry.terms.iter().map(term).collect(),
            offset: Some(self.entry.offset),
            soft: self.entry.soft,
            name: self.entry.name.clone(),
        }
    }

    /// What the sum is to be.
    pub fn offset(&self) -> f64 {
        self.entry.offset
    }

    /// How it gives way.
    pub fn soft(&self) -> Softness {
        self.entry.soft
    }

    /// Where its freedoms are, in the order of its terms, m or rad: whole turns are counted.
    pub fn positions(&self) -> impl Iterator<Item = f64> + use<'w> {
        let world = self.world;
        let terms = self.entry.terms.iter().zip(&self.entry.primitives).zip(self.state().at);
        terms.map(move |((t, p), last)| t.freedom.wound(world.measure_term(t, p).q, last))
    }

    /// The sum less the offset, in the unit of the sum.
    pub fn error(&self) -> f64 {
        self.entry.sum(self.positions()) - self.entry.offset
    }

    /// The generalised force lambda, N or N m per unit of the sum. Freedom k gets ratio_k times that, N or N m; positive pushes the sum
    /// up. Zero while a joint of it, or one of their bodies, is switched off, and while none of them moves freely.
    pub fn force(&self) -> f64 {
        if self.is_active() { self.state().lambda } else { 0.0 }
    }

    /// Whether it holds anything.
    fn is_active(&self) -> bool {
        self.world.model.couples(self.entry)
    }

    /// Its part of the force (N) and of the torque about the centre of mass (N m, world frame) on a body. Those on all bodies
    /// together are zero: the force, and the torque about any point.
    pub fn force_on(&self, body: BodyId) -> Result<(DVec3, DVec3)> {
        self.world.model.body(body)?;
        let gradient = self.world.gradient(self.entry);
        let jac = gradient.iter().find(|(b, _)| *b == body).map_or([0.0; 6], |(_, jac)| *jac);
        let part = |at: usize| self.force() * DVec3::new(jac[at], jac[at + 1], jac[at + 2]);
        Ok((part(0), part(3)))
    }

    /// Energy stored in its compliance, J.
    pub fn energy(&self) -> f64 {
        let soft = &self.entry.soft;
        if is_spring(soft) && self.is_active() {
            stored(soft.compliance, self.error(), self.state().stretch)
        } else {
            0.0
        }
    }

    fn state(&self) -> &'w CouplingState {
        &self.world.state.couplings[self.id.0.slot as usize]
    }
}

impl World {
    /// Couples freedoms of joints. Couplings hold joints together as rigidly as joints hold bodies, and act on all of them at once: the
    /// bodies of its joints wake, and are one system with each other.
    pub(super) fn insert_coupling(&mut self, coupling: Coupling) -> Result<CouplingId> {
        self.check_room()?;
        let (entry, at) = self.read_coupling(coupling, None)?;
        self.wake_coupling(&entry);
        let print = identity::coupling(&entry);
        let key = self.model.couplings.insert(entry);
        let state = CouplingState::new(at);
        match self.state.couplings.get_mut(key.slot as usize) {
            Some(slot) => *slot = state,
            None => self.state.couplings.push(state),
        }
        self.edited(Edit::AddCoupling, key.slot, print);
        Ok(CouplingId(key))
    }

    /// Changes a coupling: its ratios, offset, give, or what it couples. The force of the last step and the turns of freedoms that stay
    /// are kept. Without an offset the sum stays at what it is now, as when a gearbox is shifted. With one the error that it leaves is
    /// closed: at once when it is small, by parts in the positions alone when it is not. It is a change of structure: snapshots from
    /// before it no longer fit.
    pub fn set_coupling(&mut self, id: CouplingId, coupling: Coupling) -> Result<()> {
        let (entry, at) = self.read_coupling(coupling, Some(id))?;
        self.wake_coupling(&self.model.coupling(id)?.clone());
        self.wake_coupling(&entry);
        let print = identity::coupling(&entry);
        if let Some(old) = self.model.couplings.get_mut(id.0) {
            *old = entry;
        }
        let state = &mut self.state.couplings[id.0.slot as usize];
        *state = CouplingState { lambda: state.lambda, ..CouplingState::new(at) };
        self.state.potential_lag[1] = 0.0;
        self.edited(Edit::SetCoupling, id.0.slot, print);
        Ok(())
    }

    pub(super) fn take_coupling(&mut self, id: CouplingId) -> Result<()> {
        let entry = self.model.coupling(id)?.clone();
        self.wake_coupling(&entry);
        self.model.couplings.remove(id.0);
        self.state.couplings[id.0.slot as usize] = CouplingState::new([0.0; MOST_TERMS]);
        self.state.potential_lag[1] = 0.0;
        self.edited(Edit::RemoveCoupling, id.0.slot, 0);
        Ok(())
    }

    /// Looks at a coupling.
    pub fn coupling(&self, id: CouplingId) -> Result<CouplingRef<'_>> {
        Ok(CouplingRef { world: self, entry: self.model.coupling(id)?, id })
    }

    /// All couplings, in a fixed order.
    pub fn couplings(&self) -> impl Iterator<Item = CouplingRef<'_>> {
        self.model.couplings.iter().map(|(k, entry)| CouplingRef { world: self, entry, id: CouplingId(k) })
    }

    /// The coupling of that name; an error when there is none, or several.
    pub fn find_coupling(&self, name: &str) -> Result<CouplingId> {
        only("coupling", name, self.couplings().filter(|c| c.name() == name).map(|c| c.id()))
    }

    /// Removes the couplings on a joint that is about to go.
    pub(super) fn drop_couplings_of(&mut self, joint: JointId) {
        let on = |c: &CouplingEntry| c.terms.iter().any(|t| t.joint == joint);
        let gone: Vec<CouplingId> =
            self.model.couplings.iter().filter(|(_, c)| on(c)).map(|(k, _)| CouplingId(k)).collect();
        for id in gone {
            // It was there a moment ago.
            let _ = self.take_coupling(id);
        }
    }

    /// A body was moved: what the couplings on it were stretched by says nothing of its new pose.
    pub(super) fn unsettle_couplings_of(&mut self, body: BodyId) {
        for (k, c) in self.model.couplings.iter() {
            if c.bodies(&self.model).any(|b| b == body) {
                self.state.couplings[k.slot as usize].stretch = UNKNOWN;
            }
        }
    }

    /// Energy in the compliance of couplings with a body that is in one of these slots, J.
    pub(super) fn energy_of_couplings(&self, slots: impl Fn(u32) -> bool) -> f64 {
        let on = |c: &CouplingEntry| c.bodies(&self.model).any(|b| slots(b.0.slot));
        let all = self.model.couplings.iter().filter(|(_, c)| on(c));
        all.map(|(k, entry)| CouplingRef { world: self, entry, id: CouplingId(k) }.energy()).sum()
    }

    fn wake_coupling(&mut self, entry: &CouplingEntry) {
        let slots: Vec<usize> = entry.bodies(&self.model).map(|b| b.0.slot as usize).collect();
        slots.into_iter().for_each(|s| self.wake_slot(s));
    }

    /// Checks a coupling and finds what it couples, and where that is; `before`: the one whose place it takes.
    fn read_coupling(
        &self,
        coupling: Coupling,
        before: Option<CouplingId>,
    ) -> Result<(CouplingEntry, [f64; MOST_TERMS])> {
        let before = before.map(|id| self.coupling(id)).transpose()?;
        let Coupling { terms, offset, soft, name } = coupling;
        if !(2..=MOST_TERMS).contains(&terms.len()) {
            return Err(Error::input("freedoms of a coupling", terms.len(), format!("2 to {MOST_TERMS}")));
        }
        if let Some(offset) = offset {
            finite("coupling offset", offset, "the unit of its sum")?;
        }
        soft.validate("coupling")?;
        let known = terms.iter().map(|t| self.known_term(t)).collect::<Result<Vec<_>>>()?;
        let (terms, primitives): (Vec<KnownTerm>, Vec<Primitive>) = known.into_iter().unzip();
        for (k, t) in terms.iter().enumerate() {
            // What measures them is the same for a turn and a twist.
            if (0..k).any(|n| (terms[n].joint, primitives[n]) == (t.joint, primitives[k])) {
                let given = format!("{:?} of {} twice", t.freedom, self.model.joint_name(t.joint.0.slot as usize));
                return Err(Error::input("freedoms of a coupling", given, "each of them once"));
            }
        }
        let mut entry = CouplingEntry { terms, primitives, offset: 0.0, soft, name };
        let at = self.turns(&entry, offset, before);
        entry.offset = offset.unwrap_or_else(|| entry.sum(at));
        self.check_motion(&entry)?;
        Ok((entry, at))
    }

    /// Where the freedoms of a coupling are, with the turns that `before` has counted of them, or else those that bring the sum nearest
    /// to its offset.
    fn turns(&self, c: &CouplingEntry, offset: Option<f64>, before: Option<CouplingRef<'_>>) -> [f64; MOST_TERMS] {
        let mut at = [0.0; MOST_TERMS];
        let mut first = None;
        for (k, (term, primitive)) in c.terms.iter().zip(&c.primitives).enumerate() {
            at[k] = self.measure_term(term, primitive).q;
            let same = |t: &KnownTerm| (t.joint, t.freedom) == (term.joint, term.freedom);
            let old = before.and_then(|b| b.entry.terms.iter().position(same).and_then(|n| b.positions().nth(n)));
            match old {
                Some(old) => at[k] = term.freedom.wound(at[k], old),
                None if term.freedom.turns() => first = first.or(Some(k)),
                None => {}
            }
        }
        if let (Some(offset), Some(k)) = (offset, first) {
            let term = &c.terms[k];
            at[k] = term.freedom.wound(at[k], at[k] - (c.sum(at) - offset) / term.ratio);
        }
        at
    }

    /// A term with what measures it. Turns are measured as twists, which are angles however far a soft hinge has bent.
    fn known_term(&self, term: &Term) -> Result<(KnownTerm, Primitive)> {
        let Term { joint, freedom, ratio } = *term;
        let entry = self.model.joint(joint)?;
        let name = self.model.joint_name(joint.0.slot as usize);
        if !(ratio.is_finite() && ratio != 0.0) {
            return Err(Error::input(format!("ratio of {name} in a coupling"), ratio, "a finite number but zero"));
        }
        let primitive = |freedom| {
            let freedom = if freedom == Freedom::Turn { Freedom::Twist } else { freedom };
            RowBuilder::new(entry.frames).measure(freedom)
        };
        let freedom = freedom.map_or_else(|| self.only_freedom(entry, &name, primitive), Ok)?;
        let what = || format!("freedom of {name} in a coupling");
        if matches!(freedom, Freedom::Swing | Freedom::Lean(..)) {
            let expected =
                "Turn, Twist, Slide or Length: a swing has no direction at zero, a lean none at a quarter turn";
            return Err(Error::input(what(), format!("{freedom:?}"), expected));
        }
        let primitive = primitive(freedom);
        let (need_i, need_j) = primitive.needs_orientation();
        for (body, needs) in [(entry.i, need_i), (entry.j, need_j)] {
            if needs && self.model.body(body)?.motion == Motion::Particle {
                let expected = "one that a joint on a particle has: the length between two points";
                return Err(Error::input(what(), format!("{freedom:?}"), expected));
            }
        }
        if !self.leaves_free(entry, &primitive) {
            return Err(Error::input(what(), format!("{freedom:?}"), "something that the joint leaves free"));
        }
        Ok((KnownTerm { joint, freedom, ratio }, primitive))
    }

    /// The only freedom that a joint has, a turn or a slide.
    fn only_freedom(
        &self,
        entry: &JointEntry,
        name: &str,
        primitive: impl Fn(Freedom) -> Primitive,
    ) -> Result<Freedom> {
        let one = Taken::by(entry, &self.side(entry.i), &self.side(entry.j)).left() == 1;
        let free = [Freedom::Turn, Freedom::Slide].into_iter().filter(|&f| self.leaves_free(entry, &primitive(f)));
        free.take(usize::from(one)).next().ok_or_else(|| {
            let expected =
                "a joint with one freedom, a turn or a slide; name the freedom of others with Coupling::term";
            Error::input("joint of a coupling", name, expected)
        })
    }

    fn leaves_free(&self, entry: &JointEntry, primitive: &Primitive) -> bool {
        let (i, j) = (self.side(entry.i), self.side(entry.j));
        Taken::by(entry, &i, &j).take(&primitive.eval(&i, &j), 0)
    }

    /// Refuses a sum that no motion changes.
    fn check_motion(&self, entry: &CouplingEntry) -> Result<()> {
        let square = |jac: &[f64; 6]| jac.iter().map(|x| x * x).sum::<f64>();
        let free = |body: BodyId| self.model.bodies.get(body.0).is_some_and(|b| b.is_node());
        let left: f64 = self.gradient(entry).iter().filter(|(b, _)| free(*b)).map(|(_, jac)| square(jac)).sum();
        let terms = entry.terms.iter().zip(&entry.primitives).map(|(t, p)| (t.ratio, self.measure_term(t, p)));
        let parts: f64 = terms.map(|(ratio, m)| ratio * ratio * (square(&m.ji) + square(&m.jj))).sum();
        if left > T.rows.free * T.rows.free * parts {
            return Ok(());
        }
        let given = "one that no motion of free bodies changes";
        Err(Error::input("sum of a coupling", given, "freedoms that do not cancel each other"))
    }

    fn measure_term(&self, term: &KnownTerm, primitive: &Primitive) -> Measured {
        let sides = self.model.joints.get(term.joint.0).map(|j| (self.side(j.i), self.side(j.j)));
        match sides {
            Some((i, j)) => measured(term.freedom, primitive, &i, &j),
            None => Measured { q: 0.0, ji: [0.0; 6], jj: [0.0; 6] },
        }
    }

    /// The derivative of the sum by the motion of each body of a coupling: linear, then angular.
    fn gradient(&self, entry: &CouplingEntry) -> Vec<(BodyId, [f64; 6])> {
        let mut out: Vec<(BodyId, [f64; 6])> = Vec::new();
        for (term, primitive) in entry.terms.iter().zip(&entry.primitives) {
            let Some(joint) = self.model.joints.get(term.joint.0) else { continue };
            let m = self.measure_term(term, primitive);
            for (body, jac) in [(joint.i, m.ji), (joint.j, m.jj)] {
                let k = out.iter().position(|(b, _)| *b == body).unwrap_or(out.len());
                if k == out.len() {
                    out.push((body, [0.0; 6]));
                }
                out[k].1.iter_mut().zip(jac).for_each(|(sum, x)| *sum += term.ratio * x);
            }
        }
        out
    }
}
