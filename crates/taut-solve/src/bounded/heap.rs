//! Block Gauss-Seidel in velocity space over bodies whose response to impulses is known exactly: the rows of a heap.
//!
//! ```text
//! v = v_free + G f                 v: six velocities of each body, f: impulse and moment on each
//! free body                        G = (1/m, I^-1)
//! bodies of one joint island       G = E K^-1 E^T, dense over those that a row touches: the joints are in it
//! visit of a block                 q = u - W y with W its own block;  y <- solution of its law with the others fixed;  v += G J^T dy
//! ```
//! Every visit solves its block exactly, so that signs, bounds and cones hold after any number of sweeps, and the joints, which are in
//! G, hold as well. What sweeps that are cut short leave is complementarity; `residual` is its natural map.
//!
//! Contacts are visited pair by pair from below, in the order in which the caller adds them: what supports comes before what it bears. Rows of other kinds
//! come after them. Alternating directions, and an order by names, let stacks fall that stand by this one.
//!
//! | file | what |
//! |---|---|
//! | `rows` | the blocks, their own W, their residual |
//! | `cone` | one contact with the others fixed |
//! | `visit` | a visit of each kind of block, and sweeps |
//! | `quads` | contacts of free bodies four at a time, in an order that changes no bit |

mod cone;
mod quads;
mod rows;
mod visit;

use super::Block;
use crate::tuning::T;
use cone::Cone;
use glam::{DMat3, DVec3};
use quads::Quads;
pub use rows::Given;
use std::ops::Range;

/// A side without unknowns.
pub const GROUND: u32 = u32::MAX;

/// What an impulse does to a body.
#[derive(Clone, Copy, Debug)]
struct Body {
    per_mass: f64,
    per_inertia: DMat3,
    /// The group whose G it is in, or `GROUND` when it is free.
    group: u32,
}

/// Bodies with one response: a range of bodies, and where G begins (row-major, 6 len by 6 len).
#[derive(Clone, Copy, Debug)]
struct Group {
    start: usize,
    len: usize,
    g: usize,
    /// G has changed since the blocks of its rows were found.
    renewed: bool,
}

/// Bodies and what impulses do to them.
#[derive(Clone, Debug, Default)]
struct Mobility {
    bodies: Vec<Body>,
    groups: Vec<Group>,
    g: Vec<f64>,
}

/// A contact on two bodies: three lines of memory, of which a near miss reads one.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Point {
    /// Arm from the centre of i, or of j where i is the ground.
    r: DVec3,
    /// What the normal aims at, impulses (of the tangents over the friction), compliance of the normal.
    c: f64,
    y: [f64; 3],
    sigma: f64,
    /// Its block of W; n = 0 until the first visit that needs it, for most points of a falling heap are near misses.
    cone: Cone,
    /// What the tangents aim at.
    ct: [f64; 2],
    /// Its pair, and the first of its rows at the caller's.
    pair: u32,
    row: u32,
}

/// The contacts between two bodies with one normal.
#[derive(Clone, Copy, Debug)]
struct Pair {
    i: u32,
    j: u32,
    first: u32,
    end: u32,
    n: DVec3,
    /// Tangents times the friction, so that the cone is |y_t| <= y_n.
    t: [DVec3; 2],
    /// The arm of j is that of i and this.
    d: DVec3,
    mu: [f64; 2],
    unit: f64,
}

/// A row with constant bounds on two bodies.
#[derive(Clone, Copy, Debug)]
struct Bar {
    i: u32,
    j: u32,
    ji: [f64; 6],
    jj: [f64; 6],
    w: f64,
    c: f64,
    sigma: f64,
    y: f64,
    lo: f64,
    hi: f64,
    unit: f64,
    row: u32,
}

/// A block of rows on any number of bodies: contacts of deformables, couplings, ropes.
#[derive(Clone, Debug)]
struct Wide {
    laws: Range<usize>,
    /// Rows, one after another in `Many`, and its sides.
    rows: Range<usize>,
    sides: Range<usize>,
    /// Where its own block of W begins (row-major).
    w: usize,
}

/// The rows of all wide blocks.
#[derive(Clone, Debug, Default)]
struct Many {
    blocks: Vec<Wide>,
    laws: Vec<Block>,
    c: Vec<f64>,
    sigma: Vec<f64>,
    y: Vec<f64>,
    unit: Vec<f64>,
    row: Vec<u32>,
    /// Body, row of the block and Jacobian.
    sides: Vec<(u32, u32, [f64; 6])>,
    w: Vec<f64>,
    /// Scratch of a visit.
    q: Vec<f64>,
    z: Vec<f64>,
    work: super::Work,
}

/// Where a row is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Slot {
    #[default]
    None,
    Point(u32),
    Wide(u32),
    Bar(u32),
}

/// Bodies, their velocities and the rows between them.
#[derive(Clone, Debug, Default)]
pub struct Heap {
    mobility: Mobility,
    /// Velocities, six of each body.
    v: Vec<f64>,
    pairs: Vec<Pair>,
    points: Vec<Point>,
    bars: Vec<Bar>,
    many: Many,
    quads: Quads,
    /// By row of the caller's.
    slots: Vec<Slot>,
    /// Rows of a push.
    pushed: Vec<Slot>,
    /// Sweeps since `clear`.
    pub sweeps: usize,
    /// How exact a contact is solved in a visit, as part of its impulse. The cone is met to rounding whatever it is.
    pub precision: f64,
}

#[inline(always)]
fn load3(v: &[f64], at: usize) -> DVec3 {
    DVec3::new(v[at], v[at + 1], v[at + 2])
}

#[inline(always)]
fn add3(v: &mut [f64], at: usize, d: DVec3) {
    v[at] += d.x;
    v[at + 1] += d.y;
    v[at + 2] += d.z;
}

impl Heap {
    /// Forgets bodies and rows; the memory stays.
    pub fn clear(&mut self) {
        self.mobility.bodies.clear();
        self.mobility.groups.clear();
        self.mobility.g.clear();
        self.v.clear();
        self.pairs.clear();
        self.points.clear();
        self.bars.clear();
        self.slots.clear();
        self.many.clear();
        self.quads.clear();
        self.sweeps = 0;
        self.precision = T.bounded.precision;
    }

    /// Adds a body that no joint holds; returns its number.
    pub fn free(&mut self, per_mass: f64, per_inertia: DMat3) -> u32 {
        let bodies = &mut self.mobility.bodies;
        bodies.push(Body { per_mass, per_inertia, group: GROUND });
        self.v.resize(6 * bodies.len(), 0.0);
        bodies.len() as u32 - 1
    }

    /// Adds bodies with one response; returns the number of the first, and G for the caller to fill (zero, row-major, 6 len by 6 len).
    pub fn joined(&mut self, len: usize) -> (u32, &mut [f64]) {
        let Mobility { bodies, groups, g } = &mut self.mobility;
        let (start, from) = (bodies.len(), g.len());
        let group = groups.len() as u32;
        groups.push(Group { start, len, g: from, renewed: false });
        bodies.resize(start + len, Body { per_mass: 0.0, per_inertia: DMat3::ZERO, group });
        self.v.resize(6 * bodies.len(), 0.0);
        g.resize(from + 36 * len * len, 0.0);
        (start as u32, &mut g[from..])
    }

    /// G of the group that begins with a body, to be overwritten; `renewed` follows.
    pub fn renew(&mut self, first: u32) -> &mut [f64] {
        let Mobility { bodies, groups, g } = &mut self.mobility;
        let Some(group) = groups.get_mut(bodies[first as usize].group as usize) else { return &mut [] };
        group.renewed = true;
        &mut g[group.g..group.g + 36 * group.len * group.len]
    }

    /// Takes over what was renewed into the rows on those bodies. Impulses and aims stay. Blocks on many bodies must be added anew.
    pub fn renewed(&mut self) {
        let Heap { mobility, pairs, points, bars, .. } = self;
        for pair in pairs.iter().filter(|p| mobility.is_renewed(p.i) || mobility.is_renewed(p.j)) {
            // Their blocks are found when they are needed.
            points[pair.first as usize..pair.end as usize].iter_mut().for_each(|p| p.cone = Cone::default());
        }
        for bar in bars.iter_mut().filter(|b| mobility.is_renewed(b.i) || mobility.is_renewed(b.j)) {
            bar.w = bar.sigma + mobility.between([(bar.i, &bar.ji), (bar.j, &bar.jj)]);
        }
        mobility.groups.iter_mut().for_each(|g| g.renewed = false);
    }

    /// Whether there are blocks on many bodies.
    pub fn has_wide(&self) -> bool {
        !self.many.blocks.is_empty()
    }

    /// Whether a body is in no group.
    pub fn is_free(&self, b: u32) -> bool {
        self.mobility.is_free(b)
    }

    /// The velocity of a body.
    pub fn velocity(&self, b: u32) -> &[f64] {
        &self.v[6 * b as usize..6 * b as usize + 6]
    }

    /// Sets the velocity of a body; a particle has three.
    pub fn set_velocity(&mut self, b: u32, v: &[f64]) {
        let own = &mut self.v[6 * b as usize..6 * b as usize + 6];
        own[..v.len()].copy_from_slice(v);
        own[v.len()..].fill(0.0);
    }

    /// Contact points and rows of other kinds.
    pub fn points(&self) -> usize {
        self.points.len()
    }

    /// Every body stands still and no row pushes.
    pub fn rest(&mut self) {
        self.v.fill(0.0);
        self.points.iter_mut().for_each(|p| p.y = [0.0; 3]);
        self.bars.iter_mut().for_each(|b| b.y = 0.0);
        self.many.y.fill(0.0);
    }

    /// Impulses, N s, with the caller's rows.
    pub fn impulses(&self, mut each: impl FnMut(usize, f64)) {
        for p in &self.points {
            let (r, mu) = (p.row as usize, self.pairs[p.pair as usize].mu);
            each(r, p.y[0]);
            each(r + 1, p.y[1] * mu[0]);
            each(r + 2, p.y[2] * mu[1]);
        }
        self.bars.iter().for_each(|b| each(b.row as usize, b.y));
        self.many.row.iter().zip(&self.many.y).for_each(|(&r, &y)| each(r as usize, y));
    }

    /// Takes impulses, N s, that are within their bounds and cones, by the caller's rows.
    pub fn take_impulses(&mut self, z: impl Fn(usize) -> f64) {
        for p in &mut self.points {
            let (r, pair) = (p.row as usize, &self.pairs[p.pair as usize]);
            let scaled = |k: usize| if pair.mu[k] > 0.0 { z(r + 1 + k) / pair.mu[k] } else { 0.0 };
            p.y = [z(r), scaled(0), scaled(1)];
            if p.y[0] > 0.0 && p.cone.n == 0.0 {
                p.prepare(pair, &self.mobility);
            }
        }
        self.bars.iter_mut().for_each(|b| b.y = z(b.row as usize));
        self.many.y.iter_mut().zip(&self.many.row).for_each(|(y, &r)| *y = z(r as usize));
    }
}

impl Mobility {
    /// Whether a body is in no group.
    #[inline(always)]
    fn is_free(&self, b: u32) -> bool {
        self.bodies[b as usize].group == GROUND
    }

    /// Whether the response of a body has changed.
    fn is_renewed(&self, b: u32) -> bool {
        b != GROUND && self.groups.get(self.bodies[b as usize].group as usize).is_some_and(|g| g.renewed)
    }

    /// J G J^T of a row on two sides.
    fn between(&self, sides: [(u32, &[f64; 6]); 2]) -> f64 {
        let mut w = 0.0;
        for (a, ja) in sides.into_iter().filter(|s| s.0 != GROUND) {
            for (b, jb) in sides.into_iter().filter(|s| s.0 != GROUND) {
                w += rows::dot6(jb, &self.response(a, b, ja));
            }
        }
        w
    }

    /// Velocity of body `b` from an impulse on itself.
    #[inline(always)]
    fn own(&self, b: u32, f: &[f64; 6]) -> [f64; 6] {
        let body = &self.bodies[b as usize];
        if body.group == GROUND {
            let l = body.per_inertia * DVec3::new(f[3], f[4], f[5]);
            return [body.per_mass * f[0], body.per_mass * f[1], body.per_mass * f[2], l.x, l.y, l.z];
        }
        self.across(b, b, f)
    }

    /// The velocity of body `to` from an impulse on `from`, both in one group.
    #[inline(always)]
    fn across(&self, from: u32, to: u32, f: &[f64; 6]) -> [f64; 6] {
        let gr = &self.groups[self.bodies[from as usize].group as usize];
        let width = 6 * gr.len;
        let (a, b) = (6 * (from as usize - gr.start), 6 * (to as usize - gr.start));
        let mut out = [0.0; 6];
        for q in 0..6 {
            let row = &self.g[gr.g + (a + q) * width + b..][..6];
            for c in 0..6 {
                out[c] += f[q] * row[c];
            }
        }
        out
    }

    /// The velocity of body `to` from an impulse on `from`.
    #[inline(always)]
    fn response(&self, from: u32, to: u32, f: &[f64; 6]) -> [f64; 6] {
        if from == to {
            self.own(from, f)
        } else if self.share(from, to) {
            self.across(from, to, f)
        } else {
            [0.0; 6]
        }
    }

    /// Whether two bodies are in one group.
    #[inline(always)]
    fn share(&self, a: u32, b: u32) -> bool {
        let of = |b: u32| self.bodies[b as usize].group;
        of(a) != GROUND && of(a) == of(b)
    }
}
