//! `--csv`: one line per step.

use std::fs::File;
use std::io::{BufWriter, Write};
use taut_scenes::Sample;

const HEADER: &str = "time_s,kinetic_J,gravity_J,elastic_J,total_J,max_gap_m,sum_gap_m,max_angle_rad,solves,iterations,residual,\
                      work_J,damping_J,stabiliser_J,constraints_J,integration_J,imbalance_J,\
                      x_m,y_m,z_m,vx_m_per_s,vy_m_per_s,vz_m_per_s";

/// Writes the record of a run.
pub struct Csv {
    out: BufWriter<File>,
}

impl Csv {
    /// Writes the header.
    pub fn new(file: File) -> std::io::Result<Self> {
        let mut out = BufWriter::new(file);
        writeln!(out, "{HEADER}")?;
        Ok(Csv { out })
    }

    /// Writes a step.
    pub fn line(&mut self, s: &Sample) -> std::io::Result<()> {
        let (r, e, l) = (&s.report, &s.report.energy, &s.report.ledger);
        // The debug form is the shortest that reads back as the same number.
        write!(self.out, "{:?},{:?},{:?},{:?},{:?}", r.time, e.kinetic, e.gravity, e.elastic, e.total())?;
        write!(self.out, ",{:?},{:?},{:?}", r.max_gap, r.sum_gap, r.max_angle)?;
        write!(self.out, ",{},{},{:?}", r.solves, r.iterations, r.residual)?;
        write!(self.out, ",{:?},{:?},{:?}", l.work, l.damping, l.stabiliser)?;
        write!(self.out, ",{:?},{:?},{:?}", l.constraints, l.integration, l.imbalance)?;
        let (p, v) = (s.position, s.velocity);
        writeln!(self.out, ",{:?},{:?},{:?},{:?},{:?},{:?}", p.x, p.y, p.z, v.x, v.y, v.z)
    }

    /// Writes out what is still in memory.
    pub fn finish(mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}
