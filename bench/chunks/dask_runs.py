# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: dask_runs.py OPERATOR NIxNXxNS WORKERSxTHREADS LIMIT_MB SINK CHOICE...

CHOICE is `memshape`, `auto` (Dask's own) or a grid of chunks as 2x2x1. Each runs on a cluster of its own, one after the
other; a worker that is killed ends its run. Sinks: gather, store (a file for each block). The resident peak is the
greatest VmHWM of any worker, reset before the job."""

import math
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import dask
import dask.array as da
import distributed
import memshape.dask
import numpy
import operators

AXES = ("ni", "nx", "ns")
HALO = {"gst3d": 3, "gaussian": 8, "gradient_products": 1, "semblance": 1}


def numbers(text):
    return [int(each) for each in text.split("x")]


def made_cube(shape, folder):
    """A cube in a file, in which every block can be read alone."""
    path = Path(folder) / "cube"
    cube = numpy.memmap(path, numpy.float32, "w+", shape=tuple(shape))
    random = numpy.random.default_rng(7)
    for plane in cube:
        plane[:] = random.standard_normal(plane.shape, dtype=numpy.float32)
    cube.flush()
    return path


class Stored:
    """A cube in a file, whose blocks are read when they are needed. Not through a map: pages of a file that is mapped
    count for the process, and a kernel that keeps files in large folios maps all around of what is touched."""

    dtype = numpy.dtype(numpy.float32)

    def __init__(self, path, shape):
        self.path, self.shape, self.ndim = str(path), tuple(shape), len(shape)

    def __getitem__(self, where):
        begins, ends = zip(*(part.indices(extent)[:2] for part, extent in zip(where, self.shape)))
        block = numpy.empty([end - begin for begin, end in zip(begins, ends)], self.dtype)
        whole = self.ndim  # axes from here on are read as they lie
        while whole > 1 and block.shape[whole - 1] == self.shape[whole - 1]:
            whole -= 1
        strides = [self.dtype.itemsize * math.prod(self.shape[axis + 1:]) for axis in range(self.ndim)]
        inner = begins[whole - 1] * strides[whole - 1]
        with open(self.path, "rb", buffering=0) as file:
            for row in numpy.ndindex(*block.shape[:whole - 1]):
                file.seek(inner + sum((begin + at) * stride for begin, at, stride in zip(begins, row, strides)))
                file.readinto(block[row])
        return block


def reset_peak():
    Path("/proc/self/clear_refs").write_text("5")


def peak():
    with open("/proc/self/status", encoding="ascii") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM:"))


def write_block(block, folder, block_info=None):
    name = "-".join(map(str, block_info[0]["chunk-location"]))
    block.tofile(f"{folder}/{name}")
    return numpy.zeros((1,) * block.ndim, numpy.int8)


def result_of(choice, name, cube, client, sink, op):
    """(lazy array, plan or None)"""
    halo = HALO.get(name, 0)
    halos = {axis: halo for axis in AXES} if halo else {}
    function = operators.ALL[name]
    if choice == "memshape":
        result = memshape.dask.map_overlap(function, cube, op, axes=AXES, halo=halos, client=client, sink=sink)
        return result, memshape.dask.explain(result).plans[0]
    chunks = "auto" if choice == "auto" else tuple(-(-extent // count) for extent, count in
                                                   zip(cube.shape, numbers(choice)))
    blocks = da.from_array(cube, chunks=chunks)
    if halo:
        return da.map_overlap(function, blocks, depth=halo, boundary="none", dtype=numpy.float32,
                              meta=numpy.empty((0,) * 3, numpy.float32)), None
    return blocks.map_blocks(function, dtype=numpy.float32, meta=numpy.empty((0,) * 3, numpy.float32)), None


def run(choice, name, path, shape, workers, threads, limit, sink, op, folder):
    with distributed.LocalCluster(n_workers=workers, threads_per_worker=threads, memory_limit=limit,
                                  dashboard_address=":0") as cluster, distributed.Client(cluster) as client:
        result, plan = result_of(choice, name, Stored(path, shape), client, sink, op)
        client.run(reset_peak)
        started = time.perf_counter()
        try:
            if sink == "store":
                result.map_blocks(write_block, folder, chunks=tuple((1,) * len(each) for each in result.chunks),
                                  dtype=numpy.int8, meta=numpy.empty((0,) * 3, numpy.int8)).compute()
            else:
                result.compute()
        except (distributed.KilledWorker, MemoryError) as failure:
            return choice, result.npartitions, type(failure).__name__, time.perf_counter() - started, None, plan
        took = time.perf_counter() - started
        return choice, result.npartitions, "ok", took, max(client.run(peak).values()), plan


def main():
    name, shape, cluster, limit, sink = sys.argv[1:6]
    shape, (workers, threads), limit = numbers(shape), numbers(cluster), int(float(limit) * 1e6)
    dask.config.set({"distributed.scheduler.allowed-failures": 0})
    op = memshape.measured(operators.ALL[name], AXES, operators.make, name=name)
    print(f"{name} {shape}, {workers} workers of {threads} threads and {limit / 1e6:.0f} MB, {sink}; a task: {op}")
    print("| choice | tasks | end | s | peak MB | of limit | expected MB | bound MB |\n|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        path = made_cube(shape, folder)
        for choice in sys.argv[6:]:
            choice, tasks, end, took, held, plan = run(choice, name, path, shape, workers, threads, limit, sink, op,
                                                       folder)
            said = (f"{plan.peak_bytes / 1e6:.0f} | {(plan.upper_bytes or 0) / 1e6:.0f}" if plan else "- | -")
            seen = f"{held / 1e6:.0f} | {held / limit:.2f}" if held else "- | -"
            print(f"| {choice} | {tasks} | {end} | {took:.1f} | {seen} | {said} |", flush=True)


if __name__ == "__main__":
    main()
