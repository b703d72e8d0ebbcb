//! Which link is eliminated when, and which couplings that fills.
//!
//! ```text
//! link i with the parent p and the live neighbours N (coupled by a pair or by fill) goes, all its children gone before:
//!   every n of N couples to p;    with k > 0 freedoms the members of N couple to each other
//! order: among the links without live children the one with the least (key, |N|, index), key by rule
//!   MinDegree 0    DeepestFirst -depth    LowestFirst height    Bands -(depth / 4)
//! ```
//!
//! All four rules are tried and the one with the fewest operations is kept: none of them is best everywhere (on ribs tied
//! level by level the least degree alone costs a hundred times the level order). Without couplings all orders cost the
//! same and the links go from last to first.

use super::{NONE, Structure, Treatment};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use taut_solve::block::matrix::merge;

/// Preference among the links that may go next.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Rule {
    /// Fewest neighbours.
    #[default]
    MinDegree,
    /// Farthest from the root, then fewest neighbours.
    DeepestFirst,
    /// Nearest to its leaves, then fewest neighbours.
    LowestFirst,
    /// By bands of four levels, farthest first, fewest neighbours inside a band.
    Bands,
}

/// All rules, in the order in which they are tried.
pub const RULES: [Rule; 4] = [Rule::MinDegree, Rule::DeepestFirst, Rule::LowestFirst, Rule::Bands];

/// The budget of the first round of trials, in factorisations without couplings, and its growth from round to round.
const ROUNDS: f64 = 8.0;

/// Time of an operation of the fill (long runs over dense blocks) over that of any other. From the times of steps on trees with springs
/// between leaves (`taut bench reduced --only alternate`), where it decides; elsewhere there is little fill.
pub const FILL: f64 = 0.5;

/// Work of an elimination.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// Operations of the factorisation (additions and multiplications).
    pub factor: f64,
    /// What it costs in time, in operations of a sweep: those of the fill between neighbours run faster, see [`FILL`].
    pub work: f64,
    /// Operations of one right-hand side.
    pub solve: f64,
    /// Most bodies coupled to one that goes, its parent included.
    pub front: usize,
}

/// Where a trial is given up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// Operations of the factorisation.
    pub factor: f64,
    /// Bodies in the front.
    pub front: usize,
}

impl Limit {
    /// None.
    pub const FREE: Limit = Limit { factor: f64::INFINITY, front: usize::MAX };
}

/// A neighbour of a link when that goes. Its place in [`Plan::near`] is the place of their block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Near {
    /// The neighbour; goes later.
    pub body: usize,
    /// Block that couples it to the parent of the link; [`NONE`] without live parent and when it is the parent.
    pub target: usize,
    /// Whether the parent goes after the neighbour, so that its rows are the rows of that block.
    pub parent_rows: bool,
}

/// The block of a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Entry {
    /// The block; [`NONE`] when the pair has none (one end does not move, both are one, not exact).
    pub block: usize,
    /// Whether the first body of the pair has the rows (it goes later).
    pub first_rows: bool,
}

/// An elimination: order, couplings and their blocks, cost.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    pub(super) structure: Structure,
    /// The rule that made the order.
    pub rule: Rule,
    /// Its work.
    pub cost: Cost,
    /// Moving links in the order in which they go.
    pub(super) order: Vec<usize>,
    /// Neighbours of `order[q]`: `near[start[q]..start[q + 1]]`, in the order in which they go.
    pub(super) start: Vec<usize>,
    pub(super) near: Vec<Near>,
    /// Place of each link in the order; [`NONE`] for one that does not move.
    pub(super) place: Vec<usize>,
    /// Per pair.
    pub(super) entries: Vec<Entry>,
    pub(super) treatment: Vec<Treatment>,
}

impl Plan {
    /// The cheapest order of the four rules; `treatment` has one entry per pair, or none (all exact).
    /// `None` when every order breaks the limit.
    pub fn best(s: &Structure, treatment: &[Treatment], limit: Limit) -> Option<Plan> {
        let couplings = couplings(s, treatment);
        if couplings.iter().all(Vec::is_empty) {
            return plain(s, limit).map(|t| t.lay_out(s, treatment));
        }
        // A rule that suits is done long before one that does not would be: rounds of growing budgets.
        let mut budget = plain(s, Limit::FREE).map_or(0.0, |t| ROUNDS * t.cost.factor);
        loop {
            let (mut best, mut more): (Option<Trial>, bool) = (None, false);
            for rule in RULES {
                let factor = best.as_ref().map_or(budget.min(limit.factor), |b| b.cost.factor);
                match trial(s, couplings.clone(), rule, Limit { factor, ..limit }) {
                    Ok(found) => best = Some(found),
                    Err(broken) => more |= broken == Broken::Factor && budget < limit.factor,
                }
            }
            if best.is_some() || !more {
                return best.map(|t| t.lay_out(s, treatment));
            }
            budget *= ROUNDS;
        }
    }

    /// The order of one rule.
    pub fn with_rule(s: &Structure, treatment: &[Treatment], rule: Rule) -> Plan {
        trial(s, couplings(s, treatment), rule, Limit::FREE)
            .map_or_else(|_| Plan::default(), |t| t.lay_out(s, treatment))
    }

    /// Links in the order in which they go; those that cannot move are left out.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// Number of 6 x 6 blocks between bodies, fill included.
    pub fn blocks(&self) -> usize {
        self.near.len()
    }
}

/// Moving bodies that exact pairs couple, ascending.
fn couplings(s: &Structure, treatment: &[Treatment]) -> Vec<Vec<usize>> {
    let mut near = vec![Vec::new(); s.len()];
    for pair in 0..s.pairs().len() {
        let (i, j) = s.ends(pair);
        if i != NONE && j != NONE && i != j && treatment.get(pair).copied().unwrap_or_default() == Treatment::Exact {
            near[i].push(j);
            near[j].push(i);
        }
    }
    for list in &mut near {
        list.sort_unstable();
        list.dedup();
    }
    near
}

/// Levels above the ground and above the own leaves, by the rule.
fn keys(s: &Structure, rule: Rule) -> Vec<i64> {
    let n = s.len();
    let (mut depth, mut height) = (vec![0_i64; n], vec![0_i64; n]);
    for i in 0..n {
        let p = s.carrier(i);
        depth[i] = if p == NONE { 0 } else { depth[p] + 1 };
    }
    for i in (0..n).rev() {
        let p = s.carrier(i);
        if p != NONE {
            height[p] = height[p].max(height[i] + 1);
        }
    }
    match rule {
        Rule::MinDegree => vec![0; n],
        Rule::DeepestFirst => depth.iter().map(|d| -d).collect(),
        Rule::LowestFirst => height,
        Rule::Bands => depth.iter().map(|d| -(d / 4)).collect(),
    }
}

/// Which limit a trial has broken.
#[derive(Clone, Copy, PartialEq)]
enum Broken {
    Factor,
    Front,
}

/// An order with its neighbours, not yet laid out.
struct Trial {
    rule: Rule,
    cost: Cost,
    order: Vec<usize>,
    start: Vec<usize>,
    near: Vec<usize>,
}

/// From last to first, where nothing is coupled.
fn plain(s: &Structure, limit: Limit) -> Option<Trial> {
    let order: Vec<usize> = (0..s.len()).rev().filter(|&i| !s.fixed(i)).collect();
    let mut cost = Cost::default();
    for &i in &order {
        cost.add(s.links()[i].dofs, 0, s.carrier(i) != NONE, false);
    }
    let start = vec![0; order.len() + 1];
    (cost.factor < limit.factor).then_some(Trial { rule: Rule::MinDegree, cost, order, start, near: vec![] })
}

fn trial(s: &Structure, mut near: Vec<Vec<usize>>, rule: Rule, limit: Limit) -> Result<Trial, Broken> {
    let key = keys(s, rule);
    let mut children = vec![0_usize; s.len()];
    for i in (0..s.len()).filter(|&i| s.carrier(i) != NONE) {
        children[s.carrier(i)] += 1;
    }
    let moving = (0..s.len()).filter(|&i| !s.fixed(i));
    // Ties go to the last link.
    let entry = |i: usize, near: &[Vec<usize>]| Reverse((key[i], near[i].len(), Reverse(i)));
    let mut heap: BinaryHeap<_> = moving.filter(|&i| children[i] == 0).map(|i| entry(i, &near)).collect();
    let mut t = Trial { rule, cost: Cost::default(), order: vec![], start: vec![0], near: vec![] };
    let mut gone = vec![false; s.len()];
    while let Some(Reverse((_, degree, Reverse(i)))) = heap.pop() {
        if gone[i] || degree != near[i].len() {
            continue;
        }
        gone[i] = true;
        let p = s.carrier(i);
        let list = std::mem::take(&mut near[i]);
        t.cost.add(s.links()[i].dofs, list.iter().filter(|&&n| n != p).count(), p != NONE, list.contains(&p));
        if t.cost.front > limit.front {
            return Err(Broken::Front);
        }
        if t.cost.factor >= limit.factor {
            return Err(Broken::Factor);
        }
        let clique = if p == NONE { list.clone() } else { merge(&list, &[p]) };
        for &n in &clique {
            let meets = if s.links()[i].dofs > 0 || n == p { &clique[..] } else { std::slice::from_ref(&p) };
            let meets = if meets == [NONE] { &[][..] } else { meets };
            near[n] = merge(&near[n], meets);
            near[n].retain(|&x| x != i && x != n);
        }
        if p != NONE {
            children[p] -= 1;
        }
        heap.extend(clique.iter().filter(|&&n| children[n] == 0).map(|&n| entry(n, &near)));
        t.order.push(i);
        t.near.extend_from_slice(&list);
        t.start.push(t.near.len());
    }
    Ok(t)
}

impl Trial {
    /// Sorts the neighbours as they go and finds the block of every coupling.
    fn lay_out(self, s: &Structure, treatment: &[Treatment]) -> Plan {
        let mut place = vec![NONE; s.len()];
        for (q, &i) in self.order.iter().enumerate() {
            place[i] = q;
        }
        let unset = |body| Near { body, target: NONE, parent_rows: false };
        let mut near: Vec<Near> = self.near.into_iter().map(unset).collect();
        for w in self.start.windows(2) {
            near[w[0]..w[1]].sort_unstable_by_key(|n| place[n.body]);
        }
        let mut plan =
            Plan { rule: self.rule, cost: self.cost, order: self.order, start: self.start, ..Default::default() };
        plan.structure = s.clone();
        plan.place = place;
        plan.near = near;
        for q in 0..plan.order.len() {
            let p = s.carrier(plan.order[q]);
            for at in plan.start[q]..plan.start[q + 1] {
                let n = plan.near[at].body;
                if p != NONE && n != p {
                    plan.near[at].target = plan.find(n, p);
                    plan.near[at].parent_rows = plan.place[p] > plan.place[n];
                }
            }
        }
        plan.treatment = (0..s.pairs().len()).map(|k| treatment.get(k).copied().unwrap_or_default()).collect();
        plan.entries = (0..s.pairs().len()).map(|k| plan.entry(s, k)).collect();
        plan
    }
}

impl Plan {
    /// Block of two bodies; [`NONE`] when they do not meet.
    fn find(&self, a: usize, b: usize) -> usize {
        let (first, last) = if self.place[a] < self.place[b] { (a, b) } else { (b, a) };
        let q = self.place[first];
        let list = &self.near[self.start[q]..self.start[q + 1]];
        list.binary_search_by_key(&self.place[last], |n| self.place[n.body]).map_or(NONE, |at| self.start[q] + at)
    }

    fn entry(&self, s: &Structure, pair: usize) -> Entry {
        let (i, j) = s.ends(pair);
        if i == NONE || j == NONE || i == j || self.treatment[pair] != Treatment::Exact {
            return Entry { block: NONE, first_rows: false };
        }
        Entry { block: self.find(i, j), first_rows: self.place[i] > self.place[j] }
    }
}

impl Cost {
    /// One link of k freedoms with m neighbours besides its parent; the operations of `eliminate` and `sweep`.
    fn add(&mut self, k: usize, m: usize, parent: bool, tied: bool) {
        self.front = self.front.max(m + usize::from(parent));
        let (all, k, p) = ((m + usize::from(tied)) as f64, k as f64, f64::from(parent));
        // U, D, its factors, Z, the own block, its shift.
        let own = 66.0 * k + 6.0 * k * (k + 1.0) + k * k * k / 3.0 + 6.0 * k * k + p * (48.0 * k + 105.0);
        // Per neighbour: B S, its Z, its own block; the coupling to the parent; the pairs.
        let near = all * (66.0 * k + 6.0 * k * k + 48.0 * k + p * (72.0 * k + 72.0));
        let fill = all * (all - 1.0) / 2.0 * 72.0 * k;
        self.factor += own + near + fill;
        self.work += own + near + FILL * fill;
        self.solve += 2.0 * (24.0 * k + k * k + p * 15.0 + 12.0 * k * all);
    }
}
