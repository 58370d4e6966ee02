#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""memshape solve: the largest value fits by a prediction of its own, the next does not, and no smaller one goes beyond the
memory; an answer that calls itself proven is held to values all over the range."""

import json
import random
from concurrent.futures import ThreadPoolExecutor

from bad_input import complaint
from emit import OPERATORS, SOURCE, symbols_of
from toolchain import main

QUESTIONS = 6  # of each operator
THREADS = """
#include <omp.h>
#include <vector>
__attribute__((annotate("memshape.operator"))) void parted(const float *in, long n, float *out) {
#pragma omp parallel
  {
    std::vector<float> own(n, in[0]);
    for (long i = 0; i < n; ++i) own[i] += in[i];
#pragma omp critical
    for (long i = 0; i < n; ++i) out[i] += own[n - 1 - i];
  }
}
"""


def written(values):
    return ",".join(f"{name}={value}" for name, value in values.items())


class Asked:
    """One operator; what is predicted of it is kept."""

    def __init__(self, tools, file, name, settings):
        self.tools, self.base, self.known = tools, ["--operator", name, *(["--set", settings] if settings else [])], {}
        self.memshape, self.file, self.name = tools.bin / "memshape", file, name

    def bytes(self, shape, heap, *options):
        key = (tuple(shape.items()), options)
        if key not in self.known:
            done = self.tools.run(self.memshape, "predict", self.file, *self.base, "--json", "--without-formulas", "--shape",
                                  written(shape), *options)
            answer = json.loads(done.stdout) if done.returncode == 0 else None
            self.known[key] = answer and (answer["heap"]["upper_bytes"], answer["rss"]["upper_bytes"])
        return self.known[key] and self.known[key][0 if heap else 1]

    def solve(self, wanted, memory, shape, *options):
        return self.tools.run(self.memshape, "solve", self.file, *self.base, "--for", wanted, "--memory", str(memory), "--json",
                              *(["--shape", written(shape)] if shape else []), *options)


def judged(asked, answer, shape, symbol, memory, heap, options, draw):
    complaints, largest = [], answer["largest"]
    at = lambda value: asked.bytes({**shape, symbol: value}, heap, *options)
    what = f"solve {asked.name} --for {symbol} --memory {memory} with {shape} {'heap' if heap else 'resident'}"
    if at(largest) != answer["bytes"] or answer["bytes"] > memory:
        complaints.append(f"{what}: {largest} takes {at(largest)}, answered {answer['bytes']}")
    following = answer["next"]
    if following:
        said = at(following["value"])
        if following["value"] != largest + 1 or (said is not None and (said != following["bytes"] or said <= memory)):
            complaints.append(f"{what}: the next, {following}, takes {said}")
    for value in {1, *(draw.randint(1, largest) for _ in range(6 if answer["proven"] else 2)), *range(max(1, largest - 3), largest)}:
        if at(value) is None or at(value) > memory:
            complaints.append(f"{what}: {value} below {largest} takes {at(value)}")
    return complaints


def questions(tools, file, name, settings, symbols):
    complaints, draw = [], random.Random(name)
    asked = Asked(tools, file, name, settings)
    for number in range(QUESTIONS):
        heap = number % 3 != 2
        options = [] if heap else ["--held", "1000000"]
        symbol = draw.choice(symbols)
        shape = {each: round(60 ** draw.random()) for each in symbols if each != symbol}
        target = asked.bytes({**shape, symbol: round(3000 ** draw.random())}, heap, *options)
        if target is None:
            continue
        memory = max(1, target - draw.choice([0, 0, 1]))
        done = asked.solve(symbol, memory, shape, *options, *(["--heap"] if heap else []))
        if done.returncode == 0:
            complaints += judged(asked, json.loads(done.stdout), shape, symbol, memory, heap, options, draw)
        elif done.returncode != 1 or asked.bytes({**shape, symbol: 1}, heap, *options) <= memory:
            complaints.append(f"solve {name} --for {symbol} --memory {memory} with {shape}: {done.returncode} {done.stderr}")
    return complaints


def not_monotone(tools, file):
    """n % 16 + 1 floats: 40 bytes hold 9 of them, and 16 again."""
    asked = Asked(tools, file, "remainder16", "")
    answer = json.loads(asked.solve("n", 40, {}, "--heap").stdout)
    expected = {"schema": "memshape.solve/1", "operator": "remainder16", "memory_bytes": 40, "what": "heap", "shape": {},
                "symbol": "n", "largest": 9, "bytes": 40, "next": {"value": 10, "bytes": 44}, "proven": True,
                "notes": ["larger values fit again, as n=16; not all of those below do"]}
    return [] if answer == expected else [f"a peak that falls: {answer}"]


def frontier(tools, file):
    asked = Asked(tools, file, "imaging::smooth", "")
    done = asked.solve("ni,nx", 1000000, {"ns": 7}, "--heap")
    answer = json.loads(done.stdout)
    wrong = [point for point in answer["frontier"]
             if not 8 * 7 * point["ni"] * point["nx"] == point["bytes"] <= 1000000 < 8 * 7 * point["ni"] * (point["nx"] + 1)]
    if wrong or len(answer["frontier"]) < 8 or not answer["proven"] or answer["symbols"] != ["ni", "nx"]:
        return [f"the frontier: {answer}"]
    return []


def threads(tools):
    source, file = tools.scratch / "parted.cpp", tools.scratch / "parted.o"
    source.write_text(THREADS)
    tools.build(*tools.compiler(source), "-O2", "-fopenmp", tools.plugin, "-c", source, "-o", file)
    asked = Asked(tools, file, "parted", "")
    done = asked.solve("threads", 400000, {"n": 10000}, "--heap")
    answer = json.loads(done.stdout or "{}")
    least = asked.bytes({"n": 10000}, True, "--threads", "1")
    fits = asked.bytes({"n": 10000}, True, "--threads", str(answer.get("largest")))
    beyond = asked.bytes({"n": 10000}, True, "--threads", str(answer.get("largest", 0) + 1))
    if done.returncode or not least <= fits <= 400000 < beyond or answer["symbol"] != "threads" or not answer["proven"]:
        return [f"threads: {answer} {done.stderr}; one takes {least}, so many {fits}, one more {beyond}"]
    return []


def refusals(tools, file):
    base = ["solve", file, "--operator", "imaging::smooth"]
    found = []
    for wrong, status, words in ((["--for", "ni", "--memory", "1GB", "--shape", "nx=1"], 2, ["'ns'"]),
                                 (["--for", "nz", "--memory", "1GB", "--shape", "nx=1,ns=1,ni=1"], 2, ["nz", "ni, nx, ns"]),
                                 (["--for", "ni", "--memory", "1GB", "--shape", "nx=1,ns=1,ni=1"], 2, ["'ni'"]),
                                 (["--for", "ni", "--memory", "much", "--shape", "nx=1,ns=1"], 2, ["much"]),
                                 (["--for", "ni,nx,ns", "--memory", "1GB"], 2, ["two"]),
                                 (["--for", "ni", "--shape", "nx=1,ns=1"], 2, ["--memory"]),
                                 (["--for", "ni", "--memory", "100", "--heap", "--shape", "nx=10,ns=10"], 1, ["ni=1", "800"])):
        found.append(complaint(f"solve {wrong}", tools.run(tools.bin / "memshape", *base, *wrong), words, status))
    return [each for each in found if each]


def check(tools):
    source, file = tools.scratch / "operators.cpp", tools.scratch / "operators.o"
    source.write_text(SOURCE)
    tools.build(*tools.compiler(source), "-O2", tools.plugin, "-c", source, "-o", file)
    symbols = symbols_of(tools, file)
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda each: questions(tools, file, each, OPERATORS[each], symbols[each]), OPERATORS))
    return ([line for lines in found for line in lines] + not_monotone(tools, file) + frontier(tools, file) + threads(tools) +
            refusals(tools, file))


if __name__ == "__main__":
    main(check)
