//! The arm that picks a box and holds it.

use super::rig::{Worst, excess, lasted};
use super::{Check, Effort, Failure, Measured};
use crate::scene::find;
use crate::scenes::robot_gripper::{HOLD, SERVOS};
use taut::{Options, Vec3, World};

pub(super) fn check() -> Check {
    Check {
        id: "robot-gripper",
        summary: "a robot arm lifts a box of 1 kg and holds it 5 s: no slip, no servo above its force, 1/60 s",
        source: "Coulomb's law: 2 x 0.8 x 30 N hold 9.81 N; bounds of the servos",
        run,
    }
}

fn run(effort: &Effort<'_>) -> Result<Vec<Measured>, Failure> {
    let mut out = Vec::new();
    for dt in effort.pick(&[0.001, 0.01, 1.0 / 60.0][..], &[1.0 / 60.0]) {
        let (mut s, _) = find("robot-gripper")?.with(&[])?;
        // Awake: what sleeps does not slip.
        let options = Options { sleep: false, ..*s.world.options() };
        s.world.set_options(options)?;
        let (hand, load) = (s.world.find_body("hand")?, s.world.find_body("box")?);
        let joints: Vec<_> = s.world.joints().map(|j| j.id()).collect();
        let place = |w: &World| -> taut::Result<Vec3> { Ok(w.body(hand)?.pose().to_local(w.body(load)?.position())) };
        let (mut first, mut slip, mut share, mut beyond) = (None, Worst::new(), Worst::new(), Worst::new());
        let time = HOLD + 5.0;
        let o = effort.looked(&mut s, *dt, time, |w, _| {
            if w.time() > HOLD {
                let now = place(w)?;
                let from = *first.get_or_insert(now);
                slip.see(1e3 * (now - from).length(), || format!("at {:.2} s", w.time()));
            }
            beyond.see(excess(w)?.0, || format!("at {:.2} s", w.time()));
            for (&j, servo) in joints.iter().zip(SERVOS) {
                share.see(w.motor(j.motor(0))?.effort().abs() / servo.3, || {
                    format!("{}, at {:.2} s", servo.0, w.time())
                });
            }
            Ok(())
        })?;
        let with = |what: &str| format!("{what}, steps of {dt:.4} s");
        out.push(lasted(with("stable for"), &o, time));
        out.push(Measured::at_least(with("height of the box"), s.world.body(load)?.position().y, 0.25, "m"));
        out.push(slip.at_most(&with("slip in 5 s of holding"), 1.0, "mm"));
        out.push(share.at_most(&with("force of a servo, of its bound"), 1.0 + 1e-9, ""));
        out.push(beyond.at_most(&with("limit passed by"), 1e-3, "m, rad"));
    }
    Ok(out)
}
