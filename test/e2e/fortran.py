#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators in Fortran: what is predicted of them, and what counted runs take.

fortran.py --clang FOLDER --bin FOLDER --lib FOLDER [NAME...]: each file of fortran/, or those named, says of its operators

    ! call: NAME SHAPE [SETTINGS] (ARGUMENTS) (ARGUMENTS)...     an exact answer at these arguments of its program
    ! bound: NAME SHAPE [SETTINGS] (ARGUMENTS)...                one whose bounds hold, and that is exact where it says so

where $1 is the first argument. They are held at -O0, -O2 and -O3, by each flang that is there, or where the file says
`! release: 22`, by that one alone."""

import json
import re
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

import toolchain
from toolchain import BIN, CLANG, LIB, SETUP

SOURCES = toolchain.HERE / "fortran"
COUNTING = (toolchain.HERE / "hostile" / "counting.c", SOURCES / "counted.c")
LIBRARIES = ("-fopenmp",)
LINKED = ("-llapack", "-lblas")
LEVELS = ("-O0", "-O2", "-O3")
FLANGS = {"22": "flang-22", "19": "flang-new-19"}


def asked(source):
    """(whether exact, operator, shape, settings, arguments) of each call of a file."""
    for kind, rest in re.findall(r"^! (call|bound): (.*)$", source.read_text(), re.M):
        words, sets = rest.split(" (")[0].split(), re.findall(r"\(([^)]*)\)", rest)
        for arguments in sets:
            values = arguments.split()
            fill = lambda text: re.sub(r"\$(\d)", lambda at: values[int(at[1]) - 1], text)
            yield kind == "call", words[0], fill(words[1]), [fill(each) for each in words[2:]], values


class Fortran(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="memshape-fortran-")
        cls.addClassCleanup(cls.folder.cleanup)
        cls.tools = toolchain.Toolchain(SETUP.clang, SETUP.bin, SETUP.lib, Path(cls.folder.name))
        cls.memshape = SETUP.bin / "memshape"
        cls.flags = cls.output(cls.memshape, "config", "--flang-flags").split()
        cls.counting = []
        for code in COUNTING:
            cls.counting.append(cls.tools.scratch / f"{code.stem}.o")
            cls.tools.build(SETUP.clang / "clang", "-O2", "-c", code, "-o", cls.counting[-1])

    @classmethod
    def output(cls, *command, **options):
        done = cls.tools.run(*command, **options)
        if done.returncode:
            raise AssertionError(f"{' '.join(map(str, command))}\nended with {done.returncode}:\n{done.stderr}")
        return done.stdout

    def held(self, source, flang, level):
        calls = list(asked(source))
        program = self.tools.scratch / f"{source.stem}{level}-{flang}"
        named = {"MEMSHAPE_OPERATORS": ",".join(sorted({call[1] for call in calls}))}
        self.tools.build(flang, level, *self.flags, *LIBRARIES, "-c", source, "-o", f"{program}.o", environment=named)
        self.tools.build(flang, f"{program}.o", *self.counting, *LIBRARIES, *LINKED, "-o", program)
        for exact, name, shape, settings, arguments in calls:
            with self.subTest(operator=name, shape=shape):
                release = re.search(r"\d+$", flang)[0]
                self.compare(program, f"flang {release} {level}", exact, name, shape, settings, arguments)

    def compare(self, program, compiler, exact, name, shape, settings, arguments):
        options = [word for each in settings for word in ("--set", each)]
        answer = json.loads(self.output(self.memshape, "predict", f"{program}.o", "--operator", name, "--shape", shape,
                                        *options, "--json"))
        self.assertEqual(answer["compiler"], compiler)
        heap, why = answer["heap"], json.dumps(answer.get("reasons"))
        words = self.output(program, name, *arguments, environment={"OMP_NUM_THREADS": "2"}).split()
        counted = [int(word) for word in words[-4:]]
        found = [heap["peak_bytes"], heap["total_bytes"], heap["allocations"], heap["output_bytes"]]
        self.assertLessEqual(heap["lower_bytes"], counted[0], why)
        if heap["upper_bytes"] is not None:
            self.assertGreaterEqual(heap["upper_bytes"], counted[0], why)
        if exact or heap["exact"]:
            self.assertEqual(found, counted, why)
        if exact:
            self.assertTrue(heap["exact"], why)


def add(source, flang, level):
    release = next(number for number, name in FLANGS.items() if name == flang)
    name = f"test_{source.stem}_{release}_{level[1:]}"

    only = re.search(r"^! release: (\d+)$", source.read_text(), re.M)
    if only and only[1] != release:
        return

    @unittest.skipUnless(shutil.which(flang), f"there is no {flang} here")
    def test(self):
        self.held(source, flang, level)

    setattr(Fortran, name, test)


for each in sorted(SOURCES.glob("*.f90")):
    for compiler in FLANGS.values():
        for optimised in LEVELS:
            add(each, compiler, optimised)

if __name__ == "__main__":
    sys.exit(toolchain.run_tests(__doc__, clang=CLANG, bin=BIN, lib=LIB))
