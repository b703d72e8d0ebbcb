//! Every scene gives the bits that are written down in `golden.txt`.
//!
//! After a change that is meant to change them: `TAUT_BLESS=1 cargo test -p taut-scenes --test scenes golden::`, and a line in the changelog.

use std::path::Path;
use taut_scenes::golden::{Case, cases, compare, hash, text};

const HEAD: &str = "# Hashes of all poses and velocities after 20 steps: scene, step, coordinates, stabiliser.\n\
                    # Made by TAUT_BLESS=1 cargo test -p taut-scenes --test scenes golden::\n";

/// Runs on a pool of so many threads.
fn on<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

#[test]
fn every_scene_gives_the_bits_of_the_golden_file() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden.txt");
    let (one, two) = std::thread::scope(|s| {
        let one = s.spawn(|| on(1, text));
        let two = s.spawn(|| on(2, text));
        (one.join().unwrap(), two.join().unwrap())
    });
    let differ = compare(&one, &two);
    assert!(differ.is_empty(), "one thread and two differ:\n{}", differ.join("\n"));
    if std::env::var_os("TAUT_BLESS").is_some() {
        std::fs::write(&path, format!("{HEAD}{one}")).unwrap();
        return;
    }
    let golden = std::fs::read_to_string(&path).unwrap();
    let differ = compare(&golden, &one);
    let how = "if they are meant to: TAUT_BLESS=1 cargo test -p taut-scenes --test scenes golden::";
    assert!(differ.is_empty(), "{} of {} cases changed; {how}\n{}", differ.len(), cases().len(), differ.join("\n"));
}

#[test]
fn names_are_one_of_a_kind_and_most_cases_run() {
    let all = cases();
    let mut names: Vec<String> = all.iter().map(Case::to_string).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), all.len());
    let golden = include_str!("../golden.txt");
    let ran = golden.lines().filter(|l| !l.ends_with("refused") && !l.starts_with('#')).count();
    assert!(4 * ran > 3 * all.len(), "{ran} of {} run", all.len());
}

#[test]
fn a_change_of_one_bit_is_seen_and_named() {
    let (scene, _) = taut_scenes::find("chain").unwrap().with(&[]).unwrap();
    let mut world = scene.world;
    let id = world.bodies().map(|b| b.id()).nth(3).unwrap();
    let (before, body) = (hash(&world).unwrap(), world.body(id).unwrap());
    let mut v = body.velocity();
    v.x = f64::from_bits(v.x.to_bits() ^ 1);
    world.set_velocity(id, v, body.angular_velocity()).unwrap();
    assert_ne!(hash(&world).unwrap(), before);
    let differ = compare("# head\na = 1\nb = 2\n", "a = 1\nb = 3\nc = 4\n");
    assert_eq!(differ, ["b: 2 became 3", "c: new, 4"]);
    assert_eq!(compare("a = 1\n", ""), ["a: gone"]);
}
