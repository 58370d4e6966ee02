# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values as Dask serialises them, in files of <memshape/out_of_core/files.h>."""

from __future__ import annotations

from typing import Any, NamedTuple

import distributed.protocol
import numpy
from distributed.protocol.compression import get_compression_settings
from distributed.utils import nbytes

from .. import _native
from ..errors import native

#: Dask's own functions have no types.
_protocol: Any = distributed.protocol
_nbytes: Any = nbytes
#: What arrays begin at a multiple of in a file. Bytes.
ALIGNED = 64


class Written(NamedTuple):
    """A value in a file."""

    number: int
    before: int  #: bytes in front of what Dask serialised
    bytes: int  #: of the file


class Unserialisable(Exception):
    """Dask cannot turn a value into bytes."""


class OnDisk:
    """Errors of files are of memshape.errors.Error, with the code of the store: full, io, lost, corrupt."""

    def __init__(self, folder: str):
        self._files = native(_native.Files, folder)
        settings: Any = get_compression_settings
        self._compression = settings("distributed.worker.memory.spill-compression")

    @property
    def folder(self) -> str:
        return str(self._files.folder)

    def frames(self, value: Any) -> tuple[list[Any], int, int]:
        """What write() takes: parts, how many bytes of the first are padding, bytes of all."""
        try:
            parts = _protocol.serialize_bytelist(value, compression=self._compression, on_error="raise")
        except Exception as why:
            raise Unserialisable(f"{type(why).__name__}: {why}") from why
        # The first two are Dask's own; the arrays behind them shall begin where processors like it.
        before = -sum(_nbytes(part) for part in parts[:2]) % ALIGNED
        parts.insert(0, bytes(before))
        return parts, before, sum(_nbytes(part) for part in parts)

    def write(self, parts: list[Any], before: int, total: int) -> Written:
        return Written(native(self._files.write, parts), before, total)

    def read(self, written: Written) -> Any:
        """The value. Its arrays are views of the memory that the file was read into, and can be written to."""
        page = self._files.page
        padded = -(-written.bytes // page) * page
        memory: Any = numpy.empty(padded + page, numpy.uint8)
        begin = -memory.ctypes.data % page
        native(self._files.read, written.number, memory[begin:begin + padded])
        return _protocol.deserialize_bytes(memoryview(memory)[begin + written.before:begin + written.bytes])

    def remove(self, written: Written) -> None:
        native(self._files.remove, written.number)
