//! Scratch.
use taut_scenes::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let info = find(&a[1]).unwrap();
    let dt: f64 = a[2].parse().unwrap();
    let time: f64 = a[3].parse().unwrap();
    let sets: Vec<(&str, &str)> =
        a[4..].iter().map(|s| s.split_once('=').unwrap()).filter(|s| s.0 != "resolved").collect();
    let (mut s, _) = info.with(&sets).unwrap();
    if a[4..].iter().any(|s| s == "resolved=0") {
        let o = taut::Options { resolved: false, ..*s.world.options() };
        s.world.set_options(o).unwrap();
    }
    let o = run(&mut s, dt, time, |_| true).unwrap();
    println!("{o:#?}");
}
