# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transforms of DASF as operators on one block."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Callable, Mapping, Sequence

import dask
import dask.array
from dask.layers import ArrayOverlapLayer

from ..errors import ArgumentError

#: Dask's own functions have no types.
_dask: Any = dask
da: Any = dask.array
#: A transform is applied to zeros, to see what it makes of blocks: blocks along an axis that is cut, and their extent.
BLOCKS, EXTENT = 5, 20


class OnBlock:
    """What the tasks of a transform do to one block: with the copies that Dask makes where it adds boundaries, and where it
    joins neighbours."""

    def __init__(self, transform: Any):
        self.transform, self.applied = transform, transform._lazy_transform_cpu
        self.__name__ = type(transform).__name__

    def __call__(self, block: Any) -> Any:
        name = "memshape-block"  # da.from_array would copy it
        with _dask.config.set(scheduler="synchronous"):
            array = da.Array({(name, *(0,) * block.ndim): block}, name, tuple((each,) for each in block.shape), block.dtype)
            (found,) = _dask.optimize(self.applied(array))
            results: Any = _dask.get(dict(found.__dask_graph__()), found.__dask_keys__())
        while isinstance(results, (list, tuple)) and len(results) == 1:
            results = results[0]
        return results


@dataclass(frozen=True)
class Step:
    """One of the functions that an array goes through."""

    function: Callable[..., Any]  #: of one block with its halo
    halo: Any  #: elements that it reads beyond a block, as ``memshape.dask.plan`` takes it
    dtype: Any = None  #: of what it returns; None for the array's
    is_whole: bool = False  #: each block needs all others, which then stay on the workers


def _is_padded(boundary: Any) -> bool:
    return any(each not in (None, "none") for each in (boundary.values() if isinstance(boundary, Mapping) else
                                                       boundary if isinstance(boundary, (tuple, list)) else [boundary]))


def step_of(number: int, given: Any, shape: Sequence[int], dtype: Any, cut: Sequence[int], halo: Any) -> Step:
    """A function, a transform, or a pair of one and its halo. ``halo`` is that of what tells none, ``cut`` are the numbers
    of the axes that are cut. Raises ArgumentError for what Dask cannot apply to blocks."""
    of, is_said = given, None
    if isinstance(given, tuple):
        if len(given) != 2:
            raise ArgumentError(f"transform {number} is a pair of a transform and its halo, not {given!r}")
        of, is_said = given
    of = getattr(of, "__self__", of) if hasattr(getattr(of, "__self__", None), "_lazy_transform_cpu") else of
    function = getattr(of, "function", None)
    if callable(function) and not _is_padded(getattr(of, "boundary", None)):
        return Step(function, getattr(of, "depth", None) if is_said is None else is_said)
    if not hasattr(of, "_lazy_transform_cpu"):
        if not callable(of):
            raise ArgumentError(f"transform {number} is neither a function nor a transform of DASF: {type(of).__name__}")
        return Step(of, halo if is_said is None else is_said)
    blocks = [(EXTENT,) * BLOCKS if axis in cut and extent >= EXTENT else (min(extent, EXTENT),)
              for axis, extent in enumerate(shape)]
    try:
        with _dask.config.set(scheduler="synchronous"):
            zeros = da.zeros(tuple(map(sum, blocks)), chunks=tuple(blocks), dtype=dtype)
            result = of._lazy_transform_cpu(zeros)
            layers = result.__dask_graph__().layers.values()
            first = result.blocks[(0,) * result.ndim]
            needed = {key for key in first.__dask_graph__().cull(set(_dask.core.flatten(first.__dask_keys__())))
                      if isinstance(key, tuple) and key[0] == zeros.name}
    except NotImplementedError:
        raise ArgumentError(f"transform {number} has nothing that Dask applies to blocks: {type(of).__name__}") from None
    except Exception as failure:  # of any class
        raise ArgumentError(f"transform {number}, {type(of).__name__}, cannot be applied to blocks of "
                            f"{zeros.chunksize}: {failure}") from None
    seen: dict[int, int] = {}
    for layer in layers:
        for axis, depth in layer.axes.items() if isinstance(layer, ArrayOverlapLayer) else ():
            seen[axis] = seen.get(axis, 0) + (max(depth) if isinstance(depth, (tuple, list)) else depth)
    neighbours = math.prod(min(3, len(each)) for each in blocks)
    return Step(OnBlock(of), is_said if is_said is not None else seen or halo, result.dtype, len(needed) > neighbours)
