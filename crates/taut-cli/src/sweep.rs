//! `taut sweep`: many runs of a scene into one table, and pictures of such tables.

use crate::load::load;
use crate::output::OutputFile;
use crate::plot::{self, Kind};
use crate::progress::Progress;
use crate::{endings, interrupt, output};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;
use taut_fleet::table::{Format, Table};
use taut_fleet::{Axis, Cell, Journal, Seeds, Source, Sweep, Task, run_task_while, spread};
use taut_scenes::choices;

/// Arguments of `taut sweep`.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    /// A scene of the library (see `taut list`) or a scene file; with --plot and without --out the table of a sweep.
    #[arg(value_name = "SCENE|FILE.json|RUNS.parquet|csv")]
    scene: String,
    /// Vary something; may be repeated, and all combinations are run. NAME is a parameter of the scene, dt, time, coordinates, stabiliser,
    /// solver, bounded, bounded_tolerance, sleep, or in a scene file the place of any number, such as bodies.load.mass.
    ///
    /// VALUES are numbers (also fractions) or words, separated by commas (by semicolons where they have commas), log:FIRST:LAST:COUNT,
    /// lin:FIRST:LAST:COUNT, or drawn for every seed: uniform:LOW:HIGH, normal:MEAN:DEVIATION, or seed for the seed itself.
    #[arg(long, value_name = "NAME=VALUES", value_parser = Axis::parse)]
    vary: Vec<Axis>,
    /// Set something in all runs; names are those of --vary. May be repeated.
    #[arg(long, value_name = "NAME=VALUE", value_parser = choices::assignment)]
    set: Vec<(String, String)>,
    /// Time step of all runs in seconds, also as a fraction such as 1/60; default: the scene's own.
    #[arg(long, value_name = "S")]
    dt: Option<String>,
    /// Simulated time of all runs in seconds; default: the scene's own.
    #[arg(long, value_name = "S")]
    time: Option<String>,
    /// Run every combination with so many seeds, or with those of a range; each is another start.
    ///
    /// A scene with a parameter `seed` takes the seed for its own. In any other everything that moves freely gets a small random velocity.
    #[arg(long, value_name = "COUNT|A..B", value_parser = Seeds::parse)]
    seeds: Option<Seeds>,
    /// Standard deviation of these velocities in m/s; default 0.01.
    #[arg(long, value_name = "M/S", value_parser = choices::number, requires = "seeds")]
    kick: Option<f64>,
    /// Columns for all named joints, motors, deformables and followed bodies, or for those of a list of names separated by commas: least,
    /// largest, mean and last value of each signal of `taut run --signals`.
    #[arg(long, value_name = "LIST", num_args = 0..=1, value_delimiter = ',', requires = "out")]
    signals: Option<Vec<String>>,
    /// Write one line per run to a table. What is done is kept beside it, in FILE.journal, until all is: the same command goes on where it was.
    #[arg(long, value_name = "FILE.parquet|csv", required_unless_present = "plot")]
    out: Option<PathBuf>,
    /// Begin anew where there is such a table or journal already.
    #[arg(long, requires = "out")]
    overwrite: bool,
    /// Write how long each run took, in seconds and in steps per second, to a table of its own, as that is never the same twice.
    #[arg(long, value_name = "FILE.parquet|csv", requires = "out")]
    timing: Option<PathBuf>,
    /// Draw the runs to an .svg, .png or .pdf file: over one thing that was varied a curve, over two a map.
    #[arg(long, value_name = "FILE.svg|png|pdf")]
    plot: Option<PathBuf>,
    /// The column that is drawn; of several runs with the same values the median. `stable` is the share of stable runs.
    #[arg(long, value_name = "COLUMN", default_value = "stable", requires = "plot")]
    value: String,
    /// One or two columns over which it is drawn; default: the first two that were varied.
    #[arg(long, value_name = "NAME[,NAME]", value_delimiter = ',', requires = "plot")]
    over: Vec<String>,
    /// Runs at the same time; by default one per core.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    workers: Option<u16>,
    /// No progress.
    #[arg(short, long)]
    quiet: bool,
}

const HELP: &str = "Examples:
  taut sweep chain --vary ratio=log:1:1e6:7 --vary dt=0.01,1/60,0.1 --seeds 10 --out runs.parquet --plot map.png
  taut sweep runs.parquet --plot gaps.png --value max_gap_rel --over ratio,dt
  taut sweep chain --vary 'stabiliser=aligned;inertial:alpha=0.25,all;none' --out methods.csv
  taut sweep crane.json --vary bodies.load.mass=lin:500:5000:10 --signals hook --out loads.parquet
  taut sweep mooring.json --vary wind.gusts.seed=seed --seeds 1000 --signals line --out storms.parquet

The table has the number of the run, what was set, seed, verdict (stable, diverged, failed), message and the outcome in the words of
`taut run --json`. It is the same to the last bit however many workers there are. docs/guide/sweeps.md says more.

Exit status: 0 all runs are done, whatever became of them, 2 bad input, 130 interrupted.";

/// Runs the sweep, or draws one that was run.
pub fn sweep(args: &Args) -> Result<u8, String> {
    let kind = args.plot.as_deref().map(Kind::of).transpose()?;
    let picture = args.plot.as_deref().map(|p| OutputFile::open("--plot", p)).transpose()?;
    let table = match &args.out {
        None => stored(Path::new(&args.scene))?,
        Some(out) => match run(args, out)? {
            Some(table) => table,
            None => return Ok(interrupt::STATUS),
        },
    };
    if let (Some(file), Some(kind)) = (picture, kind) {
        let name = Path::new(&args.scene).file_name().map_or(args.scene.clone().into(), |n| n.to_string_lossy());
        let title = format!("{name}: {} runs", table.rows.len());
        let wanted = plot::Wanted { title, value: &args.value, over: &args.over };
        let bytes = plot::map(&table, &wanted)?.draw(kind)?;
        file.begin()?.write_all(&bytes).map_err(|e| format!("--plot: {e}"))?;
    }
    Ok(0)
}

/// A table that was written before.
fn stored(path: &Path) -> Result<Table, String> {
    let told = |e: String| format!("{}: {e}", path.display());
    let format = Format::of(path);
    let format =
        format.ok_or_else(|| told("expected the table of a sweep, .parquet or .csv, or --out for a scene".into()))?;
    let bytes = std::fs::read(path).map_err(|e| told(e.to_string()))?;
    Table::read(format, &bytes).map_err(told)
}

/// The ending of a table.
fn format(option: &str, path: &Path) -> Result<Format, String> {
    endings::of(option, path, &["parquet", "csv"])?;
    Format::of(path).ok_or_else(|| format!("{option}: expected a table"))
}

/// All runs; nothing when it was interrupted.
fn run(args: &Args, out: &Path) -> Result<Option<Table>, String> {
    format("--out", out)?;
    let timing =
        args.timing.as_deref().map(|p| Ok::<_, String>((format("--timing", p)?, OutputFile::open("--timing", p)?)));
    let timing = timing.transpose()?;
    let sweep = plan(args)?;
    sweep.check()?;
    let mut journal = Journal::open(out, &sweep, args.overwrite).map_err(hint)?;
    if journal.resumed() > 0 && !args.quiet {
        output::complain(&format!("{} of {} runs are done already", journal.resumed(), journal.total()));
    }
    interrupt::listen();
    let (left, begin) = (journal.left(), Instant::now());
    let (todo, threads) = (left.len(), threads(args).min(left.len().max(1)));
    let progress = Progress::of(args.quiet, journal.total(), "runs");
    progress.at(journal.resumed());
    // A panic is told in the row of its run.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let work = |task: Task| run_task_while(&task, &|| !interrupt::pressed());
    let kept = spread(left.into_iter().map(|k| sweep.task(k)), threads, &interrupt::pressed, work, |done| {
        progress.step();
        journal.record(done)
    });
    std::panic::set_hook(hook);
    drop(progress);
    kept?;
    let left = journal.left().len() as u64;
    if left > 0 {
        let done = journal.total() - left;
        output::complain(&format!(
            "interrupted: {done} of {} runs are done; the same command goes on",
            journal.total()
        ));
        return Ok(None);
    }
    if let Some((format, file)) = timing {
        journal.timing().write(format, file.begin()?).map_err(|e| format!("--timing: {e}"))?;
    }
    let table = journal.finish()?;
    output::print(&told(&table, out, todo, threads, begin.elapsed().as_secs_f64()))?;
    Ok(Some(table))
}

/// What to do about a table that is there.
fn hint(e: String) -> String {
    e.replace("leave to write over it", "--overwrite")
}

fn threads(args: &Args) -> usize {
    args.workers.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
}

/// The sweep that is asked for.
fn plan(args: &Args) -> Result<Sweep, String> {
    let loaded = load(&args.scene, &[])?;
    let scene = match &loaded.file {
        Some(file) => Source::of_file(file)?,
        None => Source::Library(args.scene.clone()),
    };
    let given = args.set.iter().map(|(n, v)| (n.as_str(), v.as_str()));
    let short = [("dt", &args.dt), ("time", &args.time)];
    let short = short.iter().filter_map(|(n, v)| Some((*n, v.as_deref()?)));
    let set = short.chain(given).map(|(n, v)| (n.to_owned(), Cell::read(v))).collect();
    let all = |names: &Vec<String>| names.iter().map(|n| n.trim().to_owned()).filter(|n| !n.is_empty()).collect();
    let signals = args.signals.as_ref().map(all);
    Ok(Sweep { scene, vary: args.vary.clone(), set, seeds: args.seeds, kick: args.kick, signals })
}

/// What came of it.
fn told(table: &Table, out: &Path, runs: usize, threads: usize, seconds: f64) -> String {
    let column = |name: &str| table.column(name);
    let verdict = |word: &str| {
        let at = column("verdict");
        table.rows.iter().filter(|r| at.is_some_and(|c| r[c].text() == Some(word))).count()
    };
    let [stable, diverged, failed] = ["stable", "diverged", "failed"].map(verdict);
    let rate = if seconds > 0.0 { runs as f64 / seconds } else { 0.0 };
    let mut text = format!(
        "{}: {} runs, {stable} stable, {diverged} diverged, {failed} failed; {runs} runs took {}, {} a second with {threads} at a time\n",
        out.display(),
        table.rows.len(),
        crate::format::si(seconds, "s"),
        crate::format::number(rate),
    );
    let first = table.rows.iter().find(|r| column("verdict").is_some_and(|c| r[c].text() == Some("failed")));
    if let Some(row) = first {
        let cell = |name: &str| column(name).map_or(String::new(), |c| row[c].to_string());
        text += &format!("the first that failed is run {}: {}\n", cell("run"), cell("message"));
    }
    text
}
