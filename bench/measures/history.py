# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Imports a million records - of one operator, and of a thousand -, then asks the store for predictions, and compares
both with a small store of a thousand records. Bars: 60 s for the import, 20 ms for a `memshape predict --store`."""

import json
import os
import random
import tempfile
from pathlib import Path

from .harness import add_build, checked, head, medians, row, timed, verdict


def arguments(parser):
    add_build(parser)
    parser.add_argument("--records", type=int, default=1000000)
    parser.add_argument("--times", type=int, default=15, help="predictions of which the median is taken")


def write_records(path, count, operators):
    draw = random.Random(3)
    with open(path, "w") as out:
        for turn in range(count):
            n = draw.randrange(100, 100000)
            out.write(json.dumps({"schema": "memshape.run/1", "operator": f"op{turn % operators}",
                                  "shape": {"n": n, "m": 7},
                                  "settings": {"sigma": 1.5}, "footprint": {"formula": "28*n*m"}, "held_bytes": 4 * n,
                                  "heap_peak_bytes": 196 * n,
                                  "rss_peak_bytes": 5000000 + 231 * n + draw.randrange(100000),
                                  "environment": {"compiler": "clang-22", "libraries": 7},
                                  "ended_at": 1700000000 + turn}) + "\n")


def one_store(memshape, folder, count, operators, times):
    lines, store = folder / f"{count}-{operators}.jsonl", folder / f"{count}-{operators}.sqlite"
    write_records(lines, count, operators)
    imported = timed(lambda: checked([memshape, "history", "import", "--store", store, lines]))
    ask = [memshape, "predict", "--store", store, "--operator", "op0", "--shape", "n=800,m=7", "--held", "3200",
           "--json"]
    wall, processor = medians([timed(lambda: checked(ask)) for _ in range(times)])
    os.unlink(lines)
    row(f"{count:,}", f"{operators:,}", f"{imported[0]:.1f} s", f"{imported[1]:.1f} s", f"{1e3 * wall:.1f} ms",
        f"{1e3 * processor:.1f} ms", f"{os.path.getsize(store) / count:.0f} B")
    return imported[0], wall, processor


def measure(use):
    head("records", "operators", "import, wall", "import, processor", "predict, wall", "predict, processor",
         "per record")
    with tempfile.TemporaryDirectory() as folder:
        stores = [one_store(use.build / "bin/memshape", Path(folder), count, operators, use.times)
                  for count, operators in ((1000, 1), (use.records, 1), (use.records, 1000))]
    many = stores[1:]
    print(f"\npredict, large store against small, processor time: x{max(each[2] for each in many) / stores[0][2]:.2f}")
    met = all(imported <= 60 and wall <= 0.020 for imported, wall, _ in many)
    print(f"bars (60 s, 20 ms on the wall): {verdict(met)}; load: {os.getloadavg()[0]:.1f} on {os.cpu_count()}")
    return 0 if met else 1
