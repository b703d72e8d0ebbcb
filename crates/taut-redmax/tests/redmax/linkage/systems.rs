//! Systems by the numbers: random trees, chains, the fan bridge, ribs, trees with tied leaves.

use crate::common::Rng;
use glam::DVec3 as Vec3;
use taut_redmax::articulated::{Link, NONE, Pair, Structure, Twist, Values};

/// A structure with its numbers.
#[derive(Clone)]
pub struct System {
    pub structure: Structure,
    pub values: Values,
}

impl System {
    pub fn new(links: Vec<Link>, pairs: Vec<Pair>) -> Self {
        let structure = Structure::new(links, pairs).expect("a valid structure");
        let values = Values::new(&structure);
        System { structure, values }
    }

    /// Mass and a turned inertia for body i.
    pub fn body(&mut self, rng: &mut Rng, i: usize, mass: f64) {
        let q = glam::DMat3::from_quat(rng.quat());
        let size = Vec3::new(rng.range(0.05, 0.2), rng.range(0.05, 0.2), rng.range(0.05, 0.2));
        let inertia = q * glam::DMat3::from_diagonal(mass * size * size) * q.transpose();
        for c in 0..3 {
            self.values.h[i][7 * c] = mass;
            for r in 0..3 {
                self.values.h[i][6 * (3 + r) + 3 + c] = inertia.col(c)[r];
            }
        }
    }

    /// Random joint columns and arm, a joint spring of the given size.
    pub fn joint(&mut self, rng: &mut Rng, i: usize, spring: f64) {
        let (d, k) = (self.structure.dof(i), self.structure.links()[i].dofs);
        self.values.arm[i] = rng.vec(1.0);
        for c in 0..k {
            // Independent: one component stands out in each column.
            self.values.s[d + c] = std::array::from_fn(|r| rng.range(-0.4, 0.4) + f64::from((c + 3) % 6 == r));
        }
        let at = self.structure.square(i);
        for c in 0..k {
            self.values.joint[at + c * k + c] = spring * rng.range(0.5, 1.0);
            for b in 0..c {
                self.values.joint[at + c * k + b] = 0.1 * spring * rng.range(-0.5, 0.5);
            }
        }
    }

    /// A spring between two points, in the values of a pair: weight times the change of its length.
    pub fn spring(&mut self, pair: usize, axis: Vec3, arms: [Vec3; 2], weight: f64) {
        let root = weight.sqrt();
        let g = &mut self.values.terms[self.structure.term(pair)];
        for (half, (arm, sign)) in arms.into_iter().zip([1.0, -1.0]).enumerate() {
            let (f, t) = (sign * root * axis, sign * root * arm.cross(axis));
            g[6 * half..6 * half + 3].copy_from_slice(&f.to_array());
            g[6 * half + 3..6 * half + 6].copy_from_slice(&t.to_array());
        }
    }
}

pub fn twist(rng: &mut Rng) -> Twist {
    std::array::from_fn(|_| rng.range(-1.0, 1.0))
}

/// A tree of n links with 0 to 6 freedoms, masses up to `ratio`, and `pairs` couplings of every kind.
pub fn random(rng: &mut Rng, n: usize, pairs: usize, ratio: f64) -> System {
    let link = |i: usize, rng: &mut Rng| {
        let parent = if i == 0 || rng.below(8) == 0 { NONE } else { i - 1 - rng.below(i.min(4)) };
        Link { parent, dofs: rng.below(7) }
    };
    let links: Vec<Link> = (0..n).map(|i| link(i, rng)).collect();
    let pair = |k: usize, rng: &mut Rng| {
        let (i, j) = (rng.below(n), rng.below(n));
        let j = if rng.below(6) == 0 { NONE } else { j };
        // Every fourth is to its own parent.
        let j = if k.is_multiple_of(4) { links[i].parent } else { j };
        Pair { i, j, rank: rng.below(4), block: i != j && rng.below(3) == 0 }
    };
    let pairs: Vec<Pair> = (0..pairs).map(|k| pair(k, rng)).collect();
    let mut sys = System::new(links, pairs);
    for i in 0..n {
        let mass = rng.range(0.5, 1.0) * if rng.below(4) == 0 { ratio } else { 1.0 };
        sys.body(rng, i, mass);
        sys.joint(rng, i, 0.3);
    }
    for g in &mut sys.values.terms {
        *g = std::array::from_fn(|_| rng.range(-1.5, 1.5));
    }
    fill_blocks(&mut sys, rng);
    sys
}

/// General couplings with the diagonal share that keeps them positive: the blocks of a sum of g g^T.
fn fill_blocks(sys: &mut System, rng: &mut Rng) {
    for (at, p) in sys.structure.pairs().to_vec().into_iter().enumerate().filter(|(_, p)| p.block) {
        let (gi, gj) = (twist(rng), twist(rng));
        for r in 0..6 {
            for c in 0..6 {
                sys.values.blocks[sys.structure.block(at)][6 * r + c] = gi[r] * gj[c];
                sys.values.h[p.i][6 * r + c] += gi[r] * gi[c];
                if p.j != NONE {
                    sys.values.h[p.j][6 * r + c] += gj[r] * gj[c];
                }
            }
        }
    }
}

/// A chain of links 1 m long with `dofs` turning freedoms (1: about z, 3: ball), 0.1 kg each, `load` at the end.
pub fn chain(n: usize, dofs: usize, load: f64) -> System {
    let links = (0..n).map(|i| Link { parent: if i == 0 { NONE } else { i - 1 }, dofs }).collect();
    let mut sys = System::new(links, vec![]);
    for i in 0..n {
        let mass = if i + 1 == n { load } else { 0.1 };
        // Rods in a bent shape, so that the load pulls along and across.
        let turn = 0.3 * i as f64;
        let along = Vec3::new(libm::sin(turn), -libm::cos(turn), 0.1 * libm::sin(2.0 * turn)).normalize();
        rod(&mut sys, i, mass, along);
        let before = 0.3 * (i as f64 - 1.0);
        let last = Vec3::new(libm::sin(before), -libm::cos(before), 0.1 * libm::sin(2.0 * before)).normalize();
        sys.values.arm[i] = 0.5 * (along + last);
        let d = sys.structure.dof(i);
        for (c, axis) in [Vec3::Z, Vec3::X, Vec3::Y].into_iter().enumerate().take(dofs) {
            let lin = axis.cross(0.5 * along);
            sys.values.s[d + c] = [lin.x, lin.y, lin.z, axis.x, axis.y, axis.z];
        }
    }
    sys
}

/// A slender rod of 1 m.
fn rod(sys: &mut System, i: usize, mass: f64, along: Vec3) {
    let h = &mut sys.values.h[i];
    let (across, axial) = (mass / 12.0, mass * 1e-2);
    for r in 0..3 {
        h[7 * r] = mass;
        for c in 0..3 {
            let nn = along[r] * along[c];
            h[6 * (3 + r) + 3 + c] = (axial - across) * nn + if r == c { across } else { 0.0 };
        }
    }
}

/// The flexible bridge: a deck of n hinged links from the left anchor, two towers of n links, bent so that their tops move both
/// ways, fifteen cables to the top of each
/// (thesis 4.1, h = 0.01 s, density 1000; deck 1e3 / 1, towers 9.2e6 / 1e3, cables 1e7 / 1e3 over their length).
pub fn bridge(n: usize) -> System {
    let (h, cables) = (0.01, 15);
    let mut links = Vec::new();
    for _ in 0..3 {
        let base = links.len();
        links.extend((0..n).map(|i| Link { parent: if i == 0 { NONE } else { base + i - 1 }, dofs: 1 }));
    }
    let (deck, tower) = (24.0 / n as f64, 10.0 / n as f64);
    let arc = |c: usize| (c + 1) as f64 * 24.0 / (2 * cables + 1) as f64;
    let at = |c: usize| ((arc(c) / deck) as usize).min(n - 1);
    let top = |c: usize| if c < cables { 2 * n - 1 } else { 3 * n - 1 };
    let pairs = (0..2 * cables).map(|c| Pair { i: at(c), j: top(c), rank: 1, block: false }).collect();
    let mut sys = System::new(links, pairs);
    let lean = |i: usize| 0.4 * (i + 1) as f64 / n as f64;
    let span = |i: usize| tower * Vec3::new(libm::sin(lean(i)), libm::cos(lean(i)), 0.0);
    for i in 0..n {
        let before = if i == 0 { Vec3::ZERO } else { span(i - 1) };
        beam(&mut sys, i, [Vec3::X * deck; 2], [0.15, 2.0], h * 1.0 + h * h * 1e3);
        for t in 0..2 {
            beam(&mut sys, (1 + t) * n + i, [before, span(i)], [0.5, 2.0], h * 1e3 + h * h * 9.2e6);
        }
    }
    sys.values.joint[0] = 0.0;
    let height = (0..n).map(span).fold(Vec3::ZERO, |a, b| a + b);
    for c in 0..2 * cables {
        let foot = Vec3::new(-12.0 + arc(c), 3.0, 0.0);
        let head = Vec3::new(if c < cables { -5.0 } else { 5.0 }, 0.0, 0.0) + height;
        let (l, axis) = ((foot - head).length(), (foot - head).normalize());
        let centre = Vec3::new(-12.0 + (at(c) as f64 + 0.5) * deck, 3.0, 0.0);
        let arms = [foot - centre, 0.5 * span(n - 1)];
        sys.spring(c, axis, arms, (h * 1e3 + h * h * 1e7) / l);
    }
    sys
}

/// A box of density 1000 along the second span, after a box along the first, hinged about z at its start.
fn beam(sys: &mut System, i: usize, spans: [Vec3; 2], section: [f64; 2], joint: f64) {
    let (span, l) = (spans[1], spans[1].length());
    let mass = 1000.0 * l * section[0] * section[1];
    let (a, b, c) = (l * l, section[0] * section[0], section[1] * section[1]);
    let along = span / l;
    let across = Vec3::Z.cross(along);
    for r in 0..3 {
        sys.values.h[i][7 * r] = mass;
        for k in 0..3 {
            let turned = (b + c) * along[r] * along[k] + (a + c) * across[r] * across[k];
            sys.values.h[i][6 * (3 + r) + 3 + k] = mass / 12.0 * (turned + if r == 2 && k == 2 { a + b } else { 0.0 });
        }
    }
    sys.values.arm[i] = 0.5 * (spans[0] + span);
    let lin = Vec3::Z.cross(0.5 * span);
    let d = sys.structure.dof(i);
    sys.values.s[d] = [lin.x, lin.y, lin.z, 0.0, 0.0, 1.0];
    let at = sys.structure.square(i);
    sys.values.joint[at] = joint;
}

/// `ribs` chains of n hinges side by side, tied level by level all round.
pub fn ribs(ribs: usize, n: usize) -> System {
    let id = |r: usize, i: usize| r * n + i;
    let mut links = vec![];
    for r in 0..ribs {
        links.extend((0..n).map(|i| Link { parent: if i == 0 { NONE } else { id(r, i - 1) }, dofs: 2 }));
    }
    let mut pairs = vec![];
    for r in 0..ribs {
        pairs.extend((0..n).map(|i| Pair { i: id(r, i), j: id((r + 1) % ribs, i), rank: 1, block: false }));
    }
    filled(System::new(links, pairs), 5)
}

/// Random bodies and joints, springs of one size.
fn filled(mut sys: System, seed: u64) -> System {
    let mut rng = Rng(seed);
    for i in 0..sys.structure.len() {
        sys.body(&mut rng, i, 1.0);
        sys.joint(&mut rng, i, 0.1);
    }
    for pair in 0..sys.structure.pairs().len() {
        let (axis, arms) = (rng.unit(), [rng.vec(0.3), rng.vec(0.3)]);
        sys.spring(pair, axis, arms, 10.0);
    }
    sys
}

/// The tree whose leaves are tied tip to tip along x and z (thesis 4.3, second variant; h = 0.01 s), and the impulses of
/// gravity and of the pull at its corners.
pub fn alternate_tree(levels: usize) -> (System, Vec<Twist>) {
    let h = 0.01;
    let root = glam::DQuat::from_axis_angle(Vec3::Z, std::f64::consts::FRAC_PI_2);
    let grown = |wiggle: f64| {
        let mut t = Branches { wiggle, ..Default::default() };
        t.grow(levels, 1, NONE, (root * Vec3::new(1.5, 0.0, 0.0), root));
        t
    };
    // Tied as it was built; the numbers are those of a moment later, when nothing is at right angles any more.
    let t = grown(0.0);
    let mut pairs = vec![];
    for (at, &a) in t.leaves.iter().enumerate() {
        for (c, o) in [(0, 2), (2, 0)] {
            let (p, line) = (t.pose[a].0, |b: &usize| (t.pose[*b].0 - t.pose[a].0)[o].abs() < 1e-2);
            let ahead = t.leaves.iter().filter(|b| line(b) && (t.pose[**b].0 - p)[c] > 1e-9);
            let next = ahead.min_by(|x, y| t.pose[**x].0[c].total_cmp(&t.pose[**y].0[c]));
            pairs.extend(next.map(|&b| Pair { i: t.leaves[at], j: b, rank: 1, block: false }));
        }
    }
    let t = grown(0.03);
    let tip = |b: usize| t.pose[b].0 + t.pose[b].1 * Vec3::new(0.5 * t.size[b], 0.0, 0.0);
    let ends: Vec<(usize, usize)> = pairs.iter().map(|p| (p.i, p.j)).collect();
    let mut sys = System::new(t.links.clone(), pairs);
    for i in 0..t.links.len() {
        let ((c, q), l) = (t.pose[i], t.size[i]);
        let (mass, b) = (0.25 * l, 0.25);
        let turn = glam::DMat3::from_quat(q);
        let diagonal = mass / 12.0 * Vec3::new(2.0 * b, l * l + b, l * l + b) + Vec3::splat(h);
        let inertia = turn * glam::DMat3::from_diagonal(diagonal) * turn.transpose();
        for r in 0..3 {
            sys.values.h[i][7 * r] = mass + h;
            (0..3).for_each(|k| sys.values.h[i][6 * (3 + r) + 3 + k] = inertia.col(k)[r]);
        }
        let parent = t.links[i].parent;
        sys.values.arm[i] = if parent == NONE { Vec3::ZERO } else { c - t.pose[parent].0 };
        let (axis, lin) = (t.axis[i], t.axis[i].cross(c - t.pin[i]));
        sys.values.s[i] = [lin.x, lin.y, lin.z, axis.x, axis.y, axis.z];
        sys.values.joint[i] = h * 1.0 + h * h * 1e3;
    }
    for (pair, &(a, b)) in ends.iter().enumerate() {
        let d = tip(a) - tip(b);
        let arms = [tip(a) - t.pose[a].0, tip(b) - t.pose[b].0];
        sys.spring(pair, d.normalize(), arms, (h * 1.0 + h * h * 1e5) / d.length());
    }
    let mass = |i: usize| 0.25 * t.size[i];
    let mut pull: Vec<Twist> = (0..t.links.len()).map(|i| [0.0, -980.0 * h * mass(i), 0.0, 0.0, 0.0, 0.0]).collect();
    let all: f64 = 0.75 + (0..t.links.len()).map(mass).sum::<f64>();
    for (x, z) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
        let reach = |b: usize| x * t.pose[b].0.x + z * t.pose[b].0.z;
        if let Some(&corner) = t.leaves.iter().max_by(|&&a, &&b| reach(a).total_cmp(&reach(b))) {
            for (c, f) in [x, -1.0, z].into_iter().enumerate() {
                pull[corner][c] += 10.0 * all * h * f;
            }
        }
    }
    (sys, pull)
}

/// The bodies of a tree while it grows.
#[derive(Default)]
struct Branches {
    /// Amplitude of the angles beside those of the design.
    wiggle: f64,
    links: Vec<Link>,
    pose: Vec<(Vec3, glam::DQuat)>,
    size: Vec<f64>,
    pin: Vec<Vec3>,
    axis: Vec<Vec3>,
    leaves: Vec<usize>,
}

impl Branches {
    /// A box of length `size` turned by `angle` about the local `axis` at the point `at` of its parent.
    fn add(
        &mut self,
        parent: usize,
        on: (Vec3, glam::DQuat),
        at: [f64; 2],
        (axis, angle): (Vec3, f64),
        size: f64,
    ) -> usize {
        let pin = on.0 + on.1 * Vec3::new(at[0], 0.0, 0.0);
        let angle = angle + self.wiggle * libm::sin(7.0 * self.links.len() as f64);
        let turn = on.1 * glam::DQuat::from_axis_angle(axis, angle);
        self.links.push(Link { parent, dofs: 1 });
        self.pose.push((pin + turn * Vec3::new(at[1], 0.0, 0.0), turn));
        self.size.push(size);
        self.pin.push(pin);
        self.axis.push(turn * axis);
        self.links.len() - 1
    }

    fn grow(&mut self, levels: usize, l: usize, parent: usize, on: (Vec3, glam::DQuat)) {
        if l > levels {
            self.leaves.push(parent);
            return;
        }
        let (half_pi, e) = (std::f64::consts::FRAC_PI_2, (l - 1) as f64);
        let axis = if l.is_multiple_of(2) { Vec3::Y } else { Vec3::Z };
        let at = 1.5 * libm::pow(0.95, e) * if l == 1 { -1.0 } else { 1.0 };
        let cross = self.add(parent, on, [at, 0.0], (axis, half_pi), 10.0 * libm::pow(0.8, e));
        for side in [-1.0, 1.0] {
            let angle = half_pi * if l == 1 { 1.0 } else { 3.0 };
            let (half, length) = (4.9 * libm::pow(0.8, e), 3.0 * libm::pow(0.95, l as f64));
            let b = self.add(cross, self.pose[cross], [side * half, -0.5 * length], (axis, angle), length);
            self.grow(levels, l + 1, b, self.pose[b]);
        }
    }
}
