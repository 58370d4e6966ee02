# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The data of a worker: in memory within a target, the rest on disk. What is needed furthest in the future leaves first."""

from __future__ import annotations

import logging
import threading
import weakref
from collections import defaultdict
from collections.abc import Iterator, MutableMapping
from dataclasses import dataclass
from typing import Any

from distributed.metrics import context_meter
from distributed.sizeof import safe_sizeof
from sortedcontainers import SortedList  # type: ignore[import-untyped]

from ..errors import Error
from ._on_disk import OnDisk, Unserialisable, Written
from ._said import Key

#: Dask's own functions have no types.
_meter: Any = context_meter
_sizeof: Any = safe_sizeof
#: The least that leaves the memory: a file takes a page. Bytes.
LEAST = 4096
#: When a value is needed: (0, priority) of the first task that waits for it. Nobody has said anything yet, or
UNKNOWN: tuple[Any, ...] = (0, ())
#: no task waits for it: a result.
NEVER: tuple[Any, ...] = (1,)

_log = logging.getLogger("memshape.dask")


@dataclass(frozen=True)
class Spilled:
    """What a worker has written and read so far, and what it keeps. Sizes are bytes."""

    evictions: int  #: values that left the memory
    writes: int
    written_bytes: int
    reads: int
    read_bytes: int
    memory_bytes: int  #: of values in memory now, as Dask counts them
    disk_bytes: int  #: of files now
    problem: str  #: what could not be written at last; empty: nothing


class SpilledData(MutableMapping[Any, Any]):
    """A mapping for ``Worker.data``, with what Dask asks of one that spills: fast, slow, evict(), spilled_total.

    Values do not change, as Dask has it: what was read again keeps its file, and is not written a second time.
    """

    def __init__(self, on_disk: OnDisk, target: int, max_spill: int | bool = False):
        self.on_disk, self.target, self.max_spill = on_disk, target, max_spill
        self.memory: dict[Key, Any] = {}
        self.memory_bytes = self.disk_bytes = 0
        #: What Dask's exporter of metrics shows: (what, unit) to an amount.
        self.cumulative_metrics: defaultdict[tuple[str, str], float] = defaultdict(float)
        self._alone = threading.RLock()
        self._sizes: dict[Key, int] = {}  # of all values
        self._written: dict[Key, Written] = {}
        self._used: weakref.WeakValueDictionary[Key, Any] = weakref.WeakValueDictionary()  # on disk, and used by a task
        self._next: dict[Key, tuple[Any, ...]] = {}  # also of values to come
        self._places: dict[Key, tuple[tuple[Any, ...], int, Key]] = {}  # of what may leave
        self._order = SortedList()  # places: the last leaves first
        self._tick = 0
        self._kept: set[Key] = set()  # cannot be serialised
        self._evictions = 0
        self._problem = ""

    # What Dask asks of a mapping that spills.

    @property
    def fast(self) -> dict[Key, Any]:
        """What can leave the memory."""
        return self._places

    @property
    def slow(self) -> set[Key]:
        """What is on disk alone."""
        return set(self._written) - set(self.memory)

    @property
    def disk(self) -> set[Key]:
        return self.slow

    @property
    def spilled_total(self) -> tuple[int, int]:
        """(bytes that values on disk alone would have in memory, bytes on disk)."""
        with self._alone:
            return sum(self._sizes.values()) - self.memory_bytes, self.disk_bytes

    def evict(self) -> int:
        """Moves one value to disk. The bytes that it had in memory, or -1 where none can leave. Raises nothing."""
        with self._alone:
            while self._order:
                key = self._order[-1][2]
                try:
                    if key not in self._written:
                        self._write(key)
                except Unserialisable as why:
                    self._kept.add(key)
                    self._displace(key)
                    _log.error("memshape: %r stays in memory, for Dask cannot serialise it: %s", key, why)
                    continue
                except (Error, MemoryError) as why:
                    if not self._problem:
                        _log.error("memshape: values stay in memory, for they cannot be written: %s", why)
                    self._problem = str(why) or "no memory is left to write with"
                    return -1
                return self._leave(key)
            return -1

    # The mapping.

    def __len__(self) -> int:
        return len(self._sizes)

    def __iter__(self) -> Iterator[Key]:
        return iter(list(self._sizes))

    def __contains__(self, key: object) -> bool:
        return key in self._sizes

    def __setitem__(self, key: Key, value: Any) -> None:
        with self._alone:
            if key in self._sizes:
                self._forget(key)
            self._sizes[key] = _sizeof(value)
            self._enter(key, value)
            self._shrink(self.target)

    def __getitem__(self, key: Key) -> Any:
        with self._alone:
            if key in self.memory:
                if key in self._places:
                    self._place(key)
                self._count("memory-read", self._sizes[key])
                return self.memory[key]
            written = self._written[key]
            value = self._used.get(key)
            # What no task waits for is handed out, and does not displace what tasks wait for.
            enters = self._next.get(key, UNKNOWN) != NEVER
            if enters:
                self._shrink(self.target - self._sizes[key])
            if value is None:
                with _meter.meter("disk-read", "seconds"):
                    value = self.on_disk.read(written)
                self._count("disk-read", written.bytes)
            if enters:
                self._enter(key, value)
            else:
                self._use(key, value)
            return value

    def __delitem__(self, key: Key) -> None:
        with self._alone:
            self._sizes[key]
            self._forget(key)
            self._next.pop(key, None)

    # When values are needed.

    def expect(self, uses: list[tuple[Key, Any]]) -> None:
        """Of each key the priority of the first task that waits for it, or None. Keys may come later."""
        with self._alone:
            for key, priority in uses:
                self._next[key] = NEVER if priority is None else (0, tuple(priority))
                if key in self._places:
                    self._place(key)

    def forget_all_but(self, keys: Any) -> None:
        """When values are needed that will not come any more."""
        with self._alone:
            self._next = {key: use for key, use in self._next.items() if key in self._sizes or key in keys}

    @property
    def expected(self) -> int:
        """Values of which is known when they are needed."""
        return len(self._next)

    def spilled(self) -> Spilled:
        with self._alone:
            done = self.cumulative_metrics
            return Spilled(self._evictions, int(done["disk-write", "count"]), int(done["disk-write", "bytes"]),
                           int(done["disk-read", "count"]), int(done["disk-read", "bytes"]), self.memory_bytes,
                           self.disk_bytes, self._problem)

    # What is done under the lock.

    def _shrink(self, target: int) -> None:
        while self.memory_bytes > target and self.evict() != -1:
            pass

    def _enter(self, key: Key, value: Any) -> None:
        self.memory[key] = value
        self.memory_bytes += self._sizes[key]
        self._used.pop(key, None)
        if self._sizes[key] >= LEAST and key not in self._kept:
            self._place(key)

    def _leave(self, key: Key) -> int:
        value = self.memory.pop(key)
        self._displace(key)
        self.memory_bytes -= self._sizes[key]
        self._evictions += 1
        self._use(key, value)
        return self._sizes[key]

    def _use(self, key: Key, value: Any) -> None:
        try:
            self._used[key] = value
        except TypeError:  # of a type without weak references
            pass

    def _forget(self, key: Key) -> None:
        size = self._sizes.pop(key)
        if key in self.memory:
            del self.memory[key]
            self.memory_bytes -= size
        self._displace(key)
        self._used.pop(key, None)
        self._kept.discard(key)
        self._remove_file(key)

    def _place(self, key: Key) -> None:
        self._displace(key)
        self._tick += 1
        self._places[key] = (self._next.get(key, UNKNOWN), -self._tick, key)
        self._order.add(self._places[key])

    def _displace(self, key: Key) -> None:
        place = self._places.pop(key, None)
        if place is not None:
            self._order.remove(place)

    def _write(self, key: Key) -> None:
        parts, before, total = self.on_disk.frames(self.memory[key])
        if self.max_spill is not False and self.disk_bytes + total > self.max_spill:
            self._remove_copies()
            if self.disk_bytes + total > self.max_spill:
                raise Error(f"{self.disk_bytes} bytes are on disk, and no more than {self.max_spill} may be "
                            "(distributed.worker.memory.max-spill)", "full")
        with _meter.meter("disk-write", "seconds"):
            try:
                written = self.on_disk.write(parts, before, total)
            except Error as why:
                if why.code != "full" or not self._remove_copies():
                    raise
                written = self.on_disk.write(parts, before, total)
        self._problem = ""
        self._written[key] = written
        self.disk_bytes += total
        self._count("disk-write", total)

    def _remove_copies(self) -> bool:
        """Makes room on the disk: removes files of what is in memory as well. False where there are none."""
        copies = [key for key in self._written if key in self.memory]
        for key in copies:
            self._remove_file(key)
        return bool(copies)

    def _remove_file(self, key: Key) -> None:
        written = self._written.pop(key, None)
        if written is not None:
            self.disk_bytes -= written.bytes
            self.on_disk.remove(written)

    def _count(self, what: str, size: int) -> None:
        for amount, unit in ((1, "count"), (size, "bytes")):
            self.cumulative_metrics[what, unit] += amount
            _meter.digest_metric(what, amount, unit)
