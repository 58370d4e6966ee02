# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a call takes, in a test: start it as ``memshape run -- python -m pytest``."""

from __future__ import annotations

import contextlib
import ctypes
import dataclasses
from collections.abc import Iterator

from .errors import ArgumentError

_NAME = b"measured by a test"


class _Figures(ctypes.Structure):
    """``struct memshape_call_figures`` of ``<memshape/hooks.h>``."""

    _fields_ = [(name, ctypes.c_int64) for name in ("peak", "peak_most", "output")] + \
        [(name, ctypes.c_uint64) for name in ("total", "allocations", "time")]


@dataclasses.dataclass
class Taken:
    """Of the heap, of all threads together. Bytes, but for the last one; zeros before the block has ended."""

    peak_bytes: int = 0  #: the most that was live above what was live before
    output_bytes: int = 0  #: left of it
    total_bytes: int = 0  #: requested in all
    allocations: int = 0


@contextlib.contextmanager
def heap() -> Iterator[Taken]:
    """
    Counts what the block does::

        with memshape.testing.heap() as taken:
            smooth(cube)
        assert taken.peak_bytes <= 2 * cube.nbytes

    :raises ArgumentError: where nothing counts in this process.
    """
    process = ctypes.CDLL(None)
    if not hasattr(process, "memshape_annotate_last_phase"):
        raise ArgumentError("nothing counts allocations here: start the test as `memshape run -- python -m pytest`")
    taken, figures = Taken(), _Figures()
    process.memshape_annotate_phase_begin(_NAME)
    try:
        yield taken
    finally:
        process.memshape_annotate_phase_end(_NAME)
        if process.memshape_annotate_last_phase(ctypes.byref(figures)):
            taken.peak_bytes, taken.output_bytes = figures.peak, figures.output
            taken.total_bytes, taken.allocations = figures.total, figures.allocations
