//! Trials of detection as the step calls it.

#[cfg(test)]
mod tests {
    use crate::collide::cell::SceneCell;
    use crate::collide::detect::{Scan, detect};
    use crate::collide::scene::Scene;
    use crate::contact::collider::{Carrier, Collider};
    use crate::contact::hooks::Hooks;
    use crate::contact::material::Material;
    use crate::contact::shape::Shape;
    use crate::contact::{Contact, Sensing};
    use crate::ids::{BodyId, ColliderId};
    use crate::mass::MassProperties;
    use crate::math::pose::Pose;
    use crate::math::so3::exp;
    use crate::model::Model;
    use crate::model::body::Body;
    use crate::state::BodyState;
    use glam::{DMat3, DQuat, DVec3};

    const H: f64 = 1.0 / 60.0;
    const NO_HOOKS: Hooks = Hooks(None);

    /// Bodies and colliders without a solver.
    #[derive(Default)]
    struct Lab {
        model: Model,
        bodies: Vec<BodyState>,
        gravity: DVec3,
    }

    impl Lab {
        fn add(&mut self, def: Body, colliders: Vec<Collider>) -> usize {
            let (body, pose) = def.build().unwrap();
            let key = self.model.bodies.insert(body);
            self.bodies.push(BodyState::new(pose.pos, pose.rot, def.velocity, def.angular_velocity));
            for c in colliders {
                let on = self.model.bodies.get(key).unwrap();
                let particle = on.motion == crate::model::Motion::Particle;
                let on = Carrier { moves: on.is_node(), particle, name: String::new() };
                let entry = c.build(BodyId(key), &on).unwrap();
                let id = ColliderId(self.model.colliders.insert(entry));
                self.model.bodies.get_mut(key).unwrap().colliders.push(id);
            }
            key.slot as usize
        }

        fn scan<'a>(&'a self, moving: &'a [usize], hooks: &'a Hooks) -> Scan<'a> {
            let (model, bodies, gravity) = (&self.model, &self.bodies, self.gravity);
            Scan { model, bodies, moving, h: H, gravity, jerk: &[], hooks, again: false, parallel: false }
        }

        fn scene(&self) -> Scene {
            Scene::new(&self.model, &self.bodies)
        }

        fn detect(&self, scene: &mut Scene, moving: &[usize]) -> (Vec<Contact>, Vec<Sensing>) {
            let (mut out, mut sensed) = (Vec::new(), Vec::new());
            let scan = self.scan(moving, &NO_HOOKS);
            detect(&scan, scene, (&mut out, &mut Vec::new()), &mut sensed).unwrap();
            assert!(out.windows(2).all(|w| w[0].id < w[1].id), "sorted, none twice");
            for c in &out {
                let [t, u] = c.tangents;
                assert!((c.normal.length() - 1.0).abs() < 1e-9 && (t.cross(u) - c.normal).length() < 1e-9);
                let size = 1.0 + c.point_i.length() + c.point_j.length();
                assert!((c.normal.dot(c.point_i - c.point_j) - c.distance).abs() < 1e-9 * size, "{c:?}");
            }
            (out, sensed)
        }

        fn fly(&mut self, slot: usize) {
            let b = &mut self.bodies[slot];
            b.vel += self.gravity * H;
            b.pos += b.vel * H;
            b.rot = (exp(b.omega * H) * b.rot).normalize();
        }
    }

    /// SplitMix64.
    struct Rng(u64);

    impl Rng {
        fn range(&mut self, low: f64, high: f64) -> f64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            low + (high - low) * ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
        }

        fn vec(&mut self, r: f64) -> DVec3 {
            DVec3::new(self.range(-r, r), self.range(-r, r), self.range(-r, r))
        }

        fn rotation(&mut self) -> DQuat {
            exp(self.vec(3.0))
        }
    }

    /// Velocities after frictionless impulses that hold all contact rows, body i against a fixed j: Gauss-Seidel to the end.
    fn stop(b: &BodyState, mass: &MassProperties, contacts: &[Contact]) -> (DVec3, DVec3) {
        let r = DMat3::from_quat(b.rot);
        let inverse = (r * mass.inertia * r.transpose()).inverse();
        let (mut v, mut w) = (b.vel, b.omega);
        let mut total = vec![0.0; contacts.len()];
        for _ in 0..300 {
            for (c, sum) in contacts.iter().zip(&mut total) {
                // The fixed body may be either of the two.
                let (n, at) = if c.bodies.0 == 0 { (-c.normal, c.point_j) } else { (c.normal, c.point_i) };
                let lever = (at - b.pos).cross(n);
                let rate = n.dot(v) + lever.dot(w) + c.distance / H;
                let next = f64::max(0.0, *sum - rate / (1.0 / mass.mass + lever.dot(inverse * lever)));
                let change = next - *sum;
                *sum = next;
                v += n * (change / mass.mass);
                w += inverse * lever * change;
            }
        }
        (v, w)
    }

    fn bullet(rng: &mut Rng, kind: u64) -> (Shape, DVec3) {
        let r = rng.range(0.01, 0.1);
        let spin = rng.vec(1.0) * rng.range(0.0, 300.0);
        match kind % 8 {
            0..4 => (Shape::ball(r), spin),
            4 => (Shape::cuboid(DVec3::new(r, rng.range(0.01, 0.1), rng.range(0.01, 0.1))), DVec3::ZERO),
            5 => (Shape::cuboid(DVec3::new(r, rng.range(0.01, 0.1), rng.range(0.01, 0.1))), spin),
            6 => (Shape::capsule(rng.range(0.01, 0.2), r), spin),
            _ => (Shape::cylinder(rng.range(0.01, 0.2), r), spin),
        }
    }

    #[test]
    fn of_ten_thousand_shots_at_a_wall_none_is_missed() {
        let wall = Shape::cuboid(DVec3::new(0.005, 1.0, 1.0));
        let mut rng = Rng(7);
        for shot in 0..10_000_u64 {
            let mut lab = Lab::default();
            lab.add(Body::fixed(), vec![Collider::new(wall.clone())]);
            let (shape, spin) = bullet(&mut rng, shot);
            let mass = MassProperties::of(&shape, 1000.0).unwrap();
            let speed = rng.range(1.0, 500.0);
            let toward = DVec3::new(1.0, rng.range(-0.5, 0.5), rng.range(-0.5, 0.5)).normalize();
            let target = DVec3::new(0.0, rng.range(-0.6, 0.6), rng.range(-0.6, 0.6));
            // Somewhere before the wall, clear of it, at most two steps away.
            let away = 0.45 + rng.range(0.0, 2.0) * speed * H;
            let def = Body::dynamic(mass).at(target - toward * away).rotated(rng.rotation());
            let slot = lab.add(def.moving(toward * speed, spin), vec![Collider::new(shape.clone())]);
            let mut scene = lab.scene();
            for step in 0..40 {
                let (contacts, _) = lab.detect(&mut scene, &[slot]);
                let (v, w) = stop(&lab.bodies[slot], &mass, &contacts);
                (lab.bodies[slot].vel, lab.bodies[slot].omega) = (v, w);
                let before = lab.bodies[slot].pos;
                lab.fly(slot);
                let at = lab.bodies[slot].pos;
                if at.x >= 0.0 {
                    // It may slide off the wall and go on beside it.
                    let through = before + (at - before) * (before.x / (before.x - at.x));
                    let beside = through.y.abs().max(through.z.abs()) > 1.0;
                    let what = || format!("shot {shot} step {step}: {} at {speed} m/s, spin {spin}", shape.name());
                    assert!(beside, "{}, passed at {through}", what());
                    break;
                }
                // Slow enough by then to be sure of.
                if step > 4 && (v.x.abs() < 1.0 || away < 1.0) || at.x < -20.0 {
                    break;
                }
            }
        }
    }

    #[test]
    fn a_fast_ball_stops_at_the_wall_and_not_before() {
        let mut rng = Rng(3);
        let surfaces = [
            Shape::cuboid(DVec3::new(0.005, 1.0, 1.0)),
            Shape::HalfSpace { normal: DVec3::NEG_X },
            Shape::Mesh {
                vertices: [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
                    .map(|(y, z)| DVec3::new(0.0, y, z))
                    .to_vec(),
                triangles: vec![[0, 2, 1], [0, 3, 2]],
            },
        ];
        for k in 0..3000 {
            let mut lab = Lab::default();
            let surface = &surfaces[k % 3];
            let face = if k % 3 == 0 { -0.005 } else { 0.0 };
            lab.add(Body::fixed(), vec![Collider::new(surface.clone())]);
            let (r, speed) = (rng.range(0.01, 0.1), rng.range(20.0, 500.0));
            let toward = DVec3::new(1.0, rng.range(-1.0, 1.0), rng.range(-1.0, 1.0)).normalize();
            let target = DVec3::new(0.0, rng.range(-0.7, 0.7), rng.range(-0.7, 0.7));
            let away = 0.3 + rng.range(0.0, 1.0) * speed * H;
            let mass = MassProperties::sphere(1000.0, r).unwrap();
            let def = Body::dynamic(mass).at(target - toward * away).moving(toward * speed, DVec3::ZERO);
            let slot = lab.add(def, vec![Collider::new(Shape::ball(r))]);
            let mut scene = lab.scene();
            for _ in 0..3 {
                let free = lab.bodies[slot].pos.x + lab.bodies[slot].vel.x * H;
                let (contacts, _) = lab.detect(&mut scene, &[slot]);
                (lab.bodies[slot].vel, lab.bodies[slot].omega) = stop(&lab.bodies[slot], &mass, &contacts);
                lab.fly(slot);
                let DVec3 { x, y, z } = lab.bodies[slot].pos;
                if y.abs().max(z.abs()) > 0.9 {
                    break;
                }
                // It would have come so far, or rests against the surface.
                let expected = free.min(face - r);
                assert!((x - expected).abs() < 1e-3 * r + 1e-9, "{k}: {x} expected {expected}");
            }
        }
    }

    /// A pile of all kinds of bodies.
    fn pile(count: usize) -> (Lab, Vec<usize>) {
        let mut lab = Lab { gravity: DVec3::Y * -9.81, ..Lab::default() };
        let mut rng = Rng(11);
        lab.add(Body::fixed(), vec![Collider::new(Shape::ground())]);
        let heights: Vec<Vec<f64>> = (0..9).map(|_| (0..9).map(|_| rng.range(0.0, 0.2)).collect()).collect();
        let field = Shape::HeightField { heights, scale: DVec3::new(6.0, 1.0, 6.0) };
        lab.add(Body::fixed(), vec![Collider::new(field)]);
        let moving = (0..count).map(|k| {
            let shape = match k % 5 {
                0 => Shape::ball(rng.range(0.1, 0.3)),
                1 => Shape::cuboid(DVec3::splat(0.3) + rng.vec(0.2)),
                2 => Shape::capsule(rng.range(0.1, 0.5), 0.2),
                3 => Shape::cylinder(rng.range(0.1, 0.3), 0.25),
                _ => Shape::ConvexHull { points: (0..12).map(|_| rng.vec(0.35)).collect() },
            };
            let mass = MassProperties::sphere(500.0, 0.2).unwrap();
            let at = rng.vec(1.5) + DVec3::Y * 1.7;
            let def = Body::dynamic(mass).at(at).rotated(rng.rotation()).moving(rng.vec(8.0), rng.vec(12.0));
            lab.add(def, vec![Collider::new(shape)])
        });
        let moving: Vec<usize> = moving.collect();
        (lab, moving)
    }

    #[test]
    fn what_is_found_does_not_depend_on_what_was_found_before() {
        let (mut lab, all) = pile(60);
        let mut kept = lab.scene();
        let mut most = 0;
        for step in 0..60 {
            // Some sleep, others wake.
            let moving: Vec<usize> = all.iter().copied().filter(|s| (s + step / 5) % 3 != 0).collect();
            let fresh = lab.detect(&mut lab.scene(), &moving);
            let seen = lab.detect(&mut kept, &moving);
            assert_eq!(seen, fresh, "step {step}");
            // Looking between steps does no harm.
            if step % 7 == 0 {
                kept.refresh(&lab.model, &lab.bodies);
            }
            // Backwards: the order of the bodies does not matter.
            let backwards: Vec<usize> = moving.iter().rev().copied().collect();
            assert_eq!(lab.detect(&mut kept, &backwards), fresh, "step {step}");
            most = most.max(fresh.0.len());
            for &s in &moving {
                lab.fly(s);
                // Held in a box without a solver.
                let b = &mut lab.bodies[s];
                for k in 0..3 {
                    if (b.pos[k] - 1.0).abs() > 2.0 {
                        b.vel[k] = b.vel[k].abs().copysign(1.0 - b.pos[k]);
                    }
                }
            }
            if step % 11 == 0 {
                lab.bodies[all[step % 60]].pos = DVec3::new(0.3, 1.0, -0.2);
                kept.touch(all[step % 60]);
            }
        }
        assert!(most > 100, "{most} contacts");
    }

    #[test]
    fn pairs_of_bodies_that_rest_are_not_looked_at() {
        let (lab, all) = pile(60);
        let mut scene = lab.scene();
        assert!(lab.detect(&mut scene, &all).0.len() > 20);
        assert_eq!(lab.detect(&mut scene, &[]), (Vec::new(), Vec::new()));
        let one = lab.detect(&mut scene, &all[7..8]).0;
        assert!(!one.is_empty() && one.iter().all(|c| c.bodies.0 == all[7] || c.bodies.1 == all[7]));
    }

    #[test]
    fn contacts_keep_their_names_while_bodies_move_a_little() {
        let half = DVec3::new(0.5, 0.4, 0.6);
        let prism = (0..12)
            .map(|k| {
                let a = f64::from(k % 6) * std::f64::consts::FRAC_PI_3;
                DVec3::new(0.6 * a.cos(), if k < 6 { -0.4 } else { 0.4 }, 0.6 * a.sin())
            })
            .collect();
        let shapes = [
            (Shape::cuboid(half), 0.4),
            (Shape::ConvexHull { points: prism }, 0.4),
            (Shape::capsule(0.3, 0.4), 0.7),
            (Shape::cylinder(0.4, 0.5), 0.4),
            (Shape::ball(0.4), 0.4),
        ];
        let grid = Shape::HeightField { heights: vec![vec![0.0; 3]; 3], scale: DVec3::new(4.0, 1.0, 4.0) };
        let bases = [(Shape::cuboid(half), 0.4), (Shape::cuboid(DVec3::new(2.0, 0.4, 2.0)), 0.4), (grid, 0.0)];
        let mut rng = Rng(5);
        for (base, top) in &bases {
            for (shape, bottom) in &shapes {
                let mut lab = Lab::default();
                lab.add(Body::fixed(), vec![Collider::new(base.clone())]);
                // On a grid, off its lines.
                let beside = if *top == 0.0 { DVec3::new(0.43, 0.0, -0.61) } else { DVec3::ZERO };
                let start = DVec3::Y * (top + bottom) + beside;
                let mass = MassProperties::sphere(500.0, 0.2).unwrap();
                let slot = lab.add(Body::dynamic(mass).at(start), vec![Collider::new(shape.clone())]);
                let mut scene = lab.scene();
                let names = |lab: &Lab, scene: &mut Scene| -> Vec<_> {
                    lab.detect(scene, &[slot]).0.iter().map(|c| c.id).collect()
                };
                let first = names(&lab, &mut scene);
                assert!(!first.is_empty());
                for _ in 0..100 {
                    lab.bodies[slot].pos = start + rng.vec(1e-6);
                    lab.bodies[slot].rot = exp(rng.vec(1e-6));
                    let now = names(&lab, &mut scene);
                    assert_eq!(now, first, "{} on {}", shape.name(), base.name());
                }
            }
        }
    }

    #[test]
    fn sensors_see_what_overlaps_them_now() {
        let mut lab = Lab::default();
        let sensor = |shape: Shape| vec![Collider::new(shape).sensing()];
        lab.add(Body::fixed(), sensor(Shape::ground()));
        lab.add(Body::fixed().at(DVec3::Y * 3.0), sensor(Shape::cuboid(DVec3::splat(0.5))));
        let mass = MassProperties::sphere(500.0, 0.2).unwrap();
        let b = lab.add(Body::dynamic(mass).at(DVec3::Y * 1.5), vec![Collider::new(Shape::ball(0.25))]);
        let k = lab.add(Body::kinematic().at(DVec3::new(9.0, 3.0, 0.0)), sensor(Shape::ball(0.3)));
        let mut scene = lab.scene();
        let mut seen = |lab: &Lab| -> Vec<(u32, u32)> {
            let (contacts, sensed) = lab.detect(&mut scene, &[b, k]);
            assert!(contacts.is_empty());
            sensed.iter().map(|s| (s.colliders.0.0.slot, s.colliders.1.0.slot)).collect()
        };
        assert!(seen(&lab).is_empty());
        lab.bodies[b].pos.y = 0.2;
        assert_eq!(seen(&lab), [(0, 2)]);
        lab.bodies[b].pos.y = 2.3;
        assert_eq!(seen(&lab), [(1, 2)]);
        lab.bodies[b].pos.y = 2.2;
        assert!(seen(&lab).is_empty());
        // A sensor that moves; two sensors do not see each other.
        lab.bodies[k].pos = DVec3::Y * 2.6;
        assert_eq!(seen(&lab), [(2, 3)]);
    }

    #[test]
    fn kinematic_bodies_and_loads_are_expected_where_they_will_be() {
        let mut lab = Lab::default();
        let k = lab.add(Body::kinematic(), vec![Collider::new(Shape::cuboid(DVec3::splat(0.1)))]);
        let mass = MassProperties::sphere(500.0, 0.1).unwrap();
        let b = lab.add(Body::dynamic(mass).at(DVec3::X * 3.0), vec![Collider::new(Shape::ball(0.1))]);
        let mut scene = lab.scene();
        assert!(lab.detect(&mut scene, &[k, b]).0.is_empty());
        let key = lab.model.bodies.key_at(k).unwrap();
        lab.model.bodies.get_mut(key).unwrap().target = Some(Pose::at(DVec3::X * 5.0));
        let found = lab.detect(&mut scene, &[k, b]).0;
        // The face, and the ball inside the box.
        assert_eq!(found.len(), 2);
        assert!((found[0].distance - 2.8).abs() < 1e-9 && (found[0].normal + DVec3::X).length() < 1e-9, "{found:?}");
        assert!((found[1].distance - 2.81).abs() < 1e-9 && (found[1].normal + DVec3::X).length() < 1e-9, "{found:?}");
        lab.model.bodies.get_mut(key).unwrap().target = None;
        let key = lab.model.bodies.key_at(b).unwrap();
        lab.model.bodies.get_mut(key).unwrap().load.0 = DVec3::X * (-4.0 * mass.mass / (H * H));
        assert_eq!(lab.detect(&mut scene, &[k, b]).0.len(), 2);
    }

    #[test]
    fn materials_of_pairs_and_belts_reach_the_contact() {
        let mut lab = Lab::default();
        let belt = Material::new(0.4, 0.2).moving(DVec3::new(2.0, 1.0, 0.0));
        let g = lab.add(Body::fixed(), vec![Collider::new(Shape::ground()).of(belt)]);
        let mass = MassProperties::sphere(500.0, 0.2).unwrap();
        let ball = Collider::new(Shape::ball(0.2)).of(Material::new(0.8, 0.6).soft(1e-6, 5.0));
        let b = lab.add(Body::dynamic(mass).at(DVec3::Y * 0.2), vec![ball]);
        let mut scene = lab.scene();
        let c = lab.detect(&mut scene, &[b]).0[0];
        assert_eq!(c.bodies, (g, b));
        assert!((c.friction[0] - 0.6).abs() < 1e-15 && (c.restitution - 0.4).abs() < 1e-15);
        assert_eq!((c.normal, c.compliance, c.damping), (DVec3::NEG_Y, 1e-6, 5.0));
        // i is the ground: v_i - v_j = -belt when the ball rides along.
        assert_eq!(c.surface_velocity, DVec3::X * -2.0);
        let ids = [g, b].map(|s| lab.model.bodies.at(s).unwrap().colliders[0]);
        for first in [true, false] {
            let own = Material::new(0.1, 0.9).moving(DVec3::Z);
            lab.model.pair_materials.insert((ids[0], ids[1]), (own, first));
            let c = lab.detect(&mut scene, &[b]).0[0];
            assert_eq!((c.friction, c.restitution, c.compliance), ([0.1; 2], 0.9, 0.0));
            assert_eq!(c.surface_velocity, if first { DVec3::NEG_Z } else { DVec3::Z });
        }
    }

    #[test]
    fn many_colliders_in_one_place_and_far_out_do_no_harm() {
        let mut lab = Lab::default();
        let mass = MassProperties::sphere(500.0, 0.2).unwrap();
        let far = [DVec3::ZERO, DVec3::splat(1e12), DVec3::splat(1e160), DVec3::X * f64::MAX];
        let mut moving = Vec::new();
        for k in 0..400 {
            let def = Body::dynamic(mass).at(far[k % 4]).moving(far[k / 100], DVec3::splat(1e5));
            let shape = if k % 3 == 0 { Shape::ball(0.1) } else { Shape::cuboid(DVec3::splat(0.1)) };
            moving.push(lab.add(def, vec![Collider::new(shape).grouped(1 << (k % 16), 1)]));
        }
        lab.add(Body::fixed(), vec![Collider::new(Shape::ground())]);
        let scan = Scan { gravity: DVec3::ZERO, ..lab.scan(&moving, &NO_HOOKS) };
        let (mut out, mut sensed) = (Vec::new(), Vec::new());
        detect(&scan, &mut lab.scene(), (&mut out, &mut Vec::new()), &mut sensed).unwrap();
        assert!(!out.is_empty());
    }

    #[test]
    fn contacts_of_random_pairs_lie_on_both_and_are_as_far_apart_as_the_solids() {
        use crate::contact::convex::Convex;
        use crate::contact::manifold::{Placed, Scratch, separation, touches};
        let mut rng = Rng(23);
        let (mut scratch, mut out) = (Scratch::default(), Vec::new());
        let probe = Convex::new(&Shape::ball(0.0)).unwrap();
        let (mut apart, mut deep) = (0, 0);
        for round in 0..20_000 {
            let mut random = |k: u64| match k % 5 {
                0 => Shape::ball(rng.range(0.2, 0.6)),
                1 => Shape::cuboid(DVec3::splat(0.5) + rng.vec(0.3)),
                2 => Shape::capsule(rng.range(0.2, 0.8), rng.range(0.2, 0.4)),
                3 => Shape::cylinder(rng.range(0.2, 0.8), rng.range(0.2, 0.6)),
                _ => Shape::ConvexHull { points: (0..20).map(|_| rng.vec(0.7)).collect() },
            };
            let solids = [random(round), random(round / 5)].map(|s| Convex::new(&s).unwrap());
            let a = Placed { solid: &solids[0], pose: Pose { pos: DVec3::ZERO, rot: rng.rotation() } };
            let mut b = Placed { solid: &solids[1], pose: Pose { pos: rng.vec(1.0) * 2.0, rot: rng.rotation() } };
            // Moved along the normal to a small gap or depth.
            for _ in 0..3 {
                let Some((n, d, _)) = separation(&a, &b, 1e9) else { panic!("round {round}") };
                b.pose.pos += n * (d - if round % 2 == 0 { 0.01 } else { -0.01 });
            }
            let (n, d, _) = separation(&a, &b, 1e9).unwrap();
            out.clear();
            touches(&a, &b, None, 0.05, &mut scratch, &mut out);
            let nearest = out.iter().fold(f64::INFINITY, |m, t| t.distance.min(m));
            assert!((nearest - d).abs() < 1.1e-3, "round {round}: {nearest} for {d}\n{:?}\n{:?}", a.solid, b.solid);
            if d > 0.0 {
                apart += 1;
                for t in &out {
                    for (point, solid) in [(t.point_a, &a), (t.point_b, &b)] {
                        let at = Placed { solid: &probe, pose: Pose::at(point) };
                        let off = separation(&at, solid, 1e9).unwrap().1;
                        // The second point of a tilted capsule is a little below its skin; round rims are found to 1e-4.
                        let least = if solid.solid.skin > 0.0 { -0.03 } else { -1e-4 };
                        assert!(off > least && off < 1e-4, "round {round}: {off} off {:?}", solid.solid.core);
                    }
                }
            } else {
                deep += 1;
                let out = Placed { pose: Pose { pos: a.pose.pos + n * (1e-7 - d), rot: a.pose.rot }, ..a };
                let left = separation(&out, &b, 1e9).unwrap().1;
                assert!(left > -1e-5, "round {round}: still {left} deep");
            }
        }
        assert!(apart > 9000 && deep > 9000, "{apart} {deep}");
    }

    #[test]
    fn a_query_after_a_step_refreshes_the_boxes_that_are_there() {
        let mut lab = Lab::default();
        let ball = || vec![Collider::new(Shape::ball(0.5))];
        let mass = MassProperties::sphere(1000.0, 0.5).unwrap();
        let slots: Vec<usize> =
            (0..5).map(|k| lab.add(Body::dynamic(mass).at(DVec3::X * (3.0 * f64::from(k))), ball())).collect();
        let mut cell = SceneCell::default();
        let made = std::ptr::from_ref(cell.now(&lab.model, &lab.bodies));
        for k in 0..20 {
            lab.bodies.iter_mut().for_each(|b| b.vel = DVec3::Y * 10.0);
            lab.detect(cell.open(&lab.model, &lab.bodies), &slots);
            slots.iter().for_each(|&s| lab.fly(s));
            let scene = cell.now(&lab.model, &lab.bodies);
            assert_eq!(made, std::ptr::from_ref(scene), "made anew in step {k}");
            let mut found = Vec::new();
            scene.overlapping(&crate::contact::bounds::Bounds::point(lab.bodies[slots[3]].pos), &mut found);
            assert_eq!(found, [3], "step {k}");
        }
        cell.forget();
        assert!(cell.change().is_none());
    }
}
