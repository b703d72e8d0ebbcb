"""What is logged to Rerun: by a double that keeps the calls, and by the package itself where it is installed."""

import sys
import types

import numpy as np
import pytest

import taut
import taut.rerun


class Double(types.ModuleType):
    """A double of the package `rerun` that keeps what is logged, with the time it is logged at."""

    def __init__(self):
        super().__init__("rerun")
        self.logged, self.now, self.saved = [], None, []
        for name in ("Transform3D", "Mesh3D", "LineStrips3D", "Scalars"):
            setattr(self, name, self._archetype(name))
        self.ViewCoordinates = types.SimpleNamespace(RIGHT_HAND_Y_UP="y up", RIGHT_HAND_Z_UP="z up")
        double = self

        class RecordingStream:
            def __init__(self, name):
                self.name = name

            def save(self, path):
                double.saved.append(path)

            def flush(self):
                pass

        self.RecordingStream = RecordingStream

    def _archetype(self, name):
        return lambda *args, **named: (name, args, named)

    def set_time(self, timeline, *, duration, recording):
        assert timeline == "sim_time"
        self.now = duration

    def log(self, path, what, *, static, recording):
        self.logged.append((tuple(path), None if static else self.now, what))

    def at(self, *path):
        return [(time, what) for where, time, what in self.logged if where == ("world", *path)]


@pytest.fixture
def double(monkeypatch):
    module = Double()
    monkeypatch.setitem(sys.modules, "rerun", module)
    return module


def test_shapes_are_logged_once_and_poses_at_each_time(double):
    world = taut.World()
    ball = world.add(taut.Body.solid(taut.Shape.ball(0.5), 100, at=(1, 0, 0), named="ball"))
    world.add(taut.Ball.between(ball, world.ground, at=(0, 0, 0), named="pin"))
    seen = []
    taut.rerun.log(world, 0.1, h=0.01, fps=50, watch=lambda w, r: seen.append(r.time), save="run.rrd")
    assert double.saved == ["run.rrd"] and len(seen) == 10
    meshes = [path for path, time, what in double.logged if what[0] == "Mesh3D"]
    assert meshes and all(time is None for path, time, what in double.logged if what[0] == "Mesh3D")
    assert len(meshes) == len(set(meshes))
    poses = double.at("bodies", "ball")
    assert [time for time, _ in poses] == pytest.approx([0, 0.02, 0.04, 0.06, 0.08, 0.1])
    assert poses[-1][1][2]["translation"] == pytest.approx(world.body(ball).position, abs=1e-6)
    force = double.at("joints", "pin", "force")[-1][1][1][0]
    assert force == pytest.approx(np.linalg.norm(world.joint_forces[-1]))
    assert [t for t, _ in double.at("energy", "total")] == pytest.approx([0.02, 0.04, 0.06, 0.08, 0.1])
    assert double.at()[0][1] == "y up"


def test_ropes_are_strips_and_names_are_unique(double):
    world = taut.scene("crane")
    into = taut.rerun.Log(world)
    into.log()
    into.log(world.step(0.01))
    bodies = {path for path, time, what in double.logged if len(path) == 3 and path[1] == "bodies"}
    assert len(bodies) == len(into._names)
    strips = taut.rerun.Log.__new__(taut.rerun.Log)
    strips._rr, strips._root, strips._recording, strips._lines = double, "world", None, set()
    strips._strips("ropes", np.array([[0, 0, 0, 1, 0, 0], [1, 0, 0, 1, 1, 0], [5, 0, 0, 6, 0, 0]], dtype=float))
    lines = double.at("ropes")[-1][1][1][0]
    assert [len(line) for line in lines] == [3, 2]
    strips._strips("ropes", np.zeros((0, 6)))
    assert double.at("ropes")[-1][1][1][0] == []


def test_without_the_package_the_error_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "rerun", None)
    with pytest.raises(ImportError, match="pip install rerun-sdk"):
        taut.rerun.log(taut.World())


def test_with_the_package_itself(tmp_path):
    rerun = pytest.importorskip("rerun", reason="rerun-sdk is 500 MB: pip install it to run this")
    assert rerun.__version__
    for name in ("crane", "cloth"):
        path = tmp_path / f"{name}.rrd"
        taut.rerun.log(taut.scene(name), 0.1, save=path)
        assert path.stat().st_size > 1000
