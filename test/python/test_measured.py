# ===- test_measured.py - Callables of Python as operators ------------------=== #
#
# Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------=== #
import contextlib
import functools
import os
import resource

import memshape
import numpy
import pytest
import scipy.ndimage
from memshape._toys import ToyProcess


def floats(ni, nx):
    return (numpy.ones((ni, nx), numpy.float32),)


def root(a):
    return numpy.sqrt(a * a + a)


@pytest.fixture(scope="module")
def op():
    return memshape.measured(root, ("ni", "nx"), floats)


def test_numpy_allocations_that_are_polynomials_have_an_exact_formula(op):
    # a * a, and the sum with a in its place; the root goes into a second array.
    assert str(op.formula) == "8*ni*nx" and op.error == 0
    assert op.formula(ni=10_000, nx=3_000) == 240_000_000
    assert op.verified_shapes >= 6


def test_the_answer_says_what_it_rests_on(op):
    seen = op.predict(ni=10_000, nx=3_000)
    assert (seen.peak_bytes, seen.output_bytes, seen.tensors["arguments"]) == (240_000_000, 120_000_000, 120_000_000)
    assert seen.evidence == "measured" and not seen.exact
    assert any("toy shapes" in note for note in seen.notes)
    low, high = op.domain["ni"]
    assert 1 <= low < high < 10_000


def test_toys_are_small(op):
    assert all(toy.peak_bytes + toy.arguments_bytes <= 64 << 20 and toy.seconds <= 2 for toy in op.toys)


def test_a_large_call_holds_what_was_predicted(op):
    with ToyProcess(root, floats) as process:
        assert process.call({"ni": 3001, "nx": 2003}).peak_bytes == op.predict(ni=3001, nx=2003).peak_bytes


def test_line_buffers_of_scipy_are_within_a_percent():
    gaussian = functools.partial(scipy.ndimage.gaussian_filter, sigma=2.0)
    op = memshape.measured(gaussian, ("ni", "nx"), floats)
    assert op.name == "gaussian_filter"
    with ToyProcess(gaussian, floats) as process:
        held = process.call({"ni": 4001, "nx": 2003}).peak_bytes
    seen = op.predict(ni=4001, nx=2003)
    assert abs(seen.peak_bytes / held - 1) < 0.01
    assert seen.lower_bytes <= held <= seen.upper_bytes


def test_data_that_decides_is_seen_and_takes_the_bound_away():
    def picks(a):
        return a[a > 0.5]

    op = memshape.measured(picks, ("n",), lambda n: (numpy.ones(n),))
    assert op.data_decides and op.predict(n=1000).upper_bytes is None
    assert "depends on them" in op.decisions[0].effect


def test_whole_numbers_and_truth_values_decide_too():
    for make in (lambda n: (numpy.arange(n, dtype=numpy.int16),), lambda n: (numpy.arange(n) % 3 == 0,)):
        assert memshape.measured(lambda a: a[a > 0] + 1, ("n",), make).data_decides
    # Places in another array stay places in it.
    op = memshape.measured(lambda a, at: a[at], ("n",), lambda n: (numpy.ones(n), numpy.arange(n)))
    assert not op.data_decides and str(op.formula) == "8*n"


def test_a_process_with_many_files_measures_too():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 1200 if hard == resource.RLIM_INFINITY else min(1200, hard)
    if wanted < 1200:
        pytest.skip("this process may not open 1200 files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
    try:
        with contextlib.ExitStack() as files:
            for _ in range(1100):
                files.enter_context(open(os.devnull, "rb"))
            with ToyProcess(root, floats) as process:
                assert process.call({"ni": 300, "nx": 400}).peak_bytes == 8 * 300 * 400
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_caches_that_a_first_call_fills_are_told_apart():
    kept = {}

    def caching(a):
        if not kept:
            kept["table"] = numpy.ones(100_000)
        return a + 1

    op = memshape.measured(caching, ("n",), lambda n: (numpy.ones(n),))
    assert op.one_time_bytes >= 800_000
    assert str(op.formula) == "8*n"
    assert op.predict(n=10**6).upper_bytes >= 8_800_000


def test_symbols_with_ranges_stay_in_them():
    def power(a, order):
        return numpy.stack([a**each for each in range(1, order + 1)])

    op = memshape.measured(power, ("n", "order"), lambda n, order: (numpy.ones(n), order), ranges={"order": (1, 8)})
    assert op.domain["order"][0] >= 1 and op.domain["order"][1] <= 8
    with ToyProcess(power, lambda n, order: (numpy.ones(n), order)) as process:
        held = process.call({"n": 900_000, "order": 5}).peak_bytes
    assert abs(op.predict(n=900_000, order=5).peak_bytes / held - 1) < 0.01


def test_what_a_callable_prints_or_raises_stays_in_the_child(capfd):
    def loud(a):
        print("loud")
        os.write(1, b"louder\n")
        if a.shape[0] % 7 == 0:
            raise ValueError("sevens")
        return a + 1

    op = memshape.measured(loud, ("n",), lambda n: (numpy.ones(n),))
    assert str(op.formula) == "8*n"
    assert "loud" not in capfd.readouterr().out


@pytest.mark.parametrize("function, make, words", [
    (3, floats, "callable"),
    (lambda a: 1 / 0, floats, "ZeroDivisionError"),
    (lambda a: os._exit(3), floats, "status 3"),
    (root, lambda ni, nx: [1], "tuple"),
    (root, lambda other: (1,), "'ni'"),
    (lambda a: exec("raise ValueError('first' + chr(10) + 'second')"), floats, "ValueError: first;"),
])
def test_callables_that_cannot_be_measured_are_one_clear_line(function, make, words):
    with pytest.raises(memshape.Error, match=words) as raised:
        memshape.measured(function, ("ni", "nx"), make)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("given", [{"ni": 3}, {"ni": 3, "nx": 4, "ns": 5}, {"ni": -3, "nx": 4}, {"ni": "3", "nx": 4}])
def test_shapes_that_cannot_be_are_refused(op, given):
    with pytest.raises(memshape.ArgumentError):
        op.predict(given)


@pytest.mark.parametrize("symbols, ranges", [((), {}), (("n", "n"), {}), (("n",), {"m": (1, 2)}), (("n",), {"n": (3, 2)})])
def test_symbols_that_cannot_be_are_refused(symbols, ranges):
    with pytest.raises(memshape.ArgumentError):
        memshape.measured(root, symbols, floats, ranges=ranges)


def test_notebooks_show_the_curve(op):
    assert "<polyline" in op._repr_html_() and "8*ni*nx" in op._repr_html_()


def test_the_regime_of_large_faces_is_found():
    def centred(cube):
        return cube - numpy.median(cube, axis=-1, keepdims=True)

    def cubes(ni, nx, ns):
        return (numpy.ones((ni, nx, ns), numpy.float32),)

    op = memshape.measured(centred, ("ni", "nx", "ns"), cubes)
    assert op.formula is None and op.error > 0
    with ToyProcess(centred, cubes) as process:
        for shape in ({"ni": 240, "nx": 200, "ns": 160}, {"ni": 100, "nx": 100, "ns": 61}):
            held, seen = process.call(shape).peak_bytes, op.predict(shape)
            assert seen.lower_bytes <= held <= seen.upper_bytes
    assert abs(op.predict(ni=240, nx=200, ns=160).peak_bytes / 31_152_824 - 1) < 0.01
