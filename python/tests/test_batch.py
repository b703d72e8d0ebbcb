"""Many worlds at once."""

import copy
import gc
import signal
import threading

import numpy as np
import pytest

import taut
from conftest import chain


def test_a_batch_takes_the_steps_of_its_worlds():
    world = chain(5)
    batch = taut.Batch(world, 8)
    assert len(batch) == 8 and repr(batch) == "Batch of 8 worlds"
    batch[3].set_velocity(world.find_body("link 4"), (0, 1, 0))
    batch.step(0.01, steps=20)
    for _ in range(20):
        world.step(0.01)
    assert [h == world.hash for h in batch.hashes] == [k != 3 for k in range(8)]
    assert np.allclose(batch.times, 0.2)


def test_arrays_of_all_worlds_follow_without_copies():
    batch = taut.Batch(chain(3), 4)
    positions = batch.positions
    bodies = len(batch.body_ids())
    assert positions.shape == (4, bodies, 3) and batch.joint_gaps.shape == (4, 3)
    memory, own = positions.ctypes.data, batch[2].positions
    batch.step(0.01)
    assert batch.positions is positions and positions.ctypes.data == memory
    assert np.array_equal(positions[2], own) and np.array_equal(own[-1], batch[2].bodies()[-1].position)
    with pytest.raises(ValueError, match="read-only"):
        positions[0] = 0
    then = positions.copy()
    del batch
    gc.collect()
    assert np.array_equal(positions, then)


def test_threads_do_not_change_the_bits():
    hashes = []
    for threads in (1, 2, None):
        batch = taut.Batch(taut.scene("ragdoll"), 3, threads=threads)
        batch.step(steps=20)
        hashes.append(batch.hashes)
    assert hashes[0] == hashes[1] == hashes[2]


@pytest.mark.parametrize("make", [lambda: chain(6), lambda: taut.scene("ragdoll")], ids=["chain", "ragdoll"])
def test_worlds_of_a_batch_have_the_bits_of_worlds_alone(make):
    """Plain trees go side by side, others do not."""
    world, n, record = make(), 9, ["positions", "rotations", "joint_forces"]
    batch = taut.Batch(world, n)
    alone = [copy.copy(world) for _ in range(n)]
    ids = [b.id for b in world.bodies()]
    for round in range(3):
        for k in range(n):
            for w in (batch[k], alone[k]):
                w.set_velocity(ids[-1], (0.1 * k, round, 0.2), (0, 0, 0.3 * k))
        together = batch.rollout(15, 0.01, record=record)
        for k, w in enumerate(alone):
            for step in range(15):
                w.step(0.01)
                for name in record:
                    assert np.array_equal(together[name][k, step], getattr(w, name)), (round, k, step, name)
    assert batch.hashes == [w.hash for w in alone]
    assert batch.rollout(0, 0.01, record=record)["positions"].shape[:2] == (n, 0)
    assert batch.rollout(2, 0.01, record=[]) == {}


def test_parameters_and_states_differ():
    world = chain(2)
    tip = world.find_body("link 1")
    batch = taut.Batch(world, 3)
    for k, mass in enumerate((0.1, 1.0, 10.0)):
        batch[k].set_mass(tip, taut.MassProperties.from_diagonal(mass, (0.1, 0.1, 0.1)))
    shape = batch.positions.shape
    start = np.zeros(shape)
    start[1, -1] = (0, 0, 2)
    batch.set_velocities(start, np.zeros(shape))
    assert np.array_equal(batch.velocities, start)
    batch.step(0.01, steps=10)
    ends = batch.positions[:, -1]
    assert len({tuple(e) for e in ends}) == 3 and ends[1, 2] > 0.05
    assert [w.body(tip).mass for w in (batch[0], batch[-1])] == [0.1, 10.0]


def test_poses_and_forces_of_all_worlds():
    world = taut.World(gravity=(0, 0, 0))
    world.add(taut.Body.particle(2.0))
    batch = taut.Batch(world, 3)
    rotations = batch.rotations.copy()
    places = np.array([[[k, 0, 0]] for k in range(3)], dtype=float)
    if batch.positions.shape[1] == 2:
        places = np.concatenate([np.zeros((3, 1, 3)), places], axis=1)
    batch.set_poses(places, rotations)
    assert np.array_equal(batch.positions, places)
    forces = np.zeros_like(places)
    forces[:, -1, 1] = (0, 2, 4)
    batch.apply_forces(forces)
    batch.step(0.5)
    assert np.allclose(batch.velocities[:, -1, 1], (0, 0.5, 1.0))


def test_motors_of_all_worlds_and_a_rollout():
    world = taut.World(gravity=(0, 0, 0))
    arm = world.add(taut.Body.dynamic(taut.MassProperties.from_diagonal(1, (1, 1, 1))))
    world.add(taut.Hinge.between(arm, world.ground, at=(0, 0, 0), axis=(0, 0, 1), motor=taut.Motor.rate()))
    batch = taut.Batch(world, 3)
    batch.set_motors(rates=[[0], [1], [2]])
    batch.step(0.1)
    assert np.allclose(batch.motor_positions[:, 0], (0, 0.1, 0.2))
    rates = np.zeros((3, 5, 1))
    rates[2, :, 0] = np.arange(5)
    run = batch.rollout(5, 0.1, rates=rates, record=["motor_positions", "angular_velocities"])
    assert run["motor_positions"].shape == (3, 5, 1) and run["angular_velocities"].shape[:2] == (3, 5)
    assert np.allclose(run["motor_positions"][2, :, 0], 0.2 + 0.1 * np.cumsum(np.arange(5)))
    assert np.allclose(run["motor_positions"][1, :, 0], 0.1)
    with pytest.raises(taut.InputError, match="shape"):
        batch.rollout(4, 0.1, rates=rates)


def test_some_worlds_go_back():
    batch = taut.Batch(chain(2), 3)
    start = batch[0].state
    batch.step(0.01, steps=5)
    then = batch.positions.copy()
    batch.restore(start, worlds=[1])
    assert batch.times.tolist() == [0.05, 0, 0.05] and np.array_equal(batch.positions[0], then[0])
    with pytest.raises(IndexError):
        batch.restore(start, worlds=[3])


def test_a_world_that_lost_a_body_has_nan_and_the_others_go_on():
    world = chain(2)
    batch = taut.Batch(world, 3)
    positions = batch.positions
    batch[1].remove(world.find_body("link 1"))
    batch.step(0.01)
    assert np.isnan(positions[1]).all() and np.isfinite(positions[[0, 2]]).all()


def test_one_world_that_fails_is_named_and_the_others_have_stepped():
    world = taut.World()
    stone = world.add(taut.Body.dynamic(taut.MassProperties.from_diagonal(1, (1, 1, 1))))
    batch = taut.Batch(world, 3)
    batch[1].set_velocity(stone, (1e200, 0, 0))
    with pytest.raises(taut.StepError) as failed:
        batch.step(1e150)
    assert failed.value.worlds == [1] and "world 1" in failed.value.__notes__[0]
    assert batch.times.tolist() == [1e150, 0, 1e150]


def test_threads_that_step_a_batch_or_a_world_of_it_step_all_or_nothing():
    batch = taut.Batch(taut.scene("net"), 3)
    done = {"batch": 0, "world": 0}

    def repeat(name, step):
        for _ in range(20):
            try:
                step(0.001)
                done[name] += 1
            except taut.BusyError:
                pass

    threads = [
        threading.Thread(target=repeat, args=("batch", batch.step)),
        threading.Thread(target=repeat, args=("world", batch[1].step)),
    ]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert [w.steps for w in batch] == [done["batch"], done["batch"] + done["world"], done["batch"]]
    assert done["batch"] + done["world"] > 0


def test_a_world_with_other_rows_is_told_and_nothing_is_done():
    world = taut.World(gravity=(0, 0, 0))
    ids = [world.add(taut.Body.particle(1.0, at=(k, 0, 0))) for k in range(5)]
    batch = taut.Batch(world, 3)
    shape = batch.positions.shape
    batch[0].remove(ids[2])
    forces = np.ones(shape)
    with pytest.raises(taut.InputError, match="world 0 with other rows"):
        batch.apply_forces(forces)
    with pytest.raises(taut.InputError, match="world 0 with other rows"):
        batch.set_poses(forces, np.ones((*shape[:2], 4)))
    batch.step(0.1)
    # Nothing was pushed, and the rows are those of the copies.
    velocities = batch.velocities
    assert velocities.shape == shape and np.isnan(velocities[0]).all() and (velocities[1:] == 0).all()
    together = batch.rollout(2, 0.1, record=["positions"])["positions"]
    assert together.shape == (3, 2, *shape[1:]) and np.isnan(together[0]).all() and not np.isnan(together[1:]).any()


def test_arrays_are_looked_at_before_anything_is_done():
    batch = taut.Batch(chain(3), 4)
    start = batch.positions.copy()
    odd = start.copy()
    odd[2, 1, 0] = np.nan
    with pytest.raises(taut.InputError, match=r"positions\[2, 1, 0\] = NaN: expected a finite number"):
        batch.set_poses(odd + 1, batch.rotations.copy())
    assert np.array_equal(batch.positions, start)
    for n in (10**15, 2**62):
        with pytest.raises(MemoryError):
            taut.Batch(chain(2), n)
    with pytest.raises((MemoryError, ValueError)):
        batch.rollout(10**15, 0.01)


def test_steps_are_interrupted():
    batch = taut.Batch(chain(10), 64)
    timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        batch.step(0.001, steps=10**7)
    # All worlds have come equally far.
    assert len(set(batch.times)) == 1 and batch.times[0] > 0


def test_a_world_that_fails_in_the_middle_holds_no_other_up():
    world = chain(3)
    world.add(taut.Body.particle(1.0, at=(9, 9, 9)))
    batch, alone = taut.Batch(world, 6), copy.copy(world)
    link = world.find_body("link 1")
    batch[4].apply_force(link, (1e300, 1e300, 0), world.body(link).position)
    with pytest.raises(taut.StepError) as error:
        batch.step(0.01, steps=300)
    assert error.value.worlds == [4]
    for _ in range(300):
        alone.step(0.01)
    assert [h == alone.hash for h in batch.hashes] == [k != 4 for k in range(6)]
