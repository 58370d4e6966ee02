#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""examples/rtm2d.cpp: its gradient is that of finite differences, whatever is stored; what is predicted of it is measured, to
the byte; a tenth of the memory that all states take is kept."""

import json
import subprocess
import tempfile
import unittest
from pathlib import Path

from toolchain import BIN, CLANG, LIB, ROOT, SETUP, ran, run_tests

SCRATCH = tempfile.TemporaryDirectory()
FOLDER = Path(SCRATCH.name)
STEPS = 100


def program():
    built = FOLDER / "rtm2d"
    if not built.exists():
        subprocess.run([SETUP.clang / "clang++", "-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", f"-fplugin={SETUP.lib / 'memshape'}",
                        f"-I{ROOT / 'runtime/include'}", ROOT / "examples/rtm2d.cpp", "-o", built], check=True)
    return built


def run(*words):
    done = ran(*words, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def predict(nz, nx, nt, slots):
    return json.loads(run(SETUP.bin / "memshape", "predict", program(), "--json", "--shape",
                          f"nz={nz},nx={nx},nt={nt},slots={slots}"))["heap"]


def measure(*shape):
    record = FOLDER / "run.json"
    run(SETUP.bin / "memshape", "run", "--json", record, "--", program(), *shape)
    return json.loads(record.read_text())["calls"][0]["heap"]


class ReverseTimeMigration(unittest.TestCase):
    def test_the_gradient_is_right_whatever_is_stored(self):
        for slots in 1, 2, 10, STEPS:
            told = run(program(), "check", 30, 24, STEPS, slots)
            self.assertIn(f"gradient with {slots} of {STEPS} states: identical", told)
            self.assertEqual(told.count("\n"), 4)

    def test_what_is_predicted_is_measured(self):
        for shape in (30, 40, 60, 6), (31, 67, 101, 10), (1, 1, 1, 1), (13, 17, 23, 1), (9, 11, 40, 40):
            predicted = predict(*shape)
            self.assertTrue(predicted["exact"])
            self.assertEqual(predicted["peak_bytes"], measure(*shape)["peak_bytes"], shape)

    def test_a_tenth_of_the_memory_does(self):
        nz, nx = 50, 60
        limit = predict(nz, nx, STEPS, STEPS)["upper_bytes"] // 10
        fits, too_many = 1, STEPS
        while too_many - fits > 1:
            middle = (fits + too_many) // 2
            fits, too_many = (middle, too_many) if predict(nz, nx, STEPS, middle)["upper_bytes"] <= limit else (fits, middle)
        self.assertGreater(fits, 5)
        self.assertLessEqual(measure(nz, nx, STEPS, fits)["peak_bytes"], limit)
        self.assertEqual(run(program(), nz, nx, STEPS, fits), run(program(), nz, nx, STEPS, STEPS))

    def test_a_shape_is_asked_for(self):
        done = ran(program(), "check", "3")
        self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1))


if __name__ == "__main__":
    run_tests(__doc__, bin=BIN, clang=CLANG, lib=LIB)
