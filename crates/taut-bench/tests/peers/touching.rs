//! Scenes with contacts, tiny: the same in every engine, measured by a ruler that can fail.

use super::engines;
use std::time::Duration;
use taut::{Quat, Vec3};
use taut_bench::Config;
use taut_bench::crowd::{Crowd, Phase, Plan, run};
use taut_bench::judge::gaps;
use taut_bench::measure::{Ruler, excess};
use taut_bench::peers::Peer;
use taut_bench::scene::{Hold, Pile, Pyramid, Scene, Solid};

fn able() -> Vec<Peer> {
    engines().into_iter().filter(|p| p.contacts).collect()
}

fn play(peer: &Peer, scene: &Scene, watched: usize, spans: &[(f64, f64)]) -> Crowd {
    let phases: Vec<Phase> = spans.iter().map(|&(from, to)| Phase { name: "", from, to }).collect();
    let plan = Plan { h: 1.0 / 60.0, phases: &phases, watched, repeats: 1, budget: Duration::MAX };
    run(&[peer], scene, &plan).unwrap().remove(0)
}

#[test]
fn shapes_do_not_change_masses() {
    let pyramid = Pyramid { rows: 3, ..Pyramid::default() }.scene().unwrap();
    let pile = Pile { ragdolls: 1, ..Pile::default() }.scene().unwrap();
    for scene in [pyramid, pile] {
        for peer in able() {
            let masses = (peer.build)(&scene, 0.01).unwrap().masses();
            assert_eq!(masses.len(), scene.bodies.len());
            for (b, (mass, inertia)) in scene.bodies.iter().zip(masses) {
                assert!((mass / b.mass - 1.0).abs() < 1e-6, "{}: {mass} {}", peer.name, b.mass);
                // Principal moments may come in any order.
                let sorted = |mut a: [f64; 3]| {
                    a.sort_by(f64::total_cmp);
                    a
                };
                for (got, want) in sorted(inertia).into_iter().zip(sorted(b.inertia.to_array())) {
                    assert!((got / want - 1.0).abs() < 1e-5, "{}: {got} {want}", peer.name);
                }
            }
        }
    }
}

#[test]
fn a_small_pyramid_rests_and_is_knocked_over_in_every_engine() {
    let pyramid = Pyramid { rows: 3, hit: 1.5, aside: 0.0 };
    let scene = pyramid.scene().unwrap();
    for peer in able() {
        let c = play(&peer, &scene, pyramid.boxes(), &[(1.0, 1.4), (1.4, 2.5)]);
        let (rest, hit) = (&c.phases[0], &c.phases[1]);
        assert!(c.failure.is_none() && c.cut.is_none(), "{}: {c:?}", peer.name);
        assert!(rest.depth < 2e-3 && rest.speed < 0.01 && rest.drift < 2e-3, "{}: {rest:?}", peer.name);
        assert!(hit.drift > 0.5 && hit.speed > 1.0, "{}: the ball missed, {hit:?}", peer.name);
        assert!(rest.median > 0.0 && rest.least <= rest.median && rest.median <= rest.worst, "{rest:?}");
        if peer.is_other() {
            assert!(rest.unconverged.is_none());
        } else {
            assert!(rest.unconverged == Some(0) && rest.depth < 1e-7 && rest.speed < 1e-6, "{rest:?}");
        }
    }
}

#[test]
fn a_ragdoll_lies_down_within_its_limits_in_every_engine() {
    let scene = Pile { ragdolls: 1, ..Pile::default() }.scene().unwrap();
    assert!(gaps(&scene, &scene.start()).1 < 1e-12 && excess(&scene, &scene.start()).0 < 1e-12);
    assert!(Ruler::new(&scene).depth(&scene.start()) < 1e-12);
    for peer in able() {
        let c = play(&peer, &scene, scene.bodies.len(), &[(0.0, 2.0), (2.0, 2.5)]);
        assert!(c.failure.is_none(), "{}: {c:?}", peer.name);
        let (fall, rest) = (&c.phases[0], &c.phases[1]);
        assert!(fall.drift > 0.5 && fall.speed > 3.0, "{}: it did not fall, {fall:?}", peer.name);
        assert!(rest.speed < 1.0 && rest.depth < 5e-3 && rest.gap < 5e-3, "{}: {rest:?}", peer.name);
        // Limits the wrong way round are passed by tens of degrees.
        assert!(rest.excess.to_degrees() < 2.0, "{}: {rest:?}", peer.name);
        assert!(peer.is_other() || (fall.excess.to_degrees() < 0.5 && rest.unconverged == Some(0)), "{rest:?}");
    }
}

#[test]
fn the_pile_is_that_of_the_scene_library() {
    let scene = Pile { ragdolls: 11, ..Pile::default() }.scene().unwrap();
    let (library, _) = taut_scenes::find("ragdoll-pile").unwrap().with(&[("ragdolls", "11")]).unwrap();
    let world = &library.world;
    let bodies: Vec<_> = world.bodies().map(|b| b.id()).filter(|&b| b != world.ground()).collect();
    assert_eq!((bodies.len(), world.joints().count()), (scene.bodies.len(), scene.joints.len()));
    for (b, &id) in scene.bodies.iter().zip(&bodies) {
        let view = world.body(id).unwrap();
        assert!((view.mass() / b.mass - 1.0).abs() < 1e-12 && (view.position() - b.start.pos).length() < 1e-12);
        assert!((view.pose().rot.dot(b.start.rot).abs() - 1.0).abs() < 1e-12);
    }
}

#[test]
fn the_ruler_measures_overlap() {
    let mut scene = Pyramid { rows: 2, ..Pyramid::default() }.scene().unwrap();
    let depth = |scene: &Scene, change: &dyn Fn(&mut Vec<taut_bench::scene::Motion>)| {
        let mut m = scene.start();
        change(&mut m);
        Ruler::new(scene).depth(&m)
    };
    let near = |got: f64, want: f64| assert!((got - want).abs() < 1e-9, "{got} {want}");
    near(depth(&scene, &|_| ()), 0.0);
    // A box into the floor, straight and on its edge; one into another; all in one place.
    near(depth(&scene, &|m| m[2].pos = Vec3::new(9.0, 0.09, 0.0)), 0.01);
    let quarter = Quat::from_rotation_z(std::f64::consts::FRAC_PI_4);
    near(depth(&scene, &|m| (m[2].pos, m[2].rot) = (Vec3::new(9.0, 0.1, 0.0), quarter)), 0.1 * 2f64.sqrt() - 0.1);
    near(depth(&scene, &|m| m[2].pos.y -= 0.003), 0.003);
    // The ball, far larger than the boxes, into the side of one.
    near(depth(&scene, &|m| m[3].pos = Vec3::new(m[2].pos.x, m[2].pos.y, -0.38)), 0.02);
    // A capsule across the top of a box.
    scene.bodies[3].solid = Some(Solid::Capsule(0.5, 0.05));
    let across = Quat::from_rotation_z(std::f64::consts::FRAC_PI_2);
    let top = scene.bodies[2].start.pos + 0.145 * Vec3::Y;
    near(depth(&scene, &|m| (m[3].pos, m[3].rot) = (top, across)), 0.005);
    // Pairs that do not meet are not looked at.
    scene.touch.as_mut().unwrap().clear = vec![(3, 2)];
    near(depth(&scene, &|m| (m[3].pos, m[3].rot) = (top, across)), 0.0);
}

#[test]
fn the_ruler_measures_limits() {
    let scene = Pile { ragdolls: 1, ..Pile::default() }.scene().unwrap();
    for j in &scene.joints {
        let (axes, z, over) = match j.hold {
            Hold::Cone { axes, twist, .. } => (axes, Vec3::Z, twist + 0.1),
            Hold::Hinge { axes, most } => (axes, Vec3::Z, most + 0.1),
            Hold::Free | Hold::Turn(_) => panic!("a joint without limits"),
        };
        let mut m = scene.start();
        let parent = m[j.a.unwrap()].rot;
        // The child's axes are the parent's, turned about z: beyond by 0.1 rad, and a hair within.
        let mut turn = |angle: f64| {
            m[j.b].rot = parent * axes[0] * Quat::from_axis_angle(z, angle) * axes[1].inverse();
            let alone = Scene { joints: vec![*j], ..scene.clone() };
            let (limit, twist) = excess(&alone, &m);
            limit.max(twist)
        };
        assert!((turn(over) - 0.1).abs() < 1e-9 && turn(over - 0.11) < 1e-9, "{j:?}");
    }
}

#[test]
fn a_pile_of_nobody_is_refused() {
    let config = Config { ragdolls: Some(0), ..Config::default() };
    let error = taut_bench::run(&config, &mut |_| (), &mut |_| ()).unwrap_err();
    assert!(error.contains("ragdolls = 0") && error.contains("1000"), "{error}");
}
