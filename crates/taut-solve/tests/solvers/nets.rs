//! Flat nets of rigid bodies on ball joints: the order by cuts through joints against that along a forest.

use taut_solve::block::matrix::Pattern;
use taut_solve::block::structure::{Fill, Structure};
use taut_solve::block_ldlt::{BlockLdlt, Signs};
use taut_solve::ordering::{Coupling, Order, Places, Vertex, order, order_placed};
use taut_solve::supernodal::Supernodal;

/// Inertia of a ball of 1 kg and 0.4 m, kg m^2.
const INERTIA: f64 = 0.064;

/// Joints of a net of so many bodies along a side, the first row of which is held, and where they are from their bodies.
fn net(side: usize) -> Vec<(Coupling, [f64; 3])> {
    let node = |r: usize, c: usize| r.checked_sub(1).map(|r| r * side + c);
    let mut joints = Vec::new();
    for (r, c) in (1..side).flat_map(|r| (0..side).map(move |c| (r, c))) {
        joints.push((Coupling { a: node(r, c), b: node(r - 1, c), rows: true }, [0.0, 0.5, 0.0]));
        if c > 0 {
            joints.push((Coupling { a: node(r, c), b: node(r, c - 1), rows: true }, [-0.5, 0.0, 0.0]));
        }
    }
    joints
}

/// The net in an order of elimination.
struct Net {
    joints: Vec<(Coupling, [f64; 3])>,
    order: Order,
    of_node: Vec<usize>,
    of_rows: Vec<usize>,
    signs: Signs,
    structure: Structure,
}

impl Net {
    fn new(side: usize, cut: bool) -> Self {
        let joints = net(side);
        let couplings: Vec<Coupling> = joints.iter().map(|j| j.0).collect();
        let nodes = side * (side - 1);
        let (at, no) = (vec![None; nodes], vec![false; couplings.len()]);
        let places = Places { at: &at, elements: couplings.len(), points: &no[..nodes], lines: &no };
        let order = if cut { order_placed(nodes, &couplings, Some(places)) } else { order(nodes, &couplings) };
        let (mut of_node, mut of_rows) = (vec![0; nodes], vec![0; couplings.len()]);
        let (mut dims, mut is_row) = (Vec::new(), Vec::new());
        for (at, v) in order.sequence.iter().enumerate() {
            match *v {
                Vertex::Node(n) => of_node[n] = at,
                Vertex::Rows(k) => of_rows[k] = at,
            }
            is_row.push(matches!(v, Vertex::Rows(_)));
            dims.push(if is_row[at] { 3 } else { 6 });
        }
        let sides = |k: usize| [couplings[k].a, couplings[k].b].into_iter().flatten();
        let pair = |k: usize| sides(k).map(move |n| (k, n));
        let pairs: Vec<(usize, usize)> =
            (0..couplings.len()).flat_map(pair).map(|(k, n)| (of_rows[k], of_node[n])).collect();
        let structure = Structure::new(dims, &pairs);
        Net { joints, order, of_node, of_rows, signs: Signs { is_row, has_loops: true }, structure }
    }

    fn fill(&self) -> Fill {
        self.structure.fill(0..self.signs.is_row.len())
    }

    /// [M J^T; J 0], with the mobilities of rows that close loops.
    fn matrix(&self) -> (Pattern, BlockLdlt) {
        let (fill, all) = (self.fill(), 0..self.signs.is_row.len());
        let entries = self.structure.entries(all.clone());
        let p = self.structure.clone().pattern(&[(all, fill.blocks - entries)]);
        let mut m = BlockLdlt::new(&p);
        for &b in &self.of_node {
            (0..6).for_each(|q| m.diag[p.diag[b] + 7 * q] = if q < 3 { 1.0 } else { INERTIA });
        }
        for (k, (c, arm)) in self.joints.iter().enumerate() {
            let g = self.of_rows[k];
            for (n, sign) in [(c.a, 1.0), (c.b, -1.0)] {
                let Some(b) = n.map(|n| self.of_node[n]) else { continue };
                // sign (v + w x s), and s of the other side is the opposite.
                let [x, y, z] = arm.map(|s| sign * s);
                let turn = [[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]];
                let at = p.coupling(b.min(g), b.max(g)).unwrap();
                for r in 0..3 {
                    for q in 0..6 {
                        let j = if q < 3 { f64::from(u8::from(q == r)) } else { turn[r][q - 3] };
                        m.off[at + if b < g { 3 * q + r } else { 6 * r + q }] = sign * j;
                        if self.order.closes_loop[k] {
                            m.reference[p.row[g] + r] += j * j / if q < 3 { 1.0 } else { INERTIA };
                        }
                    }
                }
            }
        }
        (p, m)
    }
}

#[test]
fn cuts_through_joints_take_a_quarter_of_the_multiplications_of_a_forest() {
    for (side, part) in [(10, 0.55), (30, 0.28), (100, 0.19)] {
        let (cut, forest) = (Net::new(side, true).fill(), Net::new(side, false).fill());
        println!("{side}: {:.3e} of {:.3e} multiplications", 0.5 * cut.flops, 0.5 * forest.flops);
        assert!(cut.flops < part * forest.flops, "{side}: {} of {}", cut.flops, forest.flops);
        assert!(cut.values < 0.75 * forest.values);
    }
}

#[test]
fn every_redundant_row_of_a_flat_net_is_found_and_no_other() {
    for side in [30, 100] {
        let net = Net::new(side, true);
        let (p, mut m) = net.matrix();
        let whole = m.clone();
        let mut panels = Supernodal::by_fours(&p, 0..p.blocks());
        let info = panels.factor(&p, &net.signs, 0, &mut m).unwrap();
        println!("{side}: {} dropped, smallest pivot {:.1e}", info.dropped, info.smallest_pivot);
        // In the plane each cell has one row more than it needs.
        assert_eq!(info.dropped, (side - 1) * (side - 2));
        assert!(info.smallest_pivot.abs() < 1e-11, "{}", info.smallest_pivot);
        // What the solution gives is the right-hand side, redundant rows included.
        let x: Vec<f64> = (0..p.size()).map(|k| ((k * 7919) % 101) as f64 / 50.0 - 1.0).collect();
        let b = multiply(&p, &whole, &x);
        let mut found = b.clone();
        panels.solve(0, &mut found);
        let error = multiply(&p, &whole, &found).iter().zip(&b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(error < 1e-9, "{error}");
    }
}

fn multiply(p: &Pattern, m: &BlockLdlt, x: &[f64]) -> Vec<f64> {
    let mut y = vec![0.0; p.size()];
    for k in 0..p.blocks() {
        let d = p.dims[k];
        (0..d * d).for_each(|c| y[p.row[k] + c / d] += m.diag[p.diag[k] + c] * x[p.row[k] + c % d]);
        for &(a, at) in p.of(k) {
            for c in 0..d * p.dims[a] {
                let (i, j) = (p.row[k] + c / p.dims[a], p.row[a] + c % p.dims[a]);
                y[i] += m.off[at + c] * x[j];
                y[j] += m.off[at + c] * x[i];
            }
        }
    }
    y
}
