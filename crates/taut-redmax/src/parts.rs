//! What acts between bodies, sorted by how it enters the reduced system.
//!
//! A row obeys J v+ + Sigma (h lambda+) = t (`rows`), a spring is such a row along its line and one across it:
//! ```text
//! servo of a tree joint   A += g g^T / Sigma, b += g t / Sigma     g = S^T J^T: only the joint itself feels it
//! soft row, spring        H += J^T J / Sigma, f += J^T t / Sigma   a coupling of two links, or the block of one
//! rigid row of a loop     G v+ + Sigma l = t                       by the dual
//! rigid row of the tree   -                                        S has no motion along it
//! ```

use crate::articulated::Pair;
use taut::constraint::Primitive;
use taut::inner::{JointEntry, Lightness, Model, NONE, RowSpec, Tree, row_starts, slot_of};
use taut::{BodyId, Error, Force, Result};

/// Which stiffness of a spring is implicit (Baxter 2019 section 2.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Springs {
    /// Along the line only: always positive, rank 1.
    #[default]
    Material,
    /// And across it under tension, as everywhere else in the engine: always positive, rank 3.
    Clamped,
}

impl Springs {
    fn rank(self) -> usize {
        if self == Springs::Material { 1 } else { 3 }
    }
}

/// How the rows of a primitive enter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A servo on the joint of a link.
    Servo { link: usize },
    /// Soft: by a pair of links, or by the block of the one that moves.
    Soft { pair: Option<usize> },
    /// Rigid, or nearly so.
    Loop,
}

/// One primitive of a joint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowPart {
    /// Slot of the joint, index of the primitive, its first row in the joint.
    pub joint: usize,
    pub spec: usize,
    pub start: usize,
    pub kind: Kind,
}

/// A spring by the slot of its force.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SpringPart {
    pub force: usize,
    pub pair: Option<usize>,
}

/// A distance row that is stiff across its length.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RodPart {
    /// Which of the rows.
    pub row: usize,
    pub pair: Option<usize>,
}

/// All of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parts {
    pub rows: Vec<RowPart>,
    pub springs: Vec<SpringPart>,
    pub rods: Vec<RodPart>,
    pub pairs: Vec<Pair>,
    /// By link: it hangs on a joint of the tree without servos, which does nothing but carry.
    pub bearing: Vec<bool>,
    /// Slots of all other joints with an end that moves.
    pub others: Vec<usize>,
}

impl Parts {
    /// Sorts what a model has; `rods`: distance rows are stiff across. Rows with bounds are refused: they need the passes of a stabiliser.
    pub fn new(model: &Model, tree: &Tree, springs: Springs, rods: bool) -> Result<Self> {
        let mut out = Parts { bearing: vec![false; tree.links.len()], ..Parts::default() };
        refuse_couplings(model)?;
        // Springs are forces here, not rows.
        for (key, j) in model.joints.iter().filter(|(_, j)| !j.is_spring()) {
            let ends = [j.i, j.j].map(|b| link(tree, b));
            if ends == [NONE, NONE] {
                continue;
            }
            refuse_bounds(model, key.slot as usize, j)?;
            refuse_armature(model, key.slot as usize, j)?;
            let of_tree = ends.into_iter().find(|&l| l != NONE && tree.links[l].joint == Some(key.slot as usize));
            match of_tree.filter(|_| j.rows.iter().all(|r| r.motor.is_none())) {
                Some(link) => out.bearing[link] = true,
                None => out.others.push(key.slot as usize),
            }
            let light = Lightness::of(model, j);
            for (spec, (start, s)) in row_starts(&j.rows).enumerate() {
                if let Some(kind) = out.kind(s, of_tree, ends, &light) {
                    if rods && s.motor.is_none() && matches!(s.primitive, Primitive::Distance { .. }) {
                        let pair = out.couple(ends, 2);
                        out.rods.push(RodPart { row: out.rows.len(), pair });
                    }
                    out.rows.push(RowPart { joint: key.slot as usize, spec, start, kind });
                }
            }
        }
        for (key, f) in model.forces.iter() {
            let s = match &f.force {
                Force::Spring(s) => s,
                Force::Point { .. } | Force::Torque { .. } | Force::Drag { .. } | Force::Mouse(_) => continue,
                other => return Err(Error::input("force in reduced coordinates alone", format!("{other:?}"), KNOWN)),
            };
            let ends = [s.i, s.j].map(|b| link(tree, b));
            if ends != [NONE, NONE] {
                let pair = out.couple(ends, springs.rank());
                out.springs.push(SpringPart { force: key.slot as usize, pair });
            }
        }
        Ok(out)
    }

    fn kind(&mut self, s: &RowSpec, of_tree: Option<usize>, ends: [usize; 2], light: &Lightness) -> Option<Kind> {
        // A motor that keeps a rate is a damper without bound.
        let rate = s.soft.compliance.is_infinite() && s.soft.damping.is_infinite();
        match of_tree {
            Some(_) if s.motor.is_none() => None,
            _ if rate => Some(Kind::Loop),
            Some(link) => Some(Kind::Servo { link }),
            None if light.is_held(s) => Some(Kind::Loop),
            None => Some(Kind::Soft { pair: self.couple(ends, s.primitive.rows()) }),
        }
    }

    /// A pair of two links; `None` where one of them does not move.
    fn couple(&mut self, ends: [usize; 2], rank: usize) -> Option<usize> {
        if ends.contains(&NONE) {
            return None;
        }
        self.pairs.push(Pair { i: ends[0], j: ends[1], rank, block: false });
        Some(self.pairs.len() - 1)
    }
}

/// Forces that enter.
const KNOWN: &str = "a force at a point, a torque, a drag, a spring or a mouse spring";

/// The link of a body.
pub(crate) fn link(tree: &Tree, body: BodyId) -> usize {
    tree.link_of[slot_of(body)]
}

/// Couplings and ropes over guides are rows on more than two bodies, and elements blocks between many: none is known here.
fn refuse_couplings(model: &Model) -> Result<()> {
    let expected = "no couplings between joints, ropes over guides or deformables with the solvers of reduced coordinates alone; \
                    set the stabiliser 'aligned' and the solver 'auto'";
    let part = model.first_coupling().or_else(|| model.first_rope()).or_else(|| model.first_deformable());
    part.map_or(Ok(()), |name| Err(Error::input("part of the world", name, expected)))
}

fn refuse_armature(model: &Model, slot: usize, j: &JointEntry) -> Result<()> {
    if j.rows.iter().all(|r| r.armature == 0.0) {
        return Ok(());
    }
    let expected = "no armatures with the solvers of reduced coordinates alone; set the stabiliser 'aligned' and the solver 'auto'";
    Err(Error::input("joint with an armature", model.joint_name(slot), expected))
}

fn refuse_bounds(model: &Model, slot: usize, j: &JointEntry) -> Result<()> {
    if !j.is_bounded() {
        return Ok(());
    }
    let expected = "no limits, ropes, friction or bounded motors with the solvers of reduced coordinates alone; \
                    set the stabiliser 'aligned' and the solver 'auto'";
    Err(Error::input("joint with bounded rows", model.joint_name(slot), expected))
}
