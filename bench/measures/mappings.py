# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mappings of the assembly tree of a square grid on 64 processors, beside three schedules in which each task has one
processor (the program mapping_cost): the makespan and the most that a processor holds, over those of the best postorder
on all processors, and the processor time to find each. --bar MS: the most that a mapping may take."""

import json

from .harness import add_build, built, checked, head, row


def arguments(parser):
    add_build(parser)
    parser.add_argument("--bar", type=float, metavar="MS")


def measure(use):
    found = json.loads(checked([built(use.build, "mapping_cost"), "--benchmark_format=json"]))["benchmarks"]
    head("schedule", "nodes", "makespan", "held by one", "found in")
    slow = False
    for each in found:
        name, _, percent = each["name"].split("/") if each["name"].count("/") == 2 else (*each["name"].split("/"), None)
        if percent is not None:
            name = f"memory-aware, memory {percent} %" if percent != "0" else "proportional"
        row({"allToAll": "all-to-all"}.get(name, name), f"{each['nodes']:,.0f}", f"{each['makespan']:.3f}", f"{each['of_one']:.2f}",
            f"{each['cpu_time']:.1f} ms")
        slow |= use.bar is not None and not name.endswith(("First", "Subtrees")) and each["cpu_time"] > use.bar
    return int(slow)
