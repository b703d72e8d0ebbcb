//! What is not in the tree: contacts, equality constraints, tendons, actuators, keyframes.

use super::tree::{SEEN, Tree, limited};
use crate::model::{Branch, Cord, JointKind, Model, Motor, Round, Shape, Stop, Tie, TieKind};
use crate::report::{Error, Result};
use crate::xml::Element;
use std::collections::BTreeMap;
use taut::{Pose, Quat, Vec3};

/// Fixed tendons by name: joints with their coefficients.
pub type Sums = BTreeMap<String, Vec<(String, f64)>>;

impl Tree<'_, '_> {
    /// <contact>.
    pub fn contacts(&mut self, k: usize, model: &mut Model) -> Result<()> {
        for e in self.doc.children(k) {
            match e.name.as_str() {
                "exclude" => {
                    let (a, b) = (self.link(e, "body1")?, self.link(e, "body2")?);
                    model.meetings.push((a, b, false));
                }
                "pair" => {
                    let e = self.defaults.fill(e, None)?;
                    let names = [e.required("geom1")?.to_owned(), e.required("geom2")?.to_owned()];
                    let friction = e.list("friction", 1, 5)?.map(|f| f[0]);
                    model.pairs.push((names, friction, e.place.clone()));
                    e.rest(&SEEN, self.report);
                }
                name => self.report.warn(&e.place, format!("<{name}> in <contact> is not supported")),
            }
        }
        Ok(())
    }

    /// The link of a body that an attribute names.
    fn link(&self, e: &Element, attribute: &str) -> Result<usize> {
        let name = e.required(attribute)?;
        self.bodies.get(name).copied().ok_or_else(|| e.refuse(attribute, "the name of a body"))
    }

    /// The link and point of a site that an attribute names.
    fn site(&self, e: &Element, attribute: &str) -> Result<(usize, Pose)> {
        let name = e.required(attribute)?;
        self.sites.get(name).copied().ok_or_else(|| e.refuse(attribute, "the name of a site"))
    }

    /// <equality>.
    pub fn equalities(&mut self, k: usize, model: &mut Model, sums: &Sums) -> Result<()> {
        for e in self.doc.children(k) {
            let e = &self.defaults.fill_as(e, &[&e.name, "equality"], None)?;
            let kind = match e.name.as_str() {
                "connect" | "weld" => self.held(e)?,
                "joint" => self.followed(e, model)?,
                "tendon" => self.summed(e, sums)?,
                name => {
                    self.report.warn(&e.place, format!("<{name}> in <equality> is not supported"));
                    continue;
                }
            };
            if e.get("solref").is_some() || e.get("solimp").is_some() {
                self.report.warn(&e.place, "<equality> 'solref' and 'solimp': constraints are rigid");
            }
            let active = e.flag("active")?.unwrap_or(true);
            model.ties.extend(kind.map(|kind| Tie {
                name: e.get("name").map(str::to_owned),
                kind,
                active,
                place: e.place.clone(),
            }));
            e.rest(&SEEN, self.report);
        }
        Ok(())
    }

    fn held(&mut self, e: &Element) -> Result<Option<TieKind>> {
        let welds = e.name == "weld";
        e.uses(&["torquescale"]);
        if e.get("site1").is_some() {
            let ((a, at), (b, _)) = (self.site(e, "site1")?, self.site(e, "site2")?);
            self.report.warn(&e.place, "constraints between sites keep the sites as they are at the start");
            let links = [a, b];
            return Ok(Some(if welds { TieKind::Weld { links } } else { TieKind::Connect { links, point: at.pos } }));
        }
        let a = self.link(e, "body1")?;
        let b = if e.get("body2").is_some() { self.link(e, "body2")? } else { 0 };
        let links = [a, b];
        if welds {
            e.uses(&["anchor"]);
            if e.numbers::<7>("relpose")?.is_some_and(|p| p[3..].iter().any(|x| *x != 0.0)) {
                self.report.warn(e.place_of("relpose"), "<weld> 'relpose': bodies are welded as they are at the start");
            }
            return Ok(Some(TieKind::Weld { links }));
        }
        e.required("anchor")?;
        Ok(Some(TieKind::Connect { links, point: e.vec3("anchor")?.unwrap_or(Vec3::ZERO) }))
    }

    /// The coefficients a0 and a1 of what follows something.
    fn line(&mut self, e: &Element) -> Result<[f64; 2]> {
        let mut all = e.list("polycoef", 1, 5)?.unwrap_or_else(|| vec![0.0, 1.0]);
        all.resize(5, 0.0);
        if all[2..].iter().any(|x| *x != 0.0) {
            self.report.warn(e.place_of("polycoef"), "<equality> 'polycoef' beyond the linear part is not supported");
        }
        Ok([all[0], all[1]])
    }

    fn followed(&mut self, e: &Element, model: &mut Model) -> Result<Option<TieKind>> {
        let [a0, a1] = self.line(e)?;
        let follower = e.required("joint1")?.to_owned();
        let leader = e.get("joint2").map(str::to_owned);
        let known = |name: &str| {
            model.links.iter().flat_map(|l| &l.joints).find(|j| j.name == name).map(|j| (j.start, j.reference))
        };
        for (name, joint) in [("joint1", Some(&follower)), ("joint2", leader.as_ref())] {
            if joint.is_some_and(|j| known(j).is_none()) {
                return Err(e.refuse(name, "the name of a joint"));
            }
        }
        let ahead = leader.as_deref().and_then(known).map_or(0.0, |(start, reference)| a1 * (start - reference));
        if e.flag("active")?.unwrap_or(true) {
            let own = model.links.iter_mut().flat_map(|l| &mut l.joints).filter(|j| j.name == follower);
            own.for_each(|j| j.start = j.reference + a0 + ahead);
        }
        Ok(Some(match leader {
            Some(leader) if a1 != 0.0 => TieKind::Mimic { leader, follower, ratio: a1, offset: a0 },
            _ => TieKind::Lock { joint: follower },
        }))
    }

    fn summed(&mut self, e: &Element, sums: &Sums) -> Result<Option<TieKind>> {
        let [a0, a1] = self.line(e)?;
        let sum = |name: &str| -> Result<Option<&Vec<(String, f64)>>> {
            let Some(tendon) = e.get(name) else { return Ok(None) };
            Ok(sums.get(tendon))
        };
        e.required("tendon1")?;
        let Some(first) = sum("tendon1")? else {
            self.report.warn(&e.place, "<equality> of spatial tendons is not supported");
            return Ok(None);
        };
        let mut terms = first.clone();
        match (e.get("tendon2"), sum("tendon2")?) {
            (None, _) => {}
            (Some(_), Some(second)) => terms.extend(second.iter().map(|(j, c)| (j.clone(), -a1 * c))),
            (Some(_), None) => {
                self.report.warn(&e.place, "<equality> of spatial tendons is not supported");
                return Ok(None);
            }
        }
        if a0 != 0.0 {
            self.report.warn(
                e.place_of("polycoef"),
                "<equality> of tendons with an offset: the sum stays what it is at the start",
            );
        }
        Ok(Some(TieKind::Sum { terms, rest: None, stiffness: 0.0, damping: 0.0 }))
    }

    /// <tendon>.
    pub fn tendons(&mut self, k: usize, model: &mut Model, sums: &mut Sums) -> Result<()> {
        for &c in &self.doc.at(k).children {
            let e = &self.defaults.fill_as(self.doc.at(c), &["tendon"], None)?;
            let number = model.cords.len() + sums.len();
            let name = e.get("name").map_or_else(|| format!("tendon {number}"), str::to_owned);
            let stiffness = self.linear(e, "stiffness")?;
            let damping = self.linear(e, "damping")?;
            let range = e.numbers::<2>("range")?;
            let range = if limited(e, "limited", range.is_some(), self.compiler.autolimits)? { range } else { None };
            let rest = e.list("springlength", 1, 2)?.filter(|r| r[0] >= 0.0).map(|r| [r[0], r[r.len() - 1]]);
            for name in ["frictionloss", "armature"] {
                if e.weight(name)?.is_some_and(|x| x > 0.0) {
                    self.report.warn(e.place_of(name), format!("<tendon> '{name}' is not supported"));
                }
            }
            e.uses(&["solreflimit", "solimplimit", "solreffriction", "solimpfriction", "margin", "solref", "solimp"]);
            match e.name.as_str() {
                "fixed" => {
                    let mut terms = Vec::new();
                    for j in self.doc.children(c) {
                        terms.push((j.required("joint")?.to_owned(), j.number("coef")?.unwrap_or(0.0)));
                    }
                    terms.retain(|(_, coefficient)| *coefficient != 0.0);
                    if let Some(range) = range {
                        if range[0] > range[1] {
                            return Err(e.refuse("range", "two numbers, the smaller first"));
                        }
                        let kind = TieKind::Range { terms: terms.clone(), range };
                        model.ties.push(Tie { name: Some(name.clone()), kind, active: true, place: e.place.clone() });
                    }
                    if stiffness > 0.0 || damping > 0.0 {
                        let kind =
                            TieKind::Sum { terms: terms.clone(), rest: rest.map(|[_, high]| high), stiffness, damping };
                        model.ties.push(Tie { name: Some(name.clone()), kind, active: true, place: e.place.clone() });
                    }
                    sums.insert(name, terms);
                }
                "spatial" => {
                    let branches = self.branches(c)?;
                    if range.is_some_and(|[low, high]| low > high) {
                        return Err(e.refuse("range", "two numbers, the smaller first"));
                    }
                    let [shortest, longest] = [0, 1].map(|k| range.map(|r| r[k]));
                    model.cords.push(Cord {
                        name,
                        branches,
                        shortest,
                        longest,
                        stiffness,
                        damping,
                        rest,
                        place: e.place.clone(),
                    });
                }
                name => self.report.warn(&e.place, format!("<{name}> in <tendon> is not supported")),
            }
            let seen: Vec<&str> = SEEN.iter().copied().chain(["width"]).collect();
            e.rest(&seen, self.report);
        }
        Ok(())
    }

    /// The pieces of a spatial tendon between its pulleys.
    fn branches(&mut self, k: usize) -> Result<Vec<Branch>> {
        let mut out = vec![Branch { divisor: 1.0, stops: Vec::new() }];
        let all: Vec<&Element> = self.doc.children(k).collect();
        let is_site = |n: Option<usize>| n.and_then(|n| all.get(n)).is_some_and(|e| e.name == "site");
        for (n, s) in all.iter().enumerate() {
            let stop = match s.name.as_str() {
                "site" => Stop::Point(self.site(s, "site").map(|(k, pose)| (k, pose.pos))?),
                "geom" if is_site(n.checked_sub(1)) && is_site(Some(n + 1)) => Stop::Round(self.round(s)?),
                "geom" => return Err(Error::new(&s.place, "<geom> in a tendon: expected it between two sites")),
                "pulley" => {
                    s.required("divisor")?;
                    let divisor = s.number("divisor")?.filter(|d| *d > 0.0);
                    let Some(divisor) = divisor else { return Err(s.refuse("divisor", "a number greater than zero")) };
                    out.push(Branch { divisor, stops: Vec::new() });
                    continue;
                }
                name => {
                    self.report.warn(&s.place, format!("<{name}> in a tendon is not supported"));
                    continue;
                }
            };
            if let Some(branch) = out.last_mut() {
                branch.stops.push(stop);
            }
        }
        Ok(out)
    }

    /// The geom that a tendon is led round.
    fn round(&mut self, s: &Element) -> Result<Round> {
        let name = s.required("geom")?.to_owned();
        let Some((link, e, offset)) = self.named_geoms.get(&name).cloned() else {
            return Err(s.refuse("geom", "the name of a geom"));
        };
        let (link, pose, axis, radius) = match self.solid(&e, &offset)? {
            (Shape::Sphere { radius }, pose) => (link, pose, None, radius),
            (Shape::Cylinder { radius, .. }, pose) => (link, pose, Some(pose.rot * Vec3::Z), radius),
            _ => return Err(s.refuse("geom", "the name of a sphere or cylinder")),
        };
        let side = if s.get("sidesite").is_some() { Some(self.site(s, "sidesite")?) } else { None };
        let side = side.map(|(k, pose)| (k, pose.pos));
        Ok(Round { name, link, centre: pose.pos, axis, radius, side, place: s.place.clone() })
    }

    /// <actuator>.
    pub fn actuators(&mut self, k: usize, model: &mut Model, sums: &Sums) -> Result<()> {
        for e in self.doc.children(k) {
            let e = &self.defaults.fill_as(e, &[&e.name, "general"], None)?;
            if !["motor", "position", "velocity", "general"].contains(&e.name.as_str()) {
                self.report.warn(&e.place, format!("<{}> in <actuator> is not supported", e.name));
                continue;
            }
            if let Some(terms) = e.get("tendon").and_then(|t| sums.get(t)) {
                self.tendon_servo(e, terms, model)?;
                continue;
            }
            let Some(joint) = e.get("joint").or(e.get("jointinparent")) else {
                self.report.warn(&e.place, "an actuator of anything but a joint is not supported");
                continue;
            };
            let Some(known) = model.links.iter().flat_map(|l| &l.joints).find(|j| j.name == joint) else {
                let name = if e.get("joint").is_some() { "joint" } else { "jointinparent" };
                return Err(e.refuse(name, "the name of a joint"));
            };
            if !matches!(known.kind, JointKind::Hinge | JointKind::Slide) {
                self.report.warn(&e.place, "an actuator of a ball or free joint is not supported");
                continue;
            }
            let motor = self.actuator(e, joint, known.range)?;
            model.motors.push(motor);
            e.rest(&SEEN, self.report);
        }
        Ok(())
    }

    /// A servo on a fixed tendon: a sum of joints that a spring pulls to where it is told at the start.
    fn tendon_servo(&mut self, e: &Element, terms: &[(String, f64)], model: &mut Model) -> Result<()> {
        let servo = self.actuator(e, "", None)?;
        if servo.stiffness == 0.0 && servo.damping == 0.0 {
            self.report.warn(&e.place, "a motor on a tendon is not supported");
            return Ok(());
        }
        self.report.warn(
            &e.place,
            "a servo on a fixed tendon is a coupling that gives: it takes no commands and has no largest force",
        );
        let kind = TieKind::Sum {
            terms: terms.to_vec(),
            rest: Some(servo.target),
            stiffness: servo.stiffness,
            damping: servo.damping,
        };
        model.ties.push(Tie { name: servo.name, kind, active: true, place: e.place.clone() });
        e.rest(&SEEN, self.report);
        Ok(())
    }

    fn actuator(&mut self, e: &Element, joint: &str, range: Option<[f64; 2]>) -> Result<Motor> {
        let gear = e.list("gear", 1, 6)?.map_or(1.0, |g| g[0]);
        let bounds = |name: &str, limits: &str| -> Result<Option<[f64; 2]>> {
            let range = e.numbers::<2>(name)?;
            if range.is_some_and(|[a, b]| a > b) {
                return Err(e.refuse(name, "two numbers, the smaller first"));
            }
            Ok(if limited(e, limits, range.is_some(), self.compiler.autolimits)? { range } else { None })
        };
        let control = bounds("ctrlrange", "ctrllimited")?;
        let force = bounds("forcerange", "forcelimited")?;
        let inherits = e.number("inheritrange")?.is_some_and(|x| x > 0.0);
        let control = if inherits { range } else { control };
        // Nobody commands it at the start.
        let told = control.map_or(0.0, |[low, high]| 0.0_f64.max(low).min(high));
        let (mut gain, mut bias) = (1.0, [0.0; 3]);
        match e.name.as_str() {
            "position" => {
                let kp = e.weight("kp")?.unwrap_or(1.0);
                (gain, bias) = (kp, [0.0, -kp, -e.weight("kv")?.unwrap_or(0.0)]);
                if e.number("dampratio")?.is_some_and(|x| x != 0.0) {
                    self.report.warn(
                        e.place_of("dampratio"),
                        "<position> 'dampratio' is not supported: the motor is without damping",
                    );
                }
            }
            "velocity" => {
                let kv = e.weight("kv")?.unwrap_or(1.0);
                (gain, bias) = (kv, [0.0, 0.0, -kv]);
            }
            "general" => {
                gain = e.list("gainprm", 1, 10)?.map_or(1.0, |g| g[0]);
                let mut all = e.list("biasprm", 1, 10)?.unwrap_or_default();
                all.resize(10, 0.0);
                match e.get("biastype") {
                    None | Some("none") => {}
                    Some("affine") => bias = [all[0], all[1], all[2]],
                    Some(_) => self.report.warn(
                        e.place_of("biastype"),
                        "<general> 'biastype' other than none and affine is not supported",
                    ),
                }
                if e.get("gaintype").is_some_and(|g| g != "fixed") {
                    self.report.warn(e.place_of("gaintype"), "<general> 'gaintype' other than fixed is not supported");
                }
                e.uses(&["actlimited", "actrange", "actdim", "actearly", "dynprm"]);
            }
            _ => {}
        }
        for name in ["dyntype", "timeconst"] {
            if e.get(name).is_some_and(|d| !matches!(d, "none" | "0")) {
                self.report.warn(
                    e.place_of(name),
                    format!("<{}> '{name}': the dynamics of an actuator is not supported", e.name),
                );
            }
        }
        e.uses(&["lengthrange", "nsample", "interp", "delay"]);
        let waits = bias == [0.0; 3];
        let scaled = |[low, high]: [f64; 2], by: f64| [(low * by).min(high * by), (low * by).max(high * by)];
        let force =
            force.map(|f| scaled(f, gear)).or(if waits { control.map(|c| scaled(c, gain * gear)) } else { None });
        if bias[1] > 0.0 || bias[2] > 0.0 {
            self.report.warn(&e.place, "an actuator whose force grows with position or velocity is not supported");
            bias = [0.0; 3];
        }
        let target = if bias[1] < 0.0 && gear != 0.0 { (gain * told + bias[0]) / (-bias[1] * gear) } else { 0.0 };
        if bias[1] == 0.0 && !waits && gain * told + bias[0] != 0.0 {
            self.report.warn(&e.place, "the constant force of an actuator is not supported");
        }
        Ok(Motor {
            name: e.get("name").map(str::to_owned),
            joint: joint.into(),
            stiffness: -bias[1] * gear * gear,
            damping: -bias[2] * gear * gear,
            target,
            // A bound that leaves out zero would push by itself.
            force: force.map(|[low, high]| [low.min(0.0), high.max(0.0)]).filter(|[low, high]| low < high),
            place: e.place.clone(),
        })
    }

    /// Starts from a keyframe.
    pub fn keyframe(&mut self, sections: &[usize], wanted: &str, model: &mut Model) -> Result<()> {
        let keys: Vec<&Element> = sections.iter().flat_map(|&k| self.doc.children(k)).collect();
        let named = keys.iter().find(|e| e.get("name") == Some(wanted));
        let Some(e) = named.or_else(|| wanted.parse::<usize>().ok().and_then(|n| keys.get(n))) else {
            let names: Vec<&str> = keys.iter().filter_map(|e| e.get("name")).collect();
            let expected = format!("one of the {} keyframes of the file: {}", keys.len(), names.join(", "));
            return Err(Error::input(&model.links[0].place, "keyframe", format!("'{wanted}'"), expected));
        };
        let size = |kind| match kind {
            JointKind::Free => 7,
            JointKind::Ball => 4,
            _ => 1,
        };
        let needs: usize = model.links.iter().flat_map(|l| &l.joints).map(|j| size(j.kind)).sum();
        if let Some(q) = e.list("qpos", needs, needs)? {
            let mut rest = q.as_slice();
            for link in &mut model.links {
                let mut joints = std::mem::take(&mut link.joints);
                for j in &mut joints {
                    let (own, others) = rest.split_at(size(j.kind));
                    rest = others;
                    let turn = |q: &[f64]| {
                        let q = Quat::from_xyzw(q[1], q[2], q[3], q[0]);
                        if q.length_squared() > 1e-20 { q.normalize() } else { Quat::IDENTITY }
                    };
                    match j.kind {
                        JointKind::Free => link.pose = Pose { pos: Vec3::from_slice(&own[..3]), rot: turn(&own[3..]) },
                        JointKind::Ball => {
                            let point = link.pose.to_world(j.point);
                            link.pose.rot = (link.pose.rot * turn(own)).normalize();
                            link.pose.pos = point - link.pose.rot * j.point;
                        }
                        _ => j.start = own[0],
                    }
                }
                link.joints = joints;
            }
        }
        for name in ["qvel", "mpos", "mquat", "act", "ctrl"] {
            if e.list(name, 0, usize::MAX)?.is_some_and(|v| v.iter().any(|x| *x != 0.0)) {
                self.report.warn(e.place_of(name), format!("<key> '{name}' is not supported"));
            }
        }
        e.rest(&["name", "time"], self.report);
        Ok(())
    }
}
