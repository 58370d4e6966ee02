# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""says.py FILECHECK [--not PATTERN]... PATTERN...: what comes in has these patterns of FileCheck, in this order."""

import argparse
import subprocess
import sys
import tempfile

parser = argparse.ArgumentParser()
parser.add_argument("filecheck")
parser.add_argument("--not", dest="absent", action="append", default=[])
parser.add_argument("patterns", nargs="+")
use = parser.parse_args()
with tempfile.NamedTemporaryFile("w", suffix=".txt") as checks:
    checks.write("".join(f"CHECK: {pattern}\n" for pattern in use.patterns))
    checks.flush()
    absent = [f"--implicit-check-not={pattern}" for pattern in use.absent]
    sys.exit(subprocess.run([use.filecheck, *absent, checks.name]).returncode)
