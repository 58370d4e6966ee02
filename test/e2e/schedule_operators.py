#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""memshape schedule: a node that names an operator holds what is predicted, to the byte; what cannot be known is refused."""

import json

from bad_input import complaint
from plan import OPERATORS
from toolchain import main

SUMMED = """
OPERATOR std::vector<float> summed(const std::vector<float> &in) {
  std::vector<float> result(in.size());
  std::vector<double> sums(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) sums[i] = 2 * in[i];
  for (std::size_t i = 0; i < in.size(); ++i) result[i] = static_cast<float>(sums[i]);
  return result;
}
"""


def graph(*nodes):
    return json.dumps({"schema": "memshape.graph/1", "nodes": nodes})


def operator(name, shape, inputs=(), **more):
    return {"id": more.pop("id", name), "operator": name, "file": "ops.o", "shape": shape, "inputs": list(inputs), **more}


def schedule(tools, document, *words, **options):
    (tools.scratch / "graph.json").write_text(document)
    return tools.run(tools.bin / "memshape", "schedule", options.pop("file", "graph.json"), *words, **options)


def expect(what, tools, document, **members):
    done = schedule(tools, document, "--json")
    if done.returncode or done.stderr:
        return f"{what}: status {done.returncode}: {done.stderr}"
    found = json.loads(done.stdout)
    wrong = {name: found.get(name) for name, value in members.items() if found.get(name) != value}
    return f"{what}: {wrong} instead of {members}" if wrong else None


def check(tools):
    (tools.scratch / "ops.cpp").write_text(OPERATORS + SUMMED)
    tools.build(*tools.compiler("ops.cpp"), "-O2", "-c", tools.plugin, "ops.cpp", "-o", "ops.o")
    shape, n = {"ni": 300, "nx": 20, "ns": 10}, 60000
    complaints = [
        # Two vectors of floats beside an output of floats, and the same for who reads it.
        expect("pointers", tools, graph(operator("smooth", shape), operator("smooth", shape, ["smooth"], id="again")),
               peak_bytes=4 * n + 4 * n + 8 * n, optimal=True, notes=None),
        # The returned vector is the output, and no work.
        expect("returned", tools, graph(operator("summed", {"in": 1000})), peak_bytes=12000, notes=None),
        expect("an output of other extents", tools, graph(operator("stacked", {"traces": 9, "samples": 100})), peak_bytes=800),
        expect("given output", tools, graph(operator("stacked", {"traces": 9, "samples": 100}, output_bytes=400)), peak_bytes=800),
        expect("given work", tools, graph(operator("smooth", shape, work_bytes=5)), peak_bytes=4 * n + 5),
        expect("a bound", tools, graph(operator("picks", {"ni": 50, "nx": 20})), peak_bytes=16000,
               notes=["node 'picks': its work bytes are a bound"])]
    for what, document, words in (
            ("data decides what is used", graph(operator("drawn", {"n": 100})), ["'drawn'", "'table'", "output_bytes"]),
            ("missing symbol", graph(operator("smooth", {"ni": 3, "ns": 2})), ["'smooth'", "nx"]),
            ("unknown operator", graph(operator("rough", shape)), ["'rough'"]),
            ("no such file", graph({**operator("smooth", shape), "file": "none.o"}), ["none.o"]),
            ("negative shape", graph(operator("smooth", {"ni": -3, "nx": 2, "ns": 1})), ["'ni'"])):
        complaints.append(complaint(what, schedule(tools, document), words))
    return [line for line in complaints if line]


if __name__ == "__main__":
    main(check)
