//! Scenes with limits, contacts and bounded motors, by the quick form of their checks. Speeds are printed by `taut check`, not tested.

use taut_scenes::checks::{Effort, all};

fn holds(id: &str) {
    let effort = Effort { quick: true, stop: &|| false };
    let check = all().into_iter().find(|c| c.id == id).unwrap();
    let values = (check.run)(&effort).unwrap();
    assert!(!values.is_empty(), "{id}");
    for v in values.iter().filter(|v| v.unit != "1/s") {
        assert!(v.holds(), "{id}: {v:?}");
    }
}

#[test]
fn a_shaken_ragdoll_stays_stable_and_keeps_its_limits() {
    holds("ragdoll");
}

#[test]
fn ragdolls_fall_on_a_heap() {
    holds("ragdoll-pile");
}

#[test]
fn a_bicycle_chain_runs_evenly_over_two_sprockets() {
    holds("bicycle-chain");
}

#[test]
fn in_newtons_cradle_as_many_balls_leave_as_come() {
    holds("newton-cradle");
}

#[test]
fn a_gripper_holds_a_box_within_its_forces() {
    holds("robot-gripper");
}

#[test]
fn ragdolls_apart_are_systems_of_their_own() {
    let (mut s, _) = taut_scenes::find("ragdolls").unwrap().with(&[("ragdolls", "9")]).unwrap();
    assert_eq!(s.world.size().unwrap().islands, 9);
    for _ in 0..60 {
        let report = s.step(1.0 / 60.0).unwrap();
        assert!(report.bounded.clusters <= 9 && report.bounded.unconverged == 0, "{:?}", report.bounded);
    }
}
