//! Poses and velocities of a forest and the products with its Jacobian, all in O(n); the matrix is never formed (Baxter 2019, Alg. 2, 3).
//!
//! ```text
//! v_i  = X_i v_p + S_i y_i                                   J y, from the roots on
//! v'_i = X_i v'_p + (w_p x (v_i - v_p), 0) + S'_i y_i        J' y: X_i changes only with its arm r = c_i - c_p, r' = v_i - v_p
//! t_i  = S_i^T f_i,   f_p += X_i^T f_i                        J^T f, from the leaves on
//! ```
//! In world axes this is all there is of the thesis' Eq. 2.22-2.24.

use super::edge::{Moving, Place};
use super::tree::{NONE, Parent, Tree};
use crate::joints::chart::{Coordinates, MAX_COORDINATES};
use crate::math::pose::Pose;
use crate::math::twist::Twist;
use crate::tuning::T;
use glam::DVec3;

/// What the links of a forest do.
#[derive(Clone, Debug, Default)]
pub struct Kinematics {
    /// Coordinates of each link.
    pub q: Vec<Coordinates>,
    /// Rates of all links, by `TreeLink::first`.
    pub y: Vec<f64>,
    /// Where each link is.
    pub pose: Vec<Pose>,
    /// Velocity at the centre of mass.
    pub twist: Vec<Twist>,
    /// What the roots that the user moves bring to it.
    pub carried: Vec<Twist>,
    /// Columns of S, by `TreeLink::first`.
    pub s: Vec<Twist>,
    /// Arm c_i - c_p.
    pub arm: Vec<DVec3>,
    /// From the tip of the joint to c_i.
    lever: Vec<DVec3>,
}

/// A body at rest in the world's origin: what free roots hang on.
const WORLD: Moving = Moving { pose: Pose::IDENTITY, twist: Twist { lin: DVec3::ZERO, ang: DVec3::ZERO } };

impl Kinematics {
    /// Memory for a forest.
    pub(crate) fn resize(&mut self, tree: &Tree) {
        let n = tree.links.len();
        self.q.resize(n, [0.0; MAX_COORDINATES]);
        self.y.resize(tree.dofs, 0.0);
        self.pose.resize(n, Pose::IDENTITY);
        self.twist.resize(n, Twist::default());
        self.carried.resize(n, Twist::default());
        self.s.resize(tree.dofs, Twist::default());
        self.arm.resize(n, DVec3::ZERO);
        self.lever.resize(n, DVec3::ZERO);
    }

    /// Reads coordinates and rates off the bodies and places the links there: where the bodies have left the joints, each link is put
    /// to the nearest place that its joint allows. `at` gives pose and velocity of a body by slot.
    pub fn read(&mut self, tree: &Tree, at: impl Fn(usize) -> Moving) {
        self.resize(tree);
        for (i, l) in tree.links.iter().enumerate() {
            let (parent, body) = (self.parent(tree, i, &at), at(l.body));
            let near = l.edge.near(&parent.pose);
            self.q[i] = l.edge.read(&near, &body.pose);
            let place = l.edge.place(&near, &self.q[i]);
            let s = &mut self.s[l.rates()];
            l.edge.columns(&place, &self.q[i], s);
            let twist = body.twist.moved(place.child.pos - body.pose.pos);
            l.edge.rates(&place, &parent, twist, s, &mut self.y[l.rates()]);
            self.put(tree, i, &parent, &place);
        }
    }

    /// Places the links by the coordinates and rates that are there. `at` gives the bodies that the links hang on.
    pub fn forward(&mut self, tree: &Tree, at: impl Fn(usize) -> Moving) {
        for (i, l) in tree.links.iter().enumerate() {
            let parent = self.parent(tree, i, &at);
            let place = l.edge.place(&l.edge.near(&parent.pose), &self.q[i]);
            l.edge.columns(&place, &self.q[i], &mut self.s[l.rates()]);
            self.put(tree, i, &parent, &place);
        }
    }

    /// Moves the coordinates for `h` seconds at the rates y.
    pub fn advance(&mut self, tree: &Tree, y: &[f64], h: f64) {
        for (l, q) in tree.links.iter().zip(&mut self.q) {
            l.edge.chart.advance(q, &y[l.rates()], h);
        }
    }

    #[inline]
    fn parent(&self, tree: &Tree, i: usize, at: &impl Fn(usize) -> Moving) -> Moving {
        match tree.links[i].parent {
            Parent::Link(p) => Moving { pose: self.pose[p], twist: self.twist[p] },
            Parent::Body(slot) => at(slot),
            Parent::World => WORLD,
        }
    }

    /// Pose and velocity of a link whose columns and rates are there.
    #[inline]
    fn put(&mut self, tree: &Tree, i: usize, parent: &Moving, place: &Place) {
        let arm = place.child.pos - parent.pose.pos;
        (self.pose[i], self.arm[i], self.lever[i]) = (place.child, arm, place.lever);
        self.twist[i] = parent.twist.moved(arm) + self.own(tree, i, &self.y);
        self.carried[i] = match tree.links[i].parent {
            Parent::Link(p) => self.carried[p].moved(arm),
            Parent::Body(_) | Parent::World => parent.twist.moved(arm),
        };
    }

    /// S_i y_i.
    #[inline]
    fn own(&self, tree: &Tree, i: usize, y: &[f64]) -> Twist {
        let at = tree.links[i].rates();
        y[at.clone()].iter().zip(&self.s[at]).fold(Twist::default(), |sum, (&y, &s)| sum + y * s)
    }

    /// J y, the bodies that the links hang on at rest.
    pub(crate) fn times(&self, tree: &Tree, y: &[f64], out: &mut [Twist]) {
        for (i, l) in tree.links.iter().enumerate() {
            let own = self.own(tree, i, y);
            out[i] = match l.parent {
                Parent::Link(p) => out[p].moved(self.arm[i]) + own,
                Parent::Body(_) | Parent::World => own,
            };
        }
    }

    /// J^T f; `f` (forces and torques about the centres of mass) is used up.
    pub(crate) fn transposed(&self, tree: &Tree, f: &mut [Twist], out: &mut [f64]) {
        for (i, l) in tree.links.iter().enumerate().rev() {
            for k in l.rates() {
                out[k] = self.s[k].dot(f[i]);
            }
            if let Parent::Link(p) = l.parent {
                let from = f[i].force_from(self.arm[i]);
                f[p] += from;
            }
        }
    }

    /// Whether any rate moves a row over two links (`NONE` where an end does not move): J^T g on the way from them to the roots, against
    /// the rounding of its terms.
    pub fn reaches(&self, tree: &Tree, ends: &[(usize, Twist); 2]) -> bool {
        let size = |g: &Twist| (g.lin.length(), g.ang.length());
        let [(mut a, mut f), (mut b, mut other)] = *ends;
        let (mut most, mut most_other) = (size(&f), size(&other));
        loop {
            if a == b {
                if a == NONE {
                    return false;
                }
                (f, b) = (f + other, NONE);
                most = (most.0 + most_other.0, most.1 + most_other.1);
            }
            // Links come after their parents: the higher one goes first.
            if a == NONE || (b != NONE && b > a) {
                ((a, f, most), (b, other, most_other)) = ((b, other, most_other), (a, f, most));
            }
            let (l, arm) = (&tree.links[a], self.arm[a]);
            let own = &self.s[l.rates()];
            if own
                .iter()
                .any(|s| s.dot(f).abs() > T.rows.rounding * (s.lin.length() * most.0 + s.ang.length() * most.1))
            {
                return true;
            }
            f = f.force_from(arm);
            most.1 += arm.length() * most.0;
            a = if let Parent::Link(p) = l.parent { p } else { NONE };
        }
    }

    /// J' y + (d/dt of what moving roots bring) at the present rates: the accelerations of the links while rates and the velocities of
    /// the roots are constant.
    pub fn bias(&self, tree: &Tree, at: impl Fn(usize) -> Moving, out: &mut [Twist]) {
        for (i, l) in tree.links.iter().enumerate() {
            let parent = self.parent(tree, i, &at);
            let child = Moving { pose: self.pose[i], twist: self.twist[i] };
            let y = &self.y[l.rates()];
            let rate = l.edge.bias(&parent, &child, (&self.q[i], y), &self.s[l.rates()], self.lever[i]);
            let carried = if let Parent::Link(p) = l.parent { out[p].moved(self.arm[i]) } else { Twist::default() };
            let swing = parent.twist.ang.cross(child.twist.lin - parent.twist.lin);
            out[i] = carried + rate + Twist::new(swing, DVec3::ZERO);
        }
    }
}
