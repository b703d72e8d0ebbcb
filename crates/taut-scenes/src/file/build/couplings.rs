//! Couplings of a scene file into a world.

use super::Builder;
use super::free::freedom;
use crate::file::coupling::{Coupling, FreedomSum, Term};
use crate::file::error::{At, FileError, Path};
use crate::file::{Freedom, Joint, SceneFile};
use crate::suggest::nearest;
use taut::{Gear, JointId, Mimic, RackAndPinion, Screw, parts};

impl Builder {
    /// Adds the couplings, once all joints are there.
    pub(super) fn couplings(&mut self, file: &SceneFile) -> Result<(), FileError> {
        for (k, c) in file.couplings.iter().enumerate() {
            let path = Path::of("couplings").index(k);
            let name = c.name().unwrap_or_default();
            let other = file.couplings[..k].iter().position(|o| !name.is_empty() && o.name() == Some(name));
            if let Some(other) = other {
                let expected = format!("a name that no other coupling has (couplings[{other}])");
                return Err(FileError::input(path.key("name"), format!("'{name}'"), expected));
            }
            let made = self.coupling(file, c, &path)?.named(name);
            self.world.add(made).among(&path, &fields(c))?;
        }
        Ok(())
    }

    fn coupling(&self, file: &SceneFile, c: &Coupling, path: &Path) -> Result<taut::Coupling, FileError> {
        let joint = |name: &str, at: Path| self.coupled(file, name, at).map(|(id, _)| id);
        let (made, offset, give) = match c {
            Coupling::Sum(s) => (self.sum(file, s, path)?, s.offset, s.give),
            Coupling::Gear(g) => {
                let at = path.key("joints");
                let [a, b] = [joint(&g.joints[0], at.index(0))?, joint(&g.joints[1], at.index(1))?];
                (Gear::between(a, b).ratio(g.ratio.value), g.offset, g.give)
            }
            Coupling::Screw(s) => {
                (Screw::on(joint(&s.joint, path.key("joint"))?).pitch(s.pitch.value), s.offset, s.give)
            }
            Coupling::RackAndPinion(r) => {
                let (pinion, rack) = (joint(&r.pinion, path.key("pinion"))?, joint(&r.rack, path.key("rack"))?);
                (RackAndPinion::between(pinion, rack).radius(r.radius.value), r.offset, r.give)
            }
            Coupling::Mimic(m) => {
                let leader = joint(&m.leader, path.key("leader"))?;
                let made = Mimic::of(leader, joint(&m.follower, path.key("follower"))?);
                (made.ratio(m.ratio.map_or(1.0, |x| x.value)), m.offset, m.give)
            }
        };
        let made = offset.into_iter().fold(made, |c, x| c.offset(x.value));
        Ok(made.soft(give.engine(&path.key("give"))?))
    }

    fn sum(&self, file: &SceneFile, s: &FreedomSum, path: &Path) -> Result<taut::Coupling, FileError> {
        let at = path.key("terms");
        let each = s.terms.iter().enumerate().map(|(k, t)| self.term(file, t, &at.index(k)));
        Ok(taut::Coupling { terms: each.collect::<Result<_, _>>()?, ..taut::Coupling::new() })
    }

    fn term(&self, file: &SceneFile, t: &Term, path: &Path) -> Result<parts::Term, FileError> {
        let (joint, said) = self.coupled(file, &t.joint, path.key("joint"))?;
        let (of, sign) = match (t.freedom, t.index) {
            // The engine tells what of a joint can be coupled.
            (Some(Freedom::Of(of)), None) => (Some(of), 1.0),
            (None, None) => (None, 1.0),
            (word, index) => {
                let (of, sign) = freedom(&said.kind, word.unwrap_or(Freedom::Of(taut::Freedom::Turn)), index, path)?;
                (Some(of), sign)
            }
        };
        Ok(parts::Term { joint, freedom: of, ratio: sign * t.ratio.value })
    }

    /// The joint of a name, and what the file says of it.
    fn coupled<'a>(&self, file: &'a SceneFile, name: &str, path: Path) -> Result<(JointId, &'a Joint), FileError> {
        let mut all = file.joints.iter().zip(&self.joint_ids);
        if let Some((said, id)) = all.find(|(j, _)| !name.is_empty() && j.name() == Some(name)) {
            return Ok((*id, said));
        }
        let expected = match nearest(name, file.joints.iter().filter_map(Joint::name)) {
            Some(near) => format!("the name of a joint (did you mean '{near}'?)"),
            None => "the name of a joint of this file".into(),
        };
        Err(FileError::input(path, format!("'{name}'"), expected))
    }
}

/// Words of the engine's errors and the fields they go with.
fn fields(c: &Coupling) -> [(&'static str, &'static str); 6] {
    let (joint, ratio) = match c {
        Coupling::Sum(_) => ("terms", "terms"),
        Coupling::Gear(_) => ("joints", "ratio"),
        Coupling::Screw(_) => ("joint", "pitch"),
        Coupling::RackAndPinion(_) => ("rack", "radius"),
        Coupling::Mimic(_) => ("follower", "ratio"),
    };
    [
        ("ratio of", ratio),
        ("coupling offset", "offset"),
        ("freedom of", joint),
        ("freedoms of", joint),
        ("joint of a coupling", joint),
        ("sum of a coupling", joint),
    ]
}
