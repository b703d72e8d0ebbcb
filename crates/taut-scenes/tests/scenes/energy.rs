//! The energy of a world as it stands is that of the report of its last step, in every scene.

use taut_scenes::all;

#[test]
fn energy_now_is_that_of_the_report_in_every_scene() {
    let mut ran = 0;
    for info in all() {
        let Ok((mut scene, _)) = info.with(info.small()) else { continue };
        let h = info.dt;
        // Where the first second ends, things have fallen, touched and swung.
        for k in 0..40 {
            let Ok(report) = scene.step(h) else { break };
            let (told, now) = (report.energy, scene.world.energy().unwrap());
            let size = [now.kinetic, now.gravity, now.elastic, 1.0].into_iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            for (a, b) in [(told.kinetic, now.kinetic), (told.gravity, now.gravity), (told.elastic, now.elastic)] {
                assert!((a - b).abs() <= 1e-10 * size, "{} step {k}: told {told:?}, now {now:?}", info.name);
            }
            ran += 1;
        }
    }
    assert!(ran > 1000, "{ran} steps");
}
