//! Efforts at chosen joints, with loops: inverse dynamics and statics.
//!
//! The force t that the freedoms need is made of efforts u along the columns E of the joints and of forces lambda of
//! loops,
//! ```text
//! E u + G^T lambda = t
//! ```
//! in the coordinates of the factor (`loops`). Loops carry what they can, then efforts are the shortest that carry
//! the rest, then the loop forces the shortest: P E u = P t with P the part that no loop can make. Forces are
//! compared with torques by their mobilities.

use super::loops::{Solver, chosen, length, product, rows};
use super::pushes::Push;
use super::{Dynamics, Unit};
use crate::error::{Error, Result, Shortfall};
use crate::ids::{JointId, missing};
use crate::solve::least_squares::LeastNorm;
use crate::tuning::T;

/// What one freedom of a joint pushes with.
///
/// The shoulder that holds a level arm of 10 kg pushes with m g l/2 = 49.05 N m.
/// ```
/// # use taut::{Body, Hinge, MassProperties, Vec3, World};
/// # let mut world = World::new();
/// # let arm = MassProperties::cuboid(1000.0, Vec3::new(0.5, 0.05, 0.05))?;
/// # let arm = world.add(Body::dynamic(arm).at(0.5 * Vec3::X))?;
/// let shoulder = world.add(Hinge::between(arm, world.ground()).at(Vec3::ZERO).axis(Vec3::Z).named("shoulder"))?;
/// let held = world.dynamics()?.holding()?;
/// let effort = &held.efforts[0];
/// assert_eq!((effort.joint, effort.name.as_str(), effort.unit.effort()), (shoulder, "shoulder", "N m"));
/// assert!((effort.value - 49.05).abs() < 1e-9);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Effort {
    /// The joint.
    pub joint: JointId,
    /// Which of its freedoms, as in [`super::Dof::index`]; of a joint without a chart which motor.
    pub freedom: usize,
    /// Its name for people.
    pub name: String,
    /// What the freedom is measured in.
    pub unit: Unit,
    /// Force or torque on body i of the joint, N or N m; body j takes the opposite.
    pub value: f64,
}

/// What joints push with, and what loops then carry.
///
/// A boom of 10 kg on a pendant rope at 45 degrees: the rope carries it with m g/2 / sin(45 deg) and the foot needs no
/// torque.
/// ```
/// # use taut::{Body, Hinge, MassProperties, Rope, Vec3, World};
/// # let mut world = World::new();
/// # let boom = MassProperties::cuboid(1000.0, Vec3::new(0.5, 0.05, 0.05))?;
/// # let boom = world.add(Body::dynamic(boom).at(0.5 * Vec3::X))?;
/// let foot = world.add(Hinge::between(boom, world.ground()).at(Vec3::ZERO).axis(Vec3::Z))?;
/// world.add(Rope::between(boom, world.ground()).ends(Vec3::X, Vec3::Y))?;
/// let held = world.dynamics()?.hold_with(&[foot])?;
/// assert!((held.loop_forces[0] + 98.1 / 2.0 * 2.0_f64.sqrt()).abs() < 1e-6);
/// assert!(held.of(foot)[0].abs() < 1e-6);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Efforts {
    /// Efforts of the joints, in the order they were asked for.
    pub efforts: Vec<Effort>,
    /// Forces of the loop rows, N or N m, in the order of [`Dynamics::loop_rows`]; tension of rods and ropes is
    /// negative.
    pub loop_forces: Vec<f64>,
    /// How many freedoms each joint has.
    freedoms: Vec<(JointId, usize)>,
}

impl Efforts {
    /// What a joint pushes with at each of its freedoms, N or N m, for [`crate::World::apply_effort`]: zero where it
    /// does not push, empty for a joint that was not asked.
    pub fn of(&self, joint: JointId) -> Vec<f64> {
        let count = self.freedoms.iter().find(|f| f.0 == joint).map_or(0, |f| f.1);
        let mut out = vec![0.0; count];
        for e in self.efforts.iter().filter(|e| e.joint == joint && e.freedom < count) {
            out[e.freedom] = e.value;
        }
        out
    }
}

/// A try: efforts and scaled loop forces, and what is left.
struct Tried {
    efforts: Vec<f64>,
    forces: Vec<f64>,
    left: Vec<f64>,
}

impl Dynamics {
    /// The efforts that hold the pose at rest: of the joints that have motors, or of all joints of the forest where
    /// none has. See [`Dynamics::hold_with`].
    pub fn holding(&self) -> Result<Efforts> {
        let in_forest = |p: &&Push| self.find(p.joint).is_some();
        let mut joints: Vec<JointId> = self.pushes.iter().filter(|p| p.driven).map(|p| p.joint).collect();
        if joints.is_empty() {
            joints = self.pushes.iter().filter(in_forest).map(|p| p.joint).collect();
        }
        joints.dedup();
        self.hold_with(&joints)
    }

    /// The efforts of these joints that hold the pose at rest, as if nothing moved: against gravity, springs,
    /// constant forces and loads that wait for the next step, without drag and damping.
    ///
    /// A joint with motors pushes where they drive it (leaning motors of ball and universal joints at all their
    /// turns), one without at everything that it leaves free. Loops carry what they can; of all efforts that do the
    /// rest these have the least sum of squares. A rope that would have to push carries nothing.
    /// [`Error::Unbalanced`] tells what is missing, and where.
    pub fn hold_with(&self, joints: &[JointId]) -> Result<Efforts> {
        let needed = self.swept(|i| self.weight(i) - self.acting.still[i]);
        self.balance(joints, needed, vec![true; self.closing.len()])
    }

    /// Inverse dynamics with loops: the efforts of these joints, chosen as in [`Dynamics::hold_with`], that give all
    /// freedoms the wanted accelerations, m/s^2 or rad/s^2, at the present velocity. The accelerations must keep the
    /// loops closed; [`Dynamics::follow`] makes such from those of a few joints.
    pub fn inverse_with(&self, joints: &[JointId], acceleration: &[f64]) -> Result<Efforts> {
        let needed = self.inverse(acceleration)?;
        let solver = self.solver()?;
        let x = solver.factor.scaled_acceleration(acceleration);
        let mut on = Vec::with_capacity(self.closing.len());
        for (c, row) in self.closing.iter().zip(rows(&solver.columns, x.len(), self.closing.len())) {
            let (gains, drift) = (product(row, &x), c.scale * c.row.drift);
            let tiny = T.dynamics.rounding * (length(&x) + drift.abs());
            let opens = gains + drift;
            if opens > tiny || (!c.told.pulls && !(opens >= -tiny)) {
                let (name, unit) = (self.joint_name(c.told.joint, ""), c.told.unit);
                let value = format!("one that opens {name} by {:e} {unit}/s^2", opens / c.scale);
                return Err(Error::input(
                    "acceleration",
                    value,
                    "one that keeps all loops closed, as Dynamics::follow gives",
                ));
            }
            // A rope that gets shorter carries nothing.
            on.push(opens >= -tiny);
        }
        self.balance(joints, needed, on)
    }

    /// Where these joints push.
    pub(super) fn pushes_of(&self, joints: &[JointId]) -> Result<Vec<&Push>> {
        let mut out: Vec<&Push> = Vec::new();
        for &joint in joints {
            let own = || self.pushes.iter().filter(move |p| p.joint == joint && p.joint.0.world == joint.0.world);
            if own().next().is_none() {
                return Err(self.no_push(joint));
            }
            if !out.iter().any(|p| p.joint == joint) {
                let motors = own().any(|p| p.driven);
                out.extend(own().filter(|p| p.driven || !motors));
            }
        }
        Ok(out)
    }

    fn no_push(&self, joint: JointId) -> Error {
        if !self.names.iter().any(|n| n.key == joint.0 && n.key.world == joint.0.world) {
            return missing(self.world, "joint", joint.0);
        }
        let expected = "one that leaves something free between two bodies that are no particles, or has motors";
        Error::input("joint that carries effort", self.joint_name(joint, ""), expected)
    }

    /// What a joint is called.
    fn joint_name(&self, joint: JointId, label: &str) -> String {
        self.names.iter().find(|n| n.key == joint.0).map_or_else(String::new, |n| n.with(label))
    }

    /// What a place where a joint pushes is called.
    pub(super) fn push_name(&self, p: &Push) -> String {
        let name = self.joint_name(p.joint, p.label);
        if p.label == "motor" { format!("{name} {}", p.freedom) } else { name }
    }

    /// All of them.
    pub(super) fn push_names(&self, pushes: &[&Push]) -> String {
        pushes.iter().map(|p| self.push_name(p)).collect::<Vec<_>>().join(", ")
    }

    /// Efforts and loop forces that make a force. `on`: which loop rows can carry.
    fn balance(&self, joints: &[JointId], mut needed: Vec<f64>, mut on: Vec<bool>) -> Result<Efforts> {
        let pushes = self.pushes_of(joints)?;
        let solver = self.solver()?;
        solver.factor.scale_force(&mut needed);
        let tiny = T.dynamics.balance * (length(&needed) + self.gross());
        let units: Vec<Unit> = pushes.iter().map(|p| p.unit).collect();
        let (columns, scales) = scaled_alike(solver, pushes.iter().map(|p| self.column(&p.row)), &units);
        loop {
            let mut tried = attempt(solver, &columns, &needed, &on);
            tried.efforts.resize(pushes.len(), 0.0);
            let pushed = |r: usize| if self.closing[r].told.pulls { tried.forces[r] } else { 0.0 };
            let worst = (0..on.len()).fold(None, |m: Option<usize>, r| match m {
                Some(b) if pushed(b) >= pushed(r) => m,
                _ => (pushed(r) > tiny).then_some(r).or(m),
            });
            if let Some(r) = worst {
                on[r] = false;
                continue;
            }
            if !(length(&tried.left) <= tiny) {
                let carrying = [chosen(&solver.columns, needed.len(), &on), columns].concat();
                return Err(self.unbalanced(solver, &pushes, carrying, &tried.left));
            }
            return Ok(self.told(&pushes, &tried, &scales));
        }
    }

    /// The size of all that acts at rest, in the coordinates of the factor.
    fn gross(&self) -> f64 {
        let of = |(inertia, [force, torque]): (&super::mass::Inertia, &[f64; 2])| {
            let weight = inertia.mass * self.gravity.length();
            let about = (inertia.second.x_axis.x + inertia.second.y_axis.y + inertia.second.z_axis.z) / 3.0;
            let turning = if about > 0.0 { torque * torque / about } else { 0.0 };
            (weight + force) * (weight + force) / inertia.mass + turning
        };
        self.inertia.iter().zip(&self.acting.gross).map(of).sum::<f64>().sqrt()
    }

    fn told(&self, pushes: &[&Push], tried: &Tried, scales: &[f64]) -> Efforts {
        let effort = |(p, (u, s)): (&&Push, (&f64, &f64))| Effort {
            joint: p.joint,
            freedom: p.freedom,
            name: self.push_name(p),
            unit: p.unit,
            value: u * s,
        };
        let mut freedoms: Vec<(JointId, usize)> = Vec::new();
        for p in pushes {
            if !freedoms.iter().any(|f| f.0 == p.joint) {
                freedoms.push((p.joint, self.pushes.iter().filter(|o| o.joint == p.joint).count()));
            }
        }
        Efforts {
            efforts: pushes.iter().zip(tried.efforts.iter().zip(scales)).map(effort).collect(),
            loop_forces: tried.forces.iter().zip(&self.closing).map(|(l, c)| l * c.scale).collect(),
            freedoms,
        }
    }

    /// What is missing at the freedoms that carry no effort, the largest part first, forces compared with torques as
    /// efforts are. `carrying`: columns of what can carry, `left`: what it leaves.
    fn unbalanced(&self, solver: &Solver, pushes: &[&Push], carrying: Vec<f64>, left: &[f64]) -> Error {
        let n = left.len();
        let mut idle = vec![true; n];
        for p in pushes {
            self.find(p.joint).and_then(|mut own| own.nth(p.freedom)).into_iter().for_each(|k| idle[k] = false);
        }
        let dofs: Vec<usize> = (0..n).filter(|&k| idle[k]).collect();
        let units: Vec<Unit> = dofs.iter().map(|&k| self.dofs[k].unit).collect();
        let one = |&k: &usize| (0..n).map(|i| f64::from(u8::from(i == k))).collect();
        let (mut columns, scales) = scaled_alike(solver, dofs.iter().map(one), &units);
        let carrying = LeastNorm::new(n, carrying, T.dynamics.depends);
        columns.chunks_exact_mut(n.max(1)).for_each(|column| carrying.leave(column));
        let found = LeastNorm::new(n, columns, T.dynamics.depends).solve(left);
        let share = |k: usize| found[k].abs();
        let most = (0..dofs.len()).fold(0.0, |m, k| f64::max(m, share(k)));
        let mut order: Vec<usize> = (0..dofs.len()).filter(|&k| share(k) > T.dynamics.rounding * most).collect();
        order.sort_by(|&a, &b| share(b).total_cmp(&share(a)));
        let of = |k: usize| Shortfall {
            dof: dofs[k],
            name: self.dofs[dofs[k]].name.clone(),
            missing: scales[k] * found[k],
            unit: units[k].effort(),
        };
        Error::Unbalanced { joints: self.push_names(pushes), missing: order.into_iter().map(of).collect() }
    }
}

/// Columns of forces in the coordinates of the factor, scaled alike for all forces and for all torques, and the scales.
fn scaled_alike(solver: &Solver, forces: impl Iterator<Item = Vec<f64>>, units: &[Unit]) -> (Vec<f64>, Vec<f64>) {
    let mut longest = [0.0_f64; 2];
    let mut columns: Vec<Vec<f64>> = Vec::with_capacity(units.len());
    for (mut column, unit) in forces.zip(units) {
        solver.factor.scale_force(&mut column);
        let most = &mut longest[usize::from(*unit == Unit::Radian)];
        *most = most.max(length(&column));
        columns.push(column);
    }
    let scale = longest.map(|most| if most > 0.0 { 1.0 / most } else { 1.0 });
    let scales: Vec<f64> = units.iter().map(|unit| scale[usize::from(*unit == Unit::Radian)]).collect();
    let scaled = columns.iter().zip(&scales).flat_map(|(column, s)| column.iter().map(move |x| s * x));
    (scaled.collect(), scales)
}

/// Efforts first, then loop forces; all scaled.
fn attempt(solver: &Solver, efforts: &[f64], needed: &[f64], on: &[bool]) -> Tried {
    let n = needed.len();
    let made;
    let loops = if on.iter().all(|&on| on) {
        &solver.all
    } else {
        made = LeastNorm::new(n, chosen(&solver.columns, n, on), T.dynamics.depends);
        &made
    };
    let mut free = efforts.to_vec();
    free.chunks_exact_mut(n.max(1)).for_each(|column| loops.leave(column));
    let mut rest = needed.to_vec();
    loops.leave(&mut rest);
    let found = LeastNorm::new(n, free, T.dynamics.depends).solve(&rest);
    let mut left = needed.to_vec();
    for (column, u) in rows(efforts, n, found.len()).zip(&found) {
        left.iter_mut().zip(column).for_each(|(l, c)| *l -= u * c);
    }
    let mut carried = loops.solve(&left).into_iter();
    let forces = on.iter().map(|&on| if on { carried.next().unwrap_or(0.0) } else { 0.0 }).collect();
    loops.leave(&mut left);
    Tried { efforts: found, forces, left }
}
