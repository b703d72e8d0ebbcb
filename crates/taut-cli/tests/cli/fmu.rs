//! `taut fmu`: what is in the archive, and what is refused.

use crate::common::{err, new_folder, out, taut};
use std::process::Command;

#[test]
fn variables_are_listed_with_roles_and_units() {
    let o = taut(&["fmu", "crane", "--list"]);
    assert!(o.status.success(), "{}", err(&o));
    let text = out(&o);
    for line in [
        "time      time [s]",
        "parameter settings.dt [s] = 0.0166",
        "output    energy.total [J]",
        "local     state.hash text",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert!(text.lines().any(|l| l.starts_with("output    body.") && l.ends_with(".x [m]")), "{text}");
    // One thing alone, with a parameter of the scene.
    let one = out(&taut(&["fmu", "chain", "--signals", "load", "--set", "links=4", "--list"]));
    assert!(one.contains("input     body.load.force_x [N] = 0") && !one.contains("joint."), "{one}");
}

#[test]
fn the_archive_holds_description_recipe_and_library() {
    let folder = new_folder("fmu");
    std::fs::create_dir_all(&folder).expect("a folder");
    let (library, path) = (folder.join("library.so"), folder.join("my chain.fmu"));
    std::fs::write(&library, [7; 100_000]).expect("a file");
    let (library, path) = (library.to_str().expect("a path"), path.to_str().expect("a path"));
    let write = |version: &str, set: &str| {
        let o = taut(&["fmu", "chain", "--set", set, "--fmi", version, "--library", library, "-o", path]);
        assert!(o.status.success() && out(&o).contains(&format!("FMI {version}.0")), "{}", err(&o));
        std::fs::read(path).expect("an archive")
    };
    let three = write("3", "links=5");
    assert_eq!(three, write("3", "links=5"), "the same scene makes the same bytes");
    assert_ne!(three, write("3", "links=6"));
    for (version, named) in [("2", "guid="), ("3", "instantiationToken=")] {
        write(version, "links=5");
        // Another program's reader looks at every checksum.
        let read = "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; \
                    print(z.namelist(), z.read('resources/taut.json').decode(), z.read('modelDescription.xml').decode())";
        let o = Command::new("python3").args(["-c", read, path]).output().expect("Python");
        assert!(o.status.success(), "{}", err(&o));
        let text = out(&o);
        for word in ["modelDescription.xml", "binaries/", "/chain.", "\"links\"", named, "modelIdentifier=\"chain\""] {
            assert!(text.contains(word), "{word}: {text}");
        }
        assert!(!text.contains("resources/scene.json"), "{text}");
    }
}

#[test]
fn what_is_missing_is_named_with_what_to_do() {
    let cases: [(&[&str], &str); 5] = [
        (&["fmu", "chain", "--library", "/nowhere/lib.so", "-o", "x.fmu"], "cargo build --release -p taut-c"),
        (&["fmu", "chain", "-o", "x.zip"], "--output"),
        (&["fmu", "chian"], "did you mean chain?"),
        (&["fmu", "chain", "--signals", "laod", "--list"], "did you mean load?"),
        (&["fmu", "chain", "--fmi", "1"], "possible values: 2, 3"),
    ];
    for (words, expected) in cases {
        let o = taut(words);
        assert_eq!(o.status.code(), Some(2), "{words:?}");
        assert!(err(&o).contains(expected), "{words:?}: {}", err(&o));
    }
}
