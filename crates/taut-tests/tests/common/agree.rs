//! The step and the mechanism in its own freedoms agree.

use taut::{Vec3, World};

pub fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |m, x| f64::max(m, x.abs()))
}

pub fn assert_vectors(a: &[f64], b: &[f64], tolerance: f64, what: &str) {
    assert_eq!(a.len(), b.len(), "{what}");
    let scale = largest(a).max(largest(b)).max(1.0);
    for (k, (x, y)) in a.iter().zip(b).enumerate() {
        assert!((x - y).abs() <= tolerance * scale, "{what}: entry {k} is {x} and {y}");
    }
}

/// What is left of an error of first order in the step when the step becomes nothing; `error` tells it for a step.
/// Steps that are much shorter see the rounding of the joints' gaps: 1e-16 m over h^2.
pub fn without_step(error: impl Fn(f64) -> Vec<f64>) -> Vec<f64> {
    let h = 2e-4;
    error(h).iter().zip(error(0.5 * h)).map(|(whole, half)| 2.0 * half - whole).collect()
}

/// Accelerations of all bodies in a step, less those that the freedoms give them, over the largest.
pub fn step_error(w: &World, h: f64) -> Vec<f64> {
    let mut w = w.clone();
    // The first kick is half a step: it is taken before.
    w.step(h).unwrap();
    let d = w.dynamics().unwrap();
    let a = d.forward(&vec![0.0; d.dofs().len()]).unwrap();
    let ids: Vec<_> = w.bodies().map(|b| b.id()).filter(|&b| d.find_body(b).is_some()).collect();
    let now: Vec<_> = ids.iter().map(|&b| w[b]).collect();
    w.step(h).unwrap();
    let (mut out, mut scale) = (Vec::new(), 1.0_f64);
    for (id, before) in ids.iter().zip(&now) {
        let after = w[*id];
        let j = d.jacobian(*id, before.pos).unwrap().times(&a);
        let (lin, ang) = d.drift(*id, before.pos).unwrap();
        let lin = lin + Vec3::new(j[0], j[1], j[2]);
        let ang = ang + Vec3::new(j[3], j[4], j[5]);
        out.extend(((after.vel - before.vel) / h - lin).to_array());
        out.extend(((after.omega - before.omega) / h - ang).to_array());
        scale = scale.max(lin.abs().max_element()).max(ang.abs().max_element());
    }
    out.iter().map(|x| x / scale).collect()
}

pub fn assert_the_step_agrees(w: &World, tolerance: f64, what: &str) {
    let error = largest(&without_step(|h| step_error(w, h)));
    assert!(error < tolerance, "{what}: accelerations off by {error}");
}
