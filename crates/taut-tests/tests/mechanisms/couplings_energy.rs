//! What couplings do with energy: rigid ones none, soft ones store it, dampers take it, driven bodies give it.

use crate::common::gears::*;
use crate::common::{weightless, world};
use std::f64::consts::TAU;
use taut::{Body, Gear, Softness, Vec3};

#[test]
fn a_rigid_coupling_does_no_work_and_the_ledger_closes() {
    for options in both() {
        let Pair { mut w, a, .. } = Pair::new(options, -3.0);
        torque(&mut w, a.0, 1.5);
        for _ in 0..300 {
            let r = w.step(STEP).unwrap();
            let scale = 1e-12 * (1.0 + r.energy.kinetic);
            assert!(r.ledger.imbalance.abs() < scale, "{:?}", r.ledger);
            assert!(r.ledger.constraints.abs() < 10.0 * scale && r.ledger.damping == 0.0, "{:?}", r.ledger);
            assert!((r.ledger.change - r.ledger.work).abs() < 20.0 * scale);
        }
    }
}

#[test]
fn a_soft_coupling_stores_energy_and_its_damper_takes_it() {
    for damping in [0.0, 0.5] {
        let mut w = world(weightless());
        let ground = w.ground();
        let a = mounted(&mut w, ground, wheel(1.0, 2.0), Vec3::ZERO);
        let b = mounted(&mut w, ground, wheel(1.0, 0.5), Vec3::X);
        let soft = Softness::spring(20.0, damping);
        let id = couple(&mut w, Gear::between(a.1, b.1).ratio(2.0).soft(soft));
        w.set_velocity(a.0, Vec3::ZERO, Vec3::Z).unwrap();
        let start = w.energy().unwrap().total();
        // The motion against each other: phi = q_a - 2 q_b, 1/m = 1/2 + 4/0.5.
        let against = 0.5 / 8.5;
        let (mut taken, mut most) = (0.0, 0.0_f64);
        for _ in 0..2000 {
            let r = w.step(0.002).unwrap();
            taken += r.ledger.damping;
            most = most.max(r.energy.elastic);
            assert!(r.ledger.imbalance.abs() < 1e-12, "{:?}", r.ledger);
            assert!((w.energy().unwrap().total() - r.energy.total()).abs() < 1e-12);
            assert!((w.coupling(id).unwrap().energy() - 10.0 * error(&w, id).powi(2)).abs() < 1e-3);
        }
        let end = w.energy().unwrap().total();
        if damping == 0.0 {
            assert!((most - against).abs() < 1e-3 * against, "stored {most} of {against}");
            assert!((end - start).abs() < 1e-3 * against && taken == 0.0, "{start} to {end}, damper {taken}");
        } else {
            assert!((end - start + against).abs() < 1e-3 * against, "{start} to {end}");
            assert!((taken + against).abs() < 0.02 * against, "damper {taken} of {against}");
        }
    }
}

#[test]
fn a_coupling_may_be_a_damper_alone() {
    let mut w = world(weightless());
    let ground = w.ground();
    let a = mounted(&mut w, ground, wheel(1.0, 2.0), Vec3::ZERO);
    let b = mounted(&mut w, ground, wheel(1.0, 0.5), Vec3::X);
    let viscous = Softness { compliance: f64::INFINITY, damping: 0.3 };
    couple(&mut w, Gear::between(a.1, b.1).ratio(1.0).soft(viscous));
    w.set_velocity(a.0, Vec3::ZERO, 10.0 * Vec3::Z).unwrap();
    // The difference decays with damping over 1/(1/2 + 1/0.5), by backward Euler; the first kick is half a step.
    let (h, rate) = (0.01, 0.3 * 2.5);
    let mut expected = 10.0 / (1.0 + 0.5 * h * rate);
    for _ in 0..200 {
        let r = w.step(h).unwrap();
        let difference = spin(&w, a.0) - spin(&w, b.0);
        assert!((difference - expected).abs() < 1e-9, "{difference} against {expected}");
        assert!(r.energy.elastic == 0.0 && r.ledger.damping < 0.0 && r.ledger.imbalance.abs() < 1e-11);
        expected /= 1.0 + h * rate;
    }
}

#[test]
fn a_soft_coupling_swings_with_the_frequency_of_its_spring() {
    let mut w = world(weightless());
    let ground = w.ground();
    let a = mounted(&mut w, ground, wheel(1.0, 2.0), Vec3::ZERO);
    let b = mounted(&mut w, ground, wheel(1.0, 0.5), Vec3::X);
    let id = couple(&mut w, Gear::between(a.1, b.1).ratio(2.0).soft(Softness::spring(20.0, 0.0)));
    w.set_velocity(a.0, Vec3::ZERO, Vec3::Z).unwrap();
    // phi = q_a - 2 q_b: 1/m = 1/2 + 4/0.5.
    let period = TAU / f64::sqrt(20.0 * (0.5 + 8.0));
    let h = period / 400.0;
    let errors: Vec<f64> = (0..4000)
        .map(|_| {
            w.step(h).unwrap();
            error(&w, id)
        })
        .collect();
    let crossings = errors.windows(2).filter(|e| e[0] < 0.0 && e[1] >= 0.0).count();
    assert!((9..=10).contains(&crossings), "{crossings} periods in 10");
}

#[test]
fn a_driven_body_works_through_a_coupling() {
    let mut w = world(weightless());
    let ground = w.ground();
    // A crank that the user turns, a wheel on it that is geared to a wheel on the ground.
    let crank = w.add(Body::kinematic()).unwrap();
    let (a, on_crank) = mounted(&mut w, crank, wheel(1.0, 0.1), Vec3::ZERO);
    let (b, on_ground) = mounted(&mut w, ground, wheel(1.0, 0.2), Vec3::X);
    let gear = couple(&mut w, Gear::between(on_crank, on_ground).ratio(-1.0));
    w.set_velocity(crank, Vec3::ZERO, 4.0 * Vec3::Z).unwrap();
    let mut work = 0.0;
    for _ in 0..300 {
        let r = w.step(STEP).unwrap();
        work += r.ledger.work;
        assert!(r.ledger.imbalance.abs() < 1e-12, "{:?}", r.ledger);
        assert!(error(&w, gear).abs() < 1e-9);
    }
    // (w_a - 4) = -w_b, with no torque but that of the gear: 0.1 w_a = 0.2 w_b.
    assert!((spin(&w, a) - 8.0 / 3.0).abs() < 1e-9 && (spin(&w, b) - 4.0 / 3.0).abs() < 1e-9);
    let energy = 0.5 * (0.1 * (8.0_f64 / 3.0).powi(2) + 0.2 * (4.0_f64 / 3.0).powi(2));
    assert!(work > 0.99 * energy, "{work} J of work for {energy} J");
}
