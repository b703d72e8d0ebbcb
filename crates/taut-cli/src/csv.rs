//! `--csv`: one line per step, as CSV or Parquet.

use crate::output::OutputFile;
use std::io::{ErrorKind, Write};
use taut::World;
use taut_fleet::Cell;
use taut_fleet::table::{Column, Format, Kind, Writer};
use taut_scenes::Sample;
use taut_scenes::signals::Signals;

const HEADER: &str = "time_s,kinetic_J,gravity_J,elastic_J,total_J,max_gap_m,sum_gap_m,max_angle_rad,solves,iterations,residual,\
                      work_J,damping_J,stabiliser_J,constraints_J,contacts_J,broken_J,integration_J,imbalance_J";

/// Where the followed body is and how fast, unless it has columns of its own.
const FOLLOWED: &str = ",x_m,y_m,z_m,vx_m_per_s,vy_m_per_s,vz_m_per_s";

const MOTION: &str = ",turn_rate_rad_per_s,strain";

/// What follows where rows with bounds can come up.
const BOUNDED: &str = ",bounded_rows,contact_points,bounded_residual_m_per_s,bounded_iterations,unconverged_clusters,\
                       convex_clusters,penetration_m,events";

/// What the table has.
pub struct Columns {
    /// Those of rows with bounds.
    pub bounded: bool,
    /// Those of the followed body, which has none among the signals.
    pub followed: bool,
    /// Those of named things.
    pub signals: Signals,
}

/// Writes the record of a run.
pub struct Csv {
    out: Writer<Box<dyn Write>>,
    columns: Columns,
    cells: Vec<Cell>,
    values: Vec<Option<f64>>,
}

/// Columns of whole numbers.
const WHOLE: [&str; 8] = [
    "solves",
    "iterations",
    "bounded_rows",
    "contact_points",
    "bounded_iterations",
    "unconverged_clusters",
    "convex_clusters",
    "events",
];

impl Csv {
    /// Writes the header.
    fn new(file: Box<dyn Write>, format: Format, columns: Columns) -> std::io::Result<Self> {
        let (followed, bounded) =
            (if columns.followed { FOLLOWED } else { "" }, if columns.bounded { BOUNDED } else { "" });
        let fixed = format!("{HEADER}{followed}{MOTION}{bounded}");
        let names = fixed.split(',').map(str::to_owned);
        let fixed = names.map(|name| {
            let kind = if WHOLE.contains(&name.as_str()) { Kind::Whole } else { Kind::Number };
            Column { name, kind }
        });
        let signals = columns.signals.names().iter().map(|name| Column { name: name.clone(), kind: Kind::Number });
        let out = Writer::new(format, file, &fixed.chain(signals).collect::<Vec<_>>())?;
        Ok(Csv { out, columns, cells: Vec::new(), values: Vec::new() })
    }

    /// Writes a step.
    fn line(&mut self, world: &World, s: &Sample) -> std::io::Result<()> {
        let (r, e, l) = (&s.report, &s.report.energy, &s.report.ledger);
        let cells = &mut self.cells;
        cells.clear();
        let mut numbers = |list: &[f64]| cells.extend(list.iter().map(|x| Cell::Number(*x)));
        numbers(&[r.time, e.kinetic, e.gravity, e.elastic, e.total()]);
        numbers(&[r.max_gap.max(r.bounded.overrun), r.sum_gap + r.bounded.overrun_sum, r.max_angle]);
        let count = |n: usize| Cell::count(n as u64);
        cells.extend([count(r.solves), count(r.iterations), Cell::Number(r.residual)]);
        let mut numbers = |list: &[f64]| cells.extend(list.iter().map(|x| Cell::Number(*x)));
        numbers(&[l.work, l.damping, l.stabiliser, l.constraints, l.contacts, l.broken, l.integration, l.imbalance]);
        if self.columns.followed {
            let (p, v) = (s.position, s.velocity);
            numbers(&[p.x, p.y, p.z, v.x, v.y, v.z]);
        }
        numbers(&[s.turn_rate, s.strain]);
        if self.columns.bounded {
            let b = &r.bounded;
            cells.extend([count(b.rows), count(b.contacts), Cell::Number(b.residual)]);
            cells.extend([count(b.iterations), count(b.unconverged), count(b.convex)]);
            cells.extend([Cell::Number(b.penetration), count(r.events.len())]);
        }
        self.values.clear();
        self.columns.signals.values(world, &mut self.values);
        cells.extend(self.values.iter().map(|x| Cell::from(*x)));
        self.out.push(cells)
    }
}

/// Where the table goes.
pub enum Sink {
    /// A file, which is emptied when the run begins.
    File(OutputFile, Format),
    /// Standard output.
    Standard,
}

impl Sink {
    fn begin(self) -> Result<(Box<dyn Write>, Format), String> {
        match self {
            Sink::File(file, format) => file.begin().map(|f| (Box::new(f) as Box<dyn Write>, format)),
            Sink::Standard => Ok((Box::new(std::io::stdout()), Format::Csv)),
        }
    }
}

/// The table of a run.
pub enum Recorder {
    /// None was asked for.
    Nothing,
    /// The run has not begun.
    Waiting(Sink, Columns),
    /// It is being written.
    Writing(Csv),
    /// It could not be written; nothing to tell when its reader has had enough.
    Failed(Option<String>),
}

impl Recorder {
    /// For what `--csv` named.
    pub fn new(sink: Option<Sink>, columns: Columns) -> Self {
        sink.map_or(Recorder::Nothing, |s| Recorder::Waiting(s, columns))
    }

    /// Empties the file and writes the header, once.
    fn begin(self) -> Self {
        match self {
            Recorder::Waiting(sink, columns) => {
                match sink.begin().map(|(out, format)| Csv::new(out, format, columns)) {
                    Ok(Ok(csv)) => Recorder::Writing(csv),
                    Ok(Err(e)) => Recorder::Failed(told(&e)),
                    Err(e) => Recorder::Failed(Some(e)),
                }
            }
            begun => begun,
        }
    }

    /// Writes a step; whether all went well.
    pub fn line(&mut self, world: &World, s: &Sample) -> bool {
        *self = std::mem::replace(self, Recorder::Nothing).begin();
        if let Recorder::Writing(csv) = self
            && let Err(e) = csv.line(world, s)
        {
            *self = Recorder::Failed(told(&e));
        }
        !matches!(self, Recorder::Failed(_))
    }

    /// Writes out what is still in memory.
    pub fn finish(self) -> Result<(), String> {
        match self.begin() {
            Recorder::Writing(csv) => csv.out.finish().map_err(|e| told(&e)).or_else(|e| e.map_or(Ok(()), Err)),
            Recorder::Failed(e) => e.map_or(Ok(()), Err),
            Recorder::Nothing | Recorder::Waiting(..) => Ok(()),
        }
    }
}

/// What to say of an error: nothing when the reader of standard output has left.
fn told(e: &std::io::Error) -> Option<String> {
    (e.kind() != ErrorKind::BrokenPipe).then(|| e.to_string())
}
