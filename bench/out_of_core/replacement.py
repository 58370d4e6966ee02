# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads of executors of equal size that are all made first, in the order of their numbers, and then used in the order
of `accesses`, where `capacity` of them are in memory at most. Written apart from the store, as plainly as can be."""

from collections import OrderedDict


def least_reads(executors, accesses, capacity):
    """Belady's minimum (1966): the executor goes whose next use is furthest away."""
    order = [*range(executors), *accesses]
    next_use, seen = [len(order)] * len(order), {}
    for at in reversed(range(len(order))):
        next_use[at] = seen.get(order[at], len(order))
        seen[order[at]] = at
    here, misses = {}, 0
    for at, executor in enumerate(order):
        if executor not in here:
            misses += 1
            if len(here) == capacity:
                del here[max(here, key=here.get)]
        here[executor] = next_use[at]
    return misses - executors


def lru_reads(executors, accesses, capacity):
    """The executor goes whose last use is longest ago."""
    here, misses = OrderedDict(), 0
    for executor in [*range(executors), *accesses]:
        if executor not in here:
            misses += 1
            if len(here) == capacity:
                here.popitem(last=False)
        here[executor] = None
        here.move_to_end(executor)
    return misses - executors
