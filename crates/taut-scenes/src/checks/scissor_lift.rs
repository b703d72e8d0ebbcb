//! The scissor lift against its closed form: with the carriage at x, n stages are n sqrt(L^2 - x^2) high.

use super::rig::Worst;
use super::{Check, Effort, Failure, Measured};
use crate::scene::find;
use crate::scenes::scissor_lift::height;
use taut::{Options, Solver, settings::Budget};

pub(super) fn check() -> Check {
    Check {
        id: "scissor-lift",
        summary: "the platform is as high as the closed form says, lifted and lowered with its load, with both solvers",
        source: "n sqrt(L^2 - x^2)",
        run,
    }
}

fn run(effort: &Effort<'_>) -> Result<Vec<Measured>, Failure> {
    let (mut off, mut rise) = (Worst::new(), 0.0_f64);
    for solver in [Solver::Auto, Solver::Structured(Budget::default())] {
        for stages in effort.pick(&[1, 4, 12][..], &[2][..]) {
            let (mut scene, _) = find("scissor-lift")?.with(&[("stages", &stages.to_string())])?;
            scene.world.set_options(Options { solver, ..*scene.world.options() })?;
            let (foot, guide) = (scene.world.find_body("foot")?, scene.world.find_body("guide")?);
            let start = scene.world.body(guide)?.position().y;
            effort.driven(&mut scene, 0.01, effort.pick(8.0, 4.0), |w, _| {
                let y = w.body(guide)?.position().y;
                let wanted = height(*stages, w.body(foot)?.position().x);
                off.see((y - wanted).abs() / *stages as f64, || format!("{stages} stages, {}", solver.name()));
                rise = rise.max((y - start) / *stages as f64);
                Ok(())
            })?;
        }
    }
    Ok(vec![
        off.at_most("height against the closed form, per stage", 1e-4, "m"),
        Measured::at_least("rise, per stage", rise, 0.4, "m"),
    ])
}
