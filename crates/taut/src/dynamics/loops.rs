//! Forward dynamics: the mass matrix, and the rows of joints that close loops.
//!
//! In the coordinates x = L a of the factor M = L^T L (`mass`) the mechanism is a point of unit mass, rows are
//! vectors g = L^-T G^T, and forces L^-T f. Gauss' principle of least constraint then is: of all x that the rows
//! allow the one nearest to that of the forces,
//! ```text
//! x = x0 + y,    y the shortest with g.y = goal - g.x0,    y = g lambda,    x0 = L^-T (force + applied - bias)
//! ```
//! both by `solve::least_squares`, so that redundant rows (a planar loop of hinges has three) share their force
//! evenly. Rows are scaled by the root of their bare mobility: units do not matter.
//!
//! A rope pulls or is slack: lambda <= 0, and where it is zero the length does not grow. Least-index pivoting finds
//! out which (Murty 1974).

use super::mass::Factor;
use super::matrix::Matrix;
use super::{Dynamics, LoopRow};
use crate::error::{Error, Result};
use crate::ids::JointId;
use crate::solve::least_squares::LeastNorm;
use crate::tuning::T;

/// What is factorised once.
#[derive(Clone, Debug)]
pub(super) struct Solver {
    pub factor: Factor,
    /// Loop rows as scaled vectors, one after the other.
    pub columns: Vec<f64>,
    /// All of them, factorised.
    pub all: LeastNorm,
}

/// What a scaled row asks for.
pub(super) struct Goal {
    /// Of g.x.
    pub value: f64,
    pub pulls: bool,
}

impl Dynamics {
    /// The rows of joints that are not in the forest, rigid ones only: those of joints that close loops, of rods, of
    /// joints without a chart, and taut ropes. Then the rigid couplings.
    pub fn loop_rows(&self) -> impl Iterator<Item = &LoopRow> {
        self.closing.iter().map(|c| &c.told)
    }

    /// The Jacobian G of the loop rows over the freedoms, in the order of [`Dynamics::loop_rows`].
    pub fn loop_jacobian(&self) -> Matrix {
        let mut out = Matrix::zeros(self.closing.len(), self.dofs.len());
        for (r, c) in self.closing.iter().enumerate() {
            for (k, value) in self.column(&c.row).into_iter().enumerate() {
                out[(r, k)] = value;
            }
        }
        out
    }

    /// Accelerations of the loop rows while all rates are constant, m/s^2 or rad/s^2: the loops stay closed while G a
    /// is their opposite.
    pub fn loop_drift(&self) -> Vec<f64> {
        self.closing.iter().map(|c| c.row.drift).collect()
    }

    /// Forward dynamics: the accelerations of all freedoms, m/s^2 or rad/s^2, under a force (N) or torque (N m) at each.
    /// What acts by itself ([`Dynamics::applied`]) and the joints that close loops do their share.
    pub fn forward(&self, force: &[f64]) -> Result<Vec<f64>> {
        Ok(self.moved(force)?.0)
    }

    /// The forces of the loop rows in [`Dynamics::forward`], N or N m, on body i of their joints; tension of rods and
    /// ropes is negative.
    pub fn loop_forces(&self, force: &[f64]) -> Result<Vec<f64>> {
        Ok(self.moved(force)?.1)
    }

    /// The accelerations of all freedoms when those of some joints are given and nothing else pushes: loops stay
    /// closed, and what neither joints nor loops decide moves as it will. One number for each freedom that the joints
    /// push at, in the order of [`Dynamics::inverse_with`], which then tells the efforts.
    pub fn follow(&self, joints: &[JointId], acceleration: &[f64]) -> Result<Vec<f64>> {
        let pushes = self.pushes_of(joints)?;
        if acceleration.len() != pushes.len() || acceleration.iter().any(|x| !x.is_finite()) {
            let expected = format!("{} finite numbers: {}", pushes.len(), self.push_names(&pushes));
            return Err(Error::input("acceleration of joints", format!("{acceleration:?}"), expected));
        }
        let solver = self.solver()?;
        let (mut columns, mut goals) = (solver.columns.clone(), self.goals());
        for (p, wanted) in pushes.iter().zip(acceleration) {
            let mut column = self.column(&p.row);
            solver.factor.scale_force(&mut column);
            columns.extend(column.iter().map(|x| p.scale * x));
            goals.push(Goal { value: p.scale * (wanted - p.row.drift), pulls: false });
        }
        let start = self.start(solver, &vec![0.0; self.dofs.len()]);
        let (x, _) = constrain(&start, &columns, &goals, None)?;
        let size = length(&x) + goals.iter().fold(0.0, |m, g| f64::max(m, g.value.abs()));
        let asked = rows(&columns, x.len(), goals.len()).zip(&goals).skip(self.closing.len());
        for ((row, goal), (p, wanted)) in asked.zip(pushes.iter().zip(acceleration)) {
            if !((product(row, &x) - goal.value).abs() <= T.dynamics.rounding * size) {
                let expected = "accelerations that the loops and the other joints allow";
                return Err(Error::input(format!("acceleration of {}", self.push_name(p)), wanted, expected));
            }
        }
        Ok(accelerations(solver, x))
    }

    /// Accelerations and loop forces under a force.
    fn moved(&self, force: &[f64]) -> Result<(Vec<f64>, Vec<f64>)> {
        self.check("force", force)?;
        let solver = self.solver()?;
        let start = self.start(solver, force);
        let (x, scaled) = constrain(&start, &solver.columns, &self.goals(), Some(&solver.all))?;
        let lambda = scaled.iter().zip(&self.closing).map(|(l, c)| l * c.scale).collect();
        Ok((accelerations(solver, x), lambda))
    }

    /// x0 under a force.
    fn start(&self, solver: &Solver, force: &[f64]) -> Vec<f64> {
        let own = self.swept(|i| self.acting.still[i] + self.acting.moving[i] - self.needed(i, Default::default()));
        let mut out: Vec<f64> = force.iter().zip(&own).map(|(a, b)| a + b).collect();
        let mut turning = vec![0.0; out.len()];
        self.add_rotor_bias(&mut turning);
        out.iter_mut().zip(&turning).for_each(|(out, bias)| *out -= bias);
        solver.factor.scale_force(&mut out);
        out
    }

    /// What keeps the loops closed.
    fn goals(&self) -> Vec<Goal> {
        self.closing.iter().map(|c| Goal { value: -c.scale * c.row.drift, pulls: c.told.pulls }).collect()
    }

    /// J^T of a row over the freedoms.
    pub(super) fn column(&self, row: &super::rows::Row) -> Vec<f64> {
        row.column(&self.tree, (&self.kin.s, &self.kin.arm))
    }

    /// The factors, made when they are first needed.
    pub(super) fn solver(&self) -> Result<&Solver> {
        self.solver.get_or_init(|| self.factorise()).as_ref().map_err(Clone::clone)
    }

    fn factorise(&self) -> Result<Solver> {
        let factor = self.mass().factor(|k| self.dofs[k].name.clone())?;
        let (rows, n) = (self.closing.len(), self.dofs.len());
        if rows * n > T.dynamics.dense {
            let expected = format!("at most {}: the rows of loops are dense", T.dynamics.dense);
            return Err(Error::input("loop rows times freedoms", format!("{rows} x {n}"), expected));
        }
        let mut columns = Vec::with_capacity(rows * n);
        for c in &self.closing {
            let mut column = self.column(&c.row);
            factor.scale_force(&mut column);
            columns.extend(column.iter().map(|x| c.scale * x));
        }
        let all = LeastNorm::new(n, columns.clone(), T.dynamics.depends);
        Ok(Solver { factor, columns, all })
    }
}

/// `count` rows of n numbers each.
pub(super) fn rows(columns: &[f64], n: usize, count: usize) -> impl Iterator<Item = &[f64]> {
    (0..count).map(move |r| &columns[r * n..(r + 1) * n])
}

pub(super) fn product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub(super) fn length(a: &[f64]) -> f64 {
    product(a, a).sqrt()
}

/// The columns of the rows that are on.
pub(super) fn chosen(columns: &[f64], n: usize, on: &[bool]) -> Vec<f64> {
    rows(columns, n, on.len()).zip(on).filter(|(_, on)| **on).flat_map(|(row, _)| row.iter().copied()).collect()
}

fn accelerations(solver: &Solver, mut x: Vec<f64>) -> Vec<f64> {
    solver.factor.acceleration_of(&mut x);
    x
}

/// x nearest to `start` among those that meet the goals of the rows, and the scaled forces of the rows. `all`: the
/// rows, factorised.
fn constrain(start: &[f64], columns: &[f64], goals: &[Goal], all: Option<&LeastNorm>) -> Result<(Vec<f64>, Vec<f64>)> {
    let (n, ropes) = (start.len(), goals.iter().filter(|g| g.pulls).count());
    let open: Vec<f64> =
        rows(columns, n, goals.len()).zip(goals).map(|(row, g)| g.value - product(row, start)).collect();
    let tiny = T.dynamics.rounding * (length(start) + open.iter().fold(0.0, |m, o| f64::max(m, o.abs())));
    let mut on = vec![true; open.len()];
    for _ in 0..32 * (1 + ropes) {
        let made;
        let f = match all {
            Some(all) if on.iter().all(|&on| on) => all,
            _ => {
                made = LeastNorm::new(n, chosen(columns, n, &on), T.dynamics.depends);
                &made
            }
        };
        let asked: Vec<f64> = open.iter().zip(&on).filter(|(_, on)| **on).map(|(open, _)| *open).collect();
        let y = f.solve_transposed(&asked);
        let mut found = f.solve(&y).into_iter();
        let forces: Vec<f64> = on.iter().map(|&on| if on { found.next().unwrap_or(0.0) } else { 0.0 }).collect();
        let opens = |r: usize, row: &[f64]| product(row, &y) - open[r];
        let wrong = rows(columns, n, goals.len())
            .zip(goals)
            .enumerate()
            .filter(|(_, (_, g))| g.pulls)
            .find(|(r, (row, _))| if on[*r] { forces[*r] > tiny } else { opens(*r, row) > tiny });
        match wrong {
            Some((r, _)) => on[r] = !on[r],
            None => return Ok((start.iter().zip(&y).map(|(a, b)| a + b).collect(), forces)),
        }
    }
    Err(Error::input(
        "taut ropes",
        ropes,
        "ropes of which it can be told which pull: some of them contradict each other",
    ))
}
