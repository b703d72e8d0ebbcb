//! A guide wire is pushed through a bent tube, as catheters are.
//!
//! Chosen here: wire of 0.35 mm, 60 GPa, 6450 kg/m^3 (nitinol), 0.4 m of 80 rigid segments with cable joints; a tube of 3 mm radius, straight, then bent by 90
//! deg with 30 mm radius, then straight, as a mesh; friction 0.1; pushed at 20 mm/s. The wire lies on the lower wall, which becomes
//! the outer one of the bend. A force on the tip, which rises within a second, stands for what it meets. While the wire slides along the bend under compression its push grows as that of a belt, by exp(mu angle): with bending, from
//! F0 to (F0 + E I/R^2) exp(mu angle) - E I/R^2, R the radius of the wire's own curve on the outer wall.

use super::parts::{cable, straight};
use crate::drive::Drive;
use crate::parameters::{Parameter, Parameters};
use crate::random::Random;
use crate::scene::{Scene, SceneInfo};
use std::f64::consts::{FRAC_PI_2, PI, TAU};
use taut::{Body, Cable, Collider, Frames, Joint, Pose, Result, Shape, Vec3, World};

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "catheter",
        summary: "a guide wire of 80 segments is pushed through a bent tube with friction",
        source: "Taut",
        parameters: vec![
            Parameter::count("segments", 80, (10, 1000), "of the wire"),
            Parameter::number("angle", "deg", 90.0, (0.0, 180.0), "of the bend"),
            Parameter::number("friction", "", 0.1, (0.0, 2.0), "of the wire in the tube"),
            Parameter::number("tip", "N", 0.2, (0.0, 10.0), "force against the tip"),
            Parameter::number("speed", "m/s", 0.02, (0.0, 0.5), "of the push"),
        ],
        dt: 0.005,
        time: 6.0,
        build,
    }
}

/// Length and radius of the wire, m; Young's and shear modulus, Pa; density, kg/m^3.
const LENGTH: f64 = 0.4;
const WIRE: f64 = 1.75e-4;
const YOUNG: f64 = 6e10;
const SHEAR: f64 = 2.3e10;
const DENSITY: f64 = 6450.0;
/// Drag of blood on a thin wire, 4 pi eta/ln(l/r) of its mass, 1/s.
const DRAG: f64 = 20.0;
/// Radius of the tube and of its bend, m; length of the straight part beyond the bend; how far checks push the tip into it.
const TUBE: f64 = 0.003;
pub(crate) const BEND: f64 = 0.03;
const EXIT: f64 = 0.1;
pub(crate) const BEYOND: f64 = 0.03;
/// Height at which the wire lies at the start, m: on the wall.
const LOW: f64 = -0.0028;
/// Time in which the force on the tip rises, s.
const RISE: f64 = 1.0;
/// Sides of the tube around, and angle of a piece of the bend, deg.
const AROUND: usize = 32;
const PIECE: f64 = 2.0;
/// Pieces of the straight part before the bend; a quarter of that behind it.
const STRAIGHT: usize = 40;
/// Groups: the wire meets the tube and not itself.
const CORD: u32 = 1;
const WALL: u32 = 2;

/// Bending stiffness, N m^2.
pub(crate) fn bending() -> f64 {
    0.25 * PI * YOUNG * WIRE * WIRE * WIRE * WIRE
}

/// Push over tip force of a wire that slides along the outer wall of a bend of `angle` rad.
pub(crate) fn growth(tip: f64, friction: f64, angle: f64) -> f64 {
    let curve = BEND + TUBE - WIRE;
    let own = bending() / (curve * curve) / tip;
    (1.0 + own) * libm::exp(friction * angle) - own
}

fn build(p: &Parameters) -> Result<Scene> {
    let (n, angle) = (p.count("segments"), p.number("angle").to_radians());
    let mut world = World::new();
    let ground = world.ground();
    let wall = Collider::new(tube(angle)).friction(p.number("friction")).grouped(WALL, CORD).named("tube");
    world.add(wall.on(ground))?;
    let piece = LENGTH / n as f64;
    let mass = DENSITY * PI * WIRE * WIRE * piece;
    let points: Vec<Vec3> = (0..=n).map(|k| Vec3::new(k as f64 * piece - LENGTH, LOW, 0.0)).collect();
    let wire = Cable::from_material(piece, WIRE, YOUNG, SHEAR)?;
    let links = cable(&mut world, &points, (mass, WIRE), wire, (0.0, &mut Random::new(1)))?;
    for &link in &links {
        // At its leading end: the wire bends there, and touches the wall with nothing else.
        let bead = Collider::new(Shape::ball(WIRE)).at(-0.5 * piece * Vec3::Y).friction(p.number("friction"));
        world.add(bead.grouped(CORD, WALL).on(link))?;
        world.set_damping(link, DRAG, DRAG)?;
    }
    // What pushes it from behind, without turning.
    let start = points[0];
    let pusher = world.add(Body::kinematic().at(start).rotated(super::parts::pointing(Vec3::X)).named("pusher"))?;
    let own = straight(0.5 * piece, 0.0);
    let frames = Frames { i: own.i, j: own.j };
    world.add(Joint::of(wire.clamped_end(), links[0], pusher).frames(frames).named("push"))?;
    let (speed, force, tip) = (p.number("speed"), p.number("tip"), links[n - 1]);
    let turn = world.pose(pusher)?.rot;
    let drive = Drive::new(move |world: &mut World, h| {
        let pos = start + speed * (world.time() + h) * Vec3::X;
        world.set_target(pusher, Pose { pos, rot: turn })?;
        let pose = world.pose(tip)?;
        let force = force * (world.time() / RISE).min(1.0);
        // The wire lies along its own -y.
        world.apply_force(tip, pose.rot * (force * Vec3::Y), pose.pos - pose.rot * (0.5 * piece * Vec3::Y))
    });
    let energy_scale = (force.max(0.01) + bending() / (BEND * BEND)) * LENGTH;
    Ok(Scene { world, length: LENGTH, energy_scale, follow: tip, window: 0.5, edges: Vec::new(), drive: Some(drive) })
}

/// The middle line of the tube at a distance along it from the start of the bend, m: its point, and its direction there.
pub(crate) fn line(angle: f64, s: f64) -> (Vec3, Vec3) {
    let turned = (s / BEND).clamp(0.0, angle);
    let (sin, cos) = (libm::sin(turned), libm::cos(turned));
    let along = Vec3::new(cos, sin, 0.0);
    let on = BEND * Vec3::new(sin, 1.0 - cos, 0.0);
    (on + (s - BEND * turned) * along, along)
}

/// Where a point is along the outer wall, from the start of the bend, and how far from the middle line, m.
fn along(angle: f64, p: Vec3) -> (f64, f64) {
    let outer = BEND + TUBE - WIRE;
    let (end, direction) = line(angle, BEND * angle);
    let beyond = (p - end).dot(direction);
    if beyond > 0.0 && (angle <= FRAC_PI_2 || p.y > BEND) {
        return (outer * angle + beyond, (p - end - beyond * direction).length());
    }
    if p.x <= 0.0 {
        return (p.x, libm::hypot(p.y, p.z));
    }
    let off = libm::hypot(p.x, BEND - p.y) - BEND;
    (outer * libm::atan2(p.x, BEND - p.y), libm::hypot(off, p.z))
}

/// Where the wire can touch the wall, m, from behind to the tip.
fn beads(world: &World) -> Result<Vec<Vec3>> {
    let links = world.bodies().filter(|b| b.name().starts_with("segment"));
    links.map(|b| Ok(world.collider(b.colliders()[0])?.pose.pos)).collect()
}

/// How far the wire is in the wall of the tube, m, by the circle within its sides.
pub(crate) fn depth(world: &World, angle: f64) -> Result<f64> {
    let wall = TUBE * libm::cos(PI / AROUND as f64);
    Ok(beads(world)?.into_iter().map(|p| along(angle, p).1 + WIRE - wall).fold(0.0, f64::max))
}

/// How far the tip has come along the outer wall, m.
pub(crate) fn tip(world: &World, angle: f64) -> Result<f64> {
    Ok(beads(world)?.last().map_or(f64::NAN, |p| along(angle, *p).0))
}

/// Its inside as triangles that face the wire.
fn tube(angle: f64) -> Shape {
    let pieces = (angle.to_degrees() / PIECE).ceil() as usize;
    // Pieces of the straight parts are not much longer than wide.
    let mut along: Vec<f64> = (0..STRAIGHT).map(|k| (k as f64 / STRAIGHT as f64 - 1.0) * (LENGTH + 0.01)).collect();
    along.extend((0..=pieces).map(|k| BEND * angle * k as f64 / pieces.max(1) as f64));
    along.extend((1..=STRAIGHT / 4).map(|k| BEND * angle + EXIT * 4.0 * k as f64 / STRAIGHT as f64));
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for s in &along {
        let (at, direction) = line(angle, *s);
        let side = Vec3::Z.cross(direction);
        for k in 0..AROUND {
            let a = TAU * k as f64 / AROUND as f64;
            vertices.push(at + TUBE * (libm::cos(a) * side + libm::sin(a) * Vec3::Z));
        }
    }
    let n = AROUND as u32;
    for ring in 0..along.len() as u32 - 1 {
        for k in 0..n {
            let (a, b) = (ring * n + k, ring * n + (k + 1) % n);
            triangles.extend([[a, a + n, b], [b, a + n, b + n]]);
        }
    }
    Shape::Mesh { vertices, triangles }
}
