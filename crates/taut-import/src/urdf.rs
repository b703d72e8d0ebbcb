//! URDF: links, joints, and their shapes.

use crate::Options;
use crate::files::Files;
use crate::model::{Geom, Joint, JointKind, Link, Model, Motor, Shape, Tie, TieKind};
use crate::report::{Error, Place, Report, Result};
use crate::solid::{self, Part};
use crate::xml::{Document, Element};
use std::collections::BTreeMap;
use taut::{Mat3, Pose, Vec3};

/// Attributes and elements that are only seen.
const SEEN: [&str; 7] = ["visual", "material", "gazebo", "transmission", "sensor", "ros2_control", "drake"];

/// A joint of the file.
struct Hinge<'a> {
    element: &'a Element,
    number: usize,
    parent: String,
    child: String,
}

/// Reads the robot whose root element is this one.
pub fn read(
    doc: &Document,
    root: usize,
    files: &mut Files<'_>,
    options: &Options,
    report: &mut Report,
) -> Result<Model> {
    let robot = doc.at(root);
    let mut model = Model::empty(&robot.place);
    model.name = robot.get("name").map(str::to_owned);
    model.own_contacts = options.self_contacts;
    model.triangles = true;
    model.balance = options.balance_inertia;
    robot.uses(&["version"]);
    let mut links: BTreeMap<String, usize> = BTreeMap::new();
    let mut joints = Vec::new();
    for &k in &robot.children {
        let e = doc.at(k);
        match e.name.as_str() {
            "link" => {
                let name = e.required("name")?.to_owned();
                if links.insert(name.clone(), k).is_some() {
                    return Err(Error::input(
                        &e.place,
                        "link name",
                        format!("'{name}'"),
                        "a name that no other link has",
                    ));
                }
            }
            "joint" => joints.push(hinge(doc, k)?),
            name if SEEN.contains(&name) => report.unused(&e.place, format!("<{name}>")),
            name => report.warn(&e.place, format!("<{name}> is not supported")),
        }
    }
    let mut names: BTreeMap<&str, &Place> = BTreeMap::new();
    let mut by_child: BTreeMap<&str, &Hinge<'_>> = BTreeMap::new();
    for j in &joints {
        for (side, link) in [("parent", &j.parent), ("child", &j.child)] {
            if !links.contains_key(link) {
                return Err(Error::input(
                    &j.element.place,
                    format!("{side} link"),
                    format!("'{link}'"),
                    "the name of a link",
                ));
            }
        }
        if let Some(other) = names.insert(j.element.required("name")?, &j.element.place) {
            let expected = format!("a name that no other joint has (line {})", other.line);
            return Err(Error::input(
                &j.element.place,
                "joint name",
                format!("'{}'", j.element.required("name")?),
                expected,
            ));
        }
        if let Some(other) = by_child.insert(&j.child, j) {
            let expected = format!("one joint that it is the child of (line {} is another)", other.element.place.line);
            return Err(Error::input(&j.element.place, "child link", format!("'{}'", j.child), expected));
        }
    }
    // A thing without joints is not held by anything.
    let fixed = |j: &Hinge<'_>| j.element.get("type") == Some("fixed");
    let weighs =
        |e: &&Element| e.name == "mass" && e.get("value").is_some_and(|v| v.parse::<f64>().is_ok_and(|m| m > 0.0));
    let free = options.free_base || (joints.iter().all(fixed) && doc.elements.iter().any(|e| weighs(&e)));
    // In the order of the file, children after their parents.
    let mut children: BTreeMap<&str, Vec<&Hinge<'_>>> = BTreeMap::new();
    joints.iter().for_each(|j| children.entry(&j.parent).or_default().push(j));
    let roots = robot.children.iter().filter_map(|&k| {
        let e = doc.at(k);
        (e.name == "link").then(|| e.get("name")).flatten().filter(|n| !by_child.contains_key(n)).map(|n| (n, e))
    });
    let mut stack: Vec<(String, usize, Option<&Hinge<'_>>)> = Vec::new();
    for (name, e) in roots {
        // A link called world is the world.
        if name == "world" && is_bare(doc, e) {
            push_children(&children, name, 0, &mut stack);
        } else {
            stack.push((name.into(), 0, None));
        }
    }
    stack.reverse();
    let mut reader = Reader { doc, report, balance: options.balance_inertia };
    while let Some((name, parent, hinge)) = stack.pop() {
        let k = links[&name];
        let number = model.links.len();
        let mut link = reader.link(k, parent, files)?;
        match hinge {
            None if free && link.parent == 0 => link.joints.push(Joint::new("base", JointKind::Free, &doc.at(k).place)),
            None => {}
            Some(h) => {
                link.pose = pose(doc, h.number)?;
                reader.joint(h, &mut link, &mut model)?;
            }
        }
        model.links.push(link);
        let mut next = Vec::new();
        push_children(&children, &name, number, &mut next);
        stack.extend(next.into_iter().rev());
    }
    let reached = model.links.len()
        + usize::from(links.get("world").is_some_and(|&k| is_bare(doc, doc.at(k)) && !by_child.contains_key("world")));
    if reached != links.len() + 1 {
        let left = joints.iter().find(|j| !model.links.iter().any(|l| l.name == j.child));
        let place = left.map_or(&robot.place, |j| &j.element.place);
        return Err(Error::new(
            place,
            "joints that go round in a ring: expected a tree that begins at a link without a parent",
        ));
    }
    offsets(&mut model)?;
    Ok(model)
}

/// Whether a link is only a name.
fn is_bare(doc: &Document, link: &Element) -> bool {
    link.children.iter().all(|&c| SEEN.contains(&doc.at(c).name.as_str()))
}

fn push_children<'a>(
    children: &BTreeMap<&str, Vec<&'a Hinge<'a>>>,
    of: &str,
    number: usize,
    out: &mut Vec<(String, usize, Option<&'a Hinge<'a>>)>,
) {
    out.extend(children.get(of).into_iter().flatten().map(|h| (h.child.clone(), number, Some(*h))));
}

fn hinge(doc: &Document, number: usize) -> Result<Hinge<'_>> {
    let element = doc.at(number);
    let end = |side: &str| match doc.child(number, side) {
        Some(k) => doc.at(k).required("link").map(str::to_owned),
        None => Err(Error::new(&element.place, format!("<joint> without <{side}>: expected it"))),
    };
    Ok(Hinge { element, number, parent: end("parent")?, child: end("child")? })
}

/// The pose of an element by its <origin>.
fn pose(doc: &Document, k: usize) -> Result<Pose> {
    let Some(origin) = doc.child(k, "origin").map(|k| doc.at(k)) else { return Ok(Pose::IDENTITY) };
    let pos = origin.vec3("xyz")?.unwrap_or(Vec3::ZERO);
    let [roll, pitch, yaw] = origin.numbers::<3>("rpy")?.unwrap_or_default();
    // Roll, pitch and yaw about axes that stand still.
    let rot = solid::turn(Vec3::Z, yaw) * solid::turn(Vec3::Y, pitch) * solid::turn(Vec3::X, roll);
    Ok(Pose { pos, rot })
}

struct Reader<'a> {
    doc: &'a Document,
    report: &'a mut Report,
    balance: bool,
}

impl Reader<'_> {
    fn link(&mut self, k: usize, parent: usize, files: &mut Files<'_>) -> Result<Link> {
        let e = self.doc.at(k);
        let mut link = Link {
            name: e.required("name")?.into(),
            parent,
            pose: Pose::IDENTITY,
            joints: Vec::new(),
            mass: None,
            geoms: Vec::new(),
            kinematic: false,
            gravity_scale: 1.0,
            place: e.place.clone(),
        };
        for &c in &e.children {
            let child = self.doc.at(c);
            match child.name.as_str() {
                "inertial" => link.mass = self.inertial(c)?.map(Part::properties),
                "collision" => link.geoms.extend(self.collision(c, files)?),
                "visual" => self.report.unused(&child.place, "<visual>"),
                name if SEEN.contains(&name) => self.report.unused(&child.place, format!("<{name}>")),
                "contact" => self.report.warn(&child.place, "<contact> of a link is not supported"),
                name => self.report.warn(&child.place, format!("<{name}> in <link> is not supported")),
            }
        }
        Ok(link)
    }

    fn inertial(&mut self, k: usize) -> Result<Option<Part>> {
        let e = self.doc.at(k);
        let element = |name: &str| self.doc.child(k, name).map(|k| self.doc.at(k));
        let Some(mass) = element("mass") else {
            return Err(Error::new(&e.place, "<inertial> without <mass>: expected it"));
        };
        mass.required("value")?;
        let value = mass.weight("value")?.unwrap_or_default();
        let Some(i) = element("inertia") else {
            return Err(Error::new(&e.place, "<inertial> without <inertia>: expected it"));
        };
        let entry = |name: &str| Ok(i.number(name)?.unwrap_or_default());
        let [xx, yy, zz] = [entry("ixx")?, entry("iyy")?, entry("izz")?];
        let [xy, xz, yz] = [entry("ixy")?, entry("ixz")?, entry("iyz")?];
        let inertia = Mat3::from_cols_array_2d(&[[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]);
        if value == 0.0 {
            return Ok(None);
        }
        let part = Part { mass: value, center: Vec3::ZERO, inertia };
        if !self.balance {
            part.check(&i.place)?;
        }
        Ok(Some(part.moved(&pose(self.doc, k)?)))
    }

    fn collision(&mut self, k: usize, files: &mut Files<'_>) -> Result<Option<Geom>> {
        let e = self.doc.at(k);
        let Some(g) = self.doc.child(k, "geometry") else {
            return Err(Error::new(&e.place, "<collision> without <geometry>: expected it"));
        };
        let Some(&s) = self.doc.at(g).children.first() else {
            return Err(Error::new(
                &e.place,
                "<geometry> without a shape: expected box, cylinder, sphere, capsule or mesh",
            ));
        };
        let s = self.doc.at(s);
        let length = |name: &str| {
            s.required(name)?;
            match s.number(name)? {
                Some(x) if x > 0.0 => Ok(x),
                _ => Err(s.refuse(name, "a number of m greater than zero")),
            }
        };
        let shape = match s.name.as_str() {
            "box" => {
                s.required("size")?;
                let size = s.vec3("size")?.unwrap_or_default();
                if size.min_element() <= 0.0 {
                    return Err(s.refuse("size", "three numbers of m greater than zero"));
                }
                Shape::Box { half: 0.5 * size }
            }
            "sphere" => Shape::Sphere { radius: length("radius")? },
            "cylinder" => Shape::Cylinder { radius: length("radius")?, half: 0.5 * length("length")? },
            "capsule" => Shape::Capsule { radius: length("radius")?, half: 0.5 * length("length")? },
            "mesh" => {
                let path = s.required("filename")?;
                let scale = s.vec3("scale")?.unwrap_or(Vec3::ONE);
                Shape::Mesh(files.mesh(path, scale, s.place_of("filename"), self.report)?)
            }
            _ => {
                self.report.warn(&s.place, format!("<{}> as a shape is not supported", s.name));
                return Ok(None);
            }
        };
        let name = e.get("name").unwrap_or_default().to_owned();
        let friction = crate::assemble::FRICTION;
        Ok(Some(Geom { name, shape, pose: pose(self.doc, k)?, types: 1, affine: 1, friction, place: e.place.clone() }))
    }

    /// The joint of a link, whose pose is that of the joint; what follows another joint, and what drives it, goes to the model.
    fn joint(&mut self, h: &Hinge<'_>, link: &mut Link, model: &mut Model) -> Result<()> {
        let e = h.element;
        let name = e.required("name")?;
        let kinds = [
            ("fixed", None),
            ("revolute", Some(JointKind::Hinge)),
            ("continuous", Some(JointKind::Hinge)),
            ("prismatic", Some(JointKind::Slide)),
            ("floating", Some(JointKind::Free)),
            ("planar", Some(JointKind::Planar)),
            ("ball", Some(JointKind::Ball)),
            ("spherical", Some(JointKind::Ball)),
        ];
        e.required("type")?;
        let Some(Some(kind)) = e.word("type", &kinds)? else { return Ok(()) };
        let child = |tag: &str| self.doc.child(h.number, tag).map(|k| self.doc.at(k));
        let mut joint = Joint::new(name, kind, &e.place);
        joint.axis = match child("axis") {
            Some(a) => a.direction("xyz")?.unwrap_or(Vec3::X),
            None => Vec3::X,
        };
        let single = matches!(kind, JointKind::Hinge | JointKind::Slide);
        let limited = single && e.get("type") != Some("continuous");
        if let Some(limit) = child("limit") {
            let (lower, upper) = (limit.number("lower")?.unwrap_or(0.0), limit.number("upper")?.unwrap_or(0.0));
            if limited {
                if lower <= upper {
                    joint.range = Some([lower, upper]);
                } else {
                    self.report.warn(&limit.place, "limits whose lower is above their upper are none, as in Bullet");
                }
            }
            if let Some(effort) = limit.weight("effort")?.filter(|e| *e > 0.0 && single) {
                model.motors.push(Motor {
                    name: None,
                    joint: name.into(),
                    stiffness: 0.0,
                    damping: 0.0,
                    target: 0.0,
                    force: Some([-effort, effort]),
                    place: limit.place.clone(),
                });
            }
            if limit.weight("velocity")?.is_some() {
                self.report.unused(limit.place_of("velocity"), "<limit> 'velocity', a bound for controllers");
            }
        } else if limited {
            return Err(Error::new(
                &e.place,
                format!("joint '{name}' without <limit>: expected it (only continuous joints have none)"),
            ));
        }
        if let Some(dynamics) = child("dynamics") {
            joint.damping = dynamics.weight("damping")?.unwrap_or(0.0);
            joint.friction = dynamics.weight("friction")?.unwrap_or(0.0);
        }
        if let Some(mimic) = child("mimic") {
            let leader = mimic.required("joint")?.to_owned();
            let ratio = mimic.number("multiplier")?.unwrap_or(1.0);
            let offset = mimic.number("offset")?.unwrap_or(0.0);
            let kind = TieKind::Mimic { leader, follower: name.into(), ratio, offset };
            model.ties.push(Tie { name: None, kind, active: true, place: mimic.place.clone() });
        }
        for &c in &e.children {
            let c = self.doc.at(c);
            match c.name.as_str() {
                "parent" | "child" | "origin" | "axis" | "limit" | "dynamics" | "mimic" => {}
                "safety_controller" | "calibration" => self.report.unused(&c.place, format!("<{}>", c.name)),
                name => self.report.warn(&c.place, format!("<{name}> in <joint> is not supported")),
            }
        }
        link.joints.push(joint);
        Ok(())
    }
}

/// A joint that follows another one with an offset starts there.
fn offsets(model: &mut Model) -> Result<()> {
    let joints: BTreeMap<String, (usize, JointKind)> = model
        .links
        .iter()
        .enumerate()
        .flat_map(|(k, l)| l.joints.iter().map(move |j| (j.name.clone(), (k, j.kind))))
        .collect();
    for tie in &model.ties {
        let TieKind::Mimic { leader, follower, offset, ratio } = &tie.kind else { continue };
        let single = |name: &str| joints.get(name).filter(|(_, k)| matches!(k, JointKind::Hinge | JointKind::Slide));
        if single(leader).is_none() || leader == follower {
            return Err(Error::input(
                &tie.place,
                "mimic joint",
                format!("'{leader}'"),
                "the name of another revolute, continuous or prismatic joint",
            ));
        }
        let Some((k, _)) = single(follower) else {
            return Err(Error::new(
                &tie.place,
                "<mimic>: expected none but of revolute, continuous and prismatic joints",
            ));
        };
        if *ratio == 0.0 {
            return Err(Error::input(&tie.place, "mimic multiplier", 0, "a number other than zero"));
        }
        model.links[*k].joints.iter_mut().filter(|j| j.name == *follower).for_each(|j| j.start = *offset);
    }
    Ok(())
}
