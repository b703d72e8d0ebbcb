//! Endless ropes, and grips that pass the sheaves of ropes: against closed forms, at steps and masses far apart, with what can go wrong.

use std::f64::consts::{PI, TAU};
use taut::prelude::*;
use taut::{BodyId, Event, JointId, Reeving, RopeId, Sheave};

fn at(x: f64, y: f64) -> Vec3 {
    Vec3::new(x, y, 0.0)
}

/// Two wheels one above the other, with the drive below, and cars on the endless rope between them: a paternoster. The rope turns about z:
/// up on the right, down on the left.
struct Lift {
    w: World,
    rotors: Vec<BodyId>,
    drive: JointId,
    rope: RopeId,
    cars: Vec<BodyId>,
    /// Radius of the wheels and how far they are apart, m.
    r: f64,
    high: f64,
}

/// How a lift is made.
#[derive(Clone, Copy)]
struct Plan {
    /// Mass of a car and of a rotor, kg.
    car: f64,
    rotor: f64,
    /// Speed of the rope, m/s.
    speed: f64,
    /// Force that doubles the length of the rope, N, and what it is stretched with, N.
    stiffness: Option<f64>,
    pull: f64,
    gravity: f64,
    /// Whether the motor is on.
    driven: bool,
}

const PLAN: Plan =
    Plan { car: 10.0, rotor: 10.0, speed: 1.0, stiffness: Some(1e6), pull: 2000.0, gravity: 9.81, driven: true };

impl Lift {
    /// Cars at these lengths of rope from where it leaves the lower wheel, up the right side, over the upper wheel and down again, m.
    fn new(plan: Plan, places: &[f64]) -> Lift {
        let (r, high) = (0.5, 5.0);
        let mut w = World::new();
        w.set_options(Options { gravity: -plan.gravity * Vec3::Y, ..Options::default() }).unwrap();
        let (mut rotors, mut hinges, mut wheels) = (Vec::new(), Vec::new(), Vec::new());
        for y in [0.0, high] {
            let inertia = Vec3::splat(0.5 * plan.rotor * r * r);
            let mass = MassProperties::from_diagonal(plan.rotor, inertia).unwrap();
            let spin = plan.speed / r * Vec3::Z;
            let rotor = w.add(Body::dynamic(mass).at(at(0.0, y)).moving(Vec3::ZERO, spin)).unwrap();
            let hinge = Hinge::between(rotor, w.ground()).at(at(0.0, y)).axis(Vec3::Z).motor(Motor::rate());
            hinges.push(w.add(hinge).unwrap());
            rotors.push(rotor);
            wheels.push(Sheave::on(rotor, at(0.0, y), Vec3::Z, r).no_slip());
        }
        let mut cars = Vec::new();
        let mut rope = Rope::endless().round(wheels[0].about());
        let half = high + PI * r;
        let down = places.iter().position(|&s| s > high).unwrap_or(places.len());
        for (k, &s) in places.iter().enumerate() {
            if k == down {
                rope = rope.round(wheels[1].about());
            }
            let (place, way) = if s < high { (at(r, s), Vec3::Y) } else { (at(-r, high - (s - half)), -Vec3::Y) };
            let car = w.add(Body::particle(plan.car).at(place).moving(plan.speed * way, Vec3::ZERO)).unwrap();
            rope = rope.grip(car, place);
            cars.push(car);
        }
        if down == places.len() {
            rope = rope.round(wheels[1].about());
        }
        if let Some(ea) = plan.stiffness {
            // The straights alone stretch.
            rope = rope.stiffness(ea).slack(-2.0 * high * plan.pull / (ea + plan.pull));
        }
        let rope = w.add(rope.named("rope")).unwrap();
        if plan.driven {
            w.set_motor(hinges[0], Command::rate(plan.speed / r)).unwrap();
        }
        Lift { w, rotors, drive: hinges[0], rope, cars, r, high }
    }

    /// Once round, m.
    fn ring(&self) -> f64 {
        2.0 * self.high + TAU * self.r
    }

    fn place(&self, car: usize) -> Vec3 {
        self.w.body(self.cars[car]).unwrap().position()
    }

    fn length(&self) -> f64 {
        self.w.rope(self.rope).unwrap().length()
    }
}

/// What has come of a run.
#[derive(Debug, Default)]
struct Run {
    boarded: usize,
    left: usize,
    /// Largest change of length, m; imbalance of the ledger over the work done, and sum of what passages changed, J.
    longer: f64,
    imbalance: f64,
    merged: f64,
    /// Largest tension and largest distance of a car from the rope's way, m.
    tension: f64,
    off: f64,
    energies: Vec<f64>,
}

fn run(lift: &mut Lift, h: f64, time: f64) -> Run {
    let mut out = Run::default();
    let length = lift.length();
    for _ in 0..(time / h).round() as usize {
        let report = lift.w.step(h).unwrap();
        for e in &report.events {
            out.boarded += usize::from(matches!(e, Event::GripBoarded { .. }));
            out.left += usize::from(matches!(e, Event::GripLeft { .. }));
        }
        out.longer = out.longer.max((lift.length() - length).abs());
        let size = report.energy.total().abs().max(1.0);
        out.imbalance = out.imbalance.max(report.ledger.imbalance.abs() / size);
        out.merged += report.ledger.merged;
        out.tension = lift.w.rope(lift.rope).unwrap().tensions().fold(out.tension, f64::max);
        for k in 0..lift.cars.len() {
            let p = lift.place(k);
            let y = p.y.clamp(0.0, lift.high);
            out.off = out.off.max(((p - at(0.0, y)).length() - lift.r).abs());
        }
        out.energies.push(report.energy.total());
        assert!(report.energy.total().is_finite());
    }
    out
}

#[test]
fn a_belt_turns_its_wheels_as_their_radii_are() {
    let mut w = World::new();
    let mut wheel = |x: f64, r: f64, spin: f64| {
        let mass = MassProperties::from_diagonal(1.0, Vec3::splat(0.02)).unwrap();
        let rotor = w.add(Body::dynamic(mass).at(x * Vec3::X).moving(Vec3::ZERO, spin * Vec3::Z)).unwrap();
        w.add(Hinge::between(rotor, w.ground()).at(x * Vec3::X).axis(Vec3::Z)).unwrap();
        (rotor, Sheave::on(rotor, x * Vec3::X, Vec3::Z, r).no_slip())
    };
    let ((a, large), (b, small)) = (wheel(-0.4, 0.2, 4.0), wheel(0.4, 0.1, 8.0));
    // Said from the small one on, and with the large one twice as far from its start.
    let belt = w.add(Rope::endless().round(small.about()).round(large.about())).unwrap();
    let length = w.rope(belt).unwrap().length();
    let closed = 2.0 * (0.64_f64 - 0.01).sqrt() + 0.3 * PI + 0.2 * (0.1_f64 / 0.8).asin();
    assert!((length - closed).abs() < 1e-12, "{length} {closed}");
    let start = w.energy().unwrap().kinetic;
    let mut worst = [0.0_f64; 3];
    for k in 0..2000 {
        if k == 1000 {
            // A blow against one wheel: the other follows at once. I = I_b + I_a/4 at the small one.
            w.apply_angular_impulse(b, 0.1 * Vec3::Z).unwrap();
        }
        w.step(0.01).unwrap();
        let spin = |id: BodyId| -> f64 { w.body(id).unwrap().angular_velocity().z };
        worst[0] = worst[0].max((2.0 * spin(a) - spin(b)).abs());
        worst[1] = worst[1].max((w.rope(belt).unwrap().length() - length).abs());
        let want = if k < 1000 { 8.0 } else { 8.0 + 0.1 / 0.025 };
        worst[2] = worst[2].max((spin(b) - want).abs());
        if k < 1000 {
            assert!((w.energy().unwrap().kinetic / start - 1.0).abs() < 1e-12);
        }
    }
    println!("ratio {:.1e} rad/s, length {:.1e} m, speed {:.1e} rad/s", worst[0], worst[1], worst[2]);
    assert!(worst[0] < 1e-11 && worst[1] < 1e-12 && worst[2] < 1e-11, "{worst:?}");
}

#[test]
fn a_belt_on_a_frame_that_floats_keeps_momentum_and_energy() {
    let mut w = World::new();
    w.set_options(Options { gravity: Vec3::ZERO, ..Options::default() }).unwrap();
    let frame = MassProperties::from_diagonal(3.0, Vec3::new(0.2, 0.3, 0.4)).unwrap();
    let frame = w.add(Body::dynamic(frame).moving(at(0.3, 0.1), 0.5 * Vec3::Z)).unwrap();
    let mut wheel = |x: f64, r: f64, spin: f64| {
        let mass = MassProperties::from_diagonal(1.0, Vec3::splat(0.02)).unwrap();
        let speed = at(0.3, 0.1) + 0.5 * Vec3::Z.cross(x * Vec3::X);
        let rotor = w.add(Body::dynamic(mass).at(x * Vec3::X).moving(speed, spin * Vec3::Z)).unwrap();
        w.add(Hinge::between(rotor, frame).at(x * Vec3::X).axis(Vec3::Z)).unwrap();
        (rotor, Sheave::on(rotor, x * Vec3::X, Vec3::Z, r).no_slip())
    };
    // Against the frame, which turns by 0.5 rad/s, they turn by 4 and 8 rad/s.
    let ((a, large), (b, small)) = (wheel(-0.4, 0.2, 4.5), wheel(0.4, 0.1, 8.5));
    let belt = w.add(Rope::endless().round(large.about()).round(small.about())).unwrap();
    let all = [frame, a, b];
    let momentum = |w: &World| {
        all.iter().map(|&id| w.body(id).unwrap()).fold((Vec3::ZERO, Vec3::ZERO), |sum, b| {
            (sum.0 + b.momentum(), sum.1 + b.position().cross(b.momentum()) + b.angular_momentum())
        })
    };
    let (first, length) = (momentum(&w), w.rope(belt).unwrap().length());
    let start = w.energy().unwrap().total();
    let mut worst = [0.0_f64; 3];
    for _ in 0..1000 {
        w.step(0.01).unwrap();
        let now = momentum(&w);
        worst[0] = worst[0].max((now.0 - first.0).length() + (now.1 - first.1).length());
        worst[1] = worst[1].max((w.energy().unwrap().total() / start - 1.0).abs());
        worst[2] = worst[2].max((w.rope(belt).unwrap().length() - length).abs());
    }
    println!("momentum {:.1e}, energy {:.1e}, length {:.1e} m", worst[0], worst[1], worst[2]);
    // The rows of hinges and belt are of second order in the step on a frame that turns; the closing of their gaps is in the momentum.
    assert!(worst[0] < 1e-4 && worst[1] < 1e-4 && worst[2] < 1e-12, "{worst:?}");
}

#[test]
fn a_body_goes_round_evenly_with_the_rope() {
    // Without gravity and drive: all goes on at its speed. What a boarding takes is of second order in the step.
    for (h, within) in [(0.001, 5e-4), (0.01, 1e-2), (1.0 / 60.0, 2e-2), (0.1, 0.25)] {
        let plan = Plan { gravity: 0.0, driven: false, pull: 100.0, ..PLAN };
        let mut lift = Lift::new(plan, &[2.0]);
        let start = lift.w.energy().unwrap().kinetic;
        let time = 3.0 * lift.ring();
        let run = run(&mut lift, h, time);
        let lost = 1.0 - lift.w.energy().unwrap().kinetic / start;
        println!(
            "h {h:.4}: {} on, {} off, longer {:.1e} m, lost {lost:.1e}, off the way {:.1e} m, ledger {:.1e}",
            run.boarded, run.left, run.longer, run.off, run.imbalance
        );
        // With 0.2 rad of the wheel in a step it has become slower by the last one.
        let most = if h < 0.1 { (6, 6) } else { (6, 5) };
        assert_eq!((run.boarded, run.left), most, "h {h}");
        assert!(run.longer < 1e-9 && run.imbalance < 1e-9, "{run:?}");
        assert!(lost.abs() < within, "h {h}: {lost}");
    }
}

#[test]
fn a_car_is_lifted_with_its_weight_at_every_step_and_mass() {
    for h in [0.001, 0.01, 1.0 / 60.0, 0.1] {
        for car in [1.0, 1e2, 1e4, 1e6] {
            let plan = Plan { car, rotor: 1.0, pull: 20.0 * car, stiffness: Some(1e5 * car), ..PLAN };
            let mut lift = Lift::new(plan, &[1.0]);
            let mut differences = Vec::new();
            let mut all = Run::default();
            let time = 2.0 * lift.ring();
            let steps = (time / h).round() as usize;
            let length = lift.length();
            for _ in 0..steps {
                let report = lift.w.step(h).unwrap();
                all.boarded += report.events.iter().filter(|e| matches!(e, Event::GripBoarded { .. })).count();
                all.left += report.events.iter().filter(|e| matches!(e, Event::GripLeft { .. })).count();
                all.imbalance = all.imbalance.max(report.ledger.imbalance.abs() / report.energy.total().abs().max(1.0));
                all.longer = all.longer.max((lift.length() - length).abs());
                let p = lift.place(0);
                let rope = lift.w.rope(lift.rope).unwrap();
                if p.x > 0.0 && p.y > 1.5 && p.y < 3.5 {
                    // Above the car the rope carries it too.
                    let t: Vec<f64> = rope.tensions().collect();
                    differences.push(t.windows(2).map(|t| (t[1] - t[0]).abs()).fold(0.0, f64::max));
                }
            }
            let mean = differences.iter().sum::<f64>() / differences.len() as f64 / (car * 9.81);
            let spread = differences.iter().fold(0.0_f64, |m, d| m.max((d / (car * 9.81) - 1.0).abs()));
            println!(
                "h {h:.4}, {car:.0e}: {mean:.6} m g, {spread:.1e} spread, {} on, {} off, longer {:.1e}, ledger {:.1e}",
                all.boarded, all.left, all.longer, all.imbalance
            );
            assert_eq!((all.boarded, all.left), (4, 4), "h {h}, car {car}");
            assert!((mean - 1.0).abs() < 0.01, "h {h}, car {car}: {mean}");
            assert!(all.longer < 1e-9 && all.imbalance < 1e-9, "{all:?}");
        }
    }
}

#[test]
fn cars_pass_the_wheels_the_other_way_round_too() {
    for h in [0.001, 0.01, 1.0 / 60.0, 0.1] {
        let mut lift = Lift::new(Plan { speed: -1.0, ..PLAN }, &[1.0, 4.0, 7.5]);
        let time = 1.5 * lift.ring();
        let run = run(&mut lift, h, time);
        println!(
            "h {h:.4}: {} on, {} off, longer {:.1e} m, off the way {:.1e} m",
            run.boarded, run.left, run.longer, run.off
        );
        assert!(run.boarded >= 8 && run.boarded - run.left <= 2, "{run:?}");
        assert!(run.longer < 1e-9 && run.imbalance < 1e-9, "{run:?}");
        assert!(run.off < 0.05, "{run:?}");
    }
}

#[test]
fn a_lift_stands_and_turns_back_with_cars_on_the_rim() {
    for h in [0.001, 0.01, 1.0 / 60.0, 0.1] {
        let mut lift = Lift::new(PLAN, &[3.0, 3.4, 3.8]);
        let (length, rate) = (lift.length(), lift.drive);
        let start: Vec<Vec3> = (0..3).map(|k| lift.place(k)).collect();
        // Up until all three are on the upper wheel, stand, on until one has left, stand, and all the way back.
        let (mut went, mut rode, mut worst) = (0.0, 0, 0.0_f64);
        let mut events = [0; 2];
        for (speed, time) in [(1.0, 2.05), (0.0, 2.0), (1.0, 0.8), (0.0, 1.0), (-1.0, 2.85), (0.0, 3.0)] {
            lift.w.set_motor(rate, Command::rate(speed / lift.r)).unwrap();
            for _ in 0..f64::round(time / h) as usize {
                let report = lift.w.step(h).unwrap();
                assert!(report.ledger.imbalance.abs() < 1e-9 * report.energy.total().abs().max(1.0));
                events[0] += report.events.iter().filter(|e| matches!(e, Event::GripBoarded { .. })).count();
                events[1] += report.events.iter().filter(|e| matches!(e, Event::GripLeft { .. })).count();
                worst = worst.max((lift.length() - length).abs());
            }
            went += speed * time;
            rode = rode.max(lift.w.rope(lift.rope).unwrap().riding().count());
        }
        let off = (0..3).map(|k| lift.place(k).distance(start[k])).fold(0.0, f64::max);
        println!(
            "h {h:.4}: {rode} on the rim, {events:?} on and off, {off:.1e} m from the start, longer {worst:.1e} m"
        );
        assert!(went.abs() < 1e-9 && rode == 3, "{went} {rode}");
        assert_eq!(events[0], events[1]);
        // What is left is the swinging after the stop, the last step of the motor and the creep of the grips.
        assert!(off < 0.02 + 2.0 * h, "h {h}: {off}");
        assert!(worst < 1e-9);
    }
}

#[test]
fn a_snapshot_on_the_rim_repeats_bit_for_bit() {
    let mut lift = Lift::new(PLAN, &[1.0, 3.0, 7.5]);
    let begin = lift.w.state().clone();
    let hashes = |w: &mut World, n: usize| -> Vec<u64> {
        (0..n)
            .map(|_| {
                w.step(0.01).unwrap();
                w.state().hash()
            })
            .collect()
    };
    let all = hashes(&mut lift.w, 1500);
    lift.w.restore(&begin).unwrap();
    assert_eq!(hashes(&mut lift.w, 1500), all, "from before the first boarding, which was long ago");
    lift.w.restore(&begin).unwrap();
    let mut at = 0;
    while lift.w.rope(lift.rope).unwrap().riding().count() == 0 {
        lift.w.step(0.01).unwrap();
        at += 1;
    }
    lift.w.step(0.01).unwrap();
    let (kept, bytes) = (lift.w.state().clone(), lift.w.state().to_bytes());
    assert_eq!(taut::State::from_bytes(&bytes).unwrap(), kept);
    hashes(&mut lift.w, 700);
    lift.w.restore(&kept).unwrap();
    assert_eq!(hashes(&mut lift.w, 700), all[at + 1..at + 701]);
    // Another world that was built in the same way goes on from there.
    let mut other = Lift::new(PLAN, &[1.0, 3.0, 7.5]);
    other.w.restore(&taut::State::from_bytes(&bytes).unwrap()).unwrap();
    assert_eq!(hashes(&mut other.w, 700), all[at + 1..at + 701]);
}

#[test]
fn a_rope_is_added_again_with_a_grip_on_the_rim() {
    let mut lift = Lift::new(PLAN, &[2.0, 3.5]);
    while lift.w.rope(lift.rope).unwrap().riding().count() == 0 {
        lift.w.step(0.01).unwrap();
    }
    let mut twin = lift.w.clone();
    let view = lift.w.rope(lift.rope).unwrap();
    let (memory, way, length) = (view.memory(), view.order(), view.length());
    assert_eq!(way, [0, 1, 3, 2], "the second car comes behind the upper wheel");
    let places: Vec<Vec3> = lift.rotors.iter().map(|&r| lift.w.body(r).unwrap().position()).collect();
    let wheel = |k: usize| Sheave::on(lift.rotors[k], places[k], Vec3::Z, lift.r).no_slip().about();
    let (a, b) = (lift.place(0), lift.place(1));
    let again = Rope::endless().round(wheel(0)).grip(lift.cars[0], a).round(wheel(1)).grip(lift.cars[1], b);
    lift.w.remove(lift.rope).unwrap();
    let again = lift.w.add(again.stiffness(1e6).named("rope").remembering(memory)).unwrap();
    assert_eq!(lift.w.rope(again).unwrap().riding().count(), 1);
    assert!((lift.w.rope(again).unwrap().length() - length).abs() < 1e-12);
    for _ in 0..600 {
        lift.w.step(0.01).unwrap();
        twin.step(0.01).unwrap();
    }
    let off = lift.cars.iter().map(|&c| lift.w.body(c).unwrap().position().distance(twin.body(c).unwrap().position()));
    assert!(off.fold(0.0, f64::max) < 1e-9);
}

#[test]
fn parts_are_removed_with_a_car_on_the_rim() {
    let on_rim = || {
        let mut lift = Lift::new(PLAN, &[2.0, 3.5, 7.0]);
        while lift.w.rope(lift.rope).unwrap().riding().count() == 0 {
            lift.w.step(0.01).unwrap();
        }
        lift
    };
    // The car that rides: the rope goes on without it, as long as before.
    let mut lift = on_rim();
    let length = lift.length();
    lift.w.remove(lift.cars[1]).unwrap();
    assert!((lift.length() - length).abs() < 1e-12);
    assert_eq!(lift.w.rope(lift.rope).unwrap().riding().count(), 0);
    let mut left = 0;
    for _ in 0..1500 {
        left += lift.w.step(0.01).unwrap().events.iter().filter(|e| matches!(e, Event::GripLeft { .. })).count();
    }
    assert!(left >= 4, "the others still pass: {left}");
    assert!((lift.length() - length).abs() < 1e-12);
    // One that does not ride.
    let mut lift = on_rim();
    lift.w.remove(lift.cars[0]).unwrap();
    let count = |l: &Lift| l.w.rope(l.rope).unwrap().guides().filter(|g| g.is_grip).count();
    assert_eq!((count(&lift), lift.w.rope(lift.rope).unwrap().riding().count()), (1, 1));
    assert!((lift.length() - length).abs() < 1e-12);
    (0..1500).for_each(|_| drop(lift.w.step(0.01).unwrap()));
    assert!((lift.length() - length).abs() < 1e-12);
    // The wheel that it rides on: the rope goes with it, the cars fall.
    let mut lift = on_rim();
    lift.w.remove(lift.rotors[1]).unwrap();
    assert!(lift.w.rope(lift.rope).is_err());
    (0..100).for_each(|_| drop(lift.w.step(0.01).unwrap()));
    for &car in &lift.cars {
        assert!(lift.w.body(car).unwrap().velocity().y < -8.0);
    }
    // The rope.
    let mut lift = on_rim();
    lift.w.remove(lift.rope).unwrap();
    (0..100).for_each(|_| drop(lift.w.step(0.01).unwrap()));
    assert!(lift.cars.iter().all(|&c| lift.w.body(c).unwrap().velocity().y < -8.0));
    assert_eq!(lift.w.joints().count(), 2, "the axles alone");
}

#[test]
fn a_lift_runs_on_when_it_is_knocked() {
    let mut lift = Lift::new(Plan { car: 20.0, ..PLAN }, &[0.7, 2.4, 4.1, 7.2, 8.9, 10.6]);
    let (length, h) = (lift.length(), 1.0 / 60.0);
    let mut seed = 7_u64;
    let mut draw = || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 11) as f64 / (1u64 << 53) as f64 - 0.5
    };
    let (mut on, mut off, mut worst) = (0, 0, 0.0_f64);
    for k in 0..3600 {
        if k % 60 == 30 {
            let car = lift.cars[(k / 60) % 6];
            let (push, place) = (40.0 * Vec3::new(draw(), draw(), 0.2 * draw()), lift.place((k / 60) % 6));
            lift.w.apply_impulse(car, push, place).unwrap();
        }
        let report = lift.w.step(h).unwrap();
        assert!(report.ledger.imbalance.abs() < 1e-9 * report.energy.total().abs().max(1.0));
        on += report.events.iter().filter(|e| matches!(e, Event::GripBoarded { .. })).count();
        off += report.events.iter().filter(|e| matches!(e, Event::GripLeft { .. })).count();
        for c in 0..6 {
            let p = lift.place(c);
            worst = worst.max((p - at(0.0, p.y.clamp(0.0, lift.high))).length() - lift.r);
        }
    }
    let riding = lift.w.rope(lift.rope).unwrap().riding().count();
    println!(
        "{on} on, {off} off, {riding} on a rim, up to {worst:.2} m off the way, longer {:.1e} m",
        lift.length() - length
    );
    // 60 m of 13.14 m round, two wheels each, six cars: 54 times.
    assert!(on >= 48 && on - off == riding, "{on} {off}");
    assert!(worst < 2.0 && (lift.length() - length).abs() < 1e-9);
}

#[test]
fn grips_on_an_open_rope_pass_its_wheels_and_stop_at_others() {
    // Up over a rotor and down: the grip of the lighter load rises over it.
    let build = |slips: bool| {
        let mut w = World::new();
        let mass = MassProperties::from_diagonal(5.0, Vec3::splat(0.3)).unwrap();
        let rotor = w.add(Body::dynamic(mass)).unwrap();
        w.add(Hinge::between(rotor, w.ground()).axis(Vec3::Z)).unwrap();
        let (low, high) = (at(-0.5, -6.0), at(0.5, -1.0));
        let light = w.add(Body::particle(5.0).at(low)).unwrap();
        let knot = w.add(Body::particle(1.0).at(at(-0.5, -2.0))).unwrap();
        let heavy = w.add(Body::particle(8.0).at(high)).unwrap();
        let sheave = Sheave::on(rotor, Vec3::ZERO, Vec3::Z, 0.5);
        let sheave = if slips { sheave.friction(5.0) } else { sheave.no_slip() };
        let rope = Rope::from(light, low).grip(knot, at(-0.5, -2.0)).round(sheave.against()).to(heavy, high);
        let rope = w.add(rope).unwrap();
        (w, rope, knot)
    };
    let (mut w, rope, knot) = build(false);
    let length = w.rope(rope).unwrap().length();
    let mut seen = Vec::new();
    while w.time() < 3.5 {
        for e in w.step(0.005).unwrap().events {
            match e {
                Event::GripBoarded { guide, wheel, .. } => seen.push((true, guide, wheel)),
                Event::GripLeft { guide, wheel, .. } => seen.push((false, guide, wheel)),
                _ => {}
            }
        }
        if w.body(knot).unwrap().position().y < -1.5 && !seen.is_empty() {
            break;
        }
    }
    assert_eq!(seen, [(true, 1, 2), (false, 1, 2)]);
    assert!(w.body(knot).unwrap().position().x > 0.4, "down on the other side");
    assert!((w.rope(rope).unwrap().length() - length).abs() < 1e-12);
    // A sheave with friction alone does not let it pass: all stops there.
    let (mut w, rope, knot) = build(true);
    let mut blocked = 0;
    for _ in 0..800 {
        blocked += w.step(0.005).unwrap().events.iter().filter(|e| matches!(e, Event::TwoBlocked { .. })).count();
    }
    assert!(blocked > 0 && w.body(knot).unwrap().position().x < 0.0);
    assert!((w.rope(rope).unwrap().length() - length).abs() < 1e-9);
}

#[test]
fn a_small_step_and_a_large_one_may_follow_each_other() {
    // A step that is a hundred times as long as the last one comes past the tangent point.
    let mut lift = Lift::new(Plan { gravity: 0.0, driven: true, pull: 5000.0, ..PLAN }, &[2.0]);
    let length = lift.length();
    let mut events = [0; 2];
    let mut k = 0;
    while lift.w.time() < 3.0 * lift.ring() {
        let h = if k % 13 < 10 { 0.001 } else { 0.1 };
        let report = lift.w.step(h).unwrap();
        events[0] += report.events.iter().filter(|e| matches!(e, Event::GripBoarded { .. })).count();
        events[1] += report.events.iter().filter(|e| matches!(e, Event::GripLeft { .. })).count();
        k += 1;
    }
    let speed = lift.w.body(lift.cars[0]).unwrap().velocity().length();
    println!("{events:?}, {speed:.4} m/s, longer {:.1e} m", lift.length() - length);
    assert_eq!(events, [6, 6]);
    assert!((speed - 1.0).abs() < 0.02 && (lift.length() - length).abs() < 1e-9);
}

#[test]
fn what_makes_no_endless_rope_is_refused_by_name() {
    let mut w = World::new();
    let ground = w.ground();
    let rotor = w.add(Body::dynamic(MassProperties::from_diagonal(1.0, Vec3::ONE).unwrap())).unwrap();
    let other = w.add(Body::dynamic(MassProperties::from_diagonal(1.0, Vec3::ONE).unwrap()).at(5.0 * Vec3::X)).unwrap();
    let bead = w.add(Body::particle(1.0).at(at(2.0, -0.5))).unwrap();
    let a = Sheave::on(rotor, Vec3::ZERO, Vec3::Z, 0.5);
    let b = Sheave::on(other, 5.0 * Vec3::X, Vec3::Z, 0.5);
    let on = at(2.0, -0.5);
    let cases: Vec<(Reeving, &str)> = vec![
        (Rope::endless(), "guides of the endless rope"),
        (Rope::endless().round(a.no_slip().about()), "guides of the endless rope"),
        (Rope::endless().round(a.about()).round(b.about()), "all let it slip"),
        (Rope::endless().round(a.friction(0.3).about()).round(b.friction(0.3).about()), "all let it slip"),
        // The same wheel twice, one in the other, and crossed where they overlap.
        (Rope::endless().round(a.no_slip().about()).round(a.about()), "way of the rope between guides 0 and 1"),
        (Rope::endless().round(a.no_slip().about()).round(Sheave { radius: 0.1, ..a }.about()), "way of the rope"),
        (
            Rope::endless().round(a.no_slip().about()).round(Sheave { centre: 0.7 * Vec3::X, ..b }.against()),
            "way of the rope between guides 0 and 1",
        ),
        // Grips at one place, in a wheel, beside their particle, at an end, with winding.
        (
            Rope::endless().round(a.no_slip().about()).grip(bead, on).grip(ground, on).round(b.about()),
            "between guides 1 and 2",
        ),
        (
            Rope::endless().round(a.no_slip().about()).grip(ground, at(0.1, 0.0)).round(b.about()),
            "between guides 0 and 1",
        ),
        (Rope::endless().round(a.no_slip().about()).grip(bead, 2.0 * on).round(b.about()), "point of guide 1"),
        (Rope::endless().round(a.no_slip().about()).grip(bead, at(f64::NAN, 0.0)).round(b.about()), "point of guide 1"),
        (Rope::from(ground, Vec3::Y).grip(bead, on), "a grip at its end"),
        (Rope::endless().round(b.about()).round(a.no_slip().stored(3.0).about()), "winding of guide 1"),
        (Rope::endless().round(a.no_slip().about()).round(b.about()).slack(-100.0), "slack of the rope"),
    ];
    let (edition, joints) = (w.state().clone(), w.joints().count());
    for (rope, name) in cases {
        let error = w.add(rope.clone()).expect_err(name).to_string();
        assert!(error.contains(name), "{error}: expected {name}");
    }
    assert_eq!((w.state(), w.joints().count()), (&edition, joints), "nothing is left half done");
    // It has no ends, and one with grips is not parted.
    let belt = w.add(Rope::endless().round(a.no_slip().about()).round(b.about())).unwrap();
    let tram = w.add(Rope::from(ground, at(-5.0, 1.0)).grip(bead, on).to(ground, at(5.0, 1.0))).unwrap();
    for rope in [belt, tram] {
        let error = w.cut_rope(rope, 1.0).unwrap_err().to_string();
        assert!(error.contains("without grips"), "{error}");
        assert!(w.release_rope(taut::RopeEnd::first_of(rope)).is_err());
        assert!(w.attach_rope(taut::RopeEnd::last_of(rope), ground, on).is_err());
        w.remove(rope).unwrap();
    }
    // A grip on the wheel itself does not ride on it, one wheel and a knot are a ring, and so is a loop with a knot alone.
    let knot = at(0.5, -3.0);
    let knotted = Rope::endless().round(a.no_slip().about()).grip(bead, on).grip(rotor, knot);
    let ring = w.add(knotted).unwrap();
    w.step(0.01).unwrap();
    w.remove(ring).unwrap();
    let loops = Rope::endless().grip(bead, w.body(bead).unwrap().position()).round(a.about()).through(ground, knot);
    let ring = w.add(loops).unwrap();
    assert!(w.rope(ring).unwrap().is_closed());
    (0..200).for_each(|_| drop(w.step(0.01).unwrap()));
    w.remove(bead).unwrap();
    assert!(w.rope(ring).is_err(), "a ring that was opened at its knot goes with it");
    w.step(0.01).unwrap();
}

#[test]
fn a_single_wheel_stops_the_grip_that_it_cannot_pass() {
    // The rope cannot lead from the wheel to itself.
    let mut w = World::new();
    let rotor = w.add(Body::dynamic(MassProperties::from_diagonal(1.0, Vec3::ONE).unwrap())).unwrap();
    let hinge = w.add(Hinge::between(rotor, w.ground()).axis(Vec3::Z).motor(Motor::rate())).unwrap();
    let load = w.add(Body::particle(10.0).at(at(0.0, -3.0))).unwrap();
    let wheel = Sheave::on(rotor, Vec3::ZERO, Vec3::Z, 0.5).no_slip();
    let ring = w.add(Rope::endless().round(wheel.about()).grip(load, at(0.0, -3.0))).unwrap();
    let length = w.rope(ring).unwrap().length();
    w.set_force_range(hinge, -10.0, 10.0).unwrap();
    w.set_motor(hinge, Command::rate(1.0)).unwrap();
    for _ in 0..2000 {
        let report = w.step(0.01).unwrap();
        assert!(report.events.iter().all(|e| !matches!(e, Event::GripBoarded { .. })));
    }
    assert!((w.rope(ring).unwrap().length() - length).abs() < 1e-9);
    assert!(w.body(load).unwrap().position().length() < 4.0);
}
