# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Priorities are not the order in which tasks run. The scheduler keeps the tasks that begin a graph in a queue, and hands
them out by priority when a worker has fewer tasks than threads, or a few more
(``distributed.scheduler.worker-saturation``); all other tasks it hands out as soon as they can run, so that they go before
all that waits in the queue. And a worker that has ended a task begins the next one that it has, before it learns of the
tasks that can run now. Tasks that are restricted to some workers are kept in no queue."""

from __future__ import annotations

import heapq
import math
from typing import Any, Iterator, Mapping, Sequence

import dask
import distributed
from dask._task_spec import Task, TaskRef
from dask.order import order as dask_order
from distributed.utils import key_split_group

from ._said import Key

#: Dask's own functions have no types.
_dask: Any = dask
_Task: Any = Task
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


def by_dask(graph: Mapping[Key, Any], collection: Any) -> tuple[Key, ...]:
    """All keys as Dask sorts them for ``compute``, which puts the results together in a task at the end."""
    end = "memshape-end"
    keys = [TaskRef(each) for each in _dask.core.flatten(collection.__dask_keys__())]
    place = dask_order({**graph, end: _Task(end, tuple, *keys)})
    return tuple(sorted(graph, key=lambda each: place[each]))


class Run:
    """A graph on workers that are all the same, where ``order`` is that of the tasks' priorities."""

    def __init__(self, graph: Mapping[Key, Any], order: Sequence[Key], queued: set[Key], saturation: float,
                 workers: int = 1, threads: int = 1, reads: Mapping[Key, Mapping[Key, int]] | None = None,
                 spans: Mapping[Key, float] | None = None):
        """:param reads: bytes that a task reads of others: it runs where most of them are.
        :param spans: time that a task takes; 1 where it is not given."""
        self.order, self.queued, self.reads, self.spans = order, queued, reads or {}, spans or {}
        self.slots = math.inf if math.isinf(saturation) else max(1, math.ceil(saturation * threads))
        self.rank = {key: place for place, key in enumerate(order)}
        self.missing = {key: sum(each in self.rank for each in graph[key].dependencies) for key in order}
        self.consumers: dict[Key, list[Key]] = {key: [] for key in order}
        for key in order:
            for each in graph[key].dependencies:
                if each in self.consumers:
                    self.consumers[each].append(key)
        self.place: dict[Key, int] = {}  #: of tasks that have ended: the number of a worker
        self._waits: list[int] = []  #: in the queue: places in the order
        self._there: list[list[int]] = [[] for _ in range(workers)]  #: on each worker
        self._has = [0] * workers  #: tasks of each worker, with those that run
        self._free = [threads] * workers
        self._running: list[tuple[float, int, int]] = []
        self._clock = 0.0

    def events(self) -> Iterator[tuple[bool, Key, int]]:
        """Tasks that begin (True) and that end, with the numbers of their workers."""
        self._send([key for key in self.order if self.missing[key] == 0])
        yield from self._begun()
        while self._running:
            self._clock, now, at = heapq.heappop(self._running)
            key = self.order[now]
            self.place[key] = at
            self._free[at] += 1
            yield False, key, at
            yield from self._begun()  # before the scheduler answers
            self._has[at] -= 1
            for each in self.consumers[key]:
                self.missing[each] -= 1
            self._send(sorted((each for each in self.consumers[key] if self.missing[each] == 0), key=lambda each: self.rank[each]))
            yield from self._begun()

    def _begun(self) -> Iterator[tuple[bool, Key, int]]:
        for at, there in enumerate(self._there):
            while there and self._free[at]:
                now = heapq.heappop(there)
                self._free[at] -= 1
                heapq.heappush(self._running, (self._clock + self.spans.get(self.order[now], 1), now, at))
                yield True, self.order[now], at

    def _idlest(self) -> int:
        return min(range(len(self._has)), key=lambda at: self._has[at])

    def _send(self, ready: Sequence[Key]) -> None:
        """To workers, or into the queue. What can run now is not held against the queue."""
        for key in ready:
            at = self._idlest() if key in self.queued else self._nearest(key)
            if key in self.queued and self._has[at] >= self.slots:
                heapq.heappush(self._waits, self.rank[key])
            else:
                self._hand(self.rank[key], at)
        while self._waits and self._has[self._idlest()] < self.slots:
            self._hand(heapq.heappop(self._waits), self._idlest())

    def _hand(self, place: int, at: int) -> None:
        heapq.heappush(self._there[at], place)
        self._has[at] += 1

    def _nearest(self, key: Key) -> int:
        there = [0] * len(self._has)
        for used, size in self.reads.get(key, {}).items():
            if used in self.place:
                there[self.place[used]] += size
        return max(range(len(there)), key=lambda at: (there[at], -self._has[at]))


def dispatched(graph: Mapping[Key, Any], order: Sequence[Key], queued: set[Key], saturation: float) -> list[Key]:
    """The order in which one worker with one thread runs the tasks, where ``order`` is that of their priorities."""
    return [key for begins, key, _ in Run(graph, order, queued, saturation).events() if begins]


def default_client(client: Any) -> Any:
    """The client that was given, or the one that Dask uses by default, or None."""
    if client is not None:
        return client
    of: Any = distributed
    try:
        return of.default_client()
    except ValueError:
        return None
