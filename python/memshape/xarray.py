# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The accessor of xarray's arrays.

    >>> import memshape.xarray
    >>> smooth = cube.memshape.map_overlap(gaussian, halo=3, client=client)

Axes are named by ``dims``. ``memshape.dask.map_overlap`` takes and returns such arrays without it, too.
"""

from __future__ import annotations

from typing import Any, Callable, Mapping

import xarray  # type: ignore[import-not-found,import-untyped,unused-ignore]

from . import dask as on_dask
from .dask._said import Bytes

#: Its functions have no types.
_xarray: Any = xarray


@_xarray.register_dataarray_accessor("memshape")  # type: ignore[untyped-decorator,unused-ignore]
class Accessor:
    """``array.memshape``."""

    def __init__(self, array: Any):
        self._array = array

    def map_overlap(self, function: Callable[..., Any], *arrays: Any, halo: Any = None, client: Any = None,
                    **options: Any) -> Any:
        """As ``memshape.dask.map_overlap`` with this array as the first one."""
        return on_dask.map_overlap(function, self._array, *arrays, halo=halo, client=client, **options)

    def map_blocks(self, function: Callable[..., Any], *arrays: Any, client: Any = None, **options: Any) -> Any:
        """As ``memshape.dask.map_blocks`` with this array as the first one."""
        return on_dask.map_blocks(function, self._array, *arrays, client=client, **options)

    def plan(self, op: Any, halo: Any = None, client: Any = None, **options: Any) -> Any:
        """As ``memshape.dask.plan`` for this array."""
        return on_dask.plan(op, self._array.data, tuple(map(str, self._array.dims)), halo, client, **options)

    def explain(self, client: Any = None, *, sink: str | None = None, bytes: Bytes = None) -> on_dask.Explanation:
        """As ``memshape.dask.explain`` of this array."""
        return on_dask.explain(self._array, client, sink=sink, bytes=bytes)
