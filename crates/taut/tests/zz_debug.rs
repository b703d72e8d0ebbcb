use taut::*;
fn ground(w: &mut World, mu: f64, e: f64) {
    let g = w.ground();
    w.add_collider(g, Collider::new(Shape::HalfSpace { normal: Vec3::Y }).of(Material::new(mu, e))).unwrap();
}
#[test]
fn stack() {
    let mut w = World::new();
    ground(&mut w, 0.5, 0.0);
    let mut ids = vec![];
    for k in 0..10 {
        let rho = if k == 9 { 1e6 } else { 1e3 };
        let half = Vec3::splat(0.1);
        let b = w.add_body(BodyDef::dynamic(MassProperties::cuboid(rho, half).unwrap()).at(Vec3::new(0.001 * (k as f64), 0.1 + 0.2 * k as f64, 0.0))).unwrap();
        w.add_collider(b, Collider::new(Shape::Cuboid { half })).unwrap();
        ids.push(b);
    }
    let mut pen: f64 = 0.0;
    for s in 0..120 {
        let r = w.step(1.0 / 60.0).unwrap();
        pen = pen.max(r.bounded.penetration);
        if s % 10 == 0 || s < 5 { println!("S {} pen {:.2e} {:?} E {:.9} led {:.1e} asleep {} top {:?}", s, pen, r.bounded, r.energy.total(), r.ledger.imbalance, w.sleeping(), w.body(ids[9]).unwrap().pose.pos); }
    }
}
#[test]
fn bounce() {
    for e in [0.0, 0.3, 0.7, 1.0] {
        let mut w = World::new();
        ground(&mut w, 0.5, e);
        let b = w.add_body(BodyDef::dynamic(MassProperties::sphere(1000.0, 0.1).unwrap()).at(Vec3::new(0.0, 1.1, 0.0))).unwrap();
        w.add_collider(b, Collider::new(Shape::Ball { radius: 0.1 }).of(Material::new(0.5, e))).unwrap();
        let mut top: f64 = 0.0; let mut hit = false; let mut ev = 0;
        for _ in 0..200 {
            let r = w.step(1.0 / 60.0).unwrap();
            let v = w.body(b).unwrap();
            if v.velocity.y > 0.0 { hit = true; }
            if hit { top = top.max(v.pose.pos.y - 0.1); }
            ev += r.events.len();
            assert!(r.ledger.imbalance.abs() < 1e-9);
        }
        println!("B e {e} top {top} expected {} events {ev}", e * e);
    }
}
