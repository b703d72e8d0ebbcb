"""Worlds in Rerun (https://rerun.io): a thin layer over the package `rerun-sdk`, which is loaded when it is needed."""

import numpy as np

from . import _taut
from ._view import stepped as _stepped

__all__ = ["Log", "log"]

_MISSING = "taut.rerun needs the package rerun-sdk: pip install rerun-sdk"


def _sdk():
    try:
        import rerun
    except ImportError as error:
        raise ImportError(_MISSING) from error
    return rerun


class Log:
    """A world in a recording of Rerun. Shapes are logged once, when it is made; `log` logs the world as it is at that time."""

    def __init__(self, world, recording=None, root="world"):
        """`recording` is a `rerun.RecordingStream`; without one a new one is made. `root` stands before all names."""
        self._rr = _sdk()
        self._world, self._root = world, root
        self._recording = self._rr.RecordingStream("taut") if recording is None else recording
        self._drawing = _taut._Drawing(world)
        self._names = _names(name or "body" for name, _, _ in self._drawing.bodies)
        self._lines = set()
        up = -np.asarray(world.options.gravity)
        axis = "XYZ"[int(np.argmax(np.abs(up)))]
        if up.any():
            self._put([], getattr(self._rr.ViewCoordinates, f"RIGHT_HAND_{axis}_{'UP' if up.max() >= -up.min() else 'DOWN'}"), static=True)
        meshes = self._drawing.meshes
        for name, (_, _, parts) in zip(self._names, self._drawing.bodies):
            for k, ((mesh, half_space), (place, turn)) in enumerate(parts):
                if half_space:
                    continue
                corners, triangles = meshes[mesh]
                where = ["bodies", name, f"shape {k}"]
                self._put(where, self._rr.Transform3D(translation=place, quaternion=turn), static=True)
                triangles = np.reshape(triangles, (-1, 3))
                self._put(where, self._rr.Mesh3D(vertex_positions=corners, triangle_indices=triangles), static=True)

    @property
    def recording(self):
        """The recording that is logged to."""
        return self._recording

    def _put(self, where, what, static=False):
        self._rr.log([self._root, *where], what, static=static, recording=self._recording)

    def log(self, report=None):
        """Logs poses, ropes, deformables, forces (N) and gaps (m) of joints, at the time of the world. With the report of a step also
        energies (J) and the largest gap (m)."""
        rr, world = self._rr, self._world
        rr.set_time("sim_time", duration=world.time, recording=self._recording)
        now = self._drawing.moment(world)
        for name, pose in zip(self._names, now["poses"]):
            self._put(["bodies", name], rr.Transform3D(translation=pose[:3], quaternion=pose[3:7]))
        self._strips("rods", now["rods"][:, :6])
        self._strips("ropes", now["ropes"][:, :6])
        cloth, skin = self._drawing.surfaces
        for name, places, triangles in (("cloth", now["poses"][:, :3], cloth), ("deformables", now["nodes"], skin)):
            if triangles:
                self._put([name], rr.Mesh3D(vertex_positions=places, triangle_indices=np.reshape(triangles, (-1, 3))))
        joints = [world.joint(j) for j in world.joint_ids()]
        for name, joint in zip(_names(j.name or "joint" for j in joints), joints):
            self._put(["joints", name, "force"], rr.Scalars(float(np.linalg.norm(joint.force))))
            self._put(["joints", name, "gap"], rr.Scalars(float(joint.gap)))
        if report is not None:
            for of in ("kinetic", "gravity", "elastic", "total"):
                self._put(["energy", of], rr.Scalars(float(getattr(report.energy, of))))
            self._put(["max_gap"], rr.Scalars(float(report.max_gap)))

    def _strips(self, name, pieces):
        strips = []
        for ends in pieces.reshape(-1, 2, 3):
            if strips and np.array_equal(strips[-1][-1], ends[0]):
                strips[-1].append(ends[1])
            else:
                strips.append([*ends])
        # What is no longer there is cleared.
        if strips or name in self._lines:
            self._put([name], self._rr.LineStrips3D(strips))
            self._lines.add(name)


def _names(names):
    """Names, each once."""
    taken, out = set(), []
    for name in names:
        own, k = name, 2
        while own in taken:
            own, k = f"{name} {k}", k + 1
        taken.add(own)
        out.append(own)
    return out


def log(world, time=0.0, h=None, fps=60, watch=None, save=None, spawn=False, recording=None, root="world"):
    """Runs a world for `time` seconds (none: as it stands) and logs it to Rerun; returns the recording.

    `h` is the step, s; `fps` moments are logged for a second of simulated time. `watch(world, report)` is called after each step and
    may act on the world. `save` is the path of a file (.rrd) to write, `spawn` opens the viewer. The world has run afterwards; log a
    copy (`copy.copy`) to keep it as it is.
    """
    rr = _sdk()
    recording = rr.RecordingStream("taut") if recording is None else recording
    if save is not None:
        recording.save(save)
    elif spawn:
        recording.spawn()
    into = Log(world, recording, root)
    into.log()
    h = world.default_step if h is None else h
    every = max(1, round(1 / (fps * h)))
    for k, report in _stepped(world, round(time / h), h, watch):
        if k % every == 0:
            into.log(report)
    recording.flush()
    return recording
