# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Time of one malloc/free pair: plain, with hooks and no runtime, and under `memshape run`; then the time of each
example with hooks and no runtime over that of the example without; then what `memshape run` and the other tools that
are installed cost on programs that do nothing but allocate, and on three tensor programs. A choice of parts: --parts.

Plain and hooked pairs run in one process, interleaved at random; examples alternate. Figures are medians."""

import json
import shlex
import statistics
import tempfile
from pathlib import Path

from . import rivals
from .harness import BENCH, add_build, built, checked, compilations, end, head, processor_time, row, run

PARTS = ("pairs", "examples", "rivals")


def arguments(parser):
    add_build(parser)
    parser.add_argument("--repetitions", type=int, default=25, help="of the pairs (default: 25)")
    parser.add_argument("--runs", type=int, default=9, help="of each example (default: 9)")
    parser.add_argument("--parts", type=lambda text: text.split(","), default=PARTS, help="default: " + ",".join(PARTS))


def pairs_of(command, repetitions, scratch):
    """{(variant, bytes): [ns of a pair, ...]}"""
    checked([*command, f"--benchmark_repetitions={repetitions}", "--benchmark_min_time=0.05",
             "--benchmark_out_format=json",
             "--benchmark_enable_random_interleaving=true", f"--benchmark_out={scratch}/pairs.json"])
    figures = {}
    for each in json.loads(Path(scratch, "pairs.json").read_text())["benchmarks"]:
        if each["run_type"] == "iteration":
            _, variant, size = each["run_name"].split("/")[:3]
            figures.setdefault((variant, int(size)), []).append(1e9 / each["items_per_second"])
    return figures


def compare_pairs(use, scratch):
    program = built(use.build, "hook_overhead_pairs")
    alone = pairs_of([program], use.repetitions, scratch)
    counted = pairs_of([use.build / "bin/memshape", "run", "--json", f"{scratch}/run.json", "--", program],
                       use.repetitions, scratch)
    head("bytes", "pair of malloc and free", "ns", "middle half", "more than plain")
    for size in sorted({size for _, size in alone}):
        plain = statistics.median(alone["plain", size])
        for name, values in (("plain", alone["plain", size]), ("hooks, no runtime", alone["hooked", size]),
                             ("plain, counted", counted["plain", size]), ("hooks, counted", counted["hooked", size])):
            low, middle, high = statistics.quantiles(values, n=4)
            row(size, name, f"{middle:.2f}", f"{high - low:.2f}", f"{middle - plain:+.2f}")


def examples(build, scratch, ways=("plain", "hooked"), only=None):
    """{name: {way: program}} of examples, with the build's own commands, none linked with the runtime. memprof is
    LLVM's heap profiler."""
    found = {}
    for file, words, _ in compilations(build):
        name = file.stem
        if str(file.parent) != "examples" or (only and name not in only):
            continue
        told = run(["ninja", "-C", build, "-t", "commands", f"examples/{name}"]).stdout
        links = [line for line in told.splitlines() if f"-o examples/{name} " in line + " "]
        output = words[words.index("-o") + 1]
        if not links or output not in links[-1]:
            end(f"{build} has no example {name}: build with -DMEMSHAPE_BUILD_EXAMPLES=ON")
        link = [word for word in shlex.split(links[-1]) if word not in (":", "&&") and "libmemshape_rt" not in word]
        found[name] = {}
        for way in ways:
            compile_words = [word for word in words if way == "hooked" or not word.startswith("-fplugin")]
            more = ["-fmemory-profile"] if way == "memprof" else []
            names = {output: f"{scratch}/{name}.{way}.o", f"examples/{name}": f"{scratch}/{name}.{way}"}
            for command in (compile_words, link):
                checked([names.get(word, word) for word in command] + more, cwd=build)
            found[name][way] = names[f"examples/{name}"]
    return found


def shape_that_takes(seconds, program):
    """A cubic shape at which the program computes for that long; its usage line tells how many numbers it wants."""
    dimensions = len(run([program]).stderr.split("(")[0].split()) - 2
    size = 16
    while processor_time([program] + [size] * dimensions) < seconds:
        size += size // 2
    return [str(size)] * dimensions


def compare_examples(use, scratch):
    head("example", "shape", "s, plain", "s, hooks", "more")
    for name, programs in examples(use.build, scratch).items():
        shape = shape_that_takes(0.4, programs["plain"])
        times = {way: [] for way in programs}
        for _ in range(use.runs):
            for way, program in programs.items():
                times[way].append(processor_time([program, *shape]))
        before, after = map(statistics.median, times.values())
        row(name, "x".join(shape), f"{before:.3f}", f"{after:.3f}", f"{100 * (after / before - 1):+.1f} %")


def compare_rivals(use, scratch):
    work = {"plain": built(use.build, "hook_overhead_work"), "hooked": built(use.build, "hook_overhead_work_hooked"),
            "memprof": f"{scratch}/work.memprof"}
    profiled = run(["clang-22", "-O2", "-fno-builtin", "-fmemory-profile", BENCH / "programs/hook_overhead_work.c",
                    "-o", work["memprof"]]).returncode == 0
    found, absent = rivals.tools(use.build, scratch, profiled)
    rivals.compare_allocations(work, found, use.runs)
    ways = ("plain", "hooked", "memprof") if profiled else ("plain", "hooked")
    tensors = examples(use.build, scratch, ways, ("gst3d", "envelope", "tensor_convolution"))
    rivals.compare_tensors({name: (programs, shape_that_takes(0.8, programs["plain"])) for name,
                            programs in tensors.items()},
                           found, use.runs)
    if absent:
        print("\nnot installed: " + ", ".join(absent))


def measure(use):
    if set(use.parts) - set(PARTS):
        end(f"no such parts: {','.join(use.parts)}")
    for part, compare in zip(PARTS, (compare_pairs, compare_examples, compare_rivals)):
        if part in use.parts:
            with tempfile.TemporaryDirectory() as scratch:
                compare(use, scratch)
    return 0
