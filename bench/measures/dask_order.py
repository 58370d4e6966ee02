# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes collections on one worker with one thread, in Dask's own order and in that of memshape.dask.order, each in a
fresh LocalCluster, and prints the resident peaks of the worker beside the predicted ones: sizes in MiB beside what the
worker held before, medians. With --bounds: what memshape.dask.explain says before - lower, expected, upper -, and what
the worker that held most came to. For the Python of scripts/python-environment."""

import contextlib
import statistics

import dask
import dask.array as da
import distributed
import memshape.dask
import numpy

from .harness import end, head, row

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


def arguments(parser):
    parser.add_argument("--runs", type=int, default=3, help="of each collection in each order")
    parser.add_argument("--saturation", type=float, default=1.1, help="distributed.scheduler.worker-saturation")
    parser.add_argument("--bounds", action="store_true", help="what explain says, and what came")
    parser.add_argument("--workers", type=int, default=1, help="with --bounds: workers of one thread")
    parser.add_argument("--ordered", action="store_true", help="with --bounds: in the order of memshape.dask.order")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(COLLECTIONS))


def resident(peak):
    """In the worker: resident bytes now, after which the peak counts anew, or at the peak since then."""
    import gc
    from pathlib import Path

    if not peak:
        gc.collect()
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM" if peak else "VmRSS"))


def warm():
    return float(numpy.linalg.norm(numpy.ones((64, 64)) @ numpy.ones((64, 64))))


@contextlib.contextmanager
def cluster(use, limit):
    with dask.config.set({"distributed.scheduler.worker-saturation": use.saturation}), \
            distributed.LocalCluster(n_workers=use.workers, threads_per_worker=1, memory_limit=limit,
                                     dashboard_address=None) as workers, \
            distributed.Client(workers) as client:
        client.run(warm)
        yield client


def computed(use, collection, by_dask):
    """(resident bytes that one worker took at most beside what it held before, the result, the ranking)."""
    with cluster(use, 0) as client:
        asked = collection if by_dask else memshape.dask.order(collection, client=client)
        (held,) = client.run(resident, False).values()
        result = asked.compute()
        (peak,) = client.run(resident, True).values()
    return peak - held, result, getattr(asked, "ranking", None)


def order(use, name):
    plain, before, after = COLLECTIONS[name](da.random.default_rng(16)), [], []
    for _ in range(use.runs):
        first, expected, _ = computed(use, plain, True)
        second, found, said = computed(use, plain, False)
        if not numpy.allclose(expected, found, rtol=1e-12):
            end(f"{name}: the results differ")
        before.append(first)
        after.append(second)
    before, after = statistics.median(before), statistics.median(after)
    row(name, len(said.order), *(f"{each / MIB:.0f}" for each in (said.before_bytes, before, said.after_bytes, after)),
        f"{after / before:.2f}", f"{said.lower_bound_bytes / MIB:.0f}")


def bounds(use, name):
    collection, given = COLLECTIONS[name](da.random.default_rng(16)), None
    if name == "stencils":  # whose work bytes no graph tells: from toy calls, for 512 rows and two of each neighbour
        op = memshape.measured(smooth, ("rows", "columns"), lambda rows, columns: (numpy.ones((rows, columns)),))
        given = {"smooth": op.predict(rows=516, columns=4096)}
    with cluster(use, "4GiB") as client:
        asked = memshape.dask.order(collection, client=client, bytes=given) if use.ordered else collection
        client.run(resident, False)
        told = memshape.dask.explain(asked, client, bytes=given)
        asked.compute()
        peak = max(client.run(resident, True).values())
    row(name, use.workers, *("none" if each is None else f"{(each - told.parts['held']) / MIB:.0f}"
                             for each in (told.lower_bytes, told.expected_bytes, peak, told.upper_bytes)))


def measure(use):
    if unknown := set(use.names) - set(COLLECTIONS):
        end(f"there is no collection {', '.join(sorted(unknown))}")
    if use.bounds:
        head("collection", "workers", "lower", "expected", "measured", "upper")
    else:
        use.workers = 1
        head("collection", "tasks", "by itself: predicted", "measured", "in order: predicted", "measured",
             "measured, ratio",
             "no order holds less than")
    for name in use.names or COLLECTIONS:
        (bounds if use.bounds else order)(use, name)
    return 0
