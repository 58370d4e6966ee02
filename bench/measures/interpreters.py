# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs each operator of bench/programs/interpreter.py in fresh processes at eleven shapes - three small ones, then 4 to
100 times the volume of the smallest -, and writes a record (memshape.run/1) of each. Before that it compares the
formula of each operator with what was requested, which may differ by half a percent and 256 KiB."""

import json
import math
import os
import random
import sys
from pathlib import Path

from .harness import BENCH, checked, end

WORK = BENCH / "programs/interpreter.py"
VOLUMES = [1, 1.3, 1.8, 4, 6.5, 10, 16, 25, 40, 64, 100]
LEAST = 1 << 18


def arguments(parser):
    parser.add_argument("--python", type=Path, required=True, help="with NumPy, SciPy and pandas")
    parser.add_argument("-o", "--output", type=Path, default=BENCH / "processes/prior.jsonl")


def shapes(base, draw):
    """Extents whose product grows as VOLUMES, none of them in proportion."""
    for volume in VOLUMES:
        stretch = [draw.uniform(0.8, 1.25) for _ in base]
        even = (volume / math.prod(stretch)) ** (1 / len(base))
        yield {symbol: max(4, round(extent * even * by)) for (symbol, extent), by in zip(base.items(), stretch)}


def measure(use):
    sys.path.append(str(WORK.parent))
    from interpreter import OPERATORS, PROCESSES
    draw, environment = random.Random(7), dict(os.environ, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
    with use.output.open("w") as out:
        for process, (_, names) in PROCESSES.items():
            for name in names:
                operator = OPERATORS[name]
                for turn, shape in enumerate(shapes(operator.shape, draw)):
                    command = [use.python, WORK, process, name, *shape.values()]
                    if turn in (0, 8):
                        seen = int(checked([*command, "--count"], env=environment))
                        said = eval(operator.formula, {"__builtins__": {}}, dict(shape))
                        if abs(seen - said) > 0.005 * said + LEAST:
                            end(f"{process}/{name} {shape}: {seen} bytes were requested, not {said}")
                    out.write(json.dumps({
                        "schema": "memshape.run/1", "operator": f"{process}/{name}", "shape": shape,
                        "footprint": {"formula": operator.formula}, "arguments": {"formula": operator.arguments},
                        "rss_peak_bytes": int(checked(command, env=environment)),
                        "environment": {"process": process, "threads": 1}}) + "\n")
                out.flush()
                print(process, name, file=sys.stderr)
    return 0
