# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tasks held goes to the store of past runs, and sharpens the bounds of plans that are made after."""

from __future__ import annotations

import dataclasses
import warnings
from typing import Any, Callable, Mapping

from .. import _history
from .._plan import SLACK, Note, Plan, most_at_once
from ..errors import DoesNotFit, Error
from ._cluster import a_client

#: Topics of the scheduler's log: what tasks held, and up to when that was kept. They outlive workers.
HELD, KEPT = "memshape-held", "memshape-kept"
#: Plans that are tried between what fits and what does not.
TRIED = 6


def learn(client: Any = None, store: str = "") -> int:
    """Keeps what the tasks of ``map_blocks`` and ``map_overlap`` held since the last time, also on workers that are gone;
    the number of runs. ``store`` is a file; the user's own where empty."""
    of = a_client(client)
    known = {each["store"]: each["until"] for _, each in of.get_events(KEPT) or ()}
    fresh = [(stamp, each) for stamp, each in of.get_events(HELD) or () if stamp > known.get(store, 0.0)]
    if not fresh:
        return 0
    count = _history.remember([each for _, each in fresh], store)
    of.log_event(KEPT, {"store": store, "until": max(stamp for stamp, _ in fresh)})
    return count


def learn_before(client: Any, store: str) -> None:
    """As ``learn``, before a plan. Where the user's own store cannot be written, which nobody asked for, a warning: the
    job needs no history."""
    of = a_client(client)
    try:
        learn(of, store)
    except Error as failure:
        if store:
            raise
        warnings.warn(f"nothing is learnt from earlier tasks: {failure}", stacklevel=3)


def with_history(made: Callable[[int], Plan], memory: int, name: str, settings: Mapping[str, float],
                 fixed: Mapping[str, int], store: str) -> Plan:
    """The plan with the fewest tasks among those that keep the memory by what past runs say of a task.

    ``made`` gives the plan for a memory. Raises what it raises where history does not help.
    """
    try:
        first = made(memory)
    except DoesNotFit as failure:
        if failure.least_bytes is None:
            raise
        known = _known(made(failure.least_bytes), name, settings, fixed, store)
        if known is None or known.upper_bytes is None or known.upper_bytes > memory:
            raise
        first = made(failure.least_bytes)
    if first.largest_task["lower_bytes"] == first.largest_task["upper_bytes"]:
        return first  # nothing is left to learn
    known = _known(first, name, settings, fixed, store)
    if known is None:
        return first
    best = known
    fits = memory if _fits(known, memory) else 0
    fails: int | None = None if fits else memory
    target = memory + _gained(first, known)
    for _ in range(TRIED):
        try:
            tried = _known(made(target), name, settings, fixed, store)
        except DoesNotFit:
            tried = None
        if tried is not None and _fits(tried, memory):
            if not _fits(best, memory) or tried.tasks < best.tasks:
                best = tried
            fits = max(fits, target)
        else:
            fails = target if fails is None else min(fails, target)
        if fails is None or fails - fits < memory // 64:
            break
        target = (fits + fails) // 2
    return best if _fits(best, memory) else first


def _fits(plan: Plan, memory: int) -> bool:
    return plan.upper_bytes is not None and plan.upper_bytes <= memory


def _gained(plan: Plan, known: Plan) -> int:
    """Bytes of a worker that the bound leaves free by what is known."""
    return (plan.upper_bytes or plan.peak_bytes) - (known.upper_bytes or known.peak_bytes)


def _known(plan: Plan, name: str, settings: Mapping[str, float], fixed: Mapping[str, int], store: str) -> Plan | None:
    """The plan with the bound of past runs, where that is sharper; None where there are too few."""
    task = plan.largest_task
    try:
        seen = _history.remembered(name, {**fixed, **task["shape"]}, settings, plan.held_bytes, store)
    except Error:
        return None
    if seen is None:
        return None
    proven = task["upper_bytes"]
    upper = max(seen.upper_bytes, task["lower_bytes"])
    if proven is not None and upper >= proven:
        return plan
    rests_on = task["peak_bytes"] if proven is None else proven
    together = min(plan.threads, plan.tasks)
    parts = dict(plan.parts)
    if parts["gathered"]:
        return plan  # what is gathered decides, and no task
    parts["operators"] += together * (upper - rests_on)
    parts["slack"] = -(-(sum(parts.values()) - parts["held"] - parts["slack"]) // SLACK)
    parts = most_at_once({**parts, "gathered": plan.gathered_bytes})
    total = sum(parts.values())
    note = Note(f"past runs bound a task by {upper} bytes, with {100 * _history.CONFIDENCE:.0f} % confidence ({seen.runs} runs); "
            f"{'nothing else does' if proven is None else f'{proven} are the bound without them'}", "history")
    return dataclasses.replace(
        plan, upper_bytes=total, parts=parts, evidence="history",
        peak_bytes=min(plan.peak_bytes, total), utilisation=total / plan.limit_bytes,
        largest_task={**task, "upper_bytes": upper, "call_bytes": task["call_bytes"] + upper - rests_on},
        notes=(note, *[each for each in plan.notes if getattr(each, "code", "") != "unbounded"]))
