//! `taut bench report`: the figures of speed with their targets.

use crate::common::{err, new_folder, out, refused, taut};

const TAUT: &str = env!("CARGO_BIN_EXE_taut");

#[test]
fn a_section_is_a_table_with_targets_on_the_screen_in_a_file_and_as_csv() {
    let folder = new_folder("speed");
    std::fs::create_dir_all(&folder).unwrap();
    let (file, csv) = (folder.join("report.md"), folder.join("csv"));
    let (name, dir) = (file.to_str().unwrap(), csv.to_str().unwrap());
    let o = taut(&["bench", "report", "--quick", "--only", "bare", "--out", name, "--csv", dir]);
    // Whether the targets are met is a matter of the machine.
    assert!(matches!(o.status.code(), Some(0 | 1)), "{}", err(&o));
    let text = out(&o);
    assert!(text.starts_with("# Speed\n") && text.contains("## A step over the bare factorisation"), "{text}");
    for row in ["chain-1000", "tree-6", "mixed-tree-6", "ladder-300"] {
        let line = text.lines().find(|l| l.starts_with(&format!("| {row} "))).unwrap();
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let number = |k: usize| cells[k].parse::<f64>().unwrap();
        assert!((number(5) / (number(3) / number(4)) - 1.0).abs() < 0.02, "{line}");
        assert_eq!((cells[7], cells[8]), ("at most 2", if number(5) <= 2.0 { "yes" } else { "no" }), "{line}");
        assert!(text.contains(&format!("{row}: step over bare")), "{text}");
    }
    assert!(text.contains(" of 4 targets met, 0 not measured."), "{text}");
    assert!(err(&o).contains("bare: chain-1000"), "{}", err(&o));
    assert_eq!(std::fs::read_to_string(file).unwrap(), text);
    for table in ["bare", "targets"] {
        let rows = std::fs::read_to_string(csv.join(format!("{table}.csv"))).unwrap();
        assert_eq!(rows.lines().count(), 5, "{rows}");
    }
}

#[test]
fn without_another_engine_its_figures_are_not_measured() {
    let o = taut(&["bench", "report", "--quick", "--only", "small"]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    let text = out(&o);
    assert!(text.contains("MuJoCo is not asked for: `--mujoco`"), "{text}");
    assert!(text.contains("0 of 0 targets met, 4 not measured."), "{text}");
    if !cfg!(feature = "peers") {
        assert!(text.contains("--features peers -- bench report --mujoco"), "{text}");
    }
}

#[test]
fn an_older_binary_runs_beside_this_one() {
    let o = taut(&["bench", "report", "--quick", "--only", "small", "--before", TAUT]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    let text = out(&o);
    let line = text.lines().find(|l| l.starts_with("| hinge-10-frame ")).unwrap();
    assert!(text.contains("## Before and after") && line.contains("| same "), "{text}");
}

#[test]
fn sections_files_and_binaries_that_are_not_there_are_bad_input() {
    let names = "bare, small, chain, growth, reduced, nets, ladder";
    refused(&["bench", "report", "--only", "chains"], &["--only = chains", names]);
    refused(&["bench", "report", "--out", "no/such/folder/x.md"], &["--out = no/such/folder/x.md"]);
    refused(&["bench", "report", "--before", "no/such/file"], &["--before = no/such/file", "expected a taut binary"]);
    let help = out(&taut(&["bench", "report", "--help"]));
    assert!(names.split(", ").all(|name| help.contains(&format!("  {name} "))), "{help}");
}
