"""Whatever is wrong raises an exception with a clear message, and nothing ends the interpreter."""

import copy
import pickle
import threading
import time

import numpy as np
import pytest

import taut
from conftest import chain


@pytest.mark.parametrize(
    "wrong, error, message",
    [
        (lambda w, b: w.set_pose(b, ((0, 0), (0, 0, 0, 1))), TypeError, "Pose"),
        (lambda w, b: w.set_velocity(b, "abc"), TypeError, "expected 3 numbers"),
        (lambda w, b: w.set_velocity(b, (1, 2, 3, 4)), TypeError, "expected 3 numbers"),
        (lambda w, b: w.set_velocity(b, np.zeros((3, 3))), TypeError, "expected 3 numbers"),
        (lambda w, b: w.set_velocity(b, np.array([1, 2, 3], dtype=complex)), TypeError, "expected 3 numbers"),
        (lambda w, b: w.set_velocity(b, (1, float("nan"), 0)), taut.InputError, "finite"),
        (lambda w, b: w.set_velocity(b, (1, float("inf"), 0)), taut.InputError, "finite"),
        (lambda w, b: w.set_pose(b, ((0, 0, 0), (0, 0, 0, 0))), taut.InputError, "."),
        (lambda w, b: w.step(-1), taut.InputError, "time step"),
        (lambda w, b: w.step(float("nan")), taut.InputError, "time step"),
        (lambda w, b: w.step("long"), TypeError, "."),
        (lambda w, b: w.add(3), TypeError, "expected a Body"),
        (lambda w, b: w.remove("body"), TypeError, "expected the handle"),
        (lambda w, b: w.body("link 0"), TypeError, "."),
        (lambda w, b: w.find_body("nobody"), taut.Error, "nobody"),
        (lambda w, b: taut.Body.particle(-3.0, speed=3), TypeError, "Body has no 'speed'"),
        (lambda w, b: w.add(taut.Body.particle(-3.0)), taut.InputError, "mass = -3"),
        (lambda w, b: taut.Body.fixed(at=(1, 2)), TypeError, "at = "),
        (lambda w, b: taut.Body.fixed(moving=(1, 2, 3)), (TypeError, ValueError), "moving = "),
        (lambda w, b: taut.Body.fixed(disabled="yes"), TypeError, "True or False"),
        (lambda w, b: taut.Body.fixed(user_data=-1), (OverflowError, TypeError), "."),
        (lambda w, b: taut.Body.solid(taut.Shape.ball(-1), 1), taut.InputError, "radius"),
        (lambda w, b: taut.Shape.convex_hull([]).validate(), taut.InputError, "."),
        (lambda w, b: taut.Shape.mesh([(0, 0, 0)], [(0, 1, 2)]).validate(), taut.InputError, "."),
        (lambda w, b: taut.Material(combined="worst"), taut.InputError, "average"),
        (lambda w, b: w.add(taut.Hinge.between(b, w.ground)), taut.InputError, "axis"),
        (lambda w, b: w.add(taut.Hinge.between(b, b, at=(0, 0, 0), axis=(0, 0, 1))), taut.InputError, "."),
        (lambda w, b: w.add(taut.Hinge.between(b, w.ground, at=(0, 0, 0), axis=(0, 0, 0))), taut.InputError, "axis"),
        (lambda w, b: taut.Limit(0, 1, on="sideways"), ValueError, "expected a freedom"),
        (lambda w, b: w.set_motors(rates=[1, 2, 3]), taut.InputError, "one for each motor"),
        (lambda w, b: w.set_motor(w.joints()[0].id.motor(5), rate=1), taut.Error, "."),
        (lambda w, b: w.set_motion(b, "liquid"), taut.InputError, "one of dynamic"),
        (lambda w, b: w.cast_ray((0, 0, 0), (0, 0, 0), 1), taut.InputError, "direction"),
        (lambda w, b: taut.World(gravity="down"), TypeError, "gravity"),
        (lambda w, b: taut.World(solver=3), TypeError, "solver"),
        (lambda w, b: w.set_options(bounded_tolerance=-1), taut.InputError, "tolerance"),
        (lambda w, b: taut.loads("{"), taut.FileError, "line"),
        (lambda w, b: taut.loads(""), taut.FileError, "."),
        (lambda w, b: taut.loads('{"taut": 2}'), taut.FileError, "."),
        (lambda w, b: w.restore(b"state"), TypeError, "expected a State"),
        (lambda w, b: w.dynamics().jacobian(b, (float("nan"), 0, 0)), taut.Error, "."),
        (lambda w, b: taut.soft.Material(1000, 1e6, 0.7).check(), taut.InputError, "poisson"),
        (lambda w, b: taut.soft.Mesh.bar((1, 1, 1), (0, 1, 1)), taut.InputError, "cells"),
        (lambda w, b: taut.Batch(w, 0), taut.InputError, "at least one"),
        (lambda w, b: taut.Batch(w, 2)[2], IndexError, "expected one of 2"),
        (lambda w, b: taut.Batch(w, 2).apply_forces(np.zeros((2, 1, 3))), taut.InputError, "shape"),
        (lambda w, b: taut.Batch(w, 2).apply_forces(np.array(["a"])), TypeError, "array of numbers"),
        (lambda w, b: taut.Batch(w, 2).rollout(2, 0.01, record=["colours"]), taut.InputError, "positions"),
    ],
)
def test_wrong_input_is_refused_and_changes_nothing(wrong, error, message):
    world = chain(2)
    before = world.hash
    with pytest.raises(error, match=message):
        wrong(world, world.find_body("link 0"))
    assert world.hash == before
    world.step(0.01)


def test_errors_say_what_and_what_was_expected(world):
    with pytest.raises(taut.InputError) as refused:
        world.add(taut.Body.particle(-3.0))
    error = refused.value
    assert (error.name, error.value) == ("mass", "-3") and error.expected in str(error)
    assert isinstance(error, (taut.Error, ValueError))
    assert issubclass(taut.HandleError, LookupError)


def test_removed_and_foreign_handles_are_refused():
    world, other = chain(2), chain(2)
    link = world.find_body("link 1")
    view, joint = world.body(link), world.joints()[1]
    world.remove(link)
    for use in (lambda: world.body(link), lambda: view.position, lambda: world.set_velocity(link, (0, 0, 0)), lambda: joint.force):
        with pytest.raises(taut.HandleError, match="removed"):
            use()
    with pytest.raises(taut.HandleError, match="belong to the world"):
        world.body(other.find_body("link 0"))
    with pytest.raises(taut.HandleError, match="belong to the world"):
        world.add(taut.Ball.between(other.find_body("link 0"), world.ground, at=(0, 0, 0)))
    with pytest.raises(taut.InputError, match="ground"):
        world.remove(world.ground)


@pytest.mark.parametrize("cut", [0, 1, 8, 40, 200, -1])
def test_a_broken_state_is_refused(cut):
    world = chain(3)
    for _ in range(5):
        world.step(0.01)
    good = world.state.to_bytes()
    bad = good[:cut]
    with pytest.raises(taut.Error):
        taut.State.from_bytes(bad)
    with pytest.raises(taut.Error):
        pickle.loads(pickle.dumps(world.state).replace(good, b"\x00" * len(good)))


def test_noise_in_a_state_never_ends_the_interpreter():
    world = chain(3)
    world.step(0.01)
    good = bytearray(world.state.to_bytes())
    random = np.random.default_rng(1)
    refused = 0
    for _ in range(300):
        bad = bytearray(good)
        for k in random.integers(0, len(bad), 3):
            bad[k] = random.integers(0, 256)
        twin = copy.copy(world)
        try:
            twin.restore(taut.State.from_bytes(bytes(bad)))
            twin.step(0.01)
        except taut.Error:
            refused += 1
    assert refused > 200


def test_a_state_of_another_world_is_refused():
    state = chain(3).state
    with pytest.raises(taut.Error):
        chain(4).restore(state)


def test_a_pickle_with_garbage_in_it_is_refused():
    text = pickle.dumps(chain(2))
    with pytest.raises(taut.FileError):
        pickle.loads(text.replace(b'"bodies"', b'"badies"'))


def test_what_a_scene_file_cannot_say_is_not_pickled(world):
    world.add(taut.Body.particle(1.0))
    pickle.dumps(world)
    world.set_contact_hooks(filter=lambda pair: True)
    with pytest.raises(pickle.PicklingError, match="hooks"):
        pickle.dumps(world)
    with pytest.raises(pickle.PicklingError, match="drives"):
        pickle.dumps(taut.scene("elevator"))


def test_threads_that_step_one_world_are_told_so():
    world = taut.scene("net")
    outcomes = {"stepped": 0, "busy": 0}
    lock = threading.Lock()

    def step():
        for _ in range(20):
            try:
                world.step(0.001)
                key = "stepped"
            except taut.BusyError:
                key = "busy"
            with lock:
                outcomes[key] += 1

    threads = [threading.Thread(target=step) for _ in range(4)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert outcomes["stepped"] == world.steps and sum(outcomes.values()) == 80
    assert outcomes["busy"] > 0


def test_other_threads_run_during_a_step():
    """A thread counts while worlds are stepped: it would stand still if a step kept the interpreter's lock."""
    batch = taut.Batch(taut.scene("net"), 4)
    counted, done = [0], threading.Event()

    def count():
        while not done.is_set():
            counted[0] += 1
            time.sleep(0)

    thread = threading.Thread(target=count)
    thread.start()
    before = counted[0]
    batch.step(0.001, steps=100)
    during = counted[0] - before
    done.set()
    thread.join()
    assert during > 10


def test_a_step_that_fails_leaves_the_world_as_it_was(world):
    mass = taut.MassProperties.from_diagonal(1, (1, 1, 1))
    a = world.add(taut.Body.dynamic(mass, at=(0, 0, 0), moving=((1e200, 0, 0), (0, 0, 0))))
    before = world.hash
    with pytest.raises(taut.Error):
        for _ in range(10):
            world.apply_force(a, (1e308, 0, 0), (0, 0, 0))
            world.step(1e100)
            before = world.hash
    assert world.hash == before
