//! Bodies, joints and inertias.

use super::Compiler;
use super::defaults::Defaults;
use super::geom::MeshAsset;
use super::heights::HeightAsset;
use super::place;
use crate::assemble::compose;
use crate::files::Files;
use crate::model::{Joint, JointKind, Link, Model};
use crate::report::{Error, Report, Result};
use crate::solid::{self, Part};
use crate::xml::{Document, Element};
use std::collections::BTreeMap;
use taut::{Mat3, Pose, Vec3};

/// What is only seen of every element.
pub const SEEN: [&str; 7] = ["rgba", "material", "group", "user", "name", "class", "castshadow"];

/// What reads a world.
pub struct Tree<'a, 'f> {
    pub doc: &'a Document,
    pub compiler: &'a Compiler,
    pub defaults: &'a Defaults,
    pub files: &'a mut Files<'f>,
    pub report: &'a mut Report,
    pub meshes: BTreeMap<String, MeshAsset>,
    pub fields: BTreeMap<String, HeightAsset>,
    /// Links and frames of sites by name.
    pub sites: BTreeMap<String, (usize, Pose)>,
    /// Links by the names of their bodies.
    pub bodies: BTreeMap<String, usize>,
    /// Geoms that are yet to be read, since their masses count only where a body has no inertia of its own.
    pub geoms: Vec<(usize, Element, Pose)>,
    /// Those with names, for tendons that are led round them.
    pub named_geoms: BTreeMap<String, (usize, Element, Pose)>,
    inertials: BTreeMap<usize, Part>,
    /// How many joints there are.
    joints: usize,
}

/// An element that is yet to be looked at.
struct Task {
    element: usize,
    link: usize,
    /// Pose of the frame around it in the link.
    offset: Pose,
    class: Option<String>,
}

impl<'a, 'f> Tree<'a, 'f> {
    pub fn new(
        doc: &'a Document,
        compiler: &'a Compiler,
        defaults: &'a Defaults,
        files: &'a mut Files<'f>,
        report: &'a mut Report,
    ) -> Self {
        Tree {
            doc,
            compiler,
            defaults,
            files,
            report,
            meshes: BTreeMap::new(),
            fields: BTreeMap::new(),
            sites: BTreeMap::new(),
            bodies: [("world".to_owned(), 0)].into(),
            geoms: Vec::new(),
            named_geoms: BTreeMap::new(),
            inertials: BTreeMap::new(),
            joints: 0,
        }
    }

    /// Reads what is in a <worldbody>.
    pub fn world(&mut self, k: usize, model: &mut Model) -> Result<()> {
        let world = self.doc.at(k);
        let class = self.defaults.check(world, "childclass")?;
        let mut open = self.inside(k, 0, Pose::IDENTITY, class);
        while let Some(task) = open.pop() {
            let e = self.doc.at(task.element);
            match e.name.as_str() {
                "body" => {
                    let class = self.defaults.check(e, "childclass")?.or(task.class);
                    let link = self.body(e, task.link, &task.offset, model)?;
                    open.extend(self.inside(task.element, link, Pose::IDENTITY, class));
                }
                "frame" => {
                    let class = self.defaults.check(e, "childclass")?.or(task.class);
                    let offset = compose(&task.offset, &self.compiler.angles.pose(e)?);
                    e.rest(&["name"], self.report);
                    open.extend(self.inside(task.element, task.link, offset, class));
                }
                "joint" | "freejoint" => {
                    let joint = self.joint(e, &task)?;
                    let link = &mut model.links[task.link];
                    if task.link == 0 || (joint.kind == JointKind::Free && link.parent != 0) {
                        let expected = if task.link == 0 { "it in a body" } else { "it only in a body of the world" };
                        return Err(Error::new(&e.place, format!("joint '{}': expected {expected}", joint.name)));
                    }
                    link.joints.push(joint);
                }
                "inertial" => {
                    let part = self.inertial(e, &task)?;
                    if task.link != 0 {
                        self.inertials.insert(task.link, part);
                    }
                }
                "geom" => {
                    let filled = self.defaults.fill(e, task.class.as_deref())?;
                    if let Some(name) = filled.value("name") {
                        self.named_geoms.insert(name.to_owned(), (task.link, filled.clone(), task.offset));
                    }
                    self.geoms.push((task.link, filled, task.offset));
                }
                "site" => {
                    let e = self.defaults.fill(e, task.class.as_deref())?;
                    let pose = compose(&task.offset, &self.compiler.angles.pose(&e)?);
                    let middle =
                        e.numbers::<6>("fromto")?.map(|[a, b, c, x, y, z]| 0.5 * Vec3::new(a + x, b + y, c + z));
                    let pose = middle.map_or(pose, |m| Pose { pos: task.offset.to_world(m), ..pose });
                    if let Some(name) = e.get("name") {
                        self.sites.insert(name.into(), (task.link, pose));
                    }
                }
                "camera" | "light" => self.report.unused(&e.place, format!("<{}>", e.name)),
                name => self.report.warn(&e.place, format!("<{name}> in a body is not supported")),
            }
        }
        self.read_geoms(model)?;
        self.masses(model)
    }

    /// The elements in one, the first on top.
    fn inside(&self, k: usize, link: usize, offset: Pose, class: Option<String>) -> Vec<Task> {
        let task = |&element: &usize| Task { element, link, offset, class: class.clone() };
        self.doc.at(k).children.iter().rev().map(task).collect()
    }

    fn body(&mut self, e: &Element, parent: usize, offset: &Pose, model: &mut Model) -> Result<usize> {
        let number = model.links.len();
        let name = e.get("name").map_or_else(|| format!("body {number}"), str::to_owned);
        if self.bodies.insert(name.clone(), number).is_some() {
            return Err(Error::input(
                e.place_of("name"),
                "body name",
                format!("'{name}'"),
                "a name that no other body has",
            ));
        }
        let kinematic = e.flag("mocap")?.unwrap_or(false);
        if kinematic && parent != 0 {
            return Err(e.refuse("mocap", "it only of a body of the world"));
        }
        model.links.push(Link {
            name,
            parent,
            pose: compose(offset, &self.compiler.angles.pose(e)?),
            joints: Vec::new(),
            mass: None,
            geoms: Vec::new(),
            kinematic,
            gravity_scale: 1.0 - e.number("gravcomp")?.unwrap_or(0.0),
            place: e.place.clone(),
        });
        e.rest(&["user", "sleep", "simple", "fuse"], self.report);
        Ok(number)
    }

    fn joint(&mut self, e: &Element, task: &Task) -> Result<Joint> {
        let number = self.joints;
        self.joints += 1;
        let free = e.name == "freejoint";
        // A <freejoint> has no defaults.
        let e = &if free { e.clone() } else { self.defaults.fill(e, task.class.as_deref())? };
        let kinds = [
            ("free", JointKind::Free),
            ("ball", JointKind::Ball),
            ("slide", JointKind::Slide),
            ("hinge", JointKind::Hinge),
        ];
        let kind = if free { JointKind::Free } else { e.word("type", &kinds)?.unwrap_or(JointKind::Hinge) };
        let name = e.get("name").map_or_else(|| format!("joint {number}"), str::to_owned);
        let mut joint = Joint::new(&name, kind, &e.place);
        let angle = |x: f64| if kind == JointKind::Slide { x } else { self.compiler.angles.rad(x) };
        if kind == JointKind::Free {
            e.uses(&["pos", "axis", "limited", "range", "align", "margin"]);
        } else {
            joint.point = task.offset.to_world(e.vec3("pos")?.unwrap_or(Vec3::ZERO));
            joint.axis = task.offset.rot * e.direction("axis")?.unwrap_or(Vec3::Z);
            let range = e.numbers::<2>("range")?.map(|r| r.map(angle));
            if limited(e, "limited", range.is_some(), self.compiler.autolimits)? {
                let Some([low, high]) = range else {
                    return Err(Error::new(
                        &e.place,
                        format!("joint '{name}' is limited and has no 'range': expected it"),
                    ));
                };
                if low > high || (kind == JointKind::Ball && low != 0.0) {
                    return Err(e.refuse(
                        "range",
                        if kind == JointKind::Ball {
                            "0 and the largest angle"
                        } else {
                            "two numbers, the smaller first"
                        },
                    ));
                }
                joint.range = Some([low, high]);
            }
        }
        if matches!(kind, JointKind::Hinge | JointKind::Slide) {
            joint.reference = angle(e.number("ref")?.unwrap_or(0.0));
            joint.spring_at = angle(e.number("springref")?.unwrap_or(0.0));
        }
        joint.start = joint.reference;
        joint.stiffness = self.linear(e, "stiffness")?;
        joint.damping = self.linear(e, "damping")?;
        joint.friction = e.weight("frictionloss")?.unwrap_or(0.0);
        joint.armature = e.weight("armature")?.unwrap_or(0.0);
        if e.numbers::<2>("springdamper")?.is_some_and(|s| s.iter().all(|x| *x > 0.0)) {
            self.report.warn(e.place_of("springdamper"), "<joint> 'springdamper' is not supported");
        }
        for name in ["solreflimit", "solimplimit"] {
            if e.get(name).is_some() {
                self.report.warn(e.place_of(name), format!("<joint> '{name}': stops are rigid"));
            }
        }
        e.uses(&["solreffriction", "solimpfriction", "margin"]);
        e.rest(&SEEN, self.report);
        Ok(joint)
    }

    /// The first of the coefficients of a force, which is linear here.
    pub fn linear(&mut self, e: &Element, name: &str) -> Result<f64> {
        let Some(all) = e.list(name, 1, 8)? else { return Ok(0.0) };
        if all.iter().skip(1).any(|x| *x != 0.0) {
            self.report
                .warn(e.place_of(name), format!("<{}> '{name}' beyond the linear part is not supported", e.name));
        }
        if all[0] < 0.0 {
            return Err(e.refuse(name, "zero or a positive number"));
        }
        Ok(all[0])
    }

    fn inertial(&mut self, e: &Element, task: &Task) -> Result<Part> {
        e.required("mass")?;
        let mass = e.weight("mass")?.unwrap_or_default();
        let pose = compose(&task.offset, &self.compiler.angles.pose(e)?);
        let inertia = if let Some(d) = e.vec3("diaginertia")? {
            Mat3::from_diagonal(d)
        } else if let Some([xx, yy, zz, xy, xz, yz]) = e.numbers::<6>("fullinertia")? {
            Mat3::from_cols_array_2d(&[[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        } else {
            return Err(Error::new(
                &e.place,
                "<inertial> without 'diaginertia' or 'fullinertia': expected one of them",
            ));
        };
        e.rest(&[], self.report);
        let part = Part { mass, center: Vec3::ZERO, inertia };
        if mass > 0.0 && !self.compiler.balance {
            part.check(&e.place)?;
        }
        Ok(part.moved(&pose))
    }

    /// Whether the inertia of a body is that of its geoms.
    pub fn by_geoms(&self, link: usize) -> bool {
        self.compiler.from_geoms.unwrap_or_else(|| !self.inertials.contains_key(&link))
    }

    /// Gives the bodies their own inertias where geoms gave none.
    fn masses(&mut self, model: &mut Model) -> Result<()> {
        for (k, part) in std::mem::take(&mut self.inertials) {
            if self.compiler.from_geoms != Some(true) && part.mass > 0.0 {
                model.links[k].mass = Some(part.properties());
            }
        }
        let least = (self.compiler.least_mass, self.compiler.least_inertia);
        for link in model.links.iter_mut().skip(1).filter(|_| least != (0.0, 0.0)) {
            if let Some(m) = &mut link.mass {
                m.mass = m.mass.max(least.0);
                let i = &mut m.inertia;
                i.x_axis.x = i.x_axis.x.max(least.1);
                i.y_axis.y = i.y_axis.y.max(least.1);
                i.z_axis.z = i.z_axis.z.max(least.1);
            }
        }
        if let Some(total) = self.compiler.total_mass {
            let now: f64 = model.links.iter().filter_map(|l| l.mass).map(|m| m.mass).sum();
            for m in model.links.iter_mut().filter_map(|l| l.mass.as_mut()) {
                m.mass *= total / now;
                m.inertia *= total / now;
            }
        }
        Ok(())
    }

    /// Adds the parts of the geoms of a body.
    pub fn weigh(&self, parts: &[Part], link: &mut Link) {
        if let Some(part) = solid::together(parts) {
            link.mass = Some(part.properties());
        }
    }

    /// The orientation of a quaternion of an element.
    pub fn quaternion(e: &Element, name: &str) -> Result<Option<taut::Quat>> {
        place::quaternion(e, name)
    }
}

/// Whether something has its range: it says so, or it has one and need not say so.
pub fn limited(e: &Element, name: &str, has_range: bool, automatic: bool) -> Result<bool> {
    let said = e.word(name, &[("true", Some(true)), ("false", Some(false)), ("auto", None)])?.flatten();
    match said {
        Some(said) => Ok(said),
        None if has_range && !automatic => {
            Err(Error::new(&e.place, format!("'range' without '{name}': expected it, since autolimits is false")))
        }
        None => Ok(has_range),
    }
}
