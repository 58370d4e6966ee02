# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Formulas as callables."""

from __future__ import annotations

from typing import Mapping

from . import _native
from ._shape import checked_shape
from .errors import native


class Formula:
    """Bytes as a function of shape symbols, confirmed at many shapes.

    ``formula(ni=400, nx=300, ns=200)`` is a number of bytes. ``str(formula)`` is the text, as people write it.
    """

    def __init__(self, of: _native.Formula, everywhere: bool = False):
        self._of = of
        self._everywhere = everywhere

    @property
    def text(self) -> str:
        """As people write it: ``"4*ni*nx*ns + 8*ns + 8"``, in bytes."""
        return self._of.text

    @property
    def symbols(self) -> tuple[str, ...]:
        """The names in it."""
        return tuple(self._of.symbols)

    @property
    def domain(self) -> dict[str, tuple[int, int]]:
        """Where it was verified: the least and the greatest value of each symbol, both inclusive."""
        return dict(self._of.domain)

    @property
    def verified_shapes(self) -> int:
        """The number of shapes, none of which it was made from, at which it was verified."""
        return self._of.verified_shapes

    def __call__(self, shape: Mapping[str, int] | None = None, /, **extents: int) -> int:
        """Bytes at a shape. A formula of a measured operator answers beyond its domain as well, where nothing confirms
        it. Raises ArgumentError where a symbol is missing, or outside of the domain."""
        at = checked_shape(shape, extents)
        return native(self._of.extrapolate if self._everywhere else self._of.value, at)

    def extrapolate(self, shape: Mapping[str, int] | None = None, /, **extents: int) -> int:
        """Bytes at a shape, also outside of the domain, where nothing confirms it."""
        return native(self._of.extrapolate, checked_shape(shape, extents))

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<memshape.Formula {self.text}>"
