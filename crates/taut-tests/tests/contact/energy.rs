//! Energy, cones and residuals of random tumbling bodies; what rests does not creep; the same run twice.

use crate::common::Rng;
use crate::common::touch::*;
use taut::{BodyId, Material, Options, Pose, Quat, Shape, Vec3, World};

/// Random solids thrown on the ground.
fn tumble(seed: u64, count: usize, mu: f64, e: f64) -> (World, Vec<BodyId>) {
    let mut r = Rng(seed);
    let mut w = World::new();
    let material = Material::new(mu, e);
    plane(&mut w, Vec3::Y, material);
    let bodies = (0..count)
        .map(|k| {
            let pos = Vec3::new(r.range(-0.3, 0.3), 0.8 + 0.9 * k as f64, r.range(-0.3, 0.3));
            let shape = random_shape(&mut r);
            let (b, _) = solid(&mut w, shape, material, Pose { pos, rot: r.quat() });
            w.set_velocity(b, r.vec(2.0), r.vec(5.0)).unwrap();
            b
        })
        .collect();
    (w, bodies)
}

/// What went worst in a run.
#[derive(Debug, Default)]
struct Worst {
    /// Of the energy, beyond what the removal of penetration lifts.
    rise: f64,
    /// Of the energy, above that at the start.
    above: f64,
    /// Work of the contacts.
    work: f64,
    imbalance: f64,
    residual: f64,
    unconverged: usize,
    convex: usize,
    depth: f64,
}

/// Steps a world, checks cones and the books, and returns the worst values, as parts of the energy at the start above the ground.
fn run(w: &mut World, steps: usize, mu: f64) -> Worst {
    let start = w.energy().unwrap().total();
    let mut worst = Worst::default();
    let (mut last, mut deep) = (start, 0.0_f64);
    let mass: f64 = w.bodies().map(|b| b.mass()).sum();
    for _ in 0..steps {
        let report = w.step(STEP).unwrap();
        let now = report.energy.total();
        let lift = mass * G * 0.3 * deep.max(report.bounded.penetration);
        deep = report.bounded.penetration;
        worst.rise = worst.rise.max((now - last - lift) / start);
        worst.above = worst.above.max((now - start) / start);
        worst.work = worst.work.max(report.ledger.contacts / start);
        worst.imbalance = worst.imbalance.max(report.ledger.imbalance.abs() / start);
        worst.residual = worst.residual.max(report.bounded.residual);
        worst.unconverged += report.bounded.unconverged;
        worst.convex += report.bounded.convex;
        worst.depth = worst.depth.max(report.bounded.penetration);
        // The report is honest about what did not converge.
        assert!(report.bounded.residual <= 1e-9 || report.bounded.unconverged > 0, "{:?}", report.bounded);
        assert!((report.ledger.change - (now - last)).abs() < 1e-9 * start, "{:?}", report.ledger);
        assert_cones(w, mu);
        last = now;
    }
    worst
}

#[test]
fn energy_never_rises_through_contacts() {
    let mut failed = Vec::new();
    for e in [0.0, 0.5, 1.0] {
        for mu in [0.0, 0.5, 1.0] {
            for seed in 0..6 {
                let (mut w, _) = tumble(seed, 1 + seed as usize % 3, mu, e);
                let worst = run(&mut w, 180, mu);
                println!("e {e} mu {mu} seed {seed}: {worst:?}");
                assert!(worst.imbalance < 1e-9, "{e} {mu} {seed}: {worst:?}");
                // Contact points that turn with their body leave a second order in h. A blow turns the axis of a body, and its energy of
                // turning, told half a step before the pose, ripples by a part of h w; what it had at the start it never exceeds.
                if worst.rise > if e > 0.0 { 1e-3 } else { 1e-4 } || worst.above > 1e-4 {
                    failed.push((e, mu, seed, worst.rise, worst.above));
                }
            }
        }
    }
    assert!(failed.is_empty(), "{failed:?}");
}

/// Velocity of a point of a body that was at `pose` when the step began, with its present velocity.
fn speed_of(w: &World, body: BodyId, pose: &Pose, point: Vec3) -> Vec3 {
    let v = w.body(body).unwrap();
    v.velocity() + v.angular_velocity().cross(point - pose.pos)
}

#[test]
fn every_contact_obeys_signorini_and_coulomb() {
    for (seed, mu) in (0..6).zip([0.0, 0.3, 0.5, 1.0, 0.5, 0.3]) {
        let (mut w, _) = tumble(seed, 1 + seed as usize % 4, mu, 0.0);
        let (mut pushed, mut stuck, mut slid) = (0, 0, 0);
        for _ in 0..180 {
            let poses: Vec<(BodyId, Pose)> = w.bodies().map(|b| (b.id(), b.pose())).collect();
            let pose = |b: BodyId| poses.iter().find(|p| p.0 == b).unwrap().1;
            let report = w.step(STEP).unwrap();
            if report.bounded.unconverged > 0 || report.bounded.convex > 0 || w.sleeping() > 0 {
                continue;
            }
            for c in w.contacts() {
                // Of a pair that is advanced to its impact the rows act where it will be.
                if c.distance > 1e-3 {
                    continue;
                }
                // The rows act at one point, on the surface of the lighter body or near it; along the normal all are alike.
                let at = |x: Vec3| {
                    speed_of(&w, c.bodies.0, &pose(c.bodies.0), x) - speed_of(&w, c.bodies.1, &pose(c.bodies.1), x)
                };
                let normal = c.force.dot(c.normal);
                let across = c.force - c.normal * normal;
                let open = at(c.point).dot(c.normal) + c.distance.max(0.0) / STEP;
                assert!(
                    normal > 0.0 && open.abs() < 1e-8,
                    "{seed}: pushes with {normal} and leaves at {open:e} m/s: {c:?} {report:?}"
                );
                pushed += 1;
                if c.distance.abs() > 1e-4 {
                    continue;
                }
                let v = at(c.point);
                let slip = v - c.normal * v.dot(c.normal);
                if across.length() < 0.999 * mu * normal {
                    assert!(slip.length() < 1e-3, "{seed}: sticks with a slip of {slip}");
                    stuck += 1;
                } else if slip.length() > 1e-2 && mu > 0.0 {
                    assert!(across.dot(slip) < -0.99 * across.length() * slip.length(), "{seed}: {across} {slip}");
                    slid += 1;
                }
            }
        }
        assert!(pushed > 50 && (mu == 0.0 || stuck + slid > 10), "{seed}: {pushed} {stuck} {slid}");
    }
}

/// Boxes on each other, the k-th with a mass by `mass`.
fn stack(w: &mut World, count: usize, mass: impl Fn(usize) -> f64) -> Vec<BodyId> {
    plane(w, Vec3::Y, Material::default());
    (0..count)
        .map(|k| {
            let props = mass_of(&cube(0.1)).with_mass(mass(k)).unwrap();
            let at = Vec3::Y * (0.1 + 0.2 * k as f64);
            w.add(taut::Body::dynamic(props).at(at).collider(taut::Collider::new(cube(0.1)))).unwrap()
        })
        .collect()
}

fn creep(w: &World, bodies: &[BodyId]) -> f64 {
    bodies
        .iter()
        .map(|&b| w.body(b).unwrap())
        .map(|v| v.velocity().length() + 0.2 * v.angular_velocity().length())
        .fold(0.0, f64::max)
}

#[test]
fn stacks_at_rest_do_not_creep() {
    type Masses = (&'static str, fn(usize) -> f64);
    let masses: [Masses; 3] = [
        ("equal", |_| 8.0),
        ("heavy top", |k| if k == 9 { 8000.0 } else { 8.0 }),
        ("alternating", |k| if k % 2 == 1 { 1000.0 } else { 1.0 }),
    ];
    for (name, mass) in masses {
        let mut w = crate::common::world(Options { sleep: false, ..Options::default() });
        let bodies = stack(&mut w, 10, mass);
        let mut fastest = 0.0_f64;
        let mut from = Vec::new();
        for k in 0..240 {
            let report = w.step(STEP).unwrap();
            assert!(report.bounded.unconverged == 0, "{name} {k} {:?}", report.bounded);
            if k == 120 {
                from = bodies.iter().map(|&b| w[b].pos).collect();
            }
            if k > 60 {
                fastest = fastest.max(creep(&w, &bodies));
            }
        }
        // Each contact may err by 1e-9 m/s, the top of ten boxes by more, to and fro; that does not add up.
        let way = |(&b, &p): (&BodyId, &Vec3)| w[b].pos.distance(p);
        let drift = bodies.iter().zip(&from).map(way).fold(0.0, f64::max) / (119.0 * STEP);
        println!("{name}: speed {fastest:e}, drift {drift:e} m/s");
        assert!(fastest < 2e-7 && drift < 1e-8, "{name}: {fastest:e} {drift:e}");
        for (k, &b) in bodies.iter().enumerate() {
            let at = w[b].pos;
            assert!((at - Vec3::Y * (0.1 + 0.2 * k as f64)).length() < 1e-4, "{name} {k}: {at}");
        }
    }
}

#[test]
fn a_dropped_stack_comes_to_rest_without_penetration() {
    let mut w = World::new();
    plane(&mut w, Vec3::Y, Material::default());
    let bodies: Vec<BodyId> = (0..6)
        .map(|k| {
            put(&mut w, cube(0.1), Material::default(), Vec3::new(0.01 * (k % 2) as f64, 0.15 + 0.25 * k as f64, 0.0))
        })
        .collect();
    let mut depth = 0.0_f64;
    for k in 0..240 {
        let report = w.step(STEP).unwrap();
        if k > 120 {
            depth = depth.max(report.bounded.penetration);
        }
    }
    assert_eq!(w.sleeping(), 6);
    assert!(depth < 1e-5, "{depth:e}");
    for (k, &b) in bodies.iter().enumerate() {
        let at = w[b].pos;
        assert!((at.y - (0.1 + 0.2 * k as f64)).abs() < 1e-5 * (k + 1) as f64, "{k}: {at}");
    }
}

#[test]
fn the_same_scene_twice_is_the_same_to_the_bit() {
    for seed in 0..4 {
        let hash = || {
            let (mut w, _) = tumble(seed, 4, 0.5, 0.3);
            (0..120)
                .map(|_| {
                    w.step(STEP).unwrap();
                    w.state().hash()
                })
                .collect::<Vec<_>>()
        };
        assert_eq!(hash(), hash(), "{seed}");
    }
}

#[test]
fn a_snapshot_in_contact_repeats_bit_for_bit() {
    let (mut w, _) = tumble(5, 4, 0.5, 0.3);
    for k in 0..240 {
        w.step(STEP).unwrap();
        if k % 20 != 7 {
            continue;
        }
        let snapshot = w.state().clone();
        let mut run = || {
            (0..15)
                .map(|_| {
                    w.step(STEP).unwrap();
                    w.state().hash()
                })
                .collect::<Vec<_>>()
        };
        let first = run();
        w.restore(&snapshot).unwrap();
        let mut run = || {
            (0..15)
                .map(|_| {
                    w.step(STEP).unwrap();
                    w.state().hash()
                })
                .collect::<Vec<_>>()
        };
        assert_eq!(first, run(), "step {k}");
        w.restore(&snapshot).unwrap();
        assert_eq!(w.state(), &snapshot);
    }
}

/// A scene with unique forces: a ball and a box that slide and rebound on a tilted plane, and one that rests on three balls.
fn scene(place: &Pose, reverse: bool) -> (World, Vec<BodyId>) {
    let mut w = World::new();
    w.set_options(Options { gravity: place.rot * Vec3::new(0.0, -G, 0.0), ..Options::default() }).unwrap();
    let m = Material::new(0.3, 0.2);
    let ground = taut::Collider::new(Shape::ground()).of(m).at(place.pos).rotated(place.rot);
    w.add(ground.on(w.ground())).unwrap();
    let list = [
        (Shape::ball(0.1), Vec3::new(0.0, 0.1, 0.0), Vec3::new(1.0, 0.0, 0.3)),
        (Shape::ball(0.15), Vec3::new(0.5, 0.3, 0.0), Vec3::new(0.0, -1.0, 0.0)),
        (Shape::ball(0.2), Vec3::new(-1.5, 0.2, 0.0), Vec3::ZERO),
        (Shape::ball(0.2), Vec3::new(-1.0, 0.2, 0.0), Vec3::ZERO),
        (Shape::ball(0.2), Vec3::new(-1.25, 0.2, 0.4), Vec3::ZERO),
        (Shape::capsule(0.2, 0.1), Vec3::new(2.0, 0.6, 0.0), Vec3::new(0.5, 0.0, 0.0)),
        (Shape::cuboid(Vec3::new(0.4, 0.05, 0.4)), Vec3::new(-1.25, 0.45, 0.15), Vec3::ZERO),
    ];
    let mut ids = vec![w.ground(); list.len()];
    let order: Vec<usize> = if reverse { (0..list.len()).rev().collect() } else { (0..list.len()).collect() };
    for k in order {
        let (shape, at, v) = list[k].clone();
        let tilt = if k == 5 { Quat::from_rotation_z(0.5) } else { Quat::IDENTITY };
        let pose = Pose { pos: place.to_world(at), rot: place.rot * tilt };
        let (b, _) = solid(&mut w, shape, m, pose);
        w.set_velocity(b, place.rot * v, Vec3::ZERO).unwrap();
        ids[k] = b;
    }
    (w, ids)
}

/// Largest distance between two runs of the scene in `steps` steps.
fn part(place: &Pose, reverse: bool, steps: usize) -> f64 {
    let (mut a, ids_a) = scene(&Pose::IDENTITY, false);
    let (mut b, ids_b) = scene(place, reverse);
    let mut worst = 0.0_f64;
    for _ in 0..steps {
        a.step(STEP).unwrap();
        b.step(STEP).unwrap();
        for (&x, &y) in ids_a.iter().zip(&ids_b) {
            let (p, q) = (a.pose(x).unwrap(), b.pose(y).unwrap());
            let moved = Pose { pos: place.to_world(p.pos), rot: place.rot * p.rot };
            worst = worst.max(crate::common::pose_distance(&moved, &q));
        }
    }
    worst
}

#[test]
fn bodies_built_in_another_order_move_the_same_way() {
    let worst = part(&Pose::IDENTITY, true, 60);
    println!("another order: {worst:e}");
    assert!(worst < 1e-7, "{worst:e}");
}

#[test]
fn a_rotated_and_moved_scene_moves_the_same_way() {
    for (place, bound) in [
        (Pose { pos: Vec3::new(3.0, -2.0, 5.0), rot: Quat::IDENTITY }, 1e-9),
        (Pose { pos: Vec3::ZERO, rot: Quat::from_axis_angle(Vec3::new(1.0, 2.0, -0.5).normalize(), 1.1) }, 1e-9),
        (Pose { pos: Vec3::new(3.0, -2.0, 5.0), rot: Quat::from_rotation_x(2.5) }, 1e-9),
    ] {
        let worst = part(&place, false, 30);
        println!("placed: {worst:e}");
        assert!(worst < bound, "{worst:e}");
    }
}

#[test]
fn energy_does_not_rise_when_a_compliant_contact_lets_go() {
    let mut w = World::new();
    let soft = Material::new(0.0, 0.0).soft(1e-4, 0.0);
    plane(&mut w, Vec3::Y, soft);
    put(&mut w, Shape::ball(0.1), Material::new(0.0, 0.0), Vec3::Y * 0.8);
    let start = w.energy().unwrap().total();
    let mut last = start;
    let mut rise = 0.0_f64;
    for _ in 0..240 {
        let now = w.step(0.002).unwrap().energy.total();
        rise = rise.max(now - last);
        last = now;
    }

    assert!(rise < 1e-3 * start, "{rise} {start}");
}
