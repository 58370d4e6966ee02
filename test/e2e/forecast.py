#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a process will come to is said while it runs, before it comes to that; an alarm is raised in time, and only then.

Each program stops at a gate, which opens once the forecast is there: no test depends on who is faster. What it holds there
is less than half of any limit, so that its growth alone is no reason for an alarm.
"""

import itertools
import json
import os
import select
import subprocess
import tempfile
import unittest
from pathlib import Path

from toolchain import BIN, CLANG, LIB, ROOT, SETUP, ran, run_tests

MOST_LOOKS = 400  # of 50 ms

# GATE says that the operator is there, and holds it until the test opens; the skeleton has nothing of it.
HEAD = r"""
#include <memshape/operator.h>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#define GATE gate[1] = 1; while (!gate[0])
"""
MAIN = r"""
int main(int, char **arguments) {
  long n = std::atol(arguments[1]);
  void *gate = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, open(arguments[2], O_RDWR), 0);
  float *in = static_cast<float *>(std::malloc(n * sizeof(float))), *out = static_cast<float *>(std::malloc(n * sizeof(float)));
  for (long i = 0; i < n; ++i) in[i] = i % 7, out[i] = 1;
  OPERATOR(in, n, static_cast<volatile int *>(gate), out);
  std::printf("%g\n", out[n - 1]);
}
"""
# Eight buffers, one after the other, with the gate after the first; nothing depends on data.
STAGED = HEAD + r"""
extern "C" MEMSHAPE_OPERATOR __attribute__((noinline)) void staged(const float *in, long n, volatile int *gate, float *out) {
  float *held[8];
  for (int stage = 0; stage < 8; ++stage) {
    held[stage] = static_cast<float *>(std::malloc(n * sizeof(float)));
    for (long i = 0; i < n; ++i) held[stage][i] = in[i] + stage;
    if (stage == 0) { GATE; }
  }
  for (int stage = 0; stage < 8; ++stage) {
    for (long i = 0; i < n; ++i) out[i] += held[stage][i];
    std::free(held[stage]);
  }
}
""" + MAIN.replace("OPERATOR", "staged")
# Most samples are events, where half are expected to be. They are counted, kept, held up, and then copied six times:
# their number is known once the list is there.
EVENTS = HEAD + r"""
struct event { float trace[64]; };
extern "C" MEMSHAPE_OPERATOR __attribute__((noinline)) void events(const float *in, long n, volatile int *gate, float *out) {
  long count = 0;
  for (long i = 0; i < n; ++i) count += in[i] > 0;
  event *list = static_cast<event *>(std::malloc(count * sizeof(event)));
  float *flat = list->trace;
  for (long i = 0; i < 64 * count; ++i) flat[i] = in[i / 64];
  GATE;
  event *copy = static_cast<event *>(std::malloc(6 * count * sizeof(event)));
  for (long i = 0; i < 6 * count; ++i) copy[i] = list[i % count];
  for (long i = 0; i < n; ++i) out[i] += copy[i % count].trace[3];
  std::free(copy);
  std::free(list);
}
""" + MAIN.replace("OPERATOR", "events")
# A list that doubles while events come, cut, held up, then copied.
PICKS = HEAD + r"""
struct pick { float trace[64]; };
extern "C" MEMSHAPE_OPERATOR __attribute__((noinline)) void picks(const float *in, long n, volatile int *gate, float *out) {
  long room = 64, count = 0;
  pick *list = static_cast<pick *>(std::malloc(room * sizeof(pick)));
  for (long i = 0; i < n; ++i) {
    if (in[i] < 5) continue;
    if (count == room) list = static_cast<pick *>(std::realloc(list, (room *= 2) * sizeof(pick)));
    for (int k = 0; k < 64; ++k) list[count].trace[k] = in[i];
    ++count;
  }
  list = static_cast<pick *>(std::realloc(list, (count ? count : 1) * sizeof(pick)));
  float *flat = list->trace;
  GATE;
  pick *copy = static_cast<pick *>(std::malloc(2 * (count ? count : 1) * sizeof(pick)));
  for (long i = 0; i < 2 * count; ++i) copy[i] = list[i / 2];
  for (long i = 0; i < n; ++i) out[i] += copy[i % (2 * count)].trace[3];
  std::free(copy);
  std::free(list);
}
""" + MAIN.replace("OPERATOR", "picks")
# Half of what is requested is never touched, and no feature says so.
SPARE = HEAD + r"""
extern "C" MEMSHAPE_OPERATOR __attribute__((noinline)) void spare(const float *in, long n, volatile int *gate, float *out) {
  float *wide = static_cast<float *>(std::malloc(8 * n * sizeof(float)));
  for (long i = 0; i < 4 * n; ++i) wide[i] = in[i % n];
  GATE;
  for (long i = 0; i < n; ++i) out[i] += wide[4 * n - 1 - i];
  std::free(wide);
}
""" + MAIN.replace("OPERATOR", "spare")


class ForecastTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder, cls.numbers = Path(cls.enterClassContext(tempfile.TemporaryDirectory())), itertools.count()
        cls.environment = {**os.environ, "XDG_DATA_HOME": str(cls.folder)}

    def program(self, name, source):
        path = self.folder / name
        if not path.exists():
            path.with_suffix(".cpp").write_text(source)
            subprocess.run([SETUP.clang / "clang++", "-O2", f"-fplugin={SETUP.lib}/memshape", f"-I{ROOT}/runtime/include", path.with_suffix(".cpp"),
                            "-o", path], check=True)
        return path

    def gate(self, is_open):
        path = self.folder / f"gate{next(self.numbers)}"
        path.write_bytes(bytes([is_open]).ljust(4096, b"\0"))
        self.addCleanup(self.let_on, path)  # no program waits for ever, whatever fails
        return path

    @staticmethod
    def let_on(gate):
        with open(gate, "r+b") as stream:
            stream.write(b"\1")

    @staticmethod
    def reached(gate):
        return gate.read_bytes()[4] == 1

    def watched(self, command, *options, evidence=("skeleton", "skeleton and run", "history")):
        """The moments of a run that is watched from its start, how the watch ended, and the run's document. The gate opens when a
        look at the program in front of it gave a forecast of such evidence, at the latest after so many looks, or when the watch ends."""
        out, gate, moments, looks = self.folder / "run.json", self.gate(False), [], 0
        run = subprocess.Popen([SETUP.bin / "memshape", "run", "--json", out, "--", *map(str, command), gate], env=self.environment,
                               stdout=subprocess.DEVNULL)
        said = "not counted"
        while "not counted" in said:  # not yet started
            watch = subprocess.Popen([SETUP.bin / "memshape", "watch", str(run.pid), "--interval", "0.05", "--json", *options],
                                     env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            for line in watch.stdout:
                moments.append(json.loads(line))
                forecast = moments[-1]["forecast"]
                # A line may be of a look that was taken before the program got there; the one after the next is not.
                if looks > 1 and forecast and forecast["evidence"] in evidence or len(moments) == MOST_LOOKS:
                    self.let_on(gate)
                looks += looks > 0 or self.reached(gate)
            said = watch.communicate(timeout=120)[1]
        self.let_on(gate)
        self.assertEqual(run.wait(120), 0)
        return moments, watch.returncode, said, json.loads(out.read_text())

    def limited(self, command, limit, waits):
        """What a run under a limit says, and its document. The gate opens with the first line that is said, or is open from the start."""
        out, gate = self.folder / "limited.json", self.gate(not waits)
        run = subprocess.Popen([SETUP.bin / "memshape", "run", "--json", out, "--limit", str(int(limit)), "--", *map(str, command), gate],
                               env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        said = ""
        if waits:
            ready, _, _ = select.select([run.stderr], [], [], 60)
            said = run.stderr.readline() if ready else ""
            self.let_on(gate)
        said += run.communicate(timeout=120)[1]
        self.assertEqual(run.returncode, 0)
        return said, json.loads(out.read_text())

    def warned_before_the_peak(self, run):
        """A peak that lasts no time is not looked at: the limit is then met at no known moment."""
        warned, met = run["limit"]["warned_at_s"], run["limit"]["met_at_s"]
        self.assertIsNotNone(warned)
        self.assertTrue(met is None or warned < met, run["limit"])


class WhatTheSkeletonKnows(ForecastTest):
    def setUp(self):
        self.command = [self.program("staged", STAGED), 2000000]

    def test_the_resident_peak_is_known_long_before_it_is_there(self):
        moments, status, said, run = self.watched(self.command)
        self.assertEqual((status, said), (0, ""))
        truth, heap = run["process"]["rss"]["peak_bytes"], run["process"]["heap"]["peak_bytes"]
        early = [moment for moment in moments if moment["forecast"] and moment["rss"]["bytes"] < 0.7 * truth]
        self.assertTrue(early, moments)
        for moment in early:
            forecast = moment["forecast"]
            self.assertEqual((forecast["peak_bytes"], forecast["exact"], forecast["evidence"]), (heap, True, "skeleton"))
            self.assertAlmostEqual(forecast["rss"]["peak_bytes"] / truth, 1, delta=0.01)
            self.assertGreaterEqual(forecast["rss"]["upper_bytes"], truth)
            self.assertLess(forecast["rss"]["upper_bytes"], 1.03 * truth)
            self.assertEqual(forecast["rss"]["confidence"], 0.9)

    def test_an_alarm_in_time_where_resident_memory_alone_meets_the_limit(self):
        _, run = self.limited(self.command, 1e12, waits=False)
        heap, truth = run["process"]["heap"]["peak_bytes"], run["process"]["rss"]["peak_bytes"]
        said, run = self.limited(self.command, (heap + truth) / 2, waits=True)
        self.assertEqual(said.count("\n"), 1, said)
        self.assertIn("resident memory", said)
        limit = run["limit"]
        self.warned_before_the_peak(run)
        self.assertEqual(limit["forecast"]["peak_bytes"], heap)

    def test_no_alarm_where_the_bound_stays_below(self):
        moments, status, said, run = self.watched(self.command, "--limit", "1GB")
        self.assertEqual((status, said), (0, ""))
        self.assertFalse(any(moment["limit"]["alarm"] for moment in moments))
        # So far away that growth alone, which is all that is known until the forecast is there, is no reason for an alarm.
        said, run = self.limited(self.command, 2.1 * run["process"]["rss"]["peak_bytes"], waits=False)
        self.assertEqual((said, run["limit"]["warned_at_s"]), ("", None))

    def test_a_script_can_wait_for_the_alarm(self):
        moments, status, said, _ = self.watched(self.command, "--limit", "60MB", "--until-alarm")
        self.assertEqual((status, said.count("\n")), (1, 1), said)
        self.assertIn("before it ends", said)
        self.assertTrue(moments[-1]["limit"]["alarm"])
        self.assertLess(moments[-1]["rss"]["bytes"], 60e6)


class WhatDataDecide(ForecastTest):
    def learns(self, name, source, before):
        """The forecast is wrong at first, and right, long before the peak, once the list was seen."""
        command = [self.program(name, source), 100000]
        moments, _, _, run = self.watched(command, evidence=["skeleton and run"])
        heap, truth = run["process"]["heap"]["peak_bytes"], run["process"]["rss"]["peak_bytes"]
        forecasts = [moment["forecast"] for moment in moments if moment["forecast"] and moment["heap"]["peak_bytes"] < 0.8 * heap]
        self.assertTrue(forecasts, moments)
        self.assertFalse(any(forecast["exact"] for forecast in forecasts))
        first, last = forecasts[0], forecasts[-1]
        if first["evidence"] == "skeleton":
            before(first["peak_bytes"], heap)
        self.assertEqual((last["peak_bytes"], last["evidence"]), (heap, "skeleton and run"), forecasts)
        self.assertAlmostEqual(last["rss"]["peak_bytes"] / truth, 1, delta=0.02)
        self.assertGreaterEqual(last["rss"]["likely_upper_bytes"], truth)
        return command, heap, truth

    def test_a_count_is_known_once_its_list_is_there(self):
        command, heap, truth = self.learns("events", EVENTS, lambda said, heap: self.assertLess(said, 0.7 * heap))
        said, run = self.limited(command, 0.9 * truth, waits=True)
        self.assertEqual(said.count("\n"), 1, said)
        self.assertIn("as far as can be foreseen", said)
        self.assertEqual(run["limit"]["forecast"]["evidence"], "skeleton and run")
        self.warned_before_the_peak(run)

    def test_a_list_that_grows_is_known_once_it_is_cut(self):
        self.learns("picks", PICKS, lambda said, heap: self.assertGreater(said, 1.5 * heap))


class WhatPastRunsKnow(ForecastTest):
    def test_they_know_what_is_never_touched(self):
        program = self.program("spare", SPARE)
        command = [program, 2000000]
        _, _, _, run = self.watched(command)
        self.assertTrue(run["process"]["rss"]["peak_bytes"] < 0.75 * run["process"]["heap"]["peak_bytes"])
        for n in (500000, 700000, 1000000):
            ran(SETUP.bin / "memshape", "run", "--learn", "--", program, n, self.gate(True), env=self.environment, check=True)
        moments, _, _, run = self.watched(command)
        truth = run["process"]["rss"]["peak_bytes"]
        forecasts = [moment["forecast"] for moment in moments if moment["forecast"]]
        self.assertTrue(forecasts, moments)
        self.assertEqual((forecasts[-1]["runs"], forecasts[-1]["exact"]), (3, True))
        for forecast in forecasts:
            self.assertAlmostEqual(forecast["rss"]["peak_bytes"] / truth, 1, delta=0.05)
            self.assertGreaterEqual(forecast["rss"]["upper_bytes"], 0.99 * truth)

    def test_they_speak_alone_where_there_is_no_skeleton(self):
        program = self.program("staged", STAGED)
        bare = self.folder / "without"
        subprocess.run([SETUP.clang / "llvm-objcopy", "--remove-section=.memshape", program, bare], check=True)
        for n in (500000, 700000, 1000000):
            ran(SETUP.bin / "memshape", "run", "--learn", "--", bare, n, self.gate(True), env=self.environment, check=True)
        moments, _, _, run = self.watched([bare, 2000000])
        forecasts = [moment["forecast"] for moment in moments if moment["forecast"]]
        self.assertTrue(forecasts, moments)
        heap = run["process"]["heap"]["peak_bytes"]
        self.assertEqual((forecasts[0]["evidence"], forecasts[0]["exact"], forecasts[0]["runs"]), ("history", False, 3))
        self.assertAlmostEqual(forecasts[0]["peak_bytes"] / heap, 1, delta=0.1)
        self.assertGreaterEqual(forecasts[0]["upper_bytes"], heap)


if __name__ == "__main__":
    run_tests(__doc__, bin=BIN, clang=CLANG, lib=LIB)
