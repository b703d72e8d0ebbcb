//! What elements do to the energy of their nodes in a step.

use super::{multiply, product, volume};
use crate::desk::Smooth;
use crate::desk::inputs::Given;
use crate::topology::Island;

/// What the elements of an island did in a step, J.
pub(crate) struct Done {
    /// Work on the nodes with unknowns.
    pub inside: f64,
    /// Work on those that are moved from outside.
    pub driven: f64,
}

/// Work of the elements' impulses, hk f - A v+ and what was given back, against the mean of the velocities before and after.
pub(crate) fn done(t: &Given<'_>, island: &Island, x: &[f64], smooth: &mut Smooth) -> Done {
    let (hk, elastic) = (t.inputs.hk[island.k], &t.inputs.elastic);
    smooth.work[island.x.clone()].fill(0.0);
    multiply(t, island.k, elastic, x, &mut smooth.work);
    let [pull, stiff, drag] = elastic.drive[island.k];
    let mut done = Done { inside: 0.0, driven: hk * pull - stiff - drag };
    for n in island.nodes.clone() {
        let node = &t.nodes[n];
        let old = t.inputs.kin[n].vel.to_array().into_iter().chain(t.inputs.omega_g[n].to_array());
        for (q, old) in (node.x..node.x + node.dim).zip(old) {
            let known = elastic.driven[q] + elastic.dragged[q];
            let impulse = hk * elastic.force[q] + known + smooth.impulse[q] - smooth.work[q];
            done.inside += impulse * 0.5 * (old + x[q]);
            done.driven += known * x[q];
        }
    }
    done
}

/// The part of that work that the damping of the materials takes, J: nothing or less.
pub(crate) fn damped(t: &Given<'_>, island: &Island, x: &[f64], smooth: &mut Smooth) -> f64 {
    if !t.soft.is_damped {
        return 0.0;
    }
    smooth.work[island.x.clone()].fill(0.0);
    let v = if smooth.guarded[island.k] { x } else { &smooth.slow };
    product(t, island.k, &t.inputs.elastic.drag, v, &mut smooth.work);
    let mut sum = 0.0;
    for n in island.nodes.clone() {
        let node = &t.nodes[n];
        let old = t.inputs.kin[n].vel.to_array().into_iter().chain(t.inputs.omega_g[n].to_array());
        for (q, old) in (node.x..node.x + node.dim).zip(old) {
            sum -= smooth.work[q] * 0.5 * (old + x[q]);
        }
    }
    sum
}

/// Energy of the elements of an island as the step takes it to be, less that at the present pose, J: quadratic in the way from it, which is
/// this long, s, at the velocities in `v`. What only holds volumes is no energy.
pub(crate) fn taken_for(t: &Given<'_>, island: &Island, ahead: f64, v: &[f64], h: f64, work: &mut [f64]) -> f64 {
    let elastic = &t.inputs.elastic;
    work[island.x.clone()].fill(0.0);
    product(t, island.k, &elastic.stiff, v, work);
    let [pull, stiff, _] = elastic.drive[island.k];
    let (mut given, mut bent) = (pull, stiff);
    for node in &t.nodes[island.nodes.clone()] {
        for q in node.x..node.x + node.dim {
            given += elastic.force[q] * v[q];
            bent += (work[q] - 2.0 * elastic.driven[q]) * v[q];
        }
    }
    bent -= volume::held_only(t, island, v, h);
    let part = ahead / h;
    0.5 * part * part * bent - ahead * given
}
