//! Large deformations, sheets, muscles and permanent deformation against known numbers.

use crate::common::statics::Problem;
use crate::common::{Random, boxes, gather, sheet, tets, total};
use glam::{DMat3, DVec3};
use taut_elements::{
    CellKind, Eigen, Elements, Fibre, Input, Law, Material, Mesh, Options, Orthotropic, Plasticity, Svd, Volume,
};

/// Mean sinking of the upper face and largest bulge (mm), and volume over that at rest.
fn cube(mesh: &Mesh, law: Law, nu: f64, options: &Options) -> [f64; 3] {
    let size = 0.2;
    let elements = Elements::with(mesh, &Material::new(1000.0, 1e5, nu).law(law), options).unwrap();
    let top: Vec<usize> = (0..mesh.nodes.len()).filter(|&k| mesh.nodes[k].z > size - 1e-9).collect();
    let half = |x: f64| if x < 1e-9 || x > size - 1e-9 { 0.5 } else { 1.0 };
    let w: Vec<f64> = top.iter().map(|&k| half(mesh.nodes[k].x) * half(mesh.nodes[k].y)).collect();
    let sum: f64 = w.iter().sum();
    let fixed = |k: usize| mesh.nodes[k].z < 1e-9;
    let mut x = mesh.nodes.clone();
    for part in [0.25, 0.5, 0.75, 1.0] {
        let mut load = vec![DVec3::ZERO; x.len()];
        top.iter().zip(&w).for_each(|(&k, w)| load[k].z = -part * 981.0 * w / sum);
        let problem = Problem {
            elements: &elements,
            fixed: &fixed,
            load: &load,
            input: Input::default(),
            shift: 0.0,
            exact: true,
        };
        let steps = problem.solve(&mut x, 60);
        assert!(steps < 60, "no equilibrium at {part}");
    }
    let sinking: f64 = top.iter().zip(&w).map(|(&k, w)| (size - x[k].z) * w / sum).sum();
    let sides = (0..x.len()).filter(|&k| (mesh.nodes[k].x - size).abs() < 1e-9);
    let bulge = sides.map(|k| x[k].x - size).fold(0.0, f64::max);
    let mut volume = 0.0;
    for e in 0..elements.len() {
        let mut q = vec![DVec3::ZERO; elements.nodes(e).len()];
        let here = gather(&elements, e, &x);
        let j = match elements.dilatation(e, &here, &mut q) {
            Some(row) => 1.0 + row.value,
            None => elements.output(e, 0, &here, &[], Input::default()).j,
        };
        volume += j * elements.volume(e);
    }
    [sinking * 1e3, bulge * 1e3, volume / (size * size * size)]
}

/// Within 1 %, or within the last digit where the reference has two.
fn close(name: &str, got: [f64; 3], expected: [f64; 2]) {
    println!("{name}: {got:.3?}, expected {expected:?}");
    for k in 0..2 {
        let off = (got[k] - expected[k]).abs();
        assert!(off < 0.01 * expected[k] || off < 0.05, "{name}: {got:?}, expected {expected:?}");
    }
}

#[test]
fn an_incompressible_cube_sinks_and_bulges() {
    let size = [0.2; 3];
    let law = Law::StableNeoHookeanNoLog;
    let patched = |n: usize| {
        let (mesh, groups) = tets([n; 3], size, 6);
        (mesh, Options { groups: Some(groups), ..Options::default() })
    };
    let hex = cube(&boxes([4; 3], size), law.clone(), 0.499, &Options::default());
    close("hexahedra 4", hex, [35.10, 12.07]);
    assert!((hex[2] - 0.9994).abs() < 1e-4);
    let harder = cube(&boxes([4; 3], size), law.clone(), 0.4999, &Options::default());
    assert!((harder[0] / hex[0] - 1.0).abs() < 0.003 && (harder[1] / hex[1] - 1.0).abs() < 0.003, "{harder:?}");
    let off = Options { volume: Volume::Off, ..Options::default() };
    close("tetrahedra 4, plain", cube(&tets([4; 3], size, 6).0, law.clone(), 0.499, &off), [29.8, 3.1]);
    let (mesh, options) = patched(4);
    close("tetrahedra 4, patch", cube(&mesh, law.clone(), 0.499, &options), [34.3, 9.3]);
    println!("with the logarithm: {:?}", cube(&boxes([4; 3], size), Law::StableNeoHookean, 0.499, &Options::default()));
    println!("corotational: {:?}", cube(&boxes([4; 3], size), Law::Corotational, 0.499, &Options::default()));
}

#[test]
fn finer_cubes_sink_and_bulge_as_expected() {
    let size = [0.2; 3];
    let law = Law::StableNeoHookeanNoLog;
    close("hexahedra 8", cube(&boxes([8; 3], size), law.clone(), 0.499, &Options::default()), [35.68, 12.49]);
    let (mesh, groups) = tets([8; 3], size, 6);
    let options = Options { groups: Some(groups), ..Options::default() };
    close("tetrahedra 8, patch", cube(&mesh, law, 0.499, &options), [36.4, 10.5]);
}

/// A strip under its weight, its first two columns of nodes held: tip over q L^4/(8 D (1 - nu^2)).
fn strip(n: usize, nu: f64, kind: CellKind, jitter: f64) -> f64 {
    let (nx, ny) = (n, 2.max(n / 5));
    let mut mesh = sheet([nx, ny], [1.0, 0.2], kind);
    let dx = 1.0 / nx as f64;
    let mut random = Random(1);
    for x in &mut mesh.nodes {
        let by = DVec3::new(random.next(), random.next(), 0.0) * (jitter * dx);
        if x.x > 2.0 * dx + 1e-9 && x.x < 1.0 - 1e-9 && x.y > 1e-9 && x.y < 0.2 - 1e-9 {
            *x += by;
        }
    }
    let material = Material::new(1000.0, 1e3, nu).thickness(0.01).bending(1.0);
    let elements = Elements::new(&mesh, &material).unwrap();
    let q = 1e-6;
    let load: Vec<DVec3> = elements.masses().iter().map(|m| DVec3::Z * (q * m / 10.0)).collect();
    let fixed = |k: usize| mesh.nodes[k].x < dx + 1e-9;
    let mut x = mesh.nodes.clone();
    Problem { elements: &elements, fixed: &fixed, load: &load, input: Input::default(), shift: 0.0, exact: true }
        .solve(&mut x, 20);
    let tips: Vec<f64> = (0..x.len()).filter(|&k| mesh.nodes[k].x > 1.0 - 1e-9).map(|k| x[k].z).collect();
    let l = 1.0 - dx;
    tips.iter().sum::<f64>() / tips.len() as f64 / (q * l * l * l * l / (8.0 * (1.0 - nu * nu)))
}

#[test]
fn strips_bend_as_plate_theory_says() {
    for (nu, expected) in [(0.0, [1.2346, 1.108, 1.0519]), (0.3, [1.1661, 1.054, 1.0073])] {
        for (n, expected) in [10, 20, 40].into_iter().zip(expected) {
            let got = strip(n, nu, CellKind::Tri3, 0.0);
            println!("strip, nu {nu}, {n} cells: {got:.4}, expected {expected}");
            assert!((got / expected - 1.0).abs() < 0.005, "{got} {expected}");
        }
    }
    // Quadrilaterals are cut the same way everywhere.
    for (n, expected) in [(10, 1.159), (20, 1.0542), (40, 1.0116)] {
        let got = strip(n, 0.3, CellKind::Quad4, 0.0);
        println!("quadrilaterals, {n} cells: {got:.4}, expected {expected}");
        assert!((got / expected - 1.0).abs() < 0.005, "{got} {expected}");
    }
    // Irregular meshes: another random shape than the table's, the same trend.
    for (n, expected) in [(10, 1.127), (20, 1.0169), (40, 0.9325)] {
        let got = strip(n, 0.3, CellKind::Tri3, 0.25);
        println!("jittered, {n} cells: {got:.4}, another mesh had {expected}");
        assert!((got / expected - 1.0).abs() < 0.05, "{got} {expected}");
    }
}

/// Energy, centre stretches, angle of the smaller (degrees), moves of the corners (0, 0) and (1, 0).
fn quads(angle: f64, force: f64) -> (f64, [f64; 2], f64, [DVec3; 2]) {
    let n = 10;
    let mesh = sheet([n, n], [1.0, 1.0], CellKind::Quad4);
    let fibres = Orthotropic { young_1: 200.0, young_2: 20.0, poisson_12: 0.4, shear: 3.6, axis: DVec3::X };
    let law = Law::Orthotropic(fibres.angle(angle.to_radians()));
    let elements = Elements::new(&mesh, &Material::new(100.0, 1.0, 0.0).law(law).thickness(1.0).bending(0.0)).unwrap();
    let mut load = vec![DVec3::ZERO; mesh.nodes.len()];
    for (f, x) in load.iter_mut().zip(&mesh.nodes) {
        let side = |x: f64| {
            if x < 1e-9 {
                -force
            } else if x > 1.0 - 1e-9 {
                force
            } else {
                0.0
            }
        };
        *f = DVec3::new(side(x.x), side(x.y), 0.0);
    }
    let mut x = mesh.nodes.clone();
    let fixed = |_: usize| false;
    let problem =
        Problem { elements: &elements, fixed: &fixed, load: &load, input: Input::default(), shift: 1e-3, exact: false };
    let steps = problem.solve(&mut x, 400);
    assert!(steps < 400, "no equilibrium");
    let (energy, f) = total(&elements, &x, &[], Input::default());
    let net = f.iter().fold(DVec3::ZERO, |s, &f| s + f);
    assert!(net.length() < 1e-12, "{net}");
    // The mean F of the four cells at the centre, from the corners of the block they make.
    let at = |a: usize, b: usize| x[a * (n + 1) + b];
    let across = |b: usize| (at(6, b) - at(4, b)) * if b == 5 { 0.5 } else { 0.25 } * 5.0;
    let fx = across(4) + across(5) + across(6);
    let up = |a: usize| (at(a, 6) - at(a, 4)) * if a == 5 { 0.5 } else { 0.25 } * 5.0;
    let fy = up(4) + up(5) + up(6);
    let c =
        DMat3::from_cols(DVec3::new(fx.dot(fx), fx.dot(fy), 0.0), DVec3::new(fx.dot(fy), fy.dot(fy), 0.0), DVec3::ZERO);
    let e = Eigen::new(c);
    let (small, large) = if e.d.x < e.d.y { (e.q.x_axis, [e.d.x, e.d.y]) } else { (e.q.y_axis, [e.d.y, e.d.x]) };
    let axis = small.y.atan2(small.x).to_degrees().rem_euclid(180.0);
    (energy, large.map(f64::sqrt), axis, [at(0, 0), at(n, 0) - DVec3::X])
}

#[test]
fn sheets_with_fibres_stretch_across_them() {
    for (force, energy, stretches, axis, first, second) in [
        (0.1, 0.0288, [1.0033, 1.0484], 24.33, [0.0034, -0.0168], [0.0194, -0.0344]),
        (1.0, 1.8225, [1.0344, 1.3321], 23.82, [0.0078, -0.1007], [0.1249, -0.2181]),
        (10.0, 66.5374, [1.2834, 2.3145], 24.08, [-0.0688, -0.4118], [0.4959, -0.8115]),
    ] {
        let got = quads(25.0, force);
        println!("{force} N: {got:?}");
        assert!((got.0 - energy).abs() < 1e-4 && (got.2 - axis).abs() < 0.02, "{got:?}");
        for (got, expected) in [(got.1[0], stretches[0]), (got.1[1], stretches[1])] {
            assert!((got - expected).abs() < 1e-4, "{got} {expected}");
        }
        for (got, expected) in got.3.iter().zip([first, second]) {
            assert!((got.x - expected[0]).abs() < 1e-4 && (got.y - expected[1]).abs() < 1e-4, "{got} {expected:?}");
        }
        // A quarter turn of the fibres turns the figure.
        let turned = quads(115.0, force);
        assert!((turned.0 - got.0).abs() < 1e-9 * got.0 && (turned.1[1] - got.1[1]).abs() < 1e-9, "{turned:?}");
        assert!((turned.2 - got.2 - 90.0).abs() < 1e-6, "{turned:?}");
    }
}

#[test]
fn a_held_muscle_pulls_with_its_full_stress() {
    let mesh = boxes([8, 2, 2], [0.2, 0.03, 0.03]);
    let fibre = Fibre { direction: DVec3::X, stress: 3e5 };
    let material = Material::new(1000.0, 3e4, 0.49).law(Law::StableNeoHookean).fibre(fibre);
    let elements = Elements::new(&mesh, &material).unwrap();
    let mut random = Random(3);
    let fixed = |k: usize| mesh.nodes[k].x < 1e-9 || mesh.nodes[k].x > 0.2 - 1e-9;
    let mut x: Vec<DVec3> = mesh.nodes.clone();
    (0..x.len()).filter(|&k| !fixed(k)).for_each(|k| x[k] += random.vector() * 1e-3);
    let load = vec![DVec3::ZERO; x.len()];
    let input = Input { activation: 1.0, pressure: 0.0 };
    let problem = Problem { elements: &elements, fixed: &fixed, load: &load, input, shift: 0.0, exact: false };
    problem.solve(&mut x, 100);
    let (_, f) = total(&elements, &x, &[], input);
    let pull: f64 = (0..x.len()).filter(|&k| mesh.nodes[k].x < 1e-9).map(|k| f[k].x).sum();
    println!("isometric force {pull:.4} N, expected 270");
    assert!((pull / 270.0 - 1.0).abs() < 0.001);
}

#[test]
fn a_free_muscle_shortens_as_in_one_dimension() {
    // The passive part carries the fibres' stress, a third of which is pressure: 1 % of volume at nu = .49.
    for (nu, volume) in [(0.49, 0.0105), (0.499, 0.0011)] {
        free_muscle(nu, volume);
    }
}

fn free_muscle(nu: f64, volume: f64) {
    let mesh = boxes([8, 2, 2], [0.2, 0.03, 0.03]);
    let (young, activation, stress) = (3e4, 0.05, 3e5);
    let fibre = Fibre { direction: DVec3::X, stress };
    let material = Material::new(1000.0, young, nu).law(Law::StableNeoHookean).fibre(fibre);
    let elements = Elements::new(&mesh, &material).unwrap();
    let mut x = mesh.nodes.clone();
    let load = vec![DVec3::ZERO; x.len()];
    let fixed = |k: usize| k == 0;
    for part in [0.25, 0.5, 0.75, 1.0] {
        let input = Input { activation: activation * part, pressure: 0.0 };
        Problem { elements: &elements, fixed: &fixed, load: &load, input, shift: 1.0, exact: false }.solve(&mut x, 200);
    }
    let ends: Vec<f64> =
        (0..x.len()).filter(|&k| mesh.nodes[k].x > 0.2 - 1e-9).map(|k| (x[k] - x[0]).length()).collect();
    let got = ends.iter().fold(f64::INFINITY, |a, &b| a.min(b)) / 0.2;
    // Incompressible bar of the law: mu' (1 - 1/(I + 1)) (s - 1/s^2) = - a s_max.
    let mu = 4.0 / 3.0 * young / (2.0 * (1.0 + nu));
    let (mut low, mut high) = (0.1, 1.0);
    for _ in 0..60 {
        let s: f64 = 0.5 * (low + high);
        let i = s * s + 2.0 / s;
        let pull = mu * (1.0 - 1.0 / (i + 1.0)) * (s - 1.0 / (s * s)) + activation * stress;
        if pull > 0.0 { high = s } else { low = s }
    }
    println!("stretch {got:.4}, one dimension {low:.4}");
    assert!((got / low - 1.0).abs() < 0.03, "{got} {low}");
    let mut q = [DVec3::ZERO; 8];
    for e in 0..elements.len() {
        let value = elements.dilatation(e, &gather(&elements, e, &x), &mut q).unwrap().value;
        assert!(value.abs() < volume, "{value}");
    }
}

fn logs(f: DMat3) -> DVec3 {
    let s = Svd::new(f).s;
    let e = DVec3::new(s.x.ln(), s.y.ln(), s.z.ln());
    e - DVec3::splat((e.x + e.y + e.z) / 3.0)
}

#[test]
fn flow_keeps_volume_loses_energy_and_ends_on_the_yield_surface() {
    let mut random = Random(5);
    for (law, nu) in [(Law::Corotational, 0.3), (Law::StableNeoHookean, 0.45), (Law::StVenantKirchhoff, 0.3)] {
        for _ in 0..50 {
            let mesh = crate::common::one(CellKind::Hex8, &mut random);
            let plasticity = Plasticity { yield_strain: 0.05, creep_time: 0.0, max_strain: f64::INFINITY };
            let material = Material::new(1000.0, 1e4, nu).law(law.clone()).plasticity(plasticity);
            let elements = Elements::new(&mesh, &material).unwrap();
            let mut state = elements.fresh_state();
            assert_eq!(state.len(), 80);
            let mut flowed = 0.0;
            for _ in 0..5 {
                let x: Vec<DVec3> = mesh.nodes.iter().map(|&x| x + random.vector() * 0.12).collect();
                let before = elements.energy(0, &x, &state, Input::default());
                let work = elements.update_plastic(0, &x, 0.01, &mut state);
                let after = elements.energy(0, &x, &state, Input::default());
                assert!(work >= 0.0 && (before - after - work).abs() < 1e-9 * before, "{before} {after} {work}");
                flowed += work;
                for q in 0..8 {
                    let plastic = DMat3::from_cols_slice(&state[10 * q..10 * q + 9]);
                    assert!((plastic.determinant() - 1.0).abs() < 1e-13);
                }
                // Nothing is left to flow.
                assert!(elements.update_plastic(0, &x, 0.01, &mut state) < 1e-9 * before);
            }
            assert!(flowed > 0.0);
        }
    }
}

#[test]
fn one_flow_of_one_cell_is_the_logarithmic_return() {
    let mesh = boxes([1, 1, 1], [1.0; 3]);
    let flow = |plasticity: Plasticity, h: f64, times: usize| {
        let elements = Elements::new(&mesh, &Material::new(1000.0, 1e4, 0.3).plasticity(plasticity)).unwrap();
        let f = DMat3::from_diagonal(DVec3::new(1.4, 0.9, 0.95));
        let x: Vec<DVec3> = mesh.nodes.iter().map(|&x| f * x).collect();
        let here = gather(&elements, 0, &x);
        let mut state = elements.fresh_state();
        let work: f64 = (0..times).map(|_| elements.update_plastic(0, &here, h, &mut state)).sum();
        let plastic = DMat3::from_cols_slice(&state[..9]);
        (logs(f * plastic.inverse()).length(), logs(plastic).length(), logs(f).length(), state[9], work)
    };
    let base = Plasticity { yield_strain: 0.05, creep_time: 0.0, max_strain: f64::INFINITY };
    let (elastic, plastic, whole, sum, work) = flow(base, 0.01, 1);
    assert!(
        (elastic - 0.05).abs() < 1e-12 && (plastic - (whole - 0.05)).abs() < 1e-12 && (sum - plastic).abs() < 1e-12
    );
    assert!(work > 0.0);
    // Half of what is beyond flows in ln 2 of the creep time, in one step or in ten.
    let creeping = Plasticity { creep_time: 1.0, ..base };
    for times in [1, 10] {
        let (elastic, ..) = flow(creeping, 2f64.ln() / times as f64, times);
        assert!((elastic - 0.05 - 0.5 * (whole - 0.05)).abs() < 1e-9, "{elastic}");
    }
    // No further than the maximum.
    let (_, plastic, ..) = flow(Plasticity { max_strain: 0.1, ..base }, 0.01, 5);
    assert!(plastic <= 0.1 && plastic > 0.0999, "{plastic}");
}

#[test]
fn equal_inputs_give_equal_bits_whatever_came_before() {
    let mesh = boxes([1, 1, 1], [1.0, 0.7, 0.5]);
    let elements = Elements::new(&mesh, &Material::new(1000.0, 1e4, 0.45)).unwrap();
    let mut random = Random(9);
    let x: Vec<DVec3> = mesh.nodes.iter().map(|&x| x + random.vector() * 0.1).collect();
    let here = gather(&elements, 0, &x);
    let run = |fill: f64| {
        let (mut f, mut k) = ([DVec3::splat(fill); 8], [DMat3::from_cols_array(&[fill; 9]); 64]);
        let energy = elements.evaluate(0, &here, &[], Input::default(), &mut f, &mut k);
        (energy.to_bits(), f, k)
    };
    assert_eq!(run(0.0), run(f64::MAX));
}
