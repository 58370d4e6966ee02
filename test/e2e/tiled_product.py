#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""bench/out_of_core/tiled_product.cpp within a third of its matrices: the bits of the product in core, nothing left on
disk. Its tasks update executors and use three of them at once."""

import json
import tempfile
import unittest
from pathlib import Path

from toolchain import SETUP, ran, run_tests

SIZE, TILE = 384, 64
DATA = 3 * 4 * SIZE * SIZE


def run(folder, **options):
    given = {"size": SIZE, "tile": TILE, "threads": 2, "folder": folder, **options}
    done = ran(SETUP.program, *(word for name, value in given.items() for word in ("--" + name, value)), timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class TiledProduct(unittest.TestCase):
    def test_has_the_bits_of_the_product_in_core(self):
        with tempfile.TemporaryDirectory(prefix="memshape-tiled-product-") as folder:
            in_core = run(folder, budget="none")
            self.assertEqual((in_core["reads"], in_core["writes"], in_core["executor_bytes"]), (0, 0, DATA))
            for options in ({}, {"threads": 1}, {"threads": 3}, {"policy": "lru"}):
                found = run(folder, budget=DATA // 3, **options)
                self.assertEqual(found["checksum"], in_core["checksum"], options)
                self.assertLessEqual(found["peak_budget_bytes"], DATA // 3)
                self.assertGreater(found["reads"], 0)
            self.assertEqual(list(Path(folder).iterdir()), [])

    def test_next_use_reads_less_than_lru(self):
        with tempfile.TemporaryDirectory(prefix="memshape-tiled-product-") as folder:
            reads = [run(folder, budget=DATA // 3, policy=policy)["reads"] for policy in ("next-use", "lru")]
            self.assertLess(*reads)


if __name__ == "__main__":
    run_tests(__doc__, program="tiled_product as it was built")
