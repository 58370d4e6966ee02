# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The store of past runs, that of ``memshape run --learn``, by the command ``memshape``."""

from __future__ import annotations

import hashlib
import json
import subprocess
from dataclasses import dataclass
from types import CodeType, ModuleType
from typing import Any, Mapping, Sequence

from . import _install
from ._page import in_python
from .errors import Error

#: Bounds of fewer runs say more about other operators than about this one.
FEWEST_RUNS = 8
CONFIDENCE = 0.99


@dataclass(frozen=True)
class Remembered:
    """What past runs say of one call. Bytes that it takes beside what the process held."""

    expected_bytes: int
    upper_bytes: int  #: with ``CONFIDENCE``, not proven
    runs: int


def known_as(function: Any, *further: Any) -> str:
    """A name for a callable that another one, or another version of it, does not have."""
    return _known_as(function, further, set())


def _known_as(function: Any, further: tuple[Any, ...], seen: set[int]) -> str:
    parts: list[Any] = []
    while hasattr(function, "func"):
        parts += [getattr(function, "args", ()), getattr(function, "keywords", {})]
        function = function.func
    name = function if isinstance(function, str) else getattr(function, "__qualname__", None) or getattr(
        function, "__name__", None) or type(function).__qualname__
    if id(function) in seen:  # a function that calls itself is among its own cells
        return str(name)
    seen.add(id(function))
    digest = hashlib.sha256(repr((getattr(function, "__module__", ""), name, *map(str, further))).encode())
    # An object that can be called has its code in its type.
    _add_code(getattr(function, "__code__", None) or getattr(getattr(type(function), "__call__", None), "__code__", None),
              digest)
    parts += [*(getattr(function, "__defaults__", None) or ()), *(getattr(function, "__kwdefaults__", None) or {}).items(),
              *_held_by(function)]
    for each in parts:
        digest.update(_told(each, seen))
    return f"{name}#{digest.hexdigest()[:12]}"


def _held_by(function: Any) -> list[Any]:
    """What a closure refers to, without names that nothing has been assigned to yet; what a method is bound to; what an
    object that can be called consists of."""
    held = [] if isinstance(function, type) or hasattr(function, "__code__") else [getattr(function, "__dict__", {})]
    if not isinstance(getattr(function, "__self__", None), (ModuleType, type(None))):
        held.append(function.__self__)
    for cell in getattr(function, "__closure__", None) or ():
        try:
            held.append(cell.cell_contents)
        except ValueError:
            pass
    return held


def _told(value: Any, seen: set[int]) -> bytes:
    """What tells a value from others: of arrays all elements, of which repr shows a few, of objects their attributes."""
    if callable(value):
        return _known_as(value, (), seen).encode()
    if hasattr(value, "dtype") and hasattr(value, "tobytes"):
        return repr((getattr(value, "shape", ()), str(value.dtype))).encode() + bytes(value.tobytes())
    inside = list(value.items()) if isinstance(value, dict) else value
    if isinstance(inside, (tuple, list)) or (hasattr(value, "__dict__") and not isinstance(value, ModuleType)):
        if id(value) in seen:
            return b"itself"
        if not isinstance(inside, (tuple, list)):
            inside = list(vars(value).items())
        seen.add(id(value))
        told = f"{type(value).__qualname__}({len(inside)})".encode() + b",".join(_told(each, seen) for each in inside)
        seen.discard(id(value))  # who is no more may have its place taken
        return told
    return repr(value).encode()


def _add_code(code: CodeType | None, digest: Any) -> None:
    if code is None:
        return
    digest.update(code.co_code + repr(code.co_names).encode())
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            _add_code(constant, digest)
        else:
            digest.update(repr(constant).encode())


def _asked(arguments: Sequence[str], given: str | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(_install.command()), *arguments], input=given, capture_output=True, text=True,
                          check=False)


def _of_store(store: str) -> list[str]:
    return ["--store", store] if store else []


def remember(records: Sequence[Mapping[str, Any]], store: str = "") -> int:
    """Adds runs, all or none; their number. ``records`` have operator, shape and a measured peak."""
    if not records:
        return 0
    lines = "".join(json.dumps({"schema": "memshape.run/1", **each}) + "\n" for each in records)
    done = _asked(["history", "import", "-", *_of_store(store)], lines)
    if done.returncode:
        raise Error(in_python(done.stderr.strip()) or "the runs could not be kept", "history")
    return len(records)


def remembered(operator: str, shape: Mapping[str, int], settings: Mapping[str, float], held: int,
               store: str = "") -> Remembered | None:
    """What past runs of an operator say of a call at a shape; None where they are too few."""
    at = ",".join(f"{name}={value}" for name, value in shape.items())
    given = ["--set", ",".join(f"{name}={value}" for name, value in settings.items())] if settings else []
    done = _asked(["predict", "--operator", operator, "--shape", at, *given, "--held", str(max(held, 1)), "--confidence",
                   str(CONFIDENCE), "--json", *_of_store(store)])
    if done.returncode:
        return None
    found = json.loads(done.stdout)
    heap, resident, runs = found["heap"], found["rss"], found["history"]
    if runs["heap_runs"] >= FEWEST_RUNS and heap["upper_bytes"] is not None:
        return Remembered(heap["peak_bytes"], heap["upper_bytes"], runs["heap_runs"])
    if runs["rss_runs"] >= FEWEST_RUNS and resident["upper_bytes"] is not None and resident["evidence"] == "history":
        return Remembered(max(0, resident["peak_bytes"] - held), max(0, resident["upper_bytes"] - held),
                          runs["rss_runs"])
    return None
