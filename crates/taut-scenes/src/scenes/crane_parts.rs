//! The crane of Andrews 2017 Fig. 1 and 11: an articulated boom of 100,000 kg with luffing cylinders, a cable of 0.2 kg links, a
//! vehicle of 15,000 kg.
//!
//! From the paper: boom 100,000 kg, linkage of hinges, vehicle 15,000 kg, cable segments 0.2 kg, axial stiffness 1e10. Chosen here:
//! the boom is a main boom of 24 m and 65 t and a jib of 12 m and 35 t, 1.6 m and 1.2 m square, hinged 3 m above the ground; a
//! luffing cylinder (barrel 500 kg, rod 300 kg, hinged at either end, prismatic between) from the ground to the main boom and
//! another from the main boom to the jib, which makes two closed loops; the vehicle is a box of 6 x 3 x 2.5 m hooked at its roof;
//! bending and torsional stiffness 10 N m/rad. Cylinders are springs and dampers, 3e8 N/m and 3e6 N s/m: the boom on them swings
//! at about 1.5 Hz with a tenth of critical damping.

use super::parts::{G, bar, bow, cable, pointing, square_bar};
use crate::parameters::{Parameter, Parameters};
use crate::random::Random;
use crate::scene::Scene;
use taut::{
    Ball, Body, BodyId, Cable, Hinge, MassProperties, Prismatic, Result, Rope, Sheave, Spring, Vec3, Winch, World,
};

const MAIN: (f64, f64, f64) = (24.0, 0.65, 1.6);
const JIB: (f64, f64, f64) = (12.0, 0.35, 1.2);
const BARREL: f64 = 500.0;
const ROD: f64 = 300.0;
/// The vehicle: length, height, width, m.
const VEHICLE: Vec3 = Vec3::new(6.0, 2.5, 3.0);

/// Parameters of the crane and its cable.
pub(super) fn parameters(slack: f64, angle: f64) -> Vec<Parameter> {
    vec![
        Parameter::number("boom", "kg", 1e5, (1.0, 1e9), "mass of the boom: main boom and jib"),
        Parameter::number("vehicle", "kg", 1.5e4, (1e-3, 1e9), "mass of the vehicle"),
        Parameter::count("segments", 40, (1, 100_000), "segments of the cable"),
        Parameter::number("segment_mass", "kg", 0.2, (1e-9, 1e6), "mass of a segment"),
        Parameter::number("segment_length", "m", 0.4, (1e-2, 1e3), "length of a segment"),
        Parameter::number("axial", "N/m", 1e10, (1.0, 1e18), "axial stiffness of a cable joint"),
        Parameter::number("bending", "N m/rad", 10.0, (1e-9, 1e12), "bending and torsional stiffness of a cable joint"),
        Parameter::number("slack", "", slack, (0.0, 0.9), "slack of the cable at the start, as a part of its length"),
        Parameter::number("angle", "deg", angle, (0.0, 120.0), "direction of the vehicle from the tip, from hanging"),
        Parameter::number("luffing", "N/m", 3e8, (1e3, 1e15), "stiffness of a cylinder"),
        Parameter::number("luffing_damping", "N s/m", 3e6, (0.0, 1e12), "damping of a cylinder"),
        Parameter::count(
            "reeving",
            0,
            (0, 12),
            "parts of a rope over sheaves in place of the cable, even; 0: the cable",
        ),
        Parameter::number("kick", "rad/s", 1e-3, (0.0, 10.0), "random angular velocity of the segments at the start"),
    ]
}

/// How the boom stands and whether its foot cylinder holds it.
pub(super) struct Stance {
    /// Elevation of main boom and jib, degrees.
    pub elevation: [f64; 2],
    /// Whether the cylinder at the foot holds; else it slides freely.
    pub held: bool,
}

/// Bodies of the linkage.
struct Boom {
    tip: Vec3,
    main: BodyId,
    jib: BodyId,
}

/// The block that the hoist rope runs through: mass, kg, and radius of its sheaves, m.
const BLOCK: (f64, f64) = (200.0, 0.3);

/// The vehicle on a rope of several parts, from a winch at the foot of the boom over the tip and through a block.
fn reeved(mut world: World, p: &Parameters, boom: &Boom, along: Vec3, length: f64) -> Result<Scene> {
    let (parts, r) = (p.count("reeving"), BLOCK.1);
    if !parts.is_multiple_of(2) {
        return Err(taut::Error::input("reeving", parts, "an even number of parts"));
    }
    let hook = boom.tip + (1.0 - p.number("slack")) * length * along;
    let block = MassProperties::cuboid(100.0, Vec3::new(0.3, 0.4, 0.2))?.with_mass(BLOCK.0)?;
    let block = world.add(Body::dynamic(block).at(hook - 0.3 * Vec3::Y).named("block"))?;
    let mass = MassProperties::cuboid(100.0, 0.5 * VEHICLE)?.with_mass(p.number("vehicle"))?;
    let roof = hook - Vec3::Y;
    let vehicle = world.add(Body::dynamic(mass).at(roof - 0.5 * VEHICLE.y * Vec3::Y).named("vehicle"))?;
    world.add(Ball::between(vehicle, block).at(roof))?;
    let foot = world.body(boom.main)?.position();
    let winch = world.add(Winch::on(boom.main, foot + 1.5 * Vec3::Y, Vec3::Z, 0.4).inertia(40.0).named("hoist"))?;
    let mut rope = Rope::from_drum(world.drum(winch)?.against());
    for _ in 0..parts / 2 {
        rope = rope.round(Sheave::on(boom.jib, boom.tip, Vec3::Z, r).against());
        rope = rope.round(Sheave::on(block, hook, Vec3::Z, r).against());
    }
    let slack = parts as f64 * p.number("slack") * length;
    world.add(rope.to(boom.jib, boom.tip - r * Vec3::X).slack(slack).named("hoist rope"))?;
    let scale = G * p.number("vehicle") * length;
    Ok(Scene { world, length, energy_scale: scale, follow: vehicle, window: 5.0, edges: Vec::new(), drive: None })
}

/// The crane with its load.
pub(super) fn build(p: &Parameters, stance: &Stance) -> Result<Scene> {
    let mut world = World::new();
    let boom = boom(&mut world, p, stance)?;
    let (n, l) = (p.count("segments"), p.number("segment_length"));
    let length = n as f64 * l;
    let a = p.number("angle").to_radians();
    let along = Vec3::new(libm::sin(a), -libm::cos(a), 0.0);
    // A bow that sags: its side is the one that looks down.
    let side = Vec3::new(-libm::cos(a), -libm::sin(a), 0.0);
    if p.count("reeving") > 0 {
        return reeved(world, p, &boom, along, length);
    }
    let points = bow(boom.tip, along, side, n, l, p.number("slack") * length);
    let joint = Cable::from_stiffness(p.number("axial"), p.number("bending"), p.number("bending"))?;
    let mut random = Random::new(2);
    let size = (p.number("segment_mass"), 0.02);
    let links = cable(&mut world, &points, size, joint, (p.number("kick"), &mut random))?;
    let (first, last) = (links[0], links[links.len() - 1]);
    world.add(Ball::between(first, boom.jib).at(boom.tip))?;
    let hook = points[points.len() - 1];
    let mass = MassProperties::cuboid(100.0, 0.5 * VEHICLE)?.with_mass(p.number("vehicle"))?;
    let vehicle = world.add(Body::dynamic(mass).at(hook - 0.5 * VEHICLE.y * Vec3::Y).named("vehicle"))?;
    world.add(Ball::between(vehicle, last).at(hook))?;
    let scale = G * (p.number("vehicle") * length + if stance.held { 0.0 } else { p.number("boom") * MAIN.0 });
    Ok(Scene { world, length, energy_scale: scale, follow: vehicle, window: 5.0, edges: Vec::new(), drive: None })
}

fn boom(world: &mut World, p: &Parameters, stance: &Stance) -> Result<Boom> {
    let [main_dir, jib_dir] =
        stance.elevation.map(|e| Vec3::new(libm::cos(e.to_radians()), libm::sin(e.to_radians()), 0.0));
    let foot = Vec3::new(0.0, 3.0, 0.0);
    let knee = foot + MAIN.0 * main_dir;
    let tip = knee + JIB.0 * jib_dir;
    let main = member(world, foot, main_dir, MAIN, p.number("boom"), "main boom")?;
    let jib = member(world, knee, jib_dir, JIB, p.number("boom"), "jib")?;
    let ground = world.ground();
    world.add(Hinge::between(main, ground).at(foot).axis(Vec3::Z))?;
    world.add(Hinge::between(jib, main).at(knee).axis(Vec3::Z))?;
    // Foot cylinder: from the ground in front of the foot to 9 m up the main boom; elbow cylinder: 6 m before to 3 m past the knee.
    let ends = [(Vec3::new(4.0, 0.0, 0.0), foot + 9.0 * main_dir), (knee - 6.0 * main_dir, knee + 3.0 * jib_dir)];
    cylinder(world, p, (ground, main), ends[0], stance.held)?;
    cylinder(world, p, (main, jib), ends[1], true)?;
    Ok(Boom { tip, main, jib })
}

fn member(
    world: &mut World,
    from: Vec3,
    along: Vec3,
    (length, share, side): (f64, f64, f64),
    boom: f64,
    name: &str,
) -> Result<BodyId> {
    let mass = square_bar(share * boom, length, side)?;
    world.add(Body::dynamic(mass).at(from + 0.5 * length * along).rotated(pointing(along)).named(name))
}

/// Barrel and rod between a point of one body and a point of another; a spring along them when it holds.
fn cylinder(
    world: &mut World,
    p: &Parameters,
    (lower, upper): (BodyId, BodyId),
    (from, to): (Vec3, Vec3),
    held: bool,
) -> Result<()> {
    let (d, middle) = (to - from, 0.5 * (from + to));
    let barrel = bar(world, from, middle, BARREL, 0.3, "barrel".into())?;
    let rod = bar(world, middle, to, ROD, 0.15, "rod".into())?;
    world.add(Hinge::between(barrel, lower).at(from).axis(Vec3::Z))?;
    world.add(Hinge::between(rod, upper).at(to).axis(Vec3::Z))?;
    world.add(Prismatic::between(rod, barrel).at(middle).axis(d))?;
    if held {
        let reach = 0.25 * d.length() * Vec3::Y;
        world.add(Spring {
            i: barrel,
            j: rod,
            point_i: reach,
            point_j: -reach,
            stiffness: p.number("luffing"),
            damping: p.number("luffing_damping"),
            rest_length: d.length(),
        })?;
    }
    Ok(())
}
