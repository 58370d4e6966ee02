# What functions of NumPy and Dask take beside their output, as explain counts it.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import tracemalloc

import dask.array as da
import distributed
import memshape.dask
import numpy
import pytest
from dask._task_spec import Alias, DataNode
from dask.order import order
from memshape.dask._blocks import blocks_of

REDUCTIONS = {
    "sum": lambda x: x.sum(axis=1), "sum of all": lambda x: x.sum(), "mean": lambda x: x.mean(axis=0), "std": lambda x: x.std(axis=0),
    "max": lambda x: x.max(axis=1), "min": lambda x: x.min(), "argmax": lambda x: x.argmax(axis=0), "argmin": lambda x: x.argmin(),
    "any": lambda x: (x > 0.5).any(axis=0), "cumsum": lambda x: x.cumsum(axis=0), "prod": lambda x: x.prod(),
    "nanmean": lambda x: da.nanmean(x, axis=0), "nansum": lambda x: da.nansum(x, axis=0), "nanmax": lambda x: da.nanmax(x, axis=0),
    "nanstd": lambda x: da.nanstd(x, axis=0), "product": lambda x: x @ x, "range": lambda x: da.ptp(x, axis=0),
    "median": lambda x: da.median(x.rechunk((1600, 400)), axis=0), "mean of floats": lambda x: x.astype("f4").mean(axis=0),
    "std of floats": lambda x: x.astype("f4").std(), "mean of integers": lambda x: (x * 100).astype("i4").mean(),
    "count": lambda x: (x > 0.5).sum(axis=0), "norm": da.linalg.norm, "where": lambda x: da.where(x > 0.5, x, 0)}


@pytest.mark.parametrize("name", REDUCTIONS)
def test_no_task_of_a_reduction_takes_more_than_is_counted(name):
    array = da.from_array(numpy.random.default_rng(1).random((1600, 1600)), chunks=400) + 0
    collection = REDUCTIONS[name](array)
    assert not any("beside" in note for note in blocks_of(collection).notes)
    blocks = blocks_of(collection)
    graph, values, compared = blocks.graph, {}, 0
    place = order(graph)
    for key in sorted(graph, key=lambda each: place[each]):
        node = graph[key]
        needs = {each: values[each] for each in node.dependencies}
        if isinstance(node, DataNode):
            values[key] = node.value
            continue
        tracemalloc.start()
        values[key] = node(needs)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        block = blocks.all.get(key)
        if block is not None and not isinstance(node, Alias):
            assert peak <= block.cost.upper + 100_000, (key, peak, block.cost)
            compared += 1
    assert compared > 10


def test_what_cannot_end_well_is_the_first_line():
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, memory_limit=500_000_000, dashboard_address=":0") as made, \
            distributed.Client(made) as client:
        array = da.zeros((1000, 100_000), chunks=(1000, 1000))
        told = memshape.dask.explain(array.rechunk((10, 100_000)), client)
        assert told.lower_bytes > told.usable_bytes == 475_000_000
        assert str(told).startswith("It cannot end well") and told.verdict in told._repr_html_()
        assert memshape.dask.explain(array[:10], client, sink="store").verdict == ""
