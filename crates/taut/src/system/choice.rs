//! Islands of elements alone: whether their matrix is factorised or iterated on.
//!
//! Iterations of the sweeps grow with the distance that a wave goes in a step, in nodes, and not beyond a multiple of the nodes from one
//! end to the other. Both ways are measured in the multiplications and additions of panels: what is cheaper for the right-hand sides of
//! the step and the columns that bounded rows may ask for is done. The choice depends on the matrix alone, so that it is the same in
//! every run; a matrix on which iterations fail is factorised.

use crate::desk::factor::Factor;
use crate::solve::block_ldlt::Breakdown;
use crate::solve::sweep_cg::SweepCg;
use crate::system::linear::{factor_direct, solve_direct};
use crate::topology::{Island, Topology};
use crate::tuning::T;

/// Whether the assembled matrix of an island is iterated on. If so it is made ready.
pub(super) fn iterates(t: &Topology, island: &Island, f: &mut Factor) -> bool {
    let Some(rival) = island.rival else { return false };
    f.choice.iterates[island.k] = false;
    // h^2 K/m of the stiffest node: the square of the nodes that a wave passes, but for a factor.
    let stiffest = t.nodes[island.nodes.clone()].iter().fold(0.0, |most: f64, node| {
        let d = &f.ldlt.diag[node.diag..node.diag + 9];
        most.max((d[0] + d[4] + d[8]) / (3.0 * node.mass))
    });
    let iterations = T.choice.first + (T.choice.per_node * stiffest.sqrt()).min(T.choice.per_length * rival.across);
    let right_hand_sides = (T.choice.sides + f.choice.columns) as f64;
    // Each coupling is gone over twice, with nine values.
    let product = 36.0 * (island.off.len() / 9) as f64 + 90.0 * island.nodes.len() as f64;
    let iterating = right_hand_sides * iterations * product * T.choice.slower;
    if iterating > rival.flops + right_hand_sides * 4.0 * rival.values * T.choice.slower {
        return false;
    }
    let rank = |block: usize| t.slot_of[island.nodes.start + block - island.blocks.start];
    let made = || Box::new(SweepCg::new(&t.pattern, island.blocks.clone(), rank));
    let sweeps = f.choice.sweeps[island.k].get_or_insert_with(made);
    f.choice.iterates[island.k] = sweeps.load(&f.ldlt);
    f.choice.iterates[island.k]
}

/// Solves in place; returns the iterations.
pub(super) fn iterate(t: &Topology, island: &Island, x: &mut [f64], f: &mut Factor) -> Result<usize, Breakdown> {
    let (tolerance, start) = (tolerance(f), std::mem::take(&mut f.choice.started));
    let choice = &mut f.choice;
    let start = start.then_some(&choice.start[..]);
    let Some(sweeps) = &mut choice.sweeps[island.k] else { return Ok(0) };
    let kept = sweeps.solve(x, start, tolerance);
    if !kept.converged {
        sweeps.right_hand_side((0, 1), x);
        factorise(t, island, f)?;
        solve_direct(t, island, f, x);
    }
    Ok(kept.iterations)
}

/// Solves for two right-hand sides in the same sweeps, the second from zero; returns the iterations, which both go through.
pub(super) fn iterate_two(
    t: &Topology,
    island: &Island,
    x: [&mut [f64]; 2],
    f: &mut Factor,
) -> Result<usize, Breakdown> {
    let (tolerance, start) = (tolerance(f), std::mem::take(&mut f.choice.started));
    let choice = &mut f.choice;
    let start = start.then_some(&choice.start[..]);
    let Some(sweeps) = &mut choice.sweeps[island.k] else { return Ok(0) };
    let [one, two] = x;
    let kept = sweeps.solve_two([one, two], [start, None], tolerance);
    if !kept.converged {
        sweeps.right_hand_side((0, 2), one);
        sweeps.right_hand_side((1, 2), two);
        factorise(t, island, f)?;
        solve_direct(t, island, f, one);
        solve_direct(t, island, f, two);
    }
    Ok(kept.iterations)
}

fn tolerance(f: &Factor) -> f64 {
    if f.choice.columns > 0 { T.choice.tolerance_rows } else { T.choice.tolerance }
}

/// What is left where iterations have failed.
fn factorise(t: &Topology, island: &Island, f: &mut Factor) -> Result<(), Breakdown> {
    factor_direct(t, island, f)?;
    f.choice.iterates[island.k] = false;
    Ok(())
}
