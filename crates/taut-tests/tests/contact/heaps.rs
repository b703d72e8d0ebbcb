//! Heaps: large clusters in motion, which are swept over exact joints within a budget.

use taut::prelude::*;
use taut::{Deformable, soft};

/// A floor, and boxes of 0.2 m and 8 kg in `rows` rows, each row one box shorter than the one below.
fn wall(rows: usize, friction: f64, restitution: f64) -> (World, Vec<BodyId>) {
    let mut world = World::new();
    world.set_options(Options { sleep: false, ..Options::default() }).unwrap();
    let material = Material::new(friction, restitution);
    world.add(Collider::new(Shape::ground()).of(material).on(world.ground())).unwrap();
    let mut boxes = Vec::new();
    for row in 0..rows {
        for k in 0..rows - row {
            let at = Vec3::new(0.22 * (k as f64 + 0.5 * row as f64), 0.1 + 0.2 * row as f64, 0.0);
            boxes.push(cube(&mut world, at, 0.1, material));
        }
    }
    (world, boxes)
}

/// A cube of 1000 kg/m^3.
fn cube(world: &mut World, at: Vec3, half: f64, material: Material) -> BodyId {
    let shape = Shape::cuboid(Vec3::splat(half));
    let body = world.add(Body::dynamic(MassProperties::of(&shape, 1000.0).unwrap()).at(at)).unwrap();
    world.add(Collider::new(shape).of(material).on(body)).unwrap();
    body
}

/// A ball thrown at a wall.
fn throw(world: &mut World, at: Vec3, velocity: Vec3) -> BodyId {
    let shape = Shape::Ball { radius: 0.3 };
    let mass = MassProperties::of(&shape, 1000.0).unwrap();
    let ball = world.add(Body::dynamic(mass).at(at).moving(velocity, Vec3::ZERO)).unwrap();
    world.add(Collider::new(shape).of(Material::new(0.5, 0.0)).on(ball)).unwrap();
    ball
}

/// Chains of capsules with ball joints and cones, dropped on each other.
fn chains(count: usize) -> World {
    let mut world = World::new();
    world.set_options(Options { sleep: false, ..Options::default() }).unwrap();
    let material = Material::new(0.5, 0.0);
    world.add(Collider::new(Shape::ground()).of(material).on(world.ground())).unwrap();
    let shape = Shape::capsule(0.1, 0.06);
    let mass = MassProperties::of(&shape, 1000.0).unwrap();
    for k in 0..count {
        let start = Vec3::new(0.13 * (k % 3) as f64, 0.3 + 0.25 * (k / 3) as f64, 0.11 * (k % 2) as f64);
        let mut last: Option<BodyId> = None;
        for link in 0..5 {
            let along = Quat::from_rotation_z(std::f64::consts::FRAC_PI_2);
            let at = start + Vec3::new(0.34 * link as f64, 0.0, 0.0);
            let body = world.add(Body::dynamic(mass).at(at).rotated(along)).unwrap();
            world.add(Collider::new(shape.clone()).of(material).on(body)).unwrap();
            if let Some(last) = last {
                let pivot = at - Vec3::new(0.17, 0.0, 0.0);
                world.add(Ball::between(last, body).at(pivot).stop(Limit::cone(0.8))).unwrap();
                world.set_collision(last, body, false).unwrap();
            }
            last = Some(body);
        }
    }
    world
}

fn run(world: &mut World, h: f64, time: f64, mut see: impl FnMut(&World, &StepReport)) {
    for _ in 0..(time / h).round() as usize {
        let report = world.step(h).unwrap();
        see(world, &report);
    }
}

#[test]
fn a_wall_at_rest_is_solved_to_the_tolerance_and_stays() {
    let (mut world, boxes) = wall(12, 0.5, 0.0);
    let start: Vec<Vec3> = boxes.iter().map(|&b| world.body(b).unwrap().position()).collect();
    let (mut rows, mut unconverged) = (0, 0);
    run(&mut world, 1.0 / 60.0, 5.0, |_, r| {
        rows = rows.max(r.bounded.largest);
        unconverged += r.bounded.unconverged;
        assert_eq!(r.bounded.hurried, 0);
    });
    assert!(rows > 1000, "it is a heap: {rows} rows");
    let moved = boxes.iter().zip(&start).map(|(&b, s)| (world.body(b).unwrap().position() - *s).length());
    let moved = moved.fold(0.0, f64::max);
    println!("{rows} rows, moved {moved:.1e} m in 5 s, {unconverged} steps above the tolerance");
    assert!(moved < 1e-7 && unconverged < 30, "{moved:e} {unconverged}");
}

#[test]
fn a_wall_that_is_hit_gains_no_energy_and_its_ledger_closes() {
    for h in [0.004, 1.0 / 60.0, 0.03] {
        let (mut world, _) = wall(12, 0.5, 0.0);
        throw(&mut world, Vec3::new(1.2, 1.2, -1.5), Vec3::new(0.0, 1.0, 12.0));
        let start = world.energy().unwrap().total();
        let (mut lowest, mut rise, mut off, mut hurried) = (start, 0.0_f64, 0.0_f64, 0);
        run(&mut world, h, 2.5, |_, r| {
            let now = r.energy.total();
            rise = rise.max(now - lowest);
            lowest = lowest.min(now);
            off = off.max(r.ledger.imbalance.abs());
            hurried += r.bounded.hurried;
        });
        println!("h {h:.4}: rise {:.1e} of the start, ledger off by {off:.1e} J, {hurried} hurried", rise / start);
        assert!(hurried > 20 && rise < 2e-3 * start && off < 1e-8 * start, "{rise:e} {off:e} {hurried}");
    }
}

#[test]
fn joints_of_a_heap_are_exact_and_limits_hold() {
    let mut world = chains(24);
    let (mut joints, mut passed, mut gap, mut hurried) = (0.0_f64, 0.0_f64, 0.0_f64, 0);
    run(&mut world, 1.0 / 60.0, 3.0, |_, r| {
        joints = joints.max(r.bounded.joint_residual);
        passed = passed.max(r.bounded.overrun_angle);
        gap = gap.max(r.max_gap);
        hurried += r.bounded.hurried;
    });
    println!(
        "joints {joints:.1e} m/s, limits {:.2} deg, gap {:.2} mm, {hurried} hurried",
        passed.to_degrees(),
        1e3 * gap
    );
    assert!(hurried > 50 && joints < 1e-11 && passed < 0.05 && gap < 0.01, "{joints:e} {passed} {gap} {hurried}");
}

#[test]
fn a_heap_repeats_bit_for_bit_from_a_snapshot_and_on_threads() {
    let (mut world, boxes) = wall(12, 0.5, 0.2);
    throw(&mut world, Vec3::new(1.2, 1.2, -1.5), Vec3::new(0.0, 1.0, 12.0));
    run(&mut world, 1.0 / 60.0, 0.4, |_, _| {});
    let snapshot = world.state().clone();
    let mut ends = Vec::new();
    for parallel in [true, false] {
        world.restore(&snapshot).unwrap();
        world.set_options(Options { parallel, ..*world.options() }).unwrap();
        run(&mut world, 1.0 / 60.0, 0.5, |_, _| {});
        ends.push(
            boxes.iter().map(|&b| world.body(b).unwrap().position().to_array().map(f64::to_bits)).collect::<Vec<_>>(),
        );
    }
    assert!(ends[0] == ends[1]);
}

#[test]
fn balls_that_bounce_in_a_heap_gain_nothing() {
    let mut world = World::new();
    world.set_options(Options { sleep: false, ..Options::default() }).unwrap();
    let material = Material::new(0.3, 0.8);
    world.add(Collider::new(Shape::ground()).of(material).on(world.ground())).unwrap();
    let shape = Shape::Ball { radius: 0.1 };
    let mass = MassProperties::of(&shape, 1000.0).unwrap();
    let mut balls = Vec::new();
    for k in 0..80 {
        let (x, y, z) = ((k % 4) as f64, (k / 16) as f64, ((k / 4) % 4) as f64);
        let at = Vec3::new(0.2001 * x + 0.003 * y, 0.5 + 0.2001 * y, 0.2001 * z - 0.002 * y);
        let ball = world.add(Body::dynamic(mass).at(at)).unwrap();
        world.add(Collider::new(shape.clone()).of(material).on(ball)).unwrap();
        balls.push(ball);
    }
    let start = world.energy().unwrap().total();
    let (mut lowest, mut rise, mut hurried, mut up) = (start, 0.0_f64, 0, 0.0_f64);
    run(&mut world, 1.0 / 60.0, 2.0, |world, r| {
        rise = rise.max(r.energy.total() - lowest);
        lowest = lowest.min(r.energy.total());
        hurried += r.bounded.hurried;
        up = balls.iter().map(|&b| world.body(b).unwrap().velocity().y).fold(up, f64::max);
    });
    println!("rise {:.1e} of the start, {hurried} hurried, fastest up {up:.2} m/s", rise / start);
    assert!(hurried > 0 && rise < 1e-3 * start && up > 1.0, "{rise:e} {hurried} {up}");
}

#[test]
fn a_load_on_a_rope_in_a_heap_is_held() {
    let (mut world, boxes) = wall(9, 0.5, 0.0);
    let material = Material::new(0.5, 0.0);
    let load = cube(&mut world, Vec3::new(0.9, 2.6, 0.0), 0.25, material);
    let length = 2.0;
    let pivot = Vec3::new(0.9, 2.6 + length, 0.0);
    world.add(Rope::between(load, world.ground()).ends(Vec3::new(0.9, 2.6, 0.0), pivot).length(length)).unwrap();
    throw(&mut world, Vec3::new(0.9, 0.8, -1.5), Vec3::new(0.0, 1.0, 10.0));
    let (mut over, mut hurried) = (0.0_f64, 0);
    run(&mut world, 1.0 / 60.0, 3.0, |world, r| {
        over = over.max((world.body(load).unwrap().position() - pivot).length() - length);
        hurried += r.bounded.hurried;
        assert!(boxes.iter().all(|&b| world.body(b).unwrap().position().is_finite()));
    });
    println!("the rope is passed by {:.2e} m, {hurried} hurried", over);
    assert!(over < 5e-3 && hurried > 0, "{over} {hurried}");
}

/// A ball of 34 g that rolls over the uppermost box of a wall.
fn roll(world: &mut World, on: BodyId, speed: f64) -> BodyId {
    let shape = Shape::Ball { radius: 0.02 };
    let at = world.body(on).unwrap().position() + Vec3::new(0.0, 0.12, -0.08);
    let spin = Vec3::X * speed / 0.02;
    let body = Body::dynamic(MassProperties::of(&shape, 1000.0).unwrap());
    let ball = world.add(body.at(at).moving(Vec3::Z * speed, spin)).unwrap();
    world.add(Collider::new(shape).of(Material::new(0.5, 0.0)).on(ball)).unwrap();
    ball
}

#[test]
fn a_heap_sleeps_although_one_of_its_bodies_rolls_on() {
    let (mut world, boxes) = wall(8, 0.5, 0.0);
    world.set_options(Options::default()).unwrap();
    let ball = roll(&mut world, *boxes.last().unwrap(), 0.015);
    let (mut asleep, mut off, mut left) = (None, 0.0_f64, 0.0);
    run(&mut world, 1.0 / 60.0, 4.0, |w, r| {
        off = off.max(r.ledger.imbalance.abs());
        if asleep.is_none() {
            if w.sleeping() == 0 {
                left = r.energy.kinetic;
            } else {
                asleep = Some(r.time);
                assert_eq!(w.sleeping(), boxes.len() + 1);
                assert!((r.ledger.contacts + left).abs() < 1e-3 * left, "{} {left}", r.ledger.contacts);
            }
        }
    });
    println!("asleep at {asleep:?} s with {left:.1e} J, ledger off by {off:.1e} J");
    assert!(asleep.is_some_and(|at| (2.0..2.6).contains(&at)) && off < 1e-9, "{asleep:?} {off:e}");
    assert_eq!(world[ball].vel, Vec3::ZERO);
    world.wake(ball).unwrap();
    assert_eq!(world.sleeping(), 0);
}

#[test]
fn a_heap_that_creeps_and_what_is_faster_in_it_stay_awake() {
    // All of it, at 1 cm/s on ice.
    let (mut world, boxes) = wall(8, 0.0, 0.0);
    world.set_options(Options::default()).unwrap();
    for &b in &boxes {
        world.set_velocity(b, Vec3::Z * 0.01, Vec3::ZERO).unwrap();
    }
    run(&mut world, 1.0 / 60.0, 4.0, |w, _| assert_eq!(w.sleeping(), 0));
    let moved = world[boxes[0]].pos.z;
    assert!((moved - 0.04).abs() < 1e-4, "{moved}");
    // A ball that is soon at the edge.
    let (mut world, boxes) = wall(8, 0.5, 0.0);
    world.set_options(Options::default()).unwrap();
    let ball = roll(&mut world, *boxes.last().unwrap(), 0.08);
    run(&mut world, 1.0 / 60.0, 3.0, |_, _| ());
    assert!(world[ball].pos.y < 1.0 && world[ball].vel != Vec3::ZERO, "{:?}", world[ball].pos);
    // A heap of too few rows is a mechanism: all of it must rest.
    let (mut world, boxes) = wall(2, 0.5, 0.0);
    world.set_options(Options::default()).unwrap();
    roll(&mut world, *boxes.last().unwrap(), 0.015);
    run(&mut world, 1.0 / 60.0, 4.0, |w, _| assert_eq!(w.sleeping(), 0));
}

/// Cubes of rubber that fall on a wall and stay there. Their 700 rows are too many for a dense W.
#[test]
fn deformables_in_a_heap_are_swept_and_come_to_rest_where_they_should() {
    let (mut world, boxes) = wall(7, 0.5, 0.0);
    let rubber = soft::Material::new(1000.0, 1e5, 0.3).damping(0.01);
    let mesh = crate::common::meshes::bar(Vec3::splat(0.2), [2; 3]);
    let cube = Deformable::new(&mesh, &rubber).unwrap().skin(0.01);
    let cubes = [0, 1].map(|k| world.add(cube.clone().at(Vec3::new(0.56, 1.45 + 0.3 * f64::from(k), -0.1))).unwrap());
    let top: Vec<Vec3> = boxes.iter().map(|&b| world[b].pos).collect();
    let mut lowest = world.energy().unwrap().total();
    let (mut off, mut rise, mut swept, mut iterations, mut rows) = (0.0_f64, 0.0_f64, 0, 0, 0);
    run(&mut world, 1.0 / 60.0, 1.5, |_, r| {
        off = off.max(r.ledger.imbalance.abs());
        rise = rise.max(r.energy.total() - lowest);
        lowest = lowest.min(r.energy.total());
        swept += usize::from(r.bounded.sweeps >= 24);
        iterations = iterations.max(r.bounded.iterations);
        rows = rows.max(r.bounded.largest);
    });
    let heights = cubes.map(|c| {
        let cube = world.deformable(c).unwrap();
        cube.positions().map(|p| p.y).sum::<f64>() / cube.node_count() as f64
    });
    let moved = boxes.iter().zip(&top).map(|(&b, s)| (world[b].pos - *s).length()).fold(0.0, f64::max);
    println!(
        "{rows} rows, swept in {swept} of 90 steps, heights {heights:.4?} m, wall moved {:.2} mm, rise {rise:.1e} J, ledger {off:.1e} J",
        1e3 * moved
    );
    assert!(rows > 600 && swept > 40, "{rows} {swept}");
    assert!(off < 1e-9 && rise < 0.1, "{off:e} {rise:e}");
    // The wall is 1.4 m high; a cube of 0.2 m with a skin of 1 cm, which gives a little.
    assert!((heights[0] - 1.51).abs() < 0.01 && (heights[1] - 1.72).abs() < 0.015, "{heights:?}");
    assert!(moved < 0.01, "{moved}");
}
