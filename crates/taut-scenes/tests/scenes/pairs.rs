//! Settings that the engine cannot run with are bad input, told before the first step: never a run that diverged.

use taut_scenes::{Wanted, choices, find, run};

/// Scenes with joints alone, with contacts, with limits and with ropes.
const SCENES: [&str; 5] = ["chain", "fourbar", "box-stack", "ragdoll", "snatch"];
const STABILISERS: [&str; 7] = ["none", "full", "symmetric", "low-rank", "inertial", "constraint-space", "aligned"];
const SOLVERS: [&str; 11] = [
    "auto",
    "block-ldlt",
    "dense-lu",
    "dense-cholesky",
    "minres",
    "pgs:sweeps=5",
    "structured",
    "articulated",
    "elimination",
    "pcg",
    "partial-pcg",
];

#[test]
fn what_is_refused_is_refused_before_the_first_step() {
    let (mut ran, mut refused) = (0, 0);
    for name in SCENES {
        for coordinates in ["maximal", "reduced"] {
            for stabiliser in STABILISERS {
                for solver in SOLVERS {
                    let what = format!("{name} {coordinates} {stabiliser} {solver}");
                    let (mut scene, _) = find(name).unwrap().with(&[]).unwrap();
                    let wanted = Wanted {
                        coordinates: Some(choices::coordinates(coordinates).unwrap()),
                        stabiliser: Some(choices::stabiliser(stabiliser).unwrap()),
                        solver: Some(choices::solver(solver).unwrap()),
                        ..Wanted::default()
                    };
                    match wanted.apply(&mut scene.world).and_then(|()| run(&mut scene, 0.01, 0.02, |_| true)) {
                        Ok(o) => {
                            ran += 1;
                            let failure = o.failure.unwrap_or_default();
                            assert!(!failure.contains("expected"), "{what}: {failure}");
                        }
                        Err(e) => {
                            refused += 1;
                            let text = e.to_string();
                            assert!(
                                text.contains("expected") && !text.contains("the state is unchanged"),
                                "{what}: {text}"
                            );
                        }
                    }
                }
            }
        }
    }
    assert!(ran > 200 && refused > 200, "{ran} ran, {refused} refused");
}
