# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The peak of a collection on its workers, before it runs."""

from __future__ import annotations

import html
import math
from dataclasses import dataclass
from typing import Any

from .._html import bar
from .._page import several
from .._plan import GATHERED, GATHERED_MOST, GATHERED_MOST_PLAIN, SINKS, Plan
from .._shape import show_bytes
from ..errors import ArgumentError
from ._apply import planned
from ._blocks import blocks_of, lowered
from ._cluster import GROWS, _terminated_at, cluster_of
from ._dispatch import by_dask, default_client, queued_keys, saturation_of
from ._holding import least, most, played
from ._order import Ordered
from ._said import Bytes


@dataclass(frozen=True)
class Step:
    """Tasks of one name."""

    name: str
    tasks: int
    task_bytes: int  #: that the largest one takes at most while it runs, without its inputs
    output_bytes: int  #: of all that they leave
    predicted: bool  #: an operator's bytes; otherwise its blocks are counted


@dataclass(frozen=True, repr=False)
class Explanation:
    """What each worker holds while a collection is computed. Resident bytes."""

    steps: tuple[Step, ...]  #: in the order in which they run
    plans: tuple[Plan, ...]  #: of the operators among them
    workers: int
    threads: int
    lower_bytes: int  #: no order of tasks holds less on every worker
    expected_bytes: int  #: of the worker that holds most
    upper_bytes: int | None  #: no order of tasks holds more on a worker with up to 1.5 shares of what stays
    limit_bytes: int
    parts: dict[str, int]  #: of the bound
    each: tuple[dict[str, int], ...]  #: what each worker is expected to hold when that is most, by what it is
    sink: str
    notes: tuple[str, ...]
    usable_bytes: int = 0  #: of the limit: beyond it a worker is ended
    least_held_bytes: int = 0  #: of the lower bound: what the smallest worker held before

    @property
    def verdict(self) -> str:
        """Whether it ends well, in a sentence; empty where nothing is expected to go beyond the limit."""
        if self.lower_bytes > self.usable_bytes:
            return (f"it cannot end well: some worker holds at least {show_bytes(self.lower_bytes)} in every order of tasks, and "
                    f"is ended at {show_bytes(self.usable_bytes)}")
        if self.expected_bytes > self.usable_bytes:
            return (f"it is not expected to end well: a worker comes to {show_bytes(self.expected_bytes)}, and is ended at "
                    f"{show_bytes(self.usable_bytes)}, unless it spills in time")
        return ""

    def __str__(self) -> str:
        lines = [self.verdict[:1].upper() + self.verdict[1:], ""] if self.verdict else []
        lines += [self._figures(), ""]
        wide = max(len(step.name) for step in self.steps)
        lines += [f"  {step.name:{wide}}  {several(step.tasks, 'task'):>12}  {show_bytes(step.task_bytes):>10} each  "
                  f"{show_bytes(step.output_bytes):>10} in all{'' if step.predicted else '  counted by its blocks'}"
                  for step in self.steps] + [""]
        for number, parts in enumerate(self.each):
            told = ", ".join(f"{name} {show_bytes(size)}" for name, size in parts.items() if size)
            lines.append(f"  worker {number}  {_drawn(parts, self.limit_bytes)}  {show_bytes(sum(parts.values()))}: {told}")
        return "\n".join(lines + [f"  - {note}" for note in self.notes])

    def __repr__(self) -> str:
        return f"<memshape.dask.Explanation: {self._figures()}>"

    def _figures(self) -> str:
        return (f"each of {self.workers} workers holds {show_bytes(self.expected_bytes)}, at least "
                f"{show_bytes(self.lower_bytes)} and at most {show_bytes(self.upper_bytes)}, of {show_bytes(self.limit_bytes)}")

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><th style='text-align:left'>{html.escape(step.name)}</th><td>{several(step.tasks, 'task')}</td>"
                       f"<td>{show_bytes(step.task_bytes)} each</td><td>{show_bytes(step.output_bytes)} in all</td></tr>"
                       for step in self.steps)
        drawn = "".join(f"<div>worker {number}</div>{bar(parts, self.limit_bytes)}"
                        for number, parts in enumerate(self.each))
        notes = "".join(f"<div><small>{html.escape(each)}</small></div>" for each in self.notes)
        told = f"<div><b>{html.escape(self.verdict)}</b></div>" if self.verdict else ""
        return (f"{told}<div>{html.escape(self._figures())}</div><table>{rows}</table>{drawn}<div>at most</div>"
                f"{bar(self.parts, self.limit_bytes)}{notes}")


def _drawn(parts: dict[str, int], limit: int, wide: int = 30) -> str:
    filled = min(wide, round(wide * sum(parts.values()) / max(limit, 1)))
    return "[" + "#" * filled + "." * (wide - filled) + "]"


def explain(collection: Any, client: Any = None, *, sink: str | None = None, bytes: Bytes = None) -> Explanation:
    """What each worker will hold while a collection is computed: its operators, and all other steps. Of one that was put
    into order, in that order.

    :param client: of the cluster that will run it; by default the one that an operator of the collection was planned
        for, or else the default client.
    :param sink: what becomes of the result: "gather" (``.compute()``), "persist", or "store"; as it was planned for, or
        "gather".
    :param bytes: what is known of tasks beside what the graph tells, as for ``memshape.dask.order``.
    :raises ArgumentError: for what is no collection, and where neither a plan nor a client tells of the workers.
    """
    collection = lowered(collection)
    blocks = blocks_of(collection, bytes)
    ranking = collection.ranking if isinstance(collection, Ordered) else None
    plans = tuple(planned(collection.unordered if isinstance(collection, Ordered) else collection))
    of = sink or (plans[-1].sink if plans else "gather")
    if of not in SINKS:
        raise ArgumentError("sink is store, persist or gather")
    notes = [f"{plan.operator}: {note}" for plan in plans for note in plan.notes
             if getattr(note, "code", "") != "next_larger"]
    if client is not None or not plans:
        cluster = cluster_of(client)
        workers, threads, held, limit = cluster.workers, cluster.threads, cluster.held_bytes, cluster.limit_bytes
        least_held = cluster.least_held_bytes
    else:
        workers, threads = plans[-1].workers, plans[-1].threads
        held, limit = max(plan.held_bytes for plan in plans), plans[-1].limit_bytes
        least_held = max(0, min(plan.held_bytes for plan in plans) - GROWS)
    usable = int(limit * _terminated_at())
    stays = of != "store"
    steps: dict[str, Step] = {}
    for block in blocks.all.values():
        before = steps.get(block.layer, Step(block.layer, 0, 0, 0, False))
        steps[block.layer] = Step(block.layer, before.tasks + 1, max(before.task_bytes, block.cost.upper),
                                  before.output_bytes + block.cost.output, before.predicted or block.cost.ours)
    order = by_dask(blocks.graph, collection) if ranking is None else ranking.order
    queued = set() if ranking is not None and ranking.worker else queued_keys(blocks.graph, workers * threads)
    saturation = saturation_of(default_client(client))
    each = [{"held": held, **worker.parts}
            for worker in played(blocks, order, queued, saturation, workers, threads, stays)]
    parts = {"held": held, **most(blocks.all, workers, threads, stays)}
    final = [block.cost.output for block in blocks.all.values() if block.final]
    if of == "gather" and len(final) > 1:
        each[0], parts = _gathered(each[0], parts, held, sum(final), blocks.halo)
    upper = None if blocks.unknown or any(plan.upper_bytes is None for plan in plans) else sum(parts.values())
    return Explanation(tuple(steps.values()), plans, workers, threads,
                       least_held + least(blocks.all, workers, stays), max(sum(one.values()) for one in each), upper, limit,
                       parts, tuple(each), of, tuple(dict.fromkeys(notes + blocks.notes)), usable, least_held)


def _gathered(expected: dict[str, int], parts: dict[str, int], held: int, final: int,
              halo: bool) -> tuple[dict[str, int], dict[str, int]]:
    """One worker at the end, if that is more than it held before: it puts all results together."""
    once = {"held": held, "gathered": round(GATHERED * final)}
    bound = {"held": held, "gathered": math.ceil((GATHERED_MOST if halo else GATHERED_MOST_PLAIN) * final)}
    return (max(expected, once, key=lambda one: sum(one.values())),
            max(parts, bound, key=lambda one: sum(one.values())))
