# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators that were compiled with ``-fplugin=memshape``."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Iterator, Mapping, Sequence

from . import _html, _native, _page
from ._formula import Formula
from ._largest import Frontier, Largest, solved
from ._shape import as_bytes, checked_shape, held_of
from .errors import ArgumentError, Error, OperatorError, native


@dataclass(frozen=True)
class Site:
    """An allocation site. ``bytes_at_peak`` is 0 in the list of an operator, which is at no shape."""

    file: str
    line: int
    function: str
    space: str = "host"
    bytes_at_peak: int = 0
    formula: str = ""


@dataclass(frozen=True)
class Decision:
    """A branch or a size that data decides, and that matters to memory."""

    id: int
    file: str
    line: int
    condition: str
    effect: str
    name: str = ""
    is_size: bool = False


@dataclass(frozen=True, repr=False)
class Prediction:
    """The memory of one call before it runs. All sizes are bytes."""

    operator: str
    shape: dict[str, int]
    settings: dict[str, float]
    peak_bytes: int  #: what is expected to live at most between entry and return; the peak where ``exact``
    lower_bytes: int  #: of the peak
    upper_bytes: int | None  #: of the peak; None where no bound exists
    exact: bool  #: the source proves the peak
    total_bytes: int  #: requested over the whole call
    allocations: int
    output_bytes: int  #: live at the return
    one_time_bytes: int  #: that only a first call in a process adds
    rss_bytes: int | None  #: resident bytes that are expected
    rss_upper_bytes: int | None  #: resident bytes that are not exceeded with ``confidence``
    confidence: float | None
    formula: str | None  #: text of the formula at this shape
    evidence: str  #: "skeleton", or "measured" for Python callables
    sites: tuple[Site, ...] = ()
    decisions: tuple[Decision, ...] = ()
    notes: tuple[str, ...] = ()
    tensors: dict[str, int | None] = field(default_factory=dict)  #: bytes of the caller's arguments
    output_shape: dict[str, int] = field(default_factory=dict)  #: extents of what is returned: {"result.rows": 100}
    raw: dict[str, Any] = field(default_factory=dict)  #: memshape.prediction/1
    page: str = ""  #: what ``memshape predict`` prints, in words of Python

    def __str__(self) -> str:
        return self.page or _page.prediction(self)

    def __repr__(self) -> str:
        bound = "exact" if self.exact else f"at most {self.upper_bytes}" if self.upper_bytes is not None else "no upper bound"
        return f"<memshape.Prediction {self.operator} at {_page.at({**self.shape, **self.settings})}: {self.peak_bytes} bytes, {bound}>"

    def _repr_html_(self) -> str:
        return _html.prediction(self)


def _prediction(document: dict[str, Any], page: str) -> Prediction:
    heap, resident = document["heap"], document.get("rss") or {}
    formula = document.get("formula") or {}
    return Prediction(
        operator=document["operator"], shape=document.get("shape", {}), settings=document.get("settings", {}),
        peak_bytes=heap["peak_bytes"], lower_bytes=heap["lower_bytes"], upper_bytes=heap["upper_bytes"],
        exact=heap["exact"], total_bytes=heap["total_bytes"], allocations=heap["allocations"],
        output_bytes=heap["output_bytes"], one_time_bytes=heap.get("one_time_bytes", 0),
        rss_bytes=resident.get("peak_bytes"), rss_upper_bytes=resident.get("upper_bytes"),
        confidence=resident.get("confidence"), formula=formula.get("peak"), evidence=document["evidence"],
        sites=tuple(Site(each.get("file", ""), each.get("line", 0), each.get("function", ""), each.get("space", "host"),
                         each.get("bytes_at_peak", 0), each.get("formula") or "") for each in document.get("sites", [])),
        decisions=tuple(Decision(each.get("id", number), each.get("file", ""), each.get("line", 0),
                                 each.get("condition", ""), each.get("effect", ""), each.get("symbol", ""),
                                 each.get("kind") == "value")
                        for number, each in enumerate(document.get("decisions", []))),
        notes=tuple(_page.in_python(each["text"] if isinstance(each, dict) else each) for each in document.get("notes", [])),
        tensors={each["name"]: each.get("bytes") for each in document.get("tensors", [])},
        output_shape=document.get("output_shape", {}), raw=document, page=_page.in_python(page.rstrip("\n")))


class Operator:
    """A function whose memory is described in terms of its shape; from ``memshape.open(file)[name]``."""

    evidence = "skeleton"

    def __init__(self, of: _native.Operator, file: str, with_files: Sequence[str] = ()):
        self._of = of
        self.file = file  #: the file that it was read from
        self.with_files = tuple(with_files)
        self._formulas: dict[tuple[tuple[str, float], ...], Formula] = {}

    @property
    def name(self) -> str:
        """As the source has it: ``"imaging::smooth"``."""
        return self._of.name

    @property
    def symbols(self) -> tuple[str, ...]:
        """Names of the shape symbols, in the order of the parameters. Their values are counts of elements."""
        return tuple(self._of.symbols)

    @property
    def settings(self) -> tuple[str, ...]:
        """Names of the floating-point and bool parameters."""
        return tuple(self._of.settings)

    @property
    def tensors(self) -> tuple[str, ...]:
        """Names of the arguments that the caller hands in; their bytes are the caller's."""
        return tuple(self._of.tensors)

    @property
    def sites(self) -> tuple[Site, ...]:
        """All allocation sites."""
        return tuple(Site(*place, space) for place, space in self._of.sites)

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """Branches and sizes that data decides; empty for an operator whose memory follows from its shape alone."""
        return tuple(Decision(number, file, line, condition, effect, name, is_size)
                     for number, (file, line, _), is_size, name, condition, effect in self._of.decisions)

    @property
    def formula(self) -> Formula | None:
        """Bytes at the peak, callable with a shape; None where there is no closed form, or where settings are needed:
        see ``formula_with``."""
        try:
            return self.formula_with()
        except Error:
            return None

    def formula_with(self, **settings: float) -> Formula:
        """The formula of the peak, in bytes, with every setting given. Raises Error where there is none."""
        at = tuple(sorted(self.checked_settings(settings).items()))
        found = self._formulas.get(at)
        if found is None:
            found = self._formulas[at] = Formula(native(self._of.formula, dict(at)))
        return found

    def predict(self, shape: Mapping[str, float] | None = None, /, *, assume: Mapping[str, int] | None = None,
                threads: int = 0, held: int | float | str | None = None, held_bytes: int | None = None, confidence: float = 0.99, store: str = "",
                formulas: bool = True, **values: float) -> Prediction:
        """The memory of one call.

        ``values`` are the shape symbols (counts of elements) and settings; symbols whose names are no Python names go
        into ``shape``: ``predict({"in.size": 1000})``. ``assume`` answers decisions by number, name or place;
        ``held`` is what the process holds besides, in bytes or as in "180MB" (``held_bytes`` is another name of it);
        ``confidence`` that of the resident bound. Raises
        ArgumentError where a value is missing, unknown or negative.
        """
        call = self._call(shape, values, assume=dict(assume or {}), threads=threads, held_bytes=held_of(held, held_bytes),
                          confidence=confidence, store=store, formulas=formulas)
        document, page = native(self._of.predict, call)
        return _prediction(json.loads(document), page)

    def largest(self, symbol: str | Sequence[str], shape: Mapping[str, float] | None = None, /, *, memory: int | float | str,
                heap: bool = False, held: int | float | str | None = None, threads: int = 0, confidence: float = 0.99,
                store: str = "", **values: float) -> Largest | Frontier:
        """The greatest value of a symbol such that it and all smaller ones stay within a memory; an int.

        ``memory`` is in bytes, or as in "8GiB", for the process, or with ``heap`` for what the call requests; ``values``
        are the other shape symbols and settings, ``held`` what the process holds besides. ``symbol`` may be "threads", or
        a pair of symbols: then the answer is a table of values of the first with the greatest of the second. Raises
        DoesNotFit where not even the least value fits.
        """
        call = self._call(shape, values, threads=threads, held_bytes=held_of(held, None), confidence=confidence, store=store)
        names = [symbol] if isinstance(symbol, str) else list(symbol)
        return solved(native(self._of.solve, {"call": call, "symbols": names, "memory_bytes": as_bytes(memory),
                                              "what": "heap" if heap else "resident"}))

    def advise(self, shape: Mapping[str, float] | None = None, /, *, chunks: Mapping[str, int] | None = None, most: int = 5,
               threads: int = 0, **values: float) -> dict[str, Any]:
        """What the peak would be if one line were changed, ranked at a shape; memshape.advice/1 of docs/commands.md.

        ``values`` are the shape symbols and settings, as in predict. ``chunks`` are extents that may be held in parts, and how
        much of each at a time; ``most`` is the greatest number of pieces of advice.
        """
        return native(self._of.advise, {"call": self._call(shape, values, threads=threads), "chunks": dict(chunks or {}),
                                        "most": most})

    def emit(self, language: str = "c", *, threads: int = 0, **settings: float) -> str:
        """The memory as code that needs nothing of memshape: a header in C, or with "python" a module."""
        return native(self._of.emit, {"settings": self.checked_settings(settings), "threads": threads}, language)

    def _call(self, shape: Mapping[str, float] | None, values: Mapping[str, float], **further: Any) -> dict[str, Any]:
        """What is asked of the C++ interface: shape symbols and settings, told apart by their names, and the rest."""
        known = set(self.settings)
        given: dict[str, Any] = {**(shape or {}), **values}
        return {"shape": checked_shape({name: value for name, value in given.items() if name not in known}, {}),
                "settings": self.checked_settings({name: value for name, value in given.items() if name in known}), **further}

    def checked_settings(self, given: Mapping[str, float]) -> dict[str, float]:
        """Settings as numbers. Raises ArgumentError for what is none."""
        try:
            return {name: float(value) for name, value in given.items()}
        except (TypeError, ValueError):
            raise ArgumentError(f"settings are numbers, not {dict(given)!r}") from None

    def __repr__(self) -> str:
        return f"<memshape.Operator {self.name}({', '.join(self.symbols + self.settings)})>"

    def _repr_html_(self) -> str:
        return _html.operator(self)


class Program(Mapping[str, Operator]):
    """The operators of a file, by name: ``memshape.open("libfilters.so")["gst3d"]``."""

    def __init__(self, of: _native.Program, file: str, with_files: Sequence[str] = ()):
        self._of = of
        self.file = file
        self._with = tuple(with_files)

    def __getitem__(self, name: str) -> Operator:
        if not isinstance(name, str):
            raise OperatorError(f"operators are known by their names, not by {name!r}", "operator_name")
        return Operator(native(self._of.find, name), self.file, self._with)

    def __contains__(self, name: object) -> bool:
        try:
            return isinstance(name, str) and bool(self[name])
        except OperatorError:
            return False

    def __iter__(self) -> Iterator[str]:
        return iter([each.name for each in self._of.operators])

    def __len__(self) -> int:
        return len(self._of.operators)

    def __repr__(self) -> str:
        return f"<memshape.Program {self.file}: {', '.join(self)}>"


def open(file: str | os.PathLike[str], *, with_files: Sequence[str | os.PathLike[str]] = (),
         libraries: Sequence[str] = (), summaries: Sequence[str | os.PathLike[str]] = (),
         machine: Mapping[str, int] | None = None, trust: bool = False) -> Program:
    """Opens an object file, an archive, a shared library or an executable that was compiled with memshape.

    Nothing in it is executed. ``with_files`` have functions that the first one calls; ``machine`` describes another
    machine (``l2``, ``l3``... in bytes). Raises FileError where the file cannot be read.
    """
    path = os.fspath(file)
    further = [os.fspath(each) for each in with_files]
    return Program(native(_native.open, path, further, list(libraries), [os.fspath(each) for each in summaries],
                          dict(machine or {}), trust), str(Path(path)), further)
