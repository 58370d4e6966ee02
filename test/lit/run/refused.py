# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""refused.py MEMSHAPE OBJECT OPERATOR:SHAPE...

Predicts each operator at its shape, and prints the exit status and all that is written."""

import subprocess
import sys

memshape, file, *questions = sys.argv[1:]
for question in questions:
    operator, shape = question.split(":")
    command = [memshape, "predict", file, "--operator", operator] + (["--shape", shape] if shape else [])
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    print(f"{operator} at {shape or 'nothing'}: status {done.returncode}: {done.stdout}{done.stderr.strip()}")
