//! Many steps of many worlds of one kind.

use super::World;
use crate::abreast::{Abreast, Member};
use crate::error::Result;
use crate::math::lanes::LANES;

/// What is told after a step: number of the world, number of the step, the world.
type Watch<'a> = &'a mut dyn FnMut(usize, usize, &World);

/// Memory to step worlds side by side; one for each thread that does.
///
/// Worlds of one kind, such as copies with other masses, poses or loads, take their steps four at a time, a world in each lane of a
/// vector, where a step is that of one tree of rigid joints: balls, hinges, universal joints and welds, without colliders, springs,
/// limits and motors. All others are stepped one by one. Either way the bits are those of [`World::step`].
///
/// Four pendulums of different lengths.
/// ```
/// use taut::{Together, prelude::*};
/// let pendulum = |length: f64| -> Result<World> {
///     let mut world = World::new();
///     let bob = world.add(Body::solid(Shape::ball(0.1), 7800.0)?.at(length * Vec3::X))?;
///     world.add(Ball::between(bob, world.ground()).at(Vec3::ZERO))?;
///     Ok(world)
/// };
/// let mut worlds = [0.5, 1.0, 1.5, 2.0].map(|length| pendulum(length).unwrap());
/// let mut alone = pendulum(2.0)?;
/// for done in Together::default().step(&mut worlds.each_mut(), 0.01, 100) {
///     done?;
/// }
/// for _ in 0..100 {
///     alone.step(0.01)?;
/// }
/// assert_eq!(worlds[3].state().hash(), alone.state().hash());
/// # Ok::<(), taut::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Together {
    lanes: Abreast,
    /// Steps of single worlds that were taken side by side.
    shared: u64,
}

impl Together {
    /// How many worlds go side by side.
    pub const WORLDS: usize = LANES;

    /// Whether the steps of a world may go side by side with those of others of its kind, as it is made now.
    pub fn fits(world: &mut World) -> bool {
        world.may_go_abreast()
    }

    /// Takes so many steps of `h` seconds with every world. The results, in the order of the worlds, say whether a world has taken all of
    /// them; one that fails stays where it was before the step that failed, and the others go on.
    pub fn step(&mut self, worlds: &mut [&mut World], h: f64, steps: usize) -> Vec<Result<()>> {
        self.all(worlds, (h, steps), None)
    }

    /// The same; after each step of a world `after` is called with its number, that of the step, and the world.
    pub fn step_watched(
        &mut self,
        worlds: &mut [&mut World],
        h: f64,
        steps: usize,
        mut after: impl FnMut(usize, usize, &World),
    ) -> Vec<Result<()>> {
        self.all(worlds, (h, steps), Some(&mut after))
    }

    fn all(
        &mut self,
        worlds: &mut [&mut World],
        (h, steps): (f64, usize),
        mut after: Option<Watch<'_>>,
    ) -> Vec<Result<()>> {
        let mut done = Vec::with_capacity(worlds.len());
        for (four, worlds) in worlds.chunks_mut(LANES).enumerate() {
            let watched = after.is_some();
            let mut told = |k: usize, step: usize, world: &World| {
                if let Some(after) = &mut after {
                    after(LANES * four + k, step, world);
                }
            };
            let abreast = h.is_finite() && h > 0.0 && worlds.iter_mut().all(|w| w.may_go_abreast());
            match worlds {
                [a, b, c, d] if abreast => {
                    done.extend(self.four([a, b, c, d], (h, steps), watched, &mut told));
                }
                worlds => done.extend(
                    worlds
                        .iter_mut()
                        .enumerate()
                        .map(|(k, world)| (0..steps).try_for_each(|step| world.step(h).map(|_| told(k, step, world)))),
                ),
            }
        }
        done
    }

    /// Steps that were taken side by side, each world counted for itself.
    pub fn shared(&self) -> u64 {
        self.shared
    }

    /// Four worlds of which each may go side by side with others.
    fn four(
        &mut self,
        mut worlds: [&mut World; LANES],
        (h, steps): (f64, usize),
        watched: bool,
        after: Watch<'_>,
    ) -> [Result<()>; LANES] {
        let mut done = [const { Ok(()) }; LANES];
        let mut abreast = false;
        for step in 0..steps {
            abreast = abreast || (done.iter().all(Result::is_ok) && self.load(&worlds));
            let taken = if abreast { self.lanes.step(h) } else { [false; LANES] };
            let stored = abreast && (watched || step + 1 == steps || taken.contains(&false));
            for (k, world) in worlds.iter_mut().enumerate() {
                if done[k].is_err() {
                    continue;
                }
                if stored {
                    world.arrive_from(&self.lanes, k);
                }
                if taken[k] {
                    self.shared += 1;
                    world.unload();
                } else {
                    done[k] = world.step(h).map(|_| ());
                    abreast = false;
                }
            }
            for (k, world) in worlds.iter().enumerate().filter(|(k, _)| done[*k].is_ok()) {
                after(k, step, world);
            }
        }
        done
    }

    /// Takes the worlds into the lanes; false where they have to go alone.
    fn load(&mut self, worlds: &[&mut World; LANES]) -> bool {
        let [Some(a), Some(b), Some(c), Some(d)] = worlds.each_ref().map(|w| w.member()) else { return false };
        let fits = [&a, &b, &c, &d].into_iter().all(|w| w.is_plain() && w.is_like(&a));
        if fits {
            self.lanes.load([a, b, c, d]);
        }
        fits
    }
}

impl World {
    /// Lays the world out, and says whether its steps are such as may go side by side.
    fn may_go_abreast(&mut self) -> bool {
        // A layout that cannot be made is an error of the step.
        self.lay_out().is_ok() && self.member().is_some_and(|w| w.has_plain_layout())
    }

    /// As it is laid out.
    fn member(&self) -> Option<Member<'_>> {
        let layout = self.layout.as_deref().filter(|l| !l.stale && l.buried == 0)?;
        let (t, jointed) = (&layout.t, &layout.desk.factor.jointed);
        Some(Member { model: &self.model, plan: &self.plan, state: &self.state, t, jointed })
    }

    /// Takes over what a lane holds.
    fn arrive_from(&mut self, lanes: &Abreast, k: usize) {
        if let Some(layout) = self.layout.as_deref() {
            lanes.store(k, &layout.t, &mut self.state);
        }
    }
}
