"""Sweeps from Python: the same rows wherever they run, and what is killed goes on."""

import concurrent.futures
import json
import multiprocessing
import os
import pathlib
import signal
import subprocess

import pytest

import taut

TAUT = pathlib.Path(os.environ.get("TAUT", pathlib.Path(__file__).parents[2] / "target" / "debug" / "taut"))
CHAIN = {"scene": "chain", "vary": {"ratio": [1, 1e3, 1e6], "joint": ["ball", "hinge"]}, "seeds": 6, "time": 2}


def rows(frame):
    """Rows with every bit: texts of JSON."""
    return frame.to_json(orient="records", double_precision=15), frame["state_hash"].tolist()


@pytest.fixture(scope="module")
def local(tmp_path_factory):
    """A sweep on the threads of this process, and the bytes of its table."""
    out = tmp_path_factory.mktemp("local") / "runs.parquet"
    frame = taut.sweep(**CHAIN, out=out)
    assert len(frame) == 36 and frame["state_hash"].nunique() == 36
    return frame, out.read_bytes()


def pool(workers=2):
    return concurrent.futures.ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"))


def test_rows_are_those_of_the_command(local, tmp_path):
    if not TAUT.exists():
        pytest.skip(f"{TAUT} is not built")
    out = tmp_path / "runs.parquet"
    args = ["sweep", "chain", "--vary", "ratio=log:1:1e6:3", "--vary", "joint=ball,hinge", "--seeds", "6", "--time", "2"]
    subprocess.run([TAUT, *args, "--out", out], check=True, capture_output=True)
    assert out.read_bytes() == local[1]


def test_rows_are_the_same_in_other_processes(local, tmp_path):
    out = tmp_path / "runs.parquet"
    with pool() as executor:
        frame = taut.sweep(**CHAIN, client=executor, out=out)
    assert out.read_bytes() == local[1]
    assert rows(frame) == rows(local[0])
    # And without a file.
    assert rows(taut.sweep(**CHAIN, workers=1)) == rows(local[0])


def test_a_pool_whose_worker_is_killed_goes_on_with_another(local, tmp_path):
    out = tmp_path / "runs.parquet"
    heard = []

    def progress(done, total):
        heard.append(done)
        if len(heard) == 5:
            victim = next(iter(executor._processes))
            os.kill(victim, signal.SIGKILL)

    long = {**CHAIN, "time": 60}
    whole = tmp_path / "whole.parquet"
    taut.sweep(**long, out=whole)
    executor = pool()
    with pytest.raises(concurrent.futures.process.BrokenProcessPool), executor:
        taut.sweep(**long, client=executor, out=out, progress=progress)
    assert not out.exists() and 5 <= len(heard) < 36
    kept = len(heard)
    with pool() as executor:
        taut.sweep(**long, client=executor, out=out, progress=lambda done, total: heard.append(done))
    # Nothing was done twice.
    assert heard[kept:] == list(range(kept + 1, 37))
    assert out.read_bytes() == whole.read_bytes()


def test_a_dask_cluster_whose_worker_is_killed_gives_the_same(local, tmp_path):
    distributed = pytest.importorskip("distributed")
    out = tmp_path / "runs.parquet"
    long = {**CHAIN, "time": 60}
    whole = tmp_path / "whole.parquet"
    taut.sweep(**long, out=whole)
    cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with cluster, distributed.Client(cluster) as client:
        heard = []

        def progress(done, total):
            heard.append(done)
            if len(heard) == 5:
                os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)

        frame = taut.sweep(**long, client=client, out=out, progress=progress)
    assert heard == list(range(1, 37))
    assert frame["run"].tolist() == list(range(36))
    assert out.read_bytes() == whole.read_bytes()


def test_worlds_and_files_are_swept(tmp_path, pendulum):
    world, _, _ = pendulum
    masses = [1.0, 2.0, 4.0]
    frame = taut.sweep(world, {"bodies.ball.mass": masses}, signals=["pin"], dt=0.01, time=2)
    assert frame["verdict"].tolist() == ["stable"] * 3
    force = frame["joint.pin.force [N] max"]
    assert force[2] > 3 * force[0]
    path = tmp_path / "pendulum.json"
    world.save(path)
    again = taut.sweep(path, {"bodies.ball.mass": masses}, signals=["pin"], dt=0.01, time=2)
    assert rows(again) == rows(frame)
    drawn = taut.sweep(path, {"bodies.ball.mass": "uniform:1:2"}, seeds=range(3, 8), time=0.1)
    assert drawn["seed"].tolist() == [3, 4, 5, 6, 7] and drawn["bodies.ball.mass"].between(1, 2).all()
    world.step()
    with pytest.raises(taut.InputError, match="has run for"):
        taut.sweep(world, {"bodies.ball.mass": masses})


def test_bad_sweeps_are_refused(tmp_path):
    for change, words in [
        ({"scene": "chian"}, "did you mean chain"),
        ({"vary": {"ratoi": [1]}}, "did you mean ratio"),
        ({"vary": {"ratio": []}}, "at least one"),
        ({"vary": {"ratio": 3}}, "a list of values"),
        ({"vary": {"ratio": [float("nan")]}}, "finite"),
        ({"vary": {"ratio": "log:0:1:3"}}, "above zero"),
        ({"vary": {"ratio": [None]}}, "a number, a word"),
        ({"seeds": 0}, "a number of seeds"),
        ({"signals": ["laod"]}, "expected the name of"),
        ({"client": 3}, "Dask client"),
        ({"out": "runs.txt"}, "parquet"),
    ]:
        with pytest.raises(taut.InputError, match=words):
            taut.sweep(**{**CHAIN, "time": 0.1, **change})
    out = tmp_path / "runs.csv"
    taut.sweep("chain", time=0.1, out=out)
    with pytest.raises(taut.InputError, match="overwrite=True"):
        taut.sweep("chain", time=0.1, out=out)
    assert len(taut.sweep("chain", time=0.1, out=out, overwrite=True)) == 1


def test_a_run_that_fails_is_a_row():
    frame = taut.sweep("chain", {"solver": ["auto", "minres"]}, set={"stabiliser": "full"}, time=0.1)
    assert frame["verdict"].tolist() == ["stable", "failed"]
    assert "minres" in json.loads(frame.to_json(orient="records"))[1]["message"]
