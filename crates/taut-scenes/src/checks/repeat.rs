//! The same inputs give the same bits: a second run, and a run from a snapshot, in the same world and in another one.

use super::{Check, Effort, Failure, Measured};
use crate::scene::{Scene, all};

pub(super) fn check() -> Check {
    Check {
        id: "repeat",
        summary: "every scene repeats bit for bit: run again, from a snapshot, and from a snapshot in a world built anew",
        source: "hashes of the final states",
        run,
    }
}

fn run(effort: &Effort<'_>) -> Result<Vec<Measured>, Failure> {
    let time = effort.pick(2.0, 0.5);
    let [mut again, mut restored, mut rebuilt, mut scenes] = [0; 4];
    for info in all() {
        let half = |s: &mut Scene| effort.driven(s, info.dt, 0.5 * time, |_, _| Ok(()));
        let (mut first, _) = info.with(info.small())?;
        half(&mut first)?;
        let middle = first.world.state().clone();
        half(&mut first)?;
        let end = first.world.state().hash();
        let (mut second, _) = info.with(info.small())?;
        half(&mut second)?;
        half(&mut second)?;
        scenes += 1;
        again += usize::from(second.world.state().hash() == end);
        first.world.restore(&middle)?;
        half(&mut first)?;
        restored += usize::from(first.world.state().hash() == end);
        let (mut fresh, _) = info.with(info.small())?;
        fresh.world.restore(&middle)?;
        half(&mut fresh)?;
        rebuilt += usize::from(fresh.world.state().hash() == end);
    }
    let what = |kind: &str| format!("scenes of {scenes} equal {kind}");
    Ok(vec![
        Measured::all_of(what("when run again"), again, scenes),
        Measured::all_of(what("from a snapshot"), restored, scenes),
        Measured::all_of(what("from a snapshot in a world built anew"), rebuilt, scenes),
    ])
}
