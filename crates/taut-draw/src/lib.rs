//! What a world looks like: shapes as triangles, cables and rods as straight pieces, cloth and deformables as surfaces; and its motion as a glTF
//! file. No physics: everything is read from the world.

mod bodies;
mod cloth;
mod drawing;
mod gltf;
mod mesh;
mod moment;
mod rods;
mod softs;

pub use drawing::{Body, Drawing, Joint, Part, Rod, Soft};
pub use gltf::Recorder;
pub use mesh::Mesh;
pub use moment::Moment;
