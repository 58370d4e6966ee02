# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes collections that take three times the memory of the workers, with what Dask spills by itself and with
memshape.dask.spill, each in a fresh LocalCluster, and prints what both wrote and read, sizes in MiB, medians. For the
Python of scripts/python-environment."""

import contextlib
import statistics
import tempfile
import time

import dask
import dask.array as da
import distributed
import memshape.dask
import numpy

from .harness import end, head, row

MIB = 2**20
CHUNK = 1024  # of doubles: 8 MiB
FIGURES = ("seconds", "written", "read", "to_disk", "from_disk")


def field(bytes_of_all):
    """Standard normal numbers: a matrix in square blocks."""
    count = round((bytes_of_all / 8 / CHUNK**2)**0.5)
    return da.random.default_rng(17).standard_normal((count * CHUNK, count * CHUNK), chunks=(CHUNK, CHUNK))


def anomalies(matrix):
    """The spread of what remains when the mean of each column is taken off: all blocks are used twice."""
    return ((matrix - matrix.mean(axis=0))**2).mean()


def power(matrix):
    """Four steps of the power method for the greatest singular value: all blocks are used eight times."""
    vector = da.ones(matrix.shape[1], chunks=CHUNK)
    for _ in range(4):
        vector = matrix.T @ (matrix @ vector)
        vector = vector / da.sqrt((vector**2).sum())
    return da.sqrt(((matrix @ vector)**2).sum())


def transposed(matrix):
    """Sums of sorted columns beside sorted rows: blocks are cut and put together again both ways."""
    rows = da.map_blocks(numpy.sort, matrix.rechunk((CHUNK // 4, -1)), axis=1, dtype=float)
    columns = da.map_blocks(numpy.sort, rows.rechunk((-1, CHUNK // 4)), axis=0, dtype=float)
    return (columns[::7] * columns[::7]).sum()


COLLECTIONS = {each.__name__: each for each in (anomalies, power, transposed)}


def arguments(parser):
    parser.add_argument("--runs", type=int, default=3, help="of each collection, by turns")
    parser.add_argument("--limit", type=int, default=500, help="of each of two workers, MiB")
    parser.add_argument("--folder", default="/var/tmp", help="on a disk")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(COLLECTIONS))


def done_by(dask_worker):
    """What a worker wrote and read, as it counts, and as the kernel does."""
    with open("/proc/self/io", encoding="ascii") as file:
        kernel = dict(line.split(": ") for line in file.read().splitlines())
    counted = dask_worker.data.cumulative_metrics
    return [counted["disk-write", "bytes"], counted["disk-read", "bytes"], int(kernel["write_bytes"]),
            int(kernel["read_bytes"])]


def computed(collection, limit, folder, by_dask):
    """({figure: of all workers}, the result)"""
    config = {"temporary-directory": folder, "distributed.scheduler.worker-saturation": 1.1,
              "array.rechunk.method": "tasks"}
    with dask.config.set(config), \
            distributed.LocalCluster(n_workers=2, threads_per_worker=1, memory_limit=limit,
                                     dashboard_address=None) as cluster, \
            distributed.Client(cluster) as client, contextlib.ExitStack() as closing:
        if not by_dask:
            closing.enter_context(memshape.dask.spill(client))
        processes = client.run(lambda dask_worker: dask_worker.name)
        start = time.monotonic()
        result = float(client.compute(collection, optimize_graph=True).result())
        seconds = time.monotonic() - start
        figures = client.run(done_by)
        return {"killed": set(processes) != set(figures), **dict(zip(FIGURES,
                                                                     [seconds,
                                                                      *map(sum, zip(*figures.values()))]))}, result


def measure(use):
    if unknown := set(use.names) - set(COLLECTIONS):
        end(f"there is no collection {', '.join(sorted(unknown))}")
    head("collection", "spilled by", "runs that lost a worker", "seconds", "written", "read", "of that to the disk",
         "from the disk")
    for name in use.names or COLLECTIONS:
        asked, runs, results = COLLECTIONS[name](field(3 * 2 * use.limit * MIB)), {"Dask": [], "memshape": []}, []
        for _ in range(use.runs):
            for who, all_of_it in runs.items():
                with tempfile.TemporaryDirectory(dir=use.folder) as folder:
                    figures, result = computed(asked, use.limit * MIB, folder, who == "Dask")
                all_of_it.append(figures)
                results.append(result)
        if not numpy.allclose(results, results[0], rtol=1e-9):
            end(f"{name}: the results differ, {sorted(set(results))}")
        for who, all_of_it in runs.items():
            middle = {key: statistics.median(each[key] for each in all_of_it) for key in FIGURES}
            row(name, who, sum(each["killed"] for each in all_of_it), f"{middle.pop('seconds'):.1f}",
                *(f"{each / MIB:.0f}" for each in middle.values()))
    return 0
