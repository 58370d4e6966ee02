# ===- compare.py - A prediction beside what the program then does ---------=== #
#
# Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------=== #
"""compare.py MEMSHAPE PROGRAM --shape n=100 [--set x=1.5] [--assume k=3] [--machine l2=8192] [--inexact | --within-bounds]
[--object FILE] [--one-time] [--summaries FILE] [--upper BYTES [--reached]] [--among-others] -- ARGS...

Predicts the operator of PROGRAM (or of the object FILE) at the shape, runs PROGRAM ARGS under `memshape run`, and holds
the figures of the warm call against the prediction. An exact prediction must be equal in peak, total, count and output,
whatever the test expects. --inexact says that data decides here, so that an exact answer would be luck; --within-bounds
that the slicer need not be exact: both ask that the truth lies between the bounds. --one-time also compares what only
the first call adds. --upper says what the upper bound is, or that there is "none"; --reached that this run comes up to
it. --among-others: the program makes calls at other shapes between those at the shape; all of the latter are held."""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

EQUAL = ("peak_bytes", "total_bytes", "allocations", "output_bytes")


def ask(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\nended with {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("memshape")
    parser.add_argument("program")
    parser.add_argument("--shape", required=True)
    parser.add_argument("--set", dest="settings")
    parser.add_argument("--object", help="predict from this file, or from these, with blanks between them")
    parser.add_argument("--summaries")
    parser.add_argument("--assume", help="what the data will decide")
    parser.add_argument("--machine", help="the machine that the program believes to run on")
    parser.add_argument("--inexact", action="store_true")
    parser.add_argument("--within-bounds", action="store_true")
    parser.add_argument("--one-time", action="store_true")
    parser.add_argument("--upper")
    parser.add_argument("--reached", action="store_true")
    parser.add_argument("--among-others", action="store_true")
    split = sys.argv.index("--")
    use = parser.parse_args(sys.argv[1:split])
    arguments = sys.argv[split + 1 :]

    with tempfile.TemporaryDirectory() as scratch:
        out = str(Path(scratch) / "run.json")
        ask([use.memshape, "run", "--json", out, "--", use.program, *arguments])
        run = json.loads(Path(out).read_text())
    given = {"--set": use.settings, "--assume": use.assume, "--machine": use.machine}
    options = [word for name, value in given.items() if value for word in (name, value)]
    options += ["--summaries", use.summaries] if use.summaries else []
    answer = ask([use.memshape, "predict", *(use.object or use.program).split(), "--shape", use.shape, "--json", *options])
    predicted = json.loads(answer)["heap"]

    groups = [group for group in run["calls"] if group["operator"] != "(process)"]
    if use.among_others:
        shape = {name: int(value) for name, value in (pair.split("=") for pair in use.shape.split(","))}
        groups = [group for group in groups if group["shape"] == shape]
    if len(groups) != 1 or not groups[0]["warm"]:
        sys.exit(f"expected two calls of one operator at one shape, got {json.dumps(run['calls'])[:2000]}")
    measured = {**groups[0]["warm"], "one_time_bytes": groups[0]["heap"]["one_time_bytes"]}

    names = EQUAL + (("one_time_bytes",) if use.one_time else ())
    for name in names:
        print(f"{name:16} predicted {predicted[name]:>12} measured {measured[name]:>12}")
    print(f"{'bounds':16} {predicted['lower_bytes']} to {predicted['upper_bytes']}, exact: {predicted['exact']}")

    wrong = [name for name in names if predicted[name] != measured[name]]
    least = measured["least_peak_bytes"]
    if predicted["exact"] and (wrong or least != measured["peak_bytes"]):
        sys.exit(f"said to be exact, but wrong: {', '.join(wrong) or f'{least} bytes after other shapes'}")
    if predicted["exact"] == use.inexact and not use.within_bounds:
        sys.exit(f"expected exact to be {not use.inexact}")
    upper = predicted["upper_bytes"]
    if least < predicted["lower_bytes"] or (upper is not None and measured["peak_bytes"] > upper):
        sys.exit("the measured peak lies outside the bounds")
    if use.upper and use.upper != ("none" if upper is None else str(upper)):
        sys.exit(f"expected the upper bound to be {use.upper}")
    if use.reached and measured["peak_bytes"] != upper:
        sys.exit("expected this run to come up to the upper bound")


main()
