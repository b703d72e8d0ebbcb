//! The robot of `strong-robot`: bars, joints and servos.

use super::parts::bar;
use taut::{Ball, BodyId, Hinge, JointId, Result, Softness, Universal, Vec3, World};

/// What the robot is held by.
pub(super) struct Robot {
    /// Fingertip bodies and the points they end at.
    pub tips: Vec<(BodyId, Vec3)>,
    /// Where the cable ends, between the fingertips.
    pub grip: Vec3,
}

/// Servo stiffness of spine and legs, arms, wrists and neck, fingers, N m/rad.
const TRUNK: f64 = 1e5;
const ARM: f64 = 3e4;
const WRIST: f64 = 1e4;
const FINGER: f64 = 3e3;
/// Damping over stiffness of a servo, s.
const DAMPING: f64 = 0.05;
/// Height of the hands, m.
const GRIP: f64 = 1.25;

enum Kind {
    Ball,
    /// Cross along the axis.
    Universal,
    Hinge,
}

struct Builder<'a> {
    world: &'a mut World,
    strength: f64,
    soft: Softness,
}

impl Builder<'_> {
    fn body(&mut self, from: Vec3, to: Vec3, mass: f64, radius: f64, name: &str) -> Result<BodyId> {
        bar(self.world, from, to, mass, radius, name.to_owned())
    }

    /// A joint with servos on all that it leaves free.
    fn joint(
        &mut self,
        kind: &Kind,
        (i, j): (BodyId, BodyId),
        at: Vec3,
        axis: Vec3,
        stiffness: f64,
    ) -> Result<JointId> {
        let (k, soft) = (self.strength * stiffness, self.soft);
        let joint = match kind {
            Kind::Ball => Ball::between(i, j),
            Kind::Universal => Universal::between(i, j),
            Kind::Hinge => Hinge::between(i, j),
        };
        self.world.add(joint.at(at).axis(axis).linear(soft).angular(soft).spring(k, DAMPING * k))
    }

    /// Hip, knee, ankle, and the hinge that holds the foot to the ground.
    fn leg(&mut self, pelvis: BodyId, side: f64, knee: Vec3, ankle: Vec3) -> Result<()> {
        let hip = Vec3::new(0.0, 0.9, 0.1 * side);
        let thigh = self.body(hip, knee, 9.0, 0.07, "thigh")?;
        let shin = self.body(knee, ankle, 4.5, 0.05, "shin")?;
        let sole = Vec3::new(ankle.x, 0.04, ankle.z);
        let foot = self.body(sole - 0.07 * Vec3::X, sole + 0.18 * Vec3::X, 1.5, 0.04, "foot")?;
        self.joint(&Kind::Ball, (thigh, pelvis), hip, Vec3::Z, TRUNK)?;
        self.joint(&Kind::Hinge, (shin, thigh), knee, Vec3::Z, TRUNK)?;
        self.joint(&Kind::Universal, (foot, shin), ankle, Vec3::Z, TRUNK)?;
        let ground = self.world.ground();
        self.joint(&Kind::Hinge, (foot, ground), sole - 0.04 * Vec3::Y, Vec3::Z, TRUNK)?;
        Ok(())
    }

    /// Shoulder, elbow, wrist and three fingers; the fingertips.
    fn arm(&mut self, chest: BodyId, side: f64) -> Result<Vec<(BodyId, Vec3)>> {
        let at = |x: f64, y: f64, z: f64| Vec3::new(x, y, z * side);
        let (shoulder, elbow, wrist, palm) =
            (at(0.0, 1.45, 0.22), at(0.2, 1.22, 0.25), at(0.45, GRIP, 0.12), at(0.53, GRIP, 0.09));
        let upper = self.body(shoulder, elbow, 3.0, 0.05, "upper arm")?;
        let fore = self.body(elbow, wrist, 2.0, 0.04, "forearm")?;
        let hand = self.body(wrist, palm, 0.8, 0.03, "hand")?;
        self.joint(&Kind::Ball, (upper, chest), shoulder, Vec3::Z, ARM)?;
        self.joint(&Kind::Hinge, (fore, upper), elbow, Vec3::Z, ARM)?;
        self.joint(&Kind::Universal, (hand, fore), wrist, Vec3::Z, WRIST)?;
        let mut tips = Vec::new();
        for k in [-1.0, 0.0, 1.0] {
            let (root, knuckle, tip) =
                (palm + 0.03 * k * Vec3::Y, at(0.58, GRIP + 0.03 * k, 0.06), at(0.62, GRIP + 0.012 * k, 0.02));
            let near = self.body(root, knuckle, 0.1, 0.01, "finger")?;
            let far = self.body(knuckle, tip, 0.1, 0.01, "fingertip")?;
            self.joint(&Kind::Universal, (near, hand), root, Vec3::Y, FINGER)?;
            self.joint(&Kind::Hinge, (far, near), knuckle, Vec3::Y, FINGER)?;
            tips.push((far, tip));
        }
        Ok(tips)
    }
}

/// Adds the robot, facing +x, its feet apart on y = 0, its hands before it.
pub(super) fn add(world: &mut World, strength: f64, compliance: f64) -> Result<Robot> {
    let mut b = Builder { world, strength, soft: Softness::compliance(compliance) };
    let up = |y: f64| y * Vec3::Y;
    let pelvis = b.body(up(0.85), up(1.05), 15.0, 0.15, "pelvis")?;
    let chest = b.body(up(1.05), up(1.5), 30.0, 0.16, "chest")?;
    let head = b.body(up(1.5), up(1.75), 6.0, 0.1, "head")?;
    b.joint(&Kind::Universal, (chest, pelvis), up(1.05), Vec3::Z, TRUNK)?;
    b.joint(&Kind::Ball, (head, chest), up(1.5), Vec3::Z, WRIST)?;
    b.leg(pelvis, 1.0, Vec3::new(0.22, 0.5, 0.11), Vec3::new(0.25, 0.08, 0.12))?;
    b.leg(pelvis, -1.0, Vec3::new(-0.05, 0.48, -0.11), Vec3::new(-0.25, 0.08, -0.12))?;
    let mut tips = b.arm(chest, 1.0)?;
    tips.extend(b.arm(chest, -1.0)?);
    Ok(Robot { tips, grip: Vec3::new(0.6, GRIP, 0.0) })
}
