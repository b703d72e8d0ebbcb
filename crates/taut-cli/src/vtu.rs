//! `--vtu`: the deformables of a run as a series of VTK files, with displacements and stresses.

use std::path::{Path, PathBuf};
use taut::soft::Mesh;
use taut::{DeformableRef, Mat3, Vec3, World};
use taut_mesh::Field;

/// Files per second of simulated time, at most.
const FPS: f64 = 60.0;

/// A series in the making, or none.
pub struct Series(Option<Open>);

struct Open {
    folder: PathBuf,
    /// Time, s, and name of each file, by deformable.
    files: Vec<Vec<(f64, String)>>,
    names: Vec<String>,
    due: f64,
    failure: Option<String>,
}

impl Series {
    /// Into a folder, which is made where it is not there.
    pub fn new(folder: Option<&Path>, world: &World) -> Result<Self, String> {
        let Some(folder) = folder else { return Ok(Series(None)) };
        let names: Vec<String> = world.deformables().enumerate().map(|(k, d)| file_name(k, d.name())).collect();
        if names.is_empty() {
            return Err("--vtu: expected a scene with deformables".into());
        }
        std::fs::create_dir_all(folder).map_err(|e| format!("--vtu = {}: {e}", folder.display()))?;
        let files = vec![Vec::new(); names.len()];
        let mut open = Open { folder: folder.to_owned(), files, names, due: 0.0, failure: None };
        open.keep(world).map_err(|e| format!("--vtu: {e}"))?;
        Ok(Series(Some(open)))
    }

    /// Looks at the world after a step.
    pub fn see(&mut self, world: &World) {
        if let Some(open) = self.0.as_mut().filter(|o| o.failure.is_none())
            && world.time() >= open.due * (1.0 - 1e-6)
        {
            open.failure = open.keep(world).err();
        }
    }

    /// Writes the lists of the files.
    pub fn finish(self) -> Result<(), String> {
        let Some(open) = self.0 else { return Ok(()) };
        if let Some(why) = open.failure {
            return Err(format!("--vtu: {why}"));
        }
        for (name, files) in open.names.iter().zip(&open.files) {
            let list: Vec<(f64, &str)> = files.iter().map(|(t, f)| (*t, f.as_str())).collect();
            let path = open.folder.join(format!("{name}.pvd"));
            std::fs::write(&path, taut_mesh::write_pvd(&list))
                .map_err(|e| format!("--vtu: {}: {e}", path.display()))?;
        }
        Ok(())
    }
}

impl Open {
    fn keep(&mut self, world: &World) -> Result<(), String> {
        self.due = world.time() + 1.0 / FPS;
        for (d, (name, files)) in world.deformables().zip(self.names.iter().zip(&mut self.files)) {
            let file = format!("{name}.{:05}.vtu", files.len());
            let text = text(&d).map_err(|e| e.to_string())?;
            std::fs::write(self.folder.join(&file), text).map_err(|e| format!("{file}: {e}"))?;
            files.push((world.time(), file));
        }
        Ok(())
    }
}

/// One deformable now.
fn text(d: &DeformableRef<'_>) -> Result<String, taut_mesh::Error> {
    let elements = d.elements();
    let empty = Mesh::default();
    let mesh = elements.mesh().unwrap_or(&empty);
    let now: Vec<Vec3> = d.positions().collect();
    let moved: Vec<Vec3> = now.iter().zip(&mesh.nodes).map(|(x, rest)| *x - *rest).collect();
    // Means over the points of each element, which may stand for several cells.
    let count = mesh.cells.len();
    let (mut stress, mut mises, mut volume, mut plastic) =
        (vec![Mat3::ZERO; count], vec![0.0; count], vec![1.0; count], vec![0.0; count]);
    for e in (0..elements.len()).filter(|&e| elements.points(e) > 0) {
        let share = 1.0 / elements.points(e) as f64;
        let (mut s, mut m, mut j, mut p) = (Mat3::ZERO, 0.0, 0.0, 0.0);
        for o in (0..elements.points(e)).filter_map(|q| d.output(e, q).ok()) {
            s += share * o.cauchy;
            m += share * o.von_mises;
            j += share * o.j;
            p += share * o.plastic_strain;
        }
        for &c in elements.cells(e) {
            let c = c as usize;
            (stress[c], mises[c], volume[c], plastic[c]) = (s, m, j, p);
        }
    }
    let mesh = Mesh { nodes: now, cells: mesh.cells.clone() };
    let nodes = [Field::vectors("displacement", &moved), Field::scalars("von Mises stress", &d.stress())];
    let cells = [
        Field::tensors("Cauchy stress", &stress),
        Field::scalars("von Mises stress of the cell", &mises),
        Field::scalars("volume over that at rest", &volume),
        Field::scalars("plastic strain", &plastic),
    ];
    taut_mesh::write_vtu(&mesh, if moved.is_empty() { &[] } else { &nodes }, if count == 0 { &[] } else { &cells })
}

/// A name of letters, digits and dashes that no other deformable has.
fn file_name(k: usize, name: &str) -> String {
    let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    if plain.is_empty() { format!("deformable-{k}") } else { format!("{plain}-{k}") }
}
