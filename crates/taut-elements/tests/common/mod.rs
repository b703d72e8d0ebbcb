//! Small meshes, random numbers and a static solver for the tests.
#![allow(dead_code)]

pub mod statics;

use glam::{DMat3, DVec3};
use taut_elements::{Cell, CellKind, Cord, Elements, Input, Law, Material, Mesh, Orthotropic};

/// A linear congruential generator in -1 ... 1.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn vector(&mut self) -> DVec3 {
        DVec3::new(self.next(), self.next(), self.next())
    }

    pub fn rotation(&mut self) -> DMat3 {
        let axis = self.vector().normalize();
        DMat3::from_axis_angle(axis, 3.0 * self.next())
    }
}

/// Node of a grid of n cells.
pub fn node(n: [usize; 3], a: usize, b: usize, c: usize) -> u32 {
    ((a * (n[1] + 1) + b) * (n[2] + 1) + c) as u32
}

/// A box of hexahedra.
pub fn boxes(n: [usize; 3], size: [f64; 3]) -> Mesh {
    let mut mesh = Mesh::default();
    for a in 0..=n[0] {
        for b in 0..=n[1] {
            for c in 0..=n[2] {
                let at = |k: usize, i: usize| size[k] * i as f64 / n[k] as f64;
                mesh.nodes.push(DVec3::new(at(0, a), at(1, b), at(2, c)));
            }
        }
    }
    for a in 0..n[0] {
        for b in 0..n[1] {
            for c in 0..n[2] {
                let i = |x: usize, y: usize, z: usize| node(n, a + x, b + y, c + z);
                mesh.cells.push(Cell::hex8([
                    i(0, 0, 0),
                    i(1, 0, 0),
                    i(1, 1, 0),
                    i(0, 1, 0),
                    i(0, 0, 1),
                    i(1, 0, 1),
                    i(1, 1, 1),
                    i(0, 1, 1),
                ]));
            }
        }
    }
    mesh
}

const FIVE: [[[usize; 4]; 5]; 2] = [
    [[0, 1, 3, 4], [1, 2, 3, 6], [4, 5, 6, 1], [4, 6, 7, 3], [1, 3, 4, 6]],
    [[1, 2, 0, 5], [2, 3, 0, 7], [5, 6, 7, 2], [4, 5, 7, 0], [0, 2, 7, 5]],
];
const SIX: [[usize; 4]; 6] = [[0, 1, 2, 6], [0, 2, 3, 6], [0, 3, 7, 6], [0, 7, 4, 6], [0, 4, 5, 6], [0, 5, 1, 6]];

/// The same box in tetrahedra, 5 or 6 to a cell, and the tetrahedra of each cell.
pub fn tets(n: [usize; 3], size: [f64; 3], count: usize) -> (Mesh, Vec<Vec<u32>>) {
    let hexes = boxes(n, size);
    let mut mesh = Mesh { nodes: hexes.nodes, cells: Vec::new() };
    let mut groups = Vec::new();
    for (k, cell) in hexes.cells.iter().enumerate() {
        let (a, r) = (k / (n[1] * n[2]), k % (n[1] * n[2]));
        let parity = (a + r / n[2] + r % n[2]) % 2;
        let cut: &[[usize; 4]] = if count == 5 { &FIVE[parity] } else { &SIX };
        groups.push((0..cut.len()).map(|i| (mesh.cells.len() + i) as u32).collect());
        mesh.cells.extend(cut.iter().map(|t| Cell::tet4(t.map(|i| cell.nodes()[i]))));
    }
    let turned = mesh.oriented();
    (turned.mesh, groups)
}

/// A sheet in the x-y plane: quadrilaterals, or triangles with alternating diagonals.
pub fn sheet(n: [usize; 2], size: [f64; 2], kind: CellKind) -> Mesh {
    let mut mesh = Mesh::default();
    for a in 0..=n[0] {
        for b in 0..=n[1] {
            mesh.nodes.push(DVec3::new(size[0] * a as f64 / n[0] as f64, size[1] * b as f64 / n[1] as f64, 0.0));
        }
    }
    for a in 0..n[0] {
        for b in 0..n[1] {
            let i = |x: usize, y: usize| ((a + x) * (n[1] + 1) + b + y) as u32;
            let q = [i(0, 0), i(1, 0), i(1, 1), i(0, 1)];
            match (kind, (a + b) % 2) {
                (CellKind::Quad4, _) => mesh.cells.push(Cell::quad4(q)),
                (_, 1) => mesh.cells.extend([Cell::tri3([q[0], q[1], q[2]]), Cell::tri3([q[0], q[2], q[3]])]),
                _ => mesh.cells.extend([Cell::tri3([q[0], q[1], q[3]]), Cell::tri3([q[1], q[2], q[3]])]),
            }
        }
    }
    mesh
}

/// One distorted cell of each kind, with a little of everything.
pub fn one(kind: CellKind, random: &mut Random) -> Mesh {
    let mut mesh = match kind {
        CellKind::Hex8 => boxes([1, 1, 1], [1.0, 0.7, 0.5]),
        CellKind::Tet4 => {
            Mesh { nodes: vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z], cells: vec![Cell::tet4([0, 1, 2, 3])] }
        }
        CellKind::Quad4 => sheet([1, 1], [1.0, 0.7], kind),
        CellKind::Tri3 => Mesh { nodes: vec![DVec3::ZERO, DVec3::X, DVec3::Y], cells: vec![Cell::tri3([0, 1, 2])] },
        CellKind::Bar2 => Mesh { nodes: vec![DVec3::ZERO, DVec3::X], cells: vec![Cell::bar2([0, 1])] },
    };
    mesh.nodes.iter_mut().for_each(|x| *x += random.vector() * 0.06);
    mesh
}

pub const KINDS: [CellKind; 5] = [CellKind::Bar2, CellKind::Tri3, CellKind::Quad4, CellKind::Tet4, CellKind::Hex8];

/// Every law with a name.
pub fn catalogue() -> Vec<(&'static str, Law)> {
    let mut hooke = taut_elements::Hooke::isotropic(100.0, 0.3);
    // A softer third axis and a coupling: no symmetry left but that of the matrix.
    (hooke.stiffness[2][2], hooke.stiffness[0][3], hooke.stiffness[3][0]) = (90.0, 5.0, 5.0);
    hooke.axes = DMat3::from_rotation_z(0.4) * DMat3::from_rotation_x(0.3);
    let fibres = Orthotropic { young_1: 200.0, young_2: 20.0, poisson_12: 0.4, shear: 3.6, axis: DVec3::X };
    vec![
        ("corotational", Law::Corotational),
        ("stable Neo-Hookean", Law::StableNeoHookean),
        ("stable Neo-Hookean without logarithm", Law::StableNeoHookeanNoLog),
        ("Neo-Hookean", Law::NeoHookean),
        ("St. Venant-Kirchhoff", Law::StVenantKirchhoff),
        ("Hooke", Law::Hooke(Box::new(hooke))),
        ("orthotropic", Law::Orthotropic(fibres.angle(0.43))),
        ("cord", Law::Cord(Cord { strain: 0.1, young: 700.0 })),
    ]
}

/// A material for any cell.
pub fn material(law: Law, nu: f64) -> Material {
    Material::new(1000.0, 100.0, nu).law(law).thickness(0.1).area(0.01).bending(0.0)
}

/// Positions of an element's nodes.
pub fn gather(elements: &Elements, e: usize, x: &[DVec3]) -> Vec<DVec3> {
    elements.nodes(e).iter().map(|&n| x[n as usize]).collect()
}

/// Energy and forces of all elements.
pub fn total(elements: &Elements, x: &[DVec3], state: &[f64], input: Input) -> (f64, Vec<DVec3>) {
    let (mut energy, mut f) = (0.0, vec![DVec3::ZERO; x.len()]);
    for e in 0..elements.len() {
        let here = gather(elements, e, x);
        let mut part = vec![DVec3::ZERO; here.len()];
        energy += elements.force(e, &here, state, input, &mut part);
        elements.nodes(e).iter().zip(&part).for_each(|(&n, &p)| f[n as usize] += p);
    }
    (energy, f)
}

pub fn largest(v: &[DVec3]) -> f64 {
    v.iter().fold(0.0, |m, x| f64::max(m, x.abs().max_element()))
}

/// The least eigenvalue of a symmetric matrix given row by row, by cyclic Jacobi rotations, and the largest magnitude.
pub fn eigenvalues(mut a: Vec<f64>, n: usize) -> (f64, f64) {
    for _ in 0..30 {
        for p in 0..n {
            for q in p + 1..n {
                let apq = a[p * n + q];
                if apq.abs() < 1e-300 {
                    continue;
                }
                let tau = (a[q * n + q] - a[p * n + p]) / (2.0 * apq);
                let t = tau.signum() / (tau.abs() + (1.0 + tau * tau).sqrt());
                let t = if tau == 0.0 { 1.0 } else { t };
                let c = 1.0 / (1.0 + t * t).sqrt();
                let s = t * c;
                for k in 0..n {
                    let (x, y) = (a[k * n + p], a[k * n + q]);
                    (a[k * n + p], a[k * n + q]) = (c * x - s * y, s * x + c * y);
                }
                for k in 0..n {
                    let (x, y) = (a[p * n + k], a[q * n + k]);
                    (a[p * n + k], a[q * n + k]) = (c * x - s * y, s * x + c * y);
                }
            }
        }
    }
    let d = (0..n).map(|k| a[k * n + k]);
    (d.clone().fold(f64::INFINITY, f64::min), d.fold(0.0, |m, x| f64::max(m, x.abs())))
}

/// Blocks as one matrix, row by row.
pub fn dense(k: &[DMat3], nn: usize) -> Vec<f64> {
    let n = 3 * nn;
    let mut a = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..n {
            a[i * n + j] = k[(i / 3) * nn + j / 3].col(j % 3)[i % 3];
        }
    }
    a
}
