# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mini-batch k-means (examples/kmeans_out_of_core.cpp), 2.1 GiB under a limit of 700 MiB, kept within it by the store,
by a mapped file, by swap: seconds of the training, and their ratio to the store's in the same round.

For root on Linux with control groups of version 2 and a swap file of 4 GiB that is on: it serves the whole machine, so
that nothing else should run that needs memory. The page cache is dropped before each run."""

import contextlib
import json
import os
import random
import statistics
import tempfile
import time
from collections import OrderedDict
from pathlib import Path

from .harness import add_build, end, head, row, run, verdict

GROUPS, PAGE = Path("/sys/fs/cgroup"), 4096
SHAPE = {"executors": 500, "points": 1100, "dimensions": 1024, "clusters": 16, "batches": 48, "tasks": 40, "seed": 1,
         "threads": 2}
LIMIT, BUDGET = 700 << 20, 690_000_000
AHEAD = 10  # tasks: as far as the store reads ahead with two threads that run tasks
ARMS = {
    "next-use": ["--policy", "next-use", "--budget", BUDGET],
    "lru": ["--policy", "lru", "--budget", BUDGET],
    "swap": [],
    "swap, hints": ["--willneed", AHEAD],
    "mmap": ["--mmap"],
    "mmap, hints": ["--mmap", "--willneed", AHEAD],
    "in core": [],
}
#: Least median of the ratio.
BARS = {"random": {"lru": 1.25, "swap": 5, "swap, hints": 2, "mmap": 1.5, "in core": 0.4},
        "sequential": {"lru": 1.25, "swap": 3.5, "swap, hints": 2, "mmap": 1.5, "in core": 0.4}}


def arguments(parser):
    add_build(parser)
    parser.add_argument("--folder", type=Path, default=Path("/var/tmp"), help="on a disk (default: /var/tmp)")
    parser.add_argument("--rounds", type=int, default=5)


def reads_of(executors, accesses, capacity, furthest_next_use):
    """Reads of executors of equal size that are all made first and then used in the order of `accesses`: Belady's
    minimum (1966), or least recently used. Written apart from the store, as plainly as can be."""
    order = [*range(executors), *accesses]
    next_use, seen = [len(order)] * len(order), {}
    for at in reversed(range(len(order))):
        next_use[at] = seen.get(order[at], len(order))
        seen[order[at]] = at
    here, misses = OrderedDict(), 0
    for at, executor in enumerate(order):
        if executor not in here:
            misses += 1
            if len(here) == capacity:
                here.pop(max(here, key=here.get) if furthest_next_use else next(iter(here)))
        here[executor] = next_use[at]
        here.move_to_end(executor)
    return misses - executors


@contextlib.contextmanager
def group(limit):
    """A control group, by its folder."""
    try:
        (GROUPS / "cgroup.subtree_control").write_text("+memory")
        folder = Path(tempfile.mkdtemp(prefix="memshape-swap-", dir=GROUPS))
    except OSError as refused:
        end(f"no control group of memory: {refused}")
    try:
        (folder / "memory.max").write_text(str(limit or "max"))
        yield folder
    finally:
        for _ in range(50):  # the kernel may not have let go of the last process yet
            with contextlib.suppress(OSError):
                return folder.rmdir()
            time.sleep(0.1)


def once(use, order, arm):
    """What the program says of itself, and the reads that simulations count."""
    words = [use.build / "examples/kmeans_out_of_core", "--json", "--trace", "--order", order, "--folder", use.folder,
             *ARMS[arm],
             *(word for name, value in SHAPE.items() for word in (f"--{name}", value))]
    os.sync()
    Path("/proc/sys/vm/drop_caches").write_text("3")
    with group(None if arm == "in core" else LIMIT) as folder:
        done = run(words, timeout=900, preexec_fn=lambda: (folder / "cgroup.procs").write_text(str(os.getpid())))
    if done.returncode:
        end(f"{order}, {arm}: ended with {done.returncode}: {done.stderr.strip()}")
    said = json.loads(done.stdout)
    accesses, capacity = said.pop("accesses"), BUDGET // (-(-SHAPE["points"] * SHAPE["dimensions"] * 4 // PAGE) * PAGE)
    said["least"] = reads_of(SHAPE["executors"], accesses, capacity, arm != "lru")
    return said


def measure(use):
    if os.getuid() or len(Path("/proc/swaps").read_text().splitlines()) < 2:
        end("wants root, and swap that is on")
    missed = 0
    head("order", "arm", "s, median (all)", "ratio, median (all)", "reads", "simulated", "bar", "")
    for order, bars in BARS.items():
        found = {arm: [] for arm in ARMS}
        for number in range(use.rounds):
            for arm in random.Random(f"{number} {order}").sample(list(ARMS), len(ARMS)):
                found[arm].append(once(use, order, arm))
        if len({(said["objective"], said["centroid_checksum"]) for runs in found.values() for said in runs}) > 1:
            end(f"{order}: the results differ")
        for arm, runs in found.items():
            seconds = sorted(said["train_s"] for said in runs)
            ratios = sorted(said["train_s"] / ours["train_s"] for said, ours in zip(runs, found["next-use"]))
            reads, stored = max(said["reads"] for said in runs), arm in ("next-use", "lru")
            least = runs[0]["least"]
            met = statistics.median(ratios) >= bars.get(arm, 0) and (not stored
                                                                     or reads <= least * (1.05 if arm == "next-use"
                                                                                          else 1))
            missed += not met
            row(order, arm, f"{statistics.median(seconds):.1f} ({seconds[0]:.1f} - {seconds[-1]:.1f})",
                f"{statistics.median(ratios):.2f} ({ratios[0]:.2f} - {ratios[-1]:.2f})", reads, least if stored else "",
                bars.get(arm, ""),
                verdict(met))
    return int(missed > 0)
