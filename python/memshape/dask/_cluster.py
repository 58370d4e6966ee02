# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads limits, threads and resident bytes from a client, whatever started its cluster."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import Any, Callable, Iterable, Tuple, Union, cast

import cloudpickle  # type: ignore[import-untyped,import-not-found,unused-ignore]
import dask
import distributed

from .._shape import as_integer
from ..errors import ArgumentError, DoesNotFit, Error

#: Where Dask does not say at which share of its limit a nanny ends a worker.
TERMINATED_AT = 0.95
#: And at which it begins no further task.
PAUSED_AT = 0.8
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
    least_held_bytes: int  #: resident in the smallest, and nothing that its first tasks leave
    addresses: tuple[str, ...]
    notes: tuple[str, ...] = ()
    has_called: bool = False  #: every worker made a first call before its bytes were read

    pauses_at: int = 0  #: resident, from which on no worker begins a task; 0 where it does not matter

    def check_pause(self) -> None:
        """Raises DoesNotFit where workers hold so much before their first task that none would ever begin."""
        if 0 < self.pauses_at < self.held_bytes:
            least = self.limit_bytes * self.held_bytes // self.pauses_at + 1
            raise DoesNotFit(f"workers hold {self.held_bytes} bytes before their first task, and Dask pauses them from "
                             f"{self.pauses_at} on, so that none would begin: start them with a limit of {least} bytes or more",
                             least)


def a_client(client: Any) -> Any:
    """The client, or the one that Dask uses by default."""
    if client is not None:
        if not hasattr(client, "scheduler_info"):
            raise ArgumentError(f"client is no distributed.Client: {client!r}")
        if getattr(client, "status", "running") in ("closing", "closed"):
            raise ArgumentError("the client is closed: give one that is connected to a running cluster")
        if getattr(client, "asynchronous", False):
            raise ArgumentError("the client is asynchronous, and its answers are waited for: give one that was made with "
                                "asynchronous=False, outside of its event loop")
        return client
    try:
        return cast(Any, distributed).default_client()
    except ValueError:
        raise ArgumentError("there is no running cluster: start one, as in distributed.Client(), or say client=...") from None


def workers_of(client: Any) -> dict[str, Any]:
    """What the scheduler says of each worker, by its address."""
    try:
        found = client.scheduler_info(n_workers=-1)["workers"]  # all of them: not more than five otherwise
    except TypeError:  # before Dask 2025, which tells of all
        found = client.scheduler_info()["workers"]
    return cast("dict[str, Any]", found)


#: What a worker loads, and what it calls, before its bytes are read.
Loaded = Tuple[Union[Callable[..., Any], None], Union[Callable[[], None], None]]


async def _process(loaded: Loaded) -> tuple[int, int]:
    """In a worker: its process, and its resident bytes once what a task needs is imported, and the smallest call made."""
    import dask.array  # noqa: F401

    if loaded[1] is not None:
        await asyncio.get_running_loop().run_in_executor(None, loaded[1])  # beside the loop: it may have one of its own
    with open("/proc/self/statm", encoding="ascii") as file:
        return os.getpid(), int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def _terminated_at() -> float:
    share = dask.config.get("distributed.worker.memory.terminate", TERMINATED_AT)
    return float(share) if share else 1.0


def _paused_at(limits: Iterable[int]) -> int:
    share = dask.config.get("distributed.worker.memory.pause", PAUSED_AT)
    return int(min(filter(None, limits), default=0) * float(share or 0))


def limits_of(client: Any, memory: int | None = None, workers: int | None = None) -> dict[str, int]:
    """The limit of each worker by its address, and of ``memory`` the less. Bytes. Empty where no worker is there yet, and
    it is said what they will be like. Raises ArgumentError where nothing tells, before anything is asked of a worker."""
    known = workers_of(client)
    if workers is not None and as_integer("workers", workers) < 1:
        raise ArgumentError(f"workers is a number from 1: {workers}")
    if not known and (workers is None or memory is None):
        raise ArgumentError("the cluster has no workers: start some, or wait for them (client.wait_for_workers(1)), or say "
                            "memory=... and workers=...")
    limits = {address: min(filter(None, (int(each.get("memory_limit") or 0), memory or 0)), default=0)
              for address, each in known.items()}
    without = [address for address, limit in limits.items() if not limit]
    if without:
        raise ArgumentError(f"worker {without[0]} has no memory limit: say memory=..., or start workers with one "
                            "(memory_limit)")
    return limits


def _to_come(client: Any, loaded: Loaded, memory: int, workers: int) -> Cluster:
    """Workers of which none is there: a process that loads what they load tells their resident bytes."""
    options = (getattr(getattr(client, "cluster", None), "new_spec", None) or {}).get("options", {})
    threads = int(options.get("nthreads") or 1)
    asked = subprocess.run([sys.executable, "-m", "memshape.dask._cluster"],
                           input=cloudpickle.dumps(sys.path) + cloudpickle.dumps(loaded), capture_output=True, check=False)
    if asked.returncode:
        raise Error("the function cannot be loaded in another process: " +
                    (asked.stderr.decode(errors="replace").strip().splitlines() or ["it ended"])[-1], "cluster")
    return Cluster(workers, threads, memory, int(memory * _terminated_at()), int(asked.stdout) + GROWS, int(asked.stdout), (),
                   (f"no worker is there yet: planned for {workers} of {threads} thread{'s' * (threads != 1)}",),
                   loaded[1] is not None, _paused_at([memory]))


def cluster_of(client: Any = None, loaded: Loaded = (None, None), memory: int | None = None,
               workers: int | None = None) -> Cluster:
    """What the workers of a running cluster are like.

    ``loaded`` is a function that every worker loads first, with all that it imports, and one that it calls, so that
    ``held_bytes`` has what first calls import and build, mapped memory among it. Of ``memory`` and the workers' own limit
    the less counts; ``workers`` are planned for where not all of them are there. Raises ArgumentError where there is no
    worker, or no limit.
    """
    from_client = a_client(client)
    limits = limits_of(from_client, memory, workers)
    if not limits:
        return _to_come(from_client, loaded, memory or 0, workers or 1)
    known = workers_of(from_client)
    try:
        seen = from_client.run(_process, loaded)
    except Exception as failure:
        raise Error(f"a worker did not answer: {failure}", "cluster") from None
    processes: dict[tuple[str, int], list[str]] = {}
    for address in limits:
        if address in seen and address in known:
            processes.setdefault((known[address]["host"], seen[address][0]), []).append(address)
    if not processes:
        raise ArgumentError("the workers left the cluster while it was asked")
    there = [address for each in processes.values() for address in each]
    # Workers of one process share its bytes, and each looks at all of them.
    threads = [sum(known[address]["nthreads"] for address in each) for each in processes.values()]
    least = min(limits[address] for address in there)
    notes = []
    if len({limits[address] for address in there}) > 1:
        notes.append(f"workers have limits of {least} to {max(limits[address] for address in there)} bytes: the least decides")
    if len(set(threads)) > 1:
        notes.append(f"workers have {min(threads)} to {max(threads)} threads: the most decide")
    held = [seen[address][1] for address in there]
    return Cluster(workers or len(processes), max(threads), least, int(least * _terminated_at()), max(held) + GROWS, min(held),
                   tuple(sorted(there)), tuple(notes), loaded[1] is not None,
                   _paused_at(int(each.get("memory_limit") or 0) for each in known.values()))


if __name__ == "__main__":
    import distributed.nanny  # noqa: F401 - as in a worker

    sys.path[:] = cloudpickle.load(sys.stdin.buffer)
    print(asyncio.run(_process(cloudpickle.load(sys.stdin.buffer)))[1])
