# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes collections that take three times the memory of the workers, with what Dask spills by itself and with
memshape.dask.spill, each in a fresh LocalCluster, and prints what both wrote and read: Markdown, sizes in MiB.

Usage: dask_spill.py [--runs 3] [--limit 500] [--folder DIR] [--json OUT] [NAME...]"""

import argparse
import contextlib
import json
import statistics
import sys
import tempfile
import time

import dask
import dask.array as da
import distributed
import memshape.dask
import numpy

MIB = 2**20
CHUNK = 1024  # of doubles: 8 MiB


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


def done_by(dask_worker):
    """What a worker wrote and read, as it counts, and as the kernel does."""
    with open("/proc/self/io", encoding="ascii") as file:
        kernel = dict(line.split(": ") for line in file.read().splitlines())
    counted = dask_worker.data.cumulative_metrics
    return {"written": counted["disk-write", "bytes"], "read": counted["disk-read", "bytes"],
            "to_disk": int(kernel["write_bytes"]), "from_disk": int(kernel["read_bytes"])}


def measured(collection, limit, folder, by_dask):
    """(seconds and bytes of all workers, result)"""
    config = {"temporary-directory": folder, "distributed.scheduler.worker-saturation": 1.1, "array.rechunk.method": "tasks"}
    with dask.config.set(config), \
            distributed.LocalCluster(n_workers=2, threads_per_worker=1, memory_limit=limit, dashboard_address=None) as cluster, \
            distributed.Client(cluster) as client, contextlib.ExitStack() as closing:
        if not by_dask:
            closing.enter_context(memshape.dask.spill(client))
        processes = client.run(lambda dask_worker: dask_worker.name)
        start = time.monotonic()
        result = float(client.compute(collection, optimize_graph=True).result())
        seconds = time.monotonic() - start
        figures = client.run(done_by)
        killed = set(processes) != set(figures)
    return {"seconds": seconds, "killed": killed, **{name: sum(each[name] for each in figures.values())
                                                     for name in ("written", "read", "to_disk", "from_disk")}}, result


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3, help="of each collection, by turns; medians are shown")
    parser.add_argument("--limit", type=int, default=500, help="of each of two workers, MiB")
    parser.add_argument("--folder", default="/var/tmp", help="on a disk")
    parser.add_argument("--json", help="file for all figures, a line for each run")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(COLLECTIONS))
    given = parser.parse_args()
    if unknown := set(given.names) - set(COLLECTIONS):
        parser.error(f"there is no collection {', '.join(sorted(unknown))}")
    print("| collection | spilled by | seconds | written | read | of that to the disk | from the disk |\n"
          "|---|---|---|---|---|---|---|", flush=True)
    for name in given.names or COLLECTIONS:
        asked = COLLECTIONS[name](field(3 * 2 * given.limit * MIB))
        runs = {"Dask": [], "memshape": []}
        first = None
        for _ in range(given.runs):
            for who, all_of_it in runs.items():
                with tempfile.TemporaryDirectory(dir=given.folder) as folder:
                    figures, result = measured(asked, given.limit * MIB, folder, who == "Dask")
                first = result if first is None else first
                if not numpy.isclose(result, first, rtol=1e-9):
                    sys.exit(f"{name}: the results differ, {first} and {result}")
                all_of_it.append(figures)
                if given.json:
                    with open(given.json, "a", encoding="utf-8") as file:
                        file.write(json.dumps({"collection": name, "by": who, "limit": given.limit * MIB, **figures}) + "\n")
        for who, all_of_it in runs.items():
            middle = {key: statistics.median(each[key] for each in all_of_it) for key in all_of_it[0]}
            killed = sum(each["killed"] for each in all_of_it)
            print(f"| {name} | {who} | {middle['seconds']:.1f}{f' ({killed} runs lost a worker)' if killed else ''} | "
                  + " | ".join(f"{middle[key] / MIB:.0f}" for key in ("written", "read", "to_disk", "from_disk")) + " |", flush=True)


if __name__ == "__main__":
    main()
