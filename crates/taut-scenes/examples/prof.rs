//! Scratch.
use taut_scenes::*;
fn main() {
    let (mut s, _) = find("chain").unwrap().with(&[("links", "1000"), ("start", "angle")]).unwrap();
    for _ in 0..40 {
        s.world.step(0.01).unwrap();
    }
}
