//! Bars, loads and frames that several scenes use.

use crate::random::Random;
use taut::{
    Body, BodyId, Collider, ColliderId, Distance, Frame, Frames, Joint, JointKind, MassProperties, Mat3, Quat, Result,
    Shape, Softness, Vec3, World,
};

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
    let def = Body::dynamic(rod(mass, d.length(), radius)?).at(0.5 * (from + to)).rotated(pointing(d)).named(name);
    world.add(def)
}

/// `n` + 1 points along a circular arc of `n` chords of length `l`, from `from` in the mean direction `along`, its ends `n l - slack`
/// apart, bulging towards `side` (at right angles to `along`). With no slack it is a straight line.
pub(crate) fn bow(from: Vec3, along: Vec3, side: Vec3, n: usize, l: f64, slack: f64) -> Vec<Vec3> {
    let wanted = 1.0 - slack / (n as f64 * l);
    // Ends of n chords that turn by 2 a/n each: sin(a)/(n sin(a/n)) of their length apart. It falls with a from 1 to 0 at pi.
    let part = |a: f64| if a == 0.0 { 1.0 } else { libm::sin(a) / (n as f64 * libm::sin(a / n as f64)) };
    let (mut low, mut high) = (0.0, std::f64::consts::PI);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        (low, high) = if part(middle) > wanted { (middle, high) } else { (low, middle) };
    }
    let half = if slack == 0.0 { 0.0 } else { low };
    let mut at = from;
    let mut points = vec![at];
    for k in 0..n {
        let turn = half * (1.0 - (2 * k + 1) as f64 / n as f64);
        at += l * (libm::cos(turn) * along + libm::sin(turn) * side);
        points.push(at);
    }
    points
}

/// Frames of a joint between links that hang along their own -y, straight at rest: `below` ends its own axis at +y, `above` at -y,
/// both `half` a length from their centres, m.
pub(crate) fn straight(half_below: f64, half_above: f64) -> Frames {
    let frame = |y: f64| Frame { origin: y * Vec3::Y, u: Vec3::X, v: Vec3::Z, n: -Vec3::Y };
    Frames { i: frame(half_below), j: frame(-half_above) }
}

/// A cable of round links of `mass` kg and `radius` m along `points`, joined by `joint`, straight at rest whatever its shape is now.
/// Each link has a random angular velocity of about `kick` rad/s. The ends are free.
pub(crate) fn cable(
    world: &mut World,
    points: &[Vec3],
    (mass, radius): (f64, f64),
    joint: impl JointKind + Clone + 'static,
    (kick, random): (f64, &mut Random),
) -> Result<Vec<BodyId>> {
    let mut links = Vec::with_capacity(points.len());
    let mut above = 0.0;
    for (k, pair) in points.windows(2).enumerate() {
        let b = bar(world, pair[0], pair[1], mass, radius, format!("segment {k}"))?;
        world.set_velocity(b, Vec3::ZERO, kick * random.normal3())?;
        let half = 0.5 * (pair[1] - pair[0]).length();
        if let Some(&previous) = links.last() {
            world.add(Joint::of(joint.clone(), b, previous).frames(straight(half, above)))?;
        }
        links.push(b);
        above = half;
    }
    Ok(links)
}

/// A string of particles from the origin: `n` distance constraints over `length` m, `mass` kg in all, `load` kg more on the last.
pub(crate) struct Strand {
    pub along: Vec3,
    pub n: usize,
    pub length: f64,
    pub mass: f64,
    pub load: f64,
    /// Of each constraint, m/N.
    pub compliance: f64,
    /// Random speed across the string, m/s.
    pub kick: f64,
}

/// Edges of a scene: pairs of bodies with the distance they should keep, m.
pub(crate) type Edges = Vec<(BodyId, BodyId, f64)>;

/// Hangs a strand from the ground; its last particle and its edges.
pub(crate) fn strand(world: &mut World, s: &Strand) -> Result<(BodyId, Edges)> {
    let ground = world.ground();
    let (particles, edges) = strand_from(world, s, ground)?;
    Ok((particles[particles.len() - 1], edges))
}

/// Hangs a strand from the middle of a body; its particles and its edges.
pub(crate) fn strand_from(world: &mut World, s: &Strand, from: BodyId) -> Result<(Vec<BodyId>, Edges)> {
    let l = s.length / s.n as f64;
    let mut random = Random::new(5);
    let start = world.body(from)?.position();
    let mut previous = from;
    let mut particles = Vec::with_capacity(s.n);
    let mut edges = Vec::with_capacity(s.n);
    for k in 0..s.n {
        let last = k + 1 == s.n;
        let mass = s.mass / s.n as f64 + if last { s.load } else { 0.0 };
        let at = start + l * (k + 1) as f64 * s.along;
        let v = s.kick * random.normal3();
        let v = if last { Vec3::ZERO } else { v - v.dot(s.along) * s.along };
        let b = world.add(Body::particle(mass).at(at).moving(v, Vec3::ZERO).named(format!("particle {k}")))?;
        world.add(Distance::between(b, previous).length(l).linear(Softness::compliance(s.compliance)))?;
        edges.push((b, previous, l));
        particles.push(b);
        previous = b;
    }
    Ok((particles, edges))
}

/// Flat ground at a height (m) with a coefficient of friction.
pub(crate) fn floor(world: &mut World, height: f64, friction: f64) -> Result<ColliderId> {
    let ground = world.ground();
    world.add(Collider::new(Shape::ground()).at(height * Vec3::Y).friction(friction).named("floor").on(ground))
}

/// A solid box that collides.
pub(crate) struct Block {
    /// Half its edges, m.
    pub half: Vec3,
    /// kg.
    pub mass: f64,
    pub friction: f64,
}

impl Block {
    /// Adds it to a world.
    pub fn add(&self, world: &mut World, at: Vec3, rotation: Quat, name: String) -> Result<BodyId> {
        let mass = MassProperties::cuboid(DENSITY, self.half)?.with_mass(self.mass)?;
        let b = world.add(Body::dynamic(mass).at(at).rotated(rotation).named(name))?;
        world.add(Collider::new(Shape::cuboid(self.half)).friction(self.friction).on(b))?;
        Ok(b)
    }
}
