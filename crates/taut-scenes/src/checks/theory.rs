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
