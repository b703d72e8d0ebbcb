"""Every method of everything with arguments that make no sense: exceptions, and never a panic (which is no `Exception`)."""

import copy
import inspect
import random

import numpy as np
import pytest

import taut
from conftest import chain

JUNK = [
    None, True, 0, -1, 3, 2**70, 0.0, -1.5, 1e308, float("nan"), float("inf"), "", "turn", "hinge", b"\x00", (), (1,), (0, 0, 0), (1, 2, 3),
    (1, float("nan"), 0), (0, 0, 0, 1), [[1, 2, 3]] * 3, {}, {"hex": [[0] * 8]}, np.zeros(3), np.zeros((2, 2)), np.array(["a"]), object(),
    lambda *a: 1 / 0,
]  # fmt: skip


def things():
    """A world with something of all kinds in it, and what it hands out."""
    world = chain(3)
    world.add(taut.Collider(taut.Shape.ground(), on=world.ground))
    ball = world.add(taut.Body.solid(taut.Shape.ball(0.2), 1000, at=(0, 2, 0)))
    hinge = world.add(taut.Hinge.between(ball, world.ground, at=(0, 2, 0), axis=(0, 0, 1), motor=taut.Motor.rate(), limit=(-1, 1)))
    load = world.add(taut.Body.particle(5, at=(3, -4, 0)))
    winch = world.add(taut.Winch.on(world.ground, (3, 0, 0), (0, 0, 1), 0.3))
    rope = world.add(taut.Rope.from_drum(world.drum(winch).about()).to(load, (3, -4, 0)))
    mesh = taut.soft.Mesh.bar((1, 0.1, 0.1), (2, 1, 1))
    bar = world.add(taut.Deformable(mesh, taut.soft.Material(1000, 1e6, 0.3), at=(0, 5, 0), held=[0], named="bar"))
    spring = world.add(taut.Spring.between(ball, load, stiffness=10))
    world.step(0.01)
    handles = [ball, hinge, hinge.motor(), hinge.limit(), load, winch, rope, taut.RopeEnd.last_of(rope), bar, spring, world.ground]
    handles += [world.joints()[0].id, world.colliders()[0].id]
    parts = [
        taut.Body.fixed(), taut.Shape.ball(1), taut.MassProperties.sphere(1, 1), taut.Material(), taut.Motor.rate(), taut.Limit(0, 1),
        taut.Softness(1, 1), taut.Locks.ALL, taut.Cut.plane((0, 0, 0), (1, 0, 0)), taut.Winding.free(), taut.Pose(), taut.Command.rate(1),
        taut.Groups.ALL, taut.Exposure(), mesh, taut.Hinge.between(ball, load, at=(0, 0, 0), axis=(0, 0, 1)),
    ]  # fmt: skip
    views = [world.body(ball), world.joint(hinge), world.motor(hinge), world.rope(rope), world.deformable(bar), world.colliders()[0]]
    return world, handles, parts, views


def calls(thing):
    for name in dir(thing):
        if name.startswith("_") or name in ("view", "plot", "save"):
            continue
        try:
            member = getattr(thing, name)
        except Exception:  # An attribute may have nothing to tell.
            continue
        if callable(member):
            yield name, member


@pytest.mark.parametrize("seed", range(3))
def test_junk_is_refused(seed):
    random.seed(seed)
    world, handles, parts, views = things()
    batch, dynamics = taut.Batch(world, 2), chain(3).dynamics()
    classes = [getattr(taut, n) for n in dir(taut) if isinstance(getattr(taut, n), type) and not n.startswith("_")]
    values = JUNK + handles * 3 + parts
    tried = raised = 0
    wholes = [batch, dynamics, taut, taut.soft.Mesh, taut.soft.Material]
    for make in [lambda: copy.copy(world), *(lambda whole=whole: whole for whole in wholes)]:
        for name, _ in calls(make()):
            for _ in range(12):
                target = getattr(make(), name)
                try:
                    given = [p for p in inspect.signature(target).parameters.values() if p.kind != p.VAR_KEYWORD]
                except (ValueError, TypeError):
                    given = [None, None]
                if name in ("set_memory_limit", "step", "rollout", "Batch", "run"):
                    continue
                tried += 1
                try:
                    target(*[random.choice(values) for _ in range(random.randint(0, len(given)))])
                except Exception:
                    raised += 1
    for thing in [*parts, *views, *handles, *classes]:
        for name, member in calls(thing):
            if (thing, name) == (taut.World, "step") or name in ("step", "rollout"):
                continue
            for _ in range(4):
                tried += 1
                try:
                    member(*[random.choice(values) for _ in range(random.randint(0, 3))])
                except Exception:
                    raised += 1
    assert tried > 2000 and raised > tried / 2
    copy.copy(world).step(0.01)
