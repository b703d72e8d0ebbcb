use std::time::Instant;
use taut::*;
fn main() {
    let rows: usize = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(10);
    let steps: usize = std::env::args().nth(2).and_then(|a| a.parse().ok()).unwrap_or(60);
    let mut w = World::new();
    let g = w.ground();
    w.add_collider(g, Collider::new(Shape::ground()).of(Material::new(0.5, 0.0))).unwrap();
    let half = Vec3::splat(0.1);
    for r in 0..rows {
        for c in 0..rows - r {
            let x = 0.2 * 1.05 * (c as f64 + 0.5 * r as f64);
            let b = w
                .add_body(BodyDef::dynamic(MassProperties::cuboid(1000.0, half).unwrap()).at(Vec3::new(
                    x,
                    0.1 + 0.2 * r as f64,
                    0.0,
                )))
                .unwrap();
            w.add_collider(b, Collider::new(Shape::Cuboid { half })).unwrap();
        }
    }
    w.set_options(Options { sleep: false, ..Default::default() }).unwrap();
    for s in 0..steps {
        let t = Instant::now();
        let r = w.step(1.0 / 60.0).unwrap();
        let ms = t.elapsed().as_secs_f64() * 1e3;
        if s < 5 || s % 10 == 0 {
            println!(
                "{s} {ms:.2} ms rows {} solves {} its {} sweeps {} res {:.1e} un {} cvx {} pen {:.1e} vmax {:.1e}",
                r.bounded.rows,
                r.bounded.solves,
                r.bounded.iterations,
                r.bounded.sweeps,
                r.bounded.residual,
                r.bounded.unconverged,
                r.bounded.convex,
                r.bounded.penetration,
                w.bodies().map(|b| w.body(b).unwrap().velocity.length()).fold(0.0, f64::max)
            );
        }
    }
    let (_, p) = {
        fn clock() -> f64 {
            use std::sync::OnceLock;
            static T: OnceLock<Instant> = OnceLock::new();
            T.get_or_init(Instant::now).elapsed().as_secs_f64()
        }
        w.profiled_step(1.0 / 60.0, clock).unwrap()
    };
    for (n, t) in p {
        if t > 1e-5 {
            println!("   {n}: {:.3} ms", t * 1e3);
        }
    }
}
