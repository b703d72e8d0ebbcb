//! A snapshot as bytes: to be kept in a file, sent to another machine, or compared.
//!
//! ```text
//! "TAUTSTAT"  version u32  length of the payload u64  payload  checksum u64 (of all that goes before)
//! ```
//! Little-endian; numbers by their bits, lists with their length before them. Damage, a cut or another version is an error, and
//! nothing is believed before the checksum has been seen. Whether a snapshot fits a world is for `World::restore` to say.

use super::{BodyState, CouplingState, HeavyState, Regime, Ride, RopeState, SpanState, State, Stop, TwistState};
use crate::contact::{ContactKey, ContactRecord, Sensing};
use crate::error::{Error, Result};
use crate::fingerprint::Fingerprint;
use crate::ids::{ColliderId, Key};
use crate::joints::Command;
use crate::reeve::Groove;
use crate::reeve::hold::Hold;
use crate::tuning::T;
use glam::{DQuat, DVec3};

const MAGIC: &[u8; 8] = b"TAUTSTAT";
/// Of the format; a change of what a state holds makes a new one.
const VERSION: u32 = 9;
/// Bytes before the payload and after it.
const HEAD: usize = 20;
const TAIL: usize = 8;

impl State {
    /// The state as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut w = Writer(Vec::with_capacity(self.bytes() + 256));
        w.0.extend_from_slice(MAGIC);
        w.0.extend_from_slice(&VERSION.to_le_bytes());
        w.word(0);
        self.write(&mut w);
        let length = (w.0.len() - HEAD) as u64;
        w.0[HEAD - 8..HEAD].copy_from_slice(&length.to_le_bytes());
        let sum = checksum(&w.0);
        w.word(sum);
        w.0
    }

    /// A state from bytes; refuses damaged, cut and foreign ones.
    pub fn from_bytes(bytes: &[u8]) -> Result<State> {
        let refuse = |name: &str, given: String, expected: String| Err(Error::input(name, given, expected));
        if bytes.len() < HEAD + TAIL || &bytes[..8] != MAGIC {
            return refuse("snapshot", format!("{} bytes", bytes.len()), "bytes made by State::to_bytes".into());
        }
        let mut head = Reader(&bytes[8..HEAD]);
        let (version, length) = (head.half()?, head.word()?);
        if version != VERSION {
            return refuse("version of the snapshot", version.to_string(), VERSION.to_string());
        }
        let expected = (bytes.len() - HEAD - TAIL) as u64;
        if length != expected {
            return refuse("length of the snapshot", format!("{expected} bytes"), format!("{length}: it was cut"));
        }
        let (body, tail) = bytes.split_at(bytes.len() - TAIL);
        let (sum, told) = (checksum(body), Reader(tail).word()?);
        if sum != told {
            return refuse("checksum of the snapshot", format!("{sum:016x}"), format!("{told:016x}: it is damaged"));
        }
        let mut r = Reader(&body[HEAD..]);
        let state = State::read(&mut r)?;
        match r.0.len() {
            0 => Ok(state),
            rest => refuse("end of the snapshot", format!("{rest} bytes more"), "none".into()),
        }
    }

    fn write(&self, w: &mut Writer) {
        w.word(self.edition);
        w.number(self.time);
        w.word(self.steps);
        w.list(&self.bodies, Writer::body);
        w.list(&self.lambda, |w, x| w.number(*x));
        w.list(&self.stretch, |w, x| w.number(*x));
        w.list(&self.reach, |w, x| w.number(*x));
        w.list(&self.element_energy, |w, x| w.number(*x));
        w.list(&self.couplings, |w, c| c.numbers().for_each(|x| w.number(x)));
        w.list(&self.ropes, |w, r| {
            w.list(&r.spans, |w, s| s.numbers().into_iter().for_each(|x| w.number(x)));
            w.list(&r.stops, Writer::stop);
            w.list(&r.rides, Writer::ride);
            w.list(r.twist.as_slice(), |w, t| t.numbers().into_iter().for_each(|x| w.number(x)));
        });
        w.list(&self.heavies, |w, h| {
            w.list(&h.out, |w, k| w.half(*k));
            w.list(&h.pieces, |w, p| p.iter().for_each(|x| w.number(*x)));
        });
        w.list(&self.commands, |w, c| {
            w.0.push(u8::from(c.is_some()));
            c.iter().flat_map(|c| [c.target, c.rate]).for_each(|x| w.number(x));
        });
        w.list(&self.contacts, Writer::contact);
        w.list(&self.resting, Writer::contact);
        w.list(&self.sensed, |w, s| [s.colliders.0.0, s.colliders.1.0].into_iter().for_each(|k| w.key(k)));
        w.list(&self.stirred, |w, s| w.word(*s as u64));
        w.list(&self.redundant, |w, b| w.0.push(u8::from(*b)));
        w.list(&self.turned, |w, x| w.number(*x));
        w.list(&self.give, |w, x| w.number(*x));
        [self.asleep as u64, u64::from(self.groups), self.stamp].into_iter().for_each(|x| w.word(x));
        self.potential_lag.into_iter().chain([self.elements_lag]).for_each(|x| w.number(x));
        w.list(&self.soft, |w, x| w.number(*x));
        w.word(u64::from(self.parts));
        w.list(&self.kept, |w, x| w.number(*x));
    }

    fn read(r: &mut Reader<'_>) -> Result<State> {
        Ok(State {
            edition: r.word()?,
            time: r.number()?,
            steps: r.word()?,
            bodies: r.list(Reader::body)?,
            lambda: r.list(Reader::number)?,
            stretch: r.list(Reader::number)?,
            reach: r.list(Reader::number)?,
            element_energy: r.list(Reader::number)?,
            couplings: r.list(|r| Ok(CouplingState { lambda: r.number()?, stretch: r.number()?, at: r.numbers()? }))?,
            ropes: r.list(|r| {
                let spans = r.list(|r| r.numbers().map(SpanState::of))?;
                let (stops, rides) = (r.list(Reader::stop)?, r.list(Reader::ride)?);
                let twist = r.list(|r| r.numbers().map(TwistState::of))?.first().copied();
                Ok(RopeState { spans, stops, rides, twist })
            })?,
            heavies: r.list(|r| Ok(HeavyState { out: r.list(Reader::half)?, pieces: r.list(Reader::numbers)? }))?,
            commands: r.list(|r| match r.bit()? {
                true => Ok(Some(Command { target: r.number()?, rate: r.number()? })),
                false => Ok(None),
            })?,
            contacts: r.list(Reader::contact)?,
            resting: r.list(Reader::contact)?,
            sensed: r.list(|r| Ok(Sensing { colliders: (ColliderId(r.key()?), ColliderId(r.key()?)) }))?,
            stirred: r.list(|r| r.word().map(|s| s as usize))?,
            redundant: r.list(Reader::bit)?,
            turned: r.list(Reader::number)?,
            give: r.list(Reader::number)?,
            asleep: r.word()? as usize,
            groups: r.word()? as u32,
            stamp: r.word()?,
            potential_lag: r.numbers()?,
            elements_lag: r.number()?,
            soft: r.list(Reader::number)?,
            parts: (r.word()? as u32).clamp(1, T.soft.parts),
            kept: r.list(Reader::number)?,
        })
    }
}

/// Of all bytes, eight at a time.
fn checksum(bytes: &[u8]) -> u64 {
    let mut f = Fingerprint::new();
    for part in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..part.len()].copy_from_slice(part);
        f.word(u64::from_le_bytes(word));
    }
    f.word(bytes.len() as u64);
    f.0
}

struct Writer(Vec<u8>);

impl Writer {
    fn word(&mut self, x: u64) {
        self.0.extend_from_slice(&x.to_le_bytes());
    }

    fn half(&mut self, x: u32) {
        self.0.extend_from_slice(&x.to_le_bytes());
    }

    fn number(&mut self, x: f64) {
        self.word(x.to_bits());
    }

    fn list<T>(&mut self, items: &[T], each: impl Fn(&mut Self, &T)) {
        self.word(items.len() as u64);
        items.iter().for_each(|x| each(self, x));
    }

    fn body(&mut self, b: &BodyState) {
        let motion = b.pos.to_array().into_iter().chain(b.rot.to_array()).chain(b.vel.to_array());
        let memory = b.added.into_iter().chain(b.probe);
        let r = &b.regime;
        let regime = [r.xhat, r.kap, r.h_prev, r.h_long, b.quiet];
        motion.chain(b.omega.to_array()).chain(memory).chain(regime).for_each(|x| self.number(x));
        self.0.push(u8::from(r.shocked));
        self.half(b.group);
    }

    /// The world that a collider belongs to is not kept: it is that which the snapshot is restored to.
    fn key(&mut self, k: Key) {
        self.half(k.slot);
        self.half(k.generation);
    }

    fn stop(&mut self, s: &Stop) {
        self.half(s.lead.unwrap_or(u32::MAX));
        self.0.push(u8::from(s.found.is_some()));
        if let Some((collider, feature)) = s.found {
            self.key(collider.0);
            self.half(feature);
        }
        self.half(s.body);
        s.groove.numbers().into_iter().chain(s.hold.numbers()).for_each(|x| self.number(x));
    }

    fn ride(&mut self, r: &Ride) {
        self.half(r.grip);
        self.half(r.wheel);
        r.at.to_array().into_iter().chain([r.angle]).for_each(|x| self.number(x));
    }

    fn contact(&mut self, c: &ContactRecord) {
        self.key(c.id.a);
        self.key(c.id.b);
        c.id.features.into_iter().for_each(|x| self.word(x));
        self.half(c.id.ordinal);
        let vectors = [c.point, c.normal, c.force].into_iter().flat_map(|v| v.to_array());
        vectors.chain([c.distance, c.acted, c.stored]).for_each(|x| self.number(x));
    }
}

/// What is left to be read.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N]> {
        let Some((first, rest)) = self.0.split_first_chunk::<N>() else {
            return Err(Error::input("snapshot", format!("{} bytes left", self.0.len()), format!("{N} more")));
        };
        self.0 = rest;
        Ok(*first)
    }

    fn word(&mut self) -> Result<u64> {
        self.take().map(u64::from_le_bytes)
    }

    fn half(&mut self) -> Result<u32> {
        self.take().map(u32::from_le_bytes)
    }

    fn number(&mut self) -> Result<f64> {
        self.word().map(f64::from_bits)
    }

    fn numbers<const N: usize>(&mut self) -> Result<[f64; N]> {
        let mut out = [0.0; N];
        for x in &mut out {
            *x = self.number()?;
        }
        Ok(out)
    }

    fn bit(&mut self) -> Result<bool> {
        match self.take::<1>()?[0] {
            x @ (0 | 1) => Ok(x == 1),
            x => Err(Error::input("flag of the snapshot", x, "0 or 1")),
        }
    }

    fn list<T>(&mut self, mut each: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let count = self.word()?;
        // Every entry takes a byte at least: a length beyond that is none, and no memory is asked for it.
        if count > self.0.len() as u64 {
            return Err(Error::input("list in the snapshot", count, format!("at most {} entries", self.0.len())));
        }
        (0..count).map(|_| each(self)).collect()
    }

    fn vector(&mut self) -> Result<DVec3> {
        self.numbers().map(DVec3::from_array)
    }

    fn body(&mut self) -> Result<BodyState> {
        let (pos, rot, vel) = (self.vector()?, DQuat::from_array(self.numbers()?), self.vector()?);
        let (omega, added, probe) = (self.vector()?, self.numbers()?, self.numbers()?);
        let [xhat, kap, h_prev, h_long, quiet] = self.numbers()?;
        let regime = Regime { xhat, kap, h_prev, h_long, shocked: self.bit()? };
        Ok(BodyState { pos, rot, vel, omega, added, probe, regime, quiet, group: self.half()? })
    }

    fn key(&mut self) -> Result<Key> {
        Ok(Key { slot: self.half()?, generation: self.half()?, world: 0 })
    }

    fn stop(&mut self) -> Result<Stop> {
        let lead = Some(self.half()?).filter(|&k| k != u32::MAX);
        let found = if self.bit()? { Some((ColliderId(self.key()?), self.half()?)) } else { None };
        let (body, groove, hold) = (self.half()?, Groove::of(self.numbers()?), Hold::of(self.numbers()?));
        let hold = hold.ok_or_else(|| Error::input("hold of a guide", "unknown numbers", "those of a hold"))?;
        Ok(Stop { lead, found, body, groove, hold })
    }

    fn ride(&mut self) -> Result<Ride> {
        Ok(Ride { grip: self.half()?, wheel: self.half()?, at: self.vector()?, angle: self.number()? })
    }

    fn contact(&mut self) -> Result<ContactRecord> {
        let (a, b, features) = (self.key()?, self.key()?, [self.word()?, self.word()?]);
        let id = ContactKey { a, b, features, ordinal: self.half()? };
        let (point, normal, force) = (self.vector()?, self.vector()?, self.vector()?);
        let [distance, acted, stored] = self.numbers()?;
        Ok(ContactRecord { id, point, normal, distance, force, acted, stored })
    }
}
