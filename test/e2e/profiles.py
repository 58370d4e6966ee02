#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Profiles of predictions and of runs: they add up to the figures to the byte, stacks are the calls of the source, and readers
of the formats read them: Go's pprof and Perfetto's own messages where they are installed, and the reader below."""

import gzip
import json
import shutil

from bad_input import complaint
from toolchain import main

OPERATORS = """
#include <cstdlib>
#include <memory>
#include <vector>
#define OPERATOR __attribute__((annotate("memshape.operator")))
namespace lib {
template <class T> std::vector<T> column(int n) { return std::vector<T>(n); }
static inline void blur(float *data, int n) {
  auto copy = column<float>(n);
  for (int i = 1; i < n; ++i) copy[i] = data[i - 1];
  for (int i = 0; i < n; ++i) data[i] = copy[i];
}
OPERATOR void smooth(float *data, int n, int times) {
  auto whole = column<double>(n);
  for (int i = 0; i < times; ++i) blur(data, n);
  blur(data, 2 * n);
}
}
OPERATOR float *grown(int n) {
  float *data = static_cast<float *>(std::malloc(4 * n));
  data = static_cast<float *>(std::realloc(data, 12 * n));
  return data;
}
OPERATOR void parallel(float *data, int n, int rows) {
#pragma omp parallel for
  for (int i = 0; i < rows; ++i) lib::blur(data + i * n, n);
}
struct Node { std::unique_ptr<Node> next; };
static std::unique_ptr<Node> chain(int n) {
  auto node = std::make_unique<Node>();
  if (n > 1) node->next = chain(n - 1);
  return node;
}
OPERATOR int chained(int n) { auto all = chain(n); return all != nullptr; }
OPERATOR int nothing(int n) { return n; }
OPERATOR double picked(const float *data, int n) {
  std::vector<float> copy(data, data + n);
  if (copy[0] > 3) { std::vector<double> wide(n); return wide[n / 2]; }
  return copy[n / 2];
}
int main(int argc, char **argv) {
  std::vector<float> data(2000);
  lib::smooth(data.data(), 1000, argc);
  std::free(grown(100));
  return chained(3) - 1;
}
"""
# What threads do at the same time is counted exactly, too.
THREADS = """
#include <cstdlib>
#include <thread>
#include <vector>
static void work(int k) {
  std::vector<void *> all;
  for (int i = 0; i < 3000; ++i) {
    all.push_back(std::malloc(16 + i * k % 100));
    if (i % 3 == 0) { std::free(all.back()); all.pop_back(); }
    if (i % 5 == 0 && !all.empty()) all.back() = std::realloc(all.back(), 500);
  }
  for (void *each : all) std::free(each);
}
int main() {
  std::vector<std::thread> all;
  for (int i = 1; i < 5; ++i) all.emplace_back(work, i);
  for (auto &each : all) each.join();
}
"""
# The same code allocates from other callers, at the same depth of the stack or not, below frames of any size.
FRAMES = """
#include <alloca.h>
#include <stdlib.h>
#include <string.h>
#define OWN __attribute__((noinline))
OWN static void *leaf(int n) { void *block = malloc(n); __asm__ volatile("" : : "r"(block)); return block; }
OWN static void *sized(int room, int n) {
  char *space = alloca(room);
  __asm__ volatile("" : : "r"(space) : "memory");
  void *block = leaf(n);
  __asm__ volatile("" : : "r"(block));
  return block;
}
OWN static void *left(int room, int n) { void *block = sized(room, n); __asm__ volatile("" : : "r"(block)); return block; }
OWN static void *right(int room, int n) {
  char pad[32];
  memset(pad, n, sizeof pad);
  __asm__ volatile("" : : "r"(pad) : "memory");
  void *block = sized(room, n);
  __asm__ volatile("" : : "r"(block));
  return block;
}
int main(void) {
  for (int i = 0; i < 20000; ++i) {
    int room = 16 * (i * 7 % 11);
    if (i * 5 % 3) left(room, 10); else right(room, 10);
  }
  return 0;
}
"""
FRAMES_EXPECTED = {"left": 10 * sum(bool(i * 5 % 3) for i in range(20000)), "right": 10 * sum(not i * 5 % 3 for i in range(20000))}
CALLS = {"smooth": "n=1000,times=3", "grown": "n=100", "chained": "n=20", "nothing": "n=4", "picked": "n=50", "parallel": "n=100,rows=8"}
SAMPLES = {"peak": "peak_bytes", "total": "total_bytes", "allocations": "allocations"}
TYPES = ["inuse_space", "inuse_objects", "alloc_space", "alloc_objects"]


def stacks(text):
    return {tuple(stack.split(";")): int(value) for stack, value in (line.rsplit(" ", 1) for line in text.splitlines())}


def fields(data):
    """Numbers and values of a message of protocol buffers."""
    at = 0

    def varint():
        nonlocal at
        value, shift = 0, 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        key = varint()
        if key & 7 == 0:
            yield key >> 3, varint()
        else:
            assert key & 7 == 2, key
            length = varint()
            yield key >> 3, data[at:at + length]
            at += length


def packed(data):
    return [value for _, value in fields(b"".join(b"\x08" + each for each in varints(data)))]


def varints(data):
    begin = 0
    for at, byte in enumerate(data):
        if byte < 128:
            yield data[begin:at + 1]
            begin = at + 1


def signed(value):
    return value - (1 << 64) if value >> 63 else value


def grouped(message):
    found = {}
    for number, value in fields(message):
        found.setdefault(number, []).append(value)
    return found


def read_pprof(data):
    """{stack of (function, file, line), root first: values}, names of the values, and what is wrong."""
    whole, wrong = grouped(gzip.decompress(data)), []
    texts = [text.decode() for text in whole[6]]
    functions = {each[1][0]: (texts[each[2][0]], texts[each.get(4, [0])[0]]) for each in map(grouped, whole.get(5, []))}
    mappings = {each[1][0]: each for each in map(grouped, whole[3])}
    locations = {}
    for location in map(grouped, whole.get(4, [])):
        mapping, line = mappings[location[2][0]], grouped(location[4][0])
        if not mapping[2][0] <= location[3][0] < mapping[3][0]:
            wrong.append("a location lies outside of its mapping")
        locations[location[1][0]] = (*functions[line[1][0]], line.get(2, [0])[0])
    samples = {}
    for sample in map(grouped, whole.get(2, [])):
        stack = tuple(locations[each] for each in reversed(packed(sample[1][0])))
        if stack in samples:
            wrong.append(f"{stack} comes twice")
        samples[stack] = [signed(value) for value in packed(sample[2][0])]
    types = [texts[grouped(each)[1][0]] for each in whole[1]]
    return samples, types, wrong + ([] if texts[0] == "" else ["the first text is not empty"])


def check_pprof(tools, what, path, heap):
    samples, types, wrong = read_pprof((tools.scratch / path).read_bytes())
    if types != TYPES:
        wrong.append(f"samples are {types}")
    sums = [sum(values[at] for values in samples.values()) for at in range(len(TYPES))]
    if [sums[0], sums[2], sums[3]] != [heap[member] for member in SAMPLES.values()]:
        wrong.append(f"sums are {sums}, and the heap's {heap}")
    if shutil.which("go"):
        shown = tools.run("go", "tool", "pprof", "-sample_index=alloc_space", "-unit=b", "-top", path,
                          environment={"HOME": str(tools.scratch)})
        if shown.returncode or (sums[2] and f"of {sums[2]}B total" not in shown.stdout):
            wrong.append(f"pprof says {shown.stdout} {shown.stderr}")
    return [f"{what}: {each}" for each in wrong], samples


def check_perfetto(tools, what, path, heap):
    data = (tools.scratch / path).read_bytes()
    packets = [grouped(packet) for number, packet in fields(data) if number == 1]
    names = grouped(packets[2][12][0])
    dump = grouped(grouped(packets[2][37][0])[5][0])
    clocks = {grouped(each)[1][0] for each in grouped(packets[0][6][0])[1]}
    frames = {grouped(each)[1][0] for each in names.get(6, [])}
    stacks_of = [grouped(each).get(2, []) for each in names.get(7, [])]
    samples = [grouped(each) for each in dump.get(2, [])]
    one = lambda each, number: each.get(number, [0])[0]  # noqa: E731
    total, live = (sum(one(each, 2) for each in samples), sum(one(each, 2) - one(each, 3) for each in samples))
    wrong = []
    if (live, total) != (heap["peak_bytes"], heap["total_bytes"]):
        wrong.append(f"{what}: Perfetto's heap has {live} of {total} bytes, and the call {heap}")
    if sum(one(each, 5) for each in samples) != heap["allocations"] + heap["reallocations"]:
        wrong.append(f"{what}: Perfetto's heap has other counts than the call")
    # Perfetto's reader converts times from clock 4, and knows numbers of frames one by one alone.
    if 4 not in clocks or not all(stack and set(stack) <= frames for stack in stacks_of):
        wrong.append(f"{what}: Perfetto would refuse clocks {clocks} or stacks {stacks_of}")
    if not {one(each, 1) for each in samples} <= {grouped(each)[1][0] for each in names.get(7, [])}:
        wrong.append(f"{what}: a sample has no stack")
    try:
        from perfetto.protos.perfetto.trace import perfetto_trace_pb2
    except ImportError:
        return wrong
    trace = perfetto_trace_pb2.Trace()
    trace.ParseFromString(data)
    read = trace.packet[2].profile_packet.process_dumps[0].samples
    if sum(each.self_allocated for each in read) != total:
        wrong.append(f"{what}: Perfetto's own messages say something else")
    return wrong


def check_prediction(tools, operator, shape):
    ask = [tools.bin / "memshape", "predict", "operators.o", "--operator", operator, "--shape", shape]
    answer = json.loads(tools.run(*ask, "--json").stdout)
    heap, wrong, found = answer["heap"], [], {}
    for sample, member in SAMPLES.items():
        done = tools.run(*ask, "--format", "folded", "--sample", sample)
        found[sample] = stacks(done.stdout)
        if done.returncode or done.stderr or sum(found[sample].values()) != heap[member]:
            wrong.append(f"{operator}: {sample} is {done.stdout!r} {done.stderr}, and {member} {heap[member]}")
        if any(stack[0] != answer["operator"] for stack in found[sample]):
            wrong.append(f"{operator}: a stack does not begin with it: {done.stdout}")
    for form in ("pprof", "perfetto"):
        tools.build(*ask, "--format", form, "-o", f"{operator}.{form}")
    complaints, samples = check_pprof(tools, operator, f"{operator}.pprof", heap)
    wrong += complaints + check_perfetto(tools, operator, f"{operator}.perfetto", heap)
    by_function = {}
    for stack, values in samples.items():
        names = tuple(frame[0] for frame in stack)
        by_function[names] = by_function.get(names, 0) + values[0]
    if {stack: live for stack, live in by_function.items() if live} != found["peak"]:
        wrong.append(f"{operator}: pprof has {by_function}, folded stacks {found['peak']}")
    return wrong, found, samples


def check_stacks(found, samples):
    """smooth calls blur twice, each inlined, and column<double> itself."""
    wrong = []
    peak = found["peak"]
    for begin, size in (("lib::smooth", "column<double>"), 8000), (("lib::smooth", "blur", "column<float>"), 8000):
        held = sum(value for stack, value in peak.items()
                   if len(stack) >= len(begin) and all(a in b for a, b in zip(begin, stack)))
        if held != size:
            wrong.append(f"{begin} holds {held} and not {size}: {peak}")
    lines = {stack[0][2] for stack in samples}
    if len(lines) != 3 or not all(stack[0][1].endswith("operators.cpp") for stack in samples):
        wrong.append(f"the three calls of smooth are {samples}")
    return wrong


def check_runs(tools):
    """The process's figures are the sums; smooth holds what was predicted, below main."""
    tools.build(*tools.compiler("operators.cpp"), "-O2", "-g", tools.plugin, "operators.cpp", "-o", "operators")
    (tools.scratch / "threads.cpp").write_text(THREADS)
    tools.build(*tools.compiler("threads.cpp"), "-O2", "-g", "-pthread", "threads.cpp", "-o", "threads")
    wrong = []
    for program in ("./operators", "./threads"):
        for sample, member in SAMPLES.items():
            tools.build(tools.bin / "memshape", "run", "--json", "run.json", "--profile", "run.folded", "--sample", sample,
                        "--", program)
            heap = json.loads((tools.scratch / "run.json").read_text())["process"]["heap"]
            found = stacks((tools.scratch / "run.folded").read_text())
            if sum(found.values()) != heap[member] or heap["peak_error_bytes"]:
                wrong.append(f"{program}: {sample} is {found}, and the heap {heap}")
            if sample == "peak" and program == "./operators":
                held = sum(value for stack, value in found.items() if "main" in stack and "lib::smooth" in stack)
                inside = sum(value for stack, value in found.items() if "lib::blur" in stack)
                if (held, inside) != (16000, 8000):
                    wrong.append(f"smooth holds {held} and blur {inside}: {found}")
        for form, check in ("pprof", check_pprof), ("perfetto", check_perfetto):
            tools.build(tools.bin / "memshape", "run", "--json", "run.json", "--profile", f"run.{form}", "--", program)
            heap = json.loads((tools.scratch / "run.json").read_text())["process"]["heap"]
            complaints = check(tools, program, f"run.{form}", heap)
            wrong += complaints[0] if form == "pprof" else complaints
    (tools.scratch / "frames.c").write_text(FRAMES)
    for option in ("-fomit-frame-pointer", "-fno-omit-frame-pointer"):
        tools.build(*tools.compiler("frames.c"), "-O1", "-g", option, "frames.c", "-o", "frames")
        tools.build(tools.bin / "memshape", "run", "--json", "run.json", "--profile", "frames.folded", "--", "./frames")
        held = stacks((tools.scratch / "frames.folded").read_text())
        by_caller = {name: sum(value for stack, value in held.items() if name in stack) for name in FRAMES_EXPECTED}
        if by_caller != FRAMES_EXPECTED:
            wrong.append(f"{option}: callers hold {by_caller} and not {FRAMES_EXPECTED}")
    tools.build(tools.bin / "memshape", "run", "--json", "run.json", "--profile", "none.folded", "--", "true")
    if (tools.scratch / "none.folded").read_text():
        wrong.append("a program that allocates nothing has a profile")
    names = {name for stack in found for name in stack}
    if not {"work", "main"} <= names:
        wrong.append(f"threads: {names}")
    return wrong


def check_comparisons(tools):
    """The wide copy of a changed build is the one site that grew, in objects, predictions, stacks and runs."""
    wide = OPERATORS.replace("auto copy = column<float>(n);", "auto copy = column<double>(n);")
    (tools.scratch / "wide.cpp").write_text(wide)
    tools.build(*tools.compiler("wide.cpp"), "-O2", "-c", tools.plugin, "wide.cpp", "-o", "wide.o")
    tools.build(*tools.compiler("wide.cpp"), "-O2", tools.plugin, "wide.cpp", "-o", "wide")
    at = ["--operator", "smooth", "--shape", "n=1000,times=3"]
    for name in ("operators", "wide"):
        ask = [tools.bin / "memshape", "predict", f"{name}.o", *at]
        (tools.scratch / f"{name}.json").write_text(tools.run(*ask, "--json").stdout)
        tools.build(*ask, "--format", "folded", "-o", f"{name}.folded")
        tools.build(tools.bin / "memshape", "run", "--json", f"{name}.run.json", f"./{name}")
    wrong = []
    for before, after, more in (("operators.o", "wide.o", at), ("operators.json", "wide.json", []),
                                ("operators.run.json", "wide.run.json", [])):
        done = tools.run(tools.bin / "memshape", "compare", before, after, *more, "--json")
        found = json.loads(done.stdout or "{}")
        grew = [(site["function"].split("::")[-1].split("<")[0], site["before"], site["after"]) for site in found.get("sites", [])]
        if found.get("change") != 8000 or sum(now - then for _, then, now in grew) != 8000:
            wrong.append(f"{before} and {after}: {done.stdout} {done.stderr}")
    page = tools.run(tools.bin / "memshape", "compare", "operators.json", "wide.json").stdout
    if "+7.81 KiB" not in page or "grew" not in page:
        wrong.append(f"the page says {page}")
    compare = [tools.bin / "memshape", "compare", "operators.folded", "wide.folded", "--format"]
    if sum(stacks(tools.run(*compare, "folded").stdout).values()) != 8000:
        wrong.append("folded differences do not add up")
    both = [line.rsplit(" ", 2)[1:] for line in tools.run(*compare, "differential").stdout.splitlines()]
    if (sum(int(then) for then, _ in both), sum(int(now) for _, now in both)) != (16000, 24000):
        wrong.append(f"differential stacks are {both}")
    same = tools.run(tools.bin / "memshape", "compare", "wide.o", "wide.o", *at)
    if "no site grew or shrank" not in same.stdout or same.returncode:
        wrong.append(f"a file differs from itself: {same.stdout}{same.stderr}")
    return wrong


def refusals(tools):
    predict = ["predict", "operators.o", "--operator", "smooth", "--shape", "n=10,times=1"]
    table = {
        "a format that is none": (predict + ["--format", "flame"], ["flame", "folded", "pprof", "perfetto"]),
        "a sample that is none": (predict + ["--format", "folded", "--sample", "live"], ["live", "allocations"]),
        "a space that is not used": (predict + ["--format", "folded", "--space", "device"], ["device", "smooth"]),
        "json and pprof": (predict + ["--format", "pprof", "--json"], ["--json", "pprof"]),
        "a folder that is not there": (predict + ["--format", "pprof", "-o", "nowhere/out"], ["nowhere/out"]),
        "a format without a profile": (["run", "--format", "pprof", "--", "true"], ["--profile"]),
        "a profile in no folder": (["run", "--profile", "nowhere/out", "--", "true"], ["nowhere/out"]),
        "an option of nobody": (["run", "--frobnicate", "true"], ["--frobnicate"]),
        "a program on both sides": (["run", "true", "--", "true"], ["'true' stands before --"]),
        "a comparison with a source": (["compare", "operators.o", "operators.cpp"], ["operators.cpp"]),
        "a comparison of symbols that are none": (["compare", "operators.o", "operators.o", "--shape", "zz=4"], ["'zz'"]),
        "totals of documents": (["compare", "operators.json", "wide.json", "--sample", "total"], ["--sample total"]),
        "a profile of past runs": (["predict", "--operator", "smooth", "--shape", "n=1,times=1", "--format", "folded"],
                                   ["FILE"]),
    }
    return [complaint(what, tools.run(tools.bin / "memshape", *command), words) for what, (command, words) in table.items()]


def check(tools):
    (tools.scratch / "operators.cpp").write_text(OPERATORS)
    tools.build(*tools.compiler("operators.cpp"), "-O2", "-fopenmp", "-c", tools.plugin, "operators.cpp", "-o", "operators.o")
    wrong = []
    for operator, shape in CALLS.items():
        complaints, found, samples = check_prediction(tools, operator, shape)
        wrong += complaints
        if operator == "parallel" and not any(stack[:2] == ("parallel", "lib::blur") for stack in found["peak"]):
            wrong.append(f"the body of a parallel loop is {found['peak']}")
        if operator == "smooth":
            wrong += check_stacks(found, samples)
    wrong += check_runs(tools) + check_comparisons(tools)
    done = tools.run(tools.bin / "memshape", "run", "sh", "-c", "exit 3")
    if done.returncode != 3:
        wrong.append(f"the program without -- ended with {done.returncode}: {done.stderr}")
    return [each for each in wrong + refusals(tools) if each]


if __name__ == "__main__":
    main(check)
