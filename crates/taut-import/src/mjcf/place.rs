//! Where things are: `pos` and the ways to say an orientation.

use crate::report::Result;
use crate::solid;
use crate::xml::Element;
use taut::{Pose, Quat, Vec3};

/// In what angles are given.
#[derive(Clone, Copy)]
pub struct Angles {
    pub degrees: bool,
    /// Axes of Euler angles: small letters go with the body, large ones stand still.
    pub sequence: [char; 3],
}

impl Default for Angles {
    fn default() -> Self {
        Angles { degrees: true, sequence: ['x', 'y', 'z'] }
    }
}

impl Angles {
    /// In rad.
    pub fn rad(&self, angle: f64) -> f64 {
        if self.degrees { angle.to_radians() } else { angle }
    }

    /// The pose of an element by its `pos` and orientation.
    pub fn pose(&self, e: &Element) -> Result<Pose> {
        Ok(Pose { pos: e.vec3("pos")?.unwrap_or(Vec3::ZERO), rot: self.rotation(e)?.unwrap_or(Quat::IDENTITY) })
    }

    /// An orientation, if one is given.
    pub fn rotation(&self, e: &Element) -> Result<Option<Quat>> {
        if let Some(q) = quaternion(e, "quat")? {
            return Ok(Some(q));
        }
        if let Some([x, y, z, angle]) = e.numbers::<4>("axisangle")? {
            let Some(axis) = Vec3::new(x, y, z).try_normalize() else {
                return Err(e.refuse("axisangle", "an axis that is not zero, and an angle"));
            };
            return Ok(Some(solid::turn(axis, self.rad(angle))));
        }
        if let Some([a, b, c, d, f, g]) = e.numbers::<6>("xyaxes")? {
            let x = Vec3::new(a, b, c).try_normalize();
            let y = x.and_then(|x| Vec3::new(d, f, g).reject_from_normalized(x).try_normalize());
            let (Some(x), Some(y)) = (x, y) else {
                return Err(e.refuse("xyaxes", "two directions that are not parallel"));
            };
            return Ok(Some(solid::from_axes(x, y)));
        }
        if let Some(z) = e.direction("zaxis")? {
            return Ok(Some(solid::from_z(z)));
        }
        self.euler(e)
    }

    /// An orientation by Euler angles, if one is given.
    pub fn euler(&self, e: &Element) -> Result<Option<Quat>> {
        let Some(angles) = e.numbers::<3>("euler")? else { return Ok(None) };
        let turn = |(axis, angle): (&char, f64)| {
            let along = match axis.to_ascii_lowercase() {
                'x' => Vec3::X,
                'y' => Vec3::Y,
                _ => Vec3::Z,
            };
            (axis.is_lowercase(), solid::turn(along, self.rad(angle)))
        };
        let all = self.sequence.iter().zip(angles).map(turn);
        Ok(Some(all.fold(Quat::IDENTITY, |q, (goes_with, by)| if goes_with { q * by } else { by * q })))
    }
}

/// A quaternion w x y z, of any length but zero.
pub fn quaternion(e: &Element, name: &str) -> Result<Option<Quat>> {
    let Some([w, x, y, z]) = e.numbers::<4>(name)? else { return Ok(None) };
    let q = Quat::from_xyzw(x, y, z, w);
    let size = q.length();
    if !(size > 1e-12 && size.is_finite()) {
        return Err(e.refuse(name, "a quaternion w x y z that is not zero"));
    }
    Ok(Some(q.normalize()))
}
