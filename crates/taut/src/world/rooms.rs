//! Places of joints in the lists of the state: they stay where they are, and what a joint leaves is taken by the next one like it.

use super::World;
use crate::joints::Command;
use crate::model::JointEntry;
use crate::rows::UNKNOWN;
use crate::state::{GAP, State};
use std::ops::Range;

impl World {
    /// Gives the rows and the motors of a joint their places.
    pub(super) fn make_room(&mut self, entry: &mut JointEntry, commands: &[Option<Command>]) {
        let (rows, s) = (entry.state_rows(), &mut self.state);
        entry.row_start = self.model.row_rooms.take(rows, s.lambda.len());
        entry.command_start = self.model.command_rooms.take(commands.len(), s.commands.len());
        s.start_rows(entry.row_start..entry.row_start + rows);
        let all = entry.command_start..entry.command_start + commands.len();
        s.commands.resize(s.commands.len().max(all.end), None);
        s.commands[all].copy_from_slice(commands);
    }

    /// Leaves the places of a joint to others.
    pub(super) fn leave_room(&mut self, gone: &JointEntry) {
        let (rows, motors) = (gone.state_rows(), gone.motors().count());
        self.state.leave_rows(gone.row_start..gone.row_start + rows);
        self.state.commands[gone.command_start..gone.command_start + motors].fill(None);
        self.model.row_rooms.leave(gone.row_start, rows);
        self.model.command_rooms.leave(gone.command_start, motors);
    }
}

impl State {
    /// Rows that no joint has.
    pub(super) fn leave_rows(&mut self, rows: Range<usize>) {
        self.start_rows(rows.clone());
        self.reach[rows].fill(GAP);
    }

    /// Rows that have not taken a step.
    pub(super) fn start_rows(&mut self, rows: Range<usize>) {
        let lists = [
            (&mut self.lambda, 0.0),
            (&mut self.stretch, UNKNOWN),
            (&mut self.reach, UNKNOWN),
            (&mut self.give, 0.0),
            (&mut self.element_energy, 0.0),
        ];
        for (list, none) in lists {
            list.resize(list.len().max(rows.end), none);
            list[rows.clone()].fill(none);
        }
    }
}
