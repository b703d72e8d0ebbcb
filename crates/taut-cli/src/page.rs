//! The page with the engine in it: its files, the address of what it shows, and a small server for it.

mod address;
mod host;
mod server;

pub use address::{Shown, escape};
pub use server::{Received, Refused, Server};

include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// Refuses when the binary was built without the page.
pub fn required() -> Result<(), String> {
    if FILES.iter().any(|(name, _)| *name == "index.html") {
        return Ok(());
    }
    Err("this binary was built without the page: run ./build-page.sh in the repository, which makes target/release/taut with it; `cargo install --path crates/taut-cli` installs that".into())
}
