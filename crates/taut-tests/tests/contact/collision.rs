//! Collision through the public interface: contacts of every pair of shapes against what geometry says, filters, queries,
//! refused input.

use taut::{
    Ball, Body, BodyId, Collider, ColliderId, Error, MassProperties, Material, Options, Pose, Quat, Shape, Vec3, World,
    queries::QueryFilter, shapes::Combine, shapes::Groups, views::ContactView,
};

const H: f64 = 1.0 / 60.0;

fn world() -> World {
    crate::common::world(Options { gravity: Vec3::ZERO, ..Options::default() })
}

fn body(w: &mut World, at: Vec3) -> BodyId {
    w.add(Body::dynamic(MassProperties::sphere(1000.0, 0.1).unwrap()).at(at)).unwrap()
}

fn solid(w: &mut World, pose: Pose, shape: &Shape) -> (BodyId, ColliderId) {
    let b = body(w, pose.pos);
    w.set_pose(b, pose).unwrap();
    let c = w.add(Collider::new(shape.clone()).on(b)).unwrap();
    (b, c)
}

fn fixed(w: &mut World, pose: Pose, shape: &Shape) -> (BodyId, ColliderId) {
    let b = w.add(Body::fixed().at(pose.pos).rotated(pose.rot)).unwrap();
    let c = w.add(Collider::new(shape.clone()).on(b)).unwrap();
    (b, c)
}

fn about(axis: Vec3, angle: f64) -> Quat {
    Quat::from_axis_angle(axis.normalize(), angle)
}

/// A square of triangles, all flat, corners at +-2.
fn flat_mesh(cells: u32) -> Shape {
    let n = cells + 1;
    let at = |k: u32| (f64::from(k) / f64::from(cells) - 0.5) * 4.0;
    let vertices = (0..n * n).map(|k| Vec3::new(at(k % n), 0.0, at(k / n))).collect();
    let quad = |k: u32| {
        let c = k % cells + k / cells * n;
        [[c, c + n, c + 1], [c + 1, c + n, c + n + 1]]
    };
    Shape::Mesh { vertices, triangles: (0..cells * cells).flat_map(quad).collect() }
}

fn prism() -> Shape {
    // Twelve corners: a hexagonal prism with flat ends, half height 0.7, circumradius 0.8.
    let corner = |k: u32| {
        let angle = f64::from(k % 6) * std::f64::consts::FRAC_PI_3;
        Vec3::new(0.8 * angle.cos(), if k < 6 { -0.7 } else { 0.7 }, 0.8 * angle.sin())
    };
    Shape::ConvexHull { points: (0..12).map(corner).collect() }
}

/// Shape, half height along y, points that its underside gives on a large flat surface.
fn convex() -> Vec<(Shape, f64, usize)> {
    let low = Shape::cuboid(Vec3::new(0.5, 0.5, 0.5));
    let parts = vec![(Pose::at(Vec3::X * -0.8), low.clone()), (Pose::at(Vec3::X * 0.8), low)];
    vec![
        (Shape::ball(0.6), 0.6, 1),
        (Shape::cuboid(Vec3::new(0.5, 0.6, 0.7)), 0.6, 4),
        (Shape::capsule(0.4, 0.5), 0.9, 1),
        (Shape::cylinder(0.6, 0.7), 0.6, 4),
        (prism(), 0.7, 4),
        (Shape::Compound { parts }, 0.5, 8),
    ]
}

fn flat() -> Vec<Shape> {
    vec![
        Shape::ground(),
        flat_mesh(1),
        flat_mesh(7),
        Shape::HeightField { heights: vec![vec![0.0; 6]; 5], scale: Vec3::new(4.0, 1.0, 4.0) },
    ]
}

/// Contacts between two bodies, seen with the first as a.
fn between(w: &mut World, a: BodyId, b: BodyId) -> Vec<ContactView> {
    let all = w.predict_contacts(H).unwrap();
    all.into_iter()
        .filter(|c| c.bodies == (a, b) || c.bodies == (b, a))
        .map(|c| {
            if c.bodies.0 == a {
                return c;
            }
            let (x, y) = c.colliders;
            ContactView { colliders: (y, x), bodies: (a, b), normal: -c.normal, ..c }
        })
        .collect()
}

fn frames() -> Vec<Pose> {
    vec![
        Pose::IDENTITY,
        Pose { pos: Vec3::new(3.0, -20.0, 7.0), rot: about(Vec3::new(1.0, 2.0, -0.5), 1.1) },
        Pose { pos: Vec3::new(-1e4, 3e3, 0.5), rot: about(Vec3::new(-0.3, 0.2, 1.0), -2.4) },
    ]
}

fn inside(frame: &Pose, local: Pose) -> Pose {
    Pose { pos: frame.to_world(local.pos), rot: frame.rot * local.rot }
}

#[test]
fn every_convex_pair_one_above_the_other() {
    for (low, low_height, low_points) in convex() {
        for (high, high_height, high_points) in convex() {
            for gap in [0.004, 0.0, -0.004] {
                for frame in frames() {
                    for swap in [false, true] {
                        let mut w = world();
                        let above = Pose::at(Vec3::Y * (low_height + high_height + gap));
                        let (poses, shapes) = ([Pose::IDENTITY, above], [&low, &high]);
                        let order = if swap { [1, 0] } else { [0, 1] };
                        let ids = order.map(|k| solid(&mut w, inside(&frame, poses[k]), shapes[k]).0);
                        let (bottom, top) = (ids[order[0]], ids[order[1]]);
                        let found = between(&mut w, top, bottom);
                        let what = format!("{} on {} gap {gap} swap {swap} {frame:?}", high.name(), low.name());
                        // Two compounds lie side by side on each other; round ones give fewer points.
                        let least = if low_points.min(high_points) == 1 { 1 } else { 4 };
                        let gapped = matches!((&low, &high), (Shape::Compound { .. }, _) | (_, Shape::Compound { .. }));
                        if gapped && low_points.min(high_points) == 1 {
                            // A ball between two boxes touches neither from above.
                            continue;
                        }
                        assert!(found.len() >= least, "{what}: {} points", found.len());
                        for c in &found {
                            assert!((c.distance - gap).abs() < 1e-9 * (1.0 + frame.pos.length()), "{what}: {c:?}");
                            assert!((c.normal - frame.rot * Vec3::Y).length() < 1e-9, "{what}: {c:?}");
                            let height = frame.to_local(c.point).y - low_height;
                            assert!((height - 0.5 * gap).abs() < 1e-9 * (1.0 + frame.pos.length()), "{what}: {c:?}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn every_convex_shape_on_every_flat_surface() {
    for surface in flat() {
        for (shape, height, points) in convex() {
            for gap in [0.004, 0.0, -0.004] {
                for frame in frames() {
                    let mut w = world();
                    let above = Pose { pos: Vec3::new(0.137, height + gap, -0.271), rot: about(Vec3::Y, 0.3) };
                    let (ground, _) = fixed(&mut w, frame, &surface);
                    let (b, _) = solid(&mut w, inside(&frame, above), &shape);
                    let found = between(&mut w, b, ground);
                    let what = format!("{} on {} gap {gap} {frame:?}", shape.name(), surface.name());
                    assert_eq!(found.len(), points, "{what}: {found:?}");
                    for c in &found {
                        assert!((c.distance - gap).abs() < 1e-9 * (1.0 + frame.pos.length()), "{what}: {c:?}");
                        assert!((c.normal - frame.rot * Vec3::Y).length() < 1e-9, "{what}: {c:?}");
                    }
                }
            }
        }
    }
}

/// Area of the polygon around points in the x-z plane.
fn area(points: &[ContactView]) -> f64 {
    let middle = points.iter().fold(Vec3::ZERO, |s, c| s + c.point) / points.len() as f64;
    let mut ring: Vec<Vec3> = points.iter().map(|c| c.point - middle).collect();
    ring.sort_by(|a, b| a.z.atan2(a.x).total_cmp(&b.z.atan2(b.x)));
    let n = ring.len();
    0.5 * (0..n).map(|k| ring[k].z * ring[(k + 1) % n].x - ring[k].x * ring[(k + 1) % n].z).sum::<f64>().abs()
}

#[test]
fn a_box_on_a_box_has_four_points_around_the_common_area() {
    let (small, large) = (Shape::cuboid(Vec3::new(0.5, 0.5, 0.5)), Shape::cuboid(Vec3::new(2.0, 0.5, 2.0)));
    for angle in [0.0, 0.2, 0.7] {
        let mut w = world();
        let (low, _) = solid(&mut w, Pose::IDENTITY, &large);
        let (top, _) = solid(&mut w, Pose { pos: Vec3::Y, rot: about(Vec3::Y, angle) }, &small);
        let found = between(&mut w, top, low);
        assert_eq!(found.len(), 4);
        assert!((area(&found) - 1.0).abs() < 1e-12, "{}", area(&found));
    }
    // Half over the edge: half the area. Equal boxes on each other: all of it.
    let mut w = world();
    let (low, _) = solid(&mut w, Pose::IDENTITY, &large);
    let (top, _) = solid(&mut w, Pose::at(Vec3::new(2.0, 1.0, 0.3)), &small);
    let found = between(&mut w, top, low);
    assert!(found.len() == 4 && (area(&found) - 0.5).abs() < 1e-12, "{found:?}");
    let mut w = world();
    let (low, _) = solid(&mut w, Pose::IDENTITY, &small);
    let (top, _) = solid(&mut w, Pose::at(Vec3::Y), &small);
    let found = between(&mut w, top, low);
    assert!(found.len() == 4 && (area(&found) - 1.0).abs() < 1e-12, "{found:?}");
}

#[test]
fn corners_and_edges_touch_along_the_line_between_them() {
    let cube = Shape::cuboid(Vec3::splat(0.5));
    let diagonal = Vec3::ONE.normalize();
    // A ball at a corner.
    let mut w = world();
    let (c, _) = solid(&mut w, Pose::IDENTITY, &cube);
    let (b, _) = solid(&mut w, Pose::at(Vec3::splat(0.5) + diagonal * 0.503), &Shape::ball(0.5));
    let found = between(&mut w, b, c);
    assert_eq!(found.len(), 1);
    assert!((found[0].distance - 0.003).abs() < 1e-12 && (found[0].normal - diagonal).length() < 1e-9, "{found:?}");
    // Two crossed edges.
    let mut w = world();
    let turn = about(Vec3::Z, std::f64::consts::FRAC_PI_4);
    let half = 0.5_f64.sqrt();
    let (low, _) = solid(&mut w, Pose { pos: Vec3::ZERO, rot: turn }, &cube);
    let over = about(Vec3::Y, std::f64::consts::FRAC_PI_2) * turn;
    for gap in [0.004, -0.004] {
        let (top, _) = solid(&mut w, Pose { pos: Vec3::Y * (2.0 * half + gap), rot: over }, &cube);
        let found = between(&mut w, top, low);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!((found[0].distance - gap).abs() < 1e-9 && (found[0].normal - Vec3::Y).length() < 1e-9, "{found:?}");
        assert!((found[0].point - Vec3::Y * (half + 0.5 * gap)).length() < 1e-9);
        w.remove(top).unwrap();
    }
    // Corner to corner, apart along the diagonal: no face overlaps another.
    let mut w = world();
    let (low, _) = solid(&mut w, Pose::IDENTITY, &cube);
    let (top, _) = solid(&mut w, Pose::at(Vec3::ONE + diagonal * 0.004), &cube);
    let found = between(&mut w, top, low);
    assert_eq!(found.len(), 1);
    assert!((found[0].distance - 0.004).abs() < 1e-9 && (found[0].normal - diagonal).length() < 1e-6, "{found:?}");
}

#[test]
fn parallel_capsules_touch_in_two_points() {
    let mut w = world();
    let capsule = Shape::capsule(0.8, 0.5);
    let lie = about(Vec3::X, std::f64::consts::FRAC_PI_2);
    let (low, _) = solid(&mut w, Pose { pos: Vec3::ZERO, rot: lie }, &capsule);
    let (top, _) = solid(&mut w, Pose { pos: Vec3::new(0.0, 1.002, 0.5), rot: lie }, &capsule);
    let found = between(&mut w, top, low);
    let mut z: Vec<f64> = found.iter().map(|c| c.point.z).collect();
    z.sort_by(f64::total_cmp);
    assert!(z.len() == 2 && (z[0] + 0.3).abs() < 1e-9 && (z[1] - 0.8).abs() < 1e-9, "{found:?}");
    assert!(found.iter().all(|c| (c.distance - 0.002).abs() < 1e-12 && (c.normal - Vec3::Y).length() < 1e-9));
}

#[test]
fn nothing_catches_on_the_inner_edges_of_a_flat_surface() {
    for surface in &flat()[1..] {
        for (shape, height, _) in convex() {
            let mut w = world();
            let (ground, _) = fixed(&mut w, Pose::IDENTITY, surface);
            let (b, _) = solid(&mut w, Pose::IDENTITY, &shape);
            for k in 0..200 {
                let x = f64::from(k) * 0.01 - 1.0;
                for gap in [0.003, 0.0, -0.003] {
                    let pose = Pose { pos: Vec3::new(x, height + gap, 0.3 * x), rot: about(Vec3::Y, x) };
                    w.set_pose(b, pose).unwrap();
                    w.set_velocity(b, Vec3::new(4.0, 0.0, 1.2), Vec3::ZERO).unwrap();
                    let found = between(&mut w, b, ground);
                    assert!(!found.is_empty(), "{} on {} at {x}", shape.name(), surface.name());
                    for c in &found {
                        assert!((c.normal - Vec3::Y).length() < 1e-9, "{} on {}: {c:?}", shape.name(), surface.name());
                        assert!((c.distance - gap).abs() < 1e-9, "{} on {}: {c:?}", shape.name(), surface.name());
                    }
                }
            }
        }
    }
}

#[test]
fn bodies_beside_each_other_do_not_meet() {
    // A ball that flies past a wall, however fast, gets no contact with it.
    let mut w = world();
    let (wall, _) = fixed(&mut w, Pose::IDENTITY, &Shape::cuboid(Vec3::new(0.005, 1.0, 1.0)));
    let (b, _) = solid(&mut w, Pose::at(Vec3::new(-3.0, 1.2, 0.0)), &Shape::ball(0.1));
    for speed in [1.0, 50.0, 500.0] {
        w.set_velocity(b, Vec3::X * speed, Vec3::ZERO).unwrap();
        assert!(between(&mut w, b, wall).is_empty(), "{speed} m/s");
    }
    // Nor does one that leaves it.
    w.set_pose(b, Pose::at(Vec3::new(-0.2, 0.0, 0.0))).unwrap();
    w.set_velocity(b, Vec3::X * -100.0, Vec3::ZERO).unwrap();
    assert!(between(&mut w, b, wall).is_empty());
}

#[test]
fn filters_decide_who_meets() {
    let ball = || Collider::new(Shape::ball(0.5));
    let pair = |x: Collider, y: Collider| {
        let mut w = world();
        let (a, b) = (body(&mut w, Vec3::ZERO), body(&mut w, Vec3::X * 0.99));
        w.add(x.on(a)).unwrap();
        w.add(y.on(b)).unwrap();
        (w, a, b)
    };
    let count = |(w, ..): &mut (World, BodyId, BodyId)| w.predict_contacts(H).unwrap().len();
    assert_eq!(count(&mut pair(ball(), ball())), 1);
    assert_eq!(count(&mut pair(ball().grouped(1, 2), ball().grouped(2, 1))), 1);
    assert_eq!(count(&mut pair(ball().grouped(1, 2), ball().grouped(2, 4))), 0);
    assert_eq!(count(&mut pair(ball().grouped(1, 4), ball().grouped(2, 1))), 0);
    assert_eq!(count(&mut pair(ball().sensing(), ball())), 0);

    let mut p = pair(ball(), ball());
    p.0.set_collision(p.2, p.1, false).unwrap();
    assert_eq!(count(&mut p), 0);
    p.0.set_collision(p.1, p.2, true).unwrap();
    assert_eq!(count(&mut p), 1);
    // Joined bodies, unless they are told to.
    let mut p = pair(ball(), ball());
    let joint = p.0.add(Ball::between(p.1, p.2).at(Vec3::X * 0.5)).unwrap();
    assert_eq!(count(&mut p), 0);
    p.0.set_collision(p.1, p.2, true).unwrap();
    assert_eq!(count(&mut p), 1);
    let mut p = pair(ball(), ball());
    p.0.add(Ball::between(p.1, p.2).at(Vec3::X * 0.5)).unwrap();
    assert_eq!(count(&mut p), 0);
    let _ = joint;
    // Groups that change mid-run.
    let mut p = pair(ball(), ball());
    let c = p.0.colliders_of(p.1).unwrap()[0];
    p.0.set_groups(c, Groups { member: 1, with: 0 }).unwrap();
    assert_eq!(count(&mut p), 0);
    p.0.set_groups(c, Groups::ALL).unwrap();
    assert_eq!(count(&mut p), 1);
    // Colliders of one body.
    let mut w = world();
    let a = body(&mut w, Vec3::ZERO);
    w.add(ball().on(a)).unwrap();
    w.add(ball().at(Vec3::X * 0.2).on(a)).unwrap();
    assert_eq!(w.predict_contacts(H).unwrap().len(), 0);
    // Fixed bodies.
    let mut w = world();
    fixed(&mut w, Pose::IDENTITY, &Shape::ball(0.5));
    fixed(&mut w, Pose::IDENTITY, &Shape::ground());
    assert_eq!(w.predict_contacts(H).unwrap().len(), 0);
}

#[test]
fn colliders_come_and_go_with_their_bodies() {
    let mut w = world();
    let (a, ca) = solid(&mut w, Pose::IDENTITY, &Shape::ball(0.5));
    let (b, cb) = solid(&mut w, Pose::at(Vec3::X * 0.99), &Shape::ball(0.5));
    let second = w.add(Collider::new(Shape::ball(0.1)).at(Vec3::Y).named("horn").on(a)).unwrap();
    assert_eq!(w.colliders_of(a).unwrap(), [ca, second]);
    assert_eq!(w.colliders().count(), 3);
    let view = w.collider(second).unwrap();
    assert_eq!((view.body, view.name, view.pose.pos, view.shape), (a, "horn", Vec3::Y, &Shape::ball(0.1)));
    w.set_pair_material(ca, cb, Material::new(0.1, 0.2)).unwrap();
    assert_eq!(w.predict_contacts(H).unwrap().len(), 1);
    w.remove(b).unwrap();
    assert_eq!(w.predict_contacts(H).unwrap().len(), 0);
    assert!(matches!(w.collider(cb), Err(Error::Handle { what: "collider", .. })));
    assert!(w.set_groups(cb, Groups::ALL).is_err() && w.remove(cb).is_err());
    assert!(w.set_pair_material(ca, cb, Material::default()).is_err());
    w.remove(ca).unwrap();
    assert_eq!(w.colliders_of(a).unwrap(), [second]);
    assert_eq!(w.contacts().count(), 0);
    // A new one in the old slot is another one.
    let (_, new) = solid(&mut w, Pose::IDENTITY, &Shape::ball(0.5));
    assert!(new != ca && new != cb);
    // Colliders do not change how a state fits its world.
    let snapshot = w.state().clone();
    w.set_material(second, Material::new(0.9, 0.1).combined(Combine::Max)).unwrap();
    w.restore(&snapshot).unwrap();
    w.add(Collider::new(Shape::ball(0.3)).on(a)).unwrap();
    assert!(w.restore(&snapshot).is_err());
}

/// A world with one of each, for queries.
fn hall() -> (World, Vec<ColliderId>) {
    let mut w = world();
    let mut ids = Vec::new();
    ids.push(fixed(&mut w, Pose::at(Vec3::Y * -1.0), &Shape::ground()).1);
    ids.push(solid(&mut w, Pose::at(Vec3::new(5.0, 0.0, 0.0)), &Shape::ball(0.5)).1);
    let turned = Pose { pos: Vec3::new(10.0, 0.0, 0.0), rot: about(Vec3::Y, std::f64::consts::FRAC_PI_4) };
    ids.push(solid(&mut w, turned, &Shape::cuboid(Vec3::splat(0.5))).1);
    let wall = Shape::Mesh {
        vertices: vec![Vec3::new(0.0, -1.0, -1.0), Vec3::new(0.0, -1.0, 1.0), Vec3::new(0.0, 1.0, 0.0)],
        triangles: vec![[0, 1, 2]],
    };
    ids.push(fixed(&mut w, Pose::at(Vec3::X * 15.0), &wall).1);
    ids.push(solid(&mut w, Pose::at(Vec3::X * 20.0), &Shape::cylinder(0.5, 0.25)).1);
    ids.push(solid(&mut w, Pose::at(Vec3::X * 25.0), &Shape::capsule(0.5, 0.25)).1);
    (w, ids)
}

#[test]
fn rays_hit_where_geometry_says() {
    let (mut w, ids) = hall();
    let all = QueryFilter::default();
    let hits = w.cast_ray_all(Vec3::ZERO, Vec3::X * 7.0, 100.0, &all).unwrap();
    let half = 0.5_f64.sqrt();
    let expected = [(ids[1], 4.5), (ids[2], 10.0 - half), (ids[3], 15.0), (ids[4], 19.75), (ids[5], 24.75)];
    assert_eq!(hits.len(), expected.len(), "{hits:?}");
    for (hit, (collider, distance)) in hits.iter().zip(expected) {
        assert_eq!(hit.collider, collider);
        assert!((hit.distance - distance).abs() < 1e-9, "{hit:?}");
        assert!((hit.point - Vec3::X * distance).length() < 1e-9 && hit.normal.dot(Vec3::X) < -0.7, "{hit:?}");
    }
    let first = w.cast_ray(Vec3::ZERO, Vec3::X, 100.0, &all).unwrap().unwrap();
    assert_eq!(first, hits[0]);
    assert!((first.normal + Vec3::X).length() < 1e-12);
    assert!(w.cast_ray(Vec3::ZERO, Vec3::X, 4.4, &all).unwrap().is_none());
    let down = w.cast_ray(Vec3::ZERO, Vec3::new(1.0, -1.0, 0.0), 10.0, &all).unwrap().unwrap();
    assert!(down.collider == ids[0] && (down.distance - 2.0_f64.sqrt()).abs() < 1e-12 && down.normal == Vec3::Y);
    // From inside: at once. Without the asking body: the next.
    let inside = w.cast_ray(Vec3::X * 5.1, Vec3::X, 100.0, &all).unwrap().unwrap();
    assert!(inside.collider == ids[1] && inside.distance == 0.0 && inside.normal == Vec3::NEG_X);
    let own = QueryFilter { exclude: Some(inside.body), ..all };
    assert_eq!(w.cast_ray(Vec3::X * 5.1, Vec3::X, 100.0, &own).unwrap().unwrap().collider, ids[2]);
    // After the body was moved.
    let ball = w.collider(ids[1]).unwrap().body;
    w.set_pose(ball, Pose::at(Vec3::new(5.0, 3.0, 0.0))).unwrap();
    assert_eq!(w.cast_ray(Vec3::ZERO, Vec3::X, 100.0, &all).unwrap().unwrap().collider, ids[2]);
    // A sensor is seen when asked for, a group when it fits.
    let sensor = w.add(Collider::new(Shape::ball(0.1)).at(Vec3::Y * -3.0).sensing().on(ball)).unwrap();
    assert_eq!(w.cast_ray(Vec3::ZERO, Vec3::X, 100.0, &all).unwrap().unwrap().collider, ids[2]);
    let sensors = QueryFilter { sensors: true, ..all };
    assert_eq!(w.cast_ray(Vec3::ZERO, Vec3::X, 100.0, &sensors).unwrap().unwrap().collider, sensor);
    w.set_groups(ids[2], Groups { member: 2, with: u32::MAX }).unwrap();
    let first_group = QueryFilter { groups: Groups { member: 1, with: 1 }, ..all };
    assert_eq!(w.cast_ray(Vec3::ZERO, Vec3::X, 100.0, &first_group).unwrap().unwrap().collider, ids[3]);
}

#[test]
fn swept_shapes_overlaps_and_nearest_points() {
    let (w, ids) = hall();
    let all = QueryFilter::default();
    let ball = Shape::ball(0.25);
    let hit = w.cast_shape(&ball, Pose::IDENTITY, Vec3::X * 50.0, &all).unwrap().unwrap();
    assert_eq!(hit.collider, ids[1]);
    assert!((hit.fraction * 50.0 - 4.25).abs() < 1e-7 && (hit.point - Vec3::X * 4.5).length() < 1e-6, "{hit:?}");
    assert!((hit.normal + Vec3::X).length() < 1e-6);
    // Beside the middle: centres 0.75 apart when they touch.
    let start = Pose::at(Vec3::Z * 0.45);
    let hit = w.cast_shape(&ball, start, Vec3::X * 50.0, &all).unwrap().unwrap();
    assert!((hit.fraction * 50.0 - (5.0 - 0.6)).abs() < 1e-6, "{hit:?}");
    let own = QueryFilter { exclude: Some(hit.body), ..all };
    let hit = w.cast_shape(&Shape::cuboid(Vec3::splat(0.25)), Pose::IDENTITY, Vec3::X * 50.0, &own).unwrap().unwrap();
    assert!(hit.collider == ids[2] && (hit.fraction * 50.0 - (10.0 - 0.5_f64.sqrt() - 0.25)).abs() < 1e-6, "{hit:?}");
    let drop = w.cast_shape(&ball, Pose::IDENTITY, Vec3::new(1.0, -4.0, 0.0), &all).unwrap().unwrap();
    assert!(drop.collider == ids[0] && (drop.fraction - 0.75 / 4.0).abs() < 1e-9 && drop.normal == Vec3::Y);
    assert!((drop.point - Vec3::new(0.1875, -1.0, 0.0)).length() < 1e-7, "{drop:?}");
    let at_wall = w.cast_shape(&ball, Pose::at(Vec3::X * 13.0), Vec3::X * 4.0, &all).unwrap().unwrap();
    assert!(at_wall.collider == ids[3] && (at_wall.fraction * 4.0 - 1.75).abs() < 1e-7);
    assert!(w.cast_shape(&ball, Pose::at(Vec3::Y * 5.0), Vec3::X * 50.0, &all).unwrap().is_none());
    let stuck = w.cast_shape(&ball, Pose::at(Vec3::X * 5.0), Vec3::X, &all).unwrap().unwrap();
    assert!(stuck.collider == ids[1] && stuck.fraction == 0.0);

    assert_eq!(w.overlaps(&ball, Pose::at(Vec3::X * 5.7), &all).unwrap(), [ids[1]]);
    assert!(w.overlaps(&ball, Pose::at(Vec3::X * 5.76), &all).unwrap().is_empty());
    let long = Shape::cuboid(Vec3::new(20.0, 1.1, 0.1));
    assert_eq!(w.overlaps(&long, Pose::at(Vec3::X * 10.0), &all).unwrap(), ids);

    let near = w.closest_point(Vec3::new(5.0, 2.0, 0.0), 5.0, &all).unwrap().unwrap();
    assert!(near.collider == ids[1] && (near.distance - 1.5).abs() < 1e-12);
    assert!((near.point - Vec3::new(5.0, 0.5, 0.0)).length() < 1e-12);
    let within = w.closest_point(Vec3::new(5.0, 0.2, 0.0), 5.0, &all).unwrap().unwrap();
    assert!((within.distance + 0.3).abs() < 1e-12 && (within.point - Vec3::new(5.0, 0.5, 0.0)).length() < 1e-12);
    let flat = w.closest_point(Vec3::new(15.3, -0.5, 0.0), 0.5, &all).unwrap().unwrap();
    assert!(flat.collider == ids[3] && (flat.distance - 0.3).abs() < 1e-9, "{flat:?}");
    assert!(w.closest_point(Vec3::new(0.0, 50.0, 0.0), 1.0, &all).unwrap().is_none());
}

/// Messages with name, value and expectation.
fn refused<T>(result: Result<T, Error>, parts: &[&str]) {
    let message = match result {
        Ok(_) => panic!("not refused: {parts:?}"),
        Err(e) => e.to_string(),
    };
    assert!(parts.iter().all(|p| message.contains(p)), "{message:?} lacks one of {parts:?}");
}

#[test]
fn bad_shapes_are_refused() {
    let mut w = world();
    let mut add = |shape: Shape, parts: &[&str]| refused(w.add(Collider::new(shape).on(w.ground())), parts);
    let nan = f64::NAN;
    add(Shape::ball(0.0), &["ball radius = 0", "positive"]);
    add(Shape::ball(nan), &["ball radius = NaN"]);
    add(Shape::ball(1e12), &["ball radius", "at most 1e9 m"]);
    add(Shape::cuboid(Vec3::new(1.0, -2.0, 1.0)), &["half edge y = -2"]);
    add(Shape::capsule(-1.0, 1.0), &["capsule half length = -1"]);
    add(Shape::capsule(1.0, 0.0), &["capsule radius = 0"]);
    add(Shape::cylinder(0.0, 1.0), &["cylinder half height = 0"]);
    add(Shape::cylinder(1.0, f64::INFINITY), &["cylinder radius = inf"]);
    add(Shape::HalfSpace { normal: Vec3::ZERO }, &["half space normal", "not zero"]);
    let hull = |points: &[Vec3]| Shape::ConvexHull { points: points.to_vec() };
    let square = [Vec3::ZERO, Vec3::X, Vec3::Z, Vec3::X + Vec3::Z, Vec3::X * 0.3];
    add(hull(&square[..3]), &["convex hull points = 3", "4"]);
    add(hull(&square), &["convex hull points", "5 points within 0 m of a plane"]);
    add(hull(&[Vec3::ONE; 6]), &["convex hull points", "plane"]);
    add(hull(&[Vec3::ZERO, Vec3::X, Vec3::X * 2.0, Vec3::X * 3.0]), &["convex hull points", "plane"]);
    add(hull(&[Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::splat(nan)]), &["convex hull point 3", "NaN"]);
    let mesh = |vertices: &[Vec3], triangles: &[[u32; 3]]| Shape::Mesh {
        vertices: vertices.to_vec(),
        triangles: triangles.to_vec(),
    };
    add(mesh(&[], &[]), &["mesh triangles = 0"]);
    add(mesh(&square, &[]), &["mesh triangles = 0"]);
    add(mesh(&square, &[[0, 1, 7]]), &["mesh triangle 0", "vertex 7", "below 5"]);
    add(mesh(&square, &[[0, 1, 1]]), &["mesh triangle 0", "[0, 1, 1]", "line"]);
    add(mesh(&square, &[[0, 2, 1], [0, 4, 1]]), &["mesh triangle 1", "line"]);
    add(mesh(&[Vec3::ZERO, Vec3::X, Vec3::new(0.0, nan, 0.0)], &[[0, 1, 2]]), &["mesh vertex 2", "NaN"]);
    let fin = [Vec3::ZERO, Vec3::X, Vec3::Z, Vec3::NEG_Z, Vec3::Y];
    add(mesh(&fin, &[[0, 1, 3], [1, 0, 2], [0, 1, 4]]), &["mesh edge 0-1", "3 triangles", "at most two"]);
    add(mesh(&fin, &[[0, 1, 3], [0, 1, 2]]), &["mesh edge 0-1", "turned against triangle 1", "same sense"]);
    // The same with corners of its own at the same places.
    let doubled: Vec<Vec3> = [fin[0], fin[1], fin[3], fin[0], fin[1], fin[2]].to_vec();
    add(mesh(&doubled, &[[0, 1, 2], [3, 4, 5]]), &["mesh edge 0-1", "turned against"]);
    let field = |heights: &[&[f64]], scale: Vec3| Shape::HeightField {
        heights: heights.iter().map(|r| r.to_vec()).collect(),
        scale,
    };
    add(field(&[], Vec3::ONE), &["height field = 0 rows"]);
    add(field(&[&[0.0, 1.0]], Vec3::ONE), &["height field = 1 rows of 2"]);
    add(field(&[&[0.0, 1.0], &[0.0]], Vec3::ONE), &["height field row 1 = 1", "2 heights"]);
    add(field(&[&[0.0, 1.0], &[0.0, nan]], Vec3::ONE), &["height at row 1, column 1 = NaN"]);
    add(field(&[&[0.0, 1.0], &[0.0, 1.0]], Vec3::new(1.0, 1.0, -1.0)), &["height field depth = -1"]);
    let compound = |parts: Vec<(Pose, Shape)>| Shape::Compound { parts };
    add(compound(vec![]), &["compound parts = 0"]);
    add(compound(vec![(Pose::IDENTITY, Shape::ground())]), &["compound part 0 = half space", "convex"]);
    add(compound(vec![(Pose::IDENTITY, compound(vec![]))]), &["compound part 0 = compound"]);
    add(compound(vec![(Pose::IDENTITY, Shape::ball(-1.0))]), &["ball radius = -1"]);
    add(compound(vec![(Pose::at(Vec3::splat(nan)), Shape::ball(1.0))]), &["position of compound part 0", "NaN"]);
    refused(MassProperties::of(&Shape::ground(), 1.0), &["shape = half space", "volume"]);
    refused(MassProperties::of(&Shape::ball(-1.0), 1.0), &["ball radius = -1"]);
    assert_eq!(w.colliders().count(), 0);
}

#[test]
fn bad_colliders_materials_and_queries_are_refused() {
    let mut w = world();
    let b = body(&mut w, Vec3::ZERO);
    let ball = || Collider::new(Shape::ball(1.0));
    let with = |m: Material| ball().of(m);
    let nan = f64::NAN;
    refused(w.add(Collider::new(Shape::ground()).on(b)), &["half space on body", "fixed or kinematic"]);
    refused(w.add(Collider::new(flat_mesh(1)).on(b)), &["mesh on body", "fixed or kinematic"]);
    refused(w.add(with(Material::new(-0.1, 0.0)).on(b)), &["friction = -0.1"]);
    refused(w.add(with(Material::new(nan, 0.0)).on(b)), &["friction = NaN"]);
    refused(w.add(with(Material::new(0.5, 1.1)).on(b)), &["restitution = 1.1", "0 to 1"]);
    refused(w.add(with(Material::new(0.5, -0.1)).on(b)), &["restitution = -0.1"]);
    refused(w.add(with(Material::new(0.5, nan)).on(b)), &["restitution = NaN"]);
    refused(w.add(with(Material::default().soft(-1.0, 0.0)).on(b)), &["contact compliance = -1", "m/N"]);
    refused(w.add(with(Material::default().soft(0.0, nan)).on(b)), &["contact damping = NaN", "N s/m"]);
    let belt = Material::default().moving(Vec3::splat(nan));
    refused(w.add(with(belt).on(b)), &["surface velocity", "NaN"]);
    let skate = Material::default().elliptic(0.1, 0.5, Vec3::ZERO);
    refused(w.add(with(skate).on(b)), &["friction direction", "not zero"]);
    refused(w.add(ball().at(Vec3::splat(nan)).on(b)), &["collider position", "NaN"]);
    refused(w.add(ball().rotated(Quat::from_xyzw(0.0, 0.0, 0.0, 2.0)).on(b)), &["rotation", "unit quaternion"]);
    let p = w.add(Body::particle(1.0)).unwrap();
    refused(w.add(ball().at(Vec3::X).on(p)), &["collider of a particle", "ball"]);
    refused(w.add(Collider::new(Shape::cuboid(Vec3::ONE)).on(p)), &["collider of a particle", "cuboid"]);
    let on_ground = w.ground();
    refused(w.add(Collider::new(flat_mesh(1)).sensing().on(on_ground)), &["sensor = mesh", "inside"]);
    let gone = body(&mut w, Vec3::ZERO);
    w.remove(gone).unwrap();
    assert!(matches!(w.add(ball().on(gone)), Err(Error::Handle { what: "body", .. })));
    assert!(w.set_collision(gone, b, true).is_err() && w.colliders_of(gone).is_err());
    refused(w.set_collision(b, b, true), &["pair of bodies", "two different"]);
    let c = w.add(ball().on(p)).unwrap();
    refused(w.set_material(c, Material::new(-1.0, 0.0)), &["friction = -1"]);
    refused(w.set_pair_material(c, c, Material::default()), &["pair of colliders", "two different"]);
    refused(w.predict_contacts(0.0), &["time step = 0"]);

    let f = QueryFilter::default();
    refused(w.cast_ray(Vec3::splat(nan), Vec3::X, 1.0, &f), &["ray origin", "NaN"]);
    refused(w.cast_ray(Vec3::ZERO, Vec3::ZERO, 1.0, &f), &["ray direction", "not zero"]);
    refused(w.cast_ray(Vec3::ZERO, Vec3::X, -1.0, &f), &["ray length = -1"]);
    refused(w.cast_ray_all(Vec3::ZERO, Vec3::X, nan, &f), &["ray length = NaN"]);
    refused(w.cast_shape(&Shape::ground(), Pose::IDENTITY, Vec3::X, &f), &["query shape = half space"]);
    refused(w.cast_shape(&Shape::ball(-1.0), Pose::IDENTITY, Vec3::X, &f), &["ball radius = -1"]);
    refused(w.cast_shape(&Shape::ball(1.0), Pose::IDENTITY, Vec3::X * nan, &f), &["displacement", "NaN"]);
    refused(w.overlaps(&Shape::ball(1.0), Pose::at(Vec3::X * nan), &f), &["query position", "NaN"]);
    refused(w.closest_point(Vec3::X * nan, 1.0, &f), &["point", "NaN"]);
    refused(w.closest_point(Vec3::X, -1.0, &f), &["greatest distance = -1"]);
    assert_eq!(w.colliders().count(), 1);
}

#[test]
fn a_light_body_that_a_heavy_one_jerks_along_does_not_pass_a_wall() {
    // It rests before a wall of 2 mm; what it is tied to, beyond the wall, is 1e4 times as heavy and goes 8 cm in a step.
    for rope in [false, true] {
        let mut w = World::new();
        w.set_options(taut::Options { gravity: Vec3::ZERO, ..Default::default() }).unwrap();
        w.add(Collider::new(Shape::cuboid(Vec3::new(0.001, 1.0, 1.0))).on(w.ground())).unwrap();
        let light = Body::particle(0.001).at(Vec3::new(-0.01, 0.0, 0.0));
        let light = w.add(light.collider(Collider::new(Shape::ball(0.001)))).unwrap();
        let far = Vec3::new(0.5, 0.0, 0.0);
        let heavy = w.add(Body::particle(10.0).at(far).moving(5.0 * Vec3::X, Vec3::ZERO)).unwrap();
        let between = if rope { taut::Rope::between } else { taut::Distance::between };
        w.add(between(light, heavy).length(0.51)).unwrap();
        for _ in 0..20 {
            w.step(1.0 / 60.0).unwrap();
            let x = w[light].pos.x;
            assert!(x < -0.0019, "{x}");
        }
    }
}
