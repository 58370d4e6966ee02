# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""reach.py MEMSHAPE OBJECT OPERATOR...: the bytes and the formula of each pointer of each OPERATOR, at n=100 and, where it has it, m=10."""

import json
import subprocess
import sys

memshape, file, *operators = sys.argv[1:]
for operator in operators:
    for shape in ("n=100,m=10", "n=100"):
        command = [memshape, "predict", file, "--operator", operator, "--shape", shape, "--json"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=600)
        if not done.returncode:
            break
    tensors = json.loads(done.stdout)["tensors"]
    print(operator, *(f"{each['name']}={each['bytes']}:{each['formula']}" for each in tensors))
