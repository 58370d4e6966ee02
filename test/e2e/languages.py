#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program in C, C++, Fortran and Rust: what is said of an operator that calls into all of them is what a run requests."""

import json
import shutil
import tempfile
import unittest
from pathlib import Path

import rust
from toolchain import BIN, CLANG, HERE, LIB, ROOT, SETUP, Toolchain, run_tests

SOURCES = HERE / "languages"
FLANG = shutil.which("flang-22")


@unittest.skipUnless(FLANG and rust.COMPILERS, "no flang 22, or no rustc with LLVM 19 to 22, is installed")
class Languages(unittest.TestCase):
    def test_units_of_four_languages_answer_together(self):
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="memshape-e2e-"))
        tools = Toolchain(SETUP.clang, SETUP.bin, SETUP.lib, Path(folder))
        memshape, headers = tools.bin / "memshape", ROOT / "runtime" / "include"
        tools.build(*tools.compiler("all.cpp"), "-O2", tools.plugin, f"-I{headers}", "-c", SOURCES / "all.cpp")
        tools.build(*tools.compiler("tripled.c"), "-O2", tools.plugin, "-c", SOURCES / "tripled.c")
        tools.build(*tools.compiler("counting.c"), "-O2", "-w", "-fPIC", "-shared", HERE / "hostile" / "counting.c", "-o", "libcounting.so")
        flags = tools.run(memshape, "config", "--flang-flags").stdout.split()
        tools.build(FLANG, "-O2", *flags, "-c", SOURCES / "reversed.f90", environment={"MEMSHAPE_OPERATORS": "reversed"})
        tools.build(rust.COMPILERS[0], "--crate-type", "staticlib", "-g", "-C", "opt-level=2", "-C", "codegen-units=1",
                    "--emit=llvm-bc,link", SOURCES / "pushed.rs", "--crate-name", "pushed")
        tools.build(memshape, "extract", "pushed.bc", "--operator", "pushed", "-o", "pushed.o")
        tools.build(FLANG, "all.o", "tripled.o", "reversed.o", "libpushed.a", "./libcounting.so", "-lstdc++", "-lm", "-o", "program")
        for n in (1, 100, 5000):
            done = tools.run(memshape, "predict", "all.o", "tripled.o", "reversed.o", "pushed.o", "--operator", "all",
                             "--shape", f"n={n}", "--json")
            heap = json.loads(done.stdout)["heap"]
            counted = [int(word) for word in tools.run("./program", n).stdout.split()]
            self.assertTrue(heap["exact"])
            self.assertEqual([heap[name] for name in ("peak_bytes", "total_bytes", "allocations", "output_bytes")], counted)


if __name__ == "__main__":
    run_tests(__doc__, clang=CLANG, bin=BIN, lib=LIB)
