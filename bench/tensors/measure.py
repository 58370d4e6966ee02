# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""measure.py MEMSHAPE PROGRAM [--bytes N...]

PROGRAM is operators.cpp, compiled with the plugin. Each operator is run in a process of its own, with an argument of
about N bytes for each N, and predicted at the same shape. The bytes of `tensors` must be those that the argument's
blocks have. With N above 1 MiB the resident peak is compared as well, as predicted without any earlier run: the
median error must be 2 % at most, for arguments below and above 4 MiB, and the 99 % bound may be exceeded by one call in
a hundred."""

import argparse
import json
import os
import statistics
import subprocess
import sys

LEAST_RESIDENT = 1 << 20  # below it a process consists of its libraries
SMALL = 4 << 20  # arguments of less are judged by themselves


def shape_of(symbols, size, extent_of_first):
    """Extents whose product is about size / 8, none of them round."""
    each = max(2, round((size / 8) ** (1 / len(symbols))))
    return [max(1, each + extent_of_first - 2 * turn) for turn in range(len(symbols))]


def predicted(memshape, program, operator, symbols, shape):
    given = ",".join(f"{symbol}={extent}" for symbol, extent in zip(symbols, shape))
    command = [memshape, "predict", program, "--operator", operator, "--shape", given, "--json", "--without-formulas"]
    return json.loads(subprocess.run(command, capture_output=True, text=True, timeout=600, check=True).stdout)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("memshape")
    parser.add_argument("program")
    parser.add_argument("--bytes", nargs="+", type=int, default=[100, 5_000, 40_000, 30_000_000, 120_000_000])
    use = parser.parse_args()
    os.environ["XDG_DATA_HOME"] = "/nonexistent"  # no earlier runs
    listed = subprocess.run([use.program], capture_output=True, text=True, check=True).stdout
    errors, exceeded, wrong = {"below": [], "above": []}, 0, 0
    for line in listed.splitlines():
        operator, *symbols = line.split()
        for turn, size in enumerate(use.bytes):
            shape = shape_of(symbols, size, turn)
            run = [use.program, operator, *map(str, shape)]
            held, resident = map(int, subprocess.run(run, capture_output=True, text=True, check=True).stdout.split())
            answer = predicted(use.memshape, use.program, operator, symbols, shape)
            said = sum(tensor["bytes"] or 0 for tensor in answer["tensors"])
            wrong += said != held
            text = f"{operator} {shape}: holds {held} bytes, " + ("as predicted" if said == held else f"not {said}")
            if held >= LEAST_RESIDENT:
                error = abs(answer["rss"]["peak_bytes"] / resident - 1) * 100
                errors["below" if held < SMALL else "above"].append(error)
                exceeded += (answer["rss"]["upper_bytes"] or resident) < resident
                text += f"; resident {resident}, predicted {answer['rss']['peak_bytes']}, {error:.2f} %"
            print(text)
    print(f"{wrong} of the arguments hold something else than was predicted")
    calls = sum(map(len, errors.values()))
    missed = exceeded > calls / 100
    for where, found in errors.items():
        if found:
            print(f"resident peak of {len(found)} calls with arguments {where} 4 MiB: median error "
                  f"{statistics.median(found):.2f} %, largest {max(found):.2f} %")
            missed |= statistics.median(found) > 2
    print(f"bound at 99 % exceeded by {exceeded} of {calls}")
    sys.exit(bool(wrong or missed))


main()
