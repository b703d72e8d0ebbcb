//! What benchmarks look at and a step does not need.

use super::{World, empty};
use crate::error::{Error, Result};
use crate::step;
use crate::system::linear;

impl World {
    /// The inverse of the augmented mass matrix M - h^2 K~ (Andrews 2017 section 3) at the present pose with the forces of the last
    /// step, dense and row-major over the unknowns of the bodies: by rank-1 updates of M^-1, or by LU of the full matrix.
    /// It is what Table 2 of the paper times; the step never needs it.
    pub fn augmented_inverse(&mut self, h: f64, low_rank: bool) -> Result<Vec<f64>> {
        crate::error::positive("time step", h, "s")?;
        self.lay_out()?;
        let Some(layout) = self.layout.as_mut() else { return Err(empty()) };
        let (t, ws) = &mut **layout;
        if t.islands.len() != 1 {
            return Err(Error::input("islands", t.islands.len(), "one"));
        }
        if t.links.iter().any(|l| !matches!(l.source, crate::topology::Source::Row(_))) {
            return Err(Error::input("springs", "some", "none: the matrix of the paper has joints only"));
        }
        step::gather(&self.model, t, &self.options, h, &self.state, ws);
        for (n, node) in t.nodes.iter().enumerate() {
            let rot = ws.kin[n].rot;
            ws.inertia[n] =
                if node.isotropic { t.local_inertia[n] } else { rot * t.local_inertia[n] * rot.transpose() };
        }
        let singular = |what: String| Error::step(self.state.time, what, "the augmented mass matrix is singular");
        if low_rank {
            return crate::stabilise::low_rank::inverse(t, &t.islands[0], h * h, ws)
                .map_err(|g| singular(g.map_or("the system".into(), |g| self.model.joint_name(t.groups[g].slot()))));
        }
        crate::stabilise::geometric::evaluate(t, &t.islands[0], ws);
        let m = crate::stabilise::geometric::dense_mass(t, &t.islands[0], ws, h * h);
        let size = t.nodes.iter().map(|n| n.dim).sum::<usize>();
        let mut out = vec![0.0; size * size];
        ws.dense.lu.factor(size, &m).map_err(|_| singular("the system".into()))?;
        ws.dense.lu.inverse(&mut out);
        Ok(out)
    }

    /// Time of a bare factorisation and solve of the last step's matrix, without anything else of the step: the yardstick of the
    /// benchmarks. `run` is called with a closure that does it once.
    #[doc(hidden)]
    pub fn bare_solve(&mut self, mut run: impl FnMut(&mut dyn FnMut())) -> Result<()> {
        self.lay_out()?;
        let Some(layout) = self.layout.as_mut() else { return Err(empty()) };
        let (t, ws) = &mut **layout;
        for k in 0..t.islands.len() {
            let s = crate::system::kkt::Scales { keep: 1.0, sigma: 1.0, geo: 0.0, symmetric: false };
            crate::system::kkt::assemble(t, &t.islands[k], s, ws);
        }
        let (diag, off) = (ws.ldlt.diag.clone(), ws.ldlt.off.clone());
        let mut once = || {
            ws.ldlt.diag.copy_from_slice(&diag);
            ws.ldlt.off.copy_from_slice(&off);
            for island in &t.islands {
                ws.x[island.x.clone()].copy_from_slice(&ws.rhs[island.x.clone()]);
                if linear::factor_direct(t, island, ws).is_ok() {
                    let mut x = std::mem::take(&mut ws.x);
                    linear::solve_direct(t, island, ws, &mut x);
                    ws.x = x;
                }
            }
        };
        run(&mut once);
        Ok(())
    }
}
