#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""memshape run --kernel on programs whose resident memory is known by hand, to some pages."""
import os

from measured import RunTest, main, program

MIB = 1 << 20
SLACK = MIB // 2  # what the C library, its start and the kernel's batched counters add


class KernelTest(RunTest):
    def resident(self, how, kernel=True):
        done, run = self.measure(program("resident"), how, options=["--kernel"] if kernel else [])
        self.assertEqual((done.stdout, done.returncode), ("ok\n", 0))
        kernel = run["process"]["kernel"]
        for moment in filter(None, (kernel or {}).get("at_heap_peak") and kernel.values() or []):
            if isinstance(moment, dict) and "difference" in moment:
                parts = sum(part for part in moment["difference"].values() if part)
                self.assertEqual(moment["heap_bytes"] + parts, moment["resident_bytes"])
                self.assertLessEqual(moment["private_bytes"] + moment["shared_bytes"], moment["resident_bytes"])
        return run

    def near(self, seen, expected, slack=SLACK):
        self.assertLessEqual(abs(seen - expected), slack, f"{seen} against {expected}")

    def test_pages_that_nobody_touched(self):
        moment = self.resident("untouched")["process"]["kernel"]["at_heap_peak"]
        self.near(moment["heap_bytes"], 64 * MIB, 64 * 1024)
        self.near(moment["difference"]["not_resident_bytes"], -48 * MIB)

    def test_what_the_allocator_keeps(self):
        kernel = self.resident("retained")["process"]["kernel"]
        self.near(kernel["at_heap_peak"]["difference"]["not_resident_bytes"], 0)
        self.near(kernel["at_end"]["difference"]["free_in_allocator_bytes"], 40000 * 1008, 2 * MIB)
        self.assertGreater(kernel["at_end"]["resident_bytes"], 38 * MIB)
        self.assertLess(kernel["at_end"]["free_at_top_bytes"], MIB)

    def test_holes_between_blocks(self):
        kernel = self.resident("fragmented")["process"]["kernel"]
        at_end = kernel["at_end"]
        self.near(at_end["heap_bytes"], 20000 * 1000 + 40000 * 8, 64 * 1024)
        self.near(at_end["difference"]["free_in_allocator_bytes"], 20000 * 1008, 2 * MIB)
        self.near(at_end["difference"]["overhead_bytes"], 20000 * 8, 64 * 1024)

    def test_each_call_has_its_own_resident_peak(self):
        run = self.resident("calls")
        seen = {call["shape"]["n"]: call["rss"]["call"] for call in run["calls"]}
        if not seen[64]["exact"]:
            self.skipTest("this kernel cannot reset the resident peak")
        for n in (64, 32, 8, 48, 4):
            self.near(seen[n]["rise_bytes"], n * MIB)
            self.near(seen[n]["minor_faults"] * os.sysconf("SC_PAGESIZE"), n * MIB, n * MIB)  # fewer: huge pages
        self.near(seen[1]["rise_bytes"], 48 * MIB)  # the outer call
        self.assertGreater(run["process"]["rss"]["peak_bytes"], 64 * MIB)  # was seen before the resets

    def test_memory_outside_the_heap(self):
        self.near(self.resident("mapped")["process"]["kernel"]["at_end"]["difference"]["other_anonymous_bytes"],
                  32 * MIB)
        difference = self.resident("static")["process"]["kernel"]["at_end"]["difference"]
        self.assertGreater(difference["files_bytes"], 24 * MIB)

    def test_nothing_is_watched_unasked(self):
        run = self.resident("calls", kernel=False)
        self.assertIsNone(run["process"]["kernel"])
        self.assertNotIn("call", run["calls"][0]["rss"])

    def test_the_control_group(self):
        group = self.resident("untouched")["process"]["kernel"]["cgroup"]
        if group is None or group["peak_bytes"] is None:
            self.skipTest("no control group with a peak here")
        self.assertIn(group["version"], (1, 2))
        self.assertGreaterEqual(group["peak_bytes"], group["peak_before_bytes"])

    def test_the_page_explains(self):
        done = self.run_tool(["--kernel"], [program("resident"), "calls"])
        for text in ("heap as requested", "never touched or given back", "program, libraries and their data",
                     "page faults", "resident peak"):
            self.assertIn(text, done.stderr)


if __name__ == "__main__":
    main()
