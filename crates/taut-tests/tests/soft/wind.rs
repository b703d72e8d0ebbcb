//! Wind: on particles, bodies and cloth; gusts; the books.

use taut::field::{Exposure, Gusts, Water, Wind};
use taut::prelude::*;
use taut::soft::{Cell, Material, Mesh};

fn windy(wind: Wind) -> World {
    let mut world = World::new();
    world.set_wind(Some(wind)).unwrap();
    world
}

/// v(t) = u k u t/(1 + k u t), k = rho/2 Cd A/m.
#[test]
fn a_particle_catches_up_with_the_wind() {
    let mut world = windy(Wind::steady(10.0 * Vec3::X));
    let id = world.add(Body::particle(2.0).gravity_scale(0.0).exposed(Exposure::area(0.5))).unwrap();
    let (h, mut imbalance): (f64, f64) = (1e-3, 0.0);
    for _ in 0..5000 {
        imbalance = imbalance.max(world.step(h).unwrap().ledger.imbalance.abs());
    }
    let k = 0.5 * 1.225 * 0.5 / 2.0;
    let wanted = 10.0 * k * 50.0 / (1.0 + k * 50.0);
    let v = world.body(id).unwrap().velocity().x;
    assert!((v / wanted - 1.0).abs() < 1e-3, "{v}, wanted {wanted}");
    assert!(imbalance < 1e-12, "{imbalance}");
}

/// A plate on a hinge stands where its weight and the wind balance, at any step; the tension of a pendulum's rope is that of both.
#[test]
fn a_pendulum_leans_into_the_wind() {
    for h in [1.0 / 60.0, 0.1] {
        let mut world = windy(Wind::steady(20.0 * Vec3::X));
        let exposure = Exposure::ball(0.3).drag(0.5);
        let bob = world.add(Body::particle(5.0).at(-2.0 * Vec3::Y).damped(0.5, 0.0).exposed(exposure)).unwrap();
        let rope = world.add(Rope::between(bob, world.ground())).unwrap();
        for _ in 0..(120.0 / h) as usize {
            world.step(h).unwrap();
        }
        let push = 0.5 * 1.225 * 0.5 * std::f64::consts::PI * 0.09 * 400.0;
        let pull = 5.0 * 9.81;
        let p = world.body(bob).unwrap().position();
        assert!((p.x / -p.y - push / pull).abs() < 1e-4, "h {h}: {p}");
        let tension = world.joint(rope).unwrap().tension();
        assert!((tension - push.hypot(pull)).abs() < 1e-2, "h {h}: {tension}");
    }
}

/// A cloth of 1 m^2 that hangs from one edge leans like a plate; the wind on it is rho/2 1.2 A (v.n)^2.
#[test]
fn a_cloth_leans_in_the_wind_and_the_books_close() {
    let n = 8u32;
    let place = |k: u32| Vec3::new(f64::from(k % (n + 1)) / f64::from(n), -f64::from(k / (n + 1)) / f64::from(n), 0.0);
    let cell = |k: u32| {
        let a = k / n * (n + 1) + k % n;
        [Cell::tri3([a, a + 1, a + n + 2]), Cell::tri3([a, a + n + 2, a + n + 1])]
    };
    let mesh = Mesh { nodes: (0..(n + 1) * (n + 1)).map(place).collect(), cells: (0..n * n).flat_map(cell).collect() };
    let mut material = Material::new(300.0, 1e6, 0.3);
    material.thickness = 1e-3;
    let mut world = windy(Wind::steady(1.5 * Vec3::Z).gusts(Gusts::Sine { amplitude: 0.0, period: 1.0 }));
    let cloth = taut::Deformable::new(&mesh, &material).unwrap().held(|p| p.y == 0.0);
    let cloth = world.add(cloth).unwrap();
    let (mut worst, mut largest): (f64, f64) = (0.0, 0.0);
    for _ in 0..3000 {
        let l = world.step(1.0 / 60.0).unwrap().ledger;
        worst = worst.max(l.imbalance.abs());
        largest = largest.max(l.work.abs()).max(l.damping.abs()).max(l.change.abs());
    }
    assert!(worst < 1e-9 * largest.max(1e-3), "{worst} of {largest}");
    // A heavy plate hung on an edge: m g sin a/2 = rho/2 Cd A (v cos a)^2/2.
    let d = world.deformable(cloth).unwrap();
    let tip = d.position(((n + 1) * (n + 1) - 1) as usize).unwrap();
    let balance = |a: f64| 0.3 * 9.81 * a.sin() - 0.5 * 1.225 * 1.2 * (1.5 * a.cos()).powi(2);
    let (mut low, mut high) = (0.0, 1.5);
    for _ in 0..60 {
        let a = 0.5 * (low + high);
        if balance(a) < 0.0 { low = a } else { high = a }
    }
    let angle = tip.z.atan2(-tip.y);
    assert!((angle / low - 1.0).abs() < 0.05, "{angle} rad, a plate {low} rad");
}

#[test]
fn gusts_repeat_and_have_the_deviation_that_was_asked_for() {
    let wind = Wind::steady(12.0 * Vec3::X).gusts(Gusts::Spectrum { deviation: 2.0, period: 5.0, seed: 7 });
    let other = wind.gusts(Gusts::Spectrum { deviation: 2.0, period: 5.0, seed: 8 });
    let times = || (0..200_000).map(|k| 0.05 * f64::from(k));
    let mean = times().map(|t| wind.at(t).x).sum::<f64>() / 200_000.0;
    let square = times().map(|t| (wind.at(t).x - 12.0).powi(2)).sum::<f64>() / 200_000.0;
    assert!((mean - 12.0).abs() < 0.02 && (square.sqrt() - 2.0).abs() < 0.02, "{mean}, {}", square.sqrt());
    assert_eq!(wind.at(3.3), wind.at(3.3));
    assert!((wind.at(3.3) - other.at(3.3)).length() > 1e-3);
    let sine = Wind::steady(5.0 * Vec3::Z).gusts(Gusts::Sine { amplitude: 2.0, period: 4.0 });
    assert!((sine.at(1.0) - 7.0 * Vec3::Z).length() < 1e-12);
    let mut world = World::new();
    let error = world.set_wind(Some(sine.gusts(Gusts::Sine { amplitude: 1.0, period: 0.0 }))).unwrap_err().to_string();
    assert!(error.contains("gust period"), "{error}");
}

/// Wind acts on what is above the water, water on what is below.
#[test]
fn a_sailing_box_goes_where_wind_and_water_balance() {
    let mut world = windy(Wind::steady(10.0 * Vec3::X));
    world.set_water(Some(Water::still(0.0))).unwrap();
    let locks = Locks { angular: [true; 3], ..Locks::NONE };
    let id = world.add(Body::solid(Shape::cuboid(Vec3::splat(0.5)), 400.0).unwrap().locked(locks)).unwrap();
    for _ in 0..6000 {
        world.step(1.0 / 60.0).unwrap();
    }
    // rho_a 0.6 (10 - v)^2 = rho_w 0.4 v^2.
    let ratio = (1.225f64 * 0.6 / (1000.0 * 0.4)).sqrt();
    let wanted = 10.0 * ratio / (1.0 + ratio);
    let v = world.body(id).unwrap().velocity().x;
    assert!((v / wanted - 1.0).abs() < 0.02, "{v}, wanted {wanted}");
}
