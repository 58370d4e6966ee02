#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""examples/tiled_cholesky_*.cpp: engines keep 1.05 times the memory of the answered order, or that of the answered edges,
with the result they have without; StarPU alone takes nearly twice as much. Wrong answers get one line and status 2."""

import json
import math
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from toolchain import BIN, SETUP, ran, run_tests

TILE = 64
TILE_BYTES = 8 * TILE * TILE
OWN = 2 << 20  # what an engine itself takes while tasks run


class Engine:
    """What is asked of each engine; `name` is that of its program."""

    def setUp(self):
        self.program = Path(SETUP.program) / f"tiled_cholesky_{self.name}"
        if not self.program.exists():
            self.skipTest(f"{self.name} was not found when examples were built")
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory(prefix="memshape-engines-")))
        self.environment = {**os.environ, "OMP_NUM_THREADS": "2", "OMP_WAIT_POLICY": "passive", "STARPU_NCPU": "2", "STARPU_SILENT": "1",
                            "STARPU_HOME": str(self.folder)}

    def run_on(self, tiles, *words):
        return ran(self.program, tiles, TILE, *words, timeout=120, env=self.environment)

    def found(self, *words):
        done = self.run_on(*words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def answer(self, tiles, *words):
        """The answer's file, and what it says."""
        graph, file = self.folder / "graph.json", self.folder / "answer.json"
        graph.write_text(self.run_on(tiles).stdout)
        subprocess.run([Path(SETUP.bin) / "memshape", "schedule", graph, "--json", "-o", file, *map(str, words)], check=True)
        return file, json.loads(file.read_text())

    def keeps(self, found, memory, plain):
        self.assertTrue(math.isclose(found["log_determinant"], plain["log_determinant"], rel_tol=1e-12))
        if "tile_bytes" in found:
            self.assertLessEqual(found["tile_bytes"], memory)

    def test_gates_keep_the_memory(self):
        file, answer = self.answer(40)
        self.assertLess(answer["peak_bytes"], 0.55 * 820 * TILE_BYTES)
        memory = answer["peak_bytes"] * 105 // 100
        plain, found = self.found(40, 0), self.found(40, memory, file)
        self.keeps(found, memory, plain)
        if self.name == "starpu":  # which has all its tasks before the first of them runs
            self.assertGreater(plain["resident_bytes"], memory + OWN)
            self.assertLess(found["resident_bytes"], memory + OWN)

    def test_answered_edges_keep_the_memory(self):
        _, answer = self.answer(10)
        memory = answer["peak_bytes"] * 110 // 100
        file, answer = self.answer(10, "--memory", memory, "--edges")
        self.assertTrue(answer["edges"])
        self.keeps(self.found(10, memory, file), memory, self.found(10, 0))

    def test_wrong_answers_are_refused(self):
        file, answer = self.answer(4)
        for text, says in [("", "has no order"), ('{"order": ["x"]}', "were not recorded"), ('{"order": ["0"]}', "not one of these"),
                           (json.dumps({"order": answer["order"][::-1]}), "not one of these"),
                           (json.dumps({**answer, "edges": [{"from": "9", "to": "0"}]}), "does not follow"),
                           (json.dumps({**answer, "edges": [{"from": "0", "to": "999"}]}), "does not follow")]:
            wrong = self.folder / "wrong.json"
            wrong.write_text(text)
            done = self.run_on(4, 1 << 30, wrong)
            self.assertEqual((done.returncode, done.stdout), (2, ""), text)
            self.assertRegex(done.stderr.splitlines()[-1], says)
        done = self.run_on(4, answer["peak_bytes"] - 1, file)
        self.assertEqual(done.returncode, 2)
        self.assertIn("does not keep the memory", done.stderr)


class OpenMP(Engine, unittest.TestCase):
    name = "openmp"


class StarPU(Engine, unittest.TestCase):
    name = "starpu"


if __name__ == "__main__":
    run_tests(__doc__, bin=BIN, program="folder of the examples as they were built")
