use taut::*;
/// Snatch: rope of n particles, each link one-way, load dropped through slack.
#[test]
fn snatch() {
    for ratio in [1e2, 1e4, 1e6] {
        for kind in ["rope", "dist", "hook"] {
            let mut world = World::new();
            let n = 20;
            let l = 0.1;
            let mut prev = world.ground();
            let mut prev_pos = Vec3::ZERO;
            let mut ids = vec![];
            for k in 0..n {
                let zig = if k % 2 == 0 { 0.3 } else { -0.3 };
                let dir = Vec3::new(zig, -f64::sqrt(1.0 - 0.09), 0.01 * k as f64).normalize();
                let pos = prev_pos + dir * l;
                let m = if k == n - 1 { 0.01 * ratio } else { 0.01 };
                let b = world.add_body(BodyDef::particle(m).at(pos)).unwrap();
                let f = world.frames_between(b, prev, pos, prev_pos).unwrap();
                if kind == "rope" || (kind == "hook" && k == n - 1) {
                    world.add_joint(b, prev, &Rope::new(l), f).unwrap();
                } else {
                    world.add_joint(b, prev, &Distance::new(l), f).unwrap();
                }
                ids.push(b);
                prev = b;
                prev_pos = pos;
            }
            let e0 = world.energy().unwrap().total();
            let scale = 0.01 * ratio * 9.81 * 2.0;
            let (mut strain, mut rise, mut unconv, mut its, mut maxrows, mut solves): (
                f64,
                f64,
                usize,
                usize,
                usize,
                usize,
            ) = (0.0, 0.0, 0, 0, 0, 0);
            let mut tot: f64 = 0.0;
            let mut failed = None;
            for s in 0..300 {
                match world.step(1.0 / 60.0) {
                    Ok(r) => {
                        rise = rise.max((r.energy.total() - e0) / scale);
                        unconv += r.bounded.unconverged;
                        its += r.bounded.iterations;
                        maxrows = maxrows.max(r.bounded.rows);
                        solves += r.solves;
                    }
                    Err(e) => {
                        failed = Some((s, e));
                        break;
                    }
                }
                let mut p = Vec3::ZERO;
                let mut sum = 0.0;
                for &b in &ids {
                    let q = world.body(b).unwrap().pose.pos;
                    strain = strain.max((q - p).length() / l - 1.0);
                    sum += ((q - p).length() - l).max(0.0);
                    p = q;
                }
                tot = tot.max(sum / (l * n as f64));
            }
            println!(
                "R {ratio:.0e} {kind}: strain {strain:.3e} sum/L {tot:.2e} rise {rise:.2e} unconv {unconv} its {its} rows {maxrows} solves/step {:.2} {:?}",
                solves as f64 / 300.0,
                failed
            );
        }
    }
}
