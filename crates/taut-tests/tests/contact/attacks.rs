//! Attacks on contacts: bad and extreme values, bodies inside each other, and long random sequences of calls. Nothing may panic, and
//! what is refused is refused by name.

use crate::common::Rng;
use crate::common::touch::*;
use taut::{
    Ball, Body, BodyId, Collider, ColliderId, Force, ForceId, Hinge, JointId, MassProperties, Material, MouseSpring,
    Options, Pose, Rope, Shape, State, Strength, Vec3, Weld, World, shapes::Combine, shapes::Groups,
};

/// Every number of the bodies is finite.
fn assert_finite(w: &World, what: &str) {
    for b in w.bodies() {
        assert!(b.position().is_finite() && b.rotation().is_finite(), "{what}: {b:?}");
        assert!(b.velocity().is_finite() && b.angular_velocity().is_finite(), "{what}: {b:?}");
    }
}

#[test]
fn sizes_from_picometres_to_gigametres_rest_or_are_refused() {
    let mut rested = Vec::new();
    for size in [1e-12, 1e-9, 1e-6, 1e-3, 1.0, 1e3, 1e6, 1e9, 1e12] {
        let mut w = World::new();
        plane(&mut w, Vec3::Y, Material::default());
        let mass = MassProperties::from_diagonal(1.0, Vec3::splat(0.4 * size * size));
        let Ok(mass) = mass else { continue };
        let b = match w.add(Body::dynamic(mass).at(Vec3::Y * size).collider(Collider::new(Shape::ball(size)))) {
            Ok(b) => b,
            Err(e) => {
                assert!(size > 1e9 && e.to_string().contains("ball radius"), "{size} {e}");
                continue;
            }
        };
        for _ in 0..30 {
            match w.step(STEP) {
                Ok(_) => assert_finite(&w, "size"),
                Err(e) => panic!("{size}: {e}"),
            }
        }
        let y = w[b].pos.y;
        assert!((y / size - 1.0).abs() < 1e-3, "{size}: {y}");
        rested.push(size);
    }
    assert_eq!(rested, [1e-12, 1e-9, 1e-6, 1e-3, 1.0, 1e3, 1e6, 1e9]);
}

#[test]
fn a_billion_to_one_rests_both_ways() {
    for (below, above) in [(1.0, 1e9), (1e9, 1.0), (1e-3, 1e6)] {
        let mut w = World::new();
        plane(&mut w, Vec3::Y, Material::default());
        let mut add = |mass: f64, y: f64| {
            let props = mass_of(&cube(0.1)).with_mass(mass).unwrap();
            w.add(Body::dynamic(props).at(Vec3::Y * y).collider(Collider::new(cube(0.1)))).unwrap()
        };
        let (low, high) = (add(below, 0.1), add(above, 0.3));
        for _ in 0..120 {
            w.step(STEP).unwrap();
        }
        let y = |b: BodyId| w[b].pos.y;
        assert!((y(low) - 0.1).abs() < 1e-4 && (y(high) - 0.3).abs() < 2e-4, "{below} {above}: {} {}", y(low), y(high));
    }
}

#[test]
fn bodies_started_inside_each_other_part_slowly() {
    let shapes = [cube(0.1), Shape::ball(0.1), Shape::capsule(0.1, 0.1), Shape::cylinder(0.1, 0.1), spindle(0.1, 0.15)];
    for (k, a) in shapes.iter().enumerate() {
        for b in &shapes {
            for shift in [Vec3::ZERO, Vec3::new(0.01, 0.02, -0.005)] {
                let mut w = crate::common::world(crate::common::weightless());
                let x = put(&mut w, a.clone(), Material::default(), Vec3::ZERO);
                let y = put(&mut w, b.clone(), Material::default(), shift);
                let mut fastest = 0.0_f64;
                for _ in 0..200 {
                    w.step(STEP).unwrap();
                    for id in [x, y] {
                        let v = w.body(id).unwrap();
                        fastest = fastest.max(v.velocity().length() + 0.1 * v.angular_velocity().length());
                    }
                }
                let apart = (w[x].pos - w[y].pos).length();
                assert!(fastest < 1e-3, "{k} {b:?} {shift}: {fastest}");
                assert!(apart > 0.1, "{k} {b:?} {shift}: {apart}");
            }
        }
    }
}

#[test]
fn a_heap_started_in_one_place_does_not_explode() {
    let mut w = World::new();
    plane(&mut w, Vec3::Y, Material::default());
    let mut r = Rng(7);
    let bodies: Vec<BodyId> =
        (0..8).map(|_| put(&mut w, random_shape(&mut r), Material::default(), Vec3::Y * 0.1 + r.vec(0.05))).collect();
    let mut fastest = 0.0_f64;
    for _ in 0..240 {
        w.step(STEP).unwrap();
        fastest = bodies.iter().map(|&b| w[b].vel.length()).fold(fastest, f64::max);
    }
    println!("fastest {fastest}");
    assert!(fastest < 5.0, "{fastest}");
    for &b in &bodies {
        assert!(w[b].pos.y > 0.0 && w[b].pos.length() < 5.0);
    }
}

#[test]
fn far_from_the_origin_a_box_still_rests() {
    for far in [1e4, 1e6, 1e8] {
        let mut w = World::new();
        let at = Vec3::new(far, 0.0, -far);
        plane(&mut w, Vec3::Y, Material::default());
        let b = put(&mut w, cube(0.1), Material::default(), at + Vec3::Y * 0.1);
        for _ in 0..120 {
            w.step(STEP).unwrap();
        }
        let v = w.body(b).unwrap();
        let noise = 1e-15 * far;
        assert!((v.position() - at - Vec3::Y * 0.1).length() < 1e-6 + 10.0 * noise, "{far}: {}", v.position());
        assert!(v.velocity().length() < 1e-6 + 100.0 * noise, "{far}: {}", v.velocity());
    }
}

#[test]
fn fast_spinning_and_fast_flying_bodies_do_not_break_a_step() {
    for speed in [1e2, 1e4, 1e6, 1e9] {
        let mut w = World::new();
        plane(&mut w, Vec3::Y, Material::new(1.0, 1.0));
        let b = put(&mut w, cube(0.1), Material::new(1.0, 1.0), Vec3::Y * 1.0);
        w.set_velocity(b, Vec3::new(speed, -speed, 0.0), Vec3::new(0.3, 1.0, 0.2) * speed).unwrap();
        let start = w.energy().unwrap().total();
        let mut stepped = 0;
        for _ in 0..30 {
            match w.step(STEP) {
                Ok(report) => {
                    assert!(report.energy.total() < start * 1.01, "{speed}: {} {start}", report.energy.total());
                    stepped += 1;
                }
                Err(e) => assert!(e.to_string().contains("finite"), "{e}"),
            }
            assert_finite(&w, "fast");
        }
        assert_eq!(stepped, 30, "{speed}");
    }
}

#[test]
fn steps_of_all_lengths_keep_a_box_on_the_ground() {
    for h in [1e-9, 1e-6, 1e-3, 0.1, 1.0, 100.0] {
        let mut w = World::new();
        plane(&mut w, Vec3::Y, Material::default());
        let b = put(&mut w, cube(0.1), Material::default(), Vec3::Y * 0.1);
        for _ in 0..50 {
            w.step(h).unwrap();
        }
        let y = w[b].pos.y;
        assert!((y - 0.1).abs() < 1e-5, "{h}: {y}");
    }
    // Lengths that change from step to step.
    let mut r = Rng(3);
    let mut w = World::new();
    plane(&mut w, Vec3::Y, Material::default());
    let b = put(&mut w, cube(0.1), Material::default(), Vec3::Y * 0.1);
    for _ in 0..100 {
        w.step(r.range(0.001, 0.05)).unwrap();
    }
    let v = w.body(b).unwrap();
    assert!((v.position() - Vec3::Y * 0.1).length() < 1e-6 && v.velocity().length() < 1e-6, "{v:?}");
}

#[test]
fn extreme_friction_and_compliance_are_finite() {
    for mu in [1e-12, 1e3, 1e9] {
        for compliance in [0.0, 1e-12, 1e-3, 1e3] {
            let mut w = World::new();
            let m = Material::new(mu, 0.5).soft(compliance, 10.0);
            plane(&mut w, Vec3::Y, m);
            let b = put(&mut w, cube(0.1), m, Vec3::Y * 0.3);
            w.set_velocity(b, Vec3::new(1.0, -1.0, 0.5), Vec3::ONE).unwrap();
            for _ in 0..60 {
                w.step(STEP).unwrap();
            }
            assert_finite(&w, "friction");
            assert!(w[b].vel.length() < 100.0, "{mu} {compliance}");
        }
    }
}

/// A world that random calls are made on, with handles old and new.
struct Fuzz {
    w: World,
    r: Rng,
    bodies: Vec<BodyId>,
    colliders: Vec<ColliderId>,
    joints: Vec<JointId>,
    forces: Vec<ForceId>,
    snapshots: Vec<State>,
    refused: usize,
}

impl Fuzz {
    fn new(seed: u64) -> Self {
        let mut w = World::new();
        let ground = plane(&mut w, Vec3::Y, Material::default());
        let bodies = vec![w.ground()];
        Fuzz {
            w,
            r: Rng(seed),
            bodies,
            colliders: vec![ground],
            joints: vec![],
            forces: vec![],
            snapshots: vec![],
            refused: 0,
        }
    }

    fn body(&mut self) -> BodyId {
        self.bodies[self.r.below(self.bodies.len())]
    }

    fn collider(&mut self) -> ColliderId {
        self.colliders[self.r.below(self.colliders.len())]
    }

    /// Mostly tame, now and then out of range.
    fn number(&mut self) -> f64 {
        match self.r.below(40) {
            0 => f64::NAN,
            1 => f64::INFINITY,
            2 => -1.0,
            3 => 0.0,
            4 => 1e12,
            5 => 1e-12,
            _ => self.r.range(0.05, 0.5),
        }
    }

    fn vec(&mut self) -> Vec3 {
        if self.r.below(60) == 0 { Vec3::splat(self.number()) } else { self.r.vec(1.0) }
    }

    fn take<T>(&mut self, done: taut::Result<T>) -> Option<T> {
        match done {
            Ok(x) => Some(x),
            Err(e) => {
                assert!(e.to_string().len() > 8, "{e}");
                self.refused += 1;
                None
            }
        }
    }

    fn material(&mut self) -> Material {
        let m = Material::new(self.number(), self.number()).combined(Combine::Max);
        match self.r.below(4) {
            0 => m.soft(1e-6 * self.number(), self.number()),
            1 => m.elliptic(self.number(), self.number(), self.vec()),
            2 => m.moving(self.vec()),
            _ => m,
        }
    }

    fn shape(&mut self) -> Shape {
        match self.r.below(9) {
            0 => Shape::ball(self.number()),
            1 => Shape::cuboid(Vec3::new(self.number(), self.number(), self.number())),
            2 => Shape::capsule(self.number(), self.number()),
            3 => Shape::cylinder(self.number(), self.number()),
            4 => Shape::ConvexHull { points: (0..self.r.below(9)).map(|_| self.r.vec(0.3)).collect() },
            5 => Shape::HalfSpace { normal: self.vec() },
            6 => Shape::Compound {
                parts: (0..self.r.below(3)).map(|_| (self.r.pose(), Shape::ball(self.r.range(0.05, 0.2)))).collect(),
            },
            _ => random_shape(&mut self.r),
        }
    }

    fn add_body(&mut self) {
        let mut at = self.vec();
        at.y = at.y.abs() + 0.3;
        let def = match self.r.below(6) {
            0 => Body::kinematic(),
            1 => Body::particle(self.number()),
            2 => Body::fixed(),
            _ => Body::dynamic(self.r.mass()),
        };
        let def = def.at(at).rotated(self.r.quat());
        let done = self.w.add(def);
        if let Some(b) = self.take(done) {
            self.bodies.push(b);
            self.add_collider(b);
        }
    }

    fn add_collider(&mut self, b: BodyId) {
        let mut c = Collider::new(self.shape()).of(self.material());
        if self.r.below(8) == 0 {
            c = c.sensing();
        }
        if self.r.below(8) == 0 {
            c = c.grouped(self.r.below(4) as u32, self.r.below(4) as u32);
        }
        let done = self.w.add(c.on(b));
        if let Some(c) = self.take(done) {
            self.colliders.push(c);
        }
    }

    fn add_joint(&mut self) {
        let (a, b, at) = (self.body(), self.body(), self.vec());
        let joint = match self.r.below(4) {
            0 => Ball::between(a, b),
            1 => Hinge::between(a, b).limit(-0.5, 0.5),
            2 => Rope::between(a, b).length(self.number()),
            _ => Weld::between(a, b),
        };
        let done = self.w.add(joint.ends(at, at).axis(Vec3::Z));
        if let Some(j) = self.take(done) {
            self.joints.push(j);
            if self.r.below(3) == 0 {
                let done = self.w.set_strength(j, Some(Strength::force(self.r.range(1.0, 1e3))));
                self.take(done);
            }
        }
    }

    fn call(&mut self) {
        match self.r.below(24) {
            0 | 1 if self.bodies.len() < 25 => self.add_body(),
            2 if self.bodies.len() > 8 => {
                let b = self.body();
                let done = self.w.remove(b);
                self.take(done);
            }
            3 => {
                let b = self.body();
                self.add_collider(b);
            }
            4 => {
                let c = self.collider();
                let done = if self.r.below(3) == 0 { self.w.remove(c) } else { Ok(()) };
                self.take(done);
            }
            5 if self.joints.len() < 12 => self.add_joint(),
            6 if !self.joints.is_empty() => {
                let j = self.joints[self.r.below(self.joints.len())];
                let done = self.w.remove(j);
                self.take(done);
            }
            7 => self.touch_body(),
            8 => self.touch_collider(),
            9 => self.touch_force(),
            10 => self.snapshots.push(self.w.state().clone()),
            11 if !self.snapshots.is_empty() => {
                let s = self.snapshots.swap_remove(self.r.below(self.snapshots.len()));
                let done = self.w.restore(&s);
                self.take(done);
            }
            12 => {
                let b = self.body();
                let done = self.w.wake(b);
                self.take(done);
            }
            13 if self.r.below(10) == 0 => {
                let gravity = 10.0 * self.vec();
                let sleep = self.r.below(2) == 0;
                let done = self.w.set_options(Options { gravity, sleep, ..Options::default() });
                self.take(done);
            }
            _ => self.step(),
        }
    }

    fn step(&mut self) {
        let h = if self.r.below(50) == 0 { self.number() } else { STEP };
        let done = self.w.step(h);
        if let Some(report) = self.take(done) {
            assert!(report.bounded.residual.is_finite(), "{:?}", report.bounded);
            assert_finite(&self.w, "after a step");
        }
    }

    fn touch_body(&mut self) {
        let (b, v, w) = (self.body(), self.vec(), self.vec());
        let pose = Pose { pos: v, rot: self.r.quat() };
        let done = match self.r.below(6) {
            0 => self.w.set_pose(b, pose),
            1 => self.w.set_velocity(b, v, w),
            2 => self.w.set_target(b, pose),
            3 => self.w.apply_force(b, 100.0 * v, w),
            4 => self.w.apply_torque(b, 10.0 * v),
            _ => {
                let other = self.body();
                let meet = self.r.below(2) == 0;
                self.w.set_collision(b, other, meet)
            }
        };
        self.take(done);
    }

    fn touch_collider(&mut self) {
        let (c, d, m) = (self.collider(), self.collider(), self.material());
        let done = match self.r.below(3) {
            0 => self.w.set_material(c, m),
            1 => self.w.set_pair_material(c, d, m),
            _ => {
                let groups = Groups { member: self.r.below(4) as u32, with: self.r.below(4) as u32 };
                self.w.set_groups(c, groups)
            }
        };
        self.take(done);
        let h = self.number();
        let done = self.w.predict_contacts(h);
        self.take(done);
    }

    fn touch_force(&mut self) {
        if self.r.below(2) == 0 && !self.forces.is_empty() {
            let f = self.forces.swap_remove(self.r.below(self.forces.len()));
            let done = self.w.remove(f);
            self.take(done);
            return;
        }
        let (b, v) = (self.body(), self.vec());
        let force = match self.r.below(3) {
            0 => Force::Point { body: b, point: Vec3::ZERO, force: 50.0 * v },
            1 => Force::Torque { body: b, torque: 5.0 * v },
            _ => Force::Mouse(MouseSpring::new(b, Vec3::ZERO, v)),
        };
        let done = self.w.add(force);
        if let Some(f) = self.take(done) {
            self.forces.push(f);
        }
    }
}

#[test]
fn ten_thousand_random_calls_do_not_panic() {
    for seed in 0..10 {
        let mut f = Fuzz::new(seed);
        for _ in 0..1000 {
            f.call();
        }
        assert!(f.refused > 20, "{}", f.refused);
    }
}
