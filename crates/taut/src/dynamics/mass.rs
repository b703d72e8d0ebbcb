//! The mass matrix of a forest and its factor, both as sparse as the forest.
//!
//! Composite rigid bodies (Featherstone 2008, section 6.2), in world axes: with I_i the inertia of link i and of all
//! that hangs on it,
//! ```text
//! M_kj = S_j^T X^T I_i S_k    k of link i, j of i or of a link between i and its root, X the shift from there to i
//! M = L^T L                    section 6.5: row k of L has entries where row k of M has, at the freedoms on its path
//! ```
//! I of mass m, first moment d and second moment about a point: p = m v + w x d, angular momentum = I w + d x v.

use crate::error::{Error, Result};
use crate::forest::kinematics::Kinematics;
use crate::forest::tree::{NONE, Parent, Tree};
use crate::math::so3::outer;
use crate::math::twist::Twist;
use glam::{DMat3, DVec3};

/// Mass and inertia of a body or of several, about a point, world axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inertia {
    pub mass: f64,
    /// Mass times the offset of the centre of mass, kg m.
    pub first: DVec3,
    /// About the point, kg m^2.
    pub second: DMat3,
}

impl Inertia {
    /// Momentum and angular momentum about the point at a velocity of the point.
    fn times(&self, t: Twist) -> Twist {
        Twist::new(self.mass * t.lin + t.ang.cross(self.first), self.second * t.ang + self.first.cross(t.lin))
    }

    /// The same about a point from which this one is `arm` away.
    fn from(&self, arm: DVec3) -> Self {
        let (d, r) = (self.first, arm);
        let spread = 2.0 * d.dot(r) + self.mass * r.dot(r);
        let dyads = outer(d, r) + outer(r, d) + outer(r, r) * self.mass;
        Inertia { mass: self.mass, first: d + self.mass * r, second: self.second + DMat3::IDENTITY * spread - dyads }
    }

    fn and(&self, o: &Inertia) -> Self {
        Inertia { mass: self.mass + o.mass, first: self.first + o.first, second: self.second + o.second }
    }
}

/// A matrix with entries where one of two freedoms carries the other: row k has those of the path from its root to k,
/// k the last.
#[derive(Clone, Debug)]
pub(super) struct Sparse {
    /// The freedom before it on the way to the root, or `NONE`.
    up: Vec<usize>,
    /// First value of each row, and the end.
    start: Vec<usize>,
    values: Vec<f64>,
}

impl Sparse {
    /// The pattern of a forest.
    fn zeros(tree: &Tree) -> Self {
        let mut up = vec![NONE; tree.dofs];
        let mut last = vec![NONE; tree.links.len()];
        for (i, l) in tree.links.iter().enumerate() {
            let mut before = if let Parent::Link(p) = l.parent { last[p] } else { NONE };
            for k in l.rates() {
                up[k] = before;
                before = k;
            }
            last[i] = before;
        }
        let mut start = vec![0; tree.dofs + 1];
        for k in 0..tree.dofs {
            let above = if up[k] == NONE { 0 } else { start[up[k] + 1] - start[up[k]] };
            start[k + 1] = start[k] + above + 1;
        }
        Sparse { values: vec![0.0; start[tree.dofs]], up, start }
    }

    /// The mass matrix.
    pub fn mass(tree: &Tree, kin: &Kinematics, inertia: &[Inertia]) -> Self {
        let mut composite = inertia.to_vec();
        for (i, l) in tree.links.iter().enumerate().rev() {
            if let Parent::Link(p) = l.parent {
                composite[p] = composite[p].and(&composite[i].from(kin.arm[i]));
            }
        }
        let mut m = Sparse::zeros(tree);
        for (i, l) in tree.links.iter().enumerate() {
            for k in l.rates() {
                let (mut at, mut f, mut end) = (i, composite[i].times(kin.s[k]), m.start[k + 1]);
                loop {
                    let own = tree.links[at].first..(tree.links[at].first + tree.links[at].dofs).min(k + 1);
                    end -= own.len();
                    for (value, j) in m.values[end..].iter_mut().zip(own) {
                        *value = kin.s[j].dot(f);
                    }
                    let Parent::Link(p) = tree.links[at].parent else { break };
                    f = f.force_from(kin.arm[at]);
                    at = p;
                }
            }
        }
        m
    }

    /// Adds to M_kj where j is as many freedoms before k, of the same joint.
    pub fn add(&mut self, k: usize, before: usize, value: f64) {
        self.values[self.start[k + 1] - 1 - before] += value;
    }

    /// M_kj of the freedoms j on the path to k.
    fn row(&self, k: usize) -> &[f64] {
        &self.values[self.start[k]..self.start[k + 1]]
    }

    /// Calls with (k, j, M_kj) for all entries on and below the diagonal.
    pub fn entries(&self, mut take: impl FnMut(usize, usize, f64)) {
        for k in 0..self.up.len() {
            let mut j = k;
            for &value in self.row(k).iter().rev() {
                take(k, j, value);
                j = self.up[j];
            }
        }
    }

    /// M = L^T L in its own place. `name` names a freedom.
    pub fn factor(mut self, name: impl Fn(usize) -> String) -> Result<Factor> {
        for k in (0..self.up.len()).rev() {
            let (before, from) = self.values.split_at_mut(self.start[k]);
            let own = &mut from[..self.start[k + 1] - self.start[k]];
            let depth = own.len() - 1;
            let pivot = own[depth];
            if !(pivot > 0.0 && pivot.is_finite()) {
                let expected = "a positive number: masses and inertias that are not too far apart for double precision";
                return Err(Error::input(format!("mass matrix at {}", name(k)), pivot, expected));
            }
            own[depth] = pivot.sqrt();
            let root = own[depth];
            own[..depth].iter_mut().for_each(|x| *x /= root);
            let mut i = self.up[k];
            for p in (0..depth).rev() {
                let row = &mut before[self.start[i]..self.start[i + 1]];
                row.iter_mut().zip(&own[..=p]).for_each(|(x, l)| *x -= own[p] * l);
                i = self.up[i];
            }
        }
        Ok(Factor { l: self })
    }
}

/// L of M = L^T L. Forces become L^-T f and accelerations L a, both in the root of mass times m/s^2: there all
/// freedoms count alike, whatever their units.
#[derive(Clone, Debug)]
pub(super) struct Factor {
    l: Sparse,
}

impl Factor {
    /// L^-T f, in place.
    pub fn scale_force(&self, f: &mut [f64]) {
        for k in (0..f.len()).rev() {
            let (row, mut i) = (self.l.row(k), self.l.up[k]);
            let Some((diagonal, above)) = row.split_last() else { continue };
            f[k] /= diagonal;
            for l in above.iter().rev() {
                f[i] -= l * f[k];
                i = self.l.up[i];
            }
        }
    }

    /// L a.
    pub fn scaled_acceleration(&self, a: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; a.len()];
        self.l.entries(|k, i, l| out[k] += l * a[i]);
        out
    }

    /// L^-1 x, in place.
    pub fn acceleration_of(&self, x: &mut [f64]) {
        for k in 0..x.len() {
            let (row, mut i) = (self.l.row(k), self.l.up[k]);
            let Some((diagonal, above)) = row.split_last() else { continue };
            let mut sum = x[k];
            for l in above.iter().rev() {
                sum -= l * x[i];
                i = self.l.up[i];
            }
            x[k] = sum / diagonal;
        }
    }
}
