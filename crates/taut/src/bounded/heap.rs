//! The rows of a heap, a large cluster in motion, for the sweeps of `solve::bounded::heap`: bodies that rows touch, what impulses do to
//! them, and the rows.

use super::bounce::Respond;
use super::large::Aimed;
use crate::delassus::{Row, RowList};
use crate::desk::bounded::{Candidate, Crowd};
use crate::desk::inputs::Given;
use crate::kin::Kin;
use crate::math::vec3;
use crate::solve::bounded::Block;
use crate::solve::bounded::heap::{self as sweeps, GROUND};
use crate::solve::paths::Paths;
use crate::system::kkt::mass_block;
use crate::system::linear::Failure;
use crate::topology::{Island, NONE, Topology};
use glam::{DMat3, DVec3};

/// What the rows of a heap are made from.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    pub t: &'a Topology,
    pub candidates: &'a [Candidate],
    pub rows: &'a RowList,
}

impl Crowd {
    /// Bodies that rows touch, and what impulses do to them; `x` is scratch.
    pub fn bodies(&mut self, of: Rows<'_>, factors: &mut impl Respond, x: &mut [f64]) -> Result<(), Failure> {
        let t = of.t;
        self.heap.clear();
        self.forget(t);
        for c in of.candidates {
            for r in c.rows() {
                for (n, _) in of.rows.sides(r) {
                    if self.local[n] == GROUND {
                        self.local[n] = 0;
                        self.touched.push((t.nodes[n].island, n));
                    }
                }
            }
        }
        self.touched.sort_unstable();
        let touched = std::mem::take(&mut self.touched);
        let mut done = Ok(());
        for members in touched.chunk_by(|a, b| a.0 == b.0) {
            let island = &t.islands[members[0].0];
            if self.is_alone(island) {
                let (per_mass, per_inertia) = self.inverse[island.nodes.start];
                self.local[island.nodes.start] = self.heap.free(per_mass, per_inertia);
            } else {
                done = done.and(self.joined((t, island), members, factors, x));
            }
        }
        self.touched = touched;
        done
    }

    /// No body has a number.
    fn forget(&mut self, t: &Topology) {
        for &(_, n) in &self.touched {
            if let Some(l) = self.local.get_mut(n) {
                *l = GROUND;
            }
        }
        self.local.resize(t.nodes.len(), GROUND);
        self.touched.clear();
    }

    /// Finds what impulses do to a body without joints; false when there are any, or when its mass is not the same in all directions.
    pub fn invert(&mut self, t: &Given<'_>, island: &Island) -> bool {
        self.inverse.resize(t.nodes.len(), (0.0, DMat3::ZERO));
        let n = island.nodes.start;
        let wet = t.inputs.around.get(n).is_some();
        if island.blocks.len() > 1 || !island.links.is_empty() || wet || t.soft.is_in(island.k) {
            island.nodes.clone().for_each(|n| self.inverse[n].0 = 0.0);
            return false;
        }
        let (mass, inertia) = mass_block(t, t.inputs.hk[island.k], n, &t.inputs.inertia, &[], 0.0);
        self.inverse[n] = (1.0 / mass, if t.nodes[n].dim == 6 { inertia.inverse() } else { DMat3::ZERO });
        true
    }

    /// Whether an island is a body without joints.
    pub fn is_alone(&self, island: &Island) -> bool {
        self.inverse[island.nodes.start].0 > 0.0
    }

    /// Velocities from impulses of a body without joints, in place; false where there are any.
    pub fn answer(&self, t: &Topology, island: &Island, x: &mut [f64]) -> bool {
        let (node, (per_mass, per_inertia)) = (&t.nodes[island.nodes.start], self.inverse[island.nodes.start]);
        if per_mass == 0.0 {
            return false;
        }
        x[node.x..node.x + 3].iter_mut().for_each(|x| *x *= per_mass);
        if node.dim == 6 {
            let w = per_inertia * vec3(x, node.x + 3);
            x[node.x + 3..node.x + 6].copy_from_slice(&w.to_array());
        }
        true
    }

    /// The response of the touched bodies of an island with joints, which get their numbers.
    fn joined(
        &mut self,
        of: (&Topology, &Island),
        members: &[(usize, usize)],
        factors: &mut impl Respond,
        x: &mut [f64],
    ) -> Result<(), Failure> {
        let (first, g) = self.heap.joined(members.len());
        for (k, &(_, n)) in members.iter().enumerate() {
            self.local[n] = first + k as u32;
        }
        respond(of, members, factors, (&mut self.paths, x), g)
    }

    /// Finds the response of the islands that are stale once more; false when blocks on many bodies ask for all rows anew.
    pub fn renew(&mut self, t: &Topology, factors: &mut impl Respond, x: &mut [f64]) -> Result<bool, Failure> {
        if self.heap.has_wide() {
            return Ok(false);
        }
        let Crowd { heap, local, touched, paths, stale, .. } = self;
        for members in touched.chunk_by(|a, b| a.0 == b.0).filter(|m| stale[m[0].0]) {
            let g = heap.renew(local[members[0].1]);
            respond((t, &t.islands[members[0].0]), members, factors, (&mut *paths, &mut *x), g)?;
        }
        heap.renewed();
        Ok(true)
    }

    fn side(&self, n: usize) -> u32 {
        if n == NONE { GROUND } else { self.local[n] }
    }

    /// Reads the rows: contacts pair by pair from below, those of equal height by name.
    pub fn rows(&mut self, of: Rows<'_>, kin: &[Kin], up: DVec3) {
        let Rows { t, candidates, rows } = of;
        self.order.clear();
        let mut last = (NONE, NONE);
        for (k, c) in candidates.iter().enumerate() {
            let row = &rows[c.row];
            if matches!(c.law, Block::Contact { .. }) && !is_wide(rows, c) {
                // Contacts of one pair follow each other, and keep together.
                let pair = (row.i, row.j);
                match self.order.last_mut().filter(|_| pair == last) {
                    Some(o) => o.2 = k + 1,
                    None => self.order.push((height(t, row, kin, up), k, k + 1)),
                }
                last = pair;
            } else {
                last = (NONE, NONE);
            }
        }
        self.order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let order = std::mem::take(&mut self.order);
        for c in order.iter().flat_map(|o| &candidates[o.1..o.2]) {
            let row = &rows[c.row];
            let sides = (self.side(row.i), self.side(row.j));
            let Block::Contact { mu } = c.law else { continue };
            self.heap.contact(sides, mu, c.row, [0, 1, 2].map(|r| given(&rows[c.row + r])));
        }
        self.order = order;
        let mut k = 0;
        while k < candidates.len() {
            let c = &candidates[k];
            let row = &rows[c.row];
            let sides = (self.side(row.i), self.side(row.j));
            match c.law {
                Block::Box { lo, hi } if !row.is_wide() => self.heap.bar(sides, (lo, hi), c.row, given(row)),
                Block::Contact { .. } if !is_wide(rows, c) => {}
                _ => k += self.wide(of, k) - 1,
            }
            k += 1;
        }
    }

    /// A block on many bodies; returns how many candidates it is. The spans of a rope with friction are one.
    fn wide(&mut self, of: Rows<'_>, k: usize) -> usize {
        let follows = |c: &Candidate| matches!(c.law, Block::Span { over: Some(_) });
        let spans = matches!(of.candidates[k].law, Block::Span { .. });
        let count = if spans { 1 + of.candidates[k + 1..].iter().take_while(|c| follows(c)).count() } else { 1 };
        let own = &of.candidates[k..k + count];
        let Crowd { heap, local, laws, .. } = self;
        laws.clear();
        laws.extend(own.iter().map(|c| c.law));
        let rows = own.iter().flat_map(Candidate::rows).map(|r| {
            let sides = of.rows.sides(r).map(|(n, jac)| (local[n], jac));
            (r, given(&of.rows[r]), sides)
        });
        heap.wide(laws, rows);
        count
    }

    /// Velocities of the touched bodies from all unknowns.
    pub fn read(&mut self, t: &Topology, x: &[f64]) {
        for &(_, n) in &self.touched {
            let node = &t.nodes[n];
            self.heap.set_velocity(self.local[n], &x[node.x..node.x + node.dim]);
        }
    }

    /// Velocities of free bodies into all unknowns; those of joint islands come from their factors.
    pub fn spread(&self, t: &Topology, x: &mut [f64]) {
        for &(_, n) in self.touched.iter().filter(|&&(_, n)| self.heap.is_free(self.local[n])) {
            let node = &t.nodes[n];
            x[node.x..node.x + node.dim].copy_from_slice(&self.heap.velocity(self.local[n])[..node.dim]);
        }
    }
}

/// G = E K^-1 E^T of the touched bodies of an island.
fn respond(
    (t, island): (&Topology, &Island),
    members: &[(usize, usize)],
    factors: &mut impl Respond,
    (paths, x): (&mut Paths, &mut [f64]),
    g: &mut [f64],
) -> Result<(), Failure> {
    let width = 6 * members.len();
    let p = &t.pattern;
    if island.wide || island.fours || t.soft.is_in(island.k) {
        // Factorised by panels, or iterated on.
        for (a, &(_, n)) in members.iter().enumerate() {
            for c in 0..t.nodes[n].dim {
                x[island.x.clone()].fill(0.0);
                x[t.nodes[n].x + c] = 1.0;
                factors.respond(island.k, x)?;
                for (b, &(_, m)) in members.iter().enumerate() {
                    let to = &t.nodes[m];
                    g[(6 * a + c) * width + 6 * b..][..to.dim].copy_from_slice(&x[to.x..to.x + to.dim]);
                }
            }
        }
        return Ok(());
    }
    let ldlt = factors.ldlt();
    // Nodes are numbered in the order of elimination.
    paths.find(p, island.blocks.clone(), members.iter().map(|&(_, n)| t.block_of(island, n)));
    for a in 0..members.len() {
        match t.nodes[members[a].1].dim {
            6 => columns::<6>(t, island, members, a, paths, ldlt, g),
            _ => columns::<3>(t, island, members, a, paths, ldlt, g),
        }
    }
    Ok(())
}

/// G of one body with those after it, and its mirror image.
fn columns<const D: usize>(
    t: &Topology,
    island: &Island,
    members: &[(usize, usize)],
    a: usize,
    paths: &mut Paths,
    ldlt: &crate::solve::block_ldlt::BlockLdlt,
    g: &mut [f64],
) {
    let (p, width) = (&t.pattern, 6 * members.len());
    let from = t.block_of(island, members[a].1);
    paths.clear::<D>(p, from);
    for (c, x) in paths.seed::<D>(p, from).iter_mut().enumerate() {
        x[c] = 1.0;
    }
    paths.solve::<D>(p, ldlt, from);
    for (b, &(_, m)) in members.iter().enumerate().skip(a) {
        for (q, x) in paths.at::<D>(p, t.block_of(island, m)).iter().enumerate() {
            for c in 0..D {
                g[(6 * a + c) * width + 6 * b + q] = x[c];
                g[(6 * b + q) * width + 6 * a + c] = x[c];
            }
        }
    }
}

/// Whether a block acts on more than two nodes.
fn is_wide(rows: &RowList, c: &Candidate) -> bool {
    c.rows().any(|r| rows[r].is_wide())
}

/// A row for the sweeps.
fn given(row: &Row) -> sweeps::Given<'_> {
    sweeps::Given { ji: &row.ji, jj: &row.jj, c: Aimed::at(0, row).c, sigma: row.sigma, z: row.z, unit: row.unit }
}

/// Height of a contact, m: where its normal acts on the first body that has unknowns.
fn height(t: &Topology, row: &Row, kin: &[Kin], up: DVec3) -> f64 {
    let (n, jac) = if row.i != NONE { (row.i, &row.ji) } else { (row.j, &row.jj) };
    if t.nodes[n].dim == 3 {
        return up.dot(kin[n].pos);
    }
    // The arm across the normal is enough to tell what is below what.
    let d = DVec3::new(jac[0], jac[1], jac[2]);
    let l = DVec3::new(jac[3], jac[4], jac[5]);
    up.dot(kin[n].pos + d.cross(l) / d.length_squared().max(f64::MIN_POSITIVE))
}
