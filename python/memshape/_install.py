# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds the commands and the runtime that belong to the library that this package was built with."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NoReturn

from . import _native
from .errors import Error


def library_folder() -> Path:
    """The folder of ``libmemshape.so``."""
    return Path(os.path.abspath(_native.library_file())).parent


def command() -> Path:
    """The command ``memshape`` of the installation."""
    for prefix in library_folder().parents:
        if (prefix / "bin" / "memshape").is_file():
            return prefix / "bin" / "memshape"
    raise Error(f"the command memshape is not beside {library_folder()}: install it there", "installation")


def run_command() -> NoReturn:
    """Becomes the command of the name that this process has: ``memshape`` or ``memshape-report``."""
    program = command().with_name(Path(sys.argv[0]).name)
    os.execv(program, [str(program), *sys.argv[1:]])


def runtime() -> Path:
    """``libmemshape_rt.so``, which counts allocations where it is preloaded."""
    found = library_folder() / "libmemshape_rt.so"
    if not found.is_file():
        raise Error(f"the runtime {found} is missing: install it there", "installation")
    return found
