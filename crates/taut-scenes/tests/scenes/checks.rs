//! The fast checks of the validation suite, in its quick form: closed forms, conservation, repetition. All of it: `taut check`.

use taut_scenes::checks::{Effort, all};

#[test]
fn the_fast_checks_hold() {
    let fast = [
        "reactions",
        "catenary",
        "cantilever",
        "torsion",
        "string-frequency",
        "pendulum",
        "fourbar",
        "top",
        "convergence",
        "momentum",
        "energy",
        "heavy-cable",
        "anytime",
        "scissor-lift",
        "assembly",
    ];
    let effort = Effort { quick: true, stop: &|| false };
    let checks: Vec<_> = all().into_iter().filter(|c| fast.contains(&c.id)).collect();
    assert_eq!(checks.len(), fast.len());
    for check in checks {
        let values = (check.run)(&effort).unwrap();
        assert!(!values.is_empty(), "{}", check.id);
        for v in values {
            assert!(v.holds(), "{}: {v:?}", check.id);
        }
    }
}

#[test]
fn a_check_that_is_asked_to_stop_says_so() {
    let effort = Effort { quick: true, stop: &|| true };
    for check in all() {
        assert_eq!((check.run)(&effort), Err(taut_scenes::checks::Failure::Stopped), "{}", check.id);
    }
}
