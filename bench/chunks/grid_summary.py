# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What grid.py found, as tables in Markdown."""

from math import prod
from statistics import median

# cubed's own projection stands beside ours where the package is installed: pip install cubed.
try:
    import cubed
except ImportError:
    cubed = None


def percent(part, whole):
    return f"{100 * part / whole:.0f} %" if whole else "-"


def middle(values, form):
    values = list(values)
    return format(median(values), form) if values else "-"


def where(line):
    cell = line["cell"]
    return cell["operator"], cell["sink"], f"{cell['workers']}x{cell['threads']}"


def table(heads, rows):
    print("| " + " | ".join(heads) + " |\n|" + "---|" * len(heads))
    for row in rows:
        print("| " + " | ".join(map(str, row)) + " |")
    print()


def held(line):
    return max(line["peaks"])


def one_is_enough(line):
    """Whether a worker could take the whole array, if it ran one task at a time."""
    if "plan" not in line:
        return line["tasks"] == 1
    largest = line["plan"]["largest"]
    times = prod(line["cell"]["shape"]) / prod(largest["shape"].values())
    task = (largest["upper_bytes"] or largest["peak_bytes"]) + largest["input_bytes"]
    return line["plan"]["held"] + times * task <= 0.95 * line["cell"]["limit"]


def utilisation(lines):
    """Where more than one task is needed."""
    return [held(line) / line["cell"]["limit"] for line in lines if line["end"] == "ok" and not one_is_enough(line)]


def projected(line):
    """What cubed says that a task with the same chunk takes, or None. Bytes."""
    kind = line["cell"]
    shape = tuple(kind["shape"])
    chunk = tuple(-(-extent // count) for extent, count in zip(shape, line["grid"]))
    spec = cubed.Spec(allowed_mem=10**12, reserved_mem=line["plan"]["held"])
    whole = cubed.array_api.zeros(shape, dtype="float32", chunks=chunk, spec=spec)
    depth = HALO.get(kind["operator"])
    try:
        if depth:
            result = cubed.map_overlap(lambda block: block, whole, dtype="float32", depth=depth, boundary=0,
                                       chunks=whole.chunks)
        else:
            result = cubed.map_blocks(lambda block: block, whole, dtype="float32")
        return result.plan().max_projected_mem
    except (ValueError, NotImplementedError):
        return None


HALO = {"gst3d": 3, "C++ gst3d": 6, "gaussian": 8}


def rows_of_plans(lines):
    keys = sorted({where(line) for line in lines})
    names = sorted({key[0] for key in keys})
    for key in [*keys, *((name, "", "") for name in names), None]:
        here = [line for line in lines if key is None or where(line) == key or
                key[1:] == ("", "") and where(line)[0] == key[0]]
        plans = [line for line in here if line["choice"] == "memshape"]
        autos = [line for line in here if line["choice"] == "auto"]
        ran = [line for line in plans if line["end"] == "ok"]
        bounded = [line for line in ran if line["plan"]["upper"] is not None]
        errors = [line["plan"]["expected"] / held(line) - 1 for line in ran]
        yield (*(key or ("all", "", "")), len(plans),
               sum(line["end"] == "does not fit" for line in plans),
               sum(line["end"] in ("killed", "not in time") for line in plans),
               percent(sum(held(line) <= line["plan"]["upper"] for line in bounded), len(ran)),
               f"{100 * max((held(line) / line['plan']['upper'] - 1 for line in bounded), default=0):+.1f}",
               middle((100 * abs(error) for error in errors), ".1f"), middle((100 * error for error in errors), "+.1f"),
               middle(utilisation(plans), ".2f"),
               sum(line["end"] in ("killed", "not in time") for line in autos),
               middle(utilisation(autos), ".2f"))


def ratios(lines, what):
    """Of plan and best, by cell."""
    found = {}
    for line in lines:
        if line.get("role") in ("plan", "best") and line["end"] == "ok":
            name = (*where(line), line["cell"]["limit"], tuple(line["cell"]["shape"]))
            found.setdefault(name, {}).setdefault(line["role"], []).append(line[what])
    return {name: median(both["plan"]) / median(both["best"]) for name, both in found.items() if len(both) == 2}


def rows_of_times(lines):
    whole, worked = ratios(lines, "seconds"), ratios(lines, "cpu")
    swept = [line for line in lines if line.get("role") == "sweep"]
    plans = [line for line in lines if line["choice"] == "memshape"]
    for key in [*sorted({where(line)[0] for line in lines}), None]:
        here = [ratio for name, ratio in whole.items() if key in (None, name[0])]
        tried = [line for line in swept if key in (None, line["cell"]["operator"])]
        ours = [line for line in plans if key in (None, line["cell"]["operator"])]
        yield (key or "all", len(here), middle(here, ".2f"), f"{min(here):.2f}" if here else "-",
               f"{max(here):.2f}" if here else "-", percent(sum(ratio <= 1.05 for ratio in here), len(here)),
               middle((ratio for name, ratio in worked.items() if key in (None, name[0])), ".2f"),
               f"{sum(line['end'] != 'ok' for line in tried)} of {len(tried)}",
               f"{sum(line['end'] != 'ok' for line in ours)} of {len(ours)}")


def rows_of_projections(lines):
    for name in sorted({line["cell"]["operator"] for line in lines}):
        ran = [line for line in lines if line["cell"]["operator"] == name and line["end"] == "ok" and "plan" in line]
        both = [(projected(line), line) for line in ran]
        both = [(said, line) for said, line in both if said]
        yield (name, len(both), percent(sum(held(line) <= said for said, line in both), len(both)),
               middle((held(line) / said for said, line in both), ".2f"),
               percent(sum(held(line) <= line["plan"]["upper"] for _, line in both), len(both)),
               middle((held(line) / line["plan"]["upper"] for _, line in both), ".2f"))


def summary(lines, cells):
    """The tables of all lines of RESULTS."""
    plans = [line for line in lines if line["phase"] == "plans"]
    times = [line for line in lines if line["phase"] == "times"]
    print(f"{sum(line['choice'] == 'memshape' for line in plans)} of {cells} cells\n")
    table(("operator", "sink", "cluster", "cells", "no plan", "killed", "within the bound", "most beyond it %",
           "error of expected %", "signed", "utilisation", "auto: killed", "its utilisation"), rows_of_plans(plans))
    if times:
        table(("operator", "cells", "time of plan / best of ten", "least", "most", "at most 1.05", "of processor time",
               "manual: killed", "plans: killed"), rows_of_times(times))
    if cubed:
        table(("operator", "runs", "within cubed's projection", "peak / projection", "within the bound",
               "peak / bound"), rows_of_projections(plans))
