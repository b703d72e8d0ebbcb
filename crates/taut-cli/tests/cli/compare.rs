//! `taut bench compare`: two binaries on the same scenes.

use crate::common::{err, out, taut};
use serde_json::Value;

const TAUT: &str = env!("CARGO_BIN_EXE_taut");

#[test]
fn a_binary_beside_itself_gives_the_same_bits_and_a_ratio() {
    // So far above 1 that no other load of the machine reaches it.
    let o = taut(&["bench", "compare", TAUT, TAUT, "--only", "chain-10", "--repeats", "2", "--limit", "100"]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    let text = out(&o);
    let row: Vec<&str> = text.lines().find(|l| l.starts_with("chain-10 ")).unwrap().split_whitespace().collect();
    // Name, two times with their units, ratio, spread, bits.
    assert_eq!((row.len(), row[7]), (8, "same"), "{text}");
    let (ratio, spread): (f64, f64) = (row[5].parse().unwrap(), row[6].parse().unwrap());
    assert!(ratio > 0.01 && ratio < 100.0 && spread >= 0.0, "{text}");
    assert!(text.contains("cells compared: 1") && err(&o).contains("chain-10 (1 of 1)"), "{text}");
}

#[test]
fn a_ratio_above_the_limit_exits_with_1_and_json_has_the_figures() {
    let arguments = ["bench", "compare", TAUT, TAUT, "--only", "chain-10", "--repeats", "1", "--json"];
    // No program takes a millionth of the time of itself, and one pair has no spread.
    let o = taut(&[&arguments[..], &["--limit", "1e-6"]].concat());
    assert_eq!(o.status.code(), Some(1), "{}", err(&o));
    let all: Value = serde_json::from_str(&out(&o)).unwrap();
    let cell = &all["cells"][0];
    assert_eq!((&cell["name"], &cell["over"], &cell["same_bits"]), (&"chain-10".into(), &true.into(), &true.into()));
    let [a, b, ratio] = ["a", "b", "ratio"].map(|key| cell[key].as_f64().unwrap());
    assert!(a > 0.0 && (ratio * a - b).abs() < 1e-9 * b, "{cell}");
    assert_eq!((&all["limit"], &all["unit"]), (&1e-6.into(), &"seconds per step".into()));
}

#[test]
fn what_is_no_taut_binary_is_bad_input() {
    let no_program = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    for (a, b, word) in [
        ("no/such/file", TAUT, "A = no/such/file"),
        (TAUT, no_program, "B = "),
        (env!("CARGO"), TAUT, "`--version` printed \"cargo "),
    ] {
        let o = taut(&["bench", "compare", a, b, "--only", "chain-10"]);
        assert_eq!(o.status.code(), Some(2), "{a} {b}");
        assert!(err(&o).contains(word) && err(&o).contains("expected a taut binary"), "{}", err(&o));
    }
}

#[test]
fn cells_and_limits_that_make_no_sense_are_bad_input() {
    for (option, value) in [("--only", "rope"), ("--limit", "-1"), ("--limit", "nan"), ("--repeats", "0")] {
        let o = taut(&["bench", "compare", TAUT, TAUT, option, value]);
        assert_eq!(o.status.code(), Some(2), "{option} {value}");
        assert!(err(&o).contains(option), "{}", err(&o));
    }
}

#[test]
fn the_help_names_every_cell() {
    let help = out(&taut(&["bench", "compare", "--help"]));
    // The message about an unknown cell lists those there are.
    let message = err(&taut(&["bench", "compare", TAUT, TAUT, "--only", "?"]));
    let names: Vec<&str> = message.split("expected some of ").nth(1).unwrap().trim().split(", ").collect();
    assert!(names.len() > 10, "{message}");
    for name in names {
        assert!(help.contains(name), "{name}");
    }
}
