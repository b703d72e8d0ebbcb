//! Which type of the file a joint is: the one of its kind, where that has the very same rows, else a list of rows.

use crate::file::build::{free::leaves, joints::of_kind};
use crate::file::error::{FileError, Path};
use crate::file::quantity::{Metre, Number};
use crate::file::{
    AngularSoft, AxialLock, Ball, Cable, Chart, Distance, FlexibleCable, Freedom, Kind, Ligament, LinearSoft, Locks,
    Pivot, PointOnLine, Range, Rope, Row, Rows, SixDof, Translational, Weld, Wheel,
};
use taut::constraint::Primitive;
use taut::joints::RowSpec;
use taut::{JointRef, Limit, Softness};

/// The kind of a joint in the file.
pub(super) fn kind(j: &JointRef<'_>, path: &Path) -> Result<Kind, FileError> {
    match candidate(j).filter(|kind| says(kind, j)) {
        Some(kind) => Ok(kind),
        None => rows(j, path).map(Kind::Rows),
    }
}

/// The rows of its kind, without those of motors and armatures.
fn own_rows<'a>(j: &JointRef<'a>) -> impl Iterator<Item = &'a RowSpec> + Clone + use<'a> {
    j.rows().iter().filter(|r| r.holds())
}

/// What a joint would be by the name of its kind.
fn candidate(j: &JointRef<'_>) -> Option<Kind> {
    let rows: Vec<&RowSpec> = own_rows(j).collect();
    let soft = |angular: bool| {
        let found = rows.iter().find(|r| r.primitive.is_angular() == angular);
        found.map_or(Softness::RIGID, |r| r.soft)
    };
    let (linear, angular) = (LinearSoft::saying(soft(false)), AngularSoft::saying(soft(true)));
    let along = |k: usize| rows.get(k).map(|r| LinearSoft::saying(r.soft));
    let about = |k: usize| rows.get(k).map(|r| AngularSoft::saying(r.soft));
    fn pivot<M>(linear: LinearSoft, angular: AngularSoft) -> Pivot<M> {
        Pivot { point: None, axis: None, linear, angular, motor: None }
    }
    let weld = || Weld { point: None, axis: None, linear, angular };
    Some(match j.kind() {
        "ball" => Kind::Ball(Ball { point: None, axis: None, linear, motor: None }),
        "universal" => Kind::Universal(pivot(linear, angular)),
        "hinge" => Kind::Hinge(pivot(linear, angular)),
        "prismatic" => Kind::Prismatic(pivot(linear, angular)),
        "cylindrical" => Kind::Cylindrical(pivot(linear, angular)),
        "planar" => Kind::Planar(pivot(linear, angular)),
        "point-on-line" => Kind::PointOnLine(PointOnLine { point: None, axis: None, linear }),
        "weld" => Kind::Weld(weld()),
        "force-torque" => Kind::ForceTorque(weld()),
        "translational" => Kind::Translational(Translational { axis: None, angular }),
        "axial-lock" => Kind::AxialLock(AxialLock { axis: None, angular }),
        "six-dof" => {
            let locked = Locks::saying(j.kind_as::<taut::SixDof>()?.locks());
            Kind::SixDof(SixDof { point: None, axis: None, locked, linear, angular })
        }
        "wheel" => {
            let (suspension, steers) = (along(2)?, rows.len() == 4);
            Kind::Wheel(Wheel { point: None, axis: None, axle: None, suspension, steers })
        }
        "cable" => Kind::Cable(Cable {
            point: None,
            axis: None,
            material: None,
            axial: Some(linear),
            bending: Some(angular),
            torsion: Some(about(3)?),
            clamped_end: false,
        }),
        "flexible-cable" => Kind::FlexibleCable(FlexibleCable {
            point: None,
            axis: None,
            axial: along(5)?,
            shear: linear,
            bending: angular,
            torsion: about(2)?,
        }),
        "distance" => Kind::Distance(Distance { points: None, length: Some(length(rows.first()?)?), linear }),
        "rope" | "range" | "ligament" => return cord(j),
        _ => return None,
    })
}

fn length(row: &RowSpec) -> Option<Number<Metre>> {
    if let Primitive::Distance { length, .. } = row.primitive { Some(length.into()) } else { None }
}

/// What is bounded in its length.
fn cord(j: &JointRef<'_>) -> Option<Kind> {
    let first = j.own_limits().next()?;
    let (linear, restitution) = (LinearSoft::saying(first.soft), first.restitution.into());
    Some(match j.kind() {
        "rope" => Kind::Rope(Rope { points: None, length: Some(first.upper.into()), linear, restitution }),
        "range" => Kind::Range(Range {
            points: None,
            shortest: first.lower.into(),
            longest: first.upper.into(),
            linear,
            restitution,
        }),
        _ => {
            let l = j.kind_as::<taut::joints::Ligament>()?;
            Kind::Ligament(Ligament {
                points: None,
                rest_length: Some(first.upper.into()),
                soft_stiffness: l.soft_stiffness.into(),
                strain: l.strain.into(),
                stiffness: l.stiffness.is_finite().then(|| l.stiffness.into()),
                damping: l.damping.into(),
            })
        }
    })
}

/// Whether a kind of the file has the rows, the limits and the freedoms of a joint, and takes all that it has beside them.
fn says(kind: &Kind, j: &JointRef<'_>) -> bool {
    let (a, b) = j.bodies();
    let Ok(made) = of_kind(kind, [a, b], &Path::default()) else { return false };
    if made.kind().freedoms() != j.freedoms() {
        return false;
    }
    let Ok(made) = made.expansion(j.frames(), 0.0) else { return false };
    let rows = made.rows.len() == own_rows(j).count()
        && made.rows.iter().zip(own_rows(j)).all(|(a, b)| a.primitive == b.primitive && same(a.soft, b.soft));
    let limits = made.limits.len() == j.own_limits().count()
        && made.limits.iter().zip(j.own_limits()).all(|(a, b)| {
            let plain = |l: &Limit| Limit { soft: Softness::RIGID, ..*l };
            plain(a) == plain(&b) && same(a.soft, b.soft)
        });
    let used = j.limits().skip(made.limits.len()).map(|l| l.freedom);
    let used = used.chain(j.frictions().map(|f| f.freedom)).chain(j.motors().map(|m| Some(m.freedom())));
    rows && limits && made.chart == j.chart() && used.flatten().all(|f| leaves(kind, f))
}

/// Whether two laws are the same; damping has no effect on rigid rows.
fn same(a: Softness, b: Softness) -> bool {
    a.compliance == b.compliance && (a.compliance == 0.0 || a.damping == b.damping)
}

/// A joint as a list of rows.
fn rows(j: &JointRef<'_>, path: &Path) -> Result<Rows, FileError> {
    let chart = match j.chart() {
        None => None,
        Some(c) => Some(Chart::saying(c).ok_or_else(|| {
            FileError::new(path.key("chart"), format!("{c:?}: expected a chart that the format knows"))
        })?),
    };
    let rows = own_rows(j).map(|r| Row::saying(r.primitive, r.soft)).collect();
    Ok(Rows { rows, chart, freedoms: j.freedoms().iter().map(|f| Freedom::Of(*f)).collect() })
}
