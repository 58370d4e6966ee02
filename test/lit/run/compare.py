# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""compare.py MEMSHAPE PROGRAM --shape n=100 [--set x=1.5] [--assume k=3] [--machine l2=8192] [--threads 4]
[--object FILE] [--one-time] [--summaries FILE] [--bounds LOWER..UPPER [--because CODE] [--reached]]
[--among-others] [--operator NAME] -- ARGS...

Predicts the operator of PROGRAM (or of the object FILE) at the shape, runs PROGRAM ARGS under `memshape run`, and holds
the figures of the warm call against the prediction. An exact prediction must be equal in peak, total, count and output.
--bounds says that the prediction is not exact, because data decides or the slicer cannot know, and what its bounds are:
these, so that a better answer fails the test until it states the better bounds. The truth must lie between them. A
bound that depends on the machine is "some": above 0, and there. An UPPER of "none" needs a reason: --because names a
code of the answer that denies an upper bound. --reached: this run comes up to the upper bound. --one-time also compares
what only the first call adds. --among-others: the program makes calls at other shapes between those at the shape; all
of the latter are held."""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

EQUAL = ("peak_bytes", "total_bytes", "allocations", "output_bytes")


def ask(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\nended with {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def bounds(text):
    """LOWER..UPPER as two words: a number of bytes, "some", or "none" where there is no upper bound."""
    lower, dots, upper = text.partition("..")
    if not dots or not (lower == "some" or lower.isdigit()) or not (upper in ("some", "none") or upper.isdigit()):
        raise argparse.ArgumentTypeError(f"{text} is not LOWER..UPPER")
    return lower, upper


def is_as_stated(found, stated):
    if stated == "some":
        return found is not None and found > 0
    return stated == ("none" if found is None else str(found))


def main(words):
    parser = argparse.ArgumentParser()
    parser.add_argument("memshape")
    parser.add_argument("program")
    parser.add_argument("--shape", required=True)
    parser.add_argument("--set", dest="settings")
    parser.add_argument("--object", help="predict from this file, or from these, with blanks between them")
    parser.add_argument("--summaries")
    parser.add_argument("--assume", help="what the data will decide")
    parser.add_argument("--machine", help="the machine that the program believes to run on")
    parser.add_argument("--threads", help="of each region that names no number")
    parser.add_argument("--one-time", action="store_true")
    parser.add_argument("--bounds", type=bounds)
    parser.add_argument("--because")
    parser.add_argument("--reached", action="store_true")
    parser.add_argument("--among-others", action="store_true")
    parser.add_argument("--operator")
    split = words.index("--")
    use = parser.parse_args(words[:split])
    if (use.because is not None) != (use.bounds is not None and use.bounds[1] == "none"):
        parser.error("--because and an upper bound of none go together")
    if use.reached and (use.bounds is None or use.bounds[1] == "none"):
        parser.error("--reached needs an upper bound")
    arguments = words[split + 1 :]

    with tempfile.TemporaryDirectory() as scratch:
        out = str(Path(scratch) / "run.json")
        ask([use.memshape, "run", "--json", out, "--", use.program, *arguments])
        run = json.loads(Path(out).read_text())
    given = {"--set": use.settings, "--assume": use.assume, "--machine": use.machine, "--threads": use.threads,
             "--operator": use.operator}
    options = [word for name, value in given.items() if value for word in (name, value)]
    options += ["--summaries", use.summaries] if use.summaries else []
    files = (use.object or use.program).split()
    answer = json.loads(ask([use.memshape, "predict", *files, "--shape", use.shape, "--json", *options]))
    predicted = answer["heap"]

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
    found = (predicted["lower_bytes"], predicted["upper_bytes"])
    if predicted["exact"] != (use.bounds is None):
        sys.exit("expected an exact prediction" if use.bounds is None else "expected a prediction that is not exact")
    if use.bounds and not all(map(is_as_stated, found, use.bounds)):
        sys.exit(f"expected bounds of {use.bounds[0]} to {use.bounds[1]}")
    codes = {reason["code"] for reason in answer["reasons"]}
    if use.because and use.because not in codes:
        sys.exit(f"expected the reason {use.because}, among {', '.join(sorted(codes))}")
    lower, upper = found
    if least < lower or (upper is not None and measured["peak_bytes"] > upper):
        sys.exit("the measured peak lies outside the bounds")
    if use.reached and measured["peak_bytes"] != upper:
        sys.exit("expected this run to come up to the upper bound")


if __name__ == "__main__":
    main(sys.argv[1:])
