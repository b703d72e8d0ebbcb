//! The comparison: faer's sparse Cholesky of the reduced matrix, formed explicitly, simplicial and supernodal.
//!
//! ```text
//! A = L L^T      Z = A^-1 (b, G^T)      (G A^-1 G^T + Sigma) p = w - G A^-1 b      y = A^-1 b + A^-1 G^T p
//! ```
//! Timed is what a step needs once the matrix is there: the numeric factorisation and all solves. Forming the matrix is not counted, nor
//! are order (approximate minimum degree) and symbolic factorisation, which are found once: all of that is generous to it.

use super::system::{Cholesky, least};
use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, SymbolicCholesky, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par, Side};
use taut_redmax::ReducedSystem;
use taut_redmax::articulated::explicit::LowerColumns;
use taut_solve::dense;

/// Entries below this are left out, as in the thesis.
const DROP: f64 = 1e-10;

fn view(a: &LowerColumns) -> SparseColMatRef<'_, usize, f64> {
    let pattern = SymbolicSparseColMatRef::new_checked(a.size(), a.size(), &a.starts, None, &a.rows);
    SparseColMatRef::new(pattern, &a.values)
}

fn symbolic(a: &LowerColumns, threshold: SupernodalThreshold) -> Result<SymbolicCholesky<usize>, String> {
    let params = CholeskySymbolicParams { supernodal_flop_ratio_threshold: threshold, ..Default::default() };
    factorize_symbolic_cholesky(view(a).symbolic(), Side::Lower, SymmetricOrdering::Amd, params)
        .map_err(|e| format!("faer, symbolic: {e:?}"))
}

/// Factors and memory of one system.
struct Work<'a> {
    system: &'a ReducedSystem,
    matrix: &'a LowerColumns,
    symbolic: SymbolicCholesky<usize>,
    values: Vec<f64>,
    memory: MemBuffer,
    /// Columns b and G^T.
    sides: Vec<f64>,
    /// Their solutions; the first column becomes y.
    x: Vec<f64>,
    dual: Vec<f64>,
    impulses: Vec<f64>,
    small: dense::Cholesky,
}

impl<'a> Work<'a> {
    fn new(system: &'a ReducedSystem, matrix: &'a LowerColumns, kind: SupernodalThreshold) -> Result<Self, String> {
        let (n, l) = (matrix.size(), system.loops().len());
        let symbolic = symbolic(matrix, kind)?;
        let memory = MemBuffer::new(StackReq::any_of(&[
            symbolic.factorize_numeric_llt_scratch::<f64>(Par::Seq, Default::default()),
            symbolic.solve_in_place_scratch::<f64>(1 + l, Par::Seq),
        ]));
        let mut sides = system.right_hand_side().to_vec();
        sides.resize(n * (1 + l), 0.0);
        for (row, side) in system.loops().iter().zip(sides[n..].chunks_exact_mut(n)) {
            row.entries.iter().for_each(|&(d, g)| side[d] = g);
        }
        let (values, x) = (vec![0.0; symbolic.len_val()], sides.clone());
        let (dual, impulses, small) = (vec![0.0; l * l], vec![0.0; l], dense::Cholesky::new());
        Ok(Work { system, matrix, symbolic, values, memory, sides, x, dual, impulses, small })
    }

    /// Numeric factorisation and all solves.
    fn solve(&mut self) -> Result<(), String> {
        let (n, columns) = (self.matrix.size(), 1 + self.impulses.len());
        self.x.copy_from_slice(&self.sides);
        let stack = MemStack::new(&mut self.memory);
        let given = Default::default();
        let matrix = view(self.matrix);
        let factor = self
            .symbolic
            .factorize_numeric_llt(&mut self.values, matrix, Side::Lower, given, Par::Seq, stack, Default::default())
            .map_err(|e| format!("faer: {e:?}; expected a positive definite matrix"))?;
        let stack = MemStack::new(&mut self.memory);
        let x = MatMut::from_column_major_slice_mut(&mut self.x, n, columns);
        factor.solve_in_place_with_conj(Conj::No, x, Par::Seq, stack);
        self.close_loops()
    }

    fn close_loops(&mut self) -> Result<(), String> {
        let (n, loops) = (self.matrix.size(), self.system.loops());
        let l = loops.len();
        if l == 0 {
            return Ok(());
        }
        let (y, z) = self.x.split_at_mut(n);
        for (k, row) in loops.iter().enumerate() {
            let along = |x: &[f64]| row.entries.iter().map(|&(d, g)| g * x[d]).sum::<f64>();
            for (j, z) in z.chunks_exact(n).enumerate() {
                self.dual[k * l + j] = along(z) + if j == k { row.compliance } else { 0.0 };
            }
            self.impulses[k] = row.target - along(y);
        }
        self.small.factor(l, &self.dual).map_err(|e| format!("rows of the loops: {e:?}; expected independent ones"))?;
        self.small.solve(&mut self.impulses);
        for (z, p) in z.chunks_exact(n).zip(&self.impulses) {
            y.iter_mut().zip(z).for_each(|(y, z)| *y += p * z);
        }
        Ok(())
    }
}

/// Simplicial and supernodal factorisation and solves; the faster counts. `rates` is our solution.
pub fn compare(system: &ReducedSystem, rates: &[f64]) -> Result<Option<Cholesky>, String> {
    let mut matrix = LowerColumns::default();
    let forming = least(|| {
        matrix = system.matrix();
        Ok(())
    })?;
    let matrix = matrix.above(DROP);
    let (mut seconds, mut values, mut off) = ([f64::INFINITY; 2], usize::MAX, 0.0_f64);
    let kinds = [SupernodalThreshold::FORCE_SIMPLICIAL, SupernodalThreshold::FORCE_SUPERNODAL];
    for (seconds, kind) in seconds.iter_mut().zip(kinds) {
        let mut work = Work::new(system, &matrix, kind)?;
        *seconds = least(|| work.solve())?;
        values = values.min(work.values.len());
        let size = work.x[..rates.len()].iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let apart = work.x.iter().zip(rates).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
        off = off.max(if size > 0.0 { apart / size } else { apart });
    }
    Ok(Some(Cholesky { seconds, forming, entries: matrix.values.len(), values, off }))
}
