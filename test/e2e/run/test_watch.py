#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""memshape watch, limits and timelines, on programs whose memory grows in known steps."""
import contextlib
import json
import os
import shutil
import subprocess
import unittest

from measured import SETUP, RunTest, main, program, read


class WatchTest(RunTest):
    @contextlib.contextmanager
    def running(self, *arguments):
        """A program under memshape run that has grown and waits; gives its process id."""
        tool = subprocess.Popen([SETUP.driver, SETUP.runtime, "--", program("growing"), *arguments, "forever"],
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            self.assertEqual(tool.stdout.readline(), "grown\n")
            with open(f"/proc/{tool.pid}/task/{tool.pid}/children") as stream:
                yield int(stream.read().split()[0])
        finally:
            tool.terminate()  # goes on to the program
            tool.communicate(timeout=30)

    def watch(self, *words):
        return subprocess.run([SETUP.memshape, "watch", *map(str, words)], capture_output=True, text=True, timeout=60)


class Watching(WatchTest):
    def test_a_running_process_shows_live_bytes_sites_and_peak(self):
        with self.running("5", "100000", "0") as pid:
            done = self.watch(pid, "--times", 1, "--json")
            moment = json.loads(done.stdout)
        self.assertEqual((moment["schema"], moment["pid"], moment["state"]), ("memshape.watch/1", pid, "running"))
        self.assertEqual(moment["heap"]["peak_bytes"], 700000)
        sites = {s["function"]: s["bytes"] for s in moment["live_sites"] if s["file"]}
        self.assertEqual(sites, {"grow": 500000})
        self.assertGreater(moment["rss"]["bytes"], 100000)

    def test_lines_for_a_pipe_until_the_process_ends(self):
        tool = subprocess.Popen([SETUP.driver, SETUP.runtime, "--", program("growing"), "40", "1000000", "20"],
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        done = None
        while done is None or "not counted" in done.stderr:  # not yet started
            done = self.watch(tool.pid, "--interval", 0.1, "--limit", "100MB")
        tool.wait(30)
        lines = done.stdout.splitlines()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertGreater(len(lines), 4)
        self.assertTrue(any("phase growth  grow  n=40" in line for line in lines), done.stdout)
        self.assertTrue(any("limit 95.37 MiB in about" in line for line in lines), done.stdout)
        self.assertIn("exited", lines[-1])
        self.assertIn("peak 40.05 MiB", lines[-1])
        self.assertNotIn("\x1b", done.stdout)

    def test_the_process_behind_memshape_run_is_found(self):
        with self.running("5", "100000", "0") as pid:
            with open(f"/proc/{pid}/stat") as stream:
                parent = int(stream.read().rsplit(")", 1)[1].split()[1])
            moment = json.loads(self.watch(parent, "--times", 1, "--json").stdout)
        self.assertEqual(moment["pid"], pid)

    def test_the_record_of_a_dead_process_is_shown_once(self):
        record = self.path("record")
        subprocess.run([program("growing"), "3", "1000", "0"], check=True, timeout=60,
                       env={**os.environ, "LD_PRELOAD": SETUP.runtime, "MEMSHAPE_RUNTIME_RECORD": record})
        done = self.watch(record)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stdout.count("\n"), 1)
        self.assertIn("peak 4.88 KiB  exited", done.stdout)

    @unittest.skipUnless(shutil.which("script"), "needs script(1) for a terminal")
    def test_a_terminal_gets_a_screen(self):
        with self.running("5", "100000", "0") as pid:
            done = subprocess.run(["script", "-qec", f"{SETUP.memshape} watch {pid} --times 1", "/dev/null"],
                                  capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
        for text in ("\x1b[H", "memshape watch: growing", "live now", "growing.c"):
            self.assertIn(text, done.stdout)

    def test_wrong_requests(self):
        version = self.path("version")
        record = self.path("record")
        subprocess.run([program("plain")], check=True, capture_output=True,
                       env={**os.environ, "LD_PRELOAD": SETUP.runtime, "MEMSHAPE_RUNTIME_RECORD": record})
        with open(record, "rb") as stream:
            whole = stream.read()
        with open(version, "wb") as stream:
            stream.write(whole[:8] + b"\x63" + whole[9:])
        cut = self.path("cut")
        with open(cut, "wb") as stream:
            stream.write(whole[:100000])
        empty = self.path("empty")
        open(empty, "wb").close()
        for words, text in ((["999999999"], "no process"), (["1x"], "cannot read"), ([self.folder], "not a run record"),
                            ([str(os.getpid())], "not counted"), (["/dev/null"], "not a run record"),
                            ([empty], "not a run record"), ([version], "version 99"), ([cut], "cut short"),
                            ([record, "--limit", "much"], "is no size"), ([record, "--interval", "0"], "interval"),
                            ([], "PROCESS")):
            done = self.watch(*words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertIn(text, done.stderr)


class Limits(RunTest):
    def limited(self, limit, *command):
        out = self.path("run.json")
        done = self.run_tool(["--json", out, "--limit", str(limit)], command)
        return done, read(out)["limit"]

    def test_growth_is_warned_of_before_the_limit_is_met(self):
        done, limit = self.limited(40 * 10**6, program("growing"), "50", "1000000", "40")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn("the limit of 38.15 MiB is met in about", done.stderr)
        self.assertLess(limit["warned_at_s"], limit["met_at_s"])

    def test_no_warning_where_the_limit_is_far(self):
        done, limit = self.limited(10**12, program("growing"), "10", "1000000", "5")
        self.assertEqual((done.stderr, limit["warned_at_s"], limit["met_at_s"]), ("", None, None))
        self.assertGreater(limit["most_held_bytes"], 10**6)


class Timelines(RunTest):
    def timeline(self, *command):
        out = self.path("timeline.json")
        self.run_tool(["--json", self.path("run.json"), "--timeline", out], command)
        return read(out)

    def test_live_bytes_over_time_with_the_exact_peak(self):
        process, = self.timeline(program("growing"), "30", "100000", "5")["processes"]
        buckets = process["buckets"]
        self.assertEqual(process["peak_bytes"], 3200000)
        self.assertEqual(max(b[2] for b in buckets), 3200000)  # a spike that lasted no time
        self.assertLessEqual(len(buckets), 1024)
        rising = [b[3] for b in buckets if b[0] + process["bucket_us"] < process["peak_seen_us"]]
        self.assertEqual(rising, sorted(rising))
        self.assertGreater(len(set(rising)), 10)
        self.assertTrue(all(least <= last <= most for _, least, most, last, _ in buckets))
        self.assertEqual([list(s)[0] + " " + list(s.values())[0] for s in process["spans"]],
                         ["phase growth", "operator grow"])

    def test_every_process_has_a_line(self):
        processes = self.timeline(program("children"))["processes"]
        self.assertEqual(len(processes), 8)
        self.assertTrue(all(p["buckets"] for p in processes))


if __name__ == "__main__":
    main()
