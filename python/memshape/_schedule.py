# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Orders of the tasks of a graph within a memory: what ``memshape schedule`` prints, as values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Hashable, Mapping, Sequence

from . import _html, _native
from ._graph import graph_of
from ._page import in_python, several
from ._shape import as_bytes, as_integer
from .errors import ArgumentError, DoesNotFit, native



@dataclass(frozen=True)
class Eviction:
    """After the node ``after`` has ended, ``bytes`` of the output of ``id`` are written and leave memory."""

    id: Hashable
    bytes: int
    after: Hashable


@dataclass(frozen=True)
class Mapped:
    """A node runs on the processors from the first to the last, both included, from ``start`` to ``end``."""

    processors: tuple[int, int]
    start: float
    end: float


@dataclass(frozen=True, repr=False)
class Schedule:
    """An order of the tasks of a graph. All sizes are bytes; None where a member does not apply."""

    order: tuple[Hashable, ...]  #: every id once; with several processors sorted by start
    peak_bytes: int  #: that this execution holds
    lower_bound_bytes: int | None  #: of the peak of every sequential order
    optimal: bool | None  #: it is proved that no sequential order holds less
    method: str
    makespan: float | None
    makespan_lower_bound: float | None  #: of every schedule on as many processors
    start: dict[Hashable, float] | None  #: of each node
    processor: dict[Hashable, int] | None  #: of each node
    time: dict[Hashable, float] | None = field(repr=False)  #: of each node: it runs from its start for so long
    evictions: tuple[Eviction, ...] | None  #: in the order in which they happen
    io_bytes: int | None  #: that are written
    worst_parallel_bytes: int | None  #: that any number of processors may come to hold
    worst_parallel_upper_bytes: int | None  #: where that is not known: it is no more than this
    edges: tuple[tuple[Hashable, Hashable], ...] | None = None  #: the first ends before the second begins
    edges_worst_parallel_bytes: int | None = None  #: that no number of processors exceeds where these are kept
    edges_longest_path: float | None = None  #: time: the makespan of enough processors where these are kept
    notes: tuple[str, ...] = ()
    output_bytes: dict[Hashable, int] = field(default_factory=dict, repr=False)  #: of each node: given, or predicted
    work_bytes: dict[Hashable, int] = field(default_factory=dict, repr=False)  #: of each node: given, or predicted
    inputs: dict[Hashable, tuple[Hashable, ...]] = field(default_factory=dict, repr=False)
    memory_bytes: int | None = None  #: that was asked for
    in_place_bytes: dict[Hashable, int] = field(default_factory=dict, repr=False)  #: of an input that its output replaces
    mapping: dict[Hashable, Mapped] | None = None  #: of each node
    peak_bytes_per_processor: int | None = None  #: with a mapping: of the processor that holds most
    peak_bytes_of_each: tuple[int, ...] | None = None  #: processor of the document, if it says any
    end: dict[Hashable, float] | None = None  #: of each node, where processors differ

    def held(self) -> list[int]:
        """Bytes in memory while each node runs, in the order, one node at a time and without evictions."""
        work = {each: size - self.in_place_bytes.get(each, 0) for each, size in self.work_bytes.items()}
        return held_by(self.order, self.inputs, self.output_bytes, work)

    def __str__(self) -> str:
        proof = (", which no order undercuts" if self.optimal else
                 "" if self.lower_bound_bytes is None else f", at least {self.lower_bound_bytes:,} in every order")
        spent = "" if self.io_bytes is None else f", {self.io_bytes:,} bytes written"
        return f"{several(len(self.order), 'task')} hold {self.peak_bytes:,} bytes at most{proof}{spent}: {self.method}"

    def __repr__(self) -> str:
        return f"<memshape.Schedule: {self}>"

    def _repr_html_(self) -> str:
        return _html.schedule(self)


def held_by(order: Sequence[Any], inputs: Mapping[Any, Sequence[Any]], output_bytes: Mapping[Any, int],
            work_bytes: Mapping[Any, int]) -> list[int]:
    """Bytes in memory while each node of the order runs: results that are still to be read or kept, its output and its
    work. An output without consumers stays."""
    left: dict[Any, int] = {}
    for reads in inputs.values():
        for each in reads:
            left[each] = left.get(each, 0) + 1
    held, live = [], 0
    for each in order:
        live += output_bytes[each]
        held.append(live + work_bytes[each])
        for used in inputs[each]:
            left[used] -= 1
            if left[used] == 0:
                live -= output_bytes[used]
    return held


def schedule(graph: Any, memory: int | float | str | None = None, processors: int = 1, objective: str | None = None, *,
             mapping: str | None = None, whole_outputs: bool = False, edges: bool = False, trust: bool = False) -> Schedule:
    """An order of the tasks of a graph.

    :param graph: a dict of schema memshape.graph/1, a file with one, a networkx.DiGraph whose nodes have the attributes
        output_bytes, work_bytes, time, speedup, in_place, or operator, file, shape, settings; or a dict of id to (attributes,
        inputs). An operator may be one of ``memshape.open`` or ``memshape.measured``; bytes are numbers, or as in "10MB".
    :param memory: that no moment may exceed: bytes, or as in "1.5GiB".
    :param objective: "peak": fewest bytes at once; "makespan": shortest time; "io": fewest bytes written where the memory
        does not suffice. Where not given, makespan with several processors, otherwise peak.
    :param mapping: of a tree whose nodes run on several processors each; ``memory`` is then that of each processor.
        "all-to-all": every node on all of them. "proportional": subtrees in proportion to their work. "memory-aware": in
        proportion as long as the memory suffices, otherwise one subtree after the other.
    :param whole_outputs: with "io": an output leaves memory as a whole, not in parts. Which of them is NP-hard to say: the
        best of three rules.
    :param edges: with a memory, and not with "io": edges without data are answered as well. Where a runtime system keeps
        them, every execution stays within the memory, whatever the number of its processors.
    :param trust: operators may be predicted without a sandbox.
    :raises DoesNotFit: where the memory cannot be kept; its ``least_bytes`` would do.
    """
    count, of, usable = as_integer("processors", processors), graph_of(graph), None if memory is None else as_bytes(memory)
    if not 1 <= count <= 10**6:
        raise ArgumentError("processors is a whole number from 1 to 1000000")
    found = native(_native.schedule, of.text, {
        "memory_bytes": usable, "processors": count, "objective": objective, "mapping": mapping, "whole_outputs": whole_outputs, "edges": edges,
        "timed": objective != "io", "folder": of.folder, "trust": trust})
    if "least_memory_bytes" in found:
        least = found["least_memory_bytes"]
        raise DoesNotFit(f"the memory cannot be kept; the least that would do is {least} bytes", least)
    own = of.ids

    def named(each: str) -> Hashable:
        return own.get(each, each)

    def by_id(name: str) -> dict[Hashable, Any] | None:
        return {named(each): value for each, value in found[name].items()} if name in found else None

    def of_nodes(name: str) -> dict[Hashable, Any]:
        return {named(each["id"]): each[name] for each in found["nodes"]}

    figures: dict[str, Any] = {name: found.get(name) for name in (
        "peak_bytes", "lower_bound_bytes", "optimal", "makespan", "makespan_lower_bound", "io_bytes",
        "peak_bytes_per_processor", "worst_parallel_bytes", "worst_parallel_upper_bytes", "edges_worst_parallel_bytes", "edges_longest_path")}
    return Schedule(
        **figures, order=tuple(map(named, found["order"])), method=found["method"], start=by_id("start"), processor=by_id("processor"),
        time=of_nodes("time") if "makespan" in found else None,
        evictions=tuple(Eviction(named(each["id"]), each["bytes"], named(each["after"])) for each in found["evictions"])
        if "evictions" in found else None,
        edges=tuple((named(each["from"]), named(each["to"])) for each in found["edges"]) if "edges" in found else None,
        notes=tuple(map(in_python, found.get("notes", ()))), output_bytes=of_nodes("output_bytes"), work_bytes=of_nodes("work_bytes"),
        mapping={named(each): Mapped(tuple(run["processors"]), run["start"], run["end"]) for each, run in found["mapping"].items()}
        if "mapping" in found else None,
        peak_bytes_of_each=tuple(found["peak_bytes_of_each"]) if "peak_bytes_of_each" in found else None,
        end=by_id("end"), in_place_bytes={each: size for each, size in of_nodes("in_place_bytes").items() if size},
        inputs={named(each): tuple(map(named, of.inputs.get(each, ()))) for each in found["order"]}, memory_bytes=usable)
