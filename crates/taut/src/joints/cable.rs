//! Cable joint: a (nearly) rigid ball and three soft dot-1 rows for bending and torsion. 6 rows.
//!
//! Departs from the paper's flexible cable (three dot-2 rows): no torque of the axial force on one body only, no
//! translational geometric stiffness, cheaper, and stable at mass ratios where the other is not.
//!
//! A cable of segments of length l: axial E A / l, bending E I / l, torsion G J / l at every joint between two
//! segments, and half the compliance at a clamped end (trapezoid rule: the tip of an 8-segment cantilever is then within
//! 0.7 % of Euler-Bernoulli instead of 19 % too soft).

use super::{Axis, JointKind, RowBuilder, Softness};
use crate::error::{Result, positive};
use std::f64::consts::PI;

/// Joint between two cable segments, along N.
///
/// A metre of steel rod, 20 mm thick, with E A/l = 62.8 MN/m, hangs with 10 kg on its clamp and stretches it by m g/k.
/// ```
/// use taut::prelude::*;
/// let cable = Cable::from_material(1.0, 0.01, 200e9, 80e9)?;
/// assert!((1.0 / cable.axial.compliance - 2e7 * std::f64::consts::PI).abs() < 1.0);
/// let mut world = World::new();
/// let piece = MassProperties::cylinder(7800.0, 0.5, 0.01)?.with_mass(10.0)?;
/// let piece = world.add(Body::dynamic(piece).at(-0.5 * Vec3::Y))?;
/// let clamp = world.add(Joint::of(cable.clamped_end(), piece, world.ground()).at(Vec3::ZERO).axis(Vec3::Y))?;
/// for _ in 0..60 {
///     world.step(0.01)?;
/// }
/// assert!((world.joint(clamp)?.gap() * 2e7 * std::f64::consts::PI - 98.1).abs() < 0.1);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cable {
    /// Give of the ball, m/N: the axial stretch (and shear) of a segment.
    pub axial: Softness,
    /// Give in bending, rad/(N m).
    pub bending: Softness,
    /// Give in torsion, rad/(N m).
    pub torsion: Softness,
}

impl Cable {
    /// From stiffnesses: axial N/m, bending and torsion N m/rad.
    pub fn from_stiffness(axial: f64, bending: f64, torsion: f64) -> Result<Self> {
        positive("axial stiffness", axial, "N/m")?;
        positive("bending stiffness", bending, "N m/rad")?;
        positive("torsional stiffness", torsion, "N m/rad")?;
        Ok(Cable {
            axial: Softness::spring(axial, 0.0),
            bending: Softness::spring(bending, 0.0),
            torsion: Softness::spring(torsion, 0.0),
        })
    }

    /// From a round section: segment length m, radius m, Young's modulus Pa, shear modulus Pa.
    pub fn from_material(length: f64, radius: f64, youngs: f64, shear: f64) -> Result<Self> {
        positive("segment length", length, "m")?;
        positive("cable radius", radius, "m")?;
        positive("Young's modulus", youngs, "Pa")?;
        positive("shear modulus", shear, "Pa")?;
        let area = PI * radius * radius;
        let second_moment = 0.25 * PI * radius * radius * radius * radius;
        Cable::from_stiffness(
            youngs * area / length,
            youngs * second_moment / length,
            shear * 2.0 * second_moment / length,
        )
    }

    /// The joint at a clamped end: half the compliance in bending and torsion.
    pub fn clamped_end(self) -> Self {
        Cable { axial: self.axial, bending: self.bending.softer(0.5), torsion: self.torsion.softer(0.5) }
    }
}

impl JointKind for Cable {
    fn name(&self) -> &'static str {
        "cable"
    }
    fn rows(&self, r: &mut RowBuilder) {
        r.point(self.axial);
        r.dot1(Axis::N, Axis::U, self.bending);
        r.dot1(Axis::N, Axis::V, self.bending);
        r.dot1(Axis::U, Axis::V, self.torsion);
    }
}
