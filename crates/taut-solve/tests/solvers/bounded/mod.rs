//! A bench for bounded rows: small dense mechanics, the scenes, random problems, the table.

pub mod laws;
pub mod mechanics;
pub mod random;
pub mod scenes;
pub mod table;
