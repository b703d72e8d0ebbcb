//! The symmetric system of a step (Andrews 2017 Eq. 2 with the sign of the multipliers turned):
//! ```text
//! [ M + A   J^T    ] [ v+          ]   [ M v + hk f + r       ]
//! [ J      -Sigma' ] [ -hk lambda+ ] = [ -Gamma phi / h + w   ]      Sigma' = Sigma h / hk
//! ```
//! `multiply` is the one definition of the matrix: residuals, MINRES and the dense references all use it.
//! `assemble` writes the same matrix as blocks for the LDL^T.

use crate::desk::inputs::Given;
use crate::desk::{Law, Multipliers, Scales, Stabilised};
use crate::elastic;
use crate::force::{add_at_anchor, add_form, field};
use crate::kin::LinkTerm;
use crate::math::so3::{outer, skew};
use crate::math::vec3;
pub(crate) use crate::rows::anchor;
use crate::rows::width;
use crate::solve::block_ldlt::BlockLdlt;
use crate::topology::soft::Pair;
use crate::topology::{Group, Island, NONE, Place, Source, Topology};
use glam::{DMat3, DVec3};

/// What the matrix of one island is made of, and what its solvers start from. Nobody writes here.
#[derive(Clone, Copy)]
pub(crate) struct Equations<'a> {
    pub t: &'a Given<'a>,
    pub island: &'a Island,
    /// Jacobians of the rows.
    pub jac: &'a [f64],
    /// Lever arms of the groups.
    pub arms: &'a [(DVec3, DVec3)],
    /// Sigma of the rows.
    pub sigma: &'a [f64],
    pub stiff: &'a Stabilised,
    /// Multipliers of the last pass.
    pub load: &'a [f64],
    /// The solution before the last correction.
    pub before: &'a [f64],
    /// Whether rows of the island may be redundant.
    pub redundant: bool,
}

impl<'a> Equations<'a> {
    /// Those of an island at the pose of the step.
    pub fn of(
        t: &'a Given<'a>,
        k: usize,
        law: &'a Law,
        stiff: &'a Stabilised,
        force: &'a Multipliers,
        before: &'a [f64],
    ) -> Self {
        let (island, jac) = (&t.islands[k], &t.inputs.rows.jac);
        let (arms, sigma, load) = (&t.inputs.rows.arms, &law.sigma, &force.load);
        Equations { t, island, jac, arms, sigma, stiff, load, before, redundant: law.redundant[k] }
    }

    /// A link's weights with the stabiliser's element in them.
    pub fn weighted(&self, k: usize, keep: f64) -> LinkTerm {
        let mut term = self.t.inputs.links[k];
        if matches!(self.t.links[k].source, Source::Row(_)) {
            term.across += keep * self.stiff.now.element[k];
        }
        term
    }
}

/// Mass and inertia of a node with body damping and drag, (1 + hk d) M + hk D, and the stabiliser's part in the inertia.
#[inline(always)]
pub(crate) fn mass_block(
    t: &Topology,
    hk: f64,
    n: usize,
    inertia: &[DMat3],
    added: &[DMat3],
    keep: f64,
) -> (f64, DMat3) {
    let node = &t.nodes[n];
    let mass = node.mass * (1.0 + hk * node.linear_damping) + hk * node.drag.0;
    let inertia = if node.angular_damping > 0.0 { inertia[n] * (1.0 + hk * node.angular_damping) } else { inertia[n] };
    let inertia =
        if node.drag.1 > 0.0 { inertia + DMat3::from_diagonal(DVec3::splat(hk * node.drag.1)) } else { inertia };
    (mass, if keep > 0.0 { inertia + added[n] * keep } else { inertia })
}

/// Writes a mass block, row-major.
#[inline(always)]
pub(crate) fn put_mass(dim: usize, mass: f64, inertia: DMat3, d: &mut [f64]) {
    let d = &mut d[..dim * dim];
    d.fill(0.0);
    for k in 0..3 {
        d[k * dim + k] = mass;
    }
    if dim == 6 {
        for c in 0..3 {
            let col = inertia.col(c);
            // Symmetric: a column is a row.
            d[(3 + c) * 6 + 3..(3 + c) * 6 + 6].copy_from_slice(&col.to_array());
        }
    }
}

/// Writes the blocks of one island into the memory of the factorisation.
pub(crate) fn assemble(e: &Equations<'_>, s: Scales, ldlt: &mut BlockLdlt) {
    ldlt.make_room(&e.t.pattern);
    let Equations { t, island, .. } = *e;
    if island.clear_off {
        ldlt.off[island.off.clone()].fill(0.0);
    }
    for n in island.nodes.clone() {
        let node = &t.nodes[n];
        let d = &mut ldlt.diag[node.diag..node.diag + node.dim * node.dim];
        let (mass, inertia) = mass_block(t, t.inputs.hk[node.island], n, &t.inputs.inertia, &e.stiff.now.added, s.keep);
        match node.dim {
            6 => put_mass(6, mass, inertia, d),
            dim => put_mass(dim, mass, inertia, d),
        }
        if !e.stiff.damping.is_empty() {
            for k in 0..node.dim {
                d[k * node.dim + k] += e.stiff.damping[node.x + k];
            }
        }
        if let Some(around) = t.inputs.around.get(n) {
            field::place(around, d);
        }
    }
    for g in &t.groups[island.groups.clone()] {
        let d = &mut ldlt.diag[g.diag()..g.diag() + g.rows() * g.rows()];
        d.fill(0.0);
        for r in 0..g.rows() {
            d[r * g.rows() + r] = -s.sigma * e.sigma[g.row() + r];
        }
        place_jacobian(g, g.place_i, e.jac, g.jac_i(), width(t, g.i()), &mut ldlt.off);
        place_jacobian(g, g.place_j, e.jac, g.jac_j(), width(t, g.j()), &mut ldlt.off);
    }
    for k in island.links.clone() {
        let term = e.weighted(k, s.keep);
        if term.along == 0.0 && term.across == 0.0 {
            continue;
        }
        let l = &t.links[k];
        if t.is_cut(l) {
            continue;
        }
        let w = outer(term.u, term.u) * (term.along - term.across) + DMat3::IDENTITY * term.across;
        for (b, arm) in [(l.i, term.si), (l.j, term.sj)] {
            if t.is_node(b) {
                let node = &t.nodes[b];
                add_form(&mut ldlt.diag[node.diag..node.diag + node.dim * node.dim], node.dim, arm, w);
            }
        }
        if let Some(p) = l.place {
            place_link(t, l.i, l.j, p, &term, w, &mut ldlt.off);
        }
    }
    let [_, pairs, masses] = t.soft.of(island.k);
    for m in &t.soft.masses[masses] {
        let (node, arm) = (&t.nodes[m.body], t.inputs.kin[m.body].rot * m.arm);
        let block = &mut ldlt.diag[node.diag..node.diag + node.dim * node.dim];
        add_form(block, node.dim, arm, DMat3::from_diagonal(DVec3::splat(m.mass)));
    }
    for p in &t.soft.pairs[pairs] {
        place_pair(t, p, &t.inputs.elastic.stiff, ldlt);
        if t.soft.is_damped {
            place_pair(t, p, &t.inputs.elastic.drag, ldlt);
        }
    }
}

/// Adds a block of the elements' stiffness.
fn place_pair(t: &Topology, p: &Pair, values: &[f64], ldlt: &mut BlockLdlt) {
    let n = t.nodes[p.a].dim * t.nodes[p.b].dim;
    let to = match p.place {
        // Nodes are numbered in the order of elimination: the first is the pivot.
        Some(place) => &mut ldlt.off[place.at as usize..place.at as usize + n],
        None => &mut ldlt.diag[t.nodes[p.a].diag..t.nodes[p.a].diag + n],
    };
    to.iter_mut().zip(&values[p.at..p.at + n]).for_each(|(to, v)| *to += v);
}

#[inline]
fn place_jacobian(g: &Group, place: Option<Place>, jac: &[f64], at: usize, dim: usize, off: &mut [f64]) {
    let Some(p) = place else { return };
    let n = g.rows() * dim;
    let (from, to) = (&jac[at..at + n], &mut off[p.at as usize..p.at as usize + n]);
    if !p.first_is_pivot {
        to.copy_from_slice(from);
        return;
    }
    // The node is the pivot: its block holds J^T.
    match (g.rows(), dim) {
        (3, 6) => transpose(3, 6, from, to),
        (5, 6) => transpose(5, 6, from, to),
        (1, 3) => transpose(1, 3, from, to),
        (rows, dim) => transpose(rows, dim, from, to),
    }
}

/// to = from^T, of so many rows and columns.
#[inline(always)]
fn transpose(rows: usize, columns: usize, from: &[f64], to: &mut [f64]) {
    let (from, to) = (&from[..rows * columns], &mut to[..rows * columns]);
    for r in 0..rows {
        for c in 0..columns {
            to[c * rows + r] = from[r * columns + c];
        }
    }
}

/// off -= B_i^T W B_j in the orientation of the stored block.
fn place_link(t: &Topology, i: usize, j: usize, p: Place, term: &LinkTerm, w: DMat3, off: &mut [f64]) {
    let (a, b, sa, sb) = if p.first_is_pivot { (i, j, term.si, term.sj) } else { (j, i, term.sj, term.si) };
    let (da, db) = (t.nodes[a].dim, t.nodes[b].dim);
    // Blocks of (I, -hat(sa))^T W (I, -hat(sb)).
    let (ha, hb) = (skew(sa), skew(sb));
    let parts = [[w, -(w * hb)], [ha * w, -(ha * w * hb)]];
    for (p_row, row) in parts.iter().enumerate().take(da / 3) {
        for (p_col, m) in row.iter().enumerate().take(db / 3) {
            for c in 0..3 {
                for r in 0..3 {
                    off[p.at as usize + (3 * p_row + r) * db + 3 * p_col + c] -= m.col(c)[r];
                }
            }
        }
    }
}

/// y = K x on one island.
pub(crate) fn multiply(e: &Equations<'_>, s: Scales, x: &[f64], y: &mut [f64]) {
    multiply_bodies(e, s, x, y);
    elastic::multiply(e.t, e.island.k, &e.t.inputs.elastic, x, y);
    multiply_rows(e, s, x, y);
}

/// The same without rows and without elements of deformables: y = (M + A) x, which the nodes alone read and write.
pub(crate) fn multiply_bodies(e: &Equations<'_>, s: Scales, x: &[f64], y: &mut [f64]) {
    let Equations { t, island, .. } = *e;
    for n in island.nodes.clone() {
        let node = &t.nodes[n];
        let (from, to) = (&x[node.x..node.x + node.dim], &mut y[node.x..node.x + node.dim]);
        let (mass, inertia) = mass_block(t, t.inputs.hk[node.island], n, &t.inputs.inertia, &e.stiff.now.added, s.keep);
        for k in 0..3 {
            to[k] = mass * from[k];
        }
        if node.dim == 6 {
            to[3..6].copy_from_slice(&(inertia * vec3(from, 3)).to_array());
        }
        if !e.stiff.damping.is_empty() {
            for k in 0..node.dim {
                to[k] += e.stiff.damping[node.x + k] * from[k];
            }
        }
        if let Some(around) = t.inputs.around.get(n) {
            field::multiply(around, node.dim, from, to);
        }
    }
    for k in island.links.clone() {
        let term = e.weighted(k, s.keep);
        let l = &t.links[k];
        let v = anchor(t, x, l.i, term.si) - anchor(t, x, l.j, term.sj);
        let f = crate::force::form(&term, v);
        add_at_anchor(t, l.i, term.si, f, y);
        add_at_anchor(t, l.j, term.sj, -f, y);
    }
    let [.., masses] = t.soft.of(island.k);
    for m in &t.soft.masses[masses] {
        let arm = t.inputs.kin[m.body].rot * m.arm;
        add_at_anchor(t, m.body, arm, m.mass * anchor(t, x, m.body, arm), y);
    }
}

/// What the rows add to y = K x.
fn multiply_rows(e: &Equations<'_>, s: Scales, x: &[f64], y: &mut [f64]) {
    let Equations { t, island, .. } = *e;
    for k in island.groups.clone() {
        let g = &t.groups[k];
        for r in 0..g.rows() {
            y[g.x() + r] = -s.sigma * e.sigma[g.row() + r] * x[g.x() + r];
        }
        for (b, at) in [(g.i(), g.jac_i()), (g.j(), g.jac_j())] {
            if at == NONE {
                continue;
            }
            let node = &t.nodes[b];
            let jac = &e.jac[at..at + g.rows() * node.dim];
            match node.dim {
                6 => both_ways(6, jac, g, node.x, x, y),
                d => both_ways(d, jac, g, node.x, x, y),
            }
        }
        if s.geo > 0.0 {
            multiply_geo(t, g, &e.stiff.geo[k], s, x, y);
        }
    }
}

/// y_rows += J x_node and y_node += J^T x_rows of one side of a group.
#[inline(always)]
fn both_ways(d: usize, jac: &[f64], g: &Group, at: usize, x: &[f64], y: &mut [f64]) {
    let node = &x[at..at + d];
    for (r, j) in jac.chunks_exact(d).enumerate() {
        let z = x[g.x() + r];
        let to = &mut y[at..at + d];
        let mut sum = 0.0;
        for c in 0..d {
            sum += j[c] * node[c];
            to[c] += j[c] * z;
        }
        y[g.x() + r] += sum;
    }
}

/// y -= h^2 K~ x of one group.
fn multiply_geo(t: &Topology, g: &Group, geo: &crate::constraint::Geo, s: Scales, x: &[f64], y: &mut [f64]) {
    let mut local = [0.0; 12];
    for (slot, b) in [(0, g.i()), (6, g.j())] {
        if t.is_node(b) {
            let n = &t.nodes[b];
            local[slot..slot + n.dim].copy_from_slice(&x[n.x..n.x + n.dim]);
        }
    }
    for (slot, b) in [(0, g.i()), (6, g.j())] {
        if !t.is_node(b) {
            continue;
        }
        let n = &t.nodes[b];
        for r in 0..n.dim {
            let sum: f64 = (0..12)
                .map(|c| {
                    let k = if s.symmetric { 0.5 * (geo[slot + r][c] + geo[c][slot + r]) } else { geo[slot + r][c] };
                    k * local[c]
                })
                .sum();
            y[n.x + r] -= s.geo * sum;
        }
    }
}
