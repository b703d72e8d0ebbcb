//! A rope over guides as it has become: where its guides are in the frames of their bodies, and what its spans have, to the last bit.

use glam::DVec3;

/// Where a guide of a rope is in the frame of its body.
///
/// ```
/// use taut::prelude::*;
/// use taut::Sheave;
/// let mut world = World::new();
/// let load = world.add(Body::particle(1.0).at(-Vec3::Y))?;
/// let sheave = Sheave::on(world.ground(), Vec3::Y, Vec3::Z, 0.25);
/// let rope = world.add(Rope::from(world.ground(), Vec3::X).over(sheave).to(load, -Vec3::Y))?;
/// let memory = world.rope(rope)?.memory();
/// assert_eq!(memory.guides[1].centre, Vec3::Y);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GuideMemory {
    /// Its point or centre, m.
    pub centre: DVec3,
    /// Unit vector along the axis of a sheave.
    pub axis: DVec3,
    /// Unit vector across it, where angles are measured from.
    pub mark: DVec3,
}

/// What a span of a rope has.
///
/// ```
/// use taut::prelude::*;
/// let mut world = World::new();
/// let load = world.add(Body::particle(1.0).at(-Vec3::Y))?;
/// let rope = world.add(Rope::from(world.ground(), Vec3::Y).to(load, -Vec3::Y))?;
/// world.step(0.01)?;
/// let span = world.rope(rope)?.memory().spans[0];
/// assert_eq!(span.material, 2.0);
/// assert!((span.tension - 9.81).abs() < 1e-9);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpanMemory {
    /// Material between the marks of its guides, m.
    pub material: f64,
    /// The same in the last step, m.
    pub reach: f64,
    /// N.
    pub tension: f64,
    /// What its segment was stretched by in the last step, m; none where that is not known.
    pub stretch: Option<f64>,
    /// Angles of its tangent points from the marks of its guides, whole turns counted, rad.
    pub angles: [f64; 2],
    /// Energy that the element of the stabiliser had after the last step, J.
    pub energy: f64,
    /// How fast it slipped over the guide before it in the last step, m/s.
    pub slip: f64,
    /// How short it may become, m, and the force that has kept its guides apart in the last step, N.
    pub least: f64,
    /// See `least`.
    pub apart: f64,
}

/// A grip that rides on a sheave.
///
/// ```
/// use taut::prelude::*;
/// use taut::Sheave;
/// let mut world = World::new();
/// let mut wheel = |x: f64| {
///     let rotor = world.add(Body::dynamic(MassProperties::from_diagonal(2.0, Vec3::ONE)?).at(x * Vec3::X))?;
///     world.add(Hinge::between(rotor, world.ground()).at(x * Vec3::X).axis(Vec3::Z))?;
///     Ok::<_, taut::Error>(Sheave::on(rotor, x * Vec3::X, Vec3::Z, 0.5).no_slip())
/// };
/// let (a, b) = (wheel(0.0)?, wheel(5.0)?);
/// let start = Vec3::new(4.5, -0.5, 0.0);
/// let car = world.add(Body::particle(1.0).at(start).moving(Vec3::X, Vec3::ZERO).gravity_scale(0.0))?;
/// let rope = Rope::endless().round(a.about()).grip(car, start).round(b.about());
/// let rope = world.add(rope.stiffness(1e6))?;
/// while world.rope(rope)?.memory().rides.is_empty() {
///     world.step(0.01)?;
/// }
/// // On the way as it is now the grip comes behind the sheave that it rides on.
/// let ride = world.rope(rope)?.memory().rides[0];
/// assert_eq!((ride.wheel, ride.guide), (1, 2));
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RideMemory {
    /// Which of the guides it is, and which the sheave, on the way as it is now: a grip that rides comes behind its sheave.
    pub guide: usize,
    /// See `guide`.
    pub wheel: usize,
    /// Its point in the frame of its body, m.
    pub point: DVec3,
    /// Where it is held in the frame of the body of the sheave, m.
    pub at: DVec3,
    /// Angle of its place on the rope from the mark of the sheave, whole turns counted, rad.
    pub angle: f64,
    /// Force that held it in the last step along the axes of the world, N.
    pub force: DVec3,
}

/// What the torsion of a rope has become.
///
/// ```
/// use taut::prelude::*;
/// let mut world = World::new();
/// let disk = world.add(Body::dynamic(MassProperties::sphere(1000.0, 0.1)?).at(-Vec3::Y))?;
/// let wire = world.add(Rope::from(world.ground(), Vec3::ZERO).to(disk, -0.9 * Vec3::Y).torsion(2.0))?;
/// world.set_pose(disk, Pose { pos: -Vec3::Y, rot: Quat::from_rotation_y(-0.3) })?;
/// let twist = world.rope(wire)?.memory().twist.unwrap();
/// // It is not twisted at the angle that it was laid with.
/// assert!((world.rope(wire)?.twist() - 0.3).abs() < 1e-12 && twist.angle == twist.rest);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwistMemory {
    /// Angle between the frames of its ends after the last step, whole turns counted, rad.
    pub angle: f64,
    /// The same where it is not twisted, rad.
    pub rest: f64,
    /// N m.
    pub torque: f64,
    /// What it was twisted by in the last step, rad; none where that is not known.
    pub stretch: Option<f64>,
    /// At each end: twist that was wound on the drum, rad, in so much rope, m.
    pub wound: [[f64; 2]; 2],
}

/// All that a rope over guides has become since it was added. A rope that is added again with it goes on as this one. Where grips have passed
/// sheaves since, it is to be added on its way as it is now ([`RopeRef::order`](crate::RopeRef::order)).
///
/// ```
/// use taut::prelude::*;
/// let mut world = World::new();
/// let load = world.add(Body::particle(1.0).at(-Vec3::Y))?;
/// let line = Rope::from(world.ground(), Vec3::Y).to(load, -Vec3::Y);
/// let rope = world.add(line.clone())?;
/// world.pay_out(rope, 0.5)?;
/// let memory = world.rope(rope)?.memory();
/// world.remove(rope)?;
/// let again = world.add(line.remembering(memory))?;
/// assert_eq!((world.rope(again)?.length(), world.rope(again)?.paid_out()), (2.5, 0.5));
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RopeMemory {
    /// Its start, its guides, its end; the end of an endless rope is its start. Grips that ride are not among them.
    pub guides: Vec<GuideMemory>,
    /// Its spans.
    pub spans: Vec<SpanMemory>,
    /// Its grips that ride on sheaves.
    pub rides: Vec<RideMemory>,
    /// Its length when it was added, m.
    pub laid: f64,
    /// Its torsion, where it has some and both ends are held.
    pub twist: Option<TwistMemory>,
}
