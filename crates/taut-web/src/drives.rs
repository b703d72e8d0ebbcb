//! Motors of a scene that runs, besides those of winches; and gravity.

use crate::session::{Answer, Session, text};
use crate::winches::Winch;
use serde::Serialize;
use serde_json::{Value, json};
use taut::{Drive, Freedom, MotorId, MotorRef, Options, Vec3, World};
use taut_scenes::Wish;

/// A motor as the page sees it. Positions in m or rad, rates in m/s or rad/s, efforts in N or N m.
#[derive(Serialize)]
struct Shown {
    name: String,
    /// It turns; else it slides.
    turns: bool,
    /// It goes to a position; else it runs at a rate.
    servo: bool,
    position: f64,
    rate: f64,
    /// What the hand wants: a position of a servo, a rate of another; null while the scene has it.
    wanted: Option<f64>,
    effort: f64,
    /// Where a limit of its joint stops it.
    low: Option<f64>,
    high: Option<f64>,
}

/// Motors that wind no rope and are no springs, in the order of their joints.
pub(crate) fn find(world: &World, winches: &[Winch]) -> Vec<MotorId> {
    let winds = |id: MotorId| winches.iter().any(|w| w.motor_id() == Some(id));
    world.motors().filter(|m| !m.definition().spring && !winds(m.id())).map(|m| m.id()).collect()
}

fn is_servo(motor: &MotorRef<'_>) -> bool {
    matches!(motor.drive(), Drive::Servo { stiffness, .. } if stiffness > 0.0)
}

impl Session {
    fn motor(&self, k: usize) -> Answer<MotorRef<'_>> {
        let count = self.drives.len();
        let id = self.drives.get(k).ok_or_else(|| format!("motor = {k}: expected a number below {count}"))?;
        self.scene.world.motor(*id).map_err(text)
    }

    /// All motors as they are now; those that are gone are left out.
    pub fn motors(&self) -> Value {
        let shown = |k: usize| {
            let m = self.motor(k).ok()?;
            let joint = self.scene.world.joint(self.drives[k].joint()).ok()?;
            let limit = joint.limits().find(|l| l.freedom == Some(m.freedom()) || l.freedom.is_none());
            let [low, high] = limit.map_or([None; 2], |l| [l.lower, l.upper].map(|x| x.is_finite().then_some(x)));
            let name = [m.name(), joint.name()]
                .into_iter()
                .find(|n| !n.is_empty())
                .map_or_else(|| format!("motor {k}"), str::to_owned);
            let wanted = self.hand.wished(m.id()).map(|w| match w {
                Wish::Rate(x) | Wish::Target(x) => x,
                Wish::Command(c) => c.rate,
            });
            let slides = matches!(m.freedom(), Freedom::Slide | Freedom::Shift(_) | Freedom::Rise | Freedom::Length);
            Some(Shown {
                name,
                turns: !slides,
                servo: is_servo(&m),
                position: m.position(),
                rate: m.rate(),
                wanted,
                effort: m.effort(),
                low,
                high,
            })
        };
        json!((0..self.drives.len()).filter_map(shown).collect::<Vec<_>>())
    }

    /// Drives motor k: a servo to a position, m or rad, another at a rate, m/s or rad/s; none: it is the scene's again.
    pub fn drive(&mut self, k: usize, value: Option<f64>) -> Answer<()> {
        if let Some(x) = value.filter(|x| !x.is_finite()) {
            return Err(format!("motor {k} = {x}: expected a finite number"));
        }
        let motor = self.motor(k)?;
        let (id, servo) = (motor.id(), is_servo(&motor));
        self.hand.wish(id, value.map(if servo { Wish::Target } else { Wish::Rate }));
        Ok(())
    }

    /// Gravity, m/s^2.
    pub fn gravity(&self) -> Vec3 {
        self.scene.world.options().gravity
    }

    /// Changes gravity, m/s^2. The energy of height that this makes is nobody's fault.
    pub fn set_gravity(&mut self, gravity: Vec3) -> Answer<()> {
        self.put_in(|s| {
            let options = Options { gravity, ..*s.scene.world.options() };
            s.scene.world.set_options(options).map_err(text)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_operated_crane_is_slewed_by_hand_and_let_go() {
        let mut s = Session::library("operated-crane", "{}", "{}").unwrap();
        let names: Vec<String> =
            s.winches().as_array().unwrap().iter().map(|w| w["name"].as_str().unwrap().into()).collect();
        assert_eq!(names, ["hoist", "luff"]);
        let m = s.motors();
        assert_eq!(
            (m[0]["name"].as_str(), m[0]["servo"].as_bool(), m.as_array().unwrap().len()),
            (Some("slew"), Some(false), 1)
        );
        s.drive(0, Some(0.1)).unwrap();
        (0..240).for_each(|_| s.step(1.0 / 60.0).unwrap());
        let m = s.motors();
        assert!((m[0]["rate"].as_f64().unwrap() - 0.1).abs() < 1e-3 && m[0]["wanted"] == 0.1, "{m}");
        assert!(s.report()["fault"].is_null());
        s.drive(0, None).unwrap();
        assert!(s.motors()[0]["wanted"].is_null());
        assert!(s.drive(1, None).is_err() && s.drive(0, Some(f64::NAN)).is_err());
    }

    #[test]
    fn servos_go_where_they_are_told() {
        let text = r#"{ "taut": 1, "bodies": [{ "type": "dynamic", "name": "arm", "mass": 2, "shape": { "type": "box", "size": [1, 0.1, 0.1] } }],
          "joints": [{ "type": "hinge", "name": "elbow", "bodies": ["arm", "ground"], "point": [-0.5, 0, 0], "axis": [0, 0, 1],
                       "motors": [{ "freedom": "turn", "stiffness": 4000, "damping": 400, "target": 0 }] }] }"#;
        let mut s = Session::from_file(text, "{}").unwrap();
        s.drive(0, Some(0.8)).unwrap();
        (0..200).for_each(|_| s.step(0.01).unwrap());
        let m = s.motors();
        assert!((m[0]["position"].as_f64().unwrap() - 0.8).abs() < 0.02 && m[0]["servo"] == true, "{m}");
    }

    #[test]
    fn gravity_is_changed_without_blame() {
        let mut s = Session::library("crane", r#"{"segments": "8"}"#, "{}").unwrap();
        (0..30).for_each(|_| s.step(1.0 / 60.0).unwrap());
        s.set_gravity(4.0 * Vec3::Y).unwrap();
        (0..30).for_each(|_| s.step(1.0 / 60.0).unwrap());
        assert!(s.report()["fault"].is_null(), "{}", s.report());
        assert_eq!(s.gravity(), 4.0 * Vec3::Y);
        assert!(s.set_gravity(f64::NAN * Vec3::Y).is_err());
    }
}
