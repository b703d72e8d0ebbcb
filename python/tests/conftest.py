import pytest

import taut


@pytest.fixture
def world():
    return taut.World()


@pytest.fixture
def pendulum():
    """A ball of 1 kg on a rod of 1 m, level at first, and its pin."""
    world = taut.World()
    ball = world.add(taut.Body.dynamic(taut.MassProperties.from_diagonal(1.0, (0.01, 0.01, 0.01)), at=(1, 0, 0), named="ball"))
    pin = world.add(taut.Hinge.between(ball, world.ground, at=(0, 0, 0), axis=(0, 0, 1), named="pin"))
    return world, ball, pin


def chain(n=10, joint=taut.Ball):
    """Links of 0.2 m and 0.2 kg, level at first."""
    world = taut.World()
    last = world.ground
    inertia = taut.MassProperties.from_diagonal(0.2, (1e-5, 6.7e-4, 6.7e-4))
    for k in range(n):
        link = world.add(taut.Body.dynamic(inertia, at=(0.2 * k + 0.1, 0, 0), named=f"link {k}"))
        world.add(joint.between(link, last, at=(0.2 * k, 0, 0), axis=(0, 0, 1)))
        last = link
    return world
