//! Finite elements of Taut: meshes, materials, and the energy, forces and stiffness of each element as functions of the
//! positions of its nodes. Pure mathematics: it knows nodes, never bodies.
//!
//! Sums have a fixed order and only `+ - * /`, square roots and `libm` are used, so equal inputs give equal bits on
//! every platform.

mod error;
mod mesh;
mod svd;

pub use error::{MeshError, MeshFault};
pub use mesh::{Cell, CellKind, Face, Lists, Mesh, MeshReport, Oriented};
pub use svd::{Eigen, Svd};
