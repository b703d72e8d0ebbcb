//! What a world looks like: shapes as triangles, cables and rods as straight pieces, cloth as a surface; and its motion as a glTF
//! file. No physics: everything is read from the world.

mod bodies;
mod cloth;
mod drawing;
mod gltf;
mod mesh;
mod moment;
mod rods;

pub use drawing::{Body, Drawing, Joint, Part, Rod};
pub use gltf::Recorder;
pub use mesh::Mesh;
pub use moment::Moment;
