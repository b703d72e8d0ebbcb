//! MJCF: the sections of the file. Angles are turned to rad where they are read.

mod defaults;
mod geom;
mod heights;
mod include;
mod more;
mod place;
mod replicate;
mod tree;

use crate::Options;
use crate::files::Files;
use crate::model::Model;
use crate::report::{Report, Result};
use crate::xml::{Document, Element};
use defaults::Defaults;
use place::Angles;

/// What <compiler> says.
pub struct Compiler {
    pub angles: Angles,
    pub autolimits: bool,
    pub mesh_folder: String,
    pub asset_folder: String,
    pub strip: bool,
    /// Whether inertias come from geoms: always, never, or where there are none.
    pub from_geoms: Option<bool>,
    pub groups: [f64; 2],
    pub least_mass: f64,
    pub least_inertia: f64,
    pub total_mass: Option<f64>,
    pub balance: bool,
}

/// Time step of a file that says none, s: MuJoCo's.
const TIME_STEP: f64 = 0.002;

/// Sections that are only seen, or only for who programs or looks.
const SEEN: [&str; 6] = ["visual", "statistic", "size", "sensor", "custom", "extension"];

/// Reads the model whose root element this is.
pub fn read(
    doc: &mut Document,
    root: usize,
    files: &mut Files<'_>,
    options: &Options,
    report: &mut Report,
) -> Result<Model> {
    include::expand(doc, root, files)?;
    let mut compiler = compiler(doc, root, report)?;
    compiler.balance |= options.balance_inertia;
    replicate::expand(doc, root, &compiler.angles, report)?;
    let doc = &*doc;
    let top = doc.at(root);
    let mut model = Model::empty(&top.place);
    model.dt = Some(TIME_STEP);
    model.name = top.get("model").map(str::to_owned);
    model.balance = compiler.balance;
    option(doc, root, &mut model, report)?;
    let defaults = Defaults::read(doc, root, report)?;
    let mut tree = tree::Tree::new(doc, &compiler, &defaults, files, report);
    tree.assets(root)?;
    for k in sections(doc, root, "worldbody") {
        tree.world(k, &mut model)?;
    }
    let mut sums = more::Sums::new();
    for k in sections(doc, root, "tendon") {
        tree.tendons(k, &mut model, &mut sums)?;
    }
    let keys: Vec<usize> = sections(doc, root, "keyframe").collect();
    if let Some(wanted) = &options.keyframe {
        tree.keyframe(&keys, wanted, &mut model)?;
    }
    for &k in &top.children {
        let e = doc.at(k);
        match e.name.as_str() {
            "compiler" | "option" | "default" | "asset" | "worldbody" | "tendon" => {}
            "contact" => tree.contacts(k, &mut model)?,
            "equality" => tree.equalities(k, &mut model, &sums)?,
            "actuator" => tree.actuators(k, &mut model, &sums)?,
            "keyframe" if options.keyframe.is_some() => {}
            name if SEEN.contains(&name) || name == "keyframe" => tree.report.unused(&e.place, format!("<{name}>")),
            name => tree.report.warn(&e.place, format!("<{name}> is not supported")),
        }
    }
    Ok(model)
}

/// Sections of a name, of which a file may have several.
fn sections<'a>(doc: &'a Document, root: usize, name: &'a str) -> impl Iterator<Item = usize> + 'a {
    doc.at(root).children.iter().copied().filter(move |&k| doc.at(k).name == name)
}

/// All that elements of a name say together, the last one first.
fn merged(doc: &Document, root: usize, name: &str) -> Option<Element> {
    sections(doc, root, name).map(|k| doc.at(k).clone()).reduce(|before, last| last.over(&before))
}

fn compiler(doc: &Document, root: usize, report: &mut Report) -> Result<Compiler> {
    let mut out = Compiler {
        angles: Angles::default(),
        autolimits: true,
        mesh_folder: String::new(),
        asset_folder: String::new(),
        strip: false,
        from_geoms: None,
        groups: [f64::NEG_INFINITY, f64::INFINITY],
        least_mass: 0.0,
        least_inertia: 0.0,
        total_mass: None,
        balance: false,
    };
    let Some(e) = merged(doc, root, "compiler") else { return Ok(out) };
    if let Some(degrees) = e.word("angle", &[("degree", true), ("radian", false)])? {
        out.angles.degrees = degrees;
    }
    if let Some(text) = e.get("eulerseq") {
        let axes: Vec<char> = text.chars().collect();
        match axes.try_into() {
            Ok(three) if text.chars().all(|c| "xyzXYZ".contains(c)) => out.angles.sequence = three,
            _ => return Err(e.refuse("eulerseq", "three letters of x, y, z, X, Y, Z")),
        }
    }
    if e.get("coordinate").is_some_and(|c| c != "local") {
        return Err(e.refuse("coordinate", "local (MuJoCo reads no other either)"));
    }
    out.autolimits = e.flag("autolimits")?.unwrap_or(true);
    out.mesh_folder = e.get("meshdir").or(e.get("assetdir")).unwrap_or_default().to_owned();
    out.asset_folder = e.get("assetdir").unwrap_or_default().to_owned();
    out.strip = e.flag("strippath")?.unwrap_or(false);
    out.from_geoms =
        e.word("inertiafromgeom", &[("true", Some(true)), ("false", Some(false)), ("auto", None)])?.flatten();
    out.groups = e.numbers("inertiagrouprange")?.unwrap_or(out.groups);
    out.least_mass = e.weight("boundmass")?.unwrap_or(0.0);
    out.least_inertia = e.weight("boundinertia")?.unwrap_or(0.0);
    out.total_mass = e.number("settotalmass")?.filter(|m| *m > 0.0);
    out.balance = e.flag("balanceinertia")?.unwrap_or(false);
    // What only says how a model is compiled: bodies that are fixed to each other are always one here.
    e.uses(&["fusestatic", "discardvisual", "usethread", "fitaabb", "assetdir", "meshdir", "conflict", "saveinertial"]);
    e.rest(&["texturedir", "alignfree"], report);
    for k in sections(doc, root, "compiler") {
        for c in doc.children(k) {
            report.unused(&c.place, format!("<{}>", c.name));
        }
    }
    Ok(out)
}

fn option(doc: &Document, root: usize, model: &mut Model, report: &mut Report) -> Result<()> {
    let Some(e) = merged(doc, root, "option") else { return Ok(()) };
    if let Some(g) = e.vec3("gravity")? {
        model.gravity = g;
    }
    match e.number("timestep")? {
        Some(dt) if dt <= 0.0 => return Err(e.refuse("timestep", "a number of s greater than zero")),
        dt => model.dt = dt.or(model.dt),
    }
    for name in ["density", "viscosity"] {
        if e.weight(name)?.is_some_and(|x| x > 0.0) {
            report.warn(e.place_of(name), format!("<option> '{name}': the forces of a fluid are not supported"));
        }
    }
    if e.vec3("wind")?.is_some_and(|w| w != taut::Vec3::ZERO) {
        report.warn(e.place_of("wind"), "<option> 'wind' is not supported");
    }
    // How MuJoCo integrates and solves; Taut does that in its own way.
    let solver = [
        "integrator",
        "cone",
        "jacobian",
        "solver",
        "iterations",
        "tolerance",
        "ls_iterations",
        "ls_tolerance",
        "noslip_iterations",
        "noslip_tolerance",
        "ccd_iterations",
        "ccd_tolerance",
        "mpr_iterations",
        "mpr_tolerance",
        "sdf_iterations",
        "sdf_initpoints",
        "impratio",
        "magnetic",
        "apirate",
        "collision",
        "sleep_tolerance",
    ];
    e.rest(&solver, report);
    for k in sections(doc, root, "option") {
        for flag in doc.children(k).filter(|c| c.name == "flag") {
            let off = |name: &str| Ok(flag.word(name, &[("enable", false), ("disable", true)])?.unwrap_or(false));
            if off("contact")? || off("constraint")? {
                model.contacts = false;
            }
            if off("gravity")? {
                model.gravity = taut::Vec3::ZERO;
            }
            flag.rest(
                &[
                    "warmstart",
                    "energy",
                    "fwdinv",
                    "sensor",
                    "sensornoise",
                    "midphase",
                    "nativeccd",
                    "multiccd",
                    "island",
                    "refsafe",
                    "eulerdamp",
                    "autoreset",
                    "invdiscrete",
                    "sleep",
                ],
                report,
            );
        }
    }
    Ok(())
}
