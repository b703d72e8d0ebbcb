//! The flexible cable of Andrews 2017 (Appendix A): a rigid joint of three dot-1 and three dot-2 rows, relaxed. 6 rows.
//! Kept for comparison; `Cable` is the better model.

use super::{Axis, JointKind, RowBuilder, Softness};

/// The paper's cable joint, along N.
///
/// A hose of 10 kg hangs on a joint with 1 um/N along it, and stretches it by 98.1 um.
/// ```
/// use taut::{Body, Joint, MassProperties, Softness, Vec3, World, joints::FlexibleCable};
/// let soft = Softness::spring(1e6, 1e4);
/// let kind = FlexibleCable { axial: soft, shear: soft, bending: soft, torsion: soft };
/// let mut world = World::new();
/// let hose = MassProperties::cylinder(1000.0, 0.5, 0.05)?.with_mass(10.0)?;
/// let hose = world.add(Body::dynamic(hose).at(-0.5 * Vec3::Y))?;
/// let joint = world.add(Joint::of(kind, hose, world.ground()).at(Vec3::ZERO).axis(Vec3::Y))?;
/// for _ in 0..60 {
///     world.step(0.01)?;
/// }
/// assert!((world.joint(joint)?.gap() - 98.1e-6).abs() < 1e-7);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlexibleCable {
    /// Give along the cable, m/N.
    pub axial: Softness,
    /// Give across the cable, m/N.
    pub shear: Softness,
    /// Give in bending, rad/(N m).
    pub bending: Softness,
    /// Give in torsion, rad/(N m).
    pub torsion: Softness,
}

impl JointKind for FlexibleCable {
    fn name(&self) -> &'static str {
        "flexible-cable"
    }
    fn rows(&self, r: &mut RowBuilder) {
        r.dot1(Axis::N, Axis::U, self.bending);
        r.dot1(Axis::N, Axis::V, self.bending);
        r.dot1(Axis::U, Axis::V, self.torsion);
        r.dot2(Axis::U, self.shear);
        r.dot2(Axis::V, self.shear);
        r.dot2(Axis::N, self.axial);
    }
}
