//! A step whose structure did not change allocates nothing.

mod common;
mod counting;

use common::{chain, four_bar, world};
use counting::{COUNT, allocations};
use taut::{
    Ball, Body, Collider, Distance, Hinge, MassProperties, Material, Options, Shape, Solver, Vec3, settings::Budget,
};

#[test]
fn the_counter_counts() {
    COUNT.set(Some(1));
    drop(std::hint::black_box(vec![0_u8; 100]));
    assert_eq!(COUNT.replace(None), Some(2));
}

#[test]
fn a_chain_steps_without_allocation() {
    for (load, h) in [(0.0, 0.01), (1e3, 1.0 / 60.0), (1e6, 0.05)] {
        for hinges in [false, true] {
            let mut w = world(Options::default());
            chain(&mut w, 100, Vec3::X, load, if hinges { Hinge::between } else { Ball::between });
            assert_eq!(allocations(&mut w, 50, h), 0, "load {load}, hinges {hinges}");
        }
    }
}

#[test]
fn floats_in_wind_and_waves_with_top_speeds_step_without_allocation() {
    use taut::field::{Gusts, Water, Wave, Wind};
    let mut w = world(Options::default());
    let swell = Wave { height: 1.0, period: 6.0, direction: Vec3::X, phase: 0.0 };
    w.set_water(Some(Water::still(0.0).wave(swell))).unwrap();
    w.set_wind(Some(Wind::steady(Vec3::X).gusts(Gusts::Spectrum { deviation: 1.0, period: 3.0, seed: 1 }))).unwrap();
    for (k, shape) in [Shape::ball(0.5), Shape::cuboid(Vec3::ONE), Shape::capsule(0.5, 0.2)].into_iter().enumerate() {
        let float = Body::solid(shape, 400.0).unwrap().at(5.0 * k as f64 * Vec3::Z).top_speed(1.0, 1.0);
        w.add(float).unwrap();
    }
    (0..300).for_each(|_| drop(w.step(0.01).unwrap()));
    assert_eq!(allocations(&mut w, 300, 0.01), 0);
}

#[test]
fn a_four_bar_steps_without_allocation() {
    let mut w = world(Options::default());
    four_bar(&mut w, 1.0);
    assert_eq!(allocations(&mut w, 200, 0.01), 0);
}

#[test]
fn the_structured_solver_steps_without_allocation() {
    for budget in [Budget::default(), Budget { gap: Some(1e-9), ..Budget::iterations(5) }] {
        let mut w = world(Options { solver: Solver::Structured(budget), ..Options::default() });
        four_bar(&mut w, 1.0);
        let (bodies, _) = chain(&mut w, 12, Vec3::X, 10.0, Ball::between);
        w.add(Ball::between(bodies[12], w.ground())).unwrap();
        // Memory of corrections is made when the first one is needed.
        (0..20).for_each(|_| drop(w.step(0.01).unwrap()));
        assert_eq!(allocations(&mut w, 100, 0.01), 0, "{budget:?}");
    }
}

#[test]
fn a_cable_of_particles_steps_without_allocation() {
    let mut w = world(Options::default());
    let mut last = w.ground();
    for k in 0..50 {
        let b = w.add(Body::particle(if k == 49 { 1e4 } else { 1.0 }).at(Vec3::X * f64::from(k + 1))).unwrap();
        w.add(Distance::between(b, last)).unwrap();
        last = b;
    }
    assert_eq!(allocations(&mut w, 200, 0.01), 0);
}

#[test]
fn gears_step_without_allocation() {
    for coordinates in [taut::Coordinates::Maximal, taut::Coordinates::Reduced] {
        let mut g = common::gears::Planetary::new(Options { coordinates, ..Options::default() });
        common::gears::torque(&mut g.w, g.sun, 0.5);
        // Memory of corrections is made when the first one is needed.
        (0..60).for_each(|_| drop(g.w.step(0.01).unwrap()));
        assert_eq!(allocations(&mut g.w, 200, 0.01), 0, "{coordinates:?}");
    }
}

#[test]
fn joints_with_armatures_step_without_allocation() {
    for coordinates in [taut::Coordinates::Maximal, taut::Coordinates::Reduced] {
        let mut w = world(Options { coordinates, ..Options::default() });
        let (_, joints) = chain(&mut w, 6, Vec3::X, 10.0, |i, j| taut::Hinge::between(i, j).axis(Vec3::Z));
        joints.iter().for_each(|&j| w.set_armature(j, 0.4).unwrap());
        (0..20).for_each(|_| drop(w.step(0.01).unwrap()));
        assert_eq!(allocations(&mut w, 100, 0.01), 0, "{coordinates:?}");
    }
}

#[test]
fn loads_targets_and_snapshots_of_the_same_structure_do_not_make_a_step_allocate() {
    let mut w = world(Options::default());
    let (bodies, _) = chain(&mut w, 10, Vec3::X, 100.0, Ball::between);
    w.step(0.01).unwrap();
    let snapshot = w.state().clone();
    for _ in 0..5 {
        w.apply_force(bodies[3], Vec3::Y, Vec3::ZERO).unwrap();
        w.restore(&snapshot).unwrap();
        assert_eq!(allocations(&mut w, 20, 0.01), 0);
    }
}

#[test]
fn boxes_at_rest_and_asleep_step_without_allocation() {
    for sleep in [false, true] {
        let mut w = world(Options { sleep, ..Options::default() });
        w.add(Collider::new(Shape::ground()).on(w.ground())).unwrap();
        for k in 0..5 {
            let cube = Body::solid(Shape::cuboid(Vec3::splat(0.1)), 1000.0).unwrap();
            w.add(cube.at(Vec3::Y * (0.1 + 0.2 * f64::from(k)))).unwrap();
        }
        for _ in 0..60 {
            w.step(1.0 / 60.0).unwrap();
        }
        assert_eq!(w.sleeping(), if sleep { 5 } else { 0 });
        assert_eq!(allocations(&mut w, 50, 1.0 / 60.0), 0, "sleep {sleep}");
    }
}

#[test]
fn hooks_and_queries_between_steps_do_not_make_a_step_allocate() {
    struct Rough;
    impl taut::hooks::ContactHooks for Rough {
        fn modify(&self, contact: &mut taut::hooks::ContactEdit<'_>) {
            contact.friction = [0.9; 2];
        }
    }
    let mut w = world(Options { sleep: false, ..Options::default() });
    w.add(taut::Collider::new(taut::Shape::ground()).on(w.ground())).unwrap();
    for k in 0..5 {
        let half = Vec3::splat(0.1);
        let mass = taut::MassProperties::cuboid(1000.0, half).unwrap();
        let b = w.add(Body::dynamic(mass).at(Vec3::Y * (0.1 + 0.2 * f64::from(k)))).unwrap();
        w.add(taut::Collider::new(taut::Shape::cuboid(half)).on(b)).unwrap();
    }
    w.set_contact_hooks(Some(std::sync::Arc::new(Rough)));
    for k in 0..60 {
        w.step(1.0 / 60.0).unwrap();
        w.cast_ray(Vec3::Y * 5.0, -Vec3::Y, 10.0, &taut::queries::QueryFilter::default()).unwrap();
        let count = if k < 20 { 0 } else { allocations(&mut w, 1, 1.0 / 60.0) };
        assert_eq!(count, 0, "step {k}");
    }
}

#[test]
fn a_bouncing_and_sliding_box_steps_without_allocation() {
    let mut w = world(Options::default());
    let material = Material::new(0.5, 0.6);
    w.add(Collider::new(Shape::ground()).of(material).on(w.ground())).unwrap();
    let half = Vec3::new(0.1, 0.2, 0.15);
    let mass = MassProperties::cuboid(1000.0, half).unwrap();
    let def = Body::dynamic(mass).at(Vec3::Y).moving(Vec3::X * 2.0, Vec3::new(1.0, 4.0, 2.0));
    let pose = def.pose;
    let b = w.add(def.collider(Collider::new(Shape::cuboid(half)).of(material))).unwrap();
    // Memory grows to what the first throw needs; the second needs no more. Events are handed out in a list of their own.
    for counts in [false, true] {
        w.set_pose(b, pose).unwrap();
        w.set_velocity(b, Vec3::X * 2.0, Vec3::new(1.0, 4.0, 2.0)).unwrap();
        let mut lists = 0;
        COUNT.set(counts.then_some(0));
        for _ in 0..90 {
            lists += usize::from(!w.step(1.0 / 60.0).unwrap().events.is_empty());
        }
        let count = COUNT.replace(None);
        assert!(lists > 2);
        assert_eq!(count, counts.then_some(lists));
    }
}

#[test]
fn a_deformable_on_the_ground_steps_without_allocation() {
    use taut::{Deformable, soft};
    let corner = |k: usize| Vec3::new((k / 4) as f64, (k / 2 % 2) as f64, (k % 2) as f64);
    let cells = vec![soft::Cell::hex8([0, 4, 6, 2, 1, 5, 7, 3])];
    let mesh = soft::Mesh { nodes: (0..8).map(corner).collect(), cells };
    let mut w = world(Options { sleep: false, ..Options::default() });
    w.add(Collider::new(Shape::ground()).on(w.ground())).unwrap();
    let rubber = soft::Material::new(1000.0, 1e6, 0.3).damping(0.01);
    w.add(Deformable::new(&mesh, &rubber).unwrap().at(0.011 * Vec3::Y).skin(0.01)).unwrap();
    w.add(Body::solid(Shape::ball(0.1), 500.0).unwrap().at(Vec3::new(0.6, 1.2, 0.4))).unwrap();
    (0..200).for_each(|_| drop(w.step(0.01).unwrap()));
    assert_eq!(allocations(&mut w, 50, 0.01), 0);
}

/// A stiff sheet that falls at 0.04 s takes its steps in up to eight parts; a kinematic body is carried along by them.
#[test]
fn a_step_in_parts_does_not_allocate() {
    use taut::{Deformable, Pose, soft};
    let node = |k: usize| 0.1 * Vec3::new((k / 11) as f64, 1e-3 * ((37 * k) % 7) as f64, (k % 11) as f64);
    let corner = |k: u32| [k, k + 1, k + 12, k + 11].map(|n| n + k / 10);
    let halves = |[a, b, c, d]: [u32; 4]| [soft::Cell::tri3([a, b, c]), soft::Cell::tri3([a, c, d])];
    let cells = (0..100).flat_map(|k| halves(corner(k))).collect();
    let mesh = soft::Mesh { nodes: (0..121).map(node).collect(), cells };
    let mut w = world(Options { sleep: false, ..Options::default() });
    let sheet = soft::Material::new(1210.0, 1e9, 0.49).law(soft::Law::StVenantKirchhoff).thickness(1e-3).bending(0.0);
    w.add(Deformable::new(&mesh, &sheet).unwrap().held(|x| x.x == 0.0)).unwrap();
    let jelly = soft::Material::new(1000.0, 1e5, 0.5);
    let cube = |k: usize| 0.2 * Vec3::new((k / 4) as f64, (k / 2 % 2) as f64, (k % 2) as f64);
    let brick =
        soft::Mesh { nodes: (0..8).map(cube).collect(), cells: vec![soft::Cell::hex8([0, 4, 6, 2, 1, 5, 7, 3])] };
    let cube = Deformable::new(&brick, &jelly).unwrap().at(3.0 * Vec3::X).moving(Vec3::ZERO, Vec3::splat(3.0));
    w.add(cube).unwrap();
    let lift = w.add(Body::kinematic().at(5.0 * Vec3::X)).unwrap();
    let mut most = 1;
    let mut run = |w: &mut taut::World, steps: usize| {
        for k in 0..steps {
            w.set_target(lift, Pose::at(Vec3::new(5.0, 0.01 * (k % 3) as f64, 0.0))).unwrap();
            most = most.max(w.step(0.04).unwrap().parts);
        }
    };
    run(&mut w, 20);
    COUNT.set(Some(0));
    run(&mut w, 20);
    assert_eq!(COUNT.replace(None), Some(0));
    assert!(most > 1, "{most}");
}

#[test]
fn ropes_that_look_for_guides_and_obstacles_step_without_allocation() {
    use taut::{Edge, Rope, Sheave};
    let mut w = world(Options::default());
    let g = w.ground();
    let start = Vec3::new(0.8, -2.0, 0.1);
    let load = w.add(Body::particle(10.0).at(start)).unwrap();
    let post = Collider::new(Shape::cuboid(Vec3::splat(0.1))).at(Vec3::new(0.3, -1.2, 0.1));
    w.add(post.on(g)).unwrap();
    // A bumpy field that reaches into the box of the last span.
    let heights = (0..9).map(|r| (0..9).map(|c| f64::from((r * c) % 3)).collect()).collect();
    let field = Shape::HeightField { heights, scale: Vec3::new(2.0, 0.02, 2.0) };
    w.add(Collider::new(field).at(Vec3::new(1.75, -1.9, 0.1)).on(g)).unwrap();
    let tip = Sheave::on(g, Vec3::ZERO, Vec3::Z, 0.2);
    let clear = Sheave::on(g, Vec3::new(-0.5, -1.5, 0.0), Vec3::Z, 0.1);
    let quay = Edge::between(g, Vec3::new(0.7, -0.5, -2.0), Vec3::new(0.7, -0.5, 2.0));
    let drum = Sheave::on(g, Vec3::new(-2.0, -1.0, 0.0), Vec3::Z, 0.2).rope_diameter(0.01).wraps(5.0).stored(9.0);
    let line = Rope::from_drum(drum.over()).over(tip).across(quay).round(clear.against()).to(load, start);
    w.add(line).unwrap();
    // Memory to look with is made in the first step.
    (0..20).for_each(|_| drop(w.step(0.01).unwrap()));
    assert_eq!(allocations(&mut w, 100, 0.01), 0);
}

#[test]
fn ropes_with_torsion_step_without_allocation() {
    use taut::{Rope, Sheave};
    let mut w = world(Options::default());
    let g = w.ground();
    let start = Vec3::new(0.2, -2.0, 0.0);
    let mass = MassProperties::cuboid(1000.0, Vec3::splat(0.1)).unwrap();
    let load = w.add(Body::dynamic(mass).at(start).moving(Vec3::ZERO, Vec3::new(0.1, 5.0, 0.0))).unwrap();
    let tip = Sheave::on(g, Vec3::ZERO, Vec3::Z, 0.2);
    let drum = Sheave::on(g, Vec3::new(-2.0, -1.0, 0.0), Vec3::Z, 0.2);
    let line = Rope::from_drum(drum.against()).round(tip.against()).to(load, start).torsion(5.0);
    w.add(line).unwrap();
    (0..20).for_each(|_| drop(w.step(0.01).unwrap()));
    assert_eq!(allocations(&mut w, 100, 0.01), 0);
}
