//! The comparison: faer's sparse Cholesky of the explicitly formed reduced matrix, simplicial and supernodal.
//!
//! Timed is what a step needs once the matrix is there: the numeric factorisation and one solve. The order (approximate minimum degree)
//! and the symbolic factorisation are found once, as the pattern stays.

use super::explicit::{NONE, Tree, Twist};
use crate::format::si;
use crate::measure::line;
use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, SymbolicCholesky, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par, Side};
use std::time::Instant;
use taut::Vec3;

/// Entries below this are left out, as in the thesis.
const DROP: f64 = 1e-10;
/// How often a factorisation is timed; the least counts.
const ROUNDS: usize = 5;

/// A lower triangle by columns.
struct Lower {
    n: usize,
    starts: Vec<usize>,
    rows: Vec<usize>,
    values: Vec<f64>,
}

impl Lower {
    /// Of a dense symmetric matrix.
    fn of(n: usize, dense: &[f64]) -> Self {
        let mut out = Lower { n, starts: vec![0], rows: Vec::new(), values: Vec::new() };
        for c in 0..n {
            for r in c..n {
                let x = dense[r * n + c];
                if r == c || x.abs() > DROP {
                    out.rows.push(r);
                    out.values.push(x);
                }
            }
            out.starts.push(out.rows.len());
        }
        out
    }

    fn view(&self) -> SparseColMatRef<'_, usize, f64> {
        let pattern = SymbolicSparseColMatRef::new_checked(self.n, self.n, &self.starts, None, &self.rows);
        SparseColMatRef::new(pattern, &self.values)
    }
}

/// What a factorisation and solve came to.
pub struct Timed {
    /// Least time, s.
    pub seconds: f64,
    /// Stored values of the factor.
    pub values: usize,
    /// The solution.
    pub x: Vec<f64>,
}

fn symbolic(a: &Lower, threshold: SupernodalThreshold) -> Result<SymbolicCholesky<usize>, String> {
    let params = CholeskySymbolicParams { supernodal_flop_ratio_threshold: threshold, ..Default::default() };
    factorize_symbolic_cholesky(a.view().symbolic(), Side::Lower, SymmetricOrdering::Amd, params)
        .map_err(|e| format!("faer, symbolic: {e:?}"))
}

fn timed(a: &Lower, b: &[f64], threshold: SupernodalThreshold) -> Result<Timed, String> {
    let s = symbolic(a, threshold)?;
    let mut values = vec![0.0; s.len_val()];
    let mut memory = MemBuffer::new(StackReq::any_of(&[
        s.factorize_numeric_llt_scratch::<f64>(Par::Seq, Default::default()),
        s.solve_in_place_scratch::<f64>(1, Par::Seq),
    ]));
    let mut x = b.to_vec();
    let mut seconds = f64::INFINITY;
    for _ in 0..ROUNDS {
        x.copy_from_slice(b);
        let begin = Instant::now();
        let stack = MemStack::new(&mut memory);
        let factor = s
            .factorize_numeric_llt(
                &mut values,
                a.view(),
                Side::Lower,
                Default::default(),
                Par::Seq,
                stack,
                Default::default(),
            )
            .map_err(|e| format!("faer: {e:?}; expected a positive definite matrix"))?;
        let stack = MemStack::new(&mut memory);
        let rows = a.n;
        factor.solve_in_place_with_conj(
            Conj::No,
            MatMut::from_column_major_slice_mut(&mut x, rows, 1),
            Par::Seq,
            stack,
        );
        seconds = seconds.min(begin.elapsed().as_secs_f64());
    }
    Ok(Timed { seconds, values: s.len_val(), x })
}

/// Simplicial and supernodal factorisation and solve of a dense symmetric matrix with few entries.
pub fn compare(n: usize, dense: &[f64], b: &[f64]) -> Result<[Timed; 2], String> {
    let a = Lower::of(n, dense);
    Ok([timed(&a, b, SupernodalThreshold::FORCE_SIMPLICIAL)?, timed(&a, b, SupernodalThreshold::FORCE_SUPERNODAL)?])
}

/// A straight chain of hinges about z, links of unit length and mass along x.
fn chain(n: usize) -> Vec<f64> {
    let parent: Vec<usize> = (0..n).map(|i| if i == 0 { NONE } else { i - 1 }).collect();
    let first: Vec<usize> = (0..=n).collect();
    let (arm, s): (Vec<Vec3>, Vec<Twist>) = (vec![Vec3::X; n], vec![[0.0, 0.5, 0.0, 0.0, 0.0, 1.0]; n]);
    let mut h = [0.0; 36];
    (0..6).for_each(|k| h[7 * k] = if k < 3 { 1.0 } else { 1.0 / 12.0 });
    let (h, joint) = (vec![h; n], vec![0.0; n]);
    Tree { parent: &parent, first: &first, arm: &arm, s: &s, h: &h, joint: &joint, pairs: &[], terms: &[] }.matrix()
}

/// Largest |A x - b| over |b|.
fn residual(n: usize, a: &[f64], x: &[f64], b: &[f64]) -> f64 {
    let off = (0..n).map(|r| ((0..n).map(|c| a[r * n + c] * x[c]).sum::<f64>() - b[r]).abs());
    off.fold(0.0, f64::max) / b.iter().fold(0.0_f64, |m, x| m.max(x.abs()))
}

/// The comparison on chains, whose reduced matrix is full: what makes the direct solver of the thesis grow with n^2.4 to n^2.7.
pub fn chains(quick: bool) -> Result<String, String> {
    let sizes: &[usize] = if quick { &[30, 60, 120] } else { &[30, 60, 120, 240, 480, 960, 1920] };
    let mut out = String::from(
        "\nfaer's sparse Cholesky of the reduced matrix of a chain of hinges: factorisation and one solve\n",
    );
    out += "freedoms  values of the factor   simplicial   supernodal  residual\n";
    let mut points = Vec::new();
    for &n in sizes {
        let (a, b) = (chain(n), vec![1.0; n]);
        let [simple, nodal] = compare(n, &a, &b)?;
        let off = residual(n, &a, &simple.x, &b).max(residual(n, &a, &nodal.x, &b));
        let (s, v) = (si(simple.seconds, "s"), si(nodal.seconds, "s"));
        out += &format!("{n:>8} {:>21} {s:>12} {v:>12} {off:>9.1e}\n", simple.values);
        points.push(((n as f64).ln(), simple.seconds.min(nodal.seconds).ln()));
    }
    let slope = line(&points).map_or(f64::NAN, |(slope, _)| slope);
    Ok(out + &format!("the better of the two: n^{slope:.2}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_factorisations_solve_a_chain() {
        let (a, b) = (chain(40), vec![1.0; 40]);
        for t in compare(40, &a, &b).unwrap() {
            assert!(residual(40, &a, &t.x, &b) < 1e-9 && t.seconds > 0.0 && t.values >= 40 * 41 / 2);
        }
        assert!(compare(2, &[1.0, 2.0, 2.0, 1.0], &[1.0, 1.0]).is_err());
    }
}
