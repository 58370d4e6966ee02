# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bar: the peak predicted from toy calls is within 1 % of what calls at three large shapes hold. Usage: toys.py [NAME...]

Beside it stands what people do: a line fitted to the growth of resident memory over the volume, at as many toys."""

import multiprocessing
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import memshape
import operators
from memshape._toys import ToyProcess

LARGE = ({"ni": 240, "nx": 200, "ns": 160}, {"ni": 90, "nx": 301, "ns": 420}, {"ni": 131, "nx": 147, "ns": 503})


def high_water(field):
    with open("/proc/self/status", encoding="ascii") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith(field + ":"))


def growth(name, shape, answers):
    """By how much the resident peak of a fresh process is above what it held before the call."""
    operators.ALL[name](*operators.make(8, 8, 8))
    arguments = operators.make(**shape)
    before = high_water("VmRSS")
    operators.ALL[name](*arguments)
    answers.put(max(0, high_water("VmHWM") - before))


def resident_growth(name, shape):
    context = multiprocessing.get_context("spawn")
    answers = context.Queue()
    process = context.Process(target=growth, args=(name, shape, answers))
    process.start()
    found = answers.get()
    process.join()
    return found


def line(points):
    """Least squares: growth = a * volume + b."""
    count, x, y = len(points), sum(p[0] for p in points), sum(p[1] for p in points)
    xx, xy = sum(p[0] ** 2 for p in points), sum(p[0] * p[1] for p in points)
    a = (count * xy - x * y) / (count * xx - x * x)
    return lambda volume: a * volume + (y - a * x) / count


def volume(shape):
    return shape["ni"] * shape["nx"] * shape["ns"]


def main():
    names = sys.argv[1:] or list(operators.ALL)
    print("| operator | peak, bytes | toys | s | largest toy MiB | error at three large shapes % | line on RSS % |")
    print("|---|---|---|---|---|---|---|")
    for name in names:
        started = time.perf_counter()
        op = memshape.measured(operators.ALL[name], ("ni", "nx", "ns"), operators.make, name=name)
        took = time.perf_counter() - started
        fitted = line([(volume(toy.shape), resident_growth(name, toy.shape)) for toy in op.toys[::3]])
        ours, theirs = [], []
        for shape in LARGE:
            with ToyProcess(operators.ALL[name], operators.make, 900, 16 << 30) as process:
                measured = process.call(shape).peak_bytes
            ours.append(100 * (op.predict(shape).peak_bytes / measured - 1))
            theirs.append(100 * (fitted(volume(shape)) / measured - 1))
        largest = max(toy.peak_bytes + toy.arguments_bytes for toy in op.toys) / 2**20
        said = op.formula.text if op.formula else f"about {op.law.text} ({100 * op.error:.2g} %)"
        print(f"| {name} | {said} | {len(op.toys)} | {took:.1f} | {largest:.0f} | "
              f"{', '.join(f'{e:+.2f}' for e in ours)} | {', '.join(f'{e:+.1f}' for e in theirs)} |", flush=True)


if __name__ == "__main__":
    main()
