//! An anchor chain on the sea bed, and a buoy on it, against the catenary.
//!
//! A chain of weight w per metre that lies on the bed and rises by d has, with a = H/w, the suspended length s, s^2 = d^2 + 2 d a, over the
//! distance x = a asinh(s/a), and pulls down at its top with w s.

use std::f64::consts::TAU;
use taut::field::{Exposure, Form, Water};
use taut::prelude::*;

const G: f64 = 9.81;
/// 50 kg/m.
const WEIGHT: f64 = 50.0 * G;
const DEPTH: f64 = 20.0;
const PULL: f64 = 30e3;
/// Radius of the balls that lie on the bed, m.
const BALL: f64 = 0.05;

fn suspended(a: f64, depth: f64) -> f64 {
    (depth * depth + 2.0 * depth * a).sqrt()
}

struct Chain {
    nodes: Vec<BodyId>,
    /// The uppermost link, or where it ends.
    last: Vec3,
    length: f64,
}

/// A chain of `n` links that lies as the catenary does, so much of it on the bed, m; `inertia` is how much of its mass it has to move.
fn chain(world: &mut World, n: usize, laid: f64, inertia: f64) -> Chain {
    let a = PULL / WEIGHT;
    let s = suspended(a, DEPTH);
    let length = laid + s;
    let ground = world.ground();
    let bed = Collider::new(Shape::ground()).at(-BALL * Vec3::Y).friction(0.0);
    world.add(bed.on(ground)).unwrap();
    let place = |arc: f64| {
        let up = (arc - laid).max(0.0);
        Vec3::new(arc.min(laid) + a * (up / a).asinh(), (a * a + up * up).sqrt() - a, 0.0)
    };
    let link = length / n as f64;
    let mut nodes: Vec<BodyId> = Vec::new();
    for k in 1..n {
        let mass = inertia * link * WEIGHT / G;
        let node = Body::particle(mass).at(place(link * k as f64)).gravity_scale(1.0 / inertia).damped(1.0, 0.0);
        let node = node.exposed(Exposure::none()).collider(Collider::new(Shape::ball(BALL)).friction(0.0));
        let node = world.add(node).unwrap();
        let below = nodes.last().copied().unwrap_or(ground);
        let ends = (place(link * k as f64), place(link * (k as f64 - 1.0)));
        world.add(Distance::between(node, below).ends(ends.0, ends.1)).unwrap();
        nodes.push(node);
    }
    Chain { nodes, last: place(length), length }
}

#[test]
fn a_chain_on_the_bed_pulls_as_the_catenary_says() {
    let mut world = World::new();
    // Links of half a metre, one of which ends where the chain leaves the bed. The error falls with the square of their length and more:
    // 3e-4 at 2 m, 4e-5 at 1 m, 6e-6 at 0.5 m.
    let n = 188;
    let chain = chain(&mut world, n, 80.0 * suspended(PULL / WEIGHT, DEPTH) / 108.0, 1.0);
    let top = *chain.nodes.last().unwrap();
    let link = chain.length / n as f64;
    let end = Distance::between(top, world.ground()).ends(world.body(top).unwrap().position(), chain.last);
    let end = world.add(end).unwrap();
    for _ in 0..2400 {
        world.step(1.0 / 60.0).unwrap();
    }
    // The half link at the end is carried by the ground.
    let force = world.joint(end).unwrap().reaction().force;
    let (h, v) = (force.x.abs(), force.y.abs() + 0.5 * link * WEIGHT);
    let s = suspended(PULL / WEIGHT, DEPTH);
    assert!((h / PULL - 1.0).abs() < 1e-5, "H {h}");
    assert!((v / (WEIGHT * s) - 1.0).abs() < 1e-5, "V {v}");
    let lifted = chain.nodes.iter().filter(|n| world.body(**n).unwrap().position().y > 1e-3).count();
    assert!((lifted as f64 * link - s).abs() < 1.5 * link, "{lifted} links are up");
}

/// w^2 = (rho g A + k_cat)/(m + ma), with k_cat = dV/dz where the length of the chain and the place of the buoy stay.
#[test]
fn a_moored_buoy_heaves_with_the_stiffness_of_its_waterplane_and_of_its_chain() {
    let (mass, area, draught) = (5000.0, 1.0, 8.0);
    let mut world = World::new();
    let n = 61;
    // The weight of the chain with a thousandth of its inertia: the formula knows none.
    let chain = chain(&mut world, n, 8.0, 1e-3);
    // The float is as deep as its weight and the chain's ask for.
    let s = suspended(PULL / WEIGHT, DEPTH);
    let link = chain.length / n as f64;
    let added = 0.3;
    let water = 1025.0;
    let displaced = (mass * G + WEIGHT * s - 0.5 * link * WEIGHT) / (water * G);
    let deep = displaced / area;
    let form = Form::Prism { bottom: -deep * Vec3::Y, height: draught + deep, area, moments: [area, area] };
    let exposure = Exposure { form, drag: 0.0, ..Exposure::new().added_mass(added) };
    world.set_water(Some(Water::still(DEPTH).density(water))).unwrap();
    let locks = Locks { linear: [true, false, true], ..Locks::NONE };
    let buoy = Body::particle(mass).at(chain.last).locked(locks).exposed(exposure);
    let buoy = world.add(buoy).unwrap();
    let top = *chain.nodes.last().unwrap();
    world.add(Distance::between(top, buoy).length(link)).unwrap();
    // To rest, then a push.
    for _ in 0..900 {
        world.step(1.0 / 60.0).unwrap();
    }
    let rest = world.body(buoy).unwrap().position().y;
    assert!((rest - DEPTH).abs() < 0.05, "rests at {rest} m");
    world.set_velocity(buoy, 0.25 * Vec3::Y, Vec3::ZERO).unwrap();
    let (h, mut heights) = (1.0 / 60.0, Vec::new());
    for _ in 0..1800 {
        world.step(h).unwrap();
        heights.push(world.body(buoy).unwrap().position().y);
    }
    let ups: Vec<f64> = (1..heights.len())
        .filter(|&k| heights[k - 1] < rest && heights[k] >= rest)
        .map(|k| h * (k as f64 - (heights[k] - rest) / (heights[k] - heights[k - 1])))
        .collect();
    let found = (ups.len() - 1) as f64 * TAU / (ups[ups.len() - 1] - ups[0]);
    let stiff = water * G * area + stiffness(chain.length);
    let wanted = (stiff / (mass + added * water * displaced)).sqrt();
    assert!((found / wanted - 1.0).abs() < 1e-3, "{found} rad/s, wanted {wanted} rad/s");
    // The chain does something: without it the frequency is another one.
    let alone = (water * G * area / (mass + added * water * displaced)).sqrt();
    assert!((found / alone - 1.0).abs() > 0.03, "{found} rad/s, without the chain {alone} rad/s");
}

/// dV/dz of a chain of this length whose top stays above the same place.
fn stiffness(length: f64) -> f64 {
    let across = |a: f64, d: f64| length - suspended(a, d) + a * (suspended(a, d) / a).asinh();
    let wanted = across(PULL / WEIGHT, DEPTH);
    let vertical = |d: f64| {
        let (mut low, mut high) = (1.0, 1000.0);
        for _ in 0..200 {
            let a = 0.5 * (low + high);
            if across(a, d) < wanted { low = a } else { high = a }
        }
        WEIGHT * suspended(0.5 * (low + high), d)
    };
    (vertical(DEPTH + 0.01) - vertical(DEPTH - 0.01)) / 0.02
}
