//! Closed forms that the checks compare with. SI units.

use std::f64::consts::{PI, TAU};
use taut::Vec3;

/// Period of a pendulum of the given reduced length (I / (m d)) and amplitude (rad): the complete elliptic integral, by the
/// arithmetic-geometric mean, T = 2 pi sqrt(l/g) / agm(1, cos(amplitude/2)).
pub fn pendulum_period(length: f64, gravity: f64, amplitude: f64) -> f64 {
    let (mut a, mut b) = (1.0, (0.5 * amplitude).cos());
    for _ in 0..10 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    TAU * (length / gravity).sqrt() / a
}

/// Slow rate of steady precession of a top with moments `across` and `axial` about its tip, spin (rad/s, of the whole body about its
/// axis), tilt from the vertical (rad) and tipping moment m g l (N m): across cos(tilt) w^2 - axial spin w + m g l = 0.
pub fn top_precession(across: f64, axial: f64, spin: f64, tilt: f64, moment: f64) -> f64 {
    let (a, b) = (across * tilt.cos(), axial * spin);
    2.0 * moment / (b + (b * b - 4.0 * a * moment).sqrt())
}

/// Parameter a = H/w of the catenary of the given length between two supports at the same height, m: length = 2 a sinh(span/(2a)).
pub fn catenary(span: f64, length: f64) -> f64 {
    // sinh(x)/x = length/span grows with x = span/(2a): bisection.
    let (mut low, mut high) = (1e-9, 50.0);
    for _ in 0..200 {
        let x: f64 = 0.5 * (low + high);
        if x.sinh() / x < length / span { low = x } else { high = x }
    }
    span / (low + high)
}

/// Tip sag of a cantilever under a force at its tip (N) and a uniform load (N/m): Euler-Bernoulli. Length m, stiffness E I in N m^2.
pub fn cantilever_sag(tip: f64, uniform: f64, length: f64, stiffness: f64) -> f64 {
    let l3 = length * length * length;
    tip * l3 / (3.0 * stiffness) + uniform * l3 * length / (8.0 * stiffness)
}

/// Tip sag of a cantilever under a force at its tip (N), with shear: Timoshenko, with 5/6 of the section A carrying shear. Length m, stiffness
/// E I in N m^2, G A in N.
pub fn timoshenko_sag(tip: f64, length: f64, bending: f64, shear: f64) -> f64 {
    cantilever_sag(tip, 0.0, length, bending) + tip * length / (5.0 / 6.0 * shear)
}

/// Lowest frequency of a square cantilever, Hz: modulus Pa, width m, density kg/m^3, length m (Euler-Bernoulli).
pub fn cantilever_frequency(young: f64, width: f64, density: f64, length: f64) -> f64 {
    let l2 = length * length;
    // E I/(rho A) = E w^2/(12 rho).
    1.875_104_068_7_f64.powi(2) / TAU * (young * width * width / (12.0 * density)).sqrt() / l2
}

/// Stretch and volume ratio of a free bar whose fibres pull with a stress along it, Pa: stable Neo-Hookean (Smith 2018 Eq. 14) of Poisson's ratio
/// 0.3 with the rest of the bulk modulus on the change of volume, as elements have it above 0.4; by Newton's method on the two stretches a
/// (along) and b (across), at which the stresses along and across vanish.
pub fn free_muscle(young: f64, poisson: f64, stress: f64) -> [f64; 2] {
    let mu0 = young / (2.0 * (1.0 + poisson));
    let lame = |nu: f64| 2.0 * mu0 * nu / (1.0 - 2.0 * nu);
    let la0 = lame(poisson.min(0.3));
    let kappa = lame(poisson) - la0;
    // Constants for which small strains are those of mu0 and la0.
    let (mu, la) = (4.0 / 3.0 * mu0, la0 + 5.0 / 6.0 * mu0);
    let alpha = 1.0 + 0.75 * mu / la;
    let residual = |a: f64, b: f64| {
        let (i, j) = (a * a + 2.0 * b * b, a * b * b);
        let shear = mu * (1.0 - 1.0 / (i + 1.0));
        let pressure = la * (j - alpha) + kappa * (j - 1.0);
        [shear * a + pressure * b * b + stress, shear * b + pressure * a * b]
    };
    let (mut a, mut b) = (0.8, 1.0 / 0.8_f64.sqrt());
    for _ in 0..200 {
        let (r, e) = (residual(a, b), 1e-7);
        let (ra, rb) = (residual(a + e, b), residual(a, b + e));
        let [p, q, s, t] = [(ra[0] - r[0]) / e, (rb[0] - r[0]) / e, (ra[1] - r[1]) / e, (rb[1] - r[1]) / e];
        let det = p * t - q * s;
        // Half of a step, so that it does not jump.
        a -= 0.5 * (t * r[0] - q * r[1]) / det;
        b -= 0.5 * (p * r[1] - s * r[0]) / det;
    }
    [a, a * b * b]
}

/// Lowest transverse frequency (rad/s) of `n` bars under tension (N) between two fixed points: each bar has the given mass, length and
/// moment of inertia across it about its middle. Point masses on weightless rods: moment m l^2/4.
pub fn string_frequency(n: usize, tension: f64, mass: f64, length: f64, moment: f64) -> f64 {
    let c = (PI / n as f64).cos();
    let spin = moment / (length * length);
    let inertia = 2.0 * (0.25 * mass + spin) + 2.0 * (0.25 * mass - spin) * c;
    (tension / length * (2.0 - 2.0 * c) / inertia).sqrt()
}

/// Residual of Freudenstein's equation of a four-bar linkage: k1 cos(rocker) - k2 cos(crank) + k3 - cos(crank - rocker), zero when
/// crank and rocker angle (rad) belong together. Lengths in m: ground, crank, coupler, rocker.
pub fn freudenstein([ground, crank, coupler, rocker]: [f64; 4], crank_angle: f64, rocker_angle: f64) -> f64 {
    let k1 = ground / crank;
    let k2 = ground / rocker;
    let squares = crank * crank - coupler * coupler + rocker * rocker + ground * ground;
    let k3 = squares / (2.0 * crank * rocker);
    k1 * rocker_angle.cos() - k2 * crank_angle.cos() + k3 - (crank_angle - rocker_angle).cos()
}

/// Force (N) and moment about `at` (N m) with which a joint at `at` holds up bodies of the given masses (kg) and centres (m).
pub fn carried(parts: &[(f64, Vec3)], at: Vec3, gravity: Vec3) -> (Vec3, Vec3) {
    parts.iter().fold((Vec3::ZERO, Vec3::ZERO), |(force, moment), &(mass, centre)| {
        let weight = -mass * gravity;
        (force + weight, moment + (centre - at).cross(weight))
    })
}

/// Coefficient of elliptic friction in a direction `angle` (rad) from its first axis.
pub fn elliptic_friction(along: f64, across: f64, angle: f64) -> f64 {
    let (sin, cos) = angle.sin_cos();
    1.0 / ((cos / along).powi(2) + (sin / across).powi(2)).sqrt()
}

/// How far a block slides from rest down a slope of `angle` (rad) with friction `mu` in `time` (s), m; `g` in m/s^2.
pub fn slide(g: f64, angle: f64, mu: f64, time: f64) -> f64 {
    0.5 * g * (angle.sin() - mu * angle.cos()).max(0.0) * time * time
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_forms_have_their_known_values() {
        let close = |a: f64, b: f64, e: f64| assert!((a - b).abs() <= e * b.abs(), "{a} against {b}");
        // 90 degrees: 1.18034 of the small-swing period.
        close(pendulum_period(1.0, 1.0, PI / 2.0), TAU * 1.180_340_599, 1e-9);
        // a = 1: span 2, length 2 sinh 1.
        close(catenary(2.0, 2.0 * 1f64.sinh()), 1.0, 1e-12);
        close(cantilever_sag(3.0, 8.0, 1.0, 1.0), 2.0, 1e-15);
        // Two masses' worth of bars: one point mass between two rods, k = 2 T / l.
        close(string_frequency(2, 5.0, 2.0, 1.0, 0.5), (2.0 * 5.0 / 2.0_f64).sqrt(), 1e-12);
        // Many bars: pi/L sqrt(T/mu).
        close(string_frequency(1000, 7.0, 0.003, 0.01, 0.0), PI / 10.0 * (7.0 / 0.3_f64).sqrt(), 1e-5);
        // A fast top: m g l / (axial spin).
        close(top_precession(1.0, 1.0, 1e6, 0.3, 2.0), 2e-6, 1e-9);
        // A parallelogram: the rocker follows the crank.
        assert!(freudenstein([2.0, 1.0, 2.0, 1.0], 0.7, 0.7).abs() < 1e-15);
        let (f, m) = carried(&[(2.0, Vec3::X), (1.0, 2.0 * Vec3::X)], Vec3::ZERO, -10.0 * Vec3::Y);
        assert_eq!((f, m), (30.0 * Vec3::Y, 40.0 * Vec3::Z));
    }
}
