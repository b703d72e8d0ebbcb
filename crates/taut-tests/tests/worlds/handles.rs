//! Handles of one world name nothing in another, however alike; snapshots fit every world built from the same definition.

use crate::common::{ball, rod, world};
use taut::{
    Ball, Body, BodyId, Collider, ColliderId, Error, Event, ForceId, Hinge, JointId, MassProperties, Material, Motor,
    MouseSpring, Options, Pose, Shape, Softness, Vec3, World, queries::QueryFilter,
};

/// What can be varied in the definition.
#[derive(Clone, Copy)]
struct Numbers {
    mass: f64,
    damping: f64,
    at: f64,
    compliance: f64,
    upper: f64,
    law: f64,
    friction: f64,
    spring: f64,
    radius: f64,
    surface: f64,
    named: &'static str,
}

const PLAIN: Numbers = Numbers {
    mass: 1.0,
    damping: 0.1,
    at: 0.0,
    compliance: 1e-6,
    upper: 1.0,
    law: 10.0,
    friction: 0.01,
    spring: 2.0,
    radius: 0.1,
    surface: 0.5,
    named: "rod",
};

struct Made {
    w: World,
    body: BodyId,
    joint: JointId,
    force: ForceId,
    collider: ColliderId,
}

/// A rod on a hinge with a limit, a motor and friction, a mouse spring, and a ball that falls to the ground.
fn made(n: Numbers) -> Made {
    let mut w = world(Options::default());
    let ground = w.ground();
    let def = Body::dynamic(rod(n.mass, 1.0, 0.1)).at(Vec3::new(0.5, 1.0, 0.0));
    let body = w.add(def.damped(0.0, n.damping).named(n.named)).unwrap();
    let hinge = Hinge::between(body, ground).at(Vec3::new(n.at, 1.0, 0.0)).axis(Vec3::Z);
    let hinge = hinge.linear(Softness::compliance(n.compliance)).limit(-1.0, n.upper).friction(n.friction);
    let joint = w.add(hinge.motor(Motor::rate().limited(n.law).speed(0.0))).unwrap();
    let mouse = MouseSpring { frequency: n.spring, ..MouseSpring::new(body, Vec3::ZERO, Vec3::Y) };
    let force = w.add(mouse).unwrap();
    let bob = w.add(Body::dynamic(ball(1.0, 0.1)).at(Vec3::new(3.0, 0.12, 0.0))).unwrap();
    let shape = Collider::new(Shape::ball(n.radius)).of(Material::new(n.surface, 0.0));
    let collider = w.add(shape.on(bob)).unwrap();
    w.add(Collider::new(Shape::ground()).on(ground)).unwrap();
    Made { w, body, joint, force, collider }
}

#[track_caller]
fn foreign<T: std::fmt::Debug>(done: Result<T, Error>, kind: &str) {
    let Err(error @ Error::Handle { what, .. }) = &done else { panic!("{kind}: {done:?}") };
    let text = error.to_string();
    assert_eq!(*what, kind);
    assert!(text.contains("of world") && text.contains("expected a") && text.contains("that gave them"), "{text}");
}

#[test]
fn handles_of_a_world_built_alike_name_nothing() {
    let (mut a, b) = (made(PLAIN), made(PLAIN));
    let before = a.w.state().clone();
    let ground = b.w.ground();
    for body in [b.body, ground] {
        foreign(a.w.body(body), "body");
        foreign(a.w.set_pose(body, Pose::IDENTITY), "body");
        foreign(a.w.set_velocity(body, Vec3::X, Vec3::ZERO), "body");
        foreign(a.w.apply_force(body, Vec3::X, Vec3::ZERO), "body");
        foreign(a.w.add(Ball::between(body, a.body)), "body");
        foreign(a.w.remove(body), "body");
        foreign(a.w.add(Collider::new(Shape::ball(1.0)).on(body)), "body");
        foreign(a.w.colliders_of(body), "body");
        foreign(a.w.set_collision(a.body, body, true), "body");
        foreign(a.w.is_asleep(body), "body");
        let filter = QueryFilter { exclude: Some(body), ..QueryFilter::default() };
        foreign(a.w.cast_ray(Vec3::ZERO, Vec3::X, 1.0, &filter), "body");
        foreign(a.w.overlaps(&Shape::ball(1.0), Pose::IDENTITY, &filter), "body");
        foreign(a.w.closest_point(Vec3::ZERO, 1.0, &filter), "body");
    }
    foreign(a.w.add(Ball::between(a.body, ground)), "body");
    foreign(a.w.joint(b.joint), "joint");
    foreign(a.w.remove(b.joint), "joint");
    foreign(a.w.set_motor(b.joint, taut::Command::rate(1.0)), "joint");
    foreign(a.w.set_strength(b.joint, None), "joint");
    foreign(a.w.force(b.force), "force");
    foreign(a.w.set_mouse_target(b.force, Vec3::X), "force");
    foreign(a.w.remove(b.force), "force");
    foreign(a.w.collider(b.collider), "collider");
    foreign(a.w.set_material(b.collider, Material::default()), "collider");
    foreign(a.w.remove(b.collider), "collider");
    assert_eq!(*a.w.state(), before);
    a.w.step(0.01).unwrap();
}

#[test]
fn handles_stay_good_in_a_clone_and_equal_worlds_have_equal_handles() {
    let (a, b) = (made(PLAIN), made(PLAIN));
    let mut twin = a.w.clone();
    assert!(twin.body(a.body).is_ok() && twin.joint(a.joint).is_ok() && twin.force(a.force).is_ok());
    twin.remove(a.force).unwrap();
    assert!(a.w.force(a.force).is_ok());
    // They compare by number, so that reports of equal worlds are equal.
    assert_eq!((a.body, a.joint, a.force, a.collider), (b.body, b.joint, b.force, b.collider));
    assert_eq!(format!("{:?}", a.body), format!("{:?}", b.body));
}

#[test]
fn a_world_built_again_from_the_definition_takes_the_snapshot_and_goes_on_with_the_same_bits() {
    let mut a = made(PLAIN);
    (0..40).for_each(|_| drop(a.w.step(0.01).unwrap()));
    assert!(a.w.contacts().count() > 0, "the ball should have come to the ground");
    // Names are no part of the physics.
    let mut b = made(Numbers { named: "another name", ..PLAIN });
    b.w.restore(a.w.state()).unwrap();
    let mut ended = 0;
    for step in 0..100 {
        if step == 50 {
            // Handles in the state are those of the world that it is restored to.
            for w in [&mut a.w, &mut b.w] {
                let bob = w.bodies().nth(2).unwrap().id();
                w.set_velocity(bob, Vec3::Y * 2.0, Vec3::ZERO).unwrap();
            }
        }
        let (ra, rb) = (a.w.step(0.01).unwrap(), b.w.step(0.01).unwrap());
        assert_eq!(ra, rb, "step {step}");
        for e in &rb.events {
            if let Event::ContactEnded { colliders: (c, d) } = e {
                assert!(b.w.collider(*c).is_ok() && b.w.collider(*d).is_ok());
                ended += 1;
            }
        }
        assert_eq!(a.w.state(), b.w.state());
    }
    assert!(ended > 0, "no contact ended");
}

#[test]
fn a_snapshot_of_a_world_with_other_numbers_is_refused() {
    let others: [(&str, Numbers); 10] = [
        ("mass", Numbers { mass: 2.0, ..PLAIN }),
        ("damping", Numbers { damping: 0.2, ..PLAIN }),
        ("place of the joint", Numbers { at: 1e-9, ..PLAIN }),
        ("compliance", Numbers { compliance: 0.0, ..PLAIN }),
        ("limit", Numbers { upper: 1.5, ..PLAIN }),
        ("motor", Numbers { law: 11.0, ..PLAIN }),
        ("friction", Numbers { friction: 0.02, ..PLAIN }),
        ("spring", Numbers { spring: 3.0, ..PLAIN }),
        ("shape", Numbers { radius: 0.11, ..PLAIN }),
        ("material", Numbers { surface: 0.6, ..PLAIN }),
    ];
    let mut snapshot = made(PLAIN);
    (0..10).for_each(|_| drop(snapshot.w.step(0.01).unwrap()));
    for (name, numbers) in others {
        let mut other = made(numbers);
        let before = other.w.state().clone();
        let text = other.w.restore(snapshot.w.state()).unwrap_err().to_string();
        assert!(text.contains("snapshot edition") && text.contains("other masses"), "{name}: {text}");
        assert_eq!(*other.w.state(), before, "{name}");
    }
}

#[test]
fn an_inertia_alone_makes_another_world() {
    let with = |z: f64| {
        let mut w = World::new();
        let mass = MassProperties::from_diagonal(1.0, Vec3::new(1.0, 1.0, z)).unwrap();
        w.add(Body::dynamic(mass)).unwrap();
        w
    };
    let (a, mut b) = (with(1.0), with(1.5));
    assert!(b.restore(a.state()).is_err());
    assert!(with(1.0).restore(a.state()).is_ok());
}

/// Two boxes that can sleep one by one; `first` is shoved, so that the other falls asleep before it.
#[test]
fn a_snapshot_with_another_sleeper_is_laid_out_anew() {
    let made = || {
        let mut w = World::new();
        w.add(Collider::new(Shape::ground()).on(w.ground())).unwrap();
        let add = |w: &mut World, x: f64| {
            w.add(Body::solid(Shape::cuboid(Vec3::splat(0.5)), 100.0).unwrap().at(Vec3::new(x, 0.5, 0.0))).unwrap()
        };
        let ids = [add(&mut w, 0.0), add(&mut w, 5.0)];
        (w, ids)
    };
    let run = |k: usize| {
        let (mut w, ids) = made();
        for _ in 0..90 {
            w.set_velocity(ids[k], Vec3::X * 0.5, Vec3::ZERO).unwrap();
            w.step(0.01).unwrap();
        }
        let asleep = ids.map(|b| w.is_asleep(b).unwrap());
        assert_eq!((asleep[k], asleep[1 - k]), (false, true));
        (w, ids)
    };
    let ((mut a, ids), (mut b, _)) = (run(0), run(1));
    b.restore(a.state()).unwrap();
    for step in 0..200 {
        assert_eq!(a.step(0.01).unwrap(), b.step(0.01).unwrap(), "step {step}");
        assert_eq!(a.state(), b.state(), "step {step}");
    }
    assert!(a.is_asleep(ids[0]).unwrap());
}
