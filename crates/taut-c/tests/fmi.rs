//! The functions of FMI as an importer calls them: native bits, states, several instances, and errors in place of crashes. `tools/fmu.py`
//! does the same through FMPy.
#![allow(unsafe_code, reason = "calls as an importer makes them")]

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::PathBuf;
use std::ptr::{null, null_mut, without_provenance_mut};
use taut_c::*;
use taut_fmu::{Kind, Model, Recipe, Variable};
use taut_scenes::file;

/// A folder of resources, and what its model is.
struct Fmu {
    folder: PathBuf,
    model: Model,
    dt: f64,
}

impl Fmu {
    /// Of a file of `crates/taut-scenes/files`.
    fn of(name: &str, signals: Option<&[&str]>) -> Fmu {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../taut-scenes/files").join(name);
        let opened = file::open(&path).unwrap();
        let (text, dt) = (file::write(&opened.file).unwrap(), opened.file.outputs.dt());
        let signals = signals.map(|list| list.iter().map(|s| (*s).to_owned()).collect());
        let recipe = Recipe { name: name.into(), scene: None, parameters: vec![], signals, dt, time: 1.0 };
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("a fmu of {name}"));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("taut.json"), recipe.write().unwrap()).unwrap();
        std::fs::write(folder.join("scene.json"), &text).unwrap();
        Fmu { folder, model: Model::new(&recipe, Some(&text)).unwrap(), dt }
    }

    fn reference(&self, name: &str) -> u32 {
        let at = |v: &Variable| v.name == name;
        self.model.variables().iter().position(at).unwrap_or_else(|| panic!("{name}")) as u32
    }

    fn token(&self) -> CString {
        CString::new(self.model.token()).unwrap()
    }

    /// An instance of FMI 3 that is ready for steps.
    fn three(&self) -> *mut c_void {
        let folder = CString::new(format!("{}/", self.folder.display())).unwrap();
        // SAFETY: texts end with a zero; there is no log.
        unsafe {
            let name = c"three".as_ptr();
            let (token, path) = (self.token(), folder.as_ptr());
            let made = fmi3InstantiateCoSimulation(
                name,
                token.as_ptr(),
                path,
                0,
                0,
                0,
                0,
                null(),
                0,
                null_mut(),
                None,
                null(),
            );
            assert!(!made.is_null());
            assert_eq!(fmi3EnterInitializationMode(made, 0, 0.0, 0.0, 0, 0.0), 0);
            assert_eq!(fmi3ExitInitializationMode(made), 0);
            made
        }
    }

    /// An instance of FMI 2 that is ready for steps.
    fn two(&self) -> *mut c_void {
        let uri = CString::new(format!("file://{}", self.folder.display()).replace(' ', "%20")).unwrap();
        // SAFETY: texts end with a zero; there are no callbacks.
        unsafe {
            let made = fmi2Instantiate(c"two".as_ptr(), 1, self.token().as_ptr(), uri.as_ptr(), null(), 0, 0);
            assert!(!made.is_null());
            assert_eq!(fmi2SetupExperiment(made, 0, 0.0, 0.0, 0, 0.0), 0);
            assert_eq!(fmi2EnterInitializationMode(made), 0);
            assert_eq!(fmi2ExitInitializationMode(made), 0);
            made
        }
    }

    /// Steps of an instance of FMI 3 from a step on.
    fn run(&self, instance: *mut c_void, from: usize, count: usize) -> c_int {
        let mut status = 0;
        for k in from..from + count {
            status = status.max(step(instance, k as f64 * self.dt, self.dt).0);
        }
        status
    }

    fn hash(&self, instance: *mut c_void) -> String {
        let (reference, mut text): (u32, *const c_char) = (self.reference("state.hash"), null());
        // SAFETY: a place for a text, which holds until the next call for one.
        unsafe {
            assert_eq!(fmi3GetString(instance, &reference, 1, &mut text, 1), 0);
            CStr::from_ptr(text).to_str().unwrap().to_owned()
        }
    }
}

/// Status, whether the importer should terminate, and the last time.
fn step(instance: *mut c_void, from: f64, size: f64) -> (c_int, bool, f64) {
    let (mut event, mut terminate, mut early, mut last) = (0, 0, 0, 0.0);
    // SAFETY: places for what is told.
    let status = unsafe { fmi3DoStep(instance, from, size, 1, &mut event, &mut terminate, &mut early, &mut last) };
    (status, terminate == 1, last)
}

#[test]
fn both_versions_run_as_the_scene_does() {
    for name in ["hoist.json", "shake-table.json", "tower-crane.json"] {
        let fmu = Fmu::of(name, None);
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../taut-scenes/files").join(name);
        let mut scene = file::open(&path).unwrap().scene;
        (0..60).for_each(|_| drop(scene.step(fmu.dt).unwrap()));
        let native = format!("{:016x}", scene.world.state().hash());
        let (three, two) = (fmu.three(), fmu.two());
        assert_eq!(fmu.run(three, 0, 60), 0);
        for k in 0..20 {
            // SAFETY: handles are checked. Three internal steps each.
            assert_eq!(unsafe { fmi2DoStep(two, 3.0 * k as f64 * fmu.dt, 3.0 * fmu.dt, 1) }, 0);
        }
        assert_eq!((fmu.hash(three), fmu.hash(two)), (native.clone(), native), "{name}");
        // SAFETY: handles are checked.
        unsafe {
            fmi3FreeInstance(three);
            fmi2FreeInstance(two);
            assert_eq!(fmi3Terminate(three), 3);
        }
    }
}

#[test]
fn states_go_back_and_to_other_instances() {
    let fmu = Fmu::of("tower-crane.json", None);
    let (one, other) = (fmu.three(), fmu.three());
    assert_eq!(fmu.run(one, 0, 30), 0);
    let (mut state, mut size) = (null_mut(), 0);
    // SAFETY: places for what is told, and room for as many bytes as are said.
    unsafe {
        assert_eq!(fmi3GetFMUState(one, &mut state), 0);
        assert_eq!(fmi3SerializedFMUStateSize(one, state, &mut size), 0);
        let mut bytes = vec![0; size];
        assert_eq!(fmi3SerializeFMUState(one, state, bytes.as_mut_ptr(), size), 0);
        assert_eq!(fmi3SerializeFMUState(one, state, bytes.as_mut_ptr(), size - 1), 3);
        assert_eq!(fmu.run(one, 30, 30), 0);
        let end = fmu.hash(one);
        assert_eq!(fmi3SetFMUState(one, state), 0);
        assert_eq!(fmu.run(one, 30, 30), 0);
        assert_eq!(fmu.hash(one), end);
        let mut read = null_mut();
        assert_eq!(fmi3DeserializeFMUState(other, bytes.as_ptr(), size, &mut read), 0);
        assert_eq!(fmi3SetFMUState(other, read), 0);
        assert_eq!(fmu.run(other, 30, 30), 0);
        assert_eq!(fmu.hash(other), end);
        for k in (0..size).step_by(11) {
            bytes[k] ^= 0x20;
            assert_eq!(fmi3DeserializeFMUState(other, bytes.as_ptr(), size, &mut null_mut()), 3, "byte {k}");
            bytes[k] ^= 0x20;
            assert_eq!(fmi3DeserializeFMUState(other, bytes.as_ptr(), k, &mut null_mut()), 3, "cut at {k}");
        }
        assert_eq!(fmu.hash(other), end);
        // States belong to the instance that gave them, and to nobody once they are freed.
        assert_eq!(fmi3SetFMUState(other, state), 3);
        assert_eq!(fmi3FreeFMUState(one, &mut state), 0);
        assert!(state.is_null());
        for bad in [state, without_provenance_mut(0x1234_5678)] {
            assert_eq!(fmi3SetFMUState(one, bad), 3);
            assert_eq!(fmi3SerializedFMUStateSize(one, bad, &mut size), 3);
        }
        fmi3FreeInstance(one);
        fmi3FreeInstance(other);
    }
}

#[test]
fn wrong_calls_are_errors_and_change_nothing() {
    let fmu = Fmu::of("hoist.json", None);
    let instance = fmu.three();
    assert_eq!(fmu.run(instance, 0, 3), 0);
    let before = fmu.hash(instance);
    let (output, parameter) = (fmu.reference("energy.total"), fmu.reference("settings.dt"));
    let (mut value, number) = (7.0, 1.0);
    // SAFETY: NULL, or places and values.
    unsafe {
        for reference in [u32::MAX, fmu.model.variables().len() as u32, fmu.reference("state.hash")] {
            assert_eq!(fmi3GetFloat64(instance, &reference, 1, &mut value, 1), 3);
        }
        assert_eq!(value, 7.0);
        assert_eq!(fmi3GetFloat64(instance, &output, 1, &mut value, 2), 3);
        assert_eq!(fmi3GetFloat64(instance, null(), 1, &mut value, 1), 3);
        assert_eq!(fmi3GetFloat64(instance, &output, 1, null_mut(), 1), 3);
        assert_eq!(fmi3GetInt32(instance, &output, 1, &mut 0, 1), 3);
        assert_eq!(fmi3SetFloat64(instance, &output, 1, &number, 1), 3);
        assert_eq!(fmi3SetFloat64(instance, &parameter, 1, &number, 1), 3);
        assert_eq!(fmi3SetFloat64(instance, &fmu.reference("rope.line.pay_out"), 1, &f64::NAN, 1), 3);
        assert_eq!(fmi3EnterInitializationMode(instance, 0, 0.0, 0.0, 0, 0.0), 3);
        assert_eq!(fmi3EnterEventMode(instance), 3);
        for (from, size) in [(0.0, fmu.dt), (3.0 * fmu.dt, 0.0), (3.0 * fmu.dt, f64::INFINITY), (f64::NAN, fmu.dt)] {
            assert_eq!(step(instance, from, size).0, 3, "{from} {size}");
        }
        for bad in [null_mut(), without_provenance_mut(0xdead_0000)] {
            assert_eq!(step(bad, 0.0, fmu.dt).0, 3);
            assert_eq!(fmi2DoStep(bad, 0.0, fmu.dt, 1), 3);
            fmi3FreeInstance(bad);
        }
        assert_eq!(fmu.hash(instance), before);
        assert_eq!(fmu.run(instance, 3, 1), 0);
        fmi3FreeInstance(instance);
        // Resources that are not there, and those of another FMU.
        let folder = CString::new(fmu.folder.to_str().unwrap()).unwrap();
        for (token, path) in [(fmu.token(), c"/nowhere"), (c"another".into(), folder.as_c_str())] {
            let uri = path.as_ptr();
            let made = fmi2Instantiate(c"x".as_ptr(), 1, token.as_ptr(), uri, null(), 0, 0);
            assert!(made.is_null());
        }
    }
}

#[test]
fn inputs_and_parameters_act_and_an_event_ends_the_run() {
    let fmu = Fmu::of("hoist.json", None);
    let set = |instance, name: &str, value: f64| {
        // SAFETY: a reference and a value.
        unsafe {
            match fmu.model.variables()[fmu.reference(name) as usize].kind {
                Kind::Boolean => fmi3SetBoolean(instance, &fmu.reference(name), 1, &u8::from(value != 0.0), 1),
                _ => fmi3SetFloat64(instance, &fmu.reference(name), 1, &value, 1),
            }
        }
    };
    let get = |instance, name: &str| {
        let mut value = 0.0;
        // SAFETY: a reference and a place.
        assert_eq!(unsafe { fmi3GetFloat64(instance, &fmu.reference(name), 1, &mut value, 1) }, 0);
        value
    };
    let (still, paid, pushed) = (fmu.three(), fmu.three(), fmu.three());
    assert_eq!(set(paid, "rope.line.pay_out", 0.5), 0);
    assert_eq!(set(pushed, "body.load.force_x", 5000.0), 0);
    for instance in [still, paid, pushed] {
        assert_eq!(fmu.run(instance, 0, 20), 0);
    }
    let more = get(paid, "rope.line.paid_out") - get(still, "rope.line.paid_out");
    assert!((more - 0.5 * 20.0 * fmu.dt).abs() < 1e-9, "{more}");
    assert!(get(pushed, "body.load.x") > get(still, "body.load.x") + 1e-3);
    let rate = get(still, "motor.winch.target_rate");
    assert_eq!(set(still, "motor.winch.driven", 1.0) + set(still, "motor.winch.set_rate", rate + 0.25), 0);
    assert_eq!(fmu.run(still, 20, 1), 0);
    assert_eq!(get(still, "motor.winch.target_rate"), rate + 0.25);
    for instance in [still, paid, pushed] {
        // SAFETY: handles are checked.
        unsafe { fmi3FreeInstance(instance) };
    }
    // An event that stops the run asks the importer to terminate, at the time it was.
    let text = r#"{ "taut": 1, "bodies": [{ "type": "particle", "name": "stone", "mass": 1 }],
        "events": [{ "at": 0.05, "do": [{ "type": "stop", "message": "enough" }] }], "outputs": { "dt": 0.01 } }"#;
    let recipe = Recipe { name: "s".into(), scene: None, parameters: vec![], signals: None, dt: 0.01, time: 1.0 };
    let mut model = Model::new(&recipe, Some(text)).unwrap();
    assert_eq!(model.step(0.0, 0.1), Ok(taut_fmu::Stepped::Stopped("enough".into())));
    assert!((model.time() - 0.05).abs() < 1e-12);
}
