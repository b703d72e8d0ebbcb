"""Arrays of a world: what they show, how long they are good for, and that nothing dangles."""

import copy
import gc
import weakref

import numpy as np
import pytest

import taut
from conftest import chain


def test_an_array_follows_the_world_without_copies():
    world = chain(4)
    positions, velocities = world.positions, world.velocities
    assert positions.shape == (len(world.bodies()), 3) and positions.dtype == np.float64
    assert world.positions is positions
    seen = positions.copy()
    memory = positions.ctypes.data
    tip = positions[-1]
    for _ in range(5):
        world.step(0.01)
        # The same memory, with the numbers of now; so are parts of it.
        assert world.positions.ctypes.data == memory and tip.base is not None
        assert np.array_equal(tip, world.bodies()[-1].position)
        assert np.array_equal(velocities[-1], world.bodies()[-1].velocity)
    assert not np.array_equal(seen, positions)
    assert [world.body(b).position.tolist() for b in world.body_ids()] == positions.tolist()


def test_all_columns_agree_with_the_views():
    world = chain(3, taut.Hinge)
    world.remove(world.joints()[0].id)
    first = world.find_body("link 0")
    world.add(taut.Hinge.between(first, world.ground, at=(0, 0, 0), axis=(0, 0, 1), motor=taut.Motor.servo(10, 1)))
    world.set_motors(targets=[0.5])
    world.step(0.01)
    for name, items in [
        ("rotation", world.bodies()), ("angular_velocity", world.bodies()), ("force", world.joints()), ("torque", world.joints()),
        ("gap", world.joints()), ("tension", world.joints()), ("position", world.motors()), ("rate", world.motors()),
        ("effort", world.motors()),
    ]:  # fmt: skip
        column = {"angular_velocity": "angular_velocities"}.get(name, f"{name}s")
        prefix = "joint_" if isinstance(items[0], taut.JointRef) else "motor_" if isinstance(items[0], taut.MotorRef) else ""
        assert np.array_equal(getattr(world, prefix + column), [getattr(i, name) for i in items]), name
    assert world.motor_ids() == [m.id for m in world.motors()]


def test_python_does_not_write_into_it():
    world = chain(2)
    with pytest.raises(ValueError, match="read-only"):
        world.positions[0] = 1


def test_changes_between_steps_show():
    world = chain(2)
    positions, velocities = world.positions, world.velocities
    link = world.find_body("link 1")
    row = world.body_ids().index(link)
    world.set_velocity(link, (1, 2, 3))
    assert velocities[row].tolist() == [1, 2, 3]
    world.set_pose(link, ((5, 6, 7), (0, 0, 0, 1)))
    assert positions[row].tolist() == [5, 6, 7]


def test_restore_shows():
    world = chain(3)
    world.step(0.01)
    positions, state, snapshot = world.positions, world.state, world.snapshot()
    then = positions.copy()
    for back in (state, snapshot):
        for _ in range(10):
            world.step(0.01)
        assert not np.array_equal(positions, then)
        world.restore(back)
        assert np.array_equal(positions, then) and world.positions is positions


def test_when_a_body_goes_the_old_array_ends_in_nan():
    world = chain(3)
    old = world.positions
    part = old[1:]
    world.remove(world.find_body("link 2"))
    assert np.isnan(old).all() and np.isnan(part).all()
    new = world.positions
    assert new.shape == (len(world.bodies()), 3) and np.isfinite(new).all()
    world.step(0.01)
    assert np.isnan(old).all() and np.isfinite(new).all()
    world.add(taut.Body.particle(1.0))
    assert np.isnan(new).all() and len(world.positions) == len(world.bodies())


def test_a_body_that_takes_the_place_of_another_is_not_mistaken_for_it():
    world = chain(3)
    old = world.positions
    world.remove(world.find_body("link 2"))
    world.add(taut.Body.particle(1.0, at=(9, 9, 9)))
    assert np.isnan(old).all() and world.positions.shape == old.shape


def test_going_back_before_a_removal():
    world = chain(3)
    snapshot = world.snapshot()
    old = world.positions
    world.remove(world.find_body("link 2"))
    fewer = world.positions
    world.restore(snapshot)
    assert np.isnan(fewer).all() and np.isnan(old).all()
    assert np.isfinite(world.positions).all() and world.positions.shape == old.shape


def test_arrays_outlive_the_world():
    world = chain(3)
    world.step(0.01)
    positions, gone = world.positions, weakref.ref(world)
    then = positions.copy()
    part = positions[1, :2]
    del world
    gc.collect()
    assert gone() is None
    rubbish = [np.ones((64, 3)) for _ in range(200)]
    assert np.array_equal(positions, then) and np.array_equal(part, then[1, :2]) and len(rubbish) == 200


def test_views_keep_the_world():
    body = chain(1).bodies()[-1]
    gc.collect()
    assert body.name == "link 0" and np.isfinite(body.position).all()


def test_what_nobody_holds_is_up_to_date_when_it_is_asked_for_again():
    world = chain(2)
    first = world.positions.copy()
    for _ in range(3):
        world.step(0.01)
    assert np.array_equal(world.positions[-1], world.bodies()[-1].position) and not np.array_equal(first, world.positions)


def test_copies_have_arrays_of_their_own():
    world = chain(2)
    positions = world.positions
    twin = copy.copy(world)
    then = positions.copy()
    twin.step(0.1)
    assert np.array_equal(positions, then) and not np.array_equal(twin.positions, then)


def test_an_empty_world_has_empty_arrays():
    world = taut.World()
    assert world.joint_forces.shape == (0, 3) and world.motor_rates.shape == (0,) and world.contact_points.shape == (0, 3)
    world.step(0.01)
