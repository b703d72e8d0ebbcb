//! Couplings of a world.

use super::names::Names;
use crate::file::coupling::{Coupling, FreedomSum, Term};
use crate::file::error::{FileError, Path};
use crate::file::{Freedom, Soft};
use std::f64::consts::TAU;
use taut::{CouplingRef, World};

/// All couplings, in order.
pub(super) fn couplings(world: &World, names: &Names, warnings: &mut Vec<String>) -> Result<Vec<Coupling>, FileError> {
    let mut out: Vec<Coupling> = Vec::new();
    for (k, c) in world.couplings().enumerate() {
        let path = Path::of("couplings").index(k);
        let name = Some(c.name()).filter(|n| !n.is_empty());
        let taken = name.is_some_and(|n| out.iter().any(|o| o.name() == Some(n)));
        if let (Some(name), true) = (name, taken) {
            warnings.push(format!("a second coupling is named '{name}': it has no name in the file"));
        }
        let name = name.filter(|_| !taken).map(str::to_owned);
        out.push(Coupling::Sum(sum(&c, name, names, &path)?));
    }
    Ok(out)
}

fn sum(c: &CouplingRef<'_>, name: Option<String>, names: &Names, path: &Path) -> Result<FreedomSum, FileError> {
    let def = c.definition();
    let mut terms = Vec::new();
    // Whole turns are not in a file: what they add to the sum is taken from the offset.
    let mut turned = 0.0;
    for (k, (t, at)) in def.terms.iter().zip(c.positions()).enumerate() {
        let place = path.key("terms").index(k);
        let joint = names.joint(t.joint).ok_or_else(|| FileError::new(place, "a joint without a name"))?;
        let freedom = t.freedom.map(Freedom::Of);
        if freedom.is_some_and(|f| !f.is_length()) {
            turned += t.ratio * TAU * (at / TAU).round();
        }
        terms.push(Term { joint, freedom, index: None, ratio: t.ratio.into() });
    }
    let offset = if turned == 0.0 { c.offset() } else { c.offset() - turned };
    Ok(FreedomSum { name, terms, offset: Some(offset.into()), give: Soft::saying(c.soft()) })
}
