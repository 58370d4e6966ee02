#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""memshape watch on examples/kmeans_out_of_core.cpp: the figures of its store are those that it prints itself, and what
is no store is refused in one line."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path
from xml.dom import minidom

import out_of_core
from out_of_core import BLOCK, CAPACITY, EXECUTORS
from toolchain import SETUP, ran, run_tests

RECORD_BYTES = 160


def command(folder, **options):
    return out_of_core.command(folder, "--json", **options)


def memshape(*words, **options):
    return ran(SETUP.memshape, *words, **options, timeout=120)


def watch(*words, **options):
    return memshape("watch", *words, **options)


class OutOfCoreWatch(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory(prefix="memshape-out-of-core-watch-")))

    def until(self, reached):
        ends = time.monotonic() + 60
        while not (found := reached()):
            self.assertLess(time.monotonic(), ends)
        return found

    def record(self):
        return self.until(lambda: [one for one in self.folder.glob("memshape-ooc-*/statistics") if one.stat().st_size == RECORD_BYTES])[0]

    @contextlib.contextmanager
    def started(self, words, **options):
        """A process and those that it starts, which end here at the latest."""
        with subprocess.Popen(words, stderr=subprocess.DEVNULL, text=True, start_new_session=True, **options) as process:
            try:
                yield process
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)

    @contextlib.contextmanager
    def running(self, *before):
        """The program while it works on its data, far from its end."""
        with self.started([*map(str, before), *command(self.folder, batches=20000)], stdout=subprocess.DEVNULL) as process:
            self.record()
            yield process

    def check_place(self, store):
        self.assertEqual((store["budget_bytes"], store["executors"]), (CAPACITY * BLOCK, EXECUTORS))
        self.assertEqual(store["executor_bytes"], EXECUTORS * BLOCK)
        self.assertEqual(store["resident"] + store["away"], EXECUTORS)
        self.assertLessEqual(store["resident_bytes"], store["budget_bytes"])
        self.assertLessEqual(store["hits"], store["uses"])

    def check_whole(self, store, printed, batches=12):
        """All that the program has done; each block is made once, and not found in memory then."""
        self.check_place(store)
        for name in ("evictions", "reads", "read_bytes", "writes", "written_bytes"):
            self.assertEqual(store[name], printed[name], name)
        self.assertEqual(store["peak_bytes"], printed["peak_budget_bytes"])
        self.assertEqual(store["uses"], EXECUTORS + batches * 20)
        self.assertEqual(store["hits"], store["uses"] - EXECUTORS - store["reads"])
        self.assertAlmostEqual(store["hit_rate"], store["hits"] / store["uses"])

    def test_a_running_process_shows_its_store(self):
        with self.running() as started:
            self.until(lambda: json.loads(watch(started.pid, "--times", 1, "--json").stdout)["stores"][0]["reads"])
            looks = [json.loads(line) for line in
                     watch(started.pid, "--times", 3, "--interval", 0.3, "--json").stdout.splitlines()]
        self.assertEqual(len(looks), 3)
        before = None
        for look in looks:
            self.assertEqual((look["schema"], look["pid"], look["state"]), ("memshape.watch/1", started.pid, "running"))
            self.assertEqual((look["heap"], look["program"]), (None, str(SETUP.program.resolve())))
            self.assertGreater(look["rss"]["bytes"], 0)
            store, = look["stores"]
            self.check_place(store)
            self.assertEqual((store["pid"], store["state"]), (started.pid, "in use"))
            self.assertEqual(Path(store["folder"]).parent, self.folder)
            if before is None:
                self.assertIsNone(store["reads_per_s"])
            else:
                for name in ("reads", "read_bytes", "writes", "written_bytes"):
                    self.assertGreaterEqual(store[name], before[name])
                    self.assertEqual(store[name + "_per_s"] > 0, store[name] > before[name], name)
            before = store
        self.assertGreater(before["reads"], looks[0]["stores"][0]["reads"])

    def test_the_last_look_has_all_that_was_done(self):
        batches = 2000  # it is stopped long before its end, although this process may have to wait for a processor
        with self.started(command(self.folder, batches=batches), stdout=subprocess.PIPE) as started:
            self.record()
            started.send_signal(signal.SIGSTOP)
            with self.started([SETUP.memshape, "watch", str(started.pid), "--json", "--interval", "0.2"],
                              stdout=subprocess.PIPE) as looking:
                first = json.loads(looking.stdout.readline())
                started.send_signal(signal.SIGCONT)
                printed = json.loads(started.communicate(timeout=120)[0])
                last = json.loads(looking.communicate(timeout=120)[0].splitlines()[-1])
        self.assertEqual((first["state"], first["stores"][0]["state"]), ("running", "in use"))
        self.assertEqual((last["state"], last["stores"][0]["state"], looking.returncode), ("ended", "closed", 0))
        self.check_whole(last["stores"][0], printed, batches)

    def test_a_counted_process_shows_heap_and_store(self):
        with self.running(SETUP.memshape, "run", "--") as started:
            look = json.loads(watch(started.pid, "--times", 1, "--json").stdout)
            self.assertGreater(look["heap"]["live_bytes"], 0)
            self.assertEqual(len(look["stores"]), 1)
            line = watch(look["pid"], "--times", 1).stdout
            self.assertRegex(line, r"live .* peak .* resident .*  store \d+ in memory, \d+ away, .* of .*  reads .*  writes .*  ")

    def test_a_run_says_what_its_stores_have_done(self):
        page, written = self.folder / "run.html", self.folder / "run.json"
        done = memshape("run", "--html", page, "--json", written, "--", *command(self.folder))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        printed, run = json.loads(done.stdout), json.loads(written.read_text(encoding="utf-8"))
        store, = run["stores"]
        self.check_whole(store, printed)
        self.assertEqual(store["pid"], run["process"]["pid"])
        body = minidom.parse(str(page)).getElementsByTagName("main")[0]
        facts = {row.firstChild.firstChild.data: row.lastChild.firstChild.data
                 for row in body.getElementsByTagName("div") if row.firstChild.nodeName == "dt"}
        line = facts["store"]
        for text in (f"{EXECUTORS} executors of ", f"; {printed['evictions']} evictions, reads {printed['reads']} (",
                     f", writes {printed['writes']} (", f" of {store['uses']} uses"):
            self.assertIn(text, line)
        self.assertIn(f"({run['process']['heap']['total_bytes']:,} bytes)", facts["total"])
        text = memshape("run", "--", *command(self.folder))
        self.assertRegex(text.stderr, rf"\n  store        {EXECUTORS} executors of .*, hits [\d.]+ % of {store['uses']} uses\n")

    def test_a_run_without_stores_says_nothing_of_them(self):
        page = self.folder / "run.html"
        done = memshape("run", "--html", page, "--json", "-", "--", "true")
        self.assertEqual(json.loads(done.stdout)["stores"], [])
        self.assertNotIn("<dt>store</dt>", page.read_text(encoding="utf-8"))
        self.refused(memshape("run", "--html", self.folder / "no" / "page", "--", "true"), "no/page")

    def test_a_killed_run_says_what_its_stores_had_done(self):
        written = self.folder / "run.json"
        with self.running(SETUP.memshape, "run", "--json", written, "--") as started:
            self.until(lambda: json.loads(watch(self.folder, "--times", 1, "--json").stdout)["stores"][0]["reads"])
            os.kill(json.loads(watch(self.folder, "--times", 1, "--json").stdout)["pid"], signal.SIGKILL)
            self.assertEqual(started.wait(60), 128 + signal.SIGKILL)
        store, = json.loads(written.read_text(encoding="utf-8"))["stores"]
        self.check_place(store)
        self.assertGreater(store["reads"], 0)

    def test_a_folder_leads_to_the_process(self):
        with self.running() as started:
            own = self.record().parent
            for folder in (self.folder, own):
                look = json.loads(watch(folder, "--times", 1, "--json").stdout)
                self.assertEqual((look["pid"], look["stores"][0]["folder"]), (started.pid, str(own)))
        # It has been killed, and its folder is left.
        done = watch(self.folder, "--json")
        look = json.loads(done.stdout)
        self.assertEqual((done.returncode, look["state"], look["stores"][0]["state"]), (0, "ended", "left over"))
        line = watch(own).stdout
        self.assertRegex(line, r"^ +[\d.]+ s  ended  store \d+ in memory, \d+ away, .*  reads [\d,]+ \(.*\)  writes .*\n$")

    def test_two_processes_in_a_folder_are_named(self):
        with self.running() as one, self.running() as other:
            self.until(lambda: len(list(self.folder.glob("memshape-ooc-*/statistics"))) == 2)
            done = self.until(lambda: (found := watch(self.folder, "--times", 1)).returncode and found)
        self.assertEqual(done.stdout, "")
        self.assertIn("stores of several processes: watch one of " +
                      ", ".join(str(pid) for pid in sorted([one.pid, other.pid])) + "\n", done.stderr)

    @unittest.skipUnless(shutil.which("script"), "needs script(1) for a terminal")
    def test_a_terminal_gets_a_screen(self):
        with self.running() as started:
            done = ran("script", "-qec", f"{SETUP.memshape} watch {started.pid} --times 1", "/dev/null", stdin=subprocess.DEVNULL)
        for text in ("\x1b[H", "memshape watch: kmeans_out_of_core", "  store ", " in memory, ", str(self.folder)):
            self.assertIn(text, done.stdout)
        self.assertNotIn("  live", done.stdout)

    def refused(self, done, told):
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn(told, done.stderr)

    def test_what_is_no_store_is_refused_in_one_line(self):
        self.refused(watch(999999999), "there is no process 999999999")
        self.refused(watch(os.getpid()), "is not counted, and has no store")
        self.refused(watch(self.folder), "is not a run record, nor a folder with a store in it")
        with self.running():
            whole = self.record().read_bytes()
        own = self.folder / "own" / "memshape-ooc-own"
        own.mkdir(parents=True)
        for content, told in ((b"", "is not the record of a store"), (b"x" * RECORD_BYTES, "is not the record of a store"),
                              (whole[:8] + b"\x63" + whole[9:], "record of a store, of version 99; this memshape reads version 1"),
                              (whole[:-1], "damaged record of a store"), (whole[:40] + b"\xff" + whole[41:], "damaged record")):
            (own / "statistics").write_bytes(content)
            for folder in (own, own.parent):
                self.refused(watch(folder), told)
        (own / "statistics").unlink()
        (own / "statistics").symlink_to(self.folder)
        self.refused(watch(own), "cannot read")
        (own / "statistics").unlink()
        os.mkfifo(own / "statistics")
        self.refused(watch(own), "is not the record of a store")

    def test_stores_of_others_are_refused(self):
        nobody = {"user": 65534, "group": 65534, "extra_groups": []}
        self.folder.chmod(0o755)
        try:
            subprocess.run([SETUP.memshape, "--version"], check=True, capture_output=True, timeout=60, **nobody)
        except (OSError, subprocess.CalledProcessError) as why:
            self.skipTest(f"cannot run memshape as another user: {why}")
        with self.running() as started:
            self.refused(watch(started.pid, **nobody), "belongs to another user")
            for folder in (self.record().parent, self.folder):
                self.refused(watch(folder, **nobody), "Permission denied: a store is watched by its own user or by root")


if __name__ == "__main__":
    run_tests(__doc__, program="kmeans_out_of_core as it was built", memshape="memshape as it was built")
