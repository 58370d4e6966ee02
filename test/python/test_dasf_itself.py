# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The adapter on dasf-core and dasf-seismic themselves. Neither is on PyPI: MEMSHAPE_DASF names the folders of their
sources, with a colon between, in an interpreter that has the package memshape and what they import:

    pip install dask==2025.7.0 distributed==2025.7.0 'numpy<2.3' zarr==2.18.7 'numcodecs<0.16' h5py xarray==2025.6.1 pandas==2.2.3 \\
        netCDF4 scikit-learn scikit-image==0.25.2 dask_ml dask_jobqueue dask_memusage GPUtil gdown graphviz portalocker \\
        'pynvml<13' numba ipython ipywidgets xgboost-cpu setuptools click
    pip install --no-deps dask-cuda==25.8.0
"""

import os
import sys

import memshape.dasf
import numpy
import pytest

FOLDERS = [folder for folder in os.environ.get("MEMSHAPE_DASF", "").split(":") if folder]
pytestmark = pytest.mark.skipif(not FOLDERS, reason="MEMSHAPE_DASF names no folders of dasf-core and dasf-seismic")
if FOLDERS:
    sys.path[:0] = FOLDERS
    import dasf.pipeline.executors
    import dasf_seismic.attributes.texture as texture
    from dasf.datasets import DatasetArray, DatasetHDF5, DatasetXarray, DatasetZarr
    from dasf.pipeline import Pipeline
    from dasf.transforms import MappedTransform, Transform
    from dasf_seismic.attributes.frequency import RGBBlending
    from memshape.dasf._datasets import stored_of
    from memshape.dasf._transforms import step_of

AXES, SHAPE = ("ni", "nx", "ns"), (60, 80, 40)


@pytest.fixture(scope="module")
def executor():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(FOLDERS))  # for workers
        made = dasf.pipeline.executors.DaskPipelineExecutor(local=True, cluster_kwargs={
            "n_workers": 2, "threads_per_worker": 1, "memory_limit": "1GB", "dashboard_address": ":0"})
        yield made
        made.client.shutdown()


@pytest.fixture(scope="module")
def cube():
    return numpy.random.default_rng(1).standard_normal(SHAPE, numpy.float32)


def root(block):
    return numpy.sqrt(block * block + 1)


def mean(block):
    """Of three samples along the first axis."""
    wide = numpy.pad(block, ((1, 1), (0, 0), (0, 0)), mode="edge")
    return (wide[:-2] + wide[1:-1] + wide[2:]) / 3


def stored(kind, cube, folder):
    path = str(folder / "cube")
    if kind == "array":
        numpy.save(path + ".npy", cube)
        return DatasetArray("cube", root=path + ".npy")
    if kind == "hdf5":
        import h5py

        with h5py.File(path, "w") as file:
            file.create_dataset("cube", data=cube, chunks=(16, 16, 16))
        return DatasetHDF5("cube", root=path, dataset_path="cube")
    if kind == "xarray":
        import xarray

        xarray.DataArray(cube, dims=("iline", "xline", "twt"), name="cube").to_netcdf(path)
        return DatasetXarray("cube", root=path, chunks={"iline": -1})
    import zarr

    zarr.open(path, mode="w", shape=cube.shape, chunks=(16, 16, 16), dtype=cube.dtype)[:] = cube
    return DatasetZarr("cube", root=path)


@pytest.mark.parametrize("kind", ["zarr", "array", "hdf5", "xarray"])
def test_a_pipeline_runs_with_the_chunks_of_its_plan(executor, cube, tmp_path, kind):
    dataset, transform = stored(kind, cube, tmp_path), MappedTransform(mean, depth=(1, 0, 0), boundary="none")
    fit = memshape.dasf.fit_chunks(dataset, [transform], axes=AXES, client=executor.client)
    pipeline = Pipeline("attributes", executor=executor, callbacks=[fit])
    pipeline.add(dataset).add(fit.blocks, X=dataset).add(transform, X=fit.blocks).run()
    result = pipeline.get_result_from(transform)
    assert result.chunks == fit.plans[0].chunks and fit.plans[0].tasks == 2 and fit.plans[0].halo == {"ni": 1}
    assert numpy.allclose(result.compute(), mean(cube), atol=1e-6)


@pytest.mark.parametrize("kind", ["zarr", "hdf5"])
def test_chunks_begin_where_blocks_of_the_storage_do(executor, cube, tmp_path, kind):
    dataset = stored(kind, cube, tmp_path)
    fit = memshape.dasf.fit_chunks(dataset, [root], axes=AXES, client=executor.client, align="blocks")
    fit.on_pipeline_start([])
    cut = [numpy.cumsum(each)[:-1] for each in fit.plans[0].chunks]
    assert fit.plans[0].tasks >= 2 and all(at % 16 == 0 for each in cut for at in each)


def test_a_zarr_of_format_3_tells_its_shape(tmp_path):
    import zarr

    if int(zarr.__version__.split(".")[0]) < 3:
        pytest.skip(f"zarr {zarr.__version__} writes format 2")
    zarr.create_array(tmp_path / "cube", shape=SHAPE, chunks=(16, 16, 16), dtype="f4")
    dataset = DatasetZarr("cube", root=str(tmp_path / "cube"))
    assert stored_of(dataset, None, None).shape == SHAPE


@pytest.mark.parametrize("name, settings, halo", [
    ("LocalBinaryPattern2D", {"radius": 2}, {0: 0, 1: 4, 2: 4}), ("LocalBinaryPattern3D", {}, {0: 1, 1: 1, 2: 1}),
    ("GLCMContrast", {}, {0: 0, 1: 3, 2: 3}), ("GLCMEnergy", {"glb_mi": -3, "glb_ma": 3}, {0: 0, 1: 3, 2: 3})])
def test_attributes_of_dasf_seismic_tell_their_halo(name, settings, halo):
    step = step_of(0, getattr(texture, name)(**settings), (200, 300, 100), numpy.float32, range(3), None)
    assert step.halo == halo and step.dtype == numpy.float32 and not step.is_whole


@pytest.mark.parametrize("name, settings", [("LocalBinaryPattern2D", {"radius": 2}), ("GLCMContrast", {"window": (61, 61)})])
def test_attributes_of_dasf_seismic_run_in_chunks_of_a_plan(executor, cube, tmp_path, name, settings):
    dataset, transform = stored("zarr", cube[:20, :30, :20], tmp_path), getattr(texture, name)(**settings)
    fit = memshape.dasf.fit_chunks(dataset, [transform], axes=AXES, client=executor.client)
    pipeline = Pipeline("attributes", executor=executor, callbacks=[fit])
    pipeline.add(dataset).add(fit.blocks, X=dataset).add(transform, X=fit.blocks).run()
    result = pipeline.get_result_from(transform)
    assert fit.plans[0].upper_bytes is not None
    assert result.chunks == fit.plans[0].chunks and fit.plans[0].tasks == 2 and numpy.isfinite(result.compute()).all()


def test_what_blends_three_cubes_counts_all_of_them(executor):
    chunks, (plan,) = memshape.dasf.plan_chunks([RGBBlending()], (3, *SHAPE), ("c", *AXES), client=executor.client, split=AXES)
    assert chunks[0] == (3,) and plan.held_bytes > 3 * numpy.prod(SHAPE) * 4 / 2


def test_what_does_not_apply_to_blocks_is_refused_before_the_pipeline(executor, cube, tmp_path):
    with pytest.raises(memshape.ArgumentError, match="nothing that Dask applies to blocks"):
        memshape.dasf.fit_chunks(stored("zarr", cube, tmp_path), [Transform()], axes=AXES, client=executor.client)
