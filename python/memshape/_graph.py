# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs as documents memshape.graph/1: from dicts, files and networkx."""

from __future__ import annotations

import json
import operator
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Hashable, Iterable, Mapping

from ._measured import MeasuredOperator
from ._operator import Operator
from ._page import a_thing
from ._shape import as_bytes
from .errors import ArgumentError, FileError

#: Members of a node, beside its id and its inputs.
MEMBERS = ("output_bytes", "work_bytes", "time", "speedup", "in_place", "operator", "file", "shape", "settings")


@dataclass(frozen=True)
class Graph:
    """A document, and what its ids stand for."""

    text: str  #: memshape.graph/1
    ids: dict[str, Hashable]  #: of the document: the users' own; empty where they are the same
    inputs: dict[str, list[str]]  #: of each node
    folder: str = ""  #: of the file that it was read from


def graph_of(given: Any) -> Graph:
    """The document of a graph. Raises ArgumentError for what is none, and FileError where a file cannot be read."""
    if isinstance(given, (str, os.PathLike)):
        return _read(os.fspath(given))
    if isinstance(given, Mapping):
        if isinstance(given.get("schema"), str) or isinstance(given.get("nodes"), list):
            nodes = given.get("nodes")
            nodes = [_attributes(each.get("id"), each) if isinstance(each, Mapping) else each for each in nodes] \
                if isinstance(nodes, list) else nodes
            return Graph(_text({**given, "nodes": nodes} if nodes else given), {}, _inputs(given))
        return _named((key, *_parts(key, value)) for key, value in given.items())
    if hasattr(given, "is_directed") and hasattr(given, "nodes"):
        if not given.is_directed():
            raise ArgumentError("the graph has no directions: a networkx.DiGraph is needed, with edges from a task to those "
                                "that read its output")
        return _named((key, {name: value for name, value in data.items() if name in MEMBERS}, list(given.predecessors(key)))
                      for key, data in given.nodes(data=True))
    raise ArgumentError("a graph is a dict of schema memshape.graph/1, a file with one, a networkx.DiGraph, or a dict of id "
                        f"to (attributes, inputs), not {a_thing(given)}")


def _read(path: str) -> Graph:
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError) as failure:
        raise FileError(f"{path}: it cannot be read: {getattr(failure, 'strerror', None) or 'it is no text'}",
                        "file") from None
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        document = None  # what is wrong, C++ says
    return Graph(text, {}, _inputs(document), str(Path(path).parent))


def _inputs(document: Any) -> dict[str, list[str]]:
    """Of a document that may be wrong: that is found out later."""
    nodes = document.get("nodes") if isinstance(document, Mapping) else None
    return {each["id"]: list(each.get("inputs") or ()) for each in nodes or ()
            if isinstance(each, Mapping) and isinstance(each.get("id"), str) and isinstance(each.get("inputs", []), list)}


def _parts(key: Hashable, value: Any) -> tuple[Mapping[str, Any], Iterable[Hashable]]:
    """Attributes and inputs of a node of a plain dict."""
    if not isinstance(value, (tuple, list)) or len(value) != 2 or not isinstance(value[0], Mapping) or \
            isinstance(value[1], (str, bytes)) or not isinstance(value[1], Iterable):
        raise ArgumentError(f"node {key!r} is no pair of attributes and inputs, as in ({{'output_bytes': 40}}, ['a'])")
    return value[0], value[1]


def _named(nodes: Iterable[tuple[Hashable, Mapping[str, Any], Iterable[Hashable]]]) -> Graph:
    """Of nodes whose ids are anything that can be a key."""
    all_nodes = list(nodes)
    names: dict[Hashable, str] = {}
    ids: dict[str, Hashable] = {}
    for key, _, _ in all_nodes:
        name = key if isinstance(key, str) else repr(key)
        if name in ids:
            raise ArgumentError(f"two nodes have the id {name}")
        names[key], ids[name] = name, key
    document, inputs = [], {}
    for key, attributes, read in all_nodes:
        found = _attributes(key, attributes)
        try:
            reads = [_name(each, names) for each in read]
            if "in_place" in found:
                found["in_place"] = _name(found["in_place"], names)
        except TypeError:
            raise ArgumentError(f"node {key!r}: its inputs are no ids") from None
        inputs[names[key]] = reads
        document.append({**found, "id": names[key], "inputs": reads})
    return Graph(_text({"schema": "memshape.graph/1", "nodes": document}), ids, inputs)


def _name(each: Hashable, names: Mapping[Hashable, str]) -> str:
    return names.get(each) or (each if isinstance(each, str) else repr(each))


def _attributes(key: Hashable, given: Mapping[str, Any]) -> dict[str, Any]:
    """Operators may stand as they are: compiled ones know their file, measured ones their bytes. Sizes may be text."""
    found = dict(given)
    of = found.get("operator")
    if isinstance(of, Operator):
        found.update(operator=of.name, file=found.get("file", of.file))
    elif isinstance(of, MeasuredOperator):
        if of.doubts:
            raise ArgumentError(f"node {key!r}: there is no bound of {of.name}: {'; '.join(of.doubts)}", "no_bound")
        seen = of.predict(found.pop("shape", None))
        peak = seen.peak_bytes if seen.upper_bytes is None else seen.upper_bytes
        del found["operator"]
        found = {"output_bytes": seen.output_bytes, "work_bytes": max(0, peak - seen.output_bytes), **found}
    for name in ("output_bytes", "work_bytes"):
        if isinstance(size := found.get(name), (str, float)):
            if isinstance(size, float) and not size.is_integer():
                raise ArgumentError(f"node {key!r}: {name} is no whole number of bytes: {size}")
            found[name] = as_bytes(size, f"{name} of {key!r}") if size not in (0.0, "0") else 0
    return found


def _text(document: Any) -> str:
    try:
        return json.dumps(document, default=_number, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as failure:
        raise ArgumentError(f"the graph is no document: {str(failure).splitlines()[0]}") from None


def _number(value: Any) -> int | float | str:
    """NumPy's numbers, and paths."""
    if isinstance(value, os.PathLike):
        return os.fspath(value)  # type: ignore[no-any-return]
    if hasattr(value, "__index__"):
        return operator.index(value)
    if hasattr(value, "__float__"):
        return float(value)
    raise TypeError(f"{value!r} is no number, text, list or dict")
