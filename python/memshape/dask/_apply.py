# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lazy arrays: chunked by a plan, annotated with the bytes that their tasks take, and measured while they run."""

from __future__ import annotations

import math
from typing import Any, Callable, Mapping, Sequence

import dask
import dask.array
import numpy
from dask.layers import ArrayBlockIdDep

from .. import _native
from .._measured import MeasuredOperator
from .._operator import Operator
from .._plan import SINKS, Plan, check_operator
from .._shape import as_bytes
from ..errors import ArgumentError
from . import _peaks
from ._call import Call, Form, call_of, form_of, is_of_xarray, type_of
from ._cluster import a_client, cluster_of, limits_of
from ._gate import gate
from ._learning import learn_before
from ._planning import Halo, align_of, halo_of, plan_on, shape_of, smallest_call
from ._reading import is_stored, source_for, with_halo


#: Dask's own functions have no types.
_dask: Any = dask
da: Any = dask.array
#: Plans by the names of the layers that were made by them, the oldest first.
_plans: dict[str, Plan] = {}
MOST_PLANS = 1000


def planned(collection: Any) -> list[Plan]:
    """The plans of the operators of a collection, in the order in which they run."""
    graph = collection.__dask_graph__()
    names = graph._toposort_layers() if hasattr(graph, "_toposort_layers") else getattr(graph, "layers", ())
    return [_plans[name] for name in names if name in _plans]


class Task:
    """The function that Dask calls on each block: the operator, counted, without the halo of its result."""

    def __init__(self, call: Call, form: Form, operator: str, depth: Mapping[int, int], blocks: Sequence[int], plan: Plan,
                 record: Mapping[str, Any]):
        """:param depth: halo by the number of the result's axis; ``blocks`` are counts along all of them."""
        self.function, self.operator, self.main, self.axes = call.function, operator, call.main, call.axes
        self.keywords, self.dtype, self.extents = call.keywords, form.dtype, form.extents
        self.kept = [None if name is None else call.axes.index(name) for name in form.axes]
        self.depth, self.blocks = dict(depth), tuple(blocks)
        # Of the largest task of the plan: bytes that its call requests, and with its input what a worker keeps free.
        self.lower_bytes = plan.largest_task.get("lower_bytes", 0)
        self.expected_bytes, self.upper_bytes = plan.largest_task["peak_bytes"], plan.largest_task["upper_bytes"]
        self.task_bytes = plan.task_bytes
        self.record = dict(record)  #: of a run, without what is measured
        self.__name__ = operator

    def __dask_tokenize__(self) -> Any:
        return (type(self).__name__, self.function, self.operator, self.axes, sorted(self.depth.items()), self.blocks,
                self.kept, self.extents, self.dtype, sorted(self.keywords.items()))

    def __call__(self, block_id: tuple[int, ...], *given: Any) -> Any:
        arguments = [_alone(each) for each in given]
        shape = tuple(arguments[self.main].shape)
        with gate.holding(self.task_bytes), _peaks.measured_task(self.operator, self.task_bytes) as seen:
            result, seen.figures = _native.counted(self.operator, list(self.axes), list(shape), self.function,
                                                   tuple(arguments), self.keywords)
        _peaks.remember(self.operator, shape, self.upper_bytes, seen,
                        {**self.record, "shape": {**self.record["shape"], **dict(zip(self.axes, shape))}})
        # Dask takes our word for shapes and types: what is not so would be wrong later, and without a word.
        expected = tuple(extent if axis is None else shape[axis] for axis, extent in zip(self.kept, self.extents))
        if getattr(result, "shape", None) != expected:
            told = f"one of {result.shape}" if hasattr(result, "shape") else f"a {type(result).__name__}"
            raise ValueError(f"{self.operator} was given a block of {shape} and returned {told}: " + (
                "both have to have the same shape, or say drop_axis=, new_axis= and chunks=" if expected == shape else
                f"{expected} was planned for"))
        if result.dtype != self.dtype:
            raise ValueError(f"{self.operator} returned {result.dtype}, not {self.dtype}: say dtype={result.dtype}")
        if not self.depth:
            return result
        return result[tuple(self._inner(axis, block_id[axis], extent) for axis, extent in enumerate(expected))]

    def _inner(self, axis: int, at: int, extent: Any) -> slice:
        around = self.depth.get(axis, 0)
        return slice(around if at > 0 else 0, extent - (around if at < self.blocks[axis] - 1 else 0))


def _alone(block: Any) -> Any:
    """Along axes that the result lacks Dask hands lists over, of one block each."""
    while isinstance(block, list) and len(block) == 1:
        block = block[0]
    return block


def _cut(call: Call, at: int, plan: Plan, halo: Mapping[str, int]) -> Any:
    """One of the arrays in the chunks of the plan, with their halo: a Dask array."""
    array, names = call.arguments[at], call.cut[at]
    chunks = tuple((1,) if extent == 1 else plan.chunks[call.axes.index(name)] for name, extent in zip(names, array.shape))
    depth = {number: halo[name] for number, name in enumerate(names) if halo.get(name) and len(chunks[number]) > 1}
    if depth and plan.source == "storage" and is_stored(array):
        return with_halo(array, chunks, depth)
    blocks = array.rechunk(chunks) if isinstance(array, da.Array) else da.from_array(array, chunks=chunks)
    return da.overlap.overlap(blocks, depth, "none", allow_rechunk=False) if depth else blocks


def _check_halo(plan: Plan, axes: Sequence[str], halo: Mapping[str, int]) -> None:
    for name, around in halo.items():
        along = plan.chunks[axes.index(name)]
        if len(along) > 1 and around > min(along):
            raise ArgumentError(f"the halo of '{name}' ({around}) is longer than the shortest chunk ({min(along)}): plan "
                                "with this halo")


def _of_xarray(given: Sequence[Any], result: Any, form: Form) -> Any:
    """The result as an xarray.DataArray, with the coordinates of the axes that it has."""
    whole = next(each for each in given if is_of_xarray(each))
    dims = tuple(name or f"dim_{number}" for number, name in enumerate(form.axes))
    if dims == tuple(map(str, whole.dims)):
        return whole.copy(data=result)
    coordinates = {name: each for name, each in whole.coords.items() if set(each.dims) <= set(form.kept)}
    return type(whole)(result, dims=dims, coords=coordinates, name=whole.name)


def map_overlap(function: Callable[..., Any], *arrays: Any, op: Operator | MeasuredOperator | None = None,
                axes: Sequence[str] | None = None, halo: Halo = None, depth: Halo = None, boundary: str | None = "none",
                drop_axis: int | Sequence[int] | None = None, new_axis: int | Sequence[int] | None = None,
                chunks: Sequence[Any] | None = None, dtype: Any = None, meta: Any = None, client: Any = None,
                plan: Plan | None = None, split: Sequence[str] | None = None, settings: Mapping[str, float] | None = None,
                fixed: Mapping[str, int] | None = None, align: Mapping[str, int] | str | None = None,
                sink: str = "gather", max_tasks: int | None = None, memory: int | float | str | None = None,
                workers: int | None = None, store: str | None = "", doubtful: bool = False,
                verbose: bool | None = None, **keywords: Any) -> Any:
    """The function applied to each chunk with its neighbours' ``halo``: a lazy Dask array, boundary "none", equal to the
    result of the whole array in the interior. Of an array in storage, neither a collection nor in memory, tasks read their
    chunk and the halo, so that no worker keeps blocks for the neighbours of its tasks.

    :param arrays: positional arguments of the function. Dask and stored arrays are cut, and NumPy's that are as large as
        the first one; others are handed over as they are. An xarray.DataArray comes back as one.
    :param op: the operator that says what a task takes; by default the function itself, measured at toy shapes.
    :param axes: names of the axes, which are the symbols of ``op``; those of a DataArray are its ``dims``.
    :param halo: elements that a task reads beyond its chunk on each side: a count, one for each axis, or a dict by axis.
        ``depth`` is another name of it.
    :param drop_axis: axes that the result lacks; ``new_axis``: those that only the result has, with their extents in
        ``chunks``, one for each axis of the result. They are seen at toy shapes where the function is measured. Axes that
        the result lacks are not cut.
    :param dtype: of the result; where it is measured, as it returns. ``meta``: an empty array like the result's blocks.
    :param plan: chunks that were chosen before; ``memshape.dask.plan`` chooses them otherwise, see there for the rest.
    :param verbose: whether a bar is shown while the function is measured; by default in terminals and notebooks.
    :param keywords: of the function.
    """
    if boundary not in (None, "none"):
        raise ArgumentError(f"the boundary is 'none', not {boundary!r}: pad the array before")
    if depth is not None and halo is not None:
        raise ArgumentError("halo and depth are two names of one thing: give one")
    known = [each for each in arrays if isinstance(each, (Operator, MeasuredOperator))]
    if known and op is None and known == [arrays[-1]]:
        op, arrays = arrays[-1], arrays[:-1]
    # What cannot be planned for is not measured either.
    if op is not None:
        check_operator(op)
    if not isinstance(plan, (Plan, type(None))) or not isinstance(settings, (Mapping, type(None))):
        raise ArgumentError("plan is a Plan of memshape.plan, and settings are a dict")
    runs_on = a_client(client)
    call = call_of(function, arrays, axes if axes is not None or op is None else _axes_of(op, arrays, fixed), fixed, keywords)
    array = call.array
    around = halo_of(halo if depth is None else depth, call.axes, shape_of(array, call.axes, fixed))
    align_of(align, array, call.axes)
    of_type = type_of(dtype, meta)
    usable = None if memory is None else as_bytes(memory)
    limits_of(runs_on, usable, workers)
    for name in (split,) if isinstance(split, str) else split or ():
        if name not in call.axes:
            raise ArgumentError(f"split: '{name}' is none of the axes {', '.join(call.axes)}")
    if sink not in SINKS:
        raise ArgumentError(f"sink is one of {', '.join(SINKS)}, not {sink!r}")
    if plan is not None:
        if plan.axes != call.axes or tuple(map(sum, plan.chunks)) != tuple(array.shape):
            raise ArgumentError(f"the plan is for {plan.shape}, not for this array")
        _check_halo(plan, call.axes, around)
    elif store is not None:
        learn_before(runs_on, store)
    of = op or call.operator(verbose)
    form = form_of(call, of, op is None or getattr(op, "function", None) is function, drop_axis=drop_axis, new_axis=new_axis,
                   chunks=chunks, dtype=of_type)
    uncut = [name for name in call.axes if name not in form.kept]
    along = [name for name in call.axes if name not in uncut] if split is None else split
    if any(name in uncut for name in along) or plan and any(
            len(each) > 1 for name, each in zip(call.axes, plan.chunks) if name in uncut):
        raise ArgumentError(f"{of.name} returns no axis '{uncut[0]}', so that it cannot be cut")
    cluster = cluster_of(runs_on, (function, smallest_call(of)), usable, workers)
    elements = math.prod(map(int, array.shape))
    returned = math.prod(extent or int(array.shape[call.axes.index(name or "")]) for name, extent in zip(form.axes, form.extents))
    chosen = plan or plan_on(
        cluster, of, array, call.axes, halo=around, split=along, settings=settings, fixed=fixed, align=align, sink=sink,
        element_bytes=(call.element_bytes, form.dtype.itemsize * returned / max(elements, 1)), max_tasks=max_tasks,
        source=source_for(array), store=store, doubtful=doubtful, history=call.history(of))
    _check_halo(chosen, call.axes, around)
    made_of = tuple((extent or 0,) if name is None else chosen.chunks[call.axes.index(name)]
                    for name, extent in zip(form.axes, form.extents))
    task = Task(call, form, of.name, {number: around[name] for number, name in enumerate(form.axes)
                                      if name and around.get(name) and len(made_of[number]) > 1},
                [len(each) for each in made_of], chosen,
                {"operator": call.history(of), "settings": dict(settings or {}), "shape": dict(fixed or {})})
    resources = {}
    room = cluster.usable_bytes - cluster.held_bytes
    if chosen.task_bytes <= room and _peaks.declare(runs_on, room):
        resources = {"resources": {_peaks.RESOURCE: chosen.task_bytes}}
    index = [f"new{number}" if name is None else name for number, name in enumerate(form.axes)]
    pairs = [part for at, each in enumerate(call.arguments)
             for part in ((_cut(call, at, chosen, around), call.cut[at]) if at in call.cut else (each, None))]
    with _dask.annotate(**resources):
        result = da.blockwise(task, index, ArrayBlockIdDep(made_of), index, *pairs, align_arrays=False,
                              adjust_chunks=dict(zip(index, made_of)), dtype=form.dtype,
                              meta=numpy.empty((0,) * len(made_of), form.dtype) if meta is None else meta)
    while len(_plans) >= MOST_PLANS:
        _plans.pop(next(iter(_plans)))
    _plans[result.name] = chosen
    return _of_xarray(arrays, result, form) if any(map(is_of_xarray, arrays)) else result


def _axes_of(op: Operator | MeasuredOperator, arrays: Sequence[Any], fixed: Mapping[str, int] | None) -> Sequence[str] | None:
    """The symbols of an operator, where there is one for each axis of the array."""
    names = [name for name in op.symbols if name not in (fixed or {})]
    most = max((len(each.shape) for each in arrays if hasattr(each, "shape")), default=0)
    return names if len(names) == most and not any(map(is_of_xarray, arrays)) else None


def map_blocks(function: Callable[..., Any], *arrays: Any, op: Operator | MeasuredOperator | None = None,
               axes: Sequence[str] | None = None, drop_axis: int | Sequence[int] | None = None,
               new_axis: int | Sequence[int] | None = None, chunks: Sequence[Any] | None = None, dtype: Any = None,
               meta: Any = None, client: Any = None, plan: Plan | None = None, split: Sequence[str] | None = None,
               settings: Mapping[str, float] | None = None, fixed: Mapping[str, int] | None = None,
               align: Mapping[str, int] | str | None = None, sink: str = "gather", max_tasks: int | None = None,
               memory: int | float | str | None = None, workers: int | None = None, store: str | None = "",
               doubtful: bool = False, verbose: bool | None = None, **keywords: Any) -> Any:
    """As ``map_overlap``, for functions that look at nothing beyond a chunk."""
    if "halo" in keywords or "depth" in keywords:
        raise ArgumentError("map_blocks has no halo: use map_overlap")
    return map_overlap(function, *arrays, op=op, axes=axes, drop_axis=drop_axis, new_axis=new_axis, chunks=chunks,
                       dtype=dtype, meta=meta, client=client, plan=plan, split=split, settings=settings, fixed=fixed,
                       align=align, sink=sink, max_tasks=max_tasks, memory=memory, workers=workers, store=store,
                       doubtful=doubtful, verbose=verbose, **keywords)
