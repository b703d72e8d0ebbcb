//! Bars, loads and frames that several scenes use.

use taut::{BodyDef, BodyId, MassProperties, Mat3, Quat, Result, Vec3, World};

/// Standard gravity of all scenes, m/s^2.
pub(crate) const G: f64 = 9.81;

/// Density that gives a shape about the wanted mass before it is scaled to it exactly.
const DENSITY: f64 = 1000.0;

/// The rotation that turns -y into the direction `along`, with z kept near z.
pub(crate) fn pointing(along: Vec3) -> Quat {
    let y = -along.normalize();
    let a = if along.normalize().z.abs() < 0.9 { Vec3::Z } else { Vec3::X };
    let z = (a - a.dot(y) * y).normalize();
    Quat::from_mat3(&Mat3::from_cols(y.cross(z), y, z)).normalize()
}

/// A solid round bar, m and kg.
pub(crate) fn rod(mass: f64, length: f64, radius: f64) -> Result<MassProperties> {
    MassProperties::cylinder(DENSITY, 0.5 * length, radius)?.with_mass(mass)
}

/// A solid square bar, m and kg.
pub(crate) fn square_bar(mass: f64, length: f64, side: f64) -> Result<MassProperties> {
    MassProperties::cuboid(DENSITY, Vec3::new(0.5 * side, 0.5 * length, 0.5 * side))?.with_mass(mass)
}

/// A solid ball, kg and m.
pub(crate) fn ball(mass: f64, radius: f64) -> Result<MassProperties> {
    MassProperties::sphere(DENSITY, radius)?.with_mass(mass)
}

/// A round bar between two points.
pub(crate) fn bar(world: &mut World, from: Vec3, to: Vec3, mass: f64, radius: f64, name: String) -> Result<BodyId> {
    let d = to - from;
    let def = BodyDef::dynamic(rod(mass, d.length(), radius)?).at(0.5 * (from + to)).rotated(pointing(d)).named(name);
    world.add_body(def)
}
