//! A tree of bounding boxes with numbered leaves.

use super::{back, vector};
use crate::contact::bounds::Bounds;
use glam::DVec3;
use parry3d_f64::bounding_volume::Aabb;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy, BvhNode};
use parry3d_f64::query::Ray;

/// Boxes by number.
#[derive(Clone, Default)]
pub(crate) struct Tree(Bvh);

impl std::fmt::Debug for Tree {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Tree({} leaves)", self.0.leaf_count())
    }
}

fn aabb(b: &Bounds) -> Aabb {
    Aabb::new(vector(b.min), vector(b.max))
}

impl Tree {
    /// All boxes at once.
    pub fn new(leaves: &[(u32, Bounds)]) -> Self {
        if leaves.len() < 3 {
            // Built at once, so few leaves would have to be numbered from zero.
            let mut few = Bvh::new();
            leaves.iter().for_each(|(k, b)| few.insert(aabb(b), *k));
            return Tree(few);
        }
        Tree(Bvh::from_iter(BvhBuildStrategy::Binned, leaves.iter().map(|(k, b)| (*k as usize, aabb(b)))))
    }

    /// Makes the box of a leaf hold `b`: left alone if it does, else replaced by `b` and a margin.
    pub fn update(&mut self, leaf: u32, b: &Bounds, margin: f64) {
        self.0.reinsert_or_update_with_change_detection(aabb(b), leaf, margin);
    }

    /// Leaves whose box meets `b`, in no particular order.
    pub fn overlapping(&self, b: &Bounds, out: &mut Vec<u32>) {
        let query = BvhNode::leaf(aabb(b), 0);
        out.extend(self.0.leaves(|node| node.intersects(&query)));
    }

    /// Leaves whose box is within `limit` along a ray, in no particular order.
    pub fn along(&self, origin: DVec3, direction: DVec3, limit: f64, out: &mut Vec<u32>) {
        let ray = Ray::new(vector(origin), vector(direction));
        out.extend(self.0.leaves(|node| node.cast_ray(&ray, limit) <= limit));
    }

    /// The box that holds all.
    pub fn bounds(&self) -> Bounds {
        let b = self.0.root_aabb();
        Bounds { min: back(b.mins), max: back(b.maxs) }
    }
}
