#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""km_swap.py run RESULTS: mini-batch k-means (examples/kmeans_out_of_core.cpp) under a limit of memory, kept within it
by the store, by a mapped file, by swap; one line of JSON for each run, and what RESULTS has already is not run again.
km_swap.py summary RESULTS: the tables, and which bars were missed (status 1)."""

import argparse
import json
import os
import random
import sys
import time
from pathlib import Path

import limits
import replacement
from km_swap_summary import summary

ROOT = Path(__file__).resolve().parent.parent.parent
MIB, PAGE = 1 << 20, 4096
SHAPE = {"executors": 500, "points": 1100, "dimensions": 1024, "clusters": 16, "batches": 48, "tasks": 40, "seed": 1,
         "threads": 2}
LIMIT, BUDGET, SWAP = 700 * MIB, 690_000_000, 4096 * MIB
AHEAD = 10  # tasks: as far as the store reads ahead with two threads that run tasks

# Words of the example. The budget is given where it is named.
ARMS = {
    "next-use": ["--policy", "next-use", "--budget"],
    "lru": ["--policy", "lru", "--budget"],
    "mmap": ["--mmap"],
    "mmap, hints": ["--mmap", "--willneed", AHEAD],
    "swap": [],
    "swap, hints": ["--willneed", AHEAD],
    "in core": [],
}


def settings(use):
    """The protocol, or a part of it: fewer executors and tasks in a batch, and all limits with them."""
    shape = {**SHAPE, "executors": SHAPE["executors"] // use.part, "tasks": SHAPE["tasks"] // use.part}
    return {"part": use.part, "shape": shape, "limit": LIMIT // use.part, "budget": use.budget // use.part}


def once(use, given, order, arm):
    words = [use.program, "--json", "--trace", "--order", order, "--folder", use.folder, *ARMS[arm]]
    if words[-1] == "--budget":
        words.append(given["budget"])
    for name, value in given["shape"].items():
        words += ["--" + name, value]
    shape = given["shape"]
    block = -(-shape["points"] * shape["dimensions"] * 4 // PAGE) * PAGE
    cold = limits.drop_page_cache()
    limits.warm(shape["executors"] * block)
    load = os.getloadavg()[0]
    line, out = limits.run(words, None if arm == "in core" else given["limit"], use.timeout)
    line.update(order=order, arm=arm, cold=cold, load=load, **given)
    if line["end"] == "ok":
        said = json.loads(out)
        accesses, capacity = said.pop("accesses"), given["budget"] // block
        line["said"] = said
        line["simulated"] = {"least": replacement.least_reads(shape["executors"], accesses, capacity),
                             "lru": replacement.lru_reads(shape["executors"], accesses, capacity)}
    return line


def run(use):
    given, ends = settings(use), time.monotonic() + 60 * use.minutes
    lines = [json.loads(line) for line in use.results.read_text().splitlines()] if use.results.exists() else []
    if any(line["shape"] != given["shape"] or line["budget"] != given["budget"] for line in lines):
        sys.exit(f"km_swap.py: {use.results} has runs of another shape or budget")
    done = {(line["round"], line["order"], line["arm"]) for line in lines}
    limits.require_groups()
    with limits.swap_file(use.folder, SWAP // use.part):
        for number in range(1, use.rounds + 1):
            for order in use.orders:
                arms = [arm for arm in ARMS if arm in use.arms and (number, order, arm) not in done]
                random.Random(f"{number} {order}").shuffle(arms)
                for arm in arms:
                    if time.monotonic() > ends:
                        return
                    line = {"round": number, **once(use, given, order, arm)}
                    with use.results.open("a") as results:
                        results.write(json.dumps(line) + "\n")
                    said = line.get("said", {})
                    print(f"{number} {order:10} {arm:11} {said.get('load_s', 0):8.2f} s "
                          f"{said.get('train_s', 0):8.2f} s  {line['end']}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    ways = parser.add_subparsers(dest="way", required=True)
    way = ways.add_parser("run")
    way.add_argument("results", type=Path)
    way.add_argument("--program", type=Path, default=ROOT / "build/release/examples/kmeans_out_of_core")
    way.add_argument("--folder", type=Path, default=Path("/var/tmp"), help="on a disk (default: /var/tmp)")
    way.add_argument("--rounds", type=int, default=5)
    way.add_argument("--orders", type=lambda text: text.split(","), default=["random", "sequential"])
    way.add_argument("--arms", type=lambda text: text.split(";"), default=list(ARMS), help="default: " + ";".join(ARMS))
    way.add_argument("--budget", type=int, default=BUDGET, help=f"of the store, bytes (default: {BUDGET})")
    way.add_argument("--part", type=int, default=1, metavar="N", help="1/N of the data, the limit and the budget")
    way.add_argument("--minutes", type=float, default=1e9, help="no run begins after that long")
    way.add_argument("--timeout", type=float, default=900, help="of one run, seconds (default: 900)")
    ways.add_parser("summary").add_argument("results", type=Path)
    use = parser.parse_args()
    if use.way == "summary":
        sys.exit(summary([json.loads(line) for line in use.results.read_text().splitlines()]))
    if set(use.arms) - set(ARMS) or set(use.orders) - {"random", "sequential"}:
        parser.error("no such arm or order")
    try:
        with limits.ended_by_signals():
            run(use)
    except limits.Unavailable as why:
        print(f"skipped: {why}")


if __name__ == "__main__":
    main()
