# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Chooses toy shapes.

NumPy reuses temporaries from 256 KiB on, and SciPy's line buffers stop growing near there: what is seen in smaller
arrays says nothing about large ones. So shapes are grown, slowly, until the largest argument has about 2 MB, or until a
call comes near the limits of a toy; samples are then drawn near that size, stretched in all directions. Where calls take
too long for that, or fail, toys are smaller, and ``too_small`` says so.
"""

from __future__ import annotations

import math
import random
from typing import Callable, Mapping, Sequence

from ._toys import Refused, Toy
from .errors import ArgumentError, Error

#: No toy holds more, arguments included, and none takes longer.
MOST_BYTES, MOST_SECONDS = 64 << 20, 2.0
#: What sizes aim at: far enough below the limits that stretched shapes stay within them.
AIM_BYTES, AIM_SECONDS, AIM_ARRAY = 44 << 20, 0.7, 2_000_000
MOST_FIRST_EXTENT = 4096
#: A flat shape is so many times shorter along one axis.
FLAT = 8.0
#: Sides of samples are longer or shorter by up to this factor.
STRETCH = math.exp(0.45)
#: The largest toys have up to so many times the volume of samples; one that only tests the law has more, and may hold
#: more bytes.
LARGEST = 8.0
HELD_OUT, MOST_HELD_OUT = 64.0, 256 << 20
#: Where calls are too slow for toys of this size, one call may take so many seconds, if its array has so many bytes at least.
CONFIRMING_SECONDS, CONFIRMING_ARRAY = 15.0, 512 << 10
FIRST_EXTENTS = (8, 16, 32, 64, 128, 4, 2)

#: What functions raise because of the extents of arrays.
OF_EXTENTS = ("ValueError", "IndexError", "AssertionError", "RuntimeError", "ZeroDivisionError", "LinAlgError", "MemoryError")

Call = Callable[[Mapping[str, int]], Toy]


class ToyShapes:
    """Shapes for toys of one callable."""

    def __init__(self, symbols: Sequence[str], ranges: Mapping[str, tuple[int, int]], call: Call):
        self.symbols = list(symbols)
        self.ranges = dict(ranges)
        self._call = call
        self._random = random.Random(7919)
        self.growing: list[str] = []
        self.base: dict[str, float] = {}
        self.too_small = ""  #: why toys are smaller than they should be
        self._is_slow = False  #: that is why
        self._at = self._quick()  #: the last toy of those that looked for the size
        self._find_size()

    def _clamped(self, name: str, value: float) -> int:
        low, high = self.ranges.get(name, (1, 2**31 - 1))
        return int(min(max(round(value), low), high))

    def _shape(self, values: Mapping[str, float]) -> dict[str, int]:
        return {name: self._clamped(name, values[name]) for name in self.symbols}

    def _first(self) -> Toy:
        told, ended = "", 0
        for extent in FIRST_EXTENTS:
            try:
                return self._call(self._shape(dict.fromkeys(self.symbols, extent)))
            except Refused as refusal:
                told = str(refusal)
                ended += refusal.ended
                if refusal.too_long:
                    raise ArgumentError(f"at {extent} along each axis {told}: say longest_call=SECONDS where the callable "
                                        "needs longer when it is first called") from None
            if ended > 1:
                break
        tried = FIRST_EXTENTS[:FIRST_EXTENTS.index(extent) + 1]
        raise ArgumentError(f"the callable returns at no small shape, with {min(tried)} to {max(tried)} along each axis: "
                            f"{told}" + ("; say ranges={name: (least, most)} for symbols that cannot have such values"
                                        if ended <= 1 and told.startswith(OF_EXTENTS) else ""))

    def _find_growing(self, at: Toy) -> None:
        """Symbols whose arguments grow with them; where there are none, those with which the peak grows."""
        moved: dict[str, Toy] = {}
        for name in self.symbols:
            wanted = {**at.shape, name: self._clamped(name, at.shape[name] * 2)}
            try:
                if wanted != at.shape:
                    moved[name] = self._call(wanted)
            except Refused:
                pass
        self.growing = [name for name, toy in moved.items() if toy.array_bytes > at.array_bytes]
        if not self.growing:
            self.growing = [name for name, toy in moved.items() if toy.arguments_bytes > at.arguments_bytes]
        if not self.growing:
            self.growing = [name for name, toy in moved.items() if toy.peak_bytes > at.peak_bytes]

    def _quick(self) -> Toy:
        """The first toy, or the smallest one where that takes too long."""
        found = self._first()
        if found.seconds > MOST_SECONDS:
            try:
                found = self._call(self._shape(dict.fromkeys(self.symbols, FIRST_EXTENTS[-1])))
            except Refused:
                pass
        if found.seconds > MOST_SECONDS:
            at = ", ".join(f"{name}={extent}" for name, extent in found.shape.items())
            raise ArgumentError(f"a call took {found.seconds:.1f} s at {at}, and toys may take {MOST_SECONDS:.0f}: it cannot "
                                "be measured")
        return found

    def _longest(self, name: str) -> float:
        """The most that the base of a symbol may be: samples that are stretched stay in its range."""
        low, high = self.ranges.get(name, (1, 2**31 - 1))
        return max(low, high / STRETCH)

    def _find_size(self) -> None:
        now = self._at
        self._find_growing(now)
        # Small blocks are kept by whoever made them: what grows is seen from some KiB on.
        while not self.growing and max(now.shape.values()) < MOST_FIRST_EXTENT:
            try:
                grown = self._call(self._shape({name: 2 * value for name, value in now.shape.items()}))
            except Refused:
                break
            if grown.shape == now.shape:
                break
            now = grown
            self._find_growing(now)
        self.base = {name: float(value) for name, value in now.shape.items()}
        if not self.growing:
            self.too_small = "nothing that it holds grows with its symbols"
            return
        step, exponent = 1.5 if len(self.growing) > 1 else 2.0, float(len(self.growing))
        told = ""
        while self._room(now) > step**exponent * 1.05:
            wanted = self._grown(step)
            if self._shape(wanted) == self._shape(self.base):
                told = "the ranges of its symbols end there"
                break
            try:
                grown = self._call(self._shape(wanted))
            except Refused as refusal:
                told = f"at larger ones, {refusal}"
                break
            size, before = self._size(grown), self._size(now)
            if size > before > 0:
                exponent = min(max(math.log(size / before) / math.log(step), 0.5), 6.0)
            now, self.base = grown, wanted
        factor = 1.0 if told else max(min(self._room(now), step**exponent) ** (1 / exponent), 0.3)
        self.base = self._grown(factor)
        # What time, ranges or failures left unused of the size that toys should have.
        if self._room_for_bytes(now) > 2 * factor**exponent:
            self.too_small = told or f"a call takes {now.seconds:.2g} s"
            self._is_slow = not told
        self._at, self._exponent = now, exponent

    def _grown(self, factor: float) -> dict[str, float]:
        return {**self.base, **{name: min(self.base[name] * factor, max(self._longest(name), self.base[name]))
                                for name in self.growing}}

    @staticmethod
    def _size(toy: Toy) -> int:
        return max(toy.arguments_bytes, toy.array_bytes) + toy.peak_bytes

    def _room(self, toy: Toy) -> float:
        """By how much a toy may grow until it is large enough, or too large."""
        return min(self._room_for_bytes(toy), AIM_SECONDS / max(toy.seconds, 1e-6))

    def _room_for_bytes(self, toy: Toy) -> float:
        array = toy.largest_array_bytes or toy.arguments_bytes
        by_array = AIM_ARRAY / array if array else math.inf
        # Where arguments are small beside what is made of them, what is made decides.
        if array * 64 < toy.peak_bytes:
            by_array = math.inf
        return min(by_array, AIM_BYTES / max(self._size(toy), 1))

    def larger(self) -> list[dict[str, int]]:
        """Shapes of several times the volume of samples, as long as they should stay within the limits of a toy: what
        other algorithms begin at shows there."""
        most = self._volumes(LARGEST, MOST_BYTES)
        return self._of_volumes(most**0.5, most)

    def held_out(self) -> list[dict[str, int]]:
        """One that is larger than all of these, where it should take no longer than a toy."""
        most = self._volumes(HELD_OUT, MOST_HELD_OUT)
        return self._of_volumes(most) if most > 1.1 * self._volumes(LARGEST, MOST_BYTES) else []

    def _volumes(self, most: float, most_bytes: int) -> float:
        """How many times the volume of samples stays within limits."""
        if not self.growing:
            return 1.0
        grew = self._grew()
        return float(min(most, 0.9 * most_bytes / max(self._size(self._at) * grew, 1),
                         MOST_SECONDS / 2 / max(self._at.seconds * grew, 1e-6)))

    def _grew(self) -> float:
        """How many times the volume of the toy that was measured last samples have."""
        now = math.prod(self.base[name] / self._at.shape[name] for name in self.growing) ** (1 / len(self.growing))
        return float(max(now, 0.01) ** self._exponent)

    def confirming(self) -> list[dict[str, int]]:
        """Where calls are slow, one of the size that toys should have, or nearly: it tells whether their law holds there."""
        if not self._is_slow:
            return []
        grew = self._grew()
        volume = min(self._room_for_bytes(self._at), CONFIRMING_SECONDS / self._at.seconds) / grew
        array = self._at.largest_array_bytes or self._at.arguments_bytes
        return self._of_volumes(volume) if array * grew * volume >= CONFIRMING_ARRAY else []

    def _of_volumes(self, *volumes: float) -> list[dict[str, int]]:
        found = [self._shape(self._grown(volume ** (1 / self._exponent))) for volume in volumes if max(volumes) > 1.1]
        return [shape for shape in found if shape != self._shape(self.base)]

    def short(self, name: str) -> dict[str, int]:
        """The size that was found, with one extent as short as in a flat shape."""
        return self._shape({**self.base, name: self.base[name] / FLAT})

    def flat(self) -> list[dict[str, int]]:
        """Shapes of the same volume with one extent that is short, or long: libraries change regime with the length of a
        row or the area of a face, too, and in large arrays all of them are long."""
        found = []
        for short in self.growing if len(self.growing) > 1 else []:
            for factor in (1 / FLAT, FLAT ** 0.5):
                wanted = dict(self.base)
                for name in self.growing:
                    wanted[name] *= factor if name == short else factor ** (-1 / (len(self.growing) - 1)) * 0.97
                shape = self._shape(wanted)
                if min(shape[name] for name in self.growing) > 1 and shape not in found:
                    found.append(shape)
        return found

    def draw(self, smaller: bool = False, around: Mapping[str, float] | None = None) -> dict[str, int]:
        """A shape near the size that was found, or near another: its volume is 0.45 to 1 of that, its sides are up to
        twice as long as others. ``smaller``: half as large again."""
        wanted = dict(self.base if around is None else around)
        stretch = {name: STRETCH ** self._random.uniform(-1, 1) for name in self.growing}
        mean = math.prod(stretch.values()) ** (1 / max(len(stretch), 1))
        volume = self._random.uniform(0.45, 1.0) * (0.5 if smaller else 1.0)
        for name in self.growing:
            wanted[name] *= stretch[name] / mean * volume ** (1 / len(self.growing))
        for name in self.symbols:
            if name not in self.growing:
                low, high = self.ranges.get(name, (max(1, int(self.base[name] / 2)), int(self.base[name] * 2)))
                wanted[name] = self._random.randint(low, max(low, min(high, low + 24)))
        return self._shape(wanted)

    def shrink(self) -> None:
        """Later shapes are smaller: one was too large."""
        for name in self.growing:
            self.base[name] *= 0.9 ** (1 / len(self.growing))
        if self.growing and max(self.base[name] for name in self.growing) < 2:
            raise Error("no toy shape stays below 64 MiB and two seconds", "no_answer")
