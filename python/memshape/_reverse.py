# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Drives the callables of a program along a plan of ``memshape.checkpoint``: ``<memshape/checkpoint.h>`` in Python."""

from __future__ import annotations

import os
from collections import Counter
from contextlib import ExitStack, closing
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Callable, Optional, Protocol, Sequence, TypeVar, cast

from ._checkpoint import Checkpoints, bytes_of_step, checkpoint, plan_within
from ._copies import Disk, Kept, bytes_of
from ._operator import Prediction
from ._page import several
from ._shape import as_bytes, as_integer
from .errors import ArgumentError

State = TypeVar("State")


@dataclass(frozen=True, repr=False)
class Reversal:
    """What was done."""

    plan: Checkpoints  #: that was carried out
    steps: int  #: reversed
    forward_steps: int  #: that forward() ran; those within backward() and tape() are left out
    stores: int
    restores: int
    peak_slots: int  #: copies held at once, on all levels
    tapes: int = 0  #: that were kept
    peak_tapes: int = 0  #: tapes held at once

    def __str__(self) -> str:
        return (f"{several(self.steps, 'step')} were reversed with {several(self.forward_steps, 'forward step')}, "
                f"{several(self.stores, 'store')} and {several(self.restores, 'restore')}, with "
                f"{several(self.peak_slots, 'state')} held at most")

    def __repr__(self) -> str:
        return f"<memshape.Reversal: {self}>"


def reverse(steps: int, slots: int | None = None, levels: str | Sequence[Any] | None = None, *, state: State,
            forward: Callable[[State, int, int], Optional[State]], backward: Callable[[State, int], object],
            memory: int | float | str | None = None, step: int | float | str | Prediction | None = None,
            cost_of_step: float = 1.0, store: Callable[[State, int, str], Any] | None = None,
            restore: Callable[[Any, int], State] | None = None, folder: str | os.PathLike[str] | None = None,
            tape: Callable[[State, int], tuple[Any, State]] | None = None, rewind: Callable[[Any, int], object] | None = None,
            tape_size: int | float | str | None = None) -> Reversal:
    """Runs a chain of steps forward and reverses it, the last step first: some states are stored, the others are computed
    again, so that it costs least. State i is the state after i steps. Give one of ``slots``, ``levels`` and ``memory``.

        >>> memshape.reverse(1000, slots=20, state=start, forward=advance, backward=backpropagate)

    :param slots: states that memory holds, that of the beginning included.
    :param levels: as ``memshape.checkpoint`` takes them, named "ram" and "disk": "ram:4,disk:100:2:1".
    :param memory: bytes for the states that are stored, and for ``step``.
    :param state: state 0: an array, or anything else that has ``copy()``; tuples, lists and dicts of such.
    :param forward: ``forward(state, i, j)`` takes state i to state j, i < j, and returns it; or changes what it is given,
        and returns None. What it is given is no copy of anybody else's, but for the initial state, which is the caller's.
    :param backward: ``backward(state, k)`` is given state k and reverses the step from it to k + 1, for k = steps - 1 .. 0:
        it runs that step once more with what its reversal needs. It may change the state.
    :param step: with ``memory``: bytes that a step takes while it runs, with the current state; or the prediction of a
        step. Where not given, those of the current state alone.
    :param cost_of_step: in the unit in which ``levels`` give theirs.
    :param store: ``store(state, i, level)`` returns a copy of state i, with ``restore(copy, i)``, which returns the state;
        it is called as often as the state is needed. For other states, and for levels of other names.
    :param tape: ``tape(state, k)`` takes state k to state k + 1 and returns what the reversal of step k needs, and the
        state. With ``rewind(tape, k)``, which reverses step k by it, and ``tape_size``: bytes of a tape with ``memory``,
        otherwise slots that it takes. Some tapes are then kept in the place of states: these steps run once less.
    :param folder: of a disk, for the level "disk": one file without a name, whose space is free again at the end. Where
        not given it is that for temporary files, which may be memory.
    :raises DoesNotFit: where not even the initial state has a slot.
    :raises ArgumentError: for a number of steps or a state that makes no sense, before ``forward`` or ``backward`` is
        called. What they raise passes through, and all copies are freed.
    """
    count = as_integer("steps", steps)
    if (store is None) != (restore is None):
        raise ArgumentError("store and restore belong together")
    if (tape is None) != (rewind is None) or (tape is None) != (tape_size is None):
        raise ArgumentError("tape, rewind and tape_size belong together")
    if tape is not None and levels is not None:
        raise ArgumentError("tapes are kept in memory: give slots or memory, not levels")
    if memory is None:
        if step is not None:
            raise ArgumentError("step belongs to memory")
        plan = checkpoint(count, slots, levels, forward=cost_of_step, tape=tape_size)
    elif slots is None and levels is None:
        size = bytes_of(state)
        running = size if step is None else sum(bytes_of_step(step)) if isinstance(step, Prediction) else as_bytes(step, "step")
        plan = plan_within(count, as_bytes(memory), size, running, cost_of_step, 1.0, tape_size)
    else:
        raise ArgumentError("give one of slots, levels and memory")
    if store is None and (others := [each.name for each in plan.levels if each.name not in ("ram", "disk")]):
        raise ArgumentError(f"levels are named ram and disk, not '{others[0]}': say store=... and restore=... for others")
    with ExitStack() as until_the_end:
        if store is not None and restore is not None:
            stores: _Stores = _own(store, restore)
        else:
            disk = until_the_end.enter_context(closing(Disk(folder))) if any(each.name == "disk" for each in plan.levels) else None
            stores = lambda state, _, level: Kept(state) if disk is None or level != "disk" else disk.keep(state)
        driver = _Driver(state, forward, backward, stores, tape, rewind)
        until_the_end.callback(driver.free)
        del state
        return driver.along(plan)


class _Copy(Protocol):
    """What is stored of a state."""

    def again(self) -> Any:
        """The state, as often as it is asked for."""

    def last(self) -> Any:
        """The state, which is not asked for again."""

    def close(self) -> None:
        """Frees the copy."""


_Stores = Callable[[Any, int, str], _Copy]


def _own(store: Callable[[Any, int, str], Any], restore: Callable[[Any, int], Any]) -> _Stores:
    """Copies by callables of the user."""

    class Own:
        def __init__(self, state: Any, at: int, level: str):
            self._copy, self._at = store(state, at, level), at

        def again(self) -> Any:
            return restore(self._copy, self._at)

        last = again

        def close(self) -> None:
            self._copy = None

    return Own


class _Driver:
    """Carries out actions with the callables of the program, and owns the copies."""

    def __init__(self, state: Any, forward: Callable[[Any, int, int], Any], backward: Callable[[Any, int], object],
                 stores: _Stores, tape: Callable[[Any, int], tuple[Any, Any]] | None, rewind: Callable[[Any, int], object] | None):
        self._current = state  # None where no state is
        self._forward, self._backward, self._stores = forward, backward, stores
        self._tape, self._rewind = tape, rewind
        self._held: dict[tuple[int, str], _Copy] = {}
        self._tapes: list[Any] = []  # in the order of their steps
        self._steps = 0
        self._most, self._most_tapes = 0, 0

    def along(self, plan: Checkpoints) -> Reversal:
        kinds = Counter(action[0] for action in plan.actions)
        for action, following in zip_longest(plan.actions, plan.actions[1:]):
            what, place = action[0], cast("tuple[int, str]", action[1:])  # a state and its level, where copies are meant
            if what == "forward":
                self._advance(*cast("tuple[int, int]", action[1:]))
            elif what == "backward":
                self._backward(self._current, action[1])
                self._current = None
            elif what == "store":
                self._held[place] = self._stores(self._current, *place)
                self._most = max(self._most, len(self._held))
            elif what == "tape":
                self._keep_tape(action[1])
            elif what == "rewind":
                assert self._rewind is not None
                self._rewind(self._tapes.pop(), action[1])
                self._current = None
            elif what == "discard":
                self._held.pop(place).close()
            else:
                self._restore(self._held[place], following == ("discard", *place))
        return Reversal(plan, kinds["backward"] + kinds["rewind"], self._steps, kinds["store"], kinds["restore"], self._most,
                        kinds["tape"], self._most_tapes)

    def free(self) -> None:
        """All states, whatever keeps the driver itself, as the traceback of an error does."""
        self._current = None
        self._held.clear()
        self._tapes.clear()

    def _advance(self, begin: int, end: int) -> None:
        after = self._forward(self._current, begin, end)
        if after is not None:
            self._current = after
        self._steps += end - begin

    def _keep_tape(self, step: int) -> None:
        assert self._tape is not None
        kept, self._current = self._tape(self._current, step)
        self._tapes.append(kept)
        self._most_tapes = max(self._most_tapes, len(self._tapes))

    def _restore(self, copy: _Copy, is_last: bool) -> None:
        self._current = None
        self._current = copy.last() if is_last else copy.again()
