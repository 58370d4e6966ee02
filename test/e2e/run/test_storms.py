#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Masses of forks, modules, signals and kills: nothing hangs, no record is lost, no figure is wrong.

The suite runs a few of each; --rounds N runs N, and 10 N kills."""
import json
import os
import random
import signal
import struct
import subprocess
import time

from measured import SETUP, RunTest, main, program, read

LONGEST = 30  # s, of one run


class Storms(RunTest):
    def rounds(self, few):
        return SETUP.rounds or few

    def run_storm(self, *arguments):
        out = self.path("run.json")
        words = [SETUP.driver, SETUP.runtime, "--json", out, "--", program("storms"), *arguments]
        done = subprocess.run(words, capture_output=True, text=True, timeout=LONGEST)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "ok\n", ""))
        run = read(out)
        # A call in a handler that interrupts the accounting itself is not recorded, and that is said.
        said = [note for note in run["notes"] if "not listed one by one" not in note]
        self.assertEqual([note for note in said if "operator calls could not be recorded" not in note], [])
        if arguments[0] != "signals":
            self.assertEqual(said, [])
        self.assertEqual(self.calls(run, "work")[0]["heap"]["exact"], True)
        return run

    def shapes(self, run, operator):
        found = {}
        for call in self.calls(run, operator):
            found[call["shape"]["n"]] = found.get(call["shape"]["n"], 0) + call["calls"]
        return found

    def test_forks(self):
        for _ in range(self.rounds(2)):
            run = self.run_storm("forks")
            made = self.shapes(run, "work")
            self.assertEqual({n: made[n] for n in made if n >= 1000},
                             {**{1000 + i: 3 for i in range(20)}, **{2000 + i: 1 for i in range(20)}})
            self.assertEqual(len(run["children"]), 80)
            for call in self.calls(run, "work"):
                if call["pid"] != run["process"]["pid"]:  # a child has one thread
                    self.assertEqual(call["heap"]["peak_bytes"], call["shape"]["n"])

    def test_modules(self):
        for _ in range(self.rounds(2)):
            run = self.run_storm("modules", program("module.so"))
            self.assertEqual(self.shapes(run, "module_work"), {100 + i: 4 for i in range(50)})

    def test_signals(self):
        for _ in range(self.rounds(2)):
            run = self.run_storm("signals")
            handled = sum(call["calls"] for call in self.calls(run, "handler"))
            self.assertGreater(handled, 0)
            self.assertEqual(run["process"]["ending"], "exit")

    def killed(self, threads, delay):
        record, truth = self.path("record"), self.path("truth")
        for path in (record, truth):
            if os.path.exists(path):
                os.unlink(path)
        child = subprocess.Popen([program("storms"), "kill", truth, str(threads)], stdout=subprocess.DEVNULL,
                                 env={**os.environ, "LD_PRELOAD": SETUP.runtime, "MEMSHAPE_RUNTIME_RECORD": record})
        time.sleep(delay)
        child.send_signal(signal.SIGKILL)
        child.wait(LONGEST)
        if not os.path.exists(truth) or os.path.getsize(truth) == 0:
            return None  # before it had begun
        with open(truth, "rb") as stream:
            upper, lower, upper_peak, lower_peak, operations = struct.unpack("5q", stream.read(40))
        done = subprocess.run([SETUP.memshape, "watch", record, "--json"], capture_output=True, text=True,
                              timeout=LONGEST)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        moment = json.loads(done.stdout)
        return moment["heap"], (upper, lower, upper_peak, lower_peak, operations)

    def test_kills_at_random_moments(self):
        chance = random.Random(7)
        looked, operations = 0, 0
        started = None
        for number in range(10 * self.rounds(2)):
            threads = 1 + number % 3
            found = self.killed(threads, 0.002 + 0.03 * chance.random() ** 2)
            if not found:
                continue
            heap, (upper, lower, upper_peak, lower_peak, count) = found
            looked += count > 0
            operations += count
            # What the loader and the start of threads allocated is not in the program's own sums.
            start = 2048 * threads
            self.assertGreaterEqual(heap["peak_bytes"] + heap["peak_error_bytes"], lower_peak, (threads, found))
            self.assertLessEqual(heap["peak_bytes"], upper_peak + start, (threads, found))
            self.assertGreaterEqual(heap["live_bytes"], lower, (threads, found))
            self.assertLessEqual(heap["live_bytes"], upper + start, (threads, found))
        self.assertGreater(looked, 0)
        if SETUP.rounds:
            print(f"{looked} records of killed processes, {operations} operations")


if __name__ == "__main__":
    main()
