#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""product.py run RESULTS: tiled_product.cpp with matrices of three times the limit of memory, by the store and by swap,
in turn; one line of JSON for each run, and what RESULTS has already is not run again. product.py summary RESULTS: the
table; status 1 where results differ."""

import argparse
import json
import random
import sys
from pathlib import Path
from statistics import median

import limits
from km_swap_summary import in_mib, table

ROOT = Path(__file__).resolve().parent.parent.parent
MIB = 1 << 20
ARMS = {"next-use": ["--policy", "next-use", "--budget"], "lru": ["--policy", "lru", "--budget"], "swap": [],
        "in core": []}


def once(use, arm):
    data = 3 * 4 * use.size * use.size
    limit = data // 3
    budget = limit * 9 // 10
    words = [use.program, "--size", use.size, "--tile", use.tile, "--threads", 2, "--folder", use.folder, *ARMS[arm]]
    if words[-1] == "--budget":
        words.append(budget)
    limits.drop_page_cache()
    limits.warm(data)
    line, out = limits.run(words, None if arm == "in core" else limit, use.timeout)
    if line["end"] == "ok":
        line["said"] = json.loads(out)
    return {**line, "arm": arm, "size": use.size, "tile": use.tile, "limit": limit, "budget": budget}


def run(use):
    lines = [json.loads(line) for line in use.results.read_text().splitlines()] if use.results.exists() else []
    done = {(line["round"], line["arm"]) for line in lines}
    limits.require_groups()
    with limits.swap_file(use.folder, max(64 * MIB, 4 * 4 * use.size * use.size)):
        for number in range(1, use.rounds + 1):
            arms = [arm for arm in ARMS if (number, arm) not in done]
            random.Random(number).shuffle(arms)
            for arm in arms:
                line = {"round": number, **once(use, arm)}
                with use.results.open("a") as results:
                    results.write(json.dumps(line) + "\n")
                said = line.get("said", {})
                print(f"{number} {arm:8} {said.get('load_s', 0):8.2f} s {said.get('product_s', 0):8.2f} s  "
                      f"{line['end']}", flush=True)


def summary(lines):
    ends = {(line["round"], line["arm"]): line for line in lines if "said" in line}
    rows = []
    for arm in ARMS:
        runs = [line for (_, which), line in ends.items() if which == arm]
        ratios = [ends[number, arm]["said"]["product_s"] / ends[number, "next-use"]["said"]["product_s"]
                  for number, which in ends if which == arm and (number, "next-use") in ends]
        if runs:
            said = runs[0]["said"]
            rows.append([arm, len(runs), f"{median(line['said']['load_s'] for line in runs):.1f}",
                         f"{median(line['said']['product_s'] for line in runs):.1f}",
                         f"{median(ratios):.2f}" if ratios else "-", f"{min(ratios):.2f}" if ratios else "-",
                         said["reads"], in_mib(said["read_bytes"]), in_mib(said["written_bytes"]),
                         in_mib(max(line["group_peak_bytes"] or 0 for line in runs)),
                         max(line["major_faults"] or 0 for line in runs)])
    first = lines[0]
    print(f"{first['size']} x {first['size']} in tiles of {first['tile']}: {in_mib(3 * first['limit'])} MiB, "
          f"limit {in_mib(first['limit'])} MiB, budget {first['budget']} bytes\n")
    table(["", "runs", "loading, s", "product, s", "ratio to next-use, median", "least", "reads", "read, MiB",
           "written, MiB", "peak of the group, MiB", "major faults"], rows)
    failed = [f"round {line['round']}, {line['arm']}: {line['end']}" for line in lines if line["end"] != "ok"]
    same = len({line["said"]["checksum"] for line in ends.values()}) == 1
    print("\n".join(failed) or "all have ended", "; results are " + ("the same" if same else "NOT the same"), sep="")
    return int(not same or bool(failed))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    ways = parser.add_subparsers(dest="way", required=True)
    way = ways.add_parser("run")
    way.add_argument("results", type=Path)
    way.add_argument("--program", type=Path, default=ROOT / "build/release/bench/out_of_core/tiled_product")
    way.add_argument("--folder", type=Path, default=Path("/var/tmp"), help="on a disk (default: /var/tmp)")
    way.add_argument("--rounds", type=int, default=5)
    way.add_argument("--size", type=int, default=8192, help="of each matrix (default: 8192)")
    way.add_argument("--tile", type=int, default=512)
    way.add_argument("--timeout", type=float, default=900, help="of one run, seconds (default: 900)")
    ways.add_parser("summary").add_argument("results", type=Path)
    use = parser.parse_args()
    if use.way == "summary":
        sys.exit(summary([json.loads(line) for line in use.results.read_text().splitlines()]))
    try:
        with limits.ended_by_signals():
            run(use)
    except limits.Unavailable as why:
        print(f"skipped: {why}")


if __name__ == "__main__":
    main()
