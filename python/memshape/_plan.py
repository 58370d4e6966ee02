# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Chooses chunks so that no worker goes beyond its memory: as few, as large, as even tasks as possible."""

from __future__ import annotations

import dataclasses
import html
import json
import math
from dataclasses import dataclass
from typing import Any, Mapping, Sequence

from . import _native
from ._measured import MeasuredOperator
from ._operator import Operator, Prediction
from ._shape import as_bytes, as_integer, checked_shape, show_bytes
from .errors import ArgumentError, DoesNotFit, native

#: What becomes of results, in the order of the C++ interface.
SINKS = ("store", "persist", "gather")
MOST_TASKS = 2**62
#: Begins the note of a plan without an upper bound.
UNBOUNDED = "there is no bound, and the plan rests on what is expected"
#: Of a bound: by how much counted bytes were exceeded in measurements (docs/chunks.md).
SLACK = 64
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
    #: Its shape with halo; lower_bytes, peak_bytes and upper_bytes of the operator's heap; call_bytes, which are the
    #: upper ones with what the caller hands in for results; input_bytes.
    largest_task: dict[str, Any]
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
    source: str = "blocks"  #: who cuts halos out: the engine, from blocks that it keeps, or the task, from "storage"
    gathered_bytes: int = 0  #: beside what it held before, where one worker gathers the result at the end; of the bound

    @property
    def task_bytes(self) -> int:
        """What a worker has to keep free for one task: its call and its input."""
        return int(self.largest_task["call_bytes"] + self.largest_task["input_bytes"])

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
    """What one task of a callable takes."""

    def __init__(self, op: MeasuredOperator, fixed: Mapping[str, int], element_bytes: tuple[float, float],
                 axes: Sequence[str]):
        self._op, self.fixed, self.axes = op, dict(fixed), tuple(axes)
        self.element_bytes = element_bytes
        self.unbounded = bool(op.doubts)  #: some task had no upper bound
        self.formula = None if op.data_decides else op.formula

    def sizes(self, extents: Sequence[int]) -> tuple[int, int]:
        """Bytes of a task's input and of its output."""
        volume = math.prod(extents)
        return math.ceil(self.element_bytes[0] * volume), math.ceil(self.element_bytes[1] * volume)

    def predict(self, extents: Sequence[int]) -> Prediction:
        """A call on these extents."""
        return self._op.predict({**self.fixed, **dict(zip(self.axes, extents))})

    def ask(self, extents: Sequence[int]) -> tuple[int, int]:
        """(upper, expected) bytes that one call requests, its output included."""
        seen = self.predict(extents)
        if seen.upper_bytes is None:
            self.unbounded = True
            return seen.peak_bytes, seen.peak_bytes
        return seen.upper_bytes - seen.one_time_bytes, seen.peak_bytes


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


def _checked_elements(given: tuple[float, float] | None) -> tuple[float, float] | None:
    if given is None:
        return None
    try:
        read, written = (float(each) for each in given)
    except (TypeError, ValueError):
        read = written = -1.0
    if min(read, written) < 0 or not math.isfinite(read + written):
        raise ArgumentError("element_bytes are two numbers: of the input and of the output, per element", "arguments")
    return read, written


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
         source: str | None = None, limit: int | None = None, doubtful: bool = False) -> Plan:
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
    :param source: "blocks", of which the engine keeps a worker's share where tasks have halos, or "storage", where each
        task reads its chunk and the halo; by default blocks, or storage where blocks leave no room.
    :param limit: that utilisation is a share of, where it is not ``memory``: bytes.
    :param doubtful: also for a measured operator with ``doubts``: the plan then rests on what is expected.
    :raises DoesNotFit: where no chunks fit; its ``least_bytes`` would do.
    """
    at = checked_shape(shape, {})
    names = [split] if isinstance(split, str) else list(split)
    _check_symbols(op, at)
    if isinstance(op, MeasuredOperator) and op.doubts and not doubtful:
        raise ArgumentError(f"there is no bound of {op.name} that chunks could rest on: {'; '.join(op.doubts)}. Give an "
                            "operator that was compiled, or measure it with other arguments or ranges; or say "
                            "doubtful=True for a plan that rests on what is expected", "no_bound")
    workers, threads = as_integer("workers", workers), as_integer("threads", threads)
    most = MOST_TASKS if max_tasks is None else as_integer("max_tasks", max_tasks)
    if workers < 1 or threads < 1 or most < 1 or sink not in SINKS or source not in (None, "blocks", "storage"):
        raise ArgumentError("workers, threads and max_tasks are at least 1; sink is store, persist or gather; source is "
                            "blocks or storage", "arguments")
    usable = as_bytes(memory)
    request = _Request(op, at, names, _axes(at, names, halo or {}, align or {}, list(at) if extents is None else
                                            list(extents)), extents is not None, _checked_elements(element_bytes),
                       op.checked_settings(settings or {}) if isinstance(op, Operator) else {},
                       {"limit_bytes": usable, "workers": workers, "threads": threads, "max_tasks": most,
                        "held_bytes": 0 if held in (None, 0) else as_bytes(held or 0, "held")}, limit or usable,
                       None if source is None else source == "storage")
    found, least = request.planned(sink)
    if found is None and sink == "gather":
        # No chunks change what is gathered: the plan is for what can be helped, and says what cannot.
        found, _ = request.planned("persist")
        if found is not None:
            note = (f"the gathered result alone is too much for {usable} bytes on one worker, whatever the chunks are: "
                    "store the blocks, persist and gather block by block, or reduce first")
            found = dataclasses.replace(found, sink="gather", notes=(note, *found.notes))
    if found is None:
        raise DoesNotFit(f"no chunks fit {usable} bytes a worker" +
                         (f": {least} bytes would do" if least else ", nor any other memory"), least)
    return found


@dataclass(frozen=True)
class _Request:
    """What was asked for, checked."""

    op: Operator | MeasuredOperator
    at: dict[str, int]
    split: list[str]
    axes: list[_Axis]
    axes_given: bool
    element_bytes: tuple[float, float] | None
    settings: dict[str, float]
    counts: dict[str, int]
    limit: int
    from_storage: bool | None

    def planned(self, sink: str) -> tuple[Plan | None, int | None]:
        """A plan, or the least memory of a worker that would do."""
        return self._compiled(self.op, sink) if isinstance(self.op, Operator) else self._measured(self.op, sink)

    def _compiled(self, op: Operator, sink: str) -> tuple[Plan | None, int | None]:
        """By Operator::plan of the C++ interface."""
        found = json.loads(native(
            op._of.plan, self.at, self.settings, self.split, {axis.name: axis.halo for axis in self.axes if axis.halo},
            {axis.name: axis.align for axis in self.axes if axis.align > 1},
            [axis.name for axis in self.axes] if self.axes_given else [], self.counts, self.element_bytes,
            SINKS.index(sink), self.from_storage))
        if not found.get("feasible", True):
            return None, found["least_memory_bytes"]
        worker, task = found["worker"], found["largest_task"]
        parts = {name: worker[f"{name}_bytes"] for name in ("held", "operators", "inputs", "blocks", "results")}
        parts["slack"] = -(-(sum(parts.values()) - parts["held"]) // SLACK)
        together = min(self.counts["threads"], found["tasks"])
        chunks = {name: tuple(found["chunks"][name]) for name in self.at if name in found["chunks"]}
        notes = list(found["notes"])
        if found["next_larger"]:
            notes.append(_larger(found["next_larger"]["tasks"], found["next_larger"]["worker_bytes"]))
        largest = {name: task["shape"][name] for name in chunks}
        lower = op.predict({**task["shape"], **self.settings}, formulas=False).lower_bytes
        return self._plan(chunks, found["tasks"], {
            "shape": largest, "lower_bytes": lower, "peak_bytes": task["peak_bytes"], "upper_bytes": task["upper_bytes"],
            "call_bytes": worker["operators_bytes"] // together, "input_bytes": task["input_bytes"]},
            worker["expected_bytes"], worker["upper_bytes"], {**parts, "gathered": worker["gathered_bytes"]}, sink,
            found["limited_by"], notes, found["source"] == "storage"), None

    def _measured(self, op: MeasuredOperator, sink: str) -> tuple[Plan | None, int | None]:
        along = [axis.name for axis in self.axes]
        whole = [axis.extent for axis in self.axes]
        per_element = self.element_bytes
        if per_element is None:
            seen = op.predict(self.at)
            per_element = ((seen.tensors["arguments"] or 0) / math.prod(whole), seen.output_bytes / math.prod(whole))
        tasks = _Tasks(op, {name: self.at[name] for name in self.at if name not in along}, per_element, along)
        whole_in, whole_out = tasks.sizes(whole)
        formula = tasks.formula
        counts = {**self.counts, "one_time_bytes": op.one_time_bytes, "input_bytes": whole_in,
                  "output_bytes": whole_out, "sink": SINKS.index(sink)}
        for stored in (False, True) if self.from_storage is None else (self.from_storage,):
            found, least = _native.plan(
                [(axis.extent, axis.halo, axis.align, axis.split) for axis in self.axes], tasks.ask,
                None if formula is None else formula._of, along,
                {} if formula is None else {name: tasks.fixed.get(name, 0) for name in formula.symbols}, per_element,
                {**counts, "keeps_neighbours": int(not stored)})
            if found is not None:
                break
        if found is None:
            return None, least
        parts = {name: size for name, size in found["upper"].items() if name != "total"}
        notes = [] if not stored or self.from_storage else [
            "each task has to read its chunk and the halo from storage: an engine that cuts halos out of blocks keeps a "
            "worker's share of the input besides, for which there is no room"]
        notes += [f"the operator was measured at {len(op.toys)} toy shapes: its bound is not proven"]
        if found["larger_bytes"] is not None:
            notes.append(_larger(found["larger_tasks"], found["larger_bytes"]))
        upper = None if tasks.unbounded else found["upper"]["total"]
        if upper is None:
            why = "data decides" if op.data_decides else "; ".join(op.doubts)
            notes.insert(0, f"{UNBOUNDED}: {why}")
        return self._plan(dict(zip(along, map(tuple, found["chunks"]))), found["tasks"], {
            "shape": dict(zip(along, found["largest_task"])),
            "lower_bytes": tasks.predict(found["largest_task"]).lower_bytes, "peak_bytes": found["task_expected"],
            "upper_bytes": None if upper is None else found["task_upper"], "call_bytes": found["task_upper"],
            "input_bytes": found["task_input"]}, found["expected"]["total"], upper, parts, sink, found["binding"],
            notes, stored), None

    def _plan(self, chunks: Mapping[str, tuple[int, ...]], tasks: int, largest_task: dict[str, Any], expected: int,
              upper: int | None, parts: dict[str, int], sink: str, why: str, notes: Sequence[str], stored: bool) -> Plan:
        return Plan(operator=self.op.name, shape=self.at, chunks=tuple(chunks.values()), axes=tuple(chunks), tasks=tasks,
                    halo={axis.name: axis.halo for axis in self.axes if axis.halo}, largest_task=largest_task,
                    peak_bytes=expected, upper_bytes=upper, limit_bytes=self.limit,
                    utilisation=(expected if upper is None else upper) / self.limit, workers=self.counts["workers"],
                    threads=self.counts["threads"], held_bytes=self.counts["held_bytes"], sink=sink,
                    parts=most_at_once(parts), why=why, evidence=self.op.evidence, notes=tuple(notes),
                    source="storage" if stored else "blocks", gathered_bytes=parts["gathered"])


def most_at_once(parts: Mapping[str, int]) -> dict[str, int]:
    """The parts while tasks run, or those at the end, when what is gathered stands in the place of all but ``held``:
    whichever are more. Bytes."""
    during = sum(size for name, size in parts.items() if name not in ("held", "gathered"))
    return {name: size if name == "held" or (name == "gathered") == (parts["gathered"] > during) else 0
            for name, size in parts.items()}


def _larger(tasks: int, worker_bytes: int) -> str:
    return f"the next larger chunks ({tasks} tasks) would take {worker_bytes} bytes of a worker"
