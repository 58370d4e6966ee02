# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""dasf-core is not on PyPI, and needs an older Dask and some hundred packages. So this holds the adapter to its
interface, as of 1.0.beta.7: the classes below have the names, parameters and order of calls that it documents.
`bench/run dasf` runs the package itself, where it is installed."""

import sys
import types

import distributed
import memshape
import memshape.dasf
import numpy
import pytest

AXES = ("ni", "nx", "ns")


class PipelinePlugin:
    def on_pipeline_start(self, fn_keys):
        pass

    def on_task_start(self, func, params, name):
        pass


class DatasetArray:
    def __init__(self, name, download=False, root=None, chunks="auto", shape=None):
        self._name, self._root, self._chunks, self._data = name, root, chunks, None
        if shape:
            self.shape = shape


class MappedTransform:
    def __init__(self, function, depth=None, boundary=None, trim=True, output_chunk=None, drop_axis=None, new_axis=None):
        self.function, self.depth, self.boundary, self.trim = function, depth, boundary, trim


class DatasetZarr:
    def __init__(self, name, root=None, chunks=None, shape=None):
        self._name, self._root, self._chunks, self.shape = name, root, chunks, shape


@pytest.fixture(autouse=True)
def dasf(monkeypatch):
    package, pipeline, inner = types.ModuleType("dasf"), types.ModuleType("dasf.pipeline"), types.ModuleType("x")
    datasets = types.ModuleType("dasf.datasets")
    inner.PipelinePlugin, datasets.DatasetArray = PipelinePlugin, DatasetArray
    for name, module in (("dasf", package), ("dasf.pipeline", pipeline), ("dasf.pipeline.pipeline", inner),
                         ("dasf.datasets", datasets)):
        monkeypatch.setitem(sys.modules, name, module)


@pytest.fixture(scope="module")
def client():
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, memory_limit=600_000_000, processes=False,
                                  dashboard_address=":0") as cluster, distributed.Client(cluster) as made:
        yield made


def root(cube):
    return numpy.sqrt(cube * cube + 1)


@pytest.fixture(scope="module")
def op():
    return memshape.measured(root, AXES, lambda ni, nx, ns: (numpy.ones((ni, nx, ns), numpy.float32),))


def test_a_dataset_gets_chunks_that_fit_when_the_pipeline_starts(client, op):
    dataset = DatasetArray("cube", shape=(400, 200, 600))
    fit = memshape.dasf.fit_chunks(dataset, [MappedTransform(root, (2, 2, 0), "none")], axes=AXES, ops={0: op},
                                   client=client, sink="store")
    assert isinstance(fit, PipelinePlugin) and dataset._chunks == "auto"
    fit.on_pipeline_start([])
    fit.on_task_start(dataset, None, "load")
    assert dataset._chunks == fit.plans[0].chunks and fit.plans[0].tasks > 1
    assert fit.plans[0].upper_bytes <= 600_000_000 and [sum(each) for each in dataset._chunks] == [400, 200, 600]


def test_a_file_that_one_task_loads_is_held_besides_the_blocks(client, op):
    shape, whole = (200, 200, 600), 200 * 200 * 600 * 4
    held = []
    for dataset in (DatasetZarr("cube", shape=shape), DatasetArray("cube", shape=shape)):
        fit = memshape.dasf.fit_chunks(dataset, [root], axes=AXES, ops={0: op}, client=client, sink="store")
        fit.on_pipeline_start([])
        held.append(fit.plans[0].held_bytes)
    assert held[1] - held[0] == pytest.approx(whole, abs=0.1 * whole)  # the process itself breathes


def test_the_finest_of_several_transforms_decides(client, op):
    heavy = memshape.measured(lambda cube: numpy.stack([cube] * 4), AXES,
                              lambda ni, nx, ns: (numpy.ones((ni, nx, ns), numpy.float32),))
    chunks, plans = memshape.dasf.plan_chunks([root, root], (200, 200, 400), AXES, ops={0: op, 1: heavy}, client=client,
                                              sink="store")
    assert all(len(each) == max(len(plan.chunks[number]) for plan in plans) for number, each in enumerate(chunks))


@pytest.mark.parametrize("depth, halo", [
    (None, {}), (2, {"ni": 2, "nx": 2, "ns": 2}), ((1, 0, 3), {"ni": 1, "nx": 0, "ns": 3}), ({1: 4}, {"nx": 4}),
    ({0: (1, 2)}, {"ni": 2})])
def test_depths_are_halos(depth, halo):
    assert memshape.dasf._halo(MappedTransform(root, depth, "none" if depth else None), AXES) == halo


def test_what_cannot_be_fitted_is_one_clear_line(client, op):
    with pytest.raises(memshape.ArgumentError, match="chunks"):
        memshape.dasf.fit_chunks(object(), [root], axes=AXES)
    with pytest.raises(memshape.ArgumentError, match="shape="):
        memshape.dasf.fit_chunks(DatasetArray("cube"), [root], axes=AXES, ops={0: op},
                                 client=client).on_pipeline_start([])
    with pytest.raises(memshape.ArgumentError, match="no transform"):
        memshape.dasf.plan_chunks([], (2, 2, 2), AXES)
    with pytest.raises(memshape.ArgumentError, match="function"):
        memshape.dasf.plan_chunks([3], (2, 2, 2), AXES, client=client)
