//! The archive: a zip file, as the application note of PKWARE has it, with deflated entries.

use crate::describe::{Version, describe, identifier};
use crate::model::Model;
use crate::recipe::{RECIPE, Recipe, SCENE};
use flate2::Compression;
use flate2::Crc;
use flate2::write::DeflateEncoder;
use std::io::Write;

/// What an entry says of its version and method, in its head and in the list: version 2.0, names in UTF-8, deflated.
const KIND: [u16; 3] = [20, 1 << 11, 8];
/// 1 January 1980, 0:00: archives of the same scene have the same bytes.
const DATE: [u16; 2] = [0, 0x21];

#[derive(Default)]
struct Zip {
    bytes: Vec<u8>,
    list: Vec<u8>,
    count: u16,
}

impl Zip {
    fn add(&mut self, name: &str, content: &[u8]) -> Result<(), String> {
        let mut crc = Crc::new();
        crc.update(content);
        let mut packed = DeflateEncoder::new(Vec::new(), Compression::default());
        let packed = packed.write_all(content).and_then(|()| packed.finish()).map_err(|e| format!("{name}: {e}"))?;
        let small = |n: usize| u32::try_from(n).map_err(|_| format!("{name}: expected less than 4 GB in the archive"));
        let sizes = [crc.sum(), small(packed.len())?, small(content.len())?];
        let at = small(self.bytes.len())?;
        let length = u16::try_from(name.len()).map_err(|_| format!("{name}: expected a shorter name"))?;
        let halves = |out: &mut Vec<u8>, list: &[u16]| out.extend(list.iter().flat_map(|x| x.to_le_bytes()));
        let words = |out: &mut Vec<u8>, list: &[u32]| out.extend(list.iter().flat_map(|x| x.to_le_bytes()));
        words(&mut self.bytes, &[0x0403_4b50]);
        halves(&mut self.bytes, &KIND);
        halves(&mut self.bytes, &DATE);
        words(&mut self.bytes, &sizes);
        halves(&mut self.bytes, &[length, 0]);
        self.bytes.extend_from_slice(name.as_bytes());
        self.bytes.extend_from_slice(&packed);
        words(&mut self.list, &[0x0201_4b50]);
        halves(&mut self.list, &[20]);
        halves(&mut self.list, &KIND);
        halves(&mut self.list, &DATE);
        words(&mut self.list, &sizes);
        halves(&mut self.list, &[length, 0, 0, 0, 0]);
        words(&mut self.list, &[0, at]);
        self.list.extend_from_slice(name.as_bytes());
        self.count += 1;
        Ok(())
    }

    fn done(mut self) -> Result<Vec<u8>, String> {
        let small = |n: usize| u32::try_from(n).map_err(|_| "expected an archive of less than 4 GB".to_owned());
        let (at, size) = (small(self.bytes.len())?, small(self.list.len())?);
        self.bytes.append(&mut self.list);
        self.bytes.extend_from_slice(&0x0605_4b50_u32.to_le_bytes());
        self.bytes.extend([0, 0, self.count, self.count].iter().flat_map(|x: &u16| x.to_le_bytes()));
        self.bytes.extend([size, at].iter().flat_map(|x| x.to_le_bytes()));
        self.bytes.extend_from_slice(&[0, 0]);
        Ok(self.bytes)
    }
}

/// The folder of the library of this machine in an archive.
fn platform(version: Version) -> String {
    let (arch, system) = (std::env::consts::ARCH, std::env::consts::OS);
    let system = if system == "macos" { "darwin" } else { system };
    match (version, arch, system) {
        (Version::Two, "x86_64", "linux") => "linux64".into(),
        (Version::Two, "x86_64", "windows") => "win64".into(),
        (Version::Two, "x86_64" | "aarch64", "darwin") => "darwin64".into(),
        _ => format!("{arch}-{system}"),
    }
}

/// The FMU of a recipe: its bytes. `file` is the text of the scene file, if it has one, `library` the shared library of the crate `taut-c`.
///
/// # Errors
///
/// In words, what is wrong with the recipe or the file, or too large.
pub fn pack(recipe: &Recipe, file: Option<&str>, library: &[u8], version: Version) -> Result<Vec<u8>, String> {
    let model = Model::new(recipe, file)?;
    let mut zip = Zip::default();
    zip.add("modelDescription.xml", describe(&model, recipe, version).as_bytes())?;
    zip.add(&format!("resources/{RECIPE}"), recipe.write()?.as_bytes())?;
    if let Some(text) = file {
        zip.add(&format!("resources/{SCENE}"), text.as_bytes())?;
    }
    let ending = std::env::consts::DLL_EXTENSION;
    zip.add(&format!("binaries/{}/{}.{ending}", platform(version), identifier(&recipe.name)), library)?;
    zip.done()
}
