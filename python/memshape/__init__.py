# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The peak memory of an operator at any input shape, before it runs.

    >>> import memshape
    >>> smooth = memshape.open("smooth.o")["smooth"]
    >>> smooth.predict(ni=651, nx=951, ns=462).peak_bytes
    1144102352
    >>> smooth.formula(ni=10, nx=10, ns=1000)
    408008

All sizes are bytes; extents of shapes are counts of elements.
"""

from ._checkpoint import Checkpoints, Level, checkpoint
from ._formula import Formula
from ._largest import Frontier, Largest
from ._measured import MeasuredOperator, measured
from ._native import version as _version
from ._operator import Decision, Operator, Prediction, Program, Site, open
from ._plan import Plan, plan
from ._reverse import Reversal, reverse
from ._schedule import Eviction, Mapped, Schedule, schedule
from .errors import ArgumentError, DoesNotFit, Error, FileError, OperatorError

__version__: str = _version()

__all__ = ["ArgumentError", "Checkpoints", "Decision", "DoesNotFit", "Error", "Eviction", "FileError", "Formula", "Frontier", "Largest",
           "Level", "Mapped", "MeasuredOperator", "Operator", "OperatorError", "Plan", "Prediction", "Program", "Reversal", "Schedule",
           "Site", "checkpoint", "measured", "open", "plan", "reverse", "schedule"]
