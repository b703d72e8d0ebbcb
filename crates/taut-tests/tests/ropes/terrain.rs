//! Ropes that sweep over meshes and height fields: bent by their sharp edges and let go again.

use std::f64::consts::PI;
use taut::prelude::*;
use taut::{BodyId, Edge, Event, RopeId};

fn at(x: f64, y: f64) -> Vec3 {
    Vec3::new(x, y, 0.0)
}

/// A closed prism along z with these corners in the plane, in so many pieces.
fn prism(corners: &[(f64, f64)], half: f64, pieces: usize) -> Shape {
    let n = corners.len();
    let z = |k: usize| half * (2.0 * k as f64 / pieces as f64 - 1.0);
    let vertices: Vec<Vec3> =
        (0..=pieces).flat_map(|k| corners.iter().map(move |&(x, y)| Vec3::new(x, y, z(k)))).collect();
    let mut triangles = Vec::new();
    for k in 0..pieces {
        for c in 0..n {
            let [a, b] = [c, (c + 1) % n].map(|c| (k * n + c) as u32);
            let [up, vp] = [a, b].map(|v| v + n as u32);
            triangles.extend([[a, b, vp], [a, vp, up]]);
        }
    }
    for c in 1..n as u32 - 1 {
        let last = (pieces * n) as u32;
        triangles.extend([[0, c + 1, c], [last, last + c, last + c + 1]]);
    }
    Shape::Mesh { vertices, triangles }
}

/// A bob of 10 kg on 2 m of rope, let go at 60 degrees, with a collider in the way.
fn obstructed(collider: Collider, place: Vec3) -> (World, BodyId, RopeId) {
    let mut w = World::new();
    let a = PI / 3.0;
    let start = at(-2.0 * a.sin(), -2.0 * a.cos());
    let bob = w.add(Body::particle(10.0).at(start)).unwrap();
    w.add(Body::fixed().at(place).collider(collider.friction(0.0))).unwrap();
    let rope = w.add(Rope::from(w.ground(), Vec3::ZERO).to(bob, start)).unwrap();
    (w, bob, rope)
}

#[test]
fn an_interrupted_pendulum_on_a_mesh_keeps_its_height() {
    // Counted about +z, so that faces look out.
    let wedge = [(0.0, 0.0), (0.3, -0.05), (0.3, 0.05)];
    let plate = [(0.0, 0.0005), (0.0, -0.0005), (0.4, -0.0005), (0.4, 0.0005)];
    let round: Vec<(f64, f64)> =
        (0..24).map(|k| PI / 12.0 * f64::from(k)).map(|a| (0.1 + 0.1 * a.cos(), 0.1 * a.sin())).collect();
    let tent: Vec<Vec<f64>> = vec![vec![0.0, 1.0, 0.0]; 8];
    // Its ridge looks to -x.
    let field = Collider::new(Shape::HeightField { heights: tent, scale: Vec3::new(0.1, 0.3, 1.0) })
        .rotated(Quat::from_rotation_z(PI / 2.0))
        .at(0.3 * Vec3::X);
    let scenes = [
        ("wedge", Collider::new(prism(&wedge, 0.5, 1)), 1),
        ("wedge in 9 pieces", Collider::new(prism(&wedge, 0.5, 9)), 1),
        ("wedge with a corner there", Collider::new(prism(&wedge, 0.5, 10)), 1),
        ("plate of 1 mm", Collider::new(prism(&plate, 0.5, 9)), 2),
        ("bar of 24 sides", Collider::new(prism(&round, 0.5, 9)), 12),
        ("height field", field, 1),
    ];
    for (name, collider, most) in scenes {
        for (h, within) in [(0.002, 4e-4), (0.01, 8e-3)] {
            let (mut w, bob, rope) = obstructed(collider.clone(), at(0.0, -0.8));
            let (mut bent, mut tops, mut last) = (0, Vec::new(), [-1.0; 2]);
            let (mut on, mut off) = (0, 0);
            for _ in 0..(12.0 / h) as usize {
                let report = w.step(h).unwrap();
                assert!(report.ledger.imbalance.abs() < 1e-9, "{name}: {:?}", report.ledger);
                on += report.events.iter().filter(|e| matches!(e, Event::GuideTouched { .. })).count();
                off += report.events.iter().filter(|e| matches!(e, Event::GuideLeft { .. })).count();
                bent = bent.max(w.rope(rope).unwrap().span_count() - 1);
                let y = w.body(bob).unwrap().position().y;
                if last[1] > last[0] && last[1] >= y {
                    tops.push(last[1]);
                }
                last = [last[1], y];
            }
            let worst = tops.windows(2).map(|t: &[f64]| (t[1] - t[0]).abs()).fold((tops[0] + 1.0).abs(), f64::max);
            println!("{name} h {h}: {on} on, {off} off, {bent} at once, {worst:.1e} m a swing");
            assert!(on >= 4 && on - off == w.rope(rope).unwrap().span_count() - 1, "{name} {on} {off}");
            assert!(bent >= 1 && bent <= most, "{name} {bent}");
            assert!(worst < within, "{name} h {h}: {worst} {tops:.4?}");
            assert!(w.rope(rope).unwrap().excess() < 1e-5);
        }
    }
}

/// A load on a rope over a ridge, beside the middle of it, in air that slows it: on an edge that was given, or on one that it meets.
#[test]
fn a_rope_slides_along_a_ridge_of_many_pieces_as_along_one_edge() {
    let wedge = [(0.0, 0.0), (-0.5, -3.0), (-0.02, -3.0)];
    let run = |pieces: Option<usize>| {
        let mut w = World::new();
        let start = Vec3::new(0.3, 0.0, 0.6);
        let bob = w.add(Body::particle(3.0).at(start).damped(2.0, 0.0)).unwrap();
        let line = Rope::from(w.ground(), at(-1.0, 0.1));
        let line = match pieces {
            None => line.across(Edge::between(w.ground(), -2.0 * Vec3::Z, 2.0 * Vec3::Z).outward(Vec3::Y)),
            Some(n) => {
                w.add(Body::fixed().collider(Collider::new(prism(&wedge, 2.0, n)).friction(0.0))).unwrap();
                line
            }
        };
        let rope = w.add(line.to(bob, start)).unwrap();
        let mut way = Vec::new();
        for _ in 0..2000 {
            w.step(0.002).unwrap();
            assert!(w.rope(rope).unwrap().span_count() <= 2);
            way.push(w.body(bob).unwrap().position());
        }
        (way, w.rope(rope).unwrap().span_count())
    };
    let (one, _) = run(None);
    for n in [1, 40, 163] {
        let (many, _) = run(Some(n));
        let off = one.iter().zip(&many).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
        let along = many.iter().map(|p| p.z).fold(0.0_f64, |m, z| m.max(z.abs()));
        println!("{n} pieces: {off:.1e} m off in 4 s, {along:.2} m along");
        assert!(off < 1e-3, "{n}: {off}");
    }
}

/// The edge of a cliff with a dip in it: the rope slides into the dip and is held there.
#[test]
fn a_rope_is_held_in_the_dip_of_a_ridge() {
    for rows in [5, 6, 21] {
        let ridge = |r: usize| 0.6 * (2.0 * r as f64 / (rows - 1) as f64 - 1.0).abs();
        let heights: Vec<Vec<f64>> = (0..rows).map(|r| vec![ridge(r) - 0.2, ridge(r), -8.0]).collect();
        let mut w = World::new();
        let field = Shape::HeightField { heights, scale: Vec3::new(2.0, 1.0, 2.0) };
        w.add(Body::fixed().collider(Collider::new(field).friction(0.0))).unwrap();
        let start = Vec3::new(0.6, 0.75, 0.2);
        let load =
            w.add(Body::particle(5.0).at(start).damped(1.0, 0.0).collider(Collider::new(Shape::ball(0.05)))).unwrap();
        let rope = w.add(Rope::from(w.ground(), at(-2.0, 1.0)).to(load, start)).unwrap();
        let (first, mut bent) = (w.energy().unwrap().total(), 0);
        for _ in 0..2000 {
            let report = w.step(0.005).unwrap();
            assert!(report.ledger.imbalance.abs() < 1e-9);
            assert!(report.energy.total() < first + 1e-3 * 5.0 * 9.81, "{}", report.energy.total() - first);
            bent = bent.max(w.rope(rope).unwrap().span_count());
        }
        let p = w.body(load).unwrap().position();
        println!("{rows} rows: {bent} spans, load at {p:.3}");
        // Its rope is as long as it was, from the hook to the edge of the cliff and down.
        assert!((2..=6).contains(&bent) && w.rope(rope).unwrap().span_count() >= 2, "{rows} {bent}");
        assert!(p.z.abs() < 0.3 && p.y > -1.2, "{rows}: {p}");
    }
}

#[test]
fn no_mesh_is_passed_at_fifty_metres_a_second() {
    let plate = [(-0.0005, -0.05), (0.0005, -0.05), (0.0005, 0.05), (-0.0005, 0.05)];
    for h in [0.001, 0.01, 1.0 / 60.0] {
        for pieces in [1, 50] {
            let mut w = World::new();
            let mut options = *w.options();
            options.gravity = Vec3::ZERO;
            w.set_options(options).unwrap();
            let speed = 50.0 * Vec3::Y + 3.0 * Vec3::Z;
            let ends =
                [-1.0, 1.0].map(|x| w.add(Body::particle(1.0).at(at(x, 0.0)).moving(speed, Vec3::ZERO)).unwrap());
            w.add(Body::fixed().at(at(0.03, 1.013)).collider(Collider::new(prism(&plate, 0.5, pieces)))).unwrap();
            let rope = w.add(Rope::from(ends[0], at(-1.0, 0.0)).to(ends[1], at(1.0, 0.0))).unwrap();
            let start = w.energy().unwrap().total();
            let (mut met, mut rise) = (false, 0.0_f64);
            for _ in 0..(0.05 / h) as usize {
                let report = w.step(h).unwrap();
                met |= report.events.iter().any(|e| matches!(e, Event::GuideTouched { .. }));
                rise = rise.max(report.energy.total() - start);
            }
            println!(
                "{pieces} pieces h {h:.4}: {met}, {} spans, rise {:.1e}",
                w.rope(rope).unwrap().span_count(),
                rise / start
            );
            assert!(met && rise < 0.01 * start, "{pieces} {h}: {rise}");
        }
    }
}
