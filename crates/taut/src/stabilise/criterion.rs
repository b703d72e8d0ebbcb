//! How much damping a transverse spring needs (Andrews 2017 section 4.1).
//!
//! For the scheme in use, (m + h b) v+ = m v - h k x, the exact bound is h^2 k <= 4 m + 2 h b, so
//! ```text
//! b = max(0, theta h k - 2 alpha m / h),   theta = 1/2, alpha = 1: the boundary (Eq. 11)
//! ```
//! Departs from the paper: Eq. 8-9 print a matrix and a sign that do not give Eq. 11, and at the boundary one eigenvalue is -1
//! for every alpha as h^2 k/m grows; theta in (1/2, 1] leaves the margin |1 - 1/theta|.

/// Damping for the mass m, stiffness k and step h.
pub fn damping(m: f64, k: f64, h: f64, alpha: f64, theta: f64) -> f64 {
    (theta * h * k - 2.0 * alpha * m / h).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::damping;

    /// Spectral radius of (x, v) -> (x + h v+, v+).
    fn radius(m: f64, k: f64, b: f64, h: f64) -> f64 {
        let s = 1.0 / (m + h * b);
        let (p, q, r, t) = (1.0 - h * h * k * s, h * m * s, -h * k * s, m * s);
        let (tr, det) = (p + t, p * t - q * r);
        let disc = tr * tr / 4.0 - det;
        if disc >= 0.0 { (tr / 2.0).abs() + disc.sqrt() } else { det.sqrt() }
    }

    #[test]
    fn the_criterion_is_the_exact_boundary_of_the_scheme() {
        for (m, k, h) in [(1.0, 1e5, 0.01), (0.2, 3e4, 0.1), (5.0, 1e7, 1.0 / 60.0)] {
            let b = damping(m, k, h, 1.0, 0.5);
            assert!(b > 0.0);
            assert!(radius(m, k, 1.01 * b, h) < 1.0);
            assert!(radius(m, k, 0.99 * b, h) > 1.0);
        }
        assert_eq!(damping(1.0, 100.0, 0.01, 1.0, 0.5), 0.0);
    }

    #[test]
    fn theta_leaves_a_margin_where_the_boundary_has_none() {
        let (m, k, h) = (1.0, 1e9, 0.1);
        assert!(radius(m, k, damping(m, k, h, 1.0, 0.5), h) > 0.999);
        assert!((radius(m, k, damping(m, k, h, 1.0, 0.75), h) - 1.0 / 3.0).abs() < 1e-3);
    }
}
