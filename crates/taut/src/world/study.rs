//! What benchmarks and figures look at and a step does not need.

use super::{Layout, World, empty};
use crate::desk::Desk;
use crate::desk::inputs::Given;
use crate::error::{Error, Result, positive};
use crate::ids::{BodyId, JointId};
use crate::options::InertialDamping;
use crate::profile::Profile;
use crate::report::StepReport;
use crate::stabilise::{constraint_space, geometric, inertial, work};
use crate::system::kkt::{self, Equations};
use crate::system::{linear, schur};
use crate::topology::Topology;
use crate::{force, step};

/// The system of a step with geometric stiffness (Tournier 2015 Eq. 21), dense: unknowns of the bodies first, then the rows.
///
/// A bob of 4 kg at rest on a rod: three unknowns and one row, h m g in the momentum, and m g in the rod.
/// ```
/// use taut::{Body, Distance, Vec3, World, study::Study};
/// let mut world = World::new();
/// let bob = world.add(Body::particle(4.0).at(-Vec3::Y))?;
/// world.add(Distance::between(bob, world.ground()))?;
/// world.step(0.01)?;
/// let kkt = world.kkt_system(0.01)?;
/// assert_eq!((kkt.nodes, kkt.rows, kkt.matrix.len()), (3, 1, 16));
/// assert!((kkt.momentum[1] + 0.01 * 4.0 * 9.81).abs() < 1e-9 && (kkt.lambda[0] + 4.0 * 9.81).abs() < 1e-9);
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct KktSystem {
    /// Unknowns of the bodies.
    pub nodes: usize,
    /// Rows.
    pub rows: usize,
    /// [M - h^2 K~, J^T; J, -Sigma], row-major, K~ its symmetric part.
    pub matrix: Vec<f64>,
    /// M v + h f.
    pub momentum: Vec<f64>,
    /// Violation of each row.
    pub phi: Vec<f64>,
    /// Force of each row in the last step.
    pub lambda: Vec<f64>,
}

/// What benchmarks and figures ask of a world and a step does not need.
///
/// Without forces in its rod, the augmented mass of a bob of 4 kg is its mass: both ways to invert it give 1/4.
/// ```
/// use taut::{Body, Distance, Vec3, World, study::Study};
/// let mut world = World::new();
/// let bob = world.add(Body::particle(4.0).at(-Vec3::Y))?;
/// world.add(Distance::between(bob, world.ground()))?;
/// for low_rank in [false, true] {
///     let inverse = world.augmented_inverse(0.01, low_rank)?;
///     assert!((0..3).all(|k| (inverse[4 * k] - 0.25).abs() < 1e-12));
/// }
/// # Ok::<(), taut::Error>(())
/// ```
pub trait Study {
    /// The inverse of the augmented mass matrix M - h^2 K~ (Andrews 2017 section 3) at the present pose with the forces of the last
    /// step, dense and row-major over the unknowns of the bodies: by rank-1 updates of M^-1, or by LU of the full matrix.
    /// It is what Table 2 of the paper times; the step never needs it.
    fn augmented_inverse(&mut self, h: f64, low_rank: bool) -> Result<Vec<f64>>;
    /// Instantaneous work -v^T K~ v / 2 of the geometric stiffness now, and v^T K_d v / 2 of its diagonal approximation, J/s^2
    /// (Andrews 2017 section 4.2, Eq. 12); the forces are those of the last step.
    fn geometric_work(&mut self) -> Result<[f64; 2]>;
    /// Coefficients of the inertial damping that the next step would add to a body: N s/m for translations, N m s for rotations
    /// (Andrews 2017 Eq. 11-13).
    fn inertial_damping(&mut self, h: f64, damping: InertialDamping, body: BodyId) -> Result<[f64; 6]>;
    /// Coefficients of the constraint-space damping that the next step would add to the rows of a joint: N s/m or N m s
    /// (Andrews 2017 section 4.3); zero for rows without compliance.
    fn constraint_damping(&mut self, h: f64, alpha: f64, joint: JointId) -> Result<Vec<f64>>;
    /// The system of the next step with geometric stiffness, of a world with one island.
    fn kkt_system(&mut self, h: f64) -> Result<KktSystem>;
    /// A step that also tells how long each of its stages took, s, in stage order. `clock` counts seconds from any moment on.
    fn profiled_step(&mut self, h: f64, clock: fn() -> f64) -> Result<(StepReport, Vec<(&'static str, f64)>)>;
    /// Time of a bare factorisation and solve of the last step's matrix, without anything else of the step: the yardstick of the
    /// benchmarks. `run` is called with a closure that does it once.
    fn bare_solve(&mut self, run: impl FnMut(&mut dyn FnMut())) -> Result<()>;
    /// Energy that the stabiliser gave a body in the last step, J; negative when it took some. Zero for bodies that sleep or do not
    /// move freely, and after a change of the world until the next step. What acts along rods between bodies is not in it.
    fn stabiliser_work(&self, id: BodyId) -> Result<f64>;
}

impl Study for World {
    fn augmented_inverse(&mut self, h: f64, low_rank: bool) -> Result<Vec<f64>> {
        self.look(h)?;
        let Some(layout) = self.layout.as_mut() else { return Err(empty()) };
        let Layout { t, inputs, desk, .. } = &mut **layout;
        let t = &Given { t, inputs };
        one_island(t)?;
        if t.links.iter().any(|l| !matches!(l.source, crate::topology::Source::Row(_))) {
            return Err(Error::input("springs", "some", "none: the matrix of the paper has joints only"));
        }
        let singular = |what: String| Error::step(self.state.time, what, "the augmented mass matrix is singular");
        let load = &inputs.rows.lambda;
        if low_rank {
            let e = Equations { load, ..Equations::of(t, 0, &desk.law, &desk.stiff, &desk.force, &desk.sol.saved) };
            return crate::system::low_rank::inverse(&e, h * h)
                .map_err(|g| singular(g.map_or("the system".into(), |g| self.model.joint_name(t.groups[g].slot()))));
        }
        geometric::evaluate(t, &t.islands[0], load, &mut desk.stiff.geo);
        let m = geometric::dense_mass(t, &t.islands[0], &desk.stiff.geo, h * h);
        let size = t.nodes.iter().map(|n| n.dim).sum::<usize>();
        let mut out = vec![0.0; size * size];
        desk.factor.dense.lu.factor(size, &m).map_err(|_| singular("the system".into()))?;
        desk.factor.dense.lu.inverse(&mut out);
        Ok(out)
    }

    fn geometric_work(&mut self) -> Result<[f64; 2]> {
        // The step length does not matter for poses and velocities.
        self.look(1.0)?;
        let Some(layout) = self.layout.as_mut() else { return Err(empty()) };
        let Layout { t, inputs, desk, .. } = &mut **layout;
        let t = &Given { t, inputs };
        let mut norms = vec![0.0; t.pattern.size()];
        let mut work = [0.0; 2];
        for island in &t.islands {
            geometric::evaluate(t, island, &inputs.rows.lambda, &mut desk.stiff.geo);
            geometric::column_norms(t, island, &desk.stiff.geo, &mut norms);
            work[0] -= geometric::work(t, island, &desk.stiff.geo);
            for n in island.nodes.clone() {
                let node = &t.nodes[n];
                let v = inputs.kin[n].twist();
                work[1] += (0..node.dim).map(|c| 0.5 * norms[node.x + c] * v[c] * v[c]).sum::<f64>();
            }
        }
        Ok(work)
    }

    fn inertial_damping(&mut self, h: f64, damping: InertialDamping, body: BodyId) -> Result<[f64; 6]> {
        self.model.body(body)?;
        self.look(h)?;
        let Some(layout) = self.layout.as_mut() else { return Err(empty()) };
        let Layout { t, inputs, desk, .. } = &mut **layout;
        let t = &Given { t, inputs };
        let found = t.slot_of.iter().take(t.nodes.len()).position(|&slot| slot == body.0.slot as usize);
        let Some(n) = found else { return Err(Error::input("body", format!("{body:?}"), "one that moves freely")) };
        inertial::evaluate(t, &t.islands[t.nodes[n].island], damping, h, &inputs.rows.lambda, &mut desk.stiff);
        let (x, dim) = (t.nodes[n].x, t.nodes[n].dim);
        Ok(std::array::from_fn(|c| if c < dim { desk.stiff.damping[x + c] / h } else { 0.0 }))
    }

    fn constraint_damping(&mut self, h: f64, alpha: f64, joint: JointId) -> Result<Vec<f64>> {
        self.model.joint(joint)?;
        self.look(h)?;
        let Some(layout) = self.layout.as_mut() else { return Err(empty()) };
        let Layout { t, inputs, desk, .. } = &mut **layout;
        step::gather::rows(t, &self.plan, &self.state, h, inputs);
        let t = &Given { t, inputs };
        let Some(g) = t.groups.iter().find(|g| g.slot() == joint.0.slot as usize) else { return Ok(Vec::new()) };
        let island = &t.islands[g.island()];
        desk.open(t, island);
        constraint_space::evaluate(t, island, alpha, h, (&inputs.rows.lambda, &mut desk.stiff.geo), &mut desk.law);
        Ok(desk.law.added_damping[g.row()..g.row() + g.rows()].to_vec())
    }

    fn kkt_system(&mut self, h: f64) -> Result<KktSystem> {
        self.look(h)?;
        let Some(layout) = self.layout.as_mut() else { return Err(empty()) };
        let Layout { t, inputs, desk, .. } = &mut **layout;
        one_island(t)?;
        let island = &t.islands[0];
        for n in island.nodes.clone() {
            inputs.omega_g[n] = inputs.kin[n].omega;
        }
        force::evaluate(&self.model, t, (self.plan.gravity, h, self.plan.is_aligned()), inputs);
        step::gather::rows(t, &self.plan, &self.state, h, inputs);
        let t = &Given { t, inputs };
        desk.open(t, island);
        geometric::evaluate(t, island, &desk.force.load, &mut desk.stiff.geo);
        let s = crate::desk::Scales { keep: 0.0, sigma: h / inputs.hk[0], geo: h * h, symmetric: true };
        let e = Equations::of(t, 0, &desk.law, &desk.stiff, &desk.force, &desk.sol.saved);
        linear::dense_matrix(&e, s, &mut desk.factor.dense);
        Ok(sorted(t, desk))
    }

    fn profiled_step(&mut self, h: f64, clock: fn() -> f64) -> Result<(StepReport, Vec<(&'static str, f64)>)> {
        self.lay_out()?;
        self.set_profile(Profile::start(clock));
        let done = self.step(h);
        let profile = self.set_profile(Profile::default());
        Ok((done?, profile.spent()))
    }

    fn bare_solve(&mut self, mut run: impl FnMut(&mut dyn FnMut())) -> Result<()> {
        self.lay_out()?;
        let Some(layout) = self.layout.as_mut() else { return Err(empty()) };
        let Layout { t, inputs, desk, .. } = &mut **layout;
        let t = &Given { t, inputs };
        for k in 0..t.islands.len() {
            let s = crate::desk::Scales { keep: 1.0, sigma: 1.0, geo: 0.0, symmetric: false };
            let e = Equations::of(t, k, &desk.law, &desk.stiff, &desk.force, &desk.sol.saved);
            kkt::assemble(&e, s, &mut desk.factor.ldlt);
        }
        let (diag, off) = (desk.factor.ldlt.diag.clone(), desk.factor.ldlt.off.clone());
        let mut once = || {
            desk.factor.ldlt.diag.copy_from_slice(&diag);
            desk.factor.ldlt.off.copy_from_slice(&off);
            for island in &t.islands {
                desk.sol.x[island.x.clone()].copy_from_slice(&desk.right.b[island.x.clone()]);
                if linear::factor_direct(t, island, &mut desk.factor).is_ok() {
                    linear::solve_direct(t, island, &desk.factor, &mut desk.sol.x);
                }
            }
        };
        run(&mut once);
        Ok(())
    }

    fn stabiliser_work(&self, id: BodyId) -> Result<f64> {
        self.model.body(id)?;
        let Some(layout) = self.layout.as_ref().filter(|_| !self.plan.alone && self.state.steps > 0) else {
            return Ok(0.0);
        };
        let Layout { t, inputs, desk, .. } = &**layout;
        let dense = t.dense_of.get(id.0.slot as usize).copied().unwrap_or(usize::MAX);
        Ok(if t.is_node(dense) {
            work::of_node(&Given { t, inputs }, &desk.stiff, &desk.memory, &desk.sol.x, dense)
        } else {
            0.0
        })
    }
}

impl World {
    /// The present state into the desk, with the inertia of every body in the world.
    fn look(&mut self, h: f64) -> Result<()> {
        positive("time step", h, "s")?;
        self.lay_out()?;
        let Some(layout) = self.layout.as_mut() else { return Err(empty()) };
        let Layout { t, inputs, .. } = &mut **layout;
        step::gather::gather(&self.model, t, (&self.plan, h), &self.state, inputs);
        for (n, node) in t.nodes.iter().enumerate() {
            let rot = inputs.kin[n].rot;
            inputs.inertia[n] =
                if node.isotropic { t.local_inertia[n] } else { rot * t.local_inertia[n] * rot.transpose() };
        }
        Ok(())
    }

    /// Exchanges the profile of the desk.
    fn set_profile(&mut self, profile: Profile) -> Profile {
        self.layout.as_mut().map(|layout| std::mem::replace(&mut layout.desk.profile, profile)).unwrap_or_default()
    }
}

fn one_island(t: &Topology) -> Result<()> {
    if t.islands.len() != 1 {
        return Err(Error::input("islands", t.islands.len(), "one"));
    }
    Ok(())
}

/// The dense matrix of the only island with its unknowns sorted.
fn sorted(t: &Given<'_>, desk: &Desk) -> KktSystem {
    let island = &t.islands[0];
    let (nodes, rows) = schur::split(t, island);
    let order: Vec<usize> = nodes.iter().chain(&rows).copied().collect();
    let by_row = |values: &[f64]| -> Vec<f64> {
        t.groups[island.groups.clone()].iter().flat_map(|g| values[g.row()..g.row() + g.rows()].to_vec()).collect()
    };
    KktSystem {
        nodes: nodes.len(),
        rows: rows.len(),
        matrix: schur::extract(&desk.factor.dense.matrix, island.x.len(), &order, &order),
        momentum: nodes.iter().map(|&k| desk.right.b[island.x.start + k]).collect(),
        phi: by_row(&t.inputs.rows.phi),
        lambda: by_row(&desk.force.load),
    }
}
