//! Which worlds may go side by side, and the way into the lanes and back.

use super::{Abreast, Axes, Body, Joint, Still, Triple, Turning};
use crate::constraint::Primitive;
use crate::desk::jointed::Jointed;
use crate::joints::turn::wind;
use crate::math::lanes::{Four, LANES};
use crate::model::Model;
use crate::plan::{Added, Linear, Matrix, Plan};
use crate::state::{BodyState, Regime, State};
use crate::topology::{Group, Load, NONE, Topology};
use glam::{DMat3, DVec3};
use std::f64::consts::FRAC_PI_2;

/// A world as it is looked at here.
#[derive(Clone, Copy)]
pub(crate) struct Member<'a> {
    pub model: &'a Model,
    pub plan: &'a Plan,
    pub state: &'a State,
    pub t: &'a Topology,
    pub jointed: &'a Jointed,
}

impl Member<'_> {
    /// Whether a step of this world is nothing but that of one tree of rigid joints, in the regime that it has been in.
    pub fn is_plain(&self) -> bool {
        let Member { plan, state, .. } = *self;
        let default = Matrix::Definite(Added::Aligned { resolves: true }, Linear::BlockLdlt);
        let plan = plan.matrix == default && !plan.reduced && !plan.alone;
        plan && state.asleep == 0 && state.parts <= 1 && self.has_plain_layout() && self.is_in_step()
    }

    /// The same of its structure alone.
    pub fn has_plain_layout(&self) -> bool {
        let Member { model, t, .. } = *self;
        let parts = model.colliders.len() + model.forces.len() + model.softs.len() + model.heavies.len();
        if parts > 0 || model.field.is_on() || model.has_weak {
            return false;
        }
        let rows =
            t.links.len() + t.motors.len() + t.bounds.len() + t.couplings.len() + t.segments.len() + t.twists.len();
        let [island] = &t.islands[..] else { return false };
        let tree = rows == 0
            && t.soft.is_empty()
            && island.arced
            && !island.woven
            && self.jointed.groups.len() == t.nodes.len();
        let free = |top: [f64; 2]| top == [f64::INFINITY; 2];
        tree && !t.driven.contains(&true)
            && t.nodes.iter().all(|n| n.dim == 6 && (n.principal || !n.isotropic) && n.drag.1 == 0.0 && free(n.top))
            && t.groups.iter().all(|g| self.is_plain_joint(g))
    }

    /// A ball and pairs of directions, all rigid.
    fn is_plain_joint(&self, g: &Group) -> bool {
        let rigid = |spec: &crate::joints::RowSpec| spec.soft.compliance == 0.0;
        let [first, rest @ ..] = &self.t.prims[g.prims()] else { return false };
        let ball = matches!(first.primitive, Primitive::Point { .. }) && g.load == Load::Point(0);
        let pairs = rest.iter().all(|spec| matches!(spec.primitive, Primitive::Dot1 { .. }) && rigid(spec));
        let moments = g.moment & 0b111 == 0;
        !(g.dead || g.idle || g.closes_loop) && ball && rigid(first) && pairs && rest.len() <= 3 && moments
    }

    /// Whether all bodies have taken the last step together, and nothing pushed.
    fn is_in_step(&self) -> bool {
        let bodies = || self.t.slot_of[..self.t.nodes.len()].iter().map(|&slot| &self.state.bodies[slot].regime);
        let first = bodies().next().map_or(0.0, |r| r.h_prev);
        first > 0.0 && bodies().all(|r| r.h_prev == first && !r.shocked)
    }

    /// Whether two such worlds have the same bodies and joints, whatever their numbers.
    pub fn is_like(&self, other: &Member<'_>) -> bool {
        let (a, b) = (self.t, other.t);
        let node = |t: &Topology, n: usize| (t.nodes[n].x, Axes::of(&t.nodes[n]));
        let joint = |g: &Group| (g.i(), g.j(), g.x(), g.rows(), g.moment, g.kappa > 0.0, g.state_row());
        let turns = |t: &Topology| t.turns.iter().map(|r| (r.i, r.j, r.slot)).collect::<Vec<_>>();
        a.slot_of == b.slot_of
            && a.nodes.len() == b.nodes.len()
            && (0..a.nodes.len()).all(|n| node(a, n) == node(b, n))
            && a.groups.len() == b.groups.len()
            && a.groups.iter().zip(&b.groups).all(|(a, b)| joint(a) == joint(b))
            && self.jointed.groups == other.jointed.groups
            && turns(a) == turns(b)
    }
}

/// A vector into a lane.
fn set(to: &mut Triple, k: usize, v: DVec3) {
    for (to, v) in to.iter_mut().zip(v.to_array()) {
        to.0[k] = v;
    }
}

fn set_matrix(to: &mut [Triple; 3], k: usize, m: DMat3) {
    for (c, to) in to.iter_mut().enumerate() {
        set(to, k, m.col(c));
    }
}

fn numbers<const N: usize>(from: &[Four; N], k: usize) -> [f64; N] {
    from.map(|x| x.0[k])
}

fn set_numbers<const N: usize>(to: &mut [Four; N], k: usize, from: [f64; N]) {
    for (to, x) in to.iter_mut().zip(from) {
        to.0[k] = x;
    }
}

impl Abreast {
    /// Takes four worlds, which must be plain and alike.
    pub fn load(&mut self, worlds: [Member<'_>; LANES]) {
        let Member { t, jointed, .. } = worlds[0];
        let size = t.pattern.size();
        self.bodies.clear();
        self.bodies.extend(t.nodes.iter().enumerate().map(|(n, node)| {
            let held = Some(jointed.groups[n]).filter(|&k| k != NONE);
            let held = held.map(|k| (k, t.groups[k].i() == n));
            Body { x: node.x, held, axes: Axes::of(node), ..Body::default() }
        }));
        self.still.clear();
        self.still.resize(t.slot_of.len() - t.nodes.len(), Still::default());
        self.joints.clear();
        self.joints.extend(t.groups.iter().map(|g| {
            let carries = [3, 4, 5].map(|r| g.kappa > 0.0 && g.moment >> r & 1 == 1);
            Joint { i: g.i(), j: g.j(), x: g.x(), pairs: g.rows() - 3, carries, ..Joint::default() }
        }));
        self.turns.clear();
        for (row, r) in t.turns.iter().enumerate() {
            let of = worlds.map(|w| w.t.turns[row].turn);
            self.turns.push(Turning {
                i: r.i,
                j: r.j,
                of,
                ends: Default::default(),
                last: [0.0; LANES],
                low: [false; LANES],
                next: [0.0; LANES],
            });
        }
        self.tree.shape_of(&jointed.tree);
        for list in [&mut self.b, &mut self.x, &mut self.residual, &mut self.saved, &mut self.done] {
            list.clear();
            list.resize(size, Four::default());
        }
        self.arcs.resize(t.slot_of.len(), Default::default());
        self.is_loaded = worlds.iter().any(|w| w.model.is_loaded);
        for (k, world) in worlds.iter().enumerate() {
            self.load_numbers(k, world);
            self.load_state(k, world);
        }
    }

    /// What a world is made of.
    fn load_numbers(&mut self, k: usize, w: &Member<'_>) {
        let t = w.t;
        set(&mut self.gravity, k, w.plan.gravity);
        for (n, (body, node)) in self.bodies.iter_mut().zip(&t.nodes).enumerate() {
            let of = [node.mass, node.weight, node.size, node.neighbours.max(1) as f64, node.drag.0];
            let to = [&mut body.mass, &mut body.weight, &mut body.size, &mut body.neighbours, &mut body.drag];
            to.into_iter().zip(of).for_each(|(to, x)| to.0[k] = x);
            set_numbers(&mut body.damping, k, [node.linear_damping, node.angular_damping]);
            let i = t.local_inertia[n];
            set_matrix(&mut body.local, k, i);
            set(&mut body.moments, k, DVec3::new(i.x_axis.x, i.y_axis.y, i.z_axis.z));
        }
        for (joint, g) in self.joints.iter_mut().zip(&t.groups) {
            (joint.kappa.0[k], joint.reach.0[k]) = (g.kappa, g.arm());
            set_numbers(&mut joint.lengths, k, g.arms);
            let prims = &t.prims[g.prims()];
            if let Primitive::Point { si, sj } = prims[0].primitive {
                set(&mut joint.ends[0], k, si);
                set(&mut joint.ends[1], k, sj);
            }
            for (spec, to) in prims[1..].iter().zip(&mut joint.directions) {
                if let Primitive::Dot1 { a, b } = spec.primitive {
                    set(&mut to[0], k, a);
                    set(&mut to[1], k, b);
                }
            }
        }
        for (turning, row) in self.turns.iter_mut().zip(&t.turns) {
            turning.of[k] = row.turn;
            if let Primitive::Axial { ui, uj, .. } = row.turn.primitive {
                set(&mut turning.ends[0], k, ui);
                set(&mut turning.ends[1], k, uj);
            }
        }
    }

    /// Where a world is.
    fn load_state(&mut self, k: usize, w: &Member<'_>) {
        let (t, state) = (w.t, w.state);
        let mut regime = Regime::default();
        for (n, body) in self.bodies.iter_mut().enumerate() {
            let (slot, b) = (t.slot_of[n], &state.bodies[t.slot_of[n]]);
            set(&mut body.pos, k, b.pos);
            set_numbers(&mut body.quat, k, b.rot.to_array());
            set_matrix(&mut body.rot, k, DMat3::from_quat(b.rot));
            set(&mut body.vel, k, b.vel);
            set(&mut body.omega, k, b.omega);
            set_numbers(&mut body.before, k, b.added);
            set_numbers(&mut body.probe, k, b.probe);
            let load =
                w.model.bodies.at(slot).filter(|_| w.model.is_loaded).map_or((DVec3::ZERO, DVec3::ZERO), |b| b.load);
            set(&mut body.load[0], k, load.0);
            set(&mut body.load[1], k, load.1);
            let r = &b.regime;
            regime = Regime {
                xhat: regime.xhat.max(r.xhat),
                kap: regime.kap.max(r.kap),
                h_prev: r.h_prev,
                h_long: regime.h_long.max(r.h_long),
                shocked: false,
            };
        }
        self.regime[k] = regime;
        for (still, &slot) in self.still.iter_mut().zip(&t.slot_of[t.nodes.len()..]) {
            let b = &state.bodies[slot];
            set(&mut still.pos, k, b.pos);
            set_matrix(&mut still.rot, k, DMat3::from_quat(b.rot));
        }
        for (joint, g) in self.joints.iter_mut().zip(&t.groups) {
            for (to, from) in joint.lambda.iter_mut().zip(&state.lambda[g.state_row()..g.state_row() + g.rows()]) {
                to.0[k] = *from;
            }
        }
        for (turning, row) in self.turns.iter_mut().zip(&t.turns) {
            turning.set(k, state.turned[row.slot]);
        }
        (self.time[k], self.steps[k], self.lag[k]) = (state.time, state.steps, state.potential_lag[0]);
    }

    /// Loads hold for one step.
    pub(super) fn unload(&mut self) {
        if std::mem::take(&mut self.is_loaded) {
            self.bodies.iter_mut().for_each(|body| body.load = Default::default());
        }
    }

    /// A world into its state.
    pub fn store(&self, k: usize, t: &Topology, state: &mut State) {
        for (body, &slot) in self.bodies.iter().zip(&t.slot_of) {
            let b = &mut state.bodies[slot];
            *b = BodyState {
                pos: numbers(&body.pos, k).into(),
                rot: glam::DQuat::from_array(numbers(&body.quat, k)),
                vel: numbers(&body.vel, k).into(),
                omega: numbers(&body.omega, k).into(),
                added: numbers(&body.before, k),
                probe: numbers(&body.probe, k),
                regime: self.regime[k],
                ..*b
            };
        }
        for (joint, g) in self.joints.iter().zip(&t.groups) {
            for (to, from) in state.lambda[g.state_row()..g.state_row() + g.rows()].iter_mut().zip(&joint.lambda) {
                *to = from.0[k];
            }
        }
        for (turning, row) in self.turns.iter().zip(&t.turns) {
            state.turned[row.slot] = turning.last[k];
        }
        (state.time, state.steps, state.potential_lag[0]) = (self.time[k], self.steps[k], self.lag[k]);
        state.stirred.clear();
    }
}

impl Turning {
    /// Where it is.
    fn set(&mut self, k: usize, last: f64) {
        let turns = matches!(self.of[k].primitive, Primitive::Axial { .. });
        (self.last[k], self.low[k]) = (last, turns && (last - wind(0.0, last)).abs() < FRAC_PI_2);
    }

    /// The step has been taken.
    pub(super) fn pass(&mut self, k: usize) {
        if self.next[k] != self.last[k] {
            self.set(k, self.next[k]);
        }
    }
}
