//! The trees of Baxter's thesis (RedMax): hinged bars hanging from a trunk, forking level by level, tied together by springs.
//!
//! In the thesis' own units (cm, g, s; gravity 980), with its parameters. Every bar has a section of 0.5 x 0.5 and density 1, every hinge a
//! spring of 1e3 and damping 1, its axis z on odd and y on even levels. A fixed trunk of length 3; on each level a cross bar at the tip of
//! the one above, and two bars of length 3 x 0.95^level at its ends. At four corners a leaf is pulled with 10 times the mass of all bars,
//! outwards and down. Chosen here: the corners are the leaves furthest out along the diagonals (the source picks odd ones).

use super::thesis_parts::{self as parts, Axes, Give, add, block, hinge, strain_spring};
use crate::parameters::{Parameter, Parameters};
use crate::scene::Scene;
use std::f64::consts::PI;
use taut::{Body, BodyId, Force, Options, Result, Vec3, World};

/// Gravity, cm/s^2.
const GRAVITY: f64 = 980.0;
/// Width of every bar, and density.
const SIDE: f64 = 0.5;
const DENSITY: f64 = 1.0;
/// Length of the trunk, and of a bar in the tree over that of the one above.
const TRUNK: f64 = 3.0;
const SHRINK: f64 = 0.95;
/// Springs of the hinges, and between bars.
const JOINT: Give = Give::new(1e3, 1.0);
const TIE: Give = Give::new(1e5, 1.0);
/// Pull on a corner over the mass of all bars.
const PULL: f64 = 10.0;
/// Leaves within this distance of a line are on it.
const SAME_LINE: f64 = 1e-2;

/// Which of the two trees.
pub(crate) struct Kind {
    /// Length of the first cross bar, and of the next over it.
    pub cross: f64,
    pub shrink: f64,
    /// Where the bars hang on the first cross bar, from its centre.
    pub offset: f64,
    /// Springs between neighbouring leaves of the grid, instead of between siblings.
    pub grid: bool,
}

/// What can be varied.
pub(crate) fn parameters() -> Vec<Parameter> {
    vec![Parameter::count("levels", 5, (2, 12), "levels of the tree: 3 (2^levels - 1) hinges")]
}

struct Grower<'a> {
    world: World,
    kind: &'a Kind,
    levels: usize,
    leaves: Vec<Bar>,
}

/// A bar along x of its axes.
#[derive(Clone, Copy)]
struct Bar {
    body: BodyId,
    at: Vec3,
    axes: Axes,
    length: f64,
}

impl Bar {
    /// A point on its axis.
    fn point(&self, x: f64) -> Vec3 {
        self.at + x * self.axes.x
    }
}

impl Grower<'_> {
    /// A bar on a parent, hinged at a point of the parent's axis and one of its own, turned by an angle about one of the parent's axes.
    fn bar(
        &mut self,
        parent: &Bar,
        (there, here): (f64, f64),
        (axis, angle): (usize, f64),
        length: f64,
    ) -> Result<Bar> {
        let axes = parent.axes.turned(axis, angle);
        let joint = parent.point(there);
        let at = joint - here * axes.x;
        let body = add(&mut self.world, block(DENSITY, Vec3::new(length, SIDE, SIDE), at, &axes)?)?;
        hinge(&mut self.world, (body, parent.body), joint, if axis == 1 { axes.y } else { axes.z }, JOINT)?;
        Ok(Bar { body, at, axes, length })
    }

    /// A cross bar and two bars on it, and the same on each of them.
    fn branch(&mut self, level: usize, parent: &Bar) -> Result<()> {
        if level > self.levels {
            return Ok(());
        }
        let axis = if level.is_multiple_of(2) { 1 } else { 2 };
        let (scale, shrunk) = (power(self.kind.shrink, level - 1), power(SHRINK, level));
        // The trunk carries its tree at its lower end.
        let (tip, turn) = if level == 1 { (-0.5 * TRUNK, 0.5 * PI) } else { (0.5 * parent.length, 1.5 * PI) };
        let cross = self.bar(parent, (tip, 0.0), (axis, 0.5 * PI), self.kind.cross * scale)?;
        let mut pair = [cross; 2];
        for (bar, side) in pair.iter_mut().zip([-1.0, 1.0]) {
            let ends = (side * self.kind.offset * scale, -0.5 * TRUNK * shrunk);
            *bar = self.bar(&cross, ends, (axis, turn), TRUNK * shrunk)?;
        }
        if !self.kind.grid {
            strain_spring(&mut self.world, (pair[0].body, pair[0].at), (pair[1].body, pair[1].at), TIE)?;
        }
        for bar in &pair {
            if level == self.levels {
                self.leaves.push(*bar);
            }
            self.branch(level + 1, bar)?;
        }
        Ok(())
    }

    /// Ties every leaf, tip to tip, to the nearest one in +x, -x, +z and -z on the same line, each pair once.
    fn tie_grid(&mut self) -> Result<()> {
        let mut pairs = Vec::new();
        for i in 0..self.leaves.len() {
            for (along, across) in [(0, 2), (2, 0)] {
                for sign in [1.0, -1.0] {
                    pairs.extend(self.neighbour(i, along, across, sign).map(|j| (i.min(j), i.max(j))));
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        for (i, j) in pairs {
            let (a, b) = (self.leaves[i], self.leaves[j]);
            let ends = [a, b].map(|l| (l.body, l.point(0.5 * l.length)));
            strain_spring(&mut self.world, ends[0], ends[1], TIE)?;
        }
        Ok(())
    }

    /// The nearest leaf on the same line in one direction.
    fn neighbour(&self, i: usize, along: usize, across: usize, sign: f64) -> Option<usize> {
        let from = self.leaves[i].at;
        let mut best: Option<(f64, usize)> = None;
        for (j, leaf) in self.leaves.iter().enumerate() {
            let d = sign * (leaf.at[along] - from[along]);
            if (leaf.at[across] - from[across]).abs() < SAME_LINE && d > 1e-9 && best.is_none_or(|(least, _)| d < least)
            {
                best = Some((d, j));
            }
        }
        best.map(|(_, j)| j)
    }

    /// The leaf furthest out in a direction; the first of several.
    fn corner(&self, x: f64, z: f64) -> BodyId {
        let out = |l: &Bar| x * l.at.x + z * l.at.z;
        let mut best = &self.leaves[0];
        for leaf in &self.leaves {
            if out(leaf) > out(best) + 1e-9 {
                best = leaf;
            }
        }
        best.body
    }
}

/// x^n by multiplication: the same on every machine.
fn power(x: f64, n: usize) -> f64 {
    (0..n).fold(1.0, |p, _| p * x)
}

/// Builds a tree.
pub(crate) fn build(p: &Parameters, kind: &Kind) -> Result<Scene> {
    let mut world = World::new();
    world.set_options(Options { gravity: -GRAVITY * Vec3::Y, ..*world.options() })?;
    let (at, axes) = (-0.5 * TRUNK * Vec3::Y, Axes::WORLD.turned(2, 0.5 * PI));
    let body = world.add(Body::fixed().at(at).rotated(axes.rotation()).named("trunk"))?;
    let trunk = Bar { body, at, axes, length: TRUNK };
    let mut g = Grower { world, kind, levels: p.count("levels"), leaves: Vec::new() };
    g.branch(1, &trunk)?;
    if kind.grid {
        g.tie_grid()?;
    }
    let mass = parts::moving_mass(&g.world)? + DENSITY * TRUNK * SIDE * SIDE;
    let corners = [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)];
    for (x, z) in corners {
        let force = PULL * mass * Vec3::new(x, -1.0, z);
        g.world.add(Force::Point { body: g.corner(x, z), point: Vec3::ZERO, force })?;
    }
    let length = g.leaves.iter().map(|l| l.at.length()).fold(0.0, f64::max);
    let follow = g.corner(1.0, 1.0);
    let energy_scale = mass * (GRAVITY + 2.0 * PULL) * length;
    Ok(Scene { world: g.world, length, energy_scale, follow, window: 1.0, edges: Vec::new(), drive: None })
}
