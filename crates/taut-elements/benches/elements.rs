//! Costs of one evaluation.

use divan::{Bencher, black_box};
use glam::{DMat3, DVec3};
use taut_elements::{Cell, Elements, Input, Law, Material, Mesh, Svd};

fn main() {
    divan::main();
}

fn corners() -> Vec<DVec3> {
    let unit = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]];
    unit.iter().map(|c| DVec3::new(f64::from(c[0]), f64::from(c[1]), f64::from(c[2]))).collect()
}

/// A cell that is bent, sheared and turned.
fn deformed(x: &[DVec3]) -> Vec<DVec3> {
    let turn = DMat3::from_rotation_x(0.7) * DMat3::from_rotation_z(-0.4);
    x.iter().map(|&x| turn * (x + DVec3::new(0.1 * x.y * x.z, 0.05 * x.x, -0.08 * x.x * x.y))).collect()
}

#[divan::bench]
fn singular_values(bencher: Bencher) {
    let f = DMat3::from_cols_array(&[1.1, 0.1, -0.2, 0.05, 0.9, 0.1, 0.2, -0.1, 1.05]);
    bencher.bench_local(|| Svd::new(black_box(f)));
}

fn evaluate(bencher: Bencher, law: Law, nu: f64, cell: Cell) {
    let nodes = corners()[..cell.nodes().len()].to_vec();
    let nodes = if nodes.len() == 4 { vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z] } else { nodes };
    let mesh = Mesh { nodes, cells: vec![cell] };
    let Ok(elements) = Elements::new(&mesh, &Material::new(1000.0, 1e5, nu).law(law)) else { return };
    let x = deformed(&mesh.nodes);
    let nn = x.len();
    let (mut f, mut k) = (vec![DVec3::ZERO; nn], vec![DMat3::ZERO; nn * nn]);
    bencher.bench_local(|| elements.evaluate(0, black_box(&x), &[], Input::default(), &mut f, &mut k));
}

#[divan::bench]
fn tetrahedron_corotational(bencher: Bencher) {
    evaluate(bencher, Law::Corotational, 0.3, Cell::tet4([0, 1, 2, 3]));
}

#[divan::bench]
fn tetrahedron_stable_neo_hookean(bencher: Bencher) {
    evaluate(bencher, Law::StableNeoHookean, 0.3, Cell::tet4([0, 1, 2, 3]));
}

#[divan::bench]
fn hexahedron_corotational(bencher: Bencher) {
    evaluate(bencher, Law::Corotational, 0.3, Cell::hex8([0, 1, 2, 3, 4, 5, 6, 7]));
}

#[divan::bench]
fn hexahedron_patched_stable_neo_hookean(bencher: Bencher) {
    evaluate(bencher, Law::StableNeoHookean, 0.49, Cell::hex8([0, 1, 2, 3, 4, 5, 6, 7]));
}
