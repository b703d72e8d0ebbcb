//! Solids of cubes, welding, surfaces, and points bound to cells.

use glam::{DMat3, DVec3};
use std::f64::consts::PI;
use taut_mesh::{
    Cell, Error, Filling, Mesh, Surface, VoxelOptions, ball, bar, embed, isosurface, split, voxelise,
    voxelise_distance, weld,
};

/// Pseudo-random numbers from 0 to 1: an xorshift generator.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.next(), self.next(), self.next())
    }
}

fn sphere(radius: f64, size: f64) -> Surface {
    isosurface(DVec3::splat(-1.2 * radius), DVec3::splat(1.2 * radius), size, |p| p.length() - radius).unwrap()
}

#[test]
fn a_ball_of_cubes_has_its_volume_within_one_per_cent() {
    let surface = sphere(0.5, 0.02);
    let solid = voxelise(&surface, VoxelOptions { least: 0.0, ..VoxelOptions::new(0.08) }).unwrap();
    let error = solid.volume() / surface.volume() - 1.0;
    assert!(error.abs() < 0.01, "{error}");
    let trimmed = voxelise(&surface, VoxelOptions::new(0.08)).unwrap();
    assert!((trimmed.volume() / surface.volume() - 1.0).abs() < 0.01);
    assert!(trimmed.fraction.iter().all(|&f| (0.05..=1.0).contains(&f)));
    let exact = voxelise_distance(DVec3::splat(-0.5), DVec3::splat(0.5), VoxelOptions::new(0.08), |p| p.length() - 0.5)
        .unwrap();
    assert!((exact.volume() / (PI / 6.0) - 1.0).abs() < 0.01, "{}", exact.volume());
    assert_eq!(trimmed.mesh.check().unwrap().parts, 1);
}

#[test]
fn rays_through_edges_and_nodes_are_counted_once() {
    // Nodes, edges and faces of the surface lie exactly on the rays of the samples.
    for cells in [1, 2, 4, 8, 16] {
        let cube = Surface::of(&bar(DVec3::ONE, [cells; 3], Filling::SixTets).unwrap().mesh).0;
        for samples in [1, 2, 3, 4] {
            let options = VoxelOptions { samples, ..VoxelOptions::new(0.25) };
            let solid = voxelise(&cube, options).unwrap();
            assert_eq!((solid.mesh.cells.len(), solid.volume()), (64, 1.0), "{cells} cells, {samples} samples");
        }
    }
    let octahedron = isosurface(-DVec3::splat(1.5), DVec3::splat(1.5), 0.125, |p| p.abs().element_sum() - 1.0).unwrap();
    let solid = voxelise(&octahedron, VoxelOptions::new(0.125)).unwrap();
    assert!((solid.volume() / octahedron.volume() - 1.0).abs() < 0.03, "{}", solid.volume());
}

#[test]
fn turned_surfaces_fill_alike_and_cavities_stay_empty() {
    let mut shell = sphere(0.5, 0.05);
    let inner = sphere(0.25, 0.05);
    let options = VoxelOptions::new(0.05);
    let full = voxelise(&shell, options).unwrap().volume();
    let offset = shell.nodes.len() as u32;
    shell.nodes.extend(&inner.nodes);
    shell.triangles.extend(inner.triangles.iter().map(|t| t.map(|n| n + offset)));
    let hollow = voxelise(&shell, options).unwrap();
    assert!((hollow.volume() - (full - inner.volume())).abs() < 0.01 * full);
    assert_eq!(shell.parts(), 2);
    let mut turned = Random(3);
    for triangle in &mut shell.triangles {
        if turned.next() < 0.5 {
            triangle.swap(0, 1);
        }
    }
    assert_eq!(voxelise(&shell, options).unwrap(), hollow);
    assert!(shell.check_oriented().is_err());
    let outward = shell.outward().unwrap();
    assert!(outward.turned > 100);
    assert!(outward.surface.volume() > 0.5);
}

#[test]
fn an_open_surface_is_refused_with_its_edge() {
    let mut surface = Surface::of(&bar(DVec3::ONE, [2, 2, 2], Filling::Hexahedra).unwrap().mesh).0;
    let [a, b, _] = surface.triangles.remove(7);
    let Err(Error::Edge { edge, triangles, .. }) = voxelise(&surface, VoxelOptions::new(0.1)) else { panic!("open") };
    assert_eq!(triangles, 1);
    let lost = surface.clone();
    assert!(lost.check_closed().is_err() && edge[0] < edge[1]);
    assert!([a, b].contains(&edge[0]) || [a, b].contains(&edge[1]));
    surface.triangles.push([0, 1, 99]);
    assert!(matches!(surface.check_closed(), Err(Error::Input { value, .. }) if value == "99"));
}

#[test]
fn a_branching_sheet_is_refused_with_its_edge() {
    let nodes = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z, -DVec3::Y];
    let surface = Surface { nodes, triangles: vec![[0, 1, 2], [1, 0, 3], [0, 1, 4]] };
    let Err(Error::Edge { edge, triangles, .. }) = surface.check_manifold() else { panic!("branching") };
    assert_eq!((edge, triangles), ([0, 1], 3));
}

#[test]
fn bindings_reproduce_linear_fields_in_boxes_distorted_cells_and_tetrahedra() {
    let mut random = Random(11);
    let mut distorted = bar(DVec3::ONE, [3, 3, 3], Filling::Hexahedra).unwrap().mesh;
    distorted.nodes.iter_mut().for_each(|x| *x += 0.08 * (random.vector() - 0.5));
    let round = ball(0.5, 4).unwrap();
    let tetrahedra = split(&distorted, taut_mesh::Split::Six).unwrap().mesh;
    let boxes = bar(DVec3::ONE, [4, 3, 2], Filling::Hexahedra).unwrap().mesh;
    let field = DMat3::from_cols(random.vector(), random.vector(), random.vector());
    for (name, mesh) in [("boxes", boxes), ("distorted", distorted), ("ball", round), ("tetrahedra", tetrahedra)] {
        let shift = random.vector();
        let moved: Vec<DVec3> = mesh.nodes.iter().map(|&x| field * x + shift).collect();
        let points: Vec<DVec3> = (0..500).map(|_| random.vector() * 0.6).collect();
        let mut inside = 0;
        for (binding, &point) in embed(&mesh, &points).unwrap().iter().zip(&points) {
            if binding.outside == 0.0 {
                inside += 1;
                assert!(binding.weights.iter().all(|&w| w > -1e-8), "{name}");
            }
            assert!((binding.weights.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{name}");
            if binding.outside < 0.05 {
                let error = binding.position(&moved).distance(field * point + shift);
                assert!(error < 1e-12, "{name}: {error}");
            }
        }
        assert!(inside > 120, "{name}: {inside}");
    }
}

#[test]
fn points_outside_are_bound_to_the_nearest_cell() {
    let mesh = bar(DVec3::ONE, [4, 4, 4], Filling::Hexahedra).unwrap().mesh;
    let mut random = Random(5);
    let points: Vec<DVec3> = (0..300).map(|_| 3.0 * random.vector() - 1.0).collect();
    for (binding, &point) in embed(&mesh, &points).unwrap().iter().zip(&points) {
        let gap = (-point).max(point - 1.0).max(DVec3::ZERO).length();
        assert!((binding.outside - gap).abs() < 1e-12);
        assert!(binding.weights.iter().all(|w| w.abs() < 10.0));
    }
}

#[test]
fn a_mesh_without_solids_or_with_bad_points_binds_nothing() {
    let mesh = Mesh { nodes: vec![DVec3::ZERO, DVec3::X], cells: vec![Cell::bar2([0, 1])] };
    assert!(matches!(embed(&mesh, &[DVec3::ZERO]), Err(Error::Input { name, .. }) if name == "cells"));
    let broken = Mesh { nodes: vec![DVec3::ZERO], cells: vec![Cell::tet4([0, 1, 2, 3])] };
    assert!(matches!(embed(&broken, &[]), Err(Error::Input { name, .. }) if name == "cells[0]"));
    assert!(split(&broken, taut_mesh::Split::Five).is_err());
    assert!(Surface::of(&broken).0.triangles.is_empty());
    let cube = bar(DVec3::ONE, [1, 1, 1], Filling::Hexahedra).unwrap().mesh;
    assert!(matches!(embed(&cube, &[DVec3::NAN]), Err(Error::Input { name, .. }) if name == "points[0]"));
}

#[test]
fn welding_closes_a_soup_of_triangles() {
    let surface = sphere(1.0, 0.2);
    let mut random = Random(7);
    let corners = surface.triangles.iter().flatten().map(|&n| surface.nodes[n as usize] + 1e-7 * random.vector());
    let soup = Mesh {
        nodes: corners.collect(),
        cells: (0..surface.triangles.len() as u32).map(|t| Cell::tri3([3 * t, 3 * t + 1, 3 * t + 2])).collect(),
    };
    let welded = weld(&soup, 1e-6).unwrap();
    assert_eq!((welded.mesh.nodes.len(), welded.dropped), (surface.nodes.len(), 0));
    Surface::of(&welded.mesh).0.check_closed().unwrap();
    assert_eq!(weld(&soup, 0.0).unwrap().mesh.nodes.len(), soup.nodes.len());
    assert!(weld(&soup, f64::NAN).is_err());
    // A tolerance beyond the edges leaves triangles out, and would destroy solids.
    assert!(weld(&soup, 0.3).unwrap().dropped > 0);
    assert!(weld(&bar(DVec3::ONE, [2, 2, 2], Filling::Hexahedra).unwrap().mesh, 0.6).is_err());
}

#[test]
fn the_surface_of_any_function_is_closed() {
    // Zeros exactly at the nodes of the lattice, and a function with no meaning.
    let cube = isosurface(-DVec3::ONE, DVec3::ONE, 0.25, |p| p.abs().max_element() - 0.5).unwrap();
    cube.check_closed().unwrap();
    cube.check_oriented().unwrap();
    let noise = |p: DVec3| {
        if p.abs().max_element() > 0.9 { 1.0 } else { (p.x * 91.7).sin() * (p.y * 47.1).cos() + (p.z * 77.7).sin() }
    };
    let surface = isosurface(-DVec3::ONE, DVec3::ONE, 0.1, noise).unwrap();
    surface.check_closed().unwrap();
    surface.check_oriented().unwrap();
    assert!(isosurface(-DVec3::ONE, DVec3::ONE, 0.1, |_| -1.0).is_err());
    assert!(isosurface(-DVec3::ONE, DVec3::ONE, 0.1, |_| f64::NAN).is_err());
}
