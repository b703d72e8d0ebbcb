//! `taut check`, as a user meets it.

use crate::common::{err, out, taut};
use serde_json::Value;

#[test]
fn a_check_by_id_prints_values_bounds_and_verdict() {
    let o = taut(&["check", "pendulum", "torsion", "--quick"]);
    let out = out(&o);
    assert_eq!(o.status.code(), Some(0), "{out}");
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 9, "{out}");
    // In the order of the suite, whatever the order on the command line.
    assert!(
        lines[..2].iter().all(|l| l.starts_with("torsion") && l.contains(" ok ") && l.contains("= 0.2 rad within 1 %"))
    );
    assert!(lines[2..8].iter().all(|l| l.starts_with("pendulum") && l.contains(" ok ")), "{out}");
    assert!(lines[8].starts_with("2 of 2 checks hold"), "{out}");
}

#[test]
fn json_has_every_value_with_its_bound() {
    let o = taut(&["check", "torsion", "fourbar", "--quick", "--json"]);
    assert_eq!(o.status.code(), Some(0));
    assert!(o.stderr.is_empty());
    let report: Value = serde_json::from_slice(&o.stdout).unwrap();
    assert_eq!((&report["holds"], &report["quick"]), (&Value::Bool(true), &Value::Bool(true)));
    assert_eq!(report["interrupted"], false);
    let checks = report["checks"].as_array().unwrap();
    assert_eq!(checks.iter().map(|c| c["id"].as_str().unwrap()).collect::<Vec<_>>(), ["torsion", "fourbar"]);
    for c in checks {
        assert!(c["error"].is_null() && c["seconds"].is_number() && c["holds"] == true);
        for v in c["values"].as_array().unwrap() {
            assert!(v["value"].is_number() && v["unit"].is_string() && v["what"].is_string() && v["holds"] == true);
            assert!(v["bound"].is_object());
        }
    }
    assert_eq!(checks[0]["values"][0]["bound"]["expected"], 0.2);
}

#[test]
fn the_list_names_every_check_and_its_source() {
    let o = taut(&["check", "--list"]);
    assert!(o.status.success());
    let list = out(&o);
    for id in ["stability-map:", "reactions:", "catenary:", "repeat:"] {
        assert!(list.contains(id), "{id}");
    }
    let o = taut(&["check", "--list", "--json"]);
    let list: Value = serde_json::from_slice(&o.stdout).unwrap();
    assert!(list.as_array().unwrap().iter().all(|c| c["id"].is_string() && c["source"].is_string()));
    // The table of the documentation has them all.
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/checks.md");
    let page = std::fs::read_to_string(page).unwrap();
    for c in list.as_array().unwrap() {
        assert!(page.contains(&format!("| `{}` |", c["id"].as_str().unwrap())), "docs/checks.md lacks {}", c["id"]);
    }
}

#[test]
fn an_unknown_check_is_refused_with_the_list_of_all() {
    let o = taut(&["check", "pendulum", "pendlum"]);
    assert_eq!(o.status.code(), Some(2));
    let message = err(&o);
    for words in ["pendlum", "expected one of", "stability-map", "repeat", "did you mean pendulum?"] {
        assert!(message.contains(words), "{words}: {message}");
    }
    assert!(o.stdout.is_empty());
}
