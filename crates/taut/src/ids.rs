//! Handles. Slots with generations: a handle to something removed never names what took its place, and a handle of one world
//! names nothing in another.

use crate::error::Error;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU32, Ordering as Memory};

/// Slot and generation, and the number of the world it belongs to.
///
/// Keys compare by slot and generation alone: equal worlds have equal reports and snapshots. The world is checked where a
/// key is used.
#[derive(Clone, Copy)]
pub struct Key {
    /// Its place.
    pub slot: u32,
    pub(crate) generation: u32,
    pub(crate) world: u32,
}

impl Key {
    fn place(&self) -> (u32, u32) {
        (self.slot, self.generation)
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.place() == other.place()
    }
}

impl Eq for Key {}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.place().hash(state);
    }
}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Self) -> Ordering {
        self.place().cmp(&other.place())
    }
}

/// The number of the next world: they are counted, so that a program that makes the same worlds gets the same numbers.
pub(crate) fn next_world() -> u32 {
    static WORLDS: AtomicU32 = AtomicU32::new(1);
    WORLDS.fetch_add(1, Memory::Relaxed)
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}.{}", self.slot, self.generation)
    }
}

/// Storage by slot. Iteration is in slot order.
#[derive(Clone, Debug)]
pub struct Arena<T> {
    /// The world it belongs to.
    world: u32,
    slots: Vec<(u32, Option<T>)>,
    free: Vec<u32>,
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Arena::new(0)
    }
}

impl<T> Arena<T> {
    /// An empty one of a world.
    pub(crate) fn new(world: u32) -> Self {
        Arena { world, slots: Vec::new(), free: Vec::new() }
    }

    /// The number of its world.
    pub(crate) fn world(&self) -> u32 {
        self.world
    }

    /// Why a handle names nothing here.
    pub(crate) fn missing(&self, what: &'static str, key: Key) -> Error {
        let handle = format!("{key:?}");
        if key.world == self.world {
            return Error::Handle { what, handle, expected: format!("a {what} that is in this world: it was removed") };
        }
        Error::Handle {
            what,
            handle: format!("{handle} of world {}", key.world),
            expected: format!("a {what} of world {}: handles belong to the world that gave them", self.world),
        }
    }

    fn key(&self, slot: usize, generation: u32) -> Key {
        Key { slot: slot as u32, generation, world: self.world }
    }

    pub(crate) fn insert(&mut self, value: T) -> Key {
        if let Some(slot) = self.free.pop() {
            let entry = &mut self.slots[slot as usize];
            entry.1 = Some(value);
            return Key { slot, generation: entry.0, world: self.world };
        }
        self.slots.push((0, Some(value)));
        self.key(self.slots.len() - 1, 0)
    }

    pub(crate) fn remove(&mut self, key: Key) -> Option<T> {
        let entry = self.slots.get_mut(key.slot as usize)?;
        if (entry.0, self.world) != (key.generation, key.world) {
            return None;
        }
        let value = entry.1.take()?;
        entry.0 = entry.0.wrapping_add(1);
        self.free.push(key.slot);
        Some(value)
    }

    pub(crate) fn get(&self, key: Key) -> Option<&T> {
        let here = (key.generation, key.world);
        self.slots.get(key.slot as usize).filter(|e| (e.0, self.world) == here)?.1.as_ref()
    }

    pub(crate) fn get_mut(&mut self, key: Key) -> Option<&mut T> {
        let (world, here) = (self.world, (key.generation, key.world));
        self.slots.get_mut(key.slot as usize).filter(|e| (e.0, world) == here)?.1.as_mut()
    }

    /// What is in a slot, whatever its generation.
    pub fn at(&self, slot: usize) -> Option<&T> {
        self.slots.get(slot)?.1.as_ref()
    }

    /// The key of what is in a slot.
    pub(crate) fn key_at(&self, slot: usize) -> Option<Key> {
        self.slots.get(slot).filter(|e| e.1.is_some()).map(|e| self.key(slot, e.0))
    }

    pub fn iter(&self) -> impl Iterator<Item = (Key, &T)> {
        self.slots.iter().enumerate().filter_map(|(s, e)| e.1.as_ref().map(|v| (self.key(s, e.0), v)))
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Key, &mut T)> {
        let world = self.world;
        self.slots.iter_mut().enumerate().filter_map(move |(s, e)| {
            let generation = e.0;
            e.1.as_mut().map(|v| (Key { slot: s as u32, generation, world }, v))
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// Number of slots, empty ones included.
    pub(crate) fn slots(&self) -> usize {
        self.slots.len()
    }
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub(crate) Key);
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{:?}", self.0)
            }
        }
    };
}
id!(
    /// Handle of a body or particle.
    BodyId
);
id!(
    /// Handle of a joint.
    JointId
);
id!(
    /// Handle of a force.
    ForceId
);
id!(
    /// Handle of a collider.
    ColliderId
);
