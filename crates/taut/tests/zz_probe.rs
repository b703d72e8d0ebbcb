mod common;
use common::Rng;
use common::touch::*;
use taut::*;
#[test]
fn probe() {
    let seed: u64 = std::env::var("SEED").map_or(0, |s| s.parse().unwrap());
    let count: usize = std::env::var("COUNT").map_or(1, |s| s.parse().unwrap());
    let mu: f64 = std::env::var("MU").map_or(0.0, |s| s.parse().unwrap());
    let e: f64 = std::env::var("E").map_or(0.0, |s| s.parse().unwrap());
    let mut r = Rng(seed);
    let mut w = World::new();
    let material = Material::new(mu, e);
    plane(&mut w, Vec3::Y, material);
    let mut bodies = vec![];
    for k in 0..count {
        let pos = Vec3::new(r.range(-0.3, 0.3), 0.8 + 0.9 * k as f64, r.range(-0.3, 0.3));
        let shape = random_shape(&mut r);
        println!("{shape:?}");
        let (b, _) = solid(&mut w, shape, material, Pose { pos, rot: r.quat() });
        w.set_velocity(b, r.vec(2.0), r.vec(5.0)).unwrap();
        bodies.push(b);
    }
    let start = w.energy().unwrap().total();
    let mut last = start;
    for k in 0..180 {
        let rep = w.step(STEP).unwrap();
        let l = rep.ledger;
        let now = rep.energy.total();
        if rep.bounded.contacts > 0 {
            println!(
                "{k} dE {:.3e} kin {:.3e} contacts {:.3e} integ {:.3e} depth {:.2e} n {} w {:.2}",
                (now - last) / start,
                rep.energy.kinetic,
                l.contacts / start,
                l.integration / start,
                rep.bounded.penetration,
                rep.bounded.contacts,
                w.body(bodies[0]).unwrap().angular_velocity.length()
            );
            if (now - last) / start > 1e-6 {
                for c in w.contacts() {
                    println!("      {:?} d {:.3e} n {:?} f {:?}", c.point, c.distance, c.normal, c.force);
                }
            }
        }
        last = now;
    }
}
