//! What ropes run over, as meshes: sheaves with a groove, drums with flanges, rings, the cheeks and the hook of a block. Their axis is y.

use crate::mesh::Mesh;
use std::f64::consts::{PI, TAU};
use taut::{Pose, Quat, Vec3};

/// Spokes of a sheave, and ribs on a flange.
const SPOKES: usize = 5;
const RIBS: usize = 6;

/// Half the thickness of a sheave, m: the rope fits into its groove.
pub(crate) fn thickness(radius: f64, rope: f64) -> f64 {
    (2.2 * rope).max(0.1 * radius)
}

/// How far the edge of a sheave is from its axis, m: less than that of a real one, so that the rope in its groove is seen.
pub(crate) fn edge(radius: f64, rope: f64) -> f64 {
    radius + 0.3 * rope
}

/// A box with its middle at a point and turned about y.
fn bar(half: Vec3, at: Vec3, turn: f64) -> Mesh {
    let mut out = Mesh::default();
    out.append(&Mesh::cuboid(half), &Pose { pos: at, rot: about_y(turn) });
    out
}

fn about_y(angle: f64) -> Quat {
    let (sin, cos) = libm::sincos(0.5 * angle);
    Quat::from_xyzw(0.0, sin, 0.0, cos)
}

/// Bars from one radius to another, evenly about the axis.
fn spokes(out: &mut Mesh, count: usize, [from, to]: [f64; 2], [wide, high]: [f64; 2], y: f64) {
    for k in 0..count {
        let a = TAU * k as f64 / count as f64;
        // A turn about y by a takes x to (cos a, 0, -sin a).
        let middle = 0.5 * (from + to);
        let at = Vec3::new(middle * libm::cos(a), y, -middle * libm::sin(a));
        out.append(&bar(Vec3::new(0.5 * (to - from), high, wide), at, a), &still());
    }
}

fn still() -> Pose {
    Pose { pos: Vec3::ZERO, rot: Quat::IDENTITY }
}

/// A sheave of a pitch radius for a rope of a radius, m.
pub(crate) fn sheave(radius: f64, rope: f64) -> Mesh {
    let (h, outer) = (thickness(radius, rope), edge(radius, rope));
    let (inner, bottom, hub) = (0.74 * radius, radius - rope, 0.24 * radius);
    let mut out = Mesh::default();
    out.revolve(&[
        [inner, -h],
        [outer, -h],
        [outer, -0.7 * h],
        [bottom, -0.35 * h],
        [bottom, 0.35 * h],
        [outer, 0.7 * h],
        [outer, h],
        [inner, h],
        [inner, -h],
    ]);
    out.append(&Mesh::cylinder(1.25 * h, hub), &still());
    spokes(&mut out, SPOKES, [0.8 * hub, 1.02 * inner], [0.09 * radius, 0.6 * h], 0.0);
    out
}

/// A drum of a pitch radius for a rope of a radius, m, and half its width between the flanges.
pub(crate) fn drum(radius: f64, rope: f64, half: f64) -> Mesh {
    let (barrel, rim, thick) = (radius - rope, radius + (5.0 * rope).max(0.28 * radius), 0.08 * radius);
    let side = half + 2.0 * rope;
    let mut out = Mesh::default();
    out.append(&Mesh::cylinder(side, barrel), &still());
    for s in [-1.0, 1.0] {
        let y = s * (side + 0.5 * thick);
        out.append(&Mesh::cylinder(0.5 * thick, rim), &Pose { pos: y * Vec3::Y, rot: Quat::IDENTITY });
        let outside = s * (side + 1.2 * thick);
        out.append(&Mesh::cylinder(0.9 * thick, 0.22 * radius), &Pose { pos: outside * Vec3::Y, rot: Quat::IDENTITY });
        spokes(&mut out, RIBS, [0.15 * radius, 0.9 * rim], [0.05 * radius, 0.5 * thick], outside);
    }
    out
}

/// A ring that a rope of a radius runs through, m.
pub(crate) fn ring(rope: f64) -> Mesh {
    let (major, minor, n) = (3.2 * rope, 1.1 * rope, 10);
    let profile = |k: usize| {
        let a = TAU * (k % n) as f64 / n as f64;
        [major + minor * libm::sin(a), -minor * libm::cos(a)]
    };
    let mut out = Mesh::default();
    out.revolve(&(0..=n).map(profile).collect::<Vec<_>>());
    out
}

/// The cheeks of a block with its hook: plates beside sheaves that reach so far from the axis and lie so far apart, m; the hook is at -z.
pub(crate) fn block(reach: f64, half: f64, below: f64) -> Mesh {
    let (plate, foot) = (0.06 * reach, 0.3 * reach);
    // From the middle of the hook's head round the sheaves, in x and z.
    let round = (0..=12).map(|k| {
        let a = PI * (k as f64 / 12.0);
        Vec3::new(reach * libm::cos(a), 0.0, reach * libm::sin(a))
    });
    let mut outline: Vec<Vec3> = round.collect();
    outline.extend([Vec3::new(-foot, 0.0, -below), Vec3::new(foot, 0.0, -below)]);
    let mut out = Mesh::default();
    for s in [-1.0, 1.0] {
        let at = s * (half + plate);
        out.prism(&outline, at - 0.5 * plate, at + 0.5 * plate);
    }
    // The axle and the crosshead between the plates.
    out.append(&Mesh::cylinder(half + 2.5 * plate, 0.16 * reach), &still());
    let head = Pose { pos: -(below - 0.5 * foot) * Vec3::Z, rot: Quat::IDENTITY };
    out.append(&Mesh::cylinder(half + 2.5 * plate, 0.45 * foot), &head);
    // A shank that bends into two thirds of a circle.
    let (bow, thick) = (0.36 * reach, 0.1 * reach);
    let middle = -(below + 0.25 * reach + bow);
    let turn = |k: usize| {
        let a = 0.3 * PI - 1.35 * PI * (k as f64 / 14.0);
        Vec3::new(bow * libm::cos(a), 0.0, middle + bow * libm::sin(a))
    };
    let mut hook = vec![-(below - 0.4 * foot) * Vec3::Z, (middle + 1.5 * bow) * Vec3::Z];
    hook.extend((0..=14).map(turn));
    out.tube(&hook, Vec3::Y, thick);
    out
}
