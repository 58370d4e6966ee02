# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sets the block size of pipelines of dasf-core before they run.

    >>> fit = memshape.dasf.fit_chunks(dataset, [gst3d], axes=("ni", "nx", "ns"), client=executor.client)
    >>> pipeline = Pipeline("attributes", executor=executor, callbacks=[fit])
    >>> pipeline.add(dataset).add(fit.blocks, X=dataset).add(gst3d, X=fit.blocks).run()

It uses what DASF offers to others: ``PipelinePlugin``, the chunks of datasets, ``function`` and ``depth`` of a
``MappedTransform``, and what any other ``Transform`` makes of a Dask array. Extents are counts of elements.
"""

from __future__ import annotations

import math
import types
from typing import Any, Mapping, Sequence

from .. import dask as on_dask
from .._measured import MeasuredOperator
from .._operator import Operator
from .._plan import Plan, check_bound
from ..dask._call import call_of
from ..dask._cluster import a_client, workers_of
from ..dask._holding import UNEVEN
from ..errors import ArgumentError, DoesNotFit
from ._datasets import Stored, array_of, give, loaded_whole, stored_of
from ._transforms import EXTENT, Step, step_of

__all__ = ["fit_chunks", "plan_chunks"]


class _Planned:
    """Transforms of one array, checked and measured."""

    def __init__(self, array: Stored, transforms: Sequence[Any], axes: Sequence[str], split: Sequence[str] | None,
                 halo: Any, ops: Mapping[int, Operator | MeasuredOperator] | None, doubtful: bool):
        if len(axes) != array.ndim:
            raise ArgumentError(f"axes names the {array.ndim} axes of the dataset, one each: {tuple(axes)}")
        if not transforms:
            raise ArgumentError("there is no transform to plan for")
        self.array, self.axes, self.split, self.doubtful = array, tuple(axes), split, doubtful
        cut = [number for number, name in enumerate(axes) if split is None or name in split]
        steps = [step_of(number, each, array.shape, array.dtype, cut, halo) for number, each in enumerate(transforms)]
        # Short axes that no task cuts are as they are, such as that of three cubes.
        ranges = {name: (extent, extent) for number, (name, extent) in enumerate(zip(axes, array.shape))
                  if number not in cut and extent <= EXTENT}
        self.steps: list[tuple[Step, Operator | MeasuredOperator]] = []
        for number, step in enumerate(steps):
            op = (ops or {}).get(number) or call_of(step.function, [array], self.axes, None, {}).operator(ranges=ranges)
            check_bound(op, doubtful)
            self.steps.append((step, op))

    def chunks(self, client: Any, sink: str, held: int,
               align: Mapping[str, int] | str | None) -> tuple[tuple[tuple[int, ...], ...], tuple[Plan, ...]]:
        whole = math.prod(self.array.shape) * self.array.dtype.itemsize
        plans = []
        for step, op in self.steps:
            stays = math.ceil(UNEVEN * whole / len(workers_of(a_client(client)))) if step.is_whole else 0
            plans.append(on_dask.plan(op, self.array, self.axes, step.halo, client, split=self.split, align=align, sink=sink,
                                      dtype=step.dtype, held=held + stays, doubtful=self.doubtful))
        chunks = []
        for number, name in enumerate(self.axes):
            # As many chunks as the transform that needs most: tasks of the others get shorter.
            finest = max(plans, key=lambda plan: len(plan.chunks[number]))
            halo = max(plan.halo.get(name, 0) for plan in plans)
            if len(finest.chunks[number]) > 1 and min(finest.chunks[number]) < halo:
                raise DoesNotFit(f"chunks of '{name}' would be shorter than the halo of another transform ({halo})")
            chunks.append(finest.chunks[number])
        return tuple(chunks), tuple(plans)


def plan_chunks(transforms: Sequence[Any], shape: Sequence[int], axes: Sequence[str], *, dtype: Any = "float32",
                ops: Mapping[int, Operator | MeasuredOperator] | None = None, client: Any = None, halo: Any = None,
                split: Sequence[str] | None = None, align: Mapping[str, int] | None = None, sink: str = "persist",
                held: int = 0, doubtful: bool = False) -> tuple[tuple[tuple[int, ...], ...], tuple[Plan, ...]]:
    """Chunks with which every transform stays within its workers' memory, and the plan of each.

    :param transforms: transforms of DASF or functions that the array goes through, or pairs of one and its halo.
    :param ops: by its number among them, the operator of one; others are measured at toy shapes.
    :param halo: elements that functions read beyond their block, as ``memshape.dask.plan`` takes it; a transform tells its
        own.
    :param split: axes that may be cut; all by default.
    :param align: chunks begin at multiples of it, by axis.
    :param held: bytes that one worker holds besides, such as a file that is loaded as a whole.
    :param doubtful: also for measured operators with ``doubts``: the plans then rest on what is expected.
    """
    return _Planned(Stored(shape, dtype), transforms, axes, split, halo, ops, doubtful).chunks(client, sink, held, align)


def fit_chunks(dataset: Any, transforms: Sequence[Any], *, axes: Sequence[str], shape: Sequence[int] | None = None,
               dtype: Any = None, ops: Mapping[int, Operator | MeasuredOperator] | None = None, client: Any = None,
               halo: Any = None, split: Sequence[str] | None = None, align: Mapping[str, int] | str | None = None,
               sink: str = "persist", doubtful: bool = False) -> Any:
    """A plugin for ``Pipeline(callbacks=[...])`` or ``pipeline.register_plugin``: when the pipeline starts, the dataset
    gets the chunks of ``plan_chunks``, which has the other parameters. Afterwards the plugin's ``plans`` says what workers
    will hold. Its ``blocks`` is a step of pipelines that hands on the dataset's array, for which transforms ask.

    :param dataset: with chunks, which has not been loaded, such as a DatasetArray, DatasetZarr, DatasetHDF5, DatasetXarray
        or DatasetMDIO.
    :param shape: of the dataset, where it does not say one before it is loaded; so is ``dtype``.
    :param align: ``"blocks"``: chunks begin where blocks of the stored array do.
    :raises ArgumentError: where a transform cannot be planned for.
    """
    from dasf.pipeline.pipeline import PipelinePlugin  # type: ignore[import-not-found,import-untyped,unused-ignore]

    array = stored_of(dataset, shape, dtype)
    planned = _Planned(array, transforms, axes, split, halo, ops, doubtful)

    def on_pipeline_start(plugin: Any, fn_keys: Any) -> None:
        chunks, plugin.plans = planned.chunks(client, sink, loaded_whole(dataset, array), align)
        give(dataset, chunks, array)

    def blocks(plugin: Any, X: Any = None) -> Any:
        return array_of(dataset)  # X comes after it was loaded, and is it or None

    made = types.new_class("FitChunks", (PipelinePlugin,), {},
                           lambda body: body.update(on_pipeline_start=on_pipeline_start, blocks=blocks, plans=()))
    return made()
