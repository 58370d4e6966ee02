# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""memshape run and the tools that are installed, in turn with the plain program. Used by hook_overhead."""

import glob
import os
import shutil
import statistics

from .harness import head, row, run, timed

# Slow tools make fewer pairs: what they cost for a pair does not depend on it.
LIGHT, SLOW = 1, 20


class Tool:
    """A way of running a program: words before it, variables around it, and which of its builds it runs."""

    def __init__(self, name, words=(), variables=None, build="plain", slower=LIGHT):
        self.name, self.words, self.variables = name, list(words), variables or {}
        self.build, self.slower = build, slower

    def run(self, program):
        """What the program printed, and the processor time of all processes in seconds."""
        _, spent, done = timed(lambda: run([*self.words, *program], env={**os.environ, **self.variables}))
        if done.returncode:
            raise RuntimeError(f"{self.name}: {program[0]} ended with {done.returncode}")
        return done.stdout, spent


def tools(build, scratch, has_memprof):
    """(the tools there are, the names of those that are not)"""
    memshape = [build / "bin/memshape", "run", "--json", f"{scratch}/run.json", "--"]
    stacks = [*memshape[:-1], "--profile", f"{scratch}/run.pb.gz", "--"]
    jemalloc = glob.glob("/usr/lib/*/libjemalloc.so.2")
    preload = {"LD_PRELOAD": (jemalloc or [""])[0]}
    every = {"MALLOC_CONF": f"prof:true,lg_prof_sample:0,prof_final:false,prof_prefix:{scratch}/jeprof"}
    known = [
        (True, Tool("memshape run", memshape)),
        (True, Tool("memshape run, sites", memshape, build="hooked")),
        (True, Tool("memshape run, stacks", stacks, build="hooked")),
        (shutil.which("memusage"), Tool("memusage", ["memusage"])),
        (shutil.which("heaptrack"), Tool("heaptrack", ["heaptrack", "-o", f"{scratch}/heaptrack"])),
        (has_memprof, Tool("MemProf", variables={"MEMPROF_OPTIONS": f"log_path={scratch}/memprof"}, build="memprof")),
        (jemalloc, Tool("jemalloc", variables=preload)),
        (jemalloc, Tool("jemalloc, every block", variables={**preload, **every}, slower=SLOW)),
        (shutil.which("valgrind"), Tool("massif", ["valgrind", "--tool=massif", "--massif-out-file=/dev/null"],
                                        slower=SLOW)),
    ]
    return [tool for there, tool in known if there], [tool.name for there, tool in known if not there]


def allocate(tool, programs, words, count):
    """Of one run of hook_overhead_work: ns of processor time and of wall time for a pair, resident bytes, and ns of all
    processes for a pair."""
    text, spent = tool.run([programs[tool.build], *words, count // tool.slower])
    line = next(line.split() for line in reversed(text.splitlines()) if len(line.split()) == 4)
    pairs, processor, wall, resident = map(float, line)
    return processor / pairs, wall / pairs, resident, 1e9 * spent / pairs


def compare_allocations(programs, found, runs):
    """Pairs with 1 and 2 threads, blocks, threads: a row for each tool, medians of paired runs."""
    head("tool", "1 thread: ns more", "ratio", "all processes, ratio", "2 threads: ns more", "ratio",
         "5 M blocks of 48 B: ns more",
         "ratio", "memory", "64 threads: throughput")
    plain = Tool("plain")
    for tool in [Tool("plain again"), *found]:
        cells = []
        for words, count in ((("pairs", 1), 4000000), (("pairs", 2), 4000000), (("blocks",), 5000000),
                             (("threads", 64), 40000)):
            try:
                both = [(allocate(plain, programs, words, count), allocate(tool, programs, words, count))
                        for _ in range(runs)]
            except (RuntimeError, StopIteration):
                cells.append("fails")
                continue
            middle = lambda of: statistics.median(of(before, after) for before, after in both)  # noqa: E731
            if words[0] == "threads":
                cells.append(f"{1 / middle(lambda a, b: b[1] / a[1]):.2f}")
                continue
            cells += [f"{middle(lambda a, b: b[0] - a[0]):.1f}", f"{middle(lambda a, b: b[0] / a[0]):.2f}"]
            if words == ("pairs", 1):
                cells.append(f"{middle(lambda a, b: b[3] / a[3]):.2f}")
            if words[0] == "blocks":
                cells.append(f"{middle(lambda a, b: b[2] - a[2]) / 2 ** 20:+.1f} MiB" if tool.slower == LIGHT else "-")
        row(tool.name, *cells)


def compare_tensors(programs, found, runs):
    """Whole programs, {name: (builds, shape)}: processor time of all processes over that of the plain program."""
    head("tool", *programs)
    for tool in [Tool("plain again"), *found]:
        cells = []
        for program, shape in programs.values():
            try:
                ratios = [1 / Tool("plain").run([program["plain"], *shape])[1] * tool.run([program[tool.build],
                                                                                           *shape])[1]
                          for _ in range(runs if tool.slower == LIGHT else 1)]
                cells.append(f"{statistics.median(ratios):.3f}")
            except (RuntimeError, KeyError):
                cells.append("fails")
        row(tool.name, *cells)
