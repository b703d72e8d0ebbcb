"""Sweeps: many runs of one scene, here or on a cluster."""

import concurrent.futures
import itertools
import json
import os
import pathlib

from . import _taut
from ._errors import InputError

# A job for another process is so much work, s: sending it must not count.
_JOB = 0.25
# The most tasks of a job.
_MOST = 256


def sweep(
    scene,
    vary=None,
    *,
    set=None,
    seeds=None,
    kick=None,
    dt=None,
    time=None,
    signals=None,
    out=None,
    overwrite=False,
    client=None,
    workers=None,
    progress=None,
):
    """Runs a scene with all combinations of some values, and returns a pandas frame with a row for every run.

    `scene` is the name of a scene of the library, the path of a scene file, or a world that has not been stepped. `vary` maps names
    to values: a name is a parameter of the scene, `dt`, `time`, `stabiliser`, `solver` and so on, or a place in a scene file such as
    `bodies.load.mass`; values are a list or an array, or a text as on the command line: `"log:1:1e6:7"`, `"lin:0:10:5"`,
    `"uniform:0.8:1.2"`, `"normal:1:0.05"`, `"seed"`. `set` is the same in all runs.

    `seeds` is a number of perturbed starts of every combination, or a range. `kick` is the standard deviation of the velocities that
    they add, m/s. `signals` lists names of joints, motors, ropes and bodies whose least, largest, mean and last values are told;
    an empty list stands for all. `dt` (s) and `time` (s) default to those of the scene.

    With `out`, a path that ends in .parquet or .csv, what is done is kept beside it until all is: the same call goes on where it was
    after a kill. `overwrite` begins anew.

    `client` runs the tasks elsewhere: a `distributed.Client` of Dask, the module `ray`, or a `concurrent.futures.Executor`. Without it
    they run on `workers` threads of this process, by default one per core. The rows are the same to the last bit wherever they run.
    `progress(done, total)` is called after each run.

    Without pandas the rows are a list of dictionaries.
    """
    plan = _taut._Sweep(json.dumps(_plan(scene, vary or {}, set or {}, seeds, kick, dt, time, signals)))
    journal = None if out is None else _taut._Journal(pathlib.Path(out), plan, overwrite)
    left = list(range(plan.count)) if journal is None else journal.left()
    rows, done = {}, plan.count - len(left)

    def record(text):
        nonlocal done
        if journal is None:
            run = json.loads(text)
            rows[run["run"]] = run["row"]
        else:
            journal.record(text)
        done += 1
        if progress is not None:
            progress(done, plan.count)

    tasks = (plan.task(k) for k in left)
    if client is None:
        with concurrent.futures.ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool:
            _drive(_Futures(pool, workers or os.cpu_count() or 1), tasks, record, job=0.0)
    else:
        _drive(_adapter(client), tasks, record, job=_JOB)
    table = [rows[k] for k in sorted(rows)] if journal is None else [json.loads(row) for row in journal.finish()]
    try:
        import pandas
    except ImportError:
        return table
    return pandas.DataFrame(table)


def _plan(scene, vary, fixed, seeds, kick, dt, time, signals):
    """A sweep as JSON says it."""
    fixed = dict(fixed)
    if isinstance(scene, _taut.World):
        text, lost = scene.to_json()
        if lost:
            raise InputError(f"scene: expected a world that a scene file can hold: {'; '.join(lost)}")
        source = json.loads(_taut._source(text, pathlib.Path()))
        dt = scene.default_step if dt is None and "dt" not in {*fixed, *vary} else dt
        time = scene.default_time if time is None and "time" not in {*fixed, *vary} else time
    else:
        path = pathlib.Path(scene)
        if path.suffix.lower() == ".json" or path.is_file():
            source = json.loads(_taut._source(path.read_text(encoding="utf-8"), path.parent))
        else:
            source = {"library": str(scene)}
    for name, value in [("dt", dt), ("time", time)]:
        if value is not None:
            fixed[name] = value
    if seeds is not None:
        seeds = range(seeds) if isinstance(seeds, int) else seeds
        if not isinstance(seeds, range) or seeds.step != 1 or seeds.start < 0 or len(seeds) == 0:
            raise InputError(f"seeds = {seeds!r}: expected a number of seeds, or a range in steps of one")
        seeds = {"first": seeds.start, "count": len(seeds)}
    return {
        "scene": source,
        "vary": [_axis(name, values) for name, values in vary.items()],
        "set": [[name, _cell(name, value)] for name, value in fixed.items()],
        "seeds": seeds,
        "kick": kick,
        "signals": None if signals is None else [str(name) for name in signals],
    }


def _axis(name, values):
    if isinstance(values, str):
        return json.loads(_taut._axis(f"{name}={values}"))
    try:
        cells = [_cell(name, value) for value in values]
    except TypeError:
        raise InputError(f"{name} = {values!r}: expected a list of values, or a text such as 'log:1:1e6:7'") from None
    if not cells:
        raise InputError(f"{name} = {values!r}: expected at least one value")
    return {"name": str(name), "values": {"list": cells}}


def _cell(name, value):
    """A value as the command line would read it: numbers are floats."""
    if isinstance(value, (bool, str)):
        return value
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise InputError(f"{name} = {value!r}: expected a number, a word or a boolean") from None
    if number - number != 0:
        raise InputError(f"{name} = {value!r}: expected a finite number")
    return number


def _work(tasks):
    """What a worker does."""
    return _taut._run_tasks(tasks)


def _drive(adapter, tasks, record, job):
    """Keeps an executor busy until all tasks are done; a job is about so many seconds of work."""
    pending, size, seconds, runs = [], 1, 0.0, 0
    try:
        while True:
            while len(pending) < adapter.width():
                texts = list(itertools.islice(tasks, size))
                if not texts:
                    break
                pending.append(adapter.submit(_work, texts))
            if not pending:
                return
            done, pending = adapter.wait(pending)
            pending = list(pending)
            for future in done:
                for text in adapter.result(future):
                    record(text)
                    if job:
                        seconds, runs = seconds + json.loads(text)["timing"]["seconds"], runs + 1
            if job and runs:
                size = max(1, min(_MOST, int(job * runs / max(seconds, 1e-9))))
    except BaseException:
        adapter.cancel(pending)
        raise


class _Futures:
    """An executor of `concurrent.futures`. The processes of a pool do not come back when they die: the pool is broken, and the
    same call with another pool goes on."""

    def __init__(self, executor, workers=None):
        self.executor, self.workers = executor, workers or getattr(executor, "_max_workers", None) or os.cpu_count() or 1

    def width(self):
        return 2 * self.workers

    def submit(self, work, tasks):
        return self.executor.submit(work, tasks)

    def wait(self, pending):
        return concurrent.futures.wait(pending, return_when=concurrent.futures.FIRST_COMPLETED)

    def result(self, future):
        return future.result()

    def cancel(self, pending):
        for future in pending:
            future.cancel()


class _Dask:
    """A client of Dask. The tasks of a worker that dies are given to others."""

    def __init__(self, client):
        self.client = client

    def width(self):
        # Workers come and go.
        return 2 * max(1, sum(self.client.nthreads().values()))

    def submit(self, work, tasks):
        return self.client.submit(work, tasks, pure=False, retries=3)

    def wait(self, pending):
        import distributed

        return distributed.wait(pending, return_when="FIRST_COMPLETED")

    def result(self, future):
        return future.result()

    def cancel(self, pending):
        self.client.cancel(list(pending))


class _Ray:
    """The module ray, which is connected to its cluster. The tasks of a worker that dies are given to others."""

    def __init__(self, ray):
        self.ray, self.work = ray, ray.remote(_work)

    def width(self):
        return 2 * max(1, int(self.ray.cluster_resources().get("CPU", 1)))

    def submit(self, work, tasks):
        return self.work.remote(tasks)

    def wait(self, pending):
        return self.ray.wait(list(pending), num_returns=1)

    def result(self, future):
        return self.ray.get(future)

    def cancel(self, pending):
        for future in pending:
            self.ray.cancel(future)


def _adapter(client):
    if isinstance(client, concurrent.futures.Executor):
        return _Futures(client)
    if getattr(client, "__name__", None) == "ray":
        return _Ray(client)
    if hasattr(client, "nthreads") and hasattr(client, "submit"):
        return _Dask(client)
    raise InputError(f"client = {client!r}: expected a Dask client, the module ray or an executor of concurrent.futures")
