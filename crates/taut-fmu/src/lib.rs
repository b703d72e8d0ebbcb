//! Taut scenes as FMUs for co-simulation, FMI 2.0 and 3.0: what an FMU holds ([`Recipe`]), its variables ([`Model`]), its description
//! ([`describe`]) and its archive ([`pack`]). The functions that an importer calls are in the crate `taut-c`, whose library goes into
//! the archive.

mod archive;
mod describe;
mod journal;
mod library;
mod model;
mod recipe;
mod variables;

pub use archive::pack;
pub use describe::{Version, describe};
pub use library::{library_name, read_library};
pub use model::{Kept, Model, Stepped};
pub use recipe::{RECIPE, Recipe, SCENE};
pub use variables::{Kind, Role, Variable};
