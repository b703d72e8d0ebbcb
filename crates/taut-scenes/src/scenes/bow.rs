//! A bow of elements with a string of rigid links and an arrow (Tournier 2015 Fig. 8, left).
//!
//! From the paper: corotational limb of 10 GPa, a string of 10 inextensible links on hard bindings, one-way contact of the arrow, 0.005 s. Chosen
//! here: limb 1.6 x 0.03 x 0.012 m, straight at rest, 700 kg/m^3, 24 hexahedra in a row, held within 1/15 m of its middle; string of 1.55 m and
//! 10 g, its ends on small bodies that the ends of the limb are bound to; arrow of 30 g along a line. The scene begins braced, or fully drawn: the
//! string is then let go.

use super::parts::ball;
use super::soft_parts::{bricks, gravity, slow};
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Scene, SceneInfo};
use taut::soft::Material;
use taut::{
    Body, BodyId, Collider, Deformable, DeformableId, Distance, JointId, Locks, Pose, Result, Shape, Vec3, World,
};

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "bow",
        summary: "a bow of elements, drawn by half a metre, shoots an arrow with a string of rigid links",
        source: "Tournier 2015 Fig. 8, left",
        parameters: vec![
            Parameter::choice("start", &["drawn", "braced"], "how the bow is at the start"),
            Parameter::number("draw", "m", 0.5, (0.05, 0.6), "by how much it is drawn"),
            Parameter::count("cells", 24, (12, 96), "elements along the limb"),
            Parameter::number("arrow", "kg", 0.03, (1e-3, 10.0), "mass of the arrow"),
        ],
        dt: 0.005,
        time: 0.25,
        build,
    }
}

/// Length, width and thickness of the limb, m; modulus, Pa; density, kg/m^3.
const LENGTH: f64 = 1.6;
const WIDTH: f64 = 0.03;
const THICK: f64 = 0.012;
const YOUNG: f64 = 1e10;
const DENSITY: f64 = 700.0;
/// Half the part of the limb that is held, m.
const GRIP: f64 = LENGTH / 24.0;
/// Length, m, mass, kg, and links of the string.
const STRING: f64 = 1.55;
const STRING_MASS: f64 = 0.01;
const LINKS: usize = 10;
/// Mass, kg, and radius, m, of what ties the string to an end of the limb.
const TIE: f64 = 1e-4;
const TIE_RADIUS: f64 = 0.005;
/// Radius of the middle of the string, m, and length of the arrow, m.
const NOCK: f64 = 0.003;
const ARROW: f64 = 0.7;
/// Step of bracing and drawing, s.
const QUIET: f64 = 0.005;

/// A bow that can be braced, drawn and let go.
pub(crate) struct Bow {
    pub world: World,
    pub limb: DeformableId,
    /// Rigid links from the lower end to the upper.
    pub links: Vec<JointId>,
    /// Particle in the middle of the string.
    pub middle: BodyId,
    /// The hand, and the rod by which it holds the string.
    hand: BodyId,
    hold: Option<JointId>,
    /// Where the middle of the string is when braced, m.
    pub brace: f64,
}

impl Bow {
    /// Straight and then braced.
    pub fn braced(cells: usize) -> Result<Self> {
        let mut world = World::new();
        gravity(&mut world, Vec3::ZERO)?;
        // Along y, thin along x.
        let mesh = bricks(Vec3::new(THICK, LENGTH, WIDTH), [1, cells, 1])?;
        let origin = -0.5 * Vec3::new(THICK, LENGTH, WIDTH);
        let mut ties = Vec::new();
        for (side, name) in [(-1.0, "lower tie"), (1.0, "upper tie")] {
            let at = 0.5 * side * LENGTH * Vec3::Y;
            ties.push(world.add(Body::dynamic(ball(TIE, TIE_RADIUS)?).at(at).named(name))?);
        }
        let wood = Material::new(DENSITY, YOUNG, 0.3);
        let limb = Deformable::new(&mesh, &wood)?.at(origin).named("limb");
        let grip = |x: Vec3| (x.y - 0.5 * LENGTH).abs() < GRIP + 1e-6;
        let limb = limb.held(grip).bound(ties[0], |x| x.y < 1e-9).bound(ties[1], |x| x.y > LENGTH - 1e-9);
        let limb = world.add(limb)?;
        let (links, middle) = string(&mut world, &ties)?;
        let hand = world.add(Body::kinematic().named("hand"))?;
        let mut bow = Bow { world, limb, links, middle, hand, hold: None, brace: 0.0 };
        bow.tighten()?;
        bow.brace = bow.nock()?;
        Ok(bow)
    }

    /// Shortens the string to its length.
    fn tighten(&mut self) -> Result<()> {
        let apart = |j: JointId| {
            let (a, b) = self.world.joint(j)?.points();
            Ok((a - b).length())
        };
        let first: Vec<f64> = self.links.iter().map(|&j| apart(j)).collect::<Result<_>>()?;
        let all: f64 = first.iter().sum();
        for k in 0..150 {
            let part = (f64::from(k + 1) / 120.0).min(1.0);
            for (&j, l) in self.links.iter().zip(&first) {
                self.world.set_length(j, l * (1.0 + part * (STRING / all - 1.0)))?;
            }
            self.quiet(1)?;
        }
        self.quiet(60)
    }

    /// Steps that take most of the velocities.
    fn quiet(&mut self, steps: usize) -> Result<()> {
        for _ in 0..steps {
            self.world.step(QUIET)?;
            slow(&mut self.world, 0.3)?;
        }
        Ok(())
    }

    /// Where the middle of the string is along the arrow, m.
    pub fn nock(&self) -> Result<f64> {
        Ok(self.world.body(self.middle)?.position().x)
    }

    /// Draws it to so far from brace, m; the force of the hand, N.
    pub fn draw(&mut self, to: f64) -> Result<f64> {
        let reach = 1.0;
        if self.hold.is_none() {
            let at = self.world.body(self.middle)?.position();
            self.world.set_pose(self.hand, Pose { pos: at - reach * Vec3::X, ..Pose::IDENTITY })?;
            self.hold = Some(self.world.add(Distance::between(self.middle, self.hand).length(reach))?);
        }
        let from = self.brace - self.nock()?;
        let steps = ((to - from).abs() / 0.005).ceil().max(1.0) as usize;
        for k in 1..=steps {
            let drawn = from + (to - from) * k as f64 / steps as f64;
            let pos = (self.brace - drawn - reach) * Vec3::X;
            self.world.set_pose(self.hand, Pose { pos, ..Pose::IDENTITY })?;
            self.quiet(4)?;
        }
        self.quiet(40)?;
        match self.hold {
            Some(j) => Ok(self.world.joint(j)?.force().length()),
            None => Ok(0.0),
        }
    }

    /// Tension of the string, N: the mean of its links.
    pub fn tension(&self) -> Result<f64> {
        let sum = self.links.iter().map(|&j| Ok(self.world.joint(j)?.force().length())).sum::<Result<f64>>()?;
        Ok(sum / self.links.len() as f64)
    }

    /// Energy in the limb, J.
    pub fn energy(&self) -> Result<f64> {
        Ok(self.world.deformable(self.limb)?.energy())
    }

    /// Lets the string go with an arrow on it.
    pub fn nocked(mut self, mass: f64) -> Result<(World, BodyId)> {
        if let Some(j) = self.hold.take() {
            self.world.remove(j)?;
        }
        self.world.remove(self.hand)?;
        slow(&mut self.world, 0.0)?;
        let at = self.nock()? + NOCK + 0.5 * ARROW;
        let shape = taut::MassProperties::cuboid(1.0, Vec3::new(0.5 * ARROW, 0.004, 0.004))?.with_mass(mass)?;
        let arrow = self.world.add(Body::dynamic(shape).at(at * Vec3::X).named("arrow"))?;
        self.world.set_locks(arrow, Locks { linear: [false, true, true], angular: [true; 3] })?;
        let plain = |shape| Collider::new(shape).friction(0.0);
        self.world.add(plain(Shape::ball(NOCK)).grouped(1, 2).on(self.middle))?;
        self.world.add(plain(Shape::cuboid(Vec3::new(0.5 * ARROW, 0.004, 0.004))).grouped(2, 1).on(arrow))?;
        Ok((self.world, arrow))
    }
}

/// Particles and links between the ends of the limb, a little behind it; and the particle in the middle.
fn string(world: &mut World, ties: &[BodyId]) -> Result<(Vec<JointId>, BodyId)> {
    let mut links = Vec::new();
    let mut middle = ties[0];
    let mut last = ties[0];
    for k in 1..=LINKS {
        let y = LENGTH * (k as f64 / LINKS as f64 - 0.5);
        let next = if k == LINKS {
            ties[1]
        } else {
            let x = -0.05 * (1.0 - y.abs() / (0.5 * LENGTH)) - 0.001;
            let particle = Body::particle(STRING_MASS / LINKS as f64).at(Vec3::new(x, y, 0.0));
            world.add(particle.named(format!("string {k}")))?
        };
        if 2 * k == LINKS {
            middle = next;
        }
        links.push(world.add(Distance::between(next, last))?);
        last = next;
    }
    Ok((links, middle))
}

fn build(p: &Parameters) -> Result<Scene> {
    let mut bow = Bow::braced(p.count("cells"))?;
    let before = bow.energy()?;
    if p.choice("start") == "drawn" {
        bow.draw(p.number("draw"))?;
    }
    let scale = bow.energy()?.max(before);
    let (world, arrow) = bow.nocked(p.number("arrow"))?;
    Ok(Scene {
        world,
        length: LENGTH,
        energy_scale: scale,
        follow: arrow,
        window: 0.05,
        edges: Vec::new(),
        drive: None,
    })
}
