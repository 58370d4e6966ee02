# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Processor time to find the cheapest reversal of L steps with slots in memory and on disk: memshape's (the program
checkpoint_cost), and H-Revolve's of the package checkpoint-schedules (PyPI, 1.0.4), which has to be installed for the
Python that runs this; and with slots in memory that take states or tapes, the mixed schedules of that package."""

import json
import time

from .harness import add_build, built, checked, end, head, row

ACCESS = 2  # what a store and a restore on disk cost


def arguments(parser):
    add_build(parser)


def measure(use):
    try:
        from checkpoint_schedules.hrevolve_sequences import hrevolve
        from checkpoint_schedules.mixed import mixed_steps_tabulation
    except ImportError:
        end("pip install checkpoint-schedules")
    program = built(use.build, "checkpoint_cost")
    found = json.loads(checked([program, "--benchmark_filter=twoLevels|tapes", "--benchmark_format=json"]))
    head("L", "slots in memory, on disk", "memshape", "checkpoint-schedules", "ratio", "cost of either")
    for each in found["benchmarks"]:
        steps, *slots = map(int, each["name"].split("/")[1:])
        start = time.process_time()
        if len(slots) == 1:
            makespan = mixed_steps_tabulation(steps, *slots)[steps, slots[0], 2]
        else:
            makespan = hrevolve(steps, slots, (0, ACCESS), (0, ACCESS), 1, 1).makespan
        other, ours = 1e3 * (time.process_time() - start), each["cpu_time"]
        row(steps, ", ".join(map(str, slots)) + (" with tapes" if len(slots) == 1 else ""), f"{ours:.1f} ms",
            f"{other:.0f} ms", f"{other / ours:.0f}", f"{each['cost']:.0f}, {makespan:.0f}")
    return 0
