//! Leaf-first elimination of J^T H J + A in body blocks: articulated bodies with couplings across branches.
//!
//! ```text
//! link i with the parent p and the neighbours N, v_i = X v_p + S y, B_n = H_ni:
//!   U = H_ii S      D = S^T U + A_i = L diag(d) L^T      Z_i = L^-1 U^T      Z_n = L^-1 (B_n S)^T
//!   H_ab -= Z_a^T d^-1 Z_b   for a, b of {i} + N         (y is gone)
//!   H_pp += X^T H_ii X       H_np += B_n X               (v_i is gone; for n = p: H_pp += B_p X + (B_p X)^T)
//! right-hand sides: `sweep`
//! ```
//!
//! Without couplings this is Alg. 4 of Baxter (RedMax) in world axes. Every pivot D is k x k and positive definite when H and
//! A are; it is factored, never inverted by cofactors, which lose a light inertia beside a heavy load (1e6 to 1).
//! y is eliminated before the shift, so that what a free joint cannot carry cancels at its own body.
//!
//! Departs from the paper: it stores the inverse of D and knows no neighbours.

use super::spatial::{Sym6, dot, pass, row};
use super::symbolic::{Cost, Limit, Plan};
use super::{Fault, NONE, Structure, Treatment, Twist, Values};
use glam::DVec3;

/// A pivot below this share of its diagonal entry is rounding.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// One link, in the order of elimination.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub link: usize,
    /// Live parent or [`NONE`].
    pub parent: usize,
    pub dofs: usize,
    /// First entry in `s`, `z`, `inv`.
    pub dof: usize,
    /// First entry in `l`.
    pub square: usize,
    /// Its neighbours and their blocks.
    pub near: usize,
    pub near_end: usize,
}

/// Factors of an articulated system; its memory is made once per structure.
#[derive(Clone, Debug, Default)]
pub struct Elimination {
    pub(super) structure: Structure,
    pub(super) plan: Plan,
    pub(super) steps: Vec<Step>,
    hat: Vec<Sym6>,
    /// Before link i goes its blocks B_n, rows of n; afterwards the k rows of Z_n.
    pub(super) off: Vec<[f64; 36]>,
    pub(super) arm: Vec<DVec3>,
    pub(super) s: Vec<Twist>,
    pub(super) z: Vec<Twist>,
    pub(super) l: Vec<f64>,
    /// 1 / d.
    pub(super) inv: Vec<f64>,
    pub(super) factored: bool,
}

impl Elimination {
    /// The cheapest order, all pairs exact.
    pub fn new(structure: &Structure) -> Self {
        let plan = Plan::best(structure, &[], Limit::FREE).unwrap_or_default();
        Self::with_plan(plan)
    }

    /// With the order and the treatment of pairs of a plan.
    pub fn with_plan(plan: Plan) -> Self {
        let s = &plan.structure;
        let step = |(q, &link): (usize, &usize)| Step {
            link,
            parent: s.carrier(link),
            dofs: s.links()[link].dofs,
            dof: s.dof(link),
            square: s.square(link),
            near: plan.start[q],
            near_end: plan.start[q + 1],
        };
        Elimination {
            steps: plan.order.iter().enumerate().map(step).collect(),
            hat: vec![Sym6::default(); s.len()],
            off: vec![[0.0; 36]; plan.blocks()],
            arm: vec![DVec3::ZERO; s.len()],
            s: vec![[0.0; 6]; s.dofs()],
            z: vec![[0.0; 6]; s.dofs()],
            l: vec![0.0; s.square(s.len())],
            inv: vec![0.0; s.dofs()],
            factored: false,
            structure: s.clone(),
            plan,
        }
    }

    /// Work and front of the order.
    pub fn cost(&self) -> Cost {
        self.plan.cost
    }

    /// The order.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Factors. After an error there are no factors.
    pub fn factor(&mut self, values: &Values) -> Result<(), Fault> {
        self.factored = false;
        values.check(&self.structure)?;
        self.load(values);
        for q in 0..self.steps.len() {
            let st = self.steps[q];
            match st.dofs {
                0 => self.eliminate::<0>(st, values)?,
                1 => self.eliminate::<1>(st, values)?,
                2 => self.eliminate::<2>(st, values)?,
                3 => self.eliminate::<3>(st, values)?,
                4 => self.eliminate::<4>(st, values)?,
                5 => self.eliminate::<5>(st, values)?,
                _ => self.eliminate::<6>(st, values)?,
            }
        }
        self.factored = true;
        Ok(())
    }

    /// H with the pairs as the plan treats them.
    fn load(&mut self, values: &Values) {
        self.arm.copy_from_slice(&values.arm);
        self.s.copy_from_slice(&values.s);
        for (hat, h) in self.hat.iter_mut().zip(&values.h) {
            *hat = Sym6::from_rows(h);
        }
        self.off.fill([0.0; 36]);
        for pair in 0..self.structure.pairs().len() {
            if self.plan.treatment[pair] != Treatment::Out {
                self.load_pair(values, pair);
            }
        }
    }

    fn load_pair(&mut self, values: &Values, pair: usize) {
        let s = &self.structure;
        let p = s.pairs()[pair];
        let entry = self.plan.entries[pair];
        for g in &values.terms[s.term(pair)..s.term(pair + 1)] {
            let (mut gi, gj) = halves(g);
            if p.i == p.j {
                gi = std::array::from_fn(|c| gi[c] + gj[c]);
            } else if p.j != NONE {
                self.hat[p.j].add_outer(&gj, &gj);
            }
            self.hat[p.i].add_outer(&gi, &gi);
            if entry.block != NONE {
                let (rows, columns) = if entry.first_rows { (gi, gj) } else { (gj, gi) };
                for (at, x) in self.off[entry.block].iter_mut().enumerate() {
                    *x += rows[at / 6] * columns[at % 6];
                }
            }
        }
        if p.block && entry.block != NONE {
            let b = &values.blocks[s.block(pair)];
            for (at, x) in self.off[entry.block].iter_mut().enumerate() {
                *x += if entry.first_rows { b[at] } else { b[6 * (at % 6) + at / 6] };
            }
        }
    }

    #[inline]
    fn eliminate<const K: usize>(&mut self, st: Step, values: &Values) -> Result<(), Fault> {
        let s: &[Twist; K] = self.s[st.dof..].first_chunk().unwrap_or(&[[0.0; 6]; K]);
        let mut own = self.hat[st.link];
        let mut z: [Twist; K] = std::array::from_fn(|c| own.mul(&s[c]));
        let (l, inv) = factor_pivot(st, s, &z, &values.joint[st.square..])?;
        solve_lower(&l, &mut z);
        if st.near < st.near_end {
            self.couple(st, &l, &inv, &z);
        }
        for c in 0..K {
            self.z[st.dof + c] = z[c];
            self.inv[st.dof + c] = inv[c];
            self.l[st.square + c * K..st.square + (c + 1) * K].copy_from_slice(&l[c]);
        }
        if st.parent != NONE {
            for c in 0..K {
                own.sub_outer(&z[c], &z[c].map(|x| inv[c] * x));
            }
            self.hat[st.parent].add_shifted(&own, self.arm[st.link]);
        }
        Ok(())
    }

    /// Neighbours: Z_n replaces B_n, which goes on to the parent; the fill among them.
    fn couple<const K: usize>(&mut self, st: Step, l: &[[f64; K]; K], inv: &[f64; K], z: &[Twist; K]) {
        for at in st.near..st.near_end {
            let (near, b) = (self.plan.near[at], self.off[at]);
            let s = &self.s[st.dof..st.dof + K];
            let mut zn: [Twist; K] = std::array::from_fn(|c| std::array::from_fn(|r| dot(row(&b, r), &s[c])));
            solve_lower(l, &mut zn);
            if st.parent != NONE {
                self.hand_on(st, at, &scaled(&zn, inv), z);
            }
            for c in 0..K {
                self.hat[near.body].sub_outer(&zn[c], &zn[c].map(|x| inv[c] * x));
                self.off[at][6 * c..6 * c + 6].copy_from_slice(&zn[c]);
            }
        }
        if K > 0 {
            for at in st.near..st.near_end {
                self.fill::<K>(at, st.near_end, inv);
            }
        }
    }

    /// The coupling of a neighbour with the parent: (B_n - Z_n^T d^-1 Z_i) X.
    fn hand_on<const K: usize>(&mut self, st: Step, at: usize, zn: &[Twist; K], z: &[Twist; K]) {
        let near = self.plan.near[at];
        let mut m = self.off[at];
        for r in 0..6 {
            let mut line = *row(&m, r);
            for c in 0..K {
                for j in 0..6 {
                    line[j] -= zn[c][r] * z[c][j];
                }
            }
            m[6 * r..6 * r + 6].copy_from_slice(&pass(&line, self.arm[st.link]));
        }
        if near.body == st.parent {
            self.hat[st.parent].add_twice_symmetric(&m);
        } else {
            for (x, target) in self.off[near.target].iter_mut().enumerate() {
                *target += if near.parent_rows { m[6 * (x % 6) + x / 6] } else { m[x] };
            }
        }
    }

    /// Fill of one neighbour with those after it.
    fn fill<const K: usize>(&mut self, at: usize, end: usize, inv: &[f64; K]) {
        let za: [Twist; K] = std::array::from_fn(|c| *row(&self.off[at], c));
        let za = scaled(&za, inv);
        // The neighbours of a hold all that follow: they meet in the same order.
        let mut target = self.plan.start[self.plan.place[self.plan.near[at].body]];
        for b in at + 1..end {
            while self.plan.near[target].body != self.plan.near[b].body {
                target += 1;
            }
            let zb = self.off[b];
            let block = &mut self.off[target];
            for r in 0..6 {
                for c in 0..K {
                    let w = zb[6 * c + r];
                    for j in 0..6 {
                        block[6 * r + j] -= w * za[c][j];
                    }
                }
            }
        }
    }
}

/// g_i and g_j.
#[inline]
pub(super) fn halves(g: &[f64; 12]) -> (Twist, Twist) {
    (std::array::from_fn(|c| g[c]), std::array::from_fn(|c| g[6 + c]))
}

#[inline]
fn scaled<const K: usize>(z: &[Twist; K], inv: &[f64; K]) -> [Twist; K] {
    std::array::from_fn(|c| z[c].map(|x| inv[c] * x))
}

/// L and 1 / d of D = S^T U + A. Only the lower triangle of L below the diagonal is written.
#[inline]
fn factor_pivot<const K: usize>(
    st: Step,
    s: &[Twist; K],
    u: &[Twist; K],
    joint: &[f64],
) -> Result<([[f64; K]; K], [f64; K]), Fault> {
    let (mut l, mut inv) = ([[0.0; K]; K], [0.0; K]);
    let entry = |a: usize, b: usize| dot(&s[a], &u[b]) + joint[a * K + b];
    for a in 0..K {
        // Row a holds L d until it is complete.
        for b in 0..a {
            l[a][b] = entry(a, b);
            for c in 0..b {
                l[a][b] -= l[a][c] * l[b][c];
            }
        }
        let whole = entry(a, a);
        let mut d = whole;
        for c in 0..a {
            let scaled = l[a][c] * inv[c];
            d -= l[a][c] * scaled;
            l[a][c] = scaled;
        }
        let least = ROUNDING * whole.abs();
        if !(d > least && d < f64::INFINITY) {
            return Err(Fault::NotPositive { link: st.link, freedom: a, pivot: d, least });
        }
        inv[a] = 1.0 / d;
    }
    Ok((l, inv))
}

/// z = L^-1 z, row by row.
#[inline]
fn solve_lower<const K: usize>(l: &[[f64; K]; K], z: &mut [Twist; K]) {
    for c in 1..K {
        for b in 0..c {
            let (lcb, zb) = (l[c][b], z[b]);
            for j in 0..6 {
                z[c][j] -= lcb * zb[j];
            }
        }
    }
}
