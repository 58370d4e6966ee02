# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bytes of a worker that operators share.

Dask's own way is a resource that tasks ask for, and tasks of ours do ask. But Dask's optimiser of arrays drops
annotations where it fuses tasks, which it does unless ``optimization.fuse.active`` is False. So that what does not fit
together never runs together, a task also waits here, in its worker, until its bytes are free.
"""

from __future__ import annotations

import contextlib
import threading
from typing import Iterator


class Gate:
    """``with gate.holding(n):`` waits until n bytes are free. Who needs more than there are waits to be alone."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._taken = 0
        self.total: int | None = None  #: bytes; None where nobody said, and then nobody waits

    @contextlib.contextmanager
    def holding(self, size: int) -> Iterator[None]:
        with self._changed:
            self._changed.wait_for(lambda: self.total is None or self._taken == 0 or self._taken + size <= self.total)
            self._taken += size
        try:
            yield
        finally:
            with self._changed:
                self._taken -= size
                self._changed.notify_all()


#: Of this process.
gate = Gate()
