//! Wheels, gears and a planetary gear, for the tests of couplings.

use super::{weightless, world};
use taut::{
    Body, BodyId, Coordinates, Coupling, CouplingId, Force, Freedom, Gear, Hinge, JointId, MassProperties, Options,
    Vec3, World,
};

pub const STEP: f64 = 1.0 / 60.0;

/// A wheel with this inertia about its axis, kg m^2.
pub fn wheel(mass: f64, inertia: f64) -> MassProperties {
    MassProperties::from_diagonal(mass, Vec3::new(0.6 * inertia, 0.6 * inertia, inertia)).unwrap()
}

/// A wheel about z on a carrier.
pub fn mounted(w: &mut World, carrier: BodyId, props: MassProperties, at: Vec3) -> (BodyId, JointId) {
    let b = w.add(Body::dynamic(props).at(at)).unwrap();
    (b, w.add(Hinge::between(b, carrier).at(at).axis(Vec3::Z)).unwrap())
}

/// Adds a coupling and returns it.
pub fn couple(w: &mut World, coupling: Coupling) -> CouplingId {
    w.add(coupling).unwrap()
}

pub fn torque(w: &mut World, body: BodyId, torque: f64) {
    w.add(Force::Torque { body, torque: torque * Vec3::Z }).unwrap();
}

pub fn spin(w: &World, body: BodyId) -> f64 {
    w.body(body).unwrap().angular_velocity().z
}

pub fn error(w: &World, id: CouplingId) -> f64 {
    w.coupling(id).unwrap().error()
}

/// Settings without gravity, in both kinds of coordinates.
pub fn both() -> [Options; 2] {
    [Coordinates::Maximal, Coordinates::Reduced].map(|coordinates| Options { coordinates, ..weightless() })
}

/// Two wheels on the ground with inertias 2 and 0.5 kg m^2.
pub struct Pair {
    pub w: World,
    pub a: (BodyId, JointId),
    pub b: (BodyId, JointId),
    pub gear: CouplingId,
}

impl Pair {
    pub fn new(options: Options, ratio: f64) -> Self {
        let mut w = world(options);
        let ground = w.ground();
        let a = mounted(&mut w, ground, wheel(3.0, 2.0), Vec3::ZERO);
        let b = mounted(&mut w, ground, wheel(1.0, 0.5), Vec3::X);
        let gear = couple(&mut w, Gear::between(a.1, b.1).ratio(ratio));
        Pair { w, a, b, gear }
    }
}

/// Sun and ring about the same axis, a planet on a carrier between them; radii 0.2, 0.6 and 0.2 m.
pub struct Planetary {
    pub w: World,
    pub sun: BodyId,
    pub carrier: BodyId,
    pub meshes: [CouplingId; 2],
}

pub const SUN: f64 = 0.2;
pub const PLANET: f64 = 0.2;
pub const RING: f64 = 0.6;

impl Planetary {
    /// The ring stands.
    pub fn new(options: Options) -> Self {
        let mut w = world(options);
        let ground = w.ground();
        let (sun, on_sun) = mounted(&mut w, ground, wheel(2.0, 0.04), Vec3::ZERO);
        let (carrier, on_carrier) = mounted(&mut w, ground, wheel(1.0, 0.1), Vec3::ZERO);
        let (_, on_planet) = mounted(&mut w, carrier, wheel(1.5, 0.03), (SUN + PLANET) * Vec3::X);
        let turn = Freedom::Turn;
        // Rates against the carrier: those of sun and planet mesh outside, those of planet and ring inside.
        let outer = Coupling::new().term(on_sun, turn, SUN).term(on_carrier, turn, -SUN).term(on_planet, turn, PLANET);
        let inner = Coupling::new().term(on_planet, turn, PLANET).term(on_carrier, turn, RING);
        let meshes = [couple(&mut w, outer), couple(&mut w, inner)];
        Planetary { w, sun, carrier, meshes }
    }
}

/// Where the freedoms of a coupling are.
pub fn positions(w: &World, id: CouplingId) -> Vec<f64> {
    w.coupling(id).unwrap().positions().collect()
}
