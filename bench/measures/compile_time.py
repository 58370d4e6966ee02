# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Time of whole compiler processes with the plugin over without it, user plus system, medians.

Two groups, with the commands of the build itself: the examples, each with an operator, and memshape's own model and
tools, which have none. Both ways alternate, so that a change in the machine's speed hits both."""

import statistics
import tempfile

from .harness import add_build, clean_environment, compilations, end, head, plugin, processor_time, row, verdict

BARS = {"with a skeleton": 1.60, "without operators": 1.10}
GROUPS = {"examples": "with a skeleton", "model": "without operators", "tools": "without operators"}


def arguments(parser):
    add_build(parser)
    parser.add_argument("--runs", type=int, default=5, help="of each way (default: 5)")
    parser.add_argument("--check", action="store_true", help="status 1 where a median is above its bar")


def commands(build):
    """{group: [(file, words without plugin and output, folder)]}"""
    groups = {name: [] for name in BARS}
    for file, words, folder in compilations(build):
        plain, skip = [], False
        for word in words:
            if not skip and word not in ("-o", "-MF", "-MT", "-MD") and not word.startswith("-fplugin"):
                plain.append(word)
            skip = word in ("-o", "-MF", "-MT")
        if file.parts[0] in GROUPS and file.parts[:2] != ("tools", "skeleton"):
            groups[GROUPS[file.parts[0]]].append((file, plain, folder))
    return groups


def measure(use):
    if not (use.build / "lib/memshape").exists():
        end(f"there is no plugin under {use.build}: build it first")
    missed = False
    head("file", "s without the flag", "s with it", "ratio")
    with tempfile.TemporaryDirectory() as scratch:
        for group, entries in commands(use.build).items():
            ratios = []
            for name, plain, folder in entries:
                ways = {"plain": [], "flag": []}
                for _ in range(use.runs):
                    for way, times in ways.items():
                        words = [*plain, *(plugin(use.build) if way == "flag" else []), "-o", f"{scratch}/out.o"]
                        times.append(processor_time(words, cwd=folder, env=clean_environment()))
                before, after = map(statistics.median, ways.values())
                ratios.append(after / before)
                row(name, f"{before:.2f}", f"{after:.2f}", f"{after / before:.2f}")
            if ratios:
                median = statistics.median(ratios)
                missed |= median > BARS[group]
                row(f"median {group}", "", "", f"{median:.2f}, bar {BARS[group]:.2f} {verdict(median <= BARS[group])}")
    return int(use.check and missed)
