//! The order in which colliders and all that has rows are added.

use super::Builder;
use super::colliders::Owner;
use crate::file::error::{At, FileError, Path};
use crate::file::{Collider, Run, SceneFile};
use taut::{Locks, Vec3};

/// How many parts of each list have been added.
#[derive(Default)]
pub(super) struct Added {
    /// Entries of the order of colliders.
    runs: usize,
    /// Colliders of the ground, then of each body.
    colliders: Vec<usize>,
    /// Whether the locks of each body are set.
    locks: Vec<bool>,
    joints: usize,
    forces: usize,
}

impl Builder {
    /// Adds bodies and deformables: first what the order names, then the rest of each list.
    pub(super) fn bodies_in_order(&mut self, file: &SceneFile) -> Result<Added, FileError> {
        let (mut bodies, mut soft) = (0, 0);
        let count = file.bodies.len();
        let mut added = Added { colliders: vec![0; count + 1], locks: vec![false; count], ..Added::default() };
        for (k, run) in file.order.bodies.iter().enumerate() {
            let path = Path::of("order").key("bodies").index(k);
            let left = [file.bodies.len() - bodies, file.deformables.len() - soft];
            if run.bodies > left[0] {
                return Err(too_many(path.key("bodies"), run.bodies, left[0], "bodie"));
            }
            if run.deformables > left[1] {
                return Err(too_many(path.key("deformables"), run.deformables, left[1], "deformable"));
            }
            let left = file.order.colliders.len() - added.runs;
            if run.colliders > left {
                return Err(too_many(path.key("colliders"), run.colliders, left, "collider"));
            }
            self.next_bodies(file, &mut bodies, run.bodies)?;
            self.next_runs(file, run.colliders, &mut added)?;
            self.next_deformables(file, &mut soft, run.deformables)?;
        }
        self.next_bodies(file, &mut bodies, usize::MAX)?;
        self.next_deformables(file, &mut soft, usize::MAX)?;
        Ok(added)
    }

    /// The next colliders that the order names.
    fn next_runs(&mut self, file: &SceneFile, count: usize, added: &mut Added) -> Result<(), FileError> {
        for (k, of) in file.order.colliders.iter().enumerate().skip(added.runs).take(count) {
            let path = Path::of("order").key("colliders").index(k);
            let body = self.place(file, &of.body, &path.key("body"))?;
            let left = colliders(file, body).len() - added.colliders[body];
            if of.count > left {
                return Err(too_many(path.key("count"), of.count, left, "collider"));
            }
            self.next_colliders(file, body, of.count, added)?;
            added.runs += 1;
        }
        Ok(())
    }

    fn next_bodies(&mut self, file: &SceneFile, added: &mut usize, count: usize) -> Result<(), FileError> {
        for (k, body) in file.bodies.iter().enumerate().skip(*added).take(count) {
            self.body(body, &Path::of("bodies").index(k))?;
            *added += 1;
        }
        Ok(())
    }

    fn next_deformables(&mut self, file: &SceneFile, added: &mut usize, count: usize) -> Result<(), FileError> {
        for (k, d) in file.deformables.iter().enumerate().skip(*added).take(count) {
            self.deformable(d, &Path::of("deformables").index(k))?;
            *added += 1;
        }
        Ok(())
    }

    /// Adds colliders, locks, joints and forces: first what the order names, then the rest of each list.
    pub(super) fn in_order(&mut self, file: &SceneFile, mut added: Added) -> Result<(), FileError> {
        let bodies = file.bodies.len();
        self.next_runs(file, usize::MAX, &mut added)?;
        for body in 0..=bodies {
            self.next_colliders(file, body, usize::MAX, &mut added)?;
        }
        for (k, d) in file.deformables.iter().enumerate() {
            self.node_colliders(d, &Path::of("deformables").index(k))?;
        }
        for (k, run) in file.order.rows.iter().enumerate() {
            self.run(file, run, &Path::of("order").key("rows").index(k), &mut added)?;
        }
        for body in 0..bodies {
            self.next_locks(file, body, &mut added)?;
        }
        self.next_joints(file, usize::MAX, &mut added)?;
        self.next_forces(file, usize::MAX, &mut added)
    }

    /// The place of a body among all: the ground is 0.
    fn place(&self, file: &SceneFile, name: &str, path: &Path) -> Result<usize, FileError> {
        self.find(name, path.clone())?;
        Ok(file.bodies.iter().position(|b| b.name() == name).map_or(0, |k| k + 1))
    }

    fn run(&mut self, file: &SceneFile, run: &Run, path: &Path, added: &mut Added) -> Result<(), FileError> {
        for (k, name) in run.locks.iter().enumerate() {
            let at = path.key("locks").index(k);
            let body = self.place(file, name, &at)?;
            let free = body.checked_sub(1).filter(|b| !added.locks[*b] && file.bodies[*b].locks() != Locks::NONE);
            let Some(body) = free else {
                return Err(FileError::input(at, format!("'{name}'"), "a body with locks, named once"));
            };
            self.next_locks(file, body, added)?;
        }
        let (joints, forces) = (file.joints.len() - added.joints, file.forces.len() - added.forces);
        if run.joints > joints {
            return Err(too_many(path.key("joints"), run.joints, joints, "joint"));
        }
        if run.forces > forces {
            return Err(too_many(path.key("forces"), run.forces, forces, "force"));
        }
        self.next_joints(file, run.joints, added)?;
        self.next_forces(file, run.forces, added)
    }

    fn next_colliders(
        &mut self,
        file: &SceneFile,
        body: usize,
        count: usize,
        added: &mut Added,
    ) -> Result<(), FileError> {
        let (owner, path) = match body.checked_sub(1) {
            None => (Owner { id: self.world.ground(), shape: None, center: Vec3::ZERO }, Path::of("ground")),
            Some(k) => {
                let (body, path) = (&file.bodies[k], Path::of("bodies").index(k));
                let id = self.find(body.name(), path.key("name"))?;
                (Owner { id, shape: body.shape(), center: self.centers[k] }, path)
            }
        };
        let list = colliders(file, body).iter().enumerate().skip(added.colliders[body]).take(count);
        for (k, c) in list {
            self.collider(&owner, c, &path.key("colliders").index(k))?;
            added.colliders[body] += 1;
        }
        Ok(())
    }

    fn next_locks(&mut self, file: &SceneFile, body: usize, added: &mut Added) -> Result<(), FileError> {
        let (def, path) = (&file.bodies[body], Path::of("bodies").index(body));
        if !added.locks[body] && def.locks() != Locks::NONE {
            added.locks[body] = true;
            let id = self.find(def.name(), path.key("name"))?;
            self.world.set_locks(id, def.locks()).at(&path.key("locks"))?;
        }
        Ok(())
    }

    fn next_joints(&mut self, file: &SceneFile, count: usize, added: &mut Added) -> Result<(), FileError> {
        for (k, joint) in file.joints.iter().enumerate().skip(added.joints).take(count) {
            self.joint(joint, &Path::of("joints").index(k))?;
            added.joints += 1;
        }
        Ok(())
    }

    fn next_forces(&mut self, file: &SceneFile, count: usize, added: &mut Added) -> Result<(), FileError> {
        for (k, load) in file.forces.iter().enumerate().skip(added.forces).take(count) {
            self.load(load, &Path::of("forces").index(k))?;
            added.forces += 1;
        }
        Ok(())
    }
}

fn colliders(file: &SceneFile, body: usize) -> &[Collider] {
    body.checked_sub(1).map_or(&file.ground.colliders, |k| file.bodies[k].colliders())
}

fn too_many(path: Path, given: usize, left: usize, what: &str) -> FileError {
    FileError::input(path, given, format!("at most {left}: no more {what}s are left to be added"))
}
