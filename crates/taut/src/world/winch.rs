//! Winches: a drum on a hinge with a motor and a brake, in the terms of the rope.

use super::{Part, World};
use crate::error::{Error, Result, finite, positive};
use crate::ids::{BodyId, JointId};
use crate::joints::{Command, Hinge, Motor};
use crate::mass::MassProperties;
use crate::model::Motion;
use crate::model::body::Body;
use crate::model::reeving::Sheave;
use glam::DVec3;

/// A winch, to be added to a world: a rotor with a drum, hinged to a body, with a motor that winds a rope and can slip.
///
/// A hoist with 12 kN lifts a ton at half a metre a second, once it has speeded up.
/// ```
/// use taut::prelude::*;
/// use taut::{Winch, Winding};
/// let mut world = World::new();
/// let load = world.add(Body::particle(1000.0).at(Vec3::new(0.3, -5.0, 0.0)))?;
/// let hoist = world.add(Winch::on(world.ground(), Vec3::ZERO, Vec3::Z, 0.3).inertia(0.72))?;
/// let drum = world.drum(hoist)?;
/// let rope = world.add(Rope::from_drum(drum.against()).to(load, Vec3::new(0.3, -5.0, 0.0)))?;
/// world.set_winch(hoist, Winding::Haul { speed: 0.5, force: 12e3 })?;
/// for _ in 0..60 {
///     world.step(1.0 / 60.0)?;
/// }
/// assert!((world.body(load)?.velocity().y - 0.5).abs() < 1e-6);
/// assert!((world.rope(rope)?.tension() - 9810.0).abs() < 1e-3);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Winch {
    /// The body that it stands on.
    pub body: BodyId,
    /// Its centre in the world, as the body is when it is added, m.
    pub centre: DVec3,
    /// Its axis in the world.
    pub axis: DVec3,
    /// Pitch radius of the drum, from the axis to the middle of the rope, m.
    pub radius: f64,
    /// Inertia of drum, gear and motor about the axis, kg m^2. None: that of its mass as a disc.
    pub inertia: Option<f64>,
    /// Its mass, kg. None: that of a hollow drum of steel as long as its radius.
    pub mass: Option<f64>,
    /// What it does at first.
    pub winding: Winding,
    /// Name of its rotor, hinge and motor.
    pub name: String,
}

/// What a winch does, in the terms of its rope.
///
/// ```
/// use taut::Winding;
/// // A tug's winch hauls below 60 t, holds up to 120 t, and renders above.
/// let tow = Winding::Keep { recover: 60e3 * 9.81, render: 120e3 * 9.81, speed: 1.0 };
/// assert_ne!(tow, Winding::Brake(120e3 * 9.81));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Winding {
    /// Hauls in at a speed, m/s (negative: pays out), with at most this pull, N, which may be infinite. A rope that pulls harder
    /// is rendered.
    Haul {
        /// m/s.
        speed: f64,
        /// N.
        force: f64,
    },
    /// Holds with at most this pull, N.
    Brake(f64),
    /// Hauls in while the rope pulls less than `recover`, N, holds it up to `render`, N, and pays out above that.
    Keep {
        /// N.
        recover: f64,
        /// N.
        render: f64,
        /// Of hauling, m/s.
        speed: f64,
    },
    /// Turns freely.
    Free,
}

impl Winding {
    /// Rate of the rope, pull of the motor and of the brake; none without a motor.
    fn parts(self) -> Result<(Option<(f64, f64)>, f64)> {
        let least = |name: &str, x: f64| {
            if x >= 0.0 { Ok(x) } else { Err(Error::input(name, x, "a number of N, 0 or more")) }
        };
        Ok(match self {
            Winding::Haul { speed, force } => {
                (Some((finite("speed of the winch", speed, "m/s")?, least("pull of the winch", force)?)), 0.0)
            }
            Winding::Brake(force) => (Some((0.0, least("brake of the winch", force)?)), 0.0),
            Winding::Keep { recover, render, speed } => {
                finite("speed of the winch", speed, "m/s")?;
                let (low, high) =
                    (least("recover of the winch", recover)?, finite("render of the winch", render, "N")?);
                if !(high >= low) {
                    let expected = format!("at least what it recovers at, {low} N");
                    return Err(Error::input("render of the winch", render, expected));
                }
                (Some((speed, 0.5 * (high + low))), 0.5 * (high - low))
            }
            Winding::Free => (None, 0.0),
        })
    }
}

impl Winch {
    /// A winch on a body about an axis, with the pitch radius of its drum, m. It holds its rope until it is told something else.
    pub fn on(body: BodyId, centre: DVec3, axis: DVec3, radius: f64) -> Self {
        let winding = Winding::Brake(f64::INFINITY);
        Winch { body, centre, axis, radius, inertia: None, mass: None, winding, name: String::new() }
    }

    /// With this inertia of drum, gear and motor about the axis, kg m^2.
    pub fn inertia(self, inertia: f64) -> Self {
        Winch { inertia: Some(inertia), ..self }
    }

    /// With this mass, kg.
    pub fn mass(self, mass: f64) -> Self {
        Winch { mass: Some(mass), ..self }
    }

    /// Doing this at first.
    pub fn winding(self, winding: Winding) -> Self {
        Winch { winding, ..self }
    }

    /// With a name.
    pub fn named(self, name: impl Into<String>) -> Self {
        Winch { name: name.into(), ..self }
    }
}

/// The parts of a winch in a world. All that can be done to bodies, joints and motors can be done to them.
///
/// ```
/// use taut::{Vec3, Winch, World};
/// let mut world = World::new();
/// let winch = world.add(Winch::on(world.ground(), Vec3::Y, Vec3::Z, 0.2).named("hoist"))?;
/// assert_eq!(world.body(winch.rotor)?.name(), "hoist");
/// assert_eq!(world.motor(winch.hinge)?.name(), "hoist");
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WinchId {
    /// The body of its drum.
    pub rotor: BodyId,
    /// The hinge of the rotor, with its motor and brake.
    pub hinge: JointId,
    /// Pitch radius, m.
    pub radius: f64,
}

impl Part for Winch {
    type Handle = WinchId;
    fn add_to(self, world: &mut World) -> Result<WinchId> {
        let Winch { body, centre, axis, radius, inertia, mass, winding, name } = self;
        if world.model.body(body)?.motion == Motion::Particle {
            let given = world.model.body_name(body.0.slot as usize);
            return Err(Error::input("body of the winch", given, "a body that can turn"));
        }
        positive("radius of the winch", radius, "m")?;
        crate::error::finite_vec("centre of the winch", centre, "m")?;
        if !(axis.is_finite() && axis.length() > 0.0) {
            return Err(Error::input("axis of the winch", axis, "a direction"));
        }
        let mass = mass.unwrap_or(STEEL * HOLLOW * std::f64::consts::PI * radius * radius * radius);
        positive("mass of the winch", mass, "kg")?;
        let own = inertia.unwrap_or(0.5 * mass * radius * radius);
        positive("inertia of the winch", own, "kg m^2")?;
        let (drive, brake) = winding.parts()?;
        // Across the axis a disc has half of that. With the same about all axes it does not matter how it is turned.
        let mass = MassProperties::from_diagonal(mass, DVec3::splat(own))?;
        let side = world.side(body);
        let (velocity, omega) = (world.body(body)?.velocity(), world.body(body)?.angular_velocity());
        let velocity = velocity + omega.cross(centre - side.pos);
        let rotor = Body::dynamic(mass).at(centre).moving(velocity, omega).named(name.clone());
        let rotor = world.add(rotor)?;
        let mut motor = Motor::rate().named(name.clone());
        if let Some((_, force)) = drive {
            motor = motor.limited(force * radius);
        }
        let hinge = Hinge::between(rotor, body).at(centre).axis(axis).motor(motor).friction(brake * radius).named(name);
        let hinge = world.add(hinge).inspect_err(|_| {
            // Nothing is left half done; the rotor was added a moment ago.
            let _ = world.remove(rotor);
        })?;
        let winch = WinchId { rotor, hinge, radius };
        world.set_winch(winch, winding)?;
        Ok(winch)
    }
}

/// Density of steel, kg/m^3, and how much of a drum is steel.
const STEEL: f64 = 7850.0;
const HOLLOW: f64 = 0.2;

impl World {
    /// The drum of a winch as it is now, for the rope that is wound on it.
    pub fn drum(&self, winch: WinchId) -> Result<Sheave> {
        let rotor = self.body(winch.rotor)?;
        let axis = self.joint(winch.hinge)?.axis();
        Ok(Sheave::on(winch.rotor, rotor.position(), axis, winch.radius).no_slip())
    }

    /// Tells a winch what to do, in the terms of its rope. Before it has a rope, hauling turns it about its axis.
    pub fn set_winch(&mut self, winch: WinchId, winding: Winding) -> Result<()> {
        let (drive, brake) = winding.parts()?;
        self.joint(winch.hinge)?;
        let radius = winch.radius;
        let rate = drive.map(|(speed, _)| self.winch_rate(winch, speed)).transpose()?;
        self.set_friction(winch.hinge, brake * radius)?;
        match (drive, rate) {
            (Some((_, force)), Some(rate)) => {
                self.set_force_range(winch.hinge, -force * radius, force * radius)?;
                self.set_motor(winch.hinge, Command::rate(rate))
            }
            _ => self.release_motor(winch.hinge),
        }
    }

    /// The rate of a winch's motor, rad/s, that hauls in its rope at a speed, m/s: for [`World::set_motor`] with its hinge.
    pub fn winch_rate(&self, winch: WinchId, speed: f64) -> Result<f64> {
        self.joint(winch.hinge)?;
        Ok(self.winds(winch) * finite("speed of the winch", speed, "m/s")? / winch.radius)
    }

    /// How fast a winch hauls in its rope, m/s; negative when it pays out.
    pub fn hauling(&self, winch: WinchId) -> Result<f64> {
        Ok(self.winds(winch) * winch.radius * self.motor(winch.hinge)?.rate())
    }

    /// Which way its hinge turns when it hauls, +1 or -1.
    fn winds(&self, winch: WinchId) -> f64 {
        for (_, r) in self.model.ropes.iter() {
            let (first, last) = (r.guides.first(), r.guides.last());
            for (end, sign) in [(first, -1.0), (last, 1.0)] {
                if let Some(g) = end.filter(|g| g.body == winch.rotor && g.groove.radius > 0.0) {
                    return sign * g.groove.side;
                }
            }
        }
        1.0
    }
}
