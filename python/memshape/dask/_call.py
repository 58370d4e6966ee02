# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ``map_blocks`` and ``map_overlap`` are given: checked before anything is measured, and what comes out of it."""

from __future__ import annotations

import atexit
import functools
import sys
from dataclasses import dataclass
from typing import Any, Callable, Mapping, Sequence

import dask
import numpy

from .. import _history
from .._measured import MeasuredOperator, measured
from .._operator import Operator
from .._page import a_thing
from .._shape import as_integer
from .._toys import Refused, Result, ToyProcess
from ..errors import ArgumentError
from ._planning import history_of, shape_of

#: Dask's own functions have no types.
_dask: Any = dask
#: What was measured in this process, by all that it depends on; no formula outlives the module that is its type's.
_measured_before: dict[tuple[Any, ...], MeasuredOperator] = {}
atexit.register(_measured_before.clear)


def is_of_xarray(array: Any) -> bool:
    """Whether it is an xarray.DataArray, whose ``data`` has ``dims``."""
    of = sys.modules.get("xarray")
    return of is not None and isinstance(array, of.DataArray)


@dataclass(frozen=True)
class Call:
    """A function with its arguments, of which some are cut into chunks."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]  #: by position
    cut: dict[int, tuple[str, ...]]  #: of those that are cut: the axes that they have
    main: int  #: the one whose chunks are planned: it has all axes
    axes: tuple[str, ...]
    keywords: dict[str, Any]

    @property
    def array(self) -> Any:
        """The one whose chunks are planned."""
        return self.arguments[self.main]

    @property
    def element_bytes(self) -> float:
        """Of all that is cut, for an element of ``array``."""
        def elements(array: Any) -> int:
            return int(numpy.prod(array.shape, dtype=object))

        whole = max(elements(self.array), 1)
        return float(sum(elements(self.arguments[at]) / whole * numpy.dtype(self.arguments[at].dtype).itemsize
                         for at in self.cut))

    def _told(self) -> Any:
        """All that memory depends on, as a callable that has a name of its own."""
        told = [(names, str(self.arguments[at].dtype)) if (names := self.cut.get(at)) else each
                for at, each in enumerate(self.arguments)]
        return functools.partial(self.function, *told, **self.keywords)

    def history(self, op: Operator | MeasuredOperator) -> str:
        """The name under which its runs are kept."""
        return history_of(op, self.array, *([_history.known_as(self._told())] if len(self.arguments) > 1 else []))

    def operator(self, verbose: bool | None = None, ranges: Mapping[str, tuple[int, int]] | None = None) -> MeasuredOperator:
        """The function as an operator, from toy calls on normal numbers; measured once in a process."""
        key = (_history.known_as(self._told()), self.axes, numpy.__version__, tuple(sorted((ranges or {}).items())))
        if key not in _measured_before:
            cut = {at: (names, numpy.dtype(self.arguments[at].dtype), tuple(extent == 1 for extent in self.arguments[at].shape))
                   for at, names in self.cut.items()}
            others = tuple(None if at in self.cut else each for at, each in enumerate(self.arguments))

            def arguments(**extents: int) -> tuple[Any, ...]:
                import numpy as np

                random, made = np.random.default_rng(sum(extents.values())), list(others)
                for at, (names, dtype, single) in cut.items():
                    shape = tuple(1 if is_single else extents[name] for name, is_single in zip(names, single))
                    made[at] = random.standard_normal(shape).astype(dtype)
                return tuple(made)

            called = functools.partial(self.function, **self.keywords) if self.keywords else self.function
            try:
                _measured_before[key] = measured(called, self.axes, arguments, ranges=ranges, verbose=verbose)
            except ArgumentError as failure:
                if any(isinstance(each, numpy.ndarray) for each in others):
                    raise ArgumentError(f"{failure}; arrays of NumPy with other extents than the first one are handed "
                                        "over whole: give them as Dask arrays to have them cut") from None
                raise
        return _measured_before[key]


def call_of(function: Callable[..., Any], given: Sequence[Any], axes: Sequence[str] | None,
            fixed: Mapping[str, int] | None, keywords: Mapping[str, Any]) -> Call:
    """The call, checked. Collections and stored arrays are cut, and NumPy's where they are as large as the first array;
    other arguments are handed over as they are, as in Dask."""
    if not callable(function):
        raise ArgumentError(f"a function is needed, not {a_thing(function)}")
    for name in ("block_id", "block_info"):
        if name not in keywords and _dask.utils.has_keyword(function, name):
            raise ArgumentError(f"the function takes '{name}', which depends on the chunks: use dask.array.map_blocks with the "
                                "chunks of memshape.dask.plan")
    dims = next((tuple(map(str, each.dims)) for each in given if is_of_xarray(each)), None)
    arguments = tuple(each.data if is_of_xarray(each) else each for each in given)
    arrays = [at for at, each in enumerate(arguments) if getattr(each, "shape", ()) and hasattr(each, "dtype")]
    if not arrays:
        raise ArgumentError("an array with a shape and a dtype is needed, " +
                            (f"not {a_thing(arguments[0])}" if arguments else "and none was given"))
    for name, each in keywords.items():
        if _dask.is_dask_collection(each):
            raise ArgumentError(f"'{name}' is a Dask collection: give arrays that are cut by position")
    main = max(arrays, key=lambda at: len(arguments[at].shape))
    whole = arguments[main]
    named = tuple(axes) if axes is not None and not isinstance(axes, str) else axes or dims or tuple(
        f"axis{number}" for number in range(len(whole.shape)))
    shape_of(whole, named, fixed)
    cut = {}
    for at in arrays:
        extents, names = tuple(arguments[at].shape), tuple(named)[-len(arguments[at].shape):]
        if isinstance(arguments[at], (numpy.ndarray, numpy.generic)) and extents != tuple(whole.shape):
            continue
        if any(extent not in (1, all_of) for extent, all_of in zip(extents, whole.shape[-len(extents):])):
            raise ArgumentError(f"argument {at} has extents {extents}, which do not go with those of argument {main}, "
                                f"{tuple(whole.shape)}")
        cut[at] = names
    return Call(function, arguments, cut, main, tuple(named), dict(keywords))


@dataclass(frozen=True)
class Form:
    """The form of a result."""

    axes: tuple[str | None, ...]  #: of each of its axes: the axis of the array that it is; None for a new one
    extents: tuple[int | None, ...]  #: of new axes
    dtype: Any

    @property
    def kept(self) -> tuple[str, ...]:
        """Axes of the array that the result has: the others are not cut."""
        return tuple(name for name in self.axes if name is not None)


def _numbers(what: str, given: int | Sequence[int] | None, most: int) -> list[int]:
    found = [] if given is None else [as_integer(what, each) for each in (given if isinstance(given, (tuple, list)) else [given])]
    found = [each + most if each < 0 else each for each in found]
    if len(set(found)) < len(found) or any(not 0 <= each < most for each in found):
        raise ArgumentError(f"{what} names different axes from 0 to {most - 1}: {given!r}")
    return found


def _said(axes: Sequence[str], drop_axis: Any, new_axis: Any) -> tuple[str | None, ...]:
    """Axes of the result, as drop_axis and new_axis say them."""
    dropped = _numbers("drop_axis", drop_axis, len(axes))
    found: list[str | None] = [name for number, name in enumerate(axes) if number not in dropped]
    count = 0 if new_axis is None else len(new_axis) if isinstance(new_axis, (tuple, list)) else 1
    for number in sorted(_numbers("new_axis", new_axis, len(found) + count)):
        found.insert(number, None)
    return tuple(found)


def _seen(op: MeasuredOperator, axes: Sequence[str]) -> tuple[str | None, ...]:
    """Axes of the result, as toys had them: each has the extents of an axis of the array, or it is new."""
    ranks = {len(toy.result.shape) if toy.result else None for toy in op.toys}
    if len(ranks) > 1 or None in ranks:
        raise ArgumentError(f"{op.name} has to return arrays with one number of axes, and " + (
            "returned none" if None in ranks else f"returned {min(map(int, filter(None, ranks)))} and more of them"))
    found: list[str | None] = []
    left = list(axes)
    for number in range(ranks.pop() or 0):
        name = next((each for each in left if all(
            toy.result and toy.result.shape[number] == toy.shape.get(each) for toy in op.toys)), None)
        found.append(name)
        left = left[left.index(name) + 1:] if name else left
    return tuple(found)


def type_of(dtype: Any, meta: Any) -> Any:
    """The type of the result's elements, where one of them says it."""
    if meta is not None and not hasattr(meta, "dtype"):
        raise ArgumentError(f"meta is an empty array like the result's blocks, not {a_thing(meta)}")
    try:
        return getattr(meta, "dtype", None) if dtype is None else numpy.dtype(dtype)
    except TypeError as failure:
        raise ArgumentError(f"dtype: {failure}") from None


def form_of(call: Call, op: Operator | MeasuredOperator, is_known: bool, *, drop_axis: Any, new_axis: Any, chunks: Any,
            dtype: Any) -> Form:
    """The form of the result: what toys had, where ``is_known`` says that they are of this function, and what is said of
    it, which has to be the same."""
    said = _said(call.axes, drop_axis, new_axis)
    toys = op.toys if isinstance(op, MeasuredOperator) and is_known else ()
    if not toys or not isinstance(op, MeasuredOperator):
        axes, seen = said, []
    else:
        axes = _seen(op, call.axes)
        seen = [toy.result for toy in toys if toy.result]
        is_said = drop_axis is not None or new_axis is not None
        if is_said and (len(said) != len(axes) or any(mine not in (None, other) for mine, other in zip(said, axes))):
            raise ArgumentError(f"{op.name} returned {seen[-1].shape} at {toys[-1].shape}, which drop_axis={drop_axis} and "
                                f"new_axis={new_axis} do not make of {', '.join(call.axes)}")
        axes = said if is_said else axes
        types = sorted({each.dtype for each in seen})
        if dtype is None and len(types) > 1:
            raise ArgumentError(f"{op.name} returned {' and '.join(types)}: say dtype=...")
        if dtype is not None and str(dtype) not in types:
            raise ArgumentError(f"{op.name} returned {types[0]}, not {dtype}: say dtype={types[0]}")
        dtype = types[0] if dtype is None else dtype
    extents = _extents(call, op, axes, seen, chunks)
    return Form(axes, extents, numpy.dtype(call.array.dtype if dtype is None else dtype))


def _extents(call: Call, op: Operator | MeasuredOperator, axes: Sequence[str | None], seen: Sequence[Result],
             chunks: Any) -> tuple[int | None, ...]:
    """Of new axes: as chunks say, or as all toys had, or from a call at the whole extents of all axes that are not kept."""
    if None not in axes:
        return (None,) * len(axes)
    if chunks is not None:
        given = chunks if isinstance(chunks, (tuple, list)) else (chunks,)
        if len(given) != len(axes):
            raise ArgumentError(f"chunks are one for each of the {len(axes)} axes of the result: {chunks!r}")
        return tuple(None if name else sum(as_integer("chunks", part) for part in (each if isinstance(each, (tuple, list)) else [each]))
                     for name, each in zip(axes, given))
    if not seen:
        return tuple(None if name else 1 for name in axes)
    one = seen[0].shape
    if not all(each.shape[number] == one[number] for each in seen for number, name in enumerate(axes) if name is None):
        one = _called(call, op, axes)
    return tuple(None if name else one[number] for number, name in enumerate(axes))


def _called(call: Call, op: Any, axes: Sequence[str | None]) -> tuple[int, ...]:
    """The shape of the result where axes that are kept are as short as in the smallest toy, and others as they are."""
    smallest = op.smallest_shape
    at = {name: smallest[name] if name in axes else int(extent) for name, extent in zip(call.axes, call.array.shape)}
    with ToyProcess(op.function, op._make) as process:
        try:
            found = process.call(at).result
        except Refused as refusal:
            raise ArgumentError(f"the extents of what {op.name} returns are not known ({refusal}): say chunks=...") from None
    if found is None or len(found.shape) != len(axes):
        raise ArgumentError(f"what {op.name} returns has another number of axes in larger arrays")
    return found.shape
