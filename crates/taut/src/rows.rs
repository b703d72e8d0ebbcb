//! All rows of the world as arrays: phi, J and the law of each row at the present pose.
//!
//! A row obeys lambda+ = -(phi + theta h J v+)/C - B J v+, which gives (Andrews 2017 Eq. 14-17 for theta = 1)
//! ```text
//! J v+ + Sigma (h lambda+) = -Gamma phi / h,    Gamma = 1/(theta + C B/h),    Sigma = (C/h^2)/(theta + C B/h)
//! ```
//! theta = 1 is backward Euler, which takes the energy of springs; the default step chooses it row by row (`theta`).
//! Departs from the paper: Eq. 16 and 17 print the parenthesis in the wrong place (they diverge at B = 0), and Eq. 15
//! must have Sigma times the impulse. C = 0 gives Gamma = 1, Sigma = 0; C infinite is a pure damper, Sigma = 1/(h B).

pub(crate) mod rotor;
mod velocity;

pub(crate) use rotor::Rotor;
pub(crate) use velocity::{anchor, ball_velocity, joint_velocity, linear_row, row_velocity, side};

use crate::constraint::{Primitive, point};
use crate::joints::{Command, Freedom, RowSpec};
use crate::kin::Kin;
use crate::solve::block_ldlt::MAX_DIM;
use crate::topology::{Group, Load, MotorRow, NONE, Topology, renewed, sized};
use crate::tuning::T;
use glam::{DMat3, DVec3};

/// Row arrays in the order of the groups.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// Violation, m or rad.
    pub phi: Vec<f64>,
    /// Sigma, 1/kg or 1/(kg m^2).
    pub sigma: Vec<f64>,
    /// Gamma, no unit.
    pub gamma: Vec<f64>,
    /// Compliance, m/N or rad/(N m), and damping of compliant rows, N s/m or N m s/rad; empty where all rows are rigid.
    compliance: Vec<f64>,
    damping: Vec<f64>,
    /// Whether any row has compliance.
    pub any_soft: bool,
    /// Velocity of the row due to kinematic bodies, m/s or rad/s.
    pub drive: Vec<f64>,
    /// Whether the row's violation is an error to be closed, and not a spring's stretch or a motor's position.
    pub rigid: Vec<bool>,
    /// Whether the row is a motor's; empty without motors.
    pub motor: Vec<bool>,
    /// Velocity that a motor's command asks for beyond -Gamma phi/h, m/s or rad/s; empty without motors.
    pub wanted: Vec<f64>,
    /// Rows of motors that were told nothing, by group and local row: they have no Jacobian.
    pub idle: Vec<(usize, usize)>,
    /// Rows of armatures, in the order of the groups.
    pub(crate) rotors: Vec<Rotor>,
    /// Multipliers of the last step, N or N m.
    pub lambda: Vec<f64>,
    /// Mobility of loop rows by unknown, 1/kg or 1/(kg m^2); zero elsewhere, and empty where no row may be dropped.
    pub mobility: Vec<f64>,
    /// Stretch of compliant rows that counts as elastic (`report::booked_stretch`), m or rad; `UNKNOWN` before the
    /// first step, when it is phi. Empty where no row can have any.
    pub stretch: Vec<f64>,
    /// Jacobian values by `Group::jac_i` and `jac_j`.
    pub jac: Vec<f64>,
    /// Lever arms of the force-carrying rows of each group, world frame, m.
    pub arms: Vec<(DVec3, DVec3)>,
    /// The two directions that a row behind a ball keeps at right angles (`Group::arced`), world frame; empty where there are no such rows.
    pub directions: Vec<(DVec3, DVec3)>,
    /// Compliant joints at the more crowded end of each group that has compliant rows, zero for the others: the
    /// frequencies of joints at one body add up.
    pub crowd: Vec<f64>,
    /// Whether compliant rows follow the theta law (the default step) or backward Euler (the published stabilisers).
    pub keeps_energy: bool,
}

impl Rows {
    /// All rows of a layout, in memory that served another one.
    pub(crate) fn renewed(self, t: &Topology) -> Self {
        let n = t.all_rows();
        let directed = if t.groups.iter().any(|g| g.arced && g.rows() > 3) { t.row_count } else { 0 };
        let mut rows = Rows {
            phi: t.sized_rows(self.phi),
            sigma: t.sized_rows(self.sigma),
            gamma: t.sized_rows(self.gamma),
            compliance: self.compliance,
            damping: self.damping,
            any_soft: false,
            drive: t.sized_rows(self.drive),
            rigid: renewed(self.rigid, n, false),
            motor: renewed(self.motor, if t.motors.is_empty() { 0 } else { n }, false),
            wanted: renewed(self.wanted, if t.motors.is_empty() { 0 } else { n }, 0.0),
            idle: Vec::with_capacity(t.motors.len()),
            rotors: self.rotors,
            lambda: t.sized_rows(self.lambda),
            mobility: renewed(self.mobility, if t.may_drop() { t.pattern.size() } else { 0 }, 0.0),
            stretch: renewed(self.stretch, 0, UNKNOWN),
            jac: sized(self.jac, t.jac_len, 0.0),
            arms: sized(self.arms, t.groups.len(), (DVec3::ZERO, DVec3::ZERO)),
            directions: sized(self.directions, directed, (DVec3::ZERO, DVec3::ZERO)),
            crowd: renewed(self.crowd, t.groups.len(), 0.0),
            keeps_energy: false,
        };
        for m in &t.motors {
            rows.motor[m.row] = true;
        }
        rows.take_laws(t);
        rows
    }

    /// Compliance and damping of all rows.
    pub(crate) fn take_laws(&mut self, t: &Topology) {
        let soft = |g: &Group| t.prims[g.prims()].iter().any(|spec| spec.soft.compliance > 0.0);
        self.any_soft = t.groups.iter().any(soft);
        self.fit(t);
        self.rotors.clear();
        for (k, g) in t.groups.iter().enumerate() {
            let mut r = g.row();
            for spec in &t.prims[g.prims().clone()] {
                for _ in 0..spec.primitive.rows() {
                    if self.any_soft {
                        self.compliance[r] = spec.soft.compliance;
                        self.damping[r] = spec.soft.damping;
                    }
                    if spec.armature > 0.0 {
                        self.rotors.push(Rotor::new(k, g, r, spec));
                    }
                    self.rigid[r] = g.is_stiff(r - g.row());
                    r += 1;
                }
            }
        }
        self.count_crowd(t);
    }

    /// Room for what compliant rows and rows with bounds have, where there are any.
    fn fit(&mut self, t: &Topology) {
        let soft = if self.any_soft { t.all_rows() } else { 0 };
        self.compliance.resize(soft, 0.0);
        self.damping.resize(soft, 0.0);
        self.stretch.resize(if t.all_rows() > t.row_count { t.all_rows() } else { soft }, UNKNOWN);
    }

    /// Compliance of a row, m/N or rad/(N m).
    #[inline]
    pub(crate) fn compliance(&self, row: usize) -> f64 {
        self.compliance.get(row).copied().unwrap_or(0.0)
    }

    /// Damping of a row with compliance, N s/m or N m s/rad.
    #[inline]
    pub(crate) fn damping(&self, row: usize) -> f64 {
        self.damping.get(row).copied().unwrap_or(0.0)
    }

    /// How many compliant joints meet at the ends of each compliant one.
    fn count_crowd(&mut self, t: &Topology) {
        if !self.any_soft {
            self.crowd.fill(0.0);
            return;
        }
        let soft = |g: &Group| (0..g.rows()).any(|r| self.is_spring(g.row() + r));
        let mut at = vec![0.0; t.nodes.len()];
        for g in t.groups.iter().filter(|g| soft(g)) {
            [g.i(), g.j()].into_iter().filter(|&b| t.is_node(b)).for_each(|b| at[b] += 1.0);
        }
        let most = |g: &Group| [g.i(), g.j()].into_iter().filter(|&b| t.is_node(b)).map(|b| at[b]).fold(1.0, f64::max);
        let crowd: Vec<f64> = t.groups.iter().map(|g| if soft(g) { most(g) } else { 0.0 }).collect();
        self.crowd = crowd;
    }

    /// How implicit a row with this Sigma is, `damped` by the stabiliser: zero for one that no position drives.
    #[inline]
    pub(crate) fn theta(&self, row: usize, sigma: f64, damped: f64, h: f64) -> f64 {
        let c = self.compliance(row);
        if c == 0.0 || self.rigid[row] {
            return 1.0;
        }
        if self.is_spring(row) { implicit(c, self.damping(row) + damped, sigma, h) } else { 0.0 }
    }

    /// Whether a row stores energy in its compliance.
    #[inline]
    fn is_spring(&self, row: usize) -> bool {
        let c = self.compliance(row);
        c > 0.0 && c.is_finite() && !self.is_motor(row)
    }

    pub(crate) fn bytes(&self) -> usize {
        let lists = [&self.phi, &self.sigma, &self.gamma, &self.compliance, &self.damping, &self.drive, &self.lambda];
        8 * (lists.iter().map(|list| list.capacity()).sum::<usize>()
            + self.stretch.capacity()
            + self.mobility.capacity()
            + self.crowd.capacity()
            + self.wanted.capacity()
            + self.jac.capacity()
            + 6 * (self.arms.capacity() + self.directions.capacity()))
            + self.rigid.capacity()
            + self.motor.capacity()
            + size_of::<Rotor>() * self.rotors.capacity()
    }

    /// Whether a row is a motor's.
    #[inline]
    pub(crate) fn is_motor(&self, row: usize) -> bool {
        self.motor.get(row).is_some_and(|&m| m)
    }

    /// Whether a row feels the armature of its joint.
    pub(crate) fn is_rotor(&self, row: usize) -> bool {
        self.rotors.binary_search_by_key(&row, |rotor| rotor.row).is_ok()
    }

    /// Whether a row counts as rigid.
    #[inline]
    pub(crate) fn is_rigid(&self, row: usize) -> bool {
        self.rigid[row]
    }
}

/// The stretch of a row that has not taken a step since it was made or moved.
pub(crate) const UNKNOWN: f64 = -1.0;

/// How implicit a compliant row must be. `a` is h^2 omega^2 of the fastest mode it can be part of: up to 1 the row is
/// symplectic Euler, which keeps an energy; beyond, the modulus of that mode is a^-1/2, continuous and L-stable.
#[inline]
pub(crate) fn theta(a: f64) -> f64 {
    if a <= 1.0 { T.rows.explicit } else { (1.0 - 1.0 / a).max(T.rows.explicit) }
}

/// theta of a compliant row, from its Sigma.
pub(crate) fn implicit(compliance: f64, damping: f64, sigma: f64, h: f64) -> f64 {
    (compliance / (h * h * sigma) - compliance * damping / h).clamp(0.0, 1.0)
}

/// (Sigma, Gamma) of a row.
#[inline]
pub fn law(compliance: f64, damping: f64, theta: f64, h: f64) -> (f64, f64) {
    if compliance == 0.0 {
        (0.0, 1.0)
    } else if compliance.is_infinite() {
        (1.0 / (h * damping), 0.0)
    } else {
        let d = theta + compliance * damping / h;
        (compliance / (h * h) / d, 1.0 / d)
    }
}

/// What the commands ask of the rows of motors (see `joints::motor`): with the error e = q - q*, Gamma (q - e)/h + (1 - Gamma) q'*.
/// The row of a motor that was told nothing has no Jacobian: Sigma (h lambda) = 0.
pub(crate) fn command(t: &Topology, commands: &[Option<Command>], wind: &[f64], h: f64, rows: &mut Rows) {
    rows.idle.clear();
    for m in &t.motors {
        if t.groups[m.group].dead {
            rows.wanted[m.row] = 0.0;
            continue;
        }
        let Some(c) = &commands[m.command] else {
            let g = &t.groups[m.group];
            (rows.gamma[m.row], rows.wanted[m.row], rows.drive[m.row]) = (0.0, 0.0, 0.0);
            rows.sigma[m.row] = rows.mobility.get(m.x).copied().filter(|&m| m > 0.0).unwrap_or(1.0);
            cut(t, g, m.row - g.row(), &mut rows.jac);
            rows.idle.push((m.group, m.row - g.row()));
            continue;
        };
        let (q, gamma) = (rows.phi[m.row], rows.gamma[m.row]);
        let turns = (m.turn != NONE).then(|| wind[m.turn]);
        let c = within(m, c, q, turns, h);
        let c = Command { target: m.freedom.unwound(c.target, q, turns), ..c };
        rows.wanted[m.row] = wanted(m.freedom, &c, q, gamma, h);
    }
}

/// Takes a local row of a group out of a Jacobian.
pub(crate) fn cut(t: &Topology, g: &Group, r: usize, jac: &mut [f64]) {
    for (b, at) in [(g.i(), g.jac_i()), (g.j(), g.jac_j())].into_iter().filter(|x| x.1 != NONE) {
        let d = t.nodes[b].dim;
        jac[at + r * d..at + (r + 1) * d].fill(0.0);
    }
}

/// A command whose rate does not lead beyond the limits of the joint in this step.
fn within(m: &MotorRow, c: &Command, measure: f64, turns: Option<f64>, h: f64) -> Command {
    let Some((lower, upper)) = m.limits else { return *c };
    let q = m.freedom.position(measure);
    let q = turns.map_or_else(|| m.freedom.wound(q, 0.5 * (lower + upper)), |turns| q + turns);
    Command { rate: c.rate.min(((upper - q) / h).max(0.0)).max(((lower - q) / h).min(0.0)), ..*c }
}

/// The velocity that a command asks of a motor's row which measures q, beyond -Gamma q/h, m/s or rad/s. Its target is without turns.
#[inline]
pub fn wanted(freedom: Freedom, c: &Command, q: f64, gamma: f64, h: f64) -> f64 {
    gamma * freedom.measure(c.target) / h + (1.0 - gamma) * freedom.slope(q) * c.rate
}

/// Evaluates the rows of some groups at the present pose. `sigma` and `gamma` are set for the step h; `give` is the Sigma of rows that were found redundant, by row of the
/// state.
pub(crate) fn evaluate(
    (t, groups): (&Topology, std::ops::Range<usize>),
    kin: &[Kin],
    give: &[f64],
    h: f64,
    rows: &mut Rows,
) {
    for k in groups {
        let g = &t.groups[k];
        if g.dead {
            silence(t, k, rows);
            continue;
        }
        let (i, j) = (&kin[g.i()], &kin[g.j()]);
        if g.arced && all_rigid(t, g) {
            ball(t, k, i, j, h, rows);
            directions(t, k, i, j, h, rows);
            soften(t, k, kin, h, rows);
            finish(t, g, kin, give, rows);
            continue;
        }
        let (si, sj) = (i.side(), j.side());
        let (di, dj) = (width(t, g.i()), width(t, g.j()));
        let mut r = 0;
        let mut arms = (DVec3::ZERO, DVec3::ZERO);
        for spec in &t.prims[g.prims().clone()] {
            let e = spec.primitive.eval(&si, &sj);
            for q in 0..spec.primitive.rows() {
                let row = g.row() + r;
                rows.phi[row] = e.phi[q];
                (rows.sigma[row], rows.gamma[row]) = law(rows.compliance(row), rows.damping(row), 1.0, h);
                if spec.armature > 0.0 {
                    rows.sigma[row] = spec.armature.recip();
                }
                rows.drive[row] = 0.0;
                if g.jac_i() != NONE {
                    rows.jac[g.jac_i() + r * di..g.jac_i() + (r + 1) * di].copy_from_slice(&e.ji[q][..di]);
                } else {
                    rows.drive[row] += along(&e.ji[q], i);
                }
                if g.jac_j() != NONE {
                    rows.jac[g.jac_j() + r * dj..g.jac_j() + (r + 1) * dj].copy_from_slice(&e.jj[q][..dj]);
                } else {
                    rows.drive[row] += along(&e.jj[q], j);
                }
                r += 1;
            }
            match spec.primitive {
                Primitive::Point { si, sj } => arms = (i.rot * si, j.rot * sj),
                Primitive::Dot2 { si, sj, .. } if matches!(g.load, Load::Slide(..)) => {
                    // The force acts at j's anchor: i's arm ends there.
                    let (a, b) = (i.rot * si, j.rot * sj);
                    arms = (a - (i.pos + a - j.pos - b), b);
                }
                Primitive::Slot { si, sj, .. } if matches!(g.load, Load::Slide(..)) && spec.armature == 0.0 => {
                    // The force acts at i's anchor: j's arm ends there.
                    let (a, b) = (i.rot * si, j.rot * sj);
                    arms = (a, b + (i.pos + a - j.pos - b));
                }
                _ => {}
            }
        }
        rows.arms[k] = arms;
        soften(t, k, kin, h, rows);
        finish(t, g, kin, give, rows);
    }
}

/// The rows of a dead pivot: no Jacobian, no force.
pub(crate) fn silence(t: &Topology, k: usize, rows: &mut Rows) {
    let g = &t.groups[k];
    let all = g.row()..g.row() + g.rows();
    for list in [&mut rows.phi, &mut rows.gamma, &mut rows.drive, &mut rows.compliance, &mut rows.damping] {
        // Those of compliant rows may be empty.
        list.get_mut(all.clone()).into_iter().for_each(|rows| rows.fill(0.0));
    }
    rows.sigma[all.clone()].fill(1.0);
    rows.rigid[all].fill(false);
    rows.mobility.get_mut(g.x()..g.x() + g.rows()).into_iter().for_each(|m| m.fill(0.0));
    (rows.arms[k], rows.crowd[k]) = ((DVec3::ZERO, DVec3::ZERO), 0.0);
    (0..g.rows()).for_each(|r| cut(t, g, r, &mut rows.jac));
}

/// The theta law of the compliant rows of a group.
fn soften(t: &Topology, k: usize, kin: &[Kin], h: f64, rows: &mut Rows) {
    let crowd = rows.crowd[k];
    if crowd == 0.0 || !rows.keeps_energy {
        return;
    }
    let g = &t.groups[k];
    for r in 0..g.rows() {
        let row = g.row() + r;
        let c = rows.compliance(row);
        if rows.is_spring(row) {
            let a = crowd * h * h * bare_mobility(t, g, kin, &rows.jac)[r] / c;
            // A nearly rigid row is closed like a rigid one, and that law is backward Euler's.
            rows.rigid[row] = g.is_stiff(r) && a > T.rows.stiff;
            let theta = if rows.rigid[row] { 1.0 } else { theta(a) };
            (rows.sigma[row], rows.gamma[row]) = law(c, rows.damping(row), theta, h);
        }
    }
}

/// Whether no side of a group is a particle.
fn all_rigid(t: &Topology, g: &Group) -> bool {
    (g.jac_i() == NONE || t.nodes[g.i()].dim == 6) && (g.jac_j() == NONE || t.nodes[g.j()].dim == 6)
}

/// The rows of a ball joint, written straight into the arrays: the same numbers as `point::eval`, without the copies.
fn ball(t: &Topology, k: usize, i: &Kin, j: &Kin, h: f64, rows: &mut Rows) {
    let g = &t.groups[k];
    let Primitive::Point { si, sj } = t.prims[g.prims().start].primitive else { return };
    let (si, sj) = (i.rot * si, j.rot * sj);
    let phi = i.pos + si - j.pos - sj;
    rows.arms[k] = (si, sj);
    rows.phi[g.row()..g.row() + 3].copy_from_slice(&phi.to_array());
    let (sigma, gamma) = law(rows.compliance(g.row()), rows.damping(g.row()), 1.0, h);
    rows.sigma[g.row()..g.row() + 3].fill(sigma);
    rows.gamma[g.row()..g.row() + 3].fill(gamma);
    let mut drive = DVec3::ZERO;
    for (at, s, sign, kin) in [(g.jac_i(), si, 1.0, i), (g.jac_j(), sj, -1.0, j)] {
        if at == NONE {
            drive += sign * (kin.vel + kin.omega.cross(s));
            continue;
        }
        // Row k of (I, -hat(s)) is (e_k, s x e_k).
        let (x, y, z) = (sign * s.x, sign * s.y, sign * s.z);
        let block = [
            sign, 0.0, 0.0, 0.0, z, -y, //
            0.0, sign, 0.0, -z, 0.0, x, //
            0.0, 0.0, sign, y, -x, 0.0,
        ];
        rows.jac[at..at + 18].copy_from_slice(&block);
    }
    rows.drive[g.row()..g.row() + 3].copy_from_slice(&drive.to_array());
}

/// The rows of a joint behind its ball that keep two directions at right angles, in the same way: the numbers of `dot1::eval`.
#[inline(always)]
fn directions(t: &Topology, k: usize, i: &Kin, j: &Kin, h: f64, rows: &mut Rows) {
    let g = &t.groups[k];
    for (r, spec) in (3..g.rows()).zip(&t.prims[g.prims()][1..]) {
        let Primitive::Dot1 { a, b } = spec.primitive else { return };
        let (row, a, b) = (g.row() + r, i.rot * a, j.rot * b);
        rows.directions[row] = (a, b);
        let c = a.cross(b);
        rows.phi[row] = a.dot(b);
        (rows.sigma[row], rows.gamma[row]) = law(rows.compliance(row), rows.damping(row), 1.0, h);
        rows.drive[row] = 0.0;
        for (at, c, kin) in [(g.jac_i(), c, i), (g.jac_j(), -c, j)] {
            if at == NONE {
                rows.drive[row] += c.dot(kin.omega);
            } else {
                rows.jac[at + 6 * r..at + 6 * r + 6].copy_from_slice(&[0.0, 0.0, 0.0, c.x, c.y, c.z]);
            }
        }
    }
}

/// Mobilities of loop rows, and the give of joints that were found redundant.
#[inline]
fn finish(t: &Topology, g: &Group, kin: &[Kin], give: &[f64], rows: &mut Rows) {
    if t.islands[g.island()].woven {
        share(t, g, kin, rows);
    }
    if !g.closes_loop {
        return;
    }
    mobility(t, g, kin, rows);
    if let Some(give) = give.get(g.state_row()..g.state_row() + g.rows()).filter(|_| !g.idle) {
        for (r, &give) in give.iter().enumerate() {
            rows.sigma[g.row() + r] = rows.sigma[g.row() + r].max(give);
        }
    }
}

/// Energy in the compliance c of a row, J, from the stretch that was booked for it (`booked_stretch`), or where none was, from phi.
pub fn stored(c: f64, phi: f64, stretch: f64) -> f64 {
    let s = if stretch >= 0.0 { stretch } else { phi };
    0.5 * s * s / c
}

/// J alone, at other poses.
pub(crate) fn evaluate_jac(t: &Topology, groups: std::ops::Range<usize>, kin: &[Kin], jac: &mut [f64]) {
    for g in &t.groups[groups] {
        if g.dead {
            (0..g.rows()).for_each(|r| cut(t, g, r, jac));
        }
        let (i, j) = (kin[g.i()].side(), kin[g.j()].side());
        let (di, dj) = (width(t, g.i()), width(t, g.j()));
        let mut r = 0;
        for spec in &t.prims[g.prims()] {
            let e = spec.primitive.eval(&i, &j);
            for q in 0..spec.primitive.rows() {
                for (at, width, values) in [(g.jac_i(), di, &e.ji[q]), (g.jac_j(), dj, &e.jj[q])] {
                    if at != NONE {
                        jac[at + r * width..at + (r + 1) * width].copy_from_slice(&values[..width]);
                    }
                }
                r += 1;
            }
        }
    }
}

/// phi alone, at other poses.
pub(crate) fn evaluate_phi(t: &Topology, groups: std::ops::Range<usize>, kin: &[Kin], phi: &mut [f64]) {
    for g in &t.groups[groups] {
        if g.dead {
            phi[g.row()..g.row() + g.rows()].fill(0.0);
        }
        let (i, j) = (kin[g.i()].side(), kin[g.j()].side());
        let mut r = g.row();
        let mut prims = &t.prims[g.prims()];
        if let [RowSpec { primitive: Primitive::Point { si, sj }, .. }, rest @ ..] = prims {
            phi[r..r + 3].copy_from_slice(&point::phi(&i, &j, *si, *sj).to_array());
            (r, prims) = (r + 3, rest);
        }
        for spec in prims {
            let n = spec.primitive.rows();
            if spec.armature > 0.0 && spec.primitive.is_angular() {
                // Its rate is all there is of it.
                phi[r] = 0.0;
                r += n;
                continue;
            }
            let e = spec.primitive.phi(&i, &j);
            phi[r..r + n].copy_from_slice(&e[..n]);
            r += n;
        }
    }
}

/// J v of one row for a body without unknowns.
fn along(j: &[f64; 6], k: &Kin) -> f64 {
    j[0] * k.vel.x + j[1] * k.vel.y + j[2] * k.vel.z + j[3] * k.omega.x + j[4] * k.omega.y + j[5] * k.omega.z
}

/// Unknowns of a dense body; zero for one that does not move freely.
#[inline]
pub(crate) fn width(t: &Topology, dense: usize) -> usize {
    if t.is_node(dense) { t.nodes[dense].dim } else { 0 }
}

/// Sigma + J M^-1 J^T of each row of a group, the scale of its pivot.
fn mobility(t: &Topology, g: &Group, kin: &[Kin], rows: &mut Rows) {
    let bare = bare_mobility(t, g, kin, &rows.jac);
    for r in 0..g.rows() {
        rows.mobility[g.x() + r] = rows.sigma[g.row() + r] + bare[r];
    }
}

/// J M^-1 J^T of each row of a group.
fn bare_mobility(t: &Topology, g: &Group, kin: &[Kin], jac: &[f64]) -> [f64; MAX_DIM] {
    let mut bare = [0.0; MAX_DIM];
    for (dense, at) in [(g.i(), g.jac_i()), (g.j(), g.jac_j())] {
        if at != NONE {
            let n = &t.nodes[dense];
            let (inverse, rot) = (t.local_inertia[dense].inverse(), kin[dense].rot);
            for (bare, j) in bare.iter_mut().zip(jac[at..at + g.rows() * n.dim].chunks_exact(n.dim)) {
                *bare += inverse_mass_form(n.mass, inverse, rot, j);
            }
        }
    }
    bare
}

/// j M^-1 j^T of one body, from its inverse inertia.
pub(crate) fn inverse_mass_form(mass: f64, inverse: DMat3, rot: DMat3, j: &[f64]) -> f64 {
    let lin = (j[0] * j[0] + j[1] * j[1] + j[2] * j[2]) / mass;
    if j.len() == 3 {
        return lin;
    }
    let a = rot.transpose() * DVec3::new(j[3], j[4], j[5]);
    lin + a.dot(inverse * a)
}

/// Joints of a net give alike, each by a small part of its mobility. In a flat net one joint in each cell is redundant, and what it shares with
/// the others nothing determines: give in some joints alone leaves hundreds of times the weight in the others, and the stabiliser brakes what
/// they hold as it would under such a load. Give in all shares out the smallest forces that carry the net.
fn share(t: &Topology, g: &Group, kin: &[Kin], rows: &mut Rows) {
    let mut bare = bare_mobility(t, g, kin, &rows.jac);
    if let Load::Point(r) = g.load {
        // The rows of a point are along the axes of the world, and these must not matter.
        let point = &mut bare[usize::from(r)..usize::from(r) + 3];
        let mean = point.iter().sum::<f64>() / 3.0;
        point.fill(mean);
    }
    for r in 0..g.rows() {
        let sigma = &mut rows.sigma[g.row() + r];
        *sigma = sigma.max(T.rows.redundant * bare[r]);
    }
}
