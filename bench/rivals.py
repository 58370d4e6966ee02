# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""memshape run and the tools that are installed, in turn with the plain program. Used by hook_overhead."""

import glob
import os
import resource
import shutil
import statistics
import subprocess

# Slow tools make fewer pairs: what they cost per pair does not depend on it.
LIGHT, SLOW = 1, 20


class Tool:
    """A way of running a program: words before it, variables around it, and which of its builds it runs."""

    def __init__(self, name, words=(), variables=None, build="plain", slower=LIGHT):
        self.name, self.words, self.variables, self.build, self.slower = name, list(words), variables or {}, build, slower

    def run(self, program):
        """What the program printed, and the processor time of all processes in seconds."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([*self.words, *program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                              env={**os.environ, **self.variables}, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode != 0:
            raise RuntimeError(f"{self.name}: {program[0]} ended with {done.returncode}")
        return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def tools(build, scratch, has_memprof):
    """(the tools there are, the names of those that are not)"""
    memshape = [str(build / "bin" / "memshape"), "run", "--json", f"{scratch}/run.json", "--"]
    jemalloc = glob.glob("/usr/lib/*/libjemalloc.so.2")
    found = [Tool("memshape run", memshape), Tool("memshape run, sites", memshape, build="hooked")]
    absent = []

    def add(there, tool):
        if there:
            found.append(tool)
        else:
            absent.append(tool.name)

    add(shutil.which("memusage"), Tool("memusage", ["memusage"]))
    add(shutil.which("heaptrack"), Tool("heaptrack", ["heaptrack", "-o", f"{scratch}/heaptrack"]))
    add(has_memprof, Tool("MemProf", variables={"MEMPROF_OPTIONS": f"log_path={scratch}/memprof"}, build="memprof"))
    preload = {"LD_PRELOAD": (jemalloc or [""])[0]}
    add(jemalloc, Tool("jemalloc", variables=preload))
    add(jemalloc, Tool("jemalloc, every block", slower=SLOW, variables={
        **preload, "MALLOC_CONF": f"prof:true,lg_prof_sample:0,prof_final:false,prof_prefix:{scratch}/jeprof"}))
    add(shutil.which("valgrind"), Tool("massif", ["valgrind", "--tool=massif", "--massif-out-file=/dev/null"], slower=SLOW))
    return found, absent


class Figures:
    """The medians of paired runs of a tool and of the plain program."""

    def __init__(self):
        self.added, self.processor, self.wall, self.everything, self.resident = [], [], [], [], []

    def add(self, plain, measured):
        (pairs, cpu, wall, rss), cpu_of_all = plain
        (their_pairs, their_cpu, their_wall, their_rss), their_cpu_of_all = measured
        self.added.append(their_cpu / their_pairs - cpu / pairs)
        self.processor.append((their_cpu / their_pairs) / (cpu / pairs))
        self.wall.append((their_wall / their_pairs) / (wall / pairs))
        self.everything.append((their_cpu_of_all / their_pairs) / (cpu_of_all / pairs))
        self.resident.append(their_rss - rss)

    def median(self, member):
        return statistics.median(getattr(self, member))


def allocate(tool, program, words, count, runs, plain):
    """Figures of a tool for hook_overhead_work with `words`, in turn with the plain program; none if it does not run."""
    figures = Figures()

    def once(which, number):
        text, processor = which.run([str(program[which.build]), *words, str(number)])
        line = next(line for line in reversed(text.splitlines()) if len(line.split()) == 4)
        return [float(figure) for figure in line.split()], processor

    try:
        for _ in range(runs):
            figures.add(once(plain, count), once(tool, count // tool.slower))
    except (RuntimeError, StopIteration):
        return None
    return figures


def compare_allocations(program, found, runs):
    """pairs with 1 and 2 threads, blocks, threads: one row per tool."""
    plain = Tool("plain")
    print(f"\n{'':22} {'1 thread':>17} {'2 threads':>17} {'5 M blocks of 48 B':>27} {'64 threads':>12}")
    print(f"{'':22} {'ns more':>8} {'ratio':>8} {'ns more':>8} {'ratio':>8} {'ns more':>8} {'ratio':>8} {'memory':>9} "
          f"{'throughput':>12}   all processes")
    for tool in [Tool("plain again"), *found]:
        row = [allocate(tool, program, words, count, runs, plain) for words, count in
               ((("pairs", "1"), 4000000), (("pairs", "2"), 4000000), (("blocks",), 5000000), (("threads", "64"), 40000))]
        text = f"{tool.name:22}"
        for which, figures in enumerate(row):
            if figures is None:
                text += f" {'fails':>{(17, 17, 27, 12)[which]}}"
            elif which == 3:
                text += f" {1 / figures.median('wall'):12.2f}"
            else:
                text += f" {figures.median('added'):8.1f} {figures.median('processor'):8.2f}"
                if which == 2 and tool.slower == LIGHT:
                    text += f" {figures.median('resident') / 2 ** 20:+6.1f} MiB"
                elif which == 2:
                    text += f" {'-':>10}"
        if row[0]:
            text += f"   x {row[0].median('everything'):.2f}"
        print(text, flush=True)


def compare_tensors(programs, found, runs):
    """Whole programs; processor time of all processes, and of the resident peak of the largest."""
    plain = Tool("plain")
    print(f"\n{'':22}" + "".join(f" {name:>28}" for name in programs))
    print(f"{'':22}" + f" {'time':>14} {'memory':>13}" * len(programs))
    for tool in [Tool("plain again"), *found]:
        text = f"{tool.name:22}"
        for program, shape in programs.values():
            try:
                times, memory = [], []
                for _ in range(runs if tool.slower == LIGHT else 1):
                    figures = [one_process(which, [program[which.build], *shape]) for which in (plain, tool)]
                    times.append(figures[1][0] / figures[0][0])
                    memory.append(figures[1][1] / figures[0][1])
                text += f" {'x %.3f' % statistics.median(times):>14} {'x %.3f' % statistics.median(memory):>13}"
            except (RuntimeError, KeyError):
                text += f" {'fails':>28}"
        print(text, flush=True)


def one_process(tool, program):
    """(processor time of all processes in seconds, resident peak of the largest in KiB)"""
    process = os.fork()
    if process == 0:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        words = [*tool.words, *map(str, program)]
        try:
            os.execvpe(words[0], words, {**os.environ, **tool.variables})
        finally:
            os._exit(127)
    _, status, usage = os.wait4(process, 0)
    if status != 0:
        raise RuntimeError(f"{tool.name}: {program[0]} failed")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss
