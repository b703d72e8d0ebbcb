//! A layout with islands that were taken over is the one that is made of the whole world.

use super::World;
use crate::Spring;
use crate::ids::{BodyId, JointId};
use crate::joints::{Ball, Distance, Hinge, Limit, Motor, Rope};
use crate::mass::MassProperties;
use crate::model::body::Body;
use crate::model::coupling::Gear;
use crate::model::reeving::Sheave;
use glam::DVec3 as Vec3;

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }
}

#[test]
fn spliced_layouts_are_those_of_the_whole_world() {
    let mut w = World::new();
    let mut random = Random(11);
    let mass = MassProperties::cuboid(1000.0, Vec3::new(0.1, 0.1, 0.1)).unwrap();
    let rail = w.add(Body::kinematic().at(-Vec3::X)).unwrap();
    let (mut bodies, mut joints): (Vec<BodyId>, Vec<JointId>) = (Vec::new(), Vec::new());
    for k in 0..320 {
        bodies.push(w.add(Body::particle(1.0).at(Vec3::new(-2.0 - k as f64, 0.0, 0.0))).unwrap());
    }
    let mut spliced = 0;
    for edit in 0..900 {
        let at = Vec3::new(edit as f64, 0.0, 0.0);
        match random.below(if edit < 200 { 4 } else { 9 }) {
            0 => bodies.push(w.add(Body::dynamic(mass).at(at)).unwrap()),
            1 => bodies.push(w.add(Body::particle(1.0).at(at)).unwrap()),
            2..=5 if bodies.len() > 2 => {
                let k = random.below(bodies.len());
                let other = match random.below(8) {
                    0 => w.ground(),
                    1 => rail,
                    _ => bodies[(k + 1) % bodies.len()],
                };
                let (a, b) = (bodies[k], other);
                if a == b {
                    continue;
                }
                let here = w.body(a).unwrap().position();
                let joint = match random.below(4) {
                    0 => Distance::between(a, b),
                    1 => Hinge::between(a, b).at(here).axis(Vec3::Z).stop(Limit::new(-1.0, 1.0)),
                    2 => Hinge::between(a, b).at(here).axis(Vec3::Z).motor(Motor::servo(10.0, 1.0)),
                    _ => Ball::between(a, b).at(here),
                };
                // Particles take few of them.
                joints.extend(w.add(joint));
            }
            6 | 7 if !joints.is_empty() => {
                let joint = joints.swap_remove(random.below(joints.len()));
                drop(w.remove(joint));
            }
            8 if bodies.len() > 30 => {
                let body = bodies.swap_remove(random.below(bodies.len()));
                w.remove(body).unwrap();
            }
            _ => {}
        }
        if random.below(2) == 0 && !bodies.is_empty() {
            let may = w.layout.is_none() && !w.worn.is_all();
            w.lay_out().unwrap();
            spliced += usize::from(may);
            let whole = w.new_layout(None).unwrap().t;
            let t = &w.layout.as_ref().unwrap().t;
            // What was cut out of a layout that stands has left its primitives behind.
            if w.layout.as_ref().unwrap().buried == 0 {
                assert_eq!(format!("{t:?}"), format!("{whole:?}"), "edit {edit}");
            }
            // What was attached in a hurry need not fit; a step that fails changes nothing.
            drop(w.step(1e-4));
        }
    }
    assert!(spliced > 100, "{spliced}");
}

/// Couplings, ropes and springs beside the forest.
fn dress(w: &mut World) {
    let (ground, mass) = (w.ground(), MassProperties::sphere(1000.0, 0.1).unwrap());
    let body = |w: &mut World, x: f64| w.add(Body::dynamic(mass).at(Vec3::new(x, 50.0, 0.0))).unwrap();
    let wheels = [0.0, 1.0].map(|x| {
        let wheel = body(w, x);
        w.add(Hinge::between(wheel, ground).at(Vec3::new(x, 50.0, 0.0)).axis(Vec3::Z)).unwrap()
    });
    w.add(Gear::between(wheels[0], wheels[1]).ratio(2.0)).unwrap();
    let [a, b, c, d] = [5.0, 6.0, 7.0, 8.0].map(|x| body(w, x));
    w.add(Rope::between(a, b)).unwrap();
    w.add(Spring::between(a, ground).stiffness(10.0)).unwrap();
    let tip = Sheave::on(ground, Vec3::new(7.5, 60.0, 0.0), Vec3::Z, 0.2);
    w.add(Rope::from(c, Vec3::new(7.0, 50.0, 0.0)).over(tip).to(d, Vec3::new(8.0, 50.0, 0.0))).unwrap();
    let block = body(w, 10.0);
    let under = Sheave::on(block, Vec3::new(10.0, 50.0, 0.0), Vec3::Z, 0.2);
    let dead = Vec3::new(9.0, 60.0, 0.0);
    w.add(Rope::from(ground, dead).under(under).to(ground, Vec3::new(11.0, 60.0, 0.0))).unwrap();
}

#[test]
fn regrown_layouts_are_those_of_the_whole_world() {
    regrow(false);
}

#[test]
fn regrown_layouts_take_over_couplings_and_ropes() {
    regrow(true);
}

/// A forest whose trees are cut and put together at random, with bodies that come and go.
fn regrow(dressed: bool) {
    let mut w = World::new();
    if dressed {
        dress(&mut w);
    }
    let mut random = Random(5);
    let mass = MassProperties::cuboid(1000.0, Vec3::new(0.1, 0.1, 0.1)).unwrap();
    let rail = w.add(Body::kinematic().at(-Vec3::X)).unwrap();
    // Bodies with the joints that hold trees together: no two ways lead from one to another.
    let (mut bodies, mut joints): (Vec<BodyId>, Vec<(JointId, BodyId, BodyId)>) = (Vec::new(), Vec::new());
    let (mut regrown, mut laid) = (0, 0);
    for edit in 0..4000 {
        let at = Vec3::new(edit as f64, 0.0, 0.0);
        match random.below(if edit < 500 { 4 } else { 8 }) {
            0 if bodies.len() < 500 => {
                let body = if random.below(3) == 0 { Body::particle(1.0) } else { Body::dynamic(mass) };
                bodies.push(w.add(body.at(at)).unwrap());
            }
            1..=4 if bodies.len() > 2 => {
                let (a, other) = (bodies[random.below(bodies.len())], bodies[random.below(bodies.len())]);
                let other = [w.ground(), rail, other, other, other, other, other, other][random.below(8)];
                let fixed = |b: BodyId| b == w.ground() || b == rail;
                // What is connected to a body, and whether it is held.
                let (mut reached, mut held, mut next) = (vec![a], fixed(other), 0);
                if !held {
                    reached.push(other);
                }
                let mut grounds = 0;
                while next < reached.len() {
                    for (_, i, j) in &joints {
                        let there = if *i == reached[next] { *j } else { *i };
                        if *i != reached[next] && *j != reached[next] {
                            continue;
                        }
                        if fixed(there) {
                            grounds += 1;
                        } else if !reached.contains(&there) {
                            reached.push(there);
                        }
                    }
                    next += 1;
                }
                held |= grounds > 1;
                let loops = {
                    let inside = joints.iter().filter(|(_, i, j)| reached.contains(i) && reached.contains(j)).count();
                    inside + 1 + usize::from(fixed(other)) > reached.len() && !fixed(other)
                };
                // Now and then a loop after all.
                if a == other || ((loops || (held && grounds > 0)) && random.below(60) > 0) {
                    continue;
                }
                let here = w.body(a).unwrap().position();
                let joint = match random.below(5) {
                    0 => Distance::between(a, other),
                    1 => Hinge::between(other, a).at(here).axis(Vec3::Z).stop(Limit::new(-1.0, 1.0)),
                    2 => Hinge::between(a, other).at(here).axis(Vec3::Z).motor(Motor::servo(10.0, 1.0)),
                    3 => Ball::between(other, a).at(here),
                    _ => Ball::between(a, other).at(here),
                };
                // Particles take few of them.
                joints.extend(w.add(joint).map(|id| (id, a, other)));
            }
            5 | 6 if !joints.is_empty() => {
                let (joint, ..) = joints.swap_remove(random.below(joints.len()));
                w.remove(joint).unwrap();
            }
            7 if bodies.len() > 340 => {
                let body = bodies.swap_remove(random.below(bodies.len()));
                joints.retain(|(_, i, j)| *i != body && *j != body);
                w.remove(body).unwrap();
            }
            _ => {}
        }
        if random.below(3) == 0 && !bodies.is_empty() {
            let before = w.worn.regrown;
            w.lay_out().unwrap();
            regrown += w.worn.regrown - before;
            laid += 1;
            let whole = w.new_layout(None).unwrap().t;
            let t = &w.layout.as_ref().unwrap().t;
            if w.layout.as_ref().unwrap().buried == 0 {
                assert_eq!(format!("{t:?}"), format!("{whole:?}"), "edit {edit}");
            }
            // What was attached in a hurry need not fit; a step that fails changes nothing.
            drop(w.step(1e-4));
        }
    }
    assert!(3 * regrown > laid, "{regrown} of {laid}");
}

/// A long chain that is cut and attached at random: each step has the bits of the same step with all laid out anew, whatever memory it finds.
#[test]
fn steps_after_edits_have_the_bits_of_a_new_layout() {
    let mut w = World::new();
    let mass = MassProperties::cuboid(1000.0, Vec3::new(0.02, 0.1, 0.02)).unwrap().with_mass(0.2).unwrap();
    let (mut above, lean) = (w.ground(), Vec3::new(0.012, -0.2, 0.003));
    let (mut bodies, mut joints) = (Vec::new(), Vec::new());
    for k in 0..400 {
        let top = k as f64 * lean;
        // Particles and rods between the links.
        let (body, at) =
            if k % 16 < 3 { (Body::particle(0.2), top + lean) } else { (Body::dynamic(mass), top + 0.5 * lean) };
        let body = w.add(body.at(at)).unwrap();
        let joint = if k % 16 < 4 { Distance::between(body, above) } else { Ball::between(body, above).at(top) };
        joints.push(Some(w.add(joint).unwrap()));
        bodies.push(body);
        above = body;
    }
    let (mut random, mut loose): (Random, Vec<BodyId>) = (Random(3), Vec::new());
    for edit in 0..500 {
        let at = random.below(bodies.len());
        match random.below(6) {
            0..=2 => joints[at].take().map_or((), |j| w.remove(j).unwrap()),
            3 | 4 => {
                if let Some(k) = (0..400).map(|k| (at + k) % 400).find(|&k| joints[k].is_none()) {
                    let above = if k == 0 { w.ground() } else { bodies[k - 1] };
                    joints[k] = Some(w.add(Distance::between(bodies[k], above)).unwrap());
                }
            }
            _ if loose.len() > 3 => w.remove(loose.swap_remove(0)).unwrap(),
            _ => loose.push(w.add(Body::particle(1e3).at(Vec3::new(50.0, 0.0, edit as f64))).unwrap()),
        }
        let mut anew = w.clone();
        (anew.layout, anew.worn) = (None, Default::default());
        w.step(0.01).unwrap();
        anew.step(0.01).unwrap();
        assert_eq!(w.state().hash(), anew.state().hash(), "edit {edit}");
    }
    assert!(w.worn.regrown > 200, "{}", w.worn.regrown);
}
