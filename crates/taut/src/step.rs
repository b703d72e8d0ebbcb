//! The stages of a step that read the state and write it. The list of all stages is `world::step`.

pub(crate) mod check;
pub(crate) mod gather;
pub(crate) mod scatter;
pub(crate) mod tell;
