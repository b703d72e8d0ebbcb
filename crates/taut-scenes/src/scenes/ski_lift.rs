//! A ski lift: cars on an endless rope between a drive wheel at the top and a return wheel at the bottom, whose carriage a counterweight pulls.
//!
//! From the specification of running cables: wheels of 2.5 m, 800 m of rope, counterweight 20 t, 20 cars of 500 kg, 2.5 m/s. Chosen here: a
//! slope of 20 degrees; rope of 40 mm; passengers of 400 kg in the cars that start on the way up, so that there is something to lift; wheels
//! upright in the plane of the line. There the weight of the cars bends the rope within the planes of the wheels and its fleet angle is
//! zero; on wheels that lie in the slope it would come down on them by a quarter of a radian, and real lifts have towers for that.
//!
//! It starts at rest as it hangs: the rope is a chain of straight pieces from car to car, whose force grows by the weight of each.

use super::parts::G;
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Drive, Scene, SceneInfo};
use taut::{
    Body, BodyId, Command, Error, Hinge, MassProperties, Motor, Prismatic, Reeving, Result, Rope, RopeId, Sheave, Vec3,
    World,
};

/// Radius of the wheels, m; mass of each and of the carriage, kg.
const R: f64 = 2.5;
const WHEEL: f64 = 1000.0;
const CARRIAGE: f64 = 2000.0;
/// From the grip to the centre of mass of a car, m.
const HANGER: f64 = 1.5;
/// Acceleration of the rope, m/s^2.
const SPEEDS_UP: f64 = 0.15;

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "ski-lift",
        summary: "cars on an endless rope pass the wheels at both ends of a slope",
        source: "made for Taut",
        parameters: vec![
            Parameter::count("cars", 20, (2, 60), "half of them on each side"),
            Parameter::number("car", "kg", 500.0, (1.0, 5000.0), "mass of an empty car"),
            Parameter::number("load", "kg", 400.0, (0.0, 5000.0), "passengers in each car that starts on the way up"),
            Parameter::number("counterweight", "kg", 20000.0, (100.0, 1e6), "pulls the carriage of the return wheel"),
            Parameter::number("rope", "m", 800.0, (100.0, 3000.0), "length of the rope"),
            Parameter::number("diameter", "m", 0.04, (0.0, 0.2), "of the steel wire rope; 0: it does not stretch"),
            Parameter::number("slope", "deg", 20.0, (0.0, 60.0), "of the line"),
            Parameter::number("speed", "m/s", 2.5, (-10.0, 10.0), "of the rope, up on the upper side"),
        ],
        dt: 1.0 / 60.0,
        time: 60.0,
        build,
    }
}

/// One side of the lift as it hangs, from the return wheel up.
struct Strand {
    /// Where it leaves the return wheel, with its cars, and where it meets the drive wheel, m.
    points: Vec<Vec3>,
    /// Tension of each piece, N.
    tensions: Vec<f64>,
    /// Direction in which it leaves the return wheel, rad from the level.
    angle: f64,
}

/// What the line is made of.
struct Line {
    slope: f64,
    /// Distance of the wheels, m.
    span: f64,
    /// Between cars along the rope, m.
    spacing: f64,
    /// Weight of a car on the way up and on the way down, N.
    weights: [f64; 2],
    /// Pull on the carriage along the slope, N.
    pull: f64,
    /// Cars on each side.
    count: usize,
}

fn unit(angle: f64) -> Vec3 {
    Vec3::new(libm::cos(angle), libm::sin(angle), 0.0)
}

impl Line {
    fn top(&self) -> Vec3 {
        self.span * unit(self.slope)
    }

    /// A side with this tension at the return wheel, that leaves it in some direction, and by how much it misses the drive wheel, m. `side` is +1
    /// for the upper one.
    fn shot(&self, side: f64, tension: f64, angle: f64) -> (Strand, f64) {
        let weight = self.weights[usize::from(side < 0.0)];
        let mut force = tension * unit(angle);
        let mut at = side * R * Vec3::Z.cross(unit(angle));
        let mut strand = Strand { points: vec![at], tensions: vec![tension], angle };
        for k in 0..self.count {
            at += (if k == 0 { 0.5 } else { 1.0 }) * self.spacing * force.normalize();
            force += weight * Vec3::Y;
            strand.points.push(at);
            strand.tensions.push(force.length());
        }
        let across = Vec3::Z.cross(force.normalize());
        strand.points.push(self.top() + side * R * across);
        (strand, across.dot(at - self.top()) - side * R)
    }

    /// A side that meets the drive wheel.
    fn strand(&self, side: f64, tension: f64) -> Strand {
        let (mut low, mut high) = (self.slope - 1.2, self.slope + 0.2);
        for _ in 0..80 {
            let middle = 0.5 * (low + high);
            if self.shot(side, tension, middle).1 < 0.0 { low = middle } else { high = middle }
        }
        self.shot(side, tension, 0.5 * (low + high)).0
    }

    /// Both sides, upper and lower, in balance with the carriage; and their length with the wraps, m.
    fn hang(&self) -> ([Strand; 2], f64) {
        let mut tension = 0.5 * self.pull;
        let mut sides = [self.strand(1.0, tension), self.strand(-1.0, tension)];
        for _ in 0..30 {
            let along: f64 = sides.iter().map(|s| libm::cos(s.angle - self.slope)).sum();
            tension = self.pull / along;
            sides = [self.strand(1.0, tension), self.strand(-1.0, tension)];
        }
        let straight = |s: &Strand| s.points.windows(2).map(|p| p[0].distance(p[1])).sum::<f64>();
        let leaves = |s: &Strand| {
            let n = s.points.len();
            let d = s.points[n - 1] - s.points[n - 2];
            libm::atan2(d.y, d.x)
        };
        let pi = std::f64::consts::PI;
        let below = pi - sides[0].angle + sides[1].angle;
        let above = pi + leaves(&sides[0]) - leaves(&sides[1]);
        let length = straight(&sides[0]) + straight(&sides[1]) + R * (below + above);
        (sides, length)
    }

    /// The line with wheels so far apart that the rope has a length, m.
    fn fitted(mut self, length: f64) -> Result<(Line, [Strand; 2])> {
        for _ in 0..60 {
            let (sides, is) = self.hang();
            if !((is - length).abs() > 1e-9 * length) {
                return Ok((self, sides));
            }
            self.span += 0.5 * (length - is);
            self.spacing = (self.span / self.count as f64).max(0.0);
        }
        let given = format!("{} cars on {length} m of rope", 2 * self.count);
        Err(Error::input(
            "load of the lift",
            given,
            "a counterweight that holds them off the ground: more of it, or fewer cars",
        ))
    }
}

fn build(p: &Parameters) -> Result<Scene> {
    let count = p.count("cars").div_ceil(2);
    let (slope, rope) = (p.number("slope").to_radians(), p.number("rope"));
    let masses = [p.number("car") + p.number("load"), p.number("car")];
    let pull = G * (p.number("counterweight") + (CARRIAGE + WHEEL) * libm::sin(slope));
    let span = 0.5 * rope - std::f64::consts::PI * R;
    let line = Line { slope, span, spacing: span / count as f64, weights: masses.map(|m| G * m), pull, count };
    let (line, sides) = line.fitted(rope)?;
    let mut world = World::new();
    let ground = world.ground();
    let along = unit(slope);
    let carriage = MassProperties::cuboid(500.0, Vec3::new(2.0, 0.3, 1.0))?.with_mass(CARRIAGE)?;
    let carriage = world.add(Body::dynamic(carriage).named("carriage"))?;
    world.add(Prismatic::between(carriage, ground).axis(along).named("rails"))?;
    let wheel = |world: &mut World, on: BodyId, at: Vec3, name: &str| {
        // The same about all axes, as a winch has it: it does not matter how it is turned.
        let mass = MassProperties::from_diagonal(WHEEL, Vec3::splat(0.5 * WHEEL * R * R))?;
        let rotor = world.add(Body::dynamic(mass).at(at).named(name))?;
        let axle = Hinge::between(rotor, on).at(at).axis(Vec3::Z);
        let motor = Motor::rate().speed(0.0).named("drive");
        let axle = if on == ground { axle.motor(motor) } else { axle };
        Ok::<_, Error>((
            world.add(axle.named(format!("axle of the {name}")))?,
            Sheave::on(rotor, at, Vec3::Z, R).no_slip(),
        ))
    };
    let (_, bottom) = wheel(&mut world, carriage, Vec3::ZERO, "return wheel")?;
    let (axle, top) = wheel(&mut world, ground, line.top(), "drive wheel")?;
    hang_counterweight(&mut world, carriage, slope, p.number("counterweight"))?;
    // From the drive wheel down, round the return wheel, and up again.
    let mut way = Rope::endless().round(top.against());
    let mut cars = Vec::new();
    let mut car = |world: &mut World, way: Reeving, at: Vec3, mass: f64| {
        let number = cars.len() + 1;
        let body = MassProperties::cuboid(200.0, Vec3::new(0.9, 1.1, 0.9))?.with_mass(mass)?;
        let body = Body::dynamic(body).at(at - HANGER * Vec3::Y).damped(0.0, SWING).named(format!("car {number}"));
        let body = world.add(body)?;
        cars.push(body);
        Ok::<_, Error>(way.grip(body, at))
    };
    let inner = |s: &Strand| s.points[1..s.points.len() - 1].to_vec();
    for at in inner(&sides[1]).into_iter().rev() {
        way = car(&mut world, way, at, masses[1])?;
    }
    way = way.round(bottom.against());
    for at in inner(&sides[0]) {
        way = car(&mut world, way, at, masses[0])?;
    }
    let tensions: Vec<f64> = sides[1].tensions.iter().rev().chain(&sides[0].tensions).copied().collect();
    add_rope(&mut world, way.named("rope"), p.number("diameter"), &tensions)?;
    let speed = p.number("speed");
    let drive = Drive::new(move |world, h| {
        let at = (SPEEDS_UP * (world.time() + h)).min(speed.abs());
        world.set_motor(axle, Command::rate(-speed.signum() * at / R))
    });
    let follow = cars[cars.len() - 1];
    let energy_scale = G * masses[0] * count as f64 * rope * libm::sin(slope).max(0.1);
    Ok(Scene { world, length: rope, energy_scale, follow, window: 1.0, edges: Vec::new(), drive: Some(drive) })
}

/// Damping of the swinging of cars by their hangers, and of the counterweight by its guides, 1/s.
const SWING: f64 = 0.3;
const CALMS: f64 = 1.0;

/// The counterweight on its rope from the carriage down the slope and over a sheave.
fn hang_counterweight(world: &mut World, carriage: BodyId, slope: f64, mass: f64) -> Result<()> {
    let (radius, away, deep) = (1.0, 12.0, 10.0);
    let across = Vec3::Z.cross(unit(slope));
    let centre = -away * unit(slope) - radius * across;
    let hook = Vec3::new(centre.x - radius, centre.y - deep, 0.0);
    let side = libm::cbrt(mass / 7850.0);
    let weight = MassProperties::cuboid(7850.0, Vec3::splat(0.5 * side))?.with_mass(mass)?;
    let weight =
        world.add(Body::dynamic(weight).at(hook - 0.5 * side * Vec3::Y).damped(CALMS, 0.0).named("counterweight"))?;
    let sheave = Sheave::on(world.ground(), centre, Vec3::Z, radius);
    world.add(Rope::from(carriage, Vec3::ZERO).round(sheave.about()).to(weight, hook).named("tension rope"))?;
    Ok(())
}

/// Adds the rope; one that stretches has been stretched by the tensions of its spans, N, so that all begins at rest.
fn add_rope(world: &mut World, rope: Reeving, diameter: f64, tensions: &[f64]) -> Result<RopeId> {
    if diameter <= 0.0 {
        return world.add(rope);
    }
    let rope = rope.diameter(diameter);
    let new = world.add(rope.clone())?;
    let view = world.rope(new)?;
    let (mut memory, lengths) = (view.memory(), view.lengths().collect::<Vec<f64>>());
    let ea = view.stiffness().unwrap_or(f64::INFINITY);
    for ((span, length), tension) in memory.spans.iter_mut().zip(lengths).zip(tensions) {
        let less = tension / (ea + tension) * length;
        (span.material, span.reach, span.tension) = (span.material - less, span.reach - less, *tension);
    }
    world.remove(new)?;
    world.add(rope.remembering(memory))
}
