//! What rows over the bodies do to each other, for whoever solves them: limits, contacts, motors with a bound.
//!
//! ```text
//! W = G A^-1 G^T + Sigma      symmetric, positive semi-definite      (A the reduced matrix)
//! ```

use super::loops::{Loops, Rows};
use super::{Fault, Load, Solver};

impl Solver {
    /// Writes W, row-major, to `out`. `loops` is work memory; what it held is lost.
    pub fn mobility(&mut self, rows: &Rows, loops: &mut Loops, out: &mut Vec<f64>) -> Result<(), Fault> {
        rows.check(self.structure())?;
        let (l, n) = (rows.len(), self.structure().dofs());
        out.clear();
        out.resize(l * l, 0.0);
        if !self.is_direct() {
            return self.mobility_by_columns(rows, loops, out);
        }
        let d = self.direct.as_ref().filter(|d| d.factored).ok_or(Fault::NotFactored)?;
        d.columns(rows, &mut loops.e, &mut loops.lanes);
        for k in 0..l {
            loops.scaled.clear();
            loops.scaled.extend(loops.e[k * n..(k + 1) * n].iter().zip(&d.inv).map(|(e, i)| e * i));
            for j in 0..=k {
                let w: f64 = loops.scaled.iter().zip(&loops.e[j * n..(j + 1) * n]).map(|(x, y)| x * y).sum();
                out[k * l + j] = w;
                out[j * l + k] = w;
            }
            out[k * l + k] += rows.compliance(k);
        }
        self.count_columns(l);
        Ok(())
    }

    fn mobility_by_columns(&mut self, rows: &Rows, loops: &mut Loops, out: &mut [f64]) -> Result<(), Fault> {
        let l = rows.len();
        for k in 0..l {
            loops.put_row(rows, k, self.structure().len());
            loops.column.y.fill(0.0);
            self.solve(&Load { joint: &[], body: &loops.wrench }, &mut loops.column)?;
            for j in 0..l {
                // Both halves of the mean, as the columns come.
                let half = 0.5 * rows.rate(j, &loops.column.v).0;
                out[k * l + j] += half;
                out[j * l + k] += half;
            }
            out[k * l + k] += rows.compliance(k);
        }
        Ok(())
    }
}
