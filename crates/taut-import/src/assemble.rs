//! From a tree of links to a scene file.
//!
//! A link without joints is a part of the one that carries it. A link with several joints hangs on a chain of light bodies, one for each
//! joint but the last. All positions count from the start, as in every scene file.

use crate::cords;
use crate::hull;
use crate::model::{Geom, Joint, JointKind, Model, Shape, UPRIGHT};
use crate::report::{Error, Report, Result};
use crate::solid::{self, Part};
use crate::ties;
use std::collections::{BTreeMap, BTreeSet};
use taut::{Mat3, Pose, Quat, Vec3};
use taut_scenes::file::quantity::{Angular, Linear, Number, One, Quantity};
use taut_scenes::file::{
    self, Ball, Body, BodyPair, Capsule, Coefficients, Collider, ColliderPair, ColliderShape, Cuboid, Cylinder, Drag,
    Dynamic, Fixed, Freedom, Friction, FrictionOf, Groups, HalfSpace, HeightField, Hull, Inertia, Kind, Limit, LimitOf,
    Load, Motor, MotorOf, Pair, Pivot, Rotation, Rule, SceneFile, Sphere, SpringOf, Springs, Surface, Triangles,
};

/// Friction of what says none, no unit: that of the engine's own materials.
pub const FRICTION: f64 = 0.5;

/// Mass of a light body between two joints of a link, of the mass of the link: a millionth changes nothing that is measured, and is far
/// above what a sum of double precision loses.
const LIGHT: f64 = 1e-6;

/// A scene file in the making.
pub struct Assembly<'a> {
    pub model: &'a Model,
    pub report: &'a mut Report,
    pub file: SceneFile,
    /// Poses of the links at the start, in the world.
    pub poses: Vec<Pose>,
    /// For each link the one whose body it is a part of; 0 is the ground.
    pub owners: Vec<usize>,
    /// Names of the bodies by the link that they are made of.
    pub names: Vec<String>,
    /// Centres of mass of the owners in the world.
    pub centers: Vec<Vec3>,
    /// For each link its joints' points and axes in the world, as they stand when those before them have moved.
    places: Vec<Vec<(Vec3, Vec3)>>,
    /// Names that joints have, by what the file calls them, with the place in the list of joints.
    pub joints: BTreeMap<String, usize>,
    taken: BTreeSet<String>,
    /// Links and places of joints by name.
    known: BTreeMap<String, (usize, usize)>,
    /// Places of the owners' bodies in the file.
    slots: Vec<Option<usize>>,
    /// Whether anything of the body of an owner touches others.
    touching: Vec<bool>,
    /// For each owner the one that it hangs on.
    hangs: Vec<Option<usize>>,
}

/// Makes the scene file.
pub fn assemble(model: &mut Model, report: &mut Report) -> Result<SceneFile> {
    starts(model, report);
    let model = &*model;
    let mut a = Assembly {
        model,
        report,
        file: SceneFile { taut: file::VERSION, name: model.name.clone(), ..SceneFile::default() },
        poses: Vec::new(),
        owners: Vec::new(),
        names: Vec::new(),
        centers: Vec::new(),
        places: Vec::new(),
        joints: BTreeMap::new(),
        taken: BTreeSet::new(),
        known: BTreeMap::new(),
        slots: vec![None; model.links.len()],
        touching: vec![false; model.links.len()],
        hangs: vec![None; model.links.len()],
    };
    for (k, link) in model.links.iter().enumerate() {
        for (n, j) in link.joints.iter().enumerate() {
            if let Some((other, m)) = a.known.insert(j.name.clone(), (k, n)) {
                let expected =
                    format!("a name that no other joint has (line {})", model.links[other].joints[m].place.line);
                return Err(Error::input(&j.place, "joint name", format!("'{}'", j.name), expected));
            }
        }
    }
    a.file.settings.gravity = Some(model.gravity.into());
    a.file.outputs.dt = model.dt.map(Into::into);
    a.kinematics();
    for (link, owner) in model.links.iter().zip(&a.owners) {
        a.touching[*owner] |= !link.geoms.is_empty();
    }
    a.names();
    a.bodies()?;
    for k in 1..model.links.len() {
        a.joints_of(k)?;
    }
    a.motors()?;
    ties::ties(&mut a)?;
    cords::cords(&mut a)?;
    if model.contacts {
        a.colliders()?;
        a.meetings();
    }
    if !a.file.bodies.iter().any(|b| matches!(b, Body::Dynamic(_))) {
        let message = "no body moves: expected a joint that is not fixed (a robot with nothing but fixed joints can be free: --free-base)";
        return Err(Error::new(&model.links[0].place, message));
    }
    Ok(a.file)
}

/// Joints that would start outside their limits start at the nearest.
fn starts(model: &mut Model, report: &mut Report) {
    for j in model.links.iter_mut().flat_map(|l| &mut l.joints) {
        let (Some([low, high]), true) = (j.range, matches!(j.kind, JointKind::Hinge | JointKind::Slide)) else {
            continue;
        };
        let inside = j.start.max(low).min(high);
        if inside != j.start {
            let message = format!(
                "joint '{}' is at {} in the file, outside its limits {low} and {high}, and starts at {inside}",
                j.name, j.start
            );
            report.warn(&j.place, message);
            j.start = inside;
        }
    }
}

impl Assembly<'_> {
    /// Where everything is, and what is a part of what.
    fn kinematics(&mut self) {
        for (k, link) in self.model.links.iter().enumerate() {
            let mut pose = if k == 0 { link.pose } else { compose(&self.poses[link.parent], &link.pose) };
            let mut places = Vec::new();
            for j in &link.joints {
                let (point, axis) = (pose.to_world(j.point), pose.rot * j.axis);
                places.push((point, axis));
                let by = j.start - j.reference;
                match j.kind {
                    JointKind::Hinge if by != 0.0 => {
                        pose.rot *= solid::turn(j.axis, by);
                        pose.pos = point - pose.rot * j.point;
                    }
                    JointKind::Slide if by != 0.0 => pose.pos += axis * by,
                    _ => {}
                }
            }
            let fixed = link.joints.is_empty() && !link.kinematic;
            self.owners.push(if k > 0 && fixed { self.owners[link.parent] } else { k });
            self.poses.push(pose);
            self.places.push(places);
        }
    }

    /// Names of the bodies, each once.
    fn names(&mut self) {
        let mut taken: BTreeSet<String> = ["ground".to_owned()].into();
        for link in &self.model.links {
            let name = if self.names.is_empty() { "ground".into() } else { unique(&link.name, &mut taken) };
            self.names.push(name);
        }
    }

    fn bodies(&mut self) -> Result<()> {
        let links = &self.model.links;
        let mut parts: Vec<Vec<(Part, f64)>> = vec![Vec::new(); links.len()];
        for (k, link) in links.iter().enumerate() {
            let Some(m) = link.mass else { continue };
            // In the axes of the owner's link, from its origin.
            let to =
                if self.owners[k] == k { Pose::IDENTITY } else { self.poses[self.owners[k]].relative(&self.poses[k]) };
            let part = Part { mass: m.mass, center: m.center, inertia: m.inertia };
            parts[self.owners[k]].push((if self.owners[k] == k { part } else { part.moved(&to) }, link.gravity_scale));
        }
        self.centers = self.poses.iter().map(|p| p.pos).collect();
        for k in 1..links.len() {
            if self.owners[k] == k {
                self.body(k, &parts[k])?;
            }
        }
        Ok(())
    }

    /// The body of a link and what is fixed to it.
    fn body(&mut self, k: usize, parts: &[(Part, f64)]) -> Result<()> {
        let link = &self.model.links[k];
        let pose = self.poses[k];
        let name = self.names[k].clone();
        if link.kinematic {
            self.slots[k] = Some(self.file.bodies.len());
            self.file.bodies.push(Body::Kinematic(file::Kinematic {
                name,
                position: pose.pos.into(),
                rotation: rotation(pose.rot),
                velocity: Vec3::ZERO.into(),
                angular_velocity: Vec3::ZERO.into(),
                enabled: true,
                user_data: 0,
                colliders: Vec::new(),
            }));
            return Ok(());
        }
        let all: Vec<Part> = parts.iter().map(|(p, _)| *p).collect();
        let Some(mut part) = solid::together(&all).or_else(|| self.massless(k)) else {
            let message = format!(
                "link '{}' moves and has no mass, nor has anything that hangs on it: expected an inertia",
                link.name
            );
            return Err(Error::new(&link.place, message));
        };
        let checked = part.properties().validate();
        if checked.is_err() && self.model.balance && part.inertia.is_finite() {
            let mean = (part.inertia.x_axis.x + part.inertia.y_axis.y + part.inertia.z_axis.z) / 3.0;
            part.inertia = Mat3::from_diagonal(Vec3::splat(mean));
            self.report.warn(&link.place, "inertias that no body has are replaced by their mean");
        }
        part.properties().validate().map_err(|e| {
            let hint = if self.model.balance || !(part.inertia.x_axis.x > 0.0) { "" } else { solid::HINT };
            Error::new(&link.place, format!("link '{}': {e}{hint}", link.name))
        })?;
        let center = pose.to_world(part.center);
        self.centers[k] = center;
        let felt = parts.iter().map(|(p, g)| p.mass * g).sum::<f64>() / part.mass;
        let scale = parts.iter().any(|(_, g)| *g != 1.0).then(|| felt.into());
        for (j, joint) in link.joints.iter().enumerate().take(link.joints.len().saturating_sub(1)) {
            let size = (part.inertia.x_axis.x + part.inertia.y_axis.y + part.inertia.z_axis.z) / 3.0;
            let light = Part {
                mass: LIGHT * part.mass,
                center: Vec3::ZERO,
                inertia: Mat3::from_diagonal(Vec3::splat(LIGHT * size)),
            };
            let at = Pose { pos: self.places[k][j + 1].0, rot: pose.rot };
            self.file.bodies.push(dynamic(self.light(k, j), at, &light, None));
            if matches!(joint.kind, JointKind::Free) {
                return Err(Error::new(&joint.place, "a free joint beside others: expected it alone"));
            }
        }
        if link.joints.iter().skip(1).any(|j| j.kind == JointKind::Free) {
            return Err(Error::new(&link.place, "a free joint beside others: expected it alone"));
        }
        self.slots[k] = Some(self.file.bodies.len());
        self.file.bodies.push(dynamic(name, Pose { pos: center, rot: pose.rot }, &part, scale));
        Ok(())
    }

    /// What stands for the mass of a link that has none, where something hangs on it.
    fn massless(&mut self, k: usize) -> Option<Part> {
        let links = &self.model.links;
        // Parents come before their children.
        let mut below = vec![false; links.len()];
        below[k] = true;
        let mut sum = (0.0, 0.0);
        for (n, link) in links.iter().enumerate().skip(k + 1) {
            below[n] = below[link.parent];
            if let (true, Some(m)) = (below[n], link.mass) {
                let i = m.inertia;
                sum = (sum.0 + m.mass, sum.1 + (i.x_axis.x + i.y_axis.y + i.z_axis.z) / 3.0);
            }
        }
        if !(sum.0 > 0.0 && sum.1 > 0.0) {
            return None;
        }
        self.report.warn(&links[k].place, "links without a mass that move have a millionth of what hangs on them");
        let inertia = Mat3::from_diagonal(Vec3::splat(LIGHT * sum.1));
        Some(Part { mass: LIGHT * sum.0, center: Vec3::ZERO, inertia })
    }

    /// Name of the light body behind a joint of a link.
    fn light(&self, k: usize, joint: usize) -> String {
        format!("{} ({})", self.names[k], self.model.links[k].joints[joint].name)
    }

    fn joints_of(&mut self, k: usize) -> Result<()> {
        let link = &self.model.links[k];
        if self.owners[k] != k || link.kinematic {
            return Ok(());
        }
        let parent = self.owners[link.parent];
        let mut before = self.names[parent].clone();
        for (n, j) in link.joints.iter().enumerate() {
            let own = if n + 1 == link.joints.len() { self.names[k].clone() } else { self.light(k, n) };
            if j.kind == JointKind::Free {
                self.free(k, j);
                return Ok(());
            }
            self.hangs[k] = Some(parent);
            self.joint(k, n, [own.clone(), before])?;
            before = own;
        }
        Ok(())
    }

    /// What a free joint has beyond its freedom.
    fn free(&mut self, k: usize, j: &Joint) {
        if j.damping > 0.0 {
            self.file.forces.push(Load::Drag(Drag {
                name: None,
                body: self.names[k].clone(),
                damping: j.damping.into(),
                turn_damping: j.damping.into(),
            }));
        }
        if j.stiffness > 0.0 || j.friction > 0.0 || j.armature > 0.0 {
            self.report.warn(&j.place, "stiffness, friction and armature of free joints are not supported");
        }
    }

    fn joint(&mut self, k: usize, n: usize, bodies: [String; 2]) -> Result<()> {
        let j = &self.model.links[k].joints[n];
        let (point, axis) = self.places[k][n];
        let kind = match j.kind {
            JointKind::Hinge => Kind::Hinge(pivot(point, axis)),
            JointKind::Slide => Kind::Prismatic(pivot(point, axis)),
            JointKind::Planar => Kind::Planar(pivot(point, axis)),
            JointKind::Ball | JointKind::Free => {
                Kind::Ball(Ball { point: Some(point.into()), axis: None, linear: Default::default(), motor: None })
            }
        };
        let mut joint = file::Joint::new(kind, bodies);
        let name = unique(&j.name, &mut self.taken);
        joint.name = Some(name);
        match j.kind {
            JointKind::Hinge => freedom::<Angular>(j, &mut joint, TURN, Limit::Angle, Friction::Angle, Motor::Angle),
            JointKind::Slide => freedom::<Linear>(j, &mut joint, SLIDE, Limit::Length, Friction::Length, Motor::Length),
            _ => {
                let spring =
                    |stiffness: f64, damping: f64| SpringOf { stiffness: stiffness.into(), damping: damping.into() };
                if j.stiffness > 0.0 || j.damping > 0.0 {
                    let linear = (j.kind == JointKind::Planar)
                        .then(|| SpringOf { stiffness: j.stiffness.into(), damping: j.damping.into() });
                    joint.springs = Some(Springs { linear, angular: Some(spring(j.stiffness, j.damping)) });
                }
                if let Some([_, most]) = j.range.filter(|_| j.kind == JointKind::Ball) {
                    self.report
                        .warn(&j.place, "the limit of a ball joint bounds its swing, and not its whole rotation");
                    joint.limits.push(Limit::Angle(LimitOf {
                        upper: Some(most.into()),
                        ..LimitOf::on(Freedom::Of(taut::Freedom::Swing))
                    }));
                }
                if j.friction > 0.0 {
                    self.report.warn(&j.place, "friction of ball and planar joints is not supported");
                }
            }
        }
        joint.armature = (j.armature > 0.0).then(|| j.armature.into());
        self.joints.insert(j.name.clone(), self.file.joints.len());
        self.file.joints.push(joint);
        Ok(())
    }

    /// The joint of a name, with its motion as the file counts.
    pub fn single(&self, name: &str) -> Option<(&Joint, usize)> {
        let (link, joint) = *self.known.get(name)?;
        let j = &self.model.links[link].joints[joint];
        let at = *self.joints.get(name)?;
        matches!(j.kind, JointKind::Hinge | JointKind::Slide).then_some((j, at))
    }

    /// Whether the model has a joint of a name.
    pub fn knows(&self, name: &str) -> bool {
        self.known.contains_key(name)
    }

    /// A name that no joint has.
    pub fn unused_joint(&mut self, name: &str) -> String {
        unique(name, &mut self.taken)
    }

    /// Whether anything of the body of an owner touches others.
    pub fn touches(&self, owner: usize) -> bool {
        self.touching[owner]
    }

    /// Inertia that the freedom of a hinge or slide feels at least: of the turn, kg m^2, or the mass of its link, kg.
    pub fn inertia(&self, joint: usize) -> Option<f64> {
        let (&(link, n), _) =
            self.known.iter().map(|(name, at)| (at, name)).find(|(_, name)| self.joints.get(*name) == Some(&joint))?;
        let Body::Dynamic(body) = self.file.bodies.get(self.slots[link]?)? else { return None };
        match self.model.links[link].joints[n].kind {
            JointKind::Slide => body.mass.map(|m| m.value),
            _ => body.inertia.as_ref().map(|i| match i {
                Inertia::Diagonal([x, y, z]) => (x + y + z) / 3.0,
                Inertia::Full(rows) => (rows[0][0] + rows[1][1] + rows[2][2]) / 3.0,
            }),
        }
    }

    /// A slider on the ground of a millionth of an inertia, without weight, that stands for a sum of joints. Gives the name of its joint.
    pub fn slider(&mut self, name: &str, inertia: f64, limit: Limit) -> Option<String> {
        let mass = LIGHT * inertia;
        if !(mass > 0.0 && mass.is_finite()) {
            return None;
        }
        let mut names: BTreeSet<String> = self.file.bodies.iter().map(|b| b.name().to_owned()).collect();
        names.insert("ground".into());
        let body = unique(&format!("{name} (tendon)"), &mut names);
        let part = Part { mass, center: Vec3::ZERO, inertia: Mat3::from_diagonal(Vec3::splat(mass)) };
        self.file.bodies.push(dynamic(body.clone(), Pose::IDENTITY, &part, Some(0.0.into())));
        let mut joint = file::Joint::new(Kind::Prismatic(pivot(Vec3::ZERO, Vec3::X)), [body, "ground".into()]);
        let own = self.unused_joint(name);
        joint.name = Some(own.clone());
        joint.limits.push(limit);
        self.file.joints.push(joint);
        Some(own)
    }

    fn motors(&mut self) -> Result<()> {
        let mut names = BTreeSet::new();
        for m in &self.model.motors {
            let Some((j, at)) = self.single(&m.joint) else {
                self.report.warn(&m.place, "motors on anything but hinges and slides are not supported");
                continue;
            };
            let (start, kind) = (j.start, j.kind);
            let joint = &self.file.joints[at];
            if joint.motors.iter().any(|m| !is_spring(m)) {
                self.report.warn(&m.place, "a second motor on a joint is not supported");
                continue;
            }
            let base = m.name.clone().or_else(|| joint.name.clone()).unwrap_or_default();
            let name = unique(&base, &mut names);
            let joint = &mut self.file.joints[at];
            joint.motors.push(match kind {
                JointKind::Hinge => Motor::Angle(motor(m, TURN, start, name)),
                _ => Motor::Length(motor(m, SLIDE, start, name)),
            });
        }
        Ok(())
    }

    fn colliders(&mut self) -> Result<()> {
        let model = self.model;
        let classes = Classes::of(model);
        if classes.is_none() {
            self.report.warn(&model.links[0].place, "more than 32 kinds of contype and conaffinity: all geoms meet");
        }
        let mut taken = BTreeSet::new();
        let mut renamed: BTreeMap<String, String> = BTreeMap::new();
        for (k, link) in model.links.iter().enumerate() {
            let owner = self.owners[k];
            let still = owner == 0 || model.links[owner].kinematic;
            for g in &link.geoms {
                if g.types == 0 && g.affine == 0 && !model.pairs.iter().any(|(p, ..)| p.contains(&g.name)) {
                    continue;
                }
                if matches!(g.shape, Shape::Plane) && !still {
                    self.report.warn(&g.place, "planes on bodies that move are not supported");
                    continue;
                }
                if matches!(g.shape, Shape::Heights(_)) && !still {
                    self.report.warn(
                        &g.place,
                        "height fields on bodies that move are not supported: neither their surface nor their mass",
                    );
                    continue;
                }
                let mut pose = compose(&self.poses[k], &g.pose);
                if owner != 0 {
                    let frame = Pose { pos: self.centers[owner], rot: self.poses[owner].rot };
                    pose = frame.relative(&pose);
                }
                let Some((shape, turned)) = self.shape(g, still && model.triangles) else { continue };
                let rot = if turned { pose.rot * Quat::from_array(UPRIGHT) } else { pose.rot };
                let name = (!g.name.is_empty()).then(|| unique(&g.name, &mut taken));
                if let Some(name) = &name {
                    renamed.insert(g.name.clone(), name.clone());
                }
                let collider = Collider {
                    name,
                    shape: Some(shape),
                    position: pose.pos.into(),
                    rotation: rotation(rot),
                    material: surface(g.friction),
                    groups: classes.as_ref().and_then(|c| c.groups(g)),
                    sensor: false,
                    enabled: true,
                    user_data: 0,
                };
                self.place(owner, collider);
            }
        }
        for (names, friction, place) in &model.pairs {
            let [Some(a), Some(b)] = names.each_ref().map(|n| renamed.get(n)) else {
                return Err(Error::new(
                    place,
                    format!("a pair of '{}' and '{}': expected the names of two geoms", names[0], names[1]),
                ));
            };
            self.report.warn(place, "pairs of geoms meet only where contype and conaffinity let them");
            if let Some(mu) = friction {
                self.file
                    .pairs
                    .push(Pair::Colliders(ColliderPair { colliders: [a.clone(), b.clone()], material: surface(*mu) }));
            }
        }
        Ok(())
    }

    /// The shape of a geom as a collider, and whether it has to be turned from y to z; none, with a warning, where it cannot be one.
    fn shape(&mut self, g: &Geom, triangles: bool) -> Option<(ColliderShape, bool)> {
        let surface = match &g.shape {
            Shape::Mesh(m) if triangles => {
                let (vertices, triangles) = (m.vertices.clone(), m.triangles.clone());
                taut::Shape::Mesh { vertices, triangles }.validate()
            }
            _ => Ok(()),
        };
        if surface.is_err() {
            self.report
                .warn(&g.place, "a mesh that is no plain surface (more than two triangles at an edge) is its hull");
        }
        match shape(&g.shape, triangles && surface.is_ok()) {
            Ok((shape, turned, moved)) => {
                if moved > 0.0 {
                    let message = format!("a mesh has a hull only with its points on a grid of {moved} of its size");
                    self.report.warn(&g.place, message);
                }
                Some((shape, turned))
            }
            Err(why) => {
                self.report.warn(&g.place, format!("a mesh without a hull is left out ({why})"));
                None
            }
        }
    }

    fn place(&mut self, owner: usize, collider: Collider) {
        if owner == 0 {
            self.file.ground.colliders.push(collider);
            return;
        }
        match self.slots[owner].and_then(|k| self.file.bodies.get_mut(k)) {
            Some(Body::Dynamic(b)) => b.colliders.push(collider),
            Some(Body::Kinematic(b)) => b.colliders.push(collider),
            Some(Body::Fixed(Fixed { colliders, .. })) => colliders.push(collider),
            _ => {}
        }
    }

    /// Who meets whom, where joints say otherwise than MuJoCo and where the file says so itself.
    fn meetings(&mut self) {
        let links = &self.model.links;
        let mut pairs: BTreeMap<(usize, usize), bool> = BTreeMap::new();
        let both = |a: usize, b: usize| a != b && self.touches(a) && self.touches(b);
        let key = |a: usize, b: usize| (a.max(b), a.min(b));
        for (k, parent) in self.hangs.iter().enumerate() {
            let Some(parent) = *parent else { continue };
            if !both(k, parent) {
                continue;
            }
            match (parent, self.model.own_contacts) {
                // What hangs on the ground by one joint meets it all the same, and what hangs on another body by several does not.
                (0, true) if links[k].joints.len() == 1 => {
                    pairs.insert(key(k, 0), true);
                }
                (0, _) => {}
                _ if links[k].joints.len() > 1 => {
                    pairs.insert(key(k, parent), false);
                }
                _ => {}
            }
        }
        for &(a, b, meet) in &self.model.meetings {
            let (a, b) = (self.owners[a], self.owners[b]);
            if both(a, b) {
                pairs.insert(key(a, b), meet);
            }
        }
        for ((a, b), meet) in pairs {
            self.file
                .pairs
                .push(Pair::Bodies(BodyPair { bodies: [self.names[a].clone(), self.names[b].clone()], meet }));
        }
    }
}

/// The two words of single freedoms.
pub const TURN: Freedom = Freedom::Of(taut::Freedom::Turn);
pub const SLIDE: Freedom = Freedom::Of(taut::Freedom::Slide);

/// Limits, springs and friction of a joint with one freedom.
fn freedom<Q: Quantity>(
    j: &Joint,
    joint: &mut file::Joint,
    freedom: Freedom,
    limit: fn(LimitOf<Q>) -> Limit,
    friction: fn(FrictionOf<Q>) -> Friction,
    spring: fn(MotorOf<Q>) -> Motor,
) {
    if let Some([low, high]) = j.range {
        joint.limits.push(limit(LimitOf {
            lower: Some((low - j.start).into()),
            upper: Some((high - j.start).into()),
            ..LimitOf::on(freedom)
        }));
    }
    if j.stiffness > 0.0 || j.damping > 0.0 {
        let target = (j.stiffness > 0.0).then(|| (j.spring_at - j.start).into());
        joint.motors.push(spring(MotorOf {
            freedom: Some(freedom),
            stiffness: (j.stiffness > 0.0).then(|| j.stiffness.into()),
            damping: (j.damping > 0.0).then(|| j.damping.into()),
            rate: target.is_none().then(|| 0.0.into()),
            target,
            spring: true,
            ..MotorOf::default()
        }));
    }
    if j.friction > 0.0 {
        joint.friction.push(friction(FrictionOf {
            freedom,
            index: None,
            max: Some(j.friction.into()),
            per_load: None,
        }));
    }
}

fn is_spring(m: &Motor) -> bool {
    match m {
        Motor::Angle(m) => m.spring,
        Motor::Length(m) => m.spring,
    }
}

/// A motor of a joint that starts at `start`.
fn motor<Q: Quantity>(m: &crate::model::Motor, freedom: Freedom, start: f64, name: String) -> MotorOf<Q> {
    let servo = m.stiffness > 0.0 || m.damping > 0.0;
    let target = (m.stiffness > 0.0).then(|| (m.target - start).into());
    MotorOf {
        freedom: Some(freedom),
        name: Some(name),
        stiffness: (m.stiffness > 0.0).then(|| m.stiffness.into()),
        damping: (m.damping > 0.0).then(|| m.damping.into()),
        rate: (servo && target.is_none()).then(|| 0.0.into()),
        target,
        min_force: m.force.filter(|[low, high]| *low != -*high).map(|[low, _]| low.into()),
        max_force: m.force.map(|[_, high]| high.into()),
        ..MotorOf::default()
    }
}

fn pivot<M>(point: Vec3, axis: Vec3) -> Pivot<M> {
    let (linear, angular) = Default::default();
    Pivot { point: Some(point.into()), axis: Some(axis.into()), linear, angular, motor: None }
}

/// A pose in another one, of length 1 again.
pub fn compose(outer: &Pose, inner: &Pose) -> Pose {
    let p = outer.compose(inner);
    Pose { rot: p.rot.normalize(), ..p }
}

fn rotation(q: Quat) -> Rotation {
    Rotation::Quaternion(q.normalize().to_array())
}

fn dynamic(name: String, pose: Pose, part: &Part, gravity_scale: Option<Number<One>>) -> Body {
    let i = part.properties().inertia;
    let rows = i.transpose().to_cols_array_2d();
    let diagonal = i == Mat3::from_diagonal(Vec3::new(rows[0][0], rows[1][1], rows[2][2]));
    Body::Dynamic(Box::new(Dynamic {
        name,
        mass: Some(part.mass.into()),
        inertia: Some(if diagonal {
            Inertia::Diagonal([rows[0][0], rows[1][1], rows[2][2]])
        } else {
            Inertia::Full(rows)
        }),
        shape: None,
        density: None,
        position: pose.pos.into(),
        rotation: rotation(pose.rot),
        velocity: Vec3::ZERO.into(),
        angular_velocity: Vec3::ZERO.into(),
        linear_damping: 0.0.into(),
        angular_damping: 0.0.into(),
        gravity_scale,
        exposure: None,
        top_speed: None,
        top_angular_speed: None,
        locks: Default::default(),
        enabled: true,
        user_data: 0,
        colliders: Vec::new(),
    }))
}

/// The name, or the name with a number that is not taken.
pub fn unique(name: &str, taken: &mut BTreeSet<String>) -> String {
    let mut out = name.to_owned();
    let mut n = 2;
    while out.is_empty() || !taken.insert(out.clone()) {
        out = format!("{name} {n}");
        n += 1;
    }
    out
}

/// As in MuJoCo, the friction of two surfaces is the larger of theirs.
fn surface(friction: f64) -> Surface {
    Surface { friction: Some(Coefficients::Same(friction)), rule: Rule::Max, ..Surface::default() }
}

/// The shape of a collider, whether it has to be turned from y to z, and by how much the points of its hull were moved.
fn shape(s: &Shape, triangles: bool) -> std::result::Result<(ColliderShape, bool, f64), String> {
    let (shape, turned) = match s {
        Shape::Plane => (ColliderShape::HalfSpace(HalfSpace { normal: Some(Vec3::Z.into()) }), false),
        Shape::Sphere { radius } => (ColliderShape::Sphere(Sphere { radius: (*radius).into() }), false),
        Shape::Capsule { radius, half } => {
            (ColliderShape::Capsule(Capsule { radius: (*radius).into(), height: (2.0 * half).into() }), true)
        }
        Shape::Cylinder { radius, half } => {
            (ColliderShape::Cylinder(Cylinder { radius: (*radius).into(), height: (2.0 * half).into() }), true)
        }
        Shape::Box { half } => (ColliderShape::Box(Cuboid { size: (2.0 * *half).into() }), false),
        Shape::Ellipsoid { semi } => (points(&ellipsoid(*semi)), false),
        Shape::Heights(f) => {
            let heights = f.rows.iter().map(|row| row.iter().map(|&h| h.into()).collect()).collect();
            let size = f.half.map(|half| (2.0 * half).into());
            (ColliderShape::HeightField(HeightField { heights, size, scale: Some(f.top.into()) }), true)
        }
        Shape::Mesh(m) if triangles => {
            let vertices = m.vertices.iter().map(|&v| v.into()).collect();
            (ColliderShape::Mesh(Triangles { vertices, triangles: m.triangles.clone() }), false)
        }
        Shape::Mesh(m) => {
            let solid = hull::of(&m.vertices)?;
            return Ok((points(&solid.points), false, solid.moved));
        }
    };
    Ok((shape, turned, 0.0))
}

fn points(points: &[Vec3]) -> ColliderShape {
    ColliderShape::ConvexHull(Hull { points: points.iter().map(|&p| p.into()).collect() })
}

/// Points of an ellipsoid, spread evenly over the ball that it is made of (a spiral by the golden angle).
fn ellipsoid(semi: Vec3) -> Vec<Vec3> {
    const POINTS: usize = 200;
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    (0..POINTS)
        .map(|k| {
            let z = 1.0 - (2 * k + 1) as f64 / POINTS as f64;
            let r = (1.0 - z * z).sqrt();
            let (sin, cos) = libm::sincos(golden * k as f64);
            semi * Vec3::new(r * cos, r * sin, z)
        })
        .collect()
}

/// Kinds of geoms by whom they touch, as groups of colliders.
struct Classes {
    /// Types and affinities of each kind.
    kinds: Vec<(u32, u32)>,
    /// Whether all meet all.
    plain: bool,
    /// Whether links of the model pass through each other.
    apart: bool,
}

/// How many groups colliders can be members of.
const GROUPS: usize = 32;

impl Classes {
    fn of(model: &Model) -> Option<Self> {
        if !model.own_contacts {
            return Some(Classes { kinds: Vec::new(), plain: false, apart: true });
        }
        let mut kinds: Vec<(u32, u32)> =
            model.links.iter().flat_map(|l| &l.geoms).map(|g| (g.types, g.affine)).collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds.retain(|k| *k != (0, 0));
        let plain = kinds.iter().all(|a| kinds.iter().all(|b| touch(*a, *b)));
        (plain || kinds.len() <= GROUPS).then_some(Classes { kinds, plain, apart: false })
    }

    fn groups(&self, g: &Geom) -> Option<Groups> {
        if self.apart {
            let with = (0..GROUPS as u32).filter(|k| *k != 1).collect();
            return Some(Groups { member: Some(vec![1]), with: Some(with) });
        }
        if self.plain {
            return None;
        }
        let own = (g.types, g.affine);
        let place = self.kinds.iter().position(|k| *k == own)? as u32;
        let with = self.kinds.iter().enumerate().filter(|(_, k)| touch(own, **k)).map(|(n, _)| n as u32).collect();
        Some(Groups { member: Some(vec![place]), with: Some(with) })
    }
}

fn touch(a: (u32, u32), b: (u32, u32)) -> bool {
    a.0 & b.1 != 0 || b.0 & a.1 != 0
}
