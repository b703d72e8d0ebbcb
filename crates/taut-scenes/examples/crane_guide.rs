//! The crane of the guide (docs/guide), built in six steps.
//!
//! `cargo run --release -p taut-scenes --example crane_guide -- 6` runs the crane as it is after the sixth step, prints what it does and
//! writes it to `crane-6.json`. `taut shot crane-6.json --out crane-6.png` draws that file, `taut view crane-6.json` opens it.

use std::path::Path;
use taut::prelude::*;
use taut::{RopeId, Sheave, Winch, WinchId, Winding};

/// The foot of the boom and its head, m.
const FOOT: Vec3 = Vec3::new(1.5, 3.0, 0.0);
const HEAD: Vec3 = Vec3::new(15.5, 17.0, 0.0);

/// What the crane is made of.
struct Crane {
    house: BodyId,
    boom: BodyId,
    load: BodyId,
}

/// Step 1: bodies.
fn bodies(world: &mut World) -> Result<Crane> {
    let house = Body::solid(Shape::cuboid(Vec3::new(2.0, 1.0, 1.5)), 2500.0)?;
    let house = world.add(house.at(Vec3::new(0.0, 3.0, 0.0)).named("house"))?;
    let beam = Shape::cuboid(Vec3::new(0.5 * (HEAD - FOOT).length(), 0.4, 0.4));
    let upwards = Quat::from_rotation_z(45_f64.to_radians());
    let boom = Body::solid(beam, 300.0)?.at(0.5 * (FOOT + HEAD)).rotated(upwards).named("boom");
    let boom = world.add(boom)?;
    let load = Body::solid(Shape::cuboid(Vec3::splat(0.75)), 2400.0)?;
    let load = world.add(load.at(Vec3::new(16.0, 7.0, 0.0)).named("load"))?;
    Ok(Crane { house, boom, load })
}

/// What holds the crane together.
struct Held {
    slew: JointId,
    pendant: JointId,
}

/// Step 2: joints.
fn joints(world: &mut World, crane: &Crane) -> Result<Held> {
    let slew = Hinge::between(crane.house, world.ground()).at(Vec3::new(0.0, 2.0, 0.0)).axis(Vec3::Y);
    let slew = world.add(slew.motor(Motor::rate().limited(400e3)).named("slew"))?;
    world.add(Hinge::between(crane.boom, crane.house).at(FOOT).axis(Vec3::Z).named("luff"))?;
    let pendant = Distance::between(crane.boom, crane.house).ends(HEAD, Vec3::new(-2.0, 4.0, 0.0));
    let pendant = world.add(pendant.named("pendant"))?;
    Ok(Held { slew, pendant })
}

/// The hoist.
struct Hoist {
    winch: WinchId,
    rope: RopeId,
}

/// Step 3: a winch and its rope.
fn winch(world: &mut World, crane: &Crane) -> Result<Hoist> {
    let winch = Winch::on(crane.house, Vec3::new(-1.0, 4.5, 0.0), Vec3::Z, 0.4).named("hoist");
    let winch = world.add(winch)?;
    let head = Sheave::on(crane.boom, HEAD, Vec3::Z, 0.5);
    let hook = Vec3::new(16.0, 7.75, 0.0);
    let rope = Rope::from_drum(world.drum(winch)?.over()).over(head).to(crane.load, hook);
    let rope = world.add(rope.diameter(0.03).named("hoist rope"))?;
    world.set_winch(winch, Winding::Brake(300e3))?;
    Ok(Hoist { winch, rope })
}

/// Step 4: contact.
fn contact(world: &mut World) -> Result<()> {
    world.add(Collider::new(Shape::ground()).friction(0.6).on(world.ground()))?;
    let deck = Collider::new(Shape::cuboid(Vec3::new(2.5, 0.5, 3.0))).friction(0.5);
    world.add(Body::fixed().at(Vec3::new(8.6, 0.5, -13.5)).collider(deck).named("deck"))?;
    Ok(())
}

/// Step 5: what the driver does at this time: hoist, slew by a radian, lower.
fn drive(world: &mut World, held: &Held, hoist: &Hoist) -> Result<()> {
    let time = world.time();
    let turn = if (4.0..14.0).contains(&time) { 0.1 } else { 0.0 };
    world.set_motor(held.slew, Command::rate(turn))?;
    let speed = match time {
        t if t < 4.0 => 0.5,
        t if t < 16.0 => 0.0,
        _ => -0.5,
    };
    world.set_winch(hoist.winch, Winding::Haul { speed, force: 300e3 })
}

/// Step 6: what is read off while it runs.
#[derive(Clone, Copy, Debug, Default)]
struct Measured {
    /// Largest tension of the rope and of the pendant, N.
    rope: f64,
    pendant: f64,
    /// Largest overturning moment at the slewing ring, N m.
    moment: f64,
    /// Largest gap of a joint, m, and largest energy of a step that nothing accounts for, J.
    gap: f64,
    unexplained: f64,
}

impl Measured {
    fn read(&mut self, world: &World, held: &Held, hoist: &Hoist, report: &StepReport) -> Result<()> {
        self.rope = self.rope.max(world.rope(hoist.rope)?.tension());
        self.pendant = self.pendant.max(world.joint(held.pendant)?.tension());
        let ring = world.joint(held.slew)?.torque();
        self.moment = self.moment.max(Vec3::new(ring.x, 0.0, ring.z).length());
        self.gap = self.gap.max(report.max_gap);
        self.unexplained = self.unexplained.max(report.ledger.imbalance.abs());
        Ok(())
    }
}

/// A crane that has run.
struct Run {
    world: World,
    crane: Crane,
    measured: Measured,
}

/// Builds the crane as far as a step of the guide has come, and runs it at 60 steps a second.
fn run(step: usize, seconds: f64) -> Result<Run> {
    let mut world = World::new();
    let crane = bodies(&mut world)?;
    let held = if step >= 2 { Some(joints(&mut world, &crane)?) } else { None };
    let hoist = if step >= 3 { Some(winch(&mut world, &crane)?) } else { None };
    if step >= 4 {
        contact(&mut world)?;
    }
    let mut measured = Measured::default();
    for _ in 0..(60.0 * seconds) as usize {
        if let (Some(held), Some(hoist), true) = (&held, &hoist, step >= 5) {
            drive(&mut world, held, hoist)?;
        }
        let report = world.step(1.0 / 60.0)?;
        if let (Some(held), Some(hoist)) = (&held, &hoist) {
            measured.read(&world, held, hoist, &report)?;
        }
    }
    Ok(Run { world, crane, measured })
}

/// How long each step of the guide runs, s.
const SECONDS: [f64; 6] = [0.5, 0.7, 5.0, 5.0, 40.0, 40.0];

/// Writes the crane as it stands to a scene file.
fn save(world: &World, path: &Path) -> std::result::Result<(), Box<dyn std::error::Error>> {
    let saved = taut_scenes::file::from_world(world)?;
    std::fs::write(path, taut_scenes::file::write(&saved.file)?)?;
    Ok(())
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let step = std::env::args().nth(1).map_or(Ok(6), |s| s.parse::<usize>())?;
    if !(1..=6).contains(&step) {
        return Err(format!("step {step}: the guide has steps 1 to 6").into());
    }
    let Run { world, crane, measured: m } = run(step, SECONDS[step - 1])?;
    println!("step {step}, after {:.1} s: load at {:.3} m", world.time(), world[crane.load].pos);
    if step >= 3 {
        println!("largest tension of the rope {:.1} kN, of the pendant {:.1} kN", m.rope / 1e3, m.pendant / 1e3);
        println!("largest moment at the slewing ring {:.0} kN m", m.moment / 1e3);
        println!("largest gap of a joint {:.1e} m, energy unaccounted for {:.1e} J", m.gap, m.unexplained);
    }
    let name = format!("crane-{step}.json");
    save(&world, Path::new(&name))?;
    println!("written to {name}: draw it with `taut shot {name} --out crane-{step}.png`");
    Ok(())
}

/// The program that the first page of the guide has its reader write.
#[cfg(test)]
mod first {
    use super::*;

    fn main() -> Result<()> {
        let mut world = World::new();
        let crane = bodies(&mut world)?;
        for _ in 0..30 {
            world.step(1.0 / 60.0)?;
        }
        println!("{:.2} s: load at {:.2} m", world.time(), world[crane.load].pos);
        Ok(())
    }

    #[test]
    fn it_runs() {
        main().unwrap();
    }
}

/// The program that it has become on the last page.
#[cfg(test)]
mod last {
    use super::*;

    fn main() -> Result<()> {
        let mut world = World::new();
        let crane = bodies(&mut world)?;
        let held = joints(&mut world, &crane)?;
        let hoist = winch(&mut world, &crane)?;
        contact(&mut world)?;
        let mut measured = Measured::default();
        for _ in 0..2400 {
            drive(&mut world, &held, &hoist)?;
            let report = world.step(1.0 / 60.0)?;
            measured.read(&world, &held, &hoist, &report)?;
        }
        println!("{:.2} s: load at {:.2} m", world.time(), world[crane.load].pos);
        println!("{measured:?}");
        Ok(())
    }

    #[test]
    fn it_runs() {
        main().unwrap();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Weight of the load, N.
    const WEIGHT: f64 = 2400.0 * 1.5 * 1.5 * 1.5 * 9.81;

    #[test]
    fn without_joints_everything_falls_freely() {
        let Run { world, crane, .. } = run(1, 0.5).unwrap();
        let fallen = 7.0 - world[crane.load].pos.y;
        assert!((fallen - 0.5 * 9.81 * 0.5 * 0.5).abs() < 1e-9, "{fallen}");
    }

    #[test]
    fn joints_hold_the_boom_and_not_the_load() {
        let Run { world, crane, .. } = run(2, 5.0).unwrap();
        assert!((world[crane.boom].pos - 0.5 * (FOOT + HEAD)).length() < 1e-9);
        assert!(world[crane.load].pos.y < -100.0);
    }

    #[test]
    fn the_rope_holds_the_load_and_stretches_as_steel_does() {
        let Run { world, crane, measured } = run(3, 5.0).unwrap();
        let sunk = 7.0 - world[crane.load].pos.y;
        assert!((0.02..0.15).contains(&sunk), "{sunk}");
        assert!(measured.rope > WEIGHT && measured.rope < 2.0 * WEIGHT, "{measured:?}");
        assert!(measured.gap < 1e-9, "{measured:?}");
    }

    #[test]
    fn the_driver_sets_the_load_down_on_the_deck() {
        let Run { world, crane, measured } = run(6, 40.0).unwrap();
        let load = world.body(crane.load).unwrap();
        assert!((load.position().y - 1.75).abs() < 1e-3, "{}", load.position());
        assert!(load.velocity().length() < 1e-2, "{}", load.velocity());
        assert!(world.contacts().any(|c| c.bodies.0 == crane.load || c.bodies.1 == crane.load));
        // Nothing opens, and all energy is accounted for.
        assert!(measured.gap < 1e-9 && measured.unexplained < 1e-6, "{measured:?}");
        assert!(measured.moment > WEIGHT * HEAD.x, "{measured:?}");
    }

    /// The code of the guide is the code of this file: every block of Rust in it stands here, line by line.
    #[test]
    fn the_guide_shows_this_code() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide");
        let source: Vec<&str> = include_str!("crane_guide.rs").lines().map(str::trim).collect();
        let mut blocks = 0;
        for page in std::fs::read_dir(folder).unwrap() {
            let path = page.unwrap().path();
            if !path.file_name().unwrap().to_string_lossy().starts_with("crane-") {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            for block in text.split("```rust\n").skip(1) {
                let lines: Vec<&str> = block.split("```").next().unwrap().trim().lines().map(str::trim).collect();
                blocks += 1;
                assert!(source.windows(lines.len()).any(|w| w == lines), "{}: {lines:?}", path.display());
            }
        }
        assert!(blocks >= 6, "{blocks}");
    }
}
