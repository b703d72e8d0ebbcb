//! A truck drives over a bridge whose deck hangs by ropes from two cables: wheels roll from plank to plank.
//!
//! Chosen here: planks of 0.98 m in steps of 1 m, hinged to each other and to both ramps; cables of rigid pieces between particles of 3 kg
//! above every plank, in a parabola; a truck without springs on four wheels, each with a motor of bounded torque. The truck and the deck are
//! stiff in torsion, so four wheels are one more than it can stand on.

use super::parts::{Block, G};
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Scene, SceneInfo};
use taut::{Body, Collider, Distance, Hinge, MassProperties, Motor, Quat, Result, Rope, Shape, Vec3, World};

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "bridge-truck",
        summary: "a truck of four driven wheels rolls from plank to plank over a bridge that hangs by ropes",
        source: "made for Taut",
        parameters: vec![
            Parameter::count("planks", 20, (2, 200), "planks of the deck, each hung by two ropes"),
            Parameter::number("mass", "kg", 4600.0, (1.0, 1e6), "mass of the truck without its wheels, 100 kg each"),
            Parameter::number("rate", "rad/s", 5.0, (-50.0, 50.0), "speed of the wheels"),
            Parameter::number("torque", "N m", 2000.0, (0.0, 1e6), "largest torque of each motor"),
        ],
        dt: 1.0 / 60.0,
        time: 12.0,
        build,
    }
}

const PLANK: Vec3 = Vec3::new(0.49, 0.1, 1.5);
const RAMP: Vec3 = Vec3::new(5.0, 0.5, 2.0);
const WHEEL: (f64, f64) = (0.15, 0.4);

fn build(p: &Parameters) -> Result<Scene> {
    let mut world = World::new();
    let ground = world.ground();
    let count = p.count("planks");
    let end = 0.5 * count as f64;
    for side in [-1.0, 1.0] {
        let at = Vec3::new(side * (end + 0.02 + RAMP.x), PLANK.y - RAMP.y, 0.0);
        world.add(Collider::new(Shape::cuboid(RAMP)).at(at).friction(0.8).on(ground))?;
    }
    let block = Block { half: PLANK, mass: 150.0, friction: 0.8 };
    let mut planks = vec![ground];
    for k in 0..count {
        let x = k as f64 + 0.5 - end;
        let plank = block.add(&mut world, Vec3::X * x, Quat::IDENTITY, format!("plank {k}"))?;
        world.add(Hinge::between(plank, planks[k]).at(Vec3::X * (x - 0.5)).axis(Vec3::Z))?;
        planks.push(plank);
    }
    world.add(Hinge::between(ground, planks[count]).at(Vec3::X * end).axis(Vec3::Z))?;
    // Cables 1 m above the middle of the deck and 6 m above its ends.
    let height = |x: f64| 1.0 + 5.0 * (x / end) * (x / end);
    for (side, z) in [("left", -1.4), ("right", 1.4)] {
        let (mut before, mut last) = (ground, Vec3::new(-end, 6.0, z));
        for k in 0..count {
            let x = k as f64 + 0.5 - end;
            let point = Vec3::new(x, height(x), z);
            let knot = world.add(Body::particle(3.0).at(point).named(format!("{side} knot {k}")))?;
            world.add(Distance::between(knot, before).ends(point, last))?;
            world.add(Rope::between(knot, planks[k + 1]).ends(point, Vec3::new(x, PLANK.y, z)))?;
            (before, last) = (knot, point);
        }
        world.add(Distance::between(before, ground).ends(last, Vec3::new(end, 6.0, z)))?;
    }
    let chassis = Block { half: Vec3::new(2.0, 0.6, 1.0), mass: p.number("mass"), friction: 0.5 };
    let at = Vec3::new(-end - 4.0, 1.3, 0.0);
    let truck = chassis.add(&mut world, at, Quat::IDENTITY, "truck".to_owned())?;
    let turned = Quat::from_axis_angle(Vec3::X, std::f64::consts::FRAC_PI_2);
    for (k, (x, z)) in [(-1.4, -1.0), (1.4, -1.0), (-1.4, 1.0), (1.4, 1.0)].into_iter().enumerate() {
        let point = at + Vec3::new(x, PLANK.y + WHEEL.1 - at.y, z);
        let mass = MassProperties::cylinder(1.0, WHEEL.0, WHEEL.1)?.with_mass(100.0)?;
        let wheel = world.add(Body::dynamic(mass).at(point).rotated(turned).named(format!("wheel {k}")))?;
        world.add(Collider::new(Shape::cylinder(WHEEL.0, WHEEL.1)).friction(0.9).on(wheel))?;
        let motor = Motor::rate().speed(-p.number("rate")).limited(p.number("torque"));
        world.add(Hinge::between(wheel, truck).at(point).axis(Vec3::Z).motor(motor))?;
    }
    let energy_scale = G * (p.number("mass") + 150.0 * count as f64);
    Ok(Scene { world, length: 2.0 * end, energy_scale, follow: truck, window: 1.0, edges: Vec::new(), drive: None })
}
