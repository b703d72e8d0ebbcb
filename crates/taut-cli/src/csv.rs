//! `--csv`: one line per step.

use crate::output::OutputFile;
use std::io::{BufWriter, ErrorKind, Write};
use taut::World;
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
    out: BufWriter<Box<dyn Write>>,
    columns: Columns,
    values: Vec<Option<f64>>,
}

impl Csv {
    /// Writes the header.
    fn new(file: Box<dyn Write>, columns: Columns) -> std::io::Result<Self> {
        let mut out = BufWriter::new(file);
        let (followed, bounded) =
            (if columns.followed { FOLLOWED } else { "" }, if columns.bounded { BOUNDED } else { "" });
        write!(out, "{HEADER}{followed}{MOTION}{bounded}")?;
        for name in columns.signals.names() {
            write!(out, ",{}", quoted(name))?;
        }
        writeln!(out)?;
        Ok(Csv { out, columns, values: Vec::new() })
    }

    /// Writes a step.
    fn line(&mut self, world: &World, s: &Sample) -> std::io::Result<()> {
        let (r, e, l) = (&s.report, &s.report.energy, &s.report.ledger);
        // The debug form is the shortest that reads back as the same number.
        write!(self.out, "{:?},{:?},{:?},{:?},{:?}", r.time, e.kinetic, e.gravity, e.elastic, e.total())?;
        let gap = r.max_gap.max(r.bounded.overrun);
        write!(self.out, ",{:?},{:?},{:?}", gap, r.sum_gap + r.bounded.overrun_sum, r.max_angle)?;
        write!(self.out, ",{},{},{:?}", r.solves, r.iterations, r.residual)?;
        write!(self.out, ",{:?},{:?},{:?}", l.work, l.damping, l.stabiliser)?;
        write!(self.out, ",{:?},{:?},{:?}", l.constraints, l.contacts, l.broken)?;
        write!(self.out, ",{:?},{:?}", l.integration, l.imbalance)?;
        let (p, v) = (s.position, s.velocity);
        if self.columns.followed {
            write!(self.out, ",{:?},{:?},{:?},{:?},{:?},{:?}", p.x, p.y, p.z, v.x, v.y, v.z)?;
        }
        write!(self.out, ",{:?},{:?}", s.turn_rate, s.strain)?;
        if self.columns.bounded {
            let b = &r.bounded;
            write!(self.out, ",{},{},{:?}", b.rows, b.contacts, b.residual)?;
            write!(self.out, ",{},{},{}", b.iterations, b.unconverged, b.convex)?;
            write!(self.out, ",{:?},{}", b.penetration, r.events.len())?;
        }
        self.values.clear();
        self.columns.signals.values(world, &mut self.values);
        for value in &self.values {
            match value {
                Some(x) => write!(self.out, ",{x:?}")?,
                None => write!(self.out, ",")?,
            }
        }
        writeln!(self.out)
    }
}

/// A name as a cell: quoted where it has a comma, a quote or a line break in it.
fn quoted(name: &str) -> String {
    if name.contains([',', '"', '\n', '\r']) { format!("\"{}\"", name.replace('"', "\"\"")) } else { name.to_owned() }
}

/// Where the table goes.
pub enum Sink {
    /// A file, which is emptied when the run begins.
    File(OutputFile),
    /// Standard output.
    Standard,
}

impl Sink {
    fn begin(self) -> Result<Box<dyn Write>, String> {
        match self {
            Sink::File(file) => file.begin().map(|f| Box::new(f) as Box<dyn Write>),
            Sink::Standard => Ok(Box::new(std::io::stdout())),
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
            Recorder::Waiting(sink, columns) => match sink.begin().map(|out| Csv::new(out, columns)) {
                Ok(Ok(csv)) => Recorder::Writing(csv),
                Ok(Err(e)) => Recorder::Failed(told(&e)),
                Err(e) => Recorder::Failed(Some(e)),
            },
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
            Recorder::Writing(mut csv) => csv.out.flush().map_err(|e| told(&e)).or_else(|e| e.map_or(Ok(()), Err)),
            Recorder::Failed(e) => e.map_or(Ok(()), Err),
            Recorder::Nothing | Recorder::Waiting(..) => Ok(()),
        }
    }
}

/// What to say of an error: nothing when the reader of standard output has left.
fn told(e: &std::io::Error) -> Option<String> {
    (e.kind() != ErrorKind::BrokenPipe).then(|| e.to_string())
}
