//! What water and wind do to a node (`force::around`).

/// All of it on one body: blocks are row-major, of the size of the body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Around {
    /// Added mass, drag D and stiffness.
    pub mass: [f64; 36],
    pub drag: [f64; 36],
    pub stiff: [f64; 36],
    /// Buoyancy with the water's acceleration on the added mass, N and N m.
    pub lift: [f64; 6],
    /// Stiffness times the velocity of the surface.
    pub ride: [f64; 6],
    /// D u + D w/2, and D u alone.
    pub slow: [f64; 6],
    pub flow: [f64; 6],
    /// u.(D u + D w/2), W.
    pub given: f64,
    /// Sum of stiffnesses by the mobilities where they act, 1/s^2.
    pub fast: f64,
    /// Immersed volume, m^3.
    pub volume: f64,
}

impl Default for Around {
    fn default() -> Self {
        Around {
            mass: [0.0; 36],
            drag: [0.0; 36],
            stiff: [0.0; 36],
            lift: [0.0; 6],
            ride: [0.0; 6],
            slow: [0.0; 6],
            flow: [0.0; 6],
            given: 0.0,
            fast: 0.0,
            volume: 0.0,
        }
    }
}
