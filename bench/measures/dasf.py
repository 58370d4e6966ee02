# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GST3D in NumPy as a MappedTransform, on two workers of one thread: what was planned, and what the workers held at
most. Needs dasf-core, which is not on PyPI: python -m pip install the folder of its source."""

import tempfile
from pathlib import Path

import dask
import distributed
import memshape.dasf
import numpy
import scipy.ndimage
import zarr
from dasf.datasets import DatasetArray, DatasetZarr
from dasf.pipeline.executors import DaskPipelineExecutor
from dasf.pipeline.pipeline import Pipeline
from dasf.transforms import MappedTransform
from dasf.transforms.base import Transform

from .dask_order import resident
from .harness import head, row

AXES, HALO, STORED_CHUNK = ("ni", "nx", "ns"), 3, 64


def arguments(parser):
    parser.add_argument("dataset", choices=("zarr", "array"))
    parser.add_argument("shape", help="as 200x200x200")
    parser.add_argument("limit", type=float, help="of a worker, MB")
    parser.add_argument("chunks", choices=("auto", "memshape"), help="by DASF, or by fit_chunks")


def gst3d(cube):
    """Dip from the gradient structure tensor: gradients, products smoothed over 5 samples, eigenvalues."""
    double = cube.astype(numpy.float64)
    gi, gx, gs = numpy.gradient(double)
    ii, ix, js = (scipy.ndimage.uniform_filter(gi * each, 5) for each in (gi, gx, gs))
    xx, xs, ss = (scipy.ndimage.uniform_filter(each, 5) for each in (gx * gx, gx * gs, gs * gs))
    tensor = numpy.stack([numpy.stack(row, axis=-1) for row in ((ii, ix, js), (ix, xx, xs), (js, xs, ss))], axis=-2)
    values = numpy.linalg.eigvalsh(tensor)
    return ((values[..., 2] - values[..., 1]) / (values.sum(axis=-1) + 1e-9)).astype(numpy.float32)


class Blocks(Transform):
    """The array of a dataset: a MappedTransform asks for its chunks."""

    def _lazy_transform_cpu(self, X):
        return X._data


def stored(kind, cube, folder):
    """The cube as a dataset of DASF."""
    if kind == "array":
        numpy.save(Path(folder) / "cube.npy", cube)
        return DatasetArray("cube", root=f"{folder}/cube.npy", chunks="auto")
    zarr.open(f"{folder}/cube.zarr", mode="w", shape=cube.shape, chunks=(STORED_CHUNK,) * 3, dtype="f4")[:] = cube
    return DatasetZarr("cube", root=f"{folder}/cube.zarr", chunks="auto")


def measure(use):
    shape = tuple(int(each) for each in use.shape.split("x"))
    dask.config.set({"distributed.scheduler.allowed-failures": 0})
    with tempfile.TemporaryDirectory() as folder:
        dataset = stored(use.dataset, numpy.random.default_rng(1).standard_normal(shape, dtype=numpy.float32), folder)
        executor = DaskPipelineExecutor(local=True, cluster_kwargs={
            "n_workers": 2, "threads_per_worker": 1, "memory_limit": int(use.limit * 1e6), "dashboard_address": ":0"})
        blocks, transform = Blocks(), MappedTransform(gst3d, depth=(HALO,) * 3, boundary="none")
        fit = memshape.dasf.fit_chunks(dataset, [transform], axes=AXES, client=executor.client)
        pipeline = Pipeline("gst3d", executor=executor, callbacks=[fit] if use.chunks == "memshape" else [])
        pipeline.add(dataset).add(blocks.transform, X=dataset).add(transform, X=blocks.transform)
        pipeline.run()
        result = pipeline.get_result_from(transform)
        computed = executor.client.persist(result)
        distributed.wait(computed)
        well = all(future.status == "finished" for future in distributed.futures_of(computed))
        peaks = executor.client.run(resident, True).values() if well else []
        head("chunks by", "chunks", "tasks", "peaks, MB", "expected", "bound")
        for plan in fit.plans or [None]:
            row(use.chunks, result.chunks, result.npartitions, ", ".join(f"{each / 1e6:.0f}" for each in peaks)
                or "killed",
                *([f"{plan.peak_bytes / 1e6:.0f}", f"{plan.upper_bytes / 1e6:.0f}"] if plan else ["", ""]))
        executor.client.shutdown()
    return 0
