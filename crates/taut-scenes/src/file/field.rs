//! Water and wind of a scene file, and what they see of a body.

use super::error::{At, FileError, Path};
use super::quantity::*;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use taut::field::{self, Exposure as Engine, Form, Gusts};
use taut::{Vec3, World};

/// Water up to a level.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Water {
    /// Height of the still surface, against gravity from the origin, m. Default: 0.
    #[serde(default)]
    pub level: Number<Metre>,
    /// Density, kg/m^3. Default: 1000.
    #[serde(default)]
    pub density: Option<Number<KilogramPerMetre3>>,
    /// Velocity of all of it, m/s. Default: 0.
    #[serde(default)]
    pub current: Option<Triple<MetrePerSecond>>,
    /// Waves, one on top of the other. Default: none, still water.
    #[serde(default)]
    pub waves: Vec<Wave>,
}

/// A wave on deep water.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Wave {
    /// From trough to crest, m.
    pub height: Number<Metre>,
    /// Period, s.
    pub period: Number<Second>,
    /// Where it runs, direction in the world of any length but zero; what of it points up is left out.
    pub direction: Triple<One>,
    /// Phase at the origin and the start, rad; at 0 there is a crest. Default: 0.
    #[serde(default)]
    pub phase: Option<Number<Radian>>,
}

/// Wind above the water.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Wind {
    /// Mean velocity, m/s. Default: 0.
    #[serde(default)]
    pub velocity: Triple<MetrePerSecond>,
    /// Density of the air, kg/m^3. Default: 1.225.
    #[serde(default)]
    pub density: Option<Number<KilogramPerMetre3>>,
    /// How its speed changes. Default: not at all.
    #[serde(default)]
    pub gusts: Option<Gust>,
}

/// Gusts: a sine of an `amplitude`, or turbulence of a `deviation`.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Gust {
    /// Amplitude of a sine, m/s.
    #[serde(default)]
    pub amplitude: Option<Number<MetrePerSecond>>,
    /// Standard deviation of a turbulent wind, m/s; instead of the amplitude.
    #[serde(default)]
    pub deviation: Option<Number<MetrePerSecond>>,
    /// Period of the sine, or the time over which turbulence remembers, s.
    pub period: Number<Second>,
    /// A whole number that turbulence follows from. Default: 0.
    #[serde(default)]
    pub seed: Option<u64>,
}

/// What water and wind see of a body.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Exposure {
    /// What it displaces. Default: its colliders.
    #[serde(default)]
    pub displaces: Option<Displaces>,
    /// Radius, of a ball, m.
    #[serde(default)]
    pub radius: Option<Number<Metre>>,
    /// The middle of its bottom, of a hull, own coordinates with y up, m.
    #[serde(default)]
    pub bottom: Option<Triple<Metre>>,
    /// From bottom to deck, of a hull, m.
    #[serde(default)]
    pub depth: Option<Number<Metre>>,
    /// Area of the waterplane, of a hull, m^2.
    #[serde(default)]
    pub waterplane: Option<Number<Metre2>>,
    /// Second moments of the waterplane about the own x and z axis, of a hull, m^4.
    #[serde(default)]
    pub moments: Option<[f64; 2]>,
    /// Drag coefficient, no unit. Default: 1.
    #[serde(default)]
    pub drag: Option<Number<One>>,
    /// Areas that a flow along the own x, y and z axis sees, m^2. Default: those of what it displaces.
    #[serde(default)]
    pub areas: Option<Triple<Metre2>>,
    /// Mass of the water that it takes along in its own x, y and z direction, in parts of the water that it displaces. Default: 0.5 each.
    #[serde(default)]
    pub added_mass: Option<Triple<One>>,
    /// Resistance of water in proportion to the velocity, N s/m. Default: 0.
    #[serde(default)]
    pub viscous: Option<Number<NewtonSecondPerMetre>>,
    /// The same to the angular velocity, N m s/rad. Default: 0.
    #[serde(default)]
    pub viscous_turn: Option<Number<NewtonMetreSecondPerRadian>>,
}

/// What a body displaces.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", schemars(inline))]
pub enum Displaces {
    /// Its solid colliders.
    #[default]
    Colliders,
    /// Nothing: neither water nor wind act on it.
    Nothing,
    /// A ball about its centre, with `radius`.
    Ball,
    /// An upright hull with the same waterplane at every draught, with `bottom`, `depth`, `waterplane` and `moments`.
    Hull,
    /// No volume: only `areas`.
    Areas,
}

impl Water {
    fn engine(&self) -> field::Water {
        let d = field::Water::still(self.level.value);
        let wave = |w: &Wave| field::Wave {
            height: w.height.value,
            period: w.period.value,
            direction: w.direction.value,
            phase: w.phase.map_or(0.0, |x| x.value),
        };
        field::Water {
            density: self.density.map_or(d.density, |x| x.value),
            current: self.current.map_or(Vec3::ZERO, |x| x.value),
            waves: self.waves.iter().map(wave).collect(),
            ..d
        }
    }

    fn saying(w: &field::Water) -> Self {
        let d = field::Water::still(w.level);
        let wave = |w: &field::Wave| Wave {
            height: w.height.into(),
            period: w.period.into(),
            direction: w.direction.into(),
            phase: (w.phase != 0.0).then(|| w.phase.into()),
        };
        Water {
            level: w.level.into(),
            density: (w.density != d.density).then(|| w.density.into()),
            current: (w.current != Vec3::ZERO).then(|| w.current.into()),
            waves: w.waves.iter().map(wave).collect(),
        }
    }
}

impl Wind {
    fn engine(&self, path: &Path) -> Result<field::Wind, FileError> {
        let d = field::Wind::steady(self.velocity.value);
        let gusts = self.gusts.map_or(Ok(Gusts::None), |g| g.engine(&path.key("gusts")))?;
        Ok(field::Wind { density: self.density.map_or(d.density, |x| x.value), gusts, ..d })
    }

    fn saying(w: &field::Wind) -> Self {
        let d = field::Wind::steady(w.velocity);
        let gusts = match w.gusts {
            Gusts::None => None,
            Gusts::Sine { amplitude, period } => {
                Some(Gust { amplitude: Some(amplitude.into()), deviation: None, period: period.into(), seed: None })
            }
            Gusts::Spectrum { deviation, period, seed } => Some(Gust {
                amplitude: None,
                deviation: Some(deviation.into()),
                period: period.into(),
                seed: (seed != 0).then_some(seed),
            }),
        };
        Wind { velocity: w.velocity.into(), density: (w.density != d.density).then(|| w.density.into()), gusts }
    }
}

impl Gust {
    fn engine(&self, path: &Path) -> Result<Gusts, FileError> {
        let period = self.period.value;
        match (self.amplitude, self.deviation) {
            (Some(a), None) => match self.seed {
                Some(seed) => {
                    Err(FileError::input(path.key("seed"), seed, "none with 'amplitude': a sine has no chance"))
                }
                None => Ok(Gusts::Sine { amplitude: a.value, period }),
            },
            (None, Some(d)) => Ok(Gusts::Spectrum { deviation: d.value, period, seed: self.seed.unwrap_or_default() }),
            _ => Err(FileError::new(path.clone(), "gusts: expected either 'amplitude' or 'deviation'")),
        }
    }
}

impl Exposure {
    pub(super) fn engine(&self, path: &Path) -> Result<Engine, FileError> {
        let d = Engine::default();
        let of = self.displaces.unwrap_or_default();
        let asked = [
            ("radius", self.radius.is_some(), Displaces::Ball),
            ("bottom", self.bottom.is_some(), Displaces::Hull),
            ("depth", self.depth.is_some(), Displaces::Hull),
            ("waterplane", self.waterplane.is_some(), Displaces::Hull),
            ("moments", self.moments.is_some(), Displaces::Hull),
        ];
        for (field, given, whose) in asked {
            // A hull may stand on the centre of mass.
            if given != (of == whose) && !(field == "bottom" && of == Displaces::Hull) {
                let (has, needs) = (format!("{field}: expected only"), format!("no {field}: expected one"));
                let word = if whose == Displaces::Ball { "ball" } else { "hull" };
                let (place, what) = if given { (path.key(field), has) } else { (path.clone(), needs) };
                return Err(FileError::new(place, format!("{what} with \"displaces\": \"{word}\"")));
            }
        }
        let value = |x: Option<f64>| x.unwrap_or_default();
        let form = match of {
            Displaces::Colliders => Form::Colliders,
            Displaces::Nothing => Form::Nothing,
            Displaces::Areas => Form::Areas,
            Displaces::Ball => Form::Ball { radius: value(self.radius.map(|x| x.value)) },
            Displaces::Hull => Form::Prism {
                bottom: self.bottom.map_or(Vec3::ZERO, |x| x.value),
                height: value(self.depth.map(|x| x.value)),
                area: value(self.waterplane.map(|x| x.value)),
                moments: self.moments.unwrap_or_default(),
            },
        };
        Ok(Engine {
            form,
            drag: self.drag.map_or(d.drag, |x| x.value),
            areas: self.areas.map(|x| x.value),
            added_mass: self.added_mass.map_or(d.added_mass, |x| x.value),
            viscous: [value(self.viscous.map(|x| x.value)), value(self.viscous_turn.map(|x| x.value))],
        })
    }

    /// None where it says what is so anyway.
    pub(super) fn saying(e: &Engine) -> Option<Self> {
        let d = Engine::default();
        if *e == d {
            return None;
        }
        let mut out = Exposure {
            drag: (e.drag != d.drag).then(|| e.drag.into()),
            areas: e.areas.map(Into::into),
            added_mass: (e.added_mass != d.added_mass).then(|| e.added_mass.into()),
            viscous: (e.viscous[0] != 0.0).then(|| e.viscous[0].into()),
            viscous_turn: (e.viscous[1] != 0.0).then(|| e.viscous[1].into()),
            ..Exposure::default()
        };
        match e.form {
            Form::Colliders => {}
            Form::Nothing => out.displaces = Some(Displaces::Nothing),
            Form::Areas => out.displaces = Some(Displaces::Areas),
            Form::Ball { radius } => (out.displaces, out.radius) = (Some(Displaces::Ball), Some(radius.into())),
            Form::Prism { bottom, height, area, moments } => {
                out.displaces = Some(Displaces::Hull);
                (out.bottom, out.depth) = (Some(bottom.into()), Some(height.into()));
                (out.waterplane, out.moments) = (Some(area.into()), Some(moments));
            }
        }
        Some(out)
    }
}

/// Fills the world with the water and the wind of a file.
pub(super) fn fill(water: Option<&Water>, wind: Option<&Wind>, world: &mut World) -> Result<(), FileError> {
    if let Some(w) = water {
        let path = Path::of("water");
        let fields = [("water level", "level"), ("water density", "density"), ("water current", "current")];
        world.set_water(Some(w.engine())).among(&path, &fields)?;
    }
    if let Some(w) = wind {
        let path = Path::of("wind");
        let fields = [("wind velocity", "velocity"), ("wind density", "density"), ("gust", "gusts")];
        world.set_wind(Some(w.engine(&path)?)).among(&path, &fields)?;
    }
    Ok(())
}

/// The water and the wind of a world.
pub(super) fn found(world: &World) -> (Option<Water>, Option<Wind>) {
    (world.water().map(Water::saying), world.wind().map(Wind::saying))
}
