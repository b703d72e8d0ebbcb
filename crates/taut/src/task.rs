//! What a solve reads.

use crate::options::Options;
use crate::state::State;
use crate::topology::Topology;

/// What the solve of one island or cluster reads.
#[derive(Clone, Copy)]
pub(crate) struct Task<'a> {
    pub t: &'a Topology,
    pub options: &'a Options,
    pub state: &'a State,
    /// The island.
    pub k: usize,
    /// Step, s.
    pub h: f64,
}
