//! Scene files: what is read, refused, saved and read again.

mod conforms;
mod endless;
mod field;
mod fuzz_inputs;
mod rope_ends;
mod running_ropes;
mod save;
mod scene_file;
mod script;
mod soft;
mod twist;
