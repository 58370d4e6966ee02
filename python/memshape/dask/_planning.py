# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Chunks of an array for the workers of a running cluster."""

from __future__ import annotations

import dataclasses
import math
from typing import Any, Callable, Mapping, Sequence, Union

import numpy

from .. import _history, _plan
from .._measured import MeasuredOperator
from .._operator import Operator
from .._page import a_thing
from .._plan import Plan
from .._shape import as_bytes, as_integer
from ..errors import ArgumentError
from ._cluster import Cluster, cluster_of
from ._learning import learn_before, with_history


#: A count for all axes, or one for each, or some by the names or numbers of axes; counts are pairs for two sides.
Halo = Union[int, Sequence[Any], Mapping[Any, Any], None]


def shape_of(array: Any, axes: Sequence[str], fixed: Mapping[str, int] | None) -> dict[str, int]:
    """The extents of an array by the names of its axes, with further symbols. Counts of elements."""
    if fixed is not None and not isinstance(fixed, Mapping):
        raise ArgumentError(f"fixed is a dict of symbols that are no axes: {fixed!r}")
    extents = getattr(array, "shape", None)
    if extents is None or getattr(array, "dtype", None) is None:
        raise ArgumentError(f"an array with a shape and a dtype is needed, not {a_thing(array)}")
    if isinstance(axes, str) or len(axes) != len(extents) or len(set(axes)) != len(axes):
        raise ArgumentError(f"axes names the {len(extents)} axes of the array, one each: {axes!r}")
    if numpy.dtype(array.dtype).hasobject:
        raise ArgumentError("the array holds Python objects, whose bytes no dtype tells")
    for name, extent in zip(axes, extents):
        if isinstance(extent, float) and math.isnan(extent):
            raise ArgumentError(f"the extent of '{name}' is not known (nan): call array.compute_chunk_sizes() first")
    return {**dict(zip(axes, map(int, extents))), **(fixed or {})}


def halo_of(given: Halo, axes: Sequence[str], shape: Mapping[str, int]) -> dict[str, int]:
    """Counts of elements by the names of axes. ``given`` is a count, one for each axis, or some by name or number; a pair
    of counts is what is read on either side, of which the larger one counts."""
    if given is None:
        return {}
    if isinstance(given, Mapping):
        by_axis = dict(given)
    elif isinstance(given, (tuple, list)):
        if len(given) != len(axes):
            raise ArgumentError(f"the halo is a count for each of the axes {', '.join(axes)}, or for all: {given!r}")
        by_axis = dict(enumerate(given))
    else:
        by_axis = dict.fromkeys(axes, given)
    found = {}
    for key, around in by_axis.items():
        name = axes[key] if isinstance(key, int) and -len(axes) <= key < len(axes) else key
        if name not in axes:
            raise ArgumentError(f"halo: '{name}' is none of the axes {', '.join(axes)}")
        sides = [as_integer(f"halo of {name}", each) for each in (around if isinstance(around, (tuple, list)) else (around,))]
        if not 1 <= len(sides) <= 2 or min(sides) < 0:
            raise ArgumentError(f"the halo of '{name}' is " + ("negative" if sides and min(sides) < 0 else "no count") +
                                f": {around}")
        if max(sides) > shape[name]:
            raise ArgumentError(f"the halo of '{name}' ({max(sides)}) is longer than the axis ({shape[name]})")
        found[name] = max(sides)
    return found


def smallest_call(op: Operator | MeasuredOperator) -> Callable[[], None] | None:
    """Of a measured operator, the call at the smallest of its toys; of a compiled one it is not known what is safe."""
    return op.smallest_call() if isinstance(op, MeasuredOperator) else None


def history_of(op: Operator | MeasuredOperator, array: Any, *further: str) -> str:
    """The name under which runs of an operator are kept: for a callable, one for each version and type."""
    return op.name if isinstance(op, Operator) else _history.known_as(op.function or op.name, array.dtype, *further)


def _blocks_of(array: Any) -> tuple[int, ...] | None:
    """The longest block along each axis of an array that is stored, or read, in blocks."""
    chunks = getattr(array, "chunks", None)
    if not chunks:
        return None
    return tuple(max(each) if isinstance(each, tuple) else int(each) for each in chunks)


def align_of(given: Mapping[str, int] | str | None, array: Any, axes: Sequence[str]) -> dict[str, int] | None:
    """Multiples at which chunks begin, by the names of axes."""
    if given is None:
        return None
    if given == "blocks":
        blocks = _blocks_of(array)
        if blocks is None:
            raise ArgumentError("align='blocks' needs an array that is stored in blocks")
        return dict(zip(axes, blocks))
    if not isinstance(given, Mapping):
        raise ArgumentError(f"align is a dict of counts by axis, or 'blocks': {given!r}")
    return {name: as_integer(f"align of {name}", each) for name, each in given.items()}


def plan_on(cluster: Cluster, op: Operator | MeasuredOperator, array: Any, axes: Sequence[str], *,
            halo: Mapping[str, int] | None, split: Sequence[str] | None, settings: Mapping[str, float] | None,
            fixed: Mapping[str, int] | None, align: Mapping[str, int] | str | None, sink: str,
            element_bytes: tuple[float, float], max_tasks: int | None, source: str, store: str | None, doubtful: bool,
            history: str = "") -> Plan:
    """The plan for a cluster that was read. ``element_bytes`` are those of what is cut and of the result."""
    cluster.check_pause()
    shape = shape_of(array, axes, fixed)
    if isinstance(op, MeasuredOperator) and cluster.has_called:
        op = op.once_called()
    blocks = _blocks_of(array)
    item = numpy.dtype(array.dtype).itemsize
    given: dict[str, Any] = {
        "halo": halo, "workers": cluster.workers, "threads": cluster.threads,
        "align": align_of(align, array, axes), "element_bytes": element_bytes, "settings": settings,
        "max_tasks": max_tasks, "sink": sink, "extents": tuple(axes), "limit": cluster.limit_bytes,
        "source": source, "doubtful": doubtful}
    ordered = {name: shape[name] for name in op.symbols if name in shape}
    ordered.update({name: value for name, value in shape.items() if name not in ordered})
    along = tuple(axes) if split is None else tuple(split)

    def planned(held: int) -> Plan:
        def made(memory: int) -> Plan:
            return _plan.plan(op, ordered, along, held=held, memory=memory, **given)

        if store is None:
            return made(cluster.usable_bytes)
        return with_history(made, cluster.usable_bytes, history or history_of(op, array), settings or {}, fixed or {},
                            store)

    found = planned(cluster.held_bytes)
    notes = list(cluster.notes)
    if isinstance(op, Operator):
        notes.append("what the function of a task imports when it is first called is in no bound")
    if hasattr(array, "dask") and array.chunks != found.chunks:
        # The collection's own blocks are cut, or brought together: one for each thread is held besides.
        block = math.prod(blocks or ()) * item
        found = planned(cluster.held_bytes + cluster.threads * block)
        if array.chunks != found.chunks:
            notes.append(f"blocks of {block} bytes are rechunked first: create the array with chunks={found.chunks} "
                         "where you can")
    return dataclasses.replace(found, notes=tuple(notes) + found.notes)


def plan(op: Operator | MeasuredOperator, array: Any, axes: Sequence[str], halo: Halo = None,
         client: Any = None, *, split: Sequence[str] | None = None, settings: Mapping[str, float] | None = None,
         fixed: Mapping[str, int] | None = None, align: Mapping[str, int] | str | None = None, sink: str = "gather",
         dtype: Any = None, max_tasks: int | None = None, memory: int | float | str | None = None,
         workers: int | None = None, source: str = "blocks", held: int = 0, store: str | None = "", doubtful: bool = False) -> Plan:
    """Chunks of an array for an operator on the workers of a running cluster.

    :param array: anything with a shape and a dtype: a Dask, NumPy or Zarr array.
    :param axes: the shape symbol that each axis of the array is.
    :param halo: what a task reads beyond its chunk on each side: a count of elements for all axes, or one for each, or
        some by axis.
    :param client: of the cluster whose limits, threads and resident bytes count; the default client otherwise.
    :param split: axes that may be cut; all by default.
    :param fixed: symbols that are no axes of the array.
    :param align: chunks begin at multiples of it; ``"blocks"``: of the array's own blocks.
    :param sink: what becomes of the result: "gather" (``.compute()``), "persist", or "store".
    :param dtype: of the result; the array's by default.
    :param memory: of a worker, no more than its own limit: bytes, or as in "1.5GiB".
    :param workers: to plan for, where not all of them are there yet, as on an adaptive cluster.
    :param source: "blocks" where Dask cuts halos out of blocks that workers keep, as da.map_overlap does; "storage" where
        tasks read them, as memshape.dask.map_overlap does where the array is no collection and not in memory.
    :param held: bytes that a worker will hold besides, beyond what it holds now: a file that one task loads as a whole.
    :param store: of past runs, which sharpen the bound where it is not exact: a file, the user's own where empty, or None
        for none. What ran on the cluster since the last plan is kept there first.
    :param doubtful: also for a measured operator with ``doubts``: the plan then rests on what is expected.
    :raises DoesNotFit: where no chunks fit; its ``least_bytes`` would do.
    """
    _plan.check_operator(op)
    around = halo_of(halo, axes, shape_of(array, axes, fixed))
    if held < 0:
        raise ArgumentError(f"held is a number of bytes, 0 or more: {held}")
    if store is not None:
        learn_before(client, store)
    cluster = cluster_of(client, (None, smallest_call(op)), None if memory is None else as_bytes(memory), workers)
    cluster = dataclasses.replace(cluster, held_bytes=cluster.held_bytes + held,
                                      least_held_bytes=cluster.least_held_bytes + held)
    sizes = numpy.dtype(array.dtype).itemsize, numpy.dtype(dtype or array.dtype).itemsize
    return plan_on(cluster, op, array, axes, halo=around, split=split, settings=settings, fixed=fixed, align=align,
                   sink=sink, element_bytes=sizes, max_tasks=max_tasks, source=source, store=store, doubtful=doubtful)
