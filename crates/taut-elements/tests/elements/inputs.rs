//! Bad input is refused with what, where and what was expected; usable input is accepted with a report.

use crate::common::{boxes, sheet};
use glam::{DMat3, DVec3};
use taut_elements::{
    Cell, CellKind, Cord, Elements, Error, Fibre, FrameCell, Frames, Hooke, Input, Law, Material, Mesh, MeshFault,
    Options, Orthotropic, Plasticity, Volume,
};

fn fault(mesh: &Mesh) -> MeshFault {
    let error = mesh.check().unwrap_err();
    assert!(!error.to_string().is_empty() && error.to_string().contains("expected"));
    let Err(Error::Mesh(same)) = Elements::new(mesh, &Material::new(1000.0, 1e5, 0.3).thickness(1e-3).area(1e-4))
    else {
        panic!("accepted")
    };
    assert_eq!(format!("{same}"), format!("{error}"));
    error.fault
}

fn tet() -> Mesh {
    Mesh { nodes: vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z], cells: vec![Cell::tet4([0, 1, 2, 3])] }
}

#[test]
fn faults_of_meshes_are_named_with_their_place() {
    let mut mesh = tet();
    mesh.nodes[2].y = f64::NAN;
    assert_eq!((fault(&mesh), mesh.check().unwrap_err().nodes), (MeshFault::NotFinite, vec![2]));
    let mut mesh = tet();
    mesh.cells[0] = Cell::tet4([1, 2, 3, 4]);
    assert_eq!(fault(&mesh), MeshFault::IndexOutOfRange);
    assert!(mesh.check().unwrap_err().to_string().contains("index base"));
    mesh.cells[0] = Cell::tet4([1, 2, 3, 9]);
    assert!(!mesh.check().unwrap_err().to_string().contains("index base"));
    mesh.cells[0] = Cell::tet4([0, 1, 1, 3]);
    assert_eq!((fault(&mesh), mesh.check().unwrap_err().value), (MeshFault::RepeatedNode, 1.0));
    let mut mesh = tet();
    mesh.cells.push(Cell::tet4([3, 2, 0, 1]));
    let error = mesh.check().unwrap_err();
    assert_eq!((fault(&mesh), error.cell, error.value), (MeshFault::DuplicateCell, Some(1), 0.0));
    let mut mesh = tet();
    mesh.nodes[3] = DVec3::new(0.3, 0.3, 1e-13);
    assert_eq!((fault(&mesh), mesh.check().unwrap_err().cell), (MeshFault::Degenerate, Some(0)));
    let mut mesh = tet();
    mesh.nodes.push(DVec3::ONE);
    assert_eq!((fault(&mesh), mesh.check().unwrap_err().nodes), (MeshFault::UnusedNode, vec![4]));
    assert_eq!(fault(&Mesh::default()), MeshFault::Empty);
    let flat = Mesh { nodes: vec![DVec3::ZERO, DVec3::ZERO], cells: vec![Cell::bar2([0, 1])] };
    assert_eq!(fault(&flat), MeshFault::Degenerate);
    assert_eq!(Cell::new(CellKind::Tet4, &[0, 1, 2]), None);
}

#[test]
fn folded_and_inverted_hexahedra_and_quadrilaterals_are_refused() {
    let mut mesh = boxes([1, 1, 1], [1.0; 3]);
    mesh.nodes[7] = DVec3::splat(-0.5);
    assert_eq!(fault(&mesh), MeshFault::Folded);
    let mut mesh = boxes([1, 1, 1], [1.0; 3]);
    mesh.nodes.iter_mut().for_each(|x| x.z = -x.z);
    assert_eq!(fault(&mesh), MeshFault::Folded);
    let mut mesh = sheet([1, 1], [1.0, 1.0], CellKind::Quad4);
    mesh.nodes[3] = DVec3::new(-1.0, -1.0, 0.0);
    assert_eq!(fault(&mesh), MeshFault::Folded);
}

#[test]
fn three_sheet_cells_on_an_edge_are_refused_with_the_edge() {
    let nodes = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z, -DVec3::Y];
    let cells = vec![Cell::tri3([0, 1, 2]), Cell::tri3([0, 1, 3]), Cell::tri3([1, 0, 4])];
    let mesh = Mesh { nodes, cells };
    assert_eq!(fault(&mesh), MeshFault::NonManifoldEdge);
    let error = mesh.check().unwrap_err();
    assert_eq!((error.nodes, error.value), (vec![0, 1], 3.0));
}

#[test]
fn all_faults_are_listed() {
    let mut mesh = boxes([2, 1, 1], [1.0; 3]);
    mesh.cells.push(mesh.cells[0]);
    mesh.nodes.push(DVec3::ONE);
    let faults: Vec<MeshFault> = mesh.errors().iter().map(|e| e.fault).collect();
    assert_eq!(faults, [MeshFault::DuplicateCell, MeshFault::UnusedNode]);
}

#[test]
fn negative_tetrahedra_and_turned_triangles_are_turned_and_counted() {
    let mut mesh = tet();
    mesh.cells[0] = Cell::tet4([0, 2, 1, 3]);
    let elements = Elements::new(&mesh, &Material::new(1000.0, 1e5, 0.3)).unwrap();
    assert_eq!((mesh.check().unwrap().turned, elements.report().turned), (1, 1));
    assert!(elements.volume(0) > 0.0 && elements.energy(0, &[DVec3::ZERO; 4], &[], Input::default()) > 0.0);
    let mut mesh = sheet([3, 3], [1.0, 1.0], CellKind::Tri3);
    for c in [4, 7, 11] {
        mesh.cells[c].nodes_mut()[1..].reverse();
    }
    let turned = mesh.oriented();
    assert_eq!((turned.turned, turned.one_sided), (3, 0));
    assert_eq!(turned.mesh.oriented().turned, 0);
}

#[test]
fn the_surface_of_a_box_is_closed_and_points_outward() {
    for mesh in [boxes([2, 3, 4], [1.0, 2.0, 3.0]), crate::common::tets([2, 3, 4], [1.0, 2.0, 3.0], 5).0] {
        let six: f64 = mesh
            .surface_triangles()
            .iter()
            .map(|t| {
                let [a, b, c] = t.map(|n| mesh.nodes[n as usize]);
                a.cross(b).dot(c)
            })
            .sum();
        assert!((six / 6.0 - 6.0).abs() < 1e-12);
        // Every edge of the triangles is run both ways.
        let mut edges: Vec<[u32; 2]> =
            mesh.surface_triangles().iter().flat_map(|t| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]]).collect();
        let mut back: Vec<[u32; 2]> = edges.iter().map(|e| [e[1], e[0]]).collect();
        edges.sort_unstable();
        back.sort_unstable();
        assert_eq!(edges, back);
    }
    let mesh = boxes([2, 2, 2], [1.0; 3]);
    assert_eq!((mesh.surface().len(), mesh.edges().len(), mesh.surface_edges().len()), (24, 54, 48));
    assert_eq!((mesh.cell_neighbours().get(0).len(), mesh.node_cells().get(13).len(), mesh.parts()), (3, 8, 1));
}

#[test]
fn suspect_units_and_parts_are_reported() {
    let mut mesh = boxes([1, 1, 1], [500.0; 3]);
    assert!(mesh.check().unwrap().unit_suspect);
    let other = boxes([1, 1, 1], [1.0; 3]);
    let shift = mesh.nodes.len() as u32;
    mesh.nodes.extend(other.nodes.iter().map(|&x| x + DVec3::X * 600.0));
    let mut cell = other.cells[0];
    cell.nodes_mut().iter_mut().for_each(|n| *n += shift);
    mesh.cells.push(cell);
    assert_eq!(mesh.check().unwrap().parts, 2);
}

#[test]
fn bad_materials_are_refused_by_name() {
    let base = || Material::new(1000.0, 1e5, 0.3);
    let plastic =
        |yield_strain, creep_time, max_strain| base().plasticity(Plasticity { yield_strain, creep_time, max_strain });
    for (material, name) in [
        (Material::new(0.0, 1e5, 0.3), "density"),
        (Material::new(f64::NAN, 1e5, 0.3), "density"),
        (Material::new(1000.0, 0.0, 0.3), "young"),
        (Material::new(1000.0, f64::INFINITY, 0.3), "young"),
        (Material::new(1000.0, 1e5, 0.51), "poisson"),
        (Material::new(1000.0, 1e5, -1.0), "poisson"),
        (Material::new(1000.0, 1e5, f64::NAN), "poisson"),
        (base().thickness(-1.0), "thickness"),
        (base().area(-1.0), "area"),
        (base().bending(-1.0), "bending"),
        (base().damping(-1.0), "damping"),
        (base().mass_damping(f64::NAN), "mass_damping"),
        (plastic(-0.1, 0.0, 1.0), "yield_strain"),
        (plastic(0.1, -1.0, 1.0), "creep_time"),
        (plastic(0.1, 0.0, f64::NAN), "max_strain"),
        (base().law(Law::Cord(Cord { strain: -0.1, young: 1.0 })), "cord.strain"),
        (base().law(Law::Cord(Cord { strain: 0.1, young: 0.0 })), "cord.young"),
        (base().fibre(Fibre { direction: DVec3::ZERO, stress: 1.0 }), "fibre.direction"),
        (base().fibre(Fibre { direction: DVec3::X, stress: -1.0 }), "fibre.stress"),
    ] {
        let error = material.check().unwrap_err();
        assert_eq!(error.name, name);
        assert_eq!(Elements::new(&tet(), &material).unwrap_err().to_string(), error.to_string());
    }
}

#[test]
fn laws_that_do_not_fit_the_cells_are_refused() {
    let base = Material::new(1000.0, 1e5, 0.3);
    let cloth = sheet([1, 1], [1.0, 1.0], CellKind::Tri3);
    let name = |mesh: &Mesh, material: Material| match Elements::new(mesh, &material) {
        Err(Error::Input(error)) => error.name,
        other => panic!("{other:?}"),
    };
    assert_eq!(name(&cloth, base.clone()), "thickness");
    assert_eq!(name(&cloth, base.clone().thickness(1e-3).law(Law::StableNeoHookean)), "law");
    let plastic = Plasticity { yield_strain: 0.1, creep_time: 0.0, max_strain: 1.0 };
    assert_eq!(name(&cloth, base.clone().thickness(1e-3).plasticity(plastic)), "plasticity");
    let bar = Mesh { nodes: vec![DVec3::ZERO, DVec3::X], cells: vec![Cell::bar2([0, 1])] };
    assert_eq!(name(&bar, base.clone()), "area");
    assert_eq!(name(&tet(), base.clone().law(Law::Cord(Cord { strain: 0.1, young: 1.0 }))), "law");
    let fibres = Orthotropic { young_1: 10.0, young_2: 100.0, poisson_12: 0.4, shear: 1.0, axis: DVec3::X };
    assert_eq!(name(&cloth, base.clone().thickness(1e-3).law(Law::Orthotropic(fibres))), "poisson_12");
    let fibres = Orthotropic { poisson_12: 0.1, ..fibres };
    assert_eq!(name(&tet(), base.clone().law(Law::Orthotropic(fibres))), "law");
    let mut hooke = Hooke::isotropic(1.0, 0.3);
    hooke.stiffness[0][1] = 9.0;
    assert_eq!(name(&tet(), base.clone().law(Law::Hooke(Box::new(hooke.clone())))), "hooke.stiffness");
    hooke.stiffness[1][0] = 9.0;
    assert_eq!(name(&tet(), base.clone().law(Law::Hooke(Box::new(hooke)))), "hooke.stiffness");
    let mut hooke = Hooke::isotropic(1.0, 0.3);
    hooke.axes = DMat3::from_diagonal(DVec3::new(1.0, 1.0, -1.0));
    assert_eq!(name(&tet(), base.clone().law(Law::Hooke(Box::new(hooke)))), "hooke.axes");
    let off = Options { volume: Volume::Off, ..Options::default() };
    let locking = Elements::with(&tet(), &Material::new(1000.0, 1e5, 0.499), &off).unwrap();
    assert!(locking.warnings()[0].contains("poisson = 0.499"));
    assert!(Elements::new(&tet(), &Material::new(1000.0, 1e5, 0.499)).unwrap().warnings().is_empty());
    let Err(Error::Input(error)) = Elements::with(&tet(), &Material::new(1000.0, 1e5, 0.5), &off) else { panic!() };
    assert_eq!(error.name, "poisson");
}

#[test]
fn groups_that_cannot_be_are_refused() {
    let (mesh, _) = crate::common::tets([3, 3, 3], [1.0; 3], 6);
    let with = |groups: Vec<Vec<u32>>| {
        let options = Options { groups: Some(groups), ..Options::default() };
        Elements::with(&mesh, &Material::new(1000.0, 1e5, 0.49), &options)
    };
    for groups in [vec![vec![0, 1], vec![1, 2]], vec![vec![9999]], vec![(0..162).collect()]] {
        let Err(Error::Mesh(error)) = with(groups) else { panic!("accepted") };
        assert_eq!(error.fault, MeshFault::Group);
    }
    // Cells in no group are grouped by vertices; none is lost.
    let elements = with(vec![vec![0, 1, 2]]).unwrap();
    let mut cells: Vec<u32> = (0..elements.len()).flat_map(|e| elements.cells(e).to_vec()).collect();
    cells.sort_unstable();
    assert_eq!(cells, (0..162).collect::<Vec<_>>());
}

#[test]
fn frames_with_bad_weights_are_refused() {
    let good = FrameCell::along(DVec3::ZERO, DVec3::X, 3, [0.1, 0.1]).unwrap();
    let material = Material::new(1000.0, 1e5, 0.3);
    let name = |change: &dyn Fn(&mut Vec<FrameCell>)| {
        let mut cells = good.clone();
        change(&mut cells);
        match Elements::frames(&cells, &material) {
            Err(Error::Input(error)) => error.name,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(name(&|c| c[0].points[0].weights[0] += 0.1), "weights");
    assert_eq!(name(&|c| c[0].points[0].gradients[0] *= 2.0), "gradients");
    assert_eq!(name(&|c| c[0].points[0].volume = 0.0), "volume");
    assert_eq!(name(&|c| c[0].frames[1] = c[0].frames[0]), "frames");
    assert_eq!(name(&|c| c.iter_mut().for_each(|c| c.points.iter_mut().for_each(|p| p.position.z = 0.0))), "frame");
    assert!(FrameCell::along(DVec3::ZERO, DVec3::X, 1, [0.1, 0.1]).is_err());
}

#[test]
fn frames_over_a_mesh_refuse_what_they_do_not_reach() {
    let rubber = Material::new(1000.0, 1e5, 0.3);
    let over = |mesh: &Mesh, centres: &[DVec3], radius: f64| {
        let frames = Frames { centres: centres.to_vec(), radius };
        match Elements::frames_over(mesh, &frames, &rubber, &Options::default()) {
            Err(Error::Input(error)) => error.name,
            other => panic!("{other:?}"),
        }
    };
    let cube = boxes([2, 2, 2], [1.0; 3]);
    let middle = DVec3::splat(0.5);
    assert_eq!(over(&cube, &[middle], 0.5), "radius");
    assert_eq!(over(&cube, &[middle], f64::NAN), "radius");
    assert_eq!(over(&cube, &[], 2.0), "radius");
    assert_eq!(over(&cube, &[middle; 9], 2.0), "radius");
    assert_eq!(over(&cube, &[middle, DVec3::splat(9.0)], 2.0), "frames");
    assert_eq!(over(&sheet([2, 2], [1.0, 1.0], CellKind::Tri3), &[middle], 2.0), "frames");
}

#[test]
fn frames_over_a_mesh_carry_it_in_every_affine_motion() {
    let cube = boxes([2, 2, 2], [1.0; 3]);
    let frames = Frames { centres: vec![DVec3::splat(0.3), DVec3::new(0.8, 0.5, 0.6)], radius: 1.5 };
    let body = Elements::frames_over(&cube, &frames, &Material::new(1000.0, 1e5, 0.3), &Options::default()).unwrap();
    assert_eq!((body.controls(), body.rest().len()), (8, 8 + 27));
    let map = DMat3::from_cols_array(&[1.1, 0.2, 0.0, -0.3, 0.9, 0.1, 0.2, 0.0, 1.3]);
    let moved: Vec<DVec3> = body.rest().iter().map(|&x| map * x + DVec3::X).collect();
    for n in body.controls()..moved.len() {
        let sum: f64 = body.carried(n).iter().map(|c| c.1).sum();
        let at = body.carried(n).iter().fold(DVec3::ZERO, |s, &(k, part)| s + moved[k as usize] * part);
        assert!((sum - 1.0).abs() < 1e-12 && (at - moved[n]).length() < 1e-12, "{n}");
    }
    assert!(body.carried(0).is_empty() && body.masses()[8..].iter().all(|&m| m == 0.0));
    assert!((body.masses().iter().sum::<f64>() - 1000.0).abs() < 1e-9);
}
