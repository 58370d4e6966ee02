#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""examples/kmeans_out_of_core.cpp with --budget auto: in a control group whose limit is raised or lowered meanwhile,
and with RLIMIT_DATA. Skipped, with the reason, where no group can be made. TMPDIR says on which disk."""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from toolchain import SETUP, run_tests

MIB = 1 << 20
EXECUTORS, BLOCK = 100, 2 * MIB


class Group:
    """A control group of memory below that of this process, of version 1 or 2."""

    def __init__(self):
        self.place, self.reason = None, "no control group of memory"
        top = {"1": Path("/sys/fs/cgroup/memory"), "2": Path("/sys/fs/cgroup")}
        for line in Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines():
            _, controllers, path = line.split(":", 2)
            version = "1" if "memory" in controllers.split(",") else "2" if not controllers else None
            own = version and top[version] / path.lstrip("/")
            if not own or not (own / ("memory.usage_in_bytes" if version == "1" else "memory.current")).exists():
                continue
            place = own / f"memshape-test-{os.getpid()}"
            try:
                place.mkdir()
            except OSError as refused:
                self.reason = f"no control group can be made: {refused}"
                continue
            names = {"1": ("memory.limit_in_bytes", "memory.max_usage_in_bytes"), "2": ("memory.max", "memory.peak")}[version]
            self.limit_file, self.peak_file = (place / name for name in names)
            if not self.limit_file.exists() or not self.peak_file.exists():
                place.rmdir()
                self.reason = f"{place} has no limit, or does not say its peak"
                continue
            self.place, self.lower_file = place, self.limit_file if version == "1" else place / "memory.high"
            return

    def limit(self, size):
        self.limit_file.write_text(str(size), encoding="ascii")

    def lower(self, size):
        """Without killing: version 1 refuses what is below the use, version 2 throttles."""
        self.lower_file.write_text(str(size), encoding="ascii")

    def peak(self):
        return int(self.peak_file.read_text(encoding="ascii"))

    def enter(self):
        (self.place / "cgroup.procs").write_text(str(os.getpid()), encoding="ascii")

    def remove(self):
        for _ in range(100):
            try:
                return self.place.rmdir()
            except OSError:  # the process is on its way out
                time.sleep(0.05)
        self.place.rmdir()


class Limits(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory(prefix="memshape-out-of-core-limits-"))

    def start(self, enter, budget="auto", batches=12):
        words = {"executors": EXECUTORS, "points": 512, "dimensions": 1024, "clusters": 5, "batches": batches, "tasks": 20,
                 "seed": 3, "threads": 2, "budget": budget, "folder": self.folder}
        started = subprocess.Popen([str(SETUP.program), "--json", "--trace",
                                    *(str(word) for name, value in words.items() for word in ("--" + name, value))],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=enter)
        self.addCleanup(started.communicate)
        self.addCleanup(started.kill)
        return started

    def result(self, started):
        out, error = started.communicate(timeout=200)
        self.assertEqual((started.returncode, error), (0, ""))
        return json.loads(out)

    def group(self):
        group = Group()
        if not group.place:
            print("skipped:", group.reason)
            self.skipTest(group.reason)
        self.addCleanup(group.remove)
        return group

    def has_read(self, started, size):
        """Waits until the process has read that many bytes."""
        while started.poll() is None:
            try:
                lines = Path(f"/proc/{started.pid}/io").read_text(encoding="ascii").splitlines()
            except OSError:
                return
            if int(dict(line.split(": ") for line in lines)["rchar"]) >= size:
                return
            time.sleep(0.01)

    def holds(self, started, size, group):
        """Waits until the group holds that many bytes."""
        while started.poll() is None and group.peak() < size:
            time.sleep(0.01)

    def test_the_least_limit_is_kept(self):
        group = self.group()
        in_core = self.result(self.start(None, budget="none"))
        group.limit(128 * MIB)
        found = self.result(self.start(group.enter))
        self.assertEqual(found["centroid_checksum"], in_core["centroid_checksum"])
        self.assertGreater(found["reads"], 0)
        self.assertLessEqual(group.peak(), 128 * MIB)
        self.assertLessEqual(found["peak_budget_bytes"], 112 * MIB)  # head room is 16 MiB
        self.assertGreater(found["peak_budget_bytes"], 80 * MIB)
        self.assertLessEqual(found["written_bytes"], found["executor_bytes"])

    def test_raising_the_limit_brings_all_back(self):
        group = self.group()
        group.limit(128 * MIB)
        started = self.start(group.enter, batches=300)
        self.has_read(started, EXECUTORS * BLOCK)
        self.assertLessEqual(group.peak(), 128 * MIB)
        group.limit(512 * MIB)
        found = self.result(started)
        by_batch = found["reads_by_batch"]
        self.assertGreaterEqual(found["reads"], EXECUTORS)
        self.assertEqual(by_batch[-2], by_batch[-1], by_batch)
        self.assertEqual(found["reads"], by_batch[-1])
        self.assertEqual(found["peak_budget_bytes"], found["executor_bytes"])
        self.assertLessEqual(group.peak(), 512 * MIB)

    def test_pressure_gives_way_to_a_lower_limit(self):
        """All fits. Version 1 refuses a limit below what is in use: the attempt is the pressure."""
        group = self.group()
        group.limit(256 * MIB)
        started = self.start(group.enter, batches=600)
        self.holds(started, 95 * BLOCK, group)
        ends = time.monotonic() + 60
        while started.poll() is None:
            try:
                group.lower(128 * MIB)
                break
            except OSError:
                self.assertLess(time.monotonic(), ends)
                time.sleep(0.05)
        found = self.result(started)
        self.assertGreater(found["evictions"], 0)
        self.assertGreater(found["peak_budget_bytes"], 90 * BLOCK)

    def test_a_neighbour_is_given_way(self):
        """Another process of the group takes 64 MiB while the store fills the rest: neither is killed."""
        group = self.group()
        group.limit(192 * MIB)
        taken = "import time\ntaken = []\nfor _ in range(64):\n  taken.append(bytearray(1 << 20)); time.sleep(0.01)\ninput()"
        started = self.start(group.enter, batches=150)
        self.has_read(started, 20 * BLOCK)
        with subprocess.Popen([sys.executable, "-c", taken], stdin=subprocess.PIPE, preexec_fn=group.enter) as neighbour:
            found = self.result(started)
            self.assertIsNone(neighbour.poll())
            neighbour.communicate(b"\n")
        self.assertEqual(neighbour.returncode, 0)
        self.assertLessEqual(group.peak(), 192 * MIB)
        self.assertGreater(found["reads"], 0)

    def test_the_limit_of_the_process(self):
        limit = 160 * MIB
        found = self.result(self.start(lambda: resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))))
        self.assertGreater(found["reads"], 0)
        self.assertLess(found["peak_budget_bytes"], limit)


if __name__ == "__main__":
    run_tests(__doc__, program="kmeans_out_of_core as it was built")
