//! Water and wind as the user gives them, and what they see of a body.
//!
//! Water is a plane with Airy waves in deep water on it. With a = height/2, w = 2 pi/period, k = w^2/g and
//! th = k d.x - w t + phase, a wave that runs along d has at the depth z below the surface
//! ```text
//! elevation     a cos th
//! velocity      a w e^(-k z) (cos th d + sin th up)
//! acceleration  a w^2 e^(-k z) (sin th d - cos th up)
//! ```
//! The depth is counted from the surface as it is (Wheeler's stretching), so that nothing grows without bound above still water.

use crate::error::{Error, Result, finite, finite_vec, non_negative, positive};
use glam::DVec3;
use std::f64::consts::TAU;

/// A wave on deep water.
///
/// A swell of 8 s is g T^2/(2 pi) = 99.9 m long.
/// ```
/// use taut::{Vec3, field::Wave};
/// let swell = Wave { height: 1.0, period: 8.0, direction: Vec3::X, phase: 0.0 };
/// assert!((swell.length(9.81) - 99.9).abs() < 0.1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wave {
    /// From trough to crest, m.
    pub height: f64,
    /// s.
    pub period: f64,
    /// Where it runs; what of it points up is left out. Any length but zero.
    pub direction: DVec3,
    /// At the origin and time zero, rad; at zero there is a crest.
    pub phase: f64,
}

impl Wave {
    /// Its length on deep water under this gravity (m/s^2), m.
    pub fn length(&self, gravity: f64) -> f64 {
        gravity * self.period * self.period / TAU
    }
}

/// Water up to a level, with waves if there are any. Bodies with solid colliders float in it by themselves ([`Exposure`]).
///
/// A ball half as dense as water floats with its centre in the surface.
/// ```
/// use taut::prelude::*;
/// use taut::field::{Exposure, Water};
/// let mut world = World::new();
/// world.set_water(Some(Water::still(0.0)))?;
/// // Drag grows with the square of the speed: it is the waves that it makes that bring a float to rest.
/// let ball = Body::solid(Shape::ball(0.5), 500.0)?.exposed(Exposure::new().viscous(400.0, 0.0));
/// let ball = world.add(ball.at(0.3 * Vec3::Y))?;
/// for _ in 0..1200 {
///     world.step(1.0 / 60.0)?;
/// }
/// assert!(world.body(ball)?.position().y.abs() < 1e-3);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Water {
    /// Height of the still surface, against gravity from the origin, m.
    pub level: f64,
    /// kg/m^3.
    pub density: f64,
    /// Velocity of all of it, m/s.
    pub current: DVec3,
    /// Waves, one on top of the other.
    pub waves: Vec<Wave>,
}

/// Fresh water, kg/m^3.
const FRESH: f64 = 1000.0;
/// Air at sea level and 15 degrees, kg/m^3.
const AIR: f64 = 1.225;

impl Water {
    /// Still fresh water up to a level, m.
    pub fn still(level: f64) -> Self {
        Water { level, density: FRESH, current: DVec3::ZERO, waves: Vec::new() }
    }

    /// Sets the density, kg/m^3: 1025 for the sea.
    pub fn density(mut self, density: f64) -> Self {
        self.density = density;
        self
    }

    /// Lets all of it flow, m/s.
    pub fn current(mut self, velocity: DVec3) -> Self {
        self.current = velocity;
        self
    }

    /// Adds a wave.
    pub fn wave(mut self, wave: Wave) -> Self {
        self.waves.push(wave);
        self
    }

    pub(crate) fn validate(&self) -> Result<()> {
        finite("water level", self.level, "m")?;
        positive("water density", self.density, "kg/m^3")?;
        finite_vec("water current", self.current, "m/s")?;
        for (k, w) in self.waves.iter().enumerate() {
            let name = |what: &str| format!("{what} of wave {k}");
            non_negative(&name("height"), w.height, "m")?;
            positive(&name("period"), w.period, "s")?;
            finite(&name("phase"), w.phase, "rad")?;
            finite_vec(&name("direction"), w.direction, "")?;
            if !(w.direction.length_squared() > 0.0) {
                return Err(Error::input(name("direction"), w.direction, "a vector that is not zero"));
            }
        }
        Ok(())
    }
}

/// How the speed of the wind changes; it keeps its direction.
///
/// ```
/// use taut::field::{Gusts, Wind};
/// use taut::{Vec3, World};
/// let mut world = World::new();
/// let gusts = Gusts::Sine { amplitude: 5.0, period: 4.0 };
/// world.set_wind(Some(Wind { gusts, ..Wind::steady(10.0 * Vec3::X) }))?;
/// assert_eq!(world.wind_now(), 10.0 * Vec3::X);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Gusts {
    /// Not at all.
    #[default]
    None,
    /// Up and down like a sine, from the mean at time zero.
    Sine {
        /// m/s.
        amplitude: f64,
        /// s.
        period: f64,
    },
    /// A turbulent wind: [`GUST_WAVES`] sines whose energy falls with the frequency f like (1 + 1.5 f T)^(-5/3) (Kaimal's spectrum), with
    /// phases that the seed decides. The same seed gives the same wind.
    Spectrum {
        /// Standard deviation of the speed, m/s.
        deviation: f64,
        /// Time T over which it remembers, s.
        period: f64,
        /// Any number.
        seed: u64,
    },
}

/// Sines of a turbulent wind.
pub const GUST_WAVES: usize = 24;

/// A wind that blows everywhere above water, the same at every place.
///
/// A weather balloon of 1 m^2 of drag area lags behind the wind and catches up.
/// ```
/// use taut::prelude::*;
/// use taut::field::{Exposure, Wind};
/// let mut world = World::new();
/// world.set_wind(Some(Wind::steady(10.0 * Vec3::X)))?;
/// let balloon = world.add(Body::particle(0.5).gravity_scale(0.0).exposed(Exposure::area(1.0)))?;
/// for _ in 0..600 {
///     world.step(1.0 / 60.0)?;
/// }
/// let speed = world.body(balloon)?.velocity().x;
/// assert!(speed > 9.0 && speed < 10.0);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wind {
    /// Mean velocity, m/s.
    pub velocity: DVec3,
    /// Density of the air, kg/m^3.
    pub density: f64,
    /// How it changes.
    pub gusts: Gusts,
}

impl Wind {
    /// A wind that does not change, m/s.
    pub fn steady(velocity: DVec3) -> Self {
        Wind { velocity, density: AIR, gusts: Gusts::None }
    }

    /// Lets it change.
    pub fn gusts(mut self, gusts: Gusts) -> Self {
        self.gusts = gusts;
        self
    }

    /// Sets the density of the air, kg/m^3.
    pub fn density(mut self, density: f64) -> Self {
        self.density = density;
        self
    }

    /// Its velocity at a time (s), m/s.
    pub fn at(&self, time: f64) -> DVec3 {
        let more = match self.gusts {
            Gusts::None => return self.velocity,
            Gusts::Sine { amplitude, period } => amplitude * libm::sin(TAU * time / period),
            Gusts::Spectrum { deviation, period, seed } => deviation * turbulence(time / period, seed),
        };
        // A wind without a mean blows along x.
        self.velocity + more * self.velocity.try_normalize().unwrap_or(DVec3::X)
    }

    pub(crate) fn validate(&self) -> Result<()> {
        finite_vec("wind velocity", self.velocity, "m/s")?;
        positive("wind density", self.density, "kg/m^3")?;
        match self.gusts {
            Gusts::None => {}
            Gusts::Sine { amplitude, period } => {
                non_negative("gust amplitude", amplitude, "m/s")?;
                positive("gust period", period, "s")?;
            }
            Gusts::Spectrum { deviation, period, .. } => {
                non_negative("gust deviation", deviation, "m/s")?;
                positive("gust period", period, "s")?;
            }
        }
        Ok(())
    }
}

/// A sum of sines of variance 1, at a time counted in the period of the gusts.
fn turbulence(time: f64, seed: u64) -> f64 {
    // Frequencies times T from 0.02 to 20, evenly in their logarithm: three decades, beyond which there is less than 2 % of the energy.
    let (first, decades) = (0.02, 3.0);
    let (mut sum, mut energy, mut state) = (0.0, 0.0, seed);
    for k in 0..GUST_WAVES {
        let f = first * libm::pow(10.0, decades * k as f64 / (GUST_WAVES - 1) as f64);
        let power = f * libm::pow(1.0 + 1.5 * f, -5.0 / 3.0);
        let phase = TAU * (mixed(&mut state) >> 11) as f64 / (1u64 << 53) as f64;
        sum += (2.0 * power).sqrt() * libm::cos(TAU * f * time + phase);
        energy += power;
    }
    sum / energy.sqrt()
}

/// The next of a sequence of well-mixed numbers (SplitMix64).
fn mixed(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// What a body displaces and shows to a flow.
///
/// A barge of 10 m^2 and 5 t floats half a metre deep in fresh water, whatever its colliders are.
/// ```
/// use taut::prelude::*;
/// use taut::field::{Exposure, Form, Water};
/// let mut world = World::new();
/// world.set_water(Some(Water::still(0.0)))?;
/// let form = Form::Prism { bottom: -0.5 * Vec3::Y, height: 1.0, area: 10.0, moments: [20.0, 4.0] };
/// let barge = Body::dynamic(MassProperties::cuboid(100.0, Vec3::new(2.5, 0.5, 1.0))?.with_mass(5000.0)?);
/// let barge = world.add(barge.exposed(Exposure { form, ..Exposure::default() }))?;
/// world.step(0.01)?;
/// // Its middle is half a metre above its bottom: it starts where it floats.
/// assert!(world.body(barge)?.velocity().length() < 1e-6);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Form {
    /// Its solid colliders, sensors left out.
    #[default]
    Colliders,
    /// Nothing: neither water nor wind act on it.
    Nothing,
    /// A ball about its centre, for particles and buoys: what it displaces.
    Ball {
        /// m.
        radius: f64,
    },
    /// An upright hull with the same waterplane at every draught.
    Prism {
        /// The middle of its bottom, own coordinates, m; y points up.
        bottom: DVec3,
        /// From bottom to deck, m.
        height: f64,
        /// Area of the waterplane, m^2.
        area: f64,
        /// Second moments of the waterplane about its own x and z axis, m^4.
        moments: [f64; 2],
    },
    /// No volume: only the areas that are given.
    Areas,
}

/// What water and wind see of a body: what it displaces, its drag, the water that it takes along.
///
/// The drag of a flow of relative velocity w is the gradient of a convex dissipation, so that it never gives energy to what moves in still
/// water. Along each own axis it is rho/2 drag area w^2.
///
/// A chain of particles shows the wind diameter times length of what each stands for.
/// ```
/// use taut::{Body, World, Vec3};
/// use taut::field::{Exposure, Form};
/// let mut world = World::new();
/// let link = world.add(Body::particle(3.0).exposed(Exposure::strand(0.03, 0.5)))?;
/// assert!(matches!(world.body(link)?.exposure().form, Form::Ball { .. }));
/// world.set_exposure(link, Exposure::none())?;
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exposure {
    /// What it displaces.
    pub form: Form,
    /// Drag coefficient, no unit.
    pub drag: f64,
    /// Areas that a flow along its own x, y and z axis sees, m^2, in place of those of its form.
    pub areas: Option<DVec3>,
    /// Mass of the water that it takes along in its own x, y and z direction, in parts of the water that it displaces.
    pub added_mass: DVec3,
    /// Resistance of water in proportion to the velocity, N s/m, and to the angular velocity, N m s/rad, when all of it is immersed.
    pub viscous: [f64; 2],
}

/// The drag coefficient of blunt bodies: cubes have 1.05, short cylinders about 1.
const BLUNT: f64 = 1.0;
/// The added mass of a ball, exact in an ideal fluid; that of other compact bodies is near it.
const BALL_ADDED: f64 = 0.5;
/// The drag coefficient of a cylinder across the flow, below the drag crisis.
const STRAND: f64 = 1.2;
/// The drag coefficient of a plate across the flow: cloth and the faces of deformables.
pub(crate) const PLATE: f64 = 1.2;

impl Default for Exposure {
    fn default() -> Self {
        Exposure {
            form: Form::Colliders,
            drag: BLUNT,
            areas: None,
            added_mass: DVec3::splat(BALL_ADDED),
            viscous: [0.0; 2],
        }
    }
}

impl Exposure {
    /// That of its colliders.
    pub fn new() -> Self {
        Exposure::default()
    }

    /// Neither water nor wind act on it.
    pub fn none() -> Self {
        Exposure { form: Form::Nothing, ..Exposure::default() }
    }

    /// An area that every flow sees, m^2, and no volume.
    pub fn area(area: f64) -> Self {
        Exposure { form: Form::Areas, areas: Some(DVec3::splat(area)), ..Exposure::default() }
    }

    /// A ball of this radius about its centre, m.
    pub fn ball(radius: f64) -> Self {
        Exposure { form: Form::Ball { radius }, ..Exposure::default() }
    }

    /// A piece of cable, of a diameter and a length (m), that a particle stands for: its volume, and diameter times length as area.
    pub fn strand(diameter: f64, length: f64) -> Self {
        let volume = 0.125 * TAU * diameter * diameter * length;
        let radius = libm::cbrt(1.5 * volume / TAU);
        let areas = Some(DVec3::splat(diameter * length));
        // A cylinder across the flow takes all of its own volume along.
        Exposure { form: Form::Ball { radius }, drag: STRAND, areas, added_mass: DVec3::ONE, viscous: [0.0; 2] }
    }

    /// Sets the drag coefficient, no unit.
    pub fn drag(mut self, drag: f64) -> Self {
        self.drag = drag;
        self
    }

    /// Sets the areas that a flow along its own axes sees, m^2.
    pub fn areas(mut self, areas: DVec3) -> Self {
        self.areas = Some(areas);
        self
    }

    /// Sets the mass of water that it takes along, in parts of what it displaces, in every direction.
    pub fn added_mass(mut self, share: f64) -> Self {
        self.added_mass = DVec3::splat(share);
        self
    }

    /// Sets the resistance of water in proportion to the velocity, N s/m, and to the angular velocity, N m s/rad.
    pub fn viscous(mut self, linear: f64, angular: f64) -> Self {
        self.viscous = [linear, angular];
        self
    }

    pub(crate) fn validate(&self) -> Result<()> {
        non_negative("drag coefficient", self.drag, "")?;
        for (name, v, unit) in [("exposed areas", self.areas, "m^2"), ("added mass", Some(self.added_mass), "")] {
            let Some(v) = v else { continue };
            finite_vec(name, v, unit)?;
            if v.min_element() < 0.0 {
                return Err(Error::input(name, v, "no negative number"));
            }
        }
        non_negative("viscous resistance", self.viscous[0], "N s/m")?;
        non_negative("viscous resistance to turning", self.viscous[1], "N m s/rad")?;
        match self.form {
            Form::Colliders | Form::Nothing => {}
            Form::Ball { radius } => drop(positive("radius of the exposed ball", radius, "m")?),
            Form::Prism { bottom, height, area, moments } => {
                finite_vec("bottom of the hull", bottom, "m")?;
                positive("height of the hull", height, "m")?;
                positive("waterplane area", area, "m^2")?;
                non_negative("moment of the waterplane about x", moments[0], "m^4")?;
                non_negative("moment of the waterplane about z", moments[1], "m^4")?;
            }
            Form::Areas if self.areas.is_none() => {
                return Err(Error::input("exposed areas", "none", "three areas, m^2: the form has none of its own"));
            }
            Form::Areas => {}
        }
        Ok(())
    }
}

/// Water and wind of a world.
#[derive(Clone, Debug, Default)]
pub(crate) struct Field {
    pub water: Option<Water>,
    pub wind: Option<Wind>,
}

impl Field {
    /// Whether there is any.
    pub fn is_on(&self) -> bool {
        self.water.is_some() || self.wind.is_some()
    }

    /// Whether it changes with time: nothing can sleep in it.
    pub fn is_unsteady(&self) -> bool {
        self.water.as_ref().is_some_and(|w| !w.waves.is_empty()) || self.wind.is_some_and(|w| w.gusts != Gusts::None)
    }
}

/// Water at a place.
///
/// ```
/// use taut::field::{Surface, Water};
/// use taut::{Vec3, World};
/// let mut world = World::new();
/// world.set_water(Some(Water::still(0.0)))?;
/// let below: Surface = world.water_at(-3.0 * Vec3::Y).unwrap();
/// assert_eq!((below.depth, below.normal, below.velocity), (3.0, Vec3::Y, Vec3::ZERO));
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// Height of the surface above or below the place, m, positive above.
    pub depth: f64,
    /// Unit normal of the surface.
    pub normal: DVec3,
    /// Velocity of the water at the place, m/s.
    pub velocity: DVec3,
    /// Its acceleration there, m/s^2.
    pub acceleration: DVec3,
    /// How fast the surface rises above the place, m/s.
    pub rise: f64,
}

impl Water {
    /// The water at a place (m) and time (s) under a gravity (m/s^2). Without gravity there are no waves.
    pub fn at(&self, place: DVec3, time: f64, gravity: DVec3) -> Surface {
        let g = gravity.length();
        let up = if g > 0.0 { -gravity / g } else { DVec3::Y };
        let still = self.level - up.dot(place);
        let (velocity, acceleration) = (self.current, DVec3::ZERO);
        let mut s = Surface { depth: still, normal: up, velocity, acceleration, rise: 0.0 };
        if self.waves.is_empty() || g == 0.0 {
            return s;
        }
        let wave = |w: &Wave| {
            let level = w.direction - up.dot(w.direction) * up;
            let d = level.try_normalize()?;
            let omega = TAU / w.period;
            let k = omega * omega / g;
            let angle = k * d.dot(place) - omega * time + w.phase;
            Some((0.5 * w.height, omega, k, d, libm::sin(angle), libm::cos(angle)))
        };
        let mut slope = DVec3::ZERO;
        for (a, omega, k, d, sin, cos) in self.waves.iter().filter_map(wave) {
            s.depth += a * cos;
            s.rise += a * omega * sin;
            slope -= a * k * sin * d;
        }
        s.normal = (up - slope).normalize();
        for (a, omega, k, d, sin, cos) in self.waves.iter().filter_map(wave) {
            let fades = libm::exp(-k * s.depth.max(0.0));
            s.velocity += a * omega * fades * (cos * d + sin * up);
            s.acceleration += a * omega * omega * fades * (sin * d - cos * up);
        }
        s
    }
}
