//! Generators: volumes, orientation, faces that meet, determinism, refusals.

use glam::DVec3;
use std::f64::consts::PI;
use taut_mesh::{
    CellKind, Error, Filling, Mesh, SheetCells, Split, Surface, TubeSize, ball, bar, creature, creature_balls,
    creature_distance, net, rope, sheet, split, tube,
};

const SIZE: DVec3 = DVec3::new(1.0, 0.3, 0.2);

fn volume(mesh: &Mesh) -> f64 {
    (0..mesh.cells.len()).map(|cell| mesh.volume(cell)).sum()
}

/// A solid whose cells are all positive, and whose boundary is closed and turned outward around the same volume.
fn assert_solid(mesh: &Mesh, name: &str) {
    let report = mesh.check().unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!((report.turned, report.slivers, report.parts), (0, 0, 1), "{name}");
    let surface = Surface::of(mesh).0;
    surface.check_closed().and_then(|()| surface.check_oriented()).unwrap_or_else(|error| panic!("{name}: {error}"));
    surface.check_manifold().unwrap_or_else(|error| panic!("{name}: {error}"));
}

#[test]
fn every_filling_of_a_bar_has_its_volume_and_faces_that_meet() {
    for filling in [Filling::Hexahedra, Filling::FiveTets, Filling::SixTets] {
        let bar = bar(SIZE, [5, 3, 2], filling).unwrap();
        let name = format!("{filling:?}");
        assert_solid(&bar.mesh, &name);
        assert!((volume(&bar.mesh) - 0.06).abs() < 1e-15, "{name}");
        let boundary = Surface::of(&bar.mesh).0;
        // Faces that do not meet would count as boundary within the bar.
        assert_eq!(boundary.triangles.len(), 2 * 2 * (5 * 3 + 3 * 2 + 2 * 5), "{name}");
        let mut cells: Vec<u32> = bar.patches.iter().flatten().copied().collect();
        cells.sort_unstable();
        assert_eq!(cells, (0..bar.mesh.cells.len() as u32).collect::<Vec<_>>(), "{name}");
        for patch in &bar.patches {
            let filled: f64 = patch.iter().map(|&cell| bar.mesh.volume(cell as usize)).sum();
            assert!((filled - 0.06 / 30.0).abs() < 1e-15, "{name}");
        }
    }
}

#[test]
fn five_tetrahedra_of_neighbours_are_mirrored() {
    let bar = bar(SIZE, [2, 1, 1], Filling::FiveTets).unwrap();
    let edges = bar.mesh.edges();
    // The face between the two cells has one diagonal, not two.
    assert_eq!([[1, 10], [4, 7]].iter().filter(|edge| edges.contains(edge)).count(), 1);
}

#[test]
fn tubes_and_balls_split_into_tetrahedra_that_meet() {
    let size = TubeSize { inner: 0.02, outer: 0.03, length: 0.5 };
    for (name, mesh) in [("tube", tube(size, [2, 12, 9]).unwrap()), ("ball", ball(0.5, 6).unwrap())] {
        assert_solid(&mesh, name);
        let faces = mesh.surface().len();
        for into in [Split::Five, Split::Six] {
            let parts = split(&mesh, into).unwrap().mesh;
            assert_solid(&parts, name);
            assert_eq!(parts.surface().len(), 2 * faces, "{name} {into:?}");
            // Cutting warped faces along a diagonal changes the volume of each cell a little.
            assert!((volume(&parts) / volume(&mesh) - 1.0).abs() < 0.05, "{name} {into:?}");
        }
    }
    let odd = tube(size, [1, 7, 2]).unwrap();
    assert!(matches!(split(&odd, Split::Five), Err(Error::Input { name, .. }) if name == "node"));
    assert_solid(&split(&odd, Split::Six).unwrap().mesh, "odd tube");
}

#[test]
fn a_tube_has_the_volume_of_its_prism() {
    let tube = tube(TubeSize { inner: 0.9, outer: 1.0, length: 2.0 }, [2, 24, 5]).unwrap();
    let angle = 2.0 * PI / 24.0;
    assert!((volume(&tube) / (0.5 * 24.0 * angle.sin() * 0.19 * 2.0) - 1.0).abs() < 1e-12);
}

#[test]
fn a_ball_tends_to_its_volume_with_the_square_of_the_cells() {
    let exact = 4.0 / 3.0 * PI * 0.125;
    let errors = [4, 8, 16].map(|cells| 1.0 - volume(&ball(0.5, cells).unwrap()) / exact);
    assert!(errors[0] < 0.12 && errors[2] < 0.01, "{errors:?}");
    assert!(errors[0] / errors[1] > 3.5 && errors[1] / errors[2] > 3.5, "{errors:?}");
    for node in &ball(0.5, 8).unwrap().nodes {
        assert!(node.length() <= 0.5 + 1e-15);
    }
}

#[test]
fn sheets_are_flat_and_turned_to_z_with_alternating_diagonals() {
    for kind in [SheetCells::Triangles, SheetCells::Quads] {
        let sheet = sheet([2.0, 1.0], [6, 4], kind).unwrap();
        let report = sheet.check().unwrap();
        assert_eq!((report.turned, report.one_sided, report.parts), (0, 0, 1));
        assert!((volume(&sheet) - 2.0).abs() < 1e-14);
        for [a, b, c] in sheet.surface_triangles().into_iter().map(|t| t.map(|n| sheet.nodes[n as usize])) {
            assert!((b - a).cross(c - a).z > 0.0);
        }
    }
    // With alternating diagonals the inner nodes have 4 or 8 triangles.
    let cloth = sheet([2.0, 1.0], [6, 4], SheetCells::Triangles).unwrap();
    let cells = cloth.node_cells();
    let inner = (0..35).filter(|&n| (1..6).contains(&(n % 7)) && (1..4).contains(&(n / 7)));
    assert!(inner.into_iter().all(|n| [4, 8].contains(&cells.get(n).len())));
}

#[test]
fn ropes_and_nets_have_the_length_of_their_lines() {
    let rope = rope(DVec3::X, DVec3::new(1.0, -3.0, 4.0), 7).unwrap();
    assert!((volume(&rope) - 5.0).abs() < 1e-14);
    assert!(rope.cells.iter().all(|cell| cell.kind() == CellKind::Bar2));
    let net = net([3.0, 2.0], [6, 4]).unwrap();
    assert!((volume(&net) - (3.0 * 5.0 + 2.0 * 7.0)).abs() < 1e-12);
    assert_eq!(net.check().unwrap().parts, 1);
}

#[test]
fn the_creature_is_one_solid_of_a_metre_in_a_closed_skin() {
    let creature = creature(0.08).unwrap();
    assert_eq!(creature.solid.mesh.check().unwrap().parts, 1);
    creature.surface.check_closed().unwrap();
    creature.surface.check_oriented().unwrap();
    assert_eq!(creature.surface.parts(), 1);
    let (low, high) =
        creature.surface.nodes.iter().fold((1.0, 0.0), |(low, high): (f64, f64), x| (low.min(x.y), high.max(x.y)));
    assert!(low.abs() < 0.01 && (high - 1.0).abs() < 0.01, "{low} to {high} m");
    assert!(creature.surface.nodes.iter().all(|&x| creature_distance(x).abs() < 0.002));
    let trunk = creature_balls()[0];
    assert_eq!(trunk.1, 0.25);
    for (binding, &node) in creature.bindings.iter().zip(&creature.surface.nodes) {
        assert!(binding.position(&creature.solid.mesh.nodes).distance(node) < 1e-12);
    }
    println!(
        "creature: {} nodes, {} cubes, volume {:.4} m3, skin {} triangles, {:.4} m3",
        creature.solid.mesh.nodes.len(),
        creature.solid.mesh.cells.len(),
        creature.solid.volume(),
        creature.surface.triangles.len(),
        creature.surface.volume()
    );
}

#[test]
fn sizes_and_counts_that_cannot_be_are_refused_by_name() {
    let named = |result: Result<Mesh, Error>| match result {
        Err(Error::Input { name, .. }) => name,
        other => panic!("{other:?}"),
    };
    let of_bar = |size, cells| bar(size, cells, Filling::SixTets).map(|bar| bar.mesh);
    assert_eq!(named(of_bar(DVec3::new(1.0, -1.0, 1.0), [1, 1, 1])), "size.y");
    assert_eq!(named(of_bar(DVec3::new(1.0, 1.0, f64::NAN), [1, 1, 1])), "size.z");
    assert_eq!(named(of_bar(DVec3::ONE, [1, 0, 1])), "cells.y");
    assert_eq!(named(of_bar(DVec3::ONE, [1, usize::MAX, 2])), "cells.y");
    assert_eq!(named(sheet([1.0, f64::INFINITY], [1, 1], SheetCells::Quads)), "size[1]");
    assert_eq!(named(ball(1.0, 1)), "cells");
    assert_eq!(named(tube(TubeSize { inner: 1.0, outer: 0.5, length: 1.0 }, [1, 8, 1])), "outer");
    assert_eq!(named(tube(TubeSize { inner: 0.1, outer: 0.5, length: 1.0 }, [1, 2, 1])), "cells[1]");
    assert_eq!(named(rope(DVec3::ONE, DVec3::ONE, 3)), "to");
    assert_eq!(named(net([1.0, 1.0], [3, 0])), "cells[1]");
    assert_eq!(named(creature(1e-9).map(|creature| creature.solid.mesh)), "size");
}
