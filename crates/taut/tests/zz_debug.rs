use taut::*;
fn ground(w: &mut World, mu: f64, e: f64) {
    let g = w.ground();
    for k in 0..4 { w.add_collider(g, Collider::new(Shape::ball(0.1)).at(Vec3::new(100.0 + k as f64, 0.0, 0.0))).unwrap(); }
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

#[test]
fn slide() {
    for az in [0.0_f64, 0.3927, 0.7854] {
      for mu in [0.3, 0.5] {
        let theta0 = f64::atan(mu);
        for f in [0.995, 1.005] {
            let th = theta0 * f;
            let mut w = World::new();
            // slope with normal tilted by th in direction az
            let n = Vec3::new(th.sin() * az.cos(), th.cos(), th.sin() * az.sin());
            let g = w.ground();
            for k in 0..4 { w.add_collider(g, Collider::new(Shape::ball(0.1)).at(Vec3::new(100.0 + k as f64, 0.0, 0.0))).unwrap(); }
            w.add_collider(g, Collider::new(Shape::HalfSpace { normal: n }).of(Material::new(mu, 0.0))).unwrap();
            let q = Quat::from_rotation_arc(Vec3::Y, n);
            let half = Vec3::new(0.2, 0.05, 0.2);
            let b = w.add_body(BodyDef::dynamic(MassProperties::cuboid(1000.0, half).unwrap()).at(n * 0.05).rotated(q)).unwrap();
            w.add_collider(b, Collider::new(Shape::Cuboid { half }).of(Material::new(mu, 0.0))).unwrap();
            let mut un = 0; let mut its = 0;
            for _ in 0..120 { let r = w.step(1.0/60.0).unwrap(); un += r.bounded.unconverged; its += r.bounded.iterations; }
            let p = w.body(b).unwrap().pose.pos - n * 0.05;
            println!("L az {az:.2} mu {mu} f {f}: moved {:.3e} expected {:.3e} un {un} its {its}", p.length(), 0.5 * 9.81 * (th.sin() - mu * th.cos()) * 4.0);
        }
      }
    }
}
#[test]
fn cradle() {
    let mut w = World::new();
    ground(&mut w, 0.5, 1.0);
    let mut ids = vec![];
    for k in 0..5 {
        let b = w.add_body(BodyDef::dynamic(MassProperties::sphere(7800.0, 0.05).unwrap()).at(Vec3::new(0.1 * k as f64, 1.0, 0.0))).unwrap();
        w.add_collider(b, Collider::new(Shape::ball(0.05)).of(Material::new(0.0, 1.0))).unwrap();
        ids.push(b);
    }
    w.set_options(Options { gravity: Vec3::ZERO, ..Default::default() }).unwrap();
    w.set_pose(ids[0], Pose { pos: Vec3::new(-0.2, 1.0, 0.0), rot: Quat::IDENTITY }).unwrap();
    w.set_velocity(ids[0], Vec3::new(1.0, 0.0, 0.0), Vec3::ZERO).unwrap();
    for s in 0..40 { w.step(1.0/60.0).unwrap(); if s % 4 == 3 { println!("C {:?}", ids.iter().map(|&b| (w.body(b).unwrap().velocity.x * 1e6).round() / 1e6).collect::<Vec<_>>()); } }
}
