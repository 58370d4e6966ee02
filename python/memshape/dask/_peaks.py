# ===- _peaks.py - What tasks really held -----------------------------------=== #
#
# Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------=== #
"""The plugin of our workers: their memory as a resource of Dask, and peaks of the tasks that ran."""

from __future__ import annotations

import dataclasses
from collections import deque
from dataclasses import dataclass
from typing import Any

import distributed
from distributed.diagnostics.plugin import WorkerPlugin

from ._cluster import a_client
from ._gate import gate

#: The resource that tasks ask for: bytes that a worker has for operators and their inputs.
RESOURCE = "memshape-bytes"
#: Peaks that a worker remembers.
REMEMBERED = 10_000


@dataclass(frozen=True)
class TaskPeak:
    """What one task held. Bytes; ``peak_bytes`` is None where the runtime is not preloaded in the worker."""

    operator: str
    shape: tuple[int, ...]  #: of its input, halo included
    peak_bytes: int | None
    upper_bytes: int | None  #: that the plan allowed
    worker: str = ""


class MemoryPlugin(WorkerPlugin):
    """Declares a worker's bytes as a resource, so that Dask's scheduler never runs together what does not fit."""

    name = "memshape"

    def __init__(self, resource_bytes: int):
        self.resource_bytes = resource_bytes

    async def setup(self, worker: Any) -> None:
        gate.total = self.resource_bytes
        await worker.set_resources(**{RESOURCE: self.resource_bytes})


#: Of the workers of this process, which may be several.
_seen: deque[TaskPeak] = deque(maxlen=REMEMBERED)


def remember(peak: TaskPeak) -> None:
    """In a task: its worker keeps the figure."""
    try:
        worker = distributed.get_worker()
    except ValueError:
        return
    _seen.append(dataclasses.replace(peak, worker=worker.address))


def declare(client: Any, resource_bytes: int) -> bool:
    """Declares the resource on all workers, those that come later among them. False where some worker lacks it: then no
    task may ask for it, or it would wait for ever."""
    client.register_plugin(MemoryPlugin(resource_bytes), name=MemoryPlugin.name)
    workers = client.scheduler_info()["workers"].values()
    return bool(workers) and all((each.get("resources") or {}).get(RESOURCE) == resource_bytes for each in workers)


def _told(dask_worker: Any) -> list[TaskPeak]:
    return [each for each in list(_seen) if each.worker == dask_worker.address]


def peaks(client: Any = None) -> list[TaskPeak]:
    """What the tasks of ``map_blocks`` and ``map_overlap`` held on the workers that are there, the last ones.

    Bytes are counted where the workers have the runtime preloaded (``LD_PRELOAD`` of ``libmemshape_rt.so``).
    """
    return [each for found in a_client(client).run(_told).values() for each in found]
