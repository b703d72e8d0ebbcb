//! A knee in the Lachman test (Tournier 2015 Fig. 8, right): rigid bones, ligaments as curved cords that are skinned to them.
//!
//! From the paper: bones in contact, springs along curves whose points are means of points of the bones (linear blend skinning), soft up to a
//! strain of 5 % and stiff, one-way, beyond; the independent unknowns are those of the bones. From the authors' scene: bones of 0.6 x 0.05 x 0.05 m,
//! 1800 kg/m^3. Chosen here: the patient lies on the back, y is along the shank and x out of its front; condyles of 25 mm radius on a flat
//! plateau; the femur, flexed by 25 deg, is held; the heel rests on the table. Ligaments of 30 mm with 20 kN/m up to 5 % and 100 kN/m beyond, 2 %
//! stretched at the start. The shank settles for a second, then the tibia is pulled forward below the joint by a force that rises to 134 N
//! within half a second. The anterior cruciate ligament can be cut.

use super::parts::square_bar;
use super::soft_parts::gravity;
use crate::drive::Drive;
use crate::parameters::{Parameter, Parameters};
use crate::scene::{Scene, SceneInfo};
use taut::joints::Ligament;
use taut::soft::{Cell, Cord, Law, Material, Mesh};
use taut::{Body, BodyId, Collider, Deformable, Joint, MassProperties, Quat, Result, Shape, Vec3, Weld, World};

/// Name, parameters, builder.
pub fn info() -> SceneInfo {
    SceneInfo {
        name: "knee",
        summary: "the Lachman test of a knee: the tibia is pulled forward, with and without the anterior ligament",
        source: "Tournier 2015 Fig. 8, right",
        parameters: vec![
            Parameter::choice("anterior", &["intact", "cut"], "the anterior cruciate ligament"),
            Parameter::number("pull", "N", 134.0, (0.0, 1000.0), "on the tibia, forward"),
            Parameter::choice(
                "ligaments",
                &["skinned", "straight"],
                "curved cords skinned to the bones, or one row of a joint each",
            ),
            Parameter::count("pieces", 8, (1, 64), "bars along a skinned ligament"),
            Parameter::number(
                "damping",
                "s",
                0.05,
                (0.0, 1.0),
                "time of the damping of the ligaments, of their stiffness",
            ),
            Parameter::choice("patella", &["there", "left out"], "whether the patella and its tendons are there"),
        ],
        dt: 0.01,
        time: 3.0,
        build,
    }
}

/// Length and width of a bone, m; its density, kg/m^3.
const BONE: f64 = 0.6;
const WIDTH: f64 = 0.05;
const DENSITY: f64 = 1800.0;
/// Radius of the condyles and their distance from the middle, m.
const CONDYLE: f64 = 0.025;
const APART: f64 = 0.025;
/// Half the thickness and the depth of the plateau, m.
const PLATEAU: f64 = 0.01;
/// How far the knee is bent, deg.
const FLEXED: f64 = 25.0;
/// Friction of cartilage on cartilage.
const CARTILAGE: f64 = 0.01;
/// Length at rest of a ligament, m, and stretch at the start; stiffness, N/m, up to a strain and beyond; section, m^2.
const REST: f64 = 0.03;
const TAUT: f64 = 1.02;
const SOFT: f64 = 2e4;
const STIFF: f64 = 1e5;
const STRAIN: f64 = 0.05;
const SECTION: f64 = 5e-5;
/// How far the middle of a curved ligament is out of the straight line, m.
const BULGE: f64 = 0.004;
/// When the pull begins, s, and how long it rises.
pub(crate) const START: f64 = 1.0;
const RISE: f64 = 0.5;
/// Where it acts on the tibia below the plateau, m.
const PULLED: f64 = 0.03;
/// Patella: mass, kg, radius, m; modulus of its tendons over that of a ligament.
const PATELLA: f64 = 0.05;
const PATELLA_RADIUS: f64 = 0.015;
const TENDON: f64 = 0.1;

/// A ligament: name, ends on the femur and on the tibia, the side to which it is curved, m.
struct Band {
    name: &'static str,
    femur: Vec3,
    tibia: Vec3,
    out: Vec3,
}

/// Ends as far apart as a ligament that is a little stretched is long along its curve; `mid`: the middle between them.
fn band(name: &'static str, mid: Vec3, towards_tibia: Vec3, out: Vec3) -> Band {
    let half = 0.5 * straight_length() * towards_tibia.normalize();
    Band { name, femur: mid - half, tibia: mid + half, out }
}

/// Distance of the ends of an arc that is `REST` times `TAUT` long with its middle `BULGE` out of the line, m: a parabola of small rise.
fn straight_length() -> f64 {
    let length = REST * TAUT;
    length - 8.0 / 3.0 * BULGE * BULGE / length
}

fn bands() -> [Band; 4] {
    [
        band("anterior cruciate", Vec3::new(0.0, 0.009, -0.004), Vec3::new(0.75, -0.66, 0.1), Vec3::Z),
        band("posterior cruciate", Vec3::new(0.0, 0.009, 0.004), Vec3::new(-0.75, -0.66, -0.1), -Vec3::Z),
        band("medial collateral", Vec3::new(0.0, 0.003, 0.054), -Vec3::Y, Vec3::Z),
        band("lateral collateral", Vec3::new(0.0, 0.003, -0.054), -Vec3::Y, -Vec3::Z),
    ]
}

fn build(p: &Parameters) -> Result<Scene> {
    let mut world = World::new();
    // On the back: what is in front of the shank is up.
    gravity(&mut world, Vec3::new(-9.81, 0.0, 0.0))?;
    let (femur, tibia) = (femur(&mut world)?, tibia(&mut world)?);
    let made = (p.count("pieces"), p.number("damping"));
    let skinned = p.choice("ligaments") == "skinned";
    let cut = p.choice("anterior") == "cut";
    for b in bands().into_iter().filter(|b| !(cut && b.name.starts_with("anterior"))) {
        if skinned {
            cord(&mut world, (femur, tibia), &b, made, 1.0)?;
        } else {
            straight(&mut world, (femur, tibia), &b, made.1)?;
        }
    }
    if p.choice("patella") == "there" {
        patella(&mut world, (femur, tibia), made)?;
    }
    let pull = p.number("pull");
    let drive = Drive::new(move |world: &mut World, _| {
        let part = ((world.time() - START) / RISE).clamp(0.0, 1.0);
        let pose = world.pose(tibia)?;
        world.apply_force(tibia, pull * part * Vec3::X, pose.pos + pose.rot * (TOP - PULLED * Vec3::Y))
    });
    let energy_scale = pull.max(1.0) * REST;
    Ok(Scene { world, length: REST, energy_scale, follow: tibia, window: 0.5, edges: Vec::new(), drive: Some(drive) })
}

/// The middle of the plateau in the frame of the tibia, m.
pub(crate) const TOP: Vec3 = Vec3::new(0.0, 0.5 * BONE, 0.0);

/// Shaft and condyles; held as by the hand of the examiner.
fn femur(world: &mut World) -> Result<BodyId> {
    let turn = Quat::from_rotation_z(FLEXED.to_radians());
    let mass = square_bar(DENSITY * BONE * WIDTH * WIDTH, BONE, WIDTH)?;
    // The condyles' centre is the middle of the joint; the shaft goes on above it.
    let joint = CONDYLE * Vec3::Y;
    let arm = 0.5 * BONE * Vec3::Y;
    let femur = world.add(Body::dynamic(mass).at(joint + turn * arm).rotated(turn).named("femur"))?;
    for side in [-1.0, 1.0] {
        let ball = Collider::new(Shape::ball(CONDYLE)).at(side * APART * Vec3::Z - arm);
        world.add(ball.friction(CARTILAGE).named("condyle").on(femur))?;
    }
    world.add(shaft().on(femur))?;
    let ground = world.ground();
    world.add(Weld::between(femur, ground).at(joint).named("hand"))?;
    Ok(femur)
}

/// Shaft with a flat plateau, whose middle is the origin at the start; its heel on the table.
fn tibia(world: &mut World) -> Result<BodyId> {
    let mass = square_bar(DENSITY * BONE * WIDTH * WIDTH, BONE, WIDTH)?;
    let tibia = world.add(Body::dynamic(mass).at(-TOP).named("tibia"))?;
    let plateau = Collider::new(Shape::cuboid(Vec3::new(0.04, PLATEAU, 0.05))).at(TOP - PLATEAU * Vec3::Y);
    world.add(plateau.friction(CARTILAGE).named("plateau").on(tibia))?;
    world.add(shaft().on(tibia))?;
    let heel = Collider::new(Shape::ball(0.5 * WIDTH)).at(-TOP);
    world.add(heel.friction(0.3).named("heel").on(tibia))?;
    let ground = world.ground();
    let table = Collider::new(Shape::cuboid(Vec3::new(0.05, 0.2, 0.2))).at(Vec3::new(-0.075, -BONE, 0.0));
    world.add(table.friction(0.3).named("table").on(ground))?;
    Ok(tibia)
}

/// The shaft of a bone, to be seen: it meets nothing.
fn shaft() -> Collider {
    Collider::new(Shape::cuboid(0.5 * Vec3::new(WIDTH, BONE, WIDTH))).grouped(0, 0).named("shaft")
}

/// Points of a ligament from the first bone to the second: a parabola over the straight line.
fn curve(b: &Band, pieces: usize) -> Vec<Vec3> {
    let at = |s: f64| b.femur.lerp(b.tibia, s) + 4.0 * BULGE * s * (1.0 - s) * b.out;
    (0..=pieces).map(|k| at(k as f64 / pieces as f64)).collect()
}

/// A ligament of bars whose nodes are means of points of both bones, from one to the other; `part`: its stiffness over that of a ligament.
fn cord(
    world: &mut World,
    bones: (BodyId, BodyId),
    b: &Band,
    (pieces, damping): (usize, f64),
    part: f64,
) -> Result<()> {
    let points = curve(b, pieces);
    let long: f64 = points.windows(2).map(|p| p[0].distance(p[1])).sum();
    let rest = if part == 1.0 { REST } else { long / TAUT };
    // As long as its curve at the start over its stretch there, each piece by itself.
    let mut nodes = vec![Vec3::ZERO];
    for p in points.windows(2) {
        let end = nodes[nodes.len() - 1];
        nodes.push(end + p[0].distance(p[1]) * rest / long * Vec3::X);
    }
    let cells = (0..pieces as u32).map(|k| Cell::bar2([k, k + 1])).collect();
    let modulus = |stiffness: f64| part * stiffness * REST / SECTION;
    let material = Material::new(1000.0, modulus(SOFT), 0.0)
        .law(Law::Cord(Cord { strain: STRAIN, young: modulus(STIFF) }))
        .area(SECTION)
        .damping(damping);
    let skin = |k: usize, _: Vec3| {
        let w = k as f64 / pieces as f64;
        [(bones.0, 1.0 - w), (bones.1, w)].into_iter().filter(|c| c.1 > 0.0).collect()
    };
    let body = Deformable::new(&Mesh { nodes, cells }, &material)?.shaped(points).mapped(skin);
    world.add(body.named(b.name)).map(|_| ())
}

/// The same as one straight row between its ends.
fn straight(world: &mut World, (femur, tibia): (BodyId, BodyId), b: &Band, damping: f64) -> Result<()> {
    let kind = Ligament {
        rest_length: Some((b.tibia - b.femur).length() / TAUT),
        soft_stiffness: SOFT,
        strain: STRAIN,
        stiffness: STIFF,
        damping: damping * SOFT,
    };
    world.add(Joint::of(kind, femur, tibia).ends(b.femur, b.tibia).named(b.name))?;
    world.set_collision(femur, tibia, true)
}

/// The patella in front of the condyles, between the tendon of the quadriceps and its own.
fn patella(world: &mut World, (femur, tibia): (BodyId, BodyId), made: (usize, f64)) -> Result<()> {
    let at = Vec3::new(CONDYLE + PATELLA_RADIUS + 0.001, CONDYLE + 0.005, 0.0);
    let mass = MassProperties::sphere(DENSITY, PATELLA_RADIUS)?.with_mass(PATELLA)?;
    let patella = world.add(Body::dynamic(mass).at(at).named("patella"))?;
    world.add(Collider::new(Shape::ball(PATELLA_RADIUS)).friction(CARTILAGE).named("patella").on(patella))?;
    // On the trochlea, the groove between the condyles.
    let groove = Collider::new(Shape::ball(CONDYLE)).at(-0.5 * BONE * Vec3::Y);
    world.add(groove.friction(CARTILAGE).named("trochlea").on(femur))?;
    let up = Quat::from_rotation_z(FLEXED.to_radians()) * Vec3::new(0.03, 0.09, 0.0) + CONDYLE * Vec3::Y;
    let quadriceps = Band { name: "quadriceps", femur: up, tibia: at + PATELLA_RADIUS * Vec3::Y, out: Vec3::X };
    cord(world, (femur, patella), &quadriceps, made, TENDON)?;
    let low = Vec3::new(0.03, -0.03, 0.0);
    let tendon = Band { name: "patellar tendon", femur: at - PATELLA_RADIUS * Vec3::Y, tibia: low, out: Vec3::X };
    cord(world, (patella, tibia), &tendon, made, TENDON)
}

/// How far the middle of the plateau is in front of the middle of the joint, m.
pub(crate) fn shift(world: &World) -> Result<f64> {
    let tibia = world.pose(world.find_body("tibia")?)?;
    Ok((tibia.pos + tibia.rot * TOP).x)
}
