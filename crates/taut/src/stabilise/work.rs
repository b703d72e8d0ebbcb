//! What the stabiliser does to the energy of single bodies in a step.
//!
//! ```text
//! W = (c A w - (1 - r) A w+) . (wg + w+)/2  -  v+ . B (v + v+)/2
//! ```
//! A the added stiffness, c A w its memory, r the share of it that is switched off, B the damping of `Inertial`; zero or less but for
//! the memory, which gives back what it kept.

use crate::desk::inputs::Given;
use crate::desk::{Memory, Stabilised};
use crate::integrate;
use crate::math::vec3;
use glam::DVec3;

/// Energy that the stabiliser gave a node in the step just solved, J; negative when it took some. Elements along rods are not in it.
pub(crate) fn of_node(t: &Given<'_>, stiff: &Stabilised, memory: &Memory, x: &[f64], n: usize) -> f64 {
    let (node, now) = (&t.nodes[n], &t.inputs.kin[n]);
    let (v, w) = integrate::velocity(t, n, x);
    let diagonal = |x: usize, after: DVec3, mean: DVec3| {
        if stiff.damping.is_empty() {
            return 0.0;
        }
        (0..3).map(|c| stiff.damping[x + c] * after[c] * mean[c]).sum::<f64>()
    };
    let mean = 0.5 * (now.vel + v);
    let linear = vec3(&memory.impulse, node.x).dot(mean) - diagonal(node.x, v, mean);
    if node.dim < 6 {
        return linear;
    }
    let keep = 1.0 - stiff.share[node.island];
    let mean = 0.5 * (t.inputs.omega_g[n] + w);
    linear + (vec3(&memory.impulse, node.x + 3) - keep * (stiff.now.added[n] * w)).dot(mean)
        - diagonal(node.x + 3, w, mean)
}
