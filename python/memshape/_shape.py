# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values that come from users: shapes, and sizes in bytes."""

from __future__ import annotations

import operator
import re
from typing import Any, Mapping

from ._page import show_bytes as show_bytes
from .errors import ArgumentError

_UNITS = {"": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12, "pb": 10**15,
          "kib": 2**10, "mib": 2**20, "gib": 2**30, "tib": 2**40, "pib": 2**50, "k": 2**10, "m": 2**20, "g": 2**30,
          "t": 2**40, "p": 2**50}


def as_integer(name: str, value: Any) -> int:
    """An int from an int or a NumPy integer."""
    try:
        if isinstance(value, bool):
            raise TypeError
        found = operator.index(value)
    except TypeError:
        raise ArgumentError(f"'{name}' is no integer: {value!r}") from None
    if not -2**63 <= found < 2**63:
        raise ArgumentError(f"'{name}' does not fit into 64 bits: {found}")
    return found


def checked_shape(shape: Mapping[str, int] | None, extents: Mapping[str, int]) -> dict[str, int]:
    """A shape from a mapping, from keywords, or from both."""
    given = {**(shape or {}), **extents}
    return {name: as_integer(name, value) for name, value in given.items()}


def held_of(held: int | float | str | None, held_bytes: int | None) -> int | None:
    """What a process holds, by either name."""
    given = held_bytes if held is None else held
    return given if given is None else as_bytes(given, "held") if given else 0


def as_bytes(value: int | float | str, name: str = "memory") -> int:
    """Bytes from a number, or from text as "1.5GiB" or "800 MB"."""
    if isinstance(value, str):
        found = re.fullmatch(r"\s*([0-9]*\.?[0-9]+(?:[eE][+-]?\d+)?)\s*([A-Za-z]*)\s*", value)
        if not found or found.group(2).lower() not in _UNITS:
            raise ArgumentError(f"{name} is no size: {value!r}; write bytes, or a size as in '1.5GiB'")
        digits, unit = found.group(1), _UNITS[found.group(2).lower()]
        number: float = int(digits) * unit if digits.isdigit() else float(digits) * unit
    else:
        try:
            # Integers stay as they are: a double has 53 bits.
            number = operator.index(value) if hasattr(value, "__index__") else float(value)
        except (TypeError, ValueError):
            raise ArgumentError(f"{name} is no size: {value!r}") from None
    if not 0 < number < 2**63:
        raise ArgumentError(f"{name} has to be above 0 bytes: {value!r}")
    return int(number)
