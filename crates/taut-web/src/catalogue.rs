//! What there is to choose from.

use serde_json::{Value as Json, json};
use taut_scenes::{Parameter, Value, all};

/// Stabilisers and what they are.
const STABILISERS: [(&str, &str); 8] = [
    ("aligned", "Taut's own: stiffness of the forces with memory and an energy cap (default)"),
    ("aligned:base", "the same without second order for motion that the step resolves"),
    ("none", "nothing: symplectic Euler with linearised joints, as most engines"),
    ("full", "full geometric stiffness (Tournier 2015)"),
    ("symmetric", "symmetric part of the geometric stiffness"),
    ("low-rank", "geometric stiffness through its low-rank inverse (Andrews 2017)"),
    ("inertial", "adaptive inertial damping (Andrews 2017)"),
    ("constraint-space", "adaptive damping of compliant rows (Andrews 2017)"),
];

/// Solvers and what they are.
const SOLVERS: [(&str, &str); 12] = [
    ("auto", "the best that can take the matrix (default)"),
    ("block-ldlt", "block LDL^T, linear time on trees"),
    ("dense-lu", "dense LU, a reference"),
    ("dense-cholesky", "dense Cholesky of the Schur complement, a reference"),
    ("minres", "matrix-free MINRES"),
    ("pgs:sweeps=20", "projected Gauss-Seidel, 20 sweeps, as games do"),
    ("pgs:sweeps=200", "projected Gauss-Seidel, 200 sweeps"),
    ("structured", "acyclic part in linear time, loops by iterations (Faure)"),
    ("structured:iterations=20", "the same within 20 iterations per step"),
    ("articulated", "solves for the reduced coordinates alone, in linear time on trees; needs reduced coordinates"),
    ("elimination", "articulated elimination; needs reduced coordinates (with stabiliser none: RedMax)"),
    ("pcg", "preconditioned conjugate gradients; needs reduced coordinates (with stabiliser none: RedMax)"),
];

/// Coordinates and what they are.
const COORDINATES: [(&str, &str); 2] = [
    ("maximal", "every body has its own, joints are rows (default)"),
    ("reduced", "a spanning tree of joints has its own and never opens"),
];

/// Scenes with their parameters.
pub(crate) fn scenes() -> Json {
    let list = all();
    let scene = |s: &taut_scenes::SceneInfo| {
        let parameters: Vec<Json> = s.parameters.iter().map(parameter).collect();
        json!({
            "name": s.name, "summary": s.summary, "source": s.source, "dt": s.dt, "time": s.time,
            "parameters": parameters,
        })
    };
    list.iter().map(scene).collect()
}

fn parameter(p: &Parameter) -> Json {
    let default = match &p.default {
        Value::Number(x) => json!(x),
        Value::Choice(s) => json!(s),
    };
    let bound = |x: f64| if x.is_finite() { json!(x) } else { Json::Null };
    json!({
        "name": p.name, "unit": p.unit, "help": p.help, "default": default,
        "min": bound(p.range.0), "max": bound(p.range.1), "whole": p.whole, "choices": p.choices,
    })
}

/// Words that settings take.
pub(crate) fn choices() -> Json {
    let list =
        |l: &[(&str, &str)]| l.iter().map(|(name, help)| json!({ "name": name, "help": help })).collect::<Json>();
    json!({ "stabiliser": list(&STABILISERS), "solver": list(&SOLVERS), "coordinates": list(&COORDINATES) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use taut_scenes::choices;

    #[test]
    fn every_word_is_understood() {
        for (word, help) in STABILISERS {
            assert!(choices::stabiliser(word).is_ok() && !help.is_empty(), "{word}");
        }
        for (word, _) in SOLVERS {
            assert!(choices::solver(word).is_ok(), "{word}");
        }
        for (word, _) in COORDINATES {
            assert!(choices::coordinates(word).is_ok(), "{word}");
        }
    }

    #[test]
    fn scenes_are_listed_with_their_parameters() {
        let list = scenes();
        let crane = list.as_array().unwrap().iter().find(|s| s["name"] == "crane").unwrap();
        assert!(crane["source"].as_str().unwrap().contains("Andrews"));
        let vehicle = crane["parameters"].as_array().unwrap().iter().find(|p| p["name"] == "vehicle").unwrap();
        assert_eq!((vehicle["unit"].as_str(), vehicle["default"].as_f64()), (Some("kg"), Some(1.5e4)));
    }
}
