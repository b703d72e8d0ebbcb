//! An older binary beside this one, on the cells of `taut bench compare`.

use super::sheet::{Sheet, us};
use crate::bench::compare::binary::{Binary, Measure};
use crate::bench::compare::cells::CELLS;
use crate::bench::compare::{Trouble, cell_of};
use std::path::Path;
use taut_bench::table::{Table, digits};

/// The older binary and this one.
pub struct Before {
    binaries: [Binary; 2],
}

impl Before {
    /// Asks the older binary whether it is `taut`.
    pub fn new(path: &Path) -> Result<Self, String> {
        let own = std::env::current_exe().map_err(|e| format!("the path of this program: {e}"))?;
        Ok(Before { binaries: [Binary::new("--before", path)?, Binary::new("this program", &own)?] })
    }

    /// Runs the cells of these names and prints the ratios.
    pub fn table(&self, names: &[&str], sheet: &mut Sheet<'_>) -> Result<(), String> {
        let repeats = if sheet.quick { 2 } else { 7 };
        sheet.section(
            "Before and after",
            &format!(
                "Before: {}; after: {}, this program. Scenes of the library like those above, run with `taut run` by both in turn, \
                 {repeats} times, as `taut bench compare` does: median time of a step, median ratio over the pairs and twice its standard \
                 error; bits: whether both ended in the same state.",
                self.binaries[0].version, self.binaries[1].version
            ),
        );
        let mut table = Table::new(["cell", "before us", "after us", "after over before", "spread", "bits"]);
        for cell in names.iter().filter_map(|name| CELLS.iter().find(|c| c.name == *name)) {
            sheet.doing(&format!("before and after: {}", cell.name));
            match cell_of(&self.binaries, cell, Measure::Time, repeats) {
                Ok(c) => table.row([
                    cell.name.into(),
                    us(c.a),
                    us(c.b),
                    digits(c.ratio.median, 3),
                    digits(c.ratio.spread, 2),
                    if c.same_bits { "same".to_string() } else { "other".into() },
                ]),
                Err(Trouble::Missing(why) | Trouble::Failed(why)) => {
                    table.row([cell.name, "-", "-", "-", "-", why.as_str()]);
                }
            }
        }
        sheet.table("before", &table)
    }
}
