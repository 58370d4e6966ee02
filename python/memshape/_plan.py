# ===- _plan.py - Chunks that fit -------------------------------------------=== #
#
# Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------=== #
"""Chooses chunks so that no worker goes beyond its memory: as few, as large, as even tasks as possible."""

from __future__ import annotations

import html
import json
import math
from dataclasses import dataclass, field
from typing import Any, Mapping, Sequence

from . import _native
from ._measured import MeasuredOperator
from ._operator import Operator
from ._shape import as_bytes, as_integer, checked_shape, show_bytes
from .errors import ArgumentError, DoesNotFit, Error

#: What becomes of results, in the order of the C++ interface.
SINKS = ("store", "persist", "gather")
MOST_TASKS = 2**62
#: A gathered result is held so many times by one worker: expected, and at most with and without a halo.
GATHERED, GATHERED_MOST, GATHERED_MOST_PLAIN = 2.0, 2.35, 2.05

_WHY = {"nothing": "one task holds the whole array", "parallelism": "fewer tasks would leave workers or threads idle",
        "operators": "what the operator itself requests is most of it", "inputs": "inputs of the running tasks are most",
        "blocks": "blocks that wait for neighbours are most", "results": "results that stay on the workers are most",
        "gathered": "the gathered result is most", "held": "what workers hold before their first task is most"}


@dataclass(frozen=True)
class Plan:
    """Chunks, and what a worker holds with them. All sizes are bytes; chunks are counts of elements."""

    operator: str
    shape: dict[str, int]
    chunks: tuple[tuple[int, ...], ...]  #: as Dask writes them; axes in the order of the shape
    axes: tuple[str, ...]
    tasks: int
    halo: dict[str, int]
    largest_task: dict[str, Any]  #: shape with halo; lower_, peak_ and upper_bytes of the operator's heap; input_bytes
    peak_bytes: int  #: resident, expected of a worker
    upper_bytes: int | None  #: resident, that a worker does not exceed; None where data decides without a bound
    limit_bytes: int
    utilisation: float  #: upper_bytes (or peak_bytes where there is none) over the limit
    workers: int
    threads: int
    held_bytes: int
    sink: str
    parts: dict[str, int]  #: what one worker holds, by what it is: operators, inputs, blocks, results...; of the bound
    why: str  #: what keeps chunks from being larger, as in "operators"
    evidence: str
    notes: tuple[str, ...] = ()

    @property
    def task_bytes(self) -> int:
        """What a worker has to keep free for one task: its call and its input."""
        upper = self.largest_task["upper_bytes"]
        return (self.largest_task["peak_bytes"] if upper is None else upper) + self.largest_task["input_bytes"]

    def json(self) -> str:
        """memshape.plan/1."""
        return json.dumps({
            "schema": "memshape.plan/1", "operator": self.operator, "shape": self.shape,
            "chunks": dict(zip(self.axes, map(list, self.chunks))), "tasks": self.tasks,
            "largest_task": {name: self.largest_task[name] for name in ("shape", "peak_bytes", "upper_bytes")},
            "worker": {"limit_bytes": self.limit_bytes, "expected_bytes": self.peak_bytes,
                       "upper_bytes": self.upper_bytes, "threads": self.threads},
            "utilisation": self.utilisation, "evidence": self.evidence, "notes": list(self.notes)})

    def __str__(self) -> str:
        grid = " x ".join(str(len(each)) for each in self.chunks)
        largest = " x ".join(str(each) for each in self.largest_task["shape"].values())
        return (f"{self.tasks} task{'s' * (self.tasks != 1)} ({grid}), the largest of {largest}; a worker holds "
                f"{show_bytes(self.peak_bytes)}, at most {show_bytes(self.upper_bytes)} of "
                f"{show_bytes(self.limit_bytes)}: {_WHY[self.why]}")

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><th style='text-align:left'>{html.escape(name)}</th><td>{len(each)} chunks of "
                       f"{max(each)}</td></tr>" for name, each in zip(self.axes, self.chunks))
        notes = "".join(f"<div><small>{html.escape(each)}</small></div>" for each in self.notes)
        return (f"<b>{html.escape(self.operator)}</b>: {html.escape(str(self))}<table>{rows}</table>"
                f"{bar(self.parts, self.limit_bytes)}{notes}")


_COLOURS = {"held": "#9ecae9", "operators": "#4c78a8", "inputs": "#f58518", "blocks": "#e45756", "results": "#72b7b2",
            "copies": "#ff9da6", "slack": "#bab0ac", "gathered": "#b279a2"}


def bar(parts: Mapping[str, int], limit: int, width: int = 400) -> str:
    """What one worker holds, part by part, against its limit (the black line), as SVG."""
    scale = width / max(limit, sum(parts.values()), 1)
    left, drawn = 0.0, []
    for name, size in parts.items():
        if size:
            drawn.append(f"<rect x='{left:.1f}' width='{size * scale:.1f}' height='18' y='4' fill='{_COLOURS[name]}'>"
                         f"<title>{name}: {show_bytes(size)}</title></rect>")
            left += size * scale
    key = " ".join(f"<span style='color:{_COLOURS[name]}'>&#9632;</span> {name} {show_bytes(size)}"
                   for name, size in parts.items() if size)
    return (f"<svg width='{width + 4}' height='26' role='img' aria-label='what one worker holds'>"
            f"<rect width='{width}' height='18' y='4' fill='#eee'/>{''.join(drawn)}"
            f"<line x1='{limit * scale:.1f}' x2='{limit * scale:.1f}' y1='0' y2='26' stroke='black' stroke-width='2'/>"
            f"</svg><div><small>{key}</small></div>")


class _Tasks:
    """What one task takes, asked of an operator."""

    def __init__(self, op: Operator | MeasuredOperator, fixed: Mapping[str, int], settings: Mapping[str, float],
                 element_bytes: tuple[float, float], axes: Sequence[str]):
        self._op, self._fixed, self._settings, self.axes = op, dict(fixed), dict(settings), tuple(axes)
        self.element_bytes = element_bytes
        self.unbounded = False  #: some task had no upper bound
        self.formula: Any = None
        try:
            if isinstance(op, Operator):
                self.formula = None if op.decisions else op.formula_with(**settings)
            elif not op.data_decides:
                self.formula = op.formula
        except Error:
            pass

    @property
    def everywhere(self) -> bool:
        """Beyond its domain nothing but the formula answers for a callable."""
        return isinstance(self._op, MeasuredOperator)

    @property
    def one_time_bytes(self) -> int:
        return self._op.one_time_bytes if isinstance(self._op, MeasuredOperator) else 0

    def sizes(self, extents: Sequence[int]) -> tuple[int, int]:
        """Bytes of a task's input and of its output."""
        volume = math.prod(extents)
        return math.ceil(self.element_bytes[0] * volume), math.ceil(self.element_bytes[1] * volume)

    def ask(self, extents: Sequence[int]) -> tuple[int, int]:
        """(upper, expected) bytes that one call requests, its output included."""
        shape = {**self._fixed, **dict(zip(self.axes, extents))}
        if isinstance(self._op, MeasuredOperator):
            seen = self._op.predict(shape)
            upper = None if seen.upper_bytes is None else seen.upper_bytes - seen.one_time_bytes
            outside = 0
        else:
            seen = self._op.predict(shape, formulas=False, **self._settings)
            upper = None if seen.upper_bytes is None else seen.upper_bytes + seen.one_time_bytes
            # An output that the caller hands in is no part of the heap, but the worker holds it.
            outside = 0 if seen.output_bytes else self.sizes(extents)[1]
        if upper is None:
            self.unbounded = True
            upper = seen.peak_bytes
        return upper + outside, seen.peak_bytes + outside

    def lower(self, extents: Sequence[int]) -> int:
        """Bytes that one call requests at least."""
        shape = {**self._fixed, **dict(zip(self.axes, extents))}
        if isinstance(self._op, MeasuredOperator):
            return self._op.predict(shape).lower_bytes
        return self._op.predict(shape, formulas=False, **self._settings).lower_bytes

    def adds_output(self, extents: Sequence[int]) -> bool:
        """Whether the formula leaves the output out."""
        if self.formula is None or isinstance(self._op, MeasuredOperator):
            return False
        shape = {**self._fixed, **dict(zip(self.axes, extents))}
        return self._op.predict(shape, formulas=False, **self._settings).output_bytes == 0


@dataclass(frozen=True)
class _Axis:
    name: str
    extent: int
    halo: int
    align: int
    split: bool


def _axes(shape: Mapping[str, int], split: Sequence[str], halo: Mapping[str, int], align: Mapping[str, int],
          extents: Sequence[str]) -> list[_Axis]:
    for what, names in (("split", split), ("halo", halo), ("align", align), ("extents", extents)):
        for name in names:
            if name not in shape:
                raise ArgumentError(f"{what}: there is no '{name}' in the shape ({', '.join(shape)})", "arguments")
    found = []
    for name in extents:
        around, aligned = as_integer(name, halo.get(name, 0)), as_integer(name, align.get(name, 1))
        if shape[name] <= 0:
            raise ArgumentError(f"'{name}' has no elements: there is nothing to split", "arguments")
        if around < 0 or aligned < 1:
            raise ArgumentError(f"the halo of '{name}' is negative, or its alignment below 1", "arguments")
        if around > shape[name]:
            raise ArgumentError(f"the halo of '{name}' ({around}) is longer than the axis ({shape[name]})", "arguments")
        found.append(_Axis(name, shape[name], around, aligned, name in split))
    if not found:
        raise ArgumentError("no symbol of the shape is an axis of the array", "arguments")
    return found


def _element_bytes(op: Operator | MeasuredOperator, shape: Mapping[str, int], volume: int,
                   given: tuple[float, float] | None) -> tuple[tuple[float, float], list[str]]:
    if given is not None:
        try:
            read, written = (float(each) for each in given)
        except (TypeError, ValueError):
            read = written = -1.0
        if min(read, written) < 0 or not math.isfinite(read + written):
            raise ArgumentError("element_bytes are two numbers: of the input and of the output, per element",
                                "arguments")
        return (read, written), []
    if isinstance(op, MeasuredOperator):
        seen = op.predict(shape)
        return ((seen.tensors["arguments"] or 0) / volume, seen.output_bytes / volume), []
    return (4.0, 4.0), ["input and output are taken for 4 bytes an element: say element_bytes=(IN, OUT) otherwise"]


def _check_symbols(op: Operator | MeasuredOperator, at: Mapping[str, int]) -> None:
    unknown = [name for name in at if name not in op.symbols]
    missing = [name for name in op.symbols if name not in at]
    if unknown or missing:
        raise ArgumentError(f"{op.name} has the symbols {', '.join(op.symbols)}: " +
                            (f"there is no '{unknown[0]}'" if unknown else f"'{missing[0]}' is missing"), "arguments")


def plan(op: Operator | MeasuredOperator, shape: Mapping[str, int], split: Sequence[str], *,
         halo: Mapping[str, int] | None = None, memory: int | float | str, workers: int = 1, threads: int = 1,
         held: int | float | str | None = None, align: Mapping[str, int] | None = None,
         element_bytes: tuple[float, float] | None = None, settings: Mapping[str, float] | None = None,
         max_tasks: int | None = None, sink: str = "gather", extents: Sequence[str] | None = None,
         limit: int | None = None) -> Plan:
    """Chunks for an operator over an array.

    :param shape: every shape symbol of the operator, in the order of the array's axes: counts of elements.
    :param split: symbols that may be split.
    :param halo: what a task reads beyond its chunk on each side, cut off at the array's faces: counts of elements.
    :param memory: what one worker may hold: bytes, or as in "1.5GiB".
    :param held: what a worker holds before its first task: bytes.
    :param align: chunks begin at multiples of it, as where an array is stored in blocks: counts of elements.
    :param element_bytes: of the input and of the output, per element.
    :param sink: "gather" (``.compute()``), "persist", or "store" (blocks leave as they come).
    :param extents: symbols that are axes of the array; all of the shape by default.
    :param limit: that utilisation is a share of, where it is not ``memory``: bytes.
    :raises DoesNotFit: where no chunks fit; its ``least_bytes`` would do.
    """
    at = checked_shape(shape, {})
    names = [split] if isinstance(split, str) else list(split)
    _check_symbols(op, at)
    workers, threads = as_integer("workers", workers), as_integer("threads", threads)
    most = MOST_TASKS if max_tasks is None else as_integer("max_tasks", max_tasks)
    if workers < 1 or threads < 1 or most < 1 or sink not in SINKS:
        raise ArgumentError("workers, threads and max_tasks are at least 1; sink is store, persist or gather",
                            "arguments")
    usable = as_bytes(memory)
    along = list(at) if extents is None else list(extents)
    axes = _axes(at, names, halo or {}, align or {}, along)
    volume = math.prod(axis.extent for axis in axes)
    per_element, notes = _element_bytes(op, at, volume, element_bytes)
    tasks = _Tasks(op, {name: at[name] for name in at if name not in along}, settings or {}, per_element, along)
    whole_in, whole_out = tasks.sizes([axis.extent for axis in axes])
    circumstances = {"limit_bytes": usable, "workers": workers, "threads": threads,
                     "held_bytes": 0 if held in (None, 0) else as_bytes(held, "held"),
                     "one_time_bytes": tasks.one_time_bytes, "input_bytes": whole_in, "output_bytes": whole_out,
                     "max_tasks": most, "keeps_neighbours": 1, "everywhere": int(tasks.everywhere)}
    found, least = _search(axes, tasks, {**circumstances, "sink": SINKS.index(sink)})
    if found is None and sink == "gather":
        # No chunks change what is gathered: the plan is for what can be helped, and says what cannot.
        kept, _ = _search(axes, tasks, {**circumstances, "sink": SINKS.index("persist")})
        if kept is not None:
            found = kept
            factor = GATHERED_MOST if any(axis.halo for axis in axes) else GATHERED_MOST_PLAIN
            notes.append(f"the gathered result alone holds {round(GATHERED * whole_out)} to "
                         f"{math.ceil(factor * whole_out)} bytes on one worker besides what it held, too much for "
                         f"{usable}, whatever the chunks are: store the blocks, persist and gather block by block, or "
                         "reduce first")
    if found is None:
        raise DoesNotFit(f"no chunks fit {usable} bytes a worker" +
                         (f": {least} bytes would do" if least else ", nor any other memory"), least)
    return _made(op, at, axes, tasks, found, circumstances, sink, limit or usable, notes)


def _search(axes: Sequence[_Axis], tasks: _Tasks, circumstances: dict[str, int]) -> tuple[dict[str, Any] | None,
                                                                                        int | None]:
    extents = [axis.extent for axis in axes]
    formula = None if tasks.formula is None else tasks.formula
    fixed = {} if formula is None else {name: tasks._fixed.get(name, 0) for name in formula.symbols}
    found, least = _native.plan(
        [(axis.extent, axis.halo, axis.align, axis.split) for axis in axes], tasks.ask,
        None if formula is None else formula._of, list(tasks.axes), fixed, tasks.element_bytes,
        tasks.adds_output(extents), circumstances)
    if found is not None and formula is not None and not tasks.everywhere:
        # A formula is confirmed at many shapes, the skeleton answers for this one.
        upper, _ = tasks.ask(found["largest_task"])
        if upper > found["task_upper"]:
            tasks.formula = None
            return _search(axes, tasks, circumstances)
    return found, least


def _made(op: Operator | MeasuredOperator, at: dict[str, int], axes: Sequence[_Axis], tasks: _Tasks,
          found: dict[str, Any], circumstances: Mapping[str, int], sink: str, limit: int, notes: list[str]) -> Plan:
    upper = None if tasks.unbounded else found["upper"]["total"]
    expected = found["expected"]["total"]
    if upper is None:
        notes.append("data decides without a bound: the plan rests on what is expected")
    if isinstance(op, MeasuredOperator):
        notes.append(f"the operator was measured at {len(op.toys)} toy shapes: its bound is not proven")
    if found["larger_bytes"] is not None:
        notes.append(f"the next larger chunks ({found['larger_tasks']} tasks) would take "
                     f"{found['larger_bytes']} bytes of a worker")
    parts = {name: size for name, size in found["upper"].items() if name != "total"}
    if parts["held"] + parts["gathered"] == found["upper"]["total"]:
        parts = {name: size if name in ("held", "gathered") else 0 for name, size in parts.items()}
    else:
        parts["gathered"] = 0
    return Plan(operator=op.name, shape=at, chunks=tuple(tuple(each) for each in found["chunks"]),
                axes=tuple(axis.name for axis in axes), tasks=found["tasks"],
                halo={axis.name: axis.halo for axis in axes if axis.halo},
                largest_task={"shape": dict(zip([axis.name for axis in axes], found["largest_task"])),
                              "lower_bytes": tasks.lower(found["largest_task"]), "peak_bytes": found["task_expected"],
                              "upper_bytes": None if tasks.unbounded else found["task_upper"],
                              "input_bytes": found["task_input"]},
                peak_bytes=expected, upper_bytes=upper, limit_bytes=limit,
                utilisation=(expected if upper is None else upper) / limit, workers=circumstances["workers"],
                threads=circumstances["threads"], held_bytes=circumstances["held_bytes"], sink=sink, parts=parts,
                why=found["binding"], evidence=op.evidence, notes=tuple(notes))
