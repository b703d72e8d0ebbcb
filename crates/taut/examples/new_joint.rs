//! A joint of your own: a pin in a slot, free to slide along one axis and to turn every way.
//! `cargo run --release -p taut --example new_joint`.

use taut::{Axis, Body, Joint, JointKind, MassProperties, Result, Softness, Vec3, World, joints::RowBuilder};

/// The pin of body i stays on the line of body i's slot axis N.
#[derive(Debug)]
struct PinInSlot;

impl JointKind for PinInSlot {
    fn name(&self) -> &'static str {
        "pin-in-slot"
    }
    fn rows(&self, r: &mut RowBuilder) {
        r.dot2(Axis::U, Softness::RIGID);
        r.dot2(Axis::V, Softness::RIGID);
    }
}

fn main() -> Result<()> {
    let mut world = World::new();
    let ball = MassProperties::sphere(1000.0, 0.1)?;
    let ball = world.add(Body::dynamic(ball).named("bead"))?;
    // The slot falls away at 45 degrees; it belongs to the ground, so the ground is body i.
    world.add(Joint::of(PinInSlot, world.ground(), ball).axis(Vec3::new(1.0, -1.0, 0.0)))?;
    for _ in 0..100 {
        world.step(0.01)?;
    }
    let p = world.body(ball)?.position();
    println!(
        "after 1 s the bead is at ({:.3}, {:.3}) m; free sliding gives g/4 = {:.3} m along each axis",
        p.x,
        p.y,
        9.81 / 4.0
    );
    Ok(())
}
