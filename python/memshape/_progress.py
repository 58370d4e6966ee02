# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How far a measurement has come: a bar of tqdm where that is installed, or lines on standard error."""

from __future__ import annotations

import sys
import time
import warnings
from typing import Any

#: Seconds after which something is said where nobody asked, and between lines.
PATIENCE = 2.0


class Progress:
    """Use it with ``with``. ``verbose``: True and False say it; None shows it in terminals and notebooks, where it takes
    long."""

    def __init__(self, what: str, total: int, verbose: bool | None):
        self._what, self._total, self._done = what, total, 0
        self._wanted = (sys.stderr.isatty() or "ipykernel" in sys.modules) if verbose is None else verbose
        self._next = time.monotonic() + (PATIENCE if verbose is None else 0.0)
        self._bar: Any = None

    def __enter__(self) -> "Progress":
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def step(self) -> None:
        """One more call has returned. There may be more than were expected."""
        self._done += 1
        self._total = max(self._total, self._done)
        if self._bar is not None:
            self._bar.total = self._total
            self._bar.update(1)
        elif self._wanted and time.monotonic() >= self._next:
            self._show()

    def _show(self) -> None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of a notebook without widgets
                from tqdm.auto import tqdm  # type: ignore[import-not-found,import-untyped,unused-ignore]
            self._bar = tqdm(desc=self._what, total=self._total, initial=self._done, unit="call")
        except ImportError:
            print(f"{self._what}: {self._done} of about {self._total} calls", file=sys.stderr, flush=True)
            self._next = time.monotonic() + PATIENCE
