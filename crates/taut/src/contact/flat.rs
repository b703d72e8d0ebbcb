//! A tree of boxes over things that bend and move but stay the same things: made once, refitted from the leaves up.

use super::bounds::Bounds;
use glam::DVec3;

/// A node: where its part of the list ends, and its thing; [`INNER`] where it has two children, the first of which follows it.
#[derive(Clone, Copy, Debug)]
struct Node {
    end: u32,
    thing: u32,
}

/// No thing.
const INNER: u32 = u32::MAX;

/// The tree without its boxes, in the order in which it is walked.
#[derive(Clone, Debug, Default)]
pub(crate) struct FlatTree {
    nodes: Vec<Node>,
}

impl FlatTree {
    /// Things by the places of their middles: halved along the longest axis until one is left.
    pub fn new(middles: &[DVec3]) -> Self {
        let mut order: Vec<u32> = (0..middles.len() as u32).collect();
        let mut tree = FlatTree { nodes: Vec::with_capacity(2 * middles.len()) };
        tree.split(middles, &mut order);
        tree
    }

    fn split(&mut self, middles: &[DVec3], order: &mut [u32]) {
        let own = self.nodes.len();
        match *order {
            [] => return,
            [one] => self.nodes.push(Node { end: own as u32 + 1, thing: one }),
            _ => {
                let bounds = order.iter().fold(Bounds::EMPTY, |b, &k| b.with(middles[k as usize]));
                let size = bounds.max - bounds.min;
                let axis = (0..3).fold(0, |best, k| if size[k] > size[best] { k } else { best });
                let at = |k: &u32| middles[*k as usize][axis];
                order.sort_unstable_by(|a, b| at(a).total_cmp(&at(b)).then(a.cmp(b)));
                self.nodes.push(Node { end: 0, thing: INNER });
                let (low, high) = order.split_at_mut(order.len() / 2);
                self.split(middles, low);
                self.split(middles, high);
            }
        }
        self.nodes[own].end = self.nodes.len() as u32;
    }

    /// Boxes of all nodes from those of the things.
    pub fn refit(&self, of: impl Fn(u32) -> Bounds, boxes: &mut Vec<Bounds>) {
        boxes.resize(self.nodes.len(), Bounds::EMPTY);
        for k in (0..self.nodes.len()).rev() {
            boxes[k] = match self.nodes[k].thing {
                INNER => boxes[k + 1].union(boxes[self.nodes[k + 1].end as usize]),
                thing => of(thing),
            };
        }
    }

    /// Hands out the things whose boxes, and all boxes around them, are wanted.
    pub fn visit(&self, boxes: &[Bounds], wants: impl Fn(&Bounds) -> bool, mut take: impl FnMut(u32)) {
        let mut k = 0;
        while let (Some(node), Some(b)) = (self.nodes.get(k), boxes.get(k)) {
            if !wants(b) {
                k = node.end as usize;
                continue;
            }
            if node.thing != INNER {
                take(node.thing);
            }
            k += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_finds_what_a_look_at_everything_finds() {
        let at = |k: u32| DVec3::new(f64::from(k * 7 % 23), f64::from(k * 5 % 17), f64::from(k % 3));
        for count in [0, 1, 2, 3, 50] {
            let middles: Vec<DVec3> = (0..count).map(at).collect();
            let tree = FlatTree::new(&middles);
            let moved = |k: u32| Bounds::point(at(k) * DVec3::new(-1.0, 2.0, 1.0)).grown(0.4);
            let mut boxes = Vec::new();
            tree.refit(moved, &mut boxes);
            for k in 0..40 {
                let ask = Bounds::point(at(3 * k) * DVec3::new(-1.0, 2.0, 1.0)).grown(f64::from(k) * 0.3);
                let mut found = Vec::new();
                tree.visit(&boxes, |b| b.meets(&ask), |thing| found.push(thing));
                found.sort_unstable();
                let all: Vec<u32> = (0..count).filter(|&k| moved(k).meets(&ask)).collect();
                assert_eq!(found, all);
            }
        }
    }
}
