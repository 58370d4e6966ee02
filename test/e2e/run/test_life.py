#!/usr/bin/env python3
# Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How programs end under memshape run, and what is known of their last moment."""
import os
import signal

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


if __name__ == "__main__":
    main()
