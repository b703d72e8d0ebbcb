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

mod ball;
mod held;
mod small;

use glam::DVec3;
use held::Hold;
use small::{Mat, Sym, get};
use std::ops::Range;

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

/// A node with the joint to its parent.
#[derive(Clone, Copy, Debug)]
struct Member {
    kind: Kind,
    parent: u32,
    x: u32,
    row: u32,
    /// Its place among the holds.
    hold: u32,
    sign: f64,
    /// Arms of the joint on the node and on the parent.
    s: DVec3,
    sp: DVec3,
    /// P. After the factorisation what is left of it for the parent.
    p: Sym,
    /// Q, row-major. After it: Z = R^-1 Q^T of a ball joint, what is left of Q of the others.
    q: Mat,
    /// R. After it: the LDL^T of R of a ball joint, what is left of R of the others.
    r: Sym,
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

/// Trees of nodes and joints, children before their parents.
#[derive(Clone, Debug, Default)]
pub struct JointTree {
    members: Vec<Member>,
    holds: Vec<Hold>,
}

impl JointTree {
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
            s: DVec3::ZERO,
            sp: DVec3::ZERO,
            p: [0.0; 6],
            q: [0.0; 9],
            r: [0.0; 6],
        });
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
        self.members.capacity() * size_of::<Member>() + self.holds.capacity() * size_of::<Hold>()
    }

    /// The mass of a member, its inertia (xx, yy, zz, xy, yz, xz) and the arms of its joint on itself and on its parent.
    #[inline(always)]
    pub fn set(&mut self, member: usize, mass: f64, inertia: [f64; 6], (s, sp): (DVec3, DVec3)) {
        let e = &mut self.members[member];
        (e.s, e.sp) = (s, sp);
        e.p = [mass, mass, mass, 0.0, 0.0, 0.0];
        let m = mass * s;
        e.q = [0.0, -m.z, m.y, m.z, 0.0, -m.x, -m.y, m.x, 0.0];
        e.r = [
            inertia[0] + m.y * s.y + m.z * s.z,
            inertia[1] + m.x * s.x + m.z * s.z,
            inertia[2] + m.x * s.x + m.y * s.y,
            inertia[3] - m.x * s.y,
            inertia[4] - m.y * s.z,
            inertia[5] - m.x * s.z,
        ];
    }

    /// The angular rows of a member's joint, over the member.
    #[inline]
    pub fn hold(&mut self, member: usize, rows: &[DVec3]) -> Result<(), Breakdown> {
        let hold = &mut self.holds[self.members[member].hold as usize];
        hold.set(rows).map_err(|(row, pivot)| Breakdown { member, row: Some(3 + row), pivot })
    }

    /// Factorises some members, which must be whole trees.
    pub fn factor(&mut self, members: Range<usize>) -> Result<(), Breakdown> {
        let first = members.start;
        let tree = &mut self.members[members];
        for n in 0..tree.len() {
            let (head, tail) = tree.split_at_mut(n + 1);
            let e = &mut head[n];
            let done = match e.kind {
                Kind::Free => ball::factor(e).and_then(|()| ball::free(e)),
                Kind::Ball => ball::factor(e),
                Kind::Held => held::factor(e, &mut self.holds[e.hold as usize]),
            };
            done.map_err(|pivot| Breakdown { member: first + n, row: None, pivot })?;
            if e.parent != NONE {
                let parent = &mut tail[e.parent as usize - first - n - 1];
                match e.kind {
                    Kind::Held => held::hand_on(e, parent),
                    _ => ball::hand_on(e, parent),
                }
            }
        }
        Ok(())
    }

    /// Solves for one right-hand side in place.
    pub fn solve(&self, members: Range<usize>, x: &mut [f64]) {
        let tree = &self.members[members];
        for e in tree {
            let (t, moment) = match e.kind {
                Kind::Free => (ball::collect(e, x), DVec3::ZERO),
                Kind::Ball => (ball::collect(e, x) - ball::asked(e, x), DVec3::ZERO),
                Kind::Held => {
                    let hold = &self.holds[e.hold as usize];
                    match hold.rows() {
                        1 => held::collect::<1>(e, hold, x),
                        2 => held::collect::<2>(e, hold, x),
                        _ => held::collect::<3>(e, hold, x),
                    }
                }
            };
            if e.parent != NONE {
                let at = self.members[e.parent as usize].x as usize;
                small::add(x, at, t);
                small::add(x, at + 3, moment + e.sp.cross(t));
            }
        }
        for e in tree.iter().rev() {
            let (up, wp) = if e.parent == NONE {
                (DVec3::ZERO, DVec3::ZERO)
            } else {
                let at = self.members[e.parent as usize].x as usize;
                let w = get(x, at + 3);
                (get(x, at) + w.cross(e.sp), w)
            };
            match e.kind {
                Kind::Free => ball::release(e, x),
                Kind::Ball => ball::descend(e, up, x),
                Kind::Held => {
                    let hold = &self.holds[e.hold as usize];
                    match hold.rows() {
                        1 => held::descend::<1>(e, hold, (up, wp), x),
                        2 => held::descend::<2>(e, hold, (up, wp), x),
                        _ => held::descend::<3>(e, hold, (up, wp), x),
                    }
                }
            }
        }
    }
}
