//! Restitution at the end of the step (Faure: no backtracking).
//!
//! The step ends at contact with the velocities v+ that do not penetrate. Rows that met with speed then rebound, and that changes the
//! velocities alone. Impacts follow each other, the fastest first: with u the velocities at the moment of contact,
//! ```text
//! r = row with the most negative u_r,    dz = -(1 + e_r) u_r / W_rr,    u += W e_r dz       until no row approaches
//! v = v+ + K^-1 Ju^T (z_impacts - z_normal)
//! ```
//! so a row of balls in touch hands the blow on (Newton's cradle), which a simultaneous law cannot. Each impact takes (1 - e^2) of the energy
//! of its own direction, so none adds energy; where friction in the step would, the rebound is scaled back until the kinetic
//! energy is no more than it was. Friction has acted in the step; the rebound itself has none.
//!
//! Velocities live half a step before the poses. At the moment of contact, the share f of the step, the row has the speed
//! u = w0 + (1/2 + f) a h, a h = w_free - w0, and leaves with the stored speed -e u - a h/2: then a ball keeps its height.

use super::gather;
use super::mobility::{scatter, velocity};
use crate::solve::bounded::Block;
use crate::system::linear::Failure;
use crate::topology::{NONE, Topology};
use crate::workspace::Workspace;

/// Slower meetings do not rebound, m/s; nor do those that gravity gives in two steps. Otherwise a ball at rest would tremble.
const SLOW: f64 = 0.05;
/// Impacts per row: enough for a blow to run through a hundred balls and back.
const IMPACTS: usize = 400;
/// Approach that is rounding, as part of the fastest.
const STILL: f64 = 1e-12;

/// Writes `bounded.bounce` of the islands of a cluster where something rebounds.
pub(crate) fn bounce(
    (t, h): (&Topology, f64),
    c: usize,
    islands: &[usize],
    ws: &mut Workspace,
    mut respond: impl FnMut(usize, &mut [f64], &mut Workspace) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let Some(n) = find(t, h, c, ws) else { return Ok(()) };
    // Change of the impulses, by active row, in `z`.
    impacts(t, ws, n, &mut respond)?;
    let mut out = std::mem::take(&mut ws.bounded.bounce);
    out.resize(t.pattern.size(), 0.0);
    for &k in islands {
        out[t.islands[k].x.clone()].fill(0.0);
    }
    for (at, &r) in ws.bounded.active.iter().enumerate() {
        if ws.bounded.impact[at].takes_part {
            scatter(t, &ws.bounded.rows[r], ws.bounded.z[at], &mut out);
        }
    }
    for &k in islands {
        respond(k, &mut out, ws)?;
        ws.bounded.bounced[k] = true;
    }
    let share = energy_share(t, islands, &out, ws);
    for &k in islands {
        out[t.islands[k].x.clone()].iter_mut().for_each(|x| *x *= share);
    }
    ws.bounded.bounce = out;
    Ok(())
}

/// What an active row does in an impact.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Impact {
    /// Normals of contacts and limits; friction and motors do not rebound.
    pub takes_part: bool,
    /// +1 for rows that push up, -1 for those that push down.
    sign: f64,
    e: f64,
    /// Speed at contact and the kick a h, in the sense of the row.
    u: f64,
    kick: f64,
    /// Sum of the impacts, in the sense of the row.
    z: f64,
}

/// Speeds at contact of the active rows. None when nothing rebounds.
fn find(t: &Topology, h: f64, c: usize, ws: &mut Workspace) -> Option<usize> {
    let candidates = ws.bounded.clusters[c].candidates.clone();
    let active = |ws: &Workspace, k: usize| ws.bounded.candidates[k].active;
    if !candidates.clone().any(|k| active(ws, k) && ws.bounded.candidates[k].restitution > 0.0) {
        return None;
    }
    let mut impact = std::mem::take(&mut ws.bounded.impact);
    impact.clear();
    impact.resize(ws.bounded.active.len(), Impact::default());
    let mut first = f64::INFINITY;
    for k in candidates.filter(|&k| active(ws, k)) {
        let c = ws.bounded.candidates[k];
        let row = &ws.bounded.rows[c.row];
        let sign = match c.law {
            Block::Contact { .. } => 1.0,
            Block::Box { lo, .. } if lo == 0.0 => 1.0,
            Block::Box { hi, .. } if hi == 0.0 => -1.0,
            Block::Box { .. } => continue,
        };
        let w0 = sign * (gather::speed(ws, row) + row.drive);
        let free = sign * (velocity(t, row, &ws.bounded.free) + row.drive);
        let kick = (free - w0) * h / gather::hk_of(t, ws, row);
        if row.z != 0.0 && free < 0.0 {
            first = first.min((sign * row.phi).max(0.0) / (-free * h));
        }
        impact[row.at] = Impact { takes_part: true, sign, e: c.restitution, u: w0, kick, z: 0.0 };
    }
    let f = first.min(1.0);
    let mut rebounds = false;
    for (i, &r) in impact.iter_mut().zip(&ws.bounded.active) {
        i.u += (0.5 + f) * i.kick;
        rebounds |= i.takes_part && i.e > 0.0 && ws.bounded.rows[r].z != 0.0 && fast(i);
    }
    ws.bounded.moment = f;
    let n = impact.len();
    ws.bounded.impact = impact;
    rebounds.then_some(n)
}

fn fast(i: &Impact) -> bool {
    -i.u > SLOW.max(2.0 * i.kick.abs())
}

/// Impact after impact; the change against the impulses of the step goes to `z`. Without W its columns are found one by one.
fn impacts(
    t: &Topology,
    ws: &mut Workspace,
    n: usize,
    respond: &mut impl FnMut(usize, &mut [f64], &mut Workspace) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let fastest = ws.bounded.impact.iter().map(|i| -i.u).fold(0.0, f64::max);
    let late = 1.0 - ws.bounded.moment;
    for _ in 0..IMPACTS * n {
        let mut at = n;
        let mut worst = -STILL * fastest;
        for (k, i) in ws.bounded.impact.iter().enumerate() {
            if i.takes_part && i.u < worst {
                (at, worst) = (k, i.u);
            }
        }
        if at == n {
            break;
        }
        if ws.bounded.is_large {
            column(t, at, ws, respond)?;
        } else {
            let b = &mut ws.bounded;
            b.q.clear();
            b.q.extend_from_slice(&b.w[at * n..(at + 1) * n]);
        }
        let b = &mut ws.bounded;
        let i = &mut b.impact[at];
        let e = if fast(i) { i.e } else { 0.0 };
        // The first blow also bears what the row would have borne in the rest of the step.
        let rest = if i.z == 0.0 { (-late * i.kick).max(0.0) } else { 0.0 };
        let dz = (-(1.0 + e) * i.u + rest) / b.q[at];
        i.z += dz;
        let dz = dz * i.sign;
        for (i, w) in b.impact.iter_mut().zip(&b.q) {
            i.u += i.sign * w * dz;
        }
    }
    let b = &mut ws.bounded;
    b.z.clear();
    b.z.extend(b.impact.iter().zip(&b.active).map(|(i, &r)| i.sign * i.z - b.rows[r].z));
    Ok(())
}

/// Column `at` of W over the active rows, into `q`, by a solve on the islands of that row.
fn column(
    t: &Topology,
    at: usize,
    ws: &mut Workspace,
    respond: &mut impl FnMut(usize, &mut [f64], &mut Workspace) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let row = ws.bounded.rows[ws.bounded.active[at]];
    let mut islands = [NONE; 2];
    for (to, (n, _)) in islands.iter_mut().zip(row.sides()) {
        *to = t.nodes[n].island;
    }
    if islands[0] == islands[1] {
        islands[1] = NONE;
    }
    let mut x = std::mem::take(&mut ws.bounded.push);
    x.resize(t.pattern.size(), 0.0);
    for k in islands.into_iter().filter(|&k| k != NONE) {
        x[t.islands[k].x.clone()].fill(0.0);
    }
    scatter(t, &row, 1.0, &mut x);
    for k in islands.into_iter().filter(|&k| k != NONE) {
        respond(k, &mut x, ws)?;
    }
    let b = &mut ws.bounded;
    b.q.clear();
    for &r in &b.active {
        let on = |n: usize| islands.contains(&t.nodes[n].island);
        let sides = b.rows[r].sides().filter(|(n, _)| on(*n));
        b.q.push(
            sides
                .map(|(n, j)| {
                    let node = &t.nodes[n];
                    x[node.x..node.x + node.dim].iter().zip(j).map(|(x, j)| x * j).sum::<f64>()
                })
                .sum(),
        );
    }
    b.q[at] += row.sigma;
    b.push = x;
    Ok(())
}

/// The largest part of the rebound that leaves no more kinetic energy than there was at contact, from 0 to 1.
fn energy_share(t: &Topology, islands: &[usize], change: &[f64], ws: &Workspace) -> f64 {
    let (mut now, mut cross, mut square, mut most) = (0.0, 0.0, 0.0, 0.0);
    let ahead = 1.0 + ws.bounded.moment;
    for &k in islands {
        for n in t.islands[k].nodes.clone() {
            let node = &t.nodes[n];
            let mass = |x: &[f64], y: &[f64]| {
                let v = crate::system::kkt::vec3(x, 0).dot(crate::system::kkt::vec3(y, 0)) * node.mass;
                if node.dim == 3 {
                    return v;
                }
                let (a, b) = (crate::system::kkt::vec3(x, 3), crate::system::kkt::vec3(y, 3));
                v + a.dot(ws.inertia[n] * b)
            };
            let range = node.x..node.x + node.dim;
            let (x, d, free) = (&ws.x[range.clone()], &change[range.clone()], &ws.bounded.free[range]);
            let start = ws.kin[n].twist();
            let mut at = [0.0; 6];
            for q in 0..node.dim {
                at[q] = start[q] + ahead * (free[q] - start[q]);
            }
            now += mass(x, x);
            cross += mass(x, d);
            square += mass(d, d);
            most += mass(&at, &at);
        }
    }
    // now + 2 s cross + s^2 square <= most, s as large as it can be.
    if now + 2.0 * cross + square <= most || square <= 0.0 {
        return 1.0;
    }
    let root = (cross * cross + square * (most - now)).max(0.0).sqrt();
    ((root - cross) / square).clamp(0.0, 1.0)
}
