//! Rules of the source that the compiler does not check: who imports whom, what is never used.

use std::fs;
use std::path::{Path, PathBuf};

/// All source files of the engine below a folder, with their code: no comments, nothing from the first test module on.
fn sources(folder: &str) -> Vec<(String, String)> {
    sources_of("taut", folder)
}

/// Those of the engine, of its solvers and of RedMax's step, without files of tests.
fn all_sources() -> Vec<(String, String)> {
    let mut all = ["taut", "taut-solve", "taut-redmax"].map(|package| sources_of(package, "")).concat();
    // `ablate.rs` is compiled for studies only.
    all.retain(|(file, _)| !is_test(file) && file != "ablate.rs");
    all
}

/// Whether a file has nothing but tests of whole worlds, which may use everything.
fn is_test(file: &str) -> bool {
    file.contains("test") || file.ends_with("trials.rs")
}

fn sources_of(package: &str, folder: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(package).join("src");
    let mut found = Vec::new();
    let mut folders = vec![root.join(folder)];
    while let Some(f) = folders.pop() {
        let mut entries: Vec<PathBuf> = fs::read_dir(&f).unwrap().map(|e| e.unwrap().path()).collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let name = path.strip_prefix(&root).unwrap().display().to_string();
                found.push((name, code(&fs::read_to_string(&path).unwrap())));
            }
        }
    }
    assert!(!found.is_empty(), "no sources in {folder}");
    found
}

fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]").next().unwrap_or_default();
    // Cut comments; no string in the sources has two slashes and blanks around them.
    text.lines().map(|l| if l.trim_start().starts_with("//") { "" } else { l.split(" // ").next().unwrap() }).fold(
        String::new(),
        |mut all, l| {
            all.push_str(l);
            all.push('\n');
            all
        },
    )
}

/// Names that follow `crate::` in a file, with grouped imports taken apart.
fn imports(code: &str) -> Vec<String> {
    let mut out = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        let group = rest.strip_prefix('{').map_or(rest, |g| &g[..g.find("};").unwrap_or(g.len())]);
        let names = if rest.starts_with('{') { group.split(',').collect() } else { vec![group] };
        for n in names {
            let n = n.trim();
            let end = n.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(n.len());
            out.push(n[..end].to_string());
        }
    }
    out
}

/// The order of the modules in ARCHITECTURE.md, lowest rank first.
fn ranks() -> Vec<Vec<String>> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ARCHITECTURE.md");
    let text = fs::read_to_string(page).unwrap();
    let (_, after) = text.split_once("## Who may use whom").unwrap();
    let list = after.split("```").nth(1).unwrap();
    list.split('<')
        .map(|rank| rank.trim().trim_matches(['{', '}']).split(',').map(|name| name.trim().to_string()).collect())
        .collect()
}

/// Names that a module imports although its rank does not allow it.
fn climbs(module: &str, code: &str, ranks: &[Vec<String>]) -> Vec<String> {
    let rank = |name: &str| ranks.iter().position(|r| r.iter().any(|m| m == name));
    let own = rank(module).unwrap_or_else(|| panic!("{module} is not in the order of ARCHITECTURE.md"));
    let allowed = |name: &String| name == module || rank(name).is_some_and(|r| r < own);
    // The solvers are another crate, which the engine names twice.
    imports(code).into_iter().filter(|n| n != "block" && !allowed(n)).collect()
}

#[test]
fn modules_import_in_the_order_of_the_architecture() {
    let (ranks, mut seen, mut bad) = (ranks(), Vec::new(), Vec::new());
    for (file, code) in sources("").into_iter().filter(|(file, _)| file != "lib.rs") {
        if is_test(&file) {
            continue;
        }
        let module = file.split(['/', '\\', '.']).next().unwrap().to_string();
        bad.extend(climbs(&module, &code, &ranks).into_iter().map(|name| format!("{file} imports {name}")));
        seen.push(module);
    }
    assert!(bad.is_empty(), "against the order of ARCHITECTURE.md:\n{}", bad.join("\n"));
    for name in ranks.iter().flatten().filter(|name| *name != "solve") {
        assert!(seen.contains(name), "ARCHITECTURE.md names {name}, which does not exist");
    }
}

#[test]
fn articulated_solvers_see_no_bodies() {
    for (file, code) in sources_of("taut-redmax", "articulated") {
        let outside = imports(&code).into_iter().find(|name| name != "articulated");
        assert!(outside.is_none(), "{file} imports {outside:?}");
        assert!(!code.contains("taut::") && !code.contains("super::super"), "{file} names the engine");
    }
}

#[test]
fn an_import_upwards_is_found() {
    let ranks = vec![vec!["a".to_string(), "b".to_string()], vec!["c".to_string()]];
    assert_eq!(climbs("a", "use crate::c::X; use crate::b::Y; use crate::a::Z;", &ranks), ["c", "b"]);
    assert!(climbs("c", "use crate::{a::X, b};", &ranks).is_empty());
}

#[test]
fn the_import_rule_is_really_checked() {
    assert_eq!(imports("use crate::block::matrix::Pattern;\nlet x = crate::model::X;"), ["block", "model"]);
    assert_eq!(imports("use crate::{solve::dense, error};"), ["solve", "error"]);
    assert_eq!(code("a // b\n// c.unwrap()\nd\n#[cfg(test)]\nmod tests {}").trim(), "a\n\nd");
}

/// No file has any of the words in its code.
fn assert_never(words: &[&str], why: &str) {
    let mut found = Vec::new();
    for (file, code) in all_sources() {
        for (k, line) in code.lines().enumerate() {
            for word in words.iter().filter(|w| line.contains(**w)) {
                found.push(format!("{file}:{}: {word}", k + 1));
            }
        }
    }
    assert!(found.is_empty(), "{why}:\n{}", found.join("\n"));
}

#[test]
fn nothing_depends_on_the_order_of_a_hash_map() {
    assert_never(&["HashMap", "HashSet", "RandomState"], "its order differs from run to run");
}

#[test]
fn nothing_panics_on_purpose() {
    let words = [".unwrap()", ".expect(", "panic!", "unreachable!", "todo!", "unimplemented!", ".unwrap_err()"];
    assert_never(&words, "errors are returned");
}

#[test]
fn transcendental_functions_come_from_libm() {
    // Those of the platform, and the functions of glam that call them, round differently from machine to machine.
    let methods = [
        "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sin_cos", "sinh", "cosh", "tanh", "exp", "exp2",
        "exp_m1", "ln", "ln_1p", "log", "log2", "log10", "powf", "powi", "cbrt", "hypot",
    ];
    let words: Vec<String> = methods.iter().flat_map(|m| [format!(".{m}("), format!("f64::{m}")]).collect();
    let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
    words.extend([
        "from_rotation_",
        "from_axis_angle",
        "from_scaled_axis",
        "to_scaled_axis",
        "to_axis_angle",
        "from_euler",
        "to_euler",
        "slerp",
        "angle_between",
    ]);
    assert_never(&words, "use libm");
}

#[test]
fn nothing_reads_the_clock_the_environment_or_threads() {
    assert_never(
        &["std::env", "std::time", "std::thread", "Instant::", "SystemTime"],
        "a step depends on its inputs only",
    );
}

#[test]
fn one_folder_names_the_collision_library() {
    for (file, code) in all_sources() {
        let inside = file.starts_with("contact/parry") || file.starts_with("contact\\parry");
        assert!(inside || !code.contains("parry3d"), "{file} names the collision library");
    }
}

#[test]
fn a_module_is_named_by_its_file() {
    let named = |package: &str| sources_of(package, "").into_iter().map(|(file, _)| file).collect::<Vec<_>>();
    for package in ["taut", "taut-solve", "taut-redmax", "taut-scenes", "taut-cli", "taut-draw", "taut-web"] {
        let wrong: Vec<String> = named(package).into_iter().filter(|f| f.ends_with("mod.rs")).collect();
        assert!(wrong.is_empty(), "{package}: {wrong:?}: write foo.rs beside foo/, not foo/mod.rs");
    }
}

#[test]
fn nobody_below_the_passes_can_write_to_a_whole_desk() {
    for folder in
        ["rows", "delassus", "force", "system", "close", "stabilise", "bounded", "conflicts", "events", "integrate"]
    {
        for (file, code) in sources("")
            .into_iter()
            .filter(|(f, _)| f == &format!("{folder}.rs") || f.starts_with(&format!("{folder}/")))
        {
            assert!(
                !code.contains("&mut Desk"),
                "{file} takes a whole desk: it should take the structs that it writes"
            );
        }
    }
}
