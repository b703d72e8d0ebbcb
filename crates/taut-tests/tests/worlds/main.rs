//! Worlds as a whole: definitions, edits, options, snapshots, threads, units, and the rules of the source.

#[path = "../common/mod.rs"]
mod common;

mod definition;
mod edits;
mod handles;
mod inputs;
mod notation;
mod off;
mod options;
mod parallel;
mod snapshot;
mod snapshot_bytes;
mod structure;
mod together;
mod tuning;
mod units;
mod world;
