# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators written in Python: toy calls, counted to the byte, and the formula that goes through them."""

from __future__ import annotations

import copy
import functools
import random
from dataclasses import dataclass
from typing import Any, Callable, Mapping, Sequence

from . import _html, _native, _page
from ._formula import Formula
from ._law import Law, Regime, nearest, whole
from ._operator import Decision, Prediction, Site
from ._page import percent, several
from ._progress import Progress
from ._shape import as_integer, checked_shape, held_of
from ._toy_shapes import MOST_BYTES, MOST_SECONDS, ToyShapes
from ._toys import LONGEST_CALL, LONGEST_LATER_CALL, Refused, Toy, ToyProcess
from .errors import ArgumentError, Error, native

#: Toys that a formula is made from, first; with squares of symbols; and toys that only verify.
FIRST_TOYS, MORE_TOYS, VERIFYING_TOYS = 24, 38, 6
#: All of them, with those that look for the size.
USUAL_TOYS = 60
#: Toys that may fail, or be too large, before the search ends.
MOST_REFUSED = 12
#: A law that is not exact says so much more than its error as a bound, and above the greatest error nothing.
BOUND_FACTOR, GREATEST_ERROR = 3, 0.15
#: So many of the largest toys tell which of two bad laws is nearer.
MOST_LARGEST = 3
#: Of a peak, bytes that objects of the interpreter make more or less: lists grow in steps.
NOISE = 4096
#: Buffers of libraries are not longer, in bytes: NumPy's loops over other types have up to 8192 elements of each.
BUFFER = 256 << 10
#: Of a process, bytes by which it grows more or less than is requested.
RESIDENT_NOISE = 4 << 20


@dataclass(frozen=True)
class _Figure:
    """One figure as a function of the shape."""

    formula: Formula | None
    law: Law | Regime | None
    verified: int
    error: float  #: the greatest relative error at toys that did not make it; 0 where a formula is exact

    def value(self, shape: Mapping[str, int]) -> int:
        if self.formula is not None:
            return max(0, self.formula.extrapolate(shape))
        return self.law.value(shape) if self.law else 0

    def unsteady(self, by: float) -> "_Figure":
        """The same where equal calls differ by so much: no formula is exact then."""
        law = self.law or (Regime(self.formula, by) if self.formula else None)
        if law is not None:
            law.error = max(law.error, by)
        return _Figure(None, law, self.verified, max(self.error, by))

    @property
    def text(self) -> str:
        return self.formula.text if self.formula is not None else self.law.text if self.law else "0"


def _formula_through(symbols: Sequence[str], figures: Sequence[tuple[Mapping[str, int], int]]) -> Formula | None:
    """The formula that goes through all of them. One whose value is no whole number somewhere is none: what it divides by
    comes from noise."""
    try:
        found = Formula(native(_native.recover, list(symbols), list(figures)), everywhere=True)
        drawn = random.Random(7919)
        for shape, _ in figures:
            found.extrapolate({name: max(1, round(extent * drawn.uniform(0.02, 3))) for name, extent in shape.items()})
        return found
    except Error:
        return None


def _at(figure: Formula | Law, shape: Mapping[str, int]) -> int:
    """Bytes at a shape; -1 where a formula has no value."""
    try:
        return figure.extrapolate(shape) if isinstance(figure, Formula) else figure.value(shape)
    except Error:
        return -1


def _off(figure: Formula | Law, toys: Sequence[Toy], of: Callable[[Toy], int] = lambda toy: toy.peak_bytes) -> float:
    """The greatest relative error at toys that hold something. What it says too much of all but the largest is none, as far as
    it is a buffer, which small arrays do not fill."""
    errors = [((_at(figure, toy.shape) - of(toy)), of(toy)) for toy in sorted(toys, key=of) if of(toy) > 0]
    return max((abs(error) / seen for number, (error, seen) in enumerate(errors)
                if number >= len(errors) - MOST_LARGEST or not 0 < error <= BUFFER), default=0.0)


def _figure(symbols: Sequence[str], toys: Sequence[Toy], verifying: Sequence[Toy], flat: Sequence[Toy],
            of: Callable[[Toy], int]) -> _Figure:
    """From toys. None of ``verifying`` and ``flat`` makes a formula, and one that contradicts ends it; the flat ones, and
    those that are larger, show what becomes of parts that are small in toys of equal sides."""
    figures = [(dict(toy.shape), of(toy)) for toy in toys]
    formula = _formula_through(symbols, figures)
    if formula is not None and all(_at(formula, toy.shape) == of(toy) for toy in [*verifying, *flat]):
        return _Figure(formula, None, formula.verified_shapes + len(verifying) + len(flat), 0.0)
    all_but_few = [*figures, *((dict(toy.shape), of(toy)) for toy in flat)]
    # In toys of about equal sides many terms are alike: every other flat one helps to make a law. The others tell how many
    # terms it should have.
    some = [*figures, *((dict(toy.shape), of(toy)) for toy in flat[::2])]
    others = [toy for toy in [*verifying, *flat] if of(toy) > 0]
    of_arrays = whole(symbols, all_but_few, NOISE)
    laws = [of_arrays] if of_arrays else [*nearest(symbols, figures), *nearest(symbols, some, 1), *nearest(symbols, some)]
    if not laws:
        return _Figure(None, None, 0, 0.0)
    for law in laws:
        law.error = max(law.error, _off(law, others, of))
    best = min(laws, key=lambda law: law.error)
    if best.error > GREATEST_ERROR:
        # An estimate may be nearer with all toys in it: the largest ones tell. How good it is, is told by those that were
        # not in it before.
        largest = sorted(others, key=of)[-MOST_LARGEST:]
        nearer = min([*laws, *nearest(symbols, all_but_few)], key=lambda law: _off(law, largest, of) if largest else law.error)
        nearer.error, best = max(best.error, nearer.error), nearer
    return _Figure(None, best, len(others), best.error)


def _call(function: Callable[..., Any], arguments: Callable[..., tuple[Any, ...]], shape: Mapping[str, int]) -> None:
    function(*arguments(**shape))


class MeasuredOperator:
    """A Python callable whose memory was measured at toy shapes; from ``memshape.measured``."""

    evidence = "measured"
    settings: tuple[str, ...] = ()

    def __init__(self, name: str, symbols: Sequence[str], toys: Sequence[Toy], verifying: Sequence[Toy],
                 called: Sequence[Toy] = (), flat: Sequence[Toy] = (),
                 peak: _Figure | None = None, too_small: str = "", held_out: Sequence[Toy] = ()):
        self.name = name
        self._too_small = too_small
        self._unsteady = 0.0  #: by how much of the peak equal calls differ
        self.function: Callable[..., Any] | None = None  #: that was measured
        self._make: Callable[..., tuple[Any, ...]] | None = None  #: its arguments
        #: At which a call takes least.
        self.smallest_shape = min(called or toys, key=lambda toy: toy.peak_bytes + toy.arguments_bytes).shape
        self.symbols = tuple(symbols)  #: names of the shape symbols; their values are counts of elements
        self.toys = tuple(toys) + tuple(verifying) + tuple(flat)  #: what was measured
        self.held_out = tuple(held_out)  #: larger ones, of up to 256 MiB, that only test the law
        figure = functools.partial(_figure, symbols, toys, verifying, [*flat, *held_out])
        self._peak = peak or figure(lambda toy: toy.peak_bytes)
        self._output = figure(lambda toy: toy.output_bytes)
        self._total = figure(lambda toy: toy.total_bytes)
        self._arguments = figure(lambda toy: toy.arguments_bytes)
        self._allocations = figure(lambda toy: toy.allocations)
        #: that only first calls held: caches are filled by the very first of all calls, which no formula is made from
        self.one_time_bytes = max([0, *(toy.first_peak_bytes - toy.peak_bytes for toy in [*called, *self.toys])])
        self._later_bytes = max([0, *(toy.first_peak_bytes - toy.peak_bytes for toy in [*called, *self.toys]
                                      if not toy.is_first)])
        self._data: dict[str, int] = {}  #: bytes of the peak by contents of the arguments, where they decide

    @property
    def formula(self) -> Formula | None:
        """Bytes at the peak, callable with a shape; exact at every toy. None where no closed form goes through them:
        ``law`` then has an estimate."""
        return self._peak.formula

    @property
    def law(self) -> Law | Regime | None:
        """The estimate of the peak, in bytes, where there is no exact formula."""
        return self._peak.law

    @property
    def domain(self) -> dict[str, tuple[int, int]]:
        """The least and the greatest extent of each symbol at which it was measured. Larger shapes are extrapolated."""
        return {name: (min(toy.shape[name] for toy in self.toys), max(toy.shape[name] for toy in self.toys))
                for name in self.symbols}

    @property
    def verified_shapes(self) -> int:
        """Toy shapes, none of which the formula was made from, at which it was verified."""
        return self._peak.verified

    @property
    def error(self) -> float:
        """The greatest relative error of the peak at the toys: 0 where the formula is exact."""
        return self._peak.error

    @functools.cached_property
    def beyond(self) -> float:
        """By how much of the peak the process grew beyond it, at the largest toys: memory that is not requested from malloc,
        such as objects of the interpreter, and what threads keep."""
        every = [*self.toys, *self.held_out]
        largest = max(toy.peak_bytes for toy in every)
        return max((toy.resident_bytes - toy.peak_bytes) / max(toy.peak_bytes, 1)
                   if toy.resident_bytes > toy.peak_bytes + RESIDENT_NOISE else 0.0
                   for toy in every if 2 * toy.peak_bytes >= largest)

    @property
    def data_decides(self) -> bool:
        """Whether other contents of the same shape held other bytes."""
        return len(set(self._data.values())) > 1

    @property
    def doubts(self) -> tuple[str, ...]:
        """Why nothing is known of larger shapes, in words; empty where something is. No answer has an upper bound then,
        and ``plan`` wants to be told that it may rest on what is expected."""
        found = []
        if self._too_small:
            found.append(f"toys were smaller than they should be ({self._where()}): {self._too_small}")
        if self.error > GREATEST_ERROR:
            found.append(f"toys held up to {100 * self.error:.0f} % more or less than the law of others")
        if self.beyond > GREATEST_ERROR:
            found.append(f"the process grows by {percent(self.beyond)} more than is requested: by objects of the interpreter, "
                         "mapped memory, or what threads keep")
        largest = max(self.toys, key=lambda toy: toy.arguments_bytes)
        if largest.left_bytes > max(NOISE, largest.output_bytes // 100):
            found.append(f"each call leaves something behind, {largest.left_bytes} bytes of {largest.output_bytes} at "
                         f"{_page.at(largest.shape)}")
        if largest.lazy:
            found.append(f"it returns a {largest.lazy}, which is computed later and not counted")
        return tuple(found)

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """What is known of data that decides: that it does, where contents were seen to change the peak."""
        if not self.data_decides:
            return ()
        seen = ", ".join(f"{contents}: {peak}" for contents, peak in self._data.items())
        return (Decision(0, "", 0, "contents of the arguments", f"the peak in bytes depends on them ({seen})"),)

    @property
    def sites(self) -> tuple[Site, ...]:
        """Places are not known for callables."""
        return ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know beside the numbers."""
        found = [f"measured at {len(self.toys)} toy shapes, {self._where()}; other shapes are extrapolated",
                 "memory that is not requested from malloc is not counted, nor are regimes that begin at larger shapes"]
        if 0 < self.beyond <= GREATEST_ERROR:
            found.append(f"the process grows by up to {percent(self.beyond)} more than is requested, which resident bytes count")
        if self._peak.formula is None:
            found.append(f"no closed form: an estimate, within {percent(self._peak.error)} at the toys")
        if self.one_time_bytes:
            found.append(f"first calls held up to {several(self.one_time_bytes, 'byte')} more: caches and plans of libraries")
        if self._unsteady:
            found.append(f"calls with equal arguments differ by {percent(self._unsteady)}: threads or chance decide")
        if self.data_decides:
            found.append("data decides: other contents of one shape held other bytes, so there is no bound")
        found += [f"no bound: {doubt}" for doubt in self.doubts]
        return tuple(found)

    def _where(self) -> str:
        return ", ".join(f"{low} <= {name} <= {high}" for name, (low, high) in self.domain.items())

    def _tell_apart(self, contents: Mapping[str, Toy]) -> None:
        """What data decides, and by how much of the peak calls with equal data differ, as threads and chance have it."""
        peak, digest = contents["given"].peak_bytes, contents["given"].digest
        equal = [toy.peak_bytes for toy in contents.values() if toy.digest is not None and toy.digest == digest]
        spread = max(equal, default=0) - min(equal, default=0)
        # An object of the interpreter is not decided by data, nor where chance does as much: toys lie off the law by it.
        least = NOISE if spread <= NOISE else max(2 * spread, 2 * self.error * peak)
        self._data = {name: toy.peak_bytes for name, toy in contents.items()
                      if name == "given" or abs(toy.peak_bytes - peak) > least}
        if spread > NOISE:
            self._unsteady = spread / max(peak, 1)
            self._peak = self._peak.unsteady(self._unsteady)

    def once_called(self) -> "MeasuredOperator":
        """The same where ``smallest_call`` was made: only what first calls at other shapes hold is to come."""
        found = copy.copy(self)
        found.one_time_bytes = self._later_bytes
        return found

    def smallest_call(self) -> Callable[[], None] | None:
        """Calls it at the smallest toy shape: what it imports and builds when it is first called is there afterwards."""
        if self.function is None or self._make is None:
            return None
        return functools.partial(_call, self.function, self._make, self.smallest_shape)

    def arguments_bytes(self, shape: Mapping[str, int] | None = None, /, **extents: int) -> int:
        """Bytes of the arguments at a shape, as make returns them: they are the caller's."""
        return self._arguments.value(self._checked(shape, extents))

    def predict(self, shape: Mapping[str, int] | None = None, /, *, held: int | float | str | None = None,
                held_bytes: int | None = None, **extents: int) -> Prediction:
        """The memory of one call at a shape: counts of elements by symbol. The peak counts the output, not the
        arguments. ``upper_bytes`` adds one-time bytes and the error that was seen; it is None where data decides, and where
        there are ``doubts``. With ``held``, what the process holds besides, resident bytes are given, too."""
        held_bytes = held_of(held, held_bytes)
        at = self._checked(shape, extents)
        peak = self._peak.value(at)
        upper = (None if self.data_decides or self.doubts else
                 round(peak * (1 + BOUND_FACTOR * self._peak.error)) + self.one_time_bytes)
        resident, at_most = self.resident(peak, upper)
        return Prediction(
            operator=self.name, shape=at, settings={}, peak_bytes=peak,
            lower_bytes=round(peak * max(0.0, 1 - BOUND_FACTOR * self._peak.error)),
            upper_bytes=upper, exact=False, total_bytes=self._total.value(at),
            allocations=self._allocations.value(at), output_bytes=self._output.value(at),
            one_time_bytes=self.one_time_bytes, rss_bytes=None if held_bytes is None else held_bytes + resident,
            rss_upper_bytes=None if held_bytes is None or at_most is None else held_bytes + at_most, confidence=None,
            formula=self._peak.text, evidence="measured", decisions=self.decisions, notes=self.notes,
            tensors={"arguments": self._arguments.value(at)})

    def resident(self, peak: int, upper: int | None) -> tuple[int, int | None]:
        """By how many bytes the process grows, expected and at most, in a call that requests ``peak`` and ``upper``. What
        threads keep differs from call to call: as of an error, the bound has several times as much."""
        return round(peak * (1 + self.beyond)), None if upper is None else round(upper * (1 + BOUND_FACTOR * self.beyond))

    def _checked(self, shape: Mapping[str, int] | None, extents: Mapping[str, int]) -> dict[str, int]:
        given = checked_shape(shape, extents)
        for name in self.symbols:
            if name not in given:
                raise ArgumentError(f"a value is missing for '{name}'; {self.name} has {', '.join(self.symbols)}")
            if given[name] < 0:
                raise ArgumentError(f"'{name}' is negative")
        for name in given:
            if name not in self.symbols:
                raise ArgumentError(f"there is no '{name}'; {self.name} has {', '.join(self.symbols)}")
        return {name: given[name] for name in self.symbols}

    def __repr__(self) -> str:
        return f"<memshape.MeasuredOperator {self.name}({', '.join(self.symbols)}): {self._peak.text}>"

    def _repr_html_(self) -> str:
        return _html.operator(self)


class _Series:
    """Toys of one callable, within their limits."""

    def __init__(self, process: ToyProcess, progress: Progress):
        self._process, self._progress = process, progress
        self._known: dict[tuple[tuple[str, int], ...], Toy] = {}
        self._drawn: set[tuple[tuple[str, int], ...]] = set()

    @property
    def called(self) -> list[Toy]:
        """All toys, those that looked for the size among them."""
        return list(self._known.values())

    def call(self, shape: Mapping[str, int]) -> Toy:
        key = tuple(sorted(shape.items()))
        if key not in self._known:
            try:
                self._known[key] = self._process.call(shape)
            finally:
                self._progress.step()
        return self._known[key]

    def those(self, shapes: Sequence[Mapping[str, int]], most_bytes: int | None = MOST_BYTES,
              most_seconds: float = MOST_SECONDS) -> list[Toy]:
        """The toys at these shapes that return, and are small and quick enough."""
        found = []
        for shape in shapes:
            try:
                toy = self.call(shape)
            except Refused:
                continue
            if (most_bytes is None or toy.peak_bytes + toy.arguments_bytes <= most_bytes) and toy.seconds <= most_seconds:
                found.append(toy)
        return found

    def collect(self, shapes: ToyShapes, count: int, into: list[Toy], smaller: bool = False,
                around: Mapping[str, float] | None = None) -> None:
        """Adds toys at shapes that were not drawn before, until there are ``count``."""
        refused = again = 0
        told = ""
        while len(into) < count and refused < MOST_REFUSED and again < 200:
            wanted = shapes.draw(smaller, around)
            if tuple(sorted(wanted.items())) in self._drawn:
                again += 1
                continue
            self._drawn.add(tuple(sorted(wanted.items())))
            try:
                toy = self.call(wanted)
            except Refused as refusal:
                refused, told = refused + 1, str(refusal)
                continue
            if toy.peak_bytes + toy.arguments_bytes > MOST_BYTES or toy.seconds > MOST_SECONDS:
                shapes.shrink()
                refused += 1
                continue
            into.append(toy)
        if refused >= MOST_REFUSED:
            raise Error(f"the callable does not return at enough toy shapes; the last one said: {told or 'too large'}")


def _larger_regime(series: _Series, shapes: ToyShapes, symbols: Sequence[str], toys: Sequence[Toy],
                   flat: Sequence[Toy], held_out: Sequence[Toy]) -> _Figure | None:
    """The formula of larger arrays, where a formula goes through all toys of about equal sides but not through flat ones,
    because these have a longer row or a larger face. Where it is their short side that matters, there is none."""
    def formula_through(some: Sequence[Toy]) -> Formula | None:
        return _formula_through(symbols, [(dict(toy.shape), toy.peak_bytes) for toy in some])

    near = formula_through(toys)
    if near is None:
        return None
    for toy in flat:
        if _at(near, toy.shape) == toy.peak_bytes:
            continue
        short = min(shapes.growing, key=lambda name: toy.shape[name] / shapes.base[name])
        alone = series.those([shapes.short(short)])
        if not alone or _at(near, alone[0].shape) != alone[0].peak_bytes:
            continue
        around: list[Toy] = []
        # Samples have down to half of the volume: larger ones, so that none falls back into the first regime.
        larger = {name: extent * (1 if name == short else 1.3) for name, extent in toy.shape.items()}
        try:
            series.collect(shapes, FIRST_TOYS + VERIFYING_TOYS, around, around={**shapes.base, **larger})
        except Error:  # they are too large
            continue
        found = formula_through(around[:FIRST_TOYS])
        if found is None or any(_at(found, each.shape) != each.peak_bytes for each in around[FIRST_TOYS:]):
            continue
        error = _off(found, [*toys, *flat, *held_out])
        return _Figure(None, Regime(found, error), VERIFYING_TOYS, error)
    # It is the short side: large arrays have none, and the first formula stands as an estimate.
    error = _off(near, [*flat, *held_out])
    return _Figure(None, Regime(near, error), near.verified_shapes, error) if error else None


def _other_contents(process: ToyProcess, given: Toy) -> dict[str, Toy]:
    """The same shape with other data: what makes it again (random contents differ), zeros, normal numbers."""
    found = {"given": given}
    for contents in ("given again", "given once more", "zeros", "random"):
        try:
            found[contents] = process.call(given.shape, contents.split()[0])
        except Refused:
            pass  # it needs contents of its own: nothing is learnt
    return found


def measured(function: Callable[..., Any], symbols: Sequence[str], arguments: Callable[..., tuple[Any, ...]], *,
             name: str | None = None, ranges: Mapping[str, tuple[int, int]] | None = None,
             longest_call: float = LONGEST_CALL, verbose: bool | None = None) -> MeasuredOperator:
    """Treats a Python callable (NumPy, SciPy, Numba, a C extension) as an operator.

    It is called at some dozens of toy shapes in a child process, where every malloc is counted: at up to 64 MiB and two
    seconds a call, where it is as in smaller ones. An exact formula is recovered where its allocations follow one, and
    verified at further toys. Where nothing is known of larger shapes, ``doubts`` says why.

    :param symbols: names of the shape symbols, as ``("ni", "nx", "ns")``; their values are counts of elements.
    :param arguments: ``arguments(ni=.., nx=.., ns=..)`` returns the tuple of positional arguments at a shape.
    :param ranges: for symbols that cannot have any value: ``{"order": (1, 8)}``, both inclusive.
    :param longest_call: what the callable may take to be loaded, and at its first call: seconds, without those in which
        it waits for a processor.
    :param verbose: whether a bar is shown; by default where it takes long, in terminals and notebooks.
    :raises ArgumentError: where the callable cannot be called, or cannot be handed to another process.
    """
    given = (symbols,) if isinstance(symbols, str) else tuple(symbols)
    if not callable(function) or not callable(arguments):
        raise ArgumentError("measured needs a callable, and one that makes its arguments")
    if not given or len(set(given)) != len(given) or not all(isinstance(each, str) and each for each in given):
        raise ArgumentError(f"symbols are one or more different names, not {symbols!r}")
    limits: dict[str, tuple[int, int]] = {}
    for each, (low, high) in (ranges or {}).items():
        if each not in given:
            raise ArgumentError(f"there is no symbol '{each}' to have a range")
        limits[each] = (as_integer(each, low), as_integer(each, high))
        if not 0 < limits[each][0] <= limits[each][1]:
            raise ArgumentError(f"the range of '{each}' is empty")
    called = name or getattr(function, "__name__", None) or type(function).__name__
    if isinstance(function, functools.partial) and name is None:
        called = getattr(function.func, "__name__", called)
    with ToyProcess(function, arguments, longest_call) as process, Progress(
            f"memshape measures {called}", USUAL_TOYS, verbose) as progress:
        series = _Series(process, progress)
        shapes = ToyShapes(given, limits, series.call)
        toys: list[Toy] = []
        verifying: list[Toy] = []
        series.collect(shapes, FIRST_TOYS, toys)
        series.collect(shapes, VERIFYING_TOYS, verifying, smaller=False)
        # A large one that holds more than a toy should contradicts the law of small ones: it is kept.
        flat = series.those(shapes.flat()) + series.those(shapes.larger(), most_bytes=None)
        held_out = series.those(shapes.held_out(), most_bytes=None)
        confirming = series.those(shapes.confirming(), most_bytes=None, most_seconds=LONGEST_LATER_CALL)
        if confirming:  # one call of the size that all toys should have
            held_out, shapes.too_small = held_out + confirming, ""
        found = MeasuredOperator(called, given, toys, verifying, flat=flat, held_out=held_out)
        peak = None
        if found.formula is None:
            peak = _larger_regime(series, shapes, given, toys + verifying, flat, held_out)
        if found.formula is None and peak is None:
            series.collect(shapes, MORE_TOYS, toys)
        contents = _other_contents(process, toys[0])
    made = MeasuredOperator(called, given, toys, verifying, series.called, flat, peak, shapes.too_small, held_out)
    made.function, made._make = function, arguments
    made._tell_apart(contents)
    return made
