//! docs/notation.md names what is in the sources, and nothing else.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every source file of every crate, by its path from `crates`.
fn sources() -> Vec<(String, String)> {
    let crates = root().join("crates");
    let mut found = Vec::new();
    let mut folders: Vec<PathBuf> = fs::read_dir(&crates).unwrap().map(|e| e.unwrap().path().join("src")).collect();
    folders.retain(|f| f.is_dir());
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let name = path.strip_prefix(&crates).unwrap().to_string_lossy().replace('\\', "/");
                found.push((name, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found
}

/// Words of the code: no comments, nothing from the first test module on.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code.lines().map(|l| l.split("//").next().unwrap_or_default());
    lines.flat_map(|l| l.split(|c: char| !c.is_alphanumeric() && c != '_'))
}

/// A name in the text of a page: an identifier, a path of identifiers, a function with its argument, or a file.
#[derive(Debug, PartialEq)]
enum Name<'a> {
    /// Identifiers that must all occur.
    Words(Vec<&'a str>),
    /// End of the path of a file.
    File(&'a str),
}

/// What stands in backticks, formulas left out.
fn names(text: &str) -> Vec<Name<'_>> {
    let mut out = Vec::new();
    let is_word = |w: &str| {
        let begins = w.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        begins && w.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let mut fenced = false;
    for line in text.lines() {
        fenced ^= line.starts_with("```");
        if fenced {
            continue;
        }
        for span in line.split('`').skip(1).step_by(2) {
            let function = span.strip_suffix(')').and_then(|s| s.split_once('(')).map_or(span, |(f, _)| f);
            let parts: Vec<&str> = function.split("::").collect();
            if span.ends_with(".rs") {
                out.push(Name::File(span));
            } else if parts.iter().all(|w| is_word(w)) {
                out.push(Name::Words(parts));
            }
        }
    }
    out
}

#[test]
fn every_name_of_the_notation_is_in_the_code() {
    let page = fs::read_to_string(root().join("docs/notation.md")).unwrap();
    let sources = sources();
    let known: BTreeSet<&str> = sources.iter().flat_map(|(_, text)| words(text)).collect();
    let names = names(&page);
    // The two tables have about thirty symbols with a name each.
    assert!(names.len() > 40, "{} names", names.len());
    let missing: Vec<&Name<'_>> = names
        .iter()
        .filter(|name| match name {
            Name::Words(parts) => !parts.iter().all(|w| known.contains(w)),
            Name::File(end) => !sources.iter().any(|(path, _)| path.ends_with(&format!("/{end}"))),
        })
        .collect();
    assert!(missing.is_empty(), "docs/notation.md names what is not in the code: {missing:?}");
}

#[test]
fn names_are_told_from_formulas() {
    let text =
        "| K | `stiff_geo`, `a::b` | `C x = -phi` | `skew(a)` in `system/kkt.rs`, `M + A`, `3x`\n```\n`no`\n```\n";
    let expected = [
        Name::Words(vec!["stiff_geo"]),
        Name::Words(vec!["a", "b"]),
        Name::Words(vec!["skew"]),
        Name::File("system/kkt.rs"),
    ];
    assert_eq!(names(text), expected);
    let code = "let kept = 1; // dropped\n/// gone\nfn f() {}\n#[cfg(test)]\nmod tests { fn late() {} }";
    let found: Vec<&str> = words(code).collect();
    assert!(found.contains(&"kept") && found.contains(&"f"), "{found:?}");
    assert!(!["dropped", "gone", "late"].iter().any(|w| found.contains(w)), "{found:?}");
}
