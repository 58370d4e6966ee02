# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Time of `memshape predict` from its start to its end, the time of the real call, and their ratio, of each operator.

first: with an empty cache of formulas; again: the median of the repetitions after it. The real call is the second one
of the program, measured by `memshape run`. RSS is that of the largest process of the prediction. Without --list the
examples of the build are taken. A list is a CSV file with the columns file, operator, shape, set, command, where shape
and set are as for `memshape predict` and command runs the operator twice at that shape."""

import csv
import json
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from .harness import add_build, checked, end, head, row, verdict

#: Shape, and the settings that the program uses.
EXAMPLES = {
    "gst3d": ("ni=200,nx=200,ns=200", "sigma=1.5"),
    "gaussian_smooth": ("nz=400,ny=400,nx=400", "sigma=2"),
    "wave2d": ("nz=1200,nx=1200,nt=600", ""),
    "rtm2d": ("nz=600,nx=600,nt=600,slots=60", ""),
    "envelope": ("ntraces=20000,nt=1500", ""),
    "covariance_solve": ("channels=1200,samples=8000", "damping=0.01"),
    "tensor_convolution": ("height=1200,width=1200,filters=32", ""),
    "cimg_edges": ("nx=220,ny=220,nz=220", "sigma=1.5"),
    "xtensor_zscore": ("channels=5000,samples=6000", ""),
}
BARS = {"again": 50, "ratio": 100, "RSS": 300}  # ms, -, MiB


def arguments(parser):
    add_build(parser)
    parser.add_argument("--list", type=Path, help="operators to measure, as CSV")
    parser.add_argument("--runs", type=int, default=9, help="predictions after the first (default: 9)")
    parser.add_argument("--check", action="store_true", help="status 1 if a bar is missed")


def examples(build):
    for name, (shape, settings) in EXAMPLES.items():
        program = build / "examples" / name
        if program.exists():
            numbers = [part.split("=")[1] for part in shape.split(",")]
            yield {"file": str(program), "operator": name, "shape": shape, "set": settings,
                   "command": shlex.join([str(program), *numbers])}


def predict(memshape, what, cache):
    """Milliseconds, MiB of the largest process, and the answer; None where there is no answer."""
    command = [memshape, "predict", what["file"], "--operator", what["operator"], "--shape", what["shape"], "--json",
               *(["--set", what["set"]] if what["set"] else [])]
    before = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env={**os.environ, "MEMSHAPE_CACHE": cache}) as process:
        answer, problem = process.stdout.read(), process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)  # what the process has waited for counts as well
        process.returncode = os.waitstatus_to_exitcode(status)
    took = (time.perf_counter() - before) * 1000
    if process.returncode:
        print(f"{what['operator']}: {problem.decode().strip()}", file=sys.stderr)
        return None
    return took, usage.ru_maxrss / 1024, json.loads(answer)


def real(memshape, what):
    """Milliseconds of the warm call."""
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "run.json"
        checked([memshape, "run", "--json", out, "--", *shlex.split(what["command"])])
        calls = [call for call in json.loads(out.read_text())["calls"] if call["operator"] != "(process)"]
    return sum((call["warm"] or call["first"])["time_us"] for call in calls) / 1000


def measure(use):
    memshape = str(use.build / "bin/memshape")
    asked = list(csv.DictReader(use.list.open()) if use.list else examples(use.build))
    if not asked:
        end("no operators: build the examples (-DMEMSHAPE_BUILD_EXAMPLES=ON) or give --list")
    head("operator", "first, ms", "again, ms", "real call, ms", "ratio", "RSS, MiB", "formula")
    found = []
    for what in asked:
        with tempfile.TemporaryDirectory() as cache:
            answers = [predict(memshape, what, cache)]
            # What takes seconds says little more the tenth time.
            runs = use.runs if answers[0] and answers[0][0] < 2000 else 1
            answers += [predict(memshape, what, cache) for _ in range(runs)]
        if None in answers:
            row(what["operator"], *["no answer"] * 6)
            continue
        again, size = statistics.median(each[0] for each in answers[1:]), max(each[1] for each in answers)
        took, answer = real(memshape, what), answers[0][2]
        formula = answer["formula"]["peak"] if answer["heap"]["exact"] else None
        found.append((answers[0][0], again, took / again, size))
        row(what["operator"], f"{answers[0][0]:.1f}", f"{again:.1f}", f"{took:.1f}", f"{took / again:.0f}",
            f"{size:.0f}",
            formula or "none")
    if not found:
        return 1
    first, again, ratio = (statistics.median(each[at] for each in found) for at in range(3))
    size = max(each[3] for each in found)
    met = again <= BARS["again"] and ratio >= BARS["ratio"] and size <= BARS["RSS"]
    print(f"\nmedian of {len(found)}: first {first:.1f} ms, again {again:.1f} ms (bar: {BARS['again']}), "
          f"ratio {ratio:.0f} (bar: {BARS['ratio']}), {size:.0f} MiB (bar: {BARS['RSS']}): {verdict(met)}")
    return int(use.check and not met)
