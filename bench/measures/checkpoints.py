# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Processor time to find the cheapest reversal of L steps with slots in memory and on disk: memshape's (the program
checkpoint_cost), and H-Revolve's of the package checkpoint-schedules (PyPI, 1.0.4), which has to be installed for the
Python that runs this."""

import json
import time

from .harness import add_build, built, checked, end, head, row

ACCESS = 2  # what a store and a restore on disk cost


def arguments(parser):
    add_build(parser)


def measure(use):
    try:
        from checkpoint_schedules.hrevolve_sequences import hrevolve
    except ImportError:
        end("pip install checkpoint-schedules")
    program = built(use.build, "checkpoint_cost")
    found = json.loads(checked([program, "--benchmark_filter=twoLevels", "--benchmark_format=json"]))
    head("L", "slots in memory, on disk", "memshape", "checkpoint-schedules", "ratio", "cost of either")
    for each in found["benchmarks"]:
        steps, in_memory, on_disk = map(int, each["name"].split("/")[1:])
        start = time.process_time()
        makespan = hrevolve(steps, (in_memory, on_disk), (0, ACCESS), (0, ACCESS), 1, 1).makespan
        other, ours = 1e3 * (time.process_time() - start), each["cpu_time"]
        row(steps, f"{in_memory}, {on_disk}", f"{ours:.1f} ms", f"{other:.0f} ms", f"{other / ours:.0f}",
            f"{each['cost']:.0f}, {makespan:.0f}")
    return 0
