#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sums of memshape run against figures by hand and against a counting allocator."""
import glob
import os
import shutil
import subprocess

from measured import SETUP, RunTest, main, program, read

FIGURES = ("peak_bytes", "total_bytes", "allocations", "reallocations", "frees")


class Truths(RunTest):
    def figures(self, *command, **more):
        """A peak that threads met at is known to some bytes, and says so; then it is measured where they take turns."""
        heap = self.heap(*command, **more)
        if heap["peak_error_bytes"]:
            heap = self.heap(*command, options=("--exact-peak",), **more)
        return [heap[figure] for figure in FIGURES]

    def heap(self, *command, options=(), **more):
        out = self.path("run.json")
        self.run_tool([*options, "--json", out], command, **more)
        return read(out)["process"]["heap"]

    def check_all(self, **more):
        listed = subprocess.run([program("truths")], capture_output=True, text=True, check=True).stdout.splitlines()
        self.assertGreaterEqual(len(listed), 20)
        for line in listed:
            name, *truth = line.split()
            idle, busy = self.figures(program("truths"), name, "idle", **more), self.figures(program("truths"), name, **more)
            self.assertEqual([b - i for b, i in zip(busy, idle)], [int(figure) for figure in truth], name)

    def test_programs_whose_memory_is_known_by_hand(self):
        self.check_all()

    def test_other_allocators_are_counted_alike(self):
        for name in ("libjemalloc.so.2", "libmimalloc.so.2", "libtcmalloc_minimal.so.4"):
            for library in glob.glob("/usr/lib/*/" + name)[:1]:
                with self.subTest(name):
                    self.check_all(env={**os.environ, "LD_PRELOAD": library})


class Mapped(RunTest):
    def test_ranges_that_are_cut_up_and_moved(self):
        _, run = self.measure(program("mapped"))
        page = os.sysconf("SC_PAGESIZE")
        call = self.one(run, "ranges")
        expected = dict(peak_bytes=1020 * page, total_bytes=1054 * page, allocations=4, reallocations=1,
                        output_bytes=236 * page)
        self.check_heap(call["spaces"]["mapped"], **expected)
        self.check_heap(call["heap"], peak_bytes=0, allocations=0)
        self.assertEqual([(site["space"], site["bytes_at_peak"]) for site in call["sites"]], [("mapped", 1020 * page)])
        self.assertEqual(run["process"]["spaces"]["mapped"]["output_bytes"], 6000)  # what sbrk left

    def test_an_allocators_own_mappings_are_not_the_programs(self):
        for library in glob.glob("/usr/lib/*/libjemalloc.so.2")[:1]:
            _, run = self.measure(program("mapped"), env={**os.environ, "LD_PRELOAD": library})
            self.assertEqual(run["process"]["spaces"]["mapped"]["peak_bytes"], 1020 * os.sysconf("SC_PAGESIZE"))


class Stacks(RunTest):
    OWN = 1024  # bytes: frames around what the programs write, and the hook's own

    def test_how_far_each_call_reaches(self):
        _, run = self.measure(program("stacks"))
        expected = [("below", 2000000, 2000000), ("below", 100, 100), ("below", 20000, 20000), ("outer", 10000, 10000),
                    ("below", 10000, 10000), ("deeper", 7000, 50000), ("below", 7000, 7000), ("deeper", 7001, 50000),
                    ("below", 7001, 7001), ("below", 30000, 30000)]
        for call, (operator, n, least) in zip(run["calls"], expected, strict=True):
            self.assertEqual((call["operator"], call["shape"]["n"]), (operator, n))
            self.assertLessEqual(least, call["spaces"]["stack"]["peak_bytes"], (operator, n))
            self.assertLess(call["spaces"]["stack"]["peak_bytes"], least + self.OWN, (operator, n))
        self.assertEqual(run["calls"][0]["heap"]["allocations"], 0)


class Libraries(RunTest):
    def test_large_blocks_of_a_library_name_the_call_that_led_there(self):
        _, run = self.measure(program("calls_library"))
        sites = {site["bytes_at_peak"]: site for site in self.one(run, "work")["sites"]}
        self.assertEqual(sorted(sites), [1000, 1000000, 2000000])
        for site in sites.values():
            self.assertEqual(os.path.basename(site["library"]), "libmemshape_run_library.so")
        self.assertNotIn("called_from", sites[1000])
        if not any(shutil.which(name) for name in ("llvm-symbolizer", "llvm-symbolizer-22", "llvm-symbolizer-19")):
            self.skipTest("no llvm-symbolizer")
        for held, line, function in ((1000000, 10, "below"), (2000000, 15, "main")):
            caller = sites[held]["called_from"]
            self.assertEqual((os.path.basename(caller["file"]), caller["line"], caller["function"]),
                             ("calls_library.c", line, function))

    def test_libraries_that_follow_each_other_at_one_address(self):
        names = ["libmemshape_run_library.so", "libmemshape_run_another.so"]
        _, run = self.measure(program("reload"), *map(program, names))
        sites = {os.path.basename(site["library"]): site["bytes_at_peak"] for site in self.one(run, "work")["sites"]}
        self.assertEqual([sites[name] for name in names], [20000, 40000])


class Stress(RunTest):
    """--rounds says how many thousand operations each of 8 threads makes: 14000 are more than 10^8 in all."""

    THREADS = 8

    def stress(self, operations, *more, options=("--exact-peak",)):
        out = self.path("run.json")
        done = subprocess.run([SETUP.driver, SETUP.runtime, *options, "--json", out, "--", program("stress"),
                               str(self.THREADS), str(operations), "7", *more], capture_output=True, text=True, timeout=600)
        return read(out)["process"]["heap"], [int(figure) for figure in done.stderr.split()]

    def test_a_counting_allocator_agrees(self):
        base, _ = self.stress(0, "bounded")  # what the threads' own structures take
        for more in (["growing"], ["bounded"], ["growing", "sites"], ["bounded", "sites"]):
            heap, counted = self.stress(1000 * (SETUP.rounds or 40), *more)
            certain, possible, *sums = counted
            measured = [heap[k] - base[k] for k in (*FIGURES[1:], "output_bytes")]
            self.assertEqual(measured, sums, more)
            self.assertEqual(heap["peak_error_bytes"], 0)
            peak = heap["peak_bytes"] - base["peak_bytes"]
            # The threads' own structures come and go: all of them are there for certain only where all meet.
            self.assertTrue(peak <= possible and certain <= heap["peak_bytes"], (more, counted, peak))
            if "growing" in more:
                self.assertEqual((peak, certain), (sums[-1], possible), more)

    def test_a_peak_where_threads_meet_is_as_near_as_is_stated(self):
        base, _ = self.stress(0, "bounded")
        for more in (["growing"], ["bounded"], ["growing", "sites"], ["bounded", "sites"]):
            heap, counted = self.stress(1000 * (SETUP.rounds or 40), *more, options=())
            certain, possible, *sums = counted
            measured = [heap[k] - base[k] for k in (*FIGURES[1:], "output_bytes")]
            self.assertEqual(measured, sums, more)
            error = heap["peak_error_bytes"]
            self.assertTrue(0 <= error <= 4096 * (self.THREADS + 1), (more, error))
            self.assertLessEqual(heap["peak_bytes"] - base["peak_bytes"], possible, more)
            self.assertGreaterEqual(heap["peak_bytes"] + error, certain, more)


if __name__ == "__main__":
    main()
