//! Finite elements of Taut: meshes, materials, and the energy, forces and stiffness of each element
//! as functions of the positions of its nodes. Pure mathematics: it knows nodes, never bodies.
//!
//! Sums have a fixed order and only `+ - * /`, square roots and `libm` are used, so equal inputs
//! give equal bits on every platform.

mod build;
mod cut;
mod element;
mod elements;
mod error;
mod group;
mod kernel;
mod law;
mod material;
mod mesh;
mod output;
mod plastic;
mod svd;
mod tear;

pub use cut::Separated;
pub use element::Gradients;
pub use element::frame::{FrameCell, FramePoint};
pub use element::over::Frames;
pub use elements::{Elements, Input, MAX_NODES, Options, Volume};
pub use error::{Error, InputError, MeshError, MeshFault};
pub use kernel::Dilatation;
pub use law::{Cord, Fibre, Hooke, Law, Orthotropic};
pub use material::Material;
pub use mesh::{Cell, CellKind, Face, Lists, Mesh, MeshReport, Oriented, Seam};
pub use output::Output;
pub use plastic::Plasticity;
pub use svd::{Eigen, Svd};
pub use tear::Tear;
