//! The cable-stayed bridge of Baxter's thesis (RedMax): a deck of hinged links on 30 cables from two towers, closed at its far end.
//!
//! In the thesis' own units (m, kg, s; gravity 9.8), with its parameters. Anchors at x = -12 and 12, 3 high; towers at x = -5 and 5, 10
//! high: one fixed body each (`rigid`) or as many hinged links as the deck (`sim`: the set of its timings, `video`: of its films). The
//! deck is hinged to the left anchor and closed on the right one by two rows, x and y. Its camber closes the loop only nearly: the first
//! step does the rest. A `car` presses with 4800 at a point that moves at 4.8 from the start of the deck, handed from link to link;
//! the `heavy` one with 500 times as much, both times `weight`. Chosen here: what is heavier than the car is let down over 0.25 s; with
//! the hinges of `sim` (1e3) the thesis' own step does not survive the heavy one from 66 links on.

use super::thesis_parts::{self as parts, Axes, Give, add, block, close_loop, hinge, strain_spring};
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Drive, Scene, SceneInfo};
use taut::{Body, BodyId, Result, Vec3, World};

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "bridge",
        summary: "a cable-stayed bridge of hinged links, closed at its far end, empty or with a car on it",
        source: "Baxter (RedMax) section 4.1",
        parameters: vec![
            Parameter::count("links", 30, (4, 10_000), "links of the deck"),
            Parameter::choice("kind", &["rigid", "sim", "video"], "fixed towers, or flexible ones of either set"),
            Parameter::choice("load", &["none", "car", "heavy"], "what drives over it: 4800, or 500 times as much"),
            Parameter::number("weight", "", 1.0, (1e-3, 1e4), "so many times the weight of what drives over it"),
            Parameter::count("tower_links", 0, (0, 10_000), "links of a flexible tower; 0: as many as the deck"),
        ],
        dt: 0.01,
        time: 5.0,
        build,
    }
}

/// Density of everything.
const DENSITY: f64 = 1e3;
/// Distance between the anchors, and the x of the right one.
const SPAN: f64 = 24.0;
/// Height of the anchors and of the towers.
const HEIGHTS: [f64; 2] = [3.0, 10.0];
/// Cables, half of them to each tower at x = -5 and 5.
const CABLES: usize = 30;
const TOWER: f64 = 5.0;
/// Gravity of the scene.
const GRAVITY: f64 = 9.8;
/// The car: what it presses with, how fast it drives, and over which time the heavy one is let down.
const CAR: f64 = 4800.0;
const HEAVY: f64 = 500.0;
const SPEED: f64 = SPAN / 5.0;
const RAMP: f64 = 0.25;

/// One of the thesis' sets of parameters.
struct Set {
    /// Height and width of the deck.
    deck: [f64; 2],
    /// Thickness along the bridge and width of the towers and anchors.
    tower: [f64; 2],
    deck_joint: Give,
    tower_joint: Give,
    cable: Give,
}

fn set(kind: &str) -> Set {
    match kind {
        "sim" => Set {
            deck: [0.15, 2.0],
            tower: [0.5, 2.0],
            deck_joint: Give::new(1e3, 1.0),
            tower_joint: Give::new(9.2e6, 1e3),
            cable: Give::new(1e7, 1e3),
        },
        "video" => Set {
            deck: [0.15, 1.6],
            tower: [0.5, 1.8],
            deck_joint: Give::new(1e8, 1e4),
            tower_joint: Give::new(1e8, 1e3),
            cable: Give::new(2.5e7, 1e4),
        },
        _ => Set {
            deck: [0.5, 0.5],
            tower: [0.5, 0.5],
            deck_joint: Give::new(1e1, 1.0),
            tower_joint: Give::NONE,
            cable: Give::new(1e7, 1e3),
        },
    }
}

/// Angles of the links against the one before, rad, and the length of a link.
fn camber(n: usize) -> (Vec<f64>, f64) {
    let (half, s) = (n / 2, 0.5 / n as f64);
    let mut a = vec![0.0; n + 1];
    let mut sum = 0.0;
    for i in 0..half {
        let turn = -libm::sinh(s * (i + 1) as f64 / (half - 1) as f64);
        a[half - 1 - i] = turn;
        a[n - half + 1 + i] = turn;
        sum += turn;
    }
    a[0] -= sum;
    let (mut angle, mut arc) = (0.0, 0.0);
    for turn in &a[..n] {
        angle += turn;
        arc += (SPAN / n as f64 / libm::cos(angle)).abs();
    }
    a.pop();
    (a, arc / n as f64)
}

/// The links of the deck, where each begins and along which axes.
struct Deck {
    links: Vec<(BodyId, Vec3, Axes)>,
    length: f64,
}

impl Deck {
    /// The link at a distance along the deck, and the point in the link's own coordinates.
    fn at(&self, distance: f64) -> (usize, Vec3) {
        let k = ((distance / self.length).floor() as usize).min(self.links.len() - 1);
        (k, (distance - (k as f64 + 0.5) * self.length) * Vec3::X)
    }
}

fn deck(world: &mut World, anchor: BodyId, n: usize, set: &Set) -> Result<Deck> {
    let (turns, length) = camber(n);
    let (mut axes, mut at, mut previous) = (Axes::WORLD, Vec3::new(-0.5 * SPAN, HEIGHTS[0], 0.0), anchor);
    let mut links = Vec::with_capacity(n);
    for (k, turn) in turns.into_iter().enumerate() {
        axes = axes.turned(2, turn);
        let size = Vec3::new(length, set.deck[0], set.deck[1]);
        let link = add(world, block(DENSITY, size, at + 0.5 * length * axes.x, &axes)?.named(format!("deck {k}")))?;
        hinge(world, (link, previous), at, Vec3::Z, if k == 0 { Give::NONE } else { set.deck_joint })?;
        links.push((link, at, axes));
        (previous, at) = (link, at + length * axes.x);
    }
    Ok(Deck { links, length })
}

/// A tower at `x`: its last body, whose top holds the cables.
fn tower(world: &mut World, ground: BodyId, x: f64, links: usize, set: &Set) -> Result<BodyId> {
    if links == 0 {
        return world.add(Body::fixed().at(Vec3::new(x, 0.5 * HEIGHTS[1], 0.0)).named("tower"));
    }
    let l = HEIGHTS[1] / links as f64;
    let size = Vec3::new(set.tower[0], l, set.tower[1]);
    let mut below = ground;
    for k in 0..links {
        let foot = Vec3::new(x, k as f64 * l, 0.0);
        let def = block(DENSITY, size, foot + 0.5 * l * Vec3::Y, &Axes::WORLD)?.named(format!("tower {x} {k}"));
        let link = add(world, def)?;
        hinge(world, (link, below), foot, Vec3::Z, set.tower_joint)?;
        below = link;
    }
    Ok(below)
}

/// The 30 cables, evenly along the deck, half of them to each tower's top.
fn cables(world: &mut World, deck: &Deck, towers: [BodyId; 2], give: Give) -> Result<()> {
    let spacing = deck.length * deck.links.len() as f64 / (CABLES + 1) as f64;
    for c in 0..CABLES {
        let (k, local) = deck.at((c + 1) as f64 * spacing);
        let (link, start, axes) = deck.links[k];
        let right = c >= CABLES / 2;
        let top = Vec3::new(if right { TOWER } else { -TOWER }, HEIGHTS[1], 0.0);
        let at = start + (local.x + 0.5 * deck.length) * axes.x;
        strain_spring(world, (link, at), (towers[usize::from(right)], top), give)?;
    }
    Ok(())
}

/// What drives over the deck.
fn car(deck: Deck, weight: f64, ramp: f64) -> Drive {
    Drive::new(move |world, _| {
        let distance = SPEED * world.time();
        if distance > deck.length * deck.links.len() as f64 {
            return Ok(());
        }
        let (k, local) = deck.at(distance);
        let part = if ramp > 0.0 { (world.time() / ramp).min(1.0) } else { 1.0 };
        let at = world.body(deck.links[k].0)?.pose().to_world(local);
        world.apply_force(deck.links[k].0, -part * weight * Vec3::Y, at)
    })
}

fn build(p: &Parameters) -> Result<Scene> {
    let (n, kind) = (p.count("links"), p.choice("kind"));
    let set = set(kind);
    let tower_links = match (kind, p.count("tower_links")) {
        ("rigid", _) => 0,
        (_, 0) => n,
        (_, given) => given,
    };
    let mut world = World::new();
    world.set_options(taut::Options { gravity: -GRAVITY * Vec3::Y, ..*world.options() })?;
    let ground = world.add(Body::fixed().named("ground box"))?;
    let mut ends = [ground; 2];
    for (end, x) in ends.iter_mut().zip([-0.5 * SPAN, 0.5 * SPAN]) {
        *end = world.add(Body::fixed().at(Vec3::new(x, 0.5 * HEIGHTS[0], 0.0)).named("anchor"))?;
    }
    let left = tower(&mut world, ground, -TOWER, tower_links, &set)?;
    let right = tower(&mut world, ground, TOWER, tower_links, &set)?;
    let deck = deck(&mut world, ends[0], n, &set)?;
    cables(&mut world, &deck, [left, right], set.cable)?;
    let (last, start, axes) = deck.links[n - 1];
    let closing = Vec3::new(0.5 * SPAN, HEIGHTS[0], 0.0);
    close_loop(&mut world, (ends[1], closing), (last, start + deck.length * axes.x), &Axes::WORLD)?;
    let load = p.number("weight")
        * match p.choice("load") {
            "car" => CAR,
            "heavy" => CAR * HEAVY,
            _ => 0.0,
        };
    let energy_scale = (parts::moving_mass(&world)? * GRAVITY + load) * HEIGHTS[0];
    let follow = deck.links[n / 2].0;
    let drive = (load > 0.0).then(|| car(deck, load, if load > CAR { RAMP } else { 0.0 }));
    Ok(Scene { world, length: SPAN, energy_scale, follow, window: 2.0, edges: Vec::new(), drive })
}
