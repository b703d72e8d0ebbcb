//! Two boxes in closed form, as far as it tells what need not be looked at: the gap along all fifteen axes at the cost of a few.
//! Points and pieces of lines are boxes without thickness.
//!
//! ```text
//! b in the frame of a: centre t, axes r_k, half edges b_k;  half edges of a: a_k
//! gap along a unit vector n from a to b = n.t - sum |n_k| a_k - sum |n.r_k| b_k
//! ```
//!
//! Rounding differs from that of the supports, so a direction is left out only when it is worse by more than `slack`; what is left is
//! measured by its supports, and the result is the same bit for bit.

use crate::math::pose::Pose;
use crate::tuning::T;
use glam::{DMat3, DVec3};

/// Two boxes about their centres, in the frame of the first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Boxes {
    halves: (DVec3, DVec3),
    centre: DVec3,
    axes: DMat3,
    /// Gaps differ from those measured by supports by less than this, m.
    pub slack: f64,
}

impl Boxes {
    pub fn new(a: DVec3, b: DVec3, rel: &Pose) -> Self {
        let size = rel.pos.abs().max_element() + a.element_sum() + b.element_sum();
        Boxes { halves: (a, b), centre: rel.pos, axes: DMat3::from_quat(rel.rot), slack: T.contact.rounding * size }
    }

    /// Gaps along the axes of the first, both ways: along +x, +y, +z and along -x, -y, -z.
    pub fn along_first(&self) -> [DVec3; 2] {
        let (a, b) = self.halves;
        let m = &self.axes;
        let wide = a + m.x_axis.abs() * b.x + m.y_axis.abs() * b.y + m.z_axis.abs() * b.z;
        [self.centre - wide, -self.centre - wide]
    }

    /// The same along the axes of the second.
    pub fn along_second(&self) -> [DVec3; 2] {
        let (a, b) = self.halves;
        let m = &self.axes;
        let wide = b + DVec3::new(m.x_axis.abs().dot(a), m.y_axis.abs().dot(a), m.z_axis.abs().dot(a));
        let t = m.transpose() * self.centre;
        [t - wide, -t - wide]
    }

    /// The larger of the gaps along a vector and against it, times its length.
    pub fn along(&self, n: DVec3) -> f64 {
        let (a, b) = self.halves;
        n.dot(self.centre).abs() - n.abs().dot(a) - (self.axes.transpose() * n).abs().dot(b)
    }

    /// Whether the boxes are as far apart as their gap along a face normal of one (along its axis `k`, of the first or the second) to
    /// within `tie`: something of the other's nearest corner, edge or face is over the face.
    pub fn is_over_face(&self, of_first: bool, k: usize, tie: f64) -> bool {
        // The other box in the frame of the one with the face.
        let (face, other, m, c) = if of_first {
            (self.halves.0, self.halves.1, self.axes, self.centre)
        } else {
            let back = self.axes.transpose();
            (self.halves.1, self.halves.0, back, -(back * self.centre))
        };
        let (u, v) = ((k + 1) % 3, (k + 2) % 3);
        let toward = if c[k] < 0.0 { -1.0 } else { 1.0 };
        let (mut corner, mut free, mut count) = ([c[u], c[v]], [[0.0; 2]; 3], 0);
        for j in 0..3 {
            let edge = m.col(j) * other[j];
            let rise = toward * edge[k];
            if 2.0 * rise.abs() <= 0.25 * tie {
                free[count] = [edge[u], edge[v]];
                count += 1;
            } else {
                let down = -rise.signum();
                corner = [corner[0] + down * edge[u], corner[1] + down * edge[v]];
            }
        }
        // Separating axes in the plane of the face: its edges, and across those of the other.
        let free = &free[..count];
        let meets = |w: [f64; 2]| {
            let dot = |x: &[f64; 2]| (x[0] * w[0] + x[1] * w[1]).abs();
            let wide = face[u] * w[0].abs() + face[v] * w[1].abs() + free.iter().map(dot).sum::<f64>();
            dot(&corner) <= wide
        };
        meets([1.0, 0.0]) && meets([0.0, 1.0]) && free.iter().all(|f| meets([-f[1], f[0]]))
    }
}
