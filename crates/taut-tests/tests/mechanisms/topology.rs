//! Changes of structure between and within steps: what is cut, attached and broken, with the bits of a world that is laid out anew.

use taut::{
    Ball, Body, BodyId, Distance, Error, Event, JointId, MassProperties, Options, Result, Rope, Softness, State,
    StepReport, Strength, Vec3, World,
};

const STEP: f64 = 0.01;
/// More than the bodies of a world from which on cut joints stay as dead pivots.
const LARGE: usize = 400;

/// A chain of rigid links that hangs from the ground and leans to the side.
fn chain(links: usize, particles: bool) -> Result<(World, Vec<BodyId>, Vec<JointId>)> {
    let mut world = World::new();
    let link = MassProperties::cuboid(1000.0, Vec3::new(0.02, 0.1, 0.02))?.with_mass(0.2)?;
    let (mut above, mut top, lean) = (world.ground(), Vec3::ZERO, Vec3::new(0.012, -0.2, 0.003));
    let (mut bodies, mut joints) = (Vec::new(), Vec::new());
    for _ in 0..links {
        let next = top + lean;
        let body = if particles { Body::particle(0.2).at(next) } else { Body::dynamic(link).at(0.5 * (top + next)) };
        let body = world.add(body)?;
        let joint = if particles { Distance::between(body, above) } else { Ball::between(body, above).at(top) };
        joints.push(world.add(joint)?);
        bodies.push(body);
        (above, top) = (body, next);
    }
    Ok((world, bodies, joints))
}

/// Steps a chain with cuts beside worlds that were built and cut in the same way and are laid out for one step only.
fn run_both(particles: bool, cuts: &[(usize, usize)], steps: usize) -> Result<()> {
    let (mut world, _, joints) = chain(LARGE, particles)?;
    let mut before: Vec<(State, usize)> = Vec::new();
    for step in 0..steps {
        for &(_, at) in cuts.iter().filter(|c| c.0 == step) {
            before.push((world.state().clone(), at));
            world.remove(joints[at])?;
        }
        let (mut anew, _, same) = chain(LARGE, particles)?;
        for (state, at) in &before {
            anew.restore(state)?;
            anew.remove(same[*at])?;
        }
        anew.restore(world.state())?;
        world.step(STEP)?;
        anew.step(STEP)?;
        assert_eq!(world.state().hash(), anew.state().hash(), "step {step}");
    }
    Ok(())
}

#[test]
fn a_cut_layout_gives_the_bits_of_one_that_is_made_anew() -> Result<()> {
    for particles in [false, true] {
        run_both(particles, &[(3, 100), (3, 50), (5, 300), (17, 0), (18, 399)], 40)?;
    }
    Ok(())
}

#[test]
fn a_snapshot_within_the_life_of_a_dead_pivot_repeats_bit_for_bit() -> Result<()> {
    let (mut world, _, joints) = chain(LARGE, false)?;
    (0..3).try_for_each(|_| world.step(STEP).map(drop))?;
    world.remove(joints[200])?;
    world.step(STEP)?;
    let start = world.state().clone();
    (0..30).try_for_each(|_| world.step(STEP).map(drop))?;
    let first = world.state().hash();
    world.restore(&start)?;
    (0..30).try_for_each(|_| world.step(STEP).map(drop))?;
    assert_eq!(world.state().hash(), first);
    Ok(())
}

#[test]
fn what_is_cut_off_falls_freely_from_the_next_step_on() -> Result<()> {
    for particles in [false, true] {
        let (mut world, bodies, joints) = chain(LARGE, particles)?;
        (0..5).try_for_each(|_| world.step(STEP).map(drop))?;
        let momentum = |w: &World| -> Result<Vec3> {
            bodies[250..].iter().try_fold(Vec3::ZERO, |p, &b| Ok(p + 0.2 * w.body(b)?.velocity()))
        };
        world.remove(joints[250])?;
        for _ in 0..20 {
            let before = momentum(&world)?;
            let report = world.step(STEP)?;
            let weight = 0.2 * 150.0 * 9.81 * STEP;
            let gained = momentum(&world)? - before + weight * Vec3::Y;
            assert!(gained.length() < 1e-9 * weight.max(before.length()), "{gained}");
            let l = report.ledger;
            assert!(l.imbalance.abs() < 1e-9 * (report.energy.kinetic.abs() + weight), "{l:?}");
        }
    }
    Ok(())
}

#[test]
fn removing_twice_is_an_error_with_a_name() -> Result<()> {
    let (mut world, bodies, joints) = chain(LARGE, false)?;
    world.step(STEP)?;
    world.remove(joints[7])?;
    assert!(matches!(world.remove(joints[7]), Err(Error::Handle { what: "joint", .. })));
    assert!(matches!(world.joint(joints[7]).map(drop), Err(Error::Handle { .. })));
    world.remove(bodies[9])?;
    assert!(matches!(world.remove(bodies[9]), Err(Error::Handle { what: "body", .. })));
    // With the body its joints went.
    assert!(world.remove(joints[9]).is_err() && world.remove(joints[10]).is_err());
    world.step(STEP)?;
    Ok(())
}

/// Random numbers, the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }
}

#[test]
fn a_thousand_random_edits_with_snapshots_in_between_gain_no_energy() -> Result<()> {
    let (mut world, bodies, joints) = chain(LARGE, false)?;
    let mut held: Vec<Option<JointId>> = joints.into_iter().map(Some).collect();
    let (mut random, mut saved, mut loose) = (Random(3), None, Vec::new());
    let mut energy = world.energy()?.total();
    let size = 0.2 * 9.81 * 0.2 * (LARGE * LARGE) as f64;
    for edit in 0..1000 {
        let at = random.below(bodies.len());
        match random.below(6) {
            0..=2 => {
                if let Some(joint) = held[at].take() {
                    world.remove(joint)?;
                }
            }
            3 | 4 => {
                if let Some(k) = (0..held.len()).map(|k| (at + k) % held.len()).find(|&k| held[k].is_none()) {
                    let above = if k == 0 { world.ground() } else { bodies[k - 1] };
                    let top = world.body(bodies[k])?.pose().to_world(0.1 * Vec3::Y);
                    held[k] = Some(world.add(Ball::between(bodies[k], above).at(top))?);
                }
            }
            _ if loose.len() > 3 => world.remove(loose.swap_remove(0))?,
            _ => loose.push(world.add(Body::particle(1e3).at(Vec3::new(50.0, 0.0, edit as f64)))?),
        }
        if let Some(old) = saved.take_if(|_| edit % 7 == 0) {
            // A snapshot of another structure is refused by name and changes nothing.
            let before = world.state().clone();
            assert!(world.restore(&old).is_err());
            assert_eq!(world.state(), &before);
        }
        let before = world.state().clone();
        let start = world.energy()?.total();
        world.step(STEP)?;
        let after = world.state().hash();
        world.restore(&before)?;
        world.step(STEP)?;
        assert_eq!(world.state().hash(), after, "edit {edit}");
        energy = world.energy()?.total();
        assert!(energy.is_finite() && energy - start < 1e-4 * size, "edit {edit}: {start} to {energy}");
        saved = saved.or(Some(before));
    }
    assert!(energy.is_finite());
    Ok(())
}

#[test]
fn heavy_bodies_in_motion_are_attached_to_light_ones() -> Result<()> {
    for ratio in [1.0, 1e3, 1e6] {
        let mut world = World::new();
        let light =
            world.add(Body::dynamic(MassProperties::sphere(1000.0, 0.06)?.with_mass(1.0)?).moving(Vec3::X, Vec3::Z))?;
        let heavy = MassProperties::sphere(1000.0, 0.5)?.with_mass(ratio)?;
        let heavy = world.add(Body::dynamic(heavy).at(2.0 * Vec3::X).moving(-3.0 * Vec3::Y, Vec3::ZERO))?;
        (0..10).try_for_each(|_| world.step(STEP).map(drop))?;
        let before = world.energy()?.total();
        let joint = world.add(Ball::between(light, heavy).at(Vec3::X))?;
        for _ in 0..100 {
            world.step(STEP)?;
        }
        let after = world.energy()?.total();
        assert!(after <= before + 1e-3 * before.abs(), "ratio {ratio}: {before} to {after}");
        world.remove(joint)?;
        world.step(STEP)?;
        assert!((world.energy()?.total() - after).abs() <= 1e-3 * after.abs(), "ratio {ratio}");
    }
    Ok(())
}

#[test]
fn a_joint_that_is_cut_wakes_what_slept_on_it() -> Result<()> {
    use taut::{Collider, Shape};
    let mut world = World::new();
    let floor = Collider::new(Shape::cuboid(Vec3::new(5.0, 1.0, 5.0))).at(-Vec3::Y).on(world.ground());
    world.add(floor)?;
    let cube = MassProperties::cuboid(1000.0, Vec3::splat(0.1))?;
    let box_at = |w: &mut World, at: Vec3| {
        w.add(Body::dynamic(cube).at(at).collider(Collider::new(Shape::cuboid(Vec3::splat(0.1)))))
    };
    let (a, b) = (box_at(&mut world, Vec3::new(0.0, 0.1, 0.0))?, box_at(&mut world, Vec3::new(0.5, 0.1, 0.0))?);
    let joint = world.add(Ball::between(a, b).at(Vec3::new(0.25, 0.1, 0.0)))?;
    for _ in 0..300 {
        world.step(STEP)?;
    }
    assert!(world.is_asleep(a)? && world.is_asleep(b)?);
    world.remove(joint)?;
    assert!(!world.is_asleep(a)? && !world.is_asleep(b)?);
    assert!(world.remove(joint).is_err());
    world.remove(a)?;
    for _ in 0..300 {
        world.step(STEP)?;
    }
    assert!(world.is_asleep(b)?);
    Ok(())
}

#[test]
fn a_rope_still_holds_when_others_are_cut() -> Result<()> {
    let mut world = World::new();
    let load = world.add(Body::particle(10.0).at(-Vec3::Y))?;
    let anchors = [-1.0, 0.0, 1.0].map(|x| Vec3::new(x, 0.0, 0.0));
    let ground = world.ground();
    let ropes = anchors.map(|p| world.add(Rope::between(load, ground).ends(-Vec3::Y, p)));
    let [left, middle, right] = ropes;
    let (left, right) = (left?, right?);
    (0..50).try_for_each(|_| world.step(STEP).map(drop))?;
    world.remove(left)?;
    world.remove(right)?;
    (0..50).try_for_each(|_| world.step(STEP).map(drop))?;
    assert!((world.joint(middle?)?.tension() - 98.1).abs() < 1e-6);
    Ok(())
}

/// Length of a step at sixty a second, s.
const FRAME: f64 = 1.0 / 60.0;

/// A load of 100 kg that falls at 4.43 m/s below the ground, without gravity.
fn falling() -> Result<(World, BodyId)> {
    let mut world = World::new();
    world.set_options(Options { gravity: Vec3::ZERO, ..Options::default() })?;
    let load = world.add(Body::particle(100.0).at(-Vec3::Y).moving(-4.43 * Vec3::Y, Vec3::ZERO))?;
    Ok((world, load))
}

fn broken(report: &StepReport) -> Vec<JointId> {
    let of = |e: &Event| if let Event::JointBroken { joint, .. } = e { Some(*joint) } else { None };
    report.events.iter().filter_map(of).collect()
}

/// The books close, and say that what the joint took from the load went with it.
fn closes(report: &StepReport, lost: f64) {
    let l = &report.ledger;
    assert!(l.imbalance.abs() < 1e-9 * lost.abs(), "{l:?}");
    assert!((l.broken + lost).abs() < 1e-9 * lost.abs() && (l.change + lost).abs() < 1e-9 * lost.abs(), "{l:?}");
    assert!(l.work.abs() < 1e-9 * lost.abs(), "{l:?}");
}

#[test]
fn a_rope_that_breaks_takes_no_more_momentum_than_it_can_carry() -> Result<()> {
    let left = 4.43 - 5000.0 / (60.0 * 100.0);
    let lost = 0.5 * 100.0 * (4.43 * 4.43 - left * left);
    for rod in [false, true] {
        let (mut world, load) = falling()?;
        let ground = world.ground();
        let joint = if rod { Distance::between(load, ground) } else { Rope::between(load, ground) };
        let joint = world.add(joint.strength(Strength::force(5000.0)))?;
        let report = world.step(FRAME)?;
        assert_eq!(broken(&report), [joint]);
        let v = world.body(load)?.velocity();
        assert!((v + left * Vec3::Y).length() < 1e-9, "{v}");
        closes(&report, lost);
        world.step(FRAME)?;
        assert!((world.body(load)?.velocity() + left * Vec3::Y).length() < 1e-9);
    }
    Ok(())
}

#[test]
fn ropes_that_break_one_after_the_other_break_in_one_step() -> Result<()> {
    // The stiff one carries all until it breaks; then the other one has to, and cannot either.
    let (mut world, load) = falling()?;
    let ground = world.ground();
    let soft = |c: f64| Softness::compliance(c);
    let weak = world.add(Distance::between(load, ground).linear(soft(1e-9)).strength(Strength::force(1000.0)))?;
    let strong = world.add(Distance::between(load, ground).linear(soft(1e-7)).strength(Strength::force(5000.0)))?;
    let report = world.step(FRAME)?;
    assert_eq!(broken(&report), [weak, strong]);
    let left = 4.43 - 6000.0 / (60.0 * 100.0);
    let v = world.body(load)?.velocity();
    assert!((v + left * Vec3::Y).length() < 1e-9, "{v}");
    assert!(report.ledger.imbalance.abs() < 1e-6, "{:?}", report.ledger);
    Ok(())
}

#[test]
fn a_step_that_fails_has_broken_nothing() -> Result<()> {
    let (mut world, load) = falling()?;
    let joint = world.add(Rope::between(load, world.ground()).strength(Strength::force(5000.0)))?;
    let other = world.add(Body::particle(1e-3).at(5.0 * Vec3::X))?;
    // More than a number can hold.
    world.apply_force(other, 1e308 * Vec3::X, 5.0 * Vec3::X)?;
    let before = world.state().clone();
    assert!(world.step(FRAME).is_err());
    assert!(world.joint(joint).is_ok());
    assert_eq!(world.state(), &before);
    Ok(())
}

#[test]
fn a_joint_of_rigid_bodies_breaks_at_its_force_and_keeps_the_momentum_of_both() -> Result<()> {
    let mut world = World::new();
    world.set_options(Options { gravity: Vec3::ZERO, ..Options::default() })?;
    let mass = MassProperties::cuboid(1000.0, Vec3::new(0.1, 0.2, 0.3))?;
    let a = world.add(Body::dynamic(mass).moving(Vec3::new(0.0, 5.0, 0.0), Vec3::ZERO))?;
    let b = world.add(Body::dynamic(mass).at(Vec3::X))?;
    world.add(Ball::between(a, b).at(0.5 * Vec3::X).strength(Strength::force(100.0)))?;
    let momentum = |w: &World| -> Result<(Vec3, Vec3)> {
        [a, b].iter().try_fold((Vec3::ZERO, Vec3::ZERO), |(p, l), &id| {
            let body = w.body(id)?;
            let (v, own) = (body.velocity(), body.mass_properties());
            let inertia = body.pose().rot.inverse() * body.angular_velocity();
            let spin = body.pose().rot * (own.inertia * inertia);
            Ok((p + own.mass * v, l + own.mass * body.position().cross(v) + spin))
        })
    };
    let (p, l) = momentum(&world)?;
    let report = world.step(FRAME)?;
    assert_eq!(broken(&report).len(), 1);
    let (after, spun) = momentum(&world)?;
    assert!((after - p).length() < 1e-9 * p.length(), "{p} {after}");
    // The impulse acts where the joint was before the step.
    assert!((spun - l).length() < 1e-2 * l.length().max(p.length()), "{l} {spun}");
    assert!(report.ledger.imbalance.abs() < 1e-9 * report.energy.kinetic, "{:?}", report.ledger);
    let slowed = 5.0 - world.body(a)?.velocity().length();
    assert!(slowed > 0.0 && slowed < 1.01 * 100.0 * FRAME / mass.mass);
    Ok(())
}

#[test]
fn joints_that_break_do_not_throw_a_light_body() -> Result<()> {
    // A ton tears a link of 10 g off its anchor: the link goes no faster than the ton, though the joints are of different strength.
    let mut world = World::new();
    world.set_options(Options { gravity: Vec3::ZERO, ..Options::default() })?;
    let link = world.add(Body::particle(0.01).at(Vec3::X))?;
    let heavy = world.add(Body::particle(1000.0).at(2.0 * Vec3::X).moving(10.0 * Vec3::X, Vec3::ZERO))?;
    world.add(Distance::between(link, world.ground()).strength(Strength::force(50.0)))?;
    world.add(Distance::between(heavy, link).strength(Strength::force(100.0)))?;
    let report = world.step(FRAME)?;
    assert_eq!(broken(&report).len(), 2);
    let speed = world.body(link)?.velocity().x;
    assert!((-1e-9..=10.0 + 1e-9).contains(&speed), "{speed}");
    assert!(report.energy.kinetic <= 5e4 * (1.0 + 1e-12) && report.ledger.imbalance.abs() < 1e-9 * 5e4, "{report:?}");
    Ok(())
}
