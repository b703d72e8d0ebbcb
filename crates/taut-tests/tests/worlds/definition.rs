//! What a world is made of can be read, and given to another world to the last bit.

use taut::constraint::Primitive;
use taut::{
    Axis, Ball, Body, Collider, Freedom, Friction, Hinge, Joint, JointKind, Limit, Locks, MassProperties, Material,
    Motor, Pose, Quat, Rope, Shape, Softness, Spring, Vec3, World, joints::RowBuilder, views::RowsOf,
};

fn ball(k: f64) -> Body {
    Body::dynamic(MassProperties::sphere(1000.0, 0.1).expect("a ball")).at(k * Vec3::X)
}

#[test]
fn the_parts_of_a_joint_are_those_that_it_was_made_of() {
    let mut world = World::new();
    let [a, b] = [1.0, 2.0].map(|k| world.add(ball(k)).expect("a body"));
    let soft = Softness::spring(100.0, 1.0);
    let joint = Joint::of(Hinge { point: soft, angular: Softness::RIGID }, a, b).axis(Vec3::Z).limit(-1.0, 0.5);
    let joint = joint.motor(Motor::rate().named("m")).motor(Motor::servo(1.0, 1.0).on(Freedom::Slide).limited(3.0));
    // The second drives what the hinge holds.
    assert!(world.add(joint.clone()).is_err());
    let rope = Joint::of(Rope::new(2.0), a, world.ground()).limit(0.5, 3.0).friction(Friction::new(0.1));
    let rope = world.add(rope).expect("a rope");
    let view = world.joint(rope).expect("a rope");
    assert_eq!(view.kind_as::<Rope>().map(|r| r.length), Some(Some(2.0)));
    assert!(view.kind_as::<Hinge>().is_none());
    assert_eq!(view.own_limits().map(|l| l.upper).collect::<Vec<_>>(), [2.0]);
    assert_eq!(view.limits().map(|l| l.upper).collect::<Vec<_>>(), [2.0, 3.0]);
    assert_eq!(view.frictions().map(|f| (f.freedom, f.max)).collect::<Vec<_>>(), [(Some(Freedom::Length), 0.1)]);
    let hinge = Hinge::between(a, b).axis(Vec3::Z).motor(Motor::rate().named("m")).linear(soft);
    let made = hinge.clone().frames(world.joint(rope).expect("a rope").frames());
    assert_eq!(made.kind().freedoms(), [Freedom::Turn]);
    let hinge = world.add(hinge).expect("a hinge");
    let view = world.joint(hinge).expect("a hinge");
    assert_eq!(view.motors().map(|m| m.name().to_owned()).collect::<Vec<_>>(), ["m"]);
    assert_eq!(view.rows().iter().map(|r| r.soft.compliance).take(2).collect::<Vec<_>>(), [0.01, 0.0]);
    assert!(view.rows()[3].motor.is_some() && view.chart().is_none());
    let expansion = made.expansion(view.frames(), 0.0).expect("rows");
    let primitives = |rows: &[taut::joints::RowSpec]| rows.iter().map(|r| r.primitive).collect::<Vec<_>>();
    assert_eq!(primitives(&expansion.rows), primitives(view.rows()));
}

#[test]
fn pairs_and_the_order_of_rows_are_told() {
    let mut world = World::new();
    let locks = Locks { linear: [true, false, false], angular: [false; 3] };
    let a = world.add(ball(0.0).collider(Collider::new(Shape::ball(0.1)))).expect("a body");
    let spring = world.add(Spring::between(a, world.ground()).stiffness(9.0).rest_length(0.1)).expect("a spring");
    let b = world.add(ball(1.0).locked(locks).collider(Collider::new(Shape::ball(0.1)))).expect("a body");
    let joint = world.add(Ball::between(b, a)).expect("a joint");
    assert_eq!(world.rows_in_order(), [RowsOf::Force(spring), RowsOf::Locks(b), RowsOf::Joint(joint)]);
    let colliders: Vec<_> = world.colliders().collect();
    let ice = Material::new(0.0, 0.0);
    world.set_pair_material(colliders[1], colliders[0], ice).expect("a pair");
    world.set_collision(b, a, true).expect("a pair");
    assert_eq!(world.pair_materials().collect::<Vec<_>>(), [(colliders[1], colliders[0], ice)]);
    assert_eq!(world.collisions().collect::<Vec<_>>(), [(a, b, true)]);
    world.apply_force(b, Vec3::X, Vec3::X).expect("a load");
    assert_eq!(world.body(b).expect("a body").load().0, Vec3::X);
    assert_eq!(world.body(b).expect("a body").target(), None);
}

#[test]
fn a_pose_of_another_world_is_taken_to_the_last_bit() {
    let bits = |q: Quat| q.to_array().map(f64::to_bits);
    let mut kept = 0;
    for k in 0..200 {
        let x = f64::from(k);
        let rot = Quat::from_xyzw(0.1 + 0.01 * x, -0.3, 0.2, 0.7).normalize();
        let pose = Pose { pos: Vec3::new(x, 1.0 / 3.0, -0.0), rot };
        let mut world = World::new();
        let collider = Collider::new(Shape::ball(0.1)).posed(pose);
        let id = world.add(ball(0.0).posed(pose).collider(collider)).expect("a body");
        assert_eq!(bits(world.body(id).expect("a body").rotation()), bits(rot));
        let c = world.colliders_of(id).expect("a body")[0];
        assert_eq!(bits(world.collider(c).expect("a collider").local.rot), bits(rot));
        kept += usize::from(bits(rot.normalize()) == bits(rot));
    }
    assert!(kept < 200, "normalising twice is not the same for all");
    let long = Pose { pos: Vec3::ZERO, rot: Quat::from_xyzw(0.0, 0.0, 0.0, 1.0 + 1e-9) };
    let refused = World::new().add(ball(0.0).posed(long)).expect_err("too long").to_string();
    assert!(refused.contains("rotation") && refused.contains("1e-12"), "{refused}");
    assert!(World::new().add(ball(0.0).posed(long).rotated(long.rot)).is_ok(), "normalised");
}

/// One row as it is given.
#[derive(Debug)]
struct Row(Primitive);

impl JointKind for Row {
    fn name(&self) -> &'static str {
        "row"
    }
    fn rows(&self, r: &mut RowBuilder) {
        r.primitive(self.0, Softness::RIGID);
    }
}

#[test]
fn a_row_with_numbers_of_its_own_holds_them_and_bad_ones_are_refused() {
    let mut world = World::new();
    let a = world.add(ball(1.0)).expect("a body");
    let ground = world.ground();
    let mut add = |p: Primitive| world.add(Joint::of(Row(p), a, ground).axis(Vec3::Y));
    let rod = |length: f64, si: Vec3| Primitive::Distance { si, sj: Vec3::ZERO, length };
    let joint = add(rod(1.0, Vec3::ZERO)).expect("a rod");
    let long = add(Primitive::Dot1 { a: 2.0 * Vec3::X, b: Vec3::Y }).expect_err("too long").to_string();
    assert!(long.contains("direction of a row") && long.contains("length 1"), "{long}");
    let far = add(rod(1.0, Vec3::splat(f64::NAN))).expect_err("nowhere").to_string();
    assert!(far.contains("point of a row"), "{far}");
    for _ in 0..100 {
        world.step(0.01).expect("a step");
    }
    assert!((world.body(a).expect("a body").position().length() - 1.0).abs() < 1e-6);
    assert!(world.joint(joint).expect("a joint").tension() > 9.81);
    // A limit on any freedom goes with such a row.
    let stop = Limit::new(-0.1, 0.1).on(Freedom::Shift(Axis::U));
    let slot = Primitive::Slot { si: Vec3::ZERO, sj: Vec3::ZERO, u: Vec3::Z };
    world.add(Joint::of(Row(slot), a, ground).axis(Vec3::Y).stop(stop)).expect("a slot");
}
