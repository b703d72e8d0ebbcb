//! Parts of a world: their handles, adding and removing them.

use crate::call::{Fault, TautStatus, optional_text, out, read};
use crate::world::{Held, TautWorld, on};
use std::ffi::c_char;
use taut::joints::Softness;
use taut::parts::Removable;
use taut::{
    Ball, Body, BodyId, Collider, ColliderId, Command, Cylindrical, Distance, Drive, Force, ForceId, Friction, Hinge,
    Joint, JointId, Limit, MassProperties, Material, Motion, Motor, MotorId, Planar, Pose, Prismatic, Quat, Rope,
    RopeId, Shape, Strength, Universal, Vec3, Weld, WinchId,
};

/// Handle of a body or particle; 0 names nothing.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TautBody {
    /// Number of the handle.
    pub id: u64,
}

/// Handle of a joint; 0 names nothing.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TautJoint {
    /// Number of the handle.
    pub id: u64,
}

/// Handle of a motor of a joint; 0 names nothing.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TautMotor {
    /// Number of the handle.
    pub id: u64,
}

/// Handle of a collider; 0 names nothing.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TautCollider {
    /// Number of the handle.
    pub id: u64,
}

/// Handle of a constant force, spring or drag; 0 names nothing.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TautForce {
    /// Number of the handle.
    pub id: u64,
}

/// Handle of a rope over guides; 0 names nothing.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TautRope {
    /// Number of the handle.
    pub id: u64,
}

/// Handle of a winch; 0 names nothing.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TautWinch {
    /// Number of the handle.
    pub id: u64,
}

/// From a handle of C to what it names, and back. Whether it is still there, the engine says.
macro_rules! named {
    ($name:ident, $id:ident, $table:ident, $what:ident, $to:ident) => {
        impl Held {
            pub(crate) fn $what(&self, handle: $name) -> Result<$id, Fault> {
                let table = &self.parts.$table;
                Ok(table.get(self.parts.place(handle.id, table.len(), stringify!($what))?))
            }

            pub(crate) fn $to(&mut self, id: $id) -> $name {
                let place = self.parts.$table.note(id);
                $name { id: self.parts.handle(place) }
            }
        }
    };
}
named!(TautBody, BodyId, bodies, body, body_handle);
named!(TautJoint, JointId, joints, joint, joint_handle);
named!(TautMotor, MotorId, motors, motor, motor_handle);
named!(TautCollider, ColliderId, colliders, collider, collider_handle);
named!(TautForce, ForceId, forces, force, force_handle);
named!(TautRope, RopeId, ropes, rope, rope_handle);

impl Held {
    pub(crate) fn winch(&self, handle: TautWinch) -> Result<WinchId, Fault> {
        let winches = &self.parts.winches;
        Ok(winches[self.parts.place(handle.id, winches.len(), "winch")?].1)
    }
}

/// How a body moves.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TautMotion {
    /// By the forces on it.
    Dynamic = 0,
    /// By the forces on it, without rotation.
    Particle = 1,
    /// Never.
    Fixed = 2,
    /// As it is told, whatever hangs on it.
    Kinematic = 3,
}

/// A solid.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TautShapeKind {
    /// None: a body without extent; no collider.
    None = 0,
    /// `size` is half the edges, m.
    Box = 1,
    /// `size[0]` is the radius, m.
    Ball = 2,
    /// Along y: `size[0]` is the radius, `size[1]` half the length without the caps, m.
    Capsule = 3,
    /// Along y: `size[0]` is the radius, `size[1]` half the height, m.
    Cylinder = 4,
    /// All that is behind the plane through the body's place; `size` is the plane's normal. Not for bodies that move freely.
    HalfSpace = 5,
}

/// What a body is made of. Begin with `taut_body_def()`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TautBodyDef {
    /// A `TautMotion`.
    pub motion: i32,
    /// A `TautShapeKind`, with its numbers.
    pub shape: i32,
    /// Numbers of the shape.
    pub size: [f64; 3],
    /// Mass, kg; NaN: that of the shape with its density.
    pub mass: f64,
    /// Density of the shape, kg/m^3.
    pub density: f64,
    /// Principal moments of inertia about x, y and z, kg m^2; NaN: those of the shape.
    pub inertia: [f64; 3],
    /// Centre of mass, m.
    pub position: [f64; 3],
    /// Rotation x, y, z, w.
    pub rotation: [f64; 4],
    /// Velocity of the centre of mass, m/s.
    pub velocity: [f64; 3],
    /// Angular velocity, rad/s.
    pub angular_velocity: [f64; 3],
    /// Damping of the velocity, 1/s.
    pub linear_damping: f64,
    /// Of the angular velocity, 1/s.
    pub angular_damping: f64,
    /// How much of gravity it feels.
    pub gravity_scale: f64,
    /// Whether the shape of a body that moves freely is its collider; that of another always is.
    pub collides: bool,
    /// Coefficient of friction.
    pub friction: f64,
    /// Rebound speed over impact speed, 0 to 1.
    pub restitution: f64,
    /// Name, or NULL.
    pub name: *const c_char,
}

/// A particle to be: dynamic, without shape and mass.
#[unsafe(no_mangle)]
pub extern "C" fn taut_body_def() -> TautBodyDef {
    let surface = Material::default();
    TautBodyDef {
        motion: TautMotion::Dynamic as i32,
        shape: TautShapeKind::None as i32,
        size: [0.0; 3],
        mass: f64::NAN,
        density: 1000.0,
        inertia: [f64::NAN; 3],
        position: [0.0; 3],
        rotation: [0.0, 0.0, 0.0, 1.0],
        velocity: [0.0; 3],
        angular_velocity: [0.0; 3],
        linear_damping: 0.0,
        angular_damping: 0.0,
        gravity_scale: 1.0,
        collides: false,
        friction: surface.friction[0],
        restitution: surface.restitution,
        name: std::ptr::null(),
    }
}

/// One of the values of an enum of C.
fn one_of<T: Copy>(all: &[T], given: i32, number: impl Fn(T) -> i32, name: &str) -> Result<T, Fault> {
    let found = all.iter().copied().find(|x| number(*x) == given);
    found.ok_or_else(|| Fault::input(format_args!("{name} = {given}: expected 0 to {}", all.len() - 1)))
}

fn shape(kind: i32, [x, y, z]: [f64; 3]) -> Result<Option<Shape>, Fault> {
    use TautShapeKind::*;
    Ok(match one_of(&[None, Box, Ball, Capsule, Cylinder, HalfSpace], kind, |k| k as i32, "shape")? {
        None => Option::None,
        Box => Some(Shape::cuboid(Vec3::new(x, y, z))),
        Ball => Some(Shape::ball(x)),
        Capsule => Some(Shape::capsule(y, x)),
        Cylinder => Some(Shape::cylinder(y, x)),
        HalfSpace => Some(Shape::HalfSpace { normal: Vec3::new(x, y, z) }),
    })
}

/// A number that was given.
fn given(x: f64) -> Option<f64> {
    (!x.is_nan()).then_some(x)
}

impl TautBodyDef {
    fn body(&self, name: Option<&str>) -> Result<Body, Fault> {
        use TautMotion::*;
        let shape = shape(self.shape, self.size)?;
        let motion = one_of(&[Dynamic, Particle, Fixed, Kinematic], self.motion, |m| m as i32, "motion")?;
        let mut body = match motion {
            Dynamic => Body::dynamic(self.mass(shape.as_ref())?),
            Particle => Body::particle(
                given(self.mass).ok_or_else(|| Fault::input("mass = NaN: expected the mass of the particle, kg"))?,
            ),
            Fixed => Body::fixed(),
            Kinematic => Body::kinematic(),
        };
        let [x, y, z, w] = self.rotation;
        body.pose = Pose { pos: self.position.into(), rot: Quat::from_xyzw(x, y, z, w) };
        body = body.moving(self.velocity.into(), self.angular_velocity.into());
        body = body.damped(self.linear_damping, self.angular_damping).gravity_scale(self.gravity_scale);
        let solid = self.collides || !matches!(body.motion, Motion::Dynamic | Motion::Particle);
        if let Some(shape) = shape.filter(|_| solid) {
            body = body.collider(Collider::new(shape).friction(self.friction).restitution(self.restitution));
        }
        Ok(body.named(name.unwrap_or_default()))
    }

    fn mass(&self, shape: Option<&Shape>) -> Result<MassProperties, Fault> {
        let said = self.inertia.map(given);
        match (shape, given(self.mass), said) {
            (_, Some(mass), [Some(x), Some(y), Some(z)]) => {
                Ok(MassProperties::from_diagonal(mass, Vec3::new(x, y, z))?)
            }
            (Some(shape), mass, [None, None, None]) => {
                let of = MassProperties::of(shape, self.density)?;
                Ok(mass.map_or(Ok(of), |mass| of.with_mass(mass))?)
            }
            _ => Err(Fault::input(
                "mass: expected a shape with a density or a mass, or a mass and three moments of inertia",
            )),
        }
    }
}

/// Adds a body.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_add_body(
    world: *mut TautWorld,
    def: *const TautBodyDef,
    body: *mut TautBody,
) -> TautStatus {
    on(world, |held| {
        // SAFETY: see the rules of the crate.
        let (to, def) = unsafe { (out(body, "body")?, read(def, "def")?) };
        // SAFETY: the same.
        let name = unsafe { optional_text(def.name, "name") }?;
        let id = held.world().add(def.body(name)?)?;
        to.put(held.body_handle(id));
        Ok(())
    })
}

/// A joint.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TautJointKind {
    /// Leaves three rotations about a point.
    Ball = 0,
    /// Leaves the rotation about an axis.
    Hinge = 1,
    /// Leaves the translation along an axis.
    Prismatic = 2,
    /// Leaves both.
    Cylindrical = 3,
    /// Leaves two rotations, about `axis` and across it.
    Universal = 4,
    /// Leaves the translations across an axis and the rotation about it.
    Planar = 5,
    /// Leaves nothing.
    Weld = 6,
    /// A rod between two points.
    Distance = 7,
    /// A rope between two points: it only pulls.
    Rope = 8,
}

/// A motor.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TautMotorKind {
    /// None.
    None = 0,
    /// Keeps a rate.
    Rate = 1,
    /// Goes to a target, with a stiffness and a damping.
    Servo = 2,
}

/// What a joint is. Begin with `taut_joint_def()`. Limits, spring, friction and motor are of hinges, prismatic joints and what else leaves
/// one thing free; joints that leave several free take theirs through `taut_world_add`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TautJointDef {
    /// A `TautJointKind`.
    pub kind: i32,
    /// The first body.
    pub first: TautBody,
    /// The second body; motors and limits speak of the first against it.
    pub second: TautBody,
    /// Where they meet in the world, m; not of rods and ropes, nor is the axis.
    pub point: [f64; 3],
    /// The axis, in the world.
    pub axis: [f64; 3],
    /// Of rods and ropes: the points on the first and on the second body, m; NaN: their centres.
    pub ends: [[f64; 3]; 2],
    /// Of rods and ropes, m; NaN: as it is.
    pub length: f64,
    /// Give: compliance m/N (rad/(N m)) and damping N s/m (N m s/rad); 0 and 0: rigid.
    pub linear: [f64; 2],
    /// The same of its rotations: rad/(N m) and N m s/rad.
    pub angular: [f64; 2],
    /// Lower limit, m or rad from where the joint is added; infinite, as the upper one: none.
    pub lower: f64,
    /// Upper limit.
    pub upper: f64,
    /// Spring and damper on what it leaves free: N/m (N m/rad), N s/m (N m s/rad); 0 and 0: none.
    pub spring: [f64; 2],
    /// Friction, N or N m; 0: none.
    pub friction: f64,
    /// Inertia that the rates of what it leaves free feel, and nothing else: kg m^2, kg for slides; 0: none.
    pub armature: f64,
    /// Force (N) and torque (N m) at which it breaks; infinite: never.
    pub strength: [f64; 2],
    /// A `TautMotorKind`.
    pub motor: i32,
    /// Stiffness of a servo, N/m or N m/rad.
    pub stiffness: f64,
    /// Damping of a servo, N s/m or N m s/rad.
    pub damping: f64,
    /// Least it pushes with, N or N m; minus infinity: no bound.
    pub min_force: f64,
    /// Most it pushes with, N or N m; infinite: no bound.
    pub max_force: f64,
    /// Target that it is told at first, m or rad. With target and rate NaN it is told nothing, and does nothing.
    pub target: f64,
    /// Rate that it is told at first, m/s or rad/s.
    pub rate: f64,
    /// Name, or NULL; its motor has it too.
    pub name: *const c_char,
}

/// A rigid ball joint at the origin, between no bodies yet.
#[unsafe(no_mangle)]
pub extern "C" fn taut_joint_def() -> TautJointDef {
    let (none, endless) = (TautBody { id: 0 }, f64::INFINITY);
    TautJointDef {
        kind: TautJointKind::Ball as i32,
        first: none,
        second: none,
        point: [0.0; 3],
        axis: [0.0, 1.0, 0.0],
        ends: [[f64::NAN; 3]; 2],
        length: f64::NAN,
        linear: [0.0; 2],
        angular: [0.0; 2],
        lower: -endless,
        upper: endless,
        spring: [0.0; 2],
        friction: 0.0,
        armature: 0.0,
        strength: [endless; 2],
        motor: TautMotorKind::None as i32,
        stiffness: 0.0,
        damping: 0.0,
        min_force: -endless,
        max_force: endless,
        target: f64::NAN,
        rate: f64::NAN,
        name: std::ptr::null(),
    }
}

impl TautJointDef {
    fn joint(&self, held: &Held, name: Option<&str>) -> Result<Joint, Fault> {
        use TautJointKind::*;
        let (i, j) = (held.body(self.first)?, held.body(self.second)?);
        let all = [Ball, Hinge, Prismatic, Cylindrical, Universal, Planar, Weld, Distance, Rope];
        let kind = one_of(&all, self.kind, |k| k as i32, "kind")?;
        let (at, axis) = (|joint: Joint| joint.at(self.point.into()), Vec3::from(self.axis));
        let mut joint = match kind {
            Ball => at(self::Ball::between(i, j)),
            Hinge => at(self::Hinge::between(i, j)).axis(axis),
            Prismatic => at(self::Prismatic::between(i, j)).axis(axis),
            Cylindrical => at(self::Cylindrical::between(i, j)).axis(axis),
            Universal => at(self::Universal::between(i, j)).axis(axis),
            Planar => at(self::Planar::between(i, j)).axis(axis),
            Weld => at(self::Weld::between(i, j)),
            Distance => self.between(held, self::Distance::between(i, j), [i, j])?,
            Rope => self.between(held, self::Rope::between(i, j), [i, j])?,
        };
        let soft = |[compliance, damping]: [f64; 2]| Softness { compliance, damping };
        if self.linear != [0.0; 2] {
            joint = joint.linear(soft(self.linear));
        }
        if self.angular != [0.0; 2] {
            joint = joint.angular(soft(self.angular));
        }
        if self.lower != f64::NEG_INFINITY || self.upper != f64::INFINITY {
            joint = joint.stop(Limit::new(self.lower, self.upper));
        }
        if self.spring != [0.0; 2] {
            joint = joint.spring(self.spring[0], self.spring[1]);
        }
        if self.friction != 0.0 {
            joint = joint.friction(Friction::new(self.friction));
        }
        if self.armature != 0.0 {
            joint = joint.armature(self.armature);
        }
        if self.strength != [f64::INFINITY; 2] {
            joint = joint.strength(Strength { force: self.strength[0], torque: self.strength[1] });
        }
        let joint = self.motor()?.into_iter().fold(joint, Joint::motor);
        Ok(joint.named(name.unwrap_or_default()))
    }

    /// A rod or rope where it is tied.
    fn between(&self, held: &Held, joint: Joint, ids: [BodyId; 2]) -> Result<Joint, Fault> {
        let end = |k: usize| match self.ends[k].iter().any(|x| x.is_nan()) {
            true => held.scene.world.body(ids[k]).map(|b| b.position()),
            false => Ok(self.ends[k].into()),
        };
        let joint = joint.ends(end(0)?, end(1)?);
        Ok(given(self.length).into_iter().fold(joint, Joint::length))
    }

    fn motor(&self) -> Result<Option<Motor>, Fault> {
        use TautMotorKind::*;
        let (stiffness, damping) = (self.stiffness, self.damping);
        let drive = match one_of(&[None, Rate, Servo], self.motor, |k| k as i32, "motor")? {
            None => return Ok(Option::None),
            Rate => Drive::Rate,
            Servo => Drive::Servo { stiffness, damping },
        };
        let command = (given(self.target).is_some() || given(self.rate).is_some())
            .then(|| Command { target: given(self.target).unwrap_or(0.0), rate: given(self.rate).unwrap_or(0.0) });
        Ok(Some(Motor { drive, command, ..Motor::rate() }.force_range(self.min_force, self.max_force)))
    }
}

/// Adds a joint.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_add_joint(
    world: *mut TautWorld,
    def: *const TautJointDef,
    joint: *mut TautJoint,
) -> TautStatus {
    on(world, |held| {
        // SAFETY: see the rules of the crate.
        let (to, def) = unsafe { (out(joint, "joint")?, read(def, "def")?) };
        // SAFETY: the same.
        let name = unsafe { optional_text(def.name, "name") }?;
        let made = def.joint(held, name)?;
        let id = held.world().add(made)?;
        to.put(held.joint_handle(id));
        Ok(())
    })
}

/// The motor of a joint that has one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_motor_of(world: *const TautWorld, joint: TautJoint, motor: *mut TautMotor) -> TautStatus {
    on(world, |held| {
        // SAFETY: see the rules of the crate.
        let to = unsafe { out(motor, "motor") }?;
        let id = held.joint(joint)?;
        let id = held.scene.world.motor(id)?.id();
        to.put(held.motor_handle(id));
        Ok(())
    })
}

/// What a collider is. Begin with `taut_collider_def()`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TautColliderDef {
    /// Its body; the ground for what stands still.
    pub body: TautBody,
    /// A `TautShapeKind`, with its numbers.
    pub shape: i32,
    /// Numbers of the shape.
    pub size: [f64; 3],
    /// From the centre of mass of the body along its axes, m.
    pub position: [f64; 3],
    /// Rotation x, y, z, w.
    pub rotation: [f64; 4],
    /// Coefficient of friction.
    pub friction: f64,
    /// Rebound speed over impact speed, 0 to 1.
    pub restitution: f64,
    /// Groups that it is in, as bits: two colliders meet when each is in a group that the other meets.
    pub member: u32,
    /// Groups that it meets.
    pub with: u32,
    /// It tells what overlaps it and pushes nothing.
    pub sensor: bool,
    /// Name, or NULL.
    pub name: *const c_char,
}

/// A collider without a shape, on no body yet, that meets all others.
#[unsafe(no_mangle)]
pub extern "C" fn taut_collider_def() -> TautColliderDef {
    let surface = Material::default();
    TautColliderDef {
        body: TautBody { id: 0 },
        shape: TautShapeKind::None as i32,
        size: [0.0; 3],
        position: [0.0; 3],
        rotation: [0.0, 0.0, 0.0, 1.0],
        friction: surface.friction[0],
        restitution: surface.restitution,
        member: u32::MAX,
        with: u32::MAX,
        sensor: false,
        name: std::ptr::null(),
    }
}

/// Adds a collider.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_add_collider(
    world: *mut TautWorld,
    def: *const TautColliderDef,
    collider: *mut TautCollider,
) -> TautStatus {
    on(world, |held| {
        // SAFETY: see the rules of the crate.
        let (to, def) = unsafe { (out(collider, "collider")?, read(def, "def")?) };
        // SAFETY: the same.
        let name = unsafe { optional_text(def.name, "name") }?;
        let shape = shape(def.shape, def.size)?.ok_or_else(|| Fault::input("shape = 0: expected a shape"))?;
        let [x, y, z, w] = def.rotation;
        let pose = Pose { pos: def.position.into(), rot: Quat::from_xyzw(x, y, z, w) };
        let made = Collider::new(shape).on(held.body(def.body)?).posed(pose).friction(def.friction);
        let mut made = made.restitution(def.restitution).grouped(def.member, def.with).named(name.unwrap_or_default());
        made.sensor = def.sensor;
        let id = held.world().add(made)?;
        to.put(held.collider_handle(id));
        Ok(())
    })
}

/// Adds a constant force (three numbers, N) that acts on a body at a point of the world (m; NULL: the centre of mass) and moves with it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_add_force(
    world: *mut TautWorld,
    body: TautBody,
    vector: *const f64,
    point: *const f64,
    force: *mut TautForce,
) -> TautStatus {
    on(world, |held| {
        // SAFETY: see the rules of the crate.
        let (to, vector) = unsafe { (out(force, "force")?, read(vector.cast::<[f64; 3]>(), "vector")?) };
        let body = held.body(body)?;
        let pose = held.scene.world.body(body)?.pose();
        let point = match point.is_null() {
            true => Vec3::ZERO,
            // SAFETY: the same.
            false => pose.to_local(Vec3::from_array(*unsafe { read(point.cast::<[f64; 3]>(), "point") }?)),
        };
        let id = held.world().add(Force::Point { body, point, force: Vec3::from_array(*vector) })?;
        to.put(held.force_handle(id));
        Ok(())
    })
}

fn remove(world: *mut TautWorld, of: impl FnOnce(&Held) -> Result<Removed, Fault>) -> TautStatus {
    on(world, |held| {
        let part = of(held)?;
        Ok(held.world().remove(part)?)
    })
}

/// A part that goes.
enum Removed {
    Body(BodyId),
    Joint(JointId),
    Collider(ColliderId),
    Force(ForceId),
    Rope(RopeId),
}

impl Removable for Removed {
    fn remove_from(self, world: &mut taut::World) -> taut::Result<()> {
        match self {
            Removed::Body(id) => world.remove(id),
            Removed::Joint(id) => world.remove(id),
            Removed::Collider(id) => world.remove(id),
            Removed::Force(id) => world.remove(id),
            Removed::Rope(id) => world.remove(id),
        }
    }
}

/// Removes a body with its joints, colliders and forces.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_remove_body(world: *mut TautWorld, body: TautBody) -> TautStatus {
    remove(world, |held| held.body(body).map(Removed::Body))
}

/// Removes a joint with its motors.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_remove_joint(world: *mut TautWorld, joint: TautJoint) -> TautStatus {
    remove(world, |held| held.joint(joint).map(Removed::Joint))
}

/// Removes a collider.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_remove_collider(world: *mut TautWorld, collider: TautCollider) -> TautStatus {
    remove(world, |held| held.collider(collider).map(Removed::Collider))
}

/// Removes a constant force, spring or drag.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_remove_force(world: *mut TautWorld, force: TautForce) -> TautStatus {
    remove(world, |held| held.force(force).map(Removed::Force))
}

/// Removes a rope over guides.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn taut_remove_rope(world: *mut TautWorld, rope: TautRope) -> TautStatus {
    remove(world, |held| held.rope(rope).map(Removed::Rope))
}
