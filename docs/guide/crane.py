#!/usr/bin/env python3
"""The crane of the guide in Python: `python docs/guide/crane.py 6` runs it as it is after the sixth step and prints what it does."""

import math
import sys

import numpy as np

import taut

FOOT, HEAD = np.array((1.5, 3, 0)), np.array((15.5, 17, 0))  # The foot of the boom and its head, m.


def bodies(world):
    house = taut.Body.solid(taut.Shape.cuboid((2, 1, 1.5)), 2500, at=(0, 3, 0), named="house")
    beam = taut.Shape.cuboid((0.5 * np.linalg.norm(HEAD - FOOT), 0.4, 0.4))
    upwards = taut.Quat.from_rotation_z(math.radians(45))
    boom = taut.Body.solid(beam, 300, at=0.5 * (FOOT + HEAD), rotated=upwards, named="boom")
    load = taut.Body.solid(taut.Shape.cuboid((0.75, 0.75, 0.75)), 2400, at=(16, 7, 0), named="load")
    return [world.add(body) for body in (house, boom, load)]


def joints(world, house, boom):
    slew = taut.Hinge.between(house, world.ground, at=(0, 2, 0), axis=(0, 1, 0), named="slew")
    slew = world.add(slew.motor(taut.Motor.rate().limited(400e3)))
    world.add(taut.Hinge.between(boom, house, at=FOOT, axis=(0, 0, 1), named="luff"))
    pendant = world.add(taut.Distance.between(boom, house, ends=(HEAD, (-2, 4, 0)), named="pendant"))
    return slew, pendant


def winch(world, house, boom, load):
    winch = world.add(taut.Winch.on(house, (-1, 4.5, 0), (0, 0, 1), 0.4, named="hoist"))
    head = taut.Sheave.on(boom, HEAD, (0, 0, 1), 0.5)
    rope = taut.Rope.from_drum(world.drum(winch).over()).over(head).to(load, (16, 7.75, 0))
    rope = world.add(rope.diameter(0.03).named("hoist rope"))
    world.set_winch(winch, taut.Winding.brake(300e3))
    return winch, rope


def contact(world):
    world.add(taut.Collider(taut.Shape.ground(), friction=0.6, on=world.ground))
    deck = taut.Collider(taut.Shape.cuboid((2.5, 0.5, 3)), friction=0.5)
    world.add(taut.Body.fixed(at=(8.6, 0.5, -13.5), collider=deck, named="deck"))


def drive(world, slew, winch):
    world.set_motor(slew, rate=0.1 if 4 <= world.time < 14 else 0)
    speed = 0.5 if world.time < 4 else 0 if world.time < 16 else -0.5
    world.set_winch(winch, taut.Winding.haul(speed, 300e3))


def measure(world, rope, pendant, slew, report):
    ring = world.joint(slew).torque
    return {
        "rope": world.rope(rope).tension,
        "pendant": world.joint(pendant).tension,
        "moment": math.hypot(ring[0], ring[2]),
        "gap": report.max_gap,
        "unexplained": abs(report.ledger.imbalance),
    }


SECONDS = (0.5, 0.7, 5, 5, 40, 40)  # How long each step of the guide runs, s.


def run(step):
    """Builds the crane as far as a step of the guide has come, runs it, and returns the world and the largest of what was measured."""
    world, largest = taut.World(), {}
    house, boom, load = bodies(world)
    if step >= 2:
        slew, pendant = joints(world, house, boom)
    if step >= 3:
        hoist, rope = winch(world, house, boom, load)
    if step >= 4:
        contact(world)
    for _ in range(round(60 * SECONDS[step - 1])):
        if step >= 5:
            drive(world, slew, hoist)
        report = world.step(1 / 60)
        if step >= 3:
            for name, value in measure(world, rope, pendant, slew, report).items():
                largest[name] = max(value, largest.get(name, 0))
    return world, largest


if __name__ == "__main__":
    step = int(sys.argv[1]) if len(sys.argv) > 1 else 6
    if not 1 <= step <= 6:
        sys.exit(f"step {step}: the guide has steps 1 to 6")
    world, largest = run(step)
    print(f"step {step}, after {world.time:.1f} s: load at {world.body(world.find_body('load')).position.round(3)} m")
    for name, value in largest.items():
        print(f"largest {name}: {value:.4g}")
