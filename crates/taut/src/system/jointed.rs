//! The system of an island in joint coordinates (`solve::joint_tree`), straight from the bodies and joints: the matrix of `kkt`, which is
//! never formed. A is block-diagonal and goes into the inertia, whatever part of it is kept; damping and drag of bodies go into mass and
//! inertia. Rows that give, rows of dead pivots and what couples velocities with rotations ask for blocks.

use super::kkt::{Equations, mass_block};
use crate::desk::Scales;
use crate::desk::jointed::Jointed;
use crate::math::{packed, vec3};
use crate::topology::NONE;
use glam::DVec3;

/// Takes the matrix of an island; false where it asks for blocks.
pub(crate) fn load(e: &Equations<'_>, s: Scales, to: &mut Jointed) -> bool {
    let (t, island) = (e.t, e.island);
    let members = to.members[island.k].clone();
    let blocks = s.geo > 0.0 || !e.stiff.damping.is_empty() || !t.inputs.around.is_empty();
    if !to.wanted || members.is_empty() || blocks {
        return false;
    }
    let hk = t.inputs.hk[island.k];
    members.zip(island.nodes.clone()).all(|(member, n)| {
        let (mass, inertia) = mass_block(t, hk, n, &t.inputs.inertia, &e.stiff.now.added, s.keep);
        let k = to.groups[member];
        if k == NONE {
            to.tree.set(member, mass, packed(inertia), (DVec3::ZERO, DVec3::ZERO));
            return true;
        }
        let g = &t.groups[k];
        if g.dead || e.sigma[g.row()..g.row() + g.rows()].iter().any(|&s| s != 0.0) {
            return false;
        }
        let (si, sj) = e.arms[k];
        let (arms, jac) = if g.i() == n { ((si, sj), g.jac_i()) } else { ((sj, si), g.jac_j()) };
        to.tree.set(member, mass, packed(inertia), arms);
        let mut turns = [DVec3::ZERO; 3];
        for (r, turn) in (3..g.rows()).zip(&mut turns) {
            *turn = vec3(e.jac, jac + 6 * r + 3);
        }
        g.rows() == 3 || to.tree.hold(member, &turns[..g.rows() - 3]).is_ok()
    })
}

/// Factorises what was loaded; false where a pivot is not positive, which the blocks can tell more about.
pub(crate) fn factor(island: usize, f: &mut Jointed) -> bool {
    f.used[island] = f.tree.factor(f.members[island].clone()).is_ok();
    f.used[island]
}
