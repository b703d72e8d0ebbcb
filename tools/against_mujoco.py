#!/usr/bin/env python3
"""Taut against MuJoCo on public models: masses, mass matrices, accelerations and free motion, in one run.

    cargo build --release
    python3 tools/against_mujoco.py

makes a virtual environment of its own (target/against-mujoco) with `mujoco` and packages that ship models, and prints a table.
Nothing is copied into the repository. With a name it runs only the models whose path holds that name.

What is compared, from the same start at rest:

- masses: the mass of every body with all that is fixed to it;
- J: whether the rates of the joints move the bodies alike (the Jacobians of all centres of mass span the same velocities);
- M: the mass matrix of Taut's `World::dynamics` (`taut inspect --json`) against `mj_fullM`, in MuJoCo's rates; the next column is the
  largest armature, as all columns in parts of the largest entry. That of free joints is left out, which Taut does not take over;
- a: accelerations of the bodies from rest (`Dynamics::forward` against `qacc`), in parts of the largest, or of 1;
- motion: where centres of mass are after a time, without contacts, limits and dry friction in both, from random rates of up to 1 rad/s
  or m/s that constraints let through. MuJoCo runs with RK4 at a tenth of the step or less; Taut at the step and at half of it, so that
  the order of what is left shows. The way is how far the body that goes farthest went, m.
"""

import argparse
import csv
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
HOME = ROOT / "target" / "against-mujoco"
PACKAGES = ["mujoco", "dm_control", "gymnasium", "example-robot-data"]

# Models by package, as paths in site-packages. URDFs are read by MuJoCo too.
MODELS = [
    "dm_control/suite/pendulum.xml",
    "dm_control/suite/acrobot.xml",
    "dm_control/suite/cartpole.xml",
    "dm_control/suite/reacher.xml",
    "dm_control/suite/hopper.xml",
    "dm_control/suite/walker.xml",
    "dm_control/suite/cheetah.xml",
    "dm_control/suite/finger.xml",
    "dm_control/suite/ball_in_cup.xml",
    "dm_control/suite/humanoid.xml",
    "dm_control/suite/humanoid_CMU.xml",
    "dm_control/suite/quadruped.xml",
    "dm_control/suite/stacker.xml",
    "gymnasium/envs/mujoco/assets/ant.xml",
    "gymnasium/envs/mujoco/assets/swimmer.xml",
    "gymnasium/envs/mujoco/assets/inverted_double_pendulum.xml",
    "gymnasium/envs/mujoco/assets/pusher.xml",
    "cmeel.prefix/share/example-robot-data/robots/panda_description/urdf/panda.urdf",
    "cmeel.prefix/share/example-robot-data/robots/ur_description/urdf/ur5_robot.urdf",
    "cmeel.prefix/share/example-robot-data/robots/z1_description/urdf/z1.urdf",
    "cmeel.prefix/share/example-robot-data/robots/talos_data/robots/talos_reduced.urdf",
    "cmeel.prefix/share/example-robot-data/robots/solo_description/robots/solo12.urdf",
]

# Models of this repository, for what those have little of: copies (`replicate`), height fields, tendons round geoms and over pulleys.
OWN = ["crates/taut-import/files/terrain.xml", "crates/taut-import/files/tendons.xml"]



def venv():
    """Runs this file again in its own environment."""
    try:
        import mujoco  # noqa: F401

        return
    except ImportError:
        pass
    python = HOME / "bin" / "python"
    # Only an environment that is complete is used; one whose making was cut off is made again.
    ready = HOME / "ready"
    if not ready.exists():
        print(f"making {HOME.relative_to(ROOT)} with {', '.join(PACKAGES)}", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", str(HOME)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
        subprocess.run([str(python), "-c", "import mujoco"], check=True)
        ready.touch()
    os.execv(str(python), [str(python), *sys.argv])


def taut(program, *args):
    done = subprocess.run([str(program), *map(str, args)], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"status {done.returncode}")
    return done.stdout


def without_bounds(path):
    """Takes limits and dry friction off the joints of a scene file."""
    scene = json.loads(path.read_text())
    scene.pop("ropes", None)
    scene.pop("sheaves", None)
    scene["joints"] = [j for j in scene.get("joints", []) if j["type"] != "rope"]
    for joint in scene["joints"]:
        joint.pop("limits", None)
        joint.pop("friction", None)
    path.write_text(json.dumps(scene))


def load(mujoco, path):
    """MuJoCo's model without contacts, limits and dry friction."""
    if path.suffix == ".urdf":
        # MuJoCo looks for meshes in the folder of the file and does not know packages; what is compared needs none.
        import xml.etree.ElementTree as tree

        root = tree.parse(path).getroot()
        for link in root.iter("link"):
            for kind in ("visual", "collision"):
                for part in link.findall(kind):
                    link.remove(part)
        extra = tree.SubElement(root, "mujoco")
        tree.SubElement(extra, "compiler", {"fusestatic": "false", "discardvisual": "true"})
        model = mujoco.MjModel.from_xml_string(tree.tostring(root, encoding="unicode"))
    else:
        model = mujoco.MjModel.from_xml_path(str(path))
    off = mujoco.mjtDisableBit
    model.opt.disableflags |= off.mjDSBL_CONTACT | off.mjDSBL_LIMIT | off.mjDSBL_FRICTIONLOSS
    # What Taut does not take over is left out: forces of fluids.
    model.opt.density = model.opt.viscosity = 0
    # Constraints of MuJoCo are springs; these are as stiff as its step allows, for those of Taut are rigid.
    model.eq_solref[:] = [4e-4, 1]
    model.eq_solimp[:] = [0.9999, 0.9999, 0.001, 0.5, 2]
    return model


def names(mujoco, model):
    """For each moving body, with what is fixed to it: its name as Taut has it, and the bodies."""
    out = {}
    for k in range(1, model.nbody):
        top = model.body_weldid[k]
        if top == 0:
            continue
        name = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_BODY, int(top)) or f"body {top}"
        out.setdefault(name, []).append(k)
    return out


def centre(model, data, bodies):
    mass = sum(model.body_mass[k] for k in bodies)
    return sum(model.body_mass[k] * data.xipos[k] for k in bodies) / mass


def motions(np, mujoco, model, data, groups, bodies):
    """Velocities and angular velocities of the bodies' centres of mass, rows, by MuJoCo's velocities, columns."""
    rows = []
    for name in bodies:
        group = groups[name]
        point = centre(model, data, group)
        linear, angular = np.zeros((3, model.nv)), np.zeros((3, model.nv))
        mujoco.mj_jac(model, data, linear, angular, point, int(group[0]))
        rows += [linear, angular]
    return np.vstack(rows)


def compare(program, path, time, dt):
    import mujoco
    import numpy as np

    model = load(mujoco, path)
    data = mujoco.MjData(model)
    out = {"model": path.stem, "freedoms": model.nv}
    groups = names(mujoco, model)
    with tempfile.TemporaryDirectory() as folder:
        scene = pathlib.Path(folder) / "scene.json"
        taut(program, "convert", path, scene, "--no-contacts")
        without_bounds(scene)
        known = json.loads(taut(program, "inspect", scene, "--json"))
        bodies = {b["name"]: b for b in known["bodies"] if b["name"] in groups}
        # Taut starts joints that are outside their limits at the nearest, and mimics where they follow.
        starts(np, mujoco, model, data, groups, bodies)
        mujoco.mj_forward(model, data)
        out["start"] = max(np.abs(centre(model, data, groups[n]) - b["center"]).max() for n, b in bodies.items())
        out["mass"] = max(abs(sum(model.body_mass[k] for k in groups[n]) / b["mass"] - 1) for n, b in bodies.items())
        full = np.zeros((model.nv, model.nv))
        armature = model.dof_armature
        for j in range(model.njnt):
            if int(model.jnt_type[j]) == int(mujoco.mjtJoint.mjJNT_FREE):
                armature[model.jnt_dofadr[j] : model.jnt_dofadr[j] + 6] = 0

        def matrix():
            if hasattr(data, "qM"):  # before MuJoCo 4
                mujoco.mj_fullM(model, full, data.qM)
            else:
                mujoco.mj_fullM(model, data, full)
            return full

        start = data.qpos.copy()
        # Diagonals of simple bodies are kept from when the model was compiled.
        mujoco.mj_setConst(model, mujoco.MjData(model))
        data.qpos[:] = start
        mujoco.mj_forward(model, data)
        theirs = matrix().copy()
        # Both programs' velocities of the bodies by their own rates; what leads from one rate to the other follows.
        ours = np.vstack([bodies[n]["jacobian"] for n in bodies])
        jacobian = motions(np, mujoco, model, data, groups, list(bodies))
        rates = np.linalg.lstsq(ours, jacobian, rcond=None)[0]
        out["J"] = np.abs(ours @ rates - jacobian).max() / np.abs(jacobian).max()
        mapped = rates.T @ np.array(known["mass_matrix"]) @ rates
        out["M"] = np.abs(mapped - theirs).max() / np.abs(theirs).max()
        out["armature"] = armature.max(initial=0.0) / np.abs(theirs).max()
        theirs_a = jacobian @ data.qacc
        out["a"] = np.abs(ours @ known["acceleration"] - theirs_a).max() / max(np.abs(theirs_a).max(), 1.0)
        # The motion begins with rates of about 1 rad/s and m/s, the same in every run.
        rate = np.random.default_rng(1).uniform(-1, 1, model.nv)
        rate = tied(np, mujoco, model, data, rate)
        data.qvel[:] = rate
        moving(np, scene, known, rates @ rate)
        out.update(paths(np, mujoco, program, scene, model, data, groups, list(bodies), time, dt))
    return out


def starts(np, mujoco, model, data, groups, bodies):
    """Turns MuJoCo's joints to where Taut starts them: hinges and slides whose range leaves out the reference, and followers."""
    for j in range(model.njnt):
        single = int(model.jnt_type[j]) in (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE))
        if single and model.jnt_limited[j]:
            at = model.jnt_qposadr[j]
            low, high = model.jnt_range[j]
            data.qpos[at] = min(max(data.qpos[at], low), high)
    mujoco.mj_forward(model, data)


def tied(np, mujoco, model, data, rate):
    """The rates that equality constraints let through."""
    model.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
    mujoco.mj_forward(model, data)
    if data.ne == 0:
        return rate
    rows = np.array(data.efc_J).reshape(-1, model.nv)[: data.ne]
    return rate - np.linalg.pinv(rows) @ (rows @ rate)


def moving(np, scene, known, rates):
    """Gives the bodies of a scene file the velocities that go with rates of Taut's freedoms."""
    file = json.loads(scene.read_text())
    by_name = {b["name"]: np.array(b["jacobian"]) @ rates for b in known["bodies"]}
    for body in file["bodies"]:
        if body["name"] in by_name:
            v = by_name[body["name"]].tolist()
            body["velocity"], body["angular_velocity"] = v[:3], v[3:]
    scene.write_text(json.dumps(file))


def paths(np, mujoco, program, scene, model, data, groups, bodies, time, dt):
    """The largest distance of centres of mass from MuJoCo's after the time, m, at the step and at half of it; and how far they went."""
    follow = [n for n in bodies if "," not in n]
    before = np.array([centre(model, data, groups[n]) for n in follow])
    begin = (data.qpos.copy(), data.qvel.copy())
    integrators = mujoco.mjtIntegrator
    # Light bodies with dampers are stiff: RK4 diverges, and MuJoCo starts again.
    for integrator, parts in ((integrators.mjINT_RK4, 10), (integrators.mjINT_IMPLICITFAST, 100)):
        mujoco.mj_resetData(model, data)
        data.qpos[:], data.qvel[:] = begin
        model.opt.integrator, model.opt.timestep = integrator, dt / parts
        for _ in range(round(time / model.opt.timestep)):
            mujoco.mj_step(model, data)
        if not any(data.warning[k].number for k in range(len(data.warning))):
            break
    else:
        return {"way": "MuJoCo diverges"}
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    after = np.array([centre(model, data, groups[n]) for n in follow])
    out = {"way": float(np.linalg.norm(after - before, axis=1).max())}
    for name, step in (("x(h)", dt), ("x(h/2)", dt / 2)):
        text = taut(program, "run", scene, "--time", time, "--dt", step, "--csv", "-", "--signals", ",".join(follow), "--quiet")
        last = list(csv.DictReader(io.StringIO(text)))[-1]
        ours = np.array([[float(last[f"body.{n}.{c} [m]"]) for c in "xyz"] for n in follow])
        out[name] = float(np.linalg.norm(ours - after, axis=1).max())
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("only", nargs="?", default="", help="models whose path holds this")
    parser.add_argument("--taut", type=pathlib.Path, default=ROOT / "target" / "release" / "taut")
    parser.add_argument("--time", type=float, default=1.0, help="of the motion, s")
    parser.add_argument("--dt", type=float, default=1e-3, help="step of Taut, s")
    parser.add_argument("--site", type=pathlib.Path, help="folder with the packages; default: that of mujoco")
    args = parser.parse_args()
    import mujoco

    site = args.site.resolve() if args.site else pathlib.Path(mujoco.__file__).resolve().parent.parent
    program = args.taut.resolve()
    # MuJoCo writes its log into the folder it runs in.
    HOME.mkdir(parents=True, exist_ok=True)
    os.chdir(HOME)
    columns = ["model", "freedoms", "mass", "start", "J", "M", "armature", "a", "way", "x(h)", "x(h/2)"]
    print(f"MuJoCo {mujoco.__version__}; {args.time} s of free motion, h = {args.dt} s")
    print("| " + " | ".join(columns) + " |\n|" + "---|" * len(columns))
    failed = 0
    for name in [m for m in MODELS + OWN if args.only in m]:
        try:
            found = compare(program, (ROOT if name in OWN else site) / name, args.time, args.dt)
        except Exception as e:  # a model that one of the two refuses is told, and the rest goes on
            print(f"| {pathlib.Path(name).stem} | {type(e).__name__}: {e} |")
            failed += 1
            continue
        cell = lambda x: "-" if x is None else x if isinstance(x, str) else str(x) if isinstance(x, int) else f"{x:.1e}"
        print("| " + " | ".join(cell(found.get(c)) for c in columns) + " |", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    venv()
    sys.exit(main())
