//! Cutting and tearing deformables in a world.

use crate::common::meshes::{bar, sheet};
use taut::prelude::*;
use taut::soft::{Cell, Material, Mesh, Plasticity};
use taut::{Cut, Deformable, DeformableId};

const G: f64 = 9.81;

fn rubber() -> Material {
    Material::new(1000.0, 1e6, 0.3)
}

/// A bar of 1 m that flies, turns and is stretched.
fn flying(material: &Material) -> (World, DeformableId) {
    let mut world = World::new();
    let soft = Deformable::new(&bar(Vec3::new(1.0, 0.2, 0.2), [6, 2, 2]), material).unwrap();
    let soft =
        soft.deformed(|x| x * Vec3::new(1.05, 1.0, 0.97)).moving(Vec3::new(1.0, 2.0, 0.5), Vec3::new(0.3, 1.0, 2.0));
    let id = world.add(soft).unwrap();
    (world, id)
}

/// Mass, momentum, angular momentum and kinetic energy of the free nodes of a part.
fn motion(world: &World, id: DeformableId, part: Option<u32>) -> (f64, Vec3, Vec3, f64) {
    let view = world.deformable(id).unwrap();
    let parts = view.elements().mesh().unwrap().part_of_nodes();
    let mut sum = (0.0, Vec3::ZERO, Vec3::ZERO, 0.0);
    for k in (0..view.node_count()).filter(|&k| part.is_none_or(|p| parts[k] == p)) {
        let node = world.body(view.node(k).unwrap()).unwrap();
        let (m, v) = (node.mass(), node.velocity());
        sum.0 += m;
        sum.1 += m * v;
        sum.2 += node.position().cross(m * v);
        sum.3 += 0.5 * m * v.length_squared();
    }
    sum
}

#[test]
fn a_bar_cut_in_the_middle_keeps_mass_momentum_and_energy_and_both_halves_fall_freely() {
    let (mut world, id) = flying(&rubber());
    for _ in 0..10 {
        world.step(0.005).unwrap();
    }
    let before = (motion(&world, id, None), world.energy().unwrap());
    let middle = world.deformable(id).unwrap().positions().sum::<Vec3>() / 63.0;
    let along =
        world.deformable(id).unwrap().position(62).unwrap() - world.deformable(id).unwrap().position(8).unwrap();
    let report = world.cut(id, &Cut::plane(middle, along)).unwrap();
    assert_eq!((report.seams, report.copies.len(), report.parts), (4, 9, 2));
    assert!(report.energy.abs() < 1e-12, "{}", report.energy);
    let after = (motion(&world, id, None), world.energy().unwrap());
    let ((m, p, l, t), (m1, p1, l1, t1)) = (before.0, after.0);
    assert!((m - m1).abs() < 1e-13 * m && (t - t1).abs() < 1e-13 * t, "{m} {m1} {t} {t1}");
    assert!((p - p1).length() < 1e-13 * p.length() && (l - l1).length() < 1e-12 * l.length());
    assert!((before.1.total() - after.1.total()).abs() < 1e-11 * t, "{:?} {:?}", before.1, after.1);
    let halves = [0, 1].map(|k| motion(&world, id, Some(k)));
    assert!((halves[0].0 - 20.0).abs() < 1e-12 && (halves[1].0 - 20.0).abs() < 1e-12);
    assert!((halves[0].1 + halves[1].1 - p).length() < 1e-13 * p.length());
    let mut worst = 0.0_f64;
    for _ in 0..40 {
        let report = world.step(0.005).unwrap();
        worst = worst.max(report.ledger.imbalance.abs());
        let (now, said) = (world.energy().unwrap(), report.energy);
        assert!((now.total() - said.total()).abs() < 1e-9, "{now:?} {said:?}");
    }
    assert!(worst < 1e-10, "{worst}");
    // 0.2 s of fall, each half by itself.
    for (k, half) in halves.iter().enumerate() {
        let now = motion(&world, id, Some(k as u32));
        let fall = half.1 - half.0 * G * 0.2 * Vec3::Y;
        assert!((now.1 - fall).length() < 1e-9, "{k}: {} {fall}", now.1);
    }
}

#[test]
fn a_cut_outside_changes_nothing() {
    let (mut world, id) = flying(&rubber());
    world.step(0.01).unwrap();
    let before = world.state().clone();
    let report = world.cut(id, &Cut::plane(100.0 * Vec3::X, Vec3::X)).unwrap();
    assert_eq!((report.seams, report.parts), (0, 1));
    let report = world.cut(id, &Cut::disc(Vec3::new(0.5, 5.0, 0.0), Vec3::X, 0.5)).unwrap();
    assert_eq!(report.seams, 0);
    assert!(world.state() == &before && world.restore(&before).is_ok());
}

#[test]
fn what_is_no_cut_is_refused_and_changes_nothing() {
    let (mut world, id) = flying(&rubber());
    let before = world.state().clone();
    let bad = [
        Cut::plane(Vec3::NAN, Vec3::X),
        Cut::plane(Vec3::ZERO, Vec3::ZERO),
        Cut::plane(Vec3::ZERO, f64::INFINITY * Vec3::X),
        Cut::disc(Vec3::ZERO, Vec3::X, -1.0),
        Cut::rectangle(Vec3::ZERO, [Vec3::X, 2.0 * Vec3::X]),
        Cut::blade(Vec3::ZERO, Vec3::X, Vec3::ZERO, 1.0),
        Cut::cells([(0, 24)]),
    ];
    for cut in bad {
        let error = world.cut(id, &cut).unwrap_err().to_string();
        assert!(error.contains("of the cut"), "{cut:?}: {error}");
        assert!(world.state() == &before);
    }
    assert!(world.set_tear_strength(id, Some(0.0)).is_err());
    world.remove(id).unwrap();
    assert!(world.cut(id, &Cut::cells([(0, 1)])).is_err());
}

/// A cloth of 1 m hung by its upper edge, z = 0, in the plane of x and y.
fn curtain() -> (World, DeformableId) {
    let mut world = World::new();
    let mut mesh = sheet(1.0, 1.0, [8, 8]);
    mesh.nodes.iter_mut().for_each(|x| *x = Vec3::new(x.x, -x.z, 0.0));
    let cloth = Material::new(300.0, 1e5, 0.3).thickness(1e-3).damping(0.01);
    let id = world.add(Deformable::new(&mesh, &cloth).unwrap().held(|x| x.y == 0.0)).unwrap();
    (world, id)
}

#[test]
fn a_cloth_cut_halfway_opens_only_there() {
    let (mut world, id) = curtain();
    // From below, up to the middle.
    let blade = Cut::blade(Vec3::new(0.5, -1.5, -1.0), Vec3::new(0.5, -1.5, 1.0), Vec3::Y, 1.0);
    let report = world.cut(id, &blade).unwrap();
    assert_eq!((report.seams, report.copies.len(), report.parts), (4, 4, 1));
    assert!(report.copies.iter().all(|&(old, _)| (old / 9 == 4) && old % 9 > 4), "{:?}", report.copies);
    // The corners of the cut are pulled apart.
    let last = report.copies[3];
    let ends = [last.0, last.1].map(|k| world.deformable(id).unwrap().node(k).unwrap());
    for _ in 0..100 {
        for (end, side) in [(ends[0], -1.0), (ends[1], 1.0)] {
            let at = world.body(end).unwrap().position();
            world.apply_force(end, 0.05 * side * Vec3::X, at).unwrap();
        }
        let report = world.step(0.01).unwrap();
        assert!(report.ledger.imbalance.abs() < 1e-9 && report.energy.total().is_finite());
    }
    let view = world.deformable(id).unwrap();
    let gap = |&(a, b): &(usize, usize)| (view.position(a).unwrap() - view.position(b).unwrap()).length();
    let gaps: Vec<f64> = report.copies.iter().map(gap).collect();
    assert!(gaps.is_sorted() && gaps[0] > 1e-3 && gaps[3] > 0.01, "{gaps:?}");
    assert_eq!((view.parts(), view.node_count()), (1, 85));
}

#[test]
fn a_hundred_random_cuts_of_a_cube_keep_its_mass_and_the_world_goes_on() {
    let run = || {
        let mut world = World::new();
        let material = Material::new(1000.0, 1e5, 0.3).plasticity(Plasticity {
            yield_strain: 0.05,
            creep_time: 0.1,
            max_strain: 1.0,
        });
        let soft = Deformable::new(&bar(Vec3::ONE, [4, 4, 4]), &material).unwrap();
        let id = world.add(soft.moving(Vec3::ZERO, Vec3::ONE)).unwrap();
        let mut seed = 1_u64;
        let mut random = move || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        for k in 0..100 {
            let centre = world.deformable(id).unwrap().positions().next().unwrap();
            let point = centre + Vec3::new(random(), random(), random());
            let normal = Vec3::new(random(), random(), random());
            let cut = if k % 3 == 0 { Cut::plane(point, normal) } else { Cut::disc(point, normal, 0.4) };
            let before = (world.deformable(id).unwrap().mass(), motion(&world, id, None));
            world.cut(id, &cut).unwrap();
            let after = (world.deformable(id).unwrap().mass(), motion(&world, id, None));
            assert!((before.0 - 1000.0).abs() < 1e-9 && (after.0 - 1000.0).abs() < 1e-9);
            assert!((before.1.3 - after.1.3).abs() < 1e-12 * before.1.3);
            if k % 10 == 0 {
                let report = world.step(0.002).unwrap();
                assert!(report.ledger.imbalance.abs() < 1e-8, "{:?}", report.ledger);
            }
        }
        (world.state().hash(), world.deformable(id).unwrap().parts(), world)
    };
    let (first, second) = (run(), run());
    assert_eq!((first.0, first.1), (second.0, second.1));
    assert!(first.1 > 5, "{}", first.1);
    // Worlds that were cut in the same way take each other's snapshots.
    let mut world = first.2;
    world.restore(second.2.state()).unwrap();
}

#[test]
fn a_snapshot_from_before_a_cut_is_refused_in_words() {
    let (mut world, id) = flying(&rubber());
    let old = world.state().clone();
    world.cut(id, &Cut::cells([(8, 12)])).unwrap();
    let now = world.state().clone();
    let error = world.restore(&old).unwrap_err().to_string();
    assert!(error.contains("cut or torn since the snapshot"), "{error}");
    assert!(world.state() == &now);
    // One from after it is taken.
    world.step(0.01).unwrap();
    let hash = world.state().hash();
    world.restore(&now).unwrap();
    world.step(0.01).unwrap();
    assert_eq!(world.state().hash(), hash);
    world.remove(id).unwrap();
    assert_eq!((world.deformables().count(), world.bodies().count()), (0, 1));
}

#[test]
fn copies_have_the_colliders_locks_and_bindings_of_their_nodes() {
    let mut world = World::new();
    world.add(Collider::new(Shape::ground()).at(-0.5 * Vec3::Y).on(world.ground())).unwrap();
    let plate =
        world.add(Body::dynamic(MassProperties::cuboid(1000.0, Vec3::splat(0.1)).unwrap()).at(-0.1 * Vec3::X)).unwrap();
    let soft = Deformable::new(&bar(Vec3::new(1.0, 0.2, 0.2), [4, 1, 2]), &rubber()).unwrap();
    let id = world.add(soft.bound(plate, |x| x.x == 0.0)).unwrap();
    for k in 6..30 {
        let node = world.deformable(id).unwrap().node(k).unwrap();
        world.add(Collider::new(Shape::ball(0.02)).on(node).friction(0.3)).unwrap();
    }
    let locked = world.deformable(id).unwrap().node(28).unwrap();
    world.set_locks(locked, Locks { linear: [true, false, false], angular: [false; 3] }).unwrap();
    // Along the bar: the nodes of its middle plane are doubled, the bound ones too.
    let report = world.cut(id, &Cut::plane(0.1 * Vec3::Z, Vec3::Z)).unwrap();
    assert_eq!((report.seams, report.copies.len(), report.parts), (4, 10, 2));
    let view = world.deformable(id).unwrap();
    for &(old, new) in &report.copies {
        assert_eq!(view.is_bound(old).unwrap(), view.is_bound(new).unwrap());
        assert_eq!(view.is_bound(old).unwrap(), old < 6);
        let [a, b] = [old, new].map(|k| world.body(view.node(k).unwrap()).unwrap());
        assert_eq!((a.position(), a.velocity(), a.locks()), (b.position(), b.velocity(), b.locks()));
        if old >= 6 {
            assert_eq!((a.colliders().len(), b.colliders().len()), (1, 1));
            let (c, d) = (world.collider(a.colliders()[0]).unwrap(), world.collider(b.colliders()[0]).unwrap());
            assert_eq!((c.shape, c.material), (d.shape, d.material));
        } else {
            assert_eq!(a.id(), plate);
        }
    }
    let mut worst = 0.0_f64;
    for _ in 0..100 {
        worst = worst.max(world.step(0.005).unwrap().ledger.imbalance.abs());
    }
    assert!(worst < 1e-8, "{worst}");
}

/// A bar along x, held at one end, of ten bricks, the sixth of them of half the width.
fn necked(strength: f64) -> (World, DeformableId) {
    let mut mesh = bar(Vec3::new(1.0, 0.1, 0.1), [10, 1, 1]);
    for x in mesh.nodes.iter_mut().filter(|x| (x.x - 0.55).abs() < 0.06 && x.y > 0.05) {
        x.y = 0.05;
    }
    let mut world = World::new();
    world.set_options(Options { gravity: Vec3::ZERO, ..Options::default() }).unwrap();
    let soft = Deformable::new(&mesh, &Material::new(1000.0, 1e6, 0.0).damping(0.01)).unwrap();
    let id = world.add(soft.held(|x| x.x == 0.0).strength(strength)).unwrap();
    (world, id)
}

#[test]
fn a_bar_pulled_beyond_its_strength_breaks_at_its_neck_and_the_ledger_closes() {
    let run = || {
        let (mut world, id) = necked(3e4);
        let (mut torn, mut worst) = (Vec::new(), 0.0_f64);
        for k in 0..400 {
            // Until it breaks, 10^4 Pa a second on the end of 0.01 m^2.
            let force = 100.0 * 0.01 * f64::from(k) / 4.0;
            for n in (40..44).filter(|_| torn.is_empty()) {
                let node = world.deformable(id).unwrap().node(n).unwrap();
                let at = world.body(node).unwrap().position();
                world.apply_force(node, force * Vec3::X, at).unwrap();
            }
            let report = world.step(0.01).unwrap();
            worst = worst.max(report.ledger.imbalance.abs());
            let now = world.energy().unwrap().total();
            assert!((now - report.energy.total()).abs() < 1e-9 * now.abs().max(1.0));
            torn.extend(report.events.iter().filter_map(|e| match *e {
                Event::Torn { deformable, seams, copies, parts, stress } if deformable == id => {
                    Some((k, seams, copies, parts, stress))
                }
                _ => None,
            }));
        }
        let mesh = world.deformable(id).unwrap().elements().mesh().unwrap();
        let free = mesh
            .part_of_nodes()
            .iter()
            .zip(&mesh.nodes)
            .filter(|(p, _)| **p == 1)
            .map(|(_, x)| x.x)
            .fold(1.0, f64::min);
        (torn, worst, free, world.state().hash())
    };
    let (torn, worst, at, hash) = run();
    println!("{torn:?} {worst:.1e} {at}");
    assert_eq!(torn.len(), 1, "{torn:?}");
    let (k, seams, copies, parts, stress) = torn[0];
    assert_eq!((seams, copies, parts), (1, 4, 2));
    // At the neck, where the mean of two cells passes the strength first; the whole section carries half of that.
    assert!((0.5..=0.6).contains(&at) && stress > 3e4 && stress < 3.3e4, "{at} {stress}");
    assert!((140..300).contains(&k), "{k}");
    assert!(worst < 1e-9, "{worst}");
    assert_eq!(run().3, hash);
    assert!(necked(1e9).0.step(0.01).unwrap().events.is_empty());
}

#[test]
fn a_sheet_that_tears_books_the_bending_that_it_loses() {
    let mut world = World::new();
    let mut mesh = sheet(1.0, 0.2, [8, 2]);
    mesh.nodes.iter_mut().for_each(|x| *x = Vec3::new(x.x, -x.z, 0.0));
    let plate = Material::new(500.0, 1e7, 0.3).thickness(5e-3);
    let arched = |x: Vec3| Vec3::new(1.02 * x.x, x.y, 0.1 * x.x * (1.0 - x.x));
    let soft = Deformable::new(&mesh, &plate).unwrap().held(|x| x.x == 0.0 || x.x == 1.0).deformed(arched);
    let id = world.add(soft.strength(2e5)).unwrap();
    let (mut broken, mut events, mut worst) = (0.0, 0, 0.0_f64);
    for _ in 0..100 {
        let before = world.energy().unwrap().total();
        let report = world.step(0.002).unwrap();
        let ledger = report.ledger;
        broken += ledger.broken;
        events += report.events.iter().filter(|e| matches!(e, Event::Torn { .. })).count();
        worst = worst.max(ledger.imbalance.abs());
        let after = world.energy().unwrap().total();
        assert!((after - before - ledger.change).abs() < 1e-9, "{} {}", after - before, ledger.change);
    }
    println!("{events} {broken} {worst:.1e} {}", world.deformable(id).unwrap().parts());
    assert!(events > 0 && broken < 0.0 && worst < 1e-9, "{events} {broken} {worst}");
}

#[test]
fn a_string_of_bars_breaks_where_it_carries_most() {
    let nodes: Vec<Vec3> = (0..=20).map(|k| -0.05 * f64::from(k) * Vec3::Y).collect();
    let mesh = Mesh { nodes, cells: (0..20).map(|k| Cell::bar2([k, k + 1])).collect() };
    let mut world = World::new();
    // Its own weight of 98.1 N on 1 cm^2, and slack in time: 0.98 MPa at the top.
    let string = Material::new(1e5, 1e8, 0.0).area(1e-4).damping(0.05);
    let id = world.add(Deformable::new(&mesh, &string).unwrap().held(|x| x.y == 0.0).strength(0.8e6)).unwrap();
    let mut first = None;
    for _ in 0..200 {
        for event in world.step(0.002).unwrap().events {
            if let Event::Torn { parts, .. } = event {
                first = first.or(Some(parts));
            }
        }
    }
    assert_eq!(first, Some(2));
    let view = world.deformable(id).unwrap();
    assert_eq!((view.parts(), view.node_count()), (2, 22));
    assert!(view.elements().rest()[21].y > -0.11, "near the top: {}", view.elements().rest()[21]);
    assert!(view.position(20).unwrap().y < -1.1, "the rest falls");
}

/// A bar of tetrahedra, six to a brick.
fn tet_bar(size: Vec3, cells: [usize; 3]) -> Mesh {
    const SIX: [[usize; 4]; 6] = [[0, 1, 2, 6], [0, 2, 3, 6], [0, 3, 7, 6], [0, 7, 4, 6], [0, 4, 5, 6], [0, 5, 1, 6]];
    let bricks = bar(size, cells);
    let parts = |brick: &Cell| SIX.map(|t| Cell::tet4(t.map(|k| brick.nodes()[k])));
    Mesh { cells: bricks.cells.iter().flat_map(parts).collect(), nodes: bricks.nodes }
}

#[test]
fn a_cut_through_cells_that_keep_their_volume_together_gives_no_energy_and_the_ledger_closes() {
    let mut world = World::new();
    let soft =
        Deformable::new(&tet_bar(Vec3::new(1.0, 0.2, 0.2), [5, 2, 2]), &Material::new(1000.0, 1e6, 0.49)).unwrap();
    let id = world.add(soft.held(|x| x.x == 0.0).deformed(|x| x * Vec3::new(1.1, 0.96, 0.96))).unwrap();
    for _ in 0..5 {
        world.step(0.005).unwrap();
    }
    let before = world.energy().unwrap().total();
    let report = world.cut(id, &Cut::plane(Vec3::new(0.5, 0.0, 0.0), Vec3::new(1.0, 0.3, 0.2))).unwrap();
    let after = world.energy().unwrap().total();
    assert_eq!(report.parts, 2);
    assert!((after - before - report.energy).abs() < 1e-11 * before.abs(), "{before} {after} {}", report.energy);
    assert!(report.energy.abs() < 1e-11 * before.abs(), "{}", report.energy);
    let mut worst = 0.0_f64;
    let mut last = after;
    for _ in 0..40 {
        let report = world.step(0.005).unwrap();
        worst = worst.max(report.ledger.imbalance.abs());
        let now = world.energy().unwrap().total();
        assert!((now - last - report.ledger.change).abs() < 1e-9, "{} {}", now - last, report.ledger.change);
        last = now;
    }
    println!("{} {worst:.1e}", report.energy);
    assert!(worst < 1e-10, "{worst}");
}

#[test]
fn joints_stay_on_the_node_and_its_own_mass_is_what_is_split() {
    let mut world = World::new();
    let soft = Deformable::new(&bar(Vec3::new(1.0, 0.2, 0.2), [2, 1, 1]), &rubber()).unwrap();
    let id = world.add(soft).unwrap();
    let node = world.deformable(id).unwrap().node(4).unwrap();
    world.set_mass(node, &MassProperties::sphere(1.0, 1.0).unwrap().with_mass(9.0).unwrap()).unwrap();
    let ball = world.add(Ball::between(node, world.ground())).unwrap();
    let report = world.cut(id, &Cut::cells([(1, 0)])).unwrap();
    assert_eq!(report.copies, [(4, 12), (5, 13), (6, 14), (7, 15)]);
    let view = world.deformable(id).unwrap();
    let copy = view.node(12).unwrap();
    assert_eq!((world.joint(ball).unwrap().bodies().0, view.node(4).unwrap()), (node, node));
    let masses = [node, copy].map(|b| world.body(b).unwrap().mass());
    assert!((masses[0] - 4.5).abs() < 1e-12 && (masses[1] - 4.5).abs() < 1e-12, "{masses:?}");
    for _ in 0..50 {
        world.step(0.01).unwrap();
    }
    assert!(world.body(node).unwrap().position().y > -0.01 && world.body(copy).unwrap().position().y < -1.0);
}

#[test]
fn what_sleeps_wakes_when_it_is_cut() {
    let mut world = World::new();
    world.add(Collider::new(Shape::ground()).on(world.ground()).friction(0.8)).unwrap();
    let block = Deformable::new(&bar(Vec3::splat(0.3), [2, 1, 1]), &rubber().damping(0.05)).unwrap();
    let id = world.add(block.at(0.021 * Vec3::Y)).unwrap();
    for k in 0..12 {
        let node = world.deformable(id).unwrap().node(k).unwrap();
        world.add(Collider::new(Shape::ball(0.02)).on(node).friction(0.8)).unwrap();
    }
    let mut steps = 0;
    while world.sleeping() == 0 && steps < 1000 {
        world.step(0.01).unwrap();
        steps += 1;
    }
    assert_eq!(world.sleeping(), 12, "after {steps}");
    world.cut(id, &Cut::cells([(0, 1)])).unwrap();
    assert_eq!(world.sleeping(), 0);
    for _ in 0..1000 {
        let report = world.step(0.01).unwrap();
        assert!(report.ledger.imbalance.abs() < 1e-8, "{:?}", report.ledger);
    }
    let view = world.deformable(id).unwrap();
    assert!(view.positions().all(|x| x.y > 0.0 && x.length() < 1.0));
    assert_eq!(world.sleeping(), 16, "both halves rest");
}

#[test]
fn a_soft_block_of_tetrahedra_torn_apart_stays_sound() {
    let mut world = World::new();
    let material = Material::new(1000.0, 1e5, 0.49).damping(0.002);
    let soft = Deformable::new(&tet_bar(Vec3::new(0.6, 0.3, 0.3), [6, 3, 3]), &material).unwrap();
    let jaw = world.add(Body::kinematic().at(0.6 * Vec3::X).moving(0.5 * Vec3::X, Vec3::ZERO)).unwrap();
    let id = world.add(soft.held(|x| x.x == 0.0).bound(jaw, |x| x.x == 0.6).strength(1.5e4)).unwrap();
    let (mut worst, mut torn, mut broken) = (0.0_f64, 0, 0.0);
    for _ in 0..100 {
        let report = world.step(0.01).unwrap();
        worst = worst.max(report.ledger.imbalance.abs());
        broken += report.ledger.broken;
        torn += report.events.iter().filter(|e| matches!(e, Event::Torn { .. })).count();
    }
    let view = world.deformable(id).unwrap();
    println!("{torn} {} {worst:.1e} {broken}", view.parts());
    assert!(torn > 0 && view.parts() > 1 && worst < 1e-8, "{torn} {} {worst}", view.parts());
    assert!((view.mass() - 54.0).abs() < 1e-10);
}

#[test]
fn the_skin_of_what_was_cut_covers_both_halves() {
    let mut world = World::new();
    world.add(Collider::new(Shape::ground()).on(world.ground())).unwrap();
    let soft = Deformable::new(&bar(Vec3::new(0.4, 0.2, 0.2), [4, 2, 2]), &rubber().damping(0.01)).unwrap();
    let id = world.add(soft.at(0.05 * Vec3::Y).skin(0.01)).unwrap();
    for _ in 0..30 {
        world.step(0.01).unwrap();
    }
    let report = world.cut(id, &Cut::plane(0.2 * Vec3::X, Vec3::X)).unwrap();
    assert_eq!((report.copies.len(), report.parts), (9, 2));
    let mut worst = 0.0_f64;
    for _ in 0..100 {
        let report = world.step(0.01).unwrap();
        worst = worst.max(report.ledger.imbalance.abs());
    }
    let view = world.deformable(id).unwrap();
    let speed = (0..view.node_count()).map(|k| view.velocity(k).unwrap().length()).fold(0.0, f64::max);
    println!("{worst:.1e} {speed}");
    assert!(view.positions().all(|x| x.y > 0.005 && x.length() < 0.7) && speed < 0.1 && worst < 1e-8);
}
