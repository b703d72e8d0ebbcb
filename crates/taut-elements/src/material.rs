//! What a body is made of.

use crate::error::InputError;
use crate::law::{Fibre, Law};
use crate::plastic::Plasticity;

/// A material. Build one with [`Material::new`] and the methods named after its fields.
///
/// ```
/// use taut_elements::{Law, Material};
/// let flesh = Material::new(1000.0, 3e4, 0.49).law(Law::StableNeoHookean).damping(0.01);
/// assert!(flesh.check().is_ok());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Mass per volume at rest, kg/m^3.
    pub density: f64,
    /// Young's modulus, Pa.
    pub young: f64,
    /// Poisson's ratio, above -1, at most 0.5.
    pub poisson: f64,
    /// Relation between strain and stress.
    pub law: Law,
    /// Thickness of sheets, m; needed where there are triangles or quadrilaterals.
    pub thickness: f64,
    /// Cross section of bars, m^2; needed where there are bars.
    pub area: f64,
    /// Bending stiffness of sheets, N m; E t^3/(12 (1 - nu^2)) where none is given, no bending
    /// where it is zero.
    pub bending: Option<f64>,
    /// Time of the damping in proportion to the stiffness, s: the force of damping is this times K v.
    pub damping: f64,
    /// Damping in proportion to the mass, 1/s.
    pub mass_damping: f64,
    /// Permanent deformation, of solids.
    pub plasticity: Option<Plasticity>,
    /// Active fibres.
    pub fibre: Option<Fibre>,
}

impl Material {
    /// A corotational material: density (kg/m^3), Young's modulus (Pa), Poisson's ratio.
    pub fn new(density: f64, young: f64, poisson: f64) -> Self {
        Material {
            density,
            young,
            poisson,
            law: Law::Corotational,
            thickness: 0.0,
            area: 0.0,
            bending: None,
            damping: 0.0,
            mass_damping: 0.0,
            plasticity: None,
            fibre: None,
        }
    }

    /// With this law.
    pub fn law(self, law: Law) -> Self {
        Material { law, ..self }
    }

    /// With this thickness of sheets, m.
    pub fn thickness(self, thickness: f64) -> Self {
        Material { thickness, ..self }
    }

    /// With this cross section of bars, m^2.
    pub fn area(self, area: f64) -> Self {
        Material { area, ..self }
    }

    /// With this bending stiffness of sheets, N m.
    pub fn bending(self, bending: f64) -> Self {
        Material { bending: Some(bending), ..self }
    }

    /// With this time of stiffness-proportional damping, s.
    pub fn damping(self, damping: f64) -> Self {
        Material { damping, ..self }
    }

    /// With this mass-proportional damping, 1/s.
    pub fn mass_damping(self, mass_damping: f64) -> Self {
        Material { mass_damping, ..self }
    }

    /// With permanent deformation.
    pub fn plasticity(self, plasticity: Plasticity) -> Self {
        Material { plasticity: Some(plasticity), ..self }
    }

    /// With active fibres.
    pub fn fibre(self, fibre: Fibre) -> Self {
        Material { fibre: Some(fibre), ..self }
    }

    /// Refuses numbers no body can have.
    ///
    /// # Errors
    /// Name, value and expectation of the first.
    pub fn check(&self) -> Result<(), InputError> {
        InputError::above("density", self.density, 0.0, "a finite positive density, kg/m^3")?;
        InputError::above("young", self.young, 0.0, "a finite positive modulus, Pa")?;
        if !(self.poisson > -1.0 && self.poisson <= 0.5) {
            return Err(InputError::new("poisson", self.poisson, "a ratio above -1 and at most 0.5"));
        }
        InputError::at_least("thickness", self.thickness, 0.0, "a finite thickness, m, not negative")?;
        InputError::at_least("area", self.area, 0.0, "a finite cross section, m^2, not negative")?;
        if let Some(bending) = self.bending {
            InputError::at_least("bending", bending, 0.0, "a finite stiffness, N m, not negative")?;
        }
        InputError::at_least("damping", self.damping, 0.0, "a finite time, s, not negative")?;
        InputError::at_least("mass_damping", self.mass_damping, 0.0, "a finite rate, 1/s, not negative")?;
        self.plasticity.as_ref().map_or(Ok(()), Plasticity::check)?;
        self.fibre.as_ref().map_or(Ok(()), Fibre::check)?;
        match &self.law {
            Law::Orthotropic(fibres) => fibres.check(),
            Law::Cord(cord) => cord.check(),
            _ => Ok(()),
        }
    }

    /// What cells of dimension m (1, 2, 3) need besides.
    pub(crate) fn check_for(&self, m: usize) -> Result<(), InputError> {
        if m == 2 {
            InputError::above("thickness", self.thickness, 0.0, "a finite positive thickness, m, for sheets")?;
        }
        if m == 1 {
            InputError::above("area", self.area, 0.0, "a finite positive cross section, m^2, for bars")?;
        }
        if m < 3 && self.plasticity.is_some() {
            return Err(InputError::new("plasticity", m as f64, "plasticity only for solids (dimension 3)"));
        }
        Ok(())
    }

    /// The second number that makes a volume of a cell: thickness, cross section, or 1.
    pub(crate) fn across(&self, m: usize) -> f64 {
        [self.area, self.thickness, 1.0][m - 1]
    }

    /// mu = E/(2 (1 + nu)), Pa.
    pub fn shear_modulus(&self) -> f64 {
        self.young / (2.0 * (1.0 + self.poisson))
    }

    /// The second constant of Lame, E nu/((1 + nu)(1 - 2 nu)), Pa; infinite at nu = 0.5.
    pub fn lame(&self) -> f64 {
        self.young * self.poisson / ((1.0 + self.poisson) * (1.0 - 2.0 * self.poisson))
    }

    /// Bending stiffness of sheets, N m.
    pub fn bending_stiffness(&self) -> f64 {
        let t = self.thickness;
        self.bending.unwrap_or(self.young * t * t * t / (12.0 * (1.0 - self.poisson * self.poisson)))
    }
}
