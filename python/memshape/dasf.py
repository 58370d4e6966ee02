# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sets the block size of pipelines of dasf-core before they run.

    >>> fit = memshape.dasf.fit_chunks(dataset, [gst3d], axes=("ni", "nx", "ns"), client=executor.client)
    >>> pipeline = Pipeline("attributes", executor=executor, callbacks=[fit])
    >>> pipeline.add(dataset).add(gst3d, X=dataset).run()

It uses what DASF offers to others: ``PipelinePlugin``, the ``chunks`` of datasets, and ``function`` and ``depth`` of a
``MappedTransform``. Extents are counts of elements.
"""

from __future__ import annotations

import math
import types
from typing import Any, Mapping, Sequence

import numpy

from ._measured import MeasuredOperator
from ._operator import Operator
from ._plan import Plan
from .errors import ArgumentError, DoesNotFit


def _halo(transform: Any, axes: Sequence[str]) -> dict[str, int]:
    """What a MappedTransform reads beyond a block, by axis; depth is a number, a tuple, or a mapping by axis."""
    depth = getattr(transform, "depth", None)
    if depth is None:
        return {}
    if isinstance(depth, (int, numpy.integer)):
        depth = (depth,) * len(axes)
    by_axis = dict(depth) if isinstance(depth, Mapping) else dict(enumerate(depth))
    return {axes[number]: max(each) if isinstance(each, (tuple, list)) else int(each)
            for number, each in by_axis.items() if number < len(axes)}


class _Shaped:
    """What a plan has to know of a dataset that nobody loaded."""

    def __init__(self, shape: Sequence[int], dtype: Any):
        self.shape, self.dtype, self.ndim = tuple(shape), numpy.dtype(dtype), len(shape)


def _loaded_whole(dataset: Any, shape: Sequence[int], dtype: Any) -> int:
    """Bytes that one worker holds besides its blocks: the file of a DatasetArray is loaded by one task, and blocks are
    views of what it returns. Other datasets load blocks."""
    from dasf.datasets import DatasetArray  # type: ignore[import-not-found,import-untyped,unused-ignore]

    return math.prod(shape) * numpy.dtype(dtype).itemsize if isinstance(dataset, DatasetArray) else 0


def plan_chunks(transforms: Sequence[Any], shape: Sequence[int], axes: Sequence[str], *, dtype: Any = "float32",
                ops: Mapping[int, Operator | MeasuredOperator] | None = None, client: Any = None,
                sink: str = "persist", held: int = 0,
                doubtful: bool = False) -> tuple[tuple[tuple[int, ...], ...], tuple[Plan, ...]]:
    """Chunks with which every transform stays within its workers' memory, and the plan of each.

    :param transforms: MappedTransforms, or functions, that the array goes through.
    :param ops: by its number among them, the operator of one; others are measured at toy shapes.
    :param held: bytes that one worker holds besides, such as a file that is loaded as a whole.
    :param doubtful: also for measured operators with ``doubts``: the plans then rest on what is expected.
    """
    from . import dask as on_dask
    from .dask._call import call_of

    if not transforms:
        raise ArgumentError("there is no transform to plan for", "arguments")
    array, plans = _Shaped(shape, dtype), []
    for number, transform in enumerate(transforms):
        function = getattr(transform, "function", transform)
        if not callable(function):
            raise ArgumentError(f"transform {number} has no function that is applied to blocks: "
                                f"{type(transform).__name__}", "arguments")
        op = (ops or {}).get(number) or call_of(function, [array], axes, None, {}).operator()
        plans.append(on_dask.plan(op, array, axes, _halo(transform, axes), client, sink=sink, held=held,
                                  doubtful=doubtful))
    chunks = []
    for number, name in enumerate(axes):
        # As many chunks as the transform that needs most: tasks of the others get shorter.
        finest = max(plans, key=lambda plan: len(plan.chunks[number]))
        halo = max(plan.halo.get(name, 0) for plan in plans)
        if len(finest.chunks[number]) > 1 and min(finest.chunks[number]) < halo:
            raise DoesNotFit(f"chunks of '{name}' would be shorter than the halo of another transform ({halo})")
        chunks.append(finest.chunks[number])
    return tuple(chunks), tuple(plans)


def fit_chunks(dataset: Any, transforms: Sequence[Any], *, axes: Sequence[str], shape: Sequence[int] | None = None,
               dtype: Any = "float32", ops: Mapping[int, Operator | MeasuredOperator] | None = None, client: Any = None,
               sink: str = "persist", doubtful: bool = False) -> Any:
    """A plugin for ``Pipeline(callbacks=[...])`` or ``pipeline.register_plugin``: when the pipeline starts, the dataset
    gets the chunks of ``plan_chunks``. Afterwards the plugin's ``plans`` says what workers will hold.

    :param dataset: with ``chunks``, which has not been loaded, such as a DatasetArray or a DatasetZarr.
    :param shape: of the dataset, where it does not say one before it is loaded.
    """
    from dasf.pipeline.pipeline import PipelinePlugin  # type: ignore[import-not-found,import-untyped,unused-ignore]

    if not hasattr(dataset, "_chunks"):
        raise ArgumentError(f"a dataset of DASF that has chunks is needed, not a {type(dataset).__name__}", "arguments")

    def on_pipeline_start(plugin: Any, fn_keys: Any) -> None:
        extents = tuple(shape if shape is not None else getattr(dataset, "shape", None) or ())
        if len(extents) != len(axes):
            raise ArgumentError(f"the dataset does not say its {len(axes)} extents before it is loaded: say shape=(...)",
                                "arguments")
        chunks, plugin.plans = plan_chunks(transforms, extents, axes, dtype=dtype, ops=ops, client=client, sink=sink,
                                           held=_loaded_whole(dataset, extents, dtype), doubtful=doubtful)
        dataset._chunks = chunks

    made = types.new_class("FitChunks", (PipelinePlugin,), {},
                           lambda body: body.update(on_pipeline_start=on_pipeline_start, plans=()))
    return made()
