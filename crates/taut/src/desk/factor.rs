//! The matrix of each island and its factor. Written by `system`.

use super::Scales;
use super::jointed::Jointed;
use crate::solve::block_ldlt::BlockLdlt;
use crate::solve::dense::{Cholesky, DenseLu};
use crate::solve::minres::MinresWork;
use crate::solve::structured::Loops;
use crate::solve::supernodal::{Crew, Supernodal};
use crate::solve::sweep_cg::SweepCg;
use crate::topology::{Island, Topology, renewed};

/// Factors of all islands, whichever solver made them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Factor {
    /// The scalars that the last factor of each island was made with.
    pub scales: Vec<Scales>,
    pub ldlt: BlockLdlt,
    /// Trees of rigid joints, where no blocks are asked for.
    pub jointed: Jointed,
    /// The matrix as assembled, for clusters that are solved without W; kept when asked for.
    pub base: Base,
    pub keep_base: bool,
    pub panels: Supernodal,
    pub crew: Threads,
    pub choice: Choice,
    pub dense: Dense,
    pub minres: MinresWork,
    pub loops: Loops,
}

/// The threads of the rayon pool that the step runs in, where they are wanted and there.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Threads {
    pub shared: bool,
}

impl Crew for Threads {
    fn each<I: Send>(&self, items: &mut [I], work: impl Fn(&mut I) + Send + Sync) {
        #[cfg(all(feature = "parallel", not(target_family = "wasm")))]
        if self.shared && items.len() > 1 && rayon::current_num_threads() > 1 {
            use rayon::prelude::*;
            items.par_iter_mut().with_max_len(1).for_each(work);
            return;
        }
        items.iter_mut().for_each(work);
    }
}

/// Islands of elements that are factorised or iterated on, whichever is cheaper.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choice {
    /// Panels and iterations of each island, made when they are first chosen.
    pub panels: Vec<Option<Box<Supernodal>>>,
    pub sweeps: Vec<Option<Box<SweepCg>>>,
    /// Whether the last matrix of an island is iterated on.
    pub iterates: Vec<bool>,
    /// Columns of the inverse that bounded rows may ask for.
    pub columns: usize,
    /// Where the next solve starts, if `started`.
    pub start: Vec<f64>,
    pub started: bool,
}

impl Choice {
    /// The next solve of an island starts from these unknowns.
    pub fn start_from(&mut self, t: &Topology, k: usize, x: &[f64]) {
        if self.iterates[k] {
            let range = t.islands[k].x.clone();
            self.start[range.clone()].copy_from_slice(&x[range]);
            self.started = true;
        }
    }
}

/// Values of the matrix before it is factorised.
#[derive(Clone, Debug, Default)]
pub(crate) struct Base {
    pub diag: Vec<f64>,
    pub off: Vec<f64>,
}

/// Memory of the dense references, grown on first use.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dense {
    pub lu: DenseLu,
    pub cholesky: Cholesky,
    pub matrix: Vec<f64>,
    pub schur: Vec<f64>,
    pub work: Vec<f64>,
    pub inverse: Vec<f64>,
}

impl Factor {
    /// Memory for a layout, without that of the dense references.
    pub fn new(t: &Topology) -> Self {
        Factor::default().renewed(t)
    }

    /// The same in memory that served another layout.
    pub fn renewed(self, t: &Topology) -> Self {
        Factor {
            scales: renewed(self.scales, t.islands.len(), Scales::default()),
            ldlt: self.ldlt.renewed(&t.pattern),
            jointed: self.jointed.renewed(t),
            panels: Supernodal::new(&t.pattern, &t.wide_islands()),
            choice: Choice {
                panels: vec![None; t.islands.len()],
                sweeps: vec![None; t.islands.len()],
                iterates: vec![false; t.islands.len()],
                start: vec![0.0; if t.islands.iter().any(|i| i.rival.is_some()) { t.pattern.size() } else { 0 }],
                ..Choice::default()
            },
            minres: MinresWork::new(),
            loops: Loops { closing: 1.0, ..Loops::default() },
            ..Default::default()
        }
    }

    /// Takes the bare mobilities of the rows of an island, where rows may be dropped.
    pub fn take_mobility(&mut self, t: &Topology, island: &Island, mobility: &[f64]) {
        if t.may_drop() {
            let x = island.x.clone();
            self.ldlt.make_room(&t.pattern);
            self.ldlt.reference[x.clone()].copy_from_slice(&mobility[x]);
        }
    }

    /// Values of all panels.
    pub fn panel_values(&self) -> usize {
        let own = self.choice.panels.iter().flatten();
        self.panels.values() + own.map(|p| p.values()).sum::<usize>()
    }

    /// Bytes held, without those of the dense references.
    pub fn bytes(&self) -> usize {
        let BlockLdlt { diag, off, reference, tree, .. } = &self.ldlt;
        let numbers = [diag, off, reference, tree, &self.base.diag, &self.base.off, &self.choice.start];
        numbers.iter().map(|v| v.capacity() * std::mem::size_of::<f64>()).sum::<usize>()
            + self.ldlt.dropped.capacity()
            + self.panels.bytes()
            + self.jointed.bytes()
            + self.choice.panels.iter().flatten().map(|p| p.bytes()).sum::<usize>()
            + self.loops.bytes()
    }
}
