# Callables of Python as operators.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import contextlib
import functools
import os
import resource
import subprocess
import sys
import time

import memshape.testing
import numpy
import pytest
import scipy.ndimage
import scipy.sparse
from memshape import _install, _native, _toy_shapes
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


def test_a_slow_first_call_makes_no_toy_smaller():
    def slow_at_first(a):
        if not hasattr(sys, "memshape_is_warm"):
            time.sleep(3)  # as an import, a compilation or a licence
            sys.memshape_is_warm = True
        return root(a)

    op = memshape.measured(slow_at_first, ("ni", "nx"), floats)
    assert str(op.formula) == "8*ni*nx" and not op.doubts
    assert op.predict(ni=10_000, nx=3_000).upper_bytes >= 240_000_000
    assert max(toy.largest_array_bytes for toy in op.toys) > 2_000_000


def uneven(a):
    """Up to twice as much as other arrays of about the same size: no law says when."""
    return numpy.ones(a.size + a.size * (a.size * 7919 % 1000) // 1000)


@pytest.mark.parametrize("function, ranges, words", [
    (root, {"ni": (2, 60), "nx": (2, 60)}, "the ranges of its symbols end there"),
    (lambda a: a + 1 if a.size < 5000 else 1 / 0, {}, "ZeroDivisionError"),
    (uneven, {}, "more or less than"),
])
def test_toys_that_tell_nothing_of_large_shapes_give_no_bound(function, ranges, words):
    op = memshape.measured(function, ("ni", "nx"), floats, ranges=ranges)
    assert any(words in doubt for doubt in op.doubts)
    seen = op.predict(ni=10_000, nx=3_000, held_bytes=10**8)
    assert seen.upper_bytes is None and seen.rss_upper_bytes is None
    assert any(words in note for note in seen.notes)


def test_toys_of_slow_calls_are_small_and_give_no_bound(monkeypatch):
    monkeypatch.setattr(_toy_shapes, "AIM_SECONDS", 0.02)
    monkeypatch.setattr(_toy_shapes, "CONFIRMING_SECONDS", 0.1)
    op = memshape.measured(lambda a: (time.sleep(a.size * 1e-5), a + 1)[1], ("ni", "nx"), floats)
    assert any("a call takes 0.0" in doubt for doubt in op.doubts)


def test_seconds_in_which_other_processes_run_do_not_count():
    def busy(a):
        until = time.thread_time() + 0.3  # what is measured is the thread that calls: pools of NumPy's spin beside it
        while time.thread_time() < until:
            pass

    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(3)]
    try:
        with ToyProcess(busy, floats) as process:
            process.call({"ni": 2, "nx": 2})
            begin = time.monotonic()
            seconds = process.call({"ni": 3, "nx": 2}).seconds
            took = time.monotonic() - begin
    finally:
        os.sched_setaffinity(0, allowed)
        for each in others:
            each.kill()
            each.wait()
    assert 0.3 <= seconds < took / 3  # two calls, each of which had a quarter of the processor


def test_callables_that_are_slow_at_every_shape_are_one_line():
    with pytest.raises(memshape.ArgumentError, match="a call took 2.[2-9] s at ni=2, nx=2, and toys may take 2"):
        memshape.measured(lambda a: (time.sleep(2.2), a * 2)[1], ("ni", "nx"), floats)


def test_the_first_call_has_a_limit_of_its_own_and_is_not_begun_again(tmp_path):
    def never(a):
        with open(tmp_path / "calls", "a", encoding="ascii") as file:
            file.write("called\n")
        time.sleep(60)

    with pytest.raises(memshape.ArgumentError, match="more than 1 s: say longest_call=SECONDS"):
        memshape.measured(never, ("ni", "nx"), floats, longest_call=1)
    assert (tmp_path / "calls").read_text() == "called\n"


def test_few_shapes_are_enough_for_an_answer():
    op = memshape.measured(lambda a: numpy.ones(100_000) * a.size, ("n",), lambda n: (numpy.ones(n),), ranges={"n": (1, 3)})
    assert op.predict(n=2).peak_bytes == 800_000  # the product takes the place of its operand


def test_toys_lie_all_over_a_range_that_is_shorter_than_they_grow():
    op = memshape.measured(lambda a: a * 2, ("n", "m"), lambda n, m: (numpy.ones((n, m)),), ranges={"m": (500, 2000)})
    assert str(op.formula) == "8*n*m"
    assert len({toy.shape["m"] for toy in op.toys}) > 20 and all(500 <= toy.shape["m"] <= 2000 for toy in op.toys)


def test_what_larger_arrays_do_otherwise_is_said():
    def other(a):
        if a.size < 10**6:
            return a + 1
        return sum([a * each for each in range(5)])

    op = memshape.measured(other, ("n", "m"), lambda n, m: (numpy.ones((n, m)),))
    assert op.doubts and op.predict(n=3000, m=1500).upper_bytes is None
    assert op.law.error == op.error > 0.2


def test_a_formula_whose_values_are_no_whole_numbers_is_none():
    with pytest.raises(_native.Failure, match="no_formula"):
        _native.recover(["n"], [({"n": n}, n * n // 3) for n in range(3, 90, 3)])
    with pytest.raises(_native.Failure, match="no_formula"):
        _native.recover(["n", "m"], [({"n": n, "m": m}, (n * m + 4 * m) // 8) for n in range(4, 60, 8)
                                     for m in range(2, 40, 4)])
    halves = _native.recover(["n"], [({"n": n}, n * (n + 1) // 2) for n in range(3, 90, 3)])
    assert halves.extrapolate({"n": 1000}) == 500_500


def test_lists_that_grow_in_steps_leave_the_arrays_exact():
    def by_slices(cube):
        padded = numpy.pad(cube, ((0, 0), (3, 3), (3, 3)))
        doubled = padded * 2.0
        parts = [doubled[number] for number in range(cube.shape[0])]
        return numpy.stack([part[3:-3, 3:-3] for part in parts])

    def cubes(ni, nx, nt):
        return (numpy.ones((ni, nx, nt)),)

    op = memshape.measured(by_slices, ("ni", "nx", "nt"), cubes)
    assert str(op.law.text).startswith("24*ni*nx*nt + 96*ni*nt + 96*ni*nx")  # 16*ni*(nx+6)*(nt+6) + 8*ni*nx*nt
    assert op.error < 0.01 and not op.doubts
    with ToyProcess(by_slices, cubes) as process:
        held = process.call({"ni": 200, "nx": 150, "nt": 150}).peak_bytes
    assert abs(op.predict(ni=200, nx=150, nt=150).peak_bytes - held) < 50_000


def test_the_formula_of_larger_arrays_is_looked_for():
    def buffered(a):
        return numpy.ones(max(a.size, 500_000))

    op = memshape.measured(buffered, ("n",), lambda n: (numpy.ones(n),))
    assert op.predict(n=10**8).peak_bytes == 800_000_000
    assert op.error > 0.2 and op.doubts  # at the small ones it does not hold


def test_an_estimate_is_made_with_all_toys_where_the_larger_ones_contradict():
    def rising(a):
        return numpy.ones(300_000 + int(a.size ** 1.2 / 16) + a.size * 7919 % 1000)

    op = memshape.measured(rising, ("n",), lambda n: (numpy.ones(n),))
    held = 8 * (300_000 + int(3_000_000 ** 1.2 / 16))
    assert op.predict(n=3_000_000).peak_bytes > 0.5 * held


def test_contents_of_objects_decide_too():
    op = memshape.measured(lambda a: a > 0.5, ("n", "m"), lambda n, m: (
        scipy.sparse.random(n, m, density=0.2, format="csr", rng=1),))
    assert op.data_decides and op.predict(n=3000, m=1500).upper_bytes is None


def test_what_chance_decides_is_an_error_and_no_matter_of_data():
    def chance(a):
        return numpy.ones(a.size + int.from_bytes(os.urandom(2), "little") % 16_000)

    op = memshape.measured(chance, ("n",), lambda n: (numpy.ones(n),))
    assert op.formula is None and 0 < op.error < 0.2 and not op.data_decides
    assert any("equal arguments" in note for note in op.notes)


def test_one_larger_call_tests_what_smaller_ones_say(op):
    (largest,) = op.held_out
    assert 64 << 20 < largest.peak_bytes + largest.arguments_bytes <= 256 << 20

    def other(a):
        return numpy.ones(2 * a.size if a.size >= 8_000_000 else a.size)

    beyond = memshape.measured(other, ("n",), lambda n: (numpy.ones(n),))
    assert beyond.error > 0.2 and beyond.predict(n=10**8).upper_bytes is None


def test_what_calls_leave_behind_and_do_later_is_said():
    left = []

    def leaks(a):
        left.append(a.copy())
        return a + 1

    op = memshape.measured(leaks, ("n",), lambda n: (numpy.ones(n),))
    assert any("leaves something behind" in doubt for doubt in op.doubts) and op.predict(n=10).upper_bytes is None
    op = memshape.measured(lambda a: (each * 2 for each in a), ("n",), lambda n: (numpy.ones(n),))
    assert any("returns a generator" in note for note in op.notes)
    for function in (lambda a: numpy.pad(a, 3)[3:-3], lambda a: a[1:], lambda a: [a + 1], lambda a: a.sum()):
        assert not memshape.measured(function, ("n",), lambda n: (numpy.ones(n),)).doubts


def test_loading_has_the_limit_of_the_first_call(tmp_path, monkeypatch):
    (tmp_path / "slow_to_import.py").write_text("import time; time.sleep(30)\n\ndef doubled(a):\n    return a * 2\n")

    def made():
        sys.modules["slow_to_import"] = type(sys)("slow_to_import")
        exec("def doubled(a):\n    return a * 2\n", vars(sys.modules["slow_to_import"]))
        found = sys.modules["slow_to_import"].doubled
        found.__module__ = "slow_to_import"
        return found

    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(memshape.ArgumentError, match="cannot be loaded .* more than 1 s: say longest_call=SECONDS"):
        memshape.measured(made(), ("n",), lambda n: (numpy.ones(n),), longest_call=1)
    del sys.modules["slow_to_import"]


def test_progress_is_shown_where_it_is_asked_for(capfd, monkeypatch):
    for verbose, shown in ((True, True), (False, False), (None, False)):  # standard error is no terminal here
        memshape.measured(root, ("ni", "nx"), floats, name="root", verbose=verbose)
        assert ("memshape measures root" in capfd.readouterr().err) == shown
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)  # it is not installed
    memshape.measured(root, ("ni", "nx"), floats, verbose=True)
    assert "memshape measures root: 1 of about 60 calls\n" in capfd.readouterr().err


def test_of_bad_laws_the_one_that_is_nearest_to_the_largest_toys_is_taken():
    def of_the_shorter_side(a):
        return numpy.ones((8 * min(a.shape), min(a.shape)))

    op = memshape.measured(of_the_shorter_side, ("n", "m"), lambda n, m: (numpy.ones((n, m)),))
    assert op.doubts and 0.7 < op.predict(n=3000, m=2800).peak_bytes / (64 * 2800**2) < 1.5


def mapped(a):
    import mmap

    numpy.frombuffer(mmap.mmap(-1, 3 * a.nbytes), numpy.uint8)[:] = 1
    return a * 2


@pytest.mark.parametrize("function, more", [(mapped, 1.9), (lambda a: [float(each) for each in a.ravel()], 2.0)])
def test_what_is_not_requested_from_malloc_is_seen_in_the_process(function, more):
    op = memshape.measured(function, ("ni", "nx"), floats)
    assert any("more than is requested" in doubt for doubt in op.doubts) and op.beyond > more
    seen = op.predict(ni=3000, nx=2000, held=0)
    assert seen.upper_bytes is None and seen.rss_bytes > (1 + more) * seen.peak_bytes
    plan = memshape.plan(op, {"ni": 3000, "nx": 2000}, ("ni",), memory="100MB", sink="store", doubtful=True)
    assert plan.largest_task["peak_bytes"] > (1 + more) * op.predict(plan.largest_task["shape"]).peak_bytes


def test_one_slow_call_of_the_usual_size_tells_that_a_law_holds():
    def slow(a):
        time.sleep(1e-5 * a.size)
        return a * 2

    op = memshape.measured(slow, ("n",), lambda n: (numpy.ones(n),))
    assert op.doubts == () and str(op.formula) == "8*n" and len(op.held_out) == 1
    assert op.held_out[0].arguments_bytes >= _toy_shapes.CONFIRMING_ARRAY > max(toy.arguments_bytes for toy in op.toys) / 2


def test_an_array_with_something_around_it_has_a_law_of_all_products():
    # A list of rows costs the formula; the products of one and two symbols are what is around the array.
    def padded(a):
        wide = numpy.pad(a, 8)
        return numpy.array([list(row[:4]) and row * 2 for row in wide])

    op = memshape.measured(padded, ("ni", "nx"), floats)
    with ToyProcess(padded, floats) as process:
        for shape in ({"ni": 3000, "nx": 60}, {"ni": 60, "nx": 3000}):
            assert process.call(shape).peak_bytes == pytest.approx(op.predict(shape).peak_bytes, rel=0.02)


def test_a_test_asks_what_a_block_takes():
    test = """
import memshape.testing, numpy
with memshape.testing.heap() as taken:
    kept = numpy.ones(100_000)
    kept + kept
print(taken.peak_bytes // 100, taken.output_bytes // 100)
"""
    run = subprocess.run([_install.command(), "run", "--", sys.executable, "-c", test], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines()[0] == "16000 8000"
    with pytest.raises(memshape.ArgumentError, match="memshape run"), memshape.testing.heap():
        pass
