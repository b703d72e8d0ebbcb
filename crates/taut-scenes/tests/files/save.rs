//! Worlds as scene files: what is saved, written, read and built again takes the same steps to the last bit.

use crate::conforms::conforms;
use taut::{
    Axis, Ball, Body, BodyId, Cable, Collider, Command, Coordinates, Distance, Force, Frames, Freedom, Friction, Gear,
    Hinge, Joint, JointKind, Limit, Locks, MassProperties, Mat3, Material, Motor, MouseSpring, Options, Pose,
    Prismatic, Quat, Range, Rope, Shape, SixDof, Softness, Solver, Spring, Stabiliser, Strength, TreeRole, Vec3, Weld,
    Wheel, World, joints::FlexibleCable, joints::Ligament, joints::RowBuilder, shapes::Combine, views::RowsOf,
};
use taut_scenes::file::{self, Kind, Saved};
use taut_scenes::{Wanted, all, golden};

fn text(saved: &Saved) -> String {
    file::write(&saved.file).expect("text")
}

/// The world of a text.
fn read(text: &str) -> Result<World, String> {
    let made = file::parse(text).and_then(|f| file::build(&f)).map_err(|e| e.located(text));
    made.map(|s| s.world).map_err(|e| e.to_string())
}

/// Forces of joints, couplings and ropes to the last bit.
fn forces(world: &World) -> Vec<u64> {
    let joints = world.joints().flat_map(|j| j.lambda().to_vec());
    let couplings = world.couplings().map(|c| c.force());
    let ropes = world.ropes().flat_map(|r| r.tensions());
    joints.chain(couplings).chain(ropes).map(f64::to_bits).collect()
}

/// Runs two worlds side by side: the same bits in every step.
fn run_alike(mut a: World, mut b: World, dt: f64, steps: usize) -> Result<(), String> {
    for k in 0..steps {
        match (a.step(dt), b.step(dt)) {
            (Ok(_), Ok(_)) => {}
            (Err(x), Err(y)) if x.to_string() == y.to_string() => return Ok(()),
            (x, y) => return Err(format!("step {k}: {:?} and {:?}", x.err(), y.err())),
        }
        if golden::hash(&a) != golden::hash(&b) {
            return Err(format!("motion differs in step {k}"));
        }
        // A joint that was changed may have its rows at another place in the state.
        if a.state().hash() != b.state().hash() && forces(&a) != forces(&b) {
            return Err(format!("forces differ in step {k}"));
        }
    }
    Ok(())
}

/// Saves, reads and runs a world, and saves what was read.
fn round_trip(world: World, dt: f64) -> Result<Vec<String>, String> {
    let saved = file::from_world(&world).map_err(|e| e.to_string())?;
    let written = text(&saved);
    let (document, rule) = (serde_json::from_str(&written).map_err(|e| e.to_string())?, file::schema());
    if !conforms(&document, &rule, &rule) {
        return Err("the schema does not take it".into());
    }
    let again = read(&written)?;
    let twice = text(&file::from_world(&again).map_err(|e| e.to_string())?);
    if twice != written {
        let lines = written.lines().zip(twice.lines()).find(|(a, b)| a != b);
        return Err(format!("saved again it reads otherwise: {lines:#?}"));
    }
    run_alike(world, again, dt, 60)?;
    Ok(saved.warnings)
}

#[test]
fn every_scene_runs_from_its_file_to_the_last_bit() {
    let mut failed = Vec::new();
    for info in all() {
        let (scene, _) = info.with(info.small()).expect("a scene");
        match round_trip(scene.world, info.dt) {
            Ok(warnings) => {
                // Nothing is lost; names that several parts have become names of their own.
                let lost: Vec<&String> = warnings.iter().filter(|w| !w.contains("is named")).collect();
                assert!(lost.is_empty(), "{}: {lost:?}", info.name);
            }
            Err(e) => failed.push(format!("{}: {e}", info.name)),
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn every_scene_runs_from_its_file_in_reduced_coordinates_too() {
    let mut ran = 0;
    for info in all() {
        let (mut scene, _) = info.with(info.small()).expect("a scene");
        let wanted = Wanted { coordinates: Some(Coordinates::Reduced), ..Wanted::default() };
        if wanted.apply(&mut scene.world).is_err() {
            continue;
        }
        ran += 1;
        let saved = file::from_world(&scene.world).expect("a file");
        let again = read(&text(&saved)).expect("a world");
        assert_eq!(again.options(), scene.world.options(), "{}", info.name);
        run_alike(scene.world, again, info.dt, 20).unwrap_or_else(|e| panic!("{}: {e}", info.name));
    }
    assert!(ran > 30, "{ran} scenes");
}

#[test]
fn a_world_in_mid_run_is_saved_where_it_is() {
    for name in ["chain", "ragdoll-pile", "tow", "crane-landing", "robot-gripper", "bridge"] {
        for coordinates in [Coordinates::Maximal, Coordinates::Reduced] {
            let info = taut_scenes::find(name).expect("a scene");
            let (mut scene, _) = info.with(info.small()).expect("a scene");
            Wanted { coordinates: Some(coordinates), ..Wanted::default() }.apply(&mut scene.world).expect("options");
            for _ in 0..30 {
                scene.step(info.dt).expect("a step");
            }
            let saved = file::from_scene(&scene).expect("a file");
            assert!(saved.warnings.iter().any(|w| w.contains("State::to_bytes")), "{:?}", saved.warnings);
            let written = text(&saved);
            let mut made = file::parse(&written).and_then(|f| file::build(&f)).expect("a scene");
            assert_eq!(golden::hash(&scene.world), golden::hash(&made.world), "{name}");
            assert_eq!((scene.length, scene.energy_scale), (made.length, made.energy_scale));
            assert_eq!(text(&file::from_scene(&made).expect("a file")), written, "{name}");
            made.world.step(info.dt).expect("a step");
        }
    }
}

/// A body of odd numbers at a place of its own, turned in some way.
fn brick(k: u32) -> Body {
    let x = f64::from(k);
    let inertia = Mat3::from_cols_array(&[0.31, 0.02, 0.01, 0.02, 0.27, -0.03, 0.01, -0.03, 0.4]) * (1.0 + 0.1 * x);
    let mass = MassProperties { mass: 3.0 + 0.7 * x, center: Vec3::ZERO, inertia, solid: None };
    let turn = Quat::from_xyzw(0.1 + 0.03 * x, -0.2, 0.3, 0.9 - 0.01 * x).normalize();
    Body::dynamic(mass).at(Vec3::new(2.3 * x + 0.1, 0.3 + 0.07 * x, 0.11 * x)).rotated(turn)
}

/// Adds two bricks and a joint between them, and returns the second.
fn linked(world: &mut World, k: u32, joint: impl FnOnce(BodyId, BodyId) -> Joint) -> BodyId {
    let a = world.add(brick(2 * k)).expect("a body");
    let b = world.add(brick(2 * k + 1).moving(0.1 * Vec3::ONE, Vec3::new(0.3, -0.2, 0.1))).expect("a body");
    world.add(Distance::between(a, world.ground())).expect("a rod");
    world.add(joint(b, a)).expect("a joint");
    b
}

/// A joint at the place of its first body with an odd axis.
fn placed(joint: Joint) -> Joint {
    joint.axis(Vec3::new(0.3, 1.0, -0.2)).across(Vec3::new(1.0, 0.1, 0.4))
}

/// Every kind of joint, by name.
fn kinds(a: BodyId, b: BodyId) -> Vec<Joint> {
    let soft = Softness::spring(3e4, 7.0);
    let cable = Cable::from_material(0.4, 0.01, 2e9, 8e8).expect("a cable");
    let cord = Ligament { rest_length: Some(2.0), soft_stiffness: 70.0, strain: 0.1, stiffness: 9e3, damping: 0.3 };
    let stop = Ligament { rest_length: None, stiffness: f64::INFINITY, ..cord };
    let of = |kind: Box<dyn JointKind>| Joint::of(kind, a, b);
    let mut out = vec![
        Ball::between(a, b).stop(Limit::cone(0.4)).stop(Limit::twist(-0.2, 0.3)),
        Joint::of(taut::Universal { point: soft, angular: Softness::RIGID }, a, b).motors(Motor::universal(80.0, 8.0)),
        Hinge::between(a, b).limit(-0.4, 0.7).friction(Friction { freedom: None, max: 0.3, per_load: 0.01 }),
        Joint::of(Hinge { point: soft, angular: Softness::spring(900.0, 3.0) }, a, b).spring(40.0, 4.0),
        Prismatic::between(a, b).stop(Limit::new(-0.1, 0.1).soft(soft).bouncing(0.3)),
        taut::Cylindrical::between(a, b).friction(Friction::by_load(0.2).on(Freedom::Slide)).spring(20.0, 2.0),
        taut::Planar::between(a, b).stop(Limit::new(-0.2, 0.3).on(Freedom::Shift(Axis::U))),
        Weld::between(a, b).strength(Strength::force(1e7)),
        Joint::of(taut::ForceTorque { point: soft, ..Default::default() }, a, b),
        taut::joints::Translational::between(a, b).stop(Limit::new(-0.1, 0.2).on(Freedom::Shift(Axis::V))),
        taut::joints::AxialLock::between(a, b).angular(Softness::compliance(1e-4)),
        taut::joints::PointOnLine::between(a, b).motor(Motor::servo(50.0, 5.0).target(0.1).pulling(40.0).named("pull")),
        SixDof::between(a, b, Locks { linear: [true, false, true], angular: [false, true, false] }).linear(soft),
        SixDof::between(a, b, Locks::PLANE_XY).motor(Motor::rate().on(Freedom::About(Axis::N)).speed(0.4)),
        Wheel::suspended(3e4, 200.0).between(a, b).motor(Motor::rate().on(Freedom::Spin).speed(3.0).limited(9.0)),
        Wheel::suspended(3e4, 200.0).steering().between(a, b).motor(Motor::servo(9.0, 1.0).on(Wheel::STEER)),
        Joint::of(cable, a, b).stop(Limit::twist(-0.5, 0.5)),
        Joint::of(cable.clamped_end(), a, b),
        Joint::of(FlexibleCable { axial: soft, shear: soft, bending: soft, torsion: Softness::RIGID }, a, b),
        of(Box::new(Hinge { point: Softness::RIGID, angular: Softness::RIGID })).motor(Motor::rate().named("idle")),
    ];
    out = out.into_iter().map(placed).collect();
    out.extend([
        Joint::of(Distance { length: None, soft }, a, b),
        Distance::between(a, b).length(2.5).stop(Limit::new(1.0, 3.0).on(Freedom::Length)),
        Rope::between(a, b).motor(Motor::rate().force_range(f64::NEG_INFINITY, 4.0).speed(0.1)),
        Rope::between(a, b).linear(soft),
        Joint::of(Rope { length: Some(2.2), soft: Softness::RIGID, restitution: 0.25 }, a, b).friction(0.4),
        Range::between(a, b, 1.0, 2.4),
        Joint::of(cord, a, b),
        Joint::of(stop, a, b).length(2.1),
        Joint::of(Pinned, a, b).axis(Vec3::Z).stop(Limit::new(-0.3, 0.4).on(Freedom::Lean(Axis::N, Axis::V))),
    ]);
    out
}

/// A kind that the engine does not have: a hinge with a rope along it.
#[derive(Debug)]
struct Pinned;

impl JointKind for Pinned {
    fn name(&self) -> &'static str {
        "pinned"
    }
    fn rows(&self, r: &mut RowBuilder) {
        r.slot(Axis::U, Softness::RIGID);
        r.dot2(Axis::V, Softness::compliance(1e-5));
        r.lock(Axis::V, Softness::spring(0.0, 3.0));
        r.limit(&Limit::new(0.5, 3.0).soft(Softness::spring(500.0, 5.0)));
    }
    fn freedoms(&self) -> &[Freedom] {
        &[Freedom::Length]
    }
}

#[test]
fn every_kind_of_joint_runs_from_its_file_to_the_last_bit() {
    let count = kinds(World::new().ground(), World::new().ground()).len();
    for k in 0..count {
        let mut world = World::new();
        let b = linked(&mut world, 0, |a, b| kinds(a, b).swap_remove(k));
        let joint = world.joints().nth(1).expect("a joint");
        let (name, kind) = (format!("{k}, {}", joint.kind()), joint.kind());
        let warned = round_trip(world.clone(), 0.01).unwrap_or_else(|e| panic!("{name}: {e}"));
        let saved = file::from_world(&world).expect("a file");
        let listed = matches!(saved.file.joints[1].kind, Kind::Rows(_));
        // Only what the format has no type for is a list of rows, and that is told.
        assert_eq!(listed, kind == "pinned", "{name}: {:?}", saved.file.joints[1]);
        assert_eq!(warned.len(), usize::from(listed), "{name}: {warned:?}");
        // The same after a run, when nothing is where it was made.
        for _ in 0..20 {
            world.step(0.01).expect("a step");
        }
        let before = world.body(b).expect("a body").pose();
        let again = read(&text(&file::from_world(&world).expect("a file"))).expect("a world");
        assert_eq!(again.bodies().last().expect("a body").pose(), before, "{name}");
    }
}

#[test]
fn all_kinds_in_one_world_run_from_their_file_in_both_coordinates() {
    for coordinates in [Coordinates::Maximal, Coordinates::Reduced] {
        let mut world = World::new();
        let count = kinds(world.ground(), world.ground()).len();
        for k in 0..count {
            let n = u32::try_from(k).expect("few");
            linked(&mut world, n, |a, b| kinds(a, b).swap_remove(k).named(format!("j{k}")).user_data(k as u64));
        }
        world.set_options(Options { coordinates, ..Options::default() }).expect("options");
        round_trip(world, 0.005).unwrap_or_else(|e| panic!("{coordinates:?}: {e}"));
    }
}

#[test]
fn joints_that_were_changed_are_saved_as_they_are_now() {
    let soft = Softness::spring(2e3, 3.0);
    let mut world = World::new();
    let hinge = |a, b| Hinge::between(a, b).axis(Vec3::Z).limit(-1.0, 1.0).motor(Motor::servo(3.0, 1.0)).named("hinge");
    linked(&mut world, 0, hinge);
    linked(&mut world, 1, |a, b| Rope::between(a, b).named("rope"));
    linked(&mut world, 2, |a, b| Rope::between(a, b).named("stopped"));
    linked(&mut world, 3, |a, b| Joint::of(Weld { point: soft, angular: soft }, a, b).named("weld"));
    let id = |world: &World, name: &str| world.find_joint(name).expect("a joint");
    let (h, r, s, w) = (id(&world, "hinge"), id(&world, "rope"), id(&world, "stopped"), id(&world, "weld"));
    world.set_linear(h, soft).expect("soft");
    world.set_limit(h, Limit::new(-0.2, 0.1).bouncing(0.5)).expect("a limit");
    world.set_friction(h, 0.25).expect("friction");
    world.set_motor(h, Command { target: 0.3, rate: -0.1 }).expect("told");
    world.set_force_range(h, 0.0, 7.0).expect("a range");
    world.set_length(r, 1.75).expect("a length");
    world.set_limit(s, Limit::new(1.0, 1.9)).expect("a range");
    // A weld whose rows are rigid now, though its kind has no chart.
    world.set_linear(w, Softness::RIGID).expect("rigid");
    world.set_angular(w, Softness::RIGID).expect("rigid");
    world.set_joint_enabled(w, false).expect("off");
    let saved = file::from_world(&world).expect("a file");
    let of = |k: usize| &saved.file.joints[k].kind;
    assert!(matches!((of(1), of(3)), (Kind::Hinge(_), Kind::Rope(_))), "{:?}", saved.file.joints);
    // A rope with a shortest length, and a weld that cannot be reduced, are no longer what the file means by that.
    assert!(matches!((of(5), of(7)), (Kind::Rows(_), Kind::Rows(_))), "{:?}", saved.file.joints);
    assert_eq!(saved.warnings.len(), 2, "{:?}", saved.warnings);
    round_trip(world, 0.01).expect("the same bits");
}

/// Every shape on the ground, on a fixed, a kinematic, a free body or a particle, with all that a collider can have.
fn shapes() -> World {
    let mut world = World::new();
    let ground = world.ground();
    let wall = world.add(Body::fixed().at(Vec3::new(30.0, 0.0, 0.0)).named("wall").user_data(3)).expect("a body");
    let belt = Material::new(0.3, 0.2).moving(0.5 * Vec3::X).combined(Combine::Max);
    let heights = vec![vec![0.0, 0.3, 0.1], vec![0.2, 0.1, 0.0], vec![0.1, 0.4, 0.2]];
    let field = Shape::HeightField { heights, scale: Vec3::new(20.0, 0.7, 9.0) };
    let parts = vec![
        (Pose::at(0.4 * Vec3::X), Shape::ball(0.3)),
        (Pose { pos: -0.4 * Vec3::X, rot: Quat::from_xyzw(0.1, 0.2, 0.3, 0.927) }, Shape::capsule(0.2, 0.15)),
    ];
    let corners = vec![Vec3::ZERO, 0.7 * Vec3::X, 0.8 * Vec3::Y, 0.9 * Vec3::Z, Vec3::splat(0.4)];
    let turned = Quat::from_xyzw(0.2, -0.1, 0.4, 0.9).normalize();
    let solids = [
        Collider::new(Shape::ball(0.4)).restitution(0.6).named("first"),
        Collider::new(Shape::cuboid(Vec3::new(0.3, 0.2, 0.4))).rotated(turned).at(0.1 * Vec3::ONE),
        Collider::new(Shape::capsule(0.3, 0.2)).of(Material::default().soft(1e-5, 30.0)).rotated(turned),
        Collider::new(Shape::cylinder(0.3, 0.2)).of(Material::new(0.0, 0.0).elliptic(0.7, 0.2, Vec3::ONE)),
        Collider::new(Shape::ConvexHull { points: corners }).grouped(0b101, 0b11),
        Collider::new(Shape::Compound { parts }),
        Collider::new(Shape::ball(0.9)).sensing().named("eye"),
    ];
    // Bodies first and what is on the ground last: another order than that of the file.
    for (k, collider) in solids.into_iter().enumerate() {
        let at = Vec3::new(2.1 * k as f64 - 6.0, 0.9 + 0.1 * k as f64, 0.05 * k as f64);
        world.add(brick(k as u32).at(at).collider(collider)).expect("a body");
    }
    let drop = world.add(Body::particle(0.3).at(Vec3::new(-4.9, 3.0, 0.1)).named("drop")).expect("a particle");
    let dot = world.add(Collider::new(Shape::ball(0.1)).on(drop)).expect("a collider");
    let floor = world.add(Collider::new(Shape::ground()).of(belt).on(ground)).expect("a floor");
    world.add(Collider::new(field).at(Vec3::new(0.0, -0.2, 0.0)).on(ground)).expect("a field");
    let (vertices, triangles) = (vec![Vec3::ZERO, Vec3::Z, Vec3::X], vec![[0, 1, 2]]);
    world.add(Collider::new(Shape::Mesh { vertices, triangles }).on(wall)).expect("a mesh");
    let plane = Collider::new(Shape::HalfSpace { normal: Vec3::new(-1.0, 0.2, 0.0) }).at(9.0 * Vec3::X);
    let door = world.add(Body::kinematic().moving(-0.1 * Vec3::X, Vec3::ZERO).collider(plane)).expect("a body");
    world.add(Collider::new(Shape::ball(0.2)).on(drop)).expect("a collider");
    // In no group: an empty list must be written, as none means all.
    world.add(Collider::new(Shape::ball(0.8)).grouped(0, 0).on(drop)).expect("a collider");
    let slow = Material::new(0.0, 0.9).elliptic(0.1, 0.4, Vec3::Z).moving(Vec3::Y);
    world.set_pair_material(floor, dot, slow).expect("a pair");
    world.set_collision(door, ground, false).expect("a pair");
    world.set_collision(drop, door, true).expect("a pair");
    world
}

#[test]
fn every_shape_runs_from_its_file_to_the_last_bit() {
    let world = shapes();
    let saved = file::from_world(&world).expect("a file");
    assert!(!saved.file.order.colliders.is_empty(), "colliders are not in the order of the bodies");
    let again = read(&text(&saved)).expect("a world");
    for (a, b) in world.colliders().zip(again.colliders()) {
        let (a, b) = (world.collider(a).expect("one"), again.collider(b).expect("one"));
        assert_eq!((a.shape, a.local, a.groups, a.sensor), (b.shape, b.local, b.groups, b.sensor));
        assert_eq!(a.material, b.material);
    }
    round_trip(world, 0.01).expect("the same bits");
}

/// Everything that is neither a joint nor a collider, in an order that is not that of the file.
fn mixed() -> World {
    let mut world = World::new();
    let ground = world.ground();
    world.set_user_data(ground, 11).expect("data");
    let a = world.add(brick(0).damped(0.1, 0.2).gravity_scale(0.5).user_data(u64::MAX).named("a")).expect("a body");
    let b = world.add(brick(1).locked(Locks::PLANE_XY).named("b")).expect("a body");
    let spring = Spring::between(a, b).ends(0.3 * Vec3::ONE, Vec3::new(2.0, 0.1, 0.2)).stiffness(900.0).damping(2.0);
    world.add(spring.named("first spring")).expect("a spring");
    world.add(Ball::between(b, a).at(Vec3::new(1.0, 0.2, 0.1)).role(TreeRole::Loop)).expect("a joint");
    let c = world.add(Body::particle(0.7).at(Vec3::new(3.0, 2.0, 0.1)).damped(0.3, 0.0)).expect("a particle");
    world.add(Force::Torque { body: a, torque: Vec3::new(0.1, 0.2, 0.3) }.named("twist")).expect("a torque");
    world.add(Spring::between(c, ground).stiffness(40.0).rest_length(0.0)).expect("a spring");
    world.add(Distance::between(c, b)).expect("a rod");
    world.set_locks(c, Locks { linear: [false, false, true], angular: [false; 3] }).expect("locks");
    world.set_locks(a, Locks { linear: [false; 3], angular: [true, false, false] }).expect("locks");
    world.add(Force::Drag { body: b, linear: 0.4, angular: 0.1 }).expect("drag");
    world.add(Force::Point { body: b, point: 0.1 * Vec3::ONE, force: 3.0 * Vec3::Z }).expect("a force");
    world.add(MouseSpring { frequency: 1.3, ..MouseSpring::new(a, 0.1 * Vec3::Y, Vec3::Y) }).expect("a mouse");
    let off = world.add(brick(3).moving(Vec3::X, Vec3::Y).disabled().named("off")).expect("a body");
    world.add(Hinge::between(off, a).axis(Vec3::Z).disabled().named("slack")).expect("a joint");
    world.add(Weld::between(off, b)).expect("a joint");
    world.add(Spring::between(off, b).stiffness(10.0)).expect("a spring");
    world
}

#[test]
fn locks_springs_and_parts_that_are_off_keep_their_order() {
    let world = mixed();
    let saved = file::from_world(&world).expect("a file");
    assert!(saved.warnings.is_empty(), "{:?}", saved.warnings);
    let again = read(&text(&saved)).expect("a world");
    let kind = |r: &RowsOf| match r {
        RowsOf::Joint(_) => 'j',
        RowsOf::Locks(_) => 'l',
        RowsOf::Force(_) => 'f',
    };
    let order: String = world.rows_in_order().iter().map(kind).collect();
    assert_eq!(order, "lfjfjlljjf");
    assert_eq!(again.rows_in_order().iter().map(kind).collect::<String>(), order);
    for (a, b) in world.bodies().zip(again.bodies()) {
        assert_eq!((a.pose(), a.velocity(), a.inertia()), (b.pose(), b.velocity(), b.inertia()));
        assert_eq!((a.locks(), a.is_enabled(), a.user_data()), (b.locks(), b.is_enabled(), b.user_data()));
        assert_eq!((a.damping(), a.gravity_scale()), (b.damping(), b.gravity_scale()));
    }
    let forces = |w: &World| w.forces().map(|f| w.force_name(f).expect("one").to_owned()).collect::<Vec<_>>();
    assert_eq!(forces(&world), forces(&again));
    round_trip(world, 0.01).expect("the same bits");
}

#[test]
fn all_options_are_saved() {
    let budget = taut::settings::Budget { iterations: Some(7), seconds: None, tolerance: 1e-6, gap: Some(1e-3) };
    let d = Options::default();
    let inertial = taut::settings::InertialDamping { alpha: 0.5, theta: 0.75, angular_only: false };
    let list = [
        d,
        Options { gravity: Vec3::new(0.1, -1.6, 0.0), resolved: false, sleep: false, parallel: false, ..d },
        Options { stabiliser: Stabiliser::Inertial(inertial), solver: Solver::Pgs { sweeps: 9 }, ..d },
        Options { stabiliser: Stabiliser::ConstraintSpace { alpha: 0.3 }, solver: Solver::DenseCholesky, ..d },
        Options { stabiliser: Stabiliser::Symmetric, solver: Solver::Minres, minres_iterations: 90, ..d },
        Options { stabiliser: Stabiliser::LowRank, solver: Solver::DenseLu, ..d },
        Options { solver: Solver::Minres, minres_tolerance: 1e-7, ..d },
        Options { solver: Solver::Structured(budget), ..d },
        Options { bounded: taut::settings::BoundedMethod::Pgs { sweeps: 40 }, bounded_tolerance: 1e-7, ..d },
        Options { bounded: taut::settings::BoundedMethod::Convex, ..d },
        Options { coordinates: Coordinates::Reduced, stabiliser: Stabiliser::None, solver: Solver::Elimination, ..d },
        Options { coordinates: Coordinates::Reduced, solver: Solver::PartialPcg, ..d },
    ];
    for options in list {
        let mut world = World::new();
        attach(&mut world);
        linked(&mut world, 0, Ball::between);
        world.set_options(options).unwrap_or_else(|e| panic!("{options:?}: {e}"));
        let again = read(&text(&file::from_world(&world).expect("a file"))).expect("a world");
        assert_eq!(*again.options(), options);
    }
}

/// A world of the scenes has RedMax's step.
fn attach(world: &mut World) {
    *world = file::build(
        &file::parse(r#"{ "taut": 1, "bodies": [{ "type": "particle", "name": "p", "mass": 1 }] }"#).expect("a file"),
    )
    .expect("a world")
    .world;
}

#[test]
fn parts_without_a_name_of_their_own_get_one() {
    let mut world = World::new();
    for name in ["", "link", "link", "body 1", "", "ground"] {
        world
            .add(
                Body::particle(1.0)
                    .at(f64::from(u8::try_from(world.bodies().count()).expect("few")) * Vec3::X)
                    .named(name),
            )
            .expect("a body");
    }
    let ids: Vec<BodyId> = world.bodies().map(|b| b.id()).collect();
    for pair in ids[1..].windows(2) {
        world.add(Distance::between(pair[0], pair[1]).named("rod")).expect("a rod");
    }
    let saved = file::from_world(&world).expect("a file");
    let names: Vec<&str> = saved.file.bodies.iter().map(file::Body::name).collect();
    assert_eq!(names, ["body 2", "link", "link 2", "body 1", "body 5", "ground 2"]);
    let rods: Vec<&str> = saved.file.joints.iter().filter_map(file::Joint::name).collect();
    assert_eq!(rods, ["rod", "rod 2", "rod 3", "rod 4", "rod 5"]);
    // Each of the names that several parts had is told.
    assert_eq!(saved.warnings.len(), 6, "{:?}", saved.warnings);
    round_trip(world, 0.01).expect("the same bits");
}

#[test]
fn what_a_file_cannot_say_is_refused_or_told_by_name() {
    let empty = file::from_world(&World::new()).expect_err("nothing moves");
    assert_eq!(empty.path.to_string(), "bodies");
    assert!(empty.to_string().contains("no body moves"), "{empty}");
    let mut world = mixed();
    let ground = world.ground();
    world.set_pose(ground, Pose::at(Vec3::X)).expect("moved");
    let moved = file::from_world(&world).expect_err("the ground has moved");
    assert_eq!(moved.path.to_string(), "ground");
    assert!(moved.to_string().contains("pose of the ground"), "{moved}");

    let mut world = mixed();
    let a = world.find_body("a").expect("a body");
    world.apply_force(a, Vec3::X, Vec3::ZERO).expect("a load");
    let lift = world.add(Body::kinematic().gravity_scale(0.0).named("lift")).expect("a body");
    world.set_target(lift, Pose::at(Vec3::Y)).expect("a target");
    let driven = Hinge::between(a, world.ground()).axis(Vec3::Z).motor(Motor::rate()).named("driven");
    let driven = world.add(driven).expect("a joint");
    world.set_motor(driven, Command::rate(2.0)).expect("told");
    let own = world.add(Joint::of(Pinned, a, world.ground()).axis(Vec3::Z).named("own")).expect("a joint");
    let told = file::from_world(&world).expect("a file").warnings;
    for (who, what) in [
        ("body 'a'", "a force or torque for the next step"),
        ("body 'lift'", "the pose that it is to have"),
        ("body 'lift'", "gravity scale have no effect"),
        ("joint 'own'", "of the kind 'pinned'"),
    ] {
        assert!(told.iter().any(|w| w.contains(who) && w.contains(what)), "{who}, {what}: {told:#?}");
    }
    assert_eq!(told.len(), 4, "{told:#?}");
    world.remove(own).expect("gone");
}

#[test]
fn a_world_with_parts_removed_is_saved_with_the_rest() {
    let mut world = mixed();
    let (b, off) = (world.find_body("b").expect("a body"), world.find_body("off").expect("a body"));
    world.remove(off).expect("gone");
    let again = world.add(brick(5).named("again")).expect("a body");
    world.add(Ball::between(again, b).at(Vec3::ZERO)).expect("a joint");
    world.add(Spring::between(again, b).stiffness(30.0)).expect("a spring");
    let read_back = read(&text(&file::from_world(&world).expect("a file"))).expect("a world");
    let names = |w: &World| w.bodies().map(|b| b.name().to_owned()).collect::<Vec<_>>();
    assert_eq!(names(&read_back)[1..], ["a", "b", "body 3", "again"]);
    let (mut x, mut y) = (world, read_back);
    for _ in 0..60 {
        x.step(0.01).expect("a step");
        y.step(0.01).expect("a step");
    }
    assert_eq!(golden::hash(&x), golden::hash(&y));
}

#[test]
fn frames_are_taken_to_the_last_bit() {
    let mut world = World::new();
    let third = 1.0 / 3.0;
    // Off by rounding: normalised again they would change.
    let (u, n) = (Vec3::new(2.0 * third, -third, 2.0 * third), Vec3::new(third, -2.0 * third, -2.0 * third));
    let frame = taut::Frame { origin: third * Vec3::ONE, u, v: n.cross(u), n };
    linked(&mut world, 0, |a, b| Hinge::between(a, b).frames(Frames { i: frame, j: frame }).named("hinge"));
    let again = read(&text(&file::from_world(&world).expect("a file"))).expect("a world");
    let hinge = |w: &World| w.joint(w.find_joint("hinge").expect("one")).expect("one").frames();
    let bits = |f: taut::Frame| [f.origin, f.u, f.v, f.n].map(|v| v.to_array().map(f64::to_bits));
    assert_eq!(bits(hinge(&again).i), bits(frame));
    assert_eq!(bits(hinge(&again).j), bits(frame));
}

/// Two wheels on the ground, whose hinges have no names.
fn wheels(world: &mut World) -> [taut::JointId; 2] {
    [0.0, 1.0].map(|x| {
        let mass = MassProperties::sphere(1000.0, 0.1).expect("a mass");
        let spin = (1.0 - 3.0 * x) * Vec3::Z;
        let wheel = world.add(Body::dynamic(mass).at(x * Vec3::X).moving(Vec3::ZERO, spin)).expect("a wheel");
        world.add(Hinge::between(wheel, world.ground()).at(x * Vec3::X).axis(Vec3::Z)).expect("a hinge")
    })
}

#[test]
fn couplings_are_saved_and_their_joints_are_named() {
    let soft = Softness { compliance: 1e-3, damping: 0.1 };
    for soft in [Softness::RIGID, soft] {
        let mut world = World::new();
        let [a, b] = wheels(&mut world);
        world.add(Gear::between(a, b).ratio(-1.5).soft(soft).named("gears")).expect("gears");
        let saved = file::from_world(&world).expect("a file");
        assert_eq!(saved.warnings, Vec::<String>::new());
        let again = read(&text(&saved)).expect("a world");
        let definition = again.couplings().next().expect("a coupling").definition();
        assert_eq!((definition.soft, definition.name.as_str()), (soft, "gears"));
        round_trip(world, 0.01).expect("the same steps");
    }
}

#[test]
fn a_coupling_is_saved_after_whole_turns() {
    let mut world = World::new();
    let [a, b] = wheels(&mut world);
    world.add(Gear::between(a, b).ratio(-1.5)).expect("gears");
    for _ in 0..1000 {
        world.step(0.01).expect("a step");
    }
    let turned: Vec<f64> = world.couplings().next().expect("a coupling").positions().collect();
    assert!(turned.iter().all(|q| q.abs() > 7.0), "{turned:?}");
    let again = read(&text(&file::from_world(&world).expect("a file"))).expect("a world");
    let error = again.couplings().next().expect("a coupling").error();
    assert!(error.abs() < 1e-9, "{error}");
}

#[test]
fn couplings_of_a_file_have_short_forms() {
    let joints = r#""taut": 1, "bodies": [
        { "type": "dynamic", "name": "a", "mass": 1, "shape": { "type": "sphere", "radius": 0.1 } },
        { "type": "dynamic", "name": "b", "mass": 1, "shape": { "type": "sphere", "radius": 0.1 }, "position": [1, 0, 0] },
        { "type": "dynamic", "name": "c", "mass": 1, "shape": { "type": "sphere", "radius": 0.1 }, "position": [2, 0, 0] }],
      "joints": [
        { "type": "hinge", "name": "h", "bodies": ["a", "ground"], "point": [0, 0, 0], "axis": [0, 0, 1] },
        { "type": "prismatic", "name": "p", "bodies": ["b", "ground"], "point": [1, 0, 0], "axis": [0, 1, 0] },
        { "type": "cylindrical", "name": "c", "bodies": ["c", "ground"], "point": [2, 0, 0], "axis": [0, 0, 1] }]"#;
    let made = |couplings: &str| read(&format!("{{ {joints}, \"couplings\": [{couplings}] }}"));
    for (coupling, terms) in [
        (r#"{ "type": "gear", "joints": ["h", "c"], "ratio": 2 }"#, [1.0, -2.0]),
        (r#"{ "type": "screw", "joint": "c", "pitch": 0.01 }"#, [1.0, -0.01 / std::f64::consts::TAU]),
        (r#"{ "type": "rack-and-pinion", "pinion": "h", "rack": "p", "radius": 0.2 }"#, [1.0, -0.2]),
        (r#"{ "type": "mimic", "leader": "h", "follower": "p", "ratio": 0.3, "offset": 0 }"#, [1.0, -0.3]),
        (
            r#"{ "type": "sum", "terms": [{ "joint": "h", "ratio": 2 }, { "joint": "c", "freedom": "slide", "ratio": 3 }] }"#,
            [2.0, 3.0],
        ),
    ] {
        let world = made(coupling).expect("a world");
        let definition = world.couplings().next().expect("a coupling").definition();
        let ratios: Vec<f64> = definition.terms.iter().map(|t| t.ratio).collect();
        assert_eq!(ratios, terms, "{coupling}");
        round_trip(world, 0.01).expect("the same steps");
    }
    for (coupling, expected) in [
        (r#"{ "type": "gear", "joints": ["h", "d"], "ratio": 2 }"#, "couplings[0].joints[1]"),
        (r#"{ "type": "gear", "joints": ["h", "p"], "ratio": 2 }"#, "couplings[0].joints"),
        (r#"{ "type": "gear", "joints": ["h", "c"], "ratio": 0 }"#, "couplings[0].ratio"),
        (r#"{ "type": "mimic", "leader": "c", "follower": "h" }"#, "a joint with one freedom"),
        (r#"{ "type": "sum", "terms": [{ "joint": "h", "ratio": 2 }] }"#, "couplings[0].terms"),
        (r#"{ "type": "belt", "joints": ["h", "c"] }"#, "couplings[0].type"),
    ] {
        let error = made(coupling).expect_err(coupling);
        assert!(error.contains(expected), "{coupling}: {error}");
    }
}

#[test]
fn what_is_switched_off_and_numbered_is_saved() {
    let mut world = World::new();
    let body = world.add(Body::dynamic(MassProperties::sphere(1000.0, 0.1).expect("a mass"))).expect("a body");
    let ball = Collider::new(Shape::Ball { radius: 0.1 });
    world.add(ball.clone().disabled().user_data(7).on(body)).expect("a collider");
    world.add(ball.user_data(u64::MAX).on(body)).expect("a collider");
    let again = read(&text(&file::from_world(&world).expect("a file"))).expect("a world");
    let said: Vec<(bool, u64)> =
        again.colliders().filter_map(|c| again.collider(c).ok()).map(|c| (c.enabled, c.user_data)).collect();
    assert_eq!(said, [(false, 7), (true, u64::MAX)]);
    round_trip(world, 0.01).expect("the same steps");
}

#[test]
fn hooks_are_named_as_lost() {
    struct Nothing;
    impl taut::hooks::ContactHooks for Nothing {}
    let mut world = World::new();
    world.add(Body::particle(1.0)).expect("a body");
    world.set_contact_hooks(Some(std::sync::Arc::new(Nothing)));
    let warnings = file::from_world(&world).expect("a file").warnings;
    assert!(warnings.iter().any(|w| w.contains("hooks")), "{warnings:?}");
}

#[test]
fn a_servo_that_is_told_nothing_does_nothing() {
    let file = r#"{ "taut": 1, "bodies": [
        { "type": "dynamic", "name": "a", "mass": 1, "shape": { "type": "sphere", "radius": 0.1 } }],
      "joints": [{ "type": "hinge", "bodies": ["a", "ground"], "point": [0.5, 0, 0], "axis": [0, 0, 1],
                   "motor": { "stiffness": 100, "damping": 1 } }] }"#;
    let world = read(file).expect("a world");
    let joint = world.joints().next().expect("a joint");
    assert_eq!(joint.motors().next().expect("a motor").command(), None);
    round_trip(world, 0.01).expect("the same steps");
}

/// The scene of an example file.
fn example(name: &str) -> taut_scenes::Scene {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("files").join(name);
    let text = std::fs::read_to_string(path).expect("an example");
    file::parse(&text).and_then(|f| file::build(&f)).unwrap_or_else(|e| panic!("{}", e.located(&text)))
}

fn reduced(world: &mut World, coordinates: Coordinates) {
    Wanted { coordinates: Some(coordinates), ..Wanted::default() }.apply(world).expect("options");
}

/// All bits of the ropes of a world.
fn ropes(world: &World) -> Vec<u64> {
    let mut out = Vec::new();
    for r in world.ropes() {
        let m = r.memory();
        out.extend(m.guides.iter().flat_map(|g| [g.centre, g.axis, g.mark]).flat_map(|v| v.to_array()));
        for s in &m.spans {
            out.extend([s.material, s.reach, s.tension, s.stretch.unwrap_or(-1.0), s.angles[0], s.angles[1], s.energy]);
        }
        out.push(m.laid);
    }
    out.into_iter().map(f64::to_bits).collect()
}

#[test]
fn ropes_over_guides_run_from_their_file_to_the_last_bit() {
    for coordinates in [Coordinates::Maximal, Coordinates::Reduced] {
        let mut world = example("hoist.json").world;
        reduced(&mut world, coordinates);
        assert_eq!(round_trip(world, 0.01).expect("the same steps"), Vec::<String>::new());
    }
}

#[test]
fn ropes_in_mid_run_are_saved_with_all_their_bits() {
    for coordinates in [Coordinates::Maximal, Coordinates::Reduced] {
        let mut scene = example("hoist.json");
        reduced(&mut scene.world, coordinates);
        // The drum turns more than once, the load is let down to the ground, and the ropes slacken.
        for (steps, slack) in [(250, false), (450, true)] {
            for _ in 0..steps {
                scene.step(0.01).expect("a step");
            }
            let hoist = |w: &World| w.find_rope("hoist").and_then(|r| w.rope(r)).expect("a rope").memory();
            assert_eq!(hoist(&scene.world).spans.iter().all(|s| s.tension == 0.0), slack);
            let saved = file::from_scene(&scene).expect("a file");
            let written = text(&saved);
            let mut made = file::parse(&written).and_then(|f| file::build(&f)).expect("a scene");
            assert_eq!(golden::hash(&scene.world), golden::hash(&made.world));
            assert_eq!(ropes(&scene.world), ropes(&made.world));
            assert_eq!(text(&file::from_scene(&made).expect("a file")), written);
            let length = |w: &World| w.ropes().map(|r| [r.length(), r.paid_out(), r.path()]).collect::<Vec<_>>();
            assert_eq!(length(&scene.world), length(&made.world));
            made.world.step(0.01).expect("a step");
            if !slack {
                let angle = hoist(&scene.world).spans[0].angles[0];
                assert!(angle.abs() > 2.0 * std::f64::consts::PI, "whole turns: {angle}");
            }
        }
    }
}

#[test]
fn ropes_with_mass_run_from_their_file_to_the_last_bit() {
    for (scene, set) in [("anchor-handling", "segment=5"), ("tug-tow", "pieces=adaptive")] {
        let (scene, _) = taut_scenes::find(scene).unwrap().with(&[set.split_once('=').unwrap()]).unwrap();
        assert_eq!(round_trip(scene.world, 1.0 / 60.0).expect("the same steps"), Vec::<String>::new());
    }
    assert_eq!(round_trip(example("anchor.json").world, 1.0 / 60.0).expect("the same steps"), Vec::<String>::new());
}

#[test]
fn ropes_with_mass_in_mid_run_are_saved_with_all_that_they_have_become() {
    for name in ["anchor-handling", "tug-tow", "locker"] {
        let mut scene = match name {
            "locker" => example("anchor.json"),
            "tug-tow" => taut_scenes::find(name).unwrap().with(&[("pieces", "adaptive")]).unwrap().0,
            _ => taut_scenes::find(name).unwrap().with(&[("segment", "2")]).unwrap().0,
        };
        // Those out of lockers come last in a file.
        let heavy = |w: &World| {
            let mut all: Vec<_> = w.heavy_ropes().map(|(_, r)| r.memory()).collect();
            all.sort_by(|a, b| a.name.cmp(&b.name));
            all
        };
        let start = heavy(&scene.world);
        for _ in 0..900 {
            scene.step(1.0 / 60.0).expect("a step");
        }
        assert_ne!(start[0].out, heavy(&scene.world)[0].out, "{name}: no node came or went");
        let saved = file::from_scene(&scene).expect("a file");
        let written = text(&saved);
        let mut made =
            file::parse(&written).and_then(|f| file::build(&f)).unwrap_or_else(|e| panic!("{}", e.located(&written)));
        assert_eq!(golden::hash(&scene.world), golden::hash(&made.world), "{name}");
        assert_eq!(ropes(&scene.world), ropes(&made.world), "{name}");
        for (a, b) in heavy(&scene.world).into_iter().zip(heavy(&made.world)) {
            assert_eq!(
                (a.out, a.pieces, a.drum, a.total, a.name),
                (b.out, b.pieces, b.drum, b.total, b.name),
                "{name}"
            );
        }
        assert_eq!(text(&file::from_scene(&made).expect("a file")), written, "{name}");
        for _ in 0..120 {
            made.world.step(1.0 / 60.0).expect("a step");
        }
    }
}
