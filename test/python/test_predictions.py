# Operators that were compiled with the flag.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import memshape
import numpy
import pytest


@pytest.fixture(scope="module")
def smooth(program):
    return memshape.open(program)["smooth"]


def test_a_program_is_a_mapping_of_operators(program):
    opened = memshape.open(program)
    assert sorted(opened) == ["blur", "doubled", "gathered", "looked_up", "middle", "smooth"]
    assert len(opened) == 6 and "blur" in opened and "other" not in opened and 7 not in opened


def test_what_the_readme_says_is_what_python_says(smooth):
    seen = smooth.predict(ni=651, nx=951, ns=462)
    assert smooth.symbols == ("ni", "nx", "ns") and smooth.settings == ()
    assert (seen.peak_bytes, seen.lower_bytes, seen.upper_bytes) == (1144102352,) * 3
    assert seen.exact and seen.allocations == 2 and seen.output_bytes == 0 and seen.evidence == "skeleton"
    assert seen.peak_bytes < seen.rss_bytes < seen.rss_upper_bytes
    assert sorted(each.bytes_at_peak for each in seen.sites) == [3704, 1144098648]


def test_formulas_are_callables(smooth):
    assert str(smooth.formula) == "4*ni*nx*ns + 8*ns + 8"
    assert smooth.formula(ni=651, nx=951, ns=462) == 1144102352
    assert smooth.formula({"ni": numpy.int64(3), "nx": 5, "ns": 7}) == 4 * 105 + 64
    with pytest.raises(memshape.ArgumentError):
        smooth.formula(ni=3, nx=5)


def test_symbols_may_be_given_as_a_mapping_and_as_keywords(smooth):
    assert smooth.predict({"ni": 10, "nx": 20}, ns=30).peak_bytes == 4 * 6000 + 248


def test_settings_are_values_as_symbols_are(program):
    blur = memshape.open(program)["blur"]
    assert blur.settings == ("sigma",) and blur.formula is None
    assert blur.predict(n=1000, sigma=2.0).peak_bytes == 8 * 1012
    assert blur.formula_with(sigma=2.0)(n=500) == 8 * 512


def test_what_is_returned_has_a_shape(program, smooth):
    doubled = memshape.open(program)["doubled"]
    assert doubled.symbols == ("in.size",)
    assert doubled.predict({"in.size": 50}).output_shape == {"result.size": 100}
    assert smooth.predict(ni=2, nx=3, ns=4).output_shape == {}


def test_what_data_decides_has_bounds_and_says_so(program):
    middle = memshape.open(program)["middle"]
    assert len(middle.decisions) >= 1
    seen = middle.predict(n=1000)
    assert not seen.exact and seen.lower_bytes == 0 and seen.upper_bytes == 4000
    assert any(each.file.endswith("operators.cpp") for each in seen.decisions)
    assert not any(each.is_size for each in seen.decisions)


def test_a_size_from_data_has_a_name_to_assume_it_by(program):
    gathered = memshape.open(program)["gathered"]
    size, = [each for each in gathered.predict(n=10).decisions if each.is_size]
    assert size.name
    assert gathered.predict(n=10, assume={size.name: 1000}).peak_bytes == 4000


def test_notebooks_show_tables_and_pictures(smooth):
    page = smooth.predict(ni=20, nx=30, ns=40)._repr_html_()
    assert "94.1 KiB" in page or "94.07 KiB" in page
    assert "<svg" in page and "operators.cpp" in page
    assert "<polyline" in smooth._repr_html_() and "4*ni*nx*ns" in smooth._repr_html_()


@pytest.mark.parametrize("given, words", [
    ({"ni": 1, "nx": 1}, "ns"),
    ({"ni": 1, "nx": 1, "ns": 1, "other": 2}, "other"),
    ({"ni": -1, "nx": 1, "ns": 1}, "ni"),
    ({"ni": 1.5, "nx": 1, "ns": 1}, "ni"),
    ({"ni": True, "nx": 1, "ns": 1}, "ni"),
    ({"ni": 2**63, "nx": 1, "ns": 1}, "ni"),
])
def test_values_that_cannot_be_are_named_in_one_line(smooth, given, words):
    with pytest.raises(memshape.ArgumentError) as raised:
        smooth.predict(given)
    assert words in str(raised.value) and "\n" not in str(raised.value)


def test_names_that_are_not_there_are_named(program, tmp_path):
    with pytest.raises(memshape.OperatorError, match="smoth") as raised:
        memshape.open(program)["smoth"]
    assert isinstance(raised.value, LookupError)
    with pytest.raises(memshape.FileError, match="no-such") as raised:
        memshape.open(tmp_path / "no-such.so")
    assert isinstance(raised.value, OSError)
    (tmp_path / "text.so").write_text("text")
    with pytest.raises(memshape.FileError):
        memshape.open(tmp_path / "text.so")


def test_the_largest_extent_that_fits_is_an_integer(smooth):
    found = smooth.largest("ni", memory="1GiB", heap=True, nx=951, ns=462)
    least = smooth.formula(ni=1, nx=951, ns=462)
    step = smooth.formula(ni=2, nx=951, ns=462) - least
    assert found == 1 + (2**30 - least) // step and found.proven and found.symbol == "ni"
    assert smooth.predict(ni=found, nx=951, ns=462).upper_bytes == found.bytes <= 2**30
    assert found.next == (found + 1, found.bytes + step) and found.next[1] > 2**30


def test_what_the_process_holds_is_what_fits_by_default(smooth):
    found = smooth.largest("ni", memory="100MB", held="10MB", nx=95, ns=46)
    assert smooth.predict(ni=found, nx=95, ns=46, held_bytes=10**7).rss_upper_bytes == found.bytes <= 10**8
    assert smooth.predict(ni=found + 1, nx=95, ns=46, held_bytes=10**7).rss_upper_bytes == found.next[1] > 10**8


def test_a_pair_of_symbols_has_a_frontier(smooth):
    found = smooth.largest(("ni", "nx"), memory="1MB", heap=True, ns=10)
    assert found.proven and [each["ni"] for each in found] == sorted({each["ni"] for each in found})
    for each in found:
        assert smooth.formula.extrapolate(ni=each["ni"], nx=each["nx"], ns=10) == each["bytes"] <= 10**6
        assert smooth.formula.extrapolate(ni=each["ni"], nx=each["nx"] + 1, ns=10) > 10**6


def test_where_nothing_fits_the_least_is_said(smooth):
    with pytest.raises(memshape.DoesNotFit) as raised:
        smooth.largest("ni", memory=100, heap=True, nx=951, ns=462)
    assert raised.value.least_bytes == smooth.formula(ni=1, nx=951, ns=462)
    with pytest.raises(memshape.ArgumentError):
        smooth.largest("nz", memory=100, nx=951, ns=462)


def test_an_operator_is_written_as_a_module(smooth, program):
    module = {}
    exec(smooth.emit("python"), module)
    assert module["smooth_peak_bytes"](651, 951, 462) == 1144102352
    assert module["smooth_largest_ni"](1144102352, 951, 462) == 651
    assert "static inline uint64_t blur_peak_bytes(int64_t n)" in memshape.open(program)["blur"].emit(sigma=2.0)
