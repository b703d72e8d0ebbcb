//! The scenes of the bench: what was measured is in the table of `table.rs`.

use super::mechanics::{Contact, Cylinder, GROUND, Limit, Motor, World};
use glam::{DMat3 as Mat3, DVec3 as Vec3};
use std::f64::consts::FRAC_1_SQRT_2;

const G: f64 = 9.81;
pub const H: f64 = 1.0 / 60.0;

/// Standard normal numbers for the bends of the chain.
const BENDS: [f64; 30] = [
    2.0409191213851825,
    -2.5556650313141818,
    0.41809884672577885,
    -0.5677696061279298,
    -0.45264929211044586,
    -0.2155971630897659,
    -2.019986129147251,
    -0.23193237764418947,
    -0.8652130762749417,
    3.3229995166448827,
    0.22578661322792176,
    -0.3526307943415954,
    -0.2812874181513504,
    -0.6680463461089501,
    -1.0551505512051214,
    -0.39080097723465473,
    0.48194538850678587,
    -0.2385536065733667,
    0.9577587029597641,
    -0.19980212906658,
    0.024259565076664623,
    1.545820851212812,
    0.5451055226876446,
    -0.505228735614018,
    -0.1828389745977349,
    0.5405251317548021,
    1.9350880340988528,
    -0.2696203273419135,
    -0.24355867907910456,
    1.0023136012756912,
];

fn about_z(angle: f64) -> Mat3 {
    Mat3::from_rotation_z(angle)
}

/// Turns x towards z.
fn pitched(angle: f64) -> Mat3 {
    Mat3::from_rotation_y(-angle)
}

fn ground(i: usize, a: Vec3, radius: f64, mu: [f64; 2]) -> Contact {
    Contact { i, a, radius, j: GROUND, b: Vec3::ZERO, n: Vec3::Z, mu }
}

/// The corners of the lower face of box i, between x0 and x1, on the plane z = top of j.
fn face(w: &mut World, i: usize, half: Vec3, (x0, x1): (f64, f64), j: usize, top: f64, mu: [f64; 2]) {
    for x in [x0, x1] {
        for y in [-half.y, half.y] {
            let (a, b) = (Vec3::new(x, y, -half.z), Vec3::new(0.0, 0.0, top));
            w.contacts.push(Contact { i, a, radius: 0.0, j, b, n: Vec3::Z, mu });
        }
    }
}

/// Boxes on each other, the top one (or every second) heavy, gravity tilted by some degrees.
pub fn stack(n: usize, top: f64, mu: [f64; 2], tilt: f64, alternating: bool) -> World {
    let (s, c) = tilt.to_radians().sin_cos();
    let mut w = World::new(H, Vec3::new(0.8 * s, 0.6 * s, -c) * G);
    let a = 0.1;
    for k in 0..n {
        let heavy = k == n - 1 || (alternating && k % 2 == 1);
        w.cuboid(if heavy { top } else { 1.0 }, Vec3::splat(a), Vec3::Z * (a + 2.0 * a * k as f64));
        let (j, z) = if k == 0 { (GROUND, 0.0) } else { (k - 1, a) };
        face(&mut w, k, Vec3::splat(a), (-a, a), j, z, mu);
    }
    w
}

/// Bricks in bond.
pub fn wall(nx: usize, nz: usize, mu: [f64; 2], tilt: f64, top: f64) -> World {
    let (s, c) = tilt.to_radians().sin_cos();
    let mut w = World::new(H, Vec3::new(s, 0.3 * s, -c) * G);
    let a = Vec3::new(0.2, 0.1, 0.1);
    for k in 0..nz {
        for i in 0..nx {
            let x = 2.0 * a.x * i as f64 + if k % 2 == 1 { a.x } else { 0.0 };
            let mass = if k == nz - 1 { top } else { 1.0 };
            w.cuboid(mass, a, Vec3::new(x, 0.0, a.z + 2.0 * a.z * k as f64));
        }
    }
    for b in 0..nx * nz {
        if b < nx {
            face(&mut w, b, a, (-a.x, a.x), GROUND, 0.0, mu);
            continue;
        }
        let below = (b / nx - 1) * nx;
        for c in below..below + nx {
            let (xb, xc) = (w.bodies[b].x.x, w.bodies[c].x.x);
            let (l, r) = (f64::max(xb, xc) - a.x, f64::min(xb, xc) + a.x);
            if r - l > 1e-6 {
                face(&mut w, b, a, (l - xb, r - xb), c, a.z, mu);
            }
        }
    }
    w
}

/// A rod of particles over a cylinder, loaded at its tip and pulled sideways.
pub fn rod(load: f64, mu: [f64; 2], lateral: f64) -> World {
    let (n, length) = (33, 0.2);
    let own = 1.5e-3 / n as f64;
    let mut w = World::new(0.01, Vec3::new(0.0, -G, 0.0));
    (w.correction, w.margin) = (1.0, 0.002);
    for i in 0..n {
        let mass = own + if i == n - 1 { load } else { 0.0 };
        w.body(mass, None, Vec3::X * ((i + 1) as f64 * length / n as f64), Mat3::IDENTITY);
        w.rods.push((i, if i == 0 { GROUND } else { i - 1 }, length / n as f64, Vec3::ZERO));
        w.cylinders.push(Cylinder { i, centre: Vec3::new(0.1, -0.0201, 0.0), axis: Vec3::Z, radius: 0.02, mu });
    }
    w.pulls.push((n - 1, Vec3::Z * (lateral * G * (load + own * n as f64))));
    w
}

/// A chain that lies on the ground, its last link heavy, pulled at the first.
pub fn chain(n: usize, heavy: f64, mu: [f64; 2], pull: f64) -> World {
    let mut w = World::new(H, Vec3::new(0.0, 0.0, -G));
    let (l, r) = (0.1, 0.03);
    let mut p = Vec3::Z * r;
    for k in 0..n {
        let angle = 0.6 * (1.1 * k as f64).sin() + 0.2 * BENDS[k];
        let turn = about_z(angle);
        let d = turn * Vec3::X;
        let mass = if k == n - 1 { heavy } else { 1.0 };
        let inertia = Vec3::new(0.5 * r * r, l * l / 3.0, l * l / 3.0) * mass;
        let b = w.body(mass, Some(inertia), p + d * l, turn);
        for e in [-l, l] {
            w.contacts.push(ground(b, Vec3::X * e, r, mu));
        }
        if k > 0 {
            w.balls.push((b, Vec3::X * -l, b - 1, Vec3::X * l));
        }
        p += d * (2.0 * l);
    }
    w.pulls.push((0, Vec3::new(-0.8, 0.6, 0.0) * pull));
    w
}

/// A torso with four limbs of two parts and a head, swing limits, falling on the ground, pulled at one limb.
pub fn ragdoll(h: f64, mu: [f64; 2], drop: f64, heavy: f64) -> World {
    let mut w = World::new(h, Vec3::new(0.0, 0.0, -G));
    let (l, r) = (0.12, 0.05);
    let torso = w.body(20.0, Some(Vec3::new(0.2, 0.3, 0.3)), Vec3::Z * (r + drop), Mat3::IDENTITY);
    for x in [-0.2, 0.2] {
        for y in [-0.1, 0.1] {
            w.contacts.push(ground(torso, Vec3::new(x, y, 0.0), r, mu));
        }
    }
    for (x, y) in [(0.2, 0.1), (0.2, -0.1), (-0.2, 0.1), (-0.2, -0.1), (0.25, 0.0_f64)] {
        let (mut parent, mut at) = (torso, Vec3::new(x, y, 0.0));
        let first = f64::atan2(1.5 * y, x);
        for part in 0..if y == 0.0 { 1 } else { 2 } {
            let turn = about_z(first + if part == 1 { 0.5 * y.signum() } else { 0.0 });
            let centre = w.point(parent, at) + turn * (Vec3::X * l);
            let b = w.body(3.0 * heavy, Some(Vec3::new(0.002, 0.012, 0.012) * heavy), centre, turn);
            w.balls.push((b, Vec3::X * -l, parent, at));
            w.contacts.push(ground(b, Vec3::X * l, r, mu));
            w.contacts.push(ground(b, Vec3::X * (-0.3 * l), r, mu));
            for (n, angle) in [(Vec3::X, 0.3_f64), (Vec3::Y, 0.2)] {
                let u = w.bodies[parent].r.transpose() * (turn * n);
                w.limits.push(Limit { i: b, n, j: parent, u, least: angle.cos() });
            }
            (parent, at) = (b, Vec3::X * l);
        }
    }
    w.pulls.push((2, Vec3::new(30.0, -40.0, 0.0)));
    w
}

/// A box that slides and spins on a slope.
pub fn slope(mu: [f64; 2], degrees: f64, v: Vec3, spin: f64) -> World {
    let (s, c) = degrees.to_radians().sin_cos();
    let mut w = World::new(H, Vec3::new(FRAC_1_SQRT_2 * s, FRAC_1_SQRT_2 * s, -c) * G);
    let a = Vec3::new(0.2, 0.15, 0.1);
    let b = w.cuboid(5.0, a, Vec3::Z * a.z);
    (w.bodies[b].v, w.bodies[b].omega) = (v, Vec3::Z * spin);
    face(&mut w, b, a, (-a.x, a.x), GROUND, 0.0, mu);
    w
}

/// An arm of hinges with motors and limits, whose heavy end meets the ground.
pub fn arm(n: usize, torque: f64) -> World {
    let mut w = World::new(H, Vec3::new(0.0, 0.0, -G));
    let l = 0.15;
    let mut p = Vec3::Z * 0.6;
    let (mut parent, mut at) = (GROUND, p);
    let turn = pitched(-0.5);
    for k in 0..n {
        let mass = if k < n - 1 { 2.0 } else { 40.0 };
        let inertia = Vec3::new(0.1, 1.0, 1.0) * (mass * l * l / 3.0);
        let b = w.body(mass, Some(inertia), p + turn * (Vec3::X * l), turn);
        w.balls.push((b, Vec3::X * -l, parent, at));
        w.hinges.push((b, Vec3::Y, parent, [Vec3::X, Vec3::Z]));
        let target = if k % 2 == 0 { 0.3 } else { -0.3 };
        w.motors.push(Motor { i: b, n: Vec3::Y, j: parent, torque: torque * (n - k) as f64, target });
        let u = if parent == GROUND { turn * Vec3::X } else { Vec3::X };
        w.limits.push(Limit { i: b, n: Vec3::X, j: parent, u, least: 0.15_f64.cos() });
        p += turn * (Vec3::X * (2.0 * l));
        (parent, at) = (b, Vec3::X * l);
    }
    for y in [0.0, 0.1] {
        let contact = Contact { b: Vec3::Z * (p.z - 0.06), ..ground(parent, Vec3::new(l, y, 0.0), 0.05, [0.5; 2]) };
        w.contacts.push(contact);
    }
    w
}

/// A steep thin rod that slides into the ground.
pub fn jam(mu: f64) -> World {
    let mut w = World::new(H, Vec3::new(0.0, 0.0, -G));
    let l = 0.5;
    let turn = pitched(65_f64.to_radians());
    let b = w.body(1.0, Some(Vec3::new(0.01, 1.0, 1.0) * (l * l / 3.0)), turn * (Vec3::X * l), turn);
    w.bodies[b].v = Vec3::new(-3.0, 0.3, 0.0);
    w.contacts.push(ground(b, Vec3::X * -l, 0.0, [mu; 2]));
    w
}
