//! Places in the lists of the state that joints have left: the next joint of the same size takes them, so that no list ever moves.

use std::collections::BTreeMap;

/// First places of the gaps in a list, by their length. What was left last is taken first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rooms(BTreeMap<usize, Vec<usize>>);

impl Rooms {
    /// A gap of this length, or else the end of a list that is so long.
    pub fn take(&mut self, length: usize, end: usize) -> usize {
        let Some(gaps) = self.0.get_mut(&length) else { return end };
        gaps.pop().unwrap_or(end)
    }

    /// Leaves a gap.
    pub fn leave(&mut self, first: usize, length: usize) {
        if length > 0 {
            self.0.entry(length).or_default().push(first);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Rooms;

    #[test]
    fn a_gap_is_taken_by_what_has_its_length() {
        let mut rooms = Rooms::default();
        rooms.leave(3, 5);
        rooms.leave(20, 5);
        assert_eq!((rooms.take(3, 40), rooms.take(5, 40)), (40, 20));
        assert_eq!((rooms.take(5, 40), rooms.take(5, 40)), (3, 40));
        rooms.leave(7, 0);
        assert_eq!(rooms.take(0, 40), 40);
    }
}
