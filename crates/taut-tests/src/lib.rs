//! Tests of the engine through its public API, in `tests/`. They are a crate of their own so that the engine alone is optimised when
//! they are built: what only sets up worlds and compares numbers costs a third of a build of all tests when it is.
