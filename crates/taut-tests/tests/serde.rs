//! State, options and reports through JSON: what is read is what was written, and a run goes on with the same bits.

mod common;

use common::mixed::mixed;
use taut::settings::InertialDamping;
use taut::{Options, Stabiliser, State, StepReport};

fn world() -> taut::World {
    let mut w = taut::World::new();
    mixed(&mut w, 2);
    w
}

fn through<T: serde::Serialize + serde::de::DeserializeOwned>(x: &T) -> T {
    serde_json::from_str(&serde_json::to_string(x).unwrap()).unwrap()
}

#[test]
fn a_state_that_was_written_and_read_goes_on_with_the_same_bits() {
    let mut w = world();
    for _ in 0..30 {
        w.step(1.0 / 60.0).unwrap();
    }
    let kept: State = through(w.state());
    assert_eq!(&kept, w.state());
    let mut other = world();
    other.restore(&kept).unwrap();
    for _ in 0..30 {
        w.step(1.0 / 60.0).unwrap();
        other.step(1.0 / 60.0).unwrap();
    }
    assert_eq!(w.state().hash(), other.state().hash());
}

#[test]
fn options_and_reports_are_read_as_they_were_written() {
    let inertial = Stabiliser::Inertial(InertialDamping { alpha: 0.3, ..InertialDamping::default() });
    for options in [Options::default(), Options { stabiliser: inertial, sleep: false, ..Options::default() }] {
        assert_eq!(through(&options), options);
    }
    let mut w = world();
    for _ in 0..20 {
        let report = w.step(1.0 / 60.0).unwrap();
        let again: StepReport = through(&report);
        assert_eq!(again, report);
    }
    // A number that JSON does not have.
    let mut free = taut::World::new();
    free.add(taut::Body::particle(1.0)).unwrap();
    let report = free.step(0.01).unwrap();
    assert!(report.smallest_pivot.is_infinite());
    assert_eq!(through(&report), report);
}

#[test]
fn what_is_not_a_state_is_refused_by_the_reader_or_by_the_world() {
    assert!(serde_json::from_str::<State>("{}").is_err());
    let mut w = world();
    let text = serde_json::to_string(w.state()).unwrap().replacen("\"time\":0.0", "\"time\":1e999", 1);
    assert!(serde_json::from_str::<State>(&text).is_err());
    let other: State = through(taut::World::new().state());
    assert!(w.restore(&other).is_err());
}

#[test]
fn options_that_are_left_out_have_their_defaults() {
    let read: Options = serde_json::from_str(r#"{ "sleep": false }"#).unwrap();
    assert_eq!(read, Options { sleep: false, ..Options::default() });
    assert_eq!(serde_json::from_str::<Options>("{}").unwrap(), Options::default());
}
