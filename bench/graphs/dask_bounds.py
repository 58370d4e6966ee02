#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes the collections of dask_order.py on workers of one thread, and prints what memshape.dask.explain says of them
before - lower, expected, upper - and what the worker that held most came to, each beside what it held before: MiB.

Usage: dask_bounds.py [--workers 1] [--ordered] [NAME...]"""

import argparse

import dask.array as da
import distributed
import memshape
import memshape.dask
import numpy
from dask_order import COLLECTIONS, MIB, resident, smooth, warm


def said(name):
    """What no graph tells: the stencil's work bytes, from toy calls, for blocks of 512 rows and two of each neighbour."""
    if name != "stencils":
        return None
    op = memshape.measured(smooth, ("rows", "columns"), lambda rows, columns: (numpy.ones((rows, columns)),))
    print(f"smooth: {op.formula or op.law}", flush=True)
    return {"smooth": op.predict(rows=516, columns=4096)}


def measured(collection, given, workers, ordered):
    """(the explanation, resident bytes of the worker that held most)"""
    with distributed.LocalCluster(n_workers=workers, threads_per_worker=1, memory_limit="4GiB", dashboard_address=None) as cluster, \
            distributed.Client(cluster) as client:
        client.run(warm)
        asked = memshape.dask.order(collection, client=client, bytes=given) if ordered else collection
        client.run(resident, False)
        told = memshape.dask.explain(asked, client, bytes=given)
        asked.compute()
        return told, max(client.run(resident, True).values())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=1, help="of one thread each")
    parser.add_argument("--ordered", action="store_true", help="in the order of memshape.dask.order")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(COLLECTIONS))
    given = parser.parse_args()
    if unknown := set(given.names) - set(COLLECTIONS):
        parser.error(f"there is no collection {', '.join(sorted(unknown))}")
    print("| collection | workers | lower | expected | measured | upper |\n|---|---|---|---|---|---|", flush=True)
    for name in given.names or COLLECTIONS:
        collection = COLLECTIONS[name](da.random.default_rng(16))
        told, peak = measured(collection, said(name), given.workers, given.ordered)
        shown = [told.lower_bytes, told.expected_bytes, peak, told.upper_bytes]
        print(f"| {name} | {given.workers} | " + " | ".join(
            "none" if each is None else f"{(each - told.parts['held']) / MIB:.0f}" for each in shown) + " |", flush=True)


if __name__ == "__main__":
    main()
