# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gst3d and envelope of examples/, as shared libraries that are called through ctypes.

`build(clang, lib, folder)` compiles them with the flag of memshape. Processes find them in the folder that the variable
MEMSHAPE_BENCH_LIBRARIES names."""

import ctypes
import os
import re
import subprocess
from pathlib import Path

import numpy as np

EXAMPLES = Path(__file__).parents[2] / "examples"
FOLDER = "MEMSHAPE_BENCH_LIBRARIES"
SIGMA = 1.5
#: What is linked, and which function is called.
LIBRARIES = {"gst3d": (), "envelope": ("-lfftw3f",)}


def build(clang, lib, folder):
    """Compiles both and names the folder to this process and its children."""
    for name, linked in LIBRARIES.items():
        subprocess.run([f"{clang}/clang++", "-std=c++20", "-O2", "-g", "-fPIC", "-shared", f"-fplugin={lib}/memshape",
                        f"-I{EXAMPLES.parent}/runtime/include", str(EXAMPLES / f"{name}.cpp"), *linked, "-o",
                        f"{folder}/lib{name}.so"], check=True)
    os.environ[FOLDER] = str(folder)


def path(name):
    return f"{os.environ[FOLDER]}/lib{name}.so"


def _function(name, *types):
    symbols = subprocess.run(["nm", "-D", "--defined-only", path(name)], check=True, capture_output=True, text=True)
    mangled = re.search(rf"\b_Z{len(name)}{name}\w+", symbols.stdout).group()
    function = ctypes.CDLL(path(name))[mangled]
    function.restype, function.argtypes = None, types
    return function


_FLOATS = np.ctypeslib.ndpointer(np.float32, flags="C_CONTIGUOUS")
# Loaded with the module, so that it is part of what a worker holds before its first task.
if FOLDER in os.environ:
    # FFTW's planner is not made for threads that plan together, unless it is told.
    ctypes.CDLL("libfftw3f_threads.so.3", ctypes.RTLD_GLOBAL).fftwf_make_planner_thread_safe()
    _gst3d = _function("gst3d", _FLOATS, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_float, _FLOATS)
    _envelope = _function("envelope", _FLOATS, ctypes.c_int, ctypes.c_int, _FLOATS)


def gst3d(cube):
    cube = np.ascontiguousarray(cube)
    out = np.empty_like(cube)
    _gst3d(cube, *cube.shape, SIGMA, out)
    return out


def envelope(section):
    section = np.ascontiguousarray(section)
    out = np.empty_like(section)
    _envelope(section, *section.shape, out)
    return out
