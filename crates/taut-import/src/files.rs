//! Files beside the model: what it includes, and its meshes.

use crate::mesh;
use crate::model::Mesh;
use crate::report::{Error, Place, Report, Result};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use taut::Vec3;

/// Reads the file of a path, or says why not.
pub type Read<'a> = dyn FnMut(&Path) -> std::result::Result<Vec<u8>, String> + 'a;

/// What reads files, with the meshes that were read.
pub struct Files<'a> {
    read: &'a mut Read<'a>,
    /// Folder of the model.
    folder: PathBuf,
    meshes: BTreeMap<(String, [u64; 3]), Rc<Mesh>>,
}

impl<'a> Files<'a> {
    pub fn new(path: &Path, read: &'a mut Read<'a>) -> Self {
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        Files { read, folder, meshes: BTreeMap::new() }
    }

    /// The bytes of the first of some paths that is there.
    pub fn bytes(&mut self, paths: &[PathBuf], name: &str, place: &Place) -> Result<Vec<u8>> {
        let mut why = String::new();
        for path in paths {
            match (self.read)(path) {
                Ok(bytes) => return Ok(bytes),
                Err(e) if why.is_empty() => why = format!("{}: {e}", path.display()),
                Err(_) => {}
            }
        }
        Err(Error::new(place, format!("file '{name}' cannot be read ({why})")))
    }

    /// The text of the model itself.
    pub fn top(&mut self, path: &Path, place: &Place) -> Result<String> {
        let bytes = (self.read)(path).map_err(|e| Error::new(place, e))?;
        text(bytes, &place.file)
    }

    /// The text of a file from the folder of the model.
    pub fn text(&mut self, name: &str, place: &Place) -> Result<String> {
        let bytes = self.bytes(&[self.folder.join(name)], name, place)?;
        text(bytes, name)
    }

    /// The mesh that a URDF names: a path from its folder, or `package://NAME/PATH`, which is looked for from there upwards.
    pub fn mesh(&mut self, name: &str, scale: Vec3, place: &Place, report: &mut Report) -> Result<Rc<Mesh>> {
        let paths = match name.split_once("://") {
            Some(("file", path)) => vec![PathBuf::from(path)],
            Some(("package" | "model", path)) => {
                let inner = path.split_once('/').map_or("", |(_, inner)| inner);
                // A package may be a folder above, or lie in one.
                let above = self.folder.ancestors();
                above.flat_map(|folder| [folder.join(path), folder.join(inner)]).collect()
            }
            Some((scheme, _)) => {
                let expected = "a path, file://, package:// or model://";
                return Err(Error::input(place, "mesh", format!("'{scheme}://'"), expected));
            }
            None => vec![self.folder.join(name)],
        };
        self.mesh_of(&paths, name, scale, place, report)
    }

    /// The mesh that an MJCF names, in a folder from that of the model.
    pub fn mesh_in(
        &mut self,
        folder: &str,
        name: &str,
        scale: Vec3,
        place: &Place,
        report: &mut Report,
    ) -> Result<Rc<Mesh>> {
        let path = self.folder.join(folder).join(name);
        self.mesh_of(&[path], name, scale, place, report)
    }

    /// The bytes of a file that an MJCF names, in a folder from that of the model.
    pub fn bytes_in(&mut self, folder: &str, name: &str, place: &Place) -> Result<Vec<u8>> {
        self.bytes(&[self.folder.join(folder).join(name)], name, place)
    }

    fn mesh_of(
        &mut self,
        paths: &[PathBuf],
        name: &str,
        scale: Vec3,
        place: &Place,
        report: &mut Report,
    ) -> Result<Rc<Mesh>> {
        if scale.min_element() == 0.0 && scale.max_element() == 0.0 {
            return Err(Error::input(place, "mesh scale", scale, "three numbers other than zero"));
        }
        let key =
            (paths.first().map_or(String::new(), |p| p.display().to_string()), scale.to_array().map(f64::to_bits));
        if let Some(mesh) = self.meshes.get(&key) {
            return Ok(Rc::clone(mesh));
        }
        let bytes = self.bytes(paths, name, place)?;
        // What a mesh names itself lies beside it.
        let folders: Vec<PathBuf> = paths.iter().map(|p| p.parent().unwrap_or(Path::new("")).to_owned()).collect();
        let read = &mut *self.read;
        let mut beside = |other: &str| {
            let all = folders.iter().map(|f| read(&f.join(other)).map_err(|e| format!("file '{other}': {e}")));
            all.reduce(|before, next| before.or(next))
                .unwrap_or_else(|| Err(format!("file '{other}': expected it beside the mesh")))
        };
        let mesh = Rc::new(mesh::read(name, &bytes, scale, place, &mut beside, report)?);
        self.meshes.insert(key, Rc::clone(&mesh));
        Ok(mesh)
    }
}

fn text(bytes: Vec<u8>, name: &str) -> Result<String> {
    String::from_utf8(bytes).map_err(|e| {
        let line = 1 + e.as_bytes()[..e.utf8_error().valid_up_to()].iter().filter(|b| **b == b'\n').count();
        Error::new(&Place { line, ..Place::file(name) }, "bytes that are not UTF-8: expected text")
    })
}
