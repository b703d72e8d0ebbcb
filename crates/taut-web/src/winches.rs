//! Winches and ropes of a scene that runs: motors on the axles of drums, and ropes over guides without a drum that are paid out at their end.

use crate::session::{Answer, Session, text};
use serde::Serialize;
use serde_json::{Value, json};
use taut::views::GuideView;
use taut::{Freedom, JointRef, MotorId, MotorRef, RopeId, Vec3, World};
use taut_draw::Drawing;

/// What winds a rope or pays it out.
#[derive(Clone, Debug)]
pub(crate) struct Winch {
    name: String,
    /// Which rope of the drawing, and its handle.
    rope: usize,
    id: RopeId,
    /// The motor of a drum, and the rope that it hauls in by a turn of a radian, m; without one the rope is hauled in by itself.
    motor: Option<(MotorId, f64)>,
}

impl Winch {
    /// The motor of its drum.
    pub fn motor_id(&self) -> Option<MotorId> {
        self.motor.map(|m| m.0)
    }
}

/// A winch as the page sees it.
#[derive(Serialize)]
struct Shown {
    name: String,
    rope: usize,
    /// Whether a motor turns a drum.
    drum: bool,
    /// How fast it hauls in now, m/s.
    speed: f64,
    /// What the hand wants, m/s; null while the scene has it.
    wanted: Option<f64>,
    /// What the motor turns with, N m.
    effort: Option<f64>,
}

/// All winches of a world, in the order of its ropes.
pub(crate) fn find(world: &World, drawing: &Drawing) -> Vec<Winch> {
    let mut out = Vec::new();
    for rope in 0..drawing.ropes.len() {
        let Some((id, view)) = drawing.rope(rope).and_then(|id| Some((id, world.rope(id).ok()?))) else { continue };
        let guides: Vec<GuideView> = view.guides().collect();
        let ends = [(guides.first(), -1.0), (guides.last(), 1.0)];
        let ends = ends.into_iter().filter_map(|(g, s)| Some((g?, s)));
        // An endless rope is driven by its wheels; its end is its start.
        let wheels = guides.iter().skip(1).filter(|g| g.grips).map(|g| (g, 1.0));
        let drums: Vec<(&GuideView, f64)> = if view.is_closed() { wheels.collect() } else { ends.collect() };
        let drums: Vec<(&GuideView, f64)> = drums.into_iter().filter(|(g, _)| g.radius > 0.0).collect();
        let before = out.len();
        for (drum, sense) in &drums {
            for joint in world.joints().filter(|j| j.bodies().0 == drum.body || j.bodies().1 == drum.body) {
                for motor in joint.motors().filter(|m| matches!(m.freedom(), Freedom::Turn | Freedom::About(_))) {
                    let per = sense * hauls(drum, &joint);
                    let name = called(&motor, &joint, view.name());
                    out.push(Winch { name, rope, id, motor: Some((motor.id(), per)) });
                }
            }
        }
        // A rope that is tied to something other than a drum can be paid out there.
        if out.len() == before && drums.is_empty() && view.free_ends()[1].is_none() {
            let name = if view.name().is_empty() { format!("rope {rope}") } else { view.name().to_owned() };
            out.push(Winch { name, rope, id, motor: None });
        }
    }
    out
}

/// Rope that goes onto the drum at the end of a rope by a radian of the joint, m.
fn hauls(drum: &GuideView, joint: &JointRef<'_>) -> f64 {
    let side = if drum.about { 1.0 } else { -1.0 };
    let first = if joint.bodies().0 == drum.body { 1.0 } else { -1.0 };
    side * first * drum.radius * joint.axis().dot(drum.axis).signum()
}

fn called(motor: &MotorRef<'_>, joint: &JointRef<'_>, rope: &str) -> String {
    [motor.name(), joint.name(), rope].into_iter().find(|n| !n.is_empty()).unwrap_or("winch").to_owned()
}

impl Session {
    fn winch(&self, k: usize) -> Answer<&Winch> {
        let count = self.winches.len();
        self.winches.get(k).ok_or_else(|| format!("winch = {k}: expected a number below {count}"))
    }

    /// All winches as they are now.
    pub fn winches(&self) -> Value {
        let shown = |w: &Winch| {
            let motor = w.motor.and_then(|(id, per)| Some((self.scene.world.motor(id).ok()?, per)));
            let paid = -self.hand.paying(w.id);
            Shown {
                name: w.name.clone(),
                rope: w.rope,
                drum: w.motor.is_some(),
                speed: motor.as_ref().map_or(paid, |(m, per)| per * m.rate()),
                wanted: match w.motor {
                    Some((id, per)) => self.hand.rate(id).map(|r| per * r),
                    None => Some(paid),
                },
                effort: motor.map(|(m, _)| m.effort().abs()),
            }
        };
        json!(self.winches.iter().map(shown).collect::<Vec<_>>())
    }

    /// Hauls in by a winch, m/s; negative pays out.
    pub fn haul(&mut self, k: usize, speed: f64) -> Answer<()> {
        if !speed.is_finite() {
            return Err(format!("speed of winch {k} = {speed}: expected a finite number of m/s"));
        }
        let winch = self.winch(k)?.clone();
        match winch.motor {
            Some((motor, per)) => self.hand.drive(motor, Some(speed / per)),
            None => self.hand.pay_out(winch.id, -speed),
        }
        Ok(())
    }

    /// Lets go of a winch: it is the scene's again.
    pub fn let_go(&mut self, k: usize) -> Answer<()> {
        let winch = self.winch(k)?.clone();
        match winch.motor {
            Some((motor, _)) => self.hand.drive(motor, None),
            None => self.hand.pay_out(winch.id, 0.0),
        }
        Ok(())
    }

    /// What a rope over guides is like now: tension of each span, N, wraps, rad, length, paid-out length and slack, m.
    pub fn rope(&self, k: usize) -> Answer<Value> {
        let count = self.drawing().ropes.len();
        let id = self.drawing().rope(k).ok_or_else(|| format!("rope = {k}: expected a number below {count}"))?;
        let r = self.scene.world.rope(id).map_err(text)?;
        Ok(json!({
            "tensions": r.tensions().collect::<Vec<_>>(), "slacks": r.slacks(), "wraps": r.wraps().collect::<Vec<_>>(),
            "length": r.length(), "paidOut": r.paid_out(), "slack": (-r.excess()).max(0.0),
        }))
    }

    /// Cuts a rope over guides where its way is nearest to a point, or else in its middle; both parts stay.
    pub fn cut_rope(&mut self, k: usize, at: Option<Vec3>) -> Answer<()> {
        let count = self.drawing().ropes.len();
        let id = self.drawing().rope(k).ok_or_else(|| format!("rope = {k}: expected a number below {count}"))?;
        let rope = self.scene.world.rope(id).map_err(text)?;
        let at = match at {
            Some(at) => at,
            None => rope.point_at(0.5 * rope.length()).map_err(text)?,
        };
        self.cut_drawn(k, at)?;
        self.refresh()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOIST: &str = include_str!("../../taut-scenes/files/hoist.json");

    fn hoist() -> Session {
        Session::from_file(HOIST, "{}").unwrap()
    }

    fn step(s: &mut Session, n: usize) {
        (0..n).for_each(|_| s.step(0.01).unwrap());
    }

    #[test]
    fn a_winch_in_the_hand_hauls_as_fast_as_it_is_told_and_is_let_go_again() {
        let mut s = hoist();
        let named: Vec<(String, bool)> = s.winches.iter().map(|w| (w.name.clone(), w.motor.is_some())).collect();
        assert_eq!(named, [("winch".to_owned(), true), ("line".to_owned(), false)]);
        step(&mut s, 100);
        assert!(s.winches()[0]["wanted"].is_null() && s.winches()[0]["speed"].as_f64().unwrap() > 1.0);
        for speed in [0.5, -0.4] {
            let before = s.rope(0).unwrap()["paidOut"].as_f64().unwrap();
            s.haul(0, speed).unwrap();
            step(&mut s, 100);
            let paid = s.rope(0).unwrap()["paidOut"].as_f64().unwrap() - before;
            // One second, less what it takes to start.
            assert!((paid + speed).abs() < 0.15 * speed.abs(), "{paid} m at {speed} m/s");
            assert!((s.winches()[0]["speed"].as_f64().unwrap() - speed).abs() < 1e-3);
        }
        assert!(s.report()["fault"].is_null(), "{}", s.report());
        s.let_go(0).unwrap();
        step(&mut s, 100);
        assert!(s.winches()[0]["wanted"].is_null());
        assert!(s.haul(2, 1.0).is_err() && s.haul(0, f64::NAN).is_err() && s.let_go(9).is_err());
    }

    #[test]
    fn a_rope_without_a_drum_is_hauled_at_its_end_and_that_is_work() {
        let mut s = hoist();
        step(&mut s, 100);
        let (before, high) = (s.rope(1).unwrap()["length"].as_f64().unwrap(), bucket(&s));
        s.haul(1, 0.5).unwrap();
        step(&mut s, 100);
        // The program of the file pays out nothing before 2 s.
        assert!((s.rope(1).unwrap()["length"].as_f64().unwrap() - before + 0.5).abs() < 1e-6);
        assert!(bucket(&s) > high + 0.2, "{} from {high}", bucket(&s));
        assert!(s.report()["fault"].is_null(), "{}", s.report());
        s.haul(1, 0.0).unwrap();
        assert_eq!(s.winches()[1]["wanted"], 0.0);
    }

    fn bucket(s: &Session) -> f64 {
        let world = &s.scene.world;
        world.body(world.find_body("bucket").unwrap()).unwrap().position().y
    }

    #[test]
    fn ropes_are_drawn_with_arcs_turns_and_slack_and_are_cut() {
        let mut s = hoist();
        assert_eq!((s.drawing().ropes.len(), s.drawing().sheaves.len()), (2, 4));
        let pieces = |s: &Session, rope: f64| s.moment().ropes().chunks_exact(9).filter(|p| p[7] == rope).count();
        // Four arcs, five spans, about three turns on the drum.
        let start = pieces(&s, 0.0);
        assert!((4 * 16 + 5 + 50..4 * 16 + 5 + 70).contains(&start), "{start}");
        let turned = s.moment().sheaves();
        step(&mut s, 200);
        let moved: Vec<f64> = s.moment().sheaves().iter().zip(&turned).map(|(a, b)| (a - b).abs()).collect();
        // The first sheave turns most, for four parts run over it.
        assert!(moved[0] > moved[1] && moved[1] > moved[2] && moved[2] > moved[3] && moved[3] > 0.5, "{moved:?}");
        assert!(pieces(&s, 0.0) > start + 20, "more turns on the drum");
        step(&mut s, 450);
        assert_eq!(s.rope(0).unwrap()["tensions"][0], 0.0);
        assert!(s.rope(0).unwrap()["slack"].as_f64().unwrap() > 0.05, "{}", s.rope(0).unwrap());
        // Cut where it was hit: both parts stay.
        let id = s.drawing().rope(1).unwrap();
        let (length, at) = (0.3, s.scene.world.rope(id).unwrap().point_at(0.3).unwrap());
        s.cut_rope(1, Some(at)).unwrap();
        assert_eq!((s.drawing().ropes.len(), s.edition()), (3, 1));
        assert!((s.rope(1).unwrap()["length"].as_f64().unwrap() - length).abs() < 1e-6);
        s.cut_rope(0, None).unwrap();
        assert_eq!(s.drawing().ropes.len(), 4);
        assert!(s.cut_rope(9, None).is_err() && s.rope(9).is_err());
        step(&mut s, 10);
    }
}
