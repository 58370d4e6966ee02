# What map_blocks and map_overlap are given, as users of Dask write it.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import inspect
import subprocess
import sys

import dask.array as da
import dask.dataframe as dd
import distributed
import memshape
import memshape.dask
import memshape.xarray
import numpy
import pandas
import pytest
import scipy.ndimage
import xarray
from memshape.dask import _call

AXES = ("ni", "nx", "nt")


@pytest.fixture(scope="module")
def client():
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, memory_limit=700_000_000,
                                  dashboard_address=":0") as cluster, distributed.Client(cluster) as made:
        yield made


def cube(seed=1, shape=(60, 50, 40), chunks=(20, 50, 40)):
    return da.random.default_rng(seed).random(shape, chunks=chunks)


def smoothed(block):
    return scipy.ndimage.uniform_filter(block, 3)


def mean(block):
    return block.mean(axis=-1)


def spectrum(block):
    return numpy.fft.rfft(block)


def weighted(block, other, by=1):
    return block * other * by


def test_several_arrays_numbers_and_keywords_are_arguments(client):
    one, other = cube(), cube(2, chunks=(30, 25, 40))
    expected = one.compute() * other.compute()
    given = {"axes": AXES, "client": client}
    made = memshape.dask.map_blocks(weighted, one, other, by=2, **given)
    assert made.npartitions > 1
    numpy.testing.assert_allclose(made.compute(), 2 * expected)
    numpy.testing.assert_allclose(memshape.dask.map_blocks(weighted, one, 3, **given).compute(), 3 * one.compute())
    row = other[0, 0]
    numpy.testing.assert_allclose(memshape.dask.map_blocks(weighted, one, row, **given).compute(),
                                  one.compute() * row.compute())


def test_both_arrays_of_a_task_count_as_its_input(client):
    plan = {name: memshape.dask.explain(memshape.dask.map_blocks(*given, axes=AXES, client=client)).plans[0]
            for name, given in {"one": (weighted, cube(), 3.0), "two": (weighted, cube(), cube(2))}.items()}
    assert plan["two"].largest_task["input_bytes"] == 2 * plan["one"].largest_task["input_bytes"]


@pytest.mark.parametrize("halo", [{"halo": 1}, {"depth": 1}, {"depth": (1, 1, 1)}, {"depth": {0: 1, 1: 1, -1: (1, 1)}},
                                  {"halo": {"ni": 1, "nx": 1, "nt": 1}, "axes": AXES}])
def test_a_halo_is_written_as_in_dask(client, halo):
    array = cube()
    made = memshape.dask.map_overlap(smoothed, array, client=client, boundary="none", **halo)
    assert made.npartitions > 1
    numpy.testing.assert_allclose(made.compute(), smoothed(array.compute()))


@pytest.mark.parametrize("function, expected, changed", [
    (mean, mean, {}), (mean, mean, {"drop_axis": -1}), (spectrum, spectrum, {}),
    (lambda block: block.transpose(2, 0, 1), lambda block: block.transpose(2, 0, 1), {}),
    (lambda block: numpy.stack([block, -block]), lambda block: numpy.stack([block, -block]), {"new_axis": 0})])
def test_functions_that_change_the_shape_are_known_from_toys(client, function, expected, changed):
    array = cube()
    made = memshape.dask.map_blocks(function, array, axes=AXES, client=client, **changed)
    found = expected(array.compute())
    assert made.shape == found.shape and made.dtype == found.dtype and made.npartitions > 1
    numpy.testing.assert_allclose(made.compute(), found)


def test_the_form_of_what_was_not_measured_is_said(client):
    op = memshape.measured(smoothed, AXES, lambda ni, nx, nt: (numpy.ones((ni, nx, nt)),))
    given = {"axes": AXES, "client": client, "op": op}
    made = memshape.dask.map_blocks(mean, cube(), drop_axis=2, **given)
    numpy.testing.assert_allclose(made.compute(), mean(cube().compute()))
    made = memshape.dask.map_blocks(spectrum, cube(), drop_axis=2, new_axis=2, chunks=(60, 50, 21), dtype=complex, **given)
    numpy.testing.assert_allclose(made.compute(), spectrum(cube().compute()))


def test_the_type_of_the_result_is_known_from_toys(client):
    made = memshape.dask.map_blocks(lambda block: block > 0.5, cube(), client=client)
    assert made.dtype == bool and made.compute().dtype == bool
    made = memshape.dask.map_blocks(lambda block: block.astype("f4"), cube(), client=client, meta=numpy.empty((0, 0, 0), "f4"))
    assert made.dtype == numpy.float32 == made.compute().dtype
    pairs = da.zeros((60, 50), chunks=20, dtype=[("amplitude", "f4"), ("fold", "i4")])
    made = memshape.dask.map_blocks(lambda block: block["amplitude"], pairs, client=client)
    assert made.dtype == numpy.float32 == made.compute().dtype


@pytest.mark.parametrize("changed, words", [
    ({"halo": {"z": 1}}, "none of the axes"), ({"halo": "3"}, "no integer"), ({"halo": -1}, "negative"),
    ({"halo": (1, 1)}, "count for each"), ({"halo": 41}, "longer than the axis"), ({"halo": 1, "depth": 1}, "two names"),
    ({"boundary": "reflect"}, "pad the array"), ({"axes": ("a", "b")}, "axes"), ({"split": ("z",)}, "split"),
    ({"sink": "drain"}, "sink"), ({"memory": "much"}, "memory"), ({"workers": 0}, "workers"),
    ({"other": cube(2)}, "by position"), ({"op": 3}, "op is an operator .*, not an int"), ({"op": smoothed}, "measure the function"),
    ({"plan": 3}, "plan is a Plan"), ({"settings": 3}, "settings are a dict"), ({"fixed": 3}, "fixed is a dict"),
    ({"align": 3}, "align"), ({"client": 3}, "client"), ({"dtype": "much"}, "dtype: .*much"), ({"meta": "f4"}, "meta is an empty array")])
def test_what_is_wrong_is_said_before_anything_is_measured(client, monkeypatch, changed, words):
    monkeypatch.setattr(_call, "measured", lambda *_, **__: pytest.fail("it was measured"))
    with pytest.raises(memshape.ArgumentError, match=words) as raised:
        memshape.dask.map_overlap(smoothed, cube(), **{"axes": AXES, "client": client, **changed})
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("function, others, changed, words", [
    (3, (), {}, "a function is needed"), (lambda block, block_info=None: block, (), {}, "takes 'block_info'"), (weighted, (cube()[:10],), {}, "do not go with"),
    (mean, (), {"drop_axis": 0}, "do not make"), (mean, (), {"drop_axis": 3}, "drop_axis names"),
    (smoothed, (), {"dtype": "f4"}, "say dtype=float64"), (lambda block: 3.0, (), {}, "returned none"),
    (weighted, (numpy.ones(40),), {}, "give them as Dask arrays"), (mean, (), {"split": ("nt",)}, "no axis 'nt'"), (mean, (), {"halo": 1}, "map_blocks has no halo")])
def test_arguments_that_do_not_go_together_are_one_line(client, function, others, changed, words):
    with pytest.raises(memshape.ArgumentError, match=words) as raised:
        memshape.dask.map_blocks(function, cube(), *others, axes=AXES, client=client, **changed)
    assert "\n" not in str(raised.value)


def test_what_was_measured_is_remembered(client, monkeypatch):
    counted = []
    monkeypatch.setattr(_call, "measured", lambda *given, **_: counted.append(given[0]) or memshape.measured(*given))
    for by in (7, 7, 8):
        def times(block, factor):
            return block * factor

        memshape.dask.map_blocks(times, cube(), by, client=client)
    assert len(counted) == 2
    memshape.dask.map_blocks(times, cube().astype("f4"), by, client=client)
    assert len(counted) == 3


def test_options_are_in_the_signature():
    for function in (memshape.dask.map_blocks, memshape.dask.map_overlap):
        assert {"op", "axes", "dtype", "meta", "drop_axis", "new_axis", "sink", "memory", "workers",
                "client"} <= set(inspect.signature(function).parameters)


def test_the_less_of_a_memory_and_the_workers_limit_counts(client):
    assert memshape.dask.cluster_of(client, memory=600_000_000).limit_bytes == 600_000_000
    assert memshape.dask.cluster_of(client, memory=900_000_000).limit_bytes == 700_000_000


def test_workers_that_are_to_come_are_planned_for():
    with distributed.LocalCluster(n_workers=0, threads_per_worker=2, dashboard_address=":0") as cluster, \
            distributed.Client(cluster) as client:
        seen = memshape.dask.cluster_of(client, memory=10**9, workers=3)
        assert (seen.workers, seen.threads, seen.limit_bytes) == (3, 2, 10**9)
        assert 30e6 < seen.held_bytes < 300e6 and "no worker is there yet" in seen.notes[0]
        made = memshape.dask.map_blocks(mean, cube(), axes=AXES, client=client, memory="1GB", workers=3)
        assert made.npartitions == 6
        cluster.scale(1)
        numpy.testing.assert_allclose(made.compute(), mean(cube().compute()))


def test_arrays_of_xarray_come_back_as_such(client):
    array = xarray.DataArray(cube(), dims=AXES, coords={"ni": numpy.arange(60), "nt": numpy.arange(40)}, name="amplitude")
    made = array.memshape.map_overlap(smoothed, halo=1, client=client)
    assert isinstance(made, xarray.DataArray) and made.dims == AXES and list(made.coords) == ["ni", "nt"]
    numpy.testing.assert_allclose(made.values, smoothed(array.values))
    made = memshape.dask.map_blocks(mean, array, client=client)
    assert made.dims == ("ni", "nx") and list(made.coords) == ["ni"] and made.name == "amplitude"
    numpy.testing.assert_allclose(made.values, mean(array.values))


def test_collections_of_others_are_explained(client):
    array = xarray.DataArray(cube(), dims=AXES)
    assert memshape.dask.explain(array + 1, client).upper_bytes == memshape.dask.explain(array.data + 1, client).upper_bytes
    assert len(memshape.dask.explain(xarray.Dataset({"a": array + 1, "b": array.mean("nt")}), client).steps) > 1
    frame = dd.from_pandas(pandas.DataFrame({"a": range(100), "b": 1.0}), npartitions=4)
    told = memshape.dask.explain(frame.b.sum(), client)
    assert told.upper_bytes is None and any("not counted" in note for note in told.notes)


def test_the_accessor_is_there_where_xarray_was_imported_before():
    code = "import xarray, memshape.dask; print(type(xarray.DataArray([1.0]).memshape).__name__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "Accessor\n"
