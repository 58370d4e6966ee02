# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: grid.py plans RESULTS [OPTIONS]     each cell once with the plan, each third with Dask's `auto`
          grid.py times RESULTS [OPTIONS]     each cell with ten manual choices, then the plan against the best of them
          grid.py summary RESULTS             the tables

A cell is an operator, a sink, a cluster, a limit and a shape: see KINDS, CLUSTERS and PROPORTIONS. Cells of `times` have
jobs of seconds: Dask looks at the memory of workers ten times a second, and lets those that hold much wait until then.
RESULTS is a file of JSON, a line for each run, which is appended to: cells that are in it are not run again. Cells come
in an order that is random but always the same, so that a part of the grid is a fair sample of it.

--until HH:MM    no cell is begun later
--only WORD      cells whose name has the word
--clang, --lib   folders of clang++ and of the loader: by default /usr/lib/llvm-22/bin and build/release/lib"""

import argparse
import contextlib
import datetime
import json
import logging
import math
import os
import random
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import dask
import distributed
import memshape
import memshape.dask
import native
import numpy
import operators
from dask_runs import Stored, made_cube, peak, reset_peak, write_block

CLUSTERS = ((2, 1), (1, 2), (4, 1))
#: Of the sides of a cube; the volumes grow from one to the next.
PROPORTIONS = ((1, 1, 1), (2, 1, 1), (1, 1, 2), (1, 3, 2), (4, 2, 1), (3, 3, 1), (1, 2, 4), (5, 1, 1), (2, 3, 5),
               (1, 4, 1), (7, 6, 4), (2, 2, 3))
#: Of a worker, MB; and for light operators, where jobs should not end at once.
LIMITS, WIDE_LIMITS = (300, 420), (1000, 1500)
SEED, REPEATS, RUN_SECONDS = 2026, 3, 300
#: By an idle worker, MB; roughly, as shapes are chosen by it.
HELD = 140


@dataclass(frozen=True)
class Kind:
    """An operator of the grid."""

    function: object
    axes: tuple
    split: tuple
    halo: dict
    element: int  #: bytes in a task for each element, roughly
    gathered: tuple  #: how many tasks of one worker the smallest and the largest shape are
    stored: tuple
    manual: tuple  #: what people choose
    settings: dict
    source: str  #: of the model
    light: bool = False

    def shape(self, number, limit, sink):
        """The numbered one of twelve."""
        sides = PROPORTIONS[number]
        low, high = self.stored if sink == "store" else self.gathered
        tasks = low + (high - low) * number / (len(PROPORTIONS) - 1)
        scale = (tasks * (0.95 * limit - HELD) * 1e6 / self.element / numpy.prod(sides)) ** (1 / 3)
        cube = [round(side * scale) for side in sides]
        return cube if len(self.axes) == 3 else [cube[0] * cube[1], cube[2]]


AXES = ("ni", "nx", "ns")
CUBES = ("2x1x1", "3x1x1", "4x1x1", "2x2x1", "6x1x1", "8x1x1", "2x2x2", "4x2x1", "4x4x1", "3x3x3")
TRACES = ("2x1x1", "3x1x1", "4x1x1", "2x2x1", "6x1x1", "8x1x1", "4x2x1", "12x1x1", "4x4x1", "6x6x1")
ROWS = ("2x1", "3x1", "4x1", "5x1", "6x1", "8x1", "10x1", "12x1", "16x1", "24x1")
KINDS = {
    "gst3d": Kind(operators.gst3d, AXES, AXES, dict.fromkeys(AXES, 3), 228, (2, 5), (2, 5), CUBES, {}, ""),
    "envelope": Kind(operators.envelope, AXES, AXES[:2], {}, 20, (1.2, 2.3), (2, 7), TRACES, {}, "", light=True),
    "C++ gst3d": Kind(native.gst3d, AXES, AXES, dict.fromkeys(AXES, 6), 48, (1.5, 3), (1.5, 3), CUBES,
                      {"sigma": native.SIGMA}, "gst3d"),
    "C++ envelope": Kind(native.envelope, ("ntraces", "nt"), ("ntraces",), {}, 24, (1.4, 2.8), (2, 7), ROWS,
                         {}, "envelope", light=True),
    # No part of the bar: a light operator with a wide halo, where what Dask keeps decides.
    "gaussian": Kind(operators.gaussian, AXES, AXES, dict.fromkeys(AXES, 8), 8, (0.5, 0.8), (2, 7), CUBES, {}, "",
                     light=True),
}
OF_THE_BAR = ("gst3d", "envelope", "C++ gst3d", "C++ envelope")


def cells(timed=False):
    """All, in the order in which they run: those of the bar first."""
    found = [{"operator": name, "sink": sink, "workers": workers, "threads": threads, "limit": int(limit * 1e6),
              "shape": kind.shape(number, limit, sink)}
             for name, kind in KINDS.items() for sink in ("gather", "store") for workers, threads in CLUSTERS
             for limit in (WIDE_LIMITS if timed and kind.light else LIMITS) for number in range(len(PROPORTIONS))]
    random.Random(SEED).shuffle(found)
    return sorted(found, key=lambda cell: cell["operator"] not in OF_THE_BAR)


def name_of(cell):
    return (f"{cell['operator']} {'x'.join(map(str, cell['shape']))} {cell['workers']}x{cell['threads']} "
            f"{cell['limit'] // 1_000_000} {cell['sink']}")


class Models:
    """What each operator takes, found out when it is needed."""

    def __init__(self):
        self.known = {}

    def __call__(self, name):
        if name not in self.known:
            kind = KINDS[name]
            self.known[name] = memshape.open(native.path(kind.source))[kind.source] if kind.source else toyed(kind, name)
        return self.known[name]


def toyed(kind, name):
    """From toy calls; where others keep the machine so busy that toys take too long, again."""
    for left in reversed(range(5)):
        try:
            return memshape.measured(kind.function, AXES, operators.make, name=name)
        except memshape.Error:
            if not left:
                raise
    return None


def resident():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def touch_pages(cell):
    """As many as the job may need: virtual machines give free pages back after seconds, and the first touch of one of
    these takes 20 times as long. So whatever ran before, and how long ago, each job finds pages that are there."""
    pages = numpy.empty((cell["workers"] * cell["limit"] + 12 * numpy.prod(cell["shape"])) // 8)
    pages[::512] = 1


def manual(kind, cube, choice):
    """As a person writes it, with chunks that were chosen by hand, or by Dask."""
    import dask.array as da

    whole = [None if axis in kind.split else -1 for axis in kind.axes]
    if choice == "auto":
        chunks = tuple(side or "auto" for side in whole)
    else:
        chunks = tuple(side or -(-extent // int(count)) for side, extent, count in
                       zip(whole, cube.shape, choice.split("x")))
    blocks = da.from_array(cube, chunks=chunks)
    given = {"dtype": numpy.float32, "meta": numpy.empty((0,) * len(kind.axes), numpy.float32)}
    if kind.halo:
        return da.map_overlap(kind.function, blocks, depth=tuple(kind.halo.values()), boundary="none", **given)
    return blocks.map_blocks(kind.function, **given)


def lazy(cell, choice, cube, op, client):
    """(array, plan or None)"""
    kind = KINDS[cell["operator"]]
    if choice != "memshape":
        return manual(kind, cube, choice), None
    result = memshape.dask.map_overlap(kind.function, cube, op, axes=kind.axes, halo=kind.halo, split=kind.split,
                                       settings=kind.settings, sink=cell["sink"], client=client)
    return result, memshape.dask.explain(result, client=client).plans[0]


def sunk(result, sink, folder, plan):
    """As the cell says, and to storage where the plan says that the result alone is too much for a worker."""
    if sink != "store" and not (plan and any("store the blocks" in note for note in plan.notes)):
        return result
    dimensions = len(result.shape)
    return result.map_blocks(write_block, folder, chunks=tuple((1,) * len(each) for each in result.chunks),
                             dtype=numpy.int8, meta=numpy.empty((0,) * dimensions, numpy.int8))


def run(cell, choice, cube, op, client, folder):
    """One job: a line of RESULTS."""
    line = {"cell": cell, "choice": choice}
    try:
        result, plan = lazy(cell, choice, cube, op, client)
    except memshape.DoesNotFit as failure:
        return {**line, "end": "does not fit", "least": failure.least_bytes}
    line["tasks"] = result.npartitions
    line["grid"] = [len(each) for each in result.chunks]
    if plan:
        line["plan"] = {"expected": plan.peak_bytes, "upper": plan.upper_bytes, "held": plan.held_bytes,
                        "largest": plan.largest_task, "parts": plan.parts, "why": plan.why, "notes": plan.notes}
    client.run(lambda function: None, KINDS[cell["operator"]].function)  # imports what it needs
    line["before"] = sorted(client.run(resident).values())
    client.run(reset_peak)
    worked = sum(client.run(time.process_time).values())
    touch_pages(cell)
    started = time.perf_counter()
    try:
        client.compute(sunk(result, cell["sink"], folder, plan)).result(timeout=RUN_SECONDS)
        line["seconds"] = time.perf_counter() - started
    except (distributed.KilledWorker, MemoryError) as failure:
        return {**line, "end": "killed", "why": type(failure).__name__, "seconds": time.perf_counter() - started}
    except TimeoutError:
        return {**line, "end": "not in time", "seconds": time.perf_counter() - started}
    line["cpu"] = sum(client.run(time.process_time).values()) - worked
    line["peaks"] = sorted(client.run(peak).values())
    line["after"] = sorted(client.run(resident).values())
    return {**line, "end": "ok"}


class Results:
    """The file, and which cells are in it."""

    def __init__(self, path, phase):
        self.path, self.phase = Path(path), phase
        self.done = {name_of(line["cell"]) for line in read(path) if line["phase"] == phase}

    def add(self, line):
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"phase": self.phase, **line}) + "\n")
        print(name_of(line["cell"]), line["choice"], line["end"], f"{line.get('seconds', 0):.1f} s", flush=True)


def read(path):
    return [json.loads(line) for line in Path(path).read_text().splitlines()] if Path(path).exists() else []


class Clusters:
    """One for each kind of workers, started when it is needed: to start one takes longer than many a job."""

    def __init__(self, stack):
        self.stack, self.clients = stack, {}

    def __call__(self, cell):
        key = self._key(cell)
        if key not in self.clients:
            cluster = self.stack.enter_context(distributed.LocalCluster(
                n_workers=cell["workers"], threads_per_worker=cell["threads"], memory_limit=cell["limit"],
                dashboard_address=":0"))
            self.clients[key] = self.stack.enter_context(distributed.Client(cluster))
            self.clients[key].wait_for_workers(cell["workers"], timeout=600)
        return self.clients[key]

    def end(self, cell):
        """After a job that failed: workers that were ended do not always come back."""
        client = self.clients.pop(self._key(cell))
        client.close()
        client.cluster.close()

    @staticmethod
    def _key(cell):
        return cell["workers"], cell["threads"], cell["limit"]


def plans(cell, timed, number):
    """With the plan, and each third cell with what Dask chooses."""
    timed("memshape", "once")
    if number % 3 == 0:
        timed("auto", "once")


def times(cell, timed, number):
    """All choices once, then the plan and the best choice in turn: what is fastest by chance is not compared by that."""
    # The first job is slow, whatever it is.
    timed("memshape", "first")
    choices = list(KINDS[cell["operator"]].manual)
    random.Random(number).shuffle(choices)
    finished = [line for line in (timed(choice, "sweep") for choice in choices) if line["end"] == "ok"]
    best = min(finished, key=lambda line: line["seconds"])["choice"] if finished else None
    for _ in range(REPEATS if best else 0):
        timed("memshape", "plan")
        timed(best, "best")


def next_time(of_day):
    """When it is next HH:MM: seconds since the epoch. A grid that is begun in the evening ends after midnight."""
    now = datetime.datetime.now()
    at = datetime.datetime.combine(now, datetime.time.fromisoformat(of_day))
    return (at if at > now else at + datetime.timedelta(days=1)).timestamp()


def run_cells(mode, results, until, word, clang, lib):
    dask.config.set({"distributed.scheduler.allowed-failures": 0, "distributed.comm.timeouts.connect": "300s",
                     "distributed.comm.timeouts.tcp": "300s"})
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    numbered = [(number, cell) for number, cell in enumerate(cells(timed=mode is times))
                if name_of(cell) not in results.done and word in name_of(cell)]
    end = next_time(until) if until else math.inf
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        dask.config.set({"temporary-directory": folder})
        native.build(clang, lib, folder)
        clusters, models = Clusters(stack), Models()
        for number, cell in numbered:
            if time.time() >= end:
                break
            cube = Stored(made_cube(cell["shape"], folder), cell["shape"])

            def timed(choice, role):
                line = {**run(cell, choice, cube, models(cell["operator"]), clusters(cell), folder), "role": role}
                results.add(line)
                if line["end"] in ("killed", "not in time"):
                    clusters.end(cell)
                return line

            mode(cell, timed, number)
            for left in Path(folder).glob("[0-9]*-*"):
                left.unlink()


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("mode", choices=("plans", "times", "summary"))
    parser.add_argument("results")
    parser.add_argument("--until", default="")
    parser.add_argument("--only", default="")
    parser.add_argument("--clang", default="/usr/lib/llvm-22/bin")
    parser.add_argument("--lib", default=str(Path(__file__).parents[2] / "build/release/lib"))
    given = parser.parse_args()
    if given.mode == "summary":
        from grid_summary import summary

        summary(read(given.results), sum(cell["operator"] in OF_THE_BAR for cell in cells()))
        return
    mode = {"plans": plans, "times": times}[given.mode]
    run_cells(mode, Results(given.results, given.mode), given.until, given.only, given.clang, given.lib)


if __name__ == "__main__":
    main()
