# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays that lie in storage: a task reads its chunk and the halo itself, and no worker keeps blocks for neighbours.

Elements of the halo are read more than once. They are few, as chunks are as large as memory lets."""

from __future__ import annotations

import bisect
import itertools
from typing import Any, Mapping, Sequence

import dask
import dask.array
import numpy
from dask.base import normalize_token

#: Dask's own functions have no types.
da: Any = dask.array


def is_stored(array: Any) -> bool:
    """Whether parts of the array can be read anywhere: it is neither a collection nor in the memory of this process."""
    return not hasattr(array, "dask") and not isinstance(array, numpy.ndarray)


def source_for(array: Any) -> str:
    """Who cuts halos out, as plans call it. Where Dask is told not to fuse tasks, what was read waits on a worker in
    either case."""
    return "storage" if is_stored(array) and dask.config.get("optimization.fuse.active", None) is not False else "blocks"


class WithHalo:
    """An array in which each chunk stands with its halo: elements at the rims of chunks are in it more than once."""

    def __init__(self, array: Any, chunks: Sequence[Sequence[int]], depth: Mapping[int, int]):
        self._array = array
        self._read: list[list[tuple[int, int]]] = []  #: of each axis: where what a chunk reads begins and ends
        for axis, along in enumerate(chunks):
            ends = list(itertools.accumulate(along))
            around, extent = depth.get(axis, 0), sum(along)
            self._read.append([(max(0, end - length - around), min(extent, end + around))
                               for end, length in zip(ends, along)])
        self.chunks = tuple(tuple(end - begin for begin, end in each) for each in self._read)
        self._starts = [list(itertools.accumulate(each, initial=0)) for each in self.chunks]
        self.shape = tuple(map(sum, self.chunks))
        self.ndim, self.dtype = len(self.shape), numpy.dtype(array.dtype)

    def __dask_tokenize__(self) -> Any:
        return (type(self).__name__, normalize_token(self._array), self._read)

    def __getitem__(self, where: tuple[slice, ...]) -> Any:
        """Of one chunk, or a part of it: where from, in this array."""
        found = []
        for read, starts, part in zip(self._read, self._starts, where):
            begin, end, _ = part.indices(starts[-1])
            number = bisect.bisect_right(starts, begin) - 1
            shift = read[number][0] - starts[number]
            found.append(slice(begin + shift, end + shift))
        return numpy.asarray(self._array[tuple(found)])


def with_halo(array: Any, chunks: Sequence[Sequence[int]], depth: Mapping[int, int]) -> Any:
    """The same as da.overlap.overlap of blocks with these chunks and no boundary: a lazy array."""
    read = WithHalo(array, chunks, depth)
    return da.from_array(read, chunks=read.chunks, meta=numpy.empty((0,) * read.ndim, read.dtype))
