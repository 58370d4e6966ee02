# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bytes of each worker over a run of the graph, and the most that any order of tasks can bring about."""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass, field
from typing import Mapping, Sequence

from .._plan import SLACK
from ._blocks import Block, Blocks
from ._dispatch import Run
from ._said import Key

#: Of what stays, a worker had up to 1.34 times an even share, in runs on four workers that shared two cores.
UNEVEN = 1.5


@dataclass
class Holding:
    """One worker, when it holds most. Bytes by what they are."""

    parts: dict[str, int] = field(default_factory=dict)

    @property
    def total(self) -> int:
        return sum(self.parts.values())


@dataclass
class _Worker:
    """While the run is played."""

    now: dict[str, int] = field(default_factory=lambda: {"operators": 0, "inputs": 0, "blocks": 0, "results": 0,
                                                         "copies": 0})
    most: dict[str, int] = field(default_factory=dict)

    def add(self, part: str, size: int) -> None:
        self.now[part] += size
        if not self.most or sum(self.now.values()) > sum(self.most.values()):
            self.most = dict(self.now)


def _kind(block: Block) -> str:
    return "results" if block.final else "inputs" if block.given else "blocks"


def played(blocks: Blocks, order: Sequence[Key], queued: set[Key], saturation: float, workers: int, threads: int,
           stays: bool) -> list[Holding]:
    """Each worker's most, where tasks have the priorities of an order, run where most of their inputs are, and take as
    long as they have bytes to read and to write. ``stays``: what the collection consists of stays on its worker."""
    known = blocks.all
    crew = [_Worker() for _ in range(workers)]
    uses = {key: len(block.consumers) for key, block in known.items()}
    reads: dict[Key, dict[Key, int]] = {key: known[key].reads if key in known else {owner: 1}
                                        for key, owner in blocks.owners.items()}
    spans = {key: 1.0 + sum(block.reads.values()) + block.cost.expected for key, block in known.items()}
    run = Run(blocks.graph, order, queued, saturation, workers, threads, reads, spans)
    copies: dict[Key, int] = {}
    for begins, key, at in run.events():
        if key not in known:
            continue
        block, worker = known[key], crew[at]
        if begins:
            copies[key] = sum(size for used, size in block.reads.items() if run.place.get(used, at) != at)
            worker.add("copies", copies[key])
            worker.add("operators", block.cost.expected)
            continue
        worker.now["operators"] -= block.cost.expected
        worker.now["copies"] -= copies[key]
        if block.consumers or (block.final and stays):
            worker.add(_kind(block), block.cost.output)
        for used in block.reads:
            if used in known:
                uses[used] -= 1
                if uses[used] == 0 and not (known[used].final and stays):
                    crew[run.place[used]].now[_kind(known[used])] -= known[used].cost.output
    return [Holding(each.most or dict(each.now)) for each in crew]


def _chains(blocks: Mapping[Key, Block], stays: bool) -> list[int]:
    """The most that can be there of each of some chains of tasks, each of which needs the one before: whatever the
    order, a chain was run to some place, and what was used up before that place is gone."""
    follows: set[Key] = set()
    found = []
    for key, block in blocks.items():
        if key in follows:
            continue
        remaining, most = 0, 0
        at: Key | None = key
        while at is not None:
            here = blocks[at]
            kept = bool(here.consumers) or (here.final and stays)
            size = here.cost.output if kept else 0
            most = max(most, remaining + size)
            if len(here.consumers) > 1 or (here.final and stays):
                remaining += size
            at = next((each for each in here.consumers if each not in follows), None)
            if at is not None:
                follows.add(at)
        found.append(most)
    return sorted(found, reverse=True)


def most(blocks: Mapping[Key, Block], workers: int, threads: int, stays: bool) -> dict[str, int]:
    """What one worker holds at most, whatever the order of tasks, where it has up to UNEVEN shares of them."""
    chains = _chains(blocks, stays)
    kept = sum(chains[:math.ceil(len(chains) * min(1, UNEVEN / workers))])
    running = heapq.nlargest(threads, (each.cost.upper for each in blocks.values()))
    copies = heapq.nlargest(threads, (sum(each.reads.values()) for each in blocks.values())) if workers > 1 else []
    parts = {"operators": sum(running), "blocks": kept, "copies": sum(copies)}
    return {**parts, "slack": math.ceil(sum(parts.values()) / SLACK)}


def least(blocks: Mapping[Key, Block], workers: int, stays: bool) -> int:
    """What some worker holds in any case: its part of what stays, or the greatest task with its inputs."""
    one = max((each.cost.lower + sum(size for used, size in each.reads.items() if used in blocks)
               for each in blocks.values() if each.cost.lower), default=0)
    final: Sequence[int] = [each.cost.output for each in blocks.values() if each.final] if stays else []
    return max(one, math.ceil(sum(final) / workers))
