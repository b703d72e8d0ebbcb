//! Long runs that are killed go on from their snapshot and end with the same bits; rollback repeats every step.

use crate::common::{err, new_folder, out, taut};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The state that a soak ended with.
fn hash(text: &str) -> String {
    text.trim().rsplit("state ").next().unwrap().to_owned()
}

#[test]
fn a_killed_run_goes_on_from_its_snapshot_with_the_same_bits() {
    let steps = "30000";
    for scene in ["chain-heavy", "box-stack", "fourbar-reduced"] {
        let whole = taut(&["soak", scene, "--steps", steps]);
        assert_eq!(whole.status.code(), Some(0), "{}{}", out(&whole), err(&whole));
        let folder = new_folder(&format!("killed-{scene}"));
        let save = folder.to_str().unwrap();
        let args = ["soak", scene, "--steps", steps, "--save", save, "--every", "50"];
        let file = folder.join(format!("{scene}.soak"));
        let mut child = Command::new(env!("CARGO_BIN_EXE_taut")).args(args).stdout(Stdio::null()).spawn().unwrap();
        let begin = Instant::now();
        while !file.exists() && begin.elapsed() < Duration::from_secs(30) {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(20));
        child.kill().unwrap();
        let ended = child.wait().unwrap();
        assert!(!ended.success(), "{scene}: it was too quick to be killed");
        let saved = std::fs::read(&file).unwrap();
        let at = u64::from_le_bytes(saved[..8].try_into().unwrap());
        assert!(at > 0 && at < 30_000, "{scene}: killed at {at}");
        // A damaged snapshot is refused.
        let mut bad = saved.clone();
        let middle = bad.len() / 2;
        bad[middle] ^= 4;
        for damaged in [&bad[..], &saved[..saved.len() - 1], &saved[..10]] {
            std::fs::write(&file, damaged).unwrap();
            let o = taut(&[&args[..], &["--resume"]].concat());
            assert_eq!(o.status.code(), Some(2), "{}", out(&o));
            assert!(err(&o).contains("expected"), "{}", err(&o));
        }
        std::fs::write(&file, &saved).unwrap();
        let resumed = taut(&[&args[..], &["--resume"]].concat());
        assert_eq!(resumed.status.code(), Some(0), "{}{}", out(&resumed), err(&resumed));
        assert_eq!(hash(&out(&resumed)), hash(&out(&whole)), "{scene}, killed at {at}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_run_does_not_claim_its_last_tenth() {
    let folder = new_folder("interrupted");
    let args =
        ["soak", "fourbar", "--steps", "1000000000", "--save", folder.to_str().unwrap(), "--every", "50", "--quiet"];
    let child = Command::new(env!("CARGO_BIN_EXE_taut")).args(args).stdout(Stdio::piped()).spawn().unwrap();
    let begin = Instant::now();
    while !folder.join("fourbar.soak").exists() && begin.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(1));
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let o = child.wait_with_output().unwrap();
    assert_eq!(o.status.code(), Some(130));
    assert!(out(&o).contains(": interrupted; ") && out(&o).contains("not measured in the last"), "{}", out(&o));
}

#[test]
fn rollback_of_sixty_steps_in_every_step_repeats_every_bit() {
    let o = taut(&["soak", "--rollback", "--steps", "15"]);
    assert_eq!(o.status.code(), Some(0), "{}{}", out(&o), err(&o));
    assert_eq!(out(&o).matches("15 steps gone back 60 each, bit for bit").count(), 10, "{}", out(&o));
}

#[test]
fn bad_arguments_are_refused() {
    for args in [&["soak", "nothing"][..], &["soak", "--steps", "1"], &["soak", "--resume"]] {
        let o = taut(args);
        assert_eq!(o.status.code(), Some(2), "{args:?}: {}", out(&o));
    }
}
