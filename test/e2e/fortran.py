#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators in Fortran: what is predicted of them, and what counted runs take.

fortran.py --clang FOLDER --bin FOLDER --lib FOLDER [NAME...]: each file of fortran/, or those named, says of its operators

    ! call: NAME(...) SHAPE [SETTINGS] (N M) (N M)...     an exact answer where it is so called at these n and m
    ! bound: NAME(...) SHAPE [SETTINGS] (N M)...          one whose bounds hold, and that is exact where it says so

where $1 is n. A program that calls the operator twice is put behind the file: with the declarations of `! caller:`, what is done
at its begin (`! once:`) and before each call (`! each:`). They are held at -O0, -O2 and -O3, by each flang that is there, or where
the file says `! release: 22`, by that one alone."""

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


CALLER = """
program caller
{use}
  implicit none
  character(len=32) :: name, word(2)
  integer :: n, m, i
{caller}
  call get_command_argument(1, name)
  call get_command_argument(2, word(1))
  call get_command_argument(3, word(2))
  read (word, *) n, m
{once}
  do i = 1, 2
{each}
    call count_begin()
{calls}
    call count_end()
  end do
end program
"""


def told(text, word):
    """The lines behind `! WORD:`."""
    return [line for found in re.findall(rf"^! {word}: (.*)$", text, re.M) for line in found.split("; ")]


def with_caller(text):
    parts = {word: "\n".join(told(text, word)) for word in ("caller", "once", "each")}
    calls = sorted(set(re.findall(r"^! (?:call|bound): ((\w+)\(.*?\)) ", text, re.M)))
    return text + CALLER.format(use="".join(f"use {name}" for name in re.findall(r"^module (\w+)", text, re.M)), **parts,
                                calls="\n".join(f"    if (name == '{name}') call {call}" for call, name in calls))


def asked(source):
    """(whether exact, operator, shape, settings, n and m) of each call of a file."""
    for kind, name, rest in re.findall(r"^! (call|bound): (\w+)\(.*?\) (.*)$", source.read_text(), re.M):
        words, sets = rest.split(" (")[0].split(), re.findall(r"\((\d[^)]*)\)", rest)
        for arguments in sets:
            values = arguments.split()
            fill = lambda text: re.sub(r"\$(\d)", lambda at: values[int(at[1]) - 1], text)
            yield kind == "call", name, fill(words[0]), [fill(each) for each in words[1:]], values


class Fortran(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = cls.enterClassContext(tempfile.TemporaryDirectory(prefix="memshape-fortran-"))
        cls.tools = toolchain.Toolchain(SETUP.clang, SETUP.bin, SETUP.lib, Path(folder))
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
        whole = self.tools.scratch / source.name
        whole.write_text(with_caller(source.read_text()))
        self.tools.build(flang, level, *self.flags, *LIBRARIES, "-c", whole, "-o", f"{program}.o", environment=named)
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
