//! Hooks of the user: who touches whom, and what contacts are like.

use crate::common::touch::*;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use taut::{
    Body, BodyId, Collider, ColliderId, Error, Event, MassProperties, Material, Pose, Shape, Vec3, World,
    hooks::ContactEdit, hooks::ContactHooks, hooks::ContactPair, queries::QueryFilter,
};

/// Hooks from two closures.
struct Both<F, M>(F, M);

impl<F, M> ContactHooks for Both<F, M>
where
    F: Fn(&ContactPair<'_>) -> bool + Send + Sync,
    M: Fn(&mut ContactEdit<'_>) + Send + Sync,
{
    fn filter(&self, pair: &ContactPair<'_>) -> bool {
        (self.0)(pair)
    }

    fn modify(&self, contact: &mut ContactEdit<'_>) {
        (self.1)(contact);
    }
}

fn filtering(w: &mut World, f: impl Fn(&ContactPair<'_>) -> bool + Send + Sync + 'static) {
    w.set_contact_hooks(Some(Arc::new(Both(f, |_: &mut ContactEdit<'_>| {}))));
}

fn modifying(w: &mut World, f: impl Fn(&mut ContactEdit<'_>) + Send + Sync + 'static) {
    w.set_contact_hooks(Some(Arc::new(Both(|_: &ContactPair<'_>| true, f))));
}

fn run(w: &mut World, steps: usize) -> Vec<Event> {
    (0..steps).flat_map(|_| w.step(STEP).unwrap().events).collect()
}

fn height(w: &World, b: BodyId) -> f64 {
    w.body(b).unwrap().position().y
}

/// Lets through what comes from below.
struct OneWay(ColliderId);

impl ContactHooks for OneWay {
    fn modify(&self, contact: &mut ContactEdit<'_>) {
        let Some(out) = contact.normal_from(self.0) else { return };
        let rises = contact.velocity_from(self.0).is_some_and(|v| v.y > 0.01);
        if out.y < 0.7 || rises || contact.distance() < -0.02 {
            contact.discard();
        }
    }
}

/// A thin slab about the origin on a fixed body that comes before or after a ball in the order of colliders, and the ball.
fn slab_and_ball(slab_first: bool, at: Vec3, velocity: Vec3) -> (World, ColliderId, BodyId) {
    let mut w = World::new();
    let add = |w: &mut World| {
        w.add(Collider::new(Shape::cuboid(Vec3::new(3.0, 0.05, 3.0))).named("slab").on(w.ground())).unwrap()
    };
    let first = slab_first.then(|| add(&mut w));
    let ball = put(&mut w, Shape::ball(0.1), Material::default(), at);
    w.set_velocity(ball, velocity, Vec3::ZERO).unwrap();
    let slab = first.unwrap_or_else(|| add(&mut w));
    (w, slab, ball)
}

#[test]
fn a_ball_passes_a_one_way_platform_from_below_and_lands_on_it_from_above() {
    for slab_first in [true, false] {
        // At 6 m/s it moves by its radius in a step, at 30 m/s by five times that.
        for speed in [6.0, 30.0] {
            let (mut w, slab, ball) = slab_and_ball(slab_first, Vec3::Y * -0.8, Vec3::Y * speed);
            let mut solid = w.clone();
            w.set_contact_hooks(Some(Arc::new(OneWay(slab))));
            let mut free = 0.0_f64;
            for _ in 0..400 {
                w.step(STEP).unwrap();
                free = free.max(height(&w, ball));
            }
            // It rises as if nothing were there.
            let rise = -0.8 + speed * speed / (2.0 * G);
            assert!((free - rise).abs() < 0.06 * rise, "{speed} m/s: up to {free}, {rise} without the slab");
            assert!((height(&w, ball) - 0.15).abs() < 1e-3, "{}", height(&w, ball));
            assert!(w.is_asleep(ball).unwrap(), "it sleeps on the platform");
            run(&mut solid, 60);
            assert!(height(&solid, ball) < -0.1, "without a hook it is held back");
        }
    }
}

#[test]
fn a_belt_by_hook_carries_as_a_belt_by_material() {
    for slab_first in [true, false] {
        let speed = Vec3::new(0.7, 0.0, 0.2);
        let (mut by_material, slab, box_) = slab_and_ball(slab_first, Vec3::Y * 0.15, Vec3::ZERO);
        let mut by_hook = by_material.clone();
        by_material.set_material(slab, Material::default().moving(speed)).unwrap();
        modifying(&mut by_hook, move |c| {
            // What is along the normal does not count.
            assert!(c.run_surface(slab, speed + 3.0 * c.normal()));
        });
        for k in 0..120 {
            by_material.step(STEP).unwrap();
            by_hook.step(STEP).unwrap();
            let (a, b) = (by_material.body(box_).unwrap(), by_hook.body(box_).unwrap());
            assert!((a.pose().pos - b.pose().pos).length() < 1e-12, "step {k}");
            assert!((a.velocity() - b.velocity()).length() < 1e-12, "step {k}");
        }
        assert!(by_hook.body(box_).unwrap().velocity().length() > 0.1);
    }
}

#[test]
fn on_a_patch_of_ice_a_box_slides_on_and_beside_it_stops() {
    let mut w = World::new();
    plane(&mut w, Vec3::Y, Material::new(0.6, 0.0));
    let b = solid(&mut w, cube(0.1), Material::new(0.6, 0.0), Pose::at(Vec3::Y * 0.1)).0;
    w.set_velocity(b, Vec3::X * 3.0, Vec3::ZERO).unwrap();
    modifying(&mut w, |c| {
        if c.point().x < 5.0 {
            c.friction = [0.0; 2];
        }
    });
    run(&mut w, 60);
    assert!((w.body(b).unwrap().velocity().x - 3.0).abs() < 1e-9, "nothing slows it on the ice");
    run(&mut w, 120);
    // v^2 / (2 mu g) = 0.76 m behind the edge, where its front corners come to it first.
    let x = w.body(b).unwrap().position().x;
    assert!(w.body(b).unwrap().velocity().length() < 1e-3 && (5.0..6.0).contains(&x), "{x}");
}

#[test]
fn friction_restitution_and_give_by_hook_are_those_of_a_pair_material() {
    let material = Material { friction: [0.2, 0.2], restitution: 0.5, ..Material::default() };
    for wanted in [material, material.soft(1e-5, 20.0)] {
        let (mut by_pair, slab, ball) = slab_and_ball(true, Vec3::Y * 0.6, Vec3::X);
        let c = by_pair.colliders_of(ball).unwrap()[0];
        let mut by_hook = by_pair.clone();
        by_pair.set_pair_material(slab, c, wanted).unwrap();
        modifying(&mut by_hook, move |c| {
            (c.friction, c.restitution) = (wanted.friction, wanted.restitution);
            (c.compliance, c.damping) = (wanted.compliance, wanted.damping);
        });
        for k in 0..120 {
            let (a, b) = (by_pair.step(STEP).unwrap(), by_hook.step(STEP).unwrap());
            assert_eq!(by_pair.state().hash(), by_hook.state().hash(), "step {k}");
            assert_eq!(a, b);
        }
    }
}

#[test]
fn hooks_that_change_nothing_change_no_bit() {
    let mut r = crate::common::Rng(5);
    let mut plain = World::new();
    plane(&mut plain, Vec3::Y, Material::default().moving(Vec3::new(0.1, 0.0, 0.03)));
    for k in 0..20 {
        let at = Vec3::new(r.range(-0.5, 0.5), 0.4 + 0.3 * f64::from(k), r.range(-0.5, 0.5));
        solid(&mut plain, random_shape(&mut r), Material::new(0.4, 0.3), Pose { pos: at, rot: r.quat() });
    }
    let (mut hooked, mut touched) = (plain.clone(), plain.clone());
    struct Nothing;
    impl ContactHooks for Nothing {}
    hooked.set_contact_hooks(Some(Arc::new(Nothing)));
    modifying(&mut touched, |c| c.surface_velocity += Vec3::ZERO);
    for k in 0..120 {
        let (a, b, c) = (plain.step(STEP).unwrap(), hooked.step(STEP).unwrap(), touched.step(STEP).unwrap());
        assert!(a == b && a == c, "step {k}");
        assert_eq!(plain.state().hash(), hooked.state().hash(), "step {k}");
        assert_eq!(plain.state().hash(), touched.state().hash(), "step {k}");
    }
}

#[test]
fn a_filter_keeps_pairs_apart_by_handle_name_and_data_and_sensors_do_not_see_them() {
    let mut w = World::new();
    plane(&mut w, Vec3::Y, Material::default());
    let shelf = Collider::new(Shape::cuboid(Vec3::new(5.0, 0.05, 5.0))).at(Vec3::Y).named("shelf").user_data(3);
    let shelf = w.add(shelf.on(w.ground())).unwrap();
    let eye = Collider::new(Shape::cuboid(Vec3::new(5.0, 0.2, 5.0))).at(Vec3::Y * 0.6).sensing();
    let eye = w.add(eye.on(w.ground())).unwrap();
    let mass = MassProperties::sphere(1000.0, 0.1).unwrap();
    let mut ball = |x: f64, name: &str, data: u64| {
        let b = w.add(Body::dynamic(mass).at(Vec3::new(x, 1.4, 0.0)).named(name)).unwrap();
        let c = w.add(Collider::new(Shape::ball(0.1)).named(name).user_data(data).on(b)).unwrap();
        (b, c)
    };
    let (stays, by_handle, by_name, by_data) =
        (ball(0.0, "a", 0), ball(1.0, "b", 0), ball(2.0, "ghost", 0), ball(3.0, "", 4));
    let ghost = by_handle.1;
    filtering(&mut w, move |p| {
        assert!(p.bodies.0 != p.bodies.1 && p.colliders.0 < p.colliders.1);
        let to_shelf = p.has(shelf) && p.other(shelf).is_some_and(|c| c != shelf);
        let through = p.has(ghost) || p.body_names.1 == "ghost" || p.user_data == (3, 4);
        let unseen = (p.sensors == (true, false)) && p.collider_names.1 == "ghost";
        !(unseen || to_shelf && through)
    });
    let events = run(&mut w, 120);
    assert!((height(&w, stays.0) - 1.15).abs() < 1e-3);
    for (b, _) in [by_handle, by_name, by_data] {
        assert!((height(&w, b) - 0.1).abs() < 1e-3, "{}", height(&w, b));
    }
    let seen: Vec<ColliderId> = events
        .iter()
        .filter_map(|e| match e {
            Event::SensorBegan { colliders } => Some(if colliders.0 == eye { colliders.1 } else { colliders.0 }),
            _ => None,
        })
        .collect();
    assert!(seen.contains(&by_handle.1) && seen.contains(&by_data.1) && !seen.contains(&by_name.1), "{seen:?}");
    // Queries are not asked: they have filters of their own.
    let hit = w.cast_ray(Vec3::new(2.0, 2.0, 0.0), -Vec3::Y, 5.0, &QueryFilter::default()).unwrap().unwrap();
    assert_eq!(hit.collider, shelf);
}

#[test]
fn a_pair_is_asked_once_in_a_step_even_when_it_wakes_others() {
    let (mut w, bodies) = {
        let mut w = World::new();
        plane(&mut w, Vec3::Y, Material::default());
        let bodies: Vec<BodyId> =
            (0..3).map(|k| put(&mut w, cube(0.1), Material::default(), Vec3::Y * (0.1 + 0.2 * f64::from(k)))).collect();
        (w, bodies)
    };
    let asked = Arc::new(Mutex::new(Vec::new()));
    let log = asked.clone();
    filtering(&mut w, move |p| {
        log.lock().unwrap().push(p.colliders);
        true
    });
    let once = |list: &[(ColliderId, ColliderId)]| {
        let mut sorted = list.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        sorted.len() == list.len()
    };
    run(&mut w, 60);
    assert_eq!(w.sleeping(), 3);
    asked.lock().unwrap().clear();
    run(&mut w, 5);
    assert!(asked.lock().unwrap().is_empty(), "nothing is asked of what sleeps");
    // A ball comes down on the stack and wakes it.
    let ball = put(&mut w, Shape::ball(0.1), Material::default(), Vec3::Y * 0.8);
    w.set_velocity(ball, Vec3::Y * -3.0, Vec3::ZERO).unwrap();
    let mut most = 0;
    for _ in 0..30 {
        asked.lock().unwrap().clear();
        w.step(STEP).unwrap();
        let list = asked.lock().unwrap().clone();
        assert!(once(&list), "{list:?}");
        most = most.max(list.len());
    }
    assert!(most >= 4 && bodies.iter().all(|&b| !w.is_asleep(b).unwrap()));
}

#[test]
fn values_out_of_range_fail_the_step_by_name_and_change_nothing() {
    type Spoil = fn(&mut ContactEdit<'_>);
    let cases: [(Spoil, &str, &str); 8] = [
        (|c| c.friction[0] = f64::NAN, "friction", "NaN"),
        (|c| c.friction[1] = -0.5, "friction", "-0.5"),
        (|c| c.restitution = 1.5, "restitution", "1.5"),
        (|c| c.restitution = f64::NAN, "restitution", "NaN"),
        (|c| c.compliance = -1e-9, "contact compliance", "-0.000000001"),
        (|c| c.damping = f64::INFINITY, "contact damping", "inf"),
        (|c| c.surface_velocity = Vec3::NAN, "surface velocity", "NaN"),
        (|c| c.surface_velocity.x = f64::INFINITY, "surface velocity", "inf"),
    ];
    for (spoil, what, value) in cases {
        let (mut w, slab, ball) = slab_and_ball(true, Vec3::Y * 0.149, Vec3::ZERO);
        run(&mut w, 3);
        let plain = w.clone();
        modifying(&mut w, spoil);
        let before = w.state().clone();
        let error = w.step(STEP).unwrap_err();
        let Error::Input { name, value: given, .. } = &error else { panic!("{error}") };
        assert!(name.starts_with(what) && given.contains(value), "{error}");
        for word in ["ContactHooks::modify", "'slab'", "'ground'", &format!("{ball:?}")] {
            assert!(name.contains(word), "{word} is not in: {error}");
        }
        assert_eq!(*w.state(), before);
        assert!(w.predict_contacts(STEP).unwrap_err().to_string().contains("ContactHooks::modify"));
        // Without the hook it goes on as if nothing had been.
        w.set_contact_hooks(None);
        let mut plain = plain;
        run(&mut w, 10);
        run(&mut plain, 10);
        assert_eq!(w.state().hash(), plain.state().hash());
        assert!(w.collider(slab).unwrap().enabled);
    }
}

#[test]
fn a_step_that_fails_after_it_has_woken_sleepers_leaves_them_asleep() {
    let mut w = World::new();
    let floor = plane(&mut w, Vec3::Y, Material::default());
    let (sleeper, c) = solid(&mut w, cube(0.1), Material::default(), Pose::at(Vec3::Y * 0.1));
    put(&mut w, Shape::ball(0.1), Material::default(), Vec3::Y * 5.0);
    // Wrong for the box on the ground alone, which is looked at only when the ball has woken it.
    let spoils = Arc::new(AtomicBool::new(false));
    let flag = spoils.clone();
    modifying(&mut w, move |e| {
        if flag.load(Ordering::Relaxed) && e.pair().has(floor) && e.pair().has(c) {
            e.friction = [f64::NAN; 2];
        }
    });
    run(&mut w, 45);
    assert!(w.is_asleep(sleeper).unwrap());
    spoils.store(true, Ordering::Relaxed);
    let (mut start, mut error) = (w.state().clone(), None);
    for _ in 0..60 {
        start = w.state().clone();
        error = w.step(STEP).err();
        if error.is_some() {
            break;
        }
    }
    assert!(error.is_some_and(|e| e.to_string().contains("ContactHooks::modify")), "the ball wakes the box");
    assert!(*w.state() == start && w.is_asleep(sleeper).unwrap());
    // When the hook is right again the step is taken.
    spoils.store(false, Ordering::Relaxed);
    run(&mut w, 1);
    assert!(!w.is_asleep(sleeper).unwrap());
}

#[test]
fn copies_share_their_hooks_and_step_on_threads_at_once() {
    let (mut w, slab, ball) = slab_and_ball(true, Vec3::Y * -0.8, Vec3::Y * 6.0);
    struct Counting(OneWay, AtomicUsize);
    impl ContactHooks for Counting {
        fn modify(&self, contact: &mut ContactEdit<'_>) {
            self.1.fetch_add(1, Ordering::Relaxed);
            self.0.modify(contact);
        }
    }
    let hooks = Arc::new(Counting(OneWay(slab), AtomicUsize::new(0)));
    w.set_contact_hooks(Some(hooks.clone()));
    let mut copies: Vec<World> = (0..3).map(|_| w.clone()).collect();
    assert_eq!(Arc::strong_count(&hooks), 5);
    std::thread::scope(|s| {
        for copy in &mut copies {
            s.spawn(move || run(copy, 150));
        }
    });
    let apart = hooks.1.load(Ordering::Relaxed);
    run(&mut w, 150);
    assert_eq!(3 * (hooks.1.load(Ordering::Relaxed) - apart), apart);
    for copy in &copies {
        assert_eq!(copy.state().hash(), w.state().hash());
        assert!((height(copy, ball) - 0.15).abs() < 1e-3);
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits_with_a_hook() {
    let hash = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut w = World::new();
            crate::common::mixed::mixed(&mut w, 40);
            modifying(&mut w, |c| c.friction = [0.1 + 0.1 * c.point().x.abs(), 0.2]);
            run(&mut w, 30);
            assert!(w.contacts().count() > 20);
            w.state().hash()
        })
    };
    assert_eq!(hash(1), hash(2));
}

#[test]
fn a_snapshot_repeats_with_a_pure_hook() {
    let (mut w, slab, _) = slab_and_ball(true, Vec3::Y * -0.8, Vec3::Y * 6.0);
    for k in 0..6 {
        put(
            &mut w,
            Shape::ball(0.1),
            Material::new(0.3, 0.4),
            Vec3::new(0.05 * f64::from(k), 0.4 + 0.25 * f64::from(k), 0.3),
        );
    }
    w.set_contact_hooks(Some(Arc::new(OneWay(slab))));
    run(&mut w, 20);
    let bytes = w.state().to_bytes();
    let mut copy = w.clone();
    let first: Vec<u64> = (0..100)
        .map(|_| {
            run(&mut w, 1);
            w.state().hash()
        })
        .collect();
    copy.restore(&taut::State::from_bytes(&bytes).unwrap()).unwrap();
    let again: Vec<u64> = (0..100)
        .map(|_| {
            run(&mut copy, 1);
            copy.state().hash()
        })
        .collect();
    assert_eq!(first, again);
}

#[test]
fn hooks_see_where_contacts_are_and_how_fast() {
    let (mut w, slab, ball) = slab_and_ball(true, Vec3::new(0.5, 0.16, 0.0), Vec3::new(1.0, -0.3, 0.0));
    w.set_velocity(ball, Vec3::new(1.0, -0.3, 0.0), Vec3::Z * -2.0).unwrap();
    let c = w.colliders_of(ball).unwrap()[0];
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = seen.clone();
    modifying(&mut w, move |e| {
        let [t, u] = e.tangents();
        assert!((t.cross(u) - e.normal()).length() < 1e-12 && t.dot(u).abs() < 1e-12);
        assert_eq!(e.normal_from(slab), e.normal_from(c).map(|n| -n));
        log.lock().unwrap().push((
            e.pair().bodies,
            e.normal_from(slab),
            e.velocity_from(slab),
            e.point(),
            e.distance(),
        ));
    });
    w.predict_contacts(STEP).unwrap();
    let list = seen.lock().unwrap().clone();
    let ((first, second), normal, velocity, point, distance) = list[0];
    assert_eq!((first, second), (w.ground(), ball));
    assert!((normal.unwrap() - Vec3::Y).length() < 1e-12 && (distance - 0.01).abs() < 1e-9);
    // v + w x r with the lever arm to the middle between the surfaces, a little below the ball.
    let spin = (Vec3::Z * -2.0).cross(Vec3::Y * -0.105);
    assert!((velocity.unwrap() - Vec3::new(1.0, -0.3, 0.0) - spin).length() < 1e-9, "{velocity:?}");
    assert!((point - Vec3::new(0.5, 0.055, 0.0)).length() < 1e-9, "{point}");
    // A kinematic slab brings its own velocity, sleeping or fixed bodies none.
    let lift = w.add(Body::kinematic().at(Vec3::new(0.5, 0.4, 0.0))).unwrap();
    w.add(Collider::new(cube(0.1)).on(lift)).unwrap();
    w.set_velocity(lift, Vec3::Y * -2.0, Vec3::ZERO).unwrap();
    seen.lock().unwrap().clear();
    w.step(STEP).unwrap();
    assert!(!seen.lock().unwrap().is_empty());
}

#[test]
fn a_fast_bullet_passes_a_wall_that_a_hook_takes_away_and_no_other() {
    let build = || {
        let mut w = World::new();
        for x in [2.0, 4.0] {
            let wall = Collider::new(Shape::cuboid(Vec3::new(0.01, 1.0, 1.0))).at(Vec3::X * x);
            w.add(wall.on(w.ground())).unwrap();
        }
        let bullet = put(&mut w, Shape::ball(0.02), Material::default(), Vec3::ZERO);
        w.set_velocity(bullet, Vec3::X * 300.0, Vec3::ZERO).unwrap();
        let first = w.colliders_of(w.ground()).unwrap()[0];
        (w, first, bullet)
    };
    let x = |w: &World, b: BodyId| w.body(b).unwrap().position().x;
    let (mut w, _, bullet) = build();
    run(&mut w, 10);
    assert!(x(&w, bullet) < 2.0);
    let (mut w, first, bullet) = build();
    modifying(&mut w, move |c| {
        if c.pair().has(first) {
            c.discard();
        }
    });
    run(&mut w, 10);
    assert!((2.0..4.0).contains(&x(&w, bullet)), "{}", x(&w, bullet));
    let (mut w, first, bullet) = build();
    filtering(&mut w, move |p| !p.has(first));
    run(&mut w, 10);
    assert!((2.0..4.0).contains(&x(&w, bullet)), "{}", x(&w, bullet));
}

#[test]
fn setting_hooks_wakes_what_sleeps_on_contacts_that_they_take_away() {
    let (mut w, slab, ball) = slab_and_ball(true, Vec3::Y * 0.15, Vec3::ZERO);
    let eye = w.add(Collider::new(cube(0.3)).sensing().on(w.ground())).unwrap();
    run(&mut w, 90);
    assert!(w.is_asleep(ball).unwrap());
    let c = w.colliders_of(ball).unwrap()[0];
    filtering(&mut w, move |p| !(p.has(slab) || p.has(eye)));
    let events = run(&mut w, 1);
    assert!(events.contains(&Event::ContactEnded { colliders: (slab, c) }), "{events:?}");
    assert!(events.contains(&Event::SensorEnded { colliders: (c, eye) }), "{events:?}");
    run(&mut w, 30);
    assert!(height(&w, ball) < -0.3);
}
