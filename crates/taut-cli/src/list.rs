//! `taut list`: the scenes, one line each, or with their parameters, units and defaults; of one scene or file its signals too.

use crate::load::{load, unknown};
use crate::{format, output};
use serde_json::{Value as Json, json};
use std::fmt::Write;
use taut_scenes::signals::Wanted;
use taut_scenes::{Parameter, SceneInfo, Value, all};

/// Arguments of `taut list`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Show this scene alone, with what each of its parameters means, its unit, default and range, and its signals.
    #[arg(value_name = "SCENE|FILE")]
    scene: Option<String>,
    /// Show all parameters of all scenes.
    #[arg(long, conflicts_with = "scene")]
    parameters: bool,
    /// Print one JSON array instead, also of a single scene.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "Examples:
  taut list
  taut list --parameters
  taut list chain
  taut list chain --json
  taut list hoist.json";

/// Prints the list, or one scene.
pub fn list(args: &Args) -> Result<u8, String> {
    let scenes = all();
    let text = match (&args.scene, args.json) {
        (None, true) => print_json(&scenes.iter().map(scene).collect::<Vec<_>>())?,
        (None, false) if args.parameters => text_list(&scenes),
        (None, false) => short_list(&scenes),
        (Some(name), json) => named(name, &scenes, json)?,
    };
    output::print(&text)?;
    Ok(0)
}

/// Most things whose signals are written out.
const MOST: usize = 20;

/// A scene of the library, or a scene file.
fn named(name: &str, scenes: &[SceneInfo], json: bool) -> Result<String, String> {
    let info = scenes.iter().find(|s| s.name == name);
    let path = std::path::Path::new(name);
    if info.is_none() && !name.ends_with(".json") && !taut_import::is_model(path) && !path.is_file() {
        return Err(unknown(name, scenes, ", or a .json, .urdf or .xml file"));
    }
    let loaded = load(name, &[])?;
    let signals = loaded.signals(&Wanted::All)?;
    if json {
        let own = json!({ "name": loaded.name, "dt": loaded.dt, "time": loaded.time, "parameters": [] });
        let mut out = info.map_or(own, scene);
        out["signals"] = json!(signals.names());
        return print_json(&[out]);
    }
    let (dt, time) = (format::step(loaded.dt), format::number(loaded.time));
    let own = format!("{}: a scene file\n\nstep     {dt} s (--dt)\ntime     {time} s (--time)\n", loaded.name);
    let mut out = info.map_or(own, one);
    let things = signals.things();
    if !things.is_empty() {
        out += "\nsignals (--csv FILE --signals NAME,...; any other body by its name)\n";
    }
    for (thing, columns) in things.iter().take(MOST) {
        let _ = writeln!(out, "  {thing}: {}", columns.join(", "));
    }
    if things.len() > MOST {
        let _ = writeln!(out, "  and {} more (--json lists all)", things.len() - MOST);
    }
    Ok(out)
}

fn short_list(scenes: &[SceneInfo]) -> String {
    let mut out = String::new();
    let width = scenes.iter().map(|s| s.name.len()).max().unwrap_or(0);
    for s in scenes {
        let _ = writeln!(out, "{:width$}  {}", s.name, s.summary);
    }
    out += "\n`taut list SCENE` tells what can be varied in one of them, `taut run SCENE` runs it.\n";
    out
}

fn text_list(scenes: &[SceneInfo]) -> String {
    let mut out = String::new();
    let names = scenes.iter().flat_map(|s| &s.parameters).map(|p| p.name.len());
    let width = names.max().unwrap_or(0);
    for s in scenes {
        let (dt, time) = (format::step(s.dt), format::number(s.time));
        let _ = writeln!(out, "{}: {} ({time} s in steps of {dt} s)", s.name, s.summary);
        for p in &s.parameters {
            let value = format!("{} {}", default(p), p.unit);
            let _ = writeln!(out, "  {:width$}  {:14}  {} ({})", p.name, value.trim_end(), p.help, range(p));
        }
    }
    out
}

/// All of one scene.
fn one(s: &SceneInfo) -> String {
    let mut out = String::new();
    let (dt, time) = (format::step(s.dt), format::number(s.time));
    let _ = writeln!(out, "{}: {}\n", s.name, s.summary);
    let _ = writeln!(out, "source   {}\nstep     {dt} s (--dt)\ntime     {time} s (--time)", s.source);
    if s.parameters.is_empty() {
        out += "\nno parameters\n";
        return out;
    }
    out += "\nparameters (--set NAME=VALUE)\n";
    let width = s.parameters.iter().map(|p| p.name.len()).max().unwrap_or(0);
    for p in &s.parameters {
        let value = format!("{} {}", default(p), p.unit);
        let whole = if p.whole { "whole number, " } else { "" };
        let _ = writeln!(out, "  {:width$}  default {}: {} ({whole}{})", p.name, value.trim_end(), p.help, range(p));
    }
    let first = &s.parameters[0];
    let _ = writeln!(out, "\ntaut run {} --set {}={}", s.name, first.name, default(first));
    out
}

fn default(p: &Parameter) -> String {
    match &p.default {
        Value::Number(x) => format::number(*x),
        Value::Choice(s) => s.clone(),
    }
}

fn range(p: &Parameter) -> String {
    if p.choices.is_empty() {
        format!("{} to {}", format::number(p.range.0), format::number(p.range.1))
    } else {
        p.choices.join(", ")
    }
}

fn print_json(list: &[Json]) -> Result<String, String> {
    serde_json::to_string_pretty(list).map(|t| t + "\n").map_err(|e| e.to_string())
}

fn scene(s: &SceneInfo) -> Json {
    let parameters: Vec<Json> = s.parameters.iter().map(parameter).collect();
    json!({
        "name": s.name, "summary": s.summary, "source": s.source, "dt": s.dt, "time": s.time, "parameters": parameters,
    })
}

fn parameter(p: &Parameter) -> Json {
    let default = match &p.default {
        Value::Number(x) => json!(x),
        Value::Choice(s) => json!(s),
    };
    let mut out = json!({ "name": p.name, "unit": p.unit, "default": default, "help": p.help });
    if p.choices.is_empty() {
        out["range"] = json!([p.range.0, p.range.1]);
        out["whole"] = json!(p.whole);
    } else {
        out["choices"] = json!(p.choices);
    }
    out
}
