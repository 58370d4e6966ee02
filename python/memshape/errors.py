# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every error of memshape is an ``Error`` with one clear line: what is wrong, and what to do."""

from __future__ import annotations

from typing import Any, Callable, TypeVar

from . import _native
from ._page import in_python


class Error(Exception):
    """The base of all errors of memshape. ``code`` is stable, as in ``"arguments"`` or ``"no_formula"``."""

    def __init__(self, message: str, code: str = "no_answer"):
        super().__init__(message)
        self.message = message
        self.code = code

    def __str__(self) -> str:
        return self.message


class ArgumentError(Error, ValueError):
    """A shape symbol, a setting or an option is missing, unknown, or cannot have this value."""

    def __init__(self, message: str, code: str = "arguments"):
        super().__init__(message, code)


class FileError(Error, OSError):
    """A file cannot be read, or was not compiled with memshape."""


class OperatorError(Error, LookupError):
    """There is no such operator, or several are meant."""


class DoesNotFit(Error):
    """No chunks, no order or no checkpoints stay within the memory. ``least_bytes`` would do; None where nothing would, or
    where it is not known."""

    def __init__(self, message: str, least_bytes: int | None = None):
        super().__init__(message, "does_not_fit")
        self.least_bytes = least_bytes


_KINDS = {"file": FileError, "operator_name": OperatorError, "arguments": ArgumentError, "options": ArgumentError,
          "outside_domain": ArgumentError, "too_large": ArgumentError}

T = TypeVar("T")


def native(function: Callable[..., T], *arguments: Any) -> T:
    """Calls into the C++ interface; its errors become exceptions."""
    try:
        return function(*arguments)
    except _native.Failure as failure:
        code, message = failure.args
    raise _KINDS.get(code, Error)(in_python(message), code)
