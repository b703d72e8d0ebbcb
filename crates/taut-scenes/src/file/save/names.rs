//! Names in a file: bodies have one each, and no two bodies, joints or colliders share theirs.

use crate::file::error::{FileError, Path};
use std::collections::{BTreeMap, BTreeSet};
use taut::{BodyId, ColliderId, DeformableId, JointId, World};

/// The names of all parts.
pub(super) struct Names {
    bodies: BTreeMap<BodyId, String>,
    joints: BTreeMap<JointId, String>,
    colliders: BTreeMap<ColliderId, String>,
    deformables: BTreeMap<DeformableId, String>,
}

impl Names {
    /// The names in the world, and new ones where they are missing or taken.
    pub fn of(world: &World, warnings: &mut Vec<String>) -> Self {
        let met = world.ropes().flat_map(|r| r.colliders());
        let paired: BTreeSet<ColliderId> = world.pair_materials().flat_map(|(a, b, _)| [a, b]).chain(met).collect();
        let ground = [(world.ground(), "ground", true)];
        let nodes = crate::soft::particles(world);
        let others = world
            .bodies()
            .filter(|b| b.id() != world.ground() && !nodes.contains(&b.id()))
            .map(|b| (b.id(), b.name(), true));
        let coupled: BTreeSet<JointId> =
            world.couplings().flat_map(|c| c.definition().terms).map(|t| t.joint).collect();
        let joints = world.joints().map(|j| (j.id(), j.name(), coupled.contains(&j.id())));
        let colliders = world.colliders().filter_map(|c| {
            let view = world.collider(c).ok()?;
            Some((c, view.name, paired.contains(&c)))
        });
        let softs = world.deformables().map(|d| (d.id(), d.name(), true));
        let deformables = unique("deformable", softs, warnings);
        let mut bodies = unique("body", ground.into_iter().chain(others), warnings);
        for d in world.deformables() {
            let name = deformables.get(&d.id()).map_or("", String::as_str);
            let free = (0..d.node_count()).filter(|&k| d.is_bound(k) == Ok(false));
            bodies.extend(free.filter_map(|k| Some((d.node(k).ok()?, format!("{name}[{k}]")))));
        }
        Names {
            bodies,
            deformables,
            joints: unique("joint", joints, warnings),
            colliders: unique("collider", colliders, warnings),
        }
    }

    /// Name of a body.
    pub fn body(&self, id: BodyId) -> Result<&str, FileError> {
        let lost = || FileError::new(Path::of("bodies"), format!("{id:?}: expected a body of this world"));
        self.bodies.get(&id).map(String::as_str).ok_or_else(lost)
    }

    /// Name of a deformable.
    pub fn deformable(&self, id: DeformableId) -> &str {
        self.deformables.get(&id).map_or("", String::as_str)
    }

    /// Name of a joint, if it has one or needs one.
    pub fn joint(&self, id: JointId) -> Option<String> {
        self.joints.get(&id).filter(|n| !n.is_empty()).cloned()
    }

    /// Name of a collider, if it has one or needs one.
    pub fn collider(&self, id: ColliderId) -> Option<String> {
        self.colliders.get(&id).filter(|n| !n.is_empty()).cloned()
    }
}

/// A name for each: its own, or a new one where it has none and needs one, or where an earlier one has the same.
fn unique<'a, I: Ord + Copy>(
    what: &str,
    parts: impl Iterator<Item = (I, &'a str, bool)>,
    warnings: &mut Vec<String>,
) -> BTreeMap<I, String> {
    let parts: Vec<(I, &str, bool)> = parts.collect();
    // Names that somebody has chosen go first.
    let mut taken: BTreeSet<String> = parts.iter().map(|(_, name, _)| (*name).to_owned()).collect();
    let mut seen = BTreeSet::new();
    let mut out = BTreeMap::new();
    for (k, (id, name, needed)) in parts.into_iter().enumerate() {
        let own = !name.is_empty() && seen.insert(name);
        let free = |stem: &str, from: usize, taken: &BTreeSet<String>| {
            (from..).map(|n| format!("{stem} {n}")).find(|n| !taken.contains(n)).unwrap_or_default()
        };
        let chosen = match (own, name.is_empty(), needed) {
            (true, ..) | (_, true, false) => name.to_owned(),
            (_, true, true) => free(what, k, &taken),
            (_, false, _) => {
                let new = free(name, 2, &taken);
                warnings.push(format!("a second {what} is named '{name}': it is '{new}' in the file"));
                new
            }
        };
        taken.insert(chosen.clone());
        out.insert(id, chosen);
    }
    out
}
