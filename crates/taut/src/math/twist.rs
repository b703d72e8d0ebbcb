//! Velocities and forces of rigid bodies.

use glam::DVec3;

/// Velocity of a centre of mass (m/s) and angular velocity (rad/s), or a force and a torque, in world axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Twist {
    /// The linear part.
    pub lin: DVec3,
    /// The angular part.
    pub ang: DVec3,
}

impl Twist {
    /// From its two parts.
    pub fn new(lin: DVec3, ang: DVec3) -> Self {
        Twist { lin, ang }
    }

    /// Linear before angular.
    pub fn to_array(self) -> [f64; 6] {
        [self.lin.x, self.lin.y, self.lin.z, self.ang.x, self.ang.y, self.ang.z]
    }

    /// The inverse of `to_array`.
    pub fn from_array(a: &[f64; 6]) -> Self {
        Twist { lin: DVec3::new(a[0], a[1], a[2]), ang: DVec3::new(a[3], a[4], a[5]) }
    }

    /// The product with a force or a motion.
    #[inline]
    pub fn dot(self, other: Twist) -> f64 {
        self.lin.dot(other.lin) + self.ang.dot(other.ang)
    }

    /// The velocity of the same rigid body at a point `arm` away.
    #[inline]
    pub fn moved(self, arm: DVec3) -> Self {
        Twist { lin: self.lin + self.ang.cross(arm), ang: self.ang }
    }

    /// A force that acts `arm` away, seen from here.
    #[inline]
    pub fn force_from(self, arm: DVec3) -> Self {
        Twist { lin: self.lin, ang: self.ang + arm.cross(self.lin) }
    }
}

impl std::ops::Add for Twist {
    type Output = Twist;
    #[inline]
    fn add(self, o: Twist) -> Twist {
        Twist { lin: self.lin + o.lin, ang: self.ang + o.ang }
    }
}

impl std::ops::Sub for Twist {
    type Output = Twist;
    #[inline]
    fn sub(self, o: Twist) -> Twist {
        Twist { lin: self.lin - o.lin, ang: self.ang - o.ang }
    }
}

impl std::ops::AddAssign for Twist {
    #[inline]
    fn add_assign(&mut self, o: Twist) {
        *self = *self + o;
    }
}

impl std::ops::Mul<Twist> for f64 {
    type Output = Twist;
    #[inline]
    fn mul(self, t: Twist) -> Twist {
        Twist { lin: self * t.lin, ang: self * t.ang }
    }
}
