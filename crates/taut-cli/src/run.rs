//! `taut run`: builds the scene, runs it, reports.

use crate::csv::{Columns, Recorder, Sink};
use crate::extra::{Extra, Measures, Reference};
use crate::film::Film;
use crate::format::number;
use crate::load::{Loaded, load_with};
use crate::models::Models;
use crate::output::{self, OutputFile};
use crate::plot::{self, Kind, Record};
use crate::progress::Progress;
use crate::vtu::Series;
use crate::{endings, estimate, interrupt, json, memory, save, summary, words};
use std::io::Write;
use std::path::{Path, PathBuf};
use taut::{Coordinates, Solver, StepReport, World, settings::BoundedMethod};
use taut_fleet::table::Format;
use taut_scenes::choices::{self, Choice};
use taut_scenes::signals;
use taut_scenes::{JointMeter, JointOutcome, Method, Outcome, Sample, Wanted, run_with};

/// Most steps of a run: more is a mistake in --time or --dt.
const MOST_STEPS: f64 = 1e9;

/// So many bodies take seconds to lay out, which is told.
const MANY: usize = 10_000;

/// Arguments of `taut run`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// A scene of the library (see `taut list`), a scene file ending in .json, or a model: URDF (.urdf) or MJCF (.xml).
    #[arg(value_name = "SCENE|FILE", required_unless_present = "explain")]
    scene: Option<String>,
    /// Set a parameter of the scene, in the unit that `taut list SCENE` tells, or a place of a file, such as bodies.load.mass; may be
    /// repeated.
    #[arg(long, value_name = "NAME=VALUE", value_parser = choices::assignment)]
    set: Vec<(String, String)>,
    /// Time step in seconds, also as a fraction such as 1/60; default: the scene's own (1/60 s for a file that says none).
    #[arg(long, value_name = "S", value_parser = choices::seconds, allow_negative_numbers = true)]
    dt: Option<f64>,
    /// Simulated time in seconds; default: the scene's own (10 s for a file that says none).
    #[arg(long, value_name = "S", value_parser = choices::seconds, allow_negative_numbers = true)]
    time: Option<f64>,
    /// Coordinates: maximal (the default) or reduced, where a spanning tree of the joints never opens.
    #[arg(long, value_name = "X", value_parser = choices::coordinates)]
    coordinates: Option<Coordinates>,
    /// What keeps heavy loads stable: none, full, symmetric, low-rank, inertial[:alpha=1,theta=0.5,all],
    /// constraint-space[:alpha=1], aligned (the default) or aligned:base.
    ///
    /// Options follow a colon, separated by commas. `inertial` damps rotations only unless `all` is given. `aligned:base` leaves out
    /// the second-order integration of islands that resolve their own motion. `full` and `low-rank` need the solver dense-lu,
    /// `symmetric` dense-lu or minres; auto chooses rightly.
    #[arg(long, value_name = "X", value_parser = choices::stabiliser)]
    stabiliser: Option<Choice>,
    /// Linear solver: auto (the default), block-ldlt, dense-lu, dense-cholesky, minres, pgs[:sweeps=100] or
    /// structured[:iterations=N,seconds=T,tolerance=1e-10,gap=M], where the options are the budget of a step; with reduced
    /// coordinates and stabiliser aligned or none (RedMax as published) articulated, elimination, pcg or partial-pcg.
    #[arg(long, value_name = "X", value_parser = choices::solver)]
    solver: Option<Solver>,
    /// How limits, ropes, friction, bounded motors and contacts are solved: auto (the default), newton, pivoting, active-set,
    /// pgs[:sweeps=100] or convex.
    #[arg(long, value_name = "X", value_parser = choices::bounded)]
    bounded: Option<BoundedMethod>,
    /// Residual in m/s (rad/s) at which that stops; default 1e-9.
    #[arg(long, value_name = "M/S", value_parser = choices::number, allow_negative_numbers = true)]
    bounded_tolerance: Option<f64>,
    /// Bodies that rest on contacts do not go to sleep; by default they do.
    #[arg(long)]
    no_sleep: bool,
    /// Run the scene once more with this smaller step, in seconds, and print how far the paths of the followed body part, in m.
    #[arg(long, value_name = "S", value_parser = choices::seconds, allow_negative_numbers = true)]
    reference: Option<f64>,
    /// Compare with the reference up to this time only, in seconds; default: the whole run.
    #[arg(long, value_name = "S", value_parser = choices::seconds, allow_negative_numbers = true, requires = "reference")]
    reference_time: Option<f64>,
    /// Print the share of the angular accelerations' power that lies above 10 Hz.
    #[arg(long)]
    smoothness: bool,
    /// Print the outcome as one JSON object, in SI units, with what every named joint carried.
    #[arg(long)]
    json: bool,
    /// Explain every word of the report: what it means and when to worry. Without a scene nothing is run.
    #[arg(long, conflicts_with = "json")]
    explain: bool,
    /// Write one line per step to a CSV or Parquet file; - is standard output, as CSV, and all else then goes to standard error.
    #[arg(long, visible_alias = "record", value_name = "FILE.csv|parquet|-")]
    csv: Option<PathBuf>,
    /// Columns of `--csv` for all named joints, named motors, named deformables and followed bodies, or for those of a list of names separated by commas:
    /// force [N], torque [N m], gap [m], tension [N], positions and rates [m, rad, m/s, rad/s]; of deformables tip [m], energy [J],
    /// volume [m^3], largest stress [Pa] and strain [-]; of their nodes, as bar[7], position and velocity [m, m/s].
    #[arg(long, value_name = "LIST", num_args = 0..=1, value_delimiter = ',', requires = "csv")]
    signals: Option<Vec<String>>,
    /// Draw energies [J], gaps [m], and height and path [m] of what the scene follows to an .svg, .png or .pdf file.
    #[arg(long, value_name = "FILE.svg|png|pdf")]
    plot: Option<PathBuf>,
    /// Write the motion as a glTF animation, with 60 frames per second of simulated time or as many as there are steps.
    #[arg(long, value_name = "FILE.glb")]
    gltf: Option<PathBuf>,
    /// Write the motion as VTK files for ParaView (.vtu with a .pvd each) to a folder, 60 a second of simulated time or as many as there are steps.
    ///
    /// bodies.pvd has the bodies as they are drawn with velocities [m/s, rad/s], joints.pvd the points of the joints with what they carry
    /// [N, N m] and gaps [m], lines.pvd cables, rods, springs and ropes with their tension [N], and a file for each deformable
    /// displacements [m] and stresses [Pa]. Bodies and joints are numbered; names.csv has their names.
    #[arg(long, visible_alias = "vtk", value_name = "FOLDER")]
    vtu: Option<PathBuf>,
    /// Write the scene as it is at the start, with the options given here, as a scene file; a file that is there is not touched.
    #[arg(long, value_name = "FILE.json")]
    save: Option<PathBuf>,
    /// Let --save write over a file that is there.
    #[arg(long, requires = "save")]
    overwrite: bool,
    /// Most memory that the world may take, in GB; default: 80 % of what is available.
    #[arg(long, value_name = "GB", value_parser = memory::gigabytes, allow_negative_numbers = true)]
    memory: Option<f64>,
    /// No progress and no estimate of long runs; by default both go to standard error.
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    models: Models,
}

const EXAMPLES: &str = "Examples:
  taut run chain
  taut run chain --set ratio=1e6 --dt 1/30 --plot chain.svg
  taut run chain --stabiliser inertial:alpha=0.25,theta=0.75,all --json
  taut run crane.json --csv crane.csv --signals
  taut run crane.json --csv - --signals hook,load | head
  taut run --explain
  taut run crane --time 10 --gltf crane.glb
  taut run crane --record crane.parquet --signals
  taut run soft-cantilever --vtu bar
  taut run rope.json --bounded pgs:sweeps=200 --bounded-tolerance 1e-6
  taut run crane --reference 1e-3 --reference-time 3 --smoothness
  taut run crane --set load=500 --save heavy-crane.json
  taut run robot.urdf --free-base

Exit status: 0 the run was stable, 1 it diverged, 2 bad input, 130 interrupted.";

impl Args {
    /// What is run; nothing for an explanation alone.
    fn scene(&self) -> &str {
        self.scene.as_deref().unwrap_or("")
    }
}

/// What a run came to.
pub struct Done {
    /// The verdict.
    pub outcome: Outcome,
    /// What it ran with.
    pub method: Method,
    /// Report of the last step.
    pub last: Option<StepReport>,
    /// What else was asked for.
    pub extra: Measures,
    /// What the named joints carried; none but for `--json`.
    pub joints: Vec<JointOutcome>,
    /// Whether Ctrl-C ended it.
    pub interrupted: bool,
}

/// Runs and reports. Everything that can be refused is refused before the first step.
pub fn run(args: &Args) -> Result<u8, String> {
    if args.scene.is_none() {
        return output::print(&words::explain(words::ALL.iter().copied())).map(|()| 0);
    }
    let kind = args.plot.as_deref().map(Kind::of).transpose()?;
    for (option, path, ending) in [("--gltf", &args.gltf, "glb"), ("--save", &args.save, "json")] {
        path.as_deref().map(|path| endings::of(option, path, &[ending])).transpose()?;
    }
    if let Some(path) = args.csv.as_deref().filter(|p| *p != Path::new("-")) {
        endings::of_or("--csv", path, &["csv", "parquet"], "- for standard output")?;
    }
    if args.memory.is_some() {
        memory::limit(args.memory);
    }
    let mut loaded = ready(args)?;
    let (dt, time) = (args.dt.unwrap_or(loaded.dt), args.time.unwrap_or(loaded.time));
    let steps = (time / dt).round().max(1.0);
    if steps > MOST_STEPS {
        let (time, dt) = (number(time), number(dt));
        return Err(format!("--time {time} with --dt {dt} makes {steps:.3e} steps: expected at most {MOST_STEPS:.0e}"));
    }
    let reference = args.reference.map(|r| Reference::new(r, args.reference_time, dt, time)).transpose()?;
    let mut extra = Extra::new(&loaded, reference, args.smoothness, dt)?;
    let signals = loaded.signals(&signals::Wanted::of(args.signals.as_deref()))?;
    let followed = !signals.has_body(loaded.scene.follow);
    let columns = Columns { bounded: has_bounds(&mut loaded.scene.world)?, followed, signals };
    let standard = args.csv.as_deref() == Some(Path::new("-"));
    let csv = match standard {
        true => Some(Sink::Standard),
        false => open(args, "--csv", args.csv.as_deref())?
            .zip(args.csv.as_deref().and_then(Format::of))
            .map(|(f, k)| Sink::File(f, k)),
    };
    let plot = open(args, "--plot", args.plot.as_deref())?;
    let file = save::checked(args.save.as_deref(), args.overwrite)?;
    let file = open(args, "--save", file)?;
    let mut film = Film::new(open(args, "--gltf", args.gltf.as_deref())?, &loaded)?;
    let mut series = Series::new(args.vtu.as_deref(), &loaded.scene)?;
    let mut watch = Watch {
        progress: Progress::new(args.quiet, steps as u64),
        csv: Recorder::new(csv, columns),
        record: plot.is_some().then(|| Record::new(&loaded, steps as u64)),
        joints: args.json.then(|| JointMeter::new(&loaded.scene.world, loaded.from_file)),
        last: None,
    };
    if !args.quiet {
        let size = loaded.scene.world.size().map_err(|e| e.to_string())?;
        estimate::announce(&size, loaded.scene.world.options(), steps);
    }
    if let Some(file) = file {
        save::write(file, &loaded, dt, time)?;
    }
    interrupt::listen();
    let method = Method::of(loaded.scene.world.options());
    let see = |world: &mut World, s: &Sample| {
        extra.see(world, s);
        film.see(world);
        series.see(world);
        watch.see(world, s)
    };
    let outcome = run_with(&mut loaded.scene, dt, time, see).map_err(|e| e.to_string())?;
    drop(watch.progress);
    let written = watch.csv.finish();
    let interrupted = interrupt::pressed() && outcome.steps < steps as u64;
    let ended = match (outcome.stable, interrupted) {
        (false, _) => Some("the run diverged"),
        (true, true) => Some("the run was interrupted"),
        (true, false) => None,
    };
    let extra = extra.finish(ended, || ready(args))?;
    let joints = watch.joints.map_or_else(Vec::new, JointMeter::done);
    let done = Done { outcome, method, last: watch.last, extra, joints, interrupted };
    let text = if args.json { json::text(&loaded, &done)? } else { summary::text(&loaded, &done, args.explain) };
    match standard {
        true => output::complain(text.trim_end()),
        false => output::print(&text)?,
    }
    if let (true, Some(warning)) = (args.json, summary::warning(&done)) {
        output::complain(&format!("warning: {warning}"));
    }
    written.map_err(|e| format!("--csv: {e}"))?;
    film.finish()?;
    series.finish()?;
    if let (Some(file), Some(kind), Some(record)) = (plot, kind, watch.record) {
        let picture = plot::run(plot::title(&loaded, &done), &record).draw(kind)?;
        file.begin()?.write_all(&picture).map_err(|e| format!("--plot: {e}"))?;
    }
    Ok(match (done.outcome.stable, done.interrupted) {
        (false, _) => 1,
        (true, false) => 0,
        (true, true) => interrupt::STATUS,
    })
}

/// The scene with the options of the command line.
fn ready(args: &Args) -> Result<Loaded, String> {
    let mut loaded = load_with(args.scene(), &args.set, &args.models)?;
    let bodies = loaded.scene.world.bodies().count();
    if bodies > MANY && !args.quiet {
        output::complain(&format!("laying out {bodies} bodies"));
    }
    configure(&mut loaded.scene.world, args)?;
    Ok(loaded)
}

/// Puts the options of the command line over those of the scene.
fn configure(world: &mut World, args: &Args) -> Result<(), String> {
    world.set_clock(taut_scenes::clock);
    let wanted = Wanted {
        coordinates: args.coordinates,
        stabiliser: args.stabiliser,
        solver: args.solver,
        bounded: args.bounded,
        bounded_tolerance: args.bounded_tolerance,
        no_sleep: args.no_sleep,
    };
    wanted.apply(world).map_err(|e| e.to_string())
}

/// Whether rows with bounds can come up at all.
fn has_bounds(world: &mut World) -> Result<bool, String> {
    Ok(world.colliders().next().is_some() || world.size().map_err(|e| e.to_string())?.bounded > 0)
}

/// Opens an output file, which must not be the scene file or the other output.
fn open(args: &Args, option: &str, path: Option<&Path>) -> Result<Option<OutputFile>, String> {
    let Some(path) = path else { return Ok(None) };
    let same = |other: &PathBuf| matches!((path.canonicalize(), other.canonicalize()), (Ok(a), Ok(b)) if a == b);
    if same(&PathBuf::from(args.scene())) {
        return Err(format!("{option} = {}: expected a file other than the scene file", path.display()));
    }
    let others = [("--csv", &args.csv), ("--plot", &args.plot)];
    // In the order in which they are opened.
    let mut earlier = others.iter().take_while(|(o, _)| *o != option);
    if let Some((other, _)) = earlier.find(|(_, p)| p.as_ref().is_some_and(same)) {
        return Err(format!("{option} = {}: expected a file other than that of {other}", path.display()));
    }
    OutputFile::open(option, path).map(Some)
}

/// What looks at every step.
struct Watch {
    progress: Progress,
    csv: Recorder,
    record: Option<Record>,
    joints: Option<JointMeter>,
    last: Option<StepReport>,
}

impl Watch {
    /// Whether to go on.
    fn see(&mut self, world: &World, s: &Sample) -> bool {
        self.progress.step();
        if let Some(record) = &mut self.record {
            record.add(world, s);
        }
        if let Some(joints) = &mut self.joints {
            joints.see(world, &s.report);
        }
        self.last = Some(s.report.clone());
        self.csv.line(world, s) && !interrupt::pressed()
    }
}
