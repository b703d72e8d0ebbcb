//! What may not go into the state: numbers that are not finite, rods without a direction; and who is to blame.

use crate::desk::Desk;
use crate::desk::inputs::Given;
use crate::error::{Error, Result};
use crate::model::Model;
use crate::system::linear::Failure;
use crate::topology::{Source, Topology};

/// Refuses velocities and forces that are not finite.
pub(crate) fn velocities(model: &Model, t: &Topology, time: f64, desk: &Desk) -> Result<()> {
    // One bad number makes the sum bad; only then is its owner looked for.
    if desk.sol.x.iter().sum::<f64>().is_finite() {
        return Ok(());
    }
    for (n, node) in t.nodes.iter().enumerate() {
        if desk.sol.x[node.x..node.x + node.dim].iter().any(|v| !v.is_finite()) {
            return Err(Error::step(time, model.body_name(t.slot_of[n]), "its velocity is not finite"));
        }
    }
    for g in &t.groups {
        if let Some(r) = desk.sol.x[g.x()..g.x() + g.rows()].iter().position(|v| !v.is_finite()) {
            return Err(Error::step(
                time,
                format!("{} row {r}", model.joint_name(g.slot())),
                "its force is not finite",
            ));
        }
    }
    Ok(())
}

/// Refuses poses that are not finite.
pub(crate) fn poses(model: &Model, t: &Topology, time: f64, desk: &Desk) -> Result<()> {
    for (b, kin) in desk.next.kin.iter().enumerate() {
        if !(kin.pos.is_finite() && kin.quat.is_finite()) {
            return Err(Error::step(time, model.body_name(t.slot_of[b]), "its pose is not finite"));
        }
    }
    Ok(())
}

/// A rod whose ends meet has no direction to push in.
pub(crate) fn rods(model: &Model, t: &Given<'_>, time: f64) -> Result<()> {
    for (l, term) in t.links.iter().zip(&t.inputs.links) {
        let Source::Row(row) = l.source else { continue };
        if term.length == 0.0 && row < t.row_count && t.inputs.rows.is_rigid(row) {
            let slot = t.groups[t.groups.partition_point(|g| g.row() <= row) - 1].slot();
            return Err(Error::step(time, model.joint_name(slot), "the ends of the rod meet: it has no direction"));
        }
    }
    Ok(())
}

pub(crate) fn blame(model: &Model, t: &Topology, time: f64, f: Failure) -> Error {
    match f {
        Failure::Node(n, why) => Error::step(time, model.body_name(t.slot_of[n]), why),
        Failure::Row(g, r, why) => Error::step(time, format!("{} row {r}", model.joint_name(t.groups[g].slot())), why),
        Failure::System(why) => Error::step(time, "the system", why),
    }
}
