//! Water and wind of a world, and what they see of its bodies.

use super::World;
use crate::error::{Error, Result};
use crate::force::around::{Moving, Weather};
use crate::ids::BodyId;
use crate::model::field::{Exposure, Surface, Water, Wind};
use crate::model::{BodyEntry, Motion, body};
use crate::options::Stabiliser;
use glam::{DMat3, DVec3};

/// A body in water and wind, now.
///
/// A box of 1 m^3 and 600 kg at rest, 0.6 m deep, displaces what it weighs.
/// ```
/// use taut::prelude::*;
/// use taut::field::Water;
/// let mut world = World::new();
/// world.set_water(Some(Water::still(0.0)))?;
/// let crate_ = world.add(Body::solid(Shape::cuboid(Vec3::splat(0.5)), 600.0)?.at(-0.1 * Vec3::Y))?;
/// let afloat = world.afloat(crate_)?;
/// assert!((afloat.volume - 0.6).abs() < 1e-12);
/// assert!((afloat.buoyancy - 600.0 * 9.81 * Vec3::Y).length() < 1e-9 && afloat.drag == Vec3::ZERO);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Afloat {
    /// Immersed volume, m^3.
    pub volume: f64,
    /// Buoyancy, with what accelerated water does, N.
    pub buoyancy: DVec3,
    /// Torque of it about the centre of mass, N m.
    pub righting: DVec3,
    /// Drag of water and wind, N.
    pub drag: DVec3,
}

impl World {
    /// Fills the world with water up to a level, or takes it away. All bodies wake.
    pub fn set_water(&mut self, water: Option<Water>) -> Result<()> {
        if let Some(w) = &water {
            w.validate()?;
            self.takes_field("water")?;
        }
        self.wake_all();
        self.model.field.water = water;
        Ok(())
    }

    /// The water, if there is any.
    pub fn water(&self) -> Option<&Water> {
        self.model.field.water.as_ref()
    }

    /// Lets a wind blow, or stops it. All bodies wake.
    pub fn set_wind(&mut self, wind: Option<Wind>) -> Result<()> {
        if let Some(w) = &wind {
            w.validate()?;
            self.takes_field("wind")?;
        }
        self.wake_all();
        self.model.field.wind = wind;
        Ok(())
    }

    /// The wind, if there is one.
    pub fn wind(&self) -> Option<&Wind> {
        self.model.field.wind.as_ref()
    }

    /// Which settings can do without.
    pub(super) fn takes_field(&self, what: &str) -> Result<()> {
        if self.options.stabiliser == Stabiliser::LowRank {
            let expected = "another one: its inverse knows no blocks of water and wind";
            return Err(Error::input(format!("stabiliser with {what}"), "low-rank", expected));
        }
        if self.plan.alone {
            let expected = "one that steps in the coordinates of the bodies";
            return Err(Error::input(format!("solver with {what}"), self.options.solver.name(), expected));
        }
        Ok(())
    }

    /// The water at a place (m), now; none where there is none.
    pub fn water_at(&self, place: DVec3) -> Option<Surface> {
        self.model.field.water.as_ref().map(|w| w.at(place, self.state.time, self.options.gravity))
    }

    /// Velocity of the wind now, m/s; zero without one.
    pub fn wind_now(&self) -> DVec3 {
        self.model.field.wind.map_or(DVec3::ZERO, |w| w.at(self.state.time))
    }

    /// Says what water and wind see of a body.
    pub fn set_exposure(&mut self, id: BodyId, exposure: Exposure) -> Result<()> {
        self.model.body(id)?;
        exposure.validate()?;
        self.wake_around(id);
        if let Some(b) = self.model.bodies.get_mut(id.0) {
            b.exposure = exposure;
        }
        Ok(())
    }

    /// How fast a body can go, m/s, and turn, rad/s; infinite where nothing holds it.
    pub fn set_top_speed(&mut self, id: BodyId, linear: f64, angular: f64) -> Result<()> {
        body::top_speed([linear, angular])?;
        let b = self.model.body(id)?;
        check_top_speed(b.motion, [linear, angular])?;
        self.wake_around(id);
        if let Some(b) = self.model.bodies.get_mut(id.0) {
            b.top_speed = [linear, angular];
        }
        self.renumbered();
        Ok(())
    }

    /// Solvers of reduced coordinates alone know no top speed.
    pub(super) fn refuse_top_speeds(&self) -> Result<()> {
        let bounded = |b: &BodyEntry| b.top_speed.iter().any(|m| m.is_finite());
        let Some((k, _)) = self.model.bodies.iter().find(|(_, b)| bounded(b)) else { return Ok(()) };
        let expected = "one that knows bounded rows, such as the default";
        let name = format!("solver with a top speed of {}", self.model.body_name(k.slot as usize));
        Err(Error::input(name, self.options.solver.name(), expected))
    }

    /// What water and wind do to a body at its pose, velocity and time; nothing to one that does not move freely.
    pub fn afloat(&self, id: BodyId) -> Result<Afloat> {
        let body = self.model.body(id)?;
        if !self.model.field.is_on() || !body.is_node() {
            return Ok(Afloat::default());
        }
        let s = &self.state.bodies[id.0.slot as usize];
        let dim = if body.motion == Motion::Particle { 3 } else { 6 };
        let at = Moving { pos: s.pos, rot: DMat3::from_quat(s.rot), vel: s.vel, omega: s.omega, dim };
        let weather = Weather::at(&self.model.field, self.options.gravity, self.state.time);
        let a = crate::desk::around::Around::of(&weather, &self.model, body, &at);
        let v = [s.vel.x, s.vel.y, s.vel.z, s.omega.x, s.omega.y, s.omega.z];
        let drag = |r: usize| a.slow[r] - (0..dim).map(|c| a.drag[r * dim + c] * v[c]).sum::<f64>();
        Ok(Afloat {
            volume: a.volume,
            buoyancy: DVec3::new(a.lift[0], a.lift[1], a.lift[2]),
            righting: DVec3::new(a.lift[3], a.lift[4], a.lift[5]),
            drag: DVec3::new(drag(0), drag(1), drag(2)),
        })
    }
}

/// Refuses a top speed of what cannot have one.
pub(super) fn check_top_speed(motion: Motion, most: [f64; 2]) -> Result<()> {
    if motion == Motion::Particle && most[1].is_finite() {
        return Err(Error::input("top angular speed", most[1], "infinite: a particle does not rotate"));
    }
    if !matches!(motion, Motion::Dynamic | Motion::Particle) && most.iter().any(|m| m.is_finite()) {
        return Err(Error::input("top speed", format!("{most:?}"), "infinite: the body does not move freely"));
    }
    Ok(())
}
