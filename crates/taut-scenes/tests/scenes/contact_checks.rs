//! The checks of scenes with contacts, ropes and sleep, in their quick form. All of it: `taut check`.

use taut_scenes::checks::{Effort, all};

fn holds(id: &str) {
    let effort = Effort { quick: true, stop: &|| false };
    let check = all().into_iter().find(|c| c.id == id).unwrap();
    let values = (check.run)(&effort).unwrap();
    assert!(!values.is_empty());
    for v in values {
        assert!(v.holds(), "{id}: {v:?}");
    }
}

#[test]
fn a_rod_over_a_cylinder_keeps_its_length_and_its_friction() {
    holds("rod-on-cylinder");
}

#[test]
fn a_load_caught_by_a_slack_line_gains_no_energy() {
    holds("snatch");
}

#[test]
fn a_load_lands_and_lifts_off() {
    holds("crane-landing");
}

#[test]
fn a_stack_of_heavy_on_light_rests() {
    holds("box-stack");
}

#[test]
fn sliding_begins_at_the_angle_of_friction() {
    holds("friction-ramp");
}

#[test]
fn balls_rebound_at_e_times_the_speed() {
    holds("bouncing-balls");
}

#[test]
fn a_slack_rope_tows_a_sled() {
    holds("tow");
}

#[test]
fn no_shot_passes_the_wall() {
    holds("shots");
}

#[test]
fn wheels_roll_from_plank_to_plank() {
    holds("bridge-truck");
}

#[test]
fn a_yard_sleeps_and_wakes_where_it_is_touched() {
    holds("yard");
}
