# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""memshape.reverse: every state at its reversal is the one of a single sweep, within what was allowed."""
import copy
import importlib.util
import os
import tracemalloc
import weakref
from pathlib import Path

import memshape
import numpy
import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "rtm2d.py"


@pytest.fixture(scope="module")
def rtm2d():
    spec = importlib.util.spec_from_file_location("rtm2d", EXAMPLE)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def doubled(state, begin, end):
    """In place: rounding makes each state tell how it was reached."""
    for step in range(begin, end):
        state *= 1.1 + step / 7


def sweep(steps):
    """The states of a single sweep, the last step's beginning first."""
    state, seen = numpy.arange(1.0, 6.0), []
    for step in range(steps):
        seen.append(state.copy())
        doubled(state, step, step + 1)
    return seen[::-1]


@pytest.mark.parametrize("within", [
    {"slots": 1}, {"slots": 3}, {"slots": 40}, {"levels": "ram:2,disk:4:2:1"}, {"levels": "disk:5:1:1"}, {"levels": [("ram", 2)]},
    {"memory": 4 * 40}, {"memory": 4 * 40, "step": 2 * 40}, {"levels": "ram:2,disk:4:2:1", "cost_of_step": 9}])
def test_each_state_is_that_of_a_single_sweep(within, tmp_path):
    for steps in (1, 2, 3, 17, 40):
        seen = []

        def backward(state, step):
            seen.append(state.copy())
            assert step == steps - len(seen)
            state[:] = -1  # a state may be changed while it is reversed

        done = memshape.reverse(steps, state=numpy.arange(1.0, 6.0), forward=doubled, backward=backward, folder=tmp_path, **within)
        assert [each.tobytes() for each in seen] == [each.tobytes() for each in sweep(steps)]
        assert done.steps == steps and done.forward_steps == steps - 1 + done.plan.recomputed_steps
        assert done.peak_slots == done.plan.peak_slots and done.stores <= done.restores + 1
        assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("within", [{"slots": 1, "tape_size": 1}, {"slots": 4, "tape_size": 2}, {"slots": 50, "tape_size": 1},
                                    {"memory": 40 + 200, "tape_size": 50}])
def test_tapes_reverse_their_steps(within):
    for steps in (1, 2, 3, 17, 40):
        seen, kept = [], set()

        def tape(state, step):
            kept.add(step)
            before = state.copy()
            doubled(state, step, step + 1)
            return before, state

        def rewind(before, step):
            kept.remove(step)
            seen.append(before)

        done = memshape.reverse(steps, state=numpy.arange(1.0, 6.0), forward=doubled, tape=tape, rewind=rewind,
                                backward=lambda state, step: seen.append(state.copy()), **within)
        assert [each.tobytes() for each in seen] == [each.tobytes() for each in sweep(steps)] and not kept
        assert done.forward_steps == done.plan.recomputed_steps and done.steps == steps
        assert done.peak_tapes == done.plan.peak_tapes and done.tapes >= done.peak_tapes
    assert "slots" not in within or done.plan.cost <= memshape.checkpoint(40, slots=within["slots"]).cost


def test_slots_are_what_memory_holds_beside_a_step():
    def slots(**within):
        return memshape.reverse(9, state=numpy.zeros(5), forward=doubled, backward=lambda *_: None, **within).plan.levels[0].slots

    assert slots(memory=4 * 40) == 3 and slots(memory=4 * 40, step=2 * 40) == 2 and slots(memory=4 * 40, step=1) == 3
    with pytest.raises(memshape.DoesNotFit, match="80 bytes would do") as raised:
        slots(memory=79)
    assert raised.value.least_bytes == 80 and slots(memory=80) == 1
    step = memshape.measured(lambda a: a + 1, ("n",), lambda n: (numpy.ones(n),)).predict(n=1000)
    assert slots(memory=8000 + step.upper_bytes + 2 * 40, step=step) == 2


class Field:
    """No array, but it can be copied."""

    def __init__(self, at=0):
        self.at = at

    def copy(self):
        return Field(self.at)


@pytest.mark.parametrize("start, array", [
    ((numpy.zeros(3), "text"), lambda state: state[0]), ([numpy.zeros((2, 3), order="F"), None], lambda state: state[0]),
    ({"left": (1, [numpy.zeros((3, 4))[:, ::2], numpy.zeros(0)])}, lambda state: state["left"][1][0]),
    (numpy.zeros(4, numpy.float32), lambda state: state), (Field(), lambda state: numpy.array(state.at))])
def test_states_are_anything_that_can_be_copied(start, array, tmp_path):
    def forward(state, begin, end):
        if isinstance(state, Field):
            state.at += end - begin
        else:
            array(state)[...] += end - begin

    for levels in "ram:2", "disk:2:1:1", "ram:1,disk:1:1:1":
        seen = []
        state = copy.deepcopy(start)
        memshape.reverse(12, levels=levels, state=state, forward=forward, folder=tmp_path,
                         backward=lambda state, _: seen.extend(numpy.unique(array(state))))
        assert seen == list(range(11, -1, -1))


def test_copies_may_be_the_users_own():
    held, most = {}, []

    def store(state, at, level):
        held[at, level] = state.copy()
        most.append(len(held))
        return at, level

    def restore(key, at):
        assert key[0] == at
        return held[key].copy()

    seen = []
    memshape.reverse(9, levels="here:1,there:2:1:1", state=numpy.ones(2), forward=doubled, store=store, restore=restore,
                     backward=lambda state, step: seen.append((step, state[0])))
    assert [step for step, _ in seen] == list(range(8, -1, -1)) and {level for _, level in held} == {"here", "there"}


def open_files(folder):
    """Bytes of the files in a folder that this process has open, with or without a name."""
    found = []
    for each in Path("/proc/self/fd").iterdir():
        try:
            if os.readlink(each).startswith(str(folder)):
                found.append(each.stat().st_size)
        except FileNotFoundError:  # the one that lists the others
            pass
    return found


def test_copies_are_freed_where_a_callable_raises(tmp_path):
    kept = []

    class Watched(Field):
        def copy(self):
            made = Watched()
            kept.append(weakref.ref(made))
            return made

    def backward(_, step):
        if step == last:
            raise ValueError(f"step {step}")

    for last in 8, 3:
        kept.clear()
        with pytest.raises(ValueError, match=f"step {last}") as raised:
            memshape.reverse(9, slots=3, state=Watched(), forward=lambda *_: None, backward=backward)
        # The traceback is there. Its last frame holds the state that it was given: none that was stored, at first.
        assert raised.tb and len(kept) >= 3 and sum(each() is not None for each in kept) == (last != 8)
    last = 8
    with pytest.raises(ValueError, match="step 8"):
        memshape.reverse(9, levels="disk:3", state=numpy.zeros(3), forward=doubled, backward=backward, folder=tmp_path)
    assert os.listdir(tmp_path) == [] and not open_files(tmp_path)


def test_the_file_takes_no_more_than_what_is_stored_at_once(tmp_path):
    sizes = []
    done = memshape.reverse(60, levels="disk:4", state=numpy.zeros(10_000), forward=doubled, folder=tmp_path,
                            backward=lambda *_: sizes.append(open_files(tmp_path)))
    assert done.stores > 4 and done.peak_slots == 4 and {len(each) for each in sizes} == {1}
    assert 4 * 80_000 < max(size for size, in sizes) < 4 * (80_000 + 1_000)  # and what pickle says of each


@pytest.mark.parametrize("given, words", [
    ({}, "give one of"), ({"slots": 1, "memory": 80}, "give one of"), ({"slots": 1, "levels": "ram:1"}, "give one of"),
    ({"slots": 1, "step": 8}, "step belongs to memory"), ({"slots": -1}, "slots from 0"), ({"levels": "tape:3"}, "named ram and disk"),
    ({"slots": 1, "store": print}, "belong together"), ({"slots": 1, "tape": print}, "tape, rewind and tape_size"),
    ({"levels": "ram:2", "tape": print, "rewind": print, "tape_size": 1}, "not levels"), ({"slots": 2, "state": object()}, "has no copy"),
    ({"memory": 9, "state": "text"}, "not known"), ({"steps": 0, "slots": 1}, "steps"), ({"slots": 2, "cost_of_step": "x"}, "cost"),
])
def test_requests_that_cannot_be_are_one_clear_line(given, words):
    def never(*_):
        raise AssertionError("nothing is called")

    with pytest.raises(memshape.ArgumentError, match=words) as raised:
        memshape.reverse(**{"steps": 9, "state": numpy.zeros(2), "forward": never, "backward": never, **given})
    assert "\n" not in str(raised.value)


def test_a_gradient_within_a_tenth_of_the_states_is_the_same(rtm2d, capsys):
    for within in ({"slots": 10}, {"slots": 1}, {"levels": "ram:4,disk:6:2:1"}, {"memory": 100_000}):
        assert rtm2d.check((30, 24), 100, **within)
        told = capsys.readouterr().out
        assert " of 100 states: identical\n" in told and told.count("\n") == 3
    assert rtm2d.check((1, 1), 1, slots=1) and rtm2d.check((2, 5), 7, slots=2)


def test_a_tenth_of_the_memory_does(rtm2d):
    def peak(**within):
        shot = rtm2d.Shot(numpy.full((100, 120), 0.2), 100)
        observed = shot.record() + 1
        tracemalloc.start()
        shot.gradient(observed, **within)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    limit, step = peak(slots=100) // 10, peak(slots=1) - 2 * 104 * 124 * 8
    assert peak(memory=limit, step=step) <= limit
