# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ``memshape.reverse`` stores: states of any kind, in memory, or in a file without a name."""

from __future__ import annotations

import os
import pickle
import tempfile
from typing import Any, BinaryIO, cast

from .errors import ArgumentError

#: Values that nothing changes; they are their own copies.
_CONSTANTS = (int, float, complex, str, bytes, type(None))


def copy_of(state: Any) -> Any:
    """A copy that shares no array with the state: tuples, lists and dicts part by part, whatever else by its ``copy()``.

    :raises ArgumentError: where a part has none.
    """
    if isinstance(state, _CONSTANTS):
        return state
    if type(state) in (tuple, list):
        return type(state)(copy_of(each) for each in state)
    if type(state) is dict:
        return {name: copy_of(each) for name, each in state.items()}
    if not callable(getattr(state, "copy", None)):
        raise ArgumentError(f"a state of type {type(state).__name__} has no copy(): say store=... and restore=...")
    return state.copy()


def bytes_of(state: Any) -> int:
    """Bytes of the arrays of a state: what their ``nbytes`` say.

    :raises ArgumentError: where there are none.
    """
    def inside(part: Any) -> int:
        if type(part) in (tuple, list):
            return sum(map(inside, part))
        if type(part) is dict:
            return sum(map(inside, part.values()))
        return int(getattr(part, "nbytes", 0))

    if not (found := inside(state)):
        raise ArgumentError("how many bytes the state takes is not known, as it has no nbytes: say slots=...")
    return found


class Kept:
    """A copy in memory. ``again()`` gives the state as often as it is asked for, ``last()`` for the last time."""

    def __init__(self, state: Any):
        self._state = copy_of(state)

    def again(self) -> Any:
        return copy_of(self._state)

    def last(self) -> Any:
        state, self._state = self._state, None
        return state

    def close(self) -> None:
        self._state = None


class Disk:
    """One file without a name: its space is free again when it is closed, and when the process ends."""

    def __init__(self, folder: str | os.PathLike[str] | None = None):
        """:param folder: of a disk; the folder for temporary files, which is taken otherwise, may be memory."""
        self._file = cast(BinaryIO, tempfile.TemporaryFile(dir=folder, buffering=0))
        self._end = 0
        self._free: list[tuple[int, int]] = []  # places and bytes of what was dropped

    def keep(self, state: Any) -> Filed:
        """A copy of the state: what pickle makes of it, its arrays as they lie in memory."""
        buffers: list[pickle.PickleBuffer] = []
        head = pickle.dumps(state, protocol=5, buffer_callback=buffers.append)
        parts: list[bytes | memoryview] = [head, *(each.raw() for each in buffers)]
        sizes = [len(each) for each in parts]
        place, size = self._take(sum(sizes))
        self._file.seek(place)
        for each in parts:
            left = memoryview(each)
            while left:
                left = left[self._file.write(left):]
        return Filed(self, place, size, sizes)

    def read(self, place: int, sizes: list[int]) -> Any:
        self._file.seek(place)
        parts = [bytearray(size) for size in sizes]
        for each in parts:
            left = memoryview(each)
            while left:
                if not (count := cast(Any, self._file).readinto(left)):
                    raise OSError("the copy of a state on disk is cut off")
                left = left[count:]
        return pickle.loads(parts[0], buffers=parts[1:])

    def _take(self, size: int) -> tuple[int, int]:
        for at, (place, has) in enumerate(self._free):
            if has >= size:
                del self._free[at]
                return place, has
        self._end += size
        return self._end - size, size

    def drop(self, place: int, size: int) -> None:
        self._free.append((place, size))

    def close(self) -> None:
        self._file.close()


class Filed:
    """A copy in a file, as ``Kept`` is one in memory."""

    def __init__(self, disk: Disk, place: int, size: int, sizes: list[int]):
        self._disk, self._place, self._size, self._sizes = disk, place, size, sizes

    def again(self) -> Any:
        return self._disk.read(self._place, self._sizes)

    last = again

    def close(self) -> None:
        self._disk.drop(self._place, self._size)
