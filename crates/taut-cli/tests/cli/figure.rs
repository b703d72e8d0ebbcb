//! `taut figure`: what it writes and what it refuses.

use crate::common::{err, new_folder, out, taut};
use std::path::Path;
use std::process::{Command, Stdio};

fn names() -> Vec<String> {
    out(&taut(&["figure"])).lines().filter_map(|l| l.split_whitespace().next().map(String::from)).collect()
}

const WORDS: [&str; 3] = ["reproduced", "better", "too short to judge"];

/// Header and rows of a CSV file.
fn table(path: &Path) -> (Vec<String>, Vec<Vec<String>>) {
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines = text.lines().map(|l| l.split(',').map(String::from).collect::<Vec<_>>());
    (lines.next().unwrap(), lines.collect())
}

#[test]
fn every_figure_is_made_and_shown_together() {
    let dir = new_folder("figures-all");
    let o = taut(&["figure", "--all", "--quick", "--out", dir.to_str().unwrap()]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    let page = std::fs::read_to_string(dir.join("index.html")).unwrap();
    let names = names();
    assert!(names.len() >= 12, "{names:?}");
    for name in &names {
        let svg = std::fs::read_to_string(dir.join(format!("{name}.svg"))).unwrap();
        assert!(svg.starts_with("<svg") && svg.contains("<text"), "{name}");
        let png = std::fs::read(dir.join(format!("{name}.png"))).unwrap();
        assert!(png.starts_with(b"\x89PNG") && png.len() > 10_000, "{name}");
        let verdict = std::fs::read_to_string(dir.join(format!("{name}.txt"))).unwrap();
        let word = verdict.split(':').next().unwrap();
        assert!(WORDS.contains(&word) && verdict.contains("\nRule: "), "{name}: {verdict}");
        assert!(!verdict.contains("inf ") && !verdict.contains("NaN"), "{name}: {verdict}");
        assert!(svg.contains(&format!("({word})")), "{name}: the picture does not say {word}");
        assert!(out(&o).contains(&format!("{name}: {word}: ")), "{name}");
        let (header, rows) = table(&dir.join(format!("{name}.csv")));
        assert!(header.len() > 1 && rows.len() > 1, "{name}");
        assert!(rows.iter().all(|r| r.len() == header.len()), "{name}");
        for link in [format!("src=\"{name}.svg\""), format!("href=\"{name}.csv\""), format!("taut figure {name}")] {
            assert!(page.contains(&link), "{name}: {link}");
        }
    }
}

#[test]
fn the_numbers_of_a_figure_are_in_its_table() {
    let dir = new_folder("figures-one");
    let o = taut(&["figure", "tournier-table1", "tournier-table1", "--quick", "--out", dir.to_str().unwrap()]);
    assert_eq!(o.status.code(), Some(0), "{}", err(&o));
    // Named twice, made once.
    assert_eq!(out(&o).matches("tournier-table1: ").count(), 1);
    let (header, rows) = table(&dir.join("tournier-table1.csv"));
    assert_eq!(header[..3], ["load_t", "published_percent", "default_percent"]);
    assert_eq!(rows.len(), 6);
    for row in &rows {
        let published: f64 = row[1].parse().unwrap();
        let ours: f64 = row[2].parse().unwrap();
        assert!(published > 0.0 && (0.0..1.0).contains(&ours), "{row:?}");
    }
    // Without stabiliser the heaviest load diverges, which is an empty cell.
    assert_eq!(rows[5][4], "");
    assert!(!dir.join("index.html").exists());
}

#[test]
fn without_a_name_the_figures_are_listed() {
    let o = taut(&["figure"]);
    assert_eq!(o.status.code(), Some(0));
    for words in ["andrews-fig8", "Andrews 2017 Fig. 8: ", "tournier-table2"] {
        assert!(out(&o).contains(words), "{words}");
    }
}

#[test]
fn bad_input_is_refused_before_anything_is_computed() {
    let dir = new_folder("figures-bad");
    let o = taut(&["figure", "andrews-fig3", "andrews-fig88", "--out", dir.to_str().unwrap()]);
    assert_eq!(o.status.code(), Some(2));
    for name in names() {
        assert!(err(&o).contains(&name), "{name}");
    }
    assert!(err(&o).contains("'andrews-fig88'") && err(&o).contains("did you mean andrews-fig8?"), "{}", err(&o));
    assert!(!dir.exists());

    std::fs::write(&dir, "a file").unwrap();
    let o = taut(&["figure", "andrews-fig3", "--out", dir.to_str().unwrap()]);
    assert_eq!(o.status.code(), Some(2));
    assert!(err(&o).contains("--out = ") && err(&o).contains("expected a folder that can be written"), "{}", err(&o));
    assert_eq!(std::fs::read_to_string(&dir).unwrap(), "a file");
    std::fs::remove_file(&dir).unwrap();

    assert_eq!(taut(&["figure", "--all", "andrews-fig3"]).status.code(), Some(2));
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_no_half_made_figure() {
    let dir = new_folder("figures-stopped");
    let args = ["figure", "andrews-fig9", "--out", dir.to_str().unwrap()];
    let child = Command::new(env!("CARGO_BIN_EXE_taut"))
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The folder is there before the handler; a moment later both are.
    while !dir.exists() {
        std::thread::yield_now();
    }
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let o = child.wait_with_output().unwrap();
    assert_eq!(o.status.code(), Some(130), "{}", err(&o));
    assert!(err(&o).contains("andrews-fig9 was not made"), "{}", err(&o));
    assert_eq!(std::fs::read_dir(&dir).unwrap().count(), 0);
}
