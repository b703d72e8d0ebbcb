//! Every pair of stabiliser and solver that asks for RedMax's step, with and without limits and contacts: it runs, or it is refused in
//! words.

use crate::common::parts::{PARTS, scene};
use taut::{Coordinates, Error, Options, Rope, Solver, Stabiliser, State, Vec3};

const ARTICULATED: [Solver; 4] = [Solver::Articulated, Solver::Elimination, Solver::Pcg, Solver::PartialPcg];

fn all() -> impl Iterator<Item = Options> {
    let with = |stabiliser| move |solver| (stabiliser, solver);
    let none = [Solver::Auto].into_iter().chain(ARTICULATED).map(with(Stabiliser::None));
    let pairs = none.chain(ARTICULATED.map(with(Stabiliser::Aligned)));
    let coordinates = Coordinates::Reduced;
    pairs.map(move |(stabiliser, solver)| Options { coordinates, stabiliser, solver, ..Options::default() })
}

#[test]
fn worlds_without_bounds_run_and_others_say_at_the_first_step_what_they_cannot_do() {
    let (mut ran, mut refused) = (0, 0);
    for parts in PARTS {
        for o in all() {
            let what = format!("{:?} {:?} {parts:?}", o.stabiliser, o.solver);
            assert!(o.is_reduced_alone(), "{what}");
            let mut w = scene(parts);
            taut_redmax::attach(&mut w);
            w.set_options(o).unwrap();
            let before = w.state().clone();
            if parts.limits || parts.contacts {
                let error = w.step(0.01).unwrap_err();
                let Error::Input { value, .. } = &error else { panic!("{error:?}") };
                assert!(value.contains(o.stabiliser.name()) && value.contains(o.solver.name()), "{error}");
                assert!(*w.state() == before, "{what}");
                refused += 1;
                continue;
            }
            for step in 0..20 {
                let r = w.step(0.01).unwrap_or_else(|e| panic!("{what}, step {step}: {e}"));
                if matches!(o.solver, Solver::Auto | Solver::Articulated) {
                    // The cheapest of the three that these two stand for.
                    assert!(ARTICULATED[1..].contains(&r.path), "{what}: {:?}", r.path);
                } else {
                    assert_eq!(r.path, o.solver, "{what}");
                }
                assert!(r.energy.total().is_finite() && r.ledger.imbalance.is_finite(), "{what}: {r:?}");
                assert!(r.max_gap.is_finite() && r.residual.is_finite(), "{what}: {r:?}");
                assert_eq!(r.bounded.rows, 0, "{what}");
            }
            assert!(w.bodies().all(|b| b.position().is_finite()), "{what}");
            ran += 1;
        }
    }
    assert_eq!((ran, refused), (9, 9 * 3));
}

#[test]
fn couplings_are_refused_by_name() {
    for o in all() {
        let mut g = crate::common::gears::Planetary::new(Options::default());
        taut_redmax::attach(&mut g.w);
        g.w.set_options(o).unwrap();
        let before = g.w.state().clone();
        let error = g.w.step(0.01).unwrap_err().to_string();
        assert!(error.contains("coupling #0") && error.contains("couplings or contacts"), "{error}");
        assert!(*g.w.state() == before);
        assert!(taut_redmax::reduced_system(&mut g.w, 0.01).is_err());
        // Without them it runs.
        let ids: Vec<_> = g.w.couplings().map(|c| c.id()).collect();
        ids.into_iter().for_each(|c| g.w.remove(c).unwrap());
        g.w.step(0.01).unwrap();
    }
}

#[test]
fn ropes_over_guides_are_refused_by_name() {
    for o in all() {
        let mut w = scene(PARTS[0]);
        taut_redmax::attach(&mut w);
        let body = w.bodies().map(|b| (b.id(), b.position())).last().unwrap();
        let line = Rope::from(w.ground(), body.1 + Vec3::Y).to(body.0, body.1).named("line");
        let rope = w.add(line).unwrap();
        w.set_options(o).unwrap();
        let error = w.step(0.01).unwrap_err().to_string();
        assert!(error.contains("rope 'line'"), "{error}");
        w.remove(rope).unwrap();
        w.step(0.01).unwrap();
    }
}

#[test]
fn bytes_of_a_state_carry_what_the_automatic_choice_has_seen() {
    for (o, before) in all().flat_map(|o| [(o, 1), (o, 30)]) {
        let made = || {
            let mut w = scene(PARTS[0]);
            taut_redmax::attach(&mut w);
            w.set_options(o).unwrap();
            w
        };
        let (mut a, mut b) = (made(), made());
        (0..before).for_each(|_| drop(a.step(0.01).unwrap()));
        let state = State::from_bytes(&a.state().to_bytes()).unwrap();
        assert_eq!(&state, a.state());
        b.restore(&state).unwrap();
        for step in 0..30 {
            assert_eq!(a.step(0.01).unwrap(), b.step(0.01).unwrap(), "{o:?}, {before} + {step}");
            assert_eq!(a.state(), b.state(), "{o:?}, {before} + {step}");
        }
    }
}

#[test]
fn a_copy_of_a_world_goes_on_alone_and_a_change_is_seen() {
    let mut w = scene(PARTS[0]);
    taut_redmax::attach(&mut w);
    w.set_options(Options { stabiliser: Stabiliser::None, coordinates: Coordinates::Reduced, ..*w.options() }).unwrap();
    w.step(0.01).unwrap();
    let mut twin = w.clone();
    let last = w.bodies().map(|b| b.id()).last().unwrap();
    let added = twin.add(taut::Body::particle(1.0).at(5.0 * taut::Vec3::Y)).unwrap();
    for _ in 0..10 {
        w.step(0.01).unwrap();
        twin.step(0.01).unwrap();
    }
    assert_eq!(w.body(last).unwrap().pose(), twin.body(last).unwrap().pose());
    assert!(twin.body(added).unwrap().position().y < 5.0, "the new body falls");
}
