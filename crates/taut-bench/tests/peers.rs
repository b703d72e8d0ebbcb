//! The same scene in every engine, and a judge that can fail.

use taut_bench::judge::{Judge, energy, energy_limit, gaps};
use taut_bench::peers::{Peer, box3d, rapier, taut as ours};
use taut_bench::run::{Length, race, run};
use taut_bench::scene::{Chain, Ladder, Link, Scene, Start};
use taut_bench::{Config, setup};

#[path = "peers/touching.rs"]
mod touching;

fn engines() -> Vec<Peer> {
    let mut list = vec![ours::peer()];
    list.extend(rapier::peers(true));
    list.extend(box3d::peers());
    list
}

fn scenes() -> [Scene; 3] {
    let tight = Chain { ratio: 1e3, start: Start::Hanging, tilt: 0.01, ..Chain::default() };
    [
        Chain { ratio: 100.0, ..Chain::default() }.scene(),
        tight.scene(),
        Ladder { cells: 3, ..Ladder::default() }.scene(),
    ]
}

#[test]
fn masses_and_inertias_are_the_same_everywhere() {
    for scene in scenes() {
        for peer in engines() {
            let mut engine = (peer.build)(&scene, 0.01).unwrap();
            for (b, (mass, inertia)) in scene.bodies.iter().zip(engine.masses()) {
                // Single precision in Box3D.
                assert!((mass / b.mass - 1.0).abs() < 1e-6, "{}: {mass} {}", peer.name, b.mass);
                for (got, want) in inertia.into_iter().zip(b.inertia.to_array()) {
                    assert!((got / want - 1.0).abs() < 1e-6, "{}: {got} {want}", peer.name);
                }
            }
        }
    }
}

#[test]
fn every_engine_starts_with_the_same_motion() {
    for scene in scenes() {
        let start = scene.start();
        let after = |peer: &Peer| {
            let mut engine = (peer.build)(&scene, 1e-4).unwrap();
            engine.step().unwrap();
            let mut now = start.clone();
            engine.read(&mut now);
            now
        };
        let engines = engines();
        let ours = after(&engines[0]);
        for (a, b) in start.iter().zip(&ours) {
            // What gravity does in the step.
            assert!((b.vel - a.vel).length() < 2e-3 && (b.ang - a.ang).length() < 2e-2, "{a:?} {b:?}");
        }
        for peer in &engines {
            for (k, (a, b)) in ours.iter().zip(&after(peer)).enumerate() {
                // Taut's velocities belong half a step before the poses. A rounding of single precision is a gap of 1e-8 m, closed in a substep. The kick turns links by 0.007 rad/s and more.
                let apart = [(b.pos - a.pos).length(), (b.vel - a.vel).length(), (b.ang - a.ang).length()];
                let bounds = [1e-6, 1.5e-3, 4e-3];
                let turned = b.rot.dot(a.rot).abs();
                assert!(
                    apart.iter().zip(bounds).all(|(x, y)| *x < y) && turned > 1.0 - 1e-6,
                    "{} body {k}: {a:?} {b:?}",
                    peer.name
                );
            }
        }
    }
}

#[test]
fn the_kick_is_one_that_the_joints_allow() {
    for scene in scenes() {
        let s = scene.start();
        assert!(gaps(&scene, &s).0 < 1e-13);
        let speed = |k: usize, p: taut::Vec3| s[k].vel + s[k].ang.cross(s[k].rot * p);
        assert!(s.iter().any(|m| m.ang.length() > 1e-3) || scene.gravity.x != 0.0);
        for j in &scene.joints {
            let apart = speed(j.b, j.on_b) - j.a.map_or(taut::Vec3::ZERO, |a| speed(a, j.on_a));
            assert!(apart.length() < 1e-15, "{j:?}: {apart}");
        }
    }
}

#[test]
fn hinges_fall_in_their_plane_and_alike_in_every_engine() {
    let scene = Chain { joint: Link::Hinge, ratio: 0.0, kick: 0.0, ..Chain::default() }.scene();
    assert_eq!((scene.bodies.len(), scene.joints.len()), (10, 10));
    let after = |peer: &Peer| {
        let mut engine = (peer.build)(&scene, 1e-3).unwrap();
        for _ in 0..100 {
            engine.step().unwrap();
        }
        let mut now = scene.start();
        engine.read(&mut now);
        now
    };
    let engines = engines();
    let ours = after(&engines[0]);
    for peer in &engines {
        for (a, b) in ours.iter().zip(&after(peer)) {
            // Half a step of the fall is 5e-4 m; soft joints give some more.
            assert!((b.pos - a.pos).length() < 2e-3, "{}: {a:?} {b:?}", peer.name);
            assert!(b.pos.z.abs() < 1e-5 && b.ang.truncate().length() < 1e-3, "{}: {b:?}", peer.name);
        }
    }
}

#[test]
fn a_replay_starts_where_the_scene_starts() {
    let scene = Chain::default().scene();
    let mut engine = (ours::peer().build)(&scene, 0.01).unwrap();
    let mut ends = [0, 1].map(|_| {
        assert!(engine.replay(20).unwrap().unwrap() > 0.0);
        let mut now = scene.start();
        engine.read(&mut now);
        now
    });
    assert_eq!(ends[0], ends[1]);
    // The same steps one by one.
    let mut other = (ours::peer().build)(&scene, 0.01).unwrap();
    for _ in 0..20 {
        other.step().unwrap();
    }
    other.read(&mut ends[0]);
    assert_eq!(ends[0], ends[1]);
}

#[test]
fn a_race_comes_to_what_single_runs_come_to() {
    let (engines, scene) = (engines(), Chain::default().scene());
    let engines: Vec<&Peer> = engines.iter().filter(|p| p.contacts).collect();
    let length = Length { h: 0.01, steps: 20, warm_up: 5, budget: std::time::Duration::MAX };
    for (peer, raced) in engines.iter().zip(race(&engines, &scene, length).unwrap()) {
        assert_eq!(raced.verdict, run(peer, &scene, length).unwrap().verdict, "{}", peer.name);
        assert!(!raced.cut && raced.min > 0.0, "{}", peer.name);
    }
}

#[test]
fn engines_agree_for_a_short_time() {
    let engines = engines();
    let length = Length::seconds(setup::STEP, 0.9);
    let verdicts: Vec<_> =
        engines.iter().map(|p| (p.damped, run(p, &setup::scene(), length).unwrap().verdict)).collect();
    for ((peer, (agrees, text)), v) in engines.iter().zip(setup::compare(&verdicts)).zip(&verdicts) {
        assert!(agrees, "{}: {text}, {:?}", peer.name, v.1);
    }
    // And the check can tell: a chain with another load does not pass.
    let other = Chain { ratio: 1.0, ..Chain::default() }.scene();
    let mut mixed = verdicts;
    mixed[0].1 = run(&engines[0], &other, length).unwrap().verdict;
    assert!(!setup::compare(&mixed)[0].0);
}

#[test]
fn the_chain_is_that_of_the_scene_library() {
    let scene = Chain { ratio: 1000.0, ..Chain::default() }.scene();
    let (library, _) = taut_scenes::find("chain").unwrap().with(&[("ratio", "1000")]).unwrap();
    assert!((library.length - scene.length).abs() < 1e-12);
    assert!((library.energy_scale / scene.energy_scale - 1.0).abs() < 1e-12);
    for (b, view) in scene.bodies.iter().zip(library.world.bodies().filter(|b| b.mass() > 0.0)) {
        assert!((view.mass() / b.mass - 1.0).abs() < 1e-12);
        assert!((view.position() - b.start.pos).length() < 1e-12);
        assert!((view.pose().rot.dot(b.start.rot).abs() - 1.0).abs() < 1e-12);
    }
}

#[test]
fn the_judge_fails_what_is_broken() {
    let scene = Chain::default().scene();
    let start = scene.start();
    let held = |change: &dyn Fn(&mut Vec<taut_bench::scene::Motion>)| {
        let mut judge = Judge::new(&scene, 0.01, 10);
        let mut motions = start.clone();
        change(&mut motions);
        judge.see(&motions);
        judge.verdict()
    };
    assert!(held(&|_| ()).held());
    // A number that is not one, anywhere.
    for k in 0..start.len() {
        assert!(held(&|m| m[k].pos.x = f64::NAN).failure.is_some());
        assert!(held(&|m| m[k].ang.y = f64::INFINITY).failure.is_some());
    }
    // A joint opened by 2 % of the length, and by half a per cent.
    let torn = held(&|m| m[10].pos.z += 0.02 * scene.length);
    assert!(torn.failure.is_none() && !torn.held() && (torn.stretch - 0.02).abs() < 1e-9);
    assert!(held(&|m| m[10].pos.z += 0.005 * scene.length).held());
    // Many small gaps add up, though none is large.
    let many = held(&|m| m.iter_mut().enumerate().for_each(|(k, b)| b.pos.z += 0.002 * k as f64 * scene.length));
    assert!(!many.held() && many.single < 0.01);
    // Energy from nowhere: just over the limit and just under it.
    let rise = |part: f64| {
        let joules = part * (energy_limit(0.01) - 1.0) * scene.energy_scale;
        held(&|m| m[10].vel.y = (2.0 * joules / scene.bodies[10].mass).sqrt())
    };
    assert!(rise(1.05).failure.is_some() && rise(0.95).failure.is_none());
}

#[test]
fn energies_are_those_of_mechanics() {
    let scene = Chain { links: 1, ..Chain::default() }.scene();
    let mut m = scene.start();
    m[0].vel = taut::Vec3::new(3.0, 0.0, 4.0);
    m[0].ang = m[0].rot * taut::Vec3::new(0.0, 2.0, 0.0);
    m[1].pos.y = 1.0;
    m[1].ang = taut::Vec3::ZERO;
    let (kinetic, potential) = energy(&scene, &m);
    let want = 0.5 * 0.2 * 25.0 + 0.5 * scene.bodies[0].inertia.y * 4.0;
    assert!((kinetic - want).abs() < 1e-12 && (potential - 0.2 * 9.81).abs() < 1e-12);
}

#[test]
fn a_section_that_does_not_exist_is_refused() {
    let config = Config { only: vec!["chian".into()], ..Config::default() };
    let error = taut_bench::run(&config, &mut |_| (), &mut |_| ()).unwrap_err();
    assert!(error.contains("chian") && error.contains("chain"), "{error}");
}
