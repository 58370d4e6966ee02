# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sum of a few products of symbols that lies nearest to measured figures: an estimate, with its error."""

from __future__ import annotations

import itertools
import math
from typing import Mapping, Sequence

from ._formula import Formula
from ._page import percent

#: Further terms have to make the greatest relative error so much smaller.
WORTH_A_TERM = 0.7
MOST_TERMS = 4

Term = tuple[str, ...]  #: the symbols that are multiplied


class Law:
    """``value(shape)`` in bytes; ``error`` is the greatest relative error at the figures it was made from."""

    def __init__(self, terms: Mapping[Term, float], error: float):
        self.terms = dict(terms)
        self.error = error

    def value(self, shape: Mapping[str, int]) -> int:
        """Bytes at a shape."""
        return max(0, round(sum(by * math.prod(shape[name] for name in term) for term, by in self.terms.items())))

    @property
    def text(self) -> str:
        """With coefficients that are no whole numbers rounded to four digits: "20.01*n*m + 1400"."""
        written = ["*".join([str(by) if isinstance(by, int) else f"{by:.4g}", *term]) for term, by in
                   sorted(self.terms.items(), key=lambda each: (-len(each[0]), each[0]))]
        return " + ".join(written).replace("+ -", "- ") or "0"

    def __repr__(self) -> str:
        return f"<memshape.Law {self.text}, within {percent(self.error)}>"


class Regime:
    """A formula that holds in larger arrays than some toys were: an estimate at these, by ``error`` at most."""

    def __init__(self, formula: Formula, error: float):
        self.formula, self.error = formula, error

    def value(self, shape: Mapping[str, int]) -> int:
        """Bytes at a shape."""
        return max(0, self.formula.extrapolate(shape))

    @property
    def text(self) -> str:
        """As people write it."""
        return self.formula.text

    def __repr__(self) -> str:
        return f"<memshape.Regime {self.text}, within {percent(self.error)}>"


def _solve(rows: Sequence[Sequence[float]], values: Sequence[float]) -> list[float] | None:
    """Least squares: the normal equations, which are small here, of columns of about one length: products of all symbols are
    many times as large as one of them."""
    size = len(rows[0])
    scale = [max(abs(row[column]) for row in rows) or 1.0 for column in range(size)]
    rows = [[part / by for part, by in zip(row, scale)] for row in rows]
    matrix = [[sum(row[i] * row[j] for row in rows) for j in range(size)] +
              [sum(row[i] * value for row, value in zip(rows, values))] for i in range(size)]
    for column in range(size):
        pivot = max(range(column, size), key=lambda i: abs(matrix[i][column]))
        if abs(matrix[pivot][column]) < 1e-13 * max(1e-300, abs(matrix[0][0])):
            return None
        matrix[column], matrix[pivot] = matrix[pivot], matrix[column]
        for row in range(size):
            if row != column:
                by = matrix[row][column] / matrix[column][column]
                matrix[row] = [a - by * b for a, b in zip(matrix[row], matrix[column])]
    return [matrix[i][size] / matrix[i][i] / scale[i] for i in range(size)]


def _fit(terms: Sequence[Term], figures: Sequence[tuple[Mapping[str, int], int]], any_sign: bool = False) -> Law | None:
    rows = [[math.prod(shape[name] for name in term) / value for term in terms] for shape, value in figures]
    found = _solve(rows, [1.0] * len(rows))
    if found is None or (not any_sign and any(by < 0 for by in found)):
        return None
    error = max(abs(sum(by * part for by, part in zip(found, row)) - 1) for row in rows)
    return Law(dict(zip(terms, found)), error)


def nearest(symbols: Sequence[str], figures: Sequence[tuple[Mapping[str, int], int]], most: int = 2) -> list[Law]:
    """Laws with one term and more, each with a smaller relative error than the one before, and one of all products; none
    where figures are zero.
    Terms are products in which each symbol stands at most ``most`` times."""
    figures = [(shape, value) for shape, value in figures if value > 0]
    if not figures:
        return []
    powers = [each for each in itertools.product(range(most + 1), repeat=len(symbols)) if sum(each) <= max(len(symbols), 2)]
    every = [tuple(name for name, power in zip(symbols, each) for _ in range(power)) for each in powers]
    laws: list[Law] = []
    chosen: list[Term] = []
    while len(chosen) < min(MOST_TERMS, max(len(figures) // 4, 1)):
        tried = [(_fit([*chosen, term], figures), term) for term in every if term not in chosen]
        found = [(law, term) for law, term in tried if law is not None]
        if not found:
            break
        law, term = min(found, key=lambda each: each[0].error)
        if laws and law.error > WORTH_A_TERM * laws[-1].error:
            break
        laws.append(law)
        chosen.append(term)
    # Arrays with something around them have all products: one by one they do not show.
    terms = [term for term in every if len(set(term)) == len(term)]
    while len(terms) * 3 <= len(figures):
        all_of_them = _fit(terms, figures, any_sign=True)
        if all_of_them is None:
            break
        least = min(terms, key=lambda term: all_of_them.terms[term])
        if all_of_them.terms[least] >= 0:
            return [*laws, all_of_them]
        terms.remove(least)
    return laws


def whole(symbols: Sequence[str], figures: Sequence[tuple[Mapping[str, int], int]], noise: int) -> Law | None:
    """A polynomial with whole coefficients from which no figure differs by more than ``noise`` bytes, nor by a hundredth;
    None where there is none.

    Its terms are products in which each symbol stands at most once. All are fitted, by least squares; then those leave,
    one by one, without which the figures are still as near. Of those that remain, the one that counts most is rounded and
    the others are fitted to what is left, until all are rounded.
    """
    terms = [term for size in range(len(symbols), -1, -1) for term in itertools.combinations(symbols, size)]
    values = [value for _, value in figures]
    if len(figures) < 2 * len(terms) or min(values) <= 0:
        return None
    columns = {term: [math.prod(shape[name] for name in term) for shape, _ in figures] for term in terms}

    def fitted(some: Sequence[Term], to: Sequence[float]) -> dict[Term, float] | None:
        found = _solve([[columns[term][at] for term in some] for at in range(len(to))], to)
        return None if found is None else dict(zip(some, found))

    def left(by: Mapping[Term, float]) -> list[float]:
        return [value - sum(each * columns[term][at] for term, each in by.items()) for at, value in enumerate(values)]

    def distance(by: Mapping[Term, float] | None) -> float:
        return math.inf if by is None else max(map(abs, left(by)))

    if distance(fitted(terms, values)) > noise:
        return None
    while len(terms) > 1:
        without = {term: distance(fitted([each for each in terms if each != term], values)) for term in terms}
        least = min(terms, key=lambda term: without[term])
        if without[least] > noise:
            break
        terms.remove(least)
    rounded: dict[Term, float] = {}
    for term in sorted(terms, key=lambda each: -max(columns[each])):
        found = fitted([each for each in terms if each not in rounded], left(rounded))
        if found is None:
            return None
        rounded[term] = round(found[term])
    error = max(abs(rest) / value for rest, value in zip(left(rounded), values))
    return Law(rounded, error) if distance(rounded) <= noise and error < 0.01 else None
