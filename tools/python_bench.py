#!/usr/bin/env python3
"""What Python costs, what a batch of worlds brings, and the same models in MuJoCo's rollout.

    pip install . mujoco && python tools/python_bench.py [--quick]

Every figure is the median of repeats that alternate between the sides. Both engines get the same bodies, joints and step. MuJoCo's
rollout writes the state of every step, so the batch writes all poses and velocities of every step, too.
"""

import argparse
import os
import statistics
import time

import numpy as np

import taut

H = 0.005  # Length of a step, s: what MuJoCo's models of small robots run at.
WORLDS = 1000
RADIUS = 0.02  # Of a bar, m.


class Model:
    """Bars between points, each joined to one before it: one description for both engines."""

    def __init__(self, name):
        self.name, self.bars, self.closing = name, [], []

    def bar(self, start, end, mass, kind, parent=None, at=None):
        self.bars.append((np.array(start, float), np.array(end, float), mass, kind, parent, np.array(start if at is None else at, float)))
        return len(self.bars) - 1

    def close(self, bar, point):
        """A hinge of a bar with the ground that closes a loop."""
        self.closing.append((bar, np.array(point, float)))

    @staticmethod
    def inertia(start, end, mass):
        """Of a thin bar, as a matrix in the axes of the world at the start."""
        along, length = (end - start) / np.linalg.norm(end - start), np.linalg.norm(end - start)
        across = mass * (RADIUS**2 / 4 + length**2 / 12)
        return across * np.eye(3) + (mass * RADIUS**2 / 2 - across) * np.outer(along, along)

    def taut(self):
        world, ids = taut.World(), []
        kinds = {"ball": taut.Ball, "hinge": taut.Hinge}
        for start, end, mass, kind, parent, at in self.bars:
            body = taut.Body.dynamic(taut.MassProperties(mass, self.inertia(start, end, mass)), at=(start + end) / 2)
            ids.append(world.add(body))
            other = world.ground if parent is None else ids[parent]
            world.add(kinds[kind].between(ids[-1], other, at=at, axis=(0, 0, 1)))
        for bar, point in self.closing:
            world.add(taut.Hinge.between(ids[bar], world.ground, at=point, axis=(0, 0, 1)))
        return world

    def mujoco(self):
        import mujoco

        children = {k: [j for j, b in enumerate(self.bars) if b[4] == k] for k in [None, *range(len(self.bars))]}

        def numbers(values):
            return " ".join(f"{v:.17g}" for v in values)

        def body(k, origin):
            start, end, mass, kind, _, at = self.bars[k]
            centre, m = (start + end) / 2, self.inertia(start, end, mass)
            full = numbers([m[0, 0], m[1, 1], m[2, 2], m[0, 1], m[0, 2], m[1, 2]])
            axis = ' axis="0 0 1"' if kind == "hinge" else ""
            inner = "".join(body(j, centre) for j in children[k])
            return (
                f'<body name="b{k}" pos="{numbers(centre - origin)}"><joint type="{kind}" pos="{numbers(at - centre)}"{axis}/>'
                f'<inertial pos="0 0 0" mass="{mass:.17g}" fullinertia="{full}"/>{inner}</body>'
            )

        tree = "".join(body(k, np.zeros(3)) for k in children[None])
        middle = {k: (b[0] + b[1]) / 2 for k, b in enumerate(self.bars)}
        loops = "".join(f'<connect body1="b{k}" anchor="{numbers(p - middle[k])}"/>' for k, p in self.closing)
        return mujoco.MjModel.from_xml_string(
            f'<mujoco><option timestep="{H}" gravity="0 -9.81 0"/><worldbody>{tree}</worldbody><equality>{loops}</equality></mujoco>'
        )


def chain(kind):
    model, last = Model(f"10 links on {kind}s"), None
    for k in range(10):
        last = model.bar((0.2 * k, 0, 0), (0.2 * k + 0.2, 0, 0), 0.2, kind, last)
    return model


def four_bar():
    model = Model("four-bar")
    crank = model.bar((0, 0, 0), (0.1, 0.3, 0), 1, "hinge")
    coupler = model.bar((0.1, 0.3, 0), (0.9, 0.6, 0), 1, "hinge", crank)
    model.close(model.bar((0.9, 0.6, 0), (0.8, 0, 0), 1, "hinge", coupler), (0.8, 0, 0))
    return model


def ragdoll():
    """Trunk, head, arms and legs of two parts, hung by the head: balls at neck, shoulders and hips, hinges at elbows and knees."""
    model = Model("ragdoll")
    head = model.bar((0, 0, 0), (0, -0.3, 0), 5, "ball")
    trunk = model.bar((0, -0.3, 0), (0, -0.9, 0), 40, "ball", head)
    for side in (-1, 1):
        upper = model.bar((0.2 * side, -0.35, 0), (0.5 * side, -0.35, 0), 3, "ball", trunk)
        model.bar((0.5 * side, -0.35, 0), (0.8 * side, -0.35, 0), 2, "hinge", upper)
        thigh = model.bar((0.1 * side, -0.9, 0), (0.1 * side, -1.3, 0.1), 8, "ball", trunk)
        model.bar((0.1 * side, -1.3, 0.1), (0.1 * side, -1.7, 0), 5, "hinge", thigh)
    return model


def timed(act):
    """Time by the clock, and processor time of all threads, s."""
    begin = time.perf_counter(), time.process_time()
    act()
    return time.perf_counter() - begin[0], time.process_time() - begin[1]


def alternate(repeats, *acts):
    """Median times of several acts, taken in turn; of each the clock's and the processor's, s."""
    times = [[timed(act) for act in acts] for _ in range(repeats)]
    return [tuple(statistics.median(t[k][c] for t in times) for c in range(2)) for k in range(len(acts))]


def overhead(repeats, steps):
    """What a call of `World.step` costs over the step itself: a batch of one world takes its steps without Python."""
    world, views = chain("hinge").taut(), chain("hinge").taut()
    native = taut.Batch(world, 1)
    held = views.positions, views.velocities
    starts = {w: w.state for w in (world, views)}

    def by_python(w):
        w.restore(starts[w])
        step = w.step
        for _ in range(steps):
            step(H)

    def by_batch():
        native.restore(starts[world])
        native.step(H, steps=steps)

    took = alternate(repeats, by_batch, lambda: by_python(world), lambda: by_python(views))
    alone, python, arrays = (1e6 * cpu / steps for _, cpu in took)
    assert all(a.any() for a in held)
    print(f"a step of 10 links: {alone:.2f} us without Python, {python - alone:+.2f} us by World.step", end="")
    print(f", {arrays - alone:+.2f} us with positions and velocities held (processor time)")


def threads(repeats, steps):
    """What two threads bring over one."""
    world = chain("hinge").taut()
    start, batches = world.state, [taut.Batch(world, WORLDS, threads=t) for t in (1, 2)]

    def run(batch):
        batch.restore(start)
        batch.step(H, steps=steps)

    (a, one), (b, two) = alternate(repeats, *(lambda batch=batch: run(batch) for batch in batches))
    print(f"{WORLDS} chains of 10 links: {1e3 * a / steps:.2f} ms a step on one thread, {1e3 * b / steps:.2f} ms on two:", end="")
    print(f" {a / b:.2f} times as fast; processor {1e3 * one / steps:.2f} and {1e3 * two / steps:.2f} ms")


def against_mujoco(model, repeats, steps):
    import mujoco
    from mujoco import rollout

    world, other = model.taut(), model.mujoco()
    start, cores = world.state, os.cpu_count()
    batch = taut.Batch(world, WORLDS)
    record = ["positions", "rotations", "velocities", "angular_velocities"]
    datas = [mujoco.MjData(other) for _ in range(cores)]
    mujoco.mj_forward(other, datas[0])
    full = mujoco.mjtState.mjSTATE_FULLPHYSICS
    state = np.zeros(mujoco.mj_stateSize(other, full))
    mujoco.mj_getState(other, datas[0], state, full)
    states = np.tile(state, (WORLDS, 1))

    def ours():
        batch.restore(start)
        batch.rollout(steps, H, record=record)

    with rollout.Rollout(nthread=cores) as pool:
        (a, one), (b, two) = alternate(repeats, ours, lambda: pool.rollout(other, datas, states, nstep=steps))
    print(f"{WORLDS} x {model.name}, {cores} threads: {1e3 * a / steps:.2f} ms a step,", end="")
    print(f" MuJoCo {mujoco.__version__} {1e3 * b / steps:.2f} ms: {a / b:.2f} times;", end="")
    print(f" processor {1e3 * one / steps:.2f} and {1e3 * two / steps:.2f} ms: {one / two:.2f} times")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a tenth of the repeats and steps, for a look")
    quick = parser.parse_args().quick
    repeats, steps = (3, 20) if quick else (11, 200)
    overhead(repeats, 100 * steps // 4)
    threads(repeats, steps)
    try:
        import mujoco  # noqa: F401
    except ImportError:
        print("MuJoCo is not installed: pip install mujoco")
        return
    for model in (chain("ball"), chain("hinge"), four_bar(), ragdoll()):
        against_mujoco(model, repeats, steps // 2)


if __name__ == "__main__":
    main()
