# Tasks that read their chunk and its halo from storage.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import dask
import dask.array as da
import distributed
import memshape
import memshape.dask
import numpy
import pytest
import scipy.ndimage
from memshape.dask._cluster import GROWS
from memshape.dask._reading import WithHalo, is_stored, source_for, with_halo

AXES = ("ni", "nx", "ns")


class Stored:
    """An array that is read in parts."""

    def __init__(self, data):
        self.data, self.shape, self.dtype, self.ndim = data, data.shape, data.dtype, data.ndim

    def __getitem__(self, where):
        assert isinstance(where, tuple) and all(isinstance(each, slice) for each in where)
        return self.data[where]


def cube(ni, nx, ns):
    return numpy.random.default_rng(5).standard_normal((ni, nx, ns), dtype=numpy.float32)


def smoothed(block):
    return scipy.ndimage.uniform_filter(block, 5)


@pytest.mark.parametrize("chunks, depth", [
    (((4, 3, 3), (7,), (2, 2, 2)), {0: 2, 2: 1}), (((5, 5), (4, 3), (6,)), {0: 5, 1: 3}), (((10,), (7,), (6,)), {})])
def test_blocks_are_those_that_dask_cuts_out_of_their_neighbours(chunks, depth):
    data = cube(10, 7, 6)
    blocks = da.overlap.overlap(da.from_array(data, chunks=chunks), depth, "none", allow_rechunk=False)
    found = with_halo(Stored(data), chunks, depth)
    assert found.chunks == blocks.chunks and found.dtype == numpy.float32
    numpy.testing.assert_array_equal(found.compute(), blocks.compute())
    numpy.testing.assert_array_equal(found.blocks[-1, 0, 0].compute(), blocks.blocks[-1, 0, 0].compute())


def test_a_part_of_a_chunk_is_where_the_chunk_is():
    data = cube(10, 7, 6)
    found = WithHalo(Stored(data), ((4, 3, 3), (7,), (6,)), {0: 2})
    assert found.shape == (6 + 7 + 5, 7, 6)
    numpy.testing.assert_array_equal(found[8:10, 1:3, 0:6], data[4:6, 1:3, 0:6])


def test_what_lies_in_memory_or_in_a_collection_is_not_stored():
    assert is_stored(Stored(cube(2, 2, 2)))
    assert not is_stored(cube(2, 2, 2)) and not is_stored(da.zeros(3))
    assert source_for(Stored(cube(2, 2, 2))) == "storage" and source_for(da.zeros(3)) == "blocks"
    with dask.config.set({"optimization.fuse.active": False}):
        assert source_for(Stored(cube(2, 2, 2))) == "blocks"


@pytest.fixture(scope="module")
def op():
    return memshape.measured(smoothed, AXES, lambda ni, nx, ns: (numpy.ones((ni, nx, ns), numpy.float32),))


def test_a_plan_for_storage_keeps_no_blocks(op):
    given = {"halo": {"ni": 2, "nx": 2}, "memory": 7 * 10**6, "element_bytes": (4, 4), "sink": "store"}
    shape = {"ni": 100, "nx": 100, "ns": 100}
    read, cut = (memshape.plan(op, shape, ("ni", "nx"), source=source, **given) for source in ("storage", "blocks"))
    assert (read.source, cut.source) == ("storage", "blocks")
    assert read.parts["blocks"] == read.parts["copies"] == read.parts["results"] == 0 < cut.parts["blocks"]
    assert read.tasks < cut.tasks
    with pytest.raises(memshape.ArgumentError, match="blocks and storage"):
        memshape.plan(op, shape, ("ni",), source="cloud", **given)


def test_workers_grow_a_little_once_they_work():
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, memory_limit=700_000_000,
                                  dashboard_address=":0") as made, distributed.Client(made) as client:
        def resident():
            return max(client.run(lambda: int(open("/proc/self/statm", encoding="ascii").read().split()[1]) * 4096).values())

        memshape.dask.cluster_of(client)  # imports what tasks need
        before = resident()
        found = memshape.dask.cluster_of(client)
        seen = sorted((before, resident()))  # a worker that has just begun may still be growing
    assert seen[0] - 3_000_000 < found.held_bytes - GROWS < seen[1] + 3_000_000


def test_stored_arrays_are_read_with_their_halo(op):
    data = cube(60, 50, 40)
    with distributed.LocalCluster(n_workers=1, threads_per_worker=2, memory_limit=700_000_000, processes=False,
                                  dashboard_address=":0") as made, distributed.Client(made) as client:
        given = {"axes": AXES, "halo": {"ni": 2}, "split": ("ni",), "client": client}
        result = memshape.dask.map_overlap(smoothed, Stored(data), op, **given)
        assert memshape.dask.explain(result).plans[0].source == "storage"
        # Whoever asks for a plan alone may cut blocks himself.
        cut = memshape.dask.plan(op, Stored(data), AXES, {"ni": 2}, client, split=("ni",))
        assert cut.source == "blocks" and cut.parts["blocks"] > 0
        assert result.npartitions == 2 and not any("overlap" in name for name in result.dask.layers)
        numpy.testing.assert_allclose(result.compute(), smoothed(data), rtol=1e-5, atol=1e-6)
        # A collection has blocks of its own.
        blocks = da.from_array(data, chunks=(30, 50, 40))
        result = memshape.dask.map_overlap(smoothed, blocks, op, **given)
        assert memshape.dask.explain(result).plans[0].source == "blocks"
        numpy.testing.assert_allclose(result.compute(), smoothed(data), rtol=1e-5, atol=1e-6)
