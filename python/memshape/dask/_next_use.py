# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""In the scheduler: tells workers which task waits first for each value that they keep or are about to make."""

from __future__ import annotations

import heapq
from typing import Any

import distributed

from ._said import Key

#: Dask's own functions have no types.
_Plugin: Any = distributed.SchedulerPlugin
#: Names of plugins and of messages.
NAME = "memshape-next-use"
ANNOUNCED = "memshape-spill"


class NextUse(_Plugin):  # type: ignore[misc]
    """Workers that have announced themselves get (key, priority of the first task that waits for it, or None)."""

    def __init__(self) -> None:
        self.scheduler: Any = None
        self._workers: set[str] = set()
        # Of each value: its waiting tasks by their priorities, those that have ended since included.
        self._waiting: dict[Key, list[tuple[Any, int, Any]]] = {}
        self._told: dict[Key, Any] = {}
        self._counter = 0

    async def start(self, scheduler: Any) -> None:
        self.scheduler = scheduler
        scheduler.stream_handlers[ANNOUNCED] = self.announced

    def announced(self, worker: str, spills: bool, **_: Any) -> None:
        """A worker spills from now on, or does not any more."""
        if not spills:
            self.remove_worker(self.scheduler, worker)
        elif worker in self.scheduler.workers:
            self._workers.add(worker)
            state = self.scheduler.workers[worker]
            self._send(worker, [(task.key, self._next(task)) for task in (*state.has_what, *state.processing)])

    def remove_worker(self, scheduler: Any, worker: str, **_: Any) -> None:
        self._workers.discard(worker)
        if not self._workers:
            self._waiting.clear()
            self._told.clear()

    def transition(self, key: Key, start: str, finish: str, *_: Any, **__: Any) -> None:
        if not self._workers:
            return
        task = self.scheduler.tasks.get(key)
        if finish == "forgotten" or task is None:
            self._waiting.pop(key, None)
            self._told.pop(key, None)
            return
        if finish == "waiting":
            for needed in task.dependencies:
                if needed.key in self._waiting:
                    self._push(self._waiting[needed.key], task)
                self._changed(needed)
        elif finish == "processing":
            worker = task.processing_on.address
            uses = [(key, self._next(task))]
            uses += [(needed.key, self._next(needed)) for needed in task.dependencies
                     if task.processing_on not in (needed.who_has or ())]
            self._send(worker, uses)
            self._told[key] = uses[0][1]
        elif finish == "memory" or start in ("waiting", "processing", "queued", "no-worker"):
            for needed in task.dependencies:
                self._changed(needed)

    def _changed(self, task: Any) -> None:
        workers = [*(task.who_has or ()), *([task.processing_on] if task.processing_on else ())]
        if not workers:
            return
        use = self._next(task)
        if task.key in self._told and self._told[task.key] == use:
            return
        self._told[task.key] = use
        for worker in workers:
            self._send(worker.address, [(task.key, use)])

    def _next(self, task: Any) -> Any:
        waiting = self._waiting.get(task.key)
        if waiting is None:
            waiting = self._waiting[task.key] = []
            for each in task.dependents:
                self._push(waiting, each)
        waiters = task.waiters or ()
        while waiting and waiting[0][2] not in waiters:
            heapq.heappop(waiting)
        return waiting[0][0] if waiting else None

    def _push(self, waiting: list[tuple[Any, int, Any]], task: Any) -> None:
        self._counter += 1
        heapq.heappush(waiting, (task.priority, self._counter, task))

    def _send(self, worker: str, uses: list[tuple[Key, Any]]) -> None:
        if worker in self._workers and worker in self.scheduler.stream_comms and uses:
            self.scheduler.worker_send(worker, {"op": NAME, "uses": uses})
