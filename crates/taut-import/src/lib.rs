//! Robots and models of other programs as scene files: URDF (of ROS) and MJCF (of MuJoCo), with their meshes.
//!
//! A file becomes a [`SceneFile`], which `taut_scenes::file::build` makes a world of, so that a model that is run from its own file and
//! one that was written as a scene file give the same bits. What the scene does not take over from the file is told by a [`Report`].
//!
//! ```
//! use taut_import::{Options, import};
//! let pendulum = r#"
//! <mujoco>
//!   <worldbody>
//!     <body name="bob">
//!       <joint name="pivot" axis="0 1 0" pos="0 0 1"/>
//!       <geom type="sphere" size="0.1" mass="2"/>
//!     </body>
//!   </worldbody>
//! </mujoco>"#;
//! let mut read = |_: &std::path::Path| Ok(pendulum.as_bytes().to_vec());
//! let imported = import("pendulum.xml".as_ref(), &mut read, &Options::default())?;
//! assert!(imported.report.warnings.is_empty());
//! let scene = taut_scenes::file::build(&imported.file)?;
//! assert_eq!(scene.world.joints().count(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod assemble;
mod cords;
mod files;
pub mod fuzz;
mod hull;
mod mesh;
mod mjcf;
mod model;
mod report;
mod solid;
mod ties;
mod urdf;
mod xml;

pub use report::{Error, Note, Place, Report, Result};

use std::path::Path;
use taut_scenes::file::SceneFile;

/// What is made of a file where it leaves a choice.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The root of a URDF moves freely. Default: it is fixed to the ground, unless no joint of the file moves.
    pub free_base: bool,
    /// Links of a URDF touch each other, but for neighbours. Default: they pass through each other.
    pub self_contacts: bool,
    /// Nothing touches anything. Default: what the file says.
    pub no_contacts: bool,
    /// Moments of inertia that no body has are replaced by their mean. Default: they are refused, unless an MJCF says so itself.
    pub balance_inertia: bool,
    /// Name of a keyframe of an MJCF, or its number, that the scene starts from. Default: the reference pose.
    pub keyframe: Option<String>,
}

/// A file that was read.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The scene.
    pub file: SceneFile,
    /// What it does not take over.
    pub report: Report,
}

/// Whether a path ends like a file that [`import`] reads.
pub fn is_model(path: &Path) -> bool {
    path.extension().is_some_and(|e| ["xml", "urdf", "mjcf"].iter().any(|known| e.eq_ignore_ascii_case(known)))
}

/// Reads a URDF or MJCF, whichever its root element says. `read` gives the bytes of a path: first of this one, then of those that the file
/// names.
pub fn import(
    path: &Path,
    read: &mut dyn FnMut(&Path) -> std::result::Result<Vec<u8>, String>,
    options: &Options,
) -> Result<Imported> {
    let shown = path.display().to_string();
    let mut files = files::Files::new(path, read);
    let mut report = Report::default();
    let mut doc = xml::Document::default();
    let text = files.top(path, &Place::file(&shown))?;
    let root = doc.add(&shown, &text)?;
    let mut model = match doc.at(root).name.as_str() {
        "robot" => urdf::read(&doc, root, &mut files, options, &mut report)?,
        "mujoco" => mjcf::read(&mut doc, root, &mut files, options, &mut report)?,
        other => {
            let place = &doc.at(root).place;
            return Err(Error::input(
                place,
                "root element",
                format!("<{other}>"),
                "<robot> of a URDF or <mujoco> of an MJCF",
            ));
        }
    };
    model.contacts &= !options.no_contacts;
    let file = assemble::assemble(&mut model, &mut report)?;
    Ok(Imported { file, report })
}
