#!/usr/bin/python3
# ===- out_of_core.py - k-means with data that does not fit ----------------=== #
#
# Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------=== #
"""examples/kmeans_out_of_core.cpp within a budget: the centroids of the run in core, the reads of a simulation, nothing
left on disk, one line where it cannot go on."""

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

SETUP = None
EXECUTORS, BLOCK = 60, 70 * 256 * 4 // 4096 * 4096 + 4096  # 70 points of 256 floats, in pages
CAPACITY = 18


def command(folder, *words, **options):
    given = {"executors": EXECUTORS, "points": 70, "dimensions": 256, "clusters": 5, "batches": 12, "tasks": 20, "seed": 3,
             "threads": 2, "budget": CAPACITY * BLOCK, "folder": folder, **options}
    return [str(SETUP.program), *(str(word) for name, value in given.items() for word in ("--" + name, value)), *words]


def run(folder, *words, **options):
    done = subprocess.run(command(folder, "--json", *words, **options), capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def reads(accesses, leaves):
    """Where leaves(order, at, here) says which executor leaves for that at `at`; all are made first."""
    order, here, misses = [*range(EXECUTORS), *accesses], [], 0
    for at, executor in enumerate(order):
        if executor not in here:
            misses += 1
            if len(here) == CAPACITY:
                here.remove(leaves(order, at, here))
            here.append(executor)
    return misses - EXECUTORS


def furthest(order, at, here):
    return max(here, key=lambda executor: order.index(executor, at) if executor in order[at:] else len(order))


def oldest(order, at, here):
    last = {executor: place for place, executor in enumerate(order[:at])}
    return min(here, key=last.get)


class OutOfCore(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="memshape-out-of-core-")
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def left_over(self):
        return sorted(self.folder.iterdir())

    def test_every_way_finds_the_same_centroids(self):
        for order in ("random", "sequential"):
            in_core = run(self.folder, order=order, budget="none")
            self.assertEqual((in_core["evictions"], in_core["reads"], in_core["writes"]), (0, 0, 0))
            self.assertEqual(in_core["peak_budget_bytes"], EXECUTORS * BLOCK)
            self.assertEqual(in_core["executor_bytes"], EXECUTORS * BLOCK)
            for words, options in (((), {}), ((), {"policy": "lru"}), ((), {"threads": 1}), ((), {"threads": 3}),
                                   (("--mmap",), {"budget": "none"}), ((), {"budget": "none", "willneed": 4}),
                                   (("--mmap",), {"budget": "none", "willneed": 4})):
                found = run(self.folder, *words, **{"order": order, **options})
                for name in ("objective", "centroid_checksum"):
                    self.assertEqual(found[name], in_core[name], (order, words, options))
        self.assertEqual(self.left_over(), [])

    def test_reads_are_those_of_the_simulation_within_the_budget(self):
        for order in ("random", "sequential"):
            for policy, leaves in (("next-use", furthest), ("lru", oldest)):
                found = run(self.folder, "--trace", order=order, policy=policy)
                self.assertEqual(len(found["accesses"]), 12 * 20)
                self.assertEqual(found["reads"], reads(found["accesses"], leaves), (order, policy))
                self.assertEqual(found["read_bytes"], found["reads"] * BLOCK)
                self.assertLessEqual(found["written_bytes"], found["executor_bytes"])
                self.assertEqual(found["peak_budget_bytes"], CAPACITY * BLOCK)

    def test_what_a_killed_run_leaves_is_removed_by_the_next(self):
        for _ in range(5):
            with subprocess.Popen(command(self.folder, executors=500, batches=1000), stdout=subprocess.DEVNULL) as started:
                ends = time.monotonic() + 60
                while not any(folder.glob("*-*") and len(list(folder.iterdir())) > 3 for folder in self.folder.iterdir()):
                    self.assertLess(time.monotonic(), ends)
                started.send_signal(signal.SIGKILL)
            self.assertEqual(len(self.left_over()), 1)
        run(self.folder)
        self.assertEqual(self.left_over(), [])

    def test_what_cannot_be_is_said_in_one_line(self):
        def limited():
            resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

        (self.folder / "file").write_text("", encoding="utf-8")
        for status, told, options, prepare in (
                (2, "--budget wants a positive integer", {"budget": "much"}, None),
                (2, "--order wants random or sequential", {"order": "any"}, None),
                (2, "unknown option: --colour", {"colour": 1}, None),
                (2, "--willneed wants blocks that stay", {"willneed": 4}, None),
                (1, "more than the budget of 4096", {"budget": 4096}, None),
                (1, "Not a directory", {"folder": self.folder / "file"}, None),
                (1, "File too large", {}, limited)):
            done = subprocess.run(command(**{"folder": self.folder, **options}), capture_output=True, text=True, timeout=60,
                                  preexec_fn=prepare)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn(told, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertEqual(done.stdout, "")
        self.assertEqual(self.left_over(), [self.folder / "file"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=Path, required=True, help="kmeans_out_of_core as it was built")
    SETUP, rest = parser.parse_known_args()
    for variable in [name for name in os.environ if name.startswith("MEMSHAPE_")]:
        del os.environ[variable]
    unittest.main(argv=[sys.argv[0], *rest])
