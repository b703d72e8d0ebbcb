//! Scratch.
use taut_scenes::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let (s0, s1): (usize, usize) = (a[1].parse().unwrap(), a[2].parse().unwrap());
    let info = find("tree").unwrap();
    let mut tot = 0;
    let mut ok = 0;
    for j in ["ball", "mixed", "hinge"] {
        for load in ["1e3", "1e6"] {
            print!("{j:6} {load} ");
            for h in [0.01, 1.0 / 60.0, 0.05, 0.1] {
                let mut good = 0;
                let mut gaps = vec![];
                let mut left = vec![];
                let mut rise: f64 = -1.0;
                let mut bad = String::new();
                for s in s0..s1 {
                    let (mut sc, _) = info.with(&[("seed", &s.to_string()), ("joint", j), ("load", load)]).unwrap();
                    let o = run(&mut sc, h, 6.0, |_| true).unwrap();
                    let strict = o.stable && o.max_gap < 0.2;
                    good += strict as usize;
                    gaps.push(o.max_gap);
                    left.push(o.energy_left);
                    rise = rise.max(o.energy_max_rise);
                    if !strict {
                        bad += &format!("[{s}: {:.2} m {:.2}]", o.max_gap, o.energy_max_rise);
                    }
                }
                gaps.sort_by(f64::total_cmp);
                left.sort_by(f64::total_cmp);
                tot += s1 - s0;
                ok += good;
                print!(
                    "| {h:.3}: {good} gap med {:.3} max {:.3} left {:.2} rise {:.3} {bad}",
                    gaps[gaps.len() / 2],
                    gaps[gaps.len() - 1],
                    left[left.len() / 2],
                    rise
                );
            }
            println!();
        }
    }
    println!("{ok} of {tot}");
}
