# ===- _native.pyi - The module written in C++ ------------------------------=== #
#
# Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------=== #
from typing import Any, Callable

class Failure(Exception):
    args: tuple[str, str]

class Formula:
    text: str
    symbols: list[str]
    domain: dict[str, tuple[int, int]]
    verified_shapes: int
    complete: bool
    def value(self, at: dict[str, int]) -> int: ...
    def extrapolate(self, at: dict[str, int]) -> int: ...

class Operator:
    name: str
    place: tuple[str, int, str]
    symbols: list[tuple[str, int]]
    settings: list[tuple[str, bool]]
    tensors: list[str]
    sites: list[tuple[tuple[str, int, str], str, str]]
    decisions: list[tuple[int, tuple[str, int, str], bool, str, str, str]]
    def predict(self, shape: dict[str, int], settings: dict[str, float], assume: dict[str, int], threads: int,
                held_bytes: int | None, confidence: float, store: str, formulas: bool) -> str: ...
    def plan(self, shape: dict[str, int], settings: dict[str, float], split: list[str], halo: dict[str, int],
             align: dict[str, int], extents: list[str], counts: dict[str, int],
             element_bytes: tuple[float, float] | None, sink: int, from_storage: bool | None) -> str: ...
    def formula(self, settings: dict[str, float]) -> Formula: ...

class Program:
    operators: list[Operator]
    def find(self, name: str) -> Operator: ...

def open(file: str, with_files: list[str], libraries: list[str], summaries: list[str], machine: dict[str, int],
         trust: bool) -> Program: ...
def recover(symbols: list[str], figures: list[tuple[dict[str, int], int]]) -> Formula: ...
def plan(axes: list[tuple[int, int, int, bool]], task: Callable[[list[int]], tuple[int, int]], formula: Formula | None,
         names: list[str], fixed: dict[str, int], element_bytes: tuple[float, float], circumstances: dict[str, int]) -> tuple[dict[str, Any] | None, int | None]: ...
def schedule(document: str, memory: int | None, processors: int, objective: int | None, whole_outputs: bool,
             timed: bool, folder: str, trust: bool) -> dict[str, Any]: ...
def reverse(steps: int, levels: list[tuple[str, int, float, float]], forward: float, backward: float) -> dict[str, Any]: ...
def library_file() -> str: ...
def version() -> str: ...
def counting() -> bool: ...
def counted(name: str, symbols: list[str], shape: list[int], callable: Callable[..., Any], arguments: tuple[Any, ...],
            keywords: dict[str, Any]) -> tuple[Any, dict[str, Any] | None]: ...
