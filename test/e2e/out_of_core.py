#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""examples/kmeans_out_of_core.cpp within a budget: the centroids of the run in core, the reads of a simulation, nothing
left on disk, one line where it cannot go on."""

import json
import resource
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from toolchain import SETUP, ran, run_tests

EXECUTORS, BLOCK = 60, 70 * 256 * 4 // 4096 * 4096 + 4096  # 70 points of 256 floats, in pages
CAPACITY = 18


def command(folder, *words, **options):
    given = {"executors": EXECUTORS, "points": 70, "dimensions": 256, "clusters": 5, "batches": 12, "tasks": 20, "seed": 3,
             "threads": 2, "budget": CAPACITY * BLOCK, "folder": folder, **options}
    return [str(SETUP.program), *(str(word) for name, value in given.items() for word in ("--" + name, value)), *words]


def run(folder, *words, **options):
    done = ran(*command(folder, "--json", *words, **options), timeout=120)
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
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory(prefix="memshape-out-of-core-")))

    def left_over(self):
        return sorted(self.folder.iterdir())

    def has_written(self, besides):
        """Whether a run has files on disk, those of these folders left out."""
        return any(len(list(folder.glob("*-*"))) > 2 for folder in self.left_over() if folder not in besides)

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
        before = []
        for _ in range(5):
            with subprocess.Popen(command(self.folder, executors=500, batches=10000), stdout=subprocess.DEVNULL) as started:
                ends = time.monotonic() + 60
                while not self.has_written(before):  # what the run before has left is on its way out
                    self.assertLess(time.monotonic(), ends)
                started.send_signal(signal.SIGKILL)
            self.assertNotEqual(self.left_over(), before)
            before = self.left_over()
            self.assertEqual(len(before), 1)
        run(self.folder)
        self.assertEqual(self.left_over(), [])

    def test_what_cannot_be_is_said_in_one_line(self):
        def limited():
            resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

        (self.folder / "file").write_text("", encoding="utf-8")
        for status, told, options, prepare in (
                (2, "--budget wants a positive integer", {"budget": "much"}, None),
                (2, "--budget wants a positive integer", {"budget": " -1"}, None),
                (2, "--budget wants a positive integer", {"budget": 0}, None),
                (2, "--order wants random or sequential", {"order": "any"}, None),
                (2, "--policy wants next-use or lru", {"policy": "fifo"}, None),
                (2, "--executors: that is too much", {"executors": 1 << 32}, None),
                (2, "that is too much", {"executors": 1 << 31, "points": 1 << 40}, None),
                (2, "that is too much", {"tasks": 1 << 40}, None),
                (2, "--threads: that is too much", {"threads": 1 << 32}, None),
                (2, "unknown option: --colour", {"colour": 1}, None),
                (2, "--willneed wants blocks that stay", {"willneed": 4}, None),
                (1, "more than the budget of 4096", {"budget": 4096}, None),
                (1, "there is not enough memory", {"executors": 1, "points": 1 << 38, "tasks": 1, "budget": "none"}, None),
                (2, "Not a directory", {"folder": self.folder / "file"}, None),
                (2, "No such file or directory", {"folder": ""}, None),
                (1, "File too large", {}, limited)):
            done = ran(*command(**{"folder": self.folder, **options}), timeout=60, preexec_fn=prepare)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn(told, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertEqual(done.stdout, "")
        done = ran(*command(self.folder / "file", "--mmap", budget="none"), timeout=60)
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done.stderr)
        with open("/dev/full", "wb") as full:
            done = subprocess.run(command(self.folder, "--json"), stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (1, "kmeans_out_of_core: cannot write to standard output\n"))
        self.assertEqual(self.left_over(), [self.folder / "file"])

    def test_sizes_at_the_edges(self):
        """One executor, one thread, batches longer than there are executors, blocks that fill no page, a budget that is no
        multiple of a block, a folder that is made."""
        for options in ({"executors": 1, "budget": BLOCK}, {"executors": 3, "tasks": 10, "budget": 2 * BLOCK + 5},
                        {"executors": 7, "order": "sequential", "tasks": 5, "budget": BLOCK}, {"batches": 1, "tasks": 1},
                        {"points": 1, "dimensions": 1, "clusters": 9, "budget": 4096}, {"points": 17, "dimensions": 61},
                        {"seed": 0, "budget": 2 ** 64 - 1}, {"seed": 2 ** 64 - 1, "folder": self.folder / "made" / "here"}):
            folder = options.pop("folder", self.folder)
            in_core = run(folder, **{**options, "budget": "none"})
            for words, more in (((), {}), ((), {"policy": "lru"}), ((), {"threads": 1}), (("--mmap",), {})):
                found = run(folder, *words, **{**options, **more})
                for name in ("objective", "centroid_checksum"):
                    self.assertEqual(found[name], in_core[name], (options, words, more))
                self.assertLessEqual(found["peak_budget_bytes"], options.get("budget", CAPACITY * BLOCK))
                self.assertLessEqual(found["written_bytes"], found["executor_bytes"])
        self.assertEqual(self.left_over(), [self.folder / "made"])
        self.assertEqual(list((self.folder / "made" / "here").iterdir()), [])


if __name__ == "__main__":
    run_tests(__doc__, program="kmeans_out_of_core as it was built")
