//! Torsion of ropes in scene files, saved in mid-run with all its bits.

use taut_scenes::Scene;
use taut_scenes::file::{FileError, build, from_scene, parse, write};

/// A disk that turns on a wire over a sheave from a winch, with more of the rope.
fn text(more: &str) -> String {
    format!(
        r#"{{ "taut": 1,
             "bodies": [{{ "type": "dynamic", "name": "disk", "mass": 20, "inertia": [0.1, 0.1, 0.1], "position": [0.25, -4, 0], "angular_velocity": [0, 3, 0] }}],
             "sheaves": [{{ "name": "tip", "body": "ground", "point": [0, 0, 0], "axis": [0, 0, 1], "radius": 0.25 }}],
             "winches": [{{ "name": "winch", "body": "ground", "point": [-3, 0, 0], "axis": [0, 0, 1], "radius": 0.25, "inertia": 2, "haul": {{ "speed": 0.3 }} }}],
             "ropes": [{{ "name": "line", "path": [{{ "against": "winch" }}, {{ "against": "tip" }}, {{ "body": "disk" }}]{more} }}],
             "outputs": {{ "dt": 0.01, "time": 3, "length": 4 }} }}"#
    )
}

fn open(text: &str) -> Result<Scene, FileError> {
    parse(text).and_then(|f| build(&f)).map_err(|e| e.located(text))
}

#[test]
fn a_twisted_rope_is_saved_with_all_its_bits_and_goes_on() {
    for more in [r#", "torsion": 2"#, r#", "torsion": 2, "mass_per_length": 0.5, "segment": 0.5, "stored": 5"#] {
        let text = text(more);
        let mut scene = open(&text).unwrap_or_else(|e| panic!("{e}"));
        let rope = scene.world.ropes().next().unwrap().id();
        assert_eq!(scene.world.rope(rope).unwrap().torsion(), Some(2.0));
        (0..150).for_each(|_| drop(scene.step(0.01).unwrap()));
        assert!(scene.world.rope(rope).unwrap().torque().abs() > 0.1);
        let saved = from_scene(&scene).unwrap_or_else(|e| panic!("{e}"));
        let written = write(&saved.file).unwrap();
        let mut again = open(&written).unwrap_or_else(|e| panic!("{e}\n{written}"));
        let other = again.world.ropes().next().unwrap().id();
        let memory = |s: &Scene, id| format!("{:?}", s.world.rope(id).unwrap().memory());
        assert_eq!(memory(&scene, rope), memory(&again, other), "all that the rope has become: {more}");
        let twist = |s: &Scene, id| s.world.rope(id).unwrap().twist();
        assert_eq!(twist(&scene, rope).to_bits(), twist(&again, other).to_bits());
        let mut off = 0.0_f64;
        for _ in 0..100 {
            scene.step(0.01).unwrap();
            again.step(0.01).unwrap();
            off = off.max((twist(&scene, rope) - twist(&again, other)).abs());
        }
        println!("{off:.1e} rad apart after 1 s");
        // A file says less of the last step than a snapshot.
        assert!(off < 1e-2, "{more}: {off}");
    }
}

#[test]
fn bad_torsion_in_a_file_is_refused_at_its_place() {
    let refused = |more: &str| open(&text(more)).err().map(|e| e.to_string()).unwrap_or_default();
    for bad in ["0", "-1"] {
        let e = refused(&format!(r#", "torsion": {bad}"#));
        assert!(e.contains("ropes[0].torsion") && e.contains("N m^2"), "{e}");
    }
    assert!(refused(r#", "torsion": "stiff""#).contains("torsion"));
    let state = r#", "torsion": 2, "state": { "guides": [], "spans": [], "laid": 7 }"#;
    assert!(refused(state).contains("state"));
}
