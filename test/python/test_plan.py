# Chunks that fit. That no plan has many more tasks than trying all grids finds is held in test/e2e/plan.py.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json

import memshape
import numpy
import pytest
from memshape._shape import as_bytes

F3 = {"ni": 651, "nx": 951, "ns": 462}


@pytest.fixture(scope="module")
def smooth(program):
    return memshape.open(program)["smooth"]


@pytest.fixture(scope="module")
def root():
    return memshape.measured(lambda a: numpy.sqrt(a * a + a), ("ni", "nx"),
                             lambda ni, nx: (numpy.ones((ni, nx), numpy.float32),))


def test_chunks_cover_the_array_and_the_bound_is_that_of_predict(smooth):
    found = memshape.plan(smooth, F3, ("ni", "nx"), memory="1.5GiB", workers=2, held=150e6, sink="store")
    assert [sum(each) for each in found.chunks] == list(F3.values())
    assert found.axes == ("ni", "nx", "ns") and found.tasks == len(found.chunks[0]) * len(found.chunks[1])
    assert found.upper_bytes <= 1.5 * 2**30 and found.utilisation == found.upper_bytes / found.limit_bytes
    largest = found.largest_task["shape"]
    volume = largest["ni"] * largest["nx"] * largest["ns"]
    assert found.largest_task["upper_bytes"] == smooth.predict(largest).upper_bytes
    # The output, which the caller hands in, is on the worker too, and so is the input.
    assert found.largest_task["call_bytes"] == found.largest_task["upper_bytes"] + 4 * volume
    assert found.task_bytes == found.largest_task["call_bytes"] + 4 * volume


def test_no_fewer_tasks_fit(smooth):
    given = {"memory": 10**8, "sink": "store", "source": "blocks"}
    found = memshape.plan(smooth, {"ni": 120, "nx": 130, "ns": 800}, ("ni", "nx"), **given)
    assert 3 <= found.tasks <= 4
    with pytest.raises(memshape.DoesNotFit):
        memshape.plan(smooth, {"ni": 120, "nx": 130, "ns": 800}, ("ni", "nx"), max_tasks=found.tasks - 1, **given)


def test_what_data_decides_is_planned_by_its_bound(program):
    middle = memshape.open(program)["middle"]
    found = memshape.plan(middle, {"n": 10**9}, ("n",), memory=10**8, sink="store")
    assert found.largest_task["lower_bytes"] == 0 and found.upper_bytes <= 10**8 and found.utilisation > 0.9
    assert found.largest_task["upper_bytes"] == middle.predict(n=found.largest_task["shape"]["n"]).upper_bytes


def test_halos_are_read_and_chunks_start_where_storage_does(smooth):
    found = memshape.plan(smooth, F3, ("ni", "nx"), halo={"ni": 3, "nx": 2}, align={"ni": 64}, memory=2 * 10**9,
                          held=10**8, workers=2, sink="store")
    assert all(each % 64 == 0 for each in found.chunks[0][:-1])
    assert min(found.chunks[1]) >= 2
    assert found.largest_task["shape"]["ni"] > max(found.chunks[0]) or len(found.chunks[0]) == 1


def test_a_measured_operator_is_planned_by_its_formula(root):
    found = memshape.plan(root, {"ni": 20_000, "nx": 10_000}, ("ni",), memory=10**9, workers=2, held=10**8, sink="store")
    rows = found.largest_task["shape"]["ni"]
    assert found.largest_task["upper_bytes"] == 8 * rows * 10_000
    assert found.evidence == "measured" and any("not proven" in note for note in found.notes)


def test_what_does_not_fit_says_what_would(smooth):
    given = {"halo": {"ni": 2}, "held": 10**8, "workers": 2}
    with pytest.raises(memshape.DoesNotFit) as raised:
        memshape.plan(smooth, F3, ("ni",), memory=10**8 + 10**6, **given)
    least = raised.value.least_bytes
    assert str(least) in str(raised.value)
    assert memshape.plan(smooth, F3, ("ni",), memory=least, **given).upper_bytes <= least
    with pytest.raises(memshape.DoesNotFit):
        memshape.plan(smooth, F3, ("ni",), memory=10**8 + 10**6, **given)


def test_sizes_in_text_are_those_of_numbers(smooth):
    assert [as_bytes(each) for each in ("1.5GiB", "1500MB", "2e9", " 1 PB", str(2**53 + 1), "1p")] == [
        3 << 29, 1_500_000_000, 2_000_000_000, 10**15, 2**53 + 1, 1 << 50]
    assert memshape.plan(smooth, F3, ("ni",), memory="2e9", sink="store").limit_bytes == 2_000_000_000


def test_a_result_that_cannot_be_gathered_is_said(root):
    found = memshape.plan(root, {"ni": 20_000, "nx": 10_000}, ("ni",), memory=1.4e9, workers=2, held=10**8)
    assert any("store the blocks" in note for note in found.notes)
    stored = memshape.plan(root, {"ni": 20_000, "nx": 10_000}, ("ni",), memory=1.4e9, workers=2, held=10**8, sink="store")
    assert not any("store the blocks" in note for note in stored.notes)


def test_a_plan_is_text_json_and_a_picture(smooth):
    found = memshape.plan(smooth, F3, ("ni", "nx", "ns"), memory="1GiB", workers=2, threads=2, sink="store")
    document = json.loads(found.json())
    assert document["schema"] == "memshape.plan/1" and document["tasks"] == found.tasks
    assert document["chunks"]["ni"] == list(found.chunks[0])
    assert "tasks" in str(found) and "<svg" in found._repr_html_()


@pytest.mark.parametrize("changed, words", [
    ({"split": ("other",)}, "other"), ({"halo": {"other": 1}}, "other"), ({"align": {"other": 1}}, "other"),
    ({"halo": {"ni": 700}}, "longer than the axis"), ({"halo": {"ni": -1}}, "negative"), ({"align": {"ni": 0}}, "below 1"),
    ({"memory": "much"}, "no size"), ({"memory": 0}, "above 0"), ({"workers": 0}, "at least 1"),
    ({"threads": -2}, "at least 1"), ({"max_tasks": 0}, "at least 1"), ({"sink": "drain"}, "sink"), ({"source": "here"}, "source"),
    ({"element_bytes": (4,)}, "element_bytes"), ({"element_bytes": (4, -1)}, "element_bytes"),
    ({"shape": {"ni": 0, "nx": 1, "ns": 1}}, "no elements"), ({"shape": {"ni": 1, "nx": 1}}, "ns"),
    ({"shape": {**F3, "other": 3}}, "other"), ({"extents": ()}, "no symbol"), ({"workers": 1.5}, "no integer"),
])
def test_requests_that_cannot_be_are_one_clear_line(smooth, changed, words):
    given = {"shape": F3, "split": ("ni",), "memory": 2**30, **changed}
    with pytest.raises(memshape.ArgumentError, match=words) as raised:
        memshape.plan(smooth, given.pop("shape"), given.pop("split"), **given)
    assert "\n" not in str(raised.value)


def test_a_measured_operator_with_doubts_is_planned_for_only_where_that_is_asked_for():
    op = memshape.measured(lambda a: a + 1, ("ni", "nx"), lambda ni, nx: (numpy.ones((ni, nx)),),
                           ranges={"ni": (2, 60), "nx": (2, 60)})
    given = {"memory": 10**8, "sink": "store"}
    with pytest.raises(memshape.ArgumentError, match="the ranges of its symbols end there.*doubtful=True") as raised:
        memshape.plan(op, {"ni": 9000, "nx": 9000}, ("ni", "nx"), **given)
    assert raised.value.code == "no_bound" and "\n" not in str(raised.value)
    found = memshape.plan(op, {"ni": 9000, "nx": 9000}, ("ni", "nx"), doubtful=True, **given)
    assert found.upper_bytes is None and found.tasks > 1 and "rests on what is expected" in found.notes[0]
