# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The graph of a collection as Dask will run it, task by task, with bytes.

Tasks of ``map_blocks`` and ``map_overlap`` carry what their operator was predicted to take. Of other tasks Dask knows
the shape and the type of each block that is part of an array: they count by that. Slices are views of a block, which
they keep. What is not known is named.
"""

from __future__ import annotations

import functools
import math
import operator
from dataclasses import dataclass, field
from typing import Any, Iterable, Mapping

import dask
import numpy
from dask.array.chunk import getitem
from dask.order import order

from .._operator import Prediction
from .._page import a_thing
from ..errors import ArgumentError, Error
from ._apply import Task
from ._beside import beside
from ._said import Bytes, Key, Sayings, layer_of, shown

try:
    from dask._task_spec import Alias, DataNode, TaskRef, _execute_subgraph, convert_legacy_graph
except ImportError as missing:  # pragma: no cover
    raise ImportError(f"memshape.dask.explain needs dask 2024.12 or later ({missing})") from None

#: Dask's own functions have no types.
_dask: Any = dask


@dataclass(frozen=True)
class Cost:
    """Bytes of one task while it runs, its output included and its inputs not."""

    lower: int
    expected: int
    upper: int
    output: int  #: that is there when it has ended
    ours: bool = False  #: an operator was predicted


@dataclass
class Block:
    """A task with an output of its own. Bytes."""

    key: Key
    layer: str
    cost: Cost
    reads: dict[Key, int]  #: of each block that it needs, what it reads of it
    name: Key = ""  #: of its result: Dask gives fused tasks another key
    given: bool = False  #: it is there before the graph runs
    final: bool = False  #: the collection consists of it
    consumers: list[Key] = field(default_factory=list)


@dataclass
class Blocks:
    """In the order in which Dask would have one worker run them."""

    all: dict[Key, Block]
    notes: list[str]
    unknown: bool  #: some bytes are not counted
    halo: bool  #: some operator reads its neighbours
    graph: dict[Key, Any] = field(default_factory=dict)  #: as Dask will run it
    owners: dict[Key, Key] = field(default_factory=dict)  #: of each key of the graph: the block that it names


@dataclass(frozen=True)
class _Layer:
    chunks: tuple[tuple[int, ...], ...]
    item: int

    def shape(self, at: Iterable[Any]) -> tuple[int, ...] | None:
        place = tuple(at)
        if len(place) != len(self.chunks) or not all(isinstance(each, int) for each in place):
            return None
        return tuple(along[each] for along, each in zip(self.chunks, place))

    @property
    def longest(self) -> tuple[int, ...]:
        return tuple(max(along, default=0) for along in self.chunks)


def lowered(collection: Any) -> Any:
    """A collection with a graph: a data frame is an expression before. Raises ArgumentError for what is no collection."""
    if not _dask.is_dask_collection(collection):
        raise ArgumentError(f"a Dask collection is needed, not {a_thing(collection)}")
    return collection.optimize() if hasattr(collection, "expr") else collection


def _layers(collection: Any) -> dict[str, _Layer]:
    """Blocks of every array that the collection came from."""
    found = {}
    for name, layer in getattr(collection.__dask_graph__(), "layers", {}).items():
        said = getattr(layer, "collection_annotations", None) or {}
        if said.get("chunks") is not None and said.get("dtype") is not None:
            chunks, dtype = said["chunks"], numpy.dtype(said["dtype"])
            if not dtype.hasobject and not any(math.isnan(each) for along in chunks for each in along):
                found[name] = _partial(layer, _Layer(chunks, dtype.itemsize))
    return found


def _partial(layer: Any, said: _Layer) -> _Layer:
    """Of a reduction of each block, Dask's layers say the blocks that went in: what comes out has one element along the
    axes of ``keepdims``. How many bytes those are - a mean leaves a sum and a count - the function says at a toy block."""
    task: Any = getattr(layer, "task", None)
    given = getattr(task, "kwargs", None) or {}
    axes = given.get("axis")
    if given.get("keepdims") is not True or not isinstance(axes, tuple) or len(getattr(task, "args", ())) != 1:
        return said
    module = str(getattr(_function(task.func), "__module__", ""))
    if not module.startswith(("numpy", "dask.")) or not all(0 <= each < len(said.chunks) for each in axes):
        return said
    toy = [1 if set(along) == {1} else 2 for along in said.chunks]
    try:
        left = task.func(numpy.ones(toy), **given)
    except Exception:  # a function that does not take doubles: what Dask says stands
        return said
    parts = list(left.values()) if isinstance(left, dict) else [left]
    if any(part.shape[axis] != 1 for part in map(numpy.asarray, parts) for axis in axes if axis < part.ndim):
        return said
    elements = math.prod(extent for axis, extent in enumerate(toy) if axis not in axes)
    return _Layer(tuple((1,) * len(along) if axis in axes else along for axis, along in enumerate(said.chunks)),
                  math.ceil(sum(_bytes_of(numpy.asarray(each)) for each in parts) / elements))


def _value(node: Any) -> Any:
    return node.value if isinstance(node, DataNode) else node


def _key_of(node: Any) -> Key | None:
    return node.target if isinstance(node, Alias) else node.key if isinstance(node, TaskRef) else None


def _function(of: Any) -> Any:
    while isinstance(of, functools.partial):
        of = of.func
    return of


def _is_copied(node: Any, shape: tuple[int, ...], extents: tuple[int, ...] | None) -> bool:
    """Dask's own slicing copies what is less than a half."""
    return node.func is getitem and extents is not None and 2 * math.prod(extents) <= math.prod(shape)


def _sliced(shape: tuple[int, ...], index: Any) -> tuple[int, ...] | None:
    """Extents of a slice."""
    given = index if isinstance(index, tuple) else (index,)
    if len(given) > len(shape):
        return None
    return tuple(len(range(*each.indices(extent))) for each, extent in zip(given, shape)) + shape[len(given):]


class _Reader:
    """Turns the tasks of one graph into blocks."""

    def __init__(self, layers: Mapping[str, _Layer], graph: Mapping[Key, Any], said: Sayings):
        self.layers, self.graph, self.said = layers, graph, said
        self.halo = False
        self.uncounted: dict[str, None] = {}  #: layers, in their order
        self.beside: dict[str, None] = {}
        self._copies: dict[Key, int] = {}  #: bytes of slices that are blocks of their own
        self._views: dict[Key, tuple[Key, tuple[int, ...] | None]] = {}

    def named(self, key: Key) -> Key:
        """The key of a task's result: Dask gives fused tasks another one."""
        node: Any = self.graph.get(key)
        if getattr(node, "func", None) is not _execute_subgraph:
            return key
        inner = _value(node.args[1])
        # Of steps that were fused block by block, only the layer is named.
        return key if isinstance(key, tuple) and inner == key[0] else inner

    def size(self, key: Key) -> int:
        """Bytes of a block."""
        if key in self._copies:
            return self._copies[key]
        said = self.said.of(self.named(key), key)
        if said is not None:
            return said.output_bytes if isinstance(said, Prediction) else said[0]
        key = self.named(key)
        layer = self.layers.get(layer_of(key))
        if layer is None:
            self.uncounted.setdefault(shown(layer_of(key)))
            return 0
        shape = layer.shape(key[1:]) if isinstance(key, tuple) else None
        return math.prod(layer.longest if shape is None else shape) * layer.item

    def view(self, node: Any) -> tuple[Key, tuple[int, ...] | None] | None:
        """(block that is seen, extents of the view where they are known), for names and slices of another one."""
        of = _view_of(node)
        if isinstance(node, Alias) and of in self.graph:
            return self.seen(of)
        if of is None or of not in self.graph:
            return None
        owner, shape = self.seen(of)
        if shape is None:
            return owner, None
        extents = _sliced(shape, _value(node.args[1]))
        return None if _is_copied(node, shape, extents) else (owner, extents)

    def _shape(self, key: Key, node: Any) -> tuple[int, ...] | None:
        """Extents of a block, where they are known."""
        name = self.named(key)
        layer = self.layers.get(layer_of(name))
        if layer is not None:
            return layer.shape(name[1:]) if isinstance(name, tuple) else None
        of = _view_of(node)
        if of is None or of not in self.graph:
            return None
        owner, shape = self.seen(of)
        extents = None if shape is None else _sliced(shape, _value(node.args[1]))
        if extents is not None:
            self._copies[key] = math.prod(extents) * self.item(owner)
        return extents

    def item(self, owner: Key) -> int:
        """Bytes of an element."""
        layer = self.layers.get(layer_of(self.named(owner)))
        return 0 if layer is None else layer.item

    def seen(self, key: Key) -> tuple[Key, tuple[int, ...] | None]:
        """The block behind a key, and the extents of what the key names of it."""
        if key not in self._views:
            node = self.graph.get(key)
            found = None if node is None or isinstance(node, DataNode) else self.view(node)
            self._views[key] = found or (key, self._shape(key, node))
        return self._views[key]

    def read(self, key: Key) -> int:
        """Bytes that are read through a key."""
        owner, shape = self.seen(key)
        item = self.item(owner)
        return self.size(owner) if shape is None or not item else math.prod(shape) * item

    def cost(self, key: Key, node: Any, around: Mapping[Key, Any]) -> Cost:
        """Of a task, in the graph that is around it."""
        if isinstance(node, Alias):
            return Cost(0, 0, 0, 0)
        if getattr(node, "func", None) is _execute_subgraph:
            inner, last, names = (_value(each) for each in node.args[:3])
            return self._fused(key, inner, last, dict(zip(names, node.args[3:])))
        return self._said_of(key) or self._counted(key, node, around)

    def _said_of(self, key: Key) -> Cost | None:
        """What a user says of a task; of a fused one, of its last step."""
        said = self.said.of(self.named(key), key)
        if isinstance(said, Prediction):
            return self._bounded(key, said.lower_bytes, said.peak_bytes, said.upper_bytes, said.output_bytes)
        return None if said is None else Cost(sum(said), sum(said), sum(said), said[0])

    def _counted(self, key: Key, node: Any, around: Mapping[Key, Any]) -> Cost:
        """By the operator that a task carries, or by its block."""
        if isinstance(node, DataNode):
            return self._held(key, node.value)
        given = [_value(around.get(_key_of(each), each)) for each in (node.func, *node.args)]
        for each in map(_function, given):
            if isinstance(each, Task):
                return self._predicted(key, each)
        # Dask wraps a function that asks for the place of its block.
        function = given[1] if getattr(given[0], "__name__", "") == "_pass_extra_kwargs" else given[0]
        size, times = self.size(key), beside(function, getattr(node, "kwargs", None) or {})
        if times is None:
            self.beside.setdefault(shown(layer_of(key)))
        work = math.ceil((times or 0) * sum(map(self.size, node.dependencies))) if times else 0
        return Cost(0, size + work, size + work, size)

    def _held(self, key: Key, value: Any) -> Cost:
        """Of what stands in the graph itself: an array, or something that only names one."""
        size = _bytes_of(value)
        if layer_of(key) in self.layers and isinstance(key, tuple):
            size = max(size, self.size(key))
        return Cost(size, size, size, size)

    def _predicted(self, key: Key, task: Task) -> Cost:
        self.halo = self.halo or bool(task.depth)
        layer, output = self.layers.get(layer_of(key)), self.size(key)
        if layer is not None:
            place = key[1:] if isinstance(key, tuple) else ()
            shape = layer.shape(place) or layer.longest
            # What is handed on is a view: the halo around it stays, too.
            output = layer.item * math.prod(extent + task.depth.get(axis, 0) * (
                (place[axis] > 0) + (place[axis] < task.blocks[axis] - 1) if place else 2)
                for axis, extent in enumerate(shape))
        return self._bounded(key, task.lower_bytes, task.expected_bytes, task.upper_bytes, output)

    def _bounded(self, key: Key, lower: int, expected: int, upper: int | None, output: int) -> Cost:
        """Of an operator that was predicted."""
        if upper is None:
            self.uncounted.setdefault(f"{shown(layer_of(key))} (data decides)")
            upper = expected
        return Cost(lower, max(expected, output), max(upper, output), output, True)

    def _fused(self, whole: Key, inner: Mapping[Key, Any], last: Key, given: Mapping[Key, Any]) -> Cost:
        """Tasks in one: each result lives until it was used, and what is given until the end."""
        owner = {key: key for key in inner}
        at = order(inner)
        ordered = sorted(inner, key=lambda each: at[each])
        for key in ordered:
            of = _view_of(inner[key])
            owner[key] = owner[of] if of is not None and of in inner else key
        used = {key: {owner[each] for each in inner[key].dependencies if each in inner} for key in ordered
                if owner[key] == key}
        left = {key: sum(key in each for each in used.values()) + (key == owner[last]) for key in used}
        around = {**given, **inner}
        costs = {key: self.cost(key, inner[key], around) for key in used}
        costs[owner[last]] = self._said_of(whole) or costs[owner[last]]
        live, lower, expected, upper = sum(_bytes_of(_value(each)) for each in given.values()), 0, 0, 0
        for key, needs in used.items():
            lower = max(lower, costs[key].lower)
            expected = max(expected, live + costs[key].expected)
            upper = max(upper, live + costs[key].upper)
            live += costs[key].output
            for each in needs:
                left[each] -= 1
                live -= costs[each].output if left[each] == 0 else 0
        return Cost(lower, expected, upper, costs[owner[last]].output, any(each.ours for each in costs.values()))


def _bytes_of(value: Any) -> int:
    """Of an array that stands in the graph."""
    return int(value.nbytes) if isinstance(value, numpy.ndarray) else 0


def _view_of(node: Any) -> Key | None:
    """The key that a task gives another name to, or takes a part of without a copy."""
    if isinstance(node, Alias):
        return node.target
    if getattr(node, "func", None) not in (operator.getitem, getitem) or len(node.args) != 2:
        return None
    index = _value(node.args[1])
    given = index if isinstance(index, tuple) else (index,)
    return _key_of(node.args[0]) if all(isinstance(each, slice) for each in given) else None


def blocks_of(collection: Any, said: Bytes = None) -> Blocks:
    """What the tasks of a collection take, as Dask will run them, and as a user says. Raises ArgumentError for what is no
    collection."""
    sayings = Sayings(said)
    collection = lowered(collection)
    if "unordered" in getattr(collection, "__dict__", {}):  # its blocks are those of what was put into order
        collection = collection.unordered
    keys = set(_flat(collection.__dask_keys__()))
    if not keys:
        raise ArgumentError("the collection has no blocks")
    layers = _layers(collection)
    made = collection if hasattr(collection, "expr") else _dask.optimize(collection)[0]
    graph = dict(convert_legacy_graph(dict(made.__dask_graph__())))
    reader = _Reader(layers, graph, sayings)
    found: dict[Key, Block] = {}
    try:
        at = order(graph)
    except Exception as failure:
        raise Error(f"the graph cannot be put into an order: {failure}", "graph") from None
    for key in sorted(graph, key=lambda each: at[each]):
        if reader.seen(key)[0] != key:
            continue
        node = graph[key]
        reads: dict[Key, int] = {}
        for used in node.dependencies:
            owner = reader.seen(used)[0]
            reads[owner] = reads.get(owner, 0) + reader.read(used)
        given = isinstance(node, DataNode)
        found[key] = Block(key, shown(layer_of(key)), reader.cost(key, node, graph), reads,
                           reader.named(key), given)
    for key in keys:
        found[reader.seen(key)[0]].final = True
    for block in found.values():
        for owner, size in block.reads.items():
            if owner in found:
                found[owner].consumers.append(block.key)
                block.reads[owner] = min(size, found[owner].cost.output)
    notes = []
    if reader.uncounted:
        notes.append("of unknown size, and not counted: " + ", ".join(reader.uncounted))
    if reader.beside:
        notes.append("what these take beside their output is not known: " + ", ".join(reader.beside))
    notes += [f"bytes name '{each}', and no task has that name" for each in sayings.unused]
    return Blocks(found, notes, bool(reader.uncounted), reader.halo, graph, {key: reader.seen(key)[0] for key in graph})


def _flat(keys: Any) -> Iterable[Key]:
    for each in keys if isinstance(keys, list) else [keys]:
        if isinstance(each, list):
            yield from _flat(each)
        else:
            yield each
