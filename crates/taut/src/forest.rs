//! Reduced coordinates: a spanning forest of the joints becomes coordinates, the other joints stay rows.
//!
//! World axes, linear before angular, twists at the centres of mass. For body i with parent p
//! ```text
//! v_i = X_i v_p + S_i y_i,    X_i shifts by the arm c_i - c_p,    hence v = J y + (what moving roots bring)
//! ```

pub(crate) mod edge;
pub(crate) mod kinematics;
#[cfg(test)]
mod kinematics_tests;
pub(crate) mod placed;
#[cfg(test)]
pub(crate) mod testing;
pub(crate) mod tree;

use crate::constraint::Side;
use crate::error::{Error, Result};
use crate::joints::RowSpec;
use crate::joints::chart::{Chart, MAX_DOFS};
use crate::math::pose::{Frames, Pose};
use crate::math::twist::Twist;
use edge::Edge;
use glam::DMat3;

/// Checks that a joint's rows keep exactly what its chart does not leave free: 6 - dofs rows, all zero and with J S = 0 at a pose of
/// the chart that has nothing special.
pub(crate) fn agree(chart: Chart, joint: &str, frames: &Frames, rows: &[RowSpec]) -> Result<()> {
    let own = || rows.iter().filter(|r| r.holds());
    let count: usize = own().map(|r| r.primitive.rows()).sum();
    let name = || format!("chart of the {joint} joint");
    if count + chart.dofs() != 6 {
        let expected =
            format!("a chart with {} freedoms, one for each row that the joint lacks", 6_usize.saturating_sub(count));
        return Err(Error::input(name(), format!("{} with {} freedoms", chart.name(), chart.dofs()), expected));
    }
    let rates = [0.3, -0.2, 0.25, 0.15, 0.2, -0.35];
    let mut q = chart.read(&Pose::IDENTITY);
    chart.advance(&mut q, &rates[..chart.dofs()], 1.0);
    let edge = Edge::new(chart, frames, false);
    let place = edge.place(&edge.near(&Pose::IDENTITY), &q);
    let (j, i) = (Pose::IDENTITY, place.child);
    let side = |p: &Pose| Side { pos: p.pos, rot: DMat3::from_quat(p.rot) };
    let mut columns = [Twist::default(); MAX_DOFS];
    let columns = &mut columns[..chart.dofs()];
    edge.columns(&place, &q, columns);
    let size = 1.0 + frames.i.origin.length() + frames.j.origin.length();
    for row in own() {
        let e = row.primitive.eval(&side(&i), &side(&j));
        for r in 0..row.primitive.rows() {
            let along = columns.iter().map(|s| e.ji[r].iter().zip(s.to_array()).map(|(a, b)| a * b).sum::<f64>());
            let worst = along.fold(e.phi[r].abs(), |w, x| w.max(x.abs()));
            if !(worst <= 1e-5 * size) {
                let expected = "a chart whose motion keeps every row of the joint zero";
                return Err(Error::input(name(), format!("{}, which moves a row by {worst}", chart.name()), expected));
            }
        }
    }
    Ok(())
}
