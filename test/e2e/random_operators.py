#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of random_program.py are predicted and run, on zeros and on two kinds of data: an answer that calls itself exact must be equal
to every run to the byte and the allocation, any other must hold every run's peak within its bounds. SEEDS of the environment
("100 140") asks for other programs than the few of the suite; LEVEL for another -O."""

import json
import os

import random_program
from toolchain import main

SHAPES = [(5, 9), (23, 14)]
DATA = ["0", "1", "77"]


def measure(tools, program, operator, shape):
    """Peak, total and number of allocations of the second call, per kind of data."""
    seen = []
    for data in DATA:
        out = tools.scratch / "run.json"
        ran = tools.run(tools.bin / "memshape", "run", "--json", out, "--", program, operator, *shape, data)
        assert ran.returncode == 0, ran.stderr
        heap = next(call for call in json.loads(out.read_text())["calls"] if call["operator"] == f"op{operator}")["warm"]
        seen.append((heap["peak_bytes"], heap["total_bytes"], heap["allocations"]))
    return seen


def complaint(heap, seen):
    if heap["exact"]:
        said = (heap["peak_bytes"], heap["total_bytes"], heap["allocations"])
        return "" if all(each == said for each in seen) else f"is said to need exactly {said}"
    most = heap["upper_bytes"]
    inside = all(heap["lower_bytes"] <= peak and (most is None or peak <= most) for peak, _, _ in seen)
    return "" if inside else f"is said to lie between {heap['lower_bytes']} and {most}"


def check(tools):
    complaints, exact, answers = [], 0, 0
    first, last = map(int, os.environ.get("SEEDS", "1 2").split())
    for seed in range(first, last):
        for suffix in ("c", "cpp"):
            source, program = tools.scratch / f"random{seed}.{suffix}", tools.scratch / f"random{seed}"
            source.write_text(random_program.program(seed, suffix == "cpp"))
            tools.build(*tools.compiler(source), os.environ.get("LEVEL", "-O2"), "-w", "-fwrapv", tools.plugin,
                        *(f"-fplugin-arg-memshape-operator=op{k}" for k in range(random_program.OPERATORS)), source, "-o", program)
            for operator in range(random_program.OPERATORS):
                for shape in SHAPES:
                    asked = f"seed {seed} {suffix}, op{operator} at n={shape[0]},m={shape[1]}"
                    told = tools.run(tools.bin / "memshape", "predict", program, "--operator", f"op{operator}",
                                     "--shape", f"n={shape[0]},m={shape[1]}", "--json", environment={"MEMSHAPE_CACHE": "off"})
                    if told.returncode:
                        complaints.append(f"{asked}: no answer: {told.stderr.strip()}")
                        continue
                    heap, seen = json.loads(told.stdout)["heap"], measure(tools, program, operator, shape)
                    exact, answers = exact + heap["exact"], answers + 1
                    if wrong := complaint(heap, seen):
                        complaints.append(f"{asked}: {wrong}, runs needed {seen}")
    print(f"{exact} of {answers} answers are exact")
    if exact * 5 < answers:
        complaints.append("most answers are bounds: the programs test little")
    return complaints


if __name__ == "__main__":
    main(check)
