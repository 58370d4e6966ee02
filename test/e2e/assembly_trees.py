#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A multifrontal Cholesky factorisation of Poisson's equation: memshape schedule predicts its peak from the sizes of its
fronts. The program then eliminates the fronts in the answered order and in two others, and memshape run counts: to the
byte what is predicted for that order. What it solves by the factors is right.

TREES names other trees than the few of the suite: "2:100:amd:out 3:20:dissection:kept", as the program's arguments."""

import json
import os
from graphlib import TopologicalSorter

from toolchain import ROOT, main

PROGRAM = ROOT / "bench/graphs/multifrontal.cpp"
TREES = "2:30:amd:out 2:30:dissection:kept 3:8:dissection:out"


def held_to(document, order):
    """The document with nodes without bytes between its nodes, which let no other order be."""
    nodes = {each["id"]: {**each, "inputs": list(each["inputs"])} for each in document["nodes"]}
    for first, second in zip(order, order[1:]):
        nodes[second]["inputs"].append(f"after-{first}")
        nodes[f"after-{first}"] = {"id": f"after-{first}", "output_bytes": 0, "inputs": [first]}
    return {**document, "nodes": list(nodes.values())}


def scheduled(tools, document):
    (tools.scratch / "graph.json").write_text(json.dumps(document))
    done = tools.run(tools.bin / "memshape", "schedule", "graph.json", "--json", timeout=600)
    assert done.returncode == 0 and not done.stderr, done.stderr
    answer = json.loads(done.stdout)
    return answer, [each for each in answer["order"] if not each.startswith("after-")]


def measured(tools, words, order):
    """(bytes that the factorisation held at most, the relative residual of what it solved)"""
    (tools.scratch / "order").write_text(" ".join(order))
    done = tools.run(tools.bin / "memshape", "run", "--json", "run.json", "--", "./multifrontal", *words, "order", timeout=600)
    assert done.returncode == 0, done.stderr
    (call,) = (each for each in json.loads((tools.scratch / "run.json").read_text())["calls"] if each["operator"] == "pipeline")
    return call["heap"]["peak_bytes"], float(done.stdout)


def check(tools):
    complaints = []
    tools.build(*tools.compiler(PROGRAM), "-O2", "-isystem", "/usr/include/eigen3", tools.plugin, PROGRAM, "-o", "multifrontal")
    print("| tree | fronts | largest | order | predicted | measured | residual |\n|---|---|---|---|---|---|---|")
    for tree in os.environ.get("TREES", TREES).split():
        words = tree.split(":")
        document = json.loads(tools.run("./multifrontal", *words).stdout)
        answer, order = scheduled(tools, document)
        if not answer["optimal"] or "notes" in answer:
            complaints.append(f"{tree}: not proved to be least: optimal {answer['optimal']}, {answer.get('notes')}")
        fronts = [each["shape"] for each in document["nodes"] if each["operator"] == "front"]
        # Fronts are numbered in a postorder; the other one takes all leaves, then all whose inputs are there, and so on.
        orders = {"answered": order, "postorder": [each["id"] for each in document["nodes"]],
                  "leaves first": list(TopologicalSorter({each["id"]: each["inputs"] for each in document["nodes"]}).static_order())}
        for name, each in orders.items():
            forced, same = scheduled(tools, held_to(document, each))
            peak, residual = measured(tools, words, each)
            print(f"| {tree} | {len(fronts)} | {max(front['rows'] for front in fronts)} | {name} | {forced['peak_bytes']:,} | "
                  f"{peak:,} | {residual:.1e} |")
            if same != each or forced["peak_bytes"] < answer["peak_bytes"] or (name == "answered") > (forced["peak_bytes"] == answer["peak_bytes"]):
                complaints.append(f"{tree}, {name}: {forced['peak_bytes']} bytes, and {answer['peak_bytes']} in the answered order")
            if peak != forced["peak_bytes"]:
                complaints.append(f"{tree}, {name}: predicted {forced['peak_bytes']}, measured {peak}")
            if not residual < 1e-10:
                complaints.append(f"{tree}, {name}: the residual is {residual}")
    return complaints


if __name__ == "__main__":
    main(check)
