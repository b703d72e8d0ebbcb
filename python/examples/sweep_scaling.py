"""How a sweep scales: prints runs per second with one and two workers, and the processor time that the calling process spends on each.

    tools/python.sh --run python/examples/sweep_scaling.py

Threads run in the calling process: there it is the time of the run itself, which stays the same as long as workers do not stand in each
other's way. Else it is what handing out a task and keeping its row costs. It takes about a minute. It needs `distributed` for the lines of
Dask. A line is the best of several tries, as other programs take time.
"""

import concurrent.futures
import multiprocessing
import time

import taut

# Runs of some tens of milliseconds, which a worker is busy with, and of one step, which are nothing but hand-over.
LONG = {"scene": "mobile-crane", "vary": {"load": "lin:5000:20000:8"}, "seeds": 4, "time": 10}
SHORT = {"scene": "chain", "vary": {"ratio": "lin:1:2:2"}, "seeds": 500, "time": 0.01}
TRIES = 5


def rate(sweep, **where):
    """Runs per second, from the first row to the last, so that the start of workers does not count; and time of this process, s."""
    times, begin = [], time.process_time()
    taut.sweep(**sweep, progress=lambda done, total: times.append(time.perf_counter()), **where)
    return (len(times) - 1) / (times[-1] - times[0]), (time.process_time() - begin) / len(times)


def line(name, count, **where):
    runs = max(rate(LONG, **where)[0] for _ in range(TRIES))
    own = min(rate(LONG if name == "threads" else SHORT, **where)[1] for _ in range(TRIES))
    print(f"| {name} | {count} | {runs:.1f} | {1e3 * own:.3g} |", flush=True)


def pool(workers):
    return concurrent.futures.ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"))


def main():
    print("| workers | | runs of 10 s of the crane, 1/s | processor time of the calling process per run, ms |")
    print("|---|---|---|---|")
    for workers in (1, 2):
        line("threads", workers, workers=workers)
    for workers in (1, 2):
        with pool(workers) as client:
            line("processes", workers, client=client)
    try:
        import distributed
    except ImportError:
        print("Dask is left out: distributed is not installed")
        return
    for workers in (1, 2):
        cluster = distributed.LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None)
        with cluster, distributed.Client(cluster) as client:
            line("Dask", workers, client=client)


if __name__ == "__main__":
    main()
