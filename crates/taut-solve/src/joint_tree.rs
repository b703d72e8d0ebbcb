//! Trees of rigid joints, eliminated in joint coordinates: the solution of the same system as `block_ldlt` finds, by blocks of three.
//!
//! The system is that of nodes with mass m and inertia I, each with one joint to a later node (its parent), to something without unknowns,
//! or with none (a free root):
//! ```text
//! m v + sum J^T z = b,   I w + sum J^T z = b,     J = sign (1, -hat(s)) on the node, -sign (1, -hat(s_p)) on the parent: 3 rows
//!                                                 J = (0, a) on the node, (0, -a) on the parent: up to three more
//! ```
//! A node is seen from the joint to its parent: u = v + w x s, and the nodes that hang on it, at d = s_p - s, are part of its inertia
//! ```text
//! P = m + sum P_c,   Q = m hat(s) + sum (Q_c - P_c hat(d)),
//! R = I + m hat(s)^T hat(s) + sum (R_c + hat(d) Q_c + (hat(d) Q_c)^T - hat(d) P_c hat(d))
//! ```
//! Its velocity is the parent's at the joint, what the rows ask for, and the freedoms of the joint. The freedoms are eliminated, leaves
//! first (`ball`, `held`), and what is left of (P, Q, R) is the child's part above. Velocities are then built from the root, so that the
//! rows are met to rounding at any ratio of masses.
//!
//! This is the articulated-body elimination (Featherstone 1983) with rows in place of accelerations and multipliers as a result.
//!
//! The formulas are written for any `Real`: one tree at a time, or four of the same shape in the lanes of a vector (`JointTree<Four>`),
//! each with the bits that it has alone.

mod ball;
mod held;
mod small;

use glam::DVec3;
use held::Hold;
use small::{Bad, Mat, Sym, get, zero};
use std::ops::Range;
use taut_lanes::{Mask, Real, Vec4};

/// "Not there": no parent with unknowns.
const NONE: u32 = u32::MAX;

/// Where a node and the joint to its parent are.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The parent among the members, a later one; none where the joint holds the node on something without unknowns, and for free roots.
    pub parent: Option<usize>,
    /// First of the six unknowns of the node: linear, then angular.
    pub x: usize,
    /// First unknown of the joint: three point rows, then the angular ones.
    pub row: usize,
    /// Rows of the joint, 3 to 6; none for a free root.
    pub rows: usize,
    /// 1 where the point rows measure the node against its parent, -1 the other way round.
    pub sign: f64,
}

/// A pivot that should be positive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Breakdown {
    /// The member.
    pub member: usize,
    /// Row of its joint, where the angular rows depend on each other; none where its mass is at fault.
    pub row: Option<usize>,
    /// The pivot.
    pub pivot: f64,
}

/// Where pivots of four trees, or of one, should be positive and are not: which trees, and the first of it.
#[derive(Clone, Copy, Debug)]
pub struct Broken<R: Real> {
    /// The trees.
    pub which: R::Which,
    /// The first member,
    pub member: usize,
    /// and its pivots.
    pub pivot: R,
}

/// A node with the joint to its parent.
#[derive(Clone, Copy, Debug)]
struct Member<C> {
    kind: Kind,
    parent: u32,
    x: u32,
    row: u32,
    /// Its place among the holds.
    hold: u32,
    sign: f64,
    /// Arms of the joint on the node and on the parent.
    s: [C; 3],
    sp: [C; 3],
    /// P. After the factorisation what is left of it for the parent.
    p: Sym<C>,
    /// Q, row-major. After it: Z = R^-1 Q^T of a ball joint, what is left of Q of the others.
    q: Mat<C>,
    /// R. After it: the LDL^T of R of a ball joint, what is left of R of the others.
    r: Sym<C>,
}

/// What a joint leaves free.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// Everything: there is none. The LDL^T of P - Q Z is in P.
    Free,
    /// Every rotation.
    Ball,
    /// Some rotations or none.
    Held,
}

/// Trees of nodes and joints, children before their parents: of one system (`f64`), or of four (`Four`).
#[derive(Clone, Debug)]
pub struct JointTree<C = f64> {
    members: Vec<Member<C>>,
    holds: Vec<Hold<C>>,
}

impl<C> Default for JointTree<C> {
    fn default() -> Self {
        JointTree { members: Vec::new(), holds: Vec::new() }
    }
}

impl<C: Copy + Default> JointTree<C> {
    /// Forgets all trees.
    pub fn clear(&mut self) {
        self.members.clear();
        self.holds.clear();
    }

    /// Makes room for so many members, and for so many of them on joints with angular rows.
    pub fn reserve(&mut self, members: usize, held: usize) {
        self.members.reserve_exact(members);
        self.holds.reserve_exact(held);
    }

    /// Adds a node; its place among the members is the number of those before.
    pub fn push(&mut self, at: Place) {
        let kind = match at.rows {
            0 => Kind::Free,
            3 => Kind::Ball,
            _ => Kind::Held,
        };
        let hold = self.holds.len() as u32;
        if kind == Kind::Held {
            self.holds.push(Hold::new(at.rows - 3));
        }
        self.members.push(Member {
            kind,
            parent: at.parent.map_or(NONE, |p| p as u32),
            x: at.x as u32,
            row: at.row as u32,
            hold,
            sign: at.sign,
            s: Default::default(),
            sp: Default::default(),
            p: Default::default(),
            q: Default::default(),
            r: Default::default(),
        });
    }

    /// Takes the places of the members of other trees.
    pub fn shape_of<D: Copy + Default>(&mut self, other: &JointTree<D>) {
        self.clear();
        self.holds.extend(other.holds.iter().map(|hold| Hold::new(hold.rows())));
        self.members.extend(other.members.iter().map(|m| Member {
            kind: m.kind,
            parent: m.parent,
            x: m.x,
            row: m.row,
            hold: m.hold,
            sign: m.sign,
            s: Default::default(),
            sp: Default::default(),
            p: Default::default(),
            q: Default::default(),
            r: Default::default(),
        }));
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.members.capacity() * size_of::<Member<C>>() + self.holds.capacity() * size_of::<Hold<C>>()
    }

    /// The mass of a member, its inertia (xx, yy, zz, xy, yz, xz) and the arms of its joint on itself and on its parent.
    #[inline(always)]
    pub fn set_each<R: Real<Cell = C>>(
        &mut self,
        member: usize,
        mass: R,
        inertia: [R; 6],
        (s, sp): (Vec4<R>, Vec4<R>),
    ) {
        let e = &mut self.members[member];
        s.store(&mut e.s);
        sp.store(&mut e.sp);
        let (zero, m) = (R::all(0.0), s * mass);
        small::write([mass, mass, mass, zero, zero, zero], &mut e.p);
        small::write([zero, -m.z, m.y, m.z, zero, -m.x, -m.y, m.x, zero], &mut e.q);
        let r = [
            inertia[0] + m.y * s.y + m.z * s.z,
            inertia[1] + m.x * s.x + m.z * s.z,
            inertia[2] + m.x * s.x + m.y * s.y,
            inertia[3] - m.x * s.y,
            inertia[4] - m.y * s.z,
            inertia[5] - m.x * s.z,
        ];
        small::write(r, &mut e.r);
    }

    /// The angular rows of a member's joint, over the member. Where they depend on each other: which trees.
    #[inline(always)]
    pub fn hold_each<R: Real<Cell = C>>(&mut self, member: usize, rows: &[Vec4<R>]) -> R::Which {
        self.hold_on(member, rows).which
    }

    #[inline(always)]
    fn hold_on<R: Real<Cell = C>>(&mut self, member: usize, rows: &[Vec4<R>]) -> Bad<R> {
        self.holds[self.members[member].hold as usize].set(rows)
    }

    /// Factorises some members, which must be whole trees. Trees with a pivot that is not positive are told; the others are factorised all
    /// the same.
    #[inline(always)]
    pub fn factor_each<R: Real<Cell = C>>(&mut self, members: Range<usize>) -> Option<Broken<R>> {
        let first = members.start;
        let tree = &mut self.members[members];
        let mut broken: Option<Broken<R>> = None;
        for n in 0..tree.len() {
            let (head, tail) = tree.split_at_mut(n + 1);
            let e = &mut head[n];
            let mut bad: Bad<R> = match e.kind {
                Kind::Free | Kind::Ball => ball::factor(e),
                Kind::Held => held::factor(e, &mut self.holds[e.hold as usize]),
            };
            if e.kind == Kind::Free && !bad.which.all() {
                let free: Bad<R> = ball::free(e);
                bad = Bad { which: bad.which | free.which, pivot: bad.which.select(bad.pivot, free.pivot) };
            }
            if bad.which.any() {
                let which = broken.map_or(bad.which, |b| b.which | bad.which);
                broken =
                    Some(Broken { which, ..broken.unwrap_or(Broken { which, member: first + n, pivot: bad.pivot }) });
                if which.all() {
                    break;
                }
            }
            if e.parent != NONE {
                let parent = &mut tail[e.parent as usize - first - n - 1];
                match e.kind {
                    Kind::Held => held::hand_on::<R>(e, parent),
                    _ => ball::hand_on::<R>(e, parent),
                }
            }
        }
        broken
    }

    /// Solves for one right-hand side in place.
    #[inline(always)]
    pub fn solve_each<R: Real<Cell = C>>(&self, members: Range<usize>, x: &mut [C]) {
        let tree = &self.members[members];
        for e in tree {
            let (t, moment): (Vec4<R>, Vec4<R>) = match e.kind {
                Kind::Free => (ball::collect(e, x), zero()),
                Kind::Ball => (ball::collect::<R>(e, x) - ball::asked(e, x), zero()),
                Kind::Held => {
                    let hold = &self.holds[e.hold as usize];
                    match hold.rows() {
                        1 => held::collect::<R, 1>(e, hold, x),
                        2 => held::collect::<R, 2>(e, hold, x),
                        _ => held::collect::<R, 3>(e, hold, x),
                    }
                }
            };
            if e.parent != NONE {
                let at = self.members[e.parent as usize].x as usize;
                small::add(x, at, t);
                small::add(x, at + 3, moment + Vec4::load(&e.sp).cross(t));
            }
        }
        for e in tree.iter().rev() {
            let (up, wp): (Vec4<R>, Vec4<R>) = if e.parent == NONE {
                (zero(), zero())
            } else {
                let at = self.members[e.parent as usize].x as usize;
                let w: Vec4<R> = get(x, at + 3);
                (get(x, at) + w.cross(Vec4::load(&e.sp)), w)
            };
            match e.kind {
                Kind::Free => ball::release::<R>(e, x),
                Kind::Ball => ball::descend(e, up, x),
                Kind::Held => {
                    let hold = &self.holds[e.hold as usize];
                    match hold.rows() {
                        1 => held::descend::<R, 1>(e, hold, (up, wp), x),
                        2 => held::descend::<R, 2>(e, hold, (up, wp), x),
                        _ => held::descend::<R, 3>(e, hold, (up, wp), x),
                    }
                }
            }
        }
    }
}

/// A vector of one system.
#[inline(always)]
fn alone(v: DVec3) -> Vec4<f64> {
    Vec4 { x: v.x, y: v.y, z: v.z }
}

impl JointTree {
    /// The mass of a member, its inertia (xx, yy, zz, xy, yz, xz) and the arms of its joint on itself and on its parent.
    #[inline(always)]
    pub fn set(&mut self, member: usize, mass: f64, inertia: [f64; 6], (s, sp): (DVec3, DVec3)) {
        self.set_each(member, mass, inertia, (alone(s), alone(sp)));
    }

    /// The angular rows of a member's joint, over the member.
    #[inline]
    pub fn hold(&mut self, member: usize, rows: &[DVec3]) -> Result<(), Breakdown> {
        let mut list = [alone(DVec3::ZERO); 3];
        list.iter_mut().zip(rows).for_each(|(to, row)| *to = alone(*row));
        let Bad { which, pivot } = self.hold_on(member, &list[..rows.len().min(3)]);
        if which { Err(Breakdown { member, row: Some(2 + rows.len()), pivot }) } else { Ok(()) }
    }

    /// Factorises some members, which must be whole trees.
    pub fn factor(&mut self, members: Range<usize>) -> Result<(), Breakdown> {
        match self.factor_each::<f64>(members) {
            None => Ok(()),
            Some(Broken { member, pivot, .. }) => Err(Breakdown { member, row: None, pivot }),
        }
    }

    /// Solves for one right-hand side in place.
    pub fn solve(&self, members: Range<usize>, x: &mut [f64]) {
        self.solve_each::<f64>(members, x);
    }
}
