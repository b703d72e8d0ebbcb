//! Reads a mesh, tells what is in it, and writes it for ParaView or Gmsh: `convert in.stl out.vtu`.

use std::error::Error;
use taut_mesh::{Field, ReadOptions, Surface, read_named, write_msh, write_obj, write_vtu};

fn main() -> Result<(), Box<dyn Error>> {
    let names: Vec<String> = std::env::args().skip(1).collect();
    let [from, rest @ ..] = names.as_slice() else {
        return Err("usage: convert in.(msh|obj|stl|ply) [out.(vtu|msh|obj)]".into());
    };
    let options = ReadOptions { drop_unused: true, ..ReadOptions::default() };
    let read = read_named(from, &std::fs::read(from)?, &options)?;
    let mesh = &read.mesh;
    let sizes: Vec<f64> = (0..mesh.cells.len()).map(|cell| mesh.volume(cell)).collect();
    println!(
        "{} nodes, {} cells, {} part(s), {:.12} in all",
        mesh.nodes.len(),
        mesh.cells.len(),
        mesh.parts(),
        sizes.iter().sum::<f64>()
    );
    for group in &read.groups {
        println!(
            "group \"{}\" of dimension {}: {} cells, {} nodes",
            group.name,
            group.dimension,
            group.cells.len(),
            group.nodes.len()
        );
    }
    read.warnings.iter().for_each(|warning| println!("warning: {warning}"));
    match mesh.check() {
        Ok(report) => println!("usable; {} turned, {} slivers", report.turned, report.slivers),
        Err(error) => println!("not usable: {error}"),
    }
    for to in rest {
        let text = match to.rsplit_once('.') {
            Some((_, "vtu")) => write_vtu(mesh, &[], &[Field::scalars("size", &sizes)])?,
            Some((_, "msh")) => write_msh(mesh, &read.groups)?,
            Some((_, "obj")) => write_obj(&Surface::of(mesh).0),
            _ => return Err(format!("{to}: expected a name that ends in .vtu, .msh or .obj").into()),
        };
        std::fs::write(to, text)?;
    }
    Ok(())
}
