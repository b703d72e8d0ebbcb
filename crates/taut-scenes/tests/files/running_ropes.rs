//! Ropes that have left guides, met colliders, pass edges and come off drums with layers, saved in mid-run and taken up again.

use taut::parts::StopMemory;
use taut::prelude::*;
use taut::{Edge, RopeEnd, Sheave};
use taut_scenes::file::{FileError, build, from_world, parse, write};

fn at(x: f64, y: f64) -> Vec3 {
    Vec3::new(x, y, 0.0)
}

fn open(text: &str) -> std::result::Result<World, FileError> {
    parse(text).and_then(|f| build(&f)).map(|s| s.world).map_err(|e| e.located(text))
}

fn saved(world: &World) -> String {
    write(&from_world(world).unwrap_or_else(|e| panic!("{e}")).file).unwrap()
}

/// All that the ropes of a world have become, to the last bit; colliders by their places.
fn become_of(world: &World) -> String {
    let ropes = world.ropes().map(|r| {
        let mut m = r.memory();
        let mut found = Vec::new();
        for s in &mut m.stops {
            if let StopMemory::Found { collider, feature, radius, about, hold } = *s {
                let place = world.colliders().position(|c| c == collider);
                found.push(format!("{place:?} {feature} {radius:?} {about} {hold:?}"));
                *s = StopMemory::Given(usize::MAX);
            }
        }
        format!("{m:?} {found:?} {:?} {:?}", r.stored(), r.free_ends().map(|e| e.is_some()))
    });
    ropes.collect::<Vec<_>>().join("\n")
}

/// A file does not say how long the last step was, so that its first step is one from rest: half a step of gravity, m.
const OFF: f64 = 0.03;

/// Saved and taken up, a world has ropes with the same bits, is written as the same text, and goes on near the one that was not saved; two that are
/// taken up go on with the same bits. How far it is off after the steps, m.
fn goes_on(mut world: World, h: f64, steps: usize) -> f64 {
    let text = saved(&world);
    let [mut a, mut b] = [0; 2].map(|_| open(&text).unwrap_or_else(|e| panic!("{e}\n{text}")));
    assert_eq!(become_of(&world), become_of(&a));
    assert_eq!(saved(&a), text);
    let mut off = 0.0_f64;
    for _ in 0..steps {
        for w in [&mut world, &mut a, &mut b] {
            let report = w.step(h).unwrap();
            assert!(report.ledger.imbalance.abs() < 1e-9, "{:?}", report.ledger);
        }
        assert_eq!(a.state().hash(), b.state().hash());
        for (x, y) in world.bodies().zip(a.bodies()) {
            off = off.max((x.position() - y.position()).length());
        }
    }
    off
}

/// A pendulum of 2 m with a hook at the origin, and what it is led or met by.
fn pendulum(lead: impl Fn(&mut World, taut::Reeving) -> taut::Reeving) -> World {
    let mut w = World::new();
    let a = std::f64::consts::PI / 3.0;
    let start = at(-2.0 * a.sin(), -2.0 * a.cos());
    let bob = w.add(Body::particle(10.0).at(start).named("bob")).unwrap();
    let ground = w.ground();
    let line = lead(&mut w, Rope::from(ground, Vec3::ZERO).named("line"));
    w.add(line.to(bob, start)).unwrap();
    w
}

fn spans(w: &World) -> usize {
    w.ropes().next().unwrap().span_count()
}

/// Runs a world until its rope has so many spans.
fn until(w: &mut World, h: f64, count: usize) {
    let mut steps = 0;
    while spans(w) != count {
        w.step(h).unwrap();
        steps += 1;
        assert!(steps < 4000, "{} spans", spans(w));
    }
}

#[test]
fn a_rope_that_has_left_a_sheave_is_saved_and_meets_it_again() {
    let peg =
        |w: &mut World, line: taut::Reeving| line.round(Sheave::on(w.ground(), at(0.1, -0.8), Vec3::Z, 0.1).about());
    for (count, friction) in [(1, 0.0), (2, 0.0), (2, 0.2)] {
        let mut w = pendulum(|w, line| match friction > 0.0 {
            true => line.round(Sheave::on(w.ground(), at(0.1, -0.8), Vec3::Z, 0.1).friction(friction).about()),
            false => peg(w, line),
        });
        until(&mut w, 0.005, count);
        (0..5).for_each(|_| drop(w.step(0.005).unwrap()));
        let off = goes_on(w, 0.005, 600);
        println!("{count} spans, friction {friction}: {off:.1e} m off in 3 s");
        assert!(off < OFF, "{off}");
    }
}

#[test]
fn a_rope_over_an_edge_is_saved_on_it_and_off_it() {
    for count in [1, 2] {
        let mut w = pendulum(|w, line| {
            let ends = [-Vec3::Z, Vec3::Z].map(|z| at(0.0, -0.7) + z);
            line.across(Edge::between(w.ground(), ends[0], ends[1]).outward(-Vec3::X))
        });
        until(&mut w, 0.005, count);
        let off = goes_on(w, 0.005, 600);
        println!("{count} spans: {off:.1e} m off in 3 s");
        assert!(off < OFF, "{off}");
    }
    // One that has taken no step goes on with the same bits.
    let mut w = World::new();
    let start = Vec3::new(0.0, -2.0, 0.6);
    let bob = w.add(Body::particle(3.0).at(start).named("bob")).unwrap();
    let edge = Edge::between(w.ground(), -4.0 * Vec3::Z, 4.0 * Vec3::Z).friction(0.1);
    w.add(Rope::from(w.ground(), at(-1.0, 0.0)).across(edge).to(bob, start)).unwrap();
    assert_eq!(goes_on(w, 0.01, 300), 0.0);
}

#[test]
fn a_rope_that_has_met_colliders_is_saved_with_them() {
    let turn = Quat::from_rotation_x(0.5 * std::f64::consts::PI);
    let tent = Shape::HeightField { heights: vec![vec![0.0, 1.0, 0.0]; 8], scale: Vec3::new(0.1, 0.3, 1.0) };
    let shapes = [
        Collider::new(Shape::cylinder(0.5, 0.05)).rotated(turn),
        Collider::new(Shape::ball(0.1)),
        Collider::new(Shape::cuboid(Vec3::new(0.1, 0.1, 0.5))).friction(0.0),
        Collider::new(Shape::cuboid(Vec3::new(0.1, 0.1, 0.5))),
        Collider::new(tent).rotated(Quat::from_rotation_z(0.5 * std::f64::consts::PI)).at(0.2 * Vec3::X),
    ];
    for shape in shapes {
        let mut w = pendulum(|w, line| {
            let wall = w.add(Body::fixed().at(at(0.1, -0.9)).named("wall")).unwrap();
            w.add(shape.clone().on(wall)).unwrap();
            line.thickness(0.01)
        });
        assert_eq!(goes_on(w.clone(), 0.005, 400), 0.0, "from the start it has all bits");
        until(&mut w, 0.005, 2);
        (0..10).for_each(|_| drop(w.step(0.005).unwrap()));
        assert!(w.ropes().next().unwrap().colliders().count() >= 1);
        let off = goes_on(w, 0.005, 300);
        println!("{:.1e} m off in 1.5 s", off);
        assert!(off < OFF, "{off}");
    }
}

/// A load on a drum of 0.2 m with layers, that turns under it.
fn drum(stored: f64) -> World {
    let mut w = World::new();
    let rotor =
        w.add(Body::dynamic(MassProperties::from_diagonal(20.0, Vec3::splat(2.0)).unwrap()).named("rotor")).unwrap();
    w.add(Hinge::between(rotor, w.ground()).axis(Vec3::Z)).unwrap();
    let load = w.add(Body::particle(10.0).at(at(0.25, -1.0)).named("load")).unwrap();
    let drum = Sheave::on(rotor, Vec3::ZERO, Vec3::Z, 0.2).rope_diameter(0.02).wraps(2.0).stored(stored).capacity(20.0);
    w.add(Rope::from_drum(drum.against()).to(load, at(0.25, -1.0))).unwrap();
    w
}

#[test]
fn drums_with_layers_are_saved_as_they_turn_and_when_they_have_run_empty() {
    assert_eq!(goes_on(drum(10.0), 0.01, 200), 0.0, "from the start it has all bits");
    let mut w = drum(10.0);
    (0..100).for_each(|_| drop(w.step(0.01).unwrap()));
    let off = goes_on(w, 0.01, 200);
    println!("{off:.1e} m off in 2 s");
    assert!(off < OFF, "{off}");
    let mut w = drum(2.0);
    let mut steps = 0;
    while w.ropes().next().unwrap().stored()[0] != Some(0.0) {
        w.step(0.01).unwrap();
        steps += 1;
        assert!(steps < 500);
    }
    let memory = w.ropes().next().unwrap().memory();
    assert_eq!(memory.stops[0], StopMemory::Shell(0));
    let off = goes_on(w, 0.01, 100);
    println!("empty: {off:.1e} m off in 1 s");
    assert!(off < OFF, "{off}");
}

#[test]
fn a_cut_rope_on_an_obstacle_is_saved_with_its_free_ends() {
    let mut w = pendulum(|w, line| {
        let peg = Sheave::on(w.ground(), at(-0.3, -0.1), Vec3::Z, 0.05).about();
        let wall = w.add(Body::fixed().at(at(0.1, -0.9)).named("wall")).unwrap();
        w.add(Collider::new(Shape::cuboid(Vec3::new(0.1, 0.1, 0.5))).on(wall)).unwrap();
        line.round(peg)
    });
    until(&mut w, 0.005, 2);
    let rope = w.ropes().next().unwrap().id();
    w.cut_rope(rope, 1.5).unwrap();
    (0..20).for_each(|_| drop(w.step(0.005).unwrap()));
    assert_eq!(w.ropes().count(), 2);
    goes_on(w.clone(), 0.005, 100);
    w.release_rope(RopeEnd::first_of(rope)).unwrap();
    (0..5).for_each(|_| drop(w.step(0.005).unwrap()));
    goes_on(w, 0.005, 100);
}

#[test]
fn a_rope_whose_guides_overlap_now_is_saved() {
    let mut w = World::new();
    let block =
        w.add(Body::dynamic(MassProperties::sphere(1000.0, 0.1).unwrap()).at(at(0.3, -2.0)).named("block")).unwrap();
    let fixed = Sheave::on(w.ground(), Vec3::ZERO, Vec3::Z, 0.3).against();
    let under = Sheave::on(block, at(0.3, -2.0), Vec3::Z, 0.2).about();
    let ends = [at(-0.3, -2.0), at(0.5, 0.0)];
    w.add(Rope::from(w.ground(), ends[0]).round(fixed).round(under).to(w.ground(), ends[1])).unwrap();
    (0..10).for_each(|_| drop(w.step(0.01).unwrap()));
    w.set_pose(block, Pose::at(at(0.1, -0.1))).unwrap();
    let rope = w.ropes().next().unwrap();
    assert!(rope.ends().count() < rope.span_count());
    let mut again = open(&saved(&w)).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(become_of(&w), become_of(&again));
    (0..10).for_each(|_| drop(again.step(0.01).unwrap()));
}

/// A saved pendulum on a wall.
fn bent() -> String {
    let mut w = pendulum(|w, line| {
        let wall = w.add(Body::fixed().at(at(0.1, -0.9)).named("wall")).unwrap();
        w.add(Collider::new(Shape::cuboid(Vec3::new(0.1, 0.1, 0.5))).on(wall)).unwrap();
        line
    });
    until(&mut w, 0.005, 2);
    saved(&w)
}

type Change<'a> = &'a dyn Fn(&mut serde_json::Value);

#[test]
fn bad_values_of_what_a_rope_touches_are_refused_by_name() {
    let text = bent();
    let file: serde_json::Value = serde_json::from_str(&text).unwrap();
    let with = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut file = file.clone();
        change(&mut file["ropes"][0]["state"]);
        open(&serde_json::to_string(&file).unwrap()).map(drop).map_err(|e| e.to_string())
    };
    assert_eq!(with(&|_| ()), Ok(()));
    let cases: [(&str, Change<'_>); 14] = [
        ("expected one of guide, shell and collider", &|s| s["stops"][0] = serde_json::json!({})),
        ("number", &|s| s["stops"][0] = serde_json::json!({ "guide": 7 })),
        ("in their order", &|s| s["stops"][0] = serde_json::json!({ "guide": 1 })),
        ("the number of a drum", &|s| s["stops"][0] = serde_json::json!({ "shell": 0 })),
        ("the name of a collider", &|s| s["stops"][1]["collider"] = "wal".into()),
        ("feature", &|s| s["stops"][1]["feature"] = serde_json::Value::Null),
        ("collider", &|s| s["stops"][0]["friction"] = 0.1.into()),
        ("friction", &|s| s["stops"][1]["friction"] = (-0.1).into()),
        ("radius", &|s| s["stops"][1]["radius"] = (-0.1).into()),
        ("length", &|s| s["guides"][1]["length"] = 0.0.into()),
        ("square to", &|s| s["guides"][1]["mark"] = serde_json::json!([0, 0, 1])),
        ("guides that the rope remembers that it was given", &|s| s["given"] = serde_json::json!([])),
        ("stops that the rope remembers", &|s| drop(s["stops"].as_array_mut().unwrap().pop())),
        ("guides that the rope remembers", &|s| drop(s["spans"].as_array_mut().unwrap().pop())),
    ];
    for (expected, change) in cases {
        let error = with(change).expect_err(expected);
        assert!(error.contains(expected), "{expected}: {error}");
        assert!(error.contains("ropes[0]"), "{error}");
    }
}
