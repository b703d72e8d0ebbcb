//! The spanning forest: which joints become coordinates, which stay rows.
//!
//! Prim's algorithm over the joints that have a chart, from all bodies that do not move by themselves (fixed, kinematic, asleep: they are
//! one vertex). The next joint is the one with the fewest freedoms, then the one nearest to a root, then the one with the lowest slot: so
//! the joints left over as loops have the fewest rows possible, and among equal joints trees are shallow. Bodies that no such joint
//! reaches are roots themselves, lowest slot first, with a free joint to the world.
//! The user may say that a joint stays a loop, or that it belongs to the tree ([`TreeRole`]); several of the latter in a circle are refused.

use super::edge::Edge;
use crate::error::{Error, Result};
use crate::ids::{BodyId, JointId};
use crate::joints::TreeRole;
use crate::joints::chart::Chart;
use crate::model::{JointEntry, Model, Motion};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What a link hangs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parent {
    /// Another link.
    Link(usize),
    /// A body that does not move by itself, by slot.
    Body(usize),
    /// The world: a root that is free.
    World,
}

/// A body with the joint that carries it.
#[derive(Clone, Debug)]
pub struct TreeLink {
    /// Its slot.
    pub body: usize,
    /// What it hangs on.
    pub parent: Parent,
    /// Slot of the joint; `None` at a free root.
    pub joint: Option<usize>,
    pub(crate) edge: Edge,
    /// Joints between it and its root.
    pub(crate) depth: usize,
    /// First of its rates.
    pub first: usize,
    /// How many there are.
    pub dofs: usize,
    /// It has no orientation.
    pub is_particle: bool,
}

impl TreeLink {
    /// Its rates among all.
    #[inline]
    pub fn rates(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.dofs
    }
}

/// The forest.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// Parents before children.
    pub links: Vec<TreeLink>,
    /// Link of a body by slot; `NONE` for those that do not move by themselves.
    pub link_of: Vec<usize>,
    /// Slots of the joints that stay rows, in order.
    pub loops: Vec<usize>,
    /// Rates.
    pub dofs: usize,
}

/// No link.
pub const NONE: usize = usize::MAX;

/// Which forest was chosen.
///
/// An arm of two links has two freedoms, and its hand hangs two joints from the ground.
/// ```
/// # use taut::{Body, Hinge, MassProperties, Vec3, World};
/// # let mut world = World::new();
/// # let link = MassProperties::cuboid(1000.0, Vec3::new(0.5, 0.05, 0.05))?;
/// # let upper = world.add(Body::dynamic(link).at(0.5 * Vec3::X))?;
/// # let fore = world.add(Body::dynamic(link).at(1.5 * Vec3::X))?;
/// let shoulder = world.add(Hinge::between(upper, world.ground()).at(Vec3::ZERO).axis(Vec3::Z))?;
/// let elbow = world.add(Hinge::between(fore, upper).at(Vec3::X).axis(Vec3::Z))?;
/// let forest = world.tree()?;
/// assert_eq!((forest.bodies, forest.dofs, forest.depth), (2, 2, 2));
/// assert_eq!((forest.tree, forest.loop_rows), (vec![shoulder, elbow], 0));
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TreeReport {
    /// Bodies that move.
    pub bodies: usize,
    /// Coordinates' rates: the freedoms of the forest.
    pub dofs: usize,
    /// Most joints between a body and its root.
    pub depth: usize,
    /// Joints that became coordinates, from the roots on.
    pub tree: Vec<JointId>,
    /// Joints that stay rows.
    pub loops: Vec<JointId>,
    /// Their rows, those with bounds not counted.
    pub loop_rows: usize,
    /// Bodies that hang on nothing: their root joint is free.
    pub free: Vec<BodyId>,
    /// Those of them that a joint with [`TreeRole::Loop`] cut off.
    pub cut_off: Vec<BodyId>,
}

struct Builder<'a> {
    model: &'a Model,
    /// Joints of each body by slot, in slot order.
    joints_of: Vec<Vec<usize>>,
    heap: BinaryHeap<Reverse<Candidate>>,
    tree: Tree,
}

/// A joint that could carry a body: order of choice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    /// Joints that the user wants in the tree come first.
    unasked: bool,
    dofs: usize,
    depth: usize,
    joint: usize,
    child: usize,
}

impl Tree {
    /// The forest of a model; bodies for which `awake` is false do not move.
    pub fn new(model: &Model, awake: impl Fn(usize) -> bool) -> Result<Self> {
        let slots = model.bodies.slots();
        let mut joints_of = vec![Vec::new(); slots];
        // The row of a spring is no joint.
        for (key, j) in model.joints.iter().filter(|(_, j)| !j.is_spring() && model.is_active(j)) {
            joints_of[j.i.0.slot as usize].push(key.slot as usize);
            joints_of[j.j.0.slot as usize].push(key.slot as usize);
            if j.role == TreeRole::Tree && j.chart.is_none() {
                return Err(no_chart(model.joint_name(key.slot as usize)));
            }
        }
        let tree = Tree { link_of: vec![NONE; slots], ..Tree::default() };
        let mut b = Builder { model, joints_of, heap: BinaryHeap::new(), tree };
        let moves = |slot: usize| model.bodies.at(slot).is_some_and(|b| b.is_node()) && awake(slot);
        for slot in (0..slots).filter(|&s| model.bodies.at(s).is_some() && !moves(s)) {
            b.offer(slot, 0, &moves);
        }
        b.grow(&moves);
        for slot in (0..slots).filter(|&s| moves(s)) {
            if b.tree.link_of[slot] == NONE {
                b.root(slot);
                b.offer(slot, 1, &moves);
                b.grow(&moves);
            }
        }
        b.finish(&moves)
    }

    /// What was chosen.
    pub(crate) fn report(&self, model: &Model) -> TreeReport {
        let joint = |slot: usize| model.joints.key_at(slot).map(JointId);
        let free = self.links.iter().filter(|l| l.parent == Parent::World);
        let root = |slot: usize| self.root_of(slot);
        let mut cut: Vec<usize> = Vec::new();
        for j in self.loops.iter().filter_map(|&s| model.joints.at(s)) {
            let (a, b) = (root(j.i.0.slot as usize), root(j.j.0.slot as usize));
            if j.role == TreeRole::Loop && j.chart.is_some() && a != b {
                cut.extend([a, b].into_iter().flatten());
            }
        }
        cut.sort_unstable();
        cut.dedup();
        let body = |slot: usize| model.bodies.key_at(slot).map(BodyId);
        TreeReport {
            bodies: self.links.len(),
            dofs: self.dofs,
            depth: self.links.iter().map(|l| l.depth).max().unwrap_or(0),
            tree: self.links.iter().filter_map(|l| l.joint).filter_map(joint).collect(),
            loops: self.loops.iter().copied().filter_map(joint).collect(),
            loop_rows: self.loops.iter().filter_map(|&s| model.joints.at(s)).map(|j| j.row_count).sum(),
            free: free.filter_map(|l| body(l.body)).collect(),
            cut_off: cut.into_iter().filter_map(body).collect(),
        }
    }

    /// The free root of a body's tree, by slot; `None` where the tree hangs on a body that does not move by itself.
    fn root_of(&self, slot: usize) -> Option<usize> {
        let mut l = self.links.get(self.link_of[slot])?;
        while let Parent::Link(p) = l.parent {
            l = &self.links[p];
        }
        (l.parent == Parent::World).then_some(l.body)
    }
}

/// A joint that cannot be in the tree.
pub(crate) fn no_chart(joint: String) -> Error {
    let expected = "a joint with rigid rows whose free motion has a chart (hinge, ball, prismatic, ...)";
    Error::input("joint in the tree", joint, expected)
}

/// The chart of a joint between a parent and a child: a particle has no orientation that a ball could leave free.
fn chart_to(model: &Model, j: &JointEntry, child: usize) -> Option<Chart> {
    let is_particle = model.bodies.at(child).is_some_and(|b| b.motion == Motion::Particle);
    match j.chart? {
        Chart::Ball | Chart::Spherical if is_particle => Some(Chart::Fixed),
        c => Some(c),
    }
}

impl Builder<'_> {
    /// Makes the joints from a body to others that have no place yet candidates.
    fn offer(&mut self, slot: usize, depth: usize, moves: &impl Fn(usize) -> bool) {
        for &joint in &self.joints_of[slot] {
            let Some(j) = self.model.joints.at(joint).filter(|j| j.role != TreeRole::Loop) else { continue };
            let child = if j.i.0.slot as usize == slot { j.j } else { j.i }.0.slot as usize;
            if !moves(child) || self.tree.link_of[child] != NONE {
                continue;
            }
            if let Some(chart) = chart_to(self.model, j, child) {
                let unasked = j.role != TreeRole::Tree;
                self.heap.push(Reverse(Candidate { unasked, dofs: chart.dofs(), depth, joint, child }));
            }
        }
    }

    /// Takes candidates until none is left.
    fn grow(&mut self, moves: &impl Fn(usize) -> bool) {
        while let Some(Reverse(c)) = self.heap.pop() {
            let Some(j) = self.model.joints.at(c.joint).filter(|_| self.tree.link_of[c.child] == NONE) else {
                continue;
            };
            let Some(chart) = chart_to(self.model, j, c.child) else { continue };
            let parent_is_i = j.j.0.slot as usize == c.child;
            let from = if parent_is_i { j.i } else { j.j }.0.slot as usize;
            let parent = match self.tree.link_of[from] {
                NONE => Parent::Body(from),
                l => Parent::Link(l),
            };
            self.push(c.child, parent, Some(c.joint), Edge::new(chart, &j.frames, parent_is_i), c.depth + 1);
            self.offer(c.child, c.depth + 1, moves);
        }
    }

    fn root(&mut self, slot: usize) {
        let is_particle = self.model.bodies.at(slot).is_some_and(|b| b.motion == Motion::Particle);
        let chart = if is_particle { Chart::Translational } else { Chart::Free };
        self.push(slot, Parent::World, None, Edge::root(chart), 1);
    }

    fn push(&mut self, body: usize, parent: Parent, joint: Option<usize>, edge: Edge, depth: usize) {
        let is_particle = self.model.bodies.at(body).is_some_and(|b| b.motion == Motion::Particle);
        self.tree.link_of[body] = self.tree.links.len();
        let (first, dofs) = (self.tree.dofs, edge.chart.dofs());
        self.tree.dofs += dofs;
        self.tree.links.push(TreeLink { body, parent, joint, edge, depth, first, dofs, is_particle });
    }

    /// Lists the joints that are left over.
    fn finish(mut self, moves: &impl Fn(usize) -> bool) -> Result<Tree> {
        let mut used = vec![false; self.model.joints.slots()];
        self.tree.links.iter().filter_map(|l| l.joint).for_each(|j| used[j] = true);
        for (key, j) in self.model.joints.iter().filter(|(_, j)| !j.is_spring() && self.model.is_active(j)) {
            let slot = key.slot as usize;
            let ends = [j.i.0.slot as usize, j.j.0.slot as usize];
            if used[slot] || !ends.into_iter().any(moves) {
                continue;
            }
            if j.role == TreeRole::Tree {
                return Err(self.circle(slot, ends));
            }
            self.tree.loops.push(slot);
        }
        Ok(self.tree)
    }

    /// Names the joints of the circle that a joint closes.
    fn circle(&self, joint: usize, ends: [usize; 2]) -> Error {
        let [mut a, mut b] = ends.map(|slot| self.tree.link_of[slot]);
        let (mut down, mut up) = (Vec::new(), Vec::new());
        let depth = |l: usize| self.tree.links.get(l).map_or(0, |l| l.depth);
        while a != b {
            let (at, path) = if depth(a) >= depth(b) { (&mut a, &mut down) } else { (&mut b, &mut up) };
            let Some(l) = self.tree.links.get(*at) else { break };
            path.extend(l.joint);
            *at = if let Parent::Link(p) = l.parent { p } else { NONE };
        }
        let circle = [joint].into_iter().chain(down).chain(up.into_iter().rev());
        let names: Vec<String> = circle.map(|j| self.model.joint_name(j)).collect();
        let expected = "no circle: one of them has to stay rows (TreeRole::Auto or TreeRole::Loop)";
        Error::input("joints in the tree", names.join(", "), expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::joints::{Ball, Distance, Hinge, Joint, Prismatic, Softness, Weld};
    use crate::mass::MassProperties;
    use crate::model::body::Body;
    use crate::world::World;
    use glam::DVec3;

    fn bodies(w: &mut World, n: usize) -> Vec<BodyId> {
        let mass = MassProperties::sphere(1000.0, 0.1).unwrap();
        (0..n).map(|k| w.add(Body::dynamic(mass).at(DVec3::X * k as f64).named(format!("b{k}"))).unwrap()).collect()
    }

    fn join(w: &mut World, i: BodyId, j: BodyId, between: fn(BodyId, BodyId) -> Joint) -> JointId {
        let name = format!("{}-{}", w.body(i).unwrap().name(), w.body(j).unwrap().name());
        w.add(between(i, j).at(DVec3::ZERO).axis(DVec3::Z).named(name)).unwrap()
    }

    fn report(w: &World) -> TreeReport {
        let (model, _) = w.parts();
        let tree = Tree::new(model, |_| true).unwrap();
        for (k, l) in tree.links.iter().enumerate() {
            assert!(!matches!(l.parent, Parent::Link(p) if p >= k), "parents come first");
            assert_eq!(tree.link_of[l.body], k);
        }
        tree.report(model)
    }

    /// Ground, four bodies in a ring of hinges closed by a ball, the first on the ground; a fifth body afloat.
    fn ring(w: &mut World) -> (Vec<BodyId>, Vec<JointId>) {
        let b = bodies(w, 5);
        let ground = w.ground();
        let mut j = vec![join(w, b[0], ground, Hinge::between)];
        for k in 0..3 {
            // Either side is the parent.
            let (one, other) = if k == 1 { (b[1], b[2]) } else { (b[k + 1], b[k]) };
            j.push(join(w, one, other, Hinge::between));
        }
        j.push(join(w, b[0], b[3], Ball::between));
        (b, j)
    }

    #[test]
    fn loops_have_the_fewest_rows() {
        let mut w = World::new();
        let (b, j) = ring(&mut w);
        let r = report(&w);
        assert_eq!((r.bodies, r.dofs, r.depth, r.loop_rows), (5, 4 + 6, 4, 3));
        assert_eq!((r.tree.as_slice(), r.loops.as_slice()), (&j[..4], &j[4..]));
        assert_eq!((r.free, r.cut_off), (vec![b[4]], vec![]));
        // With hinges all round the tree is shallow: both ways round the ring.
        w.remove(j[4]).unwrap();
        join(&mut w, b[0], b[3], Hinge::between);
        let r = report(&w);
        assert_eq!((r.dofs, r.depth, r.loop_rows), (10, 3, 5));
    }

    #[test]
    fn a_cut_joint_stays_rows_and_what_it_cuts_off_is_told() {
        let mut w = World::new();
        let (b, j) = ring(&mut w);
        w.set_tree_role(j[0], TreeRole::Loop).unwrap();
        let r = report(&w);
        assert_eq!((r.dofs, r.loops.as_slice()), (6 + 3 + 6, &[j[0], j[4]][..]));
        assert_eq!((r.free.as_slice(), r.cut_off.as_slice()), (&[b[0], b[4]][..], &b[..1]));
        w.set_tree_role(j[0], TreeRole::Auto).unwrap();
        w.set_tree_role(j[2], TreeRole::Loop).unwrap();
        let r = report(&w);
        assert_eq!((r.loops.as_slice(), r.loop_rows, r.cut_off.len()), (&j[2..3], 5, 0));
    }

    #[test]
    fn a_circle_of_joints_that_must_be_in_the_tree_is_refused_by_name() {
        let mut w = World::new();
        let (_, j) = ring(&mut w);
        w.set_tree_role(j[4], TreeRole::Tree).unwrap();
        let r = report(&w);
        assert!(r.tree.contains(&j[4]) && r.loops.len() == 1, "{r:?}");
        for &k in &j[1..4] {
            w.set_tree_role(k, TreeRole::Tree).unwrap();
        }
        let text = Tree::new(w.parts().0, |_| true).unwrap_err().to_string();
        for name in ["'b0-b3' (ball)", "'b1-b0' (hinge)", "'b1-b2' (hinge)", "'b3-b2' (hinge)", "no circle"] {
            assert!(text.contains(name), "{text}");
        }
        assert!(!text.contains("'b0-ground'"), "{text}");
    }

    #[test]
    fn a_joint_without_chart_cannot_be_in_the_tree() {
        let mut w = World::new();
        let b = bodies(&mut w, 2);
        let j = join(&mut w, b[0], b[1], |i, j| Ball::between(i, j).linear(Softness::compliance(1e-6)));
        let text = w.set_tree_role(j, TreeRole::Tree).unwrap_err().to_string();
        assert!(text.contains("joint 'b0-b1' (ball)") && text.contains("rigid"), "{text}");
    }

    #[test]
    fn particles_hang_on_points_and_rows_without_chart_stay() {
        let mut w = World::new();
        let b = bodies(&mut w, 2);
        let p = w.add(Body::particle(1.0).at(DVec3::Y)).unwrap();
        let ground = w.ground();
        join(&mut w, b[0], ground, Prismatic::between);
        join(&mut w, b[1], b[0], Weld::between);
        w.add(Ball::between(p, b[1])).unwrap();
        let q = w.add(Body::particle(1.0).at(2.0 * DVec3::Y)).unwrap();
        w.add(Distance::between(q, p)).unwrap();
        let r = report(&w);
        assert_eq!((r.bodies, r.dofs, r.loop_rows, r.free), (4, 1 + 3, 1, vec![q]));
    }
}
