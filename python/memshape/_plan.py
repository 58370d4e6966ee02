# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Chooses chunks so that no worker goes beyond its memory: as few, as large, as even tasks as possible."""

from __future__ import annotations

import dataclasses
import html
import json
import math
from dataclasses import dataclass, field
from typing import Any, Mapping, Sequence

from . import _html, _native
from ._measured import MeasuredOperator
from ._operator import Operator
from ._page import a_thing, in_python, several
from ._shape import as_bytes, as_integer, checked_shape, show_bytes
from .errors import ArgumentError, DoesNotFit, native

#: What becomes of results.
SINKS = tuple(_native.sinks)
#: Of a bound: by how much counted bytes were exceeded in measurements (docs/chunks.md).
SLACK = 64
#: A gathered result is held so many times by one worker: expected, and at most with and without a halo.
GATHERED, GATHERED_MOST, GATHERED_MOST_PLAIN = 2.0, 2.35, 2.05

_WHY = {"nothing": "one task holds the whole array", "parallelism": "fewer tasks would leave workers or threads idle",
        "operators": "what the operator itself requests is most of it", "inputs": "inputs of the running tasks are most",
        "blocks": "blocks that wait for neighbours are most", "results": "results that stay on the workers are most",
        "gathered": "the gathered result is most", "held": "what workers hold before their first task is most"}


class Note(str):
    """What a reader has to know beside the numbers: one sentence, and its code."""

    code: str

    def __new__(cls, text: str, code: str = "") -> Note:
        made = super().__new__(cls, text)
        made.code = code
        return made


@dataclass(frozen=True, repr=False)
class Plan:
    """Chunks, and what a worker holds with them. All sizes are bytes; chunks are counts of elements."""

    operator: str
    shape: dict[str, int]
    chunks: tuple[tuple[int, ...], ...]  #: as Dask writes them; axes in the order of the shape
    axes: tuple[str, ...]
    tasks: int
    halo: dict[str, int]
    #: Its shape with halo; lower_bytes, peak_bytes and upper_bytes of the operator's heap; call_bytes, which are the
    #: upper ones with what the caller hands in for results; input_bytes and output_bytes.
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
    notes: tuple[str, ...] = ()  #: each has a code
    source: str = "blocks"  #: who cuts halos out: the engine, from blocks that it keeps, or the task, from "storage"
    gathered_bytes: int = 0  #: beside what it held before, where one worker gathers the result at the end; of the bound
    raw: dict[str, Any] = field(default_factory=dict, repr=False)  #: memshape.plan/1, as it was found

    @property
    def task_bytes(self) -> int:
        """What a worker has to keep free for one task: its call and its input."""
        return int(self.largest_task["call_bytes"] + self.largest_task["input_bytes"])

    def json(self) -> str:
        """memshape.plan/1, as ``memshape plan --json`` has it."""
        task = {name: self.largest_task[name] for name in ("shape", "peak_bytes", "upper_bytes", "input_bytes", "output_bytes")}
        worker = {"limit_bytes": self.limit_bytes, "expected_bytes": self.peak_bytes, "upper_bytes": self.upper_bytes,
                  "threads": self.threads}
        return json.dumps({**self.raw, "operator": self.operator, "shape": self.shape, "largest_task": task,
                           "worker": {**self.raw["worker"], **worker}, "sink": self.sink,
                           "utilisation": self.utilisation, "evidence": self.evidence, "notes": self.notes})

    def __str__(self) -> str:
        grid = " x ".join(str(len(each)) for each in self.chunks)
        largest = " x ".join(str(each) for each in self.largest_task["shape"].values())
        return (f"{several(self.tasks, 'task')} ({grid}), the largest of {largest}; a worker holds "
                f"{show_bytes(self.peak_bytes)}, at most {show_bytes(self.upper_bytes)} of "
                f"{show_bytes(self.limit_bytes)}: {_WHY[self.why]}")

    def __repr__(self) -> str:
        return f"<memshape.Plan {self.operator}: {self}>"

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><th style='text-align:left'>{html.escape(name)}</th><td>{several(len(each), 'chunk')} of "
                       f"{max(each)}</td></tr>" for name, each in zip(self.axes, self.chunks))
        notes = "".join(f"<div><small>{html.escape(each)}</small></div>" for each in self.notes)
        return (f"<b>{html.escape(self.operator)}</b>: {html.escape(str(self))}<table>{rows}</table>"
                f"{_html.chunks(self.chunks)}{_html.bar(self.parts, self.limit_bytes)}{notes}")


def check_operator(op: Any) -> None:
    """Raises ArgumentError for what is no operator."""
    if not isinstance(op, (Operator, MeasuredOperator)):
        raise ArgumentError(f"op is an operator of memshape.open or memshape.measured, not {a_thing(op)}" +
                            (": measure the function first" if callable(op) else ""))


def check_bound(op: Operator | MeasuredOperator, doubtful: bool) -> None:
    """Raises ArgumentError where a measured operator has no bound, and nobody says that chunks may do without."""
    if isinstance(op, MeasuredOperator) and op.doubts and not doubtful:
        raise ArgumentError(f"there is no bound of {op.name} that chunks could rest on: {'; '.join(op.doubts)}. Give an "
                            "operator that was compiled, or measure it with other arguments or ranges; or say "
                            "doubtful=True for a plan that rests on what is expected", "no_bound")


def _checked_elements(given: tuple[float, float] | None) -> tuple[float, float] | None:
    if given is None:
        return None
    try:
        read, written = (float(each) for each in given)
    except (TypeError, ValueError):
        read = written = -1.0
    if min(read, written) < 0 or not math.isfinite(read + written):
        raise ArgumentError("element_bytes are two numbers: of the input and of the output, per element")
    return read, written


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
    check_operator(op)
    check_bound(op, doubtful)
    if extents is not None and not extents:
        raise ArgumentError("no symbol of the shape is an axis of the array")
    usable = as_bytes(memory)
    asked: dict[str, Any] = {
        "workers": as_integer("workers", workers), "threads": as_integer("threads", threads), "source": source,
        "max_tasks": None if max_tasks is None else as_integer("max_tasks", max_tasks),
        "held_bytes": 0 if held in (None, 0) else as_bytes(held or 0, "held")}
    of = _Array(at, [split] if isinstance(split, str) else list(split), checked_shape(halo, {}), checked_shape(align, {}),
                None if extents is None else list(extents), _checked_elements(element_bytes), settings or {})

    def found_for(into: str) -> Plan | int | None:
        request = {name: value for name, value in {**asked, "sink": into}.items() if value is not None}
        found = _compiled(op, of, {**request, "memory_bytes": usable}) if isinstance(op, Operator) else \
            _measured(op, of, {**request, "limit_bytes": usable})
        return _plan(op, of, found, held=asked["held_bytes"], limit=limit or usable) if isinstance(found, dict) else found

    found = found_for(sink)
    if not isinstance(found, Plan) and sink == "gather":
        # No chunks change what is gathered: the plan is for what can be helped, and says what cannot.
        persisted = found_for("persist")
        if isinstance(persisted, Plan):
            note = Note(f"the gathered result alone is too much for {usable} bytes on one worker, whatever the chunks are: "
                        "store the blocks, persist and gather block by block, or reduce first", "gathered")
            return dataclasses.replace(persisted, sink="gather", notes=(note, *persisted.notes))
    if isinstance(found, Plan):
        return found
    raise DoesNotFit(f"no chunks fit {usable} bytes a worker" +
                     (f": {found} bytes would do" if found else ", nor any other memory"), found)


@dataclass(frozen=True)
class _Array:
    """What is split."""

    shape: dict[str, int]
    split: list[str]
    halo: dict[str, int]
    align: dict[str, int]
    extents: list[str] | None
    element_bytes: tuple[float, float] | None
    settings: Mapping[str, float]


def _compiled(op: Operator, of: _Array, request: dict[str, Any]) -> dict[str, Any] | int | None:
    """What ``memshape plan`` finds, or the least memory of a worker that would do."""
    read, written = of.element_bytes or (None, None)
    found = native(op._of.plan, {
        **request, "call": {"shape": of.shape, "settings": op.checked_settings(of.settings)}, "split": of.split,
        "halo": of.halo, "align": of.align, "extents": of.extents or [], "input_element_bytes": read,
        "output_element_bytes": written})
    return found if "tasks" in found else found["least_memory_bytes"]


def _measured(op: MeasuredOperator, of: _Array, request: dict[str, Any]) -> dict[str, Any] | int | None:
    """The same for a callable: its formula is extrapolated, or its law."""
    along = list(of.shape) if of.extents is None else of.extents
    for what, names in (("split", of.split), ("halo", of.halo), ("align", of.align), ("extents", along),
                        ("shape", op.symbols)):
        for name in names:
            if name not in of.shape:
                raise ArgumentError(f"{what}: there is no '{name}' in the shape ({', '.join(of.shape)})")
    seen = op.predict(of.shape)
    whole = math.prod(of.shape[name] for name in along)
    per_element = of.element_bytes or ((seen.tensors["arguments"] or 0) / max(whole, 1), seen.output_bytes / max(whole, 1))
    fixed = {name: value for name, value in of.shape.items() if name not in along}
    formula = None if op.data_decides or op.beyond else op.formula
    unbounded = bool(op.doubts)

    def ask(extents: Sequence[int]) -> tuple[int, int]:
        """(upper, expected) bytes that one call adds to its process, its output included."""
        nonlocal unbounded
        task = op.predict({**fixed, **dict(zip(along, extents))})
        unbounded = unbounded or task.upper_bytes is None
        expected, upper = op.resident(task.peak_bytes, None if task.upper_bytes is None else task.upper_bytes - task.one_time_bytes)
        return expected if upper is None else upper, expected

    axes = [{"name": name, "extent": of.shape[name], "halo": of.halo.get(name, 0), "align": of.align.get(name, 1),
             "split": name in of.split} for name in along]
    whole_in, whole_out = (math.ceil(each * whole) for each in per_element)
    found, least = native(
        _native.plan, {**request, "axes": axes, "one_time_bytes": op.one_time_bytes, "input_bytes": whole_in,
                       "output_bytes": whole_out}, ask, None if formula is None else formula._of,
        {} if formula is None else {name: fixed.get(name, 0) for name in formula.symbols}, per_element)
    if found is None:
        return least
    found["lower_bytes"] = op.predict({**fixed, **found["largest_task"]["shape"]}).lower_bytes
    found["notes"].append({"code": "not_proven", "text": f"the operator was measured at {len(op.toys)} toy shapes: its "
                                                         "bound is not proven"})
    if unbounded:
        why = "data decides" if op.data_decides else "; ".join(op.doubts)
        found["worker"]["upper_bytes"] = found["largest_task"]["upper_bytes"] = None
        found["notes"].insert(0, {"code": "unbounded",
                                  "text": f"there is no bound, and the plan rests on what is expected: {why}"})
    return found


def _plan(op: Operator | MeasuredOperator, of: _Array, found: dict[str, Any], held: int, limit: int) -> Plan:
    worker, task, larger, parts = found["worker"], found["largest_task"], found["next_larger"], found.pop("parts")
    notes = tuple(Note(in_python(each["text"]), each["code"]) for each in found["notes"])
    if larger:
        notes += (Note(f"the next larger chunks ({larger['tasks']} tasks) would take {larger['worker_bytes']} bytes of a "
                       "worker", "next_larger"),)
    chunks = {name: found["chunks"][name] for name in of.shape if name in found["chunks"]}
    task = {**task, "shape": {name: task["shape"][name] for name in chunks}, "lower_bytes": found.pop("lower_bytes"),
            "call_bytes": found.pop("largest_bytes")["upper"]}
    expected, upper = worker["expected_bytes"], worker["upper_bytes"]
    return Plan(operator=op.name, shape=of.shape, chunks=tuple(chunks.values()), axes=tuple(chunks), tasks=found["tasks"],
                halo={name: size for name, size in of.halo.items() if size}, largest_task=task, peak_bytes=expected,
                upper_bytes=upper, limit_bytes=limit, utilisation=(expected if upper is None else upper) / limit,
                workers=found["workers"], threads=worker["threads"], held_bytes=held, sink=found["sink"],
                parts=most_at_once(parts), why=found["limited_by"], evidence=op.evidence, notes=notes,
                source=found["source"], gathered_bytes=parts["gathered"], raw=found)


def most_at_once(parts: Mapping[str, int]) -> dict[str, int]:
    """The parts while tasks run, or those at the end, when what is gathered stands in the place of all but ``held``:
    whichever are more. Bytes."""
    during = sum(size for name, size in parts.items() if name not in ("held", "gathered"))
    return {name: size if name == "held" or (name == "gathered") == (parts["gathered"] > during) else 0
            for name, size in parts.items()}
