//! `--csv`: one line per step.

use crate::output::OutputFile;
use std::fs::File;
use std::io::{BufWriter, Write};
use taut_scenes::Sample;

const HEADER: &str = "time_s,kinetic_J,gravity_J,elastic_J,total_J,max_gap_m,sum_gap_m,max_angle_rad,solves,iterations,residual,\
                      work_J,damping_J,stabiliser_J,constraints_J,contacts_J,broken_J,integration_J,imbalance_J,\
                      x_m,y_m,z_m,vx_m_per_s,vy_m_per_s,vz_m_per_s,turn_rate_rad_per_s,strain";

/// What follows where rows with bounds can come up.
const BOUNDED: &str = ",contacts_J,broken_J,bounded_rows,contact_points,bounded_residual_m_per_s,bounded_iterations,\
                       unconverged_clusters,convex_clusters,penetration_m,events";

/// Writes the record of a run.
pub struct Csv {
    out: BufWriter<File>,
    bounded: bool,
}

impl Csv {
    /// Writes the header.
    pub fn new(file: File, bounded: bool) -> std::io::Result<Self> {
        let mut out = BufWriter::new(file);
        writeln!(out, "{HEADER}{}", if bounded { BOUNDED } else { "" })?;
        Ok(Csv { out, bounded })
    }

    /// Writes a step.
    pub fn line(&mut self, s: &Sample) -> std::io::Result<()> {
        let (r, e, l) = (&s.report, &s.report.energy, &s.report.ledger);
        // The debug form is the shortest that reads back as the same number.
        write!(self.out, "{:?},{:?},{:?},{:?},{:?}", r.time, e.kinetic, e.gravity, e.elastic, e.total())?;
        write!(self.out, ",{:?},{:?},{:?}", r.max_gap, r.sum_gap, r.max_angle)?;
        write!(self.out, ",{},{},{:?}", r.solves, r.iterations, r.residual)?;
        write!(self.out, ",{:?},{:?},{:?}", l.work, l.damping, l.stabiliser)?;
        write!(self.out, ",{:?},{:?},{:?}", l.constraints, l.contacts, l.broken)?;
        write!(self.out, ",{:?},{:?}", l.integration, l.imbalance)?;
        let (p, v) = (s.position, s.velocity);
        write!(self.out, ",{:?},{:?},{:?},{:?},{:?},{:?}", p.x, p.y, p.z, v.x, v.y, v.z)?;
        write!(self.out, ",{:?},{:?}", s.turn_rate, s.strain)?;
        if self.bounded {
            let b = &r.bounded;
            write!(self.out, ",{:?},{:?},{},{},{:?}", l.contacts, l.broken, b.rows, b.contacts, b.residual)?;
            write!(self.out, ",{},{},{}", b.iterations, b.unconverged, b.convex)?;
            write!(self.out, ",{:?},{}", b.penetration, r.events.len())?;
        }
        writeln!(self.out)
    }

    /// Writes out what is still in memory.
    pub fn finish(mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}

/// The CSV file; it is emptied when the run begins.
pub enum Recorder {
    /// No file was asked for.
    Nothing,
    /// The run has not begun.
    Waiting(OutputFile, bool),
    /// The file is being written.
    Writing(Csv),
    /// The file could not be written.
    Failed(String),
}

impl Recorder {
    /// For the file of `--csv`, with columns for rows with bounds or without.
    pub fn new(file: Option<OutputFile>, bounded: bool) -> Self {
        file.map_or(Recorder::Nothing, |f| Recorder::Waiting(f, bounded))
    }

    /// Empties the file, once.
    fn begin(self) -> Self {
        match self {
            Recorder::Waiting(file, bounded) => {
                let started = file.begin().and_then(|f| Csv::new(f, bounded).map_err(|e| e.to_string()));
                started.map_or_else(Recorder::Failed, Recorder::Writing)
            }
            begun => begun,
        }
    }

    /// Writes a step; whether all went well.
    pub fn line(&mut self, s: &Sample) -> bool {
        *self = std::mem::replace(self, Recorder::Nothing).begin();
        if let Recorder::Writing(csv) = self
            && let Err(e) = csv.line(s)
        {
            *self = Recorder::Failed(e.to_string());
        }
        !matches!(self, Recorder::Failed(_))
    }

    /// Writes out what is still in memory.
    pub fn finish(self) -> Result<(), String> {
        match self.begin() {
            Recorder::Writing(csv) => csv.finish().map_err(|e| e.to_string()),
            Recorder::Failed(e) => Err(e),
            Recorder::Nothing | Recorder::Waiting(..) => Ok(()),
        }
    }
}
