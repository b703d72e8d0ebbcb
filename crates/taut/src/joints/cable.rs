//! Cable joint: a (nearly) rigid ball and three soft dot-1 rows for bending and torsion. 6 rows.
//!
//! Departs from the paper's flexible cable (three dot-2 rows): no torque of the axial force on one body only, no
//! translational geometric stiffness, cheaper, and stable at mass ratios where the other is not.
//!
//! A cable of segments of length l: axial E A / l, bending E I / l, torsion G J / l at every joint between two
//! segments, and half the compliance at a clamped end (trapezoid rule: the tip of an 8-segment cantilever is then within
//! 0.7 % of Euler-Bernoulli instead of 19 % too soft).

use super::{Axis, Joint, RowBuilder, Softness};
use crate::error::{Result, positive};
use std::f64::consts::PI;

/// Joint between two cable segments, along N.
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

impl Joint for Cable {
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
