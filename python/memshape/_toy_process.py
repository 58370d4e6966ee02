# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls a function at small shapes, with the runtime preloaded, and tells what each call held.

Started by ``_toys.py`` as ``python -m memshape._toy_process READ WRITE``, the numbers of two pipes. Requests and answers
are pickles, each behind its length (8 bytes, little endian).
"""

from __future__ import annotations

import gc
import io
import os
import pickle
import resource
import struct
import sys
import time
import zlib
from typing import Any, BinaryIO, Callable

from ._toys import forget_peak, seconds_waited, status_bytes, trim


def read(stream: BinaryIO) -> Any:
    head = stream.read(8)
    if len(head) < 8:
        os._exit(0)  # nothing here is worth the time that an interpreter takes to end
    return pickle.loads(stream.read(struct.unpack("<q", head)[0]))


def write(stream: BinaryIO, answer: Any) -> None:
    content = pickle.dumps(answer)
    stream.write(struct.pack("<q", len(content)) + content)
    stream.flush()


def limit_address_space(most: int) -> None:
    with open("/proc/self/statm", encoding="ascii") as file:
        now = int(file.read().split()[0]) * resource.getpagesize()
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    wanted = now + most
    resource.setrlimit(resource.RLIMIT_AS, (wanted if hard == resource.RLIM_INFINITY else min(hard, wanted), hard))


def varied(arguments: tuple[Any, ...], contents: str) -> tuple[Any, ...]:
    """The arguments with other contents in their arrays of numbers: the shape stays, the data differs. Whole numbers may
    be places in other arrays: they change their own places, or are zero. Inside of other objects they stay, for they may
    be the structure of the object, as in a sparse matrix."""
    if contents == "given":
        return arguments
    import numpy

    random = numpy.random.default_rng(7919)

    def vary(value: Any) -> Any:
        if contents == "zeros":
            return numpy.zeros_like(value)
        if value.dtype.kind in "iub":
            return random.permutation(value.ravel()).reshape(value.shape)
        return numpy.asarray(random.standard_normal(value.shape)).astype(value.dtype)

    class Varying(pickle.Pickler):
        def reducer_override(self, value: Any) -> Any:
            if isinstance(value, numpy.ndarray) and value.dtype.kind in "fc":
                return vary(value).__reduce__()
            return NotImplemented

    def varied_one(value: Any) -> Any:
        if isinstance(value, numpy.ndarray):
            return vary(value) if value.dtype.kind in "fciub" else value
        copied = io.BytesIO()
        try:
            Varying(copied, 5).dump(value)
            return pickle.loads(copied.getvalue())
        except Exception:  # no copy is made of it: its contents stay
            return value

    return tuple(varied_one(value) for value in arguments)


def digest(arguments: tuple[Any, ...]) -> int | None:
    """Equal for equal contents; None where the arguments do not tell theirs."""
    try:
        return zlib.crc32(pickle.dumps(arguments, 5))
    except Exception:  # of any class
        return None


def sizes(arguments: tuple[Any, ...]) -> list[int]:
    """Bytes of the arguments that have some: NumPy keeps small arrays of its own, which no malloc tells of."""
    return [int(getattr(value, "nbytes", 0) or 0) for value in arguments]


def call(function: Callable[..., Any], make: Callable[..., Any], shape: dict[str, int], contents: str) -> dict[str, Any]:
    """Figures of the first call at a shape and of the second one, which finds caches filled."""
    from memshape import _native

    symbols, values = list(shape), list(shape.values())
    answer: dict[str, Any] = {}
    for turn in ("first", "later"):
        gc.collect()
        arguments, made = _native.counted("memshape arguments", symbols, values, make, (), dict(shape))
        if not isinstance(arguments, tuple):
            return {"wrong": f"arguments(...) has to return a tuple of positional arguments, not a "
                             f"{type(arguments).__name__}"}
        arguments = varied(arguments, contents)
        if made is None:
            return {"wrong": "the runtime does not count in this interpreter: it needs the C library's malloc, shared"}
        trim()  # what allocators keep of freed blocks would hide a part of what the call takes
        held = status_bytes("VmRSS") if forget_peak() else None
        started, waited = time.perf_counter(), seconds_waited()
        result, figures = _native.counted("memshape toy", symbols, values, function, arguments, {})
        seconds = time.perf_counter() - started - (seconds_waited() - waited)
        answer[turn] = {**(figures or {}), "seconds": max(seconds, 0.0),
                        "resident_bytes": 0 if held is None else max(0, status_bytes("VmHWM") - held)}
        answer["arguments_bytes"] = max(made["output_bytes"], 0)
        answer["digest"] = digest(arguments)
        answer["array_bytes"] = sum(sizes(arguments))
        answer["largest_array_bytes"] = max(sizes(arguments), default=0)
        answer["result"] = shape_of(result)
        answer["owned_bytes"] = owned(result, max(answer[turn].get("output_bytes", 0), 0))
        answer["lazy"] = type(result).__name__ if hasattr(result, "__next__") or hasattr(result, "__dask_graph__") else ""
        del result, arguments
    return answer


def shape_of(result: Any) -> tuple[tuple[int, ...], str] | None:
    """Extents and type, of an array."""
    try:
        return tuple(int(extent) for extent in result.shape), str(result.dtype)
    except Exception:  # of any class
        return None


def owned(result: Any, otherwise: int) -> int:
    """Bytes of the array that a result is, or is a view of."""
    of = getattr(sys.modules.get("numpy"), "ndarray", ())
    while isinstance(getattr(result, "base", None), of):
        result = result.base
    return int(result.nbytes) if isinstance(result, of) and result.base is None else otherwise


def in_one_line(failure: BaseException) -> str:
    """Its type, and the first line of what it says."""
    try:
        told = str(failure).strip().splitlines()
    except Exception:  # its own
        told = []
    return ": ".join([type(failure).__name__, *told[:1]])


def main() -> None:
    requests, answers = os.fdopen(int(sys.argv[1]), "rb"), os.fdopen(int(sys.argv[2]), "wb")
    # What the function prints is not ours, and must not be in the way of whoever measures.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    function: Callable[..., Any]
    make: Callable[..., Any]
    while True:
        request = read(requests)
        try:
            if request["do"] == "load":
                sys.path[:] = request["path"]
                function, make = pickle.loads(request["callables"])
                # What was imported stays: collections between calls need not look at it.
                gc.collect()
                gc.freeze()
                limit_address_space(request["address_space"])
                os.dup2(1, 2)
                write(answers, {})
            else:
                write(answers, call(function, make, request["shape"], request["contents"]))
        except (Exception, SystemExit) as failure:
            write(answers, {"raised": in_one_line(failure)})


if __name__ == "__main__":
    main()
