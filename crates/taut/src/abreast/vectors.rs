//! Lanes as masks and lists, and vectors in lists of numbers.

use super::Triple;
use crate::math::lanes::{Four, LANES, Mask, Number, Vec4};
use glam::DVec3;

/// The vector of one lane.
#[inline(always)]
pub(super) fn lane(v: &Triple, k: usize) -> DVec3 {
    DVec3::new(v[0].0[k], v[1].0[k], v[2].0[k])
}

/// Lanes as a mask.
#[inline(always)]
pub(super) fn mask<F: Number>(lanes: [bool; LANES]) -> F::Which {
    F::all(0.5).below(F::of(lanes.map(|yes| if yes { 1.0 } else { 0.0 })))
}

/// A mask as lanes.
#[inline(always)]
pub(super) fn lanes<M: Mask<F>, F>(mask: M) -> [bool; LANES] {
    [mask.lane(0), mask.lane(1), mask.lane(2), mask.lane(3)]
}

/// A vector of unknowns.
#[inline(always)]
pub(super) fn get<F: Number>(x: &[Four], at: usize) -> Vec4<F> {
    let v = &x[at..at + 3];
    Vec4 { x: F::load(&v[0]), y: F::load(&v[1]), z: F::load(&v[2]) }
}

#[inline(always)]
pub(super) fn put<F: Number>(x: &mut [Four], at: usize, v: Vec4<F>) {
    let to = &mut x[at..at + 3];
    v.x.store(&mut to[0]);
    v.y.store(&mut to[1]);
    v.z.store(&mut to[2]);
}

#[inline(always)]
pub(super) fn zero<F: Number>() -> Vec4<F> {
    Vec4 { x: F::all(0.0), y: F::all(0.0), z: F::all(0.0) }
}

/// Numbers of some lanes take the place of others.
#[inline(always)]
pub(super) fn take_over<F: Number>(which: F::Which, from: &[Four], to: &mut [Four]) {
    for k in 0..to.len() {
        which.select(F::load(&from[k]), F::load(&to[k])).store(&mut to[k]);
    }
}
