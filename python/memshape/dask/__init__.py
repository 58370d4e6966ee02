# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators on Dask collections, in chunks that fit the workers of a running cluster.

    >>> import memshape.dask
    >>> result = memshape.dask.map_overlap(filter, cube, axes=("ni", "nx", "ns"), halo={"ni": 2, "nx": 2}, client=client)
    >>> memshape.dask.explain(result)
    >>> result.compute()

Needs dask and distributed: ``pip install memshape[dask]``. All sizes are bytes, extents are counts of elements.
"""

import sys

try:
    import dask.array
    import distributed
except ImportError as missing:
    raise ImportError(f"memshape.dask needs dask and distributed ({missing}): pip install memshape[dask]") from None

from ._apply import map_blocks, map_overlap
from ._cluster import Cluster, cluster_of
from ._explain import Explanation, Step, explain
from ._learning import learn
from ._order import Ordered, Ranking, order
from ._peaks import TaskPeak, peaks
from ._planning import plan
from ._spill import Spilling, spill
from ._spilled import Spilled

__all__ = ["Cluster", "Explanation", "Ordered", "Ranking", "Spilled", "Spilling", "Step", "TaskPeak", "cluster_of", "explain",
           "learn", "map_blocks", "map_overlap", "order", "peaks", "plan", "spill"]

if "xarray" in sys.modules:  # its arrays get their accessor; who imports it later imports memshape.xarray
    from .. import xarray as _  # noqa: F401
