//! Materials and how two of them meet.
//!
//! ```text
//! friction along a unit tangent e of an ellipse with axes mu_1 along d, mu_2 across:
//!     mu(e) = 1 / sqrt((e.d / mu_1)^2 + (e.(n x d) / mu_2)^2)
//! springs in series:   c = c_a + c_b
//! dampers beside them: d = d_a (c_a / c)^2 + d_b (c_b / c)^2     (each takes its share of the rate)
//! ```

use crate::error::{Error, Result, finite_vec, non_negative};
use glam::DVec3;

/// How the friction and restitution of two materials become one. Of two rules the later in this list is used.
///
/// Ice has the last word: with the rule `Min` a rubber sole (0.8) on ice (0.1) slows down by 0.1 g.
/// ```
/// use taut::{Body, Collider, MassProperties, Material, Shape, Vec3, World, shapes::Combine};
/// let mut world = World::new();
/// let ice = Material::new(0.1, 0.0).combined(Combine::Min);
/// world.add(Collider::new(Shape::ground()).of(ice).on(world.ground()))?;
/// let sole = Collider::new(Shape::cuboid(Vec3::new(0.15, 0.05, 0.1))).friction(0.8);
/// let shoe = MassProperties::cuboid(1000.0, Vec3::new(0.15, 0.05, 0.1))?;
/// let shoe = world.add(Body::dynamic(shoe).at(0.05 * Vec3::Y).moving(2.0 * Vec3::X, Vec3::ZERO).collider(sole))?;
/// for _ in 0..100 {
///     world.step(0.01)?;
/// }
/// assert!((world.body(shoe)?.velocity().x - (2.0 - 0.981)).abs() < 0.02);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Combine {
    /// Half the sum.
    #[default]
    Average,
    /// The smaller.
    Min,
    /// The product.
    Multiply,
    /// The larger.
    Max,
    /// The root of the product.
    Geometric,
}

impl Combine {
    fn of(self, a: f64, b: f64) -> f64 {
        match self {
            Combine::Average => 0.5 * (a + b),
            Combine::Min => a.min(b),
            Combine::Multiply => a * b,
            Combine::Max => a.max(b),
            Combine::Geometric => (a * b).sqrt(),
        }
    }
}

/// What a surface is like to touch.
///
/// A ball hits a wall at 2 m/s. With restitution 0.5 on both it comes back at 1 m/s.
/// ```
/// use taut::prelude::*;
/// let mut world = World::new();
/// let rubber = Material::new(0.8, 0.5);
/// world.add(Collider::new(Shape::HalfSpace { normal: -Vec3::X }).at(Vec3::X).of(rubber).on(world.ground()))?;
/// let mass = MassProperties::sphere(500.0, 0.1)?;
/// let ball = Body::dynamic(mass).moving(2.0 * Vec3::X, Vec3::ZERO).gravity_scale(0.0);
/// let ball = world.add(ball.collider(Collider::new(Shape::ball(0.1)).of(rubber)))?;
/// for _ in 0..100 {
///     world.step(0.01)?;
/// }
/// assert!((world.body(ball)?.velocity().x + 1.0).abs() < 1e-6);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Coefficients of friction along `direction` and across it; equal ones do not depend on direction.
    pub friction: [f64; 2],
    /// Direction of the first coefficient in the frame of the collider; any length; zero where the two are equal.
    pub direction: DVec3,
    /// Rebound speed over impact speed, 0 to 1.
    pub restitution: f64,
    /// Give of the surface, m/N; zero is rigid.
    pub compliance: f64,
    /// Damping beside the compliance, N s/m.
    pub damping: f64,
    /// How friction and restitution meet those of the other surface.
    pub rule: Combine,
    /// Velocity of the surface relative to its body, in the frame of the collider, m/s: a conveyor belt.
    pub surface_velocity: DVec3,
}

impl Default for Material {
    fn default() -> Self {
        Material {
            friction: [0.5; 2],
            direction: DVec3::ZERO,
            restitution: 0.0,
            compliance: 0.0,
            damping: 0.0,
            rule: Combine::Average,
            surface_velocity: DVec3::ZERO,
        }
    }
}

impl Material {
    /// A rigid surface with a coefficient of friction and a restitution.
    pub fn new(friction: f64, restitution: f64) -> Self {
        Material { friction: [friction; 2], restitution, ..Material::default() }
    }

    /// A coefficient along a direction in the frame of the collider and one across it.
    pub fn elliptic(mut self, along: f64, across: f64, direction: DVec3) -> Self {
        self.friction = [along, across];
        self.direction = direction;
        self
    }

    /// Give (m/N) and damping (N s/m) of the surface.
    pub fn soft(mut self, compliance: f64, damping: f64) -> Self {
        self.compliance = compliance;
        self.damping = damping;
        self
    }

    /// How it meets other materials.
    pub fn combined(mut self, rule: Combine) -> Self {
        self.rule = rule;
        self
    }

    /// Velocity of the surface relative to its body, in the frame of the collider, m/s.
    pub fn moving(mut self, surface_velocity: DVec3) -> Self {
        self.surface_velocity = surface_velocity;
        self
    }

    /// Refuses values outside their range.
    pub fn validate(&self) -> Result<()> {
        non_negative("friction", self.friction[0], "")?;
        non_negative("friction", self.friction[1], "")?;
        if !(0.0..=1.0).contains(&self.restitution) {
            return Err(Error::input("restitution", self.restitution, "a number from 0 to 1"));
        }
        non_negative("contact compliance", self.compliance, "m/N")?;
        non_negative("contact damping", self.damping, "N s/m")?;
        finite_vec("surface velocity", self.surface_velocity, "m/s")?;
        finite_vec("friction direction", self.direction, "")?;
        if self.is_elliptic() && super::shape::direction(self.direction).is_none() {
            let expected = "a direction that is not zero: the two coefficients of friction differ";
            return Err(Error::input("friction direction", self.direction, expected));
        }
        Ok(())
    }

    /// Whether friction depends on direction.
    pub(crate) fn is_elliptic(&self) -> bool {
        self.friction[0] != self.friction[1]
    }

    /// Coefficient along the unit tangent `e`, when `axis` is the world direction of the first coefficient across `normal`.
    fn along(&self, e: DVec3, axis: Option<DVec3>, normal: DVec3) -> f64 {
        let [first, second] = self.friction;
        let Some(axis) = axis.filter(|_| self.is_elliptic()) else { return first };
        let (c, s) = (e.dot(axis), e.dot(normal.cross(axis)));
        // Along an axis the other coefficient has no say, be it zero.
        if s.abs() < 1e-12 {
            first
        } else if c.abs() < 1e-12 {
            second
        } else {
            let (x, y) = (c / first, s / second);
            1.0 / (x * x + y * y).sqrt()
        }
    }
}

/// What two surfaces in contact do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Meeting {
    pub tangents: [DVec3; 2],
    pub friction: [f64; 2],
    pub restitution: f64,
    pub compliance: f64,
    pub damping: f64,
    pub surface_velocity: DVec3,
}

/// A material and the orientation of its collider in the world.
pub(crate) type Surface<'a> = (&'a Material, glam::DQuat);

/// Two materials at a contact with this normal (from b to a), or one that stands for both: then with the sign of its surface
/// velocity, -1 when that is the velocity of a's surface.
pub(crate) fn meet(a: Surface<'_>, b: Surface<'_>, pair: Option<(Surface<'_>, f64)>, normal: DVec3) -> Meeting {
    let axis = |s: Surface<'_>| if s.0.is_elliptic() { tangential(s.1 * s.0.direction, normal) } else { None };
    if let Some((s, sign)) = pair {
        let tangents = frame(axis(s), normal);
        return Meeting {
            tangents,
            friction: s.0.friction,
            restitution: s.0.restitution,
            compliance: s.0.compliance,
            damping: s.0.damping,
            surface_velocity: across(sign * (s.1 * s.0.surface_velocity), normal),
        };
    }
    let (axis_a, axis_b) = (axis(a), axis(b));
    let tangents = frame(axis_a.or(axis_b), normal);
    let rule = a.0.rule.max(b.0.rule);
    let friction = tangents.map(|e| rule.of(a.0.along(e, axis_a, normal), b.0.along(e, axis_b, normal)));
    let (compliance, damping) = series(a.0, b.0);
    Meeting {
        tangents,
        friction,
        restitution: rule.of(a.0.restitution, b.0.restitution),
        compliance,
        damping,
        surface_velocity: across(b.1 * b.0.surface_velocity - a.1 * a.0.surface_velocity, normal),
    }
}

/// Compliance and damping of two surfaces in series.
fn series(a: &Material, b: &Material) -> (f64, f64) {
    let c = a.compliance + b.compliance;
    if c == 0.0 {
        return (0.0, a.damping.max(b.damping));
    }
    let (x, y) = (a.compliance / c, b.compliance / c);
    (c, a.damping * x * x + b.damping * y * y)
}

/// The part of a vector across a unit normal.
pub(super) fn across(v: DVec3, normal: DVec3) -> DVec3 {
    v - normal * normal.dot(v)
}

/// The unit tangent along a direction; none when that is the normal.
fn tangential(direction: DVec3, normal: DVec3) -> Option<DVec3> {
    let unit = super::shape::direction(direction)?;
    let t = across(unit, normal);
    (t.length_squared() > 1e-12).then(|| t.normalize())
}

/// Two tangents t, n x t: along a given one, or those of a fixed frame turned the shortest way so that its pole is the normal.
/// That is continuous in the normal but at the antipode of the pole, a direction that surfaces seldom have.
fn frame(axis: Option<DVec3>, normal: DVec3) -> [DVec3; 2] {
    const POLE: DVec3 = DVec3::new(2.0 / 7.0, 6.0 / 7.0, 3.0 / 7.0);
    const FIRST: DVec3 = DVec3::new(6.0 / 7.0, -3.0 / 7.0, 2.0 / 7.0);
    let t = axis.unwrap_or_else(|| {
        let lift = 1.0 + POLE.dot(normal);
        if lift < 1e-6 {
            crate::math::so3::complete(normal).0
        } else {
            FIRST - (POLE + normal) * (FIRST.dot(normal) / lift)
        }
    });
    // Exact to rounding whatever the normal's.
    let t = across(t, normal).normalize();
    [t, normal.cross(t)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;

    fn normals() -> impl Iterator<Item = DVec3> {
        (0..500).map(|k| {
            let x = f64::from(k);
            DVec3::new((0.7 * x).sin(), (1.3 * x + 0.2).cos(), (2.1 * x).sin()).normalize()
        })
    }

    #[test]
    fn tangents_are_right_handed_orthonormal_and_continuous() {
        for n in normals().chain([DVec3::Y, DVec3::NEG_Y, DVec3::X, DVec3::NEG_Z, -DVec3::new(2.0, 6.0, 3.0) / 7.0]) {
            let [t, u] = frame(None, n);
            assert!((t.cross(u) - n).length() < 1e-14 && t.dot(n).abs() < 1e-15 && (t.length() - 1.0).abs() < 1e-15);
        }
        for n in [DVec3::Y, DVec3::X, DVec3::Z, DVec3::new(0.6, 0.8, 0.0), DVec3::NEG_Y] {
            for d in normals().take(50) {
                let moved = (n + 1e-6 * d).normalize();
                assert!((frame(None, n)[0] - frame(None, moved)[0]).length() < 1e-5, "{n} {d}");
            }
        }
    }

    #[test]
    fn rules_meet() {
        let m = |mu, e, rule| Material::new(mu, e).combined(rule);
        let met = |a: Material, b: Material| {
            let s = meet((&a, DQuat::IDENTITY), (&b, DQuat::IDENTITY), None, DVec3::Y);
            (s.friction[0], s.restitution)
        };
        use Combine::*;
        assert_eq!(met(m(0.25, 0.5, Average), m(0.75, 1.0, Average)), (0.5, 0.75));
        assert_eq!(met(m(0.25, 0.5, Average), m(0.75, 1.0, Min)), (0.25, 0.5));
        assert_eq!(met(m(0.25, 0.5, Multiply), m(0.75, 1.0, Min)), (0.1875, 0.5));
        assert_eq!(met(m(0.25, 0.5, Multiply), m(0.75, 1.0, Max)), (0.75, 1.0));
        assert_eq!(met(m(0.25, 0.25, Geometric), m(1.0, 1.0, Max)), (0.5, 0.5));
    }

    #[test]
    fn an_ellipse_is_seen_along_the_tangents() {
        let ice = Material::new(0.0, 0.0).elliptic(0.8, 0.2, DVec3::X).combined(Combine::Max);
        let floor = Material::new(0.0, 0.0).combined(Combine::Max);
        let turn = DQuat::from_rotation_y(0.5);
        let s = meet((&floor, DQuat::IDENTITY), (&ice, turn), None, DVec3::Y);
        assert!((s.tangents[0] - turn * DVec3::X).length() < 1e-15);
        assert!((s.friction[0] - 0.8).abs() < 1e-12 && (s.friction[1] - 0.2).abs() < 1e-12, "{:?}", s.friction);
        // At 45 degrees to both axes: 1 / sqrt((1 / 0.8^2 + 1 / 0.2^2) / 2).
        let other = Material::new(0.0, 0.0).elliptic(1e-9, 2e-9, DVec3::new(1.0, 0.0, 1.0)).combined(Combine::Max);
        let s = meet((&other, DQuat::IDENTITY), (&ice, DQuat::IDENTITY), None, DVec3::Y);
        let expected = 1.0 / (0.5_f64 * (1.0 / 0.64 + 1.0 / 0.04)).sqrt();
        assert!((s.friction[0] - expected).abs() < 1e-12 && (s.friction[1] - expected).abs() < 1e-12);
    }

    #[test]
    fn springs_are_in_series_and_belts_run_against_each_other() {
        let a = Material::default().soft(3e-6, 40.0).moving(DVec3::new(1.0, 5.0, 0.0));
        let b = Material::default().soft(1e-6, 80.0).moving(DVec3::new(0.0, 0.0, 2.0));
        let s = meet((&a, DQuat::IDENTITY), (&b, DQuat::IDENTITY), None, DVec3::Y);
        assert!((s.compliance - 4e-6).abs() < 1e-18 && (s.damping - (40.0 * 0.5625 + 80.0 * 0.0625)).abs() < 1e-12);
        assert_eq!(s.surface_velocity, DVec3::new(-1.0, 0.0, 2.0));
        let rigid = meet((&a, DQuat::IDENTITY), (&Material::default(), DQuat::IDENTITY), None, DVec3::Y);
        assert_eq!((rigid.compliance, rigid.damping), (3e-6, 40.0));
    }
}
