#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The assembly trees of Poisson's equation on grids, by nested dissection, in less memory than any order needs:
memshape schedule --objective io says what is written, and examples/scheduled_out_of_core.cpp writes that, to the byte."""

import argparse
import json
import tempfile
from pathlib import Path

from toolchain import ran

PAGE, FEW = 4096, 16  # bytes; points of the smallest parts


def pages(count):
    """Bytes of so many doubles, in pages."""
    return max(-(-8 * count // PAGE), 1) * PAGE


def dissected(width, height):
    """Nodes of the fronts of a grid, children first (George 1973)."""
    nodes = []

    def dissect(left, right, low, high):
        across, up = right - left, high - low
        if across < 1 or up < 1:
            return None
        border = up * ((left > 0) + (right < width)) + across * ((low > 0) + (high < height))
        children, pivots = [], across * up
        if pivots > FEW:
            if across >= up:
                middle = (left + right) // 2
                children, pivots = [dissect(left, middle, low, high), dissect(middle + 1, right, low, high)], up
            else:
                middle = (low + high) // 2
                children, pivots = [dissect(left, right, low, middle), dissect(left, right, middle + 1, high)], across
        nodes.append({"id": f"f{len(nodes)}", "output_bytes": pages(border**2), "work_bytes": pages((pivots + border) ** 2),
                      "inputs": [child for child in children if child]})
        return nodes[-1]["id"]

    dissect(0, width, 0, height)
    return nodes


def scheduled(folder, nodes, *words):
    (folder / "graph.json").write_text(json.dumps({"schema": "memshape.graph/1", "nodes": nodes}))
    done = ran(USE.bin / "memshape", "schedule", folder / "graph.json", "--json", *words)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def run(folder, nodes, answer, memory):
    known = {each["id"]: each for each in nodes}
    lines = []
    for each in answer["order"]:
        node = known[each]
        lines.append(" ".join(["node", each, str(node["output_bytes"]), str(node["work_bytes"]), *node["inputs"]]))
        lines += [f"evict {out['id']} {out['bytes']}" for out in answer["evictions"] if out["after"] == each]
    done = ran(USE.program, memory, folder, input="\n".join(lines) + "\n")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def check(folder, width, height, share):
    """share: of the least peak of all orders, how much memory there is."""
    nodes = dissected(width, height)
    known = {each["id"]: each for each in nodes}
    least = scheduled(folder, nodes)["peak_bytes"]
    alone = max(each["output_bytes"] + each["work_bytes"] + sum(known[child]["output_bytes"] for child in each["inputs"])
                for each in nodes)
    memory = max(alone, int(share * least) // PAGE * PAGE)
    for words in ((), ("--whole-outputs",)):
        answer = scheduled(folder, nodes, "--objective", "io", "--memory", str(memory), *words)
        did = run(folder, nodes, answer, memory)
        print(f"{width} x {height}, {len(nodes)} fronts, peak {least:,}, memory {memory:,}{' whole' if words else ''}: "
              f"io {answer['io_bytes']:,}, written {did['written_bytes']:,}, read {did['read_bytes']:,}, "
              f"held {did['peak_budget_bytes']:,}")
        assert did["nodes"] == len(nodes), "other numbers came back"
        assert did["written_bytes"] == did["forecast_written_bytes"] == answer["io_bytes"], "not what was scheduled is written"
        assert did["read_bytes"] == did["written_bytes"], "what was written is read once"
        assert did["peak_budget_bytes"] <= memory, "more than the memory was held"
        assert (answer["io_bytes"] > 0) == (memory < least), "the memory does not bind"


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=Path, required=True, help="folder of memshape")
    parser.add_argument("--program", type=Path, required=True, help="example_scheduled_out_of_core")
    USE = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="memshape-e2e-", dir=".") as scratch:
        for grid in ((20, 20, 0.8), (40, 20, 0.6), (60, 60, 0.7), (60, 60, 1)):
            check(Path(scratch), *grid)
    print("all well")
