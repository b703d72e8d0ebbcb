//! What was done to a model since it was made, so that another instance can do it again.
//!
//! A state as bytes fits a scene of the same structure alone. Where something broke, was removed or cut, the whole run is repeated from the
//! start: with the same inputs it comes to the same bits.

use std::sync::Arc;

/// Values that were set since the entry before, by variable.
pub type Changes = Vec<(u32, f64)>;

/// What was done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Deed {
    /// Parameters went into the scene.
    Parameters,
    /// So many communication steps, each of so many internal steps of `h` s; the last of them may have failed or ended the run.
    Steps { h: f64, each: u64, times: u64 },
}

/// Something that was done, after some values were set.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub changes: Changes,
    pub deed: Deed,
}

/// A list that grows at its end and shares what is before.
#[derive(Clone, Debug, Default)]
pub struct Journal {
    last: Option<Arc<Node>>,
}

#[derive(Debug)]
struct Node {
    entry: Entry,
    before: Option<Arc<Node>>,
}

impl Drop for Journal {
    /// One by one: a long list that dropped itself would call itself as often.
    fn drop(&mut self) {
        let mut next = self.last.take();
        while let Some(mut node) = next.and_then(Arc::into_inner) {
            next = node.before.take();
        }
    }
}

impl Journal {
    /// Notes what was done; steps like those before are counted with them.
    pub fn note(&mut self, changes: Changes, deed: Deed) {
        let mut deed = deed;
        let mut before = self.last.take();
        if let (true, Deed::Steps { h, each, times }, Some(node)) = (changes.is_empty(), deed, &before)
            && let Deed::Steps { h: old, each: size, times: count } = node.entry.deed
            && (h.to_bits(), each) == (old.to_bits(), size)
        {
            deed = Deed::Steps { h, each, times: count + times };
            let changes = node.entry.changes.clone();
            // What others share stays as it is.
            before = before.and_then(|node| match Arc::try_unwrap(node) {
                Ok(mut own) => own.before.take(),
                Err(shared) => shared.before.clone(),
            });
            self.last = Some(Arc::new(Node { entry: Entry { changes, deed }, before }));
            return;
        }
        self.last = Some(Arc::new(Node { entry: Entry { changes, deed }, before }));
    }

    /// All entries, the first first.
    pub fn entries(&self) -> Vec<Entry> {
        let mut out = Vec::new();
        let mut next = self.last.as_deref();
        while let Some(node) = next {
            out.push(node.entry.clone());
            next = node.before.as_deref();
        }
        out.reverse();
        out
    }

    /// As bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let entries = self.entries();
        let mut out = (entries.len() as u64).to_le_bytes().to_vec();
        for Entry { changes, deed } in entries {
            let (h, each, times) = match deed {
                Deed::Parameters => (0.0, 0, 0),
                Deed::Steps { h, each, times } => (h, each, times),
            };
            out.extend(h.to_le_bytes().into_iter().chain(each.to_le_bytes()).chain(times.to_le_bytes()));
            out.extend((changes.len() as u64).to_le_bytes());
            for (place, value) in changes {
                out.extend(place.to_le_bytes().into_iter().chain(value.to_le_bytes()));
            }
        }
        out
    }

    /// From bytes, with how many they are; none where they are no journal.
    pub fn read(bytes: &[u8]) -> Option<(Journal, usize)> {
        let mut at = 0;
        let mut word = |size: usize| {
            let piece = bytes.get(at..at + size)?;
            at += size;
            Some(piece.iter().rev().fold(0_u64, |sum, b| (sum << 8) | u64::from(*b)))
        };
        let mut journal = Journal::default();
        for _ in 0..word(8)? {
            let (h, each, times) = (f64::from_bits(word(8)?), word(8)?, word(8)?);
            let deed = if times == 0 { Deed::Parameters } else { Deed::Steps { h, each, times } };
            let mut changes = Changes::new();
            for _ in 0..word(8)? {
                changes.push((word(4)? as u32, f64::from_bits(word(8)?)));
            }
            journal.note(changes, deed);
        }
        Some((journal, at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(times: u64) -> Deed {
        Deed::Steps { h: 0.01, each: 2, times }
    }

    #[test]
    fn like_steps_are_one_entry_and_what_is_shared_stays() {
        let mut a = Journal::default();
        a.note(vec![(1, 0.5)], Deed::Parameters);
        a.note(Vec::new(), steps(1));
        a.note(Vec::new(), steps(1));
        let b = a.clone();
        a.note(Vec::new(), steps(1));
        a.note(vec![(0, 2.0)], steps(1));
        assert_eq!(b.entries().last().map(|e| e.deed), Some(steps(2)));
        assert_eq!(a.entries().iter().map(|e| e.deed).collect::<Vec<_>>(), [Deed::Parameters, steps(3), steps(1)]);
        let bytes = a.to_bytes();
        let (again, count) = Journal::read(&bytes).unwrap();
        assert_eq!((again.entries(), count), (a.entries(), bytes.len()));
        assert!((0..bytes.len()).all(|n| Journal::read(&bytes[..n]).is_none()));
    }

    #[test]
    fn a_long_journal_is_dropped() {
        let mut long = Journal::default();
        (0..300_000).for_each(|k| long.note(vec![(0, f64::from(k))], steps(1)));
        assert_eq!(long.entries().len(), 300_000);
    }
}
