//! Wheels that roll from plank to plank of a bridge on ropes: contacts begin and end when they do, and the solve of the step stays small.

use taut::{
    Body, BodyId, Collider, Distance, Event, Hinge, MassProperties, Material, Motor, Quat, Rope, Shape, Vec3, World,
};

/// Planks of the bridge.
const PLANKS: usize = 20;

fn cuboid(mass: f64, half: Vec3, friction: Option<f64>) -> Body {
    let volume = 8.0 * half.x * half.y * half.z;
    let collider = Collider::new(Shape::cuboid(half));
    let collider = if let Some(mu) = friction { collider.of(Material::new(mu, 0.0)) } else { collider };
    Body::dynamic(MassProperties::cuboid(mass / volume, half).unwrap()).collider(collider)
}

/// A deck of hinged planks that hangs by ropes from two cables of particles, and a truck of 5 t on four driven wheels before it.
fn bridge() -> (World, BodyId) {
    let mut w = crate::common::world(taut::Options::default());
    let ground = w.ground();
    let at = |k: usize| k as f64 - 0.5 * (PLANKS as f64 - 1.0);
    for side in [-1.0, 1.0] {
        let shape = Shape::cuboid(Vec3::new(5.0, 0.5, 2.0));
        let ramp = Collider::new(shape).at(Vec3::new(15.02 * side, -0.4, 0.0)).of(Material::new(0.8, 0.0));
        w.add(ramp.on(ground)).unwrap();
    }
    let mut planks = Vec::new();
    for k in 0..PLANKS {
        let plank = cuboid(150.0, Vec3::new(0.49, 0.1, 1.5), Some(0.8)).at(Vec3::X * at(k));
        let plank = w.add(plank).unwrap();
        let before = planks.last().copied().unwrap_or(ground);
        w.add(Hinge::between(plank, before).at(Vec3::X * (at(k) - 0.5)).axis(Vec3::Z)).unwrap();
        planks.push(plank);
    }
    w.add(Hinge::between(ground, planks[PLANKS - 1]).at(Vec3::X * 10.0).axis(Vec3::Z)).unwrap();
    for z in [-1.4, 1.4] {
        let (mut before, mut last) = (ground, Vec3::new(-10.0, 6.0, z));
        for (k, &plank) in planks.iter().enumerate() {
            let x = at(k);
            let point = Vec3::new(x, 1.0 + 0.05 * x * x, z);
            let knot = w.add(Body::particle(3.0).at(point)).unwrap();
            w.add(Distance::between(knot, before).ends(point, last)).unwrap();
            w.add(Rope::between(knot, plank).ends(point, Vec3::new(x, 0.1, z))).unwrap();
            (before, last) = (knot, point);
        }
        w.add(Distance::between(before, ground).ends(last, Vec3::new(10.0, 6.0, z))).unwrap();
    }
    let truck = w.add(cuboid(4600.0, Vec3::new(2.0, 0.6, 1.0), None).at(Vec3::new(-14.0, 1.3, 0.0))).unwrap();
    for z in [-1.0, 1.0] {
        for x in [-15.4, -12.6] {
            let point = Vec3::new(x, 0.5, z);
            let volume = std::f64::consts::PI * 0.4 * 0.4 * 0.3;
            let wheel = Collider::new(Shape::cylinder(0.15, 0.4)).of(Material::new(0.9, 0.0));
            let mass = MassProperties::cylinder(100.0 / volume, 0.15, 0.4).unwrap();
            let turned = Quat::from_axis_angle(Vec3::X, std::f64::consts::FRAC_PI_2);
            let wheel = w.add(Body::dynamic(mass).collider(wheel).at(point).rotated(turned)).unwrap();
            let motor = Motor::rate().speed(-5.0).limited(2000.0);
            w.add(Hinge::between(wheel, truck).at(point).axis(Vec3::Z).motor(motor)).unwrap();
        }
    }
    (w, truck)
}

/// What a drive over the bridge came to.
#[derive(Debug, Default)]
struct Drive {
    begun: usize,
    ended: usize,
    /// Most Newton steps of one step, and those of all.
    most: usize,
    all: usize,
    /// Largest residual of contacts, of joints, and deepest penetration.
    residual: f64,
    joints: f64,
    deepest: f64,
}

fn drive(seconds: f64) -> (Drive, Vec3) {
    let (mut w, truck) = bridge();
    let mut d = Drive::default();
    for _ in 0..(60.0 * seconds) as usize {
        let r = w.step(1.0 / 60.0).unwrap();
        d.begun += r.events.iter().filter(|e| matches!(e, Event::ContactBegan { .. })).count();
        d.ended += r.events.iter().filter(|e| matches!(e, Event::ContactEnded { .. })).count();
        d.most = d.most.max(r.bounded.iterations);
        d.all += r.bounded.iterations;
        d.residual = d.residual.max(r.bounded.residual);
        d.joints = d.joints.max(r.bounded.joint_residual);
        d.deepest = d.deepest.max(r.bounded.penetration);
    }
    let at = w.body(truck).unwrap().pose().pos;
    (d, at)
}

#[test]
fn wheels_come_on_every_plank_once_and_go_off_it_once() {
    let (d, at) = drive(12.0);
    // Four wheels on twenty planks and on both ramps; the two in front have come onto the second one.
    assert!((84..=88).contains(&d.begun) && d.begun - d.ended == 4, "{d:?}");
    assert!(at.x > 8.0 && at.y > 1.0 && at.y < 1.4 && at.z.abs() < 0.01, "{at}");
    // Four wheels are one more than it can stand on: which of them push takes about 120 Newton steps to find out, in the mean.
    assert!(d.most < 1000 && d.all < 150 * 720, "{d:?}");
    // Contacts are solved to their tolerance but in a few steps, joints always.
    assert!(d.residual < 1e-6 && d.joints < 1e-11 && d.deepest < 1e-4, "{d:?}");
}
