//! Bad meshes and materials through the engine: each is refused with the cell and the node, and nothing is left in the world.

use crate::common::meshes::{bar, sheet};
use taut::prelude::*;
use taut::soft::{Cell, Law, Material, Mesh, Options as Kept, Orthotropic, Plasticity, Volume};
use taut::{Deformable, Error};

fn rubber() -> Material {
    Material::new(1000.0, 1e6, 0.3)
}

/// The refusal of a mesh, which must name all of these.
fn refused(mesh: &Mesh, material: &Material, parts: &[&str]) {
    let error = Deformable::new(mesh, material).err();
    let Some(error @ Error::Input { .. }) = error else { panic!("{parts:?}: {error:?}") };
    let text = error.to_string();
    parts.iter().for_each(|part| assert!(text.contains(part), "'{part}' in: {text}"));
}

fn tets(cells: &[[u32; 4]]) -> Mesh {
    let nodes = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, Vec3::ONE];
    Mesh { nodes, cells: cells.iter().map(|&c| Cell::tet4(c)).collect() }
}

#[test]
fn cells_without_volume_name_themselves_and_their_nodes() {
    let mut flat = tets(&[[0, 1, 2, 4], [0, 1, 2, 3]]);
    flat.nodes[3] = Vec3::new(0.3, 0.3, 0.0);
    refused(&flat, &rubber(), &["degenerate", "cell 1", "[0, 1, 2, 3]"]);
    let mut folded = bar(Vec3::ONE, [2, 1, 1]);
    folded.nodes[11] = Vec3::new(-0.5, -0.5, -0.5);
    refused(&folded, &rubber(), &["folded", "cell 1", "11"]);
    let inside_out = Mesh { cells: vec![Cell::hex8([4, 5, 6, 7, 0, 1, 2, 3])], ..bar(Vec3::ONE, [1; 3]) };
    refused(&inside_out, &rubber(), &["cell 0"]);
    let mut line = sheet(1.0, 1.0, [1, 1]);
    line.nodes.iter_mut().for_each(|x| x.z = 0.0);
    refused(&line, &rubber().thickness(1e-3), &["degenerate", "cell 0"]);
    let point = Mesh { nodes: vec![Vec3::ONE; 2], cells: vec![Cell::bar2([0, 1])] };
    refused(&point, &rubber().area(1e-4), &["degenerate", "cell 0", "[0, 1]"]);
    // A tetrahedron that is only turned is turned back, and that is told.
    let turned = Deformable::new(&tets(&[[0, 2, 1, 3], [1, 2, 3, 4]]), &rubber()).unwrap();
    let mut world = World::new();
    let id = world.add(turned).unwrap();
    assert!(world.deformable(id).unwrap().elements().warnings()[0].contains("turned"));
}

#[test]
fn nodes_and_indices_are_looked_at_one_by_one() {
    let cells = [[0, 1, 2, 3], [1, 2, 3, 4]];
    for (bad, axis) in [(f64::NAN, 0), (f64::INFINITY, 1), (f64::NEG_INFINITY, 2)] {
        let mut mesh = tets(&cells);
        mesh.nodes[3][axis] = bad;
        refused(&mesh, &rubber(), &["not finite", "[3]"]);
    }
    // Counted from 1.
    refused(&tets(&cells.map(|c| c.map(|n| n + 1))), &rubber(), &["index", "cell 1", "5", "index base"]);
    refused(&tets(&[[0, 1, 2, u32::MAX], cells[1]]), &rubber(), &["index", "cell 0"]);
    refused(&tets(&[[0, 1, 2, 2], cells[1]]), &rubber(), &["twice", "cell 0", "2"]);
    refused(&tets(&[cells[0], cells[1], [3, 1, 2, 0]]), &rubber(), &["same nodes", "cell 2"]);
    refused(&tets(&cells[..1]), &rubber(), &["belongs to no cell", "[4]"]);
    refused(&Mesh::default(), &rubber(), &["no cells"]);
    refused(&Mesh { nodes: vec![Vec3::ZERO; 4], cells: Vec::new() }, &rubber(), &["no cells"]);
}

#[test]
fn three_sheets_at_an_edge_name_the_edge() {
    let mut mesh = sheet(1.0, 1.0, [1, 1]);
    let n = mesh.nodes.len() as u32;
    mesh.nodes.push(Vec3::new(0.5, 1.0, 0.5));
    let [a, b] = [mesh.cells[0].nodes()[0], mesh.cells[0].nodes()[2]];
    mesh.cells.push(Cell::tri3([a, b, n]));
    let edge = format!("[{}, {}]", a.min(b), a.max(b));
    refused(&mesh, &rubber().thickness(1e-3), &["too many sheet cells", &edge]);
}

#[test]
fn materials_that_do_not_fit_are_refused_by_name() {
    let cube = bar(Vec3::ONE, [1; 3]);
    let cloth = sheet(1.0, 1.0, [1, 1]);
    refused(&cube, &Material::new(1000.0, 1e6, f64::NAN), &["poisson", "NaN", "at most 0.5"]);
    refused(&cube, &Material::new(1000.0, 1e6, 0.5 + 1e-9), &["poisson", "0.500000001"]);
    refused(&cube, &Material::new(0.0, 1e6, 0.3), &["density"]);
    refused(&cube, &Material::new(1000.0, f64::INFINITY, 0.3), &["young", "inf"]);
    refused(&cloth, &rubber(), &["thickness", "sheets"]);
    refused(&cloth, &rubber().thickness(1e-3).law(Law::NeoHookean), &["law", "Neo-Hookean only for solids"]);
    let woven = Orthotropic { young_1: 1e6, young_2: 1e5, poisson_12: 0.3, shear: 1e5, axis: Vec3::X };
    refused(&cube, &rubber().law(Law::Orthotropic(woven)), &["law", "sheets"]);
    let impossible = Orthotropic { young_1: 1e5, young_2: 1e6, poisson_12: 0.5, ..woven };
    refused(&cloth, &rubber().thickness(1e-3).law(Law::Orthotropic(impossible)), &["poisson"]);
    let soft = |yield_strain, creep_time| Plasticity { yield_strain, creep_time, max_strain: 1.0 };
    refused(&cube, &rubber().plasticity(soft(-0.1, 0.0)), &["yield", "-0.1"]);
    refused(&cube, &rubber().plasticity(soft(0.1, -1.0)), &["creep", "-1"]);
    refused(&cloth, &rubber().thickness(1e-3).plasticity(soft(0.1, 0.0)), &["plasticity", "solids"]);
    refused(&cube, &rubber().damping(-1.0), &["damping", "-1"]);
    // Half is for patches alone.
    let off = Kept { volume: Volume::Off, ..Kept::default() };
    for law in [Law::Corotational, Law::NeoHookean, Law::StVenantKirchhoff] {
        let half = Material::new(1000.0, 1e6, 0.5).law(law);
        assert!(Deformable::with(&cube, &half, &off).unwrap_err().to_string().contains("below 0.5"));
        assert!(Deformable::new(&cube, &half).is_ok());
    }
}

#[test]
fn what_is_refused_late_leaves_nothing_half_built() {
    let mut world = World::new();
    let other = world.add(Body::particle(1.0)).unwrap();
    let mesh = bar(Vec3::ONE, [2, 1, 1]);
    let good = || Deformable::new(&mesh, &rubber()).unwrap();
    let gone = {
        let mut w = World::new();
        (0..9).map(|_| w.add(Body::particle(1.0)).unwrap()).last().unwrap()
    };
    let (start, bodies) = (world.state().hash(), world.bodies().count());
    for (bad, part) in [
        (good().bound(gone, |x| x.x == 0.0), "body"),
        (good().deformed(|x| if x.x == 1.0 { Vec3::NAN } else { x }), "node"),
        (good().shaped(vec![Vec3::ZERO; 3]), "12"),
        (good().mapped(|k, _| if k == 0 { vec![(other, 0.4)] } else { Vec::new() }), "add up to 1"),
        (good().skin(-0.1), "-0.1"),
        (good().skin(f64::NAN), "NaN"),
        (good().strength(-1.0), "strength"),
        (good().remembering(vec![1.0]), "remembers"),
        (good().tied_at(99, Vec::new()), "99"),
    ] {
        let error = world.add(bad).unwrap_err().to_string();
        assert!(error.contains(part), "'{part}' in: {error}");
        let now =
            (world.state().hash(), world.bodies().count(), world.deformables().count(), world.colliders().count());
        assert_eq!(now, (start, bodies, 0, 0), "{part}");
    }
    world.step(0.01).unwrap();
    world.add(good().held(|x| x.x == 0.0)).unwrap();
    world.step(0.01).unwrap();
}
