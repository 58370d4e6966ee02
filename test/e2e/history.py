#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records go in and come out as they were, teach predictions, and survive kills at any moment."""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from toolchain import ran

SETUP = None


def record(operator, n, **more):
    return json.dumps({"schema": "memshape.run/1", "operator": operator, "shape": {"n": n}, "heap_peak_bytes": 8 * n,
                       "rss_peak_bytes": 4000000 + 8 * n, **more})


class History(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.store = str(self.folder / "store")

    def memshape(self, *words, **more):
        return ran(SETUP.bin / "memshape", *words, **{"timeout": 120, **more})

    def well(self, *words, **more):
        done = self.memshape(*words, **more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def add(self, *lines):
        return self.memshape("history", "import", "--store", self.store, "-", input="\n".join(lines) + "\n")

    def test_records_come_out_as_they_went_in(self):
        lines = [record("f", n) for n in range(1, 50)]
        self.assertEqual(self.add(*lines).returncode, 0)
        self.assertEqual(self.well("history", "export", "--store", self.store).splitlines(), lines)

    def test_the_store_alone_answers_in_the_form_of_a_prediction(self):
        self.add(*[record("f", n, footprint={"formula": "8*n"}) for n in (100000, 200000, 400000)])
        answer = json.loads(self.well("predict", "--store", self.store, "--operator", "f", "--shape", "n=6400000", "--json"))
        self.assertEqual((answer["schema"], answer["evidence"]), ("memshape.prediction/1", "history"))
        self.assertAlmostEqual(answer["heap"]["peak_bytes"], 8 * 6400000, delta=8)
        self.assertFalse(answer["heap"]["exact"])
        self.assertAlmostEqual(answer["rss"]["peak_bytes"] / (4000000 + 8 * 6400000), 1, delta=0.03)
        self.assertGreaterEqual(answer["rss"]["upper_bytes"], 4000000 + 8 * 6400000)
        self.assertEqual(answer["rss"]["confidence"], 0.99)

    def test_runs_with_other_settings_are_those_of_another_function(self):
        for n in (100000, 200000, 300000):
            self.add(record("f", n, settings={"wide": False, "mode": "a"}))
            self.add(record("f", n, settings={"wide": True, "mode": "a"}, heap_peak_bytes=80 * n))
        ask = ("predict", "--store", self.store, "--operator", "f", "--shape", "n=400000", "--json")
        done = self.memshape(*ask)
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (2, 1))
        self.assertIn("choose with --set", done.stderr)
        wide, narrow = (json.loads(self.well(*ask, "--set", f"wide={value}")) for value in ("true", "0"))
        self.assertAlmostEqual(wide["heap"]["peak_bytes"] / (80 * 400000), 1, delta=0.05)
        self.assertAlmostEqual(narrow["heap"]["peak_bytes"] / (8 * 400000), 1, delta=0.05)
        self.assertEqual(wide["settings"], {"mode": "a", "wide": 1.0})
        self.assertEqual(wide["history"], {"heap_runs": 3, "rss_runs": 3})
        self.assertIsNone(wide["heap"]["lower_bytes"])
        self.assertEqual((wide["rss"]["evidence"], wide["rss"]["runs"]), ("history", 3))
        for words in (("--set", "wide=2"), ("--set", "deep=1")):
            done = self.memshape(*ask, *words)
            self.assertEqual((done.returncode, len(done.stderr.splitlines())), (2, 1))

    def test_what_cannot_be_is_refused_and_nothing_is_lost(self):
        self.add(record("f", 1))
        for bad in ('{"schema": "memshape.run/1"}', "[]", record("f", 2).replace("16", "NaN"), record("f", 2).replace("16", "-16"),
                    record("f", 2).replace("run/1", "run/9"), record("f", 2, started_at=20, ended_at=10),
                    record("f", 2, started_at=time.time() + 1e7),
                    record("f", 2, rss_peak_bytes=100), record("f", 2, heap_peak_bytes=1e30),
                    record("f", 2, features={"heap_bytes": -1}), record("f", 2, footprint={"formula": "n +"}),
                    record("f", 2, footprint={"formula": "n - 9"}), record("f", 2, footprint="8*n"), record("f", 2, features=[1])):
            done = self.add(record("f", 3), bad)
            self.assertEqual(done.returncode, 2, bad)
            self.assertEqual(len(done.stderr.splitlines()), 1, bad)
            self.assertIn("line 2", done.stderr)
        self.assertEqual(self.well("history", "export", "--store", self.store).splitlines(), [record("f", 1)])

    def test_a_damaged_store_is_refused_and_left_as_it_is(self):
        self.add(*[record("f", n) for n in range(2000)])
        whole = Path(self.store).read_bytes()
        draw = random.Random(7)
        for turn in range(40):
            broken = bytearray(whole)
            for _ in range(8):
                broken[draw.randrange(len(broken))] = draw.randrange(256)
            Path(self.store).write_bytes(broken[:draw.randrange(len(broken))] if turn % 4 == 0 else broken)
            before = Path(self.store).read_bytes()
            for words in (["predict", "--operator", "f", "--shape", "n=7"], ["history", "export"]):
                done = self.memshape(*words, "--store", self.store)
                self.assertIn(done.returncode, (0, 2))
                self.assertLessEqual(len(done.stderr.splitlines()), 1, done.stderr)
                if done.returncode == 0 and words[0] == "history":  # the damage lies elsewhere
                    self.assertLessEqual(set(done.stdout.splitlines()), {record("f", n) for n in range(2000)})
            self.assertEqual(Path(self.store).read_bytes(), before)

    def test_what_can_be_read_of_a_damaged_store_comes_out_and_goes_into_another(self):
        lines = [record("f", n) for n in range(2000)]
        self.add(*lines)
        whole, other, saved = Path(self.store).read_bytes(), self.store + ".new", self.store + ".jsonl"
        Path(self.store).write_bytes(whole.replace(b'"n": 777', b'"n": 778', 1))
        done = self.memshape("history", "export", "--store", self.store, saved)
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (2, 1), done.stderr)
        self.assertIn("is damaged: 1999 records could be read; `sqlite3", done.stderr)
        self.assertEqual(Path(saved).read_text().splitlines(), lines[:777] + lines[778:])
        self.assertEqual(self.well("history", "import", "--store", other, saved), f"1999 records imported into {other}\n")
        Path(self.store).write_bytes(whole[:len(whole) // 2])
        done = self.memshape("history", "export", "--store", self.store)
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (2, 1), done.stderr)
        self.assertIn("is damaged", done.stderr)

    def test_what_is_no_regular_file_is_refused_at_once(self):
        pipe = str(self.folder / "pipe")
        os.mkfifo(pipe)
        for words in (["history", "import", "--store", self.store, pipe], ["history", "import", "--store", self.store, "/dev/zero"],
                      ["history", "list", "--store", pipe], ["run", "--record", pipe, "--", "true"], ["train", pipe],
                      ["predict", "--store", self.store, "--operator", "f", "--shape", "n=1", "--model", pipe],
                      ["check", "--baseline", pipe, "a.o"], ["schedule", pipe], ["checkpoint", "--chain", pipe, "--memory", "1GiB"],
                      ["predict", "/bin/true", "--summaries", pipe, "--shape", "n=1"],
                      ["predict", "/bin/true", "--summaries", "/dev/zero", "--shape", "n=1"]):
            self.add(record("f", 1))
            done = self.memshape(*words, timeout=20)
            self.assertEqual((done.returncode, len(done.stderr.splitlines())), (2, 1), (words, done.stderr))

    def test_a_run_that_a_locked_store_cannot_take_is_kept_beside_it(self):
        self.add(record("f", 1))
        script = ("import sqlite3, sys, time; store = sqlite3.connect(sys.argv[1], isolation_level=None);"
                  "store.execute('BEGIN IMMEDIATE'); print(flush=True); sys.stdin.read()")
        start = "while [ ! -e \"$0\" ]; do sleep 0.1; done"
        go = str(self.folder / "go")
        run = subprocess.Popen([str(SETUP.bin / "memshape"), "run", "--record", self.store, "--", "sh", "-c", start, go],
                               stderr=subprocess.PIPE, text=True)
        time.sleep(1)
        with subprocess.Popen([sys.executable, "-c", script, self.store], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
            holder.stdout.readline()
            Path(go).touch()
            _, said = run.communicate(timeout=120)
            holder.stdin.close()
        self.assertEqual(run.returncode, 2, said)
        kept, = self.folder.glob("store.run-*.jsonl")
        self.assertIn(f"`memshape history import {kept} --store {self.store}` adds it", said)
        self.assertEqual(kept.stat().st_mode & 0o777, 0o600)
        self.assertEqual(self.well("history", "import", str(kept), "--store", self.store), f"1 record imported into {self.store}\n")

    def test_an_export_never_writes_over_its_own_store(self):
        self.add(record("f", 1))
        done = self.memshape("history", "export", "--store", self.store, self.store)
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (2, 1), done.stderr)
        self.assertEqual(self.well("history", "export", "--store", self.store).splitlines(), [record("f", 1)])
        kept = self.folder / "kept"
        kept.write_text("mine")
        self.assertEqual(self.memshape("history", "export", "--store", self.store + ".none", str(kept)).returncode, 2)
        self.assertEqual(kept.read_text(), "mine")

    def test_a_kill_in_the_middle_of_a_write_loses_nothing_that_was_committed(self):
        draw = random.Random(11)
        committed = 0
        for turn in range(SETUP.kills):
            lines = [record(f"op{turn}", n) for n in range(200)]
            child = subprocess.Popen([str(SETUP.bin / "memshape"), "history", "import", "--store", self.store, "-"],
                                     stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0)
            try:
                child.stdin.write(("\n".join(lines) + "\n").encode())
                child.stdin.close()
            except BrokenPipeError:
                pass
            time.sleep(draw.random() * 0.04)
            child.send_signal(signal.SIGKILL)
            said = b"imported" in child.stdout.read()
            child.stdout.close()
            child.wait()
            kept = 0
            if os.path.exists(self.store) and os.path.getsize(self.store):
                there = self.memshape("history", "list", "--store", self.store)
                if there.returncode == 0:
                    kept = sum(int(line.split()[-1]) for line in there.stdout.splitlines())
                else:  # killed while the store itself was being made
                    self.assertEqual(committed, 0, there.stderr)
            self.assertGreaterEqual(kept, committed + (200 if said else 0))
            self.assertIn(kept - committed, (0, 200), "all of an import or nothing")
            committed = kept

    def test_runs_are_kept_and_compared_with_what_was_expected(self):
        for turn in range(3):
            done = self.memshape("run", "--record", self.store, "--learn", "--", "/bin/echo", "x")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(f"({turn} run{'' if turn == 1 else 's'} before)", done.stderr)
        self.assertIn("expected", done.stderr)
        self.assertIn("(process)  3", self.well("history", "list", "--store", self.store))

    def test_the_generic_prior_comes_from_the_committed_records_bit_for_bit(self):
        tree = Path(__file__).resolve().parents[2]
        model = self.well("train", str(tree / "bench/accuracy/records.jsonl"), str(tree / "bench/processes/prior.jsonl"))
        self.assertEqual(model, (tree / "model/residency/generic.model").read_text())
        self.assertLess(len(model), 16000)

    def test_training_explains_what_features_and_sources_are_worth(self):
        lines = []
        for name, touched in (("a", 1), ("b", 1), ("c", 0.5), ("d", 1)):
            for n in range(1, 7):
                heap = n * 4000000
                lines.append(record(name, n, held_bytes=n * 1000000, heap_peak_bytes=heap, rss_peak_bytes=3000000 + n * 1000000 + int(touched * heap),
                                    features={"heap_bytes": heap, "total_bytes": heap, "allocations": 3}))
            lines.append(json.dumps({"schema": "memshape.source/1", "operator": name,
                                     "source": {"data_dependent_control": 1 - touched, "decisions": int(touched < 1)}}))
        path = self.folder / "runs.jsonl"
        path.write_text("\n".join(lines) + "\n")
        done = self.memshape("train", str(path), "--explain")
        self.assertEqual(done.returncode, 0, done.stderr)
        for words in ("Without one input feature", "heap peak", "the same and one run", "data_dependent_control", "to 50 %"):
            self.assertIn(words, done.stderr)
        runs = self.folder / "only.jsonl"
        runs.write_text("\n".join(line for line in lines if "source/1" not in line) + "\n")
        self.assertEqual(self.well("train", str(runs)), done.stdout)  # sources explain, they do not teach
        for bad in ('{"schema": "memshape.source/1", "operator": "a"}', '{"schema": "memshape.source/1", "operator": "a", "source": {"x": "y"}}'):
            path.write_text(bad + "\n")
            done = self.memshape("train", str(path))
            self.assertEqual((done.returncode, len(done.stderr.splitlines())), (2, 1), done.stderr)

    def test_writers_at_the_same_time_all_arrive(self):
        children = [subprocess.Popen([str(SETUP.bin / "memshape"), "history", "import", "--store", self.store, "-"],
                                     stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) for _ in range(6)]
        for index, child in enumerate(children):
            child.stdin.write((record(f"w{index}", 5) + "\n").encode())
            child.stdin.close()
        self.assertEqual([child.wait() for child in children], [0] * 6)
        self.assertEqual(len(self.well("history", "export", "--store", self.store).splitlines()), 6)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=Path, required=True)
    parser.add_argument("--kills", type=int, default=60, help="how often a writer is killed")
    SETUP, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *[word for word in rest if word in ("-v",) or word.startswith("History")]])
