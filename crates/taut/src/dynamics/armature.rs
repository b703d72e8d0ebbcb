//! Armatures in the freedoms of the forest: with S the columns of a joint's chart in the axes of its base, its rates s = S y have the
//! kinetic energy a s.s/2, so
//! ```text
//! M += a S^T S,    bias += a S^T S' y
//! ```
//! S has orthonormal columns, and S' y stands across them, in all charts but that of rotation vectors: there a is added to the diagonal of M.

use super::Dynamics;
use super::mass::Sparse;
use crate::error::{Error, Result};
use crate::forest::tree::Tree;
use crate::joints::chart::MAX_DOFS;
use crate::math::twist::Twist;
use crate::model::Model;

/// The armature of the joint of each link. Refused of joints that are rows: they have no freedoms of their own.
pub(super) fn of_links(model: &Model, tree: &Tree) -> Result<Vec<f64>> {
    let of = |slot: usize| model.joints.at(slot).map_or(0.0, |j| j.def.armature);
    if let Some(&slot) = tree.loops.iter().find(|&&slot| of(slot) > 0.0) {
        let expected = "none of a joint that stays a row: one of the forest, or a joint without armature";
        return Err(Error::input(format!("armature of {}", model.joint_name(slot)), of(slot), expected));
    }
    Ok(tree.links.iter().map(|l| l.joint.map_or(0.0, of)).collect())
}

impl Dynamics {
    /// The mass matrix, with armatures.
    pub(super) fn mass(&self) -> Sparse {
        let mut mass = Sparse::mass(&self.tree, &self.kin, &self.inertia);
        self.for_rotors(|first, armature, columns| {
            for (k, s) in columns.iter().enumerate() {
                columns[..=k].iter().enumerate().for_each(|(j, r)| mass.add(first + k, k - j, armature * s.dot(*r)));
            }
        });
        mass
    }

    /// Adds what armatures need for accelerations of all freedoms, N or N m.
    pub(super) fn add_rotors(&self, acceleration: &[f64], out: &mut [f64]) {
        self.for_rotors(|first, armature, columns| {
            let a = columns.iter().zip(&acceleration[first..]).fold(Twist::default(), |sum, (s, a)| sum + *a * *s);
            columns.iter().zip(&mut out[first..]).for_each(|(s, out)| *out += armature * s.dot(a));
        });
    }

    /// Adds what armatures need at constant rates, N or N m.
    pub(super) fn add_rotor_bias(&self, out: &mut [f64]) {
        for ((l, q), &armature) in self.tree.links.iter().zip(&self.kin.q).zip(&self.armature) {
            if armature > 0.0
                && let Some(turn) = l.edge.chart.turn_rate(q, &self.kin.y[l.rates()])
            {
                let mut columns = [Twist::default(); MAX_DOFS];
                l.edge.chart.columns(q, &glam::DMat3::IDENTITY, &mut columns[..l.dofs]);
                let pushed = out[l.rates()].iter_mut().zip(&columns);
                pushed.for_each(|(out, s)| *out += armature * s.ang.dot(turn));
            }
        }
    }

    /// Calls with the first freedom, the armature and the columns of each joint that has one.
    fn for_rotors(&self, mut take: impl FnMut(usize, f64, &[Twist])) {
        let links = self.tree.links.iter().zip(&self.kin.q).zip(&self.armature);
        for ((l, q), &armature) in links.filter(|(_, armature)| **armature > 0.0) {
            let mut columns = [Twist::default(); MAX_DOFS];
            l.edge.chart.columns(q, &glam::DMat3::IDENTITY, &mut columns[..l.dofs]);
            take(l.first, armature, &columns[..l.dofs]);
        }
    }
}
