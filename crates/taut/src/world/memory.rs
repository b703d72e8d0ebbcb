//! How much memory a world may take: what does not fit is refused before it is laid out, never by an abort.

use super::World;
use crate::error::{Error, Result};
use crate::topology::{Island, Topology};
use std::sync::atomic::{AtomicU64, Ordering};

/// Limit on the memory of one world, bytes.
static LIMIT: AtomicU64 = AtomicU64::new(u64::MAX);

/// Values of dense panels over those of the blocks they are cut from: panels hold some zeros.
const PANELS: f64 = 1.3;
/// Copies of the matrix: the factor, and the values before they are factorised.
const COPIES: f64 = 2.0;
/// Bytes of everything else that a step keeps for each body and for each row.
const BODY: usize = 2500;
const ROW: usize = 500;
/// Bytes of a joint before it is laid out.
const JOINT: usize = 1500;

/// Sets the memory that one world may take, bytes; by default there is no limit. A world that would take more is refused by the
/// call that lays it out ([`World::step`], [`World::size`], [`World::energy`]). Holds for all worlds of the process.
pub fn set_memory_limit(bytes: u64) {
    LIMIT.store(bytes, Ordering::Relaxed);
}

/// The memory that one world may take, bytes; `u64::MAX` without a limit.
pub fn memory_limit() -> u64 {
    LIMIT.load(Ordering::Relaxed)
}

impl Topology {
    /// Bytes that state, layout and desk will take, from the pattern of the factor alone: within about a third.
    pub(crate) fn forecast(&self) -> u64 {
        let p = &self.pattern;
        let square = |k: usize| p.dims[k] * p.dims[k];
        let blocks = |i: &Island| (i.off.len() + i.blocks.clone().map(square).sum::<usize>()) as f64;
        let wide = self.islands.iter().filter(|i| i.wide);
        let panels: f64 = wide.map(|i| i.panels.map_or_else(|| blocks(i), |fill| fill.values)).sum();
        let values = COPIES * (p.diag_len + p.off_len) as f64 + PANELS * panels;
        let rest = BODY * self.nodes.len() + ROW * self.all_rows() + 24 * p.neighbours.len();
        (8.0 * values) as u64 + rest as u64
    }

    /// Multiplications and additions of one factorisation.
    pub(crate) fn operations(&self) -> f64 {
        let p = &self.pattern;
        let column = |k: usize| {
            let (d, below) = (p.dims[k] as f64, p.of(k).iter().map(|&(a, _)| p.dims[a] as f64).sum::<f64>());
            d * (below + d) * (below + d)
        };
        let island = |i: &Island| i.panels.map_or_else(|| i.blocks.clone().map(column).sum(), |fill| fill.flops);
        self.islands.iter().map(island).sum()
    }
}

impl World {
    /// Refuses one body or joint more than can be held.
    pub(super) fn check_room(&self) -> Result<()> {
        self.check_room_for(0)
    }

    /// The same with so many bodies more, each locked by a joint.
    pub(super) fn check_room_for(&self, more: usize) -> Result<()> {
        let (bodies, joints) = (self.model.bodies.len() + more, self.model.joints.len() + more);
        let (need, limit) = ((BODY * bodies + JOINT * joints) as u64, memory_limit());
        if need <= limit {
            return Ok(());
        }
        let given = format!("{:.1} GB for {bodies} bodies and {joints} joints", need as f64 / 1e9);
        Err(Error::input("memory of the world", given, expected(limit)))
    }

    /// Refuses a layout that would not fit.
    pub(super) fn check_memory(t: &Topology) -> Result<()> {
        let (need, limit) = (t.forecast(), memory_limit());
        if need <= limit {
            return Ok(());
        }
        let given = format!("{:.1} GB for {} bodies and {} rows", need as f64 / 1e9, t.nodes.len(), t.row_count);
        Err(Error::input("memory of the world", given, expected(limit)))
    }
}

fn expected(limit: u64) -> String {
    format!("at most {:.1} GB: fewer bodies or loops, or a higher limit", limit as f64 / 1e9)
}
