//! A dense matrix, as queries hand it out.

use std::ops::{Index, IndexMut};

/// A dense matrix, row after row. `m[(row, column)]` is one entry.
///
/// The Jacobian of a tool 2 m from its hinge: 0.5 rad/s move it at 1 m/s, and 30 N there need 60 N m.
/// ```
/// use taut::control::Matrix;
/// let mut jacobian = Matrix::zeros(3, 1);
/// jacobian[(1, 0)] = 2.0;
/// assert_eq!(jacobian.times(&[0.5]), [0.0, 1.0, 0.0]);
/// assert_eq!(jacobian.transposed_times(&[0.0, 30.0, 0.0]), [60.0]);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matrix {
    rows: usize,
    columns: usize,
    values: Vec<f64>,
}

impl Matrix {
    /// Nothing but zeros.
    pub fn zeros(rows: usize, columns: usize) -> Self {
        Matrix { rows, columns, values: vec![0.0; rows * columns] }
    }

    /// How many rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How many columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// One row.
    pub fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.columns..(row + 1) * self.columns]
    }

    /// All entries, row after row.
    pub fn as_slice(&self) -> &[f64] {
        &self.values
    }

    /// The product with a vector of `columns` numbers. Numbers that are missing count as zero, those beyond are not
    /// read.
    pub fn times(&self, x: &[f64]) -> Vec<f64> {
        (0..self.rows).map(|r| self.row(r).iter().zip(x).map(|(a, x)| a * x).sum()).collect()
    }

    /// The product of the transposed matrix with a vector of `rows` numbers: forces from multipliers, or efforts from
    /// a force at a point. Numbers that are missing count as zero, those beyond are not read.
    pub fn transposed_times(&self, y: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; self.columns];
        for (r, y) in y.iter().take(self.rows).enumerate() {
            out.iter_mut().zip(self.row(r)).for_each(|(out, a)| *out += a * y);
        }
        out
    }
}

impl Index<(usize, usize)> for Matrix {
    type Output = f64;
    fn index(&self, (row, column): (usize, usize)) -> &f64 {
        &self.values[row * self.columns..(row + 1) * self.columns][column]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut f64 {
        &mut self.values[row * self.columns..(row + 1) * self.columns][column]
    }
}
