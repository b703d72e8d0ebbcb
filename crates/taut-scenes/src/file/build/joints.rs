//! Joints of a scene file into a world.

use super::Builder;
use super::bounds::{self, Bounds};
use super::motors::drives;
use crate::file::error::{At, FileError, Path};
use crate::file::quantity::Triple;
use crate::file::{AngularSoft, Cable, Joint, Ligament, LinearSoft, Pivot};
use taut::{BodyId, Driven, Frames, Limited, Rubbing, Softness, Vec3};

impl Builder {
    pub(super) fn joint(&mut self, joint: &Joint, path: &Path) -> Result<(), FileError> {
        let name = joint.name().unwrap_or_default();
        if let Some(other) = self.joints.get(name) {
            let expected = format!("a name that no other joint has ({other})");
            return Err(FileError::input(path.key("name"), format!("'{name}'"), expected));
        }
        let ids = self.pair(joint.bodies(), path)?;
        let (part, frames) = self.part(joint, ids, path)?;
        let Bounds { limits, friction, strength } = bounds::read(joint, path)?;
        let drives = drives(joint, path)?;
        let motors: Vec<taut::Motor> = drives.iter().map(|d| d.motor).collect();
        let part = Limited { joint: part.as_ref(), limits: &limits };
        let part = Rubbing { joint: &part, friction: &friction };
        let part = Driven { joint: &part, motors: &motors };
        let id = self.world.add_named_joint(name, ids[0], ids[1], &part, frames).among(path, &fields(joint))?;
        self.world.set_strength(id, strength).at(&path.key("strength"))?;
        for (k, d) in drives.into_iter().enumerate() {
            let fields = [("motor target", "target"), ("motor rate", "rate")];
            self.world.set_motor(id, k, d.command).among(&d.path, &fields)?;
        }
        for (id, origin) in [(ids[0], frames.i.origin), (ids[1], frames.j.origin)] {
            self.extent.add(self.world.body(id).at(path)?.pose.to_world(origin), 0.0);
        }
        if !name.is_empty() {
            self.joints.insert(name.into(), path.clone());
        }
        Ok(())
    }

    /// The engine's joint and where it goes.
    fn part(&self, joint: &Joint, ids: [BodyId; 2], path: &Path) -> Result<(Box<dyn taut::Joint>, Frames), FileError> {
        let frames = |point: Vec3, axis: Vec3| {
            self.world.frames_at(ids[0], ids[1], point, axis).among(path, &[("axis", "axis")])
        };
        Ok(match joint {
            Joint::Ball(b) => (
                Box::new(taut::Ball { point: linear(&b.linear, path)? }),
                frames(b.point.value, b.axis.map_or(Vec3::Y, |a| a.value))?,
            ),
            Joint::Universal(p) => {
                let (point, angular) = softs(p, path)?;
                (Box::new(taut::Universal { point, angular }), frames(p.point.value, p.axis.value)?)
            }
            Joint::Hinge(p) => {
                let (point, angular) = softs(p, path)?;
                (Box::new(taut::Hinge { point, angular }), frames(p.point.value, p.axis.value)?)
            }
            Joint::Prismatic(p) => {
                let (linear, angular) = softs(p, path)?;
                (Box::new(taut::Prismatic { linear, angular }), frames(p.point.value, p.axis.value)?)
            }
            Joint::Cylindrical(p) => {
                let (linear, angular) = softs(p, path)?;
                (Box::new(taut::Cylindrical { linear, angular }), frames(p.point.value, p.axis.value)?)
            }
            Joint::Planar(p) => {
                let (linear, angular) = softs(p, path)?;
                (Box::new(taut::Planar { linear, angular }), frames(p.point.value, p.axis.value)?)
            }
            Joint::PointOnLine(p) => {
                let linear = linear(&p.linear, path)?;
                (Box::new(taut::PointOnLine { linear }), frames(p.point.value, p.axis.value)?)
            }
            Joint::Weld(w) => {
                let (point, angular) = (linear(&w.linear, path)?, angular(&w.angular, path)?);
                (Box::new(taut::Weld { point, angular }), frames(w.point.value, Vec3::Y)?)
            }
            Joint::Translational(t) => {
                // It has no point either.
                let at = self.world.body(ids[0]).at(path)?.pose.pos;
                (Box::new(taut::Translational { angular: angular(&t.angular, path)? }), frames(at, Vec3::Y)?)
            }
            Joint::AxialLock(a) => {
                // It has no point; its frames sit at the first body.
                let at = self.world.body(ids[0]).at(path)?.pose.pos;
                (Box::new(taut::AxialLock { angular: angular(&a.angular, path)? }), frames(at, a.axis.value)?)
            }
            Joint::Distance(d) => {
                let (apart, frames) = self.between(ids, d.points.map(values), path)?;
                if apart == 0.0 {
                    return Err(FileError::input(path.key("points"), "the same point twice", "two points apart"));
                }
                let (length, soft) = (d.length.map_or(apart, |l| l.value), linear(&d.linear, path)?);
                (Box::new(taut::Distance { length, soft }), frames)
            }
            Joint::Rope(r) => {
                let (apart, frames) = self.between(ids, r.points.map(values), path)?;
                let (length, soft) = (r.length.map_or(apart, |l| l.value), linear(&r.linear, path)?);
                (Box::new(taut::Rope { length, soft, restitution: r.restitution.value }), frames)
            }
            Joint::Ligament(l) => {
                let (apart, frames) = self.between(ids, l.points.map(values), path)?;
                (Box::new(ligament(l, apart)), frames)
            }
            Joint::Cable(c) => (Box::new(cable(c, path)?), frames(c.point.value, c.axis.value)?),
            Joint::FlexibleCable(c) => {
                let part = taut::FlexibleCable {
                    axial: soft_linear(&c.axial, &path.key("axial"))?,
                    shear: soft_linear(&c.shear, &path.key("shear"))?,
                    bending: soft_angular(&c.bending, &path.key("bending"))?,
                    torsion: soft_angular(&c.torsion, &path.key("torsion"))?,
                };
                (Box::new(part), frames(c.point.value, c.axis.value)?)
            }
        })
    }

    /// How far two points are apart, m, and the frames of what is between them.
    fn between(&self, ids: [BodyId; 2], points: Option<[Vec3; 2]>, path: &Path) -> Result<(f64, Frames), FileError> {
        let [a, b] = self.ends(ids, points, path)?;
        // Where the ends meet any axis will do.
        let axis = if a == b { Vec3::Y } else { a - b };
        let mut frames = self.world.frames_at(ids[0], ids[1], a, axis).at(path)?;
        frames.j.origin = self.world.body(ids[1]).at(path)?.pose.to_local(b);
        Ok(((a - b).length(), frames))
    }
}

fn values<U>(points: [Triple<U>; 2]) -> [Vec3; 2] {
    points.map(|p| p.value)
}

fn ligament(l: &Ligament, apart: f64) -> taut::Ligament {
    taut::Ligament {
        rest_length: l.rest_length.map_or(apart, |x| x.value),
        soft_stiffness: l.soft_stiffness.value,
        strain: l.strain.value,
        stiffness: l.stiffness.map_or(f64::INFINITY, |x| x.value),
        damping: l.damping.value,
    }
}

/// Words of the engine's errors and the fields they go with.
fn fields(joint: &Joint) -> [(&'static str, &'static str); 11] {
    let points = matches!(joint, Joint::Distance(_) | Joint::Rope(_) | Joint::Ligament(_));
    [
        ("motor", "motor"),
        ("rest_length", "rest_length"),
        ("length", "length"),
        ("restitution", "restitution"),
        ("soft_stiffness", "soft_stiffness"),
        ("ligament stiffness", "stiffness"),
        ("strain", "strain"),
        ("ligament damping", "damping"),
        ("bounded rows", "limits"),
        ("joint point", if points { "points" } else { "point" }),
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
            axial: soft_linear(&c.axial.unwrap_or_default(), &path.key("axial"))?,
            bending: soft_angular(bending, &path.key("bending"))?,
            torsion: soft_angular(torsion, &path.key("torsion"))?,
        }
    };
    Ok(if c.clamped_end { part.clamped_end() } else { part })
}

fn linear(s: &LinearSoft, joint: &Path) -> Result<Softness, FileError> {
    soft_linear(s, &joint.key("linear"))
}

fn angular(s: &AngularSoft, joint: &Path) -> Result<Softness, FileError> {
    soft_angular(s, &joint.key("angular"))
}

pub(super) fn soft_linear(s: &LinearSoft, path: &Path) -> Result<Softness, FileError> {
    let units = ["m/N", "N/m"];
    softness(s.compliance.map(|x| x.value), s.stiffness.map(|x| x.value), s.damping.map(|x| x.value), units, path)
}

pub(super) fn soft_angular(s: &AngularSoft, path: &Path) -> Result<Softness, FileError> {
    let units = ["rad/(N m)", "N m/rad"];
    softness(s.compliance.map(|x| x.value), s.stiffness.map(|x| x.value), s.damping.map(|x| x.value), units, path)
}

/// The law of a group of rows from what is given of compliance, stiffness and damping.
fn softness(
    compliance: Option<f64>,
    stiffness: Option<f64>,
    damping: Option<f64>,
    units: [&str; 2],
    path: &Path,
) -> Result<Softness, FileError> {
    let d = damping.unwrap_or(0.0);
    let soft = match (compliance, stiffness) {
        (Some(_), Some(k)) => {
            return Err(FileError::input(path.key("stiffness"), k, "either 'compliance' or 'stiffness'"));
        }
        (Some(c), None) if c < 0.0 => {
            let expected = format!("zero (rigid) or a positive number of {}", units[0]);
            return Err(FileError::input(path.key("compliance"), c, expected));
        }
        (None, Some(k)) if k < 0.0 || (k == 0.0 && d == 0.0) => {
            let expected = format!("a positive number of {} (zero only with damping)", units[1]);
            return Err(FileError::input(path.key("stiffness"), k, expected));
        }
        (Some(c), None) => Softness { compliance: c, damping: d },
        (None, Some(k)) => Softness::spring(k, d),
        (None, None) => Softness::RIGID,
    };
    if soft.compliance == 0.0 && damping.is_some() {
        let expected = "none on rigid rows, where it has no effect: give a compliance or a stiffness with it";
        return Err(FileError::input(path.key("damping"), d, expected));
    }
    soft.validate("row").among(path, &[("compliance", "compliance"), ("damping", "damping")])?;
    Ok(soft)
}
