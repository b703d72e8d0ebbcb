//! Files of every format: what is read, what is refused, and that what is written is read again.

use crate::common::*;
use glam::DVec3;
use taut_mesh::{
    Cell, CellKind, Error, Filling, Format, Group, Mesh, Place, ReadMesh, ReadOptions, SheetCells, Surface, ball, bar,
    creature, read, read_named, write_msh, write_obj,
};

fn plain(bytes: &[u8], format: Format) -> ReadMesh {
    read(bytes, format, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// Place, name and value of a refusal.
fn refusal(bytes: &[u8], format: Format) -> (Place, String, String) {
    match read(bytes, format, &ReadOptions::default()) {
        Err(Error::File { place, name, value, .. }) => (place, name, value),
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_kind_of_gmsh_file_gives_the_same_solid_with_its_groups() {
    let all = solid();
    let tetrahedra =
        Mesh { cells: all.cells.iter().filter(|c| c.kind() == CellKind::Tet4).copied().collect(), ..all.clone() };
    let binary = |f: fn(&Mesh, bool) -> Vec<u8>| [f(&all, false), f(&all, true)];
    let files = [vec![msh2_text(&all)], binary(msh2_binary).to_vec(), binary(msh4_binary).to_vec()].concat();
    for (index, file) in files.iter().enumerate() {
        let read_solid = plain(file, Format::Gmsh);
        assert_eq!(read_solid.mesh, tetrahedra, "file {index}");
        assert_eq!(read_solid.warnings.len(), 1, "{:?}", read_solid.warnings);
        let names: Vec<_> =
            read_solid.groups.iter().map(|g| (g.name.as_str(), g.dimension, g.cells.len(), g.nodes.len())).collect();
        assert_eq!(names, [("skin of it", 2, 0, 24), ("flesh", 3, 36, 24)], "file {index}");
        let options = ReadOptions { all_dimensions: true, ..ReadOptions::default() };
        let both = read(file, Format::Gmsh, &options).unwrap();
        assert_eq!(both.mesh, all, "file {index}");
        assert_eq!(both.groups[0].cells, (0..44).collect::<Vec<u32>>(), "file {index}");
    }
}

#[test]
fn every_kind_of_surface_file_gives_the_same_sheet() {
    let quads = cloth(SheetCells::Quads);
    for file in [ply_text(&quads), ply_binary(&quads, false), ply_binary(&quads, true)] {
        assert_eq!(plain(&file, Format::Ply).mesh, quads);
    }
    let from_obj = plain(&obj(&quads), Format::Obj);
    assert_eq!(from_obj.mesh, quads);
    assert_eq!((from_obj.groups[0].name.as_str(), from_obj.groups[0].cells.len()), ("part of it", 16));
    let triangles = cloth(SheetCells::Triangles);
    let [text, binary] = [stl_text(&triangles), stl_binary(&triangles)].map(|file| plain(&file, Format::Stl));
    assert_eq!(text.mesh, binary.mesh);
    assert_eq!((text.mesh.nodes.len(), text.mesh.cells.len()), (25, 32));
    assert_eq!(text.mesh.check().unwrap().turned, 0);
    assert_eq!(text.groups[0].name, "the thing");
}

#[test]
fn what_is_written_is_read_again_to_the_last_digit() {
    let mut mixed = bar(DVec3::new(1.0, 1.0 / 3.0, 0.1), [3, 2, 2], Filling::Hexahedra).unwrap().mesh;
    let hexahedra = mixed.cells.len() as u32;
    mixed.cells.extend(bar(DVec3::ONE, [3, 2, 2], Filling::FiveTets).unwrap().mesh.cells);
    let groups = [
        Group { name: "cubes".into(), dimension: 3, cells: (0..hexahedra).collect(), nodes: Vec::new() },
        Group { name: "both".into(), dimension: 3, cells: vec![1, hexahedra, hexahedra + 7], nodes: Vec::new() },
    ];
    let again = plain(write_msh(&mixed, &groups).unwrap().as_bytes(), Format::Gmsh);
    assert_eq!(again.mesh, mixed);
    for group in &groups {
        let found = again.groups.iter().find(|g| g.name == group.name).unwrap();
        assert_eq!(found.cells, group.cells);
    }
    assert!(again.warnings.is_empty(), "{:?}", again.warnings);
    for mesh in [ball(0.3, 3).unwrap(), cloth(SheetCells::Quads), taut_mesh::net([1.0, 1.0], [3, 2]).unwrap()] {
        assert_eq!(plain(write_msh(&mesh, &[]).unwrap().as_bytes(), Format::Gmsh).mesh, mesh);
    }
    let skin = creature(0.1).unwrap().surface;
    let again = plain(write_obj(&skin).as_bytes(), Format::Obj);
    assert_eq!(Surface::of(&again.mesh).0, skin);
}

#[test]
fn formats_are_told_by_content_then_by_name() {
    for (name, format, file) in files() {
        let expected = if format == Format::Obj { None } else { Some(format) };
        assert_eq!(Format::of("file", &file), expected, "{name}");
        assert!(read_named("x.obj", &file, &ReadOptions::default()).is_ok() || format == Format::Stl, "{name}");
    }
    assert!(read_named("x.STL", &stl_text(&cloth(SheetCells::Triangles)), &ReadOptions::default()).is_ok());
}

#[test]
fn mixed_line_ends_are_read_and_counted() {
    let text = String::from_utf8(msh2_text(&solid())).unwrap();
    for end in ["\r\n", "\r"] {
        assert_eq!(plain(text.replace('\n', end).as_bytes(), Format::Gmsh), plain(text.as_bytes(), Format::Gmsh));
    }
    let ends = "v 0 0 0\r\nv 1 0 0\rv 0 1 0\nf 1 2 \\\n 3\r\nf 1 2 9\r\n";
    assert_eq!(refusal(ends.as_bytes(), Format::Obj), (Place::Line(6), "vertex index".into(), "9".into()));
}

#[test]
fn a_wrong_index_base_is_refused_with_a_hint() {
    let zero = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n";
    assert_eq!(refusal(zero.as_bytes(), Format::Obj), (Place::Line(4), "vertex index".into(), "0".into()));
    let one = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 1 2 3\n";
    let error = read(one.as_bytes(), Format::Ply, &ReadOptions::default()).unwrap_err().to_string();
    assert!(error.contains("line 13") && error.contains("is 3") && error.contains("count from 1?"), "{error}");
    let tag = String::from_utf8(msh2_text(&solid())).unwrap().replace("\n44 2 2 7 1 ", "\n44 2 2 7 1 1 ");
    let error = read(tag.as_bytes(), Format::Gmsh, &ReadOptions::default()).unwrap_err().to_string();
    assert!(error.contains("node of the element is 1") && error.contains("3 to 49"), "{error}");
}

#[test]
fn numbers_that_are_not_finite_are_refused_where_they_stand() {
    assert_eq!(refusal(b"v 0 0 0\nv 0 inf 0\n", Format::Obj), (Place::Line(2), "y".into(), "inf".into()));
    assert_eq!(refusal(b"v 0 0 0\nv 0 0 -1e999\n", Format::Obj), (Place::Line(2), "z".into(), "-inf".into()));
    let mut stl = stl_binary(&cloth(SheetCells::Triangles));
    stl[84 + 12 + 4..84 + 12 + 8].copy_from_slice(&f32::NAN.to_le_bytes());
    assert_eq!(refusal(&stl, Format::Stl), (Place::Byte(100), "y".into(), "NaN".into()));
    let far = ReadOptions { scale: 1e300, ..ReadOptions::default() };
    assert!(
        matches!(read(b"v 0 0 1e300\nv 1 0 0\nl 1 2\n", Format::Obj, &far), Err(Error::Input { name, .. }) if name == "scale")
    );
}

#[test]
fn announced_counts_beyond_the_file_are_refused_with_their_number() {
    let huge = "100000000";
    let msh2 = format!("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{huge}\n1 0 0 0\n");
    assert_eq!(refusal(msh2.as_bytes(), Format::Gmsh), (Place::Line(5), "number of nodes".into(), huge.into()));
    let ply = format!("ply\nformat ascii 1.0\nelement vertex {huge}\nproperty float x\nend_header\n1\n");
    assert_eq!(refusal(ply.as_bytes(), Format::Ply), (Place::Line(3), "number of elements".into(), huge.into()));
    let empty = "ply\nformat ascii 1.0\nelement nothing 18446744073709551615\nend_header\n";
    assert_eq!(refusal(empty.as_bytes(), Format::Ply).1, "number of cells");
    let mut stl = stl_binary(&cloth(SheetCells::Triangles));
    stl[80..84].copy_from_slice(&100_000_000_u32.to_le_bytes());
    stl[0] = b'S';
    assert_eq!(refusal(&stl, Format::Stl), (Place::Byte(80), "number of triangles".into(), huge.into()));
}

#[test]
fn elements_of_higher_order_are_read_by_their_corners_with_a_warning() {
    let mut file = String::from("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n10\n");
    let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    for node in 0..10 {
        let p = corners.get(node).copied().unwrap_or(DVec3::splat(0.25));
        file += &format!("{} {} {} {}\n", node + 1, p.x, p.y, p.z);
    }
    file += "$EndNodes\n$Elements\n1\n1 11 0 1 2 3 4 5 6 7 8 9 10\n$EndElements\n";
    let read_all = plain(file.as_bytes(), Format::Gmsh);
    assert_eq!(read_all.mesh.cells, [Cell::tet4([0, 1, 2, 3])]);
    assert!(
        read_all.warnings.iter().any(|w| w == "1 element of higher order was read by the corners alone"),
        "{:?}",
        read_all.warnings
    );
    let tidy =
        read(file.as_bytes(), Format::Gmsh, &ReadOptions { drop_unused: true, ..ReadOptions::default() }).unwrap();
    assert_eq!(tidy.mesh.nodes, corners);
    let prism = file.replace("1 11 0", "1 6 0");
    assert_eq!(
        refusal(prism.as_bytes(), Format::Gmsh),
        (Place::Line(19), "type of element".into(), "6, a prism".into())
    );
}

#[test]
fn an_element_that_version_2_repeats_for_each_of_its_groups_is_read_once() {
    let text = String::from_utf8(msh2_text(&solid())).unwrap();
    let line = text.lines().find(|line| line.starts_with("45 4 2 9 1 ")).unwrap();
    let twice = text
        .replace(line, &format!("{line}\n{}", line.replace(" 9 1 ", " 8 1 ")))
        .replace("$Elements\n80", "$Elements\n81");
    let (once, again) = (plain(text.as_bytes(), Format::Gmsh), plain(twice.as_bytes(), Format::Gmsh));
    assert_eq!(again.mesh, once.mesh);
    assert_eq!(again.groups[1], once.groups[1]);
    assert_eq!((again.groups[2].name.as_str(), &again.groups[2].cells), ("8", &vec![0]));
    // The same element twice in the same group stays, for the check of the mesh to refuse.
    let same = text.replace(line, &format!("{line}\n{line}")).replace("$Elements\n80", "$Elements\n81");
    assert_eq!(plain(same.as_bytes(), Format::Gmsh).mesh.cells.len(), 37);
}

#[test]
fn scale_unused_nodes_polygons_and_degenerate_faces_are_treated_as_documented() {
    let file = b"v 0 0 0\nv 1000 0 0\nv 1000 1000 0\nv 500 1500 0\nv 0 1000 0\nv 7 7 7\nf -6 -5 -4 -3 -2\nf 1 2 2\n";
    let options = ReadOptions { scale: 1e-3, drop_unused: true, ..ReadOptions::default() };
    let mesh = read(file, Format::Obj, &options).unwrap();
    assert_eq!((mesh.mesh.nodes.len(), mesh.mesh.cells.len()), (5, 3));
    assert_eq!(mesh.mesh.nodes[3], DVec3::new(0.5, 1.5, 0.0));
    assert_eq!(mesh.warnings.len(), 3, "{:?}", mesh.warnings);
    let unscaled = plain(file, Format::Obj);
    assert!(unscaled.warnings.iter().any(|w| w.contains("is `scale` right?")), "{:?}", unscaled.warnings);
    let bad = ReadOptions { scale: 0.0, ..ReadOptions::default() };
    assert!(read(file, Format::Obj, &bad).is_err());
}
