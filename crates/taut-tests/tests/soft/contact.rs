//! Contact of deformables.

use crate::common::meshes::{ball, bar, sheet};
use taut::prelude::*;
use taut::soft::{self, Mesh};
use taut::{Deformable, DeformableId, Solver};

/// A world with a floor of this friction.
fn floor(friction: f64) -> World {
    let mut world = World::new();
    world.add(Collider::new(Shape::ground()).friction(friction).on(world.ground())).unwrap();
    world
}

fn rubber(young: f64) -> soft::Material {
    soft::Material::new(1000.0, young, 0.3)
}

/// Energy of motion, height and elements, J.
fn total(report: &taut::StepReport) -> f64 {
    report.energy.total()
}

fn lowest(world: &World, id: DeformableId) -> f64 {
    world.deformable(id).unwrap().positions().map(|x| x.y).fold(f64::INFINITY, f64::min)
}

/// Steps with the books looked at; the largest energy that was seen.
fn run(world: &mut World, h: f64, steps: usize) -> f64 {
    let mut most = f64::NEG_INFINITY;
    for k in 0..steps {
        let report = world.step(h).unwrap();
        let energy = total(&report);
        most = most.max(energy);
        let scale = report.energy.kinetic + energy.abs();
        let off = report.ledger.imbalance;
        assert!(off.abs() <= 1e-9 * scale, "step {k}: books off by {off} of {scale}");
    }
    most
}

#[test]
fn a_soft_ball_dropped_on_the_ground_comes_to_rest_on_its_skin() {
    let mut world = floor(0.5);
    let mesh = ball(0.25, 4);
    let skin = 0.01;
    let id =
        world.add(Deformable::new(&mesh, &rubber(2e4).damping(0.02)).unwrap().at(0.5 * Vec3::Y).skin(skin)).unwrap();
    let start = world.energy().unwrap().total();
    let mut most = f64::NEG_INFINITY;
    for _ in 0..4 {
        most = most.max(run(&mut world, 0.01, 100));
        assert!(lowest(&world, id) > skin - 1e-3, "{}", lowest(&world, id) - skin);
    }
    assert!(most <= start + 1e-6 * start.abs(), "{most} from {start}");
    let fastest =
        (0..mesh.nodes.len()).map(|k| world.deformable(id).unwrap().velocity(k).unwrap().length()).fold(0.0, f64::max);
    assert!(fastest < 1e-2, "{fastest}");
    assert!((lowest(&world, id) - skin).abs() < 1e-3);
}

#[test]
fn a_soft_box_on_a_slope_slides_beyond_the_angle_of_friction() {
    let mu = 0.5_f64;
    for (part, slides) in [(0.98, false), (1.02, true)] {
        let angle = part * mu.atan();
        let mut world = World::new();
        let gravity = 9.81 * Vec3::new(angle.sin(), -angle.cos(), 0.0);
        world.set_options(Options { gravity, ..Options::default() }).unwrap();
        world.add(Collider::new(Shape::ground()).friction(mu).on(world.ground())).unwrap();
        let mesh = bar(Vec3::new(0.4, 0.1, 0.4), [4, 1, 4]);
        let soft = Deformable::new(&mesh, &rubber(1e6).damping(0.005)).unwrap();
        let id = world.add(soft.at(0.01 * Vec3::Y).skin(0.01).surface(Material::new(mu, 0.0))).unwrap();
        run(&mut world, 0.01, 100);
        let before = world.deformable(id).unwrap().position(0).unwrap();
        run(&mut world, 0.01, 100);
        let moved = (world.deformable(id).unwrap().position(0).unwrap() - before).x;
        // It has slid for a second before: a (1 + 1/2).
        let expected = 1.5 * 9.81 * (angle.sin() - mu * angle.cos());
        if slides {
            assert!((moved / expected - 1.0).abs() < 0.1, "{moved} for {expected}");
        } else {
            assert!(moved.abs() < 1e-5, "{moved}");
        }
    }
}

#[test]
fn a_rigid_ball_smaller_than_the_cells_rests_on_a_soft_block() {
    for at in [Vec3::new(0.13, 0.0, 0.06), Vec3::new(0.1, 0.0, 0.1), Vec3::new(0.2, 0.0, 0.1), Vec3::new(0.2, 0.0, 0.2)]
    {
        let mut world = floor(0.5);
        let mesh = bar(Vec3::new(0.4, 0.2, 0.4), [2, 1, 2]);
        let soft = Deformable::new(&mesh, &rubber(2e5).damping(0.01)).unwrap();
        let id = world.add(soft.at(0.01 * Vec3::Y).skin(0.01)).unwrap();
        let ball = Body::solid(Shape::ball(0.03), 2000.0).unwrap().at(at + 0.3 * Vec3::Y);
        let ball = world.add(ball).unwrap();
        run(&mut world, 0.01, 200);
        let (x, v) = (world.body(ball).unwrap().position(), world.body(ball).unwrap().velocity());
        // It may still roll in the dent that it has made.
        assert!(v.length() < 0.05, "{at}: {v}");
        assert!(x.y > 0.2 + 0.03 && x.y < 0.22 + 0.03 + 1e-3, "{at}: {x}");
        assert!((x - at).with_y(0.0).length() < 0.05, "{at}: {x}");
        assert!(lowest(&world, id) > 0.009);
    }
}

#[test]
fn a_box_on_its_corner_does_not_sink_between_the_nodes() {
    let mut world = floor(0.5);
    let mesh = bar(Vec3::new(0.6, 0.2, 0.6), [2, 1, 2]);
    let soft = Deformable::new(&mesh, &rubber(2e5).damping(0.01)).unwrap();
    world.add(soft.at(Vec3::new(-0.3, 0.01, -0.3)).skin(0.01)).unwrap();
    let turned = Quat::from_rotation_z(0.6) * Quat::from_rotation_x(0.7);
    let cube = Body::solid(Shape::cuboid(Vec3::splat(0.05)), 1000.0).unwrap();
    let cube = world.add(cube.at(Vec3::new(0.12, 0.4, 0.17)).rotated(turned)).unwrap();
    let mut least = f64::INFINITY;
    for _ in 0..300 {
        world.step(0.01).unwrap();
        least = least.min(world.body(cube).unwrap().position().y);
    }
    let y = world.body(cube).unwrap().position().y;
    assert!(least > 0.23 && (y - 0.27).abs() < 0.01, "{least} {y}");
    assert!(world.body(cube).unwrap().velocity().length() < 0.02);
}

#[test]
fn a_small_fast_ball_does_not_tunnel_a_cloth() {
    for (speed, at) in
        [(10.0, Vec3::new(0.47, 0.0, 0.52)), (10.0, Vec3::new(0.5, 0.0, 0.5)), (30.0, Vec3::new(0.53, 0.0, 0.44))]
    {
        let mut world = World::new();
        let mesh = sheet(1.0, 1.0, [8, 8]);
        let cloth = soft::Material::new(300.0, 1e6, 0.3).thickness(1e-3);
        let rim = |x: Vec3| x.x < 1e-9 || x.z < 1e-9 || x.x > 1.0 - 1e-9 || x.z > 1.0 - 1e-9;
        let id = world.add(Deformable::new(&mesh, &cloth).unwrap().held(rim).skin(0.01)).unwrap();
        let ball = Body::solid(Shape::ball(0.02), 1000.0).unwrap();
        let ball = world.add(ball.at(at + 0.317 * Vec3::Y).moving(-speed * Vec3::Y, Vec3::ZERO)).unwrap();
        for _ in 0..100 {
            world.step(0.01).unwrap();
            let x = world.body(ball).unwrap().position();
            let over = (x - Vec3::new(0.5, 0.0, 0.5)).with_y(0.0).abs().max_element() < 0.45;
            assert!(!over || x.y > -0.6, "{speed} m/s: through at {x}");
        }
        assert!(lowest(&world, id) > -0.7);
    }
}

#[test]
fn a_cloth_falls_on_a_rigid_ball_and_drapes() {
    let mut world = floor(0.3);
    world.add(Collider::new(Shape::ball(0.2)).at(0.5 * Vec3::Y).friction(0.3).on(world.ground())).unwrap();
    let mesh = sheet(0.8, 0.8, [16, 16]);
    let cloth = soft::Material::new(300.0, 1e5, 0.3).thickness(1e-3).damping(0.005);
    let soft = Deformable::new(&mesh, &cloth).unwrap().at(Vec3::new(-0.41, 0.75, -0.39));
    let id = world.add(soft.skin(0.01).surface(Material::new(0.3, 0.0))).unwrap();
    let start = std::time::Instant::now();
    let mut rows = 0;
    for _ in 0..200 {
        let report = world.step(0.01).unwrap();
        rows = rows.max(report.bounded.largest);
    }
    println!("{} s, {rows} rows", start.elapsed().as_secs_f64());
    let nearest =
        world.deformable(id).unwrap().positions().map(|x| x.distance(0.5 * Vec3::Y)).fold(f64::INFINITY, f64::min);
    assert!(nearest > 0.21 - 1e-3, "{nearest}");
    let corner = world.deformable(id).unwrap().position(0).unwrap();
    assert!(corner.y < 0.5 && corner.y > 0.0, "{corner}");
    let middle = world.deformable(id).unwrap().position(8 * 17 + 8).unwrap();
    assert!((middle.y - 0.71).abs() < 0.01, "{middle}");
}

/// Sum of mass times velocity, kg m/s, and the same about the origin.
fn momentum(world: &World, ids: &[DeformableId]) -> (Vec3, Vec3) {
    let mut sum = (Vec3::ZERO, Vec3::ZERO);
    for &id in ids {
        let soft = world.deformable(id).unwrap();
        for (k, m) in soft.elements().masses().into_iter().enumerate() {
            let (x, v) = (soft.position(k).unwrap(), soft.velocity(k).unwrap());
            sum = (sum.0 + m * v, sum.1 + m * x.cross(v));
        }
    }
    sum
}

#[test]
fn two_soft_cubes_that_collide_keep_their_momentum() {
    let mut world = World::new();
    world.set_options(Options { gravity: Vec3::ZERO, ..Options::default() }).unwrap();
    let mesh = bar(Vec3::splat(0.2), [2; 3]);
    let ids: Vec<DeformableId> = [(-1.0, 0.0), (1.0, 0.07)]
        .map(|(side, off)| {
            let soft = Deformable::new(&mesh, &rubber(1e5)).unwrap();
            let at = Vec3::new(-0.1 + 0.2 * side, off, -0.1 + 0.5 * off);
            world.add(soft.at(at).moving(-2.0 * side * Vec3::X, Vec3::ZERO).skin(0.01)).unwrap()
        })
        .to_vec();
    let before = momentum(&world, &ids);
    let start = world.energy().unwrap().total();
    let most = run(&mut world, 0.005, 200);
    let after = momentum(&world, &ids);
    assert!((after.0 - before.0).length() < 1e-9, "{:?} {:?}", before.0, after.0);
    // The skins are a gap at which friction has no lever: its angular momentum is off by that.
    println!("angular momentum {} to {}", before.1, after.1);
    assert!((after.1 - before.1).length() < 0.05 * before.1.length(), "{:?} {:?}", before.1, after.1);
    assert!(most <= start * (1.0 + 1e-9), "{most} from {start}");
    let apart = |id: DeformableId| world.deformable(id).unwrap().positions().map(|x| x.x).sum::<f64>() / 27.0;
    assert!(apart(ids[1]) - apart(ids[0]) > 0.25, "they are through each other");
}

#[test]
fn two_soft_cubes_stack() {
    let mut world = floor(0.5);
    let mesh = bar(Vec3::splat(0.2), [2; 3]);
    let cube = |at: Vec3, turn: f64| {
        let soft = Deformable::new(&mesh, &rubber(1e5).damping(0.01)).unwrap();
        soft.at(at).rotated(Quat::from_rotation_y(turn)).skin(0.005)
    };
    let low = world.add(cube(0.01 * Vec3::Y, 0.0)).unwrap();
    let high = world.add(cube(Vec3::new(0.02, 0.25, -0.03), -0.2)).unwrap();
    run(&mut world, 0.01, 450);
    let mean = |id| world.deformable(id).unwrap().positions().map(|x: Vec3| x.y).sum::<f64>() / 27.0;
    let (y, z) = (mean(low), mean(high));
    println!("{y} {z} lowest {}", lowest(&world, high));
    assert!((y - 0.1).abs() < 0.01 && (z - y - 0.205).abs() < 0.01, "{y} {z}");
    let fastest = momentum(&world, &[low, high]).0.length();
    assert!(fastest < 1e-2, "{fastest}");
}

#[test]
fn a_cloth_that_folds_on_itself_does_not_pass_through() {
    let mut world = floor(0.4);
    let mesh = sheet(0.6, 0.3, [12, 6]);
    let cloth = soft::Material::new(300.0, 1e5, 0.3).thickness(1e-3).damping(0.005);
    // Folded over: the right half comes down on the left one.
    let (skin, at) = (0.008, |x: Vec3| {
        let over = x.x - 0.3;
        if over <= 0.0 {
            x
        } else {
            let r = 0.03;
            let angle = (over / r).min(std::f64::consts::PI);
            let rest = over - r * angle;
            Vec3::new(0.3 + r * angle.sin() - rest, r * (1.0 - angle.cos()) + 0.3 * rest, x.z)
        }
    });
    let soft = Deformable::new(&mesh, &cloth).unwrap().deformed(at).at(0.05 * Vec3::Y);
    let id = world.add(soft.skin(skin)).unwrap();
    let mut rows = 0;
    for _ in 0..200 {
        rows = rows.max(world.step(0.01).unwrap().bounded.largest);
    }
    println!("{rows} rows");
    let x: Vec<Vec3> = world.deformable(id).unwrap().positions().collect();
    // Every node of the upper half that is over the lower one is above it by two skins.
    let (mut over, mut least) = (0, f64::INFINITY);
    for n in 7 * 9..x.len() {
        for cell in mesh.cells.iter().filter(|c| c.nodes().iter().all(|&k| k < 7 * 5)) {
            let [a, b, c] = [0, 1, 2].map(|k| x[cell.nodes()[k] as usize]);
            let flat = |v: Vec3| taut::Vec3::new(v.x, 0.0, v.z);
            let area = |p: Vec3, q: Vec3, r: Vec3| (flat(q) - flat(p)).cross(flat(r) - flat(p)).y;
            let whole = area(a, b, c);
            let w = [area(x[n], b, c) / whole, area(a, x[n], c) / whole, area(a, b, x[n]) / whole];
            if w.iter().all(|&w| w >= 0.0) {
                over += 1;
                least = least.min(x[n].y - (w[0] * a.y + w[1] * b.y + w[2] * c.y));
            }
        }
    }
    println!("{over} nodes over, least height {least}");
    assert!(over > 5 && least > 2.0 * skin - 1.5e-3, "{over} {least}");
}

#[test]
fn a_cloth_rides_on_a_kinematic_body() {
    let mut world = World::new();
    let table = Body::kinematic().collider(Collider::new(Shape::cuboid(Vec3::new(0.3, 0.05, 0.3))).friction(0.8));
    let table = world.add(table.moving(0.5 * Vec3::X, Vec3::ZERO)).unwrap();
    let mesh = sheet(0.4, 0.4, [6, 6]);
    let cloth = soft::Material::new(300.0, 1e5, 0.3).thickness(1e-3).damping(0.005);
    let soft = Deformable::new(&mesh, &cloth).unwrap().at(Vec3::new(-0.2, 0.0605, -0.2));
    let id = world.add(soft.skin(0.01).surface(Material::new(0.8, 0.0))).unwrap();
    for _ in 0..100 {
        world.step(0.01).unwrap();
    }
    let (cloth, table) = (world.deformable(id).unwrap(), world.body(table).unwrap());
    let middle = cloth.position(24).unwrap();
    assert!((table.position().x - 0.5).abs() < 1e-9);
    assert!((cloth.velocity(24).unwrap() - table.velocity()).length() < 1e-3, "{}", cloth.velocity(24).unwrap());
    assert!(middle.x > 0.4 && (middle.y - 0.06).abs() < 1e-3, "{middle}");
}

#[test]
fn a_cloth_that_lands_flat_lies_still_on_its_skin() {
    let mut world = floor(0.5);
    let cotton = soft::Material::new(300.0, 1e5, 0.3).thickness(1e-3).damping(0.005);
    let soft = Deformable::new(&sheet(1.0, 1.0, [10, 10]), &cotton).unwrap();
    let id = world.add(soft.rotated(Quat::from_rotation_x(0.2)).at(0.3 * Vec3::Y).skin(0.01)).unwrap();
    let mut parts = 0;
    for _ in 0..60 {
        parts = world.step(0.01).unwrap().parts;
    }
    assert_eq!(parts, 1, "what lies still needs no short steps");
    let cloth = world.deformable(id).unwrap();
    let fastest = (0..cloth.node_count()).map(|k| cloth.velocity(k).unwrap().length()).fold(0.0, f64::max);
    assert!(fastest < 1e-6 && cloth.positions().all(|x| (x.y - 0.01).abs() < 1e-5), "{fastest}");
}

/// A mat of n by n particles with rods of 1e-10 m/N in a frame of 32 springs, and a ball of 60 kg that falls on it from 2 m.
fn trampoline(n: usize) -> (World, BodyId) {
    let mut world = World::new();
    let (side, gap) = (3.0, 0.3);
    let place = |i: usize, j: usize| {
        let d = side / (n - 1) as f64;
        Vec3::new(i as f64 * d - 0.5 * side, 0.0, j as f64 * d - 0.5 * side)
    };
    let mass = 5.0 / (n * n) as f64;
    let mut ids = Vec::new();
    for k in 0..n * n {
        let ball = Collider::new(Shape::ball(0.03)).grouped(0b01, 0b10);
        ids.push(world.add(Body::particle(mass).at(place(k / n, k % n)).collider(ball)).unwrap());
    }
    let rod = Softness::compliance(1e-10);
    for k in 0..n * n {
        for (next, inside) in [(k + n, k + n < n * n), (k + 1, k % n + 1 < n)] {
            if inside {
                world.add(Distance::between(ids[k], ids[next]).linear(rod)).unwrap();
            }
        }
    }
    for e in 0..8 {
        let q = ((e as f64 + 0.5) * (n - 1) as f64 / 8.0).round_ties_even() as usize;
        for (i, j, out) in [(q, 0, -Vec3::Z), (q, n - 1, Vec3::Z), (0, q, -Vec3::X), (n - 1, q, Vec3::X)] {
            let p = place(i, j);
            let spring = Spring::between(ids[i * n + j], world.ground()).ends(p, p + gap * out);
            world.add(spring.stiffness(5e3).rest_length(0.9 * gap)).unwrap();
        }
    }
    let sphere = MassProperties::sphere(60.0 / (4.0 / 3.0 * std::f64::consts::PI * 0.25_f64.powi(3)), 0.25).unwrap();
    let skin = Collider::new(Shape::ball(0.25)).friction(0.5).grouped(0b10, 0b01);
    let ball = world.add(Body::dynamic(sphere).at(Vec3::new(0.03, 2.28, 0.02)).collider(skin)).unwrap();
    (world, ball)
}

#[test]
fn a_trampoline_of_particles_throws_as_high_as_it_did() {
    let (mut world, ball) = trampoline(10);
    let (mut lowest, mut highest) = ((0.0, f64::INFINITY), f64::NEG_INFINITY);
    for k in 1..=170 {
        world.step(0.01).unwrap();
        let y = world.body(ball).unwrap().position().y;
        if y < lowest.1 {
            lowest = (0.01 * f64::from(k), y);
        }
        if k > 100 {
            highest = highest.max(y);
        }
    }
    // The reference, found by an earlier version with the same mat: -0.637 m and 1.593 m. The rebound is 1.666 m now.
    assert!((lowest.1 + 0.637).abs() < 1e-2 && (highest / 1.593 - 1.0).abs() < 0.05, "{lowest:?} {highest}");
}

/// A ball of 6 cm within a cube of 30 cm, its middle so far below the upper face, m.
fn swallowed(depth: f64, h: f64, time: f64) -> (World, BodyId, DeformableId) {
    let mut world = World::new();
    world.set_options(Options { gravity: Vec3::ZERO, ..Options::default() }).unwrap();
    let cube = Deformable::new(&bar(Vec3::splat(0.3), [4; 3]), &rubber(1e5).damping(0.01)).unwrap();
    let id = world.add(cube.held(|x| x.y == 0.0).skin(0.005)).unwrap();
    let at = Vec3::new(0.16, 0.3 - depth, 0.14);
    let ball = Body::dynamic(MassProperties::sphere(1000.0, 0.06).unwrap()).at(at);
    let ball = world.add(ball).unwrap();
    world.add(Collider::new(Shape::ball(0.06)).on(ball)).unwrap();
    let start = world.energy().unwrap().total();
    for _ in 0..(time / h) as usize {
        let r = world.step(h).unwrap();
        assert!(r.ledger.imbalance.abs() < 1e-8, "{}", r.ledger.imbalance);
        assert!(world.body(ball).unwrap().velocity().length() < 20.0, "{start}");
    }
    (world, ball, id)
}

#[test]
fn a_ball_that_starts_inside_a_soft_cube_comes_out_by_the_nearest_face() {
    for (depth, h, time) in
        [(-0.036, 0.01, 1.0), (0.02, 0.01, 2.0), (0.06, 0.01, 3.0), (0.12, 0.01, 4.0), (0.12, 0.002, 2.0)]
    {
        let (world, ball, id) = swallowed(depth, h, time);
        let y = world.body(ball).unwrap().position().y;
        let top = world.deformable(id).unwrap().positions().map(|x| x.y).fold(f64::NEG_INFINITY, f64::max);
        println!("from {depth} below at {h}: {y:.4}, top {top:.4}");
        // Out, and the cube has its shape again.
        assert!(y > 0.3 + 0.06 + 0.005 - 1e-3, "{depth} {h}: {y}");
        let sound = world.deformable(id).unwrap().outputs().all(|o| o.j > 0.5 && o.j < 1.5);
        assert!(sound && (top - 0.3).abs() < 0.02, "{depth} {h}: {top}");
    }
}

/// A cloth has no inside: what is below it stays below, and one that is closed is no solid.
#[test]
fn cloth_stays_two_sided() {
    let mut world = floor(0.5);
    let cloth = soft::Material::new(300.0, 1e5, 0.3).thickness(1e-3).damping(0.01);
    let sheet = sheet(0.4, 0.4, [8, 8]);
    let id = world.add(
        Deformable::new(&sheet, &cloth).unwrap().at(0.12 * Vec3::Y).held(|x| x.x == 0.0 || x.x == 0.4).skin(0.004),
    );
    let id = id.unwrap();
    let ball = Body::dynamic(MassProperties::sphere(500.0, 0.03).unwrap()).at(Vec3::new(0.2, 0.07, 0.2));
    let ball = world.add(ball.moving(Vec3::Y, Vec3::ZERO)).unwrap();
    world.add(Collider::new(Shape::ball(0.03)).on(ball)).unwrap();
    for _ in 0..100 {
        world.step(0.01).unwrap();
        assert!(world.body(ball).unwrap().position().y < 0.16);
    }
    assert!(world.body(ball).unwrap().position().y < lowest(&world, id), "below");
    // A closed balloon of triangles: a ball in it stays in it.
    let cube = bar(Vec3::splat(0.4), [4; 3]);
    let skin =
        Mesh { nodes: cube.nodes.clone(), cells: cube.surface_triangles().into_iter().map(soft::Cell::tri3).collect() };
    let used: Vec<bool> =
        (0..skin.nodes.len() as u32).map(|n| skin.cells.iter().any(|c| c.nodes().contains(&n))).collect();
    let number: Vec<u32> = used
        .iter()
        .scan(0, |k, &u| {
            let now = *k;
            *k += u32::from(u);
            Some(now)
        })
        .collect();
    let nodes = skin.nodes.iter().zip(&used).filter(|(_, u)| **u).map(|(x, _)| *x).collect();
    let cells = cube.surface_triangles().into_iter().map(|t| soft::Cell::tri3(t.map(|n| number[n as usize]))).collect();
    let mut world = World::new();
    world.set_options(Options { gravity: Vec3::ZERO, ..Options::default() }).unwrap();
    let balloon = Deformable::new(&Mesh { nodes, cells }, &cloth).unwrap().skin(0.004);
    world.add(balloon).unwrap();
    let ball =
        Body::dynamic(MassProperties::sphere(500.0, 0.05).unwrap()).at(Vec3::splat(0.2)).moving(Vec3::X, Vec3::ZERO);
    let ball = world.add(ball).unwrap();
    world.add(Collider::new(Shape::ball(0.05)).on(ball)).unwrap();
    let (mut most, mut least) = (0.2_f64, 0.2_f64);
    for _ in 0..100 {
        world.step(0.01).unwrap();
        let d = world.deformables().next().unwrap();
        let middle = d.positions().sum::<Vec3>() / d.node_count() as f64;
        let x = world.body(ball).unwrap().position() - middle;
        (most, least) = (most.max(x.x), least.min(x.x));
    }
    assert!(most < 0.3 && least > -0.3, "{least} {most}");
}

/// A cube that starts in another by a sixth of its height comes out, each node by the nearest face.
#[test]
fn soft_cubes_that_start_in_each_other_come_apart() {
    let mut world = World::new();
    world.set_options(Options { gravity: Vec3::ZERO, ..Options::default() }).unwrap();
    let cube = |size: f64, n: usize| {
        Deformable::new(&bar(Vec3::splat(size), [n; 3]), &rubber(1e5).damping(0.02)).unwrap().skin(0.005)
    };
    let a = world.add(cube(0.3, 2)).unwrap();
    let b = world.add(cube(0.12, 2).at(Vec3::new(0.09, 0.28, 0.09))).unwrap();
    for _ in 0..200 {
        world.step(0.01).unwrap();
    }
    let top = |id| world.deformable(id).unwrap().positions().map(|x: Vec3| x.y).fold(f64::NEG_INFINITY, f64::max);
    println!("upper face {}, lower face {}", top(a), lowest(&world, b));
    assert!(lowest(&world, b) > top(a) + 0.009, "{} {}", lowest(&world, b), top(a));
}

/// Positions after some steps of a scene, and the most rows that touched.
fn positions_after(steps: usize, options: Options, scene: fn(&mut World) -> DeformableId) -> (Vec<Vec3>, usize) {
    let mut world = World::new();
    world.set_options(options).unwrap();
    let id = scene(&mut world);
    let mut rows = 0;
    for _ in 0..steps {
        rows = rows.max(world.step(0.01).unwrap().bounded.rows);
    }
    (world.deformable(id).unwrap().positions().collect(), rows)
}

fn cloth_on_a_ball(world: &mut World) -> DeformableId {
    world.add(Collider::new(Shape::ball(0.3)).friction(0.5).on(world.ground())).unwrap();
    let cloth = rubber(1e6).law(soft::Law::StVenantKirchhoff).thickness(1e-3).damping(0.01);
    let soft = Deformable::new(&sheet(1.0, 1.0, [12, 12]), &cloth).unwrap();
    world.add(soft.skin(0.01).at(Vec3::new(-0.5, 0.32, -0.5))).unwrap()
}

fn ball_on_the_floor(world: &mut World) -> DeformableId {
    world.add(Collider::new(Shape::ground()).friction(0.5).on(world.ground())).unwrap();
    world.add(Deformable::new(&ball(0.25, 4), &rubber(2e4)).unwrap().at(0.262 * Vec3::Y).skin(0.01)).unwrap()
}

/// W by the panels that contacts reach, against W by whole solves with a dense factor.
#[test]
fn contacts_by_panels_are_those_of_the_dense_reference() {
    for (scene, least) in [(cloth_on_a_ball as fn(&mut World) -> DeformableId, 60), (ball_on_the_floor, 24)] {
        let (x, rows) = positions_after(25, Options::default(), scene);
        let (y, _) = positions_after(25, Options { solver: Solver::DenseLu, ..Options::default() }, scene);
        let off = x.iter().zip(&y).map(|(x, y)| (*x - *y).length()).fold(0.0, f64::max);
        println!("{rows} rows, {off:.1e} m apart");
        assert!(rows >= least, "{rows} rows");
        assert!(off < 1e-6, "{off}");
    }
}

/// A solid that is large and soft enough to be iterated on, on a small ball: the columns of W come from iterations too.
#[test]
fn contacts_of_a_solid_that_is_iterated_on_hold_it() {
    let mut world = World::new();
    world.add(Collider::new(Shape::ball(0.2)).friction(0.5).on(world.ground())).unwrap();
    let mesh = bar(Vec3::splat(0.5), [10; 3]);
    let soft = Deformable::new(&mesh, &rubber(1e4).damping(0.02)).unwrap();
    let id = world.add(soft.skin(0.01).at(Vec3::new(-0.25, 0.215, -0.25))).unwrap();
    let (mut iterations, mut rows) = (0, 0);
    for _ in 0..20 {
        let report = world.step(0.01).unwrap();
        iterations += if report.bounded.rows > 0 { report.iterations } else { 0 };
        rows = rows.max(report.bounded.rows);
        assert!(report.bounded.residual < 1e-6, "{}", report.bounded.residual);
        let nearest = world.deformable(id).unwrap().positions().map(|x| x.length()).fold(f64::INFINITY, f64::min);
        assert!(nearest > 0.21 - 2e-3, "{nearest}");
    }
    assert!(iterations > 0 && rows > 0, "{iterations} iterations, {rows} rows");
}
