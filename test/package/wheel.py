#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Uses an installed wheel where nothing else of memshape is, and no compiler: wheel.py FOLDER of its commands. An object file smooth.o, of
the README's operator, lies beside."""

import json
import subprocess
import sys
from pathlib import Path

import memshape
import numpy as np

HERE = Path(__file__).parent


def expect(name, seen, wanted):
    if seen != wanted:
        sys.exit(f"wheel.py: {name} is {seen}, not {wanted}")


def root(cube):
    return np.sqrt(cube * cube + cube)


def main():
    shape = dict(ni=651, nx=951, ns=462)
    told = subprocess.run([Path(sys.argv[1]) / "memshape", "predict", HERE / "smooth.o", "--json", "--trust", "--shape",
                           ",".join(f"{name}={extent}" for name, extent in shape.items())], stdout=subprocess.PIPE, check=True).stdout
    expect("the command's peak", json.loads(told)["heap"]["peak_bytes"], 1144102352)
    smooth = memshape.open(HERE / "smooth.o")["smooth"]
    expect("the peak", smooth.predict(**shape).peak_bytes, 1144102352)
    expect("the plan", memshape.plan(smooth, shape, memory="4GiB", split=["ni"]).tasks >= 1, True)

    measured = memshape.measured(root, ["n", "m"], lambda n, m: (np.ones((n, m), "float32"),))
    expect("a measured peak", measured.predict(n=4000, m=500).peak_bytes, 2 * 4 * 4000 * 500)

    nodes = [{"id": "a", "output_bytes": 40, "work_bytes": 10, "inputs": []}, {"id": "b", "output_bytes": 5, "inputs": ["a"]}]
    expect("the schedule's peak", memshape.schedule({"schema": "memshape.graph/1", "nodes": nodes}).peak_bytes, 50)
    expect("the reversal", memshape.checkpoint(steps=6, slots=2).recomputed_steps, 3)
    print("wheel.py: predictions, plans, measured operators, schedules and checkpoints work")


main()
