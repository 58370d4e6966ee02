# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reversals of a chain of steps within a memory: what ``memshape checkpoint`` prints, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping, Sequence, Union

from . import _html, _native
from ._operator import Prediction
from ._page import several
from ._shape import as_bytes, as_integer
from .errors import ArgumentError, DoesNotFit, Error, native

#: ("store", 3, "ram"), ("forward", 0, 3), ("backward", 5), ("tape", 4, "ram"), ("rewind", 4, "ram")
Action = Union[tuple[str, int], tuple[str, int, int], tuple[str, int, str]]


@dataclass(frozen=True)
class Level:
    """A place for states: memory, a disk."""

    name: str
    slots: int  #: that states and tapes may take, a state one where not said otherwise
    write: float = 0.0  #: cost of storing one
    read: float = 0.0  #: cost of restoring one


@dataclass(frozen=True, repr=False)
class Checkpoints:
    """The cheapest way to reverse a chain. docs/checkpoints.md says what each action does."""

    steps: int
    levels: tuple[Level, ...]
    actions: tuple[Action, ...]
    recomputed_steps: int  #: forward steps, taped ones left out, beyond those of a single sweep
    cost: float
    peak_slots: int  #: taken at once, on all levels
    state_bytes: int | None = None  #: of a state, where the slots came from a memory
    peak_tapes: int | None = None  #: tapes held at once, where they may be kept
    optimal: bool | None = None  #: with bytes of tapes: none were rounded up

    def __str__(self) -> str:
        held = several(self.peak_slots, "state") if self.peak_tapes is None else \
            f"{several(self.peak_slots, 'slot')} and {several(self.peak_tapes, 'tape')}"
        return (f"{several(self.steps, 'step')} are reversed for {self.cost:g}, {self.recomputed_steps} of them computed again, "
                f"with {held} held at most")

    def __repr__(self) -> str:
        return f"<memshape.Checkpoints: {self}>"

    def _repr_html_(self) -> str:
        return _html.checkpoints(self)


def checkpoint(steps: int, slots: int | None = None, levels: str | Sequence[Any] | None = None, *,
               memory: int | float | str | None = None, state: int | float | str | Prediction | None = None,
               forward: float = 1.0, backward: float = 1.0, tape: int | float | str | None = None,
               state_slots: int = 1) -> Checkpoints:
    """Which states of a chain to store, where, and which to compute again, so that reversing all steps costs least. Give
    one of ``slots``, ``levels`` and ``memory``.

    :param slots: states that memory holds, at no cost.
    :param levels: places for states, each (name, slots), (name, slots, write, read) or a ``Level``; or text as in
        "ram:4,disk:100:2:1".
    :param memory: bytes for states, and what a step takes, where ``state`` is a prediction.
    :param state: bytes of a state, with ``memory``; or the prediction of a step: its state is what it returns, or where it
        returns nothing, what it is given.
    :param forward: cost of a step; ``backward``: of its reversal.
    :param tape: what the tape of a step takes, where some may be kept in the place of states: with ``memory`` bytes,
        otherwise slots. ``state_slots``: those that a state takes.
    :raises DoesNotFit: where not even the initial state has a slot.
    """
    count = as_integer("steps", steps)
    costs = _cost("forward", forward), _cost("backward", backward)
    if sum(each is not None for each in (slots, levels, memory)) != 1:
        raise ArgumentError("give one of slots, levels and memory")
    if memory is None and state is not None:
        raise ArgumentError("state belongs to memory")
    if memory is not None:
        return plan_within(count, as_bytes(memory), *_state(state), *costs, tape)
    places = _levels(levels) if levels is not None else [Level("ram", as_integer("slots", slots))]
    sizes = {"state_slots": as_integer("state_slots", state_slots), "tape_slots": 0 if tape is None else as_integer("tape", tape)}
    return plan_of(count, places, *costs, sizes)


def plan_within(steps: int, memory: int, state_bytes: int, step_bytes: int, forward: float, backward: float,
                tape: int | float | str | None) -> Checkpoints:
    """As many states, and tapes where ``tape`` is not None, as fit beside a step while it runs."""
    of_tape = None if tape is None else as_bytes(tape, "tape")
    left = max(0, memory - step_bytes)
    least = step_bytes + (state_bytes if of_tape is None else min(state_bytes, of_tape * (steps - 1)))
    if steps == 1 and memory < step_bytes:
        raise DoesNotFit(f"a step takes more than that memory while it runs: {step_bytes} bytes would do", step_bytes)
    sizes = {"memory_bytes": left, "state_bytes": state_bytes, "tape_bytes": of_tape} if of_tape and left else {}
    return plan_of(steps, [Level("ram", left // state_bytes)], forward, backward, sizes, state_bytes, least)


def plan_of(steps: int, places: Sequence[Level], forward: float, backward: float, sizes: Mapping[str, int],
            state_bytes: int | None = None, least_bytes: int | None = None) -> Checkpoints:
    """:param sizes: members of the request that say what states and tapes take.
    :param least_bytes: the memory in which the chain can be reversed, for the error where it cannot be."""
    try:
        found = native(_native.reverse, {"steps": steps, "levels": [vars(each) for each in places], "forward": forward,
                                         "backward": backward, **sizes})
    except Error as failure:
        if failure.code != "no_answer":
            raise
        raise DoesNotFit(failure.message + ("" if least_bytes is None else f": {least_bytes} bytes would do"),
                         least_bytes) from None
    return Checkpoints(steps, tuple(places), found["actions"], found["recomputed_steps"], found["cost"],
                       found["peak_slots"], state_bytes, found.get("peak_tapes"), found.get("optimal"))


def _cost(name: str, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ArgumentError(f"{name} is a cost from 0, not {value!r}") from None


def _state(state: Any) -> tuple[int, int]:
    """Bytes of a state, and of a step while it runs."""
    if state is None:
        raise ArgumentError("memory needs the bytes of a state, or the prediction of a step: say state=...")
    if not isinstance(state, Prediction):
        return as_bytes(state, "state"), 0
    given, upper = bytes_of_step(state)
    size = state.output_bytes or given
    if not size:
        raise ArgumentError(f"'{state.operator}' neither returns nor takes an object whose bytes are known: say with state "
                            "how many bytes a state has")
    return size, given + upper


def bytes_of_step(step: Prediction) -> tuple[int, int]:
    """Bytes that a step is given, and those that it takes beside them while it runs."""
    unknown = [name for name, each in step.tensors.items() if each is None]
    if unknown or step.upper_bytes is None:
        raise ArgumentError((f"what '{unknown[0]}' of '{step.operator}' takes is not known" if unknown else
                             f"what '{step.operator}' takes at this shape has no upper bound") +
                            ": give memory, less what a step takes, and the bytes of a state")
    return sum(each or 0 for each in step.tensors.values()), step.upper_bytes


def _levels(given: str | Sequence[Any]) -> list[Level]:
    parts = [each.split(":") for each in given.split(",")] if isinstance(given, str) else given
    try:
        found = [each if isinstance(each, Level) else Level(*each) for each in parts]
        numbers = [Level(str(each.name), int(each.slots) if isinstance(each.slots, str) else each.slots, float(each.write),
                         float(each.read)) for each in found]
    except (TypeError, ValueError):
        raise ArgumentError(f"levels are places (name, slots, write, read), as in 'ram:4,disk:100:2:1', not {given!r}") from None
    return [Level(each.name, as_integer(f"slots of {each.name}", each.slots), each.write, each.read) for each in numbers]
