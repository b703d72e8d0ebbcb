//! One linear system with the solver that was chosen: factorise once, solve for as many right-hand sides as asked.

use super::kkt::{self, Equations};
use super::{choice, jointed, schur, structured};
use crate::desk::Scales;
use crate::desk::factor::{Base, Dense, Factor};
use crate::options::Solver;
use crate::plan::{Geometric, Indefinite, Iterations, Linear, Matrix, Plan};
use crate::profile::{Profile, Stage};
use crate::solve::block_ldlt::{BlockLdlt, Breakdown, FactorInfo};
use crate::solve::minres::{MinresParams, minres};
use crate::solve::supernodal::Supernodal;
use crate::topology::{Island, NONE, Topology};
use crate::tuning::T;

/// Why a system could not be solved: a body or a row, and the reason.
#[derive(Clone, Debug)]
pub(crate) enum Failure {
    /// Dense body.
    Node(usize, String),
    /// Group and row in it.
    Row(usize, usize, String),
    /// The system as a whole.
    System(String),
}

/// Builds and factorises the matrix of one island.
pub(crate) fn factor(
    e: &Equations<'_>,
    s: Scales,
    plan: &Plan,
    f: &mut Factor,
    profile: &mut Profile,
) -> Result<FactorInfo, Failure> {
    let Equations { t, island, .. } = *e;
    let dense = matches!(plan.path(), Solver::DenseLu | Solver::DenseCholesky | Solver::Pgs { .. });
    if dense && island.x.len() > T.input.dense_unknowns {
        let why = format!(
            "{} unknowns are too many for {}: expected at most {}",
            island.x.len(),
            plan.path().name(),
            T.input.dense_unknowns
        );
        return Err(Failure::System(why));
    }
    f.scales[island.k] = s;
    f.crew.shared = plan.parallel;
    match plan.matrix {
        Matrix::Definite(_, Linear::BlockLdlt) => {
            if jointed::load(e, s, &mut f.jointed) {
                profile.mark(Stage::Assembly);
                if jointed::factor(island.k, &mut f.jointed) {
                    return Ok(FactorInfo::default());
                }
            }
            kkt::assemble(e, s, &mut f.ldlt);
            if f.keep_base {
                keep(t, island, &f.ldlt, &mut f.base);
            }
            profile.mark(Stage::Assembly);
            if choice::iterates(t, island, f) {
                return Ok(FactorInfo::default());
            }
            factor_direct(t, island, f).map_err(|b| blame(t, b.block, b.row, b.pivot))
        }
        Matrix::Geometric(Geometric::LowRank) => {
            dense_matrix(e, s, &mut f.dense);
            low_rank_schur(e, s.geo, &mut f.dense)
        }
        Matrix::Definite(_, Linear::DenseLu)
        | Matrix::Geometric(Geometric::Full | Geometric::Symmetric(Indefinite::DenseLu)) => {
            dense_matrix(e, s, &mut f.dense);
            let d = &mut f.dense;
            d.lu.factor(island.x.len(), &d.matrix).map_err(|e| {
                at_unknown(
                    t,
                    island,
                    e.column,
                    format!("the dense LU met the pivot {:.3e}: the system is singular", e.pivot),
                )
            })?;
            Ok(FactorInfo::default())
        }
        Matrix::Definite(_, Linear::DenseCholesky) => {
            dense_matrix(e, s, &mut f.dense);
            cholesky_schur(t, island, &mut f.dense)
        }
        Matrix::Definite(_, Linear::Sweeps(_)) => {
            dense_matrix(e, s, &mut f.dense);
            let (nodes, _) = schur::split(t, island);
            let mass = schur::extract(&f.dense.matrix, island.x.len(), &nodes, &nodes);
            let made = f.dense.lu.factor(nodes.len(), &mass);
            made.map_err(|e| at_unknown(t, island, nodes[e.column], "its mass block is singular".into()))?;
            Ok(FactorInfo::default())
        }
        Matrix::Definite(_, Linear::Minres(_)) | Matrix::Geometric(Geometric::Symmetric(Indefinite::Minres(_))) => {
            preconditioner(e, s, f)?;
            Ok(FactorInfo::default())
        }
        Matrix::Definite(_, Linear::Structured(_)) => structured::factor(e, s, f, profile),
    }
}

/// Solves K x = b in place with the matrix of the last `factor`; returns the iterations of an iterative solver.
pub(crate) fn solve(e: &Equations<'_>, plan: &Plan, x: &mut [f64], f: &mut Factor) -> Result<usize, Failure> {
    let Equations { t, island, .. } = *e;
    match plan.matrix {
        Matrix::Definite(_, Linear::BlockLdlt) => {
            if f.choice.iterates[island.k] {
                return choice::iterate(t, island, x, f).map_err(|b| blame(t, b.block, b.row, b.pivot));
            }
            solve_direct(t, island, f, x);
            Ok(0)
        }
        Matrix::Definite(_, Linear::DenseLu)
        | Matrix::Geometric(Geometric::Full | Geometric::Symmetric(Indefinite::DenseLu)) => {
            f.dense.lu.solve(&mut x[island.x.clone()]);
            Ok(0)
        }
        Matrix::Definite(_, Linear::DenseCholesky) | Matrix::Geometric(Geometric::LowRank) => {
            solve_schur(t, island, plan.geometric().is_none(), x, &mut f.dense);
            Ok(0)
        }
        Matrix::Definite(_, Linear::Sweeps(_)) => {
            // The bodies alone; the places of the rows keep their right-hand sides.
            let (nodes, _) = schur::split(t, island);
            let x = &mut x[island.x.clone()];
            let mut v: Vec<f64> = nodes.iter().map(|&k| x[k]).collect();
            f.dense.lu.solve(&mut v);
            nodes.iter().zip(v).for_each(|(&k, v)| x[k] = v);
            Ok(0)
        }
        Matrix::Definite(_, Linear::Minres(stop))
        | Matrix::Geometric(Geometric::Symmetric(Indefinite::Minres(stop))) => iterate(e, stop, x, f),
        Matrix::Definite(_, Linear::Structured(budget)) => structured::solve(e, &budget, x, f),
    }
}

/// The same for two right-hand sides at once.
pub(crate) fn solve_two(e: &Equations<'_>, plan: &Plan, x: [&mut [f64]; 2], f: &mut Factor) -> Result<usize, Failure> {
    let Equations { t, island, .. } = *e;
    if matches!(plan.matrix, Matrix::Definite(_, Linear::BlockLdlt)) && f.choice.iterates[island.k] {
        return choice::iterate_two(t, island, x, f).map_err(|b| blame(t, b.block, b.row, b.pivot));
    }
    let [one, two] = x;
    Ok(solve(e, plan, one, f)? + solve(e, plan, two, f)?)
}

/// Copies the assembled matrix of an island aside.
fn keep(t: &Topology, island: &Island, ldlt: &BlockLdlt, base: &mut Base) {
    let p = &t.pattern;
    let end = p.diag.get(island.blocks.end).copied().unwrap_or(p.diag_len);
    let diag = p.diag[island.blocks.start]..end;
    base.diag.resize(p.diag_len, 0.0);
    base.off.resize(p.off_len, 0.0);
    base.diag[diag.clone()].copy_from_slice(&ldlt.diag[diag]);
    base.off[island.off.clone()].copy_from_slice(&ldlt.off[island.off.clone()]);
}

/// Factorises the assembled matrix by blocks, or by panels where there is much fill.
pub(crate) fn factor_direct(t: &Topology, island: &Island, f: &mut Factor) -> Result<FactorInfo, Breakdown> {
    f.jointed.used[island.k] = false;
    if island.fours {
        let made = || Box::new(Supernodal::by_fours(&t.pattern, island.blocks.clone()));
        let panels = f.choice.panels[island.k].get_or_insert_with(made);
        panels.factor_by(&f.crew, &t.pattern, &t.signs, island.blocks.start, &mut f.ldlt)
    } else if island.wide {
        f.panels.factor_by(&f.crew, &t.pattern, &t.signs, island.blocks.start, &mut f.ldlt)
    } else {
        f.ldlt.factor(&t.pattern, &t.signs, island.blocks.clone())
    }
}

/// Solves with that factor, in place.
pub(crate) fn solve_direct(t: &Topology, island: &Island, f: &Factor, x: &mut [f64]) {
    if f.jointed.used[island.k] {
        f.jointed.tree.solve(f.jointed.members[island.k].clone(), x);
    } else if island.fours {
        f.choice.panels[island.k].iter().for_each(|p| p.solve(island.blocks.start, x));
    } else if island.wide {
        f.panels.solve(island.blocks.start, x);
    } else {
        f.ldlt.solve(&t.pattern, island.blocks.clone(), x);
    }
}

/// The panels of an island, where these are its factor.
pub(crate) fn panels<'a>(island: &Island, f: &'a Factor) -> Option<&'a Supernodal> {
    if !island.wide || f.choice.iterates[island.k] {
        None
    } else if island.fours {
        f.choice.panels[island.k].as_deref()
    } else {
        Some(&f.panels)
    }
}

/// Names what a block stands for.
pub(crate) fn blame(t: &Topology, block: usize, row: usize, pivot: f64) -> Failure {
    let x = t.pattern.row[block];
    if t.signs.is_row[block] {
        let group = t.groups.iter().position(|g| g.x() == x).unwrap_or(0);
        Failure::Row(
            group,
            row,
            format!("the pivot {pivot:.3e} should be negative: the row has no freedom left to act on"),
        )
    } else {
        let node = t.nodes.iter().position(|n| n.x == x).unwrap_or(0);
        Failure::Node(node, format!("the pivot {pivot:.3e} of its mass block should be positive"))
    }
}

fn at_unknown(t: &Topology, island: &Island, column: usize, reason: String) -> Failure {
    let x = island.x.start + column;
    match t.nodes.iter().position(|n| (n.x..n.x + n.dim).contains(&x)) {
        Some(n) => Failure::Node(n, reason),
        None => match t.groups.iter().position(|g| (g.x()..g.x() + g.rows()).contains(&x)) {
            Some(g) => Failure::Row(g, x - t.groups[g].x(), reason),
            None => Failure::System(reason),
        },
    }
}

/// Columns of the matrix, one product each.
pub(crate) fn dense_matrix(e: &Equations<'_>, s: Scales, d: &mut Dense) {
    let Equations { t, island, .. } = *e;
    let n = island.x.len();
    let size = t.pattern.size();
    let (mut unit, mut column) = (vec![0.0; size], vec![0.0; size]);
    let matrix = &mut d.matrix;
    matrix.clear();
    matrix.resize(n * n, 0.0);
    for c in 0..n {
        unit[island.x.start + c] = 1.0;
        kkt::multiply(e, s, &unit, &mut column);
        unit[island.x.start + c] = 0.0;
        for r in 0..n {
            matrix[r * n + c] = column[island.x.start + r];
        }
    }
}

fn cholesky_schur(t: &Topology, island: &Island, d: &mut Dense) -> Result<FactorInfo, Failure> {
    let n = island.x.len();
    let (nodes, rows) = schur::split(t, island);
    let mass = schur::extract(&d.matrix, n, &nodes, &nodes);
    d.inverse.clear();
    d.inverse.resize(nodes.len() * nodes.len(), 0.0);
    d.lu.factor(nodes.len(), &mass)
        .map_err(|e| at_unknown(t, island, nodes[e.column], "its mass block is singular".into()))?;
    d.lu.inverse(&mut d.inverse);
    let jac = schur::extract(&d.matrix, n, &rows, &nodes);
    let sigma = schur::extract(&d.matrix, n, &rows, &rows);
    d.schur = schur::reduced(&sigma, &jac, &d.inverse, rows.len(), nodes.len());
    d.cholesky.factor(rows.len(), &d.schur).map_err(|e| {
        at_unknown(
            t,
            island,
            rows[e.row],
            format!("the Cholesky pivot {:.3e} is not positive: the row is redundant", e.pivot),
        )
    })?;
    d.work = jac;
    Ok(FactorInfo::default())
}

/// M~^-1 by rank-1 updates of M^-1, then the (unsymmetric) reduced system by LU.
fn low_rank_schur(e: &Equations<'_>, h2: f64, d: &mut Dense) -> Result<FactorInfo, Failure> {
    let Equations { t, island, .. } = *e;
    let n = island.x.len();
    let (nodes, rows) = schur::split(t, island);
    let jac = schur::extract(&d.matrix, n, &rows, &nodes);
    let sigma = schur::extract(&d.matrix, n, &rows, &rows);
    let inverse = crate::system::low_rank::inverse(e, h2).map_err(|g| match g {
        Some(g) => Failure::Row(g, 0, "a rank-1 update of its geometric stiffness is singular".into()),
        None => Failure::System("a rank-1 update of a spring is singular".into()),
    })?;
    d.inverse = inverse;
    d.schur = schur::reduced(&sigma, &jac, &d.inverse, rows.len(), nodes.len());
    d.lu.factor(rows.len(), &d.schur)
        .map_err(|e| at_unknown(t, island, rows[e.column], "the reduced system is singular".into()))?;
    d.work = jac;
    Ok(FactorInfo::default())
}

fn solve_schur(t: &Topology, island: &Island, definite: bool, x: &mut [f64], d: &mut Dense) {
    let (nodes, rows) = schur::split(t, island);
    let x = &mut x[island.x.clone()];
    let free: Vec<f64> = apply(&d.inverse, nodes.len(), |k| x[nodes[k]]);
    // S (h lambda) = b - J Minv (M v + h f); the unknown of the symmetric system is its negative.
    let mut impulse: Vec<f64> = (0..rows.len())
        .map(|r| {
            x[rows[r]]
                - d.work[r * nodes.len()..(r + 1) * nodes.len()].iter().zip(&free).map(|(a, b)| a * b).sum::<f64>()
        })
        .collect();
    if definite {
        d.cholesky.solve(&mut impulse)
    } else {
        d.lu.solve(&mut impulse)
    }
    let mut push = vec![0.0; nodes.len()];
    for (r, &z) in impulse.iter().enumerate() {
        for (p, &j) in push.iter_mut().zip(&d.work[r * nodes.len()..(r + 1) * nodes.len()]) {
            *p += j * z;
        }
        x[rows[r]] = -z;
    }
    let change = apply(&d.inverse, nodes.len(), |k| push[k]);
    for (k, &at) in nodes.iter().enumerate() {
        x[at] = free[k] + change[k];
    }
}

fn apply(matrix: &[f64], n: usize, x: impl Fn(usize) -> f64) -> Vec<f64> {
    (0..n).map(|r| (0..n).map(|c| matrix[r * n + c] * x(c)).sum()).collect()
}

/// Inverse node blocks and row scales, kept in the memory of the factorisation.
fn preconditioner(e: &Equations<'_>, s: Scales, f: &mut Factor) -> Result<(), Failure> {
    let Equations { t, island, .. } = *e;
    let Factor { ldlt, dense, .. } = f;
    kkt::assemble(e, s, ldlt);
    for n in island.nodes.clone() {
        let node = &t.nodes[n];
        let range = node.diag..node.diag + node.dim * node.dim;
        let made = dense.lu.factor(node.dim, &ldlt.diag[range.clone()]);
        if made.is_ok() {
            dense.lu.inverse(&mut ldlt.diag[range]);
        }
        made.map_err(|_| Failure::Node(n, "its mass block is singular".into()))?;
    }
    for g in &t.groups[island.groups.clone()] {
        for r in 0..g.rows() {
            let mut m = s.sigma * e.sigma[g.row() + r];
            for (b, at) in [(g.i(), g.jac_i()), (g.j(), g.jac_j())] {
                if at == NONE {
                    continue;
                }
                let node = &t.nodes[b];
                let j = &e.jac[at + r * node.dim..at + (r + 1) * node.dim];
                for p in 0..node.dim {
                    for q in 0..node.dim {
                        m += j[p] * ldlt.diag[node.diag + p * node.dim + q] * j[q];
                    }
                }
            }
            ldlt.diag[g.diag() + r * g.rows() + r] = 1.0 / m;
        }
    }
    Ok(())
}

fn iterate(e: &Equations<'_>, stop: Iterations, x: &mut [f64], f: &mut Factor) -> Result<usize, Failure> {
    let Equations { t, island, .. } = *e;
    let Factor { scales, ldlt, minres: work, .. } = f;
    let (s, size) = (scales[island.k], t.pattern.size());
    let range = island.x.clone();
    let b: Vec<f64> = x[range.clone()].to_vec();
    // Start from the velocities and multipliers of the last step or pass.
    let mut start = vec![0.0; b.len()];
    for n in island.nodes.clone() {
        let node = &t.nodes[n];
        let at = node.x - range.start;
        start[at..at + 3].copy_from_slice(&t.inputs.kin[n].vel.to_array());
        if node.dim == 6 {
            start[at + 3..at + 6].copy_from_slice(&t.inputs.omega_g[n].to_array());
        }
    }
    for g in &t.groups[island.groups.clone()] {
        for r in 0..g.rows() {
            start[g.x() - range.start + r] = -t.inputs.hk[g.island()] * e.load[g.row() + r];
        }
    }
    let (mut full, mut out) = (vec![0.0; size], vec![0.0; size]);
    let params = MinresParams { max_iterations: stop.most, tolerance: stop.tolerance };
    let mut product = |v: &[f64], y: &mut [f64]| {
        full[range.clone()].copy_from_slice(v);
        kkt::multiply(e, s, &full, &mut out);
        y.copy_from_slice(&out[range.clone()]);
    };
    let x0 = range.start;
    let mut precondition = |r: &[f64], z: &mut [f64]| {
        for node in &t.nodes[island.nodes.clone()] {
            let at = node.x - x0;
            for p in 0..node.dim {
                z[at + p] = (0..node.dim).map(|q| ldlt.diag[node.diag + p * node.dim + q] * r[at + q]).sum();
            }
        }
        for g in &t.groups[island.groups.clone()] {
            for q in 0..g.rows() {
                z[g.x() - x0 + q] = ldlt.diag[g.diag() + q * g.rows() + q] * r[g.x() - x0 + q];
            }
        }
    };
    let done = minres(&mut product, &mut precondition, &b, &mut start, &params, work);
    x[range].copy_from_slice(&start);
    match done {
        Ok(info) => Ok(info.iterations),
        Err(e) => Err(Failure::System(format!("MINRES: {e}"))),
    }
}
