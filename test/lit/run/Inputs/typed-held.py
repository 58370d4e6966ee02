# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""typed-held.py MEMSHAPE PROGRAM: the program tells operators, shapes and the bytes that their arguments took; the
tensors of predictions have as many."""

import json
import subprocess
import sys

memshape, program = sys.argv[1:]
lines = subprocess.run([program], capture_output=True, text=True, check=True).stderr.splitlines()
wrong = []
for operator, shape, held in (line.split() for line in lines):
    answer = subprocess.run([memshape, "predict", program, "--operator", operator, "--shape", shape, "--json",
                             "--without-formulas"],
                            capture_output=True, text=True, check=True, timeout=600)
    said = sum(tensor["bytes"] or 0 for tensor in json.loads(answer.stdout)["tensors"])
    if said != int(held):
        wrong.append(f"{operator} {shape}: holds {held} bytes, not {said}")
sys.exit("\n".join(wrong) or (0 if lines else "the program tells nothing"))
