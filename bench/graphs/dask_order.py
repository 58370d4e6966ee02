#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes collections on one worker with one thread, in Dask's own order and in that of memshape.dask.order, each in a
fresh LocalCluster, and prints the resident peaks of the worker beside the predicted ones: Markdown, sizes in MiB.

Usage: dask_order.py [--runs 3] [--saturation 1.1] [--json OUT] [NAME...]"""

import argparse
import json
import statistics
import sys

import dask
import dask.array as da
import distributed
import memshape.dask
import numpy

MIB = 2**20


def smooth(block):
    """A stencil of five rows."""
    return sum(numpy.roll(block, shift, axis=0) for shift in range(-2, 3)) / 5


def stencils(random):
    """Five stages with a fan-out: two stencils one after the other, a norm of both, three reductions."""
    field = random.random((4096, 4096), chunks=(512, 4096))
    once = da.map_overlap(smooth, field, depth={0: 2}, boundary="none", dtype=field.dtype)
    twice = da.map_overlap(smooth, once, depth={0: 2}, boundary="none", dtype=field.dtype)
    norm = once**2 + twice**2
    return da.stack([norm.sum(axis=0), twice.max(axis=0), once.mean(axis=0)])


def symmetric(random):
    """Sums of the symmetric part of a matrix: each pair of opposite blocks is read twice."""
    matrix = random.random((8192, 8192), chunks=(1024, 1024))
    return ((matrix + matrix.T) / 2).sum(axis=0)


def pyramid(random):
    """Spreads of an image at four resolutions."""
    images = [random.random((8192, 8192), chunks=(1024, 1024))]
    for _ in range(3):
        images.append(da.coarsen(numpy.mean, images[-1].rechunk((1024, 1024)), {0: 2, 1: 2}))
    return da.stack([each.std() for each in images])


def kernel(random):
    """A five-stage fan-out: differences of all pairs of points, their squares, a kernel, two reductions of it."""
    points = random.random(16384, chunks=2048)
    squares = (points[:, None] - points[None, :])**2
    return da.exp(-squares).sum(axis=1) + squares.max(axis=1)


def correlation(random):
    """Sums of a product of blocks of a matrix whose mean was taken off, which is a tree of sums for each block."""
    matrix = random.random((4096, 4096), chunks=(512, 512))
    centred = matrix - matrix.mean(axis=0, keepdims=True)
    return (centred @ centred.T).sum(axis=0)


def product(random):
    """A product of blocks, which is one sum of 16 products."""
    return random.random((1024, 16384), chunks=(1024, 1024)) @ random.random((16384, 1024), chunks=(1024, 1024))


COLLECTIONS = {each.__name__: each for each in (stencils, kernel, correlation, pyramid, symmetric, product)}


def resident(peak):
    """In the worker: resident bytes now, after which the peak counts anew, or at the peak since then."""
    import gc
    from pathlib import Path

    if not peak:
        gc.collect()
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    name = "VmHWM" if peak else "VmRSS"
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(name))


def warm():
    return float(numpy.linalg.norm(numpy.ones((64, 64)) @ numpy.ones((64, 64))))


def measured(collection, saturation, by_dask):
    """(resident bytes that one worker took at most beside what it held before, the result, the ranking)."""
    with dask.config.set({"distributed.scheduler.worker-saturation": saturation}), \
            distributed.LocalCluster(n_workers=1, threads_per_worker=1, memory_limit=0, dashboard_address=None) as cluster, \
            distributed.Client(cluster) as client:
        client.run(warm)
        asked = collection if by_dask else memshape.dask.order(collection, client=client)
        (held,) = client.run(resident, False).values()
        result = asked.compute()
        (peak,) = client.run(resident, True).values()
    return peak - held, result, getattr(asked, "ranking", None)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3, help="of each collection in each order; medians are shown")
    parser.add_argument("--saturation", type=float, default=1.1, help="distributed.scheduler.worker-saturation")
    parser.add_argument("--json", help="file for all figures, a line for each collection")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(COLLECTIONS))
    given = parser.parse_args()
    if unknown := set(given.names) - set(COLLECTIONS):
        parser.error(f"there is no collection {', '.join(sorted(unknown))}")
    print("| collection | tasks | by itself: predicted | measured | in order: predicted | measured | measured, ratio | no order holds less than |\n"
          "|---|---|---|---|---|---|---|---|", flush=True)
    for name in given.names or COLLECTIONS:
        plain = COLLECTIONS[name](da.random.default_rng(16))
        peaks = {"before": [], "after": []}
        for _ in range(given.runs):
            first, expected, _ = measured(plain, given.saturation, True)
            second, found, said = measured(plain, given.saturation, False)
            if not numpy.array_equal(expected, found) and not numpy.allclose(expected, found, rtol=1e-12):
                sys.exit(f"{name}: the results differ")
            peaks["before"].append(first)
            peaks["after"].append(second)
        before, after = (statistics.median(each) for each in peaks.values())
        print(f"| {name} | {len(said.order)} | {said.before_bytes / MIB:.0f} | {before / MIB:.0f} | {said.after_bytes / MIB:.0f} "
              f"| {after / MIB:.0f} | {after / before:.2f} | {said.lower_bound_bytes / MIB:.0f} |", flush=True)
        if given.json:
            with open(given.json, "a", encoding="utf-8") as file:
                file.write(json.dumps({"collection": name, "saturation": given.saturation, "tasks": len(said.order),
                                       "method": said.method, "restricted": said.worker is not None, "predicted": [said.before_bytes, said.after_bytes],
                                       "lower_bound": said.lower_bound_bytes, "optimal": said.optimal, **peaks}) + "\n")


if __name__ == "__main__":
    main()
