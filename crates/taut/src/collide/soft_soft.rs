//! Contacts between the surfaces of deformables, and of one with itself: nodes against triangles, edges against edges.
//!
//! Nodes see all that is flat. Two edges count where one of them is a ridge or a rim; within flat ground the nodes about them do. Within one surface, features that share a node, or that rest nearer to each other than two skins, do not touch.

use super::scene::Scene;
use super::soft::{SoftTouch, Spot, Surface, Work, at_node};
use crate::contact::bounds::Bounds;
use crate::contact::duel::{Duel, Near};
use crate::contact::manifold::Touch;
use crate::contact::nearest::{mixed, of_segments, on_triangle};
use crate::contact::skin::{Edge, Kind, NONE, Patch, Skin, name};
use crate::tuning::T;
use glam::DVec3;

/// How a surface goes on beyond an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Towards the other: what touches is beyond.
    Rises,
    Flat,
    /// Away from it, or not at all.
    Falls,
}

/// Two surfaces on their ways, or one.
pub(super) struct Meeting<'a> {
    pub a: &'a Surface,
    pub b: &'a Surface,
    pub is_self: bool,
    pub h: f64,
}

impl Meeting<'_> {
    /// All touches, those of a first, into `work`.
    pub fn find(&self, scene: &Scene, work: &mut Work) {
        let Meeting { a, b, is_self, .. } = *self;
        let back = Meeting { a: b, b: a, ..*self };
        let Work { found, touches: out, .. } = work;
        out.clear();
        for (i, patch) in a.skin.patches.iter().enumerate() {
            let around = self.swept(patch);
            if !b.bounds().meets(&around) {
                continue;
            }
            found.clear();
            b.skin.tree.visit(&b.boxes, |x| x.meets(&around), |j| found.push(j));
            for &j in found.iter().filter(|&&j| !(is_self && j as usize == i)) {
                let other = &b.skin.patches[j as usize];
                out.extend(patch.own_nodes.iter().filter_map(|&n| self.node(scene, n, j, other)));
                if is_self && (j as usize) < i {
                    continue;
                }
                if !is_self {
                    let turned = |n: &u32| back.node(scene, *n, i as u32, patch).map(SoftTouch::flipped);
                    out.extend(other.own_nodes.iter().filter_map(turned));
                }
                let pairs = patch.own_edges.iter().flat_map(|&e| other.own_edges.iter().map(move |&f| (e, f)));
                out.extend(pairs.filter_map(|(e, f)| self.edges(scene, e, f)));
            }
        }
        if !is_self {
            self.drive_out(scene, out);
            back.drive_out_flipped(scene, out);
        }
        super::soft_rigid::once(out, a.skin.radius.min(b.skin.radius));
    }

    /// Puts ways out in place of the touches of nodes of a that are inside the solid b.
    fn drive_out(&self, scene: &Scene, out: &mut Vec<SoftTouch>) {
        for (n, touch) in self.ways_out(scene) {
            let node = name(Kind::Node, n, 0);
            out.retain(|t| t.touch.features[0] != node);
            out.push(touch);
        }
    }

    /// The same of two surfaces the other way round.
    fn drive_out_flipped(&self, scene: &Scene, out: &mut Vec<SoftTouch>) {
        for (n, touch) in self.ways_out(scene) {
            let node = name(Kind::Node, n, 0);
            out.retain(|t| t.touch.features[1] != node);
            out.push(touch.flipped());
        }
    }

    /// Nodes of a that are inside the solid b, with touches that drive them out.
    fn ways_out<'s>(&'s self, scene: &'s Scene) -> impl Iterator<Item = (u32, SoftTouch)> + 's {
        let Meeting { a, b, .. } = *self;
        let patches = if b.skin.is_solid && a.bounds().meets(&b.bounds()) { &a.skin.patches[..] } else { &[] };
        let nodes = patches.iter().flat_map(|p| p.own_nodes.iter().copied());
        nodes.filter_map(move |n| {
            let from = a.nodes[n as usize].at;
            let way = b.way_out(from)?;
            let patch = &b.skin.patches[way.patch as usize];
            let on = [0, 1, 2].map(|i| (patch.corners[i], way.weights[i]));
            let gap = -way.to.distance(from) - a.skin.radius - b.skin.radius;
            let points = [from, way.to];
            let near = Near { time: 0.0, weights: [1.0, on[0].1, on[1].1, on[2].1], points, normal: way.out, gap };
            let feature = name(Kind::Face, patch.corners[0], way.patch);
            Some((n, self.made(scene, &near, [(name(Kind::Node, n, 0), at_node(n)), (feature, on)])?))
        })
    }

    /// The box that a patch of a sweeps.
    fn swept(&self, patch: &Patch) -> Bounds {
        self.a.swept(patch, self.h)
    }

    /// A node of a and a triangle of b.
    fn node(&self, scene: &Scene, n: u32, j: u32, patch: &Patch) -> Option<SoftTouch> {
        let Meeting { a, b, .. } = *self;
        let [p, q, r] = patch.corners;
        if patch.is_bar || (self.is_self && self.is_near(&[n], &[p, q, r])) {
            return None;
        }
        let near = self.meet([(a, n), (b, p), (b, q), (b, r)], false)?;
        let w = near.weights;
        let spot = [(p, w[1]), (q, w[2]), (r, w[3])];
        let (feature, spot) = self.feature(j, patch, spot, &near)?;
        if self.is_self && feature >> 62 == Kind::Node as u64 && spot[0].0 < n {
            return None;
        }
        self.made(scene, &near, [(name(Kind::Node, n, 0), at_node(n)), (feature, spot)])
    }

    /// What of a triangle of b is nearest: its name and place; none where the surface goes on towards the node.
    fn feature(&self, j: u32, patch: &Patch, spot: Spot, near: &Near) -> Option<(u64, Spot)> {
        let b = self.b;
        let small = |s: &(u32, f64)| s.1 < T.manifold.at;
        if !spot.iter().any(small) {
            return Some((name(Kind::Face, patch.corners[0], j), spot));
        }
        let goes_on = |edge: &Edge| {
            edge.beyond.iter().any(|&n| {
                n != NONE
                    && !patch.corners.contains(&n)
                    && rise(b, n, near, (near.points[1], near.normal)) > b.skin.level()
            })
        };
        if let Some(most) = spot.iter().find(|s| s.1 > 1.0 - T.manifold.at) {
            let at = patch.edges.iter().map(|&e| &b.skin.edges[e as usize]).filter(|e| e.ends.contains(&most.0));
            return (!at.into_iter().any(goes_on)).then(|| (name(Kind::Node, most.0, 0), at_node(most.0)));
        }
        let least = spot.iter().position(small)?;
        let number = patch.edges[(least + 1) % 3];
        let edge = &b.skin.edges[number as usize];
        (!goes_on(edge)).then(|| (name(Kind::Edge, edge.ends[0], number), spot))
    }

    /// Two edges.
    fn edges(&self, scene: &Scene, e: u32, f: u32) -> Option<SoftTouch> {
        let Meeting { a, b, .. } = *self;
        let (x, y) = (&a.skin.edges[e as usize], &b.skin.edges[f as usize]);
        if self.is_self && self.is_near(&x.ends, &y.ends) {
            return None;
        }
        let near = self.meet([(a, x.ends[0]), (a, x.ends[1]), (b, y.ends[0]), (b, y.ends[1])], true)?;
        let w = near.weights;
        // Ends of edges are nodes, which see triangles by themselves; ends of bars see no bars.
        let inside = |edge: &Edge, w: f64| edge.beyond == [NONE; 2] || (w > T.manifold.at && w < 1.0 - T.manifold.at);
        if !inside(x, w[0]) || !inside(y, w[2]) {
            return None;
        }
        let shape = [Self::shape(a, x, near.points[0], &near, -1.0), Self::shape(b, y, near.points[1], &near, 1.0)];
        if shape.contains(&Form::Rises) || shape == [Form::Flat; 2] {
            return None;
        }
        let spot = |edge: &Edge, w: [f64; 2]| [(edge.ends[0], w[0]), (edge.ends[1], w[1]), (edge.ends[1], 0.0)];
        let first = (name(Kind::Edge, x.ends[0], e), spot(x, [w[0], w[1]]));
        self.made(scene, &near, [first, (name(Kind::Edge, y.ends[0], f), spot(y, [w[2], w[3]]))])
    }

    /// How the triangles at an edge go on from it, seen along the normal times `sign`.
    fn shape(on: &Surface, edge: &Edge, from: DVec3, near: &Near, sign: f64) -> Form {
        let mut form = Form::Flat;
        for &n in &edge.beyond {
            if n == NONE {
                form = Form::Falls;
                continue;
            }
            let height = rise(on, n, near, (from, sign * near.normal));
            if height > on.skin.level() {
                return Form::Rises;
            }
            if height < -on.skin.level() {
                form = Form::Falls;
            }
        }
        form
    }

    /// Whether two features of one surface share a node, or rest within two skins of each other.
    fn is_near(&self, first: &[u32], second: &[u32]) -> bool {
        if first.iter().any(|n| second.contains(n)) {
            return true;
        }
        let Skin { rest, radius, .. } = &*self.a.skin;
        let at = |n: &u32| rest[*n as usize];
        let apart = match (first, second) {
            ([n], [p, q, r]) => {
                let corners = [at(p), at(q), at(r)];
                mixed(corners, on_triangle(at(n), corners)).distance(at(n))
            }
            ([k, l], [m, n]) => {
                let [s, t] = of_segments([at(k), at(l)], [at(m), at(n)]);
                mixed([at(k), at(l)], s).distance(mixed([at(m), at(n)], t))
            }
            _ => 0.0,
        };
        apart <= 2.0 * (1.0 + T.contact.margin) * radius
    }

    /// Where four nodes meet within the step, if they may.
    fn meet(&self, nodes: [(&Surface, u32); 4], is_edges: bool) -> Option<Near> {
        let nodes = nodes.map(|(s, n)| &s.nodes[n as usize]);
        let reach = self.a.skin.radius + self.b.skin.radius;
        let duel = Duel { at: nodes.map(|n| n.at), vel: nodes.map(|n| n.vel), is_edges, reach };
        let jerk = nodes.iter().fold(0.0, |m: f64, n| m.max(n.jerk));
        // What a blow may throw at each other meets in the skins at the latest.
        let (h, thrown) = (self.h, (2.0 * self.h * jerk).min(T.contact.thrown * reach));
        let mut near = duel.near(0.0);
        let fastest = h * duel.fastest();
        if near.gap > T.contact.margin * reach + thrown + T.contact.ahead * fastest {
            return None;
        }
        if fastest > 0.5 * reach && near.gap > 0.0 {
            match duel.impact(h, T.contact.impact * reach) {
                Some(impact) => near = impact,
                None if thrown == 0.0 => return None,
                None => {}
            }
        }
        let speed = near.normal.dot(duel.velocity(&near.weights));
        let gap = near.gap - near.time * speed;
        let may = T.contact.margin * reach + thrown + T.contact.ahead * h * (-speed).max(0.0);
        (gap <= may).then_some(Near { gap, ..near })
    }

    /// A touch at these places, unless their bodies are kept apart or are the same.
    fn made(&self, scene: &Scene, near: &Near, on: [(u64, Spot); 2]) -> Option<SoftTouch> {
        let bodies = |s: &'_ Surface, spot: &Spot| -> bool {
            spot.iter().filter(|x| x.1 != 0.0).all(|x| {
                s.carriers(x.0).iter().all(|c| {
                    let other = on[1].1.iter().filter(|y| y.1 != 0.0);
                    other.flat_map(|y| self.b.carriers(y.0)).all(|d| scene.may_meet(c.body as u32, d.body as u32))
                })
            })
        };
        if !bodies(self.a, &on[0].1) {
            return None;
        }
        let n = near.normal;
        let place = |s: &Surface, spot: &Spot| spot.iter().map(|x| x.1 * s.nodes[x.0 as usize].at).sum::<DVec3>();
        let (p, q) = (place(self.a, &on[0].1), place(self.b, &on[1].1));
        // On the line of the normal through both, as far apart as the row takes them to be.
        let middle = 0.5 * (p + q);
        let (point_a, point_b) = (middle + 0.5 * near.gap * n, middle - 0.5 * near.gap * n);
        let features = [on[0].0, on[1].0];
        let touch = Touch { point_a, point_b, normal: n, distance: near.gap, next: near.gap, features };
        Some(SoftTouch { touch, on: [on[0].1, on[1].1] })
    }
}

/// How far a node of a surface is along `d` from a point, at the time of a meeting, m.
fn rise(on: &Surface, n: u32, near: &Near, (from, d): (DVec3, DVec3)) -> f64 {
    let node = &on.nodes[n as usize];
    d.dot(node.at + near.time * node.vel - from)
}
