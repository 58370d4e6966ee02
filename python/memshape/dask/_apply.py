# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lazy arrays: chunked by a plan, annotated with the bytes that their tasks take, and measured while they run."""

from __future__ import annotations

import functools
from typing import Any, Callable, Mapping, Sequence

import dask
import dask.array
import numpy

from .. import _native
from .._measured import MeasuredOperator
from .._operator import Operator
from .._plan import Plan
from .._shape import as_bytes, as_integer
from ..errors import ArgumentError
from . import _peaks
from ._cluster import a_client, cluster_of
from ._gate import gate
from ._learning import learn_before
from ._planning import history_of, operator_for, plan_on, shape_of, smallest_call
from ._reading import is_stored, source_for, with_halo


#: Dask's own functions have no types.
_dask: Any = dask
da: Any = dask.array
#: Plans by the names of the layers that were made by them, the oldest first.
_plans: dict[str, Plan] = {}
MOST_PLANS = 1000


def planned(collection: Any) -> list[Plan]:
    """The plans of the operators of a collection, in the order in which they run."""
    graph = collection.dask
    names = graph.layers if not hasattr(graph, "_toposort_layers") else graph._toposort_layers()
    return [_plans[name] for name in names if name in _plans]


class Task:
    """The function that Dask calls on each block: the operator, counted, without the halo of its result."""

    def __init__(self, function: Callable[..., Any], operator: str, axes: Sequence[str], depth: Mapping[int, int],
                 blocks: Sequence[int], plan: Plan, dtype: Any, keywords: Mapping[str, Any], record: Mapping[str, Any]):
        self.function, self.operator, self.axes = function, operator, tuple(axes)
        self.depth, self.blocks, self.dtype, self.keywords = dict(depth), tuple(blocks), dtype, dict(keywords)
        # Of the largest task of the plan: bytes that its call requests, and with its input what a worker keeps free.
        self.lower_bytes = plan.largest_task.get("lower_bytes", 0)
        self.expected_bytes, self.upper_bytes = plan.largest_task["peak_bytes"], plan.largest_task["upper_bytes"]
        self.task_bytes = plan.task_bytes
        self.record = dict(record)  #: of a run, without what is measured
        self.__name__ = operator

    def __dask_tokenize__(self) -> Any:
        return (type(self).__name__, self.function, self.operator, self.axes, sorted(self.depth.items()), self.blocks,
                sorted(self.keywords.items()))

    def __call__(self, block: Any, block_id: tuple[int, ...] = ()) -> Any:
        shape = tuple(block.shape)
        with gate.holding(self.task_bytes), _peaks.measured_task(self.operator, self.task_bytes) as seen:
            result, seen.figures = _native.counted(self.operator, list(self.axes), list(shape), self.function, (block,),
                                                   self.keywords)
        _peaks.remember(self.operator, shape, self.upper_bytes, seen,
                        {**self.record, "shape": {**self.record["shape"], **dict(zip(self.axes, shape))}})
        # Dask takes our word for shapes and types: what is not so would be wrong later, and without a word.
        if getattr(result, "shape", None) != shape:
            raise ValueError(f"{self.operator} was given a block of {shape} and returned {_shown(result)}: both have to "
                             "have the same shape")
        if result.dtype != self.dtype:
            raise ValueError(f"{self.operator} returned {result.dtype}, not {self.dtype}: say dtype={result.dtype}")
        if not self.depth:
            return result
        return result[tuple(self._inner(axis, block_id[axis], extent) for axis, extent in enumerate(shape))]

    def _inner(self, axis: int, at: int, extent: int) -> slice:
        around = self.depth.get(axis, 0)
        return slice(around if at > 0 else 0, extent - (around if at < self.blocks[axis] - 1 else 0))


def _shown(result: Any) -> str:
    return f"one of {result.shape}" if hasattr(result, "shape") else f"a {type(result).__name__}"


def _as_dask(array: Any, chunks: Any) -> Any:
    if isinstance(array, da.Array):
        return array.rechunk(chunks)
    return da.from_array(array, chunks=chunks)


def map_overlap(function: Callable[..., Any], array: Any, op: Operator | MeasuredOperator | None = None, *,
                axes: Sequence[str], halo: Mapping[str, int] | None = None, client: Any = None, plan: Plan | None = None,
                split: Sequence[str] | None = None, settings: Mapping[str, float] | None = None,
                fixed: Mapping[str, int] | None = None, align: Mapping[str, int] | str | None = None,
                sink: str = "gather", dtype: Any = None, max_tasks: int | None = None,
                memory: int | float | str | None = None, store: str | None = "", doubtful: bool = False,
                **keywords: Any) -> Any:
    """The function applied to each chunk with its neighbours' ``halo``: a lazy Dask array, boundary "none", equal to the
    result of the whole array in the interior. Of an array in storage, neither a collection nor in memory, tasks read their
    chunk and the halo, so that no worker keeps blocks for the neighbours of its tasks.

    :param op: the operator that says what a task takes; by default the function itself, measured at toy shapes.
    :param plan: chunks that were chosen before; ``memshape.dask.plan`` chooses them otherwise, see there for the rest.
    :param keywords: of the function.
    """
    runs_on = a_client(client)
    shape_of(array, axes, fixed)  # what cannot be planned for is not measured either
    if store is not None and plan is None:
        learn_before(runs_on, store)
    if keywords and op is None:
        op = operator_for(functools.partial(function, **keywords), None, array, axes)
    known = operator_for(function, op, array, axes)
    cluster = cluster_of(runs_on, (function, smallest_call(known)), None if memory is None else as_bytes(memory))
    chosen = plan or plan_on(cluster, known, array, axes, halo=halo, split=split, settings=settings, fixed=fixed,
                             align=align, sink=sink, dtype=dtype, max_tasks=max_tasks,
                             source=source_for(array), store=store, doubtful=doubtful)
    if chosen.axes != tuple(axes) or tuple(map(sum, chosen.chunks)) != tuple(array.shape):
        raise ArgumentError(f"the plan is for {chosen.shape}, not for this array", "arguments")
    for name, around in (halo or {}).items():
        if name not in axes:
            raise ArgumentError(f"halo: '{name}' is none of the axes {', '.join(axes)}", "arguments")
        if as_integer(name, around) < 0:
            raise ArgumentError(f"the halo of '{name}' is negative: {around}", "arguments")
        along = chosen.chunks[tuple(axes).index(name)]
        if len(along) > 1 and around > min(along):
            raise ArgumentError(f"the halo of '{name}' ({around}) is longer than the shortest chunk ({min(along)}): plan "
                                "with this halo", "arguments")
    of_type = numpy.dtype(dtype or array.dtype)
    depth = {number: (halo or {})[name] for number, name in enumerate(axes)
             if (halo or {}).get(name) and len(chosen.chunks[number]) > 1}
    if depth and chosen.source == "storage" and is_stored(array):
        blocks = with_halo(array, chosen.chunks, depth)
    else:
        blocks = _as_dask(array, chosen.chunks)
        if depth:
            blocks = da.overlap.overlap(blocks, depth, "none", allow_rechunk=False)
    task = Task(function, known.name, axes, depth, [len(each) for each in chosen.chunks], chosen, of_type, keywords,
                {"operator": history_of(known, array), "settings": dict(settings or {}), "shape": dict(fixed or {})})
    resources = {}
    room = cluster.usable_bytes - cluster.held_bytes
    if chosen.task_bytes <= room and _peaks.declare(runs_on, room):
        resources = {"resources": {_peaks.RESOURCE: chosen.task_bytes}}
    with _dask.annotate(**resources):
        result = da.map_blocks(task, blocks, chunks=chosen.chunks, dtype=of_type,
                               meta=numpy.empty((0,) * len(chosen.chunks), of_type))
    while len(_plans) >= MOST_PLANS:
        _plans.pop(next(iter(_plans)))
    _plans[result.name] = chosen
    return result


def map_blocks(function: Callable[..., Any], array: Any, op: Operator | MeasuredOperator | None = None, *,
               axes: Sequence[str], client: Any = None, **given: Any) -> Any:
    """As ``map_overlap``, for functions that look at nothing beyond a chunk."""
    if "halo" in given:
        raise ArgumentError("map_blocks has no halo: use map_overlap", "arguments")
    return map_overlap(function, array, op, axes=axes, client=client, **given)
