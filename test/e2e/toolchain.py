# The compiler and the product under test.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import os
import subprocess
import sys
import tempfile
import unittest
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SETUP = argparse.Namespace()  # of run_tests

BIN, CLANG, LIB = "folder of memshape and memshape-report", "folder of clang and clang++", "folder of the loader and the runtime"


def ran(*command, **options):
    """subprocess.run with captured text."""
    words = [part if isinstance(part, bytes) else str(part) for part in command]
    return subprocess.run(words, **{"capture_output": True, "text": True, "timeout": 300, **options})


@dataclass
class Toolchain:
    clang: Path
    bin: Path
    lib: Path
    scratch: Path  # emptied at the end

    @property
    def plugin(self):
        return f"-fplugin={self.lib / 'memshape'}"

    def compiler(self, source):
        """Compiler and language flags for a source file."""
        if Path(source).suffix == ".c":
            return [str(self.clang / "clang"), "-std=c11"]
        return [str(self.clang / "clang++"), "-std=c++20"]

    def run(self, *command, **options):
        """Like subprocess.run with captured text, in the scratch folder, and with none of our variables in the environment."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("MEMSHAPE_")}
        environment.update(options.pop("environment", {}))
        return ran(*command, **{"errors": "replace", "cwd": self.scratch, "timeout": 120, **options}, env=environment)

    def build(self, *command, **options):
        done = self.run(*command, **options)
        if done.returncode or done.stderr:
            raise AssertionError(f"{' '.join(map(str, command))}\nended with {done.returncode}:\n{done.stderr}")


def main(check):
    """Runs check(toolchain) -> list of complaints; the exit status says whether there were any."""
    parser = argparse.ArgumentParser()
    for name, about in (("clang", CLANG), ("bin", BIN), ("lib", LIB)):
        parser.add_argument(f"--{name}", type=Path, required=True, help=about)
    use = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="memshape-e2e-") as scratch:
        complaints = check(Toolchain(use.clang, use.bin.resolve(), use.lib.resolve(), Path(scratch)))
    for complaint in complaints:
        print(complaint)
    print(f"{len(complaints)} complaints" if complaints else "all well")
    raise SystemExit(1 if complaints else 0)


def run_tests(description, **paths):
    """unittest.main of the script; --NAME of each path has to be given, and is then in SETUP. None of our variables is in
    the environment."""
    parser = argparse.ArgumentParser(description=description)
    for name, about in paths.items():
        parser.add_argument(f"--{name}", type=lambda text: Path(text).resolve(), required=True, help=about)
    _, rest = parser.parse_known_args(namespace=SETUP)
    for variable in [name for name in os.environ if name.startswith("MEMSHAPE_")]:
        del os.environ[variable]
    unittest.main(argv=[sys.argv[0], *rest], module="__main__")
