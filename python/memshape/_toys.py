# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A child process in which a callable is called at small shapes while the runtime counts."""

from __future__ import annotations

import contextlib
import ctypes
import os
import pickle
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from typing import Any, Callable, Mapping

import cloudpickle  # type: ignore[import-untyped,import-not-found,unused-ignore]

from . import _install
from .errors import ArgumentError, Error

#: Seconds after which loading the callable, or the first call in a process, is given up: it may import and compile.
LONGEST_CALL = 300.0
#: And any later call. Shapes grow slowly, so that calls of two seconds are not passed by far.
LONGEST_LATER_CALL = 30.0
#: Address space that calls may take beyond what the process has: a mistake ends in MemoryError, not in a full machine.
MOST_ADDRESS_SPACE = 2 << 30


@dataclass(frozen=True)
class Result:
    """An array that was returned."""

    shape: tuple[int, ...]
    dtype: str


@dataclass(frozen=True)
class Toy:
    """What one callable held at one shape. Bytes."""

    shape: dict[str, int]
    peak_bytes: int  #: of the second call; the output counts, the arguments do not
    peak_most_bytes: int  #: upper bound, where threads met at the peak
    first_peak_bytes: int  #: of the first call at this shape
    output_bytes: int
    total_bytes: int
    allocations: int
    arguments_bytes: int
    array_bytes: int  #: as the arguments themselves say
    largest_array_bytes: int
    seconds: float  #: of the second call, without those in which it waited for a processor
    digest: int | None = None  #: of the arguments
    is_first: bool = False  #: its first call was the first one of the process
    result: Result | None = None  #: what it returned; None where that is no array
    left_bytes: int = 0  #: live after the call beside the array that it returned
    lazy: str = ""  #: the type of what it returned, where that has yet to be computed
    resident_bytes: int = 0  #: by how much the process grew at the peak of a call; 0 where nothing tells


class Refused(Exception):
    """The callable raised, took too long, or ended its process, at a shape."""

    def __init__(self, told: str, ended: bool = False, too_long: bool = False):
        super().__init__(told)
        self.ended, self.too_long = ended, too_long


def seconds_waited(process: int | str = "self") -> float:
    """For how long the main thread of a process was ready, and had no processor; 0 where the kernel does not tell."""
    try:
        with open(f"/proc/{process}/schedstat", encoding="ascii") as file:
            return int(file.read().split()[1]) * 1e-9
    except (OSError, IndexError):
        return 0.0


def status_bytes(name: str) -> int:
    """Bytes of a member of /proc/self/status."""
    with open("/proc/self/status", encoding="ascii") as file:
        return next((int(line.split()[1]) * 1024 for line in file if line.startswith(name)), 0)


def trim() -> None:
    """The C library gives back what it keeps."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def forget_peak() -> bool:
    """The kernel counts the peak of this process from here."""
    try:
        with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
            file.write("5")
        return True
    except OSError:
        return False


class ToyProcess:
    """Use it with ``with``. Started again where a call ends the process. ``longest_call`` is of loading and of the first
    call in a process: seconds, without those in which the process waited for a processor."""

    def __init__(self, function: Callable[..., Any], make: Callable[..., tuple[Any, ...]], longest_call: float = LONGEST_CALL,
                 address_space: int = MOST_ADDRESS_SPACE):
        self._longest_call, self._address_space = longest_call, address_space  # seconds, bytes
        try:
            self._callables = cloudpickle.dumps((function, make))
        except Exception as failure:
            raise ArgumentError(f"the callable cannot be handed to another process: {failure}") from None
        self._folder = tempfile.mkdtemp(prefix="memshape-toys-")
        self._process: subprocess.Popen[bytes] | None = None
        self._is_fresh = True  #: nothing was called in the process
        self._requests: Any = None
        self._answers: Any = None

    def __enter__(self) -> "ToyProcess":
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def call(self, shape: Mapping[str, int], contents: str = "given") -> Toy:
        """Both calls at a shape. Raises Refused where the callable does not return there."""
        if self._process is None:
            self._start()
        is_first = self._is_fresh
        longest = self._longest_call if is_first else min(self._longest_call, LONGEST_LATER_CALL)
        answer = self._ask({"do": "call", "shape": dict(shape), "contents": contents}, longest)
        self._is_fresh = self._process is None
        if "wrong" in answer:
            raise ArgumentError(answer["wrong"])
        if "raised" in answer:
            raise Refused(answer["raised"], "ended" in answer, "too_long" in answer)
        first, later = answer["first"], answer["later"]
        return Toy(dict(shape), max(later["peak_bytes"], 0), max(later["peak_most_bytes"], 0), first["peak_bytes"],
                   max(later["output_bytes"], 0), later["total_bytes"], later["allocations"],
                   answer["arguments_bytes"], answer["array_bytes"], answer["largest_array_bytes"],
                   later["seconds"], answer["digest"], is_first,
                   None if answer["result"] is None else Result(*answer["result"]),
                   max(0, later["output_bytes"] - answer["owned_bytes"]), answer["lazy"],
                   max(later["resident_bytes"], 0 if is_first else first["resident_bytes"]))

    def _start(self) -> None:
        read_request, write_request = os.pipe()
        read_answer, write_answer = os.pipe()
        environment = {name: value for name, value in os.environ.items() if not name.startswith("MEMSHAPE_")}
        preload = [str(_install.runtime())] + environment.get("LD_PRELOAD", "").split()
        environment.update(LD_PRELOAD=" ".join(preload), MEMSHAPE_RUNTIME_EXACT_PEAK="1",
                           MEMSHAPE_RUNTIME_RECORD=os.path.join(self._folder, "record"),
                           PYTHONPATH=os.pathsep.join(path for path in sys.path if path))
        # Objects of the interpreter live in its arenas, as they do in a user's process.
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "memshape._toy_process", str(read_request), str(write_answer)],
                env=environment, pass_fds=(read_request, write_answer), stdin=subprocess.DEVNULL)
        finally:
            os.close(read_request)
            os.close(write_answer)
        self._requests, self._answers = os.fdopen(write_request, "wb"), os.fdopen(read_answer, "rb")
        told = self._ask({"do": "load", "path": sys.path, "callables": self._callables,
                          "address_space": self._address_space}, self._longest_call)
        if "raised" in told:
            raise ArgumentError(f"the callable cannot be loaded in another process: {told['raised']}" +
                                (": say longest_call=SECONDS" if "too_long" in told else ""))

    def _ask(self, request: dict[str, Any], longest: float) -> dict[str, Any]:
        content = pickle.dumps(request)
        try:
            self._requests.write(struct.pack("<q", len(content)) + content)
            self._requests.flush()
        except BrokenPipeError:
            return self._ended(request)
        waiting = select.poll()  # which takes more than the first 1024 files of a process
        waiting.register(self._answers, select.POLLIN)
        began, waited = time.monotonic(), seconds_waited(self._process.pid if self._process else 0)
        while not waiting.poll(500):
            mine = time.monotonic() - began
            if mine > longest and mine - seconds_waited(self._process.pid if self._process else 0) + waited > longest:
                self._stop()
                return {"raised": f"it took more than {longest:.0f} s", "too_long": True}
        head = self._answers.read(8)
        if len(head) < 8:
            return self._ended(request)
        answer: dict[str, Any] = pickle.loads(self._answers.read(struct.unpack("<q", head)[0]))
        return answer

    def _ended(self, request: dict[str, Any]) -> dict[str, Any]:
        status = self._process.wait() if self._process else None
        self._stop()
        if request["do"] == "load":
            raise Error(f"the process for toy calls ended with status {status} before it began", "installation")
        return {"raised": f"the process ended with status {status}", "ended": True}

    def _stop(self) -> None:
        if self._process is None:
            return
        for stream in (self._requests, self._answers):
            try:
                stream.close()
            except OSError:
                pass
        try:
            self._process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None
