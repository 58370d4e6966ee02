#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators in Rust, extracted from bitcode: what is said of them is compared with a counted run of the same program, for
each rustc that is installed. Names, parameters and places are those of the source; what cannot be extracted ends with
one line and status 2."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from toolchain import BIN, CLANG, HERE, LIB, SETUP, ran, run_tests

OPERATORS = HERE / "rust" / "operators.rs"
ALL = {  # operator -> its symbols, shapes of it
    "tables": ("n,m", [(1, 1), (7, 3), (5000, 4)]),
    "pushes": ("n", [(0,), (1,), (5,), (4097,)]),
    "collects": ("n", [(0,), (1,), (70000,)]),
    "nested": ("n,m", [(1, 1), (300, 17)]),
    "boxes": ("n,m", [(1, 1), (100, 20)]),
    "chain": ("n", [(0,), (50,)]),
    "shapes": ("n", [(1,), (60,)]),
    "counts": ("n", [(0,), (1,), (4,), (30,)]),
    "text": ("n", [(0,), (1,), (2000,)]),
    "upper": ("name.size,n", [(1, 1), (20, 3)]),
    "sorted": ("x.size", [(1,), (20,), (21,), (100000,)]),
    "median": ("x.size", [(1,), (1000,)]),
    "graph": ("n,m", [(1, 1), (100, 20)]),
    "cells": ("n", [(1,), (100,)]),
    "merged": ("x.size", [(1,), (2,), (100,)]),
    "filters::smooth": ("x.size,y.size,width", [(1, 1, 1), (1000, 2000, 3)]),
    "positives": ("x.size", [(1,), (100,)]),
    "places": ("x.size", [(1,), (100,), (3000,)]),
    "normalised": ("v.size", [(0,), (1,), (1000,)]),
    "doubled": ("v.size", [(0,), (1,), (1000,)]),
    "appended": ("v.size,v.spare,s.size,n", [(0, 0, 0, 0), (1, 0, 1, 1), (7, 3, 20, 3), (7, 3, 20, 40)]),
    "turned": ("self.rows,self.cols,self.data.size,times", [(1, 1, 1, 1), (7, 3, 21, 2)]),
    "queue": ("n", [(1,), (1000,)]),
    "aligned": ("n", [(1,), (5,), (1000,)]),
    "caught": ("x.size", [(1,), (100,)]),
    "heap": ("n", [(1,), (100,)]),
    "tree": ("n", [(1,), (11,), (40,)]),
}
DATA_DECIDES = {"counts", "upper", "merged", "positives", "places", "caught"}
BOUNDED = {"counts", "positives", "places"}  # at all these shapes


def compilers():
    """Each rustc whose bitcode is read."""
    found = {}
    for path in (shutil.which("rustc"), Path.home() / ".cargo" / "bin" / "rustc"):
        told = path and os.access(path, os.X_OK) and subprocess.run([path, "-vV"], capture_output=True, text=True).stdout
        facts = dict(line.split(": ", 1) for line in (told or "").splitlines() if ": " in line)
        if 19 <= int(facts.get("LLVM version", "0").split(".")[0]) <= 22:
            found.setdefault(facts["commit-hash"], str(path))
    return list(found.values())


COMPILERS = compilers()


@unittest.skipUnless(COMPILERS, "no rustc with LLVM 19 to 22 is installed")
class Rust(unittest.TestCase):
    def setUp(self):
        self.scratch = Path(tempfile.mkdtemp(prefix="memshape-e2e-"))
        self.addCleanup(shutil.rmtree, self.scratch)

    def done(self, *command, status=0, **variables):
        ended = ran(*command, cwd=self.scratch, env={**os.environ, **variables})
        self.assertEqual(ended.returncode, status, (command, ended.stdout, ended.stderr))
        return ended

    def memshape(self, *words, status=0):
        return self.done(SETUP.bin / "memshape", *words, status=status)

    def compile(self, rustc, *flags, source=OPERATORS, out="all"):
        self.done(rustc, "-A", "warnings", "-C", "opt-level=2", "-C", "codegen-units=1", *flags, source, "-o", out)

    def ran(self, operator, shape):
        """Peak, total, allocations and output of a call, as a malloc counts them that knows nothing of memshape."""
        counted = self.done(self.scratch / "all", operator, *shape, LD_PRELOAD="./counting.so").stdout.split()
        return int(counted[0]), int(counted[1]), int(counted[2]), int(counted[4])

    def predicted(self, operator, symbols, shape):
        given = ",".join(f"{symbol}={extent}" for symbol, extent in zip(symbols.split(","), shape))
        return json.loads(self.memshape("predict", "all.o", "--operator", operator, "--shape", given, "--json").stdout)

    def test_predictions_are_what_runs_request(self):
        self.done(SETUP.clang / "clang", "-O2", "-fPIC", "-shared", HERE / "hostile" / "counting.c", "-o", "counting.so")
        for rustc in COMPILERS:
            self.compile(rustc, "-g", "--emit=llvm-bc,link", "-C", f"link-arg={self.scratch}/counting.so")
            names = [word for name in ALL for word in ("--operator", name)]
            self.memshape("extract", "all.bc", *names, "-o", "all.o")
            for operator, (symbols, shapes) in ALL.items():
                for shape in shapes:
                    with self.subTest(rustc=rustc, operator=operator, shape=shape):
                        self.held(operator, symbols, shape)

    def held(self, operator, symbols, shape):
        heap = self.predicted(operator, symbols, shape)["heap"]
        counted = self.ran(operator, shape)
        if operator not in DATA_DECIDES:
            self.assertTrue(heap["exact"])
        if heap["exact"]:
            said = tuple(heap[name] for name in ("peak_bytes", "total_bytes", "allocations", "output_bytes"))
            self.assertEqual(said, counted)
        self.assertLessEqual(heap["lower_bytes"], counted[0])
        if heap["upper_bytes"] is not None or operator in BOUNDED:
            self.assertLessEqual(counted[0], heap["upper_bytes"])

    def report(self, file):
        return json.loads(self.memshape("report", file, "--format", "json").stdout)[0]["operators"]

    def test_a_name_is_any_that_the_function_has(self):
        for rustc in COMPILERS:
            for mangling in ([], ["-C", "symbol-mangling-version=v0"]):
                self.compile(rustc, "-g", "--emit=llvm-bc", *mangling, out="all.bc")
                for name in ("smooth", "filters::smooth", "operators::filters::smooth"):
                    with self.subTest(rustc=rustc, mangling=mangling, name=name):
                        self.memshape("extract", "all.bc", "--operator", name, "-o", "all.o")
                        found, = self.report("all.o")
                        self.assertEqual(found["operator"], "operators::filters::smooth")
                        told = json.loads(self.memshape("predict", "all.o", "--shape", "x.size=1,y.size=1,width=1",
                                                        "--json").stdout)
                        self.assertRegex(told["compiler"], r"^rustc 1\.\d+$")
                        self.assertEqual(found["shape_symbols"], ["x.size", "y.size", "width"])
                        self.assertEqual({site["location"]["line"] for site in found["allocations"]}, self.lines("smooth"))
                self.memshape("extract", "all.bc", "--operator", found["symbol"], "-o", "all.o")

    def lines(self, function):
        """Those of the vec! in a function."""
        lines = OPERATORS.read_text().splitlines()
        first = next(number for number, line in enumerate(lines, 1) if f"fn {function}(" in line)
        end = next(number for number, line in enumerate(lines, 1) if number > first and line.strip() == "}" and
                   len(line) - len(line.lstrip()) == len(lines[first - 1]) - len(lines[first - 1].lstrip()))
        return {number for number in range(first, end) if "vec![" in lines[number - 1]}

    def test_what_leads_to_other_objects_is_no_tensor(self):
        """As data, pointers would lead nowhere, and what is called or freed through them would be left out."""
        (self.scratch / "held.rs").write_text("""
            pub trait Step { fn run(&self, n: usize) -> Vec<f32>; }
            #[no_mangle] pub fn stepped(by: &dyn Step, n: usize) -> usize { by.run(n).len() + n }
            #[no_mangle] pub fn scaled(v: &Vec<f32>, n: usize) -> Vec<Box<f32>> {
                v.iter().take(n).map(|x| Box::new(*x)).collect()
            }
            #[no_mangle] pub fn called(f: fn(usize) -> Vec<u8>, n: usize) -> Vec<u8> { f(n) }
        """)
        for flags in (["-g"], []):
            self.compile(COMPILERS[0], *flags, "--crate-type", "staticlib", "--emit=llvm-bc", source="held.rs", out="held.bc")
            for name in ("stepped", "scaled", "called"):
                self.memshape("extract", "held.bc", "--operator", name, "-o", "held.o")
                asked = ran(SETUP.bin / "memshape", "predict", "held.o", "--shape", "n=10", "--json", cwd=self.scratch)
                with self.subTest(name=name, flags=flags):
                    self.assertFalse(asked.returncode == 0 and json.loads(asked.stdout)["heap"]["exact"], asked.stdout)

    def test_without_debug_information_it_is_said_once(self):
        self.compile(COMPILERS[0], "--emit=llvm-bc", out="named.bc")
        self.done(SETUP.clang / "opt", "-passes=strip", "named.bc", "-o", "all.bc")
        told = self.memshape("extract", "all.bc", "--operator", "tables", "--operator", "graph", "-o", "all.o").stderr
        self.assertEqual(told.count("\n"), 1, told)
        self.assertIn("-g", told)
        self.assertEqual(self.report("all.o")[0]["shape_symbols"], ["arg0", "arg1"])

    def test_the_section_alone_goes_beside_the_code(self):
        self.compile(COMPILERS[0], "-g", "--emit=llvm-bc", out="all.bc")
        self.memshape("extract", "all.bc", "--operator", "tables", "--section", "-o", "all.o")
        self.assertNotIn("tables", self.done("nm", "all.o").stdout)
        self.assertTrue(self.predicted("tables", "n,m", (3, 4))["heap"]["exact"])

    def test_a_crate_answers_when_cargo_has_a_wrapper(self):
        cargo = shutil.which("cargo") or Path(COMPILERS[-1]).with_name("cargo")
        if not os.access(cargo, os.X_OK):
            self.skipTest("cargo is not installed")
        shutil.copytree(HERE / "rust" / "crate", self.scratch, dirs_exist_ok=True)
        build = (cargo, "build", "--release", "--offline", "--quiet")
        self.done(*build, CARGO_TARGET_DIR="plain")
        self.done(*build, CARGO_TARGET_DIR="wrapped", RUSTC_WRAPPER=str(SETUP.bin / "memshape-rustc"),
                  MEMSHAPE_OPERATORS="stack,energy,deepest")
        plain, wrapped = self.scratch / "plain" / "release", self.scratch / "wrapped" / "release"
        self.assertEqual(self.done(plain / "survey", "7").stdout, self.done(wrapped / "survey", "7").stdout)
        for file in ("libtraces.rlib", "libtraces.a", "libtraces.so"):
            shutil.copy(wrapped / file, self.scratch / "all.o")
            self.assertEqual(self.predicted("stack", "x.size,n", (100, 7))["heap"]["peak_bytes"], 56)
            self.assertEqual(self.predicted("traces::inner::deepest", "n", (9,))["heap"]["peak_bytes"], 9)
        shutil.copy(wrapped / "survey", self.scratch / "all.o")
        heap = self.predicted("energy", "n,m", (100, 3))["heap"]
        self.assertTrue(heap["exact"])
        self.assertEqual(heap["peak_bytes"], 4 * 100 * 3 + 8 * 3)
        (self.scratch / "traces" / "src" / "lib.rs").write_text("pub fn stack( {}\n")
        self.done(*build, status=101, CARGO_TARGET_DIR="wrapped", RUSTC_WRAPPER=str(SETUP.bin / "memshape-rustc"),
                  MEMSHAPE_OPERATORS="stack")


if __name__ == "__main__":
    run_tests(__doc__, clang=CLANG, bin=BIN, lib=LIB)
