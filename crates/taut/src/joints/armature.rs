//! Armature: the inertia of what turns with a joint and with nothing else, such as the rotor of a motor behind a gear.
//!
//! With s the rates of what the joint leaves free and a the armature, a rotor of a gear ratio r and inertia I has a = r^2 I. It has the
//! kinetic energy a s^2/2, and momentum along the joint alone: its force acts on body i and the opposite one on body j.
//! ```text
//! h lambda = -a (s+ - s),    s+ = J v+ + c/h        that is,    J v+ + (h lambda)/a = s - c/h
//! ```
//! a soft row with Sigma = 1/a that wants the rate of the last step, in the block of the joint. c is its curvature, as of other rows
//! (`stabilise::curvature`), and s+ goes into the state: J v alone would forget how the pose turns J, as of a slide on an arm that turns.
//!
//! The rates are those of slides along axes of body j, of turns about one axis, and of joints that turn about more than one axis the
//! relative angular velocity w along axes n of body i. Its size is the same in the frames of both bodies, and so is dw/dt. There is no
//! coordinate that w is the rate of; its curvature is that of n in the middle of the drift, c = h^2/2 n.(w_i x w_j), zero for one axis.

use super::{Axis, Freedom, JointKind, Softness, measure, pick};
use crate::constraint::Primitive;
use crate::error::{Error, Result};
use crate::math::pose::Frames;

/// No spring. `rows` has the Sigma of such rows.
pub(super) const SOFT: Softness = Softness { compliance: f64::INFINITY, damping: 1.0 };

/// Refuses what is no armature: negative, not finite, or so small that its inverse is not.
pub(crate) fn validate(armature: f64) -> Result<()> {
    let is_number = armature == 0.0 || (armature > 0.0 && armature.is_finite() && armature.recip().is_finite());
    if !is_number {
        let expected = "zero or a positive, finite number of kg m^2, of kg for slides";
        return Err(Error::input("joint armature", armature, expected));
    }
    Ok(())
}

/// What measures the rates that feel the armature of a joint, whose forces are refused where it has none.
pub(super) fn rates(frames: &Frames, kind: &dyn JointKind) -> Result<Vec<Primitive>> {
    let freedoms = kind.freedoms();
    let slide = |axis: Axis| Primitive::Slot { si: frames.i.origin, sj: frames.j.origin, u: pick(&frames.j, axis) };
    let mut out: Vec<Primitive> = Vec::new();
    for f in freedoms {
        match *f {
            Freedom::Slide | Freedom::Rise => out.push(slide(Axis::N)),
            Freedom::Shift(axis) => out.push(slide(axis)),
            _ => {}
        }
    }
    let turns = || freedoms.iter().filter(|f| f.is_angle());
    match turns().next() {
        Some(only @ (Freedom::Turn | Freedom::About(_) | Freedom::Spin)) if turns().count() == 1 => {
            out.push(measure(frames, *only));
        }
        Some(_) => out.extend([Axis::U, Axis::V, Axis::N].map(|axis| measure(frames, Freedom::About(axis)))),
        None => {}
    }
    if out.is_empty() {
        let expected = "a joint that slides or turns: a hinge, a slide, a cylindrical, universal, ball, planar or six-degree joint";
        return Err(Error::input("armature of a joint", kind.name(), expected));
    }
    Ok(out)
}
