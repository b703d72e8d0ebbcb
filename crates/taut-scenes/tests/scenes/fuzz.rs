//! Random worlds: the same for a seed, the same after writing and reading, small when they fail.

use std::time::Duration;
use taut::Vec3;
use taut_scenes::file::{self, Body, Joint, Kind as Type, SceneFile};
use taut_scenes::fuzz::{Budget, Case, Change, Edit, Feature, Features, Kind, Trial};
use taut_scenes::fuzz::{generate, shrink, try_case};

const STEPS: usize = 300;

fn text(file: &SceneFile) -> String {
    file::write(file).expect("a file that can be written")
}

#[test]
fn a_seed_always_gives_the_same_world() {
    for seed in 0..50 {
        let [a, b] = [0, 1].map(|_| generate(seed, Features::all(), STEPS));
        assert_eq!(text(&a.file), text(&b.file), "seed {seed}");
        assert_eq!(format!("{:?}", a.script), format!("{:?}", b.script), "seed {seed}");
    }
    assert_ne!(text(&generate(1, Features::all(), STEPS).file), text(&generate(2, Features::all(), STEPS).file));
}

#[test]
fn a_written_file_is_read_as_the_same_world() {
    for seed in 0..200 {
        let file = generate(seed, Features::all(), STEPS).file;
        let written = text(&file);
        let read = file::parse(&written).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{written}"));
        assert_eq!(text(&read), written, "seed {seed}");
        let [mut a, mut b] = [&file, &read].map(|f| file::build(f).expect("a world"));
        assert_eq!(a.world.state().hash(), b.world.state().hash(), "seed {seed}");
        for _ in 0..3 {
            let [x, y] = [&mut a, &mut b].map(|s| s.step(file.outputs.dt()).map(|r| format!("{r:?}")));
            assert_eq!(x.ok(), y.ok(), "seed {seed}");
            assert_eq!(a.world.state().hash(), b.world.state().hash(), "seed {seed}");
        }
    }
}

/// The examples have what random worlds do not: other shapes, pairs, methods, materials.
#[test]
fn the_examples_can_be_written_and_read() {
    let folder = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/files"));
    // Tables lie beside the files.
    let table = |path: &str| std::fs::read_to_string(folder.join(path)).map_err(|e| e.to_string());
    let paths = std::fs::read_dir(folder)
        .expect("the examples")
        .filter_map(|e| e.ok().map(|e| e.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "json"));
    let mut seen = 0;
    for path in paths {
        let mut file = file::parse(&std::fs::read_to_string(&path).expect("text")).expect("an example");
        file::load_tables(&mut file, table).expect("its tables");
        let read = file::parse(&text(&file)).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let [mut a, mut b] = [&file, &read].map(|f| file::build(f).expect("a world"));
        for _ in 0..20 {
            let [x, y] = [&mut a, &mut b].map(|s| s.step(file.outputs.dt()).expect("a step"));
            assert_eq!(x, y, "{}", path.display());
            assert_eq!(a.world.state().hash(), b.world.state().hash(), "{}", path.display());
        }
        seen += 1;
    }
    assert!(seen > 3, "{seen} examples");
}

#[test]
fn all_kinds_of_joints_and_bodies_turn_up() {
    let kind = |x: String| x.split('(').next().unwrap_or_default().to_owned();
    let (mut joints, mut bodies) = (std::collections::BTreeSet::new(), std::collections::BTreeSet::new());
    for seed in 0..100 {
        let file = generate(seed, Features::all(), STEPS).file;
        joints.extend(file.joints.iter().map(|j: &Joint| kind(format!("{:?}", j.kind))));
        bodies.extend(file.bodies.iter().map(|b: &Body| kind(format!("{b:?}"))));
    }
    assert_eq!(joints.len(), 15, "{joints:?}");
    assert_eq!(bodies.into_iter().collect::<Vec<_>>(), ["Dynamic", "Kinematic", "Particle"]);
}

/// Takes off what belongs to a feature by hand.
fn stripped(mut file: SceneFile, feature: Feature) -> SceneFile {
    for joint in &mut file.joints {
        match (feature, &mut joint.kind) {
            (Feature::Motors, Type::Hinge(p) | Type::Planar(p)) => p.motor = None,
            (Feature::Motors, Type::Prismatic(p)) => p.motor = None,
            (Feature::Motors, Type::Cylindrical(p)) => p.motor = None,
            (Feature::Friction, _) => joint.friction.clear(),
            _ => {}
        }
    }
    match feature {
        Feature::Ropes => file.joints.retain(|j| !matches!(j.kind, Type::Rope(_) | Type::Ligament(_))),
        Feature::Reduced => file.settings.coordinates = None,
        _ => {}
    }
    file
}

#[test]
fn switching_a_feature_off_leaves_the_rest_as_it_is() {
    for feature in [Feature::Motors, Feature::Friction, Feature::Ropes, Feature::Reduced] {
        let off = Features::parse(feature.name()).expect("a name");
        for seed in 0..100 {
            let all = generate(seed, Features::all(), STEPS);
            let without = generate(seed, Features::all().without(off), STEPS);
            assert_eq!(text(&without.file), text(&stripped(all.file, feature)), "{feature:?} of seed {seed}");
        }
    }
}

#[test]
fn unknown_features_are_refused_with_the_known_ones() {
    let e = Features::parse("motors,rope").expect_err("a mistake");
    assert!(e.contains("'rope'") && e.contains("did you mean ropes?") && e.contains("slides, locks"), "{e}");
    assert_eq!(Features::parse("all"), Ok(Features::all()));
}

/// A fault that does not depend on the engine: b1 is told a velocity that is no number.
fn planted() -> Case {
    let off = Features::parse("kinematic").expect("a name");
    let mut case = generate(3, Features::all().without(off), 100);
    let linear = Vec3::new(f64::NAN, 0.0, 0.0);
    let velocity = Change::Velocity { body: "b1".into(), linear, angular: Vec3::ZERO };
    let other = Change::AddForce { body: "b0".into(), force: Vec3::Y };
    case.script.edits = vec![Edit { step: 5, change: other }, Edit { step: 10, change: velocity }];
    case
}

#[test]
fn shrinking_keeps_the_finding_and_shortens() {
    let (case, trial) = (planted(), Trial::default());
    let before = try_case(&case, &trial);
    assert_eq!(before.of(Kind::Error).map(|f| f.step), Some(10), "{before:?}");
    let budget = Budget { time: Duration::from_secs(60), ..Budget::default() };
    let (small, verdict) = shrink(&case, Kind::Error, &trial, &budget);
    assert!(verdict.of(Kind::Error).is_some(), "{verdict:?}");
    // Nothing is left but the body, the edit and the steps up to it.
    let names: Vec<&str> = small.file.bodies.iter().map(Body::name).collect();
    assert_eq!((names, small.file.joints.len(), small.file.forces.len()), (vec!["b1"], 0, 0));
    assert_eq!((small.script.edits.len(), small.script.steps), (1, 11));
    assert!(small.script.words()[0].starts_with("before step 10: b1 is set to"), "{:?}", small.script.words());
    // What was written has the same finding.
    let read = file::parse(&text(&small.file)).expect("a file");
    let again = try_case(&Case { file: read, ..small }, &trial);
    assert_eq!(again.of(Kind::Error), verdict.of(Kind::Error));
}

#[test]
fn shrinking_without_a_budget_changes_nothing_but_the_end() {
    let (case, trial) = (planted(), Trial::default());
    let (small, _) = shrink(&case, Kind::Error, &trial, &Budget { trials: 0, ..Budget::default() });
    assert_eq!(small.file.bodies.len(), case.file.bodies.len());
    assert_eq!(small.script.steps, 11);
}

#[test]
fn a_plain_world_has_no_findings() {
    let case = generate(1, Features::none(), STEPS);
    let verdict = try_case(&case, &Trial::default());
    assert!(verdict.findings.is_empty(), "{verdict:?}");
    assert_eq!(verdict.measures.steps, STEPS);
}

#[test]
fn a_world_that_cannot_be_built_is_a_finding() {
    let mut case = generate(1, Features::none(), STEPS);
    case.file.bodies.clear();
    let verdict = try_case(&case, &Trial::default());
    assert!(verdict.of(Kind::Error).is_some());
}
