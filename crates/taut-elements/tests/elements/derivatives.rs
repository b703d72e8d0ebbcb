//! Forces are the gradient of the energy and the stiffness that of the forces; projected stiffness is positive
//! semi-definite; for every law, element and kind of pose.

use crate::common::{KINDS, Random, catalogue, dense, eigenvalues, gather, largest, material, one, tets};
use glam::{DMat3, DVec3};
use taut_elements::{
    CellKind, Elements, Fibre, FrameCell, Gradients, Input, Law, Material, Options, Plasticity, Volume,
};

const STEP: f64 = 1e-5;

/// Deformations: small, large, stretches that are all equal, two that are, mirrored, inverted.
fn poses(random: &mut Random) -> Vec<(&'static str, DMat3, f64)> {
    let turn = random.rotation();
    let diagonal = |x: f64, y: f64, z: f64| turn * DMat3::from_diagonal(DVec3::new(x, y, z)) * turn.transpose();
    vec![
        ("small", turn, 0.02),
        ("large", turn, 0.25),
        ("equal stretches", turn * 1.3, 0.0),
        ("two equal stretches", turn * diagonal(1.2, 1.2, 0.8), 0.0),
        ("crushed", turn * 0.3, 0.01),
        ("mirrored", turn * DMat3::from_diagonal(DVec3::new(1.0, 1.0, -1.0)), 0.05),
        ("inverted", turn * DMat3::from_diagonal(DVec3::new(1.3, 0.9, -0.4)), 0.05),
    ]
}

struct Errors {
    force: f64,
    stiffness: f64,
}

/// Differences of energy and forces against forces and the stiffness as it is, relative to the size of the stiffness.
fn differences(elements: &Elements, e: usize, x: &[DVec3], state: &[f64], input: Input) -> Errors {
    let nn = x.len();
    let (mut f, mut k) = (vec![DVec3::ZERO; nn], vec![DMat3::ZERO; nn * nn]);
    let energy = elements.evaluate_exact(e, x, state, input, &mut f, &mut k);
    let (mut g, mut projected) = (vec![DVec3::ZERO; nn], k.clone());
    let same = elements.evaluate(e, x, state, input, &mut g, &mut projected);
    let force = std::mem::replace(&mut g, vec![DVec3::ZERO; nn]);
    assert_eq!(elements.force(e, x, state, input, &mut g), same);
    assert_eq!(force, g);
    assert_eq!(elements.energy(e, x, state, input), same);
    assert!((energy - same).abs() <= 1e-9 * same.abs() || energy == same, "{energy} {same}");
    let size = k.iter().flat_map(|k| k.to_cols_array()).fold(1e-3, |m, v| f64::max(m, v.abs()));
    let mut errors = Errors { force: 0.0, stiffness: 0.0 };
    for a in 0..nn {
        for r in 0..3 {
            let moved = |t: f64| {
                let mut y = x.to_vec();
                y[a][r] += t;
                y
            };
            let force = |t: f64| {
                let mut g = vec![DVec3::ZERO; nn];
                let energy = elements.force(e, &moved(t), state, input, &mut g);
                (energy, g)
            };
            // Two steps remove the error of the second order.
            let (p1, m1, p2, m2) = (force(STEP), force(-STEP), force(2.0 * STEP), force(-2.0 * STEP));
            let slope = |p1: f64, m1: f64, p2: f64, m2: f64| (8.0 * (p1 - m1) - (p2 - m2)) / (12.0 * STEP);
            let df = -slope(p1.0, m1.0, p2.0, m2.0) - f[a][r];
            errors.force = errors.force.max(df.abs() / size);
            for b in 0..nn {
                for c in 0..3 {
                    let dk = -slope(p1.1[b][c], m1.1[b][c], p2.1[b][c], m2.1[b][c]) - k[b * nn + a].col(r)[c];
                    errors.stiffness = errors.stiffness.max(dk.abs() / size);
                }
            }
        }
    }
    errors
}

/// The least eigenvalue of the projected stiffness over the largest, and its asymmetry.
fn definite(elements: &Elements, e: usize, x: &[DVec3], state: &[f64], input: Input) -> f64 {
    let nn = x.len();
    let (mut f, mut k) = (vec![DVec3::ZERO; nn], vec![DMat3::ZERO; nn * nn]);
    elements.evaluate(e, x, state, input, &mut f, &mut k);
    for a in 0..nn {
        for b in 0..nn {
            assert_eq!(k[a * nn + b], k[b * nn + a].transpose(), "symmetric to the bit");
        }
    }
    let (least, most) = eigenvalues(dense(&k, nn), 3 * nn);
    least / most.max(1e-300)
}

fn examine(name: &str, elements: &Elements, rest: &[DVec3], state: &[f64], input: Input, inverted: bool) {
    let mut random = Random(7);
    for (pose, turn, noise) in poses(&mut random) {
        if !inverted && matches!(pose, "mirrored" | "inverted" | "large") {
            continue;
        }
        let x: Vec<DVec3> = rest.iter().map(|&x| turn * x + random.vector() * noise).collect();
        for e in 0..elements.len() {
            let here = gather(elements, e, &x);
            let errors = differences(elements, e, &here, state, input);
            let (df, dk) = (errors.force, errors.stiffness);
            assert!(df < 1e-8 && dk < 1e-7, "{name}, {pose}, element {e}: force {df:.1e}, stiffness {dk:.1e}");
            let least = definite(elements, e, &here, state, input);
            assert!(least > -1e-13, "{name}, {pose}, element {e}: least eigenvalue {least:.1e}");
        }
    }
}

#[test]
fn forces_and_stiffness_are_derivatives_for_every_law_and_element() {
    let mut random = Random(3);
    let mut count = 0;
    for (name, law) in catalogue() {
        for kind in KINDS {
            let mesh = one(kind, &mut random);
            let Ok(elements) = Elements::new(&mesh, &material(law.clone(), 0.3)) else { continue };
            let inverted = law != Law::NeoHookean;
            examine(&format!("{name}, {kind:?}"), &elements, &mesh.nodes, &[], Input::default(), inverted);
            count += 1;
        }
    }
    // Six laws in solids of two kinds, four in sheets of two kinds, four in bars.
    assert_eq!(count, 6 * 2 + 4 * 2 + 4);
}

#[test]
fn volume_patches_are_derivatives_too() {
    let (mesh, groups) = tets([1, 1, 1], [1.0, 0.8, 0.6], 6);
    for (name, law) in catalogue().into_iter().take(5) {
        let inverted = law != Law::NeoHookean;
        let material = material(law, 0.49);
        let options = Options { groups: Some(groups.clone()), ..Options::default() };
        let elements = Elements::with(&mesh, &material, &options).unwrap();
        assert_eq!((elements.len(), elements.nodes(0).len(), elements.points(0)), (1, 8, 6));
        examine(&format!("{name}, patch of six"), &elements, &mesh.nodes, &[], Input::default(), inverted);
        let mut random = Random(5);
        let hex = one(CellKind::Hex8, &mut random);
        let elements = Elements::new(&hex, &material).unwrap();
        examine(&format!("{name}, hexahedron with patch"), &elements, &hex.nodes, &[], Input::default(), inverted);
    }
}

#[test]
fn frames_are_derivatives_too() {
    let cells = FrameCell::along(DVec3::ZERO, DVec3::X, 2, [0.6, 0.5]).unwrap();
    for (name, law) in catalogue().into_iter().take(6) {
        for nu in [0.3, 0.49] {
            let inverted = law != Law::NeoHookean;
            let elements = Elements::frames(&cells, &material(law.clone(), nu)).unwrap();
            examine(&format!("{name}, frames"), &elements, elements.rest(), &[], Input::default(), inverted);
        }
    }
}

#[test]
fn crushed_flat_and_huge_cells_have_finite_forces_and_a_definite_stiffness() {
    let mut random = Random(47);
    let turn = random.rotation();
    let maps = [
        DMat3::ZERO,
        DMat3::from_diagonal(DVec3::X),
        DMat3::from_diagonal(DVec3::new(1.0, 1.0, 0.0)),
        DMat3::from_diagonal(DVec3::new(2.0, 1.0, -1.0)),
        DMat3::from_diagonal(DVec3::new(9.0, 1.0, -1.0)),
        -DMat3::IDENTITY,
        DMat3::IDENTITY * 1e-12,
        DMat3::IDENTITY * 1e6,
    ];
    for (name, law) in catalogue() {
        for kind in KINDS {
            for nu in [0.3, 0.49] {
                let mesh = one(kind, &mut random);
                let Ok(elements) = Elements::new(&mesh, &material(law.clone(), nu)) else { continue };
                for map in maps {
                    let x: Vec<DVec3> = gather(&elements, 0, &mesh.nodes).iter().map(|&x| turn * (map * x)).collect();
                    let mut f = vec![DVec3::ZERO; x.len()];
                    elements.force(0, &x, &[], Input::default(), &mut f);
                    assert!(f.iter().all(|f| f.is_finite()), "{name}, {kind:?}, {map}");
                    let least = definite(&elements, 0, &x, &[], Input::default());
                    assert!(least > -1e-12, "{name}, {kind:?}, {map}: {least:.1e}");
                }
            }
        }
    }
}

#[test]
fn active_fibres_are_derivatives_in_every_dimension() {
    let mut random = Random(11);
    for kind in KINDS {
        let mesh = one(kind, &mut random);
        let fibre = Fibre { direction: DVec3::new(1.0, 0.3, -0.2), stress: 40.0 };
        let elements = Elements::new(&mesh, &material(Law::Corotational, 0.3).fibre(fibre)).unwrap();
        let input = Input { activation: 0.7, pressure: 0.0 };
        examine(&format!("fibres, {kind:?}"), &elements, &mesh.nodes, &[], input, true);
    }
}

#[test]
fn flowed_elements_are_derivatives_too() {
    let mut random = Random(13);
    let mesh = one(CellKind::Hex8, &mut random);
    let plasticity = Plasticity { yield_strain: 0.02, creep_time: 0.0, max_strain: f64::INFINITY };
    let fibre = Fibre { direction: DVec3::X, stress: 40.0 };
    let material = material(Law::StableNeoHookean, 0.45).plasticity(plasticity).fibre(fibre);
    let elements = Elements::new(&mesh, &material).unwrap();
    let mut state = elements.fresh_state();
    let x: Vec<DVec3> = mesh.nodes.iter().map(|&x| x * DVec3::new(1.4, 0.9, 0.8) + random.vector() * 0.1).collect();
    assert!(elements.update_plastic(0, &x, 0.01, &mut state) > 0.0);
    let input = Input { activation: 0.5, pressure: 0.0 };
    examine("flowed hexahedron", &elements, &mesh.nodes, &state, input, true);
}

#[test]
fn bending_of_flat_and_curved_sheets_is_a_derivative() {
    let mut random = Random(17);
    for curved in [false, true] {
        let mut mesh = crate::common::sheet([2, 2], [1.0, 1.0], CellKind::Tri3);
        for x in &mut mesh.nodes {
            *x += DVec3::new(random.next(), random.next(), 0.0) * 0.1;
            if curved {
                x.z = 0.4 * x.x * x.x - 0.2 * x.x * x.y;
            }
        }
        let elements = Elements::new(&mesh, &material(Law::Corotational, 0.3).bending(2.0)).unwrap();
        let bending: Vec<usize> = (0..elements.len()).filter(|&e| elements.is_bending(e)).collect();
        assert_eq!(bending.len(), 8);
        let turn = random.rotation();
        for noise in [0.0, 0.1] {
            let x: Vec<DVec3> = mesh.nodes.iter().map(|&x| turn * x + random.vector() * noise).collect();
            for &e in &bending {
                let here = gather(&elements, e, &x);
                let errors = differences(&elements, e, &here, &[], Input::default());
                assert!(errors.force < 1e-8, "force {:.1e}", errors.force);
                // Of curved sheets the stiffness is that of Gauss and Newton: exact at rest.
                assert!(errors.stiffness < 1e-7 || (curved && noise > 0.0), "stiffness {:.1e}", errors.stiffness);
                assert!(definite(&elements, e, &here, &[], Input::default()) > -1e-13);
            }
        }
        let (energy, f) = crate::common::total(
            &elements,
            &mesh.nodes.iter().map(|&x| turn * x).collect::<Vec<_>>(),
            &[],
            Input::default(),
        );
        assert!(energy < 1e-20 && largest(&f) < 1e-10, "free at rest in any pose: {energy:.1e} {:.1e}", largest(&f));
    }
}

#[test]
fn volume_rows_have_the_gradient_of_the_volume_and_leave_the_energy_alone() {
    let (mesh, groups) = tets([1, 1, 1], [1.0, 0.8, 0.6], 5);
    let mut random = Random(19);
    let with = |nu: f64, volume: Volume| {
        let options = Options { groups: Some(groups.clone()), volume, ..Options::default() };
        Elements::with(&mesh, &material(Law::StableNeoHookean, nu), &options).unwrap()
    };
    let (energy, rows, stiff) = (with(0.49, Volume::Auto), with(0.49, Volume::Rows), with(0.5, Volume::Auto));
    let x: Vec<DVec3> = mesh.nodes.iter().map(|&x| x + random.vector() * 0.05).collect();
    let here = gather(&energy, 0, &x);
    let mut q = vec![DVec3::ZERO; 8];
    let row = energy.dilatation(0, &here, &mut q).unwrap();
    let same = rows.dilatation(0, &here, &mut q).unwrap();
    assert_eq!((row.value, row.compliance, row.only_row, same.only_row), (same.value, same.compliance, false, true));
    assert_eq!(stiff.dilatation(0, &here, &mut q).unwrap().compliance, 0.0);
    for a in 0..8 {
        let mut y = here.clone();
        y[a].y += STEP;
        let mut other = vec![DVec3::ZERO; 8];
        let plus = energy.dilatation(0, &y, &mut other).unwrap().value;
        y[a].y -= 2.0 * STEP;
        let minus = energy.dilatation(0, &y, &mut other).unwrap().value;
        assert!(((plus - minus) / (2.0 * STEP) - q[a].y).abs() < 1e-9);
    }
    // The energy form is the local energy and that of the row.
    let state = [];
    let whole = energy.energy(0, &here, &state, Input::default());
    let local = rows.energy(0, &here, &state, Input::default());
    let of_row = 0.5 * row.value * row.value / row.compliance;
    assert!((whole - local - of_row).abs() < 1e-12 * whole, "{whole} {local} {of_row}");
    // The row's pressure gives the same stiffness but for the row's own, and no force.
    let (mut f, mut k) = (vec![DVec3::ZERO; 8], vec![DMat3::ZERO; 64]);
    let (mut g, mut l) = (f.clone(), k.clone());
    let pressure = row.value / (row.compliance * rows.volume(0));
    energy.evaluate(0, &here, &state, Input::default(), &mut f, &mut k);
    let with_pressure = rows.evaluate(0, &here, &state, Input { activation: 0.0, pressure }, &mut g, &mut l);
    assert!((with_pressure - local).abs() < 1e-12 * whole);
    for a in 0..8 {
        assert!((f[a] - g[a] + q[a] * (row.value / row.compliance)).length() < 1e-9);
        for b in 0..8 {
            let own = DMat3::from_cols(q[a] * q[b].x, q[a] * q[b].y, q[a] * q[b].z) * (1.0 / row.compliance);
            assert!((k[8 * a + b] - l[8 * a + b] - own).abs_diff_eq(DMat3::ZERO, 1e-8));
        }
    }
}

#[test]
fn rigid_motions_give_no_force_and_every_pose_no_net_force_or_torque() {
    let mut random = Random(23);
    for (name, law) in catalogue() {
        for kind in KINDS {
            for nu in [0.3, 0.49] {
                let mesh = one(kind, &mut random);
                let Ok(elements) = Elements::new(&mesh, &material(law.clone(), nu)) else { continue };
                let (turn, shift) = (random.rotation(), random.vector());
                let rigid: Vec<DVec3> = mesh.nodes.iter().map(|&x| turn * x + shift).collect();
                let (energy, f) = crate::common::total(&elements, &rigid, &[], Input::default());
                assert!(energy.abs() < 1e-12 && largest(&f) < 2e-12, "{name} {kind:?} {energy} {}", largest(&f));
                let x: Vec<DVec3> = rigid.iter().map(|&x| x + random.vector() * 0.04).collect();
                let (_, f) = crate::common::total(&elements, &x, &[], Input::default());
                let net = f.iter().fold(DVec3::ZERO, |s, &f| s + f);
                let torque = f.iter().zip(&x).fold(DVec3::ZERO, |s, (&f, &x)| s + x.cross(f));
                assert!(net.length() < 1e-12 && torque.length() < 1e-11, "{name} {kind:?} {net} {torque}");
            }
        }
    }
}

#[test]
fn stable_neo_hookean_is_hookes_law_at_rest_and_opens_from_a_crushed_cell() {
    let mut random = Random(29);
    let mesh = one(CellKind::Tet4, &mut random);
    let build = |law: Law| Elements::new(&mesh, &material(law, 0.3)).unwrap();
    let hooke = build(Law::Hooke(Box::new(taut_elements::Hooke::isotropic(100.0, 0.3))));
    let stiffness = |elements: &Elements| {
        let (mut f, mut k) = (vec![DVec3::ZERO; 4], vec![DMat3::ZERO; 16]);
        elements.evaluate_exact(0, &mesh.nodes, &[], Input::default(), &mut f, &mut k);
        assert!(largest(&f) < 1e-13);
        k
    };
    let expected = stiffness(&hooke);
    for (name, law) in catalogue().into_iter().take(5) {
        for (k, l) in stiffness(&build(law)).iter().zip(&expected) {
            assert!((*k - *l).abs_diff_eq(DMat3::ZERO, 1e-12), "{name}");
        }
    }
    // Crushed to a hundredth: a step down the force must open it with the logarithm, close it without.
    let crushed: Vec<DVec3> = mesh.nodes.iter().map(|&x| x * 0.01).collect();
    let opening = |law: Law| {
        let (_, f) = crate::common::total(&build(law), &crushed, &[], Input::default());
        f.iter().zip(&crushed).fold(0.0, |s, (f, x)| s + f.dot(*x))
    };
    assert!(opening(Law::StableNeoHookean) > 0.0 && opening(Law::StableNeoHookeanNoLog) < 0.0);
}

#[test]
fn a_law_that_refuses_inversion_says_so_with_an_infinite_energy() {
    let mut random = Random(31);
    let mesh = one(CellKind::Tet4, &mut random);
    let elements = Elements::new(&mesh, &material(Law::NeoHookean, 0.3)).unwrap();
    let x: Vec<DVec3> = mesh.nodes.iter().map(|&x| x * DVec3::new(1.0, 1.0, -1.0)).collect();
    assert_eq!(elements.energy(0, &x, &[], Input::default()), f64::INFINITY);
}

#[test]
fn distorted_cells_and_patches_pass_the_patch_test() {
    let mut random = Random(37);
    let mut hexes = crate::common::boxes([3, 3, 3], [1.0, 0.5, 2.0]);
    let (mut tetrahedra, groups) = tets([3, 3, 3], [1.0, 0.5, 2.0], 5);
    let inner: Vec<bool> = hexes.nodes.iter().map(|x| inside(*x)).collect();
    for k in (0..inner.len()).filter(|&k| inner[k]) {
        let by = random.vector() * DVec3::new(0.08, 0.04, 0.16);
        hexes.nodes[k] += by;
        tetrahedra.nodes[k] += by;
    }
    let linear = DMat3::from_cols(DVec3::new(1.1, 0.05, 0.0), DVec3::new(-0.1, 0.95, 0.2), DVec3::new(0.0, 0.1, 1.05));
    for (name, law) in catalogue().into_iter().take(6) {
        for nu in [0.3, 0.49] {
            let options = Options { groups: Some(groups.clone()), ..Options::default() };
            let paired = Options { gradients: Gradients::Paired, ..Options::default() };
            for (mesh, options) in [(&hexes, Options::default()), (&hexes, paired), (&tetrahedra, options)] {
                let elements = Elements::with(mesh, &material(law.clone(), nu), &options).unwrap();
                let x: Vec<DVec3> = mesh.nodes.iter().map(|&x| linear * x).collect();
                let (_, f) = crate::common::total(&elements, &x, &[], Input::default());
                let left = (0..f.len()).filter(|&k| inner[k]).map(|k| f[k].length()).fold(0.0, f64::max);
                assert!(left < 1e-12 * largest(&f).max(1.0), "{name}, nu {nu}: {left:.1e} of {:.1e}", largest(&f));
            }
        }
    }
}

fn inside(x: DVec3) -> bool {
    let (low, high) = (x.min_element(), (x - DVec3::new(1.0, 0.5, 2.0)).max_element());
    low > 1e-9 && high < -1e-9
}

#[test]
fn cells_at_rest_resist_everything_but_rigid_motion() {
    let mut random = Random(43);
    for kind in [CellKind::Tet4, CellKind::Hex8] {
        for nu in [0.0, 0.3, 0.49] {
            let mesh = one(kind, &mut random);
            let elements = Elements::new(&mesh, &material(Law::Corotational, nu)).unwrap();
            let nn = mesh.nodes.len();
            let (mut f, mut k) = (vec![DVec3::ZERO; nn], vec![DMat3::ZERO; nn * nn]);
            let x = gather(&elements, 0, &mesh.nodes);
            elements.evaluate(0, &x, &[], Input::default(), &mut f, &mut k);
            // Holding six rigid motions by springs leaves no motion free.
            let mut a = dense(&k, nn);
            for i in 0..3 * nn {
                for j in 0..3 * nn {
                    a[i * 3 * nn + j] += rigid(&x, i).iter().zip(rigid(&x, j)).map(|(p, q)| p * q).sum::<f64>();
                }
            }
            let (least, most) = eigenvalues(a, 3 * nn);
            assert!(least > 1e-4 * most, "{kind:?}, nu {nu}: {least:.1e} of {most:.1e}");
        }
    }
}

/// Row i of the six rigid motions.
fn rigid(x: &[DVec3], i: usize) -> [f64; 6] {
    let (at, r) = (x[i / 3], i % 3);
    let turn = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| axis.cross(at)[r]);
    let shift = [0, 1, 2].map(|k| f64::from(u8::from(k == r)));
    [shift[0], shift[1], shift[2], turn[0], turn[1], turn[2]]
}

#[test]
fn lumped_masses_have_the_mass_and_centre_of_the_body() {
    let mut random = Random(41);
    for kind in KINDS {
        let mesh = one(kind, &mut random);
        let elements = Elements::new(&mesh, &material(Law::Corotational, 0.3)).unwrap();
        let mass: f64 = elements.masses().iter().sum();
        let volume: f64 = (0..elements.len()).map(|e| elements.volume(e)).sum();
        assert!((mass - 1000.0 * volume).abs() < 1e-12 * mass, "{kind:?}");
    }
}

#[test]
fn a_sliver_gets_the_least_mass() {
    let mut mesh = crate::common::boxes([3, 1, 1], [1.0, 1.0, 1.0]);
    // One flat cell at the end.
    for x in mesh.nodes.iter_mut().filter(|x| x.x > 0.99) {
        x.x = 2.0 / 3.0 + 1e-5;
    }
    let elements = Elements::new(&mesh, &Material::new(1000.0, 1e5, 0.3)).unwrap();
    let masses = elements.masses();
    assert_eq!(elements.floored(), 4);
    let least = masses.iter().fold(f64::INFINITY, |a, &b| a.min(b));
    let mean = masses.iter().sum::<f64>() / masses.len() as f64;
    assert!((least / mean - 1e-3).abs() < 1e-5);
    assert_eq!(mesh.check().unwrap().slivers, 1);
}

/// Along an even stretch the tangent of a volume that is cubic in it leads far beyond the volume at rest; the stiffness of a crushed patch does not.
#[test]
fn a_crushed_cube_steps_no_further_than_its_volume_at_rest() {
    let corner = |k: usize| DVec3::new((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2) as f64);
    let mesh = taut_elements::Mesh {
        nodes: (0..8).map(corner).collect(),
        cells: vec![taut_elements::Cell::hex8([0, 1, 3, 2, 4, 5, 7, 6])],
    };
    let elements = Elements::new(&mesh, &Material::new(1000.0, 1e6, 0.499)).unwrap();
    for s in [0.02, 0.1, 0.3, 0.6, 0.79, 0.81, 0.95] {
        let out: Vec<DVec3> = mesh.nodes.iter().map(|x| *x - DVec3::splat(0.5)).collect();
        let x: Vec<DVec3> = out.iter().map(|x| s * *x).collect();
        let (mut f, mut k) = (vec![DVec3::ZERO; 8], vec![DMat3::ZERO; 64]);
        elements.evaluate(0, &x, &[], Input::default(), &mut f, &mut k);
        let force: f64 = f.iter().zip(&out).map(|(f, d)| f.dot(*d)).sum();
        let stiff: f64 = (0..64).map(|n| out[n / 8].dot(k[n] * out[n % 8])).sum();
        let end = s + force / stiff;
        println!("from {s} to {end:.3}");
        assert!(end > s && end < 1.1, "from {s} to {end}");
    }
}
