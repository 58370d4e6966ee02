# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""interpreter.py PROCESS OPERATOR EXTENT... [--count]

Imports what PROCESS imports, makes the arguments of OPERATOR, calls it once, and prints the resident peak of the
process in bytes (VmHWM). With --count it prints instead what NumPy and Python requested for arguments and call, at
most (tracemalloc): what the formulas below have to say."""

import importlib
import sys
import tracemalloc
from dataclasses import dataclass
from typing import Callable

#: What each process imports, and which operators run in it.
PROCESSES = {
    "numpy": (["numpy"], ["affine", "outer", "ordered"]),
    "scipy": (["numpy", "scipy.ndimage", "scipy.spatial.distance"], ["affine", "smoothed", "distances"]),
    "pandas": (["numpy", "pandas"], ["outer", "ordered", "cumulated"]),
}


@dataclass
class Operator:
    """A formula in the symbols, of all bytes at the peak, and of the arguments alone. `make` gives the arguments."""

    shape: dict
    formula: str
    arguments: str
    make: Callable
    call: Callable


def ones(*shape, kind="f8"):
    return module("numpy").ones(shape, kind)


def module(name):
    return importlib.import_module(name)


OPERATORS = {
    "affine": Operator({"rows": 600, "cols": 500}, "16*rows*cols", "8*rows*cols",
                       lambda rows, cols: (ones(rows, cols),), lambda x: x * 2.0 + 1.0),
    "outer": Operator({"m": 700, "n": 500}, "8*m*n + 8*m + 8*n", "8*m + 8*n",
                      lambda m, n: (ones(m), ones(n)), lambda a, b: module("numpy").outer(a, b)),
    "ordered": Operator({"n": 250000}, "16*n", "8*n", lambda n: (ones(n),), lambda x: module("numpy").sort(x)),
    "smoothed": Operator({"ni": 80, "nx": 70, "ns": 90}, "8*ni*nx*ns", "4*ni*nx*ns",
                         lambda ni, nx, ns: (ones(ni, nx, ns, kind="f4"),),
                         lambda x: module("scipy.ndimage").gaussian_filter(x, 1.0)),
    "distances": Operator({"m": 900, "n": 700}, "8*m*n + 24*m + 24*n", "24*m + 24*n",
                          lambda m, n: (ones(m, 3), ones(n, 3)),
                          lambda a, b: module("scipy.spatial.distance").cdist(a, b)),
    "cumulated": Operator({"rows": 40000, "cols": 8}, "25*rows*cols", "8*rows*cols",
                          lambda rows, cols: (module("pandas").DataFrame(ones(rows, cols), copy=False),),
                          lambda frame: frame.cumsum()),
}


def main():
    count = "--count" in sys.argv
    process, name, *extents = [each for each in sys.argv[1:] if each != "--count"]
    operator = OPERATORS[name]
    for each in PROCESSES[process][0]:
        module(each)
    if count:  # what a first call brings besides is the process's own
        operator.call(*operator.make(*[max(4, extent // 8) for extent in map(int, extents)]))
        tracemalloc.start()
    arguments = operator.make(*map(int, extents))
    result = operator.call(*arguments)
    if count:
        print(tracemalloc.get_traced_memory()[1])
    else:
        print(next(int(line.split()[1]) * 1024 for line in open("/proc/self/status") if line.startswith("VmHWM")))
    del result


if __name__ == "__main__":
    main()
