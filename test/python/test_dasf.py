# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""dasf-core is not on PyPI, and needs an older Dask and some hundred packages. So this holds the adapter to its
interface, as of 1.0.beta.7: the classes below have the names, parameters and order of calls that it documents.
test_dasf_itself.py runs the package itself, where it is."""

import sys
import types

import dask.array
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

    def _lazy_transform_cpu(self, X, **kwargs):
        return X.map_overlap(self.function, dtype=X.dtype, depth=self.depth, boundary=self.boundary)


class Texture:
    """A plain Transform, as the attributes of dasf-seismic are: neither ``function`` nor ``depth``."""

    def _lazy_transform_cpu(self, X):
        wide = dask.array.overlap.overlap(X, depth=(0, 3, 3), boundary=0.0)
        return dask.array.overlap.trim_internal(wide.map_blocks(root, dtype=X.dtype), {1: 3, 2: 3}, "reflect")


class Greys:
    """Each of its blocks needs the whole array."""

    def _lazy_transform_cpu(self, X):
        return X / X.max()


class NotLazy:
    def _lazy_transform_cpu(self, X):
        raise NotImplementedError


class DatasetZarr:
    def __init__(self, name, root=None, chunks=None, shape=None):
        self._name, self._root, self._chunks, self.shape, self._data = name, root, chunks, shape, None


class DatasetMDIO:
    """It reads ``chunks``, by the names of its axes."""

    def __init__(self, name, chunks=None, shape=None):
        self._name, self.chunks, self._chunks, self.shape = name, chunks, None, shape


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
def test_depths_are_halos(client, op, depth, halo):
    transform = MappedTransform(root, depth, "none" if depth else None)
    _, (plan,) = memshape.dasf.plan_chunks([transform], (300, 300, 300), AXES, ops={0: op}, client=client, sink="store")
    assert plan.halo == {name: around for name, around in halo.items() if around}


def test_a_plain_transform_tells_its_halo_by_what_it_makes_of_blocks(client):
    _, plans = memshape.dasf.plan_chunks([Texture(), (Texture(), {"ni": 5}), Texture()._lazy_transform_cpu], (300, 300, 300), AXES,
                                         client=client, sink="store")
    assert [plan.halo for plan in plans] == [{"nx": 3, "ns": 3}, {"ni": 5}, {"nx": 3, "ns": 3}]


def test_copies_that_boundaries_make_are_counted(client):
    shape = (200, 200, 200)
    kept, padded = (memshape.dasf.plan_chunks([MappedTransform(root, (2, 2, 2), boundary)], shape, AXES, client=client,
                                              sink="store")[1][0].largest_task for boundary in ("none", "reflect"))

    def of_element(task):
        return task["peak_bytes"] / numpy.prod(list(task["shape"].values()))

    assert of_element(padded) > of_element(kept) + 4


def test_what_needs_the_whole_array_keeps_it_on_the_workers(client):
    shape = (200, 200, 300)
    _, (plan,) = memshape.dasf.plan_chunks([Greys()], shape, AXES, client=client, sink="store")
    _, (other,) = memshape.dasf.plan_chunks([root], shape, AXES, client=client, sink="store")
    assert plan.held_bytes - other.held_bytes > 0.9 * numpy.prod(shape) * 4


def test_datasets_get_chunks_in_the_form_that_they_read(client, op):
    dataset = DatasetMDIO("cube", shape=(300, 300, 300))
    fit = memshape.dasf.fit_chunks(dataset, [root], axes=AXES, ops={0: op}, client=client, sink="store")
    fit.on_pipeline_start([])
    assert dataset.chunks == dict(zip(("iline", "xline", "twt"), fit.plans[0].chunks)) and dataset._chunks is None


def test_blocks_of_a_dataset_are_a_step_of_pipelines(client, op):
    dataset = DatasetZarr("cube", shape=(20, 20, 20))
    dataset._data = dask.array.zeros((20, 20, 20))
    assert memshape.dasf.fit_chunks(dataset, [root], axes=AXES, ops={0: op}, client=client).blocks(X=dataset) is dataset._data


def test_what_cannot_be_fitted_is_one_clear_line(client, op):
    with pytest.raises(memshape.ArgumentError, match="chunks"):
        memshape.dasf.fit_chunks(object(), [root], axes=AXES)
    with pytest.raises(memshape.ArgumentError, match="shape="):
        memshape.dasf.fit_chunks(DatasetArray("cube"), [root], axes=AXES, ops={0: op}, client=client)
    with pytest.raises(memshape.ArgumentError, match="axes"):
        memshape.dasf.fit_chunks(DatasetArray("cube", shape=(4, 4)), [root], axes=AXES, ops={0: op}, client=client)
    with pytest.raises(memshape.ArgumentError, match="nothing that Dask applies"):
        memshape.dasf.fit_chunks(DatasetArray("cube", shape=(4, 4, 4)), [NotLazy()], axes=AXES)
    with pytest.raises(memshape.ArgumentError, match="pair"):
        memshape.dasf.plan_chunks([(root, 1, 2)], (2, 2, 2), AXES)
    with pytest.raises(memshape.ArgumentError, match="no transform"):
        memshape.dasf.plan_chunks([], (2, 2, 2), AXES)
    with pytest.raises(memshape.ArgumentError, match="function"):
        memshape.dasf.plan_chunks([3], (2, 2, 2), AXES, client=client)
