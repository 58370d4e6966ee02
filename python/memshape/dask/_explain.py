# ===- _explain.py - What each worker will hold -----------------------------=== #
#
# Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------=== #
"""The peak of a collection on its workers, before it runs."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import Any

from .._plan import Plan, bar
from .._shape import show_bytes
from ..errors import ArgumentError

#: Plans by the names of the layers that were made by them.
_plans: dict[str, Plan] = {}
MOST_PLANS = 1000


def remember_plan(collection: Any, plan: Plan) -> None:
    """So that ``explain`` knows it; the oldest go first."""
    while len(_plans) >= MOST_PLANS:
        _plans.pop(next(iter(_plans)))
    _plans[collection.name] = plan


@dataclass(frozen=True)
class Explanation:
    """What one worker holds at most while a collection is computed. Resident bytes."""

    plans: tuple[Plan, ...]  #: of the operators in the collection, in their order
    workers: int
    lower_bytes: int  #: no order of tasks holds less
    expected_bytes: int
    upper_bytes: int | None
    limit_bytes: int
    parts: dict[str, int]  #: of the bound of the plan that takes most
    notes: tuple[str, ...]

    def __str__(self) -> str:
        return (f"each of {self.workers} workers holds {show_bytes(self.expected_bytes)}, at least "
                f"{show_bytes(self.lower_bytes)} and at most {show_bytes(self.upper_bytes)}, of "
                f"{show_bytes(self.limit_bytes)}")

    def _repr_html_(self) -> str:
        notes = "".join(f"<div><small>{html.escape(each)}</small></div>" for each in self.notes)
        return f"<div>{html.escape(str(self))}</div>{bar(self.parts, self.limit_bytes)}{notes}"


def explain(collection: Any) -> Explanation:
    """What each worker will hold while a collection from ``map_blocks`` or ``map_overlap``, or one that is made of such
    ones, is computed. Where several operators stand one behind the other, what they keep is added. Raises ArgumentError
    for collections in which no operator was planned."""
    layers = getattr(getattr(collection, "dask", None), "layers", None)
    if layers is None:
        raise ArgumentError(f"a Dask collection is needed, not a {type(collection).__name__}", "arguments")
    found = tuple(_plans[name] for name in layers if name in _plans)
    if not found:
        raise ArgumentError("no operator of this collection was planned: make it with memshape.dask.map_blocks or "
                            "map_overlap", "arguments")
    most = max(found, key=lambda plan: plan.peak_bytes if plan.upper_bytes is None else plan.upper_bytes)
    # While one operator runs, results of others may wait on the worker.
    waiting = sum(plan.parts["results"] + plan.parts["blocks"] for plan in found if plan is not most)
    upper = None if any(plan.upper_bytes is None for plan in found) else (most.upper_bytes or 0) + waiting
    notes = [f"{plan.operator}: {note}" for plan in found for note in plan.notes]
    if len(found) > 1:
        notes.append("several operators: each was planned alone, and what they keep is added to the bound")
    unplanned = [name for name in getattr(collection, "dask").layers if name not in _plans]
    if unplanned and collection.name not in _plans:
        notes.append("layers without a plan are not counted")
    return Explanation(found, most.workers, max(plan.held_bytes + plan.largest_task["peak_bytes"] +
                                                plan.largest_task["input_bytes"] for plan in found),
                       max(plan.peak_bytes for plan in found), upper, most.limit_bytes,
                       {**most.parts, "results": most.parts["results"] + waiting}, tuple(notes))
