//! Files for ParaView: every array is decoded again.

use glam::{DMat3, DVec3};
use taut_mesh::{Error, Field, Filling, Mesh, bar, sheet, von_mises, write_pvd, write_vtu};

/// The bytes of an array of a file, after the number of them that stands before.
fn array(file: &str, name: &str) -> Vec<u8> {
    let start = file.find(&format!("Name=\"{name}\"")).unwrap_or_else(|| panic!("{name}"));
    let body = &file[start..];
    let letters = &body[body.find('>').unwrap() + 1..body.find("</DataArray>").unwrap()];
    let value = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let letters: Vec<u8> = letters.trim().bytes().collect();
    assert_eq!(letters.len() % 4, 0);
    let mut bytes = Vec::new();
    for group in letters.chunks(4) {
        let bits = group.iter().fold(0_u32, |bits, &c| (bits << 6) | if c == b'=' { 0 } else { u32::from(value(c)) });
        let padding = group.iter().filter(|&&c| c == b'=').count();
        bytes.extend(&bits.to_be_bytes()[1..4 - padding]);
    }
    let length = u64::from_le_bytes(bytes[..8].try_into().unwrap());
    assert_eq!(length as usize, bytes.len() - 8);
    bytes.split_off(8)
}

fn reals(file: &str, name: &str) -> Vec<f64> {
    array(file, name).chunks(8).map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect()
}

fn wholes(file: &str, name: &str) -> Vec<i64> {
    array(file, name).chunks(8).map(|b| i64::from_le_bytes(b.try_into().unwrap())).collect()
}

#[test]
fn a_written_grid_decodes_to_the_mesh_and_its_fields() {
    let mut mesh = bar(DVec3::new(1.0, 1.0 / 3.0, 0.1), [2, 1, 1], Filling::Hexahedra).unwrap().mesh;
    mesh.cells.extend(sheet([1.0, 1.0], [1, 1], taut_mesh::SheetCells::Triangles).unwrap().cells);
    let moved: Vec<DVec3> = mesh.nodes.iter().map(|x| 0.1 * *x).collect();
    let stress: Vec<DMat3> =
        (0..4).map(|i| DMat3::from_cols_array(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, f64::from(i)])).collect();
    let equivalent: Vec<f64> = stress.iter().map(|&s| von_mises(s)).collect();
    let nodal = [Field::vectors("displacement", &moved), Field::vectors("velocity <m/s>", &moved)];
    let cellular = [
        Field::tensors("stress", &stress),
        Field::scalars("von Mises", &equivalent),
        Field::scalars("plastic strain", &[0.5; 4]),
    ];
    let file = write_vtu(&mesh, &nodal, &cellular).unwrap();
    let flat = |v: &[DVec3]| v.iter().flat_map(|p| p.to_array()).collect::<Vec<f64>>();
    assert_eq!(reals(&file, "Points"), flat(&mesh.nodes));
    assert_eq!(reals(&file, "displacement"), flat(&moved));
    assert_eq!(reals(&file, "velocity &lt;m/s&gt;"), flat(&moved));
    // Columns in memory are rows in the file.
    assert_eq!(reals(&file, "stress")[..9], [0.0, 3.0, 6.0, 1.0, 4.0, 7.0, 2.0, 5.0, 0.0]);
    assert_eq!(reals(&file, "von Mises"), equivalent);
    assert_eq!(wholes(&file, "offsets"), [8, 16, 19, 22]);
    let nodes: Vec<i64> = mesh.cells.iter().flat_map(|c| c.nodes()).map(|&n| i64::from(n)).collect();
    assert_eq!(wholes(&file, "connectivity"), nodes);
    assert_eq!(array(&file, "types"), [12, 12, 5, 5]);
}

#[test]
fn fields_of_the_wrong_length_are_refused_by_name() {
    let mesh = Mesh { nodes: vec![DVec3::ZERO; 2], cells: Vec::new() };
    let field = Field::vectors("velocity", &[DVec3::ZERO; 3]);
    assert!(
        matches!(write_vtu(&mesh, &[field], &[]), Err(Error::Input { name, value, .. }) if name == "velocity" && value == "3")
    );
}

#[test]
fn a_series_lists_its_files_in_time() {
    let series = write_pvd(&[(0.0, "a_0.vtu"), (0.5, "a_1.vtu")]);
    assert_eq!(series.matches("<DataSet").count(), 2);
    assert!(series.starts_with("<?xml") && series.trim_end().ends_with("</VTKFile>"));
}

#[test]
fn the_equivalent_stress_of_pressure_is_zero_and_of_shear_root_three() {
    assert_eq!(von_mises(5.0 * DMat3::IDENTITY), 0.0);
    let shear = DMat3::from_cols(DVec3::Y, DVec3::X, DVec3::ZERO);
    assert!((von_mises(shear) - 3.0_f64.sqrt()).abs() < 1e-15);
}
