//! A rod on a hinge, released from the horizontal: `cargo run --release -p taut --example pendulum`.

use taut::{Body, Hinge, MassProperties, Result, Vec3, World};

fn main() -> Result<()> {
    let mut world = World::new();
    let rod = MassProperties::cuboid(1000.0, Vec3::new(0.5, 0.02, 0.02))?;
    let rod = world.add(Body::dynamic(rod).at(Vec3::new(0.5, 0.0, 0.0)).named("rod"))?;
    let hinge = world.add(Hinge::between(rod, world.ground()).at(Vec3::ZERO).axis(Vec3::Z))?;
    let start = world.energy()?.total();
    for k in 0..=100 {
        let report = world.step(0.01)?;
        if k % 20 == 0 {
            let joint = world.joint(hinge)?;
            println!(
                "t {:.2} s  height {:6.3} m  hinge force {:6.2} N  energy change {:9.2e} J",
                report.time,
                world.body(rod)?.position().y,
                joint.force().length(),
                report.energy.total() - start
            );
        }
    }
    Ok(())
}
