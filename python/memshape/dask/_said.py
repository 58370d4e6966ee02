# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bytes of tasks that no graph tells: said by users, by the names of layers or keys."""

from __future__ import annotations

from typing import Any, Callable, Mapping, Union

import dask

from .._operator import Prediction
from .._shape import as_integer
from ..errors import ArgumentError

#: Dask's own functions have no types.
_dask: Any = dask
Key = Any  #: of a task: a text, or a tuple that begins with one
#: Bytes of a task's output; (bytes of its output, bytes beside it while it runs); or the prediction of its operator.
Said = Union[int, tuple[int, int], Prediction]
#: Of many tasks: by the names of their layers, with or without the hash that Dask appends, or by their keys.
Bytes = Union[Mapping[Any, Said], Callable[[Key], Union[Said, None]], None]


def layer_of(key: Key) -> str:
    """The layer of a key; Dask marks keys inside of a fused task."""
    name = key[0] if isinstance(key, tuple) and key else key
    return str(name).split("_.")[0]


def shown(name: str) -> str:
    """Without the hash that Dask appends."""
    return name.rpartition("-")[0] or name


class Sayings:
    """What a user says of tasks. Raises ArgumentError for what says nothing."""

    def __init__(self, given: Bytes):
        if given is not None and not callable(given) and not isinstance(given, Mapping):
            raise ArgumentError("bytes are a dict by names of layers or keys, or a function of a key")
        self._given = given
        self._used: set[Any] = set()

    @property
    def unused(self) -> list[Any]:
        """Names that are said, and that no task had."""
        return [each for each in self._given if each not in self._used] if isinstance(self._given, Mapping) else []

    def of(self, *names: Key) -> Prediction | tuple[int, int] | None:
        """What is said of a task by its names: the prediction, or (bytes of its output, bytes beside it)."""
        if self._given is None:
            return None
        if isinstance(self._given, Mapping):
            table, layer = self._given, layer_of(names[0])
            found = next((each for each in (*names, layer, shown(layer), _dask.utils.key_split(names[0])) if each in table), None)
            self._used.add(found)
            said = None if found is None else table[found]
        else:
            said = self._given(names[0])
        return said if said is None or isinstance(said, Prediction) else _checked(said, shown(layer_of(names[0])))


def _checked(said: Any, layer: str) -> tuple[int, int]:
    pair = said if isinstance(said, tuple) else (said, 0)
    if len(pair) != 2:
        raise ArgumentError(f"bytes of {layer}: {said!r} is neither the bytes of an output, nor a pair of output and work "
                            "bytes, nor a prediction")
    output, work = (as_integer(f"bytes of {layer}", each) for each in pair)
    if output < 0 or work < 0:
        raise ArgumentError(f"bytes of {layer} are negative: {said!r}")
    return output, work
