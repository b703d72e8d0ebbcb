//! The description of an FMU (`modelDescription.xml`).

use crate::model::Model;
use crate::recipe::Recipe;
use crate::variables::{Kind, Role, Variable};
use std::fmt::Write;

/// Which FMI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// 2.0.
    Two,
    /// 3.0.
    Three,
}

/// Units with their exponents of kg, m, s and rad.
const UNITS: [(&str, [i32; 4]); 14] = [
    ("s", [0, 0, 1, 0]),
    ("m", [0, 1, 0, 0]),
    ("m^3", [0, 3, 0, 0]),
    ("rad", [0, 0, 0, 1]),
    ("m/s", [0, 1, -1, 0]),
    ("m/s^2", [0, 1, -2, 0]),
    ("rad/s", [0, 0, -1, 1]),
    ("kg", [1, 0, 0, 0]),
    ("N", [1, 1, -2, 0]),
    ("N m", [1, 2, -2, 0]),
    ("J", [1, 2, -2, 0]),
    ("Pa", [1, -1, -2, 0]),
    ("N/m", [1, 0, -2, 0]),
    ("W", [1, 2, -3, 0]),
];

/// A text in XML.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // What XML has no place for.
            c if c < ' ' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// The name of the model as an identifier of C: that of the library in the archive.
pub(crate) fn identifier(name: &str) -> String {
    let word: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if word.starts_with(|c: char| c.is_ascii_alphabetic()) { word } else { format!("scene_{word}") }
}

/// The description of a model.
pub fn describe(model: &Model, recipe: &Recipe, version: Version) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let (name, token, tool) = (quoted(&recipe.name), model.token(), concat!("Taut ", env!("CARGO_PKG_VERSION")));
    let id = identifier(&recipe.name);
    let can = "canHandleVariableCommunicationStepSize=\"true\"";
    // Writing to a String does not fail.
    let _ = match version {
        Version::Two => writeln!(
            out,
            "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"{name}\" guid=\"{token}\" generationTool=\"{tool}\" \
             variableNamingConvention=\"flat\" numberOfEventIndicators=\"0\">\n  <CoSimulation modelIdentifier=\"{id}\" {can} \
             canNotUseMemoryManagementFunctions=\"true\" canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\"/>"
        ),
        Version::Three => writeln!(
            out,
            "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"{name}\" instantiationToken=\"{token}\" \
             generationTool=\"{tool}\" variableNamingConvention=\"flat\">\n  <CoSimulation modelIdentifier=\"{id}\" {can} \
             canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\" fixedInternalStepSize=\"{}\"/>",
            recipe.dt
        ),
    };
    units(model, &mut out);
    let (dt, time) = (recipe.dt, recipe.time);
    let _ = writeln!(out, "  <DefaultExperiment startTime=\"0\" stopTime=\"{time}\" stepSize=\"{dt}\"/>");
    out.push_str("  <ModelVariables>\n");
    for (reference, v) in model.variables().iter().enumerate() {
        match version {
            Version::Two => two(v, reference, &mut out),
            Version::Three => three(v, reference, &mut out),
        }
    }
    out.push_str("  </ModelVariables>\n");
    structure(model, version, &mut out);
    out.push_str("</fmiModelDescription>\n");
    out
}

fn units(model: &Model, out: &mut String) {
    let used = UNITS.iter().filter(|u| model.variables().iter().any(|v| v.unit == u.0));
    out.push_str("  <UnitDefinitions>\n");
    for (name, powers) in used {
        let base = ["kg", "m", "s", "rad"].iter().zip(powers).filter(|(_, p)| **p != 0);
        let base: Vec<String> = base.map(|(unit, power)| format!("{unit}=\"{power}\"")).collect();
        let _ = writeln!(out, "    <Unit name=\"{name}\"><BaseUnit {}/></Unit>", base.join(" "));
    }
    out.push_str("  </UnitDefinitions>\n");
}

/// What both versions say of a variable.
fn common(v: &Variable, reference: usize) -> String {
    let (causality, variability) = match (v.role, v.kind) {
        (Role::Time, _) => ("independent", "continuous"),
        (Role::Parameter, _) => ("parameter", "fixed"),
        (Role::Input, Kind::Real) => ("input", "continuous"),
        (Role::Input, _) => ("input", "discrete"),
        (Role::Output, _) => ("output", "continuous"),
        (Role::Local, _) => ("local", "discrete"),
    };
    let description = match v.description.as_str() {
        "" => String::new(),
        text => format!(" description=\"{}\"", quoted(text)),
    };
    let name = quoted(&v.name);
    format!(
        "name=\"{name}\" valueReference=\"{reference}\"{description} causality=\"{causality}\" variability=\"{variability}\""
    )
}

/// Unit and start of a variable.
fn rest(v: &Variable) -> String {
    let unit = match UNITS.iter().any(|u| u.0 == v.unit) {
        true => format!(" unit=\"{}\"", v.unit),
        false => String::new(),
    };
    let start = match (v.role, v.kind) {
        (Role::Parameter | Role::Input, Kind::Real) => format!(" start=\"{}\"", v.start),
        (Role::Parameter | Role::Input, Kind::Boolean) => format!(" start=\"{}\"", v.start != 0.0),
        _ => String::new(),
    };
    unit + &start
}

fn two(v: &Variable, reference: usize, out: &mut String) {
    let kind = match v.kind {
        Kind::Real => "Real",
        Kind::Boolean => "Boolean",
        Kind::Text => "String",
    };
    let (common, rest) = (common(v, reference), rest(v));
    let _ = writeln!(out, "    <ScalarVariable {common}><{kind}{rest}/></ScalarVariable>");
}

fn three(v: &Variable, reference: usize, out: &mut String) {
    let kind = match v.kind {
        Kind::Real => "Float64",
        Kind::Boolean => "Boolean",
        Kind::Text => "String",
    };
    let (common, rest) = (common(v, reference), rest(v));
    let _ = writeln!(out, "    <{kind} {common}{rest}/>");
}

fn structure(model: &Model, version: Version, out: &mut String) {
    let outputs = || model.variables().iter().enumerate().filter(|(_, v)| v.role == Role::Output).map(|(k, _)| k);
    out.push_str("  <ModelStructure>\n");
    match version {
        Version::Two => {
            for list in ["Outputs", "InitialUnknowns"] {
                let _ = writeln!(out, "    <{list}>");
                outputs().for_each(|k| {
                    let _ = writeln!(out, "      <Unknown index=\"{}\"/>", k + 1);
                });
                let _ = writeln!(out, "    </{list}>");
            }
        }
        Version::Three => {
            for unknown in ["Output", "InitialUnknown"] {
                outputs().for_each(|k| {
                    let _ = writeln!(out, "    <{unknown} valueReference=\"{k}\"/>");
                });
            }
        }
    }
    out.push_str("  </ModelStructure>\n");
}
