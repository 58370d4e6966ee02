# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exchanges the data of workers for one that spills by next use, and back."""

from __future__ import annotations

import logging
from typing import Any

import distributed
from distributed.core import Status

from .._shape import as_integer
from .._toys import status_bytes
from ..errors import ArgumentError, Error
from ._cluster import a_client
from ._next_use import ANNOUNCED, NAME, NextUse
from ._on_disk import OnDisk
from ._spilled import Spilled, SpilledData

#: Dask's own functions have no types.
_Plugin: Any = distributed.WorkerPlugin
#: However much a process holds, values have so large a part of its limit.
LEAST_SHARE = 10
_log = logging.getLogger("memshape.dask")


class _Spills(_Plugin):  # type: ignore[misc]
    """In a worker: its data are SpilledData for as long as this is registered."""

    def __init__(self, folder: str | None, memory: int | None):
        self.name = ANNOUNCED
        self._folder, self._memory = folder, memory
        self._before: Any = None

    def setup(self, worker: Any) -> None:
        manager = worker.memory_manager
        share = manager.memory_target_fraction or manager.memory_spill_fraction
        before = manager.data
        target = self._memory or int((manager.memory_limit or 0) * (share or 0))
        if not target:
            raise ArgumentError(f"worker {worker.address} has no memory limit, or Dask's thresholds are off: say memory=...")
        if self._memory is None:
            # Beyond its threshold Dask evicts whatever is there, by the process's bytes: values stay below it.
            evicts_at = int(manager.memory_limit * (manager.memory_spill_fraction or 1))
            target = max(min(target, evicts_at - _held_besides(worker)), manager.memory_limit // LEAST_SHARE)
        data = SpilledData(OnDisk(self._folder or worker.local_directory), target, manager.max_spill)
        _move(before, data)
        self._before = before
        manager.data = worker.state.data = data

        def expect(uses: list[Any]) -> None:
            data.expect(uses)
            if data.expected > 2 * len(data) + 10000:  # tasks went to other workers
                data.forget_all_but(worker.state.tasks)

        worker.stream_handlers[NAME] = expect
        worker.batched_send({"op": ANNOUNCED, "spills": True})

    def teardown(self, worker: Any) -> None:
        if self._before is None or worker.status in (Status.closing, Status.closed, Status.failed, Status.closing_gracefully):
            return
        manager = worker.memory_manager
        _move(manager.data, self._before)
        manager.data = worker.state.data = self._before
        self._before = None
        worker.batched_send({"op": ANNOUNCED, "spills": False})
        worker.stream_handlers[NAME] = lambda uses: None  # what is on its way


def _held_besides(worker: Any) -> int:
    """Resident bytes of the process that are no values of tasks."""
    there = getattr(worker.data, "fast", worker.data) or ()
    values = sum(int(worker.state.tasks[key].get_nbytes()) for key in there if key in worker.state.tasks)
    return max(0, status_bytes("VmRSS") - values)


def _move(source: Any, target: Any) -> None:
    """One by one: never more in memory than a value beyond the targets of both. All or nothing."""
    try:
        for key in list(source):
            target[key] = source[key]
            del source[key]
    except Exception:
        for key in list(target):
            if key not in source:
                source[key] = target[key]
            del target[key]
        raise


def _spilled(dask_worker: Any) -> Spilled | None:
    data = dask_worker.data
    return data.spilled() if isinstance(data, SpilledData) else None


class Spilling:
    """What ``memshape.dask.spill`` returns. ``close()``, or the end of a ``with``, gives workers back what Dask has."""

    def __init__(self, client: Any):
        self._client = client
        self._open = True

    def statistics(self) -> dict[str, Spilled]:
        """Of each worker that spills, by its address."""
        seen: dict[str, Spilled | None] = self._client.run(_spilled)
        return {address: each for address, each in seen.items() if each is not None}

    def close(self) -> None:
        """Workers keep all data; Dask decides again what leaves the memory. Raises Error where a worker could not."""
        if self._open:
            self._open = False
            _turn_off(self._client)

    def __enter__(self) -> Spilling:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def _turn_off(client: Any) -> None:
    try:
        client.unregister_worker_plugin(ANNOUNCED)
    except ValueError:
        pass  # workers never got it
    except Exception as why:
        raise Error(f"a worker keeps what it spilled, for not all of it can be given back to Dask: {why}", "cluster") from None
    try:
        client.unregister_scheduler_plugin(NAME)
    except ValueError:
        pass


def spill(client: Any = None, *, folder: str | None = None, memory: int | None = None) -> Spilling:
    """From now on workers spill the values whose next task is furthest in the future, by the scheduler's priorities.

    Values are kept within ``memory`` bytes of each worker, or what Dask's ``distributed.worker.memory.target`` says, and
    no more than its ``spill`` leaves beside what the process holds; the others are in a folder of the worker's own, which is made in ``folder``, or where the worker keeps its files. That has
    to be on a disk. Workers that join later spill too. What cannot be written stays in memory: ``statistics()`` and the
    log say why. Raises ArgumentError where a worker has neither a limit nor ``memory``, Error where a folder cannot be
    made.

        >>> with memshape.dask.spill(client) as spilling:
        ...     result = collection.compute()
        ...     print(spilling.statistics())
    """
    from_client = a_client(client)
    if memory is not None:
        memory = as_integer("memory", memory)
        if memory <= 0:
            raise ArgumentError(f"memory has to be positive, but is {memory}")
    try:
        from_client.register_plugin(NextUse(), name=NAME)
        from_client.register_plugin(_Spills(folder, memory), name=ANNOUNCED)
    except Exception:
        _turn_off(from_client)
        raise
    return Spilling(from_client)
