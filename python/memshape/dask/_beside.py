# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What functions of NumPy and Dask take beside their inputs and their output, as was measured."""

from __future__ import annotations

import functools
from typing import Any, Mapping

import numpy

#: Modules whose functions take nothing to speak of beside what they return.
PLAIN = ("operator", "_operator", "builtins", "dask.array.core", "dask.array.chunk", "dask.array.wrap",
         "dask.array.creation", "dask.array.overlap", "dask.array.blockwise", "dask.array.utils", "dask.blockwise",
         "dask.array.random", "dask.array.numpy_compat", "dask.utils", "numpy.random._generator")
#: Of functions of NumPy and of Dask's reductions: multiples of the bytes that they read. Where data is converted to
#: doubles, of floats.
TIMES = {
    **dict.fromkeys(("all", "any", "chunk_max", "chunk_min", "max", "min", "cumsum", "cumprod", "_cumsum_merge", "_cumprod_merge",
                     "_matmul", "_tensordot", "_sqrt", "mean_chunk"), 0.05),
    **dict.fromkeys(("sum", "prod"), 0.5), **dict.fromkeys(("arg_chunk", "_chunk_sum", "_nanmin_skip", "_nanmax_skip"), 1.05),
    **dict.fromkeys(("nansum", "nanprod", "nanmax", "nanmin"), 1.3), "median": 2.1, "nanmedian": 4.2, "moment_chunk": 5.2}
#: Functions of NumPy that only make what they return, or views.
MAKES = frozenset((
    "arange array asarray atleast_1d atleast_2d broadcast_to concatenate copy diag empty empty_like expand_dims eye flip full "
    "full_like linspace moveaxis ones ones_like ravel repeat reshape roll rollaxis rot90 squeeze stack swapaxes take tile "
    "transpose tri where zeros zeros_like").split())
#: Of what puts partial results of a reduction together, and reduces them: small arrays, in general.
TOGETHER = 4.2


def beside(function: Any, keywords: Mapping[str, Any]) -> float | None:
    """A multiple of the bytes that are read; None where it is not known. ``keywords`` are those of the call."""
    while isinstance(function, functools.partial):
        function, keywords = function.func, {**function.keywords, **keywords}
    first = getattr(function, "first", None)  # of a composition: partial results are put together before
    while isinstance(first, functools.partial):
        first = first.func
    name, module = getattr(function, "__name__", ""), str(getattr(function, "__module__", ""))
    if isinstance(function, numpy.ufunc) or module in PLAIN:
        return 0.0
    if getattr(first, "__name__", "") == "_concatenate2" or module == "dask.array.reductions" and name.endswith(("_agg", "_combine")):
        return TOGETHER
    if any("nan" in getattr(each, "__name__", "") for each in keywords.values()):  # sums of what is no NaN: of a copy
        return TIMES["nansum"] + TIMES.get(name, 0)
    if module == "numpy" and name in MAKES:
        return 0.0
    return TIMES.get(name) if module in ("numpy", "dask.array.reductions", "dask.array.routines") else None
