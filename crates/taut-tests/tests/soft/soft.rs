//! Deformables in the step.

use crate::common::meshes::bar;
use taut::prelude::*;
use taut::soft::{Cell, Law, Material, Mesh};
use taut::{Deformable, DeformableId};

/// A mass on a bar of stiffness k along x, its other end held; handle and the particle.
fn oscillator(k: f64, mass: f64, stretch: f64, damping: f64) -> (World, BodyId) {
    let mut world = World::new();
    world.set_options(Options { gravity: Vec3::ZERO, ..Options::default() }).unwrap();
    let mesh = Mesh { nodes: vec![Vec3::ZERO, Vec3::X], cells: vec![Cell::bar2([0, 1])] };
    // Half of the bar's mass is at the free end.
    let material = Material::new(2.0 * mass / 1e-4, k / 1e-4, 0.0).area(1e-4).damping(damping);
    let soft = Deformable::new(&mesh, &material).unwrap();
    let soft = soft.deformed(|x| x * (1.0 + stretch)).held(|x| x.x == 0.0);
    let id = world.add(soft).unwrap();
    let node = world.deformable(id).unwrap().node(1).unwrap();
    (world, node)
}

/// Amplitude left per period and frequency over the exact one, by zero crossings and maxima.
fn swing(mut world: World, node: BodyId, h: f64, steps: usize, period: f64) -> (f64, f64) {
    let mut x: Vec<f64> = vec![world[node].pos.x - 1.0];
    for _ in 0..steps {
        world.step(h).unwrap();
        x.push(world[node].pos.x - 1.0);
    }
    // Upward crossings by linear interpolation; the energy by maxima of parabolas through three points.
    let crossings: Vec<f64> =
        (1..x.len()).filter(|&k| x[k - 1] < 0.0 && x[k] >= 0.0).map(|k| k as f64 - x[k] / (x[k] - x[k - 1])).collect();
    let n = crossings.len() - 1;
    let measured = (crossings[n] - crossings[0]) * h / n as f64;
    // Amplitude at a time from x and the velocity of the fit over one measured period: least squares on sine and cosine.
    let fit = |from: usize| {
        let w = std::f64::consts::TAU * h / measured;
        let m = (measured / h).round() as usize;
        let (mut cc, mut ss, mut cs, mut xc, mut xs) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for (j, v) in x[from..from + m].iter().enumerate() {
            let (c, s) = ((w * j as f64).cos(), (w * j as f64).sin());
            cc += c * c;
            ss += s * s;
            cs += c * s;
            xc += v * c;
            xs += v * s;
        }
        let det = cc * ss - cs * cs;
        let (a, b) = ((xc * ss - xs * cs) / det, (xs * cc - xc * cs) / det);
        a.hypot(b)
    };
    let m = (measured / h).round() as usize;
    let periods = (x.len() - 2 * m) / m;
    let first = fit(m / 2);
    let last = fit(m / 2 + periods * m);
    ((last / first).powf(period / (periods as f64 * m as f64 * h)), period / measured)
}

/// The table of the integrator: 50, 20, 10 and 5 steps a period.
#[test]
fn one_mode_keeps_what_the_integrator_says() {
    let (k, mass) = (100.0, 1.0);
    let period = std::f64::consts::TAU * 0.1;
    for (n, amplitude, frequency) in [(50, 0.9999, 0.9998), (20, 0.9928, 0.9933), (10, 0.892, 0.941), (5, 0.521, 0.754)]
    {
        let (world, node) = oscillator(k, mass, 1e-3, 0.0);
        let h = period / f64::from(n);
        let (a, f) = swing(world, node, h, if n > 10 { 400 } else { 60 }, period);
        let tolerance = if n > 10 { 3e-4 } else { 0.02 };
        assert!((a - amplitude).abs() < tolerance && (f - frequency).abs() < tolerance, "{n}: {a} {f}");
    }
}

fn cantilever(material: &Material, cells: [usize; 3]) -> (World, DeformableId) {
    let mut world = World::new();
    let mesh = bar(Vec3::new(1.0, 0.1, 0.1), cells);
    let id = world.add(Deformable::new(&mesh, material).unwrap().held(|x| x.x == 0.0).named("bar")).unwrap();
    (world, id)
}

/// E 10 MPa, 1000 kg/m^3: sags by rho g A L^4/(8 E I) = 0.147 m; with this law and mesh 0.137 m.
#[test]
fn a_bar_of_one_layer_swings_at_its_frequency_and_keeps_its_energy() {
    for (h, left) in [(0.005, 0.98), (0.01, 0.96), (0.02, 0.94)] {
        let material = Material::new(1000.0, 1e7, 0.3);
        let (mut world, id) = cantilever(&material, [10, 1, 1]);
        world.set_options(Options { gravity: Vec3::new(0.0, -9.81 / 15.0, 0.0), ..Options::default() }).unwrap();
        let tip = |w: &World| w.deformable(id).unwrap().position(43).unwrap().y;
        let rest = tip(&world);
        let (mut lows, mut before, mut falling, mut imbalance) = (Vec::new(), rest, false, 0.0_f64);
        let mut last = rest;
        let steps = (3.2 / h) as usize;
        for k in 0..steps {
            let report = world.step(h).unwrap();
            imbalance = imbalance.max(report.ledger.imbalance.abs());
            let y = tip(&world);
            if falling && y > last {
                lows.push((k as f64 * h, last));
            }
            falling = y < last;
            (before, last) = (last, y);
        }
        let _ = before;
        assert!(lows.len() >= 4, "{lows:?}");
        let n = lows.len() - 1;
        let frequency = n as f64 / (lows[n].0 - lows[0].0);
        // Swings from rest to twice the static sag: the swing goes with the square root of the energy.
        let keeps = (rest - lows[n].1) / (rest - lows[0].1);
        println!("h {h}: {frequency} Hz, swing left {keeps}, imbalance {imbalance:.1e} {lows:?}");
        assert!((frequency - 1.59).abs() < 0.02 * 1.59, "{h}: {frequency}");
        assert!(keeps > left, "{h}: {keeps}");
        assert!(imbalance < 1e-9, "{imbalance}");
    }
}

#[test]
fn laws_recover_from_crushed_and_turned_starts() {
    for law in [Law::Corotational] {
        for h in [0.01, 0.04] {
            let mesh = bar(Vec3::splat(0.3), [3, 3, 3]);
            let material = Material::new(1000.0, 1e5, 0.3).law(law.clone()).damping(0.02);
            let mut world = World::new();
            world.set_options(Options { gravity: Vec3::ZERO, ..Options::default() }).unwrap();
            let flat = Deformable::new(&mesh, &material).unwrap().deformed(|x| x * Vec3::new(1.0, 0.0, 1.0));
            let id = world.add(flat).unwrap();
            for _ in 0..(2.0 / h) as usize {
                world.step(h).unwrap();
            }
            let left = world.deformable(id).unwrap().energy();
            assert!(left < 1e-3, "{law:?} {h}: {left} J");
        }
    }
}

/// A cloth of 1 m by 1 m, E = 1 GPa, held along one edge, with a load on the opposite one; horizontal or hanging.
fn cloth(load: f64, corners: bool, hanging: bool) -> (World, DeformableId) {
    let mesh = crate::common::meshes::sheet(1.0, 1.0, [10, 10]);
    let material = Material::new(1210.0, 1e9, 0.49).law(Law::StVenantKirchhoff).thickness(1e-3).bending(0.0);
    let noise = |x: Vec3| 1e-4 * (37.0 * x.x + 91.0 * x.z).sin();
    let place = |x: Vec3| if hanging { Vec3::new(noise(x), -x.x, x.z) } else { x + noise(x) * Vec3::Y };
    let mut world = World::new();
    let soft = Deformable::new(&mesh, &material).unwrap().deformed(place).held(|x| x.x == 0.0);
    let id = world.add(soft).unwrap();
    let chosen = |x: Vec3| x.x > 1.0 - 1e-9 && (!corners || x.z < 1e-9 || x.z > 1.0 - 1e-9);
    let nodes: Vec<usize> = (0..mesh.nodes.len()).filter(|&k| chosen(mesh.nodes[k])).collect();
    for &k in &nodes {
        let node = world.deformable(id).unwrap().node(k).unwrap();
        let own = world.body(node).unwrap().mass();
        let mass = MassProperties::sphere(1.0, 0.1).unwrap().with_mass(own + load / nodes.len() as f64).unwrap();
        world.set_mass(node, &mass).unwrap();
    }
    (world, id)
}

#[test]
fn cloth_of_one_gigapascal_falls_and_gains_nothing() {
    let mut worst = 0.0_f64;
    for (load, h) in [(5.0, 0.04), (400.0, 0.04), (5.0, 0.02), (400.0, 0.02), (5.0, 0.01), (400.0, 0.01)] {
        let (mut world, _) = cloth(load, false, false);
        let scale = (load + 1.21) * 9.81;
        let start = world.energy().unwrap().total();
        let (mut rise, mut parts, mut guarded, mut imbalance) = (0.0_f64, 0, 0, 0.0_f64);
        let steps = (2.0 / h) as usize;
        for _ in 0..steps {
            let r = world.step(h).unwrap();
            rise = rise.max((r.energy.total() - start) / scale);
            parts += r.parts;
            guarded += r.guarded_islands;
            imbalance = imbalance.max(r.ledger.imbalance.abs() / scale);
        }
        let change = (world.energy().unwrap().total() - start) / scale;
        let mean = parts as f64 / steps as f64;
        println!(
            "{load} kg, {h}: change {change:.4}, rise {rise:.4}, parts {mean:.2}, guarded {guarded}, books {imbalance:.1e}"
        );
        worst = worst.max(rise);
        assert!(imbalance < 1e-9, "{imbalance}");
    }
    assert!(worst < 0.01, "{worst}");
}

#[test]
fn hanging_cloth_stretches_by_its_load() {
    for (load, stretch) in [(5.0, 5.3e-5), (50.0, 4.8e-4), (400.0, 3.8e-3)] {
        for h in [0.01, 0.04] {
            let (mut world, id) = cloth(load, false, true);
            let mut rise = 0.0_f64;
            let (start, scale) = (world.energy().unwrap().total(), load * 9.81);
            for _ in 0..(6.0 / h) as usize {
                rise = rise.max((world.step(h).unwrap().energy.total() - start) / scale);
            }
            let d = world.deformable(id).unwrap();
            let low = (110..121).map(|k| d.position(k).unwrap().y).sum::<f64>() / 11.0;
            println!("{load} kg, {h}: stretch {:.3e}, rise {rise:.4}", -low - 1.0);
            assert!((-low - 1.0 - stretch).abs() < 0.05 * stretch, "{load} kg, {h}: {low}");
            assert!(rise < 0.02, "{load} kg, {h}: {rise}");
        }
    }
}

/// A bar of .1 x .1 x .5 m hangs from its upper face with a ball bound to its lower face, released at 45 degrees.
fn heavy(ratio: f64, young: f64, h: f64) -> (f64, f64, f64, f64) {
    let mesh = bar(Vec3::new(0.1, 0.5, 0.1), [2, 8, 2]);
    let material = Material::new(1000.0, young, 0.3).law(Law::StableNeoHookeanNoLog);
    let mut world = World::new();
    let mass = 5.0 * ratio;
    let radius = (0.3 * (mass / 1000.0).cbrt()).max(0.3);
    let turn = Quat::from_rotation_z(std::f64::consts::FRAC_PI_4);
    // The bar hangs from its top, y = 0.5 in its own frame, at the origin.
    let place = |x: Vec3| turn * (x - Vec3::new(0.05, 0.5, 0.05));
    let inertia = MassProperties::sphere(1.0, radius).unwrap().with_mass(mass).unwrap();
    let ball = Body::dynamic(inertia).at(place(Vec3::new(0.05, -radius, 0.05))).rotated(turn);
    let ball = world.add(ball).unwrap();
    let soft = Deformable::new(&mesh, &material).unwrap().at(place(Vec3::ZERO)).rotated(turn);
    let id = world.add(soft.held(|x| x.y > 0.5 - 1e-9).bound(ball, |x| x.y < 1e-9)).unwrap();
    let start = world.energy().unwrap().total();
    let scale = mass * 9.81 * (0.5 + radius);
    let (mut rise, mut longest, mut shortest, mut imbalance) = (0.0_f64, 0.0_f64, f64::INFINITY, 0.0_f64);
    for _ in 0..(3.0 / h).round() as usize {
        let r = world.step(h).unwrap();
        rise = rise.max((r.energy.total() - start) / scale);
        imbalance = imbalance.max(r.ledger.imbalance.abs() / scale);
        let d = world.deformable(id).unwrap();
        // Middle of the upper and of the lower face: nodes are numbered by x, then y, then z.
        let middle = |j: usize| d.position((9 + j) * 3 + 1).unwrap();
        let length = (middle(8) - middle(0)).length();
        longest = longest.max(length);
        shortest = shortest.min(length);
    }
    let change = (world.energy().unwrap().total() - start) / scale;
    println!(
        "ratio {ratio}, E {young:.0e}, h {h:.4}: {shortest:.3} ... {longest:.3} m, change {change:.4}, rise {rise:.1e}, books {imbalance:.1e}"
    );
    assert!(imbalance < 1e-9, "{imbalance}");
    (change, rise, shortest, longest)
}

#[test]
fn heavy_loads_on_a_soft_bar_keep_their_energy() {
    let mut bad = false;
    for (ratio, young, losses) in [
        (1.0, 1e6, [0.006, 0.008, 0.04]),
        (100.0, 1e6, [0.002, 0.003, 0.015]),
        (1000.0, 1e7, [0.002, 0.003, 0.008]),
        (1000.0, 1e9, [0.003, 0.004, 0.025]),
        (10000.0, 1e8, [0.001, 0.001, 0.004]),
    ] {
        for (h, loss) in [0.01, 1.0 / 60.0, 0.04].into_iter().zip(losses) {
            let (change, rise, ..) = heavy(ratio, young, h);
            bad |= !(change > -loss && rise < 1e-3);
        }
    }
    assert!(!bad);
}
