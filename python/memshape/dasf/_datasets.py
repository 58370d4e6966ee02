# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What datasets of DASF have stored, and how each of them takes chunks before it is loaded."""

from __future__ import annotations

import contextlib
import math
from typing import Any, Callable, Iterator, Sequence

import numpy

from .._page import a_thing
from ..errors import ArgumentError

#: The axes of a DatasetMDIO, in their order.
MDIO_AXES = ("iline", "xline", "twt")


class Stored:
    """An array that nobody loaded: what a plan has to know of it."""

    def __init__(self, shape: Sequence[int], dtype: Any, chunks: Any = None, dims: Sequence[str] = ()):
        self.shape, self.dtype, self.ndim = tuple(map(int, shape)), numpy.dtype(dtype), len(shape)
        self.chunks = tuple(chunks) if chunks else None  #: blocks in which it is stored
        self.dims = tuple(dims)  #: names of its axes, where it has some


@contextlib.contextmanager
def _array(dataset: Any) -> Iterator[Any]:
    yield numpy.load(dataset._root_file, mmap_mode="r")


@contextlib.contextmanager
def _zarr(dataset: Any) -> Iterator[Any]:
    import zarr  # type: ignore[import-not-found,import-untyped,unused-ignore]

    yield zarr.open(dataset._root_file, mode="r")


@contextlib.contextmanager
def _hdf5(dataset: Any) -> Iterator[Any]:
    import h5py  # type: ignore[import-not-found,import-untyped,unused-ignore]

    with h5py.File(dataset._root_file, "r") as file:
        yield file[dataset._dataset_path]


@contextlib.contextmanager
def _xarray(dataset: Any) -> Iterator[Any]:
    import xarray  # type: ignore[import-not-found,import-untyped,unused-ignore]

    of: Any = xarray
    with (of.open_dataset if dataset._data_var else of.open_dataarray)(dataset._root_file) as file:
        array = file[dataset._data_var] if dataset._data_var else file
        yield Stored(array.shape, array.dtype, array.encoding.get("chunksizes"), tuple(map(str, array.dims)))


@contextlib.contextmanager
def _mdio(dataset: Any) -> Iterator[Any]:
    from mdio import MDIOReader  # type: ignore[import-not-found,import-untyped,unused-ignore]

    yield MDIOReader(dataset._root_file, access_pattern=dataset._access_pattern)._traces


#: Who opens what a dataset has stored, by the name of its class, or of one that it derives from.
_OPENED: dict[str, Callable[[Any], Any]] = {
    "DatasetArray": _array, "DatasetZarr": _zarr, "DatasetHDF5": _hdf5, "DatasetXarray": _xarray, "DatasetMDIO": _mdio}


def kind_of(dataset: Any) -> str:
    """The class of DASF that it is of. Raises ArgumentError where it takes no chunks."""
    known = next((each.__name__ for each in type(dataset).__mro__ if each.__name__ in _OPENED), None)
    if known is None and not hasattr(dataset, "_chunks"):
        raise ArgumentError(f"a dataset of DASF that has chunks is needed, not {a_thing(dataset)}")
    return known or "Dataset"


def stored_of(dataset: Any, shape: Sequence[int] | None, dtype: Any) -> Stored:
    """What it has stored; ``shape`` and ``dtype`` where they are given. Raises ArgumentError where nothing tells."""
    kind = kind_of(dataset)
    found: Any = None
    if kind in _OPENED and getattr(dataset, "_root_file", None):
        try:
            with _OPENED[kind](dataset) as opened:
                found = opened if isinstance(opened, Stored) else Stored(opened.shape, opened.dtype, getattr(opened, "chunks", None))
        except Exception as failure:  # of any class: it is a file of another package
            if shape is None:
                raise ArgumentError(f"{dataset._root_file} does not open: {failure}") from None
    extents = tuple(shape or getattr(found or dataset, "shape", None) or ())
    if not extents:
        raise ArgumentError("the dataset does not say its extents before it is loaded: say shape=(...)")
    # A DatasetArray takes numbers of four bytes for granted.
    of_type = dtype or (found.dtype if found and kind != "DatasetArray" else "float32")
    return Stored(extents, of_type, found and found.chunks, found.dims if found else ())


def loaded_whole(dataset: Any, of: Stored) -> int:
    """Bytes that one worker holds besides its blocks: the file of a DatasetArray is loaded by one task, and blocks are
    views of what it returns. Other datasets load blocks."""
    return math.prod(of.shape) * of.dtype.itemsize if kind_of(dataset) == "DatasetArray" else 0


def give(dataset: Any, chunks: Sequence[Sequence[int]], of: Stored) -> None:
    """Has the dataset load such chunks."""
    kind = kind_of(dataset)
    if kind == "DatasetMDIO":
        dataset.chunks = dict(zip(MDIO_AXES, map(tuple, chunks)))
    else:
        dataset._chunks = dict(zip(of.dims, map(tuple, chunks))) if kind == "DatasetXarray" else tuple(map(tuple, chunks))


def array_of(dataset: Any) -> Any:
    """The array of a dataset that was loaded."""
    array = dataset._data
    name = getattr(dataset, "_data_var", None)
    return getattr(array[name] if name else array, "data", array)
