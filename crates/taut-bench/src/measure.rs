//! What touching comes to, from poses alone: one code for all engines.
//!
//! Penetration is that of the deepest point of a contact manifold of parry, built anew for every pair that may overlap, and of the
//! lowest point under the floor y = 0. With q the rotation of the child's joint axes in those of the parent, the angle about z is
//! 2 atan2(q_z, q_w), which is the twist of the swing-twist decomposition, and the swing is the angle between the z axes.

use crate::scene::{Hold, Motion, Scene, Solid, Touch};
use rapier3d_f64::parry::query::{ContactManifold, DefaultQueryDispatcher, PersistentQueryDispatcher};
use rapier3d_f64::parry::shape::SharedShape;
use rapier3d_f64::prelude::Pose;
use std::collections::BTreeSet;
use std::f64::consts::{PI, TAU};
use taut::Vec3;

/// How far apart surfaces may be for a manifold to be built, m.
const PREDICTION: f64 = 1e-3;

/// Measures how deep bodies are in each other.
pub struct Ruler {
    solids: Vec<Option<(Solid, SharedShape)>>,
    clear: BTreeSet<(usize, usize)>,
    order: Vec<usize>,
    manifold: ContactManifold<(), ()>,
}

impl Ruler {
    /// A ruler for the shapes of a scene.
    pub fn new(scene: &Scene) -> Self {
        let shape = |s: Solid| match s {
            Solid::Ball(r) => SharedShape::ball(r),
            Solid::Cuboid(h) => SharedShape::cuboid(h.x, h.y, h.z),
            Solid::Capsule(half, r) => SharedShape::capsule_y(half, r),
        };
        let joined = scene.joints.iter().filter_map(|j| j.a.map(|a| (a, j.b)));
        let clear = scene.touch.iter().flat_map(|t: &Touch| t.clear.iter().copied()).chain(joined);
        Ruler {
            solids: scene.bodies.iter().map(|b| b.solid.map(|s| (s, shape(s)))).collect(),
            clear: clear.map(|(a, b)| (a.min(b), a.max(b))).collect(),
            order: Vec::new(),
            manifold: ContactManifold::new(),
        }
    }

    /// Deepest penetration, m; zero when nothing overlaps.
    pub fn depth(&mut self, motions: &[Motion]) -> f64 {
        let span = |s: &[Option<(Solid, SharedShape)>], k: usize| s[k].as_ref().map_or(0.0, |(s, _)| reach(*s));
        self.order.clear();
        self.order.extend((0..self.solids.len()).filter(|&k| self.solids[k].is_some()));
        let left = |k: usize| motions[k].pos.x - span(&self.solids, k);
        self.order.sort_by(|&a, &b| left(a).total_cmp(&left(b)).then(a.cmp(&b)));
        let mut deepest: f64 = 0.0;
        for at in 0..self.order.len() {
            let a = self.order[at];
            deepest = deepest.max(self.under_floor(a, &motions[a]));
            for next in at + 1..self.order.len() {
                let b = self.order[next];
                let far = span(&self.solids, a) + span(&self.solids, b);
                if motions[b].pos.x - motions[a].pos.x > far {
                    // Bodies further on may be larger, but begin further to the right still.
                    if motions[b].pos.x - span(&self.solids, b) > motions[a].pos.x + span(&self.solids, a) {
                        break;
                    }
                    continue;
                }
                if (motions[b].pos - motions[a].pos).length() < far && !self.clear.contains(&(a.min(b), a.max(b))) {
                    deepest = deepest.max(self.pair(a, b, motions));
                }
            }
        }
        deepest
    }

    fn under_floor(&self, k: usize, m: &Motion) -> f64 {
        let up = m.rot.inverse() * Vec3::Y;
        let down = match self.solids[k].as_ref().map(|(s, _)| *s) {
            None => return 0.0,
            Some(Solid::Ball(r)) => r,
            Some(Solid::Cuboid(h)) => up.abs().dot(h),
            Some(Solid::Capsule(half, r)) => up.y.abs() * half + r,
        };
        down - m.pos.y
    }

    fn pair(&mut self, a: usize, b: usize, motions: &[Motion]) -> f64 {
        let (Some((_, one)), Some((_, two))) = (&self.solids[a], &self.solids[b]) else { return 0.0 };
        let (p, q) = (&motions[a], &motions[b]);
        let (pos, rot) = (p.rot.inverse() * (q.pos - p.pos), (p.rot.inverse() * q.rot).normalize());
        let pose = Pose::from_parts(pos.to_array().into(), rapier3d_f64::math::Rotation::from_array(rot.to_array()));
        self.manifold.clear();
        let built = DefaultQueryDispatcher.contact_manifold_convex_convex(
            &pose,
            one.as_ref(),
            two.as_ref(),
            None,
            None,
            PREDICTION,
            &mut self.manifold,
        );
        if built.is_err() {
            return f64::NAN;
        }
        self.manifold.points.iter().fold(0.0, |d: f64, p| d.max(-p.dist))
    }
}

/// Radius of the ball about the centre that holds a shape, m.
fn reach(solid: Solid) -> f64 {
    match solid {
        Solid::Ball(r) => r,
        Solid::Cuboid(h) => h.length(),
        Solid::Capsule(half, r) => half + r,
    }
}

/// Largest angles by which the limit of a hinge or a cone and that of a twist are passed, rad; zero when all are kept. Twists are
/// apart because not every engine holds them where a joint has swung far.
pub fn excess(scene: &Scene, motions: &[Motion]) -> (f64, f64) {
    let (mut worst, mut twisted): (f64, f64) = (0.0, 0.0);
    for j in &scene.joints {
        let (Some(a), Hold::Cone { axes, .. } | Hold::Hinge { axes, .. }) = (j.a, j.hold) else { continue };
        let q = ((motions[a].rot * axes[0]).inverse() * (motions[j.b].rot * axes[1])).normalize();
        let mut turn = 2.0 * q.z.atan2(q.w);
        if turn > PI {
            turn -= TAU;
        } else if turn < -PI {
            turn += TAU;
        }
        worst = worst.max(match j.hold {
            Hold::Free | Hold::Turn(_) => 0.0,
            Hold::Cone { swing, twist, .. } => {
                let z = q * Vec3::Z;
                twisted = twisted.max(turn.abs() - twist);
                z.x.hypot(z.y).atan2(z.z) - swing
            }
            Hold::Hinge { most, .. } => (turn - most).max(-turn),
        });
    }
    (worst, twisted)
}
