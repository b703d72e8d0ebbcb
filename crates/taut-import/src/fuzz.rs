//! Damaged files: whatever a model says, it is read or refused, and never stops the program or keeps it busy.
//!
//! A trial takes one of the models of `files/`, damages it and the files that it names by a seed, and imports it. What is read is built and
//! takes a few steps; that it can fail there is told apart from that it is refused.

use crate::{Options, import};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};
use taut_scenes::{Random, file};

/// Models to damage, with all files that they name.
const FILES: [(&str, &[u8]); 12] = [
    ("pendulum.xml", include_bytes!("../files/pendulum.xml")),
    ("arm.urdf", include_bytes!("../files/arm.urdf")),
    ("gripper.urdf", include_bytes!("../files/gripper.urdf")),
    ("workshop.xml", include_bytes!("../files/workshop.xml")),
    ("tendons.xml", include_bytes!("../files/tendons.xml")),
    ("terrain.xml", include_bytes!("../files/terrain.xml")),
    ("parts.xml", include_bytes!("../files/parts.xml")),
    ("cube.stl", include_bytes!("../files/meshes/cube.stl")),
    ("corner.dae", include_bytes!("../files/meshes/corner.dae")),
    ("heights.png", include_bytes!("../files/meshes/heights.png")),
    ("heights.bin", include_bytes!("../files/meshes/heights.bin")),
    ("corner.gltf", include_bytes!("../files/meshes/corner.gltf")),
];

/// How many of them are models.
const MODELS: usize = 6;

/// What takes longer hangs.
const LONGEST: Duration = Duration::from_secs(10);

/// How much a line that is repeated comes to at most, bytes.
const MOST_BYTES: usize = 1 << 18;

/// Steps that what is read takes, of 1 ms.
const STEPS: usize = 3;

/// What a damaged model came to.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The file was refused, with this message.
    Refused(String),
    /// It was read, and the scene of it refused, with this message.
    Unbuilt(String),
    /// It took its steps, or a step was refused.
    Ran,
    /// It stopped the program, or took too long: a fault.
    Fault(String),
}

/// Words that files go wrong with.
const WORDS: [&str; 45] = [
    "0",
    "-0",
    "-1",
    "0.5",
    "3",
    "1e6",
    "1e30",
    "1e308",
    "1e-320",
    "999999999999",
    "nan",
    "inf",
    "-1e308",
    "",
    " ",
    "\"",
    "<",
    ">",
    "</",
    "/>",
    "<!--",
    "]]>",
    "<!DOCTYPE a [<!ENTITY b \"c\">]>",
    "&b;",
    "&amp;",
    "&#0;",
    "&#x110000;",
    "<?xml version=\"1.0\"?>",
    "<include file=\"workshop.xml\"/>",
    "<include file=\"parts.xml\"/>",
    "<body>",
    "<body name=\"x\"><freejoint/><geom size=\"1\"/></body>",
    "<joint type=\"free\"/>",
    "<joint type=\"ball\"/>",
    "<geom type=\"mesh\" mesh=\"cube\"/>",
    "class=\"strong\"",
    "type=\"prismatic\"",
    "type=\"fixed\"",
    "mocap=\"true\"",
    "<replicate count=\"3\" offset=\"0 0 1\">",
    "<geom type=\"hfield\" hfield=\"text\"/>",
    "<pulley divisor=\"2\"/>",
    "é",
    "\u{0}",
    "name=\"world\"",
];

/// How many of the words, from the first, are numbers.
const NUMBERS: usize = 11;

/// A whole number below a bound above zero.
fn below(random: &mut Random, bound: usize) -> usize {
    (random.uniform(0.0, bound as f64) as usize).min(bound - 1)
}

/// The bytes with a few damages by a seed. Half of them keep their form: only one or two numbers are others.
pub fn damaged(file: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = file.to_vec();
    let in_form = below(random, 2) == 1;
    for _ in 0..1 + below(random, if in_form { 2 } else { 6 }) {
        if bytes.is_empty() {
            break;
        }
        let at = below(random, bytes.len());
        if in_form {
            let word = WORDS[below(random, NUMBERS)];
            replace(&mut bytes, at, |c| c.is_ascii_digit() || b".-".contains(&c), word);
        } else {
            hurt(&mut bytes, at, random);
        }
    }
    bytes
}

/// One damage at or near a place.
fn hurt(bytes: &mut Vec<u8>, at: usize, random: &mut Random) {
    let length = below(random, 60).min(bytes.len() - at);
    let word = WORDS[below(random, WORDS.len())];
    match below(random, 8) {
        0 => bytes[at] = below(random, 256) as u8,
        1 => drop(bytes.drain(at..at + length)),
        2 => {
            let piece = bytes[at..at + length].to_vec();
            let to = below(random, bytes.len());
            drop(bytes.splice(to..to, piece));
        }
        3 => drop(bytes.splice(at..at, word.bytes())),
        4 => replace(bytes, at, |c| c.is_ascii_digit() || b".-e".contains(&c), word),
        5 => replace(bytes, at, |c| c.is_ascii_alphanumeric() || c == b'_', word),
        6 => {
            // A line many times: deep nesting where it opens an element.
            let from = bytes[..at].iter().rposition(|c| *c == b'\n').map_or(0, |k| k + 1);
            let end = bytes[at..].iter().position(|c| *c == b'\n').map_or(bytes.len(), |k| at + k + 1);
            // Files without lines would grow beyond all bounds.
            let times = (1 + below(random, 200)).min(MOST_BYTES / (end - from).max(1));
            let piece = bytes[from..end].repeat(times);
            drop(bytes.splice(from..from, piece));
        }
        _ => bytes.truncate(at),
    }
}

/// Puts a word in the place of the run of such bytes at or after a place.
fn replace(bytes: &mut Vec<u8>, at: usize, is: impl Fn(u8) -> bool, word: &str) {
    let Some(start) = bytes[at..].iter().position(|c| is(*c)).map(|k| at + k) else { return };
    let end = bytes[start..].iter().position(|c| !is(*c)).map_or(bytes.len(), |k| start + k);
    drop(bytes.splice(start..end, word.bytes()));
}

/// Reads a model that is damaged by a seed, and runs it.
pub fn trial(seed: u64) -> Outcome {
    let mut random = Random::new(seed);
    let model = below(&mut random, MODELS);
    // Half of the time the model itself is damaged, else what it names, too.
    let others = below(&mut random, 2) == 1;
    let files: Vec<(&str, Vec<u8>)> = FILES
        .iter()
        .enumerate()
        .map(|(k, (name, file))| {
            let hurt = k == model || (others && below(&mut random, 2) == 1);
            (*name, if hurt { damaged(file, &mut random) } else { file.to_vec() })
        })
        .collect();
    let options = Options {
        free_base: below(&mut random, 2) == 1,
        self_contacts: below(&mut random, 2) == 1,
        no_contacts: false,
        balance_inertia: below(&mut random, 2) == 1,
        keyframe: (below(&mut random, 4) == 0).then(|| "bent".into()),
    };
    let begun = Instant::now();
    let done = catch_unwind(AssertUnwindSafe(|| run(FILES[model].0, &files, &options)));
    let took = begun.elapsed();
    match done {
        Ok(_) if took > LONGEST => Outcome::Fault(format!("{} took {:.1} s", FILES[model].0, took.as_secs_f64())),
        Ok(outcome) => outcome,
        Err(panic) => {
            let why = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
            Outcome::Fault(format!("{} stopped the program: {}", FILES[model].0, why.unwrap_or("a panic")))
        }
    }
}

fn run(name: &str, files: &[(&str, Vec<u8>)], options: &Options) -> Outcome {
    let mut read = |path: &Path| {
        let wanted = path.file_name().and_then(|n| n.to_str()).unwrap_or_default();
        let found = files.iter().find(|(name, _)| *name == wanted);
        found.map(|(_, bytes)| bytes.clone()).ok_or_else(|| "no such file".to_owned())
    };
    let imported = match import(Path::new(name), &mut read, options) {
        Ok(imported) => imported,
        Err(e) => return Outcome::Refused(e.to_string()),
    };
    let mut scene = match file::build(&imported.file) {
        Ok(scene) => scene,
        Err(e) => return Outcome::Unbuilt(e.to_string()),
    };
    for _ in 0..STEPS {
        // A step may be refused, by numbers that no step can take.
        if scene.world.step(1e-3).is_err() {
            break;
        }
    }
    Outcome::Ran
}
