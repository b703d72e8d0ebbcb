//! Joints of a scene file into a world.

use super::Builder;
use super::bounds::{friction, limits, speeds, strength};
use super::motors::{drives, springs};
use crate::file::error::{At, FileError, Path};
use crate::file::joint::Kind;
use crate::file::quantity::{Metre, One, Triple};
use crate::file::{AngularSoft, Cable, Frame, Joint, Ligament, LinearSoft, Pivot, Role};
use taut::{BodyId, Frames, JointKind, Softness, TreeRole, Vec3};

impl Builder {
    pub(super) fn joint(&mut self, joint: &Joint, path: &Path) -> Result<(), FileError> {
        let name = joint.name().unwrap_or_default();
        if let Some(other) = self.joints.get(name) {
            let expected = format!("a name that no other joint has ({other})");
            return Err(FileError::input(path.key("name"), format!("'{name}'"), expected));
        }
        let ids = self.pair(&joint.bodies, path)?;
        let mut part = self.placed(joint, of_kind(&joint.kind, ids, path)?, ids, path)?;
        part = part.stops(limits(joint, path)?).named(name).user_data(joint.user_data);
        part = friction(joint, path)?.into_iter().fold(part, taut::Joint::friction);
        part = speeds(joint, path)?.into_iter().fold(part, taut::Joint::speed_limit);
        let driven = drives(joint, path)?;
        part = part.motors(driven).role(role(joint.role)).turns(joint.turns);
        for (freedom, stiffness, damping) in springs(joint, part.kind().freedoms(), path)? {
            part = part.spring_on(freedom, stiffness, damping);
        }
        if let Some(armature) = joint.armature {
            part = part.armature(armature.value);
        }
        if let Some(s) = &joint.strength {
            part = part.strength(strength(s, &path.key("strength"))?);
        }
        if !joint.enabled {
            part = part.disabled();
        }
        let id = self.world.add(part).among(path, &fields(joint))?;
        self.joint_ids.push(id);
        let (a, b) = self.world.joint(id).at(path)?.points();
        [a, b].into_iter().for_each(|p| self.extent.add(p, 0.0));
        if !name.is_empty() {
            self.joints.insert(name.into(), path.clone());
        }
        Ok(())
    }

    /// The joint where it goes.
    fn placed(
        &self,
        joint: &Joint,
        mut part: taut::Joint,
        ids: [BodyId; 2],
        path: &Path,
    ) -> Result<taut::Joint, FileError> {
        let place = Place::of(joint);
        if let Some(frames) = &joint.frames {
            if let Some(field) = place.first_given() {
                return Err(FileError::new(path.key(field), format!("{field}: expected none with 'frames'")));
            }
            let [i, j] = frames.each_ref().map(engine_frame);
            return Ok(part.frames(Frames { i, j }));
        }
        if let Some(field) = place.first_missing() {
            return Err(FileError::new(path.clone(), format!("missing field '{field}': expected it, or 'frames'")));
        }
        if let (Some(_), Some(across)) = (place.axle, joint.across) {
            return Err(FileError::input(path.key("across"), across.value, "none of a wheel, which has its 'axle'"));
        }
        if let Some(points) = place.points {
            let [a, b] = self.ends(ids, points.map(|p| p.map(|x| x.value)), path)?;
            if a == b && matches!(joint.kind, Kind::Distance(_)) {
                return Err(FileError::input(path.key("points"), "the same point twice", "two points apart"));
            }
            part = part.ends(a, b);
        }
        let axis = place.axis.map(|a| a.value).or(place.upright.then_some(Vec3::Y));
        part = place.point.into_iter().fold(part, |p, at| p.at(at.value));
        part = axis.into_iter().fold(part, taut::Joint::axis);
        Ok(place.axle.or(joint.across).into_iter().fold(part, |p, across| p.across(across.value)))
    }
}

/// Where a joint is said to be.
#[derive(Default)]
struct Place {
    point: Option<Triple<Metre>>,
    axis: Option<Triple<One>>,
    axle: Option<Triple<One>>,
    across: Option<Triple<One>>,
    /// Of a joint that goes from a point to another one.
    points: Option<Option<[Triple<Metre>; 2]>>,
    /// Fields that must be there without frames.
    asked: &'static [&'static str],
    /// Without an axis it is y.
    upright: bool,
}

impl Place {
    fn of(joint: &Joint) -> Self {
        const BOTH: &[&str] = &["point", "axis"];
        let at = |point, axis, asked| Place { point, axis, asked, ..Place::default() };
        let between = |points| Place { points: Some(points), ..Place::default() };
        let place = match &joint.kind {
            Kind::Ball(k) => Place { upright: true, ..at(k.point, k.axis, &BOTH[..1]) },
            Kind::Universal(k) => at(k.point, k.axis, BOTH),
            Kind::Hinge(k) | Kind::Planar(k) => at(k.point, k.axis, BOTH),
            Kind::Prismatic(k) => at(k.point, k.axis, BOTH),
            Kind::Cylindrical(k) => at(k.point, k.axis, BOTH),
            Kind::PointOnLine(k) => at(k.point, k.axis, BOTH),
            Kind::Weld(k) | Kind::ForceTorque(k) => Place { upright: true, ..at(k.point, k.axis, &BOTH[..1]) },
            // They have no point: their frames sit at the first body.
            Kind::Translational(k) => at(None, k.axis, &[]),
            Kind::AxialLock(k) => at(None, k.axis, &BOTH[1..]),
            Kind::SixDof(k) => {
                let needs = taut::SixDof::new(k.locked.engine()).has_axis();
                at(k.point, k.axis, if needs { BOTH } else { &BOTH[..1] })
            }
            Kind::Wheel(k) => Place { axle: k.axle, ..at(k.point, k.axis, &["point", "axis", "axle"]) },
            Kind::Distance(k) => between(k.points),
            Kind::Rope(k) => between(k.points),
            Kind::Range(k) => between(k.points),
            Kind::Ligament(k) => between(k.points),
            Kind::Cable(k) => at(k.point, k.axis, BOTH),
            Kind::FlexibleCable(k) => at(k.point, k.axis, BOTH),
            Kind::Rows(_) => Place { asked: &["frames"], ..Place::default() },
        };
        Place { across: joint.across, ..place }
    }

    fn has(&self, field: &str) -> bool {
        match field {
            "point" => self.point.is_some(),
            "axis" => self.axis.is_some(),
            "axle" => self.axle.is_some(),
            "across" => self.across.is_some(),
            "points" => self.points.flatten().is_some(),
            _ => false,
        }
    }

    fn first_given(&self) -> Option<&'static str> {
        ["point", "axis", "axle", "across", "points"].into_iter().find(|f| self.has(f))
    }

    fn first_missing(&self) -> Option<&'static str> {
        self.asked.iter().copied().find(|f| !self.has(f))
    }
}

fn engine_frame(f: &Frame) -> taut::Frame {
    let (u, n) = (f.u.value, f.n.value);
    taut::Frame { origin: f.origin.value, u, v: f.v.map_or_else(|| n.cross(u), |v| v.value), n }
}

fn role(role: Role) -> TreeRole {
    match role {
        Role::Auto => TreeRole::Auto,
        Role::Tree => TreeRole::Tree,
        Role::Loop => TreeRole::Loop,
    }
}

/// The engine's joint of a kind, not placed yet.
pub(crate) fn of_kind(kind: &Kind, ids: [BodyId; 2], path: &Path) -> Result<taut::Joint, FileError> {
    fn of(kind: impl JointKind + 'static, ids: [BodyId; 2]) -> taut::Joint {
        taut::Joint::of(kind, ids[0], ids[1])
    }
    Ok(match kind {
        Kind::Ball(k) => of(taut::Ball { point: linear(&k.linear, path)? }, ids),
        Kind::Universal(k) => {
            let (point, angular) = softs(k, path)?;
            of(taut::Universal { point, angular }, ids)
        }
        Kind::Hinge(k) => {
            let (point, angular) = softs(k, path)?;
            of(taut::Hinge { point, angular }, ids)
        }
        Kind::Prismatic(k) => {
            let (linear, angular) = softs(k, path)?;
            of(taut::Prismatic { linear, angular }, ids)
        }
        Kind::Cylindrical(k) => {
            let (linear, angular) = softs(k, path)?;
            of(taut::Cylindrical { linear, angular }, ids)
        }
        Kind::Planar(k) => {
            let (linear, angular) = softs(k, path)?;
            of(taut::Planar { linear, angular }, ids)
        }
        Kind::PointOnLine(k) => of(taut::joints::PointOnLine { linear: linear(&k.linear, path)? }, ids),
        Kind::Weld(k) => {
            let (point, angular) = (linear(&k.linear, path)?, angular(&k.angular, path)?);
            of(taut::Weld { point, angular }, ids)
        }
        Kind::ForceTorque(k) => {
            let (point, angular) = (linear(&k.linear, path)?, angular(&k.angular, path)?);
            of(taut::ForceTorque { point, angular }, ids)
        }
        Kind::Translational(k) => of(taut::joints::Translational { angular: angular(&k.angular, path)? }, ids),
        Kind::AxialLock(k) => of(taut::joints::AxialLock { angular: angular(&k.angular, path)? }, ids),
        Kind::SixDof(k) => {
            let (linear, angular) = (linear(&k.linear, path)?, angular(&k.angular, path)?);
            let part = of(taut::SixDof::new(k.locked.engine()), ids);
            let part = if linear.is_rigid() { part } else { part.linear(linear) };
            if angular.is_rigid() { part } else { part.angular(angular) }
        }
        Kind::Wheel(k) => {
            let suspension = k.suspension.engine(&path.key("suspension"))?;
            of(taut::Wheel { suspension, steers: k.steers }, ids)
        }
        Kind::Distance(k) => {
            of(taut::Distance { length: k.length.map(|l| l.value), soft: linear(&k.linear, path)? }, ids)
        }
        Kind::Rope(k) => {
            let (length, soft) = (k.length.map(|l| l.value), linear(&k.linear, path)?);
            of(taut::Rope { length, soft, restitution: k.restitution.value }, ids)
        }
        Kind::Range(k) => {
            let soft = linear(&k.linear, path)?;
            let (shortest, longest) = (k.shortest.value, k.longest.value);
            of(taut::Range { shortest, longest, soft, restitution: k.restitution.value }, ids)
        }
        Kind::Ligament(k) => of(ligament(k), ids),
        Kind::Cable(k) => of(cable(k, path)?, ids),
        Kind::FlexibleCable(k) => of(
            taut::joints::FlexibleCable {
                axial: k.axial.engine(&path.key("axial"))?,
                shear: k.shear.engine(&path.key("shear"))?,
                bending: k.bending.engine(&path.key("bending"))?,
                torsion: k.torsion.engine(&path.key("torsion"))?,
            },
            ids,
        ),
        Kind::Rows(k) => of(k.engine(path)?, ids),
    })
}

fn ligament(l: &Ligament) -> taut::joints::Ligament {
    taut::joints::Ligament {
        rest_length: l.rest_length.map(|x| x.value),
        soft_stiffness: l.soft_stiffness.value,
        strain: l.strain.value,
        stiffness: l.stiffness.map_or(f64::INFINITY, |x| x.value),
        damping: l.damping.value,
    }
}

/// Words of the engine's errors and the fields they go with.
fn fields(joint: &Joint) -> [(&'static str, &'static str); 23] {
    let points = Place::of(joint).points.is_some();
    let motor =
        if joint.motors.is_empty() { if joint.springs.is_some() { "springs" } else { "motor" } } else { "motors" };
    let point = match (joint.frames.is_some(), points) {
        (true, _) => "frames",
        (false, true) => "points",
        (false, false) => "point",
    };
    [
        ("armature", "armature"),
        ("motor", motor),
        ("rest_length", "rest_length"),
        ("range longest", "longest"),
        ("limit lower and upper", "shortest"),
        ("limit restitution", "restitution"),
        ("length", "length"),
        ("restitution", "restitution"),
        ("soft_stiffness", "soft_stiffness"),
        ("ligament stiffness", "stiffness"),
        ("strain", "strain"),
        ("ligament damping", "damping"),
        ("bounded rows", "limits"),
        ("joint rows", "rows"),
        ("points of a joint", "rows"),
        ("joint point", point),
        ("joint frame", "frames"),
        ("across of", if matches!(joint.kind, Kind::Wheel(_)) { "axle" } else { "across" }),
        ("axis", "axis"),
        ("turns of", "turns"),
        ("joint in the tree", "role"),
        ("chart of the", "chart"),
        (" joint", "bodies"),
    ]
}

/// The give of a pivot's translations and rotations.
fn softs<M>(p: &Pivot<M>, path: &Path) -> Result<(Softness, Softness), FileError> {
    Ok((linear(&p.linear, path)?, angular(&p.angular, path)?))
}

fn cable(c: &Cable, path: &Path) -> Result<taut::Cable, FileError> {
    let part = if let Some(m) = &c.material {
        for (field, given) in
            [("axial", c.axial.is_some()), ("bending", c.bending.is_some()), ("torsion", c.torsion.is_some())]
        {
            if given {
                return Err(FileError::new(path.key(field), format!("{field}: expected none with 'material'")));
            }
        }
        let fields =
            [("length", "length"), ("radius", "radius"), ("Young", "youngs_modulus"), ("shear", "shear_modulus")];
        let (young, shear) = (m.youngs_modulus.value, m.shear_modulus.value);
        taut::Cable::from_material(m.length.value, m.radius.value, young, shear)
            .among(&path.key("material"), &fields)?
    } else {
        let (Some(bending), Some(torsion)) = (&c.bending, &c.torsion) else {
            return Err(FileError::new(
                path.clone(),
                "a cable without stiffness: expected 'material', or 'bending' and 'torsion'",
            ));
        };
        taut::Cable {
            axial: c.axial.unwrap_or_default().engine(&path.key("axial"))?,
            bending: bending.engine(&path.key("bending"))?,
            torsion: torsion.engine(&path.key("torsion"))?,
        }
    };
    Ok(if c.clamped_end { part.clamped_end() } else { part })
}

fn linear(s: &LinearSoft, joint: &Path) -> Result<Softness, FileError> {
    s.engine(&joint.key("linear"))
}

fn angular(s: &AngularSoft, joint: &Path) -> Result<Softness, FileError> {
    s.engine(&joint.key("angular"))
}
