//! Scratch.
use taut_scenes::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let joints: Vec<&str> = a[1].split(',').collect();
    let extra: Vec<(&str, &str)> = a[2..].iter().map(|s| s.split_once('=').unwrap()).collect();
    let info = find("chain").unwrap();
    for j in joints {
        let hs: &[f64] = if j == "ball" { &[0.001, 0.01, 1.0 / 60.0, 0.04, 0.1] } else { &[1.0 / 60.0, 0.04, 0.1] };
        println!("-- {j}: max gap %; sum gap %; rise %; left; solves; resolved");
        for &h in hs {
            print!("h {h:.4} ");
            for r in ["1", "10", "100", "1e3", "1e4", "1e5", "1e6"] {
                let mut set = vec![("joint", j), ("ratio", r)];
                set.extend(extra.iter().filter(|e| e.0 != "resolved"));
                let (mut s, _) = info.with(&set).unwrap();
                if extra.contains(&("resolved", "0")) {
                    let o = taut::Options { resolved: false, ..*s.world.options() };
                    s.world.set_options(o).unwrap();
                }
                let o = run(&mut s, h, 10.0, |_| true).unwrap();
                let bad = if !o.stable {
                    "X"
                } else if o.max_gap_rel > 0.01 || o.energy_max_rise > if h > 0.05 { 0.02 } else { 0.01 } {
                    "!"
                } else if h < 0.017 && r != "1" && r != "10" && o.sum_gap_rel > 0.01 {
                    "s"
                } else {
                    " "
                };
                print!(
                    "|{bad}{:.2} {:.2} {:.1} {:.2} {:.2} {:.2}",
                    100.0 * o.max_gap_rel,
                    100.0 * o.sum_gap_rel,
                    100.0 * o.energy_max_rise,
                    o.energy_left,
                    o.solves_per_step,
                    o.resolved_share
                );
            }
            println!();
        }
    }
}
