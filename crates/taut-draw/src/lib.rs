//! What a world looks like: shapes as triangles, cables, rods and ropes as straight pieces, sheaves and drums, cloth and deformables as surfaces; and its motion as a glTF
//! file. No physics: everything is read from the world.

mod bodies;
mod cloth;
mod drawing;
mod fittings;
mod gltf;
mod hang;
mod mesh;
mod moment;
mod rigging;
mod rods;
mod ropes;
mod softs;

pub use drawing::{Body, Drawing, Joint, Part, Rod, Rope, Sheave, Soft};
pub use gltf::Recorder;
pub use mesh::Mesh;
pub use moment::Moment;
