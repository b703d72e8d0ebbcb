//! What the sections write on: tables, figures with their targets, the list of both at the end.

use super::Args;
use std::time::Duration;
use taut_bench::machine;
use taut_bench::peers::{self, Peer};
use taut_bench::table::{Report, Table, digits};

/// What a figure should be.
#[derive(Clone, Copy)]
pub enum Target {
    /// At most so much.
    AtMost(f64),
    /// Less than so much.
    Below(f64),
}

impl Target {
    fn words(self) -> String {
        match self {
            Target::AtMost(x) => format!("at most {x}"),
            Target::Below(x) => format!("below {x}"),
        }
    }

    fn is_met(self, value: f64) -> bool {
        match self {
            Target::AtMost(x) => value <= x,
            Target::Below(x) => value < x,
        }
    }
}

struct Figure {
    what: String,
    value: f64,
    target: Target,
}

/// A report that is being written.
pub struct Sheet<'a> {
    /// Whether it is only a look.
    pub quick: bool,
    /// Taut and the other engines that are to be had.
    pub peers: Vec<Peer>,
    report: Report<'a>,
    figures: Vec<Figure>,
}

/// How a build with the other engines is made.
const BUILD: &str = "Rapier and Box3D are not in this build: `cargo run --release -p taut-cli --features peers -- bench report --mujoco` \
     has them (needs a C compiler, CMake and libclang).";

impl<'a> Sheet<'a> {
    /// A report with its heading.
    pub fn new(args: &Args, print: &'a mut dyn FnMut(&str), progress: &'a mut dyn FnMut(&str)) -> Result<Self, String> {
        let mut report = Report::new(args.csv.as_deref(), print, progress)?;
        let config = taut_bench::Config { quick: args.quick, mujoco: args.mujoco, ..Default::default() };
        let peers = peers::all(&config, &mut report)?;
        report.say("# Speed\n");
        machine::describe(&peers, &mut report);
        let commit = option_env!("TAUT_COMMIT").unwrap_or("not known");
        report.say(&format!("\nCommit that was checked out when Taut was built: {commit}."));
        report.say("Times are processor time of the thread. What is compared takes turns.");
        if args.quick {
            report.say("A quick run: a look, not a result.");
        }
        if !cfg!(feature = "peers") {
            report.say(BUILD);
        }
        if !args.mujoco {
            report.say("MuJoCo is not asked for: `--mujoco`.");
        }
        Ok(Sheet { quick: args.quick, peers, report, figures: Vec::new() })
    }

    /// Begins a section.
    pub fn section(&mut self, title: &str, text: &str) {
        self.report.say(&format!("\n## {title}\n\n{text}"));
    }

    /// Prints a line.
    pub fn say(&mut self, line: &str) {
        self.report.say(line);
    }

    /// Says what is being done.
    pub fn doing(&mut self, line: &str) {
        self.report.doing(line);
    }

    /// Prints a table, and writes it to a file of this name.
    pub fn table(&mut self, name: &str, table: &Table) -> Result<(), String> {
        self.report.say("");
        self.report.table(table);
        self.report.csv(name, table)
    }

    /// Time to spend on what is timed in turn: on one row of a table.
    pub fn time(&self) -> Duration {
        Duration::from_millis(if self.quick { 300 } else { 4000 })
    }

    /// Notes a figure; in words its target and whether it is met. What is no number was not measured.
    pub fn figure(&mut self, what: impl Into<String>, value: f64, target: Target) -> [String; 2] {
        let figure = Figure { what: what.into(), value, target };
        let words = [target.words(), figure.verdict().into()];
        self.figures.push(figure);
        words
    }

    /// Prints all figures; true when every target that was measured is met.
    pub fn summary(mut self) -> Result<bool, String> {
        self.section("Targets", "Every figure that has one.");
        let mut table = Table::new(["figure", "measured", "target", "met"]);
        for f in &self.figures {
            table.row([f.what.as_str(), &digits(f.value, 3), &f.target.words(), f.verdict()]);
        }
        self.table("targets", &table)?;
        let measured = self.figures.iter().filter(|f| !f.value.is_nan()).count();
        let met = self.figures.iter().filter(|f| f.target.is_met(f.value)).count();
        let line = format!("\n{met} of {measured} targets met, {} not measured.", self.figures.len() - measured);
        self.say(&line);
        Ok(met == measured)
    }
}

impl Figure {
    fn verdict(&self) -> &'static str {
        match (self.value.is_nan(), self.target.is_met(self.value)) {
            (true, _) => "not measured",
            (_, true) => "yes",
            (_, false) => "no",
        }
    }
}

/// A time in us.
pub fn us(seconds: f64) -> String {
    digits(1e6 * seconds, 3)
}
