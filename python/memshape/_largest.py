# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The greatest value of a symbol that fits a memory."""

from __future__ import annotations

from typing import Any

from .errors import DoesNotFit


class Largest(int):
    """A value, and what is known of it. Sizes are bytes."""

    symbol: str
    bytes: int  #: with this value
    next: tuple[int, int] | None  #: the first that does not fit, and its bytes; None where all do that there are
    proven: bool  #: each smaller value was tried, or a formula is proven to stay within the memory
    notes: tuple[str, ...]
    raw: dict[str, Any]  #: memshape.solve/1


class Frontier(list[dict[str, int]]):
    """Values of the first symbol, each with the greatest of the second and their bytes: ``{"ni": 100, "nx": 40, "bytes": ...}``."""

    proven: bool
    notes: tuple[str, ...]
    raw: dict[str, Any]  #: memshape.solve/1


def solved(found: dict[str, Any]) -> Largest | Frontier:
    """Values of memshape.solve/1. Raises DoesNotFit where nothing fits."""
    out: Largest | Frontier
    if "symbols" in found:
        if not found["frontier"]:
            raise DoesNotFit(f"no {found['symbols'][0]} and {found['symbols'][1]} fit {found['memory_bytes']} bytes")
        out = Frontier(found["frontier"])
    else:
        following = found["next"]
        if found["largest"] is None:
            raise DoesNotFit(f"not even {found['symbol']}={following['value']} fits: it takes {following['bytes']} bytes",
                             following["bytes"])
        out = Largest(found["largest"])
        out.symbol, out.bytes = found["symbol"], found["bytes"]
        out.next = (following["value"], following["bytes"]) if following else None
    out.proven, out.notes, out.raw = found["proven"], tuple(found["notes"]), found
    return out
