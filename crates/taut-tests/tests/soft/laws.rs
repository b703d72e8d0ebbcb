//! Deformables keep the laws that all of the engine keeps: momentum, snapshots, threads, coordinates, bindings.

use crate::common::meshes::{bar, sheet};
use taut::prelude::*;
use taut::soft::{Cell, Fibre, Law, Material, Mesh, Plasticity};
use taut::{Coordinates, Deformable, DeformableId, Solver, Stabiliser};

fn weightless() -> World {
    let mut world = World::new();
    world.set_options(Options { gravity: Vec3::ZERO, ..Options::default() }).unwrap();
    world
}

/// Momentum and angular momentum about the origin of all bodies with mass.
fn momenta(world: &World) -> (Vec3, Vec3) {
    let (mut p, mut l) = (Vec3::ZERO, Vec3::ZERO);
    for b in world.bodies().filter(|b| b.mass() > 0.0) {
        p += b.mass() * b.velocity();
        l += b.position().cross(b.mass() * b.velocity());
        l += b.pose().rot * (b.inertia() * (b.pose().rot.inverse() * b.angular_velocity()));
    }
    (p, l)
}

#[test]
fn a_free_body_that_tumbles_and_swings_keeps_its_momentum() {
    let mut world = weightless();
    let mesh = bar(Vec3::new(0.6, 0.1, 0.2), [6, 1, 2]);
    let soft = Deformable::new(&mesh, &Material::new(1000.0, 1e5, 0.3)).unwrap();
    let soft =
        soft.moving(Vec3::new(1.0, 2.0, -0.5), Vec3::new(1.0, 3.0, 2.0)).deformed(|x| x * Vec3::new(1.1, 1.0, 0.9));
    let id = world.add(soft).unwrap();
    let (p, l) = momenta(&world);
    let mut turned = 0.0;
    for _ in 0..100 {
        world.step(0.01).unwrap();
        turned += 0.01 * 3.7;
    }
    let (q, m) = momenta(&world);
    let size = world.deformable(id).unwrap().mass();
    assert!((q - p).length() < 1e-11 * size, "{p} {q}");
    let drift = (m - l).length() / l.length();
    println!("angular momentum: {drift:.2e} after {turned:.1} rad");
    assert!(drift < 0.02, "{l} {m}");
}

/// A bar that hangs from a hinged plate: bound nodes against ball joints of every node.
fn plate(bound: bool) -> (World, BodyId, DeformableId) {
    let mut world = World::new();
    let mesh = bar(Vec3::new(0.1, 0.3, 0.1), [1, 3, 1]);
    let plate = Body::dynamic(MassProperties::cuboid(2000.0, Vec3::new(0.1, 0.02, 0.1)).unwrap()).at(0.32 * Vec3::Y);
    let plate = world.add(plate).unwrap();
    world.add(Hinge::between(plate, world.ground()).at(Vec3::new(-0.1, 0.32, 0.0)).axis(Vec3::Z)).unwrap();
    let soft = Deformable::new(&mesh, &Material::new(1000.0, 1e6, 0.3)).unwrap();
    let top = |x: Vec3| x.y > 0.3 - 1e-9;
    let id = world.add(if bound { soft.bound(plate, top) } else { soft }).unwrap();
    if !bound {
        for k in (0..mesh.nodes.len()).filter(|&k| top(mesh.nodes[k])) {
            let node = world.deformable(id).unwrap().node(k).unwrap();
            world.add(Ball::between(node, plate).at(mesh.nodes[k])).unwrap();
        }
    }
    (world, plate, id)
}

#[test]
fn bound_nodes_move_as_if_every_one_were_held_by_a_ball_joint() {
    let apart = [0.001, 0.0005, 0.00025].map(|h| {
        let [a, b] = [true, false].map(|bound| {
            let (mut world, body, id) = plate(bound);
            let mut books = 0.0_f64;
            for _ in 0..(0.3 / h) as usize {
                let r = world.step(h).unwrap();
                books = books.max(r.ledger.imbalance.abs());
                // The world tells the same energy as its steps, bound masses included.
                assert!((world.energy().unwrap().total() - r.energy.total()).abs() < 1e-9);
            }
            assert!(books < 1e-9, "{books}");
            (world.body(body).unwrap().position(), world.deformable(id).unwrap().position(0).unwrap())
        });
        (a.0 - b.0).length().max((a.1 - b.1).length())
    });
    println!("{apart:?}");
    // Both go to the same motion.
    assert!(apart[0] < 1e-3 && apart[1] < 0.6 * apart[0] && apart[2] < 0.6 * apart[1], "{apart:?}");
}

/// A world with all of it: soft bar on a moved body, joints, a cloth, a plastic block, a free rigid chain.
fn mixed() -> World {
    let mut world = World::new();
    let lift = world
        .add(Body::kinematic().at(Vec3::new(3.0, 0.0, 0.0)).moving(0.3 * Vec3::Y, Vec3::new(0.0, 0.5, 0.0)))
        .unwrap();
    let mesh = bar(Vec3::new(0.4, 0.1, 0.1), [4, 1, 1]);
    let rubber = Material::new(1000.0, 2e5, 0.45).damping(0.002);
    let arm = Deformable::new(&mesh, &rubber).unwrap().at(Vec3::new(3.0, 0.0, 0.0));
    let arm = world.add(arm.bound(lift, |x| x.x == 0.0).named("arm")).unwrap();
    let tip = world.deformable(arm).unwrap().node(16).unwrap();
    let ball = world.add(Body::solid(Shape::ball(0.05), 5000.0).unwrap().at(Vec3::new(3.6, 0.0, 0.0))).unwrap();
    world.add(Ball::between(ball, tip).at(world[tip].pos)).unwrap();
    let cloth = Material::new(1000.0, 1e6, 0.3).law(Law::StVenantKirchhoff).thickness(1e-3);
    let cloth = Deformable::new(&sheet(1.0, 1.0, [5, 5]), &cloth).unwrap().held(|x| x.x == 0.0);
    world.add(cloth.named("cloth")).unwrap();
    let lead = Material::new(3000.0, 1e6, 0.4).plasticity(Plasticity {
        yield_strain: 0.01,
        creep_time: 0.05,
        max_strain: 0.3,
    });
    let block = Deformable::new(&bar(Vec3::splat(0.2), [2, 2, 2]), &lead).unwrap();
    world.add(block.at(-2.0 * Vec3::X).held(|x| x.x == 0.0).named("lead")).unwrap();
    world
}

#[test]
fn a_world_of_everything_keeps_its_books_and_goes_back_bit_for_bit() {
    let mut world = mixed();
    let start = world.state().clone();
    let (mut books, mut plastic, mut damping, mut work) = (0.0_f64, 0.0, 0.0, 0.0);
    for _ in 0..100 {
        let r = world.step(0.01).unwrap();
        books = books.max(r.ledger.imbalance.abs());
        plastic += r.ledger.plastic;
        damping += r.ledger.damping;
        work += r.ledger.work;
        let now = world.energy().unwrap();
        assert!((now.total() - r.energy.total()).abs() < 1e-9 * (1.0 + r.energy.kinetic), "{now:?} {:?}", r.energy);
    }
    println!("books {books:.1e}, plastic {plastic}, damping {damping}, work {work}");
    assert!(books < 1e-10 && plastic < 0.0 && damping < 0.0, "{books} {plastic} {damping}");
    let end = world.state().hash();
    world.restore(&start).unwrap();
    (0..100).for_each(|_| drop(world.step(0.01).unwrap()));
    assert_eq!(world.state().hash(), end);
    let bytes = taut::State::from_bytes(&start.to_bytes()).unwrap();
    assert_eq!(bytes, start);
}

#[test]
fn reduced_coordinates_and_other_solvers_agree() {
    let run = |options: Options| {
        let (mut world, plate, _) = plate(true);
        world.set_options(options).unwrap();
        (0..50).for_each(|_| drop(world.step(0.002).unwrap()));
        world.body(plate).unwrap().position()
    };
    let base = run(Options::default());
    let reduced = run(Options { coordinates: Coordinates::Reduced, ..Options::default() });
    assert!((base - reduced).length() < 1e-5, "{base} {reduced}");
    let dense = run(Options { solver: Solver::DenseLu, ..Options::default() });
    assert!((base - dense).length() < 1e-9, "{base} {dense}");
    let none = run(Options { stabiliser: Stabiliser::None, ..Options::default() });
    assert!((base - none).length() < 5e-3, "{base} {none}");
}

/// An arm of two links in reduced coordinates with a soft bar bound to its hand, and the same in maximal ones.
#[test]
fn an_arm_in_reduced_coordinates_carries_a_soft_bar() {
    let run = |coordinates: Coordinates, h: f64| {
        let mut world = World::new();
        world.set_options(Options { coordinates, ..Options::default() }).unwrap();
        let link =
            |x: f64| Body::dynamic(MassProperties::cuboid(1000.0, Vec3::new(0.4, 0.05, 0.05)).unwrap()).at(x * Vec3::X);
        let (upper, hand) = (world.add(link(0.2)).unwrap(), world.add(link(0.6)).unwrap());
        world.add(Hinge::between(upper, world.ground()).at(Vec3::ZERO).axis(Vec3::Z)).unwrap();
        let elbow = Hinge::between(hand, upper).at(0.4 * Vec3::X).axis(Vec3::Z);
        world.add(elbow.spring(30.0, 0.5)).unwrap();
        let mesh = bar(Vec3::new(0.3, 0.04, 0.04), [4, 1, 1]);
        let soft = Deformable::new(&mesh, &Material::new(1000.0, 1e6, 0.3)).unwrap();
        let id = world.add(soft.at(Vec3::new(0.8, -0.02, -0.02)).bound(hand, |x| x.x == 0.0)).unwrap();
        let (mut gap, mut books) = (0.0_f64, 0.0_f64);
        for _ in 0..(0.5 / h) as usize {
            let r = world.step(h).unwrap();
            (gap, books) = (gap.max(r.max_gap), books.max(r.ledger.imbalance.abs()));
        }
        let tip = world.deformable(id).unwrap().position(mesh.nodes.len() - 1).unwrap();
        (tip, gap, books)
    };
    for h in [0.002, 0.0005] {
        let ((a, _, x), (b, gap, y)) = (run(Coordinates::Maximal, h), run(Coordinates::Reduced, h));
        println!("h {h}: {a} and {b}, apart by {:.1e}, gap {gap:.1e}", (a - b).length());
        assert!((a - b).length() < 2.0 * h && gap < 1e-10, "{h}: {a} {b} {gap}");
        assert!(x < 1e-9 && y < 1e-9, "{x} {y}");
    }
}

#[test]
fn a_muscle_pulls_with_its_stress_and_its_work_is_booked() {
    let mut world = weightless();
    let mesh = bar(Vec3::new(0.2, 0.03, 0.03), [8, 1, 1]);
    let flesh =
        Material::new(1000.0, 3e4, 0.49).law(Law::StableNeoHookean).fibre(Fibre { direction: Vec3::X, stress: 3e5 });
    let cart = Body::dynamic(MassProperties::cuboid(1000.0, Vec3::splat(0.1)).unwrap()).at(0.3 * Vec3::X);
    let cart = world.add(cart).unwrap();
    let rail = world.add(Weld::between(cart, world.ground()).at(0.3 * Vec3::X)).unwrap();
    let soft = Deformable::new(&mesh, &flesh).unwrap().held(|x| x.x == 0.0).bound(cart, |x| x.x > 0.2 - 1e-9);
    let muscle = world.add(soft).unwrap();
    assert!(world.set_activation(muscle, 1.5).is_err());
    for k in 0..200 {
        world.set_activation(muscle, (f64::from(k) / 20.0).min(1.0)).unwrap();
        let r = world.step(0.01).unwrap();
        assert!(r.ledger.imbalance.abs() < 1e-9);
    }
    let force = world.joint(rail).unwrap().force().x.abs();
    assert!((force - 270.0).abs() < 0.03 * 270.0, "{force} N");
}

/// A spring between two bones by points that are skinned to both.
#[test]
fn skinned_points_pull_on_all_their_bones() {
    let mut world = weightless();
    let bone = MassProperties::cuboid(1000.0, Vec3::new(0.2, 0.02, 0.02)).unwrap();
    let a = world.add(Body::dynamic(bone).at(-0.25 * Vec3::X)).unwrap();
    let b = world.add(Body::dynamic(bone).at(0.25 * Vec3::X)).unwrap();
    world.add(Hinge::between(a, b).at(Vec3::ZERO).axis(Vec3::Z)).unwrap();
    let mesh = Mesh {
        nodes: vec![Vec3::new(-0.2, 0.05, 0.0), Vec3::new(0.0, 0.06, 0.0), Vec3::new(0.2, 0.05, 0.0)],
        cells: vec![Cell::bar2([0, 1]), Cell::bar2([1, 2])],
    };
    let tendon = Material::new(1000.0, 1e8, 0.0).area(1e-5);
    let weights = |_: usize, x: Vec3| {
        let w = (0.5 + x.x / 0.4).clamp(0.0, 1.0);
        [(a, 1.0 - w), (b, w)].into_iter().filter(|c| c.1 > 0.0).collect::<Vec<_>>()
    };
    let ligament = world.add(Deformable::new(&mesh, &tendon).unwrap().mapped(weights)).unwrap();
    world.set_velocity(a, Vec3::ZERO, 1.0 * Vec3::Z).unwrap();
    let (p, l) = momenta(&world);
    let mut books = 0.0_f64;
    for _ in 0..400 {
        books = books.max(world.step(0.0025).unwrap().ledger.imbalance.abs());
    }
    assert!(books < 1e-10, "{books}");
    let (q, m) = momenta(&world);
    // The mass of the tendon, 4 g, is not in these sums.
    assert!((q - p).length() < 0.01 && (m - l).length() < 0.01 * l.length(), "{p} {q} {l} {m}");
    assert!(world.deformable(ligament).unwrap().energy() > 0.0);
}

#[test]
fn what_cannot_be_is_refused_and_nothing_is_left() {
    let mut world = World::new();
    let mesh = bar(Vec3::ONE, [1, 1, 1]);
    let good = Material::new(1000.0, 1e6, 0.3);
    for (bad, name) in [
        (Material::new(f64::NAN, 1e6, 0.3), "density"),
        (Material::new(1000.0, -1.0, 0.3), "young"),
        (Material::new(1000.0, 1e6, 0.51), "poisson"),
        (Material::new(1000.0, 1e6, -1.0), "poisson"),
    ] {
        let e = Deformable::new(&mesh, &bad).err().unwrap().to_string();
        assert!(e.contains(name), "{e}");
    }
    let mut flat = mesh.clone();
    flat.nodes.iter_mut().for_each(|x| x.z = 0.0);
    let e = Deformable::new(&flat, &good).err().unwrap().to_string();
    assert!(e.contains("cell 0"), "{e}");
    let mut far = mesh.clone();
    far.cells[0] = Cell::hex8([1, 2, 3, 4, 5, 6, 7, 8]);
    assert!(Deformable::new(&far, &good).err().unwrap().to_string().contains("index"));
    let before = world.bodies().count();
    let nan = Deformable::new(&mesh, &good).unwrap().at(Vec3::new(f64::NAN, 0.0, 0.0));
    assert!(world.add(nan).is_err());
    let twice = Deformable::new(&mesh, &good).unwrap().held(|x| x.x == 0.0).held(|x| x.y == 0.0);
    assert!(world.add(twice).err().unwrap().to_string().contains("once"));
    let light =
        Deformable::new(&mesh, &good).unwrap().mapped(|_, _| vec![(BodyId::clone(&ground(&World::new())), 0.5)]);
    assert!(world.add(light).is_err());
    assert_eq!(world.bodies().count(), before);
    let id = world.add(Deformable::new(&mesh, &good).unwrap().named("cube")).unwrap();
    let node = world.deformable(id).unwrap().node(0).unwrap();
    assert!(world.remove(node).err().unwrap().to_string().contains("deformable 'cube'"));
    assert!(world.deformable(id).unwrap().position(8).is_err());
    assert!(world.set_activation(id, 0.5).is_err());
    world.step(0.01).unwrap();
    world.remove(id).unwrap();
    assert_eq!(world.bodies().count(), before);
    assert!(world.deformable(id).is_err());
}

fn ground(world: &World) -> BodyId {
    world.ground()
}
