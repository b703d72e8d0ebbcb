//! Slots with generations: a handle to something removed never names what took its place.

use std::fmt;

/// Slot and generation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Key {
    pub slot: u32,
    pub generation: u32,
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}.{}", self.slot, self.generation)
    }
}

/// Storage by slot. Iteration is in slot order.
#[derive(Clone, Debug)]
pub(crate) struct Arena<T> {
    slots: Vec<(u32, Option<T>)>,
    free: Vec<u32>,
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Arena { slots: Vec::new(), free: Vec::new() }
    }
}

impl<T> Arena<T> {
    pub fn insert(&mut self, value: T) -> Key {
        if let Some(slot) = self.free.pop() {
            let entry = &mut self.slots[slot as usize];
            entry.1 = Some(value);
            return Key { slot, generation: entry.0 };
        }
        self.slots.push((0, Some(value)));
        Key { slot: (self.slots.len() - 1) as u32, generation: 0 }
    }

    pub fn remove(&mut self, key: Key) -> Option<T> {
        let entry = self.slots.get_mut(key.slot as usize)?;
        if entry.0 != key.generation {
            return None;
        }
        let value = entry.1.take()?;
        entry.0 = entry.0.wrapping_add(1);
        self.free.push(key.slot);
        Some(value)
    }

    pub fn get(&self, key: Key) -> Option<&T> {
        self.slots.get(key.slot as usize).filter(|e| e.0 == key.generation)?.1.as_ref()
    }

    pub fn get_mut(&mut self, key: Key) -> Option<&mut T> {
        self.slots.get_mut(key.slot as usize).filter(|e| e.0 == key.generation)?.1.as_mut()
    }

    /// What is in a slot, whatever its generation.
    pub fn at(&self, slot: usize) -> Option<&T> {
        self.slots.get(slot)?.1.as_ref()
    }

    /// The key of what is in a slot.
    pub fn key_at(&self, slot: usize) -> Option<Key> {
        self.slots.get(slot).filter(|e| e.1.is_some()).map(|e| Key { slot: slot as u32, generation: e.0 })
    }

    pub fn iter(&self) -> impl Iterator<Item = (Key, &T)> {
        self.slots
            .iter()
            .enumerate()
            .filter_map(|(s, e)| e.1.as_ref().map(|v| (Key { slot: s as u32, generation: e.0 }, v)))
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Key, &mut T)> {
        self.slots.iter_mut().enumerate().filter_map(|(s, e)| {
            let generation = e.0;
            e.1.as_mut().map(|v| (Key { slot: s as u32, generation }, v))
        })
    }

    pub fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// Number of slots, empty ones included.
    pub fn slots(&self) -> usize {
        self.slots.len()
    }
}
