# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the operators of bench/accuracy/operators with the flag, makes a baseline of all of them, and times
`memshape check` against it: without the cache of formulas, with an empty one, with one that an earlier check has
filled. The compilation of the same files, on as many processors, stands beside it: a build has to wait for both.

Wall and processor time, the median of --runs; ratio: time of the compilation over that of the check. Bar: 5 s for 30
operators, in every row. Operators whose library is not installed are left out and named."""

import concurrent.futures
import os
import shutil
import sys
import tempfile
from pathlib import Path

from . import accuracy
from .harness import add_build, checked, end, head, medians, plugin, row, run, timed, verdict


def arguments(parser):
    add_build(parser)
    parser.add_argument("--runs", type=int, default=5, help="checks of each kind (default: 5)")
    parser.add_argument("--bar", type=float, help="status 1 if a median is above so many seconds on the wall")


def compile_all(build, folder, processors):
    """The objects of those operators that compile."""

    def one(operator):
        built = folder / f"{operator.name}.o"
        done = run(["clang++-22", "-O2", "-std=c++20", "-w", *operator.flags, f"-I{build}/include", *plugin(build),
                    "-c", operator.source, "-o", built])
        if done.returncode:
            print(f"{operator.name} is left out: {(done.stderr.splitlines() or ['it does not compile'])[0]}",
                  file=sys.stderr)
        return None if done.returncode else built

    with concurrent.futures.ThreadPoolExecutor(processors) as workers:
        return [built for built in workers.map(one, accuracy.operators()) if built]


def measure(use):
    processors = len(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        compiled = timed(lambda: compile_all(use.build, folder, processors))
        if not compiled[2]:
            end("nothing to check: no operator was compiled")
        lock, cache = folder / "memshape.lock", folder / "cache"

        def once(where, *more):
            return timed(lambda: checked([use.build / "bin/memshape", "check", "--baseline", lock, *more, *compiled[2]],
                                         env={**os.environ, "MEMSHAPE_CACHE": str(where)}))

        def emptied():
            shutil.rmtree(cache, ignore_errors=True)
            return once(cache)

        print(f"{len(compiled[2])} operators, {processors} processors\n")
        head("what", "wall", "processor", "compilation / wall", "/ processor")
        row("compilation with the flag", f"{compiled[0]:.2f} s", f"{compiled[1]:.2f} s", "", "")
        worst = 0
        for name, work, runs in (("a new baseline, no cache", lambda: once("off", "--update"), 1),
                                 ("check, no cache", lambda: once("off"), use.runs),
                                 ("check, an empty cache", emptied, use.runs),
                                 ("check, a full cache", lambda: once(cache), use.runs)):
            wall, processor = medians([work() for _ in range(runs)])
            worst = worst if "baseline" in name else max(worst, wall)
            row(name, f"{wall:.2f} s", f"{processor:.2f} s", f"{compiled[0] / wall:.1f}",
                f"{compiled[1] / processor:.1f}")
    if use.bar:
        print(f"\nslowest median {worst:.2f} s (bar: {use.bar:.2f} s): {verdict(worst <= use.bar)}")
    return int(bool(use.bar) and worst > use.bar)
