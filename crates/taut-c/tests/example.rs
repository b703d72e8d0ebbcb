//! The example in C: it compiles as C and as C++ without a warning, and ends in the state in which the same crane ends in Rust.

use std::path::{Path, PathBuf};
use std::process::Command;
use taut::prelude::*;
use taut_scenes::file;

/// Where Cargo has put the libraries that this test is built with.
fn libraries() -> PathBuf {
    let program = std::env::current_exe().unwrap();
    let folder = program.parent().unwrap().to_owned();
    assert!(folder.join(format!("{}taut_c{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX)).exists());
    folder
}

fn source(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)
}

/// A compiler of C with the flags that all compilations share.
fn compiler(name: &str, standard: &str) -> Command {
    let mut cc = Command::new(name);
    cc.args([standard, "-O1", "-Wall", "-Wextra", "-pedantic", "-Werror", "-I"]).arg(source("include"));
    cc
}

fn done(command: &mut Command) -> String {
    let out = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(out.status.success(), "{command:?}: {}\n{}{}", out.status, text(&out.stdout), text(&out.stderr));
    text(&out.stdout)
}

/// The example, run.
fn crane(words: &[&str]) -> String {
    let (libraries, program) = (libraries(), PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("crane"));
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let path = format!("-Wl,-rpath,{}", libraries.display());
        let mut cc = compiler("cc", "-std=c11");
        cc.arg(source("examples/crane.c")).arg("-o").arg(&program).arg("-L").arg(&libraries);
        done(cc.args(["-ltaut_c", &path]));
    });
    done(Command::new(program).args(words))
}

/// The word after "state".
fn state(text: &str) -> &str {
    text.trim().rsplit_once("state ").unwrap_or_else(|| panic!("no state in {text}")).1
}

#[test]
fn the_example_is_good_cpp_too() {
    let mut cpp = compiler("c++", "-std=c++17");
    done(cpp.args(["-fsyntax-only", "-x", "c++"]).arg(source("examples/crane.c")));
}

/// The crane of the example.
fn native() -> Result<World> {
    let mut world = World::new();
    let ground = world.ground();
    world.add(Collider::new(Shape::ground()).on(ground))?;
    let shape = |half: Vec3| Shape::cuboid(half);
    let mass = MassProperties::of(&shape(Vec3::new(6.0, 0.3, 0.3)), 1000.0)?.with_mass(3000.0)?;
    let mut last = world.add(Body::dynamic(mass).at(Vec3::new(6.0, 8.0, 0.0)).named("boom"))?;
    let hoist = Motor::servo(5e6, 2e6).target(0.0);
    let foot = Hinge::between(last, ground).at(8.0 * Vec3::Y).axis(Vec3::Z).limit(-0.5, 1.2).motor(hoist).named("foot");
    let foot = world.add(foot)?;
    let mut at = Vec3::new(12.0, 8.0, 0.0);
    let link = MassProperties::of(&Shape::capsule(0.18, 0.02), 1000.0)?.with_mass(0.2)?;
    for _ in 0..10 {
        let next = world.add(Body::dynamic(link).at(Vec3::new(12.0, at.y - 0.2, 0.0)))?;
        world.add(Ball::between(next, last).at(at))?;
        (last, at.y) = (next, at.y - 0.4);
    }
    let cube = shape(Vec3::splat(0.5));
    let mass = MassProperties::of(&cube, 1000.0)?.with_mass(2000.0)?;
    let load = Body::dynamic(mass).at(Vec3::new(12.0, at.y - 0.5, 0.0)).collider(Collider::new(cube)).named("load");
    let load = world.add(load)?;
    world.add(Ball::between(load, last).at(at).named("hook"))?;
    world.add(Force::Drag { body: load, linear: 50.0, angular: 0.0 })?;
    for k in 0..600 {
        world.set_motor(foot, taut::Command::target(if k < 300 { 0.4 } else { -0.4 }))?;
        world.step(1.0 / 60.0)?;
    }
    Ok(world)
}

#[test]
fn a_crane_built_in_c_ends_in_the_state_of_the_one_built_in_rust() {
    let text = crane(&[]);
    assert!(text.contains("refused: mass = -1"), "{text}");
    assert_eq!(state(&text), format!("{:016x}", native().unwrap().state().hash()), "{text}");
}

#[test]
fn scenes_and_files_end_in_the_state_of_a_native_run() {
    let (mut scene, _) = taut_scenes::find("crane").unwrap().with(&[]).unwrap();
    (0..30).for_each(|_| drop(scene.step(1.0 / 60.0).unwrap()));
    assert_eq!(state(&crane(&["--scene", "crane", "30"])), format!("{:016x}", scene.world.state().hash()));

    // With programs and a table in a file beside it.
    let path = source("../taut-scenes/files/shake-table.json");
    let mut opened = file::open(&path).unwrap();
    let dt = opened.file.outputs.dt();
    (0..60).for_each(|_| drop(opened.scene.step(dt).unwrap()));
    let text = crane(&["--file", path.to_str().unwrap(), "60"]);
    assert_eq!(state(&text), format!("{:016x}", opened.scene.world.state().hash()));
}
