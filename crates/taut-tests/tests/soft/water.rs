//! Water: floating depths, heave, roll, terminal velocities, waves, light floats at large steps, and the books.

use std::f64::consts::{PI, TAU};
use taut::field::{Exposure, Form, Water, Wave};
use taut::prelude::*;

const G: f64 = 9.81;
const RHO: f64 = 1000.0;

fn sea() -> World {
    let mut world = World::new();
    world.set_water(Some(Water::still(0.0))).unwrap();
    world
}

/// Steps; the worst imbalance of the books against the largest entry of the run.
fn run(world: &mut World, h: f64, steps: usize, mut look: impl FnMut(&World)) -> f64 {
    let (mut worst, mut largest): (f64, f64) = (0.0, 1e-9);
    for _ in 0..steps {
        let l = world.step(h).unwrap().ledger;
        largest = largest.max(l.change.abs().max(l.work.abs()).max(l.damping.abs()).max(l.integration.abs()));
        worst = worst.max(l.imbalance.abs());
        look(world);
    }
    worst / largest
}

/// Times between upward passages of a value, averaged.
fn period(h: f64, values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let ups: Vec<f64> = (1..values.len())
        .filter(|&k| values[k - 1] < mean && values[k] >= mean)
        .map(|k| h * (k as f64 - (values[k] - mean) / (values[k] - values[k - 1])))
        .collect();
    assert!(ups.len() > 2, "only {} passages", ups.len());
    (ups[ups.len() - 1] - ups[0]) / (ups.len() - 1) as f64
}

#[test]
fn a_ball_and_a_box_float_at_the_depth_of_archimedes() {
    for h in [1.0 / 60.0, 0.1] {
        let mut world = sea();
        let damped = Exposure::new().viscous(300.0, 300.0);
        let (r, density) = (0.5, 300.0);
        let ball = world.add(Body::solid(Shape::ball(r), density).unwrap().exposed(damped)).unwrap();
        let half = Vec3::new(1.0, 0.2, 0.6);
        let raft = Body::solid(Shape::cuboid(half), 700.0).unwrap().at(5.0 * Vec3::X).exposed(damped);
        let raft = world.add(raft).unwrap();
        run(&mut world, h, (300.0 / h) as usize, |_| {});
        // The cap below: pi t^2 (3 r - t)/3 = density/rho 4/3 pi r^3.
        let y = world.body(ball).unwrap().position().y;
        let t = r - y;
        let share = t * t * (3.0 * r - t) / (4.0 * r * r * r);
        assert!((share - density / RHO).abs() < 1e-9, "h {h}: ball {share}");
        let y = world.body(raft).unwrap().position().y;
        assert!((y - (0.2 - 0.4 * 0.7)).abs() < 1e-9, "h {h}: raft {y}");
    }
}

#[test]
fn every_shape_floats_upright_where_its_weight_is_displaced() {
    let points = |s: f64| vec![-s * Vec3::Y, s * Vec3::X, s * Vec3::Z, -s * Vec3::X, -s * Vec3::Z, s * Vec3::Y];
    let shapes = [
        Shape::cylinder(0.2, 0.5),
        Shape::capsule(0.6, 0.25),
        Shape::ConvexHull { points: points(0.6) },
        Shape::Compound { parts: vec![(Pose::at(Vec3::X), Shape::ball(0.3)), (Pose::at(-Vec3::X), Shape::ball(0.3))] },
    ];
    let mut world = sea();
    let floats: Vec<_> = shapes
        .into_iter()
        .enumerate()
        .map(|(k, s)| {
            let body = Body::solid(s, 450.0).unwrap().at(5.0 * k as f64 * Vec3::X);
            world.add(body.exposed(Exposure::new().viscous(200.0, 100.0))).unwrap()
        })
        .collect();
    run(&mut world, 1.0 / 60.0, 6000, |_| {});
    for id in floats {
        let (mass, displaced) = (world.body(id).unwrap().mass(), RHO * world.afloat(id).unwrap().volume);
        assert!((displaced / mass - 1.0).abs() < 1e-6, "{displaced} of {mass}");
    }
}

/// w^2 = rho g A/(m + ma), for a box and for a given hull.
#[test]
fn heave_has_the_frequency_of_the_waterplane() {
    let half = Vec3::new(1.0, 0.5, 0.8);
    let (area, mass) = (4.0 * half.x * half.z, 8.0 * half.x * half.y * half.z * 500.0);
    let hull = Form::Prism {
        bottom: -half.y * Vec3::Y,
        height: 2.0 * half.y,
        area,
        moments: [area * half.z * half.z / 3.0, area * half.x * half.x / 3.0],
    };
    for (form, share) in [(Form::Colliders, 0.0), (Form::Colliders, 0.8), (hull, 0.8)] {
        let mut world = sea();
        let exposure = Exposure { form, drag: 0.0, ..Exposure::new().added_mass(share) };
        let body = Body::solid(Shape::cuboid(half), 500.0).unwrap().at(0.02 * Vec3::Y).exposed(exposure);
        let id = world.add(body).unwrap();
        let (mut heights, h) = (Vec::new(), 0.01);
        let books = run(&mut world, h, 4000, |w| heights.push(w.body(id).unwrap().position().y));
        // What is taken along changes with the draught; at 1/25 of it the frequency is that of the mean.
        let wanted = TAU / (RHO * G * area / (mass + share * mass)).sqrt();
        let found = period(h, &heights);
        assert!((found / wanted - 1.0).abs() < 1e-3, "{form:?} {share}: {found} s, wanted {wanted} s");
        assert!(books < 1e-9, "books {books}");
        // Nothing dissipates: the last swing is as high as the first.
        let (first, last) = (&heights[..500], &heights[3500..]);
        let most = |x: &[f64]| x.iter().fold(0.0f64, |m, y| m.max(y.abs()));
        assert!((most(last) / most(first) - 1.0).abs() < 1e-2, "{} and {}", most(first), most(last));
    }
}

/// T = 2 pi sqrt(I/(m g GM)), GM = I_wp/V + z_B - z_G.
#[test]
fn a_box_rolls_with_the_period_of_its_metacentric_height() {
    let half = Vec3::new(2.0, 0.4, 0.8);
    let density = 500.0;
    let mut world = sea();
    let exposure = Exposure { drag: 0.0, ..Exposure::new().added_mass(0.0) };
    let body = Body::solid(Shape::cuboid(half), density).unwrap().rotated(Quat::from_rotation_x(0.01));
    let id = world.add(body.exposed(exposure)).unwrap();
    let (volume, mass) = (4.0 * half.x * half.y * half.z, 8.0 * half.x * half.y * half.z * density);
    let waterplane = 2.0 * half.x * (2.0 * half.z).powi(3) / 12.0;
    let gm = waterplane / volume - 0.5 * half.y;
    let inertia = mass * (half.y * half.y + half.z * half.z) / 3.0;
    let wanted = TAU * (inertia / (mass * G * gm)).sqrt();
    let (mut angles, h) = (Vec::new(), 0.01);
    let books = run(&mut world, h, 4000, |w| angles.push(w.body(id).unwrap().rotation().to_scaled_axis().x));
    let found = period(h, &angles);
    assert!((found / wanted - 1.0).abs() < 2e-3, "{found} s, wanted {wanted} s");
    assert!(books < 1e-9, "books {books}");
}

/// A box with GM < 0 capsizes, and stays upright on its side.
#[test]
fn a_tall_box_capsizes() {
    let mut world = sea();
    let body = Body::solid(Shape::cuboid(Vec3::new(1.0, 0.6, 0.3)), 500.0).unwrap();
    let body = body.rotated(Quat::from_rotation_x(0.01)).exposed(Exposure::new().viscous(500.0, 500.0));
    let id = world.add(body).unwrap();
    run(&mut world, 1.0 / 60.0, 6000, |_| {});
    let up = world.body(id).unwrap().rotation() * Vec3::Y;
    assert!(up.y.abs() < 1e-3, "{up}");
}

/// Ball: rho/2 Cd pi r^2 v^2 = (m - rho V) g, whatever the step.
#[test]
fn a_sinking_ball_reaches_its_terminal_velocity_at_any_step() {
    for h in [1.0 / 240.0, 1.0 / 60.0, 0.1] {
        let mut world = sea();
        let (r, cd) = (0.1, 0.47);
        let ball = Body::solid(Shape::ball(r), 7800.0).unwrap().at(-Vec3::Y).exposed(Exposure::new().drag(cd));
        let id = world.add(ball).unwrap();
        let books = run(&mut world, h, (20.0 / h) as usize, |_| {});
        let volume = 4.0 / 3.0 * PI * r * r * r;
        let wanted = (6800.0 * volume * G / (0.5 * RHO * cd * PI * r * r)).sqrt();
        let v = world.body(id).unwrap().velocity();
        assert!((v.y + wanted).abs() < 1e-6 * wanted, "h {h}: {v}, wanted {wanted}");
        assert!(books < 1e-9, "books {books}");
    }
}

/// A cylinder that sinks along its axis and across it has the drag of the areas that it shows.
#[test]
fn drag_follows_the_area_that_is_shown() {
    let (hh, r) = (0.5, 0.1);
    for (turn, area) in [(Quat::IDENTITY, PI * r * r), (Quat::from_rotation_x(0.5 * PI), 4.0 * hh * r)] {
        let mut world = sea();
        let locks = Locks { angular: [true; 3], ..Locks::NONE };
        let rod = Body::solid(Shape::cylinder(hh, r), 2000.0).unwrap().at(-9.0 * Vec3::Y).rotated(turn).locked(locks);
        let id = world.add(rod).unwrap();
        run(&mut world, 1.0 / 60.0, 1200, |_| {});
        let wanted = (1000.0 * TAU * r * r * hh * G / (0.5 * RHO * area)).sqrt();
        let v = -world.body(id).unwrap().velocity().y;
        assert!((v / wanted - 1.0).abs() < 1e-6, "{v}, wanted {wanted}");
    }
}

/// In still water drag only takes: the kinetic energy of a tumbling hull in weightlessness falls in every step.
#[test]
fn drag_dissipates_only() {
    for h in [1.0 / 60.0, 0.1] {
        let mut world = sea();
        let points = [Vec3::X, 0.3 * Vec3::Y, 0.2 * Vec3::Z, -Vec3::X, Vec3::new(0.1, -0.5, -0.3)].to_vec();
        let hull = Body::solid(Shape::ConvexHull { points }, RHO).unwrap().at(-50.0 * Vec3::Y);
        let hull = hull.moving(Vec3::new(8.0, -3.0, 1.0), Vec3::new(2.0, 9.0, -4.0));
        let id = world.add(hull.exposed(Exposure::new().added_mass(0.0))).unwrap();
        let mut before = world.body(id).unwrap().kinetic_energy();
        for _ in 0..200 {
            let l = world.step(h).unwrap().ledger;
            assert!(l.damping <= 0.0, "{l:?}");
            let now = world.body(id).unwrap().kinetic_energy();
            assert!(now <= before * (1.0 + 1e-3), "h {h}: {before} J, then {now} J");
            before = now;
        }
    }
}

/// In waves much longer than itself a body moves with the surface, whatever its density.
#[test]
fn a_float_follows_long_waves() {
    let (height, period) = (1.0, 12.0);
    let swell = Wave { height, period, direction: Vec3::new(1.0, 5.0, 0.0), phase: 0.4 };
    for h in [1.0 / 60.0, 0.1] {
        let mut world = World::new();
        world.set_water(Some(Water::still(2.0).density(1025.0).wave(swell))).unwrap();
        let body = Body::solid(Shape::cuboid(Vec3::new(0.5, 0.2, 0.5)), 512.5).unwrap();
        let start = world.water_at(Vec3::ZERO).unwrap();
        let body = body.at(start.depth * Vec3::Y).moving(start.velocity, Vec3::ZERO);
        let id = world.add(body.exposed(Exposure::new().viscous(400.0, 200.0))).unwrap();
        let (mut off, mut tilt): (f64, f64) = (0.0, 0.0);
        let books = run(&mut world, h, (60.0 / h) as usize, |w| {
            let b = w.body(id).unwrap();
            let s = w.water_at(b.position()).unwrap();
            if w.time() > period {
                off = off.max(s.depth.abs());
                tilt = tilt.max((b.rotation() * Vec3::Y - s.normal).length());
            }
        });
        assert!(off < 0.02 * height, "h {h}: {off} m from the surface");
        assert!(tilt < 0.02, "h {h}: {tilt} rad from its normal");
        // Stokes' drift alone carries it on: a^2 w k = 0.0036 m/s.
        assert!(world.body(id).unwrap().position().x.abs() < 1.5);
        assert!(books < 1e-8, "books {books}");
    }
}

/// The velocity of the water is divergence-free and its acceleration the derivative of its velocity in time.
#[test]
fn waves_are_airys() {
    let g = -G * Vec3::Y;
    let water = Water::still(0.0).wave(Wave { height: 0.01, period: 3.0, direction: Vec3::X, phase: 1.0 });
    let (x, t, e) = (Vec3::new(0.7, -1.5, 0.2), 0.9, 1e-4);
    let v = |x: Vec3, t: f64| water.at(x, t, g).velocity;
    let rate = (v(x, t + e) - v(x, t - e)) / (2.0 * e);
    // To first order in the height, which the stretched depth adds the second of.
    assert!((rate - water.at(x, t, g).acceleration).length() < 2e-4);
    let spread: f64 =
        [Vec3::X, Vec3::Y, Vec3::Z].iter().map(|d| (v(x + e * *d, t) - v(x - e * *d, t)).dot(*d) / (2.0 * e)).sum();
    assert!(spread.abs() < 2e-4, "{spread}");
    // The surface moves up with the water in it.
    let at = |t: f64| water.at(Vec3::new(0.7, 0.0, 0.2), t, g);
    let rise = (at(t + e).depth - at(t - e).depth) / (2.0 * e);
    let surface = Vec3::new(0.7, at(t).depth, 0.2);
    assert!((rise - water.at(surface, t, g).velocity.y).abs() < 1e-4);
}

/// A float of 2 kg/m^3, held under water and dropped from above, at steps in which it would bob many times.
#[test]
fn light_floats_stay_where_they_belong_at_large_steps() {
    for h in [1.0 / 60.0, 0.1] {
        for shape in [Shape::cuboid(Vec3::new(0.5, 0.25, 0.5)), Shape::ball(0.4), Shape::cylinder(0.05, 1.0)] {
            for start in [-3.0, 0.0, 2.0] {
                let mut world = sea();
                let body = Body::solid(shape.clone(), 2.0).unwrap().at(start * Vec3::Y);
                let id = world.add(body.rotated(Quat::from_rotation_z(0.3))).unwrap();
                let mut highest: f64 = 0.0;
                run(&mut world, h, (60.0 / h) as usize, |w| {
                    let y = w.body(id).unwrap().position().y;
                    highest = highest.max(y.abs());
                });
                assert!(highest < 6.0, "{shape:?} from {start} at {h}: up to {highest} m");
                let b = world.body(id).unwrap();
                assert!(b.position().y.abs() < 1.2 && b.velocity().length() < 0.5, "{shape:?} {start} {h}: {b:?}");
            }
        }
    }
}

#[test]
fn water_takes_along_what_lies_in_a_current_and_leaves_what_is_excluded() {
    let mut world = World::new();
    world.set_water(Some(Water::still(0.0).current(1.5 * Vec3::X))).unwrap();
    let locks = Locks { linear: [false, true, true], angular: [true; 3] };
    let buoy = world.add(Body::solid(Shape::ball(0.5), 600.0).unwrap().locked(locks)).unwrap();
    let stone = Body::solid(Shape::ball(0.1), 600.0).unwrap().at(5.0 * Vec3::Z).exposed(Exposure::none());
    let stone = world.add(stone).unwrap();
    let cork = world.add(Body::particle(0.1).at(-5.0 * Vec3::Z).exposed(Exposure::ball(0.05))).unwrap();
    run(&mut world, 1.0 / 60.0, 3600, |_| {});
    let v = |id| world.body(id).unwrap().velocity();
    // Half immersed: w = w0/(1 + k w0 t) with k = rho/2 Cd A/2/(m + ma).
    let volume = 4.0 / 3.0 * PI * 0.125;
    let k = 0.5 * RHO * PI * 0.25 * 0.5 / (600.0 * volume + 0.25 * RHO * volume);
    let lag = 1.5 / (1.0 + k * 1.5 * 60.0);
    assert!((1.5 - v(buoy).x - lag).abs() < 0.01 * lag, "{}, lag {lag}", v(buoy));
    assert!((v(stone) + 60.0 * G * Vec3::Y).length() < 0.2, "{}", v(stone));
    assert!((v(cork).x - 1.5).abs() < 0.02);
    let cork = world.body(cork).unwrap();
    assert!((RHO * world.afloat(cork.id()).unwrap().volume - 0.1).abs() < 1e-2);
}

#[test]
fn bad_water_is_refused_by_name() {
    let mut world = World::new();
    let wave = Wave { height: 1.0, period: 8.0, direction: Vec3::X, phase: 0.0 };
    for (water, word) in [
        (Water::still(f64::NAN), "water level"),
        (Water::still(0.0).density(0.0), "water density"),
        (Water::still(0.0).wave(Wave { period: 0.0, ..wave }), "period of wave 0"),
        (Water::still(0.0).wave(wave).wave(Wave { direction: Vec3::ZERO, ..wave }), "direction of wave 1"),
    ] {
        let error = world.set_water(Some(water)).unwrap_err().to_string();
        assert!(error.contains(word), "{error}");
    }
    assert!(world.water().is_none());
    let bad = Body::particle(1.0).exposed(Exposure::ball(-1.0));
    assert!(world.add(bad).unwrap_err().to_string().contains("radius of the exposed ball"));
    let bad = Body::particle(1.0).exposed(Exposure { form: Form::Areas, ..Exposure::new() });
    assert!(world.add(bad).unwrap_err().to_string().contains("exposed areas"));
    let options =
        Options { stabiliser: taut::Stabiliser::LowRank, solver: taut::Solver::DenseLu, ..Options::default() };
    world.set_options(options).unwrap();
    assert!(world.set_water(Some(Water::still(0.0))).unwrap_err().to_string().contains("low-rank"));
}
