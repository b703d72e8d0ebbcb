"""Steps MuJoCo models for taut bench.

Standard input, in lines: "load ID BYTES RATES..." and BYTES bytes of MJCF after it; "step ID"; "replay ID STEPS"; "drop ID".
Standard output: the version in a line; after load "ok" and mass and inertia of every body, or an error in a line; after step the
processor time of the thread that it took, s (negative: MuJoCo warned of bad numbers), and 13 numbers per body; after replay the
time of all the steps from the start of the scene, taken in one call so that Python has no part in it. Numbers are little-endian
doubles. Bodies are named b0, b1, ...
"""
import sys
import time

import mujoco
import numpy as np

source, sink = sys.stdin.buffer, sys.stdout.buffer
bad = [mujoco.mjtWarning.mjWARN_BADQPOS, mujoco.mjtWarning.mjWARN_BADQVEL, mujoco.mjtWarning.mjWARN_BADQACC]
worlds = {}


def write(numbers):
    sink.write(np.ascontiguousarray(numbers, dtype="<f8").tobytes())


def load(name, size, rates):
    xml = source.read(int(size))
    model = mujoco.MjModel.from_xml_string(xml.decode())
    data = mujoco.MjData(model)
    order = [mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, f"b{k}") for k in range(model.nbody - 1)]
    # Rates come joint by joint in the order of the children; joints are in the order of the bodies.
    rates = np.array(rates, dtype=float)
    for body in order:
        joint = model.body_jntadr[body]
        at, count = model.jnt_dofadr[joint], 3 if model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_BALL else 1
        data.qvel[at : at + count], rates = rates[:count], rates[count:]
    worlds[name] = model, data, order, data.qvel.copy()
    sink.write(b"ok\n")
    write(np.column_stack([model.body_mass[order], model.body_inertia[order]]))


def take(model, data, steps):
    """So many steps in one call: the processor time, negative when MuJoCo warned of bad numbers."""
    begin = time.thread_time()
    mujoco.mj_step(model, data, steps)
    took = time.thread_time() - begin
    return -1.0 if any(data.warning[w].number for w in bad) else took


def step(name):
    model, data, order, _ = worlds[name]
    took = take(model, data, 1)
    # Poses and velocities after the step; mj_step leaves those of its start.
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    mujoco.mj_comVel(model, data)
    spin, speed = data.cvel[order, :3], data.cvel[order, 3:]
    reach = data.xpos[order] - data.subtree_com[model.body_rootid[order]]
    write(took)
    write(np.column_stack([data.xpos[order], data.xquat[order], speed + np.cross(spin, reach), spin]))


def replay(name, steps):
    model, data, _, rates = worlds[name]
    mujoco.mj_resetData(model, data)
    data.qvel[:] = rates
    write(take(model, data, int(steps)))


sink.write((mujoco.__version__ + "\n").encode())
sink.flush()
for line in iter(source.readline, b""):
    command, name, *rest = line.decode().split()
    try:
        if command == "load":
            load(name, rest[0], rest[1:])
        elif command == "replay":
            replay(name, rest[0])
        elif command == "step":
            step(name)
        else:
            worlds.pop(name, None)
    except ValueError as error:
        sink.write((str(error).replace("\n", " ") + "\n").encode())
    sink.flush()
