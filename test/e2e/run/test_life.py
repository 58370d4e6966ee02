#!/usr/bin/env python3
# Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How programs end under memshape run, and what is known of their last moment."""
import os
import signal
import subprocess

from measured import RunTest, main, no_core, program


class Endings(RunTest):
    def test_a_run_says_how_its_program_ended(self):
        for how, ending in (("return", "exit"), ("exit", "exit"), ("_exit", "_exit"), ("quick_exit", "_exit"),
                            ("abort", "signal"), ("kill", "signal"), ("segv", "signal")):
            _, run = self.measure(program("deaths"), how, preexec_fn=no_core)
            self.assertEqual(run["process"]["ending"], ending, how)
            self.assertIsNone(run["out_of_memory"])

    def test_children_tell_their_ends_themselves(self):
        _, run = self.measure(program("children"))
        endings = {c["shape"]["n"]: [p["ending"] for p in run["children"] if p["pid"] == c["pid"]]
                   for c in self.calls(run, "child")}
        self.assertEqual(endings, {1: ["exit"], 2: ["_exit"], 3: ["abort"], 4: ["unknown"], 7: ["exit"],
                                   5: ["exec", "exit"], 6: ["exec", "exit"]})  # one process, two programs

    def test_what_was_live_when_it_was_killed_is_known_by_site(self):
        for how in ("kill", "abort", "segv", "_exit"):
            _, run = self.measure(program("deaths"), how, preexec_fn=no_core)
            held = {os.path.basename(s.get("library") or ""): s["bytes"] for s in run["process"]["live_sites"]}
            self.assertEqual(held["deaths"], 77)
            self.assertEqual(sum(held.values()), run["process"]["heap"]["output_bytes"])
            self.assertEqual([(c["operator"], c["shape"], c["live_bytes"]) for c in run["process"]["in_flight"]],
                             [("dying", {"n": 1}, 77)])

    def test_the_page_of_a_killed_program_names_its_last_moment(self):
        done = self.run_tool([], [program("deaths"), "kill"])
        self.assertEqual(done.returncode, 128 + signal.SIGKILL)
        for text in ("killed by signal 9", "live at that moment", "in flight: dying  n=1"):
            self.assertIn(text, done.stderr)
        self.assertNotIn("live at that moment", self.run_tool([], [program("deaths"), "exit"]).stderr)

    def test_a_failed_exec_leaves_the_program_running(self):
        _, run = self.measure(program("children"), "failing")
        self.assertEqual((run["exit_status"], run["process"]["ending"]), (0, "exit"))


class Declared(RunTest):
    def phases(self, process):
        return {p["phase"]: p for p in process["phases"]}

    def test_every_phase_has_a_peak_of_its_own(self):
        _, run = self.measure(program("phases"))
        found = self.phases(run["process"])
        figures = {name: (p["times"], p["heap"]["peak_bytes"], p["heap"]["process_peak_bytes"], p["heap"]["total_bytes"],
                          p["heap"]["output_bytes"]) for name, p in found.items()}
        self.assertEqual(figures, {"load": (1, 5000, 5000, 5000, 5000), "solve": (1, 3000, 8000, 6000, 0),
                                   "step": (3, 3000, 8000, 3000, 0), "rest": (1, 7, 5007, 7, -4993)})
        self.assertEqual([c["operator"] for c in run["calls"]], ["work"])
        self.assertEqual(len(run["each_call"]), 1)

    def test_pools_are_counted_beside_the_heap_and_not_twice(self):
        _, run = self.measure(program("phases"))
        self.assertEqual(run["process"]["pools"], [
            dict(pool="cells", peak_bytes=480, live_bytes=0, held_bytes=0, held_peak_bytes=1000, total_bytes=490,
                 allocations=11, frees=11)])
        work = self.one(run, "work")
        self.check_heap(work["heap"], peak_bytes=1000, total_bytes=1000, allocations=1)
        self.check_heap(work["spaces"]["pool"], peak_bytes=480, total_bytes=490, allocations=11, output_bytes=0)
        site, = [s for s in work["sites"] if s["space"] == "pool"]
        self.assertEqual((os.path.basename(site["file"]), site["bytes_at_peak"]), ("phases.c", 480))

    def test_a_child_goes_on_with_the_open_phases(self):
        _, run = self.measure(program("phases"), "fork")
        child, = run["children"]
        self.assertEqual(self.phases(child)["rest"]["heap"]["peak_bytes"], 70)
        self.assertEqual(self.phases(run["process"])["rest"]["heap"]["peak_bytes"], 7)

    def test_open_phases_of_an_aborted_program_are_in_flight(self):
        _, run = self.measure(program("phases"), "abort", preexec_fn=no_core)
        flying, = run["process"]["in_flight"]
        self.assertEqual((flying["phase"], flying["live_bytes"]), ("rest", 7))

    def test_the_page_shows_phases_and_pools(self):
        page = self.run_tool([], [program("phases")]).stderr
        for text in ("phase step  (3 times)", "process peak", "pool cells", "held at most", "left behind"):
            self.assertIn(text, page)

    def test_annotations_without_the_runtime_do_nothing(self):
        done = subprocess.run([program("phases")], capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))


if __name__ == "__main__":
    main()
