//! Fifteen tonnes on ten links of 200 g, dropped, at 60 steps a second: `cargo run --release -p taut --example heavy_chain`.

use taut::{Ball, Body, MassProperties, Result, Vec3, World};

fn main() -> Result<()> {
    let mut world = World::new();
    let link = MassProperties::cuboid(1000.0, Vec3::new(0.1, 0.02, 0.02))?.with_mass(0.2)?;
    let load = MassProperties::sphere(7800.0, 0.5)?.with_mass(15_000.0)?;
    let (mut previous, mut end) = (world.ground(), Vec3::ZERO);
    for k in 0..=10 {
        let (mass, reach) = if k < 10 { (link, 0.1) } else { (load, 0.5) };
        let kick = Vec3::new(0.0, 0.0, if k % 2 == 0 { 0.001 } else { -0.001 });
        let body = world.add(Body::dynamic(mass).at(end + reach * Vec3::X).moving(kick, Vec3::ZERO))?;
        world.add(Ball::between(body, previous).at(end))?;
        (previous, end) = (body, end + 2.0 * reach * Vec3::X);
    }
    let mut worst: f64 = 0.0;
    for k in 1..=600 {
        let report = world.step(1.0 / 60.0)?;
        worst = worst.max(report.max_gap);
        if k % 60 == 0 {
            let load = world.body(previous)?.position();
            println!(
                "t {:4.1} s  load at ({:6.2}, {:6.2}) m  worst gap so far {:.2} mm",
                report.time,
                load.x,
                load.y,
                1e3 * worst
            );
        }
    }
    Ok(())
}
