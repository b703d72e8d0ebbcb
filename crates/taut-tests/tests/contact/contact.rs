//! Contacts against what mechanics says: rest, sliding, rolling, toppling, impact, belts, lifts.

use crate::common::touch::*;
use taut::{Body, BodyId, Collider, Material, Options, Pose, Quat, Shape, Vec3, World, shapes::Combine};

/// A cube of 0.2 m and 8 kg on a slope of an angle, falling towards an azimuth about the vertical.
fn on_slope(angle: f64, azimuth: f64, mu: f64) -> (World, BodyId, Vec3, Vec3) {
    let mut w = World::new();
    let rot = Quat::from_rotation_y(azimuth) * Quat::from_rotation_z(-angle);
    let (normal, down) = (rot * Vec3::Y, rot * Vec3::X);
    plane(&mut w, normal, Material::new(mu, 0.0));
    let (b, _) = solid(&mut w, cube(0.1), Material::new(mu, 0.0), Pose { pos: 0.1 * normal, rot });
    (w, b, normal, down)
}

/// Speed and way of a mass that feels the acceleration `a`: the first kick is half a step long.
fn fall(a: f64, start: f64, steps: usize) -> (f64, f64) {
    let (mut v, mut x) = (start, 0.0);
    for k in 0..steps {
        v += a * STEP * if k == 0 { 0.5 } else { 1.0 };
        x += STEP * v;
    }
    (v, x)
}

#[test]
fn a_box_on_a_slope_rests_with_the_forces_of_statics() {
    for angle in [0.0_f64, 0.1, 0.3] {
        let (mut w, b, normal, down) = on_slope(angle, 0.4, 0.5);
        for _ in 0..20 {
            let report = w.step(STEP).unwrap();
            assert!(report.bounded.residual < 1e-9 && report.bounded.unconverged == 0);
            assert!(report.ledger.imbalance.abs() < 1e-9, "{:?}", report.ledger);
        }
        let (push, weight) = (push_on(&w, b), 8.0 * G);
        assert!((push.dot(normal) - weight * angle.cos()).abs() < 1e-6 * weight, "{push}");
        assert!((push.dot(down) + weight * angle.sin()).abs() < 1e-6 * weight, "{push}");
        let view = w.body(b).unwrap();
        assert!(view.velocity().length() < 1e-8 && view.angular_velocity().length() < 1e-7, "{view:?}");
        assert!((view.position() - 0.1 * normal).length() < 1e-9, "{}", view.position());
    }
}

#[test]
fn a_box_slides_with_g_sin_minus_mu_cos() {
    for (angle, mu) in [(0.3_f64, 0.2), (0.5, 0.1), (0.2, 0.0)] {
        let (mut w, b, _, down) = on_slope(angle, 1.1, mu);
        for _ in 0..60 {
            w.step(STEP).unwrap();
            assert_cones(&w, mu);
        }
        let (v, x) = fall(G * (angle.sin() - mu * angle.cos()), 0.0, 60);
        let view = w.body(b).unwrap();
        assert!((view.velocity().dot(down) - v).abs() < 1e-7 * v, "{} {v}", view.velocity().dot(down));
        assert!((view.position().dot(down) - x).abs() < 1e-7 * x, "{} {x}", view.position().dot(down));
    }
}

#[test]
fn a_sliding_box_stops_where_the_recurrence_stops() {
    let (mut w, b, _, _) = on_slope(0.0, 0.0, 0.4);
    w.set_velocity(b, Vec3::new(2.0, 0.0, 0.0), Vec3::ZERO).unwrap();
    for _ in 0..60 {
        w.step(STEP).unwrap();
    }
    let (mut v, mut x) = (2.0_f64, 0.0);
    for k in 0..60 {
        v = (v - 0.4 * G * STEP * if k == 0 { 0.5 } else { 1.0 }).max(0.0);
        x += STEP * v;
    }
    let view = w.body(b).unwrap();
    assert!((view.position().x - x).abs() < 1e-7, "{} {x}", view.position().x);
    // v^2 / (2 mu g), up to what one step of v h / 2 can make.
    assert!((view.position().x - 4.0 / (0.8 * G)).abs() < STEP * 1.1);
    assert!(view.velocity().length() < 1e-8, "{}", view.velocity());
}

#[test]
fn sliding_begins_at_the_angle_of_friction_in_every_direction() {
    for mu in [0.2_f64, 0.5, 1.0] {
        for azimuth in [0.0, 0.3, std::f64::consts::FRAC_PI_4, 1.2, 2.5, 4.0] {
            for (part, slides) in [(0.995, false), (1.005, true)] {
                let (mut w, b, _, down) = on_slope(mu.atan() * part, azimuth, mu);
                for _ in 0..90 {
                    w.step(STEP).unwrap();
                }
                let way = w[b].pos.dot(down);
                assert!(if slides { way > 1e-3 } else { way.abs() < 1e-8 }, "{mu} {azimuth} {part}: {way:e}");
            }
        }
    }
}

#[test]
fn a_box_turned_about_the_normal_slides_at_the_same_angle() {
    // Edges at 45 degrees to the fall line: four-sided friction would hold up to 1.41 of the angle.
    for (part, slides) in [(0.995, false), (1.005, true)] {
        let mu: f64 = 0.5;
        let (mut w, b, normal, down) = on_slope(mu.atan() * part, 0.0, mu);
        let turned = Quat::from_axis_angle(normal, std::f64::consts::FRAC_PI_4) * w[b].rot;
        w.set_pose(b, Pose { pos: 0.1 * normal, rot: turned }).unwrap();
        for _ in 0..90 {
            w.step(STEP).unwrap();
        }
        let way = w[b].pos.dot(down);
        assert_eq!(way > 1e-3, slides, "{part}: {way:e}");
    }
}

#[test]
fn slip_on_an_elliptic_surface_is_normal_to_the_ellipse() {
    let (along, across) = (0.2, 0.6);
    for azimuth in [0.0, 0.4, 0.8, 1.3, std::f64::consts::FRAC_PI_2] {
        let mut w = World::new();
        plane(&mut w, Vec3::Y, Material::new(0.0, 0.0).elliptic(along, across, Vec3::X).combined(Combine::Max));
        let b = put(&mut w, cube(0.1), Material::new(0.0, 0.0), Vec3::Y * 0.1);
        w.set_velocity(b, 3.0 * Vec3::new(f64::cos(azimuth), 0.0, f64::sin(azimuth)), Vec3::ZERO).unwrap();
        for _ in 0..20 {
            w.step(STEP).unwrap();
            let v = w[b].vel;
            let (push, normal) = (push_on(&w, b), push_on(&w, b).y);
            let on_ellipse = (push.x / along).hypot(push.z / across) / normal;
            assert!((on_ellipse - 1.0).abs() < 1e-9, "{azimuth} {on_ellipse}");
            // The gradient of the ellipse at the force is against the velocity.
            let gradient = Vec3::new(push.x / (along * along), 0.0, push.z / (across * across)).normalize();
            assert!((gradient + v.normalize()).length() < 1e-7, "{azimuth} {gradient} {}", v.normalize());
        }
    }
}

#[test]
fn an_elliptic_slope_holds_along_and_lets_slide_across() {
    let (strong, weak): (f64, f64) = (0.8, 0.3);
    for (direction, mu) in [(Vec3::X, strong), (Vec3::Z, weak)] {
        for (part, slides) in [(0.995, false), (1.005, true)] {
            let mut w = World::new();
            let angle = mu.atan() * part;
            let axis = Vec3::Y.cross(direction);
            let rot = Quat::from_axis_angle(axis, angle);
            w.set_options(Options { gravity: rot * Vec3::new(0.0, -G, 0.0), ..Options::default() }).unwrap();
            let m = Material::new(0.0, 0.0).elliptic(strong, weak, Vec3::X).combined(Combine::Max);
            plane(&mut w, Vec3::Y, m);
            let b = put(&mut w, cube(0.1), Material::new(0.0, 0.0), Vec3::Y * 0.1);
            for _ in 0..90 {
                w.step(STEP).unwrap();
            }
            let way = w[b].pos.dot(direction).abs();
            assert_eq!(way > 1e-3, slides, "{mu} {part}: {way:e}");
        }
    }
}

/// A ball of 0.1 m on a slope.
fn ball_on_slope(angle: f64, mu: f64) -> (World, BodyId, Vec3) {
    let mut w = World::new();
    let rot = Quat::from_rotation_z(-angle);
    plane(&mut w, rot * Vec3::Y, Material::new(mu, 0.0));
    let b = put(&mut w, Shape::ball(0.1), Material::new(mu, 0.0), rot * Vec3::Y * 0.1);
    (w, b, rot * Vec3::X)
}

#[test]
fn a_ball_rolls_down_with_five_sevenths_of_g_sin() {
    let (mut w, b, down) = ball_on_slope(0.3, 0.9);
    for _ in 0..60 {
        w.step(STEP).unwrap();
    }
    let (v, x) = fall(5.0 / 7.0 * G * f64::sin(0.3), 0.0, 60);
    let view = w.body(b).unwrap();
    assert!((view.velocity().dot(down) - v).abs() < 1e-6 * v, "{} {v}", view.velocity().dot(down));
    assert!((view.position().dot(down) - x).abs() < 1e-6 * x, "{} {x}", view.position().dot(down));
    assert!((view.angular_velocity().z + v / 0.1).abs() < 1e-6 * v / 0.1);
}

#[test]
fn a_ball_that_slips_down_spins_up_by_friction_alone() {
    // Above tan(angle) = 7/2 mu it cannot roll.
    let (angle, mu) = (0.6_f64, 0.1);
    let (mut w, b, down) = ball_on_slope(angle, mu);
    for _ in 0..60 {
        w.step(STEP).unwrap();
    }
    let (v, _) = fall(G * (angle.sin() - mu * angle.cos()), 0.0, 60);
    let (spin, _) = fall(2.5 * mu * G * angle.cos() / 0.1, 0.0, 60);
    let view = w.body(b).unwrap();
    assert!((view.velocity().dot(down) - v).abs() < 1e-6 * v);
    assert!((view.angular_velocity().z + spin).abs() < 1e-6 * spin, "{} {spin}", view.angular_velocity());
}

#[test]
fn a_ball_thrown_along_the_ground_loses_two_sevenths_of_its_speed() {
    let (mut w, b, _) = ball_on_slope(0.0, 0.3);
    w.set_velocity(b, Vec3::new(4.0, 0.0, 0.0), Vec3::ZERO).unwrap();
    for _ in 0..60 {
        w.step(STEP).unwrap();
    }
    let view = w.body(b).unwrap();
    assert!((view.velocity().x - 4.0 * 5.0 / 7.0).abs() < 1e-6, "{}", view.velocity());
    assert!((view.angular_velocity().z + 40.0 * 5.0 / 7.0).abs() < 1e-5, "{}", view.angular_velocity());
}

#[test]
fn a_box_topples_above_its_threshold_and_not_below() {
    // Pushed at its top: F 2 b = m g a with half edges a along x and b along y.
    let half = Vec3::new(0.1, 0.25, 0.1);
    for (part, topples) in [(0.995, false), (1.005, true)] {
        let mut w = World::new();
        plane(&mut w, Vec3::Y, Material::new(2.0, 0.0));
        let b = put(&mut w, Shape::cuboid(half), Material::new(2.0, 0.0), Vec3::Y * half.y);
        let mass = w.body(b).unwrap().mass();
        let force = part * mass * G * half.x / (2.0 * half.y);
        // In the first step gravity acts for half of it, a load for all of it.
        w.step(STEP).unwrap();
        for _ in 0..120 {
            let pose = w.pose(b).unwrap();
            w.apply_force(b, Vec3::X * force, pose.to_world(Vec3::new(0.0, half.y, 0.0))).unwrap();
            w.step(STEP).unwrap();
        }
        let tilt = (w[b].rot * Vec3::Y).x;
        assert!(if topples { tilt > 0.05 } else { tilt.abs() < 1e-8 }, "{part}: {tilt:e}");
    }
}

#[test]
fn a_tall_box_on_a_steep_slope_topples_when_its_weight_leaves_its_base() {
    for (part, topples) in [(0.99, false), (1.01, true)] {
        let half = Vec3::new(0.1, 0.3, 0.1);
        let angle = f64::atan(half.x / half.y) * part;
        let mut w = World::new();
        let rot = Quat::from_rotation_z(-angle);
        plane(&mut w, rot * Vec3::Y, Material::new(2.0, 0.0));
        let (b, _) =
            solid(&mut w, Shape::cuboid(half), Material::new(2.0, 0.0), Pose { pos: rot * Vec3::Y * 0.3, rot });
        for _ in 0..180 {
            w.step(STEP).unwrap();
        }
        let tilt = (w[b].rot * Vec3::Y - rot * Vec3::Y).length();
        assert!(if topples { tilt > 0.05 } else { tilt < 1e-8 }, "{part}: {tilt:e}");
    }
}

#[test]
fn a_belt_carries_a_box_at_its_speed() {
    let mut w = World::new();
    plane(&mut w, Vec3::Y, Material::new(0.4, 0.0).moving(Vec3::new(0.7, 0.0, -0.3)));
    let b = put(&mut w, cube(0.1), Material::new(0.4, 0.0), Vec3::Y * 0.1);
    w.step(STEP).unwrap();
    let first = w[b].vel;
    assert!((first.length() - 0.4 * G * STEP / 2.0).abs() < 1e-8, "{first}");
    for _ in 0..90 {
        w.step(STEP).unwrap();
    }
    let v = w[b].vel;
    assert!((v - Vec3::new(0.7, 0.0, -0.3)).length() < 1e-8, "{v}");
    assert!(w[b].omega.length() < 1e-7);
}

#[test]
fn a_compliant_contact_settles_at_weight_times_compliance() {
    let c = 1e-5;
    let mut w = World::new();
    plane(&mut w, Vec3::Y, Material::new(0.5, 0.0).soft(c, 500.0));
    let b = put(&mut w, Shape::ball(0.1), Material::new(0.5, 0.0), Vec3::Y * 0.1);
    for _ in 0..300 {
        w.step(STEP).unwrap();
    }
    let view = w.body(b).unwrap();
    assert!((0.1 - view.position().y - view.mass() * G * c).abs() < 1e-9, "{}", view.position().y);
}

#[test]
fn a_box_rides_a_lift_up_and_down() {
    let mut w = World::new();
    let lift = w.add(Body::kinematic().at(Vec3::new(0.0, -0.1, 0.0))).unwrap();
    w.add(Collider::new(Shape::cuboid(Vec3::new(1.0, 0.1, 1.0))).on(lift)).unwrap();
    let b = put(&mut w, cube(0.1), Material::default(), Vec3::Y * 0.1);
    for (speed, steps) in [(0.5, 60), (0.0, 60), (-0.5, 60), (0.0, 60), (-0.3, 30)] {
        w.set_velocity(lift, Vec3::Y * speed, Vec3::ZERO).unwrap();
        for k in 0..steps {
            w.step(STEP).unwrap();
            let (box_at, lift_at) = (w[b].pos, w[lift].pos);
            // In the first steps down it may fall freely.
            if k > 10 {
                assert!((box_at.y - lift_at.y - 0.2).abs() < 1e-6, "{speed} {k}: {box_at} {lift_at}");
            }
            assert!(box_at.x.abs() + box_at.z.abs() < 1e-7, "{box_at}");
        }
    }
}

#[test]
fn every_solid_rests_still_on_a_plane() {
    let flat = Quat::from_rotation_z(std::f64::consts::FRAC_PI_2);
    let prism = Shape::ConvexHull {
        points: (0..12)
            .map(|k| {
                let a = f64::from(k % 6) * std::f64::consts::FRAC_PI_3;
                Vec3::new(0.2 * a.cos(), if k < 6 { -0.15 } else { 0.15 }, 0.2 * a.sin())
            })
            .collect(),
    };
    let cases = [
        ("box", cube(0.1), Quat::IDENTITY, 0.1),
        ("capsule", Shape::capsule(0.2, 0.1), flat, 0.1),
        ("cylinder", Shape::cylinder(0.2, 0.1), Quat::IDENTITY, 0.2),
        ("lying cylinder", Shape::cylinder(0.2, 0.1), flat, 0.1),
        ("prism", prism, Quat::IDENTITY, 0.15),
        ("ball", Shape::ball(0.1), Quat::IDENTITY, 0.1),
    ];
    for (name, shape, rot, height) in cases {
        let mut w = crate::common::world(Options { sleep: false, ..Options::default() });
        plane(&mut w, Vec3::Y, Material::default());
        let (b, _) = solid(&mut w, shape, Material::default(), Pose { pos: Vec3::Y * height, rot });
        for _ in 0..120 {
            let report = w.step(STEP).unwrap();
            assert!(report.bounded.unconverged == 0, "{name}");
        }
        let view = w.body(b).unwrap();
        assert!((view.position() - Vec3::Y * height).length() < 1e-7, "{name} {}", view.position());
        assert!(view.velocity().length() < 1e-8 && view.angular_velocity().length() < 1e-7, "{name} {view:?}");
        let weight = view.mass() * G;
        assert!((push_on(&w, b) - Vec3::Y * weight).length() < 1e-6 * weight, "{name}");
    }
}
