//! Every combination of stabiliser, solver and coordinates, with and without limits and contacts: it runs, or it is refused in words.

use crate::common::parts::{PARTS, scene};
use taut::{
    Coordinates, Error, Options, Solver, Stabiliser, World, settings::BoundedMethod, settings::Budget,
    settings::InertialDamping,
};

const STABILISERS: [Stabiliser; 7] = [
    Stabiliser::None,
    Stabiliser::Full,
    Stabiliser::Symmetric,
    Stabiliser::LowRank,
    Stabiliser::Inertial(InertialDamping { alpha: 1.0, theta: 0.5, angular_only: true }),
    Stabiliser::ConstraintSpace { alpha: 1.0 },
    Stabiliser::Aligned,
];

const ARTICULATED: [Solver; 4] = [Solver::Articulated, Solver::Elimination, Solver::Pcg, Solver::PartialPcg];

fn solvers() -> Vec<Solver> {
    let mut all = vec![
        Solver::Auto,
        Solver::BlockLdlt,
        Solver::DenseLu,
        Solver::DenseCholesky,
        Solver::Minres,
        Solver::Pgs { sweeps: 50 },
        Solver::Structured(Budget::default()),
        Solver::Structured(Budget::iterations(10)),
    ];
    all.extend(ARTICULATED);
    all
}

const COORDINATES: [Coordinates; 2] = [Coordinates::Maximal, Coordinates::Reduced];

/// Whether they go together.
fn is_accepted(o: &Options) -> bool {
    let reduced = o.coordinates == Coordinates::Reduced;
    match (o.stabiliser, o.solver) {
        (Stabiliser::None | Stabiliser::Aligned, s) if ARTICULATED.contains(&s) => reduced,
        (_, s) if ARTICULATED.contains(&s) => false,
        (Stabiliser::None, s) => !reduced || s == Solver::Auto,
        (Stabiliser::Full | Stabiliser::LowRank, s) => matches!(s, Solver::Auto | Solver::DenseLu),
        (Stabiliser::Symmetric, s) => matches!(s, Solver::Auto | Solver::DenseLu | Solver::Minres),
        _ => true,
    }
}

/// The solver that has to run.
fn path(o: &Options) -> Solver {
    match (o.solver, o.stabiliser) {
        (Solver::Auto, Stabiliser::Full | Stabiliser::Symmetric | Stabiliser::LowRank) => Solver::DenseLu,
        (Solver::Auto, _) => Solver::BlockLdlt,
        (s, _) => s,
    }
}

fn all() -> impl Iterator<Item = Options> {
    COORDINATES.into_iter().flat_map(|coordinates| {
        STABILISERS.into_iter().flat_map(move |stabiliser| {
            let with = move |solver| Options { coordinates, stabiliser, solver, ..Options::default() };
            solvers().into_iter().map(with)
        })
    })
}

/// Name, value and expectation are there, and the names of what was chosen are among them.
#[track_caller]
fn assert_said(error: &Error, o: &Options) {
    let text = error.to_string();
    let (value, expected) = match error {
        Error::Input { name, value, expected } => {
            assert!(!name.is_empty(), "{text}");
            (value.clone(), expected.clone())
        }
        Error::Pairing { stabiliser, solver, expected } => (format!("{stabiliser} {solver}"), expected.to_string()),
        _ => panic!("{error:?}"),
    };
    for word in [o.stabiliser.name(), o.solver.name()] {
        assert!(value.contains(word), "'{text}' does not say '{word}'");
    }
    assert!(!expected.is_empty() && text.contains("expected"), "{text}");
}

#[track_caller]
fn assert_finite(w: &World, what: &str) {
    for b in w.bodies() {
        assert!(b.position().is_finite() && b.rotation().is_finite(), "{what}: {b:?}");
        assert!(b.velocity().is_finite() && b.angular_velocity().is_finite(), "{what}: {b:?}");
    }
}

#[test]
fn refused_options_say_why_and_change_nothing() {
    let (mut w, mut twin) = (scene(PARTS[3]), scene(PARTS[3]));
    w.step(0.01).unwrap();
    twin.step(0.01).unwrap();
    let (options, state) = (*w.options(), w.state().clone());
    let mut refused = 0;
    for o in all() {
        assert_eq!(o.validate().is_ok(), is_accepted(&o), "{o:?}");
        if is_accepted(&o) {
            continue;
        }
        refused += 1;
        assert_said(&w.set_options(o).unwrap_err(), &o);
        assert!(*w.options() == options && *w.state() == state, "{o:?}");
    }
    // Of 12 solvers, 7 stabilisers and 2 coordinates.
    assert_eq!((refused, all().count()), (89, 168));
    // Those that another crate takes the step for say which, and how.
    for o in all().filter(|o| is_accepted(o) && o.is_reduced_alone()) {
        let error = w.set_options(o).unwrap_err();
        assert_said(&error, &o);
        assert!(error.to_string().contains("taut_redmax::attach(&mut world) of the crate taut-redmax"), "{error}");
        assert!(*w.options() == options && *w.state() == state, "{o:?}");
    }
    // Nothing that the state does not show has changed either.
    assert_eq!(w.step(0.01), twin.step(0.01));
    assert!(w.state() == twin.state());
}

#[test]
fn accepted_options_run() {
    let mut ran = 0;
    for parts in PARTS {
        for o in all().filter(|o| is_accepted(o) && !o.is_reduced_alone()) {
            let what = format!("{:?} {:?} {:?} {parts:?}", o.coordinates, o.stabiliser, o.solver);
            let mut w = scene(parts);
            w.set_options(o).unwrap();
            let mut acted = 0;
            for step in 0..20 {
                let r = w.step(0.01).unwrap_or_else(|e| panic!("{what}, step {step}: {e}"));
                assert_eq!(r.path, path(&o), "{what}");
                assert!(r.energy.total().is_finite() && r.ledger.imbalance.is_finite(), "{what}: {r:?}");
                assert!(r.max_gap.is_finite() && r.residual.is_finite(), "{what}: {r:?}");
                assert_finite(&w, &what);
                acted = acted.max(r.bounded.rows);
            }
            // Gauss-Seidel on all rows counts those of joints too.
            let bounds = parts.limits || parts.contacts || matches!(o.solver, Solver::Pgs { .. });
            assert_eq!(acted > 0, bounds, "{what}: {acted} rows with bounds");
            ran += 1;
        }
    }
    // 79 accepted ones, nine of them with a step of another crate, with four kinds of parts.
    assert_eq!(ran, (79 - 9) * 4);
}

#[test]
fn every_method_of_bounded_rows_runs_with_every_stabiliser_in_both_coordinates() {
    use BoundedMethod::{ActiveSet, Auto, Convex, Newton, Pgs, Pivoting};
    let mut ran = 0;
    for bounded in [Auto, Newton, Pivoting, ActiveSet, Pgs { sweeps: 50 }, Convex] {
        for o in all().filter(|o| o.solver == Solver::Auto && !o.is_reduced_alone()) {
            let mut w = scene(PARTS[3]);
            w.set_options(Options { bounded, ..o }).unwrap();
            for step in 0..20 {
                let what = format!("{bounded:?} {:?} {:?}, step {step}", o.coordinates, o.stabiliser);
                let r = w.step(0.01).unwrap_or_else(|e| panic!("{what}: {e}"));
                assert!(r.bounded.residual.is_finite() && r.energy.total().is_finite(), "{what}: {r:?}");
                assert_finite(&w, &what);
            }
            ran += 1;
        }
    }
    // Six methods, seven stabilisers and two coordinates, without RedMax's own step.
    assert_eq!(ran, 6 * (7 * 2 - 1));
}
