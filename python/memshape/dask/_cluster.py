# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads limits, threads and resident bytes from a client, whatever started its cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, cast

import dask
import distributed

from ..errors import ArgumentError, Error

#: Where Dask does not say at which share of its limit a nanny ends a worker.
TERMINATED_AT = 0.95
#: By what its first jobs make a worker larger for good: its own tables, buffers and libraries. 2 to 7 MB were seen, and
#: 0.3 MB at later jobs. Bytes.
GROWS = 6 << 20


@dataclass(frozen=True)
class Cluster:
    """Workers of a cluster: the least limit and the most threads and bytes of any of them. Sizes are bytes."""

    workers: int  #: processes
    threads: int  #: of one process
    limit_bytes: int  #: of one process
    usable_bytes: int  #: of that, before a worker is ended
    held_bytes: int  #: resident, before the first task, and what the first tasks leave there
    addresses: tuple[str, ...]
    notes: tuple[str, ...] = ()
    has_called: bool = False  #: every worker made a first call before its bytes were read


def a_client(client: Any) -> Any:
    """The client, or the one that Dask uses by default."""
    if client is not None:
        if not hasattr(client, "scheduler_info"):
            raise ArgumentError(f"client is no distributed.Client: {client!r}", "arguments")
        if getattr(client, "status", "running") in ("closing", "closed"):
            raise ArgumentError("the client is closed: give one that is connected to a running cluster", "arguments")
        if getattr(client, "asynchronous", False):
            raise ArgumentError("the client is asynchronous, and its answers are waited for: give one that was made with "
                                "asynchronous=False, outside of its event loop", "arguments")
        return client
    try:
        return cast(Any, distributed).default_client()
    except ValueError:
        raise ArgumentError("there is no running cluster: start one, as in distributed.Client(), or say client=...",
                            "arguments") from None


def workers_of(client: Any) -> dict[str, Any]:
    """What the scheduler says of each worker, by its address."""
    try:
        found = client.scheduler_info(n_workers=-1)["workers"]  # all of them: not more than five otherwise
    except TypeError:  # before Dask 2025, which tells of all
        found = client.scheduler_info()["workers"]
    return cast("dict[str, Any]", found)


async def _process(loaded: tuple[Callable[..., Any] | None, Callable[[], None] | None]) -> tuple[int, int]:
    """In a worker: its process, and its resident bytes once what a task needs is imported, and the smallest call made."""
    import asyncio
    import os

    import dask.array  # noqa: F401

    if loaded[1] is not None:
        await asyncio.get_running_loop().run_in_executor(None, loaded[1])  # beside the loop: it may have one of its own
    with open("/proc/self/statm", encoding="ascii") as file:
        return os.getpid(), int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def _terminated_at() -> float:
    share = dask.config.get("distributed.worker.memory.terminate", TERMINATED_AT)
    return float(share) if share else 1.0


def cluster_of(client: Any = None, loaded: tuple[Callable[..., Any] | None, Callable[[], None] | None] = (None, None),
               memory: int | None = None) -> Cluster:
    """What the workers of a running cluster are like.

    ``loaded`` is a function that every worker loads first, with all that it imports, and one that it calls, so that
    ``held_bytes`` has what first calls import and build, mapped memory among it; ``memory`` stands for a limit of the
    workers that have none. Raises ArgumentError where there is no worker, or no limit.
    """
    from_client = a_client(client)
    known = workers_of(from_client)
    if not known:
        raise ArgumentError("the cluster has no workers: start some, or wait for them (client.wait_for_workers(1))",
                            "arguments")
    try:
        seen = from_client.run(_process, loaded)
    except Exception as failure:
        raise Error(f"a worker did not answer: {failure}", "cluster") from None
    processes: dict[tuple[str, int], list[str]] = {}
    for address in known:
        if address in seen:
            processes.setdefault((known[address]["host"], seen[address][0]), []).append(address)
    if not processes:
        raise ArgumentError("the workers left the cluster while it was asked", "arguments")
    limits: dict[str, int] = {address: int(known[address].get("memory_limit") or memory or 0)
                              for each in processes.values() for address in each}
    without = [address for address, limit in limits.items() if not limit]
    if without:
        raise ArgumentError(f"worker {without[0]} has no memory limit: say memory=..., or start workers with one "
                            "(memory_limit)", "arguments")
    # Workers of one process share its bytes, and each looks at all of them.
    threads = [sum(known[address]["nthreads"] for address in each) for each in processes.values()]
    least = min(limits.values())
    notes = []
    if len(set(limits.values())) > 1:
        notes.append(f"workers have limits of {least} to {max(limits.values())} bytes: the least decides")
    if len(set(threads)) > 1:
        notes.append(f"workers have {min(threads)} to {max(threads)} threads: the most decide")
    held = max(seen[address][1] for address in limits) + GROWS
    return Cluster(len(processes), max(threads), least, int(least * _terminated_at()), held, tuple(sorted(limits)),
                   tuple(notes), loaded[1] is not None)
