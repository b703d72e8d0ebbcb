//! `taut figure`: one figure per published figure and table, with the published values beside those measured here, and a verdict.

mod andrews_fig10;
mod andrews_fig11;
mod andrews_fig3;
mod andrews_fig4;
mod andrews_fig6;
mod andrews_fig7;
mod andrews_fig8;
mod andrews_fig9;
mod andrews_table2;
mod andrews_torsion;
mod baxter;
mod baxter_iterations;
mod baxter_threads;
mod baxter_weights;
mod eigen;
mod faure;
mod insimo_rod;
mod made;
mod page;
mod task;
mod tournier_fig5;
mod tournier_fig6;
mod tournier_fig8;
mod tournier_rates;
mod tournier_table1;
mod tournier_table2;

use crate::output::print;
use crate::plot::{Kind, Picture};
use crate::{interrupt, output};
use made::{Made, Verdict};
use std::path::{Path, PathBuf};
use task::{Stop, Task};

/// Arguments of `taut figure`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Figures to make; without one, they are listed.
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Make all of them, and a page index.html that shows them together.
    #[arg(long, conflicts_with = "names")]
    all: bool,
    /// Folder for the files; it is made if it is not there.
    #[arg(long, value_name = "DIR", default_value = "figures")]
    out: PathBuf,
    /// Shorter runs, coarser grids and larger reference steps; where these do not meet a rule, the verdict is "too short to judge".
    #[arg(long)]
    quick: bool,
    /// No progress bar.
    #[arg(short, long)]
    quiet: bool,
}

const EXAMPLES: &str =
    "Each figure is written as NAME.svg, NAME.png, NAME.csv (its numbers) and NAME.txt (the verdict and its rule).

Examples:
  taut figure
  taut figure andrews-fig8 tournier-table1 --out figures
  taut figure --all

Exit status: 0 all were made, whatever the verdicts; 2 bad input; 130 interrupted.";

/// A figure or table of a paper.
pub struct Figure {
    /// Name on the command line and of the files.
    pub name: &'static str,
    /// Where it was published.
    pub source: &'static str,
    /// What it is about.
    pub title: &'static str,
    /// What it shows and how it was measured.
    pub caption: &'static str,
    /// Computes it.
    pub make: fn(&Task) -> Result<Made, Stop>,
}

/// Every figure.
const ALL: &[Figure] = &[
    andrews_fig3::FIGURE,
    andrews_fig4::FIGURE,
    andrews_table2::FIGURE,
    andrews_fig6::FIGURE,
    andrews_fig7::FIGURE,
    andrews_fig8::FIGURE,
    andrews_fig9::FIGURE,
    andrews_fig10::FIGURE,
    andrews_fig11::FIGURE,
    andrews_torsion::FIGURE,
    tournier_fig5::FIGURE,
    tournier_fig6::FIGURE,
    tournier_fig8::FIGURE,
    tournier_rates::FIGURE,
    tournier_table1::FIGURE,
    tournier_table2::FIGURE,
    insimo_rod::FIGURE,
    baxter::FIG3,
    baxter_iterations::FIG8,
    baxter_weights::FIGURE,
    baxter_threads::FIGURE,
    baxter::FIG14,
    baxter_iterations::FIG17,
    baxter::FIG19,
    baxter_iterations::FIG22,
    baxter_iterations::FIG26,
    faure::FIGURE,
];

/// Makes the figures that were asked for, or lists them.
pub fn figure(args: &Args) -> Result<u8, String> {
    let wanted = if args.all { ALL.iter().collect() } else { find(&args.names)? };
    if wanted.is_empty() {
        print(&list())?;
        return Ok(0);
    }
    prepare(&args.out)?;
    interrupt::listen();
    let mut made: Vec<(&Figure, Verdict)> = Vec::new();
    for figure in wanted {
        let task = Task::new(figure.name, args.quick, args.quiet);
        let result = (figure.make)(&task);
        task.finish();
        match result {
            Ok(mut m) => {
                if args.quick {
                    m.verdict = m.verdict.of_short_run();
                }
                write(&args.out, figure, &m)?;
                print(&format!("{}: {}: {}\n", figure.name, m.verdict.word, m.verdict.why))?;
                made.push((figure, m.verdict));
            }
            Err(Stop::Interrupted) => {
                output::complain(&format!("interrupted: {} was not made", figure.name));
                return Ok(interrupt::STATUS);
            }
            Err(Stop::Failed(why)) => return Err(format!("{}: {why}", figure.name)),
        }
        if args.all {
            save(&args.out, "index.html", page::page(&made, args.quick).as_bytes())?;
        }
    }
    print(&format!("written to {}\n", args.out.display()))?;
    Ok(0)
}

fn find(names: &[String]) -> Result<Vec<&'static Figure>, String> {
    let mut out: Vec<&Figure> = Vec::new();
    for name in names {
        let Some(figure) = ALL.iter().find(|f| f.name == name) else {
            let all: Vec<&str> = ALL.iter().map(|f| f.name).collect();
            let hint = taut_scenes::nearest(name, all.iter().copied());
            let hint = hint.map_or(String::new(), |n| format!("; did you mean {n}?"));
            return Err(format!("figure = '{name}': expected one of {}{hint}", all.join(", ")));
        };
        if !out.iter().any(|f| f.name == figure.name) {
            out.push(figure);
        }
    }
    Ok(out)
}

fn list() -> String {
    let width = ALL.iter().map(|f| f.name.len()).max().unwrap_or(0);
    ALL.iter().map(|f| format!("{:width$}  {}: {}\n", f.name, f.source, f.title)).collect()
}

/// Makes the folder and finds out whether it can be written, before anything is computed.
fn prepare(folder: &Path) -> Result<(), String> {
    let refuse =
        |e: std::io::Error| format!("--out = {}: {e}; expected a folder that can be written", folder.display());
    std::fs::create_dir_all(folder).map_err(refuse)?;
    let probe = folder.join(".taut-figure");
    std::fs::write(&probe, b"").map_err(refuse)?;
    std::fs::remove_file(&probe).map_err(refuse)
}

fn write(folder: &Path, figure: &Figure, made: &Made) -> Result<(), String> {
    let picture = Picture {
        title: format!("{}: {} ({})", figure.source, figure.title, made.verdict.word),
        size: made.size,
        columns: made.columns,
        panels: made.panels.clone(),
    };
    let name = figure.name;
    save(folder, &format!("{name}.svg"), &picture.draw(Kind::Svg)?)?;
    save(folder, &format!("{name}.png"), &picture.draw(Kind::Png)?)?;
    save(folder, &format!("{name}.csv"), made.table.csv().as_bytes())?;
    save(folder, &format!("{name}.txt"), made.verdict.text().as_bytes())
}

fn save(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), String> {
    let path = folder.join(name);
    std::fs::write(&path, bytes)
        .map_err(|e| format!("--out: {}: {e}; expected a file that can be written", path.display()))
}
