# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Threads that do nothing but allocate and free small blocks at the peak of their program: the time of each way to run
them over the time of the plain program, for several numbers of threads. Ways take turns, and each is compared with the
plain run just before it. Figures are medians of these ratios, and the largest in brackets."""

import shutil
import statistics
import tempfile

from .harness import add_build, built, checked, end, head, row


def arguments(parser):
    add_build(parser)
    parser.add_argument("--threads", default="1,2,4,8,32", help="numbers of threads")
    parser.add_argument("--pairs", type=int, default=7, help="pairs of runs for each figure")
    parser.add_argument("--least", type=int, default=64, help="smallest block, bytes")
    parser.add_argument("--most", type=int, default=319, help="largest block, bytes")
    parser.add_argument("--pin", action="store_true", help="keep threads on their cores, where they meet")
    parser.add_argument("--only", default="", help="the ways whose names hold this")


def seconds(command, threads, use):
    for line in checked([*command, threads, use.least, use.most,
                         int(use.pin)]).splitlines():  # heaptrack prints around it
        try:
            return float(line)
        except ValueError:
            pass
    end(f"no time in what {command[0]} printed")


def measure(use):
    plain, hooked = built(use.build, "contention_work"), built(use.build, "contention_work_hooked")
    numbers = [int(number) for number in use.threads.split(",")]
    with tempfile.TemporaryDirectory() as scratch:
        counted = [use.build / "bin/memshape", "run", "--json", f"{scratch}/run.json"]
        ways = {"plain again": [plain], "memshape run": [*counted, "--", plain],
                "memshape run, sites": [*counted, "--", hooked],
                "memshape run --exact-peak": [*counted, "--exact-peak", "--", plain]}
        if shutil.which("heaptrack"):
            ways["heaptrack"] = ["heaptrack", "-o", f"{scratch}/heaptrack", plain]
        head("times plain", *(f"{number} thread{'s' * (number > 1)}" for number in numbers))
        for name, command in ways.items():
            if use.only not in name:
                continue
            cells = []
            for number in numbers:
                ratios = [1 / seconds([plain], number, use) * seconds(command, number, use) for _ in range(use.pairs)]
                cells.append(f"{statistics.median(ratios):.2f} [{max(ratios):.2f}]")
            row(name, *cells)
    return 0
