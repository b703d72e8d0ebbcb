//! Equilibria against beam and plate theory: what locks, and what cures it.

use crate::common::statics::Problem;
use crate::common::{boxes, tets};
use glam::DVec3;
use taut_elements::{Elements, FrameCell, Gradients, Input, Law, Material, Mesh, Options, Volume};

/// Deflection of a cantilever under a load at its end: bending and shear (Timoshenko, coefficient of Cowper 1966).
fn timoshenko(young: f64, nu: f64, load: f64, [l, b, h]: [f64; 3]) -> f64 {
    let (i, g, k) = (b * h * h * h / 12.0, young / (2.0 * (1.0 + nu)), 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu));
    load * l * l * l / (3.0 * young * i) + load * l / (k * g * b * h)
}

/// Shares of a uniform traction on the nodes of a face, given the two coordinates in it.
fn shares(points: &[(f64, f64)], size: (f64, f64)) -> Vec<f64> {
    let half = |x: f64, size: f64| if x < 1e-9 || x > size - 1e-9 { 0.5 } else { 1.0 };
    let w: Vec<f64> = points.iter().map(|p| half(p.0, size.0) * half(p.1, size.1)).collect();
    let sum: f64 = w.iter().sum();
    w.iter().map(|w| w / sum).collect()
}

/// Tip deflection over theory for a small load.
fn cantilever(mesh: &Mesh, size: [f64; 3], nu: f64, options: &Options) -> f64 {
    let young = 1e6;
    let material = Material::new(1000.0, young, nu).law(Law::StableNeoHookeanNoLog);
    let elements = Elements::with(mesh, &material, options).unwrap();
    let i = size[1] * size[2] * size[2] * size[2] / 12.0;
    let load = 3.0 * young * i / (size[0] * size[0] * size[0]) * 1e-3;
    let end: Vec<usize> = (0..mesh.nodes.len()).filter(|&k| mesh.nodes[k].x > size[0] - 1e-9).collect();
    let face: Vec<(f64, f64)> = end.iter().map(|&k| (mesh.nodes[k].y, mesh.nodes[k].z)).collect();
    let w = shares(&face, (size[1], size[2]));
    let mut forces = vec![DVec3::ZERO; mesh.nodes.len()];
    end.iter().zip(&w).for_each(|(&k, w)| forces[k].z = -load * w);
    let mut x = mesh.nodes.clone();
    let fixed = |k: usize| mesh.nodes[k].x < 1e-9;
    let problem =
        Problem { elements: &elements, fixed: &fixed, load: &forces, input: Input::default(), shift: 0.0, exact: true };
    problem.solve(&mut x, 30);
    let tip: f64 = end.iter().zip(&w).map(|(&k, w)| (mesh.nodes[k].z - x[k].z) * w).sum();
    tip / timoshenko(young, nu, load, size)
}

const BEAM: [f64; 3] = [1.0, 0.1, 0.1];

fn check(name: &str, got: f64, expected: f64) {
    println!("{name}: {got:.4}, expected {expected}");
    assert!((got / expected - 1.0).abs() < 0.01, "{name}: {got:.4}, expected {expected}");
}

fn cells(k: usize) -> [usize; 3] {
    [[10, 1, 1], [20, 2, 2], [40, 4, 4]][k]
}

/// Rows of the table: nu, then the ratios of the meshes.
fn row(name: &str, nu: f64, expected: &[f64], from: usize, options: impl Fn([usize; 3]) -> (Mesh, Options)) {
    for (k, &expected) in expected.iter().enumerate() {
        let n = cells(from + k);
        let (mesh, options) = options(n);
        check(&format!("{name}, nu {nu}, {n:?}"), cantilever(&mesh, BEAM, nu, &options), expected);
    }
}

fn off() -> Options {
    Options { volume: Volume::Off, gradients: Gradients::Plain, groups: None }
}

fn plain_tets(count: usize) -> impl Fn([usize; 3]) -> (Mesh, Options) {
    move |n| (tets(n, BEAM, count).0, off())
}

fn patched_tets(n: [usize; 3]) -> (Mesh, Options) {
    let (mesh, groups) = tets(n, BEAM, 6);
    (mesh, Options { groups: Some(groups), ..Options::default() })
}

fn plain_hexes(n: [usize; 3]) -> (Mesh, Options) {
    (boxes(n, BEAM), off())
}

fn uniform_hexes(n: [usize; 3]) -> (Mesh, Options) {
    (boxes(n, BEAM), Options { gradients: Gradients::Uniform(0.8), ..Options::default() })
}

fn hexes(n: [usize; 3]) -> (Mesh, Options) {
    (boxes(n, BEAM), Options::default())
}

fn stars(n: [usize; 3]) -> (Mesh, Options) {
    (tets(n, BEAM, 6).0, Options::default())
}

#[test]
fn plain_tetrahedra_lock() {
    for (nu, five, six) in [
        (0.3, [0.354, 0.674], [0.219, 0.504]),
        (0.49, [0.308, 0.599], [0.036, 0.104]),
        (0.499, [0.303, 0.577], [0.0126, 0.021]),
        (0.4999, [0.302, 0.574], [0.0101, 0.0109]),
    ] {
        row("5 tetrahedra", nu, &five, 0, plain_tets(5));
        row("6 tetrahedra", nu, &six, 0, plain_tets(6));
    }
}

#[test]
fn patches_free_tetrahedra_of_volume_locking() {
    for (nu, cell, star) in [
        (0.49, [0.251, 0.512], [0.235, 0.509]),
        (0.499, [0.253, 0.511], [0.236, 0.506]),
        (0.4999, [0.253, 0.510], [0.236, 0.506]),
    ] {
        row("6 tetrahedra, patch of the cell", nu, &cell, 0, patched_tets);
        row("6 tetrahedra, vertex stars", nu, &star, 0, stars);
    }
}

#[test]
fn plain_hexahedra_lock_and_scaled_ones_do_not() {
    for (nu, plain, scaled) in [
        (0.3, [0.643, 0.869], [1.001, 0.990]),
        (0.49, [0.407, 0.617], [1.146, 0.994]),
        (0.499, [0.235, 0.423], [1.153, 0.993]),
        (0.4999, [0.080, 0.191], [1.154, 0.993]),
    ] {
        row("plain hexahedra", nu, &plain, 0, plain_hexes);
        row("hexahedra, alpha .8", nu, &scaled, 0, uniform_hexes);
    }
    row("hexahedra, rule", 0.3, &[1.003, 0.991], 0, hexes);
    row("hexahedra, rule and patch", 0.45, &[0.991, 0.968], 0, hexes);
}

#[test]
fn the_finest_meshes_agree_with_the_table() {
    for (nu, five, six, plain, scaled) in [
        (0.3, 0.886, 0.787, 0.958, 0.991),
        (0.49, 0.832, 0.288, 0.786, 0.981),
        (0.499, 0.802, 0.053, 0.587, 0.979),
        (0.4999, 0.791, 0.0144, 0.348, 0.979),
    ] {
        row("5 tetrahedra", nu, &[five], 2, plain_tets(5));
        row("6 tetrahedra", nu, &[six], 2, plain_tets(6));
        row("plain hexahedra", nu, &[plain], 2, plain_hexes);
        row("hexahedra, alpha .8", nu, &[scaled], 2, uniform_hexes);
    }
    row("hexahedra, rule", 0.3, &[0.991], 2, hexes);
    row("hexahedra, rule and patch", 0.45, &[0.977], 2, hexes);
    for (nu, cell, star) in [(0.49, 0.779, 0.759), (0.499, 0.777, 0.754), (0.4999, 0.777, 0.754)] {
        row("6 tetrahedra, patch of the cell", nu, &[cell], 2, patched_tets);
        row("6 tetrahedra, vertex stars", nu, &[star], 2, stars);
    }
}

/// `cargo test --release -p taut-elements --test elements locking:: -- --ignored`
#[test]
#[ignore = "some ten seconds"]
fn halving_the_cells_quarters_the_error() {
    let n = [80, 8, 8];
    let coarse = cantilever(&boxes([20, 2, 2], BEAM), BEAM, 0.3, &off());
    let fine = cantilever(&boxes(n, BEAM), BEAM, 0.3, &off());
    check("plain hexahedra, 80 cells", fine, 0.984);
    check("5 tetrahedra, 80 cells", cantilever(&tets(n, BEAM, 5).0, BEAM, 0.3, &off()), 0.963);
    check("6 tetrahedra, 80 cells", cantilever(&tets(n, BEAM, 6).0, BEAM, 0.3, &off()), 0.930);
    let uniform = Options { gradients: Gradients::Uniform(0.8), ..Options::default() };
    let scaled = cantilever(&boxes(n, BEAM), BEAM, 0.3, &uniform);
    check("hexahedra, alpha .8, 80 cells", scaled, 0.993);
    let order = ((0.993 - coarse) / (0.993 - fine)).log2() / 2.0;
    println!("order {order:.2}");
    assert!(order >= 1.8, "{order}");
}

#[test]
fn one_layer_bends_right_at_any_aspect_ratio() {
    let size = [1.0, 0.025, 0.025];
    let uniform = Options { gradients: Gradients::Uniform(0.8), ..Options::default() };
    for (n, plain, alpha, rule, soft) in [
        (40, 0.648, 1.0125, 1.013, 1.001),
        (20, 0.370, 0.578, 1.013, 1.000),
        (10, 0.1365, 0.213, 1.011, 0.999),
        (5, 0.0388, 0.0603, 1.004, 0.992),
    ] {
        let mesh = boxes([n, 1, 1], size);
        check(&format!("plain, {n} cells"), cantilever(&mesh, size, 0.3, &off()), plain);
        check(&format!("alpha .8, {n} cells"), cantilever(&mesh, size, 0.3, &uniform), alpha);
        check(&format!("rule, {n} cells"), cantilever(&mesh, size, 0.3, &Options::default()), rule);
        check(&format!("rule, nu .45, {n} cells"), cantilever(&mesh, size, 0.45, &Options::default()), soft);
    }
    let limb = [1.6, 0.03, 0.012];
    let mesh = boxes([32, 1, 1], limb);
    check("limb, plain", cantilever(&mesh, limb, 0.3, &off()), 0.126);
    check("limb, rule", cantilever(&mesh, limb, 0.3, &Options::default()), 1.014);
}

/// Nodes moved at random, those of faces only along them.
fn distorted(n: [usize; 3], by: f64) -> Mesh {
    let mut mesh = boxes(n, BEAM);
    let mut random = crate::common::Random(3);
    let cell = DVec3::new(1.0 / n[0] as f64, 0.1 / n[1] as f64, 0.1 / n[2] as f64);
    for x in &mut mesh.nodes {
        let shift = random.vector() * cell * by;
        for k in 0..3 {
            if x[k] > 1e-9 && x[k] < BEAM[k] - 1e-9 {
                x[k] += shift[k];
            }
        }
    }
    mesh
}

#[test]
fn distorted_hexahedra_bend_nearly_as_well() {
    for (n, by) in [([10, 1, 1], 0.1), ([20, 2, 2], 0.1), ([20, 2, 2], 0.2), ([20, 2, 2], 0.3)] {
        for nu in [0.3, 0.49] {
            let mesh = distorted(n, by);
            let (scaled, plain) =
                (cantilever(&mesh, BEAM, nu, &Options::default()), cantilever(&mesh, BEAM, nu, &off()));
            println!("{n:?}, moved by {by}, nu {nu}: {scaled:.3}, plain {plain:.3}");
            assert!(scaled > 0.96 && scaled < 1.05, "{n:?}, moved by {by}, nu {nu}: {scaled:.3}");
        }
    }
}

/// A beam of frames: tip over theory.
fn frames(count: usize, nu: f64, gradients: Gradients) -> f64 {
    let young = 1e6;
    let cells = FrameCell::along(DVec3::ZERO, DVec3::X, count, [0.1, 0.1]).unwrap();
    let options = Options { gradients, ..Options::default() };
    let elements = Elements::frames_with(&cells, &Material::new(1000.0, young, nu), &options).unwrap();
    let load = 3.0 * young * (1e-4 / 12.0) * 1e-3;
    let last = count - 1;
    let at = elements.frame_coordinates(last, DVec3::X);
    let mut forces = vec![DVec3::ZERO; 4 * count];
    at.iter().enumerate().for_each(|(k, l)| forces[4 * last + k].z = -load * l);
    let mut x = elements.rest().to_vec();
    let fixed = |k: usize| k < 4;
    let problem =
        Problem { elements: &elements, fixed: &fixed, load: &forces, input: Input::default(), shift: 0.0, exact: true };
    problem.solve(&mut x, 30);
    let tip: f64 = at.iter().enumerate().map(|(k, l)| (elements.rest()[4 * last + k].z - x[4 * last + k].z) * l).sum();
    tip / timoshenko(young, nu, load, BEAM)
}

#[test]
fn few_frames_make_a_beam() {
    for (count, expected, unscaled) in [(3, 0.937, 0.70), (5, 0.983, 0.73), (8, 0.994, 0.74)] {
        for nu in [0.3, 0.45, 0.49, 0.4999] {
            check(&format!("{count} frames, nu {nu}"), frames(count, nu, Gradients::Scaled), expected);
        }
        let plain = frames(count, 0.3, Gradients::Plain);
        println!("{count} frames without scaling: {plain:.4}");
        assert!((plain - unscaled).abs() < 0.005, "{plain}");
    }
}

#[test]
fn control_points_of_frames_have_the_mass_centre_and_inertia_of_the_bar() {
    let cells = FrameCell::along(DVec3::ZERO, DVec3::X, 5, [0.1, 0.2]).unwrap();
    let elements = Elements::frames(&cells, &Material::new(1000.0, 1e6, 0.3)).unwrap();
    let masses = elements.masses();
    let mass: f64 = masses.iter().sum();
    let centre = elements.rest().iter().zip(&masses).fold(DVec3::ZERO, |s, (&x, m)| s + x * (m / mass));
    let second =
        elements.rest().iter().zip(&masses).fold(DVec3::ZERO, |s, (&x, m)| s + (x - centre) * (x - centre) * *m);
    assert!((mass - 20.0).abs() < 1e-12 && (centre - DVec3::X * 0.5).length() < 1e-12);
    let expected = DVec3::new(1.0, 0.01, 0.04) * (20.0 / 12.0);
    assert!((second - expected).length() < 1e-12, "{second} {expected}");
}

#[test]
fn frames_of_any_shape_move_rigidly_without_force() {
    let mut samples = Vec::new();
    for k in 0..1000 {
        let x = DVec3::new((k % 10) as f64, (k / 10 % 10) as f64, (k / 100) as f64) * 0.1 - DVec3::splat(0.45);
        if x.length() < 0.5 {
            samples.push((x, 1e-3));
        }
    }
    let centres = [DVec3::new(0.2, 0.0, 0.0), DVec3::new(-0.2, 0.1, 0.0), DVec3::new(0.0, -0.2, 0.2)];
    let cells = FrameCell::around(&centres, 0.9, &samples).unwrap();
    let elements = Elements::frames(&cells, &Material::new(1000.0, 1e4, 0.45)).unwrap();
    let turn = glam::DMat3::from_rotation_y(1.0);
    let x: Vec<DVec3> = elements.rest().iter().map(|&x| turn * x + DVec3::ONE).collect();
    let (energy, f) = crate::common::total(&elements, &x, &[], Input::default());
    assert!(energy < 1e-20 && crate::common::largest(&f) < 1e-9);
    assert!(FrameCell::around(&centres, 0.3, &samples).is_err());
}

/// Cells from a quarter as long as tall to eight times as long, in one and two layers, by both rules.
/// `cargo test -p taut-elements --test elements aspect_ratios -- --nocapture` prints the table.
#[test]
fn paired_scales_bend_right_at_the_aspect_ratios_that_they_can() {
    println!("length/height: tip over Timoshenko's beam, scaled and paired");
    for (nu, layers) in [(0.0, 1), (0.0, 2), (0.3, 1), (0.3, 2), (0.45, 1), (0.45, 2)] {
        let mut line = format!("nu {nu}, layers {layers}:");
        for aspect in [0.25, 0.5, 2.0 / 3.0, 0.8, 1.0, 1.25, 2.0, 4.0, 8.0] {
            let along = (10.0 / aspect * layers as f64).round() as usize;
            if along * layers * layers > 180 || along < 3 {
                continue;
            }
            let mesh = boxes([along, layers, layers], BEAM);
            let bent = |gradients| cantilever(&mesh, BEAM, nu, &Options { gradients, ..Options::default() });
            let (scaled, paired) = (bent(Gradients::Scaled), bent(Gradients::Paired));
            line += &format!("  {aspect:.2}: {scaled:.3} {paired:.3}");
            // Long cells are as good as they were, and cubes the same; short ones are never softer.
            if aspect >= 1.0 {
                assert!((paired / scaled - 1.0).abs() < if nu > 0.3 { 0.02 } else { 0.01 }, "{line}");
            } else {
                assert!(paired <= scaled && paired > 0.96, "{line}");
            }
            // At nu = 0 both directions can be had up to 1.22 to 1 only.
            if nu > 0.0 && aspect > 0.75 && aspect < 1.0 {
                assert!((paired - 1.0).abs() < 0.045, "{line}");
            }
            if nu == 0.3 && layers == 2 && (aspect - 2.0 / 3.0).abs() < 1e-9 {
                assert!(scaled > 1.14 && paired < 1.03, "{line}");
            }
        }
        println!("{line}");
    }
}

/// The table of one layer at aspect ratios 1, 2, 4 and 8 by the other rule.
#[test]
fn one_layer_of_paired_cells_bends_right_at_any_aspect_ratio() {
    let size = [1.0, 0.025, 0.025];
    let paired = Options { gradients: Gradients::Paired, ..Options::default() };
    for (n, rule, soft) in [(40, 1.013, 1.001), (20, 1.013, 1.000), (10, 1.011, 0.999), (5, 1.004, 0.992)] {
        let mesh = boxes([n, 1, 1], size);
        check(&format!("paired, {n} cells"), cantilever(&mesh, size, 0.3, &paired), rule);
        check(&format!("paired, nu .45, {n} cells"), cantilever(&mesh, size, 0.45, &paired), soft);
    }
    // The limb is wide: 0.993 is what fine meshes give.
    let limb = [1.6, 0.03, 0.012];
    check("limb, paired", cantilever(&boxes([32, 1, 1], limb), limb, 0.3, &paired), 0.986);
}
