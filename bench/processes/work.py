# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""work.py PROCESS OPERATOR EXTENT... [--count]

Imports what PROCESS imports, makes the arguments of OPERATOR, calls it once, and prints the resident peak of the
process in bytes (VmHWM). With --count it prints instead what NumPy and Python requested for arguments and call, at
most (tracemalloc): what the formulas below have to say."""

import importlib
import sys
import tracemalloc

PROCESSES = {
    "numpy": ["numpy"],
    "scipy": ["numpy", "scipy.ndimage", "scipy.spatial.distance"],
    "pandas": ["numpy", "pandas"],
    "plots": ["numpy", "matplotlib.pyplot"],
    "signals": ["numpy", "scipy.ndimage", "scipy.signal", "scipy.linalg", "scipy.optimize"],
    "images": ["numpy", "skimage.filters", "skimage.transform", "skimage.morphology"],
    "notebook": ["numpy", "scipy.signal", "scipy.stats", "pandas", "matplotlib.pyplot", "skimage.filters"],
}


class Operator:
    """A formula in the symbols, of all bytes at the peak, and of the arguments alone. `make` gives the arguments."""

    def __init__(self, shape, formula, arguments, make, call):
        self.shape, self.formula, self.arguments, self.make, self.call = shape, formula, arguments, make, call


def ones(*shape, kind="f8"):
    import numpy
    return numpy.ones(shape, kind)


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
    "spectrum": Operator({"traces": 500, "half": 300}, "32*traces*half + 16*traces", "16*traces*half",
                         lambda traces, half: (ones(traces, 2 * half),), lambda x: module("numpy").fft.rfft(x)),
    "product": Operator({"m": 500, "k": 300, "n": 400}, "8*m*k + 8*k*n + 8*m*n", "8*m*k + 8*k*n",
                        lambda m, k, n: (ones(m, k), ones(k, n)), lambda a, b: a @ b),
    "gradient": Operator({"ni": 60, "nx": 50, "ns": 70}, "32*ni*nx*ns + 8*ni*nx*(ns - 2)", "8*ni*nx*ns",
                         lambda ni, nx, ns: (ones(ni, nx, ns),), lambda x: module("numpy").gradient(x)),
    "stacked": Operator({"rows": 300, "cols": 400}, "32*rows*cols", "8*rows*cols",
                        lambda rows, cols: (ones(rows, cols),), lambda x: module("numpy").stack([x, x, x])),
    "tensor": Operator({"ni": 50, "nx": 45, "ns": 55}, "80*ni*nx*ns", "8*ni*nx*ns", lambda ni, nx, ns: (ones(ni, nx, ns),),
                       lambda x: [a * b for a in module("numpy").gradient(x) for b in (x, 2.0)]),
    "median": Operator({"rows": 1500, "cols": 1200}, "2*rows*cols", "rows*cols",
                       lambda rows, cols: (ones(rows, cols, kind="u1"),),
                       lambda x: module("scipy.ndimage").median_filter(x, 3)),
}

# Which operators run in which process.
SERIES = {
    "numpy": ["affine", "outer", "ordered"],
    "scipy": ["affine", "smoothed", "distances"],
    "pandas": ["outer", "ordered", "cumulated"],
    "plots": ["spectrum", "product", "gradient"],
    "signals": ["spectrum", "tensor", "median"],
    "images": ["gradient", "stacked", "median"],
    "notebook": ["spectrum", "product", "stacked", "tensor"],
}


def main():
    count = "--count" in sys.argv
    process, name, *extents = [each for each in sys.argv[1:] if each != "--count"]
    operator = OPERATORS[name]
    for each in PROCESSES[process]:
        module(each)
    if count:
        if operator.shape:  # what a first call brings besides is the process's own
            operator.call(*operator.make(*[max(4, extent // 8) for extent in map(int, extents)]))
        tracemalloc.start()
    arguments = operator.make(*map(int, extents))
    result = operator.call(*arguments)
    if count:
        print(tracemalloc.get_traced_memory()[1])
    else:
        print(next(int(line.split()[1]) * 1024 for line in open("/proc/self/status") if line.startswith("VmHWM")))
    del result


main()
