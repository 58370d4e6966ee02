# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The plugin of our workers: their memory as a resource of Dask, and peaks of the tasks that ran."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections import deque
from dataclasses import dataclass
from typing import Any, Iterator

import distributed
from distributed.diagnostics.plugin import WorkerPlugin

from .._toys import forget_peak, status_bytes, trim
from ._cluster import _terminated_at, a_client, workers_of
from ._gate import gate
from ._learning import HELD

#: The resource that tasks ask for: bytes that a worker has for operators and their inputs.
RESOURCE = "memshape-bytes"
#: Peaks that a worker remembers.
REMEMBERED = 10_000


@dataclass(frozen=True)
class TaskPeak:
    """What one task held. Bytes; ``peak_bytes`` is None where the runtime is not preloaded in the worker, and
    ``resident_bytes``, by how much the worker grew, where several tasks ran at a time."""

    operator: str
    shape: tuple[int, ...]  #: of its input, halo included
    peak_bytes: int | None
    resident_bytes: int | None
    upper_bytes: int | None  #: that the plan allowed
    worker: str = ""


class MemoryPlugin(WorkerPlugin):
    """Declares a worker's bytes as a resource, so that Dask's scheduler never runs together what does not fit."""

    name = "memshape"

    def __init__(self, resource_bytes: int, together_bytes: int):
        self.resource_bytes, self.together_bytes = resource_bytes, together_bytes

    async def setup(self, worker: Any) -> None:
        gate.total = self.together_bytes
        await worker.set_resources(**{RESOURCE: self.resource_bytes})


#: Of the workers of this process, which may be several.
_seen: deque[TaskPeak] = deque(maxlen=REMEMBERED)


@dataclass
class Measured:
    """One call of a task. Bytes, seconds."""

    figures: dict[str, Any] | None = None  #: of the runtime, where it counts
    held: int = 0  #: resident, before
    peak: int | None = None  #: resident, where no other task ran


#: Operators that run in this process, and those whose bytes were said to be too many: each once.
_running: set[int] = set()
_shared: set[int] = set()
_warned: set[str] = set()
_lock = threading.Lock()


def _warn_once(about: str, text: str) -> None:
    with _lock:
        if about in _warned:
            return
        _warned.add(about)
    distributed.worker.warn(text)


@contextlib.contextmanager
def measured_task(operator: str, task_bytes: int) -> Iterator[Measured]:
    """Measures the process while one task of ours runs, and warns where its bytes go beyond the worker's limit."""
    with _lock:
        if not _running:
            trim()  # what allocators keep of freed blocks would hide a part of what the task takes
    seen = Measured(held=status_bytes("VmRSS"))
    limit = _limit()
    if limit is not None and seen.held + task_bytes > limit:
        _warn_once(f"{operator} limit", f"{operator} takes up to {task_bytes} bytes and the worker holds {seen.held}: "
                                        f"{seen.held + task_bytes - limit} more than the {limit} at which it is ended")
    alone = id(seen)
    with _lock:
        _running.add(alone)
        if len(_running) > 1:
            _shared.update(_running)
        counts = len(_running) == 1 and forget_peak()
    try:
        yield seen
    finally:
        with _lock:
            _running.discard(alone)
            if counts and alone not in _shared:
                seen.peak = status_bytes("VmHWM")
            _shared.discard(alone)


def _limit() -> int | None:
    """Bytes at which this worker is ended."""
    try:
        limit = distributed.get_worker().memory_manager.memory_limit
    except (ValueError, AttributeError):
        return None
    return int(limit * _terminated_at()) if limit else None


def remember(operator: str, shape: tuple[int, ...], upper: int | None, seen: Measured, record: dict[str, Any]) -> None:
    """In a task: its worker keeps the figures, and the scheduler those that can be learned from."""
    try:
        worker = distributed.get_worker()
    except ValueError:
        return
    peak = seen.figures["peak_bytes"] if seen.figures else None
    grown = None if seen.peak is None else max(0, seen.peak - seen.held)
    _seen.append(TaskPeak(operator, shape, peak, grown, upper, worker.address))
    if upper is not None and peak is not None and peak > upper:
        _warn_once(f"{operator} bound", f"{operator} took {peak} bytes at {shape}, and {upper} were its bound")
    if peak is None and not grown:
        return
    run = {**record, "ended_at": time.time(), "environment": {"process": "dask worker", "host": socket.gethostname()}}
    if peak is not None:
        run["heap_peak_bytes"] = peak
    if grown:
        run["held_bytes"], run["rss_peak_bytes"] = seen.held, seen.peak
    worker.log_event(HELD, run)


def declare(client: Any, room: int) -> bool:
    """Declares the resource on all workers, those that come later among them. False where some worker lacks it: then no
    task may ask for it, or it would wait for ever. For the same reason it never becomes less than it was, where workers
    hold more by now: tasks that were planned before may ask for all of it. Operators share ``room`` bytes nevertheless."""
    def declared() -> list[int]:
        return [int((each.get("resources") or {}).get(RESOURCE, 0)) for each in workers_of(client).values()]

    wanted = max([room, *declared()])
    client.register_plugin(MemoryPlugin(wanted, room), name=MemoryPlugin.name)
    return set(declared()) == {wanted}


def _told(dask_worker: Any) -> list[TaskPeak]:
    return [each for each in list(_seen) if each.worker == dask_worker.address]


def peaks(client: Any = None) -> list[TaskPeak]:
    """What the tasks of ``map_blocks`` and ``map_overlap`` held on the workers that are there, the last ones.

    Bytes are counted where the workers have the runtime preloaded (``LD_PRELOAD`` of ``libmemshape_rt.so``).
    """
    return [each for found in a_client(client).run(_told).values() for each in found]
