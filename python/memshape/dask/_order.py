# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dask puts tasks into an order by the form of their graph alone. With the bytes of tasks there is often a better one,
and Dask's scheduler follows it: an annotation of the graph gives each task its priority, which goes before Dask's own.
Where one worker is all there is, tasks are restricted to it: they wait in no queue of the scheduler then, and the worker
chooses among all that can run (``_dispatch.py``)."""

from __future__ import annotations

import functools
import html
import operator
from dataclasses import dataclass
from typing import Any, Sequence

import dask
from dask.highlevelgraph import HighLevelGraph, MaterializedLayer

from .. import _schedule
from .._shape import as_bytes, show_bytes
from ..errors import DoesNotFit
from ._blocks import Blocks, blocks_of
from ._cluster import a_client, cluster_of, workers_of
from ._dispatch import by_dask, default_client, dispatched, queued_keys, saturation_of
from ._holding import played
from ._said import Bytes, Key

#: Dask's own functions have no types.
_dask: Any = dask
_Graph: Any = HighLevelGraph
_Layer: Any = MaterializedLayer
#: Of the graph's own: a node that reads all results, so that each stays to the end.
_END = "end"


@dataclass(frozen=True)
class Ranking:
    """An order of the tasks of a collection. Bytes on one worker with one thread, beside what it held before."""

    order: tuple[Key, ...]  #: by priority: every key of the graph that Dask runs
    before_bytes: int  #: the predicted peak as Dask runs the graph by itself
    after_bytes: int  #: the predicted peak as Dask runs it with these priorities
    lower_bound_bytes: int  #: no order holds less
    optimal: bool  #: it is proved that no order holds less
    method: str  #: "dask" where Dask's own order is kept, because no better one was found
    worker: str | None  #: the address of the one worker, which chooses by priority among all tasks that can run
    notes: tuple[str, ...] = ()
    #: Of a cluster that was read: the resident peak of the worker that holds most, expected in either order.
    worker_before_bytes: int | None = None
    worker_after_bytes: int | None = None

    def __str__(self) -> str:
        if self.method == "dask":
            said = f"Dask's own order is kept: its {len(self.order)} tasks hold {show_bytes(self.after_bytes)} at most"
        else:
            said = (f"{len(self.order)} tasks hold {show_bytes(self.after_bytes)} at most, {show_bytes(self.before_bytes)} in "
                    "Dask's own order")
        return said + (", and no order holds less" if self.optimal else
                       f"; at least {show_bytes(self.lower_bound_bytes)} in every order")


class Ordered:
    """A collection with an order: compute, persist or submit it as the one that it was made of. ``ranking`` says what it
    holds. Put further steps before the order: none can follow."""

    def __init__(self, collection: Any, blocks: Blocks, ranking: Ranking):
        self.unordered, self.ranking = collection, ranking  #: the collection that it was made of, and its order
        # Between 0 and 1, so that whole numbers that users give to other work come before and after all of it. What stands
        # here is Python's own, and is read on schedulers that have no memshape.
        share = 1 / len(ranking.order)
        priority = functools.partial(operator.getitem, {key: 1 - place * share for place, key in enumerate(ranking.order)})
        self._name = f"ordered-{_dask.base.tokenize(collection, [str(key) for key in ranking.order])}"
        annotations: dict[str, Any] = {"priority": priority}
        if ranking.worker is not None:
            # Another one may take its place: it has another address.
            annotations.update(workers=[ranking.worker], allow_other_workers=True)
        layer = _Layer(blocks.graph, annotations={} if ranking.method == "dask" else annotations)
        self.dask: Any = _Graph({self._name: layer}, {self._name: set()})

    def __dask_graph__(self) -> Any:
        return self.dask

    def __dask_layers__(self) -> tuple[str, ...]:
        return (self._name,)

    def __dask_keys__(self) -> Any:
        return self.unordered.__dask_keys__()

    def __dask_tokenize__(self) -> Any:
        return self._name

    @staticmethod
    def __dask_optimize__(graph: Any, keys: Any, **_: Any) -> Any:
        """It is optimised, and another optimisation would lose the priorities."""
        return graph

    @property
    def __dask_scheduler__(self) -> Any:
        return self.unordered.__dask_scheduler__

    def __dask_postcompute__(self) -> Any:
        return self.unordered.__dask_postcompute__()

    def __dask_postpersist__(self) -> Any:
        return self.unordered.__dask_postpersist__()

    def compute(self, **given: Any) -> Any:
        """As of Dask's collections."""
        (result,) = _dask.compute(self, **given)
        return result

    def persist(self, **given: Any) -> Any:
        """As of Dask's collections: one of the kind that was ordered."""
        (result,) = _dask.persist(self, **given)
        return result

    def __repr__(self) -> str:
        return f"<memshape.dask.Ordered {type(self.unordered).__name__}: {self.ranking}>"

    def _repr_html_(self) -> str:
        notes = "".join(f"<div><small>{html.escape(each)}</small></div>" for each in self.ranking.notes)
        return f"<div>{html.escape(str(self.ranking))}</div>{notes}"


def _following(blocks: Blocks, order: Sequence[Key]) -> tuple[Key, ...]:
    """All keys of the graph: a name or a slice of a block right behind it."""
    behind: dict[Key, list[Key]] = {}
    for key, owner in blocks.owners.items():
        if key != owner:
            behind.setdefault(owner, []).append(key)
    return tuple(key for block in order for key in (block, *behind.get(block, ())))


def order(collection: Any, memory: int | float | str | None = None,
          bytes: Bytes = None, client: Any = None) -> Ordered:
    """A collection that is computed in an order in which its tasks hold little memory: the best that ``memshape.schedule``
    finds for the graph that Dask runs, or Dask's own where none is better. Its results are equal. ``ranking`` of what is
    returned says what is held in either order.

    :param memory: that one worker with one thread may hold for results and running tasks, in bytes, or as in "1.5GiB".
    :param bytes: what is known of tasks, by the name of their layer, with or without its hash, or by their key: bytes of
        an output; a pair of them and the bytes beside it while it runs; or the prediction of an operator. Otherwise
        blocks of arrays are counted, and operators of ``map_overlap`` and ``map_blocks`` by their predictions.
    :param client: of the cluster that will compute, for which resident bytes are predicted in either order; the default
        client otherwise, where there is one. With one worker, tasks are restricted to it where that helps.
    :raises DoesNotFit: where the memory cannot be kept; its ``least_bytes`` would do.
    :raises ArgumentError: for what is no collection.
    """
    usable = None if memory is None else as_bytes(memory)
    if isinstance(collection, Ordered):
        collection = collection.unordered
    blocks = blocks_of(collection, bytes)
    model = _Model(blocks)
    runs_on = default_client(client)
    crew = {} if runs_on is None else workers_of(runs_on if client is None else a_client(client))
    worker = next(iter(crew)) if len(crew) == 1 else None
    threads, saturation = sum(each["nthreads"] for each in crew.values()) or 1, saturation_of(runs_on)
    own, queued = by_dask(blocks.graph, collection), queued_keys(blocks.graph, threads)
    before = model.peak(dispatched(blocks.graph, own, queued, saturation))
    found = _schedule.schedule(model.document())
    following = _following(blocks, model.keys_of(found.order))
    chosen, method, to, most = own, "dask", None, before
    tries: list[tuple[Sequence[Key], str, str | None]] = [(following, found.method, None)]
    if worker is not None:
        tries += [(following, found.method, worker), (own, "dask, on the worker", worker)]
    for order, name, at in tries:
        peak = model.peak(dispatched(blocks.graph, order, queued if at is None else set(), saturation))
        if peak < most:
            chosen, method, to, most = tuple(order), name, at, peak
    if usable is not None and most > usable:
        raise DoesNotFit(f"the memory cannot be kept; the least that is known to do is {most} bytes", most)
    notes = list(blocks.notes)
    if most > found.peak_bytes:
        notes.append(f"strictly in the order of the schedule tasks would hold {found.peak_bytes} bytes: a worker begins the "
                     "next task that it has before it learns of those that can run now")
    resident: tuple[int, int] | tuple[None, None] = (None, None)
    if client is not None:
        cluster = cluster_of(client, memory=2**62)  # a limit is not needed here
        first, second = (cluster.held_bytes + max(each.total for each in played(
            blocks, at, waiting, saturation, cluster.workers, cluster.threads, True))
            for at, waiting in ((own, queued), (chosen, set() if to else queued)))
        resident = first, second
    lower = found.lower_bound_bytes or 0
    return Ordered(collection, blocks, Ranking(chosen, before, most, lower, lower == most, method, to, tuple(notes),
                                               *resident))


class _Model:
    """The graph of blocks as ``memshape.schedule`` takes it."""

    def __init__(self, blocks: Blocks):
        self.keys = list(blocks.all)
        self.output = {key: block.cost.output for key, block in blocks.all.items()}
        self.work = {key: max(0, block.cost.upper - block.cost.output) for key, block in blocks.all.items()}
        self.reads: dict[Key, list[Key]] = {key: [each for each in block.reads if each in blocks.all]
                                            for key, block in blocks.all.items()}
        self.final = [key for key, block in blocks.all.items() if block.final]
        self.ends = any(blocks.all[key].consumers for key in self.final)

    def document(self) -> dict[str, Any]:
        """Ids are numbers of keys."""
        names = {key: str(number) for number, key in enumerate(self.keys)}
        graph = {names[key]: ({"output_bytes": self.output[key], "work_bytes": self.work[key]},
                              [names[each] for each in self.reads[key]]) for key in self.keys}
        if self.ends:
            graph[_END] = ({"output_bytes": 0, "work_bytes": 0}, [names[key] for key in self.final])
        return graph

    def keys_of(self, order: Sequence[Any]) -> list[Key]:
        """Of an answer."""
        return [self.keys[int(name)] for name in order if name != _END]

    def peak(self, order: Sequence[Key]) -> int:
        """Bytes that are held at most where tasks run in this order; keys that are no blocks take nothing."""
        ran = [key for key in order if key in self.output]
        reads = {**self.reads, _END: self.final}
        return max(_schedule.held_by([*ran, _END], reads, {**self.output, _END: 0}, {**self.work, _END: 0}))
