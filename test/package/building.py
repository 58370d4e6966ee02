# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tests of packages share: their arguments, and commands that have to succeed."""

import argparse
import os
import subprocess
import sys
from pathlib import Path


def arguments(about, *ways):
    """Those of the command line. None of our variables is in the environment any more."""
    for variable in [name for name in os.environ if name.startswith("MEMSHAPE_")]:
        del os.environ[variable]
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("way", choices=ways)
    parser.add_argument("--cmake", type=Path, required=True)
    parser.add_argument("--clang", required=True, help="folder of the compilers")
    parser.add_argument("--source", type=Path, required=True, help="memshape's sources")
    parser.add_argument("--build", type=Path, required=True, help="memshape's build tree, which is installed from")
    parser.add_argument("--version", required=True, help="major version of the clang")
    return parser.parse_args()


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    if done.returncode:
        told = "\n".join((done.stdout + done.stderr).splitlines()[-60:])
        sys.exit(f"{' '.join(map(str, command))}\nended with {done.returncode}:\n{told}")
    return done.stdout


def expect(holds, what):
    if not holds:
        sys.exit(f"{Path(sys.argv[0]).name}: {what}")
