# ===- _dispatch.py - The order in which a worker runs a graph --------------=== #
#
# Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------=== #
"""Priorities are not the order in which tasks run. The scheduler keeps the tasks that begin a graph in a queue, and hands
them out by priority when a worker has fewer tasks than threads, or a few more
(``distributed.scheduler.worker-saturation``); all other tasks it hands out as soon as they can run, so that they go before
all that waits in the queue. And a worker that has ended a task begins the next one that it has, before it learns of the
tasks that can run now. Tasks that are restricted to some workers are kept in no queue."""

from __future__ import annotations

import heapq
import math
from typing import Any, Mapping, Sequence

import dask
import distributed
from distributed.utils import key_split_group

from ._blocks import Key

#: Dask's own functions have no types.
_dask: Any = dask
#: As Dask's scheduler tells tasks that begin a graph: of groups larger than this by threads, that need less than these
#: groups and keys.
_LARGE, _FEW = 2, 5


def saturation_of(client: Any = None) -> float:
    """Tasks of the queue that a worker has at once, by its threads."""
    if client is not None:
        # A function without a name travels as it is: schedulers need no memshape.
        return float(client.run_on_scheduler(lambda dask_scheduler: float(dask_scheduler.WORKER_SATURATION)))
    said = _dask.config.get("distributed.scheduler.worker-saturation", 1.1)
    return math.inf if said in ("inf", ".inf") else float(said)


def queued_keys(graph: Mapping[Key, Any], threads: int) -> set[Key]:
    """Tasks that the scheduler hands out one by one."""
    split: Any = key_split_group
    group = {key: split(key) for key in graph}
    members: dict[str, int] = {}
    needs: dict[str, set[str]] = {}
    for key, node in graph.items():
        members[group[key]] = members.get(group[key], 0) + 1
        needs.setdefault(group[key], set()).update(group[each] for each in node.dependencies if each in graph)
    begin = {name for name, count in members.items() if count > _LARGE * threads and len(needs[name] - {name}) < _FEW
             and sum(members[each] for each in needs[name] - {name}) < _FEW}
    return {key for key, node in graph.items() if group[key] in begin or getattr(node, "data_producer", False)}


def dispatched(graph: Mapping[Key, Any], order: Sequence[Key], queued: set[Key], saturation: float) -> list[Key]:
    """The order in which one worker with one thread runs the tasks, where ``order`` is that of their priorities."""
    slots = math.inf if math.isinf(saturation) else max(1, math.ceil(saturation))
    rank = {key: place for place, key in enumerate(order)}
    missing = {key: sum(each in rank for each in graph[key].dependencies) for key in order}
    consumers: dict[Key, list[Key]] = {key: [] for key in order}
    for key in order:
        for each in graph[key].dependencies:
            if each in consumers:
                consumers[each].append(key)
    waits: list[int] = []  #: in the queue: places in the order
    there: list[int] = []  #: on the worker
    processing = 0

    def send(ready: Sequence[Key]) -> int:
        """Number of tasks that the worker has, with the one that runs. What can run now is not held against the queue."""
        has = processing
        for key in ready:
            if key in queued and has >= slots:
                heapq.heappush(waits, rank[key])
            else:
                heapq.heappush(there, rank[key])
                has += 1
        while waits and has < slots:
            heapq.heappush(there, heapq.heappop(waits))
            has += 1
        return has

    processing = send([key for key in order if missing[key] == 0])
    done: list[Key] = []
    now = heapq.heappop(there) if there else None
    while now is not None:
        following = heapq.heappop(there) if there else None  # begun before the scheduler answers
        done.append(order[now])
        processing -= 1
        ready = []
        for each in consumers[order[now]]:
            missing[each] -= 1
            if missing[each] == 0:
                ready.append(each)
        processing = send(sorted(ready, key=lambda each: rank[each]))
        now = following if following is not None else heapq.heappop(there) if there else None
    return done


def default_client(client: Any) -> Any:
    """The client that was given, or the one that Dask uses by default, or None."""
    if client is not None:
        return client
    of: Any = distributed
    try:
        return of.default_client()
    except ValueError:
        return None
