# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A transform on a dataset of DASF, on two workers of one thread: what was planned, and what the workers held at most.
Needs dasf-core, which is not on PyPI, and dasf-seismic for its attributes (glcm, lbp2d, lbp3d): folders of their
sources in PYTHONPATH, and what they import, as test/python/test_dasf_itself.py lists it. The cube is of four bytes an
element, of eight where --double says so."""

import contextlib
import tempfile
import time
from pathlib import Path

import dask
import distributed
import memshape.dasf
import numpy
from dasf.datasets import DatasetArray, DatasetHDF5, DatasetXarray, DatasetZarr
from dasf.pipeline.executors import DaskPipelineExecutor
from dasf.pipeline.pipeline import Pipeline
from dasf.transforms import MappedTransform

from .dask_order import resident
from .harness import head, row

AXES, STORED_CHUNK = ("ni", "nx", "ns"), 64


def gst3d(cube):
    """Dip from the gradient structure tensor: gradients, products smoothed over 5 samples, eigenvalues."""
    import scipy.ndimage

    double = cube.astype(numpy.float64)
    gi, gx, gs = numpy.gradient(double)
    ii, ix, js = (scipy.ndimage.uniform_filter(gi * each, 5) for each in (gi, gx, gs))
    xx, xs, ss = (scipy.ndimage.uniform_filter(each, 5) for each in (gx * gx, gx * gs, gs * gs))
    tensor = numpy.stack([numpy.stack(row, axis=-1) for row in ((ii, ix, js), (ix, xx, xs), (js, xs, ss))], axis=-2)
    values = numpy.linalg.eigvalsh(tensor)
    return ((values[..., 2] - values[..., 1]) / (values.sum(axis=-1) + 1e-9)).astype(numpy.float32)


def envelope(cube):
    """Of the analytic signal along the last axis."""
    import scipy.signal

    return numpy.abs(scipy.signal.hilbert(cube, axis=-1)).astype(cube.dtype)


def smooth(cube):
    """A mean over 5 samples along all axes."""
    import scipy.ndimage

    return scipy.ndimage.uniform_filter(cube, 5)


def _texture(name, *arguments, **keywords):
    import dasf_seismic.attributes.texture as texture

    return getattr(texture, name)(*arguments, **keywords)


#: Transforms by name, and the axes that may be cut.
TRANSFORMS = {
    "gst3d": (lambda: MappedTransform(gst3d, depth=(3, 3, 3), boundary="none"), AXES),
    "envelope": (lambda: MappedTransform(envelope), AXES[:2]),
    "smooth": (lambda: MappedTransform(smooth, depth=(2, 2, 2), boundary="reflect"), AXES),
    # Its time goes with the windows that fit into a block, its memory with the block: large ones leave none.
    "glcm": (lambda: _texture("GLCMContrast", window=(129, 129)), AXES),
    "lbp2d": (lambda: _texture("LocalBinaryPattern2D"), AXES),
    "lbp3d": (lambda: _texture("LocalBinaryPattern3D"), AXES),
}


def arguments(parser):
    parser.add_argument("transform", choices=TRANSFORMS)
    parser.add_argument("datasets", help="some of zarr, array, hdf5, xarray, with commas between")
    parser.add_argument("shape", help="as 200x200x200")
    parser.add_argument("limit", type=float, help="of a worker, MB")
    parser.add_argument("--chunks", default="auto,memshape", help="by DASF, by fit_chunks, or both")
    parser.add_argument("--double", action="store_true", help="eight bytes an element")


def stored(kind, cube, folder):
    """The cube as a dataset of DASF."""
    path = str(Path(folder) / "cube")
    if kind == "array":
        numpy.save(path + ".npy", cube)
        return DatasetArray("cube", root=path + ".npy", chunks="auto")
    blocks = tuple(min(STORED_CHUNK, extent) for extent in cube.shape)
    if kind == "hdf5":
        import h5py

        with h5py.File(path, "w") as file:
            file.create_dataset("cube", data=cube, chunks=blocks)
        return DatasetHDF5("cube", root=path, chunks="auto", dataset_path="cube")
    if kind == "xarray":
        import xarray

        xarray.DataArray(cube, dims=AXES, name="cube").to_netcdf(path)
        return DatasetXarray("cube", root=path, chunks=dict.fromkeys(AXES, "auto"))
    import zarr

    zarr.open(path, mode="w", shape=cube.shape, chunks=blocks, dtype=cube.dtype)[:] = cube
    return DatasetZarr("cube", root=path, chunks="auto")


def measure(use):
    shape = tuple(int(each) for each in use.shape.split("x"))
    dask.config.set({"distributed.scheduler.allowed-failures": 0})
    cube = numpy.random.default_rng(1).standard_normal(shape, numpy.float64 if use.double else numpy.float32)
    head("transform", "dataset", "chunks by", "tasks", "idle, MB", "peaks", "expected", "bound", "limit", "s")
    for kind in use.datasets.split(","):
        for chunks in use.chunks.split(","):
            with tempfile.TemporaryDirectory() as folder:
                once(use, kind, chunks, stored(kind, cube, folder))
    return 0


def once(use, kind, chunks, dataset):
    """One pipeline on workers of its own."""
    executor = DaskPipelineExecutor(local=True, cluster_kwargs={
        "n_workers": 2, "threads_per_worker": 1, "memory_limit": int(use.limit * 1e6), "dashboard_address": ":0"})
    made, split = TRANSFORMS[use.transform]
    transform = made()
    fit = memshape.dasf.fit_chunks(dataset, [transform if chunks == "memshape" else numpy.copy], axes=AXES, split=split,
                                   client=executor.client)
    pipeline = Pipeline(use.transform, executor=executor, callbacks=[fit] if chunks == "memshape" else [])
    pipeline.add(dataset).add(fit.blocks, X=dataset).add(transform, X=fit.blocks)
    idle = max(executor.client.run(resident, False).values())
    began = time.time()
    pipeline.run()
    result = pipeline.get_result_from(transform)
    computed = executor.client.persist(result)
    distributed.wait(computed)
    well = all(future.status == "finished" for future in distributed.futures_of(computed))
    peaks = executor.client.run(resident, True).values() if well else []
    plan = fit.plans[0] if fit.plans else None
    row(use.transform, kind, chunks, result.npartitions, f"{idle / 1e6:.0f}",
        ", ".join(f"{each / 1e6:.0f}" for each in peaks) or "killed",
        *([f"{plan.peak_bytes / 1e6:.0f}", f"{plan.upper_bytes / 1e6:.0f}"] if plan else ["", ""]), f"{use.limit:.0f}",
        f"{time.time() - began:.0f}")
    with contextlib.suppress(TimeoutError):  # a worker that was killed may still be on its way
        executor.client.shutdown()
