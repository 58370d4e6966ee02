# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: dasf_run.py zarr|array SHAPE LIMIT_MB auto|memshape, as in: dasf_run.py zarr 200x200x200 1500 memshape

GST3D in NumPy as a MappedTransform, on two workers of one thread. Prints what was planned, and what the workers held at
most. Needs dasf-core, which is not on PyPI: python -m pip install the folder of its source."""

import sys
import tempfile
from pathlib import Path

import dask
import distributed
import memshape.dasf
import numpy
import operators
import zarr
from dasf.datasets import DatasetArray, DatasetZarr
from dasf.pipeline.executors import DaskPipelineExecutor
from dasf.pipeline.pipeline import Pipeline
from dasf.transforms import MappedTransform
from dasf.transforms.base import Transform
from dask_runs import peak

AXES, HALO, STORED_CHUNK = ("ni", "nx", "ns"), 3, 64


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


def main():
    if len(sys.argv) != 5 or sys.argv[1] not in ("zarr", "array") or sys.argv[4] not in ("auto", "memshape"):
        sys.exit(__doc__)
    kind, choice = sys.argv[1], sys.argv[4]
    shape, limit = tuple(int(each) for each in sys.argv[2].split("x")), int(float(sys.argv[3]) * 1e6)
    dask.config.set({"distributed.scheduler.allowed-failures": 0})
    with tempfile.TemporaryDirectory() as folder:
        dataset = stored(kind, numpy.random.default_rng(1).standard_normal(shape, dtype=numpy.float32), folder)
        executor = DaskPipelineExecutor(local=True, cluster_kwargs={
            "n_workers": 2, "threads_per_worker": 1, "memory_limit": limit, "dashboard_address": ":0"})
        blocks, gst3d = Blocks(), MappedTransform(operators.gst3d, depth=(HALO,) * 3, boundary="none")
        callbacks = [memshape.dasf.fit_chunks(dataset, [gst3d], axes=AXES, client=executor.client)]
        pipeline = Pipeline("gst3d", executor=executor, callbacks=callbacks if choice == "memshape" else [])
        pipeline.add(dataset).add(blocks.transform, X=dataset).add(gst3d, X=blocks.transform)
        pipeline.run()
        result = pipeline.get_result_from(gst3d)
        print(f"{kind} {sys.argv[2]} {choice}: chunks {result.chunks}")
        for plan in callbacks[0].plans:
            print(f"  expected {plan.peak_bytes / 1e6:.0f}, at most {plan.upper_bytes / 1e6:.0f} MB")
        computed = executor.client.persist(result)
        distributed.wait(computed)
        if all(future.status == "finished" for future in distributed.futures_of(computed)):
            print("  held", *(f"{each / 1e6:.0f}" for each in executor.client.run(peak).values()), "MB")
        else:
            print("  killed")
        executor.client.shutdown()


if __name__ == "__main__":
    main()
