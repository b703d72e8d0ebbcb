"""The same bits as native: hashes of poses and velocities of every scene of the library.

After 20 steps against the list that the tests of the engine keep. After 1,000 steps against the `taut` command that the variable TAUT
names: `TAUT=target/release/taut tools/python.sh python/tests/test_bits.py`.
"""

import json
import os
import pathlib
import re
import subprocess

import numpy as np
import pytest

import taut

GOLDEN = pathlib.Path(__file__).resolve().parents[2] / "crates" / "taut-scenes" / "tests" / "golden.txt"
# Sizes that the list was made with (`SceneInfo::small` and `golden::size`).
SIZES = {
    "ragdolls": {"ragdolls": 4}, "ragdoll-pile": {"ragdolls": 2}, "bow": {"cells": 12, "start": "braced"}, "trampoline": {"side": 8},
    "creatures": {"which": "flesh", "size": 0.2}, "flag": {"cells": 6}, "catheter": {"segments": 20}, "muscle": {"layers": 1},
    "anisotropic-quads": {"cells": 4}, "stvk-cloth": {"cells": 5}, "anchor-handling": {"segment": 10}, "tug-tow": {"segment": 20},
    "incompressible-cube": {"cells": 2}, "yard": {"bodies": 60}, "shots": {"shots": 10}, "cloth": {"side": 6},
    "net": {"columns": 5, "rows": 5},
}  # fmt: skip


def digest(world):
    """FNV-1a over poses and velocities, body after body; zero has no sign."""
    rows = np.concatenate([world.positions, world.rotations, world.velocities, world.angular_velocities], axis=1) + 0.0
    h = 0xCBF29CE484222325
    for byte in rows.astype("<f8").tobytes():
        h = ((h ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return f"{h:016x}"


def test_every_scene_has_the_bits_of_the_list():
    lines = re.findall(r"^(\S+) (\S+) s maximal aligned = ([0-9a-f]{16})$", GOLDEN.read_text(), re.M)
    steps = {s.name: s.dt for s in taut.scenes()}
    seen, wrong = set(), []
    for name, h, expected in lines:
        if float(h) != steps[name]:
            continue
        world = taut.scene(name, **SIZES.get(name, {}))
        world.set_options(stabiliser="aligned", coordinates="maximal")
        for _ in range(20):
            world.step(float(h))
        seen.add(name)
        wrong += [] if digest(world) == expected else [name]
    assert not wrong and len(seen) > 60


@pytest.mark.skipif("TAUT" not in os.environ, reason="TAUT names no taut command to compare with")
@pytest.mark.parametrize("name", [s.name for s in taut.scenes()])
def test_a_thousand_steps_end_in_the_native_state(name):
    world, sizes = taut.scene(name, **SIZES.get(name, {})), SIZES.get(name, {})
    h = world.default_step
    given = [f"--set={k}={v}" for k, v in sizes.items()]
    command = [os.environ["TAUT"], "run", name, "--dt", repr(h), "--time", repr(1000 * h), "--json", *given]
    native = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)
    try:
        for _ in range(native["steps"]):
            world.step(h)
    except taut.StepError:
        pass
    assert f"{world.hash:016x}" == native["state_hash"]
