//! What the named joints of a world carried during a run, and where they were.

use taut::{Event, Freedom, JointId, JointRef, StepReport, World};

/// A quantity of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Peak {
    /// At the end of the run, or when the joint was there last.
    pub end: f64,
    /// Largest value after any step.
    pub peak: f64,
    /// When that was, s.
    pub time: f64,
}

impl Peak {
    fn see(&mut self, x: f64, time: f64, first: bool) {
        self.end = x;
        if first || x > self.peak {
            (self.peak, self.time) = (x, time);
        }
    }
}

/// One of the things that a joint leaves free.
#[derive(Clone, Debug, PartialEq)]
pub struct CoordinateOutcome {
    /// What it is, in words: see [`freedom_word`].
    pub freedom: String,
    /// Unit of its position, m or rad.
    pub unit: &'static str,
    /// Position at the end, m or rad.
    pub end: f64,
    /// Rate at the end, m/s or rad/s.
    pub rate: f64,
    /// Least and largest position, m or rad.
    pub range: [f64; 2],
}

/// A named joint in a run.
#[derive(Clone, Debug, PartialEq)]
pub struct JointOutcome {
    /// Its name.
    pub name: String,
    /// Its kind, such as "hinge".
    pub kind: &'static str,
    /// Whether it was there at the end.
    pub present: bool,
    /// Length of the force that it carried, N.
    pub force: Peak,
    /// Length of the torque that it carried about its origin, N m.
    pub torque: Peak,
    /// Opening, m; of a rope what it is longer than its length: see [`opening`].
    pub gap: Peak,
    /// Pull of a rope, rod or ligament, N; none of other joints.
    pub tension: Option<Peak>,
    /// All that it leaves free.
    pub coordinates: Vec<CoordinateOutcome>,
}

/// Looks at the named joints after every step.
#[derive(Clone, Debug)]
pub struct JointMeter {
    joints: Vec<(JointId, JointOutcome)>,
    first: bool,
    from_file: bool,
}

impl JointMeter {
    /// For the joints that a world has now. A scene file counts the angles of universal joints the other way than the engine: with
    /// `from_file` they are told as the file counts them.
    pub fn new(world: &World, from_file: bool) -> Self {
        let named = world.joints().filter(|j| !j.name().is_empty());
        let outcome = |j: JointRef<'_>| JointOutcome {
            name: j.name().to_owned(),
            kind: j.kind(),
            present: true,
            force: Peak::default(),
            torque: Peak::default(),
            gap: Peak::default(),
            tension: has_tension(&j).then(Peak::default),
            coordinates: j.freedoms().iter().map(|f| coordinate(*f)).collect(),
        };
        JointMeter { joints: named.map(|j| (j.id(), outcome(j))).collect(), first: true, from_file }
    }

    /// Looks at the world after a step and what the step has told. A joint that broke in it is gone, with the load of that step.
    pub fn see(&mut self, world: &World, report: &StepReport) {
        let (time, first) = (world.time(), std::mem::take(&mut self.first));
        for (id, o) in &mut self.joints {
            let Ok(j) = world.joint(*id) else {
                o.present = false;
                let broke = report.events.iter().find_map(|e| match e {
                    Event::JointBroken { joint, force, torque, .. } if joint == id => Some((*force, *torque)),
                    _ => None,
                });
                if let Some((force, torque)) = broke {
                    o.force.see(force, time, first);
                    o.torque.see(torque, time, first);
                    if let Some(tension) = &mut o.tension {
                        // A rod that was pushed broke so.
                        tension.see(if tension.end < 0.0 { -force } else { force }, time, first);
                    }
                }
                continue;
            };
            let reaction = j.reaction();
            o.force.see(reaction.force.length(), time, first);
            o.torque.see(reaction.torque.length(), time, first);
            o.gap.see(opening(&j), time, first);
            if let Some(tension) = &mut o.tension {
                tension.see(j.tension(), time, first);
            }
            let sign = counting(&j, self.from_file);
            for (c, (_, q, rate)) in o.coordinates.iter_mut().zip(j.coordinates()) {
                (c.end, c.rate) = (sign * q, sign * rate);
                c.range = if first { [c.end; 2] } else { [c.range[0].min(c.end), c.range[1].max(c.end)] };
            }
        }
    }

    /// What they came to.
    pub fn done(self) -> Vec<JointOutcome> {
        self.joints.into_iter().map(|(_, o)| o).collect()
    }
}

fn coordinate(f: Freedom) -> CoordinateOutcome {
    CoordinateOutcome { freedom: freedom_word(f), unit: freedom_unit(f), end: 0.0, rate: 0.0, range: [0.0; 2] }
}

/// How far a joint is open, m: its rows, or a rigid rope that is longer than its length.
pub fn opening(joint: &JointRef<'_>) -> f64 {
    let over = if joint.freedoms().contains(&Freedom::Length) { joint.excess() } else { 0.0 };
    joint.gap().max(over)
}

/// Whether a joint has a pull along a line.
pub fn has_tension(joint: &JointRef<'_>) -> bool {
    joint.kind() == "distance" || joint.freedoms().contains(&Freedom::Length)
}

/// -1 where a scene file counts the angles of a joint the other way than the engine, else 1.
pub fn counting(joint: &JointRef<'_>, from_file: bool) -> f64 {
    if from_file && joint.kind() == "universal" { -1.0 } else { 1.0 }
}

/// A freedom in words: "turn", "slide", "shift-u", "lean-n-u".
pub fn freedom_word(f: Freedom) -> String {
    let words: Vec<String> = format!("{f:?}")
        .split(|c: char| !c.is_alphanumeric())
        .filter(|w| !w.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.join("-")
}

/// Unit of a freedom's position.
pub fn freedom_unit(f: Freedom) -> &'static str {
    match f {
        Freedom::Slide | Freedom::Shift(_) | Freedom::Rise | Freedom::Length => "m",
        _ => "rad",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taut::Axis;

    #[test]
    fn freedoms_have_words_and_units() {
        let cases = [
            (Freedom::Turn, "turn", "rad"),
            (Freedom::Shift(Axis::V), "shift-v", "m"),
            (Freedom::Lean(Axis::N, Axis::U), "lean-n-u", "rad"),
            (Freedom::Length, "length", "m"),
        ];
        for (f, word, unit) in cases {
            assert_eq!((freedom_word(f).as_str(), freedom_unit(f)), (word, unit));
        }
    }
}
