# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""typed.py MEMSHAPE OBJECT PROGRAM [--not-exact OPERATOR...] [--not-held OPERATOR...]

Runs PROGRAM, which prints lines of Inputs/counted.h, and predicts each operator of OBJECT at the shape of its line. The
bytes of the arguments must be those that the program's arguments held, and peak, total, count and output those of the
call. Every prediction must be exact but those of --not-exact, which must not be, and whose bounds must hold. Arguments
of --not-held lie on the program's stack, and are not counted there."""

import argparse
import json
import subprocess
import sys


def predicted(memshape, file, operator, shape, settings):
    command = [memshape, "predict", file, "--operator", operator, "--json"]
    command += (["--shape", shape] if shape else []) + (["--set", settings] if settings else [])
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if done.returncode:
        return None, done.stderr.strip()
    return json.loads(done.stdout), ""


def problem_of(answer, measured, exact, holds):
    heap = answer["heap"]
    held = sum(tensor["bytes"] or 0 for tensor in answer["tensors"]) if holds else 0
    found = [held, heap["peak_bytes"], heap["total_bytes"], heap["allocations"], heap["output_bytes"]]
    if held != measured[0]:
        return f"its arguments hold {measured[0]} bytes, not {held}"
    if heap["exact"] != exact:
        return f"exact: {heap['exact']}, {json.dumps(answer['reasons'])}"
    if exact:
        return "" if found == measured else f"predicted {found}, counted {measured}"
    upper = heap["upper_bytes"]
    inside = heap["lower_bytes"] <= measured[1] and (upper is None or measured[1] <= upper)
    return "" if inside else f"counted {measured[1]}, outside {heap['lower_bytes']} to {upper}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("memshape")
    parser.add_argument("object")
    parser.add_argument("program")
    parser.add_argument("--not-exact", nargs="+", default=[])
    parser.add_argument("--not-held", nargs="+", default=[])
    use = parser.parse_args()
    lines = subprocess.run([use.program], capture_output=True, text=True, timeout=600, check=True).stdout.split("\n")
    wrong = 0
    for line in filter(None, lines):
        operator, shape, settings, *numbers = line.split("|")
        answer, refusal = predicted(use.memshape, use.object, operator, shape, settings)
        measured = [int(number) for number in numbers]
        problem = problem_of(answer, measured, operator not in use.not_exact, operator not in use.not_held) if answer else refusal
        print(f"{operator} at {shape} {settings}: {problem or 'as counted'}")
        wrong += bool(problem)
    sys.exit(wrong != 0)


main()
