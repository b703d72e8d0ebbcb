//! Scratch: energy kept by light chains; several kicks.
use taut_scenes::*;
fn main() {
    let info = find("chain").unwrap();
    for h in [0.001, 0.01, 1.0 / 60.0] {
        print!("h {h:.4} ");
        for (n, r) in [
            ("1", "1"),
            ("2", "1"),
            ("4", "1"),
            ("10", "1"),
            ("2", "10"),
            ("4", "10"),
            ("10", "10"),
            ("2", "100"),
            ("10", "100"),
        ] {
            let (mut left, mut rise, mut gap) = (vec![], -9.0f64, 0.0f64);
            for kick in ["0.001", "0.002", "0.003", "0.004"] {
                let (mut s, _) = info.with(&[("links", n), ("ratio", r), ("kick", kick)]).unwrap();
                let o = run(&mut s, h, if h < 0.002 { 10.0 } else { 20.0 }, |_| true).unwrap();
                left.push(o.energy_left);
                rise = rise.max(o.energy_max_rise);
                gap = gap.max(o.max_gap_rel);
            }
            left.sort_by(f64::total_cmp);
            print!("| {n}/{r} {:.2} {:.1}% g{:.2}", 0.5 * (left[1] + left[2]), 100.0 * rise, 100.0 * gap);
        }
        println!();
    }
    for sc in ["fourbar", "bricard"] {
        for r in ["1", "10", "1000"] {
            for h in ["0.002", "0.01", "0.0166667"] {
                let (mut s, _) = find(sc).unwrap().with(&[("ratio", r)]).unwrap();
                let o = run(&mut s, h.parse().unwrap(), 20.0, |_| true).unwrap();
                print!("{sc} {r} {h}: {:.3} {:.1}% | ", o.energy_left, 100.0 * o.energy_max_rise);
            }
        }
        println!();
    }
}
