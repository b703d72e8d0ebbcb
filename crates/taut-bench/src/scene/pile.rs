//! The ragdolls of the scene library's `ragdoll-pile`: 12 bodies each, 6 ball joints with cones and twists, 4 hinges and the spine.

use super::{BallJoint, Body, G, Hold, Motion, Scene, Solid, Touch};
use taut::{Frame, Freedom, Limit, Mat3, Quat, Vec3};
use taut_scenes::scenes::ragdoll_pile::{BODIES, Bond, CLEAR, RagdollPart, plan};

/// Ragdolls dropped on the floor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pile {
    /// How many.
    pub ragdolls: usize,
    /// Of their poses.
    pub seed: u64,
    /// Height of the lowest layer, m.
    pub drop: f64,
    /// Friction of all surfaces.
    pub friction: f64,
}

impl Default for Pile {
    fn default() -> Self {
        Pile { ragdolls: 20, seed: 1, drop: 1.0, friction: 0.5 }
    }
}

impl Pile {
    /// The scene.
    pub fn scene(&self) -> crate::Result<Scene> {
        let parts = plan(self.ragdolls, self.seed, self.drop).map_err(|e| e.to_string())?;
        let top = parts.iter().fold(0.0, |y: f64, p| y.max(p.pose.pos.y));
        let weight: f64 = parts.iter().map(|p| G * p.mass.mass).sum();
        let mut s = Scene::new(top, weight * top);
        for p in &parts {
            let child = s.bodies.len();
            s.bodies.push(body(p)?);
            if let Some(bond) = &p.bond {
                s.joints.push(joint(child, bond)?);
            }
        }
        let clear = (0..self.ragdolls).flat_map(|k| CLEAR.map(|(a, b)| (BODIES * k + a, BODIES * k + b))).collect();
        s.touch = Some(Touch { friction: self.friction, clear });
        Ok(s)
    }
}

fn body(p: &RagdollPart) -> crate::Result<Body> {
    let solid = match p.shape {
        taut::Shape::Ball { radius } => Solid::Ball(radius),
        taut::Shape::Cuboid { half } => Solid::Cuboid(half),
        taut::Shape::Capsule { half_length, radius } => Solid::Capsule(half_length, radius),
        ref other => return Err(format!("{}: shape = {other:?}: expected ball, box or capsule", p.name)),
    };
    let start = Motion { pos: p.pose.pos, rot: p.pose.rot, vel: Vec3::ZERO, ang: Vec3::ZERO };
    Ok(Body { mass: p.mass.mass, inertia: p.mass.inertia * Vec3::ONE, start, solid: Some(solid) })
}

fn joint(b: usize, bond: &Bond) -> crate::Result<BallJoint> {
    let [i, j] = [bond.frames.i, bond.frames.j];
    let axes = [j, i].map(|f: Frame| Quat::from_mat3(&Mat3::from_cols(f.u, f.v, f.n)).normalize());
    let upper = |freedom: Freedom| {
        let limit = bond.limits.iter().find(|l: &&Limit| l.freedom.is_none_or(|f| f == freedom));
        limit.map(|l| l.upper).ok_or_else(|| format!("joint of body {b}: no limit of {freedom:?}"))
    };
    let hold = if bond.hinge {
        Hold::Hinge { axes, most: upper(Freedom::Turn)? }
    } else {
        Hold::Cone { axes, swing: upper(Freedom::Swing)?, twist: upper(Freedom::Twist)? }
    };
    Ok(BallJoint { a: Some(bond.parent), b, on_a: j.origin, on_b: i.origin, closes: false, hold })
}
