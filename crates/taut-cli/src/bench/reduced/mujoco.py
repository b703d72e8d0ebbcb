"""Times MuJoCo for taut bench reduced: one JSON object in, one out.

Steps go ten at a time, so that the call from Python weighs little.
"""
import json
import statistics
import sys
import time

import mujoco

BATCH = 10
BAD = [mujoco.mjtWarning.mjWARN_BADQPOS, mujoco.mjtWarning.mjWARN_BADQVEL, mujoco.mjtWarning.mjWARN_BADQACC]


def timed(xml, steps, runs):
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    times = []
    bad = False
    for _ in range(runs):
        mujoco.mj_resetData(model, data)
        for _ in range(steps // BATCH):
            begin = time.perf_counter()
            mujoco.mj_step(model, data, BATCH)
            times.append((time.perf_counter() - begin) / BATCH)
        bad = bad or any(data.warning[w].number for w in BAD)
    return min(times), statistics.median(times), bad


task = json.load(sys.stdin)
chains = [timed(xml, task["steps"], task["runs"]) for xml in task["models"]]
json.dump({"version": mujoco.__version__, "chains": chains}, sys.stdout)
