"""Steps MuJoCo models for taut bench peers.

Standard input: "load BYTES RATES...\n" and BYTES bytes of MJCF, or "step\n". Standard output: the version in a line; after load
"ok" and mass and inertia of every body, or an error in a line; after step the seconds it took (negative: MuJoCo warned of bad
numbers) and 13 numbers per body, little-endian doubles. Bodies are named b0, b1, ...
"""
import sys
import time

import mujoco
import numpy as np

source, sink = sys.stdin.buffer, sys.stdout.buffer
bad = [mujoco.mjtWarning.mjWARN_BADQPOS, mujoco.mjtWarning.mjWARN_BADQVEL, mujoco.mjtWarning.mjWARN_BADQACC]


def write(numbers):
    sink.write(np.ascontiguousarray(numbers, dtype="<f8").tobytes())


def load(words):
    xml = source.read(int(words[1]))
    model = mujoco.MjModel.from_xml_string(xml.decode())
    data = mujoco.MjData(model)
    order = [mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, f"b{k}") for k in range(model.nbody - 1)]
    # Rates come joint by joint in the order of the children; joints are in the order of the bodies.
    rates = np.array(words[2:], dtype=float).reshape(-1, 3)
    for k, rate in enumerate(rates):
        at = model.jnt_dofadr[model.body_jntadr[order[k]]]
        data.qvel[at : at + 3] = rate
    sink.write(b"ok\n")
    write(np.column_stack([model.body_mass[order], model.body_inertia[order]]))
    return model, data, order


def step(model, data, order):
    begin = time.perf_counter()
    mujoco.mj_step(model, data)
    took = time.perf_counter() - begin
    if any(data.warning[w].number for w in bad):
        took = -1.0
    # Poses and velocities after the step; mj_step leaves those of its start.
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    mujoco.mj_comVel(model, data)
    spin, speed = data.cvel[order, :3], data.cvel[order, 3:]
    reach = data.xpos[order] - data.subtree_com[model.body_rootid[order]]
    write(took)
    write(np.column_stack([data.xpos[order], data.xquat[order], speed + np.cross(spin, reach), spin]))


sink.write((mujoco.__version__ + "\n").encode())
sink.flush()
world = None
for line in iter(source.readline, b""):
    words = line.decode().split()
    try:
        if words[0] == "load":
            world = load(words)
        else:
            step(*world)
    except ValueError as error:
        sink.write((str(error).replace("\n", " ") + "\n").encode())
    sink.flush()
